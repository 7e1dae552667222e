/* register-text.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "register-text.h"
#include <string.h>
#include "panels.h"

#define CHANGED "<span foreground='#d9660a' weight='bold'>%s</span>"

/* ---- draws -------------------------------------------------------------------------------------------------------------- */

QsDrawCounts *qs_draw_counts_new(QsCapture *capture)
{
	QsDrawCounts *self = g_new0(QsDrawCounts, 1);
	const guint32 count = qs_capture_info(capture->capture)->command_count;

	self->capture = qs_capture_ref(capture);
	self->draws = g_new(guint32, count + 1);
	self->draws[0] = 0;
	for (guint32 i = 0; i < count; i++)
		self->draws[i + 1] = self->draws[i] + (qs_capture_command(capture->capture, i)->draw != QS_NONE);
	return self;
}

void qs_draw_counts_free(QsDrawCounts *self)
{
	if (!self)
		return;
	qs_capture_unref(self->capture);
	g_free(self->draws);
	g_free(self);
}

/* ---- values ------------------------------------------------------------------------------------------------------------- */

static guint32 value_of(const QsView *view, const QsRegisterRow *row)
{
	return qs_view_register(view, row->unit, row->reg->address);
}

static const struct qs_register *word(const QsRegisterRow *row, guint i)
{
	return qs_register_find(row->unit, row->reg->address + i);
}

/* The command that wrote the row last; of several words the latest. */
static guint32 writer_of(const QsRegisterTexts *t, const QsRegisterRow *row)
{
	guint32 latest = qs_view_register_writer(t->view, row->unit, row->reg->address);

	for (guint i = 1; row->kind == QS_REGISTER_WORDS && i < row->count; i++) {
		const guint32 writer = qs_view_register_writer(t->view, row->unit, row->reg->address + i);

		if (latest == QS_NONE || (writer != QS_NONE && writer > latest))
			latest = writer;
	}
	return latest;
}

static char *marked(const QsRegisterTexts *t, QsRegisterRow *row, const char *text)
{
	g_autofree char *escaped = g_markup_escape_text(text, -1);

	return qs_register_model_changed(t->model, row) ? g_strdup_printf(CHANGED, escaped) : g_steal_pointer(&escaped);
}

/* ---- cells -------------------------------------------------------------------------------------------------------------- */

/* "POSMTX_0" of "POSMTX_0_0" */
static char *row_name(const struct qs_register *reg)
{
	return g_strndup(reg->name, (gsize)(strrchr(reg->name, '_') - reg->name));
}

char *qs_register_row_name(const QsRegisterTexts *t, QsRegisterRow *row)
{
	const char *group = qs_register_model_group_name(t->model, row->group);
	g_autofree char *unit = g_ascii_strup(qs_unit_name(row->unit), -1);

	switch (row->kind) {
	case QS_REGISTER_GROUP:
		if (g_str_has_prefix(group, unit))
			return g_strdup_printf("<b>%s</b>", group);
		return g_strdup_printf("<b>%s %s</b>", unit, group);
	case QS_REGISTER_WORDS:
		return row_name(row->reg);
	case QS_REGISTER_WHOLE:
		return g_strdup(row->reg->name);
	case QS_REGISTER_FIELD:
		return g_strdup(row->field->name);
	}
	return NULL;
}

char *qs_register_row_address(const QsRegisterTexts *t, QsRegisterRow *row)
{
	const int digits = row->unit == QS_UNIT_XF ? 4 : row->unit == QS_UNIT_BP ? 3 : 2;

	(void)t;
	if (row->kind == QS_REGISTER_GROUP)
		return NULL;
	if (row->kind == QS_REGISTER_FIELD)
		return row->field->bits == 1 ? g_strdup_printf("<span alpha='60%%'>[%u]</span>", row->field->lsb) :
			g_strdup_printf("<span alpha='60%%'>[%u:%u]</span>", row->field->lsb + row->field->bits - 1u, row->field->lsb);
	return g_strdup_printf("<span alpha='60%%'>%0*x</span>", digits, row->reg->address);
}

