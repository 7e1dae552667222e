/* gfx3d_program.c - what a VirGL host gets for a draw of Gfx3D: both shaders as TGSI, line by CSIR instruction, and the commands
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>

#include "gfx3d/qsc.h"
#include "trace/gfx3d_inside.h"

static const struct csir_program *program_of_draw(const struct qs_timeline *t)
{
	const struct qs_command *k = qs_capture_command(t->capture, t->moment.command);
	struct qs_gfx3d *g = t->gfx3d->g;
	struct g3_context *c = NULL;
	struct g3_call call;

	if (k && k->kind == QS_COMMAND_DRAW && qsc_parse(qs_capture_command_bytes(t->capture, t->moment.command), k->size, &call))
		c = g3_context(g, call.owner, call.handle[0]);
	return c ? g3_bound_program(g, c) : NULL;
}

/* A part begins where a line belongs to another instruction than the one before. */
static struct qs_program_part *make_parts(const struct csir_shader *shader, const int32_t *lines, uint32_t line_count, uint32_t *count)
{
	struct qs_program_part *part = calloc(line_count + 1, sizeof *part);
	int32_t before = -1;

	*count = 0;
	for (uint32_t i = 0; part && i < line_count; i++) {
		if (lines[i] >= 0 && lines[i] != before) {
			part[*count].line = i;
			snprintf(part[(*count)++].name, sizeof part->name, "%d %s", (int)lines[i], csir_op_info(shader->instr[lines[i]].op)->mnemonic);
		}
		before = lines[i];
	}
	return part;
}

/* As src/gfx3d/host.c makes the host's shaders. */
static bool make_text(const struct qs_timeline *t, const struct csir_program *program, enum csir_stage stage, char **out,
	struct qs_program_part **part, uint32_t *count, struct qs_error *error)
{
	const struct csir_shader *shader = csir_program_shader(program, stage, &t->gfx3d->g->quirks);
	struct csir_tgsi_options options;
	struct csir_text text = {0};
	struct g3_quirks quirks;
	int32_t *lines = NULL;
	uint32_t line_count = 0;

	g3_quirks_init(&quirks, G3_MODEL_VIRGL);
	csir_tgsi_options_init(&options, &quirks);
	options.var_remap = stage == CSIR_FRAGMENT ? program->var_remap : NULL;
	if (!csir_tgsi(shader, &options, &text, &lines, &line_count, error)) {
		csir_text_finish(&text);
		return false;
	}
	*out = text.data;
	*part = make_parts(shader, lines, line_count, count);
	free(lines);
	return true;
}

bool trace_gfx3d_program(struct qs_timeline *t, struct qs_program *out, struct qs_error *error)
{
	const struct csir_program *program = program_of_draw(t);
	struct qs_error trouble = {0};
	struct qs_gfx3d_host *host;

	if (!program || !program->linked) {
		qs_error_set(error, QS_ERR_RANGE, 0, "This draw has no linked program.");
		return false;
	}
	if (!make_text(t, program, CSIR_VERTEX, &out->vertex, &out->vertex_part, &out->vertex_part_count, error) ||
		!make_text(t, program, CSIR_FRAGMENT, &out->fragment, &out->part, &out->part_count, error)) {
		qs_program_finish(out);
		return false;
	}
	host = qs_gfx3d_host_create(t->capture, NULL, &trouble);
	if (host)
		out->commands = gfx3d_host_commands(host, t->moment.command, &trouble);
	if (!out->commands)
		snprintf(out->reason, sizeof out->reason, "%s", trouble.text);
	qs_gfx3d_host_destroy(host);
	return true;
}
