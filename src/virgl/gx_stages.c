/* gx_stages.c - combiners and indirect texturing as TGSI
 *
 * Both combiners of a stage run side by side: colour in x y z, alpha in w, their settings as vectors of immediates.  The same
 * arithmetic as tev.c and indirect.c.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "virgl/gx_shader.h"

static const char letters[] = "xyzw";

/* ---- indirect ----------------------------------------------------------------------------------------------------------- */

static void indirect_lookup(struct gx_fragment *f, unsigned k)
{
	const struct tev_indirect *i = &f->key->indirect[k];
	struct gx_text *t = &f->t;
	unsigned st = gx_temporary(t);

	gx_part(t, "indirect %u", k);
	gx_op(t, "ISHR TEMP[%u].xy, TEMP[%u], %s", st, f->st[i->coord], gx_ints(t, i->shift_s, i->shift_t, 0, 0).s);
	f->indirect[k] = gx_sample(f, i->map, st, f->uv[i->coord]);
}

/* Components S T U (alpha, blue, green of the lookup), shifted and biased, in xyz. */
static unsigned components(struct gx_fragment *f, const struct tev_stage *s)
{
	struct gx_text *t = &f->t;
	unsigned out = gx_temporary(t);

	if (s->source < 0)
		gx_op(t, "MOV TEMP[%u].xyz, %s", out, gx_int(t, 0).s);
	else
		gx_op(t, "USHR TEMP[%u].xyz, TEMP[%u].wzyx, %s", out, f->indirect[s->source], gx_int(t, s->shift).s);
	if (s->bias[0] || s->bias[1] || s->bias[2])
		gx_op(t, "UADD TEMP[%u].xyz, TEMP[%u], %s", out, out, gx_ints(t, s->bias[0], s->bias[1], s->bias[2], 0).s);
	return out;
}

/* Offsets in xy. */
static unsigned offsets(struct gx_fragment *f, const struct tev_stage *s, unsigned n, unsigned regular)
{
	struct gx_text *t = &f->t;
	unsigned in = components(f, s), out = gx_temporary(t), product = gx_temporary(t), row[2];

	for (unsigned axis = 0; axis < 2; axis++)
		row[axis] = gx_constant(t, GX_CONSTANT_MATRIX, 2 * n + axis);
	if (s->matrix_type == 0) {
		for (unsigned axis = 0; axis < 2; axis++) {
			gx_op(t, "UMUL TEMP[%u].xyz, TEMP[%u], CONST[0][%u]", product, in, row[axis]);
			gx_op(t, "UADD TEMP[%u].x, TEMP[%u].xxxx, TEMP[%u].yyyy", product, product, product);
			gx_op(t, "UADD TEMP[%u].x, TEMP[%u].xxxx, TEMP[%u].zzzz", product, product, product);
			gx_op(t, "ISHR TEMP[%u].%c, TEMP[%u].xxxx, %s", out, letters[axis], product, gx_int(t, 3).s);
		}
	} else {
		gx_op(t, "UMUL TEMP[%u].xy, TEMP[%u], %s", out, regular, gx_lane(in, s->matrix_type - 1u).s);
		if (f->key->dynamic_divide) { /* toward zero */
			gx_op(t, "ISHR TEMP[%u].xy, TEMP[%u], %s", product, out, gx_int(t, 31).s);
			gx_op(t, "AND TEMP[%u].xy, TEMP[%u], %s", product, product, gx_int(t, 255).s);
			gx_op(t, "UADD TEMP[%u].xy, TEMP[%u], TEMP[%u]", out, out, product);
		}
		gx_op(t, "ISHR TEMP[%u].xy, TEMP[%u], %s", out, out, gx_int(t, 8).s);
	}
	gx_op(t, "ISHR TEMP[%u].xy, TEMP[%u], CONST[0][%u].wwww", out, out, row[0]);
	gx_op(t, "SHL TEMP[%u].xy, TEMP[%u], CONST[0][%u].wwww", out, out, row[1]);
	return out;
}

/* Coordinates of the stage in xy of the result; previous: those of the stage before. */
static unsigned coordinates(struct gx_fragment *f, unsigned n, unsigned previous)
{
	const struct tev_stage *s = &f->key->stage[n];
	struct gx_text *t = &f->t;
	unsigned regular = f->st[s->coord], out, offset;

	if (!s->modified)
		return regular;
	out = gx_temporary(t);
	gx_op(t, "AND TEMP[%u].xy, TEMP[%u], %s", out, regular, gx_ints(t, s->wrap[0], s->wrap[1], 0, 0).s);
	if (s->matrix) {
		offset = offsets(f, s, n, regular);
		gx_op(t, "UADD TEMP[%u].xy, TEMP[%u], TEMP[%u]", out, out, offset);
	}
	if (s->add_previous)
		gx_op(t, "UADD TEMP[%u].xy, TEMP[%u], TEMP[%u]", out, out, previous);
	gx_op(t, "SHL TEMP[%u].xy, TEMP[%u], %s", out, out, gx_int(t, 8).s);
	gx_op(t, "ISHR TEMP[%u].xy, TEMP[%u], %s", out, out, gx_int(t, 8).s);
	return out;
}

