/* gx_sample.c - the texture unit as TGSI: level of detail, wrap, taps, filter
 *
 * The same arithmetic as tx.c and tx_lod.c.  A texture with several levels is one picture: level l begins at row
 * 2h - (2h >> l) + l, h the height's next power of two (gx_texture.c puts it there).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "virgl/gx_shader.h"

struct sampler {
	const struct gx_key_map *map;
	unsigned number;
	unsigned size;   /* constant: width - 1, height - 1, 2h, bias */
	unsigned choice; /* x level, y fraction of the next, z all ones when linear */
	bool leveled, dynamic_filter, linear;
};

/* The difference of the top left pixel to its neighbours, as all four pixels of a quad use it.  Hosts give each row its own
 * horizontal difference and each column its own vertical one; what is beyond the top left ones is taken off again. */
static void derivative(struct gx_fragment *f, const struct sampler *s, unsigned uv, unsigned out)
{
	struct gx_text *t = &f->t;
	unsigned d = gx_temporary(t), beyond = gx_temporary(t), odd = gx_temporary(t);

	gx_op(t, "DDX TEMP[%u].xy, TEMP[%u].xyxy", d, uv);
	gx_op(t, "DDY TEMP[%u].zw, TEMP[%u].xyxy", d, uv);
	gx_op(t, "DDY TEMP[%u].xy, TEMP[%u].xyxy", beyond, d);
	gx_op(t, "DDX TEMP[%u].zw, TEMP[%u].zwzw", beyond, d);
	gx_op(t, "AND TEMP[%u], TEMP[%u].yyxx, %s", odd, f->position, gx_int(t, 1).s);
	gx_op(t, "I2F TEMP[%u], TEMP[%u]", odd, odd);
	gx_op(t, "MUL TEMP[%u], TEMP[%u], TEMP[%u]", beyond, beyond, odd);
	gx_op(t, "ADD TEMP[%u], TEMP[%u], -TEMP[%u]", d, d, beyond);
	gx_op(t, "MAX TEMP[%u], TEMP[%u], -TEMP[%u]", d, d, d);
	gx_op(t, "%s TEMP[%u].xy, TEMP[%u].xyxy, TEMP[%u].zwzw", s->map->diagonal ? "ADD" : "MAX", d, d, d);
	gx_op(t, "MAX TEMP[%u].x, TEMP[%u].xxxx, TEMP[%u].yyyy", out, d, d);
}

/* Steps of choose() in tx_lod.c. */
static void choose_level(struct gx_fragment *f, struct sampler *s, unsigned uv)
{
	struct gx_text *t = &f->t;
	unsigned bits = f->key->fraction_bits, lod = gx_temporary(t), limits;
	struct gx_operand zero = gx_int(t, 0);

	derivative(f, s, uv, lod);
	gx_op(t, "AND TEMP[%u].x, TEMP[%u].xxxx, %s", lod, lod, gx_int(t, 0x7FFFFFFF).s);
	gx_op(t, "USHR TEMP[%u].x, TEMP[%u].xxxx, %s", lod, lod, gx_int(t, (int)(23 - bits)).s);
	gx_op(t, "UADD TEMP[%u].x, TEMP[%u].xxxx, %s", lod, lod, gx_int(t, -(127 << bits)).s);
	gx_op(t, "ISHR TEMP[%u].y, CONST[0][%u].wwww, %s", lod, s->size, gx_int(t, (int)(5 - bits)).s);
	gx_op(t, "UADD TEMP[%u].x, TEMP[%u].xxxx, TEMP[%u].yyyy", lod, lod, lod);
	if (s->dynamic_filter) { /* before the clamp */
		gx_op(t, "ISLT TEMP[%u].z, %s, TEMP[%u].xxxx", s->choice, zero.s, lod);
		if (s->map->mag_linear)
			gx_op(t, "NOT TEMP[%u].z, TEMP[%u].zzzz", s->choice, s->choice);
	}
	if (!s->map->mip)
		return;
	limits = gx_constant(t, GX_CONSTANT_LOD, s->number);
	/* with min > max it is max that holds for what lies above, min for what lies below */
	gx_op(t, "ISLT TEMP[%u].y, CONST[0][%u].yyyy, TEMP[%u].xxxx", lod, limits, lod);
	gx_op(t, "IMAX TEMP[%u].x, TEMP[%u].xxxx, CONST[0][%u].xxxx", lod, lod, limits);
	gx_op(t, "UCMP TEMP[%u].x, TEMP[%u].yyyy, CONST[0][%u].yyyy, TEMP[%u].xxxx", lod, lod, limits, lod);
	gx_op(t, "IMAX TEMP[%u].x, TEMP[%u].xxxx, %s", lod, lod, zero.s);
	if (s->map->mip == 1)
		gx_op(t, "UADD TEMP[%u].x, TEMP[%u].xxxx, %s", lod, lod, gx_int(t, 1 << (bits - 1)).s);
	gx_op(t, "USHR TEMP[%u].x, TEMP[%u].xxxx, %s", s->choice, lod, gx_int(t, (int)bits).s);
	if (s->map->mip == 2)
		gx_op(t, "AND TEMP[%u].y, TEMP[%u].xxxx, %s", s->choice, lod, gx_int(t, (1 << bits) - 1).s);
}

