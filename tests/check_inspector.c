/* check_inspector.c - what the window is built on, without a display: the session (its engine thread: check_worker.c)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "qs-gfx3d.h"
#include "qs-machine.h"
#include "qs-request.h"
#include "sample.h"

/* ---- session ------------------------------------------------------------------------------------------------------------ */

/* Until every question is answered. */
static void settle(QsSession *session)
{
	const gint64 end = g_get_monotonic_time() + 60 * G_TIME_SPAN_SECOND;

	while (!qs_session_get_idle(session) && g_get_monotonic_time() < end)
		if (!g_main_context_iteration(NULL, FALSE))
			g_usleep(200);
	ck_assert_msg(qs_session_get_idle(session), "the engine did not answer");
}

static QsSession *open_session(const char *name, const char *at)
{
	g_autofree char *path = sample(name);
	QsSession *session = qs_session_new();

	qs_session_open(session, path, at);
	settle(session);
	ck_assert_msg(qs_session_get_view(session) != NULL, "%s did not open", path);
	return session;
}

static void wait_moment(QsSession *session, const struct qs_moment *moment)
{
	const gint64 end = g_get_monotonic_time() + 20 * G_TIME_SPAN_SECOND;

	while (qs_moment_compare(&qs_session_get_view(session)->moment, moment) != 0 && g_get_monotonic_time() < end)
		if (!g_main_context_iteration(NULL, FALSE))
			g_usleep(200);
	ck_assert_int_eq(qs_moment_compare(&qs_session_get_view(session)->moment, moment), 0);
}

/* What panels see is what the engine says: registers, pixels and counts at random moments, sent in bursts. */
START_TEST(session_views)
{
	QsSession *session = open_session("animation-six-frames.dff", "2/0");
	const struct qs_capture *file = qs_session_get_file(session);
	g_autofree char *path = sample("animation-six-frames.dff");
	struct qs_error error = {0};
	struct qs_capture *other = qs_capture_open(path, NULL, NULL, &error);
	struct qs_timeline *timeline = qs_timeline_create(other, &error);
	g_autoptr(GRand) random = g_rand_new_with_seed(seed());

	ck_assert_ptr_nonnull(timeline);
	ck_assert_str_eq(qs_session_get_view(session)->text, "2/0");
	for (guint round = 0; round < 30; round++) {
		struct qs_moment moment;
		QsView *view;

		for (guint burst = 0; burst < 5; burst++) {
			const guint32 c = (guint32)g_rand_int_range(random, 0, (gint32)qs_capture_info(file)->command_count);

			qs_moment_of_command(file, c, &moment);
			qs_session_seek(session, &moment);
		}
		wait_moment(session, &moment);
		view = qs_session_get_view(session);
		ck_assert(qs_timeline_seek(timeline, &moment, &error));
		for (guint u = 0; u < QS_UNIT_COUNT; u++)
			for (guint i = 0; i < qs_register_count((enum qs_unit)u); i++) {
				const struct qs_register *reg = qs_register_at((enum qs_unit)u, i);

				ck_assert_msg(qs_view_register(view, (enum qs_unit)u, reg->address) ==
					qs_timeline_register(timeline, (enum qs_unit)u, reg->address) &&
					qs_view_register_writer(view, (enum qs_unit)u, reg->address) ==
					qs_timeline_register_writer(timeline, (enum qs_unit)u, reg->address),
					"%s at %s differs (seed %u)", reg->name, view->text, seed());
			}
		for (guint i = 0; i < 40; i++) {
			const int x = g_rand_int_range(random, 0, 640), y = g_rand_int_range(random, 0, 528);
			guint8 want[4], got[4], grey[4];
			guint32 z, got_z;

			ck_assert(qs_timeline_pixel(timeline, x, y, want, &z));
			ck_assert(qs_view_pixel(view, QS_BUFFER_COLOR, x, y, got, NULL));
			ck_assert(qs_view_pixel(view, QS_BUFFER_DEPTH, x, y, grey, &got_z));
			ck_assert_mem_eq(got, want, 4);
			ck_assert_uint_eq(got_z, z);
		}
	}
	qs_timeline_destroy(timeline);
	qs_capture_destroy(other);
	g_object_unref(session);
}
END_TEST

