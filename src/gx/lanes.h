/* lanes.h - loops over the rows of a batch
 *
 * A row is worked on in blocks of LANES fragments: the inner loop then has a constant length, which compilers turn into
 * vector code even at -O2.  Rows have GX_BATCH places; places beyond the batch's fragments hold anything.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef GX_LANES_H
#define GX_LANES_H

#include "gx/machine.h"

#define LANES 16

/* For the entry of a unit that works on a batch: everything it calls in its file is inlined, and on x86 it is compiled twice and
 * chosen when the program starts.  (Vector code of 256 bits gives the same bits: no operation is contracted or reordered.) */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define GX_HOT __attribute__((target_clones("avx2", "default"), flatten))
#else
#define GX_HOT
#endif

static inline unsigned lanes_up(unsigned fragments)
{
	return (fragments + LANES - 1) & ~(LANES - 1u);
}

#endif
