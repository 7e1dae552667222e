/* check_gfx3d_virgl.c - Gfx3D on a real VirGL host against the virgl model on the processor, and what happens when the host is lost
 *
 * Without virgl_test_server the tests are skipped with a message (QS_NEED_VIRGL=1 makes that a failure).
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "gfx3d_scene.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "gfx3d/host.h"
#include "oracle/random.h"
#include "virgl/host.h"

static bool no_host(void)
{
	char server[256];

	if (virgl_host_find(server, sizeof server))
		return false;
	ck_assert_msg(!getenv("QS_NEED_VIRGL"), "%s", virgl_host_hint());
	printf("skipped: %s\n", virgl_host_hint());
	return true;
}

static float random_float(struct oracle_random *r, float low, float high)
{
	return low + (high - low) * ((float)(oracle_random_next(r) >> 8) / 16777216.0f);
}

static const char fs_math[] =
	"#version 330\nin vec4 colour;\nout vec4 result;\n"
	"void main() { vec3 n = normalize(colour.xyz + vec3(0.1, 0.1, 0.1)); float s = 0.5 + 0.5 * sin(colour.x * 5.0);\n"
	"if (colour.y > 0.5) { s = pow(colour.y, 3.0); }\nresult = vec4(n.x, s, abs(n.z), 1.0); }\n";

/* Signs too: what grows upwards has a negative derivative, the coordinate a positive one. */
static const char fs_derivatives[] =
	"#version 330\nin vec4 colour;\nout vec4 result;\n"
	"void main() { result = vec4(0.5 + dFdx(colour.x) * 8.0, 0.5 + dFdy(colour.y) * 8.0, 0.5 + dFdy(gl_FragCoord.y) * 0.25, 1.0);\n"
	"if (dFdx(gl_FragCoord.x) < 0.5) { result = fwidth(colour); } }\n";

struct differences {
	unsigned coverage, beyond1, worst;
};

static void compare(const struct scene *a, const struct scene *b, struct differences *d)
{
	memset(d, 0, sizeof *d);
	for (int i = 0; i < a->width * a->height; i++) {
		unsigned worst = 0;

		for (int k = 0; k < 32; k += 8) {
			int delta = (int)(a->pixel[i] >> k & 255) - (int)(b->pixel[i] >> k & 255);
			unsigned size = (unsigned)(delta < 0 ? -delta : delta);

			worst = size > worst ? size : worst;
		}
		d->coverage += (a->depth[i] == 1) != (b->depth[i] == 1);
		d->beyond1 += worst > 1;
		d->worst = worst > d->worst ? worst : d->worst;
	}
}

enum { PLAIN, CULL, DEPTH_OFF, TEXTURE, BLEND, STENCIL, SAMPLES, SAMPLES_BLEND, SAMPLES_STENCIL };

static const struct {
	const char *name;
	const char *fs;
	int what;
	bool perspective;
	unsigned edge, wrong; /* pixels of 64x64 that may differ in coverage, and in colour by more than 1 */
} cases[] = {
	{"colours", fs_varying, PLAIN, false, 0, 0},
	{"colours in perspective, clipped", fs_varying, PLAIN, true, 3, 6},
	{"culled", fs_varying, CULL, false, 0, 0},
	{"depth off", fs_varying, DEPTH_OFF, false, 0, 0},
	{"texture", fs_texture, TEXTURE, false, 0, 8},
	{"mathematics", fs_math, PLAIN, false, 0, 4},
	{"discard", fs_discard, PLAIN, false, 2, 2},
	{"blended", fs_varying, BLEND, false, 0, 4},
	{"derivatives", fs_derivatives, PLAIN, false, 0, 4},
	{"stencil", fs_varying, STENCIL, false, 0, 2},
	/* one sample of some hundred thousand falls on the other side of an edge */
	{"samples", fs_varying, SAMPLES, false, 1, 1},
	{"samples in perspective", fs_varying, SAMPLES, true, 4, 8},
	{"samples blended", fs_varying, SAMPLES_BLEND, false, 1, 8},
	{"samples with a stencil", fs_varying, SAMPLES_STENCIL, false, 1, 1},
};

