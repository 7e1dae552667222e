/* scene.c - qs.scene: a capture built through the hardware interface
 *
 * A scene knows what every register holds at its current end, so that one field can be changed by name.  Until the first draw
 * (or scene:start) writes make the initial state, afterwards they are commands.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "lua/scene.h"

#define CLASS "scene"
#define META "qs." CLASS
#define UNIT_META "qs.scene unit"
#define REGISTER_META "qs.scene register"

static const char library[] =
#include "lua/scene_lua.h"
	;

static const unsigned unit_size[QS_UNIT_PE] = {[QS_UNIT_BP] = 0x108, [QS_UNIT_CP] = 0x100, [QS_UNIT_XF] = 0x1058};

struct unit {
	struct scene *scene; /* kept alive by the user value */
	enum qs_unit unit;
};

struct place {
	struct scene *scene;
	const struct qs_register *reg;
};

struct scene *scene_check(lua_State *L, int arg)
{
	return luaL_checkudata(L, arg, META);
}

static uint32_t *shadow(struct scene *s, enum qs_unit unit, uint32_t address)
{
	return unit == QS_UNIT_BP ? &s->bp[address] : unit == QS_UNIT_CP ? &s->cp[address] : &s->xf[address];
}

/* ---- commands ----------------------------------------------------------------------------------------------------------- */

static void account(lua_State *L, struct scene *s, size_t bytes)
{
	script_account(L, bytes);
	s->accounted += bytes;
}

void scene_put(lua_State *L, struct scene *s, struct scene_list *list, const void *bytes, size_t size)
{
	if (!size)
		return;
	if (size > list->room - list->size) {
		size_t room = 2 * (list->size + size) + 256;
		uint8_t *grown;

		account(L, s, room - list->room);
		grown = realloc(list->data, room);
		if (!grown)
			luaL_error(L, "there is no memory for the scene");
		list->data = grown;
		list->room = room;
	}
	memcpy(list->data + list->size, bytes, size);
	list->size += size;
}

void scene_append(lua_State *L, struct scene *s, const void *bytes, size_t size)
{
	struct qs_error error;

	s->started = true;
	if (s->depth) {
		scene_put(L, s, &s->list[s->depth - 1], bytes, size);
		return;
	}
	account(L, s, size);
	if (!qs_recording_append(s->recording, bytes, size, &error))
		script_fail(L, &error);
}

