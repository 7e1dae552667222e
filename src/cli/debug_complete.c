/* debug_complete.c - what TAB offers
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "cli/debug.h"

static void offer(GPtrArray *found, const char *word, const char *candidate)
{
	if (g_ascii_strncasecmp(candidate, word, strlen(word)) == 0)
		g_ptr_array_add(found, g_strdup(candidate));
}

static void offer_all(GPtrArray *found, const char *word, const char *const *list)
{
	for (; *list; list++)
		offer(found, word, *list);
}

static void offer_commands(GPtrArray *found, const char *word)
{
	for (const struct debug_command *c = debug_commands; c->name; c++)
		offer(found, word, c->name);
}

/* ---- registers: unit, then register, then field, one part at a time ------------------------------------------------------ */

static void offer_units(GPtrArray *found, const char *word)
{
	for (unsigned u = 0; u < QS_UNIT_COUNT; u++) {
		char *text = g_strconcat(qs_unit_name((enum qs_unit)u), ".", NULL);

		offer(found, word, text);
		g_free(text);
	}
}

static void offer_fields(GPtrArray *found, const char *word, enum qs_unit unit, const char *name)
{
	const struct qs_register *reg = qs_register_by_name(unit, name);

	for (unsigned i = 0; reg && i < reg->field_count; i++) {
		char *text = g_strdup_printf("%s.%s.%s", qs_unit_name(unit), reg->name, reg->fields[i].name);

		offer(found, word, text);
		g_free(text);
	}
}

static void offer_registers(GPtrArray *found, const char *word)
{
	char **part = g_strsplit(word, ".", 3);
	enum qs_unit unit;

	if (!part[0] || !part[1]) {
		offer_units(found, word);
	} else if (qs_unit_parse(part[0], &unit)) {
		for (uint32_t i = 0; !part[2] && i < qs_register_count(unit); i++) {
			char *text = g_strdup_printf("%s.%s", qs_unit_name(unit), qs_register_at(unit, i)->name);

			offer(found, word, text);
			g_free(text);
		}
		if (part[2])
			offer_fields(found, word, unit, part[1]);
	}
	g_strfreev(part);
}

static void offer_variables(GPtrArray *found, const char *word)
{
	for (unsigned i = 0; *word && i < QS_VAR_COUNT; i++)
		offer(found, word, qs_expr_variable_name((enum qs_expr_variable)i));
}

/* ---- moments: the numbers that exist below what is typed ---------------------------------------------------------------- */

static uint32_t children(struct debugger *dbg, const struct qs_moment *parent)
{
	switch (parent->level) {
	case QS_LEVEL_FRAME: return qs_capture_frame(dbg->session.capture, parent->frame)->draw_count;
	case QS_LEVEL_DRAW: return qs_timeline_primitive_count(dbg->session.timeline, parent);
	case QS_LEVEL_PRIMITIVE: return qs_timeline_quad_count(dbg->session.timeline, parent);
	case QS_LEVEL_QUAD: return 4;
	default: return 0;
	}
}

static void offer_moments(GPtrArray *found, struct debugger *dbg, const char *word)
{
	const char *slash = strrchr(word, '/');
	struct qs_error error;
	struct qs_moment parent;
	uint32_t count;
	char *head;

	if (!slash) {
		for (uint32_t f = 1; f <= qs_capture_info(dbg->session.capture)->frame_count; f++) {
			char text[16];

			g_snprintf(text, sizeof text, "%u", f);
			offer(found, word, text);
		}
		return;
	}
	head = g_strndup(word, (gsize)(slash - word));
	if (slash == word ? debug_moment(dbg, "frame", &parent, &error) : debug_moment(dbg, head, &parent, &error)) {
		count = children(dbg, &parent);
		for (uint32_t i = 0; i < count; i++) {
			char *text = g_strdup_printf("%s/%u", head, i);

			offer(found, word, text);
			g_free(text);
		}
	}
	g_free(head);
}

/* ---- files -------------------------------------------------------------------------------------------------------------- */

static void offer_files(GPtrArray *found, const char *word)
{
	const char *slash = strrchr(word, '/');
	char *folder = slash ? g_strndup(word, (gsize)(slash - word) + 1) : g_strdup("");
	GDir *dir = g_dir_open(*folder ? folder : ".", 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		char *path = g_strconcat(folder, name, NULL), *shown;

		shown = g_file_test(path, G_FILE_TEST_IS_DIR) ? g_strconcat(path, "/", NULL) : g_strdup(path);
		if (name[0] != '.' && strncmp(shown, word, strlen(word)) == 0)
			g_ptr_array_add(found, g_strdup(shown));
		g_free(shown);
		g_free(path);
	}
	if (dir)
		g_dir_close(dir);
	g_free(folder);
}

