/* check_breakpoints.c - breakpoints against the list of all events
 *
 * The oracle replays everything with taps, keeps each event's moment and values, and tests conditions written in C.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "session.h"

/* ---- text --------------------------------------------------------------------------------------------------------------- */

static const struct {
	const char *text;   /* as written */
	const char *format; /* as printed; NULL: the same */
} texts[] = {
	{"draw", NULL},
	{"draw 57", NULL},
	{"draw 2/57", NULL},
	{"  log   draw 2/57 ", "log draw 2/57"},
	{"primitive 2/57/0", NULL},
	{"quad 1/2/3/4", NULL},
	{"count quad", NULL},
	{"pixel 10,20", NULL},
	{"pixel 10,20-40,50", NULL},
	{"pixel 10 , 20 - 10,20 ", "pixel 10,20"},
	{"command copy", NULL},
	{"command xf_indexed", NULL},
	{"write bp.GEN_MODE", NULL},
	{"write bp.gen_mode.ntev", "write bp.GEN_MODE.ntev"},
	{"write bp.0x00", "write bp.GEN_MODE"},
	{"pixel 1,2 if alpha < 8 and bp.GEN_MODE.ntev > 2", NULL},
	{"log write bp.PE_ZMODE if value != old", NULL},
};

START_TEST(text_round_trip)
{
	struct qs_breakpoint b, again;
	struct qs_error error = {0};
	char *condition, *second, buffer[200];
	const char *expected = texts[_i].format ? texts[_i].format : texts[_i].text;

	ck_assert_msg(qs_breakpoint_parse(texts[_i].text, &b, &condition, &error), "%s", error.text);
	ck_assert_str_eq(qs_breakpoint_format(&b, buffer, sizeof buffer), expected);
	ck_assert(qs_breakpoint_parse(buffer, &again, &second, &error));
	b.condition = again.condition = NULL;
	ck_assert_int_eq(memcmp(&b, &again, sizeof b), 0);
	free(condition);
	free(second);
	for (size_t n = 1; n < 12; n++) { /* a short buffer is not overrun */
		memset(buffer, 'x', sizeof buffer);
		qs_breakpoint_format(&b, buffer, n);
		ck_assert_int_eq(buffer[n], 'x');
		ck_assert_uint_lt(strlen(buffer), n);
	}
}
END_TEST

static const char *const bad_texts[] = {"", "fly", "draw x", "draw 1/2/3", "draw 5 when x", "draw 5 if", "draw if ", "pixel", "pixel 10",
	"pixel 1920,0", "pixel 0,1080", "pixel 10,10-5,5", "command", "command fly", "write", "write zz.A", "write bp.NO_SUCH",
	"write bp.GEN_MODE.no_such", "write bp", "draw 99999999999", "drawn", "log", "quad 1/2/3/4/5"};

START_TEST(bad_text)
{
	struct qs_breakpoint b;
	struct qs_error error = {0};
	char *condition;

	ck_assert_msg(!qs_breakpoint_parse(bad_texts[_i], &b, &condition, &error), "\"%s\" was accepted", bad_texts[_i]);
	ck_assert_int_eq((int)error.code, QS_ERR_RANGE);
	ck_assert_ptr_null(condition);
	ck_assert_msg(strstr(error.text, "expected") != NULL, "%s", error.text);
}
END_TEST

static const char *const bad_conditions[] = {"draw if alpha > 3", "draw if x == 3", "primitive if coverage", "quad if verdict == written",
	"command copy if old == 3", "pixel 1,1 if old == 3", "draw if ((", "draw if nonsense"};

START_TEST(bad_condition)
{
	struct session s;
	struct qs_breakpoint b;
	struct qs_error error = {0};
	char *condition;

	open_walked(&s, 1);
	ck_assert_msg(qs_breakpoint_parse(bad_conditions[_i], &b, &condition, &error), "%s", error.text);
	ck_assert_msg(!qs_timeline_break_add(s.t, &b, &error), "\"%s\" was accepted", bad_conditions[_i]);
	ck_assert_uint_gt(strlen(error.text), 10);
	ck_assert_uint_eq(qs_timeline_break_count(s.t), 0);
	free(condition);
	close_session(&s);
}
END_TEST

