/* scene_draw.c - vertices of a scene, packed as VCD and VAT say (spec 01 section 3, docs/dff-format.md section 4)
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lua/scene.h"

enum { ABSENT, DIRECT, INDEX8, INDEX16 };

static const char *const attribute_name[12] = {"position", "normal", "colour0", "colour1", "tex0", "tex1", "tex2", "tex3", "tex4",
	"tex5", "tex6", "tex7"};
/* What a vertex may say instead. */
static const char *const short_name[12] = {NULL, "n", "c", NULL, "t", NULL, NULL, NULL, NULL, NULL, NULL, NULL};

struct packer {
	lua_State *L;
	struct scene *scene;
	unsigned format;
	uint32_t vcd_lo, vcd_hi;
	int vertex;       /* stack index of the vertex */
	lua_Integer number; /* of the vertex, for messages */
};

/* ---- the vertex format -------------------------------------------------------------------------------------------------- */

uint32_t scene_vat(const struct scene *s, unsigned format, const char *attribute, const char *part)
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
			return qs_field_raw(field, s->cp[reg->address]);
	}
	return 0;
}

unsigned scene_check_format(lua_State *L, int arg)
{
	lua_Integer format = luaL_checkinteger(L, arg);

	luaL_argcheck(L, format >= 0 && format <= 7, arg, "a vertex format is 0 to 7");
	return (unsigned)format;
}

static unsigned mode(const struct packer *p, unsigned attribute)
{
	return attribute < 4 ? p->vcd_lo >> (9 + 2 * attribute) & 3 : p->vcd_hi >> 2 * (attribute - 4) & 3;
}

/* How an element is stored. */
struct layout {
	unsigned type, count; /* count: numbers, or 0 for a colour */
	double scale;
};

static struct layout layout_of(const struct scene *s, unsigned format, unsigned attribute)
{
	static const double normal_scale[4] = {128, 64, 32768, 16384};
	const char *name = attribute_name[attribute];
	struct layout l = {scene_vat(s, format, name, "format"), 0, 1};
	uint32_t count = scene_vat(s, format, name, "count");

	if (attribute == 2 || attribute == 3)
		return l;
	l.count = attribute == 1 ? (count ? 9 : 3) : attribute == 0 ? 2 + count : 1 + count;
	if (l.type > 4)
		l.type = 4;
	if (attribute == 1 && l.type < 4)
		l.scale = normal_scale[l.type];
	else if (l.type < 4 && (l.type >= 2 || scene_vat(s, format, "byte", "dequant")))
		l.scale = (double)(1u << scene_vat(s, format, name, "frac"));
	return l;
}

/* ---- numbers and colours ------------------------------------------------------------------------------------------------ */

static void put(struct packer *p, uint32_t value, unsigned count)
{
	uint8_t bytes[4];

	for (unsigned i = 0; i < count; i++)
		bytes[i] = (uint8_t)(value >> 8 * (count - 1 - i));
	scene_put(p->L, p->scene, &p->scene->scratch, bytes, count);
}

static int bad(struct packer *p, const char *what, const char *text)
{
	return luaL_error(p->L, "vertex %I: %s %s", p->number, what, text);
}

static void put_number(struct packer *p, const char *what, double number, unsigned type, double scale)
{
	static const double low[4] = {0, -128, 0, -32768}, high[4] = {255, 127, 65535, 32767};
	static const char *const names[4] = {"u8", "s8", "u16", "s16"};
	union {
		float f;
		uint32_t u;
	} c = {.f = (float)number};
	char text[96];

	if (type == 4) {
		put(p, c.u, 4);
		return;
	}
	number = rint(number * scale);
	if (!(number >= low[type] && number <= high[type])) {
		snprintf(text, sizeof text, "has a component that does not fit into %s with a scale of %g", names[type], scale);
		bad(p, what, text);
	}
	put(p, (uint32_t)(int32_t)number, type < 2 ? 1 : 2);
}

