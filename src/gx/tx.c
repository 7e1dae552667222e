/* tx.c - the texture unit: registers to maps, and the lookup over a batch (spec 05 sections 5 to 7)
 *
 * A lookup goes: LOD per quad (tx_lod.c), runs of quads that read the same level in the same way, and for each run
 * coordinates, wrap, texels and filter, each a loop over the run.  Nothing is decided per fragment.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "core/bits.h"
#include "gx/lanes.h"
#include "gx/texfmt.h"
#include "gx/tx.h"

/* ---- registers ---------------------------------------------------------------------------------------------------------- */

/* Register k (0 SETMODE0 .. 6 SETTLUT) of a map: maps 0-3 at 0x80, 4-7 at 0xA0. */
static uint32_t map_register(const uint32_t *bp, unsigned map, unsigned k)
{
	return bp[(map & 4 ? 0xA0 : 0x80) + 4 * k + (map & 3)];
}

void tx_decode_map(const uint32_t *bp, unsigned map, struct tx_map *out)
{
	uint32_t mode0 = map_register(bp, map, 0), mode1 = map_register(bp, map, 1);
	uint32_t image0 = map_register(bp, map, 2), image1 = map_register(bp, map, 3), image2 = map_register(bp, map, 4);
	uint32_t tlut = map_register(bp, map, 6);
	memset(out, 0, sizeof *out);
	out->wrap_s = (uint8_t)bits(mode0, 0, 2);
	out->wrap_t = (uint8_t)bits(mode0, 2, 2);
	out->mag_linear = bits(mode0, 4, 1);
	out->mip = (uint8_t)bits(mode0, 5, 2);
	out->min_linear = bits(mode0, 7, 1);
	out->diagonal = bits(mode0, 8, 1);
	out->round = bits(mode0, 17, 1);
	out->predict = bits(mode0, 18, 1);
	out->anisotropy = bits(mode0, 19, 2) > 1 ? 4 : (uint8_t)(1 + bits(mode0, 19, 2));
	out->clamp_bias = bits(mode0, 21, 1);
	out->bias = bits_sign(bits(mode0, 9, 8), 8);
	out->min_lod = (int32_t)bits(mode1, 0, 8);
	out->max_lod = (int32_t)bits(mode1, 8, 8);
	out->width = bits(image0, 0, 10) + 1;
	out->height = bits(image0, 10, 10) + 1;
	out->format = (uint8_t)bits(image0, 20, 4);
	out->even = bits(image1, 0, 15) << 5;
	out->preloaded = bits(image1, 21, 1);
	out->odd = bits(image2, 0, 15) << 5;
	out->cache_width[0] = (uint8_t)bits(image1, 15, 3);
	out->cache_height[0] = (uint8_t)bits(image1, 18, 3);
	out->cache_width[1] = (uint8_t)bits(image2, 15, 3);
	out->cache_height[1] = (uint8_t)bits(image2, 18, 3);
	out->base = bits(map_register(bp, map, 5), 0, 24) << 5;
	out->tlut = bits(tlut, 0, 10) << 9;
	out->tlut_format = (uint8_t)bits(tlut, 10, 2);
}

struct tx_rules tx_rules_of(const struct gx_machine *m)
{
	return (struct tx_rules){
		.dolphin_stride = m->quirk[GX_QUIRK_mip_stride],
		.dolphin_tmem = m->quirk[GX_QUIRK_tmem_mips],
		.cached = m->quirk[GX_QUIRK_texture_cache],
		.spread = !m->quirk[GX_QUIRK_tlut_place],
		.exact_log = m->quirk[GX_QUIRK_lod_log],
		.clamp_bias = m->quirk[GX_QUIRK_lod_clamp],
		.anisotropy = m->quirk[GX_QUIRK_anisotropy],
		.round = m->quirk[GX_QUIRK_filter_round],
		.predict = m->quirk[GX_QUIRK_field_predict],
		.half_lines = m->quirk[GX_QUIRK_field_lod] && bits(m->state.bp[0x68], 0, 1),
	};
}

