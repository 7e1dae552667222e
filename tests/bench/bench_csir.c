/* bench_csir.c - fragments (or vertices) per second of the CSIR interpreter, per shader
 *
 * Not a test: `make tests/bench/bench_csir && tests/bench/bench_csir data/shaders/?*.frag`.  Full batches of 64; prepare apart.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gfx3d/csir.h"

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void fill(struct csir_vec *vec)
{
	for (unsigned t = 0; t < CSIR_THREADS; t++)
		for (unsigned k = 0; k < 4; k++)
			vec->v[k][t] = k == 3 ? 1 : (float)(t * 4 + k) / (4 * CSIR_THREADS);
}

static void measure(const char *path, const struct csir_shader *s, enum g3_model model)
{
	static struct csir_vec value, position, colour, vary[CSIR_VARY_MAX];
	static float uniforms[CSIR_UNIFORM_SLOTS * 4];
	static const uint8_t texels[64 * 64 * 4];
	const struct csir_texture textures[CSIR_SAMPLER_MAX] = {{texels, 64, 64}};
	struct csir_inputs inputs = {.uniforms = uniforms, .texture = textures};
	struct csir_batch batch = {.mask = UINT64_MAX, .fcoord = &value, .position = &position, .colour = &colour};
	struct csir_plan *plan = csir_plan_create();
	struct g3_quirks q;
	unsigned rounds = 0, prepares = 0;
	double start, prepare, seconds;

	g3_quirks_init(&q, model);
	fill(&value);
	for (unsigned i = 0; i < 8; i++) {
		batch.attr[i] = batch.vary[i] = &value;
		batch.vary_out[i] = &vary[i];
	}
	for (start = now(); now() - start < 0.05; prepares++)
		if (!csir_exec_prepare(plan, s, &q, &inputs, UINT32_MAX, NULL))
			return;
	prepare = (now() - start) / prepares;
	for (start = now(); now() - start < 0.2; rounds += 64)
		for (unsigned i = 0; i < 64; i++)
			csir_exec(plan, &batch);
	seconds = now() - start;
	printf("%-36s %-9s %3u instructions %8.1f M/s   prepare %5.1f us\n", path, g3_model_name(model), s->instr_count,
		rounds * 64.0 / seconds * 1e-6, prepare * 1e6);
	csir_plan_destroy(plan);
}

int main(int argc, char **argv)
{
	static struct csir_shader s;
	static char source[CSIR_SOURCE_MAX];
	int status = EXIT_SUCCESS;

	for (int i = 1; i < argc; i++) {
		FILE *file = fopen(argv[i], "rb");
		size_t size = file ? fread(source, 1, sizeof source, file) : 0;
		enum csir_stage stage = strstr(argv[i], ".vert") ? CSIR_VERTEX : CSIR_FRAGMENT;

		if (file)
			fclose(file);
		for (unsigned model = 0; model < G3_MODEL_COUNT; model += 2) {
			struct qs_error error = {QS_OK, 0, ""};
			struct g3_quirks q;

			g3_quirks_init(&q, (enum g3_model)model);
			if (csir_compile(&s, stage, argv[i], source, size, &q, true, NULL, &error))
				measure(argv[i], &s, (enum g3_model)model);
			else
				status = (fprintf(stderr, "%s\n", error.text), EXIT_FAILURE);
			csir_shader_finish(&s);
		}
	}
	return status;
}
