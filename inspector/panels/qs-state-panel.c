/* qs-state-panel.c - see the header
 *
 * Rows come with those of the draw before, so that what changed since is marked.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-state-panel.h"
#include <stdlib.h>
#include <string.h>
#include "qs-gfx3d.h"
#include "qs-machine.h"
#include "widgets/qs-column.h"

#define CHANGED "<span weight='bold' foreground='#e66100'>%s</span>"

struct _QsStatePanel {
	QsPanel parent_instance;
	GtkColumnView *list;
	GtkToggleButton *any, *contexts, *uniforms, *objects, *counters, *changed;
	GtkSearchEntry *filter;
	GtkLabel *count, *nothing;
	QsCounter *model;
	GArray *shown;        /* guint: numbers of rows */
	QsRowsAnswer rows;
	QsView *view;         /* that the rows are of */
	gboolean *is_changed; /* rows.count */
};

G_DEFINE_FINAL_TYPE(QsStatePanel, qs_state_panel, QS_TYPE_PANEL)

#define SESSION(self) qs_panel_get_session(QS_PANEL(self))

/* ---- which rows --------------------------------------------------------------------------------------------------------- */

static gboolean contains(const struct qs_gfx3d_row *row, const char *word)
{
	const char *const where[] = {row->group, row->name, row->type, row->value, row->note};

	for (guint i = 0; i < G_N_ELEMENTS(where); i++) {
		g_autofree char *text = g_utf8_strdown(where[i], -1);

		if (strstr(text, word))
			return TRUE;
	}
	return FALSE;
}

static gboolean matches(QsStatePanel *self, guint i, char **words)
{
	const struct qs_gfx3d_row *row = &self->rows.rows[i];
	GtkToggleButton *const button[QS_GFX3D_UNIT_COUNT] = {[QS_GFX3D_CONTEXTS] = self->contexts, [QS_GFX3D_UNIFORMS] = self->uniforms,
		[QS_GFX3D_OBJECTS] = self->objects, [QS_GFX3D_COUNTERS] = self->counters};

	if (!gtk_toggle_button_get_active(self->any) && !gtk_toggle_button_get_active(button[row->unit % QS_GFX3D_UNIT_COUNT]))
		return FALSE;
	if (gtk_toggle_button_get_active(self->changed) && !self->is_changed[i])
		return FALSE;
	for (guint w = 0; words[w]; w++)
		if (words[w][0] && !contains(row, words[w]))
			return FALSE;
	return TRUE;
}

static void refilter(QsStatePanel *self)
{
	g_autofree char *lower = g_utf8_strdown(gtk_editable_get_text(GTK_EDITABLE(self->filter)), -1), *text = NULL, *nothing = NULL;
	g_auto(GStrv) words = g_strsplit(lower, " ", -1);
	GArray *shown = g_array_new(FALSE, FALSE, sizeof(guint));

	if (!self->model) { /* the template is being made */
		g_array_unref(shown);
		return;
	}
	for (guint i = 0; i < self->rows.count; i++)
		if (matches(self, i, words))
			g_array_append_val(shown, i);
	text = g_strdup_printf("%u", shown->len);
	gtk_label_set_text(self->count, text);
	nothing = gtk_toggle_button_get_active(self->changed) && !lower[0] ?
		g_strdup_printf("Nothing changed since the draw before, %s.", self->rows.before_text) : g_strdup("Nothing matches.");
	gtk_label_set_text(self->nothing, nothing);
	gtk_widget_set_visible(GTK_WIDGET(self->nothing), shown->len == 0 && self->rows.count);
	/* while the rows stay the same only their texts are asked for again: the place in the list is kept */
	if (shown->len == self->shown->len && (!shown->len || !memcmp(shown->data, self->shown->data, shown->len * sizeof(guint)))) {
		g_array_unref(shown);
		qs_column_refresh_all(self->list);
		return;
	}
	g_array_unref(self->shown);
	self->shown = shown;
	qs_counter_set(self->model, shown->len);
}

/* ---- cells -------------------------------------------------------------------------------------------------------------- */

