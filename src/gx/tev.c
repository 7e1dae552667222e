/* tev.c - the texture environment: up to 16 combiner stages over a batch
 *
 * No combiner result feeds a texture coordinate, so all lookups of a batch come first and the combiners after them.  What a
 * stage reads is resolved to row numbers once a draw; the loops over a row have no branches.  Arithmetic: specification
 * 06 section 2, facts 2-13 of 08; all of it fits 16 bits (lerp <= 65280, results within +-6000).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "core/bits.h"
#include "gx/lanes.h"
#include "gx/tev.h"

#define BP_GEN_MODE 0x00
#define BP_RAS1_TREF 0x28
#define BP_TEV_ENV 0xC0
#define BP_TEV_REGISTER 0xE0
#define BP_TEV_KONST 0x100
#define BP_TEV_KSEL 0xF6

/* ---- decode ------------------------------------------------------------------------------------------------------------- */

/* Swap table entry: source channel of each output channel. */
static void decode_swap(const uint32_t *bp, unsigned table, uint8_t swap[4])
{
	uint32_t rg = bp[BP_TEV_KSEL + 2 * table], ba = bp[BP_TEV_KSEL + 2 * table + 1];

	swap[0] = (uint8_t)bits(rg, 0, 2);
	swap[1] = (uint8_t)bits(rg, 2, 2);
	swap[2] = (uint8_t)bits(ba, 0, 2);
	swap[3] = (uint8_t)bits(ba, 2, 2);
}

/* Konst select 0-31 for one channel (specification 06, table at KSEL). */
static int16_t decode_konst(const uint32_t *bp, unsigned width, unsigned select, unsigned channel)
{
	static const uint8_t fraction[8] = {255, 223, 191, 159, 128, 96, 64, 32};
	unsigned from;
	uint32_t word;

	if (select < 8)
		return fraction[select];
	if (select < 12 || (select < 16 && channel == 3))
		return 0;
	from = select < 16 ? channel : (select - 16) >> 2;
	word = bp[BP_TEV_KONST + 2 * (select & 3) + (from == 1 || from == 2)]; /* A and R, G and B */
	word >>= from == 1 || from == 3 ? 12 : 0;
	return (int16_t)(width > 8 ? bits_sign(word, width) : (int32_t)bits(word, 0, 8));
}

/* Bias, op, clamp, scale, destination: bits 16-23 of both kinds of combiner. */
static void decode_combiner(struct tev_combiner *k, uint32_t word, bool negate_first)
{
	unsigned bias = bits(word, 16, 2), scale = bits(word, 20, 2), left = scale == 3 ? 0 : scale;
	bool subtract = bits(word, 18, 1);
	int base = bias == 1 ? 128 : bias == 2 ? -128 : 0;

	k->destination = (uint8_t)bits(word, 22, 2);
	k->low = bits(word, 19, 1) ? 0 : -1024;
	k->high = bits(word, 19, 1) ? 255 : 1023;
	k->compare = bias == 3;
	k->equal = subtract;
	k->mode = (uint8_t)scale;
	k->half = scale == 3;
	k->scale = (int16_t)(1 << left);
	k->negate = subtract ? -1 : 0;
	k->shift = (uint8_t)(8 - left);
	base *= 1 << left;
	/* ((lerp << left) + 128 or 127) >> 8, divided by 1 << left throughout; no rounding at scale 1/2 */
	k->round = (uint16_t)(scale == 3 ? 0u : (subtract ? 127u : 128u) >> left);
	if (negate_first && subtract) {
		/* Dolphin SW Tev, alpha: -n >> 8 is the negative of the ceiling, -(((n - 1) >> 8) + 1); n may be 0 at scale 1/2 */
		k->round = (uint16_t)(scale == 3 ? 255u : 126u >> left);
		base -= scale == 3 ? 0 : 1;
	}
	k->base = (int16_t)base;
}

