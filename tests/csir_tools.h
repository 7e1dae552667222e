/* csir_tools.h - shared by the tests of CSIR: compile a text, run it for one invocation
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_CSIR_TOOLS_H
#define TESTS_CSIR_TOOLS_H

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gfx3d/csir.h"

static inline struct g3_quirks quirks_of(enum g3_model model)
{
	struct g3_quirks q;

	g3_quirks_init(&q, model);
	return q;
}

static inline bool compile_with(struct csir_shader *s, enum csir_stage stage, const char *source, const struct g3_quirks *q,
	struct csir_log *log)
{
	struct qs_error error = {QS_OK, 0, ""};
	bool ok = csir_compile(s, stage, "test", source, strlen(source), q, true, log, &error);

	if (!ok && (error.code == QS_OK || !error.text[0]))
		ck_abort_msg("refused without a sentence: %s", source);
	return ok;
}

/* Compiles or fails the test. */
static inline void compile(struct csir_shader *s, enum csir_stage stage, const char *source, enum g3_model model)
{
	struct g3_quirks q = quirks_of(model);
	struct csir_log log;

	if (!compile_with(s, stage, source, &q, &log))
		ck_abort_msg("model %s: %s", g3_model_name(model), log.text);
}

struct run_result {
	float colour[4], position[4], vary[CSIR_VARY_MAX][4];
	bool discarded;
};

/* One invocation: the same numbers in all attributes and varyings, as fragment coordinate, and in the uniforms from slot 0 on. */
static inline void run_one(const struct csir_shader *s, enum g3_model model, const float in[4], const struct csir_texture *texture,
	struct run_result *out)
{
	struct csir_plan *plan = csir_plan_create();
	struct g3_quirks q = quirks_of(model);
	struct qs_error error = {QS_OK, 0, ""};
	static struct csir_vec value, position, colour, vary[CSIR_VARY_MAX];
	float uniforms[CSIR_UNIFORM_SLOTS * 4];
	struct csir_inputs inputs = {.uniforms = uniforms, .texture = texture};
	struct csir_batch batch = {.mask = 1, .position = &position, .colour = &colour, .fcoord = &value};

	for (unsigned i = 0; i < CSIR_UNIFORM_SLOTS * 4; i++)
		uniforms[i] = in[i % 4];
	for (unsigned k = 0; k < 4; k++)
		value.v[k][0] = in[k];
	for (unsigned i = 0; i < 8; i++) {
		batch.attr[i] = batch.vary[i] = &value;
		batch.vary_out[i] = &vary[i];
	}
	if (!csir_exec_prepare(plan, s, &q, &inputs, UINT32_MAX, &error))
		ck_abort_msg("%s", error.text);
	csir_exec(plan, &batch);
	out->discarded = batch.discarded & 1;
	for (unsigned k = 0; k < 4; k++) {
		out->colour[k] = colour.v[k][0];
		out->position[k] = position.v[k][0];
		for (unsigned i = 0; i < CSIR_VARY_MAX; i++)
			out->vary[i][k] = vary[i].v[k][0];
	}
	csir_plan_destroy(plan);
}

static inline int run_suite(Suite *suite)
{
	SRunner *runner = srunner_create(suite);
	int failed;

	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
