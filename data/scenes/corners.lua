-- corners.lua - scenes of what programs hardly ever do: calls inside display lists, clipping switched off, scissors that wrap, fields,
-- YUV planes, bits that nobody sets
-- Arguments: names of the captures to build; all of them without.
-- SPDX-License-Identifier: GPL-2.0-or-later
local build, hue, letter = qs.build, qs.hue, qs.letter
local WHITE = {255, 255, 255, 255}
local WIDTH, HEIGHT = 320, 240

local function textured(s)
	s:attributes{tex={"direct"}}
	s:generate{tex=1}
	s:order(0, 0, 0, 0)
	s:tev(0, "zero tex_rgb ras_rgb zero", "zero tex ras zero")
end

-- ---- display lists ----------------------------------------------------------------------------------------------------------

-- A list that calls another between two squares: the hardware does not follow the inner call, what stands behind it is drawn.
build("display-list-nested", function(s)
	s:start()
	local inner, inner_size = s:list(function()
		s:quad(230, 40, 180, 400, {colour={255, 0, 0, 255}})
	end, 0x1D0000)
	local outer, outer_size = s:list(function()
		s:quad(20, 40, 180, 400, {colour={0, 160, 0, 255}})
		s:call(inner, inner_size)
		s:quad(440, 40, 180, 400, {colour={0, 90, 255, 255}})
	end, 0x1D8000)
	s:call(outer, outer_size)
	s:quad(280, 200, 80, 80)
	s:finish()
end)

-- Sizes with low bits, which count as 0; a list without bytes; a draw that the end of its list cuts off.
build("display-list-odd", function(s)
	s:start()
	local function square(x, colour)
		return function()
			s:quad(x, 40, 110, 400, {colour=colour})
		end
	end
	s:call(s:list(square(20, {255, 90, 0, 255}), 0x1D0000))
	local address, size = s:list(square(150, {0, 200, 90, 255}), 0x1D1000)
	s:call(address, size + 31)
	address = s:list(square(280, {255, 0, 0, 255}), 0x1D2000)
	s:call(address, 31)
	s:call(address, 32)
	address, size = s:list(square(410, {90, 90, 255, 255}), 0x1D3000)
	s:call(address, 0)
	s:call(address, size)
	s:quad(540, 40, 80, 400)
	s:finish()
end)

-- ---- clipping and scissor -----------------------------------------------------------------------------------------------------

-- CLIP_DISABLE 0 to 7: a triangle through the near plane, one through the far plane, one through the side, lines and points outside.
build("clip-disable", function(s)
	s:perspective(60, 1, 1, 20)
	s:start()
	s:bp("SU_LPSIZE", {lsize=12, psize=24})
	s:depth(false, "always", false)
	for k = 0, 7 do
		local x, y = k % 4 * 160, k // 4 * 240
		s:scissor(x, y, 160, 240)
		s:viewport(x + 20, y + 60, 120, 120)
		s:xf("XF_CLIP_DISABLE", k)
		s:draw("triangles", 0, {{-.4, -.3, -.6, c={255, 0, 0, 255}}, {1.5, -1.5, -4, c={255, 255, 0, 255}}, {0, 1.2, -4, c={255, 0, 255, 255}},
			{-1.5, 1, -3, c={0, 255, 0, 255}}, {1.5, 1.5, -3, c={0, 255, 255, 255}}, {3, 9, -40, c={0, 90, 0, 255}},
			{-2.6, -1, -3, c={0, 0, 255, 255}}, {-1.2, -.2, -3, c={90, 90, 255, 255}}, {-1.2, -1.6, -3, c={200, 200, 255, 255}}})
		s:draw("lines", 0, {{-1, 0, -.5, c=WHITE}, {.3, .2, -3, c=hue(.1)}, {.5, .5, -3, c=WHITE}, {9, 20, -60, c=hue(.4)},
			{-2.2, 1.4, -3, c=WHITE}, {2.2, .8, -3, c=hue(.8)}})
		s:draw("points", 0, {{1.9, 0, -3, c=hue(.2)}, {0, -.5, -.9, c=hue(.5)}, {-4, -9, -25, c=hue(.7)}})
	end
	s:finish()
end)

