/* trace_pe.c - tests, fog and blending of a fragment as text
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "cli/trace.h"

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

static void alpha_part(unsigned func, unsigned alpha, unsigned reference, char *buffer, size_t size)
{
	if (func == 0 || func == 7)
		g_snprintf(buffer, size, "%s", cli_compare_sign(func));
	else
		g_snprintf(buffer, size, "%u %s %u is %s", alpha, cli_compare_sign(func), reference,
			cli_compare(func, alpha, reference) ? "true" : "false");
}

static void alpha_row(struct cli_table *table, const struct qs_fragment *f)
{
	static const char *const logic[4] = {"and", "or", "xor", "xnor"};
	char first[48], second[48];

	if (!f->alpha_tested) {
		row(table, "alpha test", "off: always passes");
		return;
	}
	alpha_part(f->alpha_func0, f->tev[3], f->alpha_ref0, first, sizeof first);
	alpha_part(f->alpha_func1, f->tev[3], f->alpha_ref1, second, sizeof second);
	row(table, "alpha test", "(%s) %s (%s): %s", first, logic[f->alpha_logic & 3], second, f->alpha_passed ? "passed" : "failed");
}

static void depth_rows(struct cli_table *table, const struct qs_timeline *timeline, const struct qs_fragment *f)
{
	uint32_t incoming = f->early_z ? f->z_interpolated : f->z;

	if (f->z_texture)
		row(table, "Z texture", "%s %s: %s0x%06x + 0x%06x = 0x%06x%s", trace_field_name(timeline, QS_UNIT_BP, "TEV_ZENV1", "op"),
			trace_field_name(timeline, QS_UNIT_BP, "TEV_ZENV1", "type"), f->z_texture == 1 ? "interpolated + " : "", f->z_texture_value,
			f->z_texture_bias, f->z, f->early_z ? ", after the test: without effect" : "");
	if (!f->z_tested) {
		row(table, "depth test", trace_field(timeline, QS_UNIT_BP, "PE_ZMODE", "enable") ? "not reached" : "off");
		return;
	}
	if (f->z_func == 0 || f->z_func == 7)
		row(table, "depth test", "%s, %s: %s; 0x%06x (%u), stored 0x%06x (%u)", f->early_z ? "early" : "late",
			cli_compare_sign(f->z_func), f->z_passed ? "passed" : "failed", incoming, incoming, f->z_old, f->z_old);
	else
		row(table, "depth test", "%s: 0x%06x %s 0x%06x (%u %s %u) is %s: %s", f->early_z ? "early" : "late", incoming,
			cli_compare_sign(f->z_func), f->z_old, incoming, cli_compare_sign(f->z_func), f->z_old,
			cli_compare(f->z_func, incoming, f->z_old) ? "true" : "false", f->z_passed ? "passed" : "failed");
	row(table, "depth", f->z_written ? "0x%06x -> 0x%06x" : "0x%06x kept", f->z_old, f->z_new);
}

/* Only EFB formats of 6 bits a channel dither (specification 07-pe), with a quirk also those of 5 and 6. */
static bool dithers(const struct qs_timeline *timeline)
{
	unsigned type = trace_field(timeline, QS_UNIT_BP, "PE_CONTROL", "pixel_type");

	return trace_field(timeline, QS_UNIT_BP, "PE_CMODE0", "dither") &&
	       (type == 1 || (type == 2 && qs_timeline_quirk(timeline, "dither_formats")));
}

