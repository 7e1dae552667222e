/* exec_plan.c - from values to steps: what is dead, what is the same for all threads, which row a value lives in
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "gfx3d/exec.h"

struct csir_plan *csir_plan_create(void)
{
	return calloc(1, sizeof(struct csir_plan));
}

void csir_plan_destroy(struct csir_plan *plan)
{
	if (!plan)
		return;
	free(plan->builder);
	free(plan->value);
	free(plan->flush);
	free(plan->rows);
	free(plan->step);
	free(plan->flush_row);
	free(plan->registers);
	free(plan);
}

/* ---- what is needed ------------------------------------------------------------------------------------------------------- */

static void need(struct csir_plan *p, uint32_t id, uint32_t reader)
{
	if (id == VALUE_NONE)
		return;
	if (!p->value[id].live) {
		p->value[id].live = true;
		p->value[id].last = reader;
	}
}

/* Old contents of a varying that nothing was stored to stay where they are. */
static bool untouched(const struct csir_plan *p, uint32_t id, unsigned output)
{
	const struct value *v = &p->value[id];

	return v->op == ROW_INPUT && output >= OUTPUT_VARY && v->aux == (int32_t)(INPUT_OLD + output - OUTPUT_VARY);
}

static void need_outputs(struct csir_plan *p, const uint32_t *outputs, uint32_t reader)
{
	for (unsigned i = 0; i < OUTPUT_COUNT; i++)
		if (!untouched(p, outputs[i], i))
			need(p, outputs[i], reader);
}

/* Backwards; `inside` counts living values of each open branch, so that a branch in which nothing lives is dropped. */
static void mark(struct csir_plan *p)
{
	uint32_t inside[CSIR_IF_MAX + 1] = {0}, depth = 0;

	need_outputs(p, p->output, p->value_count);
	for (uint32_t i = p->value_count; i-- > 0;) {
		struct value *v = &p->value[i];

		if (v->op == ROW_ENDIF) {
			inside[++depth] = 0;
		} else if (v->op == ROW_IF) {
			bool live = inside[depth--] > 0;

			v->live = live;
			inside[depth] += live;
			if (live)
				need(p, v->a, i);
		} else if (v->op == ROW_DISCARD) {
			v->live = true;
			inside[depth]++;
			need_outputs(p, p->flush + v->aux, i);
		} else if (v->op != ROW_ELSE && v->live) {
			inside[depth] += v->op != ROW_CONSTANT && v->op != ROW_INPUT;
			need(p, v->a, i);
			need(p, v->b, i);
			need(p, v->c, i);
		}
	}
	for (uint32_t i = 0; i < p->value_count; i++)
		if (p->value[i].op == ROW_ELSE || p->value[i].op == ROW_ENDIF)
			p->value[i].live = p->value[p->value[i].a].live;
}

static bool is_fixed(const struct csir_plan *p, uint32_t id)
{
	return id == VALUE_NONE || p->value[id].fixed;
}

static void find_fixed(struct csir_plan *p)
{
	for (uint32_t i = 0; i < p->value_count; i++) {
		struct value *v = &p->value[i];

		if (v->op == ROW_CONSTANT)
			v->fixed = true;
		else if (v->op != ROW_INPUT && v->op != ROW_TEXEL && v->op != ROW_DDX && v->op != ROW_DDY && v->op < ROW_PURE_END)
			v->fixed = is_fixed(p, v->a) && is_fixed(p, v->b) && is_fixed(p, v->c);
	}
}

/* ---- rows ----------------------------------------------------------------------------------------------------------------- */

struct rows {
	int32_t *free;
	uint32_t free_count, count;
};

static void release(struct csir_plan *p, struct rows *rows, uint32_t id, uint32_t reader)
{
	struct value *v;

	if (id == VALUE_NONE)
		return;
	v = &p->value[id];
	if (v->last != reader || v->fixed || v->row < 0 || v->op == ROW_INPUT)
		return;
	v->last = VALUE_NONE; /* once */
	rows->free[rows->free_count++] = v->row;
}

