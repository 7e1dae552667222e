/* history.c - what reached a pixel: fragments, clears, the last writer, the next draw that touches it
 *
 * Only quads that hold the pixel are shaded with records.  The first question about a frame marks which 8x8 tiles each draw
 * covers, so that later ones go only to the draws that can matter.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "trace/timeline.h"

/* ---- which draws touch what --------------------------------------------------------------------------------------------- */

uint8_t *trace_touch_tiles(struct qs_timeline *t, uint32_t frame, uint32_t draw)
{
	struct trace_touch *touch = &t->touch[frame - 1];
	uint32_t count = qs_capture_frame(t->capture, frame)->draw_count;

	if (!touch->tiles)
		touch->tiles = calloc(count ? count : 1, sizeof *touch->tiles);
	if (!touch->tiles || draw >= count)
		return NULL;
	return touch->tiles[draw];
}

void trace_touch_clear(struct qs_timeline *t)
{
	for (uint32_t i = 0; i < t->info->frame_count; i++) {
		free(t->touch[i].tiles);
		t->touch[i] = (struct trace_touch){NULL, false};
	}
}

bool trace_touches(const struct qs_timeline *t, uint32_t frame, uint32_t draw, int x, int y)
{
	const struct trace_touch *touch = &t->touch[frame - 1];
	int tile = y / 8 * TRACE_TILES_X + x / 8;

	return touch->known && touch->tiles && touch->tiles[draw][tile / 8] >> (tile % 8) & 1;
}

static struct qs_moment frame_begin(uint32_t frame)
{
	return frame > 1 ? (struct qs_moment){.level = QS_LEVEL_FRAME, .frame = frame - 1} : (struct qs_moment){.level = QS_LEVEL_START};
}

static enum trace_result goto_frame_begin(struct qs_timeline *t, uint32_t frame)
{
	struct trace_position begin = {.command = qs_capture_frame(t->capture, frame)->first_command};

	t->away = true;
	return trace_goto(t, &begin);
}

bool trace_touch_frame(struct qs_timeline *t, uint32_t frame, struct qs_error *error)
{
	const struct qs_frame *f = qs_capture_frame(t->capture, frame);
	struct trace_position end = {.command = f->first_command + f->command_count};
	enum trace_result result;

	if (t->touch[frame - 1].known)
		return true;
	result = goto_frame_begin(t, frame);
	t->mark = true;
	for (uint32_t i = f->first_command; !result && i < end.command; i++) /* every draw, from no checkpoint inside */
		result = trace_goto(t, &(struct trace_position){.command = i + 1});
	t->mark = false;
	if (result) {
		trace_fail(t, result, NULL, error);
		return false;
	}
	t->touch[frame - 1].known = true;
	return true;
}

/* ---- collecting rows ---------------------------------------------------------------------------------------------------- */

struct collector {
	struct qs_timeline *t;
	int x, y;
	struct qs_history_row *row;
	uint32_t count, room;
	bool no_memory;
	struct qs_copy copy; /* the last one reported */
	bool copied;
};

static void add_row(struct collector *c, const struct qs_history_row *row)
{
	if (c->count == c->room) {
		uint32_t room = c->room ? c->room * 2 : 32;
		struct qs_history_row *grown = realloc(c->row, room * sizeof *grown);
		c->no_memory |= !grown;
		if (!grown)
			return;
		c->row = grown;
		c->room = room;
	}
	c->row[c->count++] = *row;
}

