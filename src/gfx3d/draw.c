/* draw.c - a draw step by step: primitives, quads, batches
 *
 * The iterators are the only way through a draw: a call runs them with full batches, the debugger with one quad.  A batch may hold
 * quads of several triangles as long as no pixel occurs twice; results do not depend on it.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "gfx3d/raster.h"

struct g3_raster *g3_raster_create(void)
{
	struct g3_raster *raster = NULL;

	if (posix_memalign((void **)&raster, 64, sizeof *raster))
		return NULL;
	memset(raster, 0, sizeof *raster);
	raster->plan[0] = csir_plan_create();
	raster->plan[1] = csir_plan_create();
	raster->batch.commit = 15;
	if (raster->plan[0] && raster->plan[1])
		return raster;
	g3_raster_destroy(raster);
	return NULL;
}

void g3_raster_destroy(struct g3_raster *raster)
{
	if (!raster)
		return;
	csir_plan_destroy(raster->plan[0]);
	csir_plan_destroy(raster->plan[1]);
	free(raster->draw.vertex);
	free(raster);
}

/* ---- begin -------------------------------------------------------------------------------------------------------------- */

static void make_rules(const struct g3_draw *d, struct g3_rules *r)
{
	const struct g3_quirks *q = &d->g->quirks;
	const struct g3_context *c = d->c;
	bool on = c->depth_on || !G3_QUIRK(q, depth_off);

	*r = (struct g3_rules){
		.clip = G3_QUIRK(q, clip), .cull = G3_QUIRK(q, cull) && c->cull_on, .tolerance = G3_QUIRK(q, coverage),
		.bottom_left = G3_QUIRK(q, fill_rule), .clip_depth = G3_QUIRK(q, depth_formula), .fcoord_w = G3_QUIRK(q, fcoord_w),
		.spill = G3_QUIRK(q, pack), .depth_test = on, .depth_write = on && c->depth_write, .compare = c->depth_compare,
		.w_limit = 0.00001f, .viewport = {0, 0, d->t->width, d->t->height},
	};
	if (G3_QUIRK(q, viewport))
		memcpy(r->viewport, c->viewport, sizeof r->viewport);
}

static void bind_textures(struct g3_draw *d)
{
	for (int u = 0; u < CSIR_SAMPLER_MAX; u++) {
		const struct g3_texture *t = u < QS_GFX3D_UNITS ? g3_texture(d->g, d->c->slot.owner, d->c->texture[u]) : NULL;

		d->texture[u] = (struct csir_texture){0};
		if (t && t->level[0])
			d->texture[u] = (struct csir_texture){t->level[0]->data, t->width, t->height};
	}
}

static bool prepare(struct g3_draw *d, struct g3_raster *raster, enum csir_stage stage, struct qs_error *error)
{
	struct csir_inputs inputs = {.uniforms = d->program->words[stage]};

	if (stage == CSIR_FRAGMENT) {
		inputs.var_remap = d->program->var_remap;
		inputs.texture = d->texture;
		if (d->filtered) {
			inputs.sample = g3_sample;
			inputs.sample_user = d;
		}
	}
	return csir_exec_prepare(raster->plan[stage], csir_program_shader(d->program, stage, &d->g->quirks), &d->g->quirks, &inputs,
		UINT32_MAX, error);
}

static bool layout_good(const struct csir_program *program, const struct qs_gfx3d_layout *layout)
{
	for (uint32_t a = 0; a < program->attr_count; a++) {
		const struct csir_interface *wanted = &program->attr[a];
		bool found = false;

		for (int e = 0; e < layout->elements; e++)
			found |= layout->element[e].location == wanted->slot &&
				layout->element[e].components >= (int)csir_type_lanes(wanted->type);
		if (!found)
			return false;
	}
	return true;
}

int g3_draw_begin(struct qs_gfx3d *g, struct g3_context *c, struct g3_mesh *m)
{
	struct g3_raster *raster = g->raster;
	struct g3_draw *d = &raster->draw;
	struct qs_error error = {0};

	d->active = false;
	d->g = g;
	d->c = c;
	d->m = m;
	d->t = g3_target(g, c->slot.owner, c->target);
	d->program = g3_bound_program(g, c);
	if (!m || !m->vertices || !d->t || !d->program || !c->in_frame)
		return g3_fail(g, "draw missing bind");
	if (!layout_good(d->program, &m->layout))
		return g3_fail(g, "vertex layout mismatch");
	d->vertex_count = (uint32_t)(m->vertices->size / (size_t)m->layout.stride);
	d->primitive_count = (m->index_count ? m->index_count : d->vertex_count) / 3;
	if (!d->primitive_count)
		return g3_fail(g, "mesh has no triangle");
	if (!d->t->cleared)
		g->stats.undefined_draws++;
	make_rules(d, &d->rules);
	bind_textures(d);
	d->filtered = g3_sample_needed(g, c);
	d->quad_uniform = d->filtered || csir_derivative(csir_program_shader(d->program, CSIR_FRAGMENT, &g->quirks)) >= 0;
	if (!prepare(d, raster, CSIR_VERTEX, &error) || !prepare(d, raster, CSIR_FRAGMENT, &error) || !g3_vertices_begin(d, raster))
		return g3_fail_detail(g, "draw failed", "%s", error.text[0] ? error.text : "There is no memory for the vertices.");
	d->varyings = csir_plan_varyings(raster->plan[CSIR_FRAGMENT]);
	d->fcoord = csir_plan_fcoord(raster->plan[CSIR_FRAGMENT]);
	d->primitive = QS_NONE;
	d->part_count = d->at = d->held_count = 0;
	raster->batch.quads = 0;
	d->active = true;
	return 0;
}