START_TEST(session_steps)
{
	QsSession *session = open_session("animation-six-frames.dff", "1/0");
	struct qs_moment start = qs_session_get_view(session)->moment;
	g_autofree char *path = sample("animation-six-frames.dff");
	struct qs_error error = {0};
	struct qs_capture *other = qs_capture_open(path, NULL, NULL, &error);
	struct qs_timeline *timeline = qs_timeline_create(other, &error);

	for (guint i = 0; i < 40; i++)
		qs_session_step(session, QS_LEVEL_QUAD, 1); /* merged, but forty steps all the same */
	settle(session);
	ck_assert(qs_timeline_seek(timeline, &start, &error));
	ck_assert_int_eq(qs_timeline_step(timeline, QS_LEVEL_QUAD, 40, &error), 40);
	ck_assert_int_eq(qs_moment_compare(&qs_session_get_view(session)->moment, qs_timeline_moment(timeline)), 0);
	qs_timeline_destroy(timeline);
	qs_capture_destroy(other);
	for (guint i = 0; i < 40; i++)
		qs_session_step(session, QS_LEVEL_QUAD, -1);
	settle(session);
	qs_session_out(session);
	settle(session);
	ck_assert_uint_eq(qs_session_get_view(session)->moment.level, QS_LEVEL_DRAW);
	/* Into the draw: primitive, quad, stage. */
	qs_session_seek(session, &start);
	for (guint i = 0; i < 3; i++)
		qs_session_into(session);
	settle(session);
	ck_assert_uint_eq(qs_session_get_view(session)->moment.level, QS_LEVEL_STAGE);
	ck_assert_uint_eq(qs_session_get_view(session)->moment.draw, start.draw);
	ck_assert(qs_session_get_view(session)->has_quad);
	/* And back by the visited moments. */
	ck_assert(qs_session_can_go_visited(session, -1));
	qs_session_go_visited(session, -1);
	wait_moment(session, &start);
	g_object_unref(session);
}
END_TEST

START_TEST(session_trace)
{
	QsSession *session = open_session("triangle-gouraud.dff", "1/0");
	QsTrace *trace;
	guint8 rgba[4];
	int x, y;

	qs_session_set_pick(session, 320, 200);
	settle(session);
	trace = qs_session_get_trace(session);
	ck_assert_ptr_nonnull(trace);
	ck_assert_uint_eq(trace->serial, qs_session_get_view(session)->serial);
	ck_assert(trace->found && trace->in_draw && trace->has_writer);
	ck_assert_int_eq(trace->x, 320);
	ck_assert_int_eq(trace->y, 200);
	ck_assert_uint_eq(trace->quad.fragment[trace->fragment].verdict, QS_VERDICT_WRITTEN);
	ck_assert(qs_view_pixel(qs_session_get_view(session), QS_BUFFER_COLOR, 320, 200, rgba, NULL));
	ck_assert_mem_eq(rgba, trace->quad.fragment[trace->fragment].new_rgba, 3);
	ck_assert_str_eq(trace->text, trace->writer_text);
	/* Outside of the triangle nothing was drawn. */
	qs_session_set_pick(session, 2, 2);
	settle(session);
	trace = qs_session_get_trace(session);
	ck_assert(trace && !trace->found && !trace->has_writer);
	/* The pick is kept inside the EFB. */
	qs_session_set_pick(session, 10000, -5);
	ck_assert(qs_session_get_pick(session, &x, &y));
	ck_assert_int_eq(x, 639);
	ck_assert_int_eq(y, 0);
	g_object_unref(session);
}
END_TEST

static const struct {
	const char *text;
	gboolean ok;
	QsSelectionKind kind;
	const char *moment; /* NULL: stays */
} places[] = {
	{"2/0", TRUE, QS_SELECT_NONE, "2/0"},
	{" 3 ", TRUE, QS_SELECT_NONE, "3"},
	{"12,34", TRUE, QS_SELECT_PIXEL, NULL},
	{"12 , 34", TRUE, QS_SELECT_PIXEL, NULL},
	{"GEN_MODE", TRUE, QS_SELECT_REGISTER, NULL},
	{"bp.GEN_MODE.ntev", TRUE, QS_SELECT_REGISTER, NULL},
	{"gen_mode.ntev", TRUE, QS_SELECT_REGISTER, NULL},
	{"GEN_MODE.nothing", FALSE, QS_SELECT_NONE, NULL},
	{"NO_SUCH", FALSE, QS_SELECT_NONE, NULL},
	{"99/0", FALSE, QS_SELECT_NONE, NULL},
	{"1/9999", FALSE, QS_SELECT_NONE, NULL},
	{"", FALSE, QS_SELECT_NONE, NULL},
};

