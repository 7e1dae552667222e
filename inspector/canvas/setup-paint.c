/* setup-paint.c - draws the setup view
 *
 * From back to front: the frame, quads by order, half-planes, grid, box and scissor, edges, samples, values, vertices, the
 * current and the hovered quad.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-machine.h"
#include "setup-view-private.h"
#include <math.h>


static const double edge_colour[3][3] = {{1, 0.42, 0.42}, {0.36, 0.85, 0.45}, {0.40, 0.68, 1}};

typedef struct {
	QsSetupView *self;
	const QsPlace *place;
	cairo_t *cr;
	QsView *view;
	const struct qs_setup *setup; /* of the chosen part */
	int width, height;
	int x0, y0, x1, y1; /* EFB pixels on the screen */
} Paint;

static double sx(const Paint *p, double x)
{
	return qs_place_x(p->place, x);
}

static double sy(const Paint *p, double y)
{
	return qs_place_y(p->place, y);
}

static void edge_source(const Paint *p, guint e, double alpha)
{
	cairo_set_source_rgba(p->cr, edge_colour[e][0], edge_colour[e][1], edge_colour[e][2], alpha);
}

/* Text on a dark plate; (x, y) is the middle. */
static void plate(const Paint *p, const char *text, double x, double y, double r, double g, double b)
{
	cairo_text_extents_t extents;

	cairo_text_extents(p->cr, text, &extents);
	x -= extents.x_advance / 2;
	cairo_set_source_rgba(p->cr, 0, 0, 0, 0.62);
	cairo_rectangle(p->cr, floor(x - 3), floor(y - 7), ceil(extents.x_advance + 6), 14);
	cairo_fill(p->cr);
	cairo_set_source_rgb(p->cr, r, g, b);
	cairo_move_to(p->cr, x, floor(y + 4));
	cairo_show_text(p->cr, text);
}

/* ---- quads by order ----------------------------------------------------------------------------------------------------- */

/* From deep blue over green to yellow: ordered for every kind of eyesight. */
static void ramp(double t, double rgb[3])
{
	static const double stop[5][3] = {
		{0.23, 0.19, 0.55}, {0.19, 0.41, 0.56}, {0.13, 0.57, 0.55}, {0.37, 0.79, 0.38}, {0.99, 0.91, 0.15}};
	const double at = CLAMP(t, 0, 1) * 4;
	const int i = MIN((int)at, 3);

	for (int c = 0; c < 3; c++)
		rgb[c] = stop[i][c] + (stop[i + 1][c] - stop[i][c]) * (at - i);
}

static guint32 premultiplied(const double rgb[3], double alpha)
{
	return (guint32)(alpha * 255) << 24 | (guint32)(rgb[0] * alpha * 255) << 16 | (guint32)(rgb[1] * alpha * 255) << 8 |
		(guint32)(rgb[2] * alpha * 255);
}

static void paint_place(const QsView *view, guint8 *data, gsize stride, const struct qs_quad_place *q, const double rgb[3], double alpha)
{
	static const double part[4] = {0, 0.4, 0.7, 1};

	for (int f = 0; f < 4; f++) {
		const guint bits = q->coverage >> 3 * f & 7u, count = (bits & 1) + (bits >> 1 & 1) + (bits >> 2 & 1);
		const int x = q->x + (f & 1), y = q->y + (f >> 1);

		if (bits && x >= 0 && y >= 0 && x < (int)qs_view_width(view) &&
			y < (int)qs_view_height(view))
			((guint32 *)(void *)(data + (gsize)y * stride))[x] = premultiplied(rgb, alpha * part[count]);
	}
}

