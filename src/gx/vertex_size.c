/* vertex_size.c - bytes per vertex in the command stream (spec 01 section 3)
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/bits.h"
#include "gx/machine.h"

enum { ABSENT, DIRECT, INDEX8, INDEX16 };

static const uint8_t component_bytes[8] = {1, 1, 2, 2, 4, 4, 4, 4};
static const uint8_t colour_bytes[8] = {2, 3, 4, 2, 3, 4, 0, 0}; /* 6 and 7 do not exist; Dolphin counts them as empty too */

static unsigned attribute(unsigned mode, unsigned direct_bytes, unsigned indices)
{
	switch (mode) {
	case DIRECT:
		return direct_bytes;
	case INDEX8:
		return indices;
	case INDEX16:
		return 2 * indices;
	default:
		return 0;
	}
}

unsigned gx_vertex_size(const uint32_t cp[256], unsigned format)
{
	uint32_t low = cp[0x50], high = cp[0x60];
	uint32_t a = cp[0x70 + (format & 7)], b = cp[0x80 + (format & 7)], c = cp[0x90 + (format & 7)];
	/* element bit with the three format bits above it */
	const uint32_t tex[8] = {bits(a, 21, 4), bits(b, 0, 4), bits(b, 9, 4), bits(b, 18, 4), bits(b, 27, 4), bits(c, 5, 4),
		bits(c, 14, 4), bits(c, 23, 4)};
	bool nbt = bits(a, 9, 1), nbt3 = bits(a, 31, 1);
	unsigned size = (unsigned)__builtin_popcount(low & 0x1FF); /* matrix indices */

	size += attribute(bits(low, 9, 2), (bits(a, 0, 1) ? 3u : 2u) * component_bytes[bits(a, 1, 3)], 1);
	size += attribute(bits(low, 11, 2), (nbt ? 9u : 3u) * component_bytes[bits(a, 10, 3)], nbt && nbt3 ? 3 : 1);
	size += attribute(bits(low, 13, 2), colour_bytes[bits(a, 14, 3)], 1);
	size += attribute(bits(low, 15, 2), colour_bytes[bits(a, 18, 3)], 1);
	for (unsigned i = 0; i < 8; i++)
		size += attribute(bits(high, 2 * i, 2), (tex[i] & 1 ? 2u : 1u) * component_bytes[tex[i] >> 1], 1);
	return size;
}
