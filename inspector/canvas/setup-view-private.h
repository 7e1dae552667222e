/* setup-view-private.h - shared by qs-setup-view.c (input, what is shown) and setup-paint.c
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "qs-setup-view.h"

struct _QsSetupView {
	QsCanvas parent_instance;
	QsSession *session;
	guint part, layers;
	guint32 *grid;       /* qs_setup_index_quads */
	guint64 grid_serial;
	guint grid_part;
	cairo_surface_t *quads, *picture; /* of the EFB's size */
	guint64 quads_serial, picture_serial;
	guint32 command, primitive; /* last shown, to fit again when it changes */
};

const struct qs_setup *setup_view_record(QsSetupView *self); /* NULL: none */
const guint32 *setup_view_grid(QsSetupView *self);
/* setup-paint.c */
void setup_view_paint(QsCanvas *canvas, cairo_t *cr, int width, int height);
void setup_view_paint_over(QsCanvas *canvas, cairo_t *cr, int width, int height);
