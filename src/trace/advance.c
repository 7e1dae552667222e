/* advance.c - moves the machine forward: commands, primitives, quads
 *
 * Whole commands run with full batches.  Inside a draw the iterators of gx/draw.c are used; their cursor is lost when a
 * snapshot is restored or a question used them, and is found again by assembling up to the primitive and skipping quads,
 * which changes nothing that is kept.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "trace/gfx3d.h"

#define CHECKPOINT_LIMIT 10.0 /* milliseconds of replay between checkpoints */
#define ENTER_LIMIT 4.0       /* less when a draw is entered: it will be left and entered again */
#define LOOK_QUADS 256u       /* quads between looks at the clock */

static enum trace_result look(const struct qs_timeline *t)
{
	if (t->stopped)
		return TRACE_STOPPED;
	return t->cancel && !t->patient ? TRACE_CANCELLED : TRACE_OK;
}

/* ---- commands ----------------------------------------------------------------------------------------------------------- */

static void enter_frame(struct qs_timeline *t, const struct qs_command *c)
{
	const struct qs_frame *frame = qs_capture_frame(t->capture, c->frame);

	if (frame->first_command != t->at.command)
		return;
	trace_checkpoint_add(t);
	t->whole.frame = c->frame;
	t->whole.end = frame->first_command + frame->command_count;
	t->whole.stale_events = t->m->memory.stale_events;
	t->whole.clean = !t->m->memory.stale_lines;
}

/* The machine goes on behind the command. */
static void leave_command(struct qs_timeline *t)
{
	if (t->access_count)
		trace_accesses(t, t->at.command);
	t->at = (struct trace_position){.command = t->at.command + 1};
	if (!t->whole.frame || t->at.command != t->whole.end)
		return;
	bool fresh = t->whole.clean && t->whole.stale_events == t->m->memory.stale_events;
	t->cache_use[t->whole.frame - 1] = fresh ? TRACE_CACHE_FRESH : TRACE_CACHE_STALE;
	t->whole.frame = 0;
}

/* The command tap is called by gx_execute; a draw that is done by the iterators calls it here. */
static void finish_draw(struct qs_timeline *t)
{
	struct gx_machine *m = t->m;

	gx_draw_end(m);
	t->cursor = false;
	t->undo.valid = false;
	qs_moment_of_command(t->capture, t->at.command, &m->moment);
	if (gx_tapped(m, QS_TAP_COMMAND) && !m->taps->command(m->taps->user, &m->moment))
		m->stop = true;
	leave_command(t);
}

static bool next_primitive(struct qs_timeline *t)
{
	t->scout.valid = t->undo.valid = false;
	if (!gx_draw_next_primitive(t->m)) {
		finish_draw(t);
		return false;
	}
	t->at.primitive++;
	t->at.quad = 0;
	return true;
}

/* Applies the updates and assembles the first primitive. false: the draw has none and is done. */
static bool enter_draw(struct qs_timeline *t)
{
	struct gx_machine *m = t->m;

	gx_apply_updates(m, t->at.command);
	t->entry = m->state;
	t->entry_command = t->at.command;
	t->at.inside = true;
	t->at.primitive = t->at.quad = 0;
	t->scout.valid = false;
	t->undo.valid = false;
	if (!gx_draw_begin(m, t->at.command) || !gx_draw_next_primitive(m)) {
		finish_draw(t);
		return false;
	}
	t->cursor = true;
	return true;
}

void trace_release(struct qs_timeline *t)
{
	if (t->cursor)
		gx_draw_end(t->m);
	t->cursor = false;
	t->scout.valid = false;
}

void trace_establish(struct qs_timeline *t)
{
	struct gx_machine *m = t->m;
	const struct qs_taps *taps = m->taps;
	struct gx_state now;

	if (t->cursor || !t->at.inside)
		return;
	now = m->state;
	m->taps = NULL;
	m->state = t->entry;
	m->draw_state_valid = false;
	gx_draw_begin(m, t->at.command);
	for (uint32_t i = 0; i <= t->at.primitive; i++)
		gx_draw_next_primitive(m);
	gx_draw_skip_quads(m, t->at.quad);
	m->state = now;
	m->taps = taps;
	t->cursor = true;
	t->scout.valid = false;
}

/* ---- quads -------------------------------------------------------------------------------------------------------------- */

