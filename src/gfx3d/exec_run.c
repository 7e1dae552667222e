/* exec_run.c - one batch through a plan
 * SPDX-License-Identifier: GPL-2.0-or-later */
#define KERNEL_TARGET
#define KERNEL(name) name##_plain
#include "gfx3d/exec_kernels.h"

static void run_steps(struct csir_run *run, uint32_t first, uint32_t last, bool finish)
{
#ifdef __x86_64__
	if (!run->plan->plain && __builtin_cpu_supports("avx2")) {
		csir_run_avx2(run, first, last);
		if (finish)
			csir_finish_avx2(run);
		return;
	}
#endif
	csir_run_plain(run, first, last);
	if (finish)
		csir_finish_plain(run);
}

void csir_run_fixed(struct csir_plan *plan, uint32_t count)
{
	struct csir_batch batch = {0};
	struct csir_run run = {plan, &batch, UINT64_MAX, CSIR_THREADS / WIDTH};

	run_steps(&run, 0, count, false);
}

static const float *input_lane(const struct csir_batch *batch, unsigned input)
{
	const struct csir_vec *vec = input < INPUT_VARY ? batch->attr[input / 4] :
		input < INPUT_FCOORD ? batch->vary[(input - INPUT_VARY) / 4] :
		input < INPUT_OLD ? batch->fcoord : batch->vary_out[(input - INPUT_OLD) / 4];

	return vec ? vec->v[input % 4] : NULL;
}

/* False: a loaded input is absent, so that the load keeps its destination, which a plan cannot express. */
static bool fetch_inputs(struct csir_plan *plan, const struct csir_batch *batch, size_t bytes)
{
	for (unsigned i = 0; i < plan->used_count; i++) {
		unsigned input = plan->used_input[i];
		const float *from = input_lane(batch, input);

		if (from)
			memcpy(plan->rows[plan->input_row[input]], from, bytes);
		else if (input < INPUT_OLD)
			return false;
	}
	return true;
}

void csir_exec(struct csir_plan *plan, struct csir_batch *batch)
{
	struct csir_run run = {plan, batch, batch->mask, 0};

	batch->discarded = 0;
	if (!batch->mask)
		return;
	run.vectors = (63u - (unsigned)__builtin_clzll(batch->mask)) / WIDTH + 1;
	if (batch->tap || !fetch_inputs(plan, batch, run.vectors * WIDTH * sizeof(float))) {
		csir_exec_plain(plan, batch);
		return;
	}
	run_steps(&run, plan->fixed_count, plan->step_count, true);
}
