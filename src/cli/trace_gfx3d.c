/* trace_gfx3d.c - a quad or fragment of a Gfx3D draw: weights, varyings, every instruction with its operands, depth, packing
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <gfx3d.h>

#include "cli/trace.h"

static void cell_vector(struct cli_table *table, const float v[4])
{
	cli_table_cell(table, "%.9g %.9g %.9g %.9g", (double)v[0], (double)v[1], (double)v[2], (double)v[3]);
}

static void print_fragments(FILE *out, const struct qs_gfx3d_quad *quad)
{
	struct cli_table *table = cli_table_new("rllrrrl");

	trace_heading(out, "FRAGMENTS");
	cli_table_head(table, "fragment", "pixel", "samples", "z", "z before", "1/w", "result");
	for (unsigned i = 0; i < 4; i++) {
		const struct qs_gfx3d_fragment *f = &quad->fragment[i];

		cli_table_cell(table, "%u", i);
		cli_table_cell(table, "%d,%d", f->x, f->y);
		cli_table_cell(table, "%x", f->samples);
		cli_table_cell(table, "%.9g", (double)f->z);
		cli_table_cell(table, "%.9g", (double)f->z_old);
		cli_table_cell(table, "%.9g", (double)f->inv_w);
		cli_table_cell(table, "%s", qs_gfx3d_verdict_name(f->verdict));
	}
	cli_table_print(table, out, 2);
}

static void print_inputs(FILE *out, const struct qs_gfx3d_fragment *f)
{
	struct cli_table *table = cli_table_new("ll");

	trace_heading(out, "INTERPOLATION  pixel %d,%d", f->x, f->y);
	cli_table_cell(table, "weights");
	cli_table_cell(table, "%.9g %.9g %.9g", (double)f->weight[0], (double)f->weight[1], (double)f->weight[2]);
	cli_table_cell(table, "1/w");
	cli_table_cell(table, "%.9g", (double)f->inv_w);
	cli_table_cell(table, "z");
	cli_table_cell(table, "%.9g, stored %.9g", (double)f->z, (double)f->z_old);
	cli_table_cell(table, "fragment coordinate");
	cell_vector(table, f->fcoord);
	for (unsigned s = 0; s < 8; s++) {
		const float *v = f->varying[s];

		if (v[0] == 0 && v[1] == 0 && v[2] == 0 && v[3] == 0)
			continue;
		cli_table_cell(table, "varying %u", s);
		cell_vector(table, v);
	}
	cli_table_print(table, out, 2);
}

static void cell_if(struct cli_table *table, bool there, const float v[4])
{
	if (there)
		cell_vector(table, v);
	else
		cli_table_cell(table, "%s", "");
}

static void print_program(FILE *out, struct qs_timeline *timeline, const struct qs_gfx3d_quad *quad, unsigned fragment)
{
	uint32_t count = qs_timeline_gfx3d_instructions(timeline, 1);
	struct cli_table *table = cli_table_new("rrllll");

	trace_heading(out, "PROGRAM  %u instruction%s of the fragment shader", count, count == 1 ? "" : "s");
	cli_table_head(table, "stage", "line", "instruction", "a", "b", "result");
	for (uint32_t i = 0; i < quad->step_count; i++) {
		const struct qs_gfx3d_step *s = &quad->step[i];
		char text[160];
		uint32_t line;

		if (!(s->ran >> fragment & 1))
			continue;
		qs_timeline_gfx3d_instruction(timeline, 1, s->instruction, &line, text, sizeof text);
		cli_table_cell(table, "%u", s->instruction);
		cli_table_cell(table, "%u", line);
		cli_table_cell(table, "%s", text);
		cell_if(table, s->has_a, s->a[fragment]);
		cell_if(table, s->has_b, s->b[fragment]);
		cell_if(table, s->dst >= 0, s->value[fragment]);
	}
	cli_table_print(table, out, 2);
}

static void print_pixel(FILE *out, const struct qs_gfx3d_fragment *f)
{
	struct cli_table *table = cli_table_new("ll");

	trace_heading(out, "PIXEL  %s", qs_gfx3d_verdict_name(f->verdict));
	cli_table_cell(table, "depth");
	cli_table_cell(table, "%.9g -> %.9g", (double)f->z_old, (double)f->z_new);
	cli_table_cell(table, "colour");
	cell_vector(table, f->color);
	cli_table_cell(table, "packed");
	cli_table_cell(table, "0x%08x -> 0x%08x%s", f->old_pixel, f->new_pixel,
		f->out_of_range ? "  a channel is outside 0..1: how it is packed depends on the quirk pack" : "");
	cli_table_print(table, out, 2);
}

bool trace_gfx3d(FILE *out, struct qs_timeline *timeline, struct qs_error *error)
{
	const struct qs_moment *moment = qs_timeline_moment(timeline);
	struct qs_setup *setup = g_new0(struct qs_setup, 1);
	struct qs_quad *common = g_new0(struct qs_quad, 1);
	struct qs_gfx3d_quad *quad = g_new0(struct qs_gfx3d_quad, 1);
	bool good = qs_timeline_quad(timeline, setup, common, error) && qs_timeline_gfx3d_quad(timeline, quad, error);

	if (good) {
		const struct qs_gfx3d_fragment *f = &quad->fragment[moment->fragment & 3];

		trace_setup(out, timeline, setup);
		print_fragments(out, quad);
		if (moment->level > QS_LEVEL_QUAD) {
			print_inputs(out, f);
			print_program(out, timeline, quad, moment->fragment & 3);
			print_pixel(out, f);
		}
	}
	g_free(setup);
	g_free(common);
	g_free(quad);
	return good;
}

/* ---- JSON --------------------------------------------------------------------------------------------------------------- */

