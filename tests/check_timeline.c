/* check_timeline.c - moments, steps and checkpoints against runs from the start
 *
 * The oracle is a machine of its own that executes the commands before the moment and then single quads: it knows nothing of
 * snapshots, cursors or undo.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <inttypes.h>
#include <pthread.h>

#include "core/hash.h"
#include "dffwriter.h"
#include "session.h"
#include "trace/timeline.h"

/* ---- the oracle --------------------------------------------------------------------------------------------------------- */

/* The machine at the moment, by a run from the start. */
static struct gx_machine *run_from_start(const struct session *s, const struct qs_moment *m)
{
	const struct qs_capture_info *info = qs_capture_info(s->capture);
	struct gx_machine *machine = gx_machine_create(info->mem1_size, info->mem2_size);
	uint32_t whole = 0;

	ck_assert(machine != NULL);
	gx_machine_reset(machine, s->capture);
	machine->batch_quads = 1;
	if (m->level == QS_LEVEL_FRAME) {
		const struct qs_frame *frame = qs_capture_frame(s->capture, m->frame);
		whole = frame->first_command + frame->command_count;
	} else if (m->level != QS_LEVEL_START) {
		whole = m->command + (m->level <= QS_LEVEL_DRAW);
	}
	for (uint32_t i = 0; i < whole; i++)
		gx_execute(machine, i);
	if (m->level < QS_LEVEL_PRIMITIVE)
		return machine;
	gx_apply_updates(machine, m->command);
	ck_assert(gx_draw_begin(machine, m->command));
	for (uint32_t p = 0; p <= m->primitive; p++) {
		ck_assert(gx_draw_next_primitive(machine));
		if (p < m->primitive || m->level == QS_LEVEL_PRIMITIVE)
			while (gx_draw_next_quads(machine, 1, 15))
				;
	}
	if (m->level == QS_LEVEL_PRIMITIVE)
		return machine;
	for (uint32_t q = 0; q < m->quad; q++)
		ck_assert_uint_eq(gx_draw_next_quads(machine, 1, 15), 1);
	uint8_t commit = 15;
	if (m->level >= QS_LEVEL_FRAGMENT)
		commit = (uint8_t)((1 << (m->fragment + (m->level == QS_LEVEL_FRAGMENT))) - 1);
	ck_assert_uint_eq(gx_draw_next_quads(machine, 1, commit), 1);
	return machine;
}

static uint64_t oracle_hash(const struct session *s, const struct qs_moment *m)
{
	struct gx_machine *machine = run_from_start(s, m);
	uint64_t hash = hash_bytes(m, sizeof *m, gx_machine_hash(machine));

	gx_machine_destroy(machine);
	return hash;
}

static void check_hash(struct session *s, const char *what)
{
	const struct qs_moment m = *qs_timeline_moment(s->t);
	uint64_t expected = oracle_hash(s, &m), found = qs_timeline_hash(s->t);

	ck_assert_msg(expected == found, "%s: %s: at %s the hash is %016" PRIx64 ", a run from the start gives %016" PRIx64 " (seed %" PRIu64 ")",
		s->name, what, text(s, &m), found, expected, s->random.seed);
}

/* 20 moments in each of 11 captures: 220 in all (a quarter with AddressSanitizer, as below). */
START_TEST(seek_equals_run_from_start)
{
	struct session s;

	open_walked(&s, _i);
	for (int i = 0; i < ORACLE_ROUNDS(20); i++) {
		random_moment(&s, (enum qs_level)(QS_LEVEL_FRAME + below(&s, 7)));
		check_hash(&s, "random seek");
	}
	close_session(&s);
}
END_TEST

/* ---- walks -------------------------------------------------------------------------------------------------------------- */

