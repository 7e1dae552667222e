/* gx_vertex_texgen.c - texture coordinates as TGSI: the steps of texgen.c, in its order
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "virgl/gx_vertex.h"

/* Attribute and lanes of the texture coordinate `which` as it came with the vertex. */
static void in_tex(const struct gx_vertex_writer *w, unsigned which, char s[32])
{
	unsigned i = 0;

	while (i < w->in.tex_count && w->in.tex[i] != which)
		i++;
	snprintf(s, 32, "IN[%u].%s", (w->in.at_tex + i / 2) & 0xFFFF, i & 1 ? "zwzw" : "xyxy");
}

static void source(struct gx_vertex_writer *w, const struct gx_key_texgen *g, unsigned out)
{
	struct gx_text *t = &w->t;
	struct gx_operand one = gx_float(t, 1);
	char in[32];

	switch (g->source) {
	case 0:
		gx_op(t, "MOV TEMP[%u].xyz, IN[0]", out);
		break;
	case 1:
		gx_op(t, "MOV TEMP[%u].xyz, IN[%u]", out, w->in.at_normal);
		break;
	case 3:
	case 4:
		gx_op(t, "MOV TEMP[%u].xyz, IN[%u]", out, w->in.at_vectors + g->source - 3u);
		break;
	default:
		gx_op(t, "MOV TEMP[%u].xy, %s", out, gx_float(t, 0).s);
		if (g->source >= 5 && g->source <= 12) {
			in_tex(w, g->source - 5u, in);
			gx_op(t, "MOV TEMP[%u].xy, %s", out, in);
		}
		gx_op(t, "MOV TEMP[%u].z, %s", out, one.s);
		break;
	}
	gx_op(t, "FSNE TEMP[%u].xyz, TEMP[%u], TEMP[%u]", w->scratch, out, out); /* no numbers count as 1 */
	gx_op(t, "UCMP TEMP[%u].xyz, TEMP[%u], %s, TEMP[%u]", out, w->scratch, one.s, out);
	if (!g->stq)
		gx_op(t, "MOV TEMP[%u].z, %s", out, one.s);
}

static void multiply(struct gx_vertex_writer *w, unsigned n, unsigned rows, bool post, unsigned in, unsigned out)
{
	char row[40], from[24];
	unsigned i = 0;

	snprintf(from, sizeof from, "TEMP[%u]", in & 0xFFFF);
	while (i < w->in.index_count && w->in.index[i] != n)
		i++;
	if (!post && i < w->in.index_count) {
		char l = "xyzw"[i & 3];
		gx_op(&w->t, "ARL ADDR[0].x, IN[%u].%c%c%c%c", w->in.at_index + i / 4, l, l, l, l);
	}
	for (unsigned k = 0; k < rows; k++) {
		if (!post && i < w->in.index_count)
			snprintf(row, sizeof row, "CONST[0][ADDR[0].x+%u]", w->rows + k);
		else
			snprintf(row, sizeof row, "%s", gx_xf(w, (post ? GX_XF_POST : GX_XF_TEXTURE) + 3 * n + k).s);
		gx_row(w, row, from, true, out, k);
	}
}

static void regular(struct gx_vertex_writer *w, unsigned n)
{
	struct gx_text *t = &w->t;
	const struct gx_key_texgen *g = &w->key->texgen[n];
	unsigned in = gx_temporary(t), out = w->tex[n];

	source(w, g, in);
	gx_op(t, "MOV TEMP[%u].z, %s", out, gx_float(t, 1).s);
	multiply(w, n, g->three ? 3 : 2, false, in, out);
	if (w->key->dual) {
		gx_part(t, "texgen %u post-transform", n);
		gx_op(t, "MOV TEMP[%u].xyz, TEMP[%u]", in, out);
		if (g->normalize)
			gx_normalize(w, in);
		multiply(w, n, 3, true, in, out);
	}
	/* q of 0 is not divided by later: halved and cut here */
	gx_op(t, "MUL TEMP[%u].xy, TEMP[%u], %s", w->scratch, out, gx_float(t, 0.5f).s);
	gx_op(t, "MAX TEMP[%u].xy, TEMP[%u], %s", w->scratch, w->scratch, gx_float(t, -1).s);
	gx_op(t, "MIN TEMP[%u].xy, TEMP[%u], %s", w->scratch, w->scratch, gx_float(t, 1).s);
	gx_op(t, "FSEQ TEMP[%u].z, TEMP[%u].zzzz, %s", w->scratch, out, gx_float(t, 0).s);
	gx_op(t, "UCMP TEMP[%u].xy, TEMP[%u].zzzz, TEMP[%u], TEMP[%u]", out, w->scratch, w->scratch, out);
}

static void emboss(struct gx_vertex_writer *w, unsigned n)
{
	struct gx_text *t = &w->t;
	const struct gx_key_texgen *g = &w->key->texgen[n];
	unsigned l = gx_temporary(t), shift = gx_temporary(t), out = w->tex[n];
	char a[24], b[24];

	gx_op(t, "ADD TEMP[%u].xyz, %s, -TEMP[%u]", l, gx_xf(w, GX_XF_LIGHT + 8u * g->light + GX_LIGHT_POSITION).s, w->eye);
	gx_normalize(w, l);
	snprintf(a, sizeof a, "TEMP[%u]", l & 0xFFFF);
	for (unsigned k = 0; k < 2; k++) {
		snprintf(b, sizeof b, "TEMP[%u]", w->vector[1 + k] & 0xFFFF);
		gx_dot(w, a, b, shift, k);
	}
	gx_op(t, "MOV TEMP[%u].z, %s", shift, gx_float(t, 0).s);
	if (g->from < n)
		gx_op(t, "ADD TEMP[%u].xyz, TEMP[%u], TEMP[%u]", out, w->tex[g->from], shift);
	else /* a coordinate that is not there yet */
		gx_op(t, "MOV TEMP[%u].xyz, TEMP[%u]", out, shift);
}

static void from_colour(struct gx_vertex_writer *w, unsigned n)
{
	struct gx_text *t = &w->t;
	unsigned colour = w->colour[w->key->texgen[n].type - 2], out = w->tex[n];

	gx_op(t, "MOV TEMP[%u].z, %s", out, gx_float(t, 1).s);
	if (w->key->concatenated) {
		gx_op(t, "MOV TEMP[%u].x, TEMP[%u].xxxx", out, colour);
		gx_op(t, "MAD TEMP[%u].y, TEMP[%u].yyyy, %s, TEMP[%u].zzzz", out, colour, gx_float(t, 256).s, colour);
		return;
	}
	gx_op(t, "DIV TEMP[%u].xy, TEMP[%u], %s", out, colour, gx_float(t, 255).s);
}

void gx_vertex_texgen(struct gx_vertex_writer *w)
{
	struct gx_text *t = &w->t;

	for (unsigned n = 0; n < w->key->texgens; n++) {
		w->tex[n] = gx_temporary(t);
		gx_part(t, "texgen %u", n);
		switch (w->key->texgen[n].type) {
		case 0:
			regular(w, n);
			break;
		case 1:
			emboss(w, n);
			break;
		case 2:
		case 3:
			from_colour(w, n);
			break;
		default: /* no such type */
			gx_op(t, "MOV TEMP[%u], %s", w->tex[n], gx_float(t, 0).s);
			break;
		}
	}
}
