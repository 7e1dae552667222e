/* frame-shapes.c - what scripts draw over the picture (qs.overlay)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "frame-view-private.h"
#include <math.h>
#include "qs-lua.h"

static double sx(QsFrameView *self, double x)
{
	return (x - self->left) * self->scale;
}

static double sy(QsFrameView *self, double y)
{
	return (y - self->top) * self->scale;
}

static void set_colour(cairo_t *cr, guint32 c, double alpha)
{
	cairo_set_source_rgba(cr, (c >> 24) / 255.0, (c >> 16 & 255) / 255.0, (c >> 8 & 255) / 255.0, (c & 255) / 255.0 * alpha);
}

static void label(cairo_t *cr, const QsShape *shape, double x, double y)
{
	cairo_text_extents_t size;

	cairo_text_extents(cr, shape->text, &size);
	cairo_set_source_rgba(cr, 0, 0, 0, 0.6);
	cairo_rectangle(cr, floor(x), floor(y), size.x_advance + 6, 15);
	cairo_fill(cr);
	set_colour(cr, shape->colour, 1);
	cairo_move_to(cr, floor(x) + 3, floor(y) + 11);
	cairo_show_text(cr, shape->text);
}

/* A line runs from the middle of a pixel to the middle of another. */
static void outline(QsFrameView *self, cairo_t *cr, const QsShape *s)
{
	const double half = self->scale / 2;

	switch (s->kind) {
	case QS_OVERLAY_RECT:
		cairo_rectangle(cr, floor(sx(self, s->x0)) + 0.5, floor(sy(self, s->y0)) + 0.5, floor((s->x1 - s->x0) * self->scale),
			floor((s->y1 - s->y0) * self->scale));
		break;
	case QS_OVERLAY_LINE:
		cairo_move_to(cr, sx(self, s->x0) + half, sy(self, s->y0) + half);
		cairo_line_to(cr, sx(self, s->x1) + half, sy(self, s->y1) + half);
		break;
	case QS_OVERLAY_POINT:
		cairo_rectangle(cr, floor(sx(self, floor(s->x0))) - 0.5, floor(sy(self, floor(s->y0))) - 0.5, MAX(self->scale, 2) + 1,
			MAX(self->scale, 2) + 1);
		break;
	case QS_OVERLAY_TEXT:
		break;
	}
}

static gboolean in_sight(QsFrameView *self, const QsShape *s, int width, int height)
{
	const double left = sx(self, MIN(s->x0, s->x1)), right = sx(self, MAX(s->x0, s->x1) + 1);
	const double top = sy(self, MIN(s->y0, s->y1)), bottom = sy(self, MAX(s->y0, s->y1) + 1);

	/* a text goes on to the right */
	return (right >= 0 || s->text) && left < width && bottom >= -20 && top < height + 20;
}

void frame_paint_shapes(QsFrameView *self, cairo_t *cr, int width, int height)
{
	guint count;
	const QsShape *shapes = qs_lua_get_shapes(qs_session_get_lua(self->session), &count);

	cairo_select_font_face(cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
	cairo_set_font_size(cr, 11);
	for (guint i = 0; i < count; i++) {
		const QsShape *s = &shapes[i];

		if (!in_sight(self, s, width, height))
			continue;
		if (s->kind != QS_OVERLAY_TEXT) {
			cairo_set_line_width(cr, 3);
			cairo_set_source_rgba(cr, 0, 0, 0, 0.45);
			outline(self, cr, s);
			cairo_stroke(cr);
			cairo_set_line_width(cr, 1.5);
			set_colour(cr, s->colour, 1);
			outline(self, cr, s);
			cairo_stroke(cr);
		}
		if (s->text)
			label(cr, s, sx(self, s->x0) + 2, sy(self, s->y0) + (s->kind == QS_OVERLAY_TEXT ? 0 : 2));
	}
}
