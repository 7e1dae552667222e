/* tx_tiles.c - levels that are read through the lines of TMEM, tile by tile
 *
 * A tile is a line (RGBA8: two).  The cache is direct mapped: a tile has one place, and what lay there before is gone.  A
 * lookup goes through its quads in order; each tile that a live fragment touches is looked for, and fetched when another
 * one is in its place.  The picture that fragments are read from (texels of struct tx_level) holds each tile as it was when
 * it was touched last, so it must not change while an earlier quad of the same run still waits to be read.
 *
 * Serial numbers make the usual case quick: a tile was decoded from contents number n of its line, and the line still has
 * contents number n; numbers up to `doubt` are from before tags were changed by something else.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "core/bits.h"
#include "gx/lanes.h"
#include "gx/texfmt.h"
#include "gx/tx.h"

#define LINE 32u
#define SERIAL_LIMIT 0xFFF00000u

/* ---- levels ------------------------------------------------------------------------------------------------------------- */

/* Line of a tile in region i. */
static uint16_t line_of(const struct tx_source *source, unsigned i, uint32_t column, uint32_t row)
{
	uint32_t width = 1u << source->region_width[i], height = 1u << source->region_height[i];
	return (uint16_t)((source->line[i] + (row & (height - 1)) * width + (column & (width - 1))) & (GX_TMEM_LINES - 1));
}

bool tx_tiles_init(struct tx_level *level)
{
	const struct tx_source *source = &level->source;
	unsigned tile_width, tile_height, tile_bytes;
	gx_texfmt_tile(source->format, &tile_width, &tile_height, &tile_bytes);
	level->lines = tile_bytes / LINE;
	level->columns = (source->width + tile_width - 1) / tile_width;
	level->tiles = source->size / tile_bytes;
	level->line = malloc((size_t)level->tiles * level->lines * sizeof *level->line);
	level->stamp = calloc((size_t)level->tiles * level->lines, sizeof *level->stamp);
	for (uint32_t tile = 0; level->line && tile < level->tiles; tile++)
		for (unsigned i = 0; i < level->lines; i++)
			level->line[tile * level->lines + i] = line_of(source, i, tile % level->columns, tile / level->columns);
	return level->line && level->stamp;
}

/* ---- touching ----------------------------------------------------------------------------------------------------------- */

static void note_miss(struct tx_draw *tx, const struct tx_level *level, uint32_t tile, unsigned quad)
{
	if (!tx->recording)
		return;
	if (tx->misses == tx->miss_room) {
		unsigned room = tx->miss_room ? 2 * tx->miss_room : 64;
		struct tx_miss *grown = realloc(tx->miss, room * sizeof *grown);
		if (!grown)
			return;
		tx->miss = grown;
		tx->miss_room = room;
	}
	tx->miss[tx->misses++] = (struct tx_miss){level, tile, quad};
}

bool tx_tiles_missed(const struct tx_draw *tx, const struct tx_level *level, uint32_t tile, unsigned quad)
{
	for (unsigned i = 0; i < tx->misses; i++)
		if (tx->miss[i].level == level && tx->miss[i].tile == tile && tx->miss[i].quad == quad)
			return true;
	return false;
}

/* The level's picture gets the tile with these bytes. */
static void take_tile(struct gx_machine *m, struct tx_level *level, uint32_t tile, const uint8_t *bytes)
{
	size_t size = (size_t)level->lines * LINE;
	memcpy(level->bytes + tile * size, bytes, size);
	gx_texfmt_decode_tile(level->source.format, bytes, tile, level->source.width, level->source.height, level->palette,
		level->source.tlut_format, level->texels);
	m->tx->cache.decoded++;
}

static void note_fetch(struct tx_draw *tx, uint32_t index, uint32_t line)
{
	if (tx->fetches == tx->fetch_room) {
		unsigned room = tx->fetch_room ? 2 * tx->fetch_room : 256;
		struct tx_fetch *grown = realloc(tx->fetch, room * sizeof *grown);
		if (!grown)
			return; /* the line is fetched again next time */
		tx->fetch = grown;
		tx->fetch_room = room;
	}
	tx->fetch[tx->fetches++] = (struct tx_fetch){index, line};
}

