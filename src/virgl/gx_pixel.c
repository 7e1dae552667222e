/* gx_pixel.c - fog and the pixel engine as TGSI, with the pixel before fetched from the framebuffer
 *
 * The colour target holds the words of the EFB (bits 23-16 red, 15-8 green, 7-0 blue), so that every pixel type and every
 * change between them is exact.  Arithmetic: fog.c, pe.c, blend.c, efb.c.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "virgl/gx_shader.h"

/* ---- fog ---------------------------------------------------------------------------------------------------------------- */

/* Piecewise linear through 11 nodes: k0 + the sum of (k[j+1] - k[j]) * clamp(x - j, 0, 1).  Constants: differences, k0 last. */
static void range_factor(struct gx_fragment *f, unsigned x, unsigned out)
{
	struct gx_text *t = &f->t;
	unsigned part = gx_temporary(t);
	struct gx_operand zero = gx_float(t, 0), one = gx_float(t, 1);

	for (unsigned j = 0; j < 10; j++) {
		unsigned c = gx_constant(t, GX_CONSTANT_RANGE, j / 4);
		char lane = "xyzw"[j % 4];
		gx_op(t, "ADD TEMP[%u].x, %s, %s", part, gx_lane(x, 0).s, gx_float(t, -(float)j).s);
		gx_op(t, "MAX TEMP[%u].x, TEMP[%u].xxxx, %s", part, part, zero.s);
		gx_op(t, "MIN TEMP[%u].x, TEMP[%u].xxxx, %s", part, part, one.s);
		if (j)
			gx_op(t, "MAD TEMP[%u].x, TEMP[%u].xxxx, CONST[0][%u].%c%c%c%c, TEMP[%u].xxxx", out, part, c, lane, lane, lane, lane, out);
		else
			gx_op(t, "MAD TEMP[%u].x, TEMP[%u].xxxx, CONST[0][%u].xxxx, CONST[0][%u].wwww", out, part, c,
				gx_constant(t, GX_CONSTANT_RANGE, 2));
	}
}

/* The factor of range adjustment in lane x. */
static unsigned range_adjust(struct gx_fragment *f)
{
	struct gx_text *t = &f->t;
	unsigned x = gx_temporary(t), k = gx_temporary(t), fog1 = gx_constant(t, GX_CONSTANT_FOG, 1);

	gx_op(t, "INEG TEMP[%u].y, CONST[0][%u].zzzz", x, fog1);
	gx_op(t, "UADD TEMP[%u].y, TEMP[%u].yyyy, %s", x, x, gx_int(t, 342).s);
	gx_op(t, "UADD TEMP[%u].x, TEMP[%u].xxxx, TEMP[%u].yyyy", x, f->position, x);
	gx_op(t, "I2F TEMP[%u].x, TEMP[%u].xxxx", x, x);
	if (!f->key->fog.range_model) {
		gx_op(t, "MAX TEMP[%u].x, TEMP[%u].xxxx, -TEMP[%u].xxxx", x, x, x);
		gx_op(t, "MUL TEMP[%u].x, TEMP[%u].xxxx, %s", x, x, gx_float(t, 1 / 32.0f).s);
		range_factor(f, x, k);
		return k;
	}
	/* Dolphin SW: offset in viewports, table from the border inward, hypotenuse */
	gx_op(t, "RCP TEMP[%u].y, CONST[0][%u].wwww", x, gx_constant(t, GX_CONSTANT_FOG, 0));
	gx_op(t, "MUL TEMP[%u].z, TEMP[%u].xxxx, TEMP[%u].yyyy", x, x, x);
	gx_op(t, "MAX TEMP[%u].x, TEMP[%u].zzzz, -TEMP[%u].zzzz", x, x, x);
	gx_op(t, "MAD TEMP[%u].x, TEMP[%u].xxxx, %s, %s", x, x, gx_float(t, -9).s, gx_float(t, 9).s);
	gx_op(t, "MAX TEMP[%u].x, TEMP[%u].xxxx, %s", x, x, gx_float(t, 0).s);
	range_factor(f, x, k);
	gx_op(t, "MUL TEMP[%u].y, TEMP[%u].xxxx, TEMP[%u].xxxx", k, k, k);
	gx_op(t, "MAD TEMP[%u].y, TEMP[%u].zzzz, TEMP[%u].zzzz, TEMP[%u].yyyy", k, x, x, k);
	gx_op(t, "SQRT TEMP[%u].y, TEMP[%u].yyyy", k, k);
	gx_op(t, "RCP TEMP[%u].x, TEMP[%u].xxxx", k, k);
	gx_op(t, "MUL TEMP[%u].x, TEMP[%u].xxxx, TEMP[%u].yyyy", k, k, k);
	return k;
}

