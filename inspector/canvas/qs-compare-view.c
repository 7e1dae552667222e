/* qs-compare-view.c - see the header
 *
 * Zoom and place are those of the frame (the session's viewport), so that all views of the EFB show the same part; the pointer and
 * the picked pixel are the session's too.  In a wipe the line follows a drag of its handle.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-compare-view.h"
#include <math.h>
#include <stdlib.h>
#include "pick-keys.h"

#define HANDLE 12 /* pixels left and right of the wipe's line that grab it */

struct _QsCompareView {
	QsCanvas parent_instance;
	QsSession *session;
	QsCompareMode mode;
	guint gain;
	const struct qs_image *a, *b;
	cairo_surface_t *surface[2], *difference;
	double wipe; /* part of the picture's width that shows A */
	gboolean following, wiping;
};

G_DEFINE_FINAL_TYPE(QsCompareView, qs_compare_view, QS_TYPE_CANVAS)

/* ---- pictures ----------------------------------------------------------------------------------------------------------- */

static void forget(QsCompareView *self)
{
	g_clear_pointer(&self->surface[0], cairo_surface_destroy);
	g_clear_pointer(&self->surface[1], cairo_surface_destroy);
	g_clear_pointer(&self->difference, cairo_surface_destroy);
}

static cairo_surface_t *side(QsCompareView *self, guint which)
{
	const struct qs_image *image = which ? self->b : self->a;

	if (!self->surface[which] && image && image->rgba)
		self->surface[which] = qs_canvas_surface(image->rgba, image->width, image->height, 0, TRUE);
	return self->surface[which];
}

/* Black where they agree; each channel's distance times the gain, and never quite black where they do not. */
static guint32 difference_colour(const guint8 *a, const guint8 *b, guint gain)
{
	guint32 colour = 0;
	guint any = 0;

	for (guint c = 0; c < 3; c++) {
		const guint distance = (guint)abs(a[c] - b[c]);

		any |= distance;
		colour = colour << 8 | MIN(distance * gain, 255);
	}
	return any && !(colour & 0xE0E0E0) ? colour | 0x202020 : colour;
}

/* Of depths: 24 bits, 4096 steps are one of grey before the gain. */
static guint32 difference_depth(guint32 a, guint32 b, guint gain)
{
	const guint64 distance = a > b ? a - b : b - a;
	const guint32 grey = (guint32)MIN(distance * gain >> 12, 255);

	return distance ? MAX(grey, 0x20) * 0x010101 : 0;
}

static cairo_surface_t *difference(QsCompareView *self)
{
	const struct qs_image *a = self->a, *b = self->b;

	if (self->difference || !a || !b || !a->rgba || !b->rgba || a->width != b->width || a->height != b->height)
		return self->difference;
	self->difference = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)a->width, (int)a->height);
	for (gsize y = 0; cairo_surface_status(self->difference) == CAIRO_STATUS_SUCCESS && y < a->height; y++) {
		guint32 *row = (guint32 *)(void *)(cairo_image_surface_get_data(self->difference) +
			y * (gsize)cairo_image_surface_get_stride(self->difference));
		const gsize at = 4 * y * a->width;

		for (gsize x = 0; x < a->width; x++)
			row[x] = a->depth && b->depth ? difference_depth(a->depth[at / 4 + x], b->depth[at / 4 + x], self->gain) :
				difference_colour(a->rgba + at + 4 * x, b->rgba + at + 4 * x, self->gain);
	}
	cairo_surface_mark_dirty(self->difference);
	return self->difference;
}

static void paint_side(QsCompareView *self, cairo_t *cr, guint which)
{
	if (side(self, which))
		qs_canvas_paint_surface(qs_canvas_get_place(QS_CANVAS(self)), cr, side(self, which));
}

static double wipe_at(QsCompareView *self)
{
	return qs_place_x(qs_canvas_get_place(QS_CANVAS(self)), self->a ? self->wipe * self->a->width : 0);
}

static void paint_wipe(QsCompareView *self, cairo_t *cr, int width, int height)
{
	const double x = floor(CLAMP(wipe_at(self), 0, width));

	cairo_save(cr);
	cairo_rectangle(cr, 0, 0, x, height);
	cairo_clip(cr);
	paint_side(self, cr, 0);
	cairo_restore(cr);
	cairo_save(cr);
	cairo_rectangle(cr, x, 0, width - x, height);
	cairo_clip(cr);
	paint_side(self, cr, 1);
	cairo_restore(cr);
	cairo_set_source_rgba(cr, 1, 1, 1, 0.9);
	cairo_rectangle(cr, x - 1, 0, 2, height);
	cairo_fill(cr);
	cairo_arc(cr, x, height / 2.0, 6, 0, 2 * G_PI);
	cairo_fill(cr);
}