/* Up to count quads with full batches; returns how many. */
static uint32_t shade(struct qs_timeline *t, uint32_t count, enum trace_result *result)
{
	uint32_t done = 0;

	*result = TRACE_OK;
	t->undo.valid = false;
	while (done < count && *result == TRACE_OK) {
		uint32_t left = count - done;
		unsigned n = gx_draw_next_quads(t->m, left < GX_BATCH_QUADS ? left : GX_BATCH_QUADS, 15);
		if (!n)
			break;
		done += n;
		t->at.quad += n;
		*result = look(t);
		if ((done & (LOOK_QUADS - 1)) < n && *result == TRACE_OK)
			trace_checkpoint_consider(t, CHECKPOINT_LIMIT);
	}
	return done;
}

static bool rect_meets(const struct qs_rect *a, int x0, int y0, int x1, int y1)
{
	return a->x0 < x1 && x0 < a->x1 && a->y0 < y1 && y0 < a->y1;
}

static bool box_meets_filter(const struct qs_timeline *t)
{
	const struct gx_triangle *parts;
	const struct qs_setup *nothing;
	unsigned n = gx_draw_parts(t->m, &parts, &nothing);

	for (unsigned i = 0; i < n; i++) {
		const struct qs_rect *b = &parts[i].record.box;
		if (rect_meets(&t->filter, b->x0, b->y0, b->x1, b->y1))
			return true;
	}
	return false;
}

/* Shades the run of quads that ends before quad `end`, with or without taps. */
static enum trace_result shade_run(struct qs_timeline *t, uint32_t end, bool tapped)
{
	const struct qs_taps *taps = t->m->taps;
	enum trace_result result = TRACE_OK;

	if (!tapped)
		t->m->taps = NULL;
	if (end > t->at.quad)
		shade(t, end - t->at.quad, &result);
	t->m->taps = taps;
	return result;
}

/* Up to quad `end` of the primitive, reporting only quads that meet the filter. */
static enum trace_result shade_filtered(struct qs_timeline *t, uint32_t end)
{
	struct trace_scout scout;
	bool run_wanted = false;
	enum trace_result result;
	uint16_t coverage;
	unsigned part;
	int x, y;

	if (!t->m->taps || !box_meets_filter(t))
		return shade_run(t, end, false);
	trace_scout_begin(&scout, t->m);
	while (trace_scout_next(&scout, &x, &y, &coverage, &part)) {
		uint32_t number = scout.number - 1;
		bool hit = rect_meets(&t->filter, x, y, x + 2, y + 2);
		if (number < t->at.quad || number >= end || hit == run_wanted)
			continue;
		result = shade_run(t, number, run_wanted);
		if (result)
			return result;
		run_wanted = hit;
	}
	return shade_run(t, scout.number < end ? scout.number : end, run_wanted);
}

static enum trace_result shade_to(struct qs_timeline *t, uint32_t end)
{
	enum trace_result result = TRACE_OK;

	if (t->at.quad >= end)
		return TRACE_OK;
	t->scout.valid = false;
	if (t->filtered)
		return shade_filtered(t, end);
	shade(t, end - t->at.quad, &result);
	return result;
}

/* ---- draws of the shader pipeline ------------------------------------------------------------------------------------------- */

/* Inside a draw the units work; beyond it only what the host has drawn counts.  So nobody goes on from inside such a draw to
 * what comes after it, nor from a checkpoint there. */
static bool inside_shader_draw(const struct qs_timeline *t, const struct trace_position *at, const struct trace_position *target)
{
	return at->inside && !(target->inside && target->command == at->command) && trace_shader_command(t, at->command);
}

static const struct trace_checkpoint *checkpoint_for(const struct qs_timeline *t, const struct trace_position *target)
{
	const struct trace_checkpoint *c = trace_checkpoint_before(t, target);

	while (c > t->checkpoint && inside_shader_draw(t, &c->at, target))
		c--;
	return c;
}

/* From inside a draw to its end. */
static enum trace_result finish(struct qs_timeline *t)
{
	enum trace_result result;

	trace_establish(t);
	do {
		result = shade_to(t, UINT32_MAX);
		if (result)
			return result;
	} while (next_primitive(t));
	return look(t);
}

/* The units report the quads that are wanted; then the pixels from before come back and the host draws. */
static enum trace_result execute_filtered(struct qs_timeline *t)
{
	struct gx_machine *m = t->m;
	bool shader = trace_shader_command(t, t->at.command);
	struct gx_efb *before = shader ? malloc(sizeof *before) : NULL;
	uint32_t command = t->at.command;
	struct gx_state state = m->state;
	int cache = m->quirk[GX_QUIRK_texture_cache];
	enum trace_result result;

