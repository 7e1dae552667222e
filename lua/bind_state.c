/* bind_state.c - snapshots and their differences, lint, breakpoints
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lua/builder.h"

/* ---- snapshots ---------------------------------------------------------------------------------------------------------- */

struct snapshot {
	uint64_t hash;
	struct qs_moment moment;
	size_t count;
	struct {
		uint32_t value, writer;
	} reg[]; /* all units, in the order of their tables */
};

static size_t register_total(void)
{
	size_t n = 0;

	for (unsigned u = 0; u < QS_UNIT_COUNT; u++)
		n += qs_register_count((enum qs_unit)u);
	return n;
}

int snapshot_take(lua_State *L)
{
	struct qs_script *s = script_of(L);
	size_t n = register_total(), at = 0;
	struct snapshot *snap;

	script_ground(L, "qs.snapshot");
	snap = lua_newuserdatauv(L, sizeof *snap + n * sizeof *snap->reg, 0);
	snap->count = n;
	snap->hash = qs_timeline_hash(s->timeline);
	snap->moment = *qs_timeline_moment(s->timeline);
	for (unsigned u = 0; u < QS_UNIT_COUNT; u++)
		for (uint32_t i = 0; i < qs_register_count((enum qs_unit)u); i++, at++) {
			uint32_t address = qs_register_at((enum qs_unit)u, i)->address;

			snap->reg[at].value = qs_timeline_register(s->timeline, (enum qs_unit)u, address);
			snap->reg[at].writer = qs_timeline_register_writer(s->timeline, (enum qs_unit)u, address);
		}
	api_set_class(L, "snapshot");
	return 1;
}

static void push_writer(lua_State *L, uint32_t command)
{
	struct qs_moment moment;

	if (command != QS_NONE && qs_moment_of_command(script_of(L)->capture, command, &moment))
		record_push_moment(L, &moment);
	else
		lua_pushnil(L);
}

/* Appends the changed fields of a register to the list on top; returns how many. */
static unsigned add_changes(lua_State *L, const struct qs_register *reg, uint32_t old, uint32_t value, uint32_t writer)
{
	unsigned changes = 0;
	char text[96];

	for (unsigned f = 0; f < reg->field_count; f++) {
		const struct qs_field *field = &reg->fields[f];

		if (qs_field_raw(field, old) == qs_field_raw(field, value))
			continue;
		lua_createtable(L, 0, 6);
		regs_name((enum qs_unit)reg->unit, reg->address, text, sizeof text);
		set_string(L, "reg", text);
		set_string(L, "field", field->name);
		set_string(L, "old", qs_field_format(field, old, text, sizeof text));
		set_string(L, "new", qs_field_format(field, value, text, sizeof text));
		push_writer(L, writer);
		lua_setfield(L, -2, "writer");
		lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
		changes++;
	}
	return changes;
}

int snapshot_diff(lua_State *L)
{
	const struct snapshot *a = luaL_checkudata(L, 1, "qs.snapshot"), *b = luaL_checkudata(L, 2, "qs.snapshot");
	lua_Integer total = 0;
	size_t at = 0;

	lua_createtable(L, 0, 8);
	for (unsigned u = 0; u < QS_UNIT_COUNT; u++) {
		lua_newtable(L);
		for (uint32_t i = 0; i < qs_register_count((enum qs_unit)u); i++, at++)
			if (a->reg[at].value != b->reg[at].value)
				total += add_changes(L, qs_register_at((enum qs_unit)u, i), a->reg[at].value, b->reg[at].value,
					b->reg[at].writer);
		lua_setfield(L, -2, qs_unit_name((enum qs_unit)u));
	}
	set_integer(L, "count", total);
	lua_pushboolean(L, a->hash == b->hash);
	lua_setfield(L, -2, "same");
	record_push_moment(L, &a->moment);
	lua_setfield(L, -2, "from");
	record_push_moment(L, &b->moment);
	lua_setfield(L, -2, "to");
	api_set_class(L, "diff");
	return 1;
}

