/* check_copy.c - texture copies: console facts as tables, all formats there and back, random copies against the oracle
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "gx/copy.h"
#include "gx/pe.h"
#include "gx/texfmt.h"
#include "oracle/copy_oracle.h"
#include "tevpe.h"

#define COUNT(table) ((int)(sizeof table / sizeof *table))
#define DESTINATION 0x8000u
#define FORMAT(code) (((code) & 7u) << 4 | ((code) >> 3 & 1u) << 3)
#define CONVERT (3u << 15)
#define PLAIN_FILTER 21u << 12 | 22u << 18 /* weights 0 0 21 22 21 0 0 */

static void copy_registers(struct gx_machine *m, int x, int y, int w, int h, uint32_t command)
{
	uint32_t *bp = m->state.bp;

	test_registers(m);
	bp[0x49] = (uint32_t)x | (uint32_t)y << 10;
	bp[0x4A] = (uint32_t)(w - 1) | (uint32_t)(h - 1) << 10;
	bp[0x4B] = DESTINATION >> 5;
	bp[0x4D] = 64 * 1024 / 32 / 32;
	bp[0x52] = command;
	bp[0x53] = PLAIN_FILTER;
	bp[0x54] = 21;
}

/* Copies the one pixel (0, 1) with neighbours above and below as RGBA8 and gives its colour. */
static void copy_pixel(struct gx_machine *m, const uint8_t out_of[4], uint8_t rgba[4])
{
	uint8_t tile[64];

	m->efb->colour[GX_EFB_WIDTH] = gx_efb_pack(m->state.bp[0x43] & 7, 0, out_of, true, true);
	gx_copy(m);
	gx_memory_read(&m->memory, DESTINATION, tile, sizeof tile);
	rgba[0] = tile[1];
	rgba[1] = tile[32];
	rgba[2] = tile[33];
	rgba[3] = tile[0];
}

/* Fact 22: all 2^24 colours, 512 x 512 of them a copy. */
START_TEST(rgba8_is_exact)
{
	struct gx_machine *m = test_machine(QS_MODEL_HARDWARE);
	const uint8_t *to = &m->memory.mem1[DESTINATION];

	copy_registers(m, 0, 0, 512, 512, FORMAT(6));
	m->state.bp[0x4D] = 512 / 4 * 64 / 32;
	for (uint32_t first = 0; first < 1u << 24; first += 512 * 512) {
		for (uint32_t i = 0; i < 512 * 512; i++)
			m->efb->colour[i / 512 * GX_EFB_WIDTH + i % 512] = first + i;
		gx_copy(m);
		for (uint32_t i = 0; i < 512 * 512; i++) {
			const uint8_t *tile = &to[(i / 512 / 4 * 128 + i % 512 / 4) * 64], *ar = &tile[2 * (i / 512 % 4 * 4 + i % 4)];
			expect(ar[0] == 255 && (uint32_t)(ar[1] << 16 | ar[32] << 8 | ar[33]) == first + i, "fact 22: %06x gives %02x%02x%02x, %02x",
				first + i, ar[1], ar[32], ar[33], ar[0]);
		}
	}
	gx_machine_destroy(m);
}
END_TEST

/* Facts 23, 24, 29. */
static const struct {
	const char *name;
	uint32_t command;
	uint8_t in[3], out[3];
} conversions[] = {
	{"fact 23: bit 2", 1 << 2, {16, 32, 64}, {16, 32, 64}},
	{"fact 23: bit 15", 1 << 15, {16, 32, 64}, {16, 32, 64}},
	{"fact 23: bit 16", 1 << 16, {16, 32, 64}, {16, 32, 64}},
	{"fact 23: bits 2 and 15", 1 << 2 | 1 << 15, {16, 32, 64}, {16, 32, 64}},
	{"fact 23: bits 15 and 16", CONVERT, {16, 32, 64}, {43, 144, 119}},
	{"fact 23: all three", 1 << 2 | CONVERT, {16, 32, 64}, {43, 144, 119}},
	{"fact 24: white", CONVERT, {255, 255, 255}, {235, 128, 128}},
	{"fact 24: red", CONVERT, {255, 0, 0}, {82, 90, 240}},
	{"fact 24: green", CONVERT, {0, 255, 0}, {144, 54, 34}},
	{"fact 24: blue", CONVERT, {0, 0, 255}, {41, 240, 110}},
	{"fact 24: black", CONVERT, {0, 0, 0}, {16, 128, 128}},
	{"fact 29: gamma comes first", CONVERT | 1 << 7, {64, 64, 64}, {113, 128, 128}}, /* Y of (113, 113, 113) */
};

