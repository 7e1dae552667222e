/* pe_z.c - the Z unit of the pixel engine: compare and store, before or after texturing, a sample at a time
 *
 * Source: specification 07 section 3.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "gx/lanes.h"
#include "gx/pe.h"

/* Compare functions are sets: bit 0 less, bit 1 equal, bit 2 greater.  pass: 0 or 1. */
static void compare_words(unsigned func, const uint32_t *a, const uint32_t *b, unsigned count, uint8_t *pass)
{
	const int32_t less = (int32_t)(func & 1), equal = (int32_t)(func >> 1 & 1), greater = (int32_t)(func >> 2 & 1);

	for (unsigned at = 0; at < count; at += LANES) {
		const uint32_t *pa = a + at, *pb = b + at;
		uint8_t result[LANES];

		for (unsigned i = 0; i < LANES; i++) {
			int32_t x = (int32_t)pa[i], y = (int32_t)pb[i];
			result[i] = (uint8_t)((x < y ? less : 0) | (x == y ? equal : 0) | (x > y ? greater : 0));
		}
		memcpy(pass + at, result, sizeof result);
	}
}

static void record_z(const struct pe_draw *pe, struct gx_batch *b, const uint8_t *on, const uint8_t *pass, const uint32_t *z,
	const uint32_t *old)
{
	for (unsigned i = 0; i < b->fragments; i++) {
		struct qs_fragment *f = &b->record[i / 4].fragment[i % 4];

		f->z_old = f->z_new = old[i];
		if (!on[i])
			continue;
		f->early_z = b->z_done;
		f->z_tested = pe->z_test;
		f->z_func = pe->z_func;
		f->z_passed = pass[i];
		f->z_written = pass[i] && pe->z_test && pe->z_update && pe->lines >> (i >> 1 & 1) & 1;
		if (f->z_written)
			f->z_new = z[i];
	}
}

static void record_sample_z(const struct pe_draw *pe, struct gx_batch *b, unsigned sample, const uint8_t *on, const uint8_t *pass,
	const uint32_t *z, const uint32_t *old)
{
	for (unsigned i = 0; i < b->fragments; i++) {
		struct qs_fragment *f = &b->record[i / 4].fragment[i % 4];
		bool stored = on[i] && pass[i] && pe->z_test && pe->z_update && pe->lines >> (i >> 1 & 1) & 1;

		f->sample_z[sample] = b->z_sample[sample][i];
		f->sample_z_old[sample] = old[i];
		f->sample_z_new[sample] = stored ? z[i] : old[i];
	}
}

/* Compares Z of one sample with the buffer; z becomes what the buffer can hold. */
static void test_plane(struct gx_machine *m, struct gx_batch *b, unsigned sample, uint32_t *z, uint8_t *pass, uint32_t *old)
{
	const struct pe_draw *pe = m->pe;
	unsigned count = lanes_up(b->fragments);

	pe_load_words(gx_efb_depth(m, sample), b, old);
	if (pe->pixel == PE_NONE)
		memset(old, 0, GX_BATCH * sizeof *old);
	if (pe->z_format != PE_Z_FULL)
		for (unsigned i = 0; i < b->fragments; i++)
			z[i] = pe_quantise_z(pe->z_format, z[i] & 0xFFFFFF);
	compare_words(pe->z_test ? pe->z_func : 7, z, old, count, pass);
}

static void store_plane(struct gx_machine *m, struct gx_batch *b, unsigned sample, const uint8_t *on, const uint32_t *old,
	uint32_t *z)
{
	const struct pe_draw *pe = m->pe;

	if (!pe->z_test || !pe->z_update)
		return;
	pe_merge_words(pe, on, old, 0xFFFFFF, lanes_up(b->fragments), z);
	pe_store_words(m, gx_efb_depth(m, sample), sample, b, z);
}

void pe_sample_on(const uint8_t *on, const uint8_t *masks, unsigned sample, unsigned count, uint8_t *out)
{
	for (unsigned i = 0; i < count; i++)
		out[i] = on[i] & (masks[i] >> sample & 1);
}

/* Anti-aliased EFB: every covered sample is tested and stored by itself; a fragment dies when none passes. */
static void test_z_samples(struct gx_machine *m, struct gx_batch *b, uint8_t *on, enum qs_verdict verdict)
{
	const struct pe_draw *pe = m->pe;
	unsigned count = lanes_up(b->fragments);
	uint32_t old[GX_BATCH], z[GX_BATCH], first_old[GX_BATCH] = {0}, first_z[GX_BATCH] = {0};
	uint8_t pass[GX_BATCH], covered[GX_BATCH], passing[GX_BATCH] = {0}, any[GX_BATCH] = {0}, first_pass[GX_BATCH] = {0};

	memcpy(b->passing, b->samples, count);
	if (!pe->z_test && !b->record)
		return;
	for (unsigned s = 3; s-- > 0;) {
		memcpy(z, b->z_sample[s], count * sizeof *z);
		pe_sample_on(on, b->samples, s, count, covered);
		test_plane(m, b, s, z, pass, old);
		if (b->record)
			record_sample_z(pe, b, s, covered, pass, z, old);
		for (unsigned i = 0; i < count; i++) {
			if (b->samples[i] >> s & 1 || s == 0) {
				bool first = b->samples[i] >> s & 1 || !b->samples[i];
				first_old[i] = first ? old[i] : first_old[i];
				first_z[i] = first ? z[i] : first_z[i];
				first_pass[i] = first ? pass[i] : first_pass[i];
			}
			covered[i] &= pass[i];
			passing[i] |= (uint8_t)(covered[i] << s);
			any[i] |= covered[i];
		}
		store_plane(m, b, s, covered, old, z);
	}
	if (b->record)
		record_z(pe, b, on, first_pass, first_z, first_old);
	if (!pe->z_test)
		return;
	memcpy(b->passing, passing, sizeof passing);
	pe_kill(b, any, verdict, on);
}

GX_HOT void pe_test_z(struct gx_machine *m, struct gx_batch *b, uint8_t *on, enum qs_verdict verdict)
{
	const struct pe_draw *pe = m->pe;
	uint32_t old[GX_BATCH], z[GX_BATCH];
	uint8_t pass[GX_BATCH];

	if (pe->samples > 1) {
		test_z_samples(m, b, on, verdict);
		return;
	}
	if (!pe->z_test && !b->record)
		return;
	memcpy(z, b->z, lanes_up(b->fragments) * sizeof *z);
	test_plane(m, b, 0, z, pass, old);
	if (b->record)
		record_z(pe, b, on, pass, z, old);
	if (!pe->z_test)
		return;
	pe_kill(b, pass, verdict, on);
	store_plane(m, b, 0, on, old, z);
}

/* Safe to call always: does nothing unless PE_CONTROL asks for early Z. */
GX_HOT void gx_pe_early_z(struct gx_machine *m, struct gx_batch *b)
{
	const struct pe_draw *pe = m->pe;
	uint8_t on[GX_BATCH];

	b->z_done = pe && pe->early;
	if (!b->z_done)
		return;
	pe_active(b, on);
	pe_count_quads(m, PE_COUNT_EARLY_IN, on, b->quads);
	pe_test_z(m, b, on, QS_VERDICT_EARLY_Z);
	pe_count_quads(m, PE_COUNT_EARLY_OUT, on, b->quads);
}