-- The scissor's offset moves the picture by a wrap of 1024: rectangles that begin right of the EFB's end show at its left.
build("scissor-wrap", function(s)
	s:start()
	s:viewport(-1024, -1024, 3072, 3072)
	s:ortho(3072, 3072)
	local function everything(k)
		s:draw("quads", 0, {{0, 0, -.5, c=hue(k / 6)}, {3072, 0, -.5, c=WHITE}, {3072, 3072, -.5, c=hue(k / 6 + .3)}, {0, 3072, -.5, c={0, 0, 0}}})
	end
	for k, r in ipairs{{0, 342, 99, 869, 500, 171}, {1300, 400, 1500, 500, 171, 171}, {342, 1300, 981, 1420, 171, 171}, {0, 600, 2047, 640, 171, 171},
			{900, 700, 1100, 760, 300, 171}, {700, 0, 760, 100, 171, 400}} do
		s:bp("SU_SCIS0", r[1] << 12 | r[2])
		s:bp("SU_SCIS1", r[3] << 12 | r[4])
		s:bp("SU_SCIS_OFFSET", {x=r[5], y=r[6]})
		everything(k)
	end
	s:finish()
end)

-- ---- fields and planes ----------------------------------------------------------------------------------------------------------

-- Frames drawn with even, odd and no lines masked, then copies of the even and of the odd lines of one picture.
build("display-fields", function(s)
	s:start()
	local function picture(k)
		for i = 0, 11 do
			local a = i * math.pi / 6 + k
			s:draw("triangles", 0, {{160, 120, -.5, c=WHITE}, {160 + 150 * math.cos(a), 120 + 110 * math.sin(a), -.5, c=hue(i / 12)},
				{160 + 150 * math.cos(a + .4), 120 + 110 * math.sin(a + .4), -.5, c=hue(i / 12 + .1)}})
		end
	end
	for k, mask in ipairs{{true, false}, {false, true}, {false, false}} do
		s:bp("PE_FIELD_MASK", {odd=mask[1], even=mask[2]})
		picture(k)
		s:bp("PE_FIELD_MASK", {odd=true, even=true})
		s:finish()
	end
	picture(0)
	s:finish{field=2, clear=false}
	s:finish{field=3, clear=false}
end, {width=WIDTH, height=HEIGHT})

-- Pixel types 4 to 7 with each plane chosen: drawn, copied to a texture, shown; then what the words are as RGB8.
build("yuv-planes", function(s)
	s:start()
	for k = 4, 7 do
		for plane = 0, 3 do
			s:bp("PE_CONTROL", k | 1 << 6)
			s:bp("PE_CMODE1", plane << 10)
			s:quad(80 * plane + 4, 60 * (k - 4) + 4, 72, 52, {colours={{255, 0, 0, 255}, {0, 255, 0, 128}, {0, 0, 255, 255}, {255, 255, 255, 0}}})
		end
	end
	s:copy{width=64, height=64, address=0x200000, format=6}
	s:finish{clear=false}
	s:bp("PE_CMODE1", 0)
	s:pixels("rgb8_z24")
	s:finish{clear=false}
	textured(s)
	s:texture(0, {width=64, height=64, format="RGBA8", address=0x200000})
	s:quad(0, 0, 320, 240, {uv={0, 0, 1, 1}})
	s:finish()
end, {width=WIDTH, height=HEIGHT})

-- ---- texture bits ---------------------------------------------------------------------------------------------------------------

