/* bits.h - bit fields, byte order and shifts of signed values
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CORE_BITS_H
#define CORE_BITS_H

#include <stdint.h>

static inline uint32_t bits(uint32_t word, unsigned lsb, unsigned count)
{
	return count >= 32 ? word >> lsb : (word >> lsb) & ((1u << count) - 1u);
}

/* The low `count` bits (1..32) as two's complement. */
static inline int32_t bits_sign(uint32_t value, unsigned count)
{
	uint32_t sign = 1u << (count - 1);
	uint32_t field = count >= 32 ? value : value & ((sign << 1) - 1u);
	return (int32_t)((int64_t)(field ^ sign) - (int64_t)sign);
}

/* Arithmetic (floor) shift right, as GCC and clang define >>; count 0..31. */
static inline int32_t shift_floor(int32_t value, unsigned count)
{
	return value >> count;
}

/* Quotient rounded down; b is not 0. */
static inline int64_t floor_div(int64_t a, int64_t b)
{
	int64_t q = a / b;

	return q - (a % b != 0 && (a < 0) != (b < 0));
}

static inline int32_t clamp_int(int32_t value, int32_t low, int32_t high)
{
	return value < low ? low : value > high ? high : value;
}

static inline uint16_t be16(const uint8_t *p)
{
	return (uint16_t)((unsigned)p[0] << 8 | p[1]);
}

static inline uint32_t be24(const uint8_t *p)
{
	return (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
}

static inline uint32_t be32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static inline uint32_t le32(const uint8_t *p)
{
	return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

static inline uint64_t le64(const uint8_t *p)
{
	return (uint64_t)le32(p + 4) << 32 | le32(p);
}

#endif
