/* frame-view-private.h - shared by qs-frame-view.c (geometry, input) and frame-paint.c
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "qs-frame-view.h"
#include "qs-request.h"

struct _QsFrameView {
	GtkWidget parent_instance;
	QsSession *session;
	GtkWidget *menu;
	enum qs_buffer buffer;
	QsChannel channel;
	guint overlays;
	gboolean values, before, fit;
	double scale;          /* screen pixels per picture pixel */
	double left, top;      /* picture coordinates of the widget's corner */
	double last_scale;     /* to go back to from the picked pixel */
	double pointer_x, pointer_y;
	gboolean pointer_inside;
	double drag_left, drag_top;

	struct qs_image before_image;
	guint64 before_serial;

	cairo_surface_t *surface; /* of the picture in the chosen channel */
	guint64 surface_serial;
	gboolean surface_before;
	enum qs_buffer surface_buffer;
	QsChannel surface_channel;

	QsDrawAnswer draw;
	guint32 draw_command; /* that draw belongs to; QS_NONE */
	enum qs_model draw_model;
	gboolean draw_pixels;
	guint32 asked_command; /* the answer is on its way */
	gboolean asked_pixels;
	enum qs_model asked_model;
	cairo_surface_t *highlight, *outline, *tests;
};

/* frame-paint.c */
void frame_paint(QsFrameView *self, GtkSnapshot *snapshot, int width, int height);
const struct qs_image *frame_image(QsFrameView *self);
/* frame-shapes.c */
void frame_paint_shapes(QsFrameView *self, cairo_t *cr, int width, int height);
gboolean frame_is_efb(QsFrameView *self);
void frame_forget_surfaces(QsFrameView *self);
