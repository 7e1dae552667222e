/* cmd_history.c - qscope history: everything that reached a pixel
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "cli/views.h"

static const struct cli_option options[] = {
	{"pixel", 'p', "X,Y", "the pixel of the EFB, 0,0 top left (needed)"},
	{"frame", 'f', "N", "the frame (default 1)"},
	{"passed", 0, NULL, "only what changed the pixel"},
	CLI_MODEL, CLI_QUIRK, CLI_PIPELINE, CLI_JSON, CLI_END,
};

static bool changed(const struct qs_history_row *row)
{
	return row->kind != QS_HISTORY_FRAGMENT || row->verdict == QS_VERDICT_WRITTEN;
}

static void add_row(struct cli_table *table, const struct qs_capture *capture, const struct qs_history_row *row)
{
	const struct cli_style *style = cli_style();
	bool fragment = row->kind == QS_HISTORY_FRAGMENT, good = row->verdict == QS_VERDICT_WRITTEN;
	char moment[96], colour[10], text[256];

	if (row->kind == QS_HISTORY_START)
		cli_table_cell(table, "start");
	else
		cli_table_cell(table, "%s", qs_moment_format(capture, &row->moment, moment, sizeof moment));
	cli_table_cell(table, "%s", fragment ? cli_colour(row->source, colour) : "");
	cli_table_cell(table, "%s", fragment ? g_snprintf(text, sizeof text, "%06x", row->z) ? text : "" : "");
	cli_table_cell(table, "%s", row->kind == QS_HISTORY_START ? "" : cli_colour(row->before, colour));
	cli_table_cell(table, "%s", cli_colour(row->after, colour));
	if (row->kind == QS_HISTORY_START)
		cli_table_cell(table, "%s", "");
	else
		cli_table_cell(table, "%06x", row->z_before);
	cli_table_cell(table, "%06x", row->z_after);
	cli_table_cell(table, "%s%s%s", !fragment ? "" : good ? style->good : style->bad,
		cli_history_sentence(row, text, sizeof text), fragment ? style->off : "");
}

void history_print(const struct qs_capture *capture, const struct qs_history_row *rows, uint32_t count, bool passed)
{
	struct cli_table *table = cli_table_new("llllllll");

	cli_table_head(table, "moment", "source", "z", "before", "after", "z before", "z after", "result");
	for (uint32_t i = 0; i < count; i++)
		if (!passed || changed(&rows[i]))
			add_row(table, capture, &rows[i]);
	cli_table_print(table, stdout, 0);
}

static void json_rows(struct cli_json *json, const struct qs_capture *capture, const struct qs_history_row *rows, uint32_t count,
	bool passed)
{
	static const char *const kind[] = {"fragment", "clear", "start", "access"};

	json_array(json, "rows");
	for (uint32_t i = 0; i < count; i++) {
		const struct qs_history_row *row = &rows[i];
		char text[256];

		if (passed && !changed(row))
			continue;
		json_row(json, NULL);
		json_string(json, "kind", row->kind < G_N_ELEMENTS(kind) ? kind[row->kind] : "unknown");
		if (row->kind != QS_HISTORY_START)
			json_moment(json, "moment", capture, &row->moment);
		if (row->kind == QS_HISTORY_FRAGMENT) {
			json_string(json, "verdict", qs_verdict_name((enum qs_verdict)row->verdict));
			json_colour(json, "source", row->source);
			json_uint(json, "z", row->z);
			json_uint(json, "z_func", row->z_func);
		}
		json_colour(json, "before", row->before);
		json_colour(json, "after", row->after);
		json_uint(json, "z_before", row->z_before);
		json_uint(json, "z_after", row->z_after);
		if (row->kind == QS_HISTORY_FRAGMENT && row->sample_count > 1) {
			json_uint(json, "samples", row->samples);
			json_uint(json, "samples_passed", row->samples_passed);
			json_array(json, "sample_after");
			for (unsigned k = 0; k < 3; k++)
				json_colour(json, NULL, row->sample_after[k]);
			json_array_end(json);
		}
		json_string(json, "text", cli_history_sentence(row, text, sizeof text));
		json_object_end(json);
	}
	json_array_end(json);
}

static enum cli_status run(const struct cli_args *args)
{
	const char *pixel = cli_value(args, "pixel");
	struct qs_history_row *rows = NULL;
	struct cli_session session;
	struct cli_json json;
	struct qs_error error;
	enum cli_status status = CLI_ERROR;
	int64_t frame = 1;
	uint32_t count;
	int x, y;

	if (!pixel)
		return cli_fail("'history' needs a pixel: --pixel X,Y.");
	if (!cli_point(pixel, "--pixel", &x, &y) || !cli_open(args, 0, false, &session))
		return CLI_ERROR;
	if (!cli_option_number(args, "frame", 1, qs_capture_info(session.capture)->frame_count, &frame))
		goto done;
	if (!qs_timeline_history(session.timeline, (uint32_t)frame, x, y, &rows, &count, &error)) {
		cli_fail_error(&error);
		goto done;
	}
	if (cli_has(args, "json")) {
		json_begin(&json, stdout);
		json_uint(&json, "frame", (uint64_t)frame);
		json_int(&json, "x", x);
		json_int(&json, "y", y);
		json_rows(&json, session.capture, rows, count, cli_has(args, "passed"));
		json_end(&json);
	} else {
		printf("pixel %d,%d of frame %" PRId64 "\n", x, y, frame);
		history_print(session.capture, rows, count, cli_has(args, "passed"));
	}
	status = CLI_DONE;
done:
	free(rows);
	cli_close(&session);
	return status;
}

const struct cli_command cli_cmd_history = {
	.name = "history", .arguments = "CAPTURE --pixel X,Y", .min_words = 1, .max_words = 1,
	.summary = "list everything that reached a pixel in a frame",
	.details = "One line for each fragment, in order: its source colour and depth, the pixel before and after, and the test\n"
		   "that stopped it. The moments can be given to 'qscope trace --at'.",
	.examples = "qscope history game.dff --frame 2 --pixel 320,240\nqscope history game.dff --pixel 320,240 --passed --json",
	.options = options, .run = run,
};
