/* tx_record.c - what a lookup did, for the debugger
 *
 * Follows the same levels, texels and weights as the loops of tx.c, one fragment at a time.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "core/bits.h"
#include "gx/texfmt.h"
#include "gx/tx.h"

static int32_t wrap_one(unsigned mode, uint32_t size, int32_t c)
{
	if (mode == 1)
		return c & (int32_t)(size - 1);
	if (mode == 2)
		return ((uint32_t)c & size ? ~c : c) & (int32_t)(size - 1);
	return clamp_int(c, 0, (int32_t)size - 1);
}

/* Where the texel lay in the cache. */
static void add_line(const struct gx_machine *m, struct qs_texel *texel, const struct tx_level *lv, unsigned quad)
{
	unsigned tile_width, tile_height, tile_bytes;
	uint8_t bytes[64];
	gx_texfmt_tile(lv->source.format, &tile_width, &tile_height, &tile_bytes);
	uint32_t tile = (uint32_t)texel->t / tile_height * lv->columns + (uint32_t)texel->s / tile_width;
	texel->line = lv->line[tile * lv->lines];
	texel->cache = tx_tiles_missed(m->tx, lv, tile, quad) ? QS_CACHE_MISS : QS_CACHE_HIT;
	gx_memory_read(&m->memory, lv->source.address + tile * tile_bytes, bytes, tile_bytes);
	texel->stale = memcmp(bytes, lv->bytes + (size_t)tile * tile_bytes, tile_bytes) != 0;
}

static void add_texel(const struct gx_machine *m, struct qs_sample *r, const struct tx_level *lv, unsigned level, int32_t s,
	int32_t t, uint32_t weight, unsigned quad)
{
	struct qs_texel *texel = &r->texel[r->texel_count++];
	texel->s = s;
	texel->t = t;
	texel->level = (uint8_t)level;
	texel->weight = (uint16_t)weight;
	texel->address = tx_texel_address(&lv->source, (uint32_t)s, (uint32_t)t);
	texel_unpack(lv->texels[(uint32_t)t * lv->source.width + (uint32_t)s], texel->rgba);
	if (lv->source.cached)
		add_line(m, texel, lv, quad);
}

static void add_level(struct gx_machine *m, struct qs_sample *r, const struct tx_map *map, unsigned level, unsigned quad,
	int32_t at_s, int32_t at_t)
{
	const struct tx_level *lv = m->tx->level[r->map][level];
	if (!lv)
		return;
	uint32_t width = lv->source.width, height = lv->source.height;
	if (!r->linear) {
		add_texel(m, r, lv, level, wrap_one(map->wrap_s, width, shift_floor(at_s, level + 7)),
			wrap_one(map->wrap_t, height, shift_floor(at_t, level + 7)), 16384u / r->positions, quad);
		return;
	}
	int32_t s = (int32_t)((uint32_t)shift_floor(at_s, level) - 64u), t = (int32_t)((uint32_t)shift_floor(at_t, level) - 64u);
	uint32_t fs = (uint32_t)s & 127, ft = (uint32_t)t & 127;
	int apart = m->tx->rules.predict && map->predict ? 2 : 1;
	if (m->tx->bilinear) { /* 6-bit fractions */
		fs &= 126;
		ft &= 126;
	}
	for (int k = 0; k < 4; k++)
		add_texel(m, r, lv, level, wrap_one(map->wrap_s, width, shift_floor(s, 7) + (k & 1)),
			wrap_one(map->wrap_t, height, shift_floor(t, 7) + (k >> 1) * apart),
			(k & 1 ? fs : 128 - fs) * (k & 2 ? ft : 128 - ft) / r->positions, quad);
}

void tx_record(struct gx_machine *m, const struct gx_batch *b, unsigned map, unsigned coord, const int32_t *s, const int32_t *t,
	const struct tx_choice *choice, struct qs_sample *const *sample)
{
	const struct tx_map *tm = &m->tx->map[map];
	unsigned extra = m->tx->trilinear ? 1 : 0; /* records count in 1/16 levels */
	for (unsigned i = 0; i < b->fragments; i++) {
		const struct tx_choice *c = &choice[i / 4];
		struct qs_sample *r = sample[i];
		if (!r)
			continue;
		memset(r, 0, sizeof *r);
		if (!b->live[i] && m->tx->rules.cached)
			continue; /* fetches nothing */
		r->done = true;
		r->map = (uint8_t)map;
		r->coord = (uint8_t)coord;
		r->s = s[i];
		r->t = t[i];
		r->lod = c->lod >> extra;
		r->lod_fraction = c->fraction >> extra;
		r->linear = c->linear;
		r->from_tmem = tm->preloaded;
		r->positions = c->positions;
		for (unsigned k = 0; k < c->positions; k++) {
			int32_t at_s = (int32_t)((uint32_t)s[i] + (uint32_t)tx_position(c, 0, k));
			int32_t at_t = (int32_t)((uint32_t)t[i] + (uint32_t)tx_position(c, 1, k));
			add_level(m, r, tm, c->level, i / 4, at_s, at_t);
			if (c->fraction)
				add_level(m, r, tm, c->level + 1u, i / 4, at_s, at_t);
		}
		for (unsigned k = 0; k < 4; k++)
			r->rgba[k] = (uint8_t)b->texel[k][i];
	}
}
