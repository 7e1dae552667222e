/* objects.c - handles and the tables of contexts, targets, meshes and textures (spec 02 section 4)
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "gfx3d/host.h"
#include "gfx3d/system.h"

/* ---- shared bytes ------------------------------------------------------------------------------------------------------- */

struct g3_bytes *g3_bytes_new(size_t size)
{
	struct g3_bytes *bytes = malloc(sizeof *bytes + size);

	if (!bytes)
		return NULL;
	bytes->references = 1;
	bytes->size = size;
	return bytes;
}

struct g3_bytes *g3_bytes_ref(struct g3_bytes *bytes)
{
	if (bytes)
		bytes->references++;
	return bytes;
}

void g3_bytes_unref(struct g3_bytes *bytes)
{
	if (bytes && --bytes->references == 0)
		free(bytes);
}

/* ---- handles ------------------------------------------------------------------------------------------------------------ */

static const unsigned kind_size[G3_KIND_COUNT] = {
	[G3_CONTEXT] = QS_GFX3D_MAX_CONTEXTS, [G3_TARGET] = QS_GFX3D_MAX_TARGETS, [G3_MESH] = QS_GFX3D_MAX_MESHES,
	[G3_TEXTURE] = QS_GFX3D_MAX_TEXTURES, [G3_PROGRAM] = QS_GFX3D_MAX_PROGRAMS, [G3_SHADER] = QS_GFX3D_MAX_SHADERS,
};

unsigned g3_kind_size(enum g3_kind kind)
{
	return kind_size[kind];
}

struct g3_slot *g3_slot_at(struct qs_gfx3d *g, enum g3_kind kind, unsigned i)
{
	if (i >= kind_size[kind])
		return NULL;
	switch (kind) {
	case G3_CONTEXT:
		return &g->context[i].slot;
	case G3_TARGET:
		return &g->target[i].slot;
	case G3_MESH:
		return &g->mesh[i].slot;
	case G3_TEXTURE:
		return &g->texture[i].slot;
	case G3_PROGRAM:
		return &g->program[i].slot;
	default:
		return &g->shader[i].slot;
	}
}

uint32_t g3_handle_of(const struct g3_slot *slot, unsigned i)
{
	return (uint32_t)slot->generation << 16 | (i + 1);
}

uint32_t g3_context_handle(const struct qs_gfx3d *g, const struct g3_context *c)
{
	return g3_handle_of(&c->slot, (unsigned)(c - g->context));
}

static struct g3_slot *lookup(struct qs_gfx3d *g, enum g3_kind kind, uint32_t owner, uint32_t handle)
{
	struct g3_slot *slot = handle & 0xFFFF ? g3_slot_at(g, kind, (handle & 0xFFFF) - 1) : NULL;

	return slot && slot->used && slot->generation == handle >> 16 && slot->owner == owner ? slot : NULL;
}

struct g3_context *g3_context(struct qs_gfx3d *g, uint32_t owner, uint32_t handle)
{
	return (struct g3_context *)lookup(g, G3_CONTEXT, owner, handle);
}

struct g3_target *g3_target(struct qs_gfx3d *g, uint32_t owner, uint32_t handle)
{
	return (struct g3_target *)lookup(g, G3_TARGET, owner, handle);
}

struct g3_mesh *g3_mesh(struct qs_gfx3d *g, uint32_t owner, uint32_t handle)
{
	return (struct g3_mesh *)lookup(g, G3_MESH, owner, handle);
}

struct g3_texture *g3_texture(struct qs_gfx3d *g, uint32_t owner, uint32_t handle)
{
	return (struct g3_texture *)lookup(g, G3_TEXTURE, owner, handle);
}

struct g3_program *g3_program(struct qs_gfx3d *g, uint32_t owner, uint32_t handle)
{
	return (struct g3_program *)lookup(g, G3_PROGRAM, owner, handle);
}

struct g3_shader *g3_shader(struct qs_gfx3d *g, uint32_t owner, uint32_t handle)
{
	return (struct g3_shader *)lookup(g, G3_SHADER, owner, handle);
}

