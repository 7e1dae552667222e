/* textured.c - a cube with a texture, once more beside it with coordinates beyond the edge
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "scene.h"

static const char vertex[] =
	"#version 330\n"
	"layout(location = 0) in vec4 position;\n"
	"layout(location = 2) in vec2 coordinate;\n"
	"uniform mat4 mvp;\n"
	"uniform vec4 stretch;\n"
	"out vec2 uv;\n"
	"void main()\n"
	"{\n"
	"	gl_Position = mvp * position;\n"
	"	uv = coordinate * stretch.xy + stretch.zw;\n"
	"}\n";
static const char fragment[] =
	"#version 330\n"
	"in vec2 uv;\n"
	"uniform sampler2D image;\n"
	"out vec4 color;\n"
	"void main()\n"
	"{\n"
	"	color = texture(image, uv);\n"
	"}\n";

int main(int argc, char **argv)
{
	float model[16], projection[16];
	uint32_t pixel[16 * 16];
	qs_gfx3d_handle mesh, texture;
	struct scene s;

	for (int i = 0; i < 256; i++) { /* a frame, a checker board and a red corner at row 0, column 0 */
		int x = i % 16, y = i / 16;
		bool edge = x == 0 || y == 0 || x == 15 || y == 15;

		pixel[i] = edge ? 0x40C0FF : (x / 2 + y / 2) % 2 ? 0xF0E0C0 : 0x704020;
		if (x < 5 && y < 5)
			pixel[i] = 0xFF2020;
	}
	scene_open(&s, 240, 120);
	scene_program(&s, vertex, fragment);
	texture = qs_gfx3d_tex_create(s.g, OWNER, 16, 16);
	if (qs_gfx3d_tex_upload(s.g, OWNER, texture, 16, 16, pixel) || qs_gfx3d_bind_tex(s.g, OWNER, s.context, 0, texture))
		fail(&s, "texture");
	mesh = cube(&s);
	perspective(40, 2, 1, 20, projection);
	for (int i = 0; i < 2; i++) {
		place(0.7f, 0.45f, i ? 2.0f : -2.0f, 0, -7, model);
		multiply(projection, model, model);
		scene_matrix(&s, "mvp", model);
		if (i)
			scene_vec4(&s, "stretch", 2, 2, -0.5f, -0.5f);
		else
			scene_vec4(&s, "stretch", 1, 1, 0, 0);
		scene_draw(&s, mesh);
	}
	return scene_close(&s, argc, argv);
}
