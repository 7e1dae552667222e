/* scene.h - what the sample programs of Gfx3D share: a context with one target, matrices, a cube
 *
 * Each program draws one picture: `constant picture.png` saves it, and with QS_GFX3D_CAPTURE=FILE.qsc in the environment its
 * calls are recorded.  They use nothing but the public headers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCENE_H
#define SCENE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gfx3d.h>

#define OWNER 1

struct scene {
	struct qs_gfx3d *g;
	qs_gfx3d_handle context, target;
	int width, height;
};

static inline void fail(struct scene *s, const char *what)
{
	fprintf(stderr, "%s: %s\n", what, s->g ? qs_gfx3d_last_detail(s->g) : "no instance");
	exit(1);
}

/* Begins the frame.  QS_GFX3D_BACKEND=virgl draws on a VirGL host where there is one. */
static inline void scene_open(struct scene *s, int width, int height)
{
	const char *backend = getenv("QS_GFX3D_BACKEND");
	struct qs_error error;

	memset(s, 0, sizeof *s);
	s->g = qs_gfx3d_create(&error);
	if (!s->g) {
		fprintf(stderr, "%s\n", error.text);
		exit(1);
	}
	if (qs_gfx3d_boot(s->g, backend && !strcmp(backend, "virgl") ? QS_GFX3D_VIRGL : QS_GFX3D_SOFTWARE))
		fail(s, "boot");
	s->width = width;
	s->height = height;
	s->context = qs_gfx3d_context_create(s->g, OWNER);
	s->target = qs_gfx3d_target_create(s->g, OWNER, s->context, width, height);
	if (!s->target || qs_gfx3d_begin(s->g, OWNER, s->context, s->target) ||
	    qs_gfx3d_clear(s->g, OWNER, s->context, 0.1f, 0.1f, 0.15f, 1, 1))
		fail(s, "target");
}

static inline qs_gfx3d_handle scene_program(struct scene *s, const char *vertex, const char *fragment)
{
	qs_gfx3d_handle shader = qs_gfx3d_shader_create(s->g, OWNER, vertex, fragment);
	qs_gfx3d_handle program = shader ? qs_gfx3d_prog_prepare(s->g, OWNER, s->context, shader) : 0;

	if (!program || qs_gfx3d_use(s->g, OWNER, s->context, program))
		fail(s, "program");
	return program;
}

static inline void scene_draw(struct scene *s, qs_gfx3d_handle mesh)
{
	if (qs_gfx3d_draw(s->g, OWNER, s->context, mesh))
		fail(s, "draw");
}

static inline void scene_vec4(struct scene *s, const char *name, float x, float y, float z, float w)
{
	const float value[4] = {x, y, z, w};

	if (qs_gfx3d_uniform_f(s->g, OWNER, s->context, name, value, 4))
		fail(s, name);
}

static inline void scene_matrix(struct scene *s, const char *name, const float m[16])
{
	if (qs_gfx3d_uniform_mat4(s->g, OWNER, s->context, name, m))
		fail(s, name);
}

/* Ends the frame, saves the picture if a name is given, frees everything. */
static inline int scene_close(struct scene *s, int argc, char **argv)
{
	size_t count = (size_t)s->width * (size_t)s->height;
	uint32_t *pixels = malloc(count * 4);
	struct qs_image image = {(uint32_t)s->width, (uint32_t)s->height, malloc(count * 4), NULL};
	struct qs_error error;

	if (!pixels || !image.rgba || qs_gfx3d_end(s->g, OWNER, s->context) ||
	    qs_gfx3d_target_read(s->g, OWNER, s->target, pixels, count))
		fail(s, "picture");
	for (size_t i = 0; i < count; i++) {
		image.rgba[4 * i] = (uint8_t)(pixels[i] >> 16);
		image.rgba[4 * i + 1] = (uint8_t)(pixels[i] >> 8);
		image.rgba[4 * i + 2] = (uint8_t)pixels[i];
		image.rgba[4 * i + 3] = 255;
	}
	if (argc > 1 && !qs_image_write_png(&image, argv[1], &error)) {
		fprintf(stderr, "%s\n", error.text);
		return 1;
	}
	free(pixels);
	free(image.rgba);
	qs_gfx3d_drop_owner(s->g, OWNER);
	qs_gfx3d_destroy(s->g);
	return 0;
}