static bool collect_quad(void *user, const struct qs_moment *moment, const struct qs_setup *setup, const struct qs_quad *quad)
{
	struct collector *c = user;
	uint32_t i = (uint32_t)((c->y & 1) * 2 + (c->x & 1));
	const struct qs_fragment *f = &quad->fragment[i];

	(void)setup;
	if (quad->x != (c->x & ~1) || quad->y != (c->y & ~1) || !trace_pixel_coverage(quad->coverage, i))
		return true;
	struct qs_history_row row = {
		.moment = *moment,
		.kind = QS_HISTORY_FRAGMENT,
		.verdict = f->verdict,
		.z = f->z,
		.z_before = f->z_old,
		.z_after = f->z_new,
		.z_func = f->z_func,
		.alpha_func0 = f->alpha_func0,
		.alpha_func1 = f->alpha_func1,
		.alpha_ref0 = f->alpha_ref0,
		.alpha_ref1 = f->alpha_ref1,
		.alpha_logic = f->alpha_logic,
	};
	row.moment.level = QS_LEVEL_FRAGMENT;
	row.moment.fragment = i;
	memcpy(row.source, f->source, 4);
	memcpy(row.before, f->old_rgba, 4);
	memcpy(row.after, f->new_rgba, 4);
	add_row(c, &row);
	return true;
}

static bool collect_copy(void *user, const struct qs_moment *moment, const struct qs_copy *copy)
{
	struct collector *c = user;

	(void)moment;
	c->copy = *copy;
	c->copied = true;
	return true;
}

/* Runs one command with records of the pixel. */
static enum trace_result collect_command(struct qs_timeline *t, struct collector *c, uint32_t command)
{
	struct qs_taps taps = {.mask = QS_TAP_QUAD | QS_TAP_COPY, .user = c, .quad = collect_quad, .copy = collect_copy};
	struct trace_position end = {.command = command + 1};
	enum trace_result result;

	t->filtered = true;
	t->filter = (struct qs_rect){c->x, c->y, c->x + 1, c->y + 1};
	trace_set_taps(t, &taps);
	result = trace_goto(t, &end);
	trace_set_taps(t, NULL);
	t->filtered = false;
	return result;
}

static void row_value(struct qs_timeline *t, int x, int y, uint8_t rgba[4], uint32_t *z)
{
	qs_timeline_pixel(t, x, y, rgba, z);
}

static enum trace_result collect_clear(struct qs_timeline *t, struct collector *c, uint32_t command)
{
	struct qs_history_row row = {.kind = QS_HISTORY_CLEAR, .verdict = QS_VERDICT_WRITTEN};
	enum trace_result result;

	row_value(t, c->x, c->y, row.before, &row.z_before);
	c->copied = false;
	result = collect_command(t, c, command);
	const struct qs_rect *r = &c->copy.source;
	if (result || !c->copied || !c->copy.clear || c->x < r->x0 || c->x >= r->x1 || c->y < r->y0 || c->y >= r->y1)
		return result;
	row_value(t, c->x, c->y, row.after, &row.z_after);
	memcpy(row.source, row.after, 4);
	row.z = row.z_after;
	qs_moment_of_command(t->capture, command, &row.moment);
	add_row(c, &row);
	return result;
}

static enum trace_result collect_frame(struct qs_timeline *t, struct collector *c, uint32_t frame)
{
	const struct qs_frame *f = qs_capture_frame(t->capture, frame);
	struct qs_history_row start = {.kind = QS_HISTORY_START, .verdict = QS_VERDICT_WRITTEN, .moment = frame_begin(frame)};
	bool known = t->touch[frame - 1].known;
	enum trace_result result = goto_frame_begin(t, frame);

	if (result)
		return result;
	trace_resolve(t, &start.moment, &start.moment, NULL);
	row_value(t, c->x, c->y, start.after, &start.z_after);
	memcpy(start.before, start.after, 4);
	memcpy(start.source, start.after, 4);
	start.z = start.z_before = start.z_after;
	add_row(c, &start);
	t->mark = !known;
	for (uint32_t i = f->first_command; !result && i - f->first_command < f->command_count; i++) {
		const struct qs_command *command = qs_capture_command(t->capture, i);
		struct trace_position begin = {.command = i};
		bool copy = command->kind == QS_COMMAND_COPY;
		bool draw = command->kind == QS_COMMAND_DRAW && (!known || trace_touches(t, frame, command->draw, c->x, c->y));
		if (!copy && !draw)
			continue;
		result = trace_goto(t, &begin);
		if (!result)
			result = copy ? collect_clear(t, c, i) : collect_command(t, c, i);
	}
	t->mark = false;
	if (!result)
		t->touch[frame - 1].known = true; /* commands after the last draw mark nothing */
	return result;
}

