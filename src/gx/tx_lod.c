/* tx_lod.c - level of detail of a quad (spec 05 section 6)
 *
 * The four pixels of a quad share one LOD, from the differences of the top left pixel to its right and lower neighbours.
 * The logarithm is read off the float's bits:
 *
 *   S EEEEEEEE MMMMMMMMMMMMMMMMMMMMMMM
 *              ^^^^ fraction             lod = (E - 127) in 1/16 levels + 4 bits of M
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <float.h>
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

/* The true logarithm, as OpenGL has it (quirk lod_log); the one above is up to 0.086 less in between powers of two. */
static int32_t log2_exact(float f, unsigned fraction_bits)
{
	if (!(f > 0x1p-126f) || !(f <= FLT_MAX))
		return log2_fixed(f, fraction_bits);
	return (int32_t)floorf(log2f(f) * (float)(1 << fraction_bits));
}

static int32_t logarithm(const struct tx_rules *rules, float f, unsigned fraction_bits)
{
	return rules->exact_log ? log2_exact(f, fraction_bits) : log2_fixed(f, fraction_bits);
}

static float delta(const struct tx_map *map, const float *c)
{
	float dx = fabsf(c[0] - c[1]), dy = fabsf(c[0] - c[2]);
	return map->diagonal ? dx + dy : larger(dx, dy);
}

/* What the LOD before its limits makes. */
static struct tx_choice choose(const struct tx_map *map, unsigned fraction_bits, int32_t lod)
{
	struct tx_choice c = {.positions = 1};
	unsigned clamp_shift = fraction_bits - 4;
	int32_t one = 1 << fraction_bits;
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

/* How far a step to the right and a step down go, per axis of the texture. */
struct steps {
	float du[2], dv[2];
};

static struct steps steps_of(const float *u, const float *v, bool half_lines)
{
	float half = half_lines ? 0.5f : 1.0f; /* of a field, lines are two lines of the frame apart */
	return (struct steps){{u[1] - u[0], (u[2] - u[0]) * half}, {v[1] - v[0], (v[2] - v[0]) * half}};
}

static float extent(const struct steps *d, unsigned axis)
{
	return larger(fabsf(d->du[axis]), fabsf(d->dv[axis]));
}

/* s16.7; a quad of wilder coordinates than their 24 bits hold has no step that means anything. */
static int32_t fixed_step(float step)
{
	const float most = 0x1p23f;

	return (int32_t)(step > most ? most : step > -most ? step : -most);
}

/* Positions are taken along the longer axis of the pixel in the texture, as many as the map allows and the axis is longer
 * than the other; LOD is then that of what is left of it.  GX names 1, 2 and 4 positions; how the hardware places them is not
 * public, this is the obvious way. */
static unsigned positions_of(const struct tx_map *map, const struct steps *d, struct tx_choice *c, float *derivative)
{
	float x = extent(d, 0), y = extent(d, 1), major = larger(x, y), minor = x < y ? x : y;
	unsigned axis = x < y, n = 1;
	if (!(major > 1) || !(major <= 0x10000))
		return 1; /* magnified, or no number */
	while (n < map->anisotropy && major > minor * (float)n)
		n *= 2;
	if (n == 1)
		return 1;
	c->step[0] = fixed_step(d->du[axis] * 128.0f / (float)n);
	c->step[1] = fixed_step(d->dv[axis] * 128.0f / (float)n);
	*derivative = larger(major / (float)n, minor);
	return n;
}

/* The rare ways: half lines, anisotropy, a bias that is limited.  The latter, as libogc's documentation of the texture object
 * has it: LOD with bias is never less than that of the smallest extent of the pixel in the texture. */
static struct tx_choice choose_with_care(const struct tx_map *map, const struct tx_rules *rules, unsigned fraction_bits, const float *u,
	const float *v)
{
	struct steps d = steps_of(u, v, rules->half_lines);
	float x = extent(&d, 0), y = extent(&d, 1), smaller = x < y ? x : y, derivative;
	struct tx_choice c, axis = {0};
	int32_t lod, biased;
	if (map->diagonal)
		derivative = larger(fabsf(d.du[0]) + fabsf(d.du[1]), fabsf(d.dv[0]) + fabsf(d.dv[1]));
	else
		derivative = larger(larger(fabsf(d.du[0]), fabsf(d.du[1])), larger(fabsf(d.dv[0]), fabsf(d.dv[1])));
	unsigned n = rules->anisotropy && map->anisotropy > 1 ? positions_of(map, &d, &axis, &derivative) : 1;
	lod = logarithm(rules, derivative, fraction_bits);
	biased = lod + shift_floor(map->bias, 5 - fraction_bits);
	if (rules->clamp_bias && map->clamp_bias && biased < lod) {
		int32_t least = logarithm(rules, smaller, fraction_bits);
		least = least < lod ? least : lod;
		biased = biased < least ? least : biased;
	}
	c = choose(map, fraction_bits, biased);
	c.positions = (uint8_t)n;
	memcpy(c.step, axis.step, sizeof c.step);
	return c;
}

GX_HOT void tx_choose(const struct tx_map *map, const struct tx_rules *rules, unsigned fraction_bits, const float *u, const float *v,
	unsigned quads, struct tx_choice *out)
{
	if ((rules->anisotropy && map->anisotropy > 1) || (rules->clamp_bias && map->clamp_bias && map->bias < 0) || rules->half_lines ||
		rules->exact_log) {
		for (unsigned q = 0; q < quads; q++)
			out[q] = choose_with_care(map, rules, fraction_bits, u + 4 * q, v + 4 * q);
		return;
	}
	for (unsigned q = 0; q < quads; q++)
		out[q] = choose(map, fraction_bits, log2_fixed(larger(delta(map, u + 4 * q), delta(map, v + 4 * q)), fraction_bits) +
			shift_floor(map->bias, 5 - fraction_bits));
}
