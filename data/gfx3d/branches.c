/* branches.c - if and else, an unrolled loop, functions, sine: three patterns
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "scene.h"

static const char vertex[] =
	"#version 330\n"
	"layout(location = 0) in vec4 position;\n"
	"layout(location = 2) in vec2 coordinate;\n"
	"out vec2 uv;\n"
	"void main()\n"
	"{\n"
	"	gl_Position = position;\n"
	"	uv = coordinate;\n"
	"}\n";
static const char fragment[] =
	"#version 330\n"
	"in vec2 uv;\n"
	"uniform vec4 time;\n"
	"out vec4 color;\n"
	"float wave(float x)\n"
	"{\n"
	"	return abs(sin(x * 9.0));\n"
	"}\n"
	"void main()\n"
	"{\n"
	"	vec4 sum = vec4(0.2, 0.3, 0.6, 1.0);\n"
	"	for (int i = 1; i < 4; i++) {\n"
	"		sum = sum * uv.x + time;\n"
	"	}\n"
	"	if (uv.x > 0.5) {\n"
	"		if (uv.y > 0.5) {\n"
	"			color = vec4(wave(uv.y), uv, 1.0);\n"
	"		} else {\n"
	"			color = sum;\n"
	"		}\n"
	"	} else {\n"
	"		color = vec4(uv, wave(uv.x), 1.0);\n"
	"	}\n"
	"}\n";

int main(int argc, char **argv)
{
	struct scene s;

	scene_open(&s, 128, 128);
	scene_program(&s, vertex, fragment);
	scene_vec4(&s, "time", 0.1f, 0.2f, 0.05f, 0);
	scene_draw(&s, sheet(&s));
	return scene_close(&s, argc, argv);
}
