/* check_vertex.c - vertex loader: formats, arrays, absent attributes, dropped vertices; random formats against the oracle
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gx/machine.h"
#include "oracle/random.h"
#include "oracle/vertex.h"

#define MEMORY 0xC000 /* like MEM1, three quarters of a power of two: addresses wrap at the latter */

static struct gx_machine *m;

static void setup(void)
{
	m = gx_machine_create(MEMORY, 0x1000);
	ck_assert_ptr_nonnull(m);
	for (unsigned i = 0; i < MEMORY; i++)
		m->memory.mem1[i] = (uint8_t)(i * 7 + (i >> 8));
	memset(m->state.last_colour, 255, sizeof m->state.last_colour);
}

static void teardown(void)
{
	gx_machine_destroy(m);
}

/* ---- positions, normals, texture coordinates of known bytes ------------------------------------------------------------- */

enum what { POSITION, NORMAL, TEX0, TEX1, TEX2, TEX3, TEX4, TEX5, TEX6, TEX7 };

static const struct {
	const char *name;
	enum what what;
	uint32_t a, b, c; /* VAT */
	uint8_t bytes[36];
	unsigned size;
	float expected[9];
} numbers[] = {
	/* position: bit 0 xyz, 3:1 format, 8:4 frac, 30 byte dequantisation */
	{"u8 xy, frac 0", POSITION, 0x40000000, 0, 0, {200, 3}, 2, {200, 3, 0}},
	{"u8 xyz, frac 4", POSITION, 0x40000041, 0, 0, {16, 8, 255}, 3, {1, 0.5f, 15.9375f}},
	{"u8 without byte dequantisation", POSITION, 0x00000041, 0, 0, {16, 8, 255}, 3, {16, 8, 255}},
	{"s8 xyz, frac 6", POSITION, 0x40000063, 0, 0, {0x80, 0x7F, 0xFF}, 3, {-2, 1.984375f, -0.015625f}},
	{"s8 without byte dequantisation", POSITION, 0x00000063, 0, 0, {0x80, 0x7F, 0xFF}, 3, {-128, 127, -1}},
	{"u16 xy, frac 8", POSITION, 0x40000084, 0, 0, {0xFF, 0x80, 0x01, 0x00}, 4, {255.5f, 1, 0}},
	{"u16 frac applies whatever the byte bit", POSITION, 0x00000084, 0, 0, {0xFF, 0x80, 0x01, 0x00}, 4, {255.5f, 1, 0}},
	{"s16 xyz, frac 15", POSITION, 0x400000F7, 0, 0, {0x80, 0, 0x40, 0, 0xFF, 0xFF}, 6, {-1, 0.5f, -1 / 32768.0f}},
	{"s16 frac 31", POSITION, 0x400001F6, 0, 0, {0x40, 0, 0x80, 0}, 4, {7.62939453125e-06f, -1.52587890625e-05f, 0}},
	{"f32 xyz, frac ignored", POSITION, 0x400000F9, 0, 0, {0x3F, 0x80, 0, 0, 0xC0, 0x20, 0, 0, 0, 0, 0, 0}, 12, {1, -2.5f, 0}},
	{"fact 49: format 5 is a float", POSITION, 0x4000000A, 0, 0, {0x3F, 0x80, 0, 0, 0xC0, 0x20, 0, 0}, 8, {1, -2.5f, 0}},
	{"fact 49: format 6 is a float", POSITION, 0x4000000C, 0, 0, {0x3F, 0x80, 0, 0, 0xC0, 0x20, 0, 0}, 8, {1, -2.5f, 0}},
	{"fact 49: format 7 is a float", POSITION, 0x4000000E, 0, 0, {0x3F, 0x80, 0, 0, 0xC0, 0x20, 0, 0}, 8, {1, -2.5f, 0}},
	/* normal: bit 9 nbt, 12:10 format; scales are fixed and the byte bit has no say */
	{"normal u8", NORMAL, 0, 0, 0, {128, 64, 255}, 3, {1, 0.5f, 1.9921875f}},
	{"normal s8", NORMAL, 1 << 10, 0, 0, {64, 0xC0, 0x80}, 3, {1, -1, -2}},
	{"normal u16", NORMAL, 2 << 10, 0, 0, {0x80, 0, 0x40, 0, 0, 1}, 6, {1, 0.5f, 1 / 32768.0f}},
	{"normal s16", NORMAL, 3 << 10, 0, 0, {0x40, 0, 0xC0, 0, 0x80, 0}, 6, {1, -1, -2}},
	{"normal f32", NORMAL, 4 << 10, 0, 0, {0x3F, 0x80, 0, 0, 0, 0, 0, 0, 0xBF, 0, 0, 0}, 12, {1, 0, -0.5f}},
	{"nbt s8", NORMAL, 1 << 10 | 1 << 9, 0, 0, {64, 0, 0, 0, 64, 0, 0, 0, 32}, 9, {1, 0, 0, 0, 1, 0, 0, 0, 0.5f}},
	{"nbt direct ignores the three-index bit", NORMAL, 0x80000000u | 1 << 10 | 1 << 9, 0, 0, {64, 0, 0, 0, 64, 0, 0, 0, 32}, 9,
		{1, 0, 0, 0, 1, 0, 0, 0, 0.5f}},
	/* texture coordinates: element, format, frac of each in its own place */
	{"tex0 s u8 frac 7", TEX0, 0x40000000 | 7u << 25, 0, 0, {64}, 1, {0.5f, 0}},
	{"tex0 st s16 frac 10", TEX0, 0x40000000 | 1u << 21 | 3u << 22 | 10u << 25, 0, 0, {0x04, 0, 0xFC, 0}, 4, {1, -1}},
	{"tex0 u8 without byte dequantisation", TEX0, 7u << 25, 0, 0, {64}, 1, {64, 0}},
	{"tex1", TEX1, 0, 1u | 2u << 1 | 8u << 4, 0, {0x01, 0x00, 0x02, 0x80}, 4, {1, 2.5f}},
	{"tex2", TEX2, 0, 1u << 9 | 2u << 10 | 4u << 13, 0, {0x00, 0x10, 0x00, 0x08}, 4, {1, 0.5f}},
	{"tex3", TEX3, 0, 1u << 18 | 3u << 19 | 1u << 22, 0, {0xFF, 0xFE, 0x00, 0x03}, 4, {-1, 1.5f}},
	{"tex4, frac in VAT C", TEX4, 0, 1u << 27 | 3u << 28, 2, {0xFF, 0xFC, 0x00, 0x02}, 4, {-1, 0.5f}},
	{"tex5", TEX5, 0, 0, 1u << 5 | 3u << 6 | 3u << 9, {0xFF, 0xF8, 0x00, 0x04}, 4, {-1, 0.5f}},
	{"tex6", TEX6, 0, 0, 1u << 14 | 3u << 15 | 4u << 18, {0xFF, 0xF0, 0x00, 0x08}, 4, {-1, 0.5f}},
	{"tex7", TEX7, 0, 0, 1u << 23 | 3u << 24 | 5u << 27, {0xFF, 0xE0, 0x00, 0x10}, 4, {-1, 0.5f}},
	{"fact 49: tex7 format 7", TEX7, 0, 0, 1u << 23 | 7u << 24 | 5u << 27, {0x40, 0, 0, 0, 0x3F, 0, 0, 0}, 8, {2, 0.5f}},
};

