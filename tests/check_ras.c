/* check_ras.c - setup unit and rasteriser: sample point, fill rule, coverage, scissor, planes
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gx/su.h"
#include "oracle/coverage_oracle.h"
#include "oracle/random.h"

#define BIAS 342

static struct gx_machine *machine;

static void setup(void)
{
	machine = calloc(1, sizeof *machine);
	/* scissor: the whole EFB; samples: no offset */
	machine->state.bp[0x20] = BIAS << 12 | BIAS;
	machine->state.bp[0x21] = (uint32_t)(BIAS + 639) << 12 | (BIAS + 527);
	machine->state.bp[0x59] = 171 << 10 | 171;
	for (unsigned i = 1; i <= 4; i++)
		machine->state.bp[i] = 0x666666;
}

static void teardown(void)
{
	free(machine);
}

static void model(enum qs_model which)
{
	for (uint32_t i = 0; i < GX_QUIRK_COUNT; i++) {
		static const int values[GX_QUIRK_COUNT][QS_MODEL_COUNT] = {
#define QUIRK(name, hardware, dolphin, pureikyubu, text) {hardware, dolphin, pureikyubu},
#include "gx/quirks.def"
#undef QUIRK
		};
		machine->quirk[i] = values[i][which];
	}
}

static unsigned long seed_start(void)
{
	const char *text = getenv("QS_SEED");
	unsigned long seed = text ? strtoul(text, NULL, 0) : 20261130;

	printf("seed %lu\n", seed);
	srand48((long)seed);
	return seed;
}

static struct gx_vertex vertex(double x, double y)
{
	struct gx_vertex v;

	memset(&v, 0, sizeof v);
	v.screen[0] = (float)(v.exact[0] = x);
	v.screen[1] = (float)(v.exact[1] = y);
	v.inv_w = 1;
	return v;
}

/* Oriented as su.c orients it: counter-clockwise on the screen. */
static bool make(struct gx_triangle *t, struct gx_vertex v[3])
{
	struct su_scissor scissor[SU_MAX_SCISSORS];
	double area = ((double)v[1].screen[0] - v[0].screen[0]) * ((double)v[2].screen[1] - v[0].screen[1]) -
		((double)v[1].screen[1] - v[0].screen[1]) * ((double)v[2].screen[0] - v[0].screen[0]);
	const struct gx_vertex *const p[3] = {&v[0], area > 0 ? &v[2] : &v[1], area > 0 ? &v[1] : &v[2]};

	ck_assert_uint_eq(su_scissors(&machine->state, scissor), 1);
	memset(t, 0, sizeof *t);
	return su_triangle(machine, p, &scissor[0], t);
}

/* Adds the samples that the triangle covers; map[y][x] counts, three samples a pixel. */
#define MAP 96
static unsigned char map[MAP][MAP][3];

static void paint(const struct gx_triangle *t)
{
	struct gx_ras ras;
	int x, y, last_y = -2, last_x = -2;
	uint16_t coverage;

	gx_ras_begin(&ras, t);
	while (gx_ras_next(&ras, &x, &y, &coverage)) {
		ck_assert_msg(!(x & 1) && !(y & 1), "quads are aligned");
		ck_assert_msg(y > last_y || (y == last_y && x > last_x), "rows from the top, left to right");
		ck_assert_uint_ne(coverage, 0);
		last_x = x;
		last_y = y;
		for (unsigned bit = 0; bit < 12; bit++) {
			int px = x + (int)(bit / 3 & 1), py = y + (int)(bit / 6);
			if (coverage >> bit & 1 && px < MAP && py < MAP)
				map[py][px][bit % 3]++;
		}
	}
}

static void paint_rectangle(double x0, double y0, double x1, double y1)
{
	struct gx_triangle t;
	struct gx_vertex a[3] = {vertex(x0, y0), vertex(x1, y0), vertex(x1, y1)}, b[3] = {vertex(x0, y0), vertex(x1, y1), vertex(x0, y1)};

	if (make(&t, a))
		paint(&t);
	if (make(&t, b))
		paint(&t);
}

/* ---- sample point: facts 15 and 16 of the hardware-verified list (dolphin-emu/hwtests rasterization test) ----------------- */

static const struct {
	const char *name;
	float x;
	bool covered;
} left_edges[] = {
	{"fact 15: last covering left edge", 0.583328247070f, true},
	{"fact 15: first failing left edge", 0.583328306675f, false},
};

