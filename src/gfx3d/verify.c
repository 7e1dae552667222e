/* verify.c - may this program run? (spec 01 section 6)
 *
 * The rules of ChrisOS have gaps (operands of some instructions, matrix columns, widths are not checked); the strict rules close
 * them.  What the first let pass, csir_exec_prepare still refuses when it would leave an array.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdio.h>

#include "gfx3d/csir.h"

struct verifier {
	const struct csir_shader *shader;
	struct qs_error *error;
	unsigned at; /* instruction */
	unsigned depth;
	bool seen_else[CSIR_IF_MAX];
};

enum csir_rules csir_rules_of(const struct g3_quirks *quirks)
{
	unsigned rules = CSIR_RULES_CHRISOS;

	if (G3_QUIRK(quirks, verify_strict))
		rules |= CSIR_RULES_SPANS;
	if (G3_QUIRK(quirks, derivatives))
		rules |= CSIR_RULES_DERIVATIVES;
	return (enum csir_rules)rules;
}

static bool derives(const struct csir_instr *in)
{
	return in->op == CSIR_DDX || in->op == CSIR_DDY;
}

int csir_derivative(const struct csir_shader *shader)
{
	for (int i = 0; i < shader->instr_count; i++)
		if (derives(&shader->instr[i]))
			return i;
	return -1;
}

static bool refuse(const struct verifier *v, const char *what)
{
	const struct csir_shader *s = v->shader;
	unsigned op = v->at < s->instr_count ? s->instr[v->at].op : 0;
	const struct csir_op_info *info = csir_op_info(op);

	qs_error_set(v->error, QS_ERR_FORMAT, v->at, "Shader %s, instruction %u (%s): %s.", s->name, v->at, info ? info->mnemonic : "?",
		what);
	return false;
}

static bool temp_ok(const struct csir_shader *s, int reg)
{
	return reg >= 0 && reg < s->temp_count && reg < CSIR_TEMP_MAX;
}

static bool check_flow(struct verifier *v, const struct csir_instr *in)
{
	if (in->op == CSIR_IF) {
		if (!temp_ok(v->shader, in->a))
			return refuse(v, "the condition is not a declared temporary");
		if (v->depth >= CSIR_IF_MAX)
			return refuse(v, "more than 32 ifs inside each other");
		v->seen_else[v->depth++] = false;
	} else if (in->op == CSIR_ELSE) {
		if (!v->depth)
			return refuse(v, "no if is open");
		if (v->seen_else[v->depth - 1])
			return refuse(v, "the if has an else already");
		v->seen_else[v->depth - 1] = true;
	} else {
		if (!v->depth)
			return refuse(v, "no if is open");
		v->depth--;
	}
	return true;
}

static bool check_stage(struct verifier *v, const struct csir_instr *in)
{
	unsigned stage = v->shader->stage;

	if (in->op == CSIR_STORE_POS && stage != CSIR_VERTEX)
		return refuse(v, "only a vertex shader stores a position");
	if (in->op == CSIR_STORE_COLOR && stage != CSIR_FRAGMENT)
		return refuse(v, "only a fragment shader stores a colour");
	if (in->op == CSIR_DISCARD && stage != CSIR_FRAGMENT)
		return refuse(v, "only a fragment shader discards");
	if (derives(in) && stage != CSIR_FRAGMENT)
		return refuse(v, "only fragments have neighbours to differ from");
	return true;
}

static bool check_number(struct verifier *v, const struct csir_instr *in)
{
	const struct csir_shader *s = v->shader;

	if (in->op == CSIR_SAMPLE && (in->aux < 0 || in->aux > s->sampler_high))
		return refuse(v, "the sampler is not declared");
	if (in->op == CSIR_LOAD_ATTR && (in->aux < 0 || in->aux > s->attr_high))
		return refuse(v, "the attribute location is not declared");
	if ((in->op == CSIR_LOAD_VAR || in->op == CSIR_STORE_VAR) && (in->aux < 0 || in->aux >= CSIR_VARY_MAX))
		return refuse(v, "the varying slot is not one of 0 to 7");
	if (in->op == CSIR_LOAD_UNI && (in->aux2 < 1 || in->aux < 0))
		return refuse(v, "the uniform slot or their number is not a sensible one");
	if (in->op == CSIR_MULMM && in->aux != 3 && in->aux != 4)
		return refuse(v, "a matrix has 3 or 4 columns");
	if (in->op == CSIR_CONST && (in->aux < 0 || in->aux + in->ncomp > s->imm_count))
		return refuse(v, "the immediates lie outside the pool");
	return true;
}

