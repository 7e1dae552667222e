/* hooks.c - qs.on: keeping hooks and their filters
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "lua/script.h"

#define HOOK_LIMIT 4096
/* ---- keeping hooks ------------------------------------------------------------------------------------------------------ */

static void free_hook(struct hook *h)
{
	qs_expr_destroy(h->filter);
	free(h->write);
	free(h);
}

void hooks_clear(struct qs_script *s)
{
	for (size_t i = 0; i < s->hook_count; i++)
		free_hook(s->hook[i]);
	s->hook_count = 0;
}

void hooks_off(struct qs_script *s)
{
	for (size_t i = 0; i < s->hook_count; i++)
		s->hook[i]->on = false;
}

bool hooks_any(const struct qs_script *s)
{
	for (size_t i = 0; i < s->hook_count; i++)
		if (s->hook[i]->on)
			return true;
	return false;
}

static struct hook *new_hook(lua_State *L, enum hook_kind kind)
{
	struct qs_script *s = script_of(L);
	struct hook *h;

	if (s->hook_count == HOOK_LIMIT)
		luaL_error(L, "a script can have %d hooks", HOOK_LIMIT);
	if (s->hook_count == s->hook_room) {
		size_t room = s->hook_room ? 2 * s->hook_room : 16;
		struct hook **grown = realloc(s->hook, room * sizeof *grown);

		if (!grown)
			luaL_error(L, "there is no memory for a hook");
		s->hook = grown;
		s->hook_room = room;
	}
	h = calloc(1, sizeof *h);
	if (!h)
		luaL_error(L, "there is no memory for a hook");
	h->kind = kind;
	h->function = LUA_NOREF;
	s->hook[s->hook_count++] = h;
	return h;
}

/* ---- filters ------------------------------------------------------------------------------------------------------------ */

static enum qs_level level_of(enum hook_kind kind)
{
	static const enum qs_level levels[HOOK_KINDS] = {
		[HOOK_FRAME] = QS_LEVEL_FRAME, [HOOK_DRAW] = QS_LEVEL_DRAW, [HOOK_COMMAND] = QS_LEVEL_COMMAND,
		[HOOK_WRITE] = QS_LEVEL_COMMAND, [HOOK_PRIMITIVE] = QS_LEVEL_PRIMITIVE, [HOOK_QUAD] = QS_LEVEL_QUAD,
		[HOOK_FRAGMENT] = QS_LEVEL_FRAGMENT, [HOOK_STAGE] = QS_LEVEL_STAGE, [HOOK_COPY] = QS_LEVEL_COMMAND,
	};

	return levels[kind];
}

static void check_filter(lua_State *L, enum hook_kind kind, const struct qs_expr *filter)
{
	static const unsigned written[] = {QS_VAR_UNIT, QS_VAR_ADDRESS, QS_VAR_OLD, QS_VAR_VALUE};
	enum qs_level level = qs_expr_level(filter);

	for (unsigned i = 0; kind != HOOK_WRITE && i < sizeof written / sizeof *written; i++)
		if (qs_expr_variables(filter) >> written[i] & 1)
			luaL_error(L, "the filter '%s' needs register writes (%s): use qs.on.write", qs_expr_text(filter),
				qs_expr_variable_name((enum qs_expr_variable)written[i]));
	/* the draw is known while registers are written, too */
	if (level > level_of(kind) && !(level == QS_LEVEL_DRAW && level_of(kind) == QS_LEVEL_COMMAND))
		luaL_error(L, "the filter '%s' needs a %s: use qs.on.%s", qs_expr_text(filter), qs_level_name(level), qs_level_name(level));
}

static void set_filter(lua_State *L, struct hook *h, int arg)
{
	struct qs_error error;

	h->filter = qs_expr_compile(luaL_checkstring(L, arg), &error);
	if (!h->filter)
		luaL_error(L, "in the filter: %s", error.text);
	check_filter(L, h->kind, h->filter);
}

/* ---- qs.on ------------------------------------------------------------------------------------------------------------- */

static int push_handle(lua_State *L, struct hook *h)
{
	*(struct hook **)lua_newuserdatauv(L, sizeof h, 0) = h;
	api_set_class(L, "handle");
	return 1;
}

int handle_off(lua_State *L)
{
	struct hook *h = *(struct hook **)luaL_checkudata(L, 1, "qs.handle");

	h->on = false;
	luaL_unref(L, LUA_REGISTRYINDEX, h->function);
	h->function = LUA_NOREF;
	return 0;
}

/* [filter,] function [, "detail"]; writes: [pattern, [filter,]] function */
static int on(lua_State *L, enum hook_kind kind)
{
	int filter = 0, pattern = 0, function = 1;
	struct hook *h;

	if (script_of(L)->in_hook)
		return luaL_error(L, "hooks cannot be set inside hooks");
	if (kind == HOOK_WRITE && lua_type(L, function) == LUA_TSTRING)
		pattern = function++;
	if (kind != HOOK_DONE && lua_type(L, function) == LUA_TSTRING)
		filter = function++;
	luaL_checktype(L, function, LUA_TFUNCTION);
	h = new_hook(L, kind); /* stays off when something below fails */
	if (pattern && !regs_match(L, lua_tostring(L, pattern), &h->write, &h->write_count))
		return luaL_error(L, "%s", lua_tostring(L, -1));
	if (filter)
		set_filter(L, h, filter);
	h->detail = kind == HOOK_STAGE;
	if (!lua_isnoneornil(L, function + 1)) {
		static const char *const options[] = {"detail", NULL};

		luaL_checkoption(L, function + 1, NULL, options);
		h->detail = true;
	}
	lua_pushvalue(L, function);
	h->function = luaL_ref(L, LUA_REGISTRYINDEX);
	h->on = true;
	return push_handle(L, h);
}

int on_frame(lua_State *L)
{
	return on(L, HOOK_FRAME);
}

int on_draw(lua_State *L)
{
	return on(L, HOOK_DRAW);
}

int on_command(lua_State *L)
{
	return on(L, HOOK_COMMAND);
}

int on_write(lua_State *L)
{
	return on(L, HOOK_WRITE);
}

int on_primitive(lua_State *L)
{
	return on(L, HOOK_PRIMITIVE);
}

int on_quad(lua_State *L)
{
	return on(L, HOOK_QUAD);
}

int on_fragment(lua_State *L)
{
	return on(L, HOOK_FRAGMENT);
}

int on_stage(lua_State *L)
{
	return on(L, HOOK_STAGE);
}

int on_copy(lua_State *L)
{
	return on(L, HOOK_COPY);
}

int on_done(lua_State *L)
{
	return on(L, HOOK_DONE);
}
