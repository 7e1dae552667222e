-- features.lua - scenes of setup unit, pixel engine and copies, register by register
-- Arguments: names of the captures to build; all of them without.
-- SPDX-License-Identifier: GPL-2.0-or-later
local WIDTH, HEIGHT = 320, 240
local TEXTURE, COPY = 0x100000, 0x200000
local PLAIN, WIDE = {21 << 12 | 22 << 18, 21}, {4 | 8 << 6 | 12 << 12 | 16 << 18, 12 | 8 << 6 | 4 << 12}

local function initial_state(s)
	for i = 1, 4 do
		s:bp(i, 0x666666)
	end
	s:bp(0x00, 1 << 4)
	s:bp(0x20, 342 << 12 | 342)
	s:bp(0x21, WIDTH + 341 << 12 | HEIGHT + 341)
	s:bp(0x22, 6 | 6 << 8)
	s:bp(0x59, 171 << 10 | 171)
	s:bp(0xC0, 10 | 15 << 4 | 15 << 8 | 15 << 12 | 1 << 19) -- raster colour
	s:bp(0xC1, 5 << 4 | 7 << 7 | 7 << 10 | 7 << 13 | 1 << 19)
	s:bp(0xF6, 4, 14, 0, 12, 5, 13, 10, 14)
	s:bp(0xF3, 0x3F0000)                                    -- the alpha test always passes
	s:bp(0x40, 1 | 7 << 1 | 1 << 4)
	s:bp(0x41, 3 << 3)
	s:bp(0x44, 3)
	s:bp(0x4F, 255 << 8 | 32, 48 << 8 | 64, 0xFFFFFF)
	s:bp(0x4E, 256)
	s:bp(0x53, PLAIN[1], PLAIN[2])
	s:cp(0x50, 1 << 9 | 1 << 13)                            -- direct position and colour
	s:cp(0x70, 1 | 4 << 1 | 1 << 13 | 5 << 14 | 1 << 21 | 4 << 22 | 1 << 30)
	s:cp(0x80, 1 << 31)
	s:matrix(0)
	s:matrix(60)
	s:post_matrix(61)
	s:xf(0x1008, 1)
	s:xf(0x1009, 1)
	s:xf(0x100C, 0xFFFFFFFF, 0xFFFFFFFF, 1, 1, 1, 1)
	s:xf(0x1018, 0x3CF3CF00, 0x00F3CF3C)
	s:cp(0x30, 0x3CF3CF00)
	s:cp(0x40, 0x00F3CF3C)
	s:xf(0x101A, WIDTH / 2, -HEIGHT / 2, 16777215.0, WIDTH / 2 + 342, HEIGHT / 2 + 342, 16777215.0)
	s:xf(0x1020, 2 / WIDTH, -1.0, -2 / HEIGHT, 1.0, -1.0, -1.0, 1)
	s:xf(0x1040, 5 << 7)
	s:xf(0x1050, 61)
end

-- 16 x 16 texels: a rim, a cross, colours that tell directions apart.
local function texels(x, y)
	local rim = x == 0 or x == 15 or y == 0 or y == 15
	return rim and 255 or 16 * x, rim and 255 or 16 * y, x == y and 255 or 60
end

-- before: what of the initial state is different.
local function build(name, fn, before)
	qs.build(name, function(s)
		initial_state(s)
		if before then
			before(s)
		end
		s:start()
		s:memory(TEXTURE, qs.encode("RGBA8", 16, 16, texels))
		fn(s)
	end, {bare=true})
end

-- A rectangle; colour and depth may run from left to right.
local function box(s, x, y, w, h, left, right, z, z_right)
	right, z = right or left, z or -.5
	z_right = z_right or z
	s:draw("quads", 0, {{x, y, z, c=left}, {x + w, y, z_right, c=right}, {x + w, y + h, z_right, c=right}, {x, y + h, z, c=left}})
end