static cairo_surface_t *quads_surface(const Paint *p)
{
	static const double waiting[3] = {0.7, 0.7, 0.75};
	QsSetupView *self = p->self;
	const guint32 walked = qs_setup_walked(p->view);
	gsize stride;
	guint8 *data;

	if (self->quads && self->quads_serial == p->view->serial)
		return self->quads;
	g_clear_pointer(&self->quads, cairo_surface_destroy);
	self->quads = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, (int)qs_view_width(p->view),
		(int)qs_view_height(p->view));
	self->quads_serial = p->view->serial;
	if (cairo_surface_status(self->quads) != CAIRO_STATUS_SUCCESS)
		return self->quads;
	data = cairo_image_surface_get_data(self->quads);
	stride = (gsize)cairo_image_surface_get_stride(self->quads);
	for (guint32 i = 0; i < p->view->quad_count; i++) {
		double rgb[3];

		ramp(p->view->quad_count > 1 ? i / (double)(p->view->quad_count - 1) : 0.5, rgb);
		paint_place(p->view, data, stride, &p->view->quads[i], i < walked ? rgb : waiting, i < walked ? 0.62 : 0.16);
	}
	cairo_surface_mark_dirty(self->quads);
	return self->quads;
}

static void paint_picture(const Paint *p)
{
	QsSetupView *self = p->self;
	const QsView *view = qs_session_get_view(p->self->session);
	const struct qs_image *image = &view->image[QS_BUFFER_COLOR];

	if (!image->rgba)
		return;
	if (!self->picture || self->picture_serial != view->serial) {
		g_clear_pointer(&self->picture, cairo_surface_destroy);
		self->picture = qs_canvas_surface(image->rgba, image->width, image->height, 0, TRUE);
		self->picture_serial = view->serial;
	}
	qs_canvas_paint_surface(p->place, p->cr, self->picture);
	/* It is the background: the diagram has to stand out. */
	cairo_set_source_rgba(p->cr, 0.12, 0.12, 0.13, 0.45);
	cairo_rectangle(p->cr, sx(p, 0), sy(p, 0), qs_view_width(p->view) * p->place->scale,
		qs_view_height(p->view) * p->place->scale);
	cairo_fill(p->cr);
}

static gboolean on_screen(const Paint *p, const struct qs_quad_place *q)
{
	return q->x + 2 > p->x0 && q->x < p->x1 && q->y + 2 > p->y0 && q->y < p->y1;
}

static void paint_quad_marks(const Paint *p)
{
	const double size = 2 * p->place->scale;
	const gboolean values = p->self->layers & QS_LAYER_VALUES && p->place->scale >= 48;
	const guint32 walked = qs_setup_walked(p->view);
	char text[16];

	if (size < 10)
		return;
	cairo_set_line_width(p->cr, 1);
	cairo_set_source_rgba(p->cr, 0.9, 0.9, 0.95, 0.5);
	for (guint32 i = 0; i < p->view->quad_count; i++)
		if (on_screen(p, &p->view->quads[i]))
			cairo_rectangle(p->cr, floor(sx(p, p->view->quads[i].x)) + 0.5, floor(sy(p, p->view->quads[i].y)) + 0.5, size, size);
	cairo_stroke(p->cr);
	if (!(p->self->layers & QS_LAYER_NUMBERS) || size < 30)
		return;
	cairo_set_font_size(p->cr, MIN(size * 0.3, 11));
	for (guint32 i = 0; i < p->view->quad_count; i++) {
		const struct qs_quad_place *q = &p->view->quads[i];
		cairo_text_extents_t extents;

		if (!on_screen(p, q))
			continue;
		g_snprintf(text, sizeof text, "%u", i);
		cairo_text_extents(p->cr, text, &extents);
		cairo_set_source_rgba(p->cr, 1, 1, 1, i < walked ? 0.95 : 0.5);
		/* With values in the pixels the number goes to the quad's lower corner. */
		cairo_move_to(p->cr, floor(values ? sx(p, q->x) + 4 : sx(p, q->x) + (size - extents.x_advance) / 2),
			floor(values ? sy(p, q->y) + size - 4 : sy(p, q->y) + (size + extents.height) / 2));
		cairo_show_text(p->cr, text);
	}
}