/* ---- primitives --------------------------------------------------------------------------------------------------------- */

static int fetch(struct qs_gfx3d *g, struct g3_draw *d, uint32_t number, struct g3_vertex *out)
{
	uint32_t index = g3_vertex_of_corner(d, number);

	if (index < d->vertex_count) {
		*out = *g3_vertex_get(d, g->raster, index);
		return 0;
	}
	if (G3_QUIRK(&g->quirks, index_check))
		return g3_fail(g, "index out of range");
	*out = (struct g3_vertex){.index = index}; /* nothing is there: no coordinate, so w 0 */
	return 0;
}

int g3_draw_primitive(struct qs_gfx3d *g)
{
	struct g3_draw *d = &g->raster->draw;
	uint32_t next = d->primitive == QS_NONE ? 0 : d->primitive + 1;
	struct g3_vertex v[3];
	const struct g3_vertex *const pointer[3] = {&v[0], &v[1], &v[2]};

	if (next >= d->primitive_count)
		return 0;
	for (uint32_t i = 0; i < 3; i++)
		if (fetch(g, d, 3 * next + i, &v[i]) < 0)
			return -1;
	d->primitive = next;
	d->quad = 0;
	d->at = 0;
	d->part_count = g3_setup(&d->rules, d->t, pointer, next, d->part, &d->verdict);
	g->stats.triangles++;
	g->stats.triangles_skipped += !d->part_count;
	if (d->part_count)
		g3_walk_begin(&d->walk, &d->part[0]);
	return 1;
}

bool g3_draw_next(struct qs_gfx3d *g, int *x, int *y, uint16_t *coverage)
{
	struct g3_draw *d = &g->raster->draw;

	while (d->at < d->part_count) {
		if (g3_walk_next(&d->walk, x, y, coverage))
			return true;
		if (++d->at < d->part_count)
			g3_walk_begin(&d->walk, &d->part[d->at]);
	}
	return false;
}

/* ---- batches ------------------------------------------------------------------------------------------------------------ */

void g3_draw_flush(struct qs_gfx3d *g)
{
	struct g3_draw *d = &g->raster->draw;

	g3_batch_run(d, g->raster);
	d->held_count = 0;
}

static bool same_triangle(const struct g3_triangle *a, const struct g3_triangle *b)
{
	return a->primitive == b->primitive && a->part == b->part;
}

/* Is the place in the batch?  (A triangle comes to a place once.) */
static bool taken(const struct g3_draw *d, const struct g3_batch *b, int x, int y)
{
	bool found = false;

	if (!b->quads || same_triangle(b->triangle[0], &d->part[d->at]))
		return false;
	for (unsigned q = 0; q < b->quads; q++)
		found |= b->x[q] == x && b->y[q] == y;
	return found;
}

/* The primitive's parts are overwritten by the next one while quads of them wait, so a batch keeps copies. */
static const struct g3_triangle *hold(struct g3_draw *d, const struct g3_triangle *t)
{
	if (d->held_count && same_triangle(&d->held[d->held_count - 1], t))
		return &d->held[d->held_count - 1];
	d->held[d->held_count] = *t;
	return &d->held[d->held_count++];
}

void g3_draw_add(struct qs_gfx3d *g, int x, int y, uint16_t coverage)
{
	struct g3_draw *d = &g->raster->draw;
	struct g3_batch *b = &g->raster->batch;

	if (b->quads == G3_QUADS || taken(d, b, x, y))
		g3_draw_flush(g);
	b->triangle[b->quads] = hold(d, &d->part[d->at]);
	b->number[b->quads] = d->quad++;
	b->x[b->quads] = (int16_t)x;
	b->y[b->quads] = (int16_t)y;
	b->coverage[b->quads++] = coverage;
}

void g3_draw_end(struct qs_gfx3d *g)
{
	g->raster->draw.active = false;
	g->raster->batch.quads = 0;
	g->raster->draw.held_count = 0;
}

int g3_draw_run(struct qs_gfx3d *g)
{
	uint16_t coverage;
	int more, x, y;

	while ((more = g3_draw_primitive(g)) > 0)
		while (g3_draw_next(g, &x, &y, &coverage))
			g3_draw_add(g, x, y, coverage);
	g3_draw_flush(g);
	g3_draw_end(g);
	return more;
}