START_TEST(left_edge)
{
	model(QS_MODEL_HARDWARE);
	memset(map, 0, sizeof map);
	paint_rectangle((float)(BIAS + 50) + left_edges[_i].x, BIAS + 10, BIAS + 80, BIAS + 20);
	ck_assert_msg((map[12][50][0] == 1) == left_edges[_i].covered, "%s", left_edges[_i].name);
	ck_assert_uint_eq(map[12][51][0], 1);
}
END_TEST

static const struct {
	const char *name;
	float x;
	bool covered;
} thin_quads[] = {
	{"fact 16: first position that shows", 0.583297729492f, true},
	{"fact 16: last position that shows", 0.583328247070f, true},
	{"fact 16: just before", 0.583297669888f, false},
	{"fact 16: just after", 0.583328306675f, false},
};

START_TEST(thin_quad)
{
	float scale = 2e-5f, centre = 342 + thin_quads[_i].x + 2e-5f;

	model(QS_MODEL_HARDWARE);
	memset(map, 0, sizeof map);
	paint_rectangle((double)centre - (double)scale, BIAS, (double)centre + (double)scale, BIAS + 20);
	ck_assert_msg((map[12][0][0] == 1) == thin_quads[_i].covered, "%s", thin_quads[_i].name);
}
END_TEST

/* ---- coverage against the oracle ----------------------------------------------------------------------------------------- */

/* Coordinates are multiples of 1/16 pixel, many of them on sample points, so that ties are common. */
static float random_coordinate(void)
{
	return (float)BIAS + (float)(lrand48() % (80 * 16)) / 16.0f;
}

struct sample_grid {
	int64_t unit, offset_x[3], offset_y[3]; /* sample position inside the pixel */
	unsigned count;
};

static void compare_with_oracle(const struct gx_vertex v[3], const struct sample_grid *g, int64_t snap_add)
{
	int64_t x[3], y[3];

	for (unsigned i = 0; i < 3; i++) {
		x[i] = llrintf((v[i].screen[0] - BIAS) * (float)g->unit) + snap_add;
		y[i] = llrintf((v[i].screen[1] - BIAS) * (float)g->unit) + snap_add;
	}
	for (int py = 0; py < 84; py++)
		for (int px = 0; px < 84; px++)
			for (unsigned k = 0; k < g->count; k++) {
				bool in = coverage_oracle(x, y, px * g->unit + g->offset_x[k], py * g->unit + g->offset_y[k]);
				if (map[py][px][k] != in) /* an assertion that passes costs a system call */
					ck_abort_msg("pixel %d,%d sample %u: %d, oracle %d; triangle %a %a  %a %a  %a %a", px, py, k,
					map[py][px][k], in, (double)v[0].screen[0], (double)v[0].screen[1], (double)v[1].screen[0],
					(double)v[1].screen[1], (double)v[2].screen[0], (double)v[2].screen[1]);
			}
}

static const struct {
	const char *name;
	enum qs_model model;
	bool multisample;
	struct sample_grid grid;
} grids[] = {
	{"hardware, 7/12", QS_MODEL_HARDWARE, false, {192, {112, 112, 112}, {112, 112, 112}, 3}},
	{"dolphin, 9/16", QS_MODEL_DOLPHIN, false, {16, {9, 9, 9}, {9, 9, 9}, 3}},
	/* GX's anti-aliasing pattern of the first pixel, (3,2) (9,6) (3,10), each plus 1 */
	{"hardware, three samples", QS_MODEL_HARDWARE, true, {192, {64, 160, 64}, {48, 112, 176}, 3}},
	/* pureikyubu: (field)/12 */
	{"pureikyubu, three samples", QS_MODEL_PUREIKYUBU, true, {192, {48, 144, 48}, {32, 96, 160}, 3}},
};

START_TEST(random_triangles)
{
	seed_start();
	model(grids[_i].model);
	if (grids[_i].multisample) {
		machine->state.bp[0] |= 1 << 9;
		for (unsigned i = 1; i <= 4; i++)
			machine->state.bp[i] = 3 | 2 << 4 | 9 << 8 | 6 << 12 | 3 << 16 | 10 << 20;
	}
	for (int n = 0; n < ORACLE_ROUNDS(600); n++) {
		struct gx_vertex v[3] = {vertex(random_coordinate(), random_coordinate()), vertex(random_coordinate(), random_coordinate()),
			vertex(random_coordinate(), random_coordinate())};
		struct gx_triangle t;

		if (n % 4 == 0) /* slivers */
			v[2] = vertex(v[0].exact[0] + (double)(lrand48() % 33 - 16) / 16, v[0].exact[1] + (double)(lrand48() % 33 - 16) / 16);
		if (n % 5 == 0)
			v[1] = vertex(v[1].screen[0], v[0].screen[1]);
		memset(map, 0, sizeof map);
		if (make(&t, v))
			paint(&t);
		compare_with_oracle(v, &grids[_i].grid, 0);
	}
}
END_TEST

