/* check_tx.c - texture unit: lookups against the slow oracle, wrap tables, loads, the cache, records, views
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gx/machine.h"
#include "gx/tx.h"
#include "oracle/random.h"
#include "oracle/texture_oracle.h"

#define MEM1_SIZE 0x30000u
#define BATCHES 49152u /* of up to 64 fragments; half of them with each bilinear filter */

static struct gx_machine *m;

static void setup(void)
{
	m = gx_machine_create(MEM1_SIZE, 0);
	ck_assert_ptr_nonnull(m);
	m->state.bp_mask = 0xFFFFFF; /* as after a reset, which costs more */
}

static void teardown(void)
{
	gx_machine_destroy(m);
	m = NULL;
}

/* Register k of a map: 0 SETMODE0, 1 SETMODE1, 2-5 SETIMAGE0-3, 6 SETTLUT. */
static void set(unsigned map, unsigned k, uint32_t value)
{
	m->state.bp[(map < 4 ? 0x80 : 0x9C) + 4 * k + map] = value & 0xFFFFFF;
}

static uint32_t map_word(unsigned map, unsigned k)
{
	return m->state.bp[(map < 4 ? 0x80 : 0x9C) + 4 * k + map];
}

static void set_image(unsigned map, unsigned format, uint32_t width, uint32_t height, uint32_t address)
{
	set(map, 2, format << 20 | (height - 1) << 10 | (width - 1));
	set(map, 3, 0);
	set(map, 5, address >> 5);
}

/* A batch of one quad at one coordinate; the LOD is that of neighbours `step` texels away. */
static void look_up(unsigned map, int32_t s, int32_t t, float step, struct qs_sample *sample)
{
	struct gx_batch *b = &m->batch;
	struct qs_sample *records[GX_BATCH] = {sample};
	int32_t cs[GX_BATCH] = {0}, ct[GX_BATCH] = {0};
	memset(b, 0, sizeof *b);
	b->quads = 1;
	b->fragments = 4;
	memset(b->live, 1, 4);
	for (unsigned i = 0; i < 4; i++) {
		cs[i] = s;
		ct[i] = t;
		b->uv[0][0][i] = i & 1 ? step : 0;
		b->uv[0][1][i] = 0;
	}
	gx_tx_begin_draw(m);
	gx_tx_sample(m, b, map, 0, cs, ct, NULL, NULL, sample ? records : NULL);
}

/* ck_assert writes a file every time it is passed: too slow for millions. */
#define REQUIRE(condition, ...) \
	do { \
		if (!(condition)) \
			ck_abort_msg(__VA_ARGS__); \
	} while (0)

/* ---- random lookups against the oracle ----------------------------------------------------------------------------------- */

static uint32_t random_size(struct oracle_random *r)
{
	return oracle_random_below(r, 2) ? 1u << oracle_random_below(r, 7) : 1 + oracle_random_below(r, 64);
}

static void random_map(struct oracle_random *r, unsigned map)
{
	static const uint8_t formats[16] = {0, 1, 2, 3, 4, 5, 6, 6, 8, 9, 10, 14, 14, 14, 7, 15};
	uint32_t mode0 = oracle_random_next(r) & 0xFFFFFF;
	if (oracle_random_below(r, 2))
		mode0 &= ~0x1FE00u; /* no bias */
	set(map, 0, mode0);
	set(map, 1, oracle_random_below(r, 4) ? 0x6000 | oracle_random_below(r, 32) : oracle_random_next(r));
	set(map, 2, (uint32_t)formats[oracle_random_below(r, 16)] << 20 | (random_size(r) - 1) << 10 | (random_size(r) - 1));
	set(map, 3, (oracle_random_next(r) & 0x1FFFFF) | (oracle_random_below(r, 4) ? 0 : 1u << 21));
	set(map, 4, oracle_random_next(r));
	set(map, 5, oracle_random_below(r, MEM1_SIZE) >> 5); /* some end outside memory */
	set(map, 6, oracle_random_next(r));
}

