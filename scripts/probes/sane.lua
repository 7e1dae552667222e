-- sane.lua - a test of a capture, for a script that runs many of them
--
--   qscope run scripts/probes/sane.lua data/captures/tour.dff && echo fine
--
-- qs.check notes what is wrong and goes on; the program ends with status 1 when something was.

qs.check(not qs.capture.truncated, "the capture is cut off")
qs.check(qs.capture.draws > 0, "nothing is drawn")

local copies = 0
qs.on.copy("frame == 1", function(c) if c.to_display then copies = copies + 1 end end)
qs.on.frame("frame == 1", function()
	qs.check(copies > 0, "frame 1 copies nothing to the display")
	if copies > 0 then
		local image, colours = qs.image("copy"), {}
		for y = 0, image.height - 1, 8 do
			for x = 0, image.width - 1, 8 do
				local r, g, b = image:get(x, y)
				colours[r << 16 | g << 8 | b] = true
			end
		end
		qs.check(next(colours, next(colours)) ~= nil, "the picture of frame 1 has one colour")
	end
	return false -- one frame is enough
end)
qs.on.done(function()
	for _, message in ipairs(qs.lint(1)) do
		qs.check(message.severity ~= "error", message.moment .. ": " .. message.text)
	end
	print(qs.capture.frames .. " frames, " .. qs.capture.draws .. " draws")
end)