/* The fog curve on lane x. */
static void fog_curve(struct gx_fragment *f, unsigned x)
{
	struct gx_text *t = &f->t;
	unsigned type = f->key->fog.type;
	struct gx_operand one = gx_float(t, 1);

	if (type < 4)
		return;
	if (type >= 6)
		gx_op(t, "ADD TEMP[%u].x, %s, -TEMP[%u].xxxx", x, one.s, x);
	if (type & 1)
		gx_op(t, "MUL TEMP[%u].x, TEMP[%u].xxxx, TEMP[%u].xxxx", x, x, x);
	gx_op(t, "MUL TEMP[%u].x, TEMP[%u].xxxx, %s", x, x, gx_float(t, -8).s);
	gx_op(t, "EX2 TEMP[%u].x, TEMP[%u].xxxx", x, x);
	if (type < 6)
		gx_op(t, "ADD TEMP[%u].x, %s, -TEMP[%u].xxxx", x, one.s, x);
}

void gx_fog(struct gx_fragment *f)
{
	struct gx_text *t = &f->t;
	unsigned x, c0, c1, colour;

	if (!f->key->fog.type)
		return;
	gx_part(t, "fog");
	x = gx_temporary(t);
	c0 = gx_constant(t, GX_CONSTANT_FOG, 0);
	c1 = gx_constant(t, GX_CONSTANT_FOG, 1);
	colour = gx_constant(t, GX_CONSTANT_FOG, 2);
	if (f->key->fog.special) {
		gx_op(t, "MOV TEMP[%u].x, %s", x, gx_float(t, 0).s);
	} else if (f->key->fog.orthographic) {
		gx_op(t, "I2F TEMP[%u].x, TEMP[%u].xxxx", x, f->z);
		gx_op(t, "RCP TEMP[%u].y, CONST[0][%u].zzzz", x, c0);
		gx_op(t, "MUL TEMP[%u].x, TEMP[%u].xxxx, TEMP[%u].yyyy", x, x, x);
		gx_op(t, "MUL TEMP[%u].x, TEMP[%u].xxxx, CONST[0][%u].xxxx", x, x, c0);
	} else {
		gx_op(t, "USHR TEMP[%u].x, TEMP[%u].xxxx, CONST[0][%u].yyyy", x, f->z, c1);
		gx_op(t, "INEG TEMP[%u].x, TEMP[%u].xxxx", x, x);
		gx_op(t, "UADD TEMP[%u].x, TEMP[%u].xxxx, CONST[0][%u].xxxx", x, x, c1);
		gx_op(t, "I2F TEMP[%u].x, TEMP[%u].xxxx", x, x);
		gx_op(t, "RCP TEMP[%u].x, TEMP[%u].xxxx", x, x);
		gx_op(t, "MUL TEMP[%u].y, CONST[0][%u].xxxx, CONST[0][%u].zzzz", x, c0, c0);
		gx_op(t, "MUL TEMP[%u].x, TEMP[%u].xxxx, TEMP[%u].yyyy", x, x, x);
	}
	if (f->key->fog.range) {
		unsigned k = range_adjust(f);
		gx_op(t, "MUL TEMP[%u].x, TEMP[%u].xxxx, TEMP[%u].xxxx", x, x, k);
	}
	gx_op(t, "ADD TEMP[%u].x, TEMP[%u].xxxx, -CONST[0][%u].yyyy", x, x, c0);
	gx_op(t, "MAX TEMP[%u].x, TEMP[%u].xxxx, %s", x, x, gx_float(t, 0).s);
	gx_op(t, "MIN TEMP[%u].x, TEMP[%u].xxxx, %s", x, x, gx_float(t, 1).s);
	fog_curve(f, x);
	gx_op(t, "MAD TEMP[%u].x, TEMP[%u].xxxx, %s, %s", x, x, gx_float(t, 256).s, gx_float(t, f->key->fog.round ? 0.5f : 0.0f).s);
	gx_op(t, "F2I TEMP[%u].x, TEMP[%u].xxxx", x, x);
	gx_op(t, "INEG TEMP[%u].y, TEMP[%u].xxxx", x, x);
	gx_op(t, "UADD TEMP[%u].y, TEMP[%u].yyyy, %s", x, x, gx_int(t, 256).s);
	gx_op(t, "UMUL TEMP[%u].xyz, TEMP[%u], TEMP[%u].yyyy", f->out, f->out, x);
	gx_op(t, "UMAD TEMP[%u].xyz, CONST[0][%u], TEMP[%u].xxxx, TEMP[%u]", f->out, colour, x, f->out);
	gx_op(t, "USHR TEMP[%u].xyz, TEMP[%u], %s", f->out, f->out, gx_int(t, 8).s);
}

