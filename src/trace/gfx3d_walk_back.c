/* gfx3d_walk_back.c - from a stored value that differs back along a shader's registers to the instruction that makes it
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/gfx3d_look.h"

/* ---- along registers ---------------------------------------------------------------------------------------------------- */

/* Step before `end` that ran and wrote one of the lanes that differ; -1: none. */
static int writer_of(const struct look *l, int end, int reg)
{
	for (int i = end - 1; i >= 0; i--) {
		const struct qs_gfx3d_step *s = &l->way.step[i];
		struct csir_effect e;

		if (!(s->ran >> l->way.part & 1))
			continue;
		csir_effect(&l->way.shader->instr[s->instruction], &e);
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
	return look_ask(l, l->primitive, (struct qs_value){.kind = l->way.vertex ? QS_VALUE_VERTEX_REGISTER : QS_VALUE_REGISTER,
		.instruction = instruction - 1, .reg = (uint32_t)reg, .corner = l->way.part}, value);
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
	const float *mine = s->value[l->way.part], *at = s->a[l->way.part];
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
	case CSIR_LOAD_ATTR:
		return look_permuted(mine, host) ? QS_CLASS_SWIZZLE : QS_CLASS_FORMAT;
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

static bool describe_step(struct look *l, const struct qs_gfx3d_step *s)
{
	const struct csir_instr *in = &l->way.shader->instr[s->instruction];
	char text[100];
	float host[4];

	if (!look_register(l, s->instruction + 1u, in->dst, host))
		return false;
	if (s->has_a)
		look_vector(l->d, "first operand", s->a[l->way.part], s->a[l->way.part]);
	if (s->has_b)
		look_vector(l->d, "second operand", s->b[l->way.part], s->b[l->way.part]);
	look_vector(l->d, "result", s->value[l->way.part], host);
	l->d->stage = s->instruction;
	csir_instr_text(l->way.shader, s->instruction, text, sizeof text);
	look_name(l, l->way.vertex ? QS_AT_VERTEX : in->op == CSIR_SAMPLE ? QS_AT_TEXTURE : QS_AT_INSTRUCTION, class_of_instruction(l, in, s, host), "");
	snprintf(l->d->text, sizeof l->d->text, "From equal operands instruction %u%s gives another result: %.70s", s->instruction,
		l->way.vertex ? " of the vertex shader" : "", text);
	if (in->op == CSIR_SAMPLE && !l->way.vertex)
		l->d->stage = QS_NONE;
	return true;
}

/* The first operand of the step, or condition of an IF before step `until`, that differs; *reg -1: none. */
static bool differing_operand(struct look *l, int *step, int until, int *reg)
{
	const struct qs_gfx3d_step *s = &l->way.step[*step];
	const struct csir_instr *in = &l->way.shader->instr[s->instruction];
	struct csir_effect e;
	bool differs;

	*reg = -1;
	for (int i = 0; i < until; i++) {
		const struct qs_gfx3d_step *branch = &l->way.step[i];
		const struct csir_instr *condition = &l->way.shader->instr[branch->instruction];

		if (condition->op != CSIR_IF || !branch->has_a)
			continue;
		if (!operand_differs(l, branch->a[l->way.part], branch->instruction, condition->a, 1, &differs))
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
		if (!operand_differs(l, i ? s->b[l->way.part] : s->a[l->way.part], s->instruction, r, e.read[i].lanes ? e.read[i].lanes : 15, &differs))
			return false;
		*reg = differs ? r : -1;
	}
	return true;
}

/* Back from the step along what differs; *done: an instruction was found and described. */
static bool walk_back(struct look *l, int step, bool *done, int *found)
{
	int reg, turns = 0;

	*found = -1;
	if (!differing_operand(l, &step, (int)l->way.count, &reg)) /* a branch after it may store too */
		return false;
	while (reg >= 0 && turns++ < 400) {
		int from = writer_of(l, step, reg);

		if (from < 0) {
			char text[100];

			l->d->stage = l->way.step[step].instruction;
			look_vector(l->d, "operand", l->way.step[step].a[l->way.part], l->way.step[step].a[l->way.part]);
			csir_instr_text(l->way.shader, l->d->stage, text, sizeof text);
			look_name(l, l->way.vertex ? QS_AT_VERTEX : QS_AT_INSTRUCTION, QS_CLASS_UNINITIALISED, "");
			snprintf(l->d->text, sizeof l->d->text, "Instruction %" PRIu32 "%s reads a register that nothing wrote: %.70s", l->d->stage,
				l->way.vertex ? " of the vertex shader" : "", text);
			*done = true;
			return true;
		}
		step = from;
		if (!differing_operand(l, &step, step, &reg))
			return false;
		if (reg < 0)
			*found = step;
	}
	return true;
}

/* From the step that stores; *done: an instruction was found and described.  Comparisons make much of little: what goes into them is
 * looked at more closely then. */
static bool look_back(struct look *l, int step, float tolerance, bool *done)
{
	const struct csir_shader *shader = l->way.shader;
	int found, closer;

	l->tolerance = tolerance;
	if (!walk_back(l, step, done, &found))
		return false;
	if (*done || found < 0)
		return true;
	if (shader->instr[l->way.step[found].instruction].op == CSIR_CMP || shader->instr[l->way.step[found].instruction].op == CSIR_TRUNC) {
		l->tolerance = 3e-6f;
		if (!walk_back(l, step, done, &closer))
			return false;
		if (*done)
			return true;
		found = closer >= 0 ? closer : found;
	}
	*done = true;
	return describe_step(l, &l->way.step[found]);
}

/* ---- the fragment shader ------------------------------------------------------------------------------------------------ */

bool look_at_shader(struct look *l, bool *done)
{
	const struct csir_shader *fs = csir_program_shader(look_program(l), CSIR_FRAGMENT, &l->t->gfx3d->g->quirks);
	int step = -1;

	l->way = (struct look_way){fs, l->quad->step, l->quad->step_count, l->k, false};
	for (uint32_t i = 0; i < l->quad->step_count; i++)
		if (fs->instr[l->quad->step[i].instruction].op == CSIR_STORE_COLOR && l->quad->step[i].ran >> l->k & 1)
			step = (int)i;
	if (step < 0)
		return true;
	l->color_known = look_register(l, l->quad->step[step].instruction, fs->instr[l->quad->step[step].instruction].a, l->color);
	return l->color_known && look_back(l, step, 2e-3f, done);
}

/* ---- the vertex shader -------------------------------------------------------------------------------------------------- */

#define VERTEX_TOLERANCE 1e-4f /* products and sums of a host may be fused */

/* True in *differs: what the last store of each output stores for the corner is not what the host stores. */
static bool find_store(struct look *l, bool position, int *step, bool *differs)
{
	uint32_t seen = 0;

	*differs = false;
	for (int i = (int)l->way.count - 1; i >= 0 && !*differs; i--) {
		const struct qs_gfx3d_step *s = &l->way.step[i];
		const struct csir_instr *in = &l->way.shader->instr[s->instruction];
		uint32_t bit = in->op == CSIR_STORE_POS ? 1 : in->op == CSIR_STORE_VAR && !position ? 2u << (in->aux & 7) : 0;

		if (!bit || seen & bit || !(s->ran >> l->way.part & 1) || !s->has_a)
			continue;
		seen |= bit;
		if (!operand_differs(l, s->a[l->way.part], s->instruction, in->a, 15, differs))
			return false;
		*step = i;
	}
	return true;
}

static bool look_at_corner(struct look *l, bool position, unsigned corner, uint32_t vertex, bool *done)
{
	bool differs;
	int step;

	l->way.part = corner;
	l->tolerance = VERTEX_TOLERANCE;
	if (!find_store(l, position, &step, &differs))
		return false;
	if (!differs)
		return true;
	if (!look_back(l, step, VERTEX_TOLERANCE, done))
		return false;
	if (*done) {
		operand_number(l->d, "corner", corner, corner);
		operand_number(l->d, "vertex", vertex, vertex);
	}
	return true;
}

bool look_at_vertices(struct look *l, uint32_t primitive, bool position, bool *done)
{
	struct qs_moment m = l->d->moment;
	struct qs_gfx3d_step *step = calloc(CSIR_INSTR_MAX, sizeof *step);
	uint32_t vertex[3];
	bool good;

	m.level = QS_LEVEL_PRIMITIVE;
	m.primitive = l->primitive = primitive;
	m.quad = m.fragment = m.stage = 0;
	good = step && qs_timeline_seek(l->t, &m, l->error);
	if (good) {
		l->way = (struct look_way){csir_program_shader(look_program(l), CSIR_VERTEX, &l->t->gfx3d->g->quirks), step, 0, 0, true};
		good = qs_timeline_gfx3d_vertex_steps(l->t, vertex, step, &l->way.count, l->error);
	}
	if (good) {
		for (unsigned k = 0; k < 3 && good && !*done; k++)
			good = look_at_corner(l, position, k, vertex[k], done);
	}
	l->way = (struct look_way){0};
	free(step);
	return good;
}
