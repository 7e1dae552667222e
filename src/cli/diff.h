/* diff.h - showing a comparison: diff_print.c as text and JSON, diff_report.c as a page
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_DIFF_H
#define CLI_DIFF_H

#include "cli/cli.h"

struct diff_view {
	struct qs_capture *capture;
	const char *path;
	uint32_t frame;
	struct qs_source a, b;
	const struct qs_comparison *result;
};

void diff_print(const struct diff_view *view);
void diff_json(const struct diff_view *view);
/* index.html with a.png, b.png and difference.png; false after a message. */
bool diff_report(const struct diff_view *view, const char *folder);

double diff_percent(uint64_t part, uint64_t whole);
/* "TEV stage 2", "coverage" */
char *diff_unit(const struct qs_divergence *d, char *buffer, size_t size);

#endif
