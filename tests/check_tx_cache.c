/* check_tx_cache.c - texture unit: the cache in texture memory, and decoded levels
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "texture.h"

/* ---- the texture cache --------------------------------------------------------------------------------------------------------- */

#define REGION (3u << 15 | 3u << 18) /* 32 KB: 32 by 32 tiles */

/* Writes, invalidations and lookups of texel (0, 0) in turn; I8, one tile at 0x1000. */
static const struct {
	const char *name;
	const char *steps; /* 'w' the byte changes, 'r' it is written as it was, 'i' INVTAGS of all, 'x' of the other half, 'c' of another
			    * region, 'o' another texture takes the line, 'b' LOADBLOCK over the line, '.' lookup */
	int texel;
	enum qs_cache cache;
	bool stale;
} cached[] = {
	{"first lookup fetches", ".", 0, QS_CACHE_MISS, false},
	{"second lookup hits", "..", 0, QS_CACHE_HIT, false},
	{"written before", "w.", 1, QS_CACHE_MISS, false},
	{"written after: the old line", ".w.", 0, QS_CACHE_HIT, true},
	{"written back: no longer stale", ".wr.", 0, QS_CACHE_HIT, false},
	{"invalidated", ".wi.", 1, QS_CACHE_MISS, false},
	{"invalidated before the write and not looked up", ".iw.", 1, QS_CACHE_MISS, false},
	{"invalidated, fetched, then written", ".i.w.", 0, QS_CACHE_HIT, true},
	{"the other half invalidated", ".wx.", 0, QS_CACHE_HIT, true},
	{"another region invalidated", ".wc.", 0, QS_CACHE_HIT, true},
	{"replaced by another texture", ".wo.", 1, QS_CACHE_MISS, false},
	{"overwritten by a load", ".b.", 77, QS_CACHE_HIT, true},
	{"overwritten by a load, invalidated", ".bi.", 0, QS_CACHE_MISS, false},
};

static void cache_step(char step, struct qs_sample *sample)
{
	uint8_t byte = step == 'w', other[32];
	switch (step) {
	case 'w':
	case 'r':
		gx_memory_write(&m->memory, 0x1000, &byte, 1);
		break;
	case 'i':
		gx_write_bp(m, 0x66, 0x1000);
		gx_write_bp(m, 0x66, 0x1100);
		break;
	case 'x':
		gx_write_bp(m, 0x66, 0x1100);
		break;
	case 'c': /* 32 KB behind the region */
		gx_write_bp(m, 0x66, 4 << 9 | 16);
		break;
	case 'o':
		set_image(1, 1, 8, 4, 0x2000);
		set(1, 3, REGION);
		look_up(1, 0, 0, 0, NULL);
		break;
	case 'b':
		memset(other, 77, sizeof other);
		gx_memory_write(&m->memory, 0x3000, other, sizeof other);
		gx_write_bp(m, 0x60, 0x3000 >> 5);
		gx_write_bp(m, 0x61, 0);
		gx_write_bp(m, 0x63, 1);
		break;
	default:
		look_up(0, 0, 0, 0, sample);
		break;
	}
}

START_TEST(cache_step_by_step)
{
	struct qs_sample sample;
	set_image(0, 1, 8, 4, 0x1000);
	set(0, 3, REGION);
	for (const char *step = cached[_i].steps; *step; step++)
		cache_step(*step, &sample);
	ck_assert_msg(m->batch.texel[0][0] == cached[_i].texel && sample.texel[0].cache == cached[_i].cache &&
		sample.texel[0].stale == cached[_i].stale, "%s: texel %d, cache %d, stale %d", cached[_i].name, m->batch.texel[0][0],
		sample.texel[0].cache, sample.texel[0].stale);
}
END_TEST

