/* debug_pipeline.c - who draws, and with which programs
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "cli/debug.h"

DEBUG_RUN(debug_pipeline)
{
	struct qs_timeline *timeline = dbg->session.timeline;
	uint32_t frames = qs_capture_info(dbg->session.capture)->frame_count;
	struct qs_error trouble;

	(void)rest;
	if (word[0]) {
		uint32_t from = 0;
		if (word[1] && strcmp(word[1], "all") != 0)
			return debug_fail(error, "After the pipeline only 'all' is possible, not '%s'.", word[1]);
		if (word[1])
			from = 1;
		if (!cli_set_pipeline(timeline, word[0], from, NULL, error))
			return false;
	}
	if (qs_timeline_pipeline_trouble(timeline, &trouble))
		printf("  %s\n", trouble.text);
	for (uint32_t frame = 1; frame <= frames;) {
		enum qs_pipeline pipeline = qs_timeline_pipeline(timeline, frame);
		uint32_t last = frame;
		while (last < frames && qs_timeline_pipeline(timeline, last + 1) == pipeline)
			last++;
		if (last > frame)
			printf("pipeline %s in frames %u to %u\n", qs_pipeline_name(pipeline), frame, last);
		else
			printf("pipeline %s in frame %u\n", qs_pipeline_name(pipeline), frame);
		frame = last + 1;
	}
	return true;
}

DEBUG_RUN(debug_program)
{
	(void)word;
	(void)rest;
	return cli_print_program(stdout, dbg->session.timeline, error);
}
