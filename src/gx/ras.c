/* ras.c - rasterisers: quads with 12-bit coverage, and the attributes of their pixels
 *
 * Sources: spec 04 section 2 (coverage, top-left rule), section 3 (quads; rows from the top, left to right as Dolphin does),
 * section 4 (interpolation, conversion to integers).
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "core/bits.h"
#include "gx/machine.h"

/* ---- the walk ----------------------------------------------------------------------------------------------------------- */

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
	for (unsigned e = 0; e < 3; e++)
		ras->edge[e] = t->edge_c[e] + t->edge_dy[e] * ras->y + t->edge_dx[e] * ras->x;
}

void gx_ras_begin(struct gx_ras *ras, const struct gx_triangle *triangle)
{
	ras->triangle = triangle;
	ras->y = triangle->record.box.y0 & ~1;
	row_range(ras);
}

/* Bits of the four pixels that lie inside the box, which carries the scissor and need not be aligned with quads. */
static unsigned box_mask(const struct qs_rect *box, int x, int y)
{
	unsigned mask = 15;

	if (x < box->x0)
		mask &= 10;
	if (x + 1 >= box->x1)
		mask &= 5;
	if (y < box->y0)
		mask &= 12;
	if (y + 1 >= box->y1)
		mask &= 3;
	return mask;
}

/* Coverage of the quad at the cursor with one sample a pixel. */
static unsigned coverage_single(const struct gx_ras *ras)
{
	static const uint16_t spread[16] = {0, 0007, 0070, 0077, 0700, 0707, 0770, 0777, 07000, 07007, 07070, 07077, 07700, 07707, 07770, 07777};
	const struct gx_triangle *t = ras->triangle;
	unsigned mask = box_mask(&t->record.box, ras->x, ras->y);

	for (unsigned e = 0; e < 3; e++) {
		int64_t v = ras->edge[e], dx = t->edge_dx[e], dy = t->edge_dy[e];
		mask &= (unsigned)(v > 0) | (unsigned)(v + dx > 0) << 1 | (unsigned)(v + dy > 0) << 2 | (unsigned)(v + dx + dy > 0) << 3;
	}
	return spread[mask];
}

static unsigned coverage_multi(const struct gx_ras *ras)
{
	const struct gx_triangle *t = ras->triangle;
	unsigned mask = box_mask(&t->record.box, ras->x, ras->y), coverage = 0;

	for (unsigned pixel = 0; pixel < 4; pixel++) {
		int64_t value[3];

		if (!(mask >> pixel & 1))
			continue;
		for (unsigned e = 0; e < 3; e++)
			value[e] = ras->edge[e] + t->edge_dx[e] * (pixel & 1) + t->edge_dy[e] * (pixel >> 1);
		for (unsigned k = 0; k < 3; k++) {
			const int64_t *s = t->sample[pixel][k];
			if (value[0] + s[0] > 0 && value[1] + s[1] > 0 && value[2] + s[2] > 0)
				coverage |= 1u << (3 * pixel + k);
		}
	}
	return coverage;
}

bool gx_ras_next(struct gx_ras *ras, int *x, int *y, uint16_t *coverage)
{
	const struct gx_triangle *t = ras->triangle;

	while (ras->y < t->record.box.y1) {
		while (ras->x <= ras->last) {
			unsigned c = t->multisample ? coverage_multi(ras) : coverage_single(ras);
			*x = ras->x;
			*y = ras->y;
			*coverage = (uint16_t)c;
			ras->x += 2;
			for (unsigned e = 0; e < 3; e++)
				ras->edge[e] += 2 * t->edge_dx[e];
			if (c)
				return true;
		}
		ras->y += 2;
		if (ras->y < t->record.box.y1)
			row_range(ras);
	}
	return false;
}

/* ---- attributes --------------------------------------------------------------------------------------------------------- */

/* The four pixels of a quad side by side: top left, top right, bottom left, bottom right.  Operations on these are element by
 * element and in the written order, so they are exactly the single-precision operations of the model. */
typedef float quad_float __attribute__((vector_size(16)));
typedef int32_t quad_int __attribute__((vector_size(16)));
typedef uint32_t quad_bits __attribute__((vector_size(16)));

struct ras_point {
	quad_float dx, dy; /* distances from the reference point */
};

static inline quad_float splat(float v)
{
	return (quad_float){v, v, v, v};
}

static inline struct ras_point points_of(const struct gx_reference *r, int x, int y)
{
	float x0 = (float)(x - r->x0), x1 = (float)(x + 1 - r->x0), y0 = (float)(y - r->y0), y1 = (float)(y + 1 - r->y0);

	return (struct ras_point){
		splat(r->offset_x) + (quad_float){x0, x1, x0, x1},
		splat(r->offset_y) + (quad_float){y0, y0, y1, y1},
	};
}

static inline quad_float plane_at(const struct qs_plane *plane, struct ras_point p)
{
	return splat(plane->f0) + splat(plane->dfdx) * p.dx + splat(plane->dfdy) * p.dy;
}

