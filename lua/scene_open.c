/* scene_open.c - scene:open: a scene as the capture that the table qs is about
 *
 * A trial has a timeline of its own.  trial:run exchanges the script's timeline for the call of one function, so that everything
 * in qs works on the scene without a second interface.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "lua/scene.h"

#define CLASS "trial"
#define META "qs." CLASS
#define COST ((size_t)8 << 20) /* of a timeline, roughly: EFB, TMEM and checkpoints */

struct trial {
	struct qs_capture *capture;
	struct qs_timeline *timeline;
	size_t accounted;
	bool running;
};

static int trial_gc(lua_State *L)
{
	struct trial *t = luaL_checkudata(L, 1, META);

	script_of(L)->external -= t->accounted;
	qs_timeline_destroy(t->timeline);
	qs_capture_destroy(t->capture);
	*t = (struct trial){0};
	return 0;
}

/* scene -> trial */
int scene_open(lua_State *L)
{
	struct scene *s = scene_check(L, 1);
	struct qs_error error;
	struct trial *t;
	const char *data;
	size_t size;

	script_poll(L);
	scene_push_bytes(L, s);
	data = lua_tolstring(L, -1, &size);
	t = lua_newuserdatauv(L, sizeof *t, 0);
	*t = (struct trial){0};
	api_class(L, CLASS);
	lua_pushcfunction(L, trial_gc);
	lua_setfield(L, -2, "__gc");
	lua_setmetatable(L, -2);
	script_account(L, size + COST);
	t->accounted = size + COST;
	t->capture = qs_capture_open_memory(data, size, &error);
	if (t->capture)
		t->timeline = qs_timeline_create(t->capture, &error);
	if (!t->timeline)
		return script_fail(L, &error);
	return 1;
}

/* What the script has set inside of the timeline that goes. */
static void drop_since(struct qs_script *s, size_t breakpoints, size_t overrides)
{
	while (s->breakpoint_count > breakpoints)
		qs_timeline_break_remove(s->timeline, s->breakpoint[--s->breakpoint_count]);
	while (s->override_count > overrides)
		qs_timeline_override_remove(s->timeline, s->override[--s->override_count]);
}

/* qs.capture is a table of facts and not made anew when it is asked for. */
static void set_facts(lua_State *L)
{
	lua_getglobal(L, "qs");
	lua_pushliteral(L, "capture");
	lua_pushvalue(L, -3);
	lua_rawset(L, -3);
	lua_pop(L, 2);
}

/* trial, fn, ... -> what fn returns */
int trial_run(lua_State *L)
{
	struct trial *t = luaL_checkudata(L, 1, META);
	struct qs_script *s = script_of(L);
	struct qs_timeline *timeline = s->timeline;
	struct qs_capture *capture = s->capture;
	size_t breakpoints = s->breakpoint_count, overrides = s->override_count;
	int status;

	luaL_checktype(L, 2, LUA_TFUNCTION);
	script_still(L, "trial:run");
	if (t->running)
		return luaL_error(L, "this trial is running already");
	lua_getglobal(L, "qs");
	if (!lua_istable(L, -1))
		return luaL_error(L, "the table qs is gone");
	lua_pushliteral(L, "capture");
	lua_rawget(L, -2);
	lua_remove(L, -2);
	lua_insert(L, 2); /* trial, old facts, fn, ... */
	s->timeline = t->timeline;
	s->capture = t->capture;
	t->running = true;
	time_open(L);
	set_facts(L);
	status = lua_pcall(L, lua_gettop(L) - 3, LUA_MULTRET, 0);
	drop_since(s, breakpoints, overrides);
	t->running = false;
	s->timeline = timeline;
	s->capture = capture;
	lua_pushvalue(L, 2);
	set_facts(L);
	script_check(L);
	if (status != LUA_OK)
		return lua_error(L);
	return lua_gettop(L) - 2;
}

/* ---- functions of scene.lua that are no methods -------------------------------------------------------------------------- */

static int call_shared(lua_State *L, const char *name)
{
	int top = lua_gettop(L);

	script_poll(L);
	scene_need_class(L);
	lua_getfield(L, LUA_REGISTRYINDEX, SCENE_SHARED);
	lua_getfield(L, -1, name);
	lua_insert(L, 1);
	lua_settop(L, top + 1);
	lua_call(L, top, 1);
	return 1;
}

int scene_build(lua_State *L)
{
	luaL_checkstring(L, 1);
	luaL_checktype(L, 2, LUA_TFUNCTION);
	return call_shared(L, "build");
}

int scene_hue(lua_State *L)
{
	luaL_checknumber(L, 1);
	return call_shared(L, "hue");
}

int scene_letter(lua_State *L)
{
	return call_shared(L, "letter");
}
