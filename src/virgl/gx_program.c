/* gx_program.c - keys, whole programs, and what their constants are filled with
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bits.h"
#include "virgl/gx_shader.h"

/* ---- keys --------------------------------------------------------------------------------------------------------------- */

static void key_stage(const struct tev_stage *from, struct tev_stage *to)
{
	memcpy(to, from, sizeof *to);
	memset(to->konst, 0, sizeof to->konst);
	memset(to->m, 0, sizeof to->m);
	to->matrix_shift = 0;
	to->konst_used = false;
}

static void key_map(const struct tx_map *from, struct gx_key_map *to)
{
	*to = (struct gx_key_map){1, from->wrap_s, from->wrap_t, from->mip, from->mag_linear, from->min_linear, from->diagonal};
	if (!to->mip && to->mag_linear == to->min_linear)
		to->diagonal = 0;
}

static void key_pixel(const struct pe_draw *from, struct pe_draw *to)
{
	memcpy(to, from, sizeof *to);
	to->alpha = to->alpha_ref[0] = to->alpha_ref[1] = 0;
	to->z_bias = 0;
	to->z_func = 0;     /* the host's depth state */
	to->z_update = false;
}

/* Attributes are evaluated where coverage is sampled, except in the dolphin model. */
float gx_attribute_step(const struct gx_machine *m)
{
	static const float sample[2] = {7 / 12.0f, 9 / 16.0f}, point[3] = {7 / 12.0f, 0.495f, 0.5f};
	int which = m->quirk[GX_QUIRK_sample_point];

	if (which > 1 || (m->quirk[GX_QUIRK_multisample] && bits(m->state.bp[0], 9, 1)))
		return 0;
	float d = point[m->quirk[GX_QUIRK_attribute_point]] - sample[which];
	return d < 1e-6f && d > -1e-6f ? 0 : d;
}

void gx_key_make(const struct gx_machine *m, struct gx_key *key)
{
	const struct tev_draw *tev = m->tev;

	memset(key, 0, sizeof *key);
	key->stages = (uint8_t)tev->stages;
	key->indirects = (uint8_t)tev->indirects;
	key->ncol = (uint8_t)bits(m->state.bp[0], 4, 3);
	key->ntex = (uint8_t)bits(m->state.bp[0], 0, 4);
	key->ncol = key->ncol > 2 ? 2 : key->ncol;
	key->ntex = key->ntex > 8 ? 8 : key->ntex;
	key->textured = tev->textured;
	key->colour_perspective = m->quirk[GX_QUIRK_colour_perspective] != 0;
	key->colour_truncate = m->quirk[GX_QUIRK_colour_convert] != 0;
	key->st_truncate = m->quirk[GX_QUIRK_st_convert] != 0;
	key->steps6 = m->quirk[GX_QUIRK_bilinear] != 0;
	key->fraction_bits = m->quirk[GX_QUIRK_trilinear] ? 5 : 4;
	key->dynamic_divide = tev->dynamic_divide;
	key->raw_swapped = tev->raw_swapped;
	key->raw_needed = tev->raw_needed;
	key->last_texture = tev->raw_needed ? tev->last_texture : -1;
	key->alpha_one = m->quirk[GX_QUIRK_alpha_one] != 0;
	key->step = gx_attribute_step(m);
	key->snap = m->quirk[GX_QUIRK_sample_point] == 1;
	key->offset = key->snap || key->step != 0;
	key->unit = key->offset || !key->colour_perspective;
	for (unsigned n = 0; n < tev->stages; n++) {
		key_stage(&tev->stage[n], &key->stage[n]);
		if (tev->stage[n].texture && tev->stage[n].needed)
			key_map(&m->tx->map[tev->stage[n].map], &key->map[tev->stage[n].map]);
	}
	for (unsigned k = 0; k < tev->indirects; k++) {
		key->indirect[k] = tev->indirect[k];
		key_map(&m->tx->map[tev->indirect[k].map], &key->map[tev->indirect[k].map]);
	}
	key->fog.type = tev->fog.type;
	if (tev->fog.type) {
		key->fog.orthographic = tev->fog.orthographic;
		key->fog.range = tev->fog.range;
		key->fog.round = tev->fog.round;
		key->fog.range_model = tev->fog.range_model != 0;
		key->fog.special = tev->fog.special;
	}
	key_pixel(m->pe, &key->pe);
}