/* ---- edges -------------------------------------------------------------------------------------------------------------- */

static double edge_at(const struct qs_edge *e, double x, double y)
{
	return e->c + e->dx * x + e->dy * y;
}

/* The part of the widget on the negative side of the edge. */
static void paint_half(const Paint *p, guint e)
{
	const struct qs_edge *edge = &p->setup->edge[e];
	const double left = p->place->left, top = p->place->top;
	const double right = left + p->width / p->place->scale, bottom = top + p->height / p->place->scale;
	const double corner[4][2] = {{left, top}, {right, top}, {right, bottom}, {left, bottom}};
	gboolean started = FALSE;

	for (guint i = 0; i < 4; i++) {
		const double *a = corner[i], *b = corner[(i + 1) % 4];
		const double va = edge_at(edge, a[0], a[1]), vb = edge_at(edge, b[0], b[1]);

		if (va < 0) {
			(started ? cairo_line_to : cairo_move_to)(p->cr, sx(p, a[0]), sy(p, a[1]));
			started = TRUE;
		}
		if ((va < 0) != (vb < 0)) {
			const double t = va / (va - vb);

			(started ? cairo_line_to : cairo_move_to)(p->cr, sx(p, a[0] + (b[0] - a[0]) * t), sy(p, a[1] + (b[1] - a[1]) * t));
			started = TRUE;
		}
	}
	edge_source(p, e, 0.10);
	cairo_fill(p->cr);
}

/* Cuts the line from a to b to the widget: cairo and the labels need what is to be seen.  FALSE: nothing is. */
static gboolean cut(const Paint *p, double a[2], double b[2])
{
	const double limit[4] = {-4000, p->width + 4000.0, -4000, p->height + 4000.0};
	double t0 = 0, t1 = 1;
	const double d[2] = {b[0] - a[0], b[1] - a[1]}, o[2] = {a[0], a[1]};

	for (guint i = 0; i < 4; i++) {
		const guint axis = i / 2;
		const double sign = i % 2 ? 1 : -1, dist = sign * (limit[i] - o[axis]), speed = sign * d[axis];

		if (speed == 0 && dist < 0)
			return FALSE;
		if (speed > 0)
			t1 = MIN(t1, dist / speed);
		else if (speed < 0)
			t0 = MAX(t0, dist / speed);
	}
	if (t0 > t1)
		return FALSE;
	for (guint axis = 0; axis < 2; axis++) {
		a[axis] = o[axis] + d[axis] * t0;
		b[axis] = o[axis] + d[axis] * t1;
	}
	return TRUE;
}

static gboolean line(const Paint *p, const struct qs_setup *setup, guint from, guint to, double a[2], double b[2])
{
	const struct qs_vertex *v = &setup->vertex[from], *w = &setup->vertex[to];

	if (!qs_setup_on_screen(setup, from) || !qs_setup_on_screen(setup, to))
		return FALSE;
	a[0] = sx(p, (double)v->screen[0]);
	a[1] = sy(p, (double)v->screen[1]);
	b[0] = sx(p, (double)w->screen[0]);
	b[1] = sy(p, (double)w->screen[1]);
	return cut(p, a, b);
}

static void paint_outline(const Paint *p, const struct qs_setup *setup, double alpha)
{
	static const double dash[2] = {5, 4};
	double a[2], b[2];

	cairo_set_line_width(p->cr, 1);
	if (!qs_setup_has_edges(setup))
		cairo_set_dash(p->cr, dash, 2, 0);
	for (guint i = 0; i < 3; i++)
		if (line(p, setup, i, (i + 1) % 3, a, b)) {
			cairo_move_to(p->cr, a[0], a[1]);
			cairo_line_to(p->cr, b[0], b[1]);
		}
	cairo_set_source_rgba(p->cr, 0.85, 0.87, 0.92, alpha);
	cairo_stroke(p->cr);
	cairo_set_dash(p->cr, NULL, 0, 0);
}

