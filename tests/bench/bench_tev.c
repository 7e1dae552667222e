/* bench_tev.c - speed of the combiners and of the pixel engine: million fragment-stages and fragments a second
 * bench_tev [ROUNDS [STAGES]]: with STAGES only that program of the combiners (for instruction counts)
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gx/machine.h"

static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void fill_batch(struct gx_batch *b, unsigned quads)
{
	memset(b, 0, sizeof *b);
	b->quads = quads;
	b->fragments = 4 * quads;
	b->commit = 15;
	for (unsigned q = 0; q < quads; q++) {
		b->x[q] = (int16_t)(2 * q);
		b->coverage[q] = 0xFFF;
	}
	for (unsigned i = 0; i < b->fragments; i++) {
		b->live[i] = 1;
		b->z[i] = i * 1000;
		for (unsigned k = 0; k < 8; k++)
			b->ras[k / 4][k % 4][i] = (int16_t)((i * 37 + k * 11) & 255);
	}
}

/* Every stage: PREV = PREV*(1 - RAS) + KONST*RAS, alpha alike. */
static void program(struct gx_machine *m, unsigned stages)
{
	uint32_t *bp = m->state.bp;

	memset(bp, 0, sizeof m->state.bp);
	bp[0] = (stages - 1) << 10 | 1 << 4;
	bp[0x41] = 0x18 | 1 | 4 << 8 | 5 << 5;
	bp[0x40] = 0x17;
	bp[0x44] = 3;
	bp[0xF3] = 6u << 16 | 7u << 19 | 10;
	for (unsigned k = 0; k < 4; k++) {
		bp[0xF6 + 2 * k] = 0x4;
		bp[0xF7 + 2 * k] = 0xE;
	}
	for (unsigned n = 0; n < stages; n++) {
		bp[0xC0 + 2 * n] = 8u << 16 | 0 << 12 | 14 << 8 | 10 << 4 | 15;
		bp[0xC1 + 2 * n] = 8u << 16 | 0 << 13 | 6 << 10 | 5 << 7 | 7 << 4;
	}
	gx_tev_begin_draw(m);
	gx_pe_begin_draw(m);
}

static void bench_stages(struct gx_machine *m, unsigned stages, unsigned quads, unsigned rounds)
{
	double start, t;

	program(m, stages);
	fill_batch(&m->batch, quads);
	start = seconds();
	for (unsigned i = 0; i < rounds; i++)
		gx_tev_run(m, &m->batch);
	t = seconds() - start;
	printf("%2u stages, %2u quads: %7.1f M fragment-stages/s  %5.1f ns a fragment\n", stages, quads,
		rounds * (double)(4 * quads * stages) / t * 1e-6, t * 1e9 / rounds / (4 * quads));
}

static void bench_pixels(struct gx_machine *m, const char *name, uint32_t mode, uint32_t zmode, uint32_t control, unsigned rounds)
{
	double start, t;

	program(m, 1);
	m->state.bp[0x41] = mode;
	m->state.bp[0x40] = zmode;
	m->state.bp[0x43] = control;
	gx_pe_begin_draw(m);
	fill_batch(&m->batch, GX_BATCH_QUADS);
	memset(m->batch.out, 99, sizeof m->batch.out);
	for (unsigned i = 0; i < 4 * GX_BATCH; i++)
		m->batch.out[i / GX_BATCH][i % GX_BATCH] &= 255;
	start = seconds();
	for (unsigned i = 0; i < rounds; i++) {
		gx_pe_alpha(m, &m->batch);
		gx_pe_write(m, &m->batch);
	}
	t = seconds() - start;
	printf("%-32s %7.1f M fragments/s  %5.1f ns a fragment\n", name, rounds * (double)GX_BATCH / t * 1e-6, t * 1e9 / rounds / GX_BATCH);
}

int main(int argc, char **argv)
{
	unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 100000;
	struct gx_machine *m = gx_machine_create(0x10000, 0);

	if (!m)
		return EXIT_FAILURE;
	if (argc > 2) {
		bench_stages(m, (unsigned)strtoul(argv[2], NULL, 0), GX_BATCH_QUADS, rounds);
	} else {
		bench_stages(m, 1, GX_BATCH_QUADS, rounds);
		bench_stages(m, 4, GX_BATCH_QUADS, rounds);
		bench_stages(m, 16, GX_BATCH_QUADS, rounds);
		bench_stages(m, 4, 1, rounds);
		bench_pixels(m, "store", 0x18, 0, 0, rounds);
		bench_pixels(m, "Z, store", 0x18, 0x1F, 0, rounds);
		bench_pixels(m, "Z, alpha blending", 0x18 | 1 | 4 << 8 | 5 << 5, 0x1F, 0, rounds);
		bench_pixels(m, "Z, alpha blending, RGBA6, dither", 0x1C | 1 | 4 << 8 | 5 << 5, 0x1F, 1, rounds);
	}
	gx_machine_destroy(m);
	return EXIT_SUCCESS;
}