/* ---- the fragment program ------------------------------------------------------------------------------------------------ */

static void read_position(struct gx_fragment *f)
{
	struct gx_text *t = &f->t;

	gx_part(t, "place");
	f->position = gx_temporary(t);
	gx_op(t, "F2I TEMP[%u].xy, IN[0]", f->position); /* x + 0.5 cut */
}

/* From the middle of the pixel to where the machine evaluates attributes, in xy.  Where corners were snapped for the edges alone, the
 * host interpolates between the snapped ones; how far each was moved, interpolated likewise, leads back. */
static void read_shift(struct gx_fragment *f)
{
	struct gx_text *t = &f->t;

	if (!f->key->offset)
		return;
	gx_part(t, "attribute point");
	f->shift = gx_temporary(t);
	gx_op(t, "MOV TEMP[%u], %s", f->shift, gx_float(t, f->key->step).s);
	if (!f->key->snap)
		return;
	unsigned moved = gx_temporary(t);
	gx_op(t, "RCP TEMP[%u].x, IN[1].yyyy", moved);
	gx_op(t, "MUL TEMP[%u].xy, IN[1].zwzw, TEMP[%u].xxxx", moved, moved);
	gx_op(t, "ADD TEMP[%u].xy, TEMP[%u], TEMP[%u]", f->shift, f->shift, moved);
}

static void read_z(struct gx_fragment *f)
{
	struct gx_text *t = &f->t;

	gx_part(t, "Z");
	f->z = gx_temporary(t);
	gx_op(t, "MUL TEMP[%u].x, IN[0].zzzz, %s", f->z, gx_float(t, 16777216).s);
	if (f->key->offset) {
		gx_op(t, "DDX TEMP[%u].y, TEMP[%u].xxxx", f->z, f->z);
		gx_op(t, "DDY TEMP[%u].z, TEMP[%u].xxxx", f->z, f->z);
		gx_op(t, "MAD TEMP[%u].x, TEMP[%u].yyyy, TEMP[%u].xxxx, TEMP[%u].xxxx", f->z, f->z, f->shift, f->z);
		gx_op(t, "MAD TEMP[%u].x, TEMP[%u].zzzz, TEMP[%u].yyyy, TEMP[%u].xxxx", f->z, f->z, f->shift, f->z);
	}
	gx_op(t, "MAX TEMP[%u].x, TEMP[%u].xxxx, %s", f->z, f->z, gx_float(t, 0).s);
	gx_op(t, "MIN TEMP[%u].x, TEMP[%u].xxxx, %s", f->z, f->z, gx_float(t, 16777215).s);
	gx_op(t, "F2I TEMP[%u].x, TEMP[%u].xxxx", f->z, f->z);
}

/* The varying where the machine evaluates attributes. */
static void read_varying(struct gx_fragment *f, unsigned in, unsigned out)
{
	struct gx_text *t = &f->t;

	if (f->key->offset)
		gx_op(t, "INTERP_OFFSET TEMP[%u], IN[%u], TEMP[%u]", out, in, f->shift);
	else
		gx_op(t, "MOV TEMP[%u], IN[%u]", out, in);
}

/* Lane x: what colours are multiplied with.  Affine colours come times w.  Where the point is not the middle of the pixel, Mesa divides
 * by the w of the middle all the same; so a 1 that went the same way undoes both. */
static unsigned read_unit(struct gx_fragment *f)
{
	unsigned w = gx_temporary(&f->t);

	read_varying(f, 1, w);
	gx_op(&f->t, "RCP TEMP[%u].x, TEMP[%u].%s", w, w, f->key->colour_perspective ? "xxxx" : "yyyy");
	return w;
}