START_TEST(without_cache_memory_is_read)
{
	struct qs_sample sample;
	m->quirk[GX_QUIRK_texture_cache] = 0;
	set_image(0, 1, 8, 4, 0x1000);
	set(0, 3, REGION);
	for (const char *step = ".w."; *step; step++)
		cache_step(*step, &sample);
	ck_assert_int_eq(m->batch.texel[0][0], 1);
	ck_assert(sample.texel[0].cache == QS_CACHE_NONE && !sample.texel[0].stale);
	ck_assert_uint_eq(m->memory.cached_lines, 0);
}
END_TEST

/* Where tiles go: even levels in the even region, odd ones in the odd region, RGBA8 in both. */
static const struct {
	const char *name;
	unsigned format;
	uint32_t width, height, image1, image2;
	int s, t;
	float step;
	uint32_t line, other; /* other: of G and B; 0: none */
	uint32_t address;
} places[] = {
	{"first tile", 1, 64, 64, REGION | 0x40, REGION | 0x4000, 0, 0, 0, 0x40, 0, 0x1000},
	{"next tile", 1, 64, 64, REGION | 0x40, REGION | 0x4000, 8, 0, 0, 0x41, 0, 0x1020},
	{"next row of tiles", 1, 64, 64, REGION | 0x40, REGION | 0x4000, 0, 4, 0, 0x40 + 32, 0, 0x1000 + 8 * 32},
	{"column 32 wraps", 1, 512, 8, REGION | 0x40, REGION | 0x4000, 256, 0, 0, 0x40, 0, 0x1000 + 32 * 32},
	{"row 32 wraps", 1, 8, 256, REGION | 0x40, REGION | 0x4000, 0, 128, 0, 0x40, 0, 0x1000 + 32 * 32},
	{"128 KB", 1, 512, 8, 4u << 15 | 4u << 18, 0, 256, 4, 0, 64 + 32, 0, 0x1000 + 64 * 32 + 32 * 32},
	{"another height", 1, 512, 256, 3u << 15 | 4u << 18, 0, 0, 128, 0, 32 * 32, 0, 0x1000 + 64 * 32 * 32},
	{"level 1", 1, 64, 64, REGION | 0x40, REGION | 0x4000, 0, 0, 2, 0x4000, 0, 0x1000 + 4096},
	{"level 2", 1, 64, 64, REGION | 0x40, REGION | 0x4000, 0, 0, 4, 0x40, 0, 0x1000 + 4096 + 1024},
	{"RGBA8", 6, 64, 64, REGION | 0x40, REGION | 0x4000, 4, 0, 0, 0x41, 0x4001, 0x1040},
	{"RGBA8, level 1", 6, 64, 64, REGION | 0x40, REGION | 0x4000, 0, 0, 2, 0x4000, 0x40, 0x1000 + 16384},
	{"the end of TMEM wraps", 1, 64, 64, REGION | 0x7FFF, 0, 8, 0, 0, 0, 0, 0x1020},
};

START_TEST(cache_place)
{
	struct qs_sample sample;
	set_image(0, places[_i].format, places[_i].width, places[_i].height, 0x1000);
	set(0, 0, 1 << 5);
	set(0, 1, 0x4000);
	set(0, 3, places[_i].image1);
	set(0, 4, places[_i].image2);
	look_up(0, places[_i].s * 128, places[_i].t * 128, places[_i].step, &sample);
	ck_assert_msg(sample.texel[0].cache == QS_CACHE_MISS && sample.texel[0].line == places[_i].line &&
		sample.texel[0].address == places[_i].address, "%s: cache %d line %x address %x", places[_i].name,
		sample.texel[0].cache, sample.texel[0].line, sample.texel[0].address);
	ck_assert_uint_eq(m->memory.tags[places[_i].line], GX_TAG_CACHED | places[_i].address >> 5);
	if (places[_i].other)
		ck_assert_uint_eq(m->memory.tags[places[_i].other], GX_TAG_CACHED | ((places[_i].address >> 5) + 1));
	ck_assert_uint_eq(m->memory.cached_lines, places[_i].other ? 2 : 1);
}
END_TEST