static void describe(enum what what, unsigned mode)
{
	if (what == POSITION)
		m->state.cp[0x50] = mode << 9;
	else if (what == NORMAL)
		m->state.cp[0x50] = mode << 11;
	else
		m->state.cp[0x60] = mode << (2 * (unsigned)(what - TEX0));
}

static void got(const struct gx_vertex *v, enum what what, float out[9])
{
	memset(out, 0, 9 * sizeof *out);
	if (what == POSITION)
		memcpy(out, v->object, 12);
	else if (what >= TEX0)
		memcpy(out, v->in_tex[what - TEX0], 8);
	else {
		memcpy(out, v->normal, 12);
		memcpy(out + 3, v->tangent, 12);
		memcpy(out + 6, v->binormal, 12);
	}
}

START_TEST(number)
{
	struct gx_vertex v;
	float out[9];

	m->state.cp[0x73] = numbers[_i].a;
	m->state.cp[0x83] = numbers[_i].b;
	m->state.cp[0x93] = numbers[_i].c;
	describe(numbers[_i].what, 1);
	ck_assert_msg(gx_vertex_size(m->state.cp, 3) == numbers[_i].size, "%s: size", numbers[_i].name);
	ck_assert(gx_vertex_fetch(m, 3, numbers[_i].bytes, &v));
	got(&v, numbers[_i].what, out);
	for (unsigned i = 0; i < 9; i++)
		ck_assert_msg(out[i] == numbers[_i].expected[i], "%s: component %u is %g, not %g", numbers[_i].name, i, (double)out[i],
			(double)numbers[_i].expected[i]);
}
END_TEST

