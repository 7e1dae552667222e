/* breakpoint.c - breakpoints and runs in both directions
 *
 * A run replays with the taps that the enabled breakpoints need and tests each event.  Backward it takes one stretch between
 * checkpoints after the other, from the last to the first, notes all hits of a stretch and looks at them from the end.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "gfx3d.h"
#include "trace/breakpoint.h"

/* ---- the list ----------------------------------------------------------------------------------------------------------- */

static void entry_finish(struct break_entry *e)
{
	qs_expr_destroy(e->expr);
	free(e->condition);
}

void trace_breakpoints_free(struct trace_breakpoints *b)
{
	if (!b)
		return;
	for (uint32_t i = 0; i < b->count; i++)
		entry_finish(&b->entry[i]);
	free(b->entry);
	free(b);
}

/* Finest level of the event's variables, for each kind. */
static enum qs_level level_of(const struct qs_breakpoint *b)
{
	switch (b->kind) {
	case QS_BREAK_COMMAND:
	case QS_BREAK_WRITE:
		return QS_LEVEL_COMMAND;
	case QS_BREAK_DRAW:
		return QS_LEVEL_DRAW;
	case QS_BREAK_PRIMITIVE:
		return QS_LEVEL_PRIMITIVE;
	case QS_BREAK_QUAD:
		return QS_LEVEL_QUAD;
	default:
		return QS_LEVEL_FRAGMENT;
	}
}

#define WRITE_VARIABLES (UINT64_C(1) << QS_VAR_UNIT | UINT64_C(1) << QS_VAR_ADDRESS | UINT64_C(1) << QS_VAR_OLD | \
	UINT64_C(1) << QS_VAR_VALUE)

static bool compile(struct break_entry *e, const struct qs_breakpoint *b, struct qs_error *error)
{
	e->b = *b;
	e->b.condition = NULL;
	if (!b->condition || !*b->condition)
		return true;
	e->condition = strdup(b->condition);
	e->expr = e->condition ? qs_expr_compile(b->condition, error) : NULL;
	if (!e->expr)
		return false;
	e->b.condition = e->condition;
	if (qs_expr_level(e->expr) > level_of(b) ||
		(b->kind != QS_BREAK_WRITE && (qs_expr_variables(e->expr) & WRITE_VARIABLES))) {
		qs_error_set(error, QS_ERR_RANGE, 0, "The condition \"%.200s\" asks for values that a %s does not have; it needs a %s.",
			b->condition, break_kind_name((enum qs_break_kind)b->kind),
			qs_expr_variables(e->expr) & WRITE_VARIABLES ? "register write" : qs_level_name(qs_expr_level(e->expr)));
		return false;
	}
	return true;
}

static struct trace_breakpoints *list(struct qs_timeline *t)
{
	if (!t->breakpoints)
		t->breakpoints = calloc(1, sizeof *t->breakpoints);
	return t->breakpoints;
}

uint32_t qs_timeline_break_add(struct qs_timeline *t, const struct qs_breakpoint *b, struct qs_error *error)
{
	struct trace_breakpoints *l = list(t);
	struct break_entry entry, *grown;

	memset(&entry, 0, sizeof entry);
	if (b->kind >= QS_BREAK_COUNT || b->action > QS_BREAK_HITS) {
		qs_error_set(error, QS_ERR_RANGE, 0, "There is no breakpoint of kind %u with action %u.", b->kind, b->action);
		return 0;
	}
	if (!t->gfx3d && (b->rect.x1 > GX_EFB_WIDTH || b->rect.y1 > GX_EFB_HEIGHT)) {
		qs_error_set(error, QS_ERR_RANGE, 0, "There is no pixel %d,%d to watch: the EFB has %d by %d.", b->rect.x1 - 1, b->rect.y1 - 1, GX_EFB_WIDTH,
			GX_EFB_HEIGHT);
		return 0;
	}
	if (l && compile(&entry, b, error)) {
		grown = realloc(l->entry, (l->count + 1) * sizeof *grown);
		if (grown) {
			l->entry = grown;
			entry.b.id = ++l->last_id;
			entry.b.hits = 0;
			l->entry[l->count++] = entry;
			return entry.b.id;
		}
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for another breakpoint.");
	}
	entry_finish(&entry);
	return 0;
}

