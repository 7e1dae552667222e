/* tev.c - the texture environment: up to 16 combiner stages over a batch
 *
 * No combiner result feeds a texture coordinate, so all lookups of a batch come first and the combiners after them.  What a
 * stage reads is resolved to row numbers once a draw; the loops over a row have no branches.  Arithmetic: specification
 * 06 section 2, facts 2-13 of 08; all of it fits 16 bits (lerp <= 65280, results within +-6000).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "gx/lanes.h"
#include "gx/tev.h"

/* ---- combiners ---------------------------------------------------------------------------------------------------------- */

/* The result goes through a small array of its own, so that the destination may be one of the inputs and the loop stays free
 * of aliases.  Shifting right by 6 to 8 is multiplying and taking the upper half: vector units have that for 16 bits. */
static inline void combine(const struct tev_combiner *k, bool half, const int16_t *const input[4], int16_t low, int16_t high,
	int16_t *out, unsigned count)
{
	const uint16_t round = k->round;
	const int16_t base = k->base, scale = k->scale, negate = k->negate;
	uint16_t shift[LANES];

	for (unsigned i = 0; i < LANES; i++)
		shift[i] = (uint16_t)(1u << (16 - k->shift));
	for (unsigned at = 0; at < count; at += LANES) {
		const int16_t *pa = input[0] + at, *pb = input[1] + at, *pc = input[2] + at, *pd = input[3] + at;
		int16_t result[LANES];

		for (unsigned i = 0; i < LANES; i++) {
			uint16_t a = pa[i] & 255, b = pb[i] & 255, c = pc[i] & 255;
			uint16_t lerp, c1 = (uint16_t)(c + (c >> 7));
			int16_t term, value;

			lerp = (uint16_t)(a * (256u - c1) + (unsigned)b * c1 + round);
			term = (int16_t)((uint32_t)lerp * shift[i] >> 16);
			term = (int16_t)((term ^ negate) - negate);
			value = (int16_t)(pd[i] * scale + base + term);
			if (half) /* arithmetic: values are above -8192 */
				value = (int16_t)(((uint16_t)(value + 8192) >> 1) - 4096);
			value = value < low ? low : value;
			result[i] = value > high ? high : value;
		}
		memcpy(out + at, result, sizeof result);
	}
}

/* result = d + (condition ? c : 0); condition is 0 or -1. */
static void combine_compared(const int16_t *condition, const int16_t *const input[4], int16_t low, int16_t high, int16_t *out,
	unsigned count)
{
	for (unsigned at = 0; at < count; at += LANES) {
		const int16_t *pc = input[2] + at, *pd = input[3] + at, *mask = condition + at;
		int16_t result[LANES];

		for (unsigned i = 0; i < LANES; i++) {
			int16_t value = (int16_t)(pd[i] + (pc[i] & 255 & mask[i]));
			value = value < low ? low : value;
			result[i] = value > high ? high : value;
		}
		memcpy(out + at, result, sizeof result);
	}
}

/* Condition masks of a comparison of n channels, the first one the least significant. */
static void compare_rows(const int16_t *const *a, const int16_t *const *b, unsigned n, bool equal, int16_t *mask, unsigned count)
{
	for (unsigned at = 0; at < count; at += LANES) {
		int32_t left[LANES] = {0}, right[LANES] = {0};
		int16_t result[LANES];

		for (unsigned k = 0; k < n; k++) {
			const int16_t *pa = a[k] + at, *pb = b[k] + at;
			const int32_t weight = 1 << (8 * k);
			for (unsigned i = 0; i < LANES; i++) {
				left[i] += (pa[i] & 255) * weight;
				right[i] += (pb[i] & 255) * weight;
			}
		}
		for (unsigned i = 0; i < LANES; i++)
			result[i] = (equal ? left[i] == right[i] : left[i] > right[i]) ? -1 : 0;
		memcpy(mask + at, result, sizeof result);
	}
}

