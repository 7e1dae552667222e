/* trace.h - everything about one moment inside a draw, or about a copy, as text and JSON
 *
 * trace_copy.c: copies.  trace.c: setup record, coverage, attributes.  trace_tev.c: indirect and direct lookups, stages.  trace_pe.c: tests, fog,
 * blending.  trace_config.c: what the registers say about a stage, in words.  trace_json.c: the same facts as data.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_TRACE_H
#define CLI_TRACE_H

#include "cli/cli.h"

/* ---- trace_config.c ----------------------------------------------------------------------------------------------------- */

/* Value of a field by name, or 0 when the table has no such field. */
uint32_t trace_field(const struct qs_timeline *timeline, enum qs_unit unit, const char *reg, const char *field);
/* Enum name, else the number as text. */
const char *trace_field_name(const struct qs_timeline *timeline, enum qs_unit unit, const char *reg, const char *field);

struct trace_stage_config {
	const char *colour[4], *alpha[4]; /* selected inputs a b c d */
	char colour_formula[96], alpha_formula[96];
	const char *colour_dest, *alpha_dest;
	bool texture;
	unsigned map, coord;
	const char *channel; /* what RAS reads */
	const char *konst_colour, *konst_alpha;
	char tex_swap[5], ras_swap[5]; /* "rgba" */
	uint32_t indirect;   /* IND_CMD of the stage */
	char indirect_text[256];
};
void trace_stage_configure(const struct qs_timeline *timeline, unsigned stage, struct trace_stage_config *config);

/* ---- the parts ---------------------------------------------------------------------------------------------------------- */

void trace_setup(FILE *out, const struct qs_timeline *timeline, const struct qs_setup *setup);
void trace_coverage(FILE *out, const struct qs_setup *setup, const struct qs_quad *quad, int fragment);
void trace_fragments(FILE *out, const struct qs_quad *quad);
void trace_attributes(FILE *out, const struct qs_setup *setup, const struct qs_fragment *fragment);
void trace_sample(FILE *out, const struct qs_sample *sample, unsigned indent);
void trace_indirect(FILE *out, const struct qs_timeline *timeline, const struct qs_fragment *fragment);
/* Stages first..last as far as the fragment has them. */
void trace_stages(FILE *out, const struct qs_timeline *timeline, const struct qs_fragment *fragment, unsigned first, unsigned last);
void trace_pixel_engine(FILE *out, const struct qs_timeline *timeline, const struct qs_fragment *fragment);
void trace_heading(FILE *out, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Everything at the timeline's moment; false after error is set.  all: long tables are not cut. */
bool trace_possible(const struct qs_timeline *timeline, struct qs_error *error);
/* texel: NULL, or x and y in the copy at the moment. */
bool trace_print(FILE *out, struct qs_timeline *timeline, bool all, const int *texel, struct qs_error *error);
bool trace_json(struct cli_json *json, struct qs_timeline *timeline, const int *texel, struct qs_error *error);
bool trace_at_copy(const struct qs_timeline *timeline);
bool trace_copy(FILE *out, struct qs_timeline *timeline, const int *texel, struct qs_error *error);
bool trace_copy_json(struct cli_json *json, struct qs_timeline *timeline, const int *texel, struct qs_error *error);
/* trace_gfx3d.c: a moment inside a quad of a capture of Gfx3D calls. */
bool trace_gfx3d(FILE *out, struct qs_timeline *timeline, struct qs_error *error);
void trace_gfx3d_json(struct cli_json *json, struct qs_timeline *timeline);
/* Sentence of the fragment with colour where stdout is a terminal. */
void trace_verdict(FILE *out, const struct qs_fragment *fragment);

#endif
