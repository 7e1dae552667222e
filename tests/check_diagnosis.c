/* check_diagnosis.c - what the comparison of the CPU with a real VirGL host says of every scene of data/captures/differences
 *
 * Skipped, with a message, where there is no virgl_test_server.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faults.h"

struct row {
	char name[40], outcome[200];
};

static struct row rows[100];
static unsigned row_count;

static char *in_data(const char *name, char *buffer, size_t size)
{
	const char *data = getenv("QS_DATA");

	snprintf(buffer, size, "%s/captures/differences/%s", data ? data : "data", name);
	return buffer;
}

/* "name outcome" per line: equal, refused TEXT, or the quirk that makes the difference. */
static void read_rows(void)
{
	char path[700], line[300];
	FILE *f = fopen(in_data("expected.txt", path, sizeof path), "r");

	ck_assert_msg(f != NULL, "%s is missing", path);
	while (fgets(line, sizeof line, f) && row_count < 100)
		if (line[0] != '#' && sscanf(line, "%39s %199[^\n]", rows[row_count].name, rows[row_count].outcome) == 2)
			row_count++;
	fclose(f);
	ck_assert_uint_gt(row_count, 50);
}

static void check_refused(const struct row *row, bool good, const struct qs_error *error)
{
	const char *wanted = row->outcome + strlen("refused ");

	if (good || !strstr(error->text, wanted))
		ck_abort_msg("%s: not refused because of '%s': %s", row->name, wanted, good ? "drawn" : error->text);
}

static void check_result(const struct row *row, const struct qs_comparison *r)
{
	char found[300] = "";
	bool named = false;

	if (!strcmp(row->outcome, "equal")) {
		if (!r->equal)
			ck_abort_msg("%s: %u pixels differ", row->name, (unsigned)(r->colour.pixels - r->colour.equal));
		return;
	}
	for (uint32_t i = 0; i < r->cause_count; i++) {
		named |= !strcmp(r->cause[i].name, row->outcome);
		snprintf(found + strlen(found), sizeof found - strlen(found), " %s", r->cause[i].name);
		if (r->cause[i].kind == QS_CLASS_NONE || r->cause[i].kind != qs_quirk_class(r->cause[i].name))
			ck_abort_msg("%s: %s has no class", row->name, r->cause[i].name);
	}
	if (!r->first.found || !r->first.text[0] || r->first.kind != qs_quirk_class(row->outcome))
		ck_abort_msg("%s: the first divergence is of class %s, not %s: %s", row->name, qs_class_name((enum qs_class)r->first.kind),
			qs_class_name(qs_quirk_class(row->outcome)), r->first.text);
	if (r->equal || !named || !r->explained || !r->exact)
		ck_abort_msg("%s: %s is to be the cause, found:%s%s", row->name, row->outcome, found, r->explained ? "" : ", and that is not all");
}

START_TEST(scenes)
{
	unsigned compared = 0;

	read_rows();
	for (unsigned i = 0; i < row_count; i++) {
		struct qs_compare_options o = {.frame = 1, .buffer = QS_BUFFER_COUNT, .causes = true, .divergence = true};
		struct qs_error error = {0};
		struct qs_comparison r;
		struct qs_gfx3d_host *host;
		struct qs_capture *capture;
		struct qs_timeline *t;
		struct qs_source a, b;
		char name[60], path[700];
		bool good;

		snprintf(name, sizeof name, "%s.qsc", rows[i].name);
		capture = qs_capture_open(in_data(name, path, sizeof path), NULL, NULL, &error);
		if (!capture)
			ck_abort_msg("%s", error.text);
		host = qs_gfx3d_host_create(capture, NULL, &error);
		if (!host && error.code == QS_ERR_UNSUPPORTED && !i) {
			printf("skipped: %s\n", error.text);
			qs_capture_destroy(capture);
			return;
		}
		t = qs_timeline_create(capture, &error);
		if (!host || !t)
			ck_abort_msg("%s: %s", rows[i].name, error.text);
		qs_source_timeline(&a, t, "cpu");
		qs_source_gfx3d_host(&b, host, "virgl");
		good = qs_compare(&a, &b, &o, &r, &error);
		if (!strncmp(rows[i].outcome, "refused ", 8))
			check_refused(&rows[i], good, &error);
		else if (!good)
			ck_abort_msg("%s: %s", rows[i].name, error.text);
		else
			check_result(&rows[i], &r);
		if (good)
			qs_comparison_finish(&r);
		qs_timeline_destroy(t);
		qs_gfx3d_host_destroy(host);
		qs_capture_destroy(capture);
		compared++;
	}
	printf("%u scenes compared with a host\n", compared);
}
END_TEST

