/* bind_time.c - the capture, its frames, draws and commands; moments, seek and step; models
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lua/script.h"

static uint32_t check_number(lua_State *L, int arg, lua_Integer minimum, lua_Integer maximum, const char *what)
{
	lua_Integer n = luaL_checkinteger(L, arg);

	if (n < minimum || n > maximum)
		luaL_error(L, "%s must be %I to %I, not %I", what, minimum, maximum, n);
	return (uint32_t)n;
}

/* ---- moments ------------------------------------------------------------------------------------------------------------ */

/* "2/57", or the number of a frame */
struct qs_moment time_check_moment(lua_State *L, int arg)
{
	const char *text = luaL_checkstring(L, arg);
	struct qs_error error;
	struct qs_moment moment;

	if (!qs_moment_parse(script_of(L)->capture, text, &moment, &error))
		script_fail(L, &error);
	return moment;
}

/* qs.seek(2, 57, 0): the numbers as a text */
static void join_numbers(lua_State *L)
{
	luaL_Buffer b;
	int n = lua_gettop(L);

	for (int i = 1; i <= n; i++)
		luaL_checkinteger(L, i);
	luaL_buffinit(L, &b);
	for (int i = 1; i <= n; i++) {
		char number[24];

		snprintf(number, sizeof number, "%s%lld", i > 1 ? "/" : "", (long long)lua_tointeger(L, i));
		luaL_addstring(&b, number);
	}
	luaL_pushresult(&b);
	lua_replace(L, 1);
}

static int moved(lua_State *L)
{
	script_poll(L);
	record_push_moment(L, qs_timeline_moment(timeline_of(L)));
	return 1;
}

int time_seek(lua_State *L)
{
	struct qs_moment moment;
	struct qs_error error;

	script_ground(L, "qs.seek");
	if (lua_gettop(L) > 1 && lua_type(L, 1) == LUA_TNUMBER)
		join_numbers(L);
	moment = time_check_moment(L, 1);
	if (!qs_timeline_seek(timeline_of(L), &moment, &error))
		return script_fail(L, &error);
	return moved(L);
}

int time_step(lua_State *L)
{
	static const char *const names[] = {"frame", "command", "draw", "primitive", "quad", "fragment", "stage", NULL};
	static const enum qs_level levels[] = {QS_LEVEL_FRAME, QS_LEVEL_COMMAND, QS_LEVEL_DRAW, QS_LEVEL_PRIMITIVE, QS_LEVEL_QUAD,
		QS_LEVEL_FRAGMENT, QS_LEVEL_STAGE};
	enum qs_level level;
	struct qs_error error = {0};
	lua_Integer n;
	int made;

	script_ground(L, "qs.step");
	level = levels[luaL_checkoption(L, 1, "draw", names)];
	n = luaL_optinteger(L, 2, 1);
	if (n < -INT32_MAX || n > INT32_MAX)
		return luaL_error(L, "qs.step takes at most %d steps", INT32_MAX);
	made = qs_timeline_step(timeline_of(L), level, (int)n, &error);
	script_poll(L);
	if (error.code)
		return script_fail(L, &error);
	lua_pushinteger(L, made);
	moved(L);
	return 2;
}

static int direction(lua_State *L, int arg)
{
	return luaL_optinteger(L, arg, 1) < 0 ? -1 : 1;
}

/* The moment, or nil when there is none; other errors are raised. */
static int found(lua_State *L, bool good, const struct qs_error *error)
{
	if (good)
		return moved(L);
	script_poll(L);
	if (error->code != QS_ERR_RANGE)
		return script_fail(L, error);
	lua_pushnil(L);
	lua_pushstring(L, error->text);
	return 2;
}

int time_seek_pixel(lua_State *L)
{
	struct qs_error error = {0};
	int x, y;

	script_ground(L, "qs.seek_pixel");
	x = (int)check_number(L, 1, 0, 639, "x");
	y = (int)check_number(L, 2, 0, 527, "y");
	return found(L, qs_timeline_seek_pixel(timeline_of(L), x, y, direction(L, 3), &error), &error);
}