/* R8, GR16 and BGR24 compare the colour combiner's a and b in both combiners (fact 11). */
static void compare_stage(const struct tev_stage *stage, const int16_t *const *rows, int16_t mask[4][GX_BATCH], unsigned count)
{
	const struct tev_combiner *colour = &stage->colour, *alpha = &stage->alpha;
	const int16_t *a[3], *b[3];

	for (unsigned channel = 0; channel < 3; channel++) {
		a[channel] = rows[colour->row[0][channel]];
		b[channel] = rows[colour->row[1][channel]];
	}
	if (colour->compare && colour->mode == TEV_COMPARE_OWN)
		for (unsigned channel = 0; channel < 3; channel++)
			compare_rows(&a[channel], &b[channel], 1, colour->equal, mask[channel], count);
	else if (colour->compare) {
		compare_rows(a, b, colour->mode + 1u, colour->equal, mask[0], count);
		memcpy(mask[1], mask[0], count * sizeof mask[0][0]);
		memcpy(mask[2], mask[0], count * sizeof mask[0][0]);
	}
	if (alpha->compare && alpha->mode == TEV_COMPARE_OWN)
		compare_rows(&rows[alpha->row[0][3]], &rows[alpha->row[1][3]], 1, alpha->equal, mask[3], count);
	else if (alpha->compare)
		compare_rows(a, b, alpha->mode + 1u, alpha->equal, mask[3], count);
}

static void combine_channel(const struct tev_combiner *k, const int16_t *const *rows, unsigned channel, const int16_t *mask,
	bool clamp, int16_t *out, unsigned count)
{
	const int16_t *const input[4] = {
		rows[k->row[0][channel]], rows[k->row[1][channel]], rows[k->row[2][channel]], rows[k->row[3][channel]]};
	int16_t low = clamp ? k->low : INT16_MIN, high = clamp ? k->high : INT16_MAX;

	if (k->compare)
		combine_compared(mask, input, low, high, out, count);
	else if (k->half)
		combine(k, true, input, low, high, out, count);
	else
		combine(k, false, input, low, high, out, count);
}

/* ---- records ------------------------------------------------------------------------------------------------------------ */

/* Inputs and unclamped results, before the destinations are written. */
static void record_before(const struct tev_draw *tev, struct gx_batch *b, unsigned n, const int16_t *const *rows,
	int16_t (*mask)[GX_BATCH], const int32_t *const coord[2])
{
	const struct tev_stage *stage = &tev->stage[n];
	int16_t wide[4][GX_BATCH];

	for (unsigned channel = 0; channel < 4; channel++)
		combine_channel(channel == 3 ? &stage->alpha : &stage->colour, rows, channel, mask[channel], false, wide[channel],
			GX_BATCH);
	for (unsigned i = 0; i < b->fragments; i++) {
		struct qs_stage *s = &b->record[i / 4].fragment[i % 4].stage[n];

		if (!b->live[i])
			continue;
		for (unsigned channel = 0; channel < 4; channel++) {
			const struct tev_combiner *k = channel == 3 ? &stage->alpha : &stage->colour;
			s->tex[channel] = rows[stage->texture_row[channel]][i];
			s->ras[channel] = rows[stage->raster_row[channel]][i];
			s->konst[channel] = stage->konst[channel];
			s->a[channel] = rows[k->row[0][channel]][i] & 255;
			s->b[channel] = rows[k->row[1][channel]][i] & 255;
			s->c[channel] = rows[k->row[2][channel]][i] & 255;
			s->d[channel] = rows[k->row[3][channel]][i];
			s->wide[channel] = wide[channel][i];
		}
		s->bump_alpha = stage->bumped ? (uint8_t)tev->bump[0][i] : 0;
		s->coord_s = coord[0][i];
		s->coord_t = coord[1][i];
	}
}

static void record_after(const struct tev_stage *stage, struct gx_batch *b, unsigned n)
{
	for (unsigned i = 0; i < b->fragments; i++) {
		struct qs_stage *s = &b->record[i / 4].fragment[i % 4].stage[n];

		if (!b->live[i])
			continue;
		for (unsigned reg = 0; reg < 4; reg++)
			for (unsigned channel = 0; channel < 4; channel++)
				s->reg[reg][channel] = b->reg[reg][channel][i];
		for (unsigned channel = 0; channel < 4; channel++)
			s->result[channel] = s->reg[channel == 3 ? stage->alpha.destination : stage->colour.destination][channel];
	}
}