char *qs_register_row_value(const QsRegisterTexts *t, QsRegisterRow *row)
{
	char text[32];

	if (row->kind == QS_REGISTER_GROUP || row->kind == QS_REGISTER_WORDS)
		return NULL;
	if (row->kind == QS_REGISTER_FIELD)
		g_snprintf(text, sizeof text, "0x%x", qs_field_raw(row->field, value_of(t->view, row)));
	else
		g_snprintf(text, sizeof text, "0x%0*x", row->reg->width / 4, value_of(t->view, row));
	return marked(t, row, text);
}

static char *words_meaning(const QsRegisterTexts *t, QsRegisterRow *row)
{
	GString *s = g_string_new(NULL);
	char text[64];

	for (guint i = 0; i < row->count; i++) {
		const struct qs_register *reg = word(row, i);

		if (reg && reg->field_count == 1)
			g_string_append_printf(s, "%s%10s", i ? " " : "",
				qs_field_format(&reg->fields[0], qs_view_register(t->view, row->unit, reg->address), text, sizeof text));
	}
	return g_string_free(s, FALSE);
}

static char *fields_changed(const QsRegisterTexts *t, QsRegisterRow *row)
{
	const guint32 now = value_of(t->view, row), old = value_of(t->before, row);
	GString *s = g_string_new(NULL);
	char a[128], b[128];

	for (guint f = 0; f < row->reg->field_count; f++) {
		const struct qs_field *field = &row->reg->fields[f];

		if (qs_field_raw(field, now) != qs_field_raw(field, old))
			g_string_append_printf(s, "%s%s %s → %s", s->len ? ", " : "", field->name,
				qs_field_format(field, old, a, sizeof a), qs_field_format(field, now, b, sizeof b));
	}
	return g_string_free(s, FALSE);
}

char *qs_register_row_meaning(const QsRegisterTexts *t, QsRegisterRow *row)
{
	g_autofree char *plain = NULL;
	char text[1024], old[128];

	switch (row->kind) {
	case QS_REGISTER_GROUP:
		plain = g_strdup_printf("%u register%s", row->count, row->count == 1 ? "" : "s");
		return qs_register_model_changed(t->model, row) ? g_strdup_printf("<span alpha='60%%'>%s,</span> " CHANGED, plain, "changed") :
			g_strdup_printf("<span alpha='60%%'>%s</span>", plain);
	case QS_REGISTER_WORDS:
		plain = words_meaning(t, row);
		return marked(t, row, plain);
	case QS_REGISTER_WHOLE:
		qs_register_format(row->reg, value_of(t->view, row), text, sizeof text);
		return g_markup_escape_text(text, -1);
	case QS_REGISTER_FIELD:
		qs_field_format(row->field, value_of(t->view, row), text, sizeof text);
		if (t->before && qs_register_model_changed(t->model, row)) {
			g_strlcat(text, "  was ", sizeof text);
			g_strlcat(text, qs_field_format(row->field, value_of(t->before, row), old, sizeof old), sizeof text);
		}
		return marked(t, row, text);
	}
	return NULL;
}

static void age(const QsRegisterTexts *t, guint32 writer, guint32 *commands, guint32 *draws)
{
	const guint32 now = t->view->moment.level == QS_LEVEL_START ? 0 : t->view->moment.command;

	*commands = now >= writer ? now - writer : 0;
	*draws = now >= writer && t->counts ? t->counts->draws[now + 1] - t->counts->draws[writer + 1] : 0; /* with the current one */
}

char *qs_register_row_age(const QsRegisterTexts *t, QsRegisterRow *row)
{
	guint32 commands, draws, writer;

	if (row->kind == QS_REGISTER_GROUP || row->kind == QS_REGISTER_FIELD)
		return NULL;
	writer = writer_of(t, row);
	if (writer == QS_NONE)
		return NULL;
	age(t, writer, &commands, &draws);
	if (draws > 1)
		return g_strdup_printf("%5u d", draws);
	return g_strdup_printf("%5u c", commands);
}

char *qs_register_row_writer(const QsRegisterTexts *t, QsRegisterRow *row)
{
	guint32 writer;

	if (row->kind == QS_REGISTER_GROUP || row->kind == QS_REGISTER_FIELD)
		return NULL;
	writer = writer_of(t, row);
	return writer == QS_NONE ? g_strdup("<span alpha='50%'>initial</span>") : qs_link_command(t->view->capture->capture, writer);
}

