-- combiners.lua - scenes of TEV, indirect textures and fog
-- Arguments: names of the captures to build; all of them without.
-- SPDX-License-Identifier: GPL-2.0-or-later
local build, hue, letter = qs.build, qs.hue, qs.letter
local WHITE = {255, 255, 255, 255}
local GRADIENT = {{0, 0, 0, 0}, {255, 0, 128, 255}, WHITE, {128, 255, 0, 64}}
local RAS, ARAS = "zero zero zero ras_rgb", "zero zero zero ras"

-- ---- TEV ------------------------------------------------------------------------------------------------------------------

-- Sixteen stages, each of which adds a small step that its konst selection chooses.
build("tev-sixteen-stages", function(s)
	s:start()
	s:generate{stages=16}
	for k = 0, 3 do
		s:konst_register(k, 8 * k + 4, 20 - 4 * k, 6 * (k ~ 2), 255)
	end
	for i = 0, 15 do
		s:order(i)
		s:konst(i, 12 + i % 4, 28 + i % 4)
		s:tev(i, "zero konst ras_rgb " .. (i > 0 and "prev_rgb" or "zero"), "zero konst ras " .. (i > 0 and "prev" or "zero"))
	end
	s:quad(30, 30, 580, 420, {colours={{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, WHITE}})
	s:finish()
end)

-- Add and subtract, bias, scale and clamp on a gradient, with results above 255 and below 0.
build("tev-ops", function(s)
	s:start()
	s:tev_register(1, 200, 120, 40, 255)
	s:tev_register(2, 60, 200, 90, 255)
	for k = 0, 31 do
		local op = k & 1
		s:generate{stages=2}
		s:order(1)
		s:tev(0, "c0_rgb c1_rgb ras_rgb " .. (op == 1 and "one" or "zero"), ARAS, {op=op, bias=k // 2 % 3, scale=k // 6 % 4, clamp=k >> 4 == 1})
		s:tev(1, "zero zero zero prev_rgb", ARAS)
		s:quad(8 + k % 8 * 79, 10 + k // 8 * 117, 74, 110, {colours={{0, 0, 0, 255}, {255, 0, 128, 255}, WHITE, {128, 255, 0, 255}}})
	end
	s:finish()
end)

-- Registers of 11 signed bits and results that are not clamped.
build("tev-signed-registers", function(s)
	s:start()
	s:generate{stages=3}
	s:tev_register(1, -300, 600, -1024, 255)
	s:tev_register(2, 400, -200, 1023, 255)
	for i = 0, 2 do
		s:order(i)
	end
	s:tev(0, "c0_rgb c1_rgb ras_rgb zero", ARAS, {clamp=false, dest="c2"})
	s:tev(1, "zero c2_rgb half ras_rgb", ARAS, {op=1, clamp=false, dest="c0"})
	s:tev(2, "zero c0_rgb one c2_rgb", ARAS, {scale=3})
	s:quad(30, 30, 580, 420, {colours={{0, 0, 0, 255}, {255, 0, 128, 255}, WHITE, {64, 255, 0, 255}}})
	s:finish()
end)

-- Compare modes of colour: what is compared, greater and equal, on a gradient against a register.
build("tev-compare-colour", function(s)
	s:start()
	s:tev_register(1, 128, 100, 60, 128)
	s:tev_register(2, 250, 180, 60, 255)
	for k = 0, 7 do
		local x, y = 10 + k % 4 * 157, 20 + k // 4 * 230
		s:generate{stages=2}
		s:order(1)
		s:tev(0, "ras_rgb c0_rgb c1_rgb zero", "ras c0 c1 zero", {bias="compare", op=k // 4, scale=k % 4, alpha_bias="compare",
			alpha_op=k // 4, alpha_scale=3})
		s:tev(1, "zero zero zero prev_rgb", "zero zero zero prev")
		s:quad(x, y, 145, 215, {colours={{0, 0, 0, 0}, {255, 60, 60, 255}, {255, 255, 200, 128}, {100, 128, 60, 128}}})
	end
	s:finish()
end)

-- Compare modes of alpha: r8, gr16 and bgr24 take the colour combiner's inputs, a8 its own; the result is shown as brightness.
build("tev-compare-alpha", function(s)
	s:start()
	s:tev_register(1, 128, 100, 60, 90)
	for k = 0, 7 do
		s:generate{stages=2}
		s:order(1)
		s:tev(0, "ras_rgb c0_rgb zero zero", "ras c0 ras prev", {alpha_bias="compare", alpha_op=k // 4, alpha_scale=k % 4})
		s:tev(1, "zero zero zero prev_aaa", "zero zero zero prev")
		s:quad(10 + k % 4 * 157, 20 + k // 4 * 230, 145, 215, {colours={{0, 0, 0, 20}, {255, 60, 60, 255}, {255, 255, 200, 128}, {128, 100, 60, 90}}})
	end
	s:finish()
end)

-- All konst selections of colour and alpha; alpha is shown by blending.
build("tev-konst", function(s)
	local selections = {"1", "7/8", "6/8", "5/8", "4/8", "3/8", "2/8", "1/8", "k0_rgb", "k1_rgb", "k2_rgb", "k3_rgb", "k0_r", "k1_r", "k2_r",
		"k3_r", "k0_g", "k1_g", "k2_g", "k3_g", "k0_b", "k1_b", "k2_b", "k3_b", "k0_a", "k1_a", "k2_a", "k3_a"}
	s:clear_colour(40, 80, 120)
	s:start()
	for i = 0, 3 do
		s:konst_register(i, 40 + 60 * i, 250 - 50 * i, 20 + 70 * (i ~ 1), 255 - 40 * i)
	end
	s:blend{mode="blend"}
	s:tev(0, "zero zero zero konst", "zero zero zero konst")
	for k, name in ipairs(selections) do
		s:konst(0, name, k > 8 and k <= 12 and "k" .. k - 9 .. "_a" or name)
		s:quad(8 + (k - 1) % 7 * 90, 8 + (k - 1) // 7 * 118, 82, 110)
	end
	s:finish()
end)

-- Swap tables: raster and texture colour through all four, and one that repeats alpha.
build("tev-swap", function(s)
	s:attributes{tex={"direct"}}
	s:generate{tex=1}
	s:order(0, 0, 0, 0)
	s:start()
	s:texture(0, {width=64, height=64, format="RGBA8", address=0x100000, data=qs.encode("RGBA8", 64, 64, letter()), mag="nearest"})
	s:swap(1, "b", "g", "r", "a")
	s:swap(2, "a", "r", "g", "b")
	s:swap(3, "g", "a", "a", "r")
	for k = 0, 15 do
		s:tev(0, "zero tex_rgb ras_rgb zero", "zero tex ras zero", {ras_swap=k % 4, tex_swap=k // 4})
		s:quad(8 + k % 4 * 158, 6 + k // 4 * 118, 150, 112, {colours={{255, 255, 255, 255}, {255, 160, 80, 255}, {255, 80, 160, 200}, {80, 255, 255, 120}},
			uv={0, 0, 1, 1}})
	end
	s:finish()
end)

-- Results that go through all four registers, with alpha of a register as colour.
build("tev-registers", function(s)
	s:start()
	s:generate{stages=4}
	for i = 1, 3 do
		s:order(i)
	end
	s:tev(0, "zero zero zero ras_rgb", "zero zero zero ras", {dest="c0", alpha_dest="c1"})
	s:tev(1, "zero c0_rgb c1_aaa zero", "zero c1 ras zero", {dest="c2", alpha_dest="c2"})
	s:tev(2, "c2_rgb c0_rgb c1_aaa half", "zero zero zero c2", {op=1, dest="c1", clamp=false})
	s:tev(3, "c1_rgb one c2_aaa c2_rgb", "zero zero zero c1", {scale=1})
	s:quad(30, 30, 580, 420, {colours=GRADIENT})
	s:finish()
end)

-- ---- indirect textures ----------------------------------------------------------------------------------------------------

local function toward_zero(v)
	return v < 0 and math.ceil(v) or math.floor(v)
end

local function indirect(s, stages)
	s:attributes{tex={"direct", "direct"}}
	s:generate{tex=2, indirect=stages}
	s:texture(0, {width=64, height=64, format="RGB565", address=0x100000, data=qs.encode("RGB565", 64, 64, letter()), wrap_s="repeat", wrap_t="repeat"})
	s:texture(1, {width=64, height=64, format="IA8", address=0x140000, wrap_s="repeat", wrap_t="repeat", data=qs.encode("IA8", 64, 64, function(x, y)
		local i, a = 128 + toward_zero(100 * math.sin(y * 2 * math.pi / 64)), 128 + toward_zero(100 * math.cos(x * 2 * math.pi / 64))
		return i, i, i, a
	end)})
	s:bp("RAS1_IREF", {map0=1, coord0=1})
	s:bp("RAS1_SS0", 0)
	s:order(0, 0, 0, 0)
	s:tev(0, "zero zero zero tex_rgb", ARAS)
end

-- A 2x3 matrix of parts of 1 times 2^exponent.
local function matrix(s, i, m, exponent)
	local e = exponent + 17
	s:bp("IND_MTX_A_" .. i, {m00=m[1], m10=m[4], scale=e & 3})
	s:bp("IND_MTX_B_" .. i, {m01=m[2], m11=m[5], scale=e >> 2 & 3})
	s:bp("IND_MTX_C_" .. i, {m02=m[3], m12=m[6], scale=e >> 4 & 1})
end

-- A sine warp of s and t at four strengths.
build("indirect-warp", function(s)
	s:start()
	indirect(s, 1)
	for k = 0, 3 do
		matrix(s, 0, {.5, 0, 0, 0, .5, 0}, k - 4)
		s:bp("IND_CMD_0", {bt=0, bias_s=true, bias_t=true, bias_u=true, matrix="matrix0"})
		s:quad(20 + k % 2 * 305, 15 + k // 2 * 228, 295, 220, {uv={0, 0, 2, 2}, n=2})
	end
	s:finish()
end)

-- Formats of 8, 5, 4 and 3 bits, biases, and the dynamic matrices.
build("indirect-formats", function(s)
	s:start()
	indirect(s, 1)
	matrix(s, 1, {.3, .1, 0, -.2, .4, 0}, -2)
	local bias, kind = {0, 1, 3, 7}, {[4]=1, [5]=2}
	for k = 0, 7 do
		local b = bias[k // 2 + 1]
		s:bp("IND_CMD_0", {fmt=k & 3, bias_s=b & 1 == 1, bias_t=b & 2 == 2, bias_u=b & 4 == 4, matrix="matrix1", matrix_type=kind[k] or 0})
		s:quad(15 + k % 4 * 157, 20 + k // 4 * 230, 145, 215, {uv={0, 0, 1, 1}, n=2})
	end
	s:finish()
end)

-- Bump alpha as a raster colour, plain and normalised.
build("indirect-bump-alpha", function(s)
	s:start()
	indirect(s, 1)
	s:tev_register(1, 255, 120, 0, 255)
	for k = 0, 5 do
		s:order(0, 0, 0, k < 3 and "bump" or "bump_normalised")
		s:bp("IND_CMD_0", {bs=k % 3 + 1})
		s:tev(0, "zero c0_rgb ras_aaa zero", ARAS)
		s:quad(15 + k % 3 * 207, 20 + k // 3 * 230, 195, 215, {uv={0, 0, 1, 1}, n=2})
	end
	s:finish()
end)

-- Coordinates of the indirect lookup from 1 to 1/64.
build("indirect-coord-scale", function(s)
	s:start()
	indirect(s, 1)
	matrix(s, 0, {.5, 0, 0, 0, .5, 0}, -2)
	s:bp("IND_CMD_0", {bias_s=true, bias_t=true, bias_u=true, matrix="matrix0"})
	for k = 0, 5 do
		s:bp("RAS1_SS0", {s0=k, t0=6 - k})
		s:quad(15 + k % 3 * 207, 20 + k // 3 * 230, 195, 215, {uv={0, 0, 1, 1}, n=2})
	end
	s:finish()
end)

-- Coordinates wrapped to 256 .. 16 texels and to zero before the offset is added.
build("indirect-wrap", function(s)
	s:start()
	indirect(s, 1)
	matrix(s, 0, {.4, .1, 0, -.2, .4, 0}, -3)
	for k = 0, 7 do
		s:bp("IND_CMD_0", {bias_s=true, bias_t=true, bias_u=true, matrix="matrix0", wrap_s=k, wrap_t=(k + 2) % 8})
		s:quad(10 + k % 4 * 157, 20 + k // 4 * 230, 145, 215, {uv={0, 0, 4, 6}, n=2})
	end
	s:finish()
end)

-- Four indirect stages, one for each TEV stage, with the coordinate of the stage before added.
build("indirect-add-previous", function(s)
	s:start()
	indirect(s, 4)
	s:bp("RAS1_IREF", {map0=1, coord0=1, map1=1, coord1=0, map2=1, coord2=1, map3=1, coord3=0})
	s:bp("RAS1_SS0", {s0=0, t0=1, s1=1, t1=0})
	s:bp("RAS1_SS1", {s2=2, t2=2, s3=0, t3=3})
	for i = 0, 2 do
		matrix(s, i, {.3, .1 * i, 0, -.1 * i, .3, .1}, -4 + i)
	end
	for k = 0, 3 do
		s:generate{tex=2, indirect=4, stages=k + 1}
		for i = 0, k do
			s:order(i, 0, 0, 0)
			s:bp("IND_CMD_" .. i, {bt=i, bias_s=true, bias_t=true, matrix=1 + i % 3, fb_addprev=i > 0, utclod=i == 2})
			s:tev(i, i == k and "zero zero zero tex_rgb" or RAS, ARAS)
		end
		s:quad(15 + k % 2 * 310, 12 + k // 2 * 232, 300, 220, {uv={0, 0, 2, 2}, n=2})
	end
	s:finish()
end)

-- Bump alpha of all formats and components as a raster colour, plain and normalised.
build("indirect-bump-formats", function(s)
	s:start()
	indirect(s, 1)
	s:tev(0, "zero zero zero ras_rgb", ARAS)
	for k = 0, 23 do
		s:order(0, 0, 0, k < 12 and "bump" or "bump_normalised")
		s:bp("IND_CMD_0", {fmt=k % 4, bs=1 + k // 4 % 3, bias_s=k % 2 == 1})
		s:quad(6 + k % 8 * 79, 10 + k // 8 * 155, 74, 148, {uv={0, 0, 1, 1}, n=2})
	end
	s:finish()
end)

-- ---- fog ------------------------------------------------------------------------------------------------------------------

-- As a program computes the fog registers: perspective from near and far, or orthographic.
local function fog(s, kind, start, stop, near, far, colour, ortho)
	local a, b, c
	local mantissa, exponent = 0, 0
	if ortho then
		a, b, c = (far - near) / (stop - start), 0.0, (start - near) / (stop - start)
	else
		a, b, c = far * near / ((far - near) * (stop - start)), far / (far - near), start / (stop - start)
		while b > 1 do
			b, exponent = b / 2, exponent + 1
		end
		while b > 0 and b < .5 do
			b, exponent = b * 2, exponent - 1
		end
		a = a / (1 << exponent + 1)
		mantissa, exponent = math.floor(b * 8388638.0), exponent + 1
	end
	s:bp("TEV_FOG_PARAM_0", {a=a})
	s:bp("TEV_FOG_PARAM_1", {b_magnitude=mantissa & 0xFFFFFF})
	s:bp("TEV_FOG_PARAM_2", {b_shift=exponent})
	s:bp("TEV_FOG_PARAM_3", {c=c, projection=ortho and "orthographic" or "perspective", type=kind})
	s:bp("TEV_FOG_COLOR", {red=colour[1], green=colour[2], blue=colour[3]})
end

local function corridor(s)
	for i = 0, 9 do
		local z0, z1, a, b = -1.2 - i * 2, -3.2 - i * 2, hue(i / 10), hue(i / 10 + .05)
		for _, sign in ipairs{-1, 1} do
			s:draw("quads", 0, {{sign * 1.5, -1, z0, c=a}, {sign * 1.5, 1, z0, c=b}, {sign * 1.5, 1, z1, c=b}, {sign * 1.5, -1, z1, c=a}})
			s:draw("quads", 0, {{-1.5, sign, z0, c=b}, {1.5, sign, z0, c=a}, {1.5, sign, z1, c=a}, {-1.5, sign, z1, c=b}})
		end
	end
	s:draw("quads", 0, {{-1.5, -1, -21, c=WHITE}, {1.5, -1, -21, c=WHITE}, {1.5, 1, -21, c=WHITE}, {-1.5, 1, -21, c=WHITE}})
end

for name, kind in pairs{["fog-linear"]="linear", ["fog-exp"]="exp", ["fog-exp2"]="exp2", ["fog-revexp"]="back_exp", ["fog-revexp2"]="back_exp2"} do
	build(name, function(s)
		s:perspective(60, 4 / 3, 1, 30)
		s:start()
		fog(s, kind, 3, 20, 1, 30, {150, 160, 190})
		corridor(s)
		s:finish()
	end)
end

-- Orthographic fog of all kinds on planes that lean away.
build("fog-orthographic", function(s)
	s:start()
	for k, kind in ipairs{"linear", "exp", "exp2", "back_exp", "back_exp2", "off"} do
		local x, y = 15 + (k - 1) % 3 * 207, 20 + (k - 1) // 3 * 230
		fog(s, kind, .2, .8, 0, 1, {200, 180, 90}, true)
		s:draw("quads", 0, {{x, y, -.95, c=hue(k / 6)}, {x + 195, y, -.05, c=hue(k / 6)}, {x + 195, y + 215, -.1, c=hue(k / 6 + .3)},
			{x, y + 215, -.9, c=hue(k / 6 + .3)}})
	end
	s:finish()
end)

-- Range adjustment: the fog of a wall bends with the angle from the centre.
build("fog-range", function(s)
	s:perspective(90, 4 / 3, 1, 30)
	s:start()
	fog(s, "linear", 3, 12, 1, 30, {220, 220, 255})
	s:bp("TEV_FOG_RANGE", {centre=320 + 342, enable=true})
	for i = 0, 4 do
		local function ratio(k) -- at 32 pixel steps, for a field of 90 degrees
			local x = (k + 1) * 32 / 320
			return math.sqrt(1 + x * x)
		end
		s:bp("TEV_FOG_RANGE_K" .. i, {k_even=ratio(2 * i), k_odd=ratio(2 * i + 1)})
	end
	s:draw("quads", 0, {{-20, 4, -6, c=hue(0)}, {20, 4, -6, c=hue(.3)}, {20, 0, -6, c=hue(.5)}, {-20, 0, -6, c=hue(.8)}})
	s:bp("TEV_FOG_RANGE", {enable=false})
	s:draw("quads", 0, {{-20, 0, -6, c=hue(.8)}, {20, 0, -6, c=hue(.5)}, {20, -4, -6, c=hue(.3)}, {-20, -4, -6, c=hue(0)}})
	s:finish()
end)
