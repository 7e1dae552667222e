/* trace.c - setup record, coverage and attributes of a moment as text
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "cli/trace.h"

void trace_heading(FILE *out, const char *format, ...)
{
	const struct cli_style *style = cli_style();
	va_list args;

	fprintf(out, "\n%s", out == stdout ? style->bold : "");
	va_start(args, format);
	vfprintf(out, format, args);
	va_end(args);
	fprintf(out, "%s\n", out == stdout ? style->off : "");
}

void trace_verdict(FILE *out, const struct qs_fragment *fragment)
{
	const struct cli_style *style = cli_style();
	bool colour = out == stdout;
	const char *tint = fragment->verdict == QS_VERDICT_WRITTEN ? style->good :
			   fragment->verdict == QS_VERDICT_PENDING || fragment->verdict == QS_VERDICT_NONE ? style->dim : style->bad;
	char text[256];

	fprintf(out, "%s%s%s", colour ? tint : "", cli_fragment_sentence(fragment, text, sizeof text), colour ? style->off : "");
}

static void real_cell(struct cli_table *table, double value)
{
	char text[32];

	cli_table_cell(table, "%s", cli_real(value, text, sizeof text));
}

/* ---- setup -------------------------------------------------------------------------------------------------------------- */

static void print_vertices(FILE *out, const struct qs_setup *setup)
{
	unsigned count = setup->verdict == QS_SETUP_DRAWN || setup->verdict == QS_SETUP_CULLED ||
			setup->verdict == QS_SETUP_SCISSORED || setup->verdict == QS_SETUP_DEGENERATE ? 3 : setup->kind + 1u;
	struct cli_table *table = cli_table_new("rrrrrrrrrrrll");

	cli_table_head(table, "vertex", "of draw", "x", "y", "z", "1/w", "clip x", "clip y", "clip z", "clip w", "outcode",
		"colour 0", "colour 1");
	for (unsigned i = 0; i < count; i++) {
		const struct qs_vertex *v = &setup->vertex[i];
		char colour[10];

		cli_table_cell(table, "%u", i);
		if (v->index == QS_NONE)
			cli_table_cell(table, "made");
		else
			cli_table_cell(table, "%u", v->index);
		cli_table_cell(table, "%.4f", (double)v->screen[0]);
		cli_table_cell(table, "%.4f", (double)v->screen[1]);
		cli_table_cell(table, "%.1f", (double)v->screen[2]);
		real_cell(table, (double)v->inv_w);
		for (unsigned c = 0; c < 4; c++)
			real_cell(table, (double)v->clip[c]);
		cli_table_cell(table, "%02x", v->outcode);
		cli_table_cell(table, "%s", setup->ncol > 0 ? cli_colour(v->colour[0], colour) : "");
		cli_table_cell(table, "%s", setup->ncol > 1 ? cli_colour(v->colour[1], colour) : "");
	}
	cli_table_print(table, out, 2);
	if (!setup->ntex)
		return;
	table = cli_table_new("rrrrr");
	cli_table_head(table, "vertex", "coord", "s", "t", "q");
	for (unsigned i = 0; i < count; i++) {
		for (unsigned k = 0; k < setup->ntex && k < 8; k++) {
			cli_table_cell(table, "%u", i);
			cli_table_cell(table, "%u", k);
			for (unsigned c = 0; c < 3; c++)
				real_cell(table, (double)setup->vertex[i].tex[k][c]);
		}
	}
	cli_table_print(table, out, 2);
}

static void print_edges(FILE *out, const struct qs_setup *setup)
{
	struct cli_table *table = cli_table_new("rlrrrl");

	cli_table_head(table, "edge", "vertices", "dx", "dy", "c", "inside where c + dx*x + dy*y is");
	for (unsigned i = 0; i < 3; i++) {
		const struct qs_edge *edge = &setup->edge[i];

		cli_table_cell(table, "%u", i);
		cli_table_cell(table, "%u -> %u", edge->from, edge->to);
		real_cell(table, edge->dx);
		real_cell(table, edge->dy);
		real_cell(table, edge->c);
		cli_table_cell(table, "%s", edge->top_left ? "> 0 or = 0 (top or left edge)" : "> 0");
	}
	cli_table_print(table, out, 2);
}

