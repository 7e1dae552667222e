/* copy_texture.c - texture copies: half scale, intensity, packing into tiles
 *
 * Source: specification 07 sections 7.1, 7.4-7.6.  The bytes written follow the size registers, not the stride (fact 46).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "core/bits.h"
#include "gx/copy.h"
#include "gx/lanes.h"
#include "gx/pe.h"

#define TILE_HEIGHT_MAX 8

struct tile_format {
	uint8_t width, height, bytes;
};

static struct tile_format tile_format(unsigned format)
{
	static const struct tile_format four_bits = {8, 8, 32}, eight_bits = {8, 4, 32}, sixteen_bits = {4, 4, 32};
	static const struct tile_format rgba8 = {4, 4, 64};

	switch (format) {
	case 0:
		return four_bits;
	case 3:
	case 4:
	case 5:
	case 11:
	case 12:
		return sixteen_bits;
	case 6:
		return rgba8;
	default:
		return eight_bits;
	}
}

static void put16(uint8_t *to, unsigned value)
{
	to[0] = (uint8_t)(value >> 8);
	to[1] = (uint8_t)value;
}

/* Packs pixel x of the line as (s, t) of a tile; RGBA8 has its own way. */
static void put_pixel(unsigned format, uint8_t *tile, unsigned s, unsigned t, const struct copy_line *line, unsigned x)
{
	unsigned r = line->c[0][x], g = line->c[1][x], b = line->c[2][x], a = line->c[3][x];
	uint8_t *byte = &tile[8 * t + s], *word = &tile[2 * (4 * t + s)];

	switch (format) {
	case 0: /* R4 */
		byte = &tile[4 * t + s / 2];
		*byte = (uint8_t)(s & 1 ? (*byte & 0xF0) | r >> 4 : (*byte & 0x0F) | (r & 0xF0));
		return;
	case 2: /* RA4 */
		*byte = (uint8_t)((a & 0xF0) | r >> 4);
		return;
	case 3: /* RA8 */
		put16(word, a << 8 | r);
		return;
	case 4: /* RGB565 */
		put16(word, r >> 3 << 11 | g >> 2 << 5 | b >> 3);
		return;
	case 5: /* RGB5A3 */
		put16(word, a >> 5 == 7 ? 0x8000 | r >> 3 << 10 | g >> 3 << 5 | b >> 3
					: a >> 5 << 12 | r >> 4 << 8 | g >> 4 << 4 | b >> 4);
		return;
	case 7:
		*byte = (uint8_t)a;
		return;
	case 9:
		*byte = (uint8_t)g;
		return;
	case 10:
		*byte = (uint8_t)b;
		return;
	case 11: /* RG8: G takes the place of alpha */
		put16(word, g << 8 | r);
		return;
	case 12: /* GB8 */
		put16(word, b << 8 | g);
		return;
	default: /* 1, 8 and the unused codes: R8 */
		*byte = (uint8_t)r;
	}
}

typedef uint8_t sixteen __attribute__((vector_size(16)));

