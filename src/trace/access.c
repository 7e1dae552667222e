/* access.c - accesses of the processor that somebody added, at their places in the timeline
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>

#include "trace/timeline.h"

void trace_accesses(struct qs_timeline *t, uint32_t command)
{
	for (unsigned i = 0; i < t->access_count; i++)
		if (t->access[i].command == command)
			gx_access(t->m, &t->access[i]);
}

/* Only the Flipper has this window. */
static bool has_window(const struct qs_timeline *t, struct qs_error *error)
{
	if (!t->gfx3d)
		return true;
	qs_error_set(error, QS_ERR_UNSUPPORTED, 0, "The processor's window on the EFB belongs to the Flipper; this capture is of another machine.");
	return false;
}

static bool refuse(const struct qs_access *a, struct qs_error *error)
{
	if (a->kind == QS_ACCESS_REGISTER)
		qs_error_set(error, QS_ERR_RANGE, 0, "The processor can set ZCONF, ALPHACONF, DSTALPHA, ALPHAMODE and ALPHAREAD to 16-bit values, "
			"not 0x%02x to 0x%" PRIx32 ".", a->x, a->value);
	else
		qs_error_set(error, QS_ERR_RANGE, 0, "There is no pixel %u,%u to access: the EFB has 640 x 528.", a->x, a->y);
	return false;
}

bool qs_timeline_peek(struct qs_timeline *t, enum qs_access_kind kind, int x, int y, uint32_t *value, struct qs_error *error)
{
	const struct qs_access a = {.kind = (uint8_t)kind, .x = (uint16_t)x, .y = (uint16_t)y};

	if (!has_window(t, error))
		return false;
	if (x < 0 || y < 0 || x > UINT16_MAX || y > UINT16_MAX || kind == QS_ACCESS_REGISTER || !gx_access_possible(&a))
		return refuse(&a, error);
	gx_sync(t->m);
	*value = gx_peek(t->m, kind == QS_ACCESS_DEPTH, x, y);
	return true;
}

uint32_t qs_timeline_access_add(struct qs_timeline *t, const struct qs_access *access, struct qs_error *error)
{
	if (!has_window(t, error))
		return 0;
	if (!gx_access_possible(access)) {
		refuse(access, error);
		return 0;
	}
	if (access->command != QS_NONE && access->command >= t->info->command_count) {
		qs_error_set(error, QS_ERR_RANGE, 0, "The capture has no command %" PRIu32 ".", access->command);
		return 0;
	}
	if (t->access_count == TRACE_ACCESSES) {
		qs_error_set(error, QS_ERR_RANGE, 0, "At most %u accesses can be added.", TRACE_ACCESSES);
		return 0;
	}
	if (!trace_start(t, error))
		return 0;
	t->access_id[t->access_count] = ++t->access_next;
	t->access[t->access_count++] = *access;
	trace_start_again(t);
	return t->access_next;
}

const struct qs_access *qs_timeline_access_at(const struct qs_timeline *t, uint32_t i)
{
	return i < t->access_count ? &t->access[i] : NULL;
}

bool qs_timeline_access_remove(struct qs_timeline *t, uint32_t id)
{
	unsigned i = 0;

	while (i < t->access_count && t->access_id[i] != id)
		i++;
	if (i == t->access_count || !trace_start(t, NULL))
		return false;
	t->access_count--;
	for (; i < t->access_count; i++) {
		t->access[i] = t->access[i + 1];
		t->access_id[i] = t->access_id[i + 1];
	}
	trace_start_again(t);
	return true;
}

uint32_t qs_timeline_access_count(const struct qs_timeline *t)
{
	return t->access_count;
}
