/* light.c - vertex lighting (spec 02 section 6)
 *
 * COLORc/ALPHAc control  14..11 10  9   8..7  6   5..2  1     0
 *                        [l4-7][at][ae][diff][amb][l0-3][lit][mat]      ae at: 0x none, 10 specular, 11 spot
 * light n at 0x600+16n   3 colour, 4-6 cosine a, 7-9 distance k, 10-12 position, 13-15 direction
 *
 * Sums are single precision in the order of Dolphin SW TransformUnit: colours add c*(att*diff), alpha adds (c*att)*diff.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "core/bits.h"
#include "gx/front.h"
#include "gx/machine.h"

enum { DIFFUSE_NONE, DIFFUSE_SIGNED, DIFFUSE_CLAMPED };
enum { ATTENUATION_SPECULAR = 1, ATTENUATION_SPOT = 3 }; /* bits 10:9; 0 and 2: none */

struct control {
	bool vertex_material, lit, vertex_ambient;
	uint8_t lights, diffuse, attenuation;
};

struct factor {
	float attenuation, diffuse;
};

static struct control decode(uint32_t word)
{
	return (struct control){
		.vertex_material = bits(word, 0, 1),
		.lit = bits(word, 1, 1),
		.vertex_ambient = bits(word, 6, 1),
		.lights = (uint8_t)(bits(word, 2, 4) | bits(word, 11, 4) << 4),
		.diffuse = (uint8_t)bits(word, 7, 2),
		.attenuation = (uint8_t)bits(word, 9, 2),
	};
}

static float divide(float n, float d)
{
	return d == 0 ? (n > 0 ? 1.0f : 0.0f) : n / d;
}

static void load(const struct gx_machine *m, unsigned light, unsigned word, float out[3])
{
	for (unsigned i = 0; i < 3; i++)
		out[i] = xf_number(m, gx_xf_float(&m->state, 0x600 + 16 * light + word + i));
}

static float specular(const float a[3], const float k[3], float facing, float half)
{
	float h = facing >= 0 ? xf_positive(half) : 0;
	float powers[3] = {1, h, h * h};

	return divide(xf_positive(xf_dot(powers, a)), xf_dot(powers, k));
}

static float spot(const float a[3], const float k[3], float cosine, float distance, float distance2)
{
	float c = xf_positive(cosine);
	float angle = a[0] + a[1] * c + a[2] * c * c;

	return divide(xf_positive(angle), k[0] + k[1] * distance + k[2] * distance2);
}

static struct factor light_factor(const struct gx_machine *m, const struct gx_vertex *v, const struct control *c, unsigned light)
{
	bool keep_zero = !m->quirk[GX_QUIRK_zero_vector];
	const float *n = v->eye_normal;
	struct factor f = {1, 1};
	float a[3], k[3], l[3], direction[3];

	load(m, light, 4, a);
	load(m, light, 7, k);
	load(m, light, 10, l);
	load(m, light, 13, direction);
	for (unsigned i = 0; i < 3; i++)
		l[i] -= v->eye[i];
	switch (c->attenuation) {
	case ATTENUATION_SPECULAR:
		xf_normalize(l, keep_zero);
		if (c->diffuse != DIFFUSE_NONE)
			xf_normalize(k, keep_zero);
		f.attenuation = specular(a, k, xf_dot(l, n), xf_dot(direction, n));
		break;
	case ATTENUATION_SPOT: {
		float distance2 = xf_dot(l, l), distance = sqrtf(distance2);
		xf_normalize(l, keep_zero);
		f.attenuation = spot(a, k, xf_dot(l, direction), distance, distance2);
		break;
	}
	default:
		xf_normalize(l, keep_zero);
		if (l[0] == 0 && l[1] == 0 && l[2] == 0)
			memcpy(l, n, sizeof l);
		break;
	}
	if (c->diffuse != DIFFUSE_NONE)
		f.diffuse = xf_dot(l, n);
	if (c->diffuse >= DIFFUSE_CLAMPED)
		f.diffuse = xf_positive(f.diffuse);
	return f;
}

