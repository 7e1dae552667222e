/* flow.c - does a program read what nobody wrote?
 *
 * The CPU begins with registers of zeros; what a VirGL host has in them is undefined, and not always 0 (measured).  A lane counts
 * as written when every way to the instruction writes it; behind a discard everything does, since nobody comes there.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "gfx3d/csir.h"

struct written {
	uint8_t lanes[CSIR_TEMP_MAX];
};

struct level {
	struct written other; /* before the if; behind its else: at the end of the first side */
};

static void both(struct written *now, const struct written *other)
{
	for (unsigned i = 0; i < CSIR_TEMP_MAX; i++)
		now->lanes[i] &= other->lanes[i];
}

static bool reads_unwritten(const struct written *now, const struct csir_effect *effect, int *reg, uint8_t *lanes)
{
	for (unsigned k = 0; k < 2; k++)
		for (int i = 0; i < effect->read[k].count; i++) {
			int at = effect->read[k].reg + i;
			uint8_t missing = (uint8_t)(at < CSIR_TEMP_MAX ? effect->read[k].lanes & ~now->lanes[at] : 0);

			if (missing) {
				*reg = at;
				*lanes = missing;
				return true;
			}
		}
	return false;
}

static void write(struct written *now, const struct csir_effect *effect)
{
	for (int i = 0; i < effect->write.count && effect->write.reg + i < CSIR_TEMP_MAX; i++)
		now->lanes[effect->write.reg + i] |= effect->write.lanes;
}

bool csir_unwritten(const struct csir_shader *shader, uint32_t *instruction, int *reg, uint8_t *lanes)
{
	struct written now = {{0}};
	struct level level[CSIR_IF_MAX];
	unsigned depth = 0;

	for (uint32_t i = 0; i < shader->instr_count; i++) {
		const struct csir_instr *in = &shader->instr[i];
		struct csir_effect effect;

		csir_effect(in, &effect);
		*instruction = i;
		if (reads_unwritten(&now, &effect, reg, lanes))
			return true;
		write(&now, &effect);
		if (in->op == CSIR_IF && depth < CSIR_IF_MAX) {
			level[depth++].other = now;
		} else if (in->op == CSIR_ELSE && depth) {
			struct written before = level[depth - 1].other;

			level[depth - 1].other = now;
			now = before;
		} else if (in->op == CSIR_ENDIF && depth) {
			both(&now, &level[--depth].other);
		} else if (in->op == CSIR_DISCARD) {
			memset(&now, 0xF, sizeof now);
		}
	}
	return false;
}
