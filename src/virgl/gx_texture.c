/* gx_texture.c - the machine's textures on the host: decoded levels in one picture each
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "virgl/gx_inside.h"

/* Levels that a lookup can reach. */
static unsigned level_count(const struct tx_map *map)
{
	int32_t last = map->max_lod > map->min_lod ? map->max_lod : map->min_lod;
	unsigned n = map->mip ? (unsigned)(last + 15) / 16 + 2 : 1;

	return n < TX_LEVELS ? n : TX_LEVELS;
}

static uint32_t twice_power(uint32_t height)
{
	uint32_t p = 1;

	while (p < height)
		p *= 2;
	return 2 * p;
}

static uint32_t level_row(uint32_t twice, unsigned level)
{
	return twice - (twice >> level) + level;
}

static unsigned bucket_of(const struct tx_source *source, unsigned levels)
{
	return (unsigned)hash_bytes(source, sizeof *source, levels) & 255;
}

static void destroy(struct gx_virgl *v, struct gx_host_texture *texture)
{
	virgl_object_destroy(v->device, texture->view);
	virgl_resource_destroy(v->device, texture->texture);
	free(texture);
	v->textures--;
}

/* Throws away what was not used for longest; nothing of the draw in progress. */
static void make_room(struct gx_virgl *v)
{
	struct gx_host_texture **oldest = NULL;

	if (v->textures < GX_TEXTURES)
		return;
	for (unsigned i = 0; i < 256; i++)
		for (struct gx_host_texture **p = &v->texture[i]; *p; p = &(*p)->next)
			if ((*p)->used != v->clock && (!oldest || (*p)->used < (*oldest)->used))
				oldest = p;
	if (!oldest)
		return;
	struct gx_host_texture *texture = *oldest;
	*oldest = texture->next;
	destroy(v, texture);
}

void gx_host_textures_forget(struct gx_virgl *v)
{
	for (unsigned i = 0; i < 256; i++)
		while (v->texture[i]) {
			struct gx_host_texture *next = v->texture[i]->next;
			free(v->texture[i]);
			v->texture[i] = next;
		}
	v->textures = 0;
}

void gx_host_textures_doubt(struct gx_virgl *v)
{
	for (unsigned i = 0; i < 256; i++)
		for (struct gx_host_texture *t = v->texture[i]; t; t = t->next)
			t->checked = false;
}

/* All levels under each other, as gx_sample.c looks for them. */
static bool upload(struct gx_virgl *v, struct gx_host_texture *texture, const struct tx_level *const *level, struct qs_error *error)
{
	uint32_t width = texture->source[0].width, height = texture->source[0].height, twice = twice_power(height);
	uint32_t rows = texture->levels > 1 ? level_row(twice, TX_LEVELS) + 1 : height;
	size_t size = (size_t)width * rows;
	bool ok;

	if (texture->levels == 1) {
		v->statistics.uploads++;
		return virgl_upload(v->device, texture->texture, 0, (struct virgl_rect){0, 0, width, height}, level[0]->texels, error);
	}
	if (v->atlas_size < size) {
		free(v->atlas);
		v->atlas = malloc(size * sizeof *v->atlas);
		v->atlas_size = v->atlas ? size : 0;
	}
	if (!v->atlas) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for a texture with its levels.");
		return false;
	}
	memset(v->atlas, 0, size * sizeof *v->atlas);
	for (unsigned i = 0; i < texture->levels; i++) {
		uint32_t row = level_row(twice, i), w = texture->source[i].width, h = texture->source[i].height;
		for (uint32_t y = 0; y < h; y++)
			memcpy(v->atlas + (size_t)(row + y) * width, level[i]->texels + (size_t)y * w, w * sizeof *v->atlas);
	}
	v->statistics.uploads++;
	ok = virgl_upload(v->device, texture->texture, 0, (struct virgl_rect){0, 0, width, rows}, v->atlas, error);
	return ok;
}

static struct gx_host_texture *create(struct gx_virgl *v, const struct tx_source *source, unsigned levels, struct qs_error *error)
{
	struct gx_host_texture *texture = calloc(1, sizeof *texture);
	uint32_t height = levels > 1 ? level_row(twice_power(source->height), TX_LEVELS) + 1 : source->height;

	make_room(v);
	if (!texture) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for a texture.");
		return NULL;
	}
	memcpy(texture->source, source, levels * sizeof *source);
	texture->levels = levels;
	texture->texture = virgl_texture_create(v->device, &(struct virgl_texture){.format = VIRGL_FORMAT_R8G8B8A8_UNORM,
		.bind = VIRGL_BIND_SAMPLER, .width = source->width, .height = height}, error);
	texture->view = virgl_view_create(v->device, texture->texture, 0, 0);
	if (!texture->texture) {
		free(texture);
		return NULL;
	}
	v->textures++;
	v->statistics.textures++;
	return texture;
}

static struct gx_host_texture *find(struct gx_virgl *v, const struct tx_source *source, unsigned levels, struct qs_error *error)
{
	struct gx_host_texture **bucket = &v->texture[bucket_of(source, levels)], *texture = *bucket;

	while (texture && (texture->levels != levels || memcmp(texture->source, source, levels * sizeof *source)))
		texture = texture->next;
	if (texture)
		return texture;
	texture = create(v, source, levels, error);
	if (!texture)
		return NULL;
	bucket = &v->texture[bucket_of(source, levels)];
	texture->next = *bucket;
	*bucket = texture;
	return texture;
}

/* Brings the texture up to date: memory may have been written since. */
static bool refresh(struct gx_virgl *v, struct gx_machine *m, struct gx_host_texture *texture, bool fresh, struct qs_error *error)
{
	const struct tx_level *level[TX_LEVELS];
	uint64_t hash = 0;

	if (!fresh && texture->checked && texture->main_generation == m->memory.main_generation && texture->tmem_generation == m->memory.tmem_generation)
		return true;
	for (unsigned i = 0; i < texture->levels; i++) {
		level[i] = tx_cache_level(&m->tx->cache, &m->memory, &texture->source[i]);
		if (!level[i]) {
			qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for a texture.");
			return false;
		}
		hash = hash_bytes(level[i]->texels, (size_t)texture->source[i].width * texture->source[i].height * 4, hash);
	}
	texture->main_generation = m->memory.main_generation;
	texture->tmem_generation = m->memory.tmem_generation;
	texture->checked = true;
	if (!fresh && hash == texture->hash)
		return true;
	texture->hash = hash;
	return upload(v, texture, level, error);
}

bool gx_host_textures(struct gx_virgl *v, struct gx_machine *m, const struct gx_key *key, virgl_id views[TX_MAPS], unsigned *count,
	struct qs_error *error)
{
	struct tx_source source[TX_LEVELS];
	struct tx_rules rules = m->tx->rules;

	rules.cached = false; /* from memory itself: lines of TMEM know nothing of what a host reads */
	*count = 0;
	memset(views, 0, TX_MAPS * sizeof *views);
	v->clock++;
	for (unsigned i = 0; i < TX_MAPS; i++) {
		const struct tx_map *map = &m->tx->map[i];
		unsigned levels = level_count(map);

		if (!key->map[i].used)
			continue;
		memset(source, 0, sizeof source);
		for (unsigned k = 0; k < levels; k++)
			tx_locate(map, k, &rules, &source[k]);
		struct gx_host_texture *texture = find(v, source, levels, error);
		if (!texture || !refresh(v, m, texture, !texture->hash, error))
			return false;
		texture->used = v->clock;
		views[i] = texture->view;
		*count = i + 1;
	}
	return true;
}
