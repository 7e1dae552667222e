-- scene.lua - what scenes can do beyond single registers; every method is made of register writes
-- SPDX-License-Identifier: GPL-2.0-or-later
local scene, trial, shared = ...

local WHITE = {255, 255, 255, 255}
local FORMAT = {I4 = 0, I8 = 1, IA4 = 2, IA8 = 3, RGB565 = 4, RGB5A3 = 5, RGBA8 = 6, C4 = 8, C8 = 9, C14X2 = 10, CMPR = 14}
local XFB = 0x00600000

local function default(value, otherwise)
	if value == nil then
		return otherwise
	end
	return value
end

local function code(names, value, what)
	local n = names[value] or (math.type(value) == "integer" and value)
	if not n then
		error(("%s cannot be %s"):format(what, tostring(value)), 3)
	end
	return n
end

-- ---- memory ---------------------------------------------------------------------------------------------------------------

-- Address of n free bytes of main memory; the FIFO's ring (0x400000) and the display copy (0x600000) are left out.
function scene:allocate(n)
	local address = self.next_address
	if address < 0x440000 and address + n > 0x400000 then
		address = 0x440000
	end
	if address < 0x700000 and address + n > XFB then
		address = 0x700000
	end
	if address + n > 0x1800000 then
		error("the scene needs more than the console's memory", 2)
	end
	self.next_address = (address + n + 31) // 32 * 32
	return address
end

-- ---- vertices -------------------------------------------------------------------------------------------------------------

local MODE = {absent = 0, direct = 1, index8 = 2, index16 = 3}
local MATRICES = {"posmtx", "tex0mtx", "tex1mtx", "tex2mtx", "tex3mtx", "tex4mtx", "tex5mtx", "tex6mtx", "tex7mtx"}

-- Which attributes vertices have from here on, in CP and XF: {position=, normal=, colour0=, colour1=, tex={...}, ntb=, posmtx=...}.
function scene:attributes(a)
	a = a or {}
	local function mode(name, otherwise)
		return code(MODE, default(a[name], otherwise), name)
	end
	local position, normal, colour0, colour1 = mode("position", 1), mode("normal", 0), mode("colour0", 1), mode("colour1", 0)
	local low, high, coordinates = position << 9 | normal << 11 | colour0 << 13 | colour1 << 15, 0, 0
	for i, name in ipairs(MATRICES) do
		low = low | (a[name] and 1 or 0) << (i - 1)
	end
	for i, m in ipairs(a.tex or {}) do
		m = code(MODE, m, "tex")
		high = high | m << 2 * (i - 1)
		coordinates = coordinates + (m > 0 and 1 or 0)
	end
	self:cp("VCD_LO", low)
	self:cp("VCD_HI", high)
	self:xf(0x1008, (colour0 > 0 and 1 or 0) + (colour1 > 0 and 1 or 0) | (normal == 0 and 0 or a.ntb and 2 or 1) << 2 |
		coordinates << 4)
end

local COMPONENT = {u8 = 0, s8 = 1, u16 = 2, s16 = 3, f32 = 4}
local COLOUR = {rgb565 = 0, rgb8 = 1, rgbx8 = 2, rgba4 = 3, rgba6 = 4, rgba8 = 5}

-- A vertex format: {position={"f32", count=3, frac=0}, normal={"f32", ntb=false}, colour0="rgba8", colour1="rgba8",
-- tex={{"f32", count=2, frac=0}, ...}, index3=false, dequant=true}.
function scene:format(n, f)
	f = f or {}
	local p, normal = f.position or {}, f.normal or {}
	local c0, c1 = code(COLOUR, f.colour0 or "rgba8", "colour0"), code(COLOUR, f.colour1 or "rgba8", "colour1")
	local tex = {}
	for i = 1, 8 do
		local t = f.tex and f.tex[i] or {}
		tex[i] = {default(t.count, 2) - 1, code(COMPONENT, t[1] or "f32", "tex"), t.frac or 0}
	end
	local function flag(value, bit)
		return (value and 1 or 0) << bit
	end
	local a = default(p.count, 3) - 2 | code(COMPONENT, p[1] or "f32", "position") << 1 | (p.frac or 0) << 4 |
		flag(normal.ntb, 9) | code(COMPONENT, normal[1] or "f32", "normal") << 10 |
		(f.colour0_count or c0 > 2 and 1 or 0) << 13 | c0 << 14 | (f.colour1_count or c1 > 2 and 1 or 0) << 17 | c1 << 18 |
		tex[1][1] << 21 | tex[1][2] << 22 | tex[1][3] << 25 | flag(default(f.dequant, true), 30) | flag(f.index3, 31)
	local b = 1 << 31
	for i, at in ipairs {0, 9, 18} do
		local t = tex[i + 1]
		b = b | t[1] << at | t[2] << at + 1 | t[3] << at + 4
	end
	b = b | tex[5][1] << 27 | tex[5][2] << 28
	local c = tex[5][3]
	for i, at in ipairs {5, 14, 23} do
		local t = tex[i + 5]
		c = c | t[1] << at | t[2] << at + 1 | t[3] << at + 4
	end
	self:cp(0x70 + n, a)
	self:cp(0x80 + n, b)
	self:cp(0x90 + n, c)
