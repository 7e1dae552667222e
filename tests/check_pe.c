/* check_pe.c - the pixel engine: console facts and tables, random pixels against the scalar oracle
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "gx/pe.h"
#include "oracle/pe_oracle.h"
#include "tevpe.h"

#define COUNT(table) ((int)(sizeof table / sizeof *table))

/* One pixel through the engine; source, z and the registers are set. */
static struct gx_batch *one_pixel(struct gx_machine *m, int x, int y, const int source[4], uint32_t z)
{
	struct gx_batch *b = test_batch(m, 1, x & ~1, y & ~1);
	unsigned i = (unsigned)((x & 1) + 2 * (y & 1));

	memset(b->live, 0, sizeof b->live);
	memset(b->samples, 0, sizeof b->samples);
	b->live[i] = 1;
	b->samples[i] = 7;
	b->coverage[0] = (uint16_t)(7 << 3 * i);
	for (unsigned channel = 0; channel < 4; channel++)
		b->out[channel][i] = (int16_t)source[channel];
	b->z[i] = z;
	return b;
}

static void run_pe(struct gx_machine *m, struct gx_batch *b)
{
	gx_pe_early_z(m, b);
	gx_pe_alpha(m, b);
	gx_pe_ztexture(m, b);
	gx_pe_write(m, b);
}

/* ---- blend tables ------------------------------------------------------------------------------------------------------- */