static void walk(struct session *s, enum qs_level level, int n)
{
	struct qs_error error = {0};
	struct qs_moment start = random_moment(s, level);
	uint64_t before;
	int forth, back = 0, first = n > 0 ? 1 : -1;

	/* a walk begins and ends at a thing of the level; the thing is found by one step when the moment is coarser */
	if (start.level != level && !(level == QS_LEVEL_COMMAND && start.level == QS_LEVEL_DRAW) &&
		!qs_timeline_step(s->t, level, first, &error))
		return;
	start = *qs_timeline_moment(s->t);
	before = qs_timeline_hash(s->t);
	forth = qs_timeline_step(s->t, level, n, &error);
	ck_assert_msg(error.code == QS_OK, "%s", error.text);
	ck_assert_msg(n > 0 ? forth >= 0 && forth <= n : forth <= 0 && forth >= n, "%d steps made of %d", forth, n);
	if (below(s, 2)) { /* in one go or one by one */
		back = qs_timeline_step(s->t, level, -forth, &error);
	} else {
		for (int i = 0; i != forth; i += forth > 0 ? 1 : -1)
			back += qs_timeline_step(s->t, level, forth > 0 ? -1 : 1, &error);
	}
	ck_assert_msg(error.code == QS_OK, "%s", error.text);
	ck_assert_msg(back == -forth && !qs_moment_compare(&start, qs_timeline_moment(s->t)) && qs_timeline_hash(s->t) == before,
		"%s: %d of %d %s steps from %s and %d back end at %s with hash %016" PRIx64 " instead of %016" PRIx64 " (seed %" PRIu64 ")",
		s->name, forth, n, qs_level_name(level), text(s, &start), back, text(s, qs_timeline_moment(s->t)), qs_timeline_hash(s->t),
		before, s->random.seed);
}

/* 100 walks in each of 11 captures, over every level. */
START_TEST(walks_forth_and_back)
{
	struct session s;

	open_walked(&s, _i);
	for (int i = 0; i < ORACLE_ROUNDS(100); i++) {
		int n = 1 + (int)below(&s, 40);
		walk(&s, (enum qs_level)(QS_LEVEL_FRAME + i % 7), below(&s, 2) ? n : -n);
	}
	close_session(&s);
}
END_TEST

/* Step by step through one draw at the level: the moments rise, every one of them can be sought, and the states agree. */
START_TEST(steps_are_complete)
{
	static const enum qs_level levels[] = {QS_LEVEL_PRIMITIVE, QS_LEVEL_QUAD, QS_LEVEL_FRAGMENT, QS_LEVEL_STAGE};
	enum qs_level level = levels[_i % 4];
	struct session s, other;
	struct qs_error error = {0};
	char path[700];
	struct qs_moment m, last;

	open_session(&s, shipped("primitives-all", path, sizeof path), "primitives-all");
	open_session(&other, path, "primitives-all");
	ck_assert(qs_moment_parse(s.capture, "1/2", &m, &error));
	seek(&s, &m);
	last = *qs_timeline_moment(s.t);
	for (int i = 0; i < 60; i++) {
		if (!qs_timeline_step(s.t, level, 1, &error)) {
			ck_assert_msg(level == QS_LEVEL_PRIMITIVE && i > 10, "only %d %s steps", i, qs_level_name(level));
			break;
		}
		m = *qs_timeline_moment(s.t);
		ck_assert_int_eq((int)m.level, (int)level);
		ck_assert_int_gt(qs_moment_compare(&m, &last), 0);
		last = m;
		if (i % 7 == 0) {
			seek(&other, &m);
			ck_assert_uint_eq(qs_timeline_hash(s.t), qs_timeline_hash(other.t));
		}
	}
	close_session(&s);
	close_session(&other);
}
END_TEST

struct neighbour_case {
	const char *from;
	enum qs_level level;
	int n, made;
	const char *to;
};

/* triangle-gouraud has one frame, one draw of one triangle with one stage */
static const struct neighbour_case neighbours[] = {
	{"0", QS_LEVEL_DRAW, 1, 1, "1/0"},
	{"0", QS_LEVEL_DRAW, -1, 0, "0"},
	{"0", QS_LEVEL_FRAME, 1, 1, "1"},
	{"0", QS_LEVEL_COMMAND, 1, 1, "1/0"},
	{"0", QS_LEVEL_COMMAND, 100, 7, "1@0x4c"},
	{"1", QS_LEVEL_FRAME, 1, 0, "1"},
	{"1", QS_LEVEL_FRAME, -1, 0, "1"},
	{"1", QS_LEVEL_COMMAND, -1, -1, "1@0x4c"},
	{"1", QS_LEVEL_DRAW, -1, -1, "1/0"},
	{"1/0", QS_LEVEL_DRAW, 1, 0, "1/0"},
	{"1/0", QS_LEVEL_PRIMITIVE, -1, -1, "1/0/0"},
	{"1/0", QS_LEVEL_PRIMITIVE, 1, 0, "1/0"},
	{"0", QS_LEVEL_PRIMITIVE, 1, 1, "1/0/0"},
	{"0", QS_LEVEL_QUAD, 3, 3, "1/0/0/2"},
	{"1/0/0/2", QS_LEVEL_PRIMITIVE, 1, 1, "1/0/0"},
	{"1/0/0/2", QS_LEVEL_PRIMITIVE, -1, 0, "1/0/0/2"},
	{"1/0/0/2", QS_LEVEL_DRAW, 1, 1, "1/0"},
	{"1/0/0/2", QS_LEVEL_FRAME, 1, 1, "1"},
	{"1/0/0/2", QS_LEVEL_COMMAND, 2, 2, "1@0x33"},
	{"1/0/0/2", QS_LEVEL_COMMAND, -1, 0, "1/0/0/2"},
};