	gx_sync(m);
	if (before) {
		*before = *m->efb;
		m->quirk[GX_QUIRK_texture_cache] = 0; /* no line of TMEM is filled (draw.c: render_watched) */
	}
	result = enter_draw(t) ? finish(t) : look(t);
	m->quirk[GX_QUIRK_texture_cache] = cache;
	if (before && !result) {
		const struct qs_taps *taps = m->taps;
		m->taps = NULL;
		*m->efb = *before;
		m->state = state;
		m->draw_state_valid = false;
		if (gx_draw_begin(m, command))
			gx_draw_run(m);
		m->taps = taps;
	}
	free(before);
	return result;
}

static enum trace_result execute(struct qs_timeline *t)
{
	const struct qs_command *c = qs_capture_command(t->capture, t->at.command);
	bool draw = c->kind == QS_COMMAND_DRAW;
	enum trace_result result;

	t->undo.valid = false;
	enter_frame(t, c);
	trace_pipeline_choose(t, c->frame);
	if (draw && t->filtered && t->m->taps)
		return execute_filtered(t);
	if (draw && !t->m->deferring) {
		t->entry = t->m->state;
		t->entry_command = t->at.command;
	}
	gx_execute(t->m, t->at.command);
	result = look(t);
	if (draw && result) {
		t->lost = true; /* somewhere in the draw */
		return result;
	}
	leave_command(t);
	return result;
}

/* ---- to a position ------------------------------------------------------------------------------------------------------ */

void trace_undo(struct qs_timeline *t)
{
	struct gx_machine *m = t->m;

	trace_release(t);
	m->state = t->undo.state;
	t->lost |= !gx_tags_undo(&m->memory);
	gx_efb_restore(m, t->undo.x, t->undo.y, &t->undo.pixels);
	m->draw_state_valid = false;
	t->at = t->undo.at;
	t->undo.valid = false;
	t->partial = false;
}

static void restore(struct qs_timeline *t, const struct trace_checkpoint *checkpoint)
{
	trace_release(t);
	t->undo.valid = t->partial = t->lost = false;
	t->whole.frame = 0;
	t->at = checkpoint->at;
	trace_snapshot_restore(t, checkpoint->snapshot);
	t->since = 0;
	t->since_at = t->at;
}

/* Brings the machine to a place at or before the target, as near as is cheap. */
static void approach(struct qs_timeline *t, const struct trace_position *target)
{
	const struct trace_checkpoint *checkpoint = checkpoint_for(t, target);

	if (!t->lost && t->undo.valid && !trace_position_compare(&t->undo.at, target)) {
		trace_undo(t);
		return;
	}
	if (!t->lost && t->partial)
		trace_undo(t);
	if (!t->user && inside_shader_draw(t, &t->at, target))
		t->lost = true;
	if (!t->lost && trace_position_compare(&t->at, target) <= 0 &&
		(t->user || !checkpoint || /* taps want to see everything on the way */
			 trace_position_compare(&checkpoint->at, &t->at) <= 0 ||
			(t->at.inside && t->at.command == target->command)))
		return;
	restore(t, checkpoint);
}

static enum trace_result run_inside(struct qs_timeline *t, const struct trace_position *target)
{
	enum trace_result result;

	if (!t->at.inside) {
		enter_frame(t, qs_capture_command(t->capture, t->at.command));
		trace_checkpoint_consider(t, ENTER_LIMIT);
		trace_pipeline_choose(t, qs_capture_command(t->capture, t->at.command)->frame);
		if (!enter_draw(t))
			return TRACE_MISSING;
	}
	trace_establish(t);
	while (t->at.primitive < target->primitive) {
		result = shade_to(t, UINT32_MAX);
		if (result)
			return result;
		if (!next_primitive(t))
			return look(t) ? look(t) : TRACE_MISSING;
	}
	result = shade_to(t, target->quad);
	if (!result && target->quad != UINT32_MAX && t->at.quad < target->quad)
		return TRACE_MISSING;
	return result;
}

static enum trace_result run_commands(struct qs_timeline *t, const struct trace_position *target);

/* With taps the rest of a draw is reported by the units; then the host draws it whole, from a checkpoint before it. */
static enum trace_result finish_watched(struct qs_timeline *t)
{
	const struct qs_taps *user = t->user, *taps = t->m->taps;
	bool again = trace_shader_command(t, t->at.command), stopped;
	enum trace_result result = finish(t);
	struct trace_position here = t->at;

	if (!again || result)
		return result;
	stopped = t->stopped;
	t->user = NULL;
	t->m->taps = NULL;
	restore(t, checkpoint_for(t, &here));
	result = run_commands(t, &here);
	t->user = user;
	t->m->taps = taps;
	t->stopped = stopped;
	return result;
}

/* Whole commands up to the target's. */
static enum trace_result run_commands(struct qs_timeline *t, const struct trace_position *target)
{
	enum trace_result result;
	unsigned count = 0;

