/* replay.c - taps of the caller over a stretch of the timeline
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/timeline.h"

/* The machine ran on to the end of a batch or draw when a tap stopped it: the event's own moment is gone back to. */
static enum trace_result settle(struct qs_timeline *t)
{
	struct qs_moment stop = t->stop;
	enum trace_result result;

	trace_set_taps(t, NULL);
	t->filtered = false;
	result = trace_goto_moment(t, &stop);
	return result ? result : TRACE_STOPPED;
}

enum trace_result trace_run(struct qs_timeline *t, const struct qs_moment *to, const struct qs_taps *taps,
	const struct qs_rect *filter)
{
	enum trace_result result;

	t->filtered = filter != NULL;
	if (filter)
		t->filter = *filter;
	trace_set_taps(t, taps);
	t->running = taps != NULL;
	result = trace_goto_moment(t, to);
	t->running = false;
	if (result == TRACE_STOPPED)
		result = settle(t);
	trace_set_taps(t, NULL);
	t->filtered = false;
	return result;
}

bool qs_timeline_replay(struct qs_timeline *t, const struct qs_moment *from, const struct qs_moment *to,
	const struct qs_taps *taps, struct qs_error *error)
{
	struct qs_moment start = {.level = QS_LEVEL_START}, end = {.level = QS_LEVEL_FRAME, .frame = t->info->frame_count};
	struct qs_moment before = t->moment;
	enum trace_result result;

	if (!trace_start(t, error))
		return false;
	if (!t->info->frame_count)
		end.level = QS_LEVEL_START;
	if (!trace_resolve(t, from ? from : &start, &start, error) || !trace_resolve(t, to ? to : &end, &end, error))
		return false;
	if (qs_moment_compare(&start, &end) > 0) {
		qs_error_set(error, QS_ERR_RANGE, 0, "A replay cannot end before it begins.");
		return false;
	}
	result = trace_goto_moment(t, &start);
	if (!result && start.level >= QS_LEVEL_FRAGMENT && t->undo.valid && qs_moment_compare(&start, &end))
		trace_undo(t); /* the quad is done after `from`, so it is reported whole */
	if (!result)
		result = trace_run(t, &end, taps, NULL);
	if (result == TRACE_OK || result == TRACE_STOPPED)
		return true;
	t->moment = before;
	t->away = true;
	return trace_fail(t, result, result == TRACE_MISSING ? &end : NULL, error);
}
