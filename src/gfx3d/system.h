/* system.h - inside of an instance of Gfx3D
 *
 *   api.c      the public calls: each becomes a struct g3_call        raster.h   a draw: vertices, set-up, quads, pixels
 *   call.c     runs a call: record, mock, dispatch, error text        host.h     the VirGL backend
 *   objects.c  handles, contexts, targets                             qsc.h      captures: writing and reading calls
 *   resources.c meshes, textures
 *   program.c  shaders, instances, uniforms, camera                   snapshot.c contents to come back to (src/trace/gfx3d.c)
 *   frame.c    begin, clear, state, draw, end
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef GFX3D_SYSTEM_H
#define GFX3D_SYSTEM_H

#include "gfx3d.h"
#include "gfx3d/csir.h"

/* ---- calls -------------------------------------------------------------------------------------------------------------- */

enum g3_op {
#define CALL(name, number, handles, ints, floats, blobs, result, flags, text) G3_##name = number,
#include "gfx3d/calls.def"
#undef CALL
	G3_OP_END
};

#define G3_CALL_INTS 26
#define G3_CALL_FLOATS 16
#define G3_CALL_BLOBS 2

enum { G3_CALL_FRAME_END = 1, G3_CALL_DRAW = 2, G3_CALL_AGAIN = 4 };

struct g3_call_info {
	const char *name; /* NULL: no such call */
	uint8_t handles, ints, floats, blobs;
	char result; /* 'h' or 'i' */
	uint8_t flags;
	const char *text;
};

struct g3_call {
	uint16_t op;
	uint32_t owner;
	uint32_t handle[2];
	int32_t i[G3_CALL_INTS];
	float f[G3_CALL_FLOATS];
	const void *blob[G3_CALL_BLOBS];
	size_t blob_size[G3_CALL_BLOBS];
	void *out; /* where target_read writes; not recorded */
	uint32_t result;
};

const struct g3_call_info *g3_call_info(unsigned op); /* NULL for a number that is none */

/* ---- objects ------------------------------------------------------------------------------------------------------------ */

enum g3_kind { G3_CONTEXT, G3_TARGET, G3_MESH, G3_TEXTURE, G3_PROGRAM, G3_SHADER, G3_KIND_COUNT };

struct g3_slot {
	uint16_t generation; /* of the object here, or of the last one */
	bool used;
	uint32_t owner;
};

/* Bytes that never change once made, shared by clones of an instance. */
struct g3_bytes {
	unsigned references;
	size_t size;
	uint8_t data[];
};

struct g3_bytes *g3_bytes_new(size_t size); /* NULL: no memory */
struct g3_bytes *g3_bytes_ref(struct g3_bytes *bytes);
void g3_bytes_unref(struct g3_bytes *bytes);

struct g3_context {
	struct g3_slot slot;
	bool in_frame, depth_on, cull_on;
	float fov, near_z, far_z;
	float view[16], projection[16], model[16];
	uint32_t target, program;      /* handles, 0: none */
	uint32_t texture[QS_GFX3D_UNITS];
	int viewport[4];               /* x y width height */
	uint8_t depth_compare, depth_write;
	struct qs_gfx3d_sampler sampler[QS_GFX3D_UNITS];
	struct qs_gfx3d_blend blend;
	struct qs_gfx3d_stencil stencil;
};

struct g3_target {
	struct g3_slot slot;
	uint32_t context;
	int width, height, samples;
	bool cleared; /* since it was made or resized */
	bool stale;   /* the host has drawn what the arrays do not have */
	uint32_t *color; /* samples planes of width*height */
	float *depth;
	uint8_t *stencil;
};

struct g3_mesh {
	struct g3_slot slot;
	int usage;
	struct qs_gfx3d_layout layout;
	struct g3_bytes *vertices, *indices; /* NULL: none */
	uint32_t index_count;
	float (*built)[8]; /* of mesh_vert */
	uint32_t built_count, built_room;
};

#define G3_LEVELS 11

struct g3_texture {
	struct g3_slot slot;
	int width, height, levels;
	struct g3_bytes *level[G3_LEVELS]; /* packed colours; level 0 NULL: never uploaded, reads black */
};

/* Compiled shaders never change in place while a snapshot shares them (program.c copies before a relink). */
struct g3_linked {
	unsigned references;
	struct csir_program *program;
};

struct g3_shader {
	struct g3_slot slot;
	struct g3_linked *linked;
	float *words; /* only in a snapshot: the uniform values, which live in the program */
};

struct g3_program {
	struct g3_slot slot;
	uint32_t context, shader;
	uint16_t uploaded; /* generation of the link that the host has */
};

struct g3_host;     /* host.c: the VirGL side */
struct g3_recorder; /* qsc_write.c */
struct g3_raster;   /* raster.c: scratch memory of draws */