/* The same bytes through an array, with either index size, at an index that is not 0. */
START_TEST(number_indexed)
{
	unsigned array = numbers[_i].what <= NORMAL ? numbers[_i].what : 2u + (unsigned)numbers[_i].what;
	struct gx_vertex v;
	float out[9];

	m->state.cp[0x73] = numbers[_i].a & 0x7FFFFFFF;
	m->state.cp[0x83] = numbers[_i].b;
	m->state.cp[0x93] = numbers[_i].c;
	m->state.cp[0xA0 + array] = 0x80001000; /* bits above 25 do not count */
	m->state.cp[0xB0 + array] = 0xFFFFFF28; /* nor does more than a byte of stride */
	memcpy(m->memory.mem1 + 0x1000 + 5 * 0x28, numbers[_i].bytes, 36);
	memcpy(m->memory.mem1 + 0x1000 + 300 * 0x28, numbers[_i].bytes, 36);
	for (unsigned mode = 2; mode < 4; mode++) {
		const uint8_t stream[2][2] = {{5}, {300 >> 8, 300 & 255}};
		describe(numbers[_i].what, mode);
		ck_assert_uint_eq(gx_vertex_size(m->state.cp, 3), mode - 1);
		ck_assert(gx_vertex_fetch(m, 3, stream[mode - 2], &v));
		got(&v, numbers[_i].what, out);
		for (unsigned i = 0; i < 9; i++)
			ck_assert_msg(out[i] == numbers[_i].expected[i], "%s, mode %u: component %u is %g, not %g", numbers[_i].name, mode, i,
				(double)out[i], (double)numbers[_i].expected[i]);
	}
}
END_TEST

/* ---- colours ------------------------------------------------------------------------------------------------------------ */

static const struct {
	const char *name;
	unsigned format;
	uint8_t bytes[4];
	uint8_t rgba[4];
} colours[] = {
	{"565 white", 0, {0xFF, 0xFF}, {255, 255, 255, 255}},
	{"565 low bits", 0, {0x08, 0x21}, {8, 4, 8, 255}},
	{"565 middle", 0, {0x84, 0x10}, {0x84, 0x82, 0x84, 255}},
	{"888", 1, {1, 2, 3}, {1, 2, 3, 255}},
	{"888x ignores the fourth byte", 2, {1, 2, 3, 4}, {1, 2, 3, 255}},
	{"4444", 3, {0x12, 0x8F}, {0x11, 0x22, 0x88, 255}},
	{"6666", 4, {0x04, 0x20, 0xC4}, {4, 8, 12, 16}},
	{"6666 high bits", 4, {0xFF, 0xF0, 0x20}, {255, 255, 0, 0x82}},
	{"8888", 5, {9, 8, 7, 6}, {9, 8, 7, 6}},
	{"format 6 has no bytes", 6, {9, 8, 7, 6}, {255, 255, 255, 255}},
	{"format 7 has no bytes", 7, {9, 8, 7, 6}, {255, 255, 255, 255}},
};

