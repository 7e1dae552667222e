/* vertex.c - vertex loader: stream order, formats and arrays of spec 01 sections 2 and 3
 *
 * VCD_LO 0x50   ..16 15 14 13 12 11 10  9  8 .. 1  0      VCD_HI 0x60: two bits for each texture coordinate
 *               [ col1][ col0][  nrm][  pos][texmtx][pm]
 * VAT_A  0x70   31     30    29..25 24..22 21   20..18 17  16..14 13  12..10 9   8..4 3..1 0
 *               [nbt3][byte][frac0][fmt0][st0][ col1 ][a1][ col0 ][a0][ nrm ][nbt][frac][pos][xyz]
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "core/bits.h"
#include "gx/front.h"
#include "gx/machine.h"

static const uint8_t component_bytes[8] = {1, 1, 2, 2, 4, 4, 4, 4}; /* u8 s8 u16 s16, then float */
static const uint8_t colour_bytes[8] = {2, 3, 4, 2, 3, 4, 0, 0};
static const float normal_scale[4] = {1.0f / 128, 1.0f / 64, 1.0f / 32768, 1.0f / 16384};

/* unscaled: the first component formats (0 u8, 1 s8, 2 u16, 3 s16) that the fraction bits do not apply to. */
static void plan_numbers(struct vertex_attribute *a, unsigned array, unsigned mode, unsigned format, unsigned count, unsigned frac,
	unsigned unscaled)
{
	a->array = (uint8_t)array;
	a->mode = (uint8_t)mode;
	a->format = (uint8_t)format;
	a->count = (uint8_t)count;
	a->bytes = (uint8_t)(count * component_bytes[format]);
	a->scale = format < unscaled ? 1.0f : 1.0f / (float)(1u << frac);
}

static void plan_colour(struct vertex_attribute *a, unsigned array, unsigned mode, unsigned format)
{
	a->array = (uint8_t)array;
	a->mode = (uint8_t)mode;
	a->format = (uint8_t)format;
	a->bytes = colour_bytes[format];
}

static void make_plan(const struct gx_machine *m, struct vertex_plan *p, unsigned format)
{
	const uint32_t *cp = m->state.cp;
	uint32_t low = cp[0x50], high = cp[0x60], a = cp[0x70 + format], b = cp[0x80 + format], c = cp[0x90 + format];
	/* element bit, format, frac of the eight texture coordinates; the fields of 4 are split over B and C */
	const uint32_t tex[8] = {bits(a, 21, 9), bits(b, 0, 9), bits(b, 9, 9), bits(b, 18, 9),
		bits(b, 27, 4) | bits(c, 0, 5) << 4, bits(c, 5, 9), bits(c, 14, 9), bits(c, 23, 9)};
	static const uint8_t by_quirk[3] = {0, 2, 4};
	unsigned unscaled = bits(a, 30, 1) ? 0 : by_quirk[(unsigned)m->quirk[GX_QUIRK_byte_dequant] % 3];

	p->nbt = bits(a, 9, 1);
	p->three_indices = p->nbt && bits(a, 31, 1);
	plan_numbers(&p->position, 0, bits(low, 9, 2), bits(a, 1, 3), bits(a, 0, 1) ? 3 : 2, bits(a, 4, 5), unscaled);
	plan_numbers(&p->normal, 1, bits(low, 11, 2), bits(a, 10, 3), p->nbt ? 9 : 3, 0, 0);
	p->normal.scale = p->normal.format < 4 ? normal_scale[p->normal.format] : 1.0f;
	for (unsigned i = 0; i < 2; i++)
		plan_colour(&p->colour[i], 2 + i, bits(low, 13 + 2 * i, 2), bits(a, 14 + 4 * i, 3));
	for (unsigned i = 0; i < 8; i++)
		plan_numbers(&p->tex[i], 4 + i, bits(high, 2 * i, 2), bits(tex[i], 1, 3), bits(tex[i], 0, 1) ? 2 : 1, bits(tex[i], 4, 5),
			unscaled);
	p->tex_present = 0;
	for (unsigned i = 0; i < 8; i++)
		p->tex_present |= (uint8_t)((p->tex[i].mode != 0) << i);
}

/* The plan is kept until something changes that it was made from. */
static struct vertex_plan *find_plan(const struct gx_machine *m, unsigned format)
{
	const uint32_t *cp = m->state.cp;
	const uint32_t key[6] = {cp[0x50], cp[0x60], cp[0x70 + format], cp[0x80 + format], cp[0x90 + format],
		1u + (unsigned)m->quirk[GX_QUIRK_byte_dequant]};
	struct vertex_plan *p = m->vertex;