/* CMODE0 without the update bits; RGBA6 where the destination's alpha matters. */
static const struct {
	const char *name;
	unsigned pixel;
	uint32_t mode, constant;
	int source[4], old[4], expected[4];
} blends[] = {
	{"off: replaced", 0, 0, 0, {10, 20, 30, 40}, {1, 2, 3, 255}, {10, 20, 30, 255}},
	{"one + zero", 0, 1 | 1 << 8 | 0 << 5, 0, {10, 20, 30, 40}, {1, 2, 3, 255}, {10, 20, 30, 255}},
	{"zero + one", 0, 1 | 0 << 8 | 1 << 5, 0, {10, 20, 30, 40}, {1, 2, 3, 255}, {1, 2, 3, 255}},
	{"one + one saturates", 0, 1 | 1 << 8 | 1 << 5, 0, {200, 20, 255, 40}, {100, 2, 255, 255}, {255, 22, 255, 255}},
	{"alpha blending, 128", 0, 1 | 4 << 8 | 5 << 5, 0, {255, 0, 100, 128}, {0, 255, 100, 255}, {128, 126, 100, 255}},
	{"alpha 255 replaces", 0, 1 | 4 << 8 | 5 << 5, 0, {10, 20, 30, 255}, {200, 201, 202, 255}, {10, 20, 30, 255}},
	{"alpha 0 keeps", 0, 1 | 4 << 8 | 5 << 5, 0, {10, 20, 30, 0}, {200, 201, 202, 255}, {200, 201, 202, 255}},
	{"alpha 1 keeps (quirk alpha_one)", 0, 1 | 4 << 8 | 5 << 5, 0, {255, 255, 255, 1}, {200, 201, 202, 255}, {200, 201, 202, 255}},
	{"alpha 2 does not", 0, 1 | 4 << 8 | 5 << 5, 0, {255, 0, 0, 2}, {200, 201, 202, 255}, {200, 199, 200, 255}},
	{"destination colour as source factor", 0, 1 | 2 << 8 | 0 << 5, 0, {100, 200, 255, 9}, {128, 255, 0, 255}, {50, 200, 0, 255}},
	{"its complement", 0, 1 | 3 << 8 | 0 << 5, 0, {100, 200, 255, 9}, {128, 255, 0, 255}, {49, 0, 255, 255}},
	{"source colour as destination factor", 0, 1 | 0 << 8 | 2 << 5, 0, {128, 255, 0, 9}, {100, 200, 255, 255}, {50, 200, 0, 255}},
	{"destination alpha of RGB8 is 255", 0, 1 | 6 << 8 | 7 << 5, 0, {10, 20, 30, 40}, {200, 200, 200, 255}, {10, 20, 30, 255}},
	{"destination alpha of RGBA6", 1, 1 | 6 << 8 | 0 << 5, 0, {255, 255, 255, 255}, {0, 0, 0, 130}, {130, 130, 130, 130}},
	{"subtract", 0, 1 | 1 << 11, 0, {100, 10, 255, 0}, {150, 10, 254, 255}, {50, 0, 0, 255}},
	{"subtract ignores factors and logic", 0, 3 | 4 << 8 | 5 << 5 | 1 << 11 | 15 << 12, 0, {100, 10, 255, 0}, {150, 10, 254, 255},
		{50, 0, 0, 255}},
	{"fact 39: subtract needs blend enable", 0, 1 << 11, 0, {100, 10, 255, 0}, {150, 10, 254, 255}, {100, 10, 255, 255}},
	{"fact 39: blend overrides the logic op", 0, 3 | 1 << 8 | 0 << 12, 0, {10, 20, 30, 40}, {1, 2, 3, 255}, {10, 20, 30, 255}},
	{"logic clear", 0, 2 | 0 << 12, 0, {0xF0, 0xCC, 0xAA, 0}, {0xFF, 0x33, 0x0F, 255}, {0, 0, 0, 255}},
	{"logic and", 0, 2 | 1 << 12, 0, {0xF0, 0xCC, 0xAA, 0}, {0xFF, 0x66, 0x0F, 255}, {0xF0, 0x44, 0x0A, 255}},
	{"logic s & ~d", 0, 2 | 2 << 12, 0, {0xF0, 0xCC, 0xAA, 0}, {0xFF, 0x66, 0x0F, 255}, {0, 0x88, 0xA0, 255}},
	{"logic copy", 0, 2 | 3 << 12, 0, {0xF0, 0xCC, 0xAA, 0}, {0xFF, 0x66, 0x0F, 255}, {0xF0, 0xCC, 0xAA, 255}},
	{"logic ~s & d", 0, 2 | 4 << 12, 0, {0xF0, 0xCC, 0xAA, 0}, {0xFF, 0x66, 0x0F, 255}, {0x0F, 0x22, 0x05, 255}},
	{"logic noop", 0, 2 | 5 << 12, 0, {0xF0, 0xCC, 0xAA, 0}, {0xFF, 0x66, 0x0F, 255}, {0xFF, 0x66, 0x0F, 255}},
	{"logic xor", 0, 2 | 6 << 12, 0, {0xF0, 0xCC, 0xAA, 0}, {0xFF, 0x66, 0x0F, 255}, {0x0F, 0xAA, 0xA5, 255}},
	{"logic or", 0, 2 | 7 << 12, 0, {0xF0, 0xCC, 0xAA, 0}, {0xFF, 0x66, 0x0F, 255}, {0xFF, 0xEE, 0xAF, 255}},
	{"logic nor", 0, 2 | 8 << 12, 0, {0xF0, 0xCC, 0xAA, 0}, {0xFF, 0x66, 0x0F, 255}, {0, 0x11, 0x50, 255}},
	{"logic equiv", 0, 2 | 9 << 12, 0, {0xF0, 0xCC, 0xAA, 0}, {0xFF, 0x66, 0x0F, 255}, {0xF0, 0x55, 0x5A, 255}},
	{"logic ~d", 0, 2 | 10 << 12, 0, {0xF0, 0xCC, 0xAA, 0}, {0xFF, 0x66, 0x0F, 255}, {0, 0x99, 0xF0, 255}},
	{"logic s | ~d", 0, 2 | 11 << 12, 0, {0xF0, 0xCC, 0xAA, 0}, {0xFF, 0x66, 0x0F, 255}, {0xF0, 0xDD, 0xFA, 255}},
	{"logic ~s", 0, 2 | 12 << 12, 0, {0xF0, 0xCC, 0xAA, 0}, {0xFF, 0x66, 0x0F, 255}, {0x0F, 0x33, 0x55, 255}},
	{"logic ~s | d", 0, 2 | 13 << 12, 0, {0xF0, 0xCC, 0xAA, 0}, {0xFF, 0x66, 0x0F, 255}, {0xFF, 0x77, 0x5F, 255}},
	{"logic nand", 0, 2 | 14 << 12, 0, {0xF0, 0xCC, 0xAA, 0}, {0xFF, 0x66, 0x0F, 255}, {0x0F, 0xBB, 0xF5, 255}},
	{"logic set", 0, 2 | 15u << 12, 0, {0xF0, 0xCC, 0xAA, 0}, {0xFF, 0x66, 0x0F, 255}, {255, 255, 255, 255}},
	{"constant alpha is stored", 1, 0, 0x180, {0, 0, 0, 40}, {255, 255, 255, 255}, {0, 0, 0, 130}},
	{"constant alpha does not blend", 1, 1 | 4 << 8 | 0 << 5, 0x1FF, {255, 255, 255, 64}, {0, 0, 0, 0}, {60, 60, 60, 255}},
};

