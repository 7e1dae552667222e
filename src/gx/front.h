/* front.h - shared by the units in front of the rasteriser: machine, cp, vertex, xf, light, texgen
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef GX_FRONT_H
#define GX_FRONT_H

#include <float.h>
#include <math.h>
#include <string.h>

#include "gx/machine.h"

/* One attribute of the vertex stream as VCD and VAT describe it. */
struct vertex_attribute {
	uint8_t mode;   /* 0 absent, 1 direct, 2 8-bit index, 3 16-bit index */
	uint8_t format; /* component format, or colour format */
	uint8_t count;  /* components */
	uint8_t bytes;  /* of the whole element */
	uint8_t array;
	float scale; /* 2^-frac, or the fixed scale of normals */
};

/* Decoded vertex format; valid while the registers it was made from keep their values. */
struct vertex_plan {
	uint32_t key[6]; /* VCD low, high, VAT A, B, C; 1 + quirk byte_dequant */
	bool nbt, three_indices;
	uint8_t tex_present; /* bit i: texture coordinate i */
	struct vertex_attribute position, normal, colour[2], tex[8];
	uint32_t matrix_key[2]; /* XF MATINDEX_A, B, and what they hold */
	uint8_t pos_matrix, tex_matrix[8];
};

/* cp.c: place of a BP register: the TEV registers 0xE0-0xE7 are two banks, chosen by bit 23 of the value. */
static inline unsigned gx_bp_slot(unsigned address, uint32_t value)
{
	return address >= 0xE0 && address <= 0xE7 && (value >> 23 & 1) ? address + 0x20 : address;
}

/* xf.c */
uint8_t gx_xf_outcode(const struct gx_machine *m, const float clip[4]);
/* The value that is stored when the value is written: forced bits are those of qs_timeline_override_add. */
uint32_t gx_force(const struct gx_machine *m, enum qs_unit unit, unsigned address, uint32_t value);
bool gx_xf_exists(const struct gx_machine *m, unsigned address);
/* The word as XF memory keeps it (quirk light_precision). */
uint32_t gx_xf_stored(const struct gx_machine *m, unsigned address, uint32_t word);

/* light.c: v->colour from v->in_colour, eye position and eye normal. */
void gx_xf_light(const struct gx_machine *m, struct gx_vertex *v);
unsigned gx_xf_channels(const struct gx_machine *m); /* how many are lit: 0..2 */
/* texgen.c: v->tex. */
void gx_xf_texgen(const struct gx_machine *m, struct gx_vertex *v);

/* What a number of XF counts as: with quirk xf_flush denormal ones are zero, of either sign. */
static inline float xf_number(const struct gx_machine *m, float value)
{
	return m->quirk[GX_QUIRK_xf_flush] && fabsf(value) < FLT_MIN ? value * 0.0f : value;
}

static inline void xf_numbers(const struct gx_machine *m, const float *in, float *out, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		out[i] = xf_number(m, in[i]);
}

static inline float xf_dot(const float a[3], const float b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Multiplies by the reciprocal length, as Dolphin SW Vec3 does.  keep_zero: a zero vector stays zero, else it becomes NaN. */
static inline void xf_normalize(float v[3], bool keep_zero)
{
	float length2 = xf_dot(v, v);

	if (length2 == 0 && keep_zero) {
		v[0] = v[1] = v[2] = 0;
		return;
	}
	float inverse = 1.0f / sqrtf(length2);
	for (int i = 0; i < 3; i++)
		v[i] *= inverse;
}

/* Like the usual C++ maximum with 0 in front: NaN gives 0. */
static inline float xf_positive(float value)
{
	return value > 0 ? value : 0;
}

/* Row of matrix block 0 (positions, textures) or of the post-transform block. */
static inline void xf_row(const struct gx_machine *m, unsigned block, unsigned row, float out[4])
{
	unsigned at = m->quirk[GX_QUIRK_xf_unused] ? block + 4 * row : block + 4 * (row & 63);

	memcpy(out, &m->state.xf[at], 4 * sizeof *out);
	xf_numbers(m, out, out, 4);
}

#endif
