/* event.c - the objects that hooks get: one per kind, reused, valid while the hook runs
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stddef.h>
#include <string.h>

#include "lua/record.h"

#define M(type, member, as) {#member, as, offsetof(struct type, member), 0, NULL}
#define N(name, type, member, as) {name, as, offsetof(struct type, member), 0, NULL}
#define G(name, function) {name, T_GET, 0, 0, function}
#define END {NULL, T_BOOL, 0, 0, NULL}

static const struct qs_moment *moment_of(const struct event *e)
{
	return e->source[SOURCE_MOMENT];
}

/* ---- what is computed --------------------------------------------------------------------------------------------------- */

static void get_moment(lua_State *L, const struct event *e)
{
	record_push_moment(L, moment_of(e));
}

static void get_text(lua_State *L, const struct event *e)
{
	char text[512];

	lua_pushstring(L, qs_command_text(script_of(L)->capture, moment_of(e)->command, text, sizeof text));
}

static void get_kind(lua_State *L, const struct event *e)
{
	const struct qs_command *c = e->source[SOURCE_COMMAND];

	lua_pushstring(L, time_kind_name(c->kind));
}

static void get_bytes(lua_State *L, const struct event *e)
{
	const struct qs_command *c = e->source[SOURCE_COMMAND];

	lua_pushlstring(L, (const char *)qs_capture_command_bytes(script_of(L)->capture, moment_of(e)->command), c->size);
}

static void get_primitive_name(lua_State *L, const struct event *e)
{
	const struct qs_command *c = e->source[SOURCE_COMMAND];

	lua_pushstring(L, time_primitive_name(c->opcode));
}

static void get_vertex_count(lua_State *L, const struct event *e)
{
	const struct qs_command *c = e->source[SOURCE_COMMAND];
	const uint8_t *bytes = qs_capture_command_bytes(script_of(L)->capture, moment_of(e)->command);

	lua_pushinteger(L, c->size >= 3 ? bytes[1] << 8 | bytes[2] : 0);
}

static void get_format(lua_State *L, const struct event *e)
{
	const struct qs_command *c = e->source[SOURCE_COMMAND];

	lua_pushinteger(L, c->opcode & 7);
}

static void get_primitives(lua_State *L, const struct event *e)
{
	lua_pushinteger(L, qs_timeline_primitive_count(script_of(L)->timeline, moment_of(e)));
}

static void get_draws(lua_State *L, const struct event *e)
{
	lua_pushinteger(L, qs_capture_frame(script_of(L)->capture, moment_of(e)->frame)->draw_count);
}

static void get_commands(lua_State *L, const struct event *e)
{
	lua_pushinteger(L, qs_capture_frame(script_of(L)->capture, moment_of(e)->frame)->command_count);
}

static void get_reg(lua_State *L, const struct event *e)
{
	char text[96];

	lua_pushstring(L, regs_name(e->unit, e->address, text, sizeof text));
}

static void get_unit(lua_State *L, const struct event *e)
{
	lua_pushstring(L, qs_unit_name(e->unit));
}

static void get_changed(lua_State *L, const struct event *e)
{
	const struct qs_register *reg = qs_register_find(e->unit, e->address);
	lua_Integer n = 0;

	lua_newtable(L);
	for (unsigned i = 0; reg && i < reg->field_count; i++) {
		const struct qs_field *f = &reg->fields[i];

		if (qs_field_raw(f, e->old) != qs_field_raw(f, e->value)) {
			lua_pushstring(L, f->name);
			lua_rawseti(L, -2, ++n);
		}
	}
}

static void get_fragments(lua_State *L, const struct event *e)
{
	record_push_fragments(L, e->source[SOURCE_QUAD], e->detail);
}

/* nil without detail, so that a copy can be made */
static void get_edges(lua_State *L, const struct event *e)
{
	const struct qs_quad *quad = e->source[SOURCE_QUAD];

	if (e->detail)
		record_push_edges(L, quad->edge);
	else
		lua_pushnil(L);
}

static void get_stages(lua_State *L, const struct event *e)
{
	if (e->detail)
		record_push_detail(L, "stage", e->source[SOURCE_FRAGMENT]);
	else
		lua_pushnil(L);
}

static void get_indirect(lua_State *L, const struct event *e)
{
	if (e->detail)
		record_push_detail(L, "indirect", e->source[SOURCE_FRAGMENT]);
	else
		lua_pushnil(L);
}

/* ---- the kinds ---------------------------------------------------------------------------------------------------------- */

static const struct record_field moment_fields[] = {
	M(qs_moment, frame, T_U32), M(qs_moment, command, T_ID), M(qs_moment, draw, T_ID), M(qs_moment, primitive, T_U32),
	M(qs_moment, quad, T_U32), M(qs_moment, fragment, T_U32), M(qs_moment, stage, T_U32), END};

static const struct record_field frame_fields[] = {
	M(qs_moment, frame, T_U32), END};
static const struct record_field frame_gets[] = {
	G("draws", get_draws), G("commands", get_commands), G("moment", get_moment), END};
