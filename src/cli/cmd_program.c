/* cmd_program.c - qscope program: what the shader pipeline makes of a draw
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "cli/cli.h"

static const struct cli_option options[] = {CLI_AT, CLI_MODEL, CLI_QUIRK, CLI_PIPELINE, CLI_JSON, CLI_END};

static const char *part_at(const struct qs_program_part *part, uint32_t count, uint32_t line)
{
	for (uint32_t i = 0; i < count; i++)
		if (part[i].line == line)
			return part[i].name;
	return "";
}

/* The program with the part of the pipe beside the line where it begins. */
static void print_text(FILE *out, const char *text, const struct qs_program_part *part, uint32_t count)
{
	const struct cli_style *style = cli_style();
	uint32_t number = 0;
	char **lines = g_strsplit(text, "\n", -1);

	for (char **line = lines; *line; line++, number++)
		if (**line)
			fprintf(out, "  %s%-20s%s %s\n", style->accent, part_at(part, count, number), style->off, *line);
	g_strfreev(lines);
}

bool cli_print_program(FILE *out, struct qs_timeline *timeline, struct qs_error *error)
{
	const struct cli_style *style = cli_style();
	struct qs_program program;

	if (!qs_timeline_program(timeline, &program, error))
		return false;
	fprintf(out, "%sVertex program%s\n", style->bold, style->off);
	if (program.units[0])
		fprintf(out, "  Done by the units, XF and setup: %s.\n", program.units);
	print_text(out, program.vertex, program.vertex_part, program.vertex_part_count);
	fprintf(out, "%sFragment program%s\n", style->bold, style->off);
	print_text(out, program.fragment, program.part, program.part_count);
	fprintf(out, "%sCommands%s\n", style->bold, style->off);
	if (program.commands)
		fprintf(out, "%s", program.commands);
	if (program.reason[0])
		fprintf(out, "  %s\n", program.reason);
	qs_program_finish(&program);
	return true;
}

static void json_parts(struct cli_json *json, const char *name, const struct qs_program_part *part, uint32_t count)
{
	json_array(json, name);
	for (uint32_t i = 0; i < count; i++) {
		json_object(json, NULL);
		json_int(json, "line", part[i].line);
		json_string(json, "name", part[i].name);
		json_object_end(json);
	}
	json_array_end(json);
}

static bool print_json(struct qs_timeline *timeline, struct qs_error *error)
{
	struct qs_program program;
	struct cli_json json;

	if (!qs_timeline_program(timeline, &program, error))
		return false;
	json_begin(&json, stdout);
	json_string(&json, "vertex", program.vertex);
	json_string(&json, "fragment", program.fragment);
	json_parts(&json, "parts", program.part, program.part_count);
	json_parts(&json, "vertex_parts", program.vertex_part, program.vertex_part_count);
	if (program.units[0])
		json_string(&json, "units", program.units);
	if (program.commands)
		json_string(&json, "commands", program.commands);
	if (program.reason[0])
		json_string(&json, "reason", program.reason);
	json_end(&json);
	qs_program_finish(&program);
	return true;
}

static enum cli_status run(const struct cli_args *args)
{
	enum cli_status status = CLI_ERROR;
	struct cli_session session;
	struct qs_error error = {0};

	if (!cli_has(args, "at"))
		return cli_fail("'program' needs a draw: --at 2/57.");
	if (!cli_open(args, 0, false, &session))
		return CLI_ERROR;
	if (cli_seek(args, &session, false)) {
		if (cli_has(args, "json") ? print_json(session.timeline, &error) : cli_print_program(stdout, session.timeline, &error))
			status = CLI_DONE;
		else
			cli_fail_error(&error);
	}
	cli_close(&session);
	return status;
}

const struct cli_command cli_cmd_program = {
	.name = "program", .arguments = "CAPTURE", .min_words = 1, .max_words = 1,
	.summary = "show the programs and commands that the shader pipeline draws with",
	.details = "The vertex and the fragment program (TGSI) of the draw at the moment, with the part of the pipe beside the line\n"
		   "where it begins, and the VirGL commands of the draw. When the units have to do XF, the reason is given. Without a\n"
		   "host the programs are shown all the same. Of a draw of Gfx3D: both shaders as a host gets them, with the CSIR\n"
		   "instruction beside the line where it begins, and the commands of the call.",
	.examples = "qscope program game.dff --at 2/57\nqscope program game.dff --at 2/57 --json\nqscope program scene.qsc --at 1/0",
	.options = options, .run = run,
};
