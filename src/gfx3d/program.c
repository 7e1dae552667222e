/* program.c - shaders, their instances, uniforms, camera (spec 02 section 5)
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gfx3d/host.h"
#include "gfx3d/system.h"

/* ---- shaders ------------------------------------------------------------------------------------------------------------ */

/* CSIR text begins with its directive shader; everything else is the shader language. */
static bool is_assembler(const char *text, size_t size)
{
	while (size && (*text == ' ' || *text == '\t' || *text == '\n' || *text == '\r')) {
		text++;
		size--;
	}
	return size > 7 && !memcmp(text, "shader ", 7);
}

static bool compile(struct qs_gfx3d *g, const struct g3_call *call, enum csir_stage stage, struct csir_shader *shader)
{
	const char *text = call->blob[stage];
	size_t size = call->blob_size[stage];
	struct qs_error error = {0};
	struct csir_log *log;

	if (is_assembler(text, size)) {
		if (csir_read(shader, text, size, &error) && shader->stage == stage)
			return true;
		g3_fail_detail(g, "shader compile failed", "%s", error.text[0] ? error.text : "The CSIR text is of the other stage.");
		return false;
	}
	log = calloc(1, sizeof *log);
	if (!g->cache)
		g->cache = csir_cache_create();
	if (g->cache ? csir_compile_cached(g->cache, shader, stage, csir_stage_name(stage), text, size, &g->quirks, log, &error)
		: csir_compile(shader, stage, csir_stage_name(stage), text, size, &g->quirks, true, log, &error)) {
		free(log);
		return true;
	}
	g3_fail_detail(g, "shader compile failed", "%s\n%s", error.text, log ? log->text : "");
	free(log);
	return false;
}

/* Compiles and attaches both stages, then links. */
static int build(struct qs_gfx3d *g, const struct g3_call *call, struct csir_program *program)
{
	struct csir_shader *shader = calloc(2, sizeof *shader);
	struct qs_error error = {0};
	struct csir_log *log = calloc(1, sizeof *log);
	bool good = shader && compile(g, call, CSIR_VERTEX, &shader[0]) && compile(g, call, CSIR_FRAGMENT, &shader[1]);

	if (good) {
		good = csir_program_attach(program, &shader[0], &error) && csir_program_attach(program, &shader[1], &error) &&
			csir_program_link(program, &g->quirks, log, &error);
		if (!good)
			g3_fail_detail(g, "program link failed", "%s\n%s", error.text, log ? log->text : "");
	}
	if (shader) {
		csir_shader_finish(&shader[0]);
		csir_shader_finish(&shader[1]);
	}
	free(shader);
	free(log);
	return good ? 0 : -1;
}

struct g3_linked *g3_linked_new(void)
{
	struct g3_linked *linked = calloc(1, sizeof *linked);

	if (!linked)
		return NULL;
	linked->references = 1;
	linked->program = csir_program_create();
	if (linked->program)
		return linked;
	free(linked);
	return NULL;
}

void g3_linked_unref(struct g3_linked *linked)
{
	if (!linked || --linked->references)
		return;
	csir_program_destroy(linked->program);
	free(linked);
}

void g3_destroy_shader(struct g3_shader *s)
{
	g3_linked_unref(s->linked);
	free(s->words);
	s->linked = NULL;
	s->words = NULL;
}

static int shader_create(struct qs_gfx3d *g, struct g3_call *call)
{
	uint32_t handle;
	struct g3_shader *s = (struct g3_shader *)g3_slot_take(g, G3_SHADER, call->owner, &handle);

	if (!s)
		return g3_fail(g, "shader table full");
	s->linked = g3_linked_new();
	if (!s->linked || build(g, call, s->linked->program) < 0) {
		g3_destroy_shader(s);
		s->slot.used = false;
		return -1;
	}
	call->result = handle;
	return 0;
}

/* The same program again, for the instance alone. */
static struct g3_linked *copy_linked(const struct qs_gfx3d *g, const struct csir_program *from)
{
	struct g3_linked *copy = g3_linked_new();
	struct qs_error error;

	for (int i = 0; copy && i < 2; i++)
		if (!from->shader[i] || !csir_program_attach(copy->program, from->shader[i], &error)) {
			g3_linked_unref(copy);
			return NULL;
		}
	if (!copy || !csir_program_link(copy->program, &g->quirks, NULL, &error)) {
		g3_linked_unref(copy);
		return NULL;
	}
	copy->program->generation = from->generation;
	memcpy(copy->program->words, from->words, sizeof from->words);
	return copy;
}

