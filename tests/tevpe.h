/* tevpe.h - a machine with a batch of fragments, for the tests of TEV, PE and the copies
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_TEVPE_H
#define TESTS_TEVPE_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "gx/machine.h"
#include "oracle/random.h"

/* As ck_assert_msg, which makes a system call even when all is well: too slow for a million of them. */
#define expect(condition, ...) \
	do { \
		if (!(condition)) \
			ck_abort_msg(__VA_ARGS__); \
	} while (0)

#define TEX_SIZE 64 /* texels a side of the test textures */
#define TEX_ADDRESS(map) (0x100000u + (map) * 0x10000u)

static inline struct gx_machine *test_machine(enum qs_model model)
{
	struct gx_machine *m = gx_machine_create(0x400000, 0x1000);
	ck_assert_ptr_nonnull(m);
	gx_machine_set_model(m, model);
	return m;
}

/* Registers of a plain pass: one stage, everything written, no tests. */
static inline void test_registers(struct gx_machine *m)
{
	uint32_t *bp = m->state.bp;

	memset(bp, 0, sizeof m->state.bp);
	bp[0x41] = 0x18;                 /* colour and alpha update */
	bp[0x44] = 3;                    /* both fields */
	bp[0xF3] = 7u << 16 | 7u << 19;  /* alpha always */
	bp[0xF6] = bp[0xF8] = bp[0xFA] = bp[0xFC] = 0x4; /* swap tables: identity */
	bp[0xF7] = bp[0xF9] = bp[0xFB] = bp[0xFD] = 0xE;
	bp[0x28] = 7u << 7; /* no raster colour */
}

/* Quads in rows of 8 from (x, y), every fragment covered, rows zero. */
static inline struct gx_batch *test_batch(struct gx_machine *m, unsigned quads, int x, int y)
{
	struct gx_batch *b = &m->batch;

	memset(b, 0, sizeof *b);
	b->quads = quads;
	b->fragments = 4 * quads;
	b->commit = 15;
	for (unsigned q = 0; q < quads; q++) {
		b->x[q] = (int16_t)(x + 2 * (int)(q % 8));
		b->y[q] = (int16_t)(y + 2 * (int)(q / 8));
		b->coverage[q] = 0xFFF;
		b->number[q] = q;
	}
	for (unsigned i = 0; i < b->fragments; i++) {
		b->live[i] = 1;
		b->samples[i] = 7;
		b->verdict[i] = QS_VERDICT_PENDING;
	}
	return b;
}

/* Records as RAS leaves them. */
static inline void test_records(struct gx_batch *b, struct qs_quad *records, bool detail)
{
	memset(records, 0, GX_BATCH_QUADS * sizeof *records);
	b->record = records;
	b->detail = detail;
	for (unsigned i = 0; i < b->fragments; i++)
		records[i / 4].fragment[i % 4].z = records[i / 4].fragment[i % 4].z_interpolated = b->z[i];
}

/* Writes an RGBA8 texture of TEX_SIZE texels a side and points the map's registers at it: repeat, nearest, one level. */
static inline void test_texture(struct gx_machine *m, unsigned map, const uint8_t (*rgba)[4])
{
	static const unsigned size = TEX_SIZE;
	uint32_t *bp = m->state.bp, unit = (map & 3) + (map & 4 ? 0x20 : 0);
	uint8_t data[TEX_SIZE * TEX_SIZE * 4];

	for (unsigned t = 0; t < size; t++)
		for (unsigned s = 0; s < size; s++) {
			uint8_t *tile = &data[((t / 4) * (size / 4) + s / 4) * 64], *ar = &tile[2 * (4 * (t & 3) + (s & 3))];
			const uint8_t *p = rgba[t * size + s];
			ar[0] = p[3];
			ar[1] = p[0];
			ar[32] = p[1];
			ar[33] = p[2];
		}
	gx_memory_write(&m->memory, TEX_ADDRESS(map), data, sizeof data);
	bp[0x80 + unit] = 1 | 1 << 2;
	bp[0x84 + unit] = 0;
	bp[0x88 + unit] = (size - 1) | (size - 1) << 10 | 6u << 20;
	bp[0x94 + unit] = TEX_ADDRESS(map) >> 5;
}

static inline int run_suite(Suite *suite)
{
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
