/* gx_vertex_fill.c - what the constants of a vertex program hold: XF memory and registers as they are at the draw
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "core/bits.h"
#include "gx/front.h"
#include "virgl/gx_vertex.h"

static float xf_float(const struct gx_machine *m, unsigned address)
{
	return xf_number(m, gx_xf_float(&m->state, address));
}

static unsigned position_index(const struct gx_machine *m)
{
	return m->state.xf[0x1018] & 0x3F;
}

static unsigned texture_index(const struct gx_machine *m, unsigned n)
{
	return n < 4 ? bits(m->state.xf[0x1018], 6 + 6 * n, 6) : bits(m->state.xf[0x1019], 6 * (n - 4), 6);
}

/* Row of the normal matrices: three words each. */
static void normal_row(const struct gx_machine *m, unsigned row, float out[4])
{
	row = m->quirk[GX_QUIRK_xf_unused] ? row : row & 31;
	for (unsigned k = 0; k < 3; k++)
		out[k] = xf_float(m, 0x400 + 3 * row + k);
}

static void unpack(uint32_t word, float out[4])
{
	for (unsigned i = 0; i < 4; i++)
		out[i] = (float)(word >> (24 - 8 * i) & 255);
}

static void light(const struct gx_machine *m, unsigned n, unsigned which, float out[4])
{
	static const uint8_t first[5] = {3, 4, 7, 10, 13};
	unsigned at = 0x600 + 16 * n + first[which < 5 ? which : 0];

	if (which == GX_LIGHT_COLOUR) {
		unpack(m->state.xf[at], out);
		return;
	}
	for (unsigned i = 0; i < 3; i++)
		out[i] = xf_float(m, at + i);
}

/* Where in the pixel the machine's sample is, when it has one. */
static double sample_point(const struct gx_machine *m)
{
	int point = m->quirk[GX_QUIRK_sample_point];

	if (point == 2 || (m->quirk[GX_QUIRK_multisample] && bits(m->state.bp[0], 9, 1)))
		return 0.5;
	return point == 1 ? 9 / 16.0 : 7 / 12.0;
}

static void viewport(const struct gx_machine *m, const struct su_scissor *scissor, unsigned which, float out[4])
{
	double step = 0.5 - sample_point(m);

	switch (which) {
	case GX_XF_SCREEN:
		out[0] = (float)((double)xf_float(m, 0x101A) / (GX_EFB_WIDTH / 2));
		out[1] = (float)((double)xf_float(m, 0x101B) / (-GX_EFB_HEIGHT / 2));
		out[2] = xf_float(m, 0x101C) / 16777216.0f;
		break;
	case GX_XF_MIDDLE:
		out[0] = (float)(((double)xf_float(m, 0x101D) - scissor->offset_x + step) / (GX_EFB_WIDTH / 2) - 1);
		out[1] = (float)(1 - ((double)xf_float(m, 0x101E) - scissor->offset_y + step) / (GX_EFB_HEIGHT / 2));
		out[2] = xf_float(m, 0x101F) / 16777216.0f;
		break;
	default:
		out[0] = xf_float(m, 0x101A);
		out[1] = xf_float(m, 0x101B);
		out[2] = xf_float(m, 0x101D);
		out[3] = xf_float(m, 0x101E);
		break;
	}
}

/* The plane over clip coordinates: at x, y of the screen it is f0 + dfdx * (x - x0) + dfdy * (y - y0). */
static void frozen(const struct gx_machine *m, const struct su_scissor *scissor, unsigned which, float out[4])
{
	static const struct qs_plane start = {1, 0, 0};
	const struct qs_plane *z = m->state.z_plane_valid ? &m->state.z_plane : &start;
	const struct gx_reference *r = &m->state.z_plane_origin;
	const double unit = 1 / 16777216.0;
	double dx = (double)z->dfdx * unit, dy = (double)z->dfdy * unit, shift = sample_point(m);

	if (which) {
		out[0] = (float)dx;
		out[1] = (float)dy;
		return;
	}
	out[0] = (float)(dx * (double)xf_float(m, 0x101A));
	out[1] = (float)(dy * (double)xf_float(m, 0x101B));
	out[2] = (float)((double)z->f0 * unit + dx * ((double)xf_float(m, 0x101D) - scissor->offset_x - r->x0 + (double)r->offset_x - shift) +
		dy * ((double)xf_float(m, 0x101E) - scissor->offset_y - r->y0 + (double)r->offset_y - shift));
}