int time_seek_write(lua_State *L)
{
	struct hook_write *list = NULL, write;
	struct qs_error error = {0};
	size_t count = 0;
	bool good;

	script_ground(L, "qs.seek_write");
	good = regs_match(L, luaL_checkstring(L, 1), &list, &count);
	write = count ? list[0] : (struct hook_write){0};
	free(list);
	if (!good)
		return luaL_error(L, "%s", lua_tostring(L, -1));
	if (count > 1)
		return luaL_error(L, "qs.seek_write looks for one register; '%s' names %d", lua_tostring(L, 1), (int)count);
	return found(L, qs_timeline_seek_write(timeline_of(L), (enum qs_unit)write.unit, write.address, write.mask ? write.mask : UINT32_MAX,
		direction(L, 2), &error), &error);
}

int time_where(lua_State *L)
{
	const struct qs_moment *m = qs_timeline_moment(timeline_of(L));

	lua_createtable(L, 0, 8);
	set_string(L, "level", qs_level_name(m->level));
	if (m->level >= QS_LEVEL_FRAME)
		set_integer(L, "frame", m->frame);
	if (m->level >= QS_LEVEL_FRAME && m->command != QS_NONE)
		set_integer(L, "command", m->command);
	if (m->level >= QS_LEVEL_DRAW)
		set_integer(L, "draw", m->draw);
	if (m->level >= QS_LEVEL_PRIMITIVE)
		set_integer(L, "primitive", m->primitive);
	if (m->level >= QS_LEVEL_QUAD)
		set_integer(L, "quad", m->quad);
	if (m->level >= QS_LEVEL_FRAGMENT)
		set_integer(L, "fragment", m->fragment);
	if (m->level >= QS_LEVEL_STAGE)
		set_integer(L, "stage", m->stage);
	return 1;
}

int time_hash(lua_State *L)
{
	char text[24];

	script_ground(L, "qs.hash");
	snprintf(text, sizeof text, "%016" PRIx64, qs_timeline_hash(timeline_of(L)));
	lua_pushstring(L, text);
	return 1;
}

/* ---- commands ----------------------------------------------------------------------------------------------------------- */

const char *time_kind_name(unsigned kind)
{
	static const char *const names[] = {"nop", "cp", "xf", "xf indexed", "list", "metrics", "invalidate", "bp", "copy", "draw", "bad"};

	return kind < sizeof names / sizeof *names ? names[kind] : "?";
}

const char *time_primitive_name(unsigned opcode)
{
	static const char *const names[] = {"quads", "quads2", "triangles", "strip", "fan", "lines", "line strip", "points"};

	return names[opcode >> 3 & 7];
}

void time_push_command(lua_State *L, uint32_t command)
{
	const struct qs_capture *capture = script_of(L)->capture;
	const struct qs_command *c = qs_capture_command(capture, command);
	const uint8_t *bytes = qs_capture_command_bytes(capture, command);

	lua_createtable(L, 0, 12);
	set_integer(L, "index", command);
	set_integer(L, "frame", c->frame);
	set_integer(L, "offset", c->offset);
	set_integer(L, "size", c->size);
	set_integer(L, "opcode", c->opcode);
	set_string(L, "kind", time_kind_name(c->kind));
	if (c->parent != QS_NONE)
		set_integer(L, "parent", c->parent);
	if (c->draw != QS_NONE) {
		set_integer(L, "draw", c->draw);
		set_string(L, "primitive", time_primitive_name(c->opcode));
		set_integer(L, "vertices", c->size >= 3 ? bytes[1] << 8 | bytes[2] : 0);
		set_integer(L, "format", c->opcode & 7);
		set_integer(L, "vertex_size", c->vertex_size);
	}
	api_set_class(L, "command");
}

/* text, bytes and moment are made when they are read */
static int command_index(lua_State *L)
{
	struct qs_script *s = script_of(L);
	const char *name = luaL_checkstring(L, 2);
	struct qs_moment moment;
	uint32_t command;
	char text[512];

	lua_settop(L, 2);
	lua_pushliteral(L, "index");
	command = lua_istable(L, 1) && lua_rawget(L, 1) == LUA_TNUMBER ? (uint32_t)lua_tointeger(L, -1) : QS_NONE;
	if (!qs_moment_of_command(s->capture, command, &moment))
		return 0;
	if (strcmp(name, "text") == 0)
		lua_pushstring(L, qs_command_text(s->capture, command, text, sizeof text));
	else if (strcmp(name, "bytes") == 0)
		lua_pushlstring(L, (const char *)qs_capture_command_bytes(s->capture, command), qs_capture_command(s->capture, command)->size);
	else if (strcmp(name, "moment") == 0)
		record_push_moment(L, &moment);
	else
		lua_pushnil(L);
	return 1;
}