START_TEST(conversion_case)
{
	struct gx_machine *m = test_machine(QS_MODEL_HARDWARE);
	uint8_t in[4] = {conversions[_i].in[0], conversions[_i].in[1], conversions[_i].in[2], 255}, out[4];

	copy_registers(m, 0, 1, 1, 1, FORMAT(6) | conversions[_i].command);
	copy_pixel(m, in, out);
	ck_assert_msg(!memcmp(out, conversions[_i].out, 3), "%s: %u %u %u", conversions[_i].name, out[0], out[1], out[2]);
	gx_machine_destroy(m);
}
END_TEST

/* Facts 25, 26: weights as sums of the two, three and two taps. */
static const struct {
	const char *name;
	enum qs_model model;
	unsigned above, here, below;
	uint8_t p_above, p_here, p_below, expected;
} filters[] = {
	{"fact 25: 64", QS_MODEL_HARDWARE, 0, 64, 0, 0, 255, 0, 255},
	{"fact 25: 63", QS_MODEL_HARDWARE, 0, 63, 0, 0, 255, 0, 251},
	{"fact 25: 128", QS_MODEL_HARDWARE, 0, 128, 0, 0, 255, 0, 255},
	{"fact 25: 129 wraps", QS_MODEL_HARDWARE, 0, 129, 0, 0, 255, 0, 1},
	{"fact 25: 189 wraps", QS_MODEL_HARDWARE, 0, 189, 0, 0, 255, 0, 241},
	{"fact 25: 200 times 180", QS_MODEL_HARDWARE, 0, 180, 0, 0, 200, 0, 50},
	{"fact 25: above and here", QS_MODEL_HARDWARE, 126, 189, 0, 255, 255, 0, 231},
	{"above alone", QS_MODEL_HARDWARE, 64, 0, 0, 100, 200, 50, 100},
	{"below alone", QS_MODEL_HARDWARE, 0, 0, 64, 100, 200, 50, 50},
	{"a blur", QS_MODEL_HARDWARE, 16, 32, 16, 100, 200, 50, 137},
	{"Dolphin does not filter textures", QS_MODEL_DOLPHIN, 64, 0, 0, 100, 200, 50, 200},
};

START_TEST(filter_case)
{
	struct gx_machine *m = test_machine(filters[_i].model);
	uint32_t *bp = m->state.bp;
	unsigned above = filters[_i].above, here = filters[_i].here, below = filters[_i].below;
	uint8_t in[4] = {filters[_i].p_here, filters[_i].p_here, filters[_i].p_here, 200}, out[4];

	copy_registers(m, 0, 1, 1, 1, FORMAT(6));
	bp[0x43] = PE_RGB8;
	bp[0x53] = (above > 63 ? 63 : above) | (above > 63 ? above - 63 : 0) << 6 | (here > 63 ? 63 : here) << 12 |
		(here > 126 ? 63 : here > 63 ? here - 63 : 0) << 18;
	bp[0x54] = (here > 126 ? here - 126 : 0) | (below > 63 ? 63 : below) << 6 | (below > 63 ? below - 63 : 0) << 12;
	m->efb->colour[0] = filters[_i].p_above * 0x010101u;
	m->efb->colour[2 * GX_EFB_WIDTH] = filters[_i].p_below * 0x010101u;
	copy_pixel(m, in, out);
	for (unsigned i = 0; i < 3; i++)
		ck_assert_msg(out[i] == filters[_i].expected, "%s: %u", filters[_i].name, out[i]);
	ck_assert_int_eq(out[3], 255);
	gx_machine_destroy(m);
}
END_TEST

