/* registers_table.h - the tables that registers.def becomes
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef GX_REGISTERS_TABLE_H
#define GX_REGISTERS_TABLE_H

#include "quadscope.h"

struct registers_unit {
	const char *name;
	const struct qs_register *registers; /* in address order */
	uint32_t count;
};

extern const struct registers_unit registers_units[QS_UNIT_COUNT];

#endif
