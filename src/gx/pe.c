/* pe.c - the pixel engine: Z test, alpha test, Z texture, bounding box, counters, store
 *
 * The Z unit is in pe_z.c, the colour unit in blend.c.  No place occurs twice in a batch (draw.c sees to it), so the EFB can be
 * read and written for a whole batch at once.
 * Source: specification 07, 06 sections 3 and 5, 04 section 6.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "core/bits.h"
#include "gx/lanes.h"
#include "gx/pe.h"

#define PE_LEFT (0x10 / 2) /* right, top, bottom follow */

/* ---- decode ------------------------------------------------------------------------------------------------------------- */

void pe_decode_blend(const struct gx_machine *m, struct pe_draw *pe, uint32_t cmode0, uint32_t cmode1)
{
	pe->blend = bits(cmode0, 0, 1);
	pe->logic = bits(cmode0, 1, 1);
	pe->dither = bits(cmode0, 2, 1) &&
		(pe->pixel == PE_RGBA6 || (pe->pixel == PE_RGB565 && m->quirk[GX_QUIRK_dither_formats]));
	pe->dither_4x4 = m->quirk[GX_QUIRK_dither_formats];
	pe->destination_factor = (uint8_t)bits(cmode0, 5, 3);
	pe->source_factor = (uint8_t)bits(cmode0, 8, 3);
	pe->subtract = bits(cmode0, 11, 1);
	pe->logic_op = (uint8_t)bits(cmode0, 12, 4);
	pe->alpha = (uint8_t)bits(cmode1, 0, 8);
	pe->constant_alpha = bits(cmode1, 8, 1);
	pe->round_each = m->quirk[GX_QUIRK_blend_round];
	pe->alpha_one = m->quirk[GX_QUIRK_alpha_one];
	pe->write_mask = pe_write_mask(pe->pixel, bits(cmode0, 3, 1), bits(cmode0, 4, 1));
	/* PE_FIELD_MASK: bit 0 odd, bit 1 even lines (09 #39) */
	pe->lines = 3;
	if (m->quirk[GX_QUIRK_field_lines])
		pe->lines = (uint8_t)(bits(m->state.bp[0x44], 1, 1) | bits(m->state.bp[0x44], 0, 1) << 1);
}

/* m->pe is one block: free() releases it. */
void gx_pe_begin_draw(struct gx_machine *m)
{
	const uint32_t *bp = m->state.bp;
	uint32_t zmode = bp[0x40], control = bp[0x43], alpha = bp[0xF3];
	struct pe_draw *pe = m->pe;

	if (!pe)
		pe = m->pe = calloc(1, sizeof *pe);
	if (!pe)
		return;
	pe->pixel = (uint8_t)pe_pixel_type(m);
	pe->samples = (uint8_t)gx_efb_samples(m);
	pe->z_format = (uint8_t)pe_z_format(m);
	pe->early = bits(control, 6, 1);
	pe->z_test = bits(zmode, 0, 1);
	pe->z_func = (uint8_t)bits(zmode, 1, 3);
	pe->z_update = bits(zmode, 4, 1) && pe->pixel != PE_NONE;
	pe->alpha_ref[0] = (uint8_t)bits(alpha, 0, 8);
	pe->alpha_ref[1] = (uint8_t)bits(alpha, 8, 8);
	pe->alpha_func[0] = (uint8_t)bits(alpha, 16, 3);
	pe->alpha_func[1] = (uint8_t)bits(alpha, 19, 3);
	pe->alpha_logic = (uint8_t)bits(alpha, 22, 2);
	pe->alpha_always = (pe->alpha_func[0] == 7 && pe->alpha_func[1] == 7 && pe->alpha_logic != 2) ||
		(pe->alpha_logic == 1 && (pe->alpha_func[0] == 7 || pe->alpha_func[1] == 7));
	pe->z_bias = bits(bp[0xF4], 0, 24);
	pe->z_texture_type = (uint8_t)bits(bp[0xF5], 0, 2);
	pe->z_texture = (uint8_t)bits(bp[0xF5], 2, 2);
	pe_decode_blend(m, pe, bp[0x41], bp[0x42]);
}

/* ---- what is active, counters ------------------------------------------------------------------------------------------- */

