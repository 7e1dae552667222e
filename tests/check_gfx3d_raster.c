/* check_gfx3d_raster.c - what Gfx3D draws: every difference between the models, extensions, and an oracle
 *
 * Figures come from spec chrisos/02 sections 3, 6 and 7 and from the seed document.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "gfx3d_scene.h"

#include <math.h>
#include <stdio.h>

#include "oracle/random.h"
#include "oracle/soft_tri.h"

/* ---- the proof triangle ------------------------------------------------------------------------------------------------- */

static const char fs_red[] = "#version 330\nin vec4 colour;\nout vec4 result;\nvoid main() { result = vec4(1.0, 0.0, 0.0, 1.0); }\n";

START_TEST(proof_triangle)
{
	struct scene s;
	static float attribute[3][32];
	const float *const pointer[3] = {attribute[0], attribute[1], attribute[2]};
	struct csir_program *program;

	scene_open(&s, QS_GFX3D_CHRISOS, 32, 32, fs_red);
	program = g3_shader(s.g, OWNER, s.shader)->linked->program;
	for (int i = 0; i < 3; i++)
		memcpy(attribute[i], scene_triangle[i], sizeof scene_triangle[i]);
	ck_assert_int_eq(g3_proof_triangle(s.g, program, pointer, 4, NULL, s.pixel, 32, 32), 0);
	ck_assert_uint_eq(scene_count(&s, 0xFFFF0000), 338);
	ck_assert_int_eq(g3_proof_triangle(s.g, program, pointer, 3, NULL, s.pixel, 32, 32), -1);
	ck_assert_int_eq(g3_proof_triangle(s.g, program, pointer, 4, NULL, s.pixel, 129, 32), -1);
	ck_assert_int_eq(g3_proof_triangle(s.g, program, pointer, 4, NULL, s.pixel, 32, 0), -1);
	ck_assert_int_eq(g3_proof_triangle(s.g, program, pointer, 4, NULL, s.pixel, 128, 128), 0);
	attribute[1][3] = 0.00009f; /* an error here, drawn by the production renderer */
	ck_assert_int_eq(g3_proof_triangle(s.g, program, pointer, 4, NULL, s.pixel, 32, 32), -1);
	ck_assert_str_eq(qs_gfx3d_last_error(s.g), "w near 0");
	scene_close(&s);
}
END_TEST

/* Its depth buffer is its own: two calls do not hide each other.  And it rounds and clamps. */
START_TEST(proof_depth_and_rounding)
{
	struct scene s;
	static float attribute[3][32];
	const float *const pointer[3] = {attribute[0], attribute[1], attribute[2]};
	struct csir_program *program;

	scene_open(&s, QS_GFX3D_CHRISOS, 32, 32, fs_uniform);
	program = g3_shader(s.g, OWNER, s.shader)->linked->program;
	for (int i = 0; i < 3; i++)
		memcpy(attribute[i], scene_triangle[i], sizeof scene_triangle[i]);
	scene_tint(&s, 0.5f, 1.2f, -0.1f, 1);
	ck_assert_int_eq(g3_proof_triangle(s.g, program, pointer, 4, NULL, s.pixel, 32, 32), 0);
	ck_assert_uint_eq(scene_count(&s, 0xFF80FF00), 338);
	for (int i = 0; i < 3; i++)
		attribute[i][2] = 0.9f; /* behind */
	scene_tint(&s, 0, 0, 1, 1);
	ck_assert_int_eq(g3_proof_triangle(s.g, program, pointer, 4, NULL, s.pixel, 32, 32), 0);
	ck_assert_uint_eq(scene_count(&s, 0xFF0000FF), 338);
	scene_close(&s);
}
END_TEST

START_TEST(production_triangle)
{
	struct scene s;

	scene_open(&s, (enum qs_gfx3d_model)_i, 32, 32, fs_red);
	ck_assert_int_eq(scene_draw(&s, scene_triangle, 3, NULL, 0), 0);
	scene_read(&s);
	ck_assert_uint_eq(scene_count(&s, 0xFFFF0000), 338);
	scene_close(&s);
}
END_TEST

/* ---- packing ------------------------------------------------------------------------------------------------------------ */

static const struct {
	const char *name;
	float tint[4];
	uint32_t chrisos, corrected;
} packs[] = {
	{"above 1 spills into the next channel", {1.2f, 1.2f, 1.2f, 1}, 0xFF333332, 0xFFFFFFFF},
	{"negative fills the channels above", {0, 0, -0.1f, 1}, 0xFFFFFFE7, 0xFF000000},
	{"half: truncated or rounded", {0.5f, 0.5f, 0.5f, 1}, 0xFF7F7F7F, 0xFF808080},
	{"black", {0, 0, 0, 0}, 0, 0},
	{"white", {1, 1, 1, 1}, 0xFFFFFFFF, 0xFFFFFFFF},
	{"red above 1 spills into alpha", {2, 0, 0, 0}, 0x01FE0000, 0x00FF0000},
	{"alpha above 1 spills nowhere", {0, 0, 0, 1.2f}, 0x32000000, 0xFF000000},
	{"infinite", {INFINITY, 0, 0, 1}, 0xFF000000, 0xFFFF0000},
	{"not a number", {NAN, 0.5f, 0, 1}, 0xFF007F00, 0xFF008000},
};

START_TEST(packing)
{
	const enum qs_gfx3d_model models[] = {QS_GFX3D_CHRISOS, QS_GFX3D_CORRECTED};

	for (unsigned m = 0; m < 2; m++) {
		const uint32_t expected = m ? packs[_i].corrected : packs[_i].chrisos;
		struct qs_gfx3d_stats stats;
		bool out = false;
		struct scene s;

		scene_open(&s, models[m], 8, 8, fs_uniform);
		scene_tint(&s, packs[_i].tint[0], packs[_i].tint[1], packs[_i].tint[2], packs[_i].tint[3]);
		ck_assert_int_eq(scene_draw(&s, scene_triangle, 3, NULL, 0), 0);
		scene_read(&s);
		ck_assert_msg(scene_at(&s, 4, 4) == expected, "%s: 0x%08X, expected 0x%08X", packs[_i].name, scene_at(&s, 4, 4), expected);
		for (int k = 0; k < 4; k++)
			out |= !(packs[_i].tint[k] >= 0 && packs[_i].tint[k] <= 1);
		qs_gfx3d_get_stats(s.g, &stats);
		ck_assert_msg((stats.pixels_out_of_range != 0) == out, "%s: counted", packs[_i].name);
		scene_close(&s);
	}
}
END_TEST

