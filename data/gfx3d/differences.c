/* differences.c - one small scene for everything in which ChrisOS's renderer on the CPU and a VirGL host differ, or should not
 * (spec 02, the table of section 6 and the tests of section 7)
 *
 * `differences NAME [picture.png]` draws one, `differences` lists them.  What `qscope diff` has to say of each is in
 * data/captures/differences.txt.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "scene.h"

#define SIZE 32

static const char vertex[] =
	"#version 330\nlayout(location = 0) in vec4 position;\nlayout(location = 1) in vec4 tone;\nout vec4 colour;\n"
	"void main() { gl_Position = position; colour = tone; }\n";
static const char by_colour[] =
	"#version 330\nin vec4 colour;\nout vec4 result;\nvoid main() { result = colour; }\n";

#define FRAGMENT(declarations, code) \
	"#version 330\nin vec4 colour;\nuniform vec4 n;\n" declarations "out vec4 result;\nvoid main() { " code " }\n"
#define WHITE_IF(condition) FRAGMENT("", "result = vec4(0.0, 0.0, 0.0, 1.0); if (" condition ") { result = vec4(1.0, 1.0, 1.0, 1.0); }")
/* Fragment shaders as CSIR: what the language cannot say. */
#define CSIR(temps, code) \
	"shader \"csir\" fragment\ninput vec4 \"colour\" slot=0\nuniform vec4 \"n\" slot=0\noutput vec4 \"result\" slot=0\n" \
	"marks attr=-1 vary=0 uniform=0 sampler=-1 position=0 outputs=1 linkable=1\ntemps " #temps "\nimm 0 1 0.5 0.25\n" code "store_color.4 %1\n"

/* White where 1 / root of n.x compares with n.y. */
#define ROOT(relation) \
	CSIR(6, "%2 = load_uni.4 aux2=1\n%3 = rsq.1 %2\n%4 = swz.1 %2.y\n%1 = const.4\n%3 = cmp.1 %3 %4 rel=" relation "\n%1 = swz.3 %3.xxx\n")

static void start(struct scene *s, const char *fragment)
{
	memset(s, 0, sizeof *s);
	s->g = qs_gfx3d_create(NULL);
	if (!s->g || qs_gfx3d_boot(s->g, QS_GFX3D_SOFTWARE))
		fail(s, "boot");
	s->width = s->height = SIZE;
	s->context = qs_gfx3d_context_create(s->g, OWNER);
	s->target = qs_gfx3d_target_create(s->g, OWNER, s->context, SIZE, SIZE);
	if (!s->target || qs_gfx3d_begin(s->g, OWNER, s->context, s->target))
		fail(s, "target");
	if (fragment)
		scene_program(s, vertex, fragment);
}

static void black(struct scene *s)
{
	qs_gfx3d_clear(s->g, OWNER, s->context, 0, 0, 0, 1, 1);
}

/* Vertices of eight floats: position and colour. */
static int try_triangles(struct scene *s, const float (*v)[8], size_t count, const struct qs_gfx3d_layout *layout, const uint16_t *index,
	size_t indices)
{
	static const struct qs_gfx3d_layout plain = {32, 2, {{0, 4, 0}, {1, 4, 16}}};
	qs_gfx3d_handle mesh = qs_gfx3d_mesh_create(s->g, OWNER, QS_GFX3D_STATIC);

	if (qs_gfx3d_mesh_upload(s->g, OWNER, mesh, layout ? layout : &plain, v, count * sizeof *v, index, indices))
		fail(s, "mesh");
	return qs_gfx3d_draw(s->g, OWNER, s->context, mesh);
}

static void triangles(struct scene *s, const float (*v)[8], size_t count)
{
	if (try_triangles(s, v, count, NULL, NULL, 0))
		fail(s, "draw");
}

/* Over the whole target and beyond, so that no edge is inside; colour runs with the position when r is below 0. */
static void whole(struct scene *s, float z, float w, float r, float g, float b)
{
	static const float corner[3][2] = {{-1, -1}, {3, -1}, {-1, 3}};
	float v[3][8];

	for (int i = 0; i < 3; i++) {
		const float at[8] = {corner[i][0] * w, corner[i][1] * w, z, w, r < 0 ? (corner[i][0] + 1) / 2 : r, r < 0 ? (corner[i][1] + 1) / 2 : g, b, 1};

		memcpy(v[i], at, sizeof at);
	}
	triangles(s, (const float (*)[8])v, 3);
}