int time_command(lua_State *L)
{
	uint32_t count = qs_capture_info(script_of(L)->capture)->command_count;

	if (!count)
		return luaL_error(L, "the capture has no commands");
	time_push_command(L, check_number(L, 1, 0, (lua_Integer)count - 1, "the command"));
	return 1;
}

/* Upvalues: the next command and the end. */
static int next_command(lua_State *L)
{
	lua_Integer i = lua_tointeger(L, lua_upvalueindex(1)), end = lua_tointeger(L, lua_upvalueindex(2));
	bool draws = lua_toboolean(L, lua_upvalueindex(3));

	while (draws && i < end && qs_capture_command(script_of(L)->capture, (uint32_t)i)->kind != QS_COMMAND_DRAW)
		i++;
	lua_pushinteger(L, i + 1);
	lua_replace(L, lua_upvalueindex(1));
	if (i >= end)
		return 0;
	time_push_command(L, (uint32_t)i);
	return 1;
}

static int iterate(lua_State *L, bool draws)
{
	const struct qs_capture *capture = script_of(L)->capture;
	const struct qs_capture_info *info = qs_capture_info(capture);
	uint32_t first = 0, end = info->command_count;

	if (!lua_isnoneornil(L, 1)) {
		const struct qs_frame *frame = qs_capture_frame(capture, check_number(L, 1, 1, info->frame_count, "the frame"));

		first = frame->first_command;
		end = first + frame->command_count;
	}
	lua_pushinteger(L, first);
	lua_pushinteger(L, end);
	lua_pushboolean(L, draws);
	lua_pushcclosure(L, next_command, 3);
	return 1;
}

int time_commands(lua_State *L)
{
	return iterate(L, false);
}

int time_draws(lua_State *L)
{
	return iterate(L, true);
}

static int next_frame(lua_State *L)
{
	lua_Integer number = lua_tointeger(L, lua_upvalueindex(1)) + 1;
	const struct qs_frame *frame = qs_capture_frame(script_of(L)->capture, (uint32_t)number);

	lua_pushinteger(L, number);
	lua_replace(L, lua_upvalueindex(1));
	if (!frame)
		return 0;
	lua_createtable(L, 0, 6);
	set_integer(L, "number", number);
	set_integer(L, "draws", frame->draw_count);
	set_integer(L, "commands", frame->command_count);
	set_integer(L, "first_command", frame->first_command);
	set_integer(L, "bytes", frame->fifo_size);
	set_integer(L, "updates", frame->update_count);
	return 1;
}

int time_frames(lua_State *L)
{
	lua_pushinteger(L, 0);
	lua_pushcclosure(L, next_frame, 1);
	return 1;
}

/* ---- the capture -------------------------------------------------------------------------------------------------------- */

