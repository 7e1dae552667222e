/* check_tx_lod.c - texture unit: choice of levels and filters, anisotropy, rounding
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "texture.h"

/* ---- LOD --------------------------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	uint32_t mode0, mode1;
	float step;
	int lod, level, fraction;
	bool linear;
} lods[] = {
	{"fact 52: derivative zero selects min LOD", 2 << 5, 0x4008, 0, 8, 0, 8, false},
	{"one texel a pixel", 2 << 5, 0x4000, 1, 0, 0, 0, false},
	{"two texels a pixel, point", 1 << 5, 0x4000, 2, 16, 1, 0, false},
	{"point rounds at one half", 1 << 5, 0x4000, 3, 24, 2, 0, false},
	{"point below one half", 1 << 5, 0x4000, 2.9f, 23, 1, 0, false},
	{"linear fraction", 2 << 5, 0x4000, 3, 24, 1, 8, false},
	{"no mip filter stays at level 0", 0, 0x4000, 8, 48, 0, 0, false},
	{"min above max, LOD below both", 2 << 5, 0x1030, 1, 48, 3, 0, false},
	{"min above max, LOD above max: max is tested first", 2 << 5, 0x1030, 4, 16, 1, 0, false},
	{"bias up", 2 << 5 | 32 << 9, 0x4000, 2, 32, 2, 0, false},
	{"bias down, odd, floor", 2 << 5 | (uint32_t)(0xFF & -3) << 9, 0x4000, 2, 14, 0, 14, false},
	{"magnified takes the mag filter", 2 << 5 | 1 << 4, 0x4000, 0.5f, 0, 0, 0, true},
	{"minified takes the min filter", 2 << 5 | 1 << 7, 0x4000, 2, 16, 1, 0, true},
	{"the filter is chosen before the clamp", 2 << 5 | 1 << 4, 0x4020, 0.5f, 32, 2, 0, true},
};

START_TEST(lod_of_step)
{
	struct qs_sample sample;
	set_image(0, 1, 64, 64, 0x1000);
	set(0, 0, lods[_i].mode0);
	set(0, 1, lods[_i].mode1);
	look_up(0, 0, 0, lods[_i].step, &sample);
	ck_assert_msg(sample.lod == lods[_i].lod && sample.lod_fraction == lods[_i].fraction && sample.linear == lods[_i].linear &&
		sample.texel[0].level == lods[_i].level, "%s: lod %d level %d fraction %d linear %d", lods[_i].name, sample.lod,
		sample.texel[0].level, sample.lod_fraction, sample.linear);
}
END_TEST

START_TEST(diagonal_lod_adds)
{
	struct gx_batch *b = &m->batch;
	struct qs_sample sample, *records[GX_BATCH] = {&sample};
	int32_t zero[GX_BATCH] = {0};
	set_image(0, 1, 64, 64, 0x1000);
	set(0, 1, 0x4000);
	for (unsigned diagonal = 0; diagonal < 2; diagonal++) {
		set(0, 0, 2 << 5 | diagonal << 8);
		memset(b, 0, sizeof *b);
		b->quads = 1;
		b->fragments = 4;
		memset(b->live, 1, 4);
		b->uv[0][0][1] = 2;
		b->uv[0][0][2] = -2;
		gx_tx_begin_draw(m);
		gx_tx_sample(m, b, 0, 0, zero, zero, NULL, NULL, records);
		ck_assert_int_eq(sample.lod, diagonal ? 32 : 16);
	}
}
END_TEST

/* Steps to the right (ux, vx) and down (uy, vy) in texels; 64x64 texels I8, each its own column number. */
static const struct {
	const char *name;
	uint32_t mode0, misc;
	float ux, vx, uy, vy;
	int lod, positions;
	const char *off; /* quirk that makes it an ordinary lookup */
	int plain;       /* LOD then */
} shapes[] = {
	/* "LOD with bias is never less than the smallest extent of the pixel in the texture" (libogc) */
	{"bias -2, square pixel: not sharpened", 1 << 21 | (uint32_t)(0xFF & -64) << 9, 0, 4, 0, 0, 4, 32, 1, "lod_clamp", 0},
	{"bias -2, long pixel: as far as its short side", 1 << 21 | (uint32_t)(0xFF & -64) << 9, 0, 4, 0, 0, 2, 16, 1, "lod_clamp", 0},
	{"bias -1, long pixel: not limited", 1 << 21 | (uint32_t)(0xFF & -32) << 9, 0, 8, 0, 0, 1, 32, 1, "lod_clamp", 32},
	{"bias +1 is not limited", 1 << 21 | 32 << 9, 0, 4, 0, 0, 4, 48, 1, "lod_clamp", 48},
	{"no lod_clamp", (uint32_t)(0xFF & -64) << 9, 0, 4, 0, 0, 4, 0, 1, "lod_clamp", 0},
	{"2 positions", 1 << 19, 0, 8, 0, 0, 1, 32, 2, "anisotropy", 48},
	{"4 positions", 2 << 19, 0, 8, 0, 0, 1, 16, 4, "anisotropy", 48},
	{"4 allowed, 2 needed", 2 << 19, 0, 4, 0, 0, 2, 16, 2, "anisotropy", 32},
	{"along the other axis", 2 << 19, 0, 1, 0, 0, 8, 16, 4, "anisotropy", 48},
	{"square: one", 2 << 19, 0, 8, 0, 0, 8, 48, 1, "anisotropy", 48},
	{"magnified: one", 2 << 19, 0, 1, 0, 0, 0.25f, 0, 1, "anisotropy", 0},
	{"half lines", 0, 1, 1, 0, 0, 8, 32, 1, "field_lod", 48},
	{"half lines, steps across stay", 0, 1, 8, 0, 0, 8, 48, 1, "field_lod", 48},
	{"half lines off", 0, 0, 1, 0, 0, 8, 48, 1, "field_lod", 48},
};

