/* gfx3d.c - moves the Gfx3D machine: executes recorded calls, and draws quad by quad
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "gfx3d/qsc.h"
#include "trace/gfx3d_inside.h"

#define SNAPSHOT_LIMIT 50.0 /* milliseconds of replay from one to the next */
#define LOOK_QUADS 1024u

/* ---- life --------------------------------------------------------------------------------------------------------------- */

bool trace_gfx3d_create(struct qs_timeline *t)
{
	t->gfx3d = calloc(1, sizeof *t->gfx3d);
	if (t->gfx3d)
		t->gfx3d->g = g3_create();
	return t->gfx3d && t->gfx3d->g;
}

void trace_gfx3d_destroy(struct qs_timeline *t)
{
	struct trace_gfx3d *x = t->gfx3d;

	if (!x)
		return;
	gfx3d_clear_checkpoints(x);
	gfx3d_picture_unref(x->picture);
	qs_gfx3d_destroy(x->g);
	free(x->checkpoint);
	free(x);
	t->gfx3d = NULL;
}

static void empty(struct qs_timeline *t)
{
	struct trace_gfx3d *x = t->gfx3d;
	struct g3_quirks quirks = x->g->quirks;
	enum qs_gfx3d_model model = x->g->model;

	g3_clear(x->g);
	if (x->forced) {
		x->g->quirks = quirks;
		x->g->model = model;
	}
	gfx3d_picture_unref(x->picture);
	x->picture = NULL;
	x->undo.valid = false;
	memset(&t->at, 0, sizeof t->at);
	t->lost = t->cursor = false;
	x->since = trace_clock();
}

bool trace_gfx3d_reset(struct qs_timeline *t)
{
	gfx3d_clear_checkpoints(t->gfx3d);
	t->gfx3d->record_known = false;
	empty(t);
	return true;
}

void trace_gfx3d_set_model(struct qs_timeline *t, enum qs_gfx3d_model model)
{
	t->gfx3d->forced = true;
	g3_set_model(t->gfx3d->g, model);
}

/* ---- a draw ------------------------------------------------------------------------------------------------------------- */

static enum trace_result look(const struct qs_timeline *t)
{
	if (t->stopped)
		return TRACE_STOPPED;
	return t->cancel && !t->patient ? TRACE_CANCELLED : TRACE_OK;
}

bool trace_gfx3d_begin(struct qs_timeline *t, uint32_t command)
{
	struct qs_gfx3d *g = t->gfx3d->g;
	struct g3_call call;
	struct g3_context *c;

	if (!qsc_parse(qs_capture_command_bytes(t->capture, command), qs_capture_command(t->capture, command)->size, &call))
		return false;
	c = g3_context(g, call.owner, call.handle[0]);
	return c && g3_draw_begin(g, c, g3_mesh(g, call.owner, call.handle[1])) == 0;
}

static void finish_draw(struct qs_timeline *t)
{
	g3_draw_flush(t->gfx3d->g);
	g3_draw_end(t->gfx3d->g);
	t->cursor = false;
	gfx3d_event_command(t);
	t->at = (struct trace_position){.command = t->at.command + 1};
}

/* false: there is none, the draw is done. */
static bool next_primitive(struct qs_timeline *t)
{
	struct trace_gfx3d *x = t->gfx3d;

	if (g3_draw_primitive(x->g) <= 0) {
		finish_draw(t);
		return false;
	}
	t->at.primitive = x->g->raster->draw.primitive;
	t->at.quad = 0;
	gfx3d_event_primitive(t);
	return true;
}

static bool enter_draw(struct qs_timeline *t)
{
	t->at.inside = true;
	t->at.primitive = t->at.quad = 0;
	t->cursor = true;
	if (!trace_gfx3d_begin(t, t->at.command)) {
		finish_draw(t);
		return false;
	}
	t->gfx3d->g->stats.draws++;
	return next_primitive(t);
}

/* Makes the iterators stand at t->at inside the draw, without drawing anything. */
static void establish(struct qs_timeline *t)
{
	struct qs_gfx3d *g = t->gfx3d->g;
	struct qs_gfx3d_stats stats = g->stats;
	uint16_t coverage;
	int x, y;

	if (t->cursor || !t->at.inside)
		return;
	trace_gfx3d_begin(t, t->at.command);
	for (uint32_t i = 0; i <= t->at.primitive; i++)
		g3_draw_primitive(g);
	for (uint32_t i = 0; i < t->at.quad && g3_draw_next(g, &x, &y, &coverage); i++)
		;
	g->raster->draw.quad = t->at.quad;
	g->stats = stats;
	t->cursor = true;
}

