/* ras.c - rasterisers: quads with 12-bit coverage, and the attributes of their pixels
 *
 * Sources: spec 04 section 2 (coverage, top-left rule), section 3 (quads; rows from the top, left to right as Dolphin does),
 * section 4 (interpolation, conversion to integers).
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <limits.h>
#include <string.h>

/* Vectors never leave this file: the warning about how they are passed is moot. */
#pragma GCC diagnostic ignored "-Wpsabi"

#include "core/bits.h"
#include "gx/lanes.h"
#include "gx/tev.h"

/* ---- the walk ----------------------------------------------------------------------------------------------------------- */

#define NARROW 4 /* columns: looking at their quads costs less than finding out which need not be looked at */

/* A column as a whole number, toward minus infinity, limited. */
static int column(double x)
{
	x = x < -4096.0 ? -4096.0 : x > 4096.0 ? 4096.0 : x;
	return (int)(x + 4096.0) - 4096;
}

/* First and last column where some pixel of the two rows may be inside: necessary, not sufficient.  The sample terms of a
 * multisampled triangle are covered by looking one pixel further, the rounding of the quotients by a part of one. */
static void row_range(struct gx_ras *ras)
{
	const struct gx_triangle *t = ras->triangle;
	const struct qs_rect *box = &t->record.box;
	const double margin = t->multisample ? 1.001 : 0.001;
	double low = -4096.0, high = 4096.0;
	int first = box->x0, last = box->x1 - 1;

	if (last - (first & ~1) >= NARROW) {
#pragma GCC unroll 3
		for (unsigned e = 0; e < 3; e++) {
			int64_t at_row = t->edge_c[e] + t->edge_dy[e] * ras->y;
			int64_t best = at_row + (t->edge_dy[e] > 0 ? t->edge_dy[e] * (t->multisample ? 2 : 1) : 0);
			double x = (double)-best * ras->inverse[e];

			/* inside means best + dx*x > 0 */
			if (t->edge_dx[e] > 0)
				low = x > low ? x : low;
			else if (t->edge_dx[e] < 0)
				high = x < high ? x : high;
			else if (best <= 0)
				high = -4096.0;
		}
		first = column(low - margin) + 1;
		last = column(high + margin);
		first = first < box->x0 ? box->x0 : first;
		last = last > box->x1 - 1 ? box->x1 - 1 : last;
	}
	if (first > last) {
		ras->x = 0;
		ras->last = -1;
		return;
	}
	ras->x = first & ~1;
	ras->last = last;
#pragma GCC unroll 3
	for (unsigned e = 0; e < 3; e++)
		ras->edge[e] = t->edge_c[e] + t->edge_dy[e] * ras->y + t->edge_dx[e] * ras->x;
	ras->inner[0] = ras->y >= box->y0 && ras->y + 1 < box->y1 ? box->x0 : INT_MAX;
	ras->inner[1] = box->x1 - 1;
}

static void own_row(struct gx_ras *ras)
{
	if (ras->bands > 1)
		while (ras->y / GX_BAND % ras->bands != ras->band)
			ras->y = (ras->y / GX_BAND + 1) * GX_BAND;
}

void gx_ras_begin(struct gx_ras *ras, const struct gx_triangle *triangle)
{
	gx_ras_begin_band(ras, triangle, 0, 1);
}

void gx_ras_begin_band(struct gx_ras *ras, const struct gx_triangle *triangle, unsigned band, unsigned bands)
{
	ras->triangle = triangle;
	ras->band = (int)band;
	ras->bands = (int)bands;
	ras->y = triangle->record.box.y0 & ~1;
	own_row(ras);
	for (unsigned e = 0; e < 3; e++) {
		int64_t dx = triangle->edge_dx[e], dy = triangle->edge_dy[e];
		ras->least[e] = (dx < 0 ? dx : 0) + (dy < 0 ? dy : 0);
		ras->inverse[e] = dx ? 1.0 / (double)dx : 0;
	}
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
	int64_t outside[4] = {0};
	unsigned mask;

	/* mostly all four are inside */
	if (ras->x >= ras->inner[0] && ras->x < ras->inner[1] && ras->edge[0] + ras->least[0] > 0 && ras->edge[1] + ras->least[1] > 0 &&
		ras->edge[2] + ras->least[2] > 0)
		return 0xFFF;
	mask = box_mask(&t->record.box, ras->x, ras->y);
#pragma GCC unroll 3
	for (unsigned e = 0; e < 3; e++) {
		int64_t v = ras->edge[e] - 1, dx = t->edge_dx[e], dy = t->edge_dy[e];
		outside[0] |= v; /* the sign is what counts */
		outside[1] |= v + dx;
		outside[2] |= v + dy;
		outside[3] |= v + dx + dy;
	}
#pragma GCC unroll 4
	for (unsigned i = 0; i < 4; i++)
		mask &= ~((unsigned)((uint64_t)outside[i] >> 63) << i);
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
#pragma GCC unroll 3
			for (unsigned e = 0; e < 3; e++)
				ras->edge[e] += 2 * t->edge_dx[e];
			if (c)
				return true;
		}
		ras->y += 2;
		own_row(ras);
		if (ras->y < t->record.box.y1)
			row_range(ras);
	}
	return false;
}

