/* check_history.c - questions about pixels, registers and records against full traces
 *
 * The oracle is a replay with every tap on that keeps everything; nothing is filtered, skipped or remembered from before.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "session.h"

/* ---- pixels: the oracle ------------------------------------------------------------------------------------------------- */

#define PIXELS ORACLE_ROUNDS(24)

struct trace {
	struct session *s;
	int x[PIXELS], y[PIXELS];
	struct qs_history_row *row[PIXELS];
	uint32_t count[PIXELS];
};

static void add_row(struct trace *t, int i, const struct qs_history_row *row)
{
	t->row[i] = realloc(t->row[i], (t->count[i] + 1) * sizeof *t->row[i]);
	t->row[i][t->count[i]++] = *row;
}

static bool trace_quad(void *user, const struct qs_moment *moment, const struct qs_setup *setup, const struct qs_quad *quad)
{
	struct trace *t = user;

	(void)setup;
	for (uint32_t k = 0; k < 4; k++) {
		const struct qs_fragment *f = &quad->fragment[k];
		int x = quad->x + (int)(k & 1), y = quad->y + (int)(k >> 1);
		if (!(quad->coverage >> (3 * k) & 7))
			continue;
		ck_assert_int_eq(f->x, x);
		ck_assert_int_eq(f->y, y);
		for (int i = 0; i < PIXELS; i++) {
			struct qs_history_row row = {.moment = *moment, .kind = QS_HISTORY_FRAGMENT, .verdict = f->verdict};
			if (t->x[i] != x || t->y[i] != y)
				continue;
			row.moment.level = QS_LEVEL_FRAGMENT;
			row.moment.fragment = k;
			memcpy(row.source, f->source, 4);
			memcpy(row.before, f->old_rgba, 4);
			memcpy(row.after, f->new_rgba, 4);
			row.z = f->z;
			row.z_before = f->z_old;
			row.z_after = f->z_new;
			row.z_func = f->z_func;
			row.alpha_func0 = f->alpha_func0;
			row.alpha_ref0 = f->alpha_ref0;
			add_row(t, i, &row);
		}
	}
	return true;
}

static bool trace_copy(void *user, const struct qs_moment *moment, const struct qs_copy *copy)
{
	struct trace *t = user;

	for (int i = 0; i < PIXELS && copy->clear; i++) {
		struct qs_history_row row = {.moment = *moment, .kind = QS_HISTORY_CLEAR};
		if (t->x[i] >= copy->source.x0 && t->x[i] < copy->source.x1 && t->y[i] >= copy->source.y0 && t->y[i] < copy->source.y1)
			add_row(t, i, &row);
	}
	return true;
}

/* A third of the pixels anywhere, the others where something is drawn. */
static void trace_frame(struct session *s, uint32_t frame, struct trace *t)
{
	struct qs_taps taps = {.mask = QS_TAP_QUAD | QS_TAP_COPY, .user = t, .quad = trace_quad, .copy = trace_copy};
	struct qs_moment from = {.level = frame > 1 ? QS_LEVEL_FRAME : QS_LEVEL_START, .frame = frame - 1};
	struct qs_moment to = {.level = QS_LEVEL_FRAME, .frame = frame};
	struct qs_error error = {0};

	memset(t, 0, sizeof *t);
	t->s = s;
	for (int i = 0; i < PIXELS; i++) {
		struct qs_quad quad;
		t->x[i] = (int)below(s, 640);
		t->y[i] = (int)below(s, 528);
		if (i % 3 && random_moment(s, QS_LEVEL_QUAD).level == QS_LEVEL_QUAD && qs_timeline_quad(s->t, NULL, &quad, &error)) {
			t->x[i] = quad.x + (int)below(s, 2);
			t->y[i] = quad.y + (int)below(s, 2);
		}
	}
	ck_assert_msg(qs_timeline_replay(s->t, &from, &to, &taps, &error), "%s", error.text);
}

