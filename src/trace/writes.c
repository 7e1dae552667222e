/* writes.c - which command changed a register
 *
 * The first question about a frame replays it once and keeps every change of every register; PE registers, which change as
 * pixels are drawn, are compared after each command.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "trace/timeline.h"

void trace_writes_clear(struct qs_timeline *t)
{
	for (uint32_t i = 0; i < t->info->frame_count; i++) {
		free(t->writes[i].write);
		memset(&t->writes[i], 0, sizeof t->writes[i]);
	}
}

struct collector {
	struct trace_writes *writes;
	bool no_memory;
};

static void add(struct collector *c, const struct trace_write *write)
{
	struct trace_writes *w = c->writes;

	if (w->count == w->room) {
		uint32_t room = w->room ? w->room * 2 : 1024;
		struct trace_write *grown = realloc(w->write, room * sizeof *grown);
		c->no_memory |= !grown;
		if (!grown)
			return;
		w->write = grown;
		w->room = room;
	}
	w->write[w->count++] = *write;
}

static bool collect(void *user, const struct qs_moment *moment, enum qs_unit unit, uint32_t address, uint32_t old, uint32_t value)
{
	struct collector *c = user;

	if (old != value && unit != QS_UNIT_PE)
		add(c, &(struct trace_write){moment->command, old, value, (uint16_t)address, (uint8_t)unit});
	return !c->no_memory;
}

static enum trace_result collect_command(struct qs_timeline *t, struct collector *c, const struct qs_taps *taps, uint32_t command)
{
	struct trace_position end = {.command = command + 1};
	uint16_t before[GX_PE_COUNT];
	enum trace_result result;

	memcpy(before, t->m->state.pe, sizeof before);
	trace_set_taps(t, taps);
	result = trace_goto(t, &end);
	trace_set_taps(t, NULL);
	for (unsigned i = 0; i < GX_PE_COUNT; i++)
		if (before[i] != t->m->state.pe[i])
			add(c, &(struct trace_write){command, before[i], t->m->state.pe[i], (uint16_t)(2 * i), QS_UNIT_PE});
	return result;
}

static bool know_frame(struct qs_timeline *t, uint32_t frame, struct qs_error *error)
{
	const struct qs_frame *f = qs_capture_frame(t->capture, frame);
	struct trace_writes *w = &t->writes[frame - 1];
	struct collector c = {.writes = w};
	struct qs_taps taps = {.mask = QS_TAP_REGISTER, .user = &c, .write = collect};
	struct trace_position begin = {.command = f->first_command};
	enum trace_result result;

	if (w->known)
		return true;
	w->count = 0;
	t->away = true;
	result = trace_goto(t, &begin);
	for (uint32_t i = 0; !result && i < f->command_count; i++)
		result = collect_command(t, &c, &taps, f->first_command + i);
	if (c.no_memory) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for the register changes of the frame.");
		return trace_come_back(t);
	}
	if (result)
		return trace_fail(t, result, NULL, error);
	w->known = true;
	return true;
}

static bool matches(const struct trace_write *w, enum qs_unit unit, uint32_t address, uint32_t mask)
{
	return w->unit == unit && w->address == address && ((w->old ^ w->value) & mask);
}

/* Moments of the writes are compared with the current one. */
static bool find(const struct qs_timeline *t, uint32_t frame, enum qs_unit unit, uint32_t address, uint32_t mask, int direction,
	struct qs_moment *found)
{
	const struct trace_writes *w = &t->writes[frame - 1];

	for (uint32_t k = 0; k < w->count; k++) {
		const struct trace_write *write = &w->write[direction > 0 ? k : w->count - 1 - k];
		struct qs_moment m;
		if (!matches(write, unit, address, mask) || !qs_moment_of_command(t->capture, write->command, &m))
			continue;
		if (qs_moment_compare(&m, &t->moment) * direction > 0) {
			*found = m;
			return true;
		}
	}
	return false;
}

bool qs_timeline_seek_write(struct qs_timeline *t, enum qs_unit unit, uint32_t address, uint32_t mask, int direction,
	struct qs_error *error)
{
	int step = direction < 0 ? -1 : 1;
	uint32_t frame = t->moment.frame ? t->moment.frame : 1;
	const struct qs_register *reg = qs_register_find(unit, address);
	enum trace_result result;
	struct qs_moment found;

	if (!trace_start(t, error))
		return false;
	if (unit == QS_UNIT_PE)
		address &= ~1u;
	if (step < 0 && t->moment.level == QS_LEVEL_START)
		frame = 0;
	for (; qs_capture_frame(t->capture, frame); frame += (uint32_t)step) {
		if (!know_frame(t, frame, error))
			return false;
		if (!find(t, frame, unit, address, mask, step, &found))
			continue;
		result = trace_goto_moment(t, &found);
		return !result || trace_fail(t, result, NULL, error);
	}
	trace_come_back(t);
	qs_error_set(error, QS_ERR_RANGE, 0, "No %s command changes %s.", step > 0 ? "later" : "earlier", reg ? reg->name : "the register");
	return false;
}
