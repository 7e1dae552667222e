/* record.c - records of the engine as Lua values
 *
 * One table of fields describes each record; it serves the objects that hooks get (read field by field, nothing is made) and
 * the tables of qs.trace and others (read whole).  Arrays of hardware things keep the hardware's numbers: stage[0].
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stddef.h>
#include <string.h>

#include "lua/record.h"

#define M(type, member, as) {#member, as, offsetof(struct type, member), 0, NULL}
#define N(name, type, member, as) {name, as, offsetof(struct type, member), 0, NULL}
#define A(type, member, as, count) {#member, as, offsetof(struct type, member), count, NULL}
#define END {NULL, T_BOOL, 0, 0, NULL}

/* ---- the records -------------------------------------------------------------------------------------------------------- */

static const struct record_field texel_fields[] = {
	M(qs_texel, s, T_I32), M(qs_texel, t, T_I32), M(qs_texel, level, T_U8), M(qs_texel, rgba, T_RGBA8),
	M(qs_texel, weight, T_U16), M(qs_texel, address, T_U32), M(qs_texel, line, T_U16),
	M(qs_texel, cache, T_U8), M(qs_texel, stale, T_BOOL), END};

static const struct record_field sample_fields[] = {
	M(qs_sample, done, T_BOOL), M(qs_sample, map, T_U8), M(qs_sample, coord, T_U8), M(qs_sample, s, T_I32), M(qs_sample, t, T_I32),
	M(qs_sample, lod, T_I32), M(qs_sample, lod_fraction, T_U8), M(qs_sample, linear, T_BOOL), M(qs_sample, from_tmem, T_BOOL),
	M(qs_sample, positions, T_U8), M(qs_sample, texel_count, T_U8), A(qs_sample, texel, T_TEXEL, QS_TEXELS), M(qs_sample, rgba, T_RGBA8), END};

const struct record_field record_stage[] = {
	M(qs_stage, tex, T_RGBA16), M(qs_stage, ras, T_RGBA16), M(qs_stage, konst, T_RGBA16), M(qs_stage, a, T_RGBA16),
	M(qs_stage, b, T_RGBA16), M(qs_stage, c, T_RGBA16), M(qs_stage, d, T_RGBA16), M(qs_stage, wide, T_RGBA32),
	M(qs_stage, result, T_RGBA16), N("wide_r", qs_stage, wide[0], T_I32), N("wide_g", qs_stage, wide[1], T_I32),
	N("wide_b", qs_stage, wide[2], T_I32), N("wide_a", qs_stage, wide[3], T_I32), N("result_r", qs_stage, result[0], T_I16),
	N("result_g", qs_stage, result[1], T_I16), N("result_b", qs_stage, result[2], T_I16), N("result_a", qs_stage, result[3], T_I16),
	N("prev", qs_stage, reg[0], T_RGBA16), N("c0", qs_stage, reg[1], T_RGBA16), N("c1", qs_stage, reg[2], T_RGBA16),
	N("c2", qs_stage, reg[3], T_RGBA16), M(qs_stage, indirect_s, T_I32), M(qs_stage, indirect_t, T_I32),
	M(qs_stage, coord_s, T_I32), M(qs_stage, coord_t, T_I32), M(qs_stage, bump_alpha, T_U8), M(qs_stage, sample, T_SAMPLE), END};

