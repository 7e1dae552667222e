/* check_su.c - setup unit: culling, shapes and texture offsets of lines and points, which triangles give the frozen depth
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdio.h>

#include "gx/su.h"
#include "tevpe.h"

#define COUNT(table) ((int)(sizeof table / sizeof *table))

static uint32_t float_bits(float f)
{
	union { float f; uint32_t u; } c = {.f = f};
	return c.u;
}

/* Viewport of 640x480 at the origin, scissor of the same size. */
static struct gx_machine *screen_machine(void)
{
	static const float viewport[6] = {320, -240, 16777215, 320 + 342, 240 + 342, 16777215};
	struct gx_machine *m = test_machine(QS_MODEL_HARDWARE);

	test_registers(m);
	m->state.bp[0x20] = 342 << 12 | 342;
	m->state.bp[0x21] = (342 + 639) << 12 | (342 + 479);
	m->state.bp[0x59] = 171 << 10 | 171;
	m->state.bp[0x22] = 6 | 6 << 8;
	for (unsigned i = 0; i < 6; i++)
		m->state.xf[0x101A + i] = float_bits(viewport[i]);
	return m;
}

/* A vertex at a place of the screen; depth 0 far away to 1 near is clip z -1..0. */
static struct gx_vertex at(struct gx_machine *m, double x, double y, double z)
{
	struct gx_vertex v;

	memset(&v, 0, sizeof v);
	v.clip[0] = (float)((x - 320) / 320);
	v.clip[1] = (float)((240 - y) / 240);
	v.clip[2] = (float)(z - 1);
	v.clip[3] = 1;
	gx_xf_viewport(m, &v);
	return v;
}

static struct gx_triangle parts[GX_MAX_PARTS];
static struct qs_setup nothing;

static unsigned set_up(struct gx_machine *m, enum qs_primitive_kind kind, const struct gx_vertex *v)
{
	const struct gx_vertex *const p[3] = {&v[0], &v[1], &v[2]};

	return gx_su_primitive(m, kind, p, parts, &nothing);
}

/* ---- culling ------------------------------------------------------------------------------------------------------------ */

static const struct {
	const char *name;
	unsigned reject;
	bool clockwise, mirrored, drawn;
} culls[] = {
	{"none, clockwise", 0, true, false, true},
	{"none, counter-clockwise", 0, false, false, true},
	{"1 rejects counter-clockwise", 1, false, false, false},
	{"1 keeps clockwise", 1, true, false, true},
	{"2 rejects clockwise", 2, true, false, false},
	{"2 keeps counter-clockwise", 2, false, false, true},
	{"3 rejects clockwise", 3, true, false, false},
	{"3 rejects counter-clockwise", 3, false, false, false},
	{"mirrored view: what is seen counts", 1, false, true, false},
	{"mirrored view: the other one", 1, true, true, true},
};

START_TEST(cull_case)
{
	struct gx_machine *m = screen_machine();
	bool swapped = !culls[_i].clockwise;

	if (culls[_i].mirrored)
		m->state.xf[0x101A] = float_bits(-320);
	m->state.bp[0] = culls[_i].reject << 14;
	/* x positions are those before mirroring: take them from the other side */
	double left = culls[_i].mirrored ? 540 : 100, right = culls[_i].mirrored ? 440 : 200;
	struct gx_vertex a = at(m, left, 100, .5), b = at(m, right, 100, .5), c = at(m, right, 200, .5);
	struct gx_vertex v[3] = {a, swapped ? c : b, swapped ? b : c};
	unsigned n = set_up(m, QS_PRIMITIVE_TRIANGLE, v);
	ck_assert_msg(n == culls[_i].drawn, "%s: %u parts", culls[_i].name, n);
	if (!culls[_i].drawn)
		ck_assert_int_eq(nothing.verdict, QS_SETUP_CULLED);
	gx_machine_destroy(m);
}
END_TEST

/* Points and lines are never culled. */
START_TEST(never_culled)
{
	struct gx_machine *m = screen_machine();
	struct gx_vertex v[3] = {at(m, 100, 100, .5), at(m, 200, 150, .5), at(m, 0, 0, 0)};

	m->state.bp[0] = 3 << 14;
	ck_assert_uint_eq(set_up(m, QS_PRIMITIVE_LINE, v), 2);
	ck_assert_uint_eq(set_up(m, QS_PRIMITIVE_POINT, v), 2);
	gx_machine_destroy(m);
}
END_TEST

/* ---- lines and points ---------------------------------------------------------------------------------------------------- */