static void free_trace(struct trace *t)
{
	for (int i = 0; i < PIXELS; i++)
		free(t->row[i]);
}

static void pixel_at(struct session *s, const struct qs_moment *m, int x, int y, uint8_t rgba[4])
{
	seek(s, m);
	ck_assert(qs_timeline_pixel(s->t, x, y, rgba, NULL));
}

static void compare_row(struct session *s, const struct trace *t, int i, const struct qs_history_row *a, const struct qs_history_row *b)
{
	ck_assert_msg(a->kind == b->kind && !qs_moment_compare(&a->moment, &b->moment), "%s pixel %d,%d: %s instead of %s (seed %" PRIu64 ")",
		s->name, t->x[i], t->y[i], text(s, &a->moment), text(s, &b->moment), s->random.seed);
	if (a->kind != QS_HISTORY_FRAGMENT)
		return;
	ck_assert_msg(a->verdict == b->verdict && !memcmp(a->source, b->source, 4) && !memcmp(a->before, b->before, 4) &&
			!memcmp(a->after, b->after, 4) && a->z == b->z && a->z_before == b->z_before && a->z_after == b->z_after &&
			a->z_func == b->z_func && a->alpha_func0 == b->alpha_func0 && a->alpha_ref0 == b->alpha_ref0,
		"%s pixel %d,%d at %s: values differ (seed %" PRIu64 ")", s->name, t->x[i], t->y[i], text(s, &a->moment), s->random.seed);
}

static void check_pixel(struct session *s, const struct trace *t, int i, uint32_t frame)
{
	struct qs_history_row *rows;
	struct qs_error error = {0};
	struct qs_moment here = random_moment(s, QS_LEVEL_FRAGMENT);
	uint64_t hash = qs_timeline_hash(s->t);
	uint32_t count;

	ck_assert_msg(qs_timeline_history(s->t, frame, t->x[i], t->y[i], &rows, &count, &error), "%s", error.text);
	ck_assert_int_eq(qs_moment_compare(&here, qs_timeline_moment(s->t)), 0);
	ck_assert_uint_eq(hash, qs_timeline_hash(s->t));
	ck_assert_msg(count == t->count[i] + 1, "%s frame %u pixel %d,%d: %u rows, the trace has %u and the start (seed %" PRIu64 ")", s->name, frame,
		t->x[i], t->y[i], count, t->count[i], s->random.seed);
	ck_assert_int_eq(rows[0].kind, QS_HISTORY_START);
	for (uint32_t k = 0; k < t->count[i]; k++)
		compare_row(s, t, i, &rows[k + 1], &t->row[i][k]);
	/* values of rows that are no fragments are what the EFB holds there */
	for (uint32_t k = 0; k < count; k++) {
		uint8_t rgba[4];
		if (rows[k].kind == QS_HISTORY_FRAGMENT)
			continue;
		pixel_at(s, &rows[k].moment, t->x[i], t->y[i], rgba);
		ck_assert_msg(!memcmp(rgba, rows[k].after, 4), "%s: %s leaves another value", s->name, text(s, &rows[k].moment));
	}
	free(rows);
}

static void check_last_writer(struct session *s, const struct trace *t, int i, uint32_t frame)
{
	struct qs_moment found, here = random_moment(s, (enum qs_level)(QS_LEVEL_FRAME + below(s, 7)));
	const struct qs_moment *expected = NULL;
	struct qs_error error = {0};

	if (here.frame != frame)
		return;
	for (uint32_t k = 0; k < t->count[i]; k++)
		if (t->row[i][k].kind == QS_HISTORY_FRAGMENT && t->row[i][k].verdict == QS_VERDICT_WRITTEN &&
			qs_moment_compare(&t->row[i][k].moment, &here) <= 0)
			expected = &t->row[i][k].moment;
	bool ok = qs_timeline_find_fragment(s->t, t->x[i], t->y[i], true, &found, &error);
	ck_assert_msg(ok == (expected != NULL), "%s: last writer of %d,%d at %s: %s", s->name, t->x[i], t->y[i], text(s, &here),
		ok ? text(s, &found) : error.text);
	if (ok)
		ck_assert_msg(!qs_moment_compare(&found, expected), "%s: last writer of %d,%d at %s: %s instead of %s (seed %" PRIu64 ")", s->name, t->x[i],
			t->y[i], text(s, &here), text(s, &found), text(s, expected), s->random.seed);
	ck_assert_int_eq(qs_moment_compare(&here, qs_timeline_moment(s->t)), 0);
}

