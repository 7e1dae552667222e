/* tx_level.c - where the bytes of a texture level are (spec 05 sections 3 and 4)
 *
 * In main memory the levels follow each other.  In TMEM a preloaded texture lies as GX's preload routine puts it:
 *
 *            even region            odd region
 *   I4...    level 0, 2, 4 ...      level 1, 3, 5 ...
 *   RGBA8    level 0 A R            level 0 G B
 *            level 1 G B            level 1 A R
 *            level 2 A R            level 2 G B ...
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "gx/texfmt.h"
#include "gx/tx.h"

static uint32_t at_least(uint32_t value, uint32_t minimum)
{
	return value < minimum ? minimum : value;
}

/* Storage of level n, which is not always that of the sampled size: the sampled width is ((width - 1) >> n) + 1. */
static uint32_t storage(const struct tx_map *map, unsigned n, bool dolphin_stride)
{
	unsigned tile_width, tile_height, tile_bytes;
	uint32_t width = map->width >> n, height = map->height >> n;
	gx_texfmt_tile(map->format, &tile_width, &tile_height, &tile_bytes);
	if (!dolphin_stride)
		return (uint32_t)gx_texfmt_size(map->format, at_least(width, 1), at_least(height, 1));
	/* Dolphin SW TextureSampler: at least a tile, but not rounded up to whole tiles. */
	width = at_least(width, tile_width);
	height = at_least(height, tile_height);
	return width * height * (tile_bytes * 2 / (tile_width * tile_height)) / 2;
}

static void locate_in_tmem(const struct tx_map *map, unsigned level, bool dolphin_stride, bool dolphin_tmem,
	struct tx_source *out)
{
	bool pairs = map->format == GX_FORMAT_RGBA8;
	uint32_t region[2] = {map->even, map->odd};
	unsigned home = dolphin_tmem ? 0 : level & 1;
	for (unsigned n = 0; n < level; n++) {
		uint32_t bytes = storage(map, n, dolphin_stride);
		if (dolphin_tmem) {
			/* Dolphin SW TextureSampler moves through the even region only, by the size in main memory. */
			region[0] += bytes;
		} else if (pairs) {
			region[0] += bytes / 2;
			region[1] += bytes / 2;
		} else {
			region[n & 1] += bytes;
		}
	}
	out->from_tmem = 1;
	out->address = region[home];
	out->address_gb = pairs ? region[home ^ 1] : 0;
}

/* The tiles of a level lie in its region as they lie in the picture, modulo the region's size: that is what the two size codes
 * are for.  2 KB << (width code - 1 + height code - 1), as GX invalidates it, is 8 << (code - 1) tiles each way.  Inferred; no
 * console test is known. */
static void locate_in_cache(const struct tx_map *map, unsigned level, struct tx_source *out)
{
	unsigned regions = map->format == GX_FORMAT_RGBA8 ? 2 : 1;

	for (unsigned i = 0; i < regions; i++) {
		unsigned side = (level + i) & 1;
		if (!map->cache_width[side] || !map->cache_height[side])
			return; /* no region: straight from main memory */
	}
	out->cached = out->address % 32 == 0;
	for (unsigned i = 0; i < regions && out->cached; i++) {
		unsigned side = (level + i) & 1;
		out->line[i] = (side ? map->odd : map->even) / 32;
		out->region_width[i] = (uint8_t)(map->cache_width[side] + 2);
		out->region_height[i] = (uint8_t)(map->cache_height[side] + 2);
	}
}

void tx_locate(const struct tx_map *map, unsigned level, const struct tx_rules *rules, struct tx_source *out)
{
	memset(out, 0, sizeof *out);
	out->format = map->format;
	out->width = ((map->width - 1) >> level) + 1;
	out->height = ((map->height - 1) >> level) + 1;
	out->size = (uint32_t)gx_texfmt_size(map->format, out->width, out->height);
	if (gx_texfmt_palette_entries(map->format)) {
		out->spread = rules->spread;
		out->tlut = map->tlut + (rules->spread ? GX_TMEM_SIZE / 2 : 0);
		out->tlut_format = map->tlut_format;
	}
	if (map->preloaded) {
		locate_in_tmem(map, level, rules->dolphin_stride, rules->dolphin_tmem, out);
		return;
	}
	out->address = map->base;
	for (unsigned n = 0; n < level; n++)
		out->address += storage(map, n, rules->dolphin_stride);
	if (rules->cached)
		locate_in_cache(map, level, out);
}

