/* api.c - the public calls of Gfx3D: each is packed into a struct g3_call, so that recording, the mock backend and replay see
 * the same thing
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "gfx3d/system.h"

#define RUN(...) ((int)g3_execute(g, &(struct g3_call){__VA_ARGS__}))
#define MAKE(...) g3_execute(g, &(struct g3_call){__VA_ARGS__})

int qs_gfx3d_boot(struct qs_gfx3d *g, enum qs_gfx3d_backend backend)
{
	return RUN(.op = G3_boot, .i = {(int)backend});
}

void qs_gfx3d_set_model(struct qs_gfx3d *g, enum qs_gfx3d_model model)
{
	RUN(.op = G3_set_model, .i = {(int)model});
}

bool qs_gfx3d_set_quirk(struct qs_gfx3d *g, const char *name, int value, struct qs_error *error)
{
	if (RUN(.op = G3_set_quirk, .i = {value}, .blob = {name}, .blob_size = {strlen(name)}) == 0)
		return true;
	qs_error_set(error, QS_ERR_RANGE, 0, "There is no quirk '%s' of Gfx3D (docs/gfx3d.md lists them).", name);
	return false;
}

void qs_gfx3d_compiles(const struct qs_gfx3d *g, uint64_t *sources, uint64_t *cached)
{
	*sources = *cached = 0;
	if (g->cache)
		csir_cache_counts(g->cache, sources, cached);
}

void qs_gfx3d_stats_reset(struct qs_gfx3d *g)
{
	RUN(.op = G3_stats_reset);
}

int qs_gfx3d_drop_owner(struct qs_gfx3d *g, uint32_t owner)
{
	return RUN(.op = G3_drop_owner, .owner = owner);
}

/* ---- shaders ------------------------------------------------------------------------------------------------------------ */

qs_gfx3d_handle qs_gfx3d_shader_create(struct qs_gfx3d *g, uint32_t owner, const char *vertex, const char *fragment)
{
	return MAKE(.op = G3_shader_create, .owner = owner, .blob = {vertex, fragment}, .blob_size = {strlen(vertex), strlen(fragment)});
}

int qs_gfx3d_shader_relink(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle shader, const char *vertex, const char *fragment)
{
	return RUN(.op = G3_shader_relink, .owner = owner, .handle = {shader}, .blob = {vertex, fragment},
		.blob_size = {strlen(vertex), strlen(fragment)});
}

int qs_gfx3d_shader_destroy(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle shader)
{
	return RUN(.op = G3_shader_destroy, .owner = owner, .handle = {shader});
}

qs_gfx3d_handle qs_gfx3d_prog_prepare(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context, qs_gfx3d_handle shader)
{
	return MAKE(.op = G3_prog_prepare, .owner = owner, .handle = {context, shader});
}

int qs_gfx3d_prog_destroy(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle program)
{
	return RUN(.op = G3_prog_destroy, .owner = owner, .handle = {program});
}

/* ---- objects ------------------------------------------------------------------------------------------------------------ */

qs_gfx3d_handle qs_gfx3d_context_create(struct qs_gfx3d *g, uint32_t owner)
{
	return MAKE(.op = G3_context_create, .owner = owner);
}

int qs_gfx3d_context_destroy(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context)
{
	return RUN(.op = G3_context_destroy, .owner = owner, .handle = {context});
}

qs_gfx3d_handle qs_gfx3d_target_create(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context, int width, int height)
{
	return qs_gfx3d_target_create_samples(g, owner, context, width, height, 1);
}

qs_gfx3d_handle qs_gfx3d_target_create_samples(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context, int width, int height,
	int samples)
{
	return MAKE(.op = G3_target_create, .owner = owner, .handle = {context}, .i = {width, height, samples});
}

int qs_gfx3d_target_resize(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle target, int width, int height)
{
	return RUN(.op = G3_target_resize, .owner = owner, .handle = {target}, .i = {width, height});
}