static void blend_rows(struct cli_table *table, const struct qs_timeline *timeline, const struct qs_fragment *f)
{
	const uint8_t *s = f->blend_src_factor, *d = f->blend_dst_factor;
	char source[10], old[10], blended[10];

	cli_colour(f->source, source);
	cli_colour(f->old_rgba, old);
	cli_colour(f->blended, blended);
	switch (f->blend_mode) {
	case 1:
		row(table, "blend", "source %s x %s (%u %u %u %u) + stored %s x %s (%u %u %u %u)", source,
			trace_field_name(timeline, QS_UNIT_BP, "PE_CMODE0", "src_factor"), s[0], s[1], s[2], s[3], old,
			trace_field_name(timeline, QS_UNIT_BP, "PE_CMODE0", "dst_factor"), d[0], d[1], d[2], d[3]);
		break;
	case 2:
		row(table, "blend", "subtract: stored %s - source %s", old, source);
		break;
	case 3:
		row(table, "logic", "%s: source %s, stored %s", trace_field_name(timeline, QS_UNIT_BP, "PE_CMODE0", "logic_op"), source,
			old);
		break;
	default:
		row(table, "blend", "off: source %s", source);
		break;
	}
	if (f->blend_mode || strcmp(source, blended) != 0)
		row(table, "", "= %s (%u %u %u %u)%s%s", blended, f->blended[0], f->blended[1], f->blended[2], f->blended[3],
			dithers(timeline) ? ", dithered" : "",
			trace_field(timeline, QS_UNIT_BP, "PE_CMODE1", "enable") ? ", constant alpha" : "");
}

static bool reached_blender(const struct qs_fragment *f)
{
	return f->verdict == QS_VERDICT_WRITTEN || f->verdict == QS_VERDICT_MASKED;
}

void trace_pixel_engine(FILE *out, const struct qs_timeline *timeline, const struct qs_fragment *f)
{
	struct cli_table *table = cli_table_new("ll");
	char before[10], after[10];

	trace_heading(out, "PIXEL ENGINE  %s %s", trace_field_name(timeline, QS_UNIT_BP, "PE_CONTROL", "pixel_type"),
		trace_field(timeline, QS_UNIT_BP, "PE_CONTROL", "ztop") ? "depth test before texturing" : "depth test after texturing");
	if (f->verdict == QS_VERDICT_PENDING || f->verdict == QS_VERDICT_NONE) {
		row(table, "", f->verdict == QS_VERDICT_NONE ? "not covered" : "not reached at this moment");
		cli_table_print(table, out, 2);
		return;
	}
	if (f->early_z)
		depth_rows(table, timeline, f);
	if (f->verdict != QS_VERDICT_EARLY_Z) {
		row(table, "combiners", "%s (%u %u %u %u)", cli_colour(f->tev, before), f->tev[0], f->tev[1], f->tev[2], f->tev[3]);
		alpha_row(table, f);
	}
	if (!f->early_z && f->verdict != QS_VERDICT_ALPHA)
		depth_rows(table, timeline, f);
	if (reached_blender(f)) {
		if (trace_field(timeline, QS_UNIT_BP, "TEV_FOG_PARAM_3", "type"))
			row(table, "fog", "%s, factor %u/256: %s -> %s", trace_field_name(timeline, QS_UNIT_BP, "TEV_FOG_PARAM_3", "type"),
				f->fog, cli_colour(f->tev, before), cli_colour(f->source, after));
		blend_rows(table, timeline, f);
		row(table, "write", "colour %s, alpha %s", trace_field(timeline, QS_UNIT_BP, "PE_CMODE0", "colour_update") ? "on" : "off",
			trace_field(timeline, QS_UNIT_BP, "PE_CMODE0", "alpha_update") ? "on" : "off");
	}
	for (unsigned i = 0; i < f->sample_count && f->sample_count > 1; i++)
		row(table, i ? "" : "samples", "%u: %s, z 0x%06x, depth 0x%06x -> 0x%06x, %s -> %s", i,
			!(f->samples >> i & 1) ? "not covered" : f->samples_passed >> i & 1 ? "passed" : "stopped", f->sample_z[i],
			f->sample_z_old[i], f->sample_z_new[i], cli_colour(f->sample_old[i], before), cli_colour(f->sample_new[i], after));
	row(table, f->sample_count > 1 ? "resolved" : "pixel", "%s -> %s", cli_colour(f->old_rgba, before), cli_colour(f->new_rgba, after));
	cli_table_print(table, out, 2);
}
