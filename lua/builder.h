/* builder.h - a growing text that a raised error does not leak
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QS_LUA_BUILDER_H
#define QS_LUA_BUILDER_H

#include "lua/script.h"

struct builder {
	char *data;
	size_t used, room;
};

struct builder *builder_push(lua_State *L); /* a userdata on the stack */
void builder_add(lua_State *L, struct builder *b, const char *text, size_t size);
void builder_adds(lua_State *L, struct builder *b, const char *text);
void builder_adds_value(lua_State *L, struct builder *b); /* the text or number on top, which is popped */
void builder_push_text(lua_State *L, const struct builder *b);

/* Keys of the table at index in order: numbers, then strings, then the rest left out. The array is a userdata on the stack. */
struct sorted_key {
	bool is_number, is_integer;
	lua_Integer integer;
	double number;
	const char *string;
	size_t length;
};
struct sorted_key *builder_keys(lua_State *L, int index, size_t *count);
void builder_push_key(lua_State *L, const struct sorted_key *key);
/* The only keys are the integers 0.. or 1..; *first gets which. */
bool builder_is_list(const struct sorted_key *keys, size_t count, lua_Integer *first);

#endif
