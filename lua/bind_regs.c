/* bind_regs.c - qs.regs: units, registers, fields by name
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lua/script.h"

#define CLASS "register"
#define META "qs." CLASS

struct proxy {
	uint8_t unit;
	uint16_t address;
	const struct qs_register *reg;
};

static const unsigned unit_size[QS_UNIT_COUNT] = {[QS_UNIT_BP] = 0x108, [QS_UNIT_CP] = 0x100, [QS_UNIT_XF] = 0x1058, [QS_UNIT_PE] = 0x2C};

static uint32_t value_of(lua_State *L, const struct proxy *p)
{
	return qs_timeline_register(script_of(L)->timeline, (enum qs_unit)p->unit, p->address);
}

char *regs_name(enum qs_unit unit, uint32_t address, char *buffer, size_t size)
{
	const struct qs_register *reg = qs_register_find(unit, address);

	if (reg)
		snprintf(buffer, size, "%s.%s", qs_unit_name(unit), reg->name);
	else
		snprintf(buffer, size, "%s.0x%02x", qs_unit_name(unit), address);
	return buffer;
}

/* ---- fields ------------------------------------------------------------------------------------------------------------- */

void regs_push_field(lua_State *L, const struct qs_field *field, uint32_t value)
{
	double number = qs_field_number(field, value);

	if (field->kind == QS_FIELD_FIXED || field->kind == QS_FIELD_FLOAT)
		lua_pushnumber(L, number);
	else
		lua_pushinteger(L, (lua_Integer)number);
}

static const char *field_text(const struct qs_field *field, uint32_t value, char *buffer, size_t size)
{
	uint32_t raw = qs_field_raw(field, value);

	for (const struct qs_enum_value *v = field->values; v && v->name; v++)
		if (v->value == raw)
			return v->name;
	return qs_field_format(field, value, buffer, size);
}

static int no_such_field(lua_State *L, const struct qs_register *reg, const char *name)
{
	struct nearest nearest;
	char hint[96];

	nearest_begin(&nearest, name);
	for (unsigned i = 0; i < reg->field_count; i++)
		nearest_offer(&nearest, reg->fields[i].name);
	nearest_offer(&nearest, "raw");
	return luaL_error(L, "%s.%s has no field '%s'%s", qs_unit_name((enum qs_unit)reg->unit), reg->name, name,
		nearest_hint(&nearest, hint, sizeof hint));
}

const struct qs_field *regs_check_field(lua_State *L, const struct qs_register *reg, const char *name)
{
	const struct qs_field *field = qs_field_by_name(reg, name);

	if (!field)
		no_such_field(L, reg, name);
	return field;
}

/* ---- registers ---------------------------------------------------------------------------------------------------------- */

static struct proxy *check_proxy(lua_State *L)
{
	return luaL_checkudata(L, 1, META);
}

static int proxy_index(lua_State *L)
{
	struct proxy *p = check_proxy(L);
	const char *name = luaL_checkstring(L, 2);
	const struct qs_field *field = qs_field_by_name(p->reg, name);

	if (field) {
		regs_push_field(L, field, value_of(L, p));
		return 1;
	}
	if (strcmp(name, "raw") == 0) {
		lua_pushinteger(L, value_of(L, p));
		return 1;
	}
	lua_pushvalue(L, 2);
	if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL)
		return 1;
	return no_such_field(L, p->reg, name);
}

static int no_assignment(lua_State *L)
{
	return luaL_error(L, "registers can only be read");
}

static int proxy_tostring(lua_State *L)
{
	struct proxy *p = check_proxy(L);
	char text[512];

	lua_pushfstring(L, "%s.%s = ", qs_unit_name((enum qs_unit)p->unit), p->reg->name);
	snprintf(text, sizeof text, "0x%0*x  ", (p->reg->width + 3) / 4, value_of(L, p));
	lua_pushstring(L, text);
	lua_pushstring(L, qs_register_format(p->reg, value_of(L, p), text, sizeof text));
	lua_concat(L, 3);
	return 1;
}

int reg_text(lua_State *L)
{
	struct proxy *p = check_proxy(L);
	char text[512];

	if (lua_isnoneornil(L, 2))
		lua_pushstring(L, qs_register_format(p->reg, value_of(L, p), text, sizeof text));
	else
		lua_pushstring(L, field_text(regs_check_field(L, p->reg, luaL_checkstring(L, 2)), value_of(L, p), text, sizeof text));
	return 1;
}