START_TEST(session_go_to)
{
	QsSession *session = open_session("animation-six-frames.dff", "1/0");
	struct qs_error error = {0};
	const QsSelectionKind before = qs_session_get_selection(session)->kind; /* a capture opens with a pixel */
	const gboolean ok = qs_session_go_to(session, places[_i].text, &error);

	ck_assert_msg(ok == places[_i].ok, "\"%s\": %s", places[_i].text, error.text);
	ck_assert_msg(ok || error.text[0], "\"%s\": no reason is given", places[_i].text);
	settle(session);
	ck_assert_int_eq(qs_session_get_selection(session)->kind, places[_i].kind == QS_SELECT_NONE ? before : places[_i].kind);
	ck_assert_str_eq(qs_session_get_view(session)->text, places[_i].moment ? places[_i].moment : "1/0");
	g_object_unref(session);
}
END_TEST

static void note_message(QsSession *session, guint level, const char *text, char **last)
{
	(void)session;
	g_free(*last);
	*last = g_strdup_printf("%u %s", level, text);
}

/* A file that cannot be opened says so and leaves the open one alone. */
START_TEST(session_bad_file)
{
	QsSession *session = open_session("triangle-gouraud.dff", "1/0");
	g_autofree char *path = sample("README.md"), *last = NULL;
	QsCapture *before = qs_session_get_capture(session);

	g_signal_connect(session, "message", G_CALLBACK(note_message), &last);
	qs_session_open(session, path, NULL);
	settle(session);
	ck_assert_ptr_nonnull(last);
	ck_assert_msg(last[0] == '0' + QS_MESSAGE_ERROR, "%s", last);
	ck_assert_ptr_eq(qs_session_get_capture(session), before);
	ck_assert_str_eq(qs_session_get_view(session)->text, "1/0");
	g_object_unref(session);
}
END_TEST

/* What was asked of one file is never done to the next. */
START_TEST(session_other_file)
{
	QsSession *session = open_session("animation-six-frames.dff", "1/0");
	g_autofree char *path = sample("triangle-gouraud.dff");
	struct qs_moment moment;

	ck_assert(qs_moment_of_command(qs_session_get_file(session), 20, &moment));
	qs_session_open(session, path, NULL);
	qs_session_seek(session, &moment);
	qs_session_step(session, QS_LEVEL_FRAME, -1);
	settle(session);
	ck_assert_str_eq(qs_session_get_capture(session)->name, "triangle-gouraud.dff");
	ck_assert_str_eq(qs_session_get_view(session)->text, "1/0");
	ck_assert_ptr_eq(qs_session_get_view(session)->capture, qs_session_get_capture(session));
	g_object_unref(session);
}
END_TEST

START_TEST(session_breakpoints)
{
	QsSession *session = open_session("animation-six-frames.dff", "1/0");
	struct qs_error error = {0};
	QsView *view;

	ck_assert(qs_session_add_breakpoint(session, "draw 3/0", &error));
	ck_assert(!qs_session_add_breakpoint(session, "draw nonsense", &error));
	settle(session);
	view = qs_session_get_view(session);
	ck_assert_uint_eq(view->breakpoint_count, 1);
	ck_assert_str_eq(view->breakpoint_text[0], "draw 3/0");
	qs_session_run(session, 1);
	settle(session);
	view = qs_session_get_view(session);
	ck_assert_str_eq(view->text, "3/0");
	ck_assert_uint_eq(view->breakpoints[0].hits, 1);
	qs_session_enable_breakpoint(session, view->breakpoints[0].id, FALSE);
	qs_session_run(session, -1);
	settle(session);
	view = qs_session_get_view(session);
	ck_assert_str_eq(view->text, "0");
	qs_session_remove_breakpoint(session, view->breakpoints[0].id);
	settle(session);
	ck_assert_uint_eq(qs_session_get_view(session)->breakpoint_count, 0);
	g_object_unref(session);
}
END_TEST

