/* lanes.h - vectors of the four fragments of a quad
 *
 * Operations are element by element and in the written order, so that they are exactly those of single floats.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef GFX3D_LANES_H
#define GFX3D_LANES_H

#include <stdint.h>
#include <string.h>

typedef float g3_four __attribute__((vector_size(16), aligned(4), may_alias));
typedef int32_t g3_mask __attribute__((vector_size(16), aligned(4), may_alias)); /* lanes 0 or -1 */
typedef uint32_t g3_words __attribute__((vector_size(16), aligned(4), may_alias));

static inline g3_four g3_splat(float x)
{
	return (g3_four){x, x, x, x};
}

static inline g3_four g3_pick(g3_mask mask, g3_four a, g3_four b)
{
	return (g3_four)((mask & (g3_mask)a) | (~mask & (g3_mask)b));
}

/* Bit i: lane i is set. */
static inline unsigned g3_bits(g3_mask mask)
{
#ifdef __SSE__
	typedef float plain __attribute__((vector_size(16)));
	return (unsigned)__builtin_ia32_movmskps((plain)mask);
#else
	return (unsigned)((mask[0] & 1) | (mask[1] & 2) | (mask[2] & 4) | (mask[3] & 8));
#endif
}

static inline g3_mask g3_unbits(unsigned bits)
{
	g3_mask one = {1, 2, 4, 8}, all = {(int32_t)bits, (int32_t)bits, (int32_t)bits, (int32_t)bits};

	return (all & one) != 0;
}

/* A quad's words of two rows; not by way of an array, which would have to wait for its halves. */
static inline g3_words g3_load_rows(const void *first, const void *second)
{
	typedef uint64_t halves __attribute__((vector_size(16)));
	uint64_t a, b;

	memcpy(&a, first, sizeof a);
	memcpy(&b, second, sizeof b);
	return (g3_words)(halves){a, b};
}

static inline void g3_store_rows(void *first, void *second, g3_words words)
{
	typedef uint64_t halves __attribute__((vector_size(16)));
	uint64_t a = ((halves)words)[0], b = ((halves)words)[1];

	memcpy(first, &a, sizeof a);
	memcpy(second, &b, sizeof b);
}

#endif