START_TEST(blend_case)
{
	struct gx_machine *m = test_machine(QS_MODEL_HARDWARE);
	uint8_t old[4], result[4];

	test_registers(m);
	m->state.bp[0x41] = 0x18 | blends[_i].mode;
	m->state.bp[0x42] = blends[_i].constant;
	m->state.bp[0x43] = blends[_i].pixel;
	gx_pe_begin_draw(m);
	for (unsigned i = 0; i < 4; i++)
		old[i] = (uint8_t)blends[_i].old[i];
	m->efb->colour[7 * GX_EFB_WIDTH + 5] = gx_efb_pack(blends[_i].pixel, 0, old, true, true);
	run_pe(m, one_pixel(m, 5, 7, blends[_i].source, 0));
	gx_efb_unpack(blends[_i].pixel, m->efb->colour[7 * GX_EFB_WIDTH + 5], result);
	for (unsigned i = 0; i < 4; i++)
		ck_assert_msg(result[i] == blends[_i].expected[i], "%s, channel %u: %d", blends[_i].name, i, result[i]);
	gx_machine_destroy(m);
}
END_TEST

/* ---- single facts ------------------------------------------------------------------------------------------------------- */

/* Fact 30. */
START_TEST(rgba6_reads_back)
{
	for (unsigned v = 0; v < 256; v++) {
		uint8_t in[4] = {(uint8_t)v, (uint8_t)(255 - v), (uint8_t)(v ^ 0x55), (uint8_t)(v * 7)}, out[4];
		gx_efb_unpack(PE_RGBA6, gx_efb_pack(PE_RGBA6, 0, in, true, true), out);
		for (unsigned i = 0; i < 4; i++)
			expect(out[i] == ((in[i] & 0xFC) | in[i] >> 6), "fact 30: %02x gives %02x", in[i], out[i]);
	}
}
END_TEST

/* Facts 32 and 32a, write masks, field mask, verdicts. */
static const struct {
	const char *name;
	uint32_t zmode, cmode, control, field, alpha;
	uint32_t z, old_z, expected_z;
	bool colour_written;
	enum qs_verdict verdict;
} pixels[] = {
	{"all written", 0x17, 0x18, 0, 3, 7u << 16 | 7u << 19, 5, 9, 5, true, QS_VERDICT_WRITTEN},
	{"fact 32a: no test, no Z write", 0x16, 0x18, 0, 3, 7u << 16 | 7u << 19, 5, 9, 9, true, QS_VERDICT_WRITTEN},
	{"no Z update", 0x07, 0x18, 0, 3, 7u << 16 | 7u << 19, 5, 9, 9, true, QS_VERDICT_WRITTEN},
	{"less, equal Z", 0x13, 0x18, 0, 3, 7u << 16 | 7u << 19, 9, 9, 9, false, QS_VERDICT_LATE_Z},
	{"less, smaller Z", 0x13, 0x18, 0, 3, 7u << 16 | 7u << 19, 8, 9, 8, true, QS_VERDICT_WRITTEN},
	{"early Z fails", 0x13, 0x18, 0x40, 3, 7u << 16 | 7u << 19, 9, 9, 9, false, QS_VERDICT_EARLY_Z},
	{"early Z writes though alpha fails", 0x13, 0x18, 0x40, 3, 0, 8, 9, 8, false, QS_VERDICT_ALPHA},
	{"late Z does not when alpha fails", 0x13, 0x18, 0, 3, 0, 8, 9, 9, false, QS_VERDICT_ALPHA},
	{"alpha update alone writes nothing in RGB8", 0x07, 0x10, 0, 3, 7u << 16 | 7u << 19, 5, 9, 9, false, QS_VERDICT_MASKED},
	{"everything masked", 0x00, 0x00, 0, 3, 7u << 16 | 7u << 19, 5, 9, 9, false, QS_VERDICT_MASKED},
	{"Z alone", 0x17, 0x00, 0, 3, 7u << 16 | 7u << 19, 5, 9, 5, false, QS_VERDICT_WRITTEN},
	{"odd lines masked: line 7", 0x17, 0x18, 0, 2, 7u << 16 | 7u << 19, 5, 9, 9, false, QS_VERDICT_MASKED},
	{"even lines masked: line 7", 0x17, 0x18, 0, 1, 7u << 16 | 7u << 19, 5, 9, 5, true, QS_VERDICT_WRITTEN},
	{"alpha below the reference", 0x17, 0x18, 0, 3, 6u << 16 | 7u << 19 | 41, 5, 9, 9, false, QS_VERDICT_ALPHA},
	{"alpha at the reference", 0x17, 0x18, 0, 3, 6u << 16 | 7u << 19 | 40, 5, 9, 5, true, QS_VERDICT_WRITTEN},
	{"alpha: or", 0x17, 0x18, 0, 3, 0u << 16 | 7u << 19 | 1u << 22, 5, 9, 5, true, QS_VERDICT_WRITTEN},
	{"alpha: xor of two passes", 0x17, 0x18, 0, 3, 7u << 16 | 7u << 19 | 2u << 22, 5, 9, 9, false, QS_VERDICT_ALPHA},
	{"alpha: xnor of two failures", 0x17, 0x18, 0, 3, 3u << 22, 5, 9, 5, true, QS_VERDICT_WRITTEN},
};