const struct record_field record_fragment[] = {
	M(qs_fragment, x, T_I16), M(qs_fragment, y, T_I16), M(qs_fragment, verdict, T_VERDICT), M(qs_fragment, samples, T_U8),
	N("alpha", qs_fragment, tev[3], T_U8), N("r", qs_fragment, source[0], T_U8), N("g", qs_fragment, source[1], T_U8),
	N("b", qs_fragment, source[2], T_U8), N("a", qs_fragment, source[3], T_U8), M(qs_fragment, z, T_U32),
	M(qs_fragment, z_old, T_U32), M(qs_fragment, z_new, T_U32), M(qs_fragment, z_interpolated, T_U32),
	M(qs_fragment, z_texture, T_U8), M(qs_fragment, z_texture_type, T_U8), M(qs_fragment, z_texture_value, T_U32),
	M(qs_fragment, z_texture_bias, T_U32),
	N("old_r", qs_fragment, old_rgba[0], T_U8), N("old_g", qs_fragment, old_rgba[1], T_U8),
	N("old_b", qs_fragment, old_rgba[2], T_U8), N("old_a", qs_fragment, old_rgba[3], T_U8),
	N("new_r", qs_fragment, new_rgba[0], T_U8), N("new_g", qs_fragment, new_rgba[1], T_U8),
	N("new_b", qs_fragment, new_rgba[2], T_U8), N("new_a", qs_fragment, new_rgba[3], T_U8), M(qs_fragment, fog, T_U8),
	M(qs_fragment, tev, T_RGBA8), M(qs_fragment, source, T_RGBA8), N("old", qs_fragment, old_rgba, T_RGBA8),
	N("new", qs_fragment, new_rgba, T_RGBA8), M(qs_fragment, blended, T_RGBA8), M(qs_fragment, blend_mode, T_BLEND),
	M(qs_fragment, blend_src_factor, T_RGBA8), M(qs_fragment, blend_dst_factor, T_RGBA8), A(qs_fragment, ras, T_RGBA8, 2),
	M(qs_fragment, inv_w, T_F32), A(qs_fragment, coord, T_ST, 8), M(qs_fragment, stage_count, T_U8),
	M(qs_fragment, indirect_count, T_U8), M(qs_fragment, alpha_tested, T_BOOL), M(qs_fragment, alpha_passed, T_BOOL),
	M(qs_fragment, alpha_func0, T_COMPARE), M(qs_fragment, alpha_func1, T_COMPARE), M(qs_fragment, alpha_ref0, T_U8),
	M(qs_fragment, alpha_ref1, T_U8), M(qs_fragment, alpha_logic, T_LOGIC), M(qs_fragment, early_z, T_BOOL),
	M(qs_fragment, z_tested, T_BOOL), M(qs_fragment, z_passed, T_BOOL), M(qs_fragment, z_written, T_BOOL),
	M(qs_fragment, z_func, T_COMPARE), M(qs_fragment, sample_count, T_U8), M(qs_fragment, samples_passed, T_U8),
	A(qs_fragment, sample_old, T_RGBA8, 3), A(qs_fragment, sample_new, T_RGBA8, 3), A(qs_fragment, sample_z, T_U32, 3),
	A(qs_fragment, sample_z_old, T_U32, 3), A(qs_fragment, sample_z_new, T_U32, 3), END};

const struct record_field record_quad[] = {
	M(qs_quad, x, T_I16), M(qs_quad, y, T_I16), M(qs_quad, coverage, T_U16), M(qs_quad, part, T_U32), END};

const struct record_field record_vertex[] = {
	M(qs_vertex, index, T_ID), M(qs_vertex, object, T_XYZ), M(qs_vertex, eye, T_XYZ), M(qs_vertex, clip, T_XYZW),
	M(qs_vertex, screen, T_XYZ), M(qs_vertex, inv_w, T_F32), M(qs_vertex, normal, T_XYZ), A(qs_vertex, colour, T_RGBA8, 2),
	A(qs_vertex, tex, T_STQ, 8), M(qs_vertex, outcode, T_U8), END};

const struct record_field record_setup[] = {
	M(qs_setup, kind, T_KIND), N("setup", qs_setup, verdict, T_SETUP), N("area", qs_setup, area2, T_HALF),
	M(qs_setup, ntex, T_U8), M(qs_setup, ncol, T_U8), M(qs_setup, part, T_U32), M(qs_setup, part_count, T_U32),
	A(qs_setup, vertex, T_VERTEX, 3), A(qs_setup, edge, T_EDGE, 3), M(qs_setup, scissor, T_RECT), M(qs_setup, box, T_RECT),
	M(qs_setup, x_ref, T_F32), M(qs_setup, y_ref, T_F32), M(qs_setup, z_frozen, T_BOOL), M(qs_setup, z, T_PLANE),
	M(qs_setup, inv_w, T_PLANE), N("colour0", qs_setup, colour[0], T_PLANES), N("colour1", qs_setup, colour[1], T_PLANES),
	A(qs_setup, tex, T_TEXPLANES, 8), M(qs_setup, sample_count, T_U8), M(qs_setup, sample_offset, T_F32),
	A(qs_setup, primitive_vertex, T_ID, 3), END};

