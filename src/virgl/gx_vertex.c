/* gx_vertex.c - XF as TGSI: keys, the layout of vertices, positions and normals, whole programs
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "core/bits.h"
#include "gx/front.h"
#include "virgl/gx_vertex.h"

/* ---- keys --------------------------------------------------------------------------------------------------------------- */

static void key_texgens(const struct gx_machine *m, struct gx_vertex_key *key)
{
	const uint32_t *xf = m->state.xf;
	unsigned count = bits(xf[0x103F], 0, 4);

	count = count > 8 ? 8 : count;
	key->dual = xf[0x1012] & 1;
	for (unsigned n = 0; n < count; n++) {
		struct gx_key_texgen *g = &key->texgen[n];
		uint32_t control = xf[0x1040 + n];
		g->type = (uint8_t)bits(control, 4, 3);
		switch (g->type) {
		case 0:
			g->source = (uint8_t)bits(control, 7, 5);
			g->stq = (uint8_t)bits(control, 2, 1);
			g->three = (uint8_t)bits(control, 1, 1);
			g->normalize = key->dual && bits(xf[0x1050 + n], 8, 1);
			break;
		case 1:
			g->from = (uint8_t)bits(control, 12, 3);
			g->light = (uint8_t)bits(control, 15, 3);
			break;
		default:
			break;
		}
	}
	/* coordinates that nobody reads are not made: outputs, and sources of emboss */
	key->texgens = (uint8_t)(count < key->ntex ? count : key->ntex);
	memset(key->texgen + key->texgens, 0, (8u - key->texgens) * sizeof *key->texgen);
}

static void key_clip(const struct gx_machine *m, struct gx_vertex_key *key)
{
	key->clip = key->kind == QS_PRIMITIVE_TRIANGLE && !(m->state.xf[0x1005] & 1);
	if (!key->clip)
		return;
	key->guard = (uint8_t)m->quirk[GX_QUIRK_clip_guard];
	key->far_w = !m->quirk[GX_QUIRK_clip_far];
}

void gx_vertex_key_make(const struct gx_machine *m, enum qs_primitive_kind kind, struct gx_vertex_key *key)
{
	const struct gx_state *s = &m->state;
	unsigned ncol = bits(s->bp[0], 4, 3), ntex = bits(s->bp[0], 0, 4);

	memset(key, 0, sizeof *key);
	key->ncol = (uint8_t)(ncol > 2 ? 2 : ncol);
	key->ntex = (uint8_t)(ntex > 8 ? 8 : ntex);
	key->kind = (uint8_t)kind;
	key->orthographic = s->xf[0x1026] & 1;
	key->shortened_z = !key->orthographic && m->quirk[GX_QUIRK_projection_z];
	key->zero_is_nan = m->quirk[GX_QUIRK_zero_vector] != 0;
	key->light_overflow = m->quirk[GX_QUIRK_light_overflow] != 0;
	key->concatenated = m->quirk[GX_QUIRK_colour_texgen] != 0;
	key->no_normal = m->quirk[GX_QUIRK_missing_vector] && !bits(s->cp[0x50], 11, 2);
	key->affine = !m->quirk[GX_QUIRK_colour_perspective];
	key->snap = m->quirk[GX_QUIRK_sample_point] == 1;
	key->unit = key->affine || key->snap || gx_attribute_step(m) != 0;
	key->frozen = (uint8_t)bits(s->bp[0], 19, 1);
	key->channels = (uint8_t)gx_xf_channels(m);
	for (unsigned i = 0; i < key->channels; i++)
		for (unsigned k = 0; k < 2; k++)
			key->control[i][k] = (uint16_t)(s->xf[0x100E + i + 2 * k] & 0x7FFF);
	key_texgens(m, key);
	key_clip(m, key);
	for (unsigned n = 0; n < key->texgens; n++)
		if (key->texgen[n].type == 0)
			key->indexed |= (uint16_t)(2u << n);
	key->indexed = (uint16_t)((key->indexed | 1) & s->cp[0x50]);
}

/* ---- the layout of a vertex ----------------------------------------------------------------------------------------------- */

static bool is_lit(const struct gx_vertex_key *key)
{
	bool any = false;

	for (unsigned i = 0; i < key->channels; i++)
		for (unsigned k = 0; k < 2; k++)
			any |= (key->control[i][k] & 2) && (key->control[i][k] & 0x783C);
	return any;
}

