/* check_gfx3d_raster.c - what Gfx3D draws: packing, depth, set-up, the fragment coordinate, per model
 *
 * Figures come from spec chrisos/02 sections 3, 6 and 7 and from the seed document.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "gfx3d_scene.h"

#include <stdio.h>

#include <math.h>

/* ---- the proof triangle ------------------------------------------------------------------------------------------------- */

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

/* The wrappers of the seed: vertex and fragment alone, and the triangle, of a linked program. */
START_TEST(wrappers)
{
	static const char vs[] = "#version 330\nlayout(location = 0) in vec4 position;\nlayout(location = 1) in vec4 tone;\nuniform vec4 tint;\n"
				 "out vec4 colour;\nvoid main() { gl_Position = position * 2.0; colour = tone + tint; }\n";
	static const char fs[] = "#version 330\nin vec4 colour;\nuniform sampler2D image;\nout vec4 result;\nvoid main() {\n"
				 "if (colour.x > 4.0) { discard; } result = colour + texture(image, colour.yz) + gl_FragCoord * 0.5; }\n";
	static const float attribute[8][4] = {{1, 2, 3, 4}, {0.25f, 0, 0.5f, 1}}, at[4] = {10, 20, 30, 40};
	static const float *const corners[3] = {scene_triangle[0], scene_triangle[1], scene_triangle[2]};
	static float corner[3][32];
	const float *const pointer[3] = {corner[0], corner[1], corner[2]};
	float position[4], varying[8][4] = {{7, 7, 7, 7}, {8, 8, 8, 8}}, color[4];
	struct scene s;
	uint32_t texture, broken;
	int discarded = 5;

	scene_open(&s, QS_GFX3D_CHRISOS, 32, 32, fs_red);
	scene_program(&s, vs, fs);
	scene_tint(&s, 0.5f, 0, 0, 0);
	texture = qs_gfx3d_tex_solid(s.g, OWNER, 0xFF8000FF);
	ck_assert_int_eq(qs_gfx3d_soft_vertex(s.g, OWNER, s.shader, attribute, position, varying), 0);
	ck_assert(position[0] == 2 && position[3] == 8 && varying[0][0] == 0.75f && varying[0][3] == 1 && varying[1][0] == 8);
	ck_assert_int_eq(qs_gfx3d_soft_fragment(s.g, OWNER, s.shader, (const float (*)[4])varying, NULL, 0, color, NULL), 0);
	ck_assert(color[0] == 0.75f && color[2] == 0.5f && color[3] == 1); /* nothing bound: 0 0 0 0 */
	ck_assert_int_eq(qs_gfx3d_soft_fragment(s.g, OWNER, s.shader, (const float (*)[4])varying, at, texture, color, &discarded), 0);
	ck_assert(discarded == 0 && color[0] == 0.75f + 128 / 255.0f + 5 && color[1] == 10 && color[3] == 1 + 1 + 20);
	varying[0][0] = 4.5f;
	ck_assert_int_eq(qs_gfx3d_soft_fragment(s.g, OWNER, s.shader, (const float (*)[4])varying, at, texture, color, &discarded), 0);
	ck_assert_int_eq(discarded, 1);
	/* what is missing */
	ck_assert_int_eq(qs_gfx3d_soft_vertex(s.g, OWNER, s.shader, attribute, NULL, varying), -1);
	ck_assert_int_eq(qs_gfx3d_soft_vertex(s.g, OWNER + 1, s.shader, attribute, position, varying), -1);
	ck_assert_int_eq(qs_gfx3d_soft_fragment(s.g, OWNER, s.shader, (const float (*)[4])varying, at, texture + 1, color, NULL), -1);
	ck_assert_str_eq(qs_gfx3d_last_error(s.g), "unknown texture");
	ck_assert_int_eq(qs_gfx3d_soft_triangle(s.g, OWNER, s.shader, corners, 4, 0, NULL, 32, 32), -1);
	broken = qs_gfx3d_shader_create(s.g, OWNER, vs, "#version 330\nin vec4 colour;\nout vec4 result;\nvoid main() { result = vec4(1.0, 0.0, 0.0, 1.0); }\n");
	for (int i = 0; i < 3; i++)
		memcpy(corner[i], scene_triangle[i], sizeof scene_triangle[i]);
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 4; k++)
			corner[i][k] *= 0.5f; /* the shader doubles */
	ck_assert_int_eq(qs_gfx3d_soft_triangle(s.g, OWNER, broken, pointer, 4, 0, s.pixel, 32, 32), 0);
	ck_assert_uint_eq(scene_count(&s, 0xFFFF0000), 338);
	scene_close(&s);
}
END_TEST

/* The eight sources of the compiler's cache: found by text, stage, model; a ninth takes the place of one. */
START_TEST(compile_cache)
{
	struct scene s;
	uint64_t sources, cached, before;
	char fs[200];

	scene_open(&s, QS_GFX3D_CHRISOS, 8, 8, fs_red);
	qs_gfx3d_compiles(s.g, &sources, &cached);
	ck_assert(sources == 2 && cached == 0);
	scene_program(&s, vs_plain, fs_red);
	qs_gfx3d_compiles(s.g, &sources, &cached);
	ck_assert(sources == 4 && cached == 2);
	ck_assert_int_eq(scene_draw(&s, scene_triangle, 3, NULL, 0), 0); /* what the cache gives draws */
	scene_read(&s);
	ck_assert_uint_gt(scene_count(&s, 0xFFFF0000), 10);
	qs_gfx3d_set_model(s.g, QS_GFX3D_CORRECTED); /* compiles otherwise */
	scene_program(&s, vs_plain, fs_red);
	qs_gfx3d_compiles(s.g, &sources, &cached);
	ck_assert(sources == 6 && cached == 2);
	for (int i = 0; i < 12; i++) {
		snprintf(fs, sizeof fs, "in vec4 colour;\nout vec4 result;\nvoid main() { result = vec4(%d.0, 0.0, 0.0, 1.0); }\n", i);
		ck_assert_uint_ne(qs_gfx3d_shader_create(s.g, OWNER, vs_plain, fs), 0);
	}
	qs_gfx3d_compiles(s.g, &sources, &before);
	for (int i = 11; i >= 0; i--) {
		snprintf(fs, sizeof fs, "in vec4 colour;\nout vec4 result;\nvoid main() { result = vec4(%d.0, 0.0, 0.0, 1.0); }\n", i);
		ck_assert_uint_ne(qs_gfx3d_shader_create(s.g, OWNER, vs_plain, fs), 0);
	}
	qs_gfx3d_compiles(s.g, &sources, &cached);
	ck_assert_uint_eq(sources, 6 + 48);
	ck_assert_msg(cached - before >= 1 && cached - before < 24, "%u of 24 sources were still there", (unsigned)(cached - before));
	ck_assert_uint_eq(qs_gfx3d_shader_create(s.g, OWNER, vs_plain, "void main() {"), 0); /* failures are not kept */
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

int main(void)
{
	Suite *suite = suite_create("gfx3d raster");
	TCase *tcase = tcase_create("all");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, proof_triangle);
	tcase_add_test(tcase, wrappers);
	tcase_add_test(tcase, compile_cache);
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
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
