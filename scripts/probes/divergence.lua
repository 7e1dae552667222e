-- divergence.lua - where and why two renderers part, frame by frame
-- Arguments: the two (hardware and dolphin; of Gfx3D captures cpu and virgl, which is a VirGL host).
local calls = qs.capture.format == "Gfx3D calls"
local a, b = arg[1] or (calls and "cpu" or "hardware"), arg[2] or (calls and "virgl" or "dolphin")
local rows = {}
for frame = 1, qs.capture.frames do
	local d = qs.compare{a = a, b = b, frame = frame}
	if d.equal then
		rows[#rows + 1] = {frame = frame, cause = "equal"}
	end
	if d.first and not (d.causes[1] and d.causes[1].first) then -- a host has no events from which every cause gets its own
		rows[#rows + 1] = {frame = frame, cause = d.first.text, class = d.first.class, first = d.first.moment, unit = d.first.unit}
	end
	for _, cause in ipairs(d.causes) do
		local first = cause.first or {}
		rows[#rows + 1] = {frame = frame, cause = cause.quirk, class = cause.class, pixels = cause.pixels, first = first.moment,
			unit = first.unit}
	end
	if not d.equal and not d.explained then
		rows[#rows + 1] = {frame = frame, cause = "unexplained"}
	end
end
qs.table(rows, {"frame", "cause", "class", "pixels", "first", "unit"}, a .. " and " .. b)
