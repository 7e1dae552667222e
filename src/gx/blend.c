/* blend.c - the colour unit of the pixel engine: blend, subtract, logic op, constant alpha, dither
 *
 * Source: specification 07 section 4; fact 39: blending overrides the logic op, subtracting needs blending.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "gx/pe.h"

/* A factor is a row or its complement to 255. */
static void factor(unsigned code, const pe_rows other, const pe_rows source, const pe_rows destination, pe_rows out)
{
	const int16_t invert = code & 1 ? 255 : 0;

	for (unsigned channel = 0; channel < 4; channel++) {
		const int16_t *from = code < 4 ? other[channel] : code < 6 ? source[3] : destination[3];
		for (unsigned i = 0; i < GX_BATCH; i++)
			out[channel][i] = (int16_t)((code < 2 ? 0 : from[i]) ^ invert);
	}
}

void blend_factors(const struct pe_draw *pe, const pe_rows source, const pe_rows destination, pe_rows source_factor,
	pe_rows destination_factor)
{
	/* codes 2 and 3 are the colour of the other side */
	factor(pe->source_factor, destination, source, destination, source_factor);
	factor(pe->destination_factor, source, source, destination, destination_factor);
}

static void blend_rows(const int16_t *source, const int16_t *destination, const int16_t *sf, const int16_t *df, bool round_each,
	int16_t *out)
{
	for (unsigned i = 0; i < GX_BATCH; i++) {
		unsigned s = (unsigned)source[i] * (unsigned)(sf[i] + (sf[i] >> 7));
		unsigned d = (unsigned)destination[i] * (unsigned)(df[i] + (df[i] >> 7));
		unsigned sum = round_each ? (s >> 8) + (d >> 8) : (s + d) >> 8;
		out[i] = (int16_t)(sum > 255 ? 255 : sum);
	}
}

static void subtract_rows(const int16_t *source, const int16_t *destination, int16_t *out)
{
	for (unsigned i = 0; i < GX_BATCH; i++) {
		int16_t value = (int16_t)(destination[i] - source[i]);
		out[i] = value < 0 ? 0 : value;
	}
}

/* A logic op code is its truth table with the bits in reverse order: code bit 3 - (2*s + d) is the result. */
static void logic_rows(unsigned op, const int16_t *source, const int16_t *destination, int16_t *out)
{
	const int16_t t0 = op & 8 ? 255 : 0, t1 = op & 4 ? 255 : 0, t2 = op & 2 ? 255 : 0, t3 = op & 1 ? 255 : 0;

	for (unsigned i = 0; i < GX_BATCH; i++) {
		int16_t s = source[i], d = destination[i];
		out[i] = (int16_t)((~s & ~d & t0) | (~s & d & t1) | (s & ~d & t2) | (s & d & t3));
	}
}

/* Ordered dither before the cut to 6 (or 5) bits.  2x2 on RGBA6: Dolphin SW; the 4x4 matrix for RGB565 is named but not
 * printed by pureikyubu's notes, the usual Bayer order is taken. */
static void dither(const struct pe_draw *pe, const struct gx_batch *b, pe_rows out)
{
	static const int16_t matrix[4] = {0, 2, 3, 1};
	static const uint8_t bayer[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};

	for (unsigned channel = 0; channel < 3; channel++) {
		unsigned lost = pe->pixel == PE_RGBA6 || channel == 1 ? 2 : 3;
		for (unsigned i = 0; i < GX_BATCH; i++) {
			int value = out[channel][i], add = matrix[i & 3];
			if (pe->dither_4x4)
				add = bayer[(b->y[i / 4] + (int)(i >> 1 & 1)) & 3][(b->x[i / 4] + (int)(i & 1)) & 3] >> (4 - lost);
			value = value - (value >> (8 - lost)) + add;
			out[channel][i] = (int16_t)(value & 0xFF & ~((1 << lost) - 1));
		}
	}
}

void blend_run(const struct pe_draw *pe, const struct gx_batch *b, const pe_rows source, const pe_rows destination, pe_rows out)
{
	pe_rows lowered, sf, df;

	if (pe->alpha_one && pe->blend) {
		memcpy(lowered, source, sizeof lowered);
		for (unsigned i = 0; i < GX_BATCH; i++)
			lowered[3][i] = lowered[3][i] == 1 ? 0 : lowered[3][i];
		source = (const int16_t(*)[GX_BATCH])lowered;
	}
	if (pe->blend && !pe->subtract)
		blend_factors(pe, source, destination, sf, df);
	for (unsigned channel = 0; channel < 4; channel++) {
		if (pe->blend && pe->subtract)
			subtract_rows(source[channel], destination[channel], out[channel]);
		else if (pe->blend)
			blend_rows(source[channel], destination[channel], sf[channel], df[channel], pe->round_each, out[channel]);
		else if (pe->logic)
			logic_rows(pe->logic_op, source[channel], destination[channel], out[channel]);
		else
			memcpy(out[channel], source[channel], sizeof out[channel]);
	}
	if (pe->constant_alpha)
		for (unsigned i = 0; i < GX_BATCH; i++)
			out[3][i] = pe->alpha;
	if (pe->dither)
		dither(pe, b, out);
}
