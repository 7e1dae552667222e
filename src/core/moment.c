/* moment.c - moments: order, text form, resolving against a capture
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "quadscope.h"

#define SHADER_INSTRUCTIONS 384 /* of Gfx3D: CSIR_INSTR_MAX */

const char *qs_level_name(enum qs_level level)
{
	static const char *const names[] = {"start", "frame", "command", "draw", "primitive", "quad", "fragment", "stage"};

	return (unsigned)level < sizeof names / sizeof *names ? names[level] : "?";
}

/* ---- order -------------------------------------------------------------------------------------------------------------- */

#define KEYS 6

/* What a moment does not name lies after everything inside it: the largest number. */
static void sort_key(const struct qs_moment *m, uint32_t key[KEYS])
{
	for (int i = 0; i < KEYS; i++)
		key[i] = m->level == QS_LEVEL_START ? 0 : UINT32_MAX;
	if (m->level >= QS_LEVEL_FRAME)
		key[0] = m->frame;
	if (m->level >= QS_LEVEL_COMMAND)
		key[1] = m->command;
	if (m->level >= QS_LEVEL_PRIMITIVE)
		key[2] = m->primitive;
	if (m->level >= QS_LEVEL_QUAD)
		key[3] = m->quad;
	if (m->level >= QS_LEVEL_FRAGMENT)
		key[4] = m->fragment;
	if (m->level >= QS_LEVEL_STAGE)
		key[5] = m->stage;
}

/* COMMAND and DRAW moments of one command name the same state and are equal. */
int qs_moment_compare(const struct qs_moment *a, const struct qs_moment *b)
{
	uint32_t x[KEYS], y[KEYS];

	sort_key(a, x);
	sort_key(b, y);
	for (int i = 0; i < KEYS; i++)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	return 0;
}

/* ---- to text ------------------------------------------------------------------------------------------------------------ */

static void format_command(const struct qs_capture *capture, const struct qs_moment *m, char *buffer, size_t size)
{
	const struct qs_command *c = capture ? qs_capture_command(capture, m->command) : NULL, *list;

	if (!c) {
		snprintf(buffer, size, "%" PRIu32 "@?", m->frame);
		return;
	}
	list = c->parent == QS_NONE ? NULL : qs_capture_command(capture, c->parent);
	if (list)
		snprintf(buffer, size, "%" PRIu32 "@0x%" PRIx32 ".%" PRIu32, m->frame, list->offset, m->command - c->parent - 1);
	else
		snprintf(buffer, size, "%" PRIu32 "@0x%" PRIx32, m->frame, c->offset);
}

char *qs_moment_format(const struct qs_capture *capture, const struct qs_moment *m, char *buffer, size_t size)
{
	const uint32_t parts[] = {m->frame, m->draw, m->primitive, m->quad, m->fragment, m->stage};
	int count = m->level == QS_LEVEL_FRAME ? 1 : (int)m->level - 1;
	size_t used = 0;

	if (!size)
		return buffer;
	if (m->level == QS_LEVEL_START) {
		snprintf(buffer, size, "0");
		return buffer;
	}
	if (m->level == QS_LEVEL_COMMAND) {
		format_command(capture, m, buffer, size);
		return buffer;
	}
	buffer[0] = 0;
	for (int i = 0; i < count && i < KEYS; i++) {
		int n = snprintf(buffer + used, size - used, "%s%" PRIu32, i ? "/" : "", parts[i]);

		if (n < 0 || (size_t)n >= size - used)
			break;
		used += (size_t)n;
	}
	return buffer;
}

/* ---- from text ---------------------------------------------------------------------------------------------------------- */

struct scan {
	const char *text, *at;
	struct qs_error *error;
};

static bool complain(const struct scan *s, const char *what)
{
	qs_error_set(s->error, QS_ERR_RANGE, 0,
		"\"%.60s\" is no moment: %s.  Expected FRAME, FRAME@OFFSET, or FRAME/DRAW/PRIMITIVE/QUAD/FRAGMENT/STAGE up to any part.",
		s->text, what);
	return false;
}