static void plane_row(struct cli_table *table, const char *name, const struct qs_plane *plane)
{
	cli_table_cell(table, "%s", name);
	real_cell(table, (double)plane->f0);
	real_cell(table, (double)plane->dfdx);
	real_cell(table, (double)plane->dfdy);
}

static void print_planes(FILE *out, const struct qs_timeline *timeline, const struct qs_setup *setup)
{
	const char *over_w = qs_timeline_quirk(timeline, "colour_perspective") ? "/w" : "";
	struct cli_table *table = cli_table_new("lrrr");
	char name[48];

	g_snprintf(name, sizeof name, "at %.4f,%.4f", (double)setup->x_ref, (double)setup->y_ref);
	cli_table_head(table, "plane", name, "d/dx", "d/dy");
	plane_row(table, setup->z_frozen ? "z (frozen)" : "z", &setup->z);
	plane_row(table, "1/w", &setup->inv_w);
	for (unsigned k = 0; k < setup->ncol && k < 2; k++) {
		for (unsigned c = 0; c < 4; c++) {
			g_snprintf(name, sizeof name, "colour %u %c%s", k, "rgba"[c], over_w);
			plane_row(table, name, &setup->colour[k][c]);
		}
	}
	for (unsigned k = 0; k < setup->ntex && k < 8; k++) {
		for (unsigned c = 0; c < 3; c++) {
			g_snprintf(name, sizeof name, "tex %u %c/w", k, "stq"[c]);
			plane_row(table, name, &setup->tex[k][c]);
		}
	}
	cli_table_print(table, out, 2);
}

void trace_setup(FILE *out, const struct qs_timeline *timeline, const struct qs_setup *setup)
{
	trace_heading(out, "SETUP  %s, part %u of %u: %s", cli_primitive_name(setup->kind), setup->part + 1,
		MAX(setup->part_count, 1), cli_setup_verdict(setup->verdict));
	print_vertices(out, setup);
	if (setup->verdict == QS_SETUP_REJECTED || setup->verdict == QS_SETUP_CLIPPED)
		return;
	fprintf(out, "  twice the area %.7g (%s)   box %d,%d - %d,%d   scissor %d,%d - %d,%d\n", setup->area2,
		setup->area2 > 0 ? "clockwise" : setup->area2 < 0 ? "counter-clockwise" : "none", setup->box.x0, setup->box.y0,
		setup->box.x1, setup->box.y1, setup->scissor.x0, setup->scissor.y0, setup->scissor.x1, setup->scissor.y1);
	if (setup->verdict != QS_SETUP_DRAWN)
		return;
	print_edges(out, setup);
	print_planes(out, timeline, setup);
}

/* ---- coverage ----------------------------------------------------------------------------------------------------------- */

static unsigned samples_of(const struct qs_quad *quad, unsigned pixel)
{
	return quad->coverage >> (3 * pixel) & 7u;
}

/* Four boxes, three sample points each; the traced pixel's box is marked. */
static void draw_quad(FILE *out, const struct qs_setup *setup, const struct qs_quad *quad, int fragment)
{
	fprintf(out, "  %*s    x = %-4d     x = %d\n", 8, "", quad->x, quad->x + 1);
	fprintf(out, "  %*s  +---------+---------+\n", 8, "");
	for (unsigned row = 0; row < 2; row++) {
		fprintf(out, "  y = %-4d  |", quad->y + (int)row);
		for (unsigned column = 0; column < 2; column++) {
			unsigned pixel = 2 * row + column, covered = samples_of(quad, pixel);
			bool here = fragment == (int)pixel;

			fprintf(out, "%s", here ? ">" : " ");
			for (unsigned s = 0; s < 3; s++)
				fprintf(out, " %s", covered >> s & 1 ? "#" : ".");
			fprintf(out, " %s|", here ? " <" : "  ");
		}
		fprintf(out, "  samples of fragments %u and %u\n", 2 * row, 2 * row + 1);
		fprintf(out, "  %*s  +---------+---------+\n", 8, "");
	}
	if (setup->sample_count == 1)
		fprintf(out, "  one sample a pixel, at +%.4f in x and y\n", (double)setup->sample_offset);
}