static qs_gfx3d_handle texture(struct scene *s, int width, int height)
{
	qs_gfx3d_handle t = qs_gfx3d_tex_create(s->g, OWNER, width, height);
	uint32_t pixel[64];

	for (int i = 0; i < width * height; i++)
		pixel[i] = i % 3 == 0 ? 0xFFFF0000 : i % 3 == 1 ? 0xFF00FF00 : 0xFF0000FF;
	if (qs_gfx3d_tex_upload(s->g, OWNER, t, width, height, pixel) || qs_gfx3d_bind_tex(s->g, OWNER, s->context, 0, t))
		fail(s, "texture");
	return t;
}

/* ---- scenes: a shader over the whole target ------------------------------------------------------------------------------- */

static const struct {
	const char *name, *fragment;
	float n[4];
} shaders[] = {
	{"rcp-zero", WHITE_IF("1.0 / n.x > 1.0"), {0}},
	{"rsq-zero", ROOT("gt"), {0, 1}},
	{"rsq-negative", ROOT("eq"), {-1, 0}},
	{"rsq-precision", ROOT("gt"), {2, 0.711f}},
	{"pow-negative", WHITE_IF("pow(n.x, n.y) < 0.0"), {-2, 3}},
	{"pow-zero", WHITE_IF("pow(n.x, n.y) == 0.0"), {0, 0}},
	{"pow-whole", WHITE_IF("pow(n.x, n.y) > 7.9"), {2, 3}},
	{"pow-fraction", WHITE_IF("pow(n.x, n.y) > 1.41"), {2, 0.5f}},
	{"pow-small", WHITE_IF("pow(n.x, n.y) > 1.0"), {0.5f, 32}},
	{"sine", WHITE_IF("sin(n.x) > 0.5"), {1}},
	{"sine-precision", WHITE_IF("sin(n.x) > n.y"), {3.1f, 0.041590f}},
	{"sine-far", WHITE_IF("sin(n.x) > 1.0"), {110}},
	{"rounding", FRAGMENT("", "result = n;"), {0.5f, 0.25f, 0.75f, 1}},
	{"spill", FRAGMENT("", "result = n;"), {1.2f, 1.2f, 1.2f, 1}},
	{"negative-colour", FRAGMENT("", "result = n;"), {-0.1f, 0, 0, 1}},
	{"discard", FRAGMENT("", "if (colour.x > 0.5) { discard; } result = vec4(0.0, 0.0, 1.0, 1.0);"), {0}},
	{"branches", FRAGMENT("", "if (colour.x > 0.5) { if (colour.y > 0.5) { result = vec4(1.0, 0.0, 0.0, 1.0); } else { result = "
		"vec4(0.0, 1.0, 0.0, 1.0); } } else { result = vec4(0.0, 0.0, 1.0, 1.0); }"), {0}},
	{"immediates", WHITE_IF("n.x - 0.7 > 0.0"), {0.7f}},
	{"coordinate-xy", WHITE_IF("gl_FragCoord.x + gl_FragCoord.y > n.x"), {20.5f}},
	{"coordinate-z", WHITE_IF("gl_FragCoord.z > 0.25"), {0}},
	{"coordinate-w", WHITE_IF("gl_FragCoord.w > 1.0"), {0}},
	{"swizzle-lanes", CSIR(4, "%2 = load_uni.4 aux2=1\n%1 = const.4\n%1 = swz.2 %2.xy\n"), {0, 0, 0, 1}},
	{"abs-lanes", CSIR(4, "%2 = load_uni.4 aux2=1\n%1 = const.4\n%1 = abs.1 %2\n"), {1, 1, 1, 1}},
	{"matrix-overlap", CSIR(8, "%2 = load_uni.4 aux2=1\n%3 = mov.4 %2\n%4 = mov.4 %2\n%5 = mov.4 %2\n%2 = mul_mv.4 %2 %2 aux=4\n%1 = mov.4 %2\n"),
		{0.25f, 0.5f, 0, 0.5f}},
	{"unwritten", CSIR(4, "%1 = const.4\n%1 = mov.3 %3\n"), {0}},
};

