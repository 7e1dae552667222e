/* cache.c - compiled shaders to be used again (spec 01 section 1)
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "gfx3d/csir.h"

#define ENTRIES 8 /* a power of two */

struct entry {
	struct csir_shader *shader; /* NULL: free */
	uint32_t hash;
	size_t size;
	char *source;
	struct g3_quirks quirks;
};

struct csir_cache {
	struct entry entry[ENTRIES];
	uint64_t sources, found;
};

struct csir_cache *csir_cache_create(void)
{
	return calloc(1, sizeof(struct csir_cache));
}

static void drop(struct entry *e)
{
	if (e->shader)
		csir_shader_finish(e->shader);
	free(e->shader);
	free(e->source);
	memset(e, 0, sizeof *e);
}

void csir_cache_destroy(struct csir_cache *cache)
{
	if (!cache)
		return;
	for (unsigned i = 0; i < ENTRIES; i++)
		drop(&cache->entry[i]);
	free(cache);
}

void csir_cache_counts(const struct csir_cache *cache, uint64_t *sources, uint64_t *found)
{
	*sources = cache->sources;
	*found = cache->found;
}

/* FNV-1a of stage and text. */
static uint32_t hash_of(enum csir_stage stage, const char *source, size_t size)
{
	uint32_t hash = (2166136261u ^ (uint32_t)stage) * 16777619u;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ (uint8_t)source[i]) * 16777619u;
	return hash;
}

static struct entry *find(struct csir_cache *cache, uint32_t hash, enum csir_stage stage, const char *name, const char *source, size_t size,
	const struct g3_quirks *quirks)
{
	for (unsigned i = 0; i < ENTRIES; i++) {
		struct entry *e = &cache->entry[i];

		if (e->shader && e->hash == hash && e->size == size && e->shader->stage == stage && !memcmp(e->source, source, size) &&
			!strcmp(e->shader->name, name) && !memcmp(e->quirks.v, quirks->v, sizeof quirks->v))
			return e;
	}
	return NULL;
}

/* Lack of memory only means that the shader is not kept. */
static void keep(struct csir_cache *cache, uint32_t hash, const struct csir_shader *shader, const char *source, size_t size,
	const struct g3_quirks *quirks)
{
	struct entry *e = &cache->entry[hash & (ENTRIES - 1)];

	for (unsigned i = 0; i < ENTRIES; i++)
		if (!cache->entry[i].shader) {
			e = &cache->entry[i];
			break;
		}
	drop(e);
	e->source = malloc(size + 1);
	e->shader = malloc(sizeof *e->shader);
	if (e->source && e->shader && csir_shader_copy(e->shader, shader)) {
		memcpy(e->source, source, size);
		e->hash = hash;
		e->size = size;
		e->quirks = *quirks;
		return;
	}
	free(e->shader);
	e->shader = NULL;
	drop(e);
}

bool csir_compile_cached(struct csir_cache *cache, struct csir_shader *shader, enum csir_stage stage, const char *name, const char *source,
	size_t size, const struct g3_quirks *quirks, struct csir_log *log, struct qs_error *error)
{
	uint32_t hash = hash_of(stage, source, size);
	const struct entry *e = find(cache, hash, stage, name, source, size, quirks);

	cache->sources++;
	if (e && csir_shader_copy(shader, e->shader)) {
		cache->found++;
		if (log)
			memset(log, 0, sizeof *log);
		return true;
	}
	if (!csir_compile(shader, stage, name, source, size, quirks, true, log, error))
		return false;
	keep(cache, hash, shader, source, size, quirks);
	return true;
}