/* One line for each change: "bp.PE_ZMODE.func: 3 (lequal) -> 7 (always), written at 1@0x30" */
static void add_unit_text(lua_State *L, struct builder *b, const char *unit)
{
	static const char *const parts[] = {"reg", ".", "field", ": ", "old", " -> ", "new", NULL};

	if (lua_getfield(L, 1, unit) == LUA_TTABLE) {
		for (lua_Integer i = 1; lua_rawgeti(L, -1, i) == LUA_TTABLE; i++, lua_pop(L, 1)) {
			for (int k = 0; parts[k]; k++) {
				if (k % 2) {
					builder_adds(L, b, parts[k]);
					continue;
				}
				lua_getfield(L, -1, parts[k]);
				builder_adds(L, b, luaL_tolstring(L, -1, NULL));
				lua_pop(L, 2);
			}
			if (lua_getfield(L, -1, "writer") == LUA_TSTRING) {
				builder_adds(L, b, ", written at ");
				builder_adds(L, b, lua_tostring(L, -1));
			}
			lua_pop(L, 1);
			builder_adds(L, b, "\n");
		}
		lua_pop(L, 1);
	}
	lua_pop(L, 1);
}

static int diff_tostring(lua_State *L)
{
	struct builder *b;

	luaL_checktype(L, 1, LUA_TTABLE);
	b = builder_push(L);
	for (unsigned u = 0; u < QS_UNIT_COUNT; u++)
		add_unit_text(L, b, qs_unit_name((enum qs_unit)u));
	if (!b->used)
		builder_adds(L, b, "no register differs\n");
	lua_getfield(L, 1, "same");
	builder_adds(L, b, lua_toboolean(L, -1) ? "the states are the same" : "the states differ");
	builder_push_text(L, b);
	return 1;
}

/* ---- lint --------------------------------------------------------------------------------------------------------------- */

struct lint {
	struct qs_lint_message *messages;
	uint32_t count;
};

static int lint_gc(lua_State *L)
{
	struct lint *l = lua_touserdata(L, 1);

	qs_lint_free(l->messages, l->count);
	l->messages = NULL;
	l->count = 0;
	return 0;
}

