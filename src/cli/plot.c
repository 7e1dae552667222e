/* plot.c - charts with characters: dots for lines, bars for histograms, shades for heat
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <langinfo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/script.h"

#define COLUMNS 64 /* characters inside the axes */
#define ROWS 12
#define HEAT_ROWS 24
#define BARS 16

static bool unicode(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

struct range {
	double low, high;
};

static struct range range_of(const double *v, size_t count)
{
	struct range r = {INFINITY, -INFINITY};

	for (size_t i = 0; i < count; i++)
		if (isfinite(v[i])) {
			r.low = fmin(r.low, v[i]);
			r.high = fmax(r.high, v[i]);
		}
	return r;
}

/* Counts and addresses have all their digits. */
static char *number(double v, char *buffer, size_t size)
{
	if (floor(v) == v && fabs(v) < 1e15)
		g_snprintf(buffer, size, "%.0f", v);
	else
		cli_real(v, buffer, size);
	return buffer;
}

static void print_title(const struct qs_plot *plot, FILE *out)
{
	const struct cli_style *style = cli_style();

	fprintf(out, "%s%s%s\n", style->bold, plot->title, style->off);
}

/* ---- dots --------------------------------------------------------------------------------------------------------------- */

/* Braille characters have 2 x 4 dots; without Unicode one character is one dot. */
struct canvas {
	unsigned columns, rows, sub_x, sub_y;
	uint8_t cell[ROWS][COLUMNS];
};

static void canvas_begin(struct canvas *c)
{
	memset(c, 0, sizeof *c);
	c->columns = COLUMNS;
	c->rows = ROWS;
	c->sub_x = unicode() ? 2 : 1;
	c->sub_y = unicode() ? 4 : 1;
}

static void canvas_dot(struct canvas *c, long x, long y)
{
	static const uint8_t bit[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};

	if (x < 0 || y < 0 || x >= (long)(c->columns * c->sub_x) || y >= (long)(c->rows * c->sub_y))
		return;
	c->cell[(unsigned)y / c->sub_y][(unsigned)x / c->sub_x] |= bit[(unsigned)y % c->sub_y][(unsigned)x % c->sub_x];
}

static void canvas_line(struct canvas *c, double x0, double y0, double x1, double y1)
{
	long steps = (long)ceil(fmax(fabs(x1 - x0), fabs(y1 - y0)));

	for (long i = 0; i <= steps; i++) {
		double f = steps ? (double)i / (double)steps : 0;

		canvas_dot(c, lround(x0 + (x1 - x0) * f), lround(y0 + (y1 - y0) * f));
	}
}

static void print_cell(uint8_t dots, FILE *out)
{
	const char braille[4] = {(char)0xE2, (char)(0xA0 + (dots >> 6)), (char)(0x80 + (dots & 63)), 0};

	if (!unicode())
		fputc(dots ? '*' : ' ', out);
	else
		fputs(dots ? braille : " ", out);
}

static void print_canvas(const struct canvas *c, const struct qs_plot *plot, struct range x, struct range y, FILE *out)
{
	char low[32], high[32], left[32], right[32];
	const char *bar = unicode() ? "│" : "|", *corner = unicode() ? "└" : "+", *floor = unicode() ? "─" : "-";
	int width;

	number(y.low, low, sizeof low);
	number(y.high, high, sizeof high);
	width = (int)MAX(strlen(low), strlen(high));
	if (plot->y_label)
		fprintf(out, "%*s%s\n", width + 1, "", plot->y_label);
	for (unsigned row = 0; row < c->rows; row++) {
		fprintf(out, "%*s%s", width, row == 0 ? high : row == c->rows - 1 ? low : "", bar);
		for (unsigned column = 0; column < c->columns; column++)
			print_cell(c->cell[row][column], out);
		fputc('\n', out);
	}
	fprintf(out, "%*s%s", width, "", corner);
	for (unsigned i = 0; i < c->columns; i++)
		fputs(floor, out);
	number(x.low, left, sizeof left);
	number(x.high, right, sizeof right);
	fprintf(out, "\n%*s%s%*s\n", width + 1, "", left, (int)c->columns - (int)strlen(left), right);
	if (plot->x_label)
		fprintf(out, "%*s%*s\n", width + 1, "", (int)(c->columns + strlen(plot->x_label)) / 2, plot->x_label);
}

static double scaled(double v, struct range r, unsigned dots)
{
	return r.high > r.low ? (v - r.low) / (r.high - r.low) * (dots - 1) : 0;
}

static void print_dots(const struct qs_plot *plot, FILE *out)
{
	struct range x = range_of(plot->x, plot->count), y = range_of(plot->y, plot->count);
	unsigned width, height;
	struct canvas c;
	double last_x = NAN, last_y = NAN;

	if (!(x.low <= x.high) || !(y.low <= y.high)) {
		fputs("  (no values)\n", out);
		return;
	}
	if (y.low > 0 && y.low < y.high / 2)
		y.low = 0; /* heights are compared with each other */
	canvas_begin(&c);
	width = c.columns * c.sub_x;
	height = c.rows * c.sub_y;
	for (size_t i = 0; i < plot->count; i++) {
		double px = scaled(plot->x[i], x, width), py = height - 1 - scaled(plot->y[i], y, height);

		if (!isfinite(px) || !isfinite(py)) {
			last_x = NAN;
			continue;
		}
		if (plot->kind == QS_PLOT_LINE && isfinite(last_x))
			canvas_line(&c, last_x, last_y, px, py);
		canvas_dot(&c, lround(px), lround(py));
		last_x = px;
		last_y = py;
	}
	print_canvas(&c, plot, x, y, out);
}

/* ---- bars --------------------------------------------------------------------------------------------------------------- */

static void print_bar(double fraction, FILE *out)
{
	static const char *const eighth[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
	unsigned eighths = (unsigned)lround(fraction * 40 * 8);

	for (unsigned i = 0; i < eighths / 8; i++)
		fputs(unicode() ? "█" : "#", out);
	if (unicode())
		fputs(eighth[eighths % 8], out);
}

/* A line through few points says more as bars with their numbers. */
static bool is_short(const struct qs_plot *plot)
{
	if (plot->kind != QS_PLOT_LINE || !plot->count || plot->count > BARS * 2)
		return false;
	for (size_t i = 0; i < plot->count; i++)
		if (!(plot->y[i] >= 0) || !isfinite(plot->x[i]) || !isfinite(plot->y[i]))
			return false;
	return true;
}

static void print_bars(const struct qs_plot *plot, FILE *out)
{
	double most = range_of(plot->y, plot->count).high;
	char x[32], y[32];

	if (plot->x_label || plot->y_label)
		fprintf(out, "%12s   %s\n", plot->x_label ? plot->x_label : "", plot->y_label ? plot->y_label : "");
	for (size_t i = 0; i < plot->count; i++) {
		fprintf(out, "%12s %s ", number(plot->x[i], x, sizeof x), unicode() ? "│" : "|");
		print_bar(most > 0 ? plot->y[i] / most : 0, out);
		fprintf(out, " %s\n", number(plot->y[i], y, sizeof y));
	}
}

/* Few different whole values get a bar each, else the range is cut into equal parts. */
static unsigned choose_bins(const struct qs_plot *plot, struct range r, double *step)
{
	bool whole = true;

	for (size_t i = 0; i < plot->count; i++)
		whole = whole && (!isfinite(plot->y[i]) || floor(plot->y[i]) == plot->y[i]);
	*step = 1;
	if (!plot->width && whole && r.high - r.low < BARS)
		return (unsigned)(r.high - r.low) + 1;
	unsigned bins = plot->width ? MIN(plot->width, 100) : BARS;
	*step = r.high > r.low ? (r.high - r.low) / bins : 1;
	if (whole && !plot->width && *step > 1) {
		*step = ceil(*step);
		bins = (unsigned)((r.high - r.low) / *step) + 1;
	}
	return bins;
}

static void print_histogram(const struct qs_plot *plot, FILE *out)
{
	struct range r = range_of(plot->y, plot->count);
	size_t count[128] = {0}, most = 1;
	double step;
	unsigned bins;

	if (!(r.low <= r.high)) {
		fputs("  (no values)\n", out);
		return;
	}
	bins = choose_bins(plot, r, &step);
	for (size_t i = 0; i < plot->count; i++)
		if (isfinite(plot->y[i])) {
			unsigned bin = (unsigned)((plot->y[i] - r.low) / step);

			count[MIN(bin, bins - 1)]++;
		}
	for (unsigned i = 0; i < bins; i++)
		most = MAX(most, count[i]);
	for (unsigned i = 0; i < bins; i++) {
		char from[32];

		fprintf(out, "%12s %s ", number(r.low + i * step, from, sizeof from), unicode() ? "│" : "|");
		print_bar((double)count[i] / (double)most, out);
		fprintf(out, " %zu\n", count[i]);
	}
	if (plot->x_label)
		fprintf(out, "%12s\n", plot->x_label);
}

/* ---- heat --------------------------------------------------------------------------------------------------------------- */

/* Mean of the values that a character stands for. */
static double mean_of(const struct qs_plot *plot, unsigned x0, unsigned y0, unsigned x1, unsigned y1)
{
	double sum = 0;
	size_t n = 0;

	for (unsigned y = y0; y < y1; y++)
		for (unsigned x = x0; x < x1; x++) {
			double v = plot->y[(size_t)y * plot->width + x];

			if (isfinite(v)) {
				sum += v;
				n++;
			}
		}
	return n ? sum / (double)n : 0;
}

static void print_heat(const struct qs_plot *plot, FILE *out)
{
	static const char *const shades[] = {" ", "░", "▒", "▓", "█"}, *const plain[] = {" ", ".", "+", "#", "@"};
	const char *const *shade = unicode() ? shades : plain;
	unsigned columns = MIN(plot->width, COLUMNS), rows = MIN(plot->height, HEAT_ROWS);
	struct range r = range_of(plot->y, plot->count), means = {INFINITY, -INFINITY};
	double cell[HEAT_ROWS][COLUMNS];
	char low[32], high[32];

	if (!(r.low <= r.high)) {
		fputs("  (no values)\n", out);
		return;
	}
	for (unsigned y = 0; y < rows; y++)
		for (unsigned x = 0; x < columns; x++) {
			cell[y][x] = mean_of(plot, x * plot->width / columns, y * plot->height / rows, (x + 1) * plot->width / columns,
				(y + 1) * plot->height / rows);
			means.low = fmin(means.low, cell[y][x]);
			means.high = fmax(means.high, cell[y][x]);
		}
	for (unsigned y = 0; y < rows; y++) {
		fputs("  ", out);
		for (unsigned x = 0; x < columns; x++)
			fputs(shade[lround(scaled(cell[y][x], means, 5))], out);
		fputc('\n', out);
	}
	fprintf(out, "  %u x %u values from %s to %s\n", plot->width, plot->height, number(r.low, low, sizeof low),
		number(r.high, high, sizeof high));
}

void plot_print(const struct qs_plot *plot, FILE *out)
{
	print_title(plot, out);
	switch (plot->kind) {
	case QS_PLOT_HISTOGRAM: print_histogram(plot, out); break;
	case QS_PLOT_HEAT: print_heat(plot, out); break;
	default:
		if (is_short(plot))
			print_bars(plot, out);
		else
			print_dots(plot, out);
		break;
	}
}
