/* cmd_state.c - qscope state: registers at a moment
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "cli/state.h"

static const struct cli_option options[] = {
	CLI_AT,
	{"frame", 'f', "N", "the end of frame N instead (default: the last frame)"},
	{"unit", 'u', "UNIT", "only this unit (bp, cp, xf or pe) or register (bp.GEN_MODE)"},
	{"changed", 'c', NULL, "only registers whose value changed since the draw before"},
	{"since", 's', "MOMENT", "only registers whose value differs from that at MOMENT"},
	{"grep", 'g', "TEXT", "only registers with TEXT in their name or group"},
	{"all", 'a', NULL, "also registers that hold their reset value and were never written"},
	CLI_MODEL, CLI_QUIRK, CLI_JSON, CLI_END,
};

/* --changed and --since: values to compare with. */
static bool old_values(const struct cli_args *args, struct cli_session *session, struct state_values *old, struct qs_moment *since)
{
	const char *text = cli_value(args, "since");
	struct qs_error error = {0};

	if (text) {
		if (!qs_moment_parse(session->capture, text, since, &error))
			return cli_fail_error(&error) == CLI_DONE;
	} else {
		state_draw_before(session->capture, qs_timeline_moment(session->timeline), since);
	}
	if (state_values_at(session->timeline, since, old, &error))
		return true;
	cli_fail_error(&error);
	return false;
}

static void print_view(const struct cli_args *args, const struct state_view *view, const struct qs_moment *since)
{
	const struct qs_capture *capture = view->session->capture;
	const struct qs_moment *moment = qs_timeline_moment(view->session->timeline);
	char at[96], from[96];
	struct cli_json json;
	uint32_t count;

	qs_moment_format(capture, moment, at, sizeof at);
	qs_moment_format(capture, since, from, sizeof from);
	if (cli_has(args, "json")) {
		json_begin(&json, stdout);
		json_string(&json, "moment", at);
		if (view->old)
			json_string(&json, "since", from);
		json_array(&json, "registers");
		state_json(view, &json);
		json_array_end(&json);
		json_end(&json);
		return;
	}
	if (view->old)
		printf("registers at %s that differ from %s\n", at, from);
	else if (!view->wanted.reg)
		printf("registers at %s\n", at);
	count = state_print(view, stdout);
	if (!count)
		puts("(none)");
}

static enum cli_status run(const struct cli_args *args)
{
	const char *unit = cli_value(args, "unit"), *grep = cli_value(args, "grep");
	struct cli_session session;
	struct state_values old = {0};
	struct state_view view = {.session = &session, .wanted = {.any_unit = true}, .all = cli_has(args, "all")};
	struct qs_moment since = {0};
	enum cli_status status = CLI_ERROR;
	struct qs_error error;
	bool compare = cli_has(args, "changed") || cli_has(args, "since");

	if (unit && !cli_register_parse(unit, &view.wanted, &error))
		return cli_fail_error(&error);
	if (!cli_open(args, 0, false, &session))
		return CLI_ERROR;
	if (cli_seek(args, &session, true) && (!compare || old_values(args, &session, &old, &since))) {
		char *folded = grep ? g_utf8_casefold(grep, -1) : NULL;

		view.grep = folded;
		view.old = compare ? &old : NULL;
		print_view(args, &view, &since);
		g_free(folded);
		status = CLI_DONE;
	}
	state_values_finish(&old);
	cli_close(&session);
	return status;
}

const struct cli_command cli_cmd_state = {
	.name = "state", .arguments = "CAPTURE", .min_words = 1, .max_words = 1,
	.summary = "show the registers at a moment, with age and the command that wrote each",
	.details = "Fields that are zero are left out of the one-line form. 'initial state' means that no command of the capture\n"
		   "has written the register. With --changed or --since the last column names the fields that differ;\n"
		   "the CPU-visible counters of unit pe are left out then unless --unit pe or --all asks for them.",
	.examples = "qscope state game.dff --at 2/57 --unit bp\nqscope state game.dff --at 2/57 --changed\n"
		    "qscope state game.dff --at 2/57 --unit bp.PE_ZMODE",
	.options = options, .run = run,
};