int qs_gfx3d_target_destroy(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle target)
{
	return RUN(.op = G3_target_destroy, .owner = owner, .handle = {target});
}

static int room(size_t count)
{
	return count > INT32_MAX ? INT32_MAX : (int)count;
}

int qs_gfx3d_target_read(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle target, uint32_t *pixels, size_t count)
{
	return RUN(.op = G3_target_read, .owner = owner, .handle = {target}, .i = {0, room(count)}, .out = pixels);
}

int qs_gfx3d_target_read_depth(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle target, float *depth, size_t count)
{
	return RUN(.op = G3_target_read, .owner = owner, .handle = {target}, .i = {1, room(count)}, .out = depth);
}

qs_gfx3d_handle qs_gfx3d_mesh_create(struct qs_gfx3d *g, uint32_t owner, int usage)
{
	return MAKE(.op = G3_mesh_create, .owner = owner, .i = {usage});
}

int qs_gfx3d_mesh_upload(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle mesh, const struct qs_gfx3d_layout *layout,
	const void *vertices, size_t bytes, const uint16_t *indices, size_t index_count)
{
	struct g3_call call = {.op = G3_mesh_upload, .owner = owner, .handle = {mesh}, .i = {layout->stride, layout->elements},
		.blob = {vertices, indices}, .blob_size = {vertices ? bytes : 0, indices ? 2 * index_count : 0}};

	for (int e = 0; e < 8 && e < layout->elements; e++) {
		call.i[2 + 3 * e] = layout->element[e].location;
		call.i[3 + 3 * e] = layout->element[e].components;
		call.i[4 + 3 * e] = layout->element[e].offset;
	}
	return (int)g3_execute(g, &call);
}

int qs_gfx3d_mesh_vert(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle mesh, float x, float y, float z, float nx, float ny,
	float nz, float u, float v)
{
	return RUN(.op = G3_mesh_vert, .owner = owner, .handle = {mesh}, .f = {x, y, z, nx, ny, nz, u, v});
}

int qs_gfx3d_mesh_finish(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle mesh)
{
	return RUN(.op = G3_mesh_finish, .owner = owner, .handle = {mesh});
}

int qs_gfx3d_mesh_destroy(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle mesh)
{
	return RUN(.op = G3_mesh_destroy, .owner = owner, .handle = {mesh});
}

qs_gfx3d_handle qs_gfx3d_tex_create(struct qs_gfx3d *g, uint32_t owner, int width, int height)
{
	return MAKE(.op = G3_tex_create, .owner = owner, .i = {width, height});
}

int qs_gfx3d_tex_upload(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle texture, int width, int height, const uint32_t *pixels)
{
	size_t size = pixels && width > 0 && height > 0 && width <= QS_GFX3D_MAX_TEXTURE && height <= QS_GFX3D_MAX_TEXTURE
		? 4 * (size_t)width * (size_t)height : 0;

	return RUN(.op = G3_tex_upload, .owner = owner, .handle = {texture}, .i = {width, height}, .blob = {pixels}, .blob_size = {size});
}

qs_gfx3d_handle qs_gfx3d_tex_solid(struct qs_gfx3d *g, uint32_t owner, uint32_t argb)
{
	return MAKE(.op = G3_tex_solid, .owner = owner, .i = {(int32_t)argb});
}

int qs_gfx3d_tex_mipmaps(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle texture)
{
	return RUN(.op = G3_tex_mipmaps, .owner = owner, .handle = {texture});
}

int qs_gfx3d_tex_destroy(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle texture)
{
	return RUN(.op = G3_tex_destroy, .owner = owner, .handle = {texture});
}

/* ---- drawing ------------------------------------------------------------------------------------------------------------ */

int qs_gfx3d_begin(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context, qs_gfx3d_handle target)
{
	return RUN(.op = G3_begin, .owner = owner, .handle = {context, target});
}

int qs_gfx3d_clear(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context, float r, float gr, float b, float a, float depth)
{
	return RUN(.op = G3_clear, .owner = owner, .handle = {context}, .f = {r, gr, b, a, depth});
}