/* ---- the oracle --------------------------------------------------------------------------------------------------------- */

struct event {
	struct qs_moment moment;
	enum qs_break_kind kind;
	uint8_t command_kind, verdict;
	int x, y;
	uint32_t unit, address, old, value;
	int alpha;
};

struct events {
	struct session *s;
	struct event *event;
	uint32_t count, room;
};

static void add(struct events *e, const struct event *event)
{
	if (e->count == e->room) {
		e->room = e->room ? e->room * 2 : 1024;
		e->event = realloc(e->event, e->room * sizeof *e->event);
	}
	e->event[e->count++] = *event;
}

static bool on_command(void *user, const struct qs_moment *moment)
{
	struct events *e = user;
	struct event event = {.moment = *moment, .kind = QS_BREAK_COMMAND};

	event.command_kind = qs_capture_command(e->s->capture, moment->command)->kind;
	add(e, &event);
	event.kind = QS_BREAK_DRAW;
	if (event.command_kind == QS_COMMAND_DRAW)
		add(e, &event);
	return true;
}

static bool on_write(void *user, const struct qs_moment *moment, enum qs_unit unit, uint32_t address, uint32_t old, uint32_t value)
{
	add(user, &(struct event){.moment = *moment, .kind = QS_BREAK_WRITE, .unit = unit, .address = address, .old = old, .value = value});
	return true;
}

static bool on_primitive(void *user, const struct qs_moment *moment, const struct qs_setup *setup)
{
	if (!setup->part)
		add(user, &(struct event){.moment = *moment, .kind = QS_BREAK_PRIMITIVE});
	return true;
}

static bool on_quad(void *user, const struct qs_moment *moment, const struct qs_setup *setup, const struct qs_quad *quad)
{
	(void)setup;
	for (uint32_t k = 0; k < 4; k++) {
		const struct qs_fragment *f = &quad->fragment[k];
		struct event event = {.moment = *moment, .kind = QS_BREAK_PIXEL, .x = f->x, .y = f->y, .verdict = f->verdict, .alpha = f->tev[3]};
		event.moment.level = QS_LEVEL_FRAGMENT;
		event.moment.fragment = k;
		if (quad->coverage >> (3 * k) & 7)
			add(user, &event);
	}
	add(user, &(struct event){.moment = *moment, .kind = QS_BREAK_QUAD, .x = quad->x, .y = quad->y});
	return true;
}

static struct events all_events(struct session *s)
{
	struct events e = {.s = s};
	struct qs_taps taps = {.mask = QS_TAP_COMMAND | QS_TAP_REGISTER | QS_TAP_PRIMITIVE | QS_TAP_QUAD, .user = &e, .command = on_command,
		.write = on_write, .primitive = on_primitive, .quad = on_quad};
	struct qs_error error = {0};

	ck_assert_msg(qs_timeline_replay(s->t, NULL, NULL, &taps, &error), "%s", error.text);
	return e;
}

/* ---- runs --------------------------------------------------------------------------------------------------------------- */

struct run_case {
	const char *name, *text, *capture;
	bool (*hits)(const struct event *e);
};

static bool every_draw(const struct event *e)
{
	return e->kind == QS_BREAK_DRAW;
}

static bool draw_one(const struct event *e)
{
	return e->kind == QS_BREAK_DRAW && e->moment.draw == 1;
}

static bool copies(const struct event *e)
{
	return e->kind == QS_BREAK_COMMAND && e->command_kind == QS_COMMAND_COPY;
}

static bool gen_mode(const struct event *e)
{
	return e->kind == QS_BREAK_WRITE && e->unit == QS_UNIT_BP && e->address == 0 && e->old != e->value;
}

static bool gen_mode_ntev(const struct event *e)
{
	return e->kind == QS_BREAK_WRITE && e->unit == QS_UNIT_BP && e->address == 0 && ((e->old ^ e->value) >> 10 & 15);
}

static bool primitive_one(const struct event *e)
{
	return e->kind == QS_BREAK_PRIMITIVE && e->moment.frame == 1 && e->moment.draw == 1 && e->moment.primitive == 1;
}