static const struct {
	const char *name;
	float color[4];
	uint32_t chrisos, corrected;
} clears[] = {
	{"half", {0.5f, 0.5f, 0.5f, 1}, 0xFF7F7F7F, 0xFF808080},
	{"negative is 0", {-1, 0.2f, -0.1f, 1}, 0xFF003300, 0xFF003300},
	{"above 1", {0, 0, 1.2f, 1}, 0xFF000132, 0xFF0000FF},
};

START_TEST(clear_colors)
{
	const float *c = clears[_i].color;
	struct scene s;

	scene_open(&s, QS_GFX3D_CHRISOS, 4, 4, fs_red);
	qs_gfx3d_clear(s.g, OWNER, s.context, c[0], c[1], c[2], c[3], 0);
	scene_read(&s);
	ck_assert_msg(scene_at(&s, 3, 3) == clears[_i].chrisos, "%s: 0x%08X", clears[_i].name, scene_at(&s, 3, 3));
	qs_gfx3d_set_model(s.g, QS_GFX3D_CORRECTED);
	qs_gfx3d_clear(s.g, OWNER, s.context, c[0], c[1], c[2], c[3], 0);
	scene_read(&s);
	ck_assert_msg(scene_at(&s, 3, 3) == clears[_i].corrected, "%s: 0x%08X", clears[_i].name, scene_at(&s, 3, 3));
	scene_close(&s);
}
END_TEST

/* ---- depth -------------------------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	float z, w;
	float chrisos, corrected; /* stored depth; 1: nothing drawn */
} depths[] = {
	{"z 0", 0, 1, 0, 0.5f},
	{"z 0.5", 0.5f, 1, 0.5f, 0.75f},
	{"w does not divide it", 0.5f, 2, 0.5f, 0.625f},
	{"clip z of 1 and more vanishes after a clear", 1.5f, 2, 1, 0.875f},
	{"nearer than the near plane: drawn and wins", -3, 1, -3, 1},
	{"exactly at the near plane", -1, 1, -1, 0},
	{"exactly 1", 1, 1, 1, 1},
	{"behind the far plane", 1.2f, 1, 1, 1},
};

START_TEST(depth_formula)
{
	for (int m = 0; m < 2; m++) {
		float expected = m ? depths[_i].corrected : depths[_i].chrisos, v[3][8], got;
		struct scene s;

		scene_open(&s, m ? QS_GFX3D_CORRECTED : QS_GFX3D_CHRISOS, 16, 16, fs_red);
		memcpy(v, scene_triangle, sizeof v);
		for (int i = 0; i < 3; i++) {
			v[i][0] *= depths[_i].w;
			v[i][1] *= depths[_i].w;
			v[i][2] = depths[_i].z;
			v[i][3] = depths[_i].w;
		}
		ck_assert_int_eq(scene_draw(&s, v, 3, NULL, 0), 0);
		scene_read(&s);
		got = s.depth[8 * 16 + 8];
		ck_assert_msg(fabsf(got - expected) < 2e-6f, "%s, model %d: %g, expected %g", depths[_i].name, m, (double)got, (double)expected);
		scene_close(&s);
	}
}
END_TEST

/* Layers over the whole target in turn; which colour is left. */
struct layer {
	float z;
	uint32_t color; /* 0xRRGGBB as tint */
};

static void draw_layer(struct scene *s, float z, uint32_t color)
{
	float quad[6][8];

	scene_full(quad, z);
	scene_tint(s, (float)(color >> 16 & 255) / 255, (float)(color >> 8 & 255) / 255, (float)(color & 255) / 255, 1);
	ck_assert_int_eq(scene_draw(s, quad, 6, NULL, 0), 0);
}

static const struct {
	const char *name;
	int model, depth_on;
	float first, second;
	bool second_wins;
} orders[] = {
	{"nearer wins", QS_GFX3D_CHRISOS, 1, 0.5f, 0.2f, true},
	{"farther loses", QS_GFX3D_CHRISOS, 1, 0.2f, 0.5f, false},
	{"equal loses", QS_GFX3D_CHRISOS, 1, 0.5f, 0.5f, false},
	{"equal loses", QS_GFX3D_CORRECTED, 1, 0.5f, 0.5f, false},
	{"depth off still tests", QS_GFX3D_CHRISOS, 0, 0.2f, 0.5f, false},
	{"depth off: the later wins", QS_GFX3D_VIRGL_MODEL, 0, 0.2f, 0.5f, true},
	{"depth off: the later wins", QS_GFX3D_CORRECTED, 0, 0.2f, 0.5f, true},
};

START_TEST(depth_order)
{
	struct scene s;

	scene_open(&s, (enum qs_gfx3d_model)orders[_i].model, 8, 8, fs_uniform);
	ck_assert_int_eq(qs_gfx3d_depth(s.g, OWNER, s.context, orders[_i].depth_on), 0);
	draw_layer(&s, orders[_i].first, 0xFF0000);
	draw_layer(&s, orders[_i].second, 0x0000FF);
	scene_read(&s);
	ck_assert_msg(scene_count(&s, orders[_i].second_wins ? 0xFF0000FF : 0xFFFF0000) == 64, "%s: 0x%08X", orders[_i].name,
		scene_at(&s, 3, 3));
	scene_close(&s);
}
END_TEST

START_TEST(clear_and_depth)
{
	struct scene s;

	scene_open(&s, QS_GFX3D_CHRISOS, 8, 8, fs_uniform);
	draw_layer(&s, 0.2f, 0xFF0000);
	qs_gfx3d_depth(s.g, OWNER, s.context, 0);
	qs_gfx3d_clear(s.g, OWNER, s.context, 0, 0, 0, 1, 0); /* resets the depth, does not turn the test on */
	ck_assert(!s.g->context[0].depth_on);
	scene_read(&s);
	ck_assert(s.depth[0] == 1);
	qs_gfx3d_clear(s.g, OWNER, s.context, 0, 0, 0, 1, 0.3f); /* turns it on; the value does not matter */
	ck_assert(s.g->context[0].depth_on);
	scene_read(&s);
	ck_assert(s.depth[0] == 1);
	scene_close(&s);
	scene_open(&s, QS_GFX3D_CORRECTED, 8, 8, fs_uniform);
	draw_layer(&s, 0.2f, 0xFF0000);
	qs_gfx3d_clear(s.g, OWNER, s.context, 0, 0, 0, 1, 0);
	scene_read(&s);
	ck_assert(fabsf(s.depth[0] - 0.6f) < 1e-6f);
	scene_close(&s);
}
END_TEST

