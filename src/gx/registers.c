/* registers.c - lookup, access and text of registers and fields
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bits.h"
#include "gx/registers_index.h"
#include "gx/registers_table.h"

static const struct {
	const uint16_t *order; /* positions of the registers in the order of their names */
	uint32_t count;
} by_name[QS_UNIT_COUNT] = {
	[QS_UNIT_BP] = {registers_bp_by_name, sizeof registers_bp_by_name / sizeof *registers_bp_by_name},
	[QS_UNIT_CP] = {registers_cp_by_name, sizeof registers_cp_by_name / sizeof *registers_cp_by_name},
	[QS_UNIT_XF] = {registers_xf_by_name, sizeof registers_xf_by_name / sizeof *registers_xf_by_name},
	[QS_UNIT_PE] = {registers_pe_by_name, sizeof registers_pe_by_name / sizeof *registers_pe_by_name},
};

static int lower(char c)
{
	return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c;
}

/* strcasecmp follows the locale; names must not. */
static int compare_names(const char *a, const char *b)
{
	while (*a && lower(*a) == lower(*b)) {
		a++;
		b++;
	}
	return lower(*a) - lower(*b);
}

const char *qs_unit_name(enum qs_unit unit)
{
	return (unsigned)unit < QS_UNIT_COUNT ? registers_units[unit].name : "?";
}

bool qs_unit_parse(const char *name, enum qs_unit *unit)
{
	for (unsigned i = 0; i < QS_UNIT_COUNT; i++)
		if (!compare_names(name, registers_units[i].name)) {
			*unit = (enum qs_unit)i;
			return true;
		}
	return false;
}

uint32_t qs_register_count(enum qs_unit unit)
{
	return (unsigned)unit < QS_UNIT_COUNT ? registers_units[unit].count : 0;
}

const struct qs_register *qs_register_at(enum qs_unit unit, uint32_t index)
{
	return index < qs_register_count(unit) ? &registers_units[unit].registers[index] : NULL;
}

const struct qs_register *qs_register_find(enum qs_unit unit, uint32_t address)
{
	uint32_t low = 0, high = qs_register_count(unit);

	while (low < high) {
		uint32_t middle = (low + high) / 2;
		const struct qs_register *reg = &registers_units[unit].registers[middle];
		if (reg->address == address)
			return reg;
		if (reg->address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

const struct qs_register *qs_register_by_name(enum qs_unit unit, const char *name)
{
	uint32_t low = 0, high = (unsigned)unit < QS_UNIT_COUNT ? by_name[unit].count : 0;

	while (low < high) {
		uint32_t middle = (low + high) / 2;
		const struct qs_register *reg = qs_register_at(unit, by_name[unit].order[middle]);
		int order = reg ? compare_names(reg->name, name) : 1;
		if (!order)
			return reg;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

const struct qs_field *qs_field_by_name(const struct qs_register *reg, const char *name)
{
	for (unsigned i = 0; i < reg->field_count; i++)
		if (!compare_names(reg->fields[i].name, name))
			return &reg->fields[i];
	return NULL;
}

uint32_t qs_field_raw(const struct qs_field *field, uint32_t value)
{
	return bits(value, field->lsb, field->bits);
}

static float top_bits_float(uint32_t raw, unsigned count)
{
	union {
		uint32_t u;
		float f;
	} word = {.u = raw << (32 - count)};
	return word.f;
}

double qs_field_number(const struct qs_field *field, uint32_t value)
{
	uint32_t raw = qs_field_raw(field, value);

	switch ((enum qs_field_kind)field->kind) {
	case QS_FIELD_SINT:
		return bits_sign(raw, field->bits);
	case QS_FIELD_FIXED:
		return (field->is_signed ? (double)bits_sign(raw, field->bits) : (double)raw) / (double)(1u << field->fraction);
	case QS_FIELD_FLOAT:
		return (double)top_bits_float(raw, field->bits);
	case QS_FIELD_ADDRESS:
		return (double)((uint64_t)raw << field->fraction);
	case QS_FIELD_UINT:
	case QS_FIELD_ENUM:
	case QS_FIELD_BOOL:
		break;
	}
	return raw;
}

/* The shortest decimal that reads back as the same float; a point whatever the locale says. */
static void format_number(double number, bool single, char *buffer, size_t size)
{
	char text[40];

	for (int digits = 6; digits <= 17; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, number);
		double back = strtod(text, NULL);
		if ((single ? (double)(float)back : back) == number || number != number)
			break;
	}
	char *comma = strchr(text, ',');
	if (comma)
		*comma = '.';
	snprintf(buffer, size, "%s", text);
}

char *qs_field_format(const struct qs_field *field, uint32_t value, char *buffer, size_t size)
{
	uint32_t raw = qs_field_raw(field, value);

	switch ((enum qs_field_kind)field->kind) {
	case QS_FIELD_SINT:
		snprintf(buffer, size, "%d", (int)bits_sign(raw, field->bits));
		return buffer;
	case QS_FIELD_FIXED:
		format_number(qs_field_number(field, value), false, buffer, size);
		return buffer;
	case QS_FIELD_FLOAT:
		format_number(qs_field_number(field, value), true, buffer, size);
		return buffer;
	case QS_FIELD_ADDRESS:
		snprintf(buffer, size, "0x%08llx", (unsigned long long)raw << field->fraction);
		return buffer;
	case QS_FIELD_ENUM:
		for (const struct qs_enum_value *v = field->values; v && v->name; v++)
			if (v->value == raw) {
				snprintf(buffer, size, "%u (%s)", raw, v->name);
				return buffer;
			}
		break;
	case QS_FIELD_UINT:
	case QS_FIELD_BOOL:
		break;
	}
	/* wide unsigned fields are masks, depths and codes: hex */
	if (field->bits > 16)
		snprintf(buffer, size, "0x%0*x", (field->bits + 3) / 4, raw);
	else
		snprintf(buffer, size, "%u", raw);
	return buffer;
}

char *qs_register_format(const struct qs_register *reg, uint32_t value, char *buffer, size_t size)
{
	size_t used = 0;
	char text[80];

	if (size)
		*buffer = 0;
	for (unsigned i = 0; i <= reg->field_count && used < size; i++) {
		int n = 0;
		if (i < reg->field_count) {
			if (qs_field_raw(&reg->fields[i], value))
				n = snprintf(buffer + used, size - used, "%s%s %s", used ? "  " : "", reg->fields[i].name,
					qs_field_format(&reg->fields[i], value, text, sizeof text));
		} else if (value & reg->unused) {
			n = snprintf(buffer + used, size - used, "%sunused bits 0x%x", used ? "  " : "", value & reg->unused);
		}
		used += n > 0 ? (size_t)n : 0;
	}
	return buffer;
}
