/* check_scene.c - captures that are built: the writer against the reader, the encoder against the decoder, scripts that build,
 * and data/scenes against the captures that are shipped
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "gx/machine.h"
#include "script_host.h"

/* ---- the writer and the reader ------------------------------------------------------------------------------------------- */

static uint32_t any(struct oracle_random *r)
{
	return oracle_random_next(r);
}


/* Everything that a log of the version can say comes back from the reader. */
START_TEST(round_trip)
{
	uint32_t version = 1 + (uint32_t)_i % 5, bp[256], cp[256], xf[4096], registers[88], frames;
	struct oracle_random r = oracle_random_start();
	uint8_t *data, fifo[5][64], tmem[32];
	struct qs_recording *w;
	struct qs_capture *c;
	struct qs_error error = {0};
	size_t size;

	r.state += (uint64_t)_i;
	frames = 1 + oracle_random_below(&r, 4);
	w = qs_recording_create(version, _i & 1, &error);
	ck_assert_msg(w != NULL, "%s", error.text);
	for (unsigned i = 0; i < 256; i++) {
		bp[i] = any(&r) & 0xFFFFFF;
		cp[i] = any(&r);
		if (!qs_recording_register(w, QS_UNIT_BP, i, bp[i], &error) || !qs_recording_register(w, QS_UNIT_CP, i, cp[i], &error))
			ck_abort_msg("%s", error.text);
	}
	for (unsigned i = 0; i < 4096; i++)
		ck_assert(qs_recording_register(w, QS_UNIT_XF, i, xf[i] = any(&r), &error));
	for (unsigned i = 0; i < 88; i++)
		ck_assert(qs_recording_register(w, QS_UNIT_XF, 0x1000 + i, registers[i] = any(&r), &error));
	for (unsigned i = 0; i < 32; i++)
		tmem[i] = (uint8_t)any(&r);
	ck_assert_int_eq(qs_recording_tmem(w, 0x80000, tmem, 32, &error), version >= 4);
	for (uint32_t f = 0; f < frames; f++) {
		for (unsigned i = 0; i < 64; i++)
			fifo[f][i] = i % 2 ? 0x48 : 0;
		ck_assert(qs_recording_update(w, QS_UPDATE_TEXTURE, 0x1000 * (f + 1), tmem, 16, &error));
		ck_assert(qs_recording_append(w, fifo[f], 30, &error));
		ck_assert(qs_recording_update(w, QS_UPDATE_VERTEX, 0x10001000 * (f + 1), tmem + 8, 24, &error));
		ck_assert(qs_recording_append(w, fifo[f] + 30, 34, &error));
		if (f + 1 < frames) /* the last one ends by itself */
			ck_assert(qs_recording_end_frame(w, &error));
	}
	ck_assert_uint_eq(qs_recording_frames(w), frames - 1);
	ck_assert(qs_recording_bytes(w, &data, &size, &error));
	qs_recording_destroy(w);
	c = qs_capture_open_memory(data, size, &error);
	free(data);
	ck_assert_msg(c != NULL, "%s", error.text);
	const struct qs_capture_info *info = qs_capture_info(c);
	const struct qs_initial_state *s = qs_capture_initial(c);

	ck_assert_uint_eq(info->version, version);
	ck_assert_int_eq(info->wii, _i & 1);
	ck_assert_uint_eq(info->warning_count, 0);
	ck_assert(!info->truncated);
	ck_assert_uint_eq(info->frame_count, frames);
	ck_assert_uint_eq(info->update_count, 2 * frames);
	ck_assert_mem_eq(s->bp, bp, sizeof bp);
	ck_assert_mem_eq(s->cp, cp, sizeof cp);
	ck_assert_mem_eq(s->xf_memory, xf, sizeof xf);
	ck_assert_mem_eq(s->xf_registers, registers, sizeof registers);
	ck_assert_int_eq(s->tmem != NULL, version >= 4);
	if (s->tmem)
		ck_assert_mem_eq(s->tmem + 0x80000, tmem, 32);
	for (uint32_t f = 0; f < frames; f++)
		ck_assert_uint_eq(qs_capture_frame(c, f + 1)->fifo_size, 64);
	qs_capture_destroy(c);
}
END_TEST

