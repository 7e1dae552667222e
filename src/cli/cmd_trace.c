/* cmd_trace.c - qscope trace: why a pixel is as it is
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/trace.h"

static const struct cli_option options[] = {
	CLI_AT,
	{"pixel", 'p', "X,Y", "the fragment that wrote this pixel last, at --at or at the end of --frame"},
	{"frame", 'f', "N", "with --pixel: the frame (default 1)"},
	{"texel", 't', "X,Y", "at a copy: how this texel of it came about"},
	{"all", 'a', NULL, "do not cut long tables of primitives, quads and vertices"},
	CLI_MODEL, CLI_QUIRK, CLI_PIPELINE, CLI_JSON, CLI_END,
};

static bool go(const struct cli_args *args, const struct cli_session *session)
{
	const char *pixel = cli_value(args, "pixel");
	struct qs_moment moment;
	struct qs_error error;
	int x, y;

	if (pixel && !cli_point(pixel, "--pixel", &x, &y))
		return false;
	if (!cli_seek(args, session, false))
		return false;
	if (!pixel)
		return true;
	if (qs_timeline_find_fragment(session->timeline, x, y, true, &moment, &error) &&
		qs_timeline_seek(session->timeline, &moment, &error))
		return true;
	cli_fail_error(&error);
	return false;
}

static bool show(const struct cli_args *args, struct qs_timeline *timeline)
{
	struct qs_error error = {0};
	struct cli_json json;
	int place[2], *texel = cli_has(args, "texel") ? place : NULL;

	if (texel && !cli_point(cli_value(args, "texel"), "--texel", &place[0], &place[1]))
		return false;
	if (texel && !trace_at_copy(timeline))
		return cli_fail("--texel needs the moment of a copy ('qscope list --kind copy' shows them).") == CLI_DONE;
	if (!cli_has(args, "json")) {
		if (trace_print(stdout, timeline, cli_has(args, "all"), texel, &error))
			return true;
	} else if (trace_possible(timeline, &error)) {
		bool good;

		json_begin(&json, stdout);
		good = trace_json(&json, timeline, texel, &error);
		json_end(&json);
		if (good)
			return true;
	}
	cli_fail_error(&error);
	return false;
}

static enum cli_status run(const struct cli_args *args)
{
	struct cli_session session;
	enum cli_status status = CLI_ERROR;

	if (!cli_has(args, "at") && !cli_has(args, "pixel"))
		return cli_fail("'trace' needs a moment (--at 2/57/0/13/2) or a pixel (--frame 2 --pixel 320,240).");
	if (!cli_open(args, 0, false, &session))
		return CLI_ERROR;
	if (go(args, &session) && show(args, session.timeline))
		status = CLI_DONE;
	cli_close(&session);
	return status;
}

const struct cli_command cli_cmd_trace = {
	.name = "trace", .arguments = "CAPTURE", .min_words = 1, .max_words = 1,
	.summary = "show everything the units did at a moment: setup, coverage, texels, stages, tests, blending",
	.details = "A draw shows its vertices and primitives, a primitive its edges, planes and quads, a quad its coverage and\n"
		   "fragments, a fragment every stage and test with operands; a stage the same up to that stage. A copy shows\n"
		   "what it read, its filter and where the result went; with --texel the way of one texel.",
	.examples = "qscope trace game.dff --at 2/57/0/13/2\nqscope trace game.dff --frame 2 --pixel 320,240\n"
		    "qscope trace game.dff --at 2/57 --json\nqscope trace game.dff --at 2@0x1a3c --texel 12,7",
	.options = options, .run = run,
};
