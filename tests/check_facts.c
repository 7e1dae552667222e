/* check_facts.c - what console tests found, asked of the whole machine: registers and draws go in as commands, pixels come out
 *
 * Every fact of the list (docs/facts.md) that is about what a screen shows, or that takes several units, is tested here, with
 * the inputs of the list and in the hardware model.  Facts about one unit stand in the tables of that unit's test.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <math.h>
#include <stdio.h>

#include "tevpe.h"
#include "log_machine.h" /* after it: its m would be shadowed */

#define COUNT(table) ((int)(sizeof table / sizeof *table))
#define TEXTURE 0x100000u
#define WHITE 0xFFFFFFFFu

static uint32_t xf_memory[4096], xf_registers[96];

static uint32_t word(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof bits);
	return bits;
}

/* A screen of 640x480: clip coordinates are the vertices' own, colours are shown as they come, nothing is tested. */
static void setup(void)
{
	static const struct { unsigned address; uint32_t value; } bp[] = {
		{0x00, 1 << 4}, {0x20, 342 << 12 | 342}, {0x21, (342 + 639) << 12 | (342 + 479)}, {0x22, 6 | 6 << 8}, {0x59, 171 << 10 | 171},
		{0x41, 0x18}, {0x44, 3}, {0xC0, 0x08FFFA}, {0xC1, 0x08FFD0}, {0xF3, 0x3F0000}, {0xF6, 4}, {0xF7, 14}, {0xF8, 4}, {0xF9, 14},
	};
	static const float view[7] = {1, 0, 1, 0, 1, 0}, unit[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

	log_machine_start(0x400000, 0x1000);
	memset(xf_memory, 0, sizeof xf_memory);
	memset(xf_registers, 0, sizeof xf_registers);
	replay.xf_memory = xf_memory;
	replay.xf_registers = xf_registers;
	for (int i = 0; i < COUNT(bp); i++)
		replay.bp[bp[i].address] = bp[i].value;
	for (unsigned i = 0; i < 7; i++)
		xf_registers[0x20 + i] = word(view[i]);
	xf_registers[0x26] = 1; /* orthographic */
	for (unsigned i = 0; i < 12; i++) {
		xf_memory[i] = xf_memory[4 * 60 + i] = word(unit[i]);
		xf_memory[0x500 + 4 * 61 + i] = word(unit[i]);
	}
	xf_registers[0x08] = xf_registers[0x09] = 1;
	xf_registers[0x0C] = WHITE;
	xf_registers[0x0E] = xf_registers[0x10] = 1; /* the vertex' colour */
	xf_registers[0x18] = 0x3CF3CF00;
	xf_registers[0x19] = 0x00F3CF3C;
	xf_registers[0x50] = 61;
	replay.cp[0x50] = 1 << 9 | 1 << 13;
	replay.cp[0x70] = 1 | 4 << 1 | 1 << 13 | 5 << 14 | 1 << 21 | 4 << 22 | 1 << 30;
}

static void run(void)
{
	load();
	execute_all();
}

static void put_float(struct bytes *b, float value)
{
	put_be32(b, word(value));
}

static void put_floats(unsigned address, unsigned count, const float *values)
{
	put_u8(fifo, 0x10);
	put_be32(fifo, (count - 1) << 16 | address);
	for (unsigned i = 0; i < count; i++)
		put_float(fifo, values[i]);
}

static void viewport(float scale_x, float scale_y, float x, float y)
{
	put_floats(0x101A, 6, (const float[6]){scale_x, scale_y, 16777215, x, y, 16777215});
}

/* Four corners x, y, z in clip coordinates, in one colour, with a texture coordinate when the vertices have one. */
static void quad(const float (*corner)[3], uint32_t colour, const float (*tex)[2])
{
	put_u8(fifo, 0x80);
	put_be16(fifo, 4);
	for (unsigned i = 0; i < 4; i++) {
		for (unsigned k = 0; k < 3; k++)
			put_float(fifo, corner[i][k]);
		put_be32(fifo, colour);
		for (unsigned k = 0; tex && k < 2; k++)
			put_float(fifo, tex[i][k]);
	}
}

static void rectangle(float x0, float x1, float z, const float (*tex)[2])
{
	const float corner[4][3] = {{x0, 1, z}, {x1, 1, z}, {x1, -1, z}, {x0, -1, z}};

	quad(corner, WHITE, tex);
}

static bool drawn(int x, int y)
{
	return m->efb->colour[y * GX_EFB_WIDTH + x] != 0;
}

/* ---- the sample point (rasterization test of hwtests) -------------------------------------------------------------------- */

/* The left edge's vertices lie at x = 0, so that the viewport's centre alone says where the edge is. */
static const struct {
	const char *name;
	float x;
	bool covered;
} edges[] = {
	{"fact 15: the edge at 50.583328247070 covers pixel 50", 0.583328247070f, true},
	{"fact 15: the edge at 50.583328306675 does not", 0.583328306675f, false},
};

START_TEST(left_edge)
{
	viewport(100, -100, (float)(342 + 50) + edges[_i].x, 342 + 100);
	rectangle(0, 1, -0.5f, NULL);
	run();
	ck_assert_msg(drawn(50, 100) == edges[_i].covered, "%s", edges[_i].name);
	ck_assert(drawn(51, 100) && !drawn(49, 100));
}
END_TEST

static const struct {
	const char *name;
	float x;
	bool covered;
} thin[] = {
	{"fact 16: 4e-5 pixels wide, from 0.583297729492 on", 0.583297729492f, true},
	{"fact 16: up to 0.583328247070", 0.583328247070f, true},
	{"fact 16: not at 0.583297669888", 0.583297669888f, false},
	{"fact 16: not at 0.583328306675", 0.583328306675f, false},
};

START_TEST(thin_quad)
{
	viewport(2e-5f, -100, 342 + thin[_i].x + 2e-5f, 342 + 100);
	rectangle(-1, 1, -0.5f, NULL);
	run();
	ck_assert_msg(drawn(0, 100) == thin[_i].covered, "%s", thin[_i].name);
	ck_assert(!drawn(1, 100));
}
END_TEST

/* ---- clipping (clipping test) -------------------------------------------------------------------------------------------- */

START_TEST(guard_band)
{
	viewport(50, -100, 342 + 150, 342 + 100);
	rectangle(-2, -1, -0.5f, NULL);
	run();
	ck_assert_msg(drawn(60, 100), "fact 17: x from -2 to -1, viewport 100 to 200: pixel 60");
	ck_assert(drawn(99, 100) && !drawn(100, 100) && drawn(50, 100) && !drawn(49, 100));
}
END_TEST

/* Top left, top right, bottom right, bottom left; viewport and probed pixel are those of the console test. */
static const struct {
	const char *name;
	uint32_t disable;
	float z[4];
	bool drawn;
} planes[] = {
	{"fact 18: before the near plane", 0, {-1.1f, -1.1f, -1.1f, -1.1f}, false},
	{"fact 18: before the near plane, CLIP_DISABLE 1", 1, {-1.1f, -1.1f, -1.1f, -1.1f}, false},
	{"fact 19: behind the far plane", 0, {0.00001f, 0.00001f, 0.00001f, 0.00001f}, false},
	{"fact 19: behind the far plane, CLIP_DISABLE 1", 1, {0.00001f, 0.00001f, 0.00001f, 0.00001f}, false},
	{"fact 20: one vertex before near, the others on it", 0, {-1.5f, -1, -1, -1}, false},
	{"fact 20: the same with CLIP_DISABLE 1", 1, {-1.5f, -1, -1, -1}, true},
	{"fact 21: three far before near, CLIP_DISABLE 1", 1, {-65537, -65537, -1, -65537}, true},
	{"inside", 0, {-0.5f, -0.5f, -0.5f, -0.5f}, true},
};

START_TEST(plane)
{
	const float *z = planes[_i].z;
	const float corner[4][3] = {{-1, 1, z[0]}, {1, 1, z[1]}, {1, -1, z[2]}, {-1, -1, z[3]}};

	put_xf(fifo, 0x1005, 1, planes[_i].disable);
	viewport(25, -25, 342 + 125, 342 + 25);
	quad(corner, WHITE, NULL);
	run();
	ck_assert_msg(drawn(125, 25) == planes[_i].drawn, "%s", planes[_i].name);
}
END_TEST

/* ---- the processor's window ---------------------------------------------------------------------------------------------- */

static void access_efb(enum qs_access_kind kind, int x, int y, uint32_t value)
{
	const struct qs_access a = {.command = 0, .kind = (uint8_t)kind, .x = (uint16_t)x, .y = (uint16_t)y, .value = value};

	ck_assert(gx_access_possible(&a));
	gx_access(m, &a);
}

/* Poked into RGBA6, peeked, and read back by a copy as RGBA8. */
START_TEST(poked_values)
{
	put_bp(fifo, 0x43, 1);
	run();
	access_efb(QS_ACCESS_REGISTER, 0x02, 0, 0x18);
	access_efb(QS_ACCESS_REGISTER, 0x06, 0, 0x700);
	access_efb(QS_ACCESS_REGISTER, 0x08, 0, 2);
	for (unsigned v = 0; v < 256; v++)
		access_efb(QS_ACCESS_COLOUR, (int)v, 0, v * 0x01010101u);
	for (unsigned v = 0; v < 256; v++)
		ck_assert_msg(gx_peek(m, false, (int)v, 0) == ((v & 0xFC) | v >> 6) * 0x01010101u, "fact 30: %02x is peeked as %08x", v,
			gx_peek(m, false, (int)v, 0));
	gx_write_bp(m, 0x49, 0);
	gx_write_bp(m, 0x4A, 255 | 3 << 10);
	gx_write_bp(m, 0x4B, TEXTURE >> 5);
	gx_write_bp(m, 0x4D, 64 * 2);
	gx_write_bp(m, 0x53, 21 << 12 | 22 << 18);
	gx_write_bp(m, 0x54, 21);
	gx_write_bp(m, 0x52, 3 | 6 << 4);
	for (unsigned v = 0; v < 256; v++) {
		const uint8_t *ar = &m->memory.mem1[TEXTURE + v / 4 * 64 + 2 * (v % 4)], read = (uint8_t)((v & 0xFC) | v >> 6);
		ck_assert_msg(ar[0] == read && ar[1] == read && ar[32] == read && ar[33] == read, "fact 30: %02x is copied as %02x %02x %02x %02x", v,
			ar[1], ar[32], ar[33], ar[0]);
	}
}
END_TEST

static void put_texture(uint32_t format, const void *data, uint32_t size, unsigned side)
{
	log_update(&replay.frame[0], (uint32_t)fifo->size, QS_UPDATE_TEXTURE, TEXTURE, data, size);
	put_bp(fifo, 0x66, 0x1000);
	put_bp(fifo, 0x80, 0);
	put_bp(fifo, 0x84, 0);
	put_bp(fifo, 0x88, (side - 1) | (side - 1) << 10 | format << 20);
	put_bp(fifo, 0x8C, 3 << 15 | 3 << 18);
	put_bp(fifo, 0x90, 3 << 15 | 3 << 18 | 0x4000);
	put_bp(fifo, 0x94, TEXTURE >> 5);
	put_bp(fifo, 0x30, side - 1);
	put_bp(fifo, 0x31, side - 1);
	put_bp(fifo, 0x28, 1 << 6);
	put_bp(fifo, 0x00, 1 << 4 | 1);
	put_bp(fifo, 0xC0, 0x08FFF8);
	put_bp(fifo, 0xC1, 0x08FFC0);
	put_xf(fifo, 0x103F, 1, 1);
	put_xf(fifo, 0x1040, 1, 5 << 7);
	put_xf(fifo, 0x1008, 1, 1 | 1 << 4);
	put_cp(fifo, 0x60, 1);
}

static const float whole[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};

/* Z24, a Z texture of 24 bits that replaces, bias 0; the texel's red is the upper byte. */
START_TEST(z_texture)
{
	uint8_t texels[64];

	for (unsigned i = 0; i < 32; i += 2) {
		texels[i] = 0x77;
		texels[i + 1] = 0x12;
		texels[32 + i] = 0x34;
		texels[33 + i] = 0x56;
	}
	put_texture(6, texels, sizeof texels, 4);
	put_bp(fifo, 0x43, 3);
	put_bp(fifo, 0x40, 1 | 7 << 1 | 1 << 4);
	put_bp(fifo, 0xF4, 0);
	put_bp(fifo, 0xF5, 2 << 2 | 2);
	viewport(100, -100, 342 + 200, 342 + 200);
	rectangle(-1, 1, -0.5f, whole);
	run();
	ck_assert_msg(gx_peek(m, true, 200, 200) == 0x123456, "fact 32: peeked %06x", gx_peek(m, true, 200, 200));
}
END_TEST

/* The texel that the Z texture takes is the one before the swap table: here the table would put blue everywhere. */
START_TEST(z_texture_before_swap)
{
	uint8_t texels[64];

	for (unsigned i = 0; i < 32; i += 2) {
		texels[i] = 0x77;
		texels[i + 1] = 0x12;
		texels[32 + i] = 0x34;
		texels[33 + i] = 0x56;
	}
	put_texture(6, texels, sizeof texels, 4);
	put_bp(fifo, 0x40, 1 | 7 << 1 | 1 << 4);
	put_bp(fifo, 0xF5, 2 << 2 | 2);
	put_bp(fifo, 0xF8, 2 | 2 << 2);
	put_bp(fifo, 0xF9, 2 | 2 << 2);
	put_bp(fifo, 0xC1, 0x08FFC0 | 1 << 2); /* texels through table 1 */
	viewport(100, -100, 342 + 200, 342 + 200);
	rectangle(-1, 1, -0.5f, whole);
	run();
	ck_assert_uint_eq(m->efb->colour[200 * GX_EFB_WIDTH + 200], 0x565656);
	ck_assert_msg(m->efb->depth[200 * GX_EFB_WIDTH + 200] == 0x123456, "fact 51: depth %06x", m->efb->depth[200 * GX_EFB_WIDTH + 200]);
}
END_TEST

/* ---- setup ---------------------------------------------------------------------------------------------------------------- */

/* A point of one pixel. */
START_TEST(bounding_box)
{
	put_bp(fifo, 0x55, 0x3FF);
	put_bp(fifo, 0x56, 0x3FF);
	viewport(1, -1, 342 + 5.5f, 342 + 7.5f);
	put_u8(fifo, 0xB8);
	put_be16(fifo, 1);
	put_float(fifo, 0);
	put_float(fifo, 0);
	put_float(fifo, -0.5f);
	put_be32(fifo, WHITE);
	run();
	ck_assert(drawn(5, 7) && !drawn(4, 7) && !drawn(5, 6) && !drawn(6, 7) && !drawn(5, 8));
	const uint16_t *box = &m->state.pe[0x10 / 2];
	ck_assert_msg(box[0] == 4 && box[1] == 5 && box[2] == 6 && box[3] == 7, "fact 33: %u to %u, %u to %u", box[0], box[1], box[2], box[3]);
}
END_TEST

/* L - OX = -1000, R - OX = -901: columns 24 to 123. */
START_TEST(wrapped_scissor)
{
	put_bp(fifo, 0x20, 0 << 12 | 342);
	put_bp(fifo, 0x21, 99u << 12 | (342 + 479));
	put_bp(fifo, 0x59, 171 << 10 | 500);
	viewport(2000, -240, 1024, 342 + 240); /* everything */
	rectangle(-1, 1, -0.5f, NULL);
	run();
	for (int x = 0; x < 640; x++)
		if (drawn(x, 100) != (x >= 24 && x <= 123))
			ck_abort_msg("fact 34: column %d", x);
}
END_TEST

/* ---- texture coordinates --------------------------------------------------------------------------------------------------- */

/* 64x64 texels of I8 whose value is their column. */
static uint8_t columns[64 * 64];

static void column_texture(void)
{
	for (unsigned tile = 0; tile < 128; tile++)
		for (unsigned i = 0; i < 32; i++)
			columns[32 * tile + i] = (uint8_t)(tile % 8 * 8 + i % 8);
	put_texture(1, columns, sizeof columns, 64);
}

/* What the quad of one texture coordinate shows: the texel's column in the middle. */
static unsigned column_shown(float s)
{
	const float tex[4][2] = {{s, 0}, {s, 0}, {s, 0}, {s, 0}};

	viewport(100, -100, 342 + 200, 342 + 200);
	rectangle(-1, 1, -0.5f, tex);
	run();
	return m->efb->colour[200 * GX_EFB_WIDTH + 200] & 0xFF;
}

/* The texgen is of kind ST, whose q is 1; the post matrix makes it 2, and s is divided by it. */
START_TEST(divided_by_q)
{
	static const float two[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 2};

	column_texture();
	put_xf(fifo, 0x1012, 1, 1);
	put_floats(0x500 + 4 * 20, 12, two);
	put_xf(fifo, 0x1050, 1, 20);
	unsigned shown = column_shown(0.5f + 0.25f / 64);
	ck_assert_msg(shown == 16, "fact 41: s = 0.5 by q = 2 shows column %u", shown);
}
END_TEST

/* s = 4 or less, q = 0: half of it, at most 1, and no division later. */
static const struct {
	const char *name;
	float s;
	unsigned shown; /* of 64 columns, clamped */
} zero_q[] = {
	{"fact 43: s = 0.5, q = 0: s is halved", 0.5f + 0.5f / 64, 16},
	{"fact 43: s = 4, q = 0: s is 1", 4, 63},
	{"fact 43: s = 1.5, q = 0", 1.5f + 0.5f / 64, 48},
};

START_TEST(q_is_zero)
{
	static const float none[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0};

	column_texture();
	put_floats(4 * 20, 12, none);
	put_xf(fifo, 0x1018, 1, 0x3CF3C000 | 20 << 6);
	put_xf(fifo, 0x1040, 1, 5 << 7 | 1 << 1); /* STQ */
	unsigned shown = column_shown(zero_q[_i].s);
	ck_assert_msg(shown == zero_q[_i].shown, "%s: column %u", zero_q[_i].name, shown);
}
END_TEST

/* One coordinate is made; the stage asks for another. */
START_TEST(coordinate_beyond)
{
	for (unsigned coordinate = 0; coordinate < 8; coordinate++) {
		if (coordinate) {
			log_machine_end();
			setup();
		}
		column_texture();
		put_bp(fifo, 0x28, 1 << 6 | coordinate << 3);
		unsigned shown = column_shown(37.5f / 64);
		ck_assert_msg(shown == 37, "fact 37: coordinate %u of 1 shows column %u", coordinate, shown);
	}
}
END_TEST

/* ---- indirect matrices ----------------------------------------------------------------------------------------------------- */

/* m00 = 1/2, offset of 64 steps of the indirect texel: (512 * 64 >> 3) * 2^(scale - 17). */
static const struct {
	const char *name;
	unsigned scale; /* five bits */
	unsigned bit_23;
	int32_t expected;
} matrices[] = {
	{"fact 36: scale 17 is 1", 17, 0, 4096},
	{"fact 36: bit 23 of C is ignored", 17, 1, 4096},
	{"fact 36: the fifth bit counts: 16 is 1/2", 16, 0, 2048},
	{"fact 36: without it: 1 is 2^-16", 1, 0, 0},
	{"fact 36: 15 is 1/4, whatever bit 23 says", 15, 1, 1024},
	{"fact 36: 20 is 8", 20, 1, 32768},
};

START_TEST(indirect_scale)
{
	static uint8_t texels[TEX_SIZE * TEX_SIZE][4];
	struct qs_quad *records = calloc(GX_BATCH_QUADS, sizeof *records);
	uint32_t *bp = m->state.bp, scale = matrices[_i].scale;

	for (unsigned i = 0; i < TEX_SIZE * TEX_SIZE; i++)
		texels[i][3] = 64; /* S */
	test_registers(m);
	test_texture(m, 0, (const uint8_t (*)[4])texels);
	bp[0x00] = 1 | 1 << 4 | 1 << 16;
	bp[0x28] = 1 << 6;
	bp[0x10] = 1 << 9; /* matrix 0, S T U of indirect stage 0, eight bits */
	bp[0x06] = 512 | (scale & 3) << 22;
	bp[0x07] = (scale >> 2 & 3) << 22;
	bp[0x08] = (scale >> 4) << 22 | matrices[_i].bit_23 << 23;
	gx_tev_begin_draw(m);
	struct gx_batch *b = test_batch(m, 1, 0, 0);
	test_records(b, records, true);
	gx_tx_begin_draw(m);
	gx_tev_run(m, b);
	ck_assert_msg(records[0].fragment[0].stage[0].indirect_s == matrices[_i].expected, "%s: %d", matrices[_i].name,
		records[0].fragment[0].stage[0].indirect_s);
	free(records);
}
END_TEST

/* ---- what is not there ----------------------------------------------------------------------------------------------------- */

/* The console reads junk; whatever is read, a copy stays inside memory and says so twice alike. */
START_TEST(outside_the_efb)
{
	uint64_t hash[2];

	for (unsigned round = 0; round < 2; round++) {
		if (round) {
			log_machine_end();
			setup();
		}
		put_bp(fifo, 0x49, 600 | 500 << 10);
		put_bp(fifo, 0x4A, 127 | 63 << 10);
		put_bp(fifo, 0x4B, TEXTURE >> 5);
		put_bp(fifo, 0x4D, 32 * 2);
		put_bp(fifo, 0x53, 63 | 63 << 6);
		put_bp(fifo, 0x54, 0);
		put_bp(fifo, 0x52, 6 << 4); /* no clamp bits */
		run();
		hash[round] = gx_machine_hash(m);
		ck_assert_uint_eq(m->memory.mem1[TEXTURE - 1], 0);
		ck_assert_uint_eq(m->memory.mem1[TEXTURE + 128 * 64 * 4], 0);
	}
	ck_assert_msg(hash[0] == hash[1], "fact 50: two copies differ");
}
END_TEST

/* Tokens and bounds are the pixel engine's: nothing of CP shows them, and writing there does nothing. */
START_TEST(no_such_registers)
{
	for (uint32_t i = 0; i < qs_register_count(QS_UNIT_CP); i++) {
		const char *name = qs_register_at(QS_UNIT_CP, i)->name;
		ck_assert_msg(!strstr(name, "TOKEN") && !strstr(name, "BOUND") && !strstr(name, "BOX"), "fact 53: there is %s", name);
	}
	for (unsigned address = 0x0E; address <= 0x16; address++)
		put_cp(fifo, address, 0x1234);
	put_bp(fifo, 0x47, 0x77);
	put_bp(fifo, 0x55, 5 | 9 << 10);
	run();
	for (unsigned address = 0x0E; address <= 0x16; address++)
		ck_assert_msg(m->state.pe[address / 2] != 0x1234, "fact 53: CP %02x is a register of PE", address);
	ck_assert(m->state.pe[0x0E / 2] == 0x77 && m->state.pe[0x10 / 2] == 5 && m->state.pe[0x12 / 2] == 9);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("facts");
	TCase *tcase = tcase_create("facts");

	tcase_add_checked_fixture(tcase, setup, log_machine_end);
	tcase_add_loop_test(tcase, left_edge, 0, COUNT(edges));
	tcase_add_loop_test(tcase, thin_quad, 0, COUNT(thin));
	tcase_add_test(tcase, guard_band);
	tcase_add_loop_test(tcase, plane, 0, COUNT(planes));
	tcase_add_test(tcase, poked_values);
	tcase_add_test(tcase, z_texture);
	tcase_add_test(tcase, z_texture_before_swap);
	tcase_add_test(tcase, bounding_box);
	tcase_add_test(tcase, wrapped_scissor);
	tcase_add_test(tcase, divided_by_q);
	tcase_add_loop_test(tcase, q_is_zero, 0, COUNT(zero_q));
	tcase_add_test(tcase, coordinate_beyond);
	tcase_add_loop_test(tcase, indirect_scale, 0, COUNT(matrices));
	tcase_add_test(tcase, outside_the_efb);
	tcase_add_test(tcase, no_such_registers);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
