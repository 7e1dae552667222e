/* check_gfx3d_record.c - captures of Gfx3D calls: recording, reading, replay at every level
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "gfx3d_scene.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "gfx3d/qsc.h"
#include "oracle/random.h"

static char path[64];

static void make_path(void)
{
	int fd;

	strcpy(path, "/tmp/gfx3d-record-XXXXXX");
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	close(fd);
}

static uint8_t *read_file(const char *name, size_t *size)
{
	FILE *file = fopen(name, "rb");
	uint8_t *bytes = malloc(1 << 20);

	ck_assert_ptr_nonnull(file);
	*size = fread(bytes, 1, 1 << 20, file);
	ck_assert_uint_lt(*size, 1 << 20);
	fclose(file);
	return bytes;
}

static struct qs_capture *open_capture(const char *name)
{
	struct qs_error error = {0};
	struct qs_capture *capture = qs_capture_open(name, NULL, NULL, &error);

	if (!capture)
		ck_abort_msg("%s", error.text);
	return capture;
}

static struct qs_timeline *open_timeline(struct qs_capture *capture)
{
	struct qs_error error = {0};
	struct qs_timeline *t = qs_timeline_create(capture, &error);

	if (!t)
		ck_abort_msg("%s", error.text);
	return t;
}

static void seek(struct qs_timeline *t, const char *text)
{
	struct qs_error error = {0};
	struct qs_moment moment;

	if (!qs_moment_parse(qs_timeline_capture(t), text, &moment, &error) || !qs_timeline_seek(t, &moment, &error))
		ck_abort_msg("%s: %s", text, error.text);
}

/* ---- record and replay -------------------------------------------------------------------------------------------------- */

static float random_unit(struct oracle_random *r)
{
	return (float)(oracle_random_next(r) >> 8) / 8388608.0f - 1;
}

/* Some frames with draws, state and failing calls in between. */
static void random_frames(struct scene *s, struct oracle_random *r)
{
	static float v[30][8];
	uint16_t index[31];

	for (int frame = 0; frame < 3; frame++) {
		qs_gfx3d_begin(s->g, OWNER, s->context, s->target);
		qs_gfx3d_clear(s->g, OWNER, s->context, 0.2f, random_unit(r), 0.4f, 1, 1);
		for (int draw = 0; draw < 3; draw++) {
			for (int i = 0; i < 30; i++)
				for (int k = 0; k < 8; k++)
					v[i][k] = k == 3 ? 1 : random_unit(r);
			for (int i = 0; i < 31; i++)
				index[i] = (uint16_t)oracle_random_below(r, 30);
			if (oracle_random_below(r, 4) == 0)
				index[20] = 30; /* fails half-way */
			qs_gfx3d_depth(s->g, OWNER, s->context, (int)oracle_random_below(r, 2));
			qs_gfx3d_cull(s->g, OWNER + 1, s->context, 1);
			scene_draw(s, (const float (*)[8])v, 30, index, oracle_random_below(r, 2) ? 31 : 0);
			if (oracle_random_below(r, 3) == 0)
				qs_gfx3d_set_model(s->g, (enum qs_gfx3d_model)oracle_random_below(r, 3));
		}
		qs_gfx3d_end(s->g, OWNER, s->context);
	}
}