static bool assign_rows(struct csir_plan *p, struct qs_error *error)
{
	struct rows rows = {malloc((p->value_count + 1) * sizeof(int32_t)), 0, 0};

	if (!rows.free) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "Not enough memory to run shader %s.", p->shader->name);
		return false;
	}
	for (uint32_t i = 0; i < p->value_count; i++) /* these keep theirs */
		if (p->value[i].live && (p->value[i].fixed || p->value[i].op == ROW_INPUT))
			p->value[i].row = (int32_t)rows.count++;
	for (uint32_t i = 0; i < p->value_count; i++) {
		struct value *v = &p->value[i];

		if (!v->live || v->row >= 0)
			continue;
		if (v->op != ROW_ELSE && v->op != ROW_ENDIF) {
			release(p, &rows, v->a, i);
			release(p, &rows, v->b, i);
			release(p, &rows, v->c, i);
		}
		if (v->op < ROW_PURE_END)
			v->row = rows.free_count ? rows.free[--rows.free_count] : (int32_t)rows.count++;
	}
	free(rows.free);
	p->row_count = rows.count;
	return true;
}

static bool reserve(struct csir_plan *p, struct qs_error *error)
{
	uint32_t steps = p->value_count + 1;

	if (p->row_count > p->row_capacity || !p->rows) {
		free(p->rows);
		p->row_capacity = p->row_count + 16;
		p->rows = aligned_alloc(64, p->row_capacity * sizeof(csir_row));
		if (p->rows)
			memset(p->rows, 0, p->row_capacity * sizeof(csir_row));
	}
	if (steps > p->step_capacity || !p->step) {
		free(p->step);
		p->step_capacity = steps + 64;
		p->step = malloc(p->step_capacity * sizeof *p->step);
	}
	free(p->flush_row);
	p->flush_row = malloc((p->flush_count + 1) * sizeof *p->flush_row);
	if (p->rows && p->step && p->flush_row)
		return true;
	if (!p->rows)
		p->row_capacity = 0;
	if (!p->step)
		p->step_capacity = 0;
	qs_error_set(error, QS_ERR_NOMEM, 0, "Not enough memory to run shader %s.", p->shader->name);
	return false;
}

/* ---- steps ---------------------------------------------------------------------------------------------------------------- */

static float *row_of(const struct csir_plan *p, uint32_t id)
{
	return id == VALUE_NONE || p->value[id].row < 0 ? NULL : p->rows[p->value[id].row];
}

static struct step *emit(struct csir_plan *p, const struct value *v)
{
	struct step *step = &p->step[p->step_count++];

	*step = (struct step){v->op, v->aux, row_of(p, v->a), row_of(p, v->b), row_of(p, v->c), v->row < 0 ? NULL : p->rows[v->row]};
	return step;
}

static void output_rows(const struct csir_plan *p, const uint32_t *outputs, const float **rows)
{
	for (unsigned i = 0; i < OUTPUT_COUNT; i++)
		rows[i] = untouched(p, outputs[i], i) ? NULL : row_of(p, outputs[i]);
}

static void emit_constants(struct csir_plan *p)
{
	p->used_count = 0;
	for (uint32_t i = 0; i < p->value_count; i++) {
		const struct value *v = &p->value[i];

		if (!v->live)
			continue;
		if (v->op == ROW_CONSTANT)
			for (unsigned t = 0; t < CSIR_THREADS; t++)
				p->rows[v->row][t] = v->number;
		if (v->op == ROW_INPUT) {
			p->used_input[p->used_count++] = (uint8_t)v->aux;
			p->input_row[v->aux] = v->row;
		}
	}
}

