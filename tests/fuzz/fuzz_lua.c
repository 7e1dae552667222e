/* fuzz_lua.c - scripts under tight limits: whatever they do, they end, and the timeline is what it was
 *
 * When the input begins with a letter or a dash it is a script as it stands; else every byte chooses the next word of a script
 * from a table, which gets past the compiler more often.  The capture is triangle-gouraud of data/captures (QS_DATA).
 *
 * Run: fuzz_lua -max_len=400 -timeout=20 CORPUS
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lua/engine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const words[] = {
	/* the language */
	"\n", " ", "(", ")", "{", "}", "[", "]", ",", ";", "=", "==", "~=", "<", "+", "-", "*", "//", "%", "^", "#", "..", "...", ":", ".", "&", "<<",
	" and ", " or ", " not ", " nil ", " true ", " false ", " local ", " return ", " if ", " then ", " else ", " end ", " for ", " in ", " do ",
	" while ", " repeat ", " until ", " break ", " function ", " function(x) ", "x", "y", "f", "x = ", "local y = ", "for x = 1, 3 do ",
	"for x in ", "if x then ", "while x do ", "f = function(...) ", "local y <close> = ", "goto f ", "::f:: ", "()", "'a'", "'bp.GEN_MODE'", "\"\"",
	"0", "1", "2", "-1", "0.5", "1e300", "math.huge", "0/0", "math.maxinteger", "math.mininteger", "3", "7", "16", "255", "1000", "1 << 40",
	/* the library */
	"pcall(", "xpcall(", "error(", "error{}", "print(", "tostring(", "type(", "next(", "pairs(", "ipairs(", "select(", "rawget(", "rawset(", "load(",
	"assert(", "setmetatable(", "getmetatable(", "setmetatable({}, {__index = ", "__close = ", "__gc = ", "__tostring = ", "__len = ", "__call = ",
	"__name = ", "collectgarbage(", "'count'", "string.rep(", "string.find(", "string.gsub(", "string.format(", "string.gmatch(", "string.byte(",
	"string.char(", "string.pack(", "string.unpack(", "('a'):rep(30)", "'(a*)(b*)'", "'%d%s'", "'%f[%a]'", "'[^a-c]-'", "'%1'", "table.sort(",
	"table.concat(", "table.insert(", "table.remove(", "table.unpack(", "table.move(", "table.pack(", "coroutine.wrap(", "coroutine.create(",
	"coroutine.yield(", "coroutine.resume(", "coroutine.close(", "coroutine.running()", "utf8.char(", "utf8.codepoint(", "math.random(", "math.floor(",
	/* the interface */
	"qs", "qs.", "qs.moment", "qs.capture", "qs.regs", "qs.regs.bp", "qs.regs.bp.GEN_MODE", ".raw", ".ntev", ":text(", ":writer()", ":fields()",
	":info()", "qs.regs(", "qs.seek(", "'1/0'", "'1/0/0/3'", "'1/0/0/3/0'", "'1/0/0/3/0/0'", "'0'", "'1'", "qs.step(", "'quad'", "'stage'", "'draw'",
	"qs.seek_pixel(", "qs.seek_write(", "qs.where()", "qs.frames()", "qs.draws()", "qs.commands()", "qs.command(", ".text", ".bytes", "qs.hash()",
	"qs.model(", "'dolphin'", "qs.quirk(", "qs.on.frame(", "qs.on.draw(", "qs.on.command(", "qs.on.write(", "qs.on.primitive(", "qs.on.quad(",
	"qs.on.fragment(", "qs.on.stage(", "qs.on.copy(", "qs.on.done(", "'verdict == written'", "'x > 100'", "'bp.TEV_*'", "'detail'", ":copy()",
	":off()", "qs.replay()", "qs.replay(", "qs.pixel(", ":history()", ":explain()", "qs.image(", "'depth'", "'coverage'", "'copy'", ":get(", ":rgba(",
	":row(", "qs.difference(", "qs.texture(", ":image(", "qs.trace()", "qs.setup()", "qs.vertices()", "qs.quads()", "qs.memory.read(", "'tmem'",
	"qs.memory.u32(", "qs.memory.f32(", "qs.memory.array(", "'position'", "qs.plot.line(", "qs.plot.scatter(", "qs.plot.hist(", "qs.plot.heat(",
	"qs.table(", "qs.overlay:rect(", "qs.overlay:text(", "qs.overlay:clear()", "qs.snapshot()", "qs.diff(", "qs.override(", "'bp.PE_ZMODE.func'", "qs.lint()", "qs.break_at(",
	"qs.break_at{where=", "cond=", "'pixel 320,100'", "qs.run()", "qs.run(-1)", "qs.check(", "qs.exit(", "qs.json(", "qs.help(", "arg", "_G",
};