static void random_batch(struct oracle_random *r, unsigned map, int32_t *s, int32_t *t)
{
	struct gx_batch *b = &m->batch;
	uint32_t image0 = m->state.bp[(map < 4 ? 0x88 : 0xA4) + map];
	int32_t width = (int32_t)(image0 & 1023) + 1, height = (int32_t)(image0 >> 10 & 1023) + 1;
	b->quads = oracle_random_below(r, 4) ? 16 : 1 + oracle_random_below(r, 16);
	b->fragments = 4 * b->quads;
	memset(b->live, 1, sizeof b->live);
	bool wild = !oracle_random_below(r, 8);
	int spread = (int)oracle_random_below(r, 24) - 8;
	for (unsigned i = 0; i < b->fragments; i++) {
		s[i] = wild ? (int32_t)(oracle_random_next(r) << 8) / 256 :
			(int32_t)oracle_random_below(r, (uint32_t)width * 128 * 8) - width * 128 * 3;
		t[i] = wild ? (int32_t)(oracle_random_next(r) << 8) / 256 :
			(int32_t)oracle_random_below(r, (uint32_t)height * 128 * 8) - height * 128 * 3;
		for (unsigned k = 0; k < 2; k++) {
			float value = ldexpf((float)(int32_t)oracle_random_next(r), spread - 31);
			switch (oracle_random_below(r, 256)) {
			case 0:
				value = INFINITY;
				break;
			case 1:
				value = NAN;
				break;
			case 2:
				value = 0;
				break;
			case 3:
				value = 0x1p-140f;
				break;
			default:
				break;
			}
			b->uv[3][k][i] = value;
		}
	}
}

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

