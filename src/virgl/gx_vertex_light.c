/* gx_vertex_light.c - vertex lighting as TGSI: the steps of light.c, in its order
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "virgl/gx_vertex.h"

enum { DIFFUSE_NONE, DIFFUSE_SIGNED, DIFFUSE_CLAMPED };
enum { ATTENUATION_SPECULAR = 1, ATTENUATION_SPOT = 3 };

struct control {
	bool vertex_material, lit, vertex_ambient;
	unsigned lights, diffuse, attenuation;
};

static struct control decode(unsigned word)
{
	return (struct control){word & 1, word >> 1 & 1, word >> 6 & 1, (word >> 2 & 15) | (word >> 11 & 15) << 4, word >> 7 & 3, word >> 9 & 3};
}

static struct gx_operand light_word(struct gx_vertex_writer *w, unsigned light, enum gx_xf_light which)
{
	return gx_xf(w, GX_XF_LIGHT + 8 * light + which);
}

static const char *temp(char s[24], unsigned number)
{
	snprintf(s, 24, "TEMP[%u]", number & 0xFFFF);
	return s;
}

/* Lane x of f = n / d; 1 or 0 where d is 0, as n is positive or not.  n, d: lanes x and y of `f`. */
static void divide(struct gx_vertex_writer *w, unsigned f)
{
	struct gx_text *t = &w->t;
	struct gx_operand zero = gx_float(t, 0);

	gx_op(t, "FSLT TEMP[%u].z, %s, TEMP[%u].xxxx", f, zero.s, f);
	gx_op(t, "AND TEMP[%u].z, TEMP[%u].zzzz, %s", f, f, gx_float(t, 1).s);
	gx_op(t, "FSEQ TEMP[%u].w, TEMP[%u].yyyy, %s", f, f, zero.s);
	gx_op(t, "DIV TEMP[%u].x, TEMP[%u].xxxx, TEMP[%u].yyyy", f, f, f);
	gx_op(t, "UCMP TEMP[%u].x, TEMP[%u].wwww, TEMP[%u].zzzz, TEMP[%u].xxxx", f, f, f, f);
}

/* Lane of v: what is not greater than 0 becomes 0, not-a-number too. */
static void positive(struct gx_vertex_writer *w, unsigned v, char lane)
{
	struct gx_text *t = &w->t;

	gx_op(t, "FSLT TEMP[%u].x, %s, TEMP[%u].%c%c%c%c", w->scratch, gx_float(t, 0).s, v, lane, lane, lane, lane);
	gx_op(t, "AND TEMP[%u].%c, TEMP[%u].%c%c%c%c, TEMP[%u].xxxx", v, lane, v, lane, lane, lane, lane, w->scratch);
}

/* Attenuation in lane x of f.  l: the direction, normalised. */
static void specular(struct gx_vertex_writer *w, unsigned light, bool normalized, unsigned l, unsigned f)
{
	struct gx_text *t = &w->t;
	unsigned powers = gx_temporary(t), k = gx_temporary(t);
	char a[24], b[24], c[24];

	gx_dot(w, temp(a, l), temp(b, w->vector[0]), f, 2);
	gx_dot(w, light_word(w, light, GX_LIGHT_DIRECTION).s, b, powers, 1);
	positive(w, powers, 'y');
	gx_op(t, "FSGE TEMP[%u].z, TEMP[%u].zzzz, %s", f, f, gx_float(t, 0).s);
	gx_op(t, "AND TEMP[%u].y, TEMP[%u].yyyy, TEMP[%u].zzzz", powers, powers, f);
	gx_op(t, "MUL TEMP[%u].z, TEMP[%u].yyyy, TEMP[%u].yyyy", powers, powers, powers);
	gx_op(t, "MOV TEMP[%u].x, %s", powers, gx_float(t, 1).s);
	gx_op(t, "MOV TEMP[%u], %s", k, light_word(w, light, GX_LIGHT_DISTANCE).s);
	if (normalized)
		gx_normalize(w, k);
	gx_dot(w, temp(a, powers), light_word(w, light, GX_LIGHT_ANGLE).s, f, 0);
	positive(w, f, 'x');
	gx_dot(w, a, temp(c, k), f, 1);
	divide(w, f);
}