/* Wraps the lane of `c` that `letter` names; mask: width - 1 or height - 1 of the level. */
static void wrap(struct gx_fragment *f, unsigned mode, char letter, unsigned c, const char *mask, unsigned scratch)
{
	struct gx_text *t = &f->t;

	switch (mode) {
	case 1:
		gx_op(t, "AND TEMP[%u].%c, TEMP[%u], %s", c, letter, c, mask);
		break;
	case 2:
		gx_op(t, "UADD TEMP[%u].%c, %s, %s", scratch, letter, mask, gx_int(t, 1).s);
		gx_op(t, "AND TEMP[%u].%c, TEMP[%u], TEMP[%u]", scratch, letter, c, scratch);
		gx_op(t, "USNE TEMP[%u].%c, TEMP[%u], %s", scratch, letter, scratch, gx_int(t, 0).s);
		gx_op(t, "XOR TEMP[%u].%c, TEMP[%u], TEMP[%u]", c, letter, c, scratch);
		gx_op(t, "AND TEMP[%u].%c, TEMP[%u], %s", c, letter, c, mask);
		break;
	default:
		gx_op(t, "IMAX TEMP[%u].%c, TEMP[%u], %s", c, letter, c, gx_int(t, 0).s);
		gx_op(t, "IMIN TEMP[%u].%c, TEMP[%u], %s", c, letter, c, mask);
	}
}

/* Texel at x, y given as lanes of taps (x0 y0 x1 y1), rows of the level begin at `row`. */
static void fetch(struct gx_fragment *f, const struct sampler *s, const char *x, const char *y, unsigned row, unsigned out)
{
	struct gx_text *t = &f->t;
	unsigned place = gx_temporary(t);

	gx_op(t, "MOV TEMP[%u].x, %s", place, x);
	if (s->leveled)
		gx_op(t, "UADD TEMP[%u].y, %s, TEMP[%u].xxxx", place, y, row);
	else
		gx_op(t, "MOV TEMP[%u].y, %s", place, y);
	gx_op(t, "MOV TEMP[%u].zw, %s", place, gx_int(t, 0).s);
	gx_op(t, "TXF TEMP[%u], TEMP[%u], SAMP[%u], 2D", out, place, s->number);
	gx_op(t, "MAD TEMP[%u], TEMP[%u], %s, %s", out, out, gx_float(t, 255).s, gx_float(t, 0.5f).s);
	gx_op(t, "F2I TEMP[%u], TEMP[%u]", out, out);
}