/* Bytes of one line of a tile as the lookup gets them; true: they had to be fetched. */
static bool read_line(struct gx_machine *m, uint32_t index, uint32_t line, uint8_t *bytes)
{
	struct gx_memory *memory = &m->memory;
	struct tx_draw *tx = m->tx;
	bool missed = (memory->tags[index] & (GX_TAG_CACHED | GX_TAG_LINE)) != (GX_TAG_CACHED | line);

	if (missed || tx->serial[index] <= tx->doubt) {
		tx->serial[index] = ++tx->last_serial;
		tx->changes++;
	}
	if (missed && tx->shared) {
		note_fetch(tx, index, line);
		gx_memory_read(memory, (line >> 23 & 1) << 28 | (line & 0x7FFFFF) * LINE, bytes, LINE);
		return true;
	}
	if (missed)
		gx_tags_fill(memory, index, line);
	memcpy(bytes, memory->tmem + index * LINE, LINE);
	return missed;
}

/* The slow way: something about the tile is not known to be as it was. */
static void touch_tile(struct gx_machine *m, struct tx_run *run, uint32_t tile, unsigned fragment)
{
	/* levels are const to all who only read them */
	struct tx_level *level = (struct tx_level *)run->level;
	uint32_t *stamp = level->stamp + tile * level->lines;
	const uint8_t *old = level->bytes + (size_t)tile * level->lines * LINE;
	uint8_t bytes[2 * LINE];
	bool missed = false, decoded = stamp[0] != 0;

	for (unsigned i = 0; i < level->lines; i++) {
		uint32_t index = level->line[tile * level->lines + i];
		missed |= read_line(m, index, gx_memory_line(&m->memory, level->source.address + (tile * level->lines + i) * LINE),
			bytes + i * LINE);
		stamp[i] = m->tx->serial[index];
	}
	if (missed)
		note_miss(m->tx, level, tile, run->quad + fragment / 4);
	if (decoded && !memcmp(old, bytes, (size_t)level->lines * LINE))
		return;
	if (decoded && run->done < (fragment & ~3u))
		tx_gather(run, fragment & ~3u); /* earlier quads have seen the old tile */
	take_tile(m, level, tile, bytes);
}

static inline bool known_line(const struct tx_draw *tx, const struct tx_level *level, uint32_t i)
{
	return level->stamp[i] == tx->serial[level->line[i]] && level->stamp[i] > tx->doubt;
}

static inline bool known(const struct tx_draw *tx, const struct tx_level *level, uint32_t tile)
{
	return level->lines == 1 ? known_line(tx, level, tile) : known_line(tx, level, 2 * tile) && known_line(tx, level, 2 * tile + 1);
}

/* Whether every tile is known is looked at once after QUIET runs that changed nothing; while nothing changes after that, runs
 * need not look at their tiles at all. */
#define QUIET 16

static void look_at_whole(struct tx_draw *tx, struct tx_level *level)
{
	bool all = true;

	if (level->looked_at == tx->changes || ++level->quiet < QUIET)
		return;
	for (uint32_t tile = 0; all && tile < level->tiles; tile++)
		all = known(tx, level, tile);
	level->looked_at = tx->changes;
	level->whole_at = all ? tx->changes : 0;
}

struct range {
	int32_t low, high;
};

/* Least and largest of both taps' coordinates of the live fragments; low > high: none is alive. */
static inline struct range range_of(const int32_t *first, const int32_t *second, const uint8_t *live, unsigned n)
{
	struct range r = {INT32_MAX, INT32_MIN};

	for (unsigned i = 0; i < n; i++) {
		int32_t a = live[i] ? first[i] : INT32_MAX, b = live[i] ? second[i] : INT32_MAX;
		int32_t c = live[i] ? first[i] : INT32_MIN, d = live[i] ? second[i] : INT32_MIN;
		a = a < b ? a : b;
		c = c > d ? c : d;
		r.low = a < r.low ? a : r.low;
		r.high = c > r.high ? c : r.high;
	}
	return r;
}