static const size_t kind_bytes[G3_KIND_COUNT] = {
	[G3_CONTEXT] = sizeof(struct g3_context), [G3_TARGET] = sizeof(struct g3_target), [G3_MESH] = sizeof(struct g3_mesh),
	[G3_TEXTURE] = sizeof(struct g3_texture), [G3_PROGRAM] = sizeof(struct g3_program), [G3_SHADER] = sizeof(struct g3_shader),
};

struct g3_slot *g3_slot_take(struct qs_gfx3d *g, enum g3_kind kind, uint32_t owner, uint32_t *handle)
{
	for (unsigned i = 0; i < kind_size[kind]; i++) {
		struct g3_slot *slot = g3_slot_at(g, kind, i);
		uint16_t generation = slot->generation;

		if (slot->used)
			continue;
		memset(slot, 0, kind_bytes[kind]);
		slot->generation = generation == UINT16_MAX ? 1 : (uint16_t)(generation + 1);
		slot->used = true;
		slot->owner = owner;
		*handle = g3_handle_of(slot, i);
		return slot;
	}
	return NULL;
}

/* Leaves the generation for the next object. */
static void release(enum g3_kind kind, struct g3_slot *slot)
{
	uint16_t generation = slot->generation;

	memset(slot, 0, kind_bytes[kind]);
	slot->generation = generation;
}

/* ---- contexts ----------------------------------------------------------------------------------------------------------- */

static void identity(float m[16])
{
	for (int i = 0; i < 16; i++)
		m[i] = i % 5 == 0;
}

static int context_create(struct qs_gfx3d *g, struct g3_call *call)
{
	uint32_t handle;
	struct g3_context *c = (struct g3_context *)g3_slot_take(g, G3_CONTEXT, call->owner, &handle);

	if (!c)
		return g3_fail(g, "context table full");
	c->depth_on = true;
	c->fov = 60;
	c->near_z = 0.1f;
	c->far_z = 200;
	identity(c->view);
	identity(c->projection);
	identity(c->model);
	c->depth_compare = QS_GFX3D_LESS;
	c->depth_write = 1;
	c->blend.write_mask = 15;
	for (int u = 0; u < QS_GFX3D_UNITS; u++)
		c->sampler[u] = (struct qs_gfx3d_sampler){.mip = QS_GFX3D_NO_MIPS, .max_lod = 1000};
	if (!g3_host_context_create(g, c)) {
		release(G3_CONTEXT, &c->slot);
		return g3_fail(g, "context create failed");
	}
	g->stats.contexts++;
	call->result = handle;
	return 0;
}

static void destroy_target(struct qs_gfx3d *g, struct g3_target *t)
{
	uint64_t pixels = (uint64_t)t->width * (uint64_t)t->height * (uint64_t)t->samples;

	g3_host_target_destroy(g, t);
	free(t->color);
	free(t->depth);
	free(t->stencil);
	g->stats.color_bytes -= pixels * 4;
	g->stats.depth_bytes -= pixels * 4;
	g->stats.targets--;
	release(G3_TARGET, &t->slot);
}

void g3_destroy_program(struct qs_gfx3d *g, struct g3_program *p)
{
	g3_host_program_destroy(g, p);
	g->stats.programs--;
	release(G3_PROGRAM, &p->slot);
}

static void destroy_context(struct qs_gfx3d *g, struct g3_context *c)
{
	uint32_t handle = g3_context_handle(g, c);

	for (unsigned i = 0; i < QS_GFX3D_MAX_TARGETS; i++)
		if (g->target[i].slot.used && g->target[i].context == handle)
			destroy_target(g, &g->target[i]);
	for (unsigned i = 0; i < QS_GFX3D_MAX_PROGRAMS; i++)
		if (g->program[i].slot.used && g->program[i].context == handle)
			g3_destroy_program(g, &g->program[i]);
	g3_host_context_destroy(g, c);
	g->stats.contexts--;
	release(G3_CONTEXT, &c->slot);
}