/* Interpolated values of whole numbers may come out a hair below: hosts divide by 1/w in their own way. */
static void read_colours(struct gx_fragment *f)
{
	struct gx_text *t = &f->t;
	unsigned w = 0;

	for (unsigned i = 0; i < 2; i++) {
		unsigned c = f->colour[i] = gx_temporary(t);
		gx_part(t, "colour %u", i);
		if (i >= f->key->ncol) {
			gx_op(t, "MOV TEMP[%u], %s", c, gx_int(t, 0).s);
			continue;
		}
		read_varying(f, 2 + i, c);
		if (f->key->unit) {
			w = w ? w : read_unit(f);
			gx_op(t, "MUL TEMP[%u], TEMP[%u], TEMP[%u].xxxx", c, c, w);
		}
		gx_op(t, "ADD TEMP[%u], TEMP[%u], %s", c, c, gx_float(t, 1 / 1024.0f).s);
		if (f->key->colour_truncate) {
			unsigned high = gx_temporary(t);
			gx_op(t, "F2I TEMP[%u], TEMP[%u]", c, c);
			gx_op(t, "AND TEMP[%u], TEMP[%u], %s", c, c, gx_int(t, 0xFFFF).s);
			gx_op(t, "USHR TEMP[%u], TEMP[%u], %s", high, c, gx_int(t, 8).s);
			gx_op(t, "NOT TEMP[%u], TEMP[%u]", high, high);
			gx_op(t, "AND TEMP[%u], TEMP[%u], TEMP[%u]", c, c, high);
			gx_op(t, "AND TEMP[%u], TEMP[%u], %s", c, c, gx_int(t, 255).s);
			continue;
		}
		gx_op(t, "MAX TEMP[%u], TEMP[%u], %s", c, c, gx_float(t, 0).s);
		gx_op(t, "MIN TEMP[%u], TEMP[%u], %s", c, c, gx_float(t, 255).s);
		gx_op(t, "F2I TEMP[%u], TEMP[%u]", c, c);
	}
}

/* s, t over q to texels and to s17.7, floor or toward zero, 24 bits. */
static void read_coordinates(struct gx_fragment *f)
{
	struct gx_text *t = &f->t;

	for (unsigned i = 0; i < f->key->ntex; i++) {
		unsigned uv = f->uv[i] = gx_temporary(t), st = f->st[i] = gx_temporary(t), q = gx_temporary(t);

		gx_part(t, "coordinate %u", i);
		read_varying(f, 4 + i, uv);
		gx_op(t, "FSNE TEMP[%u].y, TEMP[%u].zzzz, %s", q, uv, gx_float(t, 0).s);
		gx_op(t, "UCMP TEMP[%u].x, TEMP[%u].yyyy, TEMP[%u].zzzz, %s", q, q, uv, gx_float(t, 1).s);
		gx_op(t, "RCP TEMP[%u].x, TEMP[%u].xxxx", q, q);
		gx_op(t, "MUL TEMP[%u].xy, TEMP[%u], TEMP[%u].xxxx", uv, uv, q);
		gx_op(t, "MUL TEMP[%u].xy, TEMP[%u], %s", st, uv, gx_float(t, 128).s);
		gx_op(t, "MAX TEMP[%u].xy, TEMP[%u], %s", st, st, gx_float(t, -1e9f).s);
		gx_op(t, "MIN TEMP[%u].xy, TEMP[%u], %s", st, st, gx_float(t, 1e9f).s);
		if (!f->key->st_truncate)
			gx_op(t, "FLR TEMP[%u].xy, TEMP[%u]", st, st);
		gx_op(t, "F2I TEMP[%u].xy, TEMP[%u]", st, st);
		if (!f->key->st_truncate) {
			gx_op(t, "SHL TEMP[%u].xy, TEMP[%u], %s", st, st, gx_int(t, 8).s);
			gx_op(t, "ISHR TEMP[%u].xy, TEMP[%u], %s", st, st, gx_int(t, 8).s);
		}
	}
	if (f->key->ntex)
		return;
	gx_part(t, "no coordinates");
	f->st[0] = f->uv[0] = gx_temporary(t);
	gx_op(t, "MOV TEMP[%u], %s", f->st[0], gx_int(t, 0).s);
}

