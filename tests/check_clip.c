/* check_clip.c - trivial rejection and clipping: the facts of spec 08, exact cuts, random polygons against points
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gx/front.h"
#include "gx/machine.h"
#include "oracle/clip.h"
#include "oracle/random.h"

static struct gx_machine *m;

static void setup(void)
{
	m = gx_machine_create(0x1000, 0);
	ck_assert_ptr_nonnull(m);
}

static void teardown(void)
{
	gx_machine_destroy(m);
}

static void make(struct gx_vertex *v, const float clip[4], unsigned index)
{
	memset(v, 0, sizeof *v);
	v->index = index;
	memcpy(v->clip, clip, sizeof v->clip);
	v->outcode = gx_xf_outcode(m, clip);
}

/* ---- what becomes of a primitive ---------------------------------------------------------------------------------------- */

enum { HARDWARE = 1, DOLPHIN = 2, BOTH = 3 };

static const struct {
	const char *name;
	unsigned models, vertices;
	uint32_t disable; /* CLIP_DISABLE */
	float clip[3][4];
	bool rejected;
	unsigned count;
} fates[] = {
	{"inside", BOTH, 3, 0, {{0, 0, -0.5f, 1}, {1, 0, -0.5f, 1}, {0, 1, -0.5f, 1}}, false, 3},
	{"fact 18: before near, clipping on", BOTH, 3, 0, {{-1, -1, -1.1f, 1}, {1, -1, -1.1f, 1}, {1, 1, -1.1f, 1}}, true, 0},
	{"fact 18: before near, CLIP_DISABLE 1", BOTH, 3, 1, {{-1, -1, -1.1f, 1}, {1, -1, -1.1f, 1}, {1, 1, -1.1f, 1}}, true, 0},
	{"fact 19: behind far, clipping on", BOTH, 3, 0, {{-1, -1, 0.00001f, 1}, {1, -1, 0.00001f, 1}, {1, 1, 0.00001f, 1}}, true, 0},
	{"fact 19: behind far, CLIP_DISABLE 1", BOTH, 3, 1, {{-1, -1, 0.00001f, 1}, {1, -1, 0.00001f, 1}, {1, 1, 0.00001f, 1}}, true, 0},
	{"fact 20: one before near, others on it: nothing with area", HARDWARE, 3, 0, {{-1, -1, -1.5f, 1}, {1, -1, -1, 1}, {1, 1, -1, 1}}, false, 0},
	{"fact 20: the same with CLIP_DISABLE 1", BOTH, 3, 1, {{-1, -1, -1.5f, 1}, {1, -1, -1, 1}, {1, 1, -1, 1}}, false, 3},
	{"fact 21: far before near, CLIP_DISABLE 1", BOTH, 3, 1, {{-1, -1, -65537, 1}, {1, -1, -65537, 1}, {1, 1, -1, 1}}, false, 3},
	{"fact 17: between w and 2w: part of the guard band", HARDWARE, 3, 0, {{-2, -1, -0.5f, 1}, {-1, -1, -0.5f, 1}, {-1, 1, -0.5f, 1}}, false, 3},
	{"fact 17: -2 towards zero", HARDWARE, 3, 0, {{-1.9999999f, -1, -0.5f, 1}, {-1, -1, -0.5f, 1}, {-1, 1, -0.5f, 1}}, false, 3},
	{"beyond -2 is cut", HARDWARE, 3, 0, {{-2.5f, -1, -0.5f, 1}, {-1, -1, -0.5f, 1}, {-1, 1, -0.5f, 1}}, false, 4},
	{"all beyond x = -w: rejected in the guard band too", BOTH, 3, 0, {{-2, -1, -0.5f, 1}, {-1.1f, -1, -0.5f, 1}, {-1.1f, 1, -0.5f, 1}}, true, 0},
	{"trivial rejection off: clipping decides", HARDWARE, 3, 2, {{-2, -1, -0.5f, 1}, {-1.1f, -1, -0.5f, 1}, {-1.1f, 1, -0.5f, 1}}, false, 3},
	{"trivial rejection off: nothing beyond 2w", HARDWARE, 3, 2, {{-3, -1, -0.5f, 1}, {-2.1f, -1, -0.5f, 1}, {-2.1f, 1, -0.5f, 1}}, false, 0},
	{"Dolphin does not know that bit", DOLPHIN, 3, 2, {{-2, -1, -0.5f, 1}, {-1.1f, -1, -0.5f, 1}, {-1.1f, 1, -0.5f, 1}}, true, 0},
	{"Dolphin clips at 1w", DOLPHIN, 3, 0, {{-1.5f, -1, -0.5f, 1}, {0, -1, -0.5f, 1}, {0, 1, -0.5f, 1}}, false, 4},
	{"CLIP_DISABLE 4 changes nothing", HARDWARE, 3, 4, {{-2.5f, -1, -0.5f, 1}, {-1, -1, -0.5f, 1}, {-1, 1, -0.5f, 1}}, false, 4},
	{"far plane is cut", HARDWARE, 3, 0, {{0, 0, 0.5f, 1}, {0.5f, 0, -0.5f, 1}, {0, 0.5f, -0.5f, 1}}, false, 4},
	{"Dolphin leaves the far side", DOLPHIN, 3, 0, {{0, 0, 0.5f, 1}, {0.5f, 0, -0.5f, 1}, {0, 0.5f, -0.5f, 1}}, false, 3},
	/* x = 2w and y = 2w meet inside: a corner more */
	{"behind the eye is cut even with CLIP_DISABLE 1", HARDWARE, 3, 1, {{0, 0, 0.5f, -1}, {0.5f, 0, -0.5f, 1}, {0, 0.5f, -0.5f, 1}}, false, 5},
	{"line inside", BOTH, 2, 0, {{0, 0, -0.5f, 1}, {0.5f, 0, -0.5f, 1}}, false, 2},
	{"line before near", BOTH, 2, 0, {{0, 0, -1.5f, 1}, {0.5f, 0, -1.5f, 1}}, true, 0},
	{"line past a corner", HARDWARE, 2, 0, {{-2.5f, 0.5f, -0.5f, 1}, {-0.5f, 2.5f, -0.5f, 1}}, false, 2},
	{"line outside a corner", HARDWARE, 2, 0, {{-3, 1.8f, -0.5f, 1}, {-1.8f, 3, -0.5f, 1}}, true, 0},
	{"line outside a guard corner, not rejected", HARDWARE, 2, 0, {{-5, 0, -0.5f, 1}, {0, 5, -0.5f, 1}}, false, 0},
	{"Dolphin draws that line anyway", DOLPHIN, 2, 0, {{-3, 0, -0.5f, 1}, {0, 3, -0.5f, 1}}, false, 2},
	{"point inside", BOTH, 1, 0, {{0, 0, -0.5f, 1}}, false, 1},
	{"point outside", HARDWARE, 1, 0, {{1.5f, 0, -0.5f, 1}}, true, 0},
	{"Dolphin draws points anywhere", DOLPHIN, 1, 0, {{1.5f, 0, -0.5f, 1}}, false, 1},
	{"point in the guard band without rejection", HARDWARE, 1, 2, {{1.5f, 0, -0.5f, 1}}, false, 1},
	{"point beyond the guard band without rejection", HARDWARE, 1, 2, {{2.5f, 0, -0.5f, 1}}, false, 0},
};