static void record_result(const struct tev_draw *tev, const struct gx_batch *b)
{
	for (unsigned i = 0; i < b->fragments; i++) {
		struct qs_fragment *f = &b->record[i / 4].fragment[i % 4];

		f->stage_count = b->live[i] ? (uint8_t)tev->stages : 0;
		f->indirect_count = b->live[i] ? (uint8_t)tev->indirects : 0;
		for (unsigned channel = 0; channel < 4; channel++)
			f->tev[channel] = f->source[channel] = b->live[i] ? (uint8_t)b->out[channel][i] : 0;
	}
}

/* ---- a batch ------------------------------------------------------------------------------------------------------------ */

static void fill(int16_t *row, int16_t value, unsigned count)
{
	for (unsigned at = 0; at < count; at += LANES)
		for (unsigned i = 0; i < LANES; i++)
			row[at + i] = value;
}

/* The final colour is cut, not clamped (06 section 2). */
static void low_bytes(const int16_t *from, unsigned count, int16_t *to)
{
	for (unsigned at = 0; at < count; at += LANES) {
		const int16_t *in = from + at;
		int16_t low[LANES];

		for (unsigned i = 0; i < LANES; i++)
			low[i] = in[i] & 255;
		memcpy(to + at, low, sizeof low);
	}
}

/* All texture lookups of the stages; coordinates are recorded for the stage records. */
static void look_up(struct gx_machine *m, struct gx_batch *b, bool detail, int32_t (*coords)[2][GX_BATCH])
{
	struct tev_draw *tev = m->tev;
	const int32_t *coord[2] = {NULL, NULL};

	for (unsigned n = 0; n < tev->stages; n++) {
		const struct tev_stage *stage = &tev->stage[n];
		struct qs_sample *sample[GX_BATCH];
		bool lod = stage->modified && stage->own_lod;

		indirect_stage(m, b, n, coord);
		if (coords)
			for (unsigned axis = 0; axis < 2; axis++)
				memcpy(coords[n][axis], coord[axis], sizeof coords[n][axis]);
		if (!stage->texture || (!stage->needed && !detail))
			continue;
		if (!tev->textured) {
			memset(tev->texel[n], 0, sizeof tev->texel[n]); /* no coordinates: black (Dolphin SW Tev) */
			continue;
		}
		for (unsigned i = 0; detail && i < b->fragments; i++)
			sample[i] = &b->record[i / 4].fragment[i % 4].stage[n].sample;
		gx_tx_sample(m, b, stage->map, stage->coord, coord[0], coord[1], lod ? coord[0] : NULL, lod ? coord[1] : NULL,
			detail ? sample : NULL);
		memcpy(tev->texel[n], b->texel, sizeof tev->texel[n]);
	}
}

/* The last fragment leaves its texel to whoever comes next. */
static void leave_texel(struct gx_machine *m, const struct gx_batch *b)
{
	const struct tev_draw *tev = m->tev;
	const uint8_t *swap;

	if (tev->last_texture < 0)
		return;
	swap = tev->stage[tev->last_texture].texture_swap;
	for (unsigned i = b->fragments; i-- > 0;)
		if (b->live[i] && b->commit >> (i & 3) & 1) {
			for (unsigned channel = 0; channel < 4; channel++)
				m->state.last_texel[channel] = tev->texel[tev->last_texture][swap[channel]][i];
			m->texel_left.triangle = b->triangle[i / 4];
			m->texel_left.x = b->x[i / 4];
			m->texel_left.y = b->y[i / 4];
			return;
		}
}

/* Each fragment finds the texel that the fragment before it left. */
static void latch_texels(const struct gx_machine *m, const struct gx_batch *b)
{
	struct tev_draw *tev = m->tev;
	int16_t texel[4];

	memcpy(texel, m->state.last_texel, sizeof texel);
	for (unsigned i = 0; i < b->fragments; i++) {
		for (unsigned channel = 0; channel < 4; channel++)
			tev->latched[channel][i] = texel[channel];
		if (tev->last_texture < 0 || !b->live[i] || !(b->commit >> (i & 3) & 1))
			continue;
		for (unsigned channel = 0; channel < 4; channel++)
			texel[channel] =
				tev->texel[tev->last_texture][tev->stage[tev->last_texture].texture_swap[channel]][i];
	}
}