/* Whether all tiles of the rectangle around what the run reads are known: then whatever it touches is.  false: not, or the
 * rectangle is too large to look at. */
GX_HOT static bool around_known(const struct tx_draw *tx, const struct tx_run *run, unsigned shift_x, unsigned shift_y)
{
	struct range x = range_of(run->x[0], run->x[1], run->live, run->count);
	struct range y = range_of(run->y[0], run->y[1], run->live, run->count);

	if (x.low > x.high)
		return true;
	uint32_t x0 = (uint32_t)x.low >> shift_x, x1 = (uint32_t)x.high >> shift_x;
	uint32_t y0 = (uint32_t)y.low >> shift_y, y1 = (uint32_t)y.high >> shift_y;
	if ((x1 - x0 + 1) * (y1 - y0 + 1) > run->count)
		return false;
	for (uint32_t row = y0; row <= y1; row++)
		for (uint32_t column = x0; column <= x1; column++)
			if (!known(tx, run->level, row * run->level->columns + column))
				return false;
	return true;
}

static void touch_run(struct gx_machine *m, struct tx_run *run)
{
	const struct tx_level *level = run->level;
	unsigned tile_width, tile_height, tile_bytes;
	gx_texfmt_tile(level->source.format, &tile_width, &tile_height, &tile_bytes);
	unsigned shift_x = tile_width == 8 ? 3 : 2, shift_y = tile_height == 8 ? 3 : 2;
	uint32_t last = QS_NONE;

	if (around_known(m->tx, run, shift_x, shift_y))
		return;
	for (unsigned i = 0; i < run->count; i++) {
		if (!run->live[i])
			continue;
		uint32_t first_row = ((uint32_t)run->y[0][i] >> shift_y) * level->columns;
		uint32_t second_row = ((uint32_t)run->y[1][i] >> shift_y) * level->columns;
		uint32_t first_column = (uint32_t)run->x[0][i] >> shift_x, second_column = (uint32_t)run->x[1][i] >> shift_x;
		uint32_t tile[4] = {first_row + first_column, first_row + second_column, second_row + first_column,
			second_row + second_column};
		for (unsigned k = 0; k < run->taps; k++) {
			if (tile[k] == last)
				continue;
			last = tile[k];
			if (!known(m->tx, level, last))
				touch_tile(m, run, last, i);
		}
	}
}

void tx_tiles_touch(struct gx_machine *m, struct tx_run *run)
{
	struct tx_draw *tx = m->tx;
	struct tx_level *level = (struct tx_level *)run->level; /* const to all who only read it */
	uint32_t before = tx->changes;

	if (level->whole_at && level->whole_at == tx->changes)
		return;
	touch_run(m, run);
	if (tx->changes == before)
		look_at_whole(tx, level);
	else
		level->quiet = 0;
}

/* ---- draws -------------------------------------------------------------------------------------------------------------- */

/* Lines of a map's cache in one half; false: none. */
static bool region(const struct tx_map *map, unsigned side, uint32_t *first, uint32_t *count)
{
	if (map->preloaded || !map->cache_width[side] || !map->cache_height[side])
		return false;
	*first = (side ? map->odd : map->even) / LINE;
	*count = 1u << (map->cache_width[side] + map->cache_height[side] + 4);
	return true;
}

static bool regions_meet(const struct tx_map *a, unsigned side_a, const struct tx_map *b, unsigned side_b)
{
	uint32_t first_a, count_a, first_b, count_b;
	return region(a, side_a, &first_a, &count_a) && region(b, side_b, &first_b, &count_b) &&
		((first_b - first_a) % GX_TMEM_LINES < count_a || (first_a - first_b) % GX_TMEM_LINES < count_b);
}

