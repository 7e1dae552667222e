/* gfx3d_walk_back.c - from a colour that differs back along the fragment shader's registers to the instruction that makes it
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/gfx3d_look.h"

/* ---- the fragment shader ------------------------------------------------------------------------------------------------ */

/* Step before `end` that ran for the fragment and wrote one of the lanes that differ; -1: none. */
static int writer_of(const struct look *l, const struct csir_shader *fs, int end, int reg)
{
	for (int i = end - 1; i >= 0; i--) {
		const struct qs_gfx3d_step *s = &l->quad->step[i];
		struct csir_effect e;

		if (!(s->ran >> l->k & 1))
			continue;
		csir_effect(&fs->instr[s->instruction], &e);
		if (e.write.count && reg >= e.write.reg && reg < e.write.reg + e.write.count && e.write.lanes & l->lanes)
			return i;
	}
	return -1;
}

/* The register as the host has it before an instruction. */
static bool look_register(struct look *l, uint32_t instruction, int reg, float value[4])
{
	if (!instruction) {
		memset(value, 0, 4 * sizeof *value);
		return true;
	}
	return look_ask(l, l->primitive, (struct qs_value){.kind = QS_VALUE_REGISTER, .instruction = instruction - 1, .reg = (uint32_t)reg}, value);
}

static bool operand_differs(struct look *l, const float cpu[4], uint32_t instruction, int reg, uint8_t lanes, bool *differs)
{
	uint8_t wrong = 0;
	float value[4];

	*differs = false;
	if (!look_register(l, instruction, reg, value))
		return false;
	for (unsigned k = 0; k < 4; k++)
		if (!look_near(cpu[k], value[k], l->tolerance))
			wrong |= (uint8_t)(1u << k);
	*differs = (wrong & lanes) != 0;
	if (*differs)
		l->lanes = wrong & lanes;
	return true;
}

static enum qs_class class_of_instruction(const struct look *l, const struct csir_instr *in, const struct qs_gfx3d_step *s, const float host[4])
{
	const float *mine = s->value[l->k], *at = s->a[l->k];
	bool zero = !host[0] && !host[1] && !host[2] && !host[3];
	struct csir_effect e;

	switch (in->op) {
	case CSIR_RCP:
	case CSIR_RSQ:
	case CSIR_SIN:
	case CSIR_COS:
	case CSIR_POW:
		return QS_CLASS_TRANSCENDENTAL;
	case CSIR_SAMPLE:
		if (at[0] < 0 || at[0] > 1 || at[1] < 0 || at[1] > 1)
			return QS_CLASS_WRAP;
		if (!mine[0] && !mine[1] && !mine[2] && !mine[3] && !host[0] && !host[1] && !host[2])
			return QS_CLASS_UNINITIALISED; /* no texture */
		return QS_CLASS_SAMPLING;
	case CSIR_LOAD_VAR: /* the varying itself is equal: another register */
		return look_near_lanes(mine, host, 15, 2e-3f) ? QS_CLASS_INTERPOLATION : QS_CLASS_SWIZZLE;
	case CSIR_MULMV:
	case CSIR_MULMM:
		csir_effect(in, &e);
		for (unsigned i = 0; i < 2; i++)
			if (e.read[i].count && e.write.reg < e.read[i].reg + e.read[i].count && e.read[i].reg < e.write.reg + e.write.count)
				return QS_CLASS_STALE_STATE; /* reads what it has overwritten */
		return QS_CLASS_ROUNDING;
	case CSIR_LOAD_UNI:
		return zero ? QS_CLASS_UNINITIALISED : look_permuted(mine, host) ? QS_CLASS_SWIZZLE : QS_CLASS_STALE_STATE;
	case CSIR_LOAD_FCOORD:
		return !look_near(mine[2], host[2], 1e-4f) ? QS_CLASS_DEPTH_FORMULA : QS_CLASS_INTERPOLATION;
	case CSIR_SWZ:
	case CSIR_SETLANE:
	case CSIR_ABS:
		return QS_CLASS_SWIZZLE;
	default:
		return look_permuted(mine, host) ? QS_CLASS_SWIZZLE : QS_CLASS_ROUNDING;
	}
}

