/* trace_print.c - which parts of a trace a moment shows
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include <gfx3d.h>

#include "cli/trace.h"

/* ---- a draw: vertices, and what became of each primitive ---------------------------------------------------------------- */

struct primitive_count {
	uint32_t primitive, parts, quads;
	uint32_t verdict[QS_VERDICT_PENDING + 1];
	uint32_t vertex[3];
	uint8_t kind, setup_verdict;
	double area2;
};

static struct primitive_count *count_of(GArray *counts, uint32_t primitive)
{
	struct primitive_count *last = counts->len ? &g_array_index(counts, struct primitive_count, counts->len - 1) : NULL;
	struct primitive_count fresh = {.primitive = primitive};

	if (last && last->primitive == primitive)
		return last;
	g_array_append_val(counts, fresh);
	return &g_array_index(counts, struct primitive_count, counts->len - 1);
}

static bool on_primitive(void *user, const struct qs_moment *moment, const struct qs_setup *setup)
{
	struct primitive_count *count = count_of(user, moment->primitive);

	count->parts++;
	count->kind = setup->kind;
	count->setup_verdict = setup->verdict;
	count->area2 += setup->area2;
	memcpy(count->vertex, setup->primitive_vertex, sizeof count->vertex);
	return true;
}

static bool on_quad(void *user, const struct qs_moment *moment, const struct qs_setup *setup, const struct qs_quad *quad)
{
	struct primitive_count *count = count_of(user, moment->primitive);

	(void)setup;
	count->quads++;
	for (unsigned i = 0; i < 4; i++)
		if (quad->fragment[i].verdict <= QS_VERDICT_PENDING)
			count->verdict[quad->fragment[i].verdict]++;
	return true;
}

static void print_counts(FILE *out, const GArray *counts, bool all)
{
	enum { SHOWN = 32 };
	struct cli_table *table = cli_table_new("rlrrrrrrrl");

	cli_table_head(table, "primitive", "vertices", "parts", "quads", "written", "masked", "early z", "alpha", "late z", "setup");
	for (unsigned i = 0; i < counts->len && (all || i < SHOWN); i++) {
		const struct primitive_count *count = &g_array_index(counts, struct primitive_count, i);
		GString *vertices = g_string_new(NULL);

		for (unsigned v = 0; v < 3 && count->vertex[v] != QS_NONE; v++)
			g_string_append_printf(vertices, "%s%u", v ? " " : "", count->vertex[v]);
		cli_table_cell(table, "%u", count->primitive);
		cli_table_cell(table, "%s", vertices->str);
		cli_table_cell(table, "%u", count->parts);
		cli_table_cell(table, "%u", count->quads);
		for (unsigned v = QS_VERDICT_WRITTEN; v <= QS_VERDICT_LATE_Z; v++)
			cli_table_cell(table, "%u", count->verdict[v]);
		cli_table_cell(table, "%s", cli_setup_verdict(count->setup_verdict));
		g_string_free(vertices, TRUE);
	}
	cli_table_print(table, out, 2);
	if (!all && counts->len > SHOWN)
		fprintf(out, "  ... %u more primitives ('--all' shows them)\n", counts->len - SHOWN);
}

static void print_vertices(FILE *out, const struct qs_vertex *vertices, uint32_t count, bool all)
{
	enum { SHOWN = 32 };
	struct cli_table *table = cli_table_new("rrrrrrrrrrrrll");
	char text[32];

	cli_table_head(table, "vertex", "object x", "y", "z", "clip x", "y", "z", "w", "screen x", "y", "z", "outcode", "colour 0",
		"tex 0");
	for (uint32_t i = 0; i < count && (all || i < SHOWN); i++) {
		const struct qs_vertex *v = &vertices[i];

		cli_table_cell(table, "%u", i);
		for (unsigned c = 0; c < 3; c++)
			cli_table_cell(table, "%s", cli_real((double)v->object[c], text, sizeof text));
		for (unsigned c = 0; c < 4; c++)
			cli_table_cell(table, "%s", cli_real((double)v->clip[c], text, sizeof text));
		for (unsigned c = 0; c < 3; c++)
			cli_table_cell(table, "%.2f", (double)v->screen[c]);
		cli_table_cell(table, "%02x", v->outcode);
		cli_table_cell(table, "%s", cli_colour(v->colour[0], text));
		cli_table_cell(table, "%.4g %.4g %.4g", (double)v->tex[0][0], (double)v->tex[0][1], (double)v->tex[0][2]);
	}
	cli_table_print(table, out, 2);
	if (!all && count > SHOWN)
		fprintf(out, "  ... %u more vertices ('--all' shows them)\n", count - SHOWN);
}