START_TEST(pixel_case)
{
	static const int source[4] = {10, 20, 30, 40};
	struct gx_machine *m = test_machine(QS_MODEL_HARDWARE);
	struct gx_batch *b;
	size_t at = 7 * GX_EFB_WIDTH + 5;

	test_registers(m);
	m->state.bp[0x40] = pixels[_i].zmode;
	m->state.bp[0x41] = pixels[_i].cmode;
	m->state.bp[0x43] = pixels[_i].control;
	m->state.bp[0x44] = pixels[_i].field;
	m->state.bp[0xF3] = pixels[_i].alpha;
	m->efb->depth[at] = pixels[_i].old_z;
	gx_pe_begin_draw(m);
	b = one_pixel(m, 5, 7, source, pixels[_i].z);
	run_pe(m, b);
	ck_assert_msg(m->efb->depth[at] == pixels[_i].expected_z, "%s: z %u", pixels[_i].name, m->efb->depth[at]);
	ck_assert_msg(m->efb->colour[at] == (pixels[_i].colour_written ? 0x0A141E : 0), "%s: %06x", pixels[_i].name,
		m->efb->colour[at]);
	ck_assert_msg(b->verdict[3] == pixels[_i].verdict, "%s: verdict %d", pixels[_i].name, b->verdict[3]);
	for (unsigned i = 0; i < 3; i++)
		ck_assert_int_eq(b->verdict[i], QS_VERDICT_NONE);
	gx_machine_destroy(m);
}
END_TEST

/* Fact 32: Z24, replaced by a 24-bit Z texture. */
static const struct {
	const char *name;
	uint32_t op, type, bias, z, expected, texel;
} z_textures[] = {
	{"fact 32: replace, u24", 2, 2, 0, 0x111111, 0x123456, 0x123456},
	{"replace, u16: A and R", 2, 1, 0, 0x111111, 0x7812, 0x7812},
	{"replace, u8: A", 2, 0, 0, 0x111111, 0x78, 0x78},
	{"replace, u8, bias", 2, 0, 0xFFFF00, 0x111111, 0xFFFF78, 0x78},
	{"add, u24", 1, 2, 0, 0x111111, 0x234567, 0x123456},
	{"add wraps at 24 bits", 1, 2, 0xFFFFFF, 0xF00000, 0x023455, 0x123456},
	{"off", 0, 2, 5, 0x111111, 0x111111, 0},
};

START_TEST(z_texture_case)
{
	static const int source[4] = {10, 20, 30, 40}, texel[4] = {0x12, 0x34, 0x56, 0x78};
	struct gx_machine *m = test_machine(QS_MODEL_HARDWARE);
	struct qs_quad *records = calloc(GX_BATCH_QUADS, sizeof *records);
	const struct qs_fragment *f = &records[0].fragment[0];
	struct gx_batch *b;

	test_registers(m);
	m->state.bp[0x40] = 0x1F;
	m->state.bp[0x43] = PE_Z24;
	m->state.bp[0xF4] = z_textures[_i].bias;
	m->state.bp[0xF5] = z_textures[_i].op << 2 | z_textures[_i].type;
	gx_pe_begin_draw(m);
	b = one_pixel(m, 0, 0, source, z_textures[_i].z);
	for (unsigned i = 0; i < 4; i++)
		b->raw_texel[i][0] = (int16_t)texel[i];
	test_records(b, records, false);
	run_pe(m, b);
	ck_assert_msg(m->efb->depth[0] == z_textures[_i].expected, "%s: %06x", z_textures[_i].name, m->efb->depth[0]);
	ck_assert_msg(f->z_interpolated == z_textures[_i].z && f->z == z_textures[_i].expected, "%s: recorded %06x", z_textures[_i].name, f->z);
	ck_assert_msg(f->z_texture == z_textures[_i].op && f->z_texture_value == z_textures[_i].texel, "%s: recorded texel %06x",
		z_textures[_i].name, f->z_texture_value);
	if (f->z_texture)
		ck_assert_msg(f->z_texture_type == z_textures[_i].type && f->z_texture_bias == z_textures[_i].bias, "%s", z_textures[_i].name);
	free(records);
	gx_machine_destroy(m);
}
END_TEST