end

local ARRAYS = {position = 0, normal = 1, colour0 = 2, colour1 = 3, tex0 = 4, tex1 = 5, tex2 = 6, tex3 = 7, tex4 = 8, tex5 = 9,
	tex6 = 10, tex7 = 11, A = 12, B = 13, C = 14, D = 15}

-- Base and stride of a vertex array, or of the arrays A to D of indexed loads.
function scene:array(name, address, stride)
	local i = code(ARRAYS, name, "an array")
	self:cp(0xA0 + i, address)
	self:cp(0xB0 + i, stride)
end

-- A rectangle of two triangles in the plane z; o: colour or four colours (from the top left, clockwise), uv = {s0, t0, s1, t1} for
-- n coordinates, format.
function scene:quad(x, y, w, h, o)
	o = o or {}
	local z, uv = o.z or -0.5, o.uv
	local corner = {{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}}
	local vertices = {}
	for i, p in ipairs(corner) do
		local v = {p[1], p[2], z, c = o.colours and o.colours[i] or o.colour or WHITE}
		if uv then
			local st = {uv[(i == 1 or i == 4) and 1 or 3], uv[i <= 2 and 2 or 4]}
			for k = 0, (o.n or 1) - 1 do
				v["tex" .. k] = st
			end
		end
		vertices[i] = v
	end
	self:draw("quads", o.format or 0, vertices)
end

-- ---- transformation -------------------------------------------------------------------------------------------------------

local function floats(m)
	local list = {}
	for _, row in ipairs(m) do
		for _, v in ipairs(row) do
			list[#list + 1] = v * 1.0
		end
	end
	return list
end

local IDENTITY, IDENTITY3 = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}

-- A matrix of position and texture memory from a row on; rows of four numbers.
function scene:matrix(row, m)
	self:xf(row * 4, table.unpack(floats(m or IDENTITY)))
end

function scene:normal_matrix(row, m)
	self:xf(0x400 + row * 3, table.unpack(floats(m or IDENTITY3)))
end

function scene:post_matrix(row, m)
	self:xf(0x500 + row * 4, table.unpack(floats(m or IDENTITY)))
end

-- In pixels, with the depth range as parts of 1.
function scene:viewport(x, y, w, h, near, far)
	local z = 16777215.0
	near, far = near or 0.0, far or 1.0
	self:xf(0x101A, w / 2.0, -h / 2.0, (far - near) * z, x + w / 2.0 + 342, y + h / 2.0 + 342, far * z)
end

-- Coordinates are pixels, y down, z from -1 (far) to 0.
function scene:ortho(w, h)
	w, h = (w or self.width) + 0.0, (h or self.height) + 0.0
	self:xf(0x1020, 2 / w, -1.0, -2 / h, 1.0, -1.0, -1.0, 1)
end

function scene:perspective(fovy, aspect, near, far)
	local c = 1 / math.tan(math.rad(fovy) / 2)
	self:xf(0x1020, c / aspect, 0.0, c, 0.0, -near / (far - near), -far * near / (far - near), 0)
end

-- ---- light ----------------------------------------------------------------------------------------------------------------

