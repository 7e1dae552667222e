/* fragment.c - a batch of quads: weights, interpolation, fragment shader (spec 02 section 3, steps 3 to 11)
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "gfx3d/raster.h"

/* Fragments that belong to the same triangle stand side by side, and share its constants. */
struct run {
	const struct g3_triangle *t;
	unsigned from, to; /* fragments */
};

static bool next_run(const struct g3_batch *b, struct run *r)
{
	unsigned q = r->to / 4;

	if (q >= b->quads)
		return false;
	r->from = r->to;
	r->t = b->triangle[q];
	while (q < b->quads && b->triangle[q] == r->t)
		q++;
	r->to = 4 * q;
	return true;
}

static void cover(struct g3_batch *b, int samples)
{
	unsigned mask = samples > 1 ? 15 : 1;

	b->live = 0;
	memset(b->verdict, QS_GFX3D_VERDICT_NONE, 4 * b->quads);
	for (unsigned q = 0; q < b->quads; q++) {
		unsigned c = b->coverage[q], live = 0;

		for (unsigned i = 0; i < 4; i++) {
			b->samples[4 * q + i] = (uint8_t)(c >> 4 * i & mask);
			live |= (unsigned)((c >> 4 * i & mask) != 0) << i;
		}
		b->live |= (uint64_t)live << 4 * q;
	}
}

/* Weights at a place inside the pixel. */
static void weights(const struct g3_batch *b, float at_x, float at_y, float weight[3][G3_FRAGMENTS])
{
	struct run r = {0};

	while (next_run(b, &r)) {
		const struct g3_triangle *t = r.t;
		const float *x = t->x, *y = t->y;
		const g3_four denominator = g3_splat(t->denominator);

		for (unsigned i = r.from; i < r.to; i += 4) {
			g3_four px = (g3_splat((float)b->x[i / 4]) + (g3_four){0, 1, 0, 1}) + g3_splat(at_x);
			g3_four py = (g3_splat((float)b->y[i / 4]) + (g3_four){0, 0, 1, 1}) + g3_splat(at_y);

			*(g3_four *)&weight[0][i] = g3_edge4(x[1], y[1], x[2], y[2], px, py) / denominator;
			*(g3_four *)&weight[1][i] = g3_edge4(x[2], y[2], x[0], y[0], px, py) / denominator;
			*(g3_four *)&weight[2][i] = g3_edge4(x[0], y[0], x[1], y[1], px, py) / denominator;
		}
	}
}

/* Weighted sum of a value at the corners that was divided by w there. */
static inline g3_four sum_over_w(float weight[3][G3_FRAGMENTS], unsigned i, const g3_four v[3], const g3_four inv[3])
{
	return *(g3_four *)&weight[0][i] * v[0] * inv[0] + *(g3_four *)&weight[1][i] * v[1] * inv[1] +
		*(g3_four *)&weight[2][i] * v[2] * inv[2];
}

static inline g3_four sum_of(float weight[3][G3_FRAGMENTS], unsigned i, const g3_four v[3])
{
	return *(g3_four *)&weight[0][i] * v[0] + *(g3_four *)&weight[1][i] * v[1] + *(g3_four *)&weight[2][i] * v[2];
}

static inline void splat_three(g3_four out[3], float a, float b, float c)
{
	out[0] = g3_splat(a);
	out[1] = g3_splat(b);
	out[2] = g3_splat(c);
}

static void reciprocals(const struct g3_batch *b, float weight[3][G3_FRAGMENTS], float iw[G3_FRAGMENTS])
{
	struct run r = {0};

	while (next_run(b, &r)) {
		g3_four inv[3];

		splat_three(inv, r.t->inv_w[0], r.t->inv_w[1], r.t->inv_w[2]);
		for (unsigned i = r.from; i < r.to; i += 4)
			*(g3_four *)&iw[i] = sum_of(weight, i, inv);
	}
}

static void depths(const struct g3_draw *d, const struct g3_batch *b, float weight[3][G3_FRAGMENTS], const float iw[G3_FRAGMENTS],
	float z[G3_FRAGMENTS])
{
	struct run r = {0};

	while (next_run(b, &r)) {
		const struct g3_triangle *t = r.t;
		g3_four inv[3], v[3];

		splat_three(inv, t->inv_w[0], t->inv_w[1], t->inv_w[2]);
		if (d->rules.clip_depth) {
			splat_three(v, t->v[0].clip[2], t->v[1].clip[2], t->v[2].clip[2]);
			for (unsigned i = r.from; i < r.to; i += 4)
				*(g3_four *)&z[i] = sum_over_w(weight, i, v, inv) / *(const g3_four *)&iw[i];
			continue;
		}
		splat_three(v, t->window_z[0], t->window_z[1], t->window_z[2]);
		for (unsigned i = r.from; i < r.to; i += 4) {
			g3_four value = sum_of(weight, i, v);

			*(g3_four *)&z[i] = g3_pick(value < g3_splat(0), g3_splat(0), g3_pick(value > g3_splat(1), g3_splat(1), value));
		}
	}
}

