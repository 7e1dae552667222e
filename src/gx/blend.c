/* blend.c - the colour unit of the pixel engine: blend, subtract, logic op, constant alpha, dither
 *
 * Source: specification 07 section 4; fact 39: blending overrides the logic op, subtracting needs blending.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "gx/lanes.h"
#include "gx/pe.h"

static const int16_t zero_row[GX_BATCH];

/* A factor is a row or its complement to 255; codes 2 and 3 are the colour of the other side. */
static const int16_t *factor_row(unsigned code, unsigned channel, const pe_rows other, const pe_rows source, const pe_rows destination)
{
	return code < 2 ? zero_row : code < 4 ? other[channel] : code < 6 ? source[3] : destination[3];
}

static void factor_rows(unsigned code, const pe_rows other, const pe_rows source, const pe_rows destination, unsigned count,
	pe_rows out)
{
	const int16_t invert = code & 1 ? 255 : 0;

	for (unsigned channel = 0; channel < 4; channel++) {
		const int16_t *from = factor_row(code, channel, other, source, destination);
		for (unsigned at = 0; at < count; at += LANES) {
			const int16_t *in = from + at;
			int16_t *to = &out[channel][at], factor[LANES];

			for (unsigned i = 0; i < LANES; i++)
				factor[i] = in[i] ^ invert;
			memcpy(to, factor, sizeof factor);
		}
	}
}

void blend_factors(const struct pe_draw *pe, const pe_rows source, const pe_rows destination, unsigned count,
	pe_rows source_factor, pe_rows destination_factor)
{
	factor_rows(pe->source_factor, destination, source, destination, count, source_factor);
	factor_rows(pe->destination_factor, source, source, destination, count, destination_factor);
}

/* min(255, (source*sf' + destination*df') >> 8) with f' = f + (f >> 7).  The sum may need 17 bits; when it does the result
 * is 255 anyway, so a saturating 16-bit sum does. */
static void blend_row(const int16_t *source, const int16_t *destination, const int16_t *sf, int16_t invert_s, const int16_t *df,
	int16_t invert_d, unsigned count, int16_t *out)
{
	for (unsigned at = 0; at < count; at += LANES) {
		const int16_t *ps = source + at, *pd = destination + at, *psf = sf + at, *pdf = df + at;
		int16_t result[LANES];

		for (unsigned i = 0; i < LANES; i++) {
			uint16_t fs = (uint16_t)(psf[i] ^ invert_s), fd = (uint16_t)(pdf[i] ^ invert_d);
			uint16_t s = (uint16_t)((unsigned)ps[i] * (uint16_t)(fs + (fs >> 7)));
			uint16_t d = (uint16_t)((unsigned)pd[i] * (uint16_t)(fd + (fd >> 7)));
			uint16_t sum = (uint16_t)(s + d);
			sum = sum < s ? 0xFFFF : sum;
			result[i] = (int16_t)(sum >> 8);
		}
		memcpy(out + at, result, sizeof result);
	}
}

/* The variant that shifts each product (09 #33). */
static void blend_row_each(const int16_t *source, const int16_t *destination, const int16_t *sf, const int16_t *df,
	unsigned count, int16_t *out)
{
	for (unsigned i = 0; i < count; i++) {
		int sum = (source[i] * (sf[i] + (sf[i] >> 7)) >> 8) + (destination[i] * (df[i] + (df[i] >> 7)) >> 8);
		out[i] = (int16_t)(sum > 255 ? 255 : sum);
	}
}

static void subtract_row(const int16_t *source, const int16_t *destination, unsigned count, int16_t *out)
{
	for (unsigned at = 0; at < count; at += LANES) {
		const int16_t *s = source + at, *d = destination + at;
		int16_t result[LANES];

		for (unsigned i = 0; i < LANES; i++) {
			int16_t value = (int16_t)(d[i] - s[i]);
			result[i] = value < 0 ? 0 : value;
		}
		memcpy(out + at, result, sizeof result);
	}
}

