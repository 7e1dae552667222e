/* soft.c - one vertex, one fragment, one triangle of a linked program, without contexts and targets (spec 02 sections 2 and 3)
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "gfx3d/raster.h"

/* What a wrapper runs; NULL and an error: not linked. */
static struct csir_program *linked(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle shader)
{
	struct g3_shader *s = g3_shader(g, owner, shader);

	if (s && s->linked && s->linked->program->linked)
		return s->linked->program;
	g3_fail(g, s ? "program not linked" : "unknown shader");
	return NULL;
}

static int run(struct qs_gfx3d *g, struct csir_program *program, enum csir_stage stage, const struct csir_inputs *inputs, struct csir_batch *batch)
{
	struct csir_plan *plan = csir_plan_create();
	struct qs_error error = {QS_ERR_NOMEM, 0, "There is no memory to run a shader."};
	bool good = plan && csir_exec_prepare(plan, csir_program_shader(program, stage, &g->quirks), &g->quirks, inputs, UINT32_MAX, &error);

	if (good)
		csir_exec(plan, batch);
	csir_plan_destroy(plan);
	return good ? 0 : g3_fail_detail(g, "shader failed", "%s", error.text);
}

static void fill(struct csir_vec *vec, const float v[4])
{
	memset(vec, 0, sizeof *vec);
	for (unsigned k = 0; k < 4; k++)
		vec->v[k][0] = v[k];
}

static void take(float v[4], const struct csir_vec *vec)
{
	for (unsigned k = 0; k < 4; k++)
		v[k] = vec->v[k][0];
}

struct lanes {
	struct csir_vec in[8], out[8], coordinate, result;
};

int qs_gfx3d_soft_vertex(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle shader, const float attribute[8][4], float position[4],
	float varying[8][4])
{
	struct csir_program *program = linked(g, owner, shader);
	struct lanes *l = aligned_alloc(64, sizeof *l);
	struct csir_batch batch = {.mask = 1};
	struct csir_inputs inputs = {0};
	int status = -1;

	if (!l || !program || !attribute || !position || !varying) {
		free(l);
		return program ? g3_fail(g, "missing argument") : -1;
	}
	for (unsigned i = 0; i < 8; i++) {
		fill(&l->in[i], attribute[i]);
		fill(&l->out[i], varying[i]);
		batch.attr[i] = &l->in[i];
		batch.vary_out[i] = &l->out[i];
	}
	batch.position = &l->result;
	inputs.uniforms = program->words[CSIR_VERTEX];
	status = run(g, program, CSIR_VERTEX, &inputs, &batch);
	for (unsigned i = 0; i < 8 && !status; i++)
		take(varying[i], &l->out[i]);
	if (!status)
		take(position, &l->result);
	free(l);
	return status;
}

static bool texture_of(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle handle, struct csir_texture texture[CSIR_SAMPLER_MAX])
{
	const struct g3_texture *t = handle ? g3_texture(g, owner, handle) : NULL;

	memset(texture, 0, CSIR_SAMPLER_MAX * sizeof *texture);
	if (t && t->level[0])
		texture[0] = (struct csir_texture){t->level[0]->data, t->width, t->height};
	return !handle || t;
}

int qs_gfx3d_soft_fragment(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle shader, const float varying[8][4], const float fragcoord[4],
	qs_gfx3d_handle texture, float color[4], int *discarded)
{
	struct csir_program *program = linked(g, owner, shader);
	struct lanes *l = aligned_alloc(64, sizeof *l);
	struct csir_texture textures[CSIR_SAMPLER_MAX];
	struct csir_batch batch = {.mask = 1};
	struct csir_inputs inputs = {0};
	int status;

	if (!l || !program || !varying || !color || !texture_of(g, owner, texture, textures)) {
		free(l);
		return program ? g3_fail(g, varying && color ? "unknown texture" : "missing argument") : -1;
	}
	for (unsigned i = 0; i < 8; i++) {
		fill(&l->in[i], varying[i]);
		batch.vary[i] = &l->in[i];
	}
	if (fragcoord) {
		fill(&l->coordinate, fragcoord);
		batch.fcoord = &l->coordinate;
	}
	batch.colour = &l->result;
	inputs.uniforms = program->words[CSIR_FRAGMENT];
	inputs.var_remap = program->var_remap;
	inputs.texture = textures;
	status = run(g, program, CSIR_FRAGMENT, &inputs, &batch);
	if (!status)
		take(color, &l->result);
	if (!status && discarded)
		*discarded = (int)(batch.discarded & 1);
	free(l);
	return status;
}

int qs_gfx3d_soft_triangle(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle shader, const float *const attributes[3], int stride,
	qs_gfx3d_handle texture, uint32_t *pixels, int width, int height)
{
	struct csir_program *program = linked(g, owner, shader);
	struct csir_texture textures[CSIR_SAMPLER_MAX];

	if (!program)
		return -1;
	if (!attributes || !attributes[0] || !attributes[1] || !attributes[2] || !pixels)
		return g3_fail(g, "missing argument");
	if (!texture_of(g, owner, texture, textures))
		return g3_fail(g, "unknown texture");
	return g3_proof_triangle(g, program, attributes, stride, textures[0].texels ? &textures[0] : NULL, pixels, width, height);
}