/* Fractions in lanes zw of `at`, taps in texel[0..3]: 7-bit weights and one shift. */
static void filter_exact(struct gx_fragment *f, unsigned at, const unsigned texel[4], unsigned out)
{
	struct gx_text *t = &f->t;
	unsigned w = gx_temporary(t);

	gx_op(t, "INEG TEMP[%u].xy, TEMP[%u].zwzw", w, at);
	gx_op(t, "UADD TEMP[%u].xy, TEMP[%u].xyxy, %s", w, w, gx_int(t, 128).s); /* 128 - fs, 128 - ft */
	gx_op(t, "MOV TEMP[%u].zw, TEMP[%u]", w, at);
	gx_op(t, "UMUL TEMP[%u], TEMP[%u].xzxz, TEMP[%u].yyww", w, w, w);
	gx_op(t, "UMUL TEMP[%u], TEMP[%u], TEMP[%u].xxxx", out, texel[0], w);
	gx_op(t, "UMAD TEMP[%u], TEMP[%u], TEMP[%u].yyyy, TEMP[%u]", out, texel[1], w, out);
	gx_op(t, "UMAD TEMP[%u], TEMP[%u], TEMP[%u].zzzz, TEMP[%u]", out, texel[2], w, out);
	gx_op(t, "UMAD TEMP[%u], TEMP[%u], TEMP[%u].wwww, TEMP[%u]", out, texel[3], w, out);
	gx_op(t, "USHR TEMP[%u], TEMP[%u], %s", out, out, gx_int(t, 14).s);
}

/* a + (b - a) * weight >> bits; a and b are not negative, so this is (a*(one - w) + b*w) >> bits. */
static void mix(struct gx_fragment *f, unsigned a, unsigned b, const char *weight, unsigned bits, unsigned out)
{
	struct gx_text *t = &f->t;
	unsigned d = gx_temporary(t);

	gx_op(t, "INEG TEMP[%u], TEMP[%u]", d, a);
	gx_op(t, "UADD TEMP[%u], TEMP[%u], TEMP[%u]", d, d, b);
	gx_op(t, "UMUL TEMP[%u], TEMP[%u], %s", d, d, weight);
	gx_op(t, "SHL TEMP[%u], TEMP[%u], %s", out, a, gx_int(t, (int)bits).s);
	gx_op(t, "UADD TEMP[%u], TEMP[%u], TEMP[%u]", out, out, d);
	gx_op(t, "USHR TEMP[%u], TEMP[%u], %s", out, out, gx_int(t, (int)bits).s);
}

static void filter_steps(struct gx_fragment *f, unsigned at, const unsigned texel[4], unsigned out)
{
	struct gx_text *t = &f->t;
	unsigned six = gx_temporary(t), bottom = gx_temporary(t), top = gx_temporary(t);

	gx_op(t, "USHR TEMP[%u].xy, TEMP[%u].zwzw, %s", six, at, gx_int(t, 1).s);
	mix(f, texel[0], texel[1], gx_lane(six, 0).s, 6, top);
	mix(f, texel[2], texel[3], gx_lane(six, 0).s, 6, bottom);
	mix(f, top, bottom, gx_lane(six, 1).s, 6, out);
}

