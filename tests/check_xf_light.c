/* check_xf_light.c - transform unit: lights, materials, colour channels
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "transform.h"

/* ---- lighting ----------------------------------------------------------------------------------------------------------- */

/* Spec 08 fact 14: all pairs of material and ambient, lighting on, no light. */
START_TEST(material_times_ambient)
{
	static const struct { unsigned material, ambient, expected; } known[] = {
		{255, 255, 255}, {255, 128, 128}, {255, 127, 126}, {128, 128, 64}, {200, 100, 78}, {255, 254, 254}, {1, 255, 1},
	};

	m->state.xf[0x100E] = m->state.xf[0x1010] = 2;
	for (unsigned material = 0; material < 256; material++)
		for (unsigned ambient = 0; ambient < 256; ambient++) {
			m->state.xf[0x100A] = ambient * 0x01010101u;
			m->state.xf[0x100C] = material * 0x01010101u;
			gx_xf_vertex(m, &v);
			unsigned scaled = ambient < 128 ? ambient : ambient + 1;
			for (unsigned i = 0; i < 4; i++)
				if (v.colour[0][i] != material * scaled / 256)
					ck_abort_msg("fact 14: material %u, ambient %u: %u", material, ambient, v.colour[0][i]);
		}
	for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
		m->state.xf[0x100A] = known[i].ambient << 24;
		m->state.xf[0x100C] = known[i].material << 24;
		gx_xf_vertex(m, &v);
		ck_assert_msg(v.colour[0][0] == known[i].expected, "fact 14: (%u, %u): %u", known[i].material, known[i].ambient, v.colour[0][0]);
	}
}
END_TEST

#define LIT 2u
#define LIGHT0 4u
#define LIGHT6 (1u << 13)
#define DIFFUSE_SIGNED (1u << 7)
#define DIFFUSE_CLAMPED (2u << 7)
#define SPECULAR (1u << 9)
#define SPOT (3u << 9)

/* One light of colour 200 on all components, vertex at the origin, normal +z, ambient 20, material 255. */
static const struct {
	const char *name;
	uint32_t control;
	float position[3], direction[3], a[3], k[3];
	unsigned level; /* before the material */
} lights[] = {
	{"not enabled", LIT, {0, 0, 9}, {0}, {0}, {0}, 20},
	{"no diffuse, no attenuation", LIT | LIGHT0, {0, 0, 9}, {0}, {0}, {0}, 220},
	{"clamped, facing", LIT | LIGHT0 | DIFFUSE_CLAMPED, {0, 0, 9}, {0}, {0}, {0}, 220},
	{"clamped, 45 degrees: 20 + 141.42", LIT | LIGHT0 | DIFFUSE_CLAMPED, {5, 0, 5}, {0}, {0}, {0}, 161},
	{"clamped, behind", LIT | LIGHT0 | DIFFUSE_CLAMPED, {0, 0, -9}, {0}, {0}, {0}, 20},
	{"diffuse 3 is clamped", LIT | LIGHT0 | 3u << 7, {0, 0, -9}, {0}, {0}, {0}, 20},
	{"signed, behind: below zero", LIT | LIGHT0 | DIFFUSE_SIGNED, {0, 0, -9}, {0}, {0}, {0}, 0},
	{"signed, 3-4-5: 20 - 200*0.072", LIT | LIGHT0 | DIFFUSE_SIGNED, {9.6f, 0, -0.693f}, {0}, {0}, {0}, 5},
	{"at the vertex: the normal stands in", LIT | LIGHT0 | DIFFUSE_CLAMPED, {0, 0, 0}, {0}, {0}, {0}, 220},
	{"attenuation value 2 is none", LIT | LIGHT0 | 2u << 9, {0, 0, 9}, {0}, {0}, {1, 0, 0}, 220},
	{"spot, distance: 1/(1 + 0.25*4)", LIT | LIGHT0 | SPOT, {0, 0, 2}, {0, 0, 1}, {0, 1, 0}, {1, 0, 0.25f}, 120},
	{"spot, linear distance: 1/(0.5*2)", LIT | LIGHT0 | SPOT, {0, 0, 2}, {0, 0, 1}, {0, 1, 0}, {0, 0.5f, 0}, 220},
	{"spot, angle: cosine 0.8, 20 + 160.0 + 0.4", LIT | LIGHT0 | SPOT, {3, 0, 4}, {0, 0, 1}, {0.002f, 1, 0}, {1, 0, 0}, 180},
	{"spot, squared cosine 0.64: 20 + 128.4", LIT | LIGHT0 | SPOT, {3, 0, 4}, {0, 0, 1}, {0.002f, 0, 1}, {1, 0, 0}, 148},
	{"spot, outside the cone", LIT | LIGHT0 | SPOT, {3, 0, 4}, {0, 0, 1}, {-0.9f, 1, 0}, {1, 0, 0}, 20},
	{"spot, light turned away: cosine 0", LIT | LIGHT0 | SPOT, {0, 0, 4}, {0, 0, -1}, {0.25f, 1, 1}, {1, 0, 0}, 70},
	{"spot, denominator 0 and light", LIT | LIGHT0 | SPOT, {0, 0, 4}, {0, 0, 1}, {0.25f, 0, 0}, {0, 0, 0}, 220},
	{"spot, denominator 0 and none", LIT | LIGHT0 | SPOT, {0, 0, 4}, {0, 0, 1}, {0, 0, 0}, {0, 0, 0}, 20},
	{"spot with clamped diffuse: 0.8*0.5", LIT | LIGHT0 | SPOT | DIFFUSE_CLAMPED, {3, 0, 4}, {0, 0, 1}, {1.002f, 0, 0}, {2, 0, 0}, 100},
	{"specular, half angle 1: 1/2", LIT | LIGHT0 | SPECULAR, {0, 0, 9}, {0, 0, 1}, {0, 0, 1}, {2, 0, 0}, 120},
	{"specular with diffuse normalises k", LIT | LIGHT0 | SPECULAR | DIFFUSE_CLAMPED, {0, 0, 9}, {0, 0, 1}, {0, 0, 0.5f}, {2, 0, 0}, 120},
	{"specular, half angle 0.5 squared", LIT | LIGHT0 | SPECULAR, {0, 0, 9}, {0, 0, 0.5f}, {0, 0, 1}, {1, 0, 0}, 70},
	{"specular, facing away: h = 0", LIT | LIGHT0 | SPECULAR, {0, 0, -9}, {0, 0, 1}, {0.25f, 0, 1}, {1, 0, 0}, 70},
	{"specular, denominator with h", LIT | LIGHT0 | SPECULAR, {0, 0, 9}, {0, 0, 1}, {1, 0, 0}, {1, 2, 1}, 70},
	{"sums above 255 clamp", LIT | LIGHT0 | SPOT, {0, 0, 4}, {0, 0, 1}, {9, 0, 0}, {1, 0, 0}, 255},
	{"light 6 by bit 13", LIT | LIGHT6, {0, 0, 9}, {0}, {0}, {0}, 220},
};