typedef struct {
	guint32 count;
	guint parts, covered;
	gboolean got_history, got_draw;
} Answers;

static void got_history(GObject *owner, const QsHistoryAnswer *answer, const struct qs_error *error)
{
	Answers *answers = g_object_get_data(owner, "answers");

	ck_assert_ptr_null(error);
	answers->got_history = TRUE;
	answers->count = answer->count;
}

static void got_draw(GObject *owner, QsDrawAnswer *answer, const struct qs_error *error)
{
	Answers *answers = g_object_get_data(owner, "answers");

	ck_assert_ptr_null(error);
	answers->got_draw = TRUE;
	answers->parts = answer->part_count;
	for (guint i = 0; i < 640 * 528; i++)
		answers->covered += answer->covered[i] != 0;
}

START_TEST(session_requests)
{
	QsSession *session = open_session("triangle-gouraud.dff", "1/0");
	g_autoptr(GObject) owner = g_object_new(G_TYPE_OBJECT, NULL);
	Answers answers = {0};
	guint covered = 0;
	QsView *view = qs_session_get_view(session);

	g_object_set_data(owner, "answers", &answers);
	qs_request_history(session, owner, 320, 200, got_history);
	qs_request_draw(session, owner, TRUE, got_draw);
	settle(session);
	ck_assert(answers.got_history && answers.got_draw);
	ck_assert_uint_ge(answers.count, 2); /* the frame's start and the triangle */
	ck_assert_uint_eq(answers.parts, 1);
	for (guint i = 0; i < view->quad_count; i++)
		for (guint f = 0; f < 4; f++)
			covered += (view->quads[i].coverage >> 3 * f & 7) != 0;
	ck_assert_uint_gt(covered, 10000);
	ck_assert_uint_eq(answers.covered, covered);
	/* Both questions moved the engine; the window stays where it was. */
	ck_assert_str_eq(qs_session_get_view(session)->text, "1/0");
	g_object_unref(session);
}
END_TEST

/* ---- captures of Gfx3D calls ---------------------------------------------------------------------------------------------- */

typedef struct {
	guint32 rows, corners, ports;
	gboolean bound, reached;
	float value[4];
	char problem[512];
} Tables;

static void got_rows(GObject *owner, QsRowsAnswer *answer, const struct qs_error *error)
{
	ck_assert_ptr_null(error);
	ck_assert_str_eq(answer->before_text, "1/0");
	((Tables *)g_object_get_data(owner, "tables"))->rows = answer->count;
}

static void got_vertices(GObject *owner, QsVerticesAnswer *answer, const struct qs_error *error)
{
	Tables *tables = g_object_get_data(owner, "tables");

	ck_assert_ptr_null(error);
	tables->corners = answer->count;
	tables->ports = answer->port_count;
}

static void got_bindings(GObject *owner, QsBindingsAnswer *answer, const struct qs_error *error)
{
	Tables *tables = g_object_get_data(owner, "tables");

	ck_assert_ptr_null(error);
	tables->bound = answer->bound[0] && answer->picture[0].level_count == 1 && answer->picture[0].level[0].width == 16 && !answer->bound[1];
	ck_assert_str_eq(answer->sampler[0], "image");
}

static void got_host_values(GObject *owner, const QsHostQuestion *answer, const struct qs_error *error)
{
	Tables *tables = g_object_get_data(owner, "tables");

	if (error) {
		g_strlcpy(tables->problem, error->text, sizeof tables->problem);
		return;
	}
	tables->reached = answer->value[0].reached;
	memcpy(tables->value, answer->value[0].value, sizeof tables->value);
}

/* What the vertex shader reads of its corner, as it is on this side. */
static gboolean vertex_question(const QsProgram *program, guint corner, QsHostQuestion *question)
{
	for (guint32 i = 0; i < program->vertex_step_count; i++) {
		const struct qs_gfx3d_step *step = &program->vertex_step[i];

		if (step->dst < 0 || !strstr(program->stage[0].text[step->instruction], "load_attr.4"))
			continue;
		*question = (QsHostQuestion){.vertex = TRUE, .corner = corner, .count = 1,
			.value = {{.instruction = step->instruction, .reg = (guint)step->dst}}};
		memcpy(question->value[0].value, step->value[corner], sizeof question->value[0].value);
		return TRUE;
	}
	return FALSE;
}