/* Conversion toward zero as the x86 instruction does it: not-a-number and overflow give the most negative value. */
static inline quad_int to_int(quad_float v)
{
	const float limit = 2147483648.0f;
	quad_int inside = (v >= -limit) & (v < limit);
	quad_float safe = (quad_float)((quad_int)v & inside);

	return (__builtin_convertvector(safe, quad_int) & inside) | (INT32_MIN & ~inside);
}

/* To 0..high, toward zero; not-a-number becomes 0. */
static inline quad_int to_clamped(quad_float v, float high)
{
	quad_int over = v >= high, positive = v > 0.0f;
	quad_float safe = (quad_float)((quad_int)v & positive & ~over);

	return __builtin_convertvector(safe, quad_int) | ((int32_t)high & over);
}

static inline void store_words(int16_t *out, quad_int v)
{
	for (unsigned k = 0; k < 4; k++)
		out[k] = (int16_t)v[k];
}

static inline void interpolate_z(const struct gx_triangle *t, struct gx_batch *b, unsigned quad)
{
	quad_int z = to_clamped(plane_at(&t->record.z, points_of(&t->z_origin, b->x[quad], b->y[quad])), 16777215.0f);

	memcpy(&b->z[4 * quad], &z, sizeof z);
}

static inline void interpolate_colours(const struct gx_machine *m, const struct gx_triangle *t, struct gx_batch *b, unsigned quad,
	struct ras_point p, quad_float w)
{
	bool perspective = m->quirk[GX_QUIRK_colour_perspective] != 0, truncate = m->quirk[GX_QUIRK_colour_convert] != 0;

	for (unsigned i = 0; i < 2; i++)
		for (unsigned c = 0; c < 4; c++) {
			int16_t *out = &b->ras[i][c][4 * quad];
			if (i >= t->record.ncol) {
				memset(out, 0, 4 * sizeof *out);
				continue;
			}
			quad_float v = plane_at(&t->record.colour[i][c], p);
			if (perspective)
				v *= w;
			if (truncate) {
				/* Dolphin SW: 16 bits, and a non-zero high byte clears bits of the low one */
				quad_int word = to_int(v) & 0xFFFF;
				store_words(out, word & ~(word >> 8) & 0xFF);
			} else {
				store_words(out, to_clamped(v, 255.0f));
			}
		}
}

static inline quad_int to_fixed7(quad_float v, bool toward_zero)
{
	quad_float scaled = v * 128.0f;
	quad_int t = to_int(scaled);

	if (toward_zero)
		return t; /* Dolphin's registers are wider and wrap later, in the indirect unit */
	/* floor: one less where the conversion went up; then the 24-bit registers wrap */
	quad_float back = __builtin_convertvector(t, quad_float);
	quad_bits wrapped = (quad_bits)t + (quad_bits)(back > scaled); /* far outside, one less than the least wraps too */
	return (quad_int)(wrapped << 8) >> 8;
}

static inline void interpolate_texcoords(const struct gx_machine *m, const struct gx_triangle *t, struct gx_batch *b, unsigned quad,
	struct ras_point p, quad_float w)
{
	bool toward_zero = m->quirk[GX_QUIRK_st_convert] != 0;

	if (!t->record.ntex) { /* stages use coordinate 0 then: it must not be that of an earlier draw */
		for (unsigned c = 0; c < 2; c++) {
			memset(&b->uv[0][c][4 * quad], 0, sizeof(quad_float));
			memset(&b->st[0][c][4 * quad], 0, sizeof(quad_int));
		}
	}
	for (unsigned i = 0; i < t->record.ntex && i < 8; i++) {
		quad_float q = plane_at(&t->record.tex[i][2], p) * w;
		quad_int zero = q == 0.0f;
		quad_float one_for_zero = (quad_float)(((quad_int)q & ~zero) | ((quad_int)splat(1) & zero));
		quad_float projection = w / one_for_zero; /* w itself where q is 0 */

		for (unsigned c = 0; c < 2; c++) {
			quad_float uv = plane_at(&t->record.tex[i][c], p) * projection;
			quad_int st = to_fixed7(uv, toward_zero);
			memcpy(&b->uv[i][c][4 * quad], &uv, sizeof uv);
			memcpy(&b->st[i][c][4 * quad], &st, sizeof st);
		}
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

		quad_float w = 1.0f / plane_at(&t->record.inv_w, p);

		memcpy(&b->inv_w[4 * quad], &w, sizeof w);
		for (unsigned k = 0; k < 4; k++) {
			unsigned i = 4 * quad + k;
			b->samples[i] = (uint8_t)(b->coverage[quad] >> (3 * k) & 7);
			b->live[i] = b->samples[i] != 0;
			b->verdict[i] = QS_VERDICT_NONE;
		}
		interpolate_z(t, b, quad);
		interpolate_colours(m, t, b, quad, p, w);
		interpolate_texcoords(m, t, b, quad, p, w);
		if (b->record)
			record_quad(b, quad);
	}
}
