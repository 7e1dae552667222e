/* cmd_render.c - qscope render: a buffer at a moment as PNG
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "cli/cli.h"

static const struct cli_option options[] = {
	{"output", 'o', "FILE.png", "the file to write (needed)"},
	{"frame", 'f', "N", "the end of frame N (default 1)"},
	CLI_AT,
	{"buffer", 'b', "BUFFER", "color (default), alpha, depth, coverage, copy or xfb"},
	CLI_MODEL, CLI_QUIRK, CLI_PIPELINE, CLI_END,
};

static bool parse_buffer(const char *name, enum qs_buffer *buffer)
{
	struct cli_nearest nearest;
	char hint[64];

	if (!name || qs_buffer_parse(name, buffer))
		return true;
	cli_nearest_begin(&nearest, name);
	for (unsigned i = 0; i < QS_BUFFER_COUNT; i++)
		cli_nearest_offer(&nearest, qs_buffer_name((enum qs_buffer)i));
	cli_fail("There is no buffer '%s' (buffers: color, alpha, depth, coverage, copy, xfb)%s", name,
		cli_nearest_hint(&nearest, hint, sizeof hint));
	return false;
}

static enum cli_status run(const struct cli_args *args)
{
	const char *output = cli_value(args, "output");
	enum qs_buffer buffer = QS_BUFFER_COLOR;
	enum cli_status status = CLI_ERROR;
	struct cli_session session;
	struct qs_image image = {0};
	struct qs_error error = {0};

	if (!output)
		return cli_fail("'render' needs a file to write to: -o FILE.png.");
	if (!parse_buffer(cli_value(args, "buffer"), &buffer) || !cli_open(args, 0, false, &session))
		return CLI_ERROR;
	if (cli_seek(args, &session, false)) {
		if (qs_timeline_image(session.timeline, buffer, &image, &error) && qs_image_write_png(&image, output, &error))
			status = CLI_DONE;
		else
			cli_fail_error(&error);
	}
	qs_image_finish(&image);
	cli_close(&session);
	return status;
}

const struct cli_command cli_cmd_render = {
	.name = "render", .arguments = "CAPTURE -o FILE.png", .min_words = 1, .max_words = 1,
	.summary = "draw a frame or any moment of it and write a buffer as PNG",
	.details =
		"color, alpha and depth are the embedded frame buffer; with --frame as the frame's display copy read it.\n"
		"coverage shows what the current draw covered. copy is the RGB of the last display copy, xfb the same after\n"
		"YUV 4:2:2 and back. 'qscope regs --quirks' lists the quirks.",
	.examples = "qscope render game.dff --frame 2 -o frame2.png\n"
		    "qscope render game.dff --at 2/57/3 --buffer depth -o depth.png\n"
		    "qscope render game.dff --model dolphin --buffer xfb -o xfb.png\n"
		    "qscope render game.dff --quirk bilinear=1 -o other.png\n"
		    "qscope render game.dff --pipeline shader -o host.png",
	.options = options, .run = run,
};