static void decode(struct gx_machine *m, struct tx_draw *tx)
{
	memcpy(tx->reg, m->state.bp + 0x80, sizeof tx->reg);
	tx->bilinear = m->quirk[GX_QUIRK_bilinear];
	tx->trilinear = m->quirk[GX_QUIRK_trilinear];
	tx->rules = tx_rules_of(m);
	for (unsigned i = 0; i < TX_MAPS; i++) {
		tx_decode_map(m->state.bp, i, &tx->map[i]);
		tx_tiles_decode(&tx->map[i], &tx->rules);
	}
	tx->overlap = tx->rules.cached && tx_tiles_overlap(tx->map);
	tx->decoded = true;
	tx->batch_limit = 0;
}

static bool decoded(const struct gx_machine *m, const struct tx_draw *tx)
{
	struct tx_rules rules = tx_rules_of(m);
	return tx->decoded && tx->bilinear == m->quirk[GX_QUIRK_bilinear] && tx->trilinear == m->quirk[GX_QUIRK_trilinear] &&
		!memcmp(&tx->rules, &rules, sizeof rules) && !memcmp(tx->reg, m->state.bp + 0x80, sizeof tx->reg);
}

/* Compares instead of trusting m->draw_state_valid: memory changes between draws without a register write, and after a
 * jump in time every register may be another. */
void gx_tx_begin_draw(struct gx_machine *m)
{
	if (!m->tx) {
		m->tx = calloc(1, sizeof *m->tx);
		if (!m->tx)
			return;
		m->tx->cache.limit = TX_CACHE_BYTES;
	}
	struct tx_draw *tx = m->tx;
	bool same = decoded(m, tx);
	tx_tiles_begin(m);
	if (same && tx->overlap && tx->tmem_fills != m->memory.tmem_fills)
		same = false;
	if (same && tx->main_generation == m->memory.main_generation && tx->tmem_generation == m->memory.tmem_generation)
		return; /* the levels found so far stay: only a new serial number lets the cache drop any */
	if (!same)
		decode(m, tx);
	if (!same && tx->tmem_fills != m->memory.tmem_fills) {
		m->memory.tmem_generation++; /* what was fetched may lie where a map now has a preloaded image or a palette */
		tx->tmem_fills = m->memory.tmem_fills;
	}
	memset(tx->level, 0, sizeof tx->level);
	tx->main_generation = m->memory.main_generation;
	tx->tmem_generation = m->memory.tmem_generation;
	tx_cache_begin(&tx->cache);
}

void gx_tx_finish(struct gx_machine *m)
{
	if (!m->tx)
		return;
	tx_cache_finish(&m->tx->cache);
	free(m->tx->miss);
	free(m->tx->fetch);
	free(m->tx);
	m->tx = NULL;
}

static const struct tx_level *find_level(struct gx_machine *m, unsigned map, unsigned level)
{
	struct tx_draw *tx = m->tx;
	if (!tx->level[map][level]) {
		struct tx_source source;
		tx_locate(&tx->map[map], level, &tx->rules, &source);
		tx->level[map][level] = tx_cache_level(&tx->cache, &m->memory, &source);
	}
	return tx->level[map][level];
}

/* ---- coordinates -------------------------------------------------------------------------------------------------------- */

/* Repeat and mirror use AND with size - 1 for all sizes (spec 08 fact 35); mode 3 is clamp.  In place. */
static void wrap(unsigned mode, uint32_t size, int32_t *c, unsigned n)
{
	int32_t mask = (int32_t)size - 1;
	switch (mode) {
	case 1:
		for (unsigned i = 0; i < n; i++)
			c[i] &= mask;
		break;
	case 2:
		for (unsigned i = 0; i < n; i++) {
			int32_t flip = c[i] & (int32_t)size ? -1 : 0;
			c[i] = (c[i] ^ flip) & mask;
		}
		break;
	default:
		for (unsigned i = 0; i < n; i++)
			c[i] = clamp_int(c[i], 0, mask);
		break;
	}
}

/* Texels of a run: taps 00, 10, 01, 11, and the fractions. */
struct taps {
	uint32_t texel[4][GX_BATCH];
	uint8_t fs[GX_BATCH], ft[GX_BATCH];
};

static void gather(const struct tx_level *lv, const int32_t *x, const int32_t *y, uint32_t *out, unsigned from, unsigned to)
{
	const uint32_t *texels = lv->texels;
	uint32_t width = lv->source.width;
	for (unsigned i = from; i < to; i++)
		out[i] = texels[(uint32_t)y[i] * width + (uint32_t)x[i]];
}

