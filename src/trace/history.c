/* history.c - what reached a pixel: fragments, clears, the last writer, the next draw that touches it
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/bits.h"
#include "trace/gfx3d.h"

static struct qs_moment frame_begin(uint32_t frame)
{
	return frame > 1 ? (struct qs_moment){.level = QS_LEVEL_FRAME, .frame = frame - 1} : (struct qs_moment){.level = QS_LEVEL_START};
}

/* ---- collecting rows ---------------------------------------------------------------------------------------------------- */

struct collector {
	uint32_t frame;
	int x, y;
	struct qs_history_row *row;
	uint32_t count, room;
	bool no_memory;
	uint8_t before[4]; /* value before the copy in progress */
	uint32_t z_before;
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
	row.sample_count = f->sample_count;
	row.samples = f->samples;
	row.samples_passed = f->samples_passed;
	memcpy(row.sample_before, f->sample_old, sizeof row.sample_before);
	memcpy(row.sample_after, f->sample_new, sizeof row.sample_after);
	add_row(c, &row);
	return true;
}

static void row_value(struct qs_timeline *t, const struct collector *c, uint8_t rgba[4], uint32_t *z)
{
	qs_timeline_pixel(t, c->x, c->y, rgba, z);
}

static void add_start(struct qs_timeline *t, struct collector *c)
{
	struct qs_history_row row = {.kind = QS_HISTORY_START, .verdict = QS_VERDICT_WRITTEN, .moment = frame_begin(c->frame)};

	trace_resolve(t, &row.moment, &row.moment, NULL);
	row_value(t, c, row.after, &row.z_after);
	memcpy(row.before, row.after, 4);
	memcpy(row.source, row.after, 4);
	row.z = row.z_before = row.z_after;
	add_row(c, &row);
}

/* Before the copy the pixel's value is kept; after it a row is made when the copy cleared the pixel. */
static void add_clear(struct qs_timeline *t, struct collector *c, uint32_t command, bool after)
{
	const struct gx_state *s = &t->m->state;
	uint32_t from = s->bp[0x49], size = s->bp[0x4A];
	int x0 = (int)bits(from, 0, 10), y0 = (int)bits(from, 10, 10);
	bool inside = c->x >= x0 && c->y >= y0 && c->x <= x0 + (int)bits(size, 0, 10) && c->y <= y0 + (int)bits(size, 10, 10);
	struct qs_history_row row = {.kind = QS_HISTORY_CLEAR, .verdict = QS_VERDICT_WRITTEN};

	if (!after) {
		row_value(t, c, c->before, &c->z_before);
		return;
	}
	if (!inside || !bits(s->bp[0x52], 11, 1))
		return;
	memcpy(row.before, c->before, 4);
	row.z_before = c->z_before;
	row_value(t, c, row.after, &row.z_after);
	memcpy(row.source, row.after, 4);
	row.z = row.z_after;
	qs_moment_of_command(t->capture, command, &row.moment);
	add_row(c, &row);
}

/* Whether the processor writes the pixel after the command, and with what at last. */
static const struct qs_access *last_access(const struct qs_timeline *t, const struct collector *c, uint32_t command)
{
	const struct qs_access *found = NULL;

	for (unsigned i = 0; i < t->access_count; i++) {
		const struct qs_access *a = &t->access[i];
		if (a->command == command && a->kind != QS_ACCESS_REGISTER && a->x == c->x && a->y == c->y)
			found = a;
	}
	return found;
}

/* After the accesses that follow the command: what was there before is what the last row left. */
static void add_access(struct qs_timeline *t, struct collector *c, uint32_t command)
{
	const struct qs_access *a = last_access(t, c, command);
	struct qs_history_row row = {.kind = QS_HISTORY_ACCESS, .verdict = QS_VERDICT_WRITTEN};

	if (!a || !c->count)
		return;
	memcpy(row.before, c->row[c->count - 1].after, 4);
	row.z_before = c->row[c->count - 1].z_after;
	row_value(t, c, row.after, &row.z_after);
	row.z = a->kind == QS_ACCESS_DEPTH ? a->value & 0xFFFFFF : row.z_after;
	memcpy(row.source, row.after, 4);
	for (unsigned k = 0; k < 4 && a->kind == QS_ACCESS_COLOUR; k++)
		row.source[k] = (uint8_t)(a->value >> (k < 3 ? 16 - 8 * k : 24));
	qs_moment_of_command(t->capture, command, &row.moment);
	add_row(c, &row);
}

