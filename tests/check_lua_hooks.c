/* check_lua_hooks.c - what hooks get against what the taps of the engine report, event by event
 *
 * Both sides fold the same numbers of every event into one checksum, in order; the first moment with a difference is looked for
 * when they disagree.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <fnmatch.h>

#include "script_host.h"

/* ---- the C side --------------------------------------------------------------------------------------------------------- */

struct fold {
	struct session *s;
	uint64_t sum;
	uint64_t count;
	uint64_t stop; /* events after which to stop, 0: never */
	char moment[80]; /* of the last event */
	enum qs_level level;
	bool filtered;
	const char *pattern;
	uint32_t mask;
};

static void add(struct fold *f, int64_t value)
{
	f->sum = (f->sum * 31 + (uint64_t)value) & 0xFFFFFFFFFF;
}

static bool end_event(struct fold *f, const struct qs_moment *m)
{
	f->count++;
	qs_moment_format(f->s->capture, m, f->moment, sizeof f->moment);
	return f->count != f->stop;
}

static bool tap_command(void *user, const struct qs_moment *m)
{
	struct fold *f = user;
	const struct qs_command *c = qs_capture_command(f->s->capture, m->command);

	if (f->level == QS_LEVEL_DRAW && c->kind != QS_COMMAND_DRAW)
		return true;
	if (f->filtered && c->size <= 5)
		return true;
	add(f, m->frame);
	add(f, m->command);
	add(f, c->opcode);
	add(f, c->offset);
	add(f, c->size);
	add(f, c->draw == QS_NONE ? -1 : (int64_t)c->draw);
	return end_event(f, m);
}

static bool wanted_register(const struct fold *f, enum qs_unit unit, uint32_t address)
{
	const struct qs_register *reg = qs_register_find(unit, address);
	char name[96];

	if (!f->pattern)
		return true;
	snprintf(name, sizeof name, "%s.%s", qs_unit_name(unit), reg ? reg->name : "");
	return reg && fnmatch(f->pattern, name, 0) == 0;
}

static bool tap_write(void *user, const struct qs_moment *m, enum qs_unit unit, uint32_t address, uint32_t old, uint32_t value)
{
	struct fold *f = user;

	if (!wanted_register(f, unit, address) || (f->mask && !((old ^ value) & f->mask)) || (f->filtered && old == value))
		return true;
	add(f, unit);
	add(f, address);
	add(f, old);
	add(f, value);
	add(f, m->command);
	return end_event(f, m);
}

static bool tap_primitive(void *user, const struct qs_moment *m, const struct qs_setup *p)
{
	struct fold *f = user;

	if (f->filtered && p->verdict != QS_SETUP_CULLED)
		return true;
	add(f, m->draw);
	add(f, m->primitive);
	add(f, p->kind);
	add(f, p->verdict);
	add(f, p->part);
	add(f, (int64_t)(p->area2 * 4));
	add(f, p->box.x0 + p->box.y1);
	add(f, p->verdict == QS_SETUP_DRAWN ? (int64_t)(p->vertex[1].screen[0] * 12) : 0);
	add(f, p->verdict == QS_SETUP_DRAWN ? p->edge[2].top_left : 0);
	return end_event(f, m);
}

static void add_fragment(struct fold *f, const struct qs_fragment *g)
{
	const int64_t values[] = {g->x, g->y, g->verdict, g->samples, g->tev[3], g->source[0], g->source[3], g->z, g->z_old, g->z_new,
		g->old_rgba[1], g->new_rgba[2], g->new_rgba[3], g->fog, g->z_interpolated, g->z_func, g->alpha_passed, g->blended[0], g->ras[0][1]};

	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		add(f, values[i]);
}

static void add_stage(struct fold *f, const struct qs_stage *g)
{
	const int64_t values[] = {g->wide[0], g->wide[3], g->result[1], g->result[3], g->a[0], g->b[1], g->c[2], g->d[3], g->reg[0][0], g->reg[3][3],
		g->konst[1], g->tex[2], g->ras[0], g->coord_s, g->sample.done, g->sample.done ? g->sample.rgba[0] : 0, g->sample.texel_count};

	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		add(f, values[i]);
}

