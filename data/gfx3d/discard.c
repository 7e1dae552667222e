/* discard.c - a sheet with holes in front of another: discarded fragments leave the depth as it was
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "scene.h"

static const char vertex[] =
	"#version 330\n"
	"layout(location = 0) in vec4 position;\n"
	"layout(location = 2) in vec2 coordinate;\n"
	"uniform vec4 shift;\n"
	"out vec2 uv;\n"
	"void main()\n"
	"{\n"
	"	gl_Position = position + shift;\n"
	"	uv = coordinate;\n"
	"}\n";
static const char holes[] =
	"#version 330\n"
	"in vec2 uv;\n"
	"out vec4 color;\n"
	"void main()\n"
	"{\n"
	"	vec2 d = uv - vec2(0.5, 0.5);\n"
	"	float r = dot(d, d) * 40.0;\n"
	"	if (sin(r) > 0.3) {\n"
	"		discard;\n"
	"	}\n"
	"	color = vec4(uv.x, 0.7, uv.y, 1.0);\n"
	"}\n";
static const char plain[] =
	"#version 330\n"
	"in vec2 uv;\n"
	"out vec4 color;\n"
	"void main()\n"
	"{\n"
	"	color = vec4(0.9, uv.y * 0.5, 0.1, 1.0);\n"
	"}\n";

int main(int argc, char **argv)
{
	qs_gfx3d_handle mesh;
	struct scene s;

	scene_open(&s, 128, 128);
	mesh = sheet(&s);
	scene_program(&s, vertex, holes);
	scene_vec4(&s, "shift", 0, 0, 0.2f, 0);
	scene_draw(&s, mesh);
	scene_program(&s, vertex, plain); /* behind: seen through the holes only */
	scene_vec4(&s, "shift", 0.1f, 0.1f, 0.6f, 0);
	scene_draw(&s, mesh);
	return scene_close(&s, argc, argv);
}
