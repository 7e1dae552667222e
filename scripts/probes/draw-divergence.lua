-- draw-divergence.lua - for every draw the first value that two renderers have otherwise
-- Arguments: the two (hardware and dolphin; of Gfx3D captures cpu and virgl, which is a VirGL host), and one frame.
local calls = qs.capture.format == "Gfx3D calls"
local a, b = arg[1] or (calls and "cpu" or "hardware"), arg[2] or (calls and "virgl" or "dolphin")
local first, last = 1, qs.capture.frames
if arg[3] then
	first = tonumber(arg[3])
	last = first
end
local rows = {}
for frame = first, last do
	local d = qs.compare{a = a, b = b, frame = frame, causes = false, draws = true}
	for _, draw in ipairs(d.draws or {}) do
		local row = {moment = draw.moment, x = draw.x, y = draw.y, unit = draw.unit, stage = draw.stage, class = draw.class, what = draw.text}
		for _, operand in ipairs(draw.operands) do
			if operand.differs and not row.name then
				row.name, row.a, row.b = operand.name, operand.a, operand.b
			end
		end
		rows[#rows + 1] = row
	end
end
qs.table(rows, {"moment", "x", "y", "unit", "stage", "class", "what", "name", "a", "b"}, a .. " and " .. b .. ", draw by draw")