static void prepare(struct scene *s, int what)
{
	static const struct qs_gfx3d_blend mix = {1, QS_GFX3D_SRC_ALPHA, QS_GFX3D_INV_SRC_ALPHA, QS_GFX3D_ADD, QS_GFX3D_ONE, QS_GFX3D_ONE,
		QS_GFX3D_ADD, 15};
	/* odd numbers of layers pass, so that what every fragment did shows */
	static const struct qs_gfx3d_stencil odd = {1, QS_GFX3D_EQUAL, QS_GFX3D_INVERT, QS_GFX3D_INCREMENT, QS_GFX3D_INVERT, 0, 1, 255};
	uint32_t pixel[64], texture;

	if (what == STENCIL || what == SAMPLES_STENCIL)
		ck_assert_int_eq(qs_gfx3d_stencil(s->g, OWNER, s->context, &odd), 0);
	if (what == CULL)
		qs_gfx3d_cull(s->g, OWNER, s->context, 1);
	if (what == DEPTH_OFF)
		qs_gfx3d_depth(s->g, OWNER, s->context, 0);
	if (what == BLEND || what == SAMPLES_BLEND)
		ck_assert_int_eq(qs_gfx3d_blend(s->g, OWNER, s->context, &mix), 0);
	if (what != TEXTURE)
		return;
	for (unsigned i = 0; i < 64; i++)
		pixel[i] = i * 0x030509;
	texture = qs_gfx3d_tex_create(s->g, OWNER, 8, 8);
	ck_assert_int_eq(qs_gfx3d_tex_upload(s->g, OWNER, texture, 8, 8, pixel), 0);
	ck_assert_int_eq(qs_gfx3d_bind_tex(s->g, OWNER, s->context, 0, texture), 0);
}

START_TEST(pictures)
{
	struct oracle_random r = oracle_random_start();
	static struct scene s[2];

	if (no_host())
		return;
	for (int round = 0; round < 12; round++) {
		struct differences d;
		float v[12][8];

		for (int i = 0; i < 12; i++) {
			float w = cases[_i].perspective ? random_float(&r, -0.3f, 3) : 1;

			for (int k = 0; k < 2; k++)
				v[i][k] = random_float(&r, -1.2f, 1.2f) * (cases[_i].perspective ? 1 : w);
			v[i][2] = random_float(&r, -1.1f, 1.1f);
			v[i][3] = w;
			for (int k = 0; k < 4; k++)
				v[i][4 + k] = random_float(&r, 0, 1);
		}
		for (int m = 0; m < 2; m++) {
			scene_open_on(&s[m], m ? QS_GFX3D_VIRGL : QS_GFX3D_SOFTWARE, QS_GFX3D_VIRGL_MODEL, 64, 64,
				cases[_i].what >= SAMPLES ? 4 : 1, cases[_i].fs);
			prepare(&s[m], cases[_i].what);
			if (scene_draw(&s[m], (const float (*)[8])v, 12, NULL, 0))
				ck_abort_msg("%s: %s", cases[_i].name, qs_gfx3d_last_detail(s[m].g));
			ck_assert_int_eq(qs_gfx3d_end(s[m].g, OWNER, s[m].context), 0);
			scene_read(&s[m]);
		}
		ck_assert_str_eq(qs_gfx3d_backend_name(s[1].g), "virgl");
		compare(&s[0], &s[1], &d);
		ck_assert_msg(d.coverage <= cases[_i].edge && d.beyond1 <= cases[_i].wrong,
			"seed %llu %s round %d: %u pixels covered differently, %u off by more than 1, worst %u", (unsigned long long)r.seed,
			cases[_i].name, round, d.coverage, d.beyond1, d.worst);
		for (int i = 0; i < 64 * 64; i++)
			if (s[0].depth[i] != 1 && s[1].depth[i] != 1 && !cases[_i].perspective && cases[_i].what < BLEND && d.beyond1 == 0)
				ck_assert_msg(s[0].depth[i] - s[1].depth[i] < 3e-5f && s[1].depth[i] - s[0].depth[i] < 3e-5f,
					"%s: depth %g and %g", cases[_i].name, (double)s[0].depth[i], (double)s[1].depth[i]);
		scene_close(&s[0]);
		scene_close(&s[1]);
	}
}
END_TEST

