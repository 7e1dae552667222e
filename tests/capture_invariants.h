/* capture_invariants.h - what holds for every capture that opened, however damaged its file was
 *
 * Returns NULL or a text that says what is broken.  Used by the tests and by the fuzz targets.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_CAPTURE_INVARIANTS_H
#define TESTS_CAPTURE_INVARIANTS_H

#include <stdio.h>
#include <string.h>

#include "quadscope.h"

#define INVARIANT(condition)                                                                       \
	do {                                                                                       \
		if (!(condition))                                                                  \
			return "line " INVARIANT_TEXT(__LINE__) ": " #condition;                   \
	} while (0)
#define INVARIANT_TEXT(line) INVARIANT_TEXT2(line)
#define INVARIANT_TEXT2(line) #line

static inline const char *invariant_command(const struct qs_capture *capture, uint32_t number, uint32_t frame)
{
	const struct qs_capture_info *info = qs_capture_info(capture);
	const struct qs_command *c = qs_capture_command(capture, number);
	const uint8_t *bytes = qs_capture_command_bytes(capture, number);
	struct qs_moment moment, again;
	char text[80];

	INVARIANT(c && bytes);
	INVARIANT(c->frame == frame);
	INVARIANT(c->size > 0);
	INVARIANT(c->kind == QS_COMMAND_BAD || bytes[0] == c->opcode);
	INVARIANT((c->kind == QS_COMMAND_DRAW) == (c->draw != QS_NONE));
	INVARIANT(c->kind == QS_COMMAND_DRAW || !c->vertex_size);
	INVARIANT(c->kind != QS_COMMAND_DRAW || c->size == 3 + (uint32_t)c->vertex_size * (uint32_t)(bytes[1] << 8 | bytes[2]));
	INVARIANT(c->kind != QS_COMMAND_DRAW || qs_capture_draw_command(capture, frame, c->draw) == number);
	INVARIANT(c->parent == QS_NONE || (c->parent < number && qs_capture_command(capture, c->parent)->kind == QS_COMMAND_LIST));
	INVARIANT(qs_capture_command_file_offset(capture, number) < info->size);
	INVARIANT(qs_moment_of_command(capture, number, &moment));
	INVARIANT(qs_moment_parse(capture, qs_moment_format(capture, &moment, text, sizeof text), &again, NULL));
	INVARIANT(!qs_moment_compare(&moment, &again) && again.command == number);
	return NULL;
}

static inline const char *invariant_frame(const struct qs_capture *capture, uint32_t number, uint32_t *command)
{
	const struct qs_frame *frame = qs_capture_frame(capture, number);
	uint32_t offset = 0, child_offset = 0, draws = 0, children = 0, list = QS_NONE;

	INVARIANT(frame);
	INVARIANT(frame->first_command == *command);
	INVARIANT(frame->fifo_offset + frame->fifo_size <= qs_capture_info(capture)->size);
	for (uint32_t i = 0; i < frame->command_count; i++) {
		const struct qs_command *c = qs_capture_command(capture, *command);
		const char *broken = invariant_command(capture, *command, number);

		if (broken)
			return broken;
		if (c->parent == QS_NONE) { /* commands and children each follow without gaps */
			INVARIANT(c->offset == offset);
			offset += c->size;
			list = c->kind == QS_COMMAND_LIST ? *command : QS_NONE;
			child_offset = 0;
		} else {
			INVARIANT(c->parent == list);
			INVARIANT(c->offset == child_offset);
			child_offset += c->size;
			children++;
		}
		draws += c->draw != QS_NONE;
		++*command;
	}
	INVARIANT(offset == frame->fifo_size);
	INVARIANT(draws == frame->draw_count);
	INVARIANT(children == frame->list_child_count);
	INVARIANT(qs_capture_draw_command(capture, number, draws) == QS_NONE);
	return NULL;
}

static inline const char *invariant_updates(const struct qs_capture *capture)
{
	const struct qs_capture_info *info = qs_capture_info(capture);
	const uint8_t *base = qs_capture_command_bytes(capture, 0);
	uint32_t seen = 0;

	for (uint32_t i = 0; i <= info->command_count; i++) {
		const struct qs_update *u;
		uint32_t n = qs_capture_updates(capture, i, &u);

		for (uint32_t k = 0; k < n; k++, u++, seen++) {
			INVARIANT(u->command == i);
			INVARIANT(u->frame >= 1 && u->frame <= info->frame_count);
			INVARIANT(u->data_offset + u->size <= info->size);
			if (base) /* reads, so that a sanitizer sees what is outside */
				for (uint32_t b = 0; b < u->size; b += 64)
					INVARIANT(qs_capture_update_data(capture, u)[b] <= 255);
		}
	}
	INVARIANT(seen == info->update_count);
	return NULL;
}

static inline const char *capture_invariants(const struct qs_capture *capture)
{
	const struct qs_capture_info *info = qs_capture_info(capture);
	uint32_t command = 0, draws = 0, updates = 0;

	INVARIANT(info->frame_count > 0);
	INVARIANT(!qs_capture_frame(capture, 0) && !qs_capture_frame(capture, info->frame_count + 1));
	for (uint32_t i = 1; i <= info->frame_count; i++) {
		const char *broken = invariant_frame(capture, i, &command);

		if (broken)
			return broken;
		draws += qs_capture_frame(capture, i)->draw_count;
		updates += qs_capture_frame(capture, i)->update_count;
	}
	INVARIANT(command == info->command_count && !qs_capture_command(capture, command));
	INVARIANT(draws == info->draw_count && updates == info->update_count);
	INVARIANT(!info->truncated || info->warning_count > 0);
	for (uint32_t i = 0; i < info->warning_count; i++) {
		const struct qs_warning *w = qs_capture_warning(capture, i);
		INVARIANT(w && w->text[0] && (w->command == QS_NONE || w->command < info->command_count));
	}
	INVARIANT(!qs_capture_warning(capture, info->warning_count));
	return invariant_updates(capture);
}

#endif