/* Without a region in SETIMAGE1 there is nothing to keep lines in. */
START_TEST(no_region_no_cache)
{
	struct qs_sample sample;
	set_image(0, 1, 8, 4, 0x1000);
	look_up(0, 0, 0, 0, &sample);
	ck_assert(sample.texel[0].cache == QS_CACHE_NONE);
	ck_assert_uint_eq(m->memory.cached_lines, 0);
}
END_TEST

START_TEST(dead_fragments_fetch_nothing)
{
	struct gx_batch *b = &m->batch;
	int32_t s[GX_BATCH] = {0, 8 * 128, 16 * 128, 24 * 128}, t[GX_BATCH] = {0};
	set_image(0, 1, 64, 4, 0x1000);
	set(0, 3, REGION);
	memset(b, 0, sizeof *b);
	b->quads = 1;
	b->fragments = 4;
	b->live[1] = b->live[3] = 1;
	gx_tx_begin_draw(m);
	gx_tx_sample(m, b, 0, 0, s, t, NULL, NULL, NULL);
	ck_assert_uint_eq(m->memory.cached_lines, 2);
	ck_assert_uint_eq(m->memory.tags[1], GX_TAG_CACHED | 0x81);
	ck_assert_uint_eq(m->memory.tags[3], GX_TAG_CACHED | 0x83);
}
END_TEST

/* Fetches can be taken back; lookups afterwards see what TMEM had before. */
START_TEST(fetches_are_undone)
{
	uint8_t byte = 9;
	struct qs_sample sample;
	set_image(0, 1, 8, 4, 0x1000);
	set_image(1, 1, 8, 4, 0x2000);
	set(0, 3, REGION);
	set(1, 3, REGION);
	look_up(0, 0, 0, 0, NULL);
	gx_memory_write(&m->memory, 0x1000, &byte, 1); /* stale from here */
	ck_assert(gx_tags_journal(&m->memory));
	look_up(1, 0, 0, 0, NULL);
	look_up(0, 0, 0, 0, NULL);
	ck_assert_int_eq(m->batch.texel[0][0], 9);
	ck_assert_uint_eq(m->memory.stale_lines, 0);
	ck_assert(gx_tags_undo(&m->memory));
	ck_assert_uint_eq(m->memory.stale_lines, 1);
	look_up(0, 0, 0, 0, &sample);
	ck_assert_int_eq(m->batch.texel[0][0], 0);
	ck_assert(sample.texel[0].cache == QS_CACHE_HIT && sample.texel[0].stale);
}
END_TEST

/* Whose line is whose: a cached tile, a stale one, a preloaded image, a palette. */
START_TEST(lines_for_people)
{
	static struct qs_tmem_line lines[QS_TMEM_LINES];
	uint8_t byte = 9;
	m->state.bp[0] = 1;
	m->state.bp[0x28] = 1 << 6; /* map 0 is read */
	set_image(0, 1, 16, 4, 0x1000);
	set(0, 3, REGION);
	look_up(0, 0, 0, 0, NULL);
	look_up(0, 8 * 128, 0, 0, NULL);
	gx_memory_write(&m->memory, 0x1020, &byte, 1);
	gx_write_bp(m, 0x60, 0x2000 >> 5);
	gx_write_bp(m, 0x61, 0x800);
	gx_write_bp(m, 0x63, 3);
	set_image(2, 9, 8, 8, 0);
	set(2, 3, 1u << 21 | 0x800);
	set(2, 6, 0x10);
	gx_write_bp(m, 0x64, 0x3000 >> 5);
	gx_write_bp(m, 0x65, 1 << 10 | 0x10);
	gx_view_tmem(m, lines);
	static const struct {
		uint32_t line;
		struct qs_tmem_line want;
	} cases[] = {
		{0, {0x1000, QS_TMEM_CACHED, 0, 0}}, {1, {0x1020, QS_TMEM_STALE, 0, 0}}, {2, {0, QS_TMEM_EMPTY, 255, 0}},
		{0x800, {0, QS_TMEM_LOADED, 2, 0}}, {0x802, {0, QS_TMEM_LOADED, 255, 0}},
		{0x4100, {0, QS_TMEM_TLUT, 2, QS_TMEM_PALETTE_LEVEL}}, {0x4110, {0, QS_TMEM_EMPTY, 2, QS_TMEM_PALETTE_LEVEL}},
		{0x4200, {0, QS_TMEM_EMPTY, 255, 0}},
	};
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct qs_tmem_line *l = &lines[cases[i].line], *want = &cases[i].want;
		ck_assert_msg(l->address == want->address && l->state == want->state && l->map == want->map && l->level == want->level,
			"line %x: address %x state %u map %u level %u", cases[i].line, l->address, l->state, l->map, l->level);
	}
}
END_TEST

