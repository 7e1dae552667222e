/* checkpoint.c - which snapshots are kept
 *
 * One at the start, one per frame, and one wherever replay since the last has taken longer than a limit, so that dense
 * stretches get more of them.  When the pages exceed the budget, those go whose loss makes the longest replay least longer.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "trace/timeline.h"

double trace_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

int trace_position_compare(const struct trace_position *a, const struct trace_position *b)
{
	if (a->command != b->command)
		return a->command < b->command ? -1 : 1;
	if (a->inside != b->inside)
		return a->inside ? 1 : -1;
	if (!a->inside)
		return 0;
	if (a->primitive != b->primitive)
		return a->primitive < b->primitive ? -1 : 1;
	return a->quad < b->quad ? -1 : a->quad > b->quad;
}

void trace_checkpoint_clear(struct qs_timeline *t)
{
	for (size_t i = 0; i < t->checkpoint_count; i++)
		trace_snapshot_unref(t, t->checkpoint[i].snapshot);
	t->checkpoint_count = 0;
	trace_snapshot_unref(t, t->base);
	t->base = NULL;
}

/* Index of the first checkpoint after the position. */
static size_t upper(const struct qs_timeline *t, const struct trace_position *position)
{
	size_t low = 0, high = t->checkpoint_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (trace_position_compare(&t->checkpoint[middle].at, position) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct trace_checkpoint *trace_checkpoint_before(const struct qs_timeline *t, const struct trace_position *position)
{
	size_t i = upper(t, position);

	return i ? &t->checkpoint[i - 1] : NULL;
}

static void drop(struct qs_timeline *t, size_t i)
{
	trace_snapshot_unref(t, t->checkpoint[i].snapshot);
	if (i + 1 < t->checkpoint_count)
		t->checkpoint[i + 1].cost += t->checkpoint[i].cost;
	t->checkpoint_count--;
	memmove(&t->checkpoint[i], &t->checkpoint[i + 1], (t->checkpoint_count - i) * sizeof *t->checkpoint);
}

/* Far from where the person is a long replay matters less. */
static double loss(const struct qs_timeline *t, size_t i, size_t here)
{
	double merged = t->checkpoint[i].cost + (i + 1 < t->checkpoint_count ? t->checkpoint[i + 1].cost : 0);
	size_t distance = i > here ? i - here : here - i;

	return merged / (double)(8 + distance);
}

static void thin(struct qs_timeline *t, size_t here)
{
	while (t->page_bytes > t->page_budget && t->checkpoint_count > 3) {
		size_t best = 0;
		for (size_t i = 1; i < t->checkpoint_count; i++)
			if (i != here && (!best || loss(t, i, here) < loss(t, best, here)))
				best = i;
		if (!best)
			return;
		drop(t, best);
		here -= best < here;
	}
}

static bool reserve(struct qs_timeline *t)
{
	if (t->checkpoint_count < t->checkpoint_room)
		return true;
	size_t room = t->checkpoint_room ? t->checkpoint_room * 2 : 64;
	struct trace_checkpoint *grown = realloc(t->checkpoint, room * sizeof *grown);
	if (!grown)
		return false;
	t->checkpoint = grown;
	t->checkpoint_room = room;
	return true;
}

bool trace_checkpoint_add(struct qs_timeline *t)
{
	size_t i = upper(t, &t->at);

	t->since += trace_clock() - t->started;
	if (!i || trace_position_compare(&t->checkpoint[i - 1].at, &t->at)) {
		struct trace_snapshot *snapshot = reserve(t) ? trace_snapshot_take(t) : NULL;
		if (!snapshot)
			return false;
		memmove(&t->checkpoint[i + 1], &t->checkpoint[i], (t->checkpoint_count - i) * sizeof *t->checkpoint);
		t->checkpoint[i] = (struct trace_checkpoint){.at = t->at, .snapshot = snapshot, .cost = t->since};
		t->checkpoint_count++;
		if (i + 1 < t->checkpoint_count) {
			double *next = &t->checkpoint[i + 1].cost;
			*next = *next > t->since ? *next - t->since : 0;
		}
		thin(t, i);
	}
	t->since = 0;
	t->since_at = t->at;
	t->started = trace_clock();
	return true;
}

void trace_checkpoint_consider(struct qs_timeline *t, double limit)
{
	double now = trace_clock();

	t->since += now - t->started;
	t->started = now;
	if (t->since <= limit)
		return;
	/* on known ground one was passed on the way */
	const struct trace_checkpoint *last = trace_checkpoint_before(t, &t->at);
	if (last && trace_position_compare(&last->at, &t->since_at) > 0) {
		t->since = 0;
		t->since_at = t->at;
		return;
	}
	trace_checkpoint_add(t);
}
