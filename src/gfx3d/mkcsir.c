/* mkcsir.c - writes docs/csir.md from docs/csir.in.md: a line @INSTRUCTIONS@, @TYPES@ or @QUIRKS@ becomes its table (`make docs`)
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gfx3d/csir.h"

static const char *lanes_text(char lanes)
{
	switch (lanes) {
	case 'N': return "n (0: 4)";
	case '1': return "n (0: 1)";
	case 'X': return "x";
	case 'V': return "all";
	case 'C': return "all of aux registers";
	case 'L': return "one";
	case 'U': return "all of aux2 registers";
	default: return "";
	}
}

static void instructions(void)
{
	printf("| no | name | operands | lanes written | removed when dead | effect |\n|---|---|---|---|---|---|\n");
	for (unsigned i = 0; i < CSIR_OP_COUNT; i++) {
		const struct csir_op_info *op = csir_op_info(i);

		printf("| %u | `%s` |%s%s%s%s%s | %s | %s | ", i, op->mnemonic, op->operands & CSIR_OPERAND_D ? " dst" : "",
			op->operands & CSIR_OPERAND_A ? " a" : "", op->operands & CSIR_OPERAND_B ? " b" : "",
			op->operands & CSIR_OPERAND_X ? " aux" : "", op->operands & CSIR_OPERAND_Y ? " aux2" : "", lanes_text(op->lanes),
			op->pure ? "yes" : "");
		for (const char *c = op->text; *c; c++)
			printf(*c == '|' ? "\\|" : "%c", *c);
		printf(" |\n");
	}
}

static void types(void)
{
	printf("| code | type | lanes | uniform slots |\n|---|---|---|---|\n");
	for (unsigned i = CSIR_T_VOID; i < CSIR_T_COUNT; i++)
		printf("| %u | `%s` | %u | %u |\n", i, csir_type_name(i), csir_type_lanes(i), csir_type_slots(i));
}

static void quirks(void)
{
	printf("| quirk | chrisos | virgl | corrected | values |\n|---|---|---|---|---|\n");
	for (uint32_t i = 0; i < G3_QUIRK_COUNT; i++) {
		const struct g3_quirk_row *row = g3_quirk_row(i);

		printf("| `%s` | %d | %d | %d | %s |\n", row->name, row->value[0], row->value[1], row->value[2], row->text);
	}
}

int main(int argc, char **argv)
{
	FILE *in = argc == 2 ? fopen(argv[1], "r") : NULL;
	char line[1000];

	if (!in) {
		fprintf(stderr, "usage: mkcsir docs/csir.in.md\n");
		return EXIT_FAILURE;
	}
	while (fgets(line, sizeof line, in)) {
		if (!strcmp(line, "@INSTRUCTIONS@\n"))
			instructions();
		else if (!strcmp(line, "@TYPES@\n"))
			types();
		else if (!strcmp(line, "@QUIRKS@\n"))
			quirks();
		else
			fputs(line, stdout);
	}
	fclose(in);
	return EXIT_SUCCESS;
}