static void put32(uint8_t *p, uint32_t value)
{
	for (unsigned i = 0; i < 4; i++)
		p[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* As gx_write_bp does: the mask holds for one write. */
static void write_bp(lua_State *L, struct scene *s, uint32_t address, uint32_t value)
{
	uint8_t bytes[5] = {0x61};
	uint32_t *held, number = address;

	value &= 0xFFFFFF;
	if (address >= 0x100) {
		value |= 0x800000;
		number = address - 0x20;
	} else if (address >= 0xE0 && address < 0xE8 && (value & 0x800000)) {
		address += 0x20;
	}
	if (s->started) {
		put32(bytes + 1, number << 24 | value);
		scene_append(L, s, bytes, sizeof bytes);
	} else {
		qs_recording_register(s->recording, QS_UNIT_BP, number, value, &(struct qs_error){0});
	}
	held = &s->bp[address];
	*held = (*held & ~s->bp_mask) | (value & s->bp_mask);
	s->bp_mask = address == 0xFE && s->started ? value : 0xFFFFFF;
}

static void write_cp(lua_State *L, struct scene *s, uint32_t address, uint32_t value)
{
	uint8_t bytes[6] = {0x08, (uint8_t)address};

	if (s->started) {
		put32(bytes + 2, value);
		scene_append(L, s, bytes, sizeof bytes);
	} else {
		qs_recording_register(s->recording, QS_UNIT_CP, address, value, &(struct qs_error){0});
	}
	s->cp[address] = value;
}

/* At most 16 words: one command holds that many. */
static void write_xf(lua_State *L, struct scene *s, uint32_t address, const uint32_t *words, unsigned count)
{
	uint8_t bytes[5 + 4 * 16] = {0x10, 0, (uint8_t)(count - 1), (uint8_t)(address >> 8), (uint8_t)address};

	for (unsigned i = 0; i < count; i++) {
		put32(bytes + 5 + 4 * i, words[i]);
		s->xf[address + i] = words[i];
		if (!s->started)
			qs_recording_register(s->recording, QS_UNIT_XF, address + i, words[i], &(struct qs_error){0});
	}
	if (s->started)
		scene_append(L, s, bytes, 5 + 4 * (size_t)count);
}

static void write_one(lua_State *L, struct scene *s, enum qs_unit unit, uint32_t address, uint32_t value)
{
	if (unit == QS_UNIT_BP)
		write_bp(L, s, address, value);
	else if (unit == QS_UNIT_CP)
		write_cp(L, s, address, value);
	else
		write_xf(L, s, address, &value, 1);
}

/* ---- values ------------------------------------------------------------------------------------------------------------- */

static uint32_t float_bits(double number)
{
	union {
		float f;
		uint32_t u;
	} c = {.f = (float)number};

	return c.u;
}

static uint32_t check_word(lua_State *L, int arg, uint32_t limit)
{
	lua_Integer n = luaL_checkinteger(L, arg);

	if (n < -2147483648LL || n > (lua_Integer)limit)
		luaL_error(L, "the value %I does not fit into the register", n);
	return (uint32_t)n & limit;
}

static bool is_float(const struct qs_register *reg)
{
	return reg && reg->field_count == 1 && reg->fields[0].kind == QS_FIELD_FLOAT && reg->fields[0].bits == 32;
}

/* Of memory that has no name floats are taken as such and integers as words. */
static uint32_t check_xf(lua_State *L, uint32_t address, int arg)
{
	if (lua_type(L, arg) == LUA_TNUMBER && (!lua_isinteger(L, arg) || is_float(qs_register_find(QS_UNIT_XF, address))))
		return float_bits(lua_tonumber(L, arg));
	return check_word(L, arg, UINT32_MAX);
}

/* {field = value, ...} over the value that the register has. */
static uint32_t check_fields(lua_State *L, const struct qs_register *reg, uint32_t value, int arg)
{
	lua_pushnil(L);
	while (lua_next(L, arg)) {
		const struct qs_field *field;
		int top = lua_gettop(L);

		if (lua_type(L, -2) != LUA_TSTRING)
			luaL_error(L, "%s takes a table of fields by name", reg->name);
		field = regs_check_field(L, reg, lua_tostring(L, -2));
		value = (value & ~regs_field_mask(field)) | regs_check_near(L, field, top) << field->lsb;
		lua_settop(L, top - 1);
	}
	return value;
}

static void write_register(lua_State *L, struct scene *s, const struct qs_register *reg, int arg)
{
	enum qs_unit unit = (enum qs_unit)reg->unit;
	uint32_t limit = reg->width >= 32 ? UINT32_MAX : (1u << reg->width) - 1, value;

	if (lua_istable(L, arg))
		value = check_fields(L, reg, *shadow(s, unit, reg->address), arg);
	else if (unit == QS_UNIT_XF)
		value = check_xf(L, reg->address, arg);
	else
		value = check_word(L, arg, limit);
	write_one(L, s, unit, reg->address, value);
}

/* ---- s.bp.GEN_MODE.ntev ------------------------------------------------------------------------------------------------ */

static const struct qs_register *check_register(lua_State *L, enum qs_unit unit, int arg)
{
	if (lua_type(L, arg) == LUA_TNUMBER) {
		lua_Integer address = luaL_checkinteger(L, arg);
		const struct qs_register *reg = address >= 0 && address < (lua_Integer)unit_size[unit]
			? qs_register_find(unit, (uint32_t)address) : NULL;

		if (!reg)
			luaL_error(L, "%s has no register at address %I", qs_unit_name(unit), address);
		return reg;
	}
	return regs_check_name(L, unit, luaL_checkstring(L, arg));
}

static int unit_index(lua_State *L)
{
	struct unit *u = luaL_checkudata(L, 1, UNIT_META);
	const struct qs_register *reg = check_register(L, u->unit, 2);
	struct place *p = lua_newuserdatauv(L, sizeof *p, 1);

	*p = (struct place){u->scene, reg};
	lua_getiuservalue(L, 1, 1);
	lua_setiuservalue(L, -2, 1);
	luaL_setmetatable(L, REGISTER_META);
	return 1;
}

static int unit_newindex(lua_State *L)
{
	struct unit *u = luaL_checkudata(L, 1, UNIT_META);

	write_register(L, u->scene, check_register(L, u->unit, 2), 3);
	return 0;
}

/* s:bp(name or address, value, ...): several values go to the registers from there on, which XF takes in one command. */
static int unit_call(lua_State *L)
{
	struct unit *u = luaL_checkudata(L, 1, UNIT_META);
	uint32_t words[16], address;
	int count;

	scene_check(L, 2);
	luaL_checkany(L, 4);
	if (lua_type(L, 3) == LUA_TSTRING && lua_gettop(L) == 4) {
		write_register(L, u->scene, regs_check_name(L, u->unit, lua_tostring(L, 3)), 4);
		return 0;
	}
	count = lua_gettop(L) - 3;
	address = lua_type(L, 3) == LUA_TSTRING ? regs_check_name(L, u->unit, lua_tostring(L, 3))->address : check_word(L, 3, 0xFFFF);
	if (address > unit_size[u->unit] || (unsigned)count > unit_size[u->unit] - address)
		return luaL_error(L, "%s has no %d registers from %d on", qs_unit_name(u->unit), count, (int)address);
	for (int i = 0; i < count; i++) {
		if (u->unit != QS_UNIT_XF) {
			write_one(L, u->scene, u->unit, address + (uint32_t)i,
				check_word(L, 4 + i, u->unit == QS_UNIT_BP ? 0xFFFFFF : UINT32_MAX));
			continue;
		}
		words[i % 16] = check_xf(L, address + (uint32_t)i, 4 + i);
		if (i % 16 == 15 || i == count - 1)
			write_xf(L, u->scene, address + (uint32_t)(i - i % 16), words, (unsigned)(i % 16 + 1));
	}
	return 0;
}

static int place_index(lua_State *L)
{
	struct place *p = luaL_checkudata(L, 1, REGISTER_META);
	const char *name = luaL_checkstring(L, 2);
	uint32_t value = *shadow(p->scene, (enum qs_unit)p->reg->unit, p->reg->address);

	if (strcmp(name, "raw") == 0 && !qs_field_by_name(p->reg, name))
		lua_pushinteger(L, value);
	else
		regs_push_field(L, regs_check_field(L, p->reg, name), value);
	return 1;
}

static int place_newindex(lua_State *L)
{
	struct place *p = luaL_checkudata(L, 1, REGISTER_META);
	enum qs_unit unit = (enum qs_unit)p->reg->unit;
	const char *name = luaL_checkstring(L, 2);
	uint32_t value = *shadow(p->scene, unit, p->reg->address);
	const struct qs_field *field;

	if (strcmp(name, "raw") == 0 && !qs_field_by_name(p->reg, name)) {
		value = check_word(L, 3, unit == QS_UNIT_BP ? 0xFFFFFF : UINT32_MAX);
	} else {
		field = regs_check_field(L, p->reg, name);
		value = (value & ~regs_field_mask(field)) | regs_check_near(L, field, 3) << field->lsb;
	}
	write_one(L, p->scene, unit, p->reg->address, value);
	return 0;
}

/* ---- the object --------------------------------------------------------------------------------------------------------- */

static int scene_gc(lua_State *L)
{
	struct scene *s = scene_check(L, 1);

	script_of(L)->external -= s->accounted;
	s->accounted = 0;
	for (unsigned i = 0; i < SCENE_LISTS; i++)
		free(s->list[i].data);
	free(s->scratch.data);
	qs_recording_destroy(s->recording);
	s->recording = NULL;
	return 0;
}

/* Methods first, then what methods and the script keep with the scene. */
static int scene_index(lua_State *L)
{
	lua_pushvalue(L, 2);
	if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL)
		return 1;
	lua_getiuservalue(L, 1, 1);
	lua_pushvalue(L, 2);
	if (lua_rawget(L, -2) == LUA_TNIL && lua_type(L, 2) == LUA_TSTRING)
		return luaL_error(L, "a scene has no '%s'", lua_tostring(L, 2));
	return 1;
}

static int scene_newindex(lua_State *L)
{
	luaL_checkudata(L, 1, META);
	lua_getiuservalue(L, 1, 1);
	lua_replace(L, 1);
	lua_rawset(L, 1);
	return 0;
}

static void make_class(lua_State *L)
{
	static const luaL_Reg unit_meta[] = {{"__index", unit_index}, {"__newindex", unit_newindex}, {"__call", unit_call}, {NULL, NULL}};
	static const luaL_Reg place_meta[] = {{"__index", place_index}, {"__newindex", place_newindex}, {NULL, NULL}};

	luaL_newmetatable(L, UNIT_META);
	luaL_setfuncs(L, unit_meta, 0);
	luaL_newmetatable(L, REGISTER_META);
	luaL_setfuncs(L, place_meta, 0);
	lua_pushboolean(L, 0);
	lua_setfield(L, -2, "__metatable");
	lua_pushboolean(L, 0);
	lua_setfield(L, -3, "__metatable");
	lua_pop(L, 2);
	api_class(L, CLASS);
	lua_pushcfunction(L, scene_gc);
	lua_setfield(L, -2, "__gc");
	lua_pushcfunction(L, scene_newindex);
	lua_setfield(L, -2, "__newindex");
	lua_getfield(L, -1, "methods");
	lua_pushvalue(L, -1);
	lua_pushcclosure(L, scene_index, 1);
	lua_setfield(L, -3, "__index");
	if (luaL_loadbufferx(L, library, sizeof library - 1, "=scene library", "t") != LUA_OK)
		lua_error(L);
	lua_insert(L, -2);
	api_class(L, "trial");
	lua_getfield(L, -1, "methods");
	lua_remove(L, -2);
	lua_newtable(L);
	lua_pushvalue(L, -1);
	lua_setfield(L, LUA_REGISTRYINDEX, SCENE_SHARED);
	lua_call(L, 3, 0);
	lua_pop(L, 1);
}

void scene_need_class(lua_State *L)
{
	int top = lua_gettop(L);

	if (luaL_getmetatable(L, UNIT_META) == LUA_TNIL)
		make_class(L);
	lua_settop(L, top);
}

static void add_unit(lua_State *L, struct scene *s, int scene_at, enum qs_unit unit)
{
	struct unit *u = lua_newuserdatauv(L, sizeof *u, 1);

	*u = (struct unit){s, unit};
	lua_pushvalue(L, scene_at);
	lua_setiuservalue(L, -2, 1);
	luaL_setmetatable(L, UNIT_META);
	lua_setfield(L, -2, qs_unit_name(unit));
}

static lua_Integer option(lua_State *L, const char *name, lua_Integer standard)
{
	lua_Integer value = standard;

	if (lua_istable(L, 1)) {
		lua_getfield(L, 1, name);
		if (lua_isboolean(L, -1))
			value = lua_toboolean(L, -1);
		else if (!lua_isnil(L, -1))
			value = luaL_checkinteger(L, -1);
		lua_pop(L, 1);
	}
	return value;
}

/* [{version=, wii=, bare=, width=, height=}] */
int scene_create(lua_State *L)
{
	struct qs_error error;
	struct scene *s;

	script_poll(L);
	lua_settop(L, 1);
	if (!lua_isnil(L, 1))
		luaL_checktype(L, 1, LUA_TTABLE);
	scene_need_class(L);
	s = lua_newuserdatauv(L, sizeof *s, 1);
	memset(s, 0, sizeof *s);
	s->bp_mask = 0xFFFFFF;
	s->recording = qs_recording_create((uint32_t)option(L, "version", 3), option(L, "wii", 0), &error);
	if (!s->recording)
		return script_fail(L, &error);
	luaL_setmetatable(L, META);
	account(L, s, 1 << 16);
	lua_createtable(L, 0, 8);
	for (unsigned u = QS_UNIT_BP; u <= QS_UNIT_XF; u++)
		add_unit(L, s, 2, (enum qs_unit)u);
	set_integer(L, "width", option(L, "width", 640));
	set_integer(L, "height", option(L, "height", 480));
	set_integer(L, "next_address", 0x100000);
	lua_setiuservalue(L, 2, 1);
	if (!option(L, "bare", 0)) {
		lua_getfield(L, 2, "defaults");
		lua_pushvalue(L, 2);
		lua_call(L, 1, 0);
	}
	return 1;
}

int scene_start(lua_State *L)
{
	scene_check(L, 1)->started = true;
	return 0;
}

int scene_raw(lua_State *L)
{
	struct scene *s = scene_check(L, 1);
	size_t size;
	const char *bytes = luaL_checklstring(L, 2, &size);

	scene_append(L, s, bytes, size);
	return 0;
}

/* What was put somewhere is not given away by scene:allocate. */
static void reserve(lua_State *L, lua_Integer end)
{
	lua_getiuservalue(L, 1, 1);
	if (lua_getfield(L, -1, "next_address") == LUA_TNUMBER && end > lua_tointeger(L, -1) && end < 0x01800000) {
		lua_pushinteger(L, (end + 31) / 32 * 32);
		lua_setfield(L, -3, "next_address");
	}
	lua_pop(L, 2);
}

/* address, bytes [, type] */
int scene_memory(lua_State *L)
{
	static const char *const names[] = {"texture", "xf", "vertex", "tmem", NULL};
	static const enum qs_update_type types[] = {QS_UPDATE_TEXTURE, QS_UPDATE_XF, QS_UPDATE_VERTEX, QS_UPDATE_TMEM};
	struct scene *s = scene_check(L, 1);
	lua_Integer address = luaL_checkinteger(L, 2);
	struct qs_error error;
	size_t size;
	const char *bytes = luaL_checklstring(L, 3, &size);
	enum qs_update_type type = types[luaL_checkoption(L, 4, "texture", names)];

	luaL_argcheck(L, address >= 0 && address <= UINT32_MAX, 2, "an address has 32 bits");
	if (s->depth)
		return luaL_error(L, "memory cannot be changed in a list; do it before");
	s->started = true;
	account(L, s, size);
	if (!qs_recording_update(s->recording, type, (uint32_t)address, bytes, size, &error))
		return script_fail(L, &error);
	reserve(L, address + (lua_Integer)size);
	return 0;
}

/* address, bytes: what TMEM holds before the first frame */
int scene_tmem(lua_State *L)
{
	struct scene *s = scene_check(L, 1);
	lua_Integer address = luaL_checkinteger(L, 2);
	struct qs_error error;
	size_t size;
	const char *bytes = luaL_checklstring(L, 3, &size);

	luaL_argcheck(L, address >= 0 && address < 0x100000, 2, "TMEM has addresses up to 0xfffff");
	if (!qs_recording_tmem(s->recording, (uint32_t)address, bytes, size, &error))
		return script_fail(L, &error);
	return 0;
}

/* fn(scene) -> the commands that it gives, as bytes */
int scene_record(lua_State *L)
{
	struct scene *s = scene_check(L, 1);
	bool started = s->started;
	unsigned depth = s->depth;
	int status;

	luaL_checktype(L, 2, LUA_TFUNCTION);
	if (depth == SCENE_LISTS)
		return luaL_error(L, "more than %d functions that record inside one another", SCENE_LISTS);
	lua_settop(L, 2);
	lua_pushvalue(L, 1);
	s->list[depth].size = 0;
	s->depth = depth + 1;
	s->started = true;
	status = lua_pcall(L, 1, 0, 0);
	s->depth = depth;
	s->started = started;
	if (status != LUA_OK)
		return lua_error(L);
	lua_pushlstring(L, (const char *)s->list[depth].data, s->list[depth].size);
	return 1;
}

int scene_end_frame(lua_State *L)
{
	struct scene *s = scene_check(L, 1);
	struct qs_error error;

	if (s->depth)
		return luaL_error(L, "a frame cannot end in a list");
	s->started = true;
	if (!qs_recording_end_frame(s->recording, &error))
		return script_fail(L, &error);
	return 0;
}

/* ---- what becomes of it ------------------------------------------------------------------------------------------------- */

struct bytes_job {
	const uint8_t *data;
	size_t size;
};

static int push_bytes(lua_State *L)
{
	const struct bytes_job *job = lua_touserdata(L, 1);

	lua_pushlstring(L, (const char *)job->data, job->size);
	return 1;
}

void scene_push_bytes(lua_State *L, struct scene *s)
{
	struct bytes_job job;
	int status;
	struct qs_error error;
	uint8_t *data;
	size_t size;

	if (!qs_recording_bytes(s->recording, &data, &size, &error))
		script_fail(L, &error);
	if (size > script_of(L)->limits.bytes / 2) {
		free(data);
		luaL_error(L, "the scene has %d MiB, more than a script may hold", (int)(size >> 20));
	}
	job = (struct bytes_job){data, size};
	lua_pushcfunction(L, push_bytes);
	lua_pushlightuserdata(L, &job);
	status = lua_pcall(L, 1, 1, 0);
	free(data);
	if (status != LUA_OK)
		lua_error(L);
}

int scene_bytes(lua_State *L)
{
	scene_push_bytes(L, scene_check(L, 1));
	return 1;
}

int scene_save(lua_State *L)
{
	struct scene *s = scene_check(L, 1);
	struct qs_script *script = script_of(L);
	const char *name = luaL_optstring(L, 2, NULL);
	struct qs_error error = {0};
	size_t size;
	const char *data;

	if (!script->host.save)
		return luaL_error(L, "scripts write no files here; 'qscope scene SCRIPT.lua -o FILE.dff' saves the scene");
	scene_push_bytes(L, s);
	data = lua_tolstring(L, -1, &size);
	if (!script->host.save(script->host.user, name, data, size, &error))
		return script_fail(L, &error);
	return 0;
}
