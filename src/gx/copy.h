/* copy.h - what the copy engine's files share
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef GX_COPY_H
#define GX_COPY_H

#include "gx/machine.h"

#define COPY_WIDTH_MAX 1024

/* Where a copy reads and what it does to every pixel. */
struct copy_source {
	const struct gx_efb *efb;
	unsigned pixel;         /* enum pe_pixel */
	struct qs_rect rect;    /* as the registers say: may reach beyond the EFB */
	bool clamp_top, clamp_bottom;
	bool filtered, wrap;    /* vertical filter; sums wrap at 9 bits */
	bool linear;            /* pixels beyond the right border are those of the next line */
	unsigned above, here, below; /* filter weights, parts of 64 */
	uint8_t gamma[256];
};

/* Filtered pixels (x .. x+count-1, y) of the EFB; places outside it repeat the border. */
void copy_row(const struct copy_source *source, int x, int y, unsigned count, uint8_t (*rgba)[4]);
/* One pixel to (y, u, v), 07 section 7.4. */
void copy_to_yuv(const uint8_t rgb[3], uint8_t yuv[3]);

/* copy_texture.c: writes the tiles to main memory. */
void copy_texture(struct gx_machine *m, const struct copy_source *source, const struct qs_copy *copy);

/* xfb.c: writes the lines to main memory and makes m->display. */
void copy_display(struct gx_machine *m, const struct copy_source *source, struct qs_copy *copy);

#endif