/* Two triangles whose attributes the host fetches in another way. */
static void attribute_order(struct scene *s)
{
	static const struct qs_gfx3d_layout swapped = {32, 2, {{1, 4, 16}, {0, 4, 0}}};
	static const float v[3][8] = {{-1, -1, 0, 1, 1, 0, 0, 1}, {3, -1, 0, 1, 1, 0, 0, 1}, {-1, 3, 0, 1, 1, 0, 0, 1}};

	try_triangles(s, v, 3, &swapped, NULL, 0);
}

static void attribute_format(struct scene *s)
{
	static const struct qs_gfx3d_layout three = {28, 2, {{0, 4, 0}, {1, 3, 16}}};
	static const float v[3][7] = {{-1, -1, 0, 1, 1, 1, 1}, {3, -1, 0, 1, 1, 1, 1}, {-1, 3, 0, 1, 1, 1, 1}};
	qs_gfx3d_handle mesh = qs_gfx3d_mesh_create(s->g, OWNER, QS_GFX3D_STATIC);

	scene_program(s, "#version 330\nlayout(location = 0) in vec4 position;\nlayout(location = 1) in vec3 tone;\nout vec4 colour;\n"
			"void main() { gl_Position = position; colour = vec4(tone, 1.0); }\n", by_colour);
	qs_gfx3d_mesh_upload(s->g, OWNER, mesh, &three, v, sizeof v, NULL, 0);
	scene_draw(s, mesh);
}

/* A position of two floats is 0 in the third and fourth lane, or 0 and 1. */
static void attribute_lanes(struct scene *s)
{
	static const struct qs_gfx3d_layout two = {16, 2, {{0, 2, 0}, {1, 2, 8}}};
	static const float v[3][4] = {{-1, -1, 1, 0}, {3, -1, 1, 0}, {-1, 3, 1, 0}};
	qs_gfx3d_handle mesh = qs_gfx3d_mesh_create(s->g, OWNER, QS_GFX3D_STATIC);

	scene_program(s, "shader \"lanes\" vertex\ninput vec2 \"position\" slot=0\ninput vec2 \"tone\" slot=1\noutput vec4 \"colour\" slot=0\n"
			"marks attr=1 vary=0 uniform=-1 sampler=-1 position=1 outputs=1 linkable=1\ntemps 3\nimm 0 0 0 1\n"
			"%0 = load_attr.4 aux=0\n%2 = const.4\n%2 = mov.2 %0\nstore_pos.4 %2\n%1 = load_attr.4 aux=1\n%1 = lane.4 %1 aux=0 aux2=3\nstore_var.4 %1 aux=0\n",
		by_colour);
	qs_gfx3d_mesh_upload(s->g, OWNER, mesh, &two, v, sizeof v, NULL, 0);
	scene_draw(s, mesh);
}

static void index_range(struct scene *s)
{
	static const float v[3][8] = {{-1, -1, 0, 1, 1, 0, 0, 1}, {3, -1, 0, 1, 1, 0, 0, 1}, {-1, 3, 0, 1, 1, 0, 0, 1}};
	static const uint16_t index[6] = {1, 2, 9, 0, 1, 2};

	try_triangles(s, v, 3, NULL, index, 6);
}

/* ---- scenes of depth, clipping, coverage ---------------------------------------------------------------------------------- */

static void depth_off(struct scene *s)
{
	qs_gfx3d_depth(s->g, OWNER, s->context, 0);
	whole(s, -0.5f, 1, 1, 0, 0);
	whole(s, 0.5f, 1, 0, 1, 0);
}

static void clear_without_depth(struct scene *s)
{
	whole(s, 0, 1, 1, 0, 0);
	qs_gfx3d_clear(s->g, OWNER, s->context, 0, 0, 0, 1, 0);
	whole(s, 0.5f, 1, 0, 1, 0);
}

static void depth_formula(struct scene *s)
{
	whole(s, 0.6f, 1, 1, 0, 0);
	whole(s, 0.8f, 2, 0, 1, 0);
}

static void far_limit(struct scene *s)
{
	whole(s, 1.5f, 2, 0, 1, 0);
}

static void near_limit(struct scene *s)
{
	whole(s, -2, 1, 1, 0, 0);
}

