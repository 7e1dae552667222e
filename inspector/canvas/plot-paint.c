/* plot-paint.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "plot-paint.h"
#include <math.h>
#include <string.h>

#define MARGIN_LEFT 64
#define MARGIN_RIGHT 16
#define MARGIN_TOP 10
#define MARGIN_BOTTOM 38
#define TITLE 22
#define LEGEND 70 /* of a heat map */
#define FONT 11
#define MAX_BINS 64

/* ---- scales ------------------------------------------------------------------------------------------------------------- */

double plot_ticks(double low, double high, double wanted, double *first)
{
	const double rough = (high - low) / MAX(wanted, 1), power = pow(10, floor(log10(rough)));
	const double part = rough / power;
	const double step = power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);

	*first = ceil(low / step - 1e-9) * step;
	return step;
}

static gboolean whole_numbers(const QsFigure *f)
{
	for (gsize i = 0; i < f->count; i++)
		if (isfinite(f->y[i]) && f->y[i] != floor(f->y[i]))
			return FALSE;
	return TRUE;
}

static void place_histogram(PlotPlace *p)
{
	const QsFigure *f = p->figure;
	const double range = p->high - p->low;
	guint most = 1;

	p->bin_count = f->width ? MIN(f->width, 4096) : CLAMP((guint)sqrt((double)f->count), 8, MAX_BINS);
	p->x0 = p->low;
	p->x1 = p->high;
	if (range == 0) {
		p->bin_count = 1;
		p->x0 -= 0.5;
		p->x1 += 0.5;
	} else if (!f->width && range < MAX_BINS && whole_numbers(f)) { /* a bar for each number */
		p->bin_count = (guint)range + 1;
		p->x0 -= 0.5;
		p->x1 += 0.5;
	}
	p->bins = qs_figure_bins(f, p->bin_count, p->x0, p->x1);
	for (guint i = 0; i < p->bin_count; i++)
		most = MAX(most, p->bins[i]);
	p->y0 = 0;
	p->y1 = most * 1.05;
}

static void widen(double *low, double *high, double part)
{
	const double pad = *high > *low ? (*high - *low) * part : MAX(fabs(*low) * 0.1, 0.5);

	*low -= pad;
	*high += pad;
}

static void place_points(PlotPlace *p)
{
	const QsFigure *f = p->figure;

	if (!qs_figure_range(f->x, f->count, &p->x0, &p->x1)) {
		p->x0 = 0;
		p->x1 = (double)f->count - 1;
	}
	if (p->x0 == p->x1 || f->kind == QS_FIGURE_SCATTER)
		widen(&p->x0, &p->x1, 0.03);
	p->y0 = p->low;
	p->y1 = p->high;
	if (p->y0 > 0 && p->y0 < p->y1 * 0.6) /* amounts are compared from zero */
		p->y0 = 0;
	if (p->y0 == 0)
		p->y1 *= 1.05;
	else
		widen(&p->y0, &p->y1, 0.05);
	if (p->y0 == p->y1)
		p->y1 = p->y0 + 1;
}

static void place_heat(PlotPlace *p)
{
	const QsFigure *f = p->figure;
	double scale;

	p->empty |= !f->width || !f->height;
	if (p->empty)
		return;
	p->width -= LEGEND;
	scale = MIN(p->width / f->width, p->height / f->height);
	if (scale > 1)
		scale = floor(scale); /* cells of equal size */
	p->left += floor((p->width - scale * f->width) / 2);
	p->width = scale * f->width;
	p->height = scale * f->height;
	p->x0 = 0;
	p->x1 = f->width;
	p->y0 = f->height; /* row 0 is on top */
	p->y1 = 0;
}