static bool tap_fragments(struct fold *f, const struct qs_moment *moment, const struct qs_quad *q)
{
	struct qs_moment m = *moment;

	for (m.fragment = 0; m.fragment < 4; m.fragment++) {
		const struct qs_fragment *g = &q->fragment[m.fragment];

		if (!g->samples)
			continue;
		for (m.stage = 0, m.level = QS_LEVEL_STAGE; f->level == QS_LEVEL_STAGE && m.stage < g->stage_count; m.stage++) {
			add(f, m.stage);
			add_stage(f, &g->stage[m.stage]);
			if (!end_event(f, &m))
				return false;
		}
		m.level = QS_LEVEL_FRAGMENT;
		m.stage = 0;
		if (f->level != QS_LEVEL_FRAGMENT || (f->filtered && !(g->verdict != QS_VERDICT_WRITTEN && g->x % 3 == 1)))
			continue;
		add_fragment(f, g);
		if (!end_event(f, &m))
			return false;
	}
	return true;
}

static bool tap_quad(void *user, const struct qs_moment *m, const struct qs_setup *p, const struct qs_quad *q)
{
	struct fold *f = user;

	if (f->level > QS_LEVEL_QUAD)
		return tap_fragments(f, m, q);
	if (f->filtered && !(q->coverage != 0xFFF && q->y > 100))
		return true;
	add(f, m->frame);
	add(f, m->draw);
	add(f, m->primitive);
	add(f, m->quad);
	add(f, q->x);
	add(f, q->y);
	add(f, q->coverage);
	add(f, q->part);
	add(f, p->kind);
	return end_event(f, m);
}

static bool tap_copy(void *user, const struct qs_moment *m, const struct qs_copy *c)
{
	struct fold *f = user;

	add(f, m->command);
	add(f, c->to_display);
	add(f, c->format);
	add(f, c->clear);
	add(f, c->source.x1);
	add(f, c->destination);
	add(f, c->width);
	add(f, c->filter[3]);
	return end_event(f, m);
}

/* ---- the hooks ---------------------------------------------------------------------------------------------------------- */

#define PRELUDE \
	"local sum, count, last = 0, 0, ''\n" \
	"local verdicts = {none=0, written=1, masked=2, early_z=3, alpha=4, late_z=5, pending=6}\n" \
	"local funcs = {never=0, less=1, equal=2, lequal=3, greater=4, nequal=5, gequal=6, always=7}\n" \
	"local kinds = {point=0, line=1, triangle=2}\n" \
	"local setups = {drawn=0, rejected=1, clipped=2, culled=3, degenerate=4, scissored=5}\n" \
	"local units = {bp=0, cp=1, xf=2, pe=3}\n" \
	"local function add(...) for _, v in ipairs({...}) do\n" \
	"  sum = (sum * 31 + (v == true and 1 or v or 0)) & 0xFFFFFFFFFF end end\n" \
	"local function finish(e) count = count + 1 if count == stop then last = e.moment return false end end\n" \
	"local function cut(v) return v < 0 and math.ceil(v) or math.floor(v) end\n" \
	"qs.on.done(function() print(count, sum, last) end)\n"

#define COMMAND_FIELDS "(function(c) add(c.frame, c.command, c.opcode, c.offset, c.size, c.draw or -1) return finish(c) end)"
#define WRITE_FIELDS "function(e) add(units[e.unit], e.address, e.old, e.new, e.cmd) return finish(e) end)"
#define PRIMITIVE_FIELDS \
	"function(p) local drawn = p.setup == 'drawn'\n" \
	"  add(p.draw, p.primitive, kinds[p.kind], setups[p.setup], p.part, cut(p.area * 8), p.box.x0 + p.box.y1,\n" \
	"    drawn and cut(p.vertex[1].screen.x * 12), drawn and p.edge[2].top_left) return finish(p) end)"
#define QUAD_FIELDS \
	"function(q, x, y) add(q.frame, q.draw, q.primitive, q.quad, x, y, q.coverage, q.part, kinds[q.kind]) return finish(q) end)"
#define FRAGMENT_FIELDS \
	"function(f, x, y) add(x, y, verdicts[f.verdict], f.samples, f.alpha, f.r, f.a, f.z, f.z_old, f.z_new, f.old_g, f.new_b,\n" \
	"  f.new.a, f.fog, f.z_interpolated, funcs[f.z_func], f.alpha_passed, f.blended.r, f.ras[0].g) return finish(f) end)"
