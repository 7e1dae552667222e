/* gfx3d.c - moves the Gfx3D machine: executes recorded calls, and draws quad by quad
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "gfx3d/qsc.h"
#include "trace/gfx3d.h"

#define SNAPSHOT_BYTES ((size_t)256 << 20)
#define SNAPSHOT_LIMIT 50.0 /* milliseconds of replay from one to the next */
#define LOOK_QUADS 1024u

/* ---- pictures and checkpoints ------------------------------------------------------------------------------------------- */

static void picture_unref(struct g3_picture *p)
{
	if (!p || --p->references)
		return;
	free(p->color);
	free(p->depth);
	free(p);
}

static struct g3_picture *picture_take(const struct g3_target *t, uint32_t command)
{
	struct g3_picture *p = calloc(1, sizeof *p);
	size_t n = (size_t)t->width * (size_t)t->height;

	if (!p)
		return NULL;
	p->references = 1;
	p->command = command;
	p->width = t->width;
	p->height = t->height;
	p->color = malloc(n * 4);
	p->depth = malloc(n * 4);
	if (!p->color || !p->depth) {
		picture_unref(p);
		return NULL;
	}
	for (size_t i = 0; i < n; i++)
		p->color[i] = g3_target_pixel(t, i);
	memcpy(p->depth, t->depth, n * 4);
	return p;
}

static void clear_checkpoints(struct trace_gfx3d *x)
{
	for (size_t i = 0; i < x->checkpoint_count; i++) {
		g3_snapshot_destroy(x->checkpoint[i].snapshot);
		picture_unref(x->checkpoint[i].picture);
	}
	x->checkpoint_count = 0;
	x->bytes = 0;
}

/* Every second one goes when they have become too many. */
static void thin_out(struct trace_gfx3d *x)
{
	size_t kept = 0;

	for (size_t i = 0; i < x->checkpoint_count; i++) {
		if (i % 2 == 0) {
			x->checkpoint[kept++] = x->checkpoint[i];
			continue;
		}
		x->bytes -= g3_snapshot_size(x->checkpoint[i].snapshot);
		g3_snapshot_destroy(x->checkpoint[i].snapshot);
		picture_unref(x->checkpoint[i].picture);
	}
	x->checkpoint_count = kept;
}

/* Where the machine stands, at the border of a command. Lack of memory only makes going back slower. */
static void add_checkpoint(struct qs_timeline *t)
{
	struct trace_gfx3d *x = t->gfx3d;
	size_t i = x->checkpoint_count;
	struct g3_snapshot *snapshot;

	x->since = trace_clock();
	while (i && x->checkpoint[i - 1].command > t->at.command)
		i--;
	if (!t->at.command || (i && x->checkpoint[i - 1].command == t->at.command))
		return;
	snapshot = g3_snapshot_take(x->g);
	if (!snapshot)
		return;
	if (x->checkpoint_count == x->checkpoint_room) {
		size_t room = x->checkpoint_room ? 2 * x->checkpoint_room : 32;
		struct g3_checkpoint *grown = realloc(x->checkpoint, room * sizeof *grown);

		if (!grown) {
			g3_snapshot_destroy(snapshot);
			return;
		}
		x->checkpoint = grown;
		x->checkpoint_room = room;
	}
	memmove(&x->checkpoint[i + 1], &x->checkpoint[i], (x->checkpoint_count - i) * sizeof *x->checkpoint);
	x->checkpoint[i] = (struct g3_checkpoint){t->at.command, snapshot, x->picture};
	if (x->picture)
		x->picture->references++;
	x->checkpoint_count++;
	x->bytes += g3_snapshot_size(snapshot);
	while (x->bytes > SNAPSHOT_BYTES && x->checkpoint_count > 2)
		thin_out(x);
}

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
	clear_checkpoints(x);
	picture_unref(x->picture);
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
	picture_unref(x->picture);
	x->picture = NULL;
	x->undo.valid = false;
	memset(&t->at, 0, sizeof t->at);
	t->lost = t->cursor = false;
	x->since = trace_clock();
}

bool trace_gfx3d_reset(struct qs_timeline *t)
{
	clear_checkpoints(t->gfx3d);
	t->gfx3d->record_known = false;
	empty(t);
	return true;
}

void trace_gfx3d_set_model(struct qs_timeline *t, enum qs_gfx3d_model model)
{
	t->gfx3d->forced = true;
	g3_set_model(t->gfx3d->g, model);
}