static guint number_of(gpointer item, gpointer user)
{
	QsStatePanel *self = user;
	const guint i = qs_number_get(item);

	return i < self->shown->len ? g_array_index(self->shown, guint, i) : 0;
}

static const struct qs_gfx3d_row *row_of(gpointer item, gpointer user)
{
	return &QS_STATE_PANEL(user)->rows.rows[number_of(item, user)];
}

static char *group_text(gpointer item, gpointer user)
{
	QsStatePanel *self = user;
	const guint i = qs_number_get(item);
	const struct qs_gfx3d_row *row = row_of(item, user);

	if (i && !strcmp(self->rows.rows[g_array_index(self->shown, guint, i - 1)].group, row->group))
		return g_strdup("");
	return g_markup_printf_escaped("<b>%s</b>", row->group);
}

static char *name_text(gpointer item, gpointer user)
{
	return g_markup_escape_text(row_of(item, user)->name, -1);
}

static char *type_text(gpointer item, gpointer user)
{
	return g_markup_printf_escaped("<span alpha='60%%'>%s</span>", row_of(item, user)->type);
}

static char *value_text(gpointer item, gpointer user)
{
	const struct qs_gfx3d_row *row = row_of(item, user);

	return g_markup_printf_escaped(QS_STATE_PANEL(user)->is_changed[number_of(item, user)] ? CHANGED "<span alpha='60%%'>%s%s</span>" :
		"%s<span alpha='60%%'>%s%s</span>", row->value, row->note[0] ? "  " : "", row->note);
}

static char *writer_text(gpointer item, gpointer user)
{
	QsStatePanel *self = user;
	const struct qs_gfx3d_row *row = row_of(item, user);

	if (row->unit == QS_GFX3D_COUNTERS || row->writer == QS_NONE)
		return g_strdup("");
	return qs_link_command(self->view->capture->capture, row->writer);
}

static char *writer_tip(gpointer item, gpointer user)
{
	QsStatePanel *self = user;
	const struct qs_gfx3d_row *row = row_of(item, user);
	char text[256];

	if (row->unit == QS_GFX3D_COUNTERS || row->writer == QS_NONE)
		return NULL;
	return g_markup_escape_text(qs_command_text(self->view->capture->capture, row->writer, text, sizeof text), -1);
}

/* ---- update ------------------------------------------------------------------------------------------------------------- */

static void forget_rows(QsStatePanel *self)
{
	g_clear_pointer(&self->rows.rows, free); /* the engine's malloc */
	g_clear_pointer(&self->rows.before, free);
	g_clear_pointer(&self->is_changed, g_free);
	g_clear_pointer(&self->view, qs_view_unref);
	memset(&self->rows, 0, sizeof self->rows);
}

/* Both lists are in the same order; rows that come and go shift them. */
static gboolean differs(const QsRowsAnswer *a, guint i, guint *from)
{
	const struct qs_gfx3d_row *row = &a->rows[i];

	for (guint n = 0; n < a->before_count; n++) {
		const guint k = (*from + n) % a->before_count;

		if (strcmp(a->before[k].name, row->name) || strcmp(a->before[k].group, row->group))
			continue;
		*from = k + 1;
		return strcmp(a->before[k].value, row->value) != 0;
	}
	return TRUE;
}

static void got_rows(GObject *owner, QsRowsAnswer *answer, const struct qs_error *error)
{
	QsStatePanel *self = QS_STATE_PANEL(owner);
	QsView *view = qs_session_get_view(SESSION(self));
	guint from = 0;

	if (error || !view)
		return;
	forget_rows(self);
	self->rows = *answer;
	memset(answer, 0, sizeof *answer);
	self->view = qs_view_ref(view);
	self->is_changed = g_new0(gboolean, self->rows.count + 1);
	for (guint i = 0; i < self->rows.count; i++)
		self->is_changed[i] = strcmp(self->rows.before_text, "0") && differs(&self->rows, i, &from); /* before the first draw is nothing */
	if (self->shown->len && g_array_index(self->shown, guint, self->shown->len - 1) >= self->rows.count) {
		g_array_set_size(self->shown, 0);
		qs_counter_set(self->model, 0);
	}
	qs_panel_set_empty(QS_PANEL(self), NULL);
	refilter(self);
}

