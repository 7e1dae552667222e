/* cmd_debug.c - qscope debug: reads lines and runs them
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <errno.h>
#include <readline/history.h>
#include <readline/readline.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/debug.h"

static const struct cli_option options[] = {
	CLI_AT,
	{"command-file", 'x', "FILE", "run the debugger commands in FILE, then leave; may be given several times"},
	{"execute", 'e', "COMMAND", "run COMMAND, then leave; may be given several times"},
	{"interactive", 'i', NULL, "after -x and -e stay at the prompt"},
	CLI_MODEL, CLI_QUIRK, CLI_PIPELINE, CLI_END,
};

/* ---- errors and values -------------------------------------------------------------------------------------------------- */

bool debug_fail(struct qs_error *error, const char *format, ...)
{
	va_list args;

	error->code = QS_ERR_RANGE;
	error->offset = 0;
	va_start(args, format);
	g_vsnprintf(error->text, sizeof error->text, format, args);
	va_end(args);
	return false;
}

bool debug_number(const char *text, const char *what, int64_t minimum, int64_t maximum, int64_t *number, struct qs_error *error)
{
	char *end;

	errno = 0;
	*number = g_ascii_strtoll(text, &end, 0);
	if (end == text || *end || errno)
		return debug_fail(error, "%s must be a whole number, not '%s'.", what, text);
	if (*number < minimum || *number > maximum)
		return debug_fail(error, "%s must be %" PRId64 " to %" PRId64 ", not %s.", what, minimum, maximum, text);
	return true;
}

bool debug_point(const char *text, int *x, int *y, struct qs_error *error)
{
	int used = 0;

	if (sscanf(text, "%d,%d%n", x, y, &used) == 2 && !text[used])
		return true;
	return debug_fail(error, "A pixel is written X,Y (for example 320,240), not '%s'.", text);
}

bool debug_moment(struct debugger *dbg, const char *text, struct qs_moment *moment, struct qs_error *error)
{
	uint32_t frame = MAX(qs_timeline_moment(dbg->session.timeline)->frame, 1);
	uint32_t frames = qs_capture_info(dbg->session.capture)->frame_count;
	char *whole;
	bool good;

	if (strcmp(text, "start") == 0)
		whole = g_strdup("0");
	else if (strcmp(text, "end") == 0)
		whole = g_strdup_printf("%u", frames);
	else if (strcmp(text, "frame") == 0)
		whole = g_strdup_printf("%u", frame);
	else if (text[0] == '/' || text[0] == '@')
		whole = g_strdup_printf("%u%s", frame, text);
	else
		whole = g_strdup(text);
	good = qs_moment_parse(dbg->session.capture, whole, moment, error);
	g_free(whole);
	return good;
}

void debug_arrived(struct debugger *dbg)
{
	const struct qs_moment *moment = qs_timeline_moment(dbg->session.timeline);

	if (qs_moment_compare(moment, &g_array_index(dbg->visited, struct qs_moment, dbg->position)) != 0) {
		g_array_set_size(dbg->visited, dbg->position + 1);
		g_array_append_val(dbg->visited, *moment);
		dbg->position++;
	}
	cli_describe(dbg->session.timeline, stdout);
}

/* ---- lines -------------------------------------------------------------------------------------------------------------- */

/* Splits the rest into words; an alias such as "nd" puts its own words in front. */
static bool run_command(struct debugger *dbg, const struct debug_command *command, const char *prefix, const char *rest,
	struct qs_error *error)
{
	char *whole = *prefix && *rest ? g_strconcat(prefix, " ", rest, NULL) : g_strdup(*prefix ? prefix : rest);
	char **split = g_strsplit_set(whole, " \t", -1), **word = g_new0(char *, g_strv_length(split) + 1);
	unsigned count = 0;
	bool good;

	for (char **s = split; *s; s++)
		if (**s)
			word[count++] = *s;
	good = command->run(dbg, word, whole, error);
	g_free(word);
	g_strfreev(split);
	g_free(whole);
	return good;
}

bool debug_line(struct debugger *dbg, const char *line, struct qs_error *error)
{
	char *text = g_strstrip(g_strdup(line)), *rest, *name;
	const struct debug_command *command;
	const char *prefix;
	size_t length = strcspn(text, " \t");
	bool good = true;

	if (dbg->lua_lines) {
		g_free(text);
		return debug_lua_line(dbg, line, error);
	}
	memset(error, 0, sizeof *error);
	if (!*text && dbg->interactive && dbg->repeat) {
		g_free(text);
		text = g_strdup(dbg->repeat);
		length = strcspn(text, " \t");
	}
	if (*text && *text != '#') {
		name = g_strndup(text, length);
		rest = text + length + strspn(text + length, " \t");
		command = debug_find(name, &prefix, error);
		g_free(name);
		good = command && run_command(dbg, command, prefix, rest, error);
		g_free(dbg->repeat);
		dbg->repeat = command && command->repeats ? g_strdup(text) : NULL;
	}
	g_free(text);
	return good;
}

