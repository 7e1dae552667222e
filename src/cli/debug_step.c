/* debug_step.c - moving: steps, jumps, the way back
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "cli/debug.h"

static const char *const level_names[] = {
	[QS_LEVEL_START] = "start", [QS_LEVEL_FRAME] = "frame", [QS_LEVEL_COMMAND] = "command", [QS_LEVEL_DRAW] = "draw",
	[QS_LEVEL_PRIMITIVE] = "primitive", [QS_LEVEL_QUAD] = "quad", [QS_LEVEL_FRAGMENT] = "fragment", [QS_LEVEL_STAGE] = "stage",
};

/* Unambiguous beginnings: f is not one (frame, fragment), fra neither. */
bool debug_level(const char *text, enum qs_level *level)
{
	size_t length = strlen(text);
	unsigned found = 0;

	for (unsigned i = QS_LEVEL_FRAME; i <= QS_LEVEL_STAGE; i++) {
		if (length == 0 || g_ascii_strncasecmp(level_names[i], text, length) != 0)
			continue;
		*level = (enum qs_level)i;
		if (!level_names[i][length])
			return true;
		found++;
	}
	return found == 1;
}

static bool level_argument(char ***word, enum qs_level *level, struct qs_error *error)
{
	struct cli_nearest nearest;
	char hint[64];

	if (!**word || g_ascii_isdigit(***word))
		return true;
	if (debug_level(**word, level)) {
		++*word;
		return true;
	}
	cli_nearest_begin(&nearest, **word);
	for (unsigned i = QS_LEVEL_FRAME; i <= QS_LEVEL_STAGE; i++)
		cli_nearest_offer(&nearest, level_names[i]);
	return debug_fail(error, "There is no level '%s' (frame, command, draw, primitive, quad, fragment, stage)%s", **word,
		cli_nearest_hint(&nearest, hint, sizeof hint));
}

/* The level a bare 'next' works on: that of the moment, draws where nothing finer is meant. */
static enum qs_level current_level(const struct debugger *dbg)
{
	enum qs_level level = qs_timeline_moment(dbg->session.timeline)->level;

	return level <= QS_LEVEL_FRAME ? QS_LEVEL_DRAW : level;
}

static bool step(struct debugger *dbg, char **word, int direction, struct qs_error *error)
{
	enum qs_level level = current_level(dbg);
	int64_t count = 1;
	int made;

	if (!level_argument(&word, &level, error))
		return false;
	if (word[0] && !debug_number(word[0], "The number of steps", 1, INT32_MAX, &count, error))
		return false;
	if (word[0] && word[1])
		return debug_fail(error, "'%s' is one word too many.", word[1]);
	error->code = QS_OK;
	made = qs_timeline_step(dbg->session.timeline, level, direction * (int)count, error);
	if (made == 0 && error->code != QS_OK)
		return false;
	if (made == 0)
		return debug_fail(error, "There is no %s %s.", direction > 0 ? "next" : "previous", level_names[level]);
	debug_arrived(dbg);
	if (made != direction * count)
		printf("(%d of %d steps: no more %ss)\n", made * direction, (int)count, level_names[level]);
	return true;
}

DEBUG_RUN(debug_next)
{
	(void)rest;
	return step(dbg, word, 1, error);
}

DEBUG_RUN(debug_previous)
{
	(void)rest;
	return step(dbg, word, -1, error);
}

static bool seek(struct debugger *dbg, const struct qs_moment *moment, struct qs_error *error)
{
	if (!qs_timeline_seek(dbg->session.timeline, moment, error))
		return false;
	debug_arrived(dbg);
	return true;
}

/* Text of the first thing inside: "/0" after the text of the moment. */
DEBUG_RUN(debug_in)
{
	const struct qs_moment *here = qs_timeline_moment(dbg->session.timeline);
	struct qs_moment moment;
	char text[96];

	(void)word;
	(void)rest;
	if (here->level == QS_LEVEL_STAGE)
		return debug_fail(error, "There is nothing inside a stage.");
	if (here->level == QS_LEVEL_COMMAND)
		return debug_fail(error, "There is nothing inside this command; 'next draw' goes to the next draw.");
	if (here->level == QS_LEVEL_START)
		g_strlcpy(text, "1/0", sizeof text);
	else
		g_strlcat(qs_moment_format(dbg->session.capture, here, text, sizeof text), "/0", sizeof text);
	if (here->level == QS_LEVEL_QUAD) {
		/* the first covered one */
		for (unsigned i = 0; i < 4; i++) {
			text[strlen(text) - 1] = (char)('0' + i);
			if (qs_moment_parse(dbg->session.capture, text, &moment, error) && qs_timeline_seek(dbg->session.timeline, &moment, error)) {
				debug_arrived(dbg);
				return true;
			}
		}
		return false;
	}
	return qs_moment_parse(dbg->session.capture, text, &moment, error) && seek(dbg, &moment, error);
}

static void coarser(struct qs_moment *moment, enum qs_level level)
{
	moment->level = level;
	if (level < QS_LEVEL_STAGE)
		moment->stage = 0;
	if (level < QS_LEVEL_FRAGMENT)
		moment->fragment = 0;
	if (level < QS_LEVEL_QUAD)
		moment->quad = 0;
	if (level < QS_LEVEL_PRIMITIVE)
		moment->primitive = 0;
}