GX_HOT void pe_active(const struct gx_batch *b, uint8_t on[GX_BATCH])
{
	uint8_t commit[LANES];

	for (unsigned i = 0; i < LANES; i++)
		commit[i] = b->commit >> (i & 3) & 1;
	for (unsigned at = 0; at < lanes_up(b->fragments); at += LANES) {
		const uint8_t *live = &b->live[at];
		uint8_t result[LANES];

		for (unsigned i = 0; i < LANES; i++)
			result[i] = live[i] & commit[i];
		memcpy(on + at, result, LANES);
	}
	memset(&on[b->fragments], 0, GX_BATCH - b->fragments);
}

static bool quad_active(const uint8_t *on, unsigned quad)
{
	uint32_t four;

	memcpy(&four, &on[4 * quad], sizeof four);
	return four != 0;
}

GX_HOT void pe_kill(struct gx_batch *b, const uint8_t *pass, enum qs_verdict verdict, uint8_t *on)
{
	for (unsigned at = 0; at < lanes_up(b->fragments); at += LANES) {
		const uint8_t *p = pass + at, *o = on + at, *l = &b->live[at], *v = &b->verdict[at];
		const uint8_t reason = (uint8_t)verdict;
		uint8_t live[LANES], left[LANES], verdicts[LANES];

		for (unsigned i = 0; i < LANES; i++) {
			uint8_t dead = (uint8_t)(o[i] & (p[i] ^ 1)), mask = (uint8_t)-dead;
			left[i] = o[i] ^ dead;
			live[i] = l[i] & (uint8_t)~mask;
			verdicts[i] = (uint8_t)((v[i] & ~mask) | (reason & mask));
		}
		memcpy(on + at, left, LANES);
		memcpy(&b->live[at], live, LANES);
		memcpy(&b->verdict[at], verdicts, LANES);
	}
}

void pe_count_quads(struct gx_machine *m, unsigned counter, const uint8_t *on, unsigned quads)
{
	uint32_t n = 0, value, four[GX_BATCH_QUADS];

	(void)quads; /* masks are 0 behind the last one */
	memcpy(four, on, sizeof four);
	for (unsigned q = 0; q < GX_BATCH_QUADS; q++)
		n += four[q] != 0;
	if (!n)
		return;
	value = ((uint32_t)m->state.pe[counter] | (uint32_t)m->state.pe[counter + 1] << 16) + n;
	m->state.pe[counter] = (uint16_t)value;
	m->state.pe[counter + 1] = (uint16_t)(value >> 16);
	m->state.pe_writer[counter] = m->state.pe_writer[counter + 1] = m->command;
}

static void set_bound(struct gx_machine *m, unsigned which, unsigned value, bool larger)
{
	uint16_t *bound = &m->state.pe[PE_LEFT + which];

	if (larger ? value <= *bound : value >= *bound)
		return;
	*bound = (uint16_t)value;
	m->state.pe_writer[PE_LEFT + which] = m->command;
}

/* Every fragment that passes alpha and Z counts, rounded to its quad (fact 33); quads lie at even places. */
static void bounding_box(struct gx_machine *m, const struct gx_batch *b, const uint8_t *on)
{
	unsigned left = UINT16_MAX, top = UINT16_MAX, right = 0, bottom = 0;

	for (unsigned q = 0; q < b->quads; q++) {
		unsigned x = (unsigned)b->x[q], y = (unsigned)b->y[q];
		if (!quad_active(on, q))
			continue;
		left = x < left ? x : left;
		right = x > right ? x : right;
		top = y < top ? y : top;
		bottom = y > bottom ? y : bottom;
	}
	if (left == UINT16_MAX)
		return;
	set_bound(m, 0, left, false);
	set_bound(m, 1, right | 1, true);
	set_bound(m, 2, top, false);
	set_bound(m, 3, bottom | 1, true);
}

/* ---- quads to rows and back --------------------------------------------------------------------------------------------- */

/* First word of a quad; SIZE_MAX outside the EFB, where no quad should be. */
static size_t place(const struct gx_batch *b, unsigned quad)
{
	unsigned x = (unsigned)b->x[quad], y = (unsigned)b->y[quad];
	return x < GX_EFB_WIDTH && y < GX_EFB_HEIGHT ? (size_t)(y & ~1u) * GX_EFB_WIDTH + (x & ~1u) : SIZE_MAX;
}