/* ---- lookups of the stages ----------------------------------------------------------------------------------------------- */

static void look_up(struct gx_fragment *f, unsigned n, unsigned st)
{
	const struct tev_stage *s = &f->key->stage[n];
	struct gx_text *t = &f->t;
	unsigned uv = f->uv[s->coord];

	if (!f->key->textured) {
		f->texel[n] = gx_temporary(t);
		gx_op(t, "MOV TEMP[%u], %s", f->texel[n], gx_int(t, 0).s);
		return;
	}
	if (s->modified && s->own_lod) {
		uv = gx_temporary(t);
		gx_op(t, "I2F TEMP[%u].xy, TEMP[%u]", uv, st);
		gx_op(t, "MUL TEMP[%u].xy, TEMP[%u], %s", uv, uv, gx_float(t, 1 / 128.0f).s);
	}
	f->texel[n] = gx_sample(f, s->map, st, uv);
}

/* ---- combiner inputs ----------------------------------------------------------------------------------------------------- */

/* Where a row's value is: a whole register and a lane of it, or an immediate. */
struct place {
	char base[24]; /* "TEMP[3]"; empty: immediate */
	unsigned lane;
	int value;
};

static struct place place_of(struct gx_fragment *f, unsigned n, unsigned row, unsigned bump)
{
	const struct tev_stage *s = &f->key->stage[n];
	struct place p = {{0}, 0, 0};

	if (row < TEV_ROW_TEXEL) {
		snprintf(p.base, sizeof p.base, "TEMP[%u]", f->reg[row / 4] & 0xFFFF);
		p.lane = row % 4;
	} else if (row < TEV_ROW_RAS) {
		if (s->texel < 0) {
			p.value = 255; /* the latch of a fragment before cannot be known on a host */
			return p;
		}
		snprintf(p.base, sizeof p.base, "TEMP[%u]", f->texel[s->texel] & 0xFFFF);
		p.lane = row - TEV_ROW_TEXEL;
	} else if (row < TEV_ROW_BUMP) {
		snprintf(p.base, sizeof p.base, "TEMP[%u]", f->colour[(row - TEV_ROW_RAS) / 4] & 0xFFFF);
		p.lane = (row - TEV_ROW_RAS) % 4;
	} else if (row < TEV_ROW_KONST) {
		snprintf(p.base, sizeof p.base, "TEMP[%u]", bump & 0xFFFF);
		p.lane = row - TEV_ROW_BUMP;
	} else if (row < TEV_ROW_ZERO) {
		snprintf(p.base, sizeof p.base, "CONST[0][%u]", gx_constant(&f->t, GX_CONSTANT_KONST, n));
		p.lane = row - TEV_ROW_KONST;
	} else {
		p.value = row == TEV_ROW_ZERO ? 0 : row == TEV_ROW_HALF ? 128 : 255;
	}
	return p;
}

/* The four rows as one vector; a move for each register they come from.  mask255: cut to 8 bits. */
static unsigned gather(struct gx_fragment *f, unsigned n, const uint8_t rows[4], unsigned bump, bool mask255)
{
	struct gx_text *t = &f->t;
	unsigned out = gx_temporary(t), done = 0;
	struct place p[4];

	for (unsigned i = 0; i < 4; i++)
		p[i] = place_of(f, n, rows[i], bump);
	for (unsigned i = 0; i < 4; i++) {
		char mask[5] = "", swizzle[5] = "xxxx";
		int value[4] = {0};
		unsigned count = 0;

		if (done >> i & 1)
			continue;
		for (unsigned k = 0; k < 4; k++) {
			if (strcmp(p[k].base, p[i].base) != 0)
				continue;
			mask[count++] = letters[k];
			swizzle[k] = letters[p[k].lane];
			value[k] = p[k].value;
			done |= 1u << k;
		}
		mask[count] = 0;
		if (!p[i].base[0])
			gx_op(t, "MOV TEMP[%u].%s, %s", out, mask, gx_ints(t, value[0], value[1], value[2], value[3]).s);
		else if (mask255)
			gx_op(t, "AND TEMP[%u].%s, %s.%s, %s", out, mask, p[i].base, swizzle, gx_int(t, 255).s);
		else
			gx_op(t, "MOV TEMP[%u].%s, %s.%s", out, mask, p[i].base, swizzle);
	}
	return out;
}

