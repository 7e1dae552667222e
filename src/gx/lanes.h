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

static inline unsigned lanes_up(unsigned fragments)
{
	return (fragments + LANES - 1) & ~(LANES - 1u);
}

#endif