-- {colour={r, g, b, a}, position=, direction=, angle={a0, a1, a2}, distance={k0, k1, k2}}
function scene:light(i, l)
	local at, c = 0x600 + 16 * i, l.colour or WHITE
	local list = {}
	for _, v in ipairs {l.angle or {1, 0, 0}, l.distance or {1, 0, 0}, l.position or {0, 0, 0}, l.direction or {0, 0, 0}} do
		for k = 1, 3 do
			list[#list + 1] = v[k] * 1.0
		end
	end
	self:xf(at, 0, 0, 0, c[1] << 24 | c[2] << 16 | c[3] << 8 | (c[4] or 255))
	self:xf(at + 4, table.unpack(list))
end

-- ---- rasteriser and combiners ---------------------------------------------------------------------------------------------

-- How many coordinates, channels and stages there are, in BP and XF: {tex=, colours=, stages=, cull=, indirect=, zfreeze=, aa=}.
function scene:generate(g)
	g = g or {}
	local tex, colours = g.tex or 0, default(g.colours, 1)
	self:bp("GEN_MODE", {ntex = tex, ncol = colours, ms_en = g.aa or false, ntev = (g.stages or 1) - 1, reject_en = g.cull or 0,
		nbmp = g.indirect or 0, zfreeze = g.zfreeze or false})
	self:xf("NUMTEX", tex)
	self:xf("XF_NUMCOLS", colours)
end

-- What RAS gives to a stage: a texture map or nil, a coordinate, a colour channel.
function scene:order(stage, map, coordinate, channel)
	local at = stage % 2 == 0 and "even" or "odd"
	self:bp("RAS1_TREF" .. stage // 2, {["map_" .. at] = map or 0, ["coord_" .. at] = coordinate or 0, ["enable_" .. at] = map ~= nil,
		["channel_" .. at] = channel or 0})
end

