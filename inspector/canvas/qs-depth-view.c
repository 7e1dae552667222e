/* qs-depth-view.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-depth-view.h"
#include <math.h>
#include <string.h>
#include "depth-stats.h"
#include "pick-keys.h"
#include "qs-request.h"

#define LEVELS 1024 /* steps of the palette: more than a screen can show */

struct _QsDepthView {
	QsCanvas parent_instance;
	QsSession *session;
	guint32 low, high;
	QsDepthPalette palette;
	gboolean linked, following, tests, want_draw;
	cairo_surface_t *surface, *overlay;
	guint64 surface_serial;
	guint32 surface_low, surface_high;
	QsDepthPalette surface_palette;
	QsDrawAnswer draw;
	guint32 draw_command, asked_command;
	enum qs_model draw_model, asked_model;
};

G_DEFINE_FINAL_TYPE(QsDepthView, qs_depth_view, QS_TYPE_CANVAS)

static guint draw_changed_signal;

static QsView *view_of(QsDepthView *self)
{
	return self->session ? qs_session_get_view(self->session) : NULL;
}

static const struct qs_image *depth_of(QsView *view)
{
	return view && view->image[QS_BUFFER_DEPTH].depth ? &view->image[QS_BUFFER_DEPTH] : NULL;
}

/* ---- the draw's tests --------------------------------------------------------------------------------------------------- */

const guint8 *qs_depth_view_get_draw(QsDepthView *self)
{
	QsView *view = view_of(self);

	return view && qs_view_in_draw(view) && self->draw_command == view->moment.command && self->draw_model == view->model ?
		self->draw.verdict : NULL;
}

static void got_draw(GObject *owner, QsDrawAnswer *answer, const struct qs_error *error)
{
	QsDepthView *self = QS_DEPTH_VIEW(owner);

	if (error) {
		self->asked_command = QS_NONE;
		return;
	}
	qs_draw_answer_finish(&self->draw);
	self->draw = *answer;
	memset(answer, 0, sizeof *answer);
	self->draw_command = self->asked_command;
	self->draw_model = self->asked_model;
	g_clear_pointer(&self->overlay, cairo_surface_destroy);
	qs_canvas_redraw(QS_CANVAS(self));
	g_signal_emit(self, draw_changed_signal, 0);
}

/* Once a draw: its tests are the same at every moment inside it. */
static void ask_draw(QsDepthView *self, gboolean again)
{
	QsView *view = view_of(self);

	if (!(self->tests || self->want_draw) || !view || !qs_view_in_draw(view) || qs_depth_view_get_draw(self))
		return;
	if (!again && self->asked_command == view->moment.command && self->asked_model == view->model)
		return;
	self->asked_command = view->moment.command;
	self->asked_model = view->model;
	qs_request_draw(self->session, G_OBJECT(self), TRUE, got_draw);
}

static cairo_surface_t *overlay(QsDepthView *self, const guint8 *verdict)
{
	if (self->overlay)
		return self->overlay;
	self->overlay = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, (int)self->draw.width, (int)self->draw.height);
	for (gsize y = 0; y < self->draw.height; y++) {
		guint32 *row = (guint32 *)(void *)(cairo_image_surface_get_data(self->overlay) +
			y * (gsize)cairo_image_surface_get_stride(self->overlay));

		for (gsize x = 0; x < self->draw.width; x++)
			row[x] = qs_canvas_verdict_colour(verdict[y * self->draw.width + x]);
	}
	cairo_surface_mark_dirty(self->overlay);
	return self->overlay;
}

/* ---- picture ------------------------------------------------------------------------------------------------------------ */

static guint32 palette_colour(QsDepthPalette palette, double t)
{
	/* blue near, over green and yellow, to red far; even in lightness as far as that goes */
	static const double stop[6][3] = {
		{48, 18, 59}, {62, 120, 240}, {30, 205, 200}, {165, 250, 60}, {250, 150, 40}, {122, 4, 3}};
	const double at = t * 5;
	const int i = MIN((int)at, 4);
	guint32 value = (guint32)(t * 255 + 0.5), colour = 0;

	if (palette == QS_DEPTH_INVERSE)
		value = 255 - value;
	if (palette != QS_DEPTH_COLOUR)
		return value << 16 | value << 8 | value;
	for (int c = 0; c < 3; c++)
		colour = colour << 8 | (guint32)(stop[i][c] + (stop[i + 1][c] - stop[i][c]) * (at - i));
	return colour;
}

