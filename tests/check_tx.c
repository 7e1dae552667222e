/* check_tx.c - texture unit: lookups against the slow oracle, wrap tables, loads, views
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "texture.h"

#define BATCHES 49152u /* of up to 64 fragments; half of them with each bilinear filter */

/* ---- random lookups against the oracle ----------------------------------------------------------------------------------- */

static void check_fragment(const struct texture_oracle *o, unsigned map, unsigned i, const int32_t *s, const int32_t *t,
	const struct qs_sample *record, uint64_t seed, unsigned round)
{
	const struct gx_batch *b = &m->batch;
	struct oracle_lookup want;
	oracle_texture(o, map, &b->uv[3][0][i & ~3u], &b->uv[3][1][i & ~3u], s[i], t[i], &want);
	for (unsigned k = 0; k < 4; k++)
		REQUIRE(b->texel[k][i] == want.rgba[k],
			"seed %llu batch %u fragment %u: channel %u is %d, not %u; map %u s %d t %d lod %d level %d linear %d mode0 %06x image0 %06x",
			(unsigned long long)seed, round, i, k, b->texel[k][i], want.rgba[k], map, s[i], t[i], want.lod, want.level,
			want.linear, o->bp[(map < 4 ? 0x80 : 0x9C) + map], o->bp[(map < 4 ? 0x88 : 0xA4) + map]);
	if (!record)
		return;
	int shift = o->fine_fraction ? 1 : 0;
	REQUIRE(record->done && record->map == map && record->coord == 3 && record->s == s[i] && record->t == t[i] &&
		record->lod == want.lod >> shift && record->linear == want.linear && record->lod_fraction == want.fraction >> shift &&
		record->texel_count == want.texels && record->positions == want.positions && !memcmp(record->rgba, want.rgba, 4),
		"seed %llu batch %u fragment %u: the record does not tell what happened", (unsigned long long)seed, round, i);
	unsigned weight = 0;
	for (unsigned k = 0; k < record->texel_count; k++)
		weight += record->texel[k].weight;
	unsigned whole = want.fraction ? 32768 : 16384; /* parts of a position are cut */
	REQUIRE(weight <= whole && weight + 4 * record->texel_count * (record->positions > 1) >= whole, "seed %llu batch %u fragment %u: weights add up to %u",
		(unsigned long long)seed, round, i, weight);
}

static void random_rules(struct oracle_random *r, struct texture_oracle *o)
{
	m->quirk[GX_QUIRK_anisotropy] = o->anisotropy = oracle_random_below(r, 2);
	m->quirk[GX_QUIRK_lod_clamp] = o->clamp_bias = oracle_random_below(r, 2);
	m->quirk[GX_QUIRK_filter_round] = o->round = oracle_random_below(r, 2);
	m->quirk[GX_QUIRK_field_predict] = o->predict = oracle_random_below(r, 2);
	m->quirk[GX_QUIRK_field_lod] = oracle_random_below(r, 2);
	m->state.bp[0x68] = oracle_random_below(r, 2);
	o->half_lines = m->quirk[GX_QUIRK_field_lod] && m->state.bp[0x68];
}