static void equal_depth(struct scene *s)
{
	whole(s, 0.25f, 1, 1, 0, 0);
	whole(s, 0.25f, 1, 0, 1, 0);
}

static void depth_one(struct scene *s)
{
	whole(s, 1, 1, 1, 0, 0);
}

static void kept_depth(struct scene *s)
{
	whole(s, 0.25f, 1, 1, 0, 0);
	whole(s, 0.5f, 1, 0, 1, 0);
	whole(s, -0.25f, 1, 0, 0, 1);
	whole(s, 0, 1, 1, 1, 1);
}

/* Fragments that were discarded leave the old depth, so that something farther still shows. */
static void discard_depth(struct scene *s)
{
	whole(s, 0, 1, -1, 0, 0);
	scene_program(s, vertex, by_colour);
	whole(s, 0.5f, 1, 1, 0, 0);
}

static void cull(struct scene *s)
{
	static const float v[3][8] = {{-1, -1, 0, 1, 1, 0, 0, 1}, {-1, 3, 0, 1, 1, 0, 0, 1}, {3, -1, 0, 1, 1, 0, 0, 1}};

	qs_gfx3d_cull(s->g, OWNER, s->context, 1);
	triangles(s, v, 3);
}

static void viewport(struct scene *s)
{
	qs_gfx3d_viewport(s->g, OWNER, s->context, 8, 8, 16, 16);
	whole(s, 0, 1, 1, 0, 0);
}

static void negative_w(struct scene *s)
{
	static const float v[3][8] = {{-0.8f, -0.8f, 0, -1, 1, 0, 0, 1}, {0.8f, -0.8f, 0, -1, 1, 0, 0, 1}, {0, 0.8f, 0, -1, 1, 0, 0, 1}};

	triangles(s, v, 3);
}

static void some_negative_w(struct scene *s)
{
	static const float v[3][8] = {{-0.8f, -0.8f, 0, 1, 1, 0, 0, 1}, {0.8f, -0.8f, 0, 1, 1, 0, 0, 1}, {0, 0.8f, 0, -0.5f, 1, 0, 0, 1}};

	triangles(s, v, 3);
}

static void zero_w(struct scene *s)
{
	static const float v[3][8] = {{-0.8f, -0.8f, 0, 1, 1, 0, 0, 1}, {0.8f, -0.8f, 0, 1, 1, 0, 0, 1}, {0, 0.8f, 0, 0, 1, 0, 0, 1}};

	triangles(s, v, 3);
}

static void near_crossing(struct scene *s)
{
	static const float v[3][8] = {{-0.8f, -0.8f, 0, 1, 1, 0, 0, 1}, {0.8f, -0.8f, 0, 1, 1, 0, 0, 1}, {0, 0.8f, -3, 1, 1, 0, 0, 1}};

	triangles(s, v, 3);
}

static void coverage(struct scene *s)
{
	uint32_t seed = 12345;

	for (int n = 0; n < 20; n++) {
		float v[3][8];

		for (int i = 0; i < 3; i++)
			for (int k = 0; k < 8; k++) {
				seed = seed * 1664525u + 1013904223u;
				v[i][k] = k < 2 ? (float)(seed >> 8 & 0xFFFF) / 32768.0f - 1 : k == 2 ? 0.5f - (float)n / 20 : k == 3 || k == 7 || k - 4 == n % 3;
			}
		triangles(s, (const float (*)[8])v, 3);
	}
}

/* Along the shared edge the first of the two keeps what both cover. */
static void shared_edge(struct scene *s)
{
	static const float v[6][8] = {{-1, -1, 0, 1, 0, 1, 0, 1}, {1, 1, 0, 1, 0, 1, 0, 1}, {-1, 1, 0, 1, 0, 1, 0, 1}, {-1, -1, 0, 1, 1, 0, 0, 1},
		{1, -1, 0, 1, 1, 0, 0, 1}, {1, 1, 0, 1, 1, 0, 0, 1}};

	triangles(s, v, 6);
}

static void proof(struct scene *s)
{
	static const float v[3][8] = {{-0.8f, -0.8f, 0, 1, 1, 0, 0, 1}, {0.8f, -0.8f, 0, 1, 1, 0, 0, 1}, {0, 0.8f, 0, 1, 1, 0, 0, 1}};

	triangles(s, v, 3);
}

