/* pe_oracle.h - the pixel engine for one fragment after the other, as plainly as possible
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ORACLE_PE_H
#define ORACLE_PE_H

#include <stdbool.h>
#include <stdint.h>

struct pe_oracle {
	/* in */
	const uint32_t *bp;
	bool no_yuv, keep_24_bits, lines_ignored, round_each, alpha_one, dither_565;
	/* the pixel, in and out */
	uint32_t colour, depth;
	/* the fragment */
	int x, y;
	uint32_t z;
	int source[4], raw_texel[4];
	/* out */
	bool early_in, early_out, late_in, late_out, blended; /* what the counters count */
	const char *verdict; /* "written" "masked" "early z" "alpha" "late z" */
	int old[4], result[4]; /* destination; before masks */
};

void pe_oracle_run(struct pe_oracle *o);
uint32_t pe_oracle_quantise(unsigned format, uint32_t z);
void pe_oracle_unpack(unsigned type, uint32_t word, int rgba[4]);

#endif
