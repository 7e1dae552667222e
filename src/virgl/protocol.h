/* protocol.h - numbers of the VirGL command stream and of the vtest protocol, and the table both directions share
 *
 * stream.c checks what it encodes against the table, decode.c prints by it.  Facts: specification chrisos/03 sections 4 and 5,
 * chrisos/04 section 3; layouts of the rest as virglrenderer 0.9 and 0.10 read them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIRGL_PROTOCOL_H
#define VIRGL_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- commands in a stream ----------------------------------------------------------------------------------------------- */

enum virgl_command {
	VIRGL_NOP = 0,
	VIRGL_CREATE_OBJECT = 1,
	VIRGL_BIND_OBJECT = 2,
	VIRGL_DESTROY_OBJECT = 3,
	VIRGL_SET_VIEWPORT = 4,
	VIRGL_SET_FRAMEBUFFER = 5,
	VIRGL_SET_VERTEX_BUFFERS = 6,
	VIRGL_CLEAR = 7,
	VIRGL_DRAW_VBO = 8,
	VIRGL_INLINE_WRITE = 9,
	VIRGL_SET_SAMPLER_VIEWS = 10,
	VIRGL_SET_INDEX_BUFFER = 11,
	VIRGL_SET_CONSTANT_BUFFER = 12,
	VIRGL_SET_STENCIL_REF = 13,
	VIRGL_SET_BLEND_COLOR = 14,
	VIRGL_SET_SCISSOR = 15,
	VIRGL_BLIT = 16,
	VIRGL_COPY_REGION = 17,
	VIRGL_BIND_SAMPLER_STATES = 18,
	VIRGL_SET_SUB_CTX = 28,
	VIRGL_CREATE_SUB_CTX = 29,
	VIRGL_DESTROY_SUB_CTX = 30,
	VIRGL_BIND_SHADER = 31,
	VIRGL_TEXTURE_BARRIER = 39,
	VIRGL_LINK_SHADER = 52,
};

enum virgl_object {
	VIRGL_OBJECT_NONE = 0,
	VIRGL_OBJECT_BLEND = 1,
	VIRGL_OBJECT_RASTERIZER = 2,
	VIRGL_OBJECT_DSA = 3,
	VIRGL_OBJECT_SHADER = 4,
	VIRGL_OBJECT_VERTEX_ELEMENTS = 5,
	VIRGL_OBJECT_SAMPLER_VIEW = 6,
	VIRGL_OBJECT_SAMPLER = 7,
	VIRGL_OBJECT_SURFACE = 8,
};

enum virgl_stage { VIRGL_VERTEX = 0, VIRGL_FRAGMENT = 1 };
enum virgl_target { VIRGL_TARGET_BUFFER = 0, VIRGL_TARGET_2D = 2 };
enum virgl_bind {
	VIRGL_BIND_DEPTH = 1,
	VIRGL_BIND_RENDER = 2,
	VIRGL_BIND_SAMPLER = 8,
	VIRGL_BIND_VERTEX = 16,
	VIRGL_BIND_INDEX = 32,
};
enum virgl_primitive { VIRGL_POINTS = 0, VIRGL_LINES = 1, VIRGL_TRIANGLES = 4, VIRGL_TRIANGLE_STRIP = 5 };
enum virgl_compare {
	VIRGL_NEVER, VIRGL_LESS, VIRGL_EQUAL, VIRGL_LEQUAL, VIRGL_GREATER, VIRGL_NOTEQUAL, VIRGL_GEQUAL, VIRGL_ALWAYS
};
enum virgl_clear_bits { VIRGL_CLEAR_DEPTH = 1, VIRGL_CLEAR_STENCIL = 2, VIRGL_CLEAR_COLOR = 4 };
enum virgl_blit_mask { VIRGL_BLIT_COLOR = 15, VIRGL_BLIT_DEPTH = 16, VIRGL_BLIT_STENCIL = 32 };
enum virgl_wrap { VIRGL_WRAP_REPEAT = 0, VIRGL_WRAP_CLAMP_TO_EDGE = 2, VIRGL_WRAP_MIRROR = 4 };

enum virgl_format {
	VIRGL_FORMAT_B8G8R8A8_UNORM = 1,
	VIRGL_FORMAT_Z32_FLOAT = 18,
	VIRGL_FORMAT_R32_FLOAT = 28,
	VIRGL_FORMAT_R32G32_FLOAT = 29,
	VIRGL_FORMAT_R32G32B32_FLOAT = 30,
	VIRGL_FORMAT_R32G32B32A32_FLOAT = 31,
	VIRGL_FORMAT_R8_UNORM = 64,
	VIRGL_FORMAT_R8G8B8A8_UNORM = 67,
	VIRGL_FORMAT_Z32_FLOAT_S8X24_UINT = 126,
};

/* Bytes of one pixel; 0: a format this client does not use. */
unsigned virgl_format_bytes(uint32_t format);
const char *virgl_format_name(uint32_t format); /* NULL: unknown */

/* One kind of command.  Fields: names separated by blanks, one a dword, each with ":" and how it is shown:
 *   u decimal, x hexadecimal, i signed, f float, d double in two dwords (low first), h half words, and value names:
 *   stage, format, object is in the header, prim, clear, compare
 * A group in [ ] repeats until the command ends.  "text" is a shader's text up to the end. */
struct virgl_layout {
	uint8_t command, object; /* object 0: any */
	const char *name;
	const char *fields;
	uint16_t least, most; /* dwords after the header */
};

/* NULL: unknown. */
const struct virgl_layout *virgl_layout_find(unsigned command, unsigned object);

static inline uint32_t virgl_header(unsigned command, unsigned object, unsigned length)
{
	return command | object << 8 | length << 16;
}

/* ---- vtest messages ----------------------------------------------------------------------------------------------------- */

enum vtest_message {
	VTEST_GET_CAPS = 1,
	VTEST_RESOURCE_CREATE = 2,
	VTEST_RESOURCE_UNREF = 3,
	VTEST_TRANSFER_GET = 4,
	VTEST_TRANSFER_PUT = 5,
	VTEST_SUBMIT = 6,
	VTEST_BUSY_WAIT = 7,
	VTEST_CREATE_RENDERER = 8,
	VTEST_GET_CAPS2 = 9,
	VTEST_PING = 10,
	VTEST_VERSION = 11,
	VTEST_RESOURCE_CREATE2 = 12,
	VTEST_TRANSFER_GET2 = 13,
	VTEST_TRANSFER_PUT2 = 14,
};

#endif