/* Lookups of two maps that take each other's lines are made quad by quad. */
static const struct {
	const char *name;
	uint32_t tref, iref, indirect; /* GEN_MODE has one coordinate, two stages */
	uint32_t lines[2]; /* of maps 0 and 1: 32 KB regions */
	uint32_t width;
	unsigned limit;
} limits[] = {
	{"one lookup of a large map", 1 << 6, 0, 0, {0, 0x400}, 1024, 16},
	{"two maps, two regions", 1 << 6 | (1 << 6 | 1) << 12, 0, 0, {0, 0x400}, 64, 16},
	{"two maps, one region", 1 << 6 | (1 << 6 | 1) << 12, 0, 0, {0, 0x3FF}, 64, 1},
	{"the same map twice, it fits", 1 << 6 | 1 << 6 << 12, 0, 0, {0, 0x400}, 256, 16},
	{"the same map twice, too wide", 1 << 6 | 1 << 6 << 12, 0, 0, {0, 0x400}, 264, 1},
	{"an indirect lookup counts", 1 << 6, 1, 1, {0, 0x100}, 64, 1},
};

START_TEST(batch_limit)
{
	for (unsigned map = 0; map < 2; map++) {
		set_image(map, 1, limits[_i].width, 8, 0x1000 + 0x1000 * map);
		set(map, 3, REGION | limits[_i].lines[map]);
	}
	m->state.bp[0x00] = 1 | 1 << 10 | limits[_i].indirect << 16;
	m->state.bp[0x27] = limits[_i].iref;
	m->state.bp[0x28] = limits[_i].tref;
	gx_tx_begin_draw(m);
	ck_assert_msg(gx_tx_batch_limit(m) == limits[_i].limit, "%s: %u", limits[_i].name, gx_tx_batch_limit(m));
	m->quirk[GX_QUIRK_texture_cache] = 0;
	gx_tx_begin_draw(m);
	ck_assert_uint_eq(gx_tx_batch_limit(m), GX_BATCH_QUADS);
}
END_TEST

/* Coordinates as triangles make them: near to each other in a quad. */
static void coherent_batch(struct oracle_random *r, unsigned map, int32_t *s, int32_t *t)
{
	random_batch(r, map, s, t);
	for (unsigned i = 0; i < m->batch.fragments; i++) {
		s[i] = s[i & ~3u] + (int32_t)oracle_random_below(r, 700);
		t[i] = t[i & ~3u] + (int32_t)oracle_random_below(r, 700);
		m->batch.live[i] = oracle_random_below(r, 8) != 0;
	}
}

static void cached_map(struct oracle_random *r, unsigned map)
{
	random_map(r, map);
	/* small regions, so that lines are replaced; the odd ones end before the palette */
	set(map, 3, (1 + oracle_random_below(r, 3)) << 15 | (1 + oracle_random_below(r, 3)) << 18 | oracle_random_below(r, 0x1000));
	set(map, 4, (1 + oracle_random_below(r, 3)) << 15 | (1 + oracle_random_below(r, 3)) << 18 | 0x4000 | oracle_random_below(r, 0x400));
	set(map, 6, 0x80 | (oracle_random_next(r) & 0xC00));
}

