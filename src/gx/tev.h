/* tev.h - what tev.c, indirect.c and fog.c share: the combiner program of a draw
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef GX_TEV_H
#define GX_TEV_H

#include "gx/machine.h"

#define TEV_STAGES 16

/* A combiner input is a row: one value per fragment of the batch.  Selection is resolved to row numbers once a draw. */
enum tev_row {
	TEV_ROW_REG = 0,    /* 4*register + channel: PREV C0 C1 C2 */
	TEV_ROW_TEXEL = 16, /* + channel before the swap table */
	TEV_ROW_RAS = 20,   /* + 4*colour + channel before the swap table */
	TEV_ROW_BUMP = 28,
	TEV_ROW_BUMP_NORMAL = 29,
	TEV_ROW_KONST = 30, /* + channel */
	TEV_ROW_ZERO = 34,
	TEV_ROW_HALF,
	TEV_ROW_ONE,
	TEV_ROW_COUNT
};

enum tev_compare { TEV_COMPARE_R8, TEV_COMPARE_GR16, TEV_COMPARE_BGR24, TEV_COMPARE_OWN /* RGB8 or A8 */ };

/* One combiner.  Regular: result = clamp(((d*scale + base) +- ((lerp + round) >> shift)) >> half). */
struct tev_combiner {
	uint8_t row[4][4]; /* [a b c d][channel]; the alpha combiner uses channel 3 only */
	uint8_t destination;
	bool compare, equal;
	uint8_t mode; /* enum tev_compare */
	uint8_t shift, half;
	uint16_t round;
	int16_t scale, base, negate /* 0 or -1 */, low, high;
};

struct tev_stage {
	struct tev_combiner colour, alpha;
	bool texture, needed;  /* looks up a texture; somebody reads it */
	uint8_t map, coord;    /* coord: already 0 when it does not exist */
	int8_t texel;          /* stage whose texel the TEX input shows; -1: none */
	uint8_t texture_swap[4], raster_row[4], texture_row[4];
	bool konst_used, compared;
	int16_t konst[4];
	/* indirect */
	bool modified; /* the coordinate differs from the regular one */
	bool bumped;   /* the bump rows are read */
	bool matrix, add_previous, own_lod;
	uint8_t matrix_type;      /* 0 static, 1 dynamic S, 2 dynamic T */
	int8_t source;            /* indirect stage; -1: one that does not exist, reads 0 */
	uint8_t shift, bump;      /* component >> shift; bump alpha: 0 off, 1 S, 2 T, 3 U */
	uint8_t bump_left;
	int32_t bias[3];
	int32_t m[2][3];
	int32_t matrix_shift; /* > 0 right, < 0 left */
	int32_t wrap[2];      /* mask of the coordinate */
};

struct tev_indirect {
	uint8_t map, coord, shift_s, shift_t;
};

struct fog_draw {
	uint8_t type; /* 0 off */
	bool orthographic, range, round;
	bool special; /* A and C are infinite or no numbers */
	float a, c;
	uint32_t b_magnitude, b_shift;
	float numerator;
	int32_t centre;
	float k[11];
	uint8_t colour[3];
	int range_model;
};

struct tev_draw {
	unsigned stages, indirects;
	bool textured;  /* ntex > 0 */
	bool latching;  /* texels of stages without texture are those of the last lookup */
	bool latch_read; /* ... and one reads what an earlier fragment left */
	int8_t last_texture; /* last stage that looks up a texture, -1: none */
	uint64_t used;  /* bit per row that some stage reads */
	struct tev_stage stage[TEV_STAGES];
	struct tev_indirect indirect[4];
	int16_t initial[4][4]; /* PREV C0 C1 C2 at the start of every fragment */
	struct fog_draw fog;
	bool dynamic_divide, raw_swapped, raw_needed;
	/* rows */
	int16_t konst[TEV_STAGES][4][GX_BATCH];
	int16_t texel[TEV_STAGES][4][GX_BATCH];
	int16_t latched[4][GX_BATCH];
	int16_t bump[2][GX_BATCH];
	int16_t zero[GX_BATCH], half[GX_BATCH], one[GX_BATCH];
	int32_t offset[2][GX_BATCH]; /* of the stage, for its record */
};

/* indirect.c */
void indirect_decode(const struct gx_machine *m, struct tev_draw *tev);
void indirect_lookups(struct gx_machine *m, struct gx_batch *b);
/* Works out the stage's texture coordinates: coord comes with those of the stage before (NULL: none). */
void indirect_stage(struct gx_machine *m, struct gx_batch *b, unsigned n, const int32_t *coord[2]);
void indirect_bump(struct tev_draw *tev, const struct gx_batch *b, unsigned n);

/* fog.c */
void fog_decode(const struct gx_machine *m, struct fog_draw *fog);

#endif
