/* protocol.c - the table of command layouts and the names of formats
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "virgl/protocol.h"

#define ANY UINT16_MAX
#define ROW(command, object, name, fields, least, most) {VIRGL_##command, object, name, fields, least, most}

static const struct virgl_layout layouts[] = {
	ROW(NOP, 0, "nop", "", 0, ANY),
	ROW(CREATE_OBJECT, VIRGL_OBJECT_BLEND, "create blend",
		"handle:u flags:x logic:u target0:x target1:x target2:x target3:x target4:x target5:x target6:x target7:x", 11, 11),
	ROW(CREATE_OBJECT, VIRGL_OBJECT_RASTERIZER, "create rasterizer",
		"handle:u flags:x point_size:f sprite:x stipple:x line_width:f offset_units:f offset_scale:f offset_clamp:f", 9, 9),
	ROW(CREATE_OBJECT, VIRGL_OBJECT_DSA, "create depth state", "handle:u depth:x stencil0:x stencil1:x alpha_ref:f", 5, 5),
	ROW(CREATE_OBJECT, VIRGL_OBJECT_SHADER, "create shader", "handle:u stage:stage bytes:x tokens:u outputs:u text", 6, ANY),
	ROW(CREATE_OBJECT, VIRGL_OBJECT_VERTEX_ELEMENTS, "create vertex elements",
		"handle:u [offset:u divisor:u buffer:u format:format]", 1, 1 + 4 * 32),
	ROW(CREATE_OBJECT, VIRGL_OBJECT_SAMPLER_VIEW, "create sampler view",
		"handle:u resource:u format:format layers:x levels:x swizzle:x", 6, 6),
	ROW(CREATE_OBJECT, VIRGL_OBJECT_SAMPLER, "create sampler",
		"handle:u flags:x lod_bias:f min_lod:f max_lod:f border:f :f :f :f", 9, 9),
	ROW(CREATE_OBJECT, VIRGL_OBJECT_SURFACE, "create surface", "handle:u resource:u format:format level:u layers:x", 5, 5),
	ROW(BIND_OBJECT, VIRGL_OBJECT_BLEND, "bind blend", "handle:u", 1, 1),
	ROW(BIND_OBJECT, VIRGL_OBJECT_RASTERIZER, "bind rasterizer", "handle:u", 1, 1),
	ROW(BIND_OBJECT, VIRGL_OBJECT_DSA, "bind depth state", "handle:u", 1, 1),
	ROW(BIND_OBJECT, VIRGL_OBJECT_VERTEX_ELEMENTS, "bind vertex elements", "handle:u", 1, 1),
	ROW(DESTROY_OBJECT, 0, "destroy object", "handle:u", 1, 1),
	ROW(SET_VIEWPORT, 0, "viewport", "slot:u [scale:f :f :f translate:f :f :f]", 7, 1 + 6 * 16),
	ROW(SET_FRAMEBUFFER, 0, "framebuffer", "count:u depth:u [color:u]", 2, 10),
	ROW(SET_VERTEX_BUFFERS, 0, "vertex buffers", "[stride:u offset:u resource:u]", 3, 3 * 32),
	ROW(CLEAR, 0, "clear", "buffers:clear color:f :f :f :f depth:d stencil:u", 8, 8),
	ROW(DRAW_VBO, 0, "draw",
		"start:u count:u mode:prim indexed:u instances:u index_bias:i first_instance:u restart:u restart_index:x min_index:u "
		"max_index:u from_output:u [more:u]", 12, 20),
	ROW(INLINE_WRITE, 0, "inline write",
		"resource:u level:u usage:x stride:u layer_stride:u x:u y:u z:u width:u height:u depth:u [data:x]", 11, ANY),
	ROW(SET_SAMPLER_VIEWS, 0, "sampler views", "stage:stage first:u [view:u]", 2, 2 + 32),
	ROW(SET_INDEX_BUFFER, 0, "index buffer", "resource:u [size:u offset:u]", 1, 3),
	ROW(SET_CONSTANT_BUFFER, 0, "constants", "stage:stage index:u [value:c]", 2, ANY),
	ROW(SET_STENCIL_REF, 0, "stencil reference", "values:x", 1, 1),
	ROW(SET_BLEND_COLOR, 0, "blend color", "color:f :f :f :f", 4, 4),
	ROW(SET_SCISSOR, 0, "scissor", "slot:u [min:h max:h]", 3, 1 + 2 * 16),
	ROW(BLIT, 0, "blit",
		"mask:x scissor_min:h scissor_max:h to:u level:u format:format x:i y:i z:i width:i height:i depth:i from:u level:u format:format "
		"x:i y:i z:i width:i height:i depth:i", 21, 21),
	ROW(COPY_REGION, 0, "copy region",
		"to:u level:u x:u y:u z:u from:u level:u x:u y:u z:u width:u height:u depth:u", 13, 13),
	ROW(BIND_SAMPLER_STATES, 0, "samplers", "stage:stage first:u [sampler:u]", 2, 2 + 32),
	ROW(SET_SUB_CTX, 0, "set sub-context", "number:u", 1, 1),
	ROW(CREATE_SUB_CTX, 0, "create sub-context", "number:u", 1, 1),
	ROW(DESTROY_SUB_CTX, 0, "destroy sub-context", "number:u", 1, 1),
	ROW(BIND_SHADER, 0, "bind shader", "handle:u stage:stage", 2, 2),
	ROW(TEXTURE_BARRIER, 0, "texture barrier", "flags:x", 1, 1),
	ROW(LINK_SHADER, 0, "link shaders", "vertex:u fragment:u control:u evaluation:u geometry:u compute:u", 6, 6),
};

const struct virgl_layout *virgl_layout_find(unsigned command, unsigned object)
{
	for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
		if (layouts[i].command == command && (!layouts[i].object || layouts[i].object == object))
			return &layouts[i];
	return NULL;
}

static const struct {
	uint8_t format, bytes;
	const char *name;
} formats[] = {
	{VIRGL_FORMAT_B8G8R8A8_UNORM, 4, "B8G8R8A8_UNORM"},
	{VIRGL_FORMAT_Z32_FLOAT, 4, "Z32_FLOAT"},
	{VIRGL_FORMAT_R32_FLOAT, 4, "R32_FLOAT"},
	{VIRGL_FORMAT_R32G32_FLOAT, 8, "R32G32_FLOAT"},
	{VIRGL_FORMAT_R32G32B32_FLOAT, 12, "R32G32B32_FLOAT"},
	{VIRGL_FORMAT_R32G32B32A32_FLOAT, 16, "R32G32B32A32_FLOAT"},
	{VIRGL_FORMAT_R8_UNORM, 1, "R8_UNORM"},
	{VIRGL_FORMAT_R8G8B8A8_UNORM, 4, "R8G8B8A8_UNORM"},
	{VIRGL_FORMAT_Z32_FLOAT_S8X24_UINT, 8, "Z32_FLOAT_S8X24_UINT"},
};

unsigned virgl_format_bytes(uint32_t format)
{
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (formats[i].format == format)
			return formats[i].bytes;
	return 0;
}

const char *virgl_format_name(uint32_t format)
{
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (formats[i].format == format)
			return formats[i].name;
	return NULL;
}