START_TEST(fate)
{
	struct gx_vertex in[3], out[12];

	for (unsigned model = 0; model < 2; model++) {
		bool rejected;
		if (!(fates[_i].models >> model & 1))
			continue;
		gx_machine_set_model(m, model ? QS_MODEL_DOLPHIN : QS_MODEL_HARDWARE);
		m->state.xf[0x1005] = fates[_i].disable;
		for (unsigned i = 0; i < fates[_i].vertices; i++)
			make(&in[i], fates[_i].clip[i], i);
		unsigned n = gx_clip(m, in, fates[_i].vertices, out, &rejected);
		ck_assert_msg(n == fates[_i].count, "%s, model %u: %u vertices", fates[_i].name, model, n);
		ck_assert_msg(rejected == fates[_i].rejected, "%s, model %u: rejected", fates[_i].name, model);
	}
}
END_TEST

/* ---- what a cut makes --------------------------------------------------------------------------------------------------- */

START_TEST(attributes_of_a_cut)
{
	const float inside[4] = {0, 0, -0.5f, 1}, outside[4] = {4, 0, -0.5f, 1}, third[4] = {0, 1, -0.5f, 1};
	struct gx_vertex in[3], out[12];
	bool rejected;

	make(&in[0], inside, 0);
	make(&in[1], outside, 1);
	make(&in[2], third, 2);
	in[1].eye[0] = 8;
	in[1].eye_normal[1] = 4;
	in[1].tex[3][0] = 100;
	in[1].tex[7][2] = 2;
	in[1].colour[0][0] = 101;
	in[0].colour[0][1] = 200;
	in[1].colour[1][3] = 255;
	ck_assert_uint_eq(gx_clip(m, in, 3, out, &rejected), 4);
	/* order: 0, cut of 0-1, cut of 1-2, 2 */
	ck_assert(out[0].index == 0 && out[1].index == QS_NONE && out[2].index == QS_NONE && out[3].index == 2);
	ck_assert(out[1].clip[0] == 2 && out[1].clip[3] == 1 && out[1].outcode == 1);
	ck_assert(out[1].eye[0] == 4 && out[1].eye_normal[1] == 2 && out[1].tex[3][0] == 50 && out[1].tex[7][2] == 1);
	ck_assert_uint_eq(out[1].colour[0][0], 51); /* 50.5 rounded */
	ck_assert_uint_eq(out[1].colour[0][1], 100);
	ck_assert_uint_eq(out[1].colour[1][3], 128);
	/* Dolphin: at 1w, three quarters of the way in from the vertex outside, parameter 192 of 256, products shifted down */
	gx_machine_set_model(m, QS_MODEL_DOLPHIN);
	ck_assert_uint_eq(gx_clip(m, in, 3, out, &rejected), 4);
	ck_assert(out[1].clip[0] == 1 && out[1].tex[3][0] == 25);
	ck_assert_uint_eq(out[1].colour[0][0], 25);  /* 101 + (-101*192 >> 8) = 101 - 76 */
	ck_assert_uint_eq(out[1].colour[0][1], 150); /* 0 + (200*192 >> 8) */
	ck_assert_uint_eq(out[1].colour[1][3], 63);  /* 255 - 192 */
}
END_TEST