/* ---- wrap (spec 08 fact 35) ----------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	unsigned mode;
	uint32_t width;
	int first;       /* coordinate of expected[0] */
	uint8_t expected[10];
} wraps[] = {
	{"clamp", 0, 5, -2, {0, 0, 0, 1, 2, 3, 4, 4, 4, 4}},
	{"mode 3 is clamp", 3, 5, -2, {0, 0, 0, 1, 2, 3, 4, 4, 4, 4}},
	{"repeat, power of two", 1, 4, -2, {2, 3, 0, 1, 2, 3, 0, 1, 2, 3}},
	{"repeat, width 5", 1, 5, 0, {0, 0, 0, 0, 4, 4, 4, 4, 0, 0}},
	{"mirror, power of two", 2, 4, -2, {1, 0, 0, 1, 2, 3, 3, 2, 1, 0}},
	{"mirror, width 5", 2, 5, 0, {0, 4, 0, 4, 0, 0, 0, 0, 0, 4}},
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

/* ---- LOD --------------------------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	uint32_t mode0, mode1;
	float step;
	int lod, level, fraction;
	bool linear;
} lods[] = {
	/* spec 08 fact 52 */
	{"derivative zero selects min LOD", 2 << 5, 0x4008, 0, 8, 0, 8, false},
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
			ck_assert(!memcmp(m->memory.tmem + 0x80000 + 0x30 * 512 + 32 * i + 2 * bank, entries + 2 * i, 2));
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

/* ---- the texture cache --------------------------------------------------------------------------------------------------------- */

#define REGION (3u << 15 | 3u << 18) /* 32 KB: 32 by 32 tiles */

/* Writes, invalidations and lookups of texel (0, 0) in turn; I8, one tile at 0x1000. */
static const struct {
	const char *name;
	const char *steps; /* 'w' the byte changes, 'r' it is written as it was, 'i' INVTAGS of all, 'x' of the other half, 'c' of another
			    * region, 'o' another texture takes the line, 'b' LOADBLOCK over the line, '.' lookup */
	int texel;
	enum qs_cache cache;
	bool stale;
} cached[] = {
	{"first lookup fetches", ".", 0, QS_CACHE_MISS, false},
	{"second lookup hits", "..", 0, QS_CACHE_HIT, false},
	{"written before", "w.", 1, QS_CACHE_MISS, false},
	{"written after: the old line", ".w.", 0, QS_CACHE_HIT, true},
	{"written back: no longer stale", ".wr.", 0, QS_CACHE_HIT, false},
	{"invalidated", ".wi.", 1, QS_CACHE_MISS, false},
	{"invalidated before the write and not looked up", ".iw.", 1, QS_CACHE_MISS, false},
	{"invalidated, fetched, then written", ".i.w.", 0, QS_CACHE_HIT, true},
	{"the other half invalidated", ".wx.", 0, QS_CACHE_HIT, true},
	{"another region invalidated", ".wc.", 0, QS_CACHE_HIT, true},
	{"replaced by another texture", ".wo.", 1, QS_CACHE_MISS, false},
	{"overwritten by a load", ".b.", 77, QS_CACHE_HIT, true},
	{"overwritten by a load, invalidated", ".bi.", 0, QS_CACHE_MISS, false},
};

static void cache_step(char step, struct qs_sample *sample)
{
	uint8_t byte = step == 'w', other[32];
	switch (step) {
	case 'w':
	case 'r':
		gx_memory_write(&m->memory, 0x1000, &byte, 1);
		break;
	case 'i':
		gx_write_bp(m, 0x66, 0x1000);
		gx_write_bp(m, 0x66, 0x1100);
		break;
	case 'x':
		gx_write_bp(m, 0x66, 0x1100);
		break;
	case 'c': /* 32 KB behind the region */
		gx_write_bp(m, 0x66, 4 << 9 | 16);
		break;
	case 'o':
		set_image(1, 1, 8, 4, 0x2000);
		set(1, 3, REGION);
		look_up(1, 0, 0, 0, NULL);
		break;
	case 'b':
		memset(other, 77, sizeof other);
		gx_memory_write(&m->memory, 0x3000, other, sizeof other);
		gx_write_bp(m, 0x60, 0x3000 >> 5);
		gx_write_bp(m, 0x61, 0);
		gx_write_bp(m, 0x63, 1);
		break;
	default:
		look_up(0, 0, 0, 0, sample);
		break;
	}
}

START_TEST(cache_step_by_step)
{
	struct qs_sample sample;
	set_image(0, 1, 8, 4, 0x1000);
	set(0, 3, REGION);
	for (const char *step = cached[_i].steps; *step; step++)
		cache_step(*step, &sample);
	ck_assert_msg(m->batch.texel[0][0] == cached[_i].texel && sample.texel[0].cache == cached[_i].cache &&
		sample.texel[0].stale == cached[_i].stale, "%s: texel %d, cache %d, stale %d", cached[_i].name, m->batch.texel[0][0],
		sample.texel[0].cache, sample.texel[0].stale);
}
END_TEST

START_TEST(without_cache_memory_is_read)
{
	struct qs_sample sample;
	m->quirk[GX_QUIRK_texture_cache] = 0;
	set_image(0, 1, 8, 4, 0x1000);
	set(0, 3, REGION);
	for (const char *step = ".w."; *step; step++)
		cache_step(*step, &sample);
	ck_assert_int_eq(m->batch.texel[0][0], 1);
	ck_assert(sample.texel[0].cache == QS_CACHE_NONE && !sample.texel[0].stale);
	ck_assert_uint_eq(m->memory.cached_lines, 0);
}
END_TEST

/* Where tiles go: even levels in the even region, odd ones in the odd region, RGBA8 in both. */
static const struct {
	const char *name;
	unsigned format;
	uint32_t width, height, image1, image2;
	int s, t;
	float step;
	uint32_t line, other; /* other: of G and B; 0: none */
	uint32_t address;
} places[] = {
	{"first tile", 1, 64, 64, REGION | 0x40, REGION | 0x4000, 0, 0, 0, 0x40, 0, 0x1000},
	{"next tile", 1, 64, 64, REGION | 0x40, REGION | 0x4000, 8, 0, 0, 0x41, 0, 0x1020},
	{"next row of tiles", 1, 64, 64, REGION | 0x40, REGION | 0x4000, 0, 4, 0, 0x40 + 32, 0, 0x1000 + 8 * 32},
	{"column 32 wraps", 1, 512, 8, REGION | 0x40, REGION | 0x4000, 256, 0, 0, 0x40, 0, 0x1000 + 32 * 32},
	{"row 32 wraps", 1, 8, 256, REGION | 0x40, REGION | 0x4000, 0, 128, 0, 0x40, 0, 0x1000 + 32 * 32},
	{"128 KB", 1, 512, 8, 4u << 15 | 4u << 18, 0, 256, 4, 0, 64 + 32, 0, 0x1000 + 64 * 32 + 32 * 32},
	{"another height", 1, 512, 256, 3u << 15 | 4u << 18, 0, 0, 128, 0, 32 * 32, 0, 0x1000 + 64 * 32 * 32},
	{"level 1", 1, 64, 64, REGION | 0x40, REGION | 0x4000, 0, 0, 2, 0x4000, 0, 0x1000 + 4096},
	{"level 2", 1, 64, 64, REGION | 0x40, REGION | 0x4000, 0, 0, 4, 0x40, 0, 0x1000 + 4096 + 1024},
	{"RGBA8", 6, 64, 64, REGION | 0x40, REGION | 0x4000, 4, 0, 0, 0x41, 0x4001, 0x1040},
	{"RGBA8, level 1", 6, 64, 64, REGION | 0x40, REGION | 0x4000, 0, 0, 2, 0x4000, 0x40, 0x1000 + 16384},
	{"the end of TMEM wraps", 1, 64, 64, REGION | 0x7FFF, 0, 8, 0, 0, 0, 0, 0x1020},
};

START_TEST(cache_place)
{
	struct qs_sample sample;
	set_image(0, places[_i].format, places[_i].width, places[_i].height, 0x1000);
	set(0, 0, 1 << 5);
	set(0, 1, 0x4000);
	set(0, 3, places[_i].image1);
	set(0, 4, places[_i].image2);
	look_up(0, places[_i].s * 128, places[_i].t * 128, places[_i].step, &sample);
	ck_assert_msg(sample.texel[0].cache == QS_CACHE_MISS && sample.texel[0].line == places[_i].line &&
		sample.texel[0].address == places[_i].address, "%s: cache %d line %x address %x", places[_i].name,
		sample.texel[0].cache, sample.texel[0].line, sample.texel[0].address);
	ck_assert_uint_eq(m->memory.tags[places[_i].line], GX_TAG_CACHED | places[_i].address >> 5);
	if (places[_i].other)
		ck_assert_uint_eq(m->memory.tags[places[_i].other], GX_TAG_CACHED | ((places[_i].address >> 5) + 1));
	ck_assert_uint_eq(m->memory.cached_lines, places[_i].other ? 2 : 1);
}
END_TEST

/* Without a region in SETIMAGE1 there is nothing to keep lines in. */
START_TEST(no_region_no_cache)
{
	struct qs_sample sample;
	set_image(0, 1, 8, 4, 0x1000);
	look_up(0, 0, 0, 0, &sample);
	ck_assert(sample.texel[0].cache == QS_CACHE_NONE);
	ck_assert_uint_eq(m->memory.cached_lines, 0);
}
END_TEST

START_TEST(dead_fragments_fetch_nothing)
{
	struct gx_batch *b = &m->batch;
	int32_t s[GX_BATCH] = {0, 8 * 128, 16 * 128, 24 * 128}, t[GX_BATCH] = {0};
	set_image(0, 1, 64, 4, 0x1000);
	set(0, 3, REGION);
	memset(b, 0, sizeof *b);
	b->quads = 1;
	b->fragments = 4;
	b->live[1] = b->live[3] = 1;
	gx_tx_begin_draw(m);
	gx_tx_sample(m, b, 0, 0, s, t, NULL, NULL, NULL);
	ck_assert_uint_eq(m->memory.cached_lines, 2);
	ck_assert_uint_eq(m->memory.tags[1], GX_TAG_CACHED | 0x81);
	ck_assert_uint_eq(m->memory.tags[3], GX_TAG_CACHED | 0x83);
}
END_TEST

/* Fetches can be taken back; lookups afterwards see what TMEM had before. */
START_TEST(fetches_are_undone)
{
	uint8_t byte = 9;
	struct qs_sample sample;
	set_image(0, 1, 8, 4, 0x1000);
	set_image(1, 1, 8, 4, 0x2000);
	set(0, 3, REGION);
	set(1, 3, REGION);
	look_up(0, 0, 0, 0, NULL);
	gx_memory_write(&m->memory, 0x1000, &byte, 1); /* stale from here */
	ck_assert(gx_tags_journal(&m->memory));
	look_up(1, 0, 0, 0, NULL);
	look_up(0, 0, 0, 0, NULL);
	ck_assert_int_eq(m->batch.texel[0][0], 9);
	ck_assert_uint_eq(m->memory.stale_lines, 0);
	ck_assert(gx_tags_undo(&m->memory));
	ck_assert_uint_eq(m->memory.stale_lines, 1);
	look_up(0, 0, 0, 0, &sample);
	ck_assert_int_eq(m->batch.texel[0][0], 0);
	ck_assert(sample.texel[0].cache == QS_CACHE_HIT && sample.texel[0].stale);
}
END_TEST

/* Whose line is whose: a cached tile, a stale one, a preloaded image, a palette. */
START_TEST(lines_for_people)
{
	static struct qs_tmem_line lines[QS_TMEM_LINES];
	uint8_t byte = 9;
	m->state.bp[0] = 1;
	m->state.bp[0x28] = 1 << 6; /* map 0 is read */
	set_image(0, 1, 16, 4, 0x1000);
	set(0, 3, REGION);
	look_up(0, 0, 0, 0, NULL);
	look_up(0, 8 * 128, 0, 0, NULL);
	gx_memory_write(&m->memory, 0x1020, &byte, 1);
	gx_write_bp(m, 0x60, 0x2000 >> 5);
	gx_write_bp(m, 0x61, 0x800);
	gx_write_bp(m, 0x63, 3);
	set_image(2, 9, 8, 8, 0);
	set(2, 3, 1u << 21 | 0x800);
	set(2, 6, 0x10);
	gx_write_bp(m, 0x64, 0x3000 >> 5);
	gx_write_bp(m, 0x65, 1 << 10 | 0x10);
	gx_view_tmem(m, lines);
	static const struct {
		uint32_t line;
		struct qs_tmem_line want;
	} cases[] = {
		{0, {0x1000, QS_TMEM_CACHED, 0, 0}}, {1, {0x1020, QS_TMEM_STALE, 0, 0}}, {2, {0, QS_TMEM_EMPTY, 255, 0}},
		{0x800, {0, QS_TMEM_LOADED, 2, 0}}, {0x802, {0, QS_TMEM_LOADED, 255, 0}},
		{0x4100, {0, QS_TMEM_TLUT, 2, QS_TMEM_PALETTE_LEVEL}}, {0x4110, {0, QS_TMEM_EMPTY, 2, QS_TMEM_PALETTE_LEVEL}},
		{0x4200, {0, QS_TMEM_EMPTY, 255, 0}},
	};
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct qs_tmem_line *l = &lines[cases[i].line], *want = &cases[i].want;
		ck_assert_msg(l->address == want->address && l->state == want->state && l->map == want->map && l->level == want->level,
			"line %x: address %x state %u map %u level %u", cases[i].line, l->address, l->state, l->map, l->level);
	}
}
END_TEST