static void sample_depths(const struct g3_draw *d, struct g3_batch *b)
{
	float weight[3][G3_FRAGMENTS], iw[G3_FRAGMENTS];

	if (d->t->samples == 1) {
		depths(d, b, b->weight, b->iw, b->z[0]);
		return;
	}
	for (int s = 0; s < d->t->samples; s++) {
		const uint8_t *place = g3_sample_place[1][s];

		weights(b, (float)place[0] / 16.0f, (float)place[1] / 16.0f, weight);
		reciprocals(b, weight, iw);
		depths(d, b, weight, iw, b->z[s]);
	}
}

static void interpolate(const struct g3_draw *d, struct g3_batch *b)
{
	struct run r = {0};

	while (next_run(b, &r)) {
		const struct g3_vertex *corner = r.t->v;
		g3_four inv[3], v[3];

		splat_three(inv, r.t->inv_w[0], r.t->inv_w[1], r.t->inv_w[2]);
		for (unsigned s = 0; s < CSIR_VARY_MAX; s++) {
			if (!(d->varyings >> s & 1))
				continue;
			for (unsigned k = 0; k < 4; k++) {
				float *out = b->vary[s].v[k];

				splat_three(v, corner[0].vary[s][k], corner[1].vary[s][k], corner[2].vary[s][k]);
				for (unsigned i = r.from; i < r.to; i += 4)
					*(g3_four *)&out[i] = sum_over_w(b->weight, i, v, inv) / *(const g3_four *)&b->iw[i];
			}
		}
	}
}

static void coordinates(const struct g3_draw *d, struct g3_batch *b)
{
	float z[G3_FRAGMENTS];

	depths(d, b, b->weight, b->iw, z);
	for (unsigned i = 0; i < 4 * b->quads; i++) {
		b->fcoord.v[0][i] = (float)(b->x[i / 4] + (int)(i % 2)) + 0.5f;
		b->fcoord.v[1][i] = (float)(b->y[i / 4] + (int)(i % 4 / 2)) + 0.5f;
		b->fcoord.v[2][i] = z[i];
		b->fcoord.v[3][i] = d->rules.fcoord_w ? 1.0f / b->iw[i] : b->iw[i];
	}
}

/* ---- the shader --------------------------------------------------------------------------------------------------------- */

void g3_step_record(const struct csir_tap *tap, struct qs_gfx3d_step *step)
{
	struct csir_effect effect;

	csir_effect(tap->instr, &effect);
	memset(step, 0, sizeof *step);
	step->reg_a = effect.read[0].count ? effect.read[0].reg : -1;
	step->reg_b = effect.read[1].count ? effect.read[1].reg : -1;
	step->lanes = effect.write.count ? effect.write.lanes : 0;
	step->lanes_a = effect.read[0].count ? effect.read[0].lanes : 0;
	step->lanes_b = effect.read[1].count ? effect.read[1].lanes : 0;
	step->instruction = (uint16_t)tap->index;
	step->ran = (uint8_t)(tap->mask & 15);
	step->has_a = tap->a != NULL;
	step->has_b = tap->b != NULL;
	step->dst = tap->dst;
	step->dst_count = tap->dst_count;
	for (unsigned f = 0; f < 4; f++)
		for (unsigned k = 0; k < 4; k++) {
			if (tap->dst >= 0 && (uint32_t)tap->dst < tap->register_count)
				step->value[f][k] = tap->registers[tap->dst].v[k][f];
			if (tap->a)
				step->a[f][k] = tap->a->v[k][f];
			if (tap->b)
				step->b[f][k] = tap->b->v[k][f];
		}
}

static void tap_fragment(void *user, const struct csir_tap *tap)
{
	struct qs_gfx3d_quad *record = user;

	if (record->step_count < CSIR_INSTR_MAX)
		g3_step_record(tap, &record->step[record->step_count++]);
}

static uint64_t whole_quads(uint64_t mask)
{
	mask |= mask >> 1 & 0x5555555555555555u;
	mask |= mask << 1 & 0xAAAAAAAAAAAAAAAAu;
	mask |= mask >> 2 & 0x3333333333333333u;
	mask |= mask << 2 & 0xCCCCCCCCCCCCCCCCu;
	return mask;
}

