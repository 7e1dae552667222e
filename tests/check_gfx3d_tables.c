/* check_gfx3d_tables.c - what the debugger lists of a moment of Gfx3D calls: state and its writers, vertices, vertex shader,
 * textures, and pixels beyond the size of an EFB
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "gfx3d_scene.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static struct qs_capture *capture;
static struct qs_timeline *timeline;
static struct qs_error error;

static void open_sample(const char *name)
{
	const char *data = getenv("QS_DATA");
	char path[512];

	snprintf(path, sizeof path, "%s/captures/%s.qsc", data ? data : "data", name);
	capture = qs_capture_open(path, NULL, NULL, &error);
	if (!capture)
		ck_abort_msg("%s", error.text);
	timeline = qs_timeline_create(capture, &error);
	if (!timeline)
		ck_abort_msg("%s", error.text);
}

static void close_sample(void)
{
	qs_timeline_destroy(timeline);
	qs_capture_destroy(capture);
}

static void seek(const char *text)
{
	struct qs_moment moment;

	if (!qs_moment_parse(capture, text, &moment, &error) || !qs_timeline_seek(timeline, &moment, &error))
		ck_abort_msg("%s: %s", text, error.text);
}

static void seek_command(uint32_t command)
{
	struct qs_moment moment;

	if (!qs_moment_of_command(capture, command, &moment) || !qs_timeline_seek(timeline, &moment, &error))
		ck_abort_msg("command %" PRIu32 ": %s", command, error.text);
}

static const char *const samples[] = {"gfx3d-textured", "gfx3d-lit", "gfx3d-branches", "gfx3d-city", "differences/relink", "differences/two-frames",
	"differences/second-sampler", "differences/depth-off", "differences/attribute-order"};

/* ---- state and who wrote it --------------------------------------------------------------------------------------------- */

struct known {
	struct qs_gfx3d_row row;
	uint32_t changed; /* last command that changed the value */
};

/* Every command is looked at: a value can only change where its row says it was written last, or before. */
START_TEST(writers)
{
	static struct known known[1024];
	uint32_t known_count = 0, commands, checked = 0;

	open_sample(samples[_i]);
	commands = qs_capture_info(capture)->command_count;
	for (uint32_t command = 0; command < commands && command < 330; command++) {
		struct qs_gfx3d_row *rows;
		uint32_t count;

		seek_command(command);
		if (!qs_timeline_gfx3d_rows(timeline, &rows, &count, &error))
			ck_abort_msg("%s", error.text);
		for (uint32_t i = 0; i < count; i++) {
			uint32_t k = 0;

			if (rows[i].unit == QS_GFX3D_COUNTERS)
				continue;
			while (k < known_count && (strcmp(known[k].row.group, rows[i].group) || strcmp(known[k].row.name, rows[i].name)))
				k++;
			if (k == known_count) {
				ck_assert_uint_lt(known_count, 1024);
				known[known_count++] = (struct known){rows[i], QS_NONE};
			} else if (strcmp(known[k].row.value, rows[i].value)) {
				known[k].changed = command;
			}
			known[k].row = rows[i];
			if (rows[i].writer != QS_NONE && rows[i].writer > command)
				ck_abort_msg("%s, %s is written in the future, by command %" PRIu32 " of %" PRIu32, rows[i].group, rows[i].name, rows[i].writer,
					command);
			/* another program in use shows other uniforms without anybody writing them */
			if (rows[i].unit != QS_GFX3D_UNIFORMS && known[k].changed != QS_NONE && (rows[i].writer == QS_NONE || rows[i].writer < known[k].changed))
				ck_abort_msg("%s, %s changed at command %" PRIu32 " and is said to be written by %" PRIu32, rows[i].group, rows[i].name,
					known[k].changed, rows[i].writer);
			checked += known[k].changed == command;
		}
		free(rows);
	}
	ck_assert_uint_gt(checked, 4);
	close_sample();
}
END_TEST

