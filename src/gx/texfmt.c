/* texfmt.c - texel formats: tiles, components, palettes (spec 05 section 4)
 *
 * Texture data are tiled; tiles follow each other row by row, texels inside a tile likewise:
 *
 *   I4 C4            8x8 texels of 4 bits, left texel in the high nibble
 *   I8 IA4 C8        8x4 texels of a byte         IA4: AAAA IIII
 *   IA8              4x4 texels                   AAAAAAAA IIIIIIII
 *   RGB565           4x4                          RRRRRGGG GGGBBBBB
 *   RGB5A3           4x4                          1RRRRRGG GGGBBBBB or 0AAARRRR GGGGBBBB
 *   C14X2            4x4                          --IIIIII IIIIIIII
 *   RGBA8            4x4, 32 bytes of A R pairs, then 32 bytes of G B pairs
 *   CMPR             8x8 as four 4x4 blocks of 8 bytes: colour 0, colour 1, four rows of 2-bit selectors
 *
 * The reserved formats read as zero.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "gx/texfmt.h"

#include <stdbool.h>
#include <string.h>

#include "core/bits.h"
#include "gx/machine.h"

struct layout {
	const char *name;
	uint8_t width, height, bytes; /* of a tile */
	uint8_t bits;                 /* of a texel */
	uint16_t palette;             /* entries */
};

/* Reserved codes are given the layout of I4, so that their size is not zero. */
static const struct layout layouts[16] = {
	[0] = {"I4", 8, 8, 32, 4, 0},       [1] = {"I8", 8, 4, 32, 8, 0},
	[2] = {"IA4", 8, 4, 32, 8, 0},      [3] = {"IA8", 4, 4, 32, 16, 0},
	[4] = {"RGB565", 4, 4, 32, 16, 0},  [5] = {"RGB5A3", 4, 4, 32, 16, 0},
	[6] = {"RGBA8", 4, 4, 64, 32, 0},   [7] = {"reserved 7", 8, 8, 32, 4, 0},
	[8] = {"C4", 8, 8, 32, 4, 16},      [9] = {"C8", 8, 4, 32, 8, 256},
	[10] = {"C14X2", 4, 4, 32, 16, 16384}, [11] = {"reserved 11", 8, 8, 32, 4, 0},
	[12] = {"reserved 12", 8, 8, 32, 4, 0}, [13] = {"reserved 13", 8, 8, 32, 4, 0},
	[14] = {"CMPR", 8, 8, 32, 4, 0},    [15] = {"reserved 15", 8, 8, 32, 4, 0},
};

const char *qs_texture_format_name(uint32_t format)
{
	return format < 16 ? layouts[format].name : "invalid";
}

void gx_texfmt_tile(unsigned format, unsigned *width, unsigned *height, unsigned *bytes)
{
	const struct layout *l = &layouts[format & 15];
	*width = l->width;
	*height = l->height;
	*bytes = l->bytes;
}

size_t gx_texfmt_size(unsigned format, uint32_t width, uint32_t height)
{
	const struct layout *l = &layouts[format & 15];
	size_t columns = ((size_t)width + l->width - 1) / l->width, rows = ((size_t)height + l->height - 1) / l->height;
	return columns * rows * l->bytes;
}

unsigned gx_texfmt_palette_entries(unsigned format)
{
	return layouts[format & 15].palette;
}

/* ---- components --------------------------------------------------------------------------------------------------------- */

static unsigned widen3(unsigned v)
{
	return v << 5 | v << 2 | v >> 1;
}

static unsigned widen4(unsigned v)
{
	return v * 17;
}

static unsigned widen5(unsigned v)
{
	return v << 3 | v >> 2;
}

static unsigned widen6(unsigned v)
{
	return v << 2 | v >> 4;
}

static uint32_t texel_grey(unsigned i, unsigned a)
{
	return texel_pack(i, i, i, a);
}

static uint32_t texel_rgb565(unsigned v)
{
	return texel_pack(widen5(v >> 11), widen6(v >> 5 & 63), widen5(v & 31), 255);
}

static uint32_t texel_rgb5a3(unsigned v)
{
	if (v & 0x8000)
		return texel_pack(widen5(v >> 10 & 31), widen5(v >> 5 & 31), widen5(v & 31), 255);
	return texel_pack(widen4(v >> 8 & 15), widen4(v >> 4 & 15), widen4(v & 15), widen3(v >> 12 & 7));
}

uint32_t gx_texfmt_entry(const uint8_t *tlut, unsigned index, unsigned tlut_format)
{
	const uint8_t *entry = tlut + (size_t)index * 2;
	switch (tlut_format & 3) {
	case 0:
		return texel_grey(entry[1], entry[0]);
	case 1:
		return texel_rgb565(be16(entry));
	case 2:
		return texel_rgb5a3(be16(entry));
	default:
		return 0;
	}
}

/* The four colours of a CMPR block.  The mixed ones weigh 3/8 and 5/8 and the transparent one keeps the average colour
 * (spec 08 fact 47; Dolphin agrees). */