DEBUG_RUN(debug_finish)
{
	struct qs_moment moment = *qs_timeline_moment(dbg->session.timeline);
	enum qs_level level = moment.level > QS_LEVEL_DRAW ? QS_LEVEL_DRAW : QS_LEVEL_FRAME;
	char text[16];

	(void)rest;
	if (!level_argument(&word, &level, error))
		return false;
	if (moment.level == QS_LEVEL_START)
		return debug_fail(error, "The capture has not begun; 'next' steps into it.");
	if (level >= moment.level)
		return debug_fail(error, "The moment is not inside a %s.", level_names[level]);
	if (level == QS_LEVEL_FRAME) {
		g_snprintf(text, sizeof text, "%u", moment.frame);
		return qs_moment_parse(dbg->session.capture, text, &moment, error) && seek(dbg, &moment, error);
	}
	if (level == QS_LEVEL_COMMAND)
		level = QS_LEVEL_DRAW;
	coarser(&moment, level);
	return seek(dbg, &moment, error);
}

/* ---- jumps -------------------------------------------------------------------------------------------------------------- */

/* The fragment that covers the pixel in the current draw, else the one that wrote it last. */
static bool goto_pixel(struct debugger *dbg, const char *text, struct qs_error *error)
{
	struct qs_moment moment;
	int x, y;

	if (!text)
		return debug_fail(error, "'goto pixel' needs X,Y.");
	if (!debug_point(text, &x, &y, error))
		return false;
	if (!qs_timeline_find_fragment(dbg->session.timeline, x, y, false, &moment, error) &&
		!qs_timeline_find_fragment(dbg->session.timeline, x, y, true, &moment, error))
		return false;
	return seek(dbg, &moment, error);
}

static bool goto_touching(struct debugger *dbg, char **word, int direction, struct qs_error *error)
{
	int x, y;

	if (!word[0] || strcmp(word[0], "pixel") != 0 || !word[1])
		return debug_fail(error, "Write 'goto next pixel X,Y' or 'goto previous pixel X,Y'.");
	if (!debug_point(word[1], &x, &y, error) || !qs_timeline_seek_pixel(dbg->session.timeline, x, y, direction, error))
		return false;
	debug_arrived(dbg);
	return true;
}

static bool goto_numbered(struct debugger *dbg, char **word, struct qs_error *error)
{
	uint32_t frame = MAX(qs_timeline_moment(dbg->session.timeline)->frame, 1);
	struct qs_moment moment;
	char *text;
	bool good;

	if (!word[1])
		return debug_fail(error, "'goto %s' needs a number.", word[0]);
	if (word[0][0] == 'd')
		text = g_strdup_printf("%u/%s", frame, word[1]);
	else
		text = g_strdup(word[1]);
	good = qs_moment_parse(dbg->session.capture, text, &moment, error) && seek(dbg, &moment, error);
	g_free(text);
	return good;
}

DEBUG_RUN(debug_goto)
{
	struct qs_moment moment;

	if (!word[0])
		return debug_fail(error, "'goto' needs a moment, for example 'goto 1/0' ('help goto').");
	if (strcmp(word[0], "pixel") == 0)
		return goto_pixel(dbg, word[1], error);
	if (strcmp(word[0], "next") == 0)
		return goto_touching(dbg, word + 1, 1, error);
	if (strcmp(word[0], "previous") == 0)
		return goto_touching(dbg, word + 1, -1, error);
	if (strcmp(word[0], "draw") == 0 || strcmp(word[0], "frame") == 0)
		return goto_numbered(dbg, word, error);
	return debug_moment(dbg, rest, &moment, error) && seek(dbg, &moment, error);
}

DEBUG_RUN(debug_change)
{
	bool back = word[0] && word[1] && g_str_has_prefix("previous", word[1]);
	struct cli_register found;
	uint32_t mask = UINT32_MAX;

	(void)rest;
	if (!word[0])
		return debug_fail(error, "'change' needs a register, for example bp.PE_ZMODE or bp.PE_ZMODE.func.");
	if (word[1] && !back && !g_str_has_prefix("next", word[1]))
		return debug_fail(error, "After the register 'next' or 'previous' may stand, not '%s'.", word[1]);
	if (!cli_register_parse(word[0], &found, error))
		return false;
	if (!found.reg)
		return debug_fail(error, "'change' needs a register of unit %s.", word[0]);
	if (found.field && found.field->bits < 32)
		mask = ((1u << found.field->bits) - 1u) << found.field->lsb;
	if (!qs_timeline_seek_write(dbg->session.timeline, found.unit, found.reg->address, mask, back ? -1 : 1, error))
		return false;
	debug_arrived(dbg);
	return true;
}

/* ---- visited moments ---------------------------------------------------------------------------------------------------- */

static bool walk(struct debugger *dbg, char **word, int direction, struct qs_error *error)
{
	int64_t count = 1, target;
	unsigned position = dbg->position;

	if (word[0] && !debug_number(word[0], "The number", 1, INT32_MAX, &count, error))
		return false;
	target = (int64_t)position + direction * count;
	target = CLAMP(target, 0, (int64_t)dbg->visited->len - 1);
	if (target == position)
		return debug_fail(error, direction < 0 ? "There is no moment visited before." : "There is no later visited moment.");
	if (!qs_timeline_seek(dbg->session.timeline, &g_array_index(dbg->visited, struct qs_moment, (unsigned)target), error))
		return false;
	dbg->position = (unsigned)target;
	cli_describe(dbg->session.timeline, stdout);
	return true;
}

DEBUG_RUN(debug_back)
{
	(void)rest;
	return walk(dbg, word, -1, error);
}

DEBUG_RUN(debug_forward)
{
	(void)rest;
	return walk(dbg, word, 1, error);
}
