/* output.c - aligned tables, colours and JSON
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

bool cli_stdout_is_terminal(void)
{
	return isatty(STDOUT_FILENO) == 1;
}

const struct cli_style *cli_style(void)
{
	static const struct cli_style plain = {"", "", "", "", "", ""};
	static const struct cli_style colours = {"\033[1m", "\033[2m", "\033[32m", "\033[31m", "\033[36m", "\033[0m"};
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	if (!cli_stdout_is_terminal() || (no_color && *no_color) || !term || strcmp(term, "dumb") == 0)
		return &plain;
	return &colours;
}

/* ---- tables ------------------------------------------------------------------------------------------------------------- */

struct cli_table {
	const char *columns;
	unsigned count;
	GPtrArray *cells; /* row by row */
	GArray *heads;    /* row numbers */
	unsigned cell;    /* of the row being filled by cli_table_cell */
};

struct cli_table *cli_table_new(const char *columns)
{
	struct cli_table *table = g_new0(struct cli_table, 1);

	table->columns = columns;
	table->count = (unsigned)strlen(columns);
	table->cells = g_ptr_array_new_with_free_func(g_free);
	table->heads = g_array_new(FALSE, FALSE, sizeof(unsigned));
	return table;
}

static void add_cells(struct cli_table *table, va_list args)
{
	for (unsigned i = 0; i < table->count; i++) {
		const char *text = va_arg(args, const char *);

		g_ptr_array_add(table->cells, g_strdup(text ? text : ""));
	}
}

void cli_table_row(struct cli_table *table, ...)
{
	va_list args;

	va_start(args, table);
	add_cells(table, args);
	va_end(args);
}

void cli_table_head(struct cli_table *table, ...)
{
	unsigned row = table->cells->len / table->count;
	va_list args;

	g_array_append_val(table->heads, row);
	va_start(args, table);
	add_cells(table, args);
	va_end(args);
}

void cli_table_cell(struct cli_table *table, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_ptr_array_add(table->cells, g_strdup_vprintf(format, args));
	va_end(args);
}

void cli_table_end_row(struct cli_table *table)
{
	while (table->cells->len % table->count)
		g_ptr_array_add(table->cells, g_strdup(""));
}

/* Columns on the screen: escape sequences take none. */
static unsigned cell_width(const char *text)
{
	unsigned width = 0;

	while (*text) {
		if (*text == '\033') {
			while (*text && *text != 'm')
				text++;
			if (*text)
				text++;
			continue;
		}
		if (((unsigned char)*text & 0xC0) != 0x80)
			width++;
		text++;
	}
	return width;
}

static bool is_head(const struct cli_table *table, unsigned row)
{
	for (unsigned i = 0; i < table->heads->len; i++)
		if (g_array_index(table->heads, unsigned, i) == row)
			return true;
	return false;
}

static void print_row(const struct cli_table *table, unsigned row, const unsigned *width, FILE *out)
{
	char *const *cell = (char *const *)table->cells->pdata + (size_t)row * table->count;
	unsigned last = table->count, owed = 0;

	while (last > 0 && !*cell[last - 1])
		last--; /* no spaces at the end of a line */
	for (unsigned c = 0; c < last; c++) {
		unsigned pad = width[c] - cell_width(cell[c]);

		if (width[c] == 0)
			continue;
		if (table->columns[c] == 'r')
			owed += pad;
		fprintf(out, "%*s%s", (int)owed, "", cell[c]);
		owed = 2 + (table->columns[c] == 'r' ? 0 : pad);
	}
	fputc('\n', out);
}

void cli_table_print(struct cli_table *table, FILE *out, unsigned indent)
{
	unsigned *width = g_new0(unsigned, table->count), rows = table->cells->len / table->count;
	const struct cli_style *style = cli_style();

	for (unsigned i = 0; i < rows * table->count; i++) {
		unsigned w = cell_width(table->cells->pdata[i]);

		if (w > width[i % table->count])
			width[i % table->count] = w;
	}
	for (unsigned row = 0; row < rows; row++) {
		bool head = is_head(table, row);

		fprintf(out, "%*s%s", (int)indent, "", head && out == stdout ? style->dim : "");
		print_row(table, row, width, out);
		if (head && out == stdout)
			fputs(style->off, out);
	}
	g_free(width);
	cli_table_free(table);
}

void cli_table_free(struct cli_table *table)
{
	g_ptr_array_free(table->cells, TRUE);
	g_array_free(table->heads, TRUE);
	g_free(table);
}

/* ---- values ------------------------------------------------------------------------------------------------------------- */

char *cli_colour(const uint8_t rgba[4], char buffer[10])
{
	g_snprintf(buffer, 10, "#%02x%02x%02x%02x", rgba[0], rgba[1], rgba[2], rgba[3]);
	return buffer;
}

