/* su_edge.c - setup unit: edge functions, bounding box and attribute planes of one triangle
 *
 * Sources: spec 04 section 2 (sample point, Dolphin's edge walk, fill rule), spec 03 sections 7 and 8 (planes, zfreeze).
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "core/bits.h"
#include "gx/su.h"

/* Units per pixel: divisible by 12, so that sample points are exact, and finer than every float32 coordinate of the hardware's
 * biased screen (spacing 2^-14 at most below 1024). */
#define SU_UNIT (12 << 16)

/* Quirk attribute_point: where in the pixel attributes are evaluated. */
static const float attribute_points[3] = {7 / 12.0f, 0.495f, 0.5f};

struct su_fixed {
	int64_t x[3], y[3];
	int64_t unit;        /* per pixel */
	double sample_shift; /* subtracted from the coordinates, in units: what the display adds again */
};

/* ---- coordinates -------------------------------------------------------------------------------------------------------- */

/* Half up, as C conversion toward zero plus one (Dolphin SW). */
static int32_t round_half_up(float x)
{
	float limited = fminf(fmaxf(x, -1e8f), 1e8f);
	int32_t t = (int32_t)limited;

	return (double)(limited - (float)t) >= 0.5 ? t + 1 : t;
}

/* Dolphin: 28.4 with the sample at 9/16. */
static void fix_dolphin(struct su_fixed *f, const struct gx_vertex *const v[3], const struct su_scissor *scissor)
{
	f->unit = 16;
	f->sample_shift = 9;
	for (unsigned i = 0; i < 3; i++) {
		f->x[i] = round_half_up(16.0f * (v[i]->screen[0] - (float)scissor->offset_x)) - 9;
		f->y[i] = round_half_up(16.0f * (v[i]->screen[1] - (float)scissor->offset_y)) - 9;
	}
}

/* No snapping; coordinates far outside lose fraction bits so that edge values fit 64 bits. */
static void fix_exact(struct su_fixed *f, const struct gx_vertex *const v[3], const struct su_scissor *scissor, unsigned shift12)
{
	double x[3], y[3], largest = 0;

	for (unsigned i = 0; i < 3; i++) {
		x[i] = v[i]->exact[0] - scissor->offset_x;
		y[i] = v[i]->exact[1] - scissor->offset_y;
		x[i] = fmin(fmax(x[i], -1048576.0), 1048576.0);
		y[i] = fmin(fmax(y[i], -1048576.0), 1048576.0);
		largest = fmax(largest, fmax(fabs(x[i]), fabs(y[i])));
	}
	f->unit = SU_UNIT;
	for (double limit = 1024; largest > limit; limit *= 2)
		f->unit /= 2;
	f->sample_shift = (double)(f->unit / 12 * shift12);
	for (unsigned i = 0; i < 3; i++) {
		f->x[i] = llrint(x[i] * (double)f->unit) - f->unit / 12 * shift12;
		f->y[i] = llrint(y[i] * (double)f->unit) - f->unit / 12 * shift12;
	}
}

/* ---- edges -------------------------------------------------------------------------------------------------------------- */

static void make_edges(struct gx_triangle *t, const struct su_fixed *f, const uint8_t order[3])
{
	double unit = (double)f->unit;

	t->edge_scale = unit * unit;
	for (unsigned e = 0; e < 3; e++) {
		unsigned a = order[e], b = order[(e + 1) % 3];
		int64_t dx = f->x[a] - f->x[b], dy = f->y[a] - f->y[b];
		bool top_left = dy < 0 || (dy == 0 && dx > 0);
		int64_t c = dy * f->x[a] - dx * f->y[a];
		struct qs_edge *r = &t->record.edge[e];

		t->edge_c[e] = c + top_left;
		t->edge_dx[e] = -dy * f->unit;
		t->edge_dy[e] = dx * f->unit;
		r->dx = (double)-dy / unit;
		r->dy = (double)dx / unit;
		r->c = (double)c / t->edge_scale - (r->dx + r->dy) * f->sample_shift / unit;
		r->top_left = top_left;
		r->from = (uint8_t)a;
		r->to = (uint8_t)b;
	}
}

/* Sample points of the four pixels of a quad in 1/12 pixel (spec 03, GEN_MSLOC0..3): the hardware's field + 1, pureikyubu's
 * field (6 is its centre). */
