/* check_gfx3d_api.c - objects, handles, owners, errors, statistics, backends of Gfx3D (spec chrisos/02 sections 4 and 5)
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "gfx3d_scene.h"

#include <stdio.h>
#include <unistd.h>

static struct qs_gfx3d *fresh(void)
{
	struct qs_error error;
	struct qs_gfx3d *g = qs_gfx3d_create(&error);

	ck_assert_ptr_nonnull(g);
	ck_assert_int_eq(qs_gfx3d_boot(g, QS_GFX3D_SOFTWARE), 0);
	return g;
}

static void expect_error(struct qs_gfx3d *g, const char *text)
{
	ck_assert_str_eq(qs_gfx3d_last_error(g), text);
}

/* ---- handles ------------------------------------------------------------------------------------------------------------ */

START_TEST(handles)
{
	struct qs_gfx3d *g = fresh();
	uint32_t first = qs_gfx3d_context_create(g, 1), second;

	ck_assert_uint_eq(first, 0x00010001);
	ck_assert_int_eq(qs_gfx3d_depth(g, 1, first, 0), 0);
	ck_assert_int_eq(qs_gfx3d_depth(g, 2, first, 0), -1); /* of another owner */
	expect_error(g, "unknown context");
	ck_assert_int_eq(qs_gfx3d_context_destroy(g, 2, first), -1);
	ck_assert_int_eq(qs_gfx3d_context_destroy(g, 1, first), 0);
	ck_assert_int_eq(qs_gfx3d_context_destroy(g, 1, first), -1);
	second = qs_gfx3d_context_create(g, 1);
	ck_assert_uint_eq(second, 0x00020001); /* same slot, next generation */
	ck_assert_int_eq(qs_gfx3d_cull(g, 1, first, 1), -1);
	ck_assert_int_eq(qs_gfx3d_cull(g, 1, 0, 1), -1);
	ck_assert_int_eq(qs_gfx3d_cull(g, 1, 0x00020000, 1), -1);
	ck_assert_int_eq(qs_gfx3d_cull(g, 1, 0x0002FFFF, 1), -1);
	qs_gfx3d_destroy(g);
}
END_TEST

/* 65535 is followed by 1: 0 is no generation. */
START_TEST(generations_wrap)
{
	struct qs_gfx3d *g = fresh();
	uint32_t last = 0;

	for (uint32_t i = 1; i <= 65537; i++) {
		uint32_t handle = qs_gfx3d_mesh_create(g, 1, 0);

		if (handle >> 16 != (i - 1) % 65535 + 1)
			ck_abort_msg("generation %u in round %u", handle >> 16, i);
		qs_gfx3d_mesh_destroy(g, 1, handle);
		last = handle;
	}
	ck_assert_uint_eq(last >> 16, 2);
	qs_gfx3d_destroy(g);
}
END_TEST

static uint32_t make(struct qs_gfx3d *g, int kind, uint32_t context)
{
	switch (kind) {
	case G3_CONTEXT:
		return qs_gfx3d_context_create(g, OWNER);
	case G3_TARGET:
		return qs_gfx3d_target_create(g, OWNER, context, 4, 4);
	case G3_MESH:
		return qs_gfx3d_mesh_create(g, OWNER, 1);
	case G3_TEXTURE:
		return qs_gfx3d_tex_solid(g, OWNER, 0x112233);
	case G3_SHADER:
		return qs_gfx3d_shader_create(g, OWNER, vs_plain, fs_varying);
	default:
		return qs_gfx3d_prog_prepare(g, OWNER, context, 0x00010001);
	}
}

static const struct {
	const char *name;
	int kind;
	unsigned room; /* with what is made before */
	const char *full;
} tables[] = {
	{"contexts", G3_CONTEXT, QS_GFX3D_MAX_CONTEXTS - 1, "context table full"},
	{"targets", G3_TARGET, QS_GFX3D_MAX_TARGETS, "target table full"},
	{"meshes", G3_MESH, QS_GFX3D_MAX_MESHES, "mesh table full"},
	{"textures", G3_TEXTURE, QS_GFX3D_MAX_TEXTURES, "texture table full"},
	{"shaders", G3_SHADER, QS_GFX3D_MAX_SHADERS - 1, "shader table full"},
	{"programs", G3_PROGRAM, QS_GFX3D_MAX_PROGRAMS, "program table full"},
};