void plot_place(PlotPlace *p, const QsFigure *figure, int width, int height, gboolean title)
{
	memset(p, 0, sizeof *p);
	p->figure = figure;
	p->left = MARGIN_LEFT;
	p->top = MARGIN_TOP + (title ? TITLE : 0);
	p->width = MAX(width - p->left - MARGIN_RIGHT, 10);
	p->height = MAX(height - p->top - MARGIN_BOTTOM, 10);
	p->empty = figure->kind == QS_FIGURE_TABLE || !qs_figure_range(figure->y, figure->count, &p->low, &p->high);
	if (p->empty)
		return;
	if (figure->kind == QS_FIGURE_HISTOGRAM)
		place_histogram(p);
	else if (figure->kind == QS_FIGURE_HEAT)
		place_heat(p);
	else
		place_points(p);
}

void plot_place_clear(PlotPlace *p)
{
	g_clear_pointer(&p->bins, g_free);
}

static double px(const PlotPlace *p, double x)
{
	return p->left + (x - p->x0) / (p->x1 - p->x0) * p->width;
}

static double py(const PlotPlace *p, double y)
{
	return p->top + p->height - (y - p->y0) / (p->y1 - p->y0) * p->height;
}

static double x_of(const QsFigure *f, gsize i)
{
	return f->x ? f->x[i] : (double)i;
}

/* ---- axes --------------------------------------------------------------------------------------------------------------- */

static void ink(cairo_t *cr, gboolean dark, double alpha)
{
	const double v = dark ? 1 : 0;

	cairo_set_source_rgba(cr, v, v, v, alpha);
}

static void accent(cairo_t *cr, gboolean dark, double alpha)
{
	if (dark)
		cairo_set_source_rgba(cr, 0.47, 0.68, 0.93, alpha);
	else
		cairo_set_source_rgba(cr, 0.10, 0.37, 0.71, alpha);
}

/* align: 0 left, 0.5 centred, 1 right of x */
static void put_text(cairo_t *cr, const char *text, double x, double y, double align)
{
	cairo_text_extents_t size;

	cairo_text_extents(cr, text, &size);
	cairo_move_to(cr, floor(x - align * size.x_advance), floor(y));
	cairo_show_text(cr, text);
}

static char *number(double value, double step)
{
	if (fabs(value) < step * 1e-6)
		value = 0;
	return fabs(value) >= 1e7 || (step < 1e-4 && value != 0) ? g_strdup_printf("%.4g", value) : g_strdup_printf("%.10g", value);
}

static void paint_axes(const PlotPlace *p, cairo_t *cr, gboolean dark)
{
	const gboolean heat = p->figure->kind == QS_FIGURE_HEAT;
	const double xl = MIN(p->x0, p->x1), xh = MAX(p->x0, p->x1), yl = MIN(p->y0, p->y1), yh = MAX(p->y0, p->y1);
	double first, step;

	cairo_set_line_width(cr, 1);
	step = plot_ticks(xl, xh, p->width / 80, &first);
	for (double v = first; step > 0 && v <= xh + step * 1e-6; v += step) {
		const double x = floor(px(p, v)) + 0.5;
		g_autofree char *text = number(v, step);

		ink(cr, dark, heat ? 0.4 : 0.12);
		cairo_move_to(cr, x, heat ? p->top + p->height : p->top);
		cairo_line_to(cr, x, p->top + p->height + 4);
		cairo_stroke(cr);
		ink(cr, dark, 0.75);
		put_text(cr, text, x, p->top + p->height + 15, 0.5);
	}
	step = plot_ticks(yl, yh, p->height / 40, &first);
	for (double v = first; step > 0 && v <= yh + step * 1e-6; v += step) {
		const double y = floor(py(p, v)) + 0.5;
		g_autofree char *text = number(v, step);

		ink(cr, dark, heat ? 0.4 : 0.12);
		cairo_move_to(cr, p->left - 4, y);
		cairo_line_to(cr, heat ? p->left : p->left + p->width, y);
		cairo_stroke(cr);
		ink(cr, dark, 0.75);
		put_text(cr, text, p->left - 7, y + 4, 1);
	}
	ink(cr, dark, 0.5);
	cairo_rectangle(cr, floor(p->left) + 0.5, floor(p->top) + 0.5, floor(p->width), floor(p->height));
	cairo_stroke(cr);
}