START_TEST(discard_keeps_depth)
{
	float quad[6][8];
	struct scene s;

	scene_open(&s, (enum qs_gfx3d_model)_i, 8, 8, fs_discard);
	scene_full(quad, 0.1f); /* the right half is discarded: the varying's x is above 1/2 */
	ck_assert_int_eq(scene_draw(&s, quad, 6, NULL, 0), 0);
	scene_read(&s);
	ck_assert_uint_eq(scene_at(&s, 1, 4), 0xFF0000FF);
	ck_assert_uint_eq(scene_at(&s, 6, 4), 0xFF000000);
	ck_assert(s.depth[4 * 8 + 6] == 1);
	scene_program(&s, vs_plain, fs_uniform);
	draw_layer(&s, 0.9f, 0x00FF00); /* behind: seen only where nothing was left */
	scene_read(&s);
	ck_assert_uint_eq(scene_at(&s, 1, 4), 0xFF0000FF);
	ck_assert_uint_eq(scene_at(&s, 6, 4), 0xFF00FF00);
	scene_close(&s);
}
END_TEST

/* ---- set-up ------------------------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	int model;
	float w[3];      /* of the three corners; positions are multiplied by it */
	bool clockwise, cull;
	int least, most; /* red pixels of 32x32 */
} setups[] = {
	{"back face drawn", QS_GFX3D_CHRISOS, {1, 1, 1}, true, true, 338, 338},
	{"back face culled", QS_GFX3D_VIRGL_MODEL, {1, 1, 1}, true, true, 0, 0},
	{"back face culled", QS_GFX3D_CORRECTED, {1, 1, 1}, true, true, 0, 0},
	{"front face kept", QS_GFX3D_CORRECTED, {1, 1, 1}, false, true, 338, 338},
	{"culling off", QS_GFX3D_CORRECTED, {1, 1, 1}, true, false, 338, 338},
	{"all w negative: mirrored", QS_GFX3D_CHRISOS, {-1, -1, -1}, false, false, 338, 338},
	{"all w negative: clipped away", QS_GFX3D_CORRECTED, {-1, -1, -1}, false, false, 0, 0},
	{"one w 0: skipped", QS_GFX3D_CHRISOS, {1, 0, 1}, false, false, 0, 0},
	{"one w 0: clipped", QS_GFX3D_CORRECTED, {1, 0, 1}, false, false, 200, 1023},
};

START_TEST(setup)
{
	float v[3][8], swap[8];
	struct scene s;
	unsigned red;

	scene_open(&s, (enum qs_gfx3d_model)setups[_i].model, 32, 32, fs_red);
	qs_gfx3d_cull(s.g, OWNER, s.context, setups[_i].cull);
	memcpy(v, scene_triangle, sizeof v);
	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < 2; k++)
			v[i][k] *= setups[_i].w[i] != 0 ? setups[_i].w[i] : 1;
		v[i][3] = setups[_i].w[i];
	}
	if (setups[_i].clockwise) {
		memcpy(swap, v[1], sizeof swap);
		memcpy(v[1], v[2], sizeof swap);
		memcpy(v[2], swap, sizeof swap);
	}
	ck_assert_int_eq(scene_draw(&s, v, 3, NULL, 0), 0);
	scene_read(&s);
	red = scene_count(&s, 0xFFFF0000);
	ck_assert_msg((int)red >= setups[_i].least && (int)red <= setups[_i].most, "%s: %u red", setups[_i].name, red);
	scene_close(&s);
}
END_TEST

/* A floor that reaches behind the eye: the clipped part in front is a trapezoid up to the horizon. */
START_TEST(near_crossing)
{
	const float v[3][8] = {{-4, -1, 0, 1, 1, 0, 0, 1}, {4, -1, 0, 1, 1, 0, 0, 1}, {0, -1, 0, -1, 1, 0, 0, 1}};
	unsigned red[2];

	for (int m = 0; m < 2; m++) {
		struct scene s;

		scene_open(&s, m ? QS_GFX3D_CORRECTED : QS_GFX3D_CHRISOS, 32, 32, fs_red);
		ck_assert_int_eq(scene_draw(&s, v, 3, NULL, 0), 0);
		scene_read(&s);
		red[m] = scene_count(&s, 0xFFFF0000);
		for (int x = 0; x < 32 && m; x++) { /* y = -1/w with w from 1 to 0: below the bottom edge, nothing above it */
			ck_assert_uint_eq(scene_at(&s, x, 15), 0xFF000000);
		}
		scene_close(&s);
	}
	ck_assert_uint_ne(red[0], red[1]);
}
END_TEST

START_TEST(viewport)
{
	float quad[6][8];
	struct scene s;

	scene_full(quad, 0);
	for (int m = 0; m < QS_GFX3D_MODEL_COUNT; m++) {
		scene_open(&s, (enum qs_gfx3d_model)m, 16, 16, fs_red);
		ck_assert_int_eq(qs_gfx3d_viewport(s.g, OWNER, s.context, 4, 2, 8, 6), 0);
		ck_assert_int_eq(scene_draw(&s, quad, 6, NULL, 0), 0);
		scene_read(&s);
		if (m == QS_GFX3D_CORRECTED) {
			ck_assert_uint_eq(scene_count(&s, 0xFFFF0000), 48);
			ck_assert_uint_eq(scene_at(&s, 4, 2), 0xFFFF0000);
			ck_assert_uint_eq(scene_at(&s, 11, 7), 0xFFFF0000);
		} else {
			ck_assert_uint_eq(scene_count(&s, 0xFFFF0000), 256);
		}
		ck_assert_int_eq(qs_gfx3d_viewport(s.g, OWNER, s.context, 0, 0, 0, 6), -1);
		scene_close(&s);
	}
}
END_TEST

/* ---- fragment coordinate ------------------------------------------------------------------------------------------------ */

static const struct {
	const char *name;
	int model;
	float scale[4];
	uint32_t expected; /* of pixel (5, 2) of 16x16, triangle with z 0.5 and w 2 */
} coordinates[] = {
	{"pixel centre from the top left", QS_GFX3D_CORRECTED, {1 / 16.0f, 1 / 16.0f, 0, 0}, 0x00582800},
	{"z is clip z", QS_GFX3D_CHRISOS, {0, 0, 1, 0}, 0x0000007F},
	{"z is window z", QS_GFX3D_CORRECTED, {0, 0, 1, 0}, 0x0000009F},
	{"w is w", QS_GFX3D_CHRISOS, {0, 0, 0, 0.25f}, 0x7F000000},
	{"w is 1/w", QS_GFX3D_CORRECTED, {0, 0, 0, 1}, 0x80000000},
};

