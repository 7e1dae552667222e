/* soft_tri.h - the two ways to cover a triangle, pixel by pixel and as plainly as the specification says it
 *
 * soft_tri_chrisos: spec chrisos/02 section 3, production column.  The fragment shader is "colour of the varying".
 * soft_tri_exact: which pixel centres lie inside in exact arithmetic on vertices in 1/256 pixel, with the top-left rule.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ORACLE_SOFT_TRI_H
#define ORACLE_SOFT_TRI_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

struct soft_surface {
	int width, height;
	uint32_t *pixel;
	float *depth;
};

static float soft_edge(const float a[2], const float b[2], float px, float py)
{
	return (px - a[0]) * (b[1] - a[1]) - (py - a[1]) * (b[0] - a[0]);
}

static int soft_clamp(int x, int size)
{
	return x < 0 ? 0 : x > size - 1 ? size - 1 : x;
}

static uint32_t soft_pack(const float c[4])
{
	uint32_t word[4];

	for (int k = 0; k < 4; k++)
		word[k] = (uint32_t)(int64_t)(c[k] * 255.0f);
	return word[3] << 24 | word[0] << 16 | word[1] << 8 | word[2];
}

/* Vertices: x y z w, then the varying. */
static void soft_tri_chrisos(struct soft_surface *s, const float v[3][8])
{
	float screen[3][2], inv[3];
	int low[2] = {INT32_MAX, INT32_MAX}, high[2] = {INT32_MIN, INT32_MIN};

	for (int i = 0; i < 3; i++) {
		if (v[i][3] > -0.00001f && v[i][3] < 0.00001f)
			return;
		inv[i] = 1.0f / v[i][3];
		screen[i][0] = (v[i][0] * inv[i] * 0.5f + 0.5f) * (float)s->width;
		screen[i][1] = (1.0f - (v[i][1] * inv[i] * 0.5f + 0.5f)) * (float)s->height;
		for (int k = 0; k < 2; k++) {
			int p = (int)screen[i][k];

			low[k] = p < low[k] ? p : low[k];
			high[k] = p > high[k] ? p : high[k];
		}
	}
	for (int y = soft_clamp(low[1], s->height); y <= soft_clamp(high[1], s->height); y++)
		for (int x = soft_clamp(low[0], s->width); x <= soft_clamp(high[0], s->width); x++) {
			float px = (float)x + 0.5f, py = (float)y + 0.5f;
			float d = soft_edge(screen[0], screen[1], screen[2][0], screen[2][1]);
			float b[3], iw, z, colour[4];
			int at = y * s->width + x;

			if (d > -0.0001f && d < 0.0001f)
				continue;
			b[0] = soft_edge(screen[1], screen[2], px, py) / d;
			b[1] = soft_edge(screen[2], screen[0], px, py) / d;
			b[2] = soft_edge(screen[0], screen[1], px, py) / d;
			if (b[0] < -0.001f || b[1] < -0.001f || b[2] < -0.001f)
				continue;
			iw = b[0] * inv[0] + b[1] * inv[1] + b[2] * inv[2];
			if (iw == 0)
				continue;
			z = (b[0] * v[0][2] * inv[0] + b[1] * v[1][2] * inv[1] + b[2] * v[2][2] * inv[2]) / iw;
			if (z >= s->depth[at])
				continue;
			for (int k = 0; k < 4; k++)
				colour[k] = (b[0] * v[0][4 + k] * inv[0] + b[1] * v[1][4 + k] * inv[1] + b[2] * v[2][4 + k] * inv[2]) / iw;
			s->depth[at] = z;
			s->pixel[at] = soft_pack(colour);
		}
}

/* Corners in 1/256 pixel, y down. */
static bool soft_exact_inside(const int64_t v[3][2], int x, int y)
{
	int64_t area = (v[1][0] - v[0][0]) * (v[2][1] - v[0][1]) - (v[1][1] - v[0][1]) * (v[2][0] - v[0][0]);
	int64_t px = 256 * (int64_t)x + 128, py = 256 * (int64_t)y + 128;

	if (!area)
		return false;
	for (int k = 0; k < 3; k++) {
		/* in the order that turns clockwise on the screen, so that inside is to the right */
		const int64_t *a = v[area > 0 ? k : (k + 1) % 3], *b = v[area > 0 ? (k + 1) % 3 : k];
		int64_t side = (b[0] - a[0]) * (py - a[1]) - (b[1] - a[1]) * (px - a[0]);
		bool top = a[1] == b[1] && b[0] > a[0], left = b[1] < a[1];

		if (side < 0 || (side == 0 && !top && !left))
			return false;
	}
	return true;
}

#endif