static void place_light(unsigned light, uint32_t rgba, unsigned i)
{
	unsigned at = 0x600 + 16 * light;

	m->state.xf[at + 3] = rgba;
	set_vector(at + 4, lights[i].a);
	set_vector(at + 7, lights[i].k);
	set_vector(at + 10, lights[i].position);
	set_vector(at + 13, lights[i].direction);
}

START_TEST(light)
{
	unsigned level = lights[_i].level, which = lights[_i].control & LIGHT6 ? 6 : 0;

	place_light(which, 0xC8C8C8C8, (unsigned)_i);
	m->state.xf[0x100A] = 0x14141414;
	m->state.xf[0x100C] = 0xFFFFFFFF;
	m->state.xf[0x100E] = lights[_i].control;
	m->state.xf[0x1010] = lights[_i].control;
	gx_xf_vertex(m, &v);
	for (unsigned i = 0; i < 4; i++)
		ck_assert_msg(v.colour[0][i] == 255 * (level + (level >> 7)) >> 8, "%s: component %u is %u of level %u", lights[_i].name, i,
			v.colour[0][i], level);
	/* alpha by a control of its own: unlit, and the colour does not change */
	m->state.xf[0x1010] = 0;
	m->state.xf[0x100C] = 0xFFFFFF55;
	gx_xf_vertex(m, &v);
	ck_assert_msg(v.colour[0][0] == 255 * (level + (level >> 7)) >> 8 && v.colour[0][3] == 0x55, "%s: alpha alone", lights[_i].name);
	/* and the other way round, as channel 1 */
	m->state.xf[0x1009] = 2;
	m->state.xf[0x100B] = 0x14141414;
	m->state.xf[0x100D] = 0x010203FF;
	m->state.xf[0x100F] = 0;
	m->state.xf[0x1011] = lights[_i].control;
	gx_xf_vertex(m, &v);
	ck_assert_msg(!memcmp(v.colour[1], "\x01\x02\x03", 3), "%s: channel 1 colour", lights[_i].name);
	ck_assert_msg(v.colour[1][3] == 255 * (level + (level >> 7)) >> 8, "%s: channel 1 alpha", lights[_i].name);
}
END_TEST