/* ---- scenes of textures --------------------------------------------------------------------------------------------------- */

static void texels(struct scene *s)
{
	texture(s, 8, 1);
	whole(s, 0, 1, -1, 0, 0);
}

static void texture_rows(struct scene *s)
{
	texture(s, 1, 2);
	whole(s, 0, 1, -1, 0, 0);
}

static void texture_outside(struct scene *s)
{
	static const float v[3][8] = {{-1, -1, 0, 1, -1, 0, 0, 1}, {3, -1, 0, 1, 5, 0, 0, 1}, {-1, 3, 0, 1, -1, 3, 0, 1}};

	texture(s, 2, 1);
	triangles(s, v, 3);
}

static void plain(struct scene *s)
{
	whole(s, 0, 1, -1, 0, 0);
}

static void second_sampler(struct scene *s)
{
	texture(s, 1, 1);
	whole(s, 0, 1, -1, 0, 0);
}

static void clear_colour(struct scene *s)
{
	qs_gfx3d_clear(s->g, OWNER, s->context, 0.1f, 0.5f, 0.9f, 1, 1);
}

static void clear_spill(struct scene *s)
{
	qs_gfx3d_clear(s->g, OWNER, s->context, 1.2f, 1.2f, 1.2f, 1, 1);
}

/* Eight varyings and the fragment coordinate: the host has the coordinate in the place of the last one. */
static void eighth_varying(struct scene *s)
{
	scene_program(s, "#version 330\nlayout(location = 0) in vec4 position;\nlayout(location = 1) in vec4 tone;\n"
			"out vec4 v0;\nout vec4 v1;\nout vec4 v2;\nout vec4 v3;\nout vec4 v4;\nout vec4 v5;\nout vec4 v6;\nout vec4 v7;\n"
			"void main() { gl_Position = position; v0 = tone; v1 = tone; v2 = tone; v3 = tone; v4 = tone; v5 = tone; v6 = tone; v7 = tone; }\n",
		"#version 330\nin vec4 v0;\nin vec4 v1;\nin vec4 v2;\nin vec4 v3;\nin vec4 v4;\nin vec4 v5;\nin vec4 v6;\nin vec4 v7;\nout vec4 result;\n"
		"void main() { result = v7 + (v0 + v1 + v2 + v3 + v4 + v5 + v6) * 0.0; }\n");
	whole(s, 0, 1, 0, 1, 0);
}

static void uniform_budget(struct scene *s)
{
	static const float v[4] = {0, 1, 0, 1};

	scene_program(s, vertex, "#version 330\nin vec4 colour;\nuniform mat4 a;\nuniform mat4 b;\nuniform mat4 c;\nuniform mat4 d;\nuniform vec4 e;\n"
		"out vec4 result;\nvoid main() { result = e + (a * colour + b * colour + c * colour + d * colour) * 0.0; }\n");
	qs_gfx3d_uniform_f(s->g, OWNER, s->context, "e", v, 4);
	whole(s, 0, 1, 1, 0, 0);
}

static void vertex_texture(struct scene *s)
{
	scene_program(s, "#version 330\nlayout(location = 0) in vec4 position;\nlayout(location = 1) in vec4 tone;\nuniform sampler2D image;\n"
			"out vec4 colour;\nvoid main() { gl_Position = position; colour = texture(image, tone.xy) + tone; }\n", by_colour);
	whole(s, 0, 1, 1, 0, 0);
}

static void relink(struct scene *s)
{
	qs_gfx3d_handle shader = qs_gfx3d_shader_create(s->g, OWNER, vertex, by_colour);
	qs_gfx3d_handle program = qs_gfx3d_prog_prepare(s->g, OWNER, s->context, shader);

	qs_gfx3d_use(s->g, OWNER, s->context, program);
	qs_gfx3d_shader_relink(s->g, OWNER, shader, vertex,
		"#version 330\nin vec4 missing;\nout vec4 result;\nvoid main() { result = vec4(0.0, 1.0, 0.0, 1.0) + missing * 0.0; }\n");
	whole(s, 0, 1, 1, 0, 0);
}