/* ---- targets ------------------------------------------------------------------------------------------------------------ */

/* What a new allocation holds.  Memory nobody wrote is anything; here it is noise that is the same every time, so that a
 * picture which depends on it can be told and repeated. */
static void fill_fresh(const struct qs_gfx3d *g, struct g3_target *t, size_t pixels)
{
	uint32_t noise = 0x9E3779B9u ^ (uint32_t)t->width << 16 ^ (uint32_t)t->height;

	for (size_t i = 0; i < pixels; i++)
		switch (G3_QUIRK(&g->quirks, fresh_target)) {
		case 1:
			noise = noise * 1664525u + 1013904223u;
			t->color[i] = noise;
			t->depth[i] = (float)(noise >> 8) / 16777216.0f;
			break;
		case 2:
			t->color[i] = 0;
			t->depth[i] = 0;
			break;
		default:
			t->color[i] = 0;
			t->depth[i] = 1;
		}
	memset(t->stencil, 0, pixels);
}

static bool allocate_target(struct qs_gfx3d *g, struct g3_target *t, int width, int height, int samples)
{
	size_t pixels = (size_t)width * (size_t)height * (size_t)samples;

	t->color = malloc(pixels * 4);
	t->depth = malloc(pixels * 4);
	t->stencil = malloc(pixels);
	if (!t->color || !t->depth || !t->stencil) {
		free(t->color);
		free(t->depth);
		free(t->stencil);
		t->color = NULL;
		t->depth = NULL;
		t->stencil = NULL;
		return false;
	}
	t->width = width;
	t->height = height;
	t->samples = samples;
	t->cleared = false;
	fill_fresh(g, t, pixels);
	g->stats.color_bytes += pixels * 4;
	g->stats.depth_bytes += pixels * 4;
	return true;
}

static bool size_good(int width, int height)
{
	return width >= 1 && width <= QS_GFX3D_MAX_WIDTH && height >= 1 && height <= QS_GFX3D_MAX_HEIGHT;
}

static int target_create(struct qs_gfx3d *g, struct g3_call *call)
{
	struct g3_context *c = g3_context(g, call->owner, call->handle[0]);
	uint32_t handle;
	struct g3_target *t;

	if (!c || !size_good(call->i[0], call->i[1]) || (call->i[2] != 1 && call->i[2] != 4))
		return g3_fail(g, "bad target");
	t = (struct g3_target *)g3_slot_take(g, G3_TARGET, call->owner, &handle);
	if (!t)
		return g3_fail(g, "target table full");
	t->context = call->handle[0];
	if (!allocate_target(g, t, call->i[0], call->i[1], call->i[2])) {
		release(G3_TARGET, &t->slot);
		return g3_fail(g, "target alloc failed");
	}
	g->stats.targets++;
	if (!g3_host_target_create(g, t)) {
		destroy_target(g, t);
		return g3_fail(g, "virgl target failed");
	}
	call->result = handle;
	return 0;
}

static int target_resize(struct qs_gfx3d *g, struct g3_call *call)
{
	struct g3_target *t = g3_target(g, call->owner, call->handle[0]), old;

	if (!t || !size_good(call->i[0], call->i[1]))
		return g3_fail(g, "bad target");
	if (t->width == call->i[0] && t->height == call->i[1])
		return 0;
	old = *t;
	if (!allocate_target(g, t, call->i[0], call->i[1], t->samples)) {
		*t = old;
		return g3_fail(g, "target alloc failed");
	}
	g->stats.color_bytes -= (uint64_t)4 * (uint64_t)old.width * (uint64_t)old.height * (uint64_t)old.samples;
	g->stats.depth_bytes -= (uint64_t)4 * (uint64_t)old.width * (uint64_t)old.height * (uint64_t)old.samples;
	free(old.color);
	free(old.depth);
	free(old.stencil);
	g3_host_target_destroy(g, t);
	return g3_host_target_create(g, t) ? 0 : g3_fail(g, "virgl resize failed");
}