/* ---- attributes --------------------------------------------------------------------------------------------------------- */

/* Two quads side by side, each top left, top right, bottom left, bottom right.  Operations on these are element by
 * element and in the written order, so they are exactly the single-precision operations of the model.  A batch has room for an
 * even number of quads: behind the last one of an odd count its triangle is walked once more and nobody reads the result. */
#define PAIR 8
typedef float pair_float __attribute__((vector_size(32)));
typedef int32_t pair_int __attribute__((vector_size(32)));
typedef uint32_t pair_bits __attribute__((vector_size(32)));
typedef int16_t pair_word __attribute__((vector_size(16)));

#define inline_vector static inline __attribute__((always_inline))

struct ras_point {
	pair_float dx, dy; /* distances from the reference point */
};

/* A term of the first quad's triangle and the same one of the second's; mostly it is one triangle. */
inline_vector pair_float both(bool same, float a, float b)
{
	return same ? (pair_float){a, a, a, a, a, a, a, a} : (pair_float){a, a, a, a, b, b, b, b};
}

inline_vector struct ras_point points_of(bool same, const struct gx_reference *r, const struct gx_reference *s, const int16_t *x,
	const int16_t *y)
{
	const pair_float right = {0, 1, 0, 1, 0, 1, 0, 1}, below = {0, 0, 1, 1, 0, 0, 1, 1};

	/* whole numbers below 2^24: the sums in brackets are exact */
	return (struct ras_point){
		both(same, r->offset_x, s->offset_x) + (both(false, (float)(x[0] - r->x0), (float)(x[1] - s->x0)) + right),
		both(same, r->offset_y, s->offset_y) + (both(false, (float)(y[0] - r->y0), (float)(y[1] - s->y0)) + below),
	};
}

inline_vector pair_float plane_at(bool same, const struct qs_plane *a, const struct qs_plane *b, struct ras_point p)
{
	return both(same, a->f0, b->f0) + both(same, a->dfdx, b->dfdx) * p.dx + both(same, a->dfdy, b->dfdy) * p.dy;
}

/* Conversion toward zero as the x86 instruction does it: not-a-number and overflow give the most negative value. */
inline_vector pair_int to_int(pair_float v)
{
	const float limit = 2147483648.0f;
	pair_int inside = (v >= -limit) & (v < limit);
	pair_float safe = (pair_float)((pair_int)v & inside);

	return (__builtin_convertvector(safe, pair_int) & inside) | (INT32_MIN & ~inside);
}

/* To 0..high, toward zero; not-a-number becomes 0. */
inline_vector pair_int to_clamped(pair_float v, float high)
{
	pair_int over = v >= high, positive = v > 0.0f;
	pair_float safe = (pair_float)((pair_int)v & positive & ~over);

	return __builtin_convertvector(safe, pair_int) | ((int32_t)high & over);
}

inline_vector void store_words(int16_t *out, pair_int v)
{
	pair_word words = __builtin_convertvector(v, pair_word);

	memcpy(out, &words, sizeof words);
}

/* What a pair of quads is interpolated with. */
struct ras_pair {
	const struct gx_triangle *t[2];
	bool same;
	unsigned at;       /* first fragment */
	unsigned channels; /* colours that are read, a bit each */
	struct ras_point point, moved; /* moved: from where pixels are evaluated without AA */
	pair_float w;
};

/* A pixel is evaluated at its centre when all of it is covered (or nothing, for the LOD), else at its first covered sample
 * (spec 04 section 2, pureikyubu; which of the covered ones is not known). */
