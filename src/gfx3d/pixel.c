/* pixel.c - depth, stencil, blending and packing (spec 02 section 3, steps 7 and 12; blending and stencil are extensions)
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "gfx3d/raster.h"

const char *qs_gfx3d_verdict_name(enum qs_gfx3d_verdict verdict)
{
	static const char *const name[QS_GFX3D_VERDICT_COUNT] = {"not covered", "written", "zero_w", "stencil", "depth", "discard", "pending"};

	return (unsigned)verdict < QS_GFX3D_VERDICT_COUNT ? name[verdict] : "?";
}

/* ---- packing ------------------------------------------------------------------------------------------------------------ */

/* Clamped and rounded; what is not a number is 0. */
static uint32_t channel(float c)
{
	return !(c > 0) ? 0 : c >= 1 ? 255 : (uint32_t)(c * 255.0f + 0.5f);
}

/* Truncated through a 64-bit integer, of which the low 32 bits stay: what a common compiler makes of the undefined conversion of a
 * float outside the range of an unsigned integer. */
static uint32_t channel_spill(float c)
{
	float scaled = c * 255.0f;

	return scaled > -9e18f && scaled < 9e18f ? (uint32_t)(int64_t)scaled : 0;
}

uint32_t g3_pack(bool spill, const float color[4], bool *out_of_range)
{
	*out_of_range = false;
	for (int k = 0; k < 4; k++)
		*out_of_range |= !(color[k] >= 0 && color[k] <= 1);
	if (spill)
		return channel_spill(color[3]) << 24 | channel_spill(color[0]) << 16 | channel_spill(color[1]) << 8 | channel_spill(color[2]);
	return channel(color[3]) << 24 | channel(color[0]) << 16 | channel(color[1]) << 8 | channel(color[2]);
}

uint32_t g3_pack_clear(const struct qs_gfx3d *g, const float color[4])
{
	float positive[4];
	bool out;

	for (int k = 0; k < 4; k++)
		positive[k] = color[k] < 0 ? 0 : color[k];
	return g3_pack(G3_QUIRK(&g->quirks, clear_pack) != 0, positive, &out);
}

/* ---- tests -------------------------------------------------------------------------------------------------------------- */

static bool compare(uint8_t how, float a, float b)
{
	switch (how) {
	case QS_GFX3D_NEVER:
		return false;
	case QS_GFX3D_LESS:
		return !(a >= b); /* not a number passes */
	case QS_GFX3D_EQUAL:
		return a == b;
	case QS_GFX3D_LEQUAL:
		return a <= b;
	case QS_GFX3D_GREATER:
		return a > b;
	case QS_GFX3D_NOTEQUAL:
		return a != b;
	case QS_GFX3D_GEQUAL:
		return a >= b;
	default:
		return true;
	}
}

static uint8_t stencil_value(uint8_t op, uint8_t old, uint8_t reference)
{
	switch (op) {
	case QS_GFX3D_STENCIL_ZERO:
		return 0;
	case QS_GFX3D_REPLACE:
		return reference;
	case QS_GFX3D_INCREMENT:
		return old == 255 ? 255 : (uint8_t)(old + 1);
	case QS_GFX3D_DECREMENT:
		return old == 0 ? 0 : (uint8_t)(old - 1);
	case QS_GFX3D_INCREMENT_WRAP:
		return (uint8_t)(old + 1);
	case QS_GFX3D_DECREMENT_WRAP:
		return (uint8_t)(old - 1);
	case QS_GFX3D_INVERT:
		return (uint8_t)~old;
	default:
		return old;
	}
}

static size_t place(const struct g3_draw *d, const struct g3_batch *b, unsigned i, int sample)
{
	size_t width = (size_t)d->t->width, x = (size_t)(b->x[i / 4] + (int)(i % 2)), y = (size_t)(b->y[i / 4] + (int)(i % 4 / 2));

	return ((size_t)sample * (size_t)d->t->height + y) * width + x;
}