static const struct qs_gfx3d_row *find(const struct qs_gfx3d_row *rows, uint32_t count, const char *group, const char *name)
{
	for (uint32_t i = 0; i < count; i++)
		if (!strcmp(rows[i].group, group) && !strcmp(rows[i].name, name))
			return &rows[i];
	ck_abort_msg("there is no row %s, %s", group, name);
	return NULL;
}

/* data/gfx3d/textured.c says what must be there. */
START_TEST(textured_rows)
{
	struct qs_gfx3d_row *rows;
	const struct qs_gfx3d_row *r;
	struct qs_moment written;
	char text[80];
	uint32_t count;

	open_sample("gfx3d-textured");
	seek("1/1");
	ck_assert(qs_timeline_gfx3d_rows(timeline, &rows, &count, &error));
	r = find(rows, count, "vertex uniforms", "stretch");
	ck_assert_str_eq(r->value, "2 2 -0.5 -0.5");
	ck_assert_str_eq(r->type, "vec4");
	qs_moment_of_command(capture, r->writer, &written);
	ck_assert_str_eq(qs_moment_format(capture, &written, text, sizeof text), "1@0xefc");
	r = find(rows, count, "vertex uniforms", "mvp[3]"); /* the last column of the matrix, as recorded */
	ck_assert_str_eq(r->value, "0.1236365 0 0.253421 0.315");
	ck_assert_str_eq(find(rows, count, "context 1", "depth test")->value, "on");
	ck_assert_str_eq(find(rows, count, "context 1", "viewport")->value, "0 0 240 120");
	r = find(rows, count, "context 1", "texture 0");
	ck_assert_str_eq(r->value, "0x00010001");
	qs_moment_of_command(capture, r->writer, &written);
	ck_assert_str_eq(qs_moment_format(capture, &written, text, sizeof text), "1@0x664");
	ck_assert_str_eq(find(rows, count, "targets", "0x00010001")->value, "240 x 120, 1 sample, of context 1, cleared");
	ck_assert_str_eq(find(rows, count, "fragment uniforms", "image")->value, "texture unit 0");
	free(rows);
	seek("1/0");
	ck_assert(qs_timeline_gfx3d_rows(timeline, &rows, &count, &error));
	ck_assert_str_eq(find(rows, count, "vertex uniforms", "stretch")->value, "1 1 0 0");
	free(rows);
	close_sample();
}
END_TEST

START_TEST(textured_texture)
{
	struct qs_gfx3d_binding binding;
	struct qs_image image;

	open_sample("gfx3d-textured");
	seek("1/0");
	ck_assert(qs_timeline_gfx3d_texture(timeline, 0, &binding, &error));
	ck_assert_uint_eq(binding.handle, 0x10001);
	ck_assert_uint_eq(binding.width, 16);
	ck_assert_uint_eq(binding.height, 16);
	ck_assert(binding.uploaded);
	ck_assert(qs_timeline_gfx3d_texture_image(timeline, 0, 0, &image, &error));
	ck_assert_uint_eq(image.width * image.height, 256);
	ck_assert_mem_eq(image.rgba, ((uint8_t[]){0xFF, 0x20, 0x20, 0xFF}), 4);
	ck_assert_mem_eq(image.rgba + 4 * 8, ((uint8_t[]){0x40, 0xC0, 0xFF, 0xFF}), 4);
	qs_image_finish(&image);
	ck_assert(!qs_timeline_gfx3d_texture_image(timeline, 0, 1, &image, &error));
	ck_assert(!qs_timeline_gfx3d_texture(timeline, 1, &binding, &error));
	ck_assert(strstr(error.text, "unit 1"));
	seek("0");
	ck_assert(!qs_timeline_gfx3d_texture(timeline, 0, &binding, &error));
	close_sample();
}
END_TEST

/* ---- vertices and their shader ------------------------------------------------------------------------------------------ */

static bool same(const float a[4], const float b[4])
{
	return !memcmp(a, b, 4 * sizeof *a);
}