static struct ras_point covered_points(const struct gx_triangle *const t[2], const uint16_t *coverage)
{
	struct ras_point moved = {{0}, {0}};

	for (unsigned i = 0; i < PAIR; i++) {
		unsigned pixel = i & 3, covered = coverage[i / 4] >> (3 * pixel) & 7, k = covered & 1 ? 0 : covered & 2 ? 1 : 2;
		if (!covered || covered == 7)
			continue;
		moved.dx[i] = t[i / 4]->sample_dx[pixel][k];
		moved.dy[i] = t[i / 4]->sample_dy[pixel][k];
	}
	return moved;
}

inline_vector void interpolate_z(const struct ras_pair *r, struct gx_batch *b)
{
	struct ras_point p = points_of(r->same, &r->t[0]->z_origin, &r->t[1]->z_origin, &b->x[r->at / 4], &b->y[r->at / 4]);

	if (r->t[0]->multisample) {
		p.dx += r->moved.dx;
		p.dy += r->moved.dy;
	}
	pair_int z = to_clamped(plane_at(r->same, &r->t[0]->record.z, &r->t[1]->record.z, p), 16777215.0f);

	memcpy(&b->z[r->at], &z, sizeof z);
}

/* Z of the three samples, which the anti-aliased EFB stores. */
static void interpolate_z_samples(struct gx_batch *b, unsigned quad, unsigned second)
{
	const struct gx_triangle *t[2] = {b->triangle[quad], b->triangle[second]};

	for (unsigned k = 0; k < 3; k++) {
		struct ras_point p = points_of(false, &t[0]->z_origin, &t[1]->z_origin, &b->x[quad], &b->y[quad]);

		for (unsigned i = 0; i < PAIR; i++) {
			p.dx[i] += t[i / 4]->sample_dx[i & 3][k];
			p.dy[i] += t[i / 4]->sample_dy[i & 3][k];
		}
		pair_int z = to_clamped(plane_at(false, &t[0]->record.z, &t[1]->record.z, p), 16777215.0f);
		memcpy(&b->z_sample[k][4 * quad], &z, sizeof z);
	}
}

inline_vector pair_int colour_levels(pair_float v, bool truncate)
{
	if (truncate) {
		/* Dolphin SW: 16 bits, and a non-zero high byte clears bits of the low one */
		pair_int word = to_int(v) & 0xFFFF;
		return word & ~(word >> 8) & 0xFF;
	}
	return to_clamped(v, 255.0f);
}

/* A bit per channel: some combiner reads it.  Rows of others may hold anything. */
static unsigned channels_read(const struct gx_machine *m, const struct gx_batch *b)
{
	if (b->record || !m->tev || !m->draw_state_valid)
		return 3;
	return (unsigned)((m->tev->used >> TEV_ROW_RAS & 15) != 0) | (unsigned)((m->tev->used >> (TEV_ROW_RAS + 4) & 15) != 0) << 1;
}

inline_vector void interpolate_colours(const struct gx_machine *m, const struct ras_pair *r, struct gx_batch *b)
{
	bool perspective = m->quirk[GX_QUIRK_colour_perspective] != 0, truncate = m->quirk[GX_QUIRK_colour_convert] != 0;
	unsigned count = r->t[0]->record.ncol; /* a matter of the draw: the same for all triangles of a batch */

	for (unsigned i = 0; i < 2; i++) {
		if (!(r->channels >> i & 1))
			continue;
		for (unsigned c = 0; c < 4; c++) {
			int16_t *out = &b->ras[i][c][r->at];
			if (i >= count) {
				memset(out, 0, PAIR * sizeof *out);
				continue;
			}
			pair_float v = plane_at(r->same, &r->t[0]->record.colour[i][c], &r->t[1]->record.colour[i][c], r->point);
			if (perspective)
				v *= r->w;
			store_words(out, colour_levels(v, truncate));
		}
	}
}

inline_vector pair_int to_fixed7(pair_float v, bool toward_zero)
{
	pair_float scaled = v * 128.0f;
	pair_int t = to_int(scaled);

	if (toward_zero)
		return t; /* Dolphin's registers are wider and wrap later, in the indirect unit */
	/* floor: one less where the conversion went up; then the 24-bit registers wrap */
	pair_float back = __builtin_convertvector(t, pair_float);
	pair_bits wrapped = (pair_bits)t + (pair_bits)(back > scaled); /* far outside, one less than the least wraps too */
	return (pair_int)(wrapped << 8) >> 8;
}

