/* vertex.c - vertices of a draw: attributes from the bytes of the mesh, vertex shader in batches
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "gfx3d/raster.h"

#define WINDOW 63u /* whole triangles that fit a batch */

/* Floats the host fetches for an element: ChrisOS has formats of two and of four only (spec 02 section 6). */
static int fetched(const struct qs_gfx3d *g, const struct qs_gfx3d_element *e)
{
	if (G3_QUIRK(&g->quirks, attribute_format))
		return e->components == 2 ? 2 : 4;
	return e->components > 4 ? 4 : e->components;
}

/* One thread of attributes.  Nothing checks the offsets of a layout, so bytes outside the mesh read as 0; a host's fetch that ends
 * outside gives nothing at all (llvmpipe: the last vertex of a layout that ends with three floats, quirk attribute_format). */
static void decode(const struct g3_draw *d, struct g3_raster *raster, uint32_t number, unsigned thread)
{
	const struct g3_bytes *bytes = d->m->vertices;
	const struct qs_gfx3d_layout *layout = &d->m->layout;
	bool fill = G3_QUIRK(&d->g->quirks, attribute_fill), by_place = G3_QUIRK(&d->g->quirks, attribute_order);

	for (int a = 0; a < CSIR_ATTR_MAX; a++)
		for (int k = 0; k < 4; k++)
			raster->attr[a].v[k][thread] = 0;
	for (int e = 0; e < layout->elements; e++) {
		const struct qs_gfx3d_element *element = &layout->element[e];
		int location = by_place ? e : element->location, count = fetched(d->g, element);
		uint64_t at = (uint64_t)number * (uint64_t)layout->stride + (uint64_t)(uint32_t)element->offset;

		if (location < 0 || location > 7 || element->offset < 0)
			continue;
		if (G3_QUIRK(&d->g->quirks, attribute_format) && at + 4u * (unsigned)count > bytes->size)
			continue;
		if (fill)
			raster->attr[location].v[3][thread] = 1;
		for (int k = 0; k < count; k++, at += 4) {
			float value = 0;

			if (at + 4 <= bytes->size)
				memcpy(&value, bytes->data + at, 4);
			raster->attr[location].v[k][thread] = value;
		}
	}
}

static void shade(struct g3_draw *d, struct g3_raster *raster, uint32_t first, uint32_t count, struct g3_vertex *out)
{
	struct csir_batch batch = {.mask = count >= 64 ? UINT64_MAX : (1ull << count) - 1, .position = &raster->position};

	for (uint32_t i = 0; i < count; i++)
		decode(d, raster, first + i, i);
	for (int a = 0; a < CSIR_ATTR_MAX; a++) {
		batch.attr[a] = &raster->attr[a];
		batch.vary_out[a] = &raster->vary_out[a];
		memset(&raster->vary_out[a], 0, sizeof raster->vary_out[a]);
	}
	csir_exec(raster->plan[CSIR_VERTEX], &batch);
	for (uint32_t i = 0; i < count; i++) {
		struct g3_vertex *v = &out[i];

		v->index = first + i;
		for (int k = 0; k < 4; k++) {
			v->clip[k] = raster->position.v[k][i];
			for (int s = 0; s < CSIR_VARY_MAX; s++)
				v->vary[s][k] = raster->vary_out[s].v[k][i];
			if (k < 3)
				v->attr[k] = raster->attr[0].v[k][i];
		}
	}
}

static bool reserve(struct g3_draw *d, uint32_t count)
{
	struct g3_vertex *grown;

	if (count <= d->room)
		return true;
	grown = realloc(d->vertex, count * sizeof *grown);
	if (!grown)
		return false;
	d->vertex = grown;
	d->room = count;
	return true;
}

/* With indices any vertex may be wanted at any time, and there are at most 65536; without, each is wanted once and in order. */
bool g3_vertices_begin(struct g3_draw *d, struct g3_raster *raster)
{
	uint32_t all = d->vertex_count < 65536 ? d->vertex_count : 65536;

	d->first_vertex = d->shaded = 0;
	if (!d->m->index_count)
		return reserve(d, WINDOW);
	if (!reserve(d, all))
		return false;
	for (uint32_t i = 0; i < all; i += 64)
		shade(d, raster, i, all - i < 64 ? all - i : 64, d->vertex + i);
	d->shaded = all;
	return true;
}

const struct g3_vertex *g3_vertex_get(struct g3_draw *d, struct g3_raster *raster, uint32_t number)
{
	if (number - d->first_vertex >= d->shaded) {
		d->first_vertex = number - number % WINDOW;
		d->shaded = d->vertex_count - d->first_vertex < WINDOW ? d->vertex_count - d->first_vertex : WINDOW;
		shade(d, raster, d->first_vertex, d->shaded, d->vertex);
	}
	return &d->vertex[number - d->first_vertex];
}

uint32_t g3_vertex_of_corner(const struct g3_draw *d, uint32_t corner)
{
	uint16_t word;

	if (!d->m->index_count)
		return corner;
	memcpy(&word, d->m->indices->data + 2 * (size_t)corner, 2);
	return word;
}

/* ---- for the debugger --------------------------------------------------------------------------------------------------- */

void g3_vertex_attributes(const struct g3_draw *d, struct g3_raster *raster, uint32_t number, float attribute[8][4])
{
	decode(d, raster, number, 0);
	for (int a = 0; a < CSIR_ATTR_MAX; a++)
		for (int k = 0; k < 4; k++)
			attribute[a][k] = raster->attr[a].v[k][0];
}

struct steps {
	struct qs_gfx3d_step *step;
	uint32_t count;
};

static void tap_vertex(void *user, const struct csir_tap *tap)
{
	struct steps *s = user;

	if (s->count < CSIR_INSTR_MAX)
		g3_step_record(tap, &s->step[s->count++]);
}

uint32_t g3_vertex_steps(struct g3_draw *d, struct g3_raster *raster, const uint32_t *number, uint32_t count, struct qs_gfx3d_step *step)
{
	struct steps s = {.step = step};
	struct csir_batch batch = {.mask = (1u << count) - 1, .position = &raster->position, .tap = tap_vertex, .tap_user = &s};

	for (uint32_t i = 0; i < count; i++)
		if (number[i] < d->vertex_count)
			decode(d, raster, number[i], i);
		else
			batch.mask &= ~(1ull << i);
	for (int a = 0; a < CSIR_ATTR_MAX; a++) {
		batch.attr[a] = &raster->attr[a];
		batch.vary_out[a] = &raster->vary_out[a];
	}
	if (batch.mask)
		csir_exec(raster->plan[CSIR_VERTEX], &batch);
	return s.count;
}
