/* state.c - prints registers with fields, age and writer
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "cli/state.h"

/* ---- values of another moment ------------------------------------------------------------------------------------------- */

void state_copy_values(const struct qs_timeline *timeline, struct state_values *values)
{
	for (unsigned u = 0; u < QS_UNIT_COUNT; u++) {
		enum qs_unit unit = (enum qs_unit)u;
		uint32_t count = qs_register_count(unit);

		values->value[u] = g_renew(uint32_t, values->value[u], count);
		for (uint32_t i = 0; i < count; i++)
			values->value[u][i] = qs_timeline_register(timeline, unit, qs_register_at(unit, i)->address);
	}
}

void state_values_finish(struct state_values *values)
{
	for (unsigned u = 0; u < QS_UNIT_COUNT; u++)
		g_free(values->value[u]);
	memset(values, 0, sizeof *values);
}

bool state_values_at(struct qs_timeline *timeline, const struct qs_moment *moment, struct state_values *values,
	struct qs_error *error)
{
	struct qs_moment here = *qs_timeline_moment(timeline);

	if (!qs_timeline_seek(timeline, moment, error))
		return false;
	state_copy_values(timeline, values);
	return qs_timeline_seek(timeline, &here, error);
}

void state_draw_before(const struct qs_capture *capture, const struct qs_moment *moment, struct qs_moment *before)
{
	uint32_t command = moment->level == QS_LEVEL_START ? 0 : moment->command;

	while (command-- > 0)
		if (qs_capture_command(capture, command)->kind == QS_COMMAND_DRAW && qs_moment_of_command(capture, command, before))
			return;
	memset(before, 0, sizeof *before);
	before->draw = QS_NONE;
}

/* ---- selection ---------------------------------------------------------------------------------------------------------- */

struct item {
	enum qs_unit unit;
	const struct qs_register *reg;
	uint32_t value, old, writer;
};

static bool contains_folded(const char *text, const char *folded)
{
	char *mine = g_utf8_casefold(text, -1);
	bool found = strstr(mine, folded) != NULL;

	g_free(mine);
	return found;
}

static bool selected(const struct state_view *view, const struct item *item)
{
	const struct cli_register *wanted = &view->wanted;

	if ((!wanted->any_unit && wanted->unit != item->unit) || (wanted->reg && wanted->reg != item->reg))
		return false;
	if (view->grep && !contains_folded(item->reg->name, view->grep) && !contains_folded(item->reg->group, view->grep))
		return false;
	/* counters and bounding box change with every draw: only when asked for */
	if (view->old && item->unit == QS_UNIT_PE && wanted->any_unit && !view->all)
		return false;
	if (view->old)
		return item->old != item->value;
	return view->all || wanted->reg || item->writer != QS_NONE || item->value != item->reg->reset;
}

static void read_item(const struct state_view *view, enum qs_unit unit, uint32_t index, struct item *item)
{
	const struct qs_timeline *timeline = view->session->timeline;

	item->unit = unit;
	item->reg = qs_register_at(unit, index);
	item->value = qs_timeline_register(timeline, unit, item->reg->address);
	item->writer = qs_timeline_register_writer(timeline, unit, item->reg->address);
	item->old = view->old ? view->old->value[unit][index] : item->value;
}

/* How many registers from index on are words of one matrix row or light: XF memory, names alike up to the last number. */
static uint32_t words_in_row(enum qs_unit unit, uint32_t index)
{
	enum { XF_REGISTERS = 0x1000 };
	const char *name = qs_register_at(unit, index)->name, *last = strrchr(name, '_');
	uint32_t end = index + 1;

	if (unit != QS_UNIT_XF || qs_register_at(unit, index)->address >= XF_REGISTERS || !last || !g_ascii_isdigit(last[1]))
		return 1;
	while (end < qs_register_count(unit) && strncmp(qs_register_at(unit, end)->name, name, (size_t)(last - name) + 1) == 0)
		end++;
	return end - index;
}

/* Calls show for every selected register; with rows, once for a whole row of XF memory of which a word is selected. */
static uint32_t each(const struct state_view *view, bool rows,
	void (*show)(const struct state_view *, const struct item *, unsigned, void *), void *user)
{
	uint32_t count = 0;

	for (unsigned u = 0; u < QS_UNIT_COUNT; u++) {
		uint32_t words = 1;

		for (uint32_t i = 0; i < qs_register_count((enum qs_unit)u); i += words) {
			struct item item[16];
			bool any = false;

			words = rows ? MIN(words_in_row((enum qs_unit)u, i), G_N_ELEMENTS(item)) : 1;
			for (uint32_t w = 0; w < words; w++) {
				read_item(view, (enum qs_unit)u, i + w, &item[w]);
				any |= selected(view, &item[w]);
			}
			if (any)
				show(view, item, words, user);
			count += any;
		}
	}
	return count;
}

