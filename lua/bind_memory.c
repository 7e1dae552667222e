/* bind_memory.c - main memory, TMEM and vertex arrays
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "lua/script.h"

#define READ_LIMIT ((lua_Integer)64 << 20)

static enum qs_space check_space(lua_State *L, int arg)
{
	static const char *const names[] = {"main", "tmem", NULL};

	return luaL_checkoption(L, arg, "main", names) ? QS_SPACE_TMEM : QS_SPACE_MAIN;
}

static uint32_t check_address(lua_State *L, int arg)
{
	lua_Integer address = luaL_checkinteger(L, arg);

	if (address < 0 || address > UINT32_MAX)
		luaL_error(L, "an address has 32 bits, %I has not", address);
	return (uint32_t)address;
}

static void read_all(lua_State *L, enum qs_space space, uint32_t address, void *data, size_t size)
{
	char text[16];

	if (qs_timeline_memory(script_of(L)->timeline, space, address, data, size) == size)
		return;
	snprintf(text, sizeof text, "0x%08x", address);
	luaL_error(L, "%d bytes at %s are not all inside of %s", (int)size, text, space == QS_SPACE_TMEM ? "TMEM" : "main memory");
}

/* [space,] address, bytes */
int memory_read(lua_State *L)
{
	int arg = lua_type(L, 1) == LUA_TNUMBER ? 1 : 2;
	enum qs_space space = arg == 2 ? check_space(L, 1) : QS_SPACE_MAIN;
	uint32_t address = check_address(L, arg);
	lua_Integer size = luaL_checkinteger(L, arg + 1);
	void *data;

	if (size < 0 || size > READ_LIMIT)
		return luaL_error(L, "qs.memory.read reads 0 to %d bytes at once, not %I", (int)READ_LIMIT, size);
	data = lua_newuserdatauv(L, (size_t)size + 1, 0);
	read_all(L, space, address, data, (size_t)size);
	lua_pushlstring(L, data, (size_t)size);
	return 1;
}

/* address [, space]: big-endian, as the console has it */
static uint32_t number_at(lua_State *L, unsigned bytes)
{
	uint8_t data[4];
	uint32_t value = 0;

	read_all(L, check_space(L, 2), check_address(L, 1), data, bytes);
	for (unsigned i = 0; i < bytes; i++)
		value = value << 8 | data[i];
	return value;
}

int memory_u8(lua_State *L)
{
	lua_pushinteger(L, number_at(L, 1));
	return 1;
}

int memory_u16(lua_State *L)
{
	lua_pushinteger(L, number_at(L, 2));
	return 1;
}

int memory_u32(lua_State *L)
{
	lua_pushinteger(L, number_at(L, 4));
	return 1;
}

static int32_t extend(uint32_t value, unsigned bits)
{
	return (int32_t)(value ^ 1u << (bits - 1)) - (int32_t)(1u << (bits - 1));
}

int memory_s8(lua_State *L)
{
	lua_pushinteger(L, extend(number_at(L, 1), 8));
	return 1;
}

int memory_s16(lua_State *L)
{
	lua_pushinteger(L, extend(number_at(L, 2), 16));
	return 1;
}

static double as_float(uint32_t bits)
{
	float f;

	memcpy(&f, &bits, sizeof f);
	return (double)f;
}

int memory_f32(lua_State *L)
{
	lua_pushnumber(L, as_float(number_at(L, 4)));
	return 1;
}

/* ---- vertex arrays ------------------------------------------------------------------------------------------------------ */

/* A field of the vertex attribute tables, which are spread over three registers. */
static uint32_t vat(lua_State *L, unsigned format, const char *attribute, const char *part)
{
	char name[32], field_name[32];

	snprintf(field_name, sizeof field_name, "%s_%s", attribute, part);
	for (char group = 'A'; group <= 'C'; group++) {
		const struct qs_register *reg;
		const struct qs_field *field;

		snprintf(name, sizeof name, "VAT_%c_%u", group, format);
		reg = qs_register_by_name(QS_UNIT_CP, name);
		field = reg ? qs_field_by_name(reg, field_name) : NULL;
		if (field)
			return qs_field_raw(field, qs_timeline_register(script_of(L)->timeline, QS_UNIT_CP, reg->address));
	}
	return 0;
}

static double component(const uint8_t *p, unsigned type, unsigned i)
{
	const uint8_t *h = p + 2 * i, *w = p + 4 * i;

	switch (type) {
	case 0: return p[i];
	case 1: return extend(p[i], 8);
	case 2: return h[0] << 8 | h[1];
	case 3: return extend((uint32_t)(h[0] << 8 | h[1]), 16);
	default: return as_float((uint32_t)w[0] << 24 | (uint32_t)w[1] << 16 | (uint32_t)w[2] << 8 | w[3]);
	}
}

static unsigned type_bytes(unsigned type)
{
	return type < 2 ? 1 : type < 4 ? 2 : 4;
}

