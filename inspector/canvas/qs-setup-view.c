/* qs-setup-view.c - input and selection of the setup picture; setup-paint.c draws it
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "setup-view-private.h"
#include <math.h>
#include "pick-keys.h"

#define BEYOND 400 /* how far outside the EFB vertices are looked for */

G_DEFINE_FINAL_TYPE(QsSetupView, qs_setup_view, QS_TYPE_CANVAS)

#define VIEW(self) ((self)->session ? qs_session_get_primitive((self)->session) : NULL)

const struct qs_setup *setup_view_record(QsSetupView *self)
{
	QsView *view = VIEW(self);

	return view && view->setup_count ? &view->setup[MIN(self->part, view->setup_count - 1)] : NULL;
}

const guint32 *setup_view_grid(QsSetupView *self)
{
	QsView *view = VIEW(self);

	if (self->grid_serial != view->serial || self->grid_part != self->part) {
		qs_setup_index_quads(view, self->part, self->grid);
		self->grid_serial = view->serial;
		self->grid_part = self->part;
	}
	return self->grid;
}

/* ---- areas -------------------------------------------------------------------------------------------------------------- */

static void include(QsArea *area, double x0, double y0, double x1, double y1)
{
	area->x0 = MIN(area->x0, x0);
	area->y0 = MIN(area->y0, y0);
	area->x1 = MAX(area->x1, x1);
	area->y1 = MAX(area->y1, y1);
}

static QsArea area_of(QsCanvas *canvas)
{
	QsView *view = VIEW(QS_SETUP_VIEW(canvas));
	QsArea area = {1e9, 1e9, -1e9, -1e9};

	for (guint i = 0; view && i < view->setup_count; i++) {
		const struct qs_setup *setup = &view->setup[i];

		for (guint v = 0; v < 3; v++)
			if (qs_setup_on_screen(setup, v)) {
				const double x = CLAMP((double)setup->vertex[v].screen[0], -BEYOND, qs_view_width(view) + BEYOND);
				const double y = CLAMP((double)setup->vertex[v].screen[1], -BEYOND, qs_view_height(view) + BEYOND);

				include(&area, x, y, x, y);
			}
		if (qs_setup_has_edges(setup))
			include(&area, setup->box.x0, setup->box.y0, setup->box.x1, setup->box.y1);
	}
	if (area.x0 > area.x1)
		return (QsArea){0, 0, qs_view_width(view), qs_view_height(view)};
	return (QsArea){area.x0 - 1, area.y0 - 1, area.x1 + 1, area.y1 + 1};
}

static QsArea bounds_of(QsCanvas *canvas)
{
	QsArea area = area_of(canvas);

	include(&area, 0, 0, qs_view_width(VIEW(QS_SETUP_VIEW(canvas))), qs_view_height(VIEW(QS_SETUP_VIEW(canvas))));
	return area;
}

static QsArea close_up(QsCanvas *canvas)
{
	QsQuadInfo info;
	gboolean hovered;
	double x, y;

	if (qs_setup_view_get_quad(QS_SETUP_VIEW(canvas), &info, &hovered))
		return (QsArea){info.x - 1, info.y - 1, info.x + 3, info.y + 3};
	qs_canvas_get_middle(canvas, &x, &y);
	x = floor(x / 2) * 2;
	y = floor(y / 2) * 2;
	return (QsArea){x - 1, y - 1, x + 3, y + 3};
}

/* ---- the quad that is pointed at ---------------------------------------------------------------------------------------- */

gboolean qs_setup_view_get_quad(QsSetupView *self, QsQuadInfo *info, gboolean *hovered)
{
	QsView *view = VIEW(self);
	int x, y;

	if (!view || !view->setup_count)
		return FALSE;
	*hovered = qs_session_get_hover(self->session, &x, &y);
	if (*hovered && qs_setup_quad_info(view, self->part, setup_view_grid(self), x, y, info))
		return TRUE;
	*hovered = FALSE;
	return view->has_quad && qs_setup_quad_info(view, self->part, setup_view_grid(self), view->quad.x, view->quad.y, info);
}

