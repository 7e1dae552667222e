/* trace_copy.c - a copy and one of its texels as text and JSON
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/trace.h"

bool trace_at_copy(const struct qs_timeline *timeline)
{
	const struct qs_moment *moment = qs_timeline_moment(timeline);

	return moment->level == QS_LEVEL_COMMAND &&
	       qs_capture_command(qs_timeline_capture(timeline), moment->command)->kind == QS_COMMAND_COPY;
}

static const char *format_text(const struct qs_copy *copy)
{
	return copy->to_display ? "YUV 4:2:2" : qs_copy_format_name(copy->format);
}

static void row(struct cli_table *table, const char *name, const char *format, ...) G_GNUC_PRINTF(3, 4);

static void row(struct cli_table *table, const char *name, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	cli_table_row(table, name, text);
	g_free(text);
}

static void clear_row(struct cli_table *table, const struct qs_copy *copy)
{
	char colour[10];

	if (!copy->clear) {
		row(table, "clear", "no");
		return;
	}
	row(table, "clear", "colour %s, alpha %s, depth %s: %s, 0x%06x", copy->clear_colour ? "yes" : "no",
		copy->clear_alpha ? "yes" : "no", copy->clear_depth ? "yes" : "no", cli_colour(copy->clear_rgba, colour), copy->clear_z);
}

static void print_copy(FILE *out, const struct qs_timeline *timeline, const struct qs_copy *copy)
{
	static const char *const gammas[4] = {"1.0", "1.7", "2.2", "2.2"};
	static const char *const fields[4] = {"all", "all", "even", "odd"};
	struct cli_table *table = cli_table_new("ll");
	const uint8_t *w = copy->filter;

	trace_heading(out, "COPY  to %s, %s", copy->to_display ? "the display" : "a texture", format_text(copy));
	row(table, "source", "%d,%d - %d,%d  %s, %u sample%s a pixel, %s lines", copy->source.x0, copy->source.y0, copy->source.x1,
		copy->source.y1, trace_field_name(timeline, QS_UNIT_BP, "PE_CONTROL", "pixel_type"), copy->sample_count,
		copy->sample_count == 1 ? "" : "s", fields[copy->field & 3]);
	if (copy->filtered) {
		row(table, "filter", "above %u %u, here %u %u %u, below %u %u (of 64)%s%s", w[0], w[1], w[2], w[3], w[4], w[5], w[6],
			copy->clamp_top ? ", clamped at the top" : "", copy->clamp_bottom ? ", clamped at the bottom" : "");
		row(table, "gamma", "%s", gammas[copy->gamma & 3]);
	} else {
		row(table, "filter", "none in this model");
	}
	if (copy->to_display)
		row(table, "lines", "%.4f source lines each", copy->line_step / 256.0);
	else
		row(table, "texels", "%s%s", copy->half ? "half size" : "full size", copy->intensity ? ", converted to intensity" : "");
	row(table, "result", "%ux%u at 0x%08x, %u bytes a %s", copy->width, copy->height, copy->destination, copy->stride,
		copy->to_display ? "line" : "row of tiles");
	clear_row(table, copy);
	cli_table_print(table, out, 2);
}

static void print_taps(FILE *out, const struct qs_copy_texel *texel)
{
	struct cli_table *table = cli_table_new("rrrrrrrl");

	cli_table_head(table, "pixel", "tap", "at", "sample", "weight", "colour", "", "");
	for (unsigned i = 0; i < texel->pixel_count; i++) {
		const struct qs_copy_pixel *p = &texel->pixel[i];
		char colour[10], after[10];

		for (unsigned k = 0; k < p->tap_count; k++) {
			const struct qs_copy_tap *tap = &p->tap[k];

			cli_table_cell(table, "%u", i);
			cli_table_cell(table, "%u", k);
			cli_table_cell(table, "%d,%d", tap->x, tap->y);
			cli_table_cell(table, "%u", tap->sample);
			cli_table_cell(table, "%u", tap->weight);
			cli_table_cell(table, "%s", cli_colour(tap->rgba, colour));
			cli_table_cell(table, "(%u %u %u %u)", tap->rgba[0], tap->rgba[1], tap->rgba[2], tap->rgba[3]);
			cli_table_cell(table, "%s", tap->inside ? "" : "outside the EFB");
		}
		cli_table_cell(table, "%u", i);
		cli_table_cell(table, "=");
		for (unsigned k = 0; k < 3; k++)
			cli_table_cell(table, "%s", "");
		cli_table_cell(table, "%s", cli_colour(p->filtered, colour));
		cli_table_cell(table, "(%u %u %u %u)", p->filtered[0], p->filtered[1], p->filtered[2], p->filtered[3]);
		cli_table_cell(table, "after gamma %s", cli_colour(p->rgba, after));
	}
	cli_table_print(table, out, 2);
}

static void print_texel(FILE *out, const struct qs_copy *copy, const struct qs_copy_texel *texel, int x, int y)
{
	struct cli_table *table = cli_table_new("ll");
	char colour[10];

	trace_heading(out, "TEXEL  %d,%d", x, y);
	print_taps(out, texel);
	if (copy->half)
		row(table, "box of 2x2", "%s", cli_colour(texel->rgba, colour));
	else if (texel->pixel_count == 2)
		row(table, "between lines", "%u/256 of the second: %s", texel->line_part, cli_colour(texel->rgba, colour));
	if (copy->to_display)
		row(table, "converted", "Y %u U %u V %u", texel->converted[0], texel->converted[1], texel->converted[2]);
	else
		row(table, "converted", "%s (%u %u %u %u)", cli_colour(texel->converted, colour), texel->converted[0],
			texel->converted[1], texel->converted[2], texel->converted[3]);
	for (unsigned i = 0; i < texel->part_count; i++) {
		const uint8_t *b = &texel->bytes[i * texel->size];

		if (texel->size == 2)
			row(table, "stored", "%02x %02x at 0x%08x", b[0], b[1], texel->address[i]);
		else
			row(table, "stored", "%02x at 0x%08x", b[0], texel->address[i]);
	}
	cli_table_print(table, out, 2);
}

bool trace_copy(FILE *out, struct qs_timeline *timeline, const int *texel, struct qs_error *error)
{
	struct qs_copy copy;
	struct qs_copy_texel t;

	if (!qs_timeline_copy(timeline, &copy, error))
		return false;
	if (texel && !qs_timeline_copy_texel(timeline, (uint32_t)texel[0], (uint32_t)texel[1], &t, error))
		return false;
	print_copy(out, timeline, &copy);
	if (texel)
		print_texel(out, &copy, &t, texel[0], texel[1]);
	return true;
}

/* ---- JSON --------------------------------------------------------------------------------------------------------------- */