typedef uint64_t pair_of_rows __attribute__((vector_size(16)));

/* The halves go straight into a vector and back: by way of an array they would have to wait for each other. */
static inline void load_quad(const uint32_t *plane, size_t at, uint32_t *words)
{
	pair_of_rows rows;
	uint64_t upper, lower;

	memcpy(&upper, &plane[at], sizeof upper);
	memcpy(&lower, &plane[at + GX_EFB_WIDTH], sizeof lower);
	rows = (pair_of_rows){upper, lower};
	memcpy(words, &rows, sizeof rows);
}

static inline void store_quad(uint32_t *plane, size_t at, const uint32_t *words)
{
	pair_of_rows rows;
	uint64_t upper, lower;

	memcpy(&rows, words, sizeof rows);
	upper = rows[0];
	lower = rows[1];
	memcpy(&plane[at], &upper, sizeof upper);
	memcpy(&plane[at + GX_EFB_WIDTH], &lower, sizeof lower);
}

void pe_load_words(const uint32_t *plane, const struct gx_batch *b, uint32_t *words)
{
	for (unsigned q = 0; q < b->quads; q++) {
		size_t at = place(b, q);
		load_quad(plane, at == SIZE_MAX ? 0 : at, &words[4 * q]);
	}
	for (unsigned i = b->fragments; i < lanes_up(b->fragments); i++)
		words[i] = 0;
}

void pe_store_words(struct gx_machine *m, uint32_t *plane, unsigned sample, const struct gx_batch *b, const uint32_t *words)
{
	for (unsigned q = 0; q < b->quads; q++) {
		size_t at = place(b, q);
		if (at == SIZE_MAX)
			continue;
		store_quad(plane, at, &words[4 * q]);
		if (sample) {
			gx_efb_touch(m, plane, at, 2);
			gx_efb_touch(m, plane, at + GX_EFB_WIDTH, 2);
		}
	}
}

static void unpack_rows(unsigned pixel, const uint32_t *words, unsigned count, pe_rows rows)
{
	if (pixel == PE_NONE) {
		memset(rows, 0, sizeof(pe_rows));
		return;
	}
	for (unsigned channel = 0; channel < 4; channel++)
		for (unsigned at = 0; at < count; at += LANES) {
			const uint32_t *in = words + at;
			int16_t *out = &rows[channel][at];

			if (pixel == PE_RGBA6) {
				const unsigned shift = 18 - 6 * channel;
				for (unsigned i = 0; i < LANES; i++) {
					uint32_t v = in[i] >> shift & 63;
					out[i] = (int16_t)(v << 2 | v >> 4);
				}
			} else if (channel < 3) {
				const unsigned shift = 16 - 8 * channel;
				for (unsigned i = 0; i < LANES; i++)
					out[i] = (int16_t)(in[i] >> shift & 255);
			} else {
				for (unsigned i = 0; i < LANES; i++)
					out[i] = 255;
			}
		}
}

static void pack_rows(unsigned pixel, const pe_rows rows, unsigned count, uint32_t *words)
{
	for (unsigned at = 0; at < count; at += LANES) {
		const int16_t *r = &rows[0][at], *g = &rows[1][at], *b = &rows[2][at], *a = &rows[3][at];
		uint32_t out[LANES];

		if (pixel == PE_RGBA6)
			for (unsigned i = 0; i < LANES; i++)
				out[i] = (uint32_t)(r[i] >> 2) << 18 | (uint32_t)(g[i] >> 2) << 12 | (uint32_t)(b[i] >> 2) << 6 |
					(uint32_t)(a[i] >> 2);
		else if (pixel == PE_RGB565)
			for (unsigned i = 0; i < LANES; i++)
				out[i] = (uint32_t)((r[i] & 0xF8) | r[i] >> 5) << 16 |
					(uint32_t)((g[i] & 0xFC) | g[i] >> 6) << 8 | (uint32_t)((b[i] & 0xF8) | b[i] >> 5);
		else
			for (unsigned i = 0; i < LANES; i++)
				out[i] = (uint32_t)r[i] << 16 | (uint32_t)g[i] << 8 | (uint32_t)b[i];
		memcpy(words + at, out, sizeof out);
	}
}

