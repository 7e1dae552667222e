/* sampler.c- textures with filter, wrap and mipmaps (an extension: the original samples nearest and clamps)
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "gfx3d/raster.h"

struct lookup {
	const struct g3_texture *texture;
	const struct qs_gfx3d_sampler *sampler;
	bool flip; /* quirk sample_rows */
};

static int wrap(int i, int size, uint8_t mode)
{
	int period;

	switch (mode) {
	case QS_GFX3D_REPEAT:
		i %= size;
		return i < 0 ? i + size : i;
	case QS_GFX3D_MIRROR:
		period = 2 * size;
		i %= period;
		i = i < 0 ? i + period : i;
		return i < size ? i : period - 1 - i;
	default:
		return i < 0 ? 0 : i >= size ? size - 1 : i;
	}
}

static int level_size(int size, int level)
{
	return size >> level > 1 ? size >> level : 1;
}

static void texel(const struct lookup *l, int level, int x, int y, float out[4])
{
	int width = level_size(l->texture->width, level), height = level_size(l->texture->height, level);
	const uint8_t *p;

	x = wrap(x, width, l->sampler->wrap_s);
	y = wrap(y, height, l->sampler->wrap_t);
	y = l->flip ? height - 1 - y : y;
	p = l->texture->level[level]->data + 4 * ((size_t)y * (size_t)width + (size_t)x);
	out[0] = (float)p[2] / 255.0f;
	out[1] = (float)p[1] / 255.0f;
	out[2] = (float)p[0] / 255.0f;
	out[3] = (float)p[3] / 255.0f;
}

/* Coordinates so far out that a float has no fraction left cannot be told apart anyway. */
static float tame(float x)
{
	return x > -16777216.0f && x < 16777216.0f ? x : 0;
}

static void sample_level(const struct lookup *l, int level, bool linear, float u, float v, float out[4])
{
	float x = tame(u * (float)level_size(l->texture->width, level)), y = tame(v * (float)level_size(l->texture->height, level));
	float t[4][4], fx, fy;
	int x0, y0;

	if (!linear) {
		texel(l, level, (int)floorf(x), (int)floorf(y), out);
		return;
	}
	x0 = (int)floorf(x - 0.5f);
	y0 = (int)floorf(y - 0.5f);
	fx = x - 0.5f - (float)x0;
	fy = y - 0.5f - (float)y0;
	for (int i = 0; i < 4; i++)
		texel(l, level, x0 + i % 2, y0 + i / 2, t[i]);
	for (int k = 0; k < 4; k++) {
		float top = t[0][k] + (t[1][k] - t[0][k]) * fx, bottom = t[2][k] + (t[3][k] - t[2][k]) * fx;

		out[k] = top + (bottom - top) * fy;
	}
}

/* Level of detail from the differences of the coordinates in the fragment's quad, in texels of level 0. */
static float lod(const struct lookup *l, const struct csir_vec *at, unsigned i)
{
	unsigned q = i & ~3u;
	float width = (float)l->texture->width, height = (float)l->texture->height;
	float sx = (at->v[0][q + 1] - at->v[0][q]) * width, tx = (at->v[1][q + 1] - at->v[1][q]) * height;
	float sy = (at->v[0][q + 2] - at->v[0][q]) * width, ty = (at->v[1][q + 2] - at->v[1][q]) * height;
	float a = sx * sx + tx * tx, b = sy * sy + ty * ty, largest = a > b ? a : b;
	float value = (largest > 0 ? 0.5f * log2f(largest) : -126.0f) + l->sampler->lod_bias;

	value = value < l->sampler->min_lod ? l->sampler->min_lod : value > l->sampler->max_lod ? l->sampler->max_lod : value;
	return isfinite(value) ? value : 0;
}

static void sample_one(const struct lookup *l, float level, float u, float v, float out[4])
{
	const struct qs_gfx3d_sampler *s = l->sampler;
	bool linear = (level > 0 ? s->min : s->mag) == QS_GFX3D_LINEAR;
	int last = l->texture->levels - 1, base;
	float fraction, next[4];

	if (s->mip == QS_GFX3D_NO_MIPS || level <= 0 || !last) {
		sample_level(l, 0, linear, u, v, out);
		return;
	}
	level = level > (float)last ? (float)last : level;
	if (s->mip == QS_GFX3D_NEAREST) {
		sample_level(l, (int)(level + 0.5f), linear, u, v, out);
		return;
	}
	base = (int)level;
	fraction = level - (float)base;
	sample_level(l, base, linear, u, v, out);
	if (base == last || fraction == 0)
		return;
	sample_level(l, base + 1, linear, u, v, next);
	for (int k = 0; k < 4; k++)
		out[k] += (next[k] - out[k]) * fraction;
}

void g3_sample(void *user, unsigned slot, uint64_t mask, const struct csir_vec *at, struct csir_vec *out)
{
	struct g3_draw *d = user;
	unsigned unit = G3_QUIRK(&d->g->quirks, sampler_slot) ? slot : 0;
	struct lookup l = {.flip = G3_QUIRK(&d->g->quirks, sample_rows) != 0};

	if (unit >= QS_GFX3D_UNITS) /* there are as many units as samplers */
		unit = 0;
	l.texture = g3_texture(d->g, d->c->slot.owner, d->c->texture[unit]);
	l.sampler = &d->c->sampler[unit];
	for (unsigned i = 0; i < G3_FRAGMENTS; i++) {
		float texel_value[4] = {0, 0, 0, G3_QUIRK(&d->g->quirks, sample_unbound) ? 1.0f : 0.0f};

		if (!(mask >> i & 1))
			continue;
		if (l.texture && l.texture->level[0])
			sample_one(&l, lod(&l, at, i), at->v[0][i], at->v[1][i], texel_value);
		for (int k = 0; k < 4; k++)
			out->v[k][i] = texel_value[k];
	}
}

bool g3_sample_needed(const struct qs_gfx3d *g, const struct g3_context *c)
{
	static const struct qs_gfx3d_sampler plain = {.mip = QS_GFX3D_NO_MIPS};

	if (!G3_QUIRK(&g->quirks, sampler_state))
		return false;
	for (int u = 0; u < QS_GFX3D_UNITS; u++) {
		const struct qs_gfx3d_sampler *s = &c->sampler[u];

		if (s->min != plain.min || s->mag != plain.mag || s->mip != plain.mip || s->wrap_s || s->wrap_t)
			return true;
	}
	return false;
}
