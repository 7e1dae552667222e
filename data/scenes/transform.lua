-- transform.lua - scenes of XF: vertices, matrices, light, texture coordinates
-- Arguments: names of the captures to build; all of them without.
-- SPDX-License-Identifier: GPL-2.0-or-later
local build, hue, letter = qs.build, qs.hue, qs.letter
local WHITE = {255, 255, 255, 255}

-- Strips of a sphere: points that are normals too.
local function sphere(n, m)
	n, m = n or 24, m or 16
	local rows = {}
	for j = 0, m - 1 do
		local row = {}
		for i = 0, n do
			for jj = j, j + 1 do
				local t, p = jj * math.pi / m, i * 2 * math.pi / n
				row[#row + 1] = {math.sin(t) * math.cos(p), math.cos(t), math.sin(t) * math.sin(p)}
			end
		end
		rows[#rows + 1] = row
	end
	return rows
end

local function ball(s, x, y, r, colour, rows)
	s:matrix(0, {{r, 0, 0, x}, {0, r, 0, y}, {0, 0, r, -6}})
	for _, row in ipairs(rows or sphere(16, 10)) do
		local v = {}
		for i, p in ipairs(row) do
			v[i] = {p[1], p[2], p[3], n=p, c=colour or WHITE}
		end
		s:draw("strip", 0, v)
	end
end

local function lit(s)
	s:perspective(50, 4 / 3, 1, 50)
	s:attributes{normal="direct"}
	s:format(0, {normal={"f32"}})
	s:xf(0x100A, 0x202028FF)
end

-- ---- numbers of the vertex stream -----------------------------------------------------------------------------------------

-- u8, s8, u16, s16 and f32 positions of two and three components.
build("vertex-position-formats", function(s)
	s:start()
	for k, t in ipairs{{"u8", 0}, {"s8", 0}, {"u16", 4}, {"s16", 6}, {"f32", 9}} do
		k = k - 1
		for three = 0, 1 do
			s:format(k, {position={t[1], count=2 + three, frac=t[2]}})
			s:matrix(0, {{1, 0, 0, 40 + 120 * k}, {0, 1, 0, 120 + 230 * three}, {0, 0, 1, -0.5}})
			local v = {}
			for i, p in ipairs{{0, 0}, {90, 10}, {100, 100}, {10, 90}} do
				local x, y = p[1], p[2]
				if t[1] == "s8" then
					x, y = x - 10, y - 60
				end
				v[i] = {x, y, 0, c=hue((i - 1) / 4 + k / 10)}
			end
			s:draw("quads", k, v)
		end
	end
	s:finish()
end)

-- All layouts of direct colours; alpha is shown by blending.
build("vertex-colour-formats", function(s)
	s:start()
	local a, b = {40, 40, 60, 255}, {120, 130, 110, 255}
	s:attributes()
	s:generate()
	s:order(0)
	s:tev(0, "zero zero zero ras_rgb", "zero zero zero ras")
	s:quad(0, 0, 640, 480, {colours={a, a, b, b}, z=-0.99})
	s:blend{mode="blend"}
	for k, kind in ipairs{"rgb565", "rgb8", "rgbx8", "rgba4", "rgba6", "rgba8"} do
		k = k - 1
		s:format(k, {colour0=kind})
		local v = {}
		for i, p in ipairs{{0, 0}, {150, 0}, {150, 150}, {0, 150}} do
			local c = hue((i - 1) / 4, kind == "rgbx8" and 99 or 255 - 60 * (i - 1))
			v[i] = {40 + k % 3 * 200 + p[1], 60 + k // 3 * 210 + p[2], -.5, c=c}
		end
		s:draw("quads", k, v)
	end
	s:finish()
end)

-- Arrays of position and colour with 8- and 16-bit indices; index 0xff drops a vertex.
build("vertex-indexed", function(s)
	s:start()
	local positions, colours = {}, {}
	for i = 0, 23 do
		positions[i + 1], colours[i + 1] = {60 + i % 6 * 100, 60 + i // 6 * 110, -.5}, hue(i / 24)
	end
	s:array("position", 0x1E0000, 12)
	s:array("colour0", 0x1E1000, 4)
	s:attributes{position="index8", colour0="index16"}
	s:memory(0x1E0000, s:elements("position", 0, positions), "vertex")
	s:memory(0x1E1000, s:elements("colour0", 0, colours), "vertex")
	local v = {}
	for _, i in ipairs{0, 1, 7, 6, 2, 3, 9, 8, 0xFF, 4, 5, 11, 10} do
		v[#v + 1] = {position=i, colour0=i % 24}
	end
	s:draw("quads", 0, v)
	s:attributes{position="index16", colour0="index8"}
	v = {}
	for _, i in ipairs{12, 18, 13, 19, 14, 20, 15, 21, 16, 22, 17, 23} do
		v[#v + 1] = {position=i, colour0=(i + 5) % 24}
	end
	s:draw("strip", 0, v)
	s:finish()
end)

-- Material from register and vertex, two colours, channel 1 and zero as the raster colour.
build("channels-and-material", function(s)
	s:xf("MATERIAL0", 0xFF8000FF, 0x0080FFFF)
	s:start()
	s:attributes{colour1="direct"}
	s:generate{colours=2}
	for k = 0, 5 do
		s:xf(0x100E, k & 1, k >> 1 & 1)
		s:xf(0x1010, k & 1, k >> 1 & 1)
		s:order(0, nil, 0, ({0, 0, 1, 1, 0, 7})[k + 1])
		local x, y, v = 20 + k % 3 * 207, 20 + k // 3 * 230, {}
		for i, p in ipairs{{0, 0}, {190, 0}, {190, 210}, {0, 210}} do
			v[i] = {x + p[1], y + p[2], -.5, c=hue((i - 1) / 4), colour1=hue((i - 1) / 4 + .5)}
		end
		s:draw("quads", 0, v)
	end
	s:finish()
end)

-- ---- light ----------------------------------------------------------------------------------------------------------------

-- Two channels, alpha lit separately, added in TEV; eight lights.
build("light-two-channels", function(s)
	s:perspective(50, 4 / 3, 1, 50)
	s:attributes{normal="direct", colour1="direct"}
	s:format(0, {normal={"f32"}})
	s:start()
	s:generate{colours=2, stages=2}
	s:order(0, nil, 0, 0)
	s:order(1, nil, 0, 1)
	s:tev(0, "zero zero zero ras_rgb", "zero zero zero ras")
	s:tev(1, "prev_rgb zero zero ras_rgb", "prev zero zero ras")
	for i = 0, 7 do
		s:light(i, {colour=hue(i / 8), position={6 * math.cos(i * .785), 6 * math.sin(i * .785), -3.0}})
	end
	s:xf(0x100A, 0x101010FF, 0x000000FF, 0xFFFFFFFF, 0x8080FFFF)
	-- lighting, lights 0 to 3, clamped; lights 4 to 7 with the vertex' material; alpha from the vertices
	s:xf(0x100E, 2 | 15 << 2 | 2 << 7, 2 | 15 << 11 | 2 << 7 | 1, 1, 1)
	s:matrix(0, {{2, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, 2, -6}})
	for _, row in ipairs(sphere()) do
		local v = {}
		for i, p in ipairs(row) do
			v[i] = {p[1], p[2], p[3], n=p, c=WHITE, colour1={200, 255, 200, 255}}
		end
		s:draw("strip", 0, v)
	end
	s:finish()
end)

-- s8, s16 and f32 normals, direct and indexed.
build("light-normal-formats", function(s)
	s:perspective(50, 4 / 3, 1, 50)
	s:attributes{normal="direct"}
	s:format(0, {normal={"f32"}})
	s:start()
	s:light(0, {colour={255, 230, 200, 255}, position={6, 6, 6}})
	s:xf(0x100A, 0x202028FF)
	s:xf(0x100C, 0xFFFFFFFF)
	s:xf(0x100E, 3 | 1 << 2 | 2 << 7)
	s:xf(0x1010, 1)
	local rows = sphere(16, 10)
	for k, kind in ipairs{"s8", "s16", "f32"} do
		k = k - 1
		s:format(k, {normal={kind}})
		s:matrix(0, {{1.1, 0, 0, -2.6 + 2.6 * k}, {0, 1.1, 0, 1.25}, {0, 0, 1.1, -6}})
		s:attributes{normal="direct"}
		local all = {}
		for _, row in ipairs(rows) do
			local v = {}
			for i, p in ipairs(row) do
				v[i] = {p[1], p[2], p[3], n=p, c=hue(k / 3)}
				all[#all + 1] = p
			end
			s:draw("strip", k, v)
		end
		s:matrix(0, {{1.1, 0, 0, -2.6 + 2.6 * k}, {0, 1.1, 0, -1.25}, {0, 0, 1.1, -6}})
		s:attributes{normal="index16"}
		local address, bytes = 0x1E0000 + 0x4000 * k, s:elements("normal", k, all)
		s:array("normal", address, #bytes // #all)
		s:memory(address, bytes, "vertex")
		local n = 0
		for _, row in ipairs(rows) do
			local v = {}
			for i, p in ipairs(row) do
				v[i] = {p[1], p[2], p[3], n=n + i - 1, c=hue(k / 3 + .1)}
			end
			s:draw("strip", k, v)
			n = n + #row
		end
	end
	s:finish()
end)

-- No, signed and clamped diffuse light, with the colour signs that make signed light visible.
build("light-diffuse", function(s)
	lit(s)
	s:start()
	s:light(0, {colour={255, 200, 120, 255}, position={5, 5, 2}})
	s:light(1, {colour={60, 120, 255, 255}, position={-8, 0, 0}})
	for k, diffuse in ipairs{"none", "signed", "clamped"} do
		s:bp("GEN_MODE", {ncol=1})
		s:xf("COLOR0_CONTROL", {matsrc="vertex", lighting=true, light0=true, light1=true, diffuse=diffuse, attn_enable=false, attn_select="spot"})
		ball(s, -2.6 + 2.6 * (k - 1), 1.2, 1.1)
		s:xf("COLOR0_CONTROL", {ambsrc="vertex"})
		ball(s, -2.6 + 2.6 * (k - 1), -1.2, 1.1, {90, 60, 40, 255})
		s:xf("COLOR0_CONTROL", {ambsrc="register"})
	end
	s:finish()
end)

-- Spot lights of three angles and specular light of two exponents on each channel.
build("light-attenuation", function(s)
	lit(s)
	s:start()
	local function cosine(degrees)
		return math.cos(math.rad(degrees))
	end
	for k = 0, 2 do
		local cut = cosine(20 + 12 * k)
		s:light(0, {colour={255, 220, 180, 255}, position={-2.6 + 2.6 * k, 3.5, -3}, direction={0, .5, .866}, angle={-cut / (1 - cut), 1 / (1 - cut), 0},
			distance={1, .02 * k, .01 * k}})
		s:xf("COLOR0_CONTROL", {matsrc="register", lighting=true, light0=true, diffuse="clamped", attn_enable=true, attn_select="spot"})
		ball(s, -2.6 + 2.6 * k, 1.2, 1.1)
	end
	for k = 0, 2 do
		local shine = 4 << k -- as programs do: brightness from the half angle's cosine
		s:light(0, {colour={255, 255, 255, 255}, position={3, 4, 5}, direction={.3, .4, .866}, angle={0, 0, 1}, distance={shine / 2, 0, 1 - shine / 2}})
		s:xf("COLOR0_CONTROL", {matsrc="register", lighting=true, light0=true, diffuse=k == 2 and "clamped" or "none", attn_enable=true,
			attn_select="specular"})
		ball(s, -2.6 + 2.6 * k, -1.2, 1.1)
	end
	s:finish()
end)

-- Alpha lit by itself, seen through blending.
build("light-alpha", function(s)
	lit(s)
	s:clear_colour(200, 60, 60)
	s:start()
	s:blend{mode="blend"}
	s:light(0, {colour={255, 255, 255, 255}, position={6, 6, 0}})
	s:light(1, {colour={0, 0, 0, 200}, position={-6, -2, 2}})
	s:xf("AMBIENT0", 0x40404010)
	s:xf("COLOR0_CONTROL", {matsrc="vertex", lighting=true, light0=true, diffuse="clamped"})
	s:xf("ALPHA0_CONTROL", {matsrc="vertex", lighting=true, light1=true, diffuse="clamped", attn_select="spot"})
	ball(s, -1.4, 0, 1.3, hue(.6))
	s:xf("ALPHA0_CONTROL", {diffuse="signed", ambsrc="vertex"})
	ball(s, 1.4, 0, 1.3, hue(.2, 100))
	s:finish()
end)

-- ---- texture coordinates --------------------------------------------------------------------------------------------------

local function textured(s)
	s:generate{tex=1}
	s:order(0, 0, 0, 0)
	s:tev(0, "zero tex_rgb ras_rgb zero", "zero tex ras zero")
	s:texture(0, {width=64, height=64, format="RGB565", address=0x100000, data=qs.encode("RGB565", 64, 64, letter(64, 64, true)), wrap_s="repeat", wrap_t="repeat"})
end

local TILT = {{.5, .2, 0, .5}, {-.2, .5, 0, .5}, {0, 0, 0, 1}}

-- Coordinates from position, normal and texture coordinates, as 2x4 and 3x4 matrices.
build("texgen-sources", function(s)
	lit(s)
	s:attributes{normal="direct", tex={"direct"}}
	s:start()
	textured(s)
	s:matrix(30, TILT)
	s:matrix(33, {{.5, 0, .2, .5}, {0, .5, .2, .5}, {.1, 0, 0, 1}})
	s:xf(0x1018, 30 << 6)
	s:bp("GEN_MODE", {ncol=1})
	for k = 0, 5 do
		local source = ({"position", "normal", "tex0"})[k % 3 + 1]
		s:cp("MATINDEX_A", (k < 3 and 30 or 33) << 6)
		s:xf(0x1018, (k < 3 and 30 or 33) << 6)
		s:xf("TEXGEN_0", {projection=k < 3 and "st" or "stq", form=source == "tex0" and "ab11" or "abc1", type="regular", source=source})
		s:matrix(0, {{1.1, 0, 0, -2.6 + 2.6 * (k % 3)}, {0, 1.1, 0, 1.2 - 2.4 * (k // 3)}, {0, 0, 1.1, -6}})
		for _, row in ipairs(sphere(16, 10)) do
			local v = {}
			for i, p in ipairs(row) do
				v[i] = {p[1], p[2], p[3], n=p, c=WHITE, t={p[1] * 2, p[2]}}
			end
			s:draw("strip", 0, v)
		end
	end
	s:finish()
end)

-- Coordinates from the lit colours of both channels.
build("texgen-colour", function(s)
	s:attributes{colour1="direct"}
	s:start()
	textured(s)
	s:generate{tex=2, colours=2, stages=2}
	s:xf("TEXGEN_0", {type="colour0", source="colours"})
	s:xf("TEXGEN_1", {type="colour1", source="colours"})
	s:texture_size(1, 64, 64)
	for k = 0, 1 do
		s:order(0, 0, k, 0)
		s:order(1, nil, 0, 0)
		s:tev(0, "zero zero zero tex_rgb", "zero zero zero tex")
		s:tev(1, "zero zero zero prev_rgb", "zero zero zero prev")
		local x = 20 + 310 * k
		s:draw("quads", 0, {{x, 40, -.5, c={0, 0, 0, 255}, colour1={255, 0, 90, 255}}, {x + 290, 40, -.5, c={255, 0, 0, 255}, colour1={255, 255, 90, 255}},
			{x + 290, 440, -.5, c={255, 255, 0, 255}, colour1={0, 255, 90, 255}}, {x, 440, -.5, c={0, 255, 0, 255}, colour1={0, 0, 90, 255}}})
	end
	s:finish()
end)

-- Post matrices, normalised and not, and without dual transform.
build("texgen-dual", function(s)
	lit(s)
	s:attributes{normal="direct"}
	s:start()
	textured(s)
	s:matrix(30, {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}})
	s:post_matrix(0, {{.5, 0, .1, .5}, {0, .5, .1, .5}, {0, 0, 0, 1}})
	s:post_matrix(3, {{1, .3, 0, .2}, {-.3, 1, 0, .2}, {0, 0, .5, 1}})
	s:cp("MATINDEX_A", 30 << 6)
	s:xf(0x1018, 30 << 6)
	for k = 0, 5 do
		s:xf("DUALTEX", {enable=k % 3 > 0})
		s:xf("DUALGEN_0", {row=k < 3 and 0 or 3, normalise=k % 3 == 2})
		s:xf("TEXGEN_0", {projection="stq", form="abc1", type="regular", source=k < 3 and "normal" or "position"})
		ball(s, -2.6 + 2.6 * (k % 3), 1.2 - 2.4 * (k // 3), 1.1)
	end
	s:finish()
end)

-- Emboss: the direction of a light moves the coordinate.
build("texgen-emboss", function(s)
	s:perspective(50, 4 / 3, 1, 50)
	s:start()
	s:attributes{normal="direct", ntb=true, tex={"direct"}}
	s:format(0, {normal={"f32", ntb=true}})
	s:generate{tex=2, stages=2}
	s:texture(0, {width=64, height=64, format="I8", address=0x100000, wrap_s="repeat", wrap_t="repeat", data=qs.encode("I8", 64, 64, function(x, y)
		local i = math.max(0, 255 - math.floor(math.sqrt((x % 16 - 8) ^ 2 + (y % 16 - 8) ^ 2) * 30))
		return i, i, i
	end)})
	s:texture_size(1, 64, 64)
	s:order(0, 0, 0, 0)
	s:order(1, 0, 1, 0)
	s:tev(0, "zero zero zero tex_rgb", "zero zero zero ras")
	s:tev(1, "zero tex_rgb one prev_rgb", "zero zero zero ras", {op=1, bias=1})
	s:xf("TEXGEN_0", {type="regular", source="tex0"})
	s:xf("TEXGEN_1", {type="emboss", source="tex0", emboss_source=0, emboss_light=0})
	s:light(0, {position={4, 4, -2}})
	s:matrix(0, {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, -6}})
	local t, v = .02, {}
	for i, p in ipairs{{-3, -2, 0, 1}, {3, -2, 1, 1}, {3, 2, 1, 0}, {-3, 2, 0, 0}} do
		v[i] = {p[1], p[2], 0, n={0, 0, 1, t, 0, 0, 0, t, 0}, c=WHITE, t={p[3], p[4]}}
	end
	s:draw("quads", 0, v)
	s:finish()
end)

-- Emboss: a light moves the coordinate, for two lights and strengths.
build("texgen-emboss-lights", function(s)
	s:perspective(50, 4 / 3, 1, 50)
	s:attributes{normal="direct", ntb=true, tex={"direct"}}
	s:format(0, {normal={"f32", ntb=true}})
	s:start()
	s:generate{tex=2, stages=2}
	s:texture(0, {width=64, height=64, format="I8", address=0x100000, wrap_s="repeat", wrap_t="repeat", data=qs.encode("I8", 64, 64, function(x, y)
		local i = math.max(0, 255 - math.floor(math.sqrt((x % 16 - 8) ^ 2 + (y % 16 - 8) ^ 2) * 30))
		return i, i, i
	end)})
	s:texture_size(1, 64, 64)
	s:order(0, 0, 0, 0)
	s:order(1, 0, 1, 0)
	s:tev(0, "zero zero zero tex_rgb", "zero zero zero ras")
	s:tev(1, "zero tex_rgb one prev_rgb", "zero zero zero ras", {op=1, bias=1})
	s:xf("TEXGEN_0", {type="regular", source="tex0"})
	s:light(0, {position={4, 4, -2}})
	s:light(5, {position={-6, 1, -4}})
	s:matrix(0, {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, -6}})
	for k = 0, 1 do
		local x, t = -3 + 3.1 * k, .02 + .02 * k
		s:xf("TEXGEN_1", {type="emboss", source="tex0", emboss_source=0, emboss_light=5 * k})
		local v = {}
		for i, p in ipairs{{0, -2, 0, 1}, {2.9, -2, 1, 1}, {2.9, 2, 1, 0}, {0, 2, 0, 0}} do
			v[i] = {x + p[1], p[2], 0, n={0, 0, 1, t, 0, 0, 0, t, 0}, c=WHITE, t={p[3], p[4]}}
		end
		s:draw("quads", 0, v)
	end
	s:finish()
end)

-- ---- matrices and arrays --------------------------------------------------------------------------------------------------

-- A matrix for every vertex, of position and of texture coordinates.
build("vertex-matrix-indices", function(s)
	s:attributes{tex={"direct"}, posmtx=true, tex0mtx=true}
	s:start()
	textured(s)
	for i = 0, 3 do
		local a = .3 * i - .4
		s:matrix(3 * i, {{math.cos(a), -math.sin(a), 0, 320}, {math.sin(a), math.cos(a), 0, 240}, {0, 0, 1, 0}})
		s:matrix(30 + 3 * i, {{1 + .5 * i, 0, 0, .1 * i}, {0, 1, 0, 0}, {0, 0, 0, 1}})
	end
	for k = 0, 3 do
		local x0, y0 = -280 + 140 * k, -180
		s:draw("quads", 0, {{x0, y0, -.5, c=hue(k / 4), t={0, 0}, posmtx=3 * k, tex0mtx=30 + 3 * k}, {x0 + 130, y0, -.5, c=WHITE, t={1, 0}, posmtx=3 * k,
			tex0mtx=30 + 3 * k}, {x0 + 130, y0 + 360, -.5, c=hue(k / 4 + .5), t={1, 1}, posmtx=(3 * k + 3) % 12, tex0mtx=30 + 3 * k},
			{x0, y0 + 360, -.5, c=WHITE, t={0, 1}, posmtx=(3 * k + 3) % 12, tex0mtx=30}})
	end
	s:finish()
end)

-- Matrices, and a light's colour, that indexed loads take from arrays in memory.
build("xf-indexed-loads", function(s)
	s:start()
	local rows = {}
	for k = 0, 5 do
		local a = k * .5
		for _, row in ipairs{{math.cos(a), -math.sin(a), 0, 110 + 210 * (k % 3)}, {math.sin(a), math.cos(a), 0, 125 + 230 * (k // 3)}, {0, 0, 1, 0}} do
			for _, v in ipairs(row) do
				rows[#rows + 1] = (">f"):pack(v)
			end
		end
	end
	s:memory(0x100000, table.concat(rows), "xf")
	s:memory(0x110000, (">I4I4I4"):pack(0xFF4040FF, 0x40FF40FF, 0x4040FFFF), "xf")
	s:array("A", 0x100000, 48)
	s:array("B", 0x110000, 4)
	for k = 0, 5 do
		s:raw(("\x20" .. (">I2I2"):pack(k, 11 << 12)))                -- twelve words to POS_MATRIX 0
		s:raw(("\x28" .. (">I2I2"):pack(k % 3, 0x100C)))              -- one word to MATERIAL0
		s:xf("COLOR0_CONTROL", {matsrc=k % 2 == 0 and "register" or "vertex"})
		s:quad(-80, -80, 160, 160, {colours={hue(0), hue(.25), hue(.5), hue(.75)}})
	end
	s:finish()
end)

-- Normal, tangent and binormal with one index and with three, as bytes and shorts.
build("vertex-ntb-indices", function(s)
	s:perspective(50, 4 / 3, 1, 50)
	s:attributes{normal="index8", ntb=true, tex={"direct"}}
	s:start()
	textured(s)
	s:generate{tex=2}
	s:order(0, 0, 1, 0)
	s:texture_size(1, 64, 64)
	s:xf("TEXGEN_1", {type="regular", form="abc1", source="tangent"})
	s:matrix(30, {{.5, 0, 0, .5}, {0, .5, 0, .5}, {0, 0, 0, 1}})
	s:cp("MATINDEX_A", 60 << 6 | 30 << 12)
	s:xf(0x1018, 60 << 6 | 30 << 12)
	s:matrix(0, {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, -6}})
	for k, kind in ipairs{"s8", "s16", "f32"} do
		for _, three in ipairs{false, true} do
			s:format(k, {normal={kind, ntb=true}, index3=three})
			local list = {}
			for i = 0, 3 do
				local a = i * math.pi / 2
				list[i + 1] = {0, 0, 1, math.cos(a), math.sin(a), 0, -math.sin(a), math.cos(a), 0}
			end
			local bytes = s:elements("normal", k, list)
			local address, stride = s:allocate(#bytes), #bytes // 4
			s:memory(address, bytes, "vertex")
			s:array("normal", address, three and stride // 3 or stride)
			local x, y = -3 + 2.05 * (k - 1), three and -2 or .2
			local v = {}
			for i, p in ipairs{{0, 0}, {1.9, 0}, {1.9, 1.8}, {0, 1.8}} do
				v[i] = {x + p[1], y + p[2], 0, n=three and {3 * (i - 1), 3 * (i % 4) + 1, 3 * (i - 1) + 2} or i - 1, c=WHITE, t={p[1], p[2]}}
			end
			s:draw("quads", k, v)
		end
	end
	s:finish()
end)

-- Attributes that vertices lack: colour, normal and coordinates keep what the units take for them.
build("vertex-missing", function(s)
	s:start()
	textured(s)
	s:attributes{colour0="absent", tex={"direct"}}
	s:draw("quads", 0, {{20, 20, -.5, t={0, 0}}, {210, 20, -.5, t={1, 0}}, {210, 220, -.5, t={1, 1}}, {20, 220, -.5, t={0, 1}}})
	s:attributes{colour0="direct"}
	s:draw("quads", 0, {{225, 20, -.5, c=hue(0)}, {415, 20, -.5, c=hue(.3)}, {415, 220, -.5, c=hue(.6)}, {225, 220, -.5, c=hue(.9)}})
	s:attributes{colour0="absent"}
	s:draw("quads", 0, {{430, 20, -.5}, {620, 20, -.5}, {620, 220, -.5}, {430, 220, -.5}})
	s:light(0, {colour={255, 120, 0, 255}, position={0, 0, 1}})
	s:xf("COLOR0_CONTROL", {matsrc="register", lighting=true, light0=true, diffuse="clamped"})
	s:attributes{colour0="direct"}
	s:draw("quads", 0, {{20, 240, -.5, c=hue(0)}, {620, 240, -.5, c=hue(.3)}, {620, 460, -.5, c=hue(.6)}, {20, 460, -.5, c=hue(.9)}})
	s:finish()
end)
