/* gfx3d_inside.h - shared by the files that move the Gfx3D machine
 *
 *   gfx3d.c             life, calls, draws quad by quad, to a position
 *   gfx3d_checkpoint.c  pictures and checkpoints
 *   gfx3d_record.c      records and events
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TRACE_GFX3D_INSIDE_H
#define TRACE_GFX3D_INSIDE_H

#include "trace/gfx3d.h"

void gfx3d_picture_unref(struct g3_picture *p);
struct g3_picture *gfx3d_picture_take(const struct g3_target *t, uint32_t command); /* NULL: no memory */
void gfx3d_clear_checkpoints(struct trace_gfx3d *x);
/* Where the machine stands, at the border of a command.  Lack of memory only makes going back slower. */
void gfx3d_add_checkpoint(struct qs_timeline *t);

/* gfx3d_host.c: what the host is sent for a draw, as text; malloc'ed. */
char *gfx3d_host_commands(struct qs_gfx3d_host *h, uint32_t command, struct qs_error *error);

bool gfx3d_wants(const struct qs_timeline *t, enum qs_tap tap);
struct qs_moment gfx3d_moment_here(const struct qs_timeline *t, enum qs_level level, uint32_t quad);
void gfx3d_event_command(struct qs_timeline *t);
void gfx3d_event_primitive(struct qs_timeline *t);
/* Does the quad that g3_draw_next found alone and keeps its record. */
void gfx3d_recorded_quad(struct qs_timeline *t, int x, int y, uint16_t coverage, uint8_t commit);
bool gfx3d_in_filter(const struct qs_timeline *t, int x, int y);

#endif
