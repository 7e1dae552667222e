/* lint.c - runs the commands of a capture without drawing, and looks at each
 *
 * Draws and copies only change the EFB and the memory that copies write; everything else that the checks ask for (registers,
 * TMEM, loaded memory) is there after the cheap commands.  Memory that a copy would have written is kept as ranges.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bits.h"
#include "gx/lint.h"

/* ---- messages ------------------------------------------------------------------------------------------------------------- */

static struct qs_lint_message *append(struct lint *l, enum qs_lint_severity severity, const char *check, uint64_t detail,
	const char *text)
{
	if (l->count == l->room) {
		uint32_t room = l->room ? 2 * l->room : 32;
		struct qs_lint_message *message = realloc(l->message, room * sizeof *message);
		if (message)
			l->message = message;
		struct lint_key *key = realloc(l->key, room * sizeof *key);
		if (key)
			l->key = key;
		if (!message || !key) {
			l->failed = true;
			return NULL;
		}
		l->room = room;
	}
	struct qs_lint_message *m = &l->message[l->count];
	*m = (struct qs_lint_message){.severity = (uint8_t)severity, .check = check, .count = 1, .text = malloc(strlen(text) + 1)};
	if (!m->text) {
		l->failed = true;
		return NULL;
	}
	strcpy(m->text, text);
	l->key[l->count++] = (struct lint_key){detail, l->m->command};
	return m;
}

void lint_report(struct lint *l, enum qs_lint_severity severity, const char *check, uint64_t detail, const char *format, ...)
{
	char text[400];
	va_list args;

	if (l->silent)
		return;
	for (uint32_t i = 0; i < l->count; i++)
		if (l->key[i].detail == detail && !strcmp(l->message[i].check, check)) {
			l->message[i].count += l->key[i].command != l->m->command;
			l->key[i].command = l->m->command;
			return;
		}
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	struct qs_lint_message *m = append(l, severity, check, detail, text);
	if (m)
		qs_moment_of_command(l->capture, l->m->command, &m->moment);
}

/* What the loader found. */
static void capture_warnings(struct lint *l, uint32_t frame)
{
	const struct qs_capture_info *info = qs_capture_info(l->capture);

	for (uint32_t i = 0; i < info->warning_count; i++) {
		const struct qs_warning *w = qs_capture_warning(l->capture, i);
		const struct qs_command *c = w->command == QS_NONE ? NULL : qs_capture_command(l->capture, w->command);
		if (frame && c && c->frame != frame)
			continue;
		bool bad = c && c->kind == QS_COMMAND_BAD;
		struct qs_lint_message *m = append(l, bad ? QS_LINT_ERROR : QS_LINT_WARNING, bad ? "bad_command" : "file", i, w->text);
		if (m && c)
			qs_moment_of_command(l->capture, w->command, &m->moment);
	}
}

/* ---- copies --------------------------------------------------------------------------------------------------------------- */

static void check_copy_source(struct lint *l, uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
	uint32_t lines = bits(lint_bp(l, 0x00), 9, 1) ? GX_EFB_HEIGHT / 2 : GX_EFB_HEIGHT;

	if (x + width > GX_EFB_WIDTH || y + height > lines)
		lint_report(l, QS_LINT_WARNING, "copy_source", (uint64_t)x << 48 | (uint64_t)y << 32 | width << 16 | height,
			"The copy reads %ux%u pixels from (%u, %u), which is more than the EFB has (%ux%u): what lies outside is junk.", width,
			height, x, y, GX_EFB_WIDTH, lines);
}

static void check_filter(struct lint *l, uint32_t command)
{
	uint32_t f0 = lint_bp(l, 0x53), f1 = lint_bp(l, 0x54), sum = 0;

	for (unsigned i = 0; i < 7; i++)
		sum += i < 4 ? bits(f0, 6 * i, 6) : bits(f1, 6 * (i - 4), 6);
	if (!sum)
		lint_report(l, QS_LINT_WARNING, "filter_black", 0, "The weights of the vertical filter (PE_COPY_VFILTER) are all 0%s: the "
			"copied picture is black.", lint_bp_unset(l, 0x53) && lint_bp_unset(l, 0x54) ? " and never written" : "");
	else if (sum != 64)
		lint_report(l, QS_LINT_NOTE, "filter_sum", sum, "The weights of the vertical filter add up to %u, not 64: the copied picture "
			"gets %s.", sum, sum > 64 ? "brighter" : "darker");
	if (bits(command, 7, 2) == 3)
		lint_report(l, QS_LINT_NOTE, "gamma_code", 0, "The copy's gamma code is 3; the hardware takes it as 2 (2.2).");
}

