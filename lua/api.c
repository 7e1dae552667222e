/* api.c - the functions of api.def in the Lua state, their help, and the table behind the reference
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "lua/script.h"

static const struct qs_api apis[] = {
#define API(name, function, signature, text, example) {name, signature, text, example},
#define API_VALUE(name, signature, text, example) {name, signature, text, example},
#include "lua/api.def"
#undef API
#undef API_VALUE
};

static const lua_CFunction functions[] = {
#define API(name, function, signature, text, example) function,
#define API_VALUE(name, signature, text, example) NULL,
#include "lua/api.def"
#undef API
#undef API_VALUE
};

#define COUNT (sizeof apis / sizeof *apis)

size_t qs_api_count(void)
{
	return COUNT;
}

const struct qs_api *qs_api_at(size_t i)
{
	return i < COUNT ? &apis[i] : NULL;
}

/* ---- classes ------------------------------------------------------------------------------------------------------------ */

void api_class(lua_State *L, const char *name)
{
	lua_pushfstring(L, "qs.%s", name);
	if (luaL_newmetatable(L, lua_tostring(L, -1))) {
		lua_pushboolean(L, 0);
		lua_setfield(L, -2, "__metatable");
		lua_newtable(L);
		lua_pushvalue(L, -1);
		lua_setfield(L, -3, "methods");
		lua_setfield(L, -2, "__index");
	}
	lua_remove(L, -2);
}

void api_set_class(lua_State *L, const char *name)
{
	api_class(L, name);
	lua_setmetatable(L, -2);
}

/* ---- names that do not exist -------------------------------------------------------------------------------------------- */

/* Upvalue 1: the table's own name. */
static int no_such_name(lua_State *L)
{
	const char *table = lua_tostring(L, lua_upvalueindex(1)), *key = luaL_tolstring(L, 2, NULL);
	size_t length = strlen(table);
	struct nearest nearest;
	char hint[96];

	nearest_begin(&nearest, key);
	for (size_t i = 0; i < COUNT; i++)
		if (strncmp(apis[i].name, table, length) == 0 && (apis[i].name[length] == '.' || apis[i].name[length] == ':'))
			nearest_offer(&nearest, apis[i].name + length + 1);
	return luaL_error(L, "there is no '%s.%s'%s", table, key, nearest_hint(&nearest, hint, sizeof hint));
}

static int qs_index(lua_State *L)
{
	const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";

	if (strcmp(key, "moment") == 0) {
		record_push_moment(L, qs_timeline_moment(script_of(L)->timeline));
		return 1;
	}
	return no_such_name(L);
}

static int read_only(lua_State *L)
{
	const char *table = lua_tostring(L, lua_upvalueindex(1)), *key = luaL_tolstring(L, 2, NULL);

	if (strcmp(key, "moment") == 0)
		return luaL_error(L, "qs.moment cannot be assigned; qs.seek goes to a moment");
	return luaL_error(L, "'%s.%s' cannot be assigned: %s is read-only", table, key, table);
}

/* Makes the table on top answer unknown names with an error. */
static void guard(lua_State *L, const char *name, lua_CFunction index)
{
	lua_createtable(L, 0, 3);
	lua_pushstring(L, name);
	lua_pushcclosure(L, index, 1);
	lua_setfield(L, -2, "__index");
	lua_pushstring(L, name);
	lua_pushcclosure(L, read_only, 1);
	lua_setfield(L, -2, "__newindex");
	lua_pushboolean(L, 0);
	lua_setfield(L, -2, "__metatable");
	lua_setmetatable(L, -2);
}

/* ---- registration ------------------------------------------------------------------------------------------------------- */

static void add_function(lua_State *L, const char *name, lua_CFunction function)
{
	const char *rest = name + 3;
	size_t head = strcspn(rest, ".:");

	if (strncmp(name, "qs.", 3) != 0) {
		size_t length = strcspn(name, ":");

		lua_pushlstring(L, name, length);
		api_class(L, lua_tostring(L, -1));
		lua_getfield(L, -1, "methods");
		lua_pushcfunction(L, function);
		lua_setfield(L, -2, name + length + 1);
		lua_pop(L, 3);
		return;
	}
	if (rest[head]) {
		char whole[32];

		lua_pushlstring(L, rest, head);
		if (lua_rawget(L, -2) != LUA_TTABLE) {
			lua_pop(L, 1);
			lua_newtable(L);
			snprintf(whole, sizeof whole, "qs.%.*s", (int)head, rest);
			guard(L, whole, no_such_name);
			lua_pushlstring(L, rest, head);
			lua_pushvalue(L, -2);
			lua_rawset(L, -4);
		}
		rest += head + 1;
	} else {
		lua_pushvalue(L, -1);
	}
	lua_pushstring(L, rest);
	lua_pushcfunction(L, function);
	lua_rawset(L, -3);
	lua_pop(L, 1);
}

static void add_value(lua_State *L, const char *name, void (*push)(lua_State *))
{
	lua_pushstring(L, name);
	push(L);
	lua_rawset(L, -3);
}

void api_open(lua_State *L)
{
	lua_newtable(L);
	for (size_t i = 0; i < COUNT; i++)
		if (functions[i])
			add_function(L, apis[i].name, functions[i]);
	record_open(L);
	builder_open(L);
	pixel_open(L);
	state_open(L);
	add_value(L, "regs", regs_open);
	add_value(L, "capture", time_open);
	guard(L, "qs", qs_index);
	lua_setglobal(L, "qs");
}

/* ---- help --------------------------------------------------------------------------------------------------------------- */

static const struct qs_api *find(const char *name)
{
	for (size_t i = 0; i < COUNT; i++) {
		const char *full = apis[i].name, *method = strchr(full, ':');

		if (strcmp(full, name) == 0 || (strncmp(full, "qs.", 3) == 0 && strcmp(full + 3, name) == 0) ||
			(method && strcmp(method + 1, name) == 0))
			return &apis[i];
	}
	return NULL;
}

static void print_list(lua_State *L)
{
	luaL_Buffer b;

	luaL_buffinit(L, &b);
	for (size_t i = 0; i < COUNT; i++) {
		luaL_addstring(&b, apis[i].signature);
		luaL_addchar(&b, '\n');
	}
	luaL_addstring(&b, "qs.help(name) says more.\n");
	luaL_pushresult(&b);
	script_print(script_of(L), lua_tostring(L, -1), false);
}

int api_help(lua_State *L)
{
	const char *name = luaL_optstring(L, 1, NULL);
	const struct qs_api *api;
	struct nearest nearest;
	char hint[96];

	if (!name) {
		print_list(L);
		return 0;
	}
	api = find(name);
	if (!api) {
		nearest_begin(&nearest, name);
		for (size_t i = 0; i < COUNT; i++)
			nearest_offer(&nearest, apis[i].name);
		return luaL_error(L, "there is no help on '%s'%s", name, nearest_hint(&nearest, hint, sizeof hint));
	}
	lua_pushfstring(L, "%s\n  %s\n  %s\n", api->signature, api->text, api->example);
	script_print(script_of(L), lua_tostring(L, -1), false);
	return 0;
}