/* IN[0] place, [1] what GX_GENERIC_UNIT says, [2] [3] these, [4].. coordinates. */
static void fragment_head(const struct gx_fragment *f, char *head, size_t size)
{
	const struct gx_key *key = f->key;
	size_t n = (size_t)snprintf(head, size, "FRAG\nDCL IN[0], POSITION, LINEAR\n");

	if (key->unit)
		n += (size_t)snprintf(head + n, size - n, "DCL IN[1], GENERIC[%d], PERSPECTIVE\n", GX_GENERIC_UNIT);

	for (unsigned i = 0; i < key->ncol; i++)
		n += (size_t)snprintf(head + n, size - n, "DCL IN[%u], GENERIC[%u], PERSPECTIVE\n", 2 + i, GX_GENERIC_COLOUR + i);
	for (unsigned i = 0; i < key->ntex; i++)
		n += (size_t)snprintf(head + n, size - n, "DCL IN[%u], GENERIC[%u], PERSPECTIVE\n", 4 + i, GX_GENERIC_TEX + i);
	n += (size_t)snprintf(head + n, size - n, "DCL OUT[0], COLOR\n");
	if (key->pe.z_test)
		n += (size_t)snprintf(head + n, size - n, "DCL OUT[1], POSITION\n");
	for (unsigned i = 0; i < TX_MAPS; i++)
		if (key->map[i].used)
			n += (size_t)snprintf(head + n, size - n, "DCL SAMP[%u]\nDCL SVIEW[%u], 2D, FLOAT\n", i, i);
}

bool gx_program_take(struct gx_text *t, const char *head, struct gx_program *program)
{
	memset(program, 0, sizeof *program);
	program->text = gx_text_program(t, head, &program->first_line);
	program->constants = t->constants;
	memcpy(program->constant, t->constant, sizeof program->constant);
	program->parts = t->parts;
	memcpy(program->part, t->part, sizeof program->part);
	gx_text_finish(t);
	return program->text != NULL;
}

bool gx_fragment_program(const struct gx_key *key, struct gx_program *program)
{
	struct gx_fragment f;
	char head[2048];

	memset(&f, 0, sizeof f);
	gx_text_init(&f.t);
	f.key = key;
	read_position(&f);
	read_shift(&f);
	read_z(&f);
	read_colours(&f);
	read_coordinates(&f);
	gx_stages(&f);
	gx_alpha_test(&f);
	/* the early test has compared and stored the interpolated Z already */
	unsigned tested = f.z;
	gx_z_texture(&f);
	gx_fog(&f);
	if (key->pe.early)
		f.z = tested;
	gx_pixel(&f);
	fragment_head(&f, head, sizeof head);
	return gx_program_take(&f.t, head, program);
}

/* IN[0] holds the place as the host wants it; everything is handed through. */
bool gx_screen_program(bool unit, unsigned ncol, unsigned ntex, struct gx_program *program)
{
	struct gx_text t;
	char head[2048];
	size_t n = (size_t)snprintf(head, sizeof head, "VERT\n");
	unsigned first = unit ? 2 : 1, count = first + ncol + ntex;

	gx_text_init(&t);
	gx_part(&t, "hand through");
	for (unsigned i = 0; i < count; i++)
		n += (size_t)snprintf(head + n, sizeof head - n, "DCL IN[%u]\n", i);
	n += (size_t)snprintf(head + n, sizeof head - n, "DCL OUT[0], POSITION\n");
	for (unsigned i = 1; i < count; i++)
		n += (size_t)snprintf(head + n, sizeof head - n, "DCL OUT[%u], GENERIC[%u]\n", i,
			i < first ? GX_GENERIC_UNIT : i < first + ncol ? GX_GENERIC_COLOUR + i - first : GX_GENERIC_TEX + i - first - ncol);
	for (unsigned i = 0; i < count; i++)
		gx_op(&t, "MOV OUT[%u], IN[%u]", i, i);
	return gx_program_take(&t, head, program);
}

void gx_program_finish(struct gx_program *program)
{
	free(program->text);
	memset(program, 0, sizeof *program);
}

/* ---- constants ---------------------------------------------------------------------------------------------------------- */

