/* mkregs.c - writes what is generated from the register table (run by `make docs`)
 *
 *   mkregs index   src/gx/registers_index.h: the order of names, for lookup
 *   mkregs docs    docs/registers.md: the reference
 *
 * Links the tables only, so that a stale index can be rebuilt.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "gx/registers_table.h"

static int compare_registers(const void *a, const void *b)
{
	return strcasecmp((*(const struct qs_register *const *)a)->name, (*(const struct qs_register *const *)b)->name);
}

static int write_index(void)
{
	printf("/* registers_index.h - positions in the register tables in the order of names; made by mkregs index\n"
		" * SPDX-License-Identifier: GPL-2.0-or-later */\n"
		"#ifndef GX_REGISTERS_INDEX_H\n#define GX_REGISTERS_INDEX_H\n\n#include <stdint.h>\n");
	for (unsigned u = 0; u < QS_UNIT_COUNT; u++) {
		const struct registers_unit *unit = &registers_units[u];
		const struct qs_register **order = malloc(unit->count * sizeof *order);
		if (!order)
			return EXIT_FAILURE;
		for (uint32_t i = 0; i < unit->count; i++)
			order[i] = &unit->registers[i];
		qsort(order, unit->count, sizeof *order, compare_registers);
		printf("\nstatic const uint16_t registers_%s_by_name[%u] = {", unit->name, unit->count);
		for (uint32_t i = 0; i < unit->count; i++)
			printf("%s%u,", i % 20 ? " " : "\n\t", (unsigned)(order[i] - unit->registers));
		printf("\n};\n");
		free(order);
	}
	printf("\n#endif\n");
	return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "index"))
		return write_index();
	fprintf(stderr, "usage: mkregs index|docs\n");
	return EXIT_FAILURE;
}