GX_HOT void tx_gather(struct tx_run *run, unsigned end)
{
	for (unsigned k = 0; k < run->taps; k++)
		gather(run->level, run->x[k & 1], run->y[k >> 1], run->texel[k], run->done, end);
	run->done = end;
}

static void read_texels(struct gx_machine *m, struct tx_run *run)
{
	if (run->level->source.cached)
		tx_tiles_touch(m, run);
	tx_gather(run, run->count);
}

static void take_nearest(struct gx_machine *m, const struct tx_map *map, struct tx_run *run, unsigned level, const int32_t *s,
	const int32_t *t)
{
	const struct tx_source *source = &run->level->source;
	int32_t x[GX_BATCH], y[GX_BATCH];
	for (unsigned i = 0; i < run->count; i++) {
		x[i] = shift_floor(s[i], level + 7);
		y[i] = shift_floor(t[i], level + 7);
	}
	wrap(map->wrap_s, source->width, x, run->count);
	wrap(map->wrap_t, source->height, y, run->count);
	run->taps = 1;
	run->x[0] = run->x[1] = x;
	run->y[0] = run->y[1] = y;
	read_texels(m, run);
}

/* The axis's two texels and the weight of the second, for linear filtering: half a texel back, then floor.  apart: 2 between
 * lines of one field. */
static void split(const int32_t *c, unsigned level, int32_t apart, int32_t *first, int32_t *second, uint8_t *fraction, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		int32_t v = (int32_t)((uint32_t)shift_floor(c[i], level) - 64u);
		first[i] = shift_floor(v, 7);
		second[i] = first[i] + apart;
		fraction[i] = (uint8_t)(v & 127);
	}
}

static void take_linear(struct gx_machine *m, const struct tx_map *map, struct tx_run *run, unsigned level, const int32_t *s,
	const int32_t *t, struct taps *taps)
{
	const struct tx_source *source = &run->level->source;
	int32_t x0[GX_BATCH], x1[GX_BATCH], y0[GX_BATCH], y1[GX_BATCH];
	unsigned n = run->count;
	split(s, level, 1, x0, x1, taps->fs, n);
	split(t, level, m->tx->rules.predict && map->predict ? 2 : 1, y0, y1, taps->ft, n);
	wrap(map->wrap_s, source->width, x0, n);
	wrap(map->wrap_s, source->width, x1, n);
	wrap(map->wrap_t, source->height, y0, n);
	wrap(map->wrap_t, source->height, y1, n);
	run->taps = 4;
	run->x[0] = x0;
	run->x[1] = x1;
	run->y[0] = y0;
	run->y[1] = y1;
	read_texels(m, run);
}

/* ---- filters ------------------------------------------------------------------------------------------------------------ */

/* Two channels of four texels, 8 bits in each half of a word: first along s (15 bits, exact), then along t. */
static inline uint32_t filter_pair(const uint32_t texel[4], uint32_t fs, uint32_t ft, uint32_t round)
{
	uint32_t top = texel[0] * (128 - fs) + texel[1] * fs, bottom = texel[2] * (128 - fs) + texel[3] * fs;
	uint32_t low = (top & 0xFFFF) * (128 - ft) + (bottom & 0xFFFF) * ft;
	uint32_t high = (top >> 16) * (128 - ft) + (bottom >> 16) * ft;

	return (low + round) >> 14 | (high + round) >> 14 << 16;
}

/* 7-bit weights, one shift at the end.  round: what is added before. */
static void filter_exact(const struct taps *taps, uint32_t *out, unsigned n, uint32_t round)
{
	const uint32_t two = 0x00FF00FF;

	for (unsigned i = 0; i < n; i++) {
		uint32_t a = taps->texel[0][i], b = taps->texel[1][i], c = taps->texel[2][i], d = taps->texel[3][i];
		const uint32_t even[4] = {a & two, b & two, c & two, d & two};
		const uint32_t odd[4] = {a >> 8 & two, b >> 8 & two, c >> 8 & two, d >> 8 & two};
		out[i] = filter_pair(even, taps->fs[i], taps->ft[i], round) | filter_pair(odd, taps->fs[i], taps->ft[i], round) << 8;
	}
}