START_TEST(two_lights_add)
{
	for (unsigned i = 0; i < 2; i++) {
		place_light(i, i ? 0x0A000014 : 0x1400001E, 1);
		set(0x60C + 16 * i, 9);
	}
	m->state.xf[0x100A] = 0x01020304;
	m->state.xf[0x100C] = 0xFFFFFFFF;
	m->state.xf[0x100E] = m->state.xf[0x1010] = LIT | LIGHT0 | LIGHT0 << 1;
	gx_xf_vertex(m, &v);
	ck_assert_uint_eq(v.colour[0][0], 255 * 31 >> 8);
	ck_assert_uint_eq(v.colour[0][1], 255 * 2 >> 8);
	ck_assert_uint_eq(v.colour[0][3], 255 * 54 >> 8);
}
END_TEST

/* mat = source ? vertex : register, amb likewise, each for colour and alpha. */
START_TEST(sources)
{
	uint32_t control = ((unsigned)_i & 1) | ((unsigned)_i & 2 ? 64 : 0) | LIT;
	unsigned material = _i & 1 ? 200 : 100, ambient = _i & 2 ? 200 : 50;

	memset(v.in_colour, 200, sizeof v.in_colour);
	m->state.xf[0x1009] = 2;
	m->state.xf[0x100A] = m->state.xf[0x100B] = 0x32323232;
	m->state.xf[0x100C] = m->state.xf[0x100D] = 0x64646464;
	for (unsigned i = 0; i < 4; i++)
		m->state.xf[0x100E + i] = control;
	gx_xf_vertex(m, &v);
	for (unsigned i = 0; i < 8; i++)
		ck_assert_uint_eq(v.colour[i / 4][i % 4], material * (ambient + (ambient >> 7)) >> 8);
	for (unsigned i = 0; i < 4; i++)
		m->state.xf[0x100E + i] = control & ~LIT;
	gx_xf_vertex(m, &v);
	for (unsigned i = 0; i < 8; i++)
		ck_assert_uint_eq(v.colour[i / 4][i % 4], material);
}
END_TEST

START_TEST(channel_count)
{
	m->state.xf[0x100C] = m->state.xf[0x100D] = 0x0A0B0C0D;
	m->state.xf[0x1009] = 0;
	gx_xf_vertex(m, &v);
	ck_assert(v.colour[0][0] == 0 && v.colour[1][0] == 0);
	m->state.xf[0x1009] = 1;
	gx_xf_vertex(m, &v);
	ck_assert(v.colour[0][0] == 10 && v.colour[1][0] == 0);
	m->state.xf[0x1009] = 2;
	gx_xf_vertex(m, &v);
	ck_assert(v.colour[0][0] == 10 && v.colour[1][0] == 10);
	m->state.xf[0x1009] = 0; /* the rasteriser asks for one */
	m->state.bp[0] = 1 << 4;
	gx_xf_vertex(m, &v);
	ck_assert(v.colour[0][0] == 10 && v.colour[1][0] == 0);
	m->state.bp[0] = 7 << 4;
	gx_xf_vertex(m, &v);
	ck_assert(v.colour[1][0] == 10);
}
END_TEST

START_TEST(sums_out_of_range)
{
	place_light(0, 0xFFFFFFFF, 16); /* denominator 0: attenuation 1 */
	set(0x604, 1e30f);
	set(0x607, 1);
	m->state.xf[0x100C] = 0xFFFFFFFF;
	m->state.xf[0x100E] = m->state.xf[0x1010] = LIT | LIGHT0 | SPOT;
	gx_xf_vertex(m, &v);
	ck_assert_uint_eq(v.colour[0][0], 255);
	gx_machine_set_model(m, QS_MODEL_DOLPHIN);
	gx_xf_vertex(m, &v);
	ck_assert_uint_eq(v.colour[0][0], 0);
	m->state.xf[0x60A] = m->state.xf[0x607] = 0x7FC00000; /* NaN */
	gx_xf_vertex(m, &v);
	ck_assert_uint_eq(v.colour[0][0], 0);
	gx_machine_set_model(m, QS_MODEL_HARDWARE);
	gx_xf_vertex(m, &v);
	ck_assert_uint_eq(v.colour[0][0], 0);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_test(tcase, material_times_ambient);
	tcase_add_loop_test(tcase, light, 0, sizeof lights / sizeof *lights);
	tcase_add_test(tcase, two_lights_add);
	tcase_add_loop_test(tcase, sources, 0, 4);
	tcase_add_test(tcase, channel_count);
	tcase_add_test(tcase, sums_out_of_range);
}

int main(void)
{
	return run_transform_suite("xf_light", add);
}