/* r g b a of 8 bits in the layouts of spec 01 section 3. */
static void put_colour(struct packer *p, const char *what, const uint8_t c[4], unsigned type)
{
	switch (type) {
	case 0: put(p, (uint32_t)(c[0] >> 3 << 11 | c[1] >> 2 << 5 | c[2] >> 3), 2); break;
	case 1: put(p, (uint32_t)(c[0] << 16 | c[1] << 8 | c[2]), 3); break;
	case 2: put(p, (uint32_t)c[0] << 24 | (uint32_t)(c[1] << 16 | c[2] << 8 | c[3]), 4); break;
	case 3: put(p, (uint32_t)(c[0] >> 4 << 12 | c[1] >> 4 << 8 | c[2] >> 4 << 4 | c[3] >> 4), 2); break;
	case 4: put(p, (uint32_t)(c[0] >> 2 << 18 | c[1] >> 2 << 12 | c[2] >> 2 << 6 | c[3] >> 2), 3); break;
	case 5: put(p, (uint32_t)c[0] << 24 | (uint32_t)(c[1] << 16 | c[2] << 8 | c[3]), 4); break;
	default: bad(p, what, "has a colour format that does not exist"); break;
	}
}

/* {r, g, b[, a]} or 0xRRGGBBAA at the top of the stack. */
static void check_colour(struct packer *p, const char *what, uint8_t c[4])
{
	lua_State *L = p->L;

	if (lua_isinteger(L, -1)) {
		for (unsigned i = 0; i < 4; i++)
			c[i] = (uint8_t)(lua_tointeger(L, -1) >> (24 - 8 * i));
		return;
	}
	if (!lua_istable(L, -1))
		bad(p, what, "is no colour: {r, g, b, a} or 0xRRGGBBAA");
	for (int i = 0; i < 4; i++) {
		lua_Number n = lua_geti(L, -1, i + 1) == LUA_TNIL && i == 3 ? 255 : lua_tonumber(L, -1);

		if (!lua_isnil(L, -1) && !lua_isnumber(L, -1))
			bad(p, what, "has a component that is no number");
		if (!(n >= 0 && n < 256))
			bad(p, what, "has a component outside 0 to 255");
		c[i] = (uint8_t)n;
		lua_pop(L, 1);
	}
}

/* An element from the value on top: numbers in a table, one number, or bytes as they are. */
static void put_element(struct packer *p, unsigned attribute, const struct layout *l)
{
	lua_State *L = p->L;
	const char *name = attribute_name[attribute];
	uint8_t colour[4];

	if (!l->count) {
		check_colour(p, name, colour);
		put_colour(p, name, colour, l->type);
		return;
	}
	for (unsigned i = 0; i < l->count; i++) {
		if (lua_istable(L, -1)) {
			lua_geti(L, -1, (lua_Integer)i + 1);
		} else if (l->count == 1) {
			lua_pushvalue(L, -1);
		} else {
			bad(p, name, "is no table of numbers");
		}
		if (!lua_isnumber(L, -1))
			bad(p, name, "has too few numbers");
		put_number(p, name, lua_tonumber(L, -1), l->type, l->scale);
		lua_pop(L, 1);
	}
}

static void put_index(struct packer *p, const char *name, unsigned m)
{
	lua_Integer index = lua_isinteger(p->L, -1) ? lua_tointeger(p->L, -1) : -1;

	if (index < 0 || index > (m == INDEX8 ? 0xFF : 0xFFFF))
		bad(p, name, m == INDEX8 ? "is no index of 0 to 255" : "is no index of 0 to 65535");
	put(p, (uint32_t)index, m == INDEX8 ? 1 : 2);
}

/* ---- a vertex ----------------------------------------------------------------------------------------------------------- */

/* Pushes the vertex' value for the attribute. */
static void push_value(struct packer *p, unsigned attribute)
{
	lua_State *L = p->L;
	const char *name = attribute_name[attribute];

	if (lua_getfield(L, p->vertex, name) != LUA_TNIL)
		return;
	lua_pop(L, 1);
	if (short_name[attribute] && lua_getfield(L, p->vertex, short_name[attribute]) != LUA_TNIL)
		return;
	if (short_name[attribute])
		lua_pop(L, 1);
	if (attribute)
		bad(p, name, "is missing, but VCD_LO or VCD_HI says that it is there");
	if (mode(p, 0) == DIRECT)
		lua_pushvalue(L, p->vertex); /* the list part of the vertex itself */
	else
		lua_geti(L, p->vertex, 1);
}