int reg_writer(lua_State *L)
{
	struct proxy *p = check_proxy(L);
	struct qs_script *s = script_of(L);
	uint32_t command = qs_timeline_register_writer(s->timeline, (enum qs_unit)p->unit, p->address);
	struct qs_moment moment;

	if (command == QS_NONE || !qs_moment_of_command(s->capture, command, &moment)) {
		lua_pushnil(L);
		return 1;
	}
	record_push_moment(L, &moment);
	lua_pushinteger(L, command);
	return 2;
}

int reg_fields(lua_State *L)
{
	struct proxy *p = check_proxy(L);
	uint32_t value = value_of(L, p);

	lua_createtable(L, 0, p->reg->field_count);
	for (unsigned i = 0; i < p->reg->field_count; i++) {
		regs_push_field(L, &p->reg->fields[i], value);
		lua_setfield(L, -2, p->reg->fields[i].name);
	}
	return 1;
}

int reg_info(lua_State *L)
{
	struct proxy *p = check_proxy(L);
	const struct qs_register *r = p->reg;

	lua_createtable(L, 0, 8);
	lua_pushstring(L, qs_unit_name((enum qs_unit)p->unit));
	lua_setfield(L, -2, "unit");
	lua_pushstring(L, r->name);
	lua_setfield(L, -2, "name");
	lua_pushinteger(L, p->address);
	lua_setfield(L, -2, "address");
	lua_pushstring(L, r->group);
	lua_setfield(L, -2, "group");
	lua_pushinteger(L, r->width);
	lua_setfield(L, -2, "width");
	lua_pushstring(L, r->text);
	lua_setfield(L, -2, "text");
	lua_createtable(L, r->field_count, 0);
	for (unsigned i = 0; i < r->field_count; i++) {
		lua_pushstring(L, r->fields[i].name);
		lua_rawseti(L, -2, i + 1);
	}
	lua_setfield(L, -2, "fields");
	return 1;
}

/* The userdata of a register is made once; the cache is the value on top, by unit and address. */
static void push_proxy(lua_State *L, const struct qs_register *reg)
{
	lua_Integer key = (lua_Integer)reg->unit << 16 | reg->address;
	struct proxy *p;

	lua_getfield(L, LUA_REGISTRYINDEX, "qs.register cache");
	if (lua_rawgeti(L, -1, key) == LUA_TNIL) {
		lua_pop(L, 1);
		p = lua_newuserdatauv(L, sizeof *p, 0);
		*p = (struct proxy){reg->unit, reg->address, reg};
		luaL_setmetatable(L, META);
		lua_pushvalue(L, -1);
		lua_rawseti(L, -3, key);
	}
	lua_remove(L, -2);
}

/* ---- units -------------------------------------------------------------------------------------------------------------- */

static int no_such_register(lua_State *L, enum qs_unit unit, const char *name)
{
	struct nearest nearest;
	char hint[96];

	nearest_begin(&nearest, name);
	for (uint32_t i = 0; i < qs_register_count(unit); i++)
		nearest_offer(&nearest, qs_register_at(unit, i)->name);
	return luaL_error(L, "%s has no register '%s'%s", qs_unit_name(unit), name, nearest_hint(&nearest, hint, sizeof hint));
}

const struct qs_register *regs_check_name(lua_State *L, enum qs_unit unit, const char *name)
{
	const struct qs_register *reg = qs_register_by_name(unit, name);

	if (!reg)
		no_such_register(L, unit, name);
	return reg;
}

static int unit_index(lua_State *L)
{
	enum qs_unit unit = (enum qs_unit)lua_tointeger(L, lua_upvalueindex(1));
	const struct qs_register *reg;

	if (lua_type(L, 2) == LUA_TNUMBER) {
		lua_Integer address = luaL_checkinteger(L, 2);

		reg = address >= 0 && address < (lua_Integer)unit_size[unit] ? qs_register_find(unit, (uint32_t)address) : NULL;
		if (!reg)
			return luaL_error(L, "%s has no register at address %I", qs_unit_name(unit), address);
	} else {
		reg = regs_check_name(L, unit, luaL_checkstring(L, 2));
	}
	push_proxy(L, reg);
	return 1;
}