/* ---- the quick way: only quads that hold the pixel are shaded ------------------------------------------------------------ */

static void quick_begin(struct qs_timeline *t, void *user)
{
	add_start(t, user);
}

static void quick_copy(struct qs_timeline *t, uint32_t command, bool after, void *user)
{
	add_clear(t, user, command, after);
}

static void quick_access(struct qs_timeline *t, uint32_t command, void *user)
{
	if (t->access_count)
		add_access(t, user, command);
}

static bool boxes_hold(const struct gx_machine *m, int x, int y)
{
	const struct gx_triangle *parts;
	const struct qs_setup *nothing;
	unsigned n = gx_draw_parts(m, &parts, &nothing);

	for (unsigned i = 0; i < n; i++) {
		const struct qs_rect *b = &parts[i].record.box;
		if (x >= b->x0 && x < b->x1 && y >= b->y0 && y < b->y1)
			return true;
	}
	return false;
}

static void quick_primitive(struct qs_timeline *t, void *user)
{
	struct collector *c = user;
	struct qs_taps taps = {.mask = QS_TAP_QUAD, .user = c, .quad = collect_quad};
	unsigned pixel = (unsigned)((c->y & 1) * 2 + (c->x & 1)), part;
	struct trace_scout scout;
	int cached = t->m->quirk[GX_QUIRK_texture_cache];
	uint32_t done = 0;
	uint16_t coverage;
	int x, y;

	if (!boxes_hold(t->m, c->x, c->y))
		return;
	trace_scout_begin(&scout, t->m);
	while (trace_scout_next(&scout, &x, &y, &coverage, &part)) {
		if (x != (c->x & ~1) || y != (c->y & ~1) || !trace_pixel_coverage(coverage, pixel))
			continue;
		gx_draw_skip_quads(t->m, scout.number - 1 - done);
		t->m->taps = &taps;
		t->m->quirk[GX_QUIRK_texture_cache] = 0; /* what skipped quads fetched is missing */
		gx_tx_begin_draw(t->m);
		gx_draw_next_quads(t->m, 1, 15);
		t->m->quirk[GX_QUIRK_texture_cache] = cached;
		t->m->taps = NULL;
		done = scout.number;
	}
}

static enum trace_result collect_quick(struct qs_timeline *t, struct collector *c, uint32_t end)
{
	struct trace_dry dry = {.user = c, .begin = quick_begin, .primitive = quick_primitive, .copy = quick_copy,
		.access = quick_access};

	return trace_dry_run(t, c->frame, end, &dry);
}

/* ---- the slow way: with the texel latch and with stale texture cache lines a pixel depends on those before it ------------- */

/* Runs one command with records of the pixel. */
static enum trace_result collect_command(struct qs_timeline *t, struct collector *c, uint32_t command)
{
	struct qs_taps taps = {.mask = QS_TAP_QUAD, .user = c, .quad = collect_quad};
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

static enum trace_result collect_slow(struct qs_timeline *t, struct collector *c, uint32_t end)
{
	uint32_t first = qs_capture_frame(t->capture, c->frame)->first_command;
	struct trace_position begin = {.command = first};
	enum trace_result result;