static void put_attribute(struct packer *p, unsigned attribute)
{
	unsigned m = mode(p, attribute);
	const char *name = attribute_name[attribute];
	bool three = attribute == 1 && scene_vat(p->scene, p->format, "normal", "index3") && scene_vat(p->scene, p->format, "normal", "count");
	struct layout l;

	if (m == ABSENT)
		return;
	push_value(p, attribute);
	if (m == DIRECT) {
		l = layout_of(p->scene, p->format, attribute);
		put_element(p, attribute, &l);
	} else if (three && lua_istable(p->L, -1)) {
		for (int i = 1; i <= 3; i++) {
			lua_geti(p->L, -1, i);
			put_index(p, name, m);
			lua_pop(p->L, 1);
		}
	} else {
		for (unsigned i = 0; i < (three ? 3u : 1u); i++)
			put_index(p, name, m);
	}
	lua_pop(p->L, 1);
}

static void put_matrix_indices(struct packer *p)
{
	for (unsigned i = 0; i < 9; i++) {
		char name[16];

		if (!(p->vcd_lo >> i & 1))
			continue;
		if (i)
			snprintf(name, sizeof name, "tex%umtx", i - 1);
		else
			strcpy(name, "posmtx");
		if (lua_getfield(p->L, p->vertex, name) == LUA_TNIL)
			bad(p, name, "is missing, but VCD_LO says that it is there");
		put_index(p, name, INDEX8);
		lua_pop(p->L, 1);
	}
}

static void put_vertex(struct packer *p)
{
	size_t size;
	const char *bytes;

	if (lua_type(p->L, p->vertex) == LUA_TSTRING) {
		bytes = lua_tolstring(p->L, p->vertex, &size);
		scene_put(p->L, p->scene, &p->scene->scratch, bytes, size);
		return;
	}
	if (!lua_istable(p->L, p->vertex))
		luaL_error(p->L, "vertex %I is no table and no text of bytes", p->number);
	put_matrix_indices(p);
	for (unsigned a = 0; a < 12; a++)
		put_attribute(p, a);
}

/* Fills the scene's scratch bytes from the list; attribute 12: whole vertices. */
static void pack(lua_State *L, struct scene *s, unsigned format, int list, unsigned attribute, lua_Integer n)
{
	struct packer p = {.L = L, .scene = s, .format = format, .vcd_lo = s->cp[0x50], .vcd_hi = s->cp[0x60]};
	struct layout l = layout_of(s, format, attribute < 12 ? attribute : 0);

	luaL_checkstack(L, 16, NULL);
	s->scratch.size = 0;
	for (p.number = 1; p.number <= n; p.number++) {
		lua_geti(L, list, p.number);
		p.vertex = lua_gettop(L);
		if (attribute < 12)
			put_element(&p, attribute, &l);
		else
			put_vertex(&p);
		lua_settop(L, p.vertex - 1);
		if (p.number % 1024 == 0)
			script_poll(L);
	}
}

/* attribute, format, list -> bytes of a vertex array */
int scene_elements(lua_State *L)
{
	struct scene *s = scene_check(L, 1);
	unsigned attribute = 0, format = scene_check_format(L, 3);
	const char *name = luaL_checkstring(L, 2);

	luaL_checktype(L, 4, LUA_TTABLE);
	while (attribute < 12 && strcmp(attribute_name[attribute], name))
		attribute++;
	luaL_argcheck(L, attribute < 12, 2, "an attribute is position, normal, colour0, colour1 or tex0 to tex7");
	pack(L, s, format, 4, attribute, luaL_len(L, 4));
	lua_pushlstring(L, (const char *)s->scratch.data, s->scratch.size);
	return 1;
}

/* primitive, format, vertices */
int scene_draw(lua_State *L)
{
	static const char *const names[] = {"quads", "quads2", "triangles", "strip", "fan", "lines", "line_strip", "points", NULL};
	struct scene *s = scene_check(L, 1);
	unsigned kind = (unsigned)luaL_checkoption(L, 2, NULL, names), format = scene_check_format(L, 3);
	uint8_t head[3];
	lua_Integer n;

	luaL_checktype(L, 4, LUA_TTABLE);
	n = luaL_len(L, 4);
	luaL_argcheck(L, n >= 0 && n <= 65535, 4, "a draw has 0 to 65535 vertices");
	pack(L, s, format, 4, 12, n);
	head[0] = (uint8_t)(0x80 | kind << 3 | format);
	head[1] = (uint8_t)(n >> 8);
	head[2] = (uint8_t)n;
	scene_append(L, s, head, sizeof head);
	scene_append(L, s, s->scratch.data, s->scratch.size);
	return 0;
}