GX_HOT void pe_merge_words(const struct pe_draw *pe, const uint8_t *on, const uint32_t *old, uint32_t mask, unsigned count,
	uint32_t *words)
{
	const uint8_t even = pe->lines & 1, odd = pe->lines >> 1 & 1;
	const uint8_t line[LANES] = {even, even, odd, odd, even, even, odd, odd, even, even, odd, odd, even, even, odd, odd};

	for (unsigned at = 0; at < count; at += LANES) {
		const uint32_t *before = old + at;
		const uint8_t *stored = on + at;
		uint32_t *out = words + at, merged[LANES];

		for (unsigned i = 0; i < LANES; i++) {
			uint32_t keep = (uint32_t)(stored[i] & line[i]) * mask;
			merged[i] = before[i] ^ ((before[i] ^ out[i]) & keep);
		}
		memcpy(out, merged, sizeof merged);
	}
}

/* ---- alpha, Z texture --------------------------------------------------------------------------------------------------- */

static void record_alpha(const struct pe_draw *pe, struct gx_batch *b, const uint8_t *pass)
{
	for (unsigned i = 0; i < b->fragments; i++) {
		struct qs_fragment *f = &b->record[i / 4].fragment[i % 4];

		if (!b->live[i])
			continue;
		f->alpha_tested = !pe->alpha_always;
		f->alpha_passed = pass[i];
		f->alpha_func0 = pe->alpha_func[0];
		f->alpha_func1 = pe->alpha_func[1];
		f->alpha_ref0 = pe->alpha_ref[0];
		f->alpha_ref1 = pe->alpha_ref[1];
		f->alpha_logic = pe->alpha_logic;
	}
}

static void test_alpha(const struct pe_draw *pe, const int16_t *alpha, unsigned count, uint8_t *pass)
{
	int16_t less[2], equal[2], greater[2];
	/* logic: which pairs of results pass: both, one of them, none */
	const int16_t both = pe->alpha_logic != 2, one = pe->alpha_logic == 1 || pe->alpha_logic == 2;
	const int16_t none = pe->alpha_logic == 3;

	for (unsigned k = 0; k < 2; k++) {
		less[k] = pe->alpha_func[k] & 1;
		equal[k] = pe->alpha_func[k] >> 1 & 1;
		greater[k] = pe->alpha_func[k] >> 2 & 1;
	}
	for (unsigned at = 0; at < count; at += LANES) {
		const int16_t *a = alpha + at;
		uint8_t result[LANES];

		for (unsigned i = 0; i < LANES; i++) {
			int16_t r0 = pe->alpha_ref[0], r1 = pe->alpha_ref[1], p0, p1;
			p0 = (int16_t)((a[i] < r0 ? less[0] : 0) | (a[i] == r0 ? equal[0] : 0) | (a[i] > r0 ? greater[0] : 0));
			p1 = (int16_t)((a[i] < r1 ? less[1] : 0) | (a[i] == r1 ? equal[1] : 0) | (a[i] > r1 ? greater[1] : 0));
			result[i] = (uint8_t)((p0 & p1 & both) | ((p0 ^ p1) & one) | (~(p0 | p1) & none));
		}
		memcpy(pass + at, result, sizeof result);
	}
}

GX_HOT void gx_pe_alpha(struct gx_machine *m, struct gx_batch *b)
{
	const struct pe_draw *pe = m->pe;
	uint8_t pass[GX_BATCH], on[GX_BATCH];

	if (!pe || (pe->alpha_always && !b->record))
		return;
	test_alpha(pe, b->out[3], lanes_up(b->fragments), pass);
	if (b->record)
		record_alpha(pe, b, pass);
	memcpy(on, b->live, sizeof on);
	pe_kill(b, pass, QS_VERDICT_ALPHA, on);
}

static void record_z_texture(const struct pe_draw *pe, struct qs_fragment *f, uint32_t z, uint32_t texel)
{
	f->z = z;
	f->z_texture = pe->z_texture;
	f->z_texture_type = pe->z_texture_type;
	f->z_texture_value = texel;
	f->z_texture_bias = pe->z_bias;
}