/* l is not normalised yet: its length is the distance. */
static void spot(struct gx_vertex_writer *w, unsigned light, unsigned l, unsigned f)
{
	struct gx_text *t = &w->t;
	struct gx_operand a = light_word(w, light, GX_LIGHT_ANGLE), k = light_word(w, light, GX_LIGHT_DISTANCE);
	unsigned d = gx_temporary(t);
	char s[24];

	gx_dot(w, temp(s, l), s, d, 1);
	gx_op(t, "SQRT TEMP[%u].x, TEMP[%u].yyyy", d, d);
	gx_normalize(w, l);
	gx_dot(w, s, light_word(w, light, GX_LIGHT_DIRECTION).s, d, 2);
	positive(w, d, 'z');
	gx_op(t, "MUL TEMP[%u].x, %s.yyyy, TEMP[%u].zzzz", f, a.s, d);
	gx_op(t, "ADD TEMP[%u].x, %s.xxxx, TEMP[%u].xxxx", f, a.s, f);
	gx_op(t, "MUL TEMP[%u].y, %s.zzzz, TEMP[%u].zzzz", f, a.s, d);
	gx_op(t, "MUL TEMP[%u].y, TEMP[%u].yyyy, TEMP[%u].zzzz", f, f, d);
	gx_op(t, "ADD TEMP[%u].x, TEMP[%u].xxxx, TEMP[%u].yyyy", f, f, f);
	positive(w, f, 'x');
	gx_op(t, "MUL TEMP[%u].xy, %s.yzyz, TEMP[%u]", d, k.s, d);
	gx_op(t, "ADD TEMP[%u].y, %s.xxxx, TEMP[%u].xxxx", f, k.s, d);
	gx_op(t, "ADD TEMP[%u].y, TEMP[%u].yyyy, TEMP[%u].yyyy", f, f, d);
	divide(w, f);
}

/* Lanes x and y of the result: attenuation and diffuse factor. */
static unsigned light_factor(struct gx_vertex_writer *w, const struct control *c, unsigned light)
{
	struct gx_text *t = &w->t;
	unsigned l = gx_temporary(t), f = gx_temporary(t);
	char a[24], b[24];

	gx_op(t, "ADD TEMP[%u].xyz, %s, -TEMP[%u]", l, light_word(w, light, GX_LIGHT_POSITION).s, w->eye);
	switch (c->attenuation) {
	case ATTENUATION_SPECULAR:
		gx_normalize(w, l);
		specular(w, light, c->diffuse != DIFFUSE_NONE, l, f);
		break;
	case ATTENUATION_SPOT:
		spot(w, light, l, f);
		break;
	default:
		gx_normalize(w, l);
		gx_dot(w, temp(a, l), a, f, 0); /* a light where the vertex is shines along the normal */
		gx_op(t, "FSEQ TEMP[%u].x, TEMP[%u].xxxx, %s", f, f, gx_float(t, 0).s);
		gx_op(t, "UCMP TEMP[%u].xyz, TEMP[%u].xxxx, TEMP[%u], TEMP[%u]", l, f, w->vector[0], l);
		gx_op(t, "MOV TEMP[%u].x, %s", f, gx_float(t, 1).s);
		break;
	}
	if (c->diffuse == DIFFUSE_NONE)
		gx_op(t, "MOV TEMP[%u].y, %s", f, gx_float(t, 1).s);
	else
		gx_dot(w, temp(a, l), temp(b, w->vector[0]), f, 1);
	if (c->diffuse >= DIFFUSE_CLAMPED)
		positive(w, f, 'y');
	return f;
}

static void add_light(struct gx_vertex_writer *w, const struct control *colour, const struct control *alpha, unsigned light,
	unsigned sum)
{
	struct gx_text *t = &w->t;
	bool to_colour = colour->lit && colour->lights >> light & 1, to_alpha = alpha->lit && alpha->lights >> light & 1;
	bool same = colour->diffuse == alpha->diffuse && colour->attenuation == alpha->attenuation;
	struct gx_operand rgba = light_word(w, light, GX_LIGHT_COLOUR);
	unsigned f = 0;

	if (to_colour) {
		f = light_factor(w, colour, light);
		gx_op(t, "MUL TEMP[%u].z, TEMP[%u].xxxx, TEMP[%u].yyyy", f, f, f);
		gx_op(t, "MUL TEMP[%u].xyz, %s, TEMP[%u].zzzz", w->scratch, rgba.s, f);
		gx_op(t, "ADD TEMP[%u].xyz, TEMP[%u], TEMP[%u]", sum, sum, w->scratch);
	}
	if (to_alpha) {
		if (!to_colour || !same)
			f = light_factor(w, alpha, light);
		gx_op(t, "MUL TEMP[%u].x, %s.wwww, TEMP[%u].xxxx", w->scratch, rgba.s, f);
		gx_op(t, "MUL TEMP[%u].x, TEMP[%u].xxxx, TEMP[%u].yyyy", w->scratch, w->scratch, f);
		gx_op(t, "ADD TEMP[%u].w, TEMP[%u].wwww, TEMP[%u].xxxx", sum, sum, w->scratch);
	}
}