static const struct record_field command_moment[] = {
	M(qs_moment, frame, T_U32), M(qs_moment, command, T_ID), M(qs_moment, draw, T_ID), END};
static const struct record_field command_fields[] = {
	M(qs_command, opcode, T_U8), M(qs_command, offset, T_U32), M(qs_command, size, T_U32), M(qs_command, parent, T_ID), END};
static const struct record_field command_gets[] = {
	G("kind", get_kind), G("text", get_text), G("bytes", get_bytes), G("moment", get_moment), END};
static const struct record_field draw_gets[] = {
	G("primitive", get_primitive_name), G("vertices", get_vertex_count), G("format", get_format), G("primitives", get_primitives),
	G("text", get_text), G("moment", get_moment), END};
static const struct record_field write_fields[] = {
	G("reg", get_reg), G("unit", get_unit), M(event, address, T_U32), M(event, old, T_U32), N("new", event, value, T_U32),
	G("changed", get_changed), END};
static const struct record_field write_moment[] = {
	M(qs_moment, frame, T_U32), N("cmd", qs_moment, command, T_ID), M(qs_moment, command, T_ID), M(qs_moment, draw, T_ID), END};
static const struct record_field write_gets[] = {G("text", get_text), G("moment", get_moment), END};
static const struct record_field quad_setup[] = {
	M(qs_setup, kind, T_KIND), N("area", qs_setup, area2, T_HALF), END};
static const struct record_field quad_gets[] = {
	G("fragment", get_fragments), G("edge", get_edges), G("moment", get_moment), END};
static const struct record_field fragment_gets[] = {
	G("stage", get_stages), G("indirect", get_indirect), G("moment", get_moment), END};
static const struct record_field stage_fragment[] = {M(qs_fragment, x, T_I16), M(qs_fragment, y, T_I16), END};
static const struct record_field moment_gets[] = {G("moment", get_moment), END};

struct part {
	const struct record_field *fields;
	enum record_source source;
};

#define PARTS 5

/* Where two parts have a name in common the first counts. */
static const struct part parts[HOOK_KINDS][PARTS] = {
	[HOOK_FRAME] = {{frame_fields, SOURCE_MOMENT}, {frame_gets, SOURCE_EVENT}},
	[HOOK_DRAW] = {{command_moment, SOURCE_MOMENT}, {command_fields, SOURCE_COMMAND}, {draw_gets, SOURCE_EVENT}},
	[HOOK_COMMAND] = {{command_moment, SOURCE_MOMENT}, {command_fields, SOURCE_COMMAND}, {command_gets, SOURCE_EVENT}},
	[HOOK_WRITE] = {{write_fields, SOURCE_EVENT}, {write_moment, SOURCE_MOMENT}, {write_gets, SOURCE_EVENT}},
	[HOOK_PRIMITIVE] = {{moment_fields, SOURCE_MOMENT}, {record_setup, SOURCE_SETUP}, {moment_gets, SOURCE_EVENT}},
	[HOOK_QUAD] = {{record_quad, SOURCE_QUAD}, {quad_gets, SOURCE_EVENT}, {moment_fields, SOURCE_MOMENT}, {quad_setup, SOURCE_SETUP}},
	[HOOK_FRAGMENT] = {{record_fragment, SOURCE_FRAGMENT}, {moment_fields, SOURCE_MOMENT}, {record_quad, SOURCE_QUAD},
		{fragment_gets, SOURCE_EVENT}, {quad_setup, SOURCE_SETUP}},
	[HOOK_STAGE] = {{record_stage, SOURCE_STAGE}, {stage_fragment, SOURCE_FRAGMENT}, {moment_fields, SOURCE_MOMENT},
		{moment_gets, SOURCE_EVENT}},
	[HOOK_COPY] = {{record_copy, SOURCE_COPY}, {frame_fields, SOURCE_MOMENT}, {write_moment, SOURCE_MOMENT},
		{moment_gets, SOURCE_EVENT}},
};

const char *record_kind_name(enum hook_kind kind)
{
	static const char *const names[HOOK_KINDS] = {"frame", "draw", "command", "write", "primitive", "quad", "fragment", "stage", "copy",
		"done"};

	return names[kind];
}

/* Of fields in moment_fields only those exist that are as fine as the kind. */
static bool exists(enum hook_kind kind, const struct record_field *f)
{
	if (kind == HOOK_PRIMITIVE && f >= &moment_fields[4] && f <= &moment_fields[6])
		return false;
	if (kind == HOOK_QUAD && (f == &moment_fields[5] || f == &moment_fields[6]))
		return false;
	return kind != HOOK_FRAGMENT || f != &moment_fields[6];
}

void record_names(enum hook_kind kind, void (*offer)(void *user, const char *name), void *user)
{
	for (int i = 0; i < PARTS && parts[kind][i].fields; i++)
		for (const struct record_field *f = parts[kind][i].fields; f->name; f++)
			if (exists(kind, f))
				offer(user, f->name);
	offer(user, "copy");
}

/* ---- the objects -------------------------------------------------------------------------------------------------------- */

static int stale(lua_State *L, enum hook_kind kind)
{
	return luaL_error(L, "this %s is over: what a hook gets is valid only inside the hook; keep numbers, or the table that "
		":copy() makes", record_kind_name(kind));
}

