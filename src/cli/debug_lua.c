/* debug_lua.c - Lua inside the debugger: one line, or a prompt of its own
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "cli/debug.h"

static bool open_script(struct debugger *dbg, struct qs_error *error)
{
	return dbg->lua.script || cli_script_open(&dbg->lua, &dbg->session, false, NULL, error);
}

/* Evaluates text; what moved is shown as after every command. */
static bool evaluate(struct debugger *dbg, const char *text, bool *incomplete, struct qs_error *error)
{
	struct qs_moment before = *qs_timeline_moment(dbg->session.timeline);
	bool good = qs_script_eval(dbg->lua.script, text, incomplete, error);

	cli_script_settle(&dbg->lua);
	if (qs_moment_compare(&before, qs_timeline_moment(dbg->session.timeline)) != 0)
		debug_arrived(dbg);
	return good;
}

DEBUG_RUN(debug_lua)
{
	(void)word;
	if (!open_script(dbg, error))
		return false;
	if (*rest)
		return evaluate(dbg, rest, NULL, error);
	dbg->lua_lines = g_string_new(NULL);
	if (dbg->interactive)
		puts("Lua; qs.help() lists what there is. A line with a dot, or Ctrl-D, goes back.");
	return true;
}

bool debug_lua_line(struct debugger *dbg, const char *line, struct qs_error *error)
{
	size_t first = strspn(line, " \t");
	bool incomplete, good;

	memset(error, 0, sizeof *error);
	if (line[first] == '.' && !line[first + 1 + strspn(line + first + 1, " \t\r\n")])
		return debug_lua_leave(dbg, error);
	if (dbg->lua_lines->len)
		g_string_append_c(dbg->lua_lines, '\n');
	g_string_append(dbg->lua_lines, line);
	good = evaluate(dbg, dbg->lua_lines->str, &incomplete, error);
	if (!good && incomplete)
		return true;
	g_string_truncate(dbg->lua_lines, 0);
	return good;
}

/* What is incomplete at the end is an error. */
bool debug_lua_leave(struct debugger *dbg, struct qs_error *error)
{
	bool good = !dbg->lua_lines->len || evaluate(dbg, dbg->lua_lines->str, NULL, error);

	g_string_free(dbg->lua_lines, TRUE);
	dbg->lua_lines = NULL;
	return good;
}

char **debug_lua_complete(struct debugger *dbg, const char *text, size_t *start)
{
	GPtrArray *found = g_ptr_array_new();
	struct qs_error error;
	char **list = NULL;

	*start = strlen(text);
	if (open_script(dbg, &error))
		list = qs_script_complete(dbg->lua.script, text, start);
	for (char **l = list; l && *l; l++)
		g_ptr_array_add(found, g_strdup(*l));
	g_ptr_array_add(found, NULL);
	qs_script_free_list(list);
	return (char **)g_ptr_array_free(found, FALSE);
}
