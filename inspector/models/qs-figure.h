/* qs-figure.h - a plot or a table that a script made; never changed afterwards
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <gio/gio.h>
#include "lua/engine.h"

G_BEGIN_DECLS

typedef enum { QS_FIGURE_LINE, QS_FIGURE_SCATTER, QS_FIGURE_HISTOGRAM, QS_FIGURE_HEAT, QS_FIGURE_TABLE } QsFigureKind;

#define QS_TYPE_FIGURE (qs_figure_get_type())
G_DECLARE_FINAL_TYPE(QsFigure, qs_figure, QS, FIGURE, GObject)

struct _QsFigure {
	GObject parent_instance;
	QsFigureKind kind;
	char *title; /* a table's may be "" */

	char *x_label, *y_label; /* or NULL */
	double *x, *y;           /* line, scatter: points; histogram: values in y; heat: y, row by row */
	gsize count;
	guint width, height; /* heat; histogram: width is the number of bins, 0: as many as suit */

	char **column; /* table: names */
	char **cell;   /* row by row */
	gsize columns, rows;
};

/* Any thread. */
QsFigure *qs_figure_new_plot(const struct qs_plot *plot);
QsFigure *qs_figure_new_table(const struct qs_table_data *table);
gsize qs_figure_get_size(const QsFigure *self); /* bytes, about */
const char *qs_figure_kind_name(QsFigureKind kind);
/* Smallest and largest finite value of an array; FALSE: there is none. */
gboolean qs_figure_range(const double *values, gsize count, double *low, double *high);
/* Counts of values in `bins` equal parts of low..high; the last part includes high.  Free with g_free. */
guint *qs_figure_bins(const QsFigure *self, guint bins, double low, double high);
/* Is every cell of the column a number (or nothing)? */
gboolean qs_figure_is_numeric(const QsFigure *self, gsize column);
/* "line, 57 values, 0 to 812": what a screen reader says. */
char *qs_figure_describe(const QsFigure *self);
/* A table with aligned columns, at most `limit` rows; the first line is the names. */
char *qs_figure_format_table(const QsFigure *self, gsize limit);

G_END_DECLS
