/* setup-quad.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "setup-quad.h"
#include <math.h>
#include <string.h>

gboolean qs_setup_has_edges(const struct qs_setup *setup)
{
	return setup->verdict == QS_SETUP_DRAWN;
}

guint qs_setup_vertex_count(const struct qs_setup *setup)
{
	const gboolean unclipped = setup->verdict == QS_SETUP_REJECTED || setup->verdict == QS_SETUP_CLIPPED ||
		setup->verdict == QS_SETUP_CULLED;

	return unclipped ? setup->kind + 1u : 3; /* points and lines are two triangles once they are set up */
}

gboolean qs_setup_on_screen(const struct qs_setup *setup, guint vertex)
{
	return vertex < qs_setup_vertex_count(setup) && setup->vertex[vertex].inv_w != 0 &&
		isfinite(setup->vertex[vertex].screen[0]) && isfinite(setup->vertex[vertex].screen[1]);
}

/* The record's offset is a single precision number; what it stands for is a multiple of 1/12 or 1/16. */
static double exact_offset(const struct qs_setup *setup)
{
	return round((double)setup->sample_offset * 48) / 48;
}

void qs_setup_sample_point(const struct qs_setup *setup, int px, int py, guint sample, double *x, double *y)
{
	const guint pixel = (guint)(px & 1) + 2 * (guint)(py & 1);

	*x = px + (setup->sample_count == 3 ? setup->sample_x[pixel][sample] / 12.0 : exact_offset(setup));
	*y = py + (setup->sample_count == 3 ? setup->sample_y[pixel][sample] / 12.0 : exact_offset(setup));
}

double qs_setup_edge_value(const struct qs_setup *setup, guint edge, int px, int py, guint sample)
{
	const struct qs_edge *e = &setup->edge[edge];
	double x, y, value;

	qs_setup_sample_point(setup, px, py, sample, &x, &y);
	value = e->c + e->dx * x + e->dy * y;
	/* The engine's values are exact integers; here a sum that cancels leaves a rest of the size of its terms' last bits. */
	return fabs(value) < 1e-13 * (fabs(e->c) + fabs(e->dx * x) + fabs(e->dy * y)) ? 0 : value;
}

gboolean qs_setup_inside(const struct qs_edge *edge, double value)
{
	return value > 0 || (value == 0 && edge->top_left);
}

static guint32 *cell(guint32 *grid, const struct qs_quad_place *q)
{
	const int x = q->x / 2, y = q->y / 2;

	return x >= 0 && y >= 0 && x < QS_QUADS_WIDE && y < QS_QUADS_HIGH ? &grid[y * QS_QUADS_WIDE + x] : NULL;
}

void qs_setup_index_quads(const QsView *view, guint part, guint32 *grid)
{
	memset(grid, 0xff, QS_QUADS_WIDE * QS_QUADS_HIGH * sizeof *grid);
	for (int pass = 0; pass < 2; pass++)
		for (guint32 i = 0; i < view->quad_count; i++) {
			guint32 *at = cell(grid, &view->quads[i]);

			if (at && (view->quads[i].part == part) == pass)
				*at = i;
		}
}

gboolean qs_setup_quad_info(const QsView *view, guint part, const guint32 *grid, int x, int y, QsQuadInfo *info)
{
	const struct qs_setup *setup;

	if (x < 0 || y < 0 || x >= MIN(2 * QS_QUADS_WIDE, (int)qs_view_width(view)) ||
		y >= MIN(2 * QS_QUADS_HIGH, (int)qs_view_height(view)) || !view->setup_count)
		return FALSE;
	memset(info, 0, sizeof *info);
	info->x = x & ~1;
	info->y = y & ~1;
	info->number = grid[info->y / 2 * QS_QUADS_WIDE + info->x / 2];
	info->part = info->number == QS_NONE ? MIN(part, view->setup_count - 1) : view->quads[info->number].part;
	setup = &view->setup[MIN(info->part, view->setup_count - 1)];
	info->samples = setup->sample_count == 3 ? 3 : 1;
	info->has_edges = qs_setup_has_edges(setup);
	if (!info->has_edges)
		return TRUE;
	info->exact = view->has_quad && info->number == view->quad_number;
	for (guint p = 0; p < 4; p++) {
		const int px = info->x + (int)(p & 1), py = info->y + (int)(p >> 1);

		info->in_box[p] = px >= setup->box.x0 && px < setup->box.x1 && py >= setup->box.y0 && py < setup->box.y1;
		for (guint k = 0; k < info->samples; k++)
			for (guint e = 0; e < 3; e++)
				info->edge[p][k][e] = info->exact ? view->quad.edge[p][k][e] : qs_setup_edge_value(setup, e, px, py, k);
	}
	if (info->number != QS_NONE)
		info->coverage = view->quads[info->number].coverage;
	return TRUE;
}

void qs_setup_quad_moment(const QsView *view, guint32 number, struct qs_moment *moment)
{
	*moment = view->moment;
	if (moment->level == QS_LEVEL_DRAW)
		moment->primitive = view->primitive_count ? view->primitive_count - 1 : 0;
	moment->level = QS_LEVEL_QUAD;
	moment->quad = number;
	moment->fragment = moment->stage = 0;
}

guint32 qs_setup_walked(const QsView *view)
{
	return view->moment.level >= QS_LEVEL_QUAD && view->has_quad ? MIN(view->quad_number + 1, view->quad_count) : view->quad_count;
}