/* Fact 26: no filter for alpha. */
START_TEST(alpha_is_not_filtered)
{
	struct gx_machine *m = test_machine(QS_MODEL_HARDWARE);
	uint8_t in[4] = {200, 200, 200, 130}, out[4];

	copy_registers(m, 0, 1, 1, 1, FORMAT(6) | 2 << 7);
	m->state.bp[0x43] = PE_RGBA6;
	m->state.bp[0x53] = 63; /* above alone */
	m->state.bp[0x54] = 0;
	copy_pixel(m, in, out);
	ck_assert_msg(out[0] == 0 && out[3] == 130, "fact 26: red %u, alpha %u", out[0], out[3]);
	gx_machine_destroy(m);
}
END_TEST

/* Row edges: clamp bits repeat the first and last line of the copy. */
static const struct {
	const char *name;
	uint32_t clamp;
	uint8_t first, last;
} edges[] = {
	{"no clamp", 0, 1, 4},
	{"top", 1, 2, 4},
	{"bottom", 2, 1, 3},
	{"both", 3, 2, 3},
};

START_TEST(edge_case)
{
	struct gx_machine *m = test_machine(QS_MODEL_HARDWARE);
	uint8_t tile[64];

	copy_registers(m, 0, 2, 1, 2, FORMAT(6) | edges[_i].clamp);
	for (uint32_t y = 0; y < 6; y++)
		m->efb->colour[y * GX_EFB_WIDTH] = y << 16;
	m->state.bp[0x53] = 63 | 1 << 6; /* above alone */
	m->state.bp[0x54] = 0;
	gx_copy(m);
	gx_memory_read(&m->memory, DESTINATION, tile, sizeof tile);
	ck_assert_msg(tile[1] == edges[_i].first && tile[9] == 2, "%s: above %u, %u", edges[_i].name, tile[1], tile[9]);
	m->state.bp[0x53] = 0;
	m->state.bp[0x54] = 63 << 6 | 1 << 12; /* below alone */
	gx_copy(m);
	gx_memory_read(&m->memory, DESTINATION, tile, sizeof tile);
	ck_assert_msg(tile[1] == 3 && tile[9] == edges[_i].last, "%s: below %u, %u", edges[_i].name, tile[1], tile[9]);
	gx_machine_destroy(m);
}
END_TEST

/* Facts 27, 28. */
static const struct {
	unsigned code;
	uint8_t in, out;
} gammas[] = {
	{0, 0, 0}, {0, 77, 77}, {0, 255, 255},
	{1, 0, 0}, {1, 1, 10}, {1, 2, 15}, {1, 16, 50}, {1, 64, 113}, {1, 128, 170}, {1, 200, 221}, {1, 255, 255},
	{2, 0, 0}, {2, 1, 21}, {2, 2, 28}, {2, 16, 72}, {2, 64, 136}, {2, 128, 186}, {2, 200, 228}, {2, 255, 255},
	{3, 1, 21}, {3, 2, 28}, {3, 16, 72}, {3, 64, 136}, {3, 128, 186}, {3, 200, 228}, {3, 255, 255},
};

START_TEST(gamma_case)
{
	struct gx_machine *m = test_machine(QS_MODEL_HARDWARE);
	uint8_t in[4] = {gammas[_i].in, gammas[_i].in, gammas[_i].in, 9}, out[4];

	copy_registers(m, 0, 1, 1, 1, FORMAT(6) | gammas[_i].code << 7);
	copy_pixel(m, in, out);
	for (unsigned i = 0; i < 3; i++)
		ck_assert_msg(out[i] == gammas[_i].out, "%s: %u of %u: %u", gammas[_i].code < 3 ? "fact 27: gamma" : "fact 28: code 3", gammas[_i].code, gammas[_i].in, out[i]);
	gx_machine_destroy(m);
}
END_TEST