START_TEST(round_trip)
{
	struct oracle_random r = oracle_random_start();
	struct qs_error error = {0};

	make_path();
	for (int round = 0; round < ORACLE_ROUNDS(12); round++) {
		static uint32_t expected[SCENE_MAX * SCENE_MAX];
		struct qs_capture *capture;
		struct qs_timeline *t;
		struct qs_image image;
		struct scene s;

		memset(&s, 0, sizeof s);
		s.g = qs_gfx3d_create(&error);
		qs_gfx3d_set_quirk(s.g, "fresh_target", 2, NULL);
		ck_assert_int_eq(qs_gfx3d_record(s.g, path), 0);
		qs_gfx3d_boot(s.g, QS_GFX3D_SOFTWARE);
		s.context = qs_gfx3d_context_create(s.g, OWNER);
		s.target = qs_gfx3d_target_create(s.g, OWNER, s.context, 40, 30);
		scene_program(&s, vs_plain, fs_varying);
		random_frames(&s, &r);
		ck_assert_int_eq(qs_gfx3d_target_read(s.g, OWNER, s.target, expected, 1200), 0);
		qs_gfx3d_drop_owner(s.g, OWNER);
		qs_gfx3d_destroy(s.g);
		capture = open_capture(path);
		ck_assert_int_eq(qs_capture_info(capture)->machine, QS_MACHINE_GFX3D);
		ck_assert_uint_eq(qs_capture_info(capture)->frame_count, 3);
		ck_assert_uint_eq(qs_capture_info(capture)->draw_count, 9);
		ck_assert(!qs_capture_info(capture)->truncated);
		t = open_timeline(capture);
		seek(t, "3");
		ck_assert(qs_timeline_image(t, QS_BUFFER_COLOR, &image, &error));
		ck_assert_uint_eq(image.width * image.height, 1200);
		for (int i = 0; i < 1200; i++) {
			const uint8_t *p = image.rgba + 4 * i;
			uint32_t got = (uint32_t)p[3] << 24 | (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];

			if (got != expected[i])
				ck_abort_msg("seed %" PRIu64 " round %d pixel %d: 0x%08X, recorded 0x%08X", r.seed, round, i, got, expected[i]);
		}
		qs_image_finish(&image);
		qs_timeline_destroy(t);
		qs_capture_destroy(capture);
	}
	unlink(path);
}
END_TEST

START_TEST(environment)
{
	struct qs_capture *capture;
	struct qs_gfx3d *g, *second;
	struct qs_error error = {0};

	make_path();
	setenv("QS_GFX3D_CAPTURE", path, 1);
	g = qs_gfx3d_create(&error);
	second = qs_gfx3d_create(&error); /* is not recorded */
	ck_assert_ptr_nonnull(g);
	qs_gfx3d_boot(g, QS_GFX3D_SOFTWARE);
	qs_gfx3d_boot(second, QS_GFX3D_SOFTWARE);
	qs_gfx3d_context_create(second, OWNER);
	qs_gfx3d_context_create(g, OWNER);
	qs_gfx3d_destroy(second);
	qs_gfx3d_destroy(g);
	capture = open_capture(path);
	ck_assert_uint_eq(qs_capture_info(capture)->command_count, 2);
	qs_capture_destroy(capture);
	unlink(path);
	g = qs_gfx3d_create(&error);
	ck_assert_int_eq(qs_gfx3d_record(g, "/nonexistent/x.qsc"), -1);
	qs_gfx3d_destroy(g);
}
END_TEST

/* ---- moments ------------------------------------------------------------------------------------------------------------ */

static const char *const samples[] = {"constant", "cube", "textured", "branches", "discard", "lit"};

static void sample_path(const char *name, char *buffer, size_t size)
{
	const char *data = getenv("QS_DATA");

	snprintf(buffer, size, "%s/captures/gfx3d-%s.qsc", data ? data : "data", name);
}

