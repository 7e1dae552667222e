/* bind_compare.c - qs.compare: why two renderers draw a frame differently
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include <gfx3d.h>

#include "lua/script.h"

#define COST ((size_t)16 << 20) /* of two timelines, roughly */

/* Everything that must be freed, also when an error is raised. */
struct work {
	struct qs_timeline *timeline[2];
	struct qs_gfx3d_host *host[2];
	struct qs_comparison result;
	bool accounted;
};

static int work_gc(lua_State *L)
{
	struct work *w = lua_touserdata(L, 1);

	qs_timeline_destroy(w->timeline[0]);
	qs_timeline_destroy(w->timeline[1]);
	qs_gfx3d_host_destroy(w->host[0]);
	qs_gfx3d_host_destroy(w->host[1]);
	qs_comparison_finish(&w->result);
	if (w->accounted)
		script_of(L)->external -= COST;
	memset(w, 0, sizeof *w);
	return 0;
}

static struct work *push_work(lua_State *L)
{
	struct work *w = lua_newuserdatauv(L, sizeof *w, 0);

	memset(w, 0, sizeof *w);
	lua_createtable(L, 0, 1);
	lua_pushcfunction(L, work_gc);
	lua_setfield(L, -2, "__gc");
	lua_setmetatable(L, -2);
	return w;
}

/* ---- what is asked ------------------------------------------------------------------------------------------------------ */

static enum qs_model check_model(lua_State *L, const char *option, enum qs_model standard)
{
	const char *name;
	struct nearest nearest;
	enum qs_model model = standard;
	char hint[96];

	if (lua_getfield(L, 1, option) != LUA_TNIL) {
		name = luaL_checkstring(L, -1);
		if (!qs_model_parse(name, &model)) {
			nearest_begin(&nearest, name);
			for (unsigned i = 0; i < QS_MODEL_COUNT; i++)
				nearest_offer(&nearest, qs_model_name((enum qs_model)i));
			luaL_error(L, "there is no model '%s'%s", name, nearest_hint(&nearest, hint, sizeof hint));
		}
	}
	lua_pop(L, 1);
	return model;
}

/* Of a Gfx3D capture: "cpu" (the model of the capture), a model, or "virgl" (a VirGL host; false). */
static bool gfx3d_model(lua_State *L, const char *option, const char *standard, struct qs_timeline *t)
{
	const char *name = lua_getfield(L, 1, option) != LUA_TNIL ? luaL_checkstring(L, -1) : standard;
	enum qs_gfx3d_model model;
	struct qs_error error;
	bool host = !strcmp(name, "virgl");

	if (!strcmp(name, "virgl-model"))
		name = "virgl";
	if (!host && strcmp(name, "cpu")) {
		if (!qs_gfx3d_model_parse(name, &model))
			luaL_error(L, "there is no renderer '%s': cpu, virgl, chrisos, virgl-model, corrected", name);
		if (!qs_timeline_set_gfx3d_model(t, model, &error))
			script_fail(L, &error);
	}
	lua_pop(L, 1);
	return !host;
}

/* {name = value, ...} */
static void set_quirks(lua_State *L, const char *option, struct qs_timeline *t)
{
	struct qs_error error;

	if (lua_getfield(L, 1, option) != LUA_TNIL) {
		luaL_checktype(L, -1, LUA_TTABLE);
		lua_pushnil(L);
		while (lua_next(L, -2)) {
			if (lua_type(L, -2) != LUA_TSTRING)
				luaL_error(L, "%s takes a table of quirks by name", option);
			if (!qs_timeline_set_quirk(t, lua_tostring(L, -2), (int)luaL_checkinteger(L, -1), &error))
				script_fail(L, &error);
			lua_pop(L, 1);
		}
	}
	lua_pop(L, 1);
}

static lua_Integer number_option(lua_State *L, const char *option, lua_Integer standard, lua_Integer low, lua_Integer high)
{
	lua_Integer value = standard;

	if (lua_getfield(L, 1, option) != LUA_TNIL)
		value = luaL_checkinteger(L, -1);
	lua_pop(L, 1);
	if (value < low || value > high)
		luaL_error(L, "%s is %I to %I, not %I", option, low, high, value);
	return value;
}

static enum qs_buffer buffer_option(lua_State *L)
{
	enum qs_buffer buffer = QS_BUFFER_COUNT;

	if (lua_getfield(L, 1, "buffer") != LUA_TNIL &&
		(!qs_buffer_parse(luaL_checkstring(L, -1), &buffer) || buffer == QS_BUFFER_COVERAGE))
		luaL_error(L, "pictures that can be compared are color, alpha, depth, copy and xfb, not '%s'", lua_tostring(L, -1));
	lua_pop(L, 1);
	return buffer;
}

static bool switch_option(lua_State *L, const char *option, bool standard)
{
	bool on = lua_getfield(L, 1, option) == LUA_TNIL ? standard : lua_toboolean(L, -1);

	lua_pop(L, 1);
	return on;
}

/* ---- what is told ------------------------------------------------------------------------------------------------------- */