START_TEST(writer_refuses)
{
	struct qs_error error = {0};
	struct qs_recording *w = qs_recording_create(3, false, &error);

	ck_assert_ptr_null(qs_recording_create(0, false, &error));
	ck_assert_ptr_null(qs_recording_create(6, false, &error));
	ck_assert(!qs_recording_register(w, QS_UNIT_PE, 0, 0, &error));
	ck_assert(!qs_recording_register(w, QS_UNIT_BP, 0x108, 0, &error));
	ck_assert(!qs_recording_register(w, QS_UNIT_CP, 0x100, 0, &error));
	ck_assert(!qs_recording_register(w, QS_UNIT_XF, 0x1060, 0, &error));
	ck_assert(!qs_recording_tmem(w, 0, "", 0, &error));
	qs_recording_destroy(w);
	w = qs_recording_create(4, false, &error);
	ck_assert(!qs_recording_tmem(w, 0xFFFFF, "ab", 2, &error));
	ck_assert(qs_recording_tmem(w, 0xFFFFE, "ab", 2, &error));
	qs_recording_destroy(w);
	qs_recording_destroy(NULL);
}
END_TEST

/* ---- scripts ------------------------------------------------------------------------------------------------------------- */

static struct session session;
static struct script_host host;
static struct qs_script *script;

static void setup(void)
{
	char path[700];

	open_session(&session, shipped("triangle-gouraud", path, sizeof path), "triangle-gouraud");
	script = open_script(&host, session.t, NULL);
}

static void teardown(void)
{
	qs_script_destroy(script);
	free(host.out);
	close_session(&session);
}