	t->away = true;
	result = trace_goto(t, &begin);
	if (!result)
		add_start(t, c);
	for (uint32_t i = first; !result && i < end; i++) {
		const struct qs_command *command = qs_capture_command(t->capture, i);
		bool copy = command->kind == QS_COMMAND_COPY;
		if (!copy && (command->kind != QS_COMMAND_DRAW || !trace_touches(t, c->frame, command->draw, c->x, c->y))) {
			if (last_access(t, c, i)) {
				result = trace_goto(t, &(struct trace_position){.command = i + 1});
				add_access(t, c, i);
			}
			continue;
		}
		result = trace_goto(t, &(struct trace_position){.command = i});
		if (!result && copy)
			add_clear(t, c, i, false);
		if (!result)
			result = collect_command(t, c, i);
		if (!result && copy)
			add_clear(t, c, i, true);
		if (!result)
			add_access(t, c, i);
	}
	return result;
}

/* Of Gfx3D: what the moment's target has; there may be none as yet, and another frame's may be larger. */
static void limits(const struct qs_timeline *t, uint32_t frame, uint32_t *width, uint32_t *height)
{
	*width = t->gfx3d ? QS_GFX3D_MAX_WIDTH : GX_EFB_WIDTH;
	*height = t->gfx3d ? QS_GFX3D_MAX_HEIGHT : GX_EFB_HEIGHT;
	if (t->gfx3d && trace_gfx3d_has_picture(t) && frame == t->moment.frame && t->moment.level != QS_LEVEL_START)
		trace_gfx3d_size(t, width, height);
}

static bool check_pixel(const struct qs_timeline *t, uint32_t frame, int x, int y, struct qs_error *error)
{
	uint32_t width, height;

	limits(t, frame, &width, &height);
	if (x >= 0 && y >= 0 && (uint32_t)x < width && (uint32_t)y < height)
		return true;
	qs_error_set(error, QS_ERR_RANGE, 0, "There is no pixel (%d, %d): the %s has %" PRIu32 " by %" PRIu32 ".", x, y, t->gfx3d ? "target" : "EFB", width,
		height);
	return false;
}

/* Whether the frame needs the slow way; once it ran as a whole it is known whether stale lines can have been read. */
static bool needs_all_quads(struct qs_timeline *t, uint32_t frame, enum trace_result *result)
{
	const struct qs_frame *f = qs_capture_frame(t->capture, frame);
	struct trace_position begin = {.command = f->first_command}, end = {.command = f->first_command + f->command_count};

	*result = TRACE_OK;
	if (t->m->quirk[GX_QUIRK_disabled_texel])
		return true;
	if (!t->m->quirk[GX_QUIRK_texture_cache])
		return false;
	if (t->cache_use[frame - 1] == TRACE_CACHE_UNKNOWN) {
		const struct qs_taps all = {0}; /* whoever has taps gets no short cut over a checkpoint */
		t->away = true;
		*result = trace_goto(t, &begin);
		trace_set_taps(t, &all);
		if (!*result)
			*result = trace_goto(t, &end);
		trace_set_taps(t, NULL);
	}
	return t->cache_use[frame - 1] != TRACE_CACHE_FRESH;
}

/* Rows of the frame up to the command `end`. */
static bool history(struct qs_timeline *t, struct collector *c, uint32_t end, struct qs_error *error)
{
	enum trace_result result;
	bool slow;

	if (t->gfx3d)
		return trace_gfx3d_history(t, c->frame, end, c->x, c->y, &c->row, &c->count, error);
	slow = needs_all_quads(t, c->frame, &result);
	if (result)
		return trace_fail(t, result, NULL, error);
	if (slow) {
		if (!trace_touch_frame(t, c->frame, error))
			return false;
		result = collect_slow(t, c, end);
	} else {
		result = collect_quick(t, c, end);
	}
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
	struct collector c = {.frame = frame, .x = x, .y = y};
	const struct qs_frame *f = qs_capture_frame(t->capture, frame);

	if (!trace_start(t, error))
		return false;
	*rows = NULL;
	*count = 0;
	if (!check_pixel(t, frame, x, y, error))
		return false;
	if (!f) {
		qs_error_set(error, QS_ERR_RANGE, 0, "There is no frame %" PRIu32 ": the capture has %" PRIu32 ", counted from 1.", frame,
			t->info->frame_count);
		return false;
	}
	if (!history(t, &c, f->first_command + f->command_count, error))
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

static bool last_writer(struct qs_timeline *t, int x, int y, struct qs_moment *found, struct qs_error *error)
{
	struct collector c = {.frame = t->moment.frame, .x = x, .y = y};
	const struct qs_frame *f = qs_capture_frame(t->capture, c.frame);
	uint32_t end = t->moment.level == QS_LEVEL_FRAME ? f->first_command + f->command_count : t->moment.command + 1;
	bool ok;

	if (!history(t, &c, end, error))
		return false;
	ok = last_written(t, &c, found);
	free(c.row);
	return ok || nothing_found(x, y, "fragment of the frame up to the moment wrote", error);
}

bool qs_timeline_find_fragment(struct qs_timeline *t, int x, int y, bool last, struct qs_moment *moment, struct qs_error *error)
{
	bool ok;

	if (!trace_start(t, error))
		return false;
	if (!check_pixel(t, t->moment.frame, x, y, error))
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

	if (!trace_start(t, error))
		return false;
	if (!check_pixel(t, t->moment.frame, x, y, error))
		return false;
	while (trace_neighbour(t, &m, QS_LEVEL_DRAW, step, NULL) > 0) {
		if (!t->gfx3d && !trace_touch_frame(t, m.frame, error))
			return false;
		if (!t->gfx3d && !trace_touches(t, m.frame, m.draw, x, y))
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
