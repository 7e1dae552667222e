/* dump.c - the listing ChrisOS writes (spec 01 section 8): one way, not all fields
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "gfx3d/csir.h"

#define DUMP_MAX 4096 /* with the final zero */

static void dump_symbol(const struct csir_symbol *s, struct csir_text *t)
{
	if (s->kind == CSIR_SYM_UNIFORM || s->kind == CSIR_SYM_SAMPLER)
		csir_text_add(t, "uniform %s %s slot %d\n", csir_type_name(s->type), s->name, s->slot);
	else
		csir_text_add(t, "%s %s %s\n", s->kind == CSIR_SYM_INPUT ? "input" : "output", csir_type_name(s->type), s->name);
}

static void dump_instr(const struct csir_instr *in, struct csir_text *t)
{
	const struct csir_op_info *info = csir_op_info(in->op);

	csir_text_add(t, "  ");
	if (in->dst >= 0)
		csir_text_add(t, "%%%d = ", in->dst);
	csir_text_add(t, "%s", info ? info->mnemonic : "nop");
	if (in->a >= 0)
		csir_text_add(t, " %%%d", in->a);
	if (in->b >= 0)
		csir_text_add(t, " %%%d", in->b);
	if (in->aux || in->op == CSIR_LOAD_ATTR || in->op == CSIR_LOAD_UNI || in->op == CSIR_SAMPLE)
		csir_text_add(t, " aux %d", in->aux);
	csir_text_add(t, "\n");
}

bool csir_dump(const struct csir_shader *shader, bool cut, struct csir_text *text)
{
	size_t start = text->size;

	csir_text_add(text, "shader %s\nstage %s\n", shader->name, csir_stage_name(shader->stage));
	for (unsigned i = 0; i < shader->symbol_count; i++)
		dump_symbol(&shader->symbol[i], text);
	csir_text_add(text, "block 0:\n");
	for (unsigned i = 0; i < shader->instr_count; i++)
		if (shader->instr[i].op != CSIR_NOP)
			dump_instr(&shader->instr[i], text);
	if (cut && !text->failed && text->size - start >= DUMP_MAX) {
		text->size = start + DUMP_MAX - 1;
		text->data[text->size] = 0;
	}
	return !text->failed;
}
