/* gfx3d_scene.h - a small Gfx3D scene for tests: one context, one target, one program
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_GFX3D_SCENE_H
#define TESTS_GFX3D_SCENE_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "gfx3d/raster.h"

#define OWNER 7
#define SCENE_MAX 128

struct scene {
	struct qs_gfx3d *g;
	uint32_t context, target, shader, program;
	int width, height;
	uint32_t pixel[SCENE_MAX * SCENE_MAX];
	float depth[SCENE_MAX * SCENE_MAX];
};

/* Position as it is; location 1 goes to the varying "colour". */
static const char vs_plain[] =
	"#version 330\n"
	"layout(location = 0) in vec4 position;\n"
	"layout(location = 1) in vec4 tone;\n"
	"out vec4 colour;\n"
	"void main() { gl_Position = position; colour = tone; }\n";
static const char fs_red[] =
	"#version 330\nin vec4 colour;\nout vec4 result;\nvoid main() { result = vec4(1.0, 0.0, 0.0, 1.0); }\n";
static const char fs_varying[] =
	"#version 330\n"
	"in vec4 colour;\n"
	"out vec4 result;\n"
	"void main() { result = colour; }\n";
static const char fs_uniform[] =
	"#version 330\n"
	"in vec4 colour;\n"
	"uniform vec4 tint;\n"
	"out vec4 result;\n"
	"void main() { result = tint; }\n";
static const char fs_texture[] =
	"#version 330\n"
	"in vec4 colour;\n"
	"uniform sampler2D image;\n"
	"out vec4 result;\n"
	"void main() { result = texture(image, colour.xy); }\n";
static const char fs_fragcoord[] =
	"#version 330\n"
	"in vec4 colour;\n"
	"uniform vec4 scale;\n"
	"out vec4 result;\n"
	"void main() { result = gl_FragCoord * scale; }\n";
static const char fs_discard[] =
	"#version 330\n"
	"in vec4 colour;\n"
	"out vec4 result;\n"
	"void main() { if (colour.x > 0.5) { discard; } result = vec4(0.0, 0.0, 1.0, 1.0); }\n";

/* Eight floats a vertex: position and the attribute at location 1. */
static const struct qs_gfx3d_layout scene_layout = {32, 2, {{0, 4, 0}, {1, 4, 16}}};

static inline void scene_program(struct scene *s, const char *vs, const char *fs)
{
	s->shader = qs_gfx3d_shader_create(s->g, OWNER, vs, fs);
	if (!s->shader)
		ck_abort_msg("%s", qs_gfx3d_last_detail(s->g));
	s->program = qs_gfx3d_prog_prepare(s->g, OWNER, s->context, s->shader);
	ck_assert_uint_ne(s->program, 0);
	ck_assert_int_eq(qs_gfx3d_use(s->g, OWNER, s->context, s->program), 0);
}

static inline void scene_open_on(struct scene *s, enum qs_gfx3d_backend backend, enum qs_gfx3d_model model, int width, int height,
	int samples, const char *fs)
{
	struct qs_error error = {0};

	memset(s, 0, sizeof *s);
	s->g = qs_gfx3d_create(&error);
	ck_assert_ptr_nonnull(s->g);
	qs_gfx3d_set_model(s->g, model);
	ck_assert_int_eq(qs_gfx3d_boot(s->g, backend), 0);
	s->width = width;
	s->height = height;
	s->context = qs_gfx3d_context_create(s->g, OWNER);
	s->target = qs_gfx3d_target_create_samples(s->g, OWNER, s->context, width, height, samples);
	if (!s->target)
		ck_abort_msg("%s", qs_gfx3d_last_detail(s->g));
	scene_program(s, vs_plain, fs);
	ck_assert_int_eq(qs_gfx3d_begin(s->g, OWNER, s->context, s->target), 0);
	ck_assert_int_eq(qs_gfx3d_clear(s->g, OWNER, s->context, 0, 0, 0, 1, 1), 0);
}

static inline void scene_open(struct scene *s, enum qs_gfx3d_model model, int width, int height, const char *fs)
{
	scene_open_on(s, QS_GFX3D_SOFTWARE, model, width, height, 1, fs);
}

static inline void scene_close(struct scene *s)
{
	qs_gfx3d_destroy(s->g);
}

static inline int scene_draw(struct scene *s, const float (*vertices)[8], size_t count, const uint16_t *indices, size_t index_count)
{
	uint32_t mesh = qs_gfx3d_mesh_create(s->g, OWNER, QS_GFX3D_STATIC);
	int result;

	ck_assert_int_eq(qs_gfx3d_mesh_upload(s->g, OWNER, mesh, &scene_layout, vertices, count * sizeof *vertices, indices, index_count), 0);
	result = qs_gfx3d_draw(s->g, OWNER, s->context, mesh);
	qs_gfx3d_mesh_destroy(s->g, OWNER, mesh);
	return result;
}

static inline void scene_tint(struct scene *s, float r, float g, float b, float a)
{
	const float tint[4] = {r, g, b, a};

	ck_assert_int_eq(qs_gfx3d_uniform_f(s->g, OWNER, s->context, "tint", tint, 4), 0);
}

static inline void scene_read(struct scene *s)
{
	ck_assert_int_eq(qs_gfx3d_target_read(s->g, OWNER, s->target, s->pixel, SCENE_MAX * SCENE_MAX), 0);
	ck_assert_int_eq(qs_gfx3d_target_read_depth(s->g, OWNER, s->target, s->depth, SCENE_MAX * SCENE_MAX), 0);
}

static inline unsigned scene_count(const struct scene *s, uint32_t pixel)
{
	unsigned n = 0;

	for (int i = 0; i < s->width * s->height; i++)
		n += s->pixel[i] == pixel;
	return n;
}

static inline uint32_t scene_at(const struct scene *s, int x, int y)
{
	return s->pixel[y * s->width + x];
}

/* The seed's triangle. */
static const float scene_triangle[3][8] = {{-0.8f, -0.8f, 0, 1, 1, 0, 0, 1}, {0.8f, -0.8f, 0, 1, 1, 0, 0, 1}, {0, 0.8f, 0, 1, 1, 0, 0, 1}};

/* Two triangles over everything, counter-clockwise, w 1; the attribute runs from 0 0 (bottom left) to 1 1. */
static inline void scene_full(float quad[6][8], float z)
{
	static const float corner[6][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, -1}, {1, 1}, {-1, 1}};

	for (int i = 0; i < 6; i++) {
		const float v[8] = {corner[i][0], corner[i][1], z, 1, (corner[i][0] + 1) / 2, (corner[i][1] + 1) / 2, 0, 1};

		memcpy(quad[i], v, sizeof v);
	}
}

/* Of one colour (fs_uniform). */
static inline void draw_layer(struct scene *s, float z, uint32_t color)
{
	float quad[6][8];

	scene_full(quad, z);
	scene_tint(s, (float)(color >> 16 & 255) / 255, (float)(color >> 8 & 255) / 255, (float)(color & 255) / 255, 1);
	ck_assert_int_eq(scene_draw(s, quad, 6, NULL, 0), 0);
}

#endif
