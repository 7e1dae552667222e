/* fuzz_scene.c - scenes of any values: qs.scene never crashes, and what it saves is a log that opens, describes itself and draws
 *
 * The first byte says how the scene begins; then every byte chooses a call from a table, and bytes after it the values in its places:
 * %i integer, %f float, %b boolean, %n small number, %r register, %s a name from the table of all names.  A call that is refused is
 * skipped; the scene goes on.
 *
 * Run: fuzz_scene -max_len=400 -timeout=20 CORPUS; QS_SHOW=1 shows the scripts
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdarg.h>

#include "fuzz.h"
#include "gx/machine.h"
#include "lua/engine.h"

#define DRAWS 3 /* that are executed: a draw may fill the screen sixteen times over */

static const char *const calls[] = {
	"s:start()", "s:end_frame()", "s:finish()", "s:finish{x=%i, y=%i, width=%i, height=%i, gamma=%n, field=%n, yscale=%f, clear=%b}",
	"s:bp(%r, %i)", "s:bp(%r, %i, %i, %i)", "s:cp(%r, %i)", "s:xf(%r, %f, %i, %f)", "s.bp[%r] = %i", "s.xf[%r].value = %f", "s.cp[%r].raw = %i",
	"s:bp('GEN_MODE', {ntex=%n, ncol=%n, ntev=%n, nbmp=%n, zfreeze=%b})", "s:generate{tex=%n, colours=%n, stages=%n, cull=%n, indirect=%n, aa=%b}",
	"s:attributes{position=%s, normal=%s, colour0=%s, colour1=%s, ntb=%b, tex={%s, %s}, posmtx=%b, tex1mtx=%b}",
	"s:attributes{position='direct', normal='direct', colour0='direct', tex={'direct'}}", "s:attributes()", "s:format(0)",
	"s:format(%n, {position={%s, count=%n, frac=%n}, normal={%s, ntb=%b}, colour0=%s, tex={{%s, frac=%n, count=%n}}, index3=%b, dequant=%b})",
	"s:array(%s, %i, %n)", "s:matrix(%n)", "s:matrix(%n, {{%f, %f, %f, %f}, {%f, %f, %f, %f}, {0, 0, %f, 1}})", "s:normal_matrix(%n)", "s:post_matrix(%n)",
	"s:viewport(%f, %f, %f, %f, %f, %f)", "s:ortho(%f, %f)", "s:perspective(%f, %f, %f, %f)", "s:light(%n, {colour={%n, %n, %n}, position={%f, %f, %f}})",
	"s:order(%n, %n, %n, %n)", "s:tev(%n, 'zero tex_rgb ras_rgb zero', 'zero tex ras zero', {scale=%n, op=%n, bias=%n})", "s:tev(%n, %s, %s)",
	"s:konst(%n, %n, %n)", "s:swap(%n, %s, 'g', 'b', 'a')", "s:tev_register(%n, %i, %i, %i, %i)", "s:konst_register(%n, %i, %n, %n, %n)",
	"s:scissor(%i, %i, %i, %i)", "s:depth(%b, %s, %b)", "s:blend{mode=%s, src=%s, dst=%s, dither=%b, alpha=%b}", "s:pixels(%s, %b, %n)", "s:pixels(%n)",
	"s:clear_colour(%n, %n, %n, %n, %i)",
	"s:texture(%n, {width=%n + 1, height=%n + 1, format=%s, address=%i, wrap_s=%s, min=%s, mip=%s, bias=%f, max_lod=%f, palette=%i})",
	"s:texture(0, {width=8, height=8, format='I8', data=qs.encode('I8', 8, 8, function(x, y) return x * %n, y, 0 end)})",
	"s:texture(1, {width=%n + 1, height=%n + 1, format=%s, data=qs.encode(%s, %n + 1, %n + 1, qs.letter(%n + 1, %n + 1))})",
	"s:load_palette(%i, %i, %n)", "s:preload(%i, %i, %i, %n, %s)", "s:invalidate_textures()", "s:texture_size(%n, %i, %i)",
	"s:copy{x=%i, y=%i, width=%i, height=%i, address=%i, format=%n, half=%b, clear=%b, gamma=%n}", "s:copy{width=16, height=16, address=0x200000, format=%n}",
	"s:copy_filter{%n, %n, %n, %n, %n, %n, %n}", "s:raw(string.char(%n, %n, %n))", "s:raw(('\\0'):rep(%n))", "s:memory(%i, ('x'):rep(%n), %s)",
	"s:memory(s:allocate(%n), 'abcd')", "s:tmem(%i, 'abcd')", "s:quad(%f, %f, %f, %f, {z=%f, colour={%n, %n, %n}, uv={0, 0, %f, %f}, n=%n, format=%n})",
	"s:quad(0, 0, 30, 30)", "s:quad(%n, %n, %n, %n)", "s:draw(%s, %n, {{%f, %f, %f, c={%n, %n, %n}, n={0, 0, 1}, t={%f, %f}}})",
	"s:draw('triangles', 0, {{%f, %f, -.5, c=%i}, {%f, %f, -.5, c=%i}, {%n, %n, %f, c=%i}})",
	"s:draw('lines', 0, {{%n, %n, -.5, c=%i, n={0, 0, 1}, t={0, 0}}, {%n, %n, -.5, c=%i, n={0, 0, 1}, t={1, 1}}})",
	"s:draw('points', 0, {{position=%i, c=%i}})", "s:call(s:list(function() s:quad(%n, %n, 20, 20) s:bp(%r, %i) end))", "s:call(%i, %i)",
	"s:call(s:list(function() s:call(%i, %n) end, %i))", "s:record(function() s:end_frame() end)", "s:elements(%s, %n, {{%f, %f, %f}, {%n, %n, %n}})",
	"s.width = %n", "s.next_address = %i", "s:open():run(function() qs.seek(%n) end)", "local t = s:open() t:seek(%s) t:pixel(%n, %n)", "qs.hue(%f, %n)",
};