static void layout_texgens(const struct gx_vertex_key *key, struct gx_vertex_layout *in)
{
	bool tex[8] = {false};

	for (unsigned n = 0; n < key->texgens; n++) {
		const struct gx_key_texgen *g = &key->texgen[n];
		in->vectors |= g->type == 1 || (g->type == 0 && (g->source == 3 || g->source == 4));
		in->normal |= g->type == 0 && g->source == 1;
		if (g->type == 0 && g->source >= 5 && g->source <= 12)
			tex[g->source - 5] = true;
		if (key->indexed >> (n + 1) & 1)
			in->index[in->index_count++] = (uint8_t)n;
	}
	for (unsigned i = 0; i < 8; i++)
		if (tex[i])
			in->tex[in->tex_count++] = (uint8_t)i;
}

static void layout_colours(const struct gx_vertex_key *key, struct gx_vertex_layout *in)
{
	for (unsigned i = 0; i < key->channels; i++)
		for (unsigned k = 0; k < 2; k++) {
			unsigned c = key->control[i][k];
			in->colour[i] |= (c & 1) || ((c & 2) && (c & 0x40));
		}
}

void gx_vertex_layout(const struct gx_vertex_key *key, struct gx_vertex_layout *in)
{
	memset(in, 0, sizeof *in);
	in->corner = key->probe || key->kind != QS_PRIMITIVE_TRIANGLE;
	in->other = key->kind == QS_PRIMITIVE_LINE;
	layout_texgens(key, in);
	layout_colours(key, in);
	in->normal |= is_lit(key);
	in->elements = 1;
	in->stride = 16;
	if (in->normal) {
		in->at_normal = in->elements++;
		in->stride += 12;
	}
	if (in->vectors) {
		in->at_vectors = in->elements;
		in->elements += 2;
		in->stride += 24;
	}
	for (unsigned i = 0; i < 2; i++)
		if (in->colour[i]) {
			in->at_colour[i] = in->elements++;
			in->stride += 4;
		}
	in->at_tex = in->elements;
	in->elements += (in->tex_count + 1u) / 2;
	in->stride += 16 * ((in->tex_count + 1u) / 2);
	in->at_index = in->elements;
	in->elements += (in->index_count + 3u) / 4;
	in->stride += 16 * ((in->index_count + 3u) / 4);
	if (in->corner) {
		in->at_corner = in->elements++;
		in->stride += 16;
	}
	if (in->other) {
		in->at_other = in->elements++;
		in->stride += 16;
	}
}

static void element(struct virgl_element *e, unsigned *n, uint32_t *offset, uint32_t format, uint32_t bytes)
{
	e[(*n)++] = (struct virgl_element){*offset, format};
	*offset += bytes;
}

unsigned gx_vertex_elements(const struct gx_vertex_layout *in, struct virgl_element e[16])
{
	uint32_t offset = 0;
	unsigned n = 0;

	element(e, &n, &offset, VIRGL_FORMAT_R32G32B32A32_FLOAT, 16);
	for (unsigned i = 0; i < (in->normal ? 1u : 0u) + (in->vectors ? 2u : 0u); i++)
		element(e, &n, &offset, VIRGL_FORMAT_R32G32B32_FLOAT, 12);
	for (unsigned i = 0; i < 2; i++)
		if (in->colour[i])
			element(e, &n, &offset, VIRGL_FORMAT_R8G8B8A8_UNORM, 4);
	while (n < in->elements)
		element(e, &n, &offset, VIRGL_FORMAT_R32G32B32A32_FLOAT, 16);
	return n;
}

/* ---- helpers of the writer ------------------------------------------------------------------------------------------------ */

struct gx_operand gx_xf(struct gx_vertex_writer *w, unsigned index)
{
	struct gx_operand o;

	snprintf(o.s, sizeof o.s, "CONST[0][%u]", gx_constant(&w->t, GX_CONSTANT_XF, index) & 0xFFFF);
	return o;
}

void gx_dot(struct gx_vertex_writer *w, const char *a, const char *b, unsigned out, unsigned lane)
{
	char l = "xyzw"[lane & 3];

	gx_op(&w->t, "MUL TEMP[%u].xyz, %s, %s", w->scratch, a, b);
	gx_op(&w->t, "ADD TEMP[%u].x, TEMP[%u].xxxx, TEMP[%u].yyyy", w->scratch, w->scratch, w->scratch);
	gx_op(&w->t, "ADD TEMP[%u].%c, TEMP[%u].xxxx, TEMP[%u].zzzz", out, l, w->scratch, w->scratch);
}

