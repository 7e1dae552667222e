/* clip.c - trivial rejection and clipping in clip space (spec 02 section 4)
 *
 * Planes in the order +x -x +y -y far near; a vertex is kept where the distance is >= 0.  The x and y planes lie at a
 * multiple of w (guard band).  Dolphin's variations are those of its SW Clipper.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "gx/front.h"
#include "gx/machine.h"

#define OUT_MAX 12  /* room of gx_clip's caller */
#define WORK_MAX 32 /* more than six planes can make of a triangle, touching vertices repeated */

enum { PLANE_RIGHT, PLANE_LEFT, PLANE_TOP, PLANE_BOTTOM, PLANE_FAR, PLANE_NEAR, PLANES };

static float distance(const struct gx_machine *m, unsigned plane, const struct gx_vertex *v, bool line)
{
	float w = v->clip[3], guard = (float)m->quirk[GX_QUIRK_clip_guard];

	switch (plane) {
	case PLANE_RIGHT:
		return guard * w - v->clip[0];
	case PLANE_LEFT:
		return guard * w + v->clip[0];
	case PLANE_TOP:
		return guard * w - v->clip[1];
	case PLANE_BOTTOM:
		return guard * w + v->clip[1];
	case PLANE_FAR: /* the planes that stand in for z = 0 without quirk clip_far: w = 0, for lines z = w */
		return m->quirk[GX_QUIRK_clip_far] ? -v->clip[2] : line ? w - v->clip[2] : w;
	default:
		return w + v->clip[2];
	}
}

static float lerp(float a, float b, float t)
{
	return a + (b - a) * t;
}

static void lerp_array(const float *a, const float *b, float t, float *out, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		out[i] = lerp(a[i], b[i], t);
}

static uint8_t lerp_colour(const struct gx_machine *m, uint8_t a, uint8_t b, float t)
{
	if (m->quirk[GX_QUIRK_clip_colour]) {
		int parameter = t > 0 ? t < 1 ? (int)(t * 256) : 256 : 0;
		return (uint8_t)(a + (((b - a) * parameter) >> 8));
	}
	float value = lerp(a, b, t) + 0.5f;
	return (uint8_t)(value >= 255 ? 255 : value > 0 ? value : 0);
}

/* The point a + t*(b - a) with everything that later units use. */
static void between(const struct gx_machine *m, const struct gx_vertex *a, const struct gx_vertex *b, float t, struct gx_vertex *out)
{
	memset(out, 0, sizeof *out);
	out->index = QS_NONE;
	lerp_array(a->object, b->object, t, out->object, 3);
	lerp_array(a->eye, b->eye, t, out->eye, 3);
	lerp_array(a->clip, b->clip, t, out->clip, 4);
	lerp_array(a->eye_normal, b->eye_normal, t, out->eye_normal, 3);
	lerp_array(a->eye_tangent, b->eye_tangent, t, out->eye_tangent, 3);
	lerp_array(a->eye_binormal, b->eye_binormal, t, out->eye_binormal, 3);
	lerp_array(a->normal, b->normal, t, out->normal, 3);
	for (unsigned i = 0; i < 8; i++)
		lerp_array(a->tex[i], b->tex[i], t, out->tex[i], 3);
	for (unsigned c = 0; c < 2; c++)
		for (unsigned i = 0; i < 4; i++)
			out->colour[c][i] = lerp_colour(m, a->colour[c][i], b->colour[c][i], t);
	out->pos_matrix = a->pos_matrix;
	out->outcode = gx_xf_outcode(m, out->clip);
}

static bool crosses(const struct gx_machine *m, float a, float b)
{
	if (m->quirk[GX_QUIRK_clip_touch])
		return (a <= 0 && b > 0) || (a > 0 && b <= 0);
	return (a < 0 && b > 0) || (a > 0 && b < 0);
}

/* The crossing is always reckoned from the vertex outside, so that a shared edge is cut alike from both sides. */
static void cut(const struct gx_machine *m, const struct gx_vertex *a, float da, const struct gx_vertex *b, float db,
	struct gx_vertex *out)
{
	if (db < 0)
		between(m, b, a, db / (db - da), out);
	else
		between(m, a, b, da / (da - db), out);
}

static unsigned clip_plane(const struct gx_machine *m, unsigned plane, const struct gx_vertex *in, unsigned n, struct gx_vertex *out)
{
	unsigned count = 0;

	for (unsigned i = 0; i < n; i++) {
		const struct gx_vertex *a = &in[i], *b = &in[(i + 1) % n];
		float da = distance(m, plane, a, false), db = distance(m, plane, b, false);
		if (da >= 0 && count < WORK_MAX)
			out[count++] = *a;
		if (crosses(m, da, db) && count < WORK_MAX)
			cut(m, a, da, b, db, &out[count++]);
	}
	return count;
}