START_TEST(colour)
{
	static const unsigned sizes[8] = {2, 3, 4, 2, 3, 4, 0, 0};
	struct gx_vertex v;
	uint8_t stream[8];

	/* both colours: the second behind the first, each its own format field */
	memcpy(stream, colours[_i].bytes, 4);
	memcpy(stream + sizes[colours[_i].format], "\x12\x34\x56", 3);
	m->state.cp[0x50] = 1 << 13 | 1 << 15;
	m->state.cp[0x70] = colours[_i].format << 14 | 1 << 18;
	ck_assert_uint_eq(gx_vertex_size(m->state.cp, 0), sizes[colours[_i].format] + 3);
	ck_assert(gx_vertex_fetch(m, 0, stream, &v));
	ck_assert_msg(!memcmp(v.in_colour[0], colours[_i].rgba, 4), "%s: %u %u %u %u", colours[_i].name, v.in_colour[0][0],
		v.in_colour[0][1], v.in_colour[0][2], v.in_colour[0][3]);
	ck_assert_msg(!memcmp(v.in_colour[1], "\x12\x34\x56\xFF", 4), "%s: colour 1", colours[_i].name);
	/* colour 1 alone is channel 0's */
	m->state.cp[0x50] = 1 << 15;
	m->state.cp[0x70] = colours[_i].format << 18;
	ck_assert(gx_vertex_fetch(m, 0, colours[_i].bytes, &v));
	ck_assert_msg(!memcmp(v.in_colour[0], colours[_i].rgba, 4), "%s: colour 1 alone", colours[_i].name);
	ck_assert_msg(!memcmp(v.in_colour[1], "\xFF\xFF\xFF\xFF", 4), "%s: missing colour", colours[_i].name);
	/* from an array */
	m->state.cp[0x50] = 2 << 13;
	m->state.cp[0x70] = colours[_i].format << 14;
	m->state.cp[0xA2] = 0x200;
	m->state.cp[0xB2] = 4;
	memcpy(m->memory.mem1 + 0x200 + 9 * 4, colours[_i].bytes, 4);
	ck_assert(gx_vertex_fetch(m, 0, (const uint8_t *)"\x09", &v));
	ck_assert_msg(!memcmp(v.in_colour[0], colours[_i].rgba, 4), "%s: indexed", colours[_i].name);
}
END_TEST

/* ---- the rest ----------------------------------------------------------------------------------------------------------- */

START_TEST(matrix_indices)
{
	const uint8_t stream[] = {0xC1, 0xFF, 0x05};
	struct gx_vertex v;

	m->state.xf[0x1018] = 3u | 6u << 6 | 9u << 12 | 12u << 18 | 15u << 24;
	m->state.xf[0x1019] = 18u | 21u << 6 | 24u << 12 | 27u << 18;
	m->state.cp[0x30] = m->state.cp[0x40] = 0x3FFFFFFF; /* the XF copy counts */
	ck_assert(gx_vertex_fetch(m, 0, stream, &v));
	ck_assert_uint_eq(v.pos_matrix, 3);
	for (unsigned i = 0; i < 8; i++)
		ck_assert_uint_eq(v.tex_matrix[i], 6 + 3 * i);
	m->state.cp[0x50] = 1 | 1 << 1 | 1 << 8; /* position, texture 0 and 7 from the stream, six bits of each byte */
	ck_assert_uint_eq(gx_vertex_size(m->state.cp, 0), 3);
	ck_assert(gx_vertex_fetch(m, 0, stream, &v));
	ck_assert_uint_eq(v.pos_matrix, 1);
	ck_assert_uint_eq(v.tex_matrix[0], 63);
	ck_assert_uint_eq(v.tex_matrix[1], 9);
	ck_assert_uint_eq(v.tex_matrix[6], 24);
	ck_assert_uint_eq(v.tex_matrix[7], 5);
}
END_TEST

/* Vector k comes from base + index_k*stride + k*3*size (spec 01 section 3). */
START_TEST(three_normal_indices)
{
	const uint8_t stream[] = {0, 2, 0, 1, 0, 0};
	uint8_t *array = m->memory.mem1 + 0x400;
	struct gx_vertex v;

	memset(array, 0, 64);
	memcpy(array + 2 * 16 + 0, "\x40\x00\x00", 3);
	memcpy(array + 1 * 16 + 3, "\x00\x40\x00", 3);
	memcpy(array + 0 * 16 + 6, "\x00\x00\xC0", 3);
	m->state.cp[0x50] = 3 << 11;
	m->state.cp[0x70] = 0x80000000u | 1 << 10 | 1 << 9;
	m->state.cp[0xA1] = 0x400;
	m->state.cp[0xB1] = 16;
	ck_assert_uint_eq(gx_vertex_size(m->state.cp, 0), 6);
	ck_assert(gx_vertex_fetch(m, 0, stream, &v));
	ck_assert(v.normal[0] == 1 && v.normal[1] == 0 && v.normal[2] == 0);
	ck_assert(v.tangent[0] == 0 && v.tangent[1] == 1 && v.tangent[2] == 0);
	ck_assert(v.binormal[0] == 0 && v.binormal[1] == 0 && v.binormal[2] == -1);
}
END_TEST

