/* check_gfx3d_coverage.c - which pixels a triangle covers, against an oracle; clipping, the camera
 *
 * Figures come from spec chrisos/02 sections 3, 6 and 7 and from the seed document.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "gfx3d_scene.h"

#include <math.h>

#include "oracle/random.h"
#include "oracle/soft_tri.h"

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
	Suite *suite = suite_create("gfx3d coverage");
	TCase *tcase = tcase_create("all");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tcase, 120);
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