START_TEST(neighbour_table)
{
	const struct neighbour_case *c = &neighbours[_i];
	struct session s;
	struct qs_error error = {0};
	struct qs_moment m;
	char path[700];

	open_session(&s, shipped("triangle-gouraud", path, sizeof path), "triangle-gouraud");
	ck_assert(qs_moment_parse(s.capture, c->from, &m, &error));
	seek(&s, &m);
	int made = qs_timeline_step(s.t, c->level, c->n, &error);
	ck_assert_msg(made == c->made && !strcmp(text(&s, qs_timeline_moment(s.t)), c->to), "%d %s steps from %s: %d to %s, expected %d to %s",
		c->n, qs_level_name(c->level), c->from, made, text(&s, qs_timeline_moment(s.t)), c->made, c->to);
	close_session(&s);
}
END_TEST

static const struct {
	const char *moment;
	const char *message; /* part of it */
} refused[] = {
	{"1/0/1", "primitives"},
	{"1/0/7/3/1", "primitives"},
	{"1/0/0/99999", "quads"},
	{"1/0/0/0/0", "not covered"}, /* the top of the triangle: its upper pixels are empty */
	{"1/0/0/5000/0/1", "stage"},
};

START_TEST(missing_moments)
{
	struct session s;
	struct qs_error error = {0};
	struct qs_moment m, before;
	uint64_t hash;
	char path[700];

	open_session(&s, shipped("triangle-gouraud", path, sizeof path), "triangle-gouraud");
	ck_assert(qs_moment_parse(s.capture, "1/0/0/100", &before, &error));
	seek(&s, &before);
	hash = qs_timeline_hash(s.t);
	ck_assert_msg(qs_moment_parse(s.capture, refused[_i].moment, &m, &error), "%s", error.text);
	ck_assert_msg(!qs_timeline_seek(s.t, &m, &error), "%s exists", refused[_i].moment);
	ck_assert_int_eq((int)error.code, QS_ERR_RANGE);
	ck_assert_msg(strstr(error.text, refused[_i].message) != NULL, "%s: \"%s\"", refused[_i].moment, error.text);
	ck_assert_int_eq(qs_moment_compare(&before, qs_timeline_moment(s.t)), 0);
	ck_assert_uint_eq(hash, qs_timeline_hash(s.t));
	close_session(&s);
}
END_TEST

/* ---- batches, budgets, models, cancelling ------------------------------------------------------------------------------- */

static void check_batches(const struct corpus_file *file, int models)
{
	static const struct {
		unsigned quads, threads;
	} ways[] = {{16, 1}, {3, 1}, {1, 1}, {16, 2}, {3, 5}};
	struct qs_error error = {0};
	char path[800];

	for (int model = 0; model < models; model++) {
		uint64_t expected[64] = {0};
		for (int b = 0; b < (int)(sizeof ways / sizeof *ways); b++) {
			struct session s;
			open_session(&s, corpus_path(file, ".dff", path, sizeof path), file->name);
			qs_timeline_set_batch(s.t, ways[b].quads);
			qs_timeline_set_threads(s.t, ways[b].threads);
			qs_timeline_set_model(s.t, (enum qs_model)model);
			for (uint32_t f = 1; f <= qs_capture_info(s.capture)->frame_count && f < 64; f++) {
				struct qs_moment m = {.level = QS_LEVEL_FRAME, .frame = f};
				ck_assert_msg(qs_timeline_seek(s.t, &m, &error), "%s: %s", s.name, error.text);
				uint64_t hash = qs_timeline_hash(s.t);
				if (!b)
					expected[f] = hash;
				ck_assert_msg(hash == expected[f], "%s frame %u, model %s: batches of %u on %u threads differ from batches of 16 on one", s.name, f,
					qs_model_name((enum qs_model)model), ways[b].quads, ways[b].threads);
			}
			close_session(&s);
		}
	}
}

START_TEST(batch_sizes)
{
	struct corpus corpus = corpus_find(true);

	ck_assert_int_gt(corpus.count, 0);
	for (int i = _i; i < corpus.count; i += ORACLE_SLOW ? 32 : 8)
		check_batches(&corpus.file[i], i % 4 ? 1 : 2);
	free(corpus.file);
}
END_TEST