static int shader_relink(struct qs_gfx3d *g, struct g3_call *call)
{
	struct g3_shader *s = g3_shader(g, call->owner, call->handle[0]);

	if (!s)
		return g3_fail(g, "unknown shader");
	if (s->linked->references > 1) {
		struct g3_linked *own = copy_linked(g, s->linked->program);

		if (!own)
			return g3_fail(g, "no memory");
		g3_linked_unref(s->linked);
		s->linked = own;
	}
	return build(g, call, s->linked->program);
}

/* ---- instances ---------------------------------------------------------------------------------------------------------- */

static int prog_prepare(struct qs_gfx3d *g, struct g3_call *call)
{
	struct g3_context *c = g3_context(g, call->owner, call->handle[0]);
	struct g3_shader *s = g3_shader(g, call->owner, call->handle[1]);
	struct g3_program *p;
	uint32_t handle;

	if (!c)
		return g3_fail(g, "unknown context");
	if (!s || !s->linked->program->linked)
		return g3_fail(g, "program not linked");
	p = (struct g3_program *)g3_slot_take(g, G3_PROGRAM, call->owner, &handle);
	if (!p)
		return g3_fail(g, "program table full");
	p->context = call->handle[0];
	p->shader = call->handle[1];
	g->stats.programs++;
	if (!g3_host_program_upload(g, c, p, s->linked->program)) {
		g3_destroy_program(g, p);
		return g3_fail(g, "shader submit failed");
	}
	p->uploaded = s->linked->program->generation;
	call->result = handle;
	return 0;
}

static int use(struct qs_gfx3d *g, struct g3_call *call)
{
	struct g3_context *c = g3_context(g, call->owner, call->handle[0]);
	struct g3_program *p = g3_program(g, call->owner, call->handle[1]);
	struct g3_shader *s;

	if (!c)
		return g3_fail(g, "unknown context");
	if (!p || p->context != call->handle[0])
		return g3_fail(g, "program of another context");
	s = g3_shader(g, call->owner, p->shader);
	if (!s)
		return g3_fail(g, "program not linked");
	c->program = call->handle[1];
	g3_mock(g, "use");
	if (p->uploaded == s->linked->program->generation)
		return 0;
	p->uploaded = s->linked->program->generation;
	return g3_host_program_upload(g, c, p, s->linked->program) ? 0 : g3_fail(g, "shader submit failed");
}

struct csir_program *g3_bound_program(struct qs_gfx3d *g, const struct g3_context *c)
{
	struct g3_program *p = g3_program(g, c->slot.owner, c->program);
	struct g3_shader *s = p ? g3_shader(g, c->slot.owner, p->shader) : NULL;

	return s && s->linked->program->linked ? s->linked->program : NULL;
}

/* ---- uniforms ----------------------------------------------------------------------------------------------------------- */

static void transpose(const float *m, unsigned n, float *out)
{
	for (unsigned row = 0; row < n; row++)
		for (unsigned column = 0; column < n; column++)
			out[n * column + row] = m[4 * row + column];
}

/* Uniforms of the fixed names: a program that lacks them does without. */
static void set_matrix(struct qs_gfx3d *g, const struct g3_context *c, const char *name, const float m[16], unsigned n)
{
	struct csir_program *program = g3_bound_program(g, c);
	struct qs_error error;
	float columns[16];

	if (!program || !csir_program_uniform(program, name))
		return;
	transpose(m, n, columns);
	csir_uniform_set(program, name, columns, n * n, &g->quirks, &error);
}

static int uniform(struct qs_gfx3d *g, struct g3_call *call)
{
	struct g3_context *c = g3_context(g, call->owner, call->handle[0]);
	struct csir_program *program;
	struct qs_error error = {0};
	char name[CSIR_NAME_MAX];
	float values[64];
	unsigned count = 16;

	if (!c)
		return g3_fail(g, "unknown context");
	program = g3_bound_program(g, c);
	if (!program)
		return g3_fail(g, "no program bound");
	if (call->blob_size[0] >= sizeof name)
		return g3_fail(g, "unknown uniform");
	memcpy(name, call->blob[0], call->blob_size[0]);
	name[call->blob_size[0]] = '\0';
	if (!csir_program_uniform(program, name))
		return g3_fail_detail(g, "unknown uniform", "The program in use has no uniform '%s'.", name);
	if (call->op == G3_uniform_mat4) {
		transpose(call->f, 4, values);
	} else {
		count = (unsigned)(call->blob_size[1] / sizeof *values);
		count = count > 64 ? 64 : count;
		if (count)
			memcpy(values, call->blob[1], count * sizeof *values);
	}
	if (csir_uniform_set(program, name, values, count, &g->quirks, &error))
		return 0;
	return g3_fail_detail(g, "uniform failed", "%s", error.text);
}