/* ---- alpha test, Z texture ------------------------------------------------------------------------------------------------ */

/* All ones in the lane of `out` where alpha and the reference compare as the function (a set of less, equal, greater) says. */
static void compare_alpha(struct gx_fragment *f, unsigned func, unsigned which, unsigned out)
{
	struct gx_text *t = &f->t;
	char lane = "xy"[which];
	unsigned pe = gx_constant(t, GX_CONSTANT_PE, 0);
	char a[24], ref[24];

	snprintf(a, sizeof a, "TEMP[%u].wwww", f->out & 0xFFFF);
	snprintf(ref, sizeof ref, "CONST[0][%u].%s", pe & 0xFFFF, which ? "yyyy" : "xxxx");
	switch (func) {
	case 1:
		gx_op(t, "ISLT TEMP[%u].%c, %s, %s", out, lane, a, ref);
		break;
	case 2:
		gx_op(t, "USEQ TEMP[%u].%c, %s, %s", out, lane, a, ref);
		break;
	case 3:
		gx_op(t, "ISGE TEMP[%u].%c, %s, %s", out, lane, ref, a);
		break;
	case 4:
		gx_op(t, "ISLT TEMP[%u].%c, %s, %s", out, lane, ref, a);
		break;
	case 5:
		gx_op(t, "USNE TEMP[%u].%c, %s, %s", out, lane, a, ref);
		break;
	case 6:
		gx_op(t, "ISGE TEMP[%u].%c, %s, %s", out, lane, a, ref);
		break;
	default:
		gx_op(t, "MOV TEMP[%u].%c, %s", out, lane, gx_int(t, func ? -1 : 0).s);
	}
}

/* Those that fail are gone; but after an early Z test their Z is stored, so the pixel must be written as it was. */
void gx_alpha_test(struct gx_fragment *f)
{
	static const char *const op[4] = {"AND", "OR", "XOR", "XOR"};
	struct gx_text *t = &f->t;
	const struct pe_draw *pe = &f->key->pe;
	unsigned pass;

	f->fail = UINT32_MAX;
	if (pe->alpha_always)
		return;
	gx_part(t, "alpha test");
	pass = gx_temporary(t);
	compare_alpha(f, pe->alpha_func[0], 0, pass);
	compare_alpha(f, pe->alpha_func[1], 1, pass);
	gx_op(t, "%s TEMP[%u].x, TEMP[%u].xxxx, TEMP[%u].yyyy", op[pe->alpha_logic & 3], pass, pass, pass);
	if (pe->alpha_logic != 3)
		gx_op(t, "NOT TEMP[%u].x, TEMP[%u].xxxx", pass, pass);
	if (pe->early && pe->z_test) {
		f->fail = pass;
		return;
	}
	gx_op(t, "UIF TEMP[%u].xxxx", pass);
	gx_op(t, "KILL");
	gx_op(t, "ENDIF");
}

