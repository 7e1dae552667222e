/* pe_oracle.c - scalar model of Z, alpha, Z texture, blending and the store, written from the specification (07) alone
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "oracle/pe_oracle.h"

static unsigned field(uint32_t word, unsigned low, unsigned high)
{
	return (unsigned)((word >> low) & ((1ull << (high - low + 1)) - 1));
}

static bool compare(unsigned func, uint32_t a, uint32_t b)
{
	switch (func) {
	case 0:
		return false;
	case 1:
		return a < b;
	case 2:
		return a == b;
	case 3:
		return a <= b;
	case 4:
		return a > b;
	case 5:
		return a != b;
	case 6:
		return a >= b;
	default:
		return true;
	}
}

/* Spelled out in characters: sign run, its end, mantissa, and zeros for what a 16-bit buffer loses. */
uint32_t pe_oracle_quantise(unsigned format, uint32_t z)
{
	static const int exponent_bits[4] = {0, 2, 3, 4};
	int n = exponent_bits[format & 3], most = (1 << n) - 1, at = 0, run = 0, mantissa = 16 - n;
	char text[25] = "", run_digit = format & 4 ? '0' : '1';
	uint32_t value = 0;

	for (int i = 0; i < 24; i++)
		text[i] = z >> (23 - i) & 1 ? '1' : '0';
	while (run < most && text[at] == run_digit) {
		run++;
		at++;
	}
	if (run < most)
		at++;
	at += mantissa;
	for (int i = 0; i < 24; i++)
		value = value * 2 + (i < at && text[i] == '1');
	return value;
}

void pe_oracle_unpack(unsigned type, uint32_t word, int rgba[4])
{
	if (type == 1) {
		for (int i = 0; i < 4; i++) {
			int v = (int)field(word, 18 - 6 * (unsigned)i, 23 - 6 * (unsigned)i);
			rgba[i] = v * 4 + v / 16;
		}
		return;
	}
	for (int i = 0; i < 4; i++)
		rgba[i] = type == 8 ? 0 : i == 3 ? 255 : (int)field(word, 16 - 8 * (unsigned)i, 23 - 8 * (unsigned)i);
}

static uint32_t pack(unsigned type, const int rgba[4])
{
	if (type == 1)
		return (uint32_t)(((rgba[0] / 4 * 64 + rgba[1] / 4) * 64 + rgba[2] / 4) * 64 + rgba[3] / 4);
	if (type == 2) {
		int r = rgba[0] / 8, g = rgba[1] / 4, b = rgba[2] / 8;
		return (uint32_t)(((r * 8 + r / 4) * 256 + g * 4 + g / 16) * 256 + b * 8 + b / 4);
	}
	return (uint32_t)((rgba[0] * 256 + rgba[1]) * 256 + rgba[2]);
}

static int factor(unsigned code, const int source[4], const int destination[4], const int other[4], int channel)
{
	switch (code) {
	case 0:
		return 0;
	case 1:
		return 255;
	case 2:
		return other[channel];
	case 3:
		return 255 - other[channel];
	case 4:
		return source[3];
	case 5:
		return 255 - source[3];
	case 6:
		return destination[3];
	default:
		return 255 - destination[3];
	}
}

static int logic(unsigned op, int s, int d)
{
	const int results[16] = {0, s & d, s & ~d, s, ~s & d, d, s ^ d, s | d, ~(s | d), ~(s ^ d), ~d, s | ~d, ~s, ~s | d, ~(s & d), -1};
	return results[op] & 255;
}

static void blend(const struct pe_oracle *o, const int s[4], const int d[4], int out[4])
{
	uint32_t mode = o->bp[0x41];

	for (int i = 0; i < 4; i++) {
		int sf = factor(field(mode, 8, 10), s, d, d, i), df = factor(field(mode, 5, 7), s, d, s, i);
		sf += sf / 128;
		df += df / 128;
		if (field(mode, 0, 0) && field(mode, 11, 11))
			out[i] = d[i] > s[i] ? d[i] - s[i] : 0;
		else if (field(mode, 0, 0) && o->round_each)
			out[i] = s[i] * sf / 256 + d[i] * df / 256;
		else if (field(mode, 0, 0))
			out[i] = (s[i] * sf + d[i] * df) / 256;
		else if (field(mode, 1, 1))
			out[i] = logic(field(mode, 12, 15), s[i], d[i]);
		else
			out[i] = s[i];
		if (out[i] > 255)
			out[i] = 255;
	}
	if (field(o->bp[0x42], 8, 8))
		out[3] = (int)field(o->bp[0x42], 0, 7);
}