START_TEST(session_gfx3d)
{
	QsSession *session = open_session("gfx3d-textured.qsc", "1/1/4/108/0");
	g_autoptr(GObject) owner = g_object_new(G_TYPE_OBJECT, NULL);
	g_autofree char *flipper = sample("triangle-gouraud.dff");
	const guint32 quirks = qs_machine_quirk_count(QS_MACHINE_GFX3D);
	const QsTrace *trace = qs_session_get_trace(session);
	const struct qs_gfx3d_step *step;
	QsHostQuestion question;
	Tables tables = {0};
	guint8 rgba[4];

	g_object_set_data(owner, "tables", &tables);
	ck_assert_int_eq(qs_view_machine(qs_session_get_view(session)), QS_MACHINE_GFX3D);
	ck_assert_str_eq(qs_view_model_name(qs_session_get_view(session)), "chrisos");
	ck_assert(trace && trace->found && trace->program);
	ck_assert_uint_eq(trace->program->stage[1].count, 7);
	ck_assert_msg(g_str_has_prefix(trace->sentence, "written: #ff40c0ff"), "%s", trace->sentence);
	step = qs_program_step(trace->program, 1, 4);
	ck_assert(step && step->ran & 1 && step->reg_a == 1 && step->lanes_a == 3 && step->dst == 4);
	ck_assert_float_eq(step->value[0][3], 1);
	ck_assert_ptr_null(qs_program_step(trace->program, 1, 7));

	qs_request_rows(session, owner, got_rows);
	qs_request_vertices(session, owner, got_vertices);
	qs_request_bindings(session, owner, got_bindings);
	qs_request_host_values(session, owner, &(QsHostQuestion){.command = trace->moment.command, .primitive = trace->moment.primitive,
		.x = trace->x, .y = trace->y, .count = 1, .value = {{.instruction = 1, .reg = 1}}}, got_host_values);
	settle(session);
	ck_assert_uint_gt(tables.rows, 40);
	ck_assert_uint_eq(tables.corners, 36);
	ck_assert_uint_eq(tables.ports, 4);
	ck_assert(tables.bound);
	if (tables.problem[0]) {
		printf("check_inspector: skipped the host's registers: %s\n", tables.problem);
	} else {
		ck_assert(tables.reached);
		ck_assert_float_eq_tol(tables.value[0], 0.7993f, 1e-3f);
		ck_assert_float_eq_tol(tables.value[1], -0.39943f, 1e-3f);
	}
	for (guint corner = 0; corner < 3 && !tables.problem[0]; corner++) {
		memset(tables.value, 0, sizeof tables.value);
		ck_assert(vertex_question(trace->program, corner, &question));
		question.command = trace->moment.command;
		question.primitive = trace->moment.primitive;
		qs_request_host_values(session, owner, &question, got_host_values);
		settle(session);
		ck_assert_msg(!tables.problem[0] && tables.reached, "corner %u: %s", corner, tables.problem);
		for (guint lane = 0; lane < 4; lane++)
			ck_assert_float_eq_tol(tables.value[lane], question.value[0].value[lane], 1e-4f);
	}

	/* Its own models, whatever the Flipper's is. */
	qs_session_set_model(session, (enum qs_model)QS_GFX3D_CORRECTED);
	settle(session);
	for (guint32 i = 0; i < quirks; i++)
		if (qs_session_get_view(session)->quirks[i] != qs_machine_quirk(QS_MACHINE_GFX3D, i).value[QS_GFX3D_CORRECTED])
			ck_abort_msg("quirk %s is not the corrected model's", qs_machine_quirk(QS_MACHINE_GFX3D, i).name);
	qs_session_set_quirk(session, "pack", 1);
	settle(session);
	ck_assert_int_eq(qs_session_get_view(session)->model, QS_GFX3D_CORRECTED);
	qs_session_set_model(session, (enum qs_model)QS_GFX3D_CHRISOS);
	qs_session_seek_draw(session, 1, 0);
	settle(session);
	ck_assert(qs_view_pixel(qs_session_get_view(session), QS_BUFFER_COLOR, 0, 0, rgba, NULL));
	ck_assert_uint_eq(rgba[0], 0x19);
	if (!tables.problem[0]) { /* the host rounds where ChrisOS truncates */
		qs_session_set_pipeline(session, QS_PIPELINE_SHADER);
		settle(session);
		ck_assert_int_eq(qs_session_get_view(session)->pipeline, QS_PIPELINE_SHADER);
		ck_assert(qs_view_pixel(qs_session_get_view(session), QS_BUFFER_COLOR, 0, 0, rgba, NULL));
		ck_assert_uint_eq(rgba[0], 0x1a);
	}
	qs_session_open(session, flipper, "1/0");
	settle(session);
	ck_assert_int_eq(qs_session_get_model(session), QS_MODEL_HARDWARE);
	ck_assert_int_eq(qs_session_get_view(session)->pipeline, QS_PIPELINE_SOFT);
	ck_assert(qs_session_get_trace(session) && !qs_session_get_trace(session)->program);
	g_object_unref(session);
}
END_TEST

