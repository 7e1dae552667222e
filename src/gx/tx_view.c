/* tx_view.c - the textures of the machine's state, for people
 *
 * Decodes directly from memory; the cache of the drawing path is not touched, so looking never changes what is drawn.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "core/bits.h"
#include "gx/texfmt.h"
#include "gx/tx.h"

static bool check_map(unsigned map, struct qs_error *error)
{
	if (map < TX_MAPS)
		return true;
	qs_error_set(error, QS_ERR_RANGE, 0, "There is no texture map %u: maps are numbered 0 to 7.", map);
	return false;
}

/* Whether a TEV stage or an indirect stage that GEN_MODE enables reads the map. */
static bool map_used(const uint32_t *bp, unsigned map)
{
	unsigned stages = bits(bp[0x00], 10, 4) + 1, indirect = bits(bp[0x00], 16, 3);
	for (unsigned i = 0; i < stages; i++) {
		uint32_t order = bits(bp[0x28 + i / 2], i & 1 ? 12 : 0, 10);
		if (bits(order, 6, 1) && bits(order, 0, 3) == map)
			return true;
	}
	for (unsigned i = 0; i < indirect && i < 4; i++)
		if (bits(bp[0x27], 6 * i, 3) == map)
			return true;
	return false;
}

/* Levels the filter can reach: those the LOD limits allow (a lower limit above the upper one counts too), down to 1x1. */
static uint32_t level_count(const struct tx_map *map)
{
	int32_t limit = map->max_lod > map->min_lod ? map->max_lod : map->min_lod;
	uint32_t largest = map->width > map->height ? map->width : map->height, count = 1;
	if (!map->mip)
		return 1;
	while (count < TX_LEVELS && largest >> count && (int32_t)(count - 1) * 16 < limit)
		count++;
	return count;
}

bool gx_view_texture(const struct gx_machine *m, unsigned map, struct qs_texture *texture, struct qs_error *error)
{
	struct tx_map tm;
	if (!check_map(map, error))
		return false;
	tx_decode_map(m->state.bp, map, &tm);
	memset(texture, 0, sizeof *texture);
	texture->map = (uint8_t)map;
	texture->used = map_used(m->state.bp, map);
	texture->preloaded = tm.preloaded;
	texture->address = tm.preloaded ? tm.even : tm.base;
	texture->width = tm.width;
	texture->height = tm.height;
	texture->format = tm.format;
	texture->levels = level_count(&tm);
	texture->tlut_entries = gx_texfmt_palette_entries(tm.format);
	if (texture->tlut_entries) {
		texture->tlut_address = tm.tlut + (m->quirk[GX_QUIRK_tlut_place] ? 0 : GX_TMEM_SIZE / 2);
		texture->tlut_format = tm.tlut_format;
	}
	texture->wrap_s = tm.wrap_s;
	texture->wrap_t = tm.wrap_t;
	texture->min_filter = tm.min_linear;
	texture->mag_filter = tm.mag_linear;
	texture->mip_filter = tm.mip;
	texture->min_lod = (float)tm.min_lod / 16.0f;
	texture->max_lod = (float)tm.max_lod / 16.0f;
	texture->lod_bias = (float)tm.bias / 32.0f;
	return true;
}

static bool image_create(struct qs_image *image, uint32_t width, uint32_t height, const uint32_t *texels, struct qs_error *error)
{
	size_t count = (size_t)width * height;
	memset(image, 0, sizeof *image);
	image->rgba = malloc(count * 4);
	if (!image->rgba) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for a picture of %u x %u texels.", width, height);
		return false;
	}
	image->width = width;
	image->height = height;
	for (size_t i = 0; i < count; i++)
		texel_unpack(texels[i], image->rgba + i * 4);
	return true;
}

/* False: there is no such map or level. */
static bool find_level(const struct gx_machine *m, unsigned map, unsigned level, struct tx_source *source, struct qs_error *error)
{
	struct tx_map tm;
	if (!check_map(map, error))
		return false;
	tx_decode_map(m->state.bp, map, &tm);
	if (level >= level_count(&tm)) {
		qs_error_set(error, QS_ERR_RANGE, 0, "Texture map %u has no level %u: its levels are numbered 0 to %u.", map, level,
			level_count(&tm) - 1);
		return false;
	}
	struct tx_rules rules = tx_rules_of(m);
	tx_locate(&tm, level, &rules, source);
	return true;
}

bool gx_view_texture_level(const struct gx_machine *m, unsigned map, unsigned level, struct qs_texture_level *place,
	struct qs_error *error)
{
	struct tx_source source;
	if (!find_level(m, map, level, &source, error))
		return false;
	*place = (struct qs_texture_level){source.width, source.height, source.format, source.address, source.size, source.from_tmem};
	return true;
}

uint32_t qs_texture_texel_address(const struct qs_texture_level *level, uint32_t s, uint32_t t)
{
	struct tx_source source = {.address = level->address, .width = level->width, .height = level->height,
		.format = (uint8_t)(level->format & 15), .from_tmem = level->from_tmem};
	return tx_texel_address(&source, s, t);
}

bool gx_view_texture_image(const struct gx_machine *m, unsigned map, unsigned level, struct qs_image *image,
	struct qs_error *error)
{
	struct tx_source source;
	uint8_t palette_scratch[32768];
	if (!find_level(m, map, level, &source, error))
		return false;
	uint8_t *scratch = malloc(source.size);
	uint32_t *texels = malloc((size_t)source.width * source.height * 4);
	bool ok = scratch && texels;
	if (ok) {
		const uint8_t *bytes = tx_fetch(&m->memory, &source, scratch);
		const uint8_t *palette = tx_palette_size(&source) ? tx_fetch_palette(&m->memory, &source, palette_scratch) : NULL;
		gx_texfmt_decode(source.format, bytes, source.size, source.width, source.height, palette, source.tlut_format, texels);
		ok = image_create(image, source.width, source.height, texels, error);
	} else {
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory to decode texture map %u.", map);
	}
	free(scratch);
	free(texels);
	return ok;
}

bool gx_view_tlut_image(const struct gx_machine *m, unsigned map, struct qs_image *image, struct qs_error *error)
{
	struct tx_map tm;
	struct tx_source source;
	uint8_t palette_scratch[32768];
	if (!check_map(map, error))
		return false;
	tx_decode_map(m->state.bp, map, &tm);
	unsigned entries = gx_texfmt_palette_entries(tm.format);
	if (!entries) {
		qs_error_set(error, QS_ERR_RANGE, 0, "Texture map %u has no palette: its format is %s.", map,
			qs_texture_format_name(tm.format));
		return false;
	}
	struct tx_rules rules = tx_rules_of(m);
	tx_locate(&tm, 0, &rules, &source);
	const uint8_t *palette = tx_fetch_palette(&m->memory, &source, palette_scratch);
	uint32_t *texels = malloc(entries * sizeof *texels);
	if (!texels) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory to decode the palette of texture map %u.", map);
		return false;
	}
	for (unsigned i = 0; i < entries; i++)
		texels[i] = gx_texfmt_entry(palette, i, source.tlut_format);
	bool ok = image_create(image, 16, entries / 16, texels, error);
	free(texels);
	return ok;
}