/* Lookups of two maps that take each other's lines are made quad by quad. */
static const struct {
	const char *name;
	uint32_t tref, iref, indirect; /* GEN_MODE has one coordinate, two stages */
	uint32_t lines[2]; /* of maps 0 and 1: 32 KB regions */
	uint32_t width;
	unsigned limit;
} limits[] = {
	{"one lookup of a large map", 1 << 6, 0, 0, {0, 0x400}, 1024, 16},
	{"two maps, two regions", 1 << 6 | (1 << 6 | 1) << 12, 0, 0, {0, 0x400}, 64, 16},
	{"two maps, one region", 1 << 6 | (1 << 6 | 1) << 12, 0, 0, {0, 0x3FF}, 64, 1},
	{"the same map twice, it fits", 1 << 6 | 1 << 6 << 12, 0, 0, {0, 0x400}, 256, 16},
	{"the same map twice, too wide", 1 << 6 | 1 << 6 << 12, 0, 0, {0, 0x400}, 264, 1},
	{"an indirect lookup counts", 1 << 6, 1, 1, {0, 0x100}, 64, 1},
};

START_TEST(batch_limit)
{
	for (unsigned map = 0; map < 2; map++) {
		set_image(map, 1, limits[_i].width, 8, 0x1000 + 0x1000 * map);
		set(map, 3, REGION | limits[_i].lines[map]);
	}
	m->state.bp[0x00] = 1 | 1 << 10 | limits[_i].indirect << 16;
	m->state.bp[0x27] = limits[_i].iref;
	m->state.bp[0x28] = limits[_i].tref;
	gx_tx_begin_draw(m);
	ck_assert_msg(gx_tx_batch_limit(m) == limits[_i].limit, "%s: %u", limits[_i].name, gx_tx_batch_limit(m));
	m->quirk[GX_QUIRK_texture_cache] = 0;
	gx_tx_begin_draw(m);
	ck_assert_uint_eq(gx_tx_batch_limit(m), GX_BATCH_QUADS);
}
END_TEST