/* Where the TEX input of a stage comes from: its own lookup, the latch, or the constant of a stage without texture. */
static void decode_texture_rows(struct tev_draw *tev, unsigned n, const uint8_t swap[4])
{
	struct tev_stage *stage = &tev->stage[n];

	memcpy(stage->texture_swap, swap, 4);
	stage->texel = -1;
	if (stage->texture) {
		stage->texel = (int8_t)n;
	} else if (tev->latching) {
		/* the latch holds swapped values: those of the stage that looked up last */
		for (int before = (int)n - 1; before >= 0 && stage->texel < 0; before--)
			if (tev->stage[before].texture)
				stage->texel = (int8_t)before;
		if (stage->texel >= 0)
			memcpy(stage->texture_swap, tev->stage[stage->texel].texture_swap, 4);
	}
	for (unsigned channel = 0; channel < 4; channel++) {
		if (stage->texel >= 0)
			stage->texture_row[channel] = (uint8_t)(TEV_ROW_TEXEL + stage->texture_swap[channel]);
		else if (tev->latching)
			stage->texture_row[channel] = (uint8_t)(TEV_ROW_TEXEL + channel); /* the latch is swapped already */
		else
			stage->texture_row[channel] = TEV_ROW_ONE;
	}
}

static void decode_raster_rows(struct tev_stage *stage, unsigned channel_select, const uint8_t swap[4])
{
	for (unsigned channel = 0; channel < 4; channel++)
		switch (channel_select) {
		case 0:
		case 1:
			stage->raster_row[channel] = (uint8_t)(TEV_ROW_RAS + 4 * channel_select + swap[channel]);
			break;
		case 5:
			stage->raster_row[channel] = TEV_ROW_BUMP;
			break;
		case 6:
			stage->raster_row[channel] = TEV_ROW_BUMP_NORMAL;
			break;
		default:
			stage->raster_row[channel] = TEV_ROW_ZERO;
		}
	stage->bumped = channel_select == 5 || channel_select == 6;
}

static uint8_t colour_row(const struct tev_stage *stage, unsigned select, unsigned channel)
{
	unsigned from = select & 1 ? 3 : channel; /* odd: .aaa */

	if (select < 8)
		return (uint8_t)(TEV_ROW_REG + 4 * (select >> 1) + from);
	if (select < 10)
		return stage->texture_row[from];
	if (select < 12)
		return stage->raster_row[from];
	switch (select) {
	case 12:
		return TEV_ROW_ONE;
	case 13:
		return TEV_ROW_HALF;
	case 14:
		return (uint8_t)(TEV_ROW_KONST + channel);
	default:
		return TEV_ROW_ZERO;
	}
}

static uint8_t alpha_row(const struct tev_stage *stage, unsigned select)
{
	switch (select) {
	case 4:
		return stage->texture_row[3];
	case 5:
		return stage->raster_row[3];
	case 6:
		return TEV_ROW_KONST + 3;
	case 7:
		return TEV_ROW_ZERO;
	default:
		return (uint8_t)(TEV_ROW_REG + 4 * select + 3);
	}
}

static void decode_inputs(struct tev_draw *tev, struct tev_stage *stage, uint32_t colour, uint32_t alpha)
{
	for (unsigned input = 0; input < 4; input++) {
		for (unsigned channel = 0; channel < 3; channel++) {
			stage->colour.row[input][channel] = colour_row(stage, bits(colour, 12 - 4 * input, 4), channel);
			tev->used |= 1ull << stage->colour.row[input][channel];
		}
		stage->alpha.row[input][3] = alpha_row(stage, bits(alpha, 13 - 3 * input, 3));
		tev->used |= 1ull << stage->alpha.row[input][3];
	}
}

