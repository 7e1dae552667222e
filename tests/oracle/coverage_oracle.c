/* coverage_oracle.c - SPDX-License-Identifier: GPL-2.0-or-later */
#include "coverage_oracle.h"

typedef __int128 wide;

static wide side(int64_t ax, int64_t ay, int64_t bx, int64_t by, int64_t px, int64_t py)
{
	return (wide)(bx - ax) * (py - ay) - (wide)(by - ay) * (px - ax);
}

bool coverage_oracle(const int64_t x[3], const int64_t y[3], int64_t px, int64_t py)
{
	wide area = side(x[0], y[0], x[1], y[1], x[2], y[2]);

	if (area == 0)
		return false;
	for (int e = 0; e < 3; e++) {
		int a = e, b = (e + 1) % 3, c = (e + 2) % 3;
		wide point = side(x[a], y[a], x[b], y[b], px, py);
		wide inside = side(x[a], y[a], x[b], y[b], x[c], y[c]); /* sign of the interior */

		if (point == 0) {
			/* where does the third vertex lie? horizontal edge: below; else: to the right of the edge at its height */
			if (y[a] == y[b]) {
				if (y[c] < y[a])
					return false;
			} else {
				/* move one unit right of the edge and see whether that is the interior's side */
				wide right = side(x[a], y[a], x[b], y[b], px + 1, py);
				if ((right > 0) != (inside > 0))
					return false;
			}
		} else if ((point > 0) != (inside > 0)) {
			return false;
		}
	}
	return true;
}
