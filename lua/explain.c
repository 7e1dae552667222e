/* explain.c - what became of a fragment and of a pixel, as a sentence
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lua/script.h"

struct text {
	char *buffer;
	size_t size, used;
};

static void add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct text *t, const char *format, ...)
{
	va_list args;
	int n;

	if (t->used + 1 >= t->size)
		return;
	va_start(args, format);
	n = vsnprintf(t->buffer + t->used, t->size - t->used, format, args);
	va_end(args);
	t->used += n > 0 ? (size_t)n : 0;
	if (t->used >= t->size)
		t->used = t->size - 1;
}

static const char *sign(unsigned func)
{
	static const char *const signs[8] = {"never", "<", "==", "<=", ">", "!=", ">=", "always"};

	return signs[func & 7];
}

/* ---- one fragment ------------------------------------------------------------------------------------------------------- */

static void add_depth(struct text *t, const struct qs_history_row *row, const char *when)
{
	if ((row->z_func & 7) == 0)
		add(t, "%s depth test failed: its function is never", when);
	else
		add(t, "%s depth test failed: 0x%06" PRIx32 " %s 0x%06" PRIx32 " is false", when, row->z, sign(row->z_func), row->z_before);
}

static void add_alpha_half(struct text *t, unsigned func, unsigned alpha, unsigned reference)
{
	if ((func & 7) == 0 || (func & 7) == 7)
		add(t, "%s", sign(func));
	else
		add(t, "%u %s %u", alpha, sign(func), reference);
}

static void add_alpha(struct text *t, const struct qs_history_row *row)
{
	static const char *const logic[4] = {"and", "or", "xor", "xnor"};

	add(t, "alpha test failed: ");
	add_alpha_half(t, row->alpha_func0, row->source[3], row->alpha_ref0);
	add(t, " %s ", logic[row->alpha_logic & 3]);
	add_alpha_half(t, row->alpha_func1, row->source[3], row->alpha_ref1);
	add(t, " is false");
}

static void add_row(struct text *t, const struct qs_history_row *row)
{
	switch (row->verdict) {
	case QS_VERDICT_WRITTEN: add(t, "written"); break;
	case QS_VERDICT_MASKED: add(t, "passed every test, but all write masks are off"); break;
	case QS_VERDICT_EARLY_Z: add_depth(t, row, "early"); break;
	case QS_VERDICT_LATE_Z: add_depth(t, row, "late"); break;
	case QS_VERDICT_ALPHA: add_alpha(t, row); break;
	default: add(t, "%s", record_verdict(row->verdict)); break;
	}
}

char *explain_row(const struct qs_history_row *row, char *buffer, size_t size)
{
	struct text t = {buffer, size, 0};

	if (row->kind == QS_HISTORY_START)
		add(&t, "value at the start of the frame");
	else if (row->kind == QS_HISTORY_CLEAR)
		add(&t, "cleared by the copy");
	else if (row->kind == QS_HISTORY_ACCESS)
		add(&t, "written by the processor");
	else
		add_row(&t, row);
	return buffer;
}

/* ---- a pixel ------------------------------------------------------------------------------------------------------------ */

static void add_colour(struct text *t, const uint8_t c[4])
{
	add(t, "#%02x%02x%02x%02x", c[0], c[1], c[2], c[3]);
}

static void add_moment(struct text *t, const struct qs_script *s, const struct qs_moment *moment)
{
	char text[80];

	add(t, "%s", qs_moment_format(s->capture, moment, text, sizeof text));
}

static void add_draw(struct text *t, const struct qs_script *s, const struct qs_history_row *row)
{
	const struct qs_command *c = qs_capture_command(s->capture, row->moment.command);

	add(t, "draw %" PRIu32 "/%" PRIu32 " (%s)", row->moment.frame, row->moment.draw, time_primitive_name(c->opcode));
}

static void add_writer(struct text *t, const struct qs_script *s, const struct qs_history_row *row)
{
	if (row->kind == QS_HISTORY_START) {
		add(t, "because nothing has reached it in this frame");
		return;
	}
	if (row->kind == QS_HISTORY_CLEAR) {
		add(t, "because the copy at ");
		add_moment(t, s, &row->moment);
		add(t, " cleared it");
		return;
	}
	if (row->kind == QS_HISTORY_ACCESS) {
		add(t, "because the processor wrote it after ");
		add_moment(t, s, &row->moment);
		return;
	}
	add(t, "because ");
	add_draw(t, s, row);
	add(t, " wrote it at ");
	add_moment(t, s, &row->moment);
	add(t, " from ");
	add_colour(t, row->source);
	add(t, " over ");
	add_colour(t, row->before);
	if (row->z_before != row->z_after)
		add(t, ", depth 0x%06" PRIx32 " -> 0x%06" PRIx32, row->z_before, row->z_after);
}

static bool changes(const struct qs_history_row *row)
{
	return row->kind != QS_HISTORY_FRAGMENT || row->verdict == QS_VERDICT_WRITTEN;
}

void explain_pixel(const struct qs_script *s, int x, int y, const struct qs_history_row *rows, uint32_t count, char *buffer, size_t size)
{
	const struct qs_moment *now = qs_timeline_moment(s->timeline);
	const struct qs_history_row *writer = NULL, *failed = NULL;
	struct text t = {buffer, size, 0};
	uint32_t failures = 0;
	uint8_t rgba[4];
	uint32_t z;

	for (uint32_t i = 0; i < count; i++) {
		const struct qs_history_row *row = &rows[i];

		if (row->kind != QS_HISTORY_START && qs_moment_compare(&row->moment, now) > 0)
			break;
		if (changes(row)) {
			writer = row;
			failures = 0;
		} else {
			failed = row;
			failures++;
		}
	}
	qs_timeline_pixel(s->timeline, x, y, rgba, &z);
	add(&t, "Pixel %d,%d is ", x, y);
	add_colour(&t, rgba);
	add(&t, " ");
	if (writer)
		add_writer(&t, s, writer);
	else
		add(&t, "because nothing has reached it in this frame");
	if (failures) {
		if (failures > 1)
			add(&t, "; after that %" PRIu32 " fragments changed nothing, the last one of ", failures);
		else
			add(&t, "; after that a fragment changed nothing: of ");
		add_draw(&t, s, failed);
		add(&t, ": ");
		add_row(&t, failed);
	}
	add(&t, ".");
}