local function inputs(names, text)
	local list = {}
	for word in text:gmatch("%S+") do
		list[#list + 1] = word
	end
	if #list ~= 4 then
		error("the inputs of a stage are four words: a b c d", 4)
	end
	names.a, names.b, names.c, names.d = table.unpack(list)
	return names
end

-- A stage from its inputs "a b c d"; o: op, bias, scale, clamp, dest for colour and with alpha_ in front for alpha; ras_swap, tex_swap.
function scene:tev(stage, colour, alpha, o)
	o = o or {}
	self:bp("TEV_COLOR_ENV_" .. stage, inputs({bias = o.bias or 0, op = o.op or 0, clamp = default(o.clamp, true), scale = o.scale or 0,
		dest = o.dest or 0}, colour))
	self:bp("TEV_ALPHA_ENV_" .. stage, inputs({bias = o.alpha_bias or 0, op = o.alpha_op or 0, clamp = default(o.alpha_clamp, true),
		scale = o.alpha_scale or 0, dest = o.alpha_dest or 0, ras_swap = o.ras_swap or 0, tex_swap = o.tex_swap or 0}, alpha))
end

-- Konst selection of a stage.
function scene:konst(stage, colour, alpha)
	local at = stage % 2 == 0 and "even" or "odd"
	if colour then
		self:bp("TEV_KSEL" .. stage // 2, {["kcsel_" .. at] = colour})
	end
	if alpha then
		self:bp("TEV_KSEL" .. stage // 2, {["kasel_" .. at] = alpha})
	end
end

function scene:swap(table_number, r, g, b, a)
	self:bp("TEV_KSEL" .. 2 * table_number, {swap_rb = r, swap_ga = g})
	self:bp("TEV_KSEL" .. 2 * table_number + 1, {swap_rb = b, swap_ga = a})
end

-- A colour register of 11 bits (0 PREV, 1 to 3 C0 to C2); the second half three times, as hardware wants it.
function scene:tev_register(n, r, g, b, a)
	self:bp("TEV_REGISTERL_" .. n, (r & 0x7FF) | (a & 0x7FF) << 12)
	for _ = 1, 3 do
		self:bp("TEV_REGISTERH_" .. n, (b & 0x7FF) | (g & 0x7FF) << 12)
	end
end

function scene:konst_register(n, r, g, b, a)
	self:bp(0x100 + 2 * n, (r & 0x7FF) | (a & 0x7FF) << 12)
	self:bp(0x101 + 2 * n, (b & 0x7FF) | (g & 0x7FF) << 12)
end

-- ---- pixels ---------------------------------------------------------------------------------------------------------------

-- In pixels, from the top left.
function scene:scissor(x, y, w, h)
	self:bp("SU_SCIS0", (x + 342) << 12 | (y + 342))
	self:bp("SU_SCIS1", (x + w + 341) << 12 | (y + h + 341))
end

function scene:depth(enable, func, update)
	self:bp("PE_ZMODE", {enable = enable, func = func, update = update})
end

-- {mode="none"|"blend"|"subtract"|"logic", src=, dst=, logic_op=, colour=, alpha=, dither=}
function scene:blend(b)
	local mode = b.mode or "none"
	self:bp("PE_CMODE0", {blend = mode == "blend" or mode == "subtract", subtract = mode == "subtract", logic = mode == "logic",
		dither = b.dither or false, colour_update = default(b.colour, true), alpha_update = default(b.alpha, true),
		dst_factor = b.dst or "inv_src_alpha", src_factor = b.src or "src_alpha", logic_op = b.logic_op or "copy"})
end

-- Of the EFB: pixel type, place of the depth test, compression of 16-bit depth.
function scene:pixels(kind, early, z_format)
	self:bp("PE_CONTROL", {pixel_type = kind, ztop = default(early, true), z_format = z_format or 0})
end

function scene:clear_colour(r, g, b, a, z)
	self:bp("PE_COPY_CLEAR_AR", {red = r, alpha = a or 255})
	self:bp("PE_COPY_CLEAR_GB", {green = g, blue = b})
	self:bp("PE_COPY_CLEAR_Z", z or 0xFFFFFF)
end

-- ---- textures -------------------------------------------------------------------------------------------------------------

-- Binds a texture: {width=, height=, format=, data=bytes or nil, address=, wrap_s=, wrap_t=, mag="linear", min="linear", mip="none",
-- bias=, min_lod=, max_lod=, palette=TMEM address, palette_format=, coordinate=, even=, odd=, preloaded=, size=false}.
-- data goes to memory first; size=false leaves the coordinate's scale alone.  Returns the address.
function scene:texture(map, t)
	local address = t.address or t.data and self:allocate(#t.data) or 0
	if t.data then
		self:memory(address, t.data)
	end
	self:bp("TX_SETMODE0_" .. map, {wrap_s = t.wrap_s or "clamp", wrap_t = t.wrap_t or "clamp", mag_filter = t.mag or "linear",
		mip_filter = t.mip or "none", min_filter = t.min or "linear", lod_mode = t.lod_mode or "diagonal", lod_bias = t.bias or 0,
		max_aniso = t.aniso or 0, lod_clamp = t.lod_clamp or false})
	self:bp("TX_SETMODE1_" .. map, {min_lod = t.min_lod or 0, max_lod = t.max_lod or 0})
	self:bp("TX_SETIMAGE0_" .. map, {width = t.width - 1, height = t.height - 1, format = code(FORMAT, t.format, "format")})
	self:bp("TX_SETIMAGE1_" .. map, {tmem_even = t.even or map * 0x8000, cache_width = 3, cache_height = 3, type = t.preloaded and 1 or 0})
	self:bp("TX_SETIMAGE2_" .. map, {tmem_odd = t.odd or map * 0x8000 + 0x80000, cache_width = 3, cache_height = 3})
	self:bp("TX_SETIMAGE3_" .. map, {address = address})
	self:bp("TX_SETTLUT_" .. map, {tmem = t.palette and (t.palette - 0x80000) or 0, format = t.palette_format or 0})
	if t.size ~= false then
		self:texture_size(t.coordinate or map, t.width, t.height)
	end
	return address
end

-- Scale of a texture coordinate into texels.
function scene:texture_size(coordinate, w, h)
	self:bp("SU_SSIZE_" .. coordinate, w - 1)
	self:bp("SU_TSIZE_" .. coordinate, h - 1)
end

-- Loads a palette of n entries from main memory into TMEM (0x80000 and more, in steps of 512).
function scene:load_palette(address, tmem, n)
	self:bp("BP_MASK", 0xFFFF00)
	self:bp("IND_IMASK", 0xFF)
	self:bp("TX_LOADTLUT0", {address = address})
	self:bp("TX_LOADTLUT1", (tmem - 0x80000) >> 9 | (n + 15) // 16 << 10)
end

-- Loads n lines of 32 bytes into TMEM; rgba8: alternately to even and odd.
function scene:preload(address, even, odd, n, kind)
	self:bp("TX_LOADBLOCK0", {address = address})
	self:bp("TX_LOADBLOCK1", {even = even})
	self:bp("TX_LOADBLOCK2", {odd = odd})
	self:bp("TX_LOADBLOCK3", {count = n, type = kind or "linear1"})
end

function scene:invalidate_textures()
	self:bp("TX_INVTAGS", 0x1000)
	self:bp("TX_INVTAGS", 0x1100)
end

-- ---- copies and frames ----------------------------------------------------------------------------------------------------

local BLOCK_WIDTH = {[0] = 8, 8, 8, 4, 4, 4, 4, 8, 8, 8, 8, 4, 4}

-- Copies a rectangle to a texture: {x=, y=, width=, height=, address=, format=code, half=, clear=, intensity=, gamma=, clamp_top=,
-- clamp_bottom=, stride=}.  The format is a number of 0 to 15, as PE_COPY_CMD has it.
function scene:copy(c)
	local w, format = c.width, c.format
	local out = c.half and w // 2 or w
	local block = BLOCK_WIDTH[format & 15] or 4
	self:bp("PE_COPY_SRC_ADDR", {x = c.x or 0, y = c.y or 0})
	self:bp("PE_COPY_SRC_SIZE", {width = w - 1, height = c.height - 1})
	self:bp("PE_COPY_DST_BASE0", {address = c.address})
	self:bp("PE_COPY_DST_STRIDE", c.stride or (out + block - 1) // block * (format == 6 and 2 or 1))
	self:bp("PE_COPY_CMD", {clamp_top = default(c.clamp_top, true), clamp_bottom = default(c.clamp_bottom, true),
		format_high = format >> 3, format = format & 7, gamma = c.gamma or 0, half = c.half or false, clear = c.clear or false,
		conversion = c.intensity and "on" or "auto", yscale = false, field = 0, display = false})
end

-- Copies to the display and ends the frame: {x=, y=, width=, height=, address=, clear=, gamma=, yscale=1.0, field=, clamp_top=,
-- clamp_bottom=}.
function scene:finish(f)
	f = f or {}
	local w, h, yscale = f.width or self.width, f.height or self.height, f.yscale or 1
	self:start()
	self:bp("PE_COPY_SRC_ADDR", {x = f.x or 0, y = f.y or 0})
	self:bp("PE_COPY_SRC_SIZE", {width = w - 1, height = h - 1})
	self:bp("PE_COPY_DST_BASE0", {address = f.address or XFB})
	self:bp("PE_COPY_DST_STRIDE", w * 2 // 32)
	self:bp("PE_COPY_SCALE", {yscale = yscale})
	self:bp("PE_COPY_CMD", {clamp_top = default(f.clamp_top, true), clamp_bottom = default(f.clamp_bottom, true), format_high = 0,
		format = 0, gamma = f.gamma or 0, half = false, yscale = yscale ~= 1, clear = default(f.clear, true), field = f.field or 0,
		display = true, conversion = 0})
	self:end_frame()
end

-- Vertical filter of copies: seven weights, 64 in all.
function scene:copy_filter(w)
	self:bp("PE_COPY_VFILTER0", {w0 = w[1], w1 = w[2], w2 = w[3], w3 = w[4]})
	self:bp("PE_COPY_VFILTER1", {w4 = w[5], w5 = w[6], w6 = w[7]})
end

-- Commands of a function as a display list in memory, and its call.
function scene:list(fn, address)
	local bytes = self:record(fn)
	bytes = bytes .. ("\0"):rep(-#bytes % 32)
	address = address or self:allocate(#bytes)
	self:memory(address, bytes, "vertex")
	return address, #bytes
end

function scene:call(address, size)
	self:raw(("\x40" .. (">I4I4"):pack(address, size)))
end

-- ---- what a scene begins with ---------------------------------------------------------------------------------------------

-- Vertices are positions in pixels and colours; nothing is blended; nearer pixels win; the whole picture is copied.
function scene:defaults()
	local w, h = self.width, self.height
	for i = 0, 3 do
		self:bp("GEN_MSLOC" .. i, 0x666666)
	end
	self:bp("IND_IMASK", 0xFF)
	self:scissor(0, 0, w, h)
	self:bp("SU_SCIS_OFFSET", {x = 171, y = 171})
	self:bp("SU_LPSIZE", {lsize = 6, psize = 6})
	self:depth(true, "lequal", true)
	self:blend {}
	self:bp("PE_CMODE1", 0)
	self:pixels("rgb8_z24")
	self:bp("PE_FIELD_MASK", {odd = true, even = true})
	self:bp("PE_COPY_SCALE", {yscale = 1})
	self:clear_colour(0, 0, 0)
	self:copy_filter {0, 0, 21, 22, 21, 0, 0}
	self:bp("PE_CHICKEN", 0xF)
	self:bp("TX_MISC", 0)
	self:bp("TX_REFRESH", {enable = true})
	self:bp("PE_XBOUND", 0x3FF)
	self:bp("PE_YBOUND", 0x3FF)
	self:bp("PE_COPY_SRC_ADDR", 0)
	self:bp("PE_COPY_SRC_SIZE", {width = w - 1, height = h - 1})
	self:bp("PE_COPY_DST_BASE0", {address = XFB})
	self:bp("PE_COPY_DST_STRIDE", w * 2 // 32)
	for i = 0, 7 do
		self:bp("RAS1_TREF" .. i, {channel_even = 7, channel_odd = 7})
	end
	self:swap(0, "r", "g", "b", "a")
	self:swap(1, "r", "r", "r", "a")
	self:swap(2, "g", "g", "g", "a")
	self:swap(3, "b", "b", "b", "a")
	self:bp("TEV_ALPHAFUNC", {func0 = "always", func1 = "always"})
	for i = 0, 15 do
		self:tev(i, "zero zero zero ras_rgb", "zero zero zero ras")
	end
	self:order(0)
	self:cp("MATINDEX_A", 0x3CF3CF00)
	self:cp("MATINDEX_B", 0x00F3CF3C)
	self:xf(0x1018, 0x3CF3CF00, 0x00F3CF3C)
	self:attributes()
	self:format(0)
	self:matrix(0)
	self:normal_matrix(0)
	self:matrix(60)
	self:post_matrix(61)
	self:xf(0x100A, 0, 0, 0xFFFFFFFF, 0xFFFFFFFF, 1, 1, 1, 1, 1)
	for i = 0, 7 do
		self:xf(0x1040 + i, (5 + i) << 7)
		self:xf(0x1050 + i, 61)
	end
	self:viewport(0, 0, w, h)
	self:ortho()
	self:generate()
end

-- ---- scripts of many scenes -------------------------------------------------------------------------------------------------

-- Builds a scene and saves it, unless the script's arguments name others only.
function shared.build(name, fn, options)
	local wanted = #arg == 0
	for _, a in ipairs(arg) do
		wanted = wanted or a == name
	end
	if wanted then
		local s = qs.scene(options)
		fn(s)
		s:save(name)
	end
end

-- A colour of the rainbow, t from 0 to 1.
function shared.hue(t, a)
	t = t % 1.0 * 6
	local function f(n)
		return math.floor(255 * math.max(0, math.min(1, math.abs((t + n) % 6 - 3) - 1)))
	end
	return {f(0), f(4), f(2), a or 255}
end

-- An asymmetric F in a field with a horizontal and a vertical ramp; alpha is a chessboard.
function shared.letter(w, h, opaque)
	w, h = w or 64, h or 64
	return function(x, y)
		local u, v = x * 64 // w, y * 64 // h
		if u >= 14 and u < 24 and v >= 8 and v < 56 or u >= 14 and u < 50 and v >= 8 and v < 18 or u >= 14 and u < 40 and v >= 28 and v < 37 then
			return 255, 240, 40, 255
		end
		return u * 4, v * 4, 255 - u * 4, not opaque and (u // 8 + v // 8) % 2 == 1 and 64 + v * 3 or 255
	end
end

-- ---- a scene that is open -------------------------------------------------------------------------------------------------

function trial:seek(...)
	return self:run(qs.seek, ...)
end

function trial:image(...)
	return self:run(qs.image, ...)
end

function trial:pixel(x, y)
	return self:run(function()
		local p = qs.pixel(x, y)
		return p.r, p.g, p.b, p.a, p.z
	end)
end

function trial:model(...)
	return self:run(qs.model, ...)
end

function trial:hash()
	return self:run(qs.hash)
end
