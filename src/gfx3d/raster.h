/* raster.h - a draw of Gfx3D on the processor
 *
 *   vertex.c    attributes from bytes, vertex shader                 fragment.c  weights, interpolation, fragment shader
 *   setup.c     clipping, screen coordinates, culling, edges         pixel.c     depth, stencil, blending, packing
 *   walk.c      quads and their coverage                             sampler.c   textures with filter, wrap and mipmaps
 *   draw.c      iterators: primitives, quads, batches                proof.c     the small proof renderer
 *
 * Everything from the fragment shader on works on a batch of up to 16 quads (64 fragments, the threads of csir.h).  Fragment i
 * belongs to quad i/4 at pixel i%4: 0 top left, 1 top right, 2 bottom left, 3 bottom right.  No pixel is twice in a batch.
 * Where renderers differ one value of struct g3_rules decides, taken from the quirks once per draw.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef GFX3D_RASTER_H
#define GFX3D_RASTER_H

#include "gfx3d/lanes.h"
#include "gfx3d/system.h"

#define G3_QUADS 16
#define G3_FRAGMENTS 64
#define G3_SAMPLES 4
#define G3_MAX_PARTS 10 /* a triangle clipped by six planes has at most nine corners; rounding may add some */

/* Behaviour of a draw, resolved from quirks and state. */
struct g3_rules {
	bool clip, cull, tolerance, bottom_left, clip_depth, fcoord_w, spill, round_proof;
	bool depth_test, depth_write;
	uint8_t compare;
	float w_limit; /* without clipping: |w| below it skips the triangle */
	int viewport[4];
};

struct g3_vertex {
	uint32_t index; /* in the mesh, or QS_NONE: made by clipping */
	float clip[4];
	float vary[CSIR_VARY_MAX][4];
	float attr[3]; /* attribute 0, for the record */
};

struct g3_triangle {
	uint32_t primitive, part, part_count;
	struct g3_vertex v[3];
	float x[3], y[3], inv_w[3], window_z[3];
	float denominator; /* edge function of the three corners */
	bool exact;
	/* exact coverage, in 1/256 pixel: value at the corner of pixel (i, j) is c + dx*i + dy*j, of a sample add sample[s][edge];
	 * inside when not negative (c has the fill rule) */
	int64_t edge_c[3], edge_dx[3], edge_dy[3], sample[G3_SAMPLES][3];
	int samples;
	int x0, y0, x1, y1; /* pixels that are looked at; x1, y1 exclusive */
};

struct g3_walk {
	const struct g3_triangle *t;
	int x, y;            /* of the chunk, even */
	uint16_t cover[8];   /* of its quads */
	unsigned next;       /* quad of the chunk */
	bool loaded;
};

struct g3_batch {
	unsigned quads;
	const struct g3_triangle *triangle[G3_QUADS];
	uint32_t number[G3_QUADS]; /* of the quad within its primitive */
	int16_t x[G3_QUADS], y[G3_QUADS];
	uint16_t coverage[G3_QUADS];
	uint8_t samples[G3_FRAGMENTS]; /* covered, later those that passed */
	uint8_t verdict[G3_FRAGMENTS];
	uint64_t live;
	float weight[3][G3_FRAGMENTS], iw[G3_FRAGMENTS], z[G3_SAMPLES][G3_FRAGMENTS];
	struct csir_vec vary[CSIR_VARY_MAX], fcoord, color;
	uint8_t commit;               /* fragments of the quads that are stored, 15: all */
	struct qs_gfx3d_quad *record; /* NULL or of the only quad */
};

struct g3_draw {
	bool active;
	struct qs_gfx3d *g;
	struct g3_context *c;
	struct g3_target *t;
	struct g3_mesh *m;
	struct csir_program *program;
	struct g3_rules rules;
	struct csir_texture texture[CSIR_SAMPLER_MAX];
	uint32_t vertex_count, primitive_count;
	uint32_t primitive; /* current; QS_NONE before the first */
	uint32_t quad;      /* number of the next quad of it */
	uint32_t varyings;  /* vertex slots to interpolate */
	bool fcoord, filtered;     /* the sampler of an extension is used */
	bool quad_uniform;         /* whole quads must be shaded */
	struct g3_vertex *vertex;  /* shaded ones: all of them, or a window from first_vertex */
	uint32_t first_vertex, shaded, room;
	struct g3_triangle part[G3_MAX_PARTS];
	unsigned part_count, at; /* parts of the primitive, the one being walked */
	uint8_t verdict;         /* enum qs_setup_verdict of the primitive */
	struct g3_walk walk;
	struct g3_triangle held[G3_QUADS];
	unsigned held_count;
};

