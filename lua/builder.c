/* builder.c - a growing text, sorted keys; JSON and what a prompt shows
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lua/builder.h"

#define DEEPEST 60
#define SHOWN_DEPTH 3  /* levels of tables at the prompt */
#define SHOWN_ITEMS 64

/* ---- texts -------------------------------------------------------------------------------------------------------------- */

static int builder_gc(lua_State *L)
{
	struct builder *b = lua_touserdata(L, 1);

	script_of(L)->external -= b->room;
	free(b->data);
	b->data = NULL;
	b->room = 0;
	return 0;
}

void builder_open(lua_State *L)
{
	luaL_newmetatable(L, "qs.builder");
	lua_pushcfunction(L, builder_gc);
	lua_setfield(L, -2, "__gc");
	lua_pop(L, 1);
}

struct builder *builder_push(lua_State *L)
{
	struct builder *b = lua_newuserdatauv(L, sizeof *b, 0);

	*b = (struct builder){0};
	luaL_setmetatable(L, "qs.builder");
	return b;
}

void builder_add(lua_State *L, struct builder *b, const char *text, size_t size)
{
	if (b->used + size > b->room) {
		size_t room = 2 * (b->used + size) + 256;
		char *grown;

		script_account(L, room - b->room);
		grown = realloc(b->data, room);
		if (!grown) {
			script_of(L)->external -= room - b->room;
			luaL_error(L, "there is no memory for a text of %d bytes", (int)room);
		}
		b->data = grown;
		b->room = room;
	}
	if (size)
		memcpy(b->data + b->used, text, size);
	b->used += size;
}

void builder_adds(lua_State *L, struct builder *b, const char *text)
{
	builder_add(L, b, text, strlen(text));
}

void builder_adds_value(lua_State *L, struct builder *b)
{
	size_t size;
	const char *text = lua_tolstring(L, -1, &size);

	builder_add(L, b, text, size);
	lua_pop(L, 1);
}

void builder_push_text(lua_State *L, const struct builder *b)
{
	lua_pushlstring(L, b->data ? b->data : "", b->used);
}

/* ---- keys --------------------------------------------------------------------------------------------------------------- */

static int compare_keys(const void *a, const void *b)
{
	const struct sorted_key *x = a, *y = b;

	if (x->is_number != y->is_number)
		return x->is_number ? -1 : 1;
	if (x->is_number)
		return x->number < y->number ? -1 : x->number > y->number;
	size_t n = x->length < y->length ? x->length : y->length;
	int order = memcmp(x->string, y->string, n);
	return order ? order : (x->length > y->length) - (x->length < y->length);
}

struct sorted_key *builder_keys(lua_State *L, int index, size_t *count)
{
	struct sorted_key *keys;
	size_t n = 0, i = 0;
	int anchor;

	index = lua_absindex(L, index);
	for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1))
		n++;
	keys = lua_newuserdatauv(L, (n ? n : 1) * sizeof *keys, 1);
	lua_newtable(L); /* keeps the strings alive, whatever happens to the table */
	lua_pushvalue(L, -1);
	lua_setiuservalue(L, -3, 1);
	lua_insert(L, -2);
	anchor = lua_gettop(L) - 1;
	for (lua_pushnil(L); lua_next(L, index) && i < n; lua_pop(L, 1)) {
		if (lua_type(L, -2) == LUA_TNUMBER) {
			bool whole = lua_isinteger(L, -2);

			keys[i++] = (struct sorted_key){true, whole, whole ? lua_tointeger(L, -2) : 0, lua_tonumber(L, -2), NULL, 0};
		} else if (lua_type(L, -2) == LUA_TSTRING) {
			keys[i] = (struct sorted_key){.is_number = false};
			keys[i].string = lua_tolstring(L, -2, &keys[i].length);
			i++;
			lua_pushvalue(L, -2);
			lua_rawseti(L, anchor, (lua_Integer)i);
		}
	}
	lua_remove(L, anchor);
	qsort(keys, i, sizeof *keys, compare_keys);
	*count = i;
	return keys;
}

void builder_push_key(lua_State *L, const struct sorted_key *key)
{
	if (key->is_integer)
		lua_pushinteger(L, key->integer);
	else if (key->is_number)
		lua_pushnumber(L, key->number);
	else
		lua_pushlstring(L, key->string, key->length);
}