/* Averages the samples of a pixel with rounding. */
uint32_t g3_target_pixel(const struct g3_target *t, size_t pixel)
{
	size_t plane = (size_t)t->width * (size_t)t->height;
	uint32_t sum[4] = {0};
	uint32_t packed = 0;

	if (t->samples == 1)
		return t->color[pixel];
	for (int s = 0; s < t->samples; s++)
		for (int c = 0; c < 4; c++)
			sum[c] += t->color[pixel + (size_t)s * plane] >> (8 * c) & 255;
	for (int c = 0; c < 4; c++)
		packed |= (sum[c] + (uint32_t)t->samples / 2) / (uint32_t)t->samples << (8 * c);
	return packed;
}

static int target_read(struct qs_gfx3d *g, struct g3_call *call)
{
	struct g3_target *t = g3_target(g, call->owner, call->handle[0]);
	size_t pixels = t ? (size_t)t->width * (size_t)t->height : 0;

	if (!t)
		return g3_fail(g, "unknown target");
	if (call->i[1] < 0 || (size_t)call->i[1] < pixels)
		return g3_fail(g, "bad readback");
	if (!g3_host_read(g, t, call->i[0] != 0))
		return g3_fail(g, "readback failed");
	if (!call->out) /* a replayed call */
		return 0;
	if (call->i[0] != 0) {
		memcpy(call->out, t->depth, pixels * sizeof *t->depth);
		return 0;
	}
	for (size_t i = 0; i < pixels; i++)
		((uint32_t *)call->out)[i] = g3_target_pixel(t, i);
	return 0;
}

/* ---- meshes ------------------------------------------------------------------------------------------------------------- */

static void mesh_bytes(struct qs_gfx3d *g, const struct g3_mesh *m, bool add)
{
	uint64_t size = (m->vertices ? m->vertices->size : 0) + (m->indices ? m->indices->size : 0);

	g->stats.mesh_bytes += add ? size : -size;
}

static void destroy_mesh(struct qs_gfx3d *g, struct g3_mesh *m)
{
	mesh_bytes(g, m, false);
	g3_host_mesh_destroy(g, m);
	g3_bytes_unref(m->vertices);
	g3_bytes_unref(m->indices);
	free(m->built);
	g->stats.meshes--;
	release(G3_MESH, &m->slot);
}

static struct g3_bytes *copy_bytes(const void *data, size_t size)
{
	struct g3_bytes *bytes = g3_bytes_new(size);

	if (bytes && size)
		memcpy(bytes->data, data, size);
	return bytes;
}

static int upload(struct qs_gfx3d *g, struct g3_mesh *m, const struct qs_gfx3d_layout *layout, const void *vertices, size_t bytes,
	const void *indices, size_t index_bytes)
{
	struct g3_bytes *v, *n = NULL;

	if (layout->stride < 4 || bytes < (size_t)layout->stride || layout->elements < 1 || layout->elements > 8 ||
	    bytes > UINT32_MAX || index_bytes > UINT32_MAX)
		return g3_fail(g, "bad mesh");
	v = copy_bytes(vertices, bytes);
	if (index_bytes)
		n = copy_bytes(indices, index_bytes);
	if (!v || (index_bytes && !n)) {
		g3_bytes_unref(v);
		g3_bytes_unref(n);
		return g3_fail(g, "mesh alloc failed");
	}
	mesh_bytes(g, m, false);
	g3_bytes_unref(m->vertices);
	g3_bytes_unref(m->indices);
	m->vertices = v;
	m->indices = n;
	m->index_count = (uint32_t)(index_bytes / 2);
	m->layout = *layout;
	mesh_bytes(g, m, true);
	return g3_host_mesh_upload(g, m) ? 0 : g3_fail(g, "buffer upload failed");
}