static void shape(const struct gx_machine *m, const struct su_scissor *scissor, float out[4])
{
	uint32_t word = m->state.bp[0x22];

	out[0] = (float)bits(word, 0, 8) / 12.0f;
	out[1] = (float)bits(word, 8, 8) / 12.0f;
	out[2] = (float)scissor->offset_x;
	out[3] = (float)scissor->offset_y;
}

/* Texels of a coordinate, and the offsets of SU_LPSIZE where the coordinate takes them. */
static void size(const struct gx_machine *m, unsigned n, bool line, float out[4])
{
	static const float offset[8] = {0, 1 / 16.0f, 1 / 8.0f, 1 / 4.0f, 1 / 2.0f, 1, 1, 1};
	uint32_t s = m->state.bp[0x30 + 2 * n], t = m->state.bp[0x31 + 2 * n];
	float part = offset[bits(m->state.bp[0x22], line ? 16 : 19, 3)];

	out[0] = (float)(bits(s, 0, 16) + 1);
	out[1] = (float)(bits(t, 0, 16) + 1);
	if (!bits(s, line ? 18 : 19, 1))
		return;
	out[2] = out[0] * part;
	out[3] = out[1] * part;
}

static void projection(const struct gx_machine *m, unsigned which, float out[4])
{
	for (unsigned i = 0; i < (which ? 2u : 4u); i++)
		out[i] = xf_float(m, 0x1020 + 4 * which + i);
}

static void fill(const struct gx_machine *m, const struct su_scissor *scissor, unsigned index, float out[4])
{
	if (index < GX_XF_NORMAL)
		xf_row(m, 0, index - GX_XF_ROW, out);
	else if (index < GX_XF_POSITION)
		normal_row(m, index - GX_XF_NORMAL, out);
	else if (index < GX_XF_EYE)
		xf_row(m, 0, position_index(m) + index - GX_XF_POSITION, out);
	else if (index < GX_XF_TEXTURE)
		normal_row(m, (position_index(m) & 31) + index - GX_XF_EYE, out);
	else if (index < GX_XF_POST)
		xf_row(m, 0, texture_index(m, (index - GX_XF_TEXTURE) / 3) + (index - GX_XF_TEXTURE) % 3, out);
	else if (index < GX_XF_LIGHT)
		xf_row(m, 0x500, bits(m->state.xf[0x1050 + (index - GX_XF_POST) / 3], 0, 6) + (index - GX_XF_POST) % 3, out);
	else if (index < GX_XF_MATERIAL)
		light(m, (index - GX_XF_LIGHT) / 8, (index - GX_XF_LIGHT) % 8, out);
	else if (index < GX_XF_AMBIENT)
		unpack(m->state.xf[0x100C + index - GX_XF_MATERIAL], out);
	else if (index < GX_XF_PROJECTION)
		unpack(m->state.xf[0x100A + index - GX_XF_AMBIENT], out);
	else if (index < GX_XF_SCREEN)
		projection(m, index - GX_XF_PROJECTION, out);
	else if (index < GX_XF_SHAPE)
		viewport(m, scissor, index, out);
	else if (index < GX_XF_SIZE)
		shape(m, scissor, out);
	else if (index < GX_XF_LINE_SIZE)
		size(m, index - GX_XF_SIZE, false, out);
	else if (index < GX_XF_FROZEN)
		size(m, index - GX_XF_LINE_SIZE, true, out);
	else
		frozen(m, scissor, index - GX_XF_FROZEN, out);
}

void gx_vertex_fill(const struct gx_machine *m, const struct su_scissor *scissor, const struct gx_program *program, uint32_t *words)
{
	memset(words, 0, 16 * program->constants);
	for (unsigned i = 0; i < program->constants; i++) {
		float out[4] = {0, 0, 0, 0};
		fill(m, scissor, program->constant[i].index, out);
		memcpy(words + 4 * i, out, sizeof out);
	}
}
