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
	"	return 0.5 + 0.5 * sin(x * time.x);\n"
	"}\n"
	"void main()\n"
	"{\n"
	"	float sum = uv.y;\n"
	"	for (int i = 1; i < 4; i++) {\n"
	"		sum = sum * uv.x + float(i);\n"
	"	}\n"
	"	if (uv.x > 0.5) {\n"
	"		if (uv.y > 0.5) {\n"
	"			color = vec4(wave(sum), uv.y, 0.2, 1.0);\n"
	"		} else {\n"
	"			color = vec4(0.2, 0.3, 0.6, 1.0);\n"
	"		}\n"
	"	} else {\n"
	"		color = vec4(wave(uv.y), 0.5, uv.x, 1.0);\n"
	"	}\n"
	"}\n";

int main(int argc, char **argv)
{
	struct scene s;

	scene_open(&s, 128, 128);
	scene_program(&s, vertex, fragment);
	scene_vec4(&s, "time", 9, 0, 0, 0);
	scene_draw(&s, sheet(&s));
	return scene_close(&s, argc, argv);
}