void qs_setup_view_show_quad(QsSetupView *self)
{
	qs_canvas_show_area(QS_CANVAS(self), close_up(QS_CANVAS(self)));
}

static void describe(QsSetupView *self)
{
	QsView *view = VIEW(self);
	const struct qs_setup *setup = setup_view_record(self);
	g_autoptr(GString) text = g_string_new(NULL);
	QsQuadInfo info;
	gboolean hovered;

	if (!setup) {
		qs_canvas_describe(QS_CANVAS(self), "no primitive");
		return;
	}
	g_string_printf(text, "moment %s, part %u of %u, %u quads", view->text, self->part + 1, view->setup_count, view->quad_count);
	if (qs_setup_view_get_quad(self, &info, &hovered)) {
		g_string_append_printf(text, ", %s quad ", hovered ? "hovered" : "current");
		if (info.number == QS_NONE)
			g_string_append_printf(text, "at %d,%d not covered", info.x, info.y);
		else
			g_string_append_printf(text, "%u at %d,%d mask %03x", info.number, info.x, info.y, info.coverage);
		for (guint p = 0; info.has_edges && p < 4; p++)
			for (guint k = 0; k < info.samples; k++)
				g_string_append_printf(text, "; pixel %d,%d sample %u: %+.4f %+.4f %+.4f", info.x + (int)(p & 1),
					info.y + (int)(p >> 1), k, info.edge[p][k][0], info.edge[p][k][1], info.edge[p][k][2]);
	}
	qs_canvas_describe(QS_CANVAS(self), text->str);
}

/* ---- input -------------------------------------------------------------------------------------------------------------- */

static gboolean in_picture(QsSetupView *self, double x, double y)
{
	return x >= 0 && y >= 0 && x < qs_view_width(VIEW(self)) && y < qs_view_height(VIEW(self));
}

static void pointed(QsCanvas *canvas, double x, double y, gboolean inside)
{
	QsSetupView *self = QS_SETUP_VIEW(canvas);
	const gboolean efb = inside && in_picture(self, x, y);

	qs_session_set_hover(self->session, efb ? (int)x : -1, efb ? (int)y : -1);
}

static void seek_quad(QsSetupView *self, int x, int y)
{
	QsView *view = VIEW(self);
	struct qs_moment moment;
	QsQuadInfo info;

	if (!view || !qs_setup_quad_info(view, self->part, setup_view_grid(self), x, y, &info))
		return;
	if (info.number == QS_NONE) {
		qs_session_message(self->session, QS_MESSAGE_HINT, "The primitive does not cover the quad at %d,%d.", info.x, info.y);
		return;
	}
	qs_setup_quad_moment(view, info.number, &moment);
	qs_session_seek(self->session, &moment);
}

static void clicked(QsCanvas *canvas, double x, double y, int presses)
{
	if (presses == 1 && in_picture(QS_SETUP_VIEW(canvas), x, y))
		seek_quad(QS_SETUP_VIEW(canvas), (int)x, (int)y);
}

static gboolean key(QsCanvas *canvas, guint key, GdkModifierType state)
{
	QsSetupView *self = QS_SETUP_VIEW(canvas);
	const int step = state & GDK_SHIFT_MASK ? 16 : 2;
	int dx, dy;
	QsQuadInfo info;
	gboolean hovered;
	double x, y;

	if (!pick_key_arrow(key, step, &dx, &dy) && key != GDK_KEY_Return && key != GDK_KEY_KP_Enter)
		return FALSE;
	if (!qs_setup_view_get_quad(self, &info, &hovered)) {
		qs_canvas_get_middle(canvas, &x, &y);
		info.x = (int)x & ~1;
		info.y = (int)y & ~1;
	}
	if (dx == 0 && dy == 0) {
		seek_quad(self, info.x, info.y);
		return TRUE;
	}
	info.x = CLAMP(info.x + dx, 0, (int)qs_view_width(VIEW(self)) - 2);
	info.y = CLAMP(info.y + dy, 0, (int)qs_view_height(VIEW(self)) - 2);
	qs_session_set_hover(self->session, info.x, info.y);
	qs_canvas_reveal(canvas, (QsArea){info.x, info.y, info.x + 2, info.y + 2});
	return TRUE;
}