/* Drops neighbours at the same place (they make empty triangles only), then what still does not fit. */
static unsigned fit(struct gx_vertex *v, unsigned n)
{
	unsigned count = 0;

	if (n <= OUT_MAX)
		return n;
	for (unsigned i = 0; i < n; i++)
		if (!count || memcmp(v[count - 1].clip, v[i].clip, sizeof v[i].clip) != 0)
			v[count++] = v[i];
	return count < OUT_MAX ? count : OUT_MAX;
}

static unsigned clip_triangle(const struct gx_machine *m, const struct gx_vertex *in, unsigned planes, struct gx_vertex *out)
{
	struct gx_vertex work[2][WORK_MAX];
	unsigned n = 3, from = 0;

	memcpy(work[0], in, 3 * sizeof *in);
	for (unsigned plane = 0; plane < PLANES; plane++) {
		if (!(planes >> plane & 1))
			continue;
		n = clip_plane(m, plane, work[from], n, work[!from]);
		from = !from;
		if (n < 3)
			return 0;
	}
	n = fit(work[from], n);
	memcpy(out, work[from], n * sizeof *out);
	return n;
}

static unsigned clip_line(const struct gx_machine *m, const struct gx_vertex *in, unsigned planes, struct gx_vertex *out)
{
	float t[2] = {0, 0}; /* from either end */

	for (unsigned plane = 0; plane < PLANES; plane++) {
		if (!(planes >> plane & 1))
			continue;
		float d[2] = {distance(m, plane, &in[0], true), distance(m, plane, &in[1], true)};
		if (d[0] < 0 && d[1] < 0)
			return 0;
		for (unsigned i = 0; i < 2; i++)
			if (d[i] < 0) {
				float cut_off = d[i] / (d[i] - d[!i]);
				t[i] = cut_off > t[i] ? cut_off : t[i];
			}
	}
	if (!m->quirk[GX_QUIRK_clip_lines] && t[0] + t[1] >= 1)
		return 0;
	for (unsigned i = 0; i < 2; i++)
		if (in[i].outcode && t[i] > 0)
			between(m, &in[i], &in[!i], t[i], &out[i]);
		else
			out[i] = in[i];
	return 2;
}

/* Planes that some vertex is beyond.  Without quirk clip_far the outcode alone decides, as w = 0 is no test for z. */
static unsigned planes_hit(const struct gx_machine *m, const struct gx_vertex *in, unsigned n)
{
	unsigned planes = 0;

	for (unsigned i = 0; i < n; i++) {
		if (m->quirk[GX_QUIRK_clip_guard] == 1) {
			planes |= in[i].outcode;
			continue;
		}
		planes |= in[i].outcode & 0x30u;
		for (unsigned plane = PLANE_RIGHT; plane <= PLANE_BOTTOM; plane++)
			planes |= (unsigned)(distance(m, plane, &in[i], false) < 0) << plane;
	}
	return planes;
}

/* CLIP_DISABLE bit 0: geometry is drawn whole and z clamps later; but a vertex behind the eye would turn up mirrored. */
static bool clipping(const struct gx_machine *m, const struct gx_vertex *in, unsigned n)
{
	bool line_rule = n == 2 && m->quirk[GX_QUIRK_clip_lines];

	if (!(m->state.xf[0x1005] & 1) || line_rule)
		return true;
	for (unsigned i = 0; i < n; i++)
		if (m->quirk[GX_QUIRK_clip_guard] == 1 ? in[i].clip[3] < 0 : !(in[i].clip[3] > 0))
			return true;
	return false;
}

static bool reject(const struct gx_machine *m, const struct gx_vertex *in, unsigned n)
{
	unsigned common = 0x3F;

	if (n == 1 && !m->quirk[GX_QUIRK_clip_points])
		return false;
	if (m->state.xf[0x1005] >> 1 & 1 && m->quirk[GX_QUIRK_clip_no_reject])
		return false;
	for (unsigned i = 0; i < n; i++)
		common &= in[i].outcode;
	return common != 0;
}

unsigned gx_clip(const struct gx_machine *m, const struct gx_vertex *in, unsigned n, struct gx_vertex *out, bool *rejected)
{
	unsigned planes = 0;

	*rejected = reject(m, in, n);
	if (*rejected)
		return 0;
	if (clipping(m, in, n))
		planes = planes_hit(m, in, n);
	if (planes && n == 1)
		return m->quirk[GX_QUIRK_clip_points] ? 0 : (out[0] = in[0], 1u);
	if (planes && n == 2)
		return clip_line(m, in, planes, out);
	if (planes)
		return clip_triangle(m, in, planes, out);
	memcpy(out, in, n * sizeof *out);
	return n;
}