static uint32_t mix6(uint32_t a, uint32_t b, uint32_t f)
{
	uint32_t rb = (a & 0x00FF00FFu) * (64 - f) + (b & 0x00FF00FFu) * f;
	uint32_t ga = (a >> 8 & 0x00FF00FFu) * (64 - f) + (b >> 8 & 0x00FF00FFu) * f;
	return (rb >> 6 & 0x00FF00FFu) | (ga >> 6 & 0x00FF00FFu) << 8;
}

/* 6-bit fractions; two mixes along s, truncated to 8 bits, then one along t (quirk bilinear, spec 05 section 7). */
static void filter_steps(const struct taps *taps, uint32_t *out, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		uint32_t fs = taps->fs[i] / 2u, ft = taps->ft[i] / 2u;
		uint32_t top = mix6(taps->texel[0][i], taps->texel[1][i], fs);
		uint32_t bottom = mix6(taps->texel[2][i], taps->texel[3][i], fs);
		out[i] = mix6(top, bottom, ft);
	}
}

/* The run's quads are those from `quad` of the batch. */
static void sample_level(struct gx_machine *m, const struct gx_batch *b, unsigned map, const struct tx_choice *choice,
	unsigned level, unsigned quad, unsigned n, const int32_t *s, const int32_t *t, uint32_t *out)
{
	struct taps taps;
	struct tx_run run = {.level = find_level(m, map, level), .texel = taps.texel, .live = b->live + 4 * quad, .count = n, .quad = quad};
	if (!run.level) {
		memset(out, 0, n * sizeof *out); /* no memory for it */
		return;
	}
	if (!choice->linear) {
		take_nearest(m, &m->tx->map[map], &run, level, s, t);
		memcpy(out, taps.texel[0], n * sizeof *out);
		return;
	}
	take_linear(m, &m->tx->map[map], &run, level, s, t, &taps);
	if (m->tx->bilinear)
		filter_steps(&taps, out, n);
	else
		filter_exact(&taps, out, n, m->tx->rules.round && m->tx->map[map].round ? 1u << 13 : 0);
}

/* Blends the next level in; choice is that of the run's first quad. */
static void blend_levels(uint32_t *texel, const uint32_t *next, const struct tx_choice *choice, unsigned fraction_bits, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		uint32_t f = choice[i / 4].fraction, one = 1u << fraction_bits;
		uint32_t a = texel[i], b = next[i];
		uint32_t rb = (a & 0x00FF00FFu) * (one - f) + (b & 0x00FF00FFu) * f;
		uint32_t ga = (a >> 8 & 0x00FF00FFu) * (one - f) + (b >> 8 & 0x00FF00FFu) * f;
		texel[i] = (rb >> fraction_bits & 0x00FF00FFu) | (ga >> fraction_bits & 0x00FF00FFu) << 8;
	}
}

/* ---- the lookup --------------------------------------------------------------------------------------------------------- */

/* Levels of an RGBA8 image share both halves of TMEM: there each quad is read on its own. */
static unsigned run_length(const struct tx_map *map, const struct tx_choice *choice, unsigned left)
{
	unsigned n = 1;
	if (map->by_quad || choice->positions > 1)
		return 1;
	while (n < left && choice[n].level == choice[0].level && choice[n].linear == choice[0].linear &&
		!choice[n].fraction == !choice[0].fraction && choice[n].positions == 1)
		n++;
	return n;
}

static void choose_levels(const struct tx_draw *tx, const struct tx_map *map, const struct gx_batch *b, unsigned coord,
	const int32_t *lod_s, const int32_t *lod_t, struct tx_choice *choice)
{
	unsigned fraction_bits = tx->trilinear ? 5 : 4;
	if (!lod_s || !lod_t) {
		tx_choose(map, &tx->rules, fraction_bits, b->uv[coord & 7][0], b->uv[coord & 7][1], b->quads, choice);
		return;
	}
	float u[GX_BATCH], v[GX_BATCH];
	for (unsigned i = 0; i < b->fragments; i++) {
		u[i] = (float)lod_s[i] / 128.0f;
		v[i] = (float)lod_t[i] / 128.0f;
	}
	tx_choose(map, &tx->rules, fraction_bits, u, v, b->quads, choice);
}