static bool number(struct scan *s, const char *what, uint32_t *value)
{
	uint64_t v = 0;
	unsigned base = 10, digits = 0;
	char text[80];

	if (s->at[0] == '0' && (s->at[1] == 'x' || s->at[1] == 'X')) {
		base = 16;
		s->at += 2;
	}
	for (; base == 16 ? isxdigit((unsigned char)*s->at) : isdigit((unsigned char)*s->at); s->at++, digits++) {
		unsigned char c = (unsigned char)*s->at;

		v = v * base + (unsigned)(isdigit(c) ? c - '0' : tolower(c) - 'a' + 10);
		if (v >= QS_NONE) {
			snprintf(text, sizeof text, "the %s is too large", what);
			return complain(s, text);
		}
	}
	if (!digits) {
		snprintf(text, sizeof text, "the %s is missing at \"%.20s\"", what, s->at);
		return complain(s, text);
	}
	*value = (uint32_t)v;
	return true;
}

static bool end(struct scan *s)
{
	char text[80];

	while (isspace((unsigned char)*s->at))
		s->at++;
	if (!*s->at)
		return true;
	snprintf(text, sizeof text, "\"%.20s\" is left over", s->at);
	return complain(s, text);
}

/* Index of the frame's top-level command that begins at the offset, or of the last one before it with *exact = false.
 * Children of a list share the place of their list, so the offsets to search are in order. */
static uint32_t find_offset(const struct qs_capture *capture, const struct qs_frame *frame, uint32_t offset, bool *exact)
{
	uint32_t low = frame->first_command, high = low + frame->command_count, best = QS_NONE;

	*exact = false;
	while (low < high) {
		uint32_t mid = low + (high - low) / 2, parent = qs_capture_command(capture, mid)->parent;
		uint32_t top = parent == QS_NONE ? mid : parent;
		const struct qs_command *c = qs_capture_command(capture, top);

		if (c->offset == offset) {
			*exact = true;
			return top;
		}
		if (c->offset < offset) {
			best = top;
			low = mid + 1;
		} else {
			high = top;
		}
	}
	return best;
}

static uint32_t child_count(const struct qs_capture *capture, uint32_t list)
{
	uint32_t n = 0;
	const struct qs_command *c;

	while ((c = qs_capture_command(capture, list + 1 + n)) && c->parent == list)
		n++;
	return n;
}

static bool parse_command(struct scan *s, const struct qs_capture *capture, struct qs_moment *m)
{
	const struct qs_frame *frame = qs_capture_frame(capture, m->frame);
	uint32_t offset, child, children;
	bool exact;

	if (!number(s, "offset", &offset))
		return false;
	m->command = find_offset(capture, frame, offset, &exact);
	if (!exact) {
		const struct qs_command *before = qs_capture_command(capture, m->command);

		if (!before)
			qs_error_set(s->error, QS_ERR_RANGE, 0, "Frame %" PRIu32 " has no commands.", m->frame);
		else
			qs_error_set(s->error, QS_ERR_RANGE, 0,
				"No command of frame %" PRIu32 " begins at 0x%" PRIx32 ": the nearest one before it is at 0x%" PRIx32
				" and has %" PRIu32 " bytes; the frame has 0x%" PRIx32 ".",
				m->frame, offset, before->offset, before->size, frame->fifo_size);
		return false;
	}
	if (*s->at == '.') {
		s->at++;
		if (!number(s, "command of the list", &child))
			return false;
		children = child_count(capture, m->command);
		if (child >= children) {
			if (qs_capture_command(capture, m->command)->kind != QS_COMMAND_LIST)
				qs_error_set(s->error, QS_ERR_RANGE, 0,
					"The command at 0x%" PRIx32 " of frame %" PRIu32 " calls no display list.", offset, m->frame);
			else
				qs_error_set(s->error, QS_ERR_RANGE, 0,
					"The list called at 0x%" PRIx32 " of frame %" PRIu32 " has no command %" PRIu32 ": it has %" PRIu32
					", counted from 0.",
					offset, m->frame, child, children);
			return false;
		}
		m->command += 1 + child;
	}
	m->level = QS_LEVEL_COMMAND;
	m->draw = qs_capture_command(capture, m->command)->draw;
	return end(s);
}