START_TEST(fragment_coordinate)
{
	float quad[6][8];
	struct scene s;

	scene_open(&s, (enum qs_gfx3d_model)coordinates[_i].model, 16, 16, fs_fragcoord);
	ck_assert_int_eq(qs_gfx3d_uniform_f(s.g, OWNER, s.context, "scale", coordinates[_i].scale, 4), 0);
	scene_full(quad, 0);
	for (int i = 0; i < 6; i++) {
		quad[i][0] *= 2;
		quad[i][1] *= 2;
		quad[i][2] = 0.5f;
		quad[i][3] = 2;
	}
	ck_assert_int_eq(scene_draw(&s, quad, 6, NULL, 0), 0);
	scene_read(&s);
	ck_assert_msg(scene_at(&s, 5, 2) == coordinates[_i].expected, "%s: 0x%08X", coordinates[_i].name, scene_at(&s, 5, 2));
	scene_close(&s);
}
END_TEST

/* ---- textures ----------------------------------------------------------------------------------------------------------- */

static void bind_columns(struct scene *s, int width)
{
	uint32_t pixel[16], texture = qs_gfx3d_tex_create(s->g, OWNER, width, 1);

	for (int i = 0; i < width; i++)
		pixel[i] = (uint32_t)(16 * i) << 16; /* alpha 0: becomes 255 */
	ck_assert_int_eq(qs_gfx3d_tex_upload(s->g, OWNER, texture, width, 1, pixel), 0);
	ck_assert_int_eq(qs_gfx3d_bind_tex(s->g, OWNER, s->context, 0, texture), 0);
}

/* Red of a texture of `width` columns at u, as columns (16 a column). */
static float column_at(struct scene *s, float u, float v)
{
	float quad[6][8];

	scene_full(quad, 0);
	for (int i = 0; i < 6; i++) {
		quad[i][4] = u;
		quad[i][5] = v;
	}
	qs_gfx3d_clear(s->g, OWNER, s->context, 0, 0, 0, 1, 1);
	ck_assert_int_eq(scene_draw(s, quad, 6, NULL, 0), 0);
	scene_read(s);
	ck_assert_uint_eq(scene_at(s, 2, 2) >> 24, 255);
	return (float)(scene_at(s, 2, 2) >> 16 & 255) / 16;
}

START_TEST(texel_formula)
{
	for (int m = 0; m < 2; m++) {
		struct scene s;

		scene_open(&s, m ? QS_GFX3D_CORRECTED : QS_GFX3D_CHRISOS, 4, 4, fs_texture);
		bind_columns(&s, 8);
		for (int i = -4; i < 36; i++) {
			float u = ((float)i + 0.3f) / 32, c = u < 0 ? 0 : u > 1 ? 1 : u;
			int expected = m ? (int)(c * 8) : (int)(c * 7 + 0.5f);
			float got = column_at(&s, u, 0.5f);

			expected = expected > 7 ? 7 : expected;
			ck_assert_msg(got == (float)expected, "model %d, u %g: column %g, expected %d", m, (double)u, (double)got, expected);
		}
		scene_close(&s);
	}
}
END_TEST

START_TEST(no_texture)
{
	struct scene s;
	float quad[6][8];

	scene_full(quad, 0);
	for (int m = 0; m < 2; m++) {
		scene_open(&s, m ? QS_GFX3D_CORRECTED : QS_GFX3D_CHRISOS, 4, 4, fs_texture);
		qs_gfx3d_clear(s.g, OWNER, s.context, 1, 1, 1, 1, 1);
		ck_assert_int_eq(scene_draw(&s, quad, 6, NULL, 0), 0);
		scene_read(&s);
		ck_assert_uint_eq(scene_at(&s, 1, 1), m ? 0xFF000000 : 0);
		scene_close(&s);
	}
}
END_TEST

static const struct {
	const char *name;
	struct qs_gfx3d_sampler sampler;
	float u, expected; /* columns of 8 */
} samplers[] = {
	{"linear between centres", {QS_GFX3D_LINEAR, QS_GFX3D_LINEAR, QS_GFX3D_NO_MIPS, 0, 0, 0, 0, 1000}, 0.5f, 3.5f},
	{"linear at a centre", {QS_GFX3D_LINEAR, QS_GFX3D_LINEAR, QS_GFX3D_NO_MIPS, 0, 0, 0, 0, 1000}, 2.5f / 8, 2},
	{"linear clamps", {QS_GFX3D_LINEAR, QS_GFX3D_LINEAR, QS_GFX3D_NO_MIPS, 0, 0, 0, 0, 1000}, 1.5f, 7},
	{"linear repeats around the edge", {QS_GFX3D_LINEAR, QS_GFX3D_LINEAR, QS_GFX3D_NO_MIPS, 1, 1, 0, 0, 1000}, 1, 3.5f},
	{"nearest repeats", {0, 0, QS_GFX3D_NO_MIPS, QS_GFX3D_REPEAT, 0, 0, 0, 1000}, 1.3f, 2},
	{"nearest repeats below 0", {0, 0, QS_GFX3D_NO_MIPS, QS_GFX3D_REPEAT, 0, 0, 0, 1000}, -0.1f, 7},
	{"mirror", {0, 0, QS_GFX3D_NO_MIPS, QS_GFX3D_MIRROR, 0, 0, 0, 1000}, 1.3f, 5},
	{"mirror below 0", {0, 0, QS_GFX3D_NO_MIPS, QS_GFX3D_MIRROR, 0, 0, 0, 1000}, -0.3f, 2},
	{"level 1 by bias", {0, 0, QS_GFX3D_NEAREST, 0, 0, 1, 1, 1000}, 0.05f, 0.5f},
	{"between levels 0 and 1", {0, 0, QS_GFX3D_LINEAR, 0, 0, 0, 0.5f, 0.5f}, 0.05f, 0.25f},
	{"the last level", {0, 0, QS_GFX3D_NEAREST, 0, 0, 0, 9, 9}, 0.05f, 3.5f},
};

START_TEST(sampler)
{
	struct scene s;
	float got;

	scene_open(&s, QS_GFX3D_CORRECTED, 4, 4, fs_texture);
	bind_columns(&s, 8);
	ck_assert_int_eq(qs_gfx3d_tex_mipmaps(s.g, OWNER, s.g->context[0].texture[0]), 0);
	ck_assert_int_eq(qs_gfx3d_sampler(s.g, OWNER, s.context, 0, &samplers[_i].sampler), 0);
	got = column_at(&s, samplers[_i].u, 0.5f);
	ck_assert_msg(fabsf(got - samplers[_i].expected) <= 1.01f / 16, "%s: %g, expected %g", samplers[_i].name, (double)got,
		(double)samplers[_i].expected);
	qs_gfx3d_set_model(s.g, QS_GFX3D_CHRISOS); /* whose formula knows no sampler */
	got = column_at(&s, 0.5f, 0.5f);
	ck_assert_msg(got == 4, "chrisos: %g", (double)got);
	scene_close(&s);
}
END_TEST