/* ---- tooltips ----------------------------------------------------------------------------------------------------------- */

char *qs_register_row_tooltip(const QsRegisterTexts *t, QsRegisterRow *row)
{
	g_autofree char *text = NULL, *source = NULL, *words = NULL;

	(void)t;
	if (row->kind == QS_REGISTER_GROUP)
		return NULL;
	text = g_markup_escape_text(row->field ? row->field->text : row->reg->text, -1);
	source = g_markup_escape_text(row->reg->source, -1);
	words = row->kind == QS_REGISTER_WORDS ? row_name(row->reg) : g_strdup(row->reg->name);
	return g_strdup_printf("<b>%s.%s%s%s</b>  address 0x%x%s\n%s\n<small>Specification: %s</small>", qs_unit_name(row->unit), words,
		row->field ? "." : "", row->field ? row->field->name : "", row->reg->address,
		row->reg->acts && !row->field ? ", acts when it is written" : "", text, source);
}

static void append_bits(GString *s, guint32 value, guint bits)
{
	for (guint i = bits; i-- > 0;)
		g_string_append_printf(s, "%u%s", value >> i & 1, i && i % 4 == 0 ? " " : "");
}

static void append_fields(GString *s, const QsRegisterRow *row, guint32 value)
{
	char text[128];

	for (guint f = 0; f < row->reg->field_count; f++) {
		g_autofree char *meaning = g_markup_escape_text(qs_field_format(&row->reg->fields[f], value, text, sizeof text), -1);

		g_string_append_printf(s, "\n<tt>%-14s %s</tt>", row->reg->fields[f].name, meaning);
	}
}

char *qs_register_row_value_tooltip(const QsRegisterTexts *t, QsRegisterRow *row)
{
	GString *s;
	guint32 value;
	guint bits;

	if (row->kind == QS_REGISTER_GROUP || row->kind == QS_REGISTER_WORDS)
		return NULL;
	bits = row->field ? row->field->bits : row->reg->width;
	value = row->field ? qs_field_raw(row->field, value_of(t->view, row)) : value_of(t->view, row);
	s = g_string_new(NULL);
	g_string_append_printf(s, "<tt>%u = 0x%x\n", value, value);
	append_bits(s, value, bits);
	g_string_append(s, "</tt>");
	if (!row->field)
		append_fields(s, row, value);
	if (t->before && qs_register_model_changed(t->model, row)) {
		g_autofree char *changes = fields_changed(t, row);
		g_autofree char *escaped = g_markup_escape_text(changes, -1);

		g_string_append_printf(s, "\nchanged since %s: 0x%0*x → 0x%0*x\n%s", t->before->text, row->reg->width / 4,
			value_of(t->before, row), row->reg->width / 4, value_of(t->view, row), escaped);
	}
	return g_string_free(s, FALSE);
}

char *qs_register_row_writer_tooltip(const QsRegisterTexts *t, QsRegisterRow *row)
{
	g_autofree char *escaped = NULL;
	guint32 commands, draws, writer;
	char text[512];

	if (row->kind == QS_REGISTER_GROUP)
		return NULL;
	writer = writer_of(t, row);
	if (writer == QS_NONE)
		return g_strdup("No command of the capture has written it before this moment:\nthe value is that of the initial state.");
	age(t, writer, &commands, &draws);
	escaped = g_markup_escape_text(qs_command_text(t->view->capture->capture, writer, text, sizeof text), -1);
	return g_strdup_printf("<tt>%s</tt>\n%u command%s and %u draw%s ago", escaped, commands, commands == 1 ? "" : "s", draws,
		draws == 1 ? "" : "s");
}

char *qs_register_row_copy(const QsRegisterTexts *t, QsRegisterRow *row)
{
	switch (row->kind) {
	case QS_REGISTER_GROUP:
		return NULL;
	case QS_REGISTER_WORDS:
		return words_meaning(t, row);
	case QS_REGISTER_WHOLE:
		return g_strdup_printf("0x%0*x", row->reg->width / 4, value_of(t->view, row));
	case QS_REGISTER_FIELD:
		return g_strdup_printf("0x%x", qs_field_raw(row->field, value_of(t->view, row)));
	}
	return NULL;
}