static void paint_labels(const PlotPlace *p, cairo_t *cr, gboolean dark, gboolean title)
{
	const QsFigure *f = p->figure;
	const char *y_label = f->y_label ? f->y_label : f->kind == QS_FIGURE_HISTOGRAM ? "count" : NULL;
	cairo_text_extents_t size;

	ink(cr, dark, 0.85);
	if (f->x_label)
		put_text(cr, f->x_label, p->left + p->width / 2, p->top + p->height + 31, 0.5);
	if (y_label) {
		cairo_text_extents(cr, y_label, &size);
		cairo_save(cr);
		cairo_translate(cr, 13, p->top + p->height / 2 + size.x_advance / 2);
		cairo_rotate(cr, -G_PI / 2);
		cairo_move_to(cr, 0, 0);
		cairo_show_text(cr, y_label);
		cairo_restore(cr);
	}
	if (title) {
		cairo_set_font_size(cr, FONT + 3);
		put_text(cr, f->title, p->left, p->top - 10, 0);
		cairo_set_font_size(cr, FONT);
	}
}

/* ---- data --------------------------------------------------------------------------------------------------------------- */

/* More points than pixels: what a column of pixels holds is a stroke from its lowest to its highest value. */
static void paint_dense_line(const PlotPlace *p, cairo_t *cr)
{
	const QsFigure *f = p->figure;
	const gsize columns = (gsize)p->width + 1;
	g_autofree double *low = g_new(double, columns), *high = g_new(double, columns);

	for (gsize c = 0; c < columns; c++) {
		low[c] = INFINITY;
		high[c] = -INFINITY;
	}
	for (gsize i = 0; i < f->count; i++) {
		const double at = px(p, x_of(f, i)) - p->left;

		if (!isfinite(f->y[i]) || !(at >= 0 && at < (double)columns))
			continue;
		low[(gsize)at] = MIN(low[(gsize)at], f->y[i]);
		high[(gsize)at] = MAX(high[(gsize)at], f->y[i]);
	}
	for (gsize c = 0; c < columns; c++) {
		if (low[c] > high[c])
			continue;
		cairo_line_to(cr, p->left + (double)c, py(p, low[c]));
		cairo_line_to(cr, p->left + (double)c, py(p, high[c]));
	}
	cairo_stroke(cr);
}

static void paint_line(const PlotPlace *p, cairo_t *cr, gboolean dark)
{
	const QsFigure *f = p->figure;

	accent(cr, dark, 1);
	cairo_set_line_width(cr, 1.5);
	cairo_set_line_join(cr, CAIRO_LINE_JOIN_BEVEL);
	cairo_new_path(cr); /* a text leaves its end behind */
	if ((double)f->count > p->width * 4) {
		paint_dense_line(p, cr);
		return;
	}
	for (gsize i = 0; i < f->count; i++) {
		if (isfinite(f->y[i]) && isfinite(x_of(f, i)))
			cairo_line_to(cr, px(p, x_of(f, i)), py(p, f->y[i]));
		else
			cairo_new_sub_path(cr); /* a gap */
	}
	cairo_stroke(cr);
	for (gsize i = 0; (double)f->count < p->width / 6 && i < f->count; i++) {
		if (!isfinite(f->y[i]) || !isfinite(x_of(f, i)))
			continue;
		cairo_arc(cr, px(p, x_of(f, i)), py(p, f->y[i]), 2.5, 0, 2 * G_PI);
		cairo_fill(cr);
	}
}