static void json_copy(struct cli_json *json, const struct qs_copy *copy)
{
	json_object(json, "copy");
	json_bool(json, "to_display", copy->to_display);
	json_string(json, "format", format_text(copy));
	json_row(json, "source");
	json_int(json, "x0", copy->source.x0);
	json_int(json, "y0", copy->source.y0);
	json_int(json, "x1", copy->source.x1);
	json_int(json, "y1", copy->source.y1);
	json_object_end(json);
	json_uint(json, "pixel_type", copy->pixel_type);
	json_uint(json, "samples", copy->sample_count);
	json_bool(json, "filtered", copy->filtered);
	json_list(json, "filter");
	for (unsigned i = 0; i < 7; i++)
		json_uint(json, NULL, copy->filter[i]);
	json_array_end(json);
	json_bool(json, "clamp_top", copy->clamp_top);
	json_bool(json, "clamp_bottom", copy->clamp_bottom);
	json_uint(json, "gamma", copy->gamma);
	json_uint(json, "field", copy->field);
	json_bool(json, "half", copy->half);
	json_bool(json, "intensity", copy->intensity);
	json_uint(json, "line_step", copy->line_step);
	json_uint(json, "destination", copy->destination);
	json_uint(json, "stride", copy->stride);
	json_uint(json, "width", copy->width);
	json_uint(json, "height", copy->height);
	json_bool(json, "clear", copy->clear);
	json_object_end(json);
}

static void json_texel(struct cli_json *json, const struct qs_copy_texel *texel)
{
	json_object(json, "texel");
	json_array(json, "pixels");
	for (unsigned i = 0; i < texel->pixel_count; i++) {
		const struct qs_copy_pixel *p = &texel->pixel[i];

		json_object(json, NULL);
		json_array(json, "taps");
		for (unsigned k = 0; k < p->tap_count; k++) {
			json_row(json, NULL);
			json_int(json, "x", p->tap[k].x);
			json_int(json, "y", p->tap[k].y);
			json_bool(json, "inside", p->tap[k].inside);
			json_uint(json, "sample", p->tap[k].sample);
			json_uint(json, "weight", p->tap[k].weight);
			json_colour(json, "rgba", p->tap[k].rgba);
			json_object_end(json);
		}
		json_array_end(json);
		json_colour(json, "filtered", p->filtered);
		json_colour(json, "rgba", p->rgba);
		json_object_end(json);
	}
	json_array_end(json);
	json_uint(json, "line_part", texel->line_part);
	json_colour(json, "rgba", texel->rgba);
	json_colour(json, "converted", texel->converted);
	json_array(json, "stored");
	for (unsigned i = 0; i < texel->part_count; i++) {
		json_row(json, NULL);
		json_uint(json, "address", texel->address[i]);
		json_list(json, "bytes");
		for (unsigned k = 0; k < texel->size; k++)
			json_uint(json, NULL, texel->bytes[i * texel->size + k]);
		json_array_end(json);
		json_object_end(json);
	}
	json_array_end(json);
	json_object_end(json);
}

bool trace_copy_json(struct cli_json *json, struct qs_timeline *timeline, const int *texel, struct qs_error *error)
{
	struct qs_copy copy;
	struct qs_copy_texel t;

	if (!qs_timeline_copy(timeline, &copy, error))
		return false;
	json_copy(json, &copy);
	if (!texel)
		return true;
	if (!qs_timeline_copy_texel(timeline, (uint32_t)texel[0], (uint32_t)texel[1], &t, error))
		return false;
	json_texel(json, &t);
	return true;
}
