/* cmd_regs.c - qscope regs: the register reference, from the table
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "cli/views.h"

static const struct cli_option options[] = {
	{"grep", 'g', "TEXT", "only registers with TEXT in the name, a field name or a sentence"},
	{"quirks", 'q', NULL, "list the quirks of the models instead"},
	CLI_JSON, CLI_END,
};

static const char *kind_name(unsigned kind)
{
	static const char *const name[] = {"uint", "sint", "fixed", "float", "enum", "bool", "address"};

	return kind < G_N_ELEMENTS(name) ? name[kind] : "?";
}

static void address_text(const struct qs_register *reg, char buffer[16])
{
	g_snprintf(buffer, 16, reg->unit == QS_UNIT_XF ? "0x%04x" : "0x%02x", reg->address);
}

static void kind_text(const struct qs_field *field, char buffer[48])
{
	if (field->kind == QS_FIELD_FIXED)
		g_snprintf(buffer, 48, "%s %u.%d", field->is_signed ? "signed fixed" : "fixed", field->bits - (unsigned)field->fraction,
			field->fraction);
	else if (field->kind == QS_FIELD_ADDRESS && field->fraction)
		g_snprintf(buffer, 48, "address << %d", field->fraction);
	else
		g_strlcpy(buffer, kind_name(field->kind), 48);
}

static void print_field(const struct qs_field *field)
{
	char kind[48], bits[16];

	kind_text(field, kind);
	if (field->bits == 1)
		g_snprintf(bits, sizeof bits, "[%u]", field->lsb);
	else
		g_snprintf(bits, sizeof bits, "[%u:%u]", field->lsb + field->bits - 1, field->lsb);
	printf("  %-8s %-16s %-14s %s\n", bits, field->name, kind, field->text ? field->text : "");
	if (!field->values)
		return;
	for (const struct qs_enum_value *value = field->values; value->name; value++)
		printf("  %-8s %-16s %14u  %s\n", "", "", value->value, value->name);
}

static void print_full(const struct qs_register *reg, const struct qs_field *only)
{
	char address[16];

	address_text(reg, address);
	printf("%s.%s  address %s, %u bits, group %s%s\n", qs_unit_name(reg->unit), reg->name, address, reg->width, reg->group,
		reg->acts ? ", writing it acts" : "");
	if (reg->text)
		printf("  %s\n", reg->text);
	if (reg->source)
		printf("  source: %s\n", reg->source);
	printf("  reset 0x%0*x\n", (reg->width + 3) / 4, reg->reset);
	for (unsigned i = 0; i < reg->field_count; i++)
		if (!only || only == &reg->fields[i])
			print_field(&reg->fields[i]);
}

static bool contains(const char *text, const char *folded)
{
	char *lower;
	bool found;

	if (!text)
		return false;
	lower = g_utf8_casefold(text, -1);
	found = strstr(lower, folded) != NULL;
	g_free(lower);
	return found;
}

static bool register_matches(const struct qs_register *reg, const char *folded)
{
	if (!folded || contains(reg->name, folded) || contains(reg->text, folded))
		return true;
	for (unsigned i = 0; i < reg->field_count; i++)
		if (contains(reg->fields[i].name, folded) || contains(reg->fields[i].text, folded))
			return true;
	return false;
}

/* XF memory and the like: registers that follow each other and differ only in the numbers of their names. */
static bool alike(const struct qs_register *a, const struct qs_register *b)
{
	const char *x = a->name, *y = b->name;

	if (b->fields != a->fields || strcmp(a->group, b->group) != 0)
		return false;
	while (*x || *y) {
		if (g_ascii_isdigit(*x) && g_ascii_isdigit(*y)) {
			while (g_ascii_isdigit(*x))
				x++;
			while (g_ascii_isdigit(*y))
				y++;
		} else if (*x++ != *y++) {
			return false;
		}
	}
	return true;
}

static void overview_row(struct cli_table *table, const struct qs_register *reg, const struct qs_register *last)
{
	char address[16], end[16];
	GString *fields = g_string_new(NULL);

	address_text(reg, address);
	address_text(last, end);
	for (unsigned i = 0; i < reg->field_count; i++)
		g_string_append_printf(fields, "%s%s", i ? " " : "", reg->fields[i].name);
	cli_table_cell(table, "%s", qs_unit_name(reg->unit));
	cli_table_cell(table, "%s%s%s", address, last == reg ? "" : "-", last == reg ? "" : end);
	cli_table_cell(table, "%s%s%s", reg->name, last == reg ? "" : " ... ", last == reg ? "" : last->name);
	cli_table_cell(table, "%s", fields->str);
	g_string_free(fields, TRUE);
}

static void json_field(struct cli_json *json, const struct qs_field *field)
{
	json_row(json, NULL);
	json_string(json, "name", field->name);
	json_uint(json, "lsb", field->lsb);
	json_uint(json, "bits", field->bits);
	json_string(json, "kind", kind_name(field->kind));
	if (field->kind == QS_FIELD_FIXED || field->kind == QS_FIELD_ADDRESS)
		json_int(json, field->kind == QS_FIELD_FIXED ? "fraction" : "shift", field->fraction);
	if (field->kind == QS_FIELD_FIXED)
		json_bool(json, "signed", field->is_signed);
	if (field->values) {
		json_array(json, "values");
		for (const struct qs_enum_value *value = field->values; value->name; value++) {
			json_object(json, NULL);
			json_uint(json, "value", value->value);
			json_string(json, "name", value->name);
			json_object_end(json);
		}
		json_array_end(json);
	}
	json_string(json, "text", field->text);
	json_object_end(json);
}

