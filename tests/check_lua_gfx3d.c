/* check_lua_gfx3d.c - scripts on captures of Gfx3D calls: records of quads and vertices, divergences draw by draw
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <gfx3d.h>
#include <unistd.h>

#include "script_host.h"

static struct session session;
static struct script_host host;
static char *expected;
static size_t expected_size;
static FILE *expect;

static void begin(const char *capture)
{
	const char *data = getenv("QS_DATA");
	char path[700];

	snprintf(path, sizeof path, "%s/captures/%s.qsc", data ? data : "data", capture);
	open_session(&session, path, capture);
	expect = open_memstream(&expected, &expected_size);
}

static void end(const char *what)
{
	fclose(expect);
	ck_assert_msg(!strcmp(noted(&host), expected), "%s on %s shows:\n%snot:\n%s", what, session.name, noted(&host), expected);
	free(host.out);
	free(expected);
	close_session(&session);
}

/* ---- records ------------------------------------------------------------------------------------------------------------ */

static const char quad_script[] =
	"local function n(...) local t = {...} for i, v in ipairs(t) do t[i] = ('%.9g'):format(v) end return table.concat(t, ' ') end\n"
	"local q = qs.gfx3d_quad()\n"
	"print(q.moment == qs.moment, q.x, q.y, q.coverage, q.part, #q.step)\n"
	"for i = 0, 3 do local f = q.fragment[i]\n"
	"print(f.verdict, f.samples, f.x, f.y, f.old_pixel, f.new_pixel, f.out_of_range)\n"
	"print(n(f.weight[0], f.weight[1], f.weight[2], f.inv_w, f.z, f.z_old, f.z_new))\n"
	"print(n(f.varying[0].x, f.varying[0].w, f.varying[7].y, f.fragcoord.x, f.fragcoord.z, f.colour.x, f.colour.w)) end\n"
	"for _, s in ipairs(q.step) do print(s.instruction, s.text, s.line, s.ran[0], s.ran[3], s.register or -1)\n"
	"print(s.value and n(s.value[0].x, s.value[3].w) or '-', s.a and n(s.a[1].y) or '-', s.b and n(s.b[2].z) or '-') end\n";
static const char vertex_script[] =
	"local function n(...) local t = {...} for i, v in ipairs(t) do t[i] = ('%.9g'):format(v) end return table.concat(t, ' ') end\n"
	"local v = qs.gfx3d_vertex_steps()\nprint(v.vertex[0], v.vertex[1], v.vertex[2], #v.step)\n"
	"for _, s in ipairs(v.step) do print(s.instruction, s.text, s.line, s.ran[0], s.ran[2], s.register or -1)\n"
	"print(s.value and n(s.value[0].x, s.value[2].w) or '-', s.a and n(s.a[1].y) or '-', s.b and n(s.b[2].z) or '-') end\n";

static void expect_steps(const struct qs_gfx3d_step *step, uint32_t count, unsigned stage, unsigned last)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct qs_gfx3d_step *s = &step[i];
		char text[160];
		uint32_t line;

		qs_timeline_gfx3d_instruction(session.t, stage, s->instruction, &line, text, sizeof text);
		fprintf(expect, "%u\t%s\t%u\t%s\t%s\t%d\n", s->instruction, text, line, s->ran & 1 ? "true" : "false",
			s->ran >> last & 1 ? "true" : "false", s->dst);
		if (s->dst >= 0)
			fprintf(expect, "%.9g %.9g\t", (double)s->value[0][0], (double)s->value[last][3]);
		else
			fputs("-\t", expect);
		if (s->has_a)
			fprintf(expect, "%.9g\t", (double)s->a[1][1]);
		else
			fputs("-\t", expect);
		if (s->has_b)
			fprintf(expect, "%.9g\n", (double)s->b[2][2]);
		else
			fputs("-\n", expect);
	}
}