void gx_z_texture(struct gx_fragment *f)
{
	struct gx_text *t = &f->t;
	const struct pe_draw *pe = &f->key->pe;
	unsigned z;

	if (pe->z_texture != 1 && pe->z_texture != 2)
		return;
	gx_part(t, "Z texture");
	z = gx_temporary(t);
	if (pe->z_texture_type == 0) {
		gx_op(t, "MOV TEMP[%u].x, TEMP[%u].wwww", z, f->raw);
	} else if (pe->z_texture_type == 1) {
		gx_op(t, "UMAD TEMP[%u].x, TEMP[%u].wwww, %s, TEMP[%u].xxxx", z, f->raw, gx_int(t, 256).s, f->raw);
	} else {
		gx_op(t, "UMAD TEMP[%u].x, TEMP[%u].xxxx, %s, TEMP[%u].yyyy", z, f->raw, gx_int(t, 256).s, f->raw);
		gx_op(t, "UMAD TEMP[%u].x, TEMP[%u].xxxx, %s, TEMP[%u].zzzz", z, z, gx_int(t, 256).s, f->raw);
	}
	gx_op(t, "UADD TEMP[%u].x, TEMP[%u].xxxx, CONST[0][%u].wwww", z, z, gx_constant(t, GX_CONSTANT_PE, 0));
	if (pe->z_texture == 1)
		gx_op(t, "UADD TEMP[%u].x, TEMP[%u].xxxx, TEMP[%u].xxxx", z, z, f->z);
	gx_op(t, "AND TEMP[%u].x, TEMP[%u].xxxx, %s", z, z, gx_int(t, 0xFFFFFF).s);
	f->z = z;
}

/* ---- the pixel before ---------------------------------------------------------------------------------------------------- */

static void fetch_destination(struct gx_fragment *f)
{
	struct gx_text *t = &f->t;
	unsigned d = gx_temporary(t), w = gx_temporary(t);

	gx_op(t, "FBFETCH TEMP[%u], OUT[0]", d);
	gx_op(t, "MAD TEMP[%u], TEMP[%u], %s, %s", d, d, gx_float(t, 255).s, gx_float(t, 0.5f).s);
	gx_op(t, "F2I TEMP[%u], TEMP[%u]", d, d);
	gx_op(t, "UMAD TEMP[%u].x, TEMP[%u].xxxx, %s, TEMP[%u].yyyy", w, d, gx_int(t, 256).s, d);
	gx_op(t, "UMAD TEMP[%u].x, TEMP[%u].xxxx, %s, TEMP[%u].zzzz", w, w, gx_int(t, 256).s, d);
	f->word = w;
	f->destination = d;
	if (f->key->pe.pixel == PE_NONE) {
		gx_op(t, "MOV TEMP[%u], %s", d, gx_int(t, 0).s);
	} else if (f->key->pe.pixel == PE_RGBA6) {
		unsigned high = gx_temporary(t);
		gx_op(t, "USHR TEMP[%u], TEMP[%u].xxxx, %s", d, w, gx_ints(t, 18, 12, 6, 0).s);
		gx_op(t, "AND TEMP[%u], TEMP[%u], %s", d, d, gx_int(t, 63).s);
		gx_op(t, "USHR TEMP[%u], TEMP[%u], %s", high, d, gx_int(t, 4).s);
		gx_op(t, "UMAD TEMP[%u], TEMP[%u], %s, TEMP[%u]", d, d, gx_int(t, 4).s, high);
	} else {
		gx_op(t, "MOV TEMP[%u].w, %s", d, gx_int(t, 255).s);
	}
}

