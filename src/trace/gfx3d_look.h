/* gfx3d_look.h - inside of the search for the first divergence of a draw of Gfx3D
 *
 *   gfx3d_diverge.c  which draw, which pixel; interpolation, depth, what is stored
 *   gfx3d_cover.c    coverage, of a draw and of whole frames
 *   gfx3d_walk_back.c  registers of both shaders, back along what differs
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TRACE_GFX3D_LOOK_H
#define TRACE_GFX3D_LOOK_H

#include "gfx3d/host.h"
#include "trace/compare.h"
#include "trace/gfx3d.h"

#define FRAGMENTS 64

/* Steps of a shader that ran for one fragment of a quad or one corner of a primitive. */
struct look_way {
	const struct csir_shader *shader;
	const struct qs_gfx3d_step *step;
	uint32_t count;
	unsigned part;
	bool vertex;
};

struct look {
	struct comparer *c;
	struct qs_divergence *d;
	struct qs_timeline *t; /* of the first source */
	uint32_t command;
	enum qs_buffer buffer; /* COLOR or DEPTH: what is compared */
	int x, y;
	uint8_t pixel[2][4], before[2][4];
	uint32_t z[2];
	struct qs_moment moment[FRAGMENTS]; /* of the first source's fragments on the pixel */
	uint8_t verdict[FRAGMENTS];
	unsigned count;
	struct qs_gfx3d_quad *quad; /* of the fragment that is looked at */
	const struct qs_gfx3d_fragment *f;
	unsigned k;
	uint32_t primitive;
	struct look_way way;  /* what is walked back */
	float tolerance;      /* of registers */
	uint8_t lanes;        /* of the register that is traced back: those that differ */
	bool own;             /* whatever the pixel held before, the draw itself is looked at */
	bool color_known;
	float color[4];       /* the host's, of the fragment */
	struct qs_error *error;
};

/* Is it a command that changes pixels? */
bool look_shows(const struct qs_command *k);
bool look_pictures(struct look *l, uint32_t command, struct qs_image image[2], struct qs_error *error); /* after it */
unsigned look_far(const struct look *l, const struct qs_image image[2], size_t pixel); /* 0: equal, within the tolerance */
void look_take_pixel(struct look *l, const struct qs_image image[2], size_t pixel);
/* What makes the pixel of the look differ, in its command. */
void look_describe(struct look *l);

void look_name(struct look *l, enum qs_stage_unit unit, enum qs_class kind, const char *text);
void look_vector(struct qs_divergence *d, const char *name, const float a[4], const float b[4]); /* as operands */
bool look_near(float a, float b, float tolerance);
bool look_near_lanes(const float a[4], const float b[4], uint8_t lanes, float tolerance);
bool look_permuted(const float a[4], const float b[4]); /* b has a's numbers in another order */
bool look_ask(struct look *l, uint32_t primitive, struct qs_value what, float value[4]); /* the second source */
const struct csir_program *look_program(const struct look *l);

/* True in *done: it is this, and described.  False: something could not be asked. */
bool look_at_coverage(struct look *l, bool *done);
bool look_at_shader(struct look *l, bool *done);
/* What the vertex shader stores for the primitive's corners (position: only that): the first register that differs. */
bool look_at_vertices(struct look *l, uint32_t primitive, bool position, bool *done);

#endif