void gx_row(struct gx_vertex_writer *w, const char *row, const char *in, bool moved, unsigned out, unsigned lane)
{
	char l = "xyzw"[lane & 3];

	gx_dot(w, row, in, out, lane);
	if (moved)
		gx_op(&w->t, "ADD TEMP[%u].%c, TEMP[%u].%c%c%c%c, %s.wwww", out, l, out, l, l, l, l, row);
}

void gx_normalize(struct gx_vertex_writer *w, unsigned v)
{
	struct gx_text *t = &w->t;
	char in[24];

	snprintf(in, sizeof in, "TEMP[%u]", v & 0xFFFF);
	gx_dot(w, in, in, w->scratch, 3);
	gx_op(t, "SQRT TEMP[%u].x, TEMP[%u].wwww", w->scratch, w->scratch);
	gx_op(t, "RCP TEMP[%u].x, TEMP[%u].xxxx", w->scratch, w->scratch);
	if (!w->key->zero_is_nan) {
		gx_op(t, "FSNE TEMP[%u].y, TEMP[%u].wwww, %s", w->scratch, w->scratch, gx_float(t, 0).s);
		gx_op(t, "AND TEMP[%u].x, TEMP[%u].xxxx, TEMP[%u].yyyy", w->scratch, w->scratch, w->scratch);
	}
	gx_op(t, "MUL TEMP[%u].xyz, TEMP[%u], TEMP[%u].xxxx", v, v, w->scratch);
}

/* ---- position and normals ------------------------------------------------------------------------------------------------- */

/* Rows of the position matrix for the vertex in `in` (xyz, first row of the matrix in w). */
static void eye_position(struct gx_vertex_writer *w, const char *in, unsigned out)
{
	struct gx_text *t = &w->t;
	char row[40];

	if (w->key->indexed & 1)
		gx_op(t, "ARL ADDR[0].x, %s.wwww", in);
	for (unsigned i = 0; i < 3; i++) {
		if (w->key->indexed & 1)
			snprintf(row, sizeof row, "CONST[0][ADDR[0].x+%u]", w->rows + i);
		else
			snprintf(row, sizeof row, "%s", gx_xf(w, GX_XF_POSITION + i).s);
		gx_row(w, row, in, true, out, i);
	}
}

/* p[0..5] as in xf.c. */
static void project(struct gx_vertex_writer *w, unsigned eye, unsigned clip)
{
	struct gx_text *t = &w->t;
	struct gx_operand p = gx_xf(w, GX_XF_PROJECTION), q = gx_xf(w, GX_XF_PROJECTION + 1);

	gx_op(t, "MUL TEMP[%u].xy, %s.xzxz, TEMP[%u]", clip, p.s, eye);
	gx_op(t, "MUL TEMP[%u].z, %s.xxxx, TEMP[%u].zzzz", clip, q.s, eye);
	if (w->key->orthographic) {
		gx_op(t, "ADD TEMP[%u].xy, TEMP[%u], %s.ywyw", clip, clip, p.s);
	} else {
		gx_op(t, "MUL TEMP[%u].xy, %s.ywyw, TEMP[%u].zzzz", w->scratch, p.s, eye);
		gx_op(t, "ADD TEMP[%u].xy, TEMP[%u], TEMP[%u]", clip, clip, w->scratch);
	}
	gx_op(t, "ADD TEMP[%u].z, TEMP[%u].zzzz, %s.yyyy", clip, clip, q.s);
	if (w->key->shortened_z)
		gx_op(t, "MUL TEMP[%u].z, TEMP[%u].zzzz, %s", clip, clip, gx_float(t, 1.0f - 1e-7f).s);
	if (w->key->orthographic)
		gx_op(t, "MOV TEMP[%u].w, %s", clip, gx_float(t, 1).s);
	else
		gx_op(t, "MOV TEMP[%u].w, -TEMP[%u].zzzz", clip, eye);
}