/* A mesh of triangles with shared, jittered vertices: every sample well inside is covered exactly once. */
START_TEST(mesh_without_gaps)
{
	float x[9][9], y[9][9];

	seed_start();
	model(grids[_i].model);
	for (int round = 0; round < ORACLE_ROUNDS(40); round++) {
		for (int j = 0; j < 9; j++)
			for (int i = 0; i < 9; i++) {
				x[j][i] = (float)(BIAS + 9 * i + 2) + (float)(drand48() * 2.2);
				y[j][i] = (float)(BIAS + 9 * j + 2) + (float)(drand48() * 2.2);
			}
		memset(map, 0, sizeof map);
		for (int j = 0; j < 8; j++)
			for (int i = 0; i < 8; i++) {
				struct gx_vertex a = vertex(x[j][i], y[j][i]), b = vertex(x[j][i + 1], y[j][i + 1]);
				struct gx_vertex c = vertex(x[j + 1][i + 1], y[j + 1][i + 1]), d = vertex(x[j + 1][i], y[j + 1][i]);
				struct gx_vertex one[3] = {a, b, c}, two[3] = {a, c, d};
				struct gx_triangle t;
				if (make(&t, one))
					paint(&t);
				if (make(&t, two))
					paint(&t);
			}
		for (int py = 9; py < 71; py++)
			for (int px = 9; px < 71; px++)
				for (int k = 0; k < 3; k++)
					if (map[py][px][k] != 1)
						ck_abort_msg("%s: pixel %d,%d covered %d times", grids[_i].name, px, py, map[py][px][k]);
	}
}
END_TEST

/* Triangles far larger than the screen and coordinates beyond any limit: no overflow, and the middle is covered. */
START_TEST(huge_triangles)
{
	static const float sizes[] = {5e3f, 1e5f, 1e6f, 3e7f, INFINITY};
	float s = sizes[_i];
	struct gx_vertex v[3] = {vertex(BIAS - s, BIAS - s), vertex(BIAS + 3 * s, BIAS - s), vertex(BIAS - s, BIAS + 3 * s)};
	struct gx_triangle t;

	for (int k = 0; k < QS_MODEL_COUNT; k++) {
		model((enum qs_model)k);
		memset(map, 0, sizeof map);
		if (make(&t, v)) {
			paint(&t);
			if (k != QS_MODEL_DOLPHIN && s < 1e6f)
				ck_assert_uint_eq(map[40][40][0], 1);
		}
	}
}
END_TEST

/* ---- scissor: fact 34 ----------------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	int left, top, right, bottom; /* registers, with bias */
	unsigned offset_x, offset_y;  /* register fields */
	unsigned count;
	struct qs_rect first;
} scissors[] = {
	{"full screen", 342, 342, 981, 869, 171, 171, 1, {0, 0, 640, 528}},
	{"inclusive corners", 352, 362, 352, 362, 171, 171, 1, {10, 20, 11, 21}},
	{"fact 34: left beyond right draws nothing", 400, 342, 399, 869, 171, 171, 0, {0, 0, 0, 0}},
	{"fact 34: wraps at 1024: -1000..-901 is 24..123", 0, 342, 99, 869, 500, 171, 1, {24, 0, 124, 528}},
	{"top bit of the offset field is ignored", 352, 362, 361, 371, 171 + 512, 171, 1, {10, 20, 20, 30}},
	{"moved by the offset", 342, 342, 441, 441, 161, 166, 1, {20, 10, 120, 110}},
};