/* Fact 33: pixel (5, 7) gives 4, 5, 6, 7; masks do not matter, a failed test does. */
START_TEST(bounding_box)
{
	static const int source[4] = {10, 20, 30, 40};
	struct gx_machine *m = test_machine(QS_MODEL_HARDWARE);
	uint16_t *box = &m->state.pe[0x10 / 2];

	test_registers(m);
	m->command = 99;
	m->state.bp[0x41] = 0; /* nothing is written */
	m->state.bp[0x40] = 0x03; /* less */
	box[0] = box[2] = 1023;
	box[1] = box[3] = 0;
	gx_pe_begin_draw(m);
	run_pe(m, one_pixel(m, 5, 7, source, 0)); /* 0 < 0 fails */
	ck_assert_int_eq(box[0], 1023);
	m->efb->depth[7 * GX_EFB_WIDTH + 5] = 1;
	run_pe(m, one_pixel(m, 5, 7, source, 0));
	ck_assert_msg(box[0] == 4 && box[1] == 5 && box[2] == 6 && box[3] == 7, "fact 33: %u, %u, %u, %u", box[0], box[1], box[2], box[3]);
	ck_assert_int_eq(m->state.pe_writer[0x10 / 2], 99);
	m->efb->depth[20 * GX_EFB_WIDTH + 2] = 1;
	run_pe(m, one_pixel(m, 2, 20, source, 0));
	ck_assert_int_eq(box[0], 2);
	ck_assert_int_eq(box[1], 5);
	ck_assert_int_eq(box[2], 6);
	ck_assert_int_eq(box[3], 21);
	gx_machine_destroy(m);
}
END_TEST

/* Quantised 16-bit Z: values of the proposed rule, then every format against the oracle; never larger, never out of order. */
static const struct {
	const char *name;
	unsigned format;
	uint32_t z, expected;
} z16s[] = {
	{"linear", 0, 0x123456, 0x123400},
	{"near, no leading one: 14 bits after it", 1, 0x123457, 0x123456 & 0xFFFE00},
	{"near, one leading one", 1, 0xA3FFFF, 0xA3FF00},
	{"near, three leading ones: 14 bits after them", 1, 0xFFFFFF, 0xFFFF80},
	{"far, fifteen leading ones: nothing is lost", 3, 0xFFFFFF, 0xFFFFFF},
	{"inverted far, fifteen leading zeros", 7, 0x0001FF, 0x0001FF},
	{"inverted linear", 4, 0x0001FF, 0x000100},
	{"24 bits", PE_Z_FULL, 0x123457, 0x123457},
};

START_TEST(z16_case)
{
	uint32_t z = pe_quantise_z(z16s[_i].format, z16s[_i].z);
	ck_assert_msg(z == z16s[_i].expected, "%s: %06x", z16s[_i].name, z);
}
END_TEST

START_TEST(z16_formats)
{
	struct oracle_random r = oracle_random_start();

	for (unsigned format = 0; format < 8; format++)
		for (uint32_t z = 0, last = 0; z < 0x1000000; z += 1 + oracle_random_below(&r, 2000)) {
			uint32_t q = pe_quantise_z(format, z);
			expect(q == pe_oracle_quantise(format, z), "seed %llu format %u z %06x: %06x", (unsigned long long)r.seed, format,
				z, q);
			expect(q <= z && q >= last && pe_quantise_z(format, q) == q, "format %u z %06x: %06x", format, z, q);
			last = q;
		}
}
END_TEST

/* ---- random pixels ------------------------------------------------------------------------------------------------------ */

static void random_registers(struct gx_machine *m, struct oracle_random *r)
{
	uint32_t *bp = m->state.bp;
	static const uint8_t types[] = {0, 1, 1, 2, 3, 4};

	test_registers(m);
	bp[0x40] = oracle_random_next(r) & 0x1F;
	bp[0x41] = oracle_random_next(r) & 0xFFFF;
	bp[0x42] = oracle_random_next(r) & 0x1FF;
	bp[0x43] = types[oracle_random_below(r, 6)] | (oracle_random_next(r) & 0x78);
	if (oracle_random_below(r, 8) == 0)
		bp[0x44] = oracle_random_below(r, 4);
	bp[0xF3] = oracle_random_next(r) & 0xFFFFFF;
	if (oracle_random_below(r, 2))
		bp[0xF3] = 7u << 16 | 7u << 19;
	bp[0xF4] = oracle_random_next(r) & 0xFFFFFF;
	bp[0xF5] = oracle_random_below(r, 3) | oracle_random_below(r, 3) << 2;
	if (oracle_random_below(r, 2))
		bp[0xF5] = 0;
}

static struct gx_batch *random_fragments(struct gx_machine *m, struct oracle_random *r)
{
	struct gx_batch *b = test_batch(m, 1 + oracle_random_below(r, GX_BATCH_QUADS), (int)oracle_random_below(r, 300) * 2,
		(int)oracle_random_below(r, 260) * 2);

