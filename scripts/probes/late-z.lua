-- late-z.lua - how many quads fail the late depth test, draw by draw
--
-- A draw whose fragments are shaded and then thrown away by the depth test wastes time: sort it, or use early Z.
-- The filter is tested by the engine, so fn is only called for the fragments that matter.

local failed = {}

qs.on.fragment("verdict == late_z", function(f)
	local draw = f.frame .. "/" .. f.draw
	failed[draw] = (failed[draw] or 0) + 1
end)

qs.on.done(function()
	local rows = {}
	for draw, count in pairs(failed) do
		rows[#rows + 1] = {draw = draw, fragments = count}
	end
	table.sort(rows, function(a, b) return a.fragments > b.fragments end)
	print(#rows .. " draws lose fragments to the late depth test")
	if #rows > 0 then
		qs.table(rows, {"draw", "fragments"}, "late depth test")
	end
end)
