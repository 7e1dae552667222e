-- setup.lua - scenes of primitives, clipping, scissor, and of what a log can hold
-- Arguments: names of the captures to build; all of them without.
-- SPDX-License-Identifier: GPL-2.0-or-later
local build, hue, letter = qs.build, qs.hue, qs.letter
local WHITE = {255, 255, 255, 255}
local T0 = 0x100000

local function textured(s)
	s:attributes{tex={"direct"}}
	s:generate{tex=1}
	s:order(0, 0, 0, 0)
	s:tev(0, "zero tex_rgb ras_rgb zero", "zero tex ras zero")
end

-- ---- primitives -----------------------------------------------------------------------------------------------------------

-- One triangle; all other state is the initial one.
build("triangle-gouraud", function(s)
	s:start()
	s:draw("triangles", 0, {{320, 40, -.5, c={255, 0, 0}}, {600, 440, -.5, c={0, 255, 0}}, {40, 440, -.5, c={0, 0, 255}}})
	s:finish()
end)

-- All eight primitive opcodes.
build("primitives-all", function(s)
	s:start()
	for k, kind in ipairs{"quads", "quads2", "triangles", "strip", "fan", "lines", "line_strip", "points"} do
		k = k - 1
		local x, y, p = 20 + k % 4 * 155, 30 + k // 4 * 230, nil
		if kind == "fan" then
			p = {{x + 65, y + 90}}
			for i = 0, 5 do
				p[#p + 1] = {x + 65 + 60 * math.cos(i * 1.0), y + 90 + 80 * math.sin(i * 1.0)}
			end
		elseif kind == "strip" then
			p = {}
			for i = 0, 6 do
				p[#p + 1] = {x + i * 20, y + (i % 2 == 1 and 0 or 150)}
			end
		else
			p = {{x, y}, {x + 60, y + 10}, {x + 50, y + 70}, {x + 5, y + 60}, {x + 70, y + 80}, {x + 130, y + 90}, {x + 125, y + 160}, {x + 60, y + 150}}
			if kind == "triangles" then
				p[7], p[8] = nil, nil
			end
		end
		if k >= 5 then
			s:bp("SU_LPSIZE", {lsize=18, psize=48})
		end
		for i, v in ipairs(p) do
			v[3], v.c = -.5, hue((i - 1) % 8 / 8)
		end
		s:draw(kind, 0, p)
	end
	s:finish()
end)

-- Lines of eight widths at many angles.
build("lines-widths", function(s)
	s:start()
	for k, width in ipairs{3, 6, 9, 12, 18, 30, 60, 120} do
		s:bp("SU_LPSIZE", {lsize=width, psize=6})
		local cx, cy, v = 80 + (k - 1) % 4 * 160, 120 + (k - 1) // 4 * 240, {}
		for i = 0, 11 do
			local a = i * math.pi / 6
			v[#v + 1] = {cx + 20 * math.cos(a), cy + 20 * math.sin(a), -.5, c=WHITE}
			v[#v + 1] = {cx + 72 * math.cos(a), cy + 100 * math.sin(a), -.5, c=hue(i / 12)}
		end
		s:draw("lines", 0, v)
	end
	local v = {}
	for i = 0, 20 do
		v[i + 1] = {10 + i * 31, i % 2 == 1 and 470 or 455, -.4, c=hue(i / 20)}
	end
	s:draw("line_strip", 0, v)
	s:finish()
end)

-- The write mask limits the next write only.
build("bp-mask", function(s)
	s:start()
	s:generate()
	s:bp("SU_LPSIZE", 60 | 90 << 8)
	s:bp("BP_MASK", 0xFF)
	s:bp("SU_LPSIZE", 12 | 6 << 8)
	s:draw("lines", 0, {{40, 60, -.5, c=WHITE}, {600, 200, -.5, c={255, 0, 0}}})
	local v = {}
	for i = 0, 3 do
		v[i + 1] = {100 + 150 * i, 320, -.5, c=hue(i / 4)}
	end
	s:draw("points", 0, v)
	s:finish()
end)

-- ---- scissor and clipping -------------------------------------------------------------------------------------------------

-- Scissor rectangles, and the offset register.
build("scissor-offset", function(s)
	s:start()
	local tri = {{320, 0, -.5, c={255, 0, 0}}, {640, 480, -.5, c={0, 255, 0}}, {0, 480, -.5, c={0, 0, 255}}}
	for k = 0, 5 do
		s:scissor(20 + k * 100, 30 + k * 40, 90, 200)
		s:draw("triangles", 0, tri)
	end
	s:scissor(0, 0, 640, 480)
	s:bp("SU_SCIS_OFFSET", {x=171 + 40, y=171 - 60})
	s:scissor(380, 20, 200, 120)
	s:quad(0, 0, 640, 480, {colours={WHITE, {255, 0, 255, 255}, {0, 255, 255, 255}, {255, 255, 0, 255}}, z=-.3})
	s:finish()
end)

-- Offsets that move the picture up and left, down and right, by odd amounts and beyond the EFB's edge.
build("scissor-offsets-far", function(s)
	s:start()
	for k, o in ipairs{{0, 0}, {-100, -60}, {120, 80}, {-300, 100}} do
		s:bp("SU_SCIS_OFFSET", {x=171 + o[1] // 2, y=171 + o[2] // 2})
		s:scissor(math.max(0, o[1]) + 20 * k, math.max(0, o[2]) + 20 * k, 300, 260)
		s:draw("triangles", 0, {{320, 0, -.5 + k / 100, c=hue(k / 4)}, {640, 480, -.5 + k / 100, c=hue(k / 4 + .2)}, {0, 480, -.5 + k / 100, c=WHITE}})
	end
	s:finish()
end)

-- Triangles through the near plane, the far plane and the sides of the view volume.
build("clipping", function(s)
	s:perspective(60, 4 / 3, 1, 20)
	s:start()
	textured(s)
	s:texture(0, {width=64, height=64, format="RGB565", address=T0, wrap_s="repeat", wrap_t="repeat", data=qs.encode("RGB565", 64, 64, letter())})
	s:draw("quads", 0, {{-3, -1, 2, c=WHITE, t={0, 0}}, {3, -1, 2, c=WHITE, t={4, 0}}, {3, -1, -30, c=WHITE, t={4, 20}}, {-3, -1, -30, c=WHITE, t={0, 20}}})
	s:draw("triangles", 0, {{-60, 30, -10, c={255, 0, 0}, t={0, 0}}, {40, 3, -10, c={0, 255, 0}, t={3, 0}}, {-2, 1, -4, c={0, 0, 255}, t={0, 3}}})
	s:draw("fan", 0, {{2, .3, -2, c=WHITE, t={0, 0}}, {9, .1, -.2, c={255, 255, 0}, t={1, 0}}, {9, 9, -30, c={0, 255, 255}, t={1, 1}},
		{1.4, 4, -5, c={255, 0, 255}, t={0, 1}}})
	s:finish()
end)

-- Lines and points at the planes, and triangles with clipping switched off in parts.
build("clipping-lines-points", function(s)
	s:perspective(60, 4 / 3, 1, 20)
	s:start()
	s:bp("SU_LPSIZE", {lsize=18, psize=40})
	local lines, points = {}, {}
	for i = 0, 23 do
		local a = i * math.pi / 12
		lines[#lines + 1] = {0, 0, -5, c=hue(i / 24)}
		lines[#lines + 1] = {9 * math.cos(a), 7 * math.sin(a), i % 3 == 0 and .5 or i % 3 == 1 and -25 or -8, c=hue(i / 24 + .4)}
		points[#points + 1] = {3.8 * math.cos(a), 3.0 * math.sin(a), -5 - i % 4 * .05, c=hue(i / 24 + .7)}
	end
	s:draw("lines", 0, lines)
	s:draw("points", 0, points)
	s:draw("points", 0, {{0, .5, -1, c=WHITE}, {.5, -1, -2, c=WHITE}, {-4, 1, -20, c=WHITE}})
	s:finish()
end)

-- A cube with perspective-correct texture and colour.
build("perspective-cube", function(s)
	s:perspective(50, 4 / 3, 1, 50)
	local ca, sa, cb, sb = math.cos(.6), math.sin(.6), math.cos(.5), math.sin(.5)
	s:matrix(0, {{ca, 0, sa, 0}, {sa * sb, cb, -ca * sb, 0}, {-sa * cb, sb, ca * cb, -4.2}})
	s:start()
	textured(s)
	s:generate{tex=1}
	s:texture(0, {width=64, height=64, format="CMPR", address=T0, data=qs.encode("CMPR", 64, 64, letter(64, 64, true))})
	for axis = 0, 2 do
		for _, side in ipairs{-1, 1} do
			local v = {}
			for i, uv in ipairs{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} do
				local p = {c=hue(axis / 3 + (side > 0 and 1 or 0) / 6 + (i - 1) / 20), t={i == 2 and 1 or i == 3 and 1 or 0, i <= 2 and 1 or 0}}
				p[axis + 1], p[(axis + 1) % 3 + 1], p[(axis + 2) % 3 + 1] = side, uv[1] * side, uv[2]
				v[i] = p
			end
			s:draw("quads", 0, v)
		end
	end
	s:finish()
end)

-- ---- frames, lists, versions ----------------------------------------------------------------------------------------------

local function turning(s, first, last)
	for k = 0, 5 do
		local t = k * .25
		if k >= first and k <= last then
			s:matrix(0, {{math.cos(t), -math.sin(t), 0, 320}, {math.sin(t), math.cos(t), 0, 240}, {0, 0, 1, 0}})
			s:quad(-140, -140, 280, 280, {colours={hue(0), hue(.25), hue(.5), hue(.75)}})
			s:finish()
		end
	end
end

build("animation-six-frames", function(s)
	s:start()
	turning(s, 0, 5)
end)
build("version-1", function(s)
	s:start()
	turning(s, 0, 1)
end, {version=1})
build("version-2", function(s)
	s:start()
	turning(s, 2, 3)
end, {version=2})

-- Drawing commands in a display list, NOPs, and the commands that do nothing.
build("display-list", function(s)
	s:start()
	local address, size = s:list(function()
		for k = 0, 11 do
			s:quad(20 + k % 4 * 155, 20 + k // 4 * 150, 140, 135, {colour=hue(k / 12)})
		end
	end, 0x1D0000)
	s:raw(("\0"):rep(7) .. "\x48" .. ("\0"):rep(3))
	s:call(address, size)
	s:raw("\x44" .. ("\0"):rep(32))
	s:quad(280, 200, 80, 80, {z=-.2})
	s:finish()
end)
