/* cmd_run.c - qscope run: a Lua script over a capture
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <signal.h>
#include <string.h>

#include "cli/script.h"

static const struct cli_option options[] = {
	CLI_AT,
	{"seconds", 's', "N", "stop a script after N seconds of processor time, replays not counted (default 60, 0: never)"},
	{"memory", 'm', "MIB", "memory that the script may use (default 256)"},
	CLI_MODEL, CLI_QUIRK, CLI_PIPELINE, CLI_JSON, CLI_END,
};

static struct qs_script *the_script; /* signals know no user pointer */

static void on_interrupt(int number)
{
	(void)number;
	qs_script_interrupt(the_script);
}

static void log_hit(void *user, const struct qs_breakpoint *b, const struct qs_hit *hit)
{
	const struct cli_session *session = user;
	char text[256], moment[96];

	printf("breakpoint %u  %s  %s\n", b->id, qs_moment_format(session->capture, &hit->moment, moment, sizeof moment),
		qs_breakpoint_format(b, text, sizeof text));
}

static bool run_script(const struct cli_args *args, struct cli_session *session, enum cli_status *status)
{
	const char *const *word = (const char *const *)args->words->pdata;
	int64_t seconds = 60, memory = 256;
	struct sigaction interrupt = {.sa_handler = on_interrupt}, before;
	struct qs_script_limits limits;
	struct cli_script script;
	struct qs_error error;
	bool good;

	if (!cli_option_number(args, "seconds", 0, 1000000, &seconds) || !cli_option_number(args, "memory", 1, 65536, &memory))
		return false;
	limits = (struct qs_script_limits){(double)seconds, (size_t)memory << 20};
	if (!cli_script_open(&script, session, cli_has(args, "json"), &limits, &error)) {
		cli_fail_error(&error);
		return false;
	}
	the_script = script.script;
	sigaction(SIGINT, &interrupt, &before);
	good = qs_script_run_file(script.script, word[0], (int)args->words->len - 2, word + 2, &error);
	sigaction(SIGINT, &before, NULL);
	cli_script_settle(&script);
	fflush(stdout);
	if (!good)
		cli_fail_error(&error);
	*status = (enum cli_status)qs_script_status(script.script);
	cli_script_close(&script);
	return good;
}

static enum cli_status run(const struct cli_args *args)
{
	struct cli_session session;
	enum cli_status status = CLI_ERROR;
	bool good;

	if (!cli_open(args, 1, false, &session))
		return CLI_ERROR;
	qs_timeline_break_log(session.timeline, log_hit, &session);
	good = (!cli_has(args, "at") || cli_seek(args, &session, false)) && run_script(args, &session, &status);
	cli_close(&session);
	return good ? status : CLI_ERROR;
}

const struct cli_command cli_cmd_run = {
	.name = "run", .arguments = "SCRIPT.lua CAPTURE [-- ARGUMENTS]", .min_words = 2, .max_words = 1000,
	.summary = "run a Lua script over a capture",
	.details = "A script asks and moves the capture through the table qs (qs.help() lists it; docs/scripting.md is the guide).\n"
		   "A script that sets hooks with qs.on and does not replay by itself is replayed once from start to end. It has no\n"
		   "access to files or programs. Plots are drawn with characters; with --json every line of output is a JSON object\n"
		   "of type print, plot, table, overlay or error. Arguments after -- are in the table arg.\n"
		   "Exit status: 0, 1 when a qs.check failed, 2 on errors, or what qs.exit says.",
	.examples = "qscope run late-z.lua game.dff\n"
		    "qscope run overdraw.lua game.dff --json -- 320 240",
	.options = options, .run = run,
};