/* n bytes of TMEM; past its end there is nothing. */
static void read_tmem(const struct gx_memory *memory, uint32_t address, uint8_t *out, uint32_t n)
{
	uint32_t inside = address < GX_TMEM_SIZE ? GX_TMEM_SIZE - address : 0;
	if (inside > n)
		inside = n;
	if (inside)
		memcpy(out, memory->tmem + address, inside);
	memset(out + inside, 0, n - inside);
}

const uint8_t *tx_fetch(const struct gx_memory *memory, const struct tx_source *source, uint8_t *scratch)
{
	if (!source->from_tmem) {
		const uint8_t *bytes = gx_memory_at(memory, source->address, source->size);
		if (bytes)
			return bytes;
		gx_memory_read(memory, source->address, scratch, source->size);
		return scratch;
	}
	if (source->format == GX_FORMAT_RGBA8) {
		/* as in main memory: a line of A R, a line of G B */
		for (uint32_t i = 0; i < source->size / 64; i++) {
			read_tmem(memory, source->address + i * 32, scratch + i * 64, 32);
			read_tmem(memory, source->address_gb + i * 32, scratch + i * 64 + 32, 32);
		}
		return scratch;
	}
	if (source->address <= GX_TMEM_SIZE && source->size <= GX_TMEM_SIZE - source->address)
		return memory->tmem + source->address;
	read_tmem(memory, source->address, scratch, source->size);
	return scratch;
}

uint32_t tx_palette_size(const struct tx_source *source)
{
	return gx_texfmt_palette_entries(source->format) * 2;
}

/* The entries lie on a line each, sixteen times over.  A line that nothing was written to since the log began is not in its
 * TMEM image there: logs have Dolphin's, where a palette is in a row. */
static const uint8_t *fetch_spread(const struct gx_memory *memory, const struct tx_source *source, uint8_t *scratch)
{
	uint32_t first = source->tlut / 32, linear = source->tlut - GX_TMEM_SIZE / 2;

	for (uint32_t i = 0; i < tx_palette_size(source) / 2; i++) {
		bool written = first + i < GX_TMEM_LINES && memory->tags[first + i];
		if (memory->initial_tmem && !written && linear + 2 * i + 2 <= memory->initial_tmem_size)
			memcpy(scratch + 2 * i, memory->initial_tmem + linear + 2 * i, 2);
		else
			read_tmem(memory, (first + i) * 32, scratch + 2 * i, 2);
	}
	return scratch;
}

const uint8_t *tx_fetch_palette(const struct gx_memory *memory, const struct tx_source *source, uint8_t *scratch)
{
	uint32_t size = tx_palette_size(source);
	if (source->spread)
		return fetch_spread(memory, source, scratch);
	if (source->tlut <= GX_TMEM_SIZE && size <= GX_TMEM_SIZE - source->tlut)
		return memory->tmem + source->tlut;
	read_tmem(memory, source->tlut, scratch, size);
	return scratch;
}

uint32_t tx_texel_address(const struct tx_source *source, uint32_t s, uint32_t t)
{
	unsigned tile_width, tile_height, tile_bytes;
	gx_texfmt_tile(source->format, &tile_width, &tile_height, &tile_bytes);
	uint32_t tiles = (source->width + tile_width - 1) / tile_width;
	uint32_t offset = (uint32_t)gx_texfmt_offset(source->format, tiles, s, t);
	if (source->from_tmem && source->format == GX_FORMAT_RGBA8)
		offset = offset / 64 * 32 + offset % 64; /* only the A R lines lie there */
	return source->address + offset;
}
