/* check_gfx3d_pixels.c - what comes into a pixel: textures, blending, stencil, samples, attributes, old contents
 *
 * Figures come from spec chrisos/02 sections 3, 6 and 7 and from the seed document.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "gfx3d_scene.h"

#include <math.h>

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

/* ---- derivatives -------------------------------------------------------------------------------------------------------- */

#define DERIVED(expression) "in vec4 colour;\nout vec4 result;\nvoid main() { result = " expression "; }\n"

static const struct {
	const char *name, *fs;
	bool full; /* two triangles over the target, else the seed's triangle */
	uint32_t pixel;
} derived[] = {
	{"of the coordinate", DERIVED("vec4(dFdx(gl_FragCoord.x), dFdy(gl_FragCoord.y), dFdx(gl_FragCoord.y) + dFdy(gl_FragCoord.x), 1.0)"), false, 0xFFFFFF00},
	{"half of it", DERIVED("vec4(dFdx(gl_FragCoord.x * 0.2), dFdy(gl_FragCoord.y * 0.4), fwidth(gl_FragCoord.x + gl_FragCoord.y * 0.6) - 1.0, 1.0)"), false,
		0xFF336699},
	{"downwards is negative for what grows upwards", DERIVED("vec4(dFdx(colour.x) * 32.0, dFdy(colour.y) * 32.0, 0.0 - dFdy(colour.y) * 32.0, 1.0)"), true, 0xFFFF00FF},
	{"width", DERIVED("vec4(fwidth(colour.xy) * 16.0, 0.0, 1.0)"), true, 0xFF808000},
	/* a neighbour on the other side of a branch counts as its register stands: it has been there already, or not yet */
	{"across a branch", "in vec4 colour;\nout vec4 result;\nvoid main() { float a = 0.0; float x = gl_FragCoord.x * 0.5; float odd = x - float(int(x));\n"
		"if (odd > 0.5) { a = 1.0; result = vec4(dFdx(a), 0.0, 0.0, 1.0); } else { result = vec4(dFdx(a), 0.0, 0.0, 1.0); } }\n", false, 0xFFFF0000},
	/* of what is gone nothing is known */
	{"beside a discard", "in vec4 colour;\nout vec4 result;\nvoid main() { float x = gl_FragCoord.x * 0.5; float odd = x - float(int(x));\n"
		"if (odd > 0.5) { discard; } result = vec4(dFdx(gl_FragCoord.x), dFdy(gl_FragCoord.y), 0.0, 1.0); }\n", false, 0xFF00FF00},
};

START_TEST(derivatives)
{
	struct scene s;
	float quad[6][8];
	unsigned drawn = 0;

	scene_open(&s, QS_GFX3D_CORRECTED, 32, 32, derived[_i].fs);
	scene_full(quad, 0);
	if (derived[_i].full)
		ck_assert_int_eq(scene_draw(&s, (const float (*)[8])quad, 6, NULL, 0), 0);
	else
		ck_assert_int_eq(scene_draw(&s, scene_triangle, 3, NULL, 0), 0);
	scene_read(&s);
	for (unsigned i = 0; i < 32 * 32; i++) {
		if (s.pixel[i] == 0xFF000000)
			continue;
		drawn++;
		if (s.pixel[i] != derived[_i].pixel)
			ck_abort_msg("%s: 0x%08X at %u, expected 0x%08X", derived[_i].name, s.pixel[i], i, derived[_i].pixel);
	}
	ck_assert_msg(drawn > 100, "%s: only %u pixels", derived[_i].name, drawn);
	scene_close(&s);
}
END_TEST

/* The original knows none: not in source, not as instructions, not when a shader comes from a model that has them. */
START_TEST(no_derivatives)
{
	static const char csir[] = "shader \"f\" fragment\ninput vec4 \"colour\" slot=0\noutput vec4 \"result\" slot=0\ntemps 2\n"
				   "%0 = load_var.4\n%1 = ddx.4 %0\nstore_color.4 %1\n";
	struct scene s;

	scene_open(&s, QS_GFX3D_CHRISOS, 16, 16, fs_red);
	ck_assert_uint_eq(qs_gfx3d_shader_create(s.g, OWNER, vs_plain, derived[0].fs), 0);
	ck_assert_ptr_nonnull(strstr(qs_gfx3d_last_detail(s.g), "unknown function"));
	ck_assert_uint_eq(qs_gfx3d_shader_create(s.g, OWNER, vs_plain, csir), 0);
	ck_assert_ptr_nonnull(strstr(qs_gfx3d_last_detail(s.g), "derivatives"));
	qs_gfx3d_set_model(s.g, QS_GFX3D_CORRECTED);
	scene_program(&s, vs_plain, csir);
	ck_assert_int_eq(scene_draw(&s, scene_triangle, 3, NULL, 0), 0);
	qs_gfx3d_set_model(s.g, QS_GFX3D_CHRISOS);
	ck_assert_int_eq(scene_draw(&s, scene_triangle, 3, NULL, 0), -1);
	ck_assert_ptr_nonnull(strstr(qs_gfx3d_last_detail(s.g), "derivatives"));
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

int main(void)
{
	Suite *suite = suite_create("gfx3d pixels");
	TCase *tcase = tcase_create("all");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, texel_formula);
	tcase_add_test(tcase, no_texture);
	tcase_add_loop_test(tcase, sampler, 0, sizeof samplers / sizeof *samplers);
	tcase_add_test(tcase, level_of_detail);
	tcase_add_loop_test(tcase, blending, 0, sizeof blends / sizeof *blends);
	tcase_add_test(tcase, stencil);
	tcase_add_test(tcase, multisampling);
	tcase_add_loop_test(tcase, derivatives, 0, sizeof derived / sizeof *derived);
	tcase_add_test(tcase, no_derivatives);
	tcase_add_loop_test(tcase, attribute_layout, 0, sizeof attributes / sizeof *attributes);
	tcase_add_test(tcase, layout_mismatch);
	tcase_add_test(tcase, bad_index);
	tcase_add_test(tcase, fresh_target);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