static void check_display_copy(struct lint *l, uint32_t command, uint32_t width)
{
	uint32_t stride = bits(lint_bp(l, 0x4D), 0, 10) * 32, scale = bits(lint_bp(l, 0x4E), 0, 9);

	l->display_copies++;
	if (stride < width * 2)
		lint_report(l, QS_LINT_WARNING, "copy_stride", stride, "The display copy writes lines of %u bytes %u bytes apart: they "
			"overlap.", width * 2, stride);
	if (!scale && bits(command, 10, 1))
		lint_report(l, QS_LINT_WARNING, "copy_scale", 0, "The display copy scales vertically, but PE_COPY_SCALE is 0.");
	if (bits(command, 12, 2))
		lint_report(l, QS_LINT_NOTE, "copy_field", bits(command, 12, 2), "The display copy takes only %s lines.",
			bits(command, 12, 2) == 2 ? "even" : bits(command, 12, 2) == 3 ? "odd" : "(reserved code 1)");
}

/* Remembers what the copy would write: rows of tiles, as 07-pe section 7.6. */
static void check_texture_copy(struct lint *l, uint32_t command, uint32_t address, uint32_t width, uint32_t height)
{
	/* memory format of each copy format */
	static const uint8_t layout[13] = {0, 1, 2, 3, 4, 5, 6, 1, 1, 1, 1, 3, 3};
	uint32_t format = bits(command, 3, 1) << 3 | bits(command, 4, 3), stride = bits(lint_bp(l, 0x4D), 0, 10) * 32;
	unsigned tile_width, tile_height, tile_bytes;

	if (format >= sizeof layout) {
		lint_report(l, QS_LINT_WARNING, "copy_format", format, "The copy's texture format %u is reserved.", format);
		return;
	}
	if (bits(command, 9, 1)) {
		width = (width + 1) / 2;
		height = (height + 1) / 2;
	}
	gx_texfmt_tile(layout[format], &tile_width, &tile_height, &tile_bytes);
	uint32_t row = (width + tile_width - 1) / tile_width * tile_bytes, rows = (height + tile_height - 1) / tile_height;
	if (stride < row && rows > 1)
		lint_report(l, QS_LINT_WARNING, "copy_stride", (uint64_t)row << 32 | stride, "The copy writes rows of tiles of %u bytes %u "
			"bytes apart: they overlap.", row, stride);
	struct lint_copied *c = &l->copied[l->copied_count++ % LINT_COPIES];
	*c = (struct lint_copied){address & 0x1FFFFFFF, stride * (rows - 1) + row, true};
}

static void check_copy(struct lint *l, uint32_t command)
{
	uint32_t source = lint_bp(l, 0x49), size = lint_bp(l, 0x4A), width = bits(size, 0, 10) + 1, height = bits(size, 10, 10) + 1;
	uint32_t address = lint_bp(l, 0x4B) << 5;

	check_copy_source(l, bits(source, 0, 10), bits(source, 10, 10), width, height);
	check_filter(l, command);
	if (!gx_memory_at(&l->m->memory, address, 32))
		lint_report(l, QS_LINT_WARNING, "copy_destination", address, "The copy writes to 0x%08x, which is outside memory.", address);
	else if (!address)
		lint_report(l, QS_LINT_WARNING, "copy_destination", 0, "The copy writes to address 0%s.",
			lint_bp_unset(l, 0x4B) ? ": PE_COPY_DST_BASE0 was never written" : "");
	if (bits(command, 14, 1))
		check_display_copy(l, command, width);
	else
		check_texture_copy(l, command, address, width, height);
}

/* ---- commands ------------------------------------------------------------------------------------------------------------- */

static void check_list(struct lint *l, const uint8_t *bytes)
{
	uint32_t address = be32(bytes + 1), size = be32(bytes + 5), real = size & ~31u;

	if ((address | size) & 31)
		lint_report(l, QS_LINT_WARNING, "list_alignment", address, "The display list at 0x%08x has 0x%x bytes; the hardware rounds both "
			"down to multiples of 32.", address, size);
	const uint8_t *memory = gx_memory_at(&l->m->memory, address & ~31u, real);
	if (!real || !memory)
		return; /* outside memory: the loader says so */
	for (uint32_t i = 0; i < real; i++)
		if (memory[i])
			return;
	lint_report(l, QS_LINT_WARNING, "list_empty", address, "The display list at 0x%08x is all zero: it was never loaded.", address);
}