/* Up to quad `end` of the primitive. */
static enum trace_result shade_to(struct qs_timeline *t, uint32_t end)
{
	struct qs_gfx3d *g = t->gfx3d->g;
	enum trace_result result = TRACE_OK;
	uint16_t coverage;
	int x, y;

	while (!result && t->at.quad < end && g3_draw_next(g, &x, &y, &coverage)) {
		if (gfx3d_wants(t, QS_TAP_QUAD) && gfx3d_in_filter(t, x, y)) {
			struct qs_moment m = gfx3d_moment_here(t, QS_LEVEL_QUAD, t->at.quad);

			gfx3d_recorded_quad(t, x, y, coverage, 15);
			t->tap.quad(t->tap.user, &m, &t->quad_setup, &t->quad);
			t->gfx3d->record_known = true;
			t->gfx3d->record_at = t->at;
			result = look(t);
		} else {
			g3_draw_add(g, x, y, coverage);
		}
		if (++t->at.quad % LOOK_QUADS == 0 && !result)
			result = look(t);
	}
	return result;
}

static enum trace_result finish(struct qs_timeline *t)
{
	enum trace_result result;

	establish(t);
	do {
		result = shade_to(t, UINT32_MAX);
		if (result)
			break;
	} while (next_primitive(t));
	g3_draw_flush(t->gfx3d->g);
	return result ? result : look(t);
}

/* ---- calls -------------------------------------------------------------------------------------------------------------- */

/* Calls that failed when they were recorded changed nothing, except where the table says so.  The backend is always software. */
static void execute_call(struct qs_timeline *t, uint32_t command)
{
	struct trace_gfx3d *x = t->gfx3d;
	const struct g3_call_info *info;
	struct g3_call call;
	bool failed;

	if (!qsc_parse(qs_capture_command_bytes(t->capture, command), qs_capture_command(t->capture, command)->size, &call))
		return;
	info = g3_call_info(call.op);
	failed = info->result == 'h' ? !call.result : call.result != 0;
	if (call.op == G3_boot) {
		call.i[0] = QS_GFX3D_SOFTWARE;
		failed = false;
	}
	if (failed && !(info->flags & G3_CALL_AGAIN))
		return;
	if (x->forced && (call.op == G3_set_model || call.op == G3_set_quirk))
		return;
	g3_execute(x->g, &call);
	if (info->flags & G3_CALL_FRAME_END) {
		struct g3_context *c = g3_context(x->g, call.owner, call.handle[0]);
		struct g3_target *target = c ? g3_target(x->g, call.owner, c->target) : NULL;

		if (target) {
			gfx3d_picture_unref(x->picture);
			x->picture = gfx3d_picture_take(target, command);
		}
	}
}

static enum trace_result execute(struct qs_timeline *t)
{
	const struct qs_command *c = qs_capture_command(t->capture, t->at.command);

	if (c->kind == QS_COMMAND_DRAW)
		return enter_draw(t) ? finish(t) : look(t);
	execute_call(t, t->at.command);
	gfx3d_event_command(t);
	t->at.command++;
	return look(t);
}

/* ---- to a position ------------------------------------------------------------------------------------------------------ */

static size_t place(const struct g3_target *target, int x, int y, int sample)
{
	return ((size_t)sample * (size_t)target->height + (size_t)y) * (size_t)target->width + (size_t)x;
}

static void move_pixels(struct trace_gfx3d *x, bool save)
{
	struct g3_slot *slot = g3_slot_at(x->g, G3_TARGET, (x->undo.target & 0xFFFF) - 1);
	struct g3_target *target = (struct g3_target *)slot;

	for (int i = 0; i < 4; i++) {
		int px = x->undo.x + i % 2, py = x->undo.y + i / 2;

		if (px >= target->width || py >= target->height)
			continue;
		for (int s = 0; s < target->samples; s++) {
			size_t at = place(target, px, py, s);

			if (save) {
				x->undo.color[i][s] = target->color[at];
				x->undo.depth[i][s] = target->depth[at];
				x->undo.stencil[i][s] = target->stencil[at];
			} else {
				target->color[at] = x->undo.color[i][s];
				target->depth[at] = x->undo.depth[i][s];
				target->stencil[at] = x->undo.stencil[i][s];
			}
		}
	}
}