static void look_up_shape(unsigned n, struct qs_sample *sample)
{
	struct gx_batch *b = &m->batch;
	struct qs_sample *records[GX_BATCH] = {sample};
	int32_t s[GX_BATCH] = {32 * 128, 32 * 128, 32 * 128, 32 * 128}, t[GX_BATCH] = {32 * 128, 32 * 128, 32 * 128, 32 * 128};
	memset(b, 0, sizeof *b);
	b->quads = 1;
	b->fragments = 4;
	memset(b->live, 1, 4);
	b->uv[0][0][1] = shapes[n].ux;
	b->uv[0][1][1] = shapes[n].vx;
	b->uv[0][0][2] = shapes[n].uy;
	b->uv[0][1][2] = shapes[n].vy;
	gx_tx_begin_draw(m);
	gx_tx_sample(m, b, 0, 0, s, t, NULL, NULL, records);
}

START_TEST(lod_of_shape)
{
	struct qs_sample sample;
	set_image(0, 1, 64, 64, 0x1000);
	set(0, 0, shapes[_i].mode0);
	set(0, 1, 0x6000);
	m->state.bp[0x68] = shapes[_i].misc;
	look_up_shape((unsigned)_i, &sample);
	ck_assert_msg(sample.lod == shapes[_i].lod && sample.positions == shapes[_i].positions &&
		sample.texel_count == shapes[_i].positions, "%s: LOD %d, %u positions, %u texels", shapes[_i].name, sample.lod,
		sample.positions, sample.texel_count);
	for (uint32_t i = 0; i < GX_QUIRK_COUNT; i++)
		if (!strcmp(qs_quirk_at(i)->name, shapes[_i].off))
			m->quirk[i] = 0;
	look_up_shape((unsigned)_i, &sample);
	ck_assert_msg(sample.lod == shapes[_i].plain && sample.positions == 1, "%s, ignored: LOD %d", shapes[_i].name, sample.lod);
}
END_TEST