/* Material times the sum cut to 0..255, in the lanes of the mask. */
static void apply(struct gx_vertex_writer *w, unsigned sum, unsigned out, const char *mask)
{
	struct gx_text *t = &w->t;
	unsigned inside = gx_temporary(t), level = gx_temporary(t), material = gx_temporary(t);

	gx_op(t, "FSLT TEMP[%u].%s, %s, TEMP[%u]", inside, mask, gx_float(t, 0).s, sum);
	if (w->key->light_overflow) {
		gx_op(t, "FSLT TEMP[%u].%s, TEMP[%u], %s", level, mask, sum, gx_float(t, 2147483648.0f).s);
		gx_op(t, "AND TEMP[%u].%s, TEMP[%u], TEMP[%u]", inside, mask, inside, level);
	}
	gx_op(t, "MIN TEMP[%u].%s, TEMP[%u], %s", level, mask, sum, gx_float(t, 255).s);
	gx_op(t, "F2I TEMP[%u].%s, TEMP[%u]", level, mask, level);
	gx_op(t, "AND TEMP[%u].%s, TEMP[%u], TEMP[%u]", level, mask, level, inside);
	gx_op(t, "USHR TEMP[%u].%s, TEMP[%u], %s", inside, mask, level, gx_int(t, 7).s);
	gx_op(t, "UADD TEMP[%u].%s, TEMP[%u], TEMP[%u]", level, mask, level, inside);
	gx_op(t, "F2I TEMP[%u].%s, TEMP[%u]", material, mask, out);
	gx_op(t, "UMUL TEMP[%u].%s, TEMP[%u], TEMP[%u]", level, mask, level, material);
	gx_op(t, "USHR TEMP[%u].%s, TEMP[%u], %s", level, mask, level, gx_int(t, 8).s);
	gx_op(t, "I2F TEMP[%u].%s, TEMP[%u]", out, mask, level);
}

/* Lanes of `out` from the vertex or the register, colour and alpha by their own control. */
static void choose(struct gx_vertex_writer *w, unsigned channel, bool colour, bool alpha, unsigned constant, unsigned out)
{
	struct gx_text *t = &w->t;
	struct gx_operand reg = {""};
	char vertex[24];

	temp(vertex, w->in_colour[channel]);
	if (!colour || !alpha)
		reg = gx_xf(w, constant + channel);
	gx_op(t, "MOV TEMP[%u].xyz, %s", out, colour ? vertex : reg.s);
	gx_op(t, "MOV TEMP[%u].w, %s", out, alpha ? vertex : reg.s);
}

static void channel(struct gx_vertex_writer *w, unsigned n)
{
	struct gx_text *t = &w->t;
	struct control colour = decode(w->key->control[n][0]), alpha = decode(w->key->control[n][1]);
	unsigned lights = (colour.lit ? colour.lights : 0u) | (alpha.lit ? alpha.lights : 0u), sum;

	gx_part(t, "channel %u material", n);
	w->in_colour[n] = gx_temporary(t);
	if (w->in.colour[n]) {
		gx_op(t, "MAD TEMP[%u], IN[%u], %s, %s", w->in_colour[n], w->in.at_colour[n], gx_float(t, 255).s, gx_float(t, 0.5f).s);
		gx_op(t, "FLR TEMP[%u], TEMP[%u]", w->in_colour[n], w->in_colour[n]);
	}
	w->colour[n] = gx_temporary(t);
	choose(w, n, colour.vertex_material, alpha.vertex_material, GX_XF_MATERIAL, w->colour[n]);
	if (!colour.lit && !alpha.lit)
		return;
	sum = gx_temporary(t);
	gx_part(t, "channel %u ambient", n);
	choose(w, n, colour.vertex_ambient, alpha.vertex_ambient, GX_XF_AMBIENT, sum);
	for (; lights; lights &= lights - 1) {
		unsigned light = (unsigned)__builtin_ctz(lights);
		gx_part(t, "channel %u light %u", n, light);
		add_light(w, &colour, &alpha, light, sum);
	}
	gx_part(t, "channel %u sum", n);
	apply(w, sum, w->colour[n], colour.lit && alpha.lit ? "xyzw" : colour.lit ? "xyz" : "w");
}

void gx_vertex_light(struct gx_vertex_writer *w)
{
	for (unsigned n = 0; n < w->key->channels; n++)
		channel(w, n);
}