/* Coordinates as triangles make them: near to each other in a quad. */
static void coherent_batch(struct oracle_random *r, unsigned map, int32_t *s, int32_t *t)
{
	random_batch(r, map, s, t);
	for (unsigned i = 0; i < m->batch.fragments; i++) {
		s[i] = s[i & ~3u] + (int32_t)oracle_random_below(r, 700);
		t[i] = t[i & ~3u] + (int32_t)oracle_random_below(r, 700);
		m->batch.live[i] = oracle_random_below(r, 8) != 0;
	}
}

static void cached_map(struct oracle_random *r, unsigned map)
{
	random_map(r, map);
	/* small regions, so that lines are replaced; the odd ones end before the palette */
	set(map, 3, (1 + oracle_random_below(r, 3)) << 15 | (1 + oracle_random_below(r, 3)) << 18 | oracle_random_below(r, 0x1000));
	set(map, 4, (1 + oracle_random_below(r, 3)) << 15 | (1 + oracle_random_below(r, 3)) << 18 | 0x4000 | oracle_random_below(r, 0x400));
	set(map, 6, 0x80 | (oracle_random_next(r) & 0xC00));
}

/* Something changes under the cache. */
static void random_change(struct oracle_random *r, struct oracle_cache *cache)
{
	uint8_t noise[256];
	uint32_t first, count;
	switch (oracle_random_below(r, 8)) {
	case 0:
		first = oracle_random_below(r, 512) * 64;
		count = 64u << oracle_random_below(r, 9);
		gx_write_bp(m, 0x66, first >> 6 | (uint32_t)__builtin_ctz(count / 64) << 9);
		for (uint32_t i = first; i < first + count && i < GX_TMEM_LINES; i++)
			cache->line[i] = -1;
		break;
	case 1:
		first = oracle_random_below(r, 0x6000);
		count = 1 + oracle_random_below(r, 64);
		gx_write_bp(m, 0x60, oracle_random_below(r, MEM1_SIZE / 32 - 64));
		gx_write_bp(m, 0x61, first);
		gx_write_bp(m, 0x63, count);
		memcpy(cache->bytes + first * 32, m->memory.tmem + first * 32, count * 32);
		break;
	default:
		for (unsigned i = 0; i < sizeof noise; i++)
			noise[i] = (uint8_t)oracle_random_next(r);
		gx_memory_write(&m->memory, oracle_random_below(r, MEM1_SIZE), noise, 1 + oracle_random_below(r, sizeof noise));
		break;
	}
}

