/* bind_plot.c - what a script shows: plots, overlays, tables, checks
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lua/builder.h"

#define POINT_LIMIT ((size_t)1 << 22)
#define SHAPE_LIMIT 100000
#define CELL_LIMIT ((size_t)1 << 20)

/* ---- checks and ends ---------------------------------------------------------------------------------------------------- */

int script_check_condition(lua_State *L)
{
	bool good = lua_toboolean(L, 1);
	const char *text = luaL_optstring(L, 2, "no text");

	luaL_checkany(L, 1);
	if (!good) {
		script_of(L)->checks_failed++;
		luaL_where(L, 1);
		lua_pushfstring(L, "%scheck failed: %s\n", lua_tostring(L, -1), text);
		script_print(script_of(L), lua_tostring(L, -1), true);
	}
	lua_pushboolean(L, good);
	return 1;
}

int script_exit(lua_State *L)
{
	lua_Integer status = luaL_optinteger(L, 1, 0);

	if (status < 0 || status > 2)
		return luaL_error(L, "the exit status is 0 (done), 1 (a difference or a failed check) or 2 (an error), not %I", status);
	script_of(L)->status = (int)status;
	script_die(L, DEATH_EXIT, "exit");
	return 0;
}

/* ---- numbers ------------------------------------------------------------------------------------------------------------ */

static double *new_numbers(lua_State *L, size_t count)
{
	if (count > POINT_LIMIT)
		luaL_error(L, "a plot of %d points is too large", (int)count);
	return lua_newuserdatauv(L, (count ? count : 1) * sizeof(double), 0);
}

static double number_at(lua_State *L, int index, const char *what)
{
	if (lua_type(L, index) != LUA_TNUMBER)
		luaL_error(L, "%s must be a number, not a %s", what, luaL_typename(L, index));
	return lua_tonumber(L, index);
}

/* A number from a pair {x, y} or {x=, y=} on top. */
static double pair_part(lua_State *L, int number, const char *name)
{
	double value;

	if (lua_rawgeti(L, -1, number) == LUA_TNIL) {
		lua_pop(L, 1);
		lua_pushstring(L, name);
		lua_rawget(L, -2);
	}
	value = number_at(L, -1, "a coordinate");
	lua_pop(L, 1);
	return value;
}

/* Values of a table in the order of its keys: x gets the key unless the value is a pair. Two userdata are pushed. */
static size_t series(lua_State *L, int index, double **x, double **y)
{
	struct sorted_key *keys;
	size_t count;

	luaL_checktype(L, index, LUA_TTABLE);
	keys = builder_keys(L, index, &count);
	*x = new_numbers(L, count);
	*y = new_numbers(L, count);
	for (size_t i = 0; i < count; i++) {
		builder_push_key(L, &keys[i]);
		lua_rawget(L, index);
		if (lua_istable(L, -1)) {
			(*x)[i] = pair_part(L, 1, "x");
			(*y)[i] = pair_part(L, 2, "y");
		} else {
			(*x)[i] = keys[i].is_number ? keys[i].number : (double)i;
			(*y)[i] = number_at(L, -1, "a value of a plot");
		}
		lua_pop(L, 1);
	}
	return count;
}

/* ---- plots -------------------------------------------------------------------------------------------------------------- */

/* {x="draw", y="fragments"}: a table without numbered fields */
static bool is_options(lua_State *L, int index)
{
	bool good;

	if (!lua_istable(L, index))
		return false;
	lua_getfield(L, index, "x");
	lua_getfield(L, index, "y");
	good = lua_type(L, -1) == LUA_TSTRING || lua_type(L, -2) == LUA_TSTRING;
	lua_pop(L, 2);
	return good;
}

static void labels(lua_State *L, int index, struct qs_plot *plot)
{
	if (!is_options(L, index))
		return;
	lua_getfield(L, index, "x");
	plot->x_label = lua_tostring(L, -1);
	lua_getfield(L, index, "y");
	plot->y_label = lua_tostring(L, -1); /* both stay on the stack */
}

static int show(lua_State *L, const struct qs_plot *plot)
{
	struct qs_script *s = script_of(L);

	if (s->host.plot)
		s->host.plot(s->host.user, plot);
	return 0;
}