struct g3_raster {
	struct csir_plan *plan[2];
	struct g3_batch batch;
	struct g3_draw draw;
	struct csir_vec attr[CSIR_ATTR_MAX], position, vary_out[CSIR_VARY_MAX]; /* vertex.c */
};

struct g3_raster *g3_raster_create(void);
void g3_raster_destroy(struct g3_raster *raster);

/* draw.c.  begin checks what the call does (layout, bindings) and gives 0 or -1 with an error. */
int g3_draw_begin(struct qs_gfx3d *g, struct g3_context *c, struct g3_mesh *m);
/* Goes to the next primitive: 1 there is one, 0 no more, -1 it failed (error set). */
int g3_draw_primitive(struct qs_gfx3d *g);
/* Next quad of the primitive that is covered; false: no more. It is in no batch yet. */
bool g3_draw_next(struct qs_gfx3d *g, int *x, int *y, uint16_t *coverage);
/* Puts the quad that next found into the batch, running the batch first when the place is taken or it is full. */
void g3_draw_add(struct qs_gfx3d *g, int x, int y, uint16_t coverage);
void g3_draw_flush(struct qs_gfx3d *g);
void g3_draw_end(struct qs_gfx3d *g);
int g3_draw_run(struct qs_gfx3d *g); /* from begin to the end */

/* vertex.c */
bool g3_vertices_begin(struct g3_draw *d, struct g3_raster *raster);
/* The shaded vertex; its number must be below vertex_count. */
const struct g3_vertex *g3_vertex_get(struct g3_draw *d, struct g3_raster *raster, uint32_t number);
void g3_vertex_attributes(const struct g3_draw *d, struct g3_raster *raster, uint32_t number, float attribute[8][4]);
/* Number of the corner's vertex in the mesh. */
uint32_t g3_vertex_of_corner(const struct g3_draw *d, uint32_t corner);
/* The vertex shader for up to four vertices, instruction by instruction; returns the number of steps. */
uint32_t g3_vertex_steps(struct g3_draw *d, struct g3_raster *raster, const uint32_t *number, uint32_t count, struct qs_gfx3d_step *step);

/* setup.c: parts of a triangle; returns their number and sets the verdict. */
unsigned g3_setup(const struct g3_rules *rules, const struct g3_target *t, const struct g3_vertex *const v[3], uint32_t primitive,
	struct g3_triangle part[G3_MAX_PARTS], uint8_t *verdict);
void g3_setup_record(const struct g3_triangle *t, const struct g3_rules *rules, struct qs_setup *setup);

static inline float g3_edge(float ax, float ay, float bx, float by, float px, float py)
{
	return (px - ax) * (by - ay) - (py - ay) * (bx - ax);
}

static inline g3_four g3_edge4(float ax, float ay, float bx, float by, g3_four px, g3_four py)
{
	return (px - g3_splat(ax)) * g3_splat(by - ay) - (py - g3_splat(ay)) * g3_splat(bx - ax);
}

/* Where the samples of a pixel are, in 1/16 pixel: the pattern of graphics processors with four. */
static const uint8_t g3_sample_place[2][G3_SAMPLES][2] = {{{8, 8}, {8, 8}, {8, 8}, {8, 8}}, {{6, 2}, {14, 6}, {2, 10}, {10, 14}}};

/* walk.c */
void g3_walk_begin(struct g3_walk *walk, const struct g3_triangle *t);
bool g3_walk_next(struct g3_walk *walk, int *x, int *y, uint16_t *coverage);

/* fragment.c, pixel.c */
void g3_batch_run(struct g3_draw *d, struct g3_raster *raster);
void g3_batch_test(struct g3_draw *d, struct g3_batch *b);  /* stencil and depth before the shader */
void g3_batch_write(struct g3_draw *d, struct g3_batch *b); /* what is alive after it */
void g3_step_record(const struct csir_tap *tap, struct qs_gfx3d_step *step); /* of the threads 0 to 3 */
uint32_t g3_pack(bool spill, const float color[4], bool *out_of_range);

/* sampler.c: the sampler of an extension; user is the struct g3_draw */
void g3_sample(void *user, unsigned slot, uint64_t mask, const struct csir_vec *at, struct csir_vec *out);
bool g3_sample_needed(const struct qs_gfx3d *g, const struct g3_context *c); /* the interpreter's own will not do */

/* proof.c: one triangle with a depth buffer of its own (spec 02 section 3); size 1..128, pixels width*height, attributes three
 * arrays of 32 floats (8 locations of 4).  0, or -1: sizes, stride below 4, not linked, w near 0. */
int g3_proof_triangle(struct qs_gfx3d *g, struct csir_program *program, const float *const attributes[3], int stride,
	const struct csir_texture *texture, uint32_t *pixels, int width, int height);

#endif
