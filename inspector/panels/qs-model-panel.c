/* qs-model-panel.c - see the header
 *
 * A row per quirk: its value now, and the three models' values as links that set it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-model-panel.h"
#include <string.h>
#include "qs-machine.h"
#include "widgets/qs-column.h"

struct _QsModelPanel {
	QsPanel parent_instance;
	GtkColumnView *list;
	GtkLabel *title;
	GtkSearchEntry *filter;
	GtkToggleButton *differing;
	GtkButton *reset;
	QsCounter *model;
	GArray *rows; /* guint32: number of the quirk */
	enum qs_machine machine; /* whose quirks they are */
	GtkColumnViewColumn *column[QS_MODELS];
};

G_DEFINE_FINAL_TYPE(QsModelPanel, qs_model_panel, QS_TYPE_PANEL)

#define SESSION(self) qs_panel_get_session(QS_PANEL(self))

/* ---- rows --------------------------------------------------------------------------------------------------------------- */

static gboolean changed_by_hand(const QsView *view, guint32 i)
{
	return view->quirks[i] != qs_machine_quirk(qs_view_machine(view), i).value[view->model];
}

static gboolean matches(QsModelPanel *self, const QsView *view, guint32 i)
{
	const QsQuirk quirk = qs_machine_quirk(qs_view_machine(view), i);
	const char *wanted = gtk_editable_get_text(GTK_EDITABLE(self->filter));
	gboolean differs = changed_by_hand(view, i);

	for (guint m = 1; m < QS_MODELS; m++)
		differs |= quirk.value[m] != quirk.value[0];
	if (gtk_toggle_button_get_active(self->differing) && !differs)
		return FALSE;
	return g_str_match_string(wanted, quirk.name, TRUE) || g_str_match_string(wanted, quirk.text, TRUE) ||
		strstr(quirk.name, wanted) != NULL;
}

static void show_title(QsModelPanel *self, const QsView *view)
{
	g_autofree char *text = NULL;
	guint changed = 0;

	for (guint32 i = 0; i < qs_machine_quirk_count(qs_view_machine(view)); i++)
		changed += changed_by_hand(view, i);
	text = changed ? g_strdup_printf("%s with %u quirk%s changed", qs_view_model_name(view), changed, changed == 1 ? "" : "s") :
		g_strdup_printf("%s", qs_view_model_name(view));
	gtk_label_set_text(self->title, text);
	gtk_widget_set_sensitive(GTK_WIDGET(self->reset), changed > 0);
}

static void refilter(QsModelPanel *self)
{
	QsView *view = qs_session_get_view(SESSION(self));
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(guint32));

	for (guint32 i = 0; view && i < qs_machine_quirk_count(qs_view_machine(view)); i++)
		if (matches(self, view, i))
			g_array_append_val(rows, i);
	/* while the rows stay the same only their texts are asked for again: the place in the list is kept */
	if (rows->len == self->rows->len && (!rows->len || !memcmp(rows->data, self->rows->data, rows->len * sizeof(guint32)))) {
		g_array_unref(rows);
		qs_column_refresh_all(self->list);
		return;
	}
	g_array_unref(self->rows);
	self->rows = rows;
	qs_counter_set(self->model, rows->len);
}

static void qs_model_panel_update(QsPanel *panel, guint changes)
{
	QsModelPanel *self = QS_MODEL_PANEL(panel);
	QsView *view = qs_session_get_view(SESSION(self));

	if (!(changes & (QS_CHANGE_VIEW | QS_CHANGE_CAPTURE)))
		return;
	qs_panel_set_empty(panel, view ? NULL : "Open a capture: the quirks of its model are listed here.");
	if (!view)
		return;
	if (self->machine != qs_view_machine(view)) { /* the numbers in the rows mean other quirks */
		self->machine = qs_view_machine(view);
		qs_counter_set(self->model, 0);
		g_array_set_size(self->rows, 0);
		for (guint m = 0; m < QS_MODELS; m++)
			gtk_column_view_column_set_title(self->column[m], qs_machine_model_name(self->machine, m));
	}
	show_title(self, view);
	refilter(self);
}

static void reset_quirks(QsModelPanel *self)
{
	qs_session_reset_quirks(SESSION(self));
}

/* ---- cells -------------------------------------------------------------------------------------------------------------- */

static guint32 quirk_of(gpointer item, gpointer user)
{
	return g_array_index(QS_MODEL_PANEL(user)->rows, guint32, qs_number_get(item));
}

