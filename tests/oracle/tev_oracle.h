/* tev_oracle.h - the combiners of one fragment, stage by stage, as plainly as possible
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ORACLE_TEV_H
#define ORACLE_TEV_H

#include <stdbool.h>
#include <stdint.h>

struct tev_oracle_stage {
	int tex[4], ras[4], konst[4], a[4], b[4], c[4], d[4], wide[4], result[4], reg[4][4];
	int offset[2], coord[2], bump;
};

struct tev_oracle {
	/* in */
	const uint32_t *bp; /* 0x108 registers, konst bank at 0x100 */
	bool negate_alpha_first, wide_konst, latching, dynamic_divide;
	void (*texel)(void *user, unsigned map, int s, int t, int rgba[4]);
	void *user;
	int ras[2][4], st[8][2];
	int latch[4]; /* in and out: swapped texel of the last lookup */
	/* out */
	struct tev_oracle_stage stage[16];
	int out[4], raw[4] /* last lookup of this fragment, before swap */, raw_swapped[4];
	bool looked_up;
};

void tev_oracle_run(struct tev_oracle *o);

#endif