	if (memcmp(p->key, key, sizeof key) != 0) {
		make_plan(m, p, format);
		memcpy(p->key, key, sizeof key);
	}
	return p;
}

static uint32_t read_index(const struct vertex_attribute *a, const uint8_t **data)
{
	uint32_t index = a->mode == 2 ? **data : be16(*data);

	*data += a->mode == 2 ? 1 : 2;
	return index;
}

/* Element of an array; copied to spare when it is not all inside memory (what is outside reads 0). */
static const uint8_t *array_element(const struct gx_machine *m, const struct vertex_attribute *a, uint32_t index, uint32_t skip,
	size_t size, uint8_t *spare)
{
	const uint32_t *cp = m->state.cp;
	uint32_t address = (cp[0xA0 + a->array] & m->array_mask) + index * (cp[0xB0 + a->array] & 0xFF) + skip;
	const uint8_t *p = gx_memory_at(&m->memory, address, size);

	if (p)
		return p;
	gx_memory_read(&m->memory, address, spare, size);
	return spare;
}

/* The element of a present attribute, from the stream or its array; advances *data. */
static const uint8_t *element(const struct gx_machine *m, const struct vertex_attribute *a, const uint8_t **data, uint8_t *spare)
{
	if (a->mode == 1) {
		const uint8_t *p = *data;
		*data += a->bytes;
		return p;
	}
	return array_element(m, a, read_index(a, data), 0, a->bytes, spare);
}

static float be_float(const uint8_t *p)
{
	union { uint32_t u; float f; } c = {.u = be32(p)};

	return c.f;
}

static void numbers(const struct vertex_attribute *a, const uint8_t *p, unsigned count, float *out)
{
	switch (a->format) {
	case 0:
		for (unsigned i = 0; i < count; i++)
			out[i] = (float)p[i] * a->scale;
		break;
	case 1:
		for (unsigned i = 0; i < count; i++)
			out[i] = (float)bits_sign(p[i], 8) * a->scale;
		break;
	case 2:
		for (unsigned i = 0; i < count; i++)
			out[i] = (float)be16(p + 2 * i) * a->scale;
		break;
	case 3:
		for (unsigned i = 0; i < count; i++)
			out[i] = (float)bits_sign(be16(p + 2 * i), 16) * a->scale;
		break;
	default: /* 4; 5..7 behave alike */
		for (unsigned i = 0; i < count; i++)
			out[i] = be_float(p + 4 * i);
		break;
	}
}

static uint8_t widen(uint32_t value, unsigned count)
{
	return (uint8_t)(count == 4 ? value * 17 : count == 5 ? value << 3 | value >> 2 : value << 2 | value >> 4);
}

/*  0 RGB565   rrrrrggg gggbbbbb        3 RGBA4444  rrrrgggg bbbbaaaa
 *  1 RGB888   r g b                    4 RGBA6666  rrrrrrgg ggggbbbb bbaaaaaa
 *  2 RGB888x  r g b -                  5 RGBA8888  r g b a              */
static void colour(unsigned format, const uint8_t *p, uint8_t out[4])
{
	out[3] = 255;
	switch (format) {
	case 0:
		out[0] = widen(bits(be16(p), 11, 5), 5);
		out[1] = widen(bits(be16(p), 5, 6), 6);
		out[2] = widen(bits(be16(p), 0, 5), 5);
		break;
	case 1:
	case 2:
		memcpy(out, p, 3);
		break;
	case 3:
		for (unsigned i = 0; i < 4; i++)
			out[i] = widen(bits(be16(p), 12 - 4 * i, 4), 4);
		break;
	case 4:
		for (unsigned i = 0; i < 4; i++)
			out[i] = widen(bits(be24(p), 18 - 6 * i, 6), 6);
		break;
	case 5:
		memcpy(out, p, 4);
		break;
	default: /* 6, 7: no such format, no bytes in the stream */
		memset(out, 255, 4);
		break;
	}
}

/* MATINDEX_A and B hold nine fields of six bits: position, texture 0..3 | texture 4..7. */
static void default_matrices(struct vertex_plan *p, uint32_t a, uint32_t b)
{
	p->matrix_key[0] = a;
	p->matrix_key[1] = b;
	p->pos_matrix = a & 0x3F;
	for (unsigned i = 0; i < 8; i++)
		p->tex_matrix[i] = (uint8_t)(i < 4 ? bits(a, 6 + 6 * i, 6) : bits(b, 6 * (i - 4), 6));
}