/* Host-side faults, against the imitation of a host without them: named by the first divergence alone, no quirk is like them. */
START_TEST(planted)
{
	unsigned right = 0;

	for (unsigned i = 0; i < FAULTS; i++) {
		struct qs_compare_options o = {.frame = 1, .buffer = QS_BUFFER_COUNT, .causes = true, .divergence = true};
		struct qs_error error = {0};
		struct qs_comparison r;
		struct qs_capture *capture;
		struct qs_gfx3d_host *host;
		struct qs_timeline *t;
		struct qs_source a, b;
		char name[60], path[700];

		snprintf(name, sizeof name, "%s.qsc", faults[i].capture);
		capture = qs_capture_open(in_data(name, path, sizeof path), NULL, NULL, &error);
		if (!capture)
			ck_abort_msg("%s", error.text);
		host = qs_gfx3d_host_create(capture, NULL, &error);
		if (!host && error.code == QS_ERR_UNSUPPORTED && !i) {
			printf("skipped: %s\n", error.text);
			qs_capture_destroy(capture);
			return;
		}
		t = qs_timeline_create(capture, &error);
		if (!host || !t || !qs_timeline_set_gfx3d_model(t, QS_GFX3D_VIRGL_MODEL, &error))
			ck_abort_msg("%s: %s", faults[i].name, error.text);
		qs_source_timeline(&a, t, "virgl-model");
		qs_source_gfx3d_host(&b, host, "virgl");
		fault_words_known = false;
		g3_host_hooks = &faults[i].hooks;
		if (!qs_compare(&a, &b, &o, &r, &error))
			ck_abort_msg("%s: %s", faults[i].name, error.text);
		g3_host_hooks = NULL;
		fflush(stdout);
		if (r.equal)
			ck_abort_msg("%s: no difference was found", faults[i].name);
		right += r.first.kind == faults[i].kind;
		if (r.first.kind != faults[i].kind || getenv("QS_VERBOSE"))
			printf("%-34s %s, found %s (%s: %s)\n", faults[i].name, qs_class_name(faults[i].kind), qs_class_name((enum qs_class)r.first.kind),
				qs_stage_unit_name((enum qs_stage_unit)r.first.unit), r.first.text);
		qs_comparison_finish(&r);
		qs_timeline_destroy(t);
		qs_gfx3d_host_destroy(host);
		qs_capture_destroy(capture);
	}
	printf("%u of %u planted faults are of the class that was named\n", right, (unsigned)FAULTS);
	fflush(stdout);
	ck_assert_uint_ge(right, 10);
}
END_TEST

/* ---- down to an instruction of a vertex shader, and values of both sides ---------------------------------------------------- */

/* Everything a comparison needs, of one capture; false: no host. */
struct pair {
	struct qs_capture *capture;
	struct qs_timeline *t;
	struct qs_gfx3d_host *host;
	struct qs_source a, b;
};

static bool open_pair(struct pair *p, const char *capture)
{
	struct qs_error error = {0};
	char name[60], path[700];

	memset(p, 0, sizeof *p);
	snprintf(name, sizeof name, "%s.qsc", capture);
	p->capture = qs_capture_open(in_data(name, path, sizeof path), NULL, NULL, &error);
	if (!p->capture)
		ck_abort_msg("%s", error.text);
	p->host = qs_gfx3d_host_create(p->capture, NULL, &error);
	if (!p->host) {
		ck_assert_msg(error.code == QS_ERR_UNSUPPORTED, "%s", error.text);
		printf("skipped: %s\n", error.text);
		qs_capture_destroy(p->capture);
		return false;
	}
	p->t = qs_timeline_create(p->capture, &error);
	qs_source_timeline(&p->a, p->t, "cpu");
	qs_source_gfx3d_host(&p->b, p->host, "virgl");
	return true;
}

static void close_pair(struct pair *p)
{
	qs_timeline_destroy(p->t);
	qs_gfx3d_host_destroy(p->host);
	qs_capture_destroy(p->capture);
}

static const struct {
	const char *capture, *instruction;
	bool coverage; /* the position is moved */
} in_vertices[] = {{"vertex-root", " rsq", false}, {"vertex-sine", " sin", true}};

START_TEST(vertex_instruction)
{
	struct qs_compare_options o = {.frame = 1, .buffer = QS_BUFFER_COUNT, .divergence = true, .draws = true};
	struct qs_error error = {0};
	struct qs_comparison r;
	char text[160];
	struct pair p;

	if (!open_pair(&p, in_vertices[_i].capture))
		return;
	ck_assert_msg(qs_compare(&p.a, &p.b, &o, &r, &error), "%s", error.text);
	ck_assert_msg(r.first.found && r.first.unit == QS_AT_VERTEX && r.first.stage != QS_NONE, "%s: unit %s: %s", in_vertices[_i].capture,
		qs_stage_unit_name((enum qs_stage_unit)r.first.unit), r.first.text);
	ck_assert_int_eq(r.first.only_a || r.first.only_b, in_vertices[_i].coverage);
	ck_assert(qs_timeline_seek(p.t, &r.first.moment, &error));
	qs_timeline_gfx3d_instruction(p.t, 0, r.first.stage, NULL, text, sizeof text);
	ck_assert_msg(strstr(text, in_vertices[_i].instruction) != NULL && strstr(r.first.text, text) != NULL, "%s: instruction %s, told: %s",
		in_vertices[_i].capture, text, r.first.text);
	ck_assert_int_eq(r.first.kind, QS_CLASS_TRANSCENDENTAL);
	ck_assert_uint_eq(r.draw_count, 1);
	ck_assert(r.draw[0].unit == QS_AT_VERTEX && r.draw[0].stage == r.first.stage);
	qs_comparison_finish(&r);
	close_pair(&p);
}
END_TEST

