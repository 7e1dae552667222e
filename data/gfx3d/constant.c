/* constant.c - the smallest Gfx3D program: one triangle in one colour
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "scene.h"

static const char vertex[] =
	"#version 330\n"
	"layout(location = 0) in vec4 position;\n"
	"void main()\n"
	"{\n"
	"	gl_Position = position;\n"
	"}\n";
static const char fragment[] =
	"#version 330\n"
	"out vec4 color;\n"
	"void main()\n"
	"{\n"
	"	color = vec4(1.0, 0.0, 0.0, 1.0);\n"
	"}\n";

int main(int argc, char **argv)
{
	static const float vertices[3][4] = {{-0.8f, -0.8f, 0, 1}, {0.8f, -0.8f, 0, 1}, {0, 0.8f, 0, 1}};
	const struct qs_gfx3d_layout layout = {16, 1, {{0, 4, 0}}};
	qs_gfx3d_handle mesh;
	struct scene s;

	scene_open(&s, 32, 32);
	scene_program(&s, vertex, fragment);
	mesh = qs_gfx3d_mesh_create(s.g, OWNER, QS_GFX3D_STATIC);
	if (qs_gfx3d_mesh_upload(s.g, OWNER, mesh, &layout, vertices, sizeof vertices, NULL, 0))
		fail(&s, "mesh");
	scene_draw(&s, mesh);
	return scene_close(&s, argc, argv);
}
