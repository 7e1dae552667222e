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

/* ---- the reference -------------------------------------------------------------------------------------------------------- */

#define LAYOUT_COLUMNS 110

static const char *const unit_titles[QS_UNIT_COUNT] = {
	[QS_UNIT_BP] = "BP: setup, rasteriser, textures, TEV, pixel engine",
	[QS_UNIT_CP] = "CP: vertex formats and arrays",
	[QS_UNIT_XF] = "XF: transform, lighting, texture coordinates",
	[QS_UNIT_PE] = "PE: what the CPU sees of the pixel engine",
};

static const char *const unit_texts[QS_UNIT_COUNT] = {
	[QS_UNIT_BP] = "Written by opcode 61 with an 8-bit address and 24 bits. Addresses 100-107 are the konst bank of E0-E7: a write "
		"with bit 23 set goes there.",
	[QS_UNIT_CP] = "Written by opcode 08 with an 8-bit address and 32 bits. The low three bits of 50-57 and 60-67 are ignored.",
	[QS_UNIT_XF] = "Memory (0000-0FFF) and registers (1000-1057), written by opcodes 10, 20, 28, 30 and 38.",
	[QS_UNIT_PE] = "16-bit registers at 0x0C001000, by byte offset.",
};

static const char *const kind_names[] = {
	[QS_FIELD_UINT] = "unsigned", [QS_FIELD_SINT] = "signed", [QS_FIELD_FIXED] = "fixed", [QS_FIELD_FLOAT] = "float",
	[QS_FIELD_ENUM] = "enum", [QS_FIELD_BOOL] = "bool", [QS_FIELD_ADDRESS] = "address",
};

static void bit_range(unsigned lsb, unsigned count, char text[16])
{
	if (count == 1)
		snprintf(text, 16, "%u", lsb);
	else
		snprintf(text, 16, "%u:%u", lsb + count - 1, lsb);
}

/* The layout as two lines of cells, highest bit first; continued on further lines where it is wide. */
static void write_layout(const struct qs_register *reg)
{
	char head[256] = "", names[256] = "";

	printf("\n```\n");
	for (unsigned top = reg->width; top > 0;) {
		const char *name = "-";
		unsigned lsb = top - 1;
		for (unsigned f = 0; f < reg->field_count; f++)
			if (reg->fields[f].lsb + reg->fields[f].bits == top) {
				name = reg->fields[f].name;
				lsb = reg->fields[f].lsb;
			}
		if (*name == '-') /* a run of unused bits */
			while (lsb > 0 && (reg->unused >> (lsb - 1) & 1))
				lsb--;
		char range[16];
		bit_range(lsb, top - lsb, range);
		size_t width = strlen(name) > strlen(range) ? strlen(name) : strlen(range);
		if (strlen(head) + width + 3 > LAYOUT_COLUMNS) {
			printf("%s|\n%s|\n\n", head, names);
			*head = *names = 0;
		}
		snprintf(head + strlen(head), sizeof head - strlen(head), "| %-*s ", (int)width, range);
		snprintf(names + strlen(names), sizeof names - strlen(names), "| %-*s ", (int)width, name);
		top = lsb;
	}
	printf("%s|\n%s|\n```\n", head, names);
}

static void write_field(const struct qs_field *field)
{
	char range[16];

	bit_range(field->lsb, field->bits, range);
	printf("| %s | `%s` | %s", range, field->name, kind_names[field->kind]);
	if (field->kind == QS_FIELD_FIXED)
		printf(" %s%u.%d", field->is_signed ? "s" : "u", (unsigned)(field->bits - field->is_signed - field->fraction),
			field->fraction);
	else if (field->kind == QS_FIELD_ADDRESS && field->fraction)
		printf(" << %d", field->fraction);
	printf(" | %s", field->text);
	for (const struct qs_enum_value *v = field->values; v && v->name; v++)
		printf(v->value > 99 ? "%s 0x%x `%s`" : "%s %u `%s`", v == field->values ? " Values:" : ",", v->value, v->name);
	printf("%s |\n", field->values ? "." : "");
}

/* Registers of the layout that follow each other are one line. */
static void write_addresses(const struct registers_unit *unit, const struct qs_register *reg)
{
	int digits = reg->unit == QS_UNIT_XF ? 4 : 2;

	for (uint32_t i = 0; i < unit->count; i++) {
		const struct qs_register *first = &unit->registers[i], *last = first;
		if (first->fields != reg->fields)
			continue;
		while (i + 1 < unit->count && unit->registers[i + 1].fields == reg->fields)
			last = &unit->registers[++i];
		if (first == last)
			printf("`%0*X` **%s**  \n", digits, first->address, first->name);
		else
			printf("`%0*X`-`%0*X` **%s** ... **%s**  \n", digits, first->address, digits, last->address, first->name, last->name);
	}
}

static void write_unit(unsigned u)
{
	const struct registers_unit *unit = &registers_units[u];

	printf("\n## %s\n\n%s In expressions and scripts: `%s.NAME.field`.\n", unit_titles[u], unit_texts[u], unit->name);
	for (uint32_t i = 0; i < unit->count; i++) {
		const struct qs_register *reg = &unit->registers[i];
		uint32_t earlier = 0;
		while (unit->registers[earlier].fields != reg->fields)
			earlier++;
		if (earlier != i)
			continue; /* its layout is written already */
		printf("\n### %s\n\n", reg->name);
		write_addresses(unit, reg);
		printf("\n%s%s\n", reg->text, reg->acts ? " Writing it acts." : "");
		if (reg->reset)
			printf("Reset value 0x%X.\n", reg->reset);
		write_layout(reg);
		printf("\n| bits | field | kind | meaning |\n|---|---|---|---|\n");
		for (unsigned f = 0; f < reg->field_count; f++)
			write_field(&reg->fields[f]);
		printf("\nGroup %s. Source: %s.\n", reg->group, reg->source);
	}
}

static int write_docs(void)
{
	printf("<!-- Made by `make docs` from src/gx/registers.def; changes belong there. -->\n"
		"# Registers\n\n"
		"Every register of the Flipper that a capture can hold, with every field. Bit 0 is the lowest; `-` is a bit without a\n"
		"meaning. Names are those that `qscope`, the inspector, expressions and Lua take; case does not matter. Sources name\n"
		"the documents of the hardware description. Kinds: *signed* is two's complement; *fixed* u4.8 has 4 integer and 8\n"
		"fraction bits, s has a sign besides; *float* shorter than 32 bits is the upper part of an IEEE single; *address* is\n"
		"shown shifted, as a byte address.\n");
	for (unsigned u = 0; u < QS_UNIT_COUNT; u++)
		write_unit(u);
	return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "index"))
		return write_index();
	if (argc == 2 && !strcmp(argv[1], "docs"))
		return write_docs();
	fprintf(stderr, "usage: mkregs index|docs\n");
	return EXIT_FAILURE;
}
