/* options.c - arguments of a sub-command by table, --help from the same table
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

struct cli_value {
	const struct cli_option *option;
	const char *text; /* NULL for a switch */
};

enum cli_status cli_fail(const char *format, ...)
{
	va_list args;

	fflush(stdout);
	fputs("qscope: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return CLI_ERROR;
}

enum cli_status cli_fail_error(const struct qs_error *error)
{
	return cli_fail("%s", error->text);
}

/* ---- parsing ------------------------------------------------------------------------------------------------------------ */

static const struct cli_option *find_option(const struct cli_command *command, const char *name, size_t length)
{
	const struct cli_option *found = NULL;

	for (const struct cli_option *o = command->options; o->name; o++) {
		if (strncmp(o->name, name, length) != 0)
			continue;
		if (!o->name[length])
			return o;
		if (found)
			return NULL; /* two options begin so */
		found = o;
	}
	return found;
}

static void unknown_option(const struct cli_command *command, const char *word, const char *name)
{
	struct cli_nearest nearest;
	char hint[64];

	cli_nearest_begin(&nearest, name);
	for (const struct cli_option *o = command->options; o->name; o++)
		cli_nearest_offer(&nearest, o->name);
	cli_nearest_offer(&nearest, "help");
	if (nearest.name) {
		char *dashed = g_strconcat("--", nearest.name, NULL);

		g_snprintf(hint, sizeof hint, "; did you mean '%s'?", dashed);
		g_free(dashed);
	} else {
		g_snprintf(hint, sizeof hint, " ('qscope %s --help' lists the options).", command->name);
	}
	cli_fail("'%s' has no option '%s'%s", command->name, word, hint);
}

static bool add_value(struct cli_args *args, const struct cli_option *option, const char *attached, int argc, char **argv, int *i)
{
	struct cli_value *value = g_new(struct cli_value, 1);

	value->option = option;
	value->text = NULL;
	g_ptr_array_add(args->values, value);
	if (!option->argument) {
		if (!attached)
			return true;
		cli_fail("Option '--%s' takes no value.", option->name);
		return false;
	}
	if (attached) {
		value->text = attached;
	} else if (*i + 1 < argc) {
		value->text = argv[++*i];
	} else {
		cli_fail("Option '--%s' needs a value: --%s %s.", option->name, option->name, option->argument);
		return false;
	}
	return true;
}

static bool parse_option(struct cli_args *args, int argc, char **argv, int *i)
{
	const char *word = argv[*i];
	const struct cli_command *command = args->command;

	if (word[1] == '-') {
		const char *name = word + 2, *equals = strchr(name, '=');
		size_t length = equals ? (size_t)(equals - name) : strlen(name);
		const struct cli_option *option = find_option(command, name, length);

		if (!option) {
			char *only = g_strndup(name, length);

			unknown_option(command, word, only);
			g_free(only);
			return false;
		}
		return add_value(args, option, equals ? equals + 1 : NULL, argc, argv, i);
	}
	for (const struct cli_option *o = command->options; o->name; o++)
		if (o->letter && o->letter == word[1])
			return add_value(args, o, word[2] ? word + 2 : NULL, argc, argv, i);
	unknown_option(command, word, word + 1);
	return false;
}

bool cli_args_parse(const struct cli_command *command, int argc, char **argv, struct cli_args *args)
{
	bool only_words = false;

	args->command = command;
	args->words = g_ptr_array_new();
	args->values = g_ptr_array_new_with_free_func(g_free);
	for (int i = 0; i < argc; i++) {
		const char *word = argv[i];

		if (only_words || word[0] != '-' || !word[1]) {
			g_ptr_array_add(args->words, argv[i]);
		} else if (strcmp(word, "--") == 0) {
			only_words = true;
		} else if (!parse_option(args, argc, argv, &i)) {
			return false;
		}
	}
	if (args->words->len < command->min_words) {
		cli_fail("'%s' needs %s. Usage: qscope %s [OPTIONS] %s", command->name,
			args->words->len ? "more arguments" : "an argument", command->name, command->arguments);
		return false;
	}
	if (args->words->len > command->max_words) {
		cli_fail("'%s' does not know what to do with '%s'. Usage: qscope %s [OPTIONS] %s", command->name,
			(const char *)args->words->pdata[command->max_words], command->name, command->arguments);
		return false;
	}
	return true;
}

void cli_args_finish(struct cli_args *args)
{
	g_ptr_array_free(args->words, TRUE);
	g_ptr_array_free(args->values, TRUE);
}

static const struct cli_value *nth_value(const struct cli_args *args, const char *option, unsigned n)
{
	for (unsigned i = 0; i < args->values->len; i++) {
		const struct cli_value *value = args->values->pdata[i];

		if (strcmp(value->option->name, option) == 0 && n-- == 0)
			return value;
	}
	return NULL;
}

const char *cli_value_at(const struct cli_args *args, unsigned i, const char **text)
{
	const struct cli_value *value = args->values->pdata[i];

	*text = value->text;
	return value->option->name;
}

bool cli_has(const struct cli_args *args, const char *option)
{
	return nth_value(args, option, 0) != NULL;
}

const char *cli_value_nth(const struct cli_args *args, const char *option, unsigned n)
{
	const struct cli_value *value = nth_value(args, option, n);

	return value ? value->text : NULL;
}

const char *cli_value(const struct cli_args *args, const char *option)
{
	const char *text = NULL, *next;

	for (unsigned n = 0; (next = cli_value_nth(args, option, n)); n++)
		text = next;
	return text;
}

/* ---- values ------------------------------------------------------------------------------------------------------------- */

bool cli_number(const char *text, const char *what, int64_t minimum, int64_t maximum, int64_t *number)
{
	char *end;

	errno = 0;
	*number = g_ascii_strtoll(text, &end, 0);
	if (end == text || *end || errno) {
		cli_fail("%s must be a whole number, not '%s'.", what, text);
		return false;
	}
	if (*number < minimum || *number > maximum) {
		cli_fail("%s must be %" PRId64 " to %" PRId64 ", not %s.", what, minimum, maximum, text);
		return false;
	}
	return true;
}

bool cli_option_number(const struct cli_args *args, const char *option, int64_t minimum, int64_t maximum, int64_t *number)
{
	const char *text = cli_value(args, option);
	char what[64];

	if (!text)
		return true;
	g_snprintf(what, sizeof what, "--%s", option);
	return cli_number(text, what, minimum, maximum, number);
}

bool cli_point(const char *text, const char *what, int *x, int *y)
{
	int used = 0;

	if (sscanf(text, "%d , %d%n", x, y, &used) == 2 && !text[used])
		return true;
	cli_fail("%s must be X,Y with two whole numbers (for example 320,240), not '%s'.", what, text);
	return false;
}

/* ---- help --------------------------------------------------------------------------------------------------------------- */

static void print_option(const struct cli_option *option, int width)
{
	char *left = g_strdup_printf("%c%c%c --%s%s%s", option->letter ? '-' : ' ', option->letter ? option->letter : ' ',
		option->letter ? ',' : ' ', option->name, option->argument ? " " : "", option->argument ? option->argument : "");

	printf("  %-*s  %s\n", width, left, option->text);
	g_free(left);
}

static void print_lines(const char *text, const char *prefix)
{
	char **line = g_strsplit(text, "\n", -1);

	for (char **l = line; *l; l++)
		printf("%s%s\n", **l ? prefix : "", *l);
	g_strfreev(line);
}

void cli_help(const struct cli_command *command)
{
	const struct cli_option help = {"help", 'h', NULL, "print this text"};
	int width = 0;

	printf("Usage: qscope %s [OPTIONS] %s\n\n%c%s.\n", command->name, command->arguments, g_ascii_toupper(command->summary[0]),
		command->summary + 1);
	if (command->details) {
		putchar('\n');
		print_lines(command->details, "");
	}
	for (const struct cli_option *o = command->options; o->name; o++)
		width = MAX(width, (int)(6 + strlen(o->name) + (o->argument ? 1 + strlen(o->argument) : 0)));
	puts("\nOptions:");
	for (const struct cli_option *o = command->options; o->name; o++)
		print_option(o, width);
	print_option(&help, width);
	puts(strchr(command->examples, '\n') ? "\nExamples:" : "\nExample:");
	print_lines(command->examples, "  ");
}