static void json_register(struct cli_json *json, const struct qs_register *reg, const struct qs_field *only)
{
	json_object(json, NULL);
	json_string(json, "unit", qs_unit_name(reg->unit));
	json_uint(json, "address", reg->address);
	json_string(json, "name", reg->name);
	json_string(json, "group", reg->group);
	json_uint(json, "width", reg->width);
	json_bool(json, "acts", reg->acts);
	json_uint(json, "reset", reg->reset);
	json_string(json, "text", reg->text);
	json_string(json, "source", reg->source);
	json_array(json, "fields");
	for (unsigned i = 0; i < reg->field_count; i++)
		if (!only || only == &reg->fields[i])
			json_field(json, &reg->fields[i]);
	json_array_end(json);
	json_object_end(json);
}

/* The row of register i and the run that it begins; returns the index of the run's last register. */
static uint32_t overview(struct cli_table *table, enum qs_unit unit, uint32_t i, const char *folded)
{
	const struct qs_register *first = qs_register_at(unit, i), *last = first;

	while (!folded && i + 1 < qs_register_count(unit) && alike(first, qs_register_at(unit, i + 1)) &&
		qs_register_at(unit, i + 1)->address == last->address + (unit == QS_UNIT_PE ? 2 : 1))
		last = qs_register_at(unit, ++i);
	overview_row(table, first, last);
	return i;
}

/* Every register of the wanted units that matches. */
static uint32_t each(const struct cli_register *wanted, const char *folded, struct cli_table *table, struct cli_json *json)
{
	uint32_t count = 0;

	for (unsigned u = 0; u < QS_UNIT_COUNT; u++) {
		if (!wanted->any_unit && u != wanted->unit)
			continue;
		for (uint32_t i = 0; i < qs_register_count((enum qs_unit)u); i++) {
			const struct qs_register *reg = qs_register_at((enum qs_unit)u, i);

			if ((wanted->reg && wanted->reg != reg) || !register_matches(reg, folded))
				continue;
			count++;
			if (json)
				json_register(json, reg, wanted->field);
			else if (table)
				i = overview(table, (enum qs_unit)u, i, folded);
			else
				print_full(reg, wanted->field);
		}
	}
	return count;
}

static void list_quirks(bool as_json)
{
	struct cli_table *table = NULL;
	struct cli_json json;

	if (as_json) {
		json_begin(&json, stdout);
		json_array(&json, "quirks");
	} else {
		table = cli_table_new("lrrrl");
		cli_table_head(table, "quirk", "hardware", "dolphin", "pureikyubu", "meaning");
	}
	for (uint32_t i = 0; i < qs_quirk_count(); i++) {
		const struct qs_quirk *quirk = qs_quirk_at(i);

		if (as_json) {
			json_row(&json, NULL);
			json_string(&json, "name", quirk->name);
			for (unsigned m = 0; m < QS_MODEL_COUNT; m++)
				json_int(&json, qs_model_name((enum qs_model)m), quirk->value[m]);
			json_string(&json, "text", quirk->text);
			json_object_end(&json);
			continue;
		}
		cli_table_cell(table, "%s", quirk->name);
		for (unsigned m = 0; m < QS_MODEL_COUNT; m++)
			cli_table_cell(table, "%d", quirk->value[m]);
		cli_table_cell(table, "%s", quirk->text);
	}
	if (as_json) {
		json_array_end(&json);
		json_end(&json);
	} else {
		cli_table_print(table, stdout, 0);
	}
}

bool regs_print(const char *name, struct qs_error *error)
{
	struct cli_register wanted = {.any_unit = true};
	struct cli_table *table = NULL;

	if (name && !cli_register_parse(name, &wanted, error))
		return false;
	if (!wanted.reg) {
		table = cli_table_new("llll");
		cli_table_head(table, "unit", "address", "register", "fields");
	}
	each(&wanted, NULL, table, NULL);
	if (table)
		cli_table_print(table, stdout, 0);
	return true;
}

static enum cli_status run(const struct cli_args *args)
{
	const char *name = args->words->len ? args->words->pdata[0] : NULL, *grep = cli_value(args, "grep");
	struct cli_register wanted = {.any_unit = true};
	struct cli_table *table = NULL;
	struct cli_json json;
	struct qs_error error;
	char *folded;
	uint32_t count;

	if (cli_has(args, "quirks")) {
		list_quirks(cli_has(args, "json"));
		return CLI_DONE;
	}
	if (name && !cli_register_parse(name, &wanted, &error))
		return cli_fail_error(&error);
	folded = grep ? g_utf8_casefold(grep, -1) : NULL;
	if (cli_has(args, "json")) {
		json_begin(&json, stdout);
		json_array(&json, "registers");
		count = each(&wanted, folded, NULL, &json);
		json_array_end(&json);
		json_end(&json);
	} else {
		if (!wanted.reg) {
			table = cli_table_new("llll");
			cli_table_head(table, "unit", "address", "register", "fields");
		}
		count = each(&wanted, folded, table, NULL);
		if (table)
			cli_table_print(table, stdout, 0);
	}
	g_free(folded);
	return count ? CLI_DONE : cli_fail("No register matches '%s'.", grep ? grep : "");
}

const struct cli_command cli_cmd_regs = {
	.name = "regs", .arguments = "[UNIT[.NAME[.FIELD]]]", .min_words = 0, .max_words = 1,
	.summary = "show the register reference: units, registers, fields, values",
	.details = "The units are bp, cp, xf and pe. Without a name all registers are listed; a register is shown with every field.\n"
		   "A register can also be given by address: bp.0x40.",
	.examples = "qscope regs bp.GEN_MODE\nqscope regs bp.PE_ZMODE.func\nqscope regs --grep konst\nqscope regs --quirks",
	.options = options, .run = run,
};
