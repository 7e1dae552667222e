/* resources.c - meshes and textures (spec 02 section 5)
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "gfx3d/host.h"
#include "gfx3d/system.h"

/* ---- meshes ------------------------------------------------------------------------------------------------------------- */

static void mesh_bytes(struct qs_gfx3d *g, const struct g3_mesh *m, bool add)
{
	uint64_t size = (m->vertices ? m->vertices->size : 0) + (m->indices ? m->indices->size : 0);

	g->stats.mesh_bytes += add ? size : -size;
}

void g3_destroy_mesh(struct qs_gfx3d *g, struct g3_mesh *m)
{
	mesh_bytes(g, m, false);
	g3_host_mesh_destroy(g, m);
	g3_bytes_unref(m->vertices);
	g3_bytes_unref(m->indices);
	free(m->built);
	g->stats.meshes--;
	g3_slot_release(G3_MESH, &m->slot);
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

void g3_destroy_texture(struct qs_gfx3d *g, struct g3_texture *t)
{
	g3_host_texture_destroy(g, t);
	for (int l = 0; l < G3_LEVELS; l++) {
		if (t->level[l])
			g->stats.texture_bytes -= t->level[l]->size;
		g3_bytes_unref(t->level[l]);
	}
	g->stats.textures--;
	g3_slot_release(G3_TEXTURE, &t->slot);
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
	g3_destroy_texture(g, g3_texture(g, call->owner, call->result));
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

int g3_resource_call(struct qs_gfx3d *g, struct g3_call *call)
{
	switch (call->op) {
	case G3_mesh_create:
		return mesh_create(g, call);
	case G3_mesh_upload:
		return mesh_upload(g, call);
	case G3_mesh_vert:
		return mesh_vert(g, call);
	case G3_mesh_finish:
		return mesh_finish(g, call);
	case G3_tex_create:
		return texture_create(g, call, call->i[0], call->i[1]);
	case G3_tex_upload:
		return tex_upload(g, call);
	case G3_tex_solid:
		return tex_solid(g, call);
	case G3_tex_mipmaps:
		return tex_mipmaps(g, call);
	default:
		return g3_fail(g, "unknown call");
	}
}
