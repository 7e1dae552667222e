/* city.c - many objects at 1920x1080: textured and lit boxes on a plane, two frames from two places
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "scene.h"

static const char vertex[] =
	"#version 330\n"
	"layout(location = 0) in vec4 position;\n"
	"layout(location = 1) in vec3 normal;\n"
	"layout(location = 2) in vec2 coordinate;\n"
	"uniform mat4 model;\n"
	"uniform mat4 projection;\n"
	"uniform vec4 size;\n"
	"out vec3 direction;\n"
	"out vec2 uv;\n"
	"void main()\n"
	"{\n"
	"	gl_Position = projection * (model * (position * size));\n"
	"	direction = normal;\n"
	"	uv = coordinate;\n"
	"}\n";
static const char fragment[] =
	"#version 330\n"
	"in vec3 direction;\n"
	"in vec2 uv;\n"
	"uniform sampler2D image;\n"
	"uniform vec4 light;\n"
	"uniform vec4 tint;\n"
	"out vec4 color;\n"
	"void main()\n"
	"{\n"
	"	float bright = 0.35 + 0.65 * max(dot(normalize(direction), light.xyz), 0.0);\n"
	"	vec4 texel = texture(image, uv);\n"
	"	color = vec4(texel.xyz * tint.xyz * bright, 1.0);\n"
	"}\n";

#define WIDTH 1920
#define HEIGHT 1080

static void draw_box(struct scene *s, qs_gfx3d_handle mesh, const float view[16], const float at[3], const float size[3], unsigned tone)
{
	float move[16], model[16];

	place(0, 0, at[0], at[1], at[2], move);
	multiply(view, move, model);
	scene_matrix(s, "model", model);
	scene_vec4(s, "size", size[0], size[1], size[2], 1);
	scene_vec4(s, "tint", 0.5f + (float)(tone % 3) * 0.25f, 0.5f + (float)(tone / 3 % 3) * 0.25f, 0.55f + (float)(tone / 9 % 3) * 0.2f, 1);
	scene_draw(s, mesh);
}

static void draw_city(struct scene *s, qs_gfx3d_handle mesh, const float view[16], qs_gfx3d_handle ground, qs_gfx3d_handle wall)
{
	const float floor_at[3] = {0, -0.1f, 0}, floor_size[3] = {16, 0.1f, 16};
	unsigned random = 12345;

	qs_gfx3d_bind_tex(s->g, OWNER, s->context, 0, ground);
	draw_box(s, mesh, view, floor_at, floor_size, 13);
	qs_gfx3d_bind_tex(s->g, OWNER, s->context, 0, wall);
	for (int i = 0; i < 64; i++) {
		float height, at[3], size[3];

		random = random * 1103515245u + 12345u;
		height = 0.4f + (float)(random >> 16 & 255) / 80;
		at[0] = (float)(i % 8) * 3.6f - 12.6f;
		at[1] = height;
		at[2] = (float)(i / 8) * 3.6f - 12.6f;
		size[0] = 0.8f + (float)(random >> 24 & 15) / 20;
		size[1] = height;
		size[2] = 0.8f + (float)(random >> 28) / 20;
		draw_box(s, mesh, view, at, size, random >> 18);
	}
}

static qs_gfx3d_handle texture(struct scene *s, bool windows)
{
	static uint32_t pixel[64 * 64];
	qs_gfx3d_handle handle = qs_gfx3d_tex_create(s->g, OWNER, 64, 64);

	for (int i = 0; i < 64 * 64; i++) {
		int x = i % 64, y = i / 64;
		bool pane = x % 8 > 1 && x % 8 < 7 && y % 8 > 2;

		pixel[i] = windows ? (pane ? (x / 8 * 5 + y / 8 * 3) % 4 ? 0x304860 : 0xFFE090 : 0xB0A090)
			: (x % 16 == 0 || y % 16 == 0 ? 0x808080 : 0x405038);
	}
	if (qs_gfx3d_tex_upload(s->g, OWNER, handle, 64, 64, pixel))
		fail(s, "texture");
	return handle;
}

int main(int argc, char **argv)
{
	qs_gfx3d_handle mesh, ground, wall;
	float projection[16], view[16];
	struct scene s;

	scene_open(&s, WIDTH, HEIGHT);
	scene_program(&s, vertex, fragment);
	mesh = cube(&s);
	ground = texture(&s, false);
	wall = texture(&s, true);
	perspective(50, (float)WIDTH / HEIGHT, 1, 60, projection);
	scene_matrix(&s, "projection", projection);
	scene_vec4(&s, "light", 0.48f, 0.6f, 0.64f, 0);
	place(0.5f, 0.45f, 0, -1.5f, -24, view);
	draw_city(&s, mesh, view, ground, wall);
	if (qs_gfx3d_end(s.g, OWNER, s.context) || qs_gfx3d_begin(s.g, OWNER, s.context, s.target) ||
	    qs_gfx3d_clear(s.g, OWNER, s.context, 0.35f, 0.5f, 0.7f, 1, 1))
		fail(&s, "second frame");
	place(-0.35f, 0.7f, 0, -0.5f, -21, view);
	draw_city(&s, mesh, view, ground, wall);
	return scene_close(&s, argc, argv);
}