static void check_cached(const struct texture_oracle *o, unsigned map, const int32_t *s, const int32_t *t, uint64_t seed, unsigned round)
{
	const struct gx_batch *b = &m->batch;
	for (unsigned n = 0; n < 2 * b->fragments; n++) {
		unsigned i = n / 8 * 4 + n % 4; /* each quad twice */
		struct oracle_lookup want;
		o->cache->read = n & 4;
		if (n % 8 == 0)
			o->cache->count = 0;
		if (!b->live[i])
			continue;
		oracle_texture(o, map, &b->uv[3][0][i & ~3u], &b->uv[3][1][i & ~3u], s[i], t[i], &want);
		for (unsigned k = 0; o->cache->read && k < 4; k++)
			REQUIRE(b->texel[k][i] == want.rgba[k], "seed %llu batch %u fragment %u: channel %u is %d, not %u; map %u mode0 %06x mode1 %06x "
				"image0 %06x image1 %06x image2 %06x image3 %06x tlut %06x lod %d level %d fraction %d s %d t %d",
				(unsigned long long)seed, round, i, k, b->texel[k][i], want.rgba[k], map, map_word(map, 0), map_word(map, 1),
				map_word(map, 2), map_word(map, 3), map_word(map, 4), map_word(map, 5), map_word(map, 6), want.lod,
				want.level, want.fraction, s[i], t[i]);
	}
}

