/* tev_decode.c - combiner registers of a draw to rows and numbers
 *
 * Source: specification 06 sections 1 and 2, 04 for the orders.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "core/bits.h"
#include "gx/tev.h"

#define BP_GEN_MODE 0x00
#define BP_RAS1_TREF 0x28
#define BP_TEV_ENV 0xC0
#define BP_TEV_REGISTER 0xE0
#define BP_TEV_KONST 0x100
#define BP_TEV_KSEL 0xF6

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
		/* Dolphin SW Tev, alpha: -n >> 8 is the negative of the ceiling, -(((n - 1) >> 8) + 1); only at scale 1/2 n may
		 * be 0 */
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
		stage->konst[channel] = decode_konst(bp, (unsigned)m->quirk[GX_QUIRK_konst_bits],
			bits(select, channel == 3 ? 5 : 0, 5), channel);
		for (unsigned input = 0; input < 4; input++)
			stage->konst_used |= stage->colour.row[input][channel] == TEV_ROW_KONST + channel ||
				stage->alpha.row[input][channel] == TEV_ROW_KONST + channel;
	}
	if (stage->konst_used)
		for (unsigned channel = 0; channel < 4; channel++)
			for (unsigned i = 0; i < GX_BATCH; i++)
				tev->konst[n][channel][i] = stage->konst[channel];
}

/* A lookup that nobody reads is not made (unless a record wants to show it); with a texture cache it is: it fetches. */
static void decode_needed(struct tev_draw *tev, bool cached)
{
	tev->latch_read = false;
	for (unsigned n = 0; n < tev->stages; n++)
		tev->stage[n].needed = cached;
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
		else if (reads)
			tev->latch_read = true;
	}
	if (tev->last_texture < 0 && tev->raw_needed)
		tev->latch_read = true;
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
	decode_needed(tev, m->quirk[GX_QUIRK_texture_cache]);
	indirect_decode(m, tev);
	fog_decode(m, &tev->fog);
}