/* ---- blend -------------------------------------------------------------------------------------------------------------- */

/* f' = f + (f >> 7) of the factor. */
static unsigned factor(struct gx_fragment *f, unsigned code, unsigned other)
{
	struct gx_text *t = &f->t;
	unsigned v = gx_temporary(t), high = gx_temporary(t);

	switch (code >> 1) {
	case 0:
		gx_op(t, "MOV TEMP[%u], %s", v, gx_int(t, 0).s);
		break;
	case 1:
		gx_op(t, "MOV TEMP[%u], TEMP[%u]", v, other);
		break;
	default:
		gx_op(t, "MOV TEMP[%u], TEMP[%u].wwww", v, code >> 1 == 2 ? f->out : f->destination);
	}
	if (code & 1)
		gx_op(t, "XOR TEMP[%u], TEMP[%u], %s", v, v, gx_int(t, 255).s);
	gx_op(t, "USHR TEMP[%u], TEMP[%u], %s", high, v, gx_int(t, 7).s);
	gx_op(t, "UADD TEMP[%u], TEMP[%u], TEMP[%u]", v, v, high);
	return v;
}

static unsigned blend(struct gx_fragment *f)
{
	struct gx_text *t = &f->t;
	const struct pe_draw *pe = &f->key->pe;
	unsigned out = gx_temporary(t), sf, df;

	if (pe->subtract) {
		gx_op(t, "INEG TEMP[%u], TEMP[%u]", out, f->out);
		gx_op(t, "UADD TEMP[%u], TEMP[%u], TEMP[%u]", out, out, f->destination);
		gx_op(t, "IMAX TEMP[%u], TEMP[%u], %s", out, out, gx_int(t, 0).s);
		return out;
	}
	sf = factor(f, pe->source_factor, f->destination);
	df = factor(f, pe->destination_factor, f->out);
	gx_op(t, "UMUL TEMP[%u], TEMP[%u], TEMP[%u]", sf, sf, f->out);
	if (pe->round_each) {
		gx_op(t, "UMUL TEMP[%u], TEMP[%u], TEMP[%u]", df, df, f->destination);
		gx_op(t, "USHR TEMP[%u], TEMP[%u], %s", sf, sf, gx_int(t, 8).s);
		gx_op(t, "USHR TEMP[%u], TEMP[%u], %s", df, df, gx_int(t, 8).s);
		gx_op(t, "UADD TEMP[%u], TEMP[%u], TEMP[%u]", out, sf, df);
	} else {
		gx_op(t, "UMAD TEMP[%u], TEMP[%u], TEMP[%u], TEMP[%u]", out, df, f->destination, sf);
		gx_op(t, "USHR TEMP[%u], TEMP[%u], %s", out, out, gx_int(t, 8).s);
	}
	gx_op(t, "IMIN TEMP[%u], TEMP[%u], %s", out, out, gx_int(t, 255).s);
	return out;
}

/* A code is its truth table, bit 3 - (2*s + d) the result: at most four terms of and. */
static unsigned logic(struct gx_fragment *f)
{
	struct gx_text *t = &f->t;
	unsigned out = gx_temporary(t), ns = gx_temporary(t), nd = gx_temporary(t), term = gx_temporary(t);
	unsigned op = f->key->pe.logic_op;

	gx_op(t, "XOR TEMP[%u], TEMP[%u], %s", ns, f->out, gx_int(t, 255).s);
	gx_op(t, "XOR TEMP[%u], TEMP[%u], %s", nd, f->destination, gx_int(t, 255).s);
	gx_op(t, "MOV TEMP[%u], %s", out, gx_int(t, 0).s);
	for (unsigned i = 0; i < 4; i++) {
		if (!(op >> (3 - i) & 1))
			continue;
		gx_op(t, "AND TEMP[%u], TEMP[%u], TEMP[%u]", term, i & 2 ? f->out : ns, i & 1 ? f->destination : nd);
		gx_op(t, "OR TEMP[%u], TEMP[%u], TEMP[%u]", out, out, term);
	}
	return out;
}