static void make_samples(const struct gx_machine *m, struct gx_triangle *t, const struct su_fixed *f)
{
	unsigned bias = m->quirk[GX_QUIRK_sample_point] == 2 ? 0 : 1;
	float point = attribute_points[m->quirk[GX_QUIRK_attribute_point]];

	for (unsigned pixel = 0; pixel < 4; pixel++)
		for (unsigned k = 0; k < 3; k++) {
			uint32_t reg = m->state.bp[0x01 + pixel];
			int64_t x = bits(reg, 8 * k, 4) + bias, y = bits(reg, 8 * k + 4, 4) + bias;
			t->record.sample_x[pixel][k] = (uint8_t)x;
			t->record.sample_y[pixel][k] = (uint8_t)y;
			t->sample_dx[pixel][k] = (float)x / 12.0f - point;
			t->sample_dy[pixel][k] = (float)y / 12.0f - point;
			for (unsigned e = 0; e < 3; e++) {
				int64_t dx = t->edge_dx[e] / f->unit, dy = t->edge_dy[e] / f->unit;
				t->sample[pixel][k][e] = (dx * x + dy * y) * (f->unit / 12);
			}
		}
}

static void make_box(struct gx_triangle *t, const struct su_fixed *f, const struct qs_rect *scissor)
{
	int64_t x0 = f->x[0], x1 = f->x[0], y0 = f->y[0], y1 = f->y[0];
	struct qs_rect *box = &t->record.box;

	for (unsigned i = 1; i < 3; i++) {
		x0 = f->x[i] < x0 ? f->x[i] : x0;
		x1 = f->x[i] > x1 ? f->x[i] : x1;
		y0 = f->y[i] < y0 ? f->y[i] : y0;
		y1 = f->y[i] > y1 ? f->y[i] : y1;
	}
	/* with sub-samples any part of the pixel counts, else only its one sample, which the shift has put on the corner */
	int64_t low = t->multisample ? 0 : f->unit - 1, high = f->unit - 1;
	int64_t bx0 = floor_div(x0 + low, f->unit), by0 = floor_div(y0 + low, f->unit);
	int64_t bx1 = floor_div(x1 + high, f->unit), by1 = floor_div(y1 + high, f->unit);
	box->x0 = (int32_t)(bx0 > scissor->x0 ? bx0 : scissor->x0);
	box->y0 = (int32_t)(by0 > scissor->y0 ? by0 : scissor->y0);
	box->x1 = (int32_t)(bx1 < scissor->x1 ? bx1 : scissor->x1);
	box->y1 = (int32_t)(by1 < scissor->y1 ? by1 : scissor->y1);
	t->record.scissor = *scissor;
}

/* ---- planes ------------------------------------------------------------------------------------------------------------- */

/* Differences of the screen positions, in single precision and in this order of operations (Dolphin SW: slopes). */
struct su_slope {
	float dx10, dx20, dy10, dy20, denominator;
};

static struct su_slope slope_of(const struct gx_vertex *const v[3])
{
	struct su_slope s = {
		v[1]->screen[0] - v[0]->screen[0],
		v[2]->screen[0] - v[0]->screen[0],
		v[1]->screen[1] - v[0]->screen[1],
		v[2]->screen[1] - v[0]->screen[1],
		0,
	};

	s.denominator = s.dx20 * s.dy10 - s.dx10 * s.dy20;
	return s;
}

static struct qs_plane plane_of(const struct su_slope *s, float f0, float f1, float f2)
{
	float d20 = f2 - f0, d10 = f1 - f0;
	float a = d20 * s->dy10 - d10 * s->dy20;
	float b = s->dx20 * d10 - s->dx10 * d20;

	return (struct qs_plane){f0, a / s->denominator, b / s->denominator};
}

static struct gx_reference reference_of(const struct gx_machine *m, const struct gx_vertex *v, const struct su_scissor *scissor)
{
	float point = attribute_points[m->quirk[GX_QUIRK_attribute_point]];
	float x = v->screen[0] - (float)scissor->offset_x, y = v->screen[1] - (float)scissor->offset_y;
	struct gx_reference r;

	/* the first pixel of the vertex as Dolphin counts it; any whole pixel near the vertex serves the other models */
	r.x0 = shift_floor(round_half_up(16.0f * x) - 9 + 15, 4);
	r.y0 = shift_floor(round_half_up(16.0f * y) - 9 + 15, 4);
	r.offset_x = ((float)r.x0 - x) + point;
	r.offset_y = ((float)r.y0 - y) + point;
	return r;
}

static void latch(struct gx_machine *m, const struct gx_vertex *const v[3], const struct su_slope *slope,
	const struct gx_reference *origin)
{
	struct gx_state *s = &m->state;

	if (bits(s->bp[0], 19, 1) || slope->denominator == 0)
		return;
	if (m->quirk[GX_QUIRK_zfreeze] && s->z_plane_valid)
		return;
	s->z_plane = plane_of(slope, v[0]->screen[2], v[1]->screen[2], v[2]->screen[2]);
	s->z_plane_origin = *origin;
	s->z_plane_valid = true;
}

