/* qs-figure.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-figure.h"
#include <math.h>
#include <string.h>

#define MAX_CELL 60 /* characters of a cell in a table of text */

G_DEFINE_FINAL_TYPE(QsFigure, qs_figure, G_TYPE_OBJECT)

static double *copy_numbers(const double *values, gsize count)
{
	return values && count ? g_memdup2(values, count * sizeof *values) : NULL;
}

QsFigure *qs_figure_new_plot(const struct qs_plot *plot)
{
	static const QsFigureKind kind[] = {QS_FIGURE_LINE, QS_FIGURE_SCATTER, QS_FIGURE_HISTOGRAM, QS_FIGURE_HEAT};
	QsFigure *self = g_object_new(QS_TYPE_FIGURE, NULL);
	const gsize cells = (gsize)plot->width * plot->height;

	self->kind = kind[plot->kind];
	self->title = g_utf8_make_valid(plot->title, -1);
	self->x_label = plot->x_label ? g_utf8_make_valid(plot->x_label, -1) : NULL;
	self->y_label = plot->y_label ? g_utf8_make_valid(plot->y_label, -1) : NULL;
	self->count = plot->kind == QS_PLOT_HEAT && cells < plot->count ? cells : plot->count;
	self->x = copy_numbers(plot->x, self->count);
	self->y = copy_numbers(plot->y, self->count);
	self->width = plot->width;
	self->height = plot->height;
	return self;
}

QsFigure *qs_figure_new_table(const struct qs_table_data *table)
{
	QsFigure *self = g_object_new(QS_TYPE_FIGURE, NULL);

	self->kind = QS_FIGURE_TABLE;
	self->title = g_utf8_make_valid(table->title ? table->title : "", -1);
	self->columns = table->columns;
	self->rows = table->rows;
	self->column = g_new0(char *, table->columns + 1);
	self->cell = g_new0(char *, table->columns * table->rows + 1);
	for (gsize c = 0; c < table->columns; c++)
		self->column[c] = g_utf8_make_valid(table->column[c], -1);
	for (gsize i = 0; i < table->columns * table->rows; i++)
		self->cell[i] = g_utf8_make_valid(table->cell[i], -1);
	return self;
}

static void qs_figure_finalize(GObject *object)
{
	QsFigure *self = QS_FIGURE(object);

	g_free(self->title);
	g_free(self->x_label);
	g_free(self->y_label);
	g_free(self->x);
	g_free(self->y);
	g_strfreev(self->column);
	g_strfreev(self->cell);
	G_OBJECT_CLASS(qs_figure_parent_class)->finalize(object);
}

static void qs_figure_init(QsFigure *self)
{
	(void)self;
}

static void qs_figure_class_init(QsFigureClass *klass)
{
	G_OBJECT_CLASS(klass)->finalize = qs_figure_finalize;
}

gsize qs_figure_get_size(const QsFigure *self)
{
	return 256 + self->count * 16 + self->columns * (self->rows + 1) * 24;
}

const char *qs_figure_kind_name(QsFigureKind kind)
{
	static const char *const names[] = {"line", "scatter", "histogram", "heat map", "table"};

	return names[kind];
}

/* ---- numbers ------------------------------------------------------------------------------------------------------------ */

gboolean qs_figure_range(const double *values, gsize count, double *low, double *high)
{
	gboolean any = FALSE;

	for (gsize i = 0; values && i < count; i++) {
		if (!isfinite(values[i]))
			continue;
		*low = any ? MIN(*low, values[i]) : values[i];
		*high = any ? MAX(*high, values[i]) : values[i];
		any = TRUE;
	}
	return any;
}

guint *qs_figure_bins(const QsFigure *self, guint bins, double low, double high)
{
	guint *count = g_new0(guint, bins);

	for (gsize i = 0; self->y && i < self->count; i++) {
		const double part = high > low ? (self->y[i] - low) / (high - low) * bins : 0;

		if (isfinite(part) && part >= 0)
			count[MIN((guint)MIN(part, 1e6), bins - 1)]++;
	}
	return count;
}

char *qs_figure_describe(const QsFigure *self)
{
	double low = 0, high = 0;

	if (self->kind == QS_FIGURE_TABLE)
		return g_strdup_printf("table, %zu rows, %zu columns", self->rows, self->columns);
	if (!qs_figure_range(self->y, self->count, &low, &high))
		return g_strdup_printf("%s, no values", qs_figure_kind_name(self->kind));
	if (self->kind == QS_FIGURE_HEAT)
		return g_strdup_printf("heat map, %u by %u, values %.6g to %.6g", self->width, self->height, low, high);
	return g_strdup_printf("%s, %zu value%s, minimum %.6g, maximum %.6g", qs_figure_kind_name(self->kind), self->count,
		self->count == 1 ? "" : "s", low, high);
}

/* ---- tables ------------------------------------------------------------------------------------------------------------- */

gboolean qs_figure_is_numeric(const QsFigure *self, gsize column)
{
	for (gsize r = 0; r < self->rows; r++) {
		const char *text = self->cell[r * self->columns + column];
		char *end;

		g_ascii_strtod(text, &end);
		if (*text && (end == text || *end))
			return FALSE;
	}
	return self->rows > 0;
}

static void append_cell(GString *out, const char *text, glong width, gboolean right)
{
	const glong length = MIN(g_utf8_strlen(text, -1), MAX_CELL), fill = width - length;
	const char *end = g_utf8_offset_to_pointer(text, length);

	for (glong i = 0; right && i < fill; i++)
		g_string_append_c(out, ' ');
	for (const char *p = text; p < end; p = g_utf8_next_char(p)) /* a cell is one line */
		g_string_append_unichar(out, g_utf8_get_char(p) < ' ' ? ' ' : g_utf8_get_char(p));
	for (glong i = 0; !right && i < fill; i++)
		g_string_append_c(out, ' ');
}

char *qs_figure_format_table(const QsFigure *self, gsize limit)
{
	const gsize rows = MIN(self->rows, limit);
	g_autofree glong *width = g_new0(glong, self->columns + 1);
	g_autofree gboolean *right = g_new0(gboolean, self->columns + 1);
	GString *out = g_string_new(NULL);

	for (gsize c = 0; c < self->columns; c++) {
		right[c] = qs_figure_is_numeric(self, c);
		width[c] = g_utf8_strlen(self->column[c], -1);
		for (gsize r = 0; r < rows; r++)
			width[c] = MAX(width[c], g_utf8_strlen(self->cell[r * self->columns + c], -1));
		width[c] = MIN(width[c], MAX_CELL);
	}
	for (gsize r = 0; r <= rows && self->columns; r++) {
		for (gsize c = 0; c < self->columns; c++) {
			const gboolean last = c + 1 == self->columns;

			append_cell(out, r ? self->cell[(r - 1) * self->columns + c] : self->column[c], last && !right[c] ? 0 : width[c],
				right[c]);
			if (!last)
				g_string_append(out, "  ");
		}
		g_string_append_c(out, '\n');
	}
	if (rows < self->rows)
		g_string_append_printf(out, "... and %zu more rows\n", self->rows - rows);
	return g_string_free(out, FALSE);
}