#define WORDS (sizeof words / sizeof *words)

static volatile unsigned seen; /* everything a host gets is read */

static void look(const char *text)
{
	for (; text && *text; text++)
		seen += (unsigned char)*text;
}

static void print(void *user, const char *text, bool is_error)
{
	(void)user;
	look(text);
	seen += is_error;
}

static void plot(void *user, const struct qs_plot *p)
{
	(void)user;
	look(p->title);
	look(p->x_label);
	look(p->y_label);
	for (size_t i = 0; i < p->count; i++)
		seen += (p->x ? p->x[i] > 0 : 0) + (p->y[i] > 0);
	if (p->kind == QS_PLOT_HEAT && p->count != (size_t)p->width * p->height)
		abort();
}

static void overlay(void *user, const struct qs_overlay *shapes, size_t count)
{
	(void)user;
	for (size_t i = 0; i < count; i++)
		look(shapes[i].text);
}

static void table(void *user, const struct qs_table_data *t)
{
	(void)user;
	look(t->title);
	for (size_t i = 0; i < t->columns; i++)
		look(t->column[i]);
	for (size_t i = 0; i < t->columns * t->rows; i++)
		look(t->cell[i]);
}

/* Replays have no limit of their own; a person would stop them. */
static time_t began;

static bool progress(void *user, double fraction)
{
	(void)user;
	(void)fraction;
	return time(NULL) - began < 3;
}

static struct qs_timeline *timeline;
static uint64_t start_hash;
static unsigned runs;

static void open_capture(void)
{
	const char *data = getenv("QS_DATA");
	struct qs_error error = {0};
	struct qs_capture *capture;
	char path[700];

	snprintf(path, sizeof path, "%s/captures/triangle-gouraud.dff", data ? data : "data");
	capture = qs_capture_open(path, NULL, NULL, &error);
	timeline = capture ? qs_timeline_create(capture, &error) : NULL;
	if (!timeline) {
		fprintf(stderr, "%s\n", error.text);
		abort();
	}
	start_hash = qs_timeline_hash(timeline);
}

static char *make_script(const uint8_t *data, size_t size)
{
	bool text = size && (isalpha(data[0]) || data[0] == '-');
	char *script = malloc(text ? size + 1 : 24 * size + 1), *at = script;

	if (text) {
		memcpy(script, data, size);
		script[size] = 0;
		return script;
	}
	for (size_t i = 0; i < size; i++) {
		unsigned n = data[i];

		if (n == 255 && i + 1 < size) /* the rest of the table */
			n += data[++i];
		at += sprintf(at, "%s", words[n % WORDS]);
	}
	*at = 0;
	return script;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct qs_script_host host = {NULL, print, plot, overlay, table, NULL, progress, NULL};
	const struct qs_script_limits limits = {0.02, (size_t)8 << 20};
	const struct qs_moment start = {.level = QS_LEVEL_START};
	struct qs_error error = {0};
	struct qs_script *script;
	char *text, **list;
	size_t at;
	bool incomplete;

	if (size > 1000)
		return 0;
	if (!timeline)
		open_capture();
	began = time(NULL);
	script = qs_script_create(timeline, &host, &limits, &error);
	if (!script)
		abort();
	text = make_script(data, size);
	if (getenv("QS_SHOW"))
		fprintf(stderr, "%s\n", text);
	if (!qs_script_run_text(script, text, "=fuzz", &error) && !error.text[0])
		abort();
	if (qs_script_status(script) < 0 || qs_script_status(script) > 2)
		abort();
	if (!qs_script_eval(script, text, &incomplete, &error) && !error.text[0])
		abort();
	list = qs_script_complete(script, text, &at);
	if (at > strlen(text))
		abort();
	qs_script_free_list(list);
	qs_script_destroy(script);

	if (qs_timeline_break_count(timeline) != 0 || qs_timeline_override_count(timeline) != 0)
		abort();
	if (strstr(text, "model") || strstr(text, "quirk"))
		qs_timeline_set_model(timeline, QS_MODEL_HARDWARE);
	free(text);
	if (!qs_timeline_seek(timeline, &start, &error))
		abort();
	if (++runs % 16 == 0 && qs_timeline_hash(timeline) != start_hash)
		abort();
	return 0;
}
