/* bind_efb.c - copies and their texels
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "lua/record.h"

int copy_get(lua_State *L)
{
	struct qs_error error;
	struct qs_copy copy;

	script_ground(L, "qs.copy");
	if (!qs_timeline_copy(timeline_of(L), &copy, &error))
		return script_fail(L, &error);
	record_push(L, record_copy, &copy);
	return 1;
}

/* In a copy hook it is about the copy of the event, and nothing moves. */
int copy_texel_get(lua_State *L)
{
	lua_Integer x = luaL_checkinteger(L, 1), y = luaL_checkinteger(L, 2);
	struct qs_copy_texel texel;
	struct qs_error error;

	if (!script_of(L)->event[HOOK_COPY].alive)
		script_ground(L, "qs.copy_texel");
	if (x < 0 || y < 0 || x > 65535 || y > 65535)
		return luaL_error(L, "there is no texel %I,%I", x, y);
	if (!qs_timeline_copy_texel(timeline_of(L), (uint32_t)x, (uint32_t)y, &texel, &error))
		return script_fail(L, &error);
	record_push(L, record_copy_texel, &texel);
	return 1;
}
