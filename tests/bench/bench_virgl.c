/* bench_virgl.c - milliseconds a frame takes in the soft and in the shader pipeline
 *
 *   bench_virgl [-n ROUNDS] [NAME ...]   without names: five real captures, or shipped ones where there are none
 *
 * Both sides play the capture from a fresh start, one thread, no taps; the shader pipeline on a host of its own (llvmpipe), with
 * programs and textures of the round before.  The best round counts.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <time.h>
#include <unistd.h>

#include "corpus.h"
#include "virgl/gx_virgl.h"

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static double play(struct gx_machine *m, const struct qs_capture *capture, struct gx_virgl *v)
{
	uint32_t count = qs_capture_info(capture)->command_count;
	double begin;

	gx_machine_reset(m, capture);
	gx_virgl_attach(v, m);
	begin = now();
	for (uint32_t i = 0; i < count; i++)
		gx_execute(m, i);
	gx_sync(m);
	begin = now() - begin;
	if (v)
		gx_virgl_attach(NULL, m);
	return begin;
}

static void bench(const char *path, const char *name, struct gx_virgl *v, int rounds)
{
	struct gx_virgl_statistics before, after;
	struct qs_error error = {0};
	struct qs_capture *capture = qs_capture_open(path, NULL, NULL, &error);
	double best[2] = {0, 0}, first = 0;

	if (!capture) {
		printf("%-24s %s\n", name, error.text);
		return;
	}
	const struct qs_capture_info *info = qs_capture_info(capture);
	struct gx_machine *m = gx_machine_create(info->mem1_size, info->mem2_size);
	if (!m)
		abort();
	gx_virgl_statistics(v, &before);
	for (int i = 0; i < 2 * rounds; i++) {
		double time = play(m, capture, i & 1 ? v : NULL);
		if (i == 1)
			first = time;
		best[i & 1] = i < 2 || time < best[i & 1] ? time : best[i & 1];
	}
	gx_virgl_statistics(v, &after);
	double frames = info->frame_count ? info->frame_count : 1;
	printf("%-24s %8.2f %8.2f %8.2f %6.1fx %8.0f %8.0f %8.0f\n", name, best[0] / frames, best[1] / frames, first / frames, best[1] / best[0],
		(double)(after.draws - before.draws) / rounds / frames, (double)(after.triangles - before.triangles) / rounds / frames,
		(double)(after.draws - before.draws - (after.by_units[0] - before.by_units[0])) / rounds / frames);
	if (gx_virgl_trouble(v, &error))
		printf("%-24s %s\n", "", error.text);
	gx_machine_destroy(m);
	qs_capture_destroy(capture);
}

int main(int argc, char **argv)
{
	static const char *const real[] = {"screensavemii", "grrlib-funsin", "grrlib-3d-light3", "final-frontier-title", "mineswiiper"};
	static const char *const shipped[] = {"tour", "light-two-channels", "perspective-cube", "tev-sixteen-stages", "tex-mipmaps"};
	struct qs_error error = {0};
	struct gx_virgl *v = gx_virgl_create(NULL, &error);
	struct corpus corpus = corpus_find(false);
	int c, rounds = 5, count = 5;
	char path[800];

	setvbuf(stdout, NULL, _IOLBF, 0);
	while ((c = getopt(argc, argv, "n:")) != -1)
		if (c != 'n' || (rounds = atoi(optarg)) < 1) {
			fprintf(stderr, "usage: bench_virgl [-n ROUNDS] [NAME ...]\n");
			return 2;
		}
	if (!v) {
		printf("Skipped: %s\n", error.text);
		return 0;
	}
	const char *const *names = corpus_has(&corpus, real[0]) ? real : shipped;
	if (optind < argc) {
		names = (const char *const *)argv + optind;
		count = argc - optind;
	}
	printf("%-24s %8s %8s %8s %7s %8s %8s %8s\n", "ms/frame", "soft", "shader", "first", "ratio", "draws", "triangles", "by units");
	for (int k = 0; k < count; k++)
		for (int i = 0; i < corpus.count; i++)
			if (!strcmp(corpus.file[i].name, names[k]))
				bench(corpus_path(&corpus.file[i], ".dff", path, sizeof path), names[k], v, rounds);
	gx_virgl_destroy(v);
	free(corpus.file);
	return 0;
}
