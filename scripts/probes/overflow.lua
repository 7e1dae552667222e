-- overflow.lua - TEV stages whose result does not fit before it is clamped
--
-- A lost highlight is often a stage that adds two bright colours.  s.wide_r, s.wide_g and s.wide_b are the result
-- before the clamp.

local stages = {}

qs.on.stage(function(s)
	for _, wide in ipairs({s.wide_r, s.wide_g, s.wide_b}) do
		if wide > 255 then
			local key = s.frame .. "/" .. s.draw .. " stage " .. s.stage
			local entry = stages[key] or {where = key, times = 0, most = 0}
			stages[key] = entry
			entry.times = entry.times + 1
			entry.most = math.max(entry.most, wide)
		end
	end
end)

qs.on.done(function()
	local rows = {}
	for _, entry in pairs(stages) do
		rows[#rows + 1] = entry
	end
	table.sort(rows, function(a, b) return a.times > b.times end)
	print(#rows .. " stages exceed 255 before the clamp")
	if #rows > 0 then
		qs.table(rows, {"where", "times", "most"}, "results above 255")
	end
end)