/* Top-left edges own the samples on them: they are drawn through, the others dashed. */
static void paint_edge(const Paint *p, guint e)
{
	static const double dash[2] = {7, 5};
	const struct qs_edge *edge = &p->setup->edge[e];
	double a[2], b[2];

	if (!line(p, p->setup, edge->from, edge->to, a, b))
		return;
	for (int pass = 0; pass < 2; pass++) {
		cairo_set_line_width(p->cr, pass ? 2 : 4);
		if (pass)
			edge_source(p, e, 1);
		else
			cairo_set_source_rgba(p->cr, 0, 0, 0, 0.5);
		if (pass && !edge->top_left)
			cairo_set_dash(p->cr, dash, 2, 0);
		cairo_move_to(p->cr, a[0], a[1]);
		cairo_line_to(p->cr, b[0], b[1]);
		cairo_stroke(p->cr);
		cairo_set_dash(p->cr, NULL, 0, 0);
	}
}

static void paint_edge_label(const Paint *p, guint e)
{
	const struct qs_edge *edge = &p->setup->edge[e];
	const double length = hypot(edge->dx, edge->dy);
	double a[2], b[2], nx, ny, x, y, lo = 0, hi = 1;
	const double inner[4] = {16, p->width - 16.0, 10, p->height - 10.0};
	char text[24];

	if (length == 0 || !line(p, p->setup, edge->from, edge->to, a, b))
		return;
	for (guint i = 0; i < 4; i++) { /* the middle of what is inside the widget */
		const guint axis = i / 2;
		const double d = b[axis] - a[axis], t = d == 0 ? 0 : (inner[i] - a[axis]) / d;

		if (d != 0 && (d > 0) == (i % 2 == 1))
			hi = MIN(hi, t);
		else if (d != 0)
			lo = MAX(lo, t);
	}
	if (lo > hi || hypot(b[0] - a[0], b[1] - a[1]) * (hi - lo) < 40)
		return;
	nx = edge->dx / length;
	ny = edge->dy / length;
	x = a[0] + (b[0] - a[0]) * (lo + hi) / 2;
	y = a[1] + (b[1] - a[1]) * (lo + hi) / 2;
	g_snprintf(text, sizeof text, edge->top_left ? "e%u TL" : "e%u", e);
	plate(p, text, x - nx * 30, y - ny * 16, edge_colour[e][0], edge_colour[e][1], edge_colour[e][2]);
	cairo_set_line_width(p->cr, 1.5);
	edge_source(p, e, 1);
	for (int side = -1; side <= 1; side += 2) {
		const double cx = floor(x + nx * 9 * side + (b[0] - a[0]) / MAX(hypot(b[0] - a[0], b[1] - a[1]), 1) * 22) + 0.5;
		const double cy = floor(y + ny * 9 * side + (b[1] - a[1]) / MAX(hypot(b[0] - a[0], b[1] - a[1]), 1) * 22) + 0.5;

		cairo_move_to(p->cr, cx - 4, cy);
		cairo_line_to(p->cr, cx + 4, cy);
		if (side > 0) {
			cairo_move_to(p->cr, cx, cy - 4);
			cairo_line_to(p->cr, cx, cy + 4);
		}
	}
	cairo_stroke(p->cr);
}

