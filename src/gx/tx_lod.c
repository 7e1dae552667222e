/* tx_lod.c - level of detail of a quad (spec 05 section 6)
 *
 * The four pixels of a quad share one LOD, from the differences of the top left pixel to its right and lower neighbours.
 * The logarithm is read off the float's bits:
 *
 *   S EEEEEEEE MMMMMMMMMMMMMMMMMMMMMMM
 *              ^^^^ fraction             lod = (E - 127) in 1/16 levels + 4 bits of M
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "core/bits.h"
#include "gx/lanes.h"
#include "gx/tx.h"

/* As std::max: what comes first wins when they cannot be compared, so that a NaN behaves as in Dolphin. */
static float larger(float a, float b)
{
	return a < b ? b : a;
}

static int32_t log2_fixed(float f, unsigned fraction_bits)
{
	uint32_t x;
	memcpy(&x, &f, sizeof x);
	/* sign dropped: exponent and the top bits of the mantissa in one shift */
	return (int32_t)((x & 0x7FFFFFFF) >> (23 - fraction_bits)) - (127 << fraction_bits);
}

static float delta(const struct tx_map *map, const float *c)
{
	float dx = fabsf(c[0] - c[1]), dy = fabsf(c[0] - c[2]);
	return map->diagonal ? dx + dy : larger(dx, dy);
}

static struct tx_choice choose(const struct tx_map *map, unsigned fraction_bits, float derivative)
{
	struct tx_choice c = {0};
	unsigned clamp_shift = fraction_bits - 4;
	int32_t one = 1 << fraction_bits;
	int32_t lod = log2_fixed(derivative, fraction_bits) + shift_floor(map->bias, 5 - fraction_bits);
	c.linear = lod > 0 ? map->min_linear : map->mag_linear; /* before the clamp */
	int32_t max = map->max_lod << clamp_shift, min = map->min_lod << clamp_shift;
	/* this order: with min > max it is max that holds */
	if (lod > max)
		lod = max;
	else if (lod < min)
		lod = min;
	c.lod = (int16_t)lod;
	if (lod <= 0 || !map->mip)
		return c;
	c.level = (uint8_t)(lod >> fraction_bits);
	unsigned fraction = (unsigned)(lod & (one - 1));
	if (map->mip == 1 && fraction >= (unsigned)one / 2)
		c.level++;
	else if (map->mip == 2)
		c.fraction = (uint8_t)fraction;
	return c;
}

GX_HOT void tx_choose(const struct tx_map *map, unsigned fraction_bits, const float *u, const float *v, unsigned quads,
	struct tx_choice *out)
{
	for (unsigned q = 0; q < quads; q++)
		out[q] = choose(map, fraction_bits, larger(delta(map, u + 4 * q), delta(map, v + 4 * q)));
}