static void shade(struct g3_draw *d, struct g3_raster *raster)
{
	struct g3_batch *b = &raster->batch;
	struct csir_batch batch = {.mask = d->quad_uniform ? whole_quads(b->live) : b->live, .colour = &b->color};

	for (unsigned s = 0; s < CSIR_VARY_MAX; s++)
		batch.vary[s] = d->varyings >> s & 1 ? &b->vary[s] : NULL;
	batch.fcoord = d->fcoord || b->record ? &b->fcoord : NULL; /* a record shows dead loads too */
	if (b->record) {
		batch.tap = tap_fragment;
		batch.tap_user = b->record;
	}
	csir_exec(raster->plan[CSIR_FRAGMENT], &batch);
	batch.discarded &= b->live;
	for (uint64_t left = batch.discarded; left; left &= left - 1)
		b->verdict[__builtin_ctzll(left)] = QS_GFX3D_VERDICT_DISCARD;
	b->live &= ~batch.discarded;
	d->g->stats.pixels_discarded += (uint64_t)__builtin_popcountll(batch.discarded);
}

/* ---- records ------------------------------------------------------------------------------------------------------------ */

static void record_before(const struct g3_draw *d, const struct g3_batch *b)
{
	struct qs_gfx3d_quad *q = b->record;

	memset(q, 0, offsetof(struct qs_gfx3d_quad, step));
	q->x = b->x[0];
	q->y = b->y[0];
	q->coverage = b->coverage[0];
	q->part = b->triangle[0]->part;
	for (unsigned i = 0; i < 4; i++) {
		struct qs_gfx3d_fragment *f = &q->fragment[i];
		int x = q->x + (int)(i % 2), y = q->y + (int)(i / 2);

		f->samples = b->samples[i];
		f->x = (int16_t)x;
		f->y = (int16_t)y;
		for (int k = 0; k < 3; k++)
			f->weight[k] = b->weight[k][i];
		f->inv_w = b->iw[i];
		f->z = b->z[0][i];
		if (x < d->t->width && y < d->t->height) {
			size_t at = (size_t)y * (size_t)d->t->width + (size_t)x;

			f->z_old = f->z_new = d->t->depth[at];
			f->old_pixel = f->new_pixel = d->t->color[at];
		}
	}
}

static void record_after(const struct g3_draw *d, const struct g3_batch *b, bool shaded)
{
	struct qs_gfx3d_quad *q = b->record;

	for (unsigned i = 0; i < 4; i++) {
		struct qs_gfx3d_fragment *f = &q->fragment[i];

		f->verdict = b->verdict[i];
		if (f->x < d->t->width && f->y < d->t->height) {
			size_t at = (size_t)f->y * (size_t)d->t->width + (size_t)f->x;

			f->z_new = d->t->depth[at];
			f->new_pixel = d->t->color[at];
		}
		for (unsigned k = 0; k < 4 && shaded; k++) {
			f->color[k] = b->color.v[k][i];
			f->fcoord[k] = b->fcoord.v[k][i];
			for (unsigned s = 0; s < CSIR_VARY_MAX; s++)
				f->varying[s][k] = d->varyings >> s & 1 ? b->vary[s].v[k][i] : 0;
		}
		if (b->verdict[i] == QS_GFX3D_VERDICT_WRITTEN)
			g3_pack(d->rules.spill, f->color, &f->out_of_range);
	}
}

static void drop_zero_w(struct g3_batch *b)
{
	for (unsigned q = 0; q < b->quads; q++) {
		uint64_t dead = b->live & (uint64_t)g3_bits(*(g3_four *)&b->iw[4 * q] == g3_splat(0)) << 4 * q;

		b->live &= ~dead;
		for (; dead; dead &= dead - 1)
			b->verdict[__builtin_ctzll(dead)] = QS_GFX3D_VERDICT_ZERO_W;
	}
}

void g3_batch_run(struct g3_draw *d, struct g3_raster *raster)
{
	struct g3_batch *b = &raster->batch;
	bool shaded;

	if (!b->quads)
		return;
	cover(b, d->t->samples);
	weights(b, 0.5f, 0.5f, b->weight);
	reciprocals(b, b->weight, b->iw);
	drop_zero_w(b);
	sample_depths(d, b);
	if (b->record)
		record_before(d, b);
	g3_batch_test(d, b);
	shaded = b->live != 0;
	if (shaded) {
		interpolate(d, b);
		if (d->fcoord || b->record)
			coordinates(d, b);
		shade(d, raster);
		g3_batch_write(d, b);
	}
	if (b->record)
		record_after(d, b, shaded);
	b->quads = 0;
}