const struct record_field record_copy[] = {
	M(qs_copy, to_display, T_BOOL), M(qs_copy, format, T_U8), M(qs_copy, clear, T_BOOL), M(qs_copy, half, T_BOOL),
	M(qs_copy, intensity, T_BOOL), M(qs_copy, gamma, T_U8), M(qs_copy, source, T_RECT), M(qs_copy, destination, T_U32),
	M(qs_copy, stride, T_U32), M(qs_copy, width, T_U32), M(qs_copy, height, T_U32), A(qs_copy, filter, T_U8, 7),
	N("format_name", qs_copy, format, T_COPY_FORMAT), M(qs_copy, filtered, T_BOOL), M(qs_copy, clamp_top, T_BOOL),
	M(qs_copy, clamp_bottom, T_BOOL), M(qs_copy, field, T_U8), M(qs_copy, pixel_type, T_U8), M(qs_copy, sample_count, T_U8),
	M(qs_copy, line_step, T_U16), M(qs_copy, clear_colour, T_BOOL), M(qs_copy, clear_alpha, T_BOOL),
	M(qs_copy, clear_depth, T_BOOL), M(qs_copy, clear_rgba, T_RGBA8), M(qs_copy, clear_z, T_U32), END};

static const struct record_field copy_tap_fields[] = {
	M(qs_copy_tap, x, T_I16), M(qs_copy_tap, y, T_I16), M(qs_copy_tap, inside, T_BOOL), M(qs_copy_tap, sample, T_U8),
	M(qs_copy_tap, weight, T_U8), M(qs_copy_tap, rgba, T_RGBA8), END};

static const struct record_field copy_pixel_fields[] = {
	M(qs_copy_pixel, tap_count, T_U8), A(qs_copy_pixel, tap, T_COPY_TAP, 7), M(qs_copy_pixel, filtered, T_RGBA8),
	M(qs_copy_pixel, rgba, T_RGBA8), END};

const struct record_field record_copy_texel[] = {
	M(qs_copy_texel, pixel_count, T_U8), A(qs_copy_texel, pixel, T_COPY_PIXEL, 4), M(qs_copy_texel, line_part, T_U16),
	M(qs_copy_texel, rgba, T_RGBA8), M(qs_copy_texel, converted, T_RGBA8), M(qs_copy_texel, part_count, T_U8),
	A(qs_copy_texel, address, T_U32, 2), M(qs_copy_texel, size, T_U8), A(qs_copy_texel, bytes, T_U8, 4), END};

/* ---- names -------------------------------------------------------------------------------------------------------------- */

static const char *const compares[8] = {"never", "less", "equal", "lequal", "greater", "nequal", "gequal", "always"};
static const char *const verdicts[] = {"none", "written", "masked", "early_z", "alpha", "late_z", "pending"};
static const char *const kinds[] = {"point", "line", "triangle"};
static const char *const setups[] = {"drawn", "rejected", "clipped", "culled", "degenerate", "scissored"};
static const char *const blends[] = {"none", "blend", "subtract", "logic"};
static const char *const logics[] = {"and", "or", "xor", "xnor"};

#define NAME(list, i) ((i) < sizeof list / sizeof *list ? list[i] : "?")

const char *record_verdict(unsigned verdict)
{
	return NAME(verdicts, verdict);
}

const char *record_compare(unsigned func)
{
	return compares[func & 7];
}

/* ---- values ------------------------------------------------------------------------------------------------------------- */

static void push_rgba(lua_State *L, lua_Integer r, lua_Integer g, lua_Integer b, lua_Integer a)
{
	lua_createtable(L, 0, 4);
	set_integer(L, "r", r);
	set_integer(L, "g", g);
	set_integer(L, "b", b);
	set_integer(L, "a", a);
}

void record_push_rgba(lua_State *L, const uint8_t rgba[4])
{
	push_rgba(L, rgba[0], rgba[1], rgba[2], rgba[3]);
}

void record_push_rect(lua_State *L, const struct qs_rect *rect)
{
	lua_createtable(L, 0, 4);
	set_integer(L, "x0", rect->x0);
	set_integer(L, "y0", rect->y0);
	set_integer(L, "x1", rect->x1);
	set_integer(L, "y1", rect->y1);
}

static void push_floats(lua_State *L, const float *v, const char *names)
{
	lua_createtable(L, 0, 4);
	for (; *names; names++) {
		const char name[2] = {*names, 0};

		set_number(L, name, (double)*v++);
	}
}

static void push_plane(lua_State *L, const struct qs_plane *p)
{
	lua_createtable(L, 0, 3);
	set_number(L, "f0", (double)p->f0);
	set_number(L, "dfdx", (double)p->dfdx);
	set_number(L, "dfdy", (double)p->dfdy);
}

