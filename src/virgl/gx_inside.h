/* gx_inside.h - what the files of the Flipper's second renderer share
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIRGL_GX_INSIDE_H
#define VIRGL_GX_INSIDE_H

#include "virgl/gx_shader.h"
#include "virgl/gx_vertex.h"
#include "virgl/gx_virgl.h"
#include "virgl/stream.h"

#define GX_PROGRAMS 512
#define GX_VERTEX_BUFFER (16u << 20) /* a draw of 65535 vertices fits */
#define GX_INDEX_BUFFER (4u << 20)
#define GX_TEXTURES 1024

struct gx_host_program {
	struct gx_key key;
	struct gx_program program;
	virgl_id shader;
	struct gx_host_program *next; /* in the hash chain */
};

struct gx_host_vertex {
	struct gx_vertex_key key;
	struct gx_program program;
	virgl_id shader, elements;
	struct gx_host_vertex *next;
};

/* Clip position of a vertex that was looked at. */
struct gx_place {
	float clip[4];
	uint8_t outcode;
};

/* The draw for the vertex program. */
struct gx_feed {
	struct gx_vertex_key key;
	struct gx_vertex_layout layout;
	struct su_scissor scissor[SU_MAX_SCISSORS];
	unsigned scissors;
	uint32_t vertices;
};

struct gx_host_texture {
	struct tx_source source[TX_LEVELS];
	unsigned levels;
	uint64_t hash; /* of the texels */
	bool checked;  /* the generations are those of the present machine */
	uint32_t main_generation, tmem_generation;
	uint64_t used; /* draw that used it last */
	virgl_id texture, view;
	struct gx_host_texture *next;
};

/* One host draw: triangles with one scissor rectangle. */
struct gx_run {
	uint32_t first, count; /* vertices */
	struct qs_rect scissor;
};

struct gx_virgl {
	struct virgl_device *device;
	struct virgl_options options;
	char socket[108], driver[32];
	struct gx_renderer renderer;
	struct qs_error trouble;
	struct gx_virgl_statistics statistics;
	unsigned failures; /* in a row */
	bool hopeless;     /* too many: no more attempts */
	uint32_t generation;

	virgl_id color, depth, color_surface, depth_surface;
	virgl_id blend, rasterizer[8], sampler, z_state[16]; /* rasterizer: culled faces, + 4 with clip planes; z_state: func, + 8 when stored */
	virgl_id buffer, index_buffer;
	uint32_t buffer_used, index_used;
	virgl_id screen_shader[2][3][9], elements[2][3][9];
	uint32_t *pixels; /* what is on the host while the machine has it too: words, then floats, then room for transfers */
	float *depths;
	uint32_t *bytes;
	bool valid; /* pixels and depths are what the host has ... */
	bool drawn; /* ... unless something was drawn there since */

	struct gx_host_program *program[256];
	unsigned programs;
	struct gx_host_vertex *vertex_program[256];
	struct gx_host_texture *texture[256];
	unsigned textures;
	uint64_t clock;
	uint32_t *atlas;
	size_t atlas_size;

	struct gx_feed feed;
	virgl_id probe, probe_surface; /* what vertex programs are asked on; 0: nobody asked yet */
	virgl_id probe_shader[11], probe_depth;
	bool units_asked;
	struct gx_place *place;
	size_t place_room;
	uint32_t *index;
	size_t index_count, index_room;
	float *vertex;
	size_t vertex_count, vertex_room; /* floats */
	struct gx_run *run;
	size_t runs, run_room;
};

/* gx_host.c */
bool gx_host_ready(struct gx_virgl *v, struct qs_error *error); /* objects exist on the present context */

struct gx_host_vertex *gx_host_vertex_program(struct gx_virgl *v, const char *label, struct qs_error *error); /* of v->feed */
/* Writes into a ring; the offset. */
uint32_t gx_host_write(struct gx_virgl *v, virgl_id buffer, uint32_t *used, uint32_t size, const void *data, uint32_t bytes);
void gx_host_vertex_constants(struct gx_virgl *v, const struct gx_machine *m, const struct su_scissor *scissor,
	const struct gx_host_vertex *program);

/* gx_texture.c: a view for each map of the key, in views[]; the others get 0. */
bool gx_host_textures(struct gx_virgl *v, struct gx_machine *m, const struct gx_key *key, virgl_id views[TX_MAPS], unsigned *count,
	struct qs_error *error);
void gx_host_textures_forget(struct gx_virgl *v); /* the context is gone */
void gx_host_textures_doubt(struct gx_virgl *v);  /* another machine: its counters of writes say nothing about ours */

/* gx_efb.c */
bool gx_efb_to_host(struct gx_virgl *v, struct gx_machine *m, struct qs_error *error);
bool gx_efb_from_host(struct gx_virgl *v, struct gx_machine *m, struct qs_error *error);

/* gx_feed.c: vertices and indices of the draw that was begun are left in v, unless there is a reason for the units.  false: no
 * memory. */
bool gx_feed(struct gx_virgl *v, struct gx_machine *m, enum gx_reason *reason);
/* Only what registers say. */
enum gx_reason gx_feed_begin(struct gx_virgl *v, struct gx_machine *m);

/* Three copies of a vertex with a corner each, at v->vertex, where there is room. */
void gx_feed_corners(struct gx_virgl *v, const struct gx_machine *m, const struct gx_vertex *vertex, const float corners[3][4]);

/* gx_triangles.c: sets up all primitives of the draw that was begun; vertices and runs are left in v. */
unsigned gx_screen_floats(const struct gx_key *key); /* of a vertex */
bool gx_collect(struct gx_virgl *v, struct gx_machine *m, const struct gx_key *key);

#endif
