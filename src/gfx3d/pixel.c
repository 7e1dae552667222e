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

/* One sample a pixel and no stencil: a quad's words lie two by two, and what was tested before the shader need not be tested again. */
static bool simple(const struct g3_draw *d)
{
	return d->t->samples == 1 && !d->c->stencil.enable;
}

/* Index of the first word of a quad; SIZE_MAX when it hangs over the edge of the target. */
static size_t quad_place(const struct g3_draw *d, const struct g3_batch *b, unsigned quad)
{
	if (b->x[quad] + 1 >= d->t->width || b->y[quad] + 1 >= d->t->height)
		return SIZE_MAX;
	return (size_t)b->y[quad] * (size_t)d->t->width + (size_t)b->x[quad];
}

static void load_depths(const struct g3_draw *d, const struct g3_batch *b, float old[G3_FRAGMENTS])
{
	const float *depth = d->t->depth;

	for (unsigned q = 0; q < b->quads; q++) {
		size_t at = quad_place(d, b, q);

		if (at != SIZE_MAX) {
			*(g3_words *)&old[4 * q] = g3_load_rows(&depth[at], &depth[at + (size_t)d->t->width]);
			continue;
		}
		for (unsigned i = 4 * q; i < 4 * q + 4; i++)
			old[i] = b->live >> i & 1 ? depth[place(d, b, i, 0)] : 0;
	}
}

#define EACH_QUAD(condition) \
	do { \
		for (unsigned q = 0; q < b->quads; q++) { \
			g3_four z = *(const g3_four *)&b->z[0][4 * q], o = *(const g3_four *)&old[4 * q]; \
			pass |= (uint64_t)(g3_bits(condition) & 15) << 4 * q; \
		} \
	} while (0)

/* As compare(), for all fragments. */
static uint64_t compare_all(uint8_t how, const struct g3_batch *b, const float old[G3_FRAGMENTS])
{
	uint64_t pass = 0;

	switch (how) {
	case QS_GFX3D_NEVER:
		break;
	case QS_GFX3D_LESS:
		EACH_QUAD(~(z >= o));
		break;
	case QS_GFX3D_EQUAL:
		EACH_QUAD(z == o);
		break;
	case QS_GFX3D_LEQUAL:
		EACH_QUAD(z <= o);
		break;
	case QS_GFX3D_GREATER:
		EACH_QUAD(z > o);
		break;
	case QS_GFX3D_NOTEQUAL:
		EACH_QUAD(z != o);
		break;
	case QS_GFX3D_GEQUAL:
		EACH_QUAD(z >= o);
		break;
	default:
		pass = UINT64_MAX;
	}
	return pass;
}

static void test_simple(struct g3_draw *d, struct g3_batch *b)
{
	float old[G3_FRAGMENTS];
	uint64_t failed;

	load_depths(d, b, old);
	failed = b->live & ~compare_all(d->rules.compare, b, old);
	b->live &= ~failed;
	d->g->stats.pixels_depth_failed += (uint64_t)__builtin_popcountll(failed);
	for (; failed; failed &= failed - 1)
		b->verdict[__builtin_ctzll(failed)] = QS_GFX3D_VERDICT_DEPTH;
}

void g3_batch_test(struct g3_draw *d, struct g3_batch *b)
{
	bool keep = d->c->stencil.enable; /* a failing fragment changes the stencil unless the shader discards it */

	d->g->stats.pixels_tested += (uint64_t)__builtin_popcountll(b->live);
	if (!d->rules.depth_test && !keep)
		return;
	if (simple(d)) {
		test_simple(d, b);
		return;
	}
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

/* As channel() and channel_spill(); the caller knows that the latter's values fit. */
static inline g3_words channel4(g3_four c)
{
	g3_mask above = c > g3_splat(0), full = c >= g3_splat(1);
	g3_four scaled = g3_pick(above & ~full, c * g3_splat(255.0f) + g3_splat(0.5f), g3_splat(0));

	return (g3_words)(__builtin_convertvector(scaled, g3_mask) | (full & 255));
}

static inline g3_words channel_spill4(g3_four c)
{
	return (g3_words)__builtin_convertvector(c * g3_splat(255.0f), g3_mask);
}

/* Packed colours of a quad; bits of fragments with a channel out of range. */
static unsigned pack_quad(const struct g3_draw *d, const struct g3_batch *b, unsigned quad, g3_words *packed)
{
	g3_four c[4];
	g3_mask in = {-1, -1, -1, -1};
	unsigned outside;

	for (unsigned k = 0; k < 4; k++) {
		c[k] = *(const g3_four *)&b->color.v[k][4 * quad];
		in &= (c[k] >= g3_splat(0)) & (c[k] <= g3_splat(1));
	}
	outside = ~g3_bits(in) & 15;
	if (d->rules.spill && !outside) {
		*packed = channel_spill4(c[3]) << 24 | channel_spill4(c[0]) << 16 | channel_spill4(c[1]) << 8 | channel_spill4(c[2]);
	} else if (!d->rules.spill) {
		*packed = channel4(c[3]) << 24 | channel4(c[0]) << 16 | channel4(c[1]) << 8 | channel4(c[2]);
	} else {
		for (unsigned i = 0; i < 4; i++) {
			const float color[4] = {c[0][i], c[1][i], c[2][i], c[3][i]};
			bool out;

			(*packed)[i] = g3_pack(true, color, &out);
		}
	}
	return outside;
}

/* Words of two rows, of which those of the mask are replaced. */
static inline void replace(void *first, void *second, g3_words value, g3_words mask)
{
	g3_words old = g3_load_rows(first, second);

	g3_store_rows(first, second, old ^ ((old ^ value) & mask));
}

/* Without blending: what is alive was tested before the shader, and nothing changed since. */
static void write_simple(struct g3_draw *d, struct g3_batch *b)
{
	uint32_t bits = write_bits(d->c->blend.write_mask), *color = d->t->color;
	float *depth = d->t->depth;
	size_t width = (size_t)d->t->width;

	d->g->stats.pixels_written += (uint64_t)__builtin_popcountll(b->live);
	for (unsigned q = 0; q < b->quads; q++) {
		unsigned live = (unsigned)(b->live >> 4 * q) & 15;
		size_t at = quad_place(d, b, q);
		g3_words mask = (g3_words)g3_unbits(live), packed;
		unsigned outside;

		if (!live)
			continue;
		outside = pack_quad(d, b, q, &packed) & live;
		if (outside)
			d->g->stats.pixels_out_of_range += (uint64_t)__builtin_popcount(outside);
		for (unsigned i = 0; i < 4; i++)
			if (live >> i & 1)
				b->verdict[4 * q + i] = QS_GFX3D_VERDICT_WRITTEN;
		if (at != SIZE_MAX) {
			replace(&color[at], &color[at + width], packed, mask & bits);
			if (d->rules.depth_write)
				replace(&depth[at], &depth[at + width], *(const g3_words *)&b->z[0][4 * q], mask);
			continue;
		}
		for (unsigned i = 0; i < 4; i++)
			if (live >> i & 1)
				store_sample(d, place(d, b, 4 * q + i, 0), b->z[0][4 * q + i], &(struct source){.packed = packed[i], .bits = bits});
	}
}

void g3_batch_write(struct g3_draw *d, struct g3_batch *b)
{
	uint32_t bits = write_bits(d->c->blend.write_mask);

	if (simple(d) && !d->c->blend.enable && (b->commit & 15) == 15) {
		write_simple(d, b);
		return;
	}
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