/* Steps through moments of mixed levels; going back and coming again gives the same state as coming for the first time. */
START_TEST(moments_repeat)
{
	static const enum qs_level levels[] = {QS_LEVEL_COMMAND, QS_LEVEL_PRIMITIVE, QS_LEVEL_QUAD, QS_LEVEL_FRAGMENT, QS_LEVEL_STAGE,
		QS_LEVEL_DRAW};
	struct oracle_random r = oracle_random_start();
	static struct qs_moment moment[60];
	static uint64_t hash[60];
	struct qs_capture *capture;
	struct qs_timeline *t;
	struct qs_error error;
	char name[256];
	int count = 0;

	sample_path(samples[_i], name, sizeof name);
	capture = open_capture(name);
	t = open_timeline(capture);
	for (int i = 0; i < 60; i++) {
		int n = 1 + (int)oracle_random_below(&r, 7);

		if (qs_timeline_step(t, levels[oracle_random_below(&r, 6)], n, &error) == 0)
			seek(t, i % 2 ? "0" : "1/0/0");
		moment[count] = *qs_timeline_moment(t);
		hash[count++] = qs_timeline_hash(t);
	}
	ck_assert_int_eq(count, 60);
	for (int i = 0; i < 3 * count; i++) {
		int k = (int)oracle_random_below(&r, (uint32_t)count);
		char text[80];

		if (i % 20 == 0) { /* another timeline knows no better */
			qs_timeline_destroy(t);
			t = open_timeline(capture);
		}
		qs_moment_format(capture, &moment[k], text, sizeof text);
		if (!qs_timeline_seek(t, &moment[k], &error))
			ck_abort_msg("%s %s: %s", name, text, error.text);
		if (qs_timeline_hash(t) != hash[k])
			ck_abort_msg("seed %" PRIu64 " %s: the state at %s differs", r.seed, name, text);
	}
	qs_timeline_destroy(t);
	qs_capture_destroy(capture);
}
END_TEST

/* Steps of one level forward and back again meet at the same moments. */
START_TEST(steps)
{
	struct qs_capture *capture;
	struct qs_timeline *t;
	struct qs_error error;
	char name[256];
	int forward, back;

	sample_path(samples[_i], name, sizeof name);
	capture = open_capture(name);
	t = open_timeline(capture);
	for (int level = QS_LEVEL_FRAME; level <= QS_LEVEL_FRAGMENT; level++) {
		seek(t, "0");
		forward = qs_timeline_step(t, (enum qs_level)level, level >= QS_LEVEL_QUAD ? 50 : 1000000, &error);
		ck_assert_int_gt(forward, 0);
		back = qs_timeline_step(t, (enum qs_level)level, -1000000, &error);
		ck_assert_msg(back == 1 - forward, "level %s: %d forward, %d back", qs_level_name((enum qs_level)level), forward, back);
	}
	qs_timeline_destroy(t);
	qs_capture_destroy(capture);
}
END_TEST

START_TEST(constant_in_detail)
{
	static struct qs_gfx3d_quad quad;
	struct qs_history_row *rows;
	struct qs_capture *capture;
	struct qs_setup setup[4];
	struct qs_timeline *t;
	struct qs_moment moment, whole;
	struct qs_error error = {0};
	uint32_t count, line;
	uint8_t rgba[4];
	char name[256], text[160];

	sample_path("constant", name, sizeof name);
	capture = open_capture(name);
	t = open_timeline(capture);
	seek(t, "1/0");
	ck_assert_uint_eq(qs_timeline_primitive_count(t, qs_timeline_moment(t)), 1);
	ck_assert_uint_eq(qs_timeline_setup(t, setup, 4, &error), 1);
	ck_assert(setup[0].vertex[1].screen[0] > 28.79f && setup[0].vertex[1].screen[0] < 28.81f);
	ck_assert_int_eq(setup[0].box.y0, 3);
	ck_assert(qs_timeline_find_fragment(t, 16, 16, true, &moment, &error));
	ck_assert(qs_timeline_seek(t, &moment, &error));
	ck_assert(qs_timeline_pixel(t, 16, 16, rgba, NULL));
	ck_assert_uint_eq(rgba[0], 255);
	ck_assert(qs_timeline_gfx3d_quad(t, &quad, &error));
	ck_assert_int_eq(quad.fragment[0].verdict, QS_GFX3D_VERDICT_WRITTEN);
	ck_assert_int_eq(quad.fragment[1].verdict, QS_GFX3D_VERDICT_PENDING); /* after the moment */
	ck_assert_uint_eq(quad.fragment[0].new_pixel, 0xFFFF0000);
	ck_assert_uint_gt(quad.step_count, 0);
	ck_assert_uint_gt(qs_timeline_gfx3d_instructions(t, 1), 0);
	whole = moment;
	whole.level = QS_LEVEL_STAGE;
	whole.stage = 0;
	ck_assert(qs_timeline_seek(t, &whole, &error));
	ck_assert(qs_timeline_gfx3d_quad(t, &quad, &error));
	ck_assert_uint_le(quad.step_count, 1);
	qs_timeline_pixel(t, 16, 16, rgba, NULL);
	ck_assert_uint_lt(rgba[0], 40); /* not written yet */
	whole.stage = qs_timeline_gfx3d_instructions(t, 1);
	ck_assert(!qs_timeline_seek(t, &whole, &error));
	ck_assert(qs_timeline_history(t, 1, 16, 16, &rows, &count, &error));
	ck_assert_uint_eq(count, 2);
	ck_assert_int_eq(rows[0].kind, QS_HISTORY_CLEAR);
	ck_assert_int_eq(rows[1].verdict, QS_VERDICT_WRITTEN);
	free(rows);
	qs_timeline_gfx3d_instruction(t, 1, 0, &line, text, sizeof text);
	ck_assert_uint_gt(strlen(text), 2);
	qs_timeline_destroy(t);
	qs_capture_destroy(capture);
}
END_TEST

