/* bench_scenes.c - fragments per second of the CSIR interpreter beside those of a VirGL host, on the same scenes in the same run
 *
 *   bench_scenes [-cp] [-s SCALE] [-m MODEL] [CAPTURE.qsc ...]      without captures: the shipped scenes
 *
 * A scene's objects are made once; then its first frame (clear, uniforms, draws) is drawn again and again on the processor, on a host with
 * Mesa's softpipe and on one with llvmpipe, and the picture is read once at the end.  The time is that of the frames without the reading,
 * which is measured apart, and without compiling; clears, vertices and all tests are in it, and on hosts the commands' way through the
 * socket.  Fragments are the covered pixels that the processor counts, the same number for all three.  The model is "virgl": the processor
 * then draws what a host does.
 *
 * Targets are SCALE times as large as recorded, 0: as large as fits 1920x1080.  Without -s both 1 and 0.
 * -p: no hosts.  -c: processor time of this program and of the host together (all threads) instead of time on the wall, for machines that are not idle.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "file/capture.h"
#include "gfx3d/host.h"
#include "gfx3d/qsc.h"

#define SECONDS 0.4 /* of frames, at least, for a figure */
#define CALLS 4096

static bool processor_time, cpu_only;

static double clock_of(clockid_t id)
{
	struct timespec t;

	return clock_gettime(id, &t) ? 0 : (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double now(const struct qs_gfx3d *g)
{
	clockid_t host;
	long pid = g3_host_pid(g);

	if (!processor_time)
		return clock_of(CLOCK_MONOTONIC);
	return clock_of(CLOCK_PROCESS_CPUTIME_ID) + (pid && !clock_getcpuclockid((pid_t)pid, &host) ? clock_of(host) : 0);
}

/* ---- a scene ------------------------------------------------------------------------------------------------------------ */

struct scene {
	struct g3_call call[CALLS];
	unsigned count; /* up to the end of the first frame */
	uint32_t owner, target;
	int width, height, scale;
};

static bool read_scene(struct scene *s, const struct qs_capture *capture, int scale)
{
	const struct qs_capture_info *info = qs_capture_info(capture);

	memset(s, 0, sizeof *s);
	for (uint32_t i = 0; i < info->command_count && s->count < CALLS; i++) {
		const struct qs_command *command = qs_capture_command(capture, i);
		struct g3_call *call = &s->call[s->count];

		if (!qsc_parse(qs_capture_command_bytes(capture, i), command->size, call))
			return false;
		if (call->op == G3_boot || call->op == G3_set_model || call->op == G3_set_quirk)
			continue;
		s->count++;
		if (call->op == G3_begin) {
			s->owner = call->owner;
			s->target = call->handle[1];
		}
		if (call->op == G3_target_create) {
			s->width = call->i[0];
			s->height = call->i[1];
			s->scale = scale ? scale : s->width && s->height ? 1920 / s->width < 1080 / s->height ? 1920 / s->width : 1080 / s->height : 1;
			s->scale = s->scale < 1 ? 1 : s->scale;
			call->i[0] = s->width *= s->scale;
			call->i[1] = s->height *= s->scale;
		}
		for (int k = 0; k < 4 && call->op == G3_viewport; k++)
			call->i[k] *= s->scale;
		if (call->op == G3_end)
			return s->target != 0;
	}
	return false;
}

/* Is the call part of what is drawn again, not of what is made once? */
static bool again(const struct g3_call *call)
{
	switch (call->op) {
	case G3_begin:
	case G3_clear:
	case G3_viewport:
	case G3_depth:
	case G3_cull:
	case G3_camera:
	case G3_model_matrix:
	case G3_use:
	case G3_uniform_mat4:
	case G3_uniform_f:
	case G3_bind_tex:
	case G3_draw:
	case G3_end:
	case G3_sampler:
	case G3_blend:
	case G3_stencil:
	case G3_depth_func:
		return true;
	default:
		return false;
	}
}

static bool run(struct qs_gfx3d *g, const struct scene *s, bool first)
{
	for (unsigned i = 0; i < s->count; i++) {
		struct g3_call call = s->call[i];
		const struct g3_call_info *info = g3_call_info(call.op);
		uint32_t result;

		if (!first && !again(&call))
			continue;
		result = g3_execute(g, &call);
		if (info->result == 'i' ? result != 0 : result == 0)
			return false;
	}
	return true;
}

/* ---- one figure --------------------------------------------------------------------------------------------------------- */

static bool finish(struct qs_gfx3d *g, const struct scene *s, uint32_t *pixels)
{
	return !qs_gfx3d_target_read(g, s->owner, s->target, pixels, (size_t)s->width * (size_t)s->height);
}

/* Seconds a frame; 0: it does not work. */
static double measure(struct qs_gfx3d *g, const struct scene *s, uint32_t *pixels)
{
	double reading = 1e9, best = 1e9, total = 0, start;
	unsigned frames = 1;

	if (!run(g, s, true) || !finish(g, s, pixels) || !run(g, s, false) || !finish(g, s, pixels))
		return 0;
	for (int i = 0; i < 5; i++) {
		start = now(g);
		if (!finish(g, s, pixels))
			return 0;
		double time = now(g) - start;
		reading = time < reading ? time : reading;
	}
	while (total < SECONDS || frames < 4) {
		start = now(g);
		for (unsigned i = 0; i < frames; i++)
			if (!run(g, s, false))
				return 0;
		if (!finish(g, s, pixels))
			return 0;
		double time = now(g) - start;
		double frame = (time - reading) / frames;
		total += time;
		if (time > 10 * reading || frames >= 64) /* else reading is too much of it to be taken off */
			best = frame < best ? frame : best;
		if (time < SECONDS / 4 && frames < 4096)
			frames *= 2;
		else if (frames < 4)
			frames = 4;
	}
	return best < 1e9 ? best : 0;
}

static const char *const names[3] = {"CPU", "softpipe", "llvmpipe"};

/* Seconds a frame of one of them, and the covered pixels of a frame. */
static double figure(unsigned which, const struct scene *s, enum qs_gfx3d_model model, uint64_t *fragments, char *why, size_t size)
{
	struct qs_gfx3d *g = qs_gfx3d_create(NULL);
	uint32_t *pixels = malloc(4 * (size_t)s->width * (size_t)s->height);
	struct qs_gfx3d_stats stats;
	double seconds = 0;

	if (!g || !pixels)
		abort();
	if (which)
		g->host_driver = names[which];
	if (!qs_gfx3d_boot(g, which ? QS_GFX3D_VIRGL : QS_GFX3D_SOFTWARE)) {
		qs_gfx3d_set_model(g, model);
		seconds = measure(g, s, pixels);
	}
	if (seconds <= 0)
		snprintf(why, size, "%s: %s", names[which], qs_gfx3d_last_detail(g));
	qs_gfx3d_stats_reset(g);
	if (!which && run(g, s, false)) {
		qs_gfx3d_get_stats(g, &stats);
		*fragments = stats.pixels_tested;
	}
	free(pixels);
	qs_gfx3d_destroy(g);
	return seconds;
}

static void bench(const char *path, const char *name, int scale, enum qs_gfx3d_model model)
{
	static struct scene scene;
	struct qs_error error = {0};
	struct qs_capture *capture = qs_capture_open(path, NULL, NULL, &error);
	char why[300] = "";
	double seconds[3];
	uint64_t fragments = 0;

	if (!capture || !read_scene(&scene, capture, scale)) {
		printf("%-18s %s\n", name, capture ? "holds no whole frame of calls" : error.text);
		qs_capture_destroy(capture);
		return;
	}
	for (unsigned i = 0; i < 3; i++)
		seconds[i] = i && cpu_only ? 0 : figure(i, &scene, model, &fragments, why, sizeof why);
	printf("%-18s %4dx%-4d %10llu", name, scene.width, scene.height, (unsigned long long)fragments);
	for (unsigned i = 0; i < 3; i++)
		if (seconds[i] > 0)
			printf(" %8.2f", (double)fragments / seconds[i] * 1e-6);
		else
			printf(" %8s", "-");
	for (unsigned i = 1; i < 3; i++)
		if (seconds[i] > 0 && seconds[0] > 0)
			printf(" %8.2fx", seconds[i] / seconds[0]);
	printf("%s%s\n", *why ? "   " : "", why);
	qs_capture_destroy(capture);
}

int main(int argc, char **argv)
{
	static const char *const shipped[] = {"constant", "cube", "textured", "lit", "branches", "discard", "city"};
	enum qs_gfx3d_model model = QS_GFX3D_VIRGL_MODEL;
	const char *source = getenv("QS_SRCDIR");
	int c, scale = -1;
	char path[800];

	setvbuf(stdout, NULL, _IOLBF, 0);
	while ((c = getopt(argc, argv, "cps:m:")) != -1) {
		if (c == 'c') {
			processor_time = true;
		} else if (c == 'p') {
			cpu_only = true;
		} else if (c == 's') {
			scale = atoi(optarg);
		} else if (c != 'm' || !qs_gfx3d_model_parse(optarg, &model)) {
			fprintf(stderr, "usage: bench_scenes [-cp] [-s SCALE] [-m chrisos|virgl|corrected] [CAPTURE.qsc ...]\n");
			return 2;
		}
	}
	printf("Million fragments a second of %s time, model %s; ratios: how much faster the CPU is than the host\n",
		processor_time ? "processor" : "wall", qs_gfx3d_model_name(model));
	printf("%-18s %-9s %10s %8s %8s %8s %9s %9s\n", "scene", "size", "fragments", names[0], names[1], names[2], names[1], names[2]);
	for (int pass = scale < 0 ? 1 : scale; pass >= 0; pass = scale < 0 ? pass - 1 : -1) {
		for (int i = optind; i < argc; i++) {
			const char *base = strrchr(argv[i], '/');
			bench(argv[i], base ? base + 1 : argv[i], pass, model);
		}
		for (unsigned i = 0; optind >= argc && i < sizeof shipped / sizeof *shipped; i++) {
			snprintf(path, sizeof path, "%s/data/captures/gfx3d-%s.qsc", source ? source : ".", shipped[i]);
			bench(path, shipped[i], pass, model);
		}
	}
	return 0;
}
