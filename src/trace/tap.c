/* tap.c - the caller's taps between the units and the timeline; the scout that walks ahead of a draw
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "trace/timeline.h"

/* ---- taps --------------------------------------------------------------------------------------------------------------- */

static bool stop_at(struct qs_timeline *t, const struct qs_moment *moment, bool go_on)
{
	if (!go_on && !t->stopped) {
		t->stopped = true;
		t->stop = *moment;
	}
	return go_on;
}

static bool tap_command(void *user, const struct qs_moment *moment)
{
	struct qs_timeline *t = user;

	return !t->stopped && stop_at(t, moment, t->user->command(t->user->user, moment));
}

static bool tap_write(void *user, const struct qs_moment *moment, enum qs_unit unit, uint32_t address, uint32_t old, uint32_t value)
{
	struct qs_timeline *t = user;

	return !t->stopped && stop_at(t, moment, t->user->write(t->user->user, moment, unit, address, old, value));
}

static bool tap_primitive(void *user, const struct qs_moment *moment, const struct qs_setup *setup)
{
	struct qs_timeline *t = user;

	return !t->stopped && stop_at(t, moment, t->user->primitive(t->user->user, moment, setup));
}

bool trace_tap_quad(void *user, const struct qs_moment *moment, const struct qs_setup *setup, const struct qs_quad *quad)
{
	struct qs_timeline *t = user;

	return !t->stopped && stop_at(t, moment, t->user->quad(t->user->user, moment, setup, quad));
}

static bool tap_copy(void *user, const struct qs_moment *moment, const struct qs_copy *copy)
{
	struct qs_timeline *t = user;

	return !t->stopped && stop_at(t, moment, t->user->copy(t->user->user, moment, copy));
}

static bool tap_tmem(void *user, const struct qs_moment *moment, const struct qs_tmem_event *event)
{
	struct qs_timeline *t = user;

	return !t->stopped && stop_at(t, moment, t->user->tmem(t->user->user, moment, event));
}

void trace_set_taps(struct qs_timeline *t, const struct qs_taps *user)
{
	t->user = user;
	t->stopped = false;
	t->m->stop = false;
	t->m->taps = NULL;
	if (!user)
		return;
	t->tap = (struct qs_taps){
		.mask = user->mask,
		.user = t,
		.command = tap_command,
		.write = tap_write,
		.primitive = tap_primitive,
		.quad = trace_tap_quad,
		.copy = tap_copy,
		.tmem = tap_tmem,
	};
	if (!user->command)
		t->tap.mask &= ~(uint32_t)QS_TAP_COMMAND;
	if (!user->write)
		t->tap.mask &= ~(uint32_t)QS_TAP_REGISTER;
	if (!user->primitive)
		t->tap.mask &= ~(uint32_t)QS_TAP_PRIMITIVE;
	if (!user->quad)
		t->tap.mask &= ~(uint32_t)QS_TAP_QUAD;
	if (!user->copy)
		t->tap.mask &= ~(uint32_t)QS_TAP_COPY;
	if (!user->tmem)
		t->tap.mask &= ~(uint32_t)QS_TAP_TMEM;
	t->m->taps = &t->tap;
}

/* ---- the scout ---------------------------------------------------------------------------------------------------------- */

void trace_scout_begin(struct trace_scout *scout, const struct gx_machine *m)
{
	const struct qs_setup *nothing;

	scout->part_count = gx_draw_parts(m, &scout->parts, &nothing);
	scout->part = 0;
	scout->number = 0;
	scout->valid = true;
	if (scout->part_count)
		gx_ras_begin(&scout->ras, &scout->parts[0]);
}

bool trace_scout_next(struct trace_scout *scout, int *x, int *y, uint16_t *coverage, unsigned *part)
{
	while (scout->part < scout->part_count) {
		if (gx_ras_next(&scout->ras, x, y, coverage)) {
			*part = scout->part;
			scout->number++;
			return true;
		}
		if (++scout->part < scout->part_count)
			gx_ras_begin(&scout->ras, &scout->parts[scout->part]);
	}
	return false;
}
