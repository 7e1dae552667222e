/* walk.c - quads of a triangle: rows of 2x2 pixels from the top, left to right, eight quads at a time
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "gfx3d/raster.h"

#define CHUNK 16 /* pixels */

void g3_walk_begin(struct g3_walk *walk, const struct g3_triangle *t)
{
	walk->t = t;
	walk->x = t->x0 & ~1;
	walk->y = t->y0 & ~1;
	walk->next = 0;
	walk->loaded = false;
}

/* Bit i: pixel x + i is inside.  Spec 02 section 3 steps 2 to 4, in its order of operations.  A weight that is not a number is not below
 * the limit. */
static unsigned row_tolerance(const struct g3_triangle *t, float x, float y)
{
	const float *vx = t->x, *vy = t->y;
	const g3_four denominator = g3_splat(t->denominator), least = g3_splat(-0.001f), py = g3_splat(y);
	unsigned inside = 0;

	for (unsigned i = 0; i < CHUNK; i += 4) {
		g3_four px = g3_splat(x) + ((g3_four){0, 1, 2, 3} + g3_splat((float)i));
		g3_four b0 = g3_edge4(vx[1], vy[1], vx[2], vy[2], px, py) / denominator;
		g3_four b1 = g3_edge4(vx[2], vy[2], vx[0], vy[0], px, py) / denominator;
		g3_four b2 = g3_edge4(vx[0], vy[0], vx[1], vy[1], px, py) / denominator;

		inside |= (~g3_bits((b0 < least) | (b1 < least) | (b2 < least)) & 15) << i;
	}
	return inside;
}

static unsigned row_exact(const struct g3_triangle *t, int x, int y, int sample)
{
	int64_t e[3], all = 0, none = 0;
	unsigned outside = 0;

	for (int k = 0; k < 3; k++) {
		int64_t across = t->edge_dx[k] * (CHUNK - 1);

		e[k] = t->edge_c[k] + t->edge_dx[k] * x + t->edge_dy[k] * y + t->sample[sample][k];
		all |= e[k] + (across < 0 ? across : 0);
		none |= e[k] + (across > 0 ? across : 0);
	}
	if (all >= 0 || none < 0) /* mostly */
		return all >= 0 ? (1u << CHUNK) - 1 : 0;
	for (unsigned i = 0; i < CHUNK; i++) {
		outside |= (unsigned)((uint64_t)(e[0] | e[1] | e[2]) >> 63) << i;
		for (int k = 0; k < 3; k++)
			e[k] += t->edge_dx[k];
	}
	return outside ^ ((1u << CHUNK) - 1);
}

static unsigned row(const struct g3_triangle *t, int x, int y, int sample)
{
	const uint8_t *place = g3_sample_place[t->samples > 1][sample];

	if (t->exact)
		return row_exact(t, x, y, sample);
	/* exact in single precision: sizes are small */
	return row_tolerance(t, (float)x + (float)place[0] / 16.0f, (float)y + (float)place[1] / 16.0f);
}

/* Pixels of the chunk that are looked at. */
static unsigned columns(const struct g3_walk *walk)
{
	int first = walk->t->x0 - walk->x, end = walk->t->x1 - walk->x;
	unsigned mask = end >= CHUNK ? (1u << CHUNK) - 1 : (1u << end) - 1;

	return first > 0 ? mask & ~0u << first : mask;
}

static void load(struct g3_walk *walk)
{
	static const uint8_t spread[4] = {0x00, 0x01, 0x10, 0x11};
	const struct g3_triangle *t = walk->t;
	unsigned mask = columns(walk);

	memset(walk->cover, 0, sizeof walk->cover);
	for (int s = 0; s < t->samples; s++) {
		unsigned upper = walk->y >= t->y0 ? mask & row(t, walk->x, walk->y, s) : 0;
		unsigned lower = walk->y + 1 < t->y1 ? mask & row(t, walk->x, walk->y + 1, s) : 0;

		if (!(upper | lower))
			continue;
		for (unsigned q = 0; q < CHUNK / 2; q++)
			walk->cover[q] |= (uint16_t)((spread[upper >> 2 * q & 3] | spread[lower >> 2 * q & 3] << 8) << s);
	}
	walk->next = 0;
	walk->loaded = true;
}

bool g3_walk_next(struct g3_walk *walk, int *x, int *y, uint16_t *coverage)
{
	const struct g3_triangle *t = walk->t;

	while (walk->y < t->y1) {
		if (walk->x >= t->x1) {
			walk->x = t->x0 & ~1;
			walk->y += 2;
			continue;
		}
		if (!walk->loaded)
			load(walk);
		while (walk->next < CHUNK / 2) {
			unsigned q = walk->next++;

			if (!walk->cover[q])
				continue;
			*x = walk->x + 2 * (int)q;
			*y = walk->y;
			*coverage = walk->cover[q];
			return true;
		}
		walk->x += CHUNK;
		walk->loaded = false;
	}
	return false;
}
