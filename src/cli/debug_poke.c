/* debug_poke.c - the processor's window on the EFB in the debugger
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "cli/debug.h"

static bool place(const char *text, struct qs_access *access)
{
	unsigned x, y;
	char end;

	if (sscanf(text, "%u,%u%c", &x, &y, &end) != 2 || x > UINT16_MAX || y > UINT16_MAX)
		return false;
	access->x = (uint16_t)x;
	access->y = (uint16_t)y;
	return true;
}

static bool number(const char *text, uint32_t *value)
{
	char *end;
	guint64 n = g_ascii_strtoull(text, &end, 0);

	*value = (uint32_t)n;
	return *text && !*end && n <= UINT32_MAX;
}

DEBUG_RUN(debug_peek)
{
	bool z = word[0] && strcmp(word[0], "z") == 0;
	const char *at = word[z ? 1 : 0];
	struct qs_access a = {0};
	uint32_t value;

	(void)rest;
	if (!at || !place(at, &a))
		return debug_fail(error, "'peek' needs a pixel, for example peek 320,240 or peek z 320,240.");
	if (!qs_timeline_peek(dbg->session.timeline, z ? QS_ACCESS_DEPTH : QS_ACCESS_COLOUR, a.x, a.y, &value, error))
		return false;
	printf(z ? "0x%06x\n" : "0x%08x\n", value);
	return true;
}

static bool take_back(struct debugger *dbg, const char *text, struct qs_error *error)
{
	uint32_t id;

	if (!text || !number(text, &id) || !qs_timeline_access_remove(dbg->session.timeline, id))
		return debug_fail(error, "There is no poke number '%s'.", text ? text : "");
	printf("poke %u taken back\n", id);
	return true;
}

static bool parse(char **word, struct qs_access *a)
{
	bool z = word[0] && strcmp(word[0], "z") == 0;
	const struct qs_register *reg = word[0] ? qs_register_by_name(QS_UNIT_PE, word[0]) : NULL;
	const char *value = word[0] ? word[z ? 2 : 1] : NULL;

	a->kind = reg ? QS_ACCESS_REGISTER : z ? QS_ACCESS_DEPTH : QS_ACCESS_COLOUR;
	if (!value || !number(value, &a->value))
		return false;
	if (reg)
		a->x = reg->address;
	return reg || place(word[z ? 1 : 0], a);
}

DEBUG_RUN(debug_poke)
{
	const struct qs_moment *moment = qs_timeline_moment(dbg->session.timeline);
	struct qs_access a = {.command = moment->level == QS_LEVEL_START ? QS_NONE : moment->command};
	uint32_t id;

	(void)rest;
	if (word[0] && strcmp(word[0], "off") == 0)
		return take_back(dbg, word[1], error);
	if (!word[0] || (strcmp(word[0], "z") == 0 && !word[1]) || !parse(word, &a))
		return debug_fail(error, "'poke' needs a pixel and a value, for example poke 10,20 0xffff0000.");
	if (moment->level > QS_LEVEL_DRAW)
		return debug_fail(error, "A poke comes between commands, and this moment is inside a draw; go to the draw or a command.");
	id = qs_timeline_access_add(dbg->session.timeline, &a, error);
	if (!id)
		return false;
	printf("poke %u\n", id);
	return true;
}
