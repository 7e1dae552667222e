/* replay.c - qs.replay: calls hooks while the capture is replayed
 *
 * Frame, draw and command hooks run while the timeline stands at the event: the replay is cut into stretches and they may ask
 * everything.  The others are called out of the engine by taps; there only the event and the machine's state can be read.
 * Errors never jump through the engine: hooks are called protected, the message waits on the stack until the replay is over.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "lua/script.h"

#define PROGRESS_EVENTS 1023 /* a mask */

#define BIT(kind) (1u << (kind))
#define STANDING (BIT(HOOK_FRAME) | BIT(HOOK_DRAW) | BIT(HOOK_COMMAND))
#define QUADS (BIT(HOOK_QUAD) | BIT(HOOK_FRAGMENT) | BIT(HOOK_STAGE))

struct replay {
	struct qs_script *s;
	lua_State *L;
	int handler;        /* stack index */
	bool failed;        /* a hook raised an error: it is on the stack */
	bool stopped;       /* a hook returned false ... */
	struct qs_moment stop; /* ... at this moment */
	unsigned kinds;     /* with hooks */
	unsigned filtered;  /* with filters */
	bool detail;
	struct qs_expr_env env;
	uint32_t events;
	struct qs_moment moment; /* of the event, to the fineness that its hook has */
};

/* ---- calling hooks ------------------------------------------------------------------------------------------------------ */

/* Calls one hook with the event's object and, for what has a place, its coordinates. */
static bool call(struct replay *r, const struct hook *h, bool place, int x, int y)
{
	struct qs_script *s = r->s;
	lua_State *L = r->L;
	bool go_on;
	int status;

	lua_rawgeti(L, LUA_REGISTRYINDEX, h->function);
	record_push_event(L, h->kind);
	if (place) {
		lua_pushinteger(L, x);
		lua_pushinteger(L, y);
	}
	s->clock_valid = false;
	s->in_hook = true;
	status = lua_pcall(L, place ? 3 : 1, 1, r->handler);
	s->in_hook = false;
	if (status != LUA_OK) {
		r->failed = true;
		return false;
	}
	go_on = lua_type(L, -1) != LUA_TBOOLEAN || lua_toboolean(L, -1);
	lua_pop(L, 1);
	if (!go_on) {
		r->stopped = true;
		r->stop = r->moment;
	}
	return go_on;
}

static bool passes(const struct replay *r, const struct hook *h)
{
	return !h->filter || qs_expr_test(h->filter, &r->env);
}

/* All hooks of the kind; sources of the event are set. */
static bool fire(struct replay *r, enum hook_kind kind, bool place, int x, int y)
{
	struct qs_script *s = r->s;
	struct event *e = &s->event[kind];
	bool go_on = true;

	e->source[SOURCE_MOMENT] = &r->moment;
	e->alive = true;
	for (size_t i = 0; i < s->hook_count && !r->failed; i++) {
		const struct hook *h = s->hook[i];

		if (h->kind == kind && h->on && passes(r, h))
			go_on &= call(r, h, place, x, y);
	}
	e->alive = false;
	return go_on;
}

static bool wants(const struct replay *r, enum hook_kind kind)
{
	return r->kinds >> kind & 1;
}

static bool look(struct replay *r, const struct qs_moment *moment)
{
	uint32_t total = qs_capture_info(r->s->capture)->command_count;

	if (atomic_load_explicit(&r->s->interrupted, memory_order_relaxed))
		return false;
	if (++r->events & PROGRESS_EVENTS)
		return true;
	r->s->fraction = total ? (double)moment->command / total : 0;
	return script_progress(r->s);
}

static uint32_t read_register(void *user, enum qs_unit unit, uint32_t address)
{
	return qs_timeline_register(user, unit, address);
}

/* ---- taps --------------------------------------------------------------------------------------------------------------- */

