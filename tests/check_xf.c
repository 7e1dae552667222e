/* check_xf.c - transform unit: positions, normals, projection, texture coordinates; random states of all of it
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "oracle/random.h"
#include "oracle/xf.h"
#include "transform.h"

/* ---- positions, normals, projection, viewport --------------------------------------------------------------------------- */

START_TEST(position_by_matrix)
{
	v.object[0] = 2;
	v.object[1] = 3;
	v.object[2] = 5;
	set_row(4 * 9, 1, 10, 100, 0.5f);
	set_row(4 * 10, 2, 0, 0, -1);
	set_row(4 * 11, 0, 0, -1, 0);
	v.pos_matrix = 9;
	gx_xf_vertex(m, &v);
	ck_assert(v.eye[0] == 532.5f && v.eye[1] == 3 && v.eye[2] == -5);
}
END_TEST

/* Rows count modulo 64; Dolphin reads on into what follows. */
START_TEST(position_row_wraps)
{
	set_row(4 * 63, 0, 0, 0, 7);
	set_row(0, 0, 0, 0, 8);
	set_row(4, 0, 0, 0, 9);
	set_row(0x100, 0, 0, 0, 18);
	set_row(0x104, 0, 0, 0, 19);
	v.pos_matrix = 63;
	gx_xf_vertex(m, &v);
	ck_assert(v.eye[0] == 7 && v.eye[1] == 8 && v.eye[2] == 9);
	gx_machine_set_model(m, QS_MODEL_DOLPHIN);
	gx_xf_vertex(m, &v);
	ck_assert(v.eye[0] == 7 && v.eye[1] == 18 && v.eye[2] == 19);
}
END_TEST

/* x = component * matrix, clip x = x * projection; the same component and matrix make coordinate 0. */
static const struct {
	const char *name;
	float component, matrix, projection;
	float kept; /* clip x when nothing is flushed */
	bool zero;  /* it is 0 in the hardware model */
} tiny[] = {
	{"denormal component", 0x1p-140f, 0x1p120f, 0x1p20f, 1, true},
	{"negative denormal component", -0x1p-140f, 0x1p120f, 0x1p20f, -1, true},
	{"denormal matrix word", 0x1p120f, 0x1p-140f, 0x1p20f, 1, true},
	{"denormal product", 0x1p-70f, 0x1p-70f, 0x1p120f, 0x1p-20f, true},
	{"denormal projection word", 0x1p60f, 0x1p60f, 0x1p-130f, 0x1p-10f, true},
	{"denormal clip coordinate", 1, 0x1p-100f, 0x1p-30f, 0x1p-130f, true},
	{"the smallest number that is not", 0x1p-126f, 0x1p126f, 1, 1, false},
};

START_TEST(denormals)
{
	for (unsigned model = 0; model < 2; model++) {
		bool zero = tiny[_i].zero && !model;
		gx_machine_set_model(m, model ? QS_MODEL_DOLPHIN : QS_MODEL_HARDWARE);
		set_row(0, tiny[_i].matrix, 0, 0, 0);
		set(0x1020, tiny[_i].projection);
		v.object[0] = tiny[_i].component;
		gx_xf_vertex(m, &v);
		ck_assert_msg(v.clip[0] == (zero ? 0 : tiny[_i].kept), "%s, model %u: %g", tiny[_i].name, model, (double)v.clip[0]);
	}
}
END_TEST

START_TEST(denormal_coordinate)
{
	m->state.xf[0x103F] = 1;
	m->state.xf[0x1040] = 5 << 7; /* from coordinate 0 */
	set_row(4 * 30, 0x1p120f, 0, 0, 0);
	v.in_tex[0][0] = 0x1p-130f;
	gx_xf_vertex(m, &v);
	ck_assert(v.tex[0][0] == 0);
	m->quirk[GX_QUIRK_xf_flush] = 0;
	gx_xf_vertex(m, &v);
	ck_assert(v.tex[0][0] == 0x1p-10f);
}
END_TEST

