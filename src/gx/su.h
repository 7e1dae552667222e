/* su.h - what draw.c needs of the setup unit beyond machine.h
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef GX_SU_H
#define GX_SU_H

#include "gx/machine.h"

/* A scissor rectangle in EFB pixels, and what is subtracted from hardware screen coordinates to get there. */
struct su_scissor {
	struct qs_rect rect;
	int32_t offset_x, offset_y;
};

/* At most 9 x 9 wraps, of which few are not empty. */
#define SU_MAX_SCISSORS 16

/* All rectangles that the registers give, wrapping at 1024; 0 when nothing can be drawn (spec 03 section 6). */
unsigned su_scissors(const struct gx_state *s, struct su_scissor out[SU_MAX_SCISSORS]);

/* Multiplies s and t of the vertex by the texture size registers (texel units). */
void su_scale_texcoords(const struct gx_state *s, struct gx_vertex *v);

/* Edges and planes of a triangle whose vertices are oriented (or will be, in models that look at the screen area).  False:
 * zero area or nothing inside the scissor; t->record.verdict says which. */
bool su_triangle(struct gx_machine *m, const struct gx_vertex *const v[3], const struct su_scissor *scissor,
	struct gx_triangle *t);

/* The z plane that later zfreeze triangles use. */
void su_latch_z(struct gx_machine *m, const struct gx_vertex *const v[3], const struct su_scissor *scissor);

#endif