static bool check_pixel(int x, int y, struct qs_error *error)
{
	if (x >= 0 && y >= 0 && x < GX_EFB_WIDTH && y < GX_EFB_HEIGHT)
		return true;
	qs_error_set(error, QS_ERR_RANGE, 0, "There is no pixel (%d, %d): the EFB has %d by %d.", x, y, GX_EFB_WIDTH, GX_EFB_HEIGHT);
	return false;
}

static bool history(struct qs_timeline *t, uint32_t frame, int x, int y, struct collector *c, struct qs_error *error)
{
	enum trace_result result;

	*c = (struct collector){.t = t, .x = x, .y = y};
	result = collect_frame(t, c, frame);
	if (!result && !c->no_memory)
		return true;
	free(c->row);
	if (result)
		return trace_fail(t, result, NULL, error);
	qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for the history of the pixel.");
	return trace_come_back(t);
}

bool qs_timeline_history(struct qs_timeline *t, uint32_t frame, int x, int y, struct qs_history_row **rows, uint32_t *count,
	struct qs_error *error)
{
	struct collector c;

	trace_start(t);
	*rows = NULL;
	*count = 0;
	if (!check_pixel(x, y, error))
		return false;
	if (!qs_capture_frame(t->capture, frame)) {
		qs_error_set(error, QS_ERR_RANGE, 0, "There is no frame %" PRIu32 ": the capture has %" PRIu32 ", counted from 1.", frame,
			t->info->frame_count);
		return false;
	}
	if (!history(t, frame, x, y, &c, error))
		return false;
	*rows = c.row;
	*count = c.count;
	trace_come_back(t);
	return true;
}

/* ---- the fragment of a pixel -------------------------------------------------------------------------------------------- */

static bool nothing_found(int x, int y, const char *what, struct qs_error *error)
{
	qs_error_set(error, QS_ERR_RANGE, 0, "No %s pixel (%d, %d).", what, x, y);
	return false;
}

/* The last fragment of the draw at the pixel that is not after the moment, else the first after it. */
static bool covering(struct qs_timeline *t, int x, int y, struct qs_moment *found, struct qs_error *error)
{
	const struct trace_walk *walk = trace_walk_get(t, t->moment.command, error);
	uint32_t pixel = (uint32_t)((y & 1) * 2 + (x & 1)), primitive = 0;
	bool any = false;

	if (!walk)
		return false;
	for (uint32_t i = 0; i < walk->first[walk->primitives]; i++) {
		const struct qs_quad_place *q = &walk->places[i];
		while (walk->first[primitive + 1] <= i)
			primitive++;
		if (q->x != (x & ~1) || q->y != (y & ~1) || !trace_pixel_coverage(q->coverage, pixel))
			continue;
		struct qs_moment m = t->moment;
		m.level = QS_LEVEL_FRAGMENT;
		m.primitive = primitive;
		m.quad = i - walk->first[primitive];
		m.fragment = pixel;
		m.stage = 0;
		if (any && qs_moment_compare(&m, &t->moment) > 0)
			return true;
		*found = m;
		any = true;
	}
	return any || nothing_found(x, y, "fragment of the draw covers", error);
}

static bool last_written(const struct qs_timeline *t, const struct collector *c, struct qs_moment *found)
{
	bool any = false;

	for (uint32_t i = 0; i < c->count; i++) {
		const struct qs_history_row *r = &c->row[i];
		if (r->kind != QS_HISTORY_FRAGMENT || r->verdict != QS_VERDICT_WRITTEN || qs_moment_compare(&r->moment, &t->moment) > 0)
			continue;
		*found = r->moment;
		any = true;
	}
	return any;
}