static void emit_steps(struct csir_plan *p)
{
	uint32_t open[CSIR_IF_MAX], depth = 0;

	p->step_count = 0;
	for (uint32_t i = 0; i < p->value_count; i++)
		if (p->value[i].live && p->value[i].fixed && p->value[i].op != ROW_CONSTANT)
			emit(p, &p->value[i]);
	p->fixed_count = p->step_count;
	for (uint32_t i = 0; i < p->value_count; i++) {
		const struct value *v = &p->value[i];
		uint32_t at = p->step_count;

		if (!v->live || v->fixed || v->op == ROW_INPUT)
			continue;
		emit(p, v);
		if (v->op == ROW_IF) {
			open[depth++] = at;
		} else if (v->op == ROW_ELSE) {
			p->step[open[depth - 1]].aux = (int32_t)at;
			open[depth - 1] = at;
		} else if (v->op == ROW_ENDIF) {
			p->step[open[--depth]].aux = (int32_t)at;
		} else if (v->op == ROW_DISCARD) {
			output_rows(p, p->flush + v->aux, p->flush_row + v->aux);
		}
	}
	output_rows(p, p->output, p->output_row);
}

/* ---- prepare -------------------------------------------------------------------------------------------------------------- */

static void take_quirks(struct csir_plan *p)
{
	const struct g3_quirks *q = &p->quirks;

	p->maths = (struct csir_maths){G3_QUIRK(q, rcp_zero), G3_QUIRK(q, rsq_domain), G3_QUIRK(q, rsq_math), G3_QUIRK(q, pow_math),
		G3_QUIRK(q, pow_negative), G3_QUIRK(q, pow_zero), G3_QUIRK(q, trig_math), G3_QUIRK(q, trunc_range)};
}

static void take_inputs(struct csir_plan *p, const struct csir_inputs *inputs)
{
	p->inputs = *inputs;
	p->has_uniforms = inputs->uniforms != NULL;
	if (inputs->uniforms)
		memcpy(p->uniforms, inputs->uniforms, sizeof p->uniforms);
	if (inputs->var_remap)
		memcpy(p->remap, inputs->var_remap, sizeof p->remap);
	for (unsigned i = 0; i < CSIR_IMM_MAX; i++)
		p->imm[i] = G3_QUIRK(&p->quirks, immediates) ? csir_q_immediate(p->shader->imm[i]) : p->shader->imm[i];
	p->loads_fcoord = false;
	for (uint32_t i = 0; i < p->length; i++)
		if (p->shader->instr[i].op == CSIR_LOAD_FCOORD)
			p->loads_fcoord = true;
}

bool csir_exec_prepare(struct csir_plan *plan, const struct csir_shader *shader, const struct g3_quirks *quirks,
	const struct csir_inputs *inputs, uint32_t cut, struct qs_error *error)
{
	plan->shader = shader;
	plan->quirks = *quirks;
	plan->length = cut < shader->instr_count ? cut : shader->instr_count;
	plan->value_count = plan->flush_count = plan->step_count = plan->fixed_count = plan->row_count = 0;
	plan->failed = plan->discards = false;
	if (shader->instr_count > CSIR_INSTR_MAX || shader->imm_count > CSIR_IMM_MAX) {
		qs_error_set(error, QS_ERR_FORMAT, 0, "Shader %s has more instructions or immediates than there can be.", shader->name);
		return false;
	}
	take_quirks(plan);
	take_inputs(plan, inputs);
	if (!csir_plan_build(plan, error))
		return false;
	mark(plan);
	find_fixed(plan);
	if (!assign_rows(plan, error) || !reserve(plan, error))
		return false;
	emit_constants(plan);
	emit_steps(plan);
	csir_run_fixed(plan, plan->fixed_count);
	return true;
}

/* ---- questions ------------------------------------------------------------------------------------------------------------ */

uint32_t csir_plan_varyings(const struct csir_plan *plan)
{
	uint32_t mask = 0;

	for (unsigned i = 0; i < plan->used_count; i++)
		if (plan->used_input[i] >= INPUT_VARY && plan->used_input[i] < INPUT_FCOORD)
			mask |= 1u << ((plan->used_input[i] - INPUT_VARY) / 4);
	return mask;
}

bool csir_plan_fcoord(const struct csir_plan *plan)
{
	for (unsigned i = 0; i < plan->used_count; i++)
		if (plan->used_input[i] >= INPUT_FCOORD && plan->used_input[i] < INPUT_OLD)
			return true;
	return false;
}

bool csir_plan_discards(const struct csir_plan *plan)
{
	return plan->discards;
}

uint32_t csir_plan_length(const struct csir_plan *plan)
{
	return plan->length;
}
