-- random.lua - squares of random register values: nothing in them is sensible, they are there to compare renderers
-- Arguments: names of the captures to build; all of them without.  The numbers come from a generator of its own, so that the
-- captures are the same everywhere.
-- SPDX-License-Identifier: GPL-2.0-or-later
local WIDTH, HEIGHT, CELL = 320, 240, 20

-- ---- random numbers -------------------------------------------------------------------------------------------------------

local Random = {}
Random.__index = Random

local function random(seed)
	return setmetatable({state = seed}, Random)
end

-- 0 to n - 1
function Random:below(n)
	self.state = self.state * 6364136223846793005 + 1442695040888963407
	return (self.state >> 33) * n >> 31
end

function Random:between(low, high)
	return low + (high - low) * self:below(1 << 20) / (1 << 20)
end

function Random:pick(...)
	return (select(self:below(select("#", ...)) + 1, ...))
end

function Random:bytes(n)
	local list = {}
	for i = 1, n do
		list[i] = string.char(self:below(256))
	end
	return table.concat(list)
end

-- ---- the state that all of them begin with --------------------------------------------------------------------------------

local function initial_state(s)
	for i = 1, 4 do
		s:bp(i, 0x666666)
	end
	s:bp(0x00, 1 | 1 << 4)                                 -- one texture coordinate, colour, stage
	s:bp(0x20, 342 << 12 | 342)
	s:bp(0x21, WIDTH + 341 << 12 | HEIGHT + 341)
	s:bp(0x59, 171 << 10 | 171)
	s:bp(0x28, 1 << 6)                                     -- stage 0: map 0, coordinate 0
	s:bp(0xC0, 8 | 15 << 4 | 15 << 8 | 15 << 12 | 1 << 19) -- texture colour
	s:bp(0xC1, 4 << 4 | 7 << 7 | 7 << 10 | 7 << 13 | 1 << 19)
	s:bp(0xF6, 4, 14, 0, 12, 5, 13, 10, 14)
	s:bp(0xF3, 0x3F0000)                                   -- the alpha test always passes
	s:bp(0x41, 1 | 1 << 3 | 1 << 4 | 5 << 5 | 4 << 8)      -- blended by alpha
	s:bp(0x43, 1 << 6)
	s:bp(0x44, 3)                                          -- both fields are written
	s:bp(0x4F, 0xFF40, 0x6080, 0xFFFFFF)
	s:bp(0x4E, 256)
	s:bp(0x53, 21 << 12 | 22 << 18, 21)
	s:cp(0x50, 1 << 9 | 1 << 13)                           -- direct position and colour
	s:cp(0x60, 1)                                          -- direct texture coordinate
	s:cp(0x70, 1 | 4 << 1 | 1 << 13 | 5 << 14 | 1 << 21 | 4 << 22 | 1 << 30)
	s:cp(0x80, 1 << 31)
	s:matrix(0)
	s:post_matrix(61)
	s:matrix(60)
	s:xf(0x1008, 1 | 1 << 4)
	s:xf(0x1009, 1)
	s:xf(0x100C, 0xFFFFFFFF, 0xFFFFFFFF, 1, 1, 1, 1)
	s:xf(0x1018, 0x3CF3CF00, 0x00F3CF3C)
	s:cp(0x30, 0x3CF3CF00)
	s:cp(0x40, 0x00F3CF3C)
	s:xf(0x101A, WIDTH / 2, -HEIGHT / 2, 16777215.0, WIDTH / 2 + 342, HEIGHT / 2 + 342, 16777215.0)
	s:xf(0x1020, 2 / WIDTH, -1.0, -2 / HEIGHT, 1.0, -1.0, -1.0, 1)
	s:xf(0x103F, 1)
	s:xf(0x1040, 5 << 7)
	s:xf(0x1050, 61)
end

