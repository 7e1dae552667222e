/* gfx3d_walk.c - the geometry of a Gfx3D draw without shading fragments: quads, setup records, vertices
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "trace/gfx3d.h"

/* ---- geometry ----------------------------------------------------------------------------------------------------------- */

static bool grow(void *array, size_t count, size_t *room, size_t size)
{
	void *old, *grown;

	if (count < *room)
		return true;
	memcpy(&old, array, sizeof old);
	grown = realloc(old, (*room ? *room * 2 : 256) * size);
	if (!grown)
		return false;
	memcpy(array, &grown, sizeof grown);
	*room = *room ? *room * 2 : 256;
	return true;
}

/* Takes the machine to the draw unless it stands inside it; what it covers depends on calls alone, not on pixels. */
static bool stand_at(struct qs_timeline *t, uint32_t command, struct qs_error *error)
{
	struct trace_position target = {.command = command};

	if (t->at.inside && t->at.command == command && !t->lost)
		return true;
	t->away = true;
	if (!trace_gfx3d_goto(t, &target))
		return true;
	qs_error_set(error, QS_ERR_CANCELLED, 0, "Stopped on request; the moment is unchanged.");
	return false;
}

bool trace_gfx3d_walk(struct qs_timeline *t, uint32_t command, struct trace_walk *walk, struct qs_error *error)
{
	struct qs_gfx3d *g = t->gfx3d->g;
	size_t first_room = 0, place_room = 0, places = 0;
	struct qs_gfx3d_stats stats;
	bool good;
	uint16_t coverage;
	int x, y;

	if (!stand_at(t, command, error))
		return false;
	stats = g->stats;
	good = grow(&walk->first, 0, &first_room, sizeof *walk->first);
	if (good)
		walk->first[0] = 0;
	t->cursor = false;
	if (good && trace_gfx3d_begin(t, command)) {
		while (good && g3_draw_primitive(g) > 0) {
			while (good && g3_draw_next(g, &x, &y, &coverage)) {
				good = places < UINT32_MAX / 2 && grow(&walk->places, places, &place_room, sizeof *walk->places);
				if (good)
					walk->places[places++] = (struct qs_quad_place){(int16_t)x, (int16_t)y, trace_gfx3d_coverage(coverage),
						(uint16_t)g->raster->draw.at};
			}
			good = good && grow(&walk->first, (size_t)walk->primitives + 1, &first_room, sizeof *walk->first);
			if (good)
				walk->first[++walk->primitives] = (uint32_t)places;
		}
		walk->stages = csir_program_shader(g->raster->draw.program, CSIR_FRAGMENT, &g->quirks)->instr_count;
	}
	g3_draw_end(g);
	g->stats = stats;
	if (!good)
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for the list of quads.");
	return good;
}

uint32_t trace_gfx3d_setup(struct qs_timeline *t, uint32_t primitive, struct qs_setup *setup, uint32_t max, struct qs_error *error)
{
	struct qs_gfx3d *g = t->gfx3d->g;
	struct g3_draw *d = &g->raster->draw;
	struct qs_gfx3d_stats stats = g->stats;
	uint32_t n = 0, i = 0;

	if (!stand_at(t, t->moment.command, error))
		return 0;
	t->cursor = false;
	if (trace_gfx3d_begin(t, t->moment.command))
		while (i <= primitive && g3_draw_primitive(g) > 0)
			i++;
	if (i <= primitive) {
		qs_error_set(error, QS_ERR_RANGE, 0, "The draw has no such primitive.");
	} else {
		n = d->part_count ? d->part_count : 1;
		if (!d->part_count && max)
			trace_gfx3d_nothing(d, setup);
		for (uint32_t k = 0; k < d->part_count && k < max; k++)
			g3_setup_record(&d->part[k], &d->rules, &setup[k]);
	}
	g3_draw_end(g);
	g->stats = stats;
	return n;
}

bool trace_gfx3d_vertices(struct qs_timeline *t, struct qs_vertex **vertices, uint32_t *count, struct qs_error *error)
{
	struct qs_gfx3d *g = t->gfx3d->g;
	struct g3_draw *d = &g->raster->draw;
	struct qs_gfx3d_stats stats = g->stats;

	if (!stand_at(t, t->moment.command, error))
		return false;
	t->cursor = false;
	*count = trace_gfx3d_begin(t, t->moment.command) ? d->vertex_count : 0;
	*vertices = calloc(*count ? *count : 1, sizeof **vertices);
	for (uint32_t i = 0; *vertices && i < *count; i++) {
		const struct g3_vertex *v;
		struct qs_vertex *q = &(*vertices)[i];
		float window[4];

		if (d->m->index_count && i >= d->shaded) { /* no index reaches it */
			*count = i;
			break;
		}
		v = g3_vertex_get(d, g->raster, i);
		q->index = i;
		memcpy(q->object, v->attr, sizeof q->object);
		memcpy(q->clip, v->clip, sizeof q->clip);
		trace_gfx3d_window(d, v->clip, window);
		memcpy(q->screen, window, sizeof q->screen);
		q->inv_w = window[3];
	}
	g3_draw_end(g);
	g->stats = stats;
	if (!*vertices)
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for the vertices.");
	return *vertices != NULL;
}