START_TEST(normals)
{
	const float rows[3][3] = {{0, 0, 2}, {0, 2, 0}, {2, 0, 0}};

	for (unsigned i = 0; i < 3; i++)
		set_vector(0x400 + 3 * (5 + i), rows[i]);
	v.pos_matrix = 37; /* 5 modulo 32 */
	v.normal[0] = 3;
	v.normal[2] = 4;
	v.tangent[0] = 1;
	v.binormal[1] = 0.5f;
	gx_xf_vertex(m, &v);
	ck_assert(near(v.eye_normal[0], 0.8f) && v.eye_normal[1] == 0 && near(v.eye_normal[2], 0.6f));
	ck_assert(v.eye_tangent[2] == 2 && v.eye_binormal[1] == 1); /* not normalised */
	memset(v.normal, 0, sizeof v.normal);
	gx_xf_vertex(m, &v);
	ck_assert(v.eye_normal[0] == 0 && v.eye_normal[1] == 0 && v.eye_normal[2] == 0);
	gx_machine_set_model(m, QS_MODEL_DOLPHIN);
	gx_xf_vertex(m, &v);
	ck_assert(isnan(v.eye_normal[0]));
	m->state.cp[0x50] = 1 << 9;
	gx_xf_vertex(m, &v);
	ck_assert(v.eye_normal[0] == 0 && v.eye_tangent[2] == 0);
}
END_TEST

START_TEST(projection)
{
	const float object[3] = {3, 4, -8}, factors[3] = {2, 3, 0.5f};

	memcpy(v.object, object, sizeof object);
	for (unsigned i = 0; i < 3; i++) {
		set(0x1020 + 2 * i, factors[i]);
		set(0x1021 + 2 * i, 0.25f);
	}
	gx_xf_vertex(m, &v);
	ck_assert(v.clip[0] == 6.25f && v.clip[1] == 12.25f && v.clip[2] == -3.75f && v.clip[3] == 1);
	m->state.xf[0x1026] = 0;
	gx_xf_vertex(m, &v);
	ck_assert(v.clip[0] == 4 && v.clip[1] == 10 && v.clip[2] == -3.75f && v.clip[3] == 8);
	gx_machine_set_model(m, QS_MODEL_DOLPHIN);
	gx_xf_vertex(m, &v);
	ck_assert(v.clip[2] > -3.75f && v.clip[2] < -3.7499990f && v.clip[3] == 8);
	m->state.xf[0x1026] = 0xFFFFFFFF; /* bit 0 alone counts */
	gx_xf_vertex(m, &v);
	ck_assert(v.clip[2] == -3.75f && v.clip[3] == 1);
}
END_TEST

START_TEST(viewport)
{
	const float scale[3] = {320, -240, 16777215}, offset[3] = {320 + 342, 240 + 342, 16777215};
	const float clip[4] = {2, 4, -1, 4};

	set_vector(0x101A, scale);
	set_vector(0x101D, offset);
	memcpy(v.clip, clip, sizeof clip);
	gx_xf_viewport(m, &v);
	ck_assert(v.inv_w == 0.25f && v.screen[0] == 822 && v.screen[1] == 342 && v.screen[2] == 12582911);
}
END_TEST

