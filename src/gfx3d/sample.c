/* sample.c - nearest texel, clamped (spec 02 section 1)
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "gfx3d/exec.h"
#include "gfx3d/lanes.h"

/* A coordinate that is not a number passes both clamps; its conversion gives the smallest integer, clamped to texel 0. */
static g3_mask texel(g3_four u, int size, bool whole)
{
	g3_four at = g3_pick(u < g3_splat(0), g3_splat(0), g3_pick(u > g3_splat(1), g3_splat(1), u));
	g3_mask number = at == at, last = {size - 1, size - 1, size - 1, size - 1}, i, over;

	/* what is not negative is rounded down by the conversion */
	at = whole ? at * g3_splat((float)size) : at * g3_splat((float)(size - 1)) + g3_splat(0.5f);
	i = __builtin_convertvector(g3_pick(number, at, g3_splat(0)), g3_mask);
	over = i >= last;
	return (over & last) | (~over & i);
}

void csir_sample_nearest(const struct csir_texture *texture, const struct g3_quirks *quirks, uint64_t mask, const struct csir_vec *at,
	struct csir_vec *out)
{
	bool bound = texture && texture->texels && texture->width > 0 && texture->height > 0;
	bool whole = G3_QUIRK(quirks, sample_texel) != 0, flipped = G3_QUIRK(quirks, sample_rows) != 0;
	float missing = G3_QUIRK(quirks, sample_unbound) ? 1 : 0;

	for (unsigned q = 0; q < CSIR_THREADS; q += 4) {
		unsigned live = (unsigned)(mask >> q) & 15;
		g3_mask x, y;

		if (!live)
			continue;
		if (bound) {
			x = texel(*(const g3_four *)&at->v[0][q], texture->width, whole);
			y = texel(*(const g3_four *)&at->v[1][q], texture->height, whole);
		}
		for (unsigned i = 0; i < 4; i++) {
			g3_four color = {0, 0, 0, missing};

			if (!(live >> i & 1))
				continue;
			if (bound) {
				size_t row = (size_t)(flipped ? texture->height - 1 - y[i] : y[i]);
				const uint8_t *bgra = texture->texels + (row * (size_t)texture->width + (size_t)x[i]) * 4;

				color = (g3_four){(float)bgra[2], (float)bgra[1], (float)bgra[0], (float)bgra[3]} / g3_splat(255);
			}
			for (unsigned k = 0; k < 4; k++)
				out->v[k][q + i] = color[k];
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