/* Four positions, nearest: texels 2 apart around the middle, each a quarter. */
START_TEST(positions_are_averaged)
{
	struct qs_sample sample;
	uint8_t row[4096];
	for (unsigned i = 0; i < sizeof row; i++) /* I8, 64 wide: tiles of 8x4 */
		row[i] = (uint8_t)(i / 32 % 8 * 8 + i % 8);
	gx_memory_write(&m->memory, 0x1000, row, sizeof row);
	set_image(0, 1, 64, 64, 0x1000);
	set(0, 0, 2 << 19);
	set(0, 1, 0x6000);
	for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++)
		if (!strcmp(shapes[i].name, "4 positions"))
			look_up_shape(i, &sample);
	static const int want[4] = {29, 31, 33, 35};
	for (unsigned k = 0; k < 4; k++)
		ck_assert_msg(sample.texel[k].s == want[k] && sample.texel[k].weight == 4096, "position %u: texel %d weight %u", k,
			sample.texel[k].s, sample.texel[k].weight);
	ck_assert_int_eq(m->batch.texel[0][0], 32);
}
END_TEST

/* Halfway between 0 and 255, and between lines 1 and 2 of four. */
START_TEST(round_and_field_predict)
{
	uint8_t tile[32] = {0, 255, 0, 0, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0, 0, 0, 0, 0, 30};
	gx_memory_write(&m->memory, 0x1000, tile, sizeof tile);
	set_image(0, 1, 8, 4, 0x1000);
	for (unsigned round = 0; round < 2; round++) {
		set(0, 0, 1 << 4 | round << 17);
		look_up(0, 128, 64, 0, NULL);
		ck_assert_int_eq(m->batch.texel[0][0], round ? 128 : 127);
		m->quirk[GX_QUIRK_filter_round] = 0;
		look_up(0, 128, 64, 0, NULL);
		ck_assert_int_eq(m->batch.texel[0][0], 127);
		m->quirk[GX_QUIRK_filter_round] = 1;
	}
	for (int predict = 0; predict < 2; predict++) {
		m->quirk[GX_QUIRK_field_predict] = predict;
		set(0, 0, 1 << 4 | 1 << 18);
		look_up(0, 64, 256, 0, NULL); /* lines 1 and 2; of one field: 1 and 3 */
		ck_assert_int_eq(m->batch.texel[0][0], predict ? 20 : 15);
	}
}
END_TEST

/* The LOD from integer coordinates is that of the same coordinates as floats. */
START_TEST(lod_from_coordinates)
{
	struct oracle_random r = oracle_random_start();
	int32_t s[GX_BATCH], t[GX_BATCH], lod_s[GX_BATCH], lod_t[GX_BATCH];
	int16_t texel[4][GX_BATCH];
	for (unsigned i = 0; i < MEM1_SIZE; i++)
		m->memory.mem1[i] = (uint8_t)oracle_random_next(&r);
	for (unsigned round = 0; round < 500; round++) {
		random_map(&r, 1);
		random_batch(&r, 1, s, t);
		for (unsigned i = 0; i < m->batch.fragments; i++) {
			lod_s[i] = (int32_t)(oracle_random_next(&r) << 8) / (256 << oracle_random_below(&r, 20));
			lod_t[i] = (int32_t)(oracle_random_next(&r) << 8) / (256 << oracle_random_below(&r, 20));
			m->batch.uv[2][0][i] = (float)lod_s[i] / 128;
			m->batch.uv[2][1][i] = (float)lod_t[i] / 128;
		}
		gx_tx_begin_draw(m);
		gx_tx_sample(m, &m->batch, 1, 3, s, t, lod_s, lod_t, NULL);
		memcpy(texel, m->batch.texel, sizeof texel);
		gx_tx_sample(m, &m->batch, 1, 2, s, t, NULL, NULL, NULL);
		for (unsigned k = 0; k < 4; k++)
			ck_assert_msg(!memcmp(texel[k], m->batch.texel[k], m->batch.fragments * sizeof texel[k][0]), "seed %llu round %u",
				(unsigned long long)r.seed, round);
	}
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_loop_test(tcase, lod_of_step, 0, sizeof lods / sizeof *lods);
	tcase_add_test(tcase, diagonal_lod_adds);
	tcase_add_loop_test(tcase, lod_of_shape, 0, sizeof shapes / sizeof *shapes);
	tcase_add_test(tcase, positions_are_averaged);
	tcase_add_test(tcase, round_and_field_predict);
	tcase_add_test(tcase, lod_from_coordinates);
}

int main(void)
{
	return run_texture_suite("tx_lod", add);
}
