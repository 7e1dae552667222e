/* bench_expr.c - how many conditions a second, with and without filling the variables from a fragment
 *
 * Prints one line per expression; exit status 1 when one is below the aim of 5 million tests a second.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "quadscope.h"

#define TESTS 4000000u
#define AIM 5e6

static const char *const texts[] = {
	"alpha < 8 and bp.GEN_MODE.ntev > 2",
	"verdict == late_z",
	"x >= 256 and x < 384 and y >= 40 and y < 200 and verdict == written",
	"bp.PE_ZMODE.func == lequal and xf.VIEWPORT_SCALE_X.value > 100 or z >> 8 == 0xffff",
};

static uint32_t read_register(void *user, enum qs_unit unit, uint32_t address)
{
	return ((const uint32_t *)user)[(unsigned)unit * 0x40 + (address & 0x3F)];
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(void)
{
	static uint32_t registers[QS_UNIT_COUNT * 0x40];
	struct qs_expr_env env;
	struct qs_error error;
	bool slow = false;

	for (size_t i = 0; i < sizeof registers / sizeof *registers; i++)
		registers[i] = (uint32_t)i * 0x01234567u + 0xC00;
	qs_expr_env_init(&env);
	env.read = read_register;
	env.user = registers;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct qs_expr *expr = qs_expr_compile(texts[i], &error);
		if (!expr) {
			fprintf(stderr, "%s: %s\n", texts[i], error.text);
			return EXIT_FAILURE;
		}
		struct qs_fragment fragment = {.verdict = QS_VERDICT_LATE_Z};
		double seconds[2];
		unsigned hits = 0;
		for (unsigned fill = 0; fill < 2; fill++) {
			double start = now();
			for (unsigned n = 0; n < TESTS; n++) {
				if (fill) {
					fragment.x = (int16_t)(n & 511);
					fragment.tev[3] = (uint8_t)n;
					qs_expr_env_fragment(&env, &fragment);
				} else {
					env.variable[QS_VAR_X] = n & 511;
					env.variable[QS_VAR_ALPHA] = n & 255;
				}
				hits += qs_expr_test(expr, &env);
			}
			seconds[fill] = now() - start;
		}
		printf("%6.1f M tests/s  %6.1f M/s with a fragment filled in  (%u hits)  %s\n", TESTS / seconds[0] / 1e6,
			TESTS / seconds[1] / 1e6, hits, texts[i]);
		slow |= TESTS / seconds[1] < AIM;
		qs_expr_destroy(expr);
	}
	return slow ? EXIT_FAILURE : EXIT_SUCCESS;
}