START_TEST(full_tables)
{
	struct qs_gfx3d *g = fresh();
	struct qs_gfx3d_stats stats;
	uint32_t context = qs_gfx3d_context_create(g, OWNER);

	ck_assert_uint_eq(qs_gfx3d_shader_create(g, OWNER, vs_plain, fs_varying), 0x00010001);
	for (unsigned i = 0; i < tables[_i].room; i++)
		ck_assert_msg(make(g, tables[_i].kind, context) != 0, "%s: %u: %s", tables[_i].name, i, qs_gfx3d_last_error(g));
	ck_assert_uint_eq(make(g, tables[_i].kind, context), 0);
	expect_error(g, tables[_i].full);
	ck_assert_int_eq(qs_gfx3d_drop_owner(g, OWNER + 1), 0);
	ck_assert_uint_eq(make(g, tables[_i].kind, context), 0);
	ck_assert_int_eq(qs_gfx3d_drop_owner(g, OWNER), 0);
	qs_gfx3d_get_stats(g, &stats);
	ck_assert_uint_eq(stats.contexts + stats.targets + stats.meshes + stats.textures + stats.programs, 0);
	ck_assert_uint_eq(stats.color_bytes + stats.depth_bytes + stats.mesh_bytes + stats.texture_bytes, 0);
	qs_gfx3d_destroy(g);
}
END_TEST

/* Everything made, used and destroyed; memory and counters come back to 0 each time. */
START_TEST(life_cycles)
{
	struct qs_gfx3d *g = fresh();

	for (int i = 0; i < 1000; i++) {
		uint32_t context = qs_gfx3d_context_create(g, OWNER), target = qs_gfx3d_target_create(g, OWNER, context, 1 + i % 32, 8);
		uint32_t mesh = qs_gfx3d_mesh_create(g, OWNER, i % 5), texture = qs_gfx3d_tex_create(g, OWNER, 4, 4);
		uint32_t pixel[16] = {0};
		struct qs_gfx3d_stats stats;

		if (!context || !target || !mesh || !texture)
			ck_abort_msg("round %d: %s", i, qs_gfx3d_last_error(g));
		qs_gfx3d_mesh_upload(g, OWNER, mesh, &scene_layout, scene_triangle, sizeof scene_triangle, NULL, 0);
		qs_gfx3d_tex_upload(g, OWNER, texture, 4, 4, pixel);
		qs_gfx3d_begin(g, OWNER, context, target);
		qs_gfx3d_clear(g, OWNER, context, 0, 0, 0, 1, 1);
		qs_gfx3d_end(g, OWNER, context);
		qs_gfx3d_get_stats(g, &stats);
		if (stats.color_bytes != 4u * 8u * (1 + (unsigned)i % 32) || stats.mesh_bytes != 96 || stats.texture_bytes != 64)
			ck_abort_msg("round %d: %llu %llu %llu", i, (unsigned long long)stats.color_bytes, (unsigned long long)stats.mesh_bytes,
				(unsigned long long)stats.texture_bytes);
		if (i % 2) {
			qs_gfx3d_context_destroy(g, OWNER, context);
			qs_gfx3d_get_stats(g, &stats);
			if (stats.targets || stats.meshes != 1 || stats.textures != 1)
				ck_abort_msg("round %d: a context takes its targets with it, nothing else", i);
			qs_gfx3d_mesh_destroy(g, OWNER, mesh);
			qs_gfx3d_tex_destroy(g, OWNER, texture);
		} else {
			qs_gfx3d_drop_owner(g, OWNER);
		}
		qs_gfx3d_get_stats(g, &stats);
		if (stats.contexts || stats.targets || stats.meshes || stats.textures || stats.color_bytes || stats.mesh_bytes)
			ck_abort_msg("round %d: something is left", i);
	}
	qs_gfx3d_destroy(g);
}
END_TEST

/* ---- targets ------------------------------------------------------------------------------------------------------------ */

static const struct {
	int width, height;
	bool good;
} sizes[] = {{1, 1, true}, {1920, 1080, true}, {1921, 1080, false}, {1920, 1081, false}, {0, 4, false}, {4, 0, false}, {-1, 4, false},
	{33, 7, true}};