static void transform_vector(struct gx_vertex_writer *w, unsigned in, unsigned out)
{
	char row[40], from[24];

	snprintf(from, sizeof from, "IN[%u]", in & 0xFFFF);
	for (unsigned i = 0; i < 3; i++) {
		if (w->key->indexed & 1)
			snprintf(row, sizeof row, "CONST[0][ADDR[0].x+%u]", w->rows + GX_XF_ROWS + i);
		else
			snprintf(row, sizeof row, "%s", gx_xf(w, GX_XF_EYE + i).s);
		gx_row(w, row, from, false, out, i);
	}
}

static void normals(struct gx_vertex_writer *w)
{
	struct gx_text *t = &w->t;
	bool lit = is_lit(w->key), bump = false;

	for (unsigned n = 0; n < w->key->texgens; n++)
		bump |= w->key->texgen[n].type == 1;
	if (!lit && !bump)
		return;
	gx_part(t, "normals");
	for (unsigned k = 0; k < 3; k++) {
		w->vector[k] = gx_temporary(t);
		if (w->key->no_normal)
			gx_op(t, "MOV TEMP[%u], %s", w->vector[k], gx_float(t, 0).s);
	}
	if (w->key->no_normal)
		return;
	if (w->key->indexed & 1) { /* rows of 32 */
		gx_op(t, "MUL TEMP[%u].x, IN[0].wwww, %s", w->scratch, gx_float(t, 1 / 32.0f).s);
		gx_op(t, "FRC TEMP[%u].x, TEMP[%u].xxxx", w->scratch, w->scratch);
		gx_op(t, "MUL TEMP[%u].x, TEMP[%u].xxxx, %s", w->scratch, w->scratch, gx_float(t, 32).s);
		gx_op(t, "ARL ADDR[0].x, TEMP[%u].xxxx", w->scratch);
	}
	if (lit) {
		transform_vector(w, w->in.at_normal, w->vector[0]);
		gx_normalize(w, w->vector[0]); /* only the normal: the length of the others scales the emboss shift */
	}
	for (unsigned k = 1; bump && k < 3; k++)
		transform_vector(w, w->in.at_vectors + k - 1, w->vector[k]);
}

/* ---- SU: the place on the screen -------------------------------------------------------------------------------------------- */

/* Screen coordinates of a clip position in xy of out. */
static void pixels(struct gx_vertex_writer *w, unsigned clip, unsigned out)
{
	struct gx_text *t = &w->t;
	struct gx_operand p = gx_xf(w, GX_XF_PIXELS);

	gx_op(t, "RCP TEMP[%u].z, TEMP[%u].wwww", out, clip);
	gx_op(t, "MUL TEMP[%u].xy, TEMP[%u], TEMP[%u].zzzz", out, clip, out);
	gx_op(t, "MUL TEMP[%u].xy, TEMP[%u], %s", out, out, p.s);
	gx_op(t, "ADD TEMP[%u].xy, TEMP[%u], %s.zwzw", out, out, p.s);
	gx_op(t, "ADD TEMP[%u].xy, TEMP[%u], -%s.zwzw", out, out, gx_xf(w, GX_XF_SHAPE).s);
}

/* How far the corner of a point or line is from its vertex, in xy of out (pixels).  Lines: short edges along the axis. */
static void widen(struct gx_vertex_writer *w, unsigned here, unsigned out)
{
	struct gx_text *t = &w->t;
	struct gx_operand shape = gx_xf(w, GX_XF_SHAPE), zero = gx_float(t, 0);
	unsigned eye, clip, d;
	char corner[24], other[24];

	snprintf(corner, sizeof corner, "IN[%u]", w->in.at_corner & 0xFFFF);
	if (w->key->kind == QS_PRIMITIVE_POINT) {
		gx_part(t, "point");
		gx_op(t, "MUL TEMP[%u].xy, %s, %s.yyyy", out, corner, shape.s);
		return;
	}
	gx_part(t, "line");
	eye = gx_temporary(t);
	clip = gx_temporary(t);
	d = gx_temporary(t);
	snprintf(other, sizeof other, "IN[%u]", w->in.at_other & 0xFFFF);
	eye_position(w, other, eye);
	project(w, eye, clip);
	pixels(w, clip, d);
	gx_op(t, "ADD TEMP[%u].xy, TEMP[%u], -TEMP[%u]", d, d, here);
	gx_op(t, "MUL TEMP[%u].xy, TEMP[%u], %s.xxxx", d, d, corner); /* from its first end to its second */
	gx_op(t, "FSLT TEMP[%u].xy, %s, TEMP[%u]", out, zero.s, d);   /* to the right, down */
	gx_op(t, "MAX TEMP[%u].xy, TEMP[%u], -TEMP[%u]", d, d, d);
	gx_op(t, "FSLT TEMP[%u].z, TEMP[%u].yyyy, TEMP[%u].xxxx", out, d, d); /* rather level */
	gx_op(t, "UCMP TEMP[%u].x, TEMP[%u].xxxx, %s, %s", d, out, gx_float(t, -1).s, gx_float(t, 1).s);
	gx_op(t, "UCMP TEMP[%u].y, TEMP[%u].yyyy, %s, %s", d, out, gx_float(t, 1).s, gx_float(t, -1).s);
	gx_op(t, "MUL TEMP[%u].xy, TEMP[%u], %s.yyyy", d, d, corner);
	gx_op(t, "MUL TEMP[%u].xy, TEMP[%u], %s.xxxx", d, d, shape.s);
	gx_op(t, "UCMP TEMP[%u].x, TEMP[%u].zzzz, %s, TEMP[%u].yyyy", w->scratch, out, zero.s, d);
	gx_op(t, "UCMP TEMP[%u].y, TEMP[%u].zzzz, TEMP[%u].xxxx, %s", out, out, d, zero.s);
	gx_op(t, "MOV TEMP[%u].x, TEMP[%u].xxxx", out, w->scratch);
}

