/* qs-info-dialog.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-info-dialog.h"
#include "panels/panels.h"

#define MAX_SHOWN 500

static void add_row(GtkGrid *grid, int *row, const char *name, char *value)
{
	GtkWidget *left = gtk_label_new(name), *right = gtk_label_new(value);

	gtk_label_set_xalign(GTK_LABEL(left), 1);
	gtk_widget_add_css_class(left, "dim-label");
	gtk_label_set_xalign(GTK_LABEL(right), 0);
	gtk_label_set_selectable(GTK_LABEL(right), TRUE);
	gtk_label_set_ellipsize(GTK_LABEL(right), PANGO_ELLIPSIZE_START);
	gtk_widget_set_hexpand(right, TRUE);
	gtk_grid_attach(grid, left, 0, *row, 1, 1);
	gtk_grid_attach(grid, right, 1, (*row)++, 1, 1);
	g_free(value);
}

static gboolean follow(GtkLabel *label, const char *uri, QsSession *session)
{
	(void)label;
	return qs_session_follow_link(session, uri);
}

static GtkWidget *warnings(QsSession *session, guint count)
{
	const struct qs_capture *file = qs_session_get_file(session);
	GtkWidget *list = gtk_list_box_new(), *scroller = gtk_scrolled_window_new();

	gtk_list_box_set_selection_mode(GTK_LIST_BOX(list), GTK_SELECTION_NONE);
	for (guint i = 0; i < count && i < MAX_SHOWN; i++) {
		const struct qs_warning *w = qs_capture_warning(file, i);
		g_autofree char *link = w->command == QS_NONE ? NULL : qs_link_command(file, w->command);
		g_autofree char *text = link ? g_markup_printf_escaped("0x%08" G_GINT64_MODIFIER "x  %s  ", w->offset, w->text) :
			g_markup_printf_escaped("0x%08" G_GINT64_MODIFIER "x  %s", w->offset, w->text);
		g_autofree char *markup = g_strconcat(text, link, NULL);
		GtkWidget *label = gtk_label_new(NULL);

		gtk_label_set_markup(GTK_LABEL(label), markup);
		gtk_label_set_wrap(GTK_LABEL(label), TRUE);
		gtk_label_set_xalign(GTK_LABEL(label), 0);
		g_signal_connect_object(label, "activate-link", G_CALLBACK(follow), session, 0);
		gtk_list_box_append(GTK_LIST_BOX(list), label);
	}
	gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), list);
	gtk_scrolled_window_set_has_frame(GTK_SCROLLED_WINDOW(scroller), TRUE);
	gtk_widget_set_vexpand(scroller, TRUE);
	return scroller;
}

GtkWidget *qs_info_dialog_new(GtkWindow *parent, QsSession *session)
{
	const struct qs_capture_info *info = qs_capture_info(qs_session_get_file(session));
	GtkWidget *window = gtk_window_new(), *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 12), *grid = gtk_grid_new();
	GtkEventController *keys = gtk_shortcut_controller_new();
	int row = 0;

	gtk_window_set_title(GTK_WINDOW(window), "Capture Information");
	gtk_window_set_transient_for(GTK_WINDOW(window), parent);
	gtk_window_set_default_size(GTK_WINDOW(window), 640, info->warning_count ? 560 : -1);
	gtk_shortcut_controller_add_shortcut(GTK_SHORTCUT_CONTROLLER(keys),
		gtk_shortcut_new(gtk_keyval_trigger_new(GDK_KEY_Escape, 0), gtk_named_action_new("window.close")));
	gtk_widget_add_controller(window, keys);
	gtk_widget_add_css_class(box, "qs-dialog");
	gtk_grid_set_column_spacing(GTK_GRID(grid), 12);
	gtk_grid_set_row_spacing(GTK_GRID(grid), 4);
	add_row(GTK_GRID(grid), &row, "File", g_strdup(info->path));
	add_row(GTK_GRID(grid), &row, "Format", g_strdup_printf("%s, version %u (loaders from %u)", info->format, info->version,
		info->min_loader_version));
	add_row(GTK_GRID(grid), &row, "Size", g_strdup_printf("%" G_GUINT64_FORMAT " bytes%s", info->size,
		info->truncated ? ", the tail is cut off" : ""));
	add_row(GTK_GRID(grid), &row, "Console", g_strdup_printf("%s, MEM1 %u MiB, MEM2 %u MiB", info->wii ? "Wii" : "GameCube",
		info->mem1_size >> 20, info->mem2_size >> 20));
	add_row(GTK_GRID(grid), &row, "Frames", g_strdup_printf("%u", info->frame_count));
	add_row(GTK_GRID(grid), &row, "Draws", g_strdup_printf("%u", info->draw_count));
	add_row(GTK_GRID(grid), &row, "Commands", g_strdup_printf("%u", info->command_count));
	add_row(GTK_GRID(grid), &row, "Memory updates", g_strdup_printf("%u", info->update_count));
	add_row(GTK_GRID(grid), &row, "Warnings", g_strdup_printf("%u", info->warning_count));
	gtk_box_append(GTK_BOX(box), grid);
	if (info->warning_count)
		gtk_box_append(GTK_BOX(box), warnings(session, info->warning_count));
	gtk_window_set_child(GTK_WINDOW(window), box);
	return window;
}