static void set_rows(struct tev_draw *tev, const struct gx_batch *b, const int16_t **rows)
{
	for (unsigned i = 0; i < 16; i++)
		rows[TEV_ROW_REG + i] = b->reg[i / 4][i % 4];
	for (unsigned i = 0; i < 8; i++)
		rows[TEV_ROW_RAS + i] = b->ras[i / 4][i % 4];
	rows[TEV_ROW_BUMP] = tev->bump[0];
	rows[TEV_ROW_BUMP_NORMAL] = tev->bump[1];
	rows[TEV_ROW_ZERO] = tev->zero;
	rows[TEV_ROW_HALF] = tev->half;
	rows[TEV_ROW_ONE] = tev->one;
}

static void combine_stages(struct gx_machine *m, struct gx_batch *b, unsigned count, bool detail,
	int32_t (*coords)[2][GX_BATCH])
{
	struct tev_draw *tev = m->tev;
	const int16_t *rows[TEV_ROW_COUNT];
	int16_t mask[4][GX_BATCH];

	set_rows(tev, b, rows);
	for (unsigned n = 0; n < tev->stages; n++) {
		const struct tev_stage *stage = &tev->stage[n];

		for (unsigned channel = 0; channel < 4; channel++) {
			rows[TEV_ROW_TEXEL + channel] =
				stage->texel >= 0 ? tev->texel[stage->texel][channel] : tev->latched[channel];
			rows[TEV_ROW_KONST + channel] = tev->konst[n][channel];
		}
		if (stage->bumped)
			indirect_bump(tev, b, n);
		if (stage->compared)
			compare_stage(stage, rows, mask, count);
		if (detail) {
			const int32_t *const coord[2] = {coords[n][0], coords[n][1]};
			record_before(tev, b, n, rows, mask, coord);
		}
		/* colours never write what the alpha combiner reads (condition masks apart, made above) */
		for (unsigned channel = 0; channel < 3; channel++)
			combine_channel(&stage->colour, rows, channel, mask[channel], true,
				b->reg[stage->colour.destination][channel], count);
		combine_channel(&stage->alpha, rows, 3, mask[3], true, b->reg[stage->alpha.destination][3], count);
		if (detail)
			record_after(stage, b, n);
	}
}

static bool any_live(const struct gx_batch *b)
{
	for (unsigned i = 0; i < b->fragments; i++)
		if (b->live[i])
			return true;
	return false;
}

/* Raw texel of the last lookup, for the Z texture. */
static void keep_raw(const struct tev_draw *tev, struct gx_batch *b)
{
	const struct tev_stage *stage = tev->last_texture >= 0 ? &tev->stage[tev->last_texture] : NULL;

	for (unsigned channel = 0; channel < 4; channel++) {
		unsigned from = stage && tev->raw_swapped ? stage->texture_swap[channel] : channel;
		const int16_t *row = tev->latching ? tev->latched[channel] : tev->one;

		if (stage)
			row = tev->texel[tev->last_texture][from];
		memcpy(b->raw_texel[channel], row, sizeof b->raw_texel[channel]);
	}
}

GX_HOT void gx_tev_run(struct gx_machine *m, struct gx_batch *b)
{
	struct tev_draw *tev = m->tev;
	unsigned count = lanes_up(b->fragments);
	int32_t coords[TEV_STAGES][2][GX_BATCH];
	bool detail = b->record && b->detail;
	const struct tev_stage *last;

	if (!tev || !any_live(b))
		return;
	last = &tev->stage[tev->stages - 1];
	if (detail)
		memset(coords, 0, sizeof coords);
	for (unsigned i = 0; i < 16; i++)
		if (detail || tev->used >> i & 1)
			fill(b->reg[i / 4][i % 4], tev->initial[i / 4][i % 4], count);
	indirect_lookups(m, b);
	look_up(m, b, detail, detail ? coords : NULL);
	if (tev->latching) {
		if (tev->latch_read || detail)
			latch_texels(m, b);
		leave_texel(m, b);
	}
	combine_stages(m, b, count, detail, coords);
	for (unsigned channel = 0; channel < 4; channel++)
		low_bytes(b->reg[channel == 3 ? last->alpha.destination : last->colour.destination][channel], count,
			b->out[channel]);
	if (tev->raw_needed)
		keep_raw(tev, b);
	if (b->record)
		record_result(tev, b);
}