/* To 28.4 as Dolphin does, and from there to the host. */
static void snapped_place(struct gx_vertex_writer *w, unsigned place, unsigned moved, bool wide)
{
	struct gx_text *t = &w->t;
	unsigned at = gx_temporary(t);

	w->snapped = gx_temporary(t);
	pixels(w, w->clip, at);
	if (wide)
		gx_op(t, "ADD TEMP[%u].xy, TEMP[%u], TEMP[%u]", at, at, moved);
	gx_op(t, "MOV TEMP[%u].xy, -TEMP[%u]", w->snapped, at);
	gx_op(t, "MUL TEMP[%u].xy, TEMP[%u], %s", at, at, gx_float(t, 16).s);
	gx_op(t, "ADD TEMP[%u].xy, TEMP[%u], %s", at, at, gx_float(t, 0.5f).s);
	gx_op(t, "FLR TEMP[%u].xy, TEMP[%u]", at, at);
	gx_op(t, "MUL TEMP[%u].xy, TEMP[%u], %s", at, at, gx_float(t, 1 / 16.0f).s);
	gx_op(t, "ADD TEMP[%u].xy, TEMP[%u], TEMP[%u]", w->snapped, w->snapped, at);
	gx_op(t, "ADD TEMP[%u].xy, TEMP[%u], %s", at, at, gx_float(t, 0.5f - 9 / 16.0f).s);
	gx_op(t, "MUL TEMP[%u].x, TEMP[%u].xxxx, %s", at, at, gx_float(t, 2.0f / GX_EFB_WIDTH).s);
	gx_op(t, "MUL TEMP[%u].y, TEMP[%u].yyyy, %s", at, at, gx_float(t, -2.0f / GX_EFB_HEIGHT).s);
	gx_op(t, "ADD TEMP[%u].x, TEMP[%u].xxxx, %s", at, at, gx_float(t, -1).s);
	gx_op(t, "ADD TEMP[%u].y, TEMP[%u].yyyy, %s", at, at, gx_float(t, 1).s);
	gx_op(t, "MUL TEMP[%u].xy, TEMP[%u], TEMP[%u].wwww", place, at, w->clip);
}

/* Z of the plane that SU holds. */
static void frozen_z(struct gx_vertex_writer *w, unsigned place, unsigned moved)
{
	struct gx_text *t = &w->t;
	struct gx_operand z = gx_xf(w, GX_XF_FROZEN);

	gx_part(t, "frozen Z");
	gx_op(t, "MUL TEMP[%u].xyz, TEMP[%u].xyww, %s", w->scratch, w->clip, z.s);
	gx_op(t, "ADD TEMP[%u].x, TEMP[%u].xxxx, TEMP[%u].yyyy", w->scratch, w->scratch, w->scratch);
	gx_op(t, "ADD TEMP[%u].z, TEMP[%u].xxxx, TEMP[%u].zzzz", place, w->scratch, w->scratch);
	if (w->key->kind == QS_PRIMITIVE_TRIANGLE)
		return;
	gx_op(t, "MUL TEMP[%u].xy, TEMP[%u], %s", w->scratch, moved, gx_xf(w, GX_XF_FROZEN + 1).s);
	gx_op(t, "ADD TEMP[%u].x, TEMP[%u].xxxx, TEMP[%u].yyyy", w->scratch, w->scratch, w->scratch);
	gx_op(t, "MAD TEMP[%u].z, TEMP[%u].xxxx, TEMP[%u].wwww, TEMP[%u].zzzz", place, w->scratch, w->clip, place);
}

