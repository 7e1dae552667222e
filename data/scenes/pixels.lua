-- pixels.lua - scenes of the pixel engine: blending, masks, dither, depth
-- Arguments: names of the captures to build; all of them without.
-- SPDX-License-Identifier: GPL-2.0-or-later
local build, hue = qs.build, qs.hue
local WHITE = {255, 255, 255, 255}
local T0 = 0x100000

local function textured(s)
	s:attributes{tex={"direct"}}
	s:generate{tex=1}
	s:order(0, 0, 0, 0)
	s:tev(0, "zero tex_rgb ras_rgb zero", "zero tex ras zero")
end

-- The 64 pairs of blend factors.
build("blend-factors", function(s)
	s:pixels("rgba6_z24")
	s:clear_colour(60, 120, 180, 128)
	s:start()
	s:blend{}
	s:quad(0, 0, 640, 480, {colours={{60, 120, 180, 40}, {200, 80, 60, 255}, {40, 200, 120, 160}, {220, 220, 90, 0}}, z=-.9})
	for k = 0, 63 do
		s:blend{mode="blend", src=k >> 3, dst=k & 7}
		s:quad(4 + k % 8 * 79.5, 3 + k // 8 * 59.5, 72, 53, {colours={{255, 0, 0, 255}, {0, 255, 0, 128}, {0, 0, 255, 64}, {255, 255, 255, 0}}})
	end
	s:finish()
end)

-- Masks of colour and alpha; alpha is shown afterwards by destination-alpha blending.
build("write-masks", function(s)
	s:pixels("rgba6_z24")
	s:clear_colour(90, 90, 90)
	s:start()
	for k = 0, 3 do
		s:blend{colour=k & 1 == 1, alpha=k >> 1 == 1}
		s:quad(20 + k * 155, 30, 140, 420, {colours={{255, 0, 0, 0}, {0, 255, 0, 80}, {0, 0, 255, 160}, {255, 255, 0, 255}}})
	end
	s:depth(false, "always", false)
	s:blend{mode="blend", src="dst_alpha", dst="inv_dst_alpha", alpha=false}
	s:quad(0, 250, 640, 120)
	s:finish()
end)

-- Six bits a channel: plain and dithered ramps.
build("dither-rgba6", function(s)
	s:pixels("rgba6_z24")
	s:start()
	for k = 0, 1 do
		s:blend{dither=k == 1}
		s:quad(20, 20 + 225 * k, 600, 210, {colours={{0, 0, 0, 255}, {60, 60, 60, 255}, {100, 30, 30, 255}, {20, 50, 90, 255}}})
	end
	s:finish()
end)

-- The depth test before and after texturing, seen through an alpha test that rejects texels.
build("z-early-late", function(s)
	s:start()
	textured(s)
	s:texture(0, {width=64, height=64, format="IA8", address=T0, mag="nearest", data=qs.encode("IA8", 64, 64, function(x, y)
		return 255, 255, 255, (x // 8 + y // 8) % 2 == 1 and 255 or 0
	end)})
	local test, pass = {ref0=128, func0="gequal", func1="always"}, {ref0=0, func0="always", func1="always"}
	s:bp("TEV_ALPHAFUNC", test)
	for k = 0, 1 do
		s:pixels("rgb8_z24", k == 0)
		s:quad(30 + 310 * k, 40, 270, 400, {colour={255, 60, 60, 255}, z=-.3, uv={0, 0, 1, 1}})
		s:bp("TEV_ALPHAFUNC", pass)
		s:quad(60 + 310 * k, 80, 210, 320, {colour={60, 60, 255, 255}, z=-.6, uv={0, 0, .1, .1}})
		s:bp("TEV_ALPHAFUNC", test)
	end
	s:finish()
end)

-- Depth ranges of the viewport, intersecting planes, viewports smaller than the screen.
build("z-viewport-range", function(s)
	s:start()
	local near, far = {0, .25, .5, 0}, {1, .5, 1, .1}
	for k = 0, 3 do
		s:viewport(320 * (k & 1), 240 * (k >> 1), 320, 240, near[k + 1], far[k + 1])
		s:draw("triangles", 0, {{60, 40, -.1, c={255, 0, 0}}, {580, 240, -.9, c={255, 255, 0}}, {60, 440, -.1, c={255, 0, 255}}})
		s:draw("triangles", 0, {{580, 40, -.1, c={0, 255, 255}}, {60, 240, -.9, c={0, 0, 255}}, {580, 440, -.1, c={0, 255, 0}}})
	end
	s:viewport(0, 0, 640, 480)
	s:quad(0, 0, 640, 480, {colours={{255, 255, 255, 255}, {200, 200, 200, 255}, {120, 120, 120, 255}, {160, 160, 160, 255}}, z=-.3})
	s:finish()
end)

-- Depth from a texture: replaced and added, of 8, 16 and 24 bits.
build("z-texture", function(s)
	s:pixels("rgb8_z24", false)
	s:start()
	local dark, light = {60, 60, 60, 255}, {140, 140, 140, 255}
	s:quad(0, 0, 640, 480, {colours={dark, dark, light, light}, z=-.5})
	local function dome(x, y)
		return math.min(255, math.floor(math.sqrt((x - 32) ^ 2 + (y - 32) ^ 2) * 8))
	end
	local images = {
		{"I8", function(x, y) return dome(x, y), dome(x, y), dome(x, y) end},
		{"IA8", function(x, y) return x * 4, x * 4, x * 4, dome(x, y) end},
		{"RGBA8", function(x, y) return dome(x, y), x * 4, y * 4 end},
	}
	s:attributes{tex={"direct"}}
	s:generate{tex=1}
	s:order(0, 0, 0, 0)
	for k = 0, 5 do
		local kind, image = table.unpack(images[k % 3 + 1])
		s:texture(0, {width=64, height=64, format=kind, address=T0 + 0x10000 * (k % 3), data=k < 3 and qs.encode(kind, 64, 64, image) or nil})
		s:bp("TEV_ZENV0", k < 3 and 0 or k % 3 < 2 and 0xC00000 >> (16 - 8 * (k % 3)) & 0xFFFFFF or 0xF00000)
		s:bp("TEV_ZENV1", {type=k % 3, op=k < 3 and "replace" or "add"})
		s:tev(0, "zero zero zero ras_rgb", "zero zero zero ras")
		s:quad(15 + k % 3 * 207, 20 + k // 3 * 230, 195, 215, {colours={hue(k / 6), hue(k / 6 + .2), hue(k / 6 + .3), hue(k / 6 + .1)},
			z=k < 3 and -.5 or -.3, uv={0, 0, 1, 1}})
	end
	s:bp("TEV_ZENV1", 0)
	s:finish()
end)

-- RGB565 with 16-bit depth, compressed for near values, and intersecting planes.
build("z16-rgb565", function(s)
	s:pixels("rgb565_z16", true, "near")
	s:start()
	s:quad(0, 0, 640, 480, {colours={{0, 0, 0, 255}, {255, 0, 0, 255}, WHITE, {0, 0, 255, 255}}, z=-.95})
	for k = 0, 5 do
		s:draw("triangles", 0, {{60 + k * 60, 40, -.1 - k * .1, c=hue(k / 6)}, {580, 100 + k * 50, -.7, c=hue(k / 6 + .1)},
			{40, 440 - k * 30, -.3, c=hue(k / 6 + .2)}})
	end
	s:finish()
end)