static int no_such_field(lua_State *L, enum hook_kind kind, const char *name)
{
	struct nearest nearest;
	char hint[96];

	nearest_begin(&nearest, name);
	record_names(kind, nearest_offer_to, &nearest);
	return luaL_error(L, "a %s has no field '%s'%s", record_kind_name(kind), name, nearest_hint(&nearest, hint, sizeof hint));
}

static void push_part(lua_State *L, const struct event *e, const struct part *part, const struct record_field *f)
{
	if (f->type == T_GET)
		f->get(L, e);
	else
		record_push_field(L, f, part->source == SOURCE_EVENT ? e : e->source[part->source]);
}

/* Upvalue 1: field names, each with 256 * part + number, and methods. The metatable cannot be had by scripts. */
static int event_index(lua_State *L)
{
	enum hook_kind kind = *(enum hook_kind *)lua_touserdata(L, 1);
	const struct event *e = &script_of(L)->event[kind];
	const struct part *part;
	int type;

	if (!e->alive)
		return stale(L, kind);
	lua_settop(L, 2);
	lua_pushvalue(L, 2);
	type = lua_rawget(L, lua_upvalueindex(1));
	if (type == LUA_TFUNCTION)
		return 1;
	if (type != LUA_TNUMBER)
		return no_such_field(L, kind, luaL_tolstring(L, 2, NULL));
	part = &parts[kind][lua_tointeger(L, 3) >> 8];
	push_part(L, e, part, &part->fields[lua_tointeger(L, 3) & 255]);
	return 1;
}

static const enum hook_kind *test_event(lua_State *L)
{
	const enum hook_kind *kind = lua_touserdata(L, 1);

	if (kind && lua_getmetatable(L, 1)) {
		bool good = lua_getfield(L, -1, "qs.event") != LUA_TNIL;

		lua_pop(L, 2);
		if (good)
			return kind;
	}
	luaL_argerror(L, 1, "the object of a hook is wanted");
	return NULL;
}

static int event_copy(lua_State *L)
{
	enum hook_kind kind = *test_event(L);
	const struct event *e = &script_of(L)->event[kind];

	if (!e->alive)
		return stale(L, kind);
	lua_newtable(L);
	for (int i = 0; i < PARTS && parts[kind][i].fields; i++)
		for (const struct record_field *f = parts[kind][i].fields; f->name; f++) {
			if (!exists(kind, f))
				continue;
			lua_pushstring(L, f->name);
			if (lua_rawget(L, 2) == LUA_TNIL) {
				push_part(L, e, &parts[kind][i], f);
				lua_setfield(L, 2, f->name);
			}
			lua_pop(L, 1);
		}
	return 1;
}

static int event_newindex(lua_State *L)
{
	return luaL_error(L, "what a hook gets can only be read");
}

static int event_tostring(lua_State *L)
{
	enum hook_kind kind = *(enum hook_kind *)lua_touserdata(L, 1);
	const struct event *e = &script_of(L)->event[kind];

	lua_pushfstring(L, "%s ", record_kind_name(kind));
	if (e->alive)
		get_moment(L, e);
	else
		lua_pushliteral(L, "(over)");
	lua_concat(L, 2);
	return 1;
}

static void push_index(lua_State *L, enum hook_kind kind)
{
	lua_newtable(L);
	for (int i = PARTS - 1; i >= 0; i--)
		for (int k = 0; parts[kind][i].fields && parts[kind][i].fields[k].name; k++)
			if (exists(kind, &parts[kind][i].fields[k])) {
				lua_pushinteger(L, i << 8 | k);
				lua_setfield(L, -2, parts[kind][i].fields[k].name);
			}
	lua_pushcfunction(L, event_copy);
	lua_setfield(L, -2, "copy");
	lua_pushcclosure(L, event_index, 1);
}

void record_open(lua_State *L)
{
	struct qs_script *s = script_of(L);

	for (unsigned kind = 0; kind < HOOK_KINDS; kind++) {
		*(enum hook_kind *)lua_newuserdatauv(L, sizeof(enum hook_kind), 0) = (enum hook_kind)kind;
		lua_createtable(L, 0, 6);
		push_index(L, (enum hook_kind)kind);
		lua_setfield(L, -2, "__index");
		lua_pushcfunction(L, event_newindex);
		lua_setfield(L, -2, "__newindex");
		lua_pushcfunction(L, event_tostring);
		lua_setfield(L, -2, "__tostring");
		lua_pushboolean(L, 0);
		lua_setfield(L, -2, "__metatable");
		lua_pushboolean(L, 1);
		lua_setfield(L, -2, "qs.event");
		lua_setmetatable(L, -2);
		s->event_object[kind] = luaL_ref(L, LUA_REGISTRYINDEX);
		s->event[kind] = (struct event){.kind = (enum hook_kind)kind};
	}
}

void record_push_event(lua_State *L, enum hook_kind kind)
{
	lua_rawgeti(L, LUA_REGISTRYINDEX, script_of(L)->event_object[kind]);
}