/* Row t of four tiles of RGBA8 at a time; count: whole tiles.  Reads up to 12 places behind the count. */
GX_HOT static void put_rgba8_row(uint8_t *bytes, unsigned t, const struct copy_line *line, unsigned count)
{
	for (unsigned x = 0; x < count; x += 16) {
		sixteen r, g, b, a, out[4];

		memcpy(&r, &line->c[0][x], sizeof r);
		memcpy(&g, &line->c[1][x], sizeof g);
		memcpy(&b, &line->c[2][x], sizeof b);
		memcpy(&a, &line->c[3][x], sizeof a);
		out[0] = __builtin_shufflevector(a, r, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
		out[1] = __builtin_shufflevector(a, r, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
		out[2] = __builtin_shufflevector(g, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
		out[3] = __builtin_shufflevector(g, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
		for (unsigned i = 0; i < 4 && x + 4 * i < count; i++) {
			uint8_t *tile = &bytes[(x / 4 + i) * 64 + 8 * t];

			memcpy(tile, (const uint8_t *)out + 8 * i, 8);
			memcpy(tile + 32, (const uint8_t *)&out[2] + 8 * i, 8);
		}
	}
}

/* 2x2 box: 8-bit sums are cut, 6-bit sums widened (07 section 7.5). */
void copy_half_row(const struct copy_source *source, int x, int y, unsigned count, struct copy_line *out)
{
	struct copy_line upper, lower;

	copy_row(source, x, y, 2 * count, &upper, NULL);
	copy_row(source, x, y + 1, 2 * count, &lower, NULL);
	for (unsigned channel = 0; channel < 4; channel++)
		for (unsigned i = 0; i < count; i++) {
			const uint8_t *p = &upper.c[channel][2 * i], *q = &lower.c[channel][2 * i];
			unsigned sum;

			if (source->pixel == PE_RGBA6) {
				sum = (unsigned)((p[0] >> 2) + (p[1] >> 2) + (q[0] >> 2) + (q[1] >> 2));
				out->c[channel][i] = (uint8_t)(sum + (sum >> 6));
			} else {
				out->c[channel][i] = (uint8_t)((p[0] + p[1] + q[0] + q[1]) >> 2);
			}
		}
}

static void to_intensity(bool rounded, unsigned format, struct copy_line *line, unsigned count)
{
	uint8_t *r = line->c[0], *g = line->c[1], *b = line->c[2];

	if (rounded)
		copy_to_yuv(count, r, g, b);
	for (unsigned i = 0; i < count && !rounded && (format < 4 || format == 8); i++)
		r[i] = (uint8_t)((4096 + 66 * r[i] + 129 * g[i] + 25 * b[i]) >> 8);
}

static void exchange_depth(unsigned format, struct copy_line *line, unsigned count)
{
	for (unsigned i = 0; i < count && (format == 6 || format == 11 || format == 12); i++) {
		uint8_t high = line->c[0][i];
		line->c[0][i] = line->c[2][i];
		line->c[2][i] = high;
	}
}

void copy_convert(const struct gx_machine *m, const struct copy_source *source, const struct qs_copy *copy, struct copy_line *line,
	unsigned count)
{
	if (copy->half && source->pixel == PE_Z24 && m->quirk[GX_QUIRK_depth_copy_half])
		exchange_depth(copy->format, line, count);
	if (copy->intensity)
		to_intensity(m->quirk[GX_QUIRK_intensity_round], copy->format, line, count);
}

unsigned copy_texel_place(const struct qs_copy *copy, uint32_t s, uint32_t t, uint32_t offset[2], uint8_t *size)
{
	const struct tile_format tile = tile_format(copy->format);
	uint32_t inside = t % tile.height * tile.width + s % tile.width;
	unsigned bits_each = tile.bytes == 64 ? 16 : tile.bytes * 8u / tile.width / tile.height;

	offset[0] = t / tile.height * copy->stride + s / tile.width * tile.bytes + inside * bits_each / 8;
	offset[1] = offset[0] + 32;
	*size = bits_each == 16 ? 2 : 1;
	return tile.bytes == 64 ? 2 : 1;
}

void copy_texture(struct gx_machine *m, const struct copy_source *source, const struct qs_copy *copy)
{
	const struct tile_format tile = tile_format(copy->format);
	unsigned across = (copy->width + tile.width - 1) / tile.width, down = (copy->height + tile.height - 1) / tile.height;
	unsigned count = across * tile.width, step = copy->half ? 2 : 1;
	uint8_t bytes[COPY_WIDTH_MAX / 4 * 64];
	struct copy_line line;

	memset(bytes, 0, sizeof bytes);
	for (unsigned v = 0; v < down; v++) {
		for (unsigned t = 0; t < tile.height; t++) {
			int y = source->rect.y0 + (int)((v * tile.height + t) * step);

			if (copy->half)
				copy_half_row(source, source->rect.x0, y, count, &line);
			else
				copy_row(source, source->rect.x0, y, count, &line, NULL);
			copy_convert(m, source, copy, &line, count);
			if (copy->format == 6) {
				put_rgba8_row(bytes, t, &line, count);
				continue;
			}
			for (unsigned s = 0; s < count; s++)
				put_pixel(copy->format, &bytes[s / tile.width * tile.bytes], s % tile.width, t, &line, s);
		}
		gx_memory_write(&m->memory, copy->destination + v * copy->stride, bytes, (size_t)across * tile.bytes);
	}
}