static bool any_primitive(const struct event *e)
{
	return e->kind == QS_BREAK_PRIMITIVE;
}

static bool some_quads(const struct event *e)
{
	return e->kind == QS_BREAK_QUAD && e->x % 64 == 0 && e->y % 48 == 0;
}

static bool in_rect(const struct event *e)
{
	return e->kind == QS_BREAK_PIXEL && e->x >= 318 && e->x <= 323 && e->y >= 240 && e->y <= 241;
}

static bool killed_in_rect(const struct event *e)
{
	return e->kind == QS_BREAK_PIXEL && e->y == 90 && e->verdict == QS_VERDICT_LATE_Z;
}

static bool low_alpha(const struct event *e)
{
	return e->kind == QS_BREAK_PIXEL && e->x >= 60 && e->x <= 70 && e->y >= 60 && e->y <= 100 && e->alpha < 100;
}

static const struct run_case runs[] = {
	{"every draw", "draw", "primitives-all", every_draw},
	{"every draw of several frames", "draw", "animation-six-frames", every_draw},
	{"draw 1 of any frame", "draw 1", "copy-feedback-frames", draw_one},
	{"copies", "command copy", "copy-feedback-frames", copies},
	{"a register", "write bp.GEN_MODE", "tev-ops", gen_mode},
	{"a field", "write bp.GEN_MODE.ntev", "tev-ops", gen_mode_ntev},
	{"one primitive", "primitive 1/1/1", "primitives-all", primitive_one},
	{"all primitives", "primitive", "primitives-all", any_primitive},
	{"quads by condition", "quad if x % 64 == 0 and y % 48 == 0", "clipping", some_quads},
	{"pixels", "pixel 318,240-323,241", "animation-six-frames", in_rect},
	{"pixels by verdict", "pixel 0,90-639,90 if verdict == late_z", "z-early-late", killed_in_rect},
	{"pixels by alpha", "pixel 60,60-70,100 if alpha < 100", "blend-factors", low_alpha},
	{"nothing", "draw 999", "clipping", NULL},
};

#define RUNS ((int)(sizeof runs / sizeof *runs))
#define MAX_STOPS 60

static uint32_t add_break(struct session *s, const char *written)
{
	struct qs_breakpoint b;
	struct qs_error error = {0};
	char *condition;

	ck_assert_msg(qs_breakpoint_parse(written, &b, &condition, &error), "%s", error.text);
	uint32_t id = qs_timeline_break_add(s->t, &b, &error);
	ck_assert_msg(id, "%s", error.text);
	free(condition);
	return id;
}

static uint32_t expected_hits(const struct events *e, const struct run_case *c, struct qs_moment *moments, uint32_t max)
{
	uint32_t n = 0;

	for (uint32_t i = 0; c->hits && i < e->count && n < max; i++) {
		if (!c->hits(&e->event[i]))
			continue;
		/* several writes of one command are one moment */
		if (!n || qs_moment_compare(&moments[n - 1], &e->event[i].moment))
			moments[n++] = e->event[i].moment;
	}
	return n;
}