START_TEST(target_sizes)
{
	struct qs_gfx3d *g = fresh();
	uint32_t context = qs_gfx3d_context_create(g, OWNER);
	uint32_t target = qs_gfx3d_target_create(g, OWNER, context, sizes[_i].width, sizes[_i].height);

	ck_assert((target != 0) == sizes[_i].good);
	if (!target)
		expect_error(g, "bad target");
	target = qs_gfx3d_target_create(g, OWNER, context, 16, 16);
	ck_assert_int_eq(qs_gfx3d_target_resize(g, OWNER, target, sizes[_i].width, sizes[_i].height), sizes[_i].good ? 0 : -1);
	qs_gfx3d_destroy(g);
}
END_TEST

START_TEST(resizes)
{
	static uint32_t pixel[64 * 64];
	static const int steps[][2] = {{64, 64}, {1, 1}, {32, 64}, {32, 64}, {64, 32}, {33, 17}, {64, 64}};
	struct qs_gfx3d_stats stats;
	struct scene s;

	scene_open(&s, QS_GFX3D_CHRISOS, 32, 32, fs_varying);
	for (unsigned i = 0; i < sizeof steps / sizeof *steps; i++) {
		int w = steps[i][0], h = steps[i][1], count = w * h;
		bool same = i && steps[i - 1][0] == w && steps[i - 1][1] == h;

		ck_assert_int_eq(qs_gfx3d_target_resize(s.g, OWNER, s.target, w, h), 0);
		ck_assert(s.g->target[0].cleared == same); /* the same size: nothing is done */
		ck_assert_int_eq(qs_gfx3d_target_read(s.g, OWNER, s.target, pixel, (size_t)count - 1), -1);
		ck_assert_int_eq(qs_gfx3d_begin(s.g, OWNER, s.context, s.target), 0);
		qs_gfx3d_clear(s.g, OWNER, s.context, 0, 0, 1, 1, 1);
		ck_assert_int_eq(scene_draw(&s, scene_triangle, 3, NULL, 0), 0);
		qs_gfx3d_end(s.g, OWNER, s.context);
		ck_assert_int_eq(qs_gfx3d_target_read(s.g, OWNER, s.target, pixel, (size_t)count), 0);
		ck_assert_uint_eq(pixel[count - 1], count > 1 ? 0xFF0000FF : 0xFFFF0000);
		ck_assert_uint_eq(pixel[h / 2 * w + w / 2], 0xFFFF0000);
		qs_gfx3d_get_stats(s.g, &stats);
		ck_assert_uint_eq(stats.color_bytes, 4u * (unsigned)count);
		ck_assert_uint_eq(stats.targets, 1);
	}
	scene_close(&s);
}
END_TEST

/* ---- meshes and textures ------------------------------------------------------------------------------------------------ */

START_TEST(mesh_errors)
{
	static const struct {
		const char *name;
		struct qs_gfx3d_layout layout;
		size_t bytes;
		bool good;
	} cases[] = {
		{"one vertex", {32, 2, {{0, 4, 0}, {1, 4, 16}}}, 32, true},
		{"less than a vertex", {32, 2, {{0, 4, 0}, {1, 4, 16}}}, 31, false},
		{"stride 3", {3, 1, {{0, 1, 0}}}, 96, false},
		{"stride 4", {4, 1, {{0, 1, 0}}}, 96, true},
		{"no elements", {32, 0, {{0, 0, 0}}}, 96, false},
		{"nine elements", {32, 9, {{0, 4, 0}}}, 96, false},
		{"offset beyond the vertex is not checked", {32, 1, {{0, 4, 4000}}}, 96, true},
	};
	struct qs_gfx3d *g = fresh();
	uint32_t mesh = qs_gfx3d_mesh_create(g, OWNER, 9);

	ck_assert_int_eq(g->mesh[0].usage, QS_GFX3D_STATIC);
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		int result = qs_gfx3d_mesh_upload(g, OWNER, mesh, &cases[i].layout, scene_triangle, cases[i].bytes, NULL, 0);

		ck_assert_msg(result == (cases[i].good ? 0 : -1), "%s", cases[i].name);
	}
	ck_assert_int_eq(qs_gfx3d_mesh_upload(g, OWNER, mesh, &cases[0].layout, NULL, 96, NULL, 0), -1);
	qs_gfx3d_destroy(g);
}
END_TEST