static bool count_quad(void *user, const struct qs_moment *moment, const struct qs_setup *setup, const struct qs_quad *quad)
{
	unsigned *n = user;

	(void)moment;
	(void)setup;
	for (unsigned k = 0; k < 4; k++)
		*n += quad->fragment[k].verdict == QS_VERDICT_WRITTEN;
	return true;
}

START_TEST(taps_and_models)
{
	struct qs_taps taps = {.mask = QS_TAP_QUAD, .quad = count_quad};
	const struct qs_gfx3d *g;
	struct qs_gfx3d_stats stats;
	struct qs_capture *capture;
	struct qs_timeline *t;
	struct qs_error error;
	unsigned written = 0;
	char name[256];

	sample_path("constant", name, sizeof name);
	capture = open_capture(name);
	t = open_timeline(capture);
	taps.user = &written;
	ck_assert(qs_timeline_replay(t, NULL, NULL, &taps, &error));
	ck_assert_uint_eq(written, 338);
	seek(t, "1/0");
	g = qs_timeline_gfx3d(t);
	qs_gfx3d_get_stats(g, &stats);
	ck_assert_uint_eq(stats.pixels_written, 338);
	ck_assert_uint_eq(stats.draws, 1);
	ck_assert_int_eq(qs_gfx3d_model(g), QS_GFX3D_CHRISOS);
	ck_assert(qs_timeline_set_gfx3d_model(t, QS_GFX3D_CORRECTED, &error));
	ck_assert_int_eq(qs_gfx3d_model(qs_timeline_gfx3d(t)), QS_GFX3D_CORRECTED);
	ck_assert_int_eq(qs_timeline_quirk(t, "pack"), 0);
	ck_assert(qs_timeline_set_quirk(t, "pack", 1, &error));
	ck_assert_int_eq(qs_timeline_quirk(t, "pack"), 1);
	ck_assert(!qs_timeline_set_quirk(t, "bilinear", 1, &error)); /* the other machine's */
	ck_assert_int_eq(qs_timeline_moment(t)->level, QS_LEVEL_DRAW);
	qs_timeline_destroy(t);
	qs_capture_destroy(capture);
}
END_TEST

/* ---- damage ------------------------------------------------------------------------------------------------------------- */

/* Opens whatever it is and goes to its end; what counts is that nothing is read or written out of bounds. */
static void use_bytes(const uint8_t *bytes, size_t size)
{
	struct qs_error error = {0};
	struct qs_capture *capture = qs_capture_open_memory(bytes, size, &error);
	struct qs_timeline *t;
	char text[256];

	if (!capture) {
		ck_assert_uint_gt(strlen(error.text), 10);
		return;
	}
	for (uint32_t i = 0; i < qs_capture_info(capture)->command_count; i++)
		qs_command_text(capture, i, text, sizeof text);
	t = open_timeline(capture);
	qs_timeline_replay(t, NULL, NULL, NULL, &error);
	qs_timeline_destroy(t);
	qs_capture_destroy(capture);
}