inline_vector void interpolate_texcoords(const struct gx_machine *m, const struct ras_pair *r, struct gx_batch *b)
{
	bool toward_zero = m->quirk[GX_QUIRK_st_convert] != 0;
	unsigned count = r->t[0]->record.ntex;

	if (!count) { /* stages use coordinate 0 then: it must not be that of an earlier draw */
		for (unsigned c = 0; c < 2; c++) {
			memset(&b->uv[0][c][r->at], 0, sizeof(pair_float));
			memset(&b->st[0][c][r->at], 0, sizeof(pair_int));
		}
	}
	for (unsigned i = 0; i < count && i < 8; i++) {
		const struct qs_plane *plane[2] = {r->t[0]->record.tex[i], r->t[1]->record.tex[i]};
		pair_float q = plane_at(r->same, &plane[0][2], &plane[1][2], r->point) * r->w;
		pair_int zero = q == 0.0f;
		pair_float one_for_zero = (pair_float)(((pair_int)q & ~zero) | ((pair_int)both(true, 1, 1) & zero));
		pair_float projection = r->w / one_for_zero; /* w itself where q is 0 */

		for (unsigned c = 0; c < 2; c++) {
			pair_float uv = plane_at(r->same, &plane[0][c], &plane[1][c], r->point) * projection;
			pair_int st = to_fixed7(uv, toward_zero);
			memcpy(&b->uv[i][c][r->at], &uv, sizeof uv);
			memcpy(&b->st[i][c][r->at], &st, sizeof st);
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

/* Three bits a pixel become three bits a byte. */
static void spread_coverage(struct gx_batch *b, unsigned quad)
{
	uint32_t c = b->coverage[quad];
	uint32_t samples = (c & 7) | (c & 0x38) << 5 | (c & 0x1C0) << 10 | (c & 0xE00) << 15;
	uint32_t live = (samples | samples >> 1 | samples >> 2) & 0x01010101;

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	samples = __builtin_bswap32(samples);
	live = __builtin_bswap32(live);
#endif
	memcpy(&b->samples[4 * quad], &samples, sizeof samples);
	memcpy(&b->live[4 * quad], &live, sizeof live);
}

inline_vector void interpolate_pair(struct gx_machine *m, struct gx_batch *b, unsigned quad, unsigned second, bool same,
	unsigned channels)
{
	struct ras_pair r = {.t = {b->triangle[quad], b->triangle[second]}, .same = same, .at = 4 * quad, .channels = channels};

	r.point = points_of(same, &r.t[0]->origin, &r.t[1]->origin, &b->x[quad], &b->y[quad]);
	if (r.t[0]->multisample) { /* a matter of the draw too */
		r.moved = covered_points(r.t, &b->coverage[quad]);
		r.point.dx += r.moved.dx;
		r.point.dy += r.moved.dy;
	}
	r.w = 1.0f / plane_at(same, &r.t[0]->record.inv_w, &r.t[1]->record.inv_w, r.point);
	memcpy(&b->inv_w[r.at], &r.w, sizeof r.w);
	interpolate_z(&r, b);
	interpolate_colours(m, &r, b);
	interpolate_texcoords(m, &r, b);
}

GX_HOT void gx_ras_attributes(struct gx_machine *m, struct gx_batch *b)
{
	bool z_samples = gx_efb_samples(m) > 1;
	unsigned channels = channels_read(m, b);

	b->fragments = 4 * b->quads;
	memset(b->verdict, QS_VERDICT_NONE, b->fragments);
	for (unsigned quad = 0; quad < b->quads; quad++)
		spread_coverage(b, quad);
	for (unsigned quad = 0; quad < b->quads; quad += 2) {
		unsigned second = quad + 1 < b->quads ? quad + 1 : quad;
		if (b->triangle[quad] == b->triangle[second])
			interpolate_pair(m, b, quad, second, true, channels);
		else
			interpolate_pair(m, b, quad, second, false, channels);
		if (z_samples)
			interpolate_z_samples(b, quad, second);
	}
	if (b->record)
		for (unsigned quad = 0; quad < b->quads; quad++)
			record_quad(b, quad);
}