#define STAGE_FIELDS \
	"qs.on.stage(function(s) add(s.stage, s.wide_r, s.wide.a, s.result_g, s.result.a, s.a.r, s.b.g, s.c.b, s.d.a, s.prev.r, s.c2.a, s.konst.g,\n" \
	"  s.tex.b, s.ras.r, s.coord_s, s.sample.done, s.sample.done and s.sample.rgba.r, s.sample.texel_count) return finish(s) end)"

static const struct {
	const char *name, *text;
	uint32_t tap;
	enum qs_level level;
	bool filtered;
	const char *pattern;
	uint32_t mask;
} cases[] = {
	{"commands", "qs.on.command" COMMAND_FIELDS, QS_TAP_COMMAND, QS_LEVEL_COMMAND, false, NULL, 0},
	{"long commands", "qs.on.command('size > 5', " COMMAND_FIELDS ")", QS_TAP_COMMAND, QS_LEVEL_COMMAND, true, NULL, 0},
	{"draws", "qs.on.draw" COMMAND_FIELDS, QS_TAP_COMMAND, QS_LEVEL_DRAW, false, NULL, 0},
	{"writes", "qs.on.write(" WRITE_FIELDS, QS_TAP_REGISTER, QS_LEVEL_COMMAND, false, NULL, 0},
	{"writes that change", "qs.on.write('*.*', 'old != value', " WRITE_FIELDS, QS_TAP_REGISTER, QS_LEVEL_COMMAND, true, "*.*", 0},
	{"writes of the combiner", "qs.on.write('bp.TEV_*', " WRITE_FIELDS, QS_TAP_REGISTER, QS_LEVEL_COMMAND, false, "bp.TEV_*", 0},
	{"writes of one register", "qs.on.write('BP.gen_mode', " WRITE_FIELDS, QS_TAP_REGISTER, QS_LEVEL_COMMAND, false, "bp.GEN_MODE", 0},
	{"changes of a field", "qs.on.write('bp.GEN_MODE.ntev', " WRITE_FIELDS, QS_TAP_REGISTER, QS_LEVEL_COMMAND, false, "bp.GEN_MODE", 15u << 10},
	{"two patterns", "qs.on.write('xf.*, xf.XF_NUM* xf.*', " WRITE_FIELDS, QS_TAP_REGISTER, QS_LEVEL_COMMAND, false, "xf.*", 0},
	{"primitives", "qs.on.primitive(" PRIMITIVE_FIELDS, QS_TAP_PRIMITIVE, QS_LEVEL_PRIMITIVE, false, NULL, 0},
	{"culled primitives", "qs.on.primitive('setup == culled', " PRIMITIVE_FIELDS, QS_TAP_PRIMITIVE, QS_LEVEL_PRIMITIVE, true, NULL, 0},
	{"quads", "qs.on.quad(" QUAD_FIELDS, QS_TAP_QUAD, QS_LEVEL_QUAD, false, NULL, 0},
	{"some quads", "qs.on.quad('coverage != 0xfff and y > 100', " QUAD_FIELDS, QS_TAP_QUAD, QS_LEVEL_QUAD, true, NULL, 0},
	{"fragments", "qs.on.fragment(" FRAGMENT_FIELDS, QS_TAP_QUAD, QS_LEVEL_FRAGMENT, false, NULL, 0},
	{"some fragments", "qs.on.fragment('verdict != written and x % 3 == 1', " FRAGMENT_FIELDS, QS_TAP_QUAD, QS_LEVEL_FRAGMENT, true, NULL, 0},
	{"stages", STAGE_FIELDS, QS_TAP_QUAD | QS_TAP_DETAIL, QS_LEVEL_STAGE, false, NULL, 0},
	{"copies", "qs.on.copy(function(c) add(c.command, c.to_display, c.format, c.clear, c.source.x1, c.destination, c.width, c.filter[3])\n"
		   "  return finish(c) end)", QS_TAP_COPY, QS_LEVEL_COMMAND, false, NULL, 0},
};

#define CASES ((int)(sizeof cases / sizeof *cases))