static uint32_t find(const struct qs_timeline *t, uint32_t id)
{
	const struct trace_breakpoints *l = t->breakpoints;

	for (uint32_t i = 0; l && i < l->count; i++)
		if (l->entry[i].b.id == id)
			return i;
	return QS_NONE;
}

bool qs_timeline_break_remove(struct qs_timeline *t, uint32_t id)
{
	struct trace_breakpoints *l = t->breakpoints;
	uint32_t i = find(t, id);

	if (i == QS_NONE)
		return false;
	entry_finish(&l->entry[i]);
	l->count--;
	memmove(&l->entry[i], &l->entry[i + 1], (l->count - i) * sizeof *l->entry);
	return true;
}

bool qs_timeline_break_enable(struct qs_timeline *t, uint32_t id, bool enabled)
{
	uint32_t i = find(t, id);

	if (i == QS_NONE)
		return false;
	t->breakpoints->entry[i].b.enabled = enabled;
	return true;
}

uint32_t qs_timeline_break_count(const struct qs_timeline *t)
{
	return t->breakpoints ? t->breakpoints->count : 0;
}

const struct qs_breakpoint *qs_timeline_break_at(const struct qs_timeline *t, uint32_t i)
{
	return i < qs_timeline_break_count(t) ? &t->breakpoints->entry[i].b : NULL;
}

void qs_timeline_break_log(struct qs_timeline *t, qs_break_log_fn log, void *user)
{
	struct trace_breakpoints *l = list(t);

	if (l) {
		l->log = log;
		l->log_user = user;
	}
}

/* ---- testing events ----------------------------------------------------------------------------------------------------- */

struct noted {
	uint32_t index; /* of the entry */
	struct qs_hit hit;
};

struct run {
	struct qs_timeline *t;
	struct trace_breakpoints *list;
	struct qs_expr_env env;
	struct qs_moment here; /* where the run began */
	int direction;
	/* backward: hits of the stretch in order */
	struct noted *noted;
	size_t noted_count, noted_room;
	bool no_memory;
	/* forward: the hit that stopped it */
	bool stopped;
	struct qs_hit hit;
};

static uint32_t read_register(void *user, enum qs_unit unit, uint32_t address)
{
	return qs_timeline_register(user, unit, address);
}

static bool where(const struct qs_breakpoint *b, const struct qs_moment *m)
{
	return (!b->frame || b->frame == m->frame) && (b->draw == QS_NONE || b->draw == m->draw) &&
		(b->primitive == QS_NONE || m->level < QS_LEVEL_PRIMITIVE || b->primitive == m->primitive) &&
		(b->quad == QS_NONE || m->level < QS_LEVEL_QUAD || b->quad == m->quad);
}

static bool note(struct run *r, uint32_t index, const struct qs_hit *hit)
{
	if (r->noted_count == r->noted_room) {
		size_t room = r->noted_room ? r->noted_room * 2 : 256;
		struct noted *grown = realloc(r->noted, room * sizeof *grown);
		r->no_memory |= !grown;
		if (!grown)
			return false;
		r->noted = grown;
		r->noted_room = room;
	}
	r->noted[r->noted_count++] = (struct noted){index, *hit};
	return true;
}

/* true: stop here. */
static bool take(struct run *r, uint32_t index, const struct qs_hit *hit)
{
	struct qs_breakpoint *b = &r->list->entry[index].b;

	b->hits++;
	if (b->action == QS_BREAK_LOG && r->list->log)
		r->list->log(r->list->log_user, b, hit);
	if (b->action != QS_BREAK_STOP)
		return false;
	if (!r->stopped)
		r->hit = *hit;
	r->stopped = true;
	return true;
}