START_TEST(mesh_builder)
{
	struct qs_gfx3d *g = fresh();
	uint32_t mesh = qs_gfx3d_mesh_create(g, OWNER, 0);
	const float expected[10] = {9, 2, 3, 1, 4, 5, 6, 0, 7, 8};
	float vertex[10];

	qs_gfx3d_mesh_vert(g, OWNER, mesh, 1, 2, 3, 4, 5, 6, 7, 8);
	qs_gfx3d_mesh_vert(g, OWNER, mesh, 1, 2, 3, 4, 5, 6, 7, 8);
	ck_assert_int_eq(qs_gfx3d_mesh_finish(g, OWNER, mesh), -1);
	qs_gfx3d_mesh_vert(g, OWNER, mesh, 9, 2, 3, 4, 5, 6, 7, 8);
	ck_assert_int_eq(qs_gfx3d_mesh_finish(g, OWNER, mesh), 0);
	ck_assert_uint_eq(g->mesh[0].vertices->size, 120);
	ck_assert_int_eq(g->mesh[0].layout.stride, 40);
	memcpy(vertex, g->mesh[0].vertices->data + 80, sizeof vertex);
	for (int i = 0; i < 10; i++)
		ck_assert(vertex[i] == expected[i]);
	for (int i = 0; i < QS_GFX3D_MAX_VERTICES; i++)
		if (qs_gfx3d_mesh_vert(g, OWNER, mesh, 0, 0, 0, 0, 0, 0, 0, 0))
			ck_abort_msg("vertex %d", i);
	ck_assert_int_eq(qs_gfx3d_mesh_vert(g, OWNER, mesh, 0, 0, 0, 0, 0, 0, 0, 0), -1);
	expect_error(g, "mesh vertex cap");
	qs_gfx3d_destroy(g);
}
END_TEST

START_TEST(texture_errors)
{
	uint32_t pixel[4] = {0x01020304, 0, 0, 0};
	struct qs_gfx3d *g = fresh();
	uint32_t texture;

	ck_assert_uint_eq(qs_gfx3d_tex_create(g, OWNER, 0, 4), 0);
	ck_assert_uint_eq(qs_gfx3d_tex_create(g, OWNER, 1025, 4), 0);
	expect_error(g, "bad texture");
	ck_assert_uint_ne(qs_gfx3d_tex_create(g, OWNER, 1024, 1024), 0);
	texture = qs_gfx3d_tex_create(g, OWNER, 2, 2);
	ck_assert_int_eq(qs_gfx3d_tex_mipmaps(g, OWNER, texture), -1);
	ck_assert_int_eq(qs_gfx3d_tex_upload(g, OWNER, texture, 4, 1, pixel), -1);
	ck_assert_int_eq(qs_gfx3d_tex_upload(g, OWNER, texture, 2, 2, NULL), -1);
	ck_assert_int_eq(qs_gfx3d_tex_upload(g, OWNER, texture, 2, 2, pixel), 0);
	ck_assert_uint_eq(g->texture[1].level[0]->data[3], 255); /* alpha */
	ck_assert_uint_eq(g->texture[1].level[0]->data[0], 4);
	ck_assert_int_eq(qs_gfx3d_tex_mipmaps(g, OWNER, texture), 0);
	ck_assert_int_eq(g->texture[1].levels, 2);
	ck_assert_uint_eq(g->texture[1].level[1]->data[0], 1);
	qs_gfx3d_destroy(g);
}
END_TEST

/* ---- programs and uniforms ---------------------------------------------------------------------------------------------- */

