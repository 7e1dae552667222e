/* main.c - qscope, the terminal program: finds the sub-command and runs it
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <errno.h>
#include <locale.h>
#include <string.h>

#include "cli/cli.h"

static const struct cli_command *const commands[] = {
	&cli_cmd_info, &cli_cmd_list, &cli_cmd_regs, &cli_cmd_state, &cli_cmd_render, &cli_cmd_trace, &cli_cmd_history,
	&cli_cmd_imgdiff, &cli_cmd_diff, &cli_cmd_lint, &cli_cmd_program, &cli_cmd_run, &cli_cmd_scene, &cli_cmd_shader, &cli_cmd_debug,
};

static void print_usage(FILE *out)
{
	fprintf(out, "Usage: qscope COMMAND [OPTIONS] [ARGUMENTS]\n\n"
		     "Looks into captured frames of a graphics pipeline that runs in software.\n\nCommands:\n");
	for (unsigned i = 0; i < G_N_ELEMENTS(commands); i++)
		fprintf(out, "  %-8s  %s\n", commands[i]->name, commands[i]->summary);
	fprintf(out, "\n'qscope COMMAND --help' explains a command.\n"
		     "A moment is written FRAME, FRAME/DRAW, FRAME/DRAW/PRIMITIVE/QUAD/FRAGMENT/STAGE (as far as wanted)\n"
		     "or FRAME@OFFSET; frames count from 1, everything else from 0.\n"
		     "Exit status: 0 done, 1 a difference or a failed check, 2 an error.\n");
}

static const struct cli_command *find_command(const char *name)
{
	struct cli_nearest nearest;
	char hint[64];

	for (unsigned i = 0; i < G_N_ELEMENTS(commands); i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	cli_nearest_begin(&nearest, name);
	for (unsigned i = 0; i < G_N_ELEMENTS(commands); i++)
		cli_nearest_offer(&nearest, commands[i]->name);
	cli_fail("There is no command '%s'%s", name,
		nearest.name ? cli_nearest_hint(&nearest, hint, sizeof hint) : " ('qscope --help' lists them).");
	return NULL;
}

static bool wants_help(int argc, char **argv)
{
	for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
			return true;
	return false;
}

int main(int argc, char **argv)
{
	const struct cli_command *command;
	struct cli_args args;
	enum cli_status status = CLI_ERROR;

	setlocale(LC_CTYPE, "");
	if (argc < 2) {
		print_usage(stderr);
		return CLI_ERROR;
	}
	if (strcmp(argv[1], "--version") == 0) {
		puts("qscope " PACKAGE_VERSION);
		return CLI_DONE;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || (strcmp(argv[1], "help") == 0 && argc == 2)) {
		print_usage(stdout);
		return CLI_DONE;
	}
	if (strcmp(argv[1], "help") == 0) {
		command = find_command(argv[2]);
		if (!command)
			return CLI_ERROR;
		cli_help(command);
		return CLI_DONE;
	}
	command = find_command(argv[1]);
	if (!command)
		return CLI_ERROR;
	if (wants_help(argc - 2, argv + 2)) {
		cli_help(command);
		return CLI_DONE;
	}
	if (cli_args_parse(command, argc - 2, argv + 2, &args))
		status = command->run(&args);
	cli_args_finish(&args);
	/* A full disk or a closed pipe must not look like success. */
	if (fflush(stdout) != 0 || ferror(stdout))
		return cli_fail("Cannot write the output: %s.", g_strerror(errno));
	return status;
}
