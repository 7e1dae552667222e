/* ras.c - rasterisers: quads with 12-bit coverage, and the attributes of their pixels
 *
 * Sources: spec 04 section 2 (coverage, top-left rule), section 3 (quads; rows from the top, left to right as Dolphin does),
 * section 4 (interpolation, conversion to integers).
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "core/bits.h"
#include "gx/machine.h"

/* ---- the walk ----------------------------------------------------------------------------------------------------------- */

static int64_t floor_div(int64_t a, int64_t b)
{
	int64_t q = a / b;

	return q - (a % b != 0 && (a < 0) != (b < 0));
}

/* First and last column where some pixel of the two rows may be inside: necessary, not sufficient.  The sample terms of a
 * multisampled triangle are covered by looking one pixel further. */
static void row_range(struct gx_ras *ras)
{
	const struct gx_triangle *t = ras->triangle;
	const struct qs_rect *box = &t->record.box;
	int64_t first = box->x0, last = box->x1 - 1;
	int64_t slack = t->multisample ? 1 : 0;

	for (unsigned e = 0; e < 3; e++) {
		int64_t at_row = t->edge_c[e] + t->edge_dy[e] * ras->y;
		int64_t best = at_row + (t->edge_dy[e] > 0 ? t->edge_dy[e] * (1 + slack) : 0);
		int64_t dx = t->edge_dx[e];

		/* inside means best + dx*x > 0 */
		if (dx > 0) {
			int64_t x = floor_div(-best, dx) + 1 - slack;
			first = x > first ? x : first;
		} else if (dx < 0) {
			int64_t x = floor_div(best - 1, -dx) + slack;
			last = x < last ? x : last;
		} else if (best <= 0) {
			last = first - 1;
		}
	}
	if (first > last) { /* either may be far outside int */
		ras->x = 0;
		ras->last = -1;
		return;
	}
	ras->x = (int)first & ~1;
	ras->last = (int)last;
}

void gx_ras_begin(struct gx_ras *ras, const struct gx_triangle *triangle)
{
	ras->triangle = triangle;
	ras->y = triangle->record.box.y0 & ~1;
	row_range(ras);
}

static uint16_t coverage_at(const struct gx_triangle *t, int x, int y)
{
	const struct qs_rect *box = &t->record.box;
	unsigned coverage = 0;

	for (unsigned pixel = 0; pixel < 4; pixel++) {
		int px = x + (int)(pixel & 1), py = y + (int)(pixel >> 1);
		int64_t value[3];

		/* the box carries the scissor, which need not be aligned with quads */
		if (px < box->x0 || px >= box->x1 || py < box->y0 || py >= box->y1)
			continue;
		for (unsigned e = 0; e < 3; e++)
			value[e] = t->edge_c[e] + t->edge_dx[e] * px + t->edge_dy[e] * py;
		if (!t->multisample) {
			if (value[0] > 0 && value[1] > 0 && value[2] > 0)
				coverage |= 7u << (3 * pixel);
			continue;
		}
		for (unsigned k = 0; k < 3; k++) {
			const int64_t *s = t->sample[pixel][k];
			if (value[0] + s[0] > 0 && value[1] + s[1] > 0 && value[2] + s[2] > 0)
				coverage |= 1u << (3 * pixel + k);
		}
	}
	return (uint16_t)coverage;
}

bool gx_ras_next(struct gx_ras *ras, int *x, int *y, uint16_t *coverage)
{
	const struct gx_triangle *t = ras->triangle;

	while (ras->y < t->record.box.y1) {
		for (; ras->x <= ras->last; ras->x += 2) {
			uint16_t c = coverage_at(t, ras->x, ras->y);
			if (!c)
				continue;
			*x = ras->x;
			*y = ras->y;
			*coverage = c;
			ras->x += 2;
			return true;
		}
		ras->y += 2;
		if (ras->y < t->record.box.y1)
			row_range(ras);
	}
	return false;
}

/* ---- attributes --------------------------------------------------------------------------------------------------------- */

struct ras_point {
	float dx[4], dy[4]; /* distances from the reference point, for the four pixels of a quad */
};

static struct ras_point points_of(const struct gx_reference *r, int x, int y)
{
	struct ras_point p;

	for (unsigned i = 0; i < 4; i++) {
		p.dx[i] = r->offset_x + (float)(x + (int)(i & 1) - r->x0);
		p.dy[i] = r->offset_y + (float)(y + (int)(i >> 1) - r->y0);
	}
	return p;
}

static inline float plane_at(const struct qs_plane *plane, const struct ras_point *p, unsigned i)
{
	return plane->f0 + (plane->dfdx * p->dx[i]) + (plane->dfdy * p->dy[i]);
}

/* Conversion toward zero as the x86 instruction does it: not-a-number and overflow give the most negative value. */
static inline int32_t to_int(float v)
{
	return v >= -2147483648.0f && v < 2147483648.0f ? (int32_t)v : INT32_MIN;
}

static void interpolate_z(const struct gx_triangle *t, struct gx_batch *b, unsigned quad)
{
	struct ras_point p = points_of(&t->z_origin, b->x[quad], b->y[quad]);

	for (unsigned i = 0; i < 4; i++) {
		float z = plane_at(&t->record.z, &p, i);
		/* not-a-number becomes 0 */
		b->z[4 * quad + i] = z >= 16777215.0f ? 16777215u : z > 0.0f ? (uint32_t)z : 0;
	}
}

