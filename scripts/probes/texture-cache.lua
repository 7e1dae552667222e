-- texture-cache.lua - which draws fetch texture memory anew, and which read what main memory no longer has?
--
--   qscope run scripts/probes/texture-cache.lua data/captures/tour.dff
--
-- Texels tell how they were found in the texture cache: 1 a hit, 2 a miss (0: preloaded, or without a cache).  Every 16th
-- pixel each way is enough to see it; the engine tests that condition by itself.

local fetched, stale = {}, {}

qs.on.stage("x % 16 == 0 and y % 16 == 0", function(s)
	local sample = s.sample
	if not sample.done then return end
	for i = 0, sample.texel_count - 1 do
		local texel = sample.texel[i]
		if texel.cache == 2 then fetched[s.draw] = (fetched[s.draw] or 0) + 1 end
		if texel.stale then stale[s.draw] = (stale[s.draw] or 0) + 1 end
	end
end)

qs.on.done(function()
	qs.plot.line("texels of lines just fetched", fetched, {x = "draw", y = "texels"})
	qs.plot.line("texels that memory no longer has", stale, {x = "draw", y = "texels"})
end)