local function display_copy(s, command)
	s:bp(0x49, 0, HEIGHT - 1 << 10 | WIDTH - 1, 0x600000 >> 5)
	s:bp(0x4D, WIDTH * 2 // 32)
	s:bp(0x52, command | 1 << 14)
	s:end_frame()
end

local CORNERS = {{0, 0}, {1, 0}, {1, 1}, {0, 1}}

-- ---- textures: bytes, format, size, wrap, filters, LOD; every second one from TMEM ------------------------------------------

local MAIN, BYTES, ZEROS = 0x100000, 0x8000, 0x18000 -- the zeros: no texture may end in memory that nobody wrote

local function random_size(r)
	return r:below(2) > 0 and 1 << r:below(8) or 1 + r:below(130)
end

local function random_texture(s, r, preloaded)
	local width, height = random_size(r), random_size(r)
	local format = r:pick(0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 14)
	local mode = r:below(3) | r:below(3) << 2 | r:below(2) << 4 | r:below(3) << 5 | r:below(2) << 7 | r:below(2) << 8
	s:bp(0x80, mode | (r:below(2) > 0 and r:below(256) << 9 or 0))
	local low = r:pick(0, r:below(64))
	s:bp(0x84, low | r:pick(0, 96, 160, r:below(256)) << 8)
	s:bp(0x88, width - 1 | height - 1 << 10 | format << 20)
	s:bp(0x8C, r:below(0x700) | preloaded << 21)
	s:bp(0x90, 0x4000 + r:below(0x180))
	s:bp(0x94, MAIN + r:below(BYTES // 2) >> 5)
	s:bp(0x98, r:below(0x40) | r:below(3) << 10)
	s:bp(0x30, width - 1, height - 1)
	return width, height
end

local function textured_square(s, r, x, y, width, height)
	local scale = 2.0 ^ r:between(-4, 6)
	local s0, t0, shear = r:between(-3, 3), r:between(-3, 3), r:between(-1, 1)
	local ds, dt = CELL / width * scale * r:between(-1, 1), CELL / height * scale * r:between(.3, 1)
	local v = {}
	for k, c in ipairs(CORNERS) do
		local i, j = c[1], c[2]
		v[k] = {x + i * CELL, y + j * CELL, -.5, c={255, 255, 255, 255}, t={s0 + ds * (i + shear * j), t0 + dt * (j - shear * i)}}
	end
	s:draw("quads", 0, v)
end

qs.build("tex-random", function(s)
	local r = random(20240611)
	initial_state(s)
	s:start()
	s:memory(MAIN, r:bytes(BYTES) .. ("\0"):rep(ZEROS), "tmem")
	for _, load in ipairs{{1, BYTES // 32, 0, 0}, {1, BYTES // 32, 0x400, 0}, {3, BYTES // 64, 0x800, 0x4000}} do
		s:bp(0x60, MAIN >> 5, load[3], load[4], load[1] << 15 | load[2])
	end
	s:bp(0x64, MAIN >> 5, 0x20 | 0x200 << 10)                -- a palette load over a part of it
	for y = 0, HEIGHT - 1, CELL do
		for x = 0, WIDTH - 1, CELL do
			local width, height = random_texture(s, r, (x + y) // CELL & 1)
			textured_square(s, r, x, y, width, height)
		end
	end
	display_copy(s, 3)
end, {bare=true})

-- ---- the same for the others: eight textures, two colours, eight coordinates ------------------------------------------------

local TEXTURES, SIZE, COPIES = 0x100000, 32, 0x200000
local PASS_COLOUR, PASS_ALPHA = 15 << 4 | 15 << 8 | 15 << 12, 7 << 7 | 7 << 10 | 7 << 13

local function texture(s, map, address, width, height, format)
	local unit = (map & 3) + (map & 4) * 8
	s:bp(0x80 + unit, 1 | 1 << 2) -- repeat, nearest
	s:bp(0x84 + unit, 0)
	s:bp(0x88 + unit, width - 1 | height - 1 << 10 | format << 20)
	s:bp(0x94 + unit, address >> 5)
end

local function pixel_state(s)
	initial_state(s)
	s:bp(0x00, 8 | 2 << 4)
	s:bp(0x41, 1 << 3 | 1 << 4)
	s:bp(0x40, 1 | 7 << 1 | 1 << 4)
	s:bp(0x44, 3)
	s:cp(0x50, 1 << 9 | 1 << 13 | 1 << 15) -- direct position and two colours
	s:cp(0x60, 0x5555)                     -- eight direct coordinates
	local st = 1 | 4 << 1
	s:cp(0x70, 1 | 4 << 1 | 1 << 13 | 5 << 14 | 1 << 17 | 5 << 18 | 1 << 21 | 4 << 22 | 1 << 30)
	s:cp(0x80, 1 << 31 | st | st << 9 | st << 18 | 1 << 27 | 4 << 28)
	s:cp(0x90, st << 5 | st << 14 | st << 23)
	s:xf(0x1008, 2 | 8 << 4)
	s:xf(0x1009, 2)
	s:xf(0x103F, 8)
	for i = 0, 7 do
		s:xf(0x1040 + i, 5 + i << 7)
		s:xf(0x1050 + i, 61)
		s:bp(0x30 + 2 * i, SIZE - 1, SIZE - 1)
		texture(s, i, TEXTURES + i * SIZE * SIZE * 4, SIZE, SIZE, 6)
	end
end

-- Random colours and coordinates at the corners; depths too.
local function square(s, r, x, y, width, height)
	local v = {}
	for k, c in ipairs(CORNERS) do
		local p = {x + c[1] * width, y + c[2] * height, r:between(-.95, -.05)}
		p.c = {r:below(256), r:below(256), r:below(256), r:below(256)}
		p.colour1 = {r:below(256), r:below(256), r:below(256), r:below(256)}
		for i = 0, 7 do
			p["tex" .. i] = {r:between(-1, 2), r:between(-1, 2)}
		end
		v[k] = p
	end
	s:draw("quads", 0, v)
end

local function write(name, seed, fn, more)
	qs.build(name, function(s)
		local r = random(seed)
		pixel_state(s)
		s:start()
		s:memory(TEXTURES, r:bytes(8 * SIZE * SIZE * 4))
		fn(s, r)
		display_copy(s, 3)
		for _, frame in ipairs(more or {}) do -- display copies of the same picture: command, filter, pixel type
			s:bp(0x43, frame[4])
			s:bp(0x53, frame[2], frame[3])
			display_copy(s, frame[1])
		end
	end, {bare=true})
end

-- ---- combiners ------------------------------------------------------------------------------------------------------------

local function random_program(s, r)
	local stages, indirect = 1 + r:below(16), r:pick(0, 0, 1, 2, 3, 4)
	local coordinates = indirect > 0 and 8 or r:pick(0, 1, 8)
	s:xf(0x103F, coordinates)
	s:bp(0x00, coordinates | 2 << 4 | stages - 1 << 10 | indirect << 16)
	for i = 0, 7 do
		s:bp(0xF6 + i, r:below(1 << 24))
	end
	for k = 0, 3 do
		for _, bank in ipairs{0, 1 << 23} do
			s:bp(0xE0 + 2 * k, bank | r:below(1 << 23))
			s:bp(0xE1 + 2 * k, bank | r:below(1 << 23))
		end
	end
	for i = 0, 7 do
		local word = 0
		for half = 0, 12, 12 do
			local part = r:below(64) | r:pick(0, 1, 1) << 6
			if indirect > 0 then
				part = part | r:pick(0, 1, 5, 6, 7) << 7
			else
				part = part | r:pick(0, 1, 7) << 7
			end
			word = word | part << half
		end
		s:bp(0x28 + i, word)
	end
	s:bp(0x25, r:below(1 << 16) & 0x3333)
	s:bp(0x26, r:below(1 << 16) & 0x3333)
	s:bp(0x27, r:below(1 << 24))
	for k = 0, 2 do
		local scale = 15 + r:below(6)
		for part = 0, 2 do
			s:bp(6 + 3 * k + part, r:below(1 << 22) | (scale >> 2 * part & 3) << 22)
		end
	end
	for n = 0, stages - 1 do
		s:bp(0xC0 + 2 * n, r:below(1 << 24))
		s:bp(0xC1 + 2 * n, r:below(1 << 24))
		local matrix, word = r:below(4), 0
		if indirect > 0 and r:below(4) > 0 then
			word = r:below(indirect) | r:below(1 << 7) << 2 | matrix << 9 | r:pick(0, 0, 1, 2, 3, 4, 5, 6) << 13
			word = word | r:pick(0, 0, 1, 2, 3, 4, 5, 6) << 16 | r:below(2) << 19
			word = word | (matrix > 0 and r:below(3) << 11 or 0)
			word = word | (n > 0 and r:below(2) << 20 or 0)
		end
		s:bp(0x10 + n, word)
	end
end

write("tev-random", 20240701, function(s, r)
	s:bp(0x41, 1 | 1 << 3 | 1 << 4 | 5 << 5 | 4 << 8)
	for y = 0, HEIGHT - 1, CELL do
		for x = 0, WIDTH - 1, CELL do
			random_program(s, r)
			square(s, r, x, y, CELL, CELL)
		end
	end
end)

-- ---- the pixel engine -----------------------------------------------------------------------------------------------------

local function random_float(r)
	return r:below(1 << 11) | r:pick(123, 124, 125, 126, 127, 127, 128, 129) << 11 | r:pick(0, 0, 0, 1) << 19
end

local function random_fog(s, r)
	s:bp(0xEE, random_float(r))
	s:bp(0xEF, r:pick(r:below(1 << 24), 0x800000 + r:below(0x800000)))
	s:bp(0xF0, r:below(5))
	s:bp(0xF1, random_float(r) | r:below(2) << 20 | r:pick(0, 2, 4, 5, 6, 7) << 21)
	s:bp(0xF2, r:below(1 << 24))
	s:bp(0xE8, r:below(1024) | r:pick(0, 0, 1) << 10)
	for k = 0, 4 do
		s:bp(0xE9 + k, 1 + r:below(4095) | 1 + r:below(4095) << 12)
	end
end

local function random_pixels(s, r, pixel_type)
	s:bp(0x28, r:below(64) | r:pick(0, 1, 1) << 6)
	s:bp(0xC0, PASS_COLOUR | r:pick(8, 10) | 1 << 19)
	s:bp(0xC1, PASS_ALPHA | r:pick(4, 5) << 4 | r:below(4) << 2 | 1 << 19)
	s:bp(0x40, r:below(32))
	s:bp(0x41, r:below(1 << 16) | r:pick(0, 1, 1) << 3)
	s:bp(0x42, r:below(3) == 0 and r:below(512) or 0)
	s:bp(0x43, pixel_type | r:below(16) << 3)
	s:bp(0x44, r:below(4) == 0 and r:below(4) or 3)
	s:bp(0xF3, r:below(3) == 0 and r:below(1 << 24) or 0x3F0000)
	s:bp(0xF4, r:below(1 << 24))
	s:bp(0xF5, r:below(3) | r:pick(0, 0, 1, 2) << 2)
	random_fog(s, r)
end

write("pe-random", 20240702, function(s, r)
	s:bp(0xF6, 4, 14, 0, 12, 5, 13, 10, 14)
	s:bp(0x40, 1 | 7 << 1 | 1 << 4)
	square(s, r, 0, 0, WIDTH, HEIGHT)
	for _ = 1, 3 do
		for y = 0, HEIGHT - 1, CELL do
			for x = 0, WIDTH - 1, CELL do
				random_pixels(s, r, 1)
				square(s, r, x, y, CELL, CELL)
			end
		end
	end
	-- destination alpha, in the lower half of every row
	s:bp(0xF1, 0)
	s:bp(0xF3, 0x3F0000)
	s:bp(0xF5, 0)
	s:bp(0x40, 0)
	s:bp(0x42, 0, 1, 3)
	s:bp(0xC0, PASS_COLOUR | 12 | 1 << 19)
	s:bp(0x41, 1 | 1 << 3 | 6 << 8)
	for y = CELL // 2, HEIGHT - 1, CELL do
		square(s, r, 0, y, WIDTH, CELL // 2)
	end
end)

-- ---- copies ---------------------------------------------------------------------------------------------------------------

local TILES = {[0]={8, 8}, {8, 4}, {8, 4}, {4, 4}, {4, 4}, {4, 4}, {4, 4}}
local READ_AS = {[0]=0, 1, 2, 3, 4, 5, 6, 1, 1, 1, 1, 3, 3} -- texture format that shows the copy

-- Copies one after the other; gives address, texture format and size in whole tiles of each.
local function random_copies(s, r, made, number, depth)
	for n = 0, number - 1 do
		local half, code = r:below(2), nil
		if depth then
			code = r:pick(0, 1, 6, 8, 9, 10, 11, 12)
		else
			code = r:below(13)
		end
		local width, height = 1 + r:below(24) << half, 1 + r:below(24) << half
		local x, y = r:below(WIDTH - width), r:below(HEIGHT - height)
		local format = READ_AS[code]
		local tile = TILES[format]
		local across, down = ((width >> half) + tile[1] - 1) // tile[1], ((height >> half) + tile[2] - 1) // tile[2]
		local address = COPIES + (n + (depth and number or 0)) * 0x2000
		local command = r:below(4) | (code & 7) << 4 | code >> 3 << 3 | r:below(4) << 7 | half << 9
		if not depth then
			command = command | r:pick(0, 0, 1, 2, 3) << 15
		end
		s:bp(0x49, y << 10 | x, height - 1 << 10 | width - 1, address >> 5)
		s:bp(0x4D, across * (format == 6 and 2 or 1))
		s:bp(0x52, command)
		made[#made + 1] = {address, format, across * tile[1], down * tile[2]}
	end
end

local PLAIN = {21 << 12 | 22 << 18, 21}

write("copy-random", 20240703, function(s, r)
	s:bp(0xF6, 4, 14, 0, 12, 5, 13, 10, 14)
	s:bp(0x43, 1)
	s:bp(0x40, 1 | 7 << 1 | 1 << 4)
	s:bp(0x28, 1 << 6)
	square(s, r, 0, 0, WIDTH, HEIGHT)
	for _ = 1, 30 do
		s:bp(0x28, r:below(64) | r:below(2) << 6)
		s:bp(0xC0, PASS_COLOUR | r:pick(8, 10) | 1 << 19)
		s:bp(0xC1, PASS_ALPHA | r:pick(4, 5) << 4 | 1 << 19)
		square(s, r, r:below(WIDTH - 100), r:below(HEIGHT - 100), 1 + r:below(100), 1 + r:below(100))
	end
	local made = {}
	random_copies(s, r, made, 48, false)
	s:bp(0x43, 3)
	random_copies(s, r, made, 48, true)
	s:bp(0x43, 1)
	s:bp(0x40, 0, 1 << 3)
	s:bp(0x66, 0x1000)
	s:bp(0x66, 0x1100)
	s:bp(0x00, 1 | 2 << 4)
	s:bp(0x28, 1 << 6)
	s:xf(0x103F, 1)
	for n, m in ipairs(made) do -- twice: colour, then alpha
		local address, format, width, height = table.unpack(m)
		texture(s, 0, address, width, height, format)
		s:bp(0x30, width - 1, height - 1)
		for k = 0, 1 do
			s:bp(0xC0, PASS_COLOUR | 8 + k | 1 << 19)
			local at, v = 2 * (n - 1) + k, {}
			for i, c in ipairs(CORNERS) do
				local p = {at % 16 * CELL + c[1] * CELL, at // 16 * CELL + c[2] * CELL, -.5, c=0, colour1=0}
				for t = 0, 7 do
					p["tex" .. t] = {c[1] * CELL / width, c[2] * CELL / height}
				end
				v[i] = p
			end
			s:draw("quads", 0, v)
		end
	end
	-- gamma 1.7 and a blur; gamma 2.2 and a filter whose sum goes beyond 9 bits; the pixel types Z24 and YUV8
end, {{1 << 7, 8 | 8 << 6 | 10 << 12 | 12 << 18, 10 | 8 << 6 | 8 << 12, 1}, {2 << 7 | 3, 40 << 12 | 60 << 18, 50, 1}, {3, PLAIN[1], PLAIN[2], 3},
	{3, PLAIN[1], PLAIN[2], 4}})