/* The replay needs a moment before the draw: the command before it, or the start. */
static bool before_draw(const struct qs_capture *capture, const struct qs_moment *draw, struct qs_moment *before)
{
	memset(before, 0, sizeof *before);
	before->draw = QS_NONE;
	return draw->command == 0 || qs_moment_of_command(capture, draw->command - 1, before);
}

static bool print_draw(FILE *out, struct qs_timeline *timeline, bool all, struct qs_error *error)
{
	struct qs_moment draw = *qs_timeline_moment(timeline), before;
	GArray *counts = g_array_new(FALSE, FALSE, sizeof(struct primitive_count));
	struct qs_taps taps = {.mask = QS_TAP_PRIMITIVE | QS_TAP_QUAD, .user = counts, .primitive = on_primitive, .quad = on_quad};
	struct qs_vertex *vertices = NULL;
	uint32_t count = 0;
	bool good = qs_timeline_vertices(timeline, &vertices, &count, error) &&
		    before_draw(qs_timeline_capture(timeline), &draw, &before) &&
		    qs_timeline_replay(timeline, &before, &draw, &taps, error);

	if (good) {
		trace_heading(out, "VERTICES  %u", count);
		print_vertices(out, vertices, count, all);
		trace_heading(out, "PRIMITIVES  %u", counts->len);
		print_counts(out, counts, all);
	}
	free(vertices);
	g_array_free(counts, TRUE);
	return good;
}

/* ---- a primitive: its parts and quads ----------------------------------------------------------------------------------- */

static bool print_primitive(FILE *out, struct qs_timeline *timeline, bool all, struct qs_error *error)
{
	enum { MOST = 64, SHOWN = 16 };
	struct qs_setup *setup = g_new0(struct qs_setup, MOST);
	uint32_t parts = qs_timeline_setup(timeline, setup, MOST, error), count = 0;
	struct qs_quad_place *places = NULL;
	bool good = parts > 0 && qs_timeline_quads(timeline, &places, &count, error);

	if (good) {
		struct cli_table *table = cli_table_new("rrll");

		for (uint32_t i = 0; i < parts && i < MOST; i++)
			trace_setup(out, timeline, &setup[i]);
		trace_heading(out, "QUADS  %u", count);
		cli_table_head(table, "quad", "part", "pixel", "coverage");
		for (uint32_t i = 0; i < count && (all || i < SHOWN); i++) {
			cli_table_cell(table, "%u", i);
			cli_table_cell(table, "%u", places[i].part);
			cli_table_cell(table, "%d,%d", places[i].x, places[i].y);
			cli_table_cell(table, "%03x", places[i].coverage);
		}
		cli_table_print(table, out, 2);
		if (!all && count > SHOWN)
			fprintf(out, "  ... %u more quads ('--all' shows them)\n", count - SHOWN);
	}
	free(places);
	g_free(setup);
	return good;
}

/* ---- quad, fragment, stage ---------------------------------------------------------------------------------------------- */

