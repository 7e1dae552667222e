/* names.c - nearest match for a mistyped name, and register names
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

/* Edits (insert, delete, replace, swap of neighbours) between two names, case ignored; names beyond 47 bytes count as far. */
static unsigned edit_distance(const char *a, const char *b)
{
	enum { LONGEST = 48 };
	unsigned row[3][LONGEST];
	size_t m = strlen(a), n = strlen(b);

	if (m >= LONGEST || n >= LONGEST)
		return LONGEST;
	for (size_t j = 0; j <= n; j++)
		row[0][j] = (unsigned)j;
	for (size_t i = 1; i <= m; i++) {
		unsigned *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];

		now[0] = (unsigned)i;
		for (size_t j = 1; j <= n; j++) {
			char x = g_ascii_tolower(a[i - 1]), y = g_ascii_tolower(b[j - 1]);
			unsigned best = last[j - 1] + (x != y);

			best = MIN(best, last[j] + 1);
			best = MIN(best, now[j - 1] + 1);
			if (i > 1 && j > 1 && x == g_ascii_tolower(b[j - 2]) && g_ascii_tolower(a[i - 2]) == y)
				best = MIN(best, before[j - 2] + 1);
			now[j] = best;
		}
	}
	return row[m % 3][n];
}

void cli_nearest_begin(struct cli_nearest *nearest, const char *text)
{
	size_t length = strlen(text);

	nearest->text = text;
	nearest->name = NULL;
	/* One slip in a short word, up to a third of a long one: more would be guessing. */
	nearest->distance = length <= 3 ? 2 : (unsigned)(length / 3) + 2;
}

void cli_nearest_offer(struct cli_nearest *nearest, const char *name)
{
	unsigned distance = edit_distance(nearest->text, name);
	size_t length = strlen(nearest->text);

	if (length >= 2 && g_ascii_strncasecmp(nearest->text, name, length) == 0)
		distance = MIN(distance, 1); /* an abbreviation counts as one slip */
	if (distance < nearest->distance) {
		nearest->distance = distance;
		nearest->name = name;
	}
}

const char *cli_nearest_hint(const struct cli_nearest *nearest, char *buffer, size_t size)
{
	if (!nearest->name)
		return "";
	g_snprintf(buffer, size, "; did you mean '%s'?", nearest->name);
	return buffer;
}

/* ---- registers ---------------------------------------------------------------------------------------------------------- */

static bool parse_unit(const char *name, enum qs_unit *unit, struct qs_error *error)
{
	struct cli_nearest nearest;
	char hint[64];

	if (qs_unit_parse(name, unit))
		return true;
	cli_nearest_begin(&nearest, name);
	for (unsigned i = 0; i < QS_UNIT_COUNT; i++)
		cli_nearest_offer(&nearest, qs_unit_name((enum qs_unit)i));
	qs_error_set(error, QS_ERR_RANGE, 0, "There is no unit '%s' (the units are bp, cp, xf and pe)%s", name,
		cli_nearest_hint(&nearest, hint, sizeof hint));
	return false;
}

static bool parse_register(const char *name, struct cli_register *found, struct qs_error *error)
{
	struct cli_nearest nearest;
	char hint[96], *end;
	unsigned long address;

	found->reg = qs_register_by_name(found->unit, name);
	if (found->reg)
		return true;
	address = strtoul(name, &end, 0);
	if (g_ascii_isdigit(name[0]) && !*end) {
		found->reg = qs_register_find(found->unit, (uint32_t)address);
		if (found->reg)
			return true;
		qs_error_set(error, QS_ERR_RANGE, 0, "No register has address 0x%02lx in unit %s.", address,
			qs_unit_name(found->unit));
		return false;
	}
	cli_nearest_begin(&nearest, name);
	for (uint32_t i = 0; i < qs_register_count(found->unit); i++)
		cli_nearest_offer(&nearest, qs_register_at(found->unit, i)->name);
	qs_error_set(error, QS_ERR_RANGE, 0, "Unit %s has no register '%s'%s", qs_unit_name(found->unit), name,
		nearest.name ? cli_nearest_hint(&nearest, hint, sizeof hint) : " ('qscope regs' lists them).");
	return false;
}

static bool parse_field(const char *name, struct cli_register *found, struct qs_error *error)
{
	struct cli_nearest nearest;
	GString *all;
	char hint[96];

	found->field = qs_field_by_name(found->reg, name);
	if (found->field)
		return true;
	cli_nearest_begin(&nearest, name);
	all = g_string_new(NULL);
	for (unsigned i = 0; i < found->reg->field_count; i++) {
		cli_nearest_offer(&nearest, found->reg->fields[i].name);
		g_string_append_printf(all, "%s%s", i ? ", " : "", found->reg->fields[i].name);
	}
	qs_error_set(error, QS_ERR_RANGE, 0, "Register %s.%s has no field '%s' (fields: %s)%s", qs_unit_name(found->unit),
		found->reg->name, name, all->str, cli_nearest_hint(&nearest, hint, sizeof hint));
	g_string_free(all, TRUE);
	return false;
}

bool cli_register_parse(const char *text, struct cli_register *found, struct qs_error *error)
{
	char **part = g_strsplit(text, ".", 3);
	bool good = false;

	memset(found, 0, sizeof *found);
	if (!part[0] || !*part[0]) {
		qs_error_set(error, QS_ERR_RANGE, 0, "A register name is missing; write UNIT.NAME or UNIT.NAME.FIELD.");
	} else if (!part[1] && !qs_unit_parse(part[0], &found->unit)) {
		/* a bare register name is looked for in all units */
		for (unsigned i = 0; i < QS_UNIT_COUNT && !found->reg; i++) {
			found->unit = (enum qs_unit)i;
			found->reg = qs_register_by_name(found->unit, part[0]);
		}
		if (found->reg) {
			good = true;
		} else {
			struct cli_nearest nearest;
			char hint[96];

			cli_nearest_begin(&nearest, part[0]);
			for (unsigned u = 0; u < QS_UNIT_COUNT; u++) {
				cli_nearest_offer(&nearest, qs_unit_name((enum qs_unit)u));
				for (uint32_t i = 0; i < qs_register_count((enum qs_unit)u); i++)
					cli_nearest_offer(&nearest, qs_register_at((enum qs_unit)u, i)->name);
			}
			qs_error_set(error, QS_ERR_RANGE, 0, "There is no unit or register '%s'%s", part[0],
				nearest.name ? cli_nearest_hint(&nearest, hint, sizeof hint) : " ('qscope regs' lists them).");
		}
	} else {
		good = parse_unit(part[0], &found->unit, error) && (!part[1] || parse_register(part[1], found, error)) &&
		       (!part[1] || !part[2] || parse_field(part[2], found, error));
	}
	g_strfreev(part);
	return good;
}