START_TEST(small_budget)
{
	struct session s;

	open_walked(&s, _i);
	s.t->page_budget = 6u << 20; /* two pictures */
	for (int i = 0; i < ORACLE_ROUNDS(12); i++) {
		random_moment(&s, (enum qs_level)(QS_LEVEL_FRAME + below(&s, 7)));
		check_hash(&s, "few checkpoints");
	}
	close_session(&s);
}
END_TEST

/* Many checkpoints, at places that change with every run of the test. */
START_TEST(dense_checkpoints)
{
	struct session s;

	open_walked(&s, _i);
	for (int i = 0; i < ORACLE_ROUNDS(40); i++) {
		random_moment(&s, (enum qs_level)(QS_LEVEL_FRAME + below(&s, 7)));
		if (!s.t->partial && !s.t->away)
			ck_assert(trace_checkpoint_add(s.t));
	}
	for (int i = 0; i < ORACLE_ROUNDS(12); i++) {
		random_moment(&s, (enum qs_level)(QS_LEVEL_FRAME + below(&s, 7)));
		check_hash(&s, "many checkpoints");
	}
	close_session(&s);
}
END_TEST

START_TEST(model_keeps_moment)
{
	struct session s, fresh;
	struct qs_error error = {0};
	struct qs_moment m;
	char path[700];

	open_session(&s, shipped("clipping", path, sizeof path), "clipping");
	open_session(&fresh, path, "clipping");
	ck_assert(qs_moment_parse(s.capture, "1/1/0/20/3", &m, &error));
	seek(&s, &m);
	qs_timeline_set_model(s.t, QS_MODEL_DOLPHIN);
	ck_assert_int_eq((int)qs_timeline_model(s.t), QS_MODEL_DOLPHIN);
	qs_timeline_set_model(fresh.t, QS_MODEL_DOLPHIN);
	seek(&fresh, qs_timeline_moment(s.t));
	ck_assert_uint_eq(qs_timeline_hash(s.t), qs_timeline_hash(fresh.t));
	qs_timeline_set_model(s.t, QS_MODEL_HARDWARE);
	ck_assert(qs_timeline_set_quirk(s.t, "sample_point", 1, &error));
	ck_assert_int_eq(qs_timeline_quirk(s.t, "sample_point"), 1);
	ck_assert(!qs_timeline_set_quirk(s.t, "no_such_quirk", 1, &error));
	ck_assert_int_eq((int)error.code, QS_ERR_RANGE);
	close_session(&s);
	close_session(&fresh);
}
END_TEST

/* A tap that never stops is stopped from another thread. */
struct canceller {
	struct qs_timeline *t;
	volatile bool running, done;
};

static bool tell(void *user, const struct qs_moment *moment)
{
	struct canceller *c = user;

	(void)moment;
	c->running = true;
	while (!c->done)
		sched_yield();
	return true;
}

static void *cancel(void *user)
{
	struct canceller *c = user;

	while (!c->running)
		sched_yield();
	qs_timeline_cancel(c->t);
	c->done = true;
	return NULL;
}

START_TEST(cancelled_run)
{
	struct session s;
	struct canceller c = {0};
	struct qs_taps taps = {.mask = QS_TAP_COMMAND, .user = &c, .command = tell};
	struct qs_error error = {0};
	struct qs_moment before;
	pthread_t thread;

	open_walked(&s, 2);
	c.t = s.t;
	before = random_moment(&s, QS_LEVEL_QUAD);
	uint64_t hash = qs_timeline_hash(s.t);
	ck_assert_int_eq(pthread_create(&thread, NULL, cancel, &c), 0);
	ck_assert(!qs_timeline_replay(s.t, NULL, NULL, &taps, &error));
	pthread_join(thread, NULL);
	ck_assert_int_eq((int)error.code, QS_ERR_CANCELLED);
	ck_assert_int_eq(qs_moment_compare(&before, qs_timeline_moment(s.t)), 0);
	ck_assert_uint_eq(hash, qs_timeline_hash(s.t));
	random_moment(&s, QS_LEVEL_STAGE); /* and it still works */
	check_hash(&s, "after cancelling");
	close_session(&s);
}
END_TEST

/* ---- damaged captures --------------------------------------------------------------------------------------------------- */

static uint8_t *read_file(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	uint8_t *bytes = malloc(1 << 20);

	ck_assert_msg(f != NULL, "%s", path);
	*size = fread(bytes, 1, 1 << 20, f);
	fclose(f);
	return bytes;
}