static bool several_levels(const struct tx_map *map, int32_t beyond)
{
	return map->mip && (map->max_lod > beyond || map->min_lod > beyond);
}

static bool uses_odd(const struct tx_map *map)
{
	return map->format == GX_FORMAT_RGBA8 || several_levels(map, 0);
}

static bool maps_meet(const struct tx_map *a, const struct tx_map *b)
{
	for (unsigned i = 0; i < 4; i++)
		if ((!(i & 1) || uses_odd(a)) && (!(i >> 1) || uses_odd(b)) && regions_meet(a, i & 1, b, i >> 1))
			return true;
	return false;
}

/* No two tiles of the map have the same place. */
static bool fits(const struct tx_map *map)
{
	unsigned tile_width, tile_height, tile_bytes;
	gx_texfmt_tile(map->format, &tile_width, &tile_height, &tile_bytes);
	uint32_t columns = (map->width + tile_width - 1) / tile_width, rows = (map->height + tile_height - 1) / tile_height;
	return !several_levels(map, 16) && !(map->format == GX_FORMAT_RGBA8 && several_levels(map, 0)) &&
		!regions_meet(map, 0, map, 1) && columns <= 4u << map->cache_width[0] && rows <= 4u << map->cache_height[0] &&
		(!uses_odd(map) || (columns <= 4u << map->cache_width[1] && rows <= 4u << map->cache_height[1]));
}

void tx_tiles_decode(struct tx_map *map, const struct tx_rules *rules)
{
	map->by_quad = rules->cached && !map->preloaded && several_levels(map, 0) &&
		(map->format == GX_FORMAT_RGBA8 || regions_meet(map, 0, map, 1));
}

/* Whether a cache covers a line that some map takes for a palette or a preloaded image.  The latter have no end that registers
 * tell, so a start counts; GX never places them so. */
bool tx_tiles_overlap(const struct tx_map maps[TX_MAPS])
{
	for (unsigned i = 0; i < TX_MAPS; i++)
		for (unsigned k = 0; k < 2 * TX_MAPS; k++) {
			uint32_t first, count, tlut = GX_TMEM_SIZE / 2 + maps[i].tlut;
			if (!region(&maps[k / 2], k & 1, &first, &count))
				continue;
			uint32_t entries = gx_texfmt_palette_entries(maps[i].format);
			bool palette = entries && ((tlut / LINE - first) % GX_TMEM_LINES < count || (first - tlut / LINE) % GX_TMEM_LINES < entries);
			bool image = maps[i].preloaded && ((maps[i].even / LINE - first) % GX_TMEM_LINES < count ||
				(maps[i].odd / LINE - first) % GX_TMEM_LINES < count);
			if (palette || image)
				return true;
		}
	return false;
}

/* Maps of the lookups of a draw, indirect ones first. */
static unsigned list_lookups(const uint32_t *bp, uint8_t maps[20])
{
	unsigned stages = bits(bp[0x00], 10, 4) + 1, indirect = bits(bp[0x00], 16, 3), n = 0;
	if (!bits(bp[0x00], 0, 4))
		return 0;
	for (unsigned i = 0; i < indirect && i < 4; i++)
		maps[n++] = (uint8_t)bits(bp[0x27], 6 * i, 3);
	for (unsigned i = 0; i < stages; i++) {
		uint32_t order = bp[0x28 + i / 2] >> (i & 1 ? 12 : 0);
		if (bits(order, 6, 1))
			maps[n++] = (uint8_t)bits(order, 0, 3);
	}
	return n;
}

/* A batch makes the lookups of all its quads one after the other, but the hardware those of one quad.  That is the same unless
 * two lookups take each other's lines. */
static unsigned batch_limit(const struct gx_machine *m)
{
	const struct tx_draw *tx = m->tx;
	uint8_t maps[20];
	unsigned n = list_lookups(m->state.bp, maps);
	for (unsigned i = 0; i < n; i++)
		for (unsigned k = 0; k < i; k++) {
			const struct tx_map *a = &tx->map[maps[i]], *b = &tx->map[maps[k]];
			bool same = maps[i] == maps[k] || !memcmp(a, b, sizeof *a);
			if (same ? !fits(a) : maps_meet(a, b))
				return 1;
		}
	return GX_BATCH_QUADS;
}