static void push_divergence(lua_State *L, const struct qs_divergence *d)
{
	if (!d->found) {
		lua_pushnil(L);
		return;
	}
	lua_createtable(L, 0, 9);
	record_push_moment(L, &d->moment);
	lua_setfield(L, -2, "moment");
	set_integer(L, "x", d->x);
	set_integer(L, "y", d->y);
	set_string(L, "unit", qs_stage_unit_name((enum qs_stage_unit)d->unit));
	set_string(L, "class", qs_class_name((enum qs_class)d->kind));
	set_string(L, "text", d->text);
	if (d->stage != QS_NONE)
		set_integer(L, "stage", d->stage);
	if (d->only_a || d->only_b)
		set_string(L, "only_in", d->only_a ? "a" : "b");
	lua_createtable(L, (int)d->operand_count, 0);
	for (uint32_t i = 0; i < d->operand_count; i++) {
		lua_createtable(L, 0, 4);
		set_string(L, "name", d->operand[i].name);
		set_string(L, "a", d->operand[i].a);
		set_string(L, "b", d->operand[i].b);
		set_boolean(L, "differs", d->operand[i].differs);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	lua_setfield(L, -2, "operands");
}

static void push_causes(lua_State *L, const struct qs_comparison *r)
{
	lua_createtable(L, (int)r->cause_count, 0);
	for (uint32_t i = 0; i < r->cause_count; i++) {
		const struct qs_cause *c = &r->cause[i];

		lua_createtable(L, 0, 7);
		set_string(L, "quirk", c->name);
		set_integer(L, "a", c->a);
		set_integer(L, "b", c->b);
		set_string(L, "class", qs_class_name((enum qs_class)c->kind));
		set_integer(L, "pixels", (lua_Integer)c->pixels);
		record_push_rect(L, &c->box);
		lua_setfield(L, -2, "box");
		push_divergence(L, &c->first);
		lua_setfield(L, -2, "first");
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
}

static void push_image(lua_State *L, const char *field, struct qs_image *image)
{
	pixel_push_image(L, image);
	lua_setfield(L, -2, field);
}

static void push_result(lua_State *L, struct qs_comparison *r, bool draws)
{
	lua_createtable(L, 0, 21);
	set_boolean(L, "equal", r->equal);
	set_string(L, "buffer", qs_buffer_name(r->buffer));
	set_integer(L, "pixels", (lua_Integer)r->colour.pixels);
	set_integer(L, "equal_pixels", (lua_Integer)r->colour.equal);
	set_integer(L, "maximum", r->colour.maximum);
	set_number(L, "mean", r->colour.mean);
	set_integer(L, "efb_colour", (lua_Integer)r->efb_colour);
	set_integer(L, "efb_alpha", (lua_Integer)r->efb_alpha);
	set_integer(L, "efb_depth", (lua_Integer)r->efb_depth);
	set_integer(L, "coverage", (lua_Integer)r->coverage);
	set_integer(L, "edge", (lua_Integer)r->edge);
	set_integer(L, "levels", r->tolerance);
	set_integer(L, "beyond", (lua_Integer)r->beyond);
	set_boolean(L, "explained", r->explained);
	set_boolean(L, "exact", r->exact);
	push_causes(L, r);
	lua_setfield(L, -2, "causes");
	push_divergence(L, &r->first);
	lua_setfield(L, -2, "first");
	if (draws) {
		lua_createtable(L, (int)r->draw_count, 0);
		for (uint32_t i = 0; i < r->draw_count; i++) {
			push_divergence(L, &r->draw[i]);
			lua_rawseti(L, -2, (lua_Integer)i + 1);
		}
		lua_setfield(L, -2, "draws");
	}
	push_image(L, "picture_a", &r->a);
	push_image(L, "picture_b", &r->b);
	push_image(L, "difference", &r->difference);
}

static bool report(double fraction, void *user)
{
	struct qs_script *s = user;

	s->fraction = fraction;
	return script_progress(s);
}

/* {a=, b=, frame=, buffer=, tolerance=, causes=, draws=, quirks_a=, quirks_b=} -> table */
int compare_models(lua_State *L)
{
	struct qs_script *s = script_of(L);
	struct qs_compare_options options = {.divergence = true, .progress = report, .user = s};
	struct qs_source source[2];
	struct qs_error error;
	struct work *w;

	script_still(L, "qs.compare");
	luaL_checktype(L, 1, LUA_TTABLE);
	lua_settop(L, 1);
	options.frame = (uint32_t)number_option(L, "frame", 1, 1, qs_capture_info(s->capture)->frame_count);
	options.tolerance = (unsigned)number_option(L, "tolerance", 0, 0, 255);
	options.buffer = buffer_option(L);
	options.causes = switch_option(L, "causes", true);
	options.draws = switch_option(L, "draws", false);
	w = push_work(L);
	script_account(L, COST);
	w->accounted = true;
	for (unsigned i = 0; i < 2; i++) {
		w->timeline[i] = qs_timeline_create(s->capture, &error);
		if (!w->timeline[i])
			return script_fail(L, &error);
		if (qs_capture_info(s->capture)->machine != QS_MACHINE_GFX3D) {
			qs_timeline_set_model(w->timeline[i], check_model(L, i ? "b" : "a", i ? QS_MODEL_DOLPHIN : QS_MODEL_HARDWARE));
		} else if (!gfx3d_model(L, i ? "b" : "a", i ? "virgl" : "cpu", w->timeline[i])) {
			w->host[i] = qs_gfx3d_host_create(s->capture, NULL, &error);
			if (!w->host[i])
				return script_fail(L, &error);
			qs_source_gfx3d_host(&source[i], w->host[i], i ? "b" : "a");
			continue;
		}
		set_quirks(L, i ? "quirks_b" : "quirks_a", w->timeline[i]);
		qs_source_timeline(&source[i], w->timeline[i], i ? "b" : "a");
	}
	s->clock_valid = false; /* as with replays, the engine's time is not the script's */
	if (!qs_compare(&source[0], &source[1], &options, &w->result, &error))
		return script_fail(L, &error);
	s->clock_valid = false;
	script_poll(L);
	push_result(L, &w->result, options.draws);
	return 1;
}
