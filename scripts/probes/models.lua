-- models.lua - where do two models of the hardware begin to disagree?
--
--   qscope run scripts/probes/models.lua data/captures/lines-widths.dff -- hardware dolphin
--
-- The picture after every draw is compared until the first difference; going half the way each time finds it with few pictures
-- as long as a difference does not vanish again.

local first, second = arg[1] or "hardware", arg[2] or "dolphin"
local draws = {}
for d in qs.draws(1) do
	draws[#draws + 1] = d.moment
end

local function picture(model, moment)
	qs.model(model)
	qs.seek(moment)
	return qs.image("color")
end

local function difference(i)
	local d = qs.difference(picture(first, draws[i]), picture(second, draws[i]))
	return d.pixels - d.equal, d
end

if #draws == 0 or difference(#draws) == 0 then
	print("no pixel differs after " .. #draws .. " draws")
	return
end
local low, high = 1, #draws
while low < high do
	local middle = (low + high) // 2
	if difference(middle) > 0 then
		high = middle
	else
		low = middle + 1
	end
end
local pixels, d = difference(low)
print(("%s: %d pixels differ by up to %d"):format(draws[low], pixels, d.maximum))
for y = 0, d.image.height - 1 do
	for x = 0, d.image.width - 1 do
		local r, g, b = d.image:get(x, y)
		if r + g + b > 0 then
			print(("the first one is %d,%d"):format(x, y))
			qs.overlay:point(x, y, "yellow", "first difference")
			return
		end
	end
end