START_TEST(random_lookups)
{
	struct oracle_random r = oracle_random_start();
	struct texture_oracle o = {.bp = m->state.bp, .main = m->memory.mem1, .main_size = MEM1_SIZE, .tmem = m->memory.tmem};
	m->quirk[GX_QUIRK_texture_cache] = 0;
	int32_t s[GX_BATCH], t[GX_BATCH];
	static struct qs_sample samples[GX_BATCH];
	struct qs_sample *records[GX_BATCH];
	uint8_t noise[64];
	unsigned map = 0, fragments[2] = {0};
	for (unsigned i = 0; i < GX_BATCH; i++)
		records[i] = &samples[i];
	for (unsigned i = 0; i < MEM1_SIZE; i++)
		m->memory.mem1[i] = (uint8_t)oracle_random_next(&r);
	for (unsigned i = 0; i < GX_TMEM_SIZE; i++)
		m->memory.tmem[i] = (uint8_t)oracle_random_next(&r);
	gx_tx_begin_draw(m);
	m->tx->cache.limit = 2 << 20; /* levels come and go all the time */
	for (unsigned round = 0; round < BATCHES; round++) {
		if (round % 8 == 0) {
			map = oracle_random_below(&r, 8);
			random_map(&r, map);
			o.steps = round / 8 % 2;
			o.fine_fraction = oracle_random_below(&r, 4) == 0;
			o.dolphin_stride = oracle_random_below(&r, 2);
			o.dolphin_tmem = oracle_random_below(&r, 2);
			m->quirk[GX_QUIRK_bilinear] = o.steps;
			m->quirk[GX_QUIRK_trilinear] = o.fine_fraction;
			m->quirk[GX_QUIRK_mip_stride] = o.dolphin_stride;
			o.spread = oracle_random_below(&r, 2);
			m->quirk[GX_QUIRK_tmem_mips] = o.dolphin_tmem;
			m->quirk[GX_QUIRK_tlut_place] = !o.spread;
			random_rules(&r, &o);
		}
		if (oracle_random_below(&r, 2)) { /* memory changes under the cache */
			for (unsigned i = 0; i < sizeof noise; i++)
				noise[i] = (uint8_t)oracle_random_next(&r);
			gx_memory_write(&m->memory, oracle_random_below(&r, MEM1_SIZE), noise, sizeof noise);
		}
		random_batch(&r, map, s, t);
		bool recorded = oracle_random_below(&r, 8) == 0;
		gx_tx_begin_draw(m);
		gx_tx_sample(m, &m->batch, map, 3, s, t, NULL, NULL, recorded ? records : NULL);
		for (unsigned i = 0; i < m->batch.fragments; i++)
			check_fragment(&o, map, i, s, t, recorded ? &samples[i] : NULL, r.seed, round);
		fragments[o.steps] += m->batch.fragments;
	}
	ck_assert_uint_ge(fragments[0], 1000000);
	ck_assert_uint_ge(fragments[1], 1000000);
}
END_TEST

/* ---- wrap (spec 08 fact 35) ----------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	unsigned mode;
	uint32_t width;
	int first;       /* coordinate of expected[0] */
	uint8_t expected[10];
} wraps[] = {
	{"clamp", 0, 5, -2, {0, 0, 0, 1, 2, 3, 4, 4, 4, 4}},
	{"fact 35: mode 3 is clamp", 3, 5, -2, {0, 0, 0, 1, 2, 3, 4, 4, 4, 4}},
	{"repeat, power of two", 1, 4, -2, {2, 3, 0, 1, 2, 3, 0, 1, 2, 3}},
	{"fact 35: repeat, width 5", 1, 5, 0, {0, 0, 0, 0, 4, 4, 4, 4, 0, 0}},
	{"mirror, power of two", 2, 4, -2, {1, 0, 0, 1, 2, 3, 3, 2, 1, 0}},
	{"fact 35: mirror, width 5", 2, 5, 0, {0, 4, 0, 4, 0, 0, 0, 0, 0, 4}},
	{"one texel", 1, 1, -3, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
};

START_TEST(wrap_modes)
{
	uint8_t row[8] = {0, 1, 2, 3, 4, 5, 6, 7}; /* I8 */
	gx_memory_write(&m->memory, 0x1000, row, sizeof row);
	set_image(0, 1, wraps[_i].width, 1, 0x1000);
	set(0, 0, wraps[_i].mode);
	for (int i = 0; i < 10; i++) {
		look_up(0, (wraps[_i].first + i) * 128 + 5, 0, 0, NULL);
		ck_assert_msg(m->batch.texel[0][0] == wraps[_i].expected[i], "%s: texel %d is %d, not %d", wraps[_i].name,
			wraps[_i].first + i, m->batch.texel[0][0], wraps[_i].expected[i]);
	}
}
END_TEST

/* ---- loads ----------------------------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	uint32_t lines, type, even, odd;
	uint32_t at;      /* TMEM byte that is looked at */
	int source_line;  /* line of the source that must be there; -1: nothing was written */
} loads[] = {
	{"first line", 4, 0, 0x10, 0, 0x10 * 32, 0},
	{"last line", 4, 0, 0x10, 0, 0x13 * 32, 3},
	{"line after", 4, 0, 0x10, 0, 0x14 * 32, -1},
	{"type 1", 2, 1, 0x20, 0x4000, 0x21 * 32, 1},
	{"type 2 leaves the odd side", 2, 2, 0x20, 0x4000, 0x4000 * 32, -1},
	{"type 3 even", 3, 3, 0x20, 0x4000, 0x22 * 32, 4},
	{"type 3 odd", 3, 3, 0x20, 0x4000, 0x4002 * 32, 5},
	{"cut off at the end", 4, 0, 0x7FFE, 0, 0x7FFF * 32, 1},
	{"type 3 ends when one side is full", 4, 3, 0x20, 0x7FFF, 0x21 * 32, -1},
	{"zero lines", 0, 3, 0x20, 0x4000, 0x20 * 32, -1},
};