/* Each pixel is marked once, however many points fall on it. */
static void paint_scatter(const PlotPlace *p, cairo_t *cr, gboolean dark)
{
	const QsFigure *f = p->figure;
	const gsize w = (gsize)p->width + 1, h = (gsize)p->height + 1;
	g_autofree guint8 *seen = g_malloc0(w * h);
	guint path = 0;

	accent(cr, dark, 0.8);
	for (gsize i = 0; i < f->count; i++) {
		const double x = px(p, x_of(f, i)) - p->left, y = py(p, f->y[i]) - p->top;

		if (!(x >= 0 && x < (double)w && y >= 0 && y < (double)h) || seen[(gsize)y * w + (gsize)x])
			continue;
		seen[(gsize)y * w + (gsize)x] = 1;
		cairo_rectangle(cr, p->left + x - 2, p->top + y - 2, 4, 4);
		if (++path % 512 == 0) /* long paths are slow */
			cairo_fill(cr);
	}
	cairo_fill(cr);
}

static void paint_bars(const PlotPlace *p, cairo_t *cr, gboolean dark)
{
	const double width = p->width / p->bin_count, gap = width > 6 ? 1 : 0;

	accent(cr, dark, 0.85);
	for (guint i = 0; i < p->bin_count; i++) {
		const double y = py(p, p->bins[i]);

		cairo_rectangle(cr, p->left + i * width + gap, y, MAX(width - gap, 0.5), p->top + p->height - y);
	}
	cairo_fill(cr);
}

/* Dark blue, green, yellow: lighter is more, also without colours. */
static guint32 heat_colour(double t)
{
	static const double stop[5][3] = {{0.27, 0.00, 0.33}, {0.23, 0.32, 0.55}, {0.13, 0.57, 0.55}, {0.37, 0.79, 0.38}, {0.99, 0.91, 0.14}};
	const double at = CLAMP(t, 0, 1) * 4;
	const guint i = MIN((guint)at, 3);
	guint32 colour = 0xff;

	for (guint c = 0; c < 3; c++)
		colour = colour << 8 | (guint32)((stop[i][c] + (stop[i + 1][c] - stop[i][c]) * (at - i)) * 255 + 0.5);
	return colour;
}

static double heat_part(const PlotPlace *p, double value)
{
	return p->high > p->low ? (value - p->low) / (p->high - p->low) : 0;
}

static void paint_legend(const PlotPlace *p, cairo_t *cr, gboolean dark)
{
	const double x = p->left + p->width + 12, h = MIN(p->height, 160);
	g_autofree char *high = number(p->high, 0), *low = number(p->low, 0);

	for (int i = 0; i < (int)h; i++) {
		const guint32 c = heat_colour(1 - i / h);

		cairo_set_source_rgb(cr, (c >> 16 & 255) / 255.0, (c >> 8 & 255) / 255.0, (c & 255) / 255.0);
		cairo_rectangle(cr, x, p->top + i, 12, 1);
		cairo_fill(cr);
	}
	ink(cr, dark, 0.75);
	put_text(cr, high, x + 16, p->top + 9, 0);
	put_text(cr, low, x + 16, p->top + h, 0);
}

static void paint_heat(const PlotPlace *p, cairo_t *cr, gboolean dark)
{
	const QsFigure *f = p->figure;
	cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)f->width, (int)f->height);
	guint8 *data = cairo_image_surface_get_data(surface);

	for (gsize y = 0; data && y < f->height; y++) {
		guint32 *row = (guint32 *)(void *)(data + y * (gsize)cairo_image_surface_get_stride(surface));

		for (gsize x = 0; x < f->width; x++) {
			const gsize i = y * f->width + x;

			row[x] = i < f->count && isfinite(f->y[i]) ? heat_colour(heat_part(p, f->y[i])) : 0xff808080u;
		}
	}
	cairo_surface_mark_dirty(surface);
	cairo_save(cr);
	cairo_translate(cr, p->left, p->top);
	cairo_scale(cr, p->width / f->width, p->height / f->height);
	cairo_set_source_surface(cr, surface, 0, 0);
	cairo_pattern_set_filter(cairo_get_source(cr), p->width >= f->width ? CAIRO_FILTER_NEAREST : CAIRO_FILTER_GOOD);
	cairo_rectangle(cr, 0, 0, f->width, f->height);
	cairo_fill(cr);
	cairo_restore(cr);
	cairo_surface_destroy(surface);
	paint_legend(p, cr, dark);
}