bool builder_is_list(const struct sorted_key *keys, size_t count, lua_Integer *first)
{
	*first = 1;
	if (!count)
		return false;
	if (!keys[0].is_integer || (keys[0].integer != 0 && keys[0].integer != 1))
		return false;
	*first = keys[0].integer;
	return keys[count - 1].is_integer && keys[count - 1].integer - *first == (lua_Integer)count - 1;
}

/* ---- JSON --------------------------------------------------------------------------------------------------------------- */

/* Length of the valid UTF-8 sequence at s, 0: none. */
static size_t utf8_length(const unsigned char *s, size_t left)
{
	size_t n = *s < 0x80 ? 1 : *s >= 0xC2 && *s < 0xE0 ? 2 : *s >= 0xE0 && *s < 0xF0 ? 3 : *s >= 0xF0 && *s < 0xF5 ? 4 : 0;

	if (!n || n > left)
		return 0;
	for (size_t i = 1; i < n; i++)
		if ((s[i] & 0xC0) != 0x80)
			return 0;
	if ((*s == 0xE0 && s[1] < 0xA0) || (*s == 0xED && s[1] >= 0xA0) || (*s == 0xF0 && s[1] < 0x90) || (*s == 0xF4 && s[1] >= 0x90))
		return 0;
	return n;
}

static void add_quoted(lua_State *L, struct builder *b, const char *text, size_t size)
{
	const unsigned char *s = (const unsigned char *)text;
	char escape[8];

	builder_add(L, b, "\"", 1);
	for (size_t i = 0, n; i < size; i += n) {
		n = utf8_length(s + i, size - i);
		if (s[i] == '"' || s[i] == '\\') {
			escape[0] = '\\';
			escape[1] = (char)s[i];
			builder_add(L, b, escape, 2);
		} else if (s[i] == '\n') {
			builder_add(L, b, "\\n", 2);
		} else if (s[i] < 0x20 || s[i] == 0x7F || !n) { /* bytes that are no text keep their number */
			snprintf(escape, sizeof escape, "\\u%04x", s[i]);
			builder_add(L, b, escape, 6);
			n = 1;
		} else {
			builder_add(L, b, text + i, n);
		}
	}
	builder_add(L, b, "\"", 1);
}

static void add_number(lua_State *L, struct builder *b, int index)
{
	char text[40];
	double number;

	if (lua_isinteger(L, index)) {
		snprintf(text, sizeof text, "%lld", (long long)lua_tointeger(L, index));
	} else {
		number = lua_tonumber(L, index);
		if (!isfinite(number)) {
			snprintf(text, sizeof text, "null");
		} else {
			for (int digits = 15; digits <= 17; digits++) {
				snprintf(text, sizeof text, "%.*g", digits, number);
				if (strtod(text, NULL) == number)
					break;
			}
		}
	}
	builder_adds(L, b, text);
}

static void add_json(lua_State *L, struct builder *b, int index, int depth);

static void add_json_key(lua_State *L, struct builder *b, const struct sorted_key *key)
{
	size_t length;
	const char *text;

	builder_push_key(L, key);
	text = luaL_tolstring(L, -1, &length);
	add_quoted(L, b, text, length);
	builder_add(L, b, ":", 1);
	lua_pop(L, 2);
}

static void add_json_table(lua_State *L, struct builder *b, int index, int depth)
{
	struct sorted_key *keys;
	lua_Integer first;
	size_t count;
	bool list;

	if (depth > DEEPEST)
		luaL_error(L, "qs.json: tables are nested more than %d deep, or contain themselves", DEEPEST);
	luaL_checkstack(L, 12, NULL);
	keys = builder_keys(L, index, &count);
	list = !count || builder_is_list(keys, count, &first);
	builder_add(L, b, list ? "[" : "{", 1);
	for (size_t i = 0; i < count; i++) {
		if (i)
			builder_add(L, b, ",", 1);
		if (!list)
			add_json_key(L, b, &keys[i]);
		builder_push_key(L, &keys[i]);
		lua_rawget(L, index);
		add_json(L, b, lua_gettop(L), depth + 1);
		lua_pop(L, 1);
	}
	builder_add(L, b, list ? "]" : "}", 1);
	lua_pop(L, 1);
}