static void paint(QsCanvas *canvas, cairo_t *cr, int width, int height)
{
	QsCompareView *self = QS_COMPARE_VIEW(canvas);

	if (self->mode == QS_COMPARE_WIPE)
		paint_wipe(self, cr, width, height);
	else if (self->mode == QS_COMPARE_DIFFERENCE && difference(self))
		qs_canvas_paint_surface(qs_canvas_get_place(canvas), cr, self->difference);
	else if (self->mode != QS_COMPARE_DIFFERENCE)
		paint_side(self, cr, self->mode == QS_COMPARE_B);
}

static void paint_over(QsCanvas *canvas, cairo_t *cr, int width, int height)
{
	QsCompareView *self = QS_COMPARE_VIEW(canvas);
	const QsPlace *place = qs_canvas_get_place(canvas);
	int x, y;

	(void)width;
	(void)height;
	if (!self->a)
		return;
	if (qs_session_get_hover(self->session, &x, &y)) {
		qs_canvas_paint_box(place, cr, x, y, 1, 1, 0.75, 0.75, 0.75);
		if (place->scale < 12)
			qs_canvas_paint_cross(place, cr, x, y);
	}
	if (!qs_session_get_pick(self->session, &x, &y))
		return;
	qs_canvas_paint_box(place, cr, x, y, 1, 1, 1, 1, 1);
	if (place->scale < 12)
		qs_canvas_paint_cross(place, cr, x, y);
}

/* ---- input -------------------------------------------------------------------------------------------------------------- */

static QsArea area_of(QsCanvas *canvas)
{
	QsCompareView *self = QS_COMPARE_VIEW(canvas);

	return (QsArea){0, 0, self->a ? self->a->width : 640, self->a ? self->a->height : 528};
}

static QsArea close_up(QsCanvas *canvas)
{
	double x, y;
	int px, py;

	if (qs_session_get_pick(QS_COMPARE_VIEW(canvas)->session, &px, &py)) {
		x = px;
		y = py;
	} else {
		qs_canvas_get_middle(canvas, &x, &y);
	}
	return (QsArea){floor(x) - 4, floor(y) - 4, floor(x) + 5, floor(y) + 5};
}

static gboolean inside(QsCompareView *self, double x, double y)
{
	const QsArea area = area_of(QS_CANVAS(self));

	return x >= 0 && y >= 0 && x < area.x1 && y < area.y1;
}

static void pointed(QsCanvas *canvas, double x, double y, gboolean in)
{
	QsCompareView *self = QS_COMPARE_VIEW(canvas);
	const QsPlace *place = qs_canvas_get_place(canvas);
	const gboolean near_line = in && self->mode == QS_COMPARE_WIPE && fabs(qs_place_x(place, x) - wipe_at(self)) < HANDLE;

	self->wiping &= in;
	gtk_widget_set_cursor_from_name(GTK_WIDGET(self), near_line ? "col-resize" : NULL);
	in = in && inside(self, x, y);
	qs_session_set_hover(self->session, in ? (int)x : -1, in ? (int)y : -1);
}

static void dragged(QsCanvas *canvas, double x, double y)
{
	QsCompareView *self = QS_COMPARE_VIEW(canvas);
	const QsPlace *place = qs_canvas_get_place(canvas);

	if (self->mode == QS_COMPARE_WIPE && self->a && (self->wiping || fabs(qs_place_x(place, x) - wipe_at(self)) < HANDLE)) {
		self->wiping = TRUE;
		self->wipe = CLAMP(x / self->a->width, 0, 1);
		qs_canvas_redraw(canvas);
	} else if (inside(self, x, y)) {
		qs_session_set_pick(self->session, (int)x, (int)y);
	}
}

static void clicked(QsCanvas *canvas, double x, double y, int presses)
{
	QsCompareView *self = QS_COMPARE_VIEW(canvas);

	self->wiping = FALSE;
	if (presses == 2 && inside(self, x, y))
		qs_session_seek_fragment(self->session, (int)x, (int)y, TRUE);
}

static gboolean key(QsCanvas *canvas, guint key, GdkModifierType state)
{
	QsCompareView *self = QS_COMPARE_VIEW(canvas);
	gboolean moved;
	int x, y;

	if (self->mode == QS_COMPARE_WIPE && (key == GDK_KEY_comma || key == GDK_KEY_period)) {
		self->wipe = CLAMP(self->wipe + (key == GDK_KEY_period ? 0.02 : -0.02), 0, 1);
		qs_canvas_redraw(canvas);
		return TRUE;
	}
	if (!pick_key(self->session, key, state, &moved, &x, &y))
		return FALSE;
	if (moved)
		qs_canvas_reveal(canvas, (QsArea){x, y, x + 1, y + 1});
	return TRUE;
}

