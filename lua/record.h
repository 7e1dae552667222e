/* record.h - how records are described
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QS_LUA_RECORD_H
#define QS_LUA_RECORD_H

#include "lua/script.h"

enum record_type {
	T_BOOL, T_U8, T_I16, T_U16, T_I32, T_U32,
	T_ID,    /* uint32_t, nil for QS_NONE */
	T_F32, T_HALF, /* float; half of a double */
	T_VERDICT, T_KIND, T_SETUP, T_COMPARE, T_BLEND, T_LOGIC, /* uint8_t as a name */
	T_RGBA8, T_RGBA16, T_RGBA32, T_ST, T_XYZ, T_XYZW, T_STQ, T_RECT, T_PLANE, T_PLANES, T_TEXPLANES, T_EDGE, /* tables */
	T_VERTEX, T_SAMPLE, T_TEXEL, T_COPY_PIXEL, T_COPY_TAP, T_COPY_FORMAT,
	T_GET,   /* by function, from the event */
};

struct record_field {
	const char *name; /* NULL ends a list */
	enum record_type type;
	size_t offset;
	unsigned count; /* elements, numbered from 0; 0: no array */
	void (*get)(lua_State *L, const struct event *e);
};

extern const struct record_field record_stage[], record_fragment[], record_quad[], record_vertex[], record_setup[], record_copy[], record_copy_texel[];

void record_push_field(lua_State *L, const struct record_field *field, const void *record);
void record_push(lua_State *L, const struct record_field *fields, const void *record);
void record_add(lua_State *L, const struct record_field *fields, const void *record); /* to the table on top */
void record_push_fragments(lua_State *L, const struct qs_quad *quad, bool detail);
void record_push_detail(lua_State *L, const char *name, const struct qs_fragment *fragment); /* "stage" or "indirect" */
void record_push_edges(lua_State *L, const double edge[4][3][3]);

#endif
