/* texture_oracle.h - the texture unit, slow and plain: one fragment, straight from registers and memory
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TEXTURE_ORACLE_H
#define TEXTURE_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct texture_oracle {
	const uint32_t *bp;
	const uint8_t *main;  /* from address 0 */
	size_t main_size;
	const uint8_t *tmem;  /* 1 MB */
	bool steps;           /* quirk bilinear = 1 */
	bool fine_fraction;   /* quirk trilinear = 1 */
	bool dolphin_stride;  /* quirk mip_stride = 1 */
	bool dolphin_tmem;    /* quirk tmem_mips = 1 */
	bool spread;          /* quirk tlut_place = 0 */
	bool anisotropy, clamp_bias, round, predict; /* quirks anisotropy, lod_clamp, filter_round, field_predict */
	bool half_lines;      /* TX_MISC.field_mode with quirk field_lod */
	struct oracle_cache *cache; /* NULL: quirk texture_cache = 0 */
};

/* The texture cache: what each line of TMEM was fetched from. */
struct oracle_cache {
	int64_t line[0x8000]; /* main memory address / 32; -1: nothing */
	uint8_t bytes[0x100000];
	uint64_t hits, misses;
	/* A quad reads its lines as they were touched last: it is looked up twice, first to fetch, then to read. */
	bool read;
	int count;
	struct {
		int64_t line;
		uint8_t bytes[32];
	} seen[256];
};

struct oracle_lookup {
	int lod;       /* after clamp, in 1/16 levels (1/32 with fine_fraction) */
	bool linear;
	int level, fraction, texels, positions;
	uint8_t rgba[4];
};

/* u[3], v[3]: texel coordinates of the quad's pixels (0,0), (1,0), (0,1).  s, t: s17.7 of the fragment. */
void oracle_texture(const struct texture_oracle *o, unsigned map, const float u[3], const float v[3], int32_t s, int32_t t,
	struct oracle_lookup *out);

#endif
