/* bench_frames.c - frames per second of the engine alone: no taps, no checkpoints
 *
 *   bench_frames [-n ROUNDS] [-m MODEL] [-t THREADS] [-cx] [CAPTURE.dff ...]   without captures: those of QS_CORPUS and the shipped ones
 *
 * -c: processor time of the thread that plays, without what it waits for others, for machines that are not idle.
 * -x: no times, but the machine's hash after one round: equal figures, equal pixels.
 * Each capture is played ROUNDS times (default: until half a second has passed) from a fresh start; the best round counts.
 * ms/frame is wall time.  scripts/bench puts Dolphin's figures beside it when Dolphin is installed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <time.h>
#include <unistd.h>

#include "corpus.h"
#include "gx/parallel.h"

static bool processor_time;

static double now(void)
{
	struct timespec t;

	clock_gettime(processor_time ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

struct options {
	int rounds;
	enum qs_model model;
	unsigned threads;
	bool hashes;
};

static double play(struct gx_machine *m, const struct qs_capture *capture)
{
	uint32_t count = qs_capture_info(capture)->command_count;
	double begin;

	gx_machine_reset(m, capture);
	begin = now();
	m->deferring = true;
	for (uint32_t i = 0; i < count; i++)
		gx_execute(m, i);
	m->deferring = false;
	gx_flush(m);
	return now() - begin;
}

static uint64_t fragments(const struct gx_machine *m)
{
	/* PE counters: quads at the blender's input */
	return 4 * ((uint64_t)m->state.pe[0x28 / 2] | (uint64_t)m->state.pe[0x2A / 2] << 16);
}

static void bench(const char *path, const char *name, const struct options *o)
{
	struct qs_error error = {0};
	struct qs_capture *capture = qs_capture_open(path, NULL, NULL, &error);
	double best = 0, total = 0;

	if (!capture) {
		printf("%-28s %s\n", name, error.text);
		return;
	}
	const struct qs_capture_info *info = qs_capture_info(capture);
	struct gx_machine *m = gx_machine_create(info->mem1_size, info->mem2_size);
	if (!m)
		abort();
	gx_machine_set_model(m, o->model);
	gx_set_threads(m, o->threads);
	if (o->hashes) {
		play(m, capture);
		printf("%-28s %016llx\n", name, (unsigned long long)gx_machine_hash(m));
		gx_machine_destroy(m);
		qs_capture_destroy(capture);
		return;
	}
	for (int i = 0; o->rounds ? i < o->rounds : total < 500 || i < 3; i++) {
		double time = play(m, capture);
		total += time;
		best = !i || time < best ? time : best;
	}
	uint64_t pixels = fragments(m);
	if (info->frame_count)
		printf("%-28s %8.2f %8.1f %10.3f %8.1f\n", name, best / info->frame_count, 1e3 * info->frame_count / best,
			(double)pixels / 1e6 / info->frame_count, pixels ? best * 1e6 / (double)pixels : 0);
	gx_machine_destroy(m);
	qs_capture_destroy(capture);
}

int main(int argc, char **argv)
{
	struct options o = {0, QS_MODEL_HARDWARE, 1, false};
	char path[800];
	int c;

	setvbuf(stdout, NULL, _IOLBF, 0);
	while ((c = getopt(argc, argv, "n:m:t:cx")) != -1) {
		if (c == 'n') {
			o.rounds = atoi(optarg);
		} else if (c == 'c') {
			processor_time = true;
		} else if (c == 'x') {
			o.hashes = true;
		} else if (c == 't') {
			o.threads = (unsigned)atoi(optarg);
		} else if (c == 'm' && !strcmp(optarg, "dolphin")) {
			o.model = QS_MODEL_DOLPHIN;
		} else if (c == 'm' && !strcmp(optarg, "pureikyubu")) {
			o.model = QS_MODEL_PUREIKYUBU;
		} else if (c != 'm' || strcmp(optarg, "hardware")) {
			fprintf(stderr, "usage: bench_frames [-n ROUNDS] [-m hardware|dolphin|pureikyubu] [-t THREADS] [-cx] [CAPTURE.dff ...]\n");
			return 2;
		}
	}
	if (!o.hashes)
		printf("%-28s %8s %8s %10s %8s\n", "capture", "ms/frame", "frames/s", "Mpixel", "ns/pixel");
	for (int i = optind; i < argc; i++) {
		const char *base = strrchr(argv[i], '/');
		bench(argv[i], base ? base + 1 : argv[i], &o);
	}
	if (optind < argc)
		return 0;
	struct corpus corpus = corpus_find(false);
	for (int i = 0; i < corpus.count; i++)
		bench(corpus_path(&corpus.file[i], ".dff", path, sizeof path), corpus.file[i].name, &o);
	free(corpus.file);
	return 0;
}