START_TEST(runs_forth_and_back)
{
	const struct run_case *c = &runs[_i];
	struct session s, tracer;
	struct qs_error error = {0};
	struct qs_moment expected[MAX_STOPS], start = {.level = QS_LEVEL_START};
	struct qs_hit hit;
	char path[700];

	open_session(&s, shipped(c->capture, path, sizeof path), c->capture);
	open_session(&tracer, path, c->capture);
	struct events e = all_events(&tracer);
	uint32_t n = expected_hits(&e, c, expected, MAX_STOPS), id = add_break(&s, c->text);
	ck_assert_msg((n > 0) == (c->hits != NULL), "%s: %u events", c->name, n);
	for (uint32_t i = 0; i < n; i++) {
		ck_assert_msg(qs_timeline_run(s.t, 1, &hit, &error), "%s: %s", c->name, error.text);
		ck_assert_msg(hit.id == id && !qs_moment_compare(&hit.moment, &expected[i]), "%s: hit %u is at %s instead of %s", c->name, i,
			text(&s, &hit.moment), text(&s, &expected[i]));
		ck_assert_int_eq(qs_moment_compare(qs_timeline_moment(s.t), &expected[i]), 0);
		if (i % 8 == 0) {
			seek(&tracer, &expected[i]);
			ck_assert_uint_eq(qs_timeline_hash(s.t), qs_timeline_hash(tracer.t));
		}
	}
	if (n < MAX_STOPS) {
		ck_assert(qs_timeline_run(s.t, 1, &hit, &error));
		ck_assert_uint_eq(hit.id, 0);
		ck_assert_int_eq((int)qs_timeline_moment(s.t)->level, QS_LEVEL_FRAME);
		ck_assert_uint_eq(qs_timeline_moment(s.t)->frame, qs_capture_info(s.capture)->frame_count);
	} else {
		n--; /* we stand on the last one */
	}
	for (uint32_t i = n; i-- > 0;) {
		ck_assert_msg(qs_timeline_run(s.t, -1, &hit, &error), "%s: %s", c->name, error.text);
		ck_assert_msg(hit.id == id && !qs_moment_compare(&hit.moment, &expected[i]), "%s: back to hit %u: at %s instead of %s", c->name, i,
			text(&s, &hit.moment), text(&s, &expected[i]));
		ck_assert_int_eq(qs_moment_compare(qs_timeline_moment(s.t), &expected[i]), 0);
	}
	ck_assert(qs_timeline_run(s.t, -1, &hit, &error));
	ck_assert_uint_eq(hit.id, 0);
	ck_assert_int_eq(qs_moment_compare(qs_timeline_moment(s.t), &start), 0);
	free(e.event);
	close_session(&s);
	close_session(&tracer);
}
END_TEST

/* From any moment, the next and the previous hit are those of the list. */
START_TEST(runs_from_anywhere)
{
	const struct run_case *c = &runs[_i];
	struct session s, tracer;
	struct qs_error error = {0};
	struct qs_hit hit;
	char path[700];

	open_session(&s, shipped(c->capture, path, sizeof path), c->capture);
	open_session(&tracer, path, c->capture);
	struct events e = all_events(&tracer);
	struct qs_moment *expected = calloc(e.count + 1, sizeof *expected);
	uint32_t n = expected_hits(&e, c, expected, e.count);
	add_break(&s, c->text);
	for (int i = 0; i < 10; i++) {
		struct qs_moment m = random_moment(&s, (enum qs_level)(QS_LEVEL_FRAME + below(&s, 7)));
		const struct qs_moment *next = NULL, *previous = NULL;
		for (uint32_t k = 0; k < n; k++) {
			int order = qs_moment_compare(&expected[k], &m);
			if (order < 0 && (!previous || qs_moment_compare(&expected[k], previous) > 0))
				previous = &expected[k];
			if (order > 0 && (!next || qs_moment_compare(&expected[k], next) < 0))
				next = &expected[k];
		}
		ck_assert_msg(qs_timeline_run(s.t, 1, &hit, &error), "%s", error.text);
		ck_assert_msg(next ? !qs_moment_compare(&hit.moment, next) : !hit.id, "%s from %s: %s instead of %s (seed %" PRIu64 ")", c->name,
			text(&s, &m), text(&s, &hit.moment), next ? text(&s, next) : "the end", s.random.seed);
		seek(&s, &m);
		ck_assert_msg(qs_timeline_run(s.t, -1, &hit, &error), "%s", error.text);
		ck_assert_msg(previous ? !qs_moment_compare(&hit.moment, previous) : !hit.id, "%s back from %s: %s instead of %s (seed %" PRIu64 ")",
			c->name, text(&s, &m), text(&s, &hit.moment), previous ? text(&s, previous) : "the start", s.random.seed);
	}
	free(expected);
	free(e.event);
	close_session(&s);
	close_session(&tracer);
}
END_TEST

/* ---- the list ----------------------------------------------------------------------------------------------------------- */

struct logged {
	uint32_t count, last_command;
	uint32_t id;
	int direction;
	bool in_order;
};

static void log_hit(void *user, const struct qs_breakpoint *b, const struct qs_hit *hit)
{
	struct logged *l = user;

	l->in_order &= !l->count || (l->direction > 0 ? hit->moment.command > l->last_command : hit->moment.command < l->last_command);
	l->in_order &= b->id == l->id;
	l->last_command = hit->moment.command;
	l->count++;
}