/* An event that a breakpoint's place matches; env is filled. Returns false to stop the replay. */
static bool event(struct run *r, uint32_t index, const struct qs_moment *moment, uint32_t old, uint32_t value)
{
	const struct break_entry *e = &r->list->entry[index];
	struct qs_hit hit = {e->b.id, *moment, old, value};
	int order = qs_moment_compare(moment, &r->here);

	if (order * r->direction <= 0 || (e->expr && !qs_expr_test(e->expr, &r->env)))
		return true;
	return r->direction < 0 ? note(r, index, &hit) : !take(r, index, &hit);
}

#define FOR_ENTRIES(r, i, name) \
	for (uint32_t i = 0; i < (r)->list->count; i++) \
		for (const struct qs_breakpoint *name = &(r)->list->entry[i].b; name; name = NULL)

static bool on_command(void *user, const struct qs_moment *moment)
{
	struct run *r = user;
	const struct qs_command *c = qs_capture_command(r->t->capture, moment->command);
	bool go_on = true;

	qs_expr_env_init(&r->env);
	r->env.read = read_register;
	r->env.user = r->t;
	qs_expr_env_moment(&r->env, moment);
	qs_expr_env_command(&r->env, c);
	FOR_ENTRIES(r, i, b) {
		if (!b->enabled || !where(b, moment))
			continue;
		if ((b->kind == QS_BREAK_COMMAND && b->command == c->kind) || (b->kind == QS_BREAK_DRAW && c->kind == QS_COMMAND_DRAW))
			go_on &= event(r, i, moment, 0, 0);
	}
	return go_on;
}

static bool on_write(void *user, const struct qs_moment *moment, enum qs_unit unit, uint32_t address, uint32_t old, uint32_t value)
{
	struct run *r = user;
	bool go_on = true, filled = false;

	FOR_ENTRIES(r, i, b) {
		uint32_t mask = b->mask ? b->mask : UINT32_MAX;
		if (!b->enabled || b->kind != QS_BREAK_WRITE || b->unit != unit || b->address != address || !((old ^ value) & mask) ||
			!where(b, moment))
			continue;
		if (!filled) {
			qs_expr_env_init(&r->env);
			r->env.read = read_register;
			r->env.user = r->t;
			qs_expr_env_moment(&r->env, moment);
			qs_expr_env_command(&r->env, qs_capture_command(r->t->capture, moment->command));
			qs_expr_env_write(&r->env, unit, address, old, value);
			filled = true;
		}
		go_on &= event(r, i, moment, old, value);
	}
	return go_on;
}

static void fill_setup(struct run *r, const struct qs_moment *moment, const struct qs_setup *setup)
{
	qs_expr_env_init(&r->env);
	r->env.read = read_register;
	r->env.user = r->t;
	qs_expr_env_moment(&r->env, moment);
	qs_expr_env_command(&r->env, qs_capture_command(r->t->capture, moment->command));
	qs_expr_env_setup(&r->env, setup);
}

static bool on_primitive(void *user, const struct qs_moment *moment, const struct qs_setup *setup)
{
	struct run *r = user;
	bool go_on = true;

	if (setup->part) /* one event a primitive */
		return true;
	fill_setup(r, moment, setup);
	FOR_ENTRIES(r, i, b)
		if (b->enabled && b->kind == QS_BREAK_PRIMITIVE && where(b, moment))
			go_on &= event(r, i, moment, 0, 0);
	return go_on;
}

static bool inside(const struct qs_rect *rect, int x, int y)
{
	return x >= rect->x0 && x < rect->x1 && y >= rect->y0 && y < rect->y1;
}

static bool quad_in(const struct qs_rect *rect, const struct qs_quad *q)
{
	return rect->x1 <= rect->x0 || rect->y1 <= rect->y0 ||
		(q->x < rect->x1 && q->x + 2 > rect->x0 && q->y < rect->y1 && q->y + 2 > rect->y0);
}