static void decode_stage(struct gx_machine *m, struct tev_draw *tev, unsigned n)
{
	const uint32_t *bp = m->state.bp;
	struct tev_stage *stage = &tev->stage[n];
	uint32_t colour = bp[BP_TEV_ENV + 2 * n], alpha = bp[BP_TEV_ENV + 2 * n + 1];
	uint32_t order = bp[BP_RAS1_TREF + n / 2] >> (n & 1 ? 12 : 0), select = bp[BP_TEV_KSEL + n / 2] >> (n & 1 ? 14 : 4);
	unsigned ntex = bits(bp[BP_GEN_MODE], 0, 4);
	uint8_t swap[4];

	stage->map = (uint8_t)bits(order, 0, 3);
	stage->coord = (uint8_t)bits(order, 3, 3);
	if (stage->coord >= ntex)
		stage->coord = 0; /* fact 37 */
	stage->texture = bits(order, 6, 1);
	decode_swap(bp, bits(alpha, 2, 2), swap);
	decode_texture_rows(tev, n, swap);
	if (stage->texture)
		tev->last_texture = (int8_t)n;
	decode_swap(bp, bits(alpha, 0, 2), swap);
	decode_raster_rows(stage, bits(order, 7, 3), swap);
	decode_inputs(tev, stage, colour, alpha);
	decode_combiner(&stage->colour, colour, false);
	decode_combiner(&stage->alpha, alpha, m->quirk[GX_QUIRK_alpha_subtract]);
	stage->compared = stage->colour.compare || stage->alpha.compare;
	stage->konst_used = false;
	for (unsigned channel = 0; channel < 4; channel++) {
		stage->konst[channel] = decode_konst(bp, (unsigned)m->quirk[GX_QUIRK_konst_bits], bits(select, channel == 3 ? 5 : 0, 5), channel);
		for (unsigned input = 0; input < 4; input++)
			stage->konst_used |= stage->colour.row[input][channel] == TEV_ROW_KONST + channel ||
				stage->alpha.row[input][channel] == TEV_ROW_KONST + channel;
	}
	if (stage->konst_used)
		for (unsigned channel = 0; channel < 4; channel++)
			for (unsigned i = 0; i < GX_BATCH; i++)
				tev->konst[n][channel][i] = stage->konst[channel];
}

/* A lookup that nobody reads is not made (unless a record wants to show it). */
static void decode_needed(struct tev_draw *tev)
{
	for (unsigned n = 0; n < tev->stages; n++)
		tev->stage[n].needed = false;
	for (unsigned n = 0; n < tev->stages; n++) {
		const struct tev_stage *stage = &tev->stage[n];
		bool reads = false;

		for (unsigned input = 0; input < 4; input++) {
			for (unsigned channel = 0; channel < 3; channel++)
				reads |= stage->colour.row[input][channel] >> 2 == TEV_ROW_TEXEL >> 2;
			reads |= stage->alpha.row[input][3] >> 2 == TEV_ROW_TEXEL >> 2;
		}
		if (reads && stage->texel >= 0)
			tev->stage[stage->texel].needed = true;
	}
	if (tev->last_texture >= 0 && (tev->raw_needed || tev->latching))
		tev->stage[tev->last_texture].needed = true;
}

static struct tev_draw *tev_create(void)
{
	struct tev_draw *tev = calloc(1, sizeof *tev);

	if (tev)
		for (unsigned i = 0; i < GX_BATCH; i++) {
			tev->half[i] = 128;
			tev->one[i] = 255;
		}
	return tev;
}

/* m->tev is one block: free() releases it. */
void gx_tev_begin_draw(struct gx_machine *m)
{
	const uint32_t *bp = m->state.bp;
	struct tev_draw *tev = m->tev;

	if (!tev)
		tev = m->tev = tev_create();
	if (!tev)
		return;
	tev->stages = bits(bp[BP_GEN_MODE], 10, 4) + 1;
	tev->textured = bits(bp[BP_GEN_MODE], 0, 4) != 0;
	tev->raw_swapped = m->quirk[GX_QUIRK_ztexture_swap];
	tev->latching = m->quirk[GX_QUIRK_disabled_texel];
	tev->last_texture = -1;
	tev->used = 0;
	for (unsigned reg = 0; reg < 4; reg++) {
		uint32_t low = bp[BP_TEV_REGISTER + 2 * reg], high = bp[BP_TEV_REGISTER + 2 * reg + 1];
		tev->initial[reg][0] = (int16_t)bits_sign(low, 11);
		tev->initial[reg][1] = (int16_t)bits_sign(high >> 12, 11);
		tev->initial[reg][2] = (int16_t)bits_sign(high, 11);
		tev->initial[reg][3] = (int16_t)bits_sign(low >> 12, 11);
	}
	for (unsigned n = 0; n < tev->stages; n++)
		decode_stage(m, tev, n);
	tev->raw_needed = bits(bp[0xF5], 2, 2) != 0;
	decode_needed(tev);
	indirect_decode(m, tev);
	fog_decode(m, &tev->fog);
}