static void resizes(struct scene *s)
{
	for (int n = 1; n <= 40; n++) {
		qs_gfx3d_handle other = qs_gfx3d_target_create(s->g, OWNER, s->context, n, 2 * n);

		qs_gfx3d_target_resize(s->g, OWNER, other, 41 - n, n);
		qs_gfx3d_target_destroy(s->g, OWNER, other);
	}
	qs_gfx3d_target_resize(s->g, OWNER, s->target, 16, 16);
	s->width = s->height = 16;
	qs_gfx3d_begin(s->g, OWNER, s->context, s->target);
	black(s);
	whole(s, 0, 1, 0, 1, 0);
}

/* Sums of two colours. */
static void blended(struct scene *s)
{
	static const struct qs_gfx3d_blend add = {1, QS_GFX3D_ONE, QS_GFX3D_ONE, QS_GFX3D_ADD, QS_GFX3D_ONE, QS_GFX3D_ZERO, QS_GFX3D_ADD, 15};

	whole(s, 0.5f, 1, 1, 0, 0);
	qs_gfx3d_blend(s->g, OWNER, s->context, &add);
	whole(s, 0, 1, 0, 1, 0);
}

/* The same program with another value of its uniform. */
static void two_values(struct scene *s)
{
	scene_vec4(s, "n", 1, 0, 0, 1);
	whole(s, 0.5f, 1, 0, 0, 0);
	scene_vec4(s, "n", 0, 1, 1, 1);
	whole(s, 0, 1, 0, 0, 0);
}

/* The first frame is equal, the second one's colour has to be rounded. */
static void two_frames(struct scene *s)
{
	whole(s, 0, 1, 1, 0, 0);
	qs_gfx3d_end(s->g, OWNER, s->context);
	qs_gfx3d_begin(s->g, OWNER, s->context, s->target);
	black(s);
	whole(s, 0, 1, 0.5f, 0, 0);
}

static void perspective_colours(struct scene *s)
{
	static const float v[3][8] = {{-0.9f, -0.9f, 0, 1, 0, 0, 0, 1}, {2.7f, -2.7f, 0, 3, 1, 0, 0, 1}, {0, 1.8f, 0, 2, 0, 1, 0, 1}};

	triangles(s, v, 3);
}

/* A root in the vertex shader: about 0.707, or 1 % more. */
static void vertex_root(struct scene *s)
{
	scene_program(s, "#version 330\nlayout(location = 0) in vec4 position;\nlayout(location = 1) in vec4 tone;\nout vec4 colour;\n"
			"void main() { gl_Position = position; vec3 n = normalize(vec3(tone.x, tone.x, 0.0)); float big = (n.x - 0.7) * 50.0;\n"
			"colour = vec4(big, 0.0, 0.0, 1.0); }\n", by_colour);
	whole(s, 0, 1, 1, 0, 0);
}

/* A sine in it that moves the triangle away. */
static void vertex_sine(struct scene *s)
{
	scene_program(s, "#version 330\nlayout(location = 0) in vec4 position;\nlayout(location = 1) in vec4 tone;\nout vec4 colour;\n"
			"void main() { float away = max(sin(tone.x * 110.0), 0.0); gl_Position = position + vec4(away * 0.125, 0.0, 0.0, 0.0); colour = tone; }\n",
		by_colour);
	whole(s, 0, 1, 1, 0, 0);
}

/* ---- extensions: drawn as a graphics processor draws, so that both are equal ------------------------------------------------ */

static const float big[3][8] = {{-0.9f, -0.8f, 0, 1, 1, 0, 0, 1}, {0.7f, -0.9f, 0, 1, 1, 0, 0, 1}, {0.1f, 0.9f, 0, 1, 1, 0, 0, 1}};

static void with_stencil(struct scene *s, uint8_t func, uint8_t failing, uint8_t depth_fail, uint8_t pass, uint8_t reference, uint8_t write_mask)
{
	const struct qs_gfx3d_stencil stencil = {1, func, failing, depth_fail, pass, reference, 255, write_mask};

	if (qs_gfx3d_stencil(s->g, OWNER, s->context, &stencil))
		fail(s, "stencil");
}

