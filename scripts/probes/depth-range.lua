-- depth-range.lua - which part of the depth range each draw uses
--
-- Everything squeezed into the last thousandth of the range means a near plane that is too near.

local low, high, order = {}, {}, {}

qs.on.fragment(function(f)
	local key = f.frame .. "/" .. f.draw
	if not low[key] then
		order[#order + 1] = key
		low[key], high[key] = f.z, f.z
	end
	low[key] = math.min(low[key], f.z)
	high[key] = math.max(high[key], f.z)
end)

qs.on.done(function()
	local least, most, highs = 0xFFFFFF, 0, {}
	for i, key in ipairs(order) do
		least, most = math.min(least, low[key]), math.max(most, high[key])
		highs[i] = high[key] / 0xFFFFFF
	end
	print(string.format("%d draws, depth 0x%06x to 0x%06x", #order, least, most))
	if #order > 1 then
		qs.plot.line("farthest depth per draw, 1 is the far plane", highs)
	end
end)
