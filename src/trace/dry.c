/* dry.c - a frame without shading: registers, memory and geometry of every draw
 *
 * What a draw covers, and what one pixel gets from it, depends on registers and memory but not on the other pixels.  Only
 * copies carry pixels into memory; there the pass goes on from a real checkpoint.  So a frame is looked through in a fraction
 * of the time of a replay.  Afterwards the EFB is not that of any moment: the machine is lost, the next move restores it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "trace/timeline.h"

static void dry_draw(struct qs_timeline *t, uint32_t command, const struct trace_dry *dry)
{
	struct gx_machine *m = t->m;

	gx_apply_updates(m, command);
	if (gx_draw_begin(m, command))
		while (gx_draw_next_primitive(m))
			dry->primitive(t, dry->user);
	gx_draw_end(m);
}

/* The copy itself is done by a replay with all pixels; a checkpoint makes that cheap the next time. */
static enum trace_result over_copy(struct qs_timeline *t, uint32_t command, const struct trace_dry *dry)
{
	struct trace_position after = {.command = command + 1};
	enum trace_result result;

	if (dry->copy)
		dry->copy(t, command, false, dry->user);
	t->lost = true;
	result = trace_goto(t, &after);
	if (result)
		return result;
	trace_checkpoint_add(t);
	if (dry->copy)
		dry->copy(t, command, true, dry->user);
	if (dry->access)
		dry->access(t, command, dry->user);
	return TRACE_OK;
}

enum trace_result trace_dry_run(struct qs_timeline *t, uint32_t frame, uint32_t end, const struct trace_dry *dry)
{
	uint32_t first = qs_capture_frame(t->capture, frame)->first_command;
	struct trace_position begin = {.command = first};
	enum trace_result result;

	t->away = true;
	result = trace_goto(t, &begin);
	if (result)
		return result;
	trace_checkpoint_add(t);
	if (dry->begin)
		dry->begin(t, dry->user);
	for (uint32_t i = first; !result && i < end; i++) {
		unsigned kind = qs_capture_command(t->capture, i)->kind;
		if (kind == QS_COMMAND_COPY) {
			result = over_copy(t, i, dry);
			continue;
		}
		t->lost = true;
		if (kind == QS_COMMAND_DRAW)
			dry_draw(t, i, dry);
		else
			gx_execute(t->m, i);
		trace_accesses(t, i);
		if (dry->access)
			dry->access(t, i, dry->user);
		if (t->cancel && !t->patient)
			result = TRACE_CANCELLED;
	}
	t->lost = true;
	t->undo.valid = t->partial = false;
	return result;
}

/* ---- which draws touch what --------------------------------------------------------------------------------------------- */

void trace_touch_clear(struct qs_timeline *t)
{
	for (uint32_t i = 0; i < t->info->frame_count; i++) {
		free(t->touch[i]);
		t->touch[i] = NULL;
	}
}

bool trace_touches(const struct qs_timeline *t, uint32_t frame, uint32_t draw, int x, int y)
{
	int tile = y / 8 * TRACE_TILES_X + x / 8;

	return t->touch[frame - 1] && t->touch[frame - 1][draw][tile / 8] >> (tile % 8) & 1;
}

static void mark_primitive(struct qs_timeline *t, void *user)
{
	uint8_t (*tiles)[TRACE_TILE_BYTES] = user;
	struct trace_scout scout;
	uint16_t coverage;
	unsigned part;
	int x, y;

	trace_scout_begin(&scout, t->m);
	while (trace_scout_next(&scout, &x, &y, &coverage, &part))
		if (x >= 0 && y >= 0 && x < GX_EFB_WIDTH && y < GX_EFB_HEIGHT) {
			int tile = y / 8 * TRACE_TILES_X + x / 8;
			tiles[t->m->moment.draw][tile / 8] |= (uint8_t)(1 << (tile % 8));
		}
}

bool trace_touch_frame(struct qs_timeline *t, uint32_t frame, struct qs_error *error)
{
	const struct qs_frame *f = qs_capture_frame(t->capture, frame);
	uint8_t (*tiles)[TRACE_TILE_BYTES];
	enum trace_result result;

	if (t->touch[frame - 1])
		return true;
	tiles = calloc(f->draw_count ? f->draw_count : 1, sizeof *tiles);
	if (!tiles) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for what the draws of the frame cover.");
		return false;
	}
	struct trace_dry dry = {.user = tiles, .primitive = mark_primitive};
	result = trace_dry_run(t, frame, f->first_command + f->command_count, &dry);
	if (result) {
		free(tiles);
		return trace_fail(t, result, NULL, error);
	}
	t->touch[frame - 1] = tiles;
	return true;
}
