/* qsc_index.c - a capture of calls as a struct qs_capture: commands, draws, frames
 *
 * A frame ends with the call `end`.  Calls after the last one that draw nothing belong to the last frame, so that a program which
 * reads its picture and frees everything has no empty frame at the end.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "file/capture.h"
#include "gfx3d/qsc.h"

struct index {
	struct qs_capture *capture;
	size_t size; /* of the stream */
	size_t frame_room, extent_room, draw_count;
	struct qs_error *error;
};

static bool no_memory(struct index *x)
{
	qs_error_set(x->error, QS_ERR_NOMEM, 0, "No memory to read the calls of %s.", x->capture->path);
	return false;
}

/* Opens a frame at the byte; extents has one more than there are frames. */
static bool open_frame(struct index *x, size_t at)
{
	struct qs_capture *c = x->capture;
	uint32_t n = c->info.frame_count;

	if (!capture_grow(&c->frames, n, &x->frame_room, sizeof *c->frames) ||
	    !capture_grow(&c->extents, (size_t)n + 1, &x->extent_room, sizeof *c->extents))
		return no_memory(x);
	c->frames[n] = (struct qs_frame){.first_command = c->info.command_count, .fifo_offset = at};
	c->extents[n] = (struct capture_frame_extent){.first_draw = (uint32_t)x->draw_count};
	c->info.frame_count++;
	return true;
}

static void close_frame(struct index *x, size_t at)
{
	struct qs_capture *c = x->capture;
	struct qs_frame *f = &c->frames[c->info.frame_count - 1];

	f->command_count = c->info.command_count - f->first_command;
	f->fifo_size = (uint32_t)(at - f->fifo_offset);
	f->draw_count = (uint32_t)x->draw_count - c->extents[c->info.frame_count - 1].first_draw;
}

static bool add_command(struct index *x, size_t at, size_t size, const struct g3_call *call)
{
	struct qs_capture *c = x->capture;
	const struct g3_call_info *info = call ? g3_call_info(call->op) : NULL;
	struct qs_command *command;

	if (!capture_grow(&c->commands, c->info.command_count, &c->command_room, sizeof *c->commands) ||
	    !capture_grow(&c->draws, x->draw_count, &c->draw_room, sizeof *c->draws))
		return no_memory(x);
	command = &c->commands[c->info.command_count];
	*command = (struct qs_command){.frame = c->info.frame_count, .size = (uint32_t)size, .parent = QS_NONE, .draw = QS_NONE,
		.offset = (uint32_t)(at - c->frames[c->info.frame_count - 1].fifo_offset),
		.kind = info ? QS_COMMAND_CALL : QS_COMMAND_BAD, .opcode = call ? (uint8_t)call->op : 0};
	if (info && info->flags & G3_CALL_DRAW) {
		command->kind = QS_COMMAND_DRAW;
		command->draw = (uint32_t)x->draw_count - c->extents[c->info.frame_count - 1].first_draw;
		c->draws[x->draw_count++] = c->info.command_count;
	}
	c->info.command_count++;
	return true;
}

static bool index_calls(struct index *x, qs_progress_fn progress, void *user)
{
	struct qs_capture *c = x->capture;
	size_t at = 0, used, last_end = 0;
	struct g3_call call;
	uint32_t count = 0;

	while (at < x->size && (used = qsc_parse(c->stream + at, x->size - at, &call))) {
		if (g3_call_info(call.op)->flags & (G3_CALL_FRAME_END | G3_CALL_DRAW))
			last_end = at;
		at += used;
	}
	if (x->size && !open_frame(x, 0))
		return false;
	for (at = 0; at < x->size; at += used) {
		used = qsc_parse(c->stream + at, x->size - at, &call);
		if (!used) {
			capture_warn(c, at, c->info.command_count, "The calls are damaged 0x%zx bytes after their beginning; the rest is not read.",
				at);
			c->info.truncated = true;
			used = x->size - at;
			if (!add_command(x, at, used, NULL))
				return false;
			continue;
		}
		if (!add_command(x, at, used, &call))
			return false;
		if (g3_call_info(call.op)->flags & G3_CALL_FRAME_END && at < last_end) {
			close_frame(x, at + used);
			if (!open_frame(x, at + used))
				return false;
		}
		if (progress && ++count % 4096 == 0 && !progress((double)at / (double)x->size, user)) {
			qs_error_set(x->error, QS_ERR_CANCELLED, 0, "Opening %s was stopped.", c->path);
			return false;
		}
	}
	if (x->size)
		close_frame(x, x->size);
	return true;
}

bool qsc_capture_read(struct qs_capture *capture, qs_progress_fn progress, void *user, struct qs_error *error)
{
	struct qsc_stream stream;
	struct index x = {.capture = capture, .error = error};

	if (!qsc_read(capture->bytes, capture->size, &stream, error))
		return false;
	capture->info.format = "Gfx3D calls";
	capture->info.machine = QS_MACHINE_GFX3D;
	capture->info.version = stream.version;
	capture->info.min_loader_version = stream.min_version;
	capture->info.truncated = stream.truncated;
	capture->stream = stream.calls;
	if (stream.truncated)
		capture_warn(capture, stream.warning_offset, QS_NONE, "%s", stream.warning);
	x.size = stream.size;
	if (!index_calls(&x, progress, user))
		return false;
	if (!capture->info.frame_count) { /* questions index these arrays */
		capture->extents = calloc(1, sizeof *capture->extents);
		if (!capture->extents)
			return no_memory(&x);
	}
	capture->extents[capture->info.frame_count].first_draw = (uint32_t)x.draw_count;
	capture->info.draw_count = (uint32_t)x.draw_count;
	return true;
}

char *qsc_command_text(const struct qs_capture *capture, const struct qs_command *command, char *buffer, size_t size)
{
	struct g3_call call;
	const uint8_t *p = capture->stream + capture->frames[command->frame - 1].fifo_offset + command->offset;

	if (qsc_parse(p, command->size, &call))
		return qsc_text(&call, buffer, size);
	if (size)
		buffer[0] = '\0';
	return strncat(buffer, "damaged", size ? size - 1 : 0);
}