static void add_json(lua_State *L, struct builder *b, int index, int depth)
{
	const char *text;
	size_t length;

	switch (lua_type(L, index)) {
	case LUA_TNIL: builder_adds(L, b, "null"); break;
	case LUA_TBOOLEAN: builder_adds(L, b, lua_toboolean(L, index) ? "true" : "false"); break;
	case LUA_TNUMBER: add_number(L, b, index); break;
	case LUA_TSTRING:
		text = lua_tolstring(L, index, &length);
		add_quoted(L, b, text, length);
		break;
	case LUA_TTABLE: add_json_table(L, b, index, depth); break;
	case LUA_TUSERDATA:
		text = luaL_tolstring(L, index, &length);
		add_quoted(L, b, text, length);
		lua_pop(L, 1);
		break;
	default:
		luaL_error(L, "qs.json: a %s has no JSON form", luaL_typename(L, index));
	}
}

int json_encode(lua_State *L)
{
	struct builder *b;

	luaL_checkany(L, 1);
	lua_settop(L, 1);
	b = builder_push(L);
	add_json(L, b, 1, 0);
	builder_push_text(L, b);
	return 1;
}

/* ---- what a person reads ------------------------------------------------------------------------------------------------ */

static void add_value(lua_State *L, struct builder *b, int index, int depth);

static bool is_rgba(lua_State *L, int index, long long c[4])
{
	static const char *const names[] = {"r", "g", "b", "a"};
	bool good = true;

	for (int i = 0; i < 4; i++) {
		lua_pushstring(L, names[i]);
		lua_rawget(L, index);
		c[i] = lua_tointeger(L, -1);
		good = good && lua_isinteger(L, -1) && c[i] >= 0 && c[i] <= 255;
		lua_pop(L, 1);
	}
	return good;
}

static bool is_word(const struct sorted_key *key)
{
	for (size_t i = 0; i < key->length; i++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_", key->string[i]) &&
			(i == 0 || !strchr("0123456789", key->string[i])))
			return false;
	return key->length > 0;
}

static void add_shown_key(lua_State *L, struct builder *b, const struct sorted_key *key)
{
	size_t length;
	const char *text;

	builder_push_key(L, key);
	text = luaL_tolstring(L, -1, &length);
	if (key->is_number || !is_word(key)) {
		builder_adds(L, b, "[");
		if (key->is_number)
			builder_add(L, b, text, length);
		else
			add_quoted(L, b, text, length);
		builder_adds(L, b, "]");
	} else {
		builder_add(L, b, text, length);
	}
	builder_adds(L, b, " = ");
	lua_pop(L, 2);
}

static void add_table(lua_State *L, struct builder *b, int index, int depth)
{
	struct sorted_key *keys;
	lua_Integer first;
	long long c[4];
	size_t count;
	bool list;
	char text[48];

	luaL_checkstack(L, 12, NULL);
	keys = builder_keys(L, index, &count);
	if (count == 4 && is_rgba(L, index, c)) {
		snprintf(text, sizeof text, "#%02llx%02llx%02llx%02llx", c[0], c[1], c[2], c[3]);
		builder_adds(L, b, text);
		lua_pop(L, 1);
		return;
	}
	list = builder_is_list(keys, count, &first) && first == 1;
	builder_adds(L, b, "{");
	for (size_t i = 0; i < count; i++) {
		if (i)
			builder_adds(L, b, ", ");
		if (i == SHOWN_ITEMS || depth >= SHOWN_DEPTH) {
			snprintf(text, sizeof text, "... %zu more", count - i);
			builder_adds(L, b, text);
			break;
		}
		if (!list)
			add_shown_key(L, b, &keys[i]);
		builder_push_key(L, &keys[i]);
		lua_rawget(L, index);
		add_value(L, b, lua_gettop(L), depth + 1);
		lua_pop(L, 1);
	}
	builder_adds(L, b, "}");
	lua_pop(L, 1);
}

static void add_value(lua_State *L, struct builder *b, int index, int depth)
{
	const char *text;
	size_t length;

	if (lua_type(L, index) == LUA_TTABLE && luaL_getmetafield(L, index, "__tostring") == LUA_TNIL) {
		add_table(L, b, index, depth);
		return;
	}
	if (lua_type(L, index) == LUA_TTABLE)
		lua_pop(L, 1);
	text = luaL_tolstring(L, index, &length);
	if (depth && lua_type(L, index) == LUA_TSTRING)
		add_quoted(L, b, text, length);
	else
		builder_add(L, b, text, length);
	lua_pop(L, 1);
}

void plot_describe(lua_State *L, int index)
{
	struct builder *b;

	index = lua_absindex(L, index);
	b = builder_push(L);
	add_value(L, b, index, 0);
	builder_push_text(L, b);
	lua_remove(L, -2);
}