/* The draws that reach the pixel, forth from the start of the frame and back. */
static void check_seek_pixel(struct session *s, const struct trace *t, int i, uint32_t frame)
{
	struct qs_moment begin = {.level = frame > 1 ? QS_LEVEL_FRAME : QS_LEVEL_START, .frame = frame - 1};
	struct qs_error error = {0};
	uint32_t last = QS_NONE;

	seek(s, &begin);
	for (uint32_t k = 0; k < t->count[i]; k++) {
		const struct qs_moment *m = &t->row[i][k].moment;
		if (t->row[i][k].kind != QS_HISTORY_FRAGMENT || m->command == last)
			continue;
		last = m->command;
		ck_assert_msg(qs_timeline_seek_pixel(s->t, t->x[i], t->y[i], 1, &error), "%s: %s", s->name, error.text);
		ck_assert_msg(qs_timeline_moment(s->t)->command == last, "%s: pixel %d,%d: at %s, expected draw of %s (seed %" PRIu64 ")", s->name, t->x[i],
			t->y[i], text(s, qs_timeline_moment(s->t)), text(s, m), s->random.seed);
	}
	for (uint32_t k = t->count[i]; k-- > 0;) {
		const struct qs_moment *m = &t->row[i][k].moment;
		if (t->row[i][k].kind != QS_HISTORY_FRAGMENT || m->command == last)
			continue;
		last = m->command;
		ck_assert_msg(qs_timeline_seek_pixel(s->t, t->x[i], t->y[i], -1, &error), "%s: %s", s->name, error.text);
		ck_assert_uint_eq(qs_timeline_moment(s->t)->command, last);
	}
}

START_TEST(pixels)
{
	struct session s, tracer;
	struct trace t;

	open_walked(&s, _i);
	open_walked(&tracer, _i);
	qs_timeline_set_model(s.t, _i % 2 ? QS_MODEL_DOLPHIN : QS_MODEL_HARDWARE);
	qs_timeline_set_model(tracer.t, qs_timeline_model(s.t));
	uint32_t frame = 1 + below(&s, qs_capture_info(s.capture)->frame_count);
	trace_frame(&tracer, frame, &t);
	uint32_t rows = 0;
	for (int i = 0; i < PIXELS; i++) {
		rows += t.count[i];
		check_pixel(&s, &t, i, frame);
		check_last_writer(&s, &t, i, frame);
		if (i % 3 == 0)
			check_seek_pixel(&s, &t, i, frame);
	}
	ck_assert_msg(rows > PIXELS, "%s: only %u rows in the trace", s.name, rows);
	free_trace(&t);
	close_session(&s);
	close_session(&tracer);
}
END_TEST

START_TEST(no_such_pixel)
{
	static const struct {
		uint32_t frame;
		int x, y;
	} bad[] = {{1, -1, 0}, {1, 640, 0}, {1, 0, 528}, {0, 1, 1}, {99, 1, 1}};
	struct session s;
	struct qs_error error = {0};
	struct qs_history_row *rows;
	uint32_t count;

	open_walked(&s, 1);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		error.code = QS_OK;
		ck_assert(!qs_timeline_history(s.t, bad[i].frame, bad[i].x, bad[i].y, &rows, &count, &error));
		ck_assert_int_eq((int)error.code, QS_ERR_RANGE);
	}
	close_session(&s);
}
END_TEST

/* ---- registers ---------------------------------------------------------------------------------------------------------- */

struct write {
	uint32_t command, old, value, address;
	enum qs_unit unit;
};