START_TEST(scissor_rectangles)
{
	struct su_scissor out[SU_MAX_SCISSORS];

	machine->state.bp[0x20] = (uint32_t)scissors[_i].left << 12 | (uint32_t)scissors[_i].top;
	machine->state.bp[0x21] = (uint32_t)scissors[_i].right << 12 | (uint32_t)scissors[_i].bottom;
	machine->state.bp[0x59] = scissors[_i].offset_y << 10 | scissors[_i].offset_x;
	unsigned n = su_scissors(&machine->state, out);
	ck_assert_msg(n == scissors[_i].count, "%s: %u rectangles", scissors[_i].name, n);
	if (n)
		ck_assert_msg(!memcmp(&out[0].rect, &scissors[_i].first, sizeof out[0].rect), "%s: %d,%d..%d,%d", scissors[_i].name,
			out[0].rect.x0, out[0].rect.y0, out[0].rect.x1, out[0].rect.y1);
}
END_TEST

/* ---- attributes ----------------------------------------------------------------------------------------------------------- */

/* Against interpolation in double precision at the model's own sample point. */
START_TEST(attribute_planes)
{
	static const double point[QS_MODEL_COUNT] = {7 / 12.0, 0.495, 0.5};

	seed_start();
	model((enum qs_model)_i);
	machine->state.bp[0] = 1 | 1 << 4; /* one texture coordinate, one colour */
	for (int n = 0; n < ORACLE_ROUNDS(2000); n++) {
		struct gx_vertex v[3];
		struct gx_triangle t;
		struct gx_batch *b = &machine->batch;
		struct gx_ras ras;
		int x, y;

		for (unsigned i = 0; i < 3; i++) {
			v[i] = vertex(random_coordinate(), random_coordinate());
			v[i].inv_w = 0.5f + (float)drand48();
			v[i].screen[2] = (float)(drand48() * 16777215);
			for (unsigned c = 0; c < 4; c++)
				v[i].colour[0][c] = (uint8_t)(lrand48() & 255);
			v[i].tex[0][0] = (float)(drand48() * 64);
			v[i].tex[0][1] = (float)(drand48() * 64);
			v[i].tex[0][2] = 1;
		}
		double area = ((double)v[1].screen[0] - v[0].screen[0]) * ((double)v[2].screen[1] - v[0].screen[1]) -
			((double)v[1].screen[1] - v[0].screen[1]) * ((double)v[2].screen[0] - v[0].screen[0]);
		if (fabs(area) < 200 || !make(&t, v))
			continue;
		gx_ras_begin(&ras, &t);
		if (!gx_ras_next(&ras, &x, &y, &b->coverage[0]))
			continue;
		b->quads = 1;
		b->x[0] = (int16_t)x;
		b->y[0] = (int16_t)y;
		b->triangle[0] = &t;
		gx_ras_attributes(machine, b);
		for (unsigned i = 0; i < 4; i++) {
			if (!b->live[i])
				continue;
			double px = x + (int)(i & 1) + point[_i] + BIAS, py = y + (int)(i >> 1) + point[_i] + BIAS;
			double w1 = ((px - v[0].screen[0]) * (v[2].screen[1] - v[0].screen[1]) - (py - v[0].screen[1]) * (v[2].screen[0] - v[0].screen[0])) / area;
			double w2 = ((v[1].screen[0] - v[0].screen[0]) * (py - v[0].screen[1]) - (v[1].screen[1] - v[0].screen[1]) * (px - v[0].screen[0])) / area;
			double bary[3] = {1 - w1 - w2, w1, w2}, z = 0, iw = 0, s = 0, c = 0;
			bool perspective = machine->quirk[GX_QUIRK_colour_perspective] != 0;
			for (unsigned k = 0; k < 3; k++) {
				z += bary[k] * v[k].screen[2];
				iw += bary[k] * v[k].inv_w;
				s += bary[k] * v[k].tex[0][0] * v[k].inv_w;
				c += bary[k] * v[k].colour[0][1] * (perspective ? v[k].inv_w : 1.0);
			}
			s /= iw;
			c /= perspective ? iw : 1;
			if (fabs(iw) < 0.2)
				continue;
			ck_assert_msg(fabs(fmin(fmax(z, 0), 16777215) - b->z[i]) < 16, "z %u, oracle %f", b->z[i], z);
			ck_assert_msg(fabs(s * 128 - b->st[0][0][i]) < 2, "s %d, oracle %f", b->st[0][0][i], s * 128);
			if (c > 0 && c < 255)
				ck_assert_msg(fabs(c - b->ras[0][1][i]) < 1.01, "colour %d, oracle %f", b->ras[0][1][i], c);
			ck_assert_int_eq(b->ras[1][0][i], 0);
		}
	}
}
END_TEST