static void push_planes(lua_State *L, const struct qs_plane *p, const char *names)
{
	lua_createtable(L, 0, 4);
	for (; *names; names++) {
		const char name[2] = {*names, 0};

		push_plane(L, p++);
		lua_setfield(L, -2, name);
	}
}

static void push_edge(lua_State *L, const struct qs_edge *e)
{
	lua_createtable(L, 0, 6);
	set_number(L, "dx", e->dx);
	set_number(L, "dy", e->dy);
	set_number(L, "c", e->c);
	lua_pushboolean(L, e->top_left);
	lua_setfield(L, -2, "top_left");
	set_integer(L, "from", e->from);
	set_integer(L, "to", e->to);
}

void record_push_moment(lua_State *L, const struct qs_moment *moment)
{
	char text[80];

	lua_pushstring(L, qs_moment_format(script_of(L)->capture, moment, text, sizeof text));
}

static const size_t sizes[] = {
	[T_BOOL] = sizeof(bool), [T_U8] = 1, [T_I16] = 2, [T_U16] = 2, [T_I32] = 4, [T_U32] = 4, [T_ID] = 4, [T_F32] = 4, [T_HALF] = 8,
	[T_VERDICT] = 1, [T_KIND] = 1, [T_SETUP] = 1, [T_COMPARE] = 1, [T_BLEND] = 1, [T_LOGIC] = 1, [T_RGBA8] = 4, [T_RGBA16] = 8,
	[T_RGBA32] = 16, [T_ST] = 8, [T_XYZ] = 12, [T_XYZW] = 16, [T_STQ] = 12, [T_RECT] = sizeof(struct qs_rect),
	[T_PLANE] = sizeof(struct qs_plane), [T_PLANES] = 4 * sizeof(struct qs_plane), [T_TEXPLANES] = 3 * sizeof(struct qs_plane),
	[T_EDGE] = sizeof(struct qs_edge), [T_VERTEX] = sizeof(struct qs_vertex), [T_SAMPLE] = sizeof(struct qs_sample),
	[T_TEXEL] = sizeof(struct qs_texel), [T_COPY_PIXEL] = sizeof(struct qs_copy_pixel), [T_COPY_TAP] = sizeof(struct qs_copy_tap),
	[T_COPY_FORMAT] = 1, [T_GET] = 0,
};

#define AS(type) (*(const type *)at)

/* The types that make tables; the plain ones are in push_one. */
static void push_compound(lua_State *L, enum record_type type, const void *at)
{
	const int16_t *s = at;
	const int32_t *w = at;

	switch (type) {
	case T_RGBA8: record_push_rgba(L, at); break;
	case T_RGBA16: push_rgba(L, s[0], s[1], s[2], s[3]); break;
	case T_RGBA32: push_rgba(L, w[0], w[1], w[2], w[3]); break;
	case T_ST:
		lua_createtable(L, 0, 2);
		set_integer(L, "s", w[0]);
		set_integer(L, "t", w[1]);
		break;
	case T_XYZ: push_floats(L, at, "xyz"); break;
	case T_XYZW: push_floats(L, at, "xyzw"); break;
	case T_STQ: push_floats(L, at, "stq"); break;
	case T_RECT: record_push_rect(L, at); break;
	case T_PLANE: push_plane(L, at); break;
	case T_PLANES: push_planes(L, at, "rgba"); break;
	case T_TEXPLANES: push_planes(L, at, "stq"); break;
	case T_EDGE: push_edge(L, at); break;
	case T_VERTEX: record_push(L, record_vertex, at); break;
	case T_SAMPLE: record_push(L, sample_fields, at); break;
	case T_TEXEL: record_push(L, texel_fields, at); break;
	case T_COPY_PIXEL: record_push(L, copy_pixel_fields, at); break;
	case T_COPY_TAP: record_push(L, copy_tap_fields, at); break;
	default: lua_pushnil(L); break;
	}
}