/* Whatever is in the command bytes, moments are found again and the states agree. */
static void try_damaged(struct session *s)
{
	for (int i = 0; i < ORACLE_ROUNDS(4); i++) {
		random_moment(s, (enum qs_level)(QS_LEVEL_FRAME + below(s, 7)));
		check_hash(s, "damaged capture");
		walk(s, (enum qs_level)(QS_LEVEL_COMMAND + below(s, 6)), below(s, 2) ? 5 : -5);
	}
}

START_TEST(damaged_captures)
{
	static const char *const names[] = {"primitives-all", "animation-six-frames", "display-list"};
	struct oracle_random random = oracle_random_start();
	char path[700];
	size_t size;
	int opened = 0;

	shipped(names[_i], path, sizeof path);
	uint8_t *good = read_file(path, &size), *bad = malloc(size);
	/* the command bytes of these logs are behind registers and frame list */
	for (int turn = 0; turn < 12; turn++) {
		struct session s = {.random = random};
		struct qs_error error = {0};
		size_t used = turn % 4 ? size : size - oracle_random_below(&random, 1500);
		memcpy(bad, good, size);
		for (int k = 0; k < 6; k++)
			bad[size - 1 - oracle_random_below(&random, 1600)] = (uint8_t)oracle_random_next(&random);
		snprintf(s.name, sizeof s.name, "%s, damage %d", names[_i], turn);
		s.capture = qs_capture_open_memory(bad, used, &error);
		if (!s.capture)
			continue;
		s.random = random;
		s.t = qs_timeline_create(s.capture, &error);
		ck_assert_msg(s.t != NULL, "%s", error.text);
		if (qs_capture_info(s.capture)->command_count) {
			try_damaged(&s);
			opened++;
		}
		close_session(&s);
	}
	ck_assert_msg(opened >= 6, "%s: only %d of 12 could be opened", names[_i], opened);
	free(good);
	free(bad);
}
END_TEST

/* No commands, no frames: questions have answers. */
START_TEST(empty_captures)
{
	static struct log log = {.version = 5, .mem1_size = 0x1800000};
	struct qs_error error = {0};

	log.frame_count = (unsigned)_i;
	struct bytes bytes = log_write(&log);
	struct qs_capture *capture = qs_capture_open_memory(bytes.data, bytes.size, &error);
	free(bytes.data);
	if (!capture)
		return; /* refusing it is an answer too */
	struct qs_timeline *t = qs_timeline_create(capture, &error);
	struct qs_hit hit;
	ck_assert_msg(t != NULL, "%s", error.text);
	for (int level = QS_LEVEL_FRAME; level <= QS_LEVEL_STAGE; level++)
		ck_assert_int_eq(qs_timeline_step(t, (enum qs_level)level, 1, &error), level == QS_LEVEL_FRAME && _i);
	ck_assert(qs_timeline_replay(t, NULL, NULL, NULL, &error));
	ck_assert(qs_timeline_run(t, 1, &hit, &error) && !hit.id);
	ck_assert(qs_timeline_run(t, -1, &hit, &error) && !hit.id);
	ck_assert_int_eq((int)qs_timeline_moment(t)->level, QS_LEVEL_START);
	ck_assert(!qs_timeline_seek_write(t, QS_UNIT_BP, 0, UINT32_MAX, 1, &error));
	ck_assert(!qs_timeline_seek_pixel(t, 5, 5, 1, &error));
	qs_timeline_destroy(t);
	qs_capture_destroy(capture);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("timeline");
	TCase *tcase = tcase_create("timeline");

	tcase_set_timeout(tcase, 600);
	tcase_add_loop_test(tcase, neighbour_table, 0, sizeof neighbours / sizeof *neighbours);
	tcase_add_loop_test(tcase, missing_moments, 0, sizeof refused / sizeof *refused);
	tcase_add_loop_test(tcase, steps_are_complete, 0, 4);
	tcase_add_loop_test(tcase, seek_equals_run_from_start, 0, WALKED);
	tcase_add_loop_test(tcase, walks_forth_and_back, 0, WALKED);
	tcase_add_loop_test(tcase, small_budget, 0, WALKED);
	tcase_add_loop_test(tcase, dense_checkpoints, 0, WALKED);
	tcase_add_loop_test(tcase, batch_sizes, 0, 8);
	tcase_add_loop_test(tcase, damaged_captures, 0, 3);
	tcase_add_loop_test(tcase, empty_captures, 0, 2);
	tcase_add_test(tcase, model_keeps_moment);
	tcase_add_test(tcase, cancelled_run);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
