/* texgen.c - texture coordinates (spec 02 section 5)
 *
 * TEXGENn 0x1040+n   17..15  14..12  11..7   6..4   2     1
 *                    [light] [source][row  ] [type] [form][stq]
 * DUALGENn 0x1050+n  8 normalise, 5..0 first row of the post-transform matrix
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "core/bits.h"
#include "gx/front.h"
#include "gx/machine.h"

static void source(const struct gx_machine *m, const struct gx_vertex *v, unsigned row, float out[3])
{
	switch (row) {
	case 0:
		memcpy(out, v->object, 3 * sizeof *out);
		break;
	case 1:
		memcpy(out, v->normal, 3 * sizeof *out);
		break;
	case 3:
		memcpy(out, v->tangent, 3 * sizeof *out);
		break;
	case 4:
		memcpy(out, v->binormal, 3 * sizeof *out);
		break;
	default:
		out[0] = out[1] = 0;
		out[2] = 1;
		if (row >= 5 && row <= 12)
			memcpy(out, v->in_tex[row - 5], 2 * sizeof *out);
		break;
	}
	for (unsigned i = 0; i < 3; i++)
		out[i] = out[i] != out[i] ? 1 : xf_number(m, out[i]); /* spec 08 fact 42 */
}

static void multiply(const struct gx_machine *m, unsigned block, unsigned first, unsigned rows, const float in[3], float out[3])
{
	float row[4];

	for (unsigned i = 0; i < rows; i++) {
		xf_row(m, block, first + i, row);
		out[i] = xf_number(m, row[0] * in[0] + row[1] * in[1] + row[2] * in[2] + row[3]);
	}
}

static float half_clamped(float value)
{
	value /= 2;
	return value < -1 ? -1 : value > 1 ? 1 : value;
}

static void regular(const struct gx_machine *m, struct gx_vertex *v, unsigned n, uint32_t control)
{
	float in[3], *out = v->tex[n];

	source(m, v, bits(control, 7, 5), in);
	if (!bits(control, 2, 1))
		in[2] = 1;
	out[2] = 1;
	multiply(m, 0, v->tex_matrix[n], bits(control, 1, 1) ? 3 : 2, in, out);
	if (m->state.xf[0x1012] & 1) {
		uint32_t post = m->state.xf[0x1050 + n];
		memcpy(in, out, sizeof in);
		if (bits(post, 8, 1))
			xf_normalize(in, !m->quirk[GX_QUIRK_zero_vector]);
		multiply(m, 0x500, bits(post, 0, 6), 3, in, out);
	}
	if (out[2] == 0) { /* spec 08 fact 43: not divided later */
		out[0] = half_clamped(out[0]);
		out[1] = half_clamped(out[1]);
	}
}

/* Tangent and binormal are those of eye space, with their lengths; the source is an earlier coordinate. */
static void emboss(const struct gx_machine *m, struct gx_vertex *v, unsigned n, uint32_t control)
{
	unsigned light = bits(control, 15, 3);
	const float *from = v->tex[bits(control, 12, 3)];
	float l[3];

	for (unsigned i = 0; i < 3; i++)
		l[i] = xf_number(m, gx_xf_float(&m->state, 0x600 + 16 * light + 10 + i)) - v->eye[i];
	xf_normalize(l, !m->quirk[GX_QUIRK_zero_vector]);
	float s = from[0] + xf_dot(l, v->eye_tangent), t = from[1] + xf_dot(l, v->eye_binormal), q = from[2];
	v->tex[n][0] = s;
	v->tex[n][1] = t;
	v->tex[n][2] = q;
}

static void colour_coordinate(const uint8_t rgba[4], bool concatenated, float out[3])
{
	out[0] = concatenated ? (float)rgba[0] : (float)rgba[0] / 255.0f;
	out[1] = concatenated ? (float)(rgba[1] << 8 | rgba[2]) : (float)rgba[1] / 255.0f;
	out[2] = 1;
}

void gx_xf_texgen(const struct gx_machine *m, struct gx_vertex *v)
{
	unsigned count = bits(m->state.xf[0x103F], 0, 4);

	memset(v->tex, 0, sizeof v->tex);
	for (unsigned n = 0; n < count && n < 8; n++) {
		uint32_t control = m->state.xf[0x1040 + n];
		unsigned type = bits(control, 4, 3);
		switch (type) {
		case 0:
			regular(m, v, n, control);
			break;
		case 1:
			emboss(m, v, n, control);
			break;
		case 2:
		case 3:
			colour_coordinate(v->colour[type - 2], m->quirk[GX_QUIRK_colour_texgen], v->tex[n]);
			break;
		default: /* no such type */
			break;
		}
	}
}