/* Every operation leaves a value of its own, which a layer in front of all makes visible. */
static void stencil(struct scene *s)
{
	static const struct {
		uint8_t reference, mask;
		float color[3];
	} seen[] = {{6, 255, {0, 0, 1}}, {255, 255, {0, 1, 0}}, {3, 255, {1, 1, 0}}, {0xF0, 0xF0, {0, 1, 1}}};

	qs_gfx3d_set_model(s->g, QS_GFX3D_CORRECTED);
	with_stencil(s, QS_GFX3D_ALWAYS, QS_GFX3D_KEEP, QS_GFX3D_KEEP, QS_GFX3D_REPLACE, 5, 255);
	triangles(s, big, 3);
	/* behind it: 6 where the triangle is, 255 where the test fails */
	with_stencil(s, QS_GFX3D_EQUAL, QS_GFX3D_DECREMENT_WRAP, QS_GFX3D_INCREMENT, QS_GFX3D_STENCIL_ZERO, 5, 255);
	whole(s, 0.5f, 1, 1, 1, 1);
	with_stencil(s, QS_GFX3D_NOTEQUAL, QS_GFX3D_KEEP, QS_GFX3D_KEEP, QS_GFX3D_INVERT, 6, 0x0F);
	triangles(s, (const float[3][8]){{-1, -1, -0.1f, 1, 1, 0, 1, 1}, {1, -1, -0.1f, 1, 1, 0, 1, 1}, {1, 0, -0.1f, 1, 1, 0, 1, 1}}, 3);
	for (unsigned i = 0; i < sizeof seen / sizeof *seen; i++) {
		with_stencil(s, QS_GFX3D_EQUAL, QS_GFX3D_KEEP, QS_GFX3D_KEEP, QS_GFX3D_KEEP, seen[i].reference, seen[i].mask);
		whole(s, -0.2f - 0.1f * (float)i, 1, seen[i].color[0], seen[i].color[1], seen[i].color[2]);
	}
}

/* Four samples a pixel: edges, a shared one, one triangle through another, and a stencil of their own. */
static void samples(struct scene *s)
{
	static const float behind[3][8] = {{-0.2f, -0.95f, 0.8f, 1, 0, 1, 0, 1}, {0.95f, -0.3f, -0.8f, 1, 0, 1, 0, 1}, {-0.8f, 0.7f, 0.4f, 1, 0, 1, 0, 1}};
	static const float shared[6][8] = {{-0.9f, 0.2f, -0.5f, 1, 0, 0, 1, 1}, {-0.1f, 0.3f, -0.5f, 1, 0, 0, 1, 1}, {-0.7f, 0.93f, -0.5f, 1, 0, 0, 1, 1},
		{-0.1f, 0.3f, -0.5f, 1, 1, 0, 1, 1}, {0.3f, 0.95f, -0.5f, 1, 1, 0, 1, 1}, {-0.7f, 0.93f, -0.5f, 1, 1, 0, 1, 1}};

	qs_gfx3d_set_model(s->g, QS_GFX3D_CORRECTED);
	s->target = qs_gfx3d_target_create_samples(s->g, OWNER, s->context, SIZE, SIZE, 4);
	if (!s->target || qs_gfx3d_begin(s->g, OWNER, s->context, s->target))
		fail(s, "target");
	black(s);
	with_stencil(s, QS_GFX3D_ALWAYS, QS_GFX3D_KEEP, QS_GFX3D_KEEP, QS_GFX3D_INCREMENT, 0, 255);
	triangles(s, big, 3);
	triangles(s, behind, 3);
	triangles(s, shared, 6);
	with_stencil(s, QS_GFX3D_EQUAL, QS_GFX3D_KEEP, QS_GFX3D_KEEP, QS_GFX3D_KEEP, 2, 255);
	whole(s, -0.9f, 1, 1, 1, 1);
}

static void derivatives(struct scene *s)
{
	qs_gfx3d_set_model(s->g, QS_GFX3D_CORRECTED);
	scene_program(s, vertex, "#version 330\nin vec4 colour;\nout vec4 result;\nvoid main() {\n"
		"float r = colour.x * colour.x + colour.y * colour.y; float w = fwidth(r);\n"
		"float edge = clamp((0.7 - r) / w, 0.0, 1.0);\n"
		"result = vec4(edge, 0.5 + dFdx(colour.x) * 8.0, 0.5 + dFdy(colour.y) * 8.0, 1.0);\n"
		"if (colour.x > 0.5) { float inner = dFdy(gl_FragCoord.y); result = vec4(edge, inner, 0.0, 1.0); } }\n");
	whole(s, 0, 1, -1, 0, 0);
}