/* ---- records ------------------------------------------------------------------------------------------------------------ */

uint16_t trace_gfx3d_coverage(uint16_t coverage)
{
	uint16_t all = 0;

	for (unsigned k = 0; k < 4; k++)
		if (coverage >> (4 * k) & 15)
			all |= (uint16_t)(7u << (3 * k));
	return all;
}

static uint8_t verdict_of(uint8_t verdict)
{
	static const uint8_t table[QS_GFX3D_VERDICT_COUNT] = {
		[QS_GFX3D_VERDICT_NONE] = QS_VERDICT_NONE, [QS_GFX3D_VERDICT_WRITTEN] = QS_VERDICT_WRITTEN,
		[QS_GFX3D_VERDICT_ZERO_W] = QS_VERDICT_MASKED, [QS_GFX3D_VERDICT_STENCIL] = QS_VERDICT_MASKED,
		[QS_GFX3D_VERDICT_DEPTH] = QS_VERDICT_EARLY_Z, [QS_GFX3D_VERDICT_DISCARD] = QS_VERDICT_ALPHA,
		[QS_GFX3D_VERDICT_PENDING] = QS_VERDICT_PENDING,
	};

	return table[verdict];
}

static void unpack(uint32_t argb, uint8_t rgba[4])
{
	rgba[0] = (uint8_t)(argb >> 16);
	rgba[1] = (uint8_t)(argb >> 8);
	rgba[2] = (uint8_t)argb;
	rgba[3] = (uint8_t)(argb >> 24);
}

static uint32_t depth24(float z)
{
	return !(z > 0) ? 0 : z >= 1 ? 0xFFFFFF : (uint32_t)(z * 16777215.0f);
}

/* What everybody who looks at quads understands; the rest is in the Gfx3D record. */
static void common_record(const struct trace_gfx3d *x, const struct qs_gfx3d_quad *from, struct qs_quad *to)
{
	memset(to, 0, sizeof *to);
	to->x = from->x;
	to->y = from->y;
	to->part = from->part;
	to->coverage = trace_gfx3d_coverage(from->coverage);
	for (int i = 0; i < 4; i++) {
		const struct qs_gfx3d_fragment *f = &from->fragment[i];
		struct qs_fragment *q = &to->fragment[i];
		bool out;

		q->verdict = verdict_of(f->verdict);
		q->samples = f->samples ? 7 : 0;
		q->x = f->x;
		q->y = f->y;
		q->inv_w = f->inv_w;
		q->z_interpolated = q->z = depth24(f->z);
		q->z_old = depth24(f->z_old);
		q->z_new = depth24(f->z_new);
		q->z_tested = q->early_z = x->g->raster->draw.rules.depth_test;
		q->z_passed = f->verdict != QS_GFX3D_VERDICT_DEPTH;
		q->z_written = x->g->raster->draw.rules.depth_write && f->verdict == QS_GFX3D_VERDICT_WRITTEN;
		q->z_func = x->g->raster->draw.rules.compare;
		unpack(f->old_pixel, q->old_rgba);
		unpack(f->new_pixel, q->new_rgba);
		unpack(g3_pack(x->g->raster->draw.rules.spill, f->color, &out), q->source);
		memcpy(q->tev, q->source, 4);
	}
}

/* At the middle of each pixel, whatever samples there are. */
static void edge_values(const struct qs_setup *setup, struct qs_quad *quad)
{
	for (int i = 0; i < 4; i++)
		for (int e = 0; e < 3; e++) {
			const struct qs_edge *edge = &setup->edge[e];

			quad->edge[i][0][e] = edge->c + edge->dx * (quad->x + i % 2 + 0.5) + edge->dy * (quad->y + i / 2 + 0.5);
			quad->edge[i][1][e] = quad->edge[i][2][e] = quad->edge[i][0][e];
		}
}

/* ---- events ------------------------------------------------------------------------------------------------------------- */

static bool wants(const struct qs_timeline *t, enum qs_tap tap)
{
	return t->user && !t->stopped && t->tap.mask & tap;
}

static struct qs_moment moment_here(const struct qs_timeline *t, enum qs_level level, uint32_t quad)
{
	struct qs_moment m;