/* Draws of the frame from the moment backwards, only those whose tiles hold the pixel. 1 found, 0 none, -1 error. */
static int search_back(struct qs_timeline *t, int x, int y, struct qs_moment *found, struct qs_error *error)
{
	const struct qs_frame *f = qs_capture_frame(t->capture, t->moment.frame);
	uint32_t last = t->moment.level == QS_LEVEL_FRAME ? f->first_command + f->command_count - 1 : t->moment.command;
	int result = 0;

	for (uint32_t i = last; !result && i < t->info->command_count && i >= f->first_command; i--) {
		const struct qs_command *command = qs_capture_command(t->capture, i);
		struct trace_position begin = {.command = i};
		struct collector c = {.t = t, .x = x, .y = y};
		if (command->kind != QS_COMMAND_DRAW || !trace_touches(t, t->moment.frame, command->draw, x, y))
			continue;
		t->away = true;
		enum trace_result run = trace_goto(t, &begin);
		if (!run)
			run = collect_command(t, &c, i);
		result = run ? -1 : last_written(t, &c, found);
		free(c.row);
		if (run)
			trace_fail(t, run, NULL, error);
	}
	return result;
}

static bool last_writer(struct qs_timeline *t, int x, int y, struct qs_moment *found, struct qs_error *error)
{
	struct collector c;
	int result;

	if (t->touch[t->moment.frame - 1].known) {
		result = search_back(t, x, y, found, error);
	} else {
		if (!history(t, t->moment.frame, x, y, &c, error))
			return false;
		result = last_written(t, &c, found);
		free(c.row);
	}
	return result > 0 || (!result && nothing_found(x, y, "fragment of the frame up to the moment wrote", error));
}

bool qs_timeline_find_fragment(struct qs_timeline *t, int x, int y, bool last, struct qs_moment *moment, struct qs_error *error)
{
	bool ok;

	trace_start(t);
	if (!check_pixel(x, y, error))
		return false;
	if (t->moment.level < (last ? QS_LEVEL_FRAME : QS_LEVEL_DRAW)) {
		qs_error_set(error, QS_ERR_RANGE, 0, "There is no %s at this moment.", last ? "frame" : "draw");
		return false;
	}
	ok = last ? last_writer(t, x, y, moment, error) : covering(t, x, y, moment, error);
	trace_come_back(t);
	return ok;
}

/* ---- the next draw ------------------------------------------------------------------------------------------------------ */

static bool walk_covers(const struct trace_walk *walk, int x, int y)
{
	unsigned pixel = (unsigned)((y & 1) * 2 + (x & 1));

	for (uint32_t i = 0; i < walk->first[walk->primitives]; i++) {
		const struct qs_quad_place *q = &walk->places[i];
		if (q->x == (x & ~1) && q->y == (y & ~1) && trace_pixel_coverage(q->coverage, pixel))
			return true;
	}
	return false;
}

bool qs_timeline_seek_pixel(struct qs_timeline *t, int x, int y, int direction, struct qs_error *error)
{
	struct qs_moment m = t->moment;
	int step = direction < 0 ? -1 : 1;
	enum trace_result result;

	trace_start(t);
	if (!check_pixel(x, y, error))
		return false;
	while (trace_neighbour(t, &m, QS_LEVEL_DRAW, step, NULL) > 0) {
		if (!trace_touch_frame(t, m.frame, error))
			return false;
		if (!trace_touches(t, m.frame, m.draw, x, y))
			continue;
		const struct trace_walk *walk = trace_walk_get(t, m.command, error);
		if (!walk)
			return trace_come_back(t);
		if (!walk_covers(walk, x, y))
			continue;
		result = trace_goto_moment(t, &m);
		return !result || trace_fail(t, result, NULL, error);
	}
	trace_come_back(t);
	return nothing_found(x, y, step > 0 ? "later draw reaches" : "earlier draw reaches", error);
}