/* pairs(qs.regs.bp): name, register in the order of addresses. Upvalue 1: unit, 2: next. */
static int unit_next(lua_State *L)
{
	enum qs_unit unit = (enum qs_unit)lua_tointeger(L, lua_upvalueindex(1));
	lua_Integer i = lua_tointeger(L, lua_upvalueindex(2));
	const struct qs_register *reg = qs_register_at(unit, (uint32_t)i);

	if (!reg || i >= qs_register_count(unit))
		return 0;
	lua_pushinteger(L, i + 1);
	lua_replace(L, lua_upvalueindex(2));
	lua_pushstring(L, reg->name);
	push_proxy(L, reg);
	return 2;
}

static int unit_pairs(lua_State *L)
{
	lua_pushvalue(L, lua_upvalueindex(1));
	lua_pushinteger(L, 0);
	lua_pushcclosure(L, unit_next, 2);
	return 1;
}

static void push_unit(lua_State *L, enum qs_unit unit)
{
	lua_newtable(L);
	lua_createtable(L, 0, 4);
	lua_pushinteger(L, unit);
	lua_pushcclosure(L, unit_index, 1);
	lua_setfield(L, -2, "__index");
	lua_pushinteger(L, unit);
	lua_pushcclosure(L, unit_pairs, 1);
	lua_setfield(L, -2, "__pairs");
	lua_pushcfunction(L, no_assignment);
	lua_setfield(L, -2, "__newindex");
	lua_pushboolean(L, 0);
	lua_setfield(L, -2, "__metatable");
	lua_setmetatable(L, -2);
}

/* ---- qs.regs ------------------------------------------------------------------------------------------------------------ */

/* "bp.GEN_MODE" or "bp.GEN_MODE.ntev"; raises an error with the nearest name. */
static const struct qs_register *parse(lua_State *L, const char *text, const struct qs_field **field)
{
	const char *dot = strchr(text, '.'), *second = dot ? strchr(dot + 1, '.') : NULL;
	const struct qs_register *reg;
	char unit_name[8] = "", name[64] = "";
	enum qs_unit unit;

	if (dot && dot - text < (int)sizeof unit_name)
		memcpy(unit_name, text, (size_t)(dot - text));
	if (!dot || !qs_unit_parse(unit_name, &unit)) {
		luaL_error(L, "'%s' is no register; a register is written unit.NAME with the unit bp, cp, xf or pe", text);
		return NULL;
	}
	snprintf(name, sizeof name, "%.*s", second ? (int)(second - dot - 1) : (int)strlen(dot + 1), dot + 1);
	reg = regs_check_name(L, unit, name);
	*field = NULL;
	if (second) {
		*field = qs_field_by_name(reg, second + 1);
		if (!*field && strcmp(second + 1, "raw") != 0)
			no_such_field(L, reg, second + 1);
	}
	return reg;
}

/* qs.regs("bp.GEN_MODE") or ("bp.GEN_MODE.ntev") */
static int regs_call(lua_State *L)
{
	const char *text = luaL_checkstring(L, 2);
	const struct qs_field *field;
	const struct qs_register *reg = parse(L, text, &field);
	uint32_t value = qs_timeline_register(script_of(L)->timeline, (enum qs_unit)reg->unit, reg->address);

	if (field)
		regs_push_field(L, field, value);
	else if (strchr(strchr(text, '.') + 1, '.'))
		lua_pushinteger(L, value);
	else
		push_proxy(L, reg);
	return 1;
}

static int regs_index(lua_State *L)
{
	return luaL_error(L, "qs.regs has the units bp, cp, xf and pe, no '%s'", luaL_tolstring(L, 2, NULL));
}

void regs_open(lua_State *L)
{
	static const luaL_Reg meta[] = {{"__tostring", proxy_tostring}, {"__newindex", no_assignment}, {NULL, NULL}};

	lua_newtable(L);
	lua_setfield(L, LUA_REGISTRYINDEX, "qs.register cache");
	api_class(L, CLASS);
	luaL_setfuncs(L, meta, 0);
	lua_getfield(L, -1, "methods");
	lua_pushcclosure(L, proxy_index, 1);
	lua_setfield(L, -2, "__index");
	lua_pop(L, 1);

	lua_newtable(L);
	for (unsigned u = 0; u < QS_UNIT_COUNT; u++) {
		push_unit(L, (enum qs_unit)u);
		lua_setfield(L, -2, qs_unit_name((enum qs_unit)u));
	}
	lua_createtable(L, 0, 4);
	lua_pushcfunction(L, regs_index);
	lua_setfield(L, -2, "__index");
	lua_pushcfunction(L, no_assignment);
	lua_setfield(L, -2, "__newindex");
	lua_pushcfunction(L, regs_call);
	lua_setfield(L, -2, "__call");
	lua_pushboolean(L, 0);
	lua_setfield(L, -2, "__metatable");
	lua_setmetatable(L, -2);
}