local function copy(s, command, rect, to, stride, filter)
	rect, filter = rect or {0, 0, WIDTH, HEIGHT}, filter or PLAIN
	s:bp(0x49, rect[2] << 10 | rect[1])
	s:bp(0x4A, rect[4] - 1 << 10 | rect[3] - 1)
	s:bp(0x4B, (to or 0x600000) >> 5)
	s:bp(0x4D, stride or WIDTH * 2 // 32)
	s:bp(0x53, filter[1], filter[2])
	s:bp(0x52, command)
end

local function show(s, command, filter)
	copy(s, (command or 3) | 1 << 14, nil, nil, nil, filter)
	s:end_frame()
end

-- 256 cells: rows are the operation and the first function, columns the second; references 96 and 160.
build("alpha-function", function(s)
	s:bp(0x40, 0)
	box(s, 0, 0, WIDTH, HEIGHT, {60, 60, 60, 255})
	for logic = 0, 3 do
		for first = 0, 7 do
			for second = 0, 7 do
				s:bp(0xF3, 96 | 160 << 8 | first << 16 | second << 19 | logic << 22)
				box(s, (logic % 2 * 8 + second) * 20, (logic // 2 * 8 + first) * 15, 18, 13, {255, 40, 0, 0}, {0, 200, 255, 255})
			end
		end
	end
	show(s)
end)

-- Columns: functions. Rows: test and update on or off, each before and after texturing; what is left of Z is shown last.
build("z-compare", function(s)
	s:bp(0x40, 1 | 7 << 1 | 1 << 4)
	box(s, 0, 0, WIDTH, HEIGHT, {90, 0, 0, 255}, {250, 60, 0, 255}, -.1, -.9)
	for row = 0, 7 do
		for func = 0, 7 do
			local x, y = func * 40, row * 30
			s:bp(0x43, row >> 2 << 6)
			s:bp(0x40, row & 1 | func << 1 | (row >> 1 & 1) << 4)
			local left, right = x * .8 / WIDTH + .1, (x + 40) * .8 / WIDTH + .1
			box(s, x, y, 36, 12, {0, 90, 0, 255}, {0, 250, 60, 255}, -right, -left)
			box(s, x, y + 12, 36, 8, {120, 120, 0, 255}, {255, 255, 0, 255}, -left, -right)
		end
	end
	s:bp(0x40, 1 | 1 << 1)
	box(s, 0, 22, WIDTH, 8, {0, 0, 255, 255})
	for row = 0, 7 do
		box(s, 0, row * 30 + 4, WIDTH, 4, {200, 200, 255, 255}, nil, -.9, -.1)
	end
	show(s)
end)

-- Frozen squares against a wedge: plane of nothing, of a drawn, a culled, a scissored and a clipped-away triangle.
build("zfreeze", function(s)
	local frozen = 1 << 19
	s:bp(0x40, 1 | 7 << 1 | 1 << 4)
	s:bp(0x00, 1 << 4 | frozen)
	box(s, 0, 0, WIDTH, 40, {255, 255, 255, 255})
	s:bp(0x00, 1 << 4)
	box(s, 0, 40, WIDTH, 200, {40, 0, 80, 255}, {200, 0, 160, 255}, -.1, -.9)
	for k = 0, 3 do
		local x, y = 10 + (k == 3 and 2000 or 0), 45 + 48 * k
		s:bp(0x40, 1 | 7 << 1)
		if k == 1 then
			s:bp(0x00, 1 << 4 | 3 << 14)
		elseif k == 2 then
			s:bp(0x21, 342 + 5 << 12 | 342 + 5)
		end
		s:draw("triangles", 0, {{x, y, -.45, c={0, 90, 0, 255}}, {x + 60, y, -.45 - .03 * k, c={0, 200, 0, 255}},
			{x, y + 40, -.7 + .05 * k, c={90, 200, 0, 255}}})
		s:bp(0x21, WIDTH + 341 << 12 | HEIGHT + 341)
		s:bp(0x00, 1 << 4 | frozen)
		s:bp(0x40, 1 | 1 << 1 | 1 << 4)
		box(s, 80, y, 230, 20, {255, 200, 0, 255})
		s:bp(0x40, 1 | 4 << 1 | 1 << 4)
		box(s, 80, y + 20, 230, 20, {0, 200, 255, 255}, nil, -.9)
		s:bp(0x00, 1 << 4)
	end
	show(s)
end)

-- RGBA6: constant alpha 0, 36 ... 252 is stored, then read by both factors; below the same in RGB8, where it is 255.
build("destination-alpha", function(s)
	for _, pixel_type in ipairs{1, 0} do
		local top = pixel_type == 1 and 0 or 120
		s:bp(0x43, pixel_type)
		s:bp(0x41, 3 << 3)
		s:bp(0x42, 0)
		box(s, 0, top, WIDTH, 120, {200, 40, 20, 255}, {20, 40, 200, 128})
		for k = 0, 7 do
			s:bp(0x42, 36 * k | 1 << 8)
			s:bp(0x41, 3 << 3)
			box(s, 40 * k, top, 36, 60, {0, 120, 0, 77})
			s:bp(0x41, 1 | 3 << 3 | 5 << 5 | 4 << 8)
			box(s, 40 * k, top + 20, 36, 20, {255, 255, 255, 128})
			s:bp(0x42, 0)
			s:bp(0x41, 1 | 1 << 3 | 7 << 5 | 6 << 8)
			box(s, 40 * k, top + 5, 20, 110, {255, 255, 0, 255}, {255, 0, 255, 255})
			s:bp(0x41, 1 << 4)
			box(s, 40 * k + 26, top + 70, 8, 40, {1, 2, 3, 32 * k})
			s:bp(0x41, 1 | 1 << 3 | 6 << 5)
			box(s, 40 * k + 22, top + 80, 14, 40, {255, 255, 255, 255})
		end
		s:bp(0x42, 0)
	end
	s:bp(0x43, 1)
	copy(s, 7 << 4, {0, 0, 64, 32}, COPY, 8)
	show(s)
end)

-- Sixteen logic operations, with and without alpha, then subtracting, with factors and logic operation set too.
build("subtract-and-logic", function(s)
	s:bp(0x43, 1)
	for k = 0, 15 do
		box(s, 20 * k, 0, 18, 120, {0, 255, 80, 255}, {255, 0, 160, 0})
		s:bp(0x41, 2 | 3 << 3 | k << 12)
		box(s, 20 * k, 10, 18, 50, {204, 240, 170, 99})
		s:bp(0x41, 2 | 1 << 3 | k << 12)
		box(s, 20 * k, 70, 18, 40, {15, 99, 255, 10}, {255, 60, 0, 200})
		s:bp(0x41, 3 << 3)
	end
	for k = 0, 7 do
		box(s, 40 * k, 120, 36, 120, {255, 128, 0, 255}, {0, 128, 255, 40})
		s:bp(0x41, 1 | 2 * (k & 1) | 3 << 3 | 1 << 11 | k << 12 | k << 5 | 7 - k << 8)
		box(s, 40 * k, 130, 36, 40, {0, 60, 120, 200}, {240, 60, 0, 20})
		s:bp(0x41, 3 << 3 | 1 << 11 | 2 * (k & 1) | 6 << 12)
		box(s, 40 * k, 180, 36, 40, {90, 200, 30, 255})
		s:bp(0x41, 3 << 3)
	end
	s:bp(0x41, 1 | 1 << 3 | 6 << 8)
	box(s, 0, 112, WIDTH, 10, {255, 255, 255, 255})
	show(s)
end)

-- Points of growing size and lines of growing width, with every choice of the texture offset.
build("points-and-lines", function(s)
	local grey = {255, 255, 255, 255}
	for offset = 0, 7 do
		for k, size in ipairs{3, 6, 9, 24, 50, 77, 99, 120} do
			k = k - 1
			s:bp(0x22, size | size << 8 | offset << 16 | offset << 19)
			for corner = 0, 1 do
				s:bp(0x30, 15 | 1 << 18 | (corner ~ k & 1) << 19)
				s:bp(0x31, 15)
				s:draw("points", 0, {{10 + k * 20 + .3 * offset, 8 + offset * 14 + corner * 112 + .17 * k, -.5, c=grey, t={.25, .5}}})
			end
			local x, y = 170 + k * 18, 10 + offset * 14
			s:bp(0x30, 15 | 1 << 18 | 1 << 19)
			s:bp(0x22, size // 4 | size << 8 | offset << 16 | offset << 19)
			s:draw("lines", 0, {{x, y, -.5, c=grey, t={0, 0}}, {x + 2 * k, y + 13 - 2 * offset, -.5, c={255, 160, 90, 255}, t={1, 1}}})
		end
	end
	s:bp(0x22, 30 | 3 << 16)
	local v = {}
	for k = 0, 8 do
		v[k + 1] = {175 + 15 * k, 130 + k * 37 % 90, -.5, c={255, 255, 30 * k, 255}, t={k * .5, k * .25}}
	end
	s:draw("line_strip", 0, v)
	show(s)
end, function(s)
	s:bp(0x00, 1 | 1 << 4)
	s:bp(0x28, 1 << 6)
	s:bp(0xC0, 15 | 8 << 4 | 10 << 8 | 15 << 12 | 1 << 19)
	s:cp(0x60, 1)
	s:xf(0x1008, 1 | 1 << 4)
	s:xf(0x103F, 1)
	s:bp(0x80, 1 | 1 << 2)
	s:bp(0x88, 15 | 15 << 10 | 6 << 20)
	s:bp(0x94, TEXTURE >> 5)
end)

-- Columns: the four reject values. Rows: triangles of both senses, strips, fans, quads, lines, points; then a mirrored view.
build("culling", function(s)
	local colours = {{255, 90, 0, 255}, {0, 90, 255, 255}, {90, 255, 0, 255}, {255, 255, 90, 255}}
	for mirrored = 0, 1 do
		if mirrored == 1 then
			s:xf(0x101A, -WIDTH / 2, -HEIGHT / 2, 16777215.0, WIDTH / 2 + 342, HEIGHT / 2 + 342, 16777215.0)
		end
		for reject = 0, 3 do
			s:bp(0x00, 1 << 4 | reject << 14)
			local p = {}
			for row = 0, 6 do
				for j = 0, 1 do
					for i = 0, 1 do
						p[#p + 1] = {reject * 40 + i * 36, j * 24 + row * 34, -.5, c=colours[(i + 2 * j + row & 3) + 1]}
					end
				end
			end
			local function draw(kind, ...)
				local v = {}
				for k, n in ipairs{...} do
					v[k] = p[n + 1]
				end
				s:draw(kind, 0, v)
			end
			draw("triangles", 0, 1, 3)
			draw("triangles", 4, 7, 5)
			draw("strip", 8, 9, 10, 11)
			draw("fan", 12, 14, 15, 13)
			draw("quads", 16, 17, 19, 18)
			draw("lines", 20, 23, 22, 21)
			s:bp(0x22, 6 | 40 << 8)
			draw("points", 24, 25, 26, 27)
		end
	end
	show(s)
end)

local function star(s, x, y, r)
	local wheel = {{r, 0}, {.7 * r, .7 * r}, {0, r}, {-.7 * r, .7 * r}, {-r, 0}, {-.7 * r, -.7 * r}, {0, -r}, {.7 * r, -.7 * r}}
	for k = 0, 7 do
		local a, b = wheel[k + 1], wheel[(k + 1) % 8 + 1]
		s:draw("triangles", 0, {{x, y, -.5, c={255, 255, 255, 255}}, {x + a[1], y + a[2], -.3, c={30 * k, 255 - 30 * k, 60, 255}},
			{x + .45 * b[1], y + .45 * b[2], -.7, c={255, 30 * k, 200, 255}}})
	end
end

-- RGB565_Z16 with three samples a pixel: thin lines, stars, planes that cut each other; copies resolve it.
build("anti-alias", function(s)
	s:bp(1, 0x23 | 0x69 << 8 | 0xA3 << 16, 0x23 | 0x69 << 8 | 0xA3 << 16, 0x29 | 0x63 << 8 | 0xA9 << 16, 0x29 | 0x63 << 8 | 0xA9 << 16)
	s:bp(0x43, 2 | 1 << 3)
	s:bp(0x40, 1 | 3 << 1 | 1 << 4)
	s:bp(0x00, 1 << 4 | 1 << 9)
	box(s, 0, 0, WIDTH, HEIGHT, {20, 30, 60, 255}, {60, 30, 20, 255}, -.95)
	for k = 0, 4 do
		star(s, 40.3 + 60 * k, 45.6, 20 + 5 * k)
	end
	for k = 0, 15 do
		s:bp(0x22, 2 + k)
		s:draw("lines", 0, {{10.2, 110 + 3 * k, -.4, c={255, 255, 255, 255}}, {150.7, 105 + 8.3 * k, -.4, c={255, 128, 0, 255}}})
	end
	s:draw("triangles", 0, {{170, 110, -.1, c={255, 0, 0, 255}}, {310, 130, -.9, c={255, 90, 0, 255}}, {180, 230, -.5, c={255, 0, 90, 255}}})
	s:draw("triangles", 0, {{165, 220, -.1, c={0, 255, 0, 255}}, {305, 105, -.9, c={90, 255, 0, 255}}, {300, 235, -.4, c={0, 255, 90, 255}}})
	s:bp(0x41, 1 | 1 << 3 | 5 << 5 | 4 << 8)
	star(s, 240, 170, 50)
	s:bp(0x41, 3 << 3)
	show(s)
	for k, how in ipairs{{3, WIDE}, {0, {63 << 18, 1}}, {3 | 1 << 11, PLAIN}, {3, PLAIN}} do
		for i = 0, 5 do
			star(s, 30.4 + 50 * i, 60.2 + 45 * (k - 1), 28)
		end
		show(s, how[1], how[2])
	end
end)

-- One picture, shown with every pixel type in turn; the words of the EFB stay, their meaning changes.  Then drawn in each.
build("pixel-types", function(s)
	s:bp(0x40, 1 | 7 << 1 | 1 << 4)
	for k = 0, 7 do
		box(s, 0, 30 * k, WIDTH, 30, {255 * (k & 1), 255 * (k >> 1 & 1), 255 * (k >> 2), 255}, {80, 36 * k, 160, 32 * k}, -.9, -.1)
	end
	for _, pixel_type in ipairs{0, 1, 2, 3, 4, 0} do
		s:bp(0x43, pixel_type)
		if pixel_type == 4 then
			s:bp(0x43, 1)
		end
		show(s)
	end
	for k, how in ipairs{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}} do
		s:bp(0x43, how[1])
		s:bp(0x41, 3 << 3 | how[2] << 2)
		box(s, 0, 40 * (k - 1), WIDTH, 40, {0, 20, 40, 0}, {255, 60, 20, 255})
	end
	s:bp(0x43, 1)
	show(s)
end)

-- The initial state masks colour, alpha and depth; then copies clear rectangles under every mask, in two pixel types.
build("clear-masks", function(s)
	box(s, 10, 10, 60, 60, {255, 0, 0, 255})
	show(s, 3 | 1 << 11)
	s:bp(0x41, 3 << 3)
	s:bp(0x40, 1 | 7 << 1 | 1 << 4)
	box(s, 40, 10, 60, 60, {255, 255, 0, 255})
	show(s)
	for pixel_type = 0, 1 do
		s:bp(0x43, pixel_type)
		for masks = 0, 7 do
			local x, y = masks * 40, 80 * (1 + pixel_type)
			s:bp(0x40, 1 | 7 << 1 | 1 << 4)
			s:bp(0x41, 3 << 3)
			box(s, x, y, 36, 70, {200, 60, 30, 90}, {30, 60, 200, 220}, -.2, -.8)
			s:bp(0x41, (masks & 3) << 3)
			s:bp(0x40, 1 | 7 << 1 | masks >> 2 << 4)
			s:bp(0x4F, 10 * masks << 8 | 99, 180 << 8 | 44, 0x600000)
			copy(s, 8 | 1 << 11, {x + 4, y + 10, 24, 40}, COPY, 4)
			s:bp(0x41, 3 << 3)
			s:bp(0x40, 1 | 1 << 1)
			box(s, x, y + 40, 36, 20, {255, 255, 255, 255}, nil, -.55)
			s:bp(0x40, 0)
			s:bp(0x41, 1 | 1 << 3 | 6 << 8)
			box(s, x, y + 12, 36, 10, {255, 255, 255, 255})
		end
	end
	s:bp(0x43, 0)
	show(s)
end, function(s)
	s:bp(0x40, 0, 0)
	s:bp(0x4F, 255 << 8 | 200, 20 << 8 | 120)
end)