/* Lanes xyz of v get the matrix entry of the pixel added before their low bits go. */
static void dither(struct gx_fragment *f, unsigned v)
{
	struct gx_text *t = &f->t;
	const struct pe_draw *pe = &f->key->pe;
	unsigned m = gx_temporary(t), high = gx_temporary(t);
	int lost[3] = {2, 2, 2};

	gx_op(t, "AND TEMP[%u].xy, TEMP[%u], %s", m, f->position, gx_int(t, 3).s);
	if (!pe->dither_4x4) {
		/* 0 2 / 3 1: bit 1 is x xor y, bit 0 is y */
		gx_op(t, "AND TEMP[%u].xy, TEMP[%u], %s", m, m, gx_int(t, 1).s);
		gx_op(t, "XOR TEMP[%u].x, TEMP[%u].xxxx, TEMP[%u].yyyy", m, m, m);
		gx_op(t, "UMAD TEMP[%u].xyz, TEMP[%u].xxxx, %s, TEMP[%u].yyyy", m, m, gx_int(t, 2).s, m);
	} else {
		/* Bayer's 4x4: bits x^y, y of the low halves on top, then those of the high ones */
		gx_op(t, "XOR TEMP[%u].x, TEMP[%u].xxxx, TEMP[%u].yyyy", m, m, m);
		gx_op(t, "AND TEMP[%u].zw, TEMP[%u].xyxy, %s", m, m, gx_int(t, 1).s);
		gx_op(t, "USHR TEMP[%u].xy, TEMP[%u], %s", m, m, gx_int(t, 1).s);
		gx_op(t, "UMAD TEMP[%u].x, TEMP[%u].xxxx, %s, TEMP[%u].yyyy", m, m, gx_int(t, 2).s, m);
		gx_op(t, "UMAD TEMP[%u].x, TEMP[%u].wwww, %s, TEMP[%u].xxxx", m, m, gx_int(t, 4).s, m);
		gx_op(t, "UMAD TEMP[%u].x, TEMP[%u].zzzz, %s, TEMP[%u].xxxx", m, m, gx_int(t, 8).s, m);
		if (pe->pixel != PE_RGBA6)
			lost[0] = lost[2] = 3;
		gx_op(t, "USHR TEMP[%u].xyz, TEMP[%u].xxxx, %s", m, m, gx_ints(t, 4 - lost[0], 4 - lost[1], 4 - lost[2], 0).s);
	}
	gx_op(t, "USHR TEMP[%u].xyz, TEMP[%u], %s", high, v, gx_ints(t, 8 - lost[0], 8 - lost[1], 8 - lost[2], 0).s);
	gx_op(t, "INEG TEMP[%u].xyz, TEMP[%u]", high, high);
	gx_op(t, "UADD TEMP[%u].xyz, TEMP[%u], TEMP[%u]", v, v, high);
	gx_op(t, "UADD TEMP[%u].xyz, TEMP[%u], TEMP[%u]", v, v, m);
	gx_op(t, "AND TEMP[%u].xyz, TEMP[%u], %s", v, v,
		gx_ints(t, 255 & -(1 << lost[0]), 255 & -(1 << lost[1]), 255 & -(1 << lost[2]), 0).s);
}

/* ---- store -------------------------------------------------------------------------------------------------------------- */