uint32_t regs_field_mask(const struct qs_field *f)
{
	return (f->bits >= 32 ? UINT32_MAX : (1u << f->bits) - 1) << f->lsb;
}

/* ---- what if ------------------------------------------------------------------------------------------------------------- */

/* The bits of a field that has the number: the other way round than qs_field_number. */
static uint32_t bits_of(const struct qs_field *f, double number)
{
	uint32_t all = f->bits >= 32 ? UINT32_MAX : (1u << f->bits) - 1;
	union {
		float f;
		uint32_t u;
	} ieee = {.f = (float)number};

	if (f->kind == QS_FIELD_FLOAT)
		return ieee.u >> (32 - f->bits) & all;
	if (f->kind == QS_FIELD_FIXED)
		number *= (double)(1u << f->fraction);
	else if (f->kind == QS_FIELD_ADDRESS)
		number /= (double)(1u << f->fraction);
	return (uint32_t)(int64_t)(number < 0 ? number - 0.5 : number + 0.5) & all;
}

/* near: of fractions and floats the nearest is taken, else only what the field can hold exactly. */
static uint32_t check_field_value(lua_State *L, const struct qs_field *f, int arg, bool near)
{
	double number, held;
	uint32_t raw;

	if (lua_type(L, arg) == LUA_TSTRING) {
		const char *name = lua_tostring(L, arg);
		struct nearest nearest;
		char hint[96];

		nearest_begin(&nearest, name);
		for (const struct qs_enum_value *v = f->values; v && v->name; v++) {
			if (strcasecmp(v->name, name) == 0)
				return v->value;
			nearest_offer(&nearest, v->name);
		}
		luaL_error(L, "%s has no value '%s'%s", f->name, name, nearest_hint(&nearest, hint, sizeof hint));
	}
	if (lua_isboolean(L, arg) && f->bits == 1)
		return (uint32_t)lua_toboolean(L, arg);
	number = luaL_checknumber(L, arg);
	raw = f->kind == QS_FIELD_FLOAT || (number > -4294967296.0 && number < 4294967296.0) ? bits_of(f, number) : 0;
	held = qs_field_number(f, raw << f->lsb);
	if (near && f->kind == QS_FIELD_FIXED && held != number && fabs(held - number) * (double)(1u << f->fraction) <= 0.5)
		held = number;
	else if (near && f->kind == QS_FIELD_FLOAT && fabs(held - number) <= fabs(number) * 0.001)
		held = number;
	if (held != number)
		luaL_error(L, "%s has %d bits and cannot be %s", f->name, f->bits, luaL_tolstring(L, arg, NULL));
	return raw;
}

uint32_t regs_check_near(lua_State *L, const struct qs_field *field, int arg)
{
	return check_field_value(L, field, arg, true);
}

/* name, value -> override */
int override_add(lua_State *L)
{
	struct qs_script *s = script_of(L);
	const struct qs_field *field;
	const struct qs_register *reg = parse(L, luaL_checkstring(L, 1), &field);
	uint32_t mask, value, id;
	struct qs_error error;

	script_still(L, "qs.override");
	if (field) {
		mask = regs_field_mask(field);
		value = check_field_value(L, field, 2, false) << field->lsb;
	} else {
		lua_Integer n = luaL_checkinteger(L, 2);

		mask = reg->width >= 32 ? UINT32_MAX : (1u << reg->width) - 1;
		luaL_argcheck(L, n >= 0 && n <= (lua_Integer)mask, 2, "the value does not fit into the register");
		value = (uint32_t)n;
	}
	id = qs_timeline_override_add(s->timeline, (enum qs_unit)reg->unit, reg->address, mask, value, &error);
	if (!id)
		return script_fail(L, &error);
	if (s->override_count == sizeof s->override / sizeof *s->override) { /* more than the engine takes */
		qs_timeline_override_remove(s->timeline, id);
		return luaL_error(L, "too many registers are forced");
	}
	s->override[s->override_count++] = id;
	*(uint32_t *)lua_newuserdatauv(L, sizeof id, 0) = id;
	api_set_class(L, "override");
	script_poll(L);
	return 1;
}

