/* tx_cache.c - decoded texture levels
 *
 * A level is decoded once and kept with a copy of the bytes it was decoded from.  When memory was written since it was
 * last looked at, the copy is compared with memory; only a difference costs a decode.  (Comparing bytes, not hashes:
 * two contents can never be mistaken for each other.)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "gx/texfmt.h"
#include "gx/tx.h"

#define PALETTE_BYTES 32768

static unsigned bucket_of(const struct tx_source *source)
{
	uint32_t h = source->address * 2654435761u;
	h = (h ^ (source->width << 20 | source->height << 8 | source->format)) * 2246822519u;
	h ^= source->tlut * 3266489917u ^ source->address_gb ^ source->tlut_format ^ (source->line[0] << 8 | source->line[1]);
	return (h ^ h >> 15) % TX_CACHE_BUCKETS;
}

static size_t level_bytes(const struct tx_level *level)
{
	return sizeof *level + (size_t)level->source.width * level->source.height * 4 + level->source.size + level->palette_size +
		(size_t)level->tiles * level->lines * (sizeof *level->line + sizeof *level->stamp);
}

static void level_destroy(struct tx_level *level)
{
	if (!level)
		return;
	free(level->texels);
	free(level->bytes);
	free(level->palette);
	free(level->line);
	free(level->stamp);
	free(level);
}

static struct tx_level *level_create(const struct tx_source *source)
{
	struct tx_level *level = calloc(1, sizeof *level);
	if (!level)
		return NULL;
	level->source = *source;
	level->palette_size = tx_palette_size(source);
	level->texels = calloc((size_t)source->width * source->height, 4); /* of tiles that no fragment asks for */
	level->bytes = malloc(source->size);
	level->palette = level->palette_size ? malloc(level->palette_size) : NULL;
	if (!level->texels || !level->bytes || (level->palette_size && !level->palette) || (source->cached && !tx_tiles_init(level))) {
		level_destroy(level);
		return NULL;
	}
	return level;
}

/* Throws away the level that was not used for longest, if any draw but the current one used it. */
static bool drop_oldest(struct tx_cache *cache)
{
	struct tx_level **oldest = NULL;
	for (unsigned i = 0; i < TX_CACHE_BUCKETS; i++)
		for (struct tx_level **p = &cache->bucket[i]; *p; p = &(*p)->next)
			if ((*p)->used != cache->serial && (!oldest || (*p)->used < (*oldest)->used))
				oldest = p;
	if (!oldest)
		return false;
	struct tx_level *level = *oldest;
	*oldest = level->next;
	cache->bytes -= level_bytes(level);
	cache->count--;
	level_destroy(level);
	return true;
}

static bool over(const struct tx_cache *cache, unsigned eighths)
{
	return cache->bytes > cache->limit / 8 * eighths || cache->count > TX_CACHE_LEVELS / 8 * eighths;
}

void tx_cache_begin(struct tx_cache *cache)
{
	cache->serial++;
	if (!over(cache, 8))
		return;
	while (over(cache, 6) && drop_oldest(cache))
		;
}

void tx_cache_finish(struct tx_cache *cache)
{
	for (unsigned i = 0; i < TX_CACHE_BUCKETS; i++)
		while (cache->bucket[i]) {
			struct tx_level *next = cache->bucket[i]->next;
			level_destroy(cache->bucket[i]);
			cache->bucket[i] = next;
		}
	free(cache->scratch);
	memset(cache, 0, sizeof *cache);
}

static bool reserve_scratch(struct tx_cache *cache, size_t size)
{
	if (cache->scratch_size >= size)
		return true;
	uint8_t *larger = realloc(cache->scratch, size);
	if (!larger)
		return false;
	cache->scratch = larger;
	cache->scratch_size = size;
	return true;
}

static bool same_generation(const struct tx_level *level, const struct gx_memory *memory)
{
	bool uses_tmem = level->source.from_tmem || level->palette_size;
	return (level->source.from_tmem || level->source.cached || level->main_generation == memory->main_generation) &&
		(!uses_tmem || level->tmem_generation == memory->tmem_generation);
}

/* Tiles come when they are touched; but all are decoded again when the palette is another. */
static void refresh_palette(struct tx_level *level, const struct gx_memory *memory, bool fresh)
{
	uint8_t scratch[PALETTE_BYTES];
	level->tmem_generation = memory->tmem_generation;
	if (!level->palette_size)
		return;
	const uint8_t *palette = tx_fetch_palette(memory, &level->source, scratch);
	if (!fresh && !memcmp(palette, level->palette, level->palette_size))
		return;
	memcpy(level->palette, palette, level->palette_size);
	memset(level->stamp, 0, (size_t)level->tiles * level->lines * sizeof *level->stamp);
	level->whole_at = level->looked_at = 0;
}

/* Brings the level up to date with memory; fresh: nothing decoded yet. */
static void refresh(struct tx_cache *cache, struct tx_level *level, const struct gx_memory *memory, bool fresh)
{
	uint8_t palette_scratch[PALETTE_BYTES];
	const struct tx_source *source = &level->source;
	const uint8_t *bytes = tx_fetch(memory, source, cache->scratch);
	const uint8_t *palette = level->palette_size ? tx_fetch_palette(memory, source, palette_scratch) : NULL;
	level->main_generation = memory->main_generation;
	level->tmem_generation = memory->tmem_generation;
	if (!fresh && !memcmp(bytes, level->bytes, source->size) &&
		(!palette || !memcmp(palette, level->palette, level->palette_size)))
		return;
	memcpy(level->bytes, bytes, source->size);
	if (palette)
		memcpy(level->palette, palette, level->palette_size);
	gx_texfmt_decode(source->format, level->bytes, source->size, source->width, source->height, level->palette,
		source->tlut_format, level->texels);
	cache->decoded++;
}

const struct tx_level *tx_cache_level(struct tx_cache *cache, const struct gx_memory *memory, const struct tx_source *source)
{
	unsigned bucket = bucket_of(source);
	struct tx_level *level = cache->bucket[bucket];
	while (level && memcmp(&level->source, source, sizeof *source))
		level = level->next;
	bool fresh = !level;
	if (level) {
		level->used = cache->serial;
		if (same_generation(level, memory))
			return level;
	}
	if (!source->cached && !reserve_scratch(cache, source->size))
		return NULL;
	if (fresh) {
		level = level_create(source);
		if (!level)
			return NULL;
		level->used = cache->serial;
		level->next = cache->bucket[bucket];
		cache->bucket[bucket] = level;
		cache->bytes += level_bytes(level);
		cache->count++;
	}
	if (source->cached)
		refresh_palette(level, memory, fresh);
	else
		refresh(cache, level, memory, fresh);
	return level;
}