/* A script stops at its first error, which is named with its line. */
static bool run_stream(struct debugger *dbg, FILE *file, const char *name, struct qs_error *error)
{
	char *line = NULL;
	size_t size = 0;
	unsigned number = 0;
	bool good = true;

	while (good && !dbg->quit && getline(&line, &size, file) >= 0) {
		struct qs_error inner;

		number++;
		good = debug_line(dbg, line, &inner);
		if (!good)
			debug_fail(error, "%s:%u: %s", name, number, inner.text);
	}
	free(line);
	if (good && dbg->lua_lines)
		good = debug_lua_leave(dbg, error);
	return good;
}

bool debug_source(struct debugger *dbg, const char *path, struct qs_error *error)
{
	bool interactive = dbg->interactive, good;
	FILE *file;

	if (dbg->source_depth >= 8)
		return debug_fail(error, "Files that run files are nested more than 8 deep at %s.", path);
	file = fopen(path, "r");
	if (!file)
		return debug_fail(error, "Cannot open %s: %s.", path, g_strerror(errno));
	dbg->source_depth++;
	dbg->interactive = false; /* empty lines in a file are layout */
	good = run_stream(dbg, file, path, error);
	dbg->interactive = interactive;
	dbg->source_depth--;
	fclose(file);
	return good;
}

/* ---- the terminal ------------------------------------------------------------------------------------------------------- */

/* readline and signals know no user pointer; there is one debugger in the process. */
static struct debugger *the_debugger;

static volatile sig_atomic_t running, interrupted;

static void on_interrupt(int number)
{
	(void)number;
	interrupted = 1;
	if (running && the_debugger->lua.script)
		qs_script_interrupt(the_debugger->lua.script);
	else if (running)
		qs_timeline_cancel(the_debugger->session.timeline);
}

/* Ctrl-C at the prompt drops the line, as in a shell. */
static int drop_line(void)
{
	if (interrupted) {
		interrupted = 0;
		fputc('\n', rl_outstream);
		rl_replace_line("", 0);
		if (the_debugger->lua_lines)
			g_string_truncate(the_debugger->lua_lines, 0);
		rl_on_new_line();
		rl_redisplay();
	}
	return 0;
}

static char *next_match(const char *text, int state)
{
	static char **list;
	static unsigned position;

	(void)text;
	if (state == 0) {
		char *line = g_strndup(rl_line_buffer, (gsize)rl_point);
		size_t start;

		g_strfreev(list);
		list = the_debugger->lua_lines ? debug_lua_complete(the_debugger, line, &start) : debug_complete(the_debugger, line, &start);
		position = 0;
		g_free(line);
	}
	/* readline frees with free */
	return list[position] ? strdup(list[position++]) : NULL;
}

/* Names in Lua go on with a dot, a bracket or an operator. */
static bool completes_lua(void)
{
	size_t first = strspn(rl_line_buffer, " \t");

	return the_debugger->lua_lines || strncmp(rl_line_buffer + first, "lua ", 4) == 0;
}

static char **complete(const char *text, int start, int end)
{
	char **matches;

	(void)start;
	(void)end;
	rl_attempted_completion_over = 1; /* no file names where none belong */
	matches = rl_completion_matches(text, next_match);
	if (matches && !matches[1]) {
		size_t length = strlen(matches[0]);
		struct cli_register found;
		struct qs_error ignored;

		/* "bp.", "bp.GEN_MODE" and "dir/" can go on */
		rl_completion_append_character = ' ';
		if (completes_lua() || (length && strchr("./", matches[0][length - 1])) ||
			(cli_register_parse(matches[0], &found, &ignored) && found.reg && !found.field))
			rl_completion_append_character = '\0';
	}
	return matches;
}

static char *history_path(void)
{
	char *folder = g_build_filename(g_get_user_state_dir(), "quadscope", NULL), *path;

	g_mkdir_with_parents(folder, 0700);
	path = g_build_filename(folder, "debug_history", NULL);
	g_free(folder);
	return path;
}

static void start_readline(const char *history)
{
	rl_readline_name = "qscope";
	rl_attempted_completion_function = complete;
	/* a name is one word up to a space or an operator of an expression */
	rl_basic_word_break_characters = " \t()!<>=&|+-*%,\"'[]{};#~^";
	rl_completer_quote_characters = "";
	rl_signal_event_hook = drop_line;
	rl_sort_completion_matches = 0; /* numbers stay in their order */
	using_history();
	read_history(history);
	stifle_history(1000);
}

static void remember(const char *line)
{
	const HIST_ENTRY *last = history_length ? history_get(history_base + history_length - 1) : NULL;

	if (*line && *line != ' ' && (!last || strcmp(last->line, line) != 0))
		add_history(line);
}

