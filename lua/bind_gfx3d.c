/* bind_gfx3d.c - what a quad and a primitive of Gfx3D calls did, down to the instructions of both shaders
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <gfx3d.h>

#include "lua/script.h"

static void push_lanes(lua_State *L, const float v[4])
{
	static const char *const lane[4] = {"x", "y", "z", "w"};

	lua_createtable(L, 0, 4);
	for (unsigned k = 0; k < 4; k++)
		set_number(L, lane[k], (double)v[k]);
}

static void set_lanes(lua_State *L, const char *field, const float v[4])
{
	push_lanes(L, v);
	lua_setfield(L, -2, field);
}

/* A table of `count` vectors from 0 on. */
static void set_vectors(lua_State *L, const char *field, const float (*v)[4], unsigned count)
{
	lua_createtable(L, (int)count, 1);
	for (unsigned i = 0; i < count; i++) {
		push_lanes(L, v[i]);
		lua_rawseti(L, -2, (lua_Integer)i);
	}
	lua_setfield(L, -2, field);
}

static void push_fragment(lua_State *L, const struct qs_gfx3d_fragment *f)
{
	lua_createtable(L, 0, 16);
	set_string(L, "verdict", qs_gfx3d_verdict_name((enum qs_gfx3d_verdict)f->verdict));
	set_integer(L, "samples", f->samples);
	set_integer(L, "x", f->x);
	set_integer(L, "y", f->y);
	lua_createtable(L, 2, 1);
	for (unsigned i = 0; i < 3; i++) {
		lua_pushnumber(L, (double)f->weight[i]);
		lua_rawseti(L, -2, (lua_Integer)i);
	}
	lua_setfield(L, -2, "weight");
	set_number(L, "inv_w", (double)f->inv_w);
	set_number(L, "z", (double)f->z);
	set_number(L, "z_old", (double)f->z_old);
	set_number(L, "z_new", (double)f->z_new);
	set_vectors(L, "varying", f->varying, 8);
	set_lanes(L, "fragcoord", f->fcoord);
	set_lanes(L, "colour", f->color);
	set_integer(L, "old_pixel", f->old_pixel);
	set_integer(L, "new_pixel", f->new_pixel);
	set_boolean(L, "out_of_range", f->out_of_range);
}

/* parts: fragments or corners, from 0 on. */
static void push_step(lua_State *L, const struct qs_gfx3d_step *s, unsigned stage, unsigned parts)
{
	char text[160];
	uint32_t line;

	lua_createtable(L, 0, 8);
	set_integer(L, "instruction", s->instruction);
	set_string(L, "text", qs_timeline_gfx3d_instruction(timeline_of(L), stage, s->instruction, &line, text, sizeof text));
	set_integer(L, "line", line);
	lua_createtable(L, (int)parts, 1);
	for (unsigned i = 0; i < parts; i++) {
		lua_pushboolean(L, s->ran >> i & 1);
		lua_rawseti(L, -2, (lua_Integer)i);
	}
	lua_setfield(L, -2, "ran");
	if (s->dst >= 0) {
		set_integer(L, "register", s->dst);
		set_integer(L, "registers", s->dst_count);
		set_vectors(L, "value", s->value, parts);
	}
	if (s->has_a)
		set_vectors(L, "a", s->a, parts);
	if (s->has_b)
		set_vectors(L, "b", s->b, parts);
}

static void set_steps(lua_State *L, const struct qs_gfx3d_step *step, uint32_t count, unsigned stage, unsigned parts)
{
	lua_createtable(L, (int)count, 0);
	for (uint32_t i = 0; i < count; i++) {
		push_step(L, &step[i], stage, parts);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	lua_setfield(L, -2, "step");
}

int gfx3d_quad(lua_State *L)
{
	struct qs_gfx3d_quad *quad;
	struct qs_error error;

	script_ground(L, "qs.gfx3d_quad");
	quad = lua_newuserdatauv(L, sizeof *quad, 0);
	if (!qs_timeline_gfx3d_quad(timeline_of(L), quad, &error))
		return script_fail(L, &error);
	lua_createtable(L, 0, 7);
	set_integer(L, "x", quad->x);
	set_integer(L, "y", quad->y);
	set_integer(L, "coverage", quad->coverage);
	set_integer(L, "part", quad->part);
	lua_createtable(L, 3, 1);
	for (unsigned i = 0; i < 4; i++) {
		push_fragment(L, &quad->fragment[i]);
		lua_rawseti(L, -2, (lua_Integer)i);
	}
	lua_setfield(L, -2, "fragment");
	set_steps(L, quad->step, quad->step_count, 1, 4);
	record_push_moment(L, qs_timeline_moment(timeline_of(L)));
	lua_setfield(L, -2, "moment");
	return 1;
}

#define STEPS 384

int gfx3d_vertex_steps(lua_State *L)
{
	struct qs_gfx3d_step *step;
	struct qs_error error;
	uint32_t vertex[3], count;

	script_ground(L, "qs.gfx3d_vertex_steps");
	step = lua_newuserdatauv(L, STEPS * sizeof *step, 0);
	if (!qs_timeline_gfx3d_vertex_steps(timeline_of(L), vertex, step, &count, &error))
		return script_fail(L, &error);
	lua_createtable(L, 0, 3);
	lua_createtable(L, 2, 1);
	for (unsigned i = 0; i < 3; i++) {
		lua_pushinteger(L, vertex[i]);
		lua_rawseti(L, -2, (lua_Integer)i);
	}
	lua_setfield(L, -2, "vertex");
	set_steps(L, step, count, 0, 3);
	record_push_moment(L, qs_timeline_moment(timeline_of(L)));
	lua_setfield(L, -2, "moment");
	return 1;
}