/* Fact 31: depth 0x123456 as RGBA8; the filter and gamma (values of fact 27) take each byte by itself. */
START_TEST(depth_copy)
{
	struct gx_machine *m = test_machine(QS_MODEL_HARDWARE);
	uint8_t tile[64];

	copy_registers(m, 0, 1, 1, 1, FORMAT(6) | 3);
	m->state.bp[0x43] = PE_Z24;
	m->efb->colour[GX_EFB_WIDTH] = 0xABCDEF;
	m->efb->depth[GX_EFB_WIDTH] = 0x123456;
	gx_copy(m);
	gx_memory_read(&m->memory, DESTINATION, tile, sizeof tile);
	ck_assert_msg(tile[0] == 255 && tile[1] == 0x12 && tile[32] == 0x34 && tile[33] == 0x56, "fact 31: %02x %02x %02x %02x", tile[0],
		tile[1], tile[32], tile[33]);
	m->state.bp[0x53] = 63u << 12 | 63u << 18;
	m->state.bp[0x54] = 2; /* times two */
	gx_copy(m);
	gx_memory_read(&m->memory, DESTINATION, tile, sizeof tile);
	ck_assert_msg(tile[1] == 0x24 && tile[32] == 0x68 && tile[33] == 0xAC, "fact 31: filtered %02x %02x %02x", tile[1], tile[32], tile[33]);
	copy_registers(m, 0, 1, 1, 1, FORMAT(6) | 3 | 1 << 7);
	m->state.bp[0x43] = PE_Z24;
	m->efb->depth[GX_EFB_WIDTH] = 0x104080;
	gx_copy(m);
	gx_memory_read(&m->memory, DESTINATION, tile, sizeof tile);
	ck_assert_msg(tile[1] == 50 && tile[32] == 113 && tile[33] == 170, "fact 31: gamma %u %u %u", tile[1], tile[32], tile[33]);
	gx_machine_destroy(m);
}
END_TEST

/* A clearing copy clears after it has read, and only what the masks allow. */
START_TEST(clear_after_copy)
{
	struct gx_machine *m = test_machine(QS_MODEL_HARDWARE);
	uint8_t in[4] = {1, 2, 3, 255}, out[4];

	copy_registers(m, 0, 1, 1, 1, FORMAT(6) | 1 << 11);
	m->state.bp[0x40] = 0x10;
	m->state.bp[0x4F] = 0x80FF;
	m->state.bp[0x50] = 0x4020;
	m->state.bp[0x51] = 0x777777;
	copy_pixel(m, in, out);
	ck_assert_int_eq(out[2], 3);
	ck_assert_uint_eq(m->efb->colour[GX_EFB_WIDTH], 0xFF4020);
	ck_assert_uint_eq(m->efb->depth[GX_EFB_WIDTH], 0x777777);
	ck_assert_uint_eq(m->efb->colour[GX_EFB_WIDTH + 1], 0);
	gx_machine_destroy(m);
}
END_TEST

/* ---- there and back ----------------------------------------------------------------------------------------------------- */