	b->commit = oracle_random_below(r, 4) ? 15 : (uint8_t)((1u << oracle_random_below(r, 5)) - 1);
	for (unsigned i = 0; i < b->fragments; i++) {
		size_t at = (size_t)(b->y[i / 4] + (int)(i >> 1 & 1)) * GX_EFB_WIDTH + (size_t)(b->x[i / 4] + (int)(i & 1));
		uint32_t near = oracle_random_next(r) >> 8;

		if (oracle_random_below(r, 6) == 0) {
			b->live[i] = b->samples[i] = 0;
			b->coverage[i / 4] = (uint16_t)(b->coverage[i / 4] & ~(7u << 3 * (i & 3)));
		}
		b->z[i] = near;
		for (unsigned s = 0; s < gx_efb_samples(m); s++) {
			uint32_t *depth = &gx_efb_depth(m, s)[at];
			b->z_sample[s][i] = (near + oracle_random_below(r, 3) * 100) & 0xFFFFFF;
			*depth = oracle_random_below(r, 4) ? oracle_random_next(r) >> 8 : near;
			if (m->state.bp[0x43] % 8 == 2 && m->quirk[GX_QUIRK_z16]) /* values that such a buffer can hold */
				*depth = pe_oracle_quantise(m->state.bp[0x43] >> 3 & 7, *depth);
			gx_efb_colour(m, s)[at] = oracle_random_next(r) >> 8;
		}
		if (gx_efb_samples(m) > 1 && b->samples[i]) {
			b->samples[i] = (uint8_t)(1 + oracle_random_below(r, 7));
			b->coverage[i / 4] = (uint16_t)((b->coverage[i / 4] & ~(7u << 3 * (i & 3))) | (unsigned)b->samples[i] << 3 * (i & 3));
		}
		for (unsigned channel = 0; channel < 4; channel++) {
			b->out[channel][i] = (int16_t)oracle_random_below(r, 256);
			b->raw_texel[channel][i] = (int16_t)oracle_random_below(r, 256);
		}
		if (oracle_random_below(r, 8) == 0)
			b->out[3][i] = (int16_t)oracle_random_below(r, 3);
	}
	return b;
}

/* One oracle pixel a sample; sample 0 only without AA. */
struct expectation {
	struct pe_oracle pixel[3][GX_BATCH];
	uint32_t colour[3][GX_BATCH], depth[3][GX_BATCH]; /* before */
	const char *verdict[GX_BATCH];
	uint32_t counters[5];
	uint16_t box[4];
};

static void run_oracle(const struct gx_machine *m, const struct gx_batch *b, struct expectation *e)
{
	bool active[5];

	memset(e, 0, sizeof *e);
	e->box[0] = e->box[2] = 1023;
	for (unsigned i = 0; i < b->fragments; i++) {
		int x = b->x[i / 4] + (int)(i & 1), y = b->y[i / 4] + (int)(i >> 1 & 1);
		size_t at = (size_t)y * GX_EFB_WIDTH + (size_t)x;
		bool runs = b->live[i] && b->commit >> (i & 3) & 1, blended = false;

		if (i % 4 == 0)
			memset(active, 0, sizeof active);
		e->verdict[i] = b->coverage[i / 4] >> 3 * (i & 3) & 7 ? "pending" : "none";
		for (unsigned s = 0; s < gx_efb_samples(m); s++) {
			struct pe_oracle *o = &e->pixel[s][i];

			*o = (struct pe_oracle){
				.bp = m->state.bp, .keep_24_bits = !m->quirk[GX_QUIRK_z16], .no_yuv = !m->quirk[GX_QUIRK_yuv_pixels],
				.lines_ignored = !m->quirk[GX_QUIRK_field_lines], .round_each = m->quirk[GX_QUIRK_blend_round],
				.alpha_one = m->quirk[GX_QUIRK_alpha_one], .dither_565 = m->quirk[GX_QUIRK_dither_formats], .x = x, .y = y,
				.z = gx_efb_samples(m) > 1 ? b->z_sample[s][i] : b->z[i], .colour = gx_efb_colour(m, s)[at],
				.depth = gx_efb_depth(m, s)[at], .verdict = "",
			};
			e->colour[s][i] = o->colour;
			e->depth[s][i] = o->depth;
			for (unsigned channel = 0; channel < 4; channel++) {
				o->source[channel] = b->out[channel][i];
				o->raw_texel[channel] = b->raw_texel[channel][i];
			}
			if (!runs || !(b->samples[i] >> s & 1))
				continue;
			pe_oracle_run(o);
			/* the fragment lives as long as one sample does: no sample that gets further than early Z is stopped earlier */
			if (!blended && (!strcmp(e->verdict[i], "pending") || !strcmp(e->verdict[i], "early z") || o->blended))
				e->verdict[i] = o->verdict;
			blended |= o->blended;
			active[0] |= o->early_in;
			active[1] |= o->early_out;
			active[2] |= o->late_in;
			active[3] |= o->late_out;
			active[4] |= o->blended;
		}
		for (unsigned k = 0; i % 4 == 3 && k < 5; k++)
			e->counters[k] += active[k];
		if (!blended)
			continue;
		e->box[0] = e->box[0] < (x & ~1) ? e->box[0] : (uint16_t)(x & ~1);
		e->box[1] = e->box[1] > (x | 1) ? e->box[1] : (uint16_t)(x | 1);
		e->box[2] = e->box[2] < (y & ~1) ? e->box[2] : (uint16_t)(y & ~1);
		e->box[3] = e->box[3] > (y | 1) ? e->box[3] : (uint16_t)(y | 1);
	}
}