char *cli_real(double value, char *buffer, size_t size)
{
	if (value == 0)
		value = 0; /* no "-0" */
	g_snprintf(buffer, size, "%.7g", value);
	return buffer;
}

/* ---- JSON --------------------------------------------------------------------------------------------------------------- */

void json_begin(struct cli_json *json, FILE *out)
{
	*json = (struct cli_json){.out = out, .first = true};
	json_object(json, NULL);
}

static void quoted(FILE *out, const char *text)
{
	fputc('"', out);
	if (!g_utf8_validate(text, -1, NULL)) {
		/* a file name in another encoding: bytes as Latin-1, so that the output stays valid */
		for (const char *c = text; *c; c++)
			if ((unsigned char)*c < 0x20 || (unsigned char)*c >= 0x7F || *c == '"' || *c == '\\')
				fprintf(out, "\\u%04x", (unsigned char)*c);
			else
				fputc(*c, out);
	} else {
		for (const char *c = text; *c; c++) {
			if (*c == '"' || *c == '\\')
				fprintf(out, "\\%c", *c);
			else if ((unsigned char)*c < 0x20)
				fprintf(out, "\\u%04x", (unsigned char)*c);
			else
				fputc(*c, out);
		}
	}
	fputc('"', out);
}

/* Comma, line break and key before a value. */
static void before(struct cli_json *json, const char *key)
{
	bool on_line = json->inline_depth && json->depth >= json->inline_depth;

	if (json->depth) {
		if (!json->first)
			fputs(on_line ? ", " : ",", json->out);
		if (!on_line) {
			fputc('\n', json->out);
			for (unsigned i = 0; i < json->depth; i++)
				fputc('\t', json->out);
		}
	}
	if (key) {
		quoted(json->out, key);
		fputs(": ", json->out);
	}
	json->first = false;
}

static void opened(struct cli_json *json, const char *key, char bracket)
{
	before(json, key);
	fputc(bracket, json->out);
	json->depth++;
	json->first = true;
}

static void closed(struct cli_json *json, char bracket)
{
	bool on_line = json->inline_depth && json->depth >= json->inline_depth;

	if (json->inline_depth == json->depth)
		json->inline_depth = 0;
	json->depth--;
	if (!on_line && !json->first) {
		fputc('\n', json->out);
		for (unsigned i = 0; i < json->depth; i++)
			fputc('\t', json->out);
	}
	fputc(bracket, json->out);
	json->first = false;
}

void json_object(struct cli_json *json, const char *key)
{
	opened(json, key, '{');
}

void json_object_end(struct cli_json *json)
{
	closed(json, '}');
}

void json_array(struct cli_json *json, const char *key)
{
	opened(json, key, '[');
}

void json_array_end(struct cli_json *json)
{
	closed(json, ']');
}

void json_row(struct cli_json *json, const char *key)
{
	opened(json, key, '{');
	if (!json->inline_depth)
		json->inline_depth = json->depth;
}

void json_list(struct cli_json *json, const char *key)
{
	opened(json, key, '[');
	if (!json->inline_depth)
		json->inline_depth = json->depth;
}

void json_end(struct cli_json *json)
{
	json_object_end(json);
	fputc('\n', json->out);
}

void json_string(struct cli_json *json, const char *key, const char *value)
{
	before(json, key);
	if (value)
		quoted(json->out, value);
	else
		fputs("null", json->out);
}

void json_int(struct cli_json *json, const char *key, int64_t value)
{
	before(json, key);
	fprintf(json->out, "%" PRId64, value);
}

void json_uint(struct cli_json *json, const char *key, uint64_t value)
{
	before(json, key);
	fprintf(json->out, "%" PRIu64, value);
}

static void number(struct cli_json *json, const char *key, double value, int digits)
{
	before(json, key);
	if (isfinite(value))
		fprintf(json->out, "%.*g", digits, value);
	else
		fputs("null", json->out);
}

void json_number(struct cli_json *json, const char *key, double value)
{
	number(json, key, value, 17);
}

void json_float(struct cli_json *json, const char *key, float value)
{
	number(json, key, (double)value, 9);
}

void json_bool(struct cli_json *json, const char *key, bool value)
{
	before(json, key);
	fputs(value ? "true" : "false", json->out);
}

void json_colour(struct cli_json *json, const char *key, const uint8_t rgba[4])
{
	json_list(json, key);
	for (unsigned i = 0; i < 4; i++)
		json_uint(json, NULL, rgba[i]);
	json_array_end(json);
}

void json_moment(struct cli_json *json, const char *key, const struct qs_capture *capture, const struct qs_moment *moment)
{
	char text[96];

	json_string(json, key, qs_moment_format(capture, moment, text, sizeof text));
}