/* The listed vertices are those that set-up gets; the shader's steps store just what is listed. */
static void check_draw(uint32_t draws)
{
	static struct qs_gfx3d_step steps[384];
	uint32_t primitives = qs_timeline_primitive_count(timeline, qs_timeline_moment(timeline));
	struct qs_gfx3d_vertex *vertices;
	uint32_t count, vertex[3], step_count;
	const uint64_t before = qs_timeline_hash(timeline);

	if (!qs_timeline_gfx3d_vertices(timeline, &vertices, &count, &error))
		ck_abort_msg("draw %" PRIu32 ": %s", draws, error.text);
	ck_assert_uint_eq(count, 3 * primitives);
	if (!qs_timeline_gfx3d_vertex_steps(timeline, vertex, steps, &step_count, &error))
		ck_abort_msg("draw %" PRIu32 ": %s", draws, error.text);
	ck_assert_uint_gt(step_count, 0);
	for (uint32_t k = 0; k < 3; k++) {
		const struct qs_gfx3d_vertex *v = &vertices[count - 3 + k];
		bool stored = false;

		ck_assert_uint_eq(vertex[k], v->index);
		for (uint32_t i = 0; i < step_count; i++) {
			char text[160];

			qs_timeline_gfx3d_instruction(timeline, 0, steps[i].instruction, NULL, text, sizeof text);
			if (strncmp(text, "store_pos", 9))
				continue;
			stored = true;
			if (!same(steps[i].a[k], v->clip))
				ck_abort_msg("corner %" PRIu32 " of draw %" PRIu32 " is stored elsewhere", k, draws);
		}
		ck_assert(stored);
		if (!(fabsf(v->window[3] * v->clip[3] - 1) < 1e-5f))
			ck_abort_msg("1/w of corner %" PRIu32 " of draw %" PRIu32, k, draws);
	}
	free(vertices);
	ck_assert_uint_eq(qs_timeline_hash(timeline), before);
}

START_TEST(all_vertices)
{
	open_sample(samples[_i]);
	for (uint32_t f = 1; f <= qs_capture_info(capture)->frame_count; f++)
		for (uint32_t d = 0; d < qs_capture_frame(capture, f)->draw_count && d < 12; d++) {
			seek_command(qs_capture_draw_command(capture, f, d));
			check_draw(d);
		}
	close_sample();
}
END_TEST

/* data/gfx3d/textured.c: corner 4 of the cube, and what the shader makes of its coordinate. */
START_TEST(textured_vertices)
{
	static const float position[4] = {1, 1, 1, 1}, uv[4] = {1.5f, 1.5f, 0, 0};
	struct qs_gfx3d_vertex *vertices;
	struct qs_gfx3d_port port;
	const char *source;
	uint32_t count;

	open_sample("gfx3d-textured");
	seek("1/1/3");
	ck_assert(qs_timeline_gfx3d_vertices(timeline, &vertices, &count, &error));
	ck_assert_uint_eq(count, 36);
	ck_assert_uint_eq(vertices[4].index, 4);
	ck_assert(same(vertices[4].attribute[0], position));
	ck_assert_float_eq(vertices[4].attribute[2][0], 1);
	ck_assert_float_eq(vertices[4].varying[0][0], uv[0]);
	ck_assert_float_eq(vertices[4].varying[0][1], uv[1]);
	free(vertices);
	ck_assert(qs_timeline_gfx3d_port(timeline, 1, &port));
	ck_assert_str_eq(port.name, "coordinate");
	ck_assert_str_eq(port.type, "vec2");
	ck_assert_uint_eq(port.slot, 2);
	ck_assert(qs_timeline_gfx3d_port(timeline, 2, &port));
	ck_assert_str_eq(port.name, "uv");
	ck_assert_uint_eq(port.kind, QS_GFX3D_VARYING);
	ck_assert(qs_timeline_gfx3d_port(timeline, 3, &port));
	ck_assert_uint_eq(port.kind, QS_GFX3D_SAMPLER);
	ck_assert(!qs_timeline_gfx3d_port(timeline, 4, &port));
	source = qs_timeline_gfx3d_source(timeline, 1);
	ck_assert(source && strstr(source, "texture(image, uv)"));
	close_sample();
}
END_TEST

