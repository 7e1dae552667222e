-- overdraw.lua - how often each pixel of a frame is shaded, as a heat map
--
-- Quads come as x, y and a coverage mask: three bits a pixel, all equal without anti-aliasing.

local frame = 1
local shaded, total, most = {}, 0, 0
local width, height = 640, 528

qs.on.fragment(function(f, x, y)
	local i = y * width + x
	shaded[i] = (shaded[i] or 0) + 1
	total = total + 1
	most = math.max(most, shaded[i])
end)

-- From the end of the frame before ("0" is the start) to the end of the frame.
qs.replay(tostring(frame - 1), tostring(frame))

-- One cell of the map is 8 x 8 pixels.
local cells, cell = {}, 8
for y = 0, height - 1 do
	for x = 0, width - 1 do
		local i = (y // cell) * (width // cell) + x // cell
		cells[i] = (cells[i] or 0) + (shaded[y * width + x] or 0) / (cell * cell)
	end
end
qs.plot.heat("overdraw of frame " .. frame, width // cell, height // cell, cells)
print(string.format("%d fragments, at most %d in one pixel", total, most))
