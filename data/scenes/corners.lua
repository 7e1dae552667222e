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