static struct fold fold_taps(struct session *s, int i, uint64_t stop, const struct qs_moment *from)
{
	struct fold f = {.s = s, .stop = stop, .level = cases[i].level, .filtered = cases[i].filtered, .pattern = cases[i].pattern,
		.mask = cases[i].mask};
	const struct qs_taps taps = {cases[i].tap, &f, tap_command, tap_write, tap_primitive, tap_quad, tap_copy, NULL};
	struct qs_error error;

	ck_assert_msg(qs_timeline_replay(s->t, from, NULL, &taps, &error), "%s", error.text);
	return f;
}

/* What the script prints, and where it stopped. */
static void fold_hooks(struct session *s, int i, uint64_t stop, const struct qs_moment *from, char *result, size_t size)
{
	struct script_host h;
	struct qs_script *script = open_script(&h, s->t, NULL);
	char *whole = malloc(sizeof PRELUDE + strlen(cases[i].text) + 100);
	struct qs_error error;

	sprintf(whole, "local stop = %" PRIu64 "\n%s%s\nqs.replay('%s')", stop, PRELUDE, cases[i].text, from ? text(s, from) : "0");
	ck_assert_msg(qs_script_run_text(script, whole, "=test", &error), "%s, %s: %s", s->name, cases[i].name, error.text);
	snprintf(result, size, "%s", noted(&h));
	qs_script_destroy(script);
	free(whole);
	free(h.out);
}

static bool same(struct session *s, int i, uint64_t stop, const struct qs_moment *from, struct fold *f)
{
	char expected[200], result[200];
	uint64_t count;

	*f = fold_taps(s, i, stop, from);
	count = stop && f->count == stop ? stop : 0;
	snprintf(expected, sizeof expected, "%" PRIu64 "\t%" PRIu64 "\t%s\n", f->count, f->sum, count ? f->moment : "");
	fold_hooks(s, i, stop, from, result, sizeof result);
	return strcmp(result, expected) == 0;
}

#define MOST_EVENTS 20000

/* Long replays are looked at from some draw on, for so many events. */
static void compare_case(struct session *s, int i)
{
	struct fold all = fold_taps(s, i, 0, NULL), f;
	uint64_t low = 1, high = all.count, stop = 0;
	struct qs_moment from = {.level = QS_LEVEL_START};

	if (high > MOST_EVENTS) {
		from = random_moment(s, QS_LEVEL_DRAW);
		qs_timeline_step(s->t, QS_LEVEL_DRAW, -1, NULL);
		from = *qs_timeline_moment(s->t);
		high = stop = MOST_EVENTS;
	}
	if (same(s, i, stop, &from, &f)) {
		/* and stops where it is asked to */
		stop = f.count ? 1 + below(s, (uint32_t)f.count) : 0;
		ck_assert_msg(!stop || same(s, i, stop, &from, &f), "%s, %s: stop at event %" PRIu64 " from %s (seed %" PRIu64 ")", s->name,
			cases[i].name, stop, text(s, &from), s->random.seed);
		if (stop)
			ck_assert_msg(!strcmp(text(s, qs_timeline_moment(s->t)), f.moment), "%s, %s: stopped at %s, not %s", s->name,
				cases[i].name, text(s, qs_timeline_moment(s->t)), f.moment);
		return;
	}
	while (low < high) {
		uint64_t middle = (low + high) / 2;

		if (same(s, i, middle, &from, &f))
			low = middle + 1;
		else
			high = middle;
	}
	same(s, i, low, &from, &f);
	ck_abort_msg("%s, %s: event %" PRIu64 " from %s differs, at %s", s->name, cases[i].name, low, text(s, &from), f.moment);
}

START_TEST(hooks_as_taps)
{
	struct session s;

	bool large;

	open_walked(&s, _i);
	large = !strcmp(s.name, "tour") || !strcmp(s.name, "copy-feedback-frames") || !strcmp(s.name, "animation-six-frames");
	for (int i = 0; i < CASES; i++)
		if (!large || cases[i].level < QS_LEVEL_QUAD || below(&s, 3) == 0)
			compare_case(&s, i);
	close_session(&s);
}
END_TEST

/* ---- hooks at which the timeline stands --------------------------------------------------------------------------------- */

static void expect_notes(const char *name, struct script_host *h, const char *expected)
{
	ck_assert_msg(!strcmp(noted(h), expected), "%s prints:\n%snot:\n%s", name, noted(h), expected);
}