static const char *verdict_name(uint8_t verdict)
{
	static const char *const names[] = {"none", "written", "masked", "early z", "alpha", "late z", "pending"};
	return names[verdict];
}

static unsigned first_sample(unsigned samples)
{
	return samples & 1 || !samples ? 0 : samples & 2 ? 1 : 2;
}

static void compare_record(const struct gx_batch *b, unsigned i, const struct expectation *e, unsigned type, unsigned samples,
	const char *where)
{
	const struct qs_fragment *f = &b->record[i / 4].fragment[i % 4];
	unsigned first = first_sample(samples > 1 ? b->samples[i] : 1);
	const struct pe_oracle *o = &e->pixel[first][i];
	int old[3][4], new[3][4];
	bool blended = false;

	for (unsigned s = 0; s < samples; s++) {
		pe_oracle_unpack(type, e->colour[s][i], old[s]);
		pe_oracle_unpack(type, e->pixel[s][i].colour, new[s]);
		blended |= e->pixel[s][i].blended;
		if (samples == 1)
			continue;
		expect(f->sample_z_old[s] == e->depth[s][i] && f->sample_z_new[s] == e->pixel[s][i].depth, "%s: recorded Z of a sample", where);
		for (unsigned k = 0; k < 4; k++)
			expect(f->sample_old[s][k] == old[s][k] && f->sample_new[s][k] == new[s][k], "%s: recorded sample", where);
		expect((f->samples_passed >> s & 1) == e->pixel[s][i].blended, "%s: samples that passed", where);
	}
	expect(f->verdict == b->verdict[i], "%s: verdict of the record", where);
	expect(f->sample_count == (samples > 1 ? 3 : 1), "%s: number of samples", where);
	for (unsigned k = 0; k < 4; k++) {
		int before = samples > 1 ? (21 * old[0][k] + 22 * old[1][k] + 21 * old[2][k]) / 64 : old[0][k];
		int after = samples > 1 ? (21 * new[0][k] + 22 * new[1][k] + 21 * new[2][k]) / 64 : new[0][k];
		expect(f->old_rgba[k] == before && f->new_rgba[k] == after, "%s: recorded pixel", where);
		if (e->pixel[0][i].blended)
			expect(f->blended[k] == e->pixel[0][i].result[k], "%s: recorded blend", where);
	}
	if (type != 8) /* such a buffer has no Z */
		expect(f->z_old == e->depth[first][i] && f->z_new == o->depth, "%s: recorded Z %06x %06x, not %06x %06x", where, f->z_old,
			f->z_new, e->depth[first][i], o->depth);
	if (blended && samples == 1)
		expect(f->z == o->z, "%s: recorded Z of the fragment", where);
}

START_TEST(random_pixels)
{
	struct oracle_random r = oracle_random_start();
	struct gx_machine *m = test_machine((enum qs_model)_i);
	struct qs_quad *records = calloc(GX_BATCH_QUADS, sizeof *records);
	unsigned done = 0, n = 0;

	r.state += (uint64_t)_i * 77;
	while (done < 1000000) {
		struct expectation e;
		struct gx_batch *b;
		char where[80];
		unsigned type;

		snprintf(where, sizeof where, "seed %llu batch %u", (unsigned long long)r.seed, n);
		random_registers(m, &r);
		memset(&m->state.pe, 0, sizeof m->state.pe);
		m->state.pe[8] = m->state.pe[10] = 1023;
		gx_pe_begin_draw(m);
		b = random_fragments(m, &r);
		if (n++ % 4 == 0)
			test_records(b, records, false);
		run_oracle(m, b, &e);
		run_pe(m, b);
		type = pe_pixel_type(m);
		for (unsigned i = 0; i < b->fragments; i++) {
			for (unsigned k = 0; k < gx_efb_samples(m); k++) {
				const struct pe_oracle *o = &e.pixel[k][i];
				size_t at = (size_t)o->y * GX_EFB_WIDTH + (size_t)o->x;
				uint32_t colour = gx_efb_colour(m, k)[at], depth = gx_efb_depth(m, k)[at];

				expect(colour == o->colour, "%s fragment %u.%u: colour %06x, not %06x (cmode %06x control %02x)", where, i, k,
					colour, o->colour, m->state.bp[0x41], m->state.bp[0x43]);
				expect(depth == o->depth, "%s fragment %u.%u: z %06x, not %06x", where, i, k, depth, o->depth);
			}
			expect(!strcmp(verdict_name(b->verdict[i]), e.verdict[i]), "%s fragment %u: %s, not %s", where, i,
				verdict_name(b->verdict[i]), e.verdict[i]);
			if (b->record)
				compare_record(b, i, &e, type, gx_efb_samples(m), where);
		}
		for (unsigned k = 0; k < 5; k++)
			expect(m->state.pe[0x18 / 2 + 2 * k] == e.counters[k], "%s: counter %u is %u, not %u", where, k,
				m->state.pe[0x18 / 2 + 2 * k], e.counters[k]);
		for (unsigned k = 0; k < 4; k++)
			expect(m->state.pe[8 + k] == e.box[k], "%s: bound %u is %u, not %u", where, k, m->state.pe[8 + k], e.box[k]);
		done += b->fragments;
	}
	free(records);
	gx_machine_destroy(m);
}
END_TEST