static const struct {
	const char *name;
	float clip[4];
	unsigned hardware, dolphin;
} outcodes[] = {
	{"inside", {0.5f, -0.5f, -0.5f, 1}, 0, 0},
	{"on right, bottom and far is inside", {1, -1, 0, 1}, 0, 0},
	{"on left, top and near is inside", {-1, 1, -1, 1}, 0, 0},
	{"right", {1.01f, 0, -0.5f, 1}, 1, 1},
	{"left", {-1.01f, 0, -0.5f, 1}, 2, 2},
	{"top", {0, 1.01f, -0.5f, 1}, 4, 4},
	{"bottom", {0, -1.01f, -0.5f, 1}, 8, 8},
	{"far", {0, 0, 0.00001f, 1}, 16, 16},
	{"near", {0, 0, -1.1f, 1}, 32, 32},
	{"behind the eye, before near", {0, 0, 0.5f, -1}, 1 | 2 | 4 | 8 | 16 | 32, 1 | 2 | 4 | 8 | 32},
	{"behind the eye, z negative", {0, 0, -0.5f, -1}, 1 | 2 | 4 | 8 | 32, 1 | 2 | 4 | 8 | 16 | 32},
};

START_TEST(outcode)
{
	for (unsigned model = 0; model < 2; model++) {
		gx_machine_set_model(m, model ? QS_MODEL_DOLPHIN : QS_MODEL_HARDWARE);
		m->state.xf[0x1026] = 0; /* x, y from the matrix constants; w = -z is chosen by the third row */
		memset(m->state.xf, 0, 12 * sizeof *m->state.xf);
		set(3, outcodes[_i].clip[0]);
		set(7, outcodes[_i].clip[1]);
		set(11, -outcodes[_i].clip[3]);
		set(0x1024, 0);
		set(0x1025, outcodes[_i].clip[2]);
		m->quirk[GX_QUIRK_projection_z] = 0;
		gx_xf_vertex(m, &v);
		for (unsigned i = 0; i < 4; i++)
			ck_assert(v.clip[i] == outcodes[_i].clip[i]);
		ck_assert_msg(v.outcode == (model ? outcodes[_i].dolphin : outcodes[_i].hardware), "%s, model %u: %02X", outcodes[_i].name,
			model, v.outcode);
	}
}
END_TEST

/* ---- texture coordinates ------------------------------------------------------------------------------------------------ */

#define STQ 2u
#define ABC1 4u
#define ROW(n) ((uint32_t)(n) << 7)

static const float not_a_number = NAN;

/* Matrix rows 30..32: (1 2 3 4), (5 6 7 8), (0.5 0.25 1 2).  Sources: position (1 2 3), normal (4 5 6), tangent (7 8 9),
 * binormal (10 11 12), texture n (n, 2n + 1). */
static const struct {
	const char *name;
	uint32_t texgen, dual, post; /* dual: DUALTEX */
	float expected[3];
} texgens[] = {
	{"position, ABC1, ST", ABC1 | ROW(0), 0, 0, {1 + 4 + 9 + 4, 5 + 12 + 21 + 8, 1}},
	{"position, AB11, ST: third source is 1", ROW(0), 0, 0, {1 + 4 + 3 + 4, 5 + 12 + 7 + 8, 1}},
	{"position, ABC1, STQ", STQ | ABC1 | ROW(0), 0, 0, {18, 46, 0.5f + 0.5f + 3 + 2}},
	{"position, AB11, STQ", STQ | ROW(0), 0, 0, {12, 32, 0.5f + 0.5f + 1 + 2}},
	{"normal", ABC1 | ROW(1), 0, 0, {4 + 10 + 18 + 4, 20 + 30 + 42 + 8, 1}},
	{"tangent", ABC1 | ROW(3), 0, 0, {7 + 16 + 27 + 4, 35 + 48 + 63 + 8, 1}},
	{"binormal", ABC1 | ROW(4), 0, 0, {10 + 22 + 36 + 4, 50 + 66 + 84 + 8, 1}},
	{"texture 0", ROW(5), 0, 0, {0 + 2 + 3 + 4, 0 + 6 + 7 + 8, 1}},
	{"texture 3, ABC1 alike", ABC1 | ROW(8), 0, 0, {3 + 14 + 3 + 4, 15 + 42 + 7 + 8, 1}},
	{"texture 7", ROW(12), 0, 0, {7 + 30 + 7, 35 + 90 + 15, 1}},
	{"post matrix ignored without DUALTEX", ROW(5), 0, 10, {9, 21, 1}},
	{"post identity", ROW(5), 1, 61, {9, 21, 1}},
	{"post matrix gives q to an ST texgen", ROW(5), 1, 10, {9 * 2 + 1, 21 + 9 + 2, 9 + 21 + 1 + 3}},
	{"post matrix, normalised: 3 4 0 -> 0.6 0.8 0", STQ | ROW(0) | ABC1 | 0x80000000u, 1, 10 | 0x100, {0.6f * 2 + 1, 0.8f + 0.6f + 2, 0.6f + 0.8f + 3}},
	{"fact 43: q = 0: halved and clamped", STQ | ROW(0) | ABC1 | 0x40000000u, 0, 0, {1, -0.5f, 0}},
};