/* Something changes under the cache. */
static void random_change(struct oracle_random *r, struct oracle_cache *cache)
{
	uint8_t noise[256];
	uint32_t first, count;
	switch (oracle_random_below(r, 8)) {
	case 0:
		first = oracle_random_below(r, 512) * 64;
		count = 64u << oracle_random_below(r, 9);
		gx_write_bp(m, 0x66, first >> 6 | (uint32_t)__builtin_ctz(count / 64) << 9);
		for (uint32_t i = first; i < first + count && i < GX_TMEM_LINES; i++)
			cache->line[i] = -1;
		break;
	case 1:
		first = oracle_random_below(r, 0x6000);
		count = 1 + oracle_random_below(r, 64);
		gx_write_bp(m, 0x60, oracle_random_below(r, MEM1_SIZE / 32 - 64));
		gx_write_bp(m, 0x61, first);
		gx_write_bp(m, 0x63, count);
		memcpy(cache->bytes + first * 32, m->memory.tmem + first * 32, count * 32);
		break;
	default:
		for (unsigned i = 0; i < sizeof noise; i++)
			noise[i] = (uint8_t)oracle_random_next(r);
		gx_memory_write(&m->memory, oracle_random_below(r, MEM1_SIZE), noise, 1 + oracle_random_below(r, sizeof noise));
		break;
	}
}

static void check_cached(const struct texture_oracle *o, unsigned map, const int32_t *s, const int32_t *t, uint64_t seed, unsigned round)
{
	const struct gx_batch *b = &m->batch;
	for (unsigned n = 0; n < 2 * b->fragments; n++) {
		unsigned i = n / 8 * 4 + n % 4; /* each quad twice */
		struct oracle_lookup want;
		o->cache->read = n & 4;
		if (n % 8 == 0)
			o->cache->count = 0;
		if (!b->live[i])
			continue;
		oracle_texture(o, map, &b->uv[3][0][i & ~3u], &b->uv[3][1][i & ~3u], s[i], t[i], &want);
		for (unsigned k = 0; o->cache->read && k < 4; k++)
			REQUIRE(b->texel[k][i] == want.rgba[k], "seed %llu batch %u fragment %u: channel %u is %d, not %u; map %u mode0 %06x mode1 %06x "
				"image0 %06x image1 %06x image2 %06x image3 %06x tlut %06x lod %d level %d fraction %d s %d t %d",
				(unsigned long long)seed, round, i, k, b->texel[k][i], want.rgba[k], map, map_word(map, 0), map_word(map, 1),
				map_word(map, 2), map_word(map, 3), map_word(map, 4), map_word(map, 5), map_word(map, 6), want.lod,
				want.level, want.fraction, s[i], t[i]);
	}
}

