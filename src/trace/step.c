/* step.c - the neighbours of a moment at every level
 *
 * Steps are first computed from the command list and the geometry of draws; the machine then goes to the result once.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "trace/timeline.h"

uint32_t trace_next_draw(const struct qs_timeline *t, uint32_t command, int direction)
{
	for (uint32_t i = command; i < t->info->command_count; i += (uint32_t)direction)
		if (qs_capture_command(t->capture, i)->kind == QS_COMMAND_DRAW)
			return i;
	return QS_NONE;
}

/* ---- frames, commands, draws -------------------------------------------------------------------------------------------- */

static int neighbour_frame(struct qs_timeline *t, struct qs_moment *m, int direction)
{
	uint32_t frame = m->frame; /* 0 at the start */

	if (direction < 0)
		frame = frame ? frame - 1 : 0;
	else if (m->level == QS_LEVEL_FRAME || m->level == QS_LEVEL_START)
		frame++;
	if (!qs_capture_frame(t->capture, frame))
		return 0;
	struct qs_moment next = {.level = QS_LEVEL_FRAME, .frame = frame};
	return trace_resolve(t, &next, m, NULL);
}

/* First command whose moment is after m. */
static uint32_t command_after(const struct qs_timeline *t, const struct qs_moment *m)
{
	if (m->level >= QS_LEVEL_PRIMITIVE)
		return m->command;
	return trace_position_of(t, m).command;
}

/* Last command whose moment is before m; QS_NONE: none. */
static uint32_t command_before(const struct qs_timeline *t, const struct qs_moment *m)
{
	if (m->level == QS_LEVEL_FRAME)
		return trace_position_of(t, m).command - 1;
	return m->level == QS_LEVEL_START ? QS_NONE : m->command - 1;
}

static int neighbour_command(struct qs_timeline *t, struct qs_moment *m, bool draws, int direction)
{
	uint32_t command = direction > 0 ? command_after(t, m) : command_before(t, m);

	if (draws)
		command = trace_next_draw(t, command, direction);
	return command < t->info->command_count && qs_moment_of_command(t->capture, command, m);
}

/* ---- inside draws ------------------------------------------------------------------------------------------------------- */

/* A place in the order of stages.  Fields may stand one before the first or one after the last; what lies inside a thing
 * that is done stands after its last. */
struct place {
	const struct trace_walk *walk;
	int64_t stages;
	int64_t primitive, quad, fragment, stage;
};

static bool in_draw(const struct place *p)
{
	return p->primitive >= 0 && p->primitive < p->walk->primitives;
}

static int64_t quads(const struct place *p)
{
	return in_draw(p) ? trace_walk_quads(p->walk, (uint32_t)p->primitive) : 0;
}

static bool in_primitive(const struct place *p)
{
	return p->quad >= 0 && p->quad < quads(p);
}

static bool is_fragment(const struct place *p)
{
	return in_primitive(p) && p->fragment >= 0 && p->fragment <= 3 &&
		trace_pixel_coverage(trace_walk_coverage(p->walk, (uint32_t)p->primitive, (uint32_t)p->quad), (unsigned)p->fragment);
}

static bool step_primitive(struct place *p, int d)
{
	p->primitive += d;
	return in_draw(p);
}

static bool step_quad(struct place *p, int d)
{
	p->quad += d;
	while (!in_primitive(p)) {
		if (!step_primitive(p, d))
			return false;
		p->quad = d > 0 ? 0 : quads(p) - 1;
	}
	return true;
}

static bool step_fragment(struct place *p, int d)
{
	do {
		p->fragment += d;
		if (p->fragment < 0 || p->fragment > 3 || !in_primitive(p)) {
			if (!step_quad(p, d))
				return false;
			p->fragment = d > 0 ? 0 : 3;
		}
	} while (!is_fragment(p));
	return true;
}

static bool step_stage(struct place *p, int d)
{
	p->stage += d;
	if (p->stage >= 0 && p->stage < p->stages && is_fragment(p))
		return true;
	p->stage = d > 0 ? 0 : p->stages - 1;
	return step_fragment(p, d);
}

static bool step_place(struct place *p, enum qs_level level, int d)
{
	switch (level) {
	case QS_LEVEL_PRIMITIVE:
		return step_primitive(p, d);
	case QS_LEVEL_QUAD:
		return step_quad(p, d);
	case QS_LEVEL_FRAGMENT:
		return step_fragment(p, d);
	default:
		return step_stage(p, d);
	}
}

