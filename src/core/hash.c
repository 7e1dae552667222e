/* hash.c - four lanes, each folded with every fourth word by a full 64 x 64 bit multiplication
 *
 * The high half of the product spreads every input bit over the lane, which xor, rotate and the low half alone do not.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "core/bits.h"
#include "core/hash.h"

#define ODD_A UINT64_C(0x9E3779B97F4A7C15) /* 2^64 / golden ratio, odd */
#define ODD_B UINT64_C(0xD6E8FEB86659FD93)

static inline uint64_t rotate(uint64_t value, unsigned count)
{
	return value << count | value >> (64 - count);
}

/* Both halves of a*b, xored. */
static inline uint64_t fold(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
	__extension__ typedef unsigned __int128 wide;
	wide product = (wide)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
#else
	uint64_t a0 = a & 0xFFFFFFFFu, a1 = a >> 32, b0 = b & 0xFFFFFFFFu, b1 = b >> 32;
	uint64_t low = a0 * b0, middle = a1 * b0 + (low >> 32), other = a0 * b1 + (middle & 0xFFFFFFFFu);

	return (a * b) ^ (a1 * b1 + (middle >> 32) + (other >> 32));
#endif
}

/* Little endian; compilers do not merge the byte loads of le64 here. */
static inline uint64_t word_at(const uint8_t *p)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	uint64_t word;

	memcpy(&word, p, sizeof word);
	return word;
#else
	return le64(p);
#endif
}

static inline uint64_t step(uint64_t lane, uint64_t word)
{
	return fold(lane ^ word, ODD_A);
}

static inline uint64_t mix(uint64_t value)
{
	value ^= value >> 32;
	value *= ODD_B;
	value ^= value >> 29;
	value *= ODD_A;
	return value ^ value >> 32;
}

uint64_t hash_bytes(const void *data, size_t size, uint64_t seed)
{
	const uint8_t *p = data;
	uint64_t a = seed + ODD_A, b = rotate(seed, 16) ^ ODD_B, c = rotate(seed, 32) + ODD_B, d = rotate(seed, 48) ^ ODD_A;
	size_t left = size;

	for (; left >= 32; left -= 32, p += 32) {
		a = step(a, word_at(p));
		b = step(b, word_at(p + 8));
		c = step(c, word_at(p + 16));
		d = step(d, word_at(p + 24));
	}
	for (; left >= 8; left -= 8, p += 8)
		a = step(a, word_at(p));
	if (left) {
		uint8_t tail[8] = {0};
		memcpy(tail, p, left);
		a = step(a, word_at(tail));
	}
	return mix(mix(mix(mix(a) + b) + c) + d + size);
}
