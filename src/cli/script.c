/* script.c - shows what a script prints, plots and tabulates
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/script.h"

/* ---- JSON lines --------------------------------------------------------------------------------------------------------- */

static void line_begin(struct cli_json *json, const char *type)
{
	*json = (struct cli_json){.out = stdout, .first = true};
	json_row(json, NULL);
	json_string(json, "type", type);
}

static void line_end(struct cli_json *json)
{
	json_object_end(json);
	putchar('\n');
}

static void json_values(struct cli_json *json, const char *key, const double *values, size_t count)
{
	if (!values)
		return;
	json_list(json, key);
	for (size_t i = 0; i < count; i++)
		json_number(json, NULL, values[i]);
	json_array_end(json);
}

static void json_plot(const struct qs_plot *plot)
{
	static const char *const kind[] = {"line", "scatter", "histogram", "heat"};
	struct cli_json json;

	line_begin(&json, "plot");
	json_string(&json, "kind", kind[plot->kind]);
	json_string(&json, "title", plot->title);
	if (plot->x_label)
		json_string(&json, "x_label", plot->x_label);
	if (plot->y_label)
		json_string(&json, "y_label", plot->y_label);
	if (plot->kind == QS_PLOT_HEAT) {
		json_uint(&json, "width", plot->width);
		json_uint(&json, "height", plot->height);
	} else if (plot->width) {
		json_uint(&json, "bins", plot->width);
	}
	json_values(&json, "x", plot->x, plot->count);
	json_values(&json, "y", plot->y, plot->count);
	line_end(&json);
}

static void json_table(const struct qs_table_data *table)
{
	struct cli_json json;

	line_begin(&json, "table");
	if (table->title)
		json_string(&json, "title", table->title);
	json_list(&json, "columns");
	for (size_t c = 0; c < table->columns; c++)
		json_string(&json, NULL, table->column[c]);
	json_array_end(&json);
	json_array(&json, "rows");
	for (size_t r = 0; r < table->rows; r++) {
		json_array(&json, NULL);
		for (size_t c = 0; c < table->columns; c++)
			json_string(&json, NULL, table->cell[r * table->columns + c]);
		json_array_end(&json);
	}
	json_array_end(&json);
	line_end(&json);
}

static void json_overlay(const struct qs_overlay *shapes, size_t count)
{
	static const char *const kind[] = {"rect", "line", "text", "point"};
	struct cli_json json;
	char colour[16];

	line_begin(&json, "overlay");
	json_array(&json, "shapes");
	for (size_t i = 0; i < count; i++) {
		const double place[4] = {shapes[i].x0, shapes[i].y0, shapes[i].x1, shapes[i].y1};

		json_object(&json, NULL);
		json_string(&json, "kind", kind[shapes[i].kind]);
		json_values(&json, "at", place, shapes[i].kind >= QS_OVERLAY_TEXT ? 2 : 4);
		g_snprintf(colour, sizeof colour, "#%08x", shapes[i].colour);
		json_string(&json, "colour", colour);
		if (shapes[i].text)
			json_string(&json, "text", shapes[i].text);
		json_object_end(&json);
	}
	json_array_end(&json);
	line_end(&json);
}

/* ---- the host of scripts ------------------------------------------------------------------------------------------------ */

static void hide_progress(struct cli_script *s)
{
	if (s->shown)
		fputs("\r\033[K", stderr);
	s->shown = false;
}

static void host_print(void *user, const char *text, bool is_error)
{
	struct cli_script *s = user;
	struct cli_json json;

	hide_progress(s);
	if (s->json) {
		char *line = g_strndup(text, strlen(text) - (g_str_has_suffix(text, "\n") ? 1 : 0));

		line_begin(&json, is_error ? "error" : "print");
		json_string(&json, "text", line);
		line_end(&json);
		g_free(line);
		return;
	}
	if (is_error)
		fflush(stdout);
	fputs(text, is_error ? stderr : stdout);
}

static void host_plot(void *user, const struct qs_plot *plot)
{
	struct cli_script *s = user;

	hide_progress(s);
	if (s->json)
		json_plot(plot);
	else
		plot_print(plot, stdout);
}

static void host_overlay(void *user, const struct qs_overlay *shapes, size_t count)
{
	struct cli_script *s = user;

	hide_progress(s);
	if (s->json)
		json_overlay(shapes, count);
}

static bool is_number(const char *text)
{
	char *end;

	(void)g_ascii_strtod(text, &end);
	return end != text && !*end;
}

/* A column of numbers is aligned right. */
static char *alignment(const struct qs_table_data *table)
{
	char *columns = g_malloc0(table->columns + 1);

	for (size_t c = 0; c < table->columns; c++) {
		bool numbers = table->rows > 0;

		for (size_t r = 0; r < table->rows; r++) {
			const char *cell = table->cell[r * table->columns + c];

			numbers = numbers && (!*cell || is_number(cell));
		}
		columns[c] = numbers ? 'r' : 'l';
	}
	return columns;
}

static void host_table(void *user, const struct qs_table_data *data)
{
	struct cli_script *s = user;
	const struct cli_style *style = cli_style();
	struct cli_table *table;
	char *columns;

	hide_progress(s);
	if (s->json) {
		json_table(data);
		return;
	}
	if (data->title)
		printf("%s%s%s\n", style->bold, data->title, style->off);
	if (!data->columns)
		return;
	columns = alignment(data);
	table = cli_table_new(columns);
	for (size_t c = 0; c < data->columns; c++)
		cli_table_cell(table, "%s%s%s", style->dim, data->column[c], style->off);
	for (size_t i = 0; i < data->rows * data->columns; i++)
		cli_table_cell(table, "%s", data->cell[i]);
	cli_table_print(table, stdout, 0);
	g_free(columns);
}

/* Only what takes longer than a second is worth a line. */
static bool host_progress(void *user, double fraction)
{
	struct cli_script *s = user;
	double now = (double)g_get_monotonic_time() * 1e-6;

	if (!s->started)
		s->started = now;
	if (!s->json && isatty(STDERR_FILENO) && fraction > 0 && fraction < 1 && now - s->started > 1) {
		fprintf(stderr, "\r%3.0f %%", fraction * 100);
		s->shown = true;
	}
	return true;
}

bool cli_script_open_saving(struct cli_script *s, struct cli_session *session, bool json, const struct qs_script_limits *limits,
	cli_save_fn save, struct qs_error *error)
{
	struct qs_script_host host = {
		.user = s, .print = host_print, .plot = host_plot, .overlay = host_overlay, .table = host_table, .progress = host_progress,
		.save = save,
	};

	*s = (struct cli_script){.session = session, .json = json};
	s->script = qs_script_create(session->timeline, &host, limits, error);
	return s->script != NULL;
}

bool cli_script_open(struct cli_script *s, struct cli_session *session, bool json, const struct qs_script_limits *limits,
	struct qs_error *error)
{
	return cli_script_open_saving(s, session, json, limits, NULL, error);
}

void cli_script_settle(struct cli_script *s)
{
	hide_progress(s);
	s->started = 0;
}

void cli_script_close(struct cli_script *s)
{
	qs_script_destroy(s->script);
	s->script = NULL;
}