/* ---- the whole ---------------------------------------------------------------------------------------------------------- */

static void offer_kind(GPtrArray *found, struct debugger *dbg, enum debug_completion kind, const char *word, unsigned number)
{
	static const char *const level[] = {"frame", "command", "draw", "primitive", "quad", "fragment", "stage", NULL};
	static const char *const buffer[] = {"color", "alpha", "depth", "coverage", "copy", "xfb", NULL};
	static const char *const model[] = {"hardware", "dolphin", "pureikyubu", NULL};
	static const char *const pipeline[] = {"soft", "shader", NULL}, *const every[] = {"all", NULL};
	static const char *const info[] = {"capture", "frame", "draw", "breakpoints", "quirks", NULL};
	static const char *const where[] = {"draw", "primitive", "quad", "pixel", "command", "write", "if", "log", "count", NULL};
	static const char *const place[] = {"pixel", "draw", "frame", "start", "end", "next", "previous", NULL};
	static const char *const setting[] = {"batch", NULL};

	switch (kind) {
	case DEBUG_COMPLETE_COMMAND: offer_commands(found, word); break;
	case DEBUG_COMPLETE_LEVEL: offer_all(found, word, level); break;
	case DEBUG_COMPLETE_MOMENT:
		if (number == 0 && !g_ascii_isdigit(*word) && *word != '/')
			offer_all(found, word, place);
		offer_moments(found, dbg, word);
		break;
	case DEBUG_COMPLETE_REGISTER:
	case DEBUG_COMPLETE_EXPRESSION:
		offer_registers(found, word);
		if (kind == DEBUG_COMPLETE_EXPRESSION)
			offer_variables(found, word);
		break;
	case DEBUG_COMPLETE_BREAK:
		if (number < 2)
			offer_all(found, word, where);
		if (number) {
			offer_registers(found, word);
			offer_variables(found, word);
		}
		break;
	case DEBUG_COMPLETE_BUFFER:
		if (number == 0)
			offer_all(found, word, buffer);
		else
			offer_files(found, word);
		break;
	case DEBUG_COMPLETE_MODEL: offer_all(found, word, model); break;
	case DEBUG_COMPLETE_PIPELINE: offer_all(found, word, number == 0 ? pipeline : every); break;
	case DEBUG_COMPLETE_QUIRK:
		for (uint32_t i = 0; number == 0 && i < qs_quirk_count(); i++)
			offer(found, word, qs_quirk_at(i)->name);
		break;
	case DEBUG_COMPLETE_FILE: offer_files(found, word); break;
	case DEBUG_COMPLETE_INFO: offer_all(found, word, info); break;
	case DEBUG_COMPLETE_SETTING: offer_all(found, word, setting); break;
	default: break;
	}
}

/* In an expression a word ends at anything that is not part of a name. */
static size_t word_start(const char *line, bool expression)
{
	size_t start = strlen(line);

	while (start > 0) {
		char c = line[start - 1];

		if (expression ? !(g_ascii_isalnum(c) || c == '_' || c == '.') : c == ' ')
			break;
		start--;
	}
	return start;
}

char **debug_complete(struct debugger *dbg, const char *line, size_t *start)
{
	GPtrArray *found = g_ptr_array_new();
	const struct debug_command *command = NULL;
	const char *prefix, *name = line + strspn(line, " ");
	size_t length = strcspn(name, " ");
	struct qs_error error;

	if (!name[length]) {
		*start = (size_t)(name - line);
		offer_commands(found, name);
	} else {
		char *first = g_strndup(name, length);

		command = debug_find(first, &prefix, &error);
		g_free(first);
		if (command && command->complete == DEBUG_COMPLETE_LUA) {
			char **list = debug_lua_complete(dbg, name + length + strspn(name + length, " "), start);

			*start += (size_t)(name + length + strspn(name + length, " ") - line);
			g_ptr_array_free(found, TRUE);
			return list;
		}
		*start = word_start(line, command && (command->complete == DEBUG_COMPLETE_EXPRESSION || command->complete == DEBUG_COMPLETE_BREAK));
	}
	if (command) {
		unsigned number = 0;

		for (const char *c = name + length; c < line + *start; c++)
			number += *c != ' ' && c[-1] == ' ';
		offer_kind(found, dbg, command->complete, line + *start, number);
	}
	g_ptr_array_add(found, NULL);
	return (char **)g_ptr_array_free(found, FALSE);
}