static int mesh_create(struct qs_gfx3d *g, struct g3_call *call)
{
	uint32_t handle;
	struct g3_mesh *m = (struct g3_mesh *)g3_slot_take(g, G3_MESH, call->owner, &handle);

	if (!m)
		return g3_fail(g, "mesh table full");
	m->usage = call->i[0] == QS_GFX3D_DYNAMIC || call->i[0] == QS_GFX3D_STREAM ? call->i[0] : QS_GFX3D_STATIC;
	g->stats.meshes++;
	call->result = handle;
	return 0;
}

static int mesh_upload(struct qs_gfx3d *g, struct g3_call *call)
{
	struct g3_mesh *m = g3_mesh(g, call->owner, call->handle[0]);
	struct qs_gfx3d_layout layout = {.stride = call->i[0], .elements = call->i[1]};

	if (!m)
		return g3_fail(g, "unknown mesh");
	for (int e = 0; e < 8; e++)
		layout.element[e] = (struct qs_gfx3d_element){call->i[2 + 3 * e], call->i[3 + 3 * e], call->i[4 + 3 * e]};
	return upload(g, m, &layout, call->blob[0], call->blob_size[0], call->blob[1], call->blob_size[1]);
}

static int mesh_vert(struct qs_gfx3d *g, struct g3_call *call)
{
	struct g3_mesh *m = g3_mesh(g, call->owner, call->handle[0]);

	if (!m)
		return g3_fail(g, "unknown mesh");
	if (m->built_count >= QS_GFX3D_MAX_VERTICES)
		return g3_fail(g, "mesh vertex cap");
	if (m->built_count == m->built_room) {
		uint32_t room = m->built_room ? 2 * m->built_room : 64;
		float (*grown)[8] = realloc(m->built, room * sizeof *grown);

		if (!grown)
			return g3_fail(g, "mesh alloc failed");
		m->built = grown;
		m->built_room = room;
	}
	memcpy(m->built[m->built_count++], call->f, sizeof *m->built);
	return 0;
}

static int mesh_finish(struct qs_gfx3d *g, struct g3_call *call)
{
	static const struct qs_gfx3d_layout layout = {40, 3, {{0, 4, 0}, {1, 4, 16}, {2, 2, 32}}};
	struct g3_mesh *m = g3_mesh(g, call->owner, call->handle[0]);
	float (*v)[10];
	int result;

	if (!m)
		return g3_fail(g, "unknown mesh");
	if (m->built_count < 3)
		return g3_fail(g, "mesh has no triangle");
	v = malloc(m->built_count * sizeof *v);
	if (!v)
		return g3_fail(g, "mesh alloc failed");
	for (uint32_t i = 0; i < m->built_count; i++) {
		const float *b = m->built[i];
		const float vertex[10] = {b[0], b[1], b[2], 1, b[3], b[4], b[5], 0, b[6], b[7]};

		memcpy(v[i], vertex, sizeof vertex);
	}
	result = upload(g, m, &layout, v, m->built_count * sizeof *v, NULL, 0);
	free(v);
	free(m->built);
	m->built = NULL;
	m->built_count = m->built_room = 0;
	return result;
}

/* ---- textures ----------------------------------------------------------------------------------------------------------- */

static void destroy_texture(struct qs_gfx3d *g, struct g3_texture *t)
{
	g3_host_texture_destroy(g, t);
	for (int l = 0; l < G3_LEVELS; l++) {
		if (t->level[l])
			g->stats.texture_bytes -= t->level[l]->size;
		g3_bytes_unref(t->level[l]);
	}
	g->stats.textures--;
	release(G3_TEXTURE, &t->slot);
}

static void set_level(struct qs_gfx3d *g, struct g3_texture *t, int l, struct g3_bytes *bytes)
{
	if (t->level[l])
		g->stats.texture_bytes -= t->level[l]->size;
	g3_bytes_unref(t->level[l]);
	t->level[l] = bytes;
	if (bytes)
		g->stats.texture_bytes += bytes->size;
}