/* ---- combiners ---------------------------------------------------------------------------------------------------------- */

/* The result goes through a small array of its own, so that the destination may be one of the inputs and the loop stays free
 * of aliases.  Shifting right by 6 to 8 is multiplying and taking the upper half: vector units have that for 16 bits. */
static inline void combine(const struct tev_combiner *k, bool half, const int16_t *const input[4], int16_t low, int16_t high,
	int16_t *out, unsigned count)
{
	const uint16_t round = k->round;
	const int16_t base = k->base, scale = k->scale, negate = k->negate;
	uint16_t shift[LANES];

	for (unsigned i = 0; i < LANES; i++)
		shift[i] = (uint16_t)(1u << (16 - k->shift));
	for (unsigned at = 0; at < count; at += LANES) {
		const int16_t *pa = input[0] + at, *pb = input[1] + at, *pc = input[2] + at, *pd = input[3] + at;
		int16_t result[LANES];

		for (unsigned i = 0; i < LANES; i++) {
			uint16_t a = pa[i] & 255, b = pb[i] & 255, c = pc[i] & 255;
			uint16_t lerp, c1 = (uint16_t)(c + (c >> 7));
			int16_t term, value;

			lerp = (uint16_t)(a * (256u - c1) + (unsigned)b * c1 + round);
			term = (int16_t)((uint32_t)lerp * shift[i] >> 16);
			term = (int16_t)((term ^ negate) - negate);
			value = (int16_t)(pd[i] * scale + base + term);
			if (half) /* arithmetic: values are above -8192 */
				value = (int16_t)(((uint16_t)(value + 8192) >> 1) - 4096);
			value = value < low ? low : value;
			result[i] = value > high ? high : value;
		}
		memcpy(out + at, result, sizeof result);
	}
}

/* result = d + (condition ? c : 0); condition is 0 or -1. */
static void combine_compared(const int16_t *condition, const int16_t *const input[4], int16_t low, int16_t high, int16_t *out,
	unsigned count)
{
	for (unsigned at = 0; at < count; at += LANES) {
		const int16_t *pc = input[2] + at, *pd = input[3] + at, *mask = condition + at;
		int16_t result[LANES];

		for (unsigned i = 0; i < LANES; i++) {
			int16_t value = (int16_t)(pd[i] + (pc[i] & 255 & mask[i]));
			value = value < low ? low : value;
			result[i] = value > high ? high : value;
		}
		memcpy(out + at, result, sizeof result);
	}
}

/* Condition masks of a comparison of n channels, the first one the least significant. */
static void compare_rows(const int16_t *const *a, const int16_t *const *b, unsigned n, bool equal, int16_t *mask, unsigned count)
{
	for (unsigned at = 0; at < count; at += LANES) {
		int32_t left[LANES] = {0}, right[LANES] = {0};
		int16_t result[LANES];

		for (unsigned k = 0; k < n; k++) {
			const int16_t *pa = a[k] + at, *pb = b[k] + at;
			const int32_t weight = 1 << (8 * k);
			for (unsigned i = 0; i < LANES; i++) {
				left[i] += (pa[i] & 255) * weight;
				right[i] += (pb[i] & 255) * weight;
			}
		}
		for (unsigned i = 0; i < LANES; i++)
			result[i] = (equal ? left[i] == right[i] : left[i] > right[i]) ? -1 : 0;
		memcpy(mask + at, result, sizeof result);
	}
}

