/* bench_vertex.c - nanoseconds per vertex of fetch, transform, lighting and texgen
 *
 * Usage: bench_vertex CAPTURE [ROUNDS]   Runs the capture; at every draw the vertices alone are made ROUNDS times (100).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "gx/machine.h"

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	struct qs_error error = {0};
	struct qs_capture *capture = argc > 1 ? qs_capture_open(argv[1], NULL, NULL, &error) : NULL;
	unsigned rounds = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 0) : 100;
	double spent = 0, vertices = 0;

	if (!capture) {
		fprintf(stderr, "%s\n", argc > 1 ? error.text : "usage: bench_vertex CAPTURE [ROUNDS]");
		return EXIT_FAILURE;
	}
	const struct qs_capture_info *info = qs_capture_info(capture);
	struct gx_machine *m = gx_machine_create(info->mem1_size, info->mem2_size);
	if (!m)
		return EXIT_FAILURE;
	gx_machine_reset(m, capture);
	for (uint32_t i = 0; i < info->command_count; i++) {
		if (qs_capture_command(capture, i)->kind != QS_COMMAND_DRAW) {
			gx_execute(m, i);
			continue;
		}
		gx_apply_updates(m, i);
		double start = seconds();
		for (unsigned n = 0; n < rounds; n++) {
			const struct gx_vertex *v;
			gx_draw_begin(m, i);
			vertices += gx_draw_vertices(m, &v);
			gx_draw_end(m);
		}
		spent += seconds() - start;
	}
	printf("%.0f vertices, %.1f ns each\n", vertices, spent * 1e9 / vertices);
	gx_machine_destroy(m);
	qs_capture_destroy(capture);
	return EXIT_SUCCESS;
}