/* BP 52 without the copy itself: the value passes the write mask as any other. */
static uint32_t store_copy(struct lint *l, const uint8_t *bytes)
{
	struct gx_state *s = &l->m->state;

	s->bp[0x52] = (s->bp[0x52] & ~s->bp_mask) | (be24(bytes + 2) & s->bp_mask);
	s->bp_writer[0x52] = l->m->command;
	s->bp_mask = 0xFFFFFF;
	return s->bp[0x52];
}

static void check_bp(struct lint *l, const uint8_t *bytes)
{
	if (bytes[1] != 0x66) /* texture cache */
		return;
	for (unsigned i = 0; i < LINT_COPIES; i++)
		l->copied[i].stale = false;
}

static void check_draw(struct lint *l)
{
	const struct qs_command *c = l->command;
	bool frozen = bits(lint_bp(l, 0x00), 19, 1);

	/* GX sends a strip without vertices to flush the pipe, whatever the state is then (01-cp section 1) */
	if (c->size < 3 || !be16(qs_capture_command_bytes(l->capture, l->m->command) + 1))
		return;
	if ((c->opcode & 0xF8) == 0x88)
		lint_report(l, QS_LINT_NOTE, "opcode_88", 0, "The draw uses opcode 0x%02x, an odd form of quads that no known program uses; models "
			"differ about it (quirk quads2).", c->opcode);
	if (frozen && !l->plane)
		lint_report(l, QS_LINT_WARNING, "zfreeze", 0, "The draw uses the depth plane of an earlier triangle (zfreeze), but the capture has "
			"none before it.");
	l->plane |= !frozen;
	lint_pixel(l);
	lint_vertex(l);
}

static void step(struct lint *l, uint32_t number)
{
	const uint8_t *bytes = qs_capture_command_bytes(l->capture, number);

	l->command = qs_capture_command(l->capture, number);
	l->m->command = number;
	switch (l->command->kind) {
	case QS_COMMAND_DRAW:
		gx_apply_updates(l->m, number);
		check_draw(l);
		break;
	case QS_COMMAND_COPY:
		gx_apply_updates(l->m, number);
		check_copy(l, store_copy(l, bytes));
		break;
	case QS_COMMAND_LIST:
		gx_execute(l->m, number);
		check_list(l, bytes);
		break;
	case QS_COMMAND_BP:
		gx_execute(l->m, number);
		check_bp(l, bytes);
		break;
	default:
		gx_execute(l->m, number);
		break;
	}
}

/* Updates that the loader moved before the primitives that use them: dff-format section 2.1. */
static void check_late_updates(struct lint *l, uint32_t number)
{
	const struct qs_update *update;
	uint32_t count = qs_capture_updates(l->capture, number, &update), offset = l->command->offset;

	if (l->command->parent != QS_NONE)
		offset = qs_capture_command(l->capture, l->command->parent)->offset;
	for (uint32_t i = 0; i < count; i++)
		if (update[i].type == QS_UPDATE_TEXTURE && update[i].frame == l->command->frame && update[i].fifo_position > offset)
			lint_report(l, QS_LINT_NOTE, "late_update", 0, "The log has the texture data at 0x%08x only behind the draw that uses it, as "
				"recorders write it; it is loaded before the draw.", update[i].address);
}

#define GFX3D_RESULT 12 /* of a recorded call: docs/qsc-format.md */

/* The other machine has no registers that could be forgotten. */
static void step_gfx3d(struct lint *l, uint32_t number)
{
	const uint8_t *bytes = qs_capture_command_bytes(l->capture, number);

	if (l->command->kind == QS_COMMAND_DRAW && l->command->size >= GFX3D_RESULT + 4 &&
	    (bytes[GFX3D_RESULT] | bytes[GFX3D_RESULT + 1] | bytes[GFX3D_RESULT + 2] | bytes[GFX3D_RESULT + 3]))
		lint_report(l, QS_LINT_WARNING, "failed_draw", 0, "The draw failed when it was recorded: nothing of it is drawn, or only the triangles "
			"before a bad index.");
}