/* A texture of 64 texels over 16 pixels is level 2: all levels have their own grey. */
START_TEST(level_of_detail)
{
	struct qs_gfx3d_sampler state = {.mip = QS_GFX3D_NEAREST, .max_lod = 1000};
	struct g3_texture *texture;
	uint32_t handle, *pixel = calloc(64 * 64, 4);
	float quad[6][8];
	struct scene s;

	scene_open(&s, QS_GFX3D_CORRECTED, 16, 16, fs_texture);
	handle = qs_gfx3d_tex_create(s.g, OWNER, 64, 64);
	ck_assert_int_eq(qs_gfx3d_tex_upload(s.g, OWNER, handle, 64, 64, pixel), 0);
	ck_assert_int_eq(qs_gfx3d_tex_mipmaps(s.g, OWNER, handle), 0);
	texture = g3_texture(s.g, OWNER, handle);
	ck_assert_int_eq(texture->levels, 7);
	for (int l = 0; l < 7; l++)
		memset(texture->level[l]->data, 10 * l + 5, texture->level[l]->size);
	qs_gfx3d_bind_tex(s.g, OWNER, s.context, 0, handle);
	qs_gfx3d_sampler(s.g, OWNER, s.context, 0, &state);
	scene_full(quad, 0);
	ck_assert_int_eq(scene_draw(&s, quad, 6, NULL, 0), 0);
	scene_read(&s);
	ck_assert_uint_eq(scene_at(&s, 7, 7) & 255, 25);
	ck_assert_uint_eq(scene_at(&s, 15, 0) & 255, 25);
	scene_close(&s);
	free(pixel);
}
END_TEST

/* ---- blending, stencil, samples ----------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	struct qs_gfx3d_blend blend;
	uint32_t expected; /* 0x804000 with alpha 0.5 over 0x004080 with alpha 1 */
} blends[] = {
	{"off", {0, 0, 0, 0, 0, 0, 0, 15}, 0x80804000},
	{"alpha", {1, QS_GFX3D_SRC_ALPHA, QS_GFX3D_INV_SRC_ALPHA, QS_GFX3D_ADD, QS_GFX3D_ONE, QS_GFX3D_ZERO, QS_GFX3D_ADD, 15}, 0x80404040},
	{"sum", {1, QS_GFX3D_ONE, QS_GFX3D_ONE, QS_GFX3D_ADD, QS_GFX3D_ZERO, QS_GFX3D_ONE, QS_GFX3D_ADD, 15}, 0xFF808080},
	{"difference", {1, QS_GFX3D_ONE, QS_GFX3D_ONE, QS_GFX3D_REVERSE_SUBTRACT, 0, 1, QS_GFX3D_ADD, 15}, 0xFF000080},
	{"largest", {1, 0, 0, QS_GFX3D_MAX, 0, 0, QS_GFX3D_MAX, 15}, 0xFF804080},
	{"product", {1, QS_GFX3D_DST_COLOR, QS_GFX3D_ZERO, QS_GFX3D_ADD, 0, 1, QS_GFX3D_ADD, 15}, 0xFF001000},
	{"only green", {0, 0, 0, 0, 0, 0, 0, 2}, 0xFF004080},
	{"nothing", {0, 0, 0, 0, 0, 0, 0, 0}, 0xFF004080},
};

START_TEST(blending)
{
	float quad[6][8];
	struct scene s;
	uint32_t got;

	scene_open(&s, QS_GFX3D_CORRECTED, 4, 4, fs_uniform);
	qs_gfx3d_clear(s.g, OWNER, s.context, 0, 64 / 255.0f, 128 / 255.0f, 1, 1);
	ck_assert_int_eq(qs_gfx3d_blend(s.g, OWNER, s.context, &blends[_i].blend), 0);
	scene_tint(&s, 128 / 255.0f, 64 / 255.0f, 0, 128 / 255.0f);
	scene_full(quad, 0);
	ck_assert_int_eq(scene_draw(&s, quad, 6, NULL, 0), 0);
	scene_read(&s);
	got = scene_at(&s, 1, 1);
	for (int k = 0; k < 32; k += 8) {
		int d = (int)(got >> k & 255) - (int)(blends[_i].expected >> k & 255);

		ck_assert_msg(d >= -1 && d <= 1, "%s: 0x%08X, expected 0x%08X", blends[_i].name, got, blends[_i].expected);
	}
	scene_close(&s);
}
END_TEST

START_TEST(stencil)
{
	struct qs_gfx3d_stencil write = {1, QS_GFX3D_ALWAYS, 0, 0, QS_GFX3D_REPLACE, 5, 255, 255};
	struct qs_gfx3d_stencil test = {1, QS_GFX3D_EQUAL, QS_GFX3D_INVERT, QS_GFX3D_INCREMENT, 0, 5, 255, 255};
	struct qs_gfx3d_stencil bad = {1, 8, 0, 0, 0, 0, 0, 0};
	struct scene s;

	scene_open(&s, QS_GFX3D_CORRECTED, 32, 32, fs_uniform);
	scene_tint(&s, 1, 0, 0, 1);
	ck_assert_int_eq(qs_gfx3d_stencil(s.g, OWNER, s.context, &write), 0);
	ck_assert_int_eq(scene_draw(&s, scene_triangle, 3, NULL, 0), 0);
	ck_assert_int_eq(qs_gfx3d_stencil(s.g, OWNER, s.context, &test), 0);
	draw_layer(&s, -0.5f, 0x0000FF); /* in front, but only where the triangle left 5 */
	scene_read(&s);
	ck_assert_uint_eq(scene_count(&s, 0xFF0000FF), 338);
	ck_assert_uint_eq(scene_count(&s, 0xFF000000), 32 * 32 - 338);
	ck_assert_uint_eq(s.g->target[0].stencil[0], 255);            /* failed: 0 inverted */
	ck_assert_uint_eq(s.g->target[0].stencil[16 * 32 + 16], 5);   /* passed: kept */
	draw_layer(&s, 0.5f, 0x00FF00); /* behind */
	ck_assert_uint_eq(s.g->target[0].stencil[16 * 32 + 16], 6);   /* depth failed: one more */
	ck_assert_int_eq(qs_gfx3d_stencil(s.g, OWNER, s.context, &bad), -1);
	scene_close(&s);
}
END_TEST

