-- overdraw.lua - how often is every pixel covered?
--
--   qscope run scripts/probes/overdraw.lua data/captures/tour.dff
--
-- Every covered fragment counts, whether it passes its tests or not: that is the work the pixel pipe has.  The pixel's place
-- comes as plain numbers after the event, which is the fastest way to get it.

local width, height = 640, 528
local count, fragments = {}, 0

qs.on.fragment("frame == 1", function(_, x, y)
	local at = y * width + x
	count[at] = (count[at] or 0) + 1
	fragments = fragments + 1
end)

qs.on.done(function()
	local most, place, pixels = 0, 0, 0
	for at, n in pairs(count) do
		pixels = pixels + 1
		if n > most or (n == most and at < place) then
			most, place = n, at
		end
	end
	local x, y = place % width, place // width
	print(("%d fragments on %d pixels: %.2f each"):format(fragments, pixels, pixels > 0 and fragments / pixels or 0))
	print(("at most %d, at %d,%d"):format(most, x, y))
	qs.plot.heat("overdraw", width, height, count)
	qs.overlay:rect(x - 4, y - 4, x + 5, y + 5, "yellow", most .. " fragments")
end)