static const struct {
	const char *name;
	unsigned mode;
	uint8_t stream[2];
	bool kept;
} drops[] = {
	{"8-bit FF", 2, {0xFF}, false},
	{"8-bit FE", 2, {0xFE}, true},
	{"16-bit FFFF", 3, {0xFF, 0xFF}, false},
	{"16-bit 00FF", 3, {0x00, 0xFF}, true},
	{"16-bit FFFE", 3, {0xFF, 0xFE}, true},
	{"direct", 1, {0xFF, 0xFF}, true},
};

START_TEST(dropped)
{
	struct gx_vertex v;

	m->state.cp[0x50] = drops[_i].mode << 9;
	ck_assert_msg(gx_vertex_fetch(m, 0, drops[_i].stream, &v) == drops[_i].kept, "%s", drops[_i].name);
}
END_TEST

/* Spec 08 fact 44 and the quirks around it. */
START_TEST(absent_attributes)
{
	const uint8_t first[] = {64, 0, 0, 0, 64, 0, 0, 0, 64, 1, 2, 3, 7, 9};
	struct gx_vertex v;

	m->state.cp[0x50] = 1 << 11 | 1 << 13;
	m->state.cp[0x60] = 1 << 4; /* texture coordinate 2 */
	m->state.cp[0x70] = 1 << 10 | 1 << 9 | 1 << 14;
	m->state.cp[0x80] = 1 << 9;
	ck_assert_uint_eq(gx_vertex_size(m->state.cp, 0), sizeof first);
	ck_assert(gx_vertex_fetch(m, 0, first, &v));
	/* a normal alone leaves tangent and binormal */
	m->state.cp[0x50] = 1 << 11;
	m->state.cp[0x60] = 0;
	m->state.cp[0x70] = 1 << 10;
	ck_assert(gx_vertex_fetch(m, 0, (const uint8_t *)"\x00\x00\x40", &v));
	ck_assert_msg(v.normal[2] == 1 && v.tangent[1] == 1 && v.binormal[2] == 1, "fact 44: a normal alone");
	ck_assert(v.in_tex[2][0] == 7 && v.in_tex[2][1] == 9);
	ck_assert_uint_eq(v.in_colour[0][0], 255);
	/* nothing at all; missing colours as last value */
	m->state.cp[0x50] = 0;
	m->quirk[GX_QUIRK_missing_colour] = 1;
	ck_assert(gx_vertex_fetch(m, 0, first, &v));
	ck_assert_msg(v.normal[2] == 1 && v.tangent[1] == 1, "fact 44: no normal at all");
	ck_assert(!memcmp(v.in_colour[0], "\x01\x02\x03\xFF", 4));
	ck_assert(v.object[0] == 0 && v.object[1] == 0 && v.object[2] == 0);
	/* Dolphin: zero */
	gx_machine_set_model(m, QS_MODEL_DOLPHIN);
	ck_assert(gx_vertex_fetch(m, 0, first, &v));
	ck_assert(v.normal[2] == 0 && v.tangent[1] == 0 && v.in_tex[2][0] == 0);
}
END_TEST

/* Without the bit: 16 and 0x1008 with four fraction bits, as position and as coordinate. */
static const struct {
	const char *name;
	unsigned quirk, format;
	float expected;
} dequantised[] = {
	{"bytes, bit obeyed", 1, 0, 16}, {"shorts are scaled all the same", 1, 2, 0x1008 / 16.0f},
	{"Dolphin: bytes", 2, 0, 16}, {"Dolphin: shorts", 2, 2, 0x1008},
	{"bit taken as set", 0, 0, 1}, {"bit taken as set, shorts", 0, 2, 0x1008 / 16.0f},
};