static const uint8_t *matrices(const struct gx_machine *m, struct vertex_plan *p, const uint8_t *data, struct gx_vertex *v)
{
	const struct gx_state *s = &m->state;
	uint32_t present = p->key[0] & 0x1FF;

	if (s->xf[0x1018] != p->matrix_key[0] || s->xf[0x1019] != p->matrix_key[1])
		default_matrices(p, s->xf[0x1018], s->xf[0x1019]);
	v->pos_matrix = p->pos_matrix;
	memcpy(v->tex_matrix, p->tex_matrix, sizeof v->tex_matrix);
	if (present & 1)
		v->pos_matrix = *data++ & 0x3F;
	for (unsigned left = present >> 1; left; left &= left - 1)
		v->tex_matrix[__builtin_ctz(left)] = *data++ & 0x3F;
	return data;
}

static const uint8_t *fetch_normals(const struct gx_machine *m, const struct vertex_plan *p, const uint8_t *data, float out[3][3])
{
	const struct vertex_attribute *a = &p->normal;
	unsigned third = 3u * component_bytes[a->format];
	uint8_t spare[36];

	if (a->mode == 1 || !p->three_indices) {
		numbers(a, element(m, a, &data, spare), a->count, out[0]);
		return data;
	}
	for (unsigned k = 0; k < 3; k++) /* each index has its own element, and takes its own third of it */
		numbers(a, array_element(m, a, read_index(a, &data), k * third, third, spare), 3, out[k]);
	return data;
}

/* Vertices without normals, or without tangents, use those of an earlier vertex (spec 08 fact 44). */
static const uint8_t *normals(struct gx_machine *m, const struct vertex_plan *p, const uint8_t *data, struct gx_vertex *v)
{
	float (*last)[3] = m->state.last_normal, now[3][3] = {{0}};
	bool zero = m->quirk[GX_QUIRK_missing_vector];

	if (p->normal.mode)
		data = fetch_normals(m, p, data, p->nbt || zero ? now : last);
	if (p->normal.mode && p->nbt)
		memcpy(last, now, sizeof now);
	const float (*use)[3] = (const float (*)[3])(zero ? now : last);
	memcpy(v->normal, use[0], sizeof v->normal);
	memcpy(v->tangent, use[1], sizeof v->tangent);
	memcpy(v->binormal, use[2], sizeof v->binormal);
	return data;
}

/* A single colour is channel 0's, whichever it is (spec 01 section 3, "absent attributes"). */
static const uint8_t *colours(struct gx_machine *m, const struct vertex_plan *p, const uint8_t *data, struct gx_vertex *v)
{
	unsigned channel = 0;
	uint8_t spare[4];

	for (unsigned i = 0; i < 2; i++)
		if (p->colour[i].mode) {
			colour(p->colour[i].format, element(m, &p->colour[i], &data, spare), v->in_colour[channel]);
			memcpy(m->state.last_colour[channel], v->in_colour[channel], 4);
			channel++;
		}
	for (; channel < 2; channel++) {
		if (m->quirk[GX_QUIRK_missing_colour])
			memcpy(v->in_colour[channel], m->state.last_colour[channel], 4);
		else
			memset(v->in_colour[channel], 255, 4);
	}
	return data;
}

static void tex_coordinates(struct gx_machine *m, const struct vertex_plan *p, const uint8_t *data, struct gx_vertex *v)
{
	float (*last)[2] = m->state.last_tex;
	uint8_t spare[8];

	if (m->quirk[GX_QUIRK_missing_vector])
		memset(last, 0, sizeof m->state.last_tex);
	for (unsigned left = p->tex_present; left; left &= left - 1) {
		unsigned i = (unsigned)__builtin_ctz(left);
		last[i][1] = 0;
		numbers(&p->tex[i], element(m, &p->tex[i], &data, spare), p->tex[i].count, last[i]);
	}
	memcpy(v->in_tex, last, sizeof v->in_tex);
}

bool gx_vertex_fetch(struct gx_machine *m, unsigned format, const uint8_t *data, struct gx_vertex *v)
{
	struct vertex_plan *p = find_plan(m, format & 7);
	const struct vertex_attribute *a = &p->position;
	uint8_t spare[12];

	data = matrices(m, p, data, v);
	memset(v->object, 0, sizeof v->object);
	if (a->mode >= 2) {
		uint32_t index = read_index(a, &data);
		if (index == (a->mode == 2 ? 0xFFu : 0xFFFFu))
			return false; /* dropped: takes no part in the primitive */
		numbers(a, array_element(m, a, index, 0, a->bytes, spare), a->count, v->object);
	} else if (a->mode) {
		numbers(a, element(m, a, &data, spare), a->count, v->object);
	}
	data = normals(m, p, data, v);
	data = colours(m, p, data, v);
	tex_coordinates(m, p, data, v);
	return true;
}