/* Under the imitation of a host every register of both shaders is the host's, after every instruction. */
START_TEST(steps_of_both)
{
	static const char *const captures[] = {"../gfx3d-cube", "../gfx3d-lit", "../gfx3d-branches", "vertex-root", "derivatives", "samples"};
	static struct qs_gfx3d_step step[384];
	static struct qs_gfx3d_quad quad;
	static float value[384][4];
	static bool known[384];

	for (unsigned i = 0; i < sizeof captures / sizeof *captures; i++) {
		struct qs_error error = {0};
		uint32_t vertex[3], count, told = 0;
		bool found = false;
		char at[40];
		struct qs_moment m;
		struct pair p;

		if (!open_pair(&p, captures[i]))
			return;
		ck_assert(qs_timeline_set_gfx3d_model(p.t, QS_GFX3D_VIRGL_MODEL, &error));
		for (unsigned primitive = 0; primitive < 40; primitive++) { /* the first that covers something */
			snprintf(at, sizeof at, "1/0/%u/1", primitive);
			found = qs_moment_parse(p.capture, at, &m, &error) && qs_timeline_seek(p.t, &m, &error);
			if (found)
				break;
		}
		ck_assert_msg(found, "%s: %s", captures[i], error.text);
		for (unsigned stage = 0; stage < 2; stage++) {
			ck_assert(qs_timeline_seek(p.t, &m, &error));
			if (stage)
				ck_assert(qs_timeline_gfx3d_quad(p.t, &quad, &error));
			else
				ck_assert(qs_timeline_gfx3d_vertex_steps(p.t, vertex, step, &count, &error));
			for (unsigned part = 0; part < 3 + stage; part++) {
				const struct qs_gfx3d_step *s = stage ? quad.step : step;
				uint32_t n = stage ? quad.step_count : count;

				if (stage && quad.fragment[part].verdict != QS_GFX3D_VERDICT_WRITTEN)
					continue;
				if (!qs_gfx3d_host_steps(p.host, &m, stage, part, quad.x + (int)(part & 1), quad.y + (int)(part >> 1), s, n, value, known, NULL,
						NULL, &error))
					ck_abort_msg("%s: %s", captures[i], error.text);
				for (uint32_t k = 0; k < n; k++) {
					ck_assert_msg(known[k] == (s[k].dst >= 0 && s[k].ran >> part & 1), "%s: step %u of part %u", captures[i], k, part);
					for (unsigned lane = 0; known[k] && lane < 4; lane++) {
						float far = s[k].value[part][lane] - value[k][lane], most = s[k].value[part][lane];

						most = most < 0 ? -most : most;
						if ((far < 0 ? -far : far) > 2e-3f * (most > 1 ? most : 1))
							ck_abort_msg("%s: %s instruction %u, part %u, lane %u: %g on the CPU, %g on the host", captures[i],
								stage ? "fragment" : "vertex", s[k].instruction, part, lane, (double)s[k].value[part][lane], (double)value[k][lane]);
					}
					told += known[k];
				}
			}
		}
		ck_assert_msg(told > 8, "%s: %u values", captures[i], told);
		close_pair(&p);
	}
}
END_TEST

/* Depth as it is in the window: equal to the host's where only the formula differs, and told where something else does. */
static const struct {
	const char *capture;
	bool equal;
} depths[] = {{"coordinate-w", true}, {"perspective", true}, {"equal-depth", true}, {"kept-depth", true}, {"near-crossing", false},
	{"stencil", true}, {"samples", true}};

START_TEST(depth)
{
	struct qs_compare_options o = {.frame = 1, .buffer = QS_BUFFER_DEPTH, .divergence = true};
	struct qs_error error = {0};
	struct qs_comparison r;
	struct pair p;

	if (!open_pair(&p, depths[_i].capture))
		return;
	ck_assert_msg(qs_compare(&p.a, &p.b, &o, &r, &error), "%s", error.text);
	ck_assert_msg(r.equal == depths[_i].equal, "%s: %u depths differ", depths[_i].capture, (unsigned)r.beyond);
	ck_assert(r.equal || (r.first.found && r.first.text[0]));
	qs_comparison_finish(&r);
	close_pair(&p);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("diagnosis");
	TCase *tcase = tcase_create("host");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tcase, 0);
	tcase_add_test(tcase, scenes);
	tcase_add_test(tcase, planted);
	tcase_add_loop_test(tcase, vertex_instruction, 0, sizeof in_vertices / sizeof *in_vertices);
	tcase_add_test(tcase, steps_of_both);
	tcase_add_loop_test(tcase, depth, 0, sizeof depths / sizeof *depths);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
