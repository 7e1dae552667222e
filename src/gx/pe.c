/* pe.c - the pixel engine: Z test, alpha test, Z texture, bounding box, counters, store
 *
 * A batch may hold the same quad twice (overlapping triangles); what reads and writes the EFB therefore works on runs of
 * quads in which no position repeats, one run after the other.  Source: specification 07, 06 sections 3 and 5, 04 section 6.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "core/bits.h"
#include "gx/pe.h"

#define PE_LEFT (0x10 / 2) /* right, top, bottom follow */
#define PE_COUNT_EARLY_IN (0x18 / 2)
#define PE_COUNT_EARLY_OUT (0x1C / 2)
#define PE_COUNT_LATE_IN (0x20 / 2)
#define PE_COUNT_LATE_OUT (0x24 / 2)
#define PE_COUNT_BLEND (0x28 / 2)

/* ---- decode ------------------------------------------------------------------------------------------------------------- */

static void decode_blend(const struct gx_machine *m, struct pe_draw *pe)
{
	uint32_t cmode0 = m->state.bp[0x41], cmode1 = m->state.bp[0x42];

	pe->blend = bits(cmode0, 0, 1);
	pe->logic = bits(cmode0, 1, 1);
	pe->dither = bits(cmode0, 2, 1) && (pe->pixel == PE_RGBA6 || (pe->pixel == PE_RGB565 && m->quirk[GX_QUIRK_dither_formats]));
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
	pe->z_format = (uint8_t)pe_z_format(m);
	pe->early = bits(control, 6, 1);
	pe->z_test = bits(zmode, 0, 1);
	pe->z_func = (uint8_t)bits(zmode, 1, 3);
	pe->z_update = bits(zmode, 4, 1);
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
	decode_blend(m, pe);
}

/* ---- runs, counters ----------------------------------------------------------------------------------------------------- */

/* End of the run of quads from `first` in which no position repeats. */
static unsigned run_end(const struct gx_batch *b, unsigned first)
{
	if (first == 0 && b->triangle[0] && b->triangle[0] == b->triangle[b->quads - 1])
		return b->quads; /* one triangle never covers a quad twice */
	for (unsigned q = first + 1; q < b->quads; q++)
		for (unsigned other = first; other < q; other++)
			if (b->x[q] == b->x[other] && b->y[q] == b->y[other])
				return q;
	return b->quads;
}

/* Fragments of the run that are alive and to be committed, as 0 and -1. */
static void run_mask(const struct gx_batch *b, unsigned first, unsigned end, int32_t *on)
{
	for (unsigned i = 0; i < GX_BATCH; i++) {
		unsigned q = i / 4;
		bool inside = q >= first && q < end && (unsigned)b->x[q] < GX_EFB_WIDTH && (unsigned)b->y[q] < GX_EFB_HEIGHT;
		on[i] = inside && b->live[i] && b->commit >> (i & 3) & 1 ? -1 : 0;
	}
}