static bool fragment_event(struct run *r, const struct qs_moment *quad_moment, const struct qs_quad *quad, unsigned k)
{
	int x = quad->x + (int)(k & 1), y = quad->y + (int)(k >> 1);
	struct qs_moment m = *quad_moment;
	bool go_on = true, filled = false;

	m.level = QS_LEVEL_FRAGMENT;
	m.fragment = k;
	FOR_ENTRIES(r, i, b) {
		if (!b->enabled || b->kind != QS_BREAK_PIXEL || !where(b, &m) || !inside(&b->rect, x, y))
			continue;
		if (!filled) {
			qs_expr_env_moment(&r->env, &m);
			qs_expr_env_fragment(&r->env, &quad->fragment[k]);
			filled = true;
		}
		go_on &= event(r, i, &m, 0, 0);
	}
	return go_on;
}

/* In the order of moments: the fragments, then the quad. */
static bool on_quad(void *user, const struct qs_moment *moment, const struct qs_setup *setup, const struct qs_quad *quad)
{
	struct run *r = user;
	bool go_on = true;

	fill_setup(r, moment, setup);
	qs_expr_env_quad(&r->env, quad);
	for (unsigned k = 0; k < 4 && go_on; k++)
		if (trace_pixel_coverage(quad->coverage, k))
			go_on = fragment_event(r, moment, quad, k);
	if (!go_on)
		return false;
	fill_setup(r, moment, setup);
	qs_expr_env_quad(&r->env, quad);
	FOR_ENTRIES(r, i, b)
		if (b->enabled && b->kind == QS_BREAK_QUAD && where(b, moment) && quad_in(&b->rect, quad))
			go_on &= event(r, i, moment, 0, 0);
	return go_on;
}

/* ---- running ------------------------------------------------------------------------------------------------------------ */

static void unite(struct qs_rect *all, const struct qs_rect *r)
{
	all->x0 = r->x0 < all->x0 ? r->x0 : all->x0;
	all->y0 = r->y0 < all->y0 ? r->y0 : all->y0;
	all->x1 = r->x1 > all->x1 ? r->x1 : all->x1;
	all->y1 = r->y1 > all->y1 ? r->y1 : all->y1;
}

/* Taps that the enabled breakpoints need; *filter: quads outside it concern nobody. */
static struct qs_taps taps_of(struct run *r, struct qs_rect *filter, bool *filtered)
{
	struct qs_taps taps = {
		.user = r, .command = on_command, .write = on_write, .primitive = on_primitive, .quad = on_quad};

	*filter = (struct qs_rect){INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};
	*filtered = false;
	FOR_ENTRIES(r, i, b) {
		if (!b->enabled)
			continue;
		switch (b->kind) {
		case QS_BREAK_WRITE:
			taps.mask |= QS_TAP_REGISTER;
			break;
		case QS_BREAK_PRIMITIVE:
			taps.mask |= QS_TAP_PRIMITIVE;
			break;
		case QS_BREAK_QUAD:
		case QS_BREAK_PIXEL:
			taps.mask |= QS_TAP_QUAD;
			*filtered = true;
			if (b->kind == QS_BREAK_PIXEL || (b->rect.x1 > b->rect.x0 && b->rect.y1 > b->rect.y0))
				unite(filter, &b->rect);
			else
				unite(filter, &(struct qs_rect){0, 0, QS_GFX3D_MAX_WIDTH, QS_GFX3D_MAX_HEIGHT});
			break;
		default:
			taps.mask |= QS_TAP_COMMAND;
			break;
		}
	}
	if (filter->x0 <= 0 && filter->y0 <= 0 && filter->x1 >= GX_EFB_WIDTH && filter->y1 >= GX_EFB_HEIGHT)
		*filtered = false; /* full batches are faster when everything is wanted */
	return taps;
}

static enum trace_result run_taps(struct run *r, const struct qs_moment *to)
{
	struct qs_rect filter;
	bool filtered;
	struct qs_taps taps = taps_of(r, &filter, &filtered);

	return trace_run(r->t, to, taps.mask ? &taps : NULL, filtered ? &filter : NULL);
}

