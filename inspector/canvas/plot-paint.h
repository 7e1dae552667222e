/* plot-paint.h - draws plots with cairo: axes, ticks, data, and what lies under a point
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <cairo.h>
#include "models/qs-figure.h"

G_BEGIN_DECLS

typedef struct {
	const QsFigure *figure;
	double left, top, width, height; /* the data's box */
	double x0, x1, y0, y1;           /* values at its edges */
	guint *bins, bin_count;          /* histogram */
	double low, high;                /* of the values */
	gboolean empty;
} PlotPlace;

/* Where things are in a picture of the size; finish with plot_place_clear. */
void plot_place(PlotPlace *place, const QsFigure *figure, int width, int height, gboolean title);
void plot_place_clear(PlotPlace *place);
void plot_paint(const PlotPlace *place, cairo_t *cr, gboolean dark, gboolean title);
/* What is nearest to (x, y): a sentence, and the point itself; NULL: nothing.  Free with g_free. */
char *plot_at(const PlotPlace *place, double x, double y, double *point_x, double *point_y);
/* Ticks from low to high, a pretty step apart; returns the step, *first the first tick. */
double plot_ticks(double low, double high, double wanted, double *first);

G_END_DECLS