static void dither(const struct pe_oracle *o, unsigned type, int rgb[4])
{
	static const int two[2][2] = {{0, 2}, {3, 1}};
	static const int four[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};

	if (!field(o->bp[0x41], 2, 2) || !(type == 1 || (type == 2 && o->dither_565)))
		return;
	for (int i = 0; i < 3; i++) {
		int step = type == 2 && i != 1 ? 8 : 4; /* levels lost */
		int add = o->dither_565 ? four[o->y % 4][o->x % 4] * step / 16 : two[o->y % 2][o->x % 2];
		rgb[i] = (rgb[i] - rgb[i] / (256 / step) + add) / step * step % 256;
	}
}

/* Returns whether the fragment goes on. */
static bool test_z(struct pe_oracle *o, unsigned type, bool line)
{
	uint32_t mode = o->bp[0x40], z = o->z;

	if (!field(mode, 0, 0))
		return true; /* no test, no write: fact 32a */
	if (type == 2)
		z = pe_oracle_quantise(field(o->bp[0x43], 3, 5), z);
	if (!compare(field(mode, 1, 3), z, type == 8 ? 0 : o->depth))
		return false;
	if (field(mode, 4, 4) && line && type != 8)
		o->depth = z;
	return true;
}

void pe_oracle_run(struct pe_oracle *o)
{
	unsigned type = field(o->bp[0x43], 0, 2);
	bool early = field(o->bp[0x43], 6, 6), line, p0, p1, pass;
	bool colour = field(o->bp[0x41], 3, 3), alpha = field(o->bp[0x41], 4, 4);
	uint32_t af = o->bp[0xF3], mask = 0;
	int s[4];

	if (type == 2 && o->keep_24_bits)
		type = 0;
	if (type > 3 && o->no_yuv)
		type = 8; /* nothing is stored */
	line = o->lines_ignored || (o->y % 2 ? field(o->bp[0x44], 0, 0) : field(o->bp[0x44], 1, 1));
	o->early_in = o->early_out = o->late_in = o->late_out = o->blended = false;
	pe_oracle_unpack(type, o->colour, o->old);
	if (early) {
		o->early_in = true;
		o->verdict = "early z";
		if (!test_z(o, type, line))
			return;
		o->early_out = true;
	}
	p0 = compare(field(af, 16, 18), (uint32_t)o->source[3], field(af, 0, 7));
	p1 = compare(field(af, 19, 21), (uint32_t)o->source[3], field(af, 8, 15));
	pass = field(af, 22, 23) == 0 ? p0 && p1 : field(af, 22, 23) == 1 ? p0 || p1 : field(af, 22, 23) == 2 ? p0 != p1 : p0 == p1;
	o->verdict = "alpha";
	if (!pass)
		return;
	if (field(o->bp[0xF5], 2, 3) == 1 || field(o->bp[0xF5], 2, 3) == 2) {
		const int *t = o->raw_texel;
		uint32_t z = field(o->bp[0xF4], 0, 23);
		z += field(o->bp[0xF5], 0, 1) == 0 ? (uint32_t)t[3]
			: field(o->bp[0xF5], 0, 1) == 1 ? (uint32_t)(t[3] * 256 + t[0])
							: (uint32_t)((t[0] * 256 + t[1]) * 256 + t[2]);
		if (field(o->bp[0xF5], 2, 3) == 1)
			z += o->z;
		o->z = z % 0x1000000;
	}
	if (!early) {
		o->late_in = true;
		o->verdict = "late z";
		if (!test_z(o, type, line))
			return;
		o->late_out = true;
	}
	o->blended = true;
	memcpy(s, o->source, sizeof s);
	if (o->alpha_one && s[3] == 1)
		s[3] = 0;
	blend(o, s, o->old, o->result);
	dither(o, type, o->result);
	if (type == 1)
		mask = (colour ? 0xFFFFC0 : 0) + (alpha ? 0x3F : 0);
	else
		mask = colour && type != 8 ? 0xFFFFFF : 0;
	o->verdict = line && (mask || (field(o->bp[0x40], 0, 0) && field(o->bp[0x40], 4, 4) && type != 8)) ? "written" : "masked";
	if (line)
		o->colour = (o->colour & ~mask) | (pack(type, o->result) & mask);
}