static void paint_vertices(const Paint *p)
{
	char text[48];

	cairo_set_font_size(p->cr, 11);
	for (guint i = 0; i < 3; i++) {
		const struct qs_vertex *v = &p->setup->vertex[i];
		const double x = sx(p, (double)v->screen[0]), y = sy(p, (double)v->screen[1]);

		if (!qs_setup_on_screen(p->setup, i) || x < -40 || y < -20 || x > p->width + 40 || y > p->height + 20)
			continue;
		cairo_new_path(p->cr);
		cairo_arc(p->cr, x, y, 4, 0, 2 * G_PI);
		cairo_set_source_rgb(p->cr, v->index == QS_NONE ? 0.15 : 1, v->index == QS_NONE ? 0.15 : 1, v->index == QS_NONE ? 0.17 : 1);
		cairo_fill_preserve(p->cr);
		cairo_set_source_rgb(p->cr, v->index == QS_NONE ? 1 : 0, v->index == QS_NONE ? 1 : 0, v->index == QS_NONE ? 1 : 0);
		cairo_set_line_width(p->cr, 1.5);
		cairo_stroke(p->cr);
		if (v->index == QS_NONE)
			g_snprintf(text, sizeof text, "v%u", i);
		else
			g_snprintf(text, sizeof text, "v%u (%u)", i, v->index);
		plate(p, text, CLAMP(x, 26, p->width - 26.0), y > 24 ? y - 15 : y + 15, 1, 1, 1);
	}
}

/* ---- box and scissor ---------------------------------------------------------------------------------------------------- */

static void paint_rect(const Paint *p, const struct qs_rect *r, double red, double green, double blue, const char *label, gboolean below)
{
	static const double dash[2] = {4, 3};
	const double x = floor(sx(p, r->x0)) + 0.5, y = floor(sy(p, r->y0)) + 0.5;
	const double right = floor(sx(p, r->x1)) + 0.5, bottom = floor(sy(p, r->y1)) + 0.5;
	cairo_text_extents_t extents;

	if (r->x1 <= r->x0 || r->y1 <= r->y0)
		return;
	cairo_set_line_width(p->cr, 1);
	cairo_set_dash(p->cr, dash, 2, 0);
	cairo_rectangle(p->cr, x, y, right - x, bottom - y);
	cairo_set_source_rgba(p->cr, red, green, blue, 0.9);
	cairo_stroke(p->cr);
	cairo_set_dash(p->cr, NULL, 0, 0);
	cairo_set_font_size(p->cr, 10);
	cairo_text_extents(p->cr, label, &extents);
	if (right - x > extents.x_advance + 8 && right > extents.x_advance + 4) {
		cairo_move_to(p->cr, floor(MIN(right, p->width) - extents.x_advance - 4), floor(below ? bottom + 11 : bottom - 4));
		cairo_show_text(p->cr, label);
	}
}

static void paint_limits(const Paint *p)
{
	const struct qs_rect efb = {0, 0, (int)qs_view_width(p->view), (int)qs_view_height(p->view)};

	paint_rect(p, &efb, 0.5, 0.5, 0.52, qs_view_machine(p->view) == QS_MACHINE_GFX3D ? "target" : "EFB", TRUE);
	if (!p->setup || !(p->self->layers & QS_LAYER_BOX))
		return;
	paint_rect(p, &p->setup->scissor, 0.3, 0.85, 0.9, "scissor", TRUE);
	paint_rect(p, &p->setup->box, 1, 0.75, 0.35, "box", FALSE);
}

/* ---- samples and values ------------------------------------------------------------------------------------------------- */

static gboolean covered(const struct qs_setup *setup, int x, int y, guint sample)
{
	if (x < setup->box.x0 || x >= setup->box.x1 || y < setup->box.y0 || y >= setup->box.y1)
		return FALSE;
	for (guint e = 0; e < 3; e++)
		if (!qs_setup_inside(&setup->edge[e], qs_setup_edge_value(setup, e, x, y, sample)))
			return FALSE;
	return TRUE;
}

/* A pixel that the box reaches, or next to it. */
static gboolean of_interest(const struct qs_setup *setup, int x, int y)
{
	return x >= setup->box.x0 - 2 && x < setup->box.x1 + 2 && y >= setup->box.y0 - 2 && y < setup->box.y1 + 2;
}

