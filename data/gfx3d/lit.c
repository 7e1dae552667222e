/* lit.c - diffuse and specular light on a ball: normalize, dot, max, pow
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "scene.h"

static const char vertex[] =
	"#version 330\n"
	"layout(location = 0) in vec4 position;\n"
	"layout(location = 1) in vec3 normal;\n"
	"uniform mat4 model;\n"
	"uniform mat4 projection;\n"
	"uniform mat3 normalMatrix;\n"
	"out vec3 direction;\n"
	"out vec3 place;\n"
	"void main()\n"
	"{\n"
	"	vec4 world = model * position;\n"
	"	gl_Position = projection * world;\n"
	"	direction = normalMatrix * normal;\n"
	"	place = world.xyz;\n"
	"}\n";
static const char fragment[] =
	"#version 330\n"
	"in vec3 direction;\n"
	"in vec3 place;\n"
	"uniform vec4 light;\n"
	"uniform vec4 surface;\n"
	"out vec4 color;\n"
	"void main()\n"
	"{\n"
	"	vec3 n = normalize(direction);\n"
	"	vec3 l = normalize(light.xyz - place);\n"
	"	float diffuse = max(dot(n, l), 0.0);\n"
	"	vec3 mirrored = reflect(place, n);\n"
	"	float gloss = pow(max(dot(normalize(mirrored), l), 0.0), 8.0);\n"
	"	vec3 sum = surface.xyz * (0.15 + 0.75 * diffuse) + vec3(0.5, 0.5, 0.5) * gloss;\n"
	"	color = vec4(clamp(sum, 0.0, 1.0), 1.0);\n"
	"}\n";

#define RINGS 12
#define STEPS 20

static void ball_vertex(float out[8], int ring, int step)
{
	float a = (float)ring / RINGS * 3.14159265f, b = (float)step / STEPS * 6.2831853f;
	const float n[3] = {sinf(a) * cosf(b), cosf(a), sinf(a) * sinf(b)};
	const float v[8] = {n[0], n[1], n[2], 1, n[0], n[1], n[2], 0};

	memcpy(out, v, sizeof v);
}

static qs_gfx3d_handle ball(struct scene *s)
{
	static float vertex_data[(RINGS + 1) * (STEPS + 1)][8];
	static uint16_t index[RINGS * STEPS * 6];
	const struct qs_gfx3d_layout layout = {32, 2, {{0, 4, 0}, {1, 3, 16}}};
	qs_gfx3d_handle mesh = qs_gfx3d_mesh_create(s->g, OWNER, QS_GFX3D_STATIC);
	unsigned n = 0;

	for (int r = 0; r <= RINGS; r++)
		for (int t = 0; t <= STEPS; t++)
			ball_vertex(vertex_data[r * (STEPS + 1) + t], r, t);
	for (int r = 0; r < RINGS; r++)
		for (int t = 0; t < STEPS; t++) {
			int a = r * (STEPS + 1) + t, b = a + STEPS + 1;
			const int quad[6] = {a, a + 1, b + 1, a, b + 1, b};

			for (int i = 0; i < 6; i++)
				index[n++] = (uint16_t)quad[i];
		}
	if (qs_gfx3d_mesh_upload(s->g, OWNER, mesh, &layout, vertex_data, sizeof vertex_data, index, n))
		fail(s, "ball");
	return mesh;
}

int main(int argc, char **argv)
{
	float model[16], projection[16];
	qs_gfx3d_handle mesh;
	struct scene s;

	scene_open(&s, 160, 120);
	scene_program(&s, vertex, fragment);
	perspective(40, 160.0f / 120, 1, 20, projection);
	scene_matrix(&s, "projection", projection);
	scene_vec4(&s, "light", 3, 3, 0, 1);
	scene_vec4(&s, "surface", 0.9f, 0.5f, 0.2f, 1);
	mesh = ball(&s);
	place(0, 0, 0, 0, -4, model);
	qs_gfx3d_model_matrix(s.g, OWNER, s.context, model);
	scene_draw(&s, mesh);
	return scene_close(&s, argc, argv);
}