static bool parse_draw(struct scan *s, const struct qs_capture *capture, struct qs_moment *m)
{
	static const char *const names[] = {"draw", "primitive", "quad", "fragment", "stage"};
	uint32_t *const fields[] = {&m->draw, &m->primitive, &m->quad, &m->fragment, &m->stage};
	const struct qs_frame *frame = qs_capture_frame(capture, m->frame);
	unsigned i = 0;

	do {
		if (i == 5)
			return complain(s, "nothing is finer than a stage");
		s->at++;
		if (!number(s, names[i], fields[i]))
			return false;
		m->level = (enum qs_level)(QS_LEVEL_DRAW + i++);
	} while (*s->at == '/');
	if (!end(s))
		return false;
	m->command = qs_capture_draw_command(capture, m->frame, m->draw);
	if (m->command == QS_NONE) {
		if (frame->draw_count)
			qs_error_set(s->error, QS_ERR_RANGE, 0,
				"Frame %" PRIu32 " has no draw %" PRIu32 ": it has %" PRIu32 ", counted from 0.", m->frame, m->draw,
				frame->draw_count);
		else
			qs_error_set(s->error, QS_ERR_RANGE, 0, "Frame %" PRIu32 " has no draws.", m->frame);
		return false;
	}
	if (m->fragment > 3)
		return complain(s, "a quad has fragments 0 to 3");
	if (m->stage > 15 && qs_capture_info(capture)->machine == QS_MACHINE_FLIPPER)
		return complain(s, "there are stages 0 to 15");
	if (m->stage >= SHADER_INSTRUCTIONS)
		return complain(s, "a shader has at most 384 instructions, counted from 0");
	return true;
}

static bool parse_frame(struct scan *s, const struct qs_capture *capture, struct qs_moment *m)
{
	const struct qs_frame *frame = qs_capture_frame(capture, m->frame);
	uint32_t next = frame->first_command + frame->command_count;

	m->level = QS_LEVEL_FRAME;
	m->command = next ? next - 1 : QS_NONE; /* of an empty frame: the last one before it */
	return end(s);
}

bool qs_moment_parse(const struct qs_capture *capture, const char *text, struct qs_moment *moment, struct qs_error *error)
{
	struct scan s = {text, text, error};
	struct qs_moment m = {.level = QS_LEVEL_START};
	uint32_t frames = qs_capture_info(capture)->frame_count;
	bool ok;

	while (isspace((unsigned char)*s.at))
		s.at++;
	if (!number(&s, "frame number", &m.frame))
		return false;
	if (!m.frame && *s.at != '/' && *s.at != '@') {
		ok = end(&s);
	} else if (!qs_capture_frame(capture, m.frame)) {
		qs_error_set(error, QS_ERR_RANGE, 0, "There is no frame %" PRIu32 ": the capture has %" PRIu32 ", counted from 1.",
			m.frame, frames);
		return false;
	} else if (*s.at == '@') {
		s.at++;
		ok = parse_command(&s, capture, &m);
	} else if (*s.at == '/') {
		ok = parse_draw(&s, capture, &m);
	} else {
		ok = parse_frame(&s, capture, &m);
	}
	if (ok)
		*moment = m;
	return ok;
}

bool qs_moment_of_command(const struct qs_capture *capture, uint32_t command, struct qs_moment *moment)
{
	const struct qs_command *c = qs_capture_command(capture, command);

	if (!c)
		return false;
	*moment = (struct qs_moment){
		.level = c->draw == QS_NONE ? QS_LEVEL_COMMAND : QS_LEVEL_DRAW,
		.frame = c->frame,
		.command = command,
		.draw = c->draw,
	};
	return true;
}