static bool describe_step(struct look *l, const struct csir_shader *fs, const struct qs_gfx3d_step *s)
{
	const struct csir_instr *in = &fs->instr[s->instruction];
	char text[100];
	float host[4];

	if (!look_register(l, s->instruction + 1u, in->dst, host))
		return false;
	if (s->has_a)
		look_vector(l->d, "first operand", s->a[l->k], s->a[l->k]);
	if (s->has_b)
		look_vector(l->d, "second operand", s->b[l->k], s->b[l->k]);
	look_vector(l->d, "result", s->value[l->k], host);
	l->d->stage = s->instruction;
	csir_instr_text(fs, s->instruction, text, sizeof text);
	look_name(l, in->op == CSIR_SAMPLE ? QS_AT_TEXTURE : QS_AT_INSTRUCTION, class_of_instruction(l, in, s, host), "");
	snprintf(l->d->text, sizeof l->d->text, "From equal operands instruction %u gives another result: %s", s->instruction, text);
	if (in->op == CSIR_SAMPLE)
		l->d->stage = QS_NONE;
	return true;
}

/* The first operand of the step, or condition of an IF before step `until`, that differs; *reg -1: none. */
static bool differing_operand(struct look *l, const struct csir_shader *fs, int *step, int until, int *reg)
{
	const struct qs_gfx3d_step *s = &l->quad->step[*step];
	const struct csir_instr *in = &fs->instr[s->instruction];
	struct csir_effect e;
	bool differs;

	*reg = -1;
	for (int i = 0; i < until; i++) {
		const struct qs_gfx3d_step *branch = &l->quad->step[i];
		const struct csir_instr *condition = &fs->instr[branch->instruction];

		if (condition->op != CSIR_IF || !branch->has_a)
			continue;
		if (!operand_differs(l, branch->a[l->k], branch->instruction, condition->a, 1, &differs))
			return false;
		if (differs) {
			*step = i;
			*reg = condition->a;
			return true;
		}
	}
	csir_effect(in, &e);
	for (unsigned i = 0; i < 2 && *reg < 0; i++) {
		int r = i ? in->b : in->a;

		if (!(i ? s->has_b : s->has_a) || r < 0)
			continue;
		if (!operand_differs(l, i ? s->b[l->k] : s->a[l->k], s->instruction, r, e.read[i].lanes ? e.read[i].lanes : 15, &differs))
			return false;
		*reg = differs ? r : -1;
	}
	return true;
}

/* Back from the step along what differs; *done: an instruction was found and described. */
static bool walk_back(struct look *l, const struct csir_shader *fs, int step, bool *done, int *found)
{
	int reg, turns = 0;

	*found = -1;
	if (!differing_operand(l, fs, &step, (int)l->quad->step_count, &reg)) /* a branch after it may store too */
		return false;
	while (reg >= 0 && turns++ < 400) {
		int from = writer_of(l, fs, step, reg);

		if (from < 0) {
			char text[100];

			l->d->stage = l->quad->step[step].instruction;
			look_vector(l->d, "operand", l->quad->step[step].a[l->k], l->quad->step[step].a[l->k]);
			csir_instr_text(fs, l->d->stage, text, sizeof text);
			look_name(l, QS_AT_INSTRUCTION, QS_CLASS_UNINITIALISED, "");
			snprintf(l->d->text, sizeof l->d->text, "Instruction %" PRIu32 " reads a register that nothing wrote: %s", l->d->stage, text);
			*done = true;
			return true;
		}
		step = from;
		if (!differing_operand(l, fs, &step, step, &reg))
			return false;
		if (reg < 0)
			*found = step;
	}
	return true;
}

/* Comparisons make much of little: what goes into them is looked at more closely then. */
bool look_at_shader(struct look *l, bool *done)
{
	const struct csir_shader *fs = csir_program_shader(look_program(l), CSIR_FRAGMENT, &l->t->gfx3d->g->quirks);
	int step = -1, found, closer;

	for (uint32_t i = 0; i < l->quad->step_count; i++)
		if (fs->instr[l->quad->step[i].instruction].op == CSIR_STORE_COLOR && l->quad->step[i].ran >> l->k & 1)
			step = (int)i;
	if (step < 0)
		return true;
	l->color_known = look_register(l, l->quad->step[step].instruction, fs->instr[l->quad->step[step].instruction].a, l->color);
	l->tolerance = 2e-3f;
	if (!l->color_known || !walk_back(l, fs, step, done, &found))
		return false;
	if (*done || found < 0)
		return true;
	if (fs->instr[l->quad->step[found].instruction].op == CSIR_CMP || fs->instr[l->quad->step[found].instruction].op == CSIR_TRUNC) {
		l->tolerance = 3e-6f;
		if (!walk_back(l, fs, step, done, &closer))
			return false;
		if (*done)
			return true;
		found = closer >= 0 ? closer : found;
	}
	*done = true;
	return describe_step(l, fs, &l->quad->step[found]);
}