/* Everything can be asked there, and moving away does not disturb the replay. */
START_TEST(standing_hooks)
{
	static const char *const probe =
		"qs.on.draw(function(d) local p = qs.pixel(320, 240) print(d.moment, qs.moment, qs.hash(), p.r, p.z, qs.image():get(100, 100))\n"
		"  if d.draw % 3 == 1 then qs.seek('0') qs.step('command', 5) end end)\n"
		"qs.on.frame(function(f) print(f.moment, f.frame, f.draws, qs.hash()) qs.seek('1/0') end)";
	struct script_host h;
	struct qs_script *script;
	struct qs_error error;
	struct session s;
	char *expected = NULL;
	size_t size = 0;
	FILE *out;

	open_walked(&s, _i);
	if (qs_capture_info(s.capture)->draw_count > 120) { /* every stop is sought twice */
		close_session(&s);
		return;
	}
	out = open_memstream(&expected, &size);
	for (uint32_t f = 1; f <= qs_capture_info(s.capture)->frame_count; f++) {
		const struct qs_frame *frame = qs_capture_frame(s.capture, f);
		struct qs_moment m;

		for (uint32_t d = 0; d < frame->draw_count; d++) {
			struct qs_image image;
			uint8_t rgba[4], *p;
			uint32_t z;

			qs_moment_of_command(s.capture, qs_capture_draw_command(s.capture, f, d), &m);
			seek(&s, &m);
			ck_assert(qs_timeline_pixel(s.t, 320, 240, rgba, &z));
			ck_assert(qs_timeline_image(s.t, QS_BUFFER_COLOR, &image, &error));
			p = image.rgba + 4 * (100 * image.width + 100);
			fprintf(out, "%s\t%s\t%016" PRIx64 "\t%u\t%u\t%u\t%u\t%u\t%u\n", text(&s, &m), text(&s, &m), qs_timeline_hash(s.t), rgba[0], z,
				p[0], p[1], p[2], p[3]);
			qs_image_finish(&image);
		}
		m = (struct qs_moment){.level = QS_LEVEL_FRAME, .frame = f, .command = frame->first_command + frame->command_count - 1};
		seek(&s, &m);
		fprintf(out, "%u\t%u\t%u\t%016" PRIx64 "\n", f, f, frame->draw_count, qs_timeline_hash(s.t));
	}
	fclose(out);
	script = open_script(&h, s.t, NULL);
	ck_assert_msg(qs_script_run_text(script, probe, "=test", &error), "%s: %s", s.name, error.text);
	expect_notes(s.name, &h, expected);
	qs_script_destroy(script);
	free(h.out);
	free(expected);
	close_session(&s);
}
END_TEST

/* ---- order, handles, copies ---------------------------------------------------------------------------------------------- */