static const struct {
	const char *name, *script, *output; /* output: what is printed, or with ! the error it ends with */
} cases[] = {
	{"fields", "local s = qs.scene() s.bp.GEN_MODE.ntev = 3 s.bp.GEN_MODE = {nbmp=2} print(s.bp.GEN_MODE.ntev, s.bp.GEN_MODE.nbmp, "
		"s.bp.GEN_MODE.ncol, s.bp[0].raw)", "3\t2\t1\t134160\n"},
	{"enumerations and booleans", "local s = qs.scene() s:bp('PE_ZMODE', {enable=true, func='gequal', update=false}) "
		"print(s.bp.PE_ZMODE.raw)", "13\n"},
	{"fractions are rounded", "local s = qs.scene() s.bp.TX_SETMODE1_0 = {min_lod=0.7, max_lod=2.51} print(s.bp.TX_SETMODE1_0.min_lod, "
		"s.bp.TX_SETMODE1_0.max_lod)", "0.6875\t2.5\n"},
	{"addresses", "local s = qs.scene() s.bp.TX_SETIMAGE3_0.address = 0x123460 print(s.bp.TX_SETIMAGE3_0.raw, "
		"s.bp.TX_SETIMAGE3_0.address)", "37283\t1193056\n"},
	{"floats and words", "local s = qs.scene{bare=true} s:xf(0, 1.0, 2, 1) s:xf(0x1023, 7) s.xf.VIEWPORT_SCALE_X = 320 "
		"print(s.xf[0].value, s.xf[1].value, s.xf.PROJECTION_D.raw == 0x40e00000, s.xf.VIEWPORT_SCALE_X.value)",
		"1.0\t2.0\ttrue\t320.0\n"},
	{"the konst bank", "local s = qs.scene() s:tev_register(1, 255, -1, 4, 9) s:konst_register(1, 1, 2, 3, 4) s:bp(0xE0, 1 << 23 | 77) "
		"print(s.bp.TEV_REGISTERH_1.green, s.bp.TEV_KONSTL_1.red, s.bp.TEV_KONSTH_1.blue, s.bp.TEV_KONSTL_0.red, "
		"s.bp.TEV_REGISTERL_0.red)", "-1\t1\t3\t77\t0\n"},
	{"the mask holds for one write", "local s = qs.scene() s:start() s.bp.SU_LPSIZE = 0x5a3c s:bp(0xFE, 0xFF) s:bp(0x22, 0x1111) "
		"print(('%x'):format(s.bp.SU_LPSIZE.raw)) s:bp(0x22, 0x1111) print(('%x'):format(s.bp.SU_LPSIZE.raw))", "5a11\n1111\n"},
	{"initial state and commands", "local s = qs.scene{bare=true} s.bp.SU_LPSIZE = 5 s:start() s.bp.SU_LPSIZE = 6 s:end_frame() "
		"local t = s:open() print(t:run(function() local a = qs.regs.bp.SU_LPSIZE.raw qs.seek(1) return a, qs.regs.bp.SU_LPSIZE.raw, "
		"qs.capture.commands, qs.capture.version end))", "5\t6\t1\t3\n"},
	{"version and wii", "local t = qs.scene{version=5, wii=true}:open() print(t:run(function() return qs.capture.version, "
		"qs.capture.wii end))", "5\ttrue\n"},
	{"tmem", "local s = qs.scene{version=4} s:tmem(0x80010, 'abc') print(s:open():run(qs.memory.read, 'tmem', 0x8000f, 5) == '\\0abc\\0')",
		"true\n"},
	{"memory", "local s = qs.scene() s:memory(0x200000, 'xyz') s:quad(0, 0, 9, 9) s:finish() local t = s:open() t:seek('1/0') "
		"print(t:run(qs.memory.read, 0x200000, 3))", "xyz\n"},
	{"a picture", "local s = qs.scene() s:quad(10, 10, 20, 20, {colour={1, 2, 3}}) s:finish() local t = s:open() t:seek('1/0') "
		"print(t:pixel(9, 9)) print(t:pixel(10, 10)) t:seek(1) print(t:image('copy'):rgba(29, 29))",
		"0\t0\t0\t255\t16777215\n1\t2\t3\t255\t8388607\n1\t2\t3\t255\n"},
	{"all primitives", "for _, k in ipairs{'quads', 'quads2', 'triangles', 'strip', 'fan', 'lines', 'line_strip', 'points'} do "
		"local s = qs.scene() s:start() s:draw(k, 0, {{0, 0, -.5, c=1}, {40, 0, -.5, c=1}, {40, 40, -.5, c=1}, {0, 40, -.5, c=1}}) "
		"print(s:open():run(function() local c = qs.command(0) return ('%x'):format(c.opcode), c.vertices, "
		"c.vertex_size end)) end",
		"80\t4\t16\n88\t4\t16\n90\t4\t16\n98\t4\t16\na0\t4\t16\na8\t4\t16\nb0\t4\t16\nb8\t4\t16\n"},
	{"number formats", "local s = qs.scene() s:start() local function show(f, v) s:format(1, f) print((s:record(function() s:draw('points', "
		"1, {v}) end):sub(4):gsub('.', function(c) return ('%02x'):format(c:byte()) end))) end "
		"show({position={'u8', frac=1, count=2}, colour0='rgb565'}, {3, 127.5, c={255, 128, 8}}) "
		"show({position={'s8', frac=0}, colour0='rgb8'}, {-128, 127, -1, c=0x010203ff}) "
		"show({position={'u16', frac=4}, colour0='rgba4'}, {1, 2, 4095.9375, c={16, 32, 48, 64}}) "
		"show({position={'s16', frac=15}, colour0='rgba6'}, {-1, 0.5, 0, c={4, 8, 12, 255}}) "
		"show({position={'f32'}, colour0='rgbx8'}, {1, -2, 0, c={1, 2, 3, 4}})",
		"06fffc01\n807fff010203\n00100020ffff1234\n8000400000000420ff\n"
		"3f800000c00000000000000001020304\n"},
	{"all attributes", "local s = qs.scene() s:attributes{normal='direct', ntb=true, colour1='index8', tex={'direct', 'index16'}, posmtx=true, "
		"tex1mtx=true} s:format(0, {normal={'s8', ntb=true}, tex={{'s8', frac=6, count=1}}}) s:start() "
		"print((s:record(function() s:draw('points', 0, {{1, 2, 3, posmtx=4, tex1mtx=60, n={1, 0, 0, 0, 1, 0, 0, 0, -1}, c=0x11223344, "
		"colour1=7, t=0.5, tex1=0x123}}) end):sub(4):gsub('.', function(c) return ('%02x'):format(c:byte()) end)))",
		"043c3f8000004000000040400000400000004000" "0000c01122334407200123\n"},
	{"three indices", "local s = qs.scene() s:attributes{position='index8', normal='index8', ntb=true, colour0='absent'} s:format(0, {normal={'s8', "
		"ntb=true}, index3=true}) s:start() print(s:record(function() s:draw('points', 0, {{1, n={2, 3, 4}}, {position=5, n=6}}) end):byte(4, -1))",
		"1\t2\t3\t4\t5\t6\t6\t6\n"},
	{"vertex arrays", "local s = qs.scene() s:attributes{position='index8'} s:start() local a = s:elements('position', 0, {{10, 10, -.5}, {30, 10, "
		"-.5}, {30, 30, -.5}, {10, 30, -.5}}) s:memory(s:allocate(#a), a, 'vertex') s:array('position', 0x100000, 12) s:draw('quads', 0, "
		"{{0, c=0x0a0b0cff}, {1, c=0x0a0b0cff}, {2, c=0x0a0b0cff}, {3, c=0x0a0b0cff}}) s:finish() local t = s:open() t:seek('1/0') print(t:pixel(10, 29))",
		"10\t11\t12\t255\t8388607\n"},
	{"lists", "local s = qs.scene() local a, n = s:list(function() s:quad(0, 0, 9, 9, {colour={7, 8, 9}}) end) s:call(a, n) s:finish() "
		"local t = s:open() t:seek('1/0') print(a % 32, n % 32, t:pixel(3, 3))", "0\t0\t7\t8\t9\t255\t8388607\n"},
	{"textures", "local s = qs.scene() s:attributes{tex={'direct'}} s:generate{tex=1} s:order(0, 0, 0, 0) s:tev(0, 'zero zero zero tex_rgb', "
		"'zero zero zero tex') s:start() s:texture(0, {width=8, height=8, format='RGBA8', mag='nearest', data=qs.encode('RGBA8', 8, 8, "
		"function(x, y) return x, y, 9, 77 end)}) s:quad(0, 0, 8, 8, {uv={0, 0, 1, 1}}) s:finish() local t = s:open() t:seek('1/0') "
		"print(t:pixel(5, 2))", "5\t2\t9\t255\t8388607\n"},
	{"palettes", "local s = qs.scene() s:attributes{tex={'direct'}} s:generate{tex=1} s:order(0, 0, 0, 0) s:tev(0, 'zero zero zero tex_rgb', "
		"'zero zero zero tex') s:start() local p = s:allocate(64) s:memory(p, qs.encode_palette('RGB5A3', {{255, 0, 0}, {0, 255, 0}, "
		"{0, 0, 255}, {255, 255, 255}}), 'tmem') s:load_palette(p, 0xC0000, 16) s:texture(0, {width=8, height=8, format='C4', mag='nearest', "
		"palette=0xC0000, palette_format='RGB5A3', data=qs.encode('C4', 8, 8, function(x, y) return x // 2 end)}) s:quad(0, 0, 8, 8, "
		"{uv={0, 0, 1, 1}}) s:finish() local t = s:open() t:seek('1/0') print(t:pixel(3, 2)) print(t:pixel(7, 7))",
		"0\t255\t0\t255\t8388607\n255\t255\t255\t255\t8388607\n"},
	{"a copy is a texture", "local s = qs.scene() s:quad(0, 0, 16, 16, {colour={255, 0, 255}}) s:copy{width=16, height=16, address=0x200000, "
		"format=6, clear=true} s:finish() local t = s:open() t:seek(1) print(t:run(qs.memory.u16, 0x200000), t:run(qs.memory.u16, 0x200020))",
		"65535\t255\n"},
	{"pictures of pictures", "local s = qs.scene() s:quad(0, 0, 640, 480, {colour={9, 8, 7}}) s:finish() local t = s:open() t:seek(1) "
		"print(qs.encode('RGBA8', 4, 4, t:image()):byte(1, 2))", "255\t9\n"},
	{"the script's capture is back", "local t = qs.scene():open() t:run(function() assert(qs.capture.draws == 0) end) print(qs.capture.draws, "
		"pcall(t.run, t, error, 'oh'), qs.capture.draws)", "1\tfalse\t1\n"},
	{"models", "local t = qs.scene():open() print(t:model('dolphin'), t:model(), qs.model())", "dolphin\tdolphin\thardware\n"},
	{"what was set is gone", "local t = qs.scene():open() t:run(function() qs.break_at('draw') qs.override('bp.PE_ZMODE.enable', 0) end) "
		"local o = qs.override('bp.PE_ZMODE.enable', 0) o:off() print(t:run(function() return qs.regs.bp.PE_ZMODE.enable end))", "1\n"},
	{"hooks", "local s = qs.scene() s:quad(0, 0, 9, 9) s:quad(0, 0, 9, 9) s:finish() local n = 0 s:open():run(function() local h = "
		"qs.on.draw(function() n = n + 1 end) qs.replay() h:off() end) print(n)", "2\n"},
	{"allocation goes around what is there", "local s = qs.scene() s:memory(0x100000, ('x'):rep(33)) print(('%x %x %x'):format(s:allocate(1), s:allocate(33), "
		"s:allocate(0x300000)))", "100040 100060 700000\n"},
	{"own values", "local s = qs.scene() s.note = 'mine' print(s.note, s.width)", "mine\t640\n"},
	{"nothing", "local t = qs.scene():open() print(t:run(function() return qs.capture.frames, qs.capture.commands end))", "1\t0\n"},
	{"no such register", "qs.scene().bp.GEN_MOD = 1", "!bp has no register 'GEN_MOD'; did you mean 'GEN_MODE'?"},
	{"no such field", "qs.scene().bp.GEN_MODE.ntv = 1", "!bp.GEN_MODE has no field 'ntv'; did you mean 'ntev'?"},
	{"no such value", "qs.scene().bp.PE_ZMODE.func = 'lequals'", "!func has no value 'lequals'; did you mean 'lequal'?"},
	{"too large", "qs.scene().bp.GEN_MODE.ntev = 16", "!ntev has 4 bits and cannot be 16"},
	{"too large for the register", "qs.scene().bp.GEN_MODE = 0x1000000", "!the value 16777216 does not fit into the register"},
	{"beyond the registers", "qs.scene():xf(0x1050, 1, 2, 3, 4, 5, 6, 7, 8, 9)", "!xf has no 9 registers from 4176 on"},
	{"attribute missing", "qs.scene():draw('points', 0, {{1, 2, 3}})",
		"!vertex 1: colour0 is missing, but VCD_LO or VCD_HI says that it is there"},
	{"too few numbers", "qs.scene():draw('points', 0, {{1, 2, c=0}})", "!vertex 1: position has too few numbers"},
	{"no index", "local s = qs.scene() s:attributes{position='index8'} s:draw('points', 0, {{1, c=0}, {256, c=0}})",
		"!vertex 2: position is no index of 0 to 255"},
	{"does not fit", "local s = qs.scene() s:format(0, {position={'s8'}}) s:draw('points', 0, {{1, 128, 3, c=0}})",
		"!vertex 1: position has a component that does not fit into s8 with a scale of 1"},
	{"no such primitive", "qs.scene():draw('dots', 0, {})", "!bad argument #1 to 'draw' (invalid option 'dots')"},
	{"no such format", "qs.encode('RGBA9', 8, 8, print)", "!there is no texture format 'RGBA9'; did you mean 'RGBA8'?"},
	{"no such method", "qs.scene():wash()", "!a scene has no 'wash'"},
	{"tmem of an old version", "qs.scene():tmem(0, 'x')", "!FIFO logs hold texture memory from version 4 on, this is version 3."},
	{"a frame ends in a list", "qs.scene():record(function(s) s:end_frame() end)", "!a frame cannot end in a list"},
	{"lists have a depth", "local function deeper(s) s:record(deeper) end qs.scene():record(deeper)",
		"!more than 8 functions that record inside one another"},
	{"no files", "qs.scene():save()", "!scripts write no files here; 'qscope scene SCRIPT.lua -o FILE.dff' saves the scene"},
	{"a trial in itself", "local t = qs.scene():open() t:run(function() t:run(print) end)", "!this trial is running already"},
	{"memory is limited", "local s = qs.scene() local b = ('x'):rep(1 << 20) while true do s:raw(b) end",
		"!The script needs more than 256 MiB of memory."},
};