void gx_pe_ztexture(struct gx_machine *m, struct gx_batch *b)
{
	const struct pe_draw *pe = m->pe;

	if (!pe || (pe->z_texture != 1 && pe->z_texture != 2))
		return;
	for (unsigned i = 0; i < b->fragments; i++) {
		uint32_t r = (uint32_t)b->raw_texel[0][i], g = (uint32_t)b->raw_texel[1][i], blue = (uint32_t)b->raw_texel[2][i];
		uint32_t a = (uint32_t)b->raw_texel[3][i];
		uint32_t z = pe->z_texture_type == 0 ? a : pe->z_texture_type == 1 ? a << 8 | r : r << 16 | g << 8 | blue;
		const uint32_t texel = z, before = b->z[i];
		z += pe->z_bias + (pe->z_texture == 1 ? before : 0);
		b->z[i] = z & 0xFFFFFF;
		for (unsigned k = 0; k < 3 && pe->samples > 1; k++)
			b->z_sample[k][i] = pe->z_texture == 1 ? (b->z_sample[k][i] + z - before) & 0xFFFFFF : b->z[i];
		if (b->record && b->live[i])
			record_z_texture(pe, &b->record[i / 4].fragment[i % 4], b->z[i], texel);
	}
}

/* ---- store -------------------------------------------------------------------------------------------------------------- */

static void record_colour(const struct pe_draw *pe, struct gx_batch *b, const uint8_t *on, const pe_rows source,
	const pe_rows old, const pe_rows blended, const uint32_t *words)
{
	pe_rows sf = {{0}}, df = {{0}};

	if (pe->blend && !pe->subtract)
		blend_factors(pe, source, old, lanes_up(b->fragments), sf, df);
	for (unsigned i = 0; i < b->fragments; i++) {
		struct qs_fragment *f = &b->record[i / 4].fragment[i % 4];

		f->sample_count = 1;
		gx_efb_unpack(pe->pixel, words[i], f->new_rgba);
		for (unsigned channel = 0; channel < 4; channel++)
			f->old_rgba[channel] = (uint8_t)old[channel][i];
		if (!on[i])
			continue;
		f->blend_mode = pe->blend ? (pe->subtract ? 2 : 1) : pe->logic ? 3 : 0;
		for (unsigned channel = 0; channel < 4; channel++) {
			f->blended[channel] = (uint8_t)blended[channel][i];
			f->blend_src_factor[channel] = (uint8_t)sf[channel][i];
			f->blend_dst_factor[channel] = (uint8_t)df[channel][i];
		}
	}
}

/* An alpha of 1 passes the alpha test but blends as 0 (09 #34). */
static void drop_alpha_one(unsigned count, int16_t *alpha)
{
	for (unsigned at = 0; at < count; at += LANES) {
		int16_t *a = alpha + at;
		for (unsigned i = 0; i < LANES; i++)
			a[i] = a[i] == 1 ? 0 : a[i];
	}
}

/* Blends and stores one sample. */
static void store_sample(struct gx_machine *m, struct gx_batch *b, unsigned sample, const uint8_t *on, uint32_t *old,
	uint32_t *words, pe_rows destination, pe_rows blended)
{
	const struct pe_draw *pe = m->pe;
	unsigned count = lanes_up(b->fragments);
	uint32_t *plane = gx_efb_colour(m, sample);
	const int16_t(*source)[GX_BATCH] = (const int16_t(*)[GX_BATCH])b->out, (*stored)[GX_BATCH] = source;

	pe_load_words(plane, b, old);
	if (pe->blend || pe->logic || b->record)
		unpack_rows(pe->pixel, old, count, destination);
	if (pe->blend || pe->logic || pe->constant_alpha || pe->dither || b->record) {
		blend_run(pe, b, source, (const int16_t(*)[GX_BATCH])destination, blended);
		stored = (const int16_t(*)[GX_BATCH])blended;
	}
	pack_rows(pe->pixel, stored, count, words);
	pe_merge_words(pe, on, old, pe->write_mask, count, words);
	pe_store_words(m, plane, sample, b, words);
}

static void record_sample_colour(const struct pe_draw *pe, struct gx_batch *b, unsigned sample, const uint32_t *old,
	const uint32_t *words)
{
	for (unsigned i = 0; i < b->fragments; i++) {
		struct qs_fragment *f = &b->record[i / 4].fragment[i % 4];

		gx_efb_unpack(pe->pixel, old[i], f->sample_old[sample]);
		gx_efb_unpack(pe->pixel, words[i], f->sample_new[sample]);
	}
}

