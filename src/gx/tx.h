/* tx.h - inside the texture unit
 *
 * tx.c        registers to maps, the lookup over a batch
 * tx_lod.c    level of detail per quad
 * tx_level.c  where a level's bytes are: main memory, or the two halves of TMEM
 * tx_record.c what a lookup did, for the debugger
 * tx_cache.c  decoded levels, kept while their bytes stay the same
 * tx_tiles.c  decoded levels that are read through the lines of TMEM, tile by tile (tags.c: the lines)
 * tx_load.c   TMEM and palette loads
 * tx_view.c   textures as pictures, for people
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef GX_TX_H
#define GX_TX_H

#include "gx/machine.h"

#define TX_MAPS 8
#define TX_LEVELS 17 /* LOD ends at 15 15/16, and linear mip filtering reads the level after */

/* One map as its registers say. */
struct tx_map {
	uint8_t format, wrap_s, wrap_t, mip; /* mip: 0 none, 1 point, 2 linear */
	bool mag_linear, min_linear, diagonal, preloaded;
	int32_t bias;             /* 1/32 levels */
	int32_t min_lod, max_lod; /* 1/16 levels */
	uint32_t width, height;
	uint32_t base;       /* main memory */
	uint32_t even, odd;  /* TMEM */
	uint32_t tlut;       /* TMEM */
	uint8_t tlut_format; /* 0 for formats without palette, so that equal textures have equal keys */
	uint8_t cache_width[2], cache_height[2]; /* codes of the even and the odd region; 0: there is none */
	bool round, predict, clamp_bias;
	uint8_t anisotropy; /* positions at most: 1, 2, 4 */
	bool by_quad; /* tx_tiles.c: the order of lookups matters from quad to quad */
};

/* What the models do differently. */
struct tx_rules {
	bool dolphin_stride, dolphin_tmem; /* quirks mip_stride, tmem_mips */
	bool cached;                       /* quirk texture_cache */
	bool spread;                       /* quirk tlut_place 0 */
	bool exact_log, clamp_bias, anisotropy, round, predict; /* quirks lod_log, lod_clamp, anisotropy, filter_round, field_predict */
	bool half_lines; /* quirk field_lod, and TX_MISC says so */
};

/* Where one level is.  Plain data without padding: a cache key. */
struct tx_source {
	uint32_t address;    /* main memory, or TMEM when from_tmem */
	uint32_t address_gb; /* RGBA8 in TMEM: the G B lines; else 0 */
	uint32_t width, height;
	uint32_t size; /* bytes */
	uint32_t tlut; /* TMEM; 0 without palette */
	uint32_t line[2]; /* cached: first lines of the regions of its tiles, RGBA8: of A R and of G B */
	uint8_t format, tlut_format, from_tmem, cached;
	uint8_t spread, zero[3]; /* spread: palette entries lie on a line each */
	uint8_t region_width[2], region_height[2]; /* tiles, as powers of two */
};

struct tx_level {
	struct tx_source source;
	uint32_t *texels;                         /* source.width * source.height, see texfmt.h */
	uint8_t *bytes, *palette;                 /* what was decoded */
	uint32_t palette_size;
	uint32_t main_generation, tmem_generation; /* at which it was last found unchanged */
	uint64_t used;                            /* serial number of the last draw that asked for it */
	struct tx_level *next;                    /* in the hash chain */
	/* cached: per tile (RGBA8: twice) its line in TMEM, and the serial number of the line's contents that was decoded */
	uint32_t tiles, columns, lines; /* lines: 1, RGBA8 2 */
	uint16_t *line;
	uint32_t *stamp; /* 0: not decoded */
	uint32_t whole_at, looked_at, quiet; /* tx_draw.changes at which all tiles were known, and were looked at */
};

#define TX_CACHE_BYTES (96u << 20)
#define TX_CACHE_LEVELS 4096u
#define TX_CACHE_BUCKETS 1024u

struct tx_cache {
	struct tx_level *bucket[TX_CACHE_BUCKETS];
	unsigned count;
	size_t bytes, limit; /* limit: when a draw begins above it, levels are thrown away */
	uint64_t serial;
	uint8_t *scratch; /* a level that is not in one piece in memory */
	size_t scratch_size;
	uint64_t decoded; /* levels decoded so far, for tests */
};