START_TEST(random_cached_lookups)
{
	struct oracle_random r = oracle_random_start();
	struct oracle_cache *cache = calloc(1, sizeof *cache);
	struct texture_oracle o = {.bp = m->state.bp, .main = m->memory.mem1, .main_size = MEM1_SIZE, .tmem = m->memory.tmem, .spread = true,
		.clamp_bias = true, .round = true, .cache = cache};
	int32_t s[GX_BATCH], t[GX_BATCH];
	unsigned map = 0;
	uint64_t fragments = 0;
	memset(cache->line, 0xFF, sizeof cache->line);
	for (unsigned i = 0; i < MEM1_SIZE; i += 4) {
		uint32_t word = oracle_random_next(&r);
		gx_memory_write(&m->memory, i, &word, 4);
	}
	for (unsigned round = 0; fragments < 1000000; round++) {
		if (round % 16 == 0) {
			map = oracle_random_below(&r, 8);
			cached_map(&r, map);
			if (m->state.bp[(map < 4 ? 0x88 : 0xA4) + map] >> 20 == 6) /* levels share lines: see quads_in_order */
				set(map, 0, map_word(map, 0) & ~0x60u);
			set(map, 0, map_word(map, 0) & ~(3u << 19)); /* positions are looked up one after the other for the whole quad */
		}
		if (oracle_random_below(&r, 3) == 0)
			random_change(&r, cache);
		coherent_batch(&r, map, s, t);
		gx_tx_begin_draw(m);
		gx_tx_sample(m, &m->batch, map, 3, s, t, NULL, NULL, NULL);
		check_cached(&o, map, s, t, r.seed, round);
		fragments += m->batch.fragments;
	}
	ck_assert(cache->hits > 0 && cache->misses > 0);
	for (unsigned i = 0; i < GX_TMEM_LINES; i++) {
		uint32_t tag = m->memory.tags[i];
		REQUIRE(cache->line[i] < 0 ? !(tag & GX_TAG_CACHED) : tag & GX_TAG_CACHED && (tag & GX_TAG_LINE) == (uint32_t)cache->line[i],
			"seed %llu: tag of line %u is %08x, of the oracle %llx", (unsigned long long)r.seed, i, tag, (unsigned long long)cache->line[i]);
		REQUIRE(cache->line[i] < 0 || !memcmp(cache->bytes + i * 32, m->memory.tmem + i * 32, 32), "seed %llu: bytes of line %u",
			(unsigned long long)r.seed, i);
	}
	free(cache);
}
END_TEST

/* A batch leaves what its quads leave one by one. */
START_TEST(quads_in_order)
{
	struct oracle_random r = oracle_random_start();
	struct gx_machine *one = gx_machine_create(MEM1_SIZE, 0), *many = m;
	int32_t s[GX_BATCH], t[GX_BATCH];
	unsigned map = 0;
	for (unsigned round = 0; round < 4000; round++) {
		if (round % 16 == 0) {
			map = oracle_random_below(&r, 8);
			cached_map(&r, map);
		}
		uint32_t word = oracle_random_next(&r), at = oracle_random_below(&r, MEM1_SIZE);
		gx_memory_write(&many->memory, at, &word, 4);
		gx_memory_write(&one->memory, at, &word, 4);
		coherent_batch(&r, map, s, t);
		gx_tx_begin_draw(many);
		gx_tx_sample(many, &many->batch, map, 3, s, t, NULL, NULL, NULL);
		memcpy(one->state.bp, many->state.bp, sizeof one->state.bp);
		for (unsigned q = 0; q < many->batch.quads; q++) {
			struct gx_batch *b = &one->batch;
			b->quads = 1;
			b->fragments = 4;
			memcpy(b->live, many->batch.live + 4 * q, 4);
			for (unsigned k = 0; k < 2; k++)
				memcpy(b->uv[3][k], many->batch.uv[3][k] + 4 * q, 4 * sizeof b->uv[3][k][0]);
			gx_tx_begin_draw(one);
			gx_tx_sample(one, b, map, 3, s + 4 * q, t + 4 * q, NULL, NULL, NULL);
			for (unsigned k = 0; k < 4; k++)
				for (unsigned i = 0; i < 4; i++)
					REQUIRE(!b->live[i] || b->texel[k][i] == many->batch.texel[k][4 * q + i], "seed %llu round %u quad %u",
						(unsigned long long)r.seed, round, q);
		}
		if (round % 64 == 0)
			REQUIRE(!memcmp(one->memory.tags, many->memory.tags, GX_TMEM_LINES * 4) &&
				!memcmp(one->memory.tmem, many->memory.tmem, GX_TMEM_SIZE), "seed %llu round %u: TMEM differs",
				(unsigned long long)r.seed, round);
	}
	gx_machine_destroy(one);
}
END_TEST

/* ---- decoded levels ------------------------------------------------------------------------------------------------------------- */