/* Half of the samples of the pixels on a vertical edge through their centre. */
START_TEST(multisampling)
{
	const float v[6][8] = {{-1, -1, 0, 1, 1, 1, 1, 1}, {0.125f, -1, 0, 1, 1, 1, 1, 1}, {0.125f, 1, 0, 1, 1, 1, 1, 1},
		{-1, -1, 0, 1, 1, 1, 1, 1}, {0.125f, 1, 0, 1, 1, 1, 1, 1}, {-1, 1, 0, 1, 1, 1, 1, 1}};
	struct scene s;

	scene_open_on(&s, QS_GFX3D_SOFTWARE, QS_GFX3D_CORRECTED, 8, 8, 4, fs_varying);
	ck_assert_int_eq(scene_draw(&s, v, 6, NULL, 0), 0);
	scene_read(&s);
	for (int y = 0; y < 8; y++) {
		ck_assert_uint_eq(scene_at(&s, 3, y), 0xFFFFFFFF);
		ck_assert_uint_eq(scene_at(&s, 4, y), 0xFF808080);
		ck_assert_uint_eq(scene_at(&s, 5, y), 0xFF000000);
	}
	ck_assert_uint_eq(qs_gfx3d_target_create_samples(s.g, OWNER, s.context, 8, 8, 3), 0);
	scene_close(&s);
}
END_TEST

/* ---- attributes and indices --------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	const char *quirk; /* besides the corrected model */
	int value;
	struct qs_gfx3d_layout layout;
	uint32_t expected; /* of location 1 as a colour; vertices are x y z w, 0.2, 0.4, 0.6, 0.8 */
} attributes[] = {
	{"four lanes", NULL, 0, {32, 2, {{0, 4, 0}, {1, 4, 16}}}, 0xCC336699},
	{"by place in the layout", "attribute_order", 1, {32, 3, {{0, 4, 0}, {5, 4, 16}, {1, 4, 0}}}, 0xCC336699},
	{"one component is read as four", "attribute_format", 1, {32, 3, {{0, 4, 0}, {1, 4, 0}, {1, 1, 16}}}, 0xCC336699},
	{"order of elements does not matter", NULL, 0, {32, 2, {{1, 4, 16}, {0, 4, 0}}}, 0xCC336699},
	{"a location outside is ignored", NULL, 0, {32, 3, {{0, 4, 0}, {9, 4, 0}, {1, 4, 16}}}, 0xCC336699},
	{"offset moves it", NULL, 0, {32, 2, {{0, 4, 0}, {1, 4, 12}}}, 0x99FF3366},
};

START_TEST(attribute_layout)
{
	float v[3][8];
	struct scene s;
	uint32_t mesh;

	scene_open(&s, QS_GFX3D_CORRECTED, 8, 8, fs_varying);
	if (attributes[_i].quirk)
		ck_assert(qs_gfx3d_set_quirk(s.g, attributes[_i].quirk, attributes[_i].value, NULL));
	for (int i = 0; i < 3; i++) {
		memcpy(v[i], scene_triangle[i], 16);
		for (int k = 0; k < 4; k++)
			v[i][4 + k] = 0.2f * (float)(k + 1);
	}
	mesh = qs_gfx3d_mesh_create(s.g, OWNER, 0);
	ck_assert_int_eq(qs_gfx3d_mesh_upload(s.g, OWNER, mesh, &attributes[_i].layout, v, sizeof v, NULL, 0), 0);
	ck_assert_int_eq(qs_gfx3d_draw(s.g, OWNER, s.context, mesh), 0);
	scene_read(&s);
	ck_assert_msg(scene_at(&s, 4, 4) == attributes[_i].expected, "%s: 0x%08X", attributes[_i].name, scene_at(&s, 4, 4));
	scene_close(&s);
}
END_TEST

START_TEST(layout_mismatch)
{
	static const struct {
		const char *name;
		struct qs_gfx3d_layout layout;
		int result;
	} cases[] = {
		{"as the shader wants it", {32, 2, {{0, 4, 0}, {1, 4, 16}}}, 0},
		{"too few components", {32, 2, {{0, 4, 0}, {1, 2, 16}}}, -1},
		{"location missing", {32, 2, {{0, 4, 0}, {2, 4, 16}}}, -1},
		{"more components are fine", {32, 2, {{0, 4, 0}, {1, 5, 12}}}, 0},
	};
	struct scene s;

	scene_open(&s, QS_GFX3D_CHRISOS, 8, 8, fs_varying);
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint32_t mesh = qs_gfx3d_mesh_create(s.g, OWNER, 0);
		int result;

		ck_assert_int_eq(qs_gfx3d_mesh_upload(s.g, OWNER, mesh, &cases[i].layout, scene_triangle, sizeof scene_triangle, NULL, 0), 0);
		result = qs_gfx3d_draw(s.g, OWNER, s.context, mesh);
		ck_assert_msg(result == cases[i].result, "%s: %s", cases[i].name, qs_gfx3d_last_error(s.g));
		ck_assert(!result || !strcmp(qs_gfx3d_last_error(s.g), "vertex layout mismatch"));
		qs_gfx3d_mesh_destroy(s.g, OWNER, mesh);
	}
	scene_close(&s);
}
END_TEST

START_TEST(bad_index)
{
	const uint16_t index[6] = {0, 1, 2, 0, 1, 3};
	struct scene s;

	scene_open(&s, QS_GFX3D_CHRISOS, 32, 32, fs_red);
	ck_assert_int_eq(scene_draw(&s, scene_triangle, 3, index, 6), -1);
	ck_assert_str_eq(qs_gfx3d_last_error(s.g), "index out of range");
	scene_read(&s);
	ck_assert_uint_eq(scene_count(&s, 0xFFFF0000), 338); /* the triangle before it */
	ck_assert_int_eq(scene_draw(&s, scene_triangle, 3, index, 5), 0); /* what is left over is ignored */
	ck_assert_int_eq(scene_draw(&s, scene_triangle, 3, index, 2), -1);
	scene_close(&s);
}
END_TEST

/* ---- fresh targets ------------------------------------------------------------------------------------------------------ */