/* The word of r g b a in v, lane x of the result. */
static unsigned pack(struct gx_fragment *f, unsigned v)
{
	struct gx_text *t = &f->t;
	unsigned w = gx_temporary(t), high = gx_temporary(t);

	if (f->key->pe.pixel == PE_RGBA6) {
		gx_op(t, "USHR TEMP[%u], TEMP[%u], %s", w, v, gx_int(t, 2).s);
		gx_op(t, "SHL TEMP[%u], TEMP[%u], %s", w, w, gx_ints(t, 18, 12, 6, 0).s);
		gx_op(t, "OR TEMP[%u].xy, TEMP[%u].xyxy, TEMP[%u].zwzw", w, w, w);
		gx_op(t, "OR TEMP[%u].x, TEMP[%u].xxxx, TEMP[%u].yyyy", w, w, w);
		return w;
	}
	gx_op(t, "MOV TEMP[%u].xyz, TEMP[%u]", w, v);
	if (f->key->pe.pixel == PE_RGB565) {
		gx_op(t, "AND TEMP[%u].xyz, TEMP[%u], %s", w, w, gx_ints(t, 0xF8, 0xFC, 0xF8, 0).s);
		gx_op(t, "USHR TEMP[%u].xyz, TEMP[%u], %s", high, w, gx_ints(t, 5, 6, 5, 0).s);
		gx_op(t, "OR TEMP[%u].xyz, TEMP[%u], TEMP[%u]", w, w, high);
	}
	gx_op(t, "SHL TEMP[%u].xyz, TEMP[%u], %s", w, w, gx_ints(t, 16, 8, 0, 0).s);
	gx_op(t, "OR TEMP[%u].x, TEMP[%u].xxxx, TEMP[%u].yyyy", w, w, w);
	gx_op(t, "OR TEMP[%u].x, TEMP[%u].xxxx, TEMP[%u].zzzz", w, w, w);
	return w;
}

/* 16-bit Z: the low bits that the format does not keep go (pe_quantise_z). */
static void quantise_z(struct gx_fragment *f)
{
	struct gx_text *t = &f->t;
	unsigned format = f->key->pe.z_format, n = format & 3 ? (format & 3) + 1 : 0, most = (1u << n) - 1;
	unsigned run, z;

	if (format == PE_Z_FULL)
		return;
	gx_part(t, "16-bit Z");
	run = gx_temporary(t);
	z = gx_temporary(t);
	/* y: the bits behind the run begin with a one; the index of the first one counts from the top of 24 bits */
	if (format & 4)
		gx_op(t, "MOV TEMP[%u].y, TEMP[%u].xxxx", run, f->z);
	else
		gx_op(t, "XOR TEMP[%u].y, TEMP[%u].xxxx, %s", run, f->z, gx_int(t, 0xFFFFFF).s);
	gx_op(t, "UMSB TEMP[%u].y, TEMP[%u].yyyy", run, run); /* -1 when there is none */
	gx_op(t, "INEG TEMP[%u].y, TEMP[%u].yyyy", run, run);
	gx_op(t, "UADD TEMP[%u].y, TEMP[%u].yyyy, %s", run, run, gx_int(t, 23).s);
	gx_op(t, "IMIN TEMP[%u].x, TEMP[%u].yyyy, %s", run, run, gx_int(t, (int)most).s);
	/* kept = run + (run < most) + 16 - n */
	gx_op(t, "ISLT TEMP[%u].y, TEMP[%u].xxxx, %s", run, run, gx_int(t, (int)most).s);
	gx_op(t, "AND TEMP[%u].y, TEMP[%u].yyyy, %s", run, run, gx_int(t, 1).s);
	gx_op(t, "UADD TEMP[%u].x, TEMP[%u].xxxx, TEMP[%u].yyyy", run, run, run);
	gx_op(t, "UADD TEMP[%u].x, TEMP[%u].xxxx, %s", run, run, gx_int(t, (int)(16 - n)).s);
	gx_op(t, "IMIN TEMP[%u].x, TEMP[%u].xxxx, %s", run, run, gx_int(t, 24).s);
	gx_op(t, "USHR TEMP[%u].x, %s, TEMP[%u].xxxx", run, gx_int(t, 0xFFFFFF).s, run);
	gx_op(t, "NOT TEMP[%u].x, TEMP[%u].xxxx", run, run);
	gx_op(t, "AND TEMP[%u].x, TEMP[%u].xxxx, TEMP[%u].xxxx", z, f->z, run);
	f->z = z;
}

