/* csir_random.h - random CSIR programs and numbers for the tests
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_CSIR_RANDOM_H
#define TESTS_CSIR_RANDOM_H

#include <math.h>

#include "gfx3d/csir.h"
#include "oracle/random.h"

static inline float random_number(struct oracle_random *r)
{
	static const float special[] = {0, -0.0f, 1, -1, 0.5f, 2, 3, 15, 16, 1e-20f, 1e20f, -1e20f, 3.14159265f, -3.2f, 110, -1000,
		4e9f, INFINITY, -INFINITY, NAN, 0.99999f, 255, 7, -2, 1e-40f};

	switch (oracle_random_below(r, 8)) {
	case 0: return special[oracle_random_below(r, sizeof special / sizeof *special)];
	case 1: return (float)(int)oracle_random_below(r, 33) - 16;
	case 2: return ldexpf((float)oracle_random_next(r) / 4294967296.0f, (int)oracle_random_below(r, 40) - 20);
	default: return (float)oracle_random_next(r) / 1073741824.0f - 2;
	}
}

/* How many registers a program uses: few, so that values meet. */
#define RANDOM_TEMPS 10

static inline int16_t random_register(struct oracle_random *r, int room)
{
	return (int16_t)oracle_random_below(r, (uint32_t)(RANDOM_TEMPS + 1 - room));
}

static inline void random_instr(struct oracle_random *r, enum csir_stage stage, struct csir_instr *in)
{
	static const uint8_t ops[] = {CSIR_CONST, CSIR_MOV, CSIR_MOV, CSIR_SWZ, CSIR_SWZ, CSIR_SETLANE, CSIR_SETLANE, CSIR_ADD, CSIR_ADD,
		CSIR_SUB, CSIR_MUL, CSIR_MUL, CSIR_MAX, CSIR_MIN, CSIR_ABS, CSIR_DOT, CSIR_RSQ, CSIR_RCP, CSIR_SIN, CSIR_COS, CSIR_POW,
		CSIR_TRUNC, CSIR_CMP, CSIR_CMP, CSIR_MULMV, CSIR_MULMM, CSIR_SAMPLE, CSIR_LOAD_ATTR, CSIR_LOAD_VAR, CSIR_LOAD_VAR,
		CSIR_LOAD_UNI, CSIR_LOAD_FCOORD, CSIR_STORE_POS, CSIR_STORE_VAR, CSIR_STORE_COLOR, CSIR_DDX, CSIR_DDY, CSIR_NOP};
	int columns;

	*in = (struct csir_instr){.op = ops[oracle_random_below(r, sizeof ops)], .ncomp = (uint8_t)oracle_random_below(r, 5)};
	if (in->op == CSIR_LOAD_ATTR && stage == CSIR_FRAGMENT)
		in->op = CSIR_LOAD_VAR;
	if ((in->op == CSIR_DDX || in->op == CSIR_DDY) && stage == CSIR_VERTEX)
		in->op = CSIR_MOV;
	in->dst = random_register(r, 1);
	in->a = random_register(r, 1);
	in->b = random_register(r, 1);
	in->c = -1;
	switch (in->op) {
	case CSIR_CONST: in->aux = (int16_t)oracle_random_below(r, 29); break;
	case CSIR_SWZ: in->aux = (int16_t)oracle_random_below(r, 256); break;
	case CSIR_SETLANE:
		in->aux = (int16_t)((int)oracle_random_below(r, 8) - 2);
		in->aux2 = (int16_t)oracle_random_below(r, 4);
		break;
	case CSIR_DOT: in->aux = (int16_t)oracle_random_below(r, 6); break;
	case CSIR_CMP: in->aux = (int16_t)oracle_random_below(r, 9); break;
	case CSIR_MULMV:
	case CSIR_MULMM:
		columns = (int)oracle_random_below(r, 3);
		in->aux = (int16_t)(columns ? columns + 2 : 0);
		columns = columns ? columns + 2 : 4;
		in->a = random_register(r, columns);
		in->b = random_register(r, in->op == CSIR_MULMM ? columns : 1);
		in->dst = random_register(r, in->op == CSIR_MULMM ? columns : 1);
		break;
	case CSIR_SAMPLE: in->aux = (int16_t)oracle_random_below(r, 4); break;
	case CSIR_LOAD_ATTR:
	case CSIR_LOAD_VAR:
	case CSIR_STORE_VAR: in->aux = (int16_t)oracle_random_below(r, 8); break;
	case CSIR_LOAD_UNI:
		in->aux = (int16_t)oracle_random_below(r, 28);
		in->aux2 = (int16_t)oracle_random_below(r, 5);
		in->dst = random_register(r, 4);
		break;
	default: break;
	}
}

/* A program with nested ifs; fragments discard now and then. */
static inline void random_program(struct oracle_random *r, enum csir_stage stage, unsigned length, struct csir_shader *s)
{
	unsigned depth = 0;
	bool has_else[CSIR_IF_MAX] = {false};

	csir_shader_init(s, stage, "random");
	s->temp_count = RANDOM_TEMPS;
	s->imm_count = 32;
	for (unsigned i = 0; i < 32; i++)
		s->imm[i] = random_number(r);
	while (s->instr_count < length) {
		struct csir_instr *in = &s->instr[s->instr_count++];
		unsigned kind = oracle_random_below(r, 24);
		struct csir_instr flow = {.dst = -1, .a = -1, .b = -1, .c = -1};

		random_instr(r, stage, in);
		if (kind == 0 && depth < 6) {
			flow.op = CSIR_IF;
			flow.a = random_register(r, 1);
			has_else[depth++] = false;
			*in = flow;
		} else if (kind == 1 && depth && !has_else[depth - 1]) {
			flow.op = CSIR_ELSE;
			has_else[depth - 1] = true;
			*in = flow;
		} else if (kind == 2 && depth) {
			flow.op = CSIR_ENDIF;
			depth--;
			*in = flow;
		} else if (kind == 3 && stage == CSIR_FRAGMENT && oracle_random_below(r, 3) == 0 && depth) {
			flow.op = CSIR_DISCARD;
			*in = flow;
		}
	}
	while (depth--)
		s->instr[s->instr_count++] = (struct csir_instr){.op = CSIR_ENDIF, .dst = -1, .a = -1, .b = -1, .c = -1};
	csir_shader_mark(s);
}

static inline void random_quirks(struct oracle_random *r, struct g3_quirks *q)
{
	g3_quirks_init(q, (enum g3_model)oracle_random_below(r, G3_MODEL_COUNT));
	q->v[G3_QUIRK_derivatives] = 1; /* without, such programs are refused */
	if (oracle_random_below(r, 2))
		return;
	for (unsigned i = 0; i < G3_QUIRK_COUNT; i++)
		if (i != G3_QUIRK_immediates && i != G3_QUIRK_derivatives) /* the oracle takes immediates as they are */
			q->v[i] = g3_quirk_row(i)->value[oracle_random_below(r, G3_MODEL_COUNT)];
}

#endif
