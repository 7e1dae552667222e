/* gx_triangles.c - the triangles of a draw as vertices for the host
 *
 * What SU made of the primitives goes over: clipped, culled, lines and points as triangles, every scissor rectangle in turn.
 * Positions are those on the screen, moved so that the host's sample in the middle of the pixel is the machine's, times w.  Draws
 * that can, go another way: through the vertex program of gx_vertex.c.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "virgl/gx_inside.h"

static float *new_vertex(struct gx_virgl *v, unsigned floats)
{
	if (v->vertex_count + floats > v->vertex_room) {
		size_t room = v->vertex_room ? v->vertex_room * 2 : 65536;
		float *grown = realloc(v->vertex, room * sizeof *grown);
		if (!grown)
			return NULL;
		v->vertex = grown;
		v->vertex_room = room;
	}
	float *vertex = v->vertex + v->vertex_count;
	v->vertex_count += floats;
	return vertex;
}

static struct gx_run *run_for(struct gx_virgl *v, const struct qs_rect *scissor, uint32_t vertex)
{
	struct gx_run *last = v->runs ? &v->run[v->runs - 1] : NULL;

	if (last && !memcmp(&last->scissor, scissor, sizeof *scissor))
		return last;
	if (v->runs == v->run_room) {
		size_t room = v->run_room ? v->run_room * 2 : 64;
		struct gx_run *grown = realloc(v->run, room * sizeof *grown);
		if (!grown)
			return NULL;
		v->run = grown;
		v->run_room = room;
	}
	v->run[v->runs] = (struct gx_run){vertex, 0, *scissor};
	return &v->run[v->runs++];
}

/* Z of the vertex: its own, or that of the frozen plane there. */
static float vertex_z(const struct gx_triangle *t, const struct qs_vertex *q)
{
	const struct qs_plane *z = &t->record.z;
	float shift = t->multisample ? 0.5f : t->record.sample_offset;

	if (!t->record.z_frozen)
		return q->screen[2];
	return z->f0 + z->dfdx * (q->screen[0] - (float)t->z_origin.x0 + t->z_origin.offset_x - shift) +
		z->dfdy * (q->screen[1] - (float)t->z_origin.y0 + t->z_origin.offset_y - shift);
}

/* Dolphin's 28.4 coordinates: the host snaps finer than that. */
static float snapped(const struct gx_machine *m, float x)
{
	return m->quirk[GX_QUIRK_sample_point] == 1 ? floorf(16.0f * x + 0.5f) / 16.0f : x;
}

unsigned gx_screen_floats(const struct gx_key *key)
{
	return 4u + 4u * key->unit + 4u * key->ncol + 3u * key->ntex;
}

static bool add_vertex(struct gx_virgl *v, const struct gx_machine *m, const struct gx_triangle *t, unsigned which, const struct gx_key *key)
{
	const struct qs_setup *r = &t->record;
	const struct qs_vertex *q = &r->vertex[which];
	/* only points of some models have a negative w, and those are flat */
	float offset = 0.5f - (t->multisample ? 0.5f : r->sample_offset), w = fabsf(1 / q->inv_w);
	float *out = new_vertex(v, gx_screen_floats(key));

	if (!out)
		return false;
	*out++ = ((snapped(m, q->screen[0]) + offset) / (GX_EFB_WIDTH / 2.0f) - 1.0f) * w;
	*out++ = (1.0f - (snapped(m, q->screen[1]) + offset) / (GX_EFB_HEIGHT / 2.0f)) * w;
	*out++ = vertex_z(t, q) * (1 / 16777216.0f) * w;
	*out++ = w;
	if (key->unit) {
		*out++ = 1;
		*out++ = w;
		*out++ = (snapped(m, q->screen[0]) - q->screen[0]) * w;
		*out++ = (snapped(m, q->screen[1]) - q->screen[1]) * w;
	}
	for (unsigned i = 0; i < key->ncol; i++)
		for (unsigned c = 0; c < 4; c++)
			*out++ = (float)q->colour[i][c] * (key->colour_perspective ? 1 : w);
	for (unsigned i = 0; i < key->ntex; i++)
		for (unsigned c = 0; c < 3; c++)
			*out++ = q->tex[i][c];
	return true;
}

static bool add_triangle(struct gx_virgl *v, const struct gx_machine *m, const struct gx_triangle *t, const struct gx_key *key,
	uint32_t *vertices)
{
	struct gx_run *run;

	/* Dolphin's edges are not turned by what the screen shows (su_edge.c): clockwise triangles have no inside */
	if (m->quirk[GX_QUIRK_sample_point] == 1 && t->record.area2 > 0)
		return true;
	for (unsigned i = 0; i < 3; i++)
		if (!isfinite(t->record.vertex[i].inv_w) || !isfinite(1 / t->record.vertex[i].inv_w) || !isfinite(t->record.vertex[i].screen[0]) ||
			!isfinite(t->record.vertex[i].screen[1]))
			return true;
	run = run_for(v, &t->record.scissor, *vertices);
	if (!run)
		return false;
	for (unsigned i = 0; i < 3; i++)
		if (!add_vertex(v, m, t, i, key))
			return false;
	run->count += 3;
	*vertices += 3;
	return true;
}

bool gx_collect(struct gx_virgl *v, struct gx_machine *m, const struct gx_key *key)
{
	const struct gx_triangle *parts;
	const struct qs_setup *nothing;
	uint32_t vertices = 0;

	v->vertex_count = v->runs = 0;
	while (gx_draw_next_primitive(m)) {
		unsigned n = gx_draw_parts(m, &parts, &nothing);
		for (unsigned i = 0; i < n; i++)
			if (!add_triangle(v, m, &parts[i], key, &vertices))
				return false;
	}
	v->statistics.triangles += vertices / 3;
	return true;
}