/* Lines that are not stored leave no trace at all. */
static void skip_lines(struct gx_fragment *f)
{
	struct gx_text *t = &f->t;
	unsigned odd;

	if (f->key->pe.lines == 3)
		return;
	gx_part(t, "field mask");
	odd = gx_temporary(t);
	if (f->key->pe.lines == 0) {
		gx_op(t, "KILL");
		return;
	}
	gx_op(t, "AND TEMP[%u].x, TEMP[%u].yyyy, %s", odd, f->position, gx_int(t, 1).s);
	gx_op(t, "USEQ TEMP[%u].x, TEMP[%u].xxxx, %s", odd, odd, gx_int(t, f->key->pe.lines == 1 ? 1 : 0).s);
	gx_op(t, "UIF TEMP[%u].xxxx", odd);
	gx_op(t, "KILL");
	gx_op(t, "ENDIF");
}

static void store_colour(struct gx_fragment *f)
{
	struct gx_text *t = &f->t;
	const struct pe_draw *pe = &f->key->pe;
	uint32_t whole = pe->pixel == PE_NONE ? 0 : 0xFFFFFF;
	unsigned v = f->out, w;
	bool keeps = pe->write_mask != whole || f->fail != UINT32_MAX || !whole;

	gx_part(t, "pixel");
	if (pe->alpha_one) {
		unsigned one = gx_temporary(t);
		gx_op(t, "USNE TEMP[%u].x, TEMP[%u].wwww, %s", one, v, gx_int(t, 1).s);
		gx_op(t, "AND TEMP[%u].w, TEMP[%u], TEMP[%u].xxxx", v, v, one);
	}
	if (pe->blend || pe->logic || keeps)
		fetch_destination(f);
	v = pe->blend ? blend(f) : pe->logic ? logic(f) : v;
	if (pe->constant_alpha)
		gx_op(t, "MOV TEMP[%u].w, CONST[0][%u].zzzz", v, gx_constant(t, GX_CONSTANT_PE, 0));
	if (pe->dither)
		dither(f, v);
	w = pack(f, v);
	if (pe->write_mask != whole || !whole) {
		gx_op(t, "AND TEMP[%u].x, TEMP[%u].xxxx, %s", w, w, gx_int(t, (int)pe->write_mask).s);
		gx_op(t, "AND TEMP[%u].y, TEMP[%u].xxxx, %s", w, f->word, gx_int(t, (int)~pe->write_mask).s);
		gx_op(t, "OR TEMP[%u].x, TEMP[%u].xxxx, TEMP[%u].yyyy", w, w, w);
	}
	if (f->fail != UINT32_MAX)
		gx_op(t, "UCMP TEMP[%u].x, TEMP[%u].xxxx, TEMP[%u].xxxx, TEMP[%u].xxxx", w, f->fail, f->word, w);
	gx_op(t, "USHR TEMP[%u].xyz, TEMP[%u].xxxx, %s", w, w, gx_ints(t, 16, 8, 0, 0).s);
	gx_op(t, "AND TEMP[%u].xyz, TEMP[%u], %s", w, w, gx_int(t, 255).s);
	gx_op(t, "I2F TEMP[%u].xyz, TEMP[%u]", w, w);
	gx_op(t, "MUL TEMP[%u].xyz, TEMP[%u], %s", w, w, gx_float(t, 1 / 255.0f).s);
	gx_op(t, "MOV TEMP[%u].w, %s", w, gx_float(t, 1).s);
	gx_op(t, "MOV OUT[0], TEMP[%u]", w);
}

void gx_pixel(struct gx_fragment *f)
{
	struct gx_text *t = &f->t;

	skip_lines(f);
	store_colour(f);
	if (!f->key->pe.z_test)
		return;
	quantise_z(f);
	gx_part(t, "depth");
	unsigned z = gx_temporary(t);
	gx_op(t, "I2F TEMP[%u].x, TEMP[%u].xxxx", z, f->z);
	gx_op(t, "MUL OUT[1].z, TEMP[%u].xxxx, %s", z, gx_float(t, 1 / 16777216.0f).s); /* exact: 24 bits */
}
