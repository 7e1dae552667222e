-- tour.lua - two frames of a scene that touches most of the pipeline: a lit and textured knot with a reflection (three TEV stages,
-- indexed vertex arrays, strips in a display list, a palette), crates (CMPR texture, 8-bit indices), a floor with mipmaps and fog,
-- soft shadows and a glass ball (blending), a screen that shows the scene from a second camera (EFB copied to a texture, two TEV
-- stages), lettering (alpha test), and a display copy at the end of each frame.
-- SPDX-License-Identifier: GPL-2.0-or-later
local WIDTH, HEIGHT = 640, 480
local SCREEN_W, SCREEN_H = 256, 192 -- the picture of the second camera

-- main memory
local XFB = 0x600000
local FLOOR_TEXTURE, CRATE_TEXTURE, KNOT_TEXTURE, SKY_TEXTURE = 0x100000, 0x120000, 0x128000, 0x130000
local BLOB_TEXTURE, LINES_TEXTURE, LETTER_TEXTURE, SCREEN_TEXTURE, PALETTE = 0x138000, 0x13A000, 0x13B000, 0x140000, 0x160000
local ARRAYS, LISTS = 0x200000, 0x280000
local PALETTE_TMEM = 0x200 -- behind the cache regions of the eight maps, as GX places palettes

local CODE = {I4=0, I8=1, RGB565=4, C8=9, CMPR=14} -- of texture formats
local QUADS, STRIP = 0x80, 0x98
local PACK = string.pack

-- ---- registers --------------------------------------------------------------------------------------------------------------

local s                       -- the scene
local shadow, sent = {}, {}   -- what BP registers hold; addresses of memory that is there

-- Rounded to places after the point, which hides the last bit of sine and cosine: it differs between C libraries.
local function rounded(value, places)
	return tonumber(("%." .. places .. "f"):format(value))
end

local function whole(value)
	return math.tointeger(rounded(value, 0))
end

local function float_bits(value)
	return (">I4"):unpack(PACK(">f", rounded(value, 6)))
end

local function bp(address, value)
	shadow[address] = value
	s:bp(address, value)
end

local function bp_field(address, lsb, bits, value)
	local mask = (1 << bits) - 1 << lsb
	bp(address, (shadow[address] or 0) & ~mask | value << lsb & mask)
end

-- Integers are words, floats are rounded.
local function xf(address, ...)
	local list = {...}
	for i, v in ipairs(list) do
		if math.type(v) == "float" then
			list[i] = rounded(v, 6)
		end
	end
	s:xf(address, table.unpack(list))
end

-- What a recorder stores: memory that is used here for the first time.
local function memory(address, data, kind)
	if not sent[address] then
		sent[address] = true
		s:memory(address, data, kind)
	end
end

