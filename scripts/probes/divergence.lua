-- divergence.lua - where and why two models part, frame by frame
-- Arguments: the two models (hardware and dolphin).
local a, b = arg[1] or "hardware", arg[2] or "dolphin"
local rows = {}
for frame = 1, qs.capture.frames do
	local d = qs.compare{a = a, b = b, frame = frame}
	if d.equal then
		rows[#rows + 1] = {frame = frame, cause = "equal"}
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