static uint32_t float_bits(float value)
{
	uint32_t word;

	memcpy(&word, &value, sizeof word);
	return word;
}

static void fill_matrix(const struct tev_stage *s, unsigned row, uint32_t w[4])
{
	int32_t shift = s->matrix_shift;

	for (unsigned k = 0; k < 3; k++)
		w[k] = (uint32_t)s->m[row][k];
	w[3] = (uint32_t)(row ? (shift < 0 ? -shift : 0) : (shift > 0 ? shift : 0));
}

static void fill_fog(const struct gx_machine *m, unsigned index, uint32_t w[4])
{
	const struct fog_draw *fog = &m->tev->fog;

	switch (index) {
	case 0:
		w[0] = float_bits(fog->a);
		w[1] = float_bits(fog->c);
		w[2] = float_bits(fog->numerator);
		w[3] = m->state.xf[0x101A]; /* viewport, half the width */
		break;
	case 1:
		w[0] = fog->b_magnitude;
		w[1] = fog->b_shift;
		w[2] = (uint32_t)fog->centre;
		break;
	default:
		for (unsigned i = 0; i < 3; i++)
			w[i] = fog->colour[i];
	}
}

/* Nodes of the range table as differences, the first node in the last lane of the third constant.  Dolphin's table begins with
 * the second entry, times 4, and its last step is down to 0, which no index reaches. */
static void fill_range(const struct fog_draw *fog, unsigned index, uint32_t w[4])
{
	float node[11], scale = fog->range_model ? 4.0f : 1.0f;

	for (unsigned i = 0; i < 11; i++)
		node[i] = scale * fog->k[fog->range_model ? (i < 10 ? i + 1 : 10) : i];
	for (unsigned k = 0; k < 4; k++) {
		unsigned j = 4 * index + k;
		w[k] = j < 10 ? float_bits(node[j + 1] - node[j]) : 0;
	}
	if (index == 2)
		w[3] = float_bits(node[0]);
}

static uint32_t power_of_two(uint32_t value)
{
	uint32_t p = 1;

	while (p < value)
		p *= 2;
	return p;
}

static void fill(const struct gx_machine *m, struct gx_constant c, uint32_t w[4])
{
	const struct tx_map *map = &m->tx->map[c.index & 7];

	switch (c.kind) {
	case GX_CONSTANT_REGISTER:
		for (unsigned i = 0; i < 4; i++)
			w[i] = (uint32_t)(int32_t)m->tev->initial[c.index & 3][i];
		break;
	case GX_CONSTANT_KONST:
		for (unsigned i = 0; i < 4; i++)
			w[i] = (uint32_t)(int32_t)m->tev->stage[c.index & 15].konst[i];
		break;
	case GX_CONSTANT_MATRIX:
		fill_matrix(&m->tev->stage[c.index / 2 & 15], c.index & 1, w);
		break;
	case GX_CONSTANT_PE:
		w[0] = m->pe->alpha_ref[0];
		w[1] = m->pe->alpha_ref[1];
		w[2] = m->pe->alpha;
		w[3] = m->pe->z_bias;
		break;
	case GX_CONSTANT_FOG:
		fill_fog(m, c.index, w);
		break;
	case GX_CONSTANT_RANGE:
		fill_range(&m->tev->fog, c.index, w);
		break;
	case GX_CONSTANT_MAP:
		w[0] = map->width - 1;
		w[1] = map->height - 1;
		w[2] = 2 * power_of_two(map->height);
		w[3] = (uint32_t)map->bias;
		break;
	case GX_CONSTANT_LOD:
		w[0] = (uint32_t)map->min_lod << (m->quirk[GX_QUIRK_trilinear] ? 1 : 0);
		w[1] = (uint32_t)map->max_lod << (m->quirk[GX_QUIRK_trilinear] ? 1 : 0);
		break;
	default:
		break;
	}
}

void gx_fill_constants(const struct gx_machine *m, const struct gx_program *program, uint32_t *words)
{
	memset(words, 0, 16 * program->constants);
	for (unsigned i = 0; i < program->constants; i++)
		fill(m, program->constant[i], words + 4 * i);
}