START_TEST(programs)
{
	struct scene s;
	uint32_t other, program, bad;
	float value[4] = {1, 2, 3, 4};

	scene_open(&s, QS_GFX3D_CHRISOS, 8, 8, fs_uniform);
	bad = qs_gfx3d_shader_create(s.g, OWNER, vs_plain, "#version 330\nout vec4 c;\nvoid main() { c = nothing; }\n");
	ck_assert_uint_eq(bad, 0);
	expect_error(s.g, "shader compile failed");
	ck_assert_ptr_nonnull(strstr(qs_gfx3d_last_detail(s.g), "3"));
	bad = qs_gfx3d_shader_create(s.g, OWNER, vs_plain, "#version 330\nin vec3 other;\nout vec4 c;\nvoid main() { c = vec4(other, 1.0); }\n");
	ck_assert_uint_eq(bad, 0);
	expect_error(s.g, "program link failed");
	ck_assert_uint_eq(qs_gfx3d_prog_prepare(s.g, OWNER, s.context, 0x00050005), 0);
	expect_error(s.g, "program not linked");
	other = qs_gfx3d_context_create(s.g, OWNER);
	ck_assert_int_eq(qs_gfx3d_uniform_f(s.g, OWNER, other, "tint", value, 4), -1);
	expect_error(s.g, "no program bound");
	program = qs_gfx3d_prog_prepare(s.g, OWNER, other, s.shader);
	ck_assert_int_eq(qs_gfx3d_use(s.g, OWNER, s.context, program), -1);
	expect_error(s.g, "program of another context");
	ck_assert_int_eq(qs_gfx3d_uniform_f(s.g, OWNER, s.context, "nothing", value, 4), -1);
	expect_error(s.g, "unknown uniform");
	ck_assert_int_eq(qs_gfx3d_shader_destroy(s.g, OWNER, s.shader), 0);
	ck_assert_int_eq(qs_gfx3d_uniform_f(s.g, OWNER, s.context, "tint", value, 4), -1);
	ck_assert_int_eq(scene_draw(&s, scene_triangle, 3, NULL, 0), -1);
	expect_error(s.g, "draw missing bind");
	scene_close(&s);
}
END_TEST

START_TEST(relink)
{
	struct scene s;

	scene_open(&s, QS_GFX3D_CORRECTED, 8, 8, fs_uniform);
	scene_tint(&s, 0, 1, 0, 1);
	ck_assert_int_eq(qs_gfx3d_shader_relink(s.g, OWNER, s.shader, vs_plain, "oops"), -1);
	ck_assert_int_eq(scene_draw(&s, scene_triangle, 3, NULL, 0), 0);
	scene_read(&s);
	ck_assert_uint_eq(scene_at(&s, 4, 4), 0xFF00FF00); /* the old program */
	ck_assert_int_eq(qs_gfx3d_shader_relink(s.g, OWNER, s.shader, vs_plain, fs_varying), 0);
	qs_gfx3d_clear(s.g, OWNER, s.context, 0, 0, 0, 1, 1);
	ck_assert_int_eq(scene_draw(&s, scene_triangle, 3, NULL, 0), 0);
	scene_read(&s);
	ck_assert_uint_eq(scene_at(&s, 4, 4), 0xFFFF0000);
	scene_close(&s);
}
END_TEST

/* ---- calls in the wrong place ------------------------------------------------------------------------------------------- */

START_TEST(frame_errors)
{
	struct qs_gfx3d *g = fresh();
	uint32_t a = qs_gfx3d_context_create(g, OWNER), b = qs_gfx3d_context_create(g, OWNER);
	uint32_t target = qs_gfx3d_target_create(g, OWNER, a, 4, 4);

	ck_assert_int_eq(qs_gfx3d_clear(g, OWNER, a, 0, 0, 0, 1, 1), -1);
	expect_error(g, "no frame");
	ck_assert_int_eq(qs_gfx3d_end(g, OWNER, a), -1);
	expect_error(g, "no frame");
	ck_assert_int_eq(qs_gfx3d_begin(g, OWNER, b, target), -1);
	expect_error(g, "target of another context");
	ck_assert_int_eq(qs_gfx3d_begin(g, OWNER, a, target), 0);
	ck_assert_int_eq(qs_gfx3d_target_destroy(g, OWNER, target), 0);
	ck_assert_int_eq(qs_gfx3d_clear(g, OWNER, a, 0, 0, 0, 1, 1), -1);
	expect_error(g, "no target");
	ck_assert_int_eq(qs_gfx3d_end(g, OWNER, a), 0);
	ck_assert_int_eq(qs_gfx3d_bind_tex(g, OWNER, a, 0, 0x00010001), -1);
	ck_assert_int_eq(qs_gfx3d_bind_tex(g, OWNER, a, 77, 0), 0); /* the unit is ignored */
	qs_gfx3d_destroy(g);
}
END_TEST

/* ---- statistics --------------------------------------------------------------------------------------------------------- */