struct writes {
	struct write *write;
	uint32_t count;
};

static bool trace_write(void *user, const struct qs_moment *moment, enum qs_unit unit, uint32_t address, uint32_t old, uint32_t value)
{
	struct writes *w = user;

	if (old == value || unit == QS_UNIT_PE)
		return true;
	w->write = realloc(w->write, (w->count + 1) * sizeof *w->write);
	w->write[w->count++] = (struct write){moment->command, old, value, address, unit};
	return true;
}

static bool is_change(const struct write *w, const struct write *of, uint32_t mask)
{
	return w->unit == of->unit && w->address == of->address && ((w->old ^ w->value) & mask);
}

/* Commands that change the register, each once. */
static uint32_t changes(const struct writes *all, const struct write *of, uint32_t mask, uint32_t *commands)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < all->count; i++)
		if (is_change(&all->write[i], of, mask) && (!n || commands[n - 1] != all->write[i].command))
			commands[n++] = all->write[i].command;
	return n;
}

static void check_register(struct session *s, const struct writes *all, const struct write *of, uint32_t mask)
{
	struct qs_moment start = {.level = QS_LEVEL_START}, end = {.level = QS_LEVEL_FRAME, .frame = qs_capture_info(s->capture)->frame_count};
	uint32_t *commands = calloc(all->count + 1, sizeof *commands), n = changes(all, of, mask, commands);
	struct qs_error error = {0};

	seek(s, &start);
	for (uint32_t i = 0; i < n; i++) {
		ck_assert_msg(qs_timeline_seek_write(s->t, of->unit, of->address, mask, 1, &error), "%s: %s", s->name, error.text);
		ck_assert_uint_eq(qs_timeline_moment(s->t)->command, commands[i]);
		ck_assert_uint_eq(qs_timeline_register_writer(s->t, of->unit, of->address), commands[i]);
	}
	ck_assert(!qs_timeline_seek_write(s->t, of->unit, of->address, mask, 1, &error));
	ck_assert_int_eq((int)error.code, QS_ERR_RANGE);
	seek(s, &end);
	for (uint32_t i = n; i-- > 0;) {
		ck_assert_msg(qs_timeline_seek_write(s->t, of->unit, of->address, mask, -1, &error), "%s: %s", s->name, error.text);
		ck_assert_uint_eq(qs_timeline_moment(s->t)->command, commands[i]);
	}
	ck_assert(!qs_timeline_seek_write(s->t, of->unit, of->address, mask, -1, &error));
	free(commands);
}

START_TEST(register_changes)
{
	struct session s;
	struct writes all = {0};
	struct qs_taps taps = {.mask = QS_TAP_REGISTER, .user = &all, .write = trace_write};
	struct qs_error error = {0};

	open_walked(&s, _i);
	ck_assert(qs_timeline_replay(s.t, NULL, NULL, &taps, &error));
	ck_assert_uint_gt(all.count, 0);
	for (int i = 0; i < ORACLE_ROUNDS(12); i++) {
		const struct write *of = &all.write[below(&s, all.count)];
		check_register(&s, &all, of, i % 3 ? UINT32_MAX : of->old ^ of->value);
	}
	free(all.write);
	close_session(&s);
}
END_TEST