/* ---- the same registers on a VirGL host ---------------------------------------------------------------------------------- */

/* Every register of a fragment, by drawing its one primitive: with indices as well as without. */
START_TEST(host_registers)
{
	static const struct { const char *sample, *fragment; } of[] = {{"gfx3d-lit", "1/0/208/21/2"}, {"gfx3d-textured", "1/0/1/40/3"}};
	static struct qs_gfx3d_quad quad;
	struct qs_gfx3d_host *host;
	struct qs_source source;
	const struct qs_moment *m;
	unsigned compared = 0, k;

	open_sample(of[_i].sample);
	host = qs_gfx3d_host_create(capture, NULL, &error);
	if (!host) {
		printf("skipped: %s\n", error.text);
		close_sample();
		return;
	}
	qs_source_gfx3d_host(&source, host, "virgl");
	ck_assert(qs_timeline_set_gfx3d_model(timeline, QS_GFX3D_VIRGL_MODEL, &error));
	seek(of[_i].fragment);
	m = qs_timeline_moment(timeline);
	k = m->fragment;
	ck_assert(qs_timeline_gfx3d_quad(timeline, &quad, &error));
	ck_assert_uint_eq(quad.fragment[k].verdict, QS_GFX3D_VERDICT_WRITTEN);
	for (uint32_t i = 0; i < quad.step_count; i++) {
		const struct qs_gfx3d_step *s = &quad.step[i];
		const struct qs_value what = {.kind = QS_VALUE_REGISTER, .instruction = s->instruction, .reg = (uint32_t)s->dst};
		float value[4];

		if (s->dst < 0)
			continue;
		if (!source.value(source.user, m->command, m->primitive, &what, quad.fragment[k].x, quad.fragment[k].y, value, &error))
			ck_abort_msg("%s", error.text);
		for (unsigned lane = 0; lane < 4; lane++)
			if (s->lanes >> lane & 1 && !(fabsf(s->value[k][lane] - value[lane]) <= 2e-3f * fmaxf(1, fabsf(value[lane]))))
				ck_abort_msg("instruction %u lane %u: %g, the host has %g", s->instruction, lane, (double)s->value[k][lane], (double)value[lane]);
		compared++;
	}
	ck_assert_uint_gt(compared, 1);
	qs_gfx3d_host_destroy(host);
	close_sample();
}
END_TEST

/* ---- targets larger than an EFB ----------------------------------------------------------------------------------------- */

START_TEST(far_pixels)
{
	struct qs_history_row *rows;
	struct qs_moment moment;
	struct qs_breakpoint b;
	struct qs_hit hit;
	char *condition;
	uint8_t rgba[4];
	uint32_t count, id, z;

	open_sample("gfx3d-city");
	seek("1");
	ck_assert(qs_timeline_find_fragment(timeline, 1500, 900, true, &moment, &error));
	ck_assert(qs_timeline_history(timeline, 1, 1500, 900, &rows, &count, &error));
	ck_assert_uint_ge(count, 2); /* the clear and what wrote it */
	ck_assert(qs_timeline_pixel(timeline, 1500, 900, rgba, &z));
	for (uint32_t i = count; i-- > 0;) {
		if (rows[i].verdict != QS_VERDICT_WRITTEN)
			continue;
		ck_assert_mem_eq(rows[i].after, rgba, 4);
		ck_assert_int_eq(qs_moment_compare(&rows[i].moment, &moment), 0);
		break;
	}
	free(rows);
	ck_assert(qs_timeline_history(timeline, 2, 1919, 1079, &rows, &count, &error)); /* another frame's */
	free(rows);
	ck_assert(!qs_timeline_history(timeline, 1, 1920, 0, &rows, &count, &error));
	ck_assert(strstr(error.text, "1920 by 1080"));
	ck_assert(qs_breakpoint_parse("pixel 1500,900", &b, &condition, &error));
	id = qs_timeline_break_add(timeline, &b, &error);
	ck_assert_uint_ne(id, 0);
	free(condition);
	seek("0");
	ck_assert(qs_timeline_run(timeline, 1, &hit, &error));
	ck_assert_uint_eq(hit.id, id);
	ck_assert_uint_eq(hit.moment.frame, 1);
	seek("0");
	ck_assert(qs_timeline_seek_pixel(timeline, 1500, 900, 1, &error));
	ck_assert_uint_eq(qs_timeline_moment(timeline)->draw, hit.moment.draw);
	close_sample();
}
END_TEST

