/* bind_efb.c - copies and their texels; the processor's window on the EFB
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

/* ---- the processor ------------------------------------------------------------------------------------------------------ */

static void check_pixel(lua_State *L, lua_Integer *x, lua_Integer *y)
{
	*x = luaL_checkinteger(L, 1);
	*y = luaL_checkinteger(L, 2);
	if (*x < 0 || *x > 639 || *y < 0 || *y > 527)
		luaL_error(L, "there is no pixel %I,%I: the EFB has 640 x 528 pixels", *x, *y);
}

static int peek(lua_State *L, enum qs_access_kind kind)
{
	struct qs_error error;
	lua_Integer x, y;
	uint32_t value;

	check_pixel(L, &x, &y);
	if (!qs_timeline_peek(timeline_of(L), kind, (int)x, (int)y, &value, &error))
		return script_fail(L, &error);
	lua_pushinteger(L, value);
	return 1;
}

int efb_peek(lua_State *L)
{
	return peek(L, QS_ACCESS_COLOUR);
}

int efb_peek_z(lua_State *L)
{
	return peek(L, QS_ACCESS_DEPTH);
}

/* Pokes happen between commands: after the command of the moment. */
static int add_access(lua_State *L, struct qs_access *access, const char *what)
{
	struct qs_script *s = script_of(L);
	const struct qs_moment *moment = qs_timeline_moment(s->timeline);
	struct qs_error error;
	uint32_t id;

	script_still(L, what);
	if (moment->level > QS_LEVEL_DRAW)
		return luaL_error(L, "%s works between commands, and this moment is inside a draw; go to the draw or a command", what);
	access->command = moment->level == QS_LEVEL_START ? QS_NONE : moment->command;
	id = qs_timeline_access_add(s->timeline, access, &error);
	if (!id)
		return script_fail(L, &error);
	if (s->access_count == sizeof s->access / sizeof *s->access) { /* more than the engine takes */
		qs_timeline_access_remove(s->timeline, id);
		return luaL_error(L, "too many accesses");
	}
	s->access[s->access_count++] = id;
	lua_pushinteger(L, id);
	script_poll(L);
	return 1;
}

static int poke(lua_State *L, enum qs_access_kind kind, lua_Integer most, const char *what)
{
	lua_Integer x, y, value = luaL_checkinteger(L, 3);
	struct qs_access access;

	check_pixel(L, &x, &y);
	luaL_argcheck(L, value >= 0 && value <= most, 3, "the value does not fit");
	access = (struct qs_access){.kind = (uint8_t)kind, .x = (uint16_t)x, .y = (uint16_t)y, .value = (uint32_t)value};
	return add_access(L, &access, what);
}

int efb_poke(lua_State *L)
{
	return poke(L, QS_ACCESS_COLOUR, UINT32_MAX, "qs.efb.poke");
}

int efb_poke_z(lua_State *L)
{
	return poke(L, QS_ACCESS_DEPTH, 0xFFFFFF, "qs.efb.poke_z");
}

int efb_set(lua_State *L)
{
	const char *name = luaL_checkstring(L, 1);
	const struct qs_register *reg = qs_register_by_name(QS_UNIT_PE, name);
	lua_Integer value = luaL_checkinteger(L, 2);
	struct qs_access access = {.kind = QS_ACCESS_REGISTER};

	if (!reg)
		return luaL_error(L, "the pixel engine has no register '%s'", name);
	luaL_argcheck(L, value >= 0 && value <= 0xFFFF, 2, "the value does not fit into 16 bits");
	access.x = reg->address;
	access.value = (uint32_t)value;
	return add_access(L, &access, "qs.efb.set");
}

int efb_undo(lua_State *L)
{
	struct qs_script *s = script_of(L);
	lua_Integer id = luaL_checkinteger(L, 1);
	size_t n = 0;

	script_still(L, "qs.efb.undo");
	for (size_t i = 0; i < s->access_count; i++)
		if (s->access[i] == id)
			qs_timeline_access_remove(s->timeline, (uint32_t)id);
		else
			s->access[n++] = s->access[i];
	lua_pushboolean(L, n != s->access_count);
	s->access_count = n;
	script_poll(L);
	return 1;
}

void accesses_clear(struct qs_script *s)
{
	for (size_t i = 0; i < s->access_count; i++)
		qs_timeline_access_remove(s->timeline, s->access[i]);
	s->access_count = 0;
}