/* PE registers have no writes of their own: each command is looked at. */
START_TEST(pe_changes)
{
	struct session s;
	struct qs_error error = {0};
	struct qs_moment start = {.level = QS_LEVEL_START};
	static const uint32_t watched[] = {0x0E, 0x10, 0x16, 0x18, 0x28};
	uint32_t changed = 0;

	open_walked(&s, 0);
	uint32_t n = qs_capture_info(s.capture)->command_count, *value = calloc((n + 1) * 5, sizeof *value);
	for (uint32_t i = 0; i <= n; i++) {
		struct qs_moment m = start;
		if (i)
			qs_moment_of_command(s.capture, i - 1, &m);
		seek(&s, &m);
		for (int k = 0; k < 5; k++)
			value[i * 5 + (uint32_t)k] = qs_timeline_register(s.t, QS_UNIT_PE, watched[k]);
	}
	for (int k = 0; k < 5; k++) {
		seek(&s, &start);
		for (uint32_t i = 1; i <= n; i++) {
			if (value[i * 5 + (uint32_t)k] == value[(i - 1) * 5 + (uint32_t)k])
				continue;
			changed++;
			ck_assert_msg(qs_timeline_seek_write(s.t, QS_UNIT_PE, watched[k], UINT32_MAX, 1, &error), "%s", error.text);
			ck_assert_uint_eq(qs_timeline_moment(s.t)->command, i - 1);
		}
	}
	ck_assert_uint_gt(changed, 0);
	free(value);
	close_session(&s);
}
END_TEST

/* ---- records ------------------------------------------------------------------------------------------------------------ */

struct places {
	struct qs_quad_place *place;
	struct qs_moment *moment;
	uint32_t count;
	uint32_t *depth; /* covered quads per pixel */
};

static bool keep_place(void *user, const struct qs_moment *moment, const struct qs_setup *setup, const struct qs_quad *quad)
{
	struct places *p = user;

	p->place = realloc(p->place, (p->count + 1) * sizeof *p->place);
	p->moment = realloc(p->moment, (p->count + 1) * sizeof *p->moment);
	p->place[p->count] = (struct qs_quad_place){quad->x, quad->y, quad->coverage, (uint16_t)setup->part};
	p->moment[p->count++] = *moment;
	for (uint32_t k = 0; k < 4; k++) {
		int x = quad->x + (int)(k & 1), y = quad->y + (int)(k >> 1);
		if (quad->coverage >> (3 * k) & 7 && x < 640 && y < 528)
			p->depth[y * 640 + x]++;
	}
	return true;
}

/* Quads and coverage of a random draw are those that the taps report. */
START_TEST(quads_of_draws)
{
	struct session s;
	struct qs_error error = {0};
	struct qs_image image;

	open_walked(&s, _i);
	struct qs_moment draw = random_moment(&s, QS_LEVEL_DRAW), before = draw;
	struct places p = {.depth = calloc(640 * 528, sizeof *p.depth)};
	struct qs_taps taps = {.mask = QS_TAP_QUAD, .user = &p, .quad = keep_place};
	if (draw.command)
		qs_moment_of_command(s.capture, draw.command - 1, &before);
	else
		before = (struct qs_moment){.level = QS_LEVEL_START};
	ck_assert(qs_timeline_replay(s.t, &before, &draw, &taps, &error));
	ck_assert_msg(qs_timeline_image(s.t, QS_BUFFER_COVERAGE, &image, &error), "%s", error.text);
	ck_assert_int_eq(memcmp(image.depth, p.depth, 640 * 528 * sizeof *p.depth), 0);
	qs_image_finish(&image);
	for (uint32_t i = 0; i < p.count;) {
		struct qs_moment m = p.moment[i];
		struct qs_quad_place *quads;
		uint32_t count;
		m.level = QS_LEVEL_PRIMITIVE;
		seek(&s, &m);
		ck_assert_msg(qs_timeline_quads(s.t, &quads, &count, &error), "%s", error.text);
		ck_assert_uint_eq(count, qs_timeline_quad_count(s.t, &m));
		for (uint32_t k = 0; k < count; k++, i++) {
			ck_assert_uint_lt(i, p.count);
			ck_assert_uint_eq(p.moment[i].quad, k);
			ck_assert_int_eq(memcmp(&quads[k], &p.place[i], sizeof *quads), 0);
		}
		free(quads);
		if (count > 2000)
			break; /* one large primitive is enough */
	}
	free(p.place);
	free(p.moment);
	free(p.depth);
	close_session(&s);
}
END_TEST

struct one_quad {
	struct qs_moment wanted;
	struct qs_quad quad;
	struct qs_setup setup;
	bool found;
};