#define TEXTURED FRAGMENT("uniform sampler2D image;\n", "result = texture(image, colour.xy);")

static const struct {
	const char *name, *fragment;
	void (*draw)(struct scene *s);
	bool unclear; /* no clear before */
} scenes[] = {
	{"attribute-order", by_colour, attribute_order, false}, {"attribute-format", NULL, attribute_format, false},
	{"attribute-lanes", NULL, attribute_lanes, false}, {"index-range", by_colour, index_range, false},
	{"depth-off", by_colour, depth_off, false}, {"clear-without-depth", by_colour, clear_without_depth, false},
	{"depth-formula", by_colour, depth_formula, false}, {"far-limit", by_colour, far_limit, false},
	{"near-limit", by_colour, near_limit, false}, {"equal-depth", by_colour, equal_depth, false},
	{"depth-one", by_colour, depth_one, false}, {"kept-depth", by_colour, kept_depth, false},
	{"discard-depth", FRAGMENT("", "if (colour.x > 0.5) { discard; } result = vec4(0.0, 0.0, 1.0, 1.0);"), discard_depth, false},
	{"cull", by_colour, cull, false}, {"viewport", by_colour, viewport, false}, {"negative-w", by_colour, negative_w, false},
	{"some-negative-w", by_colour, some_negative_w, false}, {"zero-w", by_colour, zero_w, false},
	{"near-crossing", by_colour, near_crossing, false}, {"coverage", by_colour, coverage, false},
	{"shared-edge", by_colour, shared_edge, false}, {"proof", by_colour, proof, false}, {"texels", TEXTURED, texels, false},
	{"texture-rows", TEXTURED, texture_rows, false}, {"texture-outside", TEXTURED, texture_outside, false},
	{"no-texture", FRAGMENT("uniform sampler2D image;\n", "result = texture(image, colour.xy).wwww;"), plain, false},
	{"second-sampler", FRAGMENT("uniform sampler2D first;\nuniform sampler2D second;\n",
		"result = texture(first, colour.xy) * 0.0 + texture(second, colour.xy);"), second_sampler, false},
	{"clear-colour", NULL, clear_colour, true}, {"clear-spill", NULL, clear_spill, true},
	{"eighth-varying", NULL, eighth_varying, false}, {"uniform-budget", NULL, uniform_budget, false},
	{"vertex-texture", NULL, vertex_texture, false},
	{"relink", NULL, relink, false}, {"resizes", by_colour, resizes, false}, {"fresh-target", by_colour, proof, true},
	{"blended", by_colour, blended, false}, {"two-values", FRAGMENT("", "result = n;"), two_values, false},
	{"perspective", by_colour, perspective_colours, false}, {"two-frames", by_colour, two_frames, false},
	{"vertex-root", NULL, vertex_root, false}, {"vertex-sine", NULL, vertex_sine, false},
	{"stencil", by_colour, stencil, false}, {"samples", by_colour, samples, false}, {"derivatives", by_colour, derivatives, false},
};

#define SHADERS (sizeof shaders / sizeof *shaders)
#define SCENES (sizeof scenes / sizeof *scenes)

int main(int argc, char **argv)
{
	struct scene s;

	for (size_t i = 0; i < SHADERS; i++) {
		if (argc < 2)
			puts(shaders[i].name);
		else if (!strcmp(argv[1], shaders[i].name)) {
			start(&s, shaders[i].fragment);
			black(&s);
			qs_gfx3d_uniform_f(s.g, OWNER, s.context, "n", shaders[i].n, 4); /* some have none */
			whole(&s, 0, !strcmp(argv[1], "coordinate-w") ? 2 : 1, -1, 0, 0);
			return scene_close(&s, argc - 1, argv + 1);
		}
	}
	for (size_t i = 0; i < SCENES; i++) {
		if (argc < 2)
			puts(scenes[i].name);
		else if (!strcmp(argv[1], scenes[i].name)) {
			start(&s, scenes[i].fragment);
			if (!scenes[i].unclear)
				black(&s);
			scenes[i].draw(&s);
			return scene_close(&s, argc - 1, argv + 1);
		}
	}
	if (argc < 2)
		return 0;
	fprintf(stderr, "There is no scene %s.\n", argv[1]);
	return 1;
}