static void box_of(unsigned n, double box[4])
{
	box[0] = box[1] = 1e9;
	box[2] = box[3] = -1e9;
	for (unsigned p = 0; p < n; p++)
		for (unsigned k = 0; k < 3; k++) {
			const float *s = parts[p].record.vertex[k].screen;
			box[0] = fmin(box[0], (double)s[0]);
			box[1] = fmin(box[1], (double)s[1]);
			box[2] = fmax(box[2], (double)s[0]);
			box[3] = fmax(box[3], (double)s[1]);
		}
}

static const struct {
	const char *name;
	bool line;
	double x0, y0, x1, y1;
	unsigned size; /* in 1/6 pixel */
	double box[4];
} shapes[] = {
	{"line, mostly horizontal: ends are vertical", true, 100, 100, 200, 120, 24, {100, 98, 200, 122}},
	{"the same to the left", true, 200, 120, 100, 100, 24, {100, 98, 200, 122}},
	{"line, mostly vertical: ends are horizontal", true, 100, 100, 120, 200, 24, {98, 100, 122, 200}},
	{"line of 45 degrees counts as vertical", true, 100, 100, 160, 160, 24, {98, 100, 162, 160}},
	{"line of one pixel", true, 100, 100, 200, 100, 6, {100, 99.5, 200, 100.5}},
	{"line of width 0 has no area", true, 100, 100, 200, 100, 0, {0, 0, 0, 0}},
	{"line of 255/6", true, 100, 100, 200, 100, 255, {100, 78.75, 200, 121.25}},
	{"point of one pixel", false, 100, 100, 0, 0, 6, {99.5, 99.5, 100.5, 100.5}},
	{"point of 40/6", false, 300, 200, 0, 0, 40, {296.6667, 196.6667, 303.3333, 203.3333}},
	{"point of size 0", false, 300, 200, 0, 0, 0, {0, 0, 0, 0}},
};

START_TEST(shape_case)
{
	struct gx_machine *m = screen_machine();
	struct gx_vertex v[3] = {at(m, shapes[_i].x0, shapes[_i].y0, .5), at(m, shapes[_i].x1, shapes[_i].y1, .5), at(m, 0, 0, 0)};
	double box[4];
	unsigned n;

	m->state.bp[0x22] = shapes[_i].line ? shapes[_i].size : shapes[_i].size << 8;
	n = set_up(m, shapes[_i].line ? QS_PRIMITIVE_LINE : QS_PRIMITIVE_POINT, v);
	ck_assert_msg(n == (shapes[_i].size ? 2 : 0), "%s: %u parts", shapes[_i].name, n);
	if (!n)
		ck_assert_int_eq(nothing.verdict, QS_SETUP_DEGENERATE);
	box_of(n, box);
	for (unsigned i = 0; n && i < 4; i++)
		ck_assert_msg(fabs(box[i] - shapes[_i].box[i]) < 0.001, "%s: side %u at %f", shapes[_i].name, i, box[i]);
	gx_machine_destroy(m);
}
END_TEST

/* Selects 0..7 add 0, 1/16, 1/8, 1/4, 1/2, 1, 1, 1 of the texture; only where the coordinate's enable bit is set. */
START_TEST(texture_offsets)
{
	static const double part[8] = {0, 1 / 16.0, 1 / 8.0, 1 / 4.0, 1 / 2.0, 1, 1, 1};
	struct gx_machine *m = screen_machine();
	struct gx_vertex v[3] = {at(m, 100, 100, .5), at(m, 200, 110, .5), at(m, 0, 0, 0)};

	m->state.bp[0] = 2;
	m->state.bp[0x30] = 63 | 1 << 18 | 1 << 19;
	m->state.bp[0x31] = 31;
	m->state.bp[0x32] = m->state.bp[0x33] = 63; /* coordinate 1: not enabled */
	for (unsigned select = 0; select < 8; select++)
		for (unsigned kind = QS_PRIMITIVE_POINT; kind <= QS_PRIMITIVE_LINE; kind++) {
			unsigned n;

			m->state.bp[0x22] = 24 | 24 << 8 | select << 16 | select << 19;
			n = set_up(m, (enum qs_primitive_kind)kind, v);
			ck_assert_uint_eq(n, 2);
			for (unsigned k = 0; k < 6; k++) {
				const struct qs_vertex *q = &parts[k / 3].record.vertex[k % 3];
				bool right = q->screen[0] > 100, down = kind == QS_PRIMITIVE_POINT ? q->screen[1] > 100
					: q->screen[1] > (q->screen[0] > 150 ? 110 : 100);
				/* points: s grows to the right, t downwards; lines: s on the lower side of one that runs to the right */
				double s = kind == QS_PRIMITIVE_POINT ? right * 64 * part[select] : down * 64 * part[select];
				double t = kind == QS_PRIMITIVE_POINT ? down * 32 * part[select] : 0;
				ck_assert_msg((double)q->tex[0][0] == s && (double)q->tex[0][1] == t, "kind %u, select %u, vertex %u: %f %f", kind,
					select, k, (double)q->tex[0][0], (double)q->tex[0][1]);
				ck_assert(q->tex[1][0] == 0 && q->tex[1][1] == 0);
			}
		}
	gx_machine_destroy(m);
}
END_TEST