GX_HOT /* One or two levels at one position. */
static void sample_levels(struct gx_machine *m, const struct gx_batch *b, unsigned map, const struct tx_choice *choice, unsigned quad,
	unsigned n, const int32_t *s, const int32_t *t, uint32_t *texel)
{
	uint32_t next[GX_BATCH];
	sample_level(m, b, map, choice, choice->level, quad, n, s, t, texel);
	if (!choice->fraction)
		return;
	sample_level(m, b, map, choice, choice->level + 1u, quad, n, s, t, next);
	blend_levels(texel, next, choice, m->tx->trilinear ? 5 : 4, n);
}

/* A quad at several positions along its longer axis: their average. */
static void sample_positions(struct gx_machine *m, const struct gx_batch *b, unsigned map, const struct tx_choice *choice, unsigned quad,
	const int32_t *s, const int32_t *t, uint32_t *texel)
{
	uint32_t sum[4][4] = {{0}};
	for (unsigned k = 0; k < choice->positions; k++) {
		int32_t at_s[4], at_t[4];
		uint32_t part[4];
		for (unsigned i = 0; i < 4; i++) {
			at_s[i] = (int32_t)((uint32_t)s[i] + (uint32_t)tx_position(choice, 0, k));
			at_t[i] = (int32_t)((uint32_t)t[i] + (uint32_t)tx_position(choice, 1, k));
		}
		sample_levels(m, b, map, choice, quad, 4, at_s, at_t, part);
		for (unsigned i = 0; i < 4; i++)
			for (unsigned c = 0; c < 4; c++)
				sum[i][c] += part[i] >> 8 * c & 0xFF;
	}
	for (unsigned i = 0; i < 4; i++)
		texel[i] = texel_pack(sum[i][0] / choice->positions, sum[i][1] / choice->positions, sum[i][2] / choice->positions,
			sum[i][3] / choice->positions);
}

/* Without mipmaps and with one filter the LOD decides nothing. */
static bool lod_matters(const struct tx_draw *tx, const struct tx_map *map)
{
	return map->mip || map->mag_linear != map->min_linear || (tx->rules.anisotropy && map->anisotropy > 1) || map->by_quad;
}

GX_HOT static void spread_texels(struct gx_batch *b, const uint32_t *texel)
{
	for (unsigned c = 0; c < 4; c++)
		for (unsigned at = 0; at < lanes_up(b->fragments); at += LANES) {
			const uint32_t *in = texel + at;
			int16_t out[LANES];

			for (unsigned i = 0; i < LANES; i++)
				out[i] = (int16_t)(in[i] >> 8 * c & 0xFF);
			memcpy(&b->texel[c][at], out, sizeof out);
		}
}

void gx_tx_sample(struct gx_machine *m, struct gx_batch *b, unsigned map, unsigned coord, const int32_t *s, const int32_t *t,
	const int32_t *lod_s, const int32_t *lod_t, struct qs_sample *const *sample)
{
	struct tx_choice choice[GX_BATCH_QUADS];
	uint32_t texel[GX_BATCH];
	map &= TX_MAPS - 1;
	if (!m->tx || m->tx->main_generation != m->memory.main_generation || m->tx->tmem_generation != m->memory.tmem_generation)
		gx_tx_begin_draw(m);
	if (!m->tx) {
		memset(b->texel, 0, sizeof b->texel);
		return;
	}
	m->tx->recording = sample != NULL;
	m->tx->misses = 0;
	for (unsigned i = b->fragments; i < lanes_up(b->fragments); i++)
		texel[i] = 0;
	if (!sample && !lod_matters(m->tx, &m->tx->map[map])) {
		choice[0] = (struct tx_choice){.linear = m->tx->map[map].mag_linear, .positions = 1};
		sample_levels(m, b, map, choice, 0, b->fragments, s, t, texel);
		spread_texels(b, texel);
		return;
	}
	choose_levels(m->tx, &m->tx->map[map], b, coord, lod_s, lod_t, choice);
	for (unsigned q = 0; q < b->quads;) {
		unsigned n = run_length(&m->tx->map[map], choice + q, b->quads - q), i = 4 * q;
		if (choice[q].positions > 1)
			sample_positions(m, b, map, choice + q, q, s + i, t + i, texel + i);
		else
			sample_levels(m, b, map, choice + q, q, 4 * n, s + i, t + i, texel + i);
		q += n;
	}
	spread_texels(b, texel);
	if (sample)
		tx_record(m, b, map, coord, s, t, choice, sample);
}