static void paint_samples(const Paint *p)
{
	const double radius = CLAMP(p->place->scale / 14, 1.2, 3.5);

	for (int y = p->y0; y < p->y1; y++)
		for (int x = p->x0; x < p->x1; x++)
			for (guint k = 0; k < MAX(p->setup->sample_count, 1) && of_interest(p->setup, x, y); k++) {
				double px, py;
				const gboolean in = covered(p->setup, x, y, k);

				qs_setup_sample_point(p->setup, x, y, k, &px, &py);
				cairo_new_path(p->cr);
				cairo_arc(p->cr, sx(p, px), sy(p, py), radius, 0, 2 * G_PI);
				cairo_set_source_rgba(p->cr, 0, 0, 0, 0.7);
				cairo_set_line_width(p->cr, 1);
				if (in) {
					cairo_stroke_preserve(p->cr);
					cairo_set_source_rgb(p->cr, 1, 1, 1);
					cairo_fill(p->cr);
				} else {
					cairo_set_source_rgba(p->cr, 0.8, 0.8, 0.8, 0.55);
					cairo_stroke(p->cr);
				}
			}
}

static void paint_values(const Paint *p, gboolean wide)
{
	const double column = p->place->scale / (wide ? 3 : 1), line = wide ? 11 : MIN((p->place->scale * 0.58 - 4) / 3, 13);
	const double size = wide ? 7.5 : MIN(line, 11);
	char text[24];

	cairo_set_font_size(p->cr, size);
	for (int y = p->y0; y < p->y1; y++)
		for (int x = p->x0; x < p->x1; x++)
			for (guint k = 0; k < MAX(p->setup->sample_count, 1) && of_interest(p->setup, x, y); k++)
				for (guint e = 0; e < 3; e++) {
					const double value = qs_setup_edge_value(p->setup, e, x, y, k);

					g_snprintf(text, sizeof text, fabs(value) >= 1000 ? "%+.0f" : fabs(value) >= 10 ? "%+.1f" : "%+.3f", value);
					edge_source(p, e, qs_setup_inside(&p->setup->edge[e], value) ? 1 : 0.62);
					cairo_move_to(p->cr, floor(sx(p, x) + column * k + 2), floor(sy(p, y) + line * (e + 1)));
					cairo_show_text(p->cr, text);
				}
}

/* ---- current and hovered quad ------------------------------------------------------------------------------------------- */

static void paint_mask(const Paint *p, const QsQuadInfo *info)
{
	const double size = CLAMP(p->place->scale / 8, 2, 7), gap = size + 1;

	for (int f = 0; p->place->scale >= 12 && f < 4; f++)
		for (int k = 0; k < 3; k++) {
			const double x = sx(p, info->x + (f & 1) + 1) - (3 - k) * gap - 1, y = sy(p, info->y + (f >> 1) + 1) - gap - 1;

			cairo_rectangle(p->cr, floor(x) + 0.5, floor(y) + 0.5, size - 1, size - 1);
			cairo_set_source_rgba(p->cr, 0, 0, 0, 0.6);
			cairo_set_line_width(p->cr, 2);
			cairo_stroke_preserve(p->cr);
			if (info->coverage >> (3 * f + k) & 1)
				cairo_set_source_rgb(p->cr, 1, 0.9, 0.2);
			else
				cairo_set_source_rgb(p->cr, 0.35, 0.35, 0.37);
			cairo_fill(p->cr);
		}
}