START_TEST(statistics)
{
	struct qs_gfx3d_stats stats;
	struct scene s;

	scene_open(&s, QS_GFX3D_CHRISOS, 32, 32, fs_varying);
	scene_draw(&s, scene_triangle, 3, NULL, 0);
	scene_draw(&s, scene_triangle, 3, NULL, 0); /* equal depth */
	qs_gfx3d_end(s.g, OWNER, s.context);
	qs_gfx3d_get_stats(s.g, &stats);
	ck_assert_uint_eq(stats.frames, 1);
	ck_assert_uint_eq(stats.clears, 1);
	ck_assert_uint_eq(stats.draws, 2);
	ck_assert_uint_eq(stats.triangles, 2);
	ck_assert_uint_eq(stats.pixels_tested, 676);
	ck_assert_uint_eq(stats.pixels_written, 338);
	ck_assert_uint_eq(stats.pixels_depth_failed, 338);
	ck_assert_uint_eq(stats.depth_bytes, 4096);
	ck_assert_uint_eq(stats.programs, 1);
	ck_assert_uint_eq(stats.errors, 0);
	qs_gfx3d_stats_reset(s.g);
	qs_gfx3d_get_stats(s.g, &stats);
	ck_assert_uint_eq(stats.draws + stats.frames + stats.pixels_written, 0);
	ck_assert_uint_eq(stats.color_bytes, 4096);
	ck_assert_uint_eq(stats.contexts, 1);
	ck_assert(!stats.degraded);
	scene_close(&s);
}
END_TEST

/* ---- backends ----------------------------------------------------------------------------------------------------------- */

START_TEST(mock)
{
	struct qs_gfx3d_stats stats;
	struct scene s;

	scene_open_on(&s, QS_GFX3D_MOCK, QS_GFX3D_CHRISOS, 8, 8, 1, fs_varying);
	ck_assert_str_eq(qs_gfx3d_backend_name(s.g), "mock");
	qs_gfx3d_bind_tex(s.g, OWNER, s.context, 0, 0);
	scene_draw(&s, scene_triangle, 3, NULL, 0);
	qs_gfx3d_end(s.g, OWNER, s.context);
	ck_assert_str_eq(qs_gfx3d_mock_log(s.g), "use begin clear tex draw end ");
	qs_gfx3d_get_stats(s.g, &stats);
	ck_assert_uint_eq(stats.pixels_tested, 0);
	for (int i = 0; i < 400; i++) {
		qs_gfx3d_begin(s.g, OWNER, s.context, s.target);
		qs_gfx3d_end(s.g, OWNER, s.context);
	}
	ck_assert_uint_le(strlen(qs_gfx3d_mock_log(s.g)), 1023);
	ck_assert_uint_gt(strlen(qs_gfx3d_mock_log(s.g)), 1000);
	scene_close(&s);
}
END_TEST

/* Without a host: forced fails and says so, AUTO draws in software. */
START_TEST(no_host)
{
	struct qs_gfx3d *g;

	setenv("QUADSCOPE_VIRGL_SERVER", "/nonexistent/server", 1);
	g = fresh();
	ck_assert_int_eq(qs_gfx3d_boot(g, QS_GFX3D_VIRGL), -1);
	ck_assert_str_eq(qs_gfx3d_backend_name(g), "virgl-lost");
	ck_assert_ptr_nonnull(strstr(qs_gfx3d_last_detail(g), "virgl"));
	ck_assert_int_eq(qs_gfx3d_boot(g, QS_GFX3D_AUTO), 0);
	ck_assert_str_eq(qs_gfx3d_backend_name(g), "software");
	ck_assert_int_eq(qs_gfx3d_boot(g, (enum qs_gfx3d_backend)9), -1);
	qs_gfx3d_destroy(g);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("gfx3d api");
	TCase *tcase = tcase_create("all");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, handles);
	tcase_add_test(tcase, generations_wrap);
	tcase_add_loop_test(tcase, full_tables, 0, sizeof tables / sizeof *tables);
	tcase_add_test(tcase, life_cycles);
	tcase_add_loop_test(tcase, target_sizes, 0, sizeof sizes / sizeof *sizes);
	tcase_add_test(tcase, resizes);
	tcase_add_test(tcase, mesh_errors);
	tcase_add_test(tcase, mesh_builder);
	tcase_add_test(tcase, texture_errors);
	tcase_add_test(tcase, programs);
	tcase_add_test(tcase, relink);
	tcase_add_test(tcase, frame_errors);
	tcase_add_test(tcase, statistics);
	tcase_add_test(tcase, mock);
	tcase_add_test(tcase, no_host);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
