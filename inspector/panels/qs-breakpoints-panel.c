/* qs-breakpoints-panel.c - see the header
 *
 * The list belongs to the timeline (scripts and the terminal use the same kind); the panel shows what the last view saw.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-breakpoints-panel.h"

struct _QsBreakpointsPanel {
	QsPanel parent_instance;
	GtkListBox *list;
	GtkEntry *entry;
	GtkButton *add;
};

G_DEFINE_FINAL_TYPE(QsBreakpointsPanel, qs_breakpoints_panel, QS_TYPE_PANEL)

#define SESSION(self) qs_panel_get_session(QS_PANEL(self))

static guint32 button_id(gpointer button)
{
	return GPOINTER_TO_UINT(g_object_get_data(G_OBJECT(button), "qs-id"));
}

static void toggled(QsBreakpointsPanel *self, GtkCheckButton *button)
{
	qs_session_enable_breakpoint(SESSION(self), button_id(button), gtk_check_button_get_active(button));
}

static void removed(QsBreakpointsPanel *self, GtkButton *button)
{
	qs_session_remove_breakpoint(SESSION(self), button_id(button));
}

static GtkWidget *make_row(QsBreakpointsPanel *self, const struct qs_breakpoint *b, const char *text)
{
	GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8), *enabled = gtk_check_button_new_with_label(text);
	GtkWidget *hits, *remove = gtk_button_new_from_icon_name("list-remove-symbolic");
	g_autofree char *count = g_strdup_printf("%" G_GUINT64_FORMAT " hit%s", b->hits, b->hits == 1 ? "" : "s");

	hits = gtk_label_new(count);
	gtk_check_button_set_active(GTK_CHECK_BUTTON(enabled), b->enabled);
	gtk_widget_set_hexpand(enabled, TRUE);
	gtk_widget_add_css_class(enabled, "monospace");
	gtk_widget_set_tooltip_text(enabled, "Does it stop");
	gtk_widget_add_css_class(hits, "dim-label");
	gtk_button_set_has_frame(GTK_BUTTON(remove), FALSE);
	gtk_widget_set_tooltip_text(remove, "Remove this breakpoint");
	gtk_accessible_update_property(GTK_ACCESSIBLE(remove), GTK_ACCESSIBLE_PROPERTY_LABEL, "Remove", -1);
	g_object_set_data(G_OBJECT(enabled), "qs-id", GUINT_TO_POINTER(b->id));
	g_object_set_data(G_OBJECT(remove), "qs-id", GUINT_TO_POINTER(b->id));
	g_signal_connect_object(enabled, "toggled", G_CALLBACK(toggled), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(remove, "clicked", G_CALLBACK(removed), self, G_CONNECT_SWAPPED);
	gtk_box_append(GTK_BOX(box), enabled);
	gtk_box_append(GTK_BOX(box), hits);
	gtk_box_append(GTK_BOX(box), remove);
	return box;
}

static void fill(QsBreakpointsPanel *self)
{
	QsView *view = qs_session_get_view(SESSION(self));
	GtkListBoxRow *row;

	while ((row = gtk_list_box_get_row_at_index(self->list, 0)))
		gtk_list_box_remove(self->list, GTK_WIDGET(row));
	for (guint i = 0; view && i < view->breakpoint_count; i++)
		gtk_list_box_append(self->list, make_row(self, &view->breakpoints[i], view->breakpoint_text[i]));
}

static void add(QsBreakpointsPanel *self)
{
	struct qs_error error = {0};

	if (qs_session_add_breakpoint(SESSION(self), gtk_editable_get_text(GTK_EDITABLE(self->entry)), &error)) {
		gtk_editable_set_text(GTK_EDITABLE(self->entry), "");
		gtk_widget_remove_css_class(GTK_WIDGET(self->entry), "error");
		return;
	}
	gtk_widget_add_css_class(GTK_WIDGET(self->entry), "error");
	qs_session_message(SESSION(self), QS_MESSAGE_HINT, "%s", error.text);
}

static void qs_breakpoints_panel_update(QsPanel *panel, guint changes)
{
	if (changes & (QS_CHANGE_BREAKPOINTS | QS_CHANGE_CAPTURE))
		fill(QS_BREAKPOINTS_PANEL(panel));
}

static void qs_breakpoints_panel_focus(QsPanel *panel)
{
	gtk_widget_grab_focus(GTK_WIDGET(QS_BREAKPOINTS_PANEL(panel)->entry));
}

static void qs_breakpoints_panel_init(QsBreakpointsPanel *self)
{
	gtk_widget_init_template(GTK_WIDGET(self));
	g_signal_connect_object(self->entry, "activate", G_CALLBACK(add), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(self->add, "clicked", G_CALLBACK(add), self, G_CONNECT_SWAPPED);
}

static void qs_breakpoints_panel_class_init(QsBreakpointsPanelClass *klass)
{
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

	QS_PANEL_CLASS(klass)->update = qs_breakpoints_panel_update;
	QS_PANEL_CLASS(klass)->focus = qs_breakpoints_panel_focus;
	gtk_widget_class_set_template_from_resource(widget_class, QS_RESOURCE "panels/qs-breakpoints-panel.ui");
	gtk_widget_class_bind_template_child(widget_class, QsBreakpointsPanel, list);
	gtk_widget_class_bind_template_child(widget_class, QsBreakpointsPanel, entry);
	gtk_widget_class_bind_template_child(widget_class, QsBreakpointsPanel, add);
}