START_TEST(scripts)
{
	struct qs_error error = {0};
	bool good = qs_script_run_text(script, cases[_i].script, "=case", &error);

	if (*cases[_i].output == '!') {
		char *line_end = strchr(error.text, '\n');

		ck_assert_msg(!good, "%s: no error", cases[_i].name);
		if (line_end)
			*line_end = 0;
		ck_assert_msg(strstr(error.text, cases[_i].output + 1) != NULL, "%s: %s", cases[_i].name, error.text);
		return;
	}
	ck_assert_msg(good, "%s: %s", cases[_i].name, error.text);
	ck_assert_msg(!strcmp(noted(&host), cases[_i].output), "%s:\n%s", cases[_i].name, noted(&host));
}
END_TEST

/* ---- the encoder against the decoder ------------------------------------------------------------------------------------- */

static unsigned widen(unsigned v, unsigned bits)
{
	return bits == 3 ? v << 5 | v << 2 | v >> 1 : bits == 4 ? v * 17 : bits == 5 ? v << 3 | v >> 2 : bits == 6 ? v << 2 | v >> 4 : v;
}

static unsigned kept(unsigned v, unsigned bits)
{
	return widen(v >> (8 - bits), bits);
}

/* What is left of a colour, by the bits that each format has. */
static void expected(unsigned format, const uint8_t c[4], uint8_t out[4])
{
	unsigned y = (c[0] * 77u + c[1] * 150u + c[2] * 29u) >> 8, a = c[3];

	switch (format) {
	case 0: y = kept(y, 4); a = y; break;
	case 1: a = y; break;
	case 2: y = kept(y, 4); a = kept(a, 4); break;
	case 3: break;
	case 4:
		out[0] = (uint8_t)kept(c[0], 5), out[1] = (uint8_t)kept(c[1], 6), out[2] = (uint8_t)kept(c[2], 5), out[3] = 255;
		return;
	case 5:
		for (unsigned i = 0; i < 3; i++)
			out[i] = (uint8_t)kept(c[i], c[3] >= 0xE0 ? 5 : 4);
		out[3] = (uint8_t)(c[3] >= 0xE0 ? 255 : kept(c[3], 3));
		return;
	default: memcpy(out, c, 4); return;
	}
	out[0] = out[1] = out[2] = (uint8_t)y;
	out[3] = (uint8_t)a;
}

