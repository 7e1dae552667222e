/* coverage_oracle.h - slow and obvious: is a sample inside a triangle?
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COVERAGE_ORACLE_H
#define COVERAGE_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

/* Any integer units, y down, any winding.  A sample exactly on an edge is inside when the edge is a left edge (the interior
 * lies to its right) or a horizontal top edge (the interior lies below it). */
bool coverage_oracle(const int64_t x[3], const int64_t y[3], int64_t px, int64_t py);

#endif