/* The place for the host: x, y, z times w, w.  Nothing is divided, so that it can clip what is behind the eye. */
static void screen(struct gx_vertex_writer *w)
{
	struct gx_text *t = &w->t;
	struct gx_operand scale = gx_xf(w, GX_XF_SCREEN), middle = gx_xf(w, GX_XF_MIDDLE);
	bool wide = w->key->kind != QS_PRIMITIVE_TRIANGLE;
	unsigned place = gx_temporary(t), moved = 0;

	if (w->key->probe) {
		gx_op(t, "MOV OUT[0], IN[%u]", w->in.at_corner);
		return;
	}
	if (wide) {
		unsigned here = gx_temporary(t);
		moved = gx_temporary(t);
		pixels(w, w->clip, here);
		widen(w, here, moved);
	}
	gx_part(t, "viewport");
	gx_op(t, "MUL TEMP[%u].xyz, TEMP[%u].wwww, %s", place, w->clip, middle.s);
	gx_op(t, "MUL TEMP[%u].xyz, TEMP[%u], %s", w->scratch, w->clip, scale.s);
	gx_op(t, "ADD TEMP[%u].xyz, TEMP[%u], TEMP[%u]", place, w->scratch, place);
	if (w->key->snap) {
		snapped_place(w, place, moved, wide);
	} else if (wide) {
		gx_op(t, "MUL TEMP[%u].xy, TEMP[%u], %s", w->scratch, moved,
			gx_floats(t, 2.0f / GX_EFB_WIDTH, -2.0f / GX_EFB_HEIGHT, 0, 0).s);
		gx_op(t, "MAD TEMP[%u].xy, TEMP[%u], TEMP[%u].wwww, TEMP[%u]", place, w->scratch, w->clip, place);
	}
	if (w->key->frozen)
		frozen_z(w, place, moved);
	gx_op(t, "MOV TEMP[%u].w, TEMP[%u].wwww", place, w->clip);
	gx_op(t, "MOV OUT[0], TEMP[%u]", place);
}

/* Distances to the planes of clip.c: the host cuts where one is negative. */
static void clip_distances(struct gx_vertex_writer *w, unsigned out)
{
	struct gx_text *t = &w->t;
	unsigned d = gx_temporary(t);

	gx_part(t, "clip planes");
	gx_op(t, "MUL TEMP[%u], TEMP[%u].wwww, %s", d, w->clip, gx_float(t, w->key->guard).s);
	gx_op(t, "ADD OUT[%u].xz, TEMP[%u], -TEMP[%u].xxyy", out, d, w->clip);
	gx_op(t, "ADD OUT[%u].yw, TEMP[%u], TEMP[%u].xxyy", out, d, w->clip);
	if (w->key->far_w)
		gx_op(t, "MOV OUT[%u].x, TEMP[%u].wwww", out + 1, w->clip);
	else
		gx_op(t, "MOV OUT[%u].x, -TEMP[%u].zzzz", out + 1, w->clip);
	gx_op(t, "ADD OUT[%u].y, TEMP[%u].wwww, TEMP[%u].zzzz", out + 1, w->clip, w->clip);
}

/* ---- the whole program ---------------------------------------------------------------------------------------------------- */