static const char *texels(unsigned format, unsigned w, unsigned h, size_t *size, unsigned seed)
{
	struct qs_error error = {0};
	char text[400];

	snprintf(text, sizeof text, "local f = function(x, y) local n = (x * 1103 + y * 12345 + %u) * 2654435761 %% 4294967296 return n >> 24, n "
		">> 16 & 255, n >> 8 & 255, n & 255 end print((qs.encode(%u, %u, %u, f):gsub('.', function(c) return ('%%02x'):format(c:byte()) "
		"end)))", seed, format, w, h);
	clear_notes(&host);
	ck_assert_msg(qs_script_run_text(script, text, "=encode", &error), "%s", error.text);
	*size = (strlen(noted(&host)) - 1) / 2;
	return noted(&host);
}

START_TEST(encoder)
{
	static const struct {
		unsigned w, h;
	} sizes[] = {{8, 8}, {1, 1}, {13, 50}, {64, 16}};
	unsigned format = (unsigned)_i, seed = oracle_random_next(&session.random) & 0xFFFF;

	for (unsigned k = 0; k < 4; k++) {
		unsigned w = sizes[k].w, h = sizes[k].h;
		size_t size;
		const char *hex = texels(format, w, h, &size, seed);
		uint8_t *data = malloc(size);

		for (size_t i = 0; i < size; i++) {
			unsigned byte;

			sscanf(hex + 2 * i, "%2x", &byte);
			data[i] = (uint8_t)byte;
		}
		if (size != gx_texfmt_size(format, w, h))
			ck_abort_msg("format %u, %ux%u: %zu bytes", format, w, h, size);
		for (unsigned i = 0; i < w * h; i++) {
			unsigned x = i % w, y = i / w;
			uint32_t n = (uint32_t)((x * 1103 + y * 12345 + seed) * 2654435761u);
			uint8_t c[4] = {(uint8_t)(n >> 24), (uint8_t)(n >> 16), (uint8_t)(n >> 8), (uint8_t)n}, want[4], got[4];

			expected(format, c, want);
			gx_texfmt_texel(format, data, size, w, x, y, NULL, 0, got);
			if (memcmp(want, got, 4))
				ck_abort_msg("format %u, %ux%u at %u,%u, seed %u: %u %u %u %u, not %u %u %u %u", format, w, h, x, y, seed, got[0], got[1],
					got[2], got[3], want[0], want[1], want[2], want[3]);
		}
		free(data);
	}
}
END_TEST

