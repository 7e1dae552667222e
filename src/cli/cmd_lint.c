/* cmd_lint.c - qscope lint: what a person would overlook in a capture
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "cli/views.h"

static const struct cli_option options[] = {
	{"frame", 'f', "N", "only frame N"},
	{"level", 'l', "LEVEL", "only messages of this severity and above: note (default), warning, error"},
	CLI_JSON, CLI_END,
};

static bool parse_level(const char *text, unsigned *level)
{
	struct cli_nearest nearest;
	char hint[64];

	*level = QS_LINT_NOTE;
	if (!text)
		return true;
	cli_nearest_begin(&nearest, text);
	for (unsigned i = 0; i < QS_LINT_COUNT; i++) {
		const char *name = qs_lint_severity_name((enum qs_lint_severity)i);

		cli_nearest_offer(&nearest, name);
		if (strcmp(name, text) == 0) {
			*level = i;
			return true;
		}
	}
	cli_fail("There is no level '%s' (note, warning, error)%s", text, cli_nearest_hint(&nearest, hint, sizeof hint));
	return false;
}

static void where(const struct qs_capture *capture, const struct qs_lint_message *message, char *buffer, size_t size)
{
	if (message->moment.level == QS_LEVEL_START)
		g_strlcpy(buffer, "capture", size);
	else
		qs_moment_format(capture, &message->moment, buffer, size);
}

void lint_print(const struct qs_capture *capture, const struct qs_lint_message *messages, uint32_t count, unsigned level)
{
	const struct cli_style *style = cli_style();
	const char *const tint[QS_LINT_COUNT] = {style->dim, "", style->bad};
	struct cli_table *table = cli_table_new("lllrl");
	uint32_t shown[QS_LINT_COUNT] = {0};

	cli_table_head(table, "severity", "first at", "check", "times", "message");
	for (uint32_t i = 0; i < count; i++) {
		unsigned severity = messages[i].severity;
		char at[96];

		if (severity < level || severity >= QS_LINT_COUNT)
			continue;
		shown[severity]++;
		where(capture, &messages[i], at, sizeof at);
		cli_table_cell(table, "%s%s%s", tint[severity], qs_lint_severity_name((enum qs_lint_severity)severity),
			*tint[severity] ? style->off : "");
		cli_table_cell(table, "%s", at);
		cli_table_cell(table, "%s", messages[i].check);
		cli_table_cell(table, "%u", messages[i].count);
		cli_table_cell(table, "%s", messages[i].text);
	}
	if (shown[0] + shown[1] + shown[2])
		cli_table_print(table, stdout, 0);
	else
		cli_table_free(table);
	printf("%u error%s, %u warning%s, %u note%s\n", shown[QS_LINT_ERROR], shown[QS_LINT_ERROR] == 1 ? "" : "s",
		shown[QS_LINT_WARNING], shown[QS_LINT_WARNING] == 1 ? "" : "s", shown[QS_LINT_NOTE], shown[QS_LINT_NOTE] == 1 ? "" : "s");
}

static void json_messages(const struct qs_capture *capture, const struct qs_lint_message *messages, uint32_t count, unsigned level)
{
	struct cli_json json;

	json_begin(&json, stdout);
	json_array(&json, "messages");
	for (uint32_t i = 0; i < count; i++) {
		if (messages[i].severity < level)
			continue;
		json_row(&json, NULL);
		json_string(&json, "severity", qs_lint_severity_name((enum qs_lint_severity)messages[i].severity));
		json_string(&json, "check", messages[i].check);
		json_moment(&json, "moment", capture, &messages[i].moment);
		json_uint(&json, "count", messages[i].count);
		json_string(&json, "text", messages[i].text);
		json_object_end(&json);
	}
	json_array_end(&json);
	json_end(&json);
}

static enum cli_status run(const struct cli_args *args)
{
	struct qs_lint_message *messages = NULL;
	enum cli_status status = CLI_ERROR;
	struct cli_session session;
	struct qs_error error;
	uint32_t count = 0;
	int64_t frame = 0;
	unsigned level;

	if (!parse_level(cli_value(args, "level"), &level) || !cli_open(args, 0, true, &session))
		return CLI_ERROR;
	if (!cli_option_number(args, "frame", 1, qs_capture_info(session.capture)->frame_count, &frame)) {
		cli_close(&session);
		return CLI_ERROR;
	}
	if (!qs_capture_lint(session.capture, (uint32_t)frame, &messages, &count, NULL, NULL, &error)) {
		cli_fail_error(&error);
	} else {
		if (cli_has(args, "json"))
			json_messages(session.capture, messages, count, level);
		else
			lint_print(session.capture, messages, count, level);
		status = CLI_DONE;
		for (uint32_t i = 0; i < count; i++)
			if (messages[i].severity >= MAX(level, QS_LINT_WARNING))
				status = CLI_DIFFERENT;
		qs_lint_free(messages, count);
	}
	cli_close(&session);
	return status;
}

const struct cli_command cli_cmd_lint = {
	.name = "lint", .arguments = "CAPTURE", .min_words = 1, .max_words = 1,
	.summary = "check a capture for what a person would overlook",
	.details = "Unset registers that draws depend on, units that disagree, memory that was never loaded, copies, display lists,\n"
		   "features that are not modelled. One line for each finding, at its first command, with the number of commands.\n"
		   "The exit status is 1 when there is a warning or an error; notes alone give 0.",
	.examples = "qscope lint game.dff\nqscope lint --level warning --json game.dff",
	.options = options, .run = run,
};