static void outputs(struct gx_vertex_writer *w, unsigned out)
{
	struct gx_text *t = &w->t;
	const struct gx_vertex_key *key = w->key;
	unsigned sizes = key->kind == QS_PRIMITIVE_LINE ? GX_XF_LINE_SIZE : GX_XF_SIZE;

	gx_part(t, "results");
	if (key->probe) {
		gx_op(t, "MOV OUT[%u], TEMP[%u]", out++, w->clip);
	} else if (key->unit) {
		gx_op(t, "MUL TEMP[%u], TEMP[%u].xxxy, TEMP[%u].wwww", w->scratch, w->snapped, w->clip);
		gx_op(t, "MOV TEMP[%u].x, %s", w->scratch, gx_float(t, 1).s);
		gx_op(t, "MOV TEMP[%u].y, TEMP[%u].wwww", w->scratch, w->clip);
		gx_op(t, "MOV OUT[%u], TEMP[%u]", out++, w->scratch);
	}
	for (unsigned i = 0; i < key->ncol; i++)
		if (key->affine)
			gx_op(t, "MUL OUT[%u], TEMP[%u], TEMP[%u].wwww", out++, w->colour[i], w->clip);
		else
			gx_op(t, "MOV OUT[%u], TEMP[%u]", out++, w->colour[i]);
	for (unsigned n = 0; n < key->ntex; n++) {
		struct gx_operand size = gx_xf(w, sizes + n);
		if (n >= key->texgens) {
			gx_op(t, "MOV OUT[%u], %s", out++, gx_float(t, 0).s);
			continue;
		}
		gx_op(t, "MUL TEMP[%u].xy, TEMP[%u], %s", w->tex[n], w->tex[n], size.s);
		if (key->kind != QS_PRIMITIVE_TRIANGLE)
			gx_op(t, "MAD TEMP[%u].xy, IN[%u].zwzw, %s.zwzw, TEMP[%u]", w->tex[n], w->in.at_corner, size.s, w->tex[n]);
		gx_op(t, "MOV OUT[%u].xyz, TEMP[%u]", out, w->tex[n]);
		gx_op(t, "MOV OUT[%u].w, %s", out++, gx_float(t, 1).s);
	}
}

static void vertex_head(const struct gx_vertex_writer *w, char *head, size_t size)
{
	const struct gx_vertex_key *key = w->key;
	size_t n = (size_t)snprintf(head, size, "VERT\n%s", key->clip ? "PROPERTY NUM_CLIPDIST_ENABLED 6\n" : "");
	unsigned out = 0;

	for (unsigned i = 0; i < w->in.elements; i++)
		n += (size_t)snprintf(head + n, size - n, "DCL IN[%u]\n", i);
	n += (size_t)snprintf(head + n, size - n, "DCL OUT[%u], POSITION\n", out++);
	if (key->unit)
		n += (size_t)snprintf(head + n, size - n, "DCL OUT[%u], GENERIC[%u]\n", out++, GX_GENERIC_UNIT);
	for (unsigned i = 0; i < key->ncol; i++)
		n += (size_t)snprintf(head + n, size - n, "DCL OUT[%u], GENERIC[%u]\n", out++, GX_GENERIC_COLOUR + i);
	for (unsigned i = 0; i < key->ntex; i++)
		n += (size_t)snprintf(head + n, size - n, "DCL OUT[%u], GENERIC[%u]\n", out++, GX_GENERIC_TEX + i);
	for (unsigned i = 0; key->clip && i < 2; i++)
		n += (size_t)snprintf(head + n, size - n, "DCL OUT[%u]%s, CLIPDIST[%u]\n", out++, i ? ".xy" : "", i);
	if (key->indexed)
		n += (size_t)snprintf(head + n, size - n, "DCL ADDR[0]\n");
}

bool gx_vertex_program(const struct gx_vertex_key *key, struct gx_program *program)
{
	struct gx_vertex_writer w;
	char head[2048];

	memset(&w, 0, sizeof w);
	gx_text_init(&w.t);
	w.key = key;
	gx_vertex_layout(key, &w.in);
	if (key->indexed)
		w.rows = gx_constant_block(&w.t, GX_CONSTANT_XF, GX_XF_ROW, GX_XF_ROWS);
	if (key->indexed & 1) /* right behind the rows */
		gx_constant_block(&w.t, GX_CONSTANT_XF, GX_XF_NORMAL, GX_XF_NORMALS);
	w.scratch = gx_temporary(&w.t);
	w.snapped = w.scratch;
	w.eye = gx_temporary(&w.t);
	w.clip = gx_temporary(&w.t);
	gx_part(&w.t, "position");
	eye_position(&w, "IN[0]", w.eye);
	gx_part(&w.t, "projection");
	project(&w, w.eye, w.clip);
	normals(&w);
	gx_vertex_light(&w);
	gx_vertex_texgen(&w);
	screen(&w);
	outputs(&w, 1);
	if (key->clip)
		clip_distances(&w, 1u + key->unit + key->ncol + key->ntex);
	vertex_head(&w, head, sizeof head);
	return gx_program_take(&w.t, head, program);
}
