/* gfx3d_rows.h - inside of the list of Gfx3D state: gfx3d_rows.c makes the rows, gfx3d_writers.c knows who set what
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TRACE_GFX3D_ROWS_H
#define TRACE_GFX3D_ROWS_H

#include "trace/gfx3d.h"

#define G3_OBJECTS 48 /* slots of the largest table */
#define G3_WRITTEN_UNIFORMS 512

/* Commands, QS_NONE: none. */
struct g3_context_writers {
	uint32_t made, frame, target, viewport, depth, depth_func, cull, blend, stencil, camera, model, program;
	uint32_t texture[QS_GFX3D_UNITS], sampler[QS_GFX3D_UNITS];
};

struct g3_writers {
	struct g3_context_writers context[QS_GFX3D_MAX_CONTEXTS];
	uint32_t used[QS_GFX3D_MAX_CONTEXTS];       /* slot of the program in use */
	uint32_t into[QS_GFX3D_MAX_CONTEXTS];       /* slot of the target of its frame */
	uint32_t shader_of[QS_GFX3D_MAX_PROGRAMS];  /* slot of its shader */
	uint32_t object[G3_KIND_COUNT][G3_OBJECTS]; /* made, filled or changed */
	bool one_unit; /* one_unit: quirk bind_unit is off */
	uint32_t uniform_count;
	struct {
		unsigned shader; /* slot */
		uint32_t command;
		char name[CSIR_NAME_MAX];
	} uniform[G3_WRITTEN_UNIFORMS];
};

void g3_writers_init(struct g3_writers *w);
/* Of the commands before `end`. */
void g3_writers_scan(struct g3_writers *w, const struct qs_capture *capture, uint32_t end);
uint32_t g3_writer_of_uniform(const struct g3_writers *w, unsigned shader, const char *name);

#endif