/* title, ys [, options]; title, xs, ys [, options] */
static int points(lua_State *L, enum qs_plot_kind kind)
{
	struct qs_plot plot = {.kind = kind, .title = luaL_checkstring(L, 1)};
	double *x, *y, *x_keys, *x_values;
	bool two = lua_istable(L, 3) && !is_options(L, 3);

	lua_settop(L, 4);
	plot.count = series(L, 2, &x, &y);
	if (two) {
		x_values = y;
		if (series(L, 3, &x_keys, &y) != plot.count)
			return luaL_error(L, "the plot has %d values for x and another number for y", (int)plot.count);
		x = x_values;
	}
	labels(L, two ? 4 : 3, &plot);
	plot.x = x;
	plot.y = y;
	return show(L, &plot);
}

int plot_line(lua_State *L)
{
	return points(L, QS_PLOT_LINE);
}

int plot_scatter(lua_State *L)
{
	return points(L, QS_PLOT_SCATTER);
}

/* title, values [, bins] [, options] */
int plot_hist(lua_State *L)
{
	struct qs_plot plot = {.kind = QS_PLOT_HISTOGRAM, .title = luaL_checkstring(L, 1)};
	int options = 3;
	double *x, *y;

	lua_settop(L, 4);
	if (lua_type(L, 3) == LUA_TNUMBER || lua_isnil(L, 3)) {
		lua_Integer bins = luaL_optinteger(L, 3, 0);

		luaL_argcheck(L, bins >= 0 && bins <= 1000, 3, "a histogram has up to 1000 bins");
		plot.width = (unsigned)bins;
		options = 4;
	}
	plot.count = series(L, 2, &x, &y);
	labels(L, options, &plot);
	plot.y = y;
	return show(L, &plot);
}

static void heat_of_table(lua_State *L, int index, double *y, size_t count)
{
	luaL_checktype(L, index, LUA_TTABLE);
	for (size_t i = 0; i < count; i++)
		y[i] = 0;
	for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
		if (!lua_isinteger(L, -2) || lua_tointeger(L, -2) < 0 || lua_tointeger(L, -2) >= (lua_Integer)count)
			luaL_error(L, "the keys of a heat map are 0 to %d (y * width + x), not %s", (int)count - 1, luaL_tolstring(L, -2, NULL));
		y[lua_tointeger(L, -2)] = number_at(L, -1, "a value of a heat map");
	}
}

/* title, image [, options]; title, width, height, values [, options] */
int plot_heat(lua_State *L)
{
	struct qs_plot plot = {.kind = QS_PLOT_HEAT, .title = luaL_checkstring(L, 1)};
	const struct qs_image *image = luaL_testudata(L, 2, "qs.image");
	lua_Integer width, height;
	double *y;

	if (image) {
		plot.width = image->width;
		plot.height = image->height;
	} else {
		width = luaL_checkinteger(L, 2);
		height = luaL_checkinteger(L, 3);
		luaL_argcheck(L, width > 0 && width <= 4096, 2, "the width is 1 to 4096");
		luaL_argcheck(L, height > 0 && height <= 4096, 3, "the height is 1 to 4096");
		plot.width = (unsigned)width;
		plot.height = (unsigned)height;
	}
	lua_settop(L, 5);
	plot.count = (size_t)plot.width * plot.height;
	y = new_numbers(L, plot.count);
	if (!image)
		heat_of_table(L, 4, y, plot.count);
	for (size_t i = 0; image && i < plot.count; i++)
		y[i] = image->depth ? image->depth[i] : (image->rgba[4 * i] * 299 + image->rgba[4 * i + 1] * 587 + image->rgba[4 * i + 2] * 114) / 1000.0;
	labels(L, image ? 3 : 5, &plot);
	plot.y = y;
	return show(L, &plot);
}

/* ---- overlays ----------------------------------------------------------------------------------------------------------- */

void plot_clear(struct qs_script *s)
{
	for (size_t i = 0; i < s->shape_count; i++)
		free(s->shape[i].text);
	s->overlay_changed |= s->shape_count > 0;
	s->shape_count = 0;
}

