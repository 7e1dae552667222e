/* bind_pixel.c - pixels, pictures, textures, the records of the moment
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "lua/script.h"

/* ---- memory that must not leak when an error is raised ------------------------------------------------------------------- */

struct holder {
	void *block;
};

static int holder_gc(lua_State *L)
{
	struct holder *h = lua_touserdata(L, 1);

	free(h->block);
	h->block = NULL;
	return 0;
}

static struct holder *push_holder(lua_State *L)
{
	struct holder *h = lua_newuserdatauv(L, sizeof *h, 0);

	h->block = NULL;
	luaL_setmetatable(L, "qs.holder");
	return h;
}

/* ---- pixels ------------------------------------------------------------------------------------------------------------- */

static void check_place(lua_State *L, int arg, int *x, int *y)
{
	lua_Integer px = luaL_checkinteger(L, arg), py = luaL_checkinteger(L, arg + 1);

	if (px < 0 || px > 639 || py < 0 || py > 527)
		luaL_error(L, "there is no pixel %I,%I: the EFB has 640 x 528 pixels", px, py);
	*x = (int)px;
	*y = (int)py;
}

/* Only in the anti-aliased EFB. */
static void push_samples(lua_State *L, int x, int y)
{
	uint8_t rgba[3][4];
	uint32_t z[3];
	unsigned n = qs_timeline_samples(timeline_of(L), x, y, rgba, z);

	if (n < 2)
		return;
	lua_createtable(L, 2, 1);
	for (unsigned i = 0; i < n; i++) {
		record_push_rgba(L, rgba[i]);
		set_integer(L, "z", z[i]);
		lua_rawseti(L, -2, i);
	}
	lua_setfield(L, -2, "samples");
}

int pixel_get(lua_State *L)
{
	uint8_t rgba[4];
	uint32_t z;
	int x, y;

	script_ground(L, "qs.pixel");
	check_place(L, 1, &x, &y);
	qs_timeline_pixel(timeline_of(L), x, y, rgba, &z);
	record_push_rgba(L, rgba);
	set_integer(L, "x", x);
	set_integer(L, "y", y);
	set_integer(L, "z", z);
	push_samples(L, x, y);
	api_set_class(L, "pixel");
	return 1;
}

/* The place of a pixel object. */
static void self_place(lua_State *L, int *x, int *y)
{
	luaL_checktype(L, 1, LUA_TTABLE);
	lua_getfield(L, 1, "x");
	lua_getfield(L, 1, "y");
	check_place(L, lua_gettop(L) - 1, x, y);
	lua_pop(L, 2);
}

static void push_row(lua_State *L, const struct qs_history_row *row)
{
	static const char *const kinds[] = {"fragment", "clear", "start"};
	char text[256];

	lua_createtable(L, 0, 12);
	set_string(L, "kind", row->kind < 3 ? kinds[row->kind] : "?");
	set_string(L, "text", explain_row(row, text, sizeof text));
	if (row->kind != QS_HISTORY_START) {
		record_push_moment(L, &row->moment);
		lua_setfield(L, -2, "moment");
		set_integer(L, "command", row->moment.command);
		record_push_rgba(L, row->before);
		lua_setfield(L, -2, "before");
		set_integer(L, "z_before", row->z_before);
	}
	if (row->kind == QS_HISTORY_FRAGMENT) {
		set_string(L, "verdict", record_verdict(row->verdict));
		set_integer(L, "draw", row->moment.draw);
		record_push_rgba(L, row->source);
		lua_setfield(L, -2, "source");
		set_integer(L, "z", row->z);
		set_string(L, "z_func", record_compare(row->z_func));
	}
	record_push_rgba(L, row->after);
	lua_setfield(L, -2, "after");
	set_integer(L, "z_after", row->z_after);
}