static void push_one(lua_State *L, enum record_type type, const void *at)
{
	switch (type) {
	case T_BOOL: lua_pushboolean(L, AS(bool)); break;
	case T_U8: lua_pushinteger(L, AS(uint8_t)); break;
	case T_I16: lua_pushinteger(L, AS(int16_t)); break;
	case T_U16: lua_pushinteger(L, AS(uint16_t)); break;
	case T_I32: lua_pushinteger(L, AS(int32_t)); break;
	case T_U32: lua_pushinteger(L, AS(uint32_t)); break;
	case T_ID:
		if (AS(uint32_t) == QS_NONE)
			lua_pushnil(L);
		else
			lua_pushinteger(L, AS(uint32_t));
		break;
	case T_F32: lua_pushnumber(L, (double)AS(float)); break;
	case T_HALF: lua_pushnumber(L, AS(double) / 2); break;
	case T_VERDICT: lua_pushstring(L, NAME(verdicts, AS(uint8_t))); break;
	case T_KIND: lua_pushstring(L, NAME(kinds, AS(uint8_t))); break;
	case T_SETUP: lua_pushstring(L, NAME(setups, AS(uint8_t))); break;
	case T_COMPARE: lua_pushstring(L, compares[AS(uint8_t) & 7]); break;
	case T_BLEND: lua_pushstring(L, NAME(blends, AS(uint8_t))); break;
	case T_LOGIC: lua_pushstring(L, NAME(logics, AS(uint8_t))); break;
	case T_COPY_FORMAT: lua_pushstring(L, qs_copy_format_name(AS(uint8_t))); break;
	default: push_compound(L, type, at); break;
	}
}

void record_push_field(lua_State *L, const struct record_field *f, const void *record)
{
	const uint8_t *at = (const uint8_t *)record + f->offset;

	if (!f->count) {
		push_one(L, f->type, at);
		return;
	}
	luaL_checkstack(L, 8, NULL);
	lua_createtable(L, (int)f->count - 1, 1);
	for (unsigned i = 0; i < f->count; i++) {
		push_one(L, f->type, at + i * sizes[f->type]);
		lua_rawseti(L, -2, i);
	}
}

void record_add(lua_State *L, const struct record_field *fields, const void *record)
{
	luaL_checkstack(L, 8, NULL);
	for (; fields->name; fields++) {
		record_push_field(L, fields, record);
		lua_setfield(L, -2, fields->name);
	}
}

void record_push(lua_State *L, const struct record_field *fields, const void *record)
{
	luaL_checkstack(L, 8, NULL);
	lua_createtable(L, 0, 16);
	record_add(L, fields, record);
}

/* ---- whole records ------------------------------------------------------------------------------------------------------ */

void record_push_setup(lua_State *L, const struct qs_setup *setup)
{
	record_push(L, record_setup, setup);
}

void record_push_vertex(lua_State *L, const struct qs_vertex *vertex)
{
	record_push(L, record_vertex, vertex);
}

void record_push_detail(lua_State *L, const char *name, const struct qs_fragment *f)
{
	bool stages = *name == 's';
	unsigned n = stages ? f->stage_count : f->indirect_count;

	luaL_checkstack(L, 8, NULL);
	lua_createtable(L, n ? (int)n - 1 : 0, 1);
	for (unsigned i = 0; i < n; i++) {
		if (stages)
			record_push(L, record_stage, &f->stage[i]);
		else
			record_push(L, sample_fields, &f->indirect[i]);
		lua_rawseti(L, -2, i);
	}
}

static void push_fragment(lua_State *L, const struct qs_fragment *f, bool detail)
{
	static const char *const names[] = {"stage", "indirect"};

	record_push(L, record_fragment, f);
	for (int i = 0; i < 2 && detail; i++) {
		record_push_detail(L, names[i], f);
		lua_setfield(L, -2, names[i]);
	}
}

void record_push_edges(lua_State *L, const double edge[4][3][3])
{
	lua_createtable(L, 3, 1);
	for (unsigned pixel = 0; pixel < 4; pixel++) {
		lua_createtable(L, 2, 1);
		for (unsigned sample = 0; sample < 3; sample++) {
			lua_createtable(L, 2, 1);
			for (unsigned i = 0; i < 3; i++) {
				lua_pushnumber(L, edge[pixel][sample][i]);
				lua_rawseti(L, -2, i);
			}
			lua_rawseti(L, -2, sample);
		}
		lua_rawseti(L, -2, pixel);
	}
}

void record_push_fragments(lua_State *L, const struct qs_quad *quad, bool detail)
{
	lua_createtable(L, 3, 1);
	for (unsigned i = 0; i < 4; i++) {
		push_fragment(L, &quad->fragment[i], detail);
		lua_rawseti(L, -2, i);
	}
}

void record_push_quad(lua_State *L, const struct qs_quad *quad, bool detail)
{
	record_push(L, record_quad, quad);
	record_push_fragments(L, quad, detail);
	lua_setfield(L, -2, "fragment");
	if (detail) {
		record_push_edges(L, quad->edge);
		lua_setfield(L, -2, "edge");
	}
}
