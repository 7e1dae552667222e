/* host_inside.h - shared by host.c, host_state.c and host_probe.c
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef GFX3D_HOST_INSIDE_H
#define GFX3D_HOST_INSIDE_H

#include "gfx3d/host.h"
#include "virgl/device.h"

#define STATES 32
#define STATE_KEY 64

/* State objects by their contents. */
struct state_cache {
	unsigned count;
	struct {
		uint8_t key[STATE_KEY];
		virgl_id id;
	} entry[STATES];
};

/* With samples, draws go to textures of their own and are resolved to be read. */
struct host_target {
	virgl_id color, depth;         /* read */
	virgl_id color_many, depth_many; /* samples, 0: one alone */
	virgl_id color_surface, depth_surface; /* drawn into */
};

struct host_mesh {
	virgl_id vertices, indices;
};

struct host_texture {
	virgl_id texture, view;
};

struct host_program {
	virgl_id shader[2];
};

struct g3_host {
	struct virgl_device *d;
	struct host_target target[QS_GFX3D_MAX_TARGETS];
	struct host_mesh mesh[QS_GFX3D_MAX_MESHES];
	struct host_texture texture[QS_GFX3D_MAX_TEXTURES];
	struct host_program program[QS_GFX3D_MAX_PROGRAMS];
	struct state_cache blend, depth, rasterizer, sampler, elements;
	uint64_t draws; /* for labels */
};

/* Changes state on its way to the host: only tests have some, to see that faults are found (tests/faults.h).  Members may be NULL. */
struct g3_host_hooks {
	void (*blend)(struct virgl_blend *state);
	void (*depth)(struct virgl_depth *state);
	void (*rasterizer)(struct virgl_rasterizer *state);
	void (*sampler)(struct virgl_sampler *state);
	void (*elements)(struct virgl_element *element, unsigned count);
	void (*viewport)(float v[6]); /* x y width height z_scale z_offset */
	void (*constants)(enum csir_stage stage, float *words, unsigned count);
	char *(*shader)(enum csir_stage stage, const char *text); /* malloc'ed */
	void (*bound)(struct virgl_device *d); /* before a draw */
};
extern const struct g3_host_hooks *g3_host_hooks;

#define HOOK(member, ...) \
	do { \
		if (g3_host_hooks && g3_host_hooks->member) \
			g3_host_hooks->member(__VA_ARGS__); \
	} while (0)

/* host_state.c */
virgl_id g3_host_blend_state(struct qs_gfx3d *g, const struct g3_context *c);
virgl_id g3_host_depth_state(struct qs_gfx3d *g, const struct g3_context *c);
bool g3_host_depth_used(const struct qs_gfx3d *g, const struct g3_context *c);
virgl_id g3_host_rasterizer_state(struct qs_gfx3d *g, const struct g3_context *c, int samples);
virgl_id g3_host_sampler_state(struct qs_gfx3d *g, const struct g3_context *c, unsigned unit);
virgl_id g3_host_elements(struct qs_gfx3d *g, const struct g3_mesh *m, const struct csir_shader *vs);

virgl_id g3_host_shader(struct qs_gfx3d *g, enum csir_stage stage, const char *text, const char *label, struct qs_error *error);
/* All that a draw binds but the framebuffer; the number of vertices or indices, 0: an error. */
uint32_t g3_host_bind(struct qs_gfx3d *g, struct g3_context *c, struct g3_target *t, struct g3_mesh *m, struct csir_program *program,
	struct qs_error *error);

#endif
