/* texfmt.h - whole levels of texels (the single-texel functions are in machine.h)
 *
 * A texel is one word: R in the low byte, then G, B, A.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef GX_TEXFMT_H
#define GX_TEXFMT_H

#include <stddef.h>
#include <stdint.h>

enum gx_texture_format {
	GX_FORMAT_I4 = 0,
	GX_FORMAT_I8 = 1,
	GX_FORMAT_IA4 = 2,
	GX_FORMAT_IA8 = 3,
	GX_FORMAT_RGB565 = 4,
	GX_FORMAT_RGB5A3 = 5,
	GX_FORMAT_RGBA8 = 6,
	GX_FORMAT_C4 = 8,
	GX_FORMAT_C8 = 9,
	GX_FORMAT_C14X2 = 10,
	GX_FORMAT_CMPR = 14,
};

/* Entries a palette of the format can have; 0 for formats without one. */
unsigned gx_texfmt_palette_entries(unsigned format);
/* One palette entry; tlut_format 0 IA8, 1 RGB565, 2 RGB5A3, 3 reserved (reads 0). */
uint32_t gx_texfmt_entry(const uint8_t *tlut, unsigned index, unsigned tlut_format);
/* Decodes a level of width*height texels into out (row by row).  Bytes past size read 0. */
void gx_texfmt_decode(unsigned format, const uint8_t *data, size_t size, uint32_t width, uint32_t height,
	const uint8_t *tlut, unsigned tlut_format, uint32_t *out);
/* The same for one tile (numbered row by row) whose bytes are given; the rest of out stays. */
void gx_texfmt_decode_tile(unsigned format, const uint8_t *bytes, uint32_t tile, uint32_t width, uint32_t height,
	const uint8_t *tlut, unsigned tlut_format, uint32_t *out);
/* Offset of the byte that holds texel (s, t) first (CMPR: its 4x4 block), in a level with tiles_per_row tiles a row. */
size_t gx_texfmt_offset(unsigned format, uint32_t tiles_per_row, uint32_t s, uint32_t t);

static inline uint32_t texel_pack(unsigned r, unsigned g, unsigned b, unsigned a)
{
	return (uint32_t)r | (uint32_t)g << 8 | (uint32_t)b << 16 | (uint32_t)a << 24;
}

static inline void texel_unpack(uint32_t texel, uint8_t rgba[4])
{
	rgba[0] = (uint8_t)texel;
	rgba[1] = (uint8_t)(texel >> 8);
	rgba[2] = (uint8_t)(texel >> 16);
	rgba[3] = (uint8_t)(texel >> 24);
}

#endif