static void cmpr_colours(const uint8_t *block, uint32_t colour[4])
{
	unsigned c0 = be16(block), c1 = be16(block + 2);
	uint8_t a[4], b[4], mixed[2][3];
	colour[0] = texel_rgb565(c0);
	colour[1] = texel_rgb565(c1);
	texel_unpack(colour[0], a);
	texel_unpack(colour[1], b);
	bool opaque = c0 > c1;
	for (unsigned i = 0; i < 3; i++) {
		unsigned average = ((unsigned)a[i] + b[i]) / 2;
		mixed[0][i] = (uint8_t)(opaque ? (5u * a[i] + 3u * b[i]) >> 3 : average);
		mixed[1][i] = (uint8_t)(opaque ? (3u * a[i] + 5u * b[i]) >> 3 : average);
	}
	colour[2] = texel_pack(mixed[0][0], mixed[0][1], mixed[0][2], 255);
	colour[3] = texel_pack(mixed[1][0], mixed[1][1], mixed[1][2], opaque ? 255 : 0);
}

static uint32_t cmpr_texel(const uint8_t *block, unsigned s, unsigned t)
{
	uint32_t colour[4];
	cmpr_colours(block, colour);
	return colour[block[4 + t] >> (6 - 2 * s) & 3];
}

/* ---- one texel ---------------------------------------------------------------------------------------------------------- */

size_t gx_texfmt_offset(unsigned format, uint32_t tiles_per_row, uint32_t s, uint32_t t)
{
	const struct layout *l = &layouts[format & 15];
	size_t tile = (size_t)(t / l->height) * tiles_per_row + s / l->width;
	unsigned x = s % l->width, y = t % l->height;
	size_t inside;
	if (format == GX_FORMAT_CMPR)
		inside = (size_t)((y / 4) * 2 + x / 4) * 8;
	else if (format == GX_FORMAT_RGBA8)
		inside = (size_t)(y * 4 + x) * 2;
	else
		inside = (size_t)(y * l->width + x) * l->bits / 8;
	return tile * l->bytes + inside;
}

/* Copies n bytes at offset of data; what lies past its end is zero. */
static void fetch(const uint8_t *data, size_t size, size_t offset, uint8_t *out, size_t n)
{
	size_t inside = offset < size ? size - offset : 0;
	if (inside > n)
		inside = n;
	if (inside)
		memcpy(out, data + offset, inside);
	memset(out + inside, 0, n - inside);
}

void gx_texfmt_texel(unsigned format, const uint8_t *data, size_t size, uint32_t width, uint32_t s, uint32_t t,
	const uint8_t *tlut, unsigned tlut_format, uint8_t rgba[4])
{
	format &= 15;
	uint32_t tiles_per_row = (width + layouts[format].width - 1) / layouts[format].width;
	size_t offset = gx_texfmt_offset(format, tiles_per_row, s, t);
	uint8_t raw[8], gb[2];
	uint32_t texel;
	fetch(data, size, offset, raw, format == GX_FORMAT_CMPR ? 8 : 2);
	unsigned nibble = s & 1 ? raw[0] & 15u : raw[0] >> 4;
	switch (format) {
	case GX_FORMAT_I4:
		texel = texel_grey(widen4(nibble), widen4(nibble));
		break;
	case GX_FORMAT_I8:
		texel = texel_grey(raw[0], raw[0]);
		break;
	case GX_FORMAT_IA4:
		texel = texel_grey(widen4(raw[0] & 15u), widen4(raw[0] >> 4));
		break;
	case GX_FORMAT_IA8:
		texel = texel_grey(raw[1], raw[0]);
		break;
	case GX_FORMAT_RGB565:
		texel = texel_rgb565(be16(raw));
		break;
	case GX_FORMAT_RGB5A3:
		texel = texel_rgb5a3(be16(raw));
		break;
	case GX_FORMAT_RGBA8:
		fetch(data, size, offset + 32, gb, 2);
		texel = texel_pack(raw[1], gb[0], gb[1], raw[0]);
		break;
	case GX_FORMAT_C4:
		texel = gx_texfmt_entry(tlut, nibble, tlut_format);
		break;
	case GX_FORMAT_C8:
		texel = gx_texfmt_entry(tlut, raw[0], tlut_format);
		break;
	case GX_FORMAT_C14X2:
		texel = gx_texfmt_entry(tlut, be16(raw) & 0x3FFF, tlut_format);
		break;
	case GX_FORMAT_CMPR:
		texel = cmpr_texel(raw, s & 3, t & 3);
		break;
	default:
		texel = 0;
		break;
	}
	texel_unpack(texel, rgba);
}

/* ---- a tile, a level ----------------------------------------------------------------------------------------------------- */

/* Palettes of 4 and 8 bit formats are widened once per level. */
struct tile_source {
	unsigned format, tlut_format;
	const uint8_t *tlut;
	uint32_t palette[256];
};

