/* walk.c - the geometry of a draw: primitives, quads and coverage, without shading
 *
 * Which quads exist depends only on registers, latches and vertex data when the draw begins, so the iterators can run from a
 * copy of that state while EFB and memory stay as they are.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "trace/gfx3d.h"

#define MAX_PLACES (16u << 20) /* 128 MB of places; larger draws cannot be listed */

/* ---- the iterators on a copy -------------------------------------------------------------------------------------------- */

/* Brings the machine to where the draw's entry state and memory are at hand: inside it or just after it. */
static enum trace_result visit(struct qs_timeline *t, uint32_t command)
{
	struct trace_position begin = {command, 0, 0, true};
	bool inside = t->at.inside && t->at.command == command;
	bool after = !t->at.inside && t->at.command == command + 1;
	enum trace_result result;

	if (!t->lost && t->entry_command == command && (inside || after))
		return TRACE_OK;
	t->away = true;
	result = trace_goto(t, &begin);
	return result == TRACE_MISSING ? TRACE_OK : result; /* a draw without primitives is done at once */
}

/* The saved state is put on the heap: it is not small, and scratch runs do not nest. */
bool trace_scratch_begin(struct qs_timeline *t, uint32_t command, uint32_t primitive, struct qs_error *error)
{
	struct gx_machine *m = t->m;
	enum trace_result result = visit(t, command);

	if (result)
		return trace_fail(t, result, NULL, error);
	if (!t->scratch && !(t->scratch = malloc(sizeof *t->scratch))) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for a copy of the registers.");
		return false;
	}
	trace_release(t);
	*t->scratch = m->state;
	m->state = t->entry;
	m->draw_state_valid = false;
	trace_set_taps(t, NULL);
	gx_draw_begin(m, command);
	for (uint32_t i = 0; primitive != QS_NONE && i <= primitive; i++)
		if (!gx_draw_next_primitive(m)) {
			qs_error_set(error, QS_ERR_RANGE, 0, "The draw has %" PRIu32 " primitives, counted from 0.", i);
			trace_scratch_end(t);
			return false;
		}
	return true;
}

void trace_scratch_end(struct qs_timeline *t)
{
	gx_draw_end(t->m);
	t->m->state = *t->scratch;
	t->m->draw_state_valid = false;
}

/* ---- lists of quads ----------------------------------------------------------------------------------------------------- */

struct collector {
	struct trace_walk *walk;
	size_t first_room, place_room, places;
};

static bool grow(void **array, size_t count, size_t *room, size_t size)
{
	if (count < *room)
		return true;
	size_t more = *room ? *room * 2 : 256;
	void *grown = realloc(*array, more * size);
	if (!grown)
		return false;
	*array = grown;
	*room = more;
	return true;
}

static bool collect_primitive(struct collector *c, const struct gx_machine *m)
{
	struct trace_scout scout;
	void *places = c->walk->places, *first = c->walk->first;
	uint16_t coverage;
	unsigned part;
	int x, y;
	bool ok = grow(&first, c->walk->primitives + 1, &c->first_room, sizeof *c->walk->first);

	c->walk->first = first;
	trace_scout_begin(&scout, m);
	while (ok && trace_scout_next(&scout, &x, &y, &coverage, &part)) {
		ok = c->places < MAX_PLACES && grow(&places, c->places, &c->place_room, sizeof *c->walk->places);
		c->walk->places = places;
		if (ok)
			c->walk->places[c->places++] = (struct qs_quad_place){(int16_t)x, (int16_t)y, coverage, (uint16_t)part};
	}
	if (ok)
		c->walk->first[++c->walk->primitives] = (uint32_t)c->places;
	return ok;
}

static void clear(struct trace_walk *walk)
{
	free(walk->first);
	free(walk->places);
	memset(walk, 0, sizeof *walk);
}

void trace_walk_clear(struct qs_timeline *t)
{
	for (unsigned i = 0; i < TRACE_WALKS; i++)
		clear(&t->walk[i]);
}

static bool collect(struct qs_timeline *t, struct trace_walk *walk, struct qs_error *error)
{
	struct collector c = {.walk = walk, .first_room = 256};
	bool ok = true;

	walk->first = malloc(c.first_room * sizeof *walk->first);
	if (!walk->first) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for the list of quads.");
		return false;
	}
	walk->first[0] = 0;
	while (ok && gx_draw_next_primitive(t->m)) {
		ok = collect_primitive(&c, t->m);
		if (ok && t->cancel && !t->patient) {
			qs_error_set(error, QS_ERR_CANCELLED, 0, "Stopped on request; the moment is unchanged.");
			return false;
		}
	}
	if (!ok)
		qs_error_set(error, QS_ERR_UNSUPPORTED, 0,
			"The draw has more quads than can be listed (%zu in its first %" PRIu32 " primitives).", c.places, walk->primitives);
	return ok;
}

const struct trace_walk *trace_walk_get(struct qs_timeline *t, uint32_t command, struct qs_error *error)
{
	struct trace_walk *oldest = &t->walk[0];

	for (unsigned i = 0; i < TRACE_WALKS; i++) {
		struct trace_walk *w = &t->walk[i];
		if (w->first && w->command == command) {
			w->used = ++t->walk_clock;
			return w;
		}
		if (w->used < oldest->used)
			oldest = w;
	}
	clear(oldest);
	bool ok;
	if (t->gfx3d) {
		ok = trace_gfx3d_walk(t, command, oldest, error);
	} else {
		if (!trace_scratch_begin(t, command, QS_NONE, error))
			return NULL;
		ok = collect(t, oldest, error);
		trace_scratch_end(t);
		oldest->stages = (t->entry.bp[0] >> 10 & 15) + 1;
	}
	if (!ok) {
		clear(oldest);
		return NULL;
	}
	oldest->command = command;
	oldest->used = ++t->walk_clock;
	return oldest;
}

uint16_t trace_walk_coverage(const struct trace_walk *walk, uint32_t primitive, uint32_t quad)
{
	return walk->places[walk->first[primitive] + quad].coverage;
}

/* ---- what a moment contains --------------------------------------------------------------------------------------------- */

uint32_t qs_timeline_primitive_count(struct qs_timeline *t, const struct qs_moment *draw)
{
	struct qs_moment m = *draw;
	uint32_t count = 0;

	if (!trace_start(t, NULL))
		return 0;
	m.level = QS_LEVEL_DRAW;
	if (draw->level >= QS_LEVEL_COMMAND && trace_resolve(t, &m, &m, NULL)) {
		const struct trace_walk *walk = trace_walk_get(t, m.command, NULL);
		count = walk ? walk->primitives : 0;
	}
	trace_come_back(t);
	return count;
}

uint32_t qs_timeline_quad_count(struct qs_timeline *t, const struct qs_moment *primitive)
{
	struct qs_moment m = *primitive;
	uint32_t count = 0;

	if (!trace_start(t, NULL))
		return 0;
	m.level = QS_LEVEL_PRIMITIVE;
	if (primitive->level >= QS_LEVEL_PRIMITIVE && trace_resolve(t, &m, &m, NULL)) {
		const struct trace_walk *walk = trace_walk_get(t, m.command, NULL);
		if (walk && m.primitive < walk->primitives)
			count = trace_walk_quads(walk, m.primitive);
	}
	trace_come_back(t);
	return count;
}