static const struct {
	const char *capture, *moment;
} places[] = {{"gfx3d-lit", "1/0/1/2"}, {"gfx3d-branches", "1/0/0/200"}, {"gfx3d-discard", "1/0/0/10"}, {"differences/derivatives", "1/0/0/100"}};

static void run_text(const char *script_text, const char *moment)
{
	struct qs_script *script = open_script(&host, session.t, NULL);
	struct qs_error error = {0};
	struct qs_moment m;

	ck_assert_msg(qs_moment_parse(session.capture, moment, &m, &error) && qs_timeline_seek(session.t, &m, &error), "%s: %s", session.name, error.text);
	ck_assert_msg(qs_script_run_text(script, script_text, "=test", &error), "%s: %s", session.name, error.text);
	qs_script_destroy(script);
}

START_TEST(quad)
{
	static struct qs_gfx3d_quad q;
	struct qs_error error = {0};

	begin(places[_i].capture);
	run_text(quad_script, places[_i].moment);
	ck_assert_msg(qs_timeline_gfx3d_quad(session.t, &q, &error), "%s", error.text);
	fprintf(expect, "true\t%d\t%d\t%u\t%u\t%u\n", q.x, q.y, q.coverage, q.part, q.step_count);
	for (unsigned i = 0; i < 4; i++) {
		const struct qs_gfx3d_fragment *f = &q.fragment[i];

		fprintf(expect, "%s\t%u\t%d\t%d\t%u\t%u\t%s\n", qs_gfx3d_verdict_name((enum qs_gfx3d_verdict)f->verdict), f->samples, f->x, f->y,
			f->old_pixel, f->new_pixel, f->out_of_range ? "true" : "false");
		fprintf(expect, "%.9g %.9g %.9g %.9g %.9g %.9g %.9g\n", (double)f->weight[0], (double)f->weight[1], (double)f->weight[2],
			(double)f->inv_w, (double)f->z, (double)f->z_old, (double)f->z_new);
		fprintf(expect, "%.9g %.9g %.9g %.9g %.9g %.9g %.9g\n", (double)f->varying[0][0], (double)f->varying[0][3], (double)f->varying[7][1],
			(double)f->fcoord[0], (double)f->fcoord[2], (double)f->color[0], (double)f->color[3]);
	}
	ck_assert_uint_gt(q.step_count, 1);
	expect_steps(q.step, q.step_count, 1, 3);
	end("qs.gfx3d_quad");
}
END_TEST

START_TEST(vertices)
{
	static struct qs_gfx3d_step step[384];
	struct qs_error error = {0};
	uint32_t vertex[3], count;

	begin(places[_i].capture);
	run_text(vertex_script, places[_i].moment);
	ck_assert_msg(qs_timeline_gfx3d_vertex_steps(session.t, vertex, step, &count, &error), "%s", error.text);
	fprintf(expect, "%u\t%u\t%u\t%u\n", vertex[0], vertex[1], vertex[2], count);
	ck_assert_uint_gt(count, 1);
	expect_steps(step, count, 0, 2);
	end("qs.gfx3d_vertex_steps");
}
END_TEST

/* ---- draw by draw -------------------------------------------------------------------------------------------------------- */

static const struct {
	const char *capture, *a, *b;
	unsigned least; /* draws that differ */
} pairs[] = {
	{"gfx3d-lit", "chrisos", "corrected", 1}, {"differences/two-values", "chrisos", "corrected", 0}, {"gfx3d-cube", "cpu", "virgl", 1},
	{"differences/near-crossing", "cpu", "virgl", 1}, {"differences/attribute-order", "cpu", "virgl", 1}, {"gfx3d-textured", "cpu", "virgl", 1},
};