static uint32_t now(const struct state_view *view)
{
	const struct qs_moment *moment = qs_timeline_moment(view->session->timeline);

	return moment->level == QS_LEVEL_START ? 0 : moment->command;
}

/* ---- text --------------------------------------------------------------------------------------------------------------- */

/* "ntev 0 -> 2, reject_en none -> all" */
static void append_changes(GString *text, const struct item *item)
{
	for (unsigned i = 0; i < item->reg->field_count; i++) {
		const struct qs_field *field = &item->reg->fields[i];
		char before[64], after[64];

		if (qs_field_raw(field, item->old) == qs_field_raw(field, item->value))
			continue;
		g_string_append_printf(text, "%s%s %s -> %s", text->len ? ", " : "", field->name,
			qs_field_format(field, item->old, before, sizeof before),
			qs_field_format(field, item->value, after, sizeof after));
	}
}

static void writer_text(const struct qs_capture *capture, uint32_t writer, char *buffer, size_t size)
{
	char moment[96], offset[48];

	cli_command_moment(capture, writer, moment, sizeof moment);
	cli_command_offset(capture, writer, offset, sizeof offset);
	if (strcmp(moment, offset) == 0)
		g_strlcpy(buffer, moment, size);
	else
		g_snprintf(buffer, size, "%s (%s)", moment, offset);
}

static void writer_cells(const struct state_view *view, struct cli_table *table, const struct item *item)
{
	char writer[160];

	if (item->writer == QS_NONE)
		g_strlcpy(writer, "initial state", sizeof writer);
	else
		writer_text(view->session->capture, item->writer, writer, sizeof writer);
	cli_table_cell(table, "%s", writer);
	if (item->writer == QS_NONE) {
		cli_table_cell(table, "%s", "");
		cli_table_cell(table, "%s", "");
	} else {
		cli_table_cell(table, "%u", now(view) - item->writer);
		cli_table_cell(table, "%u", cli_draws_between(view->session, item->writer, now(view)));
	}
}

/* Four words of a matrix as numbers; the writer is that of the word written last. */
static void show_words(const struct state_view *view, struct cli_table *table, const struct item *item, unsigned words)
{
	const char *name = item->reg->name;
	const struct item *latest = item;
	GString *values = g_string_new(NULL);
	char number[64];

	for (unsigned w = 0; w < words; w++) {
		if (latest->writer == QS_NONE || (item[w].writer != QS_NONE && item[w].writer > latest->writer))
			latest = &item[w];
		g_string_append_printf(values, "%s%s", w ? "  " : "",
			item->reg->field_count ? qs_field_format(&item[w].reg->fields[0], item[w].value, number, sizeof number) : "?");
	}
	cli_table_cell(table, "%s.%.*s", qs_unit_name(item->unit), (int)(strrchr(name, '_') - name), name);
	cli_table_cell(table, "0x%04x", item->reg->address);
	cli_table_cell(table, "%u words", words);
	writer_cells(view, table, latest);
	cli_table_cell(table, "%s", values->str);
	g_string_free(values, TRUE);
}

static void show_row(const struct state_view *view, const struct item *item, unsigned words, void *user)
{
	const struct qs_register *reg = item->reg;
	int digits = (reg->width + 3) / 4;
	struct cli_table *table = user;
	GString *changes;
	char fields[1024];

	if (words > 1) {
		show_words(view, table, item, words);
		return;
	}
	cli_table_cell(table, "%s.%s", qs_unit_name(item->unit), reg->name);
	cli_table_cell(table, "0x%0*x", item->unit == QS_UNIT_XF ? 4 : 2, reg->address);
	if (view->old)
		cli_table_cell(table, "%0*x -> %0*x", digits, item->old, digits, item->value);
	else
		cli_table_cell(table, "%0*x", digits, item->value);
	writer_cells(view, table, item);
	changes = g_string_new(NULL);
	if (view->old)
		append_changes(changes, item);
	if (changes->len)
		cli_table_cell(table, "%s", changes->str);
	else
		cli_table_cell(table, "%s", qs_register_format(reg, item->value, fields, sizeof fields));
	g_string_free(changes, TRUE);
}

