/* scene.h - captures that scripts build
 *
 *   scene.c          the object: registers by name, memory, frames      scene_texture.c  texels into the tiles of a format
 *   scene_draw.c     vertices packed as VCD and VAT say                 scene_open.c     a scene as the capture that is asked,
 *                                                                                    functions of scene.lua that are no methods
 *   scene.lua        what is made of register writes: matrices, lights, textures, copies ...
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QS_LUA_SCENE_H
#define QS_LUA_SCENE_H

#include "lua/script.h"

struct scene_list { /* bytes in the making, freed with the scene */
	uint8_t *data;
	size_t size, room;
};

#define SCENE_LISTS 8

struct scene {
	struct qs_recording *recording;
	bool started; /* register writes are commands now, no initial state any more */
	uint32_t bp[0x108], cp[0x100], xf[0x1060]; /* as the hardware will have them here */
	uint32_t bp_mask;
	struct scene_list list[SCENE_LISTS]; /* one for each level of record functions */
	unsigned depth;                      /* 0: commands go to the frame, else to list[depth - 1] */
	struct scene_list scratch; /* vertices being packed */
	size_t accounted;
};

/* scene.lua has run: the methods are there, and the functions that are no methods in the registry. */
#define SCENE_SHARED "qs.scene shared"
void scene_need_class(lua_State *L);
struct scene *scene_check(lua_State *L, int arg);
void scene_put(lua_State *L, struct scene *scene, struct scene_list *list, const void *bytes, size_t size);
/* Adds command bytes where they belong; raises errors. */
void scene_append(lua_State *L, struct scene *scene, const void *bytes, size_t size);
/* The file as a new string on the stack. */
void scene_push_bytes(lua_State *L, struct scene *scene);
/* Field of a VAT: spread over three registers; 0 when there is none. */
uint32_t scene_vat(const struct scene *scene, unsigned format, const char *attribute, const char *part);
unsigned scene_check_format(lua_State *L, int arg);

#endif