/* Sum to 0..255.  Conversions out of range are undefined in C, and x86 gives the most negative integer. */
static unsigned level(const struct gx_machine *m, float sum)
{
	if (m->quirk[GX_QUIRK_light_overflow] && !(sum < 2147483648.0f))
		return 0;
	return sum >= 255 ? 255 : sum > 0 ? (unsigned)sum : 0;
}

static uint8_t apply(unsigned material, unsigned l)
{
	return (uint8_t)((material * (l + (l >> 7))) >> 8); /* spec 08 fact 14 */
}

/* RGBA8 register, red in the top byte. */
static void unpack(uint32_t word, uint8_t out[4])
{
	for (unsigned i = 0; i < 4; i++)
		out[i] = (uint8_t)(word >> (24 - 8 * i));
}

/* Channels that something downstream reads: the rasteriser's count, XF's own, or a colour texgen. */
unsigned gx_xf_channels(const struct gx_machine *m)
{
	const struct gx_state *s = &m->state;
	unsigned count = bits(s->xf[0x1009], 0, 2), ncol = bits(s->bp[0], 4, 3);

	count = count > ncol ? count : ncol;
	for (unsigned i = 0, n = bits(s->xf[0x103F], 0, 4); count < 2 && i < 8 && i < n; i++) {
		unsigned type = bits(s->xf[0x1040 + i], 4, 3);
		if ((type == 2 || type == 3) && count < type - 1)
			count = type - 1;
	}
	return count > 2 ? 2 : count;
}

/* Sums of ambient and lights; alpha by its own control. */
static void sum_lights(const struct gx_machine *m, const struct gx_vertex *v, const struct control *colour,
	const struct control *alpha, float sum[4])
{
	bool same = colour->diffuse == alpha->diffuse && colour->attenuation == alpha->attenuation;
	unsigned lights = (colour->lit ? colour->lights : 0u) | (alpha->lit ? alpha->lights : 0u);

	for (; lights; lights &= lights - 1) {
		unsigned light = (unsigned)__builtin_ctz(lights);
		bool to_colour = colour->lit && colour->lights >> light & 1, to_alpha = alpha->lit && alpha->lights >> light & 1;
		struct factor f = {0, 0};
		uint8_t rgba[4];
		unpack(m->state.xf[0x603 + 16 * light], rgba);
		if (to_colour) {
			f = light_factor(m, v, colour, light);
			float scale = f.attenuation * f.diffuse;
			for (unsigned i = 0; i < 3; i++)
				sum[i] += (float)rgba[i] * scale;
		}
		if (to_alpha) {
			if (!to_colour || !same)
				f = light_factor(m, v, alpha, light);
			sum[3] += (float)rgba[3] * f.attenuation * f.diffuse;
		}
	}
}

static void light_channel(const struct gx_machine *m, struct gx_vertex *v, unsigned channel)
{
	const uint32_t *xf = m->state.xf;
	struct control colour = decode(xf[0x100E + channel]), alpha = decode(xf[0x1010 + channel]);
	const uint8_t *in = v->in_colour[channel];
	uint8_t *out = v->colour[channel], ambient[4];
	float sum[4];

	unpack(xf[0x100C + channel], out);
	if (colour.vertex_material)
		memcpy(out, in, 3);
	if (alpha.vertex_material)
		out[3] = in[3];
	if (!colour.lit && !alpha.lit)
		return;
	unpack(xf[0x100A + channel], ambient);
	for (unsigned i = 0; i < 4; i++)
		sum[i] = (i < 3 ? colour : alpha).vertex_ambient ? in[i] : ambient[i];
	sum_lights(m, v, &colour, &alpha, sum);
	for (unsigned i = 0; i < 4; i++)
		if (i < 3 ? colour.lit : alpha.lit)
			out[i] = apply(out[i], level(m, sum[i]));
}

void gx_xf_light(const struct gx_machine *m, struct gx_vertex *v)
{
	unsigned count = gx_xf_channels(m);

	memset(v->colour, 0, sizeof v->colour);
	for (unsigned i = 0; i < count; i++)
		light_channel(m, v, i);
}