static bool keep_one(void *user, const struct qs_moment *moment, const struct qs_setup *setup, const struct qs_quad *quad)
{
	struct one_quad *o = user;

	if (qs_moment_compare(moment, &o->wanted))
		return true;
	o->quad = *quad;
	o->setup = *setup;
	o->found = true;
	return false;
}

/* The record at a moment is the one that a tap reports in a replay with full batches; what comes later is hidden. */
START_TEST(quad_records)
{
	struct session s, other;
	struct qs_error error = {0};

	open_walked(&s, _i);
	open_walked(&other, _i);
	for (int i = 0; i < ORACLE_ROUNDS(6); i++) {
		struct qs_moment m = random_moment(&s, i % 2 ? QS_LEVEL_STAGE : QS_LEVEL_FRAGMENT), here;
		struct one_quad o = {.wanted = m};
		struct qs_taps taps = {.mask = QS_TAP_QUAD | QS_TAP_DETAIL, .user = &o, .quad = keep_one};
		struct qs_quad quad, whole;
		struct qs_setup setup;
		if (m.level < QS_LEVEL_FRAGMENT)
			continue;
		o.wanted.level = QS_LEVEL_QUAD;
		o.wanted.fragment = o.wanted.stage = 0;
		ck_assert(qs_timeline_replay(other.t, NULL, NULL, &taps, &error));
		ck_assert_msg(o.found, "%s: no event at %s", s.name, text(&s, &o.wanted));
		ck_assert_int_eq(qs_moment_compare(qs_timeline_moment(other.t), &o.wanted), 0);
		ck_assert_msg(qs_timeline_quad(s.t, &setup, &quad, &error), "%s", error.text);
		ck_assert_int_eq(memcmp(&setup.edge, &o.setup.edge, sizeof setup.edge), 0);
		ck_assert_int_eq(quad.coverage, o.quad.coverage);
		for (uint32_t k = 0; k < 4; k++) {
			const struct qs_fragment *f = &quad.fragment[k], *g = &o.quad.fragment[k];
			if (!(quad.coverage >> (3 * k) & 7))
				continue;
			if (k > m.fragment || (k == m.fragment && m.level == QS_LEVEL_STAGE)) {
				ck_assert(f->verdict == QS_VERDICT_PENDING || f->verdict == QS_VERDICT_EARLY_Z);
				ck_assert_uint_eq(f->new_rgba[0] | f->new_rgba[1] | f->new_rgba[2] | f->new_rgba[3], 0);
			} else {
				ck_assert_int_eq(memcmp(f->new_rgba, g->new_rgba, 4), 0);
				ck_assert_int_eq(f->verdict, g->verdict);
				ck_assert_uint_eq(f->z_new, g->z_new);
			}
			for (uint32_t stage = 0; k == m.fragment && m.level == QS_LEVEL_STAGE && stage < 16 && f->verdict == QS_VERDICT_PENDING; stage++) {
				struct qs_stage none = {0};
				const struct qs_stage *expected = stage <= m.stage ? &g->stage[stage] : &none;
				ck_assert_msg(!memcmp(f->stage[stage].result, expected->result, sizeof none.result),
					"%s at %s: stage %u is %d %d %d %d instead of %d %d %d %d (verdict %s)", s.name, text(&s, &m), stage,
					f->stage[stage].result[0], f->stage[stage].result[1], f->stage[stage].result[2], f->stage[stage].result[3],
					expected->result[0], expected->result[1], expected->result[2], expected->result[3],
					qs_verdict_name((enum qs_verdict)g->verdict));
			}
		}
		/* the whole quad again from inside it */
		here = o.wanted;
		seek(&s, &here);
		ck_assert(qs_timeline_quad(s.t, NULL, &whole, &error));
		for (uint32_t k = 0; k < 4; k++)
			if (quad.coverage >> (3 * k) & 7)
				ck_assert_msg(!memcmp(whole.fragment[k].new_rgba, o.quad.fragment[k].new_rgba, 4) &&
						whole.fragment[k].stage[0].result[0] == o.quad.fragment[k].stage[0].result[0],
					"%s: the record of %s differs", s.name, text(&s, &here));
	}
	close_session(&s);
	close_session(&other);
}
END_TEST

