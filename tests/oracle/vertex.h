/* vertex.h - the vertex loader once more, slow and literal: a cursor over the bytes, doubles, one attribute at a time
 *
 * Written from spec 01 sections 2 and 3, not from src/gx/vertex.c.  The last values of absent attributes are kept by the
 * caller in the struct itself: pass the same struct for consecutive vertices.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ORACLE_VERTEX_H
#define ORACLE_VERTEX_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct oracle_vertex {
	double position[3], normal[9], tex[8][2];
	int colour[2][4], matrix[9];
	bool dropped;
	const uint8_t *end; /* after the vertex */
};

struct oracle_memory {
	const uint8_t *bytes;
	uint32_t size, wrap;
};

static inline uint32_t oracle_field(uint32_t word, int high, int low)
{
	uint32_t value = 0;
	for (int bit = high; bit >= low; bit--)
		value = value * 2 + (word >> bit) % 2;
	return value;
}

static inline int oracle_byte(const struct oracle_memory *memory, const uint8_t *stream, uint32_t address, uint32_t offset)
{
	if (stream)
		return stream[offset];
	/* The start of an element wraps at the power of two above the size; an element does not wrap inside. No test has MEM2. */
	address = address % memory->wrap + offset;
	return address < memory->size ? memory->bytes[address] : 0;
}

/* One number of a format at byte `offset`; frac < 0: a normal's fixed scale. */
static inline double oracle_number(const struct oracle_memory *memory, const uint8_t *stream, uint32_t address, uint32_t offset,
	uint32_t format, int frac, bool byte_dequant)
{
	int b[4] = {0};
	int size = format <= 1 ? 1 : format <= 3 ? 2 : 4;

	for (int i = 0; i < size; i++)
		b[i] = oracle_byte(memory, stream, address, offset + (uint32_t)i);
	switch (format) {
	case 0:
		return frac < 0 ? b[0] / 128.0 : byte_dequant ? b[0] / pow(2, frac) : b[0];
	case 1: {
		int value = b[0] >= 128 ? b[0] - 256 : b[0];
		return frac < 0 ? value / 64.0 : byte_dequant ? value / pow(2, frac) : value;
	}
	case 2:
		return (b[0] * 256 + b[1]) / (frac < 0 ? 32768.0 : pow(2, frac));
	case 3: {
		int value = b[0] * 256 + b[1];
		value = value >= 32768 ? value - 65536 : value;
		return value / (frac < 0 ? 16384.0 : pow(2, frac));
	}
	default: {
		uint32_t word = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | (uint32_t)b[3];
		float value;
		memcpy(&value, &word, 4);
		return (double)value;
	}
	}
}

static inline void oracle_colour(const struct oracle_memory *memory, const uint8_t *stream, uint32_t address, uint32_t format,
	int rgba[4])
{
	static const int sizes[8] = {2, 3, 4, 2, 3, 4, 0, 0};
	uint32_t word = 0;

	for (int i = 0; i < sizes[format]; i++)
		word = word * 256 + (uint32_t)oracle_byte(memory, stream, address, (uint32_t)i);
	for (int i = 0; i < 4; i++) {
		int five, six;
		rgba[i] = 255;
		switch (format) {
		case 0:
			five = (int)(i == 0 ? oracle_field(word, 15, 11) : oracle_field(word, 4, 0));
			six = (int)oracle_field(word, 10, 5);
			if (i < 3)
				rgba[i] = i == 1 ? six * 4 + six / 16 : five * 8 + five / 4;
			break;
		case 1:
			if (i < 3)
				rgba[i] = (int)oracle_field(word, 23 - 8 * i, 16 - 8 * i);
			break;
		case 2:
			if (i < 3)
				rgba[i] = (int)oracle_field(word, 31 - 8 * i, 24 - 8 * i);
			break;
		case 3:
			rgba[i] = (int)oracle_field(word, 15 - 4 * i, 12 - 4 * i) * 17;
			break;
		case 4:
			six = (int)oracle_field(word, 23 - 6 * i, 18 - 6 * i);
			rgba[i] = six * 4 + six / 16;
			break;
		case 5:
			rgba[i] = (int)oracle_field(word, 31 - 8 * i, 24 - 8 * i);
			break;
		default:
			break;
		}
	}
}

static inline uint32_t oracle_index(uint32_t mode, const uint8_t **p)
{
	uint32_t index = 0;
	for (uint32_t i = 1; i < mode; i++)
		index = index * 256 + *(*p)++;
	return index;
}