/* ---- data/scenes against data/captures ----------------------------------------------------------------------------------- */

static const char *const scene_files[] = {"combiners", "copies", "corners", "features", "pixels", "random", "setup", "textures", "tour", "transform"};

static char built[512][64];
static unsigned built_count;

/* Every scene that is saved is the shipped capture, byte for byte. */
static bool compare_saved(void *user, const char *name, const void *data, size_t size, struct qs_error *error)
{
	char path[700];
	FILE *file;
	uint8_t *shipped_bytes;
	size_t n;

	(void)user, (void)error;
	if (!name || strlen(name) >= sizeof built[0] || built_count == 512)
		ck_abort_msg("a scene without a name, or too many");
	strcpy(built[built_count++], name);
	file = fopen(shipped(name, path, sizeof path), "rb");
	if (!file)
		ck_abort_msg("%s is built, but not shipped", name);
	shipped_bytes = malloc(size + 1);
	n = fread(shipped_bytes, 1, size + 1, file);
	fclose(file);
	if (n != size)
		ck_abort_msg("%s: %zu bytes are built, the capture has %s", name, size, n > size ? "more" : "less");
	for (size_t i = 0; i < size; i++)
		if (shipped_bytes[i] != ((const uint8_t *)data)[i])
			ck_abort_msg("%s differs from the shipped capture at 0x%zx", name, i);
	free(shipped_bytes);
	return true;
}

