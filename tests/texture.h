/* texture.h - a machine with texture maps and batches of lookups, for the tests of the texture unit
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_TEXTURE_H
#define TESTS_TEXTURE_H

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gx/machine.h"
#include "gx/tx.h"
#include "oracle/random.h"
#include "oracle/texture_oracle.h"

#define MEM1_SIZE 0x30000u

static struct gx_machine *m;

static inline void setup(void)
{
	m = gx_machine_create(MEM1_SIZE, 0);
	ck_assert_ptr_nonnull(m);
	m->state.bp_mask = 0xFFFFFF; /* as after a reset, which costs more */
}

static inline void teardown(void)
{
	gx_machine_destroy(m);
	m = NULL;
}

/* Register k of a map: 0 SETMODE0, 1 SETMODE1, 2-5 SETIMAGE0-3, 6 SETTLUT. */
static inline void set(unsigned map, unsigned k, uint32_t value)
{
	m->state.bp[(map < 4 ? 0x80 : 0x9C) + 4 * k + map] = value & 0xFFFFFF;
}

static inline uint32_t map_word(unsigned map, unsigned k)
{
	return m->state.bp[(map < 4 ? 0x80 : 0x9C) + 4 * k + map];
}

static inline void set_image(unsigned map, unsigned format, uint32_t width, uint32_t height, uint32_t address)
{
	set(map, 2, format << 20 | (height - 1) << 10 | (width - 1));
	set(map, 3, 0);
	set(map, 5, address >> 5);
}

/* A batch of one quad at one coordinate; the LOD is that of neighbours `step` texels away. */
static inline void look_up(unsigned map, int32_t s, int32_t t, float step, struct qs_sample *sample)
{
	struct gx_batch *b = &m->batch;
	struct qs_sample *records[GX_BATCH] = {sample};
	int32_t cs[GX_BATCH] = {0}, ct[GX_BATCH] = {0};
	memset(b, 0, sizeof *b);
	b->quads = 1;
	b->fragments = 4;
	memset(b->live, 1, 4);
	for (unsigned i = 0; i < 4; i++) {
		cs[i] = s;
		ct[i] = t;
		b->uv[0][0][i] = i & 1 ? step : 0;
		b->uv[0][1][i] = 0;
	}
	gx_tx_begin_draw(m);
	gx_tx_sample(m, b, map, 0, cs, ct, NULL, NULL, sample ? records : NULL);
}

/* ck_assert writes a file every time it is passed: too slow for millions. */
#define REQUIRE(condition, ...) \
	do { \
		if (!(condition)) \
			ck_abort_msg(__VA_ARGS__); \
	} while (0)

/* ---- random maps and coordinates ------------------------------------------------------------------------------------------ */

static inline uint32_t random_size(struct oracle_random *r)
{
	return oracle_random_below(r, 2) ? 1u << oracle_random_below(r, 7) : 1 + oracle_random_below(r, 64);
}

static inline void random_map(struct oracle_random *r, unsigned map)
{
	static const uint8_t formats[16] = {0, 1, 2, 3, 4, 5, 6, 6, 8, 9, 10, 14, 14, 14, 7, 15};
	uint32_t mode0 = oracle_random_next(r) & 0xFFFFFF;
	if (oracle_random_below(r, 2))
		mode0 &= ~0x1FE00u; /* no bias */
	set(map, 0, mode0);
	set(map, 1, oracle_random_below(r, 4) ? 0x6000 | oracle_random_below(r, 32) : oracle_random_next(r));
	set(map, 2, (uint32_t)formats[oracle_random_below(r, 16)] << 20 | (random_size(r) - 1) << 10 | (random_size(r) - 1));
	set(map, 3, (oracle_random_next(r) & 0x1FFFFF) | (oracle_random_below(r, 4) ? 0 : 1u << 21));
	set(map, 4, oracle_random_next(r));
	set(map, 5, oracle_random_below(r, MEM1_SIZE) >> 5); /* some end outside memory */
	set(map, 6, oracle_random_next(r));
}

static inline void random_batch(struct oracle_random *r, unsigned map, int32_t *s, int32_t *t)
{
	struct gx_batch *b = &m->batch;
	uint32_t image0 = m->state.bp[(map < 4 ? 0x88 : 0xA4) + map];
	int32_t width = (int32_t)(image0 & 1023) + 1, height = (int32_t)(image0 >> 10 & 1023) + 1;
	b->quads = oracle_random_below(r, 4) ? 16 : 1 + oracle_random_below(r, 16);
	b->fragments = 4 * b->quads;
	memset(b->live, 1, sizeof b->live);
	bool wild = !oracle_random_below(r, 8);
	int spread = (int)oracle_random_below(r, 24) - 8;
	for (unsigned i = 0; i < b->fragments; i++) {
		s[i] = wild ? (int32_t)(oracle_random_next(r) << 8) / 256 :
			(int32_t)oracle_random_below(r, (uint32_t)width * 128 * 8) - width * 128 * 3;
		t[i] = wild ? (int32_t)(oracle_random_next(r) << 8) / 256 :
			(int32_t)oracle_random_below(r, (uint32_t)height * 128 * 8) - height * 128 * 3;
		for (unsigned k = 0; k < 2; k++) {
			float value = ldexpf((float)(int32_t)oracle_random_next(r), spread - 31);
			switch (oracle_random_below(r, 256)) {
			case 0:
				value = INFINITY;
				break;
			case 1:
				value = NAN;
				break;
			case 2:
				value = 0;
				break;
			case 3:
				value = 0x1p-140f;
				break;
			default:
				break;
			}
			b->uv[3][k][i] = value;
		}
	}
}

static inline int run_texture_suite(const char *name, void (*add)(TCase *tcase))
{
	Suite *suite = suite_create(name);
	TCase *tcase = tcase_create(name);
	tcase_set_timeout(tcase, 120);
	tcase_add_checked_fixture(tcase, setup, teardown);
	add(tcase);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