START_TEST(byte_dequantisation)
{
	struct gx_vertex v;
	uint32_t format = dequantised[_i].format;

	gx_machine_set_model(m, QS_MODEL_DOLPHIN);
	ck_assert_int_eq(m->quirk[GX_QUIRK_byte_dequant], 2);
	m->quirk[GX_QUIRK_byte_dequant] = (int)dequantised[_i].quirk;
	m->state.cp[0x50] = 1 << 9;
	m->state.cp[0x60] = 1;
	m->state.cp[0x70] = format << 1 | 4 << 4 | 1 << 21 | format << 22 | 4 << 25;
	ck_assert(gx_vertex_fetch(m, 0, (const uint8_t *)"\x10\x08\x10\x08\x10\x08\x10\x08", &v));
	ck_assert_msg(v.object[0] == dequantised[_i].expected, "%s: %g", dequantised[_i].name, (double)v.object[0]);
	ck_assert_msg(v.in_tex[0][0] == dequantised[_i].expected, "%s: coordinate %g", dequantised[_i].name, (double)v.in_tex[0][0]);
}
END_TEST

START_TEST(arrays_outside_memory)
{
	struct gx_vertex v;

	m->state.cp[0x50] = 2 << 9;
	m->state.cp[0x70] = 0x9; /* xyz f32 */
	m->state.cp[0xB0] = 0;
	memcpy(m->memory.mem1 + MEMORY - 4, "\x3F\x80\x00\x00", 4);
	m->state.cp[0xA0] = MEMORY - 4; /* only x is inside */
	ck_assert(gx_vertex_fetch(m, 0, (const uint8_t *)"\x00", &v));
	ck_assert(v.object[0] == 1 && v.object[1] == 0 && v.object[2] == 0);
	m->state.cp[0xA0] = 0x3FFD000;
	ck_assert(gx_vertex_fetch(m, 0, (const uint8_t *)"\x01", &v));
	ck_assert(v.object[0] == 0 && v.object[1] == 0 && v.object[2] == 0);
}
END_TEST

/* A plan must not outlive a change of any register it depends on. */
START_TEST(registers_take_effect_at_once)
{
	const uint8_t stream[] = {1, 2, 3, 4, 5, 6, 7, 8};
	struct gx_vertex v;

	gx_write_cp(m, 0x50, 1 << 9);
	gx_write_cp(m, 0x70, 0x40000000);
	ck_assert(gx_vertex_fetch(m, 0, stream, &v) && v.object[0] == 1 && v.object[2] == 0);
	gx_write_cp(m, 0x70, 0x40000011);
	ck_assert(gx_vertex_fetch(m, 0, stream, &v) && v.object[0] == 0.5f && v.object[2] == 1.5f);
	gx_write_cp(m, 0x71, 0x40000000);
	ck_assert(gx_vertex_fetch(m, 1, stream, &v) && v.object[0] == 1 && v.object[2] == 0);
	ck_assert(gx_vertex_fetch(m, 0, stream, &v) && v.object[0] == 0.5f);
	gx_write_cp(m, 0x53, 2 << 9); /* 0x50-0x57 are one register */
	gx_write_cp(m, 0xA0, 0x100);
	gx_write_cp(m, 0xB0, 3);
	memcpy(m->memory.mem1 + 0x103, "\x0A\x0B\x0C", 3);
	ck_assert(gx_vertex_fetch(m, 0, stream, &v) && v.object[0] == 5);
	gx_write_cp(m, 0xA0, 0x103);
	memcpy(m->memory.mem1 + 0x106, "\x0E\x0F\x10", 3);
	ck_assert(gx_vertex_fetch(m, 0, stream, &v) && v.object[0] == 7);
	gx_write_cp(m, 0xB0, 0);
	ck_assert(gx_vertex_fetch(m, 0, stream, &v) && v.object[0] == 5);
	gx_write_cp(m, 0x60, 1);
	ck_assert(gx_vertex_fetch(m, 0, stream, &v) && v.in_tex[0][0] == 2);
	m->quirk[GX_QUIRK_byte_dequant] = 1;
	gx_write_cp(m, 0x70, 0x11);
	ck_assert(gx_vertex_fetch(m, 0, stream, &v) && v.object[0] == 10);
	m->quirk[GX_QUIRK_byte_dequant] = 0;
	ck_assert(gx_vertex_fetch(m, 0, stream, &v) && v.object[0] == 5);
}
END_TEST

/* ---- random formats ----------------------------------------------------------------------------------------------------- */

static bool same(float value, double expected)
{
	return (isnan(expected) && isnan(value)) || (double)value == expected;
}

