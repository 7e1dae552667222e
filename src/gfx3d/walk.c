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

/* Spec 02 section 3 steps 2 to 4, in its order of operations.  A weight that is not a number is not below the limit. */
static void row_tolerance(const struct g3_triangle *t, float x, float y, uint8_t inside[CHUNK])
{
	const float *vx = t->x, *vy = t->y;

	for (int i = 0; i < CHUNK; i++) {
		float px = x + (float)i;
		float b0 = g3_edge(vx[1], vy[1], vx[2], vy[2], px, y) / t->denominator;
		float b1 = g3_edge(vx[2], vy[2], vx[0], vy[0], px, y) / t->denominator;
		float b2 = g3_edge(vx[0], vy[0], vx[1], vy[1], px, y) / t->denominator;

		inside[i] = !(b0 < -0.001f) & !(b1 < -0.001f) & !(b2 < -0.001f);
	}
}

static void row_exact(const struct g3_triangle *t, int x, int y, int sample, uint8_t inside[CHUNK])
{
	int64_t e[3];

	for (int k = 0; k < 3; k++)
		e[k] = t->edge_c[k] + t->edge_dx[k] * x + t->edge_dy[k] * y + t->sample[sample][k];
	for (int i = 0; i < CHUNK; i++)
		inside[i] = ((e[0] + t->edge_dx[0] * i) | (e[1] + t->edge_dx[1] * i) | (e[2] + t->edge_dx[2] * i)) >= 0;
}

static void row(const struct g3_triangle *t, int x, int y, int sample, uint8_t inside[CHUNK])
{
	const uint8_t *place = g3_sample_place[t->samples > 1][sample];

	if (t->exact)
		row_exact(t, x, y, sample, inside);
	else /* exact in single precision: sizes are small */
		row_tolerance(t, (float)x + (float)place[0] / 16.0f, (float)y + (float)place[1] / 16.0f, inside);
}

static void load(struct g3_walk *walk)
{
	const struct g3_triangle *t = walk->t;
	uint8_t inside[CHUNK];

	memset(walk->cover, 0, sizeof walk->cover);
	for (int j = 0; j < 2; j++) {
		int y = walk->y + j;

		if (y < t->y0 || y >= t->y1)
			continue;
		for (int s = 0; s < t->samples; s++) {
			row(t, walk->x, y, s, inside);
			for (int i = 0; i < CHUNK; i++)
				if (inside[i] && walk->x + i >= t->x0 && walk->x + i < t->x1)
					walk->cover[i / 2] |= (uint16_t)(1u << (4 * (2 * j + i % 2) + s));
		}
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