static unsigned inputs(struct gx_fragment *f, unsigned n, unsigned which, unsigned bump)
{
	const struct tev_stage *s = &f->key->stage[n];
	const uint8_t rows[4] = {s->colour.row[which][0], s->colour.row[which][1], s->colour.row[which][2], s->alpha.row[which][3]};

	return gather(f, n, rows, bump, which < 3);
}

/* Bump alpha in x, normalised in y. */
static unsigned bump_of(struct gx_fragment *f, const struct tev_stage *s)
{
	static const char component[4] = {'w', 'w', 'z', 'y'};
	struct gx_text *t = &f->t;
	unsigned out = gx_temporary(t);

	if (!s->bump || s->source < 0) {
		gx_op(t, "MOV TEMP[%u].xy, %s", out, gx_int(t, 0).s);
		return out;
	}
	char c = component[s->bump & 3];
	gx_op(t, "SHL TEMP[%u].x, TEMP[%u].%c%c%c%c, %s", out, f->indirect[s->source], c, c, c, c, gx_int(t, s->bump_left).s);
	gx_op(t, "AND TEMP[%u].x, TEMP[%u].xxxx, %s", out, out, gx_int(t, 0xF8).s);
	gx_op(t, "USHR TEMP[%u].y, TEMP[%u].xxxx, %s", out, out, gx_int(t, 5).s);
	gx_op(t, "OR TEMP[%u].y, TEMP[%u].xxxx, TEMP[%u].yyyy", out, out, out);
	return out;
}

/* ---- combiners ---------------------------------------------------------------------------------------------------------- */

#define BOTH(member) gx_ints(t, s->colour.member, s->colour.member, s->colour.member, s->alpha.member).s

/* result = ((d*scale + base) +- ((a*(256 - c') + b*c' + round) >> shift)) >> half, not yet clamped. */
static unsigned lerp(struct gx_fragment *f, const struct tev_stage *s, const unsigned in[4])
{
	struct gx_text *t = &f->t;
	unsigned c = gx_temporary(t), v = gx_temporary(t);

	gx_op(t, "USHR TEMP[%u], TEMP[%u], %s", c, in[2], gx_int(t, 7).s);
	gx_op(t, "UADD TEMP[%u], TEMP[%u], TEMP[%u]", c, c, in[2]);
	gx_op(t, "INEG TEMP[%u], TEMP[%u]", v, in[0]);
	gx_op(t, "UADD TEMP[%u], TEMP[%u], TEMP[%u]", v, v, in[1]);
	gx_op(t, "UMAD TEMP[%u], TEMP[%u], TEMP[%u], %s", v, v, c, BOTH(round));
	gx_op(t, "UMAD TEMP[%u], TEMP[%u], %s, TEMP[%u]", v, in[0], gx_int(t, 256).s, v);
	gx_op(t, "USHR TEMP[%u], TEMP[%u], %s", v, v, BOTH(shift));
	if (s->colour.negate || s->alpha.negate) {
		gx_op(t, "XOR TEMP[%u], TEMP[%u], %s", v, v, BOTH(negate));
		gx_op(t, "UADD TEMP[%u], TEMP[%u], %s", v, v,
			gx_ints(t, -s->colour.negate, -s->colour.negate, -s->colour.negate, -s->alpha.negate).s);
	}
	gx_op(t, "UMAD TEMP[%u], TEMP[%u], %s, TEMP[%u]", v, in[3], BOTH(scale), v);
	if (s->colour.base || s->alpha.base)
		gx_op(t, "UADD TEMP[%u], TEMP[%u], %s", v, v, BOTH(base));
	if (s->colour.half || s->alpha.half)
		gx_op(t, "ISHR TEMP[%u], TEMP[%u], %s", v, v, BOTH(half));
	return v;
}

/* Lanes of `condition` that the mask names: all ones where a and b compare as wanted.  R8, GR16 and BGR24 use the colour
 * combiner's a and b in both. */
static void compare(struct gx_fragment *f, const struct tev_combiner *k, const unsigned in[4], const char *mask, unsigned condition)
{
	struct gx_text *t = &f->t;
	const char *op = k->equal ? "USEQ" : "ISLT"; /* greater: b less than a */
	unsigned first = in[k->equal ? 0 : 1], second = in[k->equal ? 1 : 0], wide[2];

	if (k->mode == TEV_COMPARE_OWN) {
		gx_op(t, "%s TEMP[%u].%s, TEMP[%u], TEMP[%u]", op, condition, mask, first, second);
		return;
	}
	for (unsigned i = 0; i < 2; i++) {
		unsigned from = i ? second : first;
		wide[i] = gx_temporary(t);
		gx_op(t, "UMUL TEMP[%u], TEMP[%u], %s", wide[i], from,
			gx_ints(t, 1, k->mode >= TEV_COMPARE_GR16 ? 256 : 0, k->mode == TEV_COMPARE_BGR24 ? 65536 : 0, 0).s);
		gx_op(t, "UADD TEMP[%u].x, TEMP[%u].xxxx, TEMP[%u].yyyy", wide[i], wide[i], wide[i]);
		gx_op(t, "UADD TEMP[%u].x, TEMP[%u].xxxx, TEMP[%u].zzzz", wide[i], wide[i], wide[i]);
	}
	gx_op(t, "%s TEMP[%u].%s, TEMP[%u].xxxx, TEMP[%u].xxxx", op, condition, mask, wide[0], wide[1]);
}

