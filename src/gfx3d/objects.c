/* objects.c - handles, contexts, targets, and what all kinds of objects share (spec 02 section 4)
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
void g3_slot_release(enum g3_kind kind, struct g3_slot *slot)
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
		g3_slot_release(G3_CONTEXT, &c->slot);
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
	g3_slot_release(G3_TARGET, &t->slot);
}

void g3_destroy_program(struct qs_gfx3d *g, struct g3_program *p)
{
	g3_host_program_destroy(g, p);
	g->stats.programs--;
	g3_slot_release(G3_PROGRAM, &p->slot);
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
	g3_slot_release(G3_CONTEXT, &c->slot);
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
		g3_slot_release(G3_TARGET, &t->slot);
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
		g3_destroy_mesh(g, &g->mesh[i]);
		break;
	case G3_TEXTURE:
		g3_destroy_texture(g, &g->texture[i]);
		break;
	case G3_PROGRAM:
		g3_destroy_program(g, &g->program[i]);
		break;
	default:
		g3_destroy_shader(&g->shader[i]);
		g3_slot_release(G3_SHADER, &g->shader[i].slot);
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
	case G3_mesh_destroy:
		return destroy_handle(g, call, G3_MESH);
	case G3_tex_destroy:
		return destroy_handle(g, call, G3_TEXTURE);
	case G3_prog_destroy:
		return destroy_handle(g, call, G3_PROGRAM);
	case G3_shader_destroy:
		return destroy_handle(g, call, G3_SHADER);
	default:
		return g3_resource_call(g, call);
	}
}