static void prompt_text(const struct debugger *dbg, char *buffer, size_t size)
{
	const struct cli_style *style = cli_style();
	char at[96];

	qs_moment_format(dbg->session.capture, qs_timeline_moment(dbg->session.timeline), at, sizeof at);
	if (dbg->lua_lines)
		g_strlcat(at, dbg->lua_lines->len ? " lua>" : " lua", sizeof at);
	if (*style->accent)
		g_snprintf(buffer, size, "\001%s\002%s>\001%s\002 ", style->accent, at, style->off);
	else
		g_snprintf(buffer, size, "%s> ", at);
}

static void converse(struct debugger *dbg)
{
	struct sigaction cancel = {.sa_handler = on_interrupt};
	char *history = history_path(), *line, prompt[160];
	struct qs_error error;

	start_readline(history);
	dbg->interactive = true;
	sigaction(SIGINT, &cancel, NULL);
	while (!dbg->quit) {
		prompt_text(dbg, prompt, sizeof prompt);
		line = readline(prompt);
		if (!line) {
			putchar('\n');
			if (!dbg->lua_lines)
				break;
			if (!debug_lua_leave(dbg, &error))
				cli_fail("%s", error.text);
			continue;
		}
		remember(g_strchomp(line));
		running = 1;
		if (!debug_line(dbg, line, &error))
			cli_fail("%s", error.text);
		running = 0;
		fflush(stdout);
		free(line);
	}
	write_history(history);
	g_free(history);
}

/* ---- the command -------------------------------------------------------------------------------------------------------- */

/* -x and -e in the order in which they were given. */
static bool run_given(struct debugger *dbg, const struct cli_args *args, struct qs_error *error)
{
	for (unsigned i = 0; i < args->values->len && !dbg->quit; i++) {
		const char *text, *option = cli_value_at(args, i, &text);
		struct qs_error inner;

		if (strcmp(option, "command-file") == 0 && !debug_source(dbg, text, error))
			return false;
		if (strcmp(option, "execute") == 0 && !debug_line(dbg, text, &inner))
			return debug_fail(error, "'%s': %s", text, inner.text);
	}
	return true;
}

static bool run_debugger(struct debugger *dbg, const struct cli_args *args)
{
	bool given = cli_has(args, "command-file") || cli_has(args, "execute");
	const char *at = cli_value(args, "at");
	struct qs_error error = {0};
	struct qs_moment moment;
	bool good = !at || (qs_moment_parse(dbg->session.capture, at, &moment, &error) &&
				   qs_timeline_seek(dbg->session.timeline, &moment, &error));

	if (good)
		g_array_append_val(dbg->visited, *qs_timeline_moment(dbg->session.timeline));
	good = good && run_given(dbg, args, &error);
	if (good && dbg->lua_lines && !cli_has(args, "interactive"))
		good = debug_lua_leave(dbg, &error);
	if (good && !dbg->quit && (!given || cli_has(args, "interactive"))) {
		if (isatty(STDIN_FILENO)) {
			if (!given) {
				const struct qs_capture_info *info = qs_capture_info(dbg->session.capture);

				printf("%s: %u frames, %u draws. 'help' lists the commands.\n", info->path, info->frame_count,
					info->draw_count);
			}
			converse(dbg);
		} else {
			good = run_stream(dbg, stdin, "stdin", &error);
		}
	}
	if (!good)
		cli_fail_error(&error);
	return good;
}

static enum cli_status run(const struct cli_args *args)
{
	struct debugger dbg = {
		.visited = g_array_new(FALSE, FALSE, sizeof(struct qs_moment)),
		.temporary = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
	};
	bool good = false;

	if (cli_open(args, 0, false, &dbg.session)) {
		the_debugger = &dbg;
		qs_timeline_break_log(dbg.session.timeline, debug_log_hit, &dbg);
		good = run_debugger(&dbg, args);
		cli_script_close(&dbg.lua);
		the_debugger = NULL;
		cli_close(&dbg.session);
	}
	g_array_free(dbg.visited, TRUE);
	g_array_free(dbg.temporary, TRUE);
	if (dbg.lua_lines)
		g_string_free(dbg.lua_lines, TRUE);
	g_free(dbg.repeat);
	return good ? CLI_DONE : CLI_ERROR;
}

const struct cli_command cli_cmd_debug = {
	.name = "debug", .arguments = "CAPTURE", .min_words = 1, .max_words = 1,
	.summary = "step through a capture in the terminal, forwards and backwards",
	.details = "'help' inside lists the commands; TAB completes commands, moments, registers and files. Without a terminal the\n"
		   "commands are read from standard input; the first error ends the program with status 2.",
	.examples = "qscope debug game.dff\n"
		    "qscope debug game.dff -e 'goto 2/57' -e 'goto pixel 320,240' -e trace\n"
		    "qscope debug game.dff -x probe.qsd",
	.options = options, .run = run,
};
