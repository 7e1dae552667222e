/* sandbox.c - the standard library that scripts may use
 *
 * Left out: io, os, debug, package, dofile, loadfile, require, warn, string.dump and bytecode in load.  Replaced: what could
 * run for ever inside C, where no count hook looks (huge ranges, empty strings repeated, patterns), and what Lua runs with
 * its hooks switched off: finalizers set by scripts, handlers of xpcall and pending __close functions of a coroutine that was
 * stopped by the count hook.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <lualib.h>
#include <string.h>

#include "lua/script.h"

#define RANGE_LIMIT ((lua_Integer)1 << 24) /* elements: more do not fit into the memory limit */
#define SOURCE_LIMIT ((size_t)4 << 20)
#define LOOK_EVERY 4096 /* comparisons between looks at the clock */

/* The function that was replaced, in the same frame, so that its errors name the script's line. */
static int pass_on(lua_State *L)
{
	return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

/* ---- base --------------------------------------------------------------------------------------------------------------- */

int script_print_values(lua_State *L)
{
	int n = lua_gettop(L);
	luaL_Buffer b;

	luaL_buffinit(L, &b);
	for (int i = 1; i <= n; i++) {
		if (i > 1)
			luaL_addchar(&b, '\t');
		luaL_tolstring(L, i, NULL);
		luaL_addvalue(&b);
	}
	luaL_addchar(&b, '\n');
	luaL_pushresult(&b);
	script_print(script_of(L), lua_tostring(L, -1), false);
	return 0;
}

static int safe_setmetatable(lua_State *L)
{
	luaL_checktype(L, 1, LUA_TTABLE);
	luaL_argexpected(L, lua_isnil(L, 2) || lua_istable(L, 2), 2, "nil or table");
	if (lua_istable(L, 2)) {
		lua_pushliteral(L, "__gc");
		if (lua_rawget(L, 2) != LUA_TNIL)
			return luaL_error(L, "scripts cannot set finalizers (__gc)");
	}
	lua_settop(L, 2);
	return pass_on(L);
}

static int safe_load(lua_State *L)
{
	size_t length;

	if (lua_type(L, 1) != LUA_TSTRING)
		return luaL_error(L, "load takes a text here, no function");
	lua_tolstring(L, 1, &length);
	if (length > SOURCE_LIMIT)
		return luaL_error(L, "the text for load is longer than 4 MiB");
	if (lua_gettop(L) < 3)
		lua_settop(L, 3);
	lua_pushliteral(L, "t");
	lua_replace(L, 3);
	return pass_on(L);
}

static int safe_collectgarbage(lua_State *L)
{
	const char *option = luaL_optstring(L, 1, "collect");

	if (strcmp(option, "count") == 0) {
		struct qs_script *s = script_of(L);

		lua_pushnumber(L, (double)(s->used + s->external) / 1024.0);
		return 1;
	}
	if (strcmp(option, "collect") != 0)
		return luaL_error(L, "collectgarbage takes \"count\" or \"collect\" here");
	lua_pushinteger(L, lua_gc(L, LUA_GCCOLLECT));
	return 1;
}

static int handle(lua_State *L)
{
	struct qs_script *s = script_of(L);

	if (s->death) /* the handler would run without count hooks */
		return 1;
	lua_pushvalue(L, lua_upvalueindex(1));
	lua_insert(L, 1);
	lua_call(L, 1, 1);
	return 1;
}

/* After the call: true and the results, or false and the error. The stack is true, handler, results or error. */
static int finish_xpcall(lua_State *L, int status, lua_KContext context)
{
	(void)context;
	if (status != LUA_OK && status != LUA_YIELD) {
		lua_pushboolean(L, 0);
		lua_insert(L, -2);
		return 2;
	}
	return lua_gettop(L) - 1;
}

static int safe_xpcall(lua_State *L)
{
	int n = lua_gettop(L);

	luaL_checktype(L, 2, LUA_TFUNCTION);
	lua_pushvalue(L, 2);
	lua_pushcclosure(L, handle, 1);
	lua_replace(L, 2); /* f, handler, arguments */
	lua_pushboolean(L, 1);
	lua_pushvalue(L, 1);
	lua_rotate(L, 3, 2); /* f, handler, true, f, arguments */
	lua_copy(L, 2, 1);
	lua_remove(L, 2); /* handler, true, f, arguments */
	return finish_xpcall(L, lua_pcallk(L, n - 2, LUA_MULTRET, 1, 0, finish_xpcall), 0);
}

/* ---- coroutines --------------------------------------------------------------------------------------------------------- */

static int resume_wrapped(lua_State *L)
{
	lua_State *co = lua_tothread(L, lua_upvalueindex(1));
	int n = lua_gettop(L), results, status;

	if (!lua_checkstack(co, n))
		return luaL_error(L, "too many arguments to resume");
	if (lua_status(co) == LUA_OK && lua_gettop(co) == 0)
		return luaL_error(L, "cannot resume dead coroutine");
	lua_xmove(L, co, n);
	status = lua_resume(co, L, n, &results);
	if (status == LUA_OK || status == LUA_YIELD) {
		if (!lua_checkstack(L, results + 1))
			return luaL_error(L, "too many results to resume");
		lua_xmove(co, L, results);
		return results;
	}
	script_check(L);
	if (lua_status(co) > LUA_YIELD) /* an error inside; "cannot resume non-suspended" leaves it as it is */
		lua_resetthread(co);
	lua_xmove(co, L, 1);
	return lua_error(L);
}

static int safe_wrap(lua_State *L)
{
	lua_State *co;

	luaL_checktype(L, 1, LUA_TFUNCTION);
	co = lua_newthread(L);
	lua_pushvalue(L, 1);
	lua_xmove(L, co, 1);
	lua_pushcclosure(L, resume_wrapped, 1);
	return 1;
}

static int safe_close(lua_State *L)
{
	script_check(L);
	return pass_on(L);
}

/* ---- tables ------------------------------------------------------------------------------------------------------------- */

static void check_count(lua_State *L, lua_Integer first, lua_Integer last)
{
	if (first <= last && ((first < 0 && last >= first + RANGE_LIMIT) || (first >= 0 && last - first >= RANGE_LIMIT)))
		luaL_error(L, "a range of more than %I elements", RANGE_LIMIT);
}

static int safe_move(lua_State *L)
{
	check_count(L, luaL_checkinteger(L, 2), luaL_checkinteger(L, 3));
	return pass_on(L);
}

/* insert, remove: the length may come from a metamethod */
static int safe_length(lua_State *L)
{
	luaL_checkany(L, 1);
	check_count(L, 1, luaL_len(L, 1));
	return pass_on(L);
}

static int safe_range(lua_State *L)
{
	int first = lua_toboolean(L, lua_upvalueindex(2)) ? 3 : 2; /* concat has the separator before */
	lua_Integer i = luaL_optinteger(L, first, 1);

	luaL_checkany(L, 1);
	check_count(L, i, lua_isnoneornil(L, first + 1) ? luaL_len(L, 1) : luaL_checkinteger(L, first + 1));
	return pass_on(L);
}

static int compare(lua_State *L)
{
	lua_Integer left = lua_tointeger(L, lua_upvalueindex(1)) - 1;

	if (left <= 0) {
		script_poll(L);
		left = LOOK_EVERY;
	}
	lua_pushinteger(L, left);
	lua_replace(L, lua_upvalueindex(1));
	lua_pushboolean(L, lua_compare(L, 1, 2, LUA_OPLT));
	return 1;
}

static int safe_sort(lua_State *L)
{
	lua_Integer n;

	luaL_checkany(L, 1);
	n = luaL_len(L, 1);
	check_count(L, 1, n);
	if (n > LOOK_EVERY && lua_isnoneornil(L, 2)) {
		lua_settop(L, 1);
		lua_pushinteger(L, LOOK_EVERY);
		lua_pushcclosure(L, compare, 1);
	}
	return pass_on(L);
}

/* ---- strings ------------------------------------------------------------------------------------------------------------ */

static int safe_rep(lua_State *L)
{
	size_t length, separator = 0;

	luaL_checklstring(L, 1, &length);
	luaL_checkinteger(L, 2);
	if (!lua_isnoneornil(L, 3))
		luaL_checklstring(L, 3, &separator);
	if (length + separator == 0) {
		lua_pushliteral(L, "");
		return 1;
	}
	return pass_on(L);
}

/* ---- putting it together ------------------------------------------------------------------------------------------------ */

/* Replaces a field of the table on top by a closure that has the old value as its first upvalue. */
static void replace(lua_State *L, const char *name, lua_CFunction function)
{
	lua_getfield(L, -1, name);
	lua_pushcclosure(L, function, 1);
	lua_setfield(L, -2, name);
}

static void replace_range(lua_State *L, const char *name, bool separator)
{
	lua_getfield(L, -1, name);
	lua_pushboolean(L, separator);
	lua_pushcclosure(L, safe_range, 2);
	lua_setfield(L, -2, name);
}

static void remove_fields(lua_State *L, const char *const *names)
{
	for (; *names; names++) {
		lua_pushnil(L);
		lua_setfield(L, -2, *names);
	}
}

static void open_base(lua_State *L)
{
	static const char *const unwanted[] = {"dofile", "loadfile", "warn", "require", NULL};

	luaL_requiref(L, LUA_GNAME, luaopen_base, 1);
	remove_fields(L, unwanted);
	replace(L, "setmetatable", safe_setmetatable);
	replace(L, "load", safe_load);
	replace(L, "collectgarbage", safe_collectgarbage);
	replace(L, "xpcall", safe_xpcall);
	replace(L, "print", script_print_values);
	lua_pop(L, 1);
}

static void open_table(lua_State *L)
{
	luaL_requiref(L, LUA_TABLIBNAME, luaopen_table, 1);
	replace(L, "move", safe_move);
	replace(L, "insert", safe_length);
	replace(L, "remove", safe_length);
	replace(L, "sort", safe_sort);
	replace_range(L, "concat", true);
	replace_range(L, "unpack", false);
	lua_pop(L, 1);
}

static void open_string(lua_State *L)
{
	static const char *const unwanted[] = {"dump", NULL};

	luaL_requiref(L, LUA_STRLIBNAME, luaopen_string, 1);
	remove_fields(L, unwanted);
	replace(L, "rep", safe_rep);
	pattern_open(L);
	lua_pop(L, 1);
}

void sandbox_open(lua_State *L)
{
	open_base(L);
	luaL_requiref(L, LUA_COLIBNAME, luaopen_coroutine, 1);
	replace(L, "wrap", safe_wrap);
	replace(L, "close", safe_close);
	lua_pop(L, 1);
	open_table(L);
	open_string(L);
	luaL_requiref(L, LUA_UTF8LIBNAME, luaopen_utf8, 1);
	luaL_requiref(L, LUA_MATHLIBNAME, luaopen_math, 1);
	lua_getfield(L, -1, "randomseed"); /* a probe gives the same result each time */
	lua_pushinteger(L, 1);
	lua_call(L, 1, 0);
	lua_pop(L, 2);
}