static void stencil_store(const struct g3_draw *d, size_t at, uint8_t op)
{
	const struct qs_gfx3d_stencil *s = &d->c->stencil;
	uint8_t old = d->t->stencil[at], value = stencil_value(op, old, s->reference);

	d->t->stencil[at] = (uint8_t)((old & ~s->write_mask) | (value & s->write_mask));
}

/* True: the sample passes.  What a failing test does to the stencil depends on the shader not discarding the fragment, so with
 * a stencil the caller tests again after it. */
static uint8_t test_sample(const struct g3_draw *d, size_t at, float z)
{
	const struct qs_gfx3d_stencil *s = &d->c->stencil;

	if (s->enable && !compare(s->func, (float)(s->reference & s->read_mask), (float)(d->t->stencil[at] & s->read_mask)))
		return QS_GFX3D_VERDICT_STENCIL;
	if (d->rules.depth_test && !compare(d->rules.compare, z, d->t->depth[at]))
		return QS_GFX3D_VERDICT_DEPTH;
	return QS_GFX3D_VERDICT_WRITTEN;
}

void g3_batch_test(struct g3_draw *d, struct g3_batch *b)
{
	bool keep = d->c->stencil.enable; /* a failing fragment changes the stencil unless the shader discards it */

	d->g->stats.pixels_tested += (uint64_t)__builtin_popcountll(b->live);
	if (!d->rules.depth_test && !keep)
		return;
	for (unsigned i = 0; i < 4 * b->quads; i++) {
		uint8_t worst = QS_GFX3D_VERDICT_NONE, passed = 0;

		if (!(b->live >> i & 1))
			continue;
		for (int s = 0; s < d->t->samples; s++) {
			uint8_t verdict;

			if (!(b->samples[i] >> s & 1))
				continue;
			verdict = test_sample(d, place(d, b, i, s), b->z[s][i]);
			if (verdict == QS_GFX3D_VERDICT_WRITTEN)
				passed |= (uint8_t)(1u << s);
			else
				worst = verdict;
		}
		if (passed || keep)
			continue;
		b->verdict[i] = worst;
		b->live &= ~(1ull << i);
		d->g->stats.pixels_depth_failed += worst == QS_GFX3D_VERDICT_DEPTH;
	}
}

/* ---- blending ----------------------------------------------------------------------------------------------------------- */

static float factor(uint8_t which, int k, const float src[4], const float dst[4])
{
	switch (which) {
	case QS_GFX3D_ZERO:
		return 0;
	case QS_GFX3D_SRC_COLOR:
		return src[k];
	case QS_GFX3D_INV_SRC_COLOR:
		return 1 - src[k];
	case QS_GFX3D_SRC_ALPHA:
		return src[3];
	case QS_GFX3D_INV_SRC_ALPHA:
		return 1 - src[3];
	case QS_GFX3D_DST_COLOR:
		return dst[k];
	case QS_GFX3D_INV_DST_COLOR:
		return 1 - dst[k];
	case QS_GFX3D_DST_ALPHA:
		return dst[3];
	case QS_GFX3D_INV_DST_ALPHA:
		return 1 - dst[3];
	default:
		return 1;
	}
}

static float combine(uint8_t op, float src, float dst, float src_factor, float dst_factor)
{
	switch (op) {
	case QS_GFX3D_SUBTRACT:
		return src * src_factor - dst * dst_factor;
	case QS_GFX3D_REVERSE_SUBTRACT:
		return dst * dst_factor - src * src_factor;
	case QS_GFX3D_MIN:
		return src < dst ? src : dst;
	case QS_GFX3D_MAX:
		return src > dst ? src : dst;
	default:
		return src * src_factor + dst * dst_factor;
	}
}

static float unit(float x)
{
	return !(x > 0) ? 0 : x > 1 ? 1 : x;
}