/* ---- matrices: row by row, column vectors ------------------------------------------------------------------------------- */

static inline void multiply(const float a[16], const float b[16], float out[16])
{
	float m[16];

	for (int i = 0; i < 16; i++)
		m[i] = a[i / 4 * 4] * b[i % 4] + a[i / 4 * 4 + 1] * b[i % 4 + 4] + a[i / 4 * 4 + 2] * b[i % 4 + 8] +
			a[i / 4 * 4 + 3] * b[i % 4 + 12];
	memcpy(out, m, sizeof m);
}

/* Turned about y, then x, then moved. */
static inline void place(float angle_y, float angle_x, float x, float y, float z, float out[16])
{
	float cy = cosf(angle_y), sy = sinf(angle_y), cx = cosf(angle_x), sx = sinf(angle_x);
	const float m[16] = {cy, 0, sy, x, sx * sy, cx, -sx * cy, y, -cx * sy, sx, cx * cy, z, 0, 0, 0, 1};

	memcpy(out, m, sizeof m);
}

/* The whole clip vector is scaled, which changes no pixel on a GPU.  ChrisOS's software renderer compares clip z with the 1.0 of
 * the clear, so that without it everything farther than about one unit would vanish. */
static inline void perspective(float fov, float aspect, float near_z, float far_z, float out[16])
{
	float f = 1 / tanf(fov / 2 * 0.017453293f), scale = 0.9f / far_z;
	const float m[16] = {f / aspect * scale, 0, 0, 0, 0, f * scale, 0, 0, 0, 0, (far_z + near_z) / (near_z - far_z) * scale,
		2 * far_z * near_z / (near_z - far_z) * scale, 0, 0, -scale, 0};

	memcpy(out, m, sizeof m);
}

/* ---- meshes ------------------------------------------------------------------------------------------------------------- */

/* Six faces of an upright cube from -1 to 1 with normals and texture coordinates; counter-clockwise from outside. */
static inline qs_gfx3d_handle cube(struct scene *s)
{
	static const float corner[6][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, -1}, {1, 1}, {-1, 1}};
	qs_gfx3d_handle mesh = qs_gfx3d_mesh_create(s->g, OWNER, QS_GFX3D_STATIC);

	for (int face = 0; face < 6; face++)
		for (int i = 0; i < 6; i++) {
			float side = face % 2 ? -1.0f : 1.0f, a = corner[i][0] * side, b = corner[i][1], p[3], n[3] = {0, 0, 0};
			int axis = face / 2;

			n[axis] = side;
			p[axis] = side;
			p[(axis + 1) % 3] = a;
			p[(axis + 2) % 3] = b;
			qs_gfx3d_mesh_vert(s->g, OWNER, mesh, p[0], p[1], p[2], n[0], n[1], n[2], (a + 1) / 2, (b + 1) / 2);
		}
	if (qs_gfx3d_mesh_finish(s->g, OWNER, mesh))
		fail(s, "cube");
	return mesh;
}

/* Two triangles over the whole target. */
static inline qs_gfx3d_handle sheet(struct scene *s)
{
	static const float corner[6][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, -1}, {1, 1}, {-1, 1}};
	qs_gfx3d_handle mesh = qs_gfx3d_mesh_create(s->g, OWNER, QS_GFX3D_STATIC);

	for (int i = 0; i < 6; i++)
		qs_gfx3d_mesh_vert(s->g, OWNER, mesh, corner[i][0] * 0.9f, corner[i][1] * 0.9f, 0, 0, 0, 1, (corner[i][0] + 1) / 2,
			(corner[i][1] + 1) / 2);
	if (qs_gfx3d_mesh_finish(s->g, OWNER, mesh))
		fail(s, "sheet");
	return mesh;
}

#endif
