-- copies.lua - scenes of copies: the EFB as a texture, the way to the display
-- Arguments: names of the captures to build; all of them without.
-- SPDX-License-Identifier: GPL-2.0-or-later
local build, hue = qs.build, qs.hue
local WHITE = {255, 255, 255, 255}
local T0 = 0x100000

local function colours_only(s)
	s:attributes()
	s:generate()
	s:order(0)
	s:tev(0, "zero zero zero ras_rgb", "zero zero zero ras")
end

local function textured(s)
	s:attributes{tex={"direct"}}
	s:generate{tex=1}
	s:order(0, 0, 0, 0)
	s:tev(0, "zero zero zero tex_rgb", "zero zero zero tex")
end

local function backdrop(s, a, b)
	a, b = a or {40, 40, 60, 255}, b or {120, 130, 110, 255}
	colours_only(s)
	s:quad(0, 0, s.width, s.height, {colours={a, a, b, b}, z=-0.99})
end

-- What is copied: a ramp of colour and alpha and a triangle of many depths.
local function picture(s)
	colours_only(s)
	s:quad(0, 0, 128, 128, {colours={{255, 40, 0, 255}, {0, 255, 60, 128}, {30, 60, 255, 0}, {250, 250, 80, 64}}, z=-.7})
	s:draw("triangles", 0, {{20, 20, -.2, c={0, 0, 0, 255}}, {110, 50, -.5, c={255, 255, 255, 255}}, {40, 115, -.6, c={128, 0, 128, 90}}})
end

-- ---- to textures ----------------------------------------------------------------------------------------------------------

-- Copied in one format, drawn as another of the same size: {format code, texture format, pixel type, depth=, half=, intensity=, gamma=}.
local function copy(o)
	return function(s)
		local kind = o.pixels or "rgba6_z24"
		s:pixels(kind)
		s:clear_colour(10, 20, 30, 200)
		s:start()
		picture(s)
		if o.depth then
			s:pixels("z24")
		end
		s:copy{width=128, height=128, address=T0, format=o[1], clear=true, half=o.half, intensity=o.intensity, gamma=o.gamma}
		s:invalidate_textures()
		if o.depth then
			s:pixels(kind)
		end
		backdrop(s)
		textured(s)
		s:blend{mode="blend"}
		local n = o.half and 64 or 128
		s:texture(0, {width=n, height=n, format=o[2], address=T0, mag="nearest", min="nearest"})
		s:quad(30, 30, 384, 384, {uv={0, 0, 1, 1}})
		s:texture(0, {width=n, height=n, format=o[2], address=T0})
		s:blend{}
		s:quad(440, 30, 180, 180, {uv={0, 0, 1, 1}})
		s:quad(440, 240, 128, 128, {uv={0, 0, 1, 1}})
		s:finish()
	end
end