static const char *const names[] = {"absent", "direct", "index8", "index16", "u8", "s8", "u16", "s16", "f32", "rgb565", "rgb8", "rgbx8", "rgba4", "rgba6",
	"rgba8", "position", "normal", "colour0", "tex0", "A", "D", "triangles", "strip", "fan", "quads", "quads2", "lines", "line_strip", "points",
	"never", "lequal", "always", "none", "blend", "subtract", "logic", "one", "src_alpha", "inv_dst_alpha", "rgb8_z24", "rgba6_z24", "rgb565_z16",
	"z24", "yuv8", "I4", "I8", "IA4", "IA8", "RGB565", "RGB5A3", "RGBA8", "C4", "C8", "C14X2", "CMPR", "clamp", "repeat", "mirror", "nearest", "linear",
	"texture", "xf", "vertex", "tmem", "r", "zero zero zero ras_rgb", "one c0_rgb tex_aaa half", "1", "1/0", "0", "", "no such name"};
static const char *const integers[] = {"0", "1", "2", "3", "4", "7", "8", "15", "16", "31", "32", "63", "255", "256", "639", "1023", "1024", "0xFFFF", "0x10000",
	"0x100000", "0x17FFFE0", "0x80000", "0xFFFFF", "0xFFFFFF", "0x1000000", "0x7FFFFFFF", "0xFFFFFFFF", "-1", "-1024", "1 << 40", "math.maxinteger",
	"math.mininteger"};
static const char *const floats[] = {"0.0", "-0.0", "0.5", "1.0", "-1.0", "2.0", "10.0", "64.0", "320.5", "1023.9", "-1e3", "1e6", "1e30", "-1e38", "1e300", "1e-40",
	"0/0", "1/0", "-1/0", "1", "30", "-7"};
static const char *const registers[] = {"'GEN_MODE'", "'SU_LPSIZE'", "'PE_COPY_CMD'", "'TX_LOADTLUT1'", "'TX_LOADBLOCK3'", "'BP_MASK'", "'VCD_LO'",
	"'XF_CLIP_DISABLE'", "0x1008", "0x101A", "0x1050", "0x52", "0x63", "0x65", "0xFE", "0x107", "0x108", "0xA0", "0xFF", "0x600", "0xFFF", "-1",
	"'no such register'"};

#define CHOOSE(table, n) (table)[(n) % (sizeof (table) / sizeof *(table))]

struct input {
	const uint8_t *data;
	size_t left;
};

static unsigned take(struct input *in)
{
	if (!in->left)
		return 0;
	in->left--;
	return *in->data++;
}

struct text {
	char bytes[32768];
	size_t used;
};