int qs_gfx3d_viewport(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context, int x, int y, int width, int height)
{
	return RUN(.op = G3_viewport, .owner = owner, .handle = {context}, .i = {x, y, width, height});
}

int qs_gfx3d_depth(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context, int on)
{
	return RUN(.op = G3_depth, .owner = owner, .handle = {context}, .i = {on});
}

int qs_gfx3d_cull(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context, int on)
{
	return RUN(.op = G3_cull, .owner = owner, .handle = {context}, .i = {on});
}

int qs_gfx3d_camera(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context, float x, float y, float z, float yaw, float pitch,
	float fov, float near_z, float far_z)
{
	return RUN(.op = G3_camera, .owner = owner, .handle = {context}, .f = {x, y, z, yaw, pitch, fov, near_z, far_z});
}

static int matrix_call(struct qs_gfx3d *g, enum g3_op op, uint32_t owner, uint32_t context, const char *name, const float matrix[16])
{
	struct g3_call call = {.op = (uint16_t)op, .owner = owner, .handle = {context}, .blob = {name},
		.blob_size = {name ? strlen(name) : 0}};

	memcpy(call.f, matrix, sizeof call.f);
	return (int)g3_execute(g, &call);
}

int qs_gfx3d_model_matrix(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context, const float matrix[16])
{
	return matrix_call(g, G3_model_matrix, owner, context, NULL, matrix);
}

int qs_gfx3d_use(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context, qs_gfx3d_handle program)
{
	return RUN(.op = G3_use, .owner = owner, .handle = {context, program});
}

int qs_gfx3d_uniform_mat4(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context, const char *name, const float matrix[16])
{
	return matrix_call(g, G3_uniform_mat4, owner, context, name, matrix);
}

int qs_gfx3d_uniform_f(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context, const char *name, const float *values,
	size_t count)
{
	return RUN(.op = G3_uniform_f, .owner = owner, .handle = {context}, .blob = {name, values},
		.blob_size = {strlen(name), count > 64 ? 64 * sizeof *values : count * sizeof *values});
}

int qs_gfx3d_bind_tex(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context, int unit, qs_gfx3d_handle texture)
{
	return RUN(.op = G3_bind_tex, .owner = owner, .handle = {context, texture}, .i = {unit});
}

int qs_gfx3d_draw(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context, qs_gfx3d_handle mesh)
{
	return RUN(.op = G3_draw, .owner = owner, .handle = {context, mesh});
}

int qs_gfx3d_end(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context)
{
	return RUN(.op = G3_end, .owner = owner, .handle = {context});
}

/* ---- extensions --------------------------------------------------------------------------------------------------------- */

int qs_gfx3d_sampler(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context, int unit, const struct qs_gfx3d_sampler *s)
{
	return RUN(.op = G3_sampler, .owner = owner, .handle = {context}, .i = {unit, s->min, s->mag, s->mip, s->wrap_s, s->wrap_t},
		.f = {s->lod_bias, s->min_lod, s->max_lod});
}

int qs_gfx3d_blend(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context, const struct qs_gfx3d_blend *b)
{
	return RUN(.op = G3_blend, .owner = owner, .handle = {context},
		.i = {b->enable, b->src, b->dst, b->op, b->src_alpha, b->dst_alpha, b->op_alpha, b->write_mask});
}

int qs_gfx3d_stencil(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context, const struct qs_gfx3d_stencil *s)
{
	return RUN(.op = G3_stencil, .owner = owner, .handle = {context},
		.i = {s->enable, s->func, s->fail, s->depth_fail, s->pass, s->reference, s->read_mask, s->write_mask});
}

int qs_gfx3d_depth_func(struct qs_gfx3d *g, uint32_t owner, qs_gfx3d_handle context, int compare, int write)
{
	return RUN(.op = G3_depth_func, .owner = owner, .handle = {context}, .i = {compare, write});
}