void plot_flush(struct qs_script *s)
{
	struct qs_overlay *all;

	if (!s->overlay_changed || !s->host.overlay)
		return;
	all = malloc((s->shape_count + 1) * sizeof *all);
	for (size_t i = 0; all && i < s->shape_count; i++) {
		all[i] = s->shape[i].overlay;
		all[i].text = s->shape[i].text;
	}
	if (all)
		s->host.overlay(s->host.user, all, s->shape_count);
	s->overlay_changed = false;
	free(all);
}

static uint32_t check_colour(lua_State *L, int arg)
{
	static const struct {
		const char *name;
		uint32_t colour;
	} names[] = {{"red", 0xFF3030FF}, {"green", 0x30D040FF}, {"blue", 0x4080FFFF}, {"yellow", 0xFFE030FF}, {"cyan", 0x30E0E0FF},
		{"magenta", 0xFF40FFFF}, {"white", 0xFFFFFFFF}, {"black", 0x000000FF}, {"orange", 0xFF9020FF}};
	const char *text;
	unsigned long value;
	char *end;

	if (lua_isnoneornil(L, arg))
		return 0xFF3030FF;
	if (lua_type(L, arg) == LUA_TNUMBER) {
		lua_Integer n = luaL_checkinteger(L, arg);

		luaL_argcheck(L, n >= 0 && n <= UINT32_MAX, arg, "a colour is 0xRRGGBBAA");
		return (uint32_t)n;
	}
	text = luaL_checkstring(L, arg);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(text, names[i].name) == 0)
			return names[i].colour;
	value = *text == '#' ? strtoul(text + 1, &end, 16) : 0;
	if (*text != '#' || *end || (strlen(text) != 7 && strlen(text) != 9))
		luaL_error(L, "'%s' is no colour; write \"#rrggbb\", \"#rrggbbaa\", 0xRRGGBBAA, or red green blue yellow cyan magenta white "
			"black orange", text);
	return (uint32_t)(strlen(text) == 7 ? value << 8 | 0xFF : value);
}

static double check_coordinate(lua_State *L, int arg)
{
	double v = luaL_checknumber(L, arg);

	luaL_argcheck(L, isfinite(v) && fabs(v) < 1e6, arg, "a coordinate in pixels is wanted");
	return v;
}

static int add_shape(lua_State *L, const struct qs_overlay *overlay, const char *text)
{
	struct qs_script *s = script_of(L);
	struct shape *grown;
	char *copy = NULL;

	if (s->shape_count >= SHAPE_LIMIT)
		return luaL_error(L, "there are %d overlays already; qs.overlay:clear() removes them", SHAPE_LIMIT);
	if (s->shape_count == s->shape_room) {
		size_t room = s->shape_room ? 2 * s->shape_room : 64;

		grown = realloc(s->shape, room * sizeof *grown);
		if (!grown)
			return luaL_error(L, "there is no memory for an overlay");
		s->shape = grown;
		s->shape_room = room;
	}
	if (text && !(copy = strndup(text, 256)))
		return luaL_error(L, "there is no memory for an overlay");
	s->shape[s->shape_count++] = (struct shape){*overlay, copy};
	s->overlay_changed = true;
	return 0;
}

static int two_points(lua_State *L, enum qs_overlay_kind kind)
{
	struct qs_overlay o = {.kind = kind, .x0 = check_coordinate(L, 2), .y0 = check_coordinate(L, 3), .x1 = check_coordinate(L, 4),
		.y1 = check_coordinate(L, 5), .colour = check_colour(L, 6)};

	return add_shape(L, &o, luaL_optstring(L, 7, NULL));
}

int overlay_rect(lua_State *L)
{
	return two_points(L, QS_OVERLAY_RECT);
}

int overlay_line(lua_State *L)
{
	return two_points(L, QS_OVERLAY_LINE);
}

int overlay_text(lua_State *L)
{
	struct qs_overlay o = {.kind = QS_OVERLAY_TEXT, .x0 = check_coordinate(L, 2), .y0 = check_coordinate(L, 3), .colour = check_colour(L, 5)};

	o.x1 = o.x0;
	o.y1 = o.y0;
	return add_shape(L, &o, luaL_checkstring(L, 4));
}