static void add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct text *t, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	int n = vsnprintf(t->bytes + t->used, sizeof t->bytes - t->used, format, args);
	va_end(args);
	if (n > 0 && t->used + (size_t)n < sizeof t->bytes)
		t->used += (size_t)n;
}

static void add_value(struct text *t, char kind, struct input *in)
{
	unsigned n = take(in);

	switch (kind) {
	case 'i':
		add(t, "%s", CHOOSE(integers, n));
		break;
	case 'f':
		add(t, "%s", CHOOSE(floats, n));
		break;
	case 'b':
		add(t, n & 1 ? "true" : "false");
		break;
	case 'n':
		add(t, "%u", n % (n & 128 ? 64 : 8));
		break;
	case 'r':
		add(t, "%s", CHOOSE(registers, n));
		break;
	default:
		add(t, "'%s'", CHOOSE(names, n));
		break;
	}
}

static void add_call(struct text *t, struct input *in)
{
	add(t, "pcall(function() ");
	for (const char *p = CHOOSE(calls, take(in)); *p; p++)
		if (*p == '%')
			add_value(t, *++p, in);
		else
			add(t, "%c", *p);
	add(t, " end)\n");
}

static struct gx_machine *machine;
static struct qs_timeline *timeline; /* of nothing: a script is always over one */
static bool saved;

/* Every log that a scene saves opens, says what is in it, and draws. */
static bool save(void *user, const char *name, const void *data, size_t size, struct qs_error *error)
{
	struct qs_error problem = {0};
	struct qs_capture *capture = qs_capture_open_memory(data, size, &problem);
	unsigned draws = 0;

	(void)user, (void)name, (void)error;
	if (!capture)
		fuzz_fail(problem.text);
	if (qs_capture_info(capture)->truncated)
		fuzz_fail("a scene is cut");
	fuzz_describe(capture);
	gx_machine_reset(machine, capture);
	for (uint32_t i = 0; i < qs_capture_info(capture)->command_count; i++) {
		draws += qs_capture_command(capture, i)->kind == QS_COMMAND_DRAW;
		if (draws > DRAWS)
			break;
		gx_execute(machine, i);
	}
	gx_machine_reset(machine, NULL);
	qs_capture_destroy(capture);
	saved = true;
	return true;
}

static void begin(void)
{
	struct qs_error error = {0};
	struct qs_recording *r = qs_recording_create(3, false, &error);
	uint8_t *data = NULL;
	size_t size = 0;

	machine = gx_machine_create(0x1800000, 0);
	if (!r || !qs_recording_end_frame(r, &error) || !qs_recording_bytes(r, &data, &size, &error) || !machine)
		fuzz_fail("no memory");
	timeline = qs_timeline_create(qs_capture_open_memory(data, size, &error), &error);
	if (!timeline)
		fuzz_fail(error.text);
	free(data);
	qs_recording_destroy(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct text text;
	const struct qs_script_host host = {.save = save};
	const struct qs_script_limits limits = {0.5, (size_t)64 << 20};
	struct input in = {data, size};
	struct qs_error error = {0};
	unsigned how = take(&in);

	if (!timeline)
		begin();
	text.used = 0;
	add(&text, "local s = qs.scene{width=%u, height=48, version=%u, wii=%s, bare=%s}\n", how & 1 ? 64 : 640, 1 + how / 2 % 5, how & 32 ? "true" : "false",
		how & 64 ? "true" : "false");
	while (in.left && text.used < sizeof text.bytes - 4096)
		add_call(&text, &in);
	add(&text, "s:save('scene')\n");
	if (getenv("QS_SHOW"))
		fprintf(stderr, "%s\n", text.bytes);
	struct qs_script *script = qs_script_create(timeline, &host, &limits, &error);
	if (!script)
		fuzz_fail(error.text);
	saved = false;
	bool good = qs_script_run_text(script, text.bytes, "=scene", &error);
	if (!good && !error.text[0])
		fuzz_fail("a script that fails says nothing");
	if (!good && !strstr(error.text, "memory") && !strstr(error.text, "seconds") && !strstr(error.text, "MiB"))
		fuzz_fail(error.text); /* refused calls are caught, so only a limit can have stopped it */
	if (good && !saved)
		fuzz_fail("a scene was not saved");
	qs_script_destroy(script);
	return 0;
}
