/* proof.c - the proof renderer: one triangle, a depth buffer of its own, rounding and clamping (spec 02 section 3)
 *
 * It is the production path with other rules: the target is a temporary one, the limit of w is wider and an error.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "gfx3d/raster.h"

#define PROOF_MAX 128
#define PROOF_W 0.0001f

static bool shade_vertices(struct qs_gfx3d *g, struct csir_program *program, const float *const attributes[3],
	struct g3_vertex vertex[3], struct qs_error *error)
{
	struct g3_raster *raster = g->raster;
	struct csir_inputs inputs = {.uniforms = program->words[CSIR_VERTEX]};
	struct csir_batch batch = {.mask = 7, .position = &raster->position};

	if (!csir_exec_prepare(raster->plan[CSIR_VERTEX], csir_program_shader(program, CSIR_VERTEX, &g->quirks), &g->quirks, &inputs,
		UINT32_MAX, error))
		return false;
	for (unsigned a = 0; a < CSIR_ATTR_MAX; a++) {
		batch.attr[a] = &raster->attr[a];
		batch.vary_out[a] = &raster->vary_out[a];
		memset(&raster->vary_out[a], 0, sizeof raster->vary_out[a]);
		for (unsigned i = 0; i < 3; i++)
			for (unsigned k = 0; k < 4; k++)
				raster->attr[a].v[k][i] = attributes[i][4 * a + k];
	}
	csir_exec(raster->plan[CSIR_VERTEX], &batch);
	for (uint32_t i = 0; i < 3; i++) {
		vertex[i].index = i;
		for (unsigned k = 0; k < 4; k++) {
			vertex[i].clip[k] = raster->position.v[k][i];
			for (unsigned s = 0; s < CSIR_VARY_MAX; s++)
				vertex[i].vary[s][k] = raster->vary_out[s].v[k][i];
		}
	}
	return true;
}

int g3_proof_triangle(struct qs_gfx3d *g, struct csir_program *program, const float *const attributes[3], int stride,
	const struct csir_texture *texture, uint32_t *pixels, int width, int height)
{
	struct g3_raster *raster = g->raster;
	struct g3_draw *d = &raster->draw;
	struct g3_context context = {.blend.write_mask = 15, .depth_on = true, .depth_write = 1, .depth_compare = QS_GFX3D_LESS};
	struct g3_target target = {.width = width, .height = height, .samples = 1, .color = pixels};
	struct csir_inputs inputs = {0};
	struct qs_error error = {0};
	struct g3_vertex vertex[3];
	const struct g3_vertex *const pointer[3] = {&vertex[0], &vertex[1], &vertex[2]};
	uint16_t coverage;
	int x, y;

	if (!program || !program->linked || !attributes || !pixels || stride < 4 || width < 1 || width > PROOF_MAX || height < 1 ||
	    height > PROOF_MAX)
		return g3_fail(g, "bad argument");
	memset(vertex, 0, sizeof vertex);
	if (!shade_vertices(g, program, attributes, vertex, &error))
		return g3_fail_detail(g, "shader failed", "%s", error.text);
	for (int i = 0; i < 3; i++)
		if (vertex[i].clip[3] > -PROOF_W && vertex[i].clip[3] < PROOF_W)
			return g3_fail(g, "w near 0");
	inputs = (struct csir_inputs){.uniforms = program->words[CSIR_FRAGMENT], .var_remap = program->var_remap};
	d->texture[0] = texture ? *texture : (struct csir_texture){0};
	for (int u = 1; u < CSIR_SAMPLER_MAX; u++)
		d->texture[u] = (struct csir_texture){0};
	inputs.texture = d->texture;
	if (!csir_exec_prepare(raster->plan[CSIR_FRAGMENT], csir_program_shader(program, CSIR_FRAGMENT, &g->quirks), &g->quirks, &inputs,
		UINT32_MAX, &error))
		return g3_fail_detail(g, "shader failed", "%s", error.text);
	target.depth = malloc((size_t)width * (size_t)height * sizeof *target.depth);
	if (!target.depth)
		return g3_fail(g, "no memory");
	for (int i = 0; i < width * height; i++)
		target.depth[i] = 1.0f;
	d->g = g;
	d->c = &context;
	d->t = &target;
	d->filtered = false;
	d->quad_uniform = csir_derivative(csir_program_shader(program, CSIR_FRAGMENT, &g->quirks)) >= 0;
	d->varyings = csir_plan_varyings(raster->plan[CSIR_FRAGMENT]);
	d->fcoord = csir_plan_fcoord(raster->plan[CSIR_FRAGMENT]);
	d->rules = (struct g3_rules){.tolerance = true, .clip_depth = true, .fcoord_w = true, .depth_test = true, .depth_write = true,
		.compare = QS_GFX3D_LESS, .w_limit = PROOF_W, .viewport = {0, 0, width, height}};
	d->held_count = 0;
	d->quad = 0;
	raster->batch.quads = 0;
	d->at = 0;
	d->part_count = g3_setup(&d->rules, &target, pointer, 0, d->part, &d->verdict);
	if (d->part_count)
		g3_walk_begin(&d->walk, &d->part[0]);
	while (g3_draw_next(g, &x, &y, &coverage))
		g3_draw_add(g, x, y, coverage);
	g3_draw_flush(g);
	g3_draw_end(g);
	d->c = NULL;
	d->t = NULL;
	free(target.depth);
	return 0;
}
