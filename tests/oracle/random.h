/* random.h - random numbers for tests: the same on every machine, seed from QS_SEED
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ORACLE_RANDOM_H
#define ORACLE_RANDOM_H

#include <stdint.h>
#include <stdlib.h>

/* Rounds of a random test: a quarter where AddressSanitizer slows everything down. */
#if defined __SANITIZE_ADDRESS__
#define ORACLE_SLOW 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define ORACLE_SLOW 1
#endif
#endif
#ifndef ORACLE_SLOW
#define ORACLE_SLOW 0
#endif
#define ORACLE_ROUNDS(n) (ORACLE_SLOW ? ((n) + 3) / 4 : (n))

struct oracle_random {
	uint64_t seed; /* to print with a failure */
	uint64_t state;
};

static inline struct oracle_random oracle_random_start(void)
{
	const char *text = getenv("QS_SEED");
	uint64_t seed = text ? strtoull(text, NULL, 0) : 20240611;
	return (struct oracle_random){seed, seed};
}

/* splitmix64, upper half */
static inline uint32_t oracle_random_next(struct oracle_random *r)
{
	uint64_t z = r->state += 0x9E3779B97F4A7C15u;
	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
	z = (z ^ z >> 27) * 0x94D049BB133111EBu;
	return (uint32_t)((z ^ z >> 31) >> 32);
}

/* 0 .. n-1 */
static inline uint32_t oracle_random_below(struct oracle_random *r, uint32_t n)
{
	return (uint32_t)((uint64_t)oracle_random_next(r) * n >> 32);
}

#endif