/* As qs.compare does it. */
static bool compare(unsigned i, struct qs_comparison *r)
{
	struct qs_compare_options o = {.frame = 1, .buffer = QS_BUFFER_COUNT, .divergence = true, .draws = true};
	struct qs_timeline *t[2] = {NULL, NULL};
	struct qs_gfx3d_host *server = NULL;
	struct qs_source source[2];
	struct qs_error error = {0};
	bool good = true;

	for (unsigned k = 0; k < 2 && good; k++) {
		const char *name = k ? pairs[i].b : pairs[i].a;
		enum qs_gfx3d_model model;

		if (!strcmp(name, "virgl")) {
			server = qs_gfx3d_host_create(session.capture, NULL, &error);
			good = server != NULL;
			if (good)
				qs_source_gfx3d_host(&source[k], server, "b");
			continue;
		}
		t[k] = qs_timeline_create(session.capture, &error);
		if (qs_gfx3d_model_parse(name, &model))
			ck_assert(qs_timeline_set_gfx3d_model(t[k], model, &error));
		qs_source_timeline(&source[k], t[k], k ? "b" : "a");
	}
	if (good && !qs_compare(&source[0], &source[1], &o, r, &error))
		ck_abort_msg("%s: %s", session.name, error.text);
	if (!good)
		printf("skipped: %s\n", error.text);
	qs_timeline_destroy(t[0]);
	qs_timeline_destroy(t[1]);
	qs_gfx3d_host_destroy(server);
	return good;
}

static void expect_row(const struct qs_divergence *d)
{
	const struct qs_operand *o = NULL;
	char moment[96];

	for (uint32_t i = 0; i < d->operand_count && !o; i++)
		if (d->operand[i].differs)
			o = &d->operand[i];
	fprintf(expect, "; %s|%d|%d|%s|", qs_moment_format(session.capture, &d->moment, moment, sizeof moment), d->x, d->y,
		qs_stage_unit_name((enum qs_stage_unit)d->unit));
	if (d->stage != QS_NONE)
		fprintf(expect, "%u", d->stage);
	fprintf(expect, "|%s|%s|%s|%s|%s", qs_class_name((enum qs_class)d->kind), d->text, o ? o->name : "", o ? o->a : "", o ? o->b : "");
}

START_TEST(draws)
{
	const char *const argv[] = {pairs[_i].a, pairs[_i].b};
	const char *root = getenv("QS_SRCDIR");
	struct qs_comparison r;
	struct qs_script *script;
	struct qs_error error = {0};

	begin(pairs[_i].capture);
	if (!compare((unsigned)_i, &r)) {
		fclose(expect);
		free(expected);
		close_session(&session);
		return;
	}
	ck_assert_msg(r.draw_count >= pairs[_i].least, "%s: %u draws", session.name, r.draw_count);
	fprintf(expect, "<table '%s and %s, draw by draw' moment|x|y|unit|stage|class|what|name|a|b", pairs[_i].a, pairs[_i].b);
	for (uint32_t i = 0; i < r.draw_count; i++) {
		if (!r.draw[i].found || !r.draw[i].text[0] || (i && r.draw[i].moment.command <= r.draw[i - 1].moment.command))
			ck_abort_msg("%s: entry %u is no draw of its own: %s", session.name, i, r.draw[i].text);
		expect_row(&r.draw[i]);
	}
	fputs(">\n", expect);
	qs_comparison_finish(&r);
	script = open_script(&host, session.t, NULL);
	ck_assert(chdir(root ? root : ".") == 0);
	ck_assert_msg(qs_script_run_file(script, "scripts/probes/draw-divergence.lua", 2, argv, &error), "%s: %s", session.name, error.text);
	qs_script_destroy(script);
	end("draw-divergence");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("lua gfx3d");
	TCase *tcase = tcase_create("all");

	tcase_set_timeout(tcase, 120);
	tcase_add_loop_test(tcase, quad, 0, sizeof places / sizeof *places);
	tcase_add_loop_test(tcase, vertices, 0, sizeof places / sizeof *places);
	tcase_add_loop_test(tcase, draws, 0, sizeof pairs / sizeof *pairs);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