START_TEST(line_cut)
{
	const float a[4] = {-4, 0, -0.5f, 1}, b[4] = {4, 0, -0.5f, 1};
	struct gx_vertex in[2], out[12];
	bool rejected;

	make(&in[0], a, 0);
	make(&in[1], b, 1);
	in[1].tex[0][0] = 8;
	ck_assert_uint_eq(gx_clip(m, in, 2, out, &rejected), 2);
	ck_assert(out[0].clip[0] == -2 && out[1].clip[0] == 2 && out[0].tex[0][0] == 2 && out[1].tex[0][0] == 6);
	ck_assert(out[0].index == QS_NONE && out[1].index == QS_NONE);
	gx_machine_set_model(m, QS_MODEL_DOLPHIN);
	ck_assert_uint_eq(gx_clip(m, in, 2, out, &rejected), 2);
	ck_assert(out[0].clip[0] == -1 && out[1].clip[0] == 1);
}
END_TEST

/* Two triangles that share an edge must cut it at the same point, whichever way they run along it. */
START_TEST(shared_edge)
{
	struct oracle_random random = oracle_random_start();
	struct gx_vertex in[3], first[12], second[12];
	bool rejected;

	for (unsigned n = 0; n < 2000; n++) {
		float clip[4][4];
		gx_machine_set_model(m, n & 1 ? QS_MODEL_DOLPHIN : QS_MODEL_HARDWARE);
		for (unsigned i = 0; i < 4; i++) {
			for (unsigned k = 0; k < 3; k++)
				clip[i][k] = (float)((int)oracle_random_below(&random, 2001) - 1000) / 1000.0f;
			clip[i][2] = -0.5f;
			clip[i][3] = 1 + (float)oracle_random_below(&random, 100) / 100.0f;
		}
		clip[0][0] = -0.1f;
		clip[1][0] = 7; /* the edge 0-1 leaves to the right only */
		clip[2][0] = clip[3][0] = 0;
		make(&in[0], clip[0], 0);
		make(&in[1], clip[1], 1);
		make(&in[2], clip[2], 2);
		unsigned a = gx_clip(m, in, 3, first, &rejected);
		make(&in[0], clip[1], 1);
		make(&in[1], clip[0], 0);
		make(&in[2], clip[3], 3);
		unsigned b = gx_clip(m, in, 3, second, &rejected);
		bool found = false;
		for (unsigned i = 0; i < a; i++)
			for (unsigned k = 0; k < b; k++)
				found |= first[i].index == QS_NONE && !memcmp(first[i].clip, second[k].clip, sizeof first[i].clip);
		ck_assert_msg(found, "seed %llu case %u", (unsigned long long)random.seed, n);
	}
}
END_TEST