static cairo_surface_t *picture(QsDepthView *self, QsView *view, const struct qs_image *image)
{
	const guint32 span = MAX(self->high - self->low, 1);
	guint32 table[LEVELS];

	if (self->surface && self->surface_serial == view->serial && self->surface_low == self->low &&
		self->surface_high == self->high && self->surface_palette == self->palette)
		return self->surface;
	g_clear_pointer(&self->surface, cairo_surface_destroy);
	self->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)image->width, (int)image->height);
	if (cairo_surface_status(self->surface) != CAIRO_STATUS_SUCCESS)
		return self->surface;
	for (guint i = 0; i < LEVELS; i++)
		table[i] = palette_colour(self->palette, i / (LEVELS - 1.0));
	for (gsize y = 0; y < image->height; y++) {
		guint32 *row = (guint32 *)(void *)(cairo_image_surface_get_data(self->surface) +
			y * (gsize)cairo_image_surface_get_stride(self->surface));
		const guint32 *z = image->depth + y * image->width;

		/* Outside the range in hues that no palette has: nearer violet, farther brown. */
		for (gsize x = 0; x < image->width; x++)
			row[x] = z[x] < self->low ? 0x503070u : z[x] > self->high ? 0x503a20u :
				table[(guint64)(z[x] - self->low) * (LEVELS - 1) / span];
	}
	cairo_surface_mark_dirty(self->surface);
	self->surface_serial = view->serial;
	self->surface_low = self->low;
	self->surface_high = self->high;
	self->surface_palette = self->palette;
	return self->surface;
}

struct qs_rect qs_depth_view_get_visible(QsDepthView *self)
{
	const QsPlace *place = qs_canvas_get_place(QS_CANVAS(self));
	const double w = gtk_widget_get_width(GTK_WIDGET(self)) / place->scale, h = gtk_widget_get_height(GTK_WIDGET(self)) / place->scale;

	return (struct qs_rect){MAX((int)floor(place->left), 0), MAX((int)floor(place->top), 0),
		MIN((int)ceil(place->left + w), (int)qs_view_width(view_of(self))), MIN((int)ceil(place->top + h), (int)qs_view_height(view_of(self)))};
}