/* Coordinates of three vertices, the size of the texture, and what SU makes of them with the wrap bit. */
static const struct {
	const char *name;
	uint32_t wrap; /* of SU_SSIZE_0 */
	float s[3], q[3], want[3];
} cylinders[] = {
	{"no wrap bit", 0, {60, 2, 30}, {1, 1, 1}, {60, 2, 30}},
	{"over the seam", 1, {60, 2, 40}, {1, 1, 1}, {60, 66, 40}},
	{"over the seam, the other way", 1, {4, 62, 10}, {1, 1, 1}, {4, -2, 10}},
	{"half is not more than half", 1, {0, 32, -32}, {1, 1, 1}, {0, 32, -32}},
	{"q counts", 1, {120, 1, 40}, {2, 0.5f, 1}, {120, 33, 40}},
};

START_TEST(cylindrical_wrap)
{
	static const float corner[3][2] = {{-0.5f, 0.5f}, {0.5f, 0.5f}, {-0.5f, -0.5f}};
	static struct gx_triangle parts[GX_MAX_PARTS];
	struct gx_vertex v[3];
	const struct gx_vertex *in[3] = {&v[0], &v[1], &v[2]};
	struct qs_setup nothing;
	union { float f; uint32_t u; } word;

	model(QS_MODEL_HARDWARE);
	memset(v, 0, sizeof v);
	machine->state.bp[0] = 1;
	machine->state.bp[0x20] = 342u << 12 | 342;
	machine->state.bp[0x21] = 441u << 12 | 441;
	machine->state.bp[0x59] = 171 << 10 | 171;
	machine->state.bp[0x30] = 63 | cylinders[_i].wrap << 17;
	machine->state.bp[0x31] = 63;
	for (unsigned i = 0; i < 6; i++) { /* viewport: 100 by 100 pixels */
		word.f = i == 0 ? 50 : i == 1 ? -50 : i == 2 ? 0xFFFFFF : i == 5 ? 0xFFFFFF : 342 + 50;
		machine->state.xf[0x101A + i] = word.u;
	}
	for (unsigned i = 0; i < 3; i++) {
		v[i].clip[0] = corner[i][0];
		v[i].clip[1] = corner[i][1];
		v[i].clip[2] = -0.5f;
		v[i].clip[3] = 1;
		v[i].tex[0][0] = cylinders[_i].s[i];
		v[i].tex[0][2] = cylinders[_i].q[i];
		gx_xf_viewport(machine, &v[i]);
	}
	for (int value = 0; value < 2; value++) {
		machine->quirk[GX_QUIRK_cylinder_wrap] = value;
		unsigned n = gx_su_primitive(machine, QS_PRIMITIVE_TRIANGLE, in, parts, &nothing);
		ck_assert_msg(n == 1, "%s: %u parts, verdict %d", cylinders[_i].name, n, nothing.verdict);
		const struct qs_setup *r = &parts[0].record;
		for (unsigned i = 0; i < 3; i++) { /* SU may turn the triangle round */
			unsigned k = 0;
			while (k < 3 && fabsf(r->vertex[k].clip[0] - corner[i][0]) + fabsf(r->vertex[k].clip[1] - corner[i][1]) > 0)
				k++;
			ck_assert_uint_lt(k, 3);
			float want = value ? cylinders[_i].want[i] : cylinders[_i].s[i];
			ck_assert_msg(r->vertex[k].tex[0][0] == want, "%s: s of vertex %u is %f, not %f", cylinders[_i].name, i,
				(double)r->vertex[k].tex[0][0], (double)want);
		}
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("ras");
	TCase *tcase = tcase_create("ras");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 240);
	tcase_add_loop_test(tcase, left_edge, 0, sizeof left_edges / sizeof *left_edges);
	tcase_add_loop_test(tcase, thin_quad, 0, sizeof thin_quads / sizeof *thin_quads);
	tcase_add_loop_test(tcase, random_triangles, 0, sizeof grids / sizeof *grids);
	tcase_add_loop_test(tcase, mesh_without_gaps, 0, sizeof grids / sizeof *grids);
	tcase_add_loop_test(tcase, huge_triangles, 0, 5);
	tcase_add_loop_test(tcase, scissor_rectangles, 0, sizeof scissors / sizeof *scissors);
	tcase_add_loop_test(tcase, attribute_planes, 0, QS_MODEL_COUNT);
	tcase_add_loop_test(tcase, cylindrical_wrap, 0, sizeof cylinders / sizeof *cylinders);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
