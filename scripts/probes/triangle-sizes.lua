-- triangle-sizes.lua - how large are the triangles, and what became of those that were not drawn?
--
--   qscope run scripts/probes/triangle-sizes.lua data/captures/perspective-cube.dff
--
-- The primitive hook is called once for each part that the setup unit makes of a primitive, and once for a primitive that
-- gives none; p.setup says what became of it.  Areas have a sign, which is the direction the vertices turn in.

local area, fate = {}, {}

qs.on.primitive(function(p)
	fate[p.setup] = (fate[p.setup] or 0) + 1
	if p.setup == "drawn" and p.kind == "triangle" then
		area[#area + 1] = math.abs(p.area)
	end
end)

qs.on.done(function()
	local rows = {}
	for what, count in pairs(fate) do
		rows[#rows + 1] = {what = what, parts = count}
	end
	table.sort(rows, function(a, b) return a.what < b.what end)
	qs.table(rows, {"what", "parts"}, "primitives")
	table.sort(area)
	if #area > 0 then
		print(("%d triangles, from %.1f to %.1f pixels, the middle one has %.1f"):format(#area, area[1], area[#area],
			area[(#area + 1) // 2]))
		qs.plot.hist("area of triangles", area, 16, {x = "pixels"})
	end
end)