static const char *enum_name(const struct qs_field *field, uint32_t raw)
{
	for (const struct qs_enum_value *value = field->values; value && value->name; value++)
		if (value->value == raw)
			return value->name;
	return NULL;
}

/* One register asked for by name: a line per field with its sentence. */
static void show_full(const struct state_view *view, const struct item *item, unsigned words, void *user)
{
	const struct qs_register *reg = item->reg;
	struct cli_table *table = cli_table_new("lllll");
	FILE *out = user;
	char age[64], writer[160] = "";

	(void)words;
	fprintf(out, "%s.%s = 0x%0*x  (address 0x%02x, group %s)\n", qs_unit_name(item->unit), reg->name, (reg->width + 3) / 4,
		item->value, reg->address, reg->group);
	if (item->writer != QS_NONE)
		writer_text(view->session->capture, item->writer, writer, sizeof writer);
	fprintf(out, "  written by %s%s%s\n", item->writer == QS_NONE ? "the initial state" : writer,
		item->writer == QS_NONE ? "" : ", ",
		item->writer == QS_NONE ? "" : cli_age(view->session, item->writer, now(view), age, sizeof age));
	for (unsigned i = 0; i < reg->field_count; i++) {
		const struct qs_field *field = &reg->fields[i];
		char value[64];

		if (view->wanted.field && view->wanted.field != field)
			continue;
		cli_table_cell(table, "%s", field->name);
		if (field->bits == 1)
			cli_table_cell(table, "[%u]", field->lsb);
		else
			cli_table_cell(table, "[%u:%u]", field->lsb + field->bits - 1, field->lsb);
		cli_table_cell(table, "%s", qs_field_format(field, item->value, value, sizeof value));
		cli_table_cell(table, "0x%x", qs_field_raw(field, item->value));
		cli_table_cell(table, "%s", field->text ? field->text : "");
	}
	cli_table_print(table, out, 2);
}

uint32_t state_print(const struct state_view *view, FILE *out)
{
	struct cli_table *table;
	uint32_t count;

	if (view->wanted.reg && !view->old)
		return each(view, false, show_full, out);
	table = cli_table_new("llllrrl");
	cli_table_head(table, "register", "addr", "value", "written by", "commands ago", "draws ago", view->old ? "changed fields" : "fields");
	count = each(view, !view->old, show_row, table);
	cli_table_print(table, out, 0);
	return count;
}

/* ---- JSON --------------------------------------------------------------------------------------------------------------- */

static void show_json(const struct state_view *view, const struct item *item, unsigned words, void *user)
{
	const struct qs_register *reg = item->reg;
	const struct qs_capture *capture = view->session->capture;
	struct cli_json *json = user;
	uint32_t at = now(view);
	char text[96];

	(void)words;
	json_row(json, NULL);
	json_string(json, "unit", qs_unit_name(item->unit));
	json_string(json, "name", reg->name);
	json_uint(json, "address", reg->address);
	json_uint(json, "value", item->value);
	if (view->old)
		json_uint(json, "old_value", item->old);
	if (item->writer == QS_NONE) {
		json_string(json, "writer", NULL);
	} else {
		json_string(json, "writer", cli_command_moment(capture, item->writer, text, sizeof text));
		json_string(json, "writer_offset", cli_command_offset(capture, item->writer, text, sizeof text));
		json_uint(json, "writer_file_offset", qs_capture_command_file_offset(capture, item->writer));
		json_uint(json, "commands_ago", at - item->writer);
		json_uint(json, "draws_ago", cli_draws_between(view->session, item->writer, at));
	}
	json_object(json, "fields");
	for (unsigned i = 0; i < reg->field_count; i++) {
		const struct qs_field *field = &reg->fields[i];
		const char *name = enum_name(field, qs_field_raw(field, item->value));

		if (view->wanted.field && view->wanted.field != field)
			continue;
		if (name)
			json_string(json, field->name, name);
		else if (field->kind == QS_FIELD_BOOL)
			json_bool(json, field->name, qs_field_raw(field, item->value) != 0);
		else
			json_number(json, field->name, qs_field_number(field, item->value));
	}
	json_object_end(json);
	json_object_end(json);
}

uint32_t state_json(const struct state_view *view, struct cli_json *json)
{
	return each(view, false, show_json, json);
}