START_TEST(actions_and_list)
{
	struct session s;
	struct qs_error error = {0};
	struct logged log = {.in_order = true, .direction = 1};
	struct qs_hit hit;
	char path[700];

	open_session(&s, shipped("primitives-all", path, sizeof path), "primitives-all");
	uint32_t draws = qs_capture_info(s.capture)->draw_count;
	uint32_t counter = add_break(&s, "count draw"), logger = add_break(&s, "log draw"), stopper = add_break(&s, "draw 3");
	log.id = logger;
	qs_timeline_break_log(s.t, log_hit, &log);
	ck_assert_uint_eq(qs_timeline_break_count(s.t), 3);
	ck_assert_ptr_null(qs_timeline_break_at(s.t, 3));

	ck_assert(qs_timeline_run(s.t, 1, &hit, &error));
	ck_assert_uint_eq(hit.id, stopper);
	ck_assert_uint_eq(hit.moment.draw, 3);
	ck_assert_uint_eq(qs_timeline_break_at(s.t, 0)->id, counter);
	ck_assert_uint_eq(qs_timeline_break_at(s.t, 0)->hits, 4);
	ck_assert_uint_eq(log.count, 4);
	ck_assert(log.in_order);

	ck_assert(qs_timeline_break_enable(s.t, stopper, false));
	ck_assert(qs_timeline_run(s.t, 1, &hit, &error));
	ck_assert_uint_eq(hit.id, 0);
	ck_assert_uint_eq(qs_timeline_break_at(s.t, 0)->hits, draws);
	ck_assert_uint_eq(qs_timeline_break_at(s.t, 2)->hits, 1);

	log = (struct logged){.in_order = true, .direction = -1, .id = logger};
	ck_assert(qs_timeline_break_enable(s.t, stopper, true));
	ck_assert(qs_timeline_run(s.t, -1, &hit, &error));
	ck_assert_uint_eq(hit.id, stopper);
	ck_assert_uint_eq(log.count, draws - 4 + (log.last_command == hit.moment.command));
	ck_assert(log.in_order);

	ck_assert(qs_timeline_break_remove(s.t, counter));
	ck_assert(!qs_timeline_break_remove(s.t, counter));
	ck_assert(!qs_timeline_break_enable(s.t, counter, true));
	ck_assert_uint_eq(qs_timeline_break_count(s.t), 2);
	ck_assert_uint_eq(qs_timeline_break_at(s.t, 0)->id, logger);
	ck_assert_uint_gt(add_break(&s, "quad"), stopper); /* ids are not given twice */
	close_session(&s);
}
END_TEST

/* A write hit tells what was written. */
START_TEST(write_values)
{
	struct session s;
	struct qs_error error = {0};
	struct qs_hit hit;
	char path[700];

	open_session(&s, shipped("tev-ops", path, sizeof path), "tev-ops");
	add_break(&s, "write bp.GEN_MODE if value != old");
	ck_assert_msg(qs_timeline_run(s.t, 1, &hit, &error), "%s", error.text);
	ck_assert_uint_ne(hit.id, 0);
	ck_assert_uint_ne(hit.old, hit.value);
	ck_assert_uint_eq(qs_timeline_register(s.t, QS_UNIT_BP, 0), hit.value);
	close_session(&s);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("breakpoints");
	TCase *tcase = tcase_create("breakpoints");

	tcase_set_timeout(tcase, 600);
	tcase_add_loop_test(tcase, text_round_trip, 0, sizeof texts / sizeof *texts);
	tcase_add_loop_test(tcase, bad_text, 0, sizeof bad_texts / sizeof *bad_texts);
	tcase_add_loop_test(tcase, bad_condition, 0, sizeof bad_conditions / sizeof *bad_conditions);
	tcase_add_loop_test(tcase, runs_forth_and_back, 0, RUNS);
	tcase_add_loop_test(tcase, runs_from_anywhere, 0, RUNS);
	tcase_add_test(tcase, actions_and_list);
	tcase_add_test(tcase, write_values);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
