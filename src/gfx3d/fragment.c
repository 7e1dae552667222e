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
	for (unsigned i = 0; i < 4 * b->quads; i++) {
		b->samples[i] = (uint8_t)((unsigned)b->coverage[i / 4] >> (4 * (i % 4)) & mask);
		b->verdict[i] = QS_GFX3D_VERDICT_NONE;
		b->live |= (uint64_t)(b->samples[i] != 0) << i;
	}
}

/* Weights at a place inside the pixel. */
static void weights(const struct g3_batch *b, float at_x, float at_y, float weight[3][G3_FRAGMENTS])
{
	struct run r = {0};

	while (next_run(b, &r)) {
		const struct g3_triangle *t = r.t;
		const float *x = t->x, *y = t->y;

		for (unsigned i = r.from; i < r.to; i++) {
			float px = (float)(b->x[i / 4] + (int)(i % 2)) + at_x, py = (float)(b->y[i / 4] + (int)(i % 4 / 2)) + at_y;

			weight[0][i] = g3_edge(x[1], y[1], x[2], y[2], px, py) / t->denominator;
			weight[1][i] = g3_edge(x[2], y[2], x[0], y[0], px, py) / t->denominator;
			weight[2][i] = g3_edge(x[0], y[0], x[1], y[1], px, py) / t->denominator;
		}
	}
}

static void reciprocals(const struct g3_batch *b, float weight[3][G3_FRAGMENTS], float iw[G3_FRAGMENTS])
{
	struct run r = {0};

	while (next_run(b, &r)) {
		const float *inv = r.t->inv_w;

		for (unsigned i = r.from; i < r.to; i++)
			iw[i] = weight[0][i] * inv[0] + weight[1][i] * inv[1] + weight[2][i] * inv[2];
	}
}

static void depths(const struct g3_draw *d, const struct g3_batch *b, float weight[3][G3_FRAGMENTS], const float iw[G3_FRAGMENTS],
	float z[G3_FRAGMENTS])
{
	struct run r = {0};

	while (next_run(b, &r)) {
		const struct g3_triangle *t = r.t;
		const float *inv = t->inv_w, *w = t->window_z;

		if (d->rules.clip_depth)
			for (unsigned i = r.from; i < r.to; i++)
				z[i] = (weight[0][i] * t->v[0].clip[2] * inv[0] + weight[1][i] * t->v[1].clip[2] * inv[1] +
					weight[2][i] * t->v[2].clip[2] * inv[2]) / iw[i];
		else
			for (unsigned i = r.from; i < r.to; i++) {
				float value = weight[0][i] * w[0] + weight[1][i] * w[1] + weight[2][i] * w[2];

				z[i] = value < 0 ? 0 : value > 1 ? 1 : value;
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
		const float *inv = r.t->inv_w;

		for (unsigned s = 0; s < CSIR_VARY_MAX; s++) {
			if (!(d->varyings >> s & 1))
				continue;
			for (unsigned k = 0; k < 4; k++) {
				float v0 = r.t->v[0].vary[s][k], v1 = r.t->v[1].vary[s][k], v2 = r.t->v[2].vary[s][k];
				float *out = b->vary[s].v[k];

				for (unsigned i = r.from; i < r.to; i++)
					out[i] = (b->weight[0][i] * v0 * inv[0] + b->weight[1][i] * v1 * inv[1] +
						b->weight[2][i] * v2 * inv[2]) / b->iw[i];
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
	memset(step, 0, sizeof *step);
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
	for (unsigned i = 0; i < 4 * b->quads; i++)
		if (batch.discarded >> i & 1)
			b->verdict[i] = QS_GFX3D_VERDICT_DISCARD;
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

void g3_batch_run(struct g3_draw *d, struct g3_raster *raster)
{
	struct g3_batch *b = &raster->batch;
	bool shaded;

	if (!b->quads)
		return;
	cover(b, d->t->samples);
	weights(b, 0.5f, 0.5f, b->weight);
	reciprocals(b, b->weight, b->iw);
	for (unsigned i = 0; i < 4 * b->quads; i++)
		if (b->live >> i & 1 && b->iw[i] == 0) {
			b->verdict[i] = QS_GFX3D_VERDICT_ZERO_W;
			b->live &= ~(1ull << i);
		}
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