/* ---- clear -------------------------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	uint32_t control;
	bool colour, alpha, depth;
	uint32_t expected_colour, expected_depth;
} clears[] = {
	{"RGB8", 0, true, true, true, 0x12BC7F, 0x345678},
	{"RGB8, alpha alone does nothing", 0, false, true, true, 0xABCDEF, 0x345678},
	{"RGBA6 cuts to 6 bits", 1, true, true, true, 4u << 18 | 0x2Fu << 12 | 0x1Fu << 6 | 0x3F, 0x345678},
	{"RGBA6 colour alone", 1, true, false, false, 4u << 18 | 0x2Fu << 12 | 0x1Fu << 6 | (0xABCDEF & 0x3F), 0x111111},
	{"RGBA6 alpha alone", 1, false, true, false, (0xABCDEF & 0xFFFFC0) | 0x3F, 0x111111},
	{"RGB565 keeps 5 and 6 bits", 2, true, true, true, 0x10BE7B, 0x345600},
	{"nothing", 0, false, false, false, 0xABCDEF, 0x111111},
};

START_TEST(clear_case)
{
	struct gx_machine *m = test_machine(QS_MODEL_HARDWARE);
	struct qs_rect rect = {3, 5, 9, 7}, beyond = {630, 520, 1200, 1100};

	test_registers(m);
	m->state.bp[0x43] = clears[_i].control;
	for (size_t i = 0; i < GX_EFB_WIDTH * GX_EFB_HEIGHT; i++) {
		m->efb->colour[i] = 0xABCDEF;
		m->efb->depth[i] = 0x111111;
	}
	gx_efb_clear(m, rect, 0x12BC7FFF, 0x345678, clears[_i].colour, clears[_i].alpha, clears[_i].depth);
	gx_efb_clear(m, beyond, 0x12BC7FFF, 0x345678, clears[_i].colour, clears[_i].alpha, clears[_i].depth);
	for (int y = 0; y < GX_EFB_HEIGHT; y++)
		for (int x = 0; x < GX_EFB_WIDTH; x++) {
			bool inside = (x >= 3 && x < 9 && y >= 5 && y < 7) || (x >= 630 && y >= 520);
			uint32_t colour = inside ? clears[_i].expected_colour : 0xABCDEF;
			uint32_t depth = inside ? clears[_i].expected_depth : 0x111111;
			expect(m->efb->colour[y * GX_EFB_WIDTH + x] == colour, "%s: (%d, %d) is %06x", clears[_i].name, x, y,
				m->efb->colour[y * GX_EFB_WIDTH + x]);
			expect(m->efb->depth[y * GX_EFB_WIDTH + x] == depth, "%s: Z of (%d, %d) is %06x", clears[_i].name, x, y,
				m->efb->depth[y * GX_EFB_WIDTH + x]);
		}
	gx_machine_destroy(m);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pe");
	TCase *tcase = tcase_create("pe");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, blend_case, 0, COUNT(blends));
	tcase_add_test(tcase, rgba6_reads_back);
	tcase_add_loop_test(tcase, pixel_case, 0, COUNT(pixels));
	tcase_add_loop_test(tcase, z_texture_case, 0, COUNT(z_textures));
	tcase_add_test(tcase, bounding_box);
	tcase_add_loop_test(tcase, z16_case, 0, COUNT(z16s));
	tcase_add_test(tcase, z16_formats);
	tcase_add_loop_test(tcase, random_pixels, 0, QS_MODEL_COUNT);
	tcase_add_loop_test(tcase, clear_case, 0, COUNT(clears));
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