static bool run_frame(struct lint *l, uint32_t number, double first, double last, qs_progress_fn progress, void *user)
{
	const struct qs_frame *frame = qs_capture_frame(l->capture, number);
	const bool gfx3d = qs_capture_info(l->capture)->machine == QS_MACHINE_GFX3D;

	l->display_copies = 0;
	for (uint32_t i = 0; i < frame->command_count && !l->failed; i++) {
		if (progress && !(i & 0xFFFF) && !progress(first + (last - first) * i / frame->command_count, user))
			return false;
		l->command = qs_capture_command(l->capture, frame->first_command + i);
		l->m->command = frame->first_command + i;
		if (gfx3d) {
			step_gfx3d(l, frame->first_command + i);
			continue;
		}
		check_late_updates(l, frame->first_command + i);
		step(l, frame->first_command + i);
	}
	if (!l->display_copies && frame->command_count && !gfx3d)
		lint_report(l, QS_LINT_WARNING, "no_display_copy", 0, "Frame %" PRIu32 " has no display copy: nothing of it is shown.", number);
	if (l->display_copies > 1)
		lint_report(l, QS_LINT_NOTE, "display_copies", 0, "Frame %" PRIu32 " has %" PRIu32 " display copies.", number, l->display_copies);
	return true;
}

/* ---- public --------------------------------------------------------------------------------------------------------------- */

static int compare_messages(const void *a, const void *b)
{
	const struct qs_lint_message *x = a, *y = b;
	/* START has no command; a stable order needs no more than the command, since one command's messages stay together */
	uint32_t cx = x->moment.level == QS_LEVEL_START ? 0 : x->moment.command + 1;
	uint32_t cy = y->moment.level == QS_LEVEL_START ? 0 : y->moment.command + 1;

	return cx != cy ? (cx < cy ? -1 : 1) : (x->severity != y->severity ? y->severity - x->severity : strcmp(x->check, y->check));
}

bool qs_capture_lint(const struct qs_capture *capture, uint32_t frame, struct qs_lint_message **messages, uint32_t *count,
	qs_progress_fn progress, void *user, struct qs_error *error)
{
	const struct qs_capture_info *info = qs_capture_info(capture);
	uint32_t last = frame ? frame : info->frame_count;
	struct lint *l;
	bool done = true;

	*messages = NULL;
	*count = 0;
	if (frame > info->frame_count) {
		qs_error_set(error, QS_ERR_RANGE, 0, "There is no frame %" PRIu32 "; the capture has %" PRIu32 ".", frame, info->frame_count);
		return false;
	}
	l = calloc(1, sizeof *l);
	if (l) {
		l->capture = capture;
		l->m = gx_machine_create(info->mem1_size, info->mem2_size);
	}
	if (!l || !l->m) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory to look through the capture.");
		free(l);
		return false;
	}
	gx_machine_reset(l->m, capture);
	capture_warnings(l, frame);
	for (uint32_t f = 1; f <= last && done && !l->failed; f++) {
		l->silent = frame && f < frame;
		done = run_frame(l, f, (double)(f - 1) / last, (double)f / last, progress, user);
	}
	if (l->failed)
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for the messages about the capture.");
	else if (!done)
		qs_error_set(error, QS_ERR_CANCELLED, 0, "Looking through the capture was cancelled.");
	done = done && !l->failed;
	if (done) {
		if (l->count)
			qsort(l->message, l->count, sizeof *l->message, compare_messages);
		*messages = l->message;
		*count = l->count;
	} else {
		qs_lint_free(l->message, l->count);
	}
	free(l->key);
	gx_machine_destroy(l->m);
	free(l);
	return done;
}

bool qs_timeline_lint(struct qs_timeline *timeline, uint32_t frame, struct qs_lint_message **messages, uint32_t *count,
	struct qs_error *error)
{
	return qs_capture_lint(qs_timeline_capture(timeline), frame, messages, count, NULL, NULL, error);
}

void qs_lint_free(struct qs_lint_message *messages, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		free(messages[i].text);
	free(messages);
}

const char *qs_lint_severity_name(enum qs_lint_severity severity)
{
	static const char *const names[QS_LINT_COUNT] = {"note", "warning", "error"};

	return (unsigned)severity < QS_LINT_COUNT ? names[severity] : "?";
}