static void interpolate_colours(const struct gx_machine *m, const struct gx_triangle *t, struct gx_batch *b, unsigned quad,
	const struct ras_point *p)
{
	bool perspective = m->quirk[GX_QUIRK_colour_perspective] != 0, truncate = m->quirk[GX_QUIRK_colour_convert] != 0;

	for (unsigned i = 0; i < 2; i++)
		for (unsigned c = 0; c < 4; c++)
			for (unsigned k = 0; k < 4; k++) {
				int16_t *out = &b->ras[i][c][4 * quad + k];
				if (i >= t->record.ncol) {
					*out = 0;
					continue;
				}
				float v = plane_at(&t->record.colour[i][c], p, k);
				if (perspective)
					v *= b->inv_w[4 * quad + k];
				if (truncate) {
					/* Dolphin SW: 16 bits, and a non-zero high byte clears bits of the low one */
					unsigned word = (uint32_t)to_int(v) & 0xFFFF;
					*out = (int16_t)(word & ~(word >> 8) & 0xFF);
				} else {
					*out = (int16_t)(v >= 255.0f ? 255 : v > 0.0f ? (int)v : 0);
				}
			}
}

static int32_t to_fixed7(float v, bool toward_zero)
{
	float scaled = v * 128.0f;

	/* 24-bit registers that wrap, except in Dolphin, which wraps later, in the indirect unit */
	return toward_zero ? to_int(scaled) : bits_sign((uint32_t)to_int(floorf(scaled)), 24);
}

static void interpolate_texcoords(const struct gx_machine *m, const struct gx_triangle *t, struct gx_batch *b, unsigned quad,
	const struct ras_point *p)
{
	bool toward_zero = m->quirk[GX_QUIRK_st_convert] != 0;

	for (unsigned i = 0; i < t->record.ntex && i < 8; i++)
		for (unsigned k = 0; k < 4; k++) {
			unsigned f = 4 * quad + k;
			float w = b->inv_w[f], projection = w;
			float q = plane_at(&t->record.tex[i][2], p, k) * w;

			if (q != 0.0f)
				projection = w / q;
			b->uv[i][0][f] = plane_at(&t->record.tex[i][0], p, k) * projection;
			b->uv[i][1][f] = plane_at(&t->record.tex[i][1], p, k) * projection;
			b->st[i][0][f] = to_fixed7(b->uv[i][0][f], toward_zero);
			b->st[i][1][f] = to_fixed7(b->uv[i][1][f], toward_zero);
		}
}

static void record_edges(const struct gx_triangle *t, struct qs_quad *q)
{
	for (unsigned pixel = 0; pixel < 4; pixel++)
		for (unsigned k = 0; k < 3; k++)
			for (unsigned e = 0; e < 3; e++) {
				int64_t v = t->edge_c[e] - t->record.edge[e].top_left + t->edge_dx[e] * (q->x + (int)(pixel & 1)) +
					t->edge_dy[e] * (q->y + (int)(pixel >> 1));
				if (t->multisample)
					v += t->sample[pixel][k][e];
				q->edge[pixel][k][e] = (double)v / t->edge_scale;
			}
}

static void record_quad(const struct gx_batch *b, unsigned quad)
{
	const struct gx_triangle *t = b->triangle[quad];
	struct qs_quad *q = &b->record[quad];

	q->x = b->x[quad];
	q->y = b->y[quad];
	q->coverage = b->coverage[quad];
	q->part = t->record.part;
	if (b->detail)
		record_edges(t, q);
	for (unsigned k = 0; k < 4; k++) {
		unsigned i = 4 * quad + k;
		struct qs_fragment *f = &q->fragment[k];

		/* the large arrays at the end are only cleared when they are going to be filled */
		memset(f, 0, b->detail ? sizeof *f : offsetof(struct qs_fragment, indirect));
		f->x = (int16_t)(b->x[quad] + (int)(k & 1));
		f->y = (int16_t)(b->y[quad] + (int)(k >> 1));
		f->samples = b->samples[i];
		f->inv_w = b->inv_w[i];
		f->z_interpolated = f->z = b->z[i];
		for (unsigned c = 0; c < 2; c++)
			for (unsigned n = 0; n < 4; n++)
				f->ras[c][n] = (uint8_t)b->ras[c][n][i];
		for (unsigned c = 0; c < t->record.ntex && c < 8; c++) {
			f->coord[c][0] = b->st[c][0][i];
			f->coord[c][1] = b->st[c][1][i];
		}
	}
}

void gx_ras_attributes(struct gx_machine *m, struct gx_batch *b)
{
	b->fragments = 4 * b->quads;
	for (unsigned quad = 0; quad < b->quads; quad++) {
		const struct gx_triangle *t = b->triangle[quad];
		struct ras_point p = points_of(&t->origin, b->x[quad], b->y[quad]);

		for (unsigned k = 0; k < 4; k++) {
			unsigned i = 4 * quad + k;
			b->samples[i] = (uint8_t)(b->coverage[quad] >> (3 * k) & 7);
			b->live[i] = b->samples[i] != 0;
			b->verdict[i] = QS_VERDICT_NONE;
			b->inv_w[i] = 1.0f / plane_at(&t->record.inv_w, &p, k);
		}
		interpolate_z(t, b, quad);
		interpolate_colours(m, t, b, quad, &p);
		interpolate_texcoords(m, t, b, quad, &p);
		if (b->record)
			record_quad(b, quad);
	}
}