/* ---- zfreeze: fact 40 ----------------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	unsigned gen_mode;
	bool outside_scissor, rejected, latches;
} references[] = {
	{"fact 40: a drawn triangle", 0, false, false, true},
	{"fact 40: a culled triangle", 3 << 14, false, false, true},
	{"fact 40: a triangle outside the scissor", 0, true, false, true},
	{"fact 40: a triangle that XF rejects does not", 0, false, true, false},
	{"fact 40: a frozen triangle does not", 1 << 19, false, false, false},
};

START_TEST(reference_case)
{
	struct gx_machine *m = screen_machine();
	struct gx_vertex first[3] = {at(m, 10, 10, .1), at(m, 110, 10, .1), at(m, 10, 110, .1)};
	struct gx_vertex second[3] = {at(m, 10, 10, .2), at(m, 110, 10, .7), at(m, 10, 110, .2)};
	struct gx_vertex frozen[3] = {at(m, 200, 10, .9), at(m, 300, 10, .9), at(m, 200, 110, .9)};

	ck_assert_uint_eq(set_up(m, QS_PRIMITIVE_TRIANGLE, first), 1);
	m->state.bp[0] = references[_i].gen_mode;
	if (references[_i].outside_scissor)
		m->state.bp[0x21] = (342 + 5) << 12 | (342 + 5);
	for (unsigned k = 0; k < 3; k++)
		second[k].outcode = references[_i].rejected;
	set_up(m, QS_PRIMITIVE_TRIANGLE, second);
	m->state.bp[0x21] = (342 + 639) << 12 | (342 + 479);
	m->state.bp[0] = 1 << 19;
	ck_assert_uint_eq(set_up(m, QS_PRIMITIVE_TRIANGLE, frozen), 1);
	ck_assert(parts[0].record.z_frozen);
	double slope = references[_i].latches ? .5 * 16777215 / 100 : 0;
	ck_assert_msg(fabs((double)parts[0].record.z.dfdx - slope) < 2, "%s: %f", references[_i].name, (double)parts[0].record.z.dfdx);
	gx_machine_destroy(m);
}
END_TEST

/* What the chip holds before the first triangle is not known; Dolphin's constant 1 is taken. */
START_TEST(no_reference)
{
	struct gx_machine *m = screen_machine();
	struct gx_vertex frozen[3] = {at(m, 200, 10, .9), at(m, 300, 10, .9), at(m, 200, 110, .9)};

	m->state.bp[0] = 1 << 19;
	ck_assert_uint_eq(set_up(m, QS_PRIMITIVE_TRIANGLE, frozen), 1);
	ck_assert(parts[0].record.z.f0 == 1 && parts[0].record.z.dfdx == 0 && parts[0].record.z.dfdy == 0);
	gx_machine_destroy(m);
}
END_TEST

/* Fact 34: a scissor that wraps gives two rectangles, and a primitive a part in each. */
START_TEST(wrapped_scissor)
{
	struct gx_machine *m = screen_machine();
	struct su_scissor out[SU_MAX_SCISSORS];

	m->state.bp[0x20] = 0 << 12 | 342; /* hardware columns 0..1100: 342 of them are EFB 0.. and again from 682 on */
	m->state.bp[0x21] = 1500u << 12 | (342 + 479);
	unsigned n = su_scissors(&m->state, out);
	ck_assert_msg(n == 2, "fact 34: %u rectangles", n);
	ck_assert_int_ne(out[0].offset_x, out[1].offset_x);
	ck_assert_int_eq(abs(out[0].offset_x - out[1].offset_x), 1024);
	gx_machine_destroy(m);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("su");
	TCase *tcase = tcase_create("su");

	tcase_add_loop_test(tcase, cull_case, 0, COUNT(culls));
	tcase_add_test(tcase, never_culled);
	tcase_add_loop_test(tcase, shape_case, 0, COUNT(shapes));
	tcase_add_test(tcase, texture_offsets);
	tcase_add_loop_test(tcase, reference_case, 0, COUNT(references));
	tcase_add_test(tcase, no_reference);
	tcase_add_test(tcase, wrapped_scissor);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