/* Copy format, texture format that reads it, and what each texel channel shows: source channel and bits kept. */
static const struct {
	const char *name;
	unsigned copy, texture;
	struct {
		char from; /* r g b a, 1: 255 */
		unsigned bits;
	} channel[4];
} formats[] = {
	{"R4", 0, GX_FORMAT_I4, {{'r', 4}, {'r', 4}, {'r', 4}, {'r', 4}}},
	{"R8 as 1", 1, GX_FORMAT_I8, {{'r', 8}, {'r', 8}, {'r', 8}, {'r', 8}}},
	{"RA4", 2, GX_FORMAT_IA4, {{'r', 4}, {'r', 4}, {'r', 4}, {'a', 4}}},
	{"RA8", 3, GX_FORMAT_IA8, {{'r', 8}, {'r', 8}, {'r', 8}, {'a', 8}}},
	{"RGB565", 4, GX_FORMAT_RGB565, {{'r', 5}, {'g', 6}, {'b', 5}, {'1', 8}}},
	{"RGBA8", 6, GX_FORMAT_RGBA8, {{'r', 8}, {'g', 8}, {'b', 8}, {'a', 8}}},
	{"A8", 7, GX_FORMAT_I8, {{'a', 8}, {'a', 8}, {'a', 8}, {'a', 8}}},
	{"R8", 8, GX_FORMAT_I8, {{'r', 8}, {'r', 8}, {'r', 8}, {'r', 8}}},
	{"G8", 9, GX_FORMAT_I8, {{'g', 8}, {'g', 8}, {'g', 8}, {'g', 8}}},
	{"B8", 10, GX_FORMAT_I8, {{'b', 8}, {'b', 8}, {'b', 8}, {'b', 8}}},
	{"RG8", 11, GX_FORMAT_IA8, {{'r', 8}, {'r', 8}, {'r', 8}, {'g', 8}}},
	{"GB8", 12, GX_FORMAT_IA8, {{'g', 8}, {'g', 8}, {'g', 8}, {'b', 8}}},
	{"RGB5A3", 5, GX_FORMAT_RGB5A3, {{'r', 5}, {'g', 5}, {'b', 5}, {'1', 8}}}, /* alpha below 7/8: 4 4 4 3, in the test */
};

static unsigned keep(unsigned value, unsigned n)
{
	value >>= 8 - n;
	return n == 8 ? value : n == 6 ? value << 2 | value >> 4 : n == 5 ? value << 3 | value >> 2 : n == 4 ? value * 17
													    : value << 5 | value << 2 | value >> 1;
}

START_TEST(round_trip)
{
	struct oracle_random r = oracle_random_start();
	struct gx_machine *m = test_machine(QS_MODEL_HARDWARE);
	enum { W = 37, H = 21 };
	static uint32_t texels[W * H];

	for (unsigned pixel = PE_RGB8; pixel <= PE_RGBA6; pixel++) {
		copy_registers(m, 6, 4, W, H, FORMAT(formats[_i].copy));
		m->state.bp[0x43] = pixel;
		for (size_t i = 0; i < 40 * GX_EFB_WIDTH; i++)
			m->efb->colour[i] = oracle_random_next(&r) >> 8;
		/* rows of tiles follow each other as the decoder wants them */
		unsigned tw, th, bytes;
		gx_texfmt_tile(formats[_i].texture, &tw, &th, &bytes);
		m->state.bp[0x4D] = (W + tw - 1) / tw * bytes / 32;
		gx_copy(m);
		gx_texfmt_decode(formats[_i].texture, gx_memory_at(&m->memory, DESTINATION, 0x10000), 0x10000, W, H, NULL, 0, texels);
		for (int t = 0; t < H; t++)
			for (int s = 0; s < W; s++) {
				uint8_t in[4], out[4];
				gx_efb_unpack(pixel, m->efb->colour[(4 + t) * GX_EFB_WIDTH + 6 + s], in);
				texel_unpack(texels[t * W + s], out);
				for (unsigned c = 0; c < 4; c++) {
					char from = formats[_i].channel[c].from;
					unsigned n = formats[_i].channel[c].bits;
					unsigned v = from == 'r' ? in[0] : from == 'g' ? in[1] : from == 'b' ? in[2] : from == 'a' ? in[3] : 255;
					if (formats[_i].copy == 5 && in[3] < 224) {
						n = c == 3 ? 3 : 4;
						v = in[c];
					}
					expect(out[c] == keep(v, n), "%s, pixel type %u, texel %d,%d channel %u: %u, not %u",
						formats[_i].name, pixel, s, t, c, out[c], keep(v, n));
				}
			}
	}
	gx_machine_destroy(m);
}
END_TEST