static void decode_cmpr(const uint8_t *tile, uint32_t *out)
{
	for (unsigned block = 0; block < 4; block++) {
		uint32_t colour[4];
		uint32_t *corner = out + (block >> 1) * 32 + (block & 1) * 4;
		cmpr_colours(tile + block * 8, colour);
		for (unsigned t = 0; t < 4; t++)
			for (unsigned s = 0; s < 4; s++)
				corner[t * 8 + s] = colour[tile[block * 8 + 4 + t] >> (6 - 2 * s) & 3];
	}
}

/* The texels of a tile, row by row. */
static void decode_tile(const struct tile_source *src, const uint8_t *tile, uint32_t out[64])
{
	switch (src->format) {
	case GX_FORMAT_I4:
		for (unsigned i = 0; i < 64; i++) {
			unsigned v = widen4((unsigned)tile[i / 2] >> (i & 1 ? 0 : 4) & 15u);
			out[i] = texel_grey(v, v);
		}
		break;
	case GX_FORMAT_C4:
		for (unsigned i = 0; i < 64; i++)
			out[i] = src->palette[tile[i / 2] >> (i & 1 ? 0 : 4) & 15];
		break;
	case GX_FORMAT_I8:
		for (unsigned i = 0; i < 32; i++)
			out[i] = texel_grey(tile[i], tile[i]);
		break;
	case GX_FORMAT_IA4:
		for (unsigned i = 0; i < 32; i++)
			out[i] = texel_grey(widen4(tile[i] & 15u), widen4(tile[i] >> 4));
		break;
	case GX_FORMAT_C8:
		for (unsigned i = 0; i < 32; i++)
			out[i] = src->palette[tile[i]];
		break;
	case GX_FORMAT_IA8:
		for (unsigned i = 0; i < 16; i++)
			out[i] = texel_grey(tile[2 * i + 1], tile[2 * i]);
		break;
	case GX_FORMAT_RGB565:
		for (unsigned i = 0; i < 16; i++)
			out[i] = texel_rgb565(be16(tile + 2 * i));
		break;
	case GX_FORMAT_RGB5A3:
		for (unsigned i = 0; i < 16; i++)
			out[i] = texel_rgb5a3(be16(tile + 2 * i));
		break;
	case GX_FORMAT_C14X2:
		for (unsigned i = 0; i < 16; i++)
			out[i] = gx_texfmt_entry(src->tlut, be16(tile + 2 * i) & 0x3FFF, src->tlut_format);
		break;
	case GX_FORMAT_RGBA8:
		for (unsigned i = 0; i < 16; i++)
			out[i] = texel_pack(tile[2 * i + 1], tile[32 + 2 * i], tile[33 + 2 * i], tile[2 * i]);
		break;
	case GX_FORMAT_CMPR:
		decode_cmpr(tile, out);
		break;
	default:
		memset(out, 0, 64 * sizeof *out);
		break;
	}
}

/* The part of a tile that is inside the level. */
static void put_tile(const struct layout *l, const uint32_t *tile, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
	uint32_t *out)
{
	uint32_t columns = width - x < l->width ? width - x : l->width;
	uint32_t rows = height - y < l->height ? height - y : l->height;
	for (uint32_t t = 0; t < rows; t++)
		memcpy(out + (size_t)(y + t) * width + x, tile + t * l->width, columns * sizeof *out);
}

static void widen_palette(struct tile_source *src, unsigned entries)
{
	for (unsigned i = 0; i < entries && entries <= 256; i++)
		src->palette[i] = gx_texfmt_entry(src->tlut, i, src->tlut_format);
}

void gx_texfmt_decode(unsigned format, const uint8_t *data, size_t size, uint32_t width, uint32_t height,
	const uint8_t *tlut, unsigned tlut_format, uint32_t *out)
{
	format &= 15;
	const struct layout *l = &layouts[format];
	struct tile_source src = {.format = format, .tlut_format = tlut_format, .tlut = tlut};
	size_t offset = 0;
	widen_palette(&src, l->palette);
	for (uint32_t y = 0; y < height; y += l->height)
		for (uint32_t x = 0; x < width; x += l->width, offset += l->bytes) {
			uint8_t padded[64];
			uint32_t tile[64];
			const uint8_t *bytes = data + offset;
			if (offset + l->bytes > size) {
				fetch(data, size, offset, padded, l->bytes);
				bytes = padded;
			}
			decode_tile(&src, bytes, tile);
			put_tile(l, tile, x, y, width, height, out);
		}
}

void gx_texfmt_decode_tile(unsigned format, const uint8_t *bytes, uint32_t tile, uint32_t width, uint32_t height,
	const uint8_t *tlut, unsigned tlut_format, uint32_t *out)
{
	format &= 15;
	const struct layout *l = &layouts[format];
	struct tile_source src = {.format = format, .tlut_format = tlut_format, .tlut = tlut};
	uint32_t columns = (width + l->width - 1) / l->width, texels[64];
	if (format == GX_FORMAT_C8)
		for (unsigned i = 0; i < l->bytes; i++)
			src.palette[bytes[i]] = gx_texfmt_entry(tlut, bytes[i], tlut_format);
	else
		widen_palette(&src, l->palette);
	decode_tile(&src, bytes, texels);
	put_tile(l, texels, tile % columns * l->width, tile / columns * l->height, width, height, out);
}