int lint_run(lua_State *L)
{
	struct qs_script *s = script_of(L);
	lua_Integer frame = luaL_optinteger(L, 1, 0);
	struct qs_error error;
	struct lint *l;

	script_ground(L, "qs.lint");
	if (frame < 0 || frame > qs_capture_info(s->capture)->frame_count)
		return luaL_error(L, "there is no frame %I", frame);
	l = lua_newuserdatauv(L, sizeof *l, 0);
	*l = (struct lint){NULL, 0};
	luaL_setmetatable(L, "qs.lint");
	if (!qs_timeline_lint(s->timeline, (uint32_t)frame, &l->messages, &l->count, &error))
		return script_fail(L, &error);
	script_poll(L);
	lua_createtable(L, (int)l->count, 0);
	for (uint32_t i = 0; i < l->count; i++) {
		const struct qs_lint_message *m = &l->messages[i];

		lua_createtable(L, 0, 5);
		set_string(L, "severity", qs_lint_severity_name((enum qs_lint_severity)m->severity));
		set_string(L, "check", m->check);
		set_string(L, "text", m->text);
		set_integer(L, "count", m->count);
		record_push_moment(L, &m->moment);
		lua_setfield(L, -2, "moment");
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* ---- breakpoints -------------------------------------------------------------------------------------------------------- */

void breaks_clear(struct qs_script *s)
{
	for (size_t i = 0; i < s->breakpoint_count; i++)
		qs_timeline_break_remove(s->timeline, s->breakpoint[i]);
	s->breakpoint_count = 0;
}

static void remember(lua_State *L, uint32_t id)
{
	struct qs_script *s = script_of(L);

	if (s->breakpoint_count == s->breakpoint_room) {
		size_t room = s->breakpoint_room ? 2 * s->breakpoint_room : 16;
		uint32_t *grown = realloc(s->breakpoint, room * sizeof *grown);

		if (!grown) {
			qs_timeline_break_remove(s->timeline, id);
			luaL_error(L, "there is no memory for a breakpoint");
		}
		s->breakpoint = grown;
		s->breakpoint_room = room;
	}
	s->breakpoint[s->breakpoint_count++] = id;
}

static const char *optional_field(lua_State *L, const char *name, const char *missing)
{
	int type = lua_getfield(L, 1, name);

	if (type == LUA_TNIL)
		return missing;
	if (type != LUA_TSTRING)
		luaL_error(L, "qs.break_at: '%s' must be a text", name);
	return lua_tostring(L, -1); /* stays on the stack */
}

/* "log write bp.GEN_MODE if value > 2" from where, cond and action */
static void push_break_text(lua_State *L)
{
	const char *where = optional_field(L, "where", "quad"), *condition = optional_field(L, "cond", NULL);
	const char *action = optional_field(L, "action", "stop");

	if (strcmp(action, "stop") == 0)
		lua_pushstring(L, where);
	else if (strcmp(action, "log") == 0 || strcmp(action, "count") == 0)
		lua_pushfstring(L, "%s %s", action, where);
	else
		luaL_error(L, "qs.break_at: the action is stop, log or count, not '%s'", action);
	if (condition) {
		lua_pushfstring(L, "%s if %s", lua_tostring(L, -1), condition);
		lua_remove(L, -2);
	}
}

int break_at(lua_State *L)
{
	struct qs_script *s = script_of(L);
	char *condition = NULL;
	struct qs_breakpoint b;
	struct qs_error error;
	uint32_t id = 0;

	script_still(L, "qs.break_at");
	if (lua_type(L, 1) == LUA_TSTRING)
		lua_settop(L, 1);
	else {
		luaL_checktype(L, 1, LUA_TTABLE);
		push_break_text(L);
	}
	if (qs_breakpoint_parse(lua_tostring(L, -1), &b, &condition, &error))
		id = qs_timeline_break_add(s->timeline, &b, &error);
	free(condition);
	if (!id)
		return script_fail(L, &error);
	remember(L, id);
	*(uint32_t *)lua_newuserdatauv(L, sizeof id, 0) = id;
	api_set_class(L, "breakpoint");
	return 1;
}

static uint32_t check_break(lua_State *L)
{
	return *(uint32_t *)luaL_checkudata(L, 1, "qs.breakpoint");
}

static const struct qs_breakpoint *find_break(const struct qs_script *s, uint32_t id)
{
	for (uint32_t i = 0; i < qs_timeline_break_count(s->timeline); i++)
		if (qs_timeline_break_at(s->timeline, i)->id == id)
			return qs_timeline_break_at(s->timeline, i);
	return NULL;
}

int break_off(lua_State *L)
{
	uint32_t id = check_break(L);

	script_still(L, "off");
	qs_timeline_break_remove(script_of(L)->timeline, id);
	return 0;
}

int break_hits(lua_State *L)
{
	const struct qs_breakpoint *b = find_break(script_of(L), check_break(L));

	lua_pushinteger(L, b ? (lua_Integer)b->hits : 0);
	return 1;
}

int break_number(lua_State *L)
{
	lua_pushinteger(L, check_break(L));
	return 1;
}

int run_to_break(lua_State *L)
{
	struct qs_script *s = script_of(L);
	int direction = luaL_optinteger(L, 1, 1) < 0 ? -1 : 1;
	struct qs_error error;
	struct qs_hit hit;
	double before = script_clock();

	script_still(L, "qs.run");
	if (!qs_timeline_run(s->timeline, direction, &hit, &error))
		return script_fail(L, &error);
	s->clock_start += script_clock() - before; /* as a replay it does not count */
	script_poll(L);
	if (!hit.id) {
		lua_pushnil(L);
		return 1;
	}
	lua_createtable(L, 0, 4);
	set_integer(L, "id", hit.id);
	record_push_moment(L, &hit.moment);
	lua_setfield(L, -2, "moment");
	set_integer(L, "old", hit.old);
	set_integer(L, "value", hit.value);
	return 1;
}

void state_open(lua_State *L)
{
	luaL_newmetatable(L, "qs.lint");
	lua_pushcfunction(L, lint_gc);
	lua_setfield(L, -2, "__gc");
	lua_pop(L, 1);
	api_class(L, "diff");
	lua_pushcfunction(L, diff_tostring);
	lua_setfield(L, -2, "__tostring");
	lua_pop(L, 1);
}