START_TEST(block_load)
{
	uint8_t line[32];
	memset(m->memory.tmem, 0xEE, GX_TMEM_SIZE);
	for (unsigned i = 0; i < 16; i++) {
		memset(line, (int)i, sizeof line);
		gx_memory_write(&m->memory, 0x2000 + 32 * i, line, sizeof line);
	}
	gx_write_bp(m, 0x60, 0x2000 >> 5);
	gx_write_bp(m, 0x61, loads[_i].even);
	gx_write_bp(m, 0x62, loads[_i].odd);
	gx_write_bp(m, 0x63, loads[_i].type << 15 | loads[_i].lines);
	memset(line, loads[_i].source_line < 0 ? 0xEE : loads[_i].source_line, sizeof line);
	ck_assert_msg(!memcmp(m->memory.tmem + loads[_i].at, line, sizeof line), "%s: %02x at %05x", loads[_i].name,
		m->memory.tmem[loads[_i].at], loads[_i].at);
}
END_TEST

/* spec 08 fact 48: the GameCube ignores address bits from 25 on.  An entry takes all sixteen banks of a line of the upper half;
 * Dolphin keeps entries in a row. */
START_TEST(tlut_load)
{
	uint8_t entries[64];
	for (unsigned i = 0; i < sizeof entries; i++)
		entries[i] = (uint8_t)(i + 1);
	gx_memory_write(&m->memory, 0x4000, entries, sizeof entries);
	gx_write_bp(m, 0x64, 0xC00000 | 0x4000 >> 5);
	gx_write_bp(m, 0x65, 2 << 10 | 0x30);
	for (unsigned i = 0; i < 32; i++)
		for (unsigned bank = 0; bank < 16; bank++)
			ck_assert_msg(!memcmp(m->memory.tmem + 0x80000 + 0x30 * 512 + 32 * i + 2 * bank, entries + 2 * i, 2), "fact 48: entry %u", i);
	ck_assert_uint_eq(m->memory.tmem[0x80000 + 0x32 * 512], 0);
	ck_assert_uint_eq(m->memory.tags[0x4000 + 0x32 * 16 - 1], GX_TAG_PALETTE);
	ck_assert_uint_eq(m->memory.tags[0x4000 + 0x32 * 16], 0);
	m->quirk[GX_QUIRK_tlut_place] = 1;
	gx_write_bp(m, 0x65, 2 << 10 | 0x30);
	ck_assert(!memcmp(m->memory.tmem + 0x30 * 512, entries, sizeof entries));
	ck_assert_uint_eq(m->memory.tmem[0x30 * 512 + 64], 0);
}
END_TEST