/* ---- random triangles --------------------------------------------------------------------------------------------------- */

static void random_triangle(struct oracle_random *r, struct gx_vertex in[3])
{
	for (unsigned i = 0; i < 3; i++) {
		float clip[4];
		for (unsigned k = 0; k < 4; k++)
			clip[k] = (float)((int)oracle_random_below(r, 6001) - 3000) / 1000.0f;
		clip[2] = clip[2] / 3 - 0.5f;
		if (oracle_random_below(r, 4))
			clip[3] = fabsf(clip[3]);
		make(&in[i], clip, i);
		for (unsigned k = 0; k < 4; k++)
			in[i].tex[0][k % 3] = (float)((int)oracle_random_below(r, 2001) - 1000) / 100.0f;
		in[i].eye[1] = in[i].tex[0][1] + 1;
	}
}

static void widen(const struct gx_vertex *v, double out[4])
{
	for (unsigned i = 0; i < 4; i++)
		out[i] = (double)v->clip[i];
}

static double polygon_value(const double weights[3], const struct gx_vertex *a, const struct gx_vertex *b, const struct gx_vertex *c)
{
	return weights[0] * (double)a->tex[0][0] + weights[1] * (double)b->tex[0][0] + weights[2] * (double)c->tex[0][0];
}

/* Least weight of p in the triangle of the fan that holds it best; *value: the attribute there. */
static double fan_depth(const struct gx_vertex *out, unsigned n, const double p[4], double *value)
{
	double best = -INFINITY;

	for (unsigned i = 1; i + 1 < n; i++) {
		double a[4], b[4], c[4], w[3];
		widen(&out[0], a);
		widen(&out[i], b);
		widen(&out[i + 1], c);
		if (!oracle_weights(a, b, c, p, w))
			continue;
		double least = fmin(w[0], fmin(w[1], w[2]));
		if (least > best) {
			best = least;
			*value = polygon_value(w, &out[0], &out[i], &out[i + 1]);
		}
	}
	return best;
}

