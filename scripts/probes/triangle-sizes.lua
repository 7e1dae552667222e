-- triangle-sizes.lua - how large are the triangles that are drawn, and how many are not?
--
-- A primitive hook gets the setup record: p.setup says what became of the primitive.

local sizes, verdicts = {}, {}

qs.on.primitive(function(p)
	verdicts[p.setup] = (verdicts[p.setup] or 0) + 1
	if p.setup == "drawn" then
		sizes[#sizes + 1] = math.log(math.abs(p.area) + 0.001, 2)
	end
end)

qs.on.done(function()
	for _, name in ipairs({"drawn", "culled", "rejected", "clipped", "degenerate", "scissored"}) do
		print(string.format("%-10s %d", name, verdicts[name] or 0))
	end
	if #sizes > 0 then
		qs.plot.hist("area of triangles, log2 of pixels", sizes, 16)
	end
end)