START_TEST(fresh_target)
{
	static const struct {
		int model;
		bool noise;
		float depth;
	} want[] = {{QS_GFX3D_CHRISOS, true, 0}, {QS_GFX3D_VIRGL_MODEL, false, 0}, {QS_GFX3D_CORRECTED, false, 1}};
	struct qs_gfx3d_stats stats;
	struct scene s;

	for (unsigned m = 0; m < 3; m++) {
		unsigned black;

		scene_open(&s, (enum qs_gfx3d_model)want[m].model, 16, 16, fs_red);
		ck_assert_int_eq(scene_draw(&s, scene_triangle, 3, NULL, 0), 0);
		qs_gfx3d_get_stats(s.g, &stats);
		ck_assert_uint_eq(stats.undefined_draws, 0);
		ck_assert_int_eq(qs_gfx3d_target_resize(s.g, OWNER, s.target, 32, 32), 0);
		s.width = s.height = 32;
		scene_read(&s);
		black = scene_count(&s, 0);
		ck_assert_msg(want[m].noise ? black < 32 : black == 1024, "model %u: %u of 1024 are 0", m, black);
		ck_assert(want[m].noise || s.depth[5] == want[m].depth);
		scene_draw(&s, scene_triangle, 3, NULL, 0);
		qs_gfx3d_get_stats(s.g, &stats);
		ck_assert_uint_eq(stats.undefined_draws, 1);
		scene_close(&s);
	}
}
END_TEST

/* ---- coverage ----------------------------------------------------------------------------------------------------------- */

static float random_float(struct oracle_random *r, float low, float high)
{
	return low + (high - low) * ((float)(oracle_random_next(r) >> 8) / 16777216.0f);
}

static void random_triangle(struct oracle_random *r, float v[3][8], bool perspective)
{
	float size = oracle_random_below(r, 4) ? 1.2f : 0.15f, x = random_float(r, -1, 1), y = random_float(r, -1, 1);

	for (int i = 0; i < 3; i++) {
		float w = perspective ? random_float(r, 0.2f, 3) : 1;

		if (perspective && !oracle_random_below(r, 24))
			w = -w;
		v[i][0] = (x + random_float(r, -size, size)) * w;
		v[i][1] = (y + random_float(r, -size, size)) * w;
		v[i][2] = random_float(r, -0.5f, 1.1f);
		v[i][3] = w;
		for (int k = 0; k < 4; k++)
			v[i][4 + k] = random_float(r, -0.2f, 1.3f);
	}
}

/* Pixels and depth of random triangles, drawn all in one call, bit for bit as the specification's loop draws them. */
START_TEST(oracle_chrisos)
{
	struct oracle_random r = oracle_random_start();
	static uint32_t pixel[SCENE_MAX * SCENE_MAX];
	static float depth[SCENE_MAX * SCENE_MAX];
	static float v[60][8];

	for (int round = 0; round < ORACLE_ROUNDS(60); round++) {
		int width = 1 + (int)oracle_random_below(&r, SCENE_MAX), height = 1 + (int)oracle_random_below(&r, SCENE_MAX);
		struct soft_surface surface = {width, height, pixel, depth};
		struct scene s;

		for (int i = 0; i < width * height; i++) {
			pixel[i] = 0xFF000000;
			depth[i] = 1;
		}
		scene_open(&s, QS_GFX3D_CHRISOS, width, height, fs_varying);
		for (int t = 0; t < 20; t++) {
			random_triangle(&r, v + 3 * t, round % 2);
			soft_tri_chrisos(&surface, (const float (*)[8])(v + 3 * t));
		}
		ck_assert_int_eq(scene_draw(&s, (const float (*)[8])v, 60, NULL, 0), 0);
		scene_read(&s);
		for (int i = 0; i < width * height; i++)
			if (s.pixel[i] != pixel[i] || memcmp(&s.depth[i], &depth[i], 4))
				ck_abort_msg("seed %llu round %d %dx%d pixel %d,%d: 0x%08X %g, oracle 0x%08X %g", (unsigned long long)r.seed, round,
					width, height, i % width, i / width, s.pixel[i], (double)s.depth[i], pixel[i], (double)depth[i]);
		scene_close(&s);
	}
}
END_TEST

START_TEST(oracle_exact)
{
	struct oracle_random r = oracle_random_start();

	for (int round = 0; round < ORACLE_ROUNDS(400); round++) {
		int size = 8 + (int)oracle_random_below(&r, 90);
		int64_t corner[3][2];
		float v[3][8];
		struct scene s;

		random_triangle(&r, v, false);
		for (int i = 0; i < 3; i++) {
			v[i][2] = 0;
			if (oracle_random_below(&r, 2)) /* onto pixel centres and corners, where the rule decides */
				for (int k = 0; k < 2; k++)
					v[i][k] = (float)((int)oracle_random_below(&r, 2 * (uint32_t)size) - size) / (float)size;
			corner[i][0] = llrintf((v[i][0] * 0.5f + 0.5f) * (float)size * 256);
			corner[i][1] = llrintf((1 - (v[i][1] * 0.5f + 0.5f)) * (float)size * 256);
		}
		scene_open(&s, QS_GFX3D_CORRECTED, size, size, fs_red);
		ck_assert_int_eq(scene_draw(&s, (const float (*)[8])v, 3, NULL, 0), 0);
		scene_read(&s);
		for (int i = 0; i < size * size; i++) {
			bool red = s.pixel[i] == 0xFFFF0000, wanted = soft_exact_inside((const int64_t (*)[2])corner, i % size, i / size);

			if (red != wanted)
				ck_abort_msg("seed %llu round %d size %d pixel %d,%d is %sdrawn", (unsigned long long)r.seed, round, size, i % size,
					i / size, red ? "" : "not ");
		}
		scene_close(&s);
	}
}
END_TEST

/* Spec 02 section 6: the tolerance adds a little under one per cent, always at an edge; exact edges never more. */
START_TEST(coverage_tolerance)
{
	struct oracle_random r = oracle_random_start();
	unsigned covered[2] = {0}, extra = 0, missing = 0;

	for (int t = 0; t < 60; t++) {
		static struct scene s[2];
		float v[3][8];

		random_triangle(&r, v, false);
		for (int i = 0; i < 3; i++)
			v[i][2] = 0;
		for (int m = 0; m < 2; m++) {
			scene_open(&s[m], m ? QS_GFX3D_CORRECTED : QS_GFX3D_CHRISOS, 64, 64, fs_red);
			ck_assert_int_eq(scene_draw(&s[m], (const float (*)[8])v, 3, NULL, 0), 0);
			scene_read(&s[m]);
			covered[m] += scene_count(&s[m], 0xFFFF0000);
		}
		for (int i = 0; i < 64 * 64; i++) {
			extra += s[0].pixel[i] == 0xFFFF0000 && s[1].pixel[i] != 0xFFFF0000;
			missing += s[0].pixel[i] != 0xFFFF0000 && s[1].pixel[i] == 0xFFFF0000;
		}
		scene_close(&s[0]);
		scene_close(&s[1]);
	}
	ck_assert_uint_eq(missing, 0);
	ck_assert_msg(extra > covered[1] / 500 && extra < covered[1] / 50, "%u extra of %u", extra, covered[1]);
}
END_TEST