static void source_attributes(void)
{
	const float position[3] = {1, 2, 3};

	memcpy(v.object, position, sizeof position);
	for (unsigned i = 0; i < 3; i++) {
		v.normal[i] = (float)(4 + i);
		v.tangent[i] = (float)(7 + i);
		v.binormal[i] = (float)(10 + i);
	}
	for (unsigned i = 0; i < 8; i++) {
		v.in_tex[i][0] = (float)i;
		v.in_tex[i][1] = (float)(2 * i + 1);
	}
	set_row(4 * 30, 1, 2, 3, 4);
	set_row(4 * 31, 5, 6, 7, 8);
	set_row(4 * 32, 0.5f, 0.25f, 1, 2);
	set_row(0x500 + 4 * 10, 2, 0, 0, 1);
	set_row(0x500 + 4 * 11, 1, 1, 0, 2);
	set_row(0x500 + 4 * 12, 1, 1, 1, 3);
}

START_TEST(texgen)
{
	uint32_t word = texgens[_i].texgen;

	source_attributes();
	if (word >> 30) { /* matrices of the two special cases: results (3 4 0) and (4 -1 0) */
		set_row(4 * 30, 0, 0, 0, word & 0x40000000 ? 4 : 3);
		set_row(4 * 31, 0, 0, 0, word & 0x40000000 ? -1 : 4);
		set_row(4 * 32, 0, 0, 0, 0);
	}
	m->state.xf[0x103F] = 3;
	m->state.xf[0x1042] = word & 0x3FFFFFFF;
	m->state.xf[0x1012] = texgens[_i].dual;
	m->state.xf[0x1052] = texgens[_i].post;
	m->state.xf[0x1050] = m->state.xf[0x1051] = 61;
	gx_xf_vertex(m, &v);
	for (unsigned i = 0; i < 3; i++)
		ck_assert_msg(near(v.tex[2][i], texgens[_i].expected[i]), "%s: component %u is %g, not %g", texgens[_i].name, i,
			(double)v.tex[2][i], (double)texgens[_i].expected[i]);
	/* beyond NUMTEX nothing is made */
	m->state.xf[0x103F] = 2;
	gx_xf_vertex(m, &v);
	ck_assert(v.tex[2][0] == 0 && v.tex[2][1] == 0 && v.tex[2][2] == 0);
}
END_TEST

/* Spec 08 fact 42: component by component. */
START_TEST(not_a_number_is_one)
{
	source_attributes();
	m->state.xf[0x103F] = 1;
	m->state.xf[0x1040] = ABC1 | ROW(0);
	v.object[1] = not_a_number;
	gx_xf_vertex(m, &v);
	ck_assert_msg(v.tex[0][0] == 1 + 2 + 9 + 4 && v.tex[0][1] == 5 + 6 + 21 + 8, "fact 42: a position's y");
	m->state.xf[0x1040] = ROW(5);
	v.in_tex[0][0] = v.in_tex[0][1] = not_a_number;
	gx_xf_vertex(m, &v);
	ck_assert_msg(v.tex[0][0] == 1 + 2 + 3 + 4 && v.tex[0][1] == 26, "fact 42: a coordinate");
}
END_TEST