/* Every capture at hand: opens, steps, explains pixels, without a question left unanswered. */
static void walk_file(const char *path)
{
	QsSession *session = qs_session_new();
	g_autoptr(GRand) random = g_rand_new_with_seed(seed());

	qs_session_open(session, path, NULL);
	settle(session);
	ck_assert_msg(qs_session_get_view(session) != NULL, "%s does not open", path);
	for (guint i = 0; i < 4; i++) {
		QsTrace *trace;

		qs_session_set_pick(session, g_rand_int_range(random, 0, 640), g_rand_int_range(random, 0, 480)); /* inside the picture */
		settle(session);
		trace = qs_session_get_trace(session);
		ck_assert_msg(trace && trace->sentence && trace->serial == qs_session_get_view(session)->serial,
			"%s: no trace at %s", path, qs_session_get_view(session)->text);
		if (trace->found && !qs_session_get_view(session)->has_quad) {
			const struct qs_quad *quad = &trace->quad;
			int x, y;

			qs_session_get_pick(session, &x, &y);
			ck_assert_msg(quad->x + (int)(trace->fragment & 1) == x && quad->y + (int)(trace->fragment >> 1) == y,
				"%s at %s: the trace of %d,%d is of another pixel", path, qs_session_get_view(session)->text, x, y);
		}
		qs_session_step(session, i == 1 ? QS_LEVEL_QUAD : i == 2 ? QS_LEVEL_STAGE : QS_LEVEL_DRAW, i & 1 ? 1 : -1);
		settle(session);
	}
	g_object_unref(session);
}

static void walk_folder(const char *folder)
{
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir)))
		if (g_str_has_suffix(name, ".dff") || g_str_has_suffix(name, ".qsc")) {
			g_autofree char *path = g_build_filename(folder, name, NULL);

			walk_file(path);
		}
}

START_TEST(session_all_captures)
{
	const char *corpus = getenv("QS_CORPUS"), *source = getenv("QS_SRCDIR");
	g_autofree char *shipped = sample("");
	g_autofree char *real = corpus ? g_build_filename(corpus, "real", NULL) :
		source ? g_build_filename(source, "..", "shared", "captures", "real", NULL) : NULL;

	walk_folder(shipped);
	if (real && g_file_test(real, G_FILE_TEST_IS_DIR))
		walk_folder(real);
	else
		printf("check_inspector: no real captures (QS_CORPUS), only the shipped ones\n");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("inspector");
	TCase *session = tcase_create("session");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(session, session_views);
	tcase_add_test(session, session_steps);
	tcase_add_test(session, session_trace);
	tcase_add_loop_test(session, session_go_to, 0, G_N_ELEMENTS(places));
	tcase_add_test(session, session_bad_file);
	tcase_add_test(session, session_other_file);
	tcase_add_test(session, session_breakpoints);
	tcase_add_test(session, session_requests);
	tcase_add_test(session, session_gfx3d);
	tcase_add_test(session, session_all_captures);
	tcase_set_timeout(session, 400);
	suite_add_tcase(suite, session);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
