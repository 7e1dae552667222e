/* copy.h - what the copy engine's files share
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef GX_COPY_H
#define GX_COPY_H

#include <limits.h>

#include "gx/machine.h"

#define COPY_WIDTH_MAX 1024
#define COPY_ROW_MAX (2 * COPY_WIDTH_MAX) /* a half-size copy reads twice its width */

/* A row of pixels, one plane a channel: R G B A.  Loops run in whole blocks of LANES; places beyond the count hold anything. */
struct copy_line {
	uint8_t c[4][COPY_ROW_MAX];
};

/* Where a copy reads and what it does to every pixel. */
struct copy_source {
	const struct gx_efb *efb;
	const uint32_t *colour[3]; /* planes of the samples */
	unsigned samples;       /* a pixel: 1 or 3 */
	unsigned pixel;         /* enum pe_pixel */
	struct qs_rect rect;    /* as the registers say: may reach beyond the EFB */
	bool clamp_top, clamp_bottom;
	bool filtered, wrap;    /* vertical filter; sums wrap at 9 bits */
	bool linear;            /* pixels beyond the right border are those of the next line */
	unsigned above, here, below; /* filter weights, parts of 64 */
	uint8_t weight[7];
	bool plain_gamma;       /* the table changes nothing */
	uint8_t gamma[256];
};

/* The unfiltered lines that were read last: three neighbours serve three lines of the output. */
struct copy_window {
	struct copy_line line[3];
	int y[3];
};
#define COPY_NO_LINE INT_MIN

/* Filtered pixels (x .. x+count-1, y) of the EFB; places outside it repeat the border.  window: of earlier calls with this source, x
 * and count, all y COPY_NO_LINE at first; or NULL. */
void copy_row(const struct copy_source *source, int x, int y, unsigned count, struct copy_line *line, struct copy_window *window);
/* Tap i (0..6) of the vertical filter at line y: where it reads, and its weight in parts of 64. */
struct copy_tap {
	int line;
	unsigned sample;
	uint8_t weight;
};
struct copy_tap copy_tap(const struct copy_source *source, int y, unsigned i);
/* A filter sum as a level: cut, wrapped at 9 bits, limited. */
uint8_t copy_scale_sum(const struct copy_source *source, uint32_t sum);
/* R G B planes to Y U V, 07 section 7.4, in place. */
void copy_to_yuv(unsigned count, uint8_t *r, uint8_t *g, uint8_t *b);

/* Unfiltered pixels of one sample. */
void copy_fetch(const struct copy_source *source, unsigned sample, int x, int y, unsigned count, struct copy_line *line);

/* What is being copied, for gx_copy_texel. */
struct gx_copy_job {
	const struct qs_copy *copy;
	const struct copy_source *source;
};

/* copy_texture.c: half-size rows; conversion of a row of texels; bytes of a texel. */
void copy_half_row(const struct copy_source *source, int x, int y, unsigned count, struct copy_line *out);
void copy_convert(const struct gx_machine *m, const struct copy_source *source, const struct qs_copy *copy, struct copy_line *line,
	unsigned count);
/* Offsets from the destination; returns how many parts. */
unsigned copy_texel_place(const struct qs_copy *copy, uint32_t s, uint32_t t, uint32_t offset[2], uint8_t *size);

/* xfb.c: EFB lines that line y of the output is made of, and parts of 256 of the second. */
unsigned copy_display_lines(const struct gx_machine *m, const struct copy_source *source, unsigned y, int line[2]);

/* copy_texture.c: writes the tiles to main memory. */
void copy_texture(struct gx_machine *m, const struct copy_source *source, const struct qs_copy *copy);

/* xfb.c: writes the lines to main memory and makes m->display. */
void copy_display(struct gx_machine *m, const struct copy_source *source, struct qs_copy *copy);

#endif