START_TEST(cut_files)
{
	char name[256];
	uint8_t *bytes;
	size_t size;

	sample_path("constant", name, sizeof name);
	bytes = read_file(name, &size);
	for (size_t n = 0; n < size; n++) {
		uint8_t *exact = malloc(n ? n : 1);

		memcpy(exact, bytes, n);
		use_bytes(exact, n);
		free(exact);
	}
	free(bytes);
}
END_TEST

/* The calls themselves damaged, in a stream that is stored well. */
START_TEST(damaged_calls)
{
	struct oracle_random r = oracle_random_start();
	char name[256];

	make_path();
	for (int round = 0; round < ORACLE_ROUNDS(300); round++) {
		struct qs_error error = {0};
		struct qsc_stream stream;
		struct g3_recorder *recorder;
		uint8_t *bytes;
		size_t size;

		sample_path(samples[round % 3], name, sizeof name);
		bytes = read_file(name, &size);
		ck_assert(qsc_read(bytes, size, &stream, &error));
		free(bytes);
		for (int k = 0; k < 1 + round % 4; k++) {
			uint32_t at = oracle_random_below(&r, (uint32_t)stream.size);

			stream.calls[at] = oracle_random_below(&r, 2) ? (uint8_t)oracle_random_next(&r) : (uint8_t)(stream.calls[at] ^ 1u << (at % 8));
		}
		recorder = g3_recorder_create(path, &error);
		ck_assert_ptr_nonnull(recorder);
		for (size_t at = 0, used; at < stream.size; at += used) {
			struct g3_call call;

			used = qsc_parse(stream.calls + at, stream.size - at, &call);
			if (!used)
				break;
			g3_recorder_call(recorder, &call);
		}
		free(stream.calls);
		ck_assert(g3_recorder_finish(recorder, &error));
		bytes = read_file(path, &size);
		use_bytes(bytes, size);
		free(bytes);
	}
	unlink(path);
}
END_TEST

static const struct {
	const char *name;
	size_t at;
	uint8_t value;
	const char *text; /* of the error, or NULL: opens with a warning */
} damages[] = {
	{"a later version", 12, 9, "version 9"},
	{"not finished", 16, 0, NULL},
	{"chunk mark", 32, 'X', NULL},
	{"checksum", 44, 0x55, NULL},
	{"raw size", 42, 0x7F, NULL},
};

START_TEST(damaged_heads)
{
	struct qs_error error = {0};
	struct qs_capture *capture;
	char name[256];
	uint8_t *bytes;
	size_t size;

	sample_path("constant", name, sizeof name);
	bytes = read_file(name, &size);
	bytes[damages[_i].at] = damages[_i].value;
	capture = qs_capture_open_memory(bytes, size, &error);
	ck_assert_msg((capture == NULL) == (damages[_i].text != NULL), "%s", damages[_i].name);
	if (capture) {
		ck_assert(qs_capture_info(capture)->truncated);
		ck_assert_uint_eq(qs_capture_info(capture)->warning_count, 1);
	} else {
		ck_assert_ptr_nonnull(strstr(error.text, damages[_i].text));
	}
	qs_capture_destroy(capture);
	free(bytes);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("gfx3d record");
	TCase *tcase = tcase_create("all");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, round_trip);
	tcase_add_test(tcase, environment);
	tcase_add_loop_test(tcase, moments_repeat, 0, sizeof samples / sizeof *samples);
	tcase_add_loop_test(tcase, steps, 0, sizeof samples / sizeof *samples);
	tcase_add_test(tcase, constant_in_detail);
	tcase_add_test(tcase, taps_and_models);
	tcase_add_test(tcase, cut_files);
	tcase_add_test(tcase, damaged_calls);
	tcase_add_loop_test(tcase, damaged_heads, 0, sizeof damages / sizeof *damages);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