/* ---- linked with the other views ---------------------------------------------------------------------------------------- */

static void follow_viewport(QsCompareView *self)
{
	const QsViewport *v = qs_session_get_viewport(self->session);

	self->following = TRUE;
	qs_canvas_follow(QS_CANVAS(self), v->scale, v->x, v->y, v->fit);
	self->following = FALSE;
}

static void tell_viewport(QsCompareView *self)
{
	const QsPlace *place = qs_canvas_get_place(QS_CANVAS(self));
	QsViewport v = {place->fit, place->scale, 0, 0};

	if (self->following || !self->session || !gtk_widget_get_mapped(GTK_WIDGET(self)))
		return;
	qs_canvas_get_middle(QS_CANVAS(self), &v.x, &v.y);
	qs_session_set_viewport(self->session, &v);
}

static void describe_pixel(GString *s, const struct qs_image *image, const char *name, int x, int y)
{
	if (!image || !image->rgba || x < 0 || y < 0 || x >= (int)image->width || y >= (int)image->height)
		return;
	const gsize i = (gsize)y * image->width + (gsize)x;
	const guint8 *p = image->rgba + 4 * i;

	if (image->depth)
		g_string_append_printf(s, ", %s z 0x%06x", name, image->depth[i]);
	else
		g_string_append_printf(s, ", %s #%02x%02x%02x", name, p[0], p[1], p[2]);
}

static void describe(QsCompareView *self)
{
	static const char *const names[] = {"picture A", "picture B", "wipe from A to B", "difference"};
	g_autoptr(GString) s = g_string_new(names[self->mode]);
	int x, y;

	if (!self->a)
		g_string_append(s, ", nothing is compared yet");
	if (self->session && qs_session_get_pick(self->session, &x, &y)) {
		g_string_append_printf(s, ", pixel %d,%d", x, y);
		describe_pixel(s, self->a, "A", x, y);
		describe_pixel(s, self->b, "B", x, y);
	}
	qs_canvas_describe(QS_CANVAS(self), s->str);
}

/* ---- public ------------------------------------------------------------------------------------------------------------- */

void qs_compare_view_set_session(QsCompareView *self, QsSession *session)
{
	g_set_object(&self->session, session);
	follow_viewport(self);
}

void qs_compare_view_set_mode(QsCompareView *self, QsCompareMode mode)
{
	self->mode = mode;
	describe(self);
	qs_canvas_redraw(QS_CANVAS(self));
}

void qs_compare_view_set_gain(QsCompareView *self, guint gain)
{
	self->gain = gain;
	g_clear_pointer(&self->difference, cairo_surface_destroy);
	qs_canvas_redraw(QS_CANVAS(self));
}

void qs_compare_view_set_pictures(QsCompareView *self, const struct qs_image *a, const struct qs_image *b)
{
	self->a = a;
	self->b = b;
	forget(self);
	describe(self);
	qs_canvas_refit(QS_CANVAS(self));
	qs_canvas_redraw(QS_CANVAS(self));
}

void qs_compare_view_update(QsCompareView *self, guint changes)
{
	if (changes & QS_CHANGE_VIEWPORT)
		follow_viewport(self);
	if (changes & QS_CHANGE_PICK)
		describe(self);
	if (changes & (QS_CHANGE_PICK | QS_CHANGE_HOVER))
		gtk_widget_queue_draw(GTK_WIDGET(self));
}

/* ---- widget ------------------------------------------------------------------------------------------------------------- */

static void qs_compare_view_dispose(GObject *object)
{
	QsCompareView *self = QS_COMPARE_VIEW(object);

	g_clear_object(&self->session);
	forget(self);
	G_OBJECT_CLASS(qs_compare_view_parent_class)->dispose(object);
}

static void qs_compare_view_init(QsCompareView *self)
{
	self->gain = 1;
	self->wipe = 0.5;
	gtk_widget_set_size_request(GTK_WIDGET(self), 160, 120);
	g_signal_connect(self, "zoom-changed", G_CALLBACK(tell_viewport), NULL);
}

static void qs_compare_view_class_init(QsCompareViewClass *klass)
{
	QsCanvasClass *canvas_class = QS_CANVAS_CLASS(klass);

	G_OBJECT_CLASS(klass)->dispose = qs_compare_view_dispose;
	canvas_class->paint = paint;
	canvas_class->paint_over = paint_over;
	canvas_class->area = area_of;
	canvas_class->close_up = close_up;
	canvas_class->point = pointed;
	canvas_class->drag = dragged;
	canvas_class->click = clicked;
	canvas_class->key = key;
}