/* cp: CP registers; matindex: XF 0x1018, 0x1019. Hardware model. */
static inline void oracle_vertex_read(const uint32_t cp[256], const uint32_t matindex[2], uint32_t format, const uint8_t *p,
	const struct oracle_memory *memory, struct oracle_vertex *v)
{
	static const int colour_sizes[8] = {2, 3, 4, 2, 3, 4, 0, 0};
	static const int number_sizes[8] = {1, 1, 2, 2, 4, 4, 4, 4};
	uint32_t low = cp[0x50], high = cp[0x60], a = cp[0x70 + format], b = cp[0x80 + format], c = cp[0x90 + format];
	bool byte_dequant = oracle_field(a, 30, 30);
	uint32_t used = 0;

	for (int i = 0; i < 9; i++) {
		uint32_t word = matindex[i / 5];
		int lsb = 6 * (i % 5);
		v->matrix[i] = oracle_field(low, i, i) ? *p++ % 64 : (int)oracle_field(word, lsb + 5, lsb);
	}
	/* position */
	uint32_t mode = oracle_field(low, 10, 9), count = 2 + oracle_field(a, 0, 0), kind = oracle_field(a, 3, 1);
	uint32_t size = count * (uint32_t)number_sizes[kind];
	v->dropped = false;
	v->position[0] = v->position[1] = v->position[2] = 0;
	if (mode) {
		const uint8_t *stream = mode == 1 ? p : NULL;
		uint32_t address = 0;
		if (mode == 1) {
			p += size;
		} else {
			uint32_t index = oracle_index(mode, &p);
			v->dropped = index == (mode == 2 ? 0xFF : 0xFFFF);
			address = cp[0xA0] + index * oracle_field(cp[0xB0], 7, 0);
		}
		for (uint32_t i = 0; i < count; i++)
			v->position[i] = oracle_number(memory, stream, address, i * (uint32_t)number_sizes[kind], kind,
				(int)oracle_field(a, 8, 4), byte_dequant);
	}
	if (v->dropped)
		return;
	/* normal, or normal, tangent, binormal */
	mode = oracle_field(low, 12, 11);
	kind = oracle_field(a, 12, 10);
	count = oracle_field(a, 9, 9) ? 9 : 3;
	if (mode) {
		bool three = count == 9 && oracle_field(a, 31, 31) && mode >= 2;
		uint32_t bytes = (uint32_t)number_sizes[kind], address = 0;
		const uint8_t *stream = mode == 1 ? p : NULL;
		if (mode == 1)
			p += count * bytes;
		for (uint32_t i = 0; i < count; i++) {
			if (mode >= 2 && (i == 0 || (three && i % 3 == 0)))
				address = cp[0xA1] + oracle_index(mode, &p) * oracle_field(cp[0xB1], 7, 0) + i * bytes;
			v->normal[i] = oracle_number(memory, stream, address, (three ? i % 3 : i) * bytes, kind, -1, true);
		}
	}
	/* colours: the first one present is channel 0's */
	for (uint32_t i = 0; i < 2; i++) {
		mode = i ? oracle_field(low, 16, 15) : oracle_field(low, 14, 13);
		kind = i ? oracle_field(a, 20, 18) : oracle_field(a, 16, 14);
		if (!mode)
			continue;
		const uint8_t *stream = mode == 1 ? p : NULL;
		uint32_t address = 0;
		if (mode == 1)
			p += colour_sizes[kind];
		else
			address = cp[0xA2 + i] + oracle_index(mode, &p) * oracle_field(cp[0xB2 + i], 7, 0);
		oracle_colour(memory, stream, address, kind, v->colour[used++]);
	}
	for (; used < 2; used++)
		for (int i = 0; i < 4; i++)
			v->colour[used][i] = 255;
	/* texture coordinates: element bit, format and frac of each, from the tables of VAT_A, VAT_B, VAT_C */
	const uint32_t element[8] = {oracle_field(a, 21, 21), oracle_field(b, 0, 0), oracle_field(b, 9, 9), oracle_field(b, 18, 18),
		oracle_field(b, 27, 27), oracle_field(c, 5, 5), oracle_field(c, 14, 14), oracle_field(c, 23, 23)};
	const uint32_t kinds[8] = {oracle_field(a, 24, 22), oracle_field(b, 3, 1), oracle_field(b, 12, 10), oracle_field(b, 21, 19),
		oracle_field(b, 30, 28), oracle_field(c, 8, 6), oracle_field(c, 17, 15), oracle_field(c, 26, 24)};
	const uint32_t frac[8] = {oracle_field(a, 29, 25), oracle_field(b, 8, 4), oracle_field(b, 17, 13), oracle_field(b, 26, 22),
		oracle_field(c, 4, 0), oracle_field(c, 13, 9), oracle_field(c, 22, 18), oracle_field(c, 31, 27)};
	for (int i = 0; i < 8; i++) {
		mode = oracle_field(high, 2 * i + 1, 2 * i);
		if (!mode)
			continue;
		const uint8_t *stream = mode == 1 ? p : NULL;
		uint32_t address = 0, bytes = (uint32_t)number_sizes[kinds[i]];
		if (mode == 1)
			p += (element[i] + 1) * bytes;
		else
			address = cp[0xA4 + i] + oracle_index(mode, &p) * oracle_field(cp[0xB4 + i], 7, 0);
		v->tex[i][1] = 0;
		for (uint32_t k = 0; k <= element[i]; k++)
			v->tex[i][k] = oracle_number(memory, stream, address, k * bytes, kinds[i], (int)frac[i], byte_dequant);
	}
	v->end = p;
}

#endif