/* The TMEM image of a log has palettes where Dolphin puts them; they are found there until the log loads others. */
START_TEST(palette_of_the_log)
{
	static uint8_t image[GX_TMEM_SIZE];
	uint8_t index[32] = {0, 17}, entries[64] = {3, 4};
	gx_memory_write(&m->memory, 0x1000, index, sizeof index);
	gx_memory_write(&m->memory, 0x4000, entries, sizeof entries);
	image[0x30 * 512 + 34] = 5; /* entry 17: A, then I */
	image[0x30 * 512 + 35] = 6;
	m->memory.initial_tmem = image;
	m->memory.initial_tmem_size = sizeof image;
	set_image(0, 9, 8, 4, 0x1000);
	set(0, 6, 0x30);
	look_up(0, 128, 0, 0, NULL);
	ck_assert_int_eq(m->batch.texel[0][0], 6);
	ck_assert_int_eq(m->batch.texel[3][0], 5);
	gx_write_bp(m, 0x64, 0x4000 >> 5);
	gx_write_bp(m, 0x65, 1 << 10 | 0x30); /* 16 entries: the 17th is still the log's */
	look_up(0, 128, 0, 0, NULL);
	ck_assert_int_eq(m->batch.texel[0][0], 6);
	look_up(0, 0, 0, 0, NULL);
	ck_assert_int_eq(m->batch.texel[0][0], 4);
	gx_write_bp(m, 0x65, 2 << 10 | 0x30);
	look_up(0, 128, 0, 0, NULL);
	ck_assert_int_eq(m->batch.texel[0][0], 0);
}
END_TEST

/* A preloaded RGBA8 texture and a preloaded mipmap, through the registers. */
START_TEST(preloaded_textures)
{
	uint8_t texture[64 + 64];
	for (unsigned i = 0; i < sizeof texture; i++)
		texture[i] = (uint8_t)i;
	gx_memory_write(&m->memory, 0x2000, texture, sizeof texture);
	gx_write_bp(m, 0x60, 0x2000 >> 5);
	gx_write_bp(m, 0x61, 0x100);
	gx_write_bp(m, 0x62, 0x4100);
	gx_write_bp(m, 0x63, 3 << 15 | 2);
	set(5, 2, 6u << 20 | 3 << 10 | 7); /* RGBA8 8x4 */
	set(5, 3, 1u << 21 | 0x100);
	set(5, 4, 0x4100);
	struct qs_sample sample;
	look_up(5, 5 * 128, 128, 0, &sample); /* second tile, texel (1, 1): bytes 64 + 10 and 64 + 32 + 10 */
	ck_assert_uint_eq(sample.rgba[3], 64 + 10);
	ck_assert_uint_eq(sample.rgba[0], 64 + 11);
	ck_assert_uint_eq(sample.rgba[1], 96 + 10);
	ck_assert_uint_eq(sample.rgba[2], 96 + 11);
	ck_assert(sample.from_tmem);
	ck_assert_uint_eq(sample.texel[0].address, 0x101 * 32 + 10);

	/* I8 16x8, two levels: level 0 (4 tiles) in the even region, level 1 (1 tile) in the odd one */
	memset(m->memory.tmem + 0x200 * 32, 10, 128);
	memset(m->memory.tmem + 0x4200 * 32, 20, 32);
	memset(m->memory.tmem + 0x204 * 32, 30, 32);
	m->memory.tmem_generation++;
	set(6, 0, 1 << 5);
	set(6, 1, 0x1000);
	set(6, 2, 1u << 20 | 7 << 10 | 15);
	set(6, 3, 1u << 21 | 0x200);
	set(6, 4, 0x4200);
	look_up(6, 0, 0, 1, NULL);
	ck_assert_int_eq(m->batch.texel[0][0], 10);
	look_up(6, 0, 0, 2, NULL);
	ck_assert_int_eq(m->batch.texel[0][0], 20);
	m->quirk[GX_QUIRK_tmem_mips] = 1;
	look_up(6, 0, 0, 2, NULL);
	ck_assert_int_eq(m->batch.texel[0][0], 30);
}
END_TEST