static void paint_marks(const Paint *p)
{
	QsQuadInfo info;
	gboolean hovered;
	int x, y;

	if (p->view->has_quad) {
		qs_canvas_paint_box(p->place, p->cr, p->view->quad.x, p->view->quad.y, 2, 2, 1, 0.85, 0.1);
		if (p->view->moment.level >= QS_LEVEL_FRAGMENT && p->place->scale >= 8)
			qs_canvas_paint_box(p->place, p->cr, p->view->quad.x + (int)(p->view->moment.fragment & 1),
				p->view->quad.y + (int)(p->view->moment.fragment >> 1), 1, 1, 1, 0.85, 0.1);
	}
	if (qs_session_get_pick(p->self->session, &x, &y) && p->place->scale >= 4)
		qs_canvas_paint_box(p->place, p->cr, x, y, 1, 1, 1, 1, 1);
	if (!qs_setup_view_get_quad(p->self, &info, &hovered))
		return;
	if (hovered)
		qs_canvas_paint_box(p->place, p->cr, info.x, info.y, 2, 2, 0.8, 0.9, 1);
	paint_mask(p, &info);
}

/* ---- all ---------------------------------------------------------------------------------------------------------------- */

static void paint_diagram(const Paint *p)
{
	const gboolean edges = qs_setup_has_edges(p->setup);
	const double scale = p->place->scale;
	const gboolean values = edges && p->self->layers & QS_LAYER_VALUES && scale >= (p->setup->sample_count > 1 ? 128 : 48);

	for (guint e = 0; e < 3 && edges && p->self->layers & QS_LAYER_HALVES; e++)
		paint_half(p, e);
	if (scale >= 6)
		qs_canvas_paint_grid(p->place, p->cr, p->x0, p->y0, p->x1, p->y1, 2);
	paint_quad_marks(p);
	paint_limits(p);
	for (guint i = 0; i < p->view->setup_count; i++)
		if (&p->view->setup[i] != p->setup || !edges)
			paint_outline(p, &p->view->setup[i], &p->view->setup[i] == p->setup ? 1 : 0.6);
	for (guint e = 0; edges && e < 3; e++)
		paint_edge(p, e);
	if (edges && p->self->layers & QS_LAYER_SAMPLES && scale >= 12)
		paint_samples(p);
	if (values)
		paint_values(p, p->setup->sample_count > 1);
	cairo_set_font_size(p->cr, 11);
	for (guint e = 0; edges && e < 3 && !values; e++) /* the values' colours tell the edges then */
		paint_edge_label(p, e);
	paint_vertices(p);
}

static gboolean begin(Paint *p, QsCanvas *canvas, cairo_t *cr, int width, int height)
{
	QsSetupView *self = QS_SETUP_VIEW(canvas);
	const QsPlace *place = qs_canvas_get_place(canvas);

	*p = (Paint){.self = self, .place = place, .cr = cr, .width = width, .height = height};
	p->view = self->session ? qs_session_get_primitive(self->session) : NULL;
	if (!p->view)
		return FALSE;
	p->setup = setup_view_record(self);
	p->x0 = MAX((int)floor(place->left), 0);
	p->y0 = MAX((int)floor(place->top), 0);
	p->x1 = MIN((int)ceil(place->left + width / place->scale), (int)qs_view_width(p->view));
	p->y1 = MIN((int)ceil(place->top + height / place->scale), (int)qs_view_height(p->view));
	return TRUE;
}

void setup_view_paint_over(QsCanvas *canvas, cairo_t *cr, int width, int height)
{
	Paint p;

	if (begin(&p, canvas, cr, width, height) && p.setup)
		paint_marks(&p);
}

void setup_view_paint(QsCanvas *canvas, cairo_t *cr, int width, int height)
{
	QsSetupView *self = QS_SETUP_VIEW(canvas);
	const QsPlace *place = qs_canvas_get_place(canvas);
	Paint p;

	if (!begin(&p, canvas, cr, width, height))
		return;
	cairo_select_font_face(cr, "monospace", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
	cairo_set_font_size(cr, 11);
	if (self->layers & QS_LAYER_PICTURE)
		paint_picture(&p);
	if (self->layers & QS_LAYER_ORDER && p.view->quad_count)
		qs_canvas_paint_surface(place, cr, quads_surface(&p));
	if (p.setup)
		paint_diagram(&p);
	else
		paint_limits(&p);
}