/* A tap that stops leaves the timeline exactly at the event. */
struct stopper {
	uint32_t left;
	struct qs_moment at;
};

static bool stop_later(void *user, const struct qs_moment *moment)
{
	struct stopper *stopper = user;

	ck_assert_msg(stopper->left != 0, "an event after the stop");
	stopper->at = *moment;
	return --stopper->left != 0;
}

static bool stop_quad(void *user, const struct qs_moment *moment, const struct qs_setup *setup, const struct qs_quad *quad)
{
	(void)setup;
	(void)quad;
	return stop_later(user, moment);
}

static bool stop_primitive(void *user, const struct qs_moment *moment, const struct qs_setup *setup)
{
	return setup->part ? true : stop_later(user, moment);
}

START_TEST(stops)
{
	struct session s, other;
	struct qs_error error = {0};

	open_walked(&s, _i);
	open_walked(&other, _i);
	for (int i = 0; i < ORACLE_ROUNDS(9); i++) {
		struct stopper stopper = {.left = 1 + below(&s, i % 3 == 1 ? 3000 : 12)};
		struct qs_taps taps = {.user = &stopper, .command = stop_later, .quad = stop_quad, .primitive = stop_primitive};
		taps.mask = i % 3 == 0 ? QS_TAP_COMMAND : i % 3 == 1 ? QS_TAP_QUAD : QS_TAP_PRIMITIVE;
		ck_assert_msg(qs_timeline_replay(s.t, NULL, NULL, &taps, &error), "%s", error.text);
		if (stopper.left)
			continue; /* there were fewer */
		ck_assert_int_eq(qs_moment_compare(&stopper.at, qs_timeline_moment(s.t)), 0);
		seek(&other, &stopper.at);
		ck_assert_uint_eq(qs_timeline_hash(s.t), qs_timeline_hash(other.t));
	}
	close_session(&s);
	close_session(&other);
}
END_TEST

/* From within a tap the machine cannot be moved, and trying does no harm. */
struct meddler {
	struct session *s;
	uint32_t events;
};

static bool meddle(void *user, const struct qs_moment *moment)
{
	struct meddler *m = user;
	struct qs_timeline *t = m->s->t;
	struct qs_error error = {0};
	struct qs_image image;
	struct qs_vertex *vertices;
	struct qs_setup setup;
	uint8_t rgba[4];
	uint32_t count;

	m->events++;
	ck_assert(!qs_timeline_seek(t, moment, &error) && error.code == QS_ERR_RANGE);
	ck_assert_int_eq(qs_timeline_step(t, QS_LEVEL_QUAD, -1, &error), 0);
	ck_assert_int_eq((int)error.code, QS_ERR_RANGE);
	ck_assert(!qs_timeline_replay(t, NULL, NULL, NULL, &error));
	ck_assert(!qs_timeline_vertices(t, &vertices, &count, &error));
	ck_assert_uint_eq(qs_timeline_setup(t, &setup, 1, &error), 0);
	ck_assert_uint_eq(qs_timeline_primitive_count(t, moment), 0);
	ck_assert(!qs_timeline_set_quirk(t, "sample_point", 1, &error));
	ck_assert_uint_eq(qs_timeline_override_add(t, QS_UNIT_BP, 0x41, 1, 1, &error), 0);
	qs_timeline_set_model(t, QS_MODEL_DOLPHIN);
	ck_assert(qs_timeline_pixel(t, 1, 1, rgba, NULL));
	if (m->events % 16 == 0) {
		ck_assert(qs_timeline_image(t, QS_BUFFER_COLOR, &image, &error));
		qs_image_finish(&image);
	}
	return true;
}