START_TEST(random_triangles)
{
	struct oracle_random random = oracle_random_start();
	struct gx_vertex in[3], out[12];
	unsigned kept_points = 0, cut_points = 0;

	for (unsigned n = 0; n < 3000; n++) {
		double corner[3][4];
		bool rejected;
		random_triangle(&random, in);
		unsigned count = gx_clip(m, in, 3, out, &rejected);
		ck_assert_msg(count <= 12 && (count == 0 || count >= 3), "seed %llu triangle %u: %u vertices", (unsigned long long)random.seed, n,
			count);
		for (unsigned i = 0; i < 3; i++)
			widen(&in[i], corner[i]);
		for (unsigned i = 0; i < count; i++) {
			double p[4];
			widen(&out[i], p);
			ck_assert_msg(oracle_slack(p, 2) > -1e-5, "seed %llu triangle %u: vertex %u is outside", (unsigned long long)random.seed, n, i);
		}
		for (unsigned k = 0; k < 60 && !rejected; k++) {
			double w[3] = {oracle_random_below(&random, 1001) / 1000.0, oracle_random_below(&random, 1001) / 1000.0, 0}, p[4], value = 0;
			if (w[0] + w[1] > 1) {
				w[0] = 1 - w[0];
				w[1] = 1 - w[1];
			}
			w[2] = 1 - w[0] - w[1];
			for (unsigned i = 0; i < 4; i++)
				p[i] = w[0] * corner[0][i] + w[1] * corner[1][i] + w[2] * corner[2][i];
			double slack = oracle_slack(p, 2), depth = fan_depth(out, count, p, &value);
			if (slack > 0.01) {
				ck_assert_msg(depth > -0.01, "seed %llu triangle %u: a point inside got lost (%g)", (unsigned long long)random.seed, n, depth);
				double expected = polygon_value(w, &in[0], &in[1], &in[2]);
				if (depth > 0.001)
					ck_assert_msg(fabs(value - expected) < 0.02, "seed %llu triangle %u: attribute %g, not %g",
						(unsigned long long)random.seed, n, value, expected);
				kept_points++;
			} else if (slack < -0.01) {
				ck_assert_msg(depth < 0.01, "seed %llu triangle %u: a point outside was kept (%g)", (unsigned long long)random.seed, n, depth);
				cut_points++;
			}
		}
		if (rejected) /* then every point is beyond 1w, far or near */
			ck_assert(in[0].outcode & in[1].outcode & in[2].outcode);
	}
	ck_assert_uint_ge(kept_points, 10000);
	ck_assert_uint_ge(cut_points, 10000);
}
END_TEST

/* Coordinates that no program means: nothing may be written past the caller's array, nothing hang. */
START_TEST(strange_numbers)
{
	static const float strange[] = {0, -0.0f, 1, -1, 2, INFINITY, -INFINITY, NAN, 1e38f, -1e38f, 1e-40f};
	struct oracle_random random = oracle_random_start();
	struct gx_vertex in[3], out[13];
	bool rejected;

	memset(&out[12], 0x5A, sizeof out[12]);
	for (unsigned n = 0; n < 20000; n++) {
		gx_machine_set_model(m, n & 1 ? QS_MODEL_DOLPHIN : QS_MODEL_HARDWARE);
		m->state.xf[0x1005] = oracle_random_below(&random, 8);
		for (unsigned i = 0; i < 3; i++) {
			float clip[4];
			for (unsigned k = 0; k < 4; k++)
				clip[k] = strange[oracle_random_below(&random, sizeof strange / sizeof *strange)];
			make(&in[i], clip, i);
			memset(in[i].colour, 255 * (int)i, sizeof in[i].colour);
		}
		for (unsigned vertices = 1; vertices <= 3; vertices++)
			ck_assert_uint_le(gx_clip(m, in, vertices, out, &rejected), 12);
	}
	for (unsigned i = 0; i < sizeof out[12]; i++)
		ck_assert_uint_eq(((const uint8_t *)&out[12])[i], 0x5A);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("clip");
	TCase *tcase = tcase_create("clip");
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, fate, 0, sizeof fates / sizeof *fates);
	tcase_add_test(tcase, attributes_of_a_cut);
	tcase_add_test(tcase, line_cut);
	tcase_add_test(tcase, shared_edge);
	tcase_add_test(tcase, random_triangles);
	tcase_add_test(tcase, strange_numbers);
	tcase_set_timeout(tcase, 60);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