void su_latch_z(struct gx_machine *m, const struct gx_vertex *const v[3], const struct su_scissor *scissor)
{
	struct su_slope slope = slope_of(v);
	struct gx_reference origin = reference_of(m, v[0], scissor);

	latch(m, v, &slope, &origin);
}

static void make_planes(struct gx_machine *m, struct gx_triangle *t, const struct gx_vertex *const v[3],
	const struct su_slope *slope)
{
	struct qs_setup *r = &t->record;
	bool perspective = m->quirk[GX_QUIRK_colour_perspective] != 0;
	float w[3] = {v[0]->inv_w, v[1]->inv_w, v[2]->inv_w};
	bool frozen = bits(m->state.bp[0], 19, 1);

	if (frozen) {
		/* Dolphin starts with the constant 1; what hardware holds before the first triangle is unknown */
		r->z = m->state.z_plane_valid ? m->state.z_plane : (struct qs_plane){1, 0, 0};
		t->z_origin = m->state.z_plane_origin;
	} else {
		r->z = plane_of(slope, v[0]->screen[2], v[1]->screen[2], v[2]->screen[2]);
		t->z_origin = t->origin;
	}
	r->z_frozen = frozen;
	r->inv_w = plane_of(slope, w[0], w[1], w[2]);
	for (unsigned i = 0; i < r->ncol && i < 2; i++)
		for (unsigned c = 0; c < 4; c++) {
			float f[3];
			for (unsigned k = 0; k < 3; k++)
				f[k] = perspective ? (float)v[k]->colour[i][c] * w[k] : (float)v[k]->colour[i][c];
			r->colour[i][c] = plane_of(slope, f[0], f[1], f[2]);
		}
	for (unsigned i = 0; i < r->ntex && i < 8; i++)
		for (unsigned c = 0; c < 3; c++)
			r->tex[i][c] = plane_of(slope, v[0]->tex[i][c] * w[0], v[1]->tex[i][c] * w[1], v[2]->tex[i][c] * w[2]);
}

/* ---- one triangle ------------------------------------------------------------------------------------------------------- */

bool su_triangle(struct gx_machine *m, const struct gx_vertex *const v[3], const struct su_scissor *scissor,
	struct gx_triangle *t)
{
	struct qs_setup *r = &t->record;
	int point = m->quirk[GX_QUIRK_sample_point];
	uint8_t order[3] = {0, 1, 2};
	struct su_fixed f;

	/* pureikyubu always tests three sub-samples; the others only with anti-aliasing */
	t->multisample = point == 2 || (m->quirk[GX_QUIRK_multisample] && bits(m->state.bp[0], 9, 1));
	if (point == 1)
		fix_dolphin(&f, v, scissor);
	else
		fix_exact(&f, v, scissor, t->multisample ? 0 : 7);
	r->ntex = (uint8_t)bits(m->state.bp[0], 0, 4);
	r->ncol = (uint8_t)bits(m->state.bp[0], 4, 3);
	r->sample_count = t->multisample ? 3 : 1;
	r->sample_offset = t->multisample ? 0.0f : (float)(f.sample_shift / (double)f.unit);

	struct su_slope slope = slope_of(v);
	t->origin = reference_of(m, v[0], scissor);
	latch(m, v, &slope, &t->origin);

	int64_t area2 = (f.x[1] - f.x[0]) * (f.y[2] - f.y[0]) - (f.y[1] - f.y[0]) * (f.x[2] - f.x[0]);
	r->area2 = (double)area2 / ((double)f.unit * (double)f.unit);
	r->verdict = QS_SETUP_DEGENERATE;
	if (!area2)
		return false;
	/* Interior values are positive when the vertices run counter-clockwise on the screen.  Dolphin relies on the decision
	 * made in clip space; the screen is the better judge when w < 0 is let through. */
	if (point != 1 && area2 > 0) {
		order[1] = 2;
		order[2] = 1;
	}
	r->verdict = QS_SETUP_SCISSORED;
	make_box(t, &f, &scissor->rect);
	if (r->box.x0 >= r->box.x1 || r->box.y0 >= r->box.y1)
		return false;
	r->verdict = QS_SETUP_DRAWN;
	make_edges(t, &f, order);
	if (t->multisample) {
		make_samples(m, t, &f);
	} else {
		memset(t->sample_dx, 0, sizeof t->sample_dx);
		memset(t->sample_dy, 0, sizeof t->sample_dy);
	}
	make_planes(m, t, v, &slope);
	r->x_ref = (float)t->origin.x0 - t->origin.offset_x;
	r->y_ref = (float)t->origin.y0 - t->origin.offset_y;
	return true;
}