/* ---- views ------------------------------------------------------------------------------------------------------------------ */

START_TEST(views)
{
	struct qs_texture texture;
	struct qs_image image;
	struct qs_error error;
	uint8_t index = 2, palette[6] = {0, 0, 0, 0, 0x11, 0x22};
	gx_memory_write(&m->memory, 0x1000, &index, 1);
	memcpy(m->memory.tmem + 0x80000 + 5 * 512 + 2 * 32, palette + 4, 2);
	m->state.bp[0x00] = 1 << 10; /* two stages */
	m->state.bp[0x28] = 1 << 6 | 3 | 1u << 18 | 6u << 12; /* maps 3 and 6 */
	set_image(6, 9, 20, 12, 0x1000);
	set(6, 0, 1 | 2 << 2 | 1 << 4 | 2 << 5 | (uint32_t)(0xFF & -16) << 9);
	set(6, 1, 0x2808);
	set(6, 6, 0 << 10 | 5);
	ck_assert(gx_view_texture(m, 6, &texture, &error));
	ck_assert(texture.used && !texture.preloaded && texture.map == 6);
	ck_assert_uint_eq(texture.address, 0x1000);
	ck_assert(texture.width == 20 && texture.height == 12 && texture.format == 9 && texture.levels == 4);
	ck_assert(texture.tlut_address == 0x80000 + 5 * 512 && texture.tlut_format == 0 && texture.tlut_entries == 256);
	ck_assert(texture.wrap_s == 1 && texture.wrap_t == 2 && texture.mag_filter == 1 && texture.min_filter == 0 && texture.mip_filter == 2);
	ck_assert(texture.min_lod == 0.5f && texture.max_lod == 2.5f && texture.lod_bias == -0.5f);
	ck_assert(gx_view_texture(m, 0, &texture, &error) && !texture.used);
	ck_assert(!gx_view_texture(m, 8, &texture, &error) && error.code == QS_ERR_RANGE);

	ck_assert(gx_view_texture_image(m, 6, 0, &image, &error));
	ck_assert(image.width == 20 && image.height == 12 && !image.depth);
	ck_assert(image.rgba[0] == 0x22 && image.rgba[3] == 0x11);
	free(image.rgba);
	ck_assert(gx_view_texture_image(m, 6, 3, &image, &error));
	ck_assert(image.width == 3 && image.height == 2);
	free(image.rgba);
	ck_assert(!gx_view_texture_image(m, 6, 4, &image, &error));
	ck_assert(!gx_view_texture_image(m, 9, 0, &image, &error));

	ck_assert(gx_view_tlut_image(m, 6, &image, &error));
	ck_assert(image.width == 16 && image.height == 16 && image.rgba[8] == 0x22 && image.rgba[11] == 0x11);
	free(image.rgba);
	set_image(6, 1, 8, 8, 0);
	ck_assert(!gx_view_tlut_image(m, 6, &image, &error) && error.code == QS_ERR_RANGE);
	ck_assert_ptr_null(m->tx); /* looking does not touch the drawing path */
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_loop_test(tcase, wrap_modes, 0, sizeof wraps / sizeof *wraps);
	tcase_add_loop_test(tcase, block_load, 0, sizeof loads / sizeof *loads);
	tcase_add_test(tcase, tlut_load);
	tcase_add_test(tcase, palette_of_the_log);
	tcase_add_test(tcase, preloaded_textures);
	tcase_add_test(tcase, views);
	tcase_add_test(tcase, random_lookups);
}

int main(void)
{
	return run_texture_suite("tx", add);
}
