/* qs-differences-panel.c - see the header
 *
 * From A to B, where they are marked; else from the draw before to the current moment.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-differences-panel.h"
#include "qs-request.h"
#include "widgets/qs-column.h"

typedef struct {
	const struct qs_register *reg;
	const struct qs_field *field; /* NULL: a register without fields */
} Row;

struct _QsDifferencesPanel {
	QsPanel parent_instance;
	GtkColumnView *list;
	GtkLabel *title;
	QsCounter *model;
	GArray *rows; /* Row */
	QsView *from, *to;
};

G_DEFINE_FINAL_TYPE(QsDifferencesPanel, qs_differences_panel, QS_TYPE_PANEL)

#define SESSION(self) qs_panel_get_session(QS_PANEL(self))

static const char from_lane, to_lane;

static void draw_before(QsView *view, struct qs_moment *moment)
{
	const struct qs_capture *file = view->capture->capture;
	guint32 draw = view->moment.level >= QS_LEVEL_DRAW ? view->moment.draw : QS_NONE;

	if (draw != QS_NONE && draw > 0)
		qs_moment_of_command(file, qs_capture_draw_command(file, view->moment.frame, draw - 1), moment);
	else
		qs_moment_before(view, moment);
}

static void wanted(QsDifferencesPanel *self, struct qs_moment *from, struct qs_moment *to)
{
	QsView *view = qs_session_get_view(SESSION(self));

	if (!qs_session_get_mark(SESSION(self), 0, from))
		draw_before(view, from);
	if (!qs_session_get_mark(SESSION(self), 1, to))
		*to = view->moment;
}

/* ---- rows --------------------------------------------------------------------------------------------------------------- */

static void compare(QsDifferencesPanel *self)
{
	g_array_set_size(self->rows, 0);
	for (guint u = 0; u < QS_UNIT_COUNT; u++) {
		const enum qs_unit unit = (enum qs_unit)u;

		for (guint i = 0; i < qs_register_count(unit); i++) {
			const struct qs_register *reg = qs_register_at(unit, i);
			const guint32 a = qs_view_register(self->from, unit, reg->address);
			const guint32 b = qs_view_register(self->to, unit, reg->address);
			gboolean named = FALSE;

			for (guint f = 0; a != b && f < reg->field_count; f++)
				if (qs_field_raw(&reg->fields[f], a) != qs_field_raw(&reg->fields[f], b)) {
					const Row row = {reg, &reg->fields[f]};

					g_array_append_val(self->rows, row);
					named = TRUE;
				}
			if (a != b && !named) {
				const Row row = {reg, NULL};

				g_array_append_val(self->rows, row);
			}
		}
	}
	qs_counter_set(self->model, self->rows->len);
}

static void show(QsDifferencesPanel *self)
{
	g_autofree char *from = NULL, *to = NULL, *text = NULL;
	struct qs_moment ignored;

	if (!self->from || !self->to)
		return;
	compare(self);
	from = qs_link_moment(self->from->text);
	to = qs_link_moment(self->to->text);
	text = g_strdup_printf("%s %s  to  %s %s:  %u field%s", qs_session_get_mark(SESSION(self), 0, &ignored) ? "A" : "previous draw",
		from, qs_session_get_mark(SESSION(self), 1, &ignored) ? "B" : "now", to, self->rows->len,
		self->rows->len == 1 ? "" : "s");
	gtk_label_set_markup(self->title, text);
}

static void got_from(GObject *owner, QsView *view, const struct qs_error *error)
{
	QsDifferencesPanel *self = QS_DIFFERENCES_PANEL(owner);

	if (error)
		return;
	g_clear_pointer(&self->from, qs_view_unref);
	self->from = qs_view_ref(view);
	show(self);
}

static void got_to(GObject *owner, QsView *view, const struct qs_error *error)
{
	QsDifferencesPanel *self = QS_DIFFERENCES_PANEL(owner);

	if (error)
		return;
	g_clear_pointer(&self->to, qs_view_unref);
	self->to = qs_view_ref(view);
	show(self);
}

static gboolean have(QsView *side, QsView *now, const struct qs_moment *moment)
{
	return side && side->capture == now->capture && side->model == now->model &&
		qs_moment_compare(&side->moment, moment) == 0;
}

static void qs_differences_panel_update(QsPanel *panel, guint changes)
{
	QsDifferencesPanel *self = QS_DIFFERENCES_PANEL(panel);
	QsView *view = qs_session_get_view(SESSION(self));
	struct qs_moment from, to;

	if (!view || !(changes & (QS_CHANGE_VIEW | QS_CHANGE_MARKS | QS_CHANGE_CAPTURE)))
		return;
	wanted(self, &from, &to);
	if (!have(self->to, view, &to)) {
		g_clear_pointer(&self->to, qs_view_unref);
		if (have(view, view, &to))
			self->to = qs_view_ref(view);
		else
			qs_request_view(SESSION(self), G_OBJECT(self), &to_lane, &to, 0, got_to);
	}
	if (!have(self->from, view, &from)) {
		g_clear_pointer(&self->from, qs_view_unref);
		qs_request_view(SESSION(self), G_OBJECT(self), &from_lane, &from, 0, got_from);
	}
	show(self);
}