#define TX_REGISTERS 0x40
struct tx_draw {
	uint32_t reg[TX_REGISTERS]; /* BP 0x80..0xBF as decoded */
	int bilinear, trilinear;
	struct tx_rules rules;
	bool decoded;
	bool overlap; /* cached lines and preloaded images or palettes share lines */
	uint32_t main_generation, tmem_generation;
	struct tx_map map[TX_MAPS];
	const struct tx_level *level[TX_MAPS][TX_LEVELS]; /* NULL: not asked for since memory changed */
	struct tx_cache cache;
	/* tx_tiles.c */
	uint32_t serial[GX_TMEM_LINES]; /* of what each line holds: equal numbers, equal contents */
	uint32_t changes; /* of serial and doubt, counted */
	uint32_t last_serial, doubt, tag_epoch, tmem_fills;
	uint32_t gen_mode, order[9]; /* what batch_limit was made from: GEN_MODE, RAS1_IREF, RAS1_TREF0-7 */
	unsigned batch_limit;
	bool shared; /* several threads look up: what is fetched waits in a list */
	struct tx_fetch *fetch;
	unsigned fetches, fetch_room;
	bool recording;
	struct tx_miss *miss; /* of the lookup in progress, when recording */
	unsigned misses, miss_room;
};

struct tx_fetch {
	uint32_t index, line; /* of TMEM, of main memory */
};

/* A tile that was fetched for a quad. */
struct tx_miss {
	const struct tx_level *level;
	uint32_t tile;
	unsigned quad; /* of the batch */
};

/* Texels of some fragments in a level: one or four taps each. */
struct tx_run {
	const struct tx_level *level;
	const int32_t *x[2], *y[2]; /* after wrap; nearest: x[1] = x[0] */
	unsigned taps;
	uint32_t (*texel)[GX_BATCH];
	const uint8_t *live;
	unsigned count, done; /* fragments; those whose texels are read */
	unsigned quad;        /* of the batch: the first */
};

/* ---- tx.c */
void tx_decode_map(const uint32_t *bp, unsigned map, struct tx_map *out);
struct tx_rules tx_rules_of(const struct gx_machine *m);
void tx_gather(struct tx_run *run, unsigned end); /* texels of fragments done to end */

/* ---- tx_tiles.c */
void tx_tiles_begin(struct gx_machine *m); /* a draw begins */
void tx_tiles_decode(struct tx_map *map, const struct tx_rules *rules);
bool tx_tiles_overlap(const struct tx_map maps[TX_MAPS]);
bool tx_tiles_init(struct tx_level *level);
/* Sees that the tiles of the run are those of TMEM, in order of quads, and fetches missing ones. */
void tx_tiles_touch(struct gx_machine *m, struct tx_run *run);
bool tx_tiles_missed(const struct tx_draw *tx, const struct tx_level *level, uint32_t tile, unsigned quad);

/* ---- tx_lod.c: what the LOD of a quad chooses */
struct tx_choice {
	int16_t lod;      /* 1/16 levels (1/32 with the 5-bit quirk), after bias and clamp */
	uint8_t level, fraction;
	bool linear;
	uint8_t positions; /* that are averaged, 1, 2 or 4 ... */
	int32_t step[2];   /* ... this far from each other, s17.7 */
};
/* Which position of n along a quad's longer axis fragment coordinates are moved to. */
static inline int32_t tx_position(const struct tx_choice *choice, unsigned axis, unsigned k)
{
	return choice->step[axis] * (2 * (int32_t)k + 1 - (int32_t)choice->positions) / 2;
}

/* u and v: texels, of 4 fragments a quad.  fraction_bits 4 or 5. */
void tx_choose(const struct tx_map *map, const struct tx_rules *rules, unsigned fraction_bits, const float *u, const float *v,
	unsigned quads, struct tx_choice *out);

/* ---- tx_record.c: after b->texel is written; the levels were looked up */
void tx_record(struct gx_machine *m, const struct gx_batch *b, unsigned map, unsigned coord, const int32_t *s, const int32_t *t,
	const struct tx_choice *choice, struct qs_sample *const *sample);

/* ---- tx_level.c */
void tx_locate(const struct tx_map *map, unsigned level, const struct tx_rules *rules, struct tx_source *out);
/* The level's bytes in one piece: in memory itself, or copied into scratch of source->size bytes. */
const uint8_t *tx_fetch(const struct gx_memory *memory, const struct tx_source *source, uint8_t *scratch);
uint32_t tx_palette_size(const struct tx_source *source); /* bytes */
/* Palette bytes; scratch has room for 32768. */
const uint8_t *tx_fetch_palette(const struct gx_memory *memory, const struct tx_source *source, uint8_t *scratch);
/* Address of the byte that holds a texel first. */
uint32_t tx_texel_address(const struct tx_source *source, uint32_t s, uint32_t t);

/* ---- tx_cache.c */
void tx_cache_begin(struct tx_cache *cache); /* a new draw: levels of earlier draws may be thrown away */
/* NULL: no memory. Stays valid until the next tx_cache_begin. */
const struct tx_level *tx_cache_level(struct tx_cache *cache, const struct gx_memory *memory, const struct tx_source *source);
void tx_cache_finish(struct tx_cache *cache);

#endif
