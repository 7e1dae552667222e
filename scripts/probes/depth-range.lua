-- depth-range.lua - which part of the depth range does each draw use?
--
--   qscope run scripts/probes/depth-range.lua data/captures/z-viewport-range.dff
--
-- A scene that uses the last percent of the depth buffer flickers.  Depth has 24 bits, 0 is near.

local low, high, rows = {}, {}, {}

qs.on.fragment("frame == 1", function(f)
	local d, z = f.draw, f.z
	if not low[d] or z < low[d] then low[d] = z end
	if not high[d] or z > high[d] then high[d] = z end
end)

qs.on.done(function()
	for d in qs.draws(1) do
		if low[d.draw] then
			rows[#rows + 1] = {draw = d.moment, nearest = ("0x%06x"):format(low[d.draw]), farthest = ("0x%06x"):format(high[d.draw]),
				percent = ("%.2f"):format(100 * (high[d.draw] - low[d.draw]) / 0xffffff)}
		end
	end
	qs.table(rows, {"draw", "nearest", "farthest", "percent"}, "depth")
	qs.plot.line("farthest depth", high, {x = "draw"})
end)