static void print_edge_values(FILE *out, const struct qs_setup *setup, const struct qs_quad *quad, int fragment)
{
	struct cli_table *table = cli_table_new("rrrrrrrrl");
	unsigned samples = setup->sample_count == 3 ? 3 : 1;

	cli_table_head(table, "fragment", "pixel", "sample", "x", "y", "edge 0", "edge 1", "edge 2", "");
	for (unsigned pixel = 0; pixel < 4; pixel++) {
		for (unsigned s = 0; s < samples; s++) {
			double dx = samples == 3 ? setup->sample_x[pixel][s] / 12.0 : (double)setup->sample_offset;
			double dy = samples == 3 ? setup->sample_y[pixel][s] / 12.0 : (double)setup->sample_offset;
			int x = quad->x + (int)(pixel & 1), y = quad->y + (int)(pixel >> 1);

			cli_table_cell(table, "%s%u", fragment == (int)pixel ? ">" : "", pixel);
			cli_table_cell(table, "%d,%d", x, y);
			cli_table_cell(table, "%u", s);
			cli_table_cell(table, "%.4f", x + dx);
			cli_table_cell(table, "%.4f", y + dy);
			for (unsigned e = 0; e < 3; e++)
				real_cell(table, quad->edge[pixel][s][e]);
			cli_table_cell(table, "%s", samples_of(quad, pixel) >> s & 1 ? "inside" : "outside");
		}
	}
	cli_table_print(table, out, 2);
}

void trace_coverage(FILE *out, const struct qs_setup *setup, const struct qs_quad *quad, int fragment)
{
	trace_heading(out, "COVERAGE  quad at %d,%d, mask %03x", quad->x, quad->y, quad->coverage);
	draw_quad(out, setup, quad, fragment);
	print_edge_values(out, setup, quad, fragment);
}

/* ---- attributes --------------------------------------------------------------------------------------------------------- */

void trace_attributes(FILE *out, const struct qs_setup *setup, const struct qs_fragment *fragment)
{
	struct cli_table *table = cli_table_new("lrrl");
	char text[32];

	trace_heading(out, "ATTRIBUTES  pixel %d,%d", fragment->x, fragment->y);
	cli_table_head(table, "", "hex", "decimal", "");
	cli_table_cell(table, "z");
	cli_table_cell(table, "%06x", fragment->z_interpolated);
	cli_table_cell(table, "%u", fragment->z_interpolated);
	cli_table_cell(table, "%.6f of the range", fragment->z_interpolated / 16777215.0);
	cli_table_row(table, "1/w", "", cli_real((double)fragment->inv_w, text, sizeof text), "");
	for (unsigned k = 0; k < setup->ncol && k < 2; k++) {
		const uint8_t *c = fragment->ras[k];

		cli_table_cell(table, "colour %u", k);
		cli_table_cell(table, "%02x%02x%02x%02x", c[0], c[1], c[2], c[3]);
		cli_table_cell(table, "%s", "");
		cli_table_cell(table, "(%u %u %u %u)", c[0], c[1], c[2], c[3]);
	}
	for (unsigned k = 0; k < setup->ntex && k < 8; k++) {
		for (unsigned c = 0; c < 2; c++) {
			int32_t value = fragment->coord[k][c];

			cli_table_cell(table, "tex %u %c", k, "st"[c]);
			cli_table_cell(table, "%06x", (uint32_t)value & 0xFFFFFFu);
			cli_table_cell(table, "%d", value);
			cli_table_cell(table, "%.4f texels", value / 128.0);
		}
	}
	cli_table_print(table, out, 2);
}
