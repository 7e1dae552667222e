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

static void add_texel(struct qs_sample *r, const struct tx_level *lv, unsigned level, int32_t s, int32_t t, uint32_t weight)
{
	struct qs_texel *texel = &r->texel[r->texel_count++];
	texel->s = s;
	texel->t = t;
	texel->level = (uint8_t)level;
	texel->weight = (uint16_t)weight;
	texel->address = tx_texel_address(&lv->source, (uint32_t)s, (uint32_t)t);
	texel_unpack(lv->texels[(uint32_t)t * lv->source.width + (uint32_t)s], texel->rgba);
}

static void add_level(struct gx_machine *m, struct qs_sample *r, const struct tx_map *map, unsigned level)
{
	const struct tx_level *lv = m->tx->level[r->map][level];
	if (!lv)
		return;
	uint32_t width = lv->source.width, height = lv->source.height;
	if (!r->linear) {
		add_texel(r, lv, level, wrap_one(map->wrap_s, width, shift_floor(r->s, level + 7)),
			wrap_one(map->wrap_t, height, shift_floor(r->t, level + 7)), 16384);
		return;
	}
	int32_t s = (int32_t)((uint32_t)shift_floor(r->s, level) - 64u), t = (int32_t)((uint32_t)shift_floor(r->t, level) - 64u);
	uint32_t fs = (uint32_t)s & 127, ft = (uint32_t)t & 127;
	if (m->tx->bilinear) { /* 6-bit fractions */
		fs &= 126;
		ft &= 126;
	}
	for (int k = 0; k < 4; k++)
		add_texel(r, lv, level, wrap_one(map->wrap_s, width, shift_floor(s, 7) + (k & 1)),
			wrap_one(map->wrap_t, height, shift_floor(t, 7) + (k >> 1)),
			(k & 1 ? fs : 128 - fs) * (k & 2 ? ft : 128 - ft));
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
		r->done = true;
		r->map = (uint8_t)map;
		r->coord = (uint8_t)coord;
		r->s = s[i];
		r->t = t[i];
		r->lod = c->lod >> extra;
		r->lod_fraction = c->fraction >> extra;
		r->linear = c->linear;
		r->from_tmem = tm->preloaded;
		add_level(m, r, tm, c->level);
		if (c->fraction)
			add_level(m, r, tm, c->level + 1u);
		for (unsigned k = 0; k < 4; k++)
			r->rgba[k] = (uint8_t)b->texel[k][i];
	}
}