/* s + L.t, t + L.b with the lengths of tangent and binormal kept; the source is an earlier texgen. */
START_TEST(emboss)
{
	source_attributes();
	const float position[3] = {1, 2, 13}, tangent[3] = {0, 0, 0.5f}, binormal[3] = {0, 0, -2};
	set_vector(0x600 + 16 * 5 + 10, position);
	memcpy(v.tangent, tangent, sizeof tangent);
	memcpy(v.binormal, binormal, sizeof binormal);
	m->state.xf[0x103F] = 3;
	m->state.xf[0x1040] = ROW(5);
	m->state.xf[0x1041] = STQ | ROW(6);
	m->state.xf[0x1042] = 1 << 4 | 1 << 12 | 5 << 15;
	gx_xf_vertex(m, &v);
	ck_assert(v.tex[2][0] == v.tex[1][0] + 0.5f && v.tex[2][1] == v.tex[1][1] - 2 && v.tex[2][2] == v.tex[1][2]);
	ck_assert(v.tex[1][2] != 1);
}
END_TEST

START_TEST(colour_coordinates)
{
	m->state.xf[0x100C] = 0x33669900;
	m->state.xf[0x100D] = 0xFF0000FF;
	m->state.xf[0x103F] = 2;
	m->state.xf[0x1009] = 0; /* the texgen alone makes the channels be computed */
	m->state.xf[0x1040] = 2 << 4 | ROW(2);
	m->state.xf[0x1041] = 3 << 4 | ROW(2);
	gx_xf_vertex(m, &v);
	ck_assert(v.tex[0][0] == 51 / 255.0f && v.tex[0][1] == 102 / 255.0f && v.tex[0][2] == 1);
	ck_assert(v.tex[1][0] == 1 && v.tex[1][1] == 0 && v.tex[1][2] == 1);
	m->quirk[GX_QUIRK_colour_texgen] = 1;
	gx_xf_vertex(m, &v);
	ck_assert(v.tex[0][0] == 0x33 && v.tex[0][1] == 0x6699 && v.tex[0][2] == 1);
}
END_TEST

/* ---- against the oracle ------------------------------------------------------------------------------------------------- */

static float some_float(struct oracle_random *r)
{
	return (float)((int)oracle_random_below(r, 4001) - 2000) / 500.0f;
}

static void random_state(struct oracle_random *r)
{
	uint32_t *xf = m->state.xf;

	for (unsigned i = 0; i < 0x680; i++)
		set(i, some_float(r));
	for (unsigned i = 0; i < 8; i++) {
		xf[0x603 + 16 * i] = oracle_random_next(r);
		xf[0x1040 + i] = oracle_random_next(r);
		if (oracle_random_below(r, 4)) /* mostly regular */
			xf[0x1040 + i] &= ~0x70u;
		if ((xf[0x1040 + i] >> 4 & 7) == 1) /* the source of an emboss texgen comes before it */
			xf[0x1040 + i] = (xf[0x1040 + i] & ~0x7000u) | oracle_random_below(r, i + 1) << 12;
		xf[0x1050 + i] = oracle_random_next(r);
	}
	for (unsigned i = 0x1008; i <= 0x1012; i++)
		xf[i] = oracle_random_next(r);
	for (unsigned i = 0x101A; i <= 0x1025; i++)
		set(i, some_float(r));
	xf[0x1009] = 2;
	xf[0x1026] = oracle_random_next(r);
	xf[0x103F] = oracle_random_below(r, 9);
}