static void blend(const struct qs_gfx3d_blend *b, uint32_t old, const float color[4], float out[4])
{
	const float dst[4] = {(float)(old >> 16 & 255) / 255.0f, (float)(old >> 8 & 255) / 255.0f, (float)(old & 255) / 255.0f,
		(float)(old >> 24) / 255.0f};
	const float src[4] = {unit(color[0]), unit(color[1]), unit(color[2]), unit(color[3])};

	for (int k = 0; k < 3; k++)
		out[k] = combine(b->op, src[k], dst[k], factor(b->src, k, src, dst), factor(b->dst, k, src, dst));
	out[3] = combine(b->op_alpha, src[3], dst[3], factor(b->src_alpha, 3, src, dst), factor(b->dst_alpha, 3, src, dst));
}

static uint32_t write_bits(uint8_t mask)
{
	return (mask & 1 ? 0x00FF0000u : 0) | (mask & 2 ? 0x0000FF00u : 0) | (mask & 4 ? 0x000000FFu : 0) | (mask & 8 ? 0xFF000000u : 0);
}

/* ---- writing ------------------------------------------------------------------------------------------------------------ */

struct source {
	float color[4];
	uint32_t packed, bits;
};

static void store_sample(const struct g3_draw *d, size_t at, float z, const struct source *source)
{
	const struct qs_gfx3d_blend *state = &d->c->blend;
	uint32_t packed = source->packed;

	if (d->rules.depth_write)
		d->t->depth[at] = z;
	if (state->enable) {
		float mixed[4];
		bool out;

		blend(state, d->t->color[at], source->color, mixed);
		packed = g3_pack(false, mixed, &out);
	}
	d->t->color[at] = (d->t->color[at] & ~source->bits) | (packed & source->bits);
}

/* Tests again what g3_batch_test found (nothing changed in between), so that each sample gets its own outcome. */
static uint8_t store_fragment(const struct g3_draw *d, const struct g3_batch *b, unsigned i, const struct source *source)
{
	uint8_t verdict = QS_GFX3D_VERDICT_NONE;

	for (int s = 0; s < d->t->samples; s++) {
		const struct qs_gfx3d_stencil *stencil = &d->c->stencil;
		size_t at = place(d, b, i, s);
		uint8_t one;

		if (!(b->samples[i] >> s & 1))
			continue;
		one = test_sample(d, at, b->z[s][i]);
		if (stencil->enable)
			stencil_store(d, at, one == QS_GFX3D_VERDICT_WRITTEN ? stencil->pass
				: one == QS_GFX3D_VERDICT_DEPTH ? stencil->depth_fail : stencil->fail);
		if (one == QS_GFX3D_VERDICT_WRITTEN)
			store_sample(d, at, b->z[s][i], source);
		if (verdict != QS_GFX3D_VERDICT_WRITTEN)
			verdict = one;
	}
	return verdict;
}

void g3_batch_write(struct g3_draw *d, struct g3_batch *b)
{
	uint32_t bits = write_bits(d->c->blend.write_mask);

	for (unsigned i = 0; i < 4 * b->quads; i++) {
		struct source source = {.bits = bits};
		bool out_of_range;

		if (!(b->live >> i & 1))
			continue;
		if (!(b->commit >> (i % 4) & 1)) {
			b->verdict[i] = QS_GFX3D_VERDICT_PENDING;
			continue;
		}
		for (int k = 0; k < 4; k++)
			source.color[k] = b->color.v[k][i];
		source.packed = g3_pack(d->rules.spill, source.color, &out_of_range);
		b->verdict[i] = store_fragment(d, b, i, &source);
		d->g->stats.pixels_written += b->verdict[i] == QS_GFX3D_VERDICT_WRITTEN;
		d->g->stats.pixels_depth_failed += b->verdict[i] == QS_GFX3D_VERDICT_DEPTH;
		d->g->stats.pixels_out_of_range += out_of_range && b->verdict[i] == QS_GFX3D_VERDICT_WRITTEN;
	}
}