static bool wants_write(const struct hook *h, enum qs_unit unit, uint32_t address, uint32_t changed)
{
	size_t low = 0, high = h->write_count;
	uint32_t key = (uint32_t)unit << 16 | address;

	if (!h->write)
		return true;
	while (low < high) {
		size_t middle = (low + high) / 2;
		const struct hook_write *w = &h->write[middle];
		uint32_t k = (uint32_t)w->unit << 16 | w->address;

		if (k == key)
			return !w->mask || w->mask & changed;
		if (k < key)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

static bool tap_write(void *user, const struct qs_moment *moment, enum qs_unit unit, uint32_t address, uint32_t old, uint32_t value)
{
	struct replay *r = user;
	struct qs_script *s = r->s;
	struct event *e = &s->event[HOOK_WRITE];
	bool go_on = look(r, moment);

	r->moment = *moment;
	e->source[SOURCE_MOMENT] = &r->moment;
	e->unit = unit;
	e->address = address;
	e->old = old;
	e->value = value;
	e->alive = true;
	for (size_t i = 0; i < s->hook_count && !r->failed; i++) {
		const struct hook *h = s->hook[i];

		if (h->kind != HOOK_WRITE || !h->on || !wants_write(h, unit, address, old ^ value))
			continue;
		if (h->filter) {
			qs_expr_env_moment(&r->env, moment);
			qs_expr_env_command(&r->env, qs_capture_command(s->capture, moment->command));
			qs_expr_env_write(&r->env, unit, address, old, value);
		}
		if (passes(r, h))
			go_on &= call(r, h, false, 0, 0);
	}
	e->alive = false;
	return go_on;
}

static bool tap_primitive(void *user, const struct qs_moment *moment, const struct qs_setup *setup)
{
	struct replay *r = user;

	r->moment = *moment;
	if (r->filtered & BIT(HOOK_PRIMITIVE)) {
		qs_expr_env_moment(&r->env, moment);
		qs_expr_env_setup(&r->env, setup);
	}
	r->s->event[HOOK_PRIMITIVE].source[SOURCE_SETUP] = setup;
	return look(r, moment) && fire(r, HOOK_PRIMITIVE, false, 0, 0);
}

static bool fire_stages(struct replay *r, const struct qs_fragment *f)
{
	struct event *e = &r->s->event[HOOK_STAGE];
	bool go_on = true;

	e->source[SOURCE_FRAGMENT] = f;
	r->moment.level = QS_LEVEL_STAGE;
	for (unsigned k = 0; k < f->stage_count && go_on && !r->failed; k++) {
		r->moment.stage = k;
		r->env.variable[QS_VAR_STAGE] = k;
		e->source[SOURCE_STAGE] = &f->stage[k];
		go_on &= fire(r, HOOK_STAGE, true, f->x, f->y);
	}
	return go_on;
}

static bool fire_fragments(struct replay *r, const struct qs_setup *setup, const struct qs_quad *quad)
{
	struct event *e = &r->s->event[HOOK_FRAGMENT];
	bool go_on = true;

	e->source[SOURCE_SETUP] = setup;
	e->source[SOURCE_QUAD] = quad;
	for (unsigned k = 0; k < 4 && go_on && !r->failed; k++) {
		const struct qs_fragment *f = &quad->fragment[k];

		if (!f->samples)
			continue;
		r->moment.fragment = k;
		if (r->filtered) {
			qs_expr_env_fragment(&r->env, f);
			r->env.variable[QS_VAR_FRAGMENT] = k;
		}
		if (wants(r, HOOK_STAGE))
			go_on &= fire_stages(r, f);
		if (r->failed || !go_on || !wants(r, HOOK_FRAGMENT))
			continue;
		r->moment.level = QS_LEVEL_FRAGMENT;
		r->moment.stage = 0;
		e->source[SOURCE_FRAGMENT] = f;
		go_on &= fire(r, HOOK_FRAGMENT, true, f->x, f->y);
	}
	return go_on;
}

static bool tap_quad(void *user, const struct qs_moment *moment, const struct qs_setup *setup, const struct qs_quad *quad)
{
	struct replay *r = user;
	bool go_on = look(r, moment);

	if (r->filtered & QUADS) {
		qs_expr_env_moment(&r->env, moment);
		qs_expr_env_setup(&r->env, setup);
		qs_expr_env_quad(&r->env, quad);
	}
	r->moment = *moment;
	if (r->kinds & (BIT(HOOK_FRAGMENT) | BIT(HOOK_STAGE)))
		go_on &= fire_fragments(r, setup, quad);
	if (!wants(r, HOOK_QUAD) || r->failed || !go_on)
		return go_on;
	if (r->filtered & BIT(HOOK_QUAD)) /* fragments have changed x and y */
		qs_expr_env_quad(&r->env, quad);
	r->moment = *moment;
	r->s->event[HOOK_QUAD].source[SOURCE_SETUP] = setup;
	r->s->event[HOOK_QUAD].source[SOURCE_QUAD] = quad;
	return fire(r, HOOK_QUAD, true, quad->x, quad->y);
}

static bool tap_copy(void *user, const struct qs_moment *moment, const struct qs_copy *copy)
{
	struct replay *r = user;

	r->moment = *moment;
	if (r->filtered & BIT(HOOK_COPY)) {
		qs_expr_env_moment(&r->env, moment);
		qs_expr_env_command(&r->env, qs_capture_command(r->s->capture, moment->command));
	}
	r->s->event[HOOK_COPY].source[SOURCE_COPY] = copy;
	return look(r, moment) && fire(r, HOOK_COPY, false, 0, 0);
}

/* ---- a replay ----------------------------------------------------------------------------------------------------------- */

static void prepare(struct replay *r, struct qs_taps *taps)
{
	struct qs_script *s = r->s;

	for (size_t i = 0; i < s->hook_count; i++) {
		const struct hook *h = s->hook[i];

		if (!h->on)
			continue;
		r->kinds |= BIT(h->kind);
		r->filtered |= h->filter ? BIT(h->kind) : 0;
		r->detail |= h->detail;
	}
	for (unsigned i = 0; i < HOOK_KINDS; i++)
		s->event[i].detail = r->detail;
	qs_expr_env_init(&r->env);
	r->env.read = read_register;
	r->env.user = s->timeline;
	*taps = (struct qs_taps){.user = r, .write = tap_write, .primitive = tap_primitive, .quad = tap_quad, .copy = tap_copy};
	if (wants(r, HOOK_WRITE))
		taps->mask |= QS_TAP_REGISTER;
	if (wants(r, HOOK_PRIMITIVE))
		taps->mask |= QS_TAP_PRIMITIVE;
	if (r->kinds & QUADS)
		taps->mask |= QS_TAP_QUAD | (r->detail ? QS_TAP_DETAIL : 0);
	if (wants(r, HOOK_COPY))
		taps->mask |= QS_TAP_COPY;
}

/* Runs the engine; false: it was stopped. */
static bool stretch(struct replay *r, const struct qs_moment *from, const struct qs_moment *to, const struct qs_taps *taps)
{
	struct qs_error error = {0};
	bool good;

	r->s->flying = true;
	good = qs_timeline_replay(r->s->timeline, from, to, taps, &error);
	r->s->flying = false;
	if (!good && !r->failed) {
		luaL_where(r->L, 1);
		lua_pushstring(r->L, error.text);
		lua_concat(r->L, 2);
		r->failed = true;
	}
	return good && !r->failed && !r->stopped && !atomic_load(&r->s->interrupted);
}

/* The hooks of one kind at a moment at which the timeline stands. */
static bool stand(struct replay *r, enum hook_kind kind, const struct qs_moment *moment)
{
	const struct qs_command *command = qs_capture_command(r->s->capture, moment->command);

	if (!wants(r, kind))
		return true;
	r->moment = *moment;
	if (r->filtered & BIT(kind)) {
		qs_expr_env_init(&r->env);
		r->env.read = read_register;
		r->env.user = r->s->timeline;
		qs_expr_env_moment(&r->env, moment);
		if (kind != HOOK_FRAME)
			qs_expr_env_command(&r->env, command);
	}
	r->s->event[kind].source[SOURCE_COMMAND] = command;
	return look(r, moment) && fire(r, kind, false, 0, 0) && !atomic_load(&r->s->interrupted);
}

/* First command whose end lies after the moment. */
static uint32_t first_command(const struct qs_script *s, const struct qs_moment *m)
{
	const struct qs_frame *frame;

	switch (m->level) {
	case QS_LEVEL_START:
		return 0;
	case QS_LEVEL_FRAME:
		frame = qs_capture_frame(s->capture, m->frame);
		return frame->first_command + frame->command_count;
	case QS_LEVEL_COMMAND:
	case QS_LEVEL_DRAW:
		return m->command + 1;
	default:
		return m->command;
	}
}

struct way {
	struct qs_moment at, to;
	const struct qs_taps *taps;
};

/* Goes on to the moment and calls the hooks there; false: stop, or beyond the end. */
static bool visit(struct replay *r, struct way *way, const struct qs_moment *moment, bool command, bool draw, bool frame)
{
	if (qs_moment_compare(moment, &way->to) > 0)
		return false;
	if (!stretch(r, &way->at, moment, way->taps))
		return false;
	way->at = *moment;
	return (!command || stand(r, HOOK_COMMAND, moment)) && (!draw || stand(r, HOOK_DRAW, moment)) &&
		(!frame || stand(r, HOOK_FRAME, moment));
}

static bool walk_frame(struct replay *r, struct way *way, uint32_t number, uint32_t command)
{
	const struct qs_frame *frame = qs_capture_frame(r->s->capture, number);
	uint32_t end = frame->first_command + frame->command_count;
	struct qs_moment moment;

	if (command < frame->first_command)
		command = frame->first_command;
	for (; command < end && r->kinds & (BIT(HOOK_COMMAND) | BIT(HOOK_DRAW)); command++) {
		bool draw = qs_capture_command(r->s->capture, command)->kind == QS_COMMAND_DRAW && wants(r, HOOK_DRAW);

		if (!draw && !wants(r, HOOK_COMMAND))
			continue;
		qs_moment_of_command(r->s->capture, command, &moment);
		if (!visit(r, way, &moment, true, draw, false))
			return false;
	}
	if (!wants(r, HOOK_FRAME))
		return true;
	moment = (struct qs_moment){.level = QS_LEVEL_FRAME, .frame = number, .command = end ? end - 1 : QS_NONE};
	return visit(r, way, &moment, false, false, true);
}

static void walk(struct replay *r, struct way *way)
{
	uint32_t command = first_command(r->s, &way->at), frames = qs_capture_info(r->s->capture)->frame_count;
	uint32_t frame = way->at.level == QS_LEVEL_START ? 1 : way->at.frame + (way->at.level == QS_LEVEL_FRAME);
	bool go_on = true;

	for (; go_on && r->kinds & STANDING && frame <= frames; frame++)
		go_on = walk_frame(r, way, frame, command);
	if (!r->failed && !r->stopped && !atomic_load(&r->s->interrupted))
		stretch(r, &way->at, &way->to, way->taps);
}

/* The engine stops after quads; hooks look closer. */
static void go_to_stop(struct replay *r)
{
	struct qs_error error;

	if (r->stopped && r->stop.level >= QS_LEVEL_FRAGMENT && !qs_timeline_seek(r->s->timeline, &r->stop, &error))
		script_fail(r->L, &error);
}

static void call_done(struct replay *r)
{
	struct qs_script *s = r->s;
	int status = LUA_OK;

	for (size_t i = 0; i < s->hook_count && status == LUA_OK; i++) {
		if (s->hook[i]->kind != HOOK_DONE || !s->hook[i]->on)
			continue;
		lua_rawgeti(r->L, LUA_REGISTRYINDEX, s->hook[i]->function);
		s->clock_valid = false;
		s->in_hook = true; /* so that it does not replay again */
		status = lua_pcall(r->L, 0, 0, r->handler);
		s->in_hook = false;
	}
	if (status != LUA_OK)
		lua_error(r->L);
}

/* Replays with all hooks; raises the error of a hook. Returns whether it was stopped. */
static bool replay(lua_State *L, const struct qs_moment *from, const struct qs_moment *to)
{
	struct qs_script *s = script_of(L);
	struct replay r = {.s = s, .L = L};
	struct way way = {.at = *from, .to = *to};
	double elapsed = s->clock_valid ? script_clock() - s->clock_start : 0;
	struct qs_taps taps;

	luaL_checkstack(L, 32, NULL);
	lua_pushcfunction(L, script_traceback);
	r.handler = lua_gettop(L);
	prepare(&r, &taps);
	way.taps = &taps;
	s->replaying = s->replayed = true;
	walk(&r, &way);
	s->replaying = false;
	s->fraction = 1;
	s->progress_next = 0;
	for (unsigned i = 0; i < HOOK_KINDS; i++)
		s->event[i].alive = false;
	script_progress(s); /* the end is always told */
	script_check(L);
	if (r.failed)
		lua_error(L);
	go_to_stop(&r);
	call_done(&r);
	s->clock_start = script_clock() - elapsed;
	s->clock_valid = true;
	lua_settop(L, r.handler - 1);
	return r.stopped;
}

static struct qs_moment end_of_capture(const struct qs_script *s)
{
	struct qs_moment end = {.level = QS_LEVEL_FRAME, .frame = qs_capture_info(s->capture)->frame_count};
	const struct qs_frame *frame = qs_capture_frame(s->capture, end.frame);

	if (!frame)
		return (struct qs_moment){.level = QS_LEVEL_START};
	end.command = frame->first_command + frame->command_count - 1;
	return end;
}

int hooks_replay_all(lua_State *L)
{
	struct qs_script *s = script_of(L);
	struct qs_moment before = *qs_timeline_moment(s->timeline), start = {.level = QS_LEVEL_START}, end = end_of_capture(s);
	struct qs_moment after;
	struct qs_error error;

	if (!replay(L, &start, &end)) {
		after = *qs_timeline_moment(s->timeline);
		if (qs_moment_compare(&after, &end) == 0 && !qs_timeline_seek(s->timeline, &before, &error))
			script_fail(L, &error);
	}
	return 0;
}

int hooks_replay(lua_State *L)
{
	struct qs_script *s = script_of(L);
	struct qs_moment from = {.level = QS_LEVEL_START}, to = end_of_capture(s);

	if (s->in_hook || s->replaying)
		return luaL_error(L, "qs.replay cannot be used in a hook");
	if (!lua_isnoneornil(L, 1))
		from = time_check_moment(L, 1);
	if (!lua_isnoneornil(L, 2))
		to = time_check_moment(L, 2);
	if (qs_moment_compare(&from, &to) > 0)
		return luaL_error(L, "a replay cannot end before it begins");
	lua_pushboolean(L, !replay(L, &from, &to));
	record_push_moment(L, qs_timeline_moment(s->timeline));
	return 2;
}