static int texture_create(struct qs_gfx3d *g, struct g3_call *call, int width, int height)
{
	uint32_t handle;
	struct g3_texture *t;

	if (width < 1 || width > QS_GFX3D_MAX_TEXTURE || height < 1 || height > QS_GFX3D_MAX_TEXTURE)
		return g3_fail(g, "bad texture");
	t = (struct g3_texture *)g3_slot_take(g, G3_TEXTURE, call->owner, &handle);
	if (!t)
		return g3_fail(g, "texture table full");
	t->width = width;
	t->height = height;
	t->levels = 1;
	g->stats.textures++;
	call->result = handle;
	return 0;
}

static int texture_fill(struct qs_gfx3d *g, struct g3_texture *t, const void *pixels)
{
	size_t count = (size_t)t->width * (size_t)t->height;
	struct g3_bytes *bytes = g3_bytes_new(count * 4);

	if (!bytes)
		return g3_fail(g, "texture upload failed");
	memcpy(bytes->data, pixels, count * 4);
	for (size_t i = 0; i < count; i++)
		bytes->data[4 * i + 3] = 255;
	for (int l = 1; l < G3_LEVELS; l++)
		set_level(g, t, l, NULL);
	t->levels = 1;
	set_level(g, t, 0, bytes);
	return g3_host_texture_upload(g, t) ? 0 : g3_fail(g, "texture upload failed");
}

static int tex_upload(struct qs_gfx3d *g, struct g3_call *call)
{
	struct g3_texture *t = g3_texture(g, call->owner, call->handle[0]);

	if (!t)
		return g3_fail(g, "unknown texture");
	if (call->i[0] != t->width || call->i[1] != t->height || call->blob_size[0] != 4 * (size_t)t->width * (size_t)t->height)
		return g3_fail(g, "bad texture");
	return texture_fill(g, t, call->blob[0]);
}

static int tex_solid(struct qs_gfx3d *g, struct g3_call *call)
{
	uint32_t argb = (uint32_t)call->i[0];
	const uint8_t pixel[4] = {(uint8_t)argb, (uint8_t)(argb >> 8), (uint8_t)(argb >> 16), 255};

	if (texture_create(g, call, 1, 1) < 0)
		return -1;
	if (texture_fill(g, g3_texture(g, call->owner, call->result), pixel) == 0)
		return 0;
	destroy_texture(g, g3_texture(g, call->owner, call->result));
	call->result = 0;
	return -1;
}

static int tex_mipmaps(struct qs_gfx3d *g, struct g3_call *call)
{
	struct g3_texture *t = g3_texture(g, call->owner, call->handle[0]);
	int width, height, l = 0;

	if (!t || !t->level[0])
		return g3_fail(g, t ? "texture is empty" : "unknown texture");
	for (width = t->width, height = t->height; width > 1 || height > 1; l++) {
		int w = width > 1 ? width / 2 : 1, h = height > 1 ? height / 2 : 1;
		struct g3_bytes *bytes = g3_bytes_new(4 * (size_t)w * (size_t)h);
		const uint8_t *from = t->level[l]->data;

		if (!bytes)
			return g3_fail(g, "texture upload failed");
		for (int i = 0; i < 4 * w * h; i++) {
			int x0 = 2 * (i / 4 % w), y0 = 2 * (i / 4 / w);
			int x1 = x0 + 1 < width ? x0 + 1 : x0, y1 = y0 + 1 < height ? y0 + 1 : y0;
			int sum = from[4 * (y0 * width + x0) + i % 4] + from[4 * (y0 * width + x1) + i % 4] +
				from[4 * (y1 * width + x0) + i % 4] + from[4 * (y1 * width + x1) + i % 4];

			bytes->data[i] = (uint8_t)((sum + 2) / 4);
		}
		set_level(g, t, l + 1, bytes);
		width = w;
		height = h;
	}
	t->levels = l + 1;
	return g3_host_texture_upload(g, t) ? 0 : g3_fail(g, "texture upload failed");
}

/* ---- all kinds ---------------------------------------------------------------------------------------------------------- */