/* Counters count quads with at least one active fragment (04 section 7). */
static void count_quads(struct gx_machine *m, unsigned counter, const int32_t *on, unsigned quads)
{
	uint32_t n = 0, value;

	for (unsigned q = 0; q < quads; q++)
		n += (on[4 * q] | on[4 * q + 1] | on[4 * q + 2] | on[4 * q + 3]) != 0;
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

/* Every fragment that passes alpha and Z counts, rounded to its quad (fact 33). */
static void bounding_box(struct gx_machine *m, const struct gx_batch *b, const int32_t *on)
{
	for (unsigned q = 0; q < b->quads; q++) {
		unsigned x = (unsigned)b->x[q], y = (unsigned)b->y[q];
		if (!(on[4 * q] | on[4 * q + 1] | on[4 * q + 2] | on[4 * q + 3]))
			continue;
		set_bound(m, 0, x & ~1u, false);
		set_bound(m, 1, x | 1, true);
		set_bound(m, 2, y & ~1u, false);
		set_bound(m, 3, y | 1, true);
	}
}

/* ---- quads to rows and back --------------------------------------------------------------------------------------------- */

static void load_words(const uint32_t *plane, const struct gx_batch *b, unsigned first, unsigned end, uint32_t *words)
{
	for (unsigned q = first; q < end; q++) {
		const uint32_t *at;
		if ((unsigned)b->x[q] >= GX_EFB_WIDTH || (unsigned)b->y[q] >= GX_EFB_HEIGHT)
			continue;
		at = &plane[b->y[q] * GX_EFB_WIDTH + b->x[q]];
		memcpy(&words[4 * q], at, 2 * sizeof *at);
		memcpy(&words[4 * q + 2], at + GX_EFB_WIDTH, 2 * sizeof *at);
	}
}

static void store_words(uint32_t *plane, const struct gx_batch *b, unsigned first, unsigned end, const uint32_t *words)
{
	for (unsigned q = first; q < end; q++) {
		uint32_t *at;
		if ((unsigned)b->x[q] >= GX_EFB_WIDTH || (unsigned)b->y[q] >= GX_EFB_HEIGHT)
			continue;
		at = &plane[b->y[q] * GX_EFB_WIDTH + b->x[q]];
		memcpy(at, &words[4 * q], 2 * sizeof *at);
		memcpy(at + GX_EFB_WIDTH, &words[4 * q + 2], 2 * sizeof *at);
	}
}

static void unpack_rows(unsigned pixel, const uint32_t *words, pe_rows rows)
{
	if (pixel == PE_RGBA6) {
		for (unsigned channel = 0; channel < 4; channel++)
			for (unsigned i = 0; i < GX_BATCH; i++) {
				uint32_t v = words[i] >> (18 - 6 * channel) & 63;
				rows[channel][i] = (int16_t)(v << 2 | v >> 4);
			}
		return;
	}
	for (unsigned channel = 0; channel < 3; channel++)
		for (unsigned i = 0; i < GX_BATCH; i++)
			rows[channel][i] = (int16_t)(words[i] >> (16 - 8 * channel) & 255);
	for (unsigned i = 0; i < GX_BATCH; i++)
		rows[3][i] = 255;
}

static void pack_rows(unsigned pixel, const pe_rows rows, uint32_t *words)
{
	const int16_t *r = rows[0], *g = rows[1], *b = rows[2], *a = rows[3];

	for (unsigned i = 0; i < GX_BATCH; i++) {
		uint32_t red = (uint32_t)r[i], green = (uint32_t)g[i], blue = (uint32_t)b[i], alpha = (uint32_t)a[i];
		if (pixel == PE_RGBA6)
			words[i] = red >> 2 << 18 | green >> 2 << 12 | blue >> 2 << 6 | alpha >> 2;
		else if (pixel == PE_RGB565)
			words[i] = ((red & 0xF8) | red >> 5) << 16 | ((green & 0xFC) | green >> 6) << 8 | (blue & 0xF8) | blue >> 5;
		else
			words[i] = red << 16 | green << 8 | blue;
	}
}

/* ---- Z ------------------------------------------------------------------------------------------------------------------ */

/* Compare functions are sets: bit 0 less, bit 1 equal, bit 2 greater. */
static int32_t compare(unsigned func, int32_t a, int32_t b)
{
	return (a < b ? -(int32_t)(func & 1) : 0) | (a == b ? -(int32_t)(func >> 1 & 1) : 0) | (a > b ? -(int32_t)(func >> 2 & 1) : 0);
}

static void record_z(struct gx_machine *m, struct gx_batch *b, const int32_t *on, const int32_t *pass, const uint32_t *z,
	const uint32_t *old, bool early)
{
	const struct pe_draw *pe = m->pe;

	for (unsigned i = 0; i < b->fragments; i++) {
		struct qs_fragment *f = &b->record[i / 4].fragment[i % 4];
		if (!on[i])
			continue;
		f->early_z = early;
		f->z_tested = pe->z_test;
		f->z_func = pe->z_func;
		f->z_passed = pass[i];
		f->z_written = pass[i] && pe->z_test && pe->z_update && pe->lines >> (i >> 1 & 1) & 1;
		f->z_old = old[i];
		f->z_new = f->z_written ? z[i] : old[i];
	}
}

/* Tests the fragments that are on and stores Z of those that pass; the others die with the verdict. */
static void test_z(struct gx_machine *m, struct gx_batch *b, unsigned first, unsigned end, int32_t *on, enum qs_verdict verdict)
{
	const struct pe_draw *pe = m->pe;
	uint32_t old[GX_BATCH] = {0}, z[GX_BATCH], stored[GX_BATCH];
	int32_t pass[GX_BATCH];

	load_words(m->efb->depth, b, first, end, old);
	memcpy(z, b->z, sizeof z);
	if (pe->z_format < 8)
		for (unsigned i = 0; i < GX_BATCH; i++)
			z[i] = pe_quantise_z(pe->z_format, z[i] & 0xFFFFFF);
	for (unsigned i = 0; i < GX_BATCH; i++)
		pass[i] = compare(pe->z_test ? pe->z_func : 7, (int32_t)z[i], (int32_t)old[i]);
	if (b->record)
		record_z(m, b, on, pass, z, old, verdict == QS_VERDICT_EARLY_Z);
	if (!pe->z_test)
		return;
	for (unsigned i = 0; i < b->fragments; i++)
		if (on[i] & ~pass[i]) {
			b->live[i] = 0;
			b->verdict[i] = (uint8_t)verdict;
		}
	for (unsigned i = 0; i < GX_BATCH; i++) {
		on[i] &= pass[i];
		stored[i] = on[i] && pe->lines >> (i >> 1 & 1) & 1 ? z[i] : old[i];
	}
	if (pe->z_update)
		store_words(m->efb->depth, b, first, end, stored);
}

/* Safe to call always: does nothing unless PE_CONTROL asks for early Z. */
void gx_pe_early_z(struct gx_machine *m, struct gx_batch *b)
{
	const struct pe_draw *pe = m->pe;
	int32_t on[GX_BATCH];

	b->z_done = pe && pe->early;
	if (!b->z_done)
		return;
	for (unsigned first = 0, end; first < b->quads; first = end) {
		end = run_end(b, first);
		run_mask(b, first, end, on);
		count_quads(m, PE_COUNT_EARLY_IN, on, b->quads);
		test_z(m, b, first, end, on, QS_VERDICT_EARLY_Z);
		count_quads(m, PE_COUNT_EARLY_OUT, on, b->quads);
	}
}

/* ---- alpha, Z texture --------------------------------------------------------------------------------------------------- */

void gx_pe_alpha(struct gx_machine *m, struct gx_batch *b)
{
	const struct pe_draw *pe = m->pe;
	int16_t pass[GX_BATCH];

	if (!pe)
		return;
	for (unsigned i = 0; i < GX_BATCH; i++) {
		int32_t p0 = compare(pe->alpha_func[0], b->out[3][i], pe->alpha_ref[0]);
		int32_t p1 = compare(pe->alpha_func[1], b->out[3][i], pe->alpha_ref[1]);
		pass[i] = (int16_t)(pe->alpha_logic == 0 ? p0 & p1 : pe->alpha_logic == 1 ? p0 | p1 : pe->alpha_logic == 2 ? p0 ^ p1 : ~(p0 ^ p1));
	}
	for (unsigned i = 0; b->record && i < b->fragments; i++) {
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
	for (unsigned i = 0; !pe->alpha_always && i < b->fragments; i++)
		if (b->live[i] && !pass[i]) {
			b->live[i] = 0;
			b->verdict[i] = QS_VERDICT_ALPHA;
		}
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
		z += pe->z_bias + (pe->z_texture == 1 ? b->z[i] : 0);
		b->z[i] = z & 0xFFFFFF;
		if (b->record && b->live[i])
			b->record[i / 4].fragment[i % 4].z = b->z[i];
	}
}

/* ---- store -------------------------------------------------------------------------------------------------------------- */

static void record_colour(const struct pe_draw *pe, struct gx_batch *b, const int32_t *on, const pe_rows old, const pe_rows blended,
	const uint32_t *words)
{
	pe_rows sf = {{0}}, df = {{0}};

	if (pe->blend && !pe->subtract)
		blend_factors(pe, (const int16_t(*)[GX_BATCH])b->out, old, sf, df);
	for (unsigned i = 0; i < b->fragments; i++) {
		struct qs_fragment *f = &b->record[i / 4].fragment[i % 4];
		if (!on[i])
			continue;
		f->blend_mode = pe->blend ? (pe->subtract ? 2 : 1) : pe->logic ? 3 : 0;
		gx_efb_unpack(pe->pixel, words[i], f->new_rgba);
		for (unsigned channel = 0; channel < 4; channel++) {
			f->blended[channel] = (uint8_t)blended[channel][i];
			f->blend_src_factor[channel] = (uint8_t)sf[channel][i];
			f->blend_dst_factor[channel] = (uint8_t)df[channel][i];
		}
	}
}

static void store_colour(struct gx_machine *m, struct gx_batch *b, unsigned first, unsigned end, const int32_t *on)
{
	const struct pe_draw *pe = m->pe;
	uint32_t old[GX_BATCH] = {0}, words[GX_BATCH];
	pe_rows destination, blended;

	load_words(m->efb->colour, b, first, end, old);
	unpack_rows(pe->pixel, old, destination);
	blend_run(pe, b, (const int16_t(*)[GX_BATCH])b->out, (const int16_t(*)[GX_BATCH])destination, blended);
	pack_rows(pe->pixel, (const int16_t(*)[GX_BATCH])blended, words);
	for (unsigned i = 0; i < GX_BATCH; i++) {
		uint32_t mask = (uint32_t)on[i] & (pe->lines >> (i >> 1 & 1) & 1 ? pe->write_mask : 0);
		words[i] = (words[i] & mask) | (old[i] & ~mask);
	}
	store_words(m->efb->colour, b, first, end, words);
	if (b->record)
		record_colour(pe, b, on, (const int16_t(*)[GX_BATCH])destination, (const int16_t(*)[GX_BATCH])blended, words);
}

/* Pixel and depth as they are before the batch, for fragments that will not get further. */
static void record_before(struct gx_machine *m, struct gx_batch *b, unsigned first, unsigned end)
{
	const struct pe_draw *pe = m->pe;
	uint32_t colour[GX_BATCH] = {0}, depth[GX_BATCH] = {0};

	load_words(m->efb->colour, b, first, end, colour);
	load_words(m->efb->depth, b, first, end, depth);
	for (unsigned i = 4 * first; i < 4 * end; i++) {
		struct qs_fragment *f = &b->record[i / 4].fragment[i % 4];
		gx_efb_unpack(pe->pixel, colour[i], f->old_rgba);
		memcpy(f->new_rgba, f->old_rgba, sizeof f->new_rgba);
		if (!b->z_done || !(b->commit >> (i & 3) & 1)) /* else early Z has filled them */
			f->z_old = f->z_new = depth[i];
	}
}

/* Verdicts of what is left; everything not committed is pending. */
static void conclude(struct gx_machine *m, struct gx_batch *b)
{
	const struct pe_draw *pe = m->pe;
	bool stored = pe->write_mask || (pe->z_test && pe->z_update);

	for (unsigned i = 0; i < b->fragments; i++) {
		bool line = pe->lines >> (i >> 1 & 1) & 1;

		if (!(b->coverage[i / 4] >> (3 * (i & 3)) & 7))
			b->verdict[i] = QS_VERDICT_NONE;
		else if (!(b->commit >> (i & 3) & 1))
			b->verdict[i] = QS_VERDICT_PENDING;
		else if (b->live[i])
			b->verdict[i] = stored && line ? QS_VERDICT_WRITTEN : QS_VERDICT_MASKED;
		if (b->record)
			b->record[i / 4].fragment[i % 4].verdict = b->verdict[i];
	}
}

void gx_pe_write(struct gx_machine *m, struct gx_batch *b)
{
	const struct pe_draw *pe = m->pe;
	int32_t on[GX_BATCH];

	if (!pe)
		return;
	for (unsigned first = 0, end; first < b->quads; first = end) {
		end = run_end(b, first);
		run_mask(b, first, end, on);
		if (b->record)
			record_before(m, b, first, end);
		if (!b->z_done) {
			count_quads(m, PE_COUNT_LATE_IN, on, b->quads);
			test_z(m, b, first, end, on, QS_VERDICT_LATE_Z);
			count_quads(m, PE_COUNT_LATE_OUT, on, b->quads);
		}
		bounding_box(m, b, on);
		count_quads(m, PE_COUNT_BLEND, on, b->quads);
		store_colour(m, b, first, end, on);
	}
	conclude(m, b);
}