/* Moments that lie ahead although their events were reported on the way to here: the primitive that we are inside of is
 * reported when it is set up, the quad when it is shaded. */
static enum trace_result step_back(struct run *r)
{
	struct qs_timeline *t = r->t;
	struct trace_position begin = {.command = r->here.command};
	bool primitives = false;

	FOR_ENTRIES(r, i, b)
		primitives |= b->enabled && b->kind == QS_BREAK_PRIMITIVE;
	if (r->here.level < QS_LEVEL_QUAD || (!primitives && r->here.level < QS_LEVEL_FRAGMENT))
		return TRACE_OK;
	if (!primitives)
		begin = (struct trace_position){r->here.command, r->here.primitive, r->here.quad, true};
	t->away = true;
	return trace_goto(t, &begin);
}

static enum trace_result forward(struct run *r)
{
	struct qs_moment end = {.level = QS_LEVEL_FRAME, .frame = r->t->info->frame_count};
	enum trace_result result = step_back(r);

	if (result)
		return result;

	if (!end.frame || !trace_resolve(r->t, &end, &end, NULL))
		return TRACE_OK; /* nothing to run: we are at the start */
	return run_taps(r, &end);
}

/* Hits of the stretch from the last to the first. true: one stops. */
static bool take_back(struct run *r)
{
	bool stop = false;

	while (r->noted_count && !stop) {
		const struct noted *n = &r->noted[--r->noted_count];
		stop = take(r, n->index, &n->hit);
	}
	r->noted_count = 0;
	return stop;
}

/* Moment of a command boundary: everything before the command is done. */
static struct qs_moment boundary(const struct qs_timeline *t, uint32_t command)
{
	struct qs_moment m = {.level = QS_LEVEL_START};

	if (command)
		qs_moment_of_command(t->capture, command - 1, &m);
	return m;
}

/* First command of the stretch that ends before `end`: that of the last checkpoint outside a draw before it. */
static uint32_t stretch_begin(const struct qs_timeline *t, uint32_t end)
{
	struct trace_position p = {.command = end ? end - 1 : 0};
	const struct trace_checkpoint *c = trace_checkpoint_before(t, &p);

	return c ? c->at.command : 0; /* of one inside a draw: before that draw */
}

static enum trace_result backward(struct run *r)
{
	struct qs_timeline *t = r->t;
	struct qs_moment end = r->here, begin;
	uint32_t command;
	enum trace_result result;

	if (end.level >= QS_LEVEL_PRIMITIVE) /* to the end of the draw: a quad done in part is not reported */
		qs_moment_of_command(t->capture, end.command, &end);
	command = trace_position_of(t, &end).command;

	while (command) {
		command = stretch_begin(t, command);
		begin = boundary(t, command);
		result = trace_goto_moment(t, &begin);
		if (!result)
			result = run_taps(r, &end);
		if (result)
			return result;
		if (r->no_memory)
			return TRACE_CANCELLED;
		if (take_back(r))
			return trace_goto_moment(t, &r->hit.moment);
		end = begin;
	}
	return trace_goto_moment(t, &(struct qs_moment){.level = QS_LEVEL_START});
}

bool qs_timeline_run(struct qs_timeline *t, int direction, struct qs_hit *hit, struct qs_error *error)
{
	struct run r = {.t = t, .list = list(t), .here = t->moment, .direction = direction < 0 ? -1 : 1};
	enum trace_result result;

	if (!trace_start(t, error))
		return false;
	memset(hit, 0, sizeof *hit);
	if (!r.list) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for breakpoints.");
		return false;
	}
	result = r.direction > 0 ? forward(&r) : backward(&r);
	free(r.noted);
	if (result == TRACE_CANCELLED) {
		t->moment = r.here;
		t->away = true;
		return trace_fail(t, result, NULL, error);
	}
	if (r.stopped && r.direction > 0 && (result = trace_goto_moment(t, &r.hit.moment)))
		return trace_fail(t, result, NULL, error);
	if (r.stopped)
		*hit = r.hit;
	else
		hit->moment = t->moment;
	return true;
}