static void json_vector(struct cli_json *json, const char *name, const float *v, unsigned count)
{
	char text[160];

	text[0] = '\0';
	for (unsigned i = 0; i < count; i++) {
		char number[40];

		g_snprintf(number, sizeof number, "%s%.9g", i ? " " : "", (double)v[i]);
		g_strlcat(text, number, sizeof text);
	}
	json_string(json, name, text); /* JSON has no infinity */
}

void trace_gfx3d_json(struct cli_json *json, struct qs_timeline *timeline)
{
	struct qs_gfx3d_quad *quad = g_new0(struct qs_gfx3d_quad, 1);
	unsigned f = qs_timeline_moment(timeline)->fragment & 3;
	struct qs_error error;

	if (qs_timeline_gfx3d_quad(timeline, quad, &error)) {
		const struct qs_gfx3d_fragment *fragment = &quad->fragment[f];

		json_object(json, "gfx3d");
		json_string(json, "verdict", qs_gfx3d_verdict_name(fragment->verdict));
		json_vector(json, "weights", fragment->weight, 3);
		json_vector(json, "color", fragment->color, 4);
		json_vector(json, "z", &fragment->z, 1);
		json_array(json, "steps");
		for (uint32_t i = 0; i < quad->step_count; i++) {
			const struct qs_gfx3d_step *s = &quad->step[i];
			char text[160];

			if (!(s->ran >> f & 1))
				continue;
			json_row(json, NULL);
			json_uint(json, "stage", s->instruction);
			json_string(json, "text", qs_timeline_gfx3d_instruction(timeline, 1, s->instruction, NULL, text, sizeof text));
			if (s->has_a)
				json_vector(json, "a", s->a[f], 4);
			if (s->has_b)
				json_vector(json, "b", s->b[f], 4);
			if (s->dst >= 0)
				json_vector(json, "result", s->value[f], 4);
			json_object_end(json);
		}
		json_array_end(json);
		json_object_end(json);
	}
	g_free(quad);
}
