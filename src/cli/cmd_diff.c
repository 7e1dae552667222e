/* cmd_diff.c - qscope diff: why two models draw a frame differently
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "cli/diff.h"

static const struct cli_option options[] = {
	{"a", 'a', "MODEL", "the first renderer: hardware (default), dolphin or pureikyubu"},
	{"b", 'b', "MODEL", "the second one (default dolphin)"},
	{"quirk-a", 0, "NAME=VALUE", "set one quirk of the first; may be given several times"},
	{"quirk-b", 0, "NAME=VALUE", "set one quirk of the second"},
	{"frame", 'f', "N", "the frame to compare (default 1)"},
	{"buffer", 0, "BUFFER", "color, alpha, depth, copy or xfb (default: the display copy, without one color)"},
	{"tolerance", 't', "N", "channels that differ by at most N count as equal (0..255, default 0)"},
	{"no-causes", 0, NULL, "do not look for the quirks that make the difference"},
	{"report", 'r', "FOLDER", "write a page with the pictures there"},
	CLI_JSON, CLI_END,
};

static bool set_quirks(const struct cli_args *args, const char *option, struct qs_timeline *timeline, struct qs_error *error)
{
	const char *text;

	for (unsigned i = 0; (text = cli_value_nth(args, option, i)); i++)
		if (!cli_set_quirk(timeline, text, error))
			return false;
	return true;
}

static bool open_side(const struct cli_args *args, const char *model, const char *standard, const char *quirks, struct qs_capture *capture,
	struct qs_timeline **timeline, struct qs_error *error)
{
	*timeline = qs_timeline_create(capture, error);
	return *timeline && cli_set_model(*timeline, cli_value(args, model) ? cli_value(args, model) : standard, error) &&
	       set_quirks(args, quirks, *timeline, error);
}

static bool parse_buffer(const char *name, enum qs_buffer *buffer)
{
	*buffer = QS_BUFFER_COUNT;
	if (!name || (qs_buffer_parse(name, buffer) && *buffer != QS_BUFFER_COVERAGE))
		return true;
	cli_fail("There is no buffer '%s' to compare: color, alpha, depth, copy or xfb.", name);
	return false;
}

static enum cli_status compare(const struct cli_args *args, struct diff_view *view)
{
	struct qs_compare_options o = {.causes = !cli_has(args, "no-causes"), .divergence = true};
	struct qs_comparison result;
	struct qs_error error;
	int64_t frame = 1, tolerance = 0;
	enum cli_status status;

	if (!cli_option_number(args, "frame", 1, qs_capture_info(view->capture)->frame_count, &frame) ||
		!cli_option_number(args, "tolerance", 0, 255, &tolerance) || !parse_buffer(cli_value(args, "buffer"), &o.buffer))
		return CLI_ERROR;
	o.frame = (uint32_t)frame;
	o.tolerance = (unsigned)tolerance;
	view->frame = o.frame;
	if (!qs_compare(&view->a, &view->b, &o, &result, &error))
		return cli_fail_error(&error);
	view->result = &result;
	if (cli_has(args, "json"))
		diff_json(view);
	else
		diff_print(view);
	status = result.equal ? CLI_DONE : CLI_DIFFERENT;
	if (cli_value(args, "report") && !diff_report(view, cli_value(args, "report")))
		status = CLI_ERROR;
	qs_comparison_finish(&result);
	return status;
}

static enum cli_status run(const struct cli_args *args)
{
	struct qs_timeline *a = NULL, *b = NULL;
	struct cli_session session;
	struct diff_view view;
	struct qs_error error;
	enum cli_status status = CLI_ERROR;

	if (!cli_open(args, 0, true, &session))
		return CLI_ERROR;
	if (!open_side(args, "a", "hardware", "quirk-a", session.capture, &a, &error) ||
		!open_side(args, "b", "dolphin", "quirk-b", session.capture, &b, &error)) {
		cli_fail_error(&error);
	} else {
		view = (struct diff_view){.capture = session.capture, .path = args->words->pdata[0]};
		qs_source_timeline(&view.a, a, qs_model_name(qs_timeline_model(a)));
		qs_source_timeline(&view.b, b, qs_model_name(qs_timeline_model(b)));
		status = compare(args, &view);
	}
	qs_timeline_destroy(a);
	qs_timeline_destroy(b);
	cli_close(&session);
	return status;
}

const struct cli_command cli_cmd_diff = {
	.name = "diff", .arguments = "CAPTURE", .min_words = 1, .max_words = 1,
	.summary = "say why two models draw a frame differently",
	.details =
		"Draws the frame with both, compares the pictures, and what covered each pixel apart from its colour; finds the\n"
		"smallest set of quirks that makes the first draw what the second one draws, which is proven by drawing it; and\n"
		"goes back from the first pixel that differs to the unit where the values part, with the values on both sides.\n"
		"Exit status: 0 equal, 1 different, 2 an error.",
	.examples = "qscope diff game.dff --a hardware --b dolphin\n"
		    "qscope diff game.dff --frame 2 --report difference\n"
		    "qscope diff game.dff -a dolphin -b dolphin --quirk-b bilinear=1 --json",
	.options = options, .run = run,
};
