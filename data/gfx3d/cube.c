/* cube.c - an indexed cube through a model-view-projection matrix, a colour a corner
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "scene.h"

static const char vertex[] =
	"#version 330\n"
	"layout(location = 0) in vec3 position;\n"
	"layout(location = 1) in vec3 tone;\n"
	"uniform mat4 mvp;\n"
	"out vec3 shade;\n"
	"void main()\n"
	"{\n"
	"	gl_Position = mvp * vec4(position, 1.0);\n"
	"	shade = tone;\n"
	"}\n";
static const char fragment[] =
	"#version 330\n"
	"in vec3 shade;\n"
	"out vec4 color;\n"
	"void main()\n"
	"{\n"
	"	color = vec4(shade, 1.0);\n"
	"}\n";

int main(int argc, char **argv)
{
	static const uint16_t index[36] = {0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1, 2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7,
		1, 7, 3};
	const struct qs_gfx3d_layout layout = {24, 2, {{0, 3, 0}, {1, 3, 12}}};
	float vertices[8][6], model[16], projection[16];
	qs_gfx3d_handle mesh;
	struct scene s;

	for (int i = 0; i < 8; i++)
		for (int k = 0; k < 3; k++) {
			vertices[i][k] = i >> k & 1 ? 1.0f : -1.0f;
			vertices[i][3 + k] = i >> k & 1 ? 1.0f : 0.15f;
		}
	scene_open(&s, 160, 120);
	scene_program(&s, vertex, fragment);
	place(0.6f, 0.5f, 0, 0, -5, model);
	perspective(50, 160.0f / 120, 1, 20, projection);
	multiply(projection, model, model);
	scene_matrix(&s, "mvp", model);
	mesh = qs_gfx3d_mesh_create(s.g, OWNER, QS_GFX3D_STATIC);
	if (qs_gfx3d_mesh_upload(s.g, OWNER, mesh, &layout, vertices, sizeof vertices, index, 36))
		fail(&s, "mesh");
	scene_draw(&s, mesh);
	return scene_close(&s, argc, argv);
}
