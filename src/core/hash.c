/* hash.c - four lanes of xor, rotate, multiply
 *
 * Every step is a bijection of its lane for a given word and of the word for a given lane, so two inputs that differ in one
 * 8-byte word never collide before the final mix.
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

static inline uint64_t step(uint64_t lane, uint64_t word)
{
	return rotate(lane ^ word, 29) * ODD_A;
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
		a = step(a, le64(p));
		b = step(b, le64(p + 8));
		c = step(c, le64(p + 16));
		d = step(d, le64(p + 24));
	}
	for (; left >= 8; left -= 8, p += 8)
		a = step(a, le64(p));
	if (left) {
		uint8_t tail[8] = {0};
		memcpy(tail, p, left);
		a = step(a, le64(tail));
	}
	return mix(mix(mix(mix(a) + b) + c) + d + size);
}