/* R8, GR16 and BGR24 compare the colour combiner's a and b in both combiners (fact 11). */
static void compare_stage(const struct tev_stage *stage, const int16_t *const *rows, int16_t mask[4][GX_BATCH], unsigned count)
{
	const struct tev_combiner *colour = &stage->colour, *alpha = &stage->alpha;
	const int16_t *a[3], *b[3];

	for (unsigned channel = 0; channel < 3; channel++) {
		a[channel] = rows[colour->row[0][channel]];
		b[channel] = rows[colour->row[1][channel]];
	}
	if (colour->compare && colour->mode == TEV_COMPARE_OWN)
		for (unsigned channel = 0; channel < 3; channel++)
			compare_rows(&a[channel], &b[channel], 1, colour->equal, mask[channel], count);
	else if (colour->compare) {
		compare_rows(a, b, colour->mode + 1u, colour->equal, mask[0], count);
		memcpy(mask[1], mask[0], count * sizeof mask[0][0]);
		memcpy(mask[2], mask[0], count * sizeof mask[0][0]);
	}
	if (alpha->compare && alpha->mode == TEV_COMPARE_OWN)
		compare_rows(&rows[alpha->row[0][3]], &rows[alpha->row[1][3]], 1, alpha->equal, mask[3], count);
	else if (alpha->compare)
		compare_rows(a, b, alpha->mode + 1u, alpha->equal, mask[3], count);
}

static void combine_channel(const struct tev_combiner *k, const int16_t *const *rows, unsigned channel, const int16_t *mask,
	bool clamp, int16_t *out, unsigned count)
{
	const int16_t *const input[4] = {
		rows[k->row[0][channel]], rows[k->row[1][channel]], rows[k->row[2][channel]], rows[k->row[3][channel]]};
	int16_t low = clamp ? k->low : INT16_MIN, high = clamp ? k->high : INT16_MAX;

	if (k->compare)
		combine_compared(mask, input, low, high, out, count);
	else if (k->half)
		combine(k, true, input, low, high, out, count);
	else
		combine(k, false, input, low, high, out, count);
}

/* ---- records ------------------------------------------------------------------------------------------------------------ */

/* Inputs and unclamped results, before the destinations are written. */
static void record_before(const struct tev_draw *tev, struct gx_batch *b, unsigned n, const int16_t *const *rows,
	int16_t (*mask)[GX_BATCH], const int32_t *const coord[2])
{
	const struct tev_stage *stage = &tev->stage[n];
	int16_t wide[4][GX_BATCH];

	for (unsigned channel = 0; channel < 4; channel++)
		combine_channel(channel == 3 ? &stage->alpha : &stage->colour, rows, channel, mask[channel], false, wide[channel],
			GX_BATCH);
	for (unsigned i = 0; i < b->fragments; i++) {
		struct qs_stage *s = &b->record[i / 4].fragment[i % 4].stage[n];

		if (!b->live[i])
			continue;
		for (unsigned channel = 0; channel < 4; channel++) {
			const struct tev_combiner *k = channel == 3 ? &stage->alpha : &stage->colour;
			s->tex[channel] = rows[stage->texture_row[channel]][i];
			s->ras[channel] = rows[stage->raster_row[channel]][i];
			s->konst[channel] = stage->konst[channel];
			s->a[channel] = rows[k->row[0][channel]][i] & 255;
			s->b[channel] = rows[k->row[1][channel]][i] & 255;
			s->c[channel] = rows[k->row[2][channel]][i] & 255;
			s->d[channel] = rows[k->row[3][channel]][i];
			s->wide[channel] = wide[channel][i];
		}
		s->bump_alpha = stage->bumped ? (uint8_t)tev->bump[0][i] : 0;
		s->coord_s = coord[0][i];
		s->coord_t = coord[1][i];
	}
}

static void record_after(const struct tev_stage *stage, struct gx_batch *b, unsigned n)
{
	for (unsigned i = 0; i < b->fragments; i++) {
		struct qs_stage *s = &b->record[i / 4].fragment[i % 4].stage[n];

		if (!b->live[i])
			continue;
		for (unsigned reg = 0; reg < 4; reg++)
			for (unsigned channel = 0; channel < 4; channel++)
				s->reg[reg][channel] = b->reg[reg][channel][i];
		for (unsigned channel = 0; channel < 4; channel++)
			s->result[channel] = s->reg[channel == 3 ? stage->alpha.destination : stage->colour.destination][channel];
	}
}