struct qs_gfx3d {
	enum qs_gfx3d_backend backend; /* asked for */
	bool virgl;                    /* drawing goes to the host */
	bool virgl_lost;
	enum qs_gfx3d_model model; /* the same numbers as enum g3_model */
	struct g3_quirks quirks;
	struct g3_context context[QS_GFX3D_MAX_CONTEXTS];
	struct g3_target target[QS_GFX3D_MAX_TARGETS];
	struct g3_mesh mesh[QS_GFX3D_MAX_MESHES];
	struct g3_texture texture[QS_GFX3D_MAX_TEXTURES];
	struct g3_program program[QS_GFX3D_MAX_PROGRAMS];
	struct g3_shader shader[QS_GFX3D_MAX_SHADERS];
	struct qs_gfx3d_stats stats;
	char error[64];
	char detail[2048];
	char mock[1024];
	struct csir_cache *cache; /* of compiled sources; NULL: none yet */
	struct g3_raster *raster;
	struct g3_host *host;
	const char *host_socket; /* NULL: a host of our own */
	const char *host_driver; /* of a host of our own, NULL: llvmpipe */
	char host_text[512];     /* why the host was lost */
	struct g3_recorder *recorder;
};

/* call.c */
struct qs_gfx3d *g3_create(void); /* without a recorder */
uint32_t g3_execute(struct qs_gfx3d *g, struct g3_call *call); /* records it, runs it, sets and gives the result */
/* Notes the failure; gives -1. The detail becomes the text too unless it is set afterwards. */
int g3_fail(struct qs_gfx3d *g, const char *text);
int g3_fail_detail(struct qs_gfx3d *g, const char *text, const char *format, ...) __attribute__((format(printf, 3, 4)));
void g3_mock(struct qs_gfx3d *g, const char *word);

/* objects.c */
void g3_set_model(struct qs_gfx3d *g, enum qs_gfx3d_model model);
/* The object of a handle when it is alive and the owner's; NULL: not. */
struct g3_context *g3_context(struct qs_gfx3d *g, uint32_t owner, uint32_t handle);
struct g3_target *g3_target(struct qs_gfx3d *g, uint32_t owner, uint32_t handle);
struct g3_mesh *g3_mesh(struct qs_gfx3d *g, uint32_t owner, uint32_t handle);
struct g3_texture *g3_texture(struct qs_gfx3d *g, uint32_t owner, uint32_t handle);
struct g3_program *g3_program(struct qs_gfx3d *g, uint32_t owner, uint32_t handle);
struct g3_shader *g3_shader(struct qs_gfx3d *g, uint32_t owner, uint32_t handle);
struct g3_slot *g3_slot_at(struct qs_gfx3d *g, enum g3_kind kind, unsigned i);
unsigned g3_kind_size(enum g3_kind kind); /* slots of the table */
uint32_t g3_handle_of(const struct g3_slot *slot, unsigned i);
uint32_t g3_context_handle(const struct qs_gfx3d *g, const struct g3_context *c);
/* A free slot, marked used with the next generation; NULL: the table is full. */
struct g3_slot *g3_slot_take(struct qs_gfx3d *g, enum g3_kind kind, uint32_t owner, uint32_t *handle);
void g3_slot_release(enum g3_kind kind, struct g3_slot *slot); /* leaves the generation for the next object */
void g3_destroy_all(struct qs_gfx3d *g);
/* Everything as after g3_create, generations too. */
void g3_clear(struct qs_gfx3d *g);
/* Packed colour of a pixel, samples averaged. */
uint32_t g3_target_pixel(const struct g3_target *t, size_t pixel);
int g3_object_call(struct qs_gfx3d *g, struct g3_call *call);
void g3_destroy_program(struct qs_gfx3d *g, struct g3_program *p);
/* snapshot.c: contents of an instance, to come back to.  Targets are copied, meshes, textures and shaders shared.  Not for
 * instances that draw on a host. */
struct g3_snapshot;
struct g3_snapshot *g3_snapshot_take(const struct qs_gfx3d *g); /* NULL: no memory */
bool g3_snapshot_restore(struct qs_gfx3d *g, const struct g3_snapshot *snapshot); /* false: no memory, g is empty */
void g3_snapshot_destroy(struct g3_snapshot *snapshot);
size_t g3_snapshot_size(const struct g3_snapshot *snapshot);
uint64_t g3_hash(const struct qs_gfx3d *g); /* of pixels, depth and state */

/* resources.c */
int g3_resource_call(struct qs_gfx3d *g, struct g3_call *call);
void g3_destroy_mesh(struct qs_gfx3d *g, struct g3_mesh *m);
void g3_destroy_texture(struct qs_gfx3d *g, struct g3_texture *t);

/* program.c */
int g3_program_call(struct qs_gfx3d *g, struct g3_call *call);
void g3_destroy_shader(struct g3_shader *s);
struct g3_linked *g3_linked_new(void); /* NULL: no memory */
void g3_linked_unref(struct g3_linked *linked);
/* The linked program a context draws with; NULL and an error: none. */
struct csir_program *g3_bound_program(struct qs_gfx3d *g, const struct g3_context *c);

/* frame.c */
int g3_frame_call(struct qs_gfx3d *g, struct g3_call *call);
/* The packed pixel of a colour; spills says that a channel was out of range. */
uint32_t g3_pack_clear(const struct qs_gfx3d *g, const float color[4]);

#endif