/* ---- random copies ------------------------------------------------------------------------------------------------------ */

struct shadow {
	uint8_t *memory;
	uint32_t size;
	uint64_t written;
};

static void put(void *user, uint32_t address, uint8_t byte)
{
	struct shadow *shadow = user;

	if (address < shadow->size)
		shadow->memory[address] = byte;
	shadow->written++;
}

static void random_copy(struct gx_machine *m, struct oracle_random *r)
{
	static const uint8_t types[] = {0, 1, 1, 2, 3};
	uint32_t *bp = m->state.bp;
	bool oversized = oracle_random_below(r, 20) == 0;

	copy_registers(m, (int)oracle_random_below(r, oversized ? 1024 : 600), (int)oracle_random_below(r, oversized ? 1024 : 500),
		1 + (int)oracle_random_below(r, oversized ? 1024 : 60), 1 + (int)oracle_random_below(r, oversized ? 200 : 40),
		oracle_random_next(r) & 0x1FFFF & ~(1u << 14 | 1u << 11));
	if (oracle_random_below(r, 2))
		bp[0x52] &= ~(3u << 15);
	bp[0x43] = types[oracle_random_below(r, 5)];
	bp[0x4D] = oracle_random_below(r, 80);
	if (oracle_random_below(r, 2)) {
		bp[0x53] = oracle_random_next(r) & 0xFFFFFF;
		bp[0x54] = oracle_random_next(r) & 0x3FFFF;
	}
}

/* ---- what the tap tells ------------------------------------------------------------------------------------------------- */

struct listener {
	struct gx_machine *m;
	const struct copy_oracle *o;
	struct oracle_random *r;
	unsigned texels;
	struct {
		uint32_t address;
		uint8_t byte;
	} stored[64];
	unsigned stored_count;
};

static void compare_pixel(const struct copy_oracle *o, const struct qs_copy_pixel *p, int x, int y)
{
	bool filtered = p->tap_count == 7;
	unsigned sum[3] = {0, 0, 0};
	int rgba[4];

	copy_oracle_pixel(o, x, y, o->filter_textures, rgba);
	expect(filtered == o->filter_textures, "taps of the filter: %u", p->tap_count);
	for (unsigned c = 0; c < 4; c++)
		expect(p->rgba[c] == rgba[c], "pixel (%d, %d) channel %u: %u, not %d", x, y, c, p->rgba[c], rgba[c]);
	for (unsigned i = 0; i < p->tap_count; i++)
		for (unsigned c = 0; c < 3; c++)
			sum[c] += (unsigned)p->tap[i].rgba[c] * p->tap[i].weight;
	for (unsigned c = 0; c < 3; c++) {
		unsigned v = filtered && o->wrap ? sum[c] / 64 % 512 : sum[c] / 64;
		expect(p->filtered[c] == (v > 255 ? 255 : v), "pixel (%d, %d) channel %u: taps give %u, not %u", x, y, c, v, p->filtered[c]);
	}
}

static bool hear_copy(void *user, const struct qs_moment *moment, const struct qs_copy *copy)
{
	struct listener *l = user;
	struct qs_copy_texel texel;

	(void)moment;
	expect(!gx_copy_texel(l->m, copy->width, 0, &texel) && !gx_copy_texel(l->m, 0, copy->height, &texel), "a texel outside");
	for (unsigned n = 0; n < 4 && copy->width && copy->height; n++) {
		int s = (int)oracle_random_below(l->r, copy->width), t = (int)oracle_random_below(l->r, copy->height), rgba[4];
		int step = copy->half ? 2 : 1;

		expect(gx_copy_texel(l->m, (uint32_t)s, (uint32_t)t, &texel), "texel %d,%d", s, t);
		expect(texel.pixel_count == step * step, "%u pixels", texel.pixel_count);
		for (int i = 0; i < texel.pixel_count; i++)
			compare_pixel(l->o, &texel.pixel[i], copy->source.x0 + s * step + i % 2, copy->source.y0 + t * step + i / 2);
		copy_oracle_texel(l->o, s, t, rgba);
		for (unsigned c = 0; c < 4; c++)
			expect(texel.converted[c] == rgba[c], "texel %d,%d channel %u: %u, not %d", s, t, c, texel.converted[c], rgba[c]);
		for (unsigned i = 0; i < texel.part_count; i++)
			for (unsigned k = 0; k < texel.size; k++) {
				l->stored[l->stored_count].address = texel.address[i] + k;
				l->stored[l->stored_count++].byte = texel.bytes[i * texel.size + k];
			}
		l->texels++;
	}
	return true;
}