/* entry is that of the draw: the walk was just made or used, but perhaps from the cache */
static bool open_draw(struct qs_timeline *t, struct place *p, uint32_t command, int direction, struct qs_error *error)
{
	memset(p, 0, sizeof *p);
	p->walk = trace_walk_get(t, command, error);
	if (!p->walk)
		return false;
	p->stages = p->walk->stages;
	p->primitive = direction > 0 ? -1 : (int64_t)p->walk->primitives;
	p->fragment = 4;
	p->stage = p->stages;
	return true;
}

static void place_at(struct place *p, const struct qs_moment *m)
{
	p->primitive = m->primitive;
	p->quad = m->level >= QS_LEVEL_QUAD ? (int64_t)m->quad : quads(p);
	p->fragment = m->level >= QS_LEVEL_FRAGMENT ? (int64_t)m->fragment : 4;
	p->stage = m->level >= QS_LEVEL_STAGE ? (int64_t)m->stage : p->stages;
}

static void moment_at(const struct qs_timeline *t, const struct place *p, uint32_t command, enum qs_level level, struct qs_moment *m)
{
	qs_moment_of_command(t->capture, command, m);
	m->level = level;
	m->primitive = (uint32_t)p->primitive;
	m->quad = level >= QS_LEVEL_QUAD ? (uint32_t)p->quad : 0;
	m->fragment = level >= QS_LEVEL_FRAGMENT ? (uint32_t)p->fragment : 0;
	m->stage = level >= QS_LEVEL_STAGE ? (uint32_t)p->stage : 0;
}

static int neighbour_inside(struct qs_timeline *t, struct qs_moment *m, enum qs_level level, int d, struct qs_error *error)
{
	bool inside = m->level >= QS_LEVEL_PRIMITIVE;
	bool done = m->level <= QS_LEVEL_DRAW; /* with everything up to the command */
	struct place p;
	uint32_t draw;

	if (inside && m->level > level && d > 0) { /* the end of the thing we are in */
		moment_at(t, &(struct place){.primitive = m->primitive, .quad = m->quad, .fragment = m->fragment}, m->command, level, m);
		return 1;
	}
	if (inside) {
		draw = m->command;
		if (!open_draw(t, &p, draw, d, error))
			return -1;
		place_at(&p, m);
		if (m->level > level)
			moment_at(t, &p, draw, level, m), place_at(&p, m);
	} else {
		/* a draw that is done is the first to look into backwards */
		draw = d > 0 ? command_after(t, m) : m->level == QS_LEVEL_DRAW ? m->command : command_before(t, m);
		if (!done || (draw = trace_next_draw(t, draw, d)) == QS_NONE)
			return 0;
		if (!open_draw(t, &p, draw, d, error))
			return -1;
	}
	while (!step_place(&p, level, d)) {
		draw = trace_next_draw(t, draw + (uint32_t)d, d);
		if (draw == QS_NONE)
			return 0;
		if (!open_draw(t, &p, draw, d, error))
			return -1;
	}
	moment_at(t, &p, draw, level, m);
	return 1;
}

int trace_neighbour(struct qs_timeline *t, struct qs_moment *m, enum qs_level level, int direction, struct qs_error *error)
{
	switch (level) {
	case QS_LEVEL_START:
		return 0;
	case QS_LEVEL_FRAME:
		return neighbour_frame(t, m, direction);
	case QS_LEVEL_COMMAND:
	case QS_LEVEL_DRAW:
		return neighbour_command(t, m, level == QS_LEVEL_DRAW, direction);
	default:
		return neighbour_inside(t, m, level, direction, error);
	}
}

int qs_timeline_step(struct qs_timeline *t, enum qs_level level, int n, struct qs_error *error)
{
	struct qs_moment target = t->moment;
	int direction = n < 0 ? -1 : 1, made = 0, found = 1;
	enum trace_result result;

	if (!trace_start(t, error))
		return 0;
	if (error)
		error->code = QS_OK;
	while (made != n && (found = trace_neighbour(t, &target, level, direction, error)) > 0)
		made += direction;
	if (found < 0) {
		trace_come_back(t);
		return 0;
	}
	result = made ? trace_goto_moment(t, &target) : TRACE_OK;
	if (result) {
		trace_fail(t, result, &target, error);
		return 0;
	}
	trace_come_back(t);
	return made;
}