static void destroy(struct qs_gfx3d *g, enum g3_kind kind, unsigned i)
{
	switch (kind) {
	case G3_CONTEXT:
		destroy_context(g, &g->context[i]);
		break;
	case G3_TARGET:
		destroy_target(g, &g->target[i]);
		break;
	case G3_MESH:
		destroy_mesh(g, &g->mesh[i]);
		break;
	case G3_TEXTURE:
		destroy_texture(g, &g->texture[i]);
		break;
	case G3_PROGRAM:
		g3_destroy_program(g, &g->program[i]);
		break;
	default:
		g3_destroy_shader(&g->shader[i]);
		release(G3_SHADER, &g->shader[i].slot);
	}
}

static const enum g3_kind drop_order[] = {G3_MESH, G3_TEXTURE, G3_PROGRAM, G3_TARGET, G3_CONTEXT, G3_SHADER};

static void drop(struct qs_gfx3d *g, bool all, uint32_t owner)
{
	for (unsigned k = 0; k < G3_KIND_COUNT; k++)
		for (unsigned i = 0; i < kind_size[drop_order[k]]; i++) {
			const struct g3_slot *slot = g3_slot_at(g, drop_order[k], i);

			if (slot->used && (all || slot->owner == owner))
				destroy(g, drop_order[k], i);
		}
}

void g3_destroy_all(struct qs_gfx3d *g)
{
	drop(g, true, 0);
}

void g3_clear(struct qs_gfx3d *g)
{
	g3_destroy_all(g);
	memset(g->context, 0, sizeof g->context);
	memset(g->target, 0, sizeof g->target);
	memset(g->mesh, 0, sizeof g->mesh);
	memset(g->texture, 0, sizeof g->texture);
	memset(g->program, 0, sizeof g->program);
	memset(g->shader, 0, sizeof g->shader);
	memset(&g->stats, 0, sizeof g->stats);
	g->error[0] = g->detail[0] = g->mock[0] = '\0';
	g3_set_model(g, QS_GFX3D_CHRISOS);
}

static int destroy_handle(struct qs_gfx3d *g, struct g3_call *call, enum g3_kind kind)
{
	static const char *const unknown[G3_KIND_COUNT] = {
		"unknown context", "unknown target", "unknown mesh", "unknown texture", "unknown program", "unknown shader",
	};

	if (!lookup(g, kind, call->owner, call->handle[0]))
		return g3_fail(g, unknown[kind]);
	destroy(g, kind, (call->handle[0] & 0xFFFF) - 1);
	return 0;
}

int g3_object_call(struct qs_gfx3d *g, struct g3_call *call)
{
	switch (call->op) {
	case G3_drop_owner:
		drop(g, false, call->owner);
		return 0;
	case G3_context_create:
		return context_create(g, call);
	case G3_context_destroy:
		return destroy_handle(g, call, G3_CONTEXT);
	case G3_target_create:
		return target_create(g, call);
	case G3_target_resize:
		return target_resize(g, call);
	case G3_target_destroy:
		return destroy_handle(g, call, G3_TARGET);
	case G3_target_read:
		return target_read(g, call);
	case G3_mesh_create:
		return mesh_create(g, call);
	case G3_mesh_upload:
		return mesh_upload(g, call);
	case G3_mesh_vert:
		return mesh_vert(g, call);
	case G3_mesh_finish:
		return mesh_finish(g, call);
	case G3_mesh_destroy:
		return destroy_handle(g, call, G3_MESH);
	case G3_tex_create:
		return texture_create(g, call, call->i[0], call->i[1]);
	case G3_tex_upload:
		return tex_upload(g, call);
	case G3_tex_solid:
		return tex_solid(g, call);
	case G3_tex_mipmaps:
		return tex_mipmaps(g, call);
	case G3_tex_destroy:
		return destroy_handle(g, call, G3_TEXTURE);
	case G3_prog_destroy:
		return destroy_handle(g, call, G3_PROGRAM);
	case G3_shader_destroy:
		return destroy_handle(g, call, G3_SHADER);
	default:
		return g3_fail(g, "unknown call");
	}
}
