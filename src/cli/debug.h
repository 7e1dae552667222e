/* debug.h - the terminal debugger: one struct, a table of commands
 *
 * cmd_debug.c reads lines (terminal, files, -e) and keeps the visited moments; debug_commands.c finds the command, expands
 * short forms and prints help; debug_step.c moves; debug_show.c prints facts; debug_picture.c draws in the terminal;
 * debug_break.c keeps breakpoints and runs to them; debug_lua.c is the Lua prompt; debug_complete.c completes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_DEBUG_H
#define CLI_DEBUG_H

#include "cli/cli.h"
#include "cli/script.h"

struct debugger {
	struct cli_session session;
	GArray *visited;    /* of struct qs_moment */
	unsigned position;  /* in visited: where the debugger stands */
	GArray *temporary;  /* of uint32_t: numbers of tbreak */
	char *repeat;       /* the line that an empty line repeats, or NULL */
	bool interactive;   /* a person types */
	bool quit;
	unsigned source_depth;
	struct cli_script lua; /* made when it is needed */
	GString *lua_lines;    /* not NULL: lines are Lua; those of an incomplete chunk */
};

/* What TAB offers for the words after the command. */
enum debug_completion {
	DEBUG_COMPLETE_NOTHING, DEBUG_COMPLETE_COMMAND, DEBUG_COMPLETE_LEVEL, DEBUG_COMPLETE_MOMENT, DEBUG_COMPLETE_REGISTER,
	DEBUG_COMPLETE_EXPRESSION, DEBUG_COMPLETE_BUFFER, DEBUG_COMPLETE_MODEL, DEBUG_COMPLETE_QUIRK, DEBUG_COMPLETE_FILE,
	DEBUG_COMPLETE_INFO, DEBUG_COMPLETE_SETTING, DEBUG_COMPLETE_BREAK, DEBUG_COMPLETE_LUA, DEBUG_COMPLETE_PIPELINE,
};

struct debug_command {
	const char *name;
	const char *arguments; /* "[LEVEL] [N]" */
	const char *summary;
	const char *help; /* more lines, or NULL */
	enum debug_completion complete;
	bool repeats; /* an empty line repeats it */
	bool (*run)(struct debugger *dbg, char **word, const char *rest, struct qs_error *error);
};

/* word: the words of the rest, NULL at the end; rest: the text after the command name, without spaces around it. */
#define DEBUG_RUN(name) bool name(struct debugger *dbg, char **word, const char *rest, struct qs_error *error)

/* ---- cmd_debug.c -------------------------------------------------------------------------------------------------------- */

/* Runs one line; false after error is set. */
bool debug_line(struct debugger *dbg, const char *line, struct qs_error *error);
bool debug_source(struct debugger *dbg, const char *path, struct qs_error *error);
/* The timeline has moved: remembers the moment and prints where it is. */
void debug_arrived(struct debugger *dbg);
/* Parses a moment as typed: "/57" and "@0x1a" are in the current frame, "start" and "end" are words. */
bool debug_moment(struct debugger *dbg, const char *text, struct qs_moment *moment, struct qs_error *error);
bool debug_fail(struct qs_error *error, const char *format, ...) G_GNUC_PRINTF(2, 3);
bool debug_number(const char *text, const char *what, int64_t minimum, int64_t maximum, int64_t *number, struct qs_error *error);
bool debug_point(const char *text, int *x, int *y, struct qs_error *error);

/* ---- debug_commands.c --------------------------------------------------------------------------------------------------- */

extern const struct debug_command debug_commands[]; /* ends with name NULL */
struct debug_alias {
	const char *name, *line;
};
extern const struct debug_alias debug_aliases[]; /* ends with name NULL */
/* Exact name, short form or unambiguous abbreviation; *prefix: words that the short form stands for, or "". */
const struct debug_command *debug_find(const char *name, const char **prefix, struct qs_error *error);

/* ---- debug_step.c ------------------------------------------------------------------------------------------------------- */

bool debug_level(const char *text, enum qs_level *level);
DEBUG_RUN(debug_next);
DEBUG_RUN(debug_previous);
DEBUG_RUN(debug_in);
DEBUG_RUN(debug_finish);
DEBUG_RUN(debug_goto);
DEBUG_RUN(debug_change);
DEBUG_RUN(debug_back);
DEBUG_RUN(debug_forward);

/* ---- debug_break.c ------------------------------------------------------------------------------------------------------ */

void debug_list_breaks(const struct debugger *dbg);
void debug_log_hit(void *user, const struct qs_breakpoint *b, const struct qs_hit *hit);
DEBUG_RUN(debug_break);
DEBUG_RUN(debug_tbreak);
DEBUG_RUN(debug_delete);
DEBUG_RUN(debug_enable);
DEBUG_RUN(debug_disable);
DEBUG_RUN(debug_continue);
DEBUG_RUN(debug_reverse);
DEBUG_RUN(debug_until);

/* ---- debug_show.c ------------------------------------------------------------------------------------------------------- */

DEBUG_RUN(debug_where);
DEBUG_RUN(debug_info);
DEBUG_RUN(debug_lint);
DEBUG_RUN(debug_list);
DEBUG_RUN(debug_state);
DEBUG_RUN(debug_regs);
DEBUG_RUN(debug_print);
DEBUG_RUN(debug_trace);
DEBUG_RUN(debug_setup);
DEBUG_RUN(debug_quad);
DEBUG_RUN(debug_tev);
DEBUG_RUN(debug_pe);
DEBUG_RUN(debug_history);
DEBUG_RUN(debug_pixel);
DEBUG_RUN(debug_peek);
DEBUG_RUN(debug_poke);
DEBUG_RUN(debug_texture);
DEBUG_RUN(debug_memory);

/* ---- debug_picture.c ---------------------------------------------------------------------------------------------------- */

bool debug_buffer(const char *name, enum qs_buffer *buffer, struct qs_error *error);
DEBUG_RUN(debug_image);
DEBUG_RUN(debug_picture);

/* ---- debug_pipeline.c ----------------------------------------------------------------------------------------------------- */

DEBUG_RUN(debug_pipeline);
DEBUG_RUN(debug_program);

/* ---- debug_lua.c -------------------------------------------------------------------------------------------------------- */

DEBUG_RUN(debug_lua);
bool debug_lua_line(struct debugger *dbg, const char *line, struct qs_error *error);
bool debug_lua_leave(struct debugger *dbg, struct qs_error *error);
/* As debug_complete. */
char **debug_lua_complete(struct debugger *dbg, const char *text, size_t *start);

/* ---- debug_complete.c --------------------------------------------------------------------------------------------------- */

/* The candidates for the word that ends at the end of line; *start: where that word begins. Free with g_strfreev. */
char **debug_complete(struct debugger *dbg, const char *line, size_t *start);

#endif