int override_off(lua_State *L)
{
	struct qs_script *s = script_of(L);
	uint32_t id = *(uint32_t *)luaL_checkudata(L, 1, "qs.override");
	size_t n = 0;

	script_still(L, "off");
	qs_timeline_override_remove(s->timeline, id);
	for (size_t i = 0; i < s->override_count; i++)
		if (s->override[i] != id)
			s->override[n++] = s->override[i];
	s->override_count = n;
	return 0;
}

void overrides_clear(struct qs_script *s)
{
	for (size_t i = 0; i < s->override_count; i++)
		qs_timeline_override_remove(s->timeline, s->override[i]);
	s->override_count = 0;
}

/* ---- patterns ----------------------------------------------------------------------------------------------------------- */

/* '*' any characters, '?' one; case does not matter. */
static bool glob(const char *pattern, const char *text)
{
	const char *star = NULL, *back = NULL;

	while (*text) {
		if (*pattern == '*') {
			star = ++pattern;
			back = text;
		} else if (*pattern == '?' || (*pattern && strncasecmp(pattern, text, 1) == 0)) {
			pattern++;
			text++;
		} else if (star) {
			pattern = star;
			text = ++back;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

static bool add(struct hook_write **list, size_t *count, enum qs_unit unit, uint32_t address, uint32_t mask)
{
	struct hook_write *grown = realloc(*list, (*count + 1) * sizeof *grown);

	if (!grown)
		return false;
	*list = grown;
	grown[(*count)++] = (struct hook_write){.unit = (uint8_t)unit, .address = (uint16_t)address, .mask = mask};
	return true;
}

/* One "unit.REGISTER[.field]" with globs in every part, or "unit.0x77". */
static bool match_one(lua_State *L, char *pattern, struct hook_write **list, size_t *count)
{
	char *name = strchr(pattern, '.'), *field = name ? strchr(name + 1, '.') : NULL, *end = NULL;
	unsigned long address = name ? strtoul(name + 1, &end, 0) : 0;
	size_t before = *count;
	bool by_address = name && end != name + 1 && !*end;

	if (name)
		*name++ = 0;
	if (field)
		*field++ = 0;
	for (unsigned u = 0; name && u < QS_UNIT_COUNT; u++) {
		enum qs_unit unit = (enum qs_unit)u;

		if (!glob(pattern, qs_unit_name(unit)))
			continue;
		if (by_address && address < unit_size[u] && !add(list, count, unit, (uint32_t)address, 0))
			return false;
		for (uint32_t i = 0; !by_address && i < qs_register_count(unit); i++) {
			const struct qs_register *reg = qs_register_at(unit, i);
			uint32_t mask = 0;

			if (!glob(name, reg->name))
				continue;
			for (unsigned f = 0; field && f < reg->field_count; f++)
				mask |= glob(field, reg->fields[f].name) ? regs_field_mask(&reg->fields[f]) : 0;
			if ((!field || mask) && !add(list, count, unit, reg->address, mask))
				return false;
		}
	}
	if (*count > before)
		return true;
	if (name)
		name[-1] = '.';
	if (field)
		field[-1] = '.';
	lua_pushfstring(L, "no register matches '%s'; patterns are like \"bp.TEV_*\", \"bp.GEN_MODE.ntev\", \"xf.0x1009\"", pattern);
	return false;
}

static int compare_writes(const void *a, const void *b)
{
	const struct hook_write *x = a, *y = b;
	int by_unit = x->unit - y->unit;

	return by_unit ? by_unit : x->address - y->address;
}

/* The same register twice: the wider wish counts. */
static void merge(struct hook_write *list, size_t *count)
{
	size_t n = 0;

	qsort(list, *count, sizeof *list, compare_writes);
	for (size_t i = 0; i < *count; i++) {
		if (!n || compare_writes(&list[n - 1], &list[i]))
			list[n++] = list[i];
		else
			list[n - 1].mask = list[n - 1].mask && list[i].mask ? list[n - 1].mask | list[i].mask : 0;
	}
	*count = n;
}

bool regs_match(lua_State *L, const char *pattern, struct hook_write **list, size_t *count)
{
	char *copy = lua_newuserdatauv(L, strlen(pattern) + 1, 0), *state = NULL;
	bool good = true;

	strcpy(copy, pattern);
	for (char *word = strtok_r(copy, " ,", &state); word && good; word = strtok_r(NULL, " ,", &state))
		good = match_one(L, word, list, count);
	if (good && !*count) {
		lua_pushliteral(L, "the register pattern is empty");
		good = false;
	}
	if (good) {
		lua_pop(L, 1);
		merge(*list, count);
	}
	return good;
}
