/* cmd_diff.c - qscope diff: why two models draw a frame differently
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "cli/diff.h"

static const struct cli_option options[] = {
	{"a", 'a', "RENDERER", "the first: a model (hardware, dolphin, pureikyubu; of Gfx3D calls chrisos, virgl-model, corrected), cpu or virgl"},
	{"b", 'b', "RENDERER", "the second one; without them hardware and dolphin, of Gfx3D calls cpu and virgl"},
	{"virgl-socket", 0, "SOCKET", "join the VirGL host there instead of starting one"},
	{"quirk-a", 0, "NAME=VALUE", "set one quirk of the first; may be given several times"},
	{"quirk-b", 0, "NAME=VALUE", "set one quirk of the second"},
	{"frame", 'f', "N", "the frame to compare (default 1)"},
	{"buffer", 0, "BUFFER", "color, alpha, depth, copy or xfb (default: the display copy, without one color)"},
	{"tolerance", 't', "N", "channels that differ by at most N count as equal (0..255, default 0)"},
	{"no-causes", 0, NULL, "do not look for the quirks that make the difference"},
	{"draws", 0, NULL, "list the first divergence of every draw"},
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

/* One renderer: its timeline, or the host that replays the calls. */
struct side {
	struct qs_timeline *timeline;
	struct qs_gfx3d_host *host;
};

/* "cpu": the model that the capture, or else the machine, has; "virgl": a host.  The imitation of a host is "virgl-model". */
static bool open_side(const struct cli_args *args, const char *option, const char *standard, struct qs_capture *capture, struct side *side,
	struct qs_source *source, struct qs_error *error)
{
	bool gfx3d = qs_capture_info(capture)->machine == QS_MACHINE_GFX3D;
	const char *name = cli_value(args, option) ? cli_value(args, option) : standard;
	char *quirks = g_strconcat("quirk-", option, NULL);
	bool good;

	if (gfx3d && !strcmp(name, "virgl")) {
		side->host = qs_gfx3d_host_create(capture, cli_value(args, "virgl-socket"), error);
		good = side->host && !cli_value_nth(args, quirks, 0);
		if (good)
			qs_source_gfx3d_host(source, side->host, name);
		else if (side->host)
			qs_error_set(error, QS_ERR_RANGE, 0, "A VirGL host has no quirks; 'virgl-model' is its imitation on the processor.");
		g_free(quirks);
		return good;
	}
	side->timeline = qs_timeline_create(capture, error);
	good = side->timeline != NULL;
	if (good && !strcmp(name, "virgl"))
		good = cli_set_pipeline(side->timeline, "shader", 1, cli_value(args, "virgl-socket"), error);
	else if (good && strcmp(name, "cpu"))
		good = cli_set_model(side->timeline, gfx3d && !strcmp(name, "virgl-model") ? "virgl" : name, error);
	good = good && set_quirks(args, quirks, side->timeline, error);
	g_free(quirks);
	if (!good)
		return false;
	qs_source_timeline(source, side->timeline, gfx3d || !strcmp(name, "cpu") || !strcmp(name, "virgl") ? name
		: qs_model_name(qs_timeline_model(side->timeline)));
	if (!gfx3d && !strcmp(name, "virgl")) /* whole draws: there are no events inside them */
		source->replay = NULL;
	return true;
}

static void close_side(struct side *side)
{
	qs_timeline_destroy(side->timeline);
	qs_gfx3d_host_destroy(side->host);
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
	o.draws = cli_has(args, "draws");
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
	struct side a = {0}, b = {0};
	struct cli_session session;
	struct diff_view view;
	struct qs_error error = {0};
	enum cli_status status = CLI_ERROR;
	bool gfx3d;

	if (!cli_open(args, 0, true, &session))
		return CLI_ERROR;
	gfx3d = qs_capture_info(session.capture)->machine == QS_MACHINE_GFX3D;
	view = (struct diff_view){.capture = session.capture, .path = args->words->pdata[0]};
	if (open_side(args, "a", gfx3d ? "cpu" : "hardware", session.capture, &a, &view.a, &error) &&
		open_side(args, "b", gfx3d ? "virgl" : "dolphin", session.capture, &b, &view.b, &error))
		status = compare(args, &view);
	else
		cli_fail_error(&error);
	close_side(&a);
	close_side(&b);
	cli_close(&session);
	return status;
}

const struct cli_command cli_cmd_diff = {
	.name = "diff", .arguments = "CAPTURE", .min_words = 1, .max_words = 1,
	.summary = "say why two renderers draw a frame differently",
	.details =
		"Draws the frame with both, compares the pictures, and what covered each pixel apart from its colour; finds the\n"
		"smallest set of quirks that makes the first draw what the second one draws, which is proven by drawing it; and\n"
		"goes back from the first pixel that differs to the unit where the values part, with the values on both sides.\n"
		"'cpu' and 'virgl' are the machine's own units and a VirGL host, of Flipper and of Gfx3D captures.\n"
		"Exit status: 0 equal, 1 different, 2 an error.",
	.examples = "qscope diff scene.qsc --a cpu --b virgl\n"
		    "qscope diff game.dff --a hardware --b dolphin\n"
		    "qscope diff game.dff --frame 2 --report difference\n"
		    "qscope diff game.dff -a dolphin -b dolphin --quirk-b bilinear=1 --json",
	.options = options, .run = run,
};