/* Vectors: x y z or s t; the fraction bits as spec 01 section 3 has them. */
static void push_vector(lua_State *L, const uint8_t *data, const char *attribute, unsigned format)
{
	unsigned type = vat(L, format, attribute, "format"), count = vat(L, format, attribute, "count");
	bool normal = *attribute == 'n';
	unsigned unscaled = vat(L, format, "byte", "dequant") ? 0 : 2 * (unsigned)qs_timeline_quirk(script_of(L)->timeline, "byte_dequant");
	static const double normal_scale[4] = {1.0 / 128, 1.0 / 64, 1.0 / 32768, 1.0 / 16384};
	const char *names = *attribute == 't' ? "st" : "xyz";
	double scale = 1;

	count = normal ? 3 : *attribute == 'p' ? 2 + count : 1 + count;
	if (normal && type < 4)
		scale = normal_scale[type];
	else if (!normal && type < 4 && type >= unscaled)
		scale = 1.0 / (double)(1u << vat(L, format, attribute, "frac"));
	for (unsigned i = 0; i < count; i++) {
		const char name[2] = {names[i], 0};

		lua_pushnumber(L, component(data, type, i) * scale);
		lua_setfield(L, -2, name);
	}
}

static uint32_t widen(uint32_t value, unsigned bits)
{
	return bits == 4 ? value * 17 : bits == 5 ? value << 3 | value >> 2 : value << 2 | value >> 4;
}

/* Layouts: spec 01 section 3. */
static void push_colour(lua_State *L, const uint8_t *d, const char *attribute, unsigned format)
{
	uint32_t half = (uint32_t)(d[0] << 8 | d[1]), three = half << 8 | d[2];
	uint8_t c[4] = {255, 255, 255, 255};

	switch (vat(L, format, attribute, "format")) {
	case 0:
		c[0] = (uint8_t)widen(half >> 11, 5);
		c[1] = (uint8_t)widen(half >> 5 & 63, 6);
		c[2] = (uint8_t)widen(half & 31, 5);
		break;
	case 1:
	case 2: memcpy(c, d, 3); break;
	case 3:
		for (unsigned i = 0; i < 4; i++)
			c[i] = (uint8_t)widen(half >> (12 - 4 * i) & 15, 4);
		break;
	case 4:
		for (unsigned i = 0; i < 4; i++)
			c[i] = (uint8_t)widen(three >> (18 - 6 * i) & 63, 6);
		break;
	case 5: memcpy(c, d, 4); break;
	default: break;
	}
	for (unsigned i = 0; i < 4; i++) {
		const char name[2] = {"rgba"[i], 0};

		lua_pushinteger(L, c[i]);
		lua_setfield(L, -2, name);
	}
}

static unsigned element_bytes(lua_State *L, unsigned attribute, const char *name, unsigned format)
{
	static const uint8_t colour_bytes[8] = {2, 3, 4, 2, 3, 4, 0, 0};
	uint32_t type = vat(L, format, name, "format"), count = vat(L, format, name, "count");

	if (attribute == 2 || attribute == 3)
		return colour_bytes[type & 7];
	if (attribute == 1)
		return (count ? 9 : 3) * type_bytes(type);
	return (attribute == 0 ? 2 + count : 1 + count) * type_bytes(type);
}

/* The vertex format of the draw at the moment. */
static lua_Integer default_format(lua_State *L)
{
	struct qs_script *s = script_of(L);
	const struct qs_command *c = qs_capture_command(s->capture, qs_timeline_moment(s->timeline)->command);

	return c && c->kind == QS_COMMAND_DRAW ? c->opcode & 7 : 0;
}

/* attribute, index [, format] */
int memory_array(lua_State *L)
{
	static const char *const names[] = {"position", "normal", "colour0", "colour1", "tex0", "tex1", "tex2", "tex3", "tex4", "tex5", "tex6",
		"tex7", NULL};
	struct qs_script *s = script_of(L);
	unsigned attribute = (unsigned)luaL_checkoption(L, 1, NULL, names), size;
	lua_Integer index = luaL_checkinteger(L, 2), format = luaL_optinteger(L, 3, default_format(L));
	uint32_t base, stride, address;
	uint8_t data[40] = {0};

	luaL_argcheck(L, index >= 0 && index <= 65535, 2, "an index is 0 to 65535");
	luaL_argcheck(L, format >= 0 && format <= 7, 3, "a vertex format is 0 to 7");
	base = qs_timeline_register(s->timeline, QS_UNIT_CP, 0xA0 + attribute);
	stride = qs_timeline_register(s->timeline, QS_UNIT_CP, 0xB0 + attribute) & 0xFF;
	address = (base & (qs_capture_info(s->capture)->wii ? 0x1FFFFFFF : 0x3FFFFFF)) + (uint32_t)index * stride;
	size = element_bytes(L, attribute, names[attribute], (unsigned)format);
	read_all(L, QS_SPACE_MAIN, address, data, size);
	lua_createtable(L, 0, 8);
	lua_pushinteger(L, address);
	lua_setfield(L, -2, "address");
	lua_pushinteger(L, stride);
	lua_setfield(L, -2, "stride");
	lua_pushlstring(L, (const char *)data, size);
	lua_setfield(L, -2, "bytes");
	if (attribute == 2 || attribute == 3)
		push_colour(L, data, names[attribute], (unsigned)format);
	else
		push_vector(L, data, names[attribute], (unsigned)format);
	return 1;
}