/* Six digits in two rows of three. */
static void paint_values(QsDepthView *self, cairo_t *cr, const struct qs_image *image, const struct qs_rect *r)
{
	const QsPlace *place = qs_canvas_get_place(QS_CANVAS(self));
	const double s = place->scale, size = MIN(s * 0.38, 13);
	cairo_text_extents_t extents;
	char text[8];

	cairo_select_font_face(cr, "monospace", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
	cairo_set_font_size(cr, size);
	cairo_text_extents(cr, "000", &extents);
	for (int y = r->y0; y < r->y1; y++)
		for (int x = r->x0; x < r->x1; x++) {
			const guint32 z = image->depth[(gsize)y * image->width + (gsize)x];
			const guint32 at = z <= self->low ? 0 : MIN(z - self->low, self->high - self->low);
			const double t = at / (double)MAX(self->high - self->low, 1);
			const guint32 c = z < self->low || z > self->high ? 0 : palette_colour(self->palette, t);
			const guint light = (c >> 16 & 255) * 3 + (c >> 8 & 255) * 6 + (c & 255);

			if (light > 1250)
				cairo_set_source_rgba(cr, 0, 0, 0, 0.92);
			else
				cairo_set_source_rgba(cr, 1, 1, 1, 0.92);
			for (guint half = 0; half < 2; half++) {
				g_snprintf(text, sizeof text, "%03x", half ? z & 0xfff : z >> 12);
				cairo_move_to(cr, qs_place_x(place, x) + (s - extents.x_advance) / 2,
					qs_place_y(place, y) + s * (0.25 + 0.5 * half) + extents.height / 2);
				cairo_show_text(cr, text);
			}
		}
}

static void paint(QsCanvas *canvas, cairo_t *cr, int width, int height)
{
	QsDepthView *self = QS_DEPTH_VIEW(canvas);
	const QsPlace *place = qs_canvas_get_place(canvas);
	QsView *view = view_of(self);
	const struct qs_image *image = depth_of(view);
	const struct qs_rect visible = qs_depth_view_get_visible(self);
	const guint8 *verdict = self->tests ? qs_depth_view_get_draw(self) : NULL;

	(void)width;
	(void)height;
	if (!image)
		return;
	qs_canvas_paint_surface(place, cr, picture(self, view, image));
	if (verdict)
		qs_canvas_paint_surface(place, cr, overlay(self, verdict));
	if (place->scale >= 8)
		qs_canvas_paint_grid(place, cr, visible.x0, visible.y0, visible.x1, visible.y1, 2);
	if (place->scale >= 16)
		paint_values(self, cr, image, &visible);
}

static void paint_over(QsCanvas *canvas, cairo_t *cr, int width, int height)
{
	QsDepthView *self = QS_DEPTH_VIEW(canvas);
	const QsPlace *place = qs_canvas_get_place(canvas);
	QsView *view = view_of(self);
	int x, y;

	(void)width;
	(void)height;
	if (!depth_of(view))
		return;
	if (view->has_quad)
		qs_canvas_paint_box(place, cr, view->quad.x, view->quad.y, 2, 2, 1, 0.85, 0.1);
	if (place->scale >= 6 && qs_session_get_hover(self->session, &x, &y))
		qs_canvas_paint_box(place, cr, x & ~1, y & ~1, 2, 2, 0.75, 0.75, 0.75);
	if (!qs_session_get_pick(self->session, &x, &y))
		return;
	qs_canvas_paint_box(place, cr, x, y, 1, 1, 1, 1, 1);
	if (place->scale < 12)
		qs_canvas_paint_cross(place, cr, x, y);
}

/* ---- input -------------------------------------------------------------------------------------------------------------- */

static QsArea area_of(QsCanvas *canvas)
{
	QsView *view = view_of(QS_DEPTH_VIEW(canvas));

	return (QsArea){0, 0, qs_view_width(view), qs_view_height(view)};
}

static QsArea close_up(QsCanvas *canvas)
{
	double x, y;
	int px, py;

	if (qs_session_get_pick(QS_DEPTH_VIEW(canvas)->session, &px, &py)) {
		x = px;
		y = py;
	} else {
		qs_canvas_get_middle(canvas, &x, &y);
	}
	return (QsArea){floor(x) - 4, floor(y) - 4, floor(x) + 5, floor(y) + 5};
}

static gboolean inside(QsCanvas *canvas, double x, double y)
{
	QsView *view = view_of(QS_DEPTH_VIEW(canvas));

	return x >= 0 && y >= 0 && x < qs_view_width(view) && y < qs_view_height(view);
}

static void pointed(QsCanvas *canvas, double x, double y, gboolean in)
{
	in = in && inside(canvas, x, y);
	qs_session_set_hover(QS_DEPTH_VIEW(canvas)->session, in ? (int)x : -1, in ? (int)y : -1);
}

static void dragged(QsCanvas *canvas, double x, double y)
{
	if (inside(canvas, x, y))
		qs_session_set_pick(QS_DEPTH_VIEW(canvas)->session, (int)x, (int)y);
}

static void clicked(QsCanvas *canvas, double x, double y, int presses)
{
	if (presses == 2 && inside(canvas, x, y))
		qs_session_seek_fragment(QS_DEPTH_VIEW(canvas)->session, (int)x, (int)y, TRUE);
}

static gboolean key(QsCanvas *canvas, guint key, GdkModifierType state)
{
	QsDepthView *self = QS_DEPTH_VIEW(canvas);
	gboolean moved;
	int x, y;

	if (!pick_key(self->session, key, state, &moved, &x, &y))
		return FALSE;
	if (moved)
		qs_canvas_reveal(canvas, (QsArea){x, y, x + 1, y + 1});
	return TRUE;
}

/* ---- linked with the frame ---------------------------------------------------------------------------------------------- */

static void follow_viewport(QsDepthView *self)
{
	const QsViewport *v = qs_session_get_viewport(self->session);

	if (!self->linked)
		return;
	self->following = TRUE;
	qs_canvas_follow(QS_CANVAS(self), v->scale, v->x, v->y, v->fit);
	self->following = FALSE;
}

static void tell_viewport(QsDepthView *self)
{
	const QsPlace *place = qs_canvas_get_place(QS_CANVAS(self));
	QsViewport v = {place->fit, place->scale, 0, 0};

	if (!self->linked || self->following || !self->session || !gtk_widget_get_mapped(GTK_WIDGET(self)))
		return;
	qs_canvas_get_middle(QS_CANVAS(self), &v.x, &v.y);
	qs_session_set_viewport(self->session, &v);
}

/* ---- public ------------------------------------------------------------------------------------------------------------- */

static void describe(QsDepthView *self)
{
	QsView *view = view_of(self);
	g_autofree char *text = NULL;
	guint8 rgba[4];
	guint32 z;
	int x, y;

	if (!view)
		text = g_strdup("no capture");
	else if (qs_session_get_pick(self->session, &x, &y) && qs_view_pixel(view, QS_BUFFER_DEPTH, x, y, rgba, &z))
		text = g_strdup_printf("depth at moment %s, pixel %d,%d is 0x%06x, range 0x%06x to 0x%06x", view->text, x, y, z, self->low,
			self->high);
	else
		text = g_strdup_printf("depth at moment %s, no pixel picked, range 0x%06x to 0x%06x", view->text, self->low, self->high);
	qs_canvas_describe(QS_CANVAS(self), text);
}

void qs_depth_view_set_session(QsDepthView *self, QsSession *session)
{
	g_set_object(&self->session, session);
}

void qs_depth_view_update(QsDepthView *self, guint changes)
{
	if (changes & QS_CHANGE_CAPTURE) {
		self->draw_command = self->asked_command = QS_NONE;
		qs_draw_answer_finish(&self->draw);
	}
	if (changes & QS_CHANGE_VIEWPORT)
		follow_viewport(self);
	if (changes & (QS_CHANGE_VIEW | QS_CHANGE_CAPTURE)) {
		ask_draw(self, TRUE);
		qs_canvas_redraw(QS_CANVAS(self));
	}
	if (changes & (QS_CHANGE_VIEW | QS_CHANGE_PICK | QS_CHANGE_CAPTURE))
		describe(self);
	if (changes & (QS_CHANGE_PICK | QS_CHANGE_HOVER))
		gtk_widget_queue_draw(GTK_WIDGET(self));
}

void qs_depth_view_set_range(QsDepthView *self, guint32 low, guint32 high)
{
	if (self->low == low && self->high == high)
		return;
	self->low = low;
	self->high = high;
	describe(self);
	qs_canvas_redraw(QS_CANVAS(self));
}

void qs_depth_view_set_palette(QsDepthView *self, QsDepthPalette palette)
{
	self->palette = palette;
	qs_canvas_redraw(QS_CANVAS(self));
}

void qs_depth_view_set_linked(QsDepthView *self, gboolean linked)
{
	self->linked = linked;
	if (linked && self->session)
		follow_viewport(self);
}

void qs_depth_view_set_tests(QsDepthView *self, gboolean shown)
{
	self->tests = shown;
	ask_draw(self, FALSE);
	qs_canvas_redraw(QS_CANVAS(self));
}

void qs_depth_view_want_draw(QsDepthView *self, gboolean wanted)
{
	self->want_draw = wanted;
	ask_draw(self, FALSE);
}

/* ---- widget ------------------------------------------------------------------------------------------------------------- */

static void qs_depth_view_dispose(GObject *object)
{
	QsDepthView *self = QS_DEPTH_VIEW(object);

	g_clear_object(&self->session);
	g_clear_pointer(&self->surface, cairo_surface_destroy);
	g_clear_pointer(&self->overlay, cairo_surface_destroy);
	qs_draw_answer_finish(&self->draw);
	G_OBJECT_CLASS(qs_depth_view_parent_class)->dispose(object);
}

static void qs_depth_view_init(QsDepthView *self)
{
	self->high = QS_DEPTH_MAX;
	self->draw_command = self->asked_command = QS_NONE;
	gtk_widget_set_size_request(GTK_WIDGET(self), 160, 120);
	g_signal_connect(self, "zoom-changed", G_CALLBACK(tell_viewport), NULL);
}

static void qs_depth_view_class_init(QsDepthViewClass *klass)
{
	QsCanvasClass *canvas_class = QS_CANVAS_CLASS(klass);

	G_OBJECT_CLASS(klass)->dispose = qs_depth_view_dispose;
	canvas_class->paint = paint;
	canvas_class->paint_over = paint_over;
	canvas_class->area = area_of;
	canvas_class->close_up = close_up;
	canvas_class->point = pointed;
	canvas_class->drag = dragged;
	canvas_class->click = clicked;
	canvas_class->key = key;
	draw_changed_signal = g_signal_new("draw-changed", QS_TYPE_DEPTH_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}