void plot_paint(const PlotPlace *p, cairo_t *cr, gboolean dark, gboolean title)
{
	cairo_select_font_face(cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
	cairo_set_font_size(cr, FONT);
	if (p->empty) {
		ink(cr, dark, 0.6);
		put_text(cr, "There is no number to draw.", p->left + p->width / 2, p->top + p->height / 2, 0.5);
		return;
	}
	paint_axes(p, cr, dark);
	paint_labels(p, cr, dark, title);
	switch (p->figure->kind) {
	case QS_FIGURE_LINE: paint_line(p, cr, dark); break;
	case QS_FIGURE_SCATTER: paint_scatter(p, cr, dark); break;
	case QS_FIGURE_HISTOGRAM: paint_bars(p, cr, dark); break;
	case QS_FIGURE_HEAT: paint_heat(p, cr, dark); break;
	case QS_FIGURE_TABLE: break;
	}
}

/* ---- under the pointer -------------------------------------------------------------------------------------------------- */

static char *point_at(const PlotPlace *p, double x, double y, double *point_x, double *point_y)
{
	const QsFigure *f = p->figure;
	double best = INFINITY;
	gsize found = 0;

	for (gsize i = 0; i < f->count; i++) {
		const double dx = px(p, x_of(f, i)) - x, dy = py(p, f->y[i]) - y;
		/* along a line the column counts most */
		const double distance = f->kind == QS_FIGURE_LINE ? fabs(dx) + fabs(dy) * 1e-3 : dx * dx + dy * dy;

		if (distance < best) {
			best = distance;
			found = i;
		}
	}
	if (!isfinite(best))
		return NULL;
	*point_x = px(p, x_of(f, found));
	*point_y = py(p, f->y[found]);
	return g_strdup_printf("%s %.10g, %s %.10g", f->x_label ? f->x_label : "x", x_of(f, found), f->y_label ? f->y_label : "y",
		f->y[found]);
}

char *plot_at(const PlotPlace *p, double x, double y, double *point_x, double *point_y)
{
	const QsFigure *f = p->figure;

	if (p->empty || x < p->left || x >= p->left + p->width || y < p->top || y >= p->top + p->height)
		return NULL;
	if (f->kind == QS_FIGURE_HISTOGRAM) {
		const guint bin = MIN((guint)((x - p->left) / p->width * p->bin_count), p->bin_count - 1);
		const double step = (p->x1 - p->x0) / p->bin_count, from = p->x0 + bin * step;

		*point_x = p->left + (bin + 0.5) / p->bin_count * p->width;
		*point_y = py(p, p->bins[bin]);
		if (step == 1 && from + 0.5 == floor(from + 0.5))
			return g_strdup_printf("%.10g: %u time%s", from + 0.5, p->bins[bin], p->bins[bin] == 1 ? "" : "s");
		return g_strdup_printf("%.6g to %.6g: %u time%s", from, from + step, p->bins[bin], p->bins[bin] == 1 ? "" : "s");
	}
	if (f->kind == QS_FIGURE_HEAT) {
		const gsize cx = (gsize)((x - p->left) / p->width * f->width), cy = (gsize)((y - p->top) / p->height * f->height);
		const gsize i = cy * f->width + cx;

		*point_x = x;
		*point_y = y;
		return cx < f->width && i < f->count ? g_strdup_printf("%zu, %zu: %.10g", cx, cy, f->y[i]) : NULL;
	}
	return point_at(p, x, y, point_x, point_y);
}
