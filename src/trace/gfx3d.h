/* gfx3d.h - the Gfx3D machine under a timeline
 *
 * The timeline above advance.c, walk.c and query.c does not know which machine it moves: these functions do for captures of Gfx3D
 * calls (timeline->gfx3d is not NULL) what advance.c and the gx_* functions do for the Flipper.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TRACE_GFX3D_H
#define TRACE_GFX3D_H

#include "gfx3d/raster.h"
#include "trace/timeline.h"

struct g3_checkpoint {
	uint32_t command; /* everything before it is done */
	struct g3_snapshot *snapshot;
	struct g3_picture *picture;
};

/* What the last `end` call showed; shared by checkpoints. */
struct g3_picture {
	unsigned references;
	uint32_t command; /* the end call */
	int width, height;
	uint32_t *color;
	float *depth;
};

struct trace_gfx3d {
	struct qs_gfx3d *g;
	bool forced; /* model and quirks are the user's: those of the capture are left out */
	struct g3_picture *picture;
	struct g3_checkpoint *checkpoint;
	size_t checkpoint_count, checkpoint_room, bytes;
	double since; /* clock at the last checkpoint */
	/* pixels of the quad that was done in part */
	struct {
		bool valid;
		struct trace_position at;
		uint32_t target; /* handle */
		int x, y;
		uint32_t color[4][G3_SAMPLES];
		float depth[4][G3_SAMPLES];
		uint8_t stencil[4][G3_SAMPLES];
		struct qs_gfx3d_stats stats;
	} undo;
	bool record_known;
	struct trace_position record_at;
	struct qs_gfx3d_quad record; /* of t->quad */
};

bool trace_gfx3d_create(struct qs_timeline *t); /* false: no memory */
void trace_gfx3d_destroy(struct qs_timeline *t);
/* To the start, with an empty instance. */
bool trace_gfx3d_reset(struct qs_timeline *t);
void trace_gfx3d_set_model(struct qs_timeline *t, enum qs_gfx3d_model model);

/* As qs_timeline_program: gfx3d_program.c. */
bool trace_gfx3d_program(struct qs_timeline *t, struct qs_program *program, struct qs_error *error);

/* As trace_goto, trace_single and trace_walk_get. */
enum trace_result trace_gfx3d_goto(struct qs_timeline *t, const struct trace_position *target);
enum trace_result trace_gfx3d_single(struct qs_timeline *t, uint8_t commit);
bool trace_gfx3d_walk(struct qs_timeline *t, uint32_t command, struct trace_walk *walk, struct qs_error *error);

/* Shared by gfx3d.c and gfx3d_walk.c. */
bool trace_gfx3d_begin(struct qs_timeline *t, uint32_t command); /* the iterators, at the start of the draw */
void trace_gfx3d_nothing(struct g3_draw *d, struct qs_setup *setup); /* record of a primitive that gave no triangle */
uint16_t trace_gfx3d_coverage(uint16_t coverage); /* as the Flipper's records have it: three bits a pixel */

/* gfx3d_tables.c */
bool trace_gfx3d_is(const struct qs_timeline *t, struct qs_error *error); /* false, with a sentence: a capture of the Flipper */
struct g3_context *trace_gfx3d_context(const struct qs_timeline *t); /* of the draw at the moment, or what comes next to it; NULL: none */
void trace_gfx3d_window(const struct g3_draw *d, const float clip[4], float window[4]); /* x, y, depth, 1/w */

/* Questions at the moment, for query.c and image.c. */
uint32_t trace_gfx3d_setup(struct qs_timeline *t, uint32_t primitive, struct qs_setup *setup, uint32_t max, struct qs_error *error);
bool trace_gfx3d_vertices(struct qs_timeline *t, struct qs_vertex **vertices, uint32_t *count, struct qs_error *error);
bool trace_gfx3d_image(struct qs_timeline *t, enum qs_buffer buffer, struct qs_image *image, struct qs_error *error);
bool trace_gfx3d_has_picture(const struct qs_timeline *t); /* there is something to draw into, or was */
/* The stored depths of the image turned into depths in the window; the moment stays. */
bool trace_gfx3d_window_depth(struct qs_timeline *t, struct qs_image *image, struct qs_error *error);
void trace_gfx3d_size(const struct qs_timeline *t, uint32_t *width, uint32_t *height); /* of what the moment shows */
bool trace_gfx3d_pixel(const struct qs_timeline *t, int x, int y, uint8_t rgba[4], uint32_t *z);
bool trace_gfx3d_history(struct qs_timeline *t, uint32_t frame, uint32_t end, int x, int y, struct qs_history_row **rows, uint32_t *count,
	struct qs_error *error);

#endif