/* ---- public ------------------------------------------------------------------------------------------------------------- */

void qs_setup_view_set_session(QsSetupView *self, QsSession *session)
{
	g_set_object(&self->session, session);
}

/* Another primitive: fit again, unless the person chose a place and it still shows something of it. */
static void follow(QsSetupView *self, QsView *view)
{
	const guint32 primitive = view->moment.level == QS_LEVEL_DRAW ? view->primitive_count - 1 : view->moment.primitive;
	const gboolean other = self->command != view->moment.command || self->primitive != primitive;

	self->command = view->moment.command;
	self->primitive = primitive;
	if (other)
		self->part = 0;
	if (view->has_quad) {
		if (!other || view->setup_count > 1)
			self->part = view->quad.part;
		if (!qs_canvas_get_place(QS_CANVAS(self))->fit)
			qs_canvas_reveal(QS_CANVAS(self), (QsArea){view->quad.x, view->quad.y, view->quad.x + 2, view->quad.y + 2});
	} else if (other && !qs_canvas_get_place(QS_CANVAS(self))->fit && view->setup_count) {
		qs_canvas_zoom_fit(QS_CANVAS(self));
	}
	if (qs_canvas_get_place(QS_CANVAS(self))->fit)
		qs_canvas_refit(QS_CANVAS(self));
}

void qs_setup_view_update(QsSetupView *self, guint changes)
{
	QsView *view = VIEW(self);

	if (changes & (QS_CHANGE_CAPTURE | QS_CHANGE_VIEW | QS_CHANGE_TRACE) && view)
		follow(self, view);
	if (changes & (QS_CHANGE_VIEW | QS_CHANGE_CAPTURE | QS_CHANGE_TRACE))
		qs_canvas_redraw(QS_CANVAS(self));
	if (changes & (QS_CHANGE_VIEW | QS_CHANGE_HOVER | QS_CHANGE_CAPTURE | QS_CHANGE_PICK | QS_CHANGE_TRACE)) {
		describe(self);
		gtk_widget_queue_draw(GTK_WIDGET(self));
	}
}

void qs_setup_view_set_part(QsSetupView *self, guint part)
{
	self->part = part;
	describe(self);
	qs_canvas_redraw(QS_CANVAS(self));
}

guint qs_setup_view_get_part(QsSetupView *self)
{
	return self->part;
}

void qs_setup_view_set_layers(QsSetupView *self, guint layers)
{
	self->layers = layers;
	qs_canvas_redraw(QS_CANVAS(self));
}

/* ---- widget ------------------------------------------------------------------------------------------------------------- */

static void qs_setup_view_dispose(GObject *object)
{
	QsSetupView *self = QS_SETUP_VIEW(object);

	g_clear_object(&self->session);
	g_clear_pointer(&self->quads, cairo_surface_destroy);
	g_clear_pointer(&self->picture, cairo_surface_destroy);
	g_clear_pointer(&self->grid, g_free);
	G_OBJECT_CLASS(qs_setup_view_parent_class)->dispose(object);
}

static void qs_setup_view_init(QsSetupView *self)
{
	self->grid = g_new(guint32, QS_QUADS_WIDE * QS_QUADS_HIGH);
	self->command = self->primitive = QS_NONE;
	gtk_widget_set_size_request(GTK_WIDGET(self), 160, 120);
}

static void qs_setup_view_class_init(QsSetupViewClass *klass)
{
	QsCanvasClass *canvas_class = QS_CANVAS_CLASS(klass);

	G_OBJECT_CLASS(klass)->dispose = qs_setup_view_dispose;
	canvas_class->max_scale = 160;
	canvas_class->paint = setup_view_paint;
	canvas_class->paint_over = setup_view_paint_over;
	canvas_class->area = area_of;
	canvas_class->bounds = bounds_of;
	canvas_class->close_up = close_up;
	canvas_class->point = pointed;
	canvas_class->click = clicked;
	canvas_class->key = key;
}