static void qs_state_panel_update(QsPanel *panel, guint changes)
{
	QsStatePanel *self = QS_STATE_PANEL(panel);
	QsView *view = qs_session_get_view(SESSION(self));

	if (!view || qs_view_machine(view) != QS_MACHINE_GFX3D) {
		qs_panel_set_empty(panel, "Open a capture of Gfx3D calls: contexts, uniforms and objects are listed here, and who wrote them.");
		return;
	}
	if (changes & (QS_CHANGE_VIEW | QS_CHANGE_CAPTURE))
		qs_request_rows(SESSION(self), G_OBJECT(self), got_rows);
}

/* ---- object ------------------------------------------------------------------------------------------------------------- */

static void qs_state_panel_focus(QsPanel *panel)
{
	gtk_widget_grab_focus(GTK_WIDGET(QS_STATE_PANEL(panel)->list));
}

static void qs_state_panel_constructed(GObject *object)
{
	static const struct { const char *title; int width; QsColumnText text; } column[] = {{"Of", 108, group_text}, {"Name", 112, name_text},
		{"Type", 62, type_text}, {"Value", -1, value_text}};
	QsStatePanel *self = QS_STATE_PANEL(object);
	GtkSelectionModel *selection;

	G_OBJECT_CLASS(qs_state_panel_parent_class)->constructed(object);
	for (guint i = 0; i < G_N_ELEMENTS(column); i++)
		qs_column_add(self->list, column[i].title, column[i].width, TRUE, column[i].text, self, QS_PANEL(self));
	qs_column_set_tooltip(qs_column_add(self->list, "Written by", 84, TRUE, writer_text, self, QS_PANEL(self)), writer_tip);
	selection = GTK_SELECTION_MODEL(gtk_single_selection_new(g_object_ref(G_LIST_MODEL(self->model))));
	gtk_single_selection_set_autoselect(GTK_SINGLE_SELECTION(selection), FALSE);
	gtk_column_view_set_model(self->list, selection);
	g_object_unref(selection);
}

static void qs_state_panel_dispose(GObject *object)
{
	QsStatePanel *self = QS_STATE_PANEL(object);

	if (self->model)
		qs_counter_set(self->model, 0);
	g_clear_object(&self->model);
	G_OBJECT_CLASS(qs_state_panel_parent_class)->dispose(object);
}

static void qs_state_panel_finalize(GObject *object)
{
	forget_rows(QS_STATE_PANEL(object));
	g_array_unref(QS_STATE_PANEL(object)->shown);
	G_OBJECT_CLASS(qs_state_panel_parent_class)->finalize(object);
}

static void qs_state_panel_init(QsStatePanel *self)
{
	self->shown = g_array_new(FALSE, FALSE, sizeof(guint));
	gtk_widget_init_template(GTK_WIDGET(self));
	self->model = qs_counter_new();
}

static void qs_state_panel_class_init(QsStatePanelClass *klass)
{
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

	G_OBJECT_CLASS(klass)->constructed = qs_state_panel_constructed;
	G_OBJECT_CLASS(klass)->dispose = qs_state_panel_dispose;
	G_OBJECT_CLASS(klass)->finalize = qs_state_panel_finalize;
	QS_PANEL_CLASS(klass)->update = qs_state_panel_update;
	QS_PANEL_CLASS(klass)->focus = qs_state_panel_focus;
	gtk_widget_class_set_template_from_resource(widget_class, QS_RESOURCE "panels/qs-state-panel.ui");
	gtk_widget_class_bind_template_callback(widget_class, refilter);
#define BIND(name) gtk_widget_class_bind_template_child(widget_class, QsStatePanel, name)
	BIND(list);
	BIND(any);
	BIND(contexts);
	BIND(uniforms);
	BIND(objects);
	BIND(counters);
	BIND(changed);
	BIND(filter);
	BIND(count);
	BIND(nothing);
#undef BIND
}
