/* qs_register.h - registers of the Flipper machine and their fields
 *
 * Part of quadscope.h, which programs include.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QS_REGISTER_H
#define QS_REGISTER_H

#include "qs_base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum qs_unit { QS_UNIT_BP, QS_UNIT_CP, QS_UNIT_XF, QS_UNIT_PE, QS_UNIT_COUNT };

enum qs_field_kind { QS_FIELD_UINT, QS_FIELD_SINT, QS_FIELD_FIXED, QS_FIELD_FLOAT, QS_FIELD_ENUM, QS_FIELD_BOOL, QS_FIELD_ADDRESS };

struct qs_enum_value {
	uint32_t value;
	const char *name;
};

struct qs_field {
	const char *name; /* lower case, unique in its register: "ntev" */
	uint8_t lsb, bits;
	uint8_t kind;         /* enum qs_field_kind; a FLOAT shorter than 32 bits is the upper part of an IEEE single */
	int8_t fraction;      /* FIXED: fraction bits; ADDRESS: left shift that gives the byte address */
	bool is_signed;       /* FIXED: two's complement */
	const struct qs_enum_value *values; /* ENUM: ends with name NULL; else NULL */
	const char *text;     /* one sentence */
};

/* BP addresses 0x100-0x107 are the konst bank of 0xE0-0xE7 (written with bit 23 set).  XF addresses include the memory
 * (0x0000-0x0FFF) and the registers (0x1000-0x1057).  PE addresses are byte offsets of the CPU-visible 16-bit registers. */
struct qs_register {
	uint8_t unit;     /* enum qs_unit */
	uint16_t address;
	const char *name; /* "GEN_MODE" */
	const char *group; /* "GEN", "SU", "RAS1", "TX", "TEV", "PE", "CP", "XF ..." */
	uint8_t width;    /* bits: 24 BP, 32 CP and XF, 16 PE */
	bool acts;        /* writing it does something (copy, load, token) */
	uint32_t reset;
	const struct qs_field *fields;
	uint16_t field_count;
	const char *text;
	const char *source; /* document and section of the specification */
	uint32_t unused;    /* bits that mean nothing: never part of a field */
};

const char *qs_unit_name(enum qs_unit unit); /* "bp" */
bool qs_unit_parse(const char *name, enum qs_unit *unit);
uint32_t qs_register_count(enum qs_unit unit);
const struct qs_register *qs_register_at(enum qs_unit unit, uint32_t index); /* in address order */
const struct qs_register *qs_register_find(enum qs_unit unit, uint32_t address); /* NULL: unused address */
const struct qs_register *qs_register_by_name(enum qs_unit unit, const char *name); /* case does not matter */
const struct qs_field *qs_field_by_name(const struct qs_register *reg, const char *name);
uint32_t qs_field_raw(const struct qs_field *field, uint32_t value);
double qs_field_number(const struct qs_field *field, uint32_t value); /* signed, fixed, float, address applied */
/* "3 (lequal)", "-1.25", "0x00600000"; returns buffer */
char *qs_field_format(const struct qs_field *field, uint32_t value, char *buffer, size_t size);
/* All fields on one line, zero fields left out. */
char *qs_register_format(const struct qs_register *reg, uint32_t value, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif

#endif
