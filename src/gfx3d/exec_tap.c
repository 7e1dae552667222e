/* exec_tap.c - the plain way to run a batch: register by register, instruction by instruction
 *
 * Used when somebody watches (taps), and when an input that the shader loads is absent.  Same results as the plan.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "gfx3d/exec.h"

struct level {
	uint64_t parent, taken;
};

struct plain {
	struct csir_plan *plan;
	struct csir_batch *batch;
	const struct csir_instr *in;
	uint64_t mask, alive;
	uint32_t depth;
	struct level level[CSIR_IF_MAX];
	struct csir_vec a[4], b[4]; /* operands as they were before the write */
};

#define FOR_THREADS(t, mask) for (uint64_t m_##t = (mask); m_##t; m_##t &= m_##t - 1) \
	for (unsigned t = (unsigned)__builtin_ctzll(m_##t), o_##t = 1; o_##t; o_##t = 0)

static unsigned lanes_of(const struct csir_instr *in, unsigned otherwise)
{
	unsigned n = in->ncomp ? in->ncomp : otherwise;

	return n < 4 ? n : 4;
}

static float alu(const struct plain *p, float a, float b)
{
	const struct csir_maths *m = &p->plan->maths;

	switch (p->in->op) {
	case CSIR_ADD: return a + b;
	case CSIR_SUB: return a - b;
	case CSIR_MUL: return a * b;
	case CSIR_MAX: return a > b ? a : b;
	case CSIR_MIN: return a < b ? a : b;
	case CSIR_ABS: return a < 0 ? -a : a;
	case CSIR_RSQ: return csir_q_rsq(a, m);
	case CSIR_RCP: return csir_q_rcp(a, m);
	case CSIR_SIN: return csir_q_sin(a, m);
	case CSIR_COS: return csir_q_cos(a, m);
	case CSIR_POW: return csir_q_pow(a, b, m);
	case CSIR_TRUNC: return csir_q_trunc(a, m);
	default: return a; /* MOV */
	}
}

static void lanewise(struct plain *p, struct csir_vec *d)
{
	unsigned otherwise = csir_op_info(p->in->op)->lanes == 'N' ? 4 : 1, n = lanes_of(p->in, otherwise);

	if (csir_op_info(p->in->op)->lanes == 'X')
		n = 1;
	if (p->in->op == CSIR_ABS && G3_QUIRK(&p->plan->quirks, abs_lanes))
		n = 4;
	for (unsigned k = 0; k < n; k++)
		FOR_THREADS(t, p->mask)
			d->v[k][t] = alu(p, p->a[0].v[k][t], p->b[0].v[k][t]);
}

static void swizzle(struct plain *p, struct csir_vec *d)
{
	unsigned n = lanes_of(p->in, 1);
	bool keep = G3_QUIRK(&p->plan->quirks, swz_upper) != 0;

	for (unsigned k = 0; k < 4; k++)
		FOR_THREADS(t, p->mask) {
			if (k < n)
				d->v[k][t] = p->a[0].v[(p->in->aux >> (2 * k)) & 3][t];
			else if (!keep)
				d->v[k][t] = 0;
		}
}

static void derivative(struct plain *p, struct csir_vec *d)
{
	unsigned step = p->in->op == CSIR_DDY ? 2 : 1;

	for (unsigned k = 0; k < lanes_of(p->in, 4); k++)
		FOR_THREADS(t, p->mask) {
			const float *a = p->a[0].v[k];
			unsigned low = t & ~step, high = t | step;

			d->v[k][t] = p->alive >> low & p->alive >> high & 1 ? a[high] - a[low] : 0;
		}
}

static void dot(struct plain *p, struct csir_vec *d)
{
	int width = p->in->aux ? p->in->aux : 3;

	if (G3_QUIRK(&p->plan->quirks, dot_width))
		width = p->in->aux == 4 ? 4 : 3;
	FOR_THREADS(t, p->mask) {
		float sum = 0;

		for (int k = 0; k < width && k < 4; k++)
			sum += p->a[0].v[k][t] * p->b[0].v[k][t];
		d->v[0][t] = sum;
	}
}

static void compare(struct plain *p, struct csir_vec *d)
{
	int relation = p->in->aux;

	if ((relation < CSIR_LT || relation > CSIR_NE) && G3_QUIRK(&p->plan->quirks, cmp_unknown))
		relation = CSIR_LT;
	FOR_THREADS(t, p->mask)
		d->v[0][t] = csir_q_relation(p->a[0].v[0][t], p->b[0].v[0][t], relation) ? 1.0f : 0.0f;
}

/* One thread, one column; registers are read and written in place so that overlaps behave as the quirk says. */
static void column(struct plain *p, unsigned t, int dst, int vector, float result[4])
{
	struct csir_vec *r = p->plan->registers;
	int columns = p->in->aux ? p->in->aux : 4, rows = G3_QUIRK(&p->plan->quirks, matrix_rows) ? 4 : columns;

	for (int k = 0; k < columns; k++) {
		float factor = r[vector].v[k][t];

		for (int lane = 0; lane < rows; lane++)
			result[lane] += r[p->in->a + k].v[lane][t] * factor;
		if (G3_QUIRK(&p->plan->quirks, matrix_overlap))
			for (int lane = 0; lane < 4; lane++)
				r[dst].v[lane][t] = result[lane];
	}
}

static void multiply(struct plain *p)
{
	struct csir_vec *r = p->plan->registers;
	int columns = p->in->aux ? p->in->aux : 4, count = p->in->op == CSIR_MULMM ? columns : 1;

	FOR_THREADS(t, p->mask) {
		float result[4][4] = {{0}};

		for (int i = 0; i < count; i++)
			column(p, t, p->in->dst + i, p->in->b + i, result[i]);
		for (int i = 0; i < count && !G3_QUIRK(&p->plan->quirks, matrix_overlap); i++)
			for (int lane = 0; lane < 4; lane++)
				r[p->in->dst + i].v[lane][t] = result[i][lane];
	}
}

static void copy(struct csir_vec *to, const struct csir_vec *from, uint64_t mask)
{
	if (!to || !from)
		return;
	for (unsigned k = 0; k < 4; k++)
		FOR_THREADS(t, mask)
			to->v[k][t] = from->v[k][t];
}

static void spread(struct csir_vec *to, const float *from, unsigned n, uint64_t mask)
{
	for (unsigned k = 0; k < 4; k++)
		FOR_THREADS(t, mask)
			to->v[k][t] = k < n ? from[k] : 0;
}

static const struct csir_vec *varying(const struct plain *p)
{
	const struct csir_plan *plan = p->plan;
	int slot = p->in->aux;

	if (plan->inputs.var_remap && plan->remap[slot] >= 0)
		slot = plan->remap[slot];
	if (slot == CSIR_VARY_MAX - 1 && plan->loads_fcoord && G3_QUIRK(&plan->quirks, fcoord_slot))
		return p->batch->fcoord;
	return p->batch->vary[slot];
}

static void load(struct plain *p, struct csir_vec *d)
{
	const struct csir_instr *in = p->in;

	switch (in->op) {
	case CSIR_CONST:
		spread(d, p->plan->imm + in->aux, in->ncomp < 4 ? in->ncomp : 4, p->mask);
		break;
	case CSIR_LOAD_ATTR: copy(d, p->batch->attr[in->aux], p->mask); break;
	case CSIR_LOAD_VAR: copy(d, varying(p), p->mask); break;
	case CSIR_LOAD_FCOORD: copy(d, p->batch->fcoord, p->mask); break;
	default:
		for (int i = 0; p->plan->has_uniforms && i < (in->aux2 ? in->aux2 : 1); i++)
			spread(d + i, p->plan->uniforms + 4 * (in->aux + i), 4, p->mask);
	}
}

static void control(struct plain *p)
{
	struct level *level = p->depth ? &p->level[p->depth - 1] : NULL;
	bool declared = p->in->a >= 0 && p->in->a < p->plan->shader->temp_count;

	if (p->in->op == CSIR_IF) {
		level = &p->level[p->depth++];
		*level = (struct level){p->mask, 0};
		FOR_THREADS(t, declared ? p->mask : 0)
			if (p->plan->registers[p->in->a].v[0][t] != 0)
				level->taken |= UINT64_C(1) << t;
		p->mask &= level->taken;
	} else if (p->in->op == CSIR_ELSE) {
		p->mask = level->parent & ~level->taken & p->alive;
	} else if (p->in->op == CSIR_ENDIF) {
		p->mask = level->parent & p->alive;
		p->depth--;
	} else {
		p->batch->discarded |= p->mask;
		p->alive &= ~p->mask;
		p->mask = 0;
	}
}

static void execute(struct plain *p)
{
	const struct csir_instr *in = p->in;
	struct csir_vec *d = in->dst >= 0 ? &p->plan->registers[in->dst] : NULL;

	switch (in->op) {
	case CSIR_CONST:
	case CSIR_LOAD_ATTR:
	case CSIR_LOAD_VAR:
	case CSIR_LOAD_FCOORD:
	case CSIR_LOAD_UNI: load(p, d); break;
	case CSIR_SWZ: swizzle(p, d); break;
	case CSIR_SETLANE:
		FOR_THREADS(t, p->mask)
			d->v[in->aux & 3][t] = p->a[0].v[in->aux2 & 3][t];
		break;
	case CSIR_DOT: dot(p, d); break;
	case CSIR_DDX:
	case CSIR_DDY: derivative(p, d); break;
	case CSIR_CMP: compare(p, d); break;
	case CSIR_MULMV:
	case CSIR_MULMM: multiply(p); break;
	case CSIR_SAMPLE:
		csir_plan_sample(p->plan, in->aux, p->mask, &p->a[0], &p->b[0]);
		copy(d, &p->b[0], p->mask);
		break;
	case CSIR_STORE_POS: copy(p->batch->position, &p->a[0], p->mask); break;
	case CSIR_STORE_COLOR: copy(p->batch->colour, &p->a[0], p->mask); break;
	case CSIR_STORE_VAR:
		if (in->aux >= 0 && in->aux < CSIR_VARY_MAX)
			copy(p->batch->vary_out[in->aux], &p->a[0], p->mask);
		break;
	default: lanewise(p, d);
	}
}

/* As exec_build.c's check_operands, after it has refused what cannot run. */
static bool ignored(const struct csir_instr *in)
{
	unsigned operands = csir_op_info(in->op)->operands;

	return ((operands & CSIR_OPERAND_D) && in->dst < 0) || ((operands & CSIR_OPERAND_A) && in->a < 0) ||
		((operands & CSIR_OPERAND_B) && in->b < 0);
}

static void tell(struct plain *p, uint32_t index, uint64_t ran)
{
	struct csir_effect effect;
	struct csir_tap tap = {.index = index, .instr = p->in, .mask = ran, .active = p->mask, .registers = p->plan->registers, .dst = -1};

	csir_effect(p->in, &effect);
	tap.register_count = p->plan->register_count;
	if (effect.write.count > 0) {
		tap.dst = effect.write.reg;
		tap.dst_count = (uint16_t)effect.write.count;
	}
	tap.a = effect.read[0].count > 0 ? p->a : NULL;
	tap.b = effect.read[1].count > 0 ? p->b : NULL;
	p->batch->tap(p->batch->tap_user, &tap);
}

/* The registers of one operand; one that no shader has (an if may name any number) is 0. */
static void keep_operand(const struct plain *p, const struct csir_span *span, struct csir_vec *kept)
{
	static const struct csir_vec none;

	for (int i = 0; i < span->count && i < 4; i++) {
		int reg = span->reg + i;

		kept[i] = reg >= 0 && (uint32_t)reg < p->plan->register_count ? p->plan->registers[reg] : none;
	}
}

static void keep_operands(struct plain *p)
{
	struct csir_effect effect;

	csir_effect(p->in, &effect);
	keep_operand(p, &effect.read[0], p->a);
	keep_operand(p, &effect.read[1], p->b);
}

static void run(struct plain *p)
{
	const struct csir_plan *plan = p->plan;

	for (uint32_t i = 0; i < plan->length && p->alive; i++) {
		uint64_t ran = p->mask;

		p->in = &plan->shader->instr[i];
		if (p->in->op == CSIR_NOP)
			continue;
		if (p->in->op >= CSIR_IF && p->in->op <= CSIR_DISCARD) {
			if (p->batch->tap)
				keep_operands(p);
			control(p);
			ran |= p->mask;
		} else if (!p->mask || ignored(p->in)) {
			continue;
		} else {
			keep_operands(p);
			execute(p);
		}
		if (p->batch->tap && ran)
			tell(p, i, ran);
	}
}

/* Registers up to the highest one that is declared or touched. */
static bool make_registers(struct csir_plan *plan)
{
	uint32_t count = plan->shader->temp_count > 0 ? (uint32_t)plan->shader->temp_count : 0;

	for (uint32_t i = 0; i < plan->length; i++) {
		struct csir_effect effect;

		csir_effect(&plan->shader->instr[i], &effect);
		for (unsigned k = 0; k < 3; k++) {
			const struct csir_span *s = k ? &effect.read[k - 1] : &effect.write;

			if (s->count > 0 && (uint32_t)(s->reg + s->count) > count)
				count = (uint32_t)(s->reg + s->count);
		}
	}
	if (count > CSIR_TEMP_MAX)
		count = CSIR_TEMP_MAX;
	if (count > plan->register_capacity || !plan->registers) {
		free(plan->registers);
		plan->register_capacity = count + 1;
		plan->registers = aligned_alloc(64, plan->register_capacity * sizeof *plan->registers);
	}
	plan->register_count = plan->registers ? count : 0;
	if (plan->registers)
		memset(plan->registers, 0, plan->register_capacity * sizeof *plan->registers);
	else
		plan->register_capacity = 0;
	return plan->registers != NULL;
}

void csir_exec_plain(struct csir_plan *plan, struct csir_batch *batch)
{
	static const float position[4] = {0, 0, 0, 1}, colour[4] = {0};
	struct plain p = {.plan = plan, .batch = batch, .mask = batch->mask, .alive = batch->mask};

	batch->discarded = 0;
	if (batch->position)
		spread(batch->position, position, 4, batch->mask);
	if (batch->colour)
		spread(batch->colour, colour, 4, batch->mask);
	if (make_registers(plan))
		run(&p);
}

const struct csir_vec *csir_exec_registers(const struct csir_plan *plan, uint32_t *count)
{
	*count = plan->register_count;
	return plan->registers;
}