static bool is_built(const char *name)
{
	for (unsigned i = 0; i < built_count; i++)
		if (!strcmp(built[i], name))
			return true;
	return false;
}

START_TEST(shipped_scenes)
{
	const char *data = getenv("QS_DATA");
	struct qs_error error = {0};
	struct corpus c = {0};
	char folder[512];

	qs_script_destroy(script);
	built_count = 0;
	host.host.save = compare_saved;
	script = qs_script_create(session.t, &host.host, NULL, &error);
	ck_assert_msg(script != NULL, "%s", error.text);
	for (unsigned i = 0; i < sizeof scene_files / sizeof *scene_files; i++) {
		char path[700];

		snprintf(path, sizeof path, "%s/scenes/%s.lua", data ? data : "data", scene_files[i]);
		if (!qs_script_run_file(script, path, 0, NULL, &error))
			ck_abort_msg("%s: %s", scene_files[i], error.text);
	}
	snprintf(folder, sizeof folder, "%s/captures", data ? data : "data");
	corpus_add(&c, folder, true, false);
	ck_assert_int_gt(c.count, 50);
	for (int i = 0; i < c.count; i++)
		if (!is_built(c.file[i].name))
			ck_abort_msg("no scene makes %s", c.file[i].name);
	free(c.file);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("scene");
	TCase *writer = tcase_create("writer"), *tcase = tcase_create("scripts");

	tcase_add_loop_test(writer, round_trip, 0, 20);
	tcase_add_test(writer, writer_refuses);
	suite_add_tcase(suite, writer);
	tcase_set_timeout(tcase, 120);
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, scripts, 0, (int)(sizeof cases / sizeof *cases));
	tcase_add_loop_test(tcase, encoder, 0, 7);
	tcase_add_test(tcase, shipped_scenes);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