unsigned gx_tx_batch_limit(const struct gx_machine *m)
{
	struct tx_draw *tx = m->tx;
	const uint32_t *bp = m->state.bp;
	if (!tx || !tx->rules.cached)
		return GX_BATCH_QUADS;
	if (!tx->batch_limit || tx->gen_mode != bp[0] || memcmp(tx->order, bp + 0x27, sizeof tx->order)) {
		tx->gen_mode = bp[0];
		memcpy(tx->order, bp + 0x27, sizeof tx->order);
		tx->batch_limit = batch_limit(m);
	}
	return tx->batch_limit;
}

/* ---- several threads ----------------------------------------------------------------------------------------------------- */

/* Threads share out the quads of a draw, in no order: that is only right when no two tiles of the draw have the same place. */
bool gx_tx_divisible(const struct gx_machine *m)
{
	const struct tx_draw *tx = m->tx;
	uint8_t maps[20];
	unsigned n;
	if (!tx || !tx->rules.cached)
		return true;
	if (tx->overlap || gx_tx_batch_limit(m) < GX_BATCH_QUADS)
		return false;
	n = list_lookups(m->state.bp, maps);
	for (unsigned i = 0; i < n; i++)
		if (!tx->map[maps[i]].preloaded && !fits(&tx->map[maps[i]]))
			return false;
	return true;
}

void gx_tx_begin_shared(struct gx_machine *m, bool helper)
{
	if (helper && m->tx) {
		/* others have changed lines since; the machine itself counts what overlaps */
		m->tx->tmem_fills = m->memory.tmem_fills;
		m->tx->tag_epoch = m->memory.tag_epoch - 1;
	}
	if (helper)
		gx_tx_begin_draw(m);
	if (!m->tx)
		return;
	m->tx->shared = true;
	m->tx->fetches = 0;
}

static void fill_fetched(struct gx_machine *m, const struct tx_draw *from)
{
	for (unsigned i = 0; i < from->fetches; i++) {
		uint32_t index = from->fetch[i].index, line = from->fetch[i].line;
		if ((m->memory.tags[index] & (GX_TAG_CACHED | GX_TAG_LINE)) == (GX_TAG_CACHED | line))
			continue;
		gx_tags_fill(&m->memory, index, line);
		if (from != m->tx) {
			m->tx->serial[index] = ++m->tx->last_serial;
			m->tx->changes++;
		}
	}
}

void gx_tx_end_shared(struct gx_machine *m, struct gx_machine *helper)
{
	struct tx_draw *tx = helper ? helper->tx : m->tx;
	if (!m->tx || !tx)
		return;
	fill_fetched(m, tx);
	tx->shared = false;
}

/* ---- the begin of a draw ------------------------------------------------------------------------------------------------- */

static void forget_stamps(struct tx_cache *cache)
{
	for (unsigned i = 0; i < TX_CACHE_BUCKETS; i++)
		for (struct tx_level *level = cache->bucket[i]; level; level = level->next)
			if (level->stamp)
				memset(level->stamp, 0, (size_t)level->tiles * level->lines * sizeof *level->stamp);
}

/* Tags may have changed in any way since the last draw: no line is taken for known. */
void tx_tiles_begin(struct gx_machine *m)
{
	struct tx_draw *tx = m->tx;
	if (tx->tag_epoch == m->memory.tag_epoch)
		return;
	tx->tag_epoch = m->memory.tag_epoch;
	if (tx->last_serial > SERIAL_LIMIT) {
		forget_stamps(&tx->cache);
		memset(tx->serial, 0, sizeof tx->serial);
		tx->last_serial = 0;
	}
	tx->doubt = tx->last_serial;
	tx->changes++;
}