/* ---- camera ------------------------------------------------------------------------------------------------------------- */

static double sine(const struct qs_gfx3d *g, double degrees)
{
	if (G3_QUIRK(&g->quirks, camera_axes))
		degrees = isfinite(degrees) ? trunc(fmod(degrees, 360)) : 0; /* a table of whole degrees */
	return sin(degrees * 0.017453292519943295);
}

static double cosine(const struct qs_gfx3d *g, double degrees)
{
	if (G3_QUIRK(&g->quirks, camera_axes))
		degrees = isfinite(degrees) ? trunc(fmod(degrees, 360)) : 0;
	return cos(degrees * 0.017453292519943295);
}

/* Yaw 0 and pitch 0 look along -z; yaw turns to the right, pitch up. */
static void make_view(const struct qs_gfx3d *g, const float position[3], double yaw, double pitch, float m[16])
{
	double sy = sine(g, yaw), cy = cosine(g, yaw), sp = sine(g, pitch), cp = cosine(g, pitch);
	double sign = G3_QUIRK(&g->quirks, camera_axes) ? 1 : -1;
	const double axis[3][3] = {
		{cy, 0, sy},
		{-sy * sp, cp, cy * sp},
		{sign * sy * cp, sign * sp, -sign * cy * cp},
	};

	for (int row = 0; row < 3; row++) {
		double at = 0;

		for (int k = 0; k < 3; k++) {
			m[4 * row + k] = (float)axis[row][k];
			at += axis[row][k] * (double)position[k];
		}
		m[4 * row + 3] = (float)-at;
	}
	m[12] = m[13] = m[14] = 0;
	m[15] = 1;
}

static void make_projection(const struct qs_gfx3d *g, const struct g3_context *c, double aspect, float m[16])
{
	double half = (double)c->fov / 2, s = sine(g, half), near_z = (double)c->near_z, far_z = (double)c->far_z;
	double scale = s != 0 ? cosine(g, half) / s : 1;

	memset(m, 0, 16 * sizeof *m);
	m[0] = (float)(scale / aspect);
	m[5] = (float)scale;
	if (near_z != far_z) {
		m[10] = (float)((far_z + near_z) / (near_z - far_z));
		m[11] = (float)(2 * far_z * near_z / (near_z - far_z));
	}
	m[14] = -1;
}

static int camera(struct qs_gfx3d *g, struct g3_call *call)
{
	struct g3_context *c = g3_context(g, call->owner, call->handle[0]);

	if (!c)
		return g3_fail(g, "unknown context");
	c->fov = call->f[5];
	c->near_z = call->f[6];
	c->far_z = call->f[7];
	make_view(g, call->f, (double)call->f[3], (double)call->f[4], c->view);
	make_projection(g, c, c->viewport[2] > 0 && c->viewport[3] > 0 ? (double)c->viewport[2] / c->viewport[3] : 1, c->projection);
	set_matrix(g, c, "view", c->view, 4);
	set_matrix(g, c, "projection", c->projection, 4);
	return 0;
}

static int model_matrix(struct qs_gfx3d *g, struct g3_call *call)
{
	struct g3_context *c = g3_context(g, call->owner, call->handle[0]);

	if (!c)
		return g3_fail(g, "unknown context");
	memcpy(c->model, call->f, sizeof c->model);
	set_matrix(g, c, "model", c->model, 4);
	set_matrix(g, c, "normalMatrix", c->model, 3);
	return 0;
}

int g3_program_call(struct qs_gfx3d *g, struct g3_call *call)
{
	switch (call->op) {
	case G3_shader_create:
		return shader_create(g, call);
	case G3_shader_relink:
		return shader_relink(g, call);
	case G3_prog_prepare:
		return prog_prepare(g, call);
	case G3_use:
		return use(g, call);
	case G3_camera:
		return camera(g, call);
	case G3_model_matrix:
		return model_matrix(g, call);
	default:
		return uniform(g, call);
	}
}
