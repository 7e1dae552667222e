-- textures.lua - scenes of the texture unit
-- Arguments: names of the captures to build; all of them without.
-- SPDX-License-Identifier: GPL-2.0-or-later
local build, hue, letter = qs.build, qs.hue, qs.letter
local WHITE = {255, 255, 255, 255}
local T0, T1, PALETTE = 0x100000, 0x140000, 0x1C0000

local function tile(x, y)
	if (x // 4 + y // 4) % 2 == 1 then
		return 230, 60, 40, 255
	end
	return 30, 80 + x * 8 % 170, 200, 255
end

-- One texture, one stage; the vertex carries position, colour and one coordinate.
local function textured(s)
	s:attributes{tex={"direct"}}
	s:generate{tex=1}
	s:order(0, 0, 0, 0)
	s:tev(0, "zero tex_rgb ras_rgb zero", "zero tex ras zero")
end

local function backdrop(s)
	local a, b = {40, 40, 60, 255}, {120, 130, 110, 255}
	s:attributes()
	s:generate()
	s:order(0)
	s:tev(0, "zero zero zero ras_rgb", "zero zero zero ras")
	s:quad(0, 0, s.width, s.height, {colours={a, a, b, b}, z=-0.99})
end

-- ---- formats --------------------------------------------------------------------------------------------------------------

-- One format: nearest and linear magnification over a ramp, with alpha blending.
local function format(kind, palette)
	return function(s)
		local data, n
		local o = {width=64, height=64, format=kind, address=T0}
		if palette then
			n = kind == "C4" and 16 or kind == "C8" and 256 or 1024
			o.data = qs.encode(kind, 64, 64, function(x, y)
				if kind == "C4" then
					return x // 8 * 2 + y // 4 & 15
				elseif kind == "C8" then
					return x // 4 * 16 + y // 4 & 255
				end
				return (x // 4 * 16 + y // 4) * 4 + 1
			end)
		else
			o.data = qs.encode(kind, 64, 64, letter())
		end
		s:start()
		backdrop(s)
		if palette then
			local colours = {}
			for i = 0, n - 1 do
				local grey = 255 * i // n
				colours[i + 1] = i % 3 > 0 and hue(i * 7 / n, i % 5 > 0 and 255 or 90) or {grey, grey, grey, 255}
			end
			s:memory(PALETTE, qs.encode_palette(palette, colours), "tmem")
			s:load_palette(PALETTE, 0xC0000, n)
			o.palette, o.palette_format = 0xC0000, palette
		end
		textured(s)
		s:blend{mode="blend"}
		o.mag, o.min = "nearest", "nearest"
		s:texture(0, o)
		s:quad(40, 60, 256, 256, {uv={0, 0, 1, 1}})
		o.mag, o.min, o.data = "linear", "linear", nil
		s:texture(0, o)
		s:quad(340, 60, 256, 256, {uv={0, 0, 1, 1}})
		s:quad(40, 340, 64, 64, {uv={0, 0, 1, 1}})
		s:quad(340, 340, 128, 100, {uv={0.2, 0.1, 0.7, 0.6}, colour={255, 160, 160, 255}})
		s:finish()
	end
end

for _, kind in ipairs{"I4", "I8", "IA4", "IA8", "RGB565", "RGB5A3", "RGBA8", "CMPR"} do
	build("tex-" .. kind:lower(), format(kind))
end
for _, kind in ipairs{"C4", "C8", "C14X2"} do
	for _, palette in ipairs{"IA8", "RGB565", "RGB5A3"} do
		build("tex-" .. kind:lower() .. "-" .. palette:lower(), format(kind, palette))
	end
end

-- Clamp, repeat and mirror for s and t.
build("tex-wrap", function(s)
	s:start()
	textured(s)
	local modes = {"clamp", "repeat", "mirror"}
	for k = 0, 8 do
		s:texture(0, {width=32, height=32, format="RGB5A3", address=T0, wrap_s=modes[k % 3 + 1], wrap_t=modes[k // 3 + 1],
			mag=k % 2 == 1 and "linear" or "nearest", data=k == 0 and qs.encode("RGB5A3", 32, 32, letter(32, 32, true)) or nil})
		s:quad(20 + k % 3 * 205, 12 + k // 3 * 155, 190, 145, {uv={-1.25, -1.25, 2.0, 2.0}})
	end
	s:finish()
end)

-- Sizes that are no powers of two or no whole blocks.
build("tex-npot", function(s)
	s:start()
	textured(s)
	for k, t in ipairs{{37, 21, "RGB565"}, {100, 60, "RGBA8"}, {13, 50, "I8"}, {5, 5, "IA8"}} do
		local w, h = t[1], t[2]
		s:texture(0, {width=w, height=h, format=t[3], address=T0 + (k - 1) * 0x10000, mag="nearest", min="nearest",
			data=qs.encode(t[3], w, h, letter(w, h))})
		s:quad(20 + (k - 1) * 150, 20, w, h, {uv={0, 0, 1, 1}})
		s:quad(20 + (k - 1) * 150, 130, 130, 300, {uv={0, 0, 1, 1}})
	end
	s:finish()
end)

-- ---- levels ---------------------------------------------------------------------------------------------------------------

-- Every level has its own colour.
local function levels(n)
	local out, k = {}, 0
	while n >= 1 do
		local c, size = hue(k / 7), n
		out[#out + 1] = qs.encode("RGB565", n, n, function(x, y)
			if (x * 8 // size + y * 8 // size) % 2 == 1 or size < 8 then
				return c[1], c[2], c[3], 255
			end
			return 255, 255, 255, 255
		end)
		n, k = n // 2, k + 1
	end
	return table.concat(out)
end

-- A floor in perspective: no, nearest and interpolated levels, and LOD bias.
build("tex-mipmaps", function(s)
	s:perspective(60, 640 / 480, 0.5, 60)
	s:start()
	textured(s)
	for k, m in ipairs{{"nearest", "none", 0}, {"nearest", "point", 0}, {"linear", "point", 0}, {"linear", "linear", 0}, {"linear", "linear", 1},
		{"linear", "linear", -1}} do
		s:texture(0, {width=64, height=64, format="RGB565", address=T0, wrap_s="repeat", wrap_t="repeat", min=m[1], mip=m[2], bias=m[3],
			max_lod=6, data=k == 1 and levels(64) or nil})
		local x0, x1 = -6 + 2 * (k - 1), -4.05 + 2 * (k - 1)
		s:draw("quads", 0, {{x0 * 6, -2.5, -40, c=WHITE, t={x0 * 2, 40}}, {x1 * 6, -2.5, -40, c=WHITE, t={x1 * 2, 40}},
			{x1 * 0.4, -1.2, -1.5, c=WHITE, t={x1 * 2, 0}}, {x0 * 0.4, -1.2, -1.5, c=WHITE, t={x0 * 2, 0}}})
	end
	s:finish()
end)

-- LOD limits select single levels.
build("tex-lod-clamp", function(s)
	s:start()
	textured(s)
	for k = 0, 7 do
		s:texture(0, {width=64, height=64, format="RGB565", address=T0, mip="linear", min_lod=k * 12 / 16, max_lod=k * 12 / 16,
			data=k == 0 and levels(64) or nil})
		s:quad(15 + k % 4 * 157, 20 + k // 4 * 230, 145, 215, {uv={0, 0, 1, 1}})
	end
	s:finish()
end)

-- LOD from the larger derivative and from their sum, on squeezed and sheared squares, with a bias in fractions.
build("tex-lod-modes", function(s)
	s:start()
	textured(s)
	for k = 0, 11 do
		s:texture(0, {width=64, height=64, format="RGB565", address=T0, wrap_s="repeat", wrap_t="repeat", mip=k % 3 == 0 and "point" or "linear",
			lod_mode=k % 2 == 0 and "edge" or "diagonal", bias=(k - 6) / 8, min_lod=k // 4 / 2, max_lod=6 - k // 3, data=k == 0 and levels(64) or nil})
		local x, y, n = 10 + k % 4 * 157, 10 + k // 4 * 156, 1 + k
		s:draw("quads", 0, {{x, y, -.5, c=WHITE, t={0, 0}}, {x + 147, y, -.5, c=WHITE, t={n, k // 3}}, {x + 147, y + 146, -.5, c=WHITE, t={n + 2, 5}},
			{x, y + 146, -.5, c=WHITE, t={k % 3, 5}}})
	end
	s:finish()
end)

-- ---- many maps, TMEM, updates -----------------------------------------------------------------------------------------------

-- Eight textures, coordinates and stages, summed.
build("tex-eight-maps", function(s)
	s:start()
	s:attributes{tex={"direct", "direct", "direct", "direct", "direct", "direct", "direct", "direct"}}
	s:generate{tex=8, stages=8}
	for k = 0, 7 do
		local c = hue(k / 8)
		s:texture(k, {width=32, height=32, format="RGB565", address=T0 + 0x1000 * k, data=qs.encode("RGB565", 32, 32, function(x, y)
			if (x - 4 * k) ^ 2 + (y - 16) ^ 2 < 80 then
				return c[1] // 3, c[2] // 3, c[3] // 3
			end
			return 12, 12, 12
		end)})
		s:order(k, k, k, 0)
		s:tev(k, k == 0 and "zero zero zero tex_rgb" or "prev_rgb zero zero tex_rgb", "zero zero zero ras")
	end
	s:quad(60, 40, 520, 400, {uv={0, 0, 1, 1}, n=8})
	s:finish()
end)

-- A texture that commands load into TMEM.
build("tmem-preload", function(s)
	s:start()
	textured(s)
	local data = qs.encode("RGB565", 32, 32, letter(32, 32))
	s:memory(T0, data, "tmem")
	s:preload(T0, 0x2000, 0x82000, #data // 32)
	s:texture(0, {width=32, height=32, format="RGB565", address=T1, mag="nearest", even=0x2000, preloaded=true})
	s:quad(60, 40, 520, 400, {uv={0, 0, 1, 1}})
	s:finish()
end)

-- Preloaded RGBA8: alpha and red in the even half, green and blue in the odd one.
build("tmem-preload-rgba8", function(s)
	s:start()
	textured(s)
	local data = qs.encode("RGBA8", 32, 32, letter(32, 32))
	s:memory(T0, data, "tmem")
	s:preload(T0, 0x4000, 0x84000, #data // 64, "rgba8")
	for k = 0, 1 do
		s:texture(0, {width=32, height=32, format="RGBA8", address=T1, mag=k == 0 and "nearest" or "linear", even=0x4000, odd=0x84000, preloaded=true})
		s:quad(20 + 310 * k, 40, 290, 400, {uv={0, 0, 1, 1}})
	end
	s:finish()
end)

-- Memory updates as a recorder places them: at the first change of state after the draws that need them.
build("update-after-primitive", function(s)
	s:start()
	textured(s)
	local a, b = qs.encode("RGB565", 64, 64, letter()), qs.encode("RGB565", 64, 64, tile)
	local o = {width=64, height=64, format="RGB565", address=T0, mag="nearest", min="nearest"}
	s:texture(0, o)
	s:quad(20, 20, 290, 210, {uv={0, 0, 1, 1}})
	s:texture(0, o) -- nothing changes here: still the same batch
	s:quad(330, 20, 290, 210, {uv={0, 0, 1, 1}})
	s:memory(T0, a)
	s:blend{mode="blend"}
	s:invalidate_textures()
	s:quad(20, 250, 290, 210, {uv={0, 0, 1, 1}})
	s:memory(T0, b)
	s:blend{}
	s:quad(330, 250, 290, 210, {uv={0, 0, 1, 1}, colour={255, 200, 200, 255}})
	s:finish()
end)

-- Number formats of texture coordinates, and the one-component form.
build("tex-coordinate-formats", function(s)
	s:start()
	textured(s)
	s:texture(0, {width=64, height=64, format="RGB565", address=T0, wrap_s="repeat", wrap_t="repeat", data=qs.encode("RGB565", 64, 64, letter())})
	for k, t in ipairs{{"u8", 7}, {"s8", 6}, {"u16", 14}, {"s16", 12}, {"f32", 0}, {"f32", 0}} do
		k = k - 1
		s:format(k, {tex={{t[1], frac=t[2], count=k < 5 and 2 or 1}}})
		local x, y, v = 20 + k % 3 * 207, 20 + k // 3 * 230, {}
		for i, p in ipairs{{0, 0, 0, 0}, {190, 0, 1, 0}, {190, 210, 1, 1}, {0, 210, 0, 1}} do
			v[i] = {x + p[1], y + p[2], -.5, c=WHITE, t={p[3], p[4]}}
		end
		s:draw("quads", k, v)
	end
	s:finish()
end)

-- The frame that a software pipeline of this hardware showed first, in the order a game would send it: a gradient over the whole
-- screen, a triangle of three colours, a red quad nearer than it, and a quad whose texels lie in TMEM.
build("soft-frame", function(s)
	s:start()
	s:quad(0, 0, 640, 480, {colours={{20, 30, 90, 255}, {90, 30, 120, 255}, {240, 150, 60, 255}, {30, 120, 160, 255}}, z=-.9})
	s:depth(true, "lequal", true)
	s:draw("triangles", 0, {{320, 40, -.6, c={255, 0, 0, 255}}, {560, 400, -.6, c={0, 255, 0, 255}}, {80, 400, -.6, c={0, 0, 255, 255}}})
	s:quad(220, 180, 120, 100, {colour={230, 20, 20, 255}, z=-.3})
	s:quad(300, 240, 160, 120, {colour={250, 240, 80, 255}, z=-.8})
	textured(s)
	local data = qs.encode("RGB565", 32, 32, letter(32, 32))
	s:memory(T0, data, "tmem")
	s:preload(T0, 0x2000, 0x82000, #data // 32)
	s:texture(0, {width=32, height=32, format="RGB565", address=T1, mag="linear", even=0x2000, preloaded=true})
	s:quad(440, 60, 160, 160, {uv={0, 0, 1, 1}, z=-.2})
	s:finish()
end)