static void record_result(const struct tev_draw *tev, const struct gx_batch *b)
{
	for (unsigned i = 0; i < b->fragments; i++) {
		struct qs_fragment *f = &b->record[i / 4].fragment[i % 4];

		f->stage_count = b->live[i] ? (uint8_t)tev->stages : 0;
		f->indirect_count = b->live[i] ? (uint8_t)tev->indirects : 0;
		for (unsigned channel = 0; channel < 4; channel++)
			f->tev[channel] = f->source[channel] = b->live[i] ? (uint8_t)b->out[channel][i] : 0;
	}
}

/* ---- a batch ------------------------------------------------------------------------------------------------------------ */

static void fill(int16_t *row, int16_t value, unsigned count)
{
	for (unsigned at = 0; at < count; at += LANES)
		for (unsigned i = 0; i < LANES; i++)
			row[at + i] = value;
}

/* The final colour is cut, not clamped (06 section 2). */
static void low_bytes(const int16_t *from, unsigned count, int16_t *to)
{
	for (unsigned at = 0; at < count; at += LANES) {
		const int16_t *in = from + at;
		int16_t low[LANES];

		for (unsigned i = 0; i < LANES; i++)
			low[i] = in[i] & 255;
		memcpy(to + at, low, sizeof low);
	}
}

/* All texture lookups of the stages; coordinates are recorded for the stage records. */
static void look_up(struct gx_machine *m, struct gx_batch *b, bool detail, int32_t (*coords)[2][GX_BATCH])
{
	struct tev_draw *tev = m->tev;
	const int32_t *coord[2] = {NULL, NULL};

	for (unsigned n = 0; n < tev->stages; n++) {
		const struct tev_stage *stage = &tev->stage[n];
		struct qs_sample *sample[GX_BATCH];
		bool lod = stage->modified && stage->own_lod;

		indirect_stage(m, b, n, coord);
		if (coords)
			for (unsigned axis = 0; axis < 2; axis++)
				memcpy(coords[n][axis], coord[axis], sizeof coords[n][axis]);
		if (!stage->texture || (!stage->needed && !detail))
			continue;
		if (!tev->textured) {
			memset(tev->texel[n], 0, sizeof tev->texel[n]); /* no coordinates: black (Dolphin SW Tev) */
			continue;
		}
		for (unsigned i = 0; detail && i < b->fragments; i++)
			sample[i] = &b->record[i / 4].fragment[i % 4].stage[n].sample;
		gx_tx_sample(m, b, stage->map, stage->coord, coord[0], coord[1], lod ? coord[0] : NULL, lod ? coord[1] : NULL,
			detail ? sample : NULL);
		memcpy(tev->texel[n], b->texel, sizeof tev->texel[n]);
	}
}

/* Each fragment finds the texel that the fragment before it left; the last one leaves its own in the state. */
static void latch_texels(struct gx_machine *m, struct gx_batch *b)
{
	struct tev_draw *tev = m->tev;
	int16_t texel[4];

	memcpy(texel, m->state.last_texel, sizeof texel);
	for (unsigned i = 0; i < b->fragments; i++) {
		for (unsigned channel = 0; channel < 4; channel++)
			tev->latched[channel][i] = texel[channel];
		if (tev->last_texture < 0 || !b->live[i] || !(b->commit >> (i & 3) & 1))
			continue;
		for (unsigned channel = 0; channel < 4; channel++)
			texel[channel] =
				tev->texel[tev->last_texture][tev->stage[tev->last_texture].texture_swap[channel]][i];
	}
	memcpy(m->state.last_texel, texel, sizeof texel);
}