int pixel_history(lua_State *L)
{
	struct qs_script *s = script_of(L);
	uint32_t now = qs_timeline_moment(s->timeline)->frame, count = 0;
	lua_Integer frame = luaL_optinteger(L, 2, now ? now : 1);
	struct qs_history_row *rows = NULL;
	struct qs_error error;
	struct holder *holder;
	int x, y;

	script_ground(L, "history");
	self_place(L, &x, &y);
	if (frame < 1 || frame > qs_capture_info(s->capture)->frame_count)
		return luaL_error(L, "there is no frame %I: the capture has %d", frame, (int)qs_capture_info(s->capture)->frame_count);
	holder = push_holder(L);
	if (!qs_timeline_history(s->timeline, (uint32_t)frame, x, y, &rows, &count, &error))
		return script_fail(L, &error);
	holder->block = rows;
	script_poll(L);
	lua_createtable(L, (int)count, 0);
	for (uint32_t i = 0; i < count; i++) {
		push_row(L, &rows[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

int pixel_explain(lua_State *L)
{
	struct qs_script *s = script_of(L);
	uint32_t frame = qs_timeline_moment(s->timeline)->frame, count = 0;
	struct qs_history_row *rows = NULL;
	struct qs_error error;
	char text[1024];
	int x, y;

	script_ground(L, "explain");
	self_place(L, &x, &y);
	if (!frame) {
		lua_pushliteral(L, "Nothing has been drawn at the start of the capture.");
		return 1;
	}
	if (!qs_timeline_history(s->timeline, frame, x, y, &rows, &count, &error))
		return script_fail(L, &error);
	explain_pixel(s, x, y, rows, count, text, sizeof text);
	free(rows);
	script_poll(L);
	lua_pushstring(L, text);
	return 1;
}

/* ---- pictures ----------------------------------------------------------------------------------------------------------- */

struct picture {
	struct qs_image image;
	size_t accounted;
};

static int picture_gc(lua_State *L)
{
	struct picture *p = lua_touserdata(L, 1);

	qs_image_finish(&p->image);
	script_of(L)->external -= p->accounted;
	p->accounted = 0;
	return 0;
}

/* An empty one on the stack, to be filled and then accounted for. */
static struct picture *push_picture(lua_State *L)
{
	struct picture *p = lua_newuserdatauv(L, sizeof *p, 0);

	memset(p, 0, sizeof *p);
	api_set_class(L, "image");
	return p;
}

static void account_picture(lua_State *L, struct picture *p)
{
	size_t bytes = (size_t)p->image.width * p->image.height * (p->image.depth ? 8 : 4);

	script_account(L, bytes);
	p->accounted = bytes;
}

/* The image goes to Lua. */
void pixel_push_image(lua_State *L, struct qs_image *image)
{
	struct picture *p = push_picture(L);

	p->image = *image;
	memset(image, 0, sizeof *image);
	account_picture(L, p);
}

static struct picture *check_picture(lua_State *L, int arg)
{
	return luaL_checkudata(L, arg, "qs.image");
}

int image_get_buffer(lua_State *L)
{
	const char *name = luaL_optstring(L, 1, "color");
	struct nearest nearest;
	enum qs_buffer buffer;
	struct qs_error error;
	struct picture *p;
	char hint[96];

	script_ground(L, "qs.image");
	if (strcmp(name, "efb") == 0)
		name = "color";
	if (!qs_buffer_parse(name, &buffer)) {
		nearest_begin(&nearest, name);
		for (unsigned i = 0; i < QS_BUFFER_COUNT; i++)
			nearest_offer(&nearest, qs_buffer_name((enum qs_buffer)i));
		return luaL_error(L, "there is no buffer '%s'%s", name, nearest_hint(&nearest, hint, sizeof hint));
	}
	p = push_picture(L);
	if (!qs_timeline_image(timeline_of(L), buffer, &p->image, &error))
		return script_fail(L, &error);
	account_picture(L, p);
	return 1;
}

/* Upvalue 1: methods */
static int image_index(lua_State *L)
{
	struct picture *p = check_picture(L, 1);
	const char *name = luaL_checkstring(L, 2);

	if (strcmp(name, "width") == 0)
		lua_pushinteger(L, p->image.width);
	else if (strcmp(name, "height") == 0)
		lua_pushinteger(L, p->image.height);
	else {
		lua_pushvalue(L, 2);
		if (lua_rawget(L, lua_upvalueindex(1)) == LUA_TNIL)
			return luaL_error(L, "a picture has width, height, get, rgba and row, no '%s'", name);
	}
	return 1;
}

static size_t check_pixel(lua_State *L, const struct picture *p)
{
	lua_Integer x = luaL_checkinteger(L, 2), y = luaL_checkinteger(L, 3);

	if (x < 0 || y < 0 || x >= p->image.width || y >= p->image.height)
		luaL_error(L, "there is no pixel %I,%I in a picture of %d x %d", x, y, (int)p->image.width, (int)p->image.height);
	return (size_t)y * p->image.width + (size_t)x;
}

int image_rgba(lua_State *L)
{
	struct picture *p = check_picture(L, 1);
	const uint8_t *rgba = p->image.rgba + 4 * check_pixel(L, p);

	for (int i = 0; i < 4; i++)
		lua_pushinteger(L, rgba[i]);
	return 4;
}

int image_get(lua_State *L)
{
	struct picture *p = check_picture(L, 1);

	if (!p->image.depth)
		return image_rgba(L);
	lua_pushinteger(L, p->image.depth[check_pixel(L, p)]);
	return 1;
}

int image_row(lua_State *L)
{
	struct picture *p = check_picture(L, 1);
	lua_Integer y = luaL_checkinteger(L, 2);
	size_t first = (size_t)y * p->image.width;
	luaL_Buffer b;

	if (y < 0 || y >= p->image.height)
		return luaL_error(L, "there is no row %I in a picture of %d rows", y, (int)p->image.height);
	if (!p->image.depth) {
		lua_pushlstring(L, (const char *)p->image.rgba + 4 * first, 4 * (size_t)p->image.width);
		return 1;
	}
	luaL_buffinit(L, &b);
	for (size_t i = first; i < first + p->image.width; i++)
		for (unsigned k = 0; k < 32; k += 8)
			luaL_addchar(&b, (char)(uint8_t)(p->image.depth[i] >> k));
	luaL_pushresult(&b);
	return 1;
}

int image_difference(lua_State *L)
{
	struct picture *a = check_picture(L, 1), *b = check_picture(L, 2), *d;
	lua_Integer tolerance = luaL_optinteger(L, 3, 0);
	struct qs_image_difference result;
	struct qs_error error;

	luaL_argcheck(L, tolerance >= 0 && tolerance <= 255, 3, "the tolerance is 0 to 255");
	d = push_picture(L);
	if (!qs_image_compare(&a->image, &b->image, (unsigned)tolerance, &result, &d->image, &error))
		return script_fail(L, &error);
	account_picture(L, d);
	lua_createtable(L, 0, 6);
	set_integer(L, "pixels", (lua_Integer)result.pixels);
	set_integer(L, "equal", (lua_Integer)result.equal);
	set_integer(L, "within", (lua_Integer)result.within);
	set_integer(L, "maximum", result.maximum);
	lua_pushnumber(L, result.mean);
	lua_setfield(L, -2, "mean");
	lua_pushvalue(L, -2);
	lua_setfield(L, -2, "image");
	return 1;
}

/* ---- textures ----------------------------------------------------------------------------------------------------------- */

static unsigned check_map(lua_State *L, int arg)
{
	lua_Integer map = luaL_checkinteger(L, arg);

	if (map < 0 || map > 7)
		luaL_error(L, "texture maps are 0 to 7, not %I", map);
	return (unsigned)map;
}

static void set_texture(lua_State *L, const struct qs_texture *t)
{
	static const char *const wraps[] = {"clamp", "repeat", "mirror", "reserved"};

	set_integer(L, "map", t->map);
	lua_pushboolean(L, t->used);
	lua_setfield(L, -2, "used");
	lua_pushboolean(L, t->preloaded);
	lua_setfield(L, -2, "preloaded");
	set_integer(L, "address", t->address);
	set_integer(L, "width", t->width);
	set_integer(L, "height", t->height);
	set_string(L, "format", qs_texture_format_name(t->format));
	set_integer(L, "format_code", t->format);
	set_integer(L, "levels", t->levels);
	if (t->tlut_entries) {
		set_integer(L, "tlut_address", t->tlut_address);
		set_integer(L, "tlut_format", t->tlut_format);
		set_integer(L, "tlut_entries", t->tlut_entries);
	}
	set_string(L, "wrap_s", wraps[t->wrap_s & 3]);
	set_string(L, "wrap_t", wraps[t->wrap_t & 3]);
	set_integer(L, "min_filter", t->min_filter);
	set_integer(L, "mag_filter", t->mag_filter);
	set_integer(L, "mip_filter", t->mip_filter);
	lua_pushnumber(L, (double)t->min_lod);
	lua_setfield(L, -2, "min_lod");
	lua_pushnumber(L, (double)t->max_lod);
	lua_setfield(L, -2, "max_lod");
	lua_pushnumber(L, (double)t->lod_bias);
	lua_setfield(L, -2, "lod_bias");
}

int texture_get_map(lua_State *L)
{
	unsigned map = check_map(L, 1);
	struct qs_texture texture;
	struct qs_error error;

	script_ground(L, "qs.texture");
	if (!qs_timeline_texture(timeline_of(L), map, &texture, &error))
		return script_fail(L, &error);
	lua_createtable(L, 0, 24);
	set_texture(L, &texture);
	record_push_moment(L, qs_timeline_moment(timeline_of(L)));
	lua_setfield(L, -2, "moment");
	api_set_class(L, "texture");
	return 1;
}

static const char *const tmem_states[] = {"empty", "loaded", "palette", "cached", "stale"};

static void push_tmem_line(lua_State *L, const struct qs_tmem_line *line)
{
	lua_createtable(L, 0, 5);
	set_string(L, "state", tmem_states[line->state]);
	if (line->state >= QS_TMEM_CACHED)
		set_integer(L, "address", line->address);
	if (line->map > 7)
		return;
	set_integer(L, "map", line->map);
	if (line->level != QS_TMEM_PALETTE_LEVEL)
		set_integer(L, "level", line->level);
	lua_pushboolean(L, line->level == QS_TMEM_PALETTE_LEVEL);
	lua_setfield(L, -2, "palette");
}

/* How many lines are in which state, and how many are each map's. */
static void push_tmem_counts(lua_State *L, const struct qs_tmem_line *lines)
{
	lua_Integer state[QS_TMEM_STALE + 1] = {0}, map[256] = {0};

	for (uint32_t i = 0; i < QS_TMEM_LINES; i++) {
		state[lines[i].state]++;
		map[lines[i].map]++;
	}
	lua_createtable(L, 0, 8);
	for (unsigned i = 0; i <= QS_TMEM_STALE; i++)
		set_integer(L, tmem_states[i], state[i]);
	lua_createtable(L, 8, 0);
	for (unsigned i = 0; i < 8; i++) {
		lua_pushinteger(L, map[i]);
		lua_rawseti(L, -2, i);
	}
	lua_setfield(L, -2, "map");
}

int texture_get_tmem(lua_State *L)
{
	lua_Integer index = luaL_optinteger(L, 1, -1);
	struct qs_tmem_line *lines;

	script_ground(L, "qs.tmem");
	if (!lua_isnoneornil(L, 1) && (index < 0 || index >= (lua_Integer)QS_TMEM_LINES))
		return luaL_error(L, "lines of texture memory are 0 to %d, not %I", (int)QS_TMEM_LINES - 1, index);
	lines = lua_newuserdatauv(L, QS_TMEM_LINES * sizeof *lines, 0); /* collected even when something below fails */
	qs_timeline_tmem(timeline_of(L), lines);
	if (index < 0)
		push_tmem_counts(L, lines);
	else
		push_tmem_line(L, &lines[index]);
	return 1;
}

/* The picture of a level, kept in the texture under the level's number; it must be decoded where the texture was taken. */
static struct picture *push_level(lua_State *L, lua_Integer level)
{
	struct qs_error error;
	struct picture *p;
	unsigned map;

	luaL_checktype(L, 1, LUA_TTABLE);
	if (level < 0 || level > 10)
		luaL_error(L, "texture levels are 0 to 10, not %I", level);
	if (lua_rawgeti(L, 1, level) == LUA_TUSERDATA)
		return check_picture(L, -1);
	lua_pop(L, 1);
	script_ground(L, "a texture");
	lua_getfield(L, 1, "moment");
	record_push_moment(L, qs_timeline_moment(timeline_of(L)));
	if (!lua_rawequal(L, -1, -2))
		luaL_error(L, "this texture was taken at %s, now it is %s: take it again with qs.texture", lua_tostring(L, -2),
			lua_tostring(L, -1));
	lua_getfield(L, 1, "map");
	map = check_map(L, lua_gettop(L));
	lua_pop(L, 3);
	p = push_picture(L);
	if (!qs_timeline_texture_image(timeline_of(L), map, (unsigned)level, &p->image, &error))
		script_fail(L, &error);
	account_picture(L, p);
	lua_pushvalue(L, -1);
	lua_rawseti(L, 1, level);
	return p;
}

int texture_image(lua_State *L)
{
	push_level(L, luaL_optinteger(L, 2, 0));
	return 1;
}

int texture_get(lua_State *L)
{
	lua_Integer x = luaL_checkinteger(L, 2), y = luaL_checkinteger(L, 3);
	const struct picture *p = push_level(L, luaL_optinteger(L, 4, 0));
	const uint8_t *rgba;

	if (x < 0 || y < 0 || x >= p->image.width || y >= p->image.height)
		return luaL_error(L, "there is no texel %I,%I in a level of %d x %d", x, y, (int)p->image.width, (int)p->image.height);
	rgba = p->image.rgba + 4 * ((size_t)y * p->image.width + (size_t)x);
	for (int i = 0; i < 4; i++)
		lua_pushinteger(L, rgba[i]);
	return 4;
}

/* ---- records of the moment ---------------------------------------------------------------------------------------------- */

int trace_get(lua_State *L)
{
	struct qs_setup *setup;
	struct qs_quad *quad;
	struct qs_error error;

	script_ground(L, "qs.trace");
	setup = lua_newuserdatauv(L, sizeof *setup, 0);
	quad = lua_newuserdatauv(L, sizeof *quad, 0);
	if (!qs_timeline_quad(timeline_of(L), setup, quad, &error))
		return script_fail(L, &error);
	record_push_quad(L, quad, true);
	record_push_setup(L, setup);
	lua_setfield(L, -2, "setup");
	record_push_moment(L, qs_timeline_moment(timeline_of(L)));
	lua_setfield(L, -2, "moment");
	return 1;
}

int setup_get(lua_State *L)
{
	struct qs_setup *setup;
	struct qs_error error;
	uint32_t count, room = 4;

	script_ground(L, "qs.setup");
	setup = lua_newuserdatauv(L, room * sizeof *setup, 0);
	count = qs_timeline_setup(timeline_of(L), setup, room, &error);
	if (count > room) {
		room = count;
		setup = lua_newuserdatauv(L, room * sizeof *setup, 0);
		count = qs_timeline_setup(timeline_of(L), setup, room, &error);
	}
	if (!count)
		return script_fail(L, &error);
	lua_createtable(L, (int)count, 0);
	for (uint32_t i = 0; i < count && i < room; i++) {
		record_push_setup(L, &setup[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

int vertices_get(lua_State *L)
{
	struct qs_vertex *vertices = NULL;
	struct holder *holder;
	struct qs_error error;
	uint32_t count = 0;

	script_ground(L, "qs.vertices");
	holder = push_holder(L);
	if (!qs_timeline_vertices(timeline_of(L), &vertices, &count, &error))
		return script_fail(L, &error);
	holder->block = vertices;
	lua_createtable(L, (int)count, 0);
	for (uint32_t i = 0; i < count; i++) {
		record_push_vertex(L, &vertices[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

int quads_get(lua_State *L)
{
	struct qs_quad_place *quads = NULL;
	struct holder *holder;
	struct qs_error error;
	uint32_t count = 0;

	script_ground(L, "qs.quads");
	holder = push_holder(L);
	if (!qs_timeline_quads(timeline_of(L), &quads, &count, &error))
		return script_fail(L, &error);
	holder->block = quads;
	lua_createtable(L, (int)count, 0);
	for (uint32_t i = 0; i < count; i++) {
		lua_createtable(L, 0, 4);
		set_integer(L, "x", quads[i].x);
		set_integer(L, "y", quads[i].y);
		set_integer(L, "coverage", quads[i].coverage);
		set_integer(L, "part", quads[i].part);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

void pixel_open(lua_State *L)
{
	luaL_newmetatable(L, "qs.holder");
	lua_pushcfunction(L, holder_gc);
	lua_setfield(L, -2, "__gc");
	lua_pop(L, 1);
	api_class(L, "image");
	lua_pushcfunction(L, picture_gc);
	lua_setfield(L, -2, "__gc");
	lua_getfield(L, -1, "methods");
	lua_pushcclosure(L, image_index, 1);
	lua_setfield(L, -2, "__index");
	lua_pop(L, 1);
}