/* One level: coordinates in st.xy, its number in lane x of `level` when the texture has several. */
static unsigned sample_level(struct gx_fragment *f, const struct sampler *s, unsigned st, unsigned level)
{
	struct gx_text *t = &f->t;
	unsigned at = gx_temporary(t), taps = gx_temporary(t), scratch = gx_temporary(t), mask = gx_temporary(t), row = 0;
	unsigned texel[4], out = gx_temporary(t);
	char mask_text[24];

	if (s->leveled) {
		row = gx_temporary(t);
		gx_op(t, "ISHR TEMP[%u].xy, TEMP[%u].xyxy, TEMP[%u].xxxx", at, st, level);
		gx_op(t, "USHR TEMP[%u].xy, CONST[0][%u].xyxy, TEMP[%u].xxxx", mask, s->size, level);
		gx_op(t, "USHR TEMP[%u].x, CONST[0][%u].zzzz, TEMP[%u].xxxx", row, s->size, level);
		gx_op(t, "INEG TEMP[%u].x, TEMP[%u].xxxx", row, row);
		gx_op(t, "UADD TEMP[%u].x, TEMP[%u].xxxx, CONST[0][%u].zzzz", row, row, s->size);
		gx_op(t, "UADD TEMP[%u].x, TEMP[%u].xxxx, TEMP[%u].xxxx", row, row, level);
	} else {
		gx_op(t, "MOV TEMP[%u].xy, TEMP[%u]", at, st);
		gx_op(t, "MOV TEMP[%u].xy, CONST[0][%u]", mask, s->size);
	}
	if (s->dynamic_filter) {
		gx_op(t, "AND TEMP[%u].x, TEMP[%u].zzzz, %s", scratch, s->choice, gx_int(t, -64).s);
		gx_op(t, "UADD TEMP[%u].xy, TEMP[%u].xyxy, TEMP[%u].xxxx", at, at, scratch);
	} else if (s->linear) {
		gx_op(t, "UADD TEMP[%u].xy, TEMP[%u].xyxy, %s", at, at, gx_int(t, -64).s);
	}
	if (s->linear) {
		gx_op(t, "AND TEMP[%u].zw, TEMP[%u].xyxy, %s", at, at, gx_int(t, 127).s);
		if (s->dynamic_filter)
			gx_op(t, "AND TEMP[%u].zw, TEMP[%u], TEMP[%u].zzzz", at, at, s->choice);
	}
	gx_op(t, "ISHR TEMP[%u].xy, TEMP[%u].xyxy, %s", taps, at, gx_int(t, 7).s);
	if (s->linear)
		gx_op(t, "UADD TEMP[%u].zw, TEMP[%u].xyxy, %s", taps, taps, gx_int(t, 1).s);
	for (unsigned k = 0; k < (s->linear ? 4u : 2u); k++) {
		snprintf(mask_text, sizeof mask_text, "TEMP[%u].%s", mask & 0xFFFF, k & 1 ? "yyyy" : "xxxx");
		wrap(f, k & 1 ? s->map->wrap_t : s->map->wrap_s, "xyzw"[k], taps, mask_text, scratch);
	}
	for (unsigned k = 0; k < (s->linear ? 4u : 1u); k++) {
		texel[k] = k ? gx_temporary(t) : out;
		fetch(f, s, gx_lane(taps, k & 1 ? 2 : 0).s, gx_lane(taps, k & 2 ? 3 : 1).s, row, texel[k]);
	}
	if (!s->linear)
		return out;
	unsigned filtered = gx_temporary(t);
	if (f->key->steps6)
		filter_steps(f, at, texel, filtered);
	else
		filter_exact(f, at, texel, filtered);
	return filtered;
}

unsigned gx_sample(struct gx_fragment *f, unsigned map, unsigned st, unsigned uv)
{
	struct gx_text *t = &f->t;
	const struct gx_key_map *m = &f->key->map[map];
	struct sampler s = {m, map, gx_constant(t, GX_CONSTANT_MAP, map), gx_temporary(t), m->mip != 0,
		m->mag_linear != m->min_linear, m->mag_linear || m->min_linear};
	unsigned first, second, next, out;

	if (s.leveled || s.dynamic_filter)
		choose_level(f, &s, uv);
	first = sample_level(f, &s, st, s.choice);
	if (m->mip != 2)
		return first;
	next = gx_temporary(t);
	gx_op(t, "UADD TEMP[%u].x, TEMP[%u].xxxx, %s", next, s.choice, gx_int(t, 1).s);
	second = sample_level(f, &s, st, next);
	out = gx_temporary(t);
	mix(f, first, second, gx_lane(s.choice, 1).s, f->key->fraction_bits, out);
	return out;
}
