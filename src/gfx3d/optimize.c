/* optimize.c - instructions whose result nobody reads become NOP (spec 01 section 7)
 *
 * Reads are counted, not traced: a temporary that is read anywhere keeps all its writers.  Quirk opt_matrix keeps the defect of
 * ChrisOS: matrix products count as reading only the first column, so the MOVs that fill the others are lost.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "gfx3d/csir.h"

#define ROUNDS 4

static void count(unsigned *uses, int reg)
{
	if (reg >= 0 && reg < CSIR_TEMP_MAX)
		uses[reg]++;
}

static void count_reads(const struct csir_instr *in, bool columns, unsigned *uses)
{
	struct csir_effect effect;

	count(uses, in->a);
	count(uses, in->b);
	count(uses, in->c);
	if (in->op == CSIR_SETLANE)
		count(uses, in->dst);
	if (!columns || (in->op != CSIR_MULMV && in->op != CSIR_MULMM))
		return;
	csir_effect(in, &effect);
	for (unsigned k = 0; k < 2; k++)
		for (int i = 1; i < effect.read[k].count && i < 4; i++)
			count(uses, effect.read[k].reg + i);
}

unsigned csir_optimize(struct csir_shader *shader, const struct g3_quirks *quirks)
{
	unsigned removed = 0;

	for (unsigned round = 0; round < ROUNDS; round++) {
		unsigned uses[CSIR_TEMP_MAX] = {0};

		for (unsigned i = 0; i < shader->instr_count; i++)
			if (shader->instr[i].op != CSIR_NOP || G3_QUIRK(quirks, opt_nops))
				count_reads(&shader->instr[i], !G3_QUIRK(quirks, opt_matrix), uses);
		for (unsigned i = 0; i < shader->instr_count; i++) {
			struct csir_instr *in = &shader->instr[i];
			const struct csir_op_info *info = csir_op_info(in->op);

			if (!info || !info->pure || in->dst < 0 || in->dst >= shader->temp_count || uses[in->dst])
				continue;
			in->op = CSIR_NOP;
			removed++;
		}
	}
	return removed;
}