static QsQuirk quirk_at(gpointer item, gpointer user)
{
	return qs_machine_quirk(qs_view_machine(qs_session_get_view(SESSION(user))), quirk_of(item, user));
}

static char *name_text(gpointer item, gpointer user)
{
	return g_strdup(quirk_at(item, user).name);
}

static char *value_text(gpointer item, gpointer user)
{
	QsView *view = qs_session_get_view(SESSION(user));
	const guint32 i = quirk_of(item, user);

	if (!view)
		return g_strdup("");
	return g_strdup_printf(changed_by_hand(view, i) ? "<b>%d</b>" : "%d", view->quirks[i]);
}

static char *model_text(gpointer item, gpointer user, guint model)
{
	QsView *view = qs_session_get_view(SESSION(user));
	const guint32 i = quirk_of(item, user);
	const QsQuirk quirk = quirk_at(item, user);

	if (!view || view->quirks[i] == quirk.value[model])
		return g_strdup_printf("%d", quirk.value[model]);
	return g_strdup_printf("<a href=\"quirk:%s=%d\">%d</a>", quirk.name, quirk.value[model], quirk.value[model]);
}

static char *first_text(gpointer item, gpointer user)
{
	return model_text(item, user, 0);
}

static char *second_text(gpointer item, gpointer user)
{
	return model_text(item, user, 1);
}

static char *third_text(gpointer item, gpointer user)
{
	return model_text(item, user, 2);
}

static char *meaning_text(gpointer item, gpointer user)
{
	return g_markup_escape_text(quirk_at(item, user).text, -1);
}

static void qs_model_panel_constructed(GObject *object)
{
	static const QsColumnText text[QS_MODELS] = {first_text, second_text, third_text};
	static const int width[QS_MODELS] = {72, 60, 80};
	QsModelPanel *self = QS_MODEL_PANEL(object);
	GtkSelectionModel *selection;

	G_OBJECT_CLASS(qs_model_panel_parent_class)->constructed(object);
	qs_column_add(self->list, "Quirk", 136, TRUE, name_text, self, QS_PANEL(self));
	qs_column_add(self->list, "Now", 40, TRUE, value_text, self, QS_PANEL(self));
	for (guint m = 0; m < QS_MODELS; m++)
		self->column[m] = qs_column_add(self->list, qs_machine_model_name(self->machine, m), width[m], TRUE, text[m], self, QS_PANEL(self));
	qs_column_add(self->list, "Meaning", -1, FALSE, meaning_text, self, QS_PANEL(self));
	selection = GTK_SELECTION_MODEL(gtk_no_selection_new(g_object_ref(G_LIST_MODEL(self->model))));
	gtk_column_view_set_model(self->list, selection);
	g_object_unref(selection);
}

static void qs_model_panel_dispose(GObject *object)
{
	QsModelPanel *self = QS_MODEL_PANEL(object);

	if (self->model)
		qs_counter_set(self->model, 0);
	g_clear_object(&self->model);
	G_OBJECT_CLASS(qs_model_panel_parent_class)->dispose(object);
}

static void qs_model_panel_finalize(GObject *object)
{
	g_array_unref(QS_MODEL_PANEL(object)->rows);
	G_OBJECT_CLASS(qs_model_panel_parent_class)->finalize(object);
}

static void qs_model_panel_init(QsModelPanel *self)
{
	self->rows = g_array_new(FALSE, FALSE, sizeof(guint32));
	self->model = qs_counter_new();
	gtk_widget_init_template(GTK_WIDGET(self));
}

static void qs_model_panel_class_init(QsModelPanelClass *klass)
{
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

	G_OBJECT_CLASS(klass)->constructed = qs_model_panel_constructed;
	G_OBJECT_CLASS(klass)->dispose = qs_model_panel_dispose;
	G_OBJECT_CLASS(klass)->finalize = qs_model_panel_finalize;
	QS_PANEL_CLASS(klass)->update = qs_model_panel_update;
	gtk_widget_class_set_template_from_resource(widget_class, QS_RESOURCE "panels/qs-model-panel.ui");
	gtk_widget_class_bind_template_child(widget_class, QsModelPanel, list);
	gtk_widget_class_bind_template_child(widget_class, QsModelPanel, title);
	gtk_widget_class_bind_template_child(widget_class, QsModelPanel, filter);
	gtk_widget_class_bind_template_child(widget_class, QsModelPanel, differing);
	gtk_widget_class_bind_template_child(widget_class, QsModelPanel, reset);
	gtk_widget_class_bind_template_callback(widget_class, refilter);
	gtk_widget_class_bind_template_callback(widget_class, reset_quirks);
}