static void random_registers(struct oracle_random *r)
{
	uint32_t *cp = m->state.cp;

	cp[0x50] = oracle_random_next(r) & (oracle_random_below(r, 2) ? 0x1FFFF : 0x1FE00);
	cp[0x60] = oracle_random_next(r) & (oracle_random_below(r, 2) ? 0xFFFF : 0xF);
	for (unsigned i = 0x70; i < 0xA0; i++)
		cp[i] = oracle_random_next(r);
	for (unsigned i = 0; i < 16; i++) {
		cp[0xA0 + i] = oracle_random_below(r, 0x20000);
		cp[0xB0 + i] = oracle_random_next(r);
	}
	m->state.xf[0x1018] = oracle_random_next(r);
	m->state.xf[0x1019] = oracle_random_next(r);
}

static void compare(const struct oracle_vertex *o, const struct gx_vertex *v, const char *where)
{
	float normal[9];

	got(v, NORMAL, normal);
	ck_assert_msg(v->pos_matrix == o->matrix[0], "%s: position matrix", where);
	for (unsigned i = 0; i < 8; i++)
		ck_assert_msg(v->tex_matrix[i] == o->matrix[1 + i], "%s: texture matrix %u", where, i);
	for (unsigned i = 0; i < 3; i++)
		ck_assert_msg(same(v->object[i], o->position[i]), "%s: position %u: %g, not %g", where, i, (double)v->object[i],
			o->position[i]);
	for (unsigned i = 0; i < 9; i++)
		ck_assert_msg(same(normal[i], o->normal[i]), "%s: normal %u: %g, not %g", where, i, (double)normal[i], o->normal[i]);
	for (unsigned i = 0; i < 8; i++)
		ck_assert_msg(v->in_colour[i / 4][i % 4] == o->colour[i / 4][i % 4], "%s: colour %u is %u, not %d", where, i,
			v->in_colour[i / 4][i % 4], o->colour[i / 4][i % 4]);
	for (unsigned i = 0; i < 16; i++)
		ck_assert_msg(same(v->in_tex[i / 2][i % 2], o->tex[i / 2][i % 2]), "%s: texture coordinate %u", where, i);
}

START_TEST(random_formats)
{
	struct oracle_random random = oracle_random_start();
	struct oracle_memory memory = {m->memory.mem1, MEMORY, 0x10000};
	struct oracle_vertex o = {0};
	struct gx_vertex v;
	uint8_t stream[512];
	char where[64];

	for (unsigned round = 0; round < 20000; round++) {
		unsigned format = oracle_random_below(&random, 8);
		if (round % 4 == 0)
			random_registers(&random);
		for (unsigned i = 0; i < sizeof stream; i++)
			stream[i] = (uint8_t)(oracle_random_below(&random, 16) ? oracle_random_next(&random) : 0xFF);
		snprintf(where, sizeof where, "seed %llu round %u", (unsigned long long)random.seed, round);
		oracle_vertex_read(m->state.cp, m->state.xf + 0x1018, format, stream, &memory, &o);
		bool kept = gx_vertex_fetch(m, format, stream, &v);
		ck_assert_msg(kept != o.dropped, "%s: dropped", where);
		if (!kept)
			continue;
		ck_assert_msg(gx_vertex_size(m->state.cp, format) == (size_t)(o.end - stream), "%s: size", where);
		compare(&o, &v, where);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("vertex");
	TCase *tcase = tcase_create("vertex");
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, number, 0, sizeof numbers / sizeof *numbers);
	tcase_add_loop_test(tcase, number_indexed, 0, sizeof numbers / sizeof *numbers);
	tcase_add_loop_test(tcase, colour, 0, sizeof colours / sizeof *colours);
	tcase_add_test(tcase, matrix_indices);
	tcase_add_test(tcase, three_normal_indices);
	tcase_add_loop_test(tcase, dropped, 0, sizeof drops / sizeof *drops);
	tcase_add_test(tcase, absent_attributes);
	tcase_add_loop_test(tcase, byte_dequantisation, 0, sizeof dequantised / sizeof *dequantised);
	tcase_add_test(tcase, arrays_outside_memory);
	tcase_add_test(tcase, registers_take_effect_at_once);
	tcase_add_test(tcase, random_formats);
	tcase_set_timeout(tcase, 60);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
