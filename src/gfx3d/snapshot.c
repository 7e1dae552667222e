/* snapshot.c - contents of an instance to come back to
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "gfx3d/system.h"

struct g3_snapshot {
	size_t size;
	struct qs_gfx3d g; /* tables; what they point to belongs to the snapshot */
};

static size_t pixels(const struct g3_target *t)
{
	return (size_t)t->width * (size_t)t->height * (size_t)t->samples;
}

static void *copy(const void *from, size_t size)
{
	void *to = malloc(size ? size : 1);

	if (to && size)
		memcpy(to, from, size);
	return to;
}

/* ---- one table after the other: give `to` its own references to what `from` holds -------------------------------------- */

static bool copy_target(struct g3_target *to, const struct g3_target *from)
{
	size_t n = pixels(from);

	*to = *from;
	to->color = copy(from->color, 4 * n);
	to->depth = copy(from->depth, 4 * n);
	to->stencil = copy(from->stencil, n);
	return to->color && to->depth && to->stencil;
}

static bool copy_mesh(struct g3_mesh *to, const struct g3_mesh *from)
{
	*to = *from;
	g3_bytes_ref(to->vertices);
	g3_bytes_ref(to->indices);
	to->built = NULL;
	to->built_room = from->built_count;
	if (!from->built_count)
		return true;
	to->built = copy(from->built, from->built_count * sizeof *from->built);
	return to->built != NULL;
}

static bool copy_shader(struct g3_shader *to, const struct g3_shader *from, bool keep)
{
	*to = *from;
	to->words = NULL;
	to->linked->references++;
	if (!keep) { /* back into the running instance */
		memcpy(to->linked->program->words, from->words, sizeof to->linked->program->words);
		return true;
	}
	to->words = copy(from->linked->program->words, sizeof from->linked->program->words);
	return to->words != NULL;
}

static void free_tables(struct qs_gfx3d *g)
{
	for (unsigned i = 0; i < QS_GFX3D_MAX_TARGETS; i++) {
		free(g->target[i].color);
		free(g->target[i].depth);
		free(g->target[i].stencil);
	}
	for (unsigned i = 0; i < QS_GFX3D_MAX_MESHES; i++) {
		g3_bytes_unref(g->mesh[i].vertices);
		g3_bytes_unref(g->mesh[i].indices);
		free(g->mesh[i].built);
	}
	for (unsigned i = 0; i < QS_GFX3D_MAX_TEXTURES; i++)
		for (int l = 0; l < G3_LEVELS; l++)
			g3_bytes_unref(g->texture[i].level[l]);
	for (unsigned i = 0; i < QS_GFX3D_MAX_SHADERS; i++)
		g3_destroy_shader(&g->shader[i]);
	memset(g->context, 0, sizeof g->context);
	memset(g->target, 0, sizeof g->target);
	memset(g->mesh, 0, sizeof g->mesh);
	memset(g->texture, 0, sizeof g->texture);
	memset(g->program, 0, sizeof g->program);
	memset(g->shader, 0, sizeof g->shader);
}

/* `to` has empty tables. keep: `to` is a snapshot. */
static bool copy_tables(struct qs_gfx3d *to, const struct qs_gfx3d *from, bool keep)
{
	bool good = true;

	memcpy(to->context, from->context, sizeof to->context);
	memcpy(to->program, from->program, sizeof to->program);
	memcpy(to->texture, from->texture, sizeof to->texture);
	for (unsigned i = 0; i < QS_GFX3D_MAX_TEXTURES; i++)
		for (int l = 0; l < G3_LEVELS; l++)
			g3_bytes_ref(to->texture[i].level[l]);
	for (unsigned i = 0; i < QS_GFX3D_MAX_TARGETS; i++)
		if (from->target[i].slot.used)
			good &= copy_target(&to->target[i], &from->target[i]);
		else
			to->target[i].slot = from->target[i].slot;
	for (unsigned i = 0; i < QS_GFX3D_MAX_MESHES; i++)
		if (from->mesh[i].slot.used)
			good &= copy_mesh(&to->mesh[i], &from->mesh[i]);
		else
			to->mesh[i].slot = from->mesh[i].slot;
	for (unsigned i = 0; i < QS_GFX3D_MAX_SHADERS; i++)
		if (from->shader[i].slot.used)
			good &= copy_shader(&to->shader[i], &from->shader[i], keep);
		else
			to->shader[i].slot = from->shader[i].slot;
	to->quirks = from->quirks;
	to->model = from->model;
	to->backend = from->backend;
	to->stats = from->stats;
	return good;
}

struct g3_snapshot *g3_snapshot_take(const struct qs_gfx3d *g)
{
	struct g3_snapshot *s = calloc(1, sizeof *s);

	if (!s)
		return NULL;
	s->size = sizeof *s + (size_t)(g->stats.color_bytes + g->stats.depth_bytes + g->stats.color_bytes / 4);
	if (copy_tables(&s->g, g, true))
		return s;
	g3_snapshot_destroy(s);
	return NULL;
}

bool g3_snapshot_restore(struct qs_gfx3d *g, const struct g3_snapshot *s)
{
	free_tables(g);
	if (copy_tables(g, &s->g, false))
		return true;
	free_tables(g);
	return false;
}

void g3_snapshot_destroy(struct g3_snapshot *s)
{
	if (!s)
		return;
	free_tables(&s->g);
	free(s);
}

size_t g3_snapshot_size(const struct g3_snapshot *s)
{
	return s->size;
}

uint64_t g3_hash(const struct qs_gfx3d *g)
{
	uint64_t hash = hash_bytes(g->context, sizeof g->context, 0);

	for (unsigned i = 0; i < QS_GFX3D_MAX_TARGETS; i++) {
		const struct g3_target *t = &g->target[i];

		if (!t->slot.used)
			continue;
		hash = hash_bytes(t->color, 4 * pixels(t), hash);
		hash = hash_bytes(t->depth, 4 * pixels(t), hash);
		hash = hash_bytes(t->stencil, pixels(t), hash);
	}
	for (unsigned i = 0; i < QS_GFX3D_MAX_SHADERS; i++)
		if (g->shader[i].slot.used)
			hash = hash_bytes(g->shader[i].linked->program->words, sizeof g->shader[i].linked->program->words, hash);
	return hash;
}
