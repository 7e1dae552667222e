/* qs-plot-view.h - a plot of a script
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <gtk/gtk.h>
#include "models/qs-figure.h"

G_BEGIN_DECLS

#define QS_TYPE_PLOT_VIEW (qs_plot_view_get_type())
G_DECLARE_FINAL_TYPE(QsPlotView, qs_plot_view, QS, PLOT_VIEW, GtkWidget)

void qs_plot_view_set_figure(QsPlotView *self, QsFigure *figure); /* NULL: nothing */
/* On white, with its title. */
gboolean qs_plot_view_export(QsFigure *figure, const char *path, int width, int height, GError **error);

G_END_DECLS