START_TEST(meddling_taps)
{
	struct session s, other;
	struct meddler meddler = {.s = &s};
	struct qs_taps taps = {.mask = QS_TAP_COMMAND, .user = &meddler, .command = meddle};
	struct qs_error error = {0};

	open_walked(&s, 0);
	open_walked(&other, 0);
	ck_assert(qs_timeline_replay(s.t, NULL, NULL, &taps, &error));
	ck_assert_uint_eq(meddler.events, qs_capture_info(s.capture)->command_count);
	seek(&other, qs_timeline_moment(s.t));
	ck_assert_uint_eq(qs_timeline_hash(s.t), qs_timeline_hash(other.t));
	close_session(&s);
	close_session(&other);
}
END_TEST

/* Setup records and vertices do not depend on how the moment was reached. */
START_TEST(setups_and_vertices)
{
	struct session s, fresh;
	struct qs_error error = {0};
	static struct qs_setup a[64], b[64];
	struct qs_vertex *va, *vb;
	uint32_t na, nb;

	open_walked(&s, _i);
	open_walked(&fresh, _i);
	for (int i = 0; i < ORACLE_ROUNDS(9); i++) {
		struct qs_moment m = random_moment(&s, (enum qs_level)(QS_LEVEL_DRAW + i % 3));
		if (m.level < QS_LEVEL_DRAW)
			continue;
		uint64_t hash = qs_timeline_hash(s.t);
		memset(a, 0, sizeof a);
		memset(b, 0, sizeof b);
		uint32_t n = qs_timeline_setup(s.t, a, 64, &error);
		seek(&fresh, &m);
		ck_assert_uint_eq(n, qs_timeline_setup(fresh.t, b, 64, &error));
		for (uint32_t k = 0; k < n; k++)
			ck_assert_msg(a[k].verdict == b[k].verdict && !memcmp(a[k].vertex, b[k].vertex, sizeof a[k].vertex) && a[k].area2 == b[k].area2,
				"%s: setup of %s differs", s.name, text(&s, &m));
		ck_assert_msg(qs_timeline_vertices(s.t, &va, &na, &error) && qs_timeline_vertices(fresh.t, &vb, &nb, &error), "%s", error.text);
		ck_assert_uint_eq(na, nb);
		ck_assert_int_eq(memcmp(va, vb, na * sizeof *va), 0);
		for (unsigned k = 0; k < 3 && n && a[0].verdict == QS_SETUP_DRAWN; k++)
			if (a[0].kind == QS_PRIMITIVE_TRIANGLE && a[0].part_count == 1 && a[0].vertex[k].index < na)
				ck_assert_msg(a[0].vertex[k].screen[0] == va[a[0].vertex[k].index].screen[0] &&
						a[0].vertex[k].screen[1] == va[a[0].vertex[k].index].screen[1],
					"%s: vertex %u of %s is at %g,%g in the setup and at %g,%g in the list", s.name, k, text(&s, &m),
					(double)a[0].vertex[k].screen[0], (double)a[0].vertex[k].screen[1], (double)va[a[0].vertex[k].index].screen[0],
					(double)va[a[0].vertex[k].index].screen[1]);
		free(va);
		free(vb);
		ck_assert_uint_eq(hash, qs_timeline_hash(s.t));
	}
	close_session(&s);
	close_session(&fresh);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("history");
	TCase *tcase = tcase_create("history");

	tcase_set_timeout(tcase, 600);
	tcase_add_loop_test(tcase, pixels, 0, WALKED);
	tcase_add_test(tcase, no_such_pixel);
	tcase_add_loop_test(tcase, register_changes, 0, WALKED);
	tcase_add_test(tcase, pe_changes);
	tcase_add_loop_test(tcase, quads_of_draws, 0, WALKED);
	tcase_add_loop_test(tcase, quad_records, 0, WALKED);
	tcase_add_loop_test(tcase, stops, 0, WALKED);
	tcase_add_test(tcase, meddling_taps);
	tcase_add_loop_test(tcase, setups_and_vertices, 0, WALKED);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