	qs_moment_of_command(t->capture, t->at.command, &m);
	if (level <= QS_LEVEL_DRAW)
		return m;
	m.level = level;
	m.primitive = t->at.primitive;
	m.quad = quad;
	return m;
}

static void event_command(struct qs_timeline *t)
{
	struct qs_moment m = moment_here(t, QS_LEVEL_COMMAND, 0);

	if (wants(t, QS_TAP_COMMAND))
		t->tap.command(t->tap.user, &m);
}

void trace_gfx3d_nothing(struct g3_draw *d, struct qs_setup *setup)
{
	memset(setup, 0, sizeof *setup);
	setup->kind = QS_PRIMITIVE_TRIANGLE;
	setup->verdict = d->verdict;
	setup->sample_count = 1;
	for (uint32_t i = 0; i < 3; i++) {
		uint32_t number = d->primitive < d->primitive_count ? g3_vertex_of_corner(d, 3 * d->primitive + i) : QS_NONE;
		struct qs_vertex *v = &setup->vertex[i];
		const struct g3_vertex *from;
		float window[4];

		setup->primitive_vertex[i] = v->index = number;
		if (number >= d->vertex_count)
			continue;
		from = g3_vertex_get(d, d->g->raster, number);
		memcpy(v->object, from->attr, sizeof v->object);
		memcpy(v->clip, from->clip, sizeof v->clip);
		trace_gfx3d_window(d, v->clip, window);
		memcpy(v->screen, window, sizeof v->screen);
		v->inv_w = window[3];
	}
}

static void event_primitive(struct qs_timeline *t)
{
	struct g3_draw *d = &t->gfx3d->g->raster->draw;
	struct qs_moment m = moment_here(t, QS_LEVEL_PRIMITIVE, 0);
	struct qs_setup setup;

	if (!d->part_count && wants(t, QS_TAP_PRIMITIVE)) {
		trace_gfx3d_nothing(d, &setup);
		t->tap.primitive(t->tap.user, &m, &setup);
	}
	for (unsigned i = 0; i < d->part_count && wants(t, QS_TAP_PRIMITIVE); i++) {
		g3_setup_record(&d->part[i], &d->rules, &setup);
		t->tap.primitive(t->tap.user, &m, &setup);
	}
}

/* Does the quad that g3_draw_next found alone and keeps its record. */
static void recorded_quad(struct qs_timeline *t, int x, int y, uint16_t coverage, uint8_t commit)
{
	struct trace_gfx3d *g = t->gfx3d;
	struct g3_raster *raster = g->g->raster;

	g3_draw_flush(g->g);
	g3_draw_add(g->g, x, y, coverage);
	g3_setup_record(&raster->draw.part[raster->draw.at], &raster->draw.rules, &t->quad_setup);
	raster->batch.record = &g->record;
	raster->batch.commit = commit;
	g3_draw_flush(g->g);
	raster->batch.record = NULL;
	raster->batch.commit = 15;
	common_record(g, &g->record, &t->quad);
	edge_values(&t->quad_setup, &t->quad);
}

static bool in_filter(const struct qs_timeline *t, int x, int y)
{
	const struct qs_rect *f = &t->filter;

	return !t->filtered || (f->x0 < x + 2 && x < f->x1 && f->y0 < y + 2 && y < f->y1);
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
	event_command(t);
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
	event_primitive(t);
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
		if (wants(t, QS_TAP_QUAD) && in_filter(t, x, y)) {
			struct qs_moment m = moment_here(t, QS_LEVEL_QUAD, t->at.quad);

			recorded_quad(t, x, y, coverage, 15);
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
			picture_unref(x->picture);
			x->picture = picture_take(target, command);
		}
	}
}

static enum trace_result execute(struct qs_timeline *t)
{
	const struct qs_command *c = qs_capture_command(t->capture, t->at.command);

	if (c->kind == QS_COMMAND_DRAW)
		return enter_draw(t) ? finish(t) : look(t);
	execute_call(t, t->at.command);
	event_command(t);
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
		add_checkpoint(t);
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
			add_checkpoint(t);
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
	recorded_quad(t, px, py, coverage, 15);
	x->record_known = true;
	x->record_at = t->at;
	stats = x->g->stats;
	if (wants(t, QS_TAP_QUAD) && (commit & 15) == 15 && in_filter(t, px, py)) {
		struct qs_moment m = moment_here(t, QS_LEVEL_QUAD, t->at.quad);

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