/* The bytes that were told are those the oracle wrote, which is asked after the copy. */
static void compare_told(struct listener *l, const struct shadow *shadow)
{
	for (unsigned i = 0; i < l->stored_count; i++)
		if (l->stored[i].address < shadow->size)
			expect(shadow->memory[l->stored[i].address] == l->stored[i].byte, "byte %06x told as %02x, not %02x",
				l->stored[i].address, l->stored[i].byte, shadow->memory[l->stored[i].address]);
	l->stored_count = 0;
}

START_TEST(random_copies)
{
	struct oracle_random r = oracle_random_start();
	struct gx_machine *m = test_machine((enum qs_model)_i);
	struct shadow shadow = {malloc(m->memory.mem1_size), m->memory.mem1_size, 0};
	struct copy_oracle o = {
		.bp = m->state.bp,
		.colour = m->efb->colour,
		.depth = m->efb->depth,
		.sample = {m->quirk[GX_QUIRK_multisample] ? m->samples->colour[0] : NULL, m->samples->colour[1]},
		.keep_24_bits = !m->quirk[GX_QUIRK_z16],
		.filter_textures = m->quirk[GX_QUIRK_texture_copy_filter],
		.wrap = m->quirk[GX_QUIRK_filter_wrap],
		.round_gamma = m->quirk[GX_QUIRK_gamma_round],
		.convert_all = m->quirk[GX_QUIRK_intensity_round],
		.clipped = !m->quirk[GX_QUIRK_texture_copy_filter],
		.exchanged = m->quirk[GX_QUIRK_depth_copy_half],
	};

	for (size_t i = 0; i < GX_EFB_WIDTH * GX_EFB_HEIGHT; i++) {
		m->efb->colour[i] = oracle_random_next(&r) >> 8;
		m->efb->depth[i] = oracle_random_next(&r) >> 8;
		m->samples->colour[0][i] = oracle_random_next(&r) >> 8;
		m->samples->colour[1][i] = oracle_random_next(&r) >> 8;
	}
	struct listener listener = {.m = m, .o = &o, .r = &r};
	const struct qs_taps taps = {.mask = QS_TAP_COPY, .user = &listener, .copy = hear_copy};

	memset(m->memory.mem1, 0x5A, shadow.size);
	memset(shadow.memory, 0x5A, shadow.size);
	m->taps = &taps;
	for (unsigned n = 0; shadow.written < 400000; n++) {
		random_copy(m, &r);
		gx_copy(m);
		copy_oracle_texture(&o, put, &shadow);
		compare_told(&listener, &shadow);
		if (n % 16 && shadow.written < 400000) /* the whole memory, now and then: nothing else may be written */
			continue;
		for (uint32_t i = 0; i < shadow.size; i++)
			expect(m->memory.mem1[i] == shadow.memory[i], "seed %llu copy %u or before (command %06x): byte %06x is %02x, not %02x",
				(unsigned long long)r.seed, n, m->state.bp[0x52], i, m->memory.mem1[i], shadow.memory[i]);
	}
	ck_assert_uint_gt(listener.texels, 100);
	free(shadow.memory);
	gx_machine_destroy(m);
}
END_TEST