START_TEST(shared_edges)
{
	const uint64_t expected[2] = {64 * 64 + 64, 64 * 64}; /* the diagonal's centres lie on it */
	float quad[6][8];

	scene_full(quad, 0);
	for (int m = 0; m < 2; m++) {
		struct qs_gfx3d_stats stats;
		struct scene s;

		scene_open(&s, m ? QS_GFX3D_CORRECTED : QS_GFX3D_CHRISOS, 64, 64, fs_red);
		qs_gfx3d_stats_reset(s.g);
		ck_assert_int_eq(scene_draw(&s, quad, 6, NULL, 0), 0);
		qs_gfx3d_get_stats(s.g, &stats);
		ck_assert_uint_eq(stats.pixels_tested, expected[m]);
		ck_assert_uint_eq(stats.pixels_written, 64 * 64);
		scene_close(&s);
	}
}
END_TEST

/* Clipping must not move what is inside: a triangle cut by a plane, and the same one with that plane far away. */
START_TEST(clipping_keeps_the_rest)
{
	struct oracle_random r = oracle_random_start();

	for (int round = 0; round < ORACLE_ROUNDS(60); round++) {
		static struct scene s;
		float v[3][8];
		unsigned wrong = 0;

		random_triangle(&r, v, false);
		for (int i = 0; i < 3; i++) {
			v[i][2] = random_float(&r, -3, 1);
			for (int k = 0; k < 4; k++)
				v[i][4 + k] = (v[i][2] + 4) / 6; /* z as a colour: 0.5 at the near plane */
		}
		scene_open(&s, QS_GFX3D_CORRECTED, 64, 64, fs_varying);
		ck_assert_int_eq(scene_draw(&s, (const float (*)[8])v, 3, NULL, 0), 0);
		scene_read(&s);
		for (int i = 0; i < 64 * 64; i++)
			wrong += s.depth[i] != 1 && ((s.pixel[i] & 255) < 126 ||
				fabsf((float)(s.pixel[i] & 255) / 255 - (s.depth[i] * 2 + 3) / 6) > 0.004f);
		ck_assert_msg(!wrong, "seed %llu round %d: %u pixels", (unsigned long long)r.seed, round, wrong);
		scene_close(&s);
	}
}
END_TEST

/* ---- camera ------------------------------------------------------------------------------------------------------------- */

START_TEST(camera)
{
	static const char vs[] = "#version 330\nlayout(location = 0) in vec4 position;\nlayout(location = 1) in vec4 tone;\n"
		"uniform mat4 model;\nuniform mat4 view;\nuniform mat4 projection;\nout vec4 colour;\n"
		"void main() { gl_Position = projection * view * model * position; colour = tone; }\n";
	const float v[3][8] = {{-2, -2, -6, 1, 1, 0, 0, 1}, {2, -2, -6, 1, 1, 0, 0, 1}, {0, 2, -6, 1, 1, 0, 0, 1}};
	float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
	unsigned red[2];

	for (int m = 0; m < 2; m++) {
		struct scene s;

		scene_open(&s, m ? QS_GFX3D_CORRECTED : QS_GFX3D_CHRISOS, 64, 64, fs_varying);
		scene_program(&s, vs, fs_varying);
		ck_assert_int_eq(qs_gfx3d_camera(s.g, OWNER, s.context, 0, 0, 0, 0, 0, 60, 0.1f, 200), 0);
		ck_assert_int_eq(qs_gfx3d_model_matrix(s.g, OWNER, s.context, identity), 0);
		ck_assert_int_eq(scene_draw(&s, v, 3, NULL, 0), 0);
		scene_read(&s);
		red[m] = scene_count(&s, 0xFFFF0000);
		if (m) { /* the tip points up: the upper half is narrower */
			ck_assert_uint_eq(scene_at(&s, 32, 20), 0xFFFF0000);
			ck_assert_uint_eq(scene_at(&s, 22, 22), 0xFF000000);
			ck_assert_uint_eq(scene_at(&s, 20, 48), 0xFFFF0000);
		}
		scene_close(&s);
	}
	ck_assert_uint_gt(red[1], 400);
	ck_assert_uint_gt(red[0], 400); /* negative w: drawn, mirrored through the centre */
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("gfx3d raster");
	TCase *tcase = tcase_create("all");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, proof_triangle);
	tcase_add_test(tcase, proof_depth_and_rounding);
	tcase_add_loop_test(tcase, production_triangle, 0, QS_GFX3D_MODEL_COUNT);
	tcase_add_loop_test(tcase, packing, 0, sizeof packs / sizeof *packs);
	tcase_add_loop_test(tcase, clear_colors, 0, sizeof clears / sizeof *clears);
	tcase_add_loop_test(tcase, depth_formula, 0, sizeof depths / sizeof *depths);
	tcase_add_loop_test(tcase, depth_order, 0, sizeof orders / sizeof *orders);
	tcase_add_test(tcase, clear_and_depth);
	tcase_add_loop_test(tcase, discard_keeps_depth, 0, QS_GFX3D_MODEL_COUNT);
	tcase_add_loop_test(tcase, setup, 0, sizeof setups / sizeof *setups);
	tcase_add_test(tcase, near_crossing);
	tcase_add_test(tcase, viewport);
	tcase_add_loop_test(tcase, fragment_coordinate, 0, sizeof coordinates / sizeof *coordinates);
	tcase_add_test(tcase, texel_formula);
	tcase_add_test(tcase, no_texture);
	tcase_add_loop_test(tcase, sampler, 0, sizeof samplers / sizeof *samplers);
	tcase_add_test(tcase, level_of_detail);
	tcase_add_loop_test(tcase, blending, 0, sizeof blends / sizeof *blends);
	tcase_add_test(tcase, stencil);
	tcase_add_test(tcase, multisampling);
	tcase_add_loop_test(tcase, attribute_layout, 0, sizeof attributes / sizeof *attributes);
	tcase_add_test(tcase, layout_mismatch);
	tcase_add_test(tcase, bad_index);
	tcase_add_test(tcase, fresh_target);
	tcase_add_test(tcase, oracle_chrisos);
	tcase_add_test(tcase, oracle_exact);
	tcase_add_test(tcase, coverage_tolerance);
	tcase_add_test(tcase, shared_edges);
	tcase_add_test(tcase, clipping_keeps_the_rest);
	tcase_add_test(tcase, camera);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