int overlay_point(lua_State *L)
{
	struct qs_overlay o = {.kind = QS_OVERLAY_POINT, .x0 = check_coordinate(L, 2), .y0 = check_coordinate(L, 3), .colour = check_colour(L, 4)};

	o.x1 = o.x0;
	o.y1 = o.y0;
	return add_shape(L, &o, luaL_optstring(L, 5, NULL));
}

int overlay_clear(lua_State *L)
{
	plot_clear(script_of(L));
	return 0;
}

/* ---- tables ------------------------------------------------------------------------------------------------------------- */

/* Names of the columns as a list on the stack: those given, or all keys of the rows. */
static size_t column_names(lua_State *L, int rows, int given, size_t row_count)
{
	int seen, list;
	lua_Integer n = 0;

	if (lua_istable(L, given)) {
		lua_pushvalue(L, given);
		return lua_rawlen(L, given);
	}
	lua_newtable(L);
	seen = lua_gettop(L);
	for (size_t i = 1; i <= row_count; i++) {
		lua_rawgeti(L, rows, (lua_Integer)i);
		luaL_argexpected(L, lua_istable(L, -1), 1, "list of tables");
		for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
			lua_pushvalue(L, -2);
			lua_pushboolean(L, 1);
			lua_rawset(L, seen);
		}
		lua_pop(L, 1);
	}
	lua_newtable(L);
	list = lua_gettop(L);
	{
		size_t count;
		struct sorted_key *keys = builder_keys(L, seen, &count);

		for (size_t i = 0; i < count; i++) {
			builder_push_key(L, &keys[i]);
			lua_rawseti(L, list, ++n);
		}
		lua_settop(L, list);
	}
	return (size_t)n;
}

/* The cell of a row on top under the column: by its name, or by its number in rows that are lists. Pushes the text. */
static void push_cell(lua_State *L, int columns, lua_Integer column)
{
	int row = lua_gettop(L);

	lua_rawgeti(L, columns, column);
	lua_rawget(L, row);
	if (lua_isnil(L, -1)) {
		lua_pop(L, 1);
		lua_rawgeti(L, row, column);
	}
	if (lua_isnil(L, -1)) {
		lua_pop(L, 1);
		lua_pushliteral(L, "");
		return;
	}
	plot_describe(L, -1);
	lua_remove(L, -2);
}

/* rows [, columns [, title]] */
int table_show(lua_State *L)
{
	struct qs_script *s = script_of(L);
	struct qs_table_data data = {.title = luaL_optstring(L, 3, NULL)};
	const char **cells;
	int columns, anchor;
	lua_Integer anchored = 0;

	luaL_checktype(L, 1, LUA_TTABLE);
	if (!lua_isnoneornil(L, 2))
		luaL_checktype(L, 2, LUA_TTABLE);
	lua_settop(L, 3);
	data.rows = lua_rawlen(L, 1);
	data.columns = column_names(L, 1, 2, data.rows);
	columns = lua_gettop(L);
	if (data.columns > 256 || data.columns * (data.rows + 1) > CELL_LIMIT)
		return luaL_error(L, "a table of %d rows and %d columns is too large", (int)data.rows, (int)data.columns);
	cells = lua_newuserdatauv(L, (data.columns * (data.rows + 1) + 1) * sizeof *cells, 0);
	lua_newtable(L); /* keeps the texts alive */
	anchor = lua_gettop(L);
	for (size_t c = 0; c < data.columns; c++) {
		lua_rawgeti(L, columns, (lua_Integer)c + 1);
		cells[c] = luaL_tolstring(L, -1, NULL);
		lua_rawseti(L, anchor, ++anchored);
		lua_pop(L, 1);
	}
	for (size_t r = 0; r < data.rows; r++) {
		lua_rawgeti(L, 1, (lua_Integer)r + 1);
		luaL_argexpected(L, lua_istable(L, -1), 1, "list of tables");
		for (size_t c = 0; c < data.columns; c++) {
			push_cell(L, columns, (lua_Integer)c + 1);
			cells[data.columns * (r + 1) + c] = lua_tostring(L, -1);
			lua_rawseti(L, anchor, ++anchored);
		}
		lua_pop(L, 1);
	}
	data.column = cells;
	data.cell = cells + data.columns;
	if (s->host.table)
		s->host.table(s->host.user, &data);
	return 0;
}