static void push_warnings(lua_State *L, const struct qs_capture *capture, uint32_t count)
{
	lua_newtable(L);
	for (uint32_t i = 0; i < count; i++) {
		const struct qs_warning *w = qs_capture_warning(capture, i);

		lua_createtable(L, 0, 3);
		set_integer(L, "offset", (lua_Integer)w->offset);
		if (w->command != QS_NONE)
			set_integer(L, "command", w->command);
		set_string(L, "text", w->text);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
}

void time_open(lua_State *L)
{
	const struct qs_capture *capture = script_of(L)->capture;
	const struct qs_capture_info *info = qs_capture_info(capture);

	api_class(L, "command");
	lua_pushcfunction(L, command_index);
	lua_setfield(L, -2, "__index");
	lua_pop(L, 1);

	lua_createtable(L, 0, 16);
	set_string(L, "path", info->path);
	set_string(L, "format", info->format);
	set_integer(L, "size", (lua_Integer)info->size);
	set_integer(L, "version", info->version);
	set_boolean(L, "wii", info->wii);
	set_boolean(L, "truncated", info->truncated);
	set_integer(L, "mem1_size", info->mem1_size);
	set_integer(L, "mem2_size", info->mem2_size);
	set_integer(L, "frames", info->frame_count);
	set_integer(L, "draws", info->draw_count);
	set_integer(L, "commands", info->command_count);
	set_integer(L, "updates", info->update_count);
	push_warnings(L, capture, info->warning_count);
	lua_setfield(L, -2, "warnings");
}

/* ---- models ------------------------------------------------------------------------------------------------------------- */

int time_model(lua_State *L)
{
	enum qs_model model;

	if (!lua_isnoneornil(L, 1)) {
		const char *name = luaL_checkstring(L, 1);

		script_still(L, "qs.model");
		if (!qs_model_parse(name, &model))
			return luaL_error(L, "there is no model '%s'; the models are hardware, dolphin and pureikyubu", name);
		qs_timeline_set_model(timeline_of(L), model);
		script_poll(L);
	}
	lua_pushstring(L, qs_model_name(qs_timeline_model(timeline_of(L))));
	return 1;
}

int time_pipeline(lua_State *L)
{
	enum qs_pipeline pipeline;
	struct qs_error error;

	if (!lua_isnoneornil(L, 1)) {
		const char *name = luaL_checkstring(L, 1);
		lua_Integer frame = luaL_optinteger(L, 2, 0);

		script_still(L, "qs.pipeline");
		if (!qs_pipeline_parse(name, &pipeline))
			return luaL_error(L, "there is no pipeline '%s'; the pipelines are soft and shader", name);
		luaL_argcheck(L, frame >= 0 && frame <= UINT32_MAX, 2, "no such frame");
		if (!qs_timeline_set_pipeline(timeline_of(L), pipeline, (uint32_t)frame, NULL, &error))
			return luaL_error(L, "%s", error.text);
		script_poll(L);
	}
	lua_pushstring(L, qs_pipeline_name(qs_timeline_pipeline(timeline_of(L), 0)));
	return 1;
}

static void push_parts(lua_State *L, const struct qs_program_part *part, uint32_t count)
{
	lua_createtable(L, (int)count, 0);
	for (uint32_t i = 0; i < count; i++) {
		lua_createtable(L, 0, 2);
		set_integer(L, "line", part[i].line);
		lua_pushstring(L, part[i].name);
		lua_setfield(L, -2, "name");
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
}

int time_program(lua_State *L)
{
	struct qs_program program;
	struct qs_error error;

	script_still(L, "qs.program");
	if (!qs_timeline_program(timeline_of(L), &program, &error))
		return luaL_error(L, "%s", error.text);
	lua_createtable(L, 0, 4);
	lua_pushstring(L, program.vertex);
	lua_setfield(L, -2, "vertex");
	lua_pushstring(L, program.fragment);
	lua_setfield(L, -2, "fragment");
	if (program.commands) {
		lua_pushstring(L, program.commands);
		lua_setfield(L, -2, "commands");
	}
	push_parts(L, program.part, program.part_count);
	lua_setfield(L, -2, "parts");
	push_parts(L, program.vertex_part, program.vertex_part_count);
	lua_setfield(L, -2, "vertex_parts");
	if (program.units[0]) {
		lua_pushstring(L, program.units);
		lua_setfield(L, -2, "units");
	}
	qs_program_finish(&program);
	script_poll(L);
	return 1;
}

int time_quirk(lua_State *L)
{
	const char *name = luaL_checkstring(L, 1);
	struct nearest nearest;
	struct qs_error error;
	char hint[96];
	uint32_t i = 0;

	nearest_begin(&nearest, name);
	for (; i < qs_quirk_count() && strcmp(qs_quirk_at(i)->name, name); i++)
		nearest_offer(&nearest, qs_quirk_at(i)->name);
	if (i == qs_quirk_count())
		return luaL_error(L, "there is no quirk '%s'%s", name, nearest_hint(&nearest, hint, sizeof hint));
	if (!lua_isnoneornil(L, 2)) {
		lua_Integer value = luaL_checkinteger(L, 2);

		script_still(L, "qs.quirk");
		if (value < INT32_MIN || value > INT32_MAX || !qs_timeline_set_quirk(timeline_of(L), name, (int)value, &error))
			return luaL_error(L, "quirk %s cannot be %I", name, value);
		script_poll(L);
	}
	lua_pushinteger(L, qs_timeline_quirk(timeline_of(L), name));
	return 1;
}