/* A logic op code is its truth table with the bits in reverse order: code bit 3 - (2*s + d) is the result. */
static void logic_row(unsigned op, const int16_t *source, const int16_t *destination, unsigned count, int16_t *out)
{
	const int16_t t0 = op & 8 ? 255 : 0, t1 = op & 4 ? 255 : 0, t2 = op & 2 ? 255 : 0, t3 = op & 1 ? 255 : 0;

	for (unsigned at = 0; at < count; at += LANES) {
		const int16_t *ps = source + at, *pd = destination + at;
		int16_t result[LANES];

		for (unsigned i = 0; i < LANES; i++) {
			int16_t s = ps[i], d = pd[i];
			result[i] = (int16_t)((~s & ~d & t0) | (~s & d & t1) | (s & ~d & t2) | (s & d & t3));
		}
		memcpy(out + at, result, sizeof result);
	}
}

/* Ordered dither before the cut to 6 bits: quads lie at even places, so a 2x2 matrix depends on the pixel of the quad. */
static void dither(unsigned count, pe_rows out)
{
	static const int16_t matrix[LANES] = {0, 2, 3, 1, 0, 2, 3, 1, 0, 2, 3, 1, 0, 2, 3, 1};

	for (unsigned channel = 0; channel < 3; channel++)
		for (unsigned at = 0; at < count; at += LANES) {
			int16_t *value = &out[channel][at];
			for (unsigned i = 0; i < LANES; i++)
				value[i] = (int16_t)((value[i] - (value[i] >> 6) + matrix[i]) & 0xFC);
		}
}

/* The 4x4 matrix, also for 5 bits, is named but not printed by pureikyubu's notes; the usual Bayer order is taken. */
static void dither_4x4(const struct pe_draw *pe, const struct gx_batch *b, pe_rows out)
{
	static const uint8_t bayer[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};

	for (unsigned channel = 0; channel < 3; channel++) {
		unsigned lost = pe->pixel == PE_RGBA6 || channel == 1 ? 2 : 3;
		for (unsigned i = 0; i < b->fragments; i++) {
			int x = b->x[i / 4] + (int)(i & 1), y = b->y[i / 4] + (int)(i >> 1 & 1), value = out[channel][i];
			value = value - (value >> (8 - lost)) + (bayer[y & 3][x & 3] >> (4 - lost));
			out[channel][i] = (int16_t)(value & 0xFF & ~((1 << lost) - 1));
		}
	}
}

GX_HOT void blend_run(const struct pe_draw *pe, const struct gx_batch *b, const pe_rows source, const pe_rows destination, pe_rows out)
{
	unsigned count = lanes_up(b->fragments);
	pe_rows sf, df;

	if (pe->blend && !pe->subtract && pe->round_each)
		blend_factors(pe, source, destination, count, sf, df);
	for (unsigned channel = 0; channel < 4; channel++) {
		const int16_t *s = source[channel], *d = destination[channel];
		const int16_t *from_s = factor_row(pe->source_factor, channel, destination, source, destination);
		const int16_t *from_d = factor_row(pe->destination_factor, channel, source, source, destination);

		if (pe->blend && pe->subtract)
			subtract_row(s, d, count, out[channel]);
		else if (pe->blend && pe->round_each)
			blend_row_each(s, d, sf[channel], df[channel], count, out[channel]);
		else if (pe->blend)
			blend_row(s, d, from_s, pe->source_factor & 1 ? 255 : 0, from_d, pe->destination_factor & 1 ? 255 : 0, count, out[channel]);
		else if (pe->logic)
			logic_row(pe->logic_op, s, d, count, out[channel]);
		else
			memcpy(out[channel], s, count * sizeof *s);
	}
	if (pe->constant_alpha)
		for (unsigned i = 0; i < count; i++)
			out[3][i] = pe->alpha;
	if (pe->dither && pe->dither_4x4)
		dither_4x4(pe, b, out);
	else if (pe->dither)
		dither(count, out);
}
