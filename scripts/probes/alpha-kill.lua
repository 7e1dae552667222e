-- alpha-kill.lua - draws whose alpha test throws most of their fragments away
--
-- They would be cheaper as smaller triangles around what is visible.

local draws = {}

qs.on.fragment(function(f)
	local key = f.frame .. "/" .. f.draw
	local d = draws[key] or {draw = key, fragments = 0, killed = 0}
	draws[key] = d
	d.fragments = d.fragments + 1
	if f.verdict == "alpha" then
		d.killed = d.killed + 1
	end
end)

qs.on.done(function()
	local rows = {}
	for _, d in pairs(draws) do
		if d.killed * 2 > d.fragments then
			d.percent = string.format("%.1f", 100 * d.killed / d.fragments)
			rows[#rows + 1] = d
		end
	end
	table.sort(rows, function(a, b) return a.killed > b.killed end)
	print(#rows .. " draws lose more than half of their fragments to the alpha test")
	if #rows > 0 then
		qs.table(rows, {"draw", "fragments", "killed", "percent"}, "alpha test")
	end
end)