/* Replaces the lanes of v whose combiner compares: d + (condition ? c : 0). */
static void compared(struct gx_fragment *f, const struct tev_stage *s, const unsigned in[4], unsigned v)
{
	struct gx_text *t = &f->t;
	unsigned condition = gx_temporary(t);

	if (s->colour.compare) {
		compare(f, &s->colour, in, "xyz", condition);
		gx_op(t, "AND TEMP[%u].xyz, TEMP[%u], TEMP[%u]", condition, condition, in[2]);
		gx_op(t, "UADD TEMP[%u].xyz, TEMP[%u], TEMP[%u]", v, condition, in[3]);
	}
	if (s->alpha.compare) {
		compare(f, &s->alpha, in, "w", condition);
		gx_op(t, "AND TEMP[%u].w, TEMP[%u], TEMP[%u]", condition, condition, in[2]);
		gx_op(t, "UADD TEMP[%u].w, TEMP[%u], TEMP[%u]", v, condition, in[3]);
	}
}

static void stage(struct gx_fragment *f, unsigned n)
{
	const struct tev_stage *s = &f->key->stage[n];
	struct gx_text *t = &f->t;
	unsigned bump = 0, in[4], v;

	if (s->bumped)
		bump = bump_of(f, s);
	for (unsigned i = 0; i < 4; i++)
		in[i] = inputs(f, n, i, bump);
	if (s->colour.compare && s->alpha.compare)
		v = gx_temporary(t);
	else
		v = lerp(f, s, in);
	if (s->compared)
		compared(f, s, in, v);
	gx_op(t, "IMAX TEMP[%u], TEMP[%u], %s", v, v, BOTH(low));
	gx_op(t, "IMIN TEMP[%u], TEMP[%u], %s", v, v, BOTH(high));
	gx_op(t, "MOV TEMP[%u].xyz, TEMP[%u]", f->reg[s->colour.destination], v);
	gx_op(t, "MOV TEMP[%u].w, TEMP[%u]", f->reg[s->alpha.destination], v);
}

/* Raw texel of the last lookup, for the Z texture. */
static void keep_raw(struct gx_fragment *f)
{
	struct gx_text *t = &f->t;
	const struct tev_stage *s = f->key->last_texture >= 0 ? &f->key->stage[f->key->last_texture] : NULL;
	const uint8_t *w = s ? s->texture_swap : NULL;

	f->raw = gx_temporary(t);
	if (!s)
		gx_op(t, "MOV TEMP[%u], %s", f->raw, gx_int(t, 255).s);
	else if (f->key->raw_swapped)
		gx_op(t, "MOV TEMP[%u], TEMP[%u].%c%c%c%c", f->raw, f->texel[f->key->last_texture], letters[w[0]], letters[w[1]],
			letters[w[2]], letters[w[3]]);
	else
		gx_op(t, "MOV TEMP[%u], TEMP[%u]", f->raw, f->texel[f->key->last_texture]);
}

void gx_stages(struct gx_fragment *f)
{
	struct gx_text *t = &f->t;
	const struct gx_key *key = f->key;
	unsigned coord = f->st[0];

	gx_part(t, "combiner registers");
	for (unsigned i = 0; i < 4; i++) {
		f->reg[i] = gx_temporary(t);
		gx_op(t, "MOV TEMP[%u], CONST[0][%u]", f->reg[i], gx_constant(t, GX_CONSTANT_REGISTER, i));
	}
	for (unsigned k = 0; k < key->indirects; k++)
		indirect_lookup(f, k);
	for (unsigned n = 0; n < key->stages; n++) {
		gx_part(t, "stage %u", n);
		coord = coordinates(f, n, coord);
		if (key->stage[n].texture && key->stage[n].needed)
			look_up(f, n, coord);
		stage(f, n);
	}
	if (key->raw_needed)
		keep_raw(f);
	const struct tev_stage *last = &key->stage[key->stages - 1];
	gx_part(t, "result");
	f->out = gx_temporary(t);
	gx_op(t, "AND TEMP[%u].xyz, TEMP[%u], %s", f->out, f->reg[last->colour.destination], gx_int(t, 255).s);
	gx_op(t, "AND TEMP[%u].w, TEMP[%u], %s", f->out, f->reg[last->alpha.destination], gx_int(t, 255).s);
}