local kinds = {
	["copy-rgb565"]={4, "RGB565"}, ["copy-rgb5a3"]={5, "RGB5A3"}, ["copy-rgba8"]={6, "RGBA8"}, ["copy-i8"]={1, "I8", intensity=true},
	["copy-a8"]={7, "I8"}, ["copy-rg8"]={11, "IA8"}, ["copy-half-rgb565"]={4, "RGB565", half=true},
	["copy-half-rgba8"]={6, "RGBA8", half=true, pixels="rgb8_z24"}, ["copy-z24"]={6, "RGBA8", depth=true},
	["copy-r4"]={0, "I4"}, ["copy-i4"]={0, "I4", intensity=true}, ["copy-ra4"]={2, "IA4"}, ["copy-ia4"]={2, "IA4", intensity=true},
	["copy-ra8"]={3, "IA8"}, ["copy-ia8"]={3, "IA8", intensity=true}, ["copy-r8"]={8, "I8"}, ["copy-g8"]={9, "I8"}, ["copy-b8"]={10, "I8"},
	["copy-gb8"]={12, "IA8"}, ["copy-z8"]={8, "I8", depth=true}, ["copy-z8-middle"]={9, "I8", depth=true}, ["copy-z8-low"]={10, "I8", depth=true},
	["copy-z16"]={11, "IA8", depth=true}, ["copy-z16-low"]={12, "IA8", depth=true}, ["copy-z4"]={0, "I4", depth=true},
	["copy-half-i4"]={0, "I4", half=true, intensity=true}, ["copy-half-z16"]={11, "IA8", half=true, depth=true},
	["copy-rgb5a3-opaque"]={5, "RGB5A3", pixels="rgb8_z24"}, ["copy-rgb565-z16"]={4, "RGB565", pixels="rgb565_z16"},
}
local names = {}
for name in pairs(kinds) do
	names[#names + 1] = name
end
table.sort(names)
for _, name in ipairs(names) do
	build(name, copy(kinds[name]))
end

-- Each frame's picture is copied to a texture and drawn smaller in the next.
build("copy-feedback-frames", function(s)
	s:start()
	for k = 0, 2 do
		backdrop(s, hue(k / 3), hue(k / 3 + .3))
		s:depth(false, "always", false)
		textured(s)
		s:texture(0, {width=320, height=240, format="RGB565", address=T0, data=k == 0 and ("\0"):rep(320 * 240 * 2) or nil})
		s:quad(100, 60, 440, 330, {uv={0, 0, 1, 1}})
		s:depth(true, "lequal", true)
		s:copy{width=640, height=480, address=T0, format=4, half=true}
		s:bp("TX_INVTAGS", 0x1000)
		s:finish{clear=false}
	end
end)

-- ---- to the display -------------------------------------------------------------------------------------------------------

-- No primitives: the initial clear, then the clear colour of frame 1.
build("clear-only", function(s)
	s:clear_colour(200, 60, 20)
	s:start()
	s:clear_colour(20, 60, 200)
	s:finish()
	s:clear_colour(30, 180, 40)
	s:finish()
end)

-- Vertical filter: off, as programs set it, a strong blur, a sum above 64.
build("display-copy-filter", function(s)
	s:start()
	for _, w in ipairs{{0, 0, 21, 22, 21, 0, 0}, {8, 8, 10, 12, 10, 8, 8}, {21, 0, 0, 22, 0, 0, 21}, {8, 8, 20, 20, 20, 8, 8}} do
		s:copy_filter(w)
		for i = 0, 59 do
			s:quad(20, 4 + i * 8, 600, 1 + i % 6, {colour=hue(i / 60)})
		end
		s:finish()
	end
end)

-- The filter at the edges of the copied rectangle, clamped to it or not.
build("display-copy-clamp", function(s)
	s:viewport(0, 0, 640, 528)
	s:ortho(640, 528)
	s:scissor(0, 0, 640, 528)
	s:start()
	for k = 0, 3 do
		s:copy_filter{20, 10, 1, 2, 1, 10, 20}
		for i = 0, 25 do
			s:quad(20, 4 + i * 20, 600, 10, {colour=hue(i / 26)})
		end
		s:finish{y=24, height=480, clamp_top=k % 2 == 1, clamp_bottom=k >= 2}
	end
end)

-- Gamma 1.7 and 2.2.
build("display-copy-gamma", function(s)
	s:start()
	for k = 0, 2 do
		s:quad(20, 20, 600, 440, {colours={{0, 0, 0, 255}, {255, 0, 0, 255}, WHITE, {0, 120, 255, 255}}})
		s:finish{gamma=k}
	end
end)

-- 240 lines stretched to 480.
build("display-copy-yscale", function(s)
	s:start()
	s:quad(0, 0, 640, 240, {colours={{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, WHITE}})
	s:draw("lines", 0, {{0, 0, -.3, c=WHITE}, {640, 240, -.3, c={0, 0, 0, 255}}})
	s:finish{yscale=.5}
end, {width=640, height=240})

-- A picture of 320x224 copied from the EFB's 64, 32.
build("display-copy-small", function(s)
	s:scissor(0, 0, 640, 480)
	s:start()
	s:quad(0, 0, 320, 224, {colours={{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, WHITE}})
	s:quad(64, 32, 40, 40, {colour={0, 0, 0, 255}, z=-.2})
	s:finish{x=64, y=32, width=256, height=192}
end, {width=320, height=224})
