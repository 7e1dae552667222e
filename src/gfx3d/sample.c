/* sample.c - nearest texel, clamped (spec 02 section 1)
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "gfx3d/exec.h"

static float clamp01(float x)
{
	if (x < 0)
		return 0;
	return x > 1 ? 1 : x;
}

/* A coordinate that is not a number passes both clamps; its conversion gives the smallest integer, clamped to texel 0. */
static int texel(float u, int size, bool whole)
{
	float at = clamp01(u);
	int32_t i = csir_to_int(whole ? floorf(at * (float)size) : at * (float)(size - 1) + 0.5f);

	return i < 0 ? 0 : i >= size ? size - 1 : i;
}

void csir_sample_nearest(const struct csir_texture *texture, const struct g3_quirks *quirks, uint64_t mask, const struct csir_vec *at,
	struct csir_vec *out)
{
	bool bound = texture && texture->texels && texture->width > 0 && texture->height > 0;
	bool whole = G3_QUIRK(quirks, sample_texel) != 0, flipped = G3_QUIRK(quirks, sample_rows) != 0;
	float missing = G3_QUIRK(quirks, sample_unbound) ? 1 : 0;

	for (; mask; mask &= mask - 1) {
		unsigned t = (unsigned)__builtin_ctzll(mask);

		if (bound) {
			int x = texel(at->v[0][t], texture->width, whole), y = texel(at->v[1][t], texture->height, whole);
			size_t row = (size_t)(flipped ? texture->height - 1 - y : y);
			const uint8_t *bgra = texture->texels + (row * (size_t)texture->width + (size_t)x) * 4;

			out->v[0][t] = (float)bgra[2] / 255;
			out->v[1][t] = (float)bgra[1] / 255;
			out->v[2][t] = (float)bgra[0] / 255;
			out->v[3][t] = (float)bgra[3] / 255;
		} else {
			out->v[0][t] = out->v[1][t] = out->v[2][t] = 0;
			out->v[3][t] = missing;
		}
	}
}

void csir_plan_sample(const struct csir_plan *plan, int slot, uint64_t mask, const struct csir_vec *at, struct csir_vec *out)
{
	const struct csir_inputs *in = &plan->inputs;
	unsigned number = G3_QUIRK(&plan->quirks, sampler_slot) && slot > 0 ? (unsigned)slot : 0;

	if (in->sample)
		in->sample(in->sample_user, number, mask, at, out);
	else
		csir_sample_nearest(in->texture && number < CSIR_SAMPLER_MAX ? &in->texture[number] : NULL, &plan->quirks, mask, at, out);
}