/* What the record says of the pixel follows from its samples. */
static void record_resolved(struct gx_batch *b, const uint8_t *on)
{
	for (unsigned i = 0; i < b->fragments; i++) {
		struct qs_fragment *f = &b->record[i / 4].fragment[i % 4];

		f->sample_count = 3;
		f->samples_passed = on[i] ? b->passing[i] : 0;
		pe_resolve((const uint8_t(*)[4])f->sample_old, f->old_rgba);
		pe_resolve((const uint8_t(*)[4])f->sample_new, f->new_rgba);
	}
}

static void store_colour(struct gx_machine *m, struct gx_batch *b, const uint8_t *on)
{
	const struct pe_draw *pe = m->pe;
	unsigned count = lanes_up(b->fragments);
	uint32_t old[GX_BATCH], words[GX_BATCH];
	uint8_t covered[GX_BATCH];
	pe_rows destination, blended;
	const int16_t(*source)[GX_BATCH] = (const int16_t(*)[GX_BATCH])b->out;

	if (pe->alpha_one)
		drop_alpha_one(count, b->out[3]);
	if (pe->samples == 1) {
		store_sample(m, b, 0, on, old, words, destination, blended);
		if (b->record)
			record_colour(pe, b, on, source, (const int16_t(*)[GX_BATCH])destination, (const int16_t(*)[GX_BATCH])blended, words);
		return;
	}
	for (unsigned s = 3; s-- > 0;) { /* the first sample last: its blending is what the record shows */
		pe_sample_on(on, b->passing, s, count, covered);
		store_sample(m, b, s, covered, old, words, destination, blended);
		if (b->record)
			record_sample_colour(pe, b, s, old, words);
	}
	if (b->record) {
		record_colour(pe, b, on, source, (const int16_t(*)[GX_BATCH])destination, (const int16_t(*)[GX_BATCH])blended, words);
		record_resolved(b, on);
	}
}

/* Verdicts of what is left; everything not committed is pending. */
static void conclude(const struct pe_draw *pe, struct gx_batch *b)
{
	bool stored = pe->write_mask || (pe->z_test && pe->z_update);
	uint8_t passed[LANES], commit[LANES], pending[LANES];

	for (unsigned i = 0; i < LANES; i++) {
		passed[i] = stored && pe->lines >> (i >> 1 & 1) & 1 ? QS_VERDICT_WRITTEN : QS_VERDICT_MASKED;
		commit[i] = b->commit >> (i & 3) & 1 ? 255 : 0;
		pending[i] = commit[i] ? 0 : QS_VERDICT_PENDING;
	}
	for (unsigned at = 0; at < lanes_up(b->fragments); at += LANES) {
		const uint8_t *live = &b->live[at], *samples = &b->samples[at], *verdict = &b->verdict[at];
		uint8_t result[LANES];

		for (unsigned i = 0; i < LANES; i++) {
			uint8_t alive = (uint8_t)-live[i], covered = samples[i] ? 255 : 0; /* NONE is 0 */
			uint8_t v = (uint8_t)((passed[i] & alive) | (verdict[i] & ~alive));
			result[i] = ((v & commit[i]) | pending[i]) & covered;
		}
		memcpy(&b->verdict[at], result, LANES);
	}
	for (unsigned i = 0; b->record && i < b->fragments; i++)
		b->record[i / 4].fragment[i % 4].verdict = b->verdict[i];
}

GX_HOT void gx_pe_write(struct gx_machine *m, struct gx_batch *b)
{
	const struct pe_draw *pe = m->pe;
	uint8_t on[GX_BATCH];

	if (!pe)
		return;
	pe_active(b, on);
	if (!b->z_done) {
		pe_count_quads(m, PE_COUNT_LATE_IN, on, b->quads);
		pe_test_z(m, b, on, QS_VERDICT_LATE_Z);
		pe_count_quads(m, PE_COUNT_LATE_OUT, on, b->quads);
	}
	bounding_box(m, b, on);
	pe_count_quads(m, PE_COUNT_BLEND, on, b->quads);
	store_colour(m, b, on);
	conclude(pe, b);
}
