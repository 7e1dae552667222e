/* gfx3d_record.c - what the Gfx3D machine tells while it moves: records of quads, events for taps
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "trace/gfx3d_inside.h"

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

bool gfx3d_wants(const struct qs_timeline *t, enum qs_tap tap)
{
	return t->user && !t->stopped && t->tap.mask & tap;
}

struct qs_moment gfx3d_moment_here(const struct qs_timeline *t, enum qs_level level, uint32_t quad)
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

void gfx3d_event_command(struct qs_timeline *t)
{
	struct qs_moment m = gfx3d_moment_here(t, QS_LEVEL_COMMAND, 0);

	if (gfx3d_wants(t, QS_TAP_COMMAND))
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

void gfx3d_event_primitive(struct qs_timeline *t)
{
	struct g3_draw *d = &t->gfx3d->g->raster->draw;
	struct qs_moment m = gfx3d_moment_here(t, QS_LEVEL_PRIMITIVE, 0);
	struct qs_setup setup;

	if (!d->part_count && gfx3d_wants(t, QS_TAP_PRIMITIVE)) {
		trace_gfx3d_nothing(d, &setup);
		t->tap.primitive(t->tap.user, &m, &setup);
	}
	for (unsigned i = 0; i < d->part_count && gfx3d_wants(t, QS_TAP_PRIMITIVE); i++) {
		g3_setup_record(&d->part[i], &d->rules, &setup);
		t->tap.primitive(t->tap.user, &m, &setup);
	}
}

/* Does the quad that g3_draw_next found alone and keeps its record. */
void gfx3d_recorded_quad(struct qs_timeline *t, int x, int y, uint16_t coverage, uint8_t commit)
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

bool gfx3d_in_filter(const struct qs_timeline *t, int x, int y)
{
	const struct qs_rect *f = &t->filter;

	return !t->filtered || (f->x0 < x + 2 && x < f->x1 && f->y0 < y + 2 && y < f->y1);
}