static const struct {
	const char *text, *output;
} small[] = {
	/* fine things before those they are in, hooks in the order they were set */
	{"local function say(kind) return function(e) print(kind, e.moment) end end\n"
	 "qs.on.quad('quad == 5', say('quad')) qs.on.stage('quad == 5 and fragment < 2', say('stage')) qs.on.fragment('quad == 5 and fragment < 2', say('a'))\n"
	 "qs.on.fragment('quad == 5 and fragment < 1', say('b')) qs.on.primitive(say('primitive')) qs.on.draw(say('draw')) qs.on.command('draw == 0', say('command'))\n"
	 "qs.on.frame(say('frame')) qs.on.done(function() print('done') end)\n"
	 "qs.replay('1@0x6d', '1/0/0')",
	 "primitive\t1/0/0\nstage\t1/0/0/5/0/0\na\t1/0/0/5/0\nb\t1/0/0/5/0\nstage\t1/0/0/5/1/0\na\t1/0/0/5/1\nquad\t1/0/0/5\ndone\n"},
	{"local function say(kind) return function(e) print(kind, e.moment) end end\n"
	 "qs.on.frame(say('frame')) qs.on.draw(say('draw')) qs.on.command('draw == 3 or offset > 0x22b', say('command')) qs.replay('1/2', '1')",
	 "command\t1/3\ndraw\t1/3\ncommand\t1@0x230\nframe\t1\n"},
	{"local h h = qs.on.draw(function(d) print(d.draw) if d.draw == 1 then h:off() end end)", "0\n1\n"},
	{"local n = 0 local a = qs.on.draw(function() n = n + 1 end) qs.replay() a:off() qs.on.draw('draw == 0', function() n = n + 100 end) qs.replay() print(n)",
	 "104\n"},
	{"qs.on.draw('draw == 0', function(d) local c = d:copy() print(c.draw, c.primitive, c.vertices, c.primitives, c.moment, c.frame) end)",
	 "0\tquads\t4\t2\t1/0\t1\n"},
	{"qs.on.quad('draw == 0 and quad == 0', function(q) local c = q:copy() print(c.x, c.y, c.coverage, c.fragment[0].verdict, c.kind, c.area > 0) end)",
	 NULL},
	{"qs.on.write('bp.TEV_ALPHAFUNC', function(e) print(e.reg, table.concat(e.changed, ' '), e.cmd, e.moment) end) qs.replay('1/0', '1/1')", NULL},
	/* a copy as its hook sees it: before the clear, with the way of a texel; then the same asked at its moment */
	{"local before qs.on.copy(function(c) local t = qs.copy_texel(10, 4) before = c.format_name .. ' ' .. c.filter[3] .. ' ' .. t.pixel[0].tap_count\n"
	 "print(c.to_display, t.pixel_count, t.pixel[0].tap[3].x, t.pixel[0].tap[3].y, t.pixel[0].tap[0].y, t.pixel[0].tap[6].weight, t.size)\n"
	 "print(c.clear, c.clear_depth, c.sample_count, c.line_step, t.address[0] == c.destination + 4 * c.stride + 20)\n"
	 "print(t.rgba.g, t.converted.r, t.bytes[0] == t.converted.r) print(pcall(qs.copy)) print(pcall(qs.copy_texel, 640, 0)) end)\n"
	 "qs.replay() qs.seek('1@0x230') local c, t = qs.copy(), qs.copy_texel(10, 4)\n"
	 "print(c.format_name .. ' ' .. c.filter[3] .. ' ' .. t.pixel[0].tap_count == before, t.converted.r)",
	 "true\t1\t10\t4\t3\t0\t2\ntrue\ttrue\t1\t256\ttrue\n0\t16\ttrue\nfalse\tqs.copy cannot be used in a write, primitive, quad, fragment, "
	 "stage or copy hook, because the replay is under way there; keep what you need and use it in a draw or frame hook or in qs.on.done\n"
	 "false\tThe copy has no texel 640,0; it is 640x480.\ntrue\t16\n"},
	{"print(qs.replay('0', '1/1')) print(qs.moment)", "true\t1/1\n1/1\n"},
	{"qs.on.draw('draw == 2', function() return false end) print(qs.replay())", "false\t1/2\n"},
	{"qs.on.draw('draw == 2', function() return nil end) print((qs.replay()))", "true\n"},
	{"qs.on.draw(function(d) local ok, e = pcall(qs.replay) if d.draw == 0 then print(ok, e) end end)",
	 "false\tqs.replay cannot be used in a hook\n"},
	{"local ok, e = pcall(function() qs.on.draw(function() error({code = 7}) end) qs.replay() end) print(ok)", "false\n"},
	{"coroutine.wrap(function() local n = 0 qs.on.quad(function() n = n + 1 end) qs.replay() print(n > 1000) end)()", "true\n"},
};

START_TEST(small_probes)
{
	struct script_host h;
	struct qs_script *script;
	struct qs_error error;
	struct session s;
	char path[700];

	open_session(&s, shipped("z-early-late", path, sizeof path), "z-early-late");
	script = open_script(&h, s.t, NULL);
	ck_assert_msg(qs_script_run_text(script, small[_i].text, "=test", &error), "%s: %s", small[_i].text, error.text);
	if (small[_i].output)
		expect_notes(small[_i].text, &h, small[_i].output);
	qs_script_destroy(script);
	free(h.out);
	close_session(&s);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("lua hooks");
	TCase *tcase = tcase_create("lua hooks");

	tcase_set_timeout(tcase, 300);
	tcase_add_loop_test(tcase, hooks_as_taps, 0, WALKED);
	tcase_add_loop_test(tcase, standing_hooks, 0, WALKED);
	tcase_add_loop_test(tcase, small_probes, 0, sizeof small / sizeof *small);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