START_TEST(cache_decodes_only_changes)
{
	uint8_t byte = 1;
	set_image(0, 1, 64, 64, 0x1000);
	set_image(1, 1, 64, 64, 0x2000);
	look_up(0, 0, 0, 0, NULL);
	look_up(1, 0, 0, 0, NULL);
	ck_assert_uint_eq(m->tx->cache.decoded, 2);
	gx_memory_write(&m->memory, 0x8000, &byte, 1); /* elsewhere */
	look_up(0, 0, 0, 0, NULL);
	look_up(1, 0, 0, 0, NULL);
	ck_assert_uint_eq(m->tx->cache.decoded, 2);
	gx_memory_write(&m->memory, 0x2000, &byte, 1);
	look_up(0, 0, 0, 0, NULL);
	ck_assert_int_eq(m->batch.texel[0][0], 0);
	look_up(1, 0, 0, 0, NULL);
	ck_assert_int_eq(m->batch.texel[0][0], 1);
	ck_assert_uint_eq(m->tx->cache.decoded, 3);
	/* another view of the same bytes is another level; the old one stays */
	set_image(0, 0, 64, 64, 0x1000);
	look_up(0, 0, 0, 0, NULL);
	set_image(0, 1, 64, 64, 0x1000);
	look_up(0, 0, 0, 0, NULL);
	ck_assert_uint_eq(m->tx->cache.decoded, 4);
}
END_TEST

START_TEST(cache_sees_palettes)
{
	uint8_t entry[2] = {7, 9};
	set_image(0, 9, 8, 4, 0x1000);
	set(0, 6, 3);
	look_up(0, 0, 0, 0, NULL);
	ck_assert_int_eq(m->batch.texel[0][0], 0);
	gx_memory_write(&m->memory, 0x4000, entry, sizeof entry);
	gx_write_bp(m, 0x64, 0x4000 >> 5);
	gx_write_bp(m, 0x65, 1 << 10 | 3);
	look_up(0, 0, 0, 0, NULL);
	ck_assert_int_eq(m->batch.texel[0][0], 9);
	ck_assert_int_eq(m->batch.texel[3][0], 7);
}
END_TEST

START_TEST(cache_is_bounded)
{
	look_up(0, 0, 0, 0, NULL);
	m->tx->cache.limit = 1 << 20;
	for (uint32_t i = 0; i < 100; i++) { /* views of 64 KB */
		set_image(0, 1, 128, 128, i * 32);
		look_up(0, 0, 0, 0, NULL);
		ck_assert_uint_le(m->tx->cache.bytes, (1 << 20) + (96 << 10));
		ck_assert_uint_ge(m->tx->cache.count, i < 8 ? i + 1 : 8);
	}
	m->tx->cache.limit = TX_CACHE_BYTES;
	for (uint32_t i = 0; i < 3 * TX_CACHE_LEVELS; i++) {
		set_image(0, 1, 1 + i % 64, 1 + i / 64 % 64, i / 4096 * 32);
		look_up(0, 0, 0, 0, NULL);
		ck_assert_uint_le(m->tx->cache.count, TX_CACHE_LEVELS + 1);
	}
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_loop_test(tcase, cache_step_by_step, 0, sizeof cached / sizeof *cached);
	tcase_add_test(tcase, without_cache_memory_is_read);
	tcase_add_loop_test(tcase, cache_place, 0, sizeof places / sizeof *places);
	tcase_add_test(tcase, no_region_no_cache);
	tcase_add_test(tcase, dead_fragments_fetch_nothing);
	tcase_add_test(tcase, fetches_are_undone);
	tcase_add_test(tcase, lines_for_people);
	tcase_add_loop_test(tcase, batch_limit, 0, sizeof limits / sizeof *limits);
	tcase_add_test(tcase, random_cached_lookups);
	tcase_add_test(tcase, quads_in_order);
	tcase_add_test(tcase, cache_decodes_only_changes);
	tcase_add_test(tcase, cache_sees_palettes);
	tcase_add_test(tcase, cache_is_bounded);
}

int main(void)
{
	return run_texture_suite("tx_cache", add);
}