-- Vertices of so many bytes, packed already.
local function draw(primitive, format, data, bytes)
	s:raw(PACK(">BI2", primitive | format, #data // bytes) .. data)
end

-- ---- pipeline state -----------------------------------------------------------------------------------------------------------

local function general(textures, channels, stages, cull)
	bp(0x00, (textures or 0) | (channels or 1) << 4 | (stages or 1) - 1 << 10 | (cull or 0) << 14)
	xf(0x103F, textures or 0)
	xf(0x1009, channels or 1)
end

-- 0 none, 1 direct, 2 and 3 indices of 8 and 16 bits
local function attributes(position, normal, colour, texture)
	normal, colour, texture = normal or 0, colour or 0, texture or 0
	s:cp(0x50, position << 9 | normal << 11 | colour << 13)
	s:cp(0x60, texture)
	xf(0x1008, (colour > 0 and 1 or 0) | (normal > 0 and 1 or 0) << 2 | (texture > 0 and 1 or 0) << 4)
end

-- Vertex format 0: what the arrays hold, 1: what stands in the stream.
local function formats()
	local s16, s8, f32, rgba8 = 3, 1, 4, 5
	s:cp(0x70, 1 | s16 << 1 | 8 << 4 | s8 << 10 | 1 << 21 | s16 << 22 | 8 << 25 | 1 << 30)
	s:cp(0x71, 1 | f32 << 1 | s8 << 10 | 1 << 13 | rgba8 << 14 | 1 << 21 | f32 << 22 | 1 << 30)
	s:cp(0x80, 1 << 31)
	s:cp(0x81, 1 << 31)
end

-- TEV inputs
local PREV, C_PREVA, C_TEX, C_RAS, C_ONE, C_HALF, C_KONST, ZERO = 0, 1, 8, 10, 12, 13, 14, 15
local A_PREV, A_TEX, A_RAS, A_KONST, A_ZERO = 0, 4, 5, 6, 7
local ALL_RAS, ALPHA_RAS, ALPHA_PREV = {ZERO, ZERO, ZERO, C_RAS}, {A_ZERO, A_ZERO, A_ZERO, A_RAS}, {A_ZERO, A_ZERO, A_ZERO, A_PREV}
local TEX_RAS = {ZERO, C_TEX, C_RAS, ZERO}

-- colour and alpha are the inputs a b c d; o: konst register, scale, texture map, coordinate, channel (7: zero).
local function tev(stage, colour, alpha, o)
	o = o or {}
	bp(0xC0 + 2 * stage, colour[4] | colour[3] << 4 | colour[2] << 8 | colour[1] << 12 | 1 << 19 | (o.scale or 0) << 20)
	bp(0xC1 + 2 * stage, alpha[4] << 4 | alpha[3] << 7 | alpha[2] << 10 | alpha[1] << 13 | 1 << 19)
	bp_field(0x28 + stage // 2, 12 * (stage & 1), 10, (o.tex or 0) | (o.coord or 0) << 3 | (o.tex and 1 or 0) << 6 | (o.channel or 0) << 7)
	if o.konst then
		bp_field(0xF6 + stage // 2, 4 + 10 * (stage & 1), 10, 12 + o.konst | 28 + o.konst << 5)
	end
end

local function konst(n, r, g, b, a)
	bp(0xE0 + 2 * n, 1 << 23 | (a or 255) << 12 | r)
	bp(0xE1 + 2 * n, 1 << 23 | g << 12 | b)
end

-- o: wrap, levels, palette
local function texture(n, image, address, wrap, o)
	o = o or {}
	if image.data then
		memory(address, image.data, "texture")
	end
	local levels = o.levels or 1
	bp(0x80 + n, wrap | wrap << 2 | 1 << 4 | (levels > 1 and 2 or 0) << 5 | 1 << 7)
	bp(0x84 + n, (levels - 1) * 16 << 8)
	bp(0x88 + n, image.width - 1 | image.height - 1 << 10 | CODE[image.form] << 20)
	bp(0x8C + n, 0x400 * n | 3 << 15 | 3 << 18)
	bp(0x90 + n, 0x4000 + 0x400 * n | 3 << 15 | 3 << 18)
	bp(0x94 + n, address >> 5)
	if o.palette then
		bp(0x98 + n, PALETTE_TMEM | 1 << 10) -- RGB565
	end
	bp(0x30 + 2 * n, image.width - 1)
	bp(0x31 + 2 * n, image.height - 1)
end

local function depth(test, write)
	bp(0x40, (test == false and 0 or 1) | 3 << 1 | (write == false and 0 or 1) << 4)
end

local ONE, SRC_ALPHA, INV_SRC_ALPHA = 1, 4, 5

local function blend(source, destination)
	bp(0x41, source and 1 | 3 << 3 | destination << 5 | source << 8 | 3 << 12 or 3 << 3 | 3 << 12)
end

local function alpha_test(reference)
	bp(0xF3, reference and reference | 4 << 16 | 7 << 19 or 0x3F0000)
end

local function window(width, height)
	bp(0x20, 342 << 12 | 342)
	bp(0x21, 341 + width << 12 | 341 + height)
	xf(0x101A, width / 2, -height / 2, 16777215.0, width / 2 + 342, height / 2 + 342, 16777215.0)
end

local function orthographic(width, height)
	xf(0x1020, 2 / width, -1.0, -2 / height, 1.0, -1.0, -1.0, 1)
end

local NEAR, FAR, VIEW_ANGLE = 0.5, 60.0, 40.0
local COTANGENT = 1 / math.tan(math.rad(VIEW_ANGLE / 2))

local function perspective()
	xf(0x1020, COTANGENT * 3 / 4, 0.0, COTANGENT, 0.0, -NEAR / (FAR - NEAR), -FAR * NEAR / (FAR - NEAR), 0)
end

-- Linear; without a colour: off.
local function fog(colour, first, last)
	if not colour then
		bp(0xF1, 0)
		return
	end
	local a, b, c = FAR * NEAR / ((FAR - NEAR) * (last - first)), FAR / (FAR - NEAR), first / (last - first)
	local shift = 1
	while b > 1 do
		b = b / 2
		shift = shift + 1
	end
	bp(0xEE, float_bits(a / (1 << shift)) >> 12)
	bp(0xEF, math.floor(b * 8388638.0))
	bp(0xF0, shift)
	bp(0xF1, float_bits(c) >> 12 | 2 << 21)
	bp(0xF2, colour[1] << 16 | colour[2] << 8 | colour[3])
end

-- ---- matrices: 3x4, fourth row 0 0 0 1 -------------------------------------------------------------------------------------------

local function multiply(a, b)
	local m = {}
	for r = 1, 3 do
		m[r] = {}
		for c = 1, 4 do
			m[r][c] = 0.0 + a[r][1] * b[1][c] + a[r][2] * b[2][c] + a[r][3] * b[3][c] + (c == 4 and a[r][4] or 0)
		end
	end
	return m
end

local function move(x, y, z)
	return {{1, 0, 0, x}, {0, 1, 0, y}, {0, 0, 1, z}}
end

local function stretch(x, y, z)
	return {{x, 0, 0, 0}, {0, y, 0, 0}, {0, 0, z, 0}}
end

local function turn(axis, degrees)
	local c, sine = math.cos(math.rad(degrees)), math.sin(math.rad(degrees))
	local i, j = (axis + 1) % 3 + 1, (axis + 2) % 3 + 1
	local m = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}
	m[i][i], m[i][j], m[j][i], m[j][j] = c, -sine, sine, c
	return m
end

local function unit(v)
	local n = math.sqrt(v[1] * v[1] + v[2] * v[2] + v[3] * v[3])
	n = n == 0 and 1 or n
	return {v[1] / n, v[2] / n, v[3] / n}
end

local function cross(a, b)
	return {a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1]}
end

local function look(eye, target)
	local z = unit{eye[1] - target[1], eye[2] - target[2], eye[3] - target[3]}
	local x = unit(cross({0, 1, 0}, z))
	local m = {x, cross(z, x), z}
	for _, row in ipairs(m) do
		row[4] = -(0.0 + row[1] * eye[1] + row[2] * eye[2] + row[3] * eye[3])
	end
	return m
end

local function apply(m, v)
	local out = {}
	for r = 1, 3 do
		out[r] = 0.0 + m[r][1] * v[1] + m[r][2] * v[2] + m[r][3] * v[3] + m[r][4]
	end
	return out
end

-- Without the move.
local function rotation_of(m)
	return {{m[1][1], m[1][2], m[1][3], 0}, {m[2][1], m[2][2], m[2][3], 0}, {m[3][1], m[3][2], m[3][3], 0}}
end

-- Model to eye; the normals' matrix is that of the rotation alone, also for the reflection's texture coordinates.
local function place(matrix, rotation)
	local list = {}
	for _, row in ipairs(matrix) do
		for _, v in ipairs(row) do
			list[#list + 1] = v * 1.0
		end
	end
	xf(0x000, table.unpack(list))
	if rotation then
		list = {}
		for _, row in ipairs(rotation) do
			for k = 1, 3 do
				list[#list + 1] = row[k] * 1.0
			end
		end
		xf(0x400, table.unpack(list))
		local x, y = rotation[1], rotation[2]
		xf(30 * 4, 0.5 * x[1], 0.5 * x[2], 0.5 * x[3], 0.5, -0.5 * y[1], -0.5 * y[2], -0.5 * y[3], 0.5)
	end
end

-- ---- shapes ---------------------------------------------------------------------------------------------------------------------

-- Arrays of s16 positions (8 fraction bits), s8 normals (6), s16 coordinates (8), and strips of 16-bit indices.
local mesh_count = 0

local function mesh(vertices, strips)
	local m = {base = ARRAYS + 0x18000 * mesh_count, list = LISTS + 0x10000 * mesh_count}
	mesh_count = mesh_count + 1
	local function pack(format, key, scale)
		local parts = {}
		for i, v in ipairs(vertices) do
			local q = {}
			for k, x in ipairs(v[key]) do
				q[k] = whole(rounded(x * scale, 3))
			end
			parts[i] = PACK(format, table.unpack(q))
		end
		return table.concat(parts)
	end
	m.positions = pack(">i2i2i2", "position", 256)
	m.normals = pack(">i1i1i1", "normal", 63)
	m.coordinates = pack(">i2i2", "coordinate", 256)
	local parts = {}
	for _, strip in ipairs(strips) do
		parts[#parts + 1] = PACK(">BI2", STRIP, #strip)
		for _, i in ipairs(strip) do
			parts[#parts + 1] = PACK(">I2I2I2", i, i, i)
		end
	end
	m.commands = table.concat(parts)
	m.commands = m.commands .. ("\0"):rep(-#m.commands % 32)
	return m
end

local function bind(m)
	for _, a in ipairs{{0, 0, 6, m.positions}, {1, 0xA000, 3, m.normals}, {4, 0xF000, 4, m.coordinates}} do
		memory(m.base + a[2], a[4], "vertex")
		s:cp(0xA0 + a[1], m.base + a[2])
		s:cp(0xB0 + a[1], a[3])
	end
end

local function draw_mesh(m)
	attributes(3, 3, 0, 3)
	bind(m)
	memory(m.list, m.commands, "vertex")
	s:call(m.list, #m.commands)
end

-- A strip for each row of a grid of (columns + 1) x (rows + 1) vertices.
local function grid(columns, rows, vertex)
	local vertices, strips, w = {}, {}, columns + 1
	for j = 0, rows do
		for i = 0, columns do
			vertices[#vertices + 1] = vertex(i / columns, j / rows)
		end
	end
	for j = 0, rows - 1 do
		local strip = {}
		for i = 0, w - 1 do
			strip[#strip + 1], strip[#strip + 2] = (j + 1) * w + i, j * w + i
		end
		strips[#strips + 1] = strip
	end
	return mesh(vertices, strips)
end

local function knot_curve(t)
	local r = 0.72 + 0.3 * math.cos(3 * t)
	return {r * math.cos(2 * t), r * math.sin(2 * t), 0.36 * math.sin(3 * t)}
end

local function knot_vertex(u, v)
	local t, a = 2 * math.pi * u, 2 * math.pi * v
	local p, ahead, behind = knot_curve(t), knot_curve(t + 1e-3), knot_curve(t - 1e-3)
	local tangent = unit{ahead[1] - behind[1], ahead[2] - behind[2], ahead[3] - behind[3]}
	local side = unit(cross(tangent, unit{math.cos(2 * t), math.sin(2 * t), 0.0}))
	local out, n, at = cross(side, tangent), {}, {}
	for k = 1, 3 do
		n[k] = math.cos(a) * out[k] + math.sin(a) * side[k]
		at[k] = p[k] + 0.2 * n[k]
	end
	return {position=at, normal=n, coordinate={16 * u, 2 * v}}
end

local function ball_vertex(u, v)
	local r, a = math.sin(math.pi * v), 2 * math.pi * u
	local n = {r * math.cos(a), math.cos(math.pi * v), r * math.sin(a)}
	return {position=n, normal=n, coordinate={u, v}}
end

local function floor_vertex(u, v)
	local x, z = -16 + 32 * u, 6.5 - 32 * v
	return {position={x, 0, z}, normal={0, 1, 0}, coordinate={x / 2, z / 2}}
end

-- A cube of 24 vertices with 8-bit indices, as quads that turn the same way seen from outside.
local function box()
	local vertices = {}
	for axis = 1, 3 do
		for _, sign in ipairs{1, -1} do
			local n = {0, 0, 0}
			n[axis] = sign
			local up = axis == 2 and {0, 0, -sign} or {0, 1, 0}
			local right = cross(up, n)
			for _, c in ipairs{{-1, 1}, {-1, -1}, {1, -1}, {1, 1}} do
				local at = {}
				for k = 1, 3 do
					at[k] = n[k] + c[1] * right[k] + c[2] * up[k]
				end
				vertices[#vertices + 1] = {position=at, normal=n, coordinate={(c[1] + 1) / 2, (1 - c[2]) / 2}}
			end
		end
	end
	local m, quads = mesh(vertices, {}), {}
	for i = 0, 23 do
		quads[#quads + 1] = PACK("BBB", i, i, i)
	end
	m.quads = table.concat(quads)
	return m
end

local function draw_box(m)
	attributes(2, 2, 0, 2)
	bind(m)
	draw(QUADS, 0, m.quads, 3)
end

-- ---- pictures -------------------------------------------------------------------------------------------------------------------

-- 0 .. 1, the same everywhere
local function hash_noise(x, y, seed)
	local h = x * 374761393 + y * 668265263 + seed * 2246822519 & 0xFFFFFFFF
	h = (h ~ h >> 13) * 1274126177 & 0xFFFFFFFF
	return ((h ~ h >> 16) & 0xFFFF) / 65535
end

local function mix(a, b, t)
	return {a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t, a[3] + (b[3] - a[3]) * t}
end

local function clamp(v)
	return math.max(0, math.min(255, math.floor(v + 0.5)))
end

local function rgb565(p)
	return clamp(p[1]) >> 3 << 11 | clamp(p[2]) >> 2 << 5 | clamp(p[3]) >> 3
end

local function expand(c)
	return {(c >> 11) * 255 / 31, (c >> 5 & 63) * 255 / 63, (c & 31) * 255 / 31}
end

-- One 4x4 block between its darkest and its lightest pixel.
local function cmpr(pixels)
	local function luma(p)
		return p[1] * 3 + p[2] * 6 + p[3]
	end
	local lightest, darkest = pixels[1], pixels[1]
	for _, p in ipairs(pixels) do
		lightest = luma(p) > luma(lightest) and p or lightest
		darkest = luma(p) < luma(darkest) and p or darkest
	end
	local high, low = rgb565(lightest), rgb565(darkest)
	if high < low then
		high, low = low, high
	elseif high == low then
		if low < 0xFFFF then
			high = low + 1
		else
			low = high - 1
		end
	end
	local a, b, bits = expand(high), expand(low), 0
	local colours = {a, b, mix(a, b, 3 / 8), mix(a, b, 5 / 8)}
	for _, p in ipairs(pixels) do
		local best, least = 0, math.huge
		for k, c in ipairs(colours) do
			local away = (c[1] - p[1]) ^ 2 + (c[2] - p[2]) ^ 2 + (c[3] - p[3]) ^ 2
			if away < least then
				best, least = k - 1, away
			end
		end
		bits = bits << 2 | best
	end
	return PACK(">I2I2I4", high, low, bits)
end

-- Tiles of 8x8 texels in four blocks.
local function encode_cmpr(w, h, rows)
	local parts = {}
	for at = 0, w * h // 16 - 1 do
		local tile, block, pixels = at // 4, at % 4, {}
		local x, y = tile % (w // 8) * 8 + block % 2 * 4, tile // (w // 8) * 8 + block // 2 * 4
		for k = 0, 15 do
			pixels[k + 1] = rows[y + k // 4][x + k % 4]
		end
		parts[#parts + 1] = cmpr(pixels)
	end
	return table.concat(parts)
end

local function encode_level(form, w, h, rows)
	if form == "CMPR" then
		return encode_cmpr(w, h, rows)
	end
	return qs.encode(form, w, h, function(x, y)
		local p = rows[y][x]
		if form == "RGB565" then
			return clamp(p[1]), clamp(p[2]), clamp(p[3])
		end
		p = clamp(p)
		return p, p, p
	end)
end

-- The next level: each pixel the average of four.
local function halved(rows, w, h)
	local out, nw, nh = {}, math.max(1, w // 2), math.max(1, h // 2)
	for y = 0, nh - 1 do
		out[y] = {}
		for x = 0, nw - 1 do
			local top, bottom = rows[math.min(2 * y, h - 1)], rows[math.min(2 * y + 1, h - 1)]
			local x0, x1, p = math.min(2 * x, w - 1), math.min(2 * x + 1, w - 1), {}
			for c = 1, 3 do
				p[c] = (top[x0][c] + bottom[x0][c] + top[x1][c] + bottom[x1][c]) / 4
			end
			out[y][x] = p
		end
	end
	return out, nw, nh
end

local function image(form, width, height, pixel, levels)
	local rows, data, w, h = {}, {}, width, height
	for y = 0, height - 1 do
		rows[y] = {}
		for x = 0, width - 1 do
			rows[y][x] = pixel(x, y)
		end
	end
	for level = 1, levels or 1 do
		data[level] = encode_level(form, w, h, rows)
		if level < (levels or 1) then
			rows, w, h = halved(rows, w, h)
		end
	end
	return {width=width, height=height, form=form, data=table.concat(data)}
end

local function scaled(p, factor)
	return {p[1] * factor, p[2] * factor, p[3] * factor}
end

local function floor_pixel(x, y)
	local edge = math.min(x % 64, 63 - x % 64, y % 64, 63 - y % 64)
	local base = (x // 64 + y // 64) & 1 == 1 and {52, 58, 88} or {206, 198, 186}
	local grain = 0.93 + 0.07 * hash_noise(x // 2, y // 2, 1)
	if edge < 2 then
		return mix(base, {20, 20, 34}, 0.75)
	end
	return scaled(scaled(base, grain), edge < 4 and 1.06 or 1.0)
end

local function crate_pixel(x, y)
	local edge, across = math.min(x, 63 - x, y, 63 - y), math.abs(x - y)
	local wood = mix({176, 112, 58}, {128, 76, 38}, hash_noise(y // 13, 7, 2))
	wood = scaled(wood, 0.86 + 0.14 * hash_noise(x // 9, y, 3))
	if edge < 8 or across < 6 then
		wood = scaled(mix({160, 104, 56}, wood, 0.35), edge ~= 7 and across ~= 5 and 1.22 or 0.55)
	end
	if edge < 1 or (y % 13 == 0 and edge >= 8 and across >= 6) then
		wood = scaled(wood, 0.5)
	end
	if math.min(math.abs(x - 4), math.abs(x - 59)) < 1.5 and math.min(math.abs(y - 4), math.abs(y - 59)) < 1.5 then
		wood = {70, 66, 64}
	end
	return wood
end

-- 0..127: cold side of the band, 128..255: warm side
local function knot_palette()
	local parts = {}
	for i = 0, 255 do
		local t = (i & 127) / 127
		parts[i + 1] = PACK(">I2", rgb565(i < 128 and mix({10, 52, 92}, {40, 196, 214}, t) or mix({150, 30, 18}, {255, 178, 64}, t)))
	end
	return table.concat(parts)
end

local function knot_pixel(x, y)
	local band = (x + y) % 64
	if (x + y) % 32 < 2 then
		return band < 32 and 2 or 130
	end
	return math.min(127, math.max(0, math.floor(64 + 50 * math.sin(band * math.pi / 16)))) + (band >= 32 and 128 or 0)
end

local HORIZON, ZENITH, DUSK = {255, 176, 122}, {20, 24, 70}, {132, 76, 140}

-- t: 0 at the horizon, 1 above
local function sky_colour(t)
	return t < 0.42 and mix(HORIZON, DUSK, math.min(1, t / 0.42)) or mix(DUSK, ZENITH, (t - 0.42) / 0.58)
end

-- What a mirror ball sees: sky above, floor below, a window and the sun.
local function reflection_pixel(x, y)
	local u, v = (x - 31.5) / 32, (31.5 - y) / 32
	local colour = v > 0 and sky_colour(math.min(1, math.max(0, v) * 1.2)) or mix({196, 130, 104}, {30, 30, 48}, math.min(1, -v * 1.7))
	local sun = math.exp(-((u + 0.42) ^ 2 + (v - 0.42) ^ 2) / 0.016) * 255
	local across, up = math.abs(u - 0.36), math.abs(v - 0.5)
	local lamp = across < 0.17 and up < 0.15 and across > 0.012 and up > 0.012 and 235 or 0
	for c = 1, 3 do
		colour[c] = math.min(255, colour[c] + sun + lamp * 0.75)
	end
	return colour
end

local function blob_pixel(x, y)
	local r = math.sqrt((x - 15.5) ^ 2 + (y - 15.5) ^ 2) / 16
	return 255 * math.max(0, 1 - r) ^ 1.5
end

local function lines_pixel(_, y)
	return ({255, 250, 226, 190, 190, 226, 250, 255})[y + 1]
end

local LETTERS = {
	Q = "01110 10001 10001 10001 10101 10010 01101", U = "10001 10001 10001 10001 10001 10001 01110",
	A = "01110 10001 10001 11111 10001 10001 10001", D = "11110 10001 10001 10001 10001 10001 11110",
	S = "01111 10000 10000 01110 00001 00001 11110", C = "01110 10001 10000 10000 10000 10001 01110",
	O = "01110 10001 10001 10001 10001 10001 01110", P = "11110 10001 10001 11110 10000 10000 10000",
	E = "11111 10000 10000 11110 10000 10000 11111",
}

local function letter_pixel(x, y)
	x, y = x - 10, y - 4
	if x < 0 or x // 12 > 8 or y < 0 or y >= 14 or x % 12 >= 10 then
		return 0
	end
	local at = x // 12 + 1
	local rows = LETTERS[("QUADSCOPE"):sub(at, at)]
	local bit = y // 2 * 6 + x % 12 // 2 + 1
	return rows:sub(bit, bit) == "1" and 255 or 0
end

-- ---- parts of the scene ------------------------------------------------------------------------------------------------------------

local CRATES = {{-2.75, 0.5, -1.15, 0.5, 18}, {-3.05, 0.42, 0.35, 0.42, -24}, {-2.68, 1.36, -1.05, 0.36, 40}}
local SHADOWS = {{-0.78, 0.1, 1.5, 1.1, 190}, {1.78, -1.0, 1.3, 0.85, 200}, {-2.75, -1.15, 0.95, 0.95, 220}, {-3.05, 0.35, 0.8, 0.8, 220}}

local VERTEX_COLOUR, LIT = 1, 2
local DIFFUSE, SPECULAR = 2 << 7, 1 << 9
local shapes, pictures = {}, {}

-- 0 the lamp, 1 the sun's glint, 2 a cold light from the left, 3 stands at the eye, 4 a spot for the floor
local function lights(view)
	local function light(n, colour, position, direction, angle, distance)
		local list = {}
		for _, v in ipairs{angle or {1, 0, 0}, distance or {1, 0, 0}, position, direction or {0, 0, 0}} do
			for k = 1, 3 do
				list[#list + 1] = v[k] * 1.0
			end
		end
		xf(0x600 + 16 * n + 3, colour, table.unpack(list))
	end
	local sun = unit(apply(rotation_of(view), {-0.55, 0.62, 0.42}))
	light(0, 0xFFF0DCFF, apply(view, {1.5, 5.5, 4.0}))
	light(1, 0xFFFFFFFF, {1048576 * sun[1], 1048576 * sun[2], 1048576 * sun[3]}, unit{sun[1], sun[2], sun[3] + 1}, {0, 0, 1}, {24, 0, -23})
	light(2, 0x5078C8FF, apply(view, {-6.0, 2.5, -2.0}))
	light(3, 0xFFFFFFFF, {0, 0, 1048576})
	light(4, 0xFFE8D0FF, apply(view, {0.0, 4.5, 1.0}), {0, 0, 0}, {1, 0, 0}, {0.72, 0, 0.016})
end

-- o: ambient, material, glint, alpha, spot
local function channels(mask, o)
	o = o or {}
	local control = VERTEX_COLOUR
	if mask then
		control = LIT | (mask & 15) << 2 | mask >> 4 << 11 | DIFFUSE | (o.spot and 3 << 9 or 0)
	end
	xf(0x100A, o.ambient or 0x404458FF, 0, o.material or 0xFFFFFFFF, 0xFFFFFFFF, control, o.glint and LIT | 2 << 2 | SPECULAR or 0,
		o.alpha or VERTEX_COLOUR, 0)
end

-- Coordinate 0 passes through the identity of row 60, coordinate 1 through this row.
local function matrix_indices(row)
	local value = 60 << 6 | row << 12 | 60 << 18 | 60 << 24
	s:cp(0x30, value)
	xf(0x1018, value)
end

local function coloured(x, y, c)
	return PACK(">fffBBBB", x, y, -0.5, clamp(c[1]), clamp(c[2]), clamp(c[3]), 255)
end

-- The sun: a soft disc, added.
local function sun_disc(width, height, horizon)
	attributes(1, 0, 1, 1)
	general(1)
	tev(0, TEX_RAS, ALPHA_RAS, {tex=0})
	texture(0, pictures.blob, BLOB_TEXTURE, 0)
	blend(ONE, ONE)
	for _, disc in ipairs{{0.62, {120, 64, 36}}, {0.17, {255, 210, 150}}} do
		local x, y, r, c, data = width * 0.235, horizon - height * 0.13, disc[1] * height / 2, disc[2], {}
		for _, d in ipairs{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} do
			data[#data + 1] = PACK(">fffBBBBff", x + d[1] * r, y + d[2] * r, -0.5, c[1], c[2], c[3], 255, (d[1] + 1) / 2, (d[2] + 1) / 2)
		end
		draw(QUADS, 1, table.concat(data), 24)
	end
	blend()
end

local function ridges(width, height, horizon)
	attributes(1, 0, 1)
	general()
	tev(0, ALL_RAS, ALPHA_RAS)
	for _, ridge in ipairs{{11, 0.15, {120, 70, 118}, {240, 164, 122}}, {23, 0.085, {72, 46, 92}, {222, 148, 118}}} do
		local seed, rise, data = ridge[1], ridge[2], {}
		for i = 0, 32 do
			local x = width * i / 32
			local wave = 0.5 + 0.3 * math.sin(i * 0.61 + seed) + 0.2 * math.sin(i * 1.7 + 2 * seed)
			local h = rise * height * (0.35 + 0.45 * wave + 0.2 * hash_noise(i * 2, 0, seed))
			data[#data + 1] = coloured(x, horizon - h, ridge[3])
			data[#data + 1] = coloured(x, horizon + 1, ridge[4])
		end
		draw(STRIP, 1, table.concat(data), 16)
	end
end

-- A ramp from the horizon upwards, the sun and ridges; nothing of it is written to the depth buffer.
local function sky(width, height, horizon)
	orthographic(width, height)
	place(move(0, 0, 0))
	attributes(1, 0, 1)
	general()
	channels()
	tev(0, ALL_RAS, ALPHA_RAS)
	depth(false, false)
	fog()
	blend()
	local data = {}
	for _, t in ipairs{0, 0.1, 0.22, 0.42, 0.7, 1.0} do
		local y = horizon * (1 - t)
		data[#data + 1] = coloured(0, y, sky_colour(t)) .. coloured(width, y, sky_colour(t))
	end
	draw(STRIP, 1, table.concat(data), 16)
	draw(QUADS, 1, coloured(0, horizon, HORIZON) .. coloured(width, horizon, HORIZON) .. coloured(width, height, HORIZON) ..
		coloured(0, height, HORIZON), 16)
	sun_disc(width, height, horizon)
	ridges(width, height, horizon)
end

local function ground(view)
	place(view, rotation_of(view))
	general(1, 1)
	channels(16, {ambient=0x34303CFF, spot=true})
	tev(0, TEX_RAS, ALPHA_RAS, {tex=0})
	texture(0, pictures.floor, FLOOR_TEXTURE, 1, {levels=8})
	fog(HORIZON, 9, 27)
	depth()
	draw_mesh(shapes.floor)
end

-- Dark discs just above the floor.
local function shadows(view, spots)
	place(view)
	attributes(1, 0, 1, 1)
	general(1)
	channels()
	tev(0, {ZERO, ZERO, ZERO, ZERO}, {A_ZERO, A_TEX, A_RAS, A_ZERO}, {tex=0})
	texture(0, pictures.blob, BLOB_TEXTURE, 0)
	blend(SRC_ALPHA, INV_SRC_ALPHA)
	depth(true, false)
	local data = {}
	for _, spot in ipairs(spots) do
		local x, z, rx, rz, dark = table.unpack(spot)
		for _, d in ipairs{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} do
			data[#data + 1] = PACK(">fffBBBBff", x + d[1] * rx, 0.015, z + d[2] * rz, 0, 0, 0, dark, (d[1] + 1) / 2, (d[2] + 1) / 2)
		end
	end
	draw(QUADS, 1, table.concat(data), 24)
	blend()
	depth()
end

-- Palette and light; then the reflection; then the glint.
local function draw_knot(view, phase)
	local model = multiply(multiply(turn(1, 28 + phase), turn(0, 16)), turn(2, 0.6 * phase))
	place(multiply(view, multiply(move(-0.78, 1.55, 0.1), multiply(model, stretch(1.14, 1.14, 1.14)))), multiply(rotation_of(view), model))
	general(2, 2, 3, 2)
	channels(1 | 4, {ambient=0x30343CFF, glint=true})
	konst(0, 88, 88, 96)
	tev(0, TEX_RAS, ALPHA_RAS, {tex=0, scale=1})
	tev(1, {ZERO, C_TEX, C_KONST, PREV}, ALPHA_PREV, {konst=0, tex=1, coord=1, channel=7})
	tev(2, {ZERO, C_RAS, C_ONE, PREV}, ALPHA_PREV, {channel=1})
	memory(PALETTE, pictures.palette, "tmem")
	bp(0x64, PALETTE >> 5)
	bp(0x65, PALETTE_TMEM | 256 // 16 << 10)
	texture(0, pictures.knot, KNOT_TEXTURE, 1, {palette=true})
	texture(1, pictures.sky, SKY_TEXTURE, 0)
	xf(0x1041, 1 << 2 | 1 << 7) -- coordinate 1 is made from the normal
	draw_mesh(shapes.knot)
end

local function crates(view)
	general(1, 1, 1, 2)
	channels(1 | 4, {ambient=0x484858FF})
	tev(0, TEX_RAS, ALPHA_RAS, {tex=0})
	texture(0, pictures.crate, CRATE_TEXTURE, 0, {levels=4})
	for _, crate in ipairs(CRATES) do
		local x, y, z, size, angle = table.unpack(crate)
		local rotation = turn(1, angle)
		place(multiply(view, multiply(move(x, y, z), multiply(rotation, stretch(size, size, size)))), multiply(rotation_of(view), rotation))
		draw_box(shapes.box)
	end
end

-- A corner of something on the screen of the monitor.
local function corner(x, y, st, tt)
	return PACK(">fffBBBBff", x, y, 0.1, 255, 255, 255, 255, st, tt)
end

local function monitor_case(view, at, normals)
	general(0, 2, 2, 2)
	channels(1 | 4, {ambient=0x30303CFF, material=0x3C404CFF, glint=true})
	tev(0, ALL_RAS, ALPHA_RAS)
	tev(1, {ZERO, C_RAS, C_HALF, PREV}, ALPHA_PREV, {channel=1})
	for _, part in ipairs{{0, 0, 0, 1.34, 1.05, 0.09}, {0, -1.2, 0, 0.12, 0.2, 0.06}, {0, -1.385, 0, 0.62, 0.035, 0.34}} do
		local x, y, z, w, h, d = table.unpack(part)
		place(multiply(view, multiply(at, multiply(move(x, y, z), stretch(w, h, d)))), normals)
		draw_box(shapes.box)
	end
end

-- A case and feet, the picture of the other camera on it, a name under it.
local function monitor(view)
	local rotation = turn(1, -27)
	local at = multiply(move(1.78, 1.42, -1.0), rotation)
	local normals = multiply(rotation_of(view), rotation)
	monitor_case(view, at, normals)
	place(multiply(view, at), normals)
	attributes(1, 0, 1, 1)
	general(2, 1, 2)
	channels()
	-- coordinate 1 repeats the lines 24 times over coordinate 0's range
	xf(0x1041, 5 << 7)
	xf(32 * 4, 24.0, 0.0, 0.0, 0.0, 0.0, 24.0, 0.0, 0.0)
	matrix_indices(32)
	tev(0, TEX_RAS, ALPHA_RAS, {tex=0})
	tev(1, {ZERO, C_TEX, PREV, ZERO}, ALPHA_PREV, {tex=1, coord=1, channel=7})
	texture(0, {width=SCREEN_W, height=SCREEN_H, form="RGB565"}, SCREEN_TEXTURE, 0)
	texture(1, pictures.lines, LINES_TEXTURE, 1)
	fog()
	draw(QUADS, 1, corner(-1.22, 0.95, 0, 0) .. corner(1.22, 0.95, 1, 0) .. corner(1.22, -0.8, 1, 1) .. corner(-1.22, -0.8, 0, 1), 24)
	matrix_indices(30)
	general(1)
	konst(1, 150, 214, 255)
	tev(0, {ZERO, ZERO, ZERO, C_KONST}, {A_ZERO, A_ZERO, A_ZERO, A_TEX}, {konst=1, tex=0})
	texture(0, pictures.letter, LETTER_TEXTURE, 0)
	alpha_test(40)
	blend(SRC_ALPHA, INV_SRC_ALPHA)
	draw(QUADS, 1, corner(-0.56, -0.825, 0, 0) .. corner(0.56, -0.825, 1, 0) .. corner(0.56, -1.02, 1, 1) .. corner(-0.56, -1.02, 0, 1), 24)
	alpha_test()
	blend()
end

-- Clear where one looks straight at it, bright at the rim: alpha is 1 - N.V, lit by a light at the eye.
local function glass(view, phase)
	place(multiply(view, multiply(move(0.16 + 0.01 * phase, 0.6, 2.45), stretch(0.6, 0.6, 0.6))), rotation_of(view))
	general(2, 2, 2, 2)
	channels(1, {ambient=0x606870FF, glint=true, alpha=LIT | 8 << 2 | DIFFUSE})
	xf(0x100A, 0x60687000)
	konst(2, 226, 244, 255, 20)
	tev(0, {ZERO, C_TEX, C_KONST, ZERO}, {A_KONST, A_ZERO, A_RAS, A_ZERO}, {konst=2, tex=1, coord=1})
	bp_field(0xF6, 9, 5, 0) -- alpha of stage 0: konst 1.0
	tev(1, {ZERO, PREV, C_PREVA, C_RAS}, {A_KONST, A_ZERO, A_ZERO, A_PREV}, {konst=2, channel=1})
	texture(1, pictures.sky, SKY_TEXTURE, 0)
	xf(0x1041, 1 << 2 | 1 << 7)
	fog()
	blend(ONE, INV_SRC_ALPHA) -- the colour is multiplied already, the glint is not
	depth(true, false)
	draw_mesh(shapes.ball)
	blend()
	depth()
end

-- ---- frames -------------------------------------------------------------------------------------------------------------------------

-- State from before the capture began.
local function boot()
	for register = 1, 4 do
		bp(register, 0x666666)
	end
	for _, r in ipairs{{0x0F, 0xFF}, {0x22, 6 | 6 << 8}, {0x59, 171 << 10 | 171}, {0x42, 0}, {0x43, 1 << 6}, {0x44, 3}, {0x4E, 256},
			{0x4F, 255 << 8 | 20}, {0x50, 24 << 8 | 40}, {0x51, 0xFFFFFF}, {0x53, 21 << 12 | 22 << 18}, {0x54, 21}, {0x55, 0x3FF},
			{0x56, 0x3FF}, {0x58, 0xF}, {0x68, 0}, {0x69, 0x400}} do
		bp(r[1], r[2])
	end
	for i = 0, 7 do
		bp(0x28 + i, 7 << 19 | 7 << 7)
	end
	for i, value in ipairs{4, 0xE, 0, 0xC, 5, 0xD, 0xA, 0xE} do
		bp(0xF5 + i, value)
	end
	formats()
	s:cp(0x40, 0x00F3CF3C)
	xf(0x1019, 0x00F3CF3C)
	matrix_indices(30)
	for _, address in ipairs{60 * 4, 0x500 + 61 * 4} do
		xf(address, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0)
	end
	xf(0x1005, 0)
	xf(0x1012, 1)
	for i = 0, 7 do
		xf(0x1040 + i, 5 + i << 7)
		xf(0x1050 + i, 61)
	end
	alpha_test()
	blend()
	depth()
	fog()
end

local function horizon_line(eye, target, height)
	local dx, dz = target[1] - eye[1], target[3] - eye[3]
	return height / 2 * (1 + (target[2] - eye[2]) / math.sqrt(dx * dx + dz * dz) * COTANGENT)
end

local function camera_pass(eye, target, width, height, phase, main)
	local view = look(eye, target)
	window(width, height)
	sky(width, height, horizon_line(eye, target, height))
	perspective()
	lights(view)
	ground(view)
	local spots = {table.unpack(SHADOWS)}
	spots[#spots + 1] = {0.16 + 0.01 * phase, 2.45, 0.75, 0.7, 120}
	shadows(view, spots)
	crates(view)
	draw_knot(view, phase)
	if main then
		monitor(view)
		glass(view, phase)
	end
end

local function copy_rectangle(width, height)
	bp(0x49, 0)
	bp(0x4A, height - 1 << 10 | width - 1)
end

-- What the screen in the scene will show is drawn first, copied and cleared away.
local function frame(phase)
	camera_pass({3.3, 2.5, 3.4}, {-0.8, 1.3, 0.0}, SCREEN_W, SCREEN_H, phase, false)
	copy_rectangle(SCREEN_W, SCREEN_H)
	bp(0x4B, SCREEN_TEXTURE >> 5)
	bp(0x4D, SCREEN_W // 4)
	bp(0x52, 3 | 4 << 4 | 1 << 11)
	bp(0x66, 0x1000)
	bp(0x66, 0x1100)
	camera_pass({0.0, 2.1, 7.4}, {0.0, 1.2, 0.0}, WIDTH, HEIGHT, phase, true)
	copy_rectangle(WIDTH, HEIGHT)
	bp(0x4B, XFB >> 5)
	bp(0x4D, WIDTH * 2 // 32)
	bp(0x4E, 256)
	bp(0x52, 3 | 1 << 11 | 1 << 14)
	s:end_frame()
end

qs.build("tour", function(scene)
	s = scene
	shapes = {knot=grid(160, 14, knot_vertex), ball=grid(28, 18, ball_vertex), floor=grid(20, 20, floor_vertex), box=box()}
	pictures = {floor=image("RGB565", 128, 128, floor_pixel, 8), crate=image("CMPR", 64, 64, crate_pixel, 4), knot=image("C8", 64, 64, knot_pixel),
		sky=image("RGB565", 64, 64, reflection_pixel), blob=image("I8", 32, 32, blob_pixel), lines=image("I8", 8, 8, lines_pixel),
		letter=image("I4", 128, 24, letter_pixel), palette=knot_palette()}
	boot()
	s:start()
	for _, phase in ipairs{0, 24} do
		frame(phase)
	end
end, {bare=true})