static void random_vertex(struct oracle_random *r, struct oracle_xf_in *in)
{
	for (unsigned i = 0; i < 3; i++) {
		in->position[i] = (double)(v.object[i] = some_float(r));
		in->normal[i] = (double)(v.normal[i] = some_float(r));
		in->tangent[i] = (double)(v.tangent[i] = some_float(r));
		in->binormal[i] = (double)(v.binormal[i] = some_float(r));
	}
	for (unsigned i = 0; i < 8; i++) {
		in->tex[i][0] = (double)(v.in_tex[i][0] = some_float(r));
		in->tex[i][1] = (double)(v.in_tex[i][1] = some_float(r));
		in->tex_matrix[i] = v.tex_matrix[i] = (uint8_t)oracle_random_below(r, 64);
		in->colour[i / 4][i % 4] = v.in_colour[i / 4][i % 4] = (uint8_t)oracle_random_next(r);
	}
	in->matrix = v.pos_matrix = (uint8_t)oracle_random_below(r, 64);
}

static void agree(const float *a, const double *b, unsigned count, double tolerance, const char *what, const char *where)
{
	double largest = 1;

	for (unsigned i = 0; i < count; i++)
		largest = fmax(largest, fabs(b[i]));
	for (unsigned i = 0; i < count; i++)
		ck_assert_msg(fabs((double)a[i] - b[i]) <= tolerance * largest, "%s: %s %u is %.9g, not %.9g", where, what, i, (double)a[i],
			b[i]);
}

START_TEST(random_states)
{
	struct oracle_random random = oracle_random_start();
	struct oracle_xf_in in;
	struct oracle_xf_out out;
	unsigned compared = 0;
	char where[64];

	for (unsigned round = 0; round < 5000; round++) {
		random_state(&random);
		random_vertex(&random, &in);
		snprintf(where, sizeof where, "seed %llu round %u", (unsigned long long)random.seed, round);
		gx_xf_vertex(m, &v);
		oracle_xf(m->state.xf, &in, &out);
		agree(v.eye, out.eye, 3, 1e-5, "eye", where);
		agree(v.eye_normal, out.normal, 3, 1e-4, "normal", where);
		agree(v.eye_tangent, out.tangent, 3, 1e-5, "tangent", where);
		agree(v.eye_binormal, out.binormal, 3, 1e-5, "binormal", where);
		agree(v.clip, out.clip, 4, 1e-4, "clip", where);
		bool steady = true; /* sums that sit on a step, or near a pole, may fall either way in single precision */
		for (unsigned i = 0; i < 8; i++) {
			double sum = out.sum[i / 4][i % 4];
			if (sum > -1 && sum < 257 && fabs(sum - rint(sum)) < 0.01)
				steady = false;
		}
		if (!steady)
			continue;
		for (unsigned i = 0; i < 8; i++)
			ck_assert_msg(v.colour[i / 4][i % 4] == out.colour[i / 4][i % 4], "%s: colour %u is %u, not %d (sum %g)", where, i,
				v.colour[i / 4][i % 4], out.colour[i / 4][i % 4], out.sum[i / 4][i % 4]);
		for (unsigned i = 0; i < 8; i++)
			agree(v.tex[i], out.tex[i], 3, 1e-3, "texture coordinate", where);
		compared++;
	}
	ck_assert_uint_ge(compared, 2500);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_test(tcase, position_by_matrix);
	tcase_add_test(tcase, position_row_wraps);
	tcase_add_loop_test(tcase, denormals, 0, sizeof tiny / sizeof *tiny);
	tcase_add_test(tcase, denormal_coordinate);
	tcase_add_test(tcase, normals);
	tcase_add_test(tcase, projection);
	tcase_add_test(tcase, viewport);
	tcase_add_loop_test(tcase, outcode, 0, sizeof outcodes / sizeof *outcodes);
	tcase_add_loop_test(tcase, texgen, 0, sizeof texgens / sizeof *texgens);
	tcase_add_test(tcase, not_a_number_is_one);
	tcase_add_test(tcase, emboss);
	tcase_add_test(tcase, colour_coordinates);
	tcase_add_test(tcase, random_states);
}

int main(void)
{
	return run_transform_suite("xf", add);
}
