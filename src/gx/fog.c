/* fog.c - fog: blends the combiner result toward the fog colour by depth
 *
 * Source: specification 06 section 6; where the models differ the quirks fog_round, fog_numerator and fog_range say so.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "core/bits.h"
#include "gx/lanes.h"
#include "gx/tev.h"

#define BP_FOG_RANGE 0xE8
#define BP_FOG_A 0xEE
#define BP_FOG_C 0xF1
#define XF_VIEWPORT 0x101A

static float register_float(uint32_t word)
{
	union {
		uint32_t u;
		float f;
	} c = {.u = bits(word, 19, 1) << 31 | bits(word, 11, 8) << 23 | bits(word, 0, 11) << 12};
	return c.f;
}

void fog_decode(const struct gx_machine *m, struct fog_draw *fog)
{
	const uint32_t *bp = m->state.bp;
	uint32_t a = bp[BP_FOG_A], c = bp[BP_FOG_C];

	fog->type = (uint8_t)bits(c, 21, 3);
	fog->orthographic = bits(c, 20, 1);
	fog->round = m->quirk[GX_QUIRK_fog_round];
	fog->numerator = (float)m->quirk[GX_QUIRK_fog_numerator];
	fog->range_model = m->quirk[GX_QUIRK_fog_range];
	fog->a = register_float(a);
	fog->c = register_float(c);
	fog->special = bits(a, 11, 8) == 255 && bits(c, 11, 8) == 255;
	if (fog->special) { /* fact 38: fogged only when both signs are positive */
		fog->a = 0;
		fog->c = bits(a, 19, 1) || bits(c, 19, 1) ? INFINITY : -INFINITY;
	}
	fog->b_magnitude = bits(bp[BP_FOG_A + 1], 0, 24);
	fog->b_shift = bits(bp[BP_FOG_A + 2], 0, 5);
	fog->range = bits(bp[BP_FOG_RANGE], 10, 1);
	fog->centre = (int32_t)bits(bp[BP_FOG_RANGE], 0, 10);
	fog->k[0] = 1;
	for (unsigned i = 0; i < 10; i++) {
		unsigned high = fog->range_model ? ~i & 1 : i & 1; /* Dolphin takes the upper entry of a register first */
		fog->k[i + 1] = (float)bits(bp[BP_FOG_RANGE + 1 + i / 2], 12 * high, 12) / 256.0f;
	}
	fog->colour[0] = (uint8_t)bits(bp[0xF2], 16, 8);
	fog->colour[1] = (uint8_t)bits(bp[0xF2], 8, 8);
	fog->colour[2] = (uint8_t)bits(bp[0xF2], 0, 8);
}

/* Ratio of ray length to depth in steps of 32 columns from the centre; k[0] is the centre itself (09 #30). */
static float range_table(const struct fog_draw *fog, int32_t x)
{
	int32_t distance = x + 342 - fog->centre, i;

	distance = distance < 0 ? -distance : distance;
	i = distance >> 5;
	if (i > 9)
		return fog->k[10];
	return fog->k[i] + (fog->k[i + 1] - fog->k[i]) * (float)(distance & 31) / 32.0f;
}

/* Dolphin SW Tev: the table indexed from the border inward, entries times 4, then the hypotenuse. */
static float range_dolphin(const struct fog_draw *fog, int32_t x, float viewport)
{
	float offset = (float)(x - (fog->centre - 342)) / viewport, index = 9.0f - fabsf(offset) * 9.0f, part, k;
	int i;

	index = index > 0 ? index < 9 ? index : 9 : 0;
	i = (int)index;
	part = (float)(i + 1) - index;
	k = fog->k[i + 1] * 4 * part + (i < 9 ? fog->k[i + 2] * 4 : 0) * (1 - part);
	return sqrtf(offset * offset + k * k) / k;
}

/* Fog parts of 256 for a fragment. */
static unsigned fog_factor(const struct fog_draw *fog, uint32_t z, int32_t x, float viewport)
{
	float f;

	if (fog->special)
		f = 0;
	else if (fog->orthographic)
		f = fog->a * ((float)z / fog->numerator);
	else
		f = fog->a * fog->numerator / (float)((int32_t)fog->b_magnitude - (int32_t)(z >> fog->b_shift));
	if (fog->range)
		f *= fog->range_model ? range_dolphin(fog, x, viewport) : range_table(fog, x);
	f -= fog->c;
	f = f > 0 ? f < 1 ? f : 1 : 0; /* NaN counts as no fog */
	switch (fog->type) {
	case 4:
		f = 1.0f - powf(2.0f, -8.0f * f);
		break;
	case 5:
		f = 1.0f - powf(2.0f, -8.0f * f * f);
		break;
	case 6:
		f = 1.0f - f;
		f = powf(2.0f, -8.0f * f);
		break;
	case 7:
		f = 1.0f - f;
		f = powf(2.0f, -8.0f * f * f);
		break;
	default:
		break;
	}
	return (unsigned)(f * 256.0f + (fog->round ? 0.5f : 0.0f));
}

GX_HOT void gx_fog_run(struct gx_machine *m, struct gx_batch *b)
{
	const struct fog_draw *fog = m->tev ? &m->tev->fog : NULL;
	float viewport = gx_xf_float(&m->state, XF_VIEWPORT);
	uint16_t factor[GX_BATCH] = {0};

	if (!fog || !fog->type)
		return;
	for (unsigned i = 0; i < b->fragments; i++)
		if (b->live[i])
			factor[i] = (uint16_t)fog_factor(fog, b->z[i], b->x[i / 4] + (int)(i & 1), viewport);
	for (unsigned channel = 0; channel < 3; channel++)
		for (unsigned i = 0; i < GX_BATCH; i++)
			b->out[channel][i] =
				(int16_t)((b->out[channel][i] * (256 - factor[i]) + fog->colour[channel] * factor[i]) >> 8);
	for (unsigned i = 0; b->record && i < b->fragments; i++) {
		struct qs_fragment *f = &b->record[i / 4].fragment[i % 4];
		if (!b->live[i])
			continue;
		f->fog = (uint8_t)(factor[i] > 255 ? 255 : factor[i]);
		for (unsigned channel = 0; channel < 3; channel++)
			f->source[channel] = (uint8_t)b->out[channel][i];
	}
}