/* The edge rule, where samples lie exactly on edges: corners on pixel centres. */
START_TEST(edges)
{
	struct oracle_random r = oracle_random_start();
	static struct scene s[2];
	unsigned different = 0;

	if (no_host())
		return;
	for (int m = 0; m < 2; m++)
		scene_open_on(&s[m], m ? QS_GFX3D_VIRGL : QS_GFX3D_SOFTWARE, QS_GFX3D_VIRGL_MODEL, 32, 32, 1, fs_varying);
	for (int round = 0; round < 60; round++) {
		struct differences d;
		float v[3][8];

		for (int i = 0; i < 3; i++) {
			v[i][0] = (2 * (float)oracle_random_below(&r, 32) + 1) / 32 - 1;
			v[i][1] = (2 * (float)oracle_random_below(&r, 32) + 1) / 32 - 1;
			v[i][2] = 0;
			for (int k = 3; k < 8; k++)
				v[i][k] = 1;
		}
		for (int m = 0; m < 2; m++) {
			qs_gfx3d_clear(s[m].g, OWNER, s[m].context, 0, 0, 0, 1, 1);
			ck_assert_int_eq(scene_draw(&s[m], (const float (*)[8])v, 3, NULL, 0), 0);
			scene_read(&s[m]);
		}
		compare(&s[0], &s[1], &d);
		different += d.coverage;
	}
	ck_assert_msg(different == 0, "%u pixels on edges differ", different);
	scene_close(&s[0]);
	scene_close(&s[1]);
}
END_TEST

/* A host that dies: AUTO goes on in software, forced fails and stays lost. */
START_TEST(lost_host)
{
	bool forced = _i;
	struct qs_gfx3d_stats stats;
	struct scene s;
	long pid;

	if (no_host())
		return;
	scene_open_on(&s, forced ? QS_GFX3D_VIRGL : QS_GFX3D_AUTO, QS_GFX3D_CORRECTED, 32, 32, 1, fs_varying);
	ck_assert_str_eq(qs_gfx3d_backend_name(s.g), "virgl");
	ck_assert_int_eq(scene_draw(&s, scene_triangle, 3, NULL, 0), 0);
	scene_read(&s);
	ck_assert_uint_eq(scene_count(&s, 0xFFFF0000), 338);
	pid = g3_host_pid(s.g);
	ck_assert_int_gt(pid, 0);
	kill((pid_t)pid, SIGKILL);
	ck_assert_int_eq(qs_gfx3d_end(s.g, OWNER, s.context) + qs_gfx3d_target_read(s.g, OWNER, s.target, s.pixel, 1024) < 0, forced);
	qs_gfx3d_get_stats(s.g, &stats);
	ck_assert_int_eq(stats.degraded, !forced);
	ck_assert_str_eq(qs_gfx3d_backend_name(s.g), forced ? "virgl-lost" : "software");
	ck_assert_int_eq(qs_gfx3d_begin(s.g, OWNER, s.context, s.target), forced ? -1 : 0);
	if (forced) {
		ck_assert_str_eq(qs_gfx3d_last_error(s.g), "forced virgl unavailable");
	} else { /* objects made before are still good */
		ck_assert_int_eq(qs_gfx3d_clear(s.g, OWNER, s.context, 0, 0, 0, 1, 1), 0);
		ck_assert_int_eq(scene_draw(&s, scene_triangle, 3, NULL, 0), 0);
		scene_read(&s);
		ck_assert_uint_eq(scene_count(&s, 0xFFFF0000), 338);
	}
	scene_close(&s);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("gfx3d virgl");
	TCase *tcase = tcase_create("all");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tcase, 120);
	tcase_add_loop_test(tcase, pictures, 0, sizeof cases / sizeof *cases);
	tcase_add_test(tcase, edges);
	tcase_add_loop_test(tcase, lost_host, 0, 2);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
