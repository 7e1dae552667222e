/* xf.c - transform unit: position, normals, projection, outcodes, viewport (spec 02 sections 3 and 4)
 *
 * Single precision, one IEEE operation at a time and in the order of Dolphin's software renderer (SW TransformUnit); nothing
 * is known about the rounding of the chip itself.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "core/bits.h"
#include "gx/front.h"
#include "gx/machine.h"

static void transform_position(const struct gx_machine *m, struct gx_vertex *v)
{
	float o[3], row[4];

	xf_numbers(m, v->object, o, 3);
	for (unsigned i = 0; i < 3; i++) {
		xf_row(m, 0, v->pos_matrix + i, row);
		v->eye[i] = xf_number(m, row[0] * o[0] + row[1] * o[1] + row[2] * o[2] + row[3]);
	}
}

static void transform_vector(const struct gx_machine *m, const float matrix[3][3], const float in[3], float out[3])
{
	float vector[3];

	xf_numbers(m, in, vector, 3);
	for (unsigned i = 0; i < 3; i++)
		out[i] = xf_number(m, xf_dot(matrix[i], vector));
}

/* Only the normal is normalised: the length of the other two scales the emboss shift. */
static void transform_normals(const struct gx_machine *m, struct gx_vertex *v)
{
	bool run_on = m->quirk[GX_QUIRK_xf_unused];
	float matrix[3][3];

	if (m->quirk[GX_QUIRK_missing_vector] && !bits(m->state.cp[0x50], 11, 2)) {
		memset(v->eye_normal, 0, sizeof v->eye_normal);
		memset(v->eye_tangent, 0, sizeof v->eye_tangent);
		memset(v->eye_binormal, 0, sizeof v->eye_binormal);
		return;
	}
	for (unsigned i = 0; i < 3; i++) {
		unsigned row = (v->pos_matrix & 31) + i;
		for (unsigned k = 0; k < 3; k++)
			matrix[i][k] = xf_number(m, gx_xf_float(&m->state, 0x400 + 3 * (run_on ? row : row & 31) + k));
	}
	transform_vector(m, matrix, v->normal, v->eye_normal);
	transform_vector(m, matrix, v->tangent, v->eye_tangent);
	transform_vector(m, matrix, v->binormal, v->eye_binormal);
	xf_normalize(v->eye_normal, !m->quirk[GX_QUIRK_zero_vector]);
}

static void project(const struct gx_machine *m, struct gx_vertex *v)
{
	const float *e = v->eye;
	float p[6];

	for (unsigned i = 0; i < 6; i++)
		p[i] = xf_number(m, gx_xf_float(&m->state, 0x1020 + i));
	v->clip[2] = p[4] * e[2] + p[5];
	if (m->state.xf[0x1026] & 1) {
		v->clip[0] = p[0] * e[0] + p[1];
		v->clip[1] = p[2] * e[1] + p[3];
		v->clip[3] = 1;
	} else {
		v->clip[0] = p[0] * e[0] + p[1] * e[2];
		v->clip[1] = p[2] * e[1] + p[3] * e[2];
		if (m->quirk[GX_QUIRK_projection_z])
			v->clip[2] *= 1.0f - 1e-7f;
		v->clip[3] = -e[2];
	}
	xf_numbers(m, v->clip, v->clip, 4);
}

uint8_t gx_xf_outcode(const struct gx_machine *m, const float clip[4])
{
	float x = clip[0], y = clip[1], z = clip[2], w = clip[3];
	bool far = m->quirk[GX_QUIRK_clip_far] ? z > 0 : w * z > 0;

	return (uint8_t)((w - x < 0) | (x + w < 0) << 1 | (w - y < 0) << 2 | (y + w < 0) << 3 | far << 4 | (z + w < 0) << 5);
}

void gx_xf_position(const struct gx_machine *m, struct gx_vertex *v)
{
	transform_position(m, v);
	project(m, v);
	v->outcode = gx_xf_outcode(m, v->clip);
}

void gx_xf_vertex(const struct gx_machine *m, struct gx_vertex *v)
{
	gx_xf_position(m, v);
	transform_normals(m, v);
	gx_xf_light(m, v);
	gx_xf_texgen(m, v);
	v->inv_w = 0;
	memset(v->screen, 0, sizeof v->screen); /* what stays when w is 0 */
	memset(v->exact, 0, sizeof v->exact);
}

void gx_xf_viewport(const struct gx_machine *m, struct gx_vertex *v)
{
	v->inv_w = 1.0f / v->clip[3];
	for (unsigned i = 0; i < 3; i++)
		v->screen[i] = v->clip[i] * v->inv_w * gx_xf_float(&m->state, 0x101A + i) + gx_xf_float(&m->state, 0x101D + i);
	/* hwtests' 4e-5 pixel wide quad (spec 08 fact 16) shows at positions that only come out when the viewport addition is not
	 * rounded to single precision again: its right edge is at 19114.655/32768 pixel, the sample at 19114.667/32768 */
	for (unsigned i = 0; i < 2; i++)
		v->exact[i] = (double)v->clip[i] * (double)v->inv_w * (double)gx_xf_float(&m->state, 0x101A + i) +
			(double)gx_xf_float(&m->state, 0x101D + i);
}