/* The tap comes between copy and clear; afterwards there is nothing to ask. */
static bool hear_clear(void *user, const struct qs_moment *moment, const struct qs_copy *copy)
{
	struct gx_machine *m = user;

	(void)moment;
	ck_assert(copy->clear && copy->clear_colour && !copy->clear_depth);
	ck_assert_uint_eq(copy->clear_rgba[0], 0x44);
	ck_assert_uint_eq(m->efb->colour[0], 0x110000);
	ck_assert_uint_eq(m->memory.mem1[DESTINATION], 0x11);
	return true;
}

START_TEST(tap_before_clear)
{
	struct gx_machine *m = test_machine(QS_MODEL_HARDWARE);
	const struct qs_taps taps = {.mask = QS_TAP_COPY, .user = m, .copy = hear_clear};
	struct qs_copy_texel texel;

	copy_registers(m, 0, 0, 8, 4, FORMAT(8) | 1 << 11);
	m->state.bp[0x4F] = 0x44;
	m->state.bp[0x40] = 0;
	m->efb->colour[0] = 0x110000;
	m->taps = &taps;
	gx_copy(m);
	ck_assert_uint_eq(m->efb->colour[0], 0x440000);
	ck_assert(!gx_copy_texel(m, 0, 0, &texel));
	gx_machine_destroy(m);
}
END_TEST

/* Fact 46: the stride says where rows of tiles begin, not how much is written. */
START_TEST(size_not_stride)
{
	struct gx_machine *m = test_machine(QS_MODEL_HARDWARE);

	copy_registers(m, 0, 0, 32, 8, FORMAT(8));
	m->efb->colour[0] = 0x110000;
	m->efb->colour[4 * GX_EFB_WIDTH] = 0x220000;
	memset(m->memory.mem1, 0x5A, m->memory.mem1_size);
	m->state.bp[0x4D] = 1; /* 32 bytes; a row of tiles has 128 */
	gx_copy(m);
	const uint8_t *to = &m->memory.mem1[DESTINATION];
	ck_assert_msg(to[0] == 0x11 && to[32] == 0x22 && to[32 + 127] == 0 && to[32 + 128] == 0x5A, "fact 46: %02x %02x %02x %02x",
		to[0], to[32], to[32 + 127], to[32 + 128]);
	gx_machine_destroy(m);
}
END_TEST

/* The largest rectangle the registers can say, at the end of memory. */
START_TEST(oversized)
{
	for (unsigned model = 0; model < QS_MODEL_COUNT; model++)
		for (unsigned type = 0; type < 8; type++) {
			struct gx_machine *m = test_machine((enum qs_model)model);
			copy_registers(m, 1023, 1023, 1024, 1024, FORMAT(6) | (type & 1) << 9 | 1 << 11);
			m->state.bp[0x43] = type;
			m->state.bp[0x4B] = 0xFFFFFF;
			m->state.bp[0x4D] = 0x3FF;
			gx_copy(m);
			m->state.bp[0x52] |= 1 << 14;
			gx_copy(m);
			gx_machine_destroy(m);
		}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("copy");
	TCase *tcase = tcase_create("copy");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, rgba8_is_exact);
	tcase_add_loop_test(tcase, conversion_case, 0, COUNT(conversions));
	tcase_add_loop_test(tcase, filter_case, 0, COUNT(filters));
	tcase_add_test(tcase, alpha_is_not_filtered);
	tcase_add_loop_test(tcase, edge_case, 0, COUNT(edges));
	tcase_add_loop_test(tcase, gamma_case, 0, COUNT(gammas));
	tcase_add_test(tcase, depth_copy);
	tcase_add_test(tcase, clear_after_copy);
	tcase_add_loop_test(tcase, round_trip, 0, COUNT(formats));
	tcase_add_loop_test(tcase, random_copies, 0, QS_MODEL_COUNT);
	tcase_add_test(tcase, tap_before_clear);
	tcase_add_test(tcase, size_not_stride);
	tcase_add_test(tcase, oversized);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