/* ---- cells -------------------------------------------------------------------------------------------------------------- */

static const Row *row_of(QsDifferencesPanel *self, gpointer item)
{
	return &g_array_index(self->rows, Row, qs_number_get(item));
}

static char *name_text(gpointer item, gpointer user)
{
	const Row *row = row_of(user, item);
	const char *unit = qs_unit_name((enum qs_unit)row->reg->unit);

	if (row->field)
		return g_strdup_printf("<a href=\"register:%s.%s.%s\">%s.%s.%s</a>", unit, row->reg->name, row->field->name, unit,
			row->reg->name, row->field->name);
	return g_strdup_printf("<a href=\"register:%s.%s\">%s.%s</a>", unit, row->reg->name, unit, row->reg->name);
}

static char *value_text(const Row *row, const QsView *view)
{
	const guint32 value = qs_view_register(view, (enum qs_unit)row->reg->unit, row->reg->address);
	char text[128];

	if (!row->field)
		return g_strdup_printf("0x%0*x", row->reg->width / 4, value);
	return g_markup_escape_text(qs_field_format(row->field, value, text, sizeof text), -1);
}

static char *from_text(gpointer item, gpointer user)
{
	return value_text(row_of(user, item), QS_DIFFERENCES_PANEL(user)->from);
}

static char *to_text(gpointer item, gpointer user)
{
	return value_text(row_of(user, item), QS_DIFFERENCES_PANEL(user)->to);
}

static char *writer_text(gpointer item, gpointer user)
{
	QsDifferencesPanel *self = user;
	const Row *row = row_of(self, item);

	return qs_link_command(self->to->capture->capture,
		qs_view_register_writer(self->to, (enum qs_unit)row->reg->unit, row->reg->address));
}

static void qs_differences_panel_constructed(GObject *object)
{
	QsDifferencesPanel *self = QS_DIFFERENCES_PANEL(object);
	GtkSelectionModel *selection;

	G_OBJECT_CLASS(qs_differences_panel_parent_class)->constructed(object);
	qs_column_add(self->list, "Field", -1, TRUE, name_text, self, QS_PANEL(self));
	qs_column_add(self->list, "From", 150, TRUE, from_text, self, QS_PANEL(self));
	qs_column_add(self->list, "To", 150, TRUE, to_text, self, QS_PANEL(self));
	qs_column_add(self->list, "Written by", 100, TRUE, writer_text, self, QS_PANEL(self));
	selection = GTK_SELECTION_MODEL(gtk_no_selection_new(g_object_ref(G_LIST_MODEL(self->model))));
	gtk_column_view_set_model(self->list, selection);
	g_object_unref(selection);
}

static void qs_differences_panel_dispose(GObject *object)
{
	QsDifferencesPanel *self = QS_DIFFERENCES_PANEL(object);

	if (self->model)
		qs_counter_set(self->model, 0);
	g_clear_object(&self->model);
	g_clear_pointer(&self->from, qs_view_unref);
	g_clear_pointer(&self->to, qs_view_unref);
	G_OBJECT_CLASS(qs_differences_panel_parent_class)->dispose(object);
}

static void qs_differences_panel_finalize(GObject *object)
{
	g_array_unref(QS_DIFFERENCES_PANEL(object)->rows);
	G_OBJECT_CLASS(qs_differences_panel_parent_class)->finalize(object);
}

static void qs_differences_panel_init(QsDifferencesPanel *self)
{
	self->rows = g_array_new(FALSE, FALSE, sizeof(Row));
	self->model = qs_counter_new();
	gtk_widget_init_template(GTK_WIDGET(self));
	qs_panel_watch_links(QS_PANEL(self), self->title);
}

static void qs_differences_panel_class_init(QsDifferencesPanelClass *klass)
{
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

	G_OBJECT_CLASS(klass)->constructed = qs_differences_panel_constructed;
	G_OBJECT_CLASS(klass)->dispose = qs_differences_panel_dispose;
	G_OBJECT_CLASS(klass)->finalize = qs_differences_panel_finalize;
	QS_PANEL_CLASS(klass)->update = qs_differences_panel_update;
	gtk_widget_class_set_template_from_resource(widget_class, QS_RESOURCE "panels/qs-differences-panel.ui");
	gtk_widget_class_bind_template_child(widget_class, QsDifferencesPanel, list);
	gtk_widget_class_bind_template_child(widget_class, QsDifferencesPanel, title);
}