static void save_undo(struct qs_timeline *t, int px, int py)
{
	struct trace_gfx3d *x = t->gfx3d;
	const struct g3_target *target = x->g->raster->draw.t;

	x->undo.valid = true;
	x->undo.at = t->at;
	x->undo.target = g3_handle_of(&target->slot, (unsigned)(target - x->g->target));
	x->undo.x = px;
	x->undo.y = py;
	x->undo.stats = x->g->stats;
	move_pixels(x, true);
}

static void undo(struct qs_timeline *t)
{
	struct trace_gfx3d *x = t->gfx3d;

	move_pixels(x, false);
	x->g->stats = x->undo.stats;
	x->undo.valid = false;
	t->at = x->undo.at;
	t->cursor = false;
}

static void restore(struct qs_timeline *t, const struct g3_checkpoint *c)
{
	struct trace_gfx3d *x = t->gfx3d;
	struct g3_quirks quirks = x->g->quirks;
	enum qs_gfx3d_model model = x->g->model;

	empty(t);
	if (!c)
		return;
	if (!g3_snapshot_restore(x->g, c->snapshot)) {
		empty(t);
		return;
	}
	if (x->forced) {
		x->g->quirks = quirks;
		x->g->model = model;
	}
	x->picture = c->picture;
	if (c->picture)
		c->picture->references++;
	t->at.command = c->command;
}

static void approach(struct qs_timeline *t, const struct trace_position *target)
{
	struct trace_gfx3d *x = t->gfx3d;
	size_t i = x->checkpoint_count;

	if (x->undo.valid)
		undo(t);
	while (i && x->checkpoint[i - 1].command > target->command)
		i--;
	if (!t->lost && trace_position_compare(&t->at, target) <= 0 &&
	    (t->user || !i || x->checkpoint[i - 1].command <= t->at.command || (t->at.inside && t->at.command == target->command)))
		return;
	restore(t, i ? &x->checkpoint[i - 1] : NULL);
}

static enum trace_result run_inside(struct qs_timeline *t, const struct trace_position *target)
{
	enum trace_result result;

	if (!t->at.inside) {
		gfx3d_add_checkpoint(t);
		if (!enter_draw(t))
			return TRACE_MISSING;
	}
	establish(t);
	while (t->at.primitive < target->primitive) {
		result = shade_to(t, UINT32_MAX);
		if (result)
			return result;
		if (!next_primitive(t))
			return look(t) ? look(t) : TRACE_MISSING;
	}
	result = shade_to(t, target->quad);
	g3_draw_flush(t->gfx3d->g);
	if (!result && target->quad != UINT32_MAX && t->at.quad < target->quad)
		return TRACE_MISSING;
	return result;
}

enum trace_result trace_gfx3d_goto(struct qs_timeline *t, const struct trace_position *target)
{
	enum trace_result result;

	approach(t, target);
	while (t->at.command < target->command) {
		result = t->at.inside ? finish(t) : execute(t);
		if (result) {
			t->lost |= result == TRACE_CANCELLED || t->at.inside;
			return result;
		}
		if (!t->at.inside && trace_clock() - t->gfx3d->since > SNAPSHOT_LIMIT)
			gfx3d_add_checkpoint(t);
	}
	result = target->inside ? run_inside(t, target) : TRACE_OK;
	t->lost |= result == TRACE_CANCELLED;
	return result;
}

/* The record is that of the whole quad even when only some fragments are stored. */
enum trace_result trace_gfx3d_single(struct qs_timeline *t, uint8_t commit)
{
	struct trace_gfx3d *x = t->gfx3d;
	struct qs_gfx3d_stats stats;
	uint16_t coverage;
	int px, py;

	establish(t);
	if (!g3_draw_next(x->g, &px, &py, &coverage))
		return TRACE_MISSING;
	save_undo(t, px, py);
	gfx3d_recorded_quad(t, px, py, coverage, 15);
	x->record_known = true;
	x->record_at = t->at;
	stats = x->g->stats;
	if (gfx3d_wants(t, QS_TAP_QUAD) && (commit & 15) == 15 && gfx3d_in_filter(t, px, py)) {
		struct qs_moment m = gfx3d_moment_here(t, QS_LEVEL_QUAD, t->at.quad);

		t->tap.quad(t->tap.user, &m, &t->quad_setup, &t->quad);
	}
	if ((commit & 15) == 15) {
		x->undo.valid = false;
		t->at.quad++;
		return look(t);
	}
	move_pixels(x, false);
	g3_draw_add(x->g, px, py, coverage);
	x->g->raster->batch.commit = commit;
	g3_draw_flush(x->g);
	x->g->raster->batch.commit = 15;
	x->g->stats = stats;
	return look(t);
}