-- round and field_predict of TX_SETMODE0, one alone and both, with linear filters; range bias of the coordinates, one axis and both.
build("tex-round-predict", function(s)
	s:start()
	textured(s)
	local data = qs.encode("RGBA8", 32, 32, letter(32, 32, true))
	for k = 0, 7 do
		s:texture(0, {width=32, height=32, format="RGBA8", address=0x100000, wrap_s="repeat", wrap_t="repeat", data=k == 0 and data or nil})
		if k < 4 then
			s:bp("TX_SETMODE0_0", {round=k & 1 == 1, field_predict=k & 2 == 2})
		else
			s:bp("SU_SSIZE_0", {size=31, bias=k & 1 == 1})
			s:bp("SU_TSIZE_0", {size=31, bias=k & 2 == 2})
		end
		s:quad(4 + k % 4 * 79, 4 + k // 4 * 118, 75, 112, {uv={-1.2, -.3, .9, 1.4}})
	end
	s:finish()
end, {width=WIDTH, height=HEIGHT})

-- No texture coordinates at all: texels are black, and indirect stages have nothing to look up with.
build("tex-no-coordinates", function(s)
	s:start()
	s:generate{tex=0, indirect=1, stages=2}
	s:texture(0, {width=32, height=32, format="RGBA8", address=0x100000, data=qs.encode("RGBA8", 32, 32, function() return 255, 255, 255, 200 end)})
	s:bp("RAS1_IREF", {map0=0, coord0=0})
	s:order(0, 0, 0, "colour0")
	s:order(1, nil, 0, "bump")
	s:bp("IND_CMD_1", {bs=1})
	s:tev(0, "tex_rgb zero zero ras_rgb", "zero zero zero ras")
	s:tev(1, "prev_rgb zero zero ras_rgb", "zero zero zero prev")
	s:quad(20, 20, 280, 200, {colours={{200, 0, 0, 255}, {0, 200, 0, 255}, {0, 0, 200, 255}, {90, 90, 90, 255}}})
	s:finish()
end, {width=WIDTH, height=HEIGHT})

-- Levels of their own colours, 64x64 down to 1x1.
local function levels()
	local parts = {}
	for level = 0, 6 do
		local c = hue(level / 7)
		parts[#parts + 1] = qs.encode("RGB565", 64 >> level, 64 >> level, function(x, y)
			local shade = (x + y) & 1 == 1 and 1 or .6
			return c[1] * shade // 1, c[2] * shade // 1, c[3] * shade // 1
		end)
	end
	return table.concat(parts)
end

-- What Dolphin's software renderer does not know: cylindrical wrap, anisotropy, the clamp of the LOD bias, field mode, LOD of moved
-- coordinates, lines of the texture cache that nobody invalidated.
build("tex-rare-bits", function(s)
	s:start()
	textured(s)
	local function mipped(o)
		o.width, o.height, o.format, o.address, o.wrap_s, o.wrap_t, o.mip, o.max_lod = 64, 64, "RGB565", 0x110000, "repeat", "repeat", "linear", 6
		s:texture(0, o)
	end
	-- s from 0.9 to 0.1 goes the short way round
	s:texture(0, {width=32, height=32, format="RGBA8", address=0x100000, wrap_s="repeat", wrap_t="repeat", data=qs.encode("RGBA8", 32, 32, letter(32, 32, true))})
	s:bp("SU_SSIZE_0", {size=31, wrap=true})
	s:quad(4, 4, 100, 74, {uv={.9, 0, .1, 1}})
	mipped{data=levels(), aniso=2}
	s:quad(110, 4, 100, 74, {uv={0, 0, 3, 20}})
	mipped{bias=-3, lod_clamp=true}
	s:quad(216, 4, 100, 74, {uv={0, 0, 3, 12}})
	mipped{}
	s:bp("TX_MISC", 1)
	s:quad(4, 82, 100, 74, {uv={0, 0, 2, 12}})
	s:bp("TX_MISC", 0)
	-- an indirect stage whose texels are all alike but for a column: its LOD is seen where coordinates jump
	s:generate{tex=1, indirect=1}
	s:texture(1, {width=8, height=8, format="IA8", address=0x120000, mag="nearest", min="nearest", wrap_s="repeat", coordinate=1,
		data=qs.encode("IA8", 8, 8, function(x) return 0, 0, 0, x & 1 == 1 and 255 or 0 end)})
	s:bp("RAS1_IREF", {map0=1, coord0=0})
	s:bp("IND_MTX_A_0", {m00=.9, m10=0, scale=1})
	s:bp("IND_MTX_B_0", {m01=0, m11=0, scale=1})
	s:bp("IND_MTX_C_0", {m02=0, m12=0, scale=1})
	s:bp("IND_CMD_0", {matrix="matrix0"})
	s:quad(110, 82, 100, 74, {uv={0, 0, 1.5, 1.1}})
	s:bp("IND_CMD_0", 0)
	textured(s)
	-- the same address with another picture: the second time without TX_INVTAGS
	for k = 0, 2 do
		s:texture(2, {width=32, height=32, format="RGBA8", address=0x130000, coordinate=0, data=qs.encode("RGBA8", 32, 32, function(x, y)
			return k == 0 and 255 or x * 8, k == 1 and 255 or y * 8, k == 2 and 255 or 0
		end)})
		if k == 2 then
			s:invalidate_textures()
		end
		s:order(0, 2, 0, 0)
		s:scissor(4 + 106 * k, 160, 100, 74) -- a state change: updates belong to what is drawn between two of them
		s:quad(0, 160, 320, 74, {uv={0, 0, 1, 1}})
	end
	s:finish()
end, {width=WIDTH, height=HEIGHT})

-- ---- vertices ---------------------------------------------------------------------------------------------------------------------

-- What of the transform is known to differ: bytes without scale, matrix indices of CP and XF that disagree, coordinates that vertices
-- lack, matrix rows beyond the last, a normal of zero length, sums of light beyond all bounds, a mirrored viewport, denormal numbers.
build("vertex-rare-bits", function(s)
	s:clear_colour(60, 60, 90)
	s:start()
	local function at(x, y, k)
		s:matrix(k or 0, {{1, 0, 0, x}, {0, 1, 0, y}, {0, 0, 1, 0}})
	end
	local function square(size, o)
		o = o or {}
		local v = {}
		for i, p in ipairs{{0, 0}, {1, 0}, {1, 1}, {0, 1}} do
			v[i] = {p[1] * size, p[2] * size, -.5, c=o.colour or hue(i / 5), n=o.normal, t=o.t and o.t[i]}
		end
		s:draw("quads", o.format or 0, v)
	end
	at(10, 10)
	for format, kind in ipairs{"u8", "u16"} do
		s:format(format, {position={kind, frac=1, count=2}, dequant=false})
		local k = kind == "u8" and 1 or .5 -- numbers are packed as the hardware takes them
		s:draw("quads", format, {{0, 0, c=hue(.1)}, {60 * k, 0, c=hue(.3)}, {60 * k, 30, c=hue(.6)}, {0, 30, c=hue(.8)}})
		at(10, 45)
	end
	at(80, 10)
	at(120, 40, 3)
	s:xf(0x1018, 0x3CF3CF00)
	s:cp("MATINDEX_A", 0x3CF3CF03)
	square(30)
	s:cp("MATINDEX_A", 0x3CF3CF00)
	s:xf(0x1018, 0x3CF3CF00)
	-- a coordinate of the vertices before
	textured(s)
	s:texture(0, {width=64, height=64, format="RGB565", address=0x100000, wrap_s="repeat", wrap_t="repeat", data=qs.encode("RGB565", 64, 64, letter())})
	at(160, 10)
	square(60, {t={{.2, .2}, {.5, .2}, {.5, .9}, {.7, .7}}})
	s:attributes()
	at(230, 10)
	square(60)
	s:generate()
	s:order(0)
	s:tev(0, "zero zero zero ras_rgb", "zero zero zero ras")
	-- rows 62, 63 and what follows
	s:xf(0xF8, 1.0, 0.0, 0.0, 10.0, 0.0, 1.0, 0.0, 90.0)
	s:xf(0x100, 0.0, 0.0, 1.0, .2)
	s:matrix(0, {{0, 0, 1, -.3}})
	s:xf(0x1018, 0x3CF3CF3E)
	s:cp("MATINDEX_A", 0x3CF3CF3E)
	square(60)
	s:xf(0x1018, 0x3CF3CF00)
	s:cp("MATINDEX_A", 0x3CF3CF00)
	-- light
	s:attributes{normal="direct"}
	s:light(0, {colour={200, 160, 90, 255}, position={0, 0, 9}})
	s:xf("COLOR0_CONTROL", {matsrc="register", lighting=true, light0=true, diffuse="clamped"})
	at(80, 90)
	square(60, {normal={0, 0, 0}})
	s:light(0, {colour={200, 160, 90, 255}, position={0, 0, 9}, angle={1e30, 0, 0}, distance={1, 0, 0}, direction={0, 0, 1}})
	s:xf("COLOR0_CONTROL", {matsrc="register", lighting=true, light0=true, diffuse="none", attn_enable=true, attn_select="spot"})
	at(150, 90)
	square(60, {normal={0, 0, 1}})
	s:xf("COLOR0_CONTROL", {matsrc="vertex", lighting=false})
	s:attributes()
	-- mirrored viewports, back faces culled
	for k, side in ipairs{{1, 1}, {-1, 1}, {1, -1}, {-1, -1}} do
		s:xf(0x101A, side[1] * 160.0, side[2] * -120.0, 16777215.0, 160.0 + 342, 120.0 + 342, 16777215.0)
		s:generate{cull=1}
		at(20 + 70 * k, 170)
		square(20)
		s:generate{cull=2}
		at(20 + 70 * k, 200)
		square(20)
		s:generate()
	end
	s:viewport(0, 0, WIDTH, HEIGHT)
	-- x is a denormal number times 2^127
	s:xf(0, 2.0 ^ 127, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 210.0, 0.0, 0.0, 1.0, 0.0)
	s:xf(0x1020, 2.0 ^ 13, 0.0)
	local tiny = 2.0 ^ -140
	s:draw("quads", 0, {{0, 0, -.5, c=hue(0)}, {tiny * .9, 0, -.5, c=hue(.2)}, {tiny * .9, 20, -.5, c=hue(.5)}, {0, 20, -.5, c=hue(.7)}})
	s:finish()
end, {width=WIDTH, height=HEIGHT})
