/* cmd_imgdiff.c - qscope imgdiff: how far two pictures are apart
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "cli/cli.h"

static const struct cli_option options[] = {
	{"tolerance", 't', "N", "largest difference of a channel that still counts as within (0..255, default 0)"},
	{"output", 'o', "DIFF.png", "write the difference as a picture, amplified"},
	CLI_JSON, CLI_END,
};

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 100.0;
}

static void print_result(const struct qs_image_difference *d, unsigned tolerance)
{
	char within[32];

	g_snprintf(within, sizeof within, "within %u/255", tolerance);
	printf("pixels          %10" PRIu64 "\n", d->pixels);
	printf("%-15s %10" PRIu64 "  %9.4f %%\n", "equal", d->equal, percent(d->equal, d->pixels));
	printf("%-15s %10" PRIu64 "  %9.4f %%\n", within, d->within, percent(d->within, d->pixels));
	printf("%-15s %10u  of 255\n", "maximum", d->maximum);
	printf("%-15s %10.5f  of 255\n", "mean", d->mean);
}

static void json_result(const struct qs_image_difference *d, unsigned tolerance)
{
	struct cli_json json;

	json_begin(&json, stdout);
	json_uint(&json, "pixels", d->pixels);
	json_uint(&json, "equal", d->equal);
	json_number(&json, "equal_percent", percent(d->equal, d->pixels));
	json_uint(&json, "tolerance", tolerance);
	json_uint(&json, "within", d->within);
	json_number(&json, "within_percent", percent(d->within, d->pixels));
	json_uint(&json, "maximum", d->maximum);
	json_number(&json, "mean", d->mean);
	json_end(&json);
}

static enum cli_status run(const struct cli_args *args)
{
	const char *output = cli_value(args, "output");
	struct qs_image a = {0}, b = {0}, picture = {0};
	struct qs_image_difference difference;
	struct qs_error error = {0};
	enum cli_status status = CLI_ERROR;
	int64_t tolerance = 0;

	if (!cli_option_number(args, "tolerance", 0, 255, &tolerance))
		return CLI_ERROR;
	if (!qs_image_read_png(&a, args->words->pdata[0], &error) || !qs_image_read_png(&b, args->words->pdata[1], &error) ||
		!qs_image_compare(&a, &b, (unsigned)tolerance, &difference, output ? &picture : NULL, &error) ||
		(output && !qs_image_write_png(&picture, output, &error))) {
		cli_fail_error(&error);
	} else {
		if (cli_has(args, "json"))
			json_result(&difference, (unsigned)tolerance);
		else
			print_result(&difference, (unsigned)tolerance);
		status = difference.within == difference.pixels ? CLI_DONE : CLI_DIFFERENT;
	}
	qs_image_finish(&a);
	qs_image_finish(&b);
	qs_image_finish(&picture);
	return status;
}

const struct cli_command cli_cmd_imgdiff = {
	.name = "imgdiff", .arguments = "A.png B.png", .min_words = 2, .max_words = 2,
	.summary = "compare two pictures: equal pixels, within a tolerance, maximum, mean",
	.details = "Alpha is ignored. The exit status is 1 when a pixel is not within the tolerance.",
	.examples = "qscope imgdiff --tolerance 8 -o diff.png frame.png reference.png",
	.options = options, .run = run,
};