static void set_rows(struct tev_draw *tev, const struct gx_batch *b, const int16_t **rows)
{
	for (unsigned i = 0; i < 16; i++)
		rows[TEV_ROW_REG + i] = b->reg[i / 4][i % 4];
	for (unsigned i = 0; i < 8; i++)
		rows[TEV_ROW_RAS + i] = b->ras[i / 4][i % 4];
	rows[TEV_ROW_BUMP] = tev->bump[0];
	rows[TEV_ROW_BUMP_NORMAL] = tev->bump[1];
	rows[TEV_ROW_ZERO] = tev->zero;
	rows[TEV_ROW_HALF] = tev->half;
	rows[TEV_ROW_ONE] = tev->one;
}

static void combine_stages(struct gx_machine *m, struct gx_batch *b, unsigned count, bool detail,
	int32_t (*coords)[2][GX_BATCH])
{
	struct tev_draw *tev = m->tev;
	const int16_t *rows[TEV_ROW_COUNT];
	int16_t mask[4][GX_BATCH];

	set_rows(tev, b, rows);
	for (unsigned n = 0; n < tev->stages; n++) {
		const struct tev_stage *stage = &tev->stage[n];

		for (unsigned channel = 0; channel < 4; channel++) {
			rows[TEV_ROW_TEXEL + channel] =
				stage->texel >= 0 ? tev->texel[stage->texel][channel] : tev->latched[channel];
			rows[TEV_ROW_KONST + channel] = tev->konst[n][channel];
		}
		if (stage->bumped)
			indirect_bump(tev, b, n);
		if (stage->compared)
			compare_stage(stage, rows, mask, count);
		if (detail) {
			const int32_t *const coord[2] = {coords[n][0], coords[n][1]};
			record_before(tev, b, n, rows, mask, coord);
		}
		/* colours never write what the alpha combiner reads (condition masks apart, made above) */
		for (unsigned channel = 0; channel < 3; channel++)
			combine_channel(&stage->colour, rows, channel, mask[channel], true,
				b->reg[stage->colour.destination][channel], count);
		combine_channel(&stage->alpha, rows, 3, mask[3], true, b->reg[stage->alpha.destination][3], count);
		if (detail)
			record_after(stage, b, n);
	}
}

static bool any_live(const struct gx_batch *b)
{
	for (unsigned i = 0; i < b->fragments; i++)
		if (b->live[i])
			return true;
	return false;
}

/* Raw texel of the last lookup, for the Z texture. */
static void keep_raw(const struct tev_draw *tev, struct gx_batch *b)
{
	const struct tev_stage *stage = tev->last_texture >= 0 ? &tev->stage[tev->last_texture] : NULL;

	for (unsigned channel = 0; channel < 4; channel++) {
		unsigned from = stage && tev->raw_swapped ? stage->texture_swap[channel] : channel;
		const int16_t *row = stage ? tev->texel[tev->last_texture][from] : tev->latching ? tev->latched[channel] : tev->one;
		memcpy(b->raw_texel[channel], row, sizeof b->raw_texel[channel]);
	}
}

void gx_tev_run(struct gx_machine *m, struct gx_batch *b)
{
	struct tev_draw *tev = m->tev;
	unsigned count = lanes_up(b->fragments);
	int32_t coords[TEV_STAGES][2][GX_BATCH];
	bool detail = b->record && b->detail;
	const struct tev_stage *last;

	if (!tev || !any_live(b))
		return;
	last = &tev->stage[tev->stages - 1];
	if (detail)
		memset(coords, 0, sizeof coords);
	for (unsigned i = 0; i < 16; i++)
		if (detail || tev->used >> i & 1)
			fill(b->reg[i / 4][i % 4], tev->initial[i / 4][i % 4], count);
	indirect_lookups(m, b);
	look_up(m, b, detail, detail ? coords : NULL);
	if (tev->latching)
		latch_texels(m, b);
	combine_stages(m, b, count, detail, coords);
	for (unsigned channel = 0; channel < 4; channel++)
		low_bytes(b->reg[channel == 3 ? last->alpha.destination : last->colour.destination][channel], count, b->out[channel]);
	if (tev->raw_needed)
		keep_raw(tev, b);
	if (b->record)
		record_result(tev, b);
}