void trace_fragments(FILE *out, const struct qs_quad *quad)
{
	struct cli_table *table = cli_table_new("rrlrll");
	char tev[10];

	trace_heading(out, "FRAGMENTS");
	cli_table_head(table, "fragment", "pixel", "samples", "z", "combiners", "result");
	for (unsigned i = 0; i < 4; i++) {
		const struct qs_fragment *f = &quad->fragment[i];
		char text[256];

		cli_table_cell(table, "%u", i);
		cli_table_cell(table, "%d,%d", quad->x + (int)(i & 1), quad->y + (int)(i >> 1));
		cli_table_cell(table, "%u%u%u", f->samples & 1, f->samples >> 1 & 1, f->samples >> 2 & 1);
		cli_table_cell(table, "%06x", f->z_interpolated);
		cli_table_cell(table, "%s", f->verdict == QS_VERDICT_NONE ? "" : cli_colour(f->tev, tev));
		cli_table_cell(table, "%s", cli_fragment_sentence(f, text, sizeof text));
	}
	cli_table_print(table, out, 2);
}

static bool print_inside(FILE *out, struct qs_timeline *timeline, struct qs_error *error)
{
	const struct qs_moment moment = *qs_timeline_moment(timeline);
	struct qs_setup *setup = g_new0(struct qs_setup, 1);
	struct qs_quad *quad = g_new0(struct qs_quad, 1);
	const struct qs_fragment *fragment = &quad->fragment[moment.fragment & 3];
	bool good = qs_timeline_quad(timeline, setup, quad, error);

	if (good && moment.level == QS_LEVEL_QUAD) {
		trace_setup(out, timeline, setup);
		trace_coverage(out, setup, quad, -1);
		trace_fragments(out, quad);
	} else if (good) {
		fprintf(out, "pixel    %d,%d: ", fragment->x, fragment->y);
		trace_verdict(out, fragment);
		fputc('\n', out);
		trace_setup(out, timeline, setup);
		trace_coverage(out, setup, quad, (int)moment.fragment);
		trace_attributes(out, setup, fragment);
		trace_indirect(out, timeline, fragment);
		trace_stages(out, timeline, fragment, 0, moment.level == QS_LEVEL_STAGE ? moment.stage : 15);
		trace_pixel_engine(out, timeline, fragment);
	}
	g_free(setup);
	g_free(quad);
	return good;
}

bool trace_print(FILE *out, struct qs_timeline *timeline, bool all, const int *texel, struct qs_error *error)
{
	const struct qs_capture *capture = qs_timeline_capture(timeline);
	const struct qs_moment *moment = qs_timeline_moment(timeline);
	const struct cli_style *style = cli_style();
	char text[1024], at[96], offset[48];

	if (!trace_possible(timeline, error))
		return false;
	fprintf(out, "moment   %s%s%s\n", out == stdout ? style->accent : "", qs_moment_format(capture, moment, at, sizeof at),
		out == stdout ? style->off : "");
	fprintf(out, "command  %s  %s\n", cli_command_offset(capture, moment->command, offset, sizeof offset),
		qs_command_text(capture, moment->command, text, sizeof text));
	if (trace_at_copy(timeline))
		return trace_copy(out, timeline, texel, error);
	if (moment->level >= QS_LEVEL_QUAD && qs_timeline_gfx3d(timeline))
		return trace_gfx3d(out, timeline, error);
	if (moment->level >= QS_LEVEL_QUAD)
		return print_inside(out, timeline, error);
	return moment->level == QS_LEVEL_PRIMITIVE ? print_primitive(out, timeline, all, error) : print_draw(out, timeline, all, error);
}

bool trace_possible(const struct qs_timeline *timeline, struct qs_error *error)
{
	const struct qs_moment *moment = qs_timeline_moment(timeline);
	char at[96];

	if (moment->level >= QS_LEVEL_DRAW || trace_at_copy(timeline))
		return true;
	qs_error_set(error, QS_ERR_RANGE, 0,
		"Moment %s is not in a draw and is no copy; a trace needs FRAME/DRAW or finer ('qscope list --draws' shows the draws).",
		qs_moment_format(qs_timeline_capture(timeline), moment, at, sizeof at));
	return false;
}