	while (t->at.command < target->command) {
		bool draw = qs_capture_command(t->capture, t->at.command)->kind >= QS_COMMAND_COPY;
		result = t->at.inside ? finish_watched(t) : execute(t);
		if (result) {
			t->lost |= result == TRACE_CANCELLED;
			return result;
		}
		if (draw || ++count % 64 == 0) {
			trace_checkpoint_consider(t, CHECKPOINT_LIMIT);
			if (t->cancel && !t->patient)
				return TRACE_CANCELLED;
		}
	}
	return TRACE_OK;
}

static enum trace_result run_to(struct qs_timeline *t, const struct trace_position *target)
{
	enum trace_result result;

	approach(t, target);
	t->started = trace_clock();
	t->m->deferring = !t->m->taps;
	result = run_commands(t, target);
	t->m->deferring = false;
	gx_sync(t->m);
	return result;
}

enum trace_result trace_goto(struct qs_timeline *t, const struct trace_position *target)
{
	enum trace_result result;

	if (t->gfx3d)
		return trace_gfx3d_goto(t, target);
	result = run_to(t, target);
	/* pixels that were with a host that failed are lost, in checkpoints too: from the start, once more with another host, then
	 * without; events are not reported twice */
	for (unsigned attempt = 0; trace_pipeline_look(t) && !t->user && attempt < 2; attempt++) {
		if (attempt || gx_virgl_hopeless(t->virgl))
			trace_pipeline_give_up(t);
		trace_reset(t);
		result = run_to(t, target);
	}
	if (result)
		return result;
	result = target->inside ? run_inside(t, target) : TRACE_OK;
	trace_checkpoint_consider(t, CHECKPOINT_LIMIT);
	return result;
}

/* ---- one quad ----------------------------------------------------------------------------------------------------------- */

static void save_undo(struct qs_timeline *t)
{
	uint16_t coverage;
	unsigned part;

	if (!t->scout.valid || t->scout.number > t->at.quad)
		trace_scout_begin(&t->scout, t->m);
	t->undo.valid = false;
	t->undo.x = t->undo.y = -2;
	do {
		if (!trace_scout_next(&t->scout, &t->undo.x, &t->undo.y, &coverage, &part))
			return;
	} while (t->scout.number <= t->at.quad);
	gx_efb_save(t->m, t->undo.x, t->undo.y, &t->undo.pixels);
	t->undo.state = t->m->state;
	t->undo.at = t->at;
	t->undo.valid = gx_tags_journal(&t->m->memory);
}

struct catcher {
	struct qs_timeline *t;
	bool forward; /* the caller's tap wants the quad too */
};

static bool catch_quad(void *user, const struct qs_moment *moment, const struct qs_setup *setup, const struct qs_quad *quad)
{
	struct catcher *c = user;

	c->t->quad = *quad;
	c->t->quad_setup = *setup;
	return !c->forward || trace_tap_quad(c->t, moment, setup, quad);
}

/* Shades the next quad whole and keeps its record. */
static enum trace_result record_quad(struct qs_timeline *t)
{
	struct gx_machine *m = t->m;
	struct catcher catcher = {t, gx_tapped(m, QS_TAP_QUAD)};
	struct qs_taps taps = {.mask = QS_TAP_QUAD | QS_TAP_DETAIL, .user = &catcher, .quad = catch_quad};
	const struct qs_taps *before = m->taps;

	save_undo(t);
	if (!t->undo.valid)
		return TRACE_MISSING;
	m->taps = &taps;
	unsigned n = gx_draw_next_quads(m, 1, 15);
	m->taps = before;
	if (!n)
		return TRACE_MISSING;
	t->quad_at = t->at;
	t->quad_known = true;
	t->at.quad++;
	return look(t);
}

/* A quad done in part has the record of the whole quad all the same (what is not done is hidden when somebody asks): the units
 * leave fragments that are not committed alone from the depth test on. */
enum trace_result trace_single(struct qs_timeline *t, uint8_t commit)
{
	struct gx_machine *m = t->m;
	const struct qs_taps *before = m->taps;
	enum trace_result result;

	if (t->gfx3d)
		return trace_gfx3d_single(t, commit);
	if ((commit & 15) == 15)
		return record_quad(t);
	m->taps = NULL;
	if (!t->quad_known || trace_position_compare(&t->quad_at, &t->at)) {
		result = record_quad(t);
		if (result) {
			m->taps = before;
			return result;
		}
		trace_undo(t);
		trace_establish(t);
	}
	save_undo(t);
	t->partial = t->undo.valid && gx_draw_next_quads(m, 1, commit);
	m->taps = before;
	return t->partial ? look(t) : TRACE_MISSING;
}