START_TEST(random_cached_lookups)
{
	struct oracle_random r = oracle_random_start();
	struct oracle_cache *cache = calloc(1, sizeof *cache);
	struct texture_oracle o = {.bp = m->state.bp, .main = m->memory.mem1, .main_size = MEM1_SIZE, .tmem = m->memory.tmem, .spread = true,
		.clamp_bias = true, .round = true, .cache = cache};
	int32_t s[GX_BATCH], t[GX_BATCH];
	unsigned map = 0;
	uint64_t fragments = 0;
	memset(cache->line, 0xFF, sizeof cache->line);
	for (unsigned i = 0; i < MEM1_SIZE; i += 4) {
		uint32_t word = oracle_random_next(&r);
		gx_memory_write(&m->memory, i, &word, 4);
	}
	for (unsigned round = 0; fragments < 1000000; round++) {
		if (round % 16 == 0) {
			map = oracle_random_below(&r, 8);
			cached_map(&r, map);
			if (m->state.bp[(map < 4 ? 0x88 : 0xA4) + map] >> 20 == 6) /* levels share lines: see quads_in_order */
				set(map, 0, map_word(map, 0) & ~0x60u);
			set(map, 0, map_word(map, 0) & ~(3u << 19)); /* positions are looked up one after the other for the whole quad */
		}
		if (oracle_random_below(&r, 3) == 0)
			random_change(&r, cache);
		coherent_batch(&r, map, s, t);
		gx_tx_begin_draw(m);
		gx_tx_sample(m, &m->batch, map, 3, s, t, NULL, NULL, NULL);
		check_cached(&o, map, s, t, r.seed, round);
		fragments += m->batch.fragments;
	}
	ck_assert(cache->hits > 0 && cache->misses > 0);
	for (unsigned i = 0; i < GX_TMEM_LINES; i++) {
		uint32_t tag = m->memory.tags[i];
		REQUIRE(cache->line[i] < 0 ? !(tag & GX_TAG_CACHED) : tag & GX_TAG_CACHED && (tag & GX_TAG_LINE) == (uint32_t)cache->line[i],
			"seed %llu: tag of line %u is %08x, of the oracle %llx", (unsigned long long)r.seed, i, tag, (unsigned long long)cache->line[i]);
		REQUIRE(cache->line[i] < 0 || !memcmp(cache->bytes + i * 32, m->memory.tmem + i * 32, 32), "seed %llu: bytes of line %u",
			(unsigned long long)r.seed, i);
	}
	free(cache);
}
END_TEST

/* A batch leaves what its quads leave one by one. */
START_TEST(quads_in_order)
{
	struct oracle_random r = oracle_random_start();
	struct gx_machine *one = gx_machine_create(MEM1_SIZE, 0), *many = m;
	int32_t s[GX_BATCH], t[GX_BATCH];
	unsigned map = 0;
	for (unsigned round = 0; round < 4000; round++) {
		if (round % 16 == 0) {
			map = oracle_random_below(&r, 8);
			cached_map(&r, map);
		}
		uint32_t word = oracle_random_next(&r), at = oracle_random_below(&r, MEM1_SIZE);
		gx_memory_write(&many->memory, at, &word, 4);
		gx_memory_write(&one->memory, at, &word, 4);
		coherent_batch(&r, map, s, t);
		gx_tx_begin_draw(many);
		gx_tx_sample(many, &many->batch, map, 3, s, t, NULL, NULL, NULL);
		memcpy(one->state.bp, many->state.bp, sizeof one->state.bp);
		for (unsigned q = 0; q < many->batch.quads; q++) {
			struct gx_batch *b = &one->batch;
			b->quads = 1;
			b->fragments = 4;
			memcpy(b->live, many->batch.live + 4 * q, 4);
			for (unsigned k = 0; k < 2; k++)
				memcpy(b->uv[3][k], many->batch.uv[3][k] + 4 * q, 4 * sizeof b->uv[3][k][0]);
			gx_tx_begin_draw(one);
			gx_tx_sample(one, b, map, 3, s + 4 * q, t + 4 * q, NULL, NULL, NULL);
			for (unsigned k = 0; k < 4; k++)
				for (unsigned i = 0; i < 4; i++)
					REQUIRE(!b->live[i] || b->texel[k][i] == many->batch.texel[k][4 * q + i], "seed %llu round %u quad %u",
						(unsigned long long)r.seed, round, q);
		}
		if (round % 64 == 0)
			REQUIRE(!memcmp(one->memory.tags, many->memory.tags, GX_TMEM_LINES * 4) &&
				!memcmp(one->memory.tmem, many->memory.tmem, GX_TMEM_SIZE), "seed %llu round %u: TMEM differs",
				(unsigned long long)r.seed, round);
	}
	gx_machine_destroy(one);
}
END_TEST

/* ---- decoded levels ------------------------------------------------------------------------------------------------------------- */

