/* bench_replay.c - how fast frames are replayed, moments sought and steps made
 *
 *   bench_replay [CAPTURE.dff ...]      without arguments: the shipped captures and those of QS_CORPUS
 *
 * Times are milliseconds of processor time (the engine has one thread), so that other work on the machine does not count; p95
 * is the 95th percentile of 100 tries.  A frame is replayed without taps from a new timeline, which includes taking
 * checkpoints; the best of three runs counts.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <time.h>

#include "corpus.h"
#include "oracle/random.h"
#include "quadscope.h"

#define TRIES 100

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static int order(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

struct series {
	double value[TRIES];
	int count;
};

static void add(struct series *s, double value)
{
	if (s->count < TRIES)
		s->value[s->count++] = value;
}

static double p95(struct series *s)
{
	qsort(s->value, (size_t)s->count, sizeof *s->value, order);
	return s->count ? s->value[(s->count * 95 - 1) / 100] : 0;
}

struct bench {
	struct qs_capture *capture;
	struct qs_timeline *t;
	struct oracle_random random;
};

static double replay_time(struct bench *b)
{
	double best = 1e9;

	for (int i = 0; i < 3; i++) {
		qs_timeline_destroy(b->t);
		b->t = qs_timeline_create(b->capture, NULL);
		double begin = now();
		if (!b->t || !qs_timeline_replay(b->t, NULL, NULL, NULL, NULL))
			return 0;
		double time = now() - begin;
		best = time < best ? time : best;
	}
	return best / qs_capture_info(b->capture)->frame_count;
}

static struct qs_moment random_draw(struct bench *b)
{
	const struct qs_capture_info *info = qs_capture_info(b->capture);
	struct qs_moment m = {.level = QS_LEVEL_START};

	for (int i = 0; i < 100 && m.level != QS_LEVEL_DRAW; i++) {
		uint32_t frame = 1 + oracle_random_below(&b->random, info->frame_count);
		uint32_t draws = qs_capture_frame(b->capture, frame)->draw_count;
		if (draws)
			qs_moment_of_command(b->capture, qs_capture_draw_command(b->capture, frame, oracle_random_below(&b->random, draws)), &m);
	}
	return m;
}

static bool random_quad(struct bench *b, struct qs_moment *m)
{
	*m = random_draw(b);
	uint32_t n = qs_timeline_primitive_count(b->t, m);
	if (!n)
		return false;
	m->level = QS_LEVEL_PRIMITIVE;
	m->primitive = oracle_random_below(&b->random, n);
	n = qs_timeline_quad_count(b->t, m);
	if (!n)
		return false;
	m->level = QS_LEVEL_QUAD;
	m->quad = oracle_random_below(&b->random, n);
	return true;
}

static void bench_seeks(struct bench *b, struct series *draws, struct series *quads)
{
	for (int i = 0; i < TRIES; i++) {
		struct qs_moment m = random_draw(b), other;
		double begin = now();
		qs_timeline_seek(b->t, &m, NULL);
		add(draws, now() - begin);
		if (!random_quad(b, &m))
			continue;
		other = random_draw(b); /* from elsewhere */
		qs_timeline_seek(b->t, &other, NULL);
		begin = now();
		qs_timeline_seek(b->t, &m, NULL);
		add(quads, now() - begin);
	}
}

static void bench_steps(struct bench *b, struct series *steps)
{
	for (int i = 0; i < TRIES; i++) {
		enum qs_level level = (enum qs_level)(QS_LEVEL_DRAW + i % 5);
		struct qs_moment m;
		if (!random_quad(b, &m))
			continue;
		qs_timeline_seek(b->t, &m, NULL);
		double begin = now();
		qs_timeline_step(b->t, level, i / 5 % 2 ? 1 : -1, NULL);
		add(steps, now() - begin);
	}
}

/* The first question about a frame marks what its draws cover; the others use that. */
static void bench_pixels(struct bench *b, double *first, struct series *history, struct series *writer)
{
	for (int i = 0; i <= TRIES; i++) {
		struct qs_history_row *rows = NULL;
		struct qs_moment found, m = random_draw(b);
		uint32_t count = 0;
		int x = (int)oracle_random_below(&b->random, 640), y = (int)oracle_random_below(&b->random, 480);
		double begin = now();
		if (m.level == QS_LEVEL_START)
			return;
		qs_timeline_history(b->t, i ? m.frame : 1, x, y, &rows, &count, NULL);
		if (i)
			add(history, now() - begin);
		else
			*first = now() - begin;
		free(rows);
		qs_timeline_seek(b->t, &m, NULL);
		begin = now();
		qs_timeline_find_fragment(b->t, x, y, true, &found, NULL);
		add(writer, now() - begin);
	}
}

static void bench_file(const char *path, const char *name)
{
	struct bench b = {.random = oracle_random_start()};
	struct qs_error error = {0};
	struct series draws = {0}, quads = {0}, steps = {0}, history = {0}, writer = {0};
	double first = 0;

	b.capture = qs_capture_open(path, NULL, NULL, &error);
	if (!b.capture) {
		printf("%-28s %s\n", name, error.text);
		return;
	}
	if (qs_capture_info(b.capture)->frame_count) {
		double frame = replay_time(&b);
		if (frame > 0) {
			bench_seeks(&b, &draws, &quads);
			bench_steps(&b, &steps);
			bench_pixels(&b, &first, &history, &writer);
			printf("%-28s %8.1f %8.1f %8.2f %8.2f %8.2f %9.1f %9.2f %9.2f\n", name, frame, 1000 / frame, p95(&draws), p95(&quads), p95(&steps),
				first, p95(&history), p95(&writer));
		}
	}
	qs_timeline_destroy(b.t);
	qs_capture_destroy(b.capture);
}

int main(int argc, char **argv)
{
	char path[800];

	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("%-28s %8s %8s %8s %8s %8s %9s %9s %9s\n", "capture", "ms/frame", "frames/s", "draw p95", "quad p95", "step p95", "1st hist.",
		"hist. p95", "last p95");
	for (int i = 1; i < argc; i++) {
		const char *base = strrchr(argv[i], '/');
		bench_file(argv[i], base ? base + 1 : argv[i]);
	}
	if (argc > 1)
		return 0;
	struct corpus corpus = corpus_find(false);
	for (int i = 0; i < corpus.count; i++)
		bench_file(corpus_path(&corpus.file[i], ".dff", path, sizeof path), corpus.file[i].name);
	free(corpus.file);
	return 0;
}