static bool check_registers(struct verifier *v, const struct csir_instr *in)
{
	const struct csir_shader *s = v->shader;
	int last = in->op == CSIR_LOAD_UNI ? in->aux2 - 1 : in->op == CSIR_MULMM ? in->aux - 1 : 0;
	bool needed = in->op == CSIR_LOAD_UNI || in->op == CSIR_MULMM || in->op == CSIR_CONST;

	if ((needed || in->dst >= 0) && (!temp_ok(s, in->dst) || !temp_ok(s, in->dst + last)))
		return refuse(v, "the destination is not a declared temporary");
	if ((in->a >= 0 || in->op == CSIR_MULMM) && !temp_ok(s, in->a))
		return refuse(v, "operand a is not a declared temporary");
	if ((in->b >= 0 || in->op == CSIR_MULMM) && !temp_ok(s, in->b))
		return refuse(v, "operand b is not a declared temporary");
	return true;
}

static bool span_ok(const struct csir_shader *s, const struct csir_span *span)
{
	return temp_ok(s, span->reg) && span->count >= 1 && temp_ok(s, span->reg + span->count - 1);
}

static bool check_strict(struct verifier *v, const struct csir_instr *in)
{
	const struct csir_shader *s = v->shader;
	const struct csir_op_info *info = csir_op_info(in->op);
	struct csir_effect effect;

	csir_effect(in, &effect);
	if ((info->operands & CSIR_OPERAND_D) && !span_ok(s, &effect.write))
		return refuse(v, "the destination is missing or reaches beyond the declared temporaries");
	if ((info->operands & CSIR_OPERAND_A) && !span_ok(s, &effect.read[0]))
		return refuse(v, "operand a is missing or reaches beyond the declared temporaries");
	if ((info->operands & CSIR_OPERAND_B) && !span_ok(s, &effect.read[1]))
		return refuse(v, "operand b is missing or reaches beyond the declared temporaries");
	if ((info->operands & CSIR_OPERAND_D) && (in->ncomp < 1 || in->ncomp > 4))
		return refuse(v, "the number of lanes is not 1 to 4");
	if ((in->op == CSIR_DOT || in->op == CSIR_MULMV) && in->aux != 3 && in->aux != 4)
		return refuse(v, "the width is not 3 or 4");
	if (in->op == CSIR_CMP && (in->aux < CSIR_LT || in->aux > CSIR_NE))
		return refuse(v, "the relation is not one of 1 to 6");
	if (in->op == CSIR_LOAD_UNI && in->aux + in->aux2 > CSIR_UNIFORM_SLOTS)
		return refuse(v, "the uniform slots reach beyond 31");
	if (in->op == CSIR_SAMPLE && in->aux >= CSIR_SAMPLER_MAX)
		return refuse(v, "the sampler is not one of 0 to 3");
	if (in->op == CSIR_LOAD_ATTR && in->aux >= CSIR_ATTR_MAX)
		return refuse(v, "the attribute location is not one of 0 to 7");
	return true;
}

static bool check_sizes(struct verifier *v, bool strict)
{
	const struct csir_shader *s = v->shader;

	if (s->stage != CSIR_VERTEX && s->stage != CSIR_FRAGMENT)
		return refuse(v, "the stage is neither vertex nor fragment");
	if (s->temp_count < 0 || s->temp_count > CSIR_TEMP_MAX || s->instr_count > CSIR_INSTR_MAX || s->imm_count > CSIR_IMM_MAX)
		return refuse(v, "more instructions, temporaries or immediates than there can be");
	if (s->attr_high >= CSIR_ATTR_MAX || s->vary_high >= CSIR_VARY_MAX || s->uniform_high >= CSIR_UNIFORM_SLOTS ||
		s->sampler_high >= CSIR_SAMPLER_MAX)
		return refuse(v, "an attribute, varying, uniform slot or sampler beyond the limit is in use");
	for (unsigned i = 0; strict && i < s->imm_count; i++)
		if (!isfinite(s->imm[i]))
			return refuse(v, "an immediate is infinite or not a number");
	return true;
}

bool csir_verify(const struct csir_shader *shader, enum csir_rules rules, struct qs_error *error)
{
	struct verifier v = {.shader = shader, .error = error};
	bool strict = rules & CSIR_RULES_SPANS;

	if (!check_sizes(&v, strict))
		return false;
	for (v.at = 0; v.at < shader->instr_count; v.at++) {
		const struct csir_instr *in = &shader->instr[v.at];

		if (in->op >= CSIR_OP_COUNT)
			return refuse(&v, "no such instruction");
		if (derives(in) && !(rules & CSIR_RULES_DERIVATIVES))
			return refuse(&v, "ChrisOS has no derivatives (quirk derivatives)");
		if (in->op == CSIR_NOP)
			continue;
		if (in->op == CSIR_IF || in->op == CSIR_ELSE || in->op == CSIR_ENDIF) {
			if (!check_flow(&v, in))
				return false;
			continue;
		}
		if (!check_stage(&v, in) || !check_number(&v, in) || !check_registers(&v, in) || (strict && !check_strict(&v, in)))
			return false;
	}
	if (v.depth) {
		v.at = shader->instr_count ? shader->instr_count - 1u : 0;
		return refuse(&v, "an if is not closed");
	}
	return true;
}