START_TEST(cache_decodes_only_changes)
{
	uint8_t byte = 1;
	set_image(0, 1, 64, 64, 0x1000);
	set_image(1, 1, 64, 64, 0x2000);
	look_up(0, 0, 0, 0, NULL);
	look_up(1, 0, 0, 0, NULL);
	ck_assert_uint_eq(m->tx->cache.decoded, 2);
	gx_memory_write(&m->memory, 0x8000, &byte, 1); /* elsewhere */
	look_up(0, 0, 0, 0, NULL);
	look_up(1, 0, 0, 0, NULL);
	ck_assert_uint_eq(m->tx->cache.decoded, 2);
	gx_memory_write(&m->memory, 0x2000, &byte, 1);
	look_up(0, 0, 0, 0, NULL);
	ck_assert_int_eq(m->batch.texel[0][0], 0);
	look_up(1, 0, 0, 0, NULL);
	ck_assert_int_eq(m->batch.texel[0][0], 1);
	ck_assert_uint_eq(m->tx->cache.decoded, 3);
	/* another view of the same bytes is another level; the old one stays */
	set_image(0, 0, 64, 64, 0x1000);
	look_up(0, 0, 0, 0, NULL);
	set_image(0, 1, 64, 64, 0x1000);
	look_up(0, 0, 0, 0, NULL);
	ck_assert_uint_eq(m->tx->cache.decoded, 4);
}
END_TEST

START_TEST(cache_sees_palettes)
{
	uint8_t entry[2] = {7, 9};
	set_image(0, 9, 8, 4, 0x1000);
	set(0, 6, 3);
	look_up(0, 0, 0, 0, NULL);
	ck_assert_int_eq(m->batch.texel[0][0], 0);
	gx_memory_write(&m->memory, 0x4000, entry, sizeof entry);
	gx_write_bp(m, 0x64, 0x4000 >> 5);
	gx_write_bp(m, 0x65, 1 << 10 | 3);
	look_up(0, 0, 0, 0, NULL);
	ck_assert_int_eq(m->batch.texel[0][0], 9);
	ck_assert_int_eq(m->batch.texel[3][0], 7);
}
END_TEST

START_TEST(cache_is_bounded)
{
	look_up(0, 0, 0, 0, NULL);
	m->tx->cache.limit = 1 << 20;
	for (uint32_t i = 0; i < 100; i++) { /* views of 64 KB */
		set_image(0, 1, 128, 128, i * 32);
		look_up(0, 0, 0, 0, NULL);
		ck_assert_uint_le(m->tx->cache.bytes, (1 << 20) + (96 << 10));
		ck_assert_uint_ge(m->tx->cache.count, i < 8 ? i + 1 : 8);
	}
	m->tx->cache.limit = TX_CACHE_BYTES;
	for (uint32_t i = 0; i < 3 * TX_CACHE_LEVELS; i++) {
		set_image(0, 1, 1 + i % 64, 1 + i / 64 % 64, i / 4096 * 32);
		look_up(0, 0, 0, 0, NULL);
		ck_assert_uint_le(m->tx->cache.count, TX_CACHE_LEVELS + 1);
	}
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

int main(void)
{
	Suite *suite = suite_create("tx");
	TCase *tcase = tcase_create("tx");
	tcase_set_timeout(tcase, 120);
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, wrap_modes, 0, sizeof wraps / sizeof *wraps);
	tcase_add_loop_test(tcase, lod_of_step, 0, sizeof lods / sizeof *lods);
	tcase_add_test(tcase, diagonal_lod_adds);
	tcase_add_loop_test(tcase, lod_of_shape, 0, sizeof shapes / sizeof *shapes);
	tcase_add_test(tcase, positions_are_averaged);
	tcase_add_test(tcase, round_and_field_predict);
	tcase_add_loop_test(tcase, block_load, 0, sizeof loads / sizeof *loads);
	tcase_add_test(tcase, tlut_load);
	tcase_add_test(tcase, palette_of_the_log);
	tcase_add_test(tcase, preloaded_textures);
	tcase_add_loop_test(tcase, cache_step_by_step, 0, sizeof cached / sizeof *cached);
	tcase_add_test(tcase, without_cache_memory_is_read);
	tcase_add_loop_test(tcase, cache_place, 0, sizeof places / sizeof *places);
	tcase_add_test(tcase, no_region_no_cache);
	tcase_add_test(tcase, dead_fragments_fetch_nothing);
	tcase_add_test(tcase, fetches_are_undone);
	tcase_add_test(tcase, lines_for_people);
	tcase_add_loop_test(tcase, batch_limit, 0, sizeof limits / sizeof *limits);
	tcase_add_test(tcase, random_cached_lookups);
	tcase_add_test(tcase, quads_in_order);
	tcase_add_test(tcase, cache_decodes_only_changes);
	tcase_add_test(tcase, cache_sees_palettes);
	tcase_add_test(tcase, cache_is_bounded);
	tcase_add_test(tcase, views);
	tcase_add_test(tcase, lod_from_coordinates);
	tcase_add_test(tcase, random_lookups);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