/* ---- lint --------------------------------------------------------------------------------------------------------------- */

static uint32_t lint(const char *name, struct qs_lint_message **messages)
{
	uint32_t count;

	open_sample(name);
	if (!qs_capture_lint(capture, 0, messages, &count, NULL, NULL, &error))
		ck_abort_msg("%s", error.text);
	return count;
}

/* What the doctor says is about calls, not about registers of the Flipper. */
START_TEST(doctor)
{
	struct qs_lint_message *messages;
	uint32_t count = lint("gfx3d-city", &messages);

	ck_assert_uint_eq(count, 0);
	close_sample();
	count = lint("differences/index-range", &messages);
	ck_assert_uint_eq(count, 1);
	ck_assert_str_eq(messages[0].check, "failed_draw");
	ck_assert_int_eq(messages[0].moment.level, QS_LEVEL_DRAW);
	qs_lint_free(messages, count);
	close_sample();
}
END_TEST

/* A capture of the other machine answers with a sentence. */
START_TEST(flipper)
{
	const char *data = getenv("QS_DATA");
	struct qs_gfx3d_vertex *vertices;
	struct qs_gfx3d_binding binding;
	struct qs_gfx3d_row *rows;
	struct qs_gfx3d_port port;
	struct qs_breakpoint b;
	char path[512], *condition;
	uint32_t count;

	snprintf(path, sizeof path, "%s/captures/triangle-gouraud.dff", data ? data : "data");
	capture = qs_capture_open(path, NULL, NULL, &error);
	ck_assert(capture);
	timeline = qs_timeline_create(capture, &error);
	seek("1/0");
	ck_assert(!qs_timeline_gfx3d_rows(timeline, &rows, &count, &error));
	ck_assert(strstr(error.text, "Flipper"));
	ck_assert(!qs_timeline_gfx3d_vertices(timeline, &vertices, &count, &error));
	ck_assert(!qs_timeline_gfx3d_texture(timeline, 0, &binding, &error));
	ck_assert(!qs_timeline_gfx3d_port(timeline, 0, &port));
	ck_assert(!qs_timeline_gfx3d_source(timeline, 0));
	ck_assert(qs_breakpoint_parse("pixel 640,0", &b, &condition, &error));
	ck_assert_uint_eq(qs_timeline_break_add(timeline, &b, &error), 0);
	ck_assert(strstr(error.text, "640 by 528"));
	free(condition);
	close_sample();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("gfx3d tables");
	TCase *tcase = tcase_create("all");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tcase, 120);
	tcase_add_loop_test(tcase, writers, 0, sizeof samples / sizeof *samples);
	tcase_add_test(tcase, textured_rows);
	tcase_add_test(tcase, textured_texture);
	tcase_add_loop_test(tcase, all_vertices, 0, sizeof samples / sizeof *samples);
	tcase_add_test(tcase, textured_vertices);
	tcase_add_loop_test(tcase, host_registers, 0, 2);
	tcase_add_test(tcase, far_pixels);
	tcase_add_test(tcase, doctor);
	tcase_add_test(tcase, flipper);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
