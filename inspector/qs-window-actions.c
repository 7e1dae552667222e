/* qs-window-actions.c - what keys, buttons and menus do, recent files, the first page
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-window-private.h"
#include <string.h>
#include "qs-settings.h"
#include "widgets/qs-info-dialog.h"

#define MAX_RECENT 12

#define ACTION(name) static void name(GSimpleAction *action, GVariant *parameter, gpointer user)
#define UNUSED (void)action, (void)parameter

/* ---- files -------------------------------------------------------------------------------------------------------------- */

static void open_response(GtkNativeDialog *dialog, int response, QsWindow *self)
{
	if (response == GTK_RESPONSE_ACCEPT) {
		g_autoptr(GFile) file = gtk_file_chooser_get_file(GTK_FILE_CHOOSER(dialog));
		g_autofree char *path = file ? g_file_get_path(file) : NULL;

		if (path)
			qs_window_open(self, path, NULL);
	}
	g_object_unref(dialog);
}

ACTION(open_file)
{
	QsWindow *self = user;
	GtkFileChooserNative *dialog = gtk_file_chooser_native_new("Open a Capture", GTK_WINDOW(self),
		GTK_FILE_CHOOSER_ACTION_OPEN, "_Open", "_Cancel");
	GtkFileFilter *logs = gtk_file_filter_new(), *all = gtk_file_filter_new();
	QsCapture *capture = qs_session_get_capture(self->session);

	UNUSED;
	gtk_file_filter_set_name(logs, "Captures (*.dff, *.qsc)");
	gtk_file_filter_add_suffix(logs, "dff");
	gtk_file_filter_add_suffix(logs, "qsc");
	gtk_file_filter_set_name(all, "All files");
	gtk_file_filter_add_pattern(all, "*");
	gtk_file_chooser_add_filter(GTK_FILE_CHOOSER(dialog), logs);
	gtk_file_chooser_add_filter(GTK_FILE_CHOOSER(dialog), all);
	g_object_unref(logs);
	g_object_unref(all);
	if (capture) {
		g_autoptr(GFile) file = g_file_new_for_path(capture->path);
		g_autoptr(GFile) folder = g_file_get_parent(file);

		gtk_file_chooser_set_current_folder(GTK_FILE_CHOOSER(dialog), folder, NULL);
	}
	g_signal_connect_object(dialog, "response", G_CALLBACK(open_response), self, 0);
	gtk_native_dialog_show(GTK_NATIVE_DIALOG(dialog));
}

ACTION(open_recent)
{
	(void)action;
	qs_window_open(user, g_variant_get_string(parameter, NULL), NULL);
}

ACTION(continue_last)
{
	g_autofree char *path = g_settings_get_string(qs_settings(), "last-capture");
	g_autofree char *moment = g_settings_get_string(qs_settings(), "last-moment");

	UNUSED;
	qs_window_open(user, path, moment[0] ? moment : NULL);
}

ACTION(forget_recent)
{
	UNUSED;
	g_settings_reset(qs_settings(), "recent");
	qs_window_fill_recent(user);
}

ACTION(close_window)
{
	UNUSED;
	gtk_window_close(user);
}

void qs_window_remember_file(QsWindow *self, const char *path)
{
	g_auto(GStrv) old = g_settings_get_strv(qs_settings(), "recent");
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	g_autofree char *full = g_canonicalize_filename(path, NULL);
	g_autofree char *uri = g_filename_to_uri(full, NULL, NULL);

	g_ptr_array_add(names, full);
	for (guint i = 0; old[i] && names->len < MAX_RECENT; i++)
		if (!g_str_equal(old[i], full))
			g_ptr_array_add(names, old[i]);
	g_ptr_array_add(names, NULL);
	g_settings_set_strv(qs_settings(), "recent", (const char *const *)names->pdata);
	g_settings_set_string(qs_settings(), "last-capture", full);
	if (uri)
		gtk_recent_manager_add_item(gtk_recent_manager_get_default(), uri);
	qs_window_fill_recent(self);
}

void qs_window_fill_recent(QsWindow *self)
{
	g_auto(GStrv) names = g_settings_get_strv(qs_settings(), "recent");
	g_autoptr(GMenu) menu = g_menu_new();
	g_autoptr(GMenu) files = g_menu_new();
	g_autoptr(GMenu) rest = g_menu_new();

	for (guint i = 0; names[i]; i++) {
		g_autofree char *base = g_filename_display_basename(names[i]);
		g_autofree char *folder = g_path_get_dirname(names[i]);
		g_autofree char *parent = g_filename_display_basename(folder);
		g_autofree char *label = g_strdup_printf("%s  -  %s", base, parent);
		g_auto(GStrv) parts = g_strsplit(label, "_", -1);
		g_autofree char *escaped = g_strjoinv("__", parts);
		g_autoptr(GMenuItem) item = g_menu_item_new(escaped, NULL);

		g_menu_item_set_action_and_target(item, "win.open-recent", "s", names[i]);
		g_menu_append_item(files, item);
	}
	if (names[0])
		g_menu_append(rest, "_Forget These", "win.forget-recent");
	else
		g_menu_append(rest, "No capture was opened yet", "win.nothing");
	g_menu_append_section(menu, NULL, G_MENU_MODEL(files));
	g_menu_append_section(menu, NULL, G_MENU_MODEL(rest));
	gtk_menu_button_set_menu_model(self->recent_button, G_MENU_MODEL(menu));
}

/* path NULL: continues with the last capture */
static GtkWidget *welcome_button(const char *label, const char *detail, const char *path)
{
	GtkWidget *button = gtk_button_new(), *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 2);
	GtkWidget *name = gtk_label_new(label), *place = gtk_label_new(detail);

	gtk_label_set_xalign(GTK_LABEL(name), 0);
	gtk_label_set_xalign(GTK_LABEL(place), 0);
	gtk_label_set_ellipsize(GTK_LABEL(place), PANGO_ELLIPSIZE_START);
	gtk_label_set_max_width_chars(GTK_LABEL(place), 60);
	gtk_widget_add_css_class(place, "dim-label");
	gtk_widget_add_css_class(place, "caption");
	gtk_box_append(GTK_BOX(box), name);
	gtk_box_append(GTK_BOX(box), place);
	gtk_button_set_child(GTK_BUTTON(button), box);
	gtk_button_set_has_frame(GTK_BUTTON(button), FALSE);
	gtk_actionable_set_action_name(GTK_ACTIONABLE(button), path ? "win.open-recent" : "win.continue");
	if (path)
		gtk_actionable_set_action_target(GTK_ACTIONABLE(button), "s", path);
	gtk_widget_set_tooltip_text(button, path ? path : "Open the last capture where it was left");
	return button;
}

void qs_window_fill_welcome(QsWindow *self)
{
	g_auto(GStrv) names = g_settings_get_strv(qs_settings(), "recent");
	g_autofree char *last = g_settings_get_string(qs_settings(), "last-capture");
	g_autofree char *moment = g_settings_get_string(qs_settings(), "last-moment");
	GtkWidget *image = gtk_image_new_from_icon_name(QS_APPLICATION_ID), *title = gtk_label_new("Quadscope");
	GtkWidget *hint = gtk_label_new("Open a Dolphin FIFO log (.dff) or Gfx3D calls (.qsc), or drop one here."), *open;

	gtk_image_set_pixel_size(GTK_IMAGE(image), 128);
	gtk_widget_add_css_class(title, "title-1");
	gtk_widget_add_css_class(hint, "dim-label");
	open = gtk_button_new_with_mnemonic("_Open a Capture…");
	gtk_widget_add_css_class(open, "suggested-action");
	gtk_widget_set_halign(open, GTK_ALIGN_CENTER);
	gtk_actionable_set_action_name(GTK_ACTIONABLE(open), "win.open");
	gtk_widget_set_tooltip_text(open, "Choose a file (Ctrl+O)");
	gtk_box_append(self->welcome, image);
	gtk_box_append(self->welcome, title);
	gtk_box_append(self->welcome, hint);
	gtk_box_append(self->welcome, open);
	for (guint i = 0; names[i] && i < 5; i++) {
		g_autofree char *base = g_filename_display_basename(names[i]);
		g_autofree char *folder = g_path_get_dirname(names[i]);
		g_autofree char *place = g_filename_display_name(folder);

		if (i == 0 && moment[0] && g_str_equal(names[i], last)) {
			g_autofree char *label = g_strdup_printf("Continue %s at %s", base, moment);

			gtk_box_append(self->welcome, welcome_button(label, place, NULL));
		} else {
			gtk_box_append(self->welcome, welcome_button(base, place, names[i]));
		}
	}
}

/* ---- moments ------------------------------------------------------------------------------------------------------------ */

static enum qs_level parse_level(const char *name)
{
	for (guint l = QS_LEVEL_FRAME; l <= QS_LEVEL_STAGE; l++)
		if (g_str_equal(qs_level_name((enum qs_level)l), name))
			return (enum qs_level)l;
	return QS_LEVEL_DRAW;
}

ACTION(step)
{
	const char *level;
	int n;

	(void)action;
	g_variant_get(parameter, "(&si)", &level, &n);
	qs_session_step(QS_WINDOW(user)->session, parse_level(level), n);
}

ACTION(into)
{
	UNUSED;
	qs_session_into(QS_WINDOW(user)->session);
}

ACTION(back)
{
	QsView *view = qs_session_get_view(QS_WINDOW(user)->session);

	UNUSED;
	if (view)
		qs_session_step(QS_WINDOW(user)->session, MAX(view->moment.level, QS_LEVEL_DRAW), -1);
}

ACTION(out)
{
	UNUSED;
	qs_session_out(QS_WINDOW(user)->session);
}

ACTION(run)
{
	(void)action;
	qs_session_run(QS_WINDOW(user)->session, g_variant_get_int32(parameter));
}

ACTION(stop)
{
	UNUSED;
	qs_session_cancel(QS_WINDOW(user)->session);
}

ACTION(visited)
{
	(void)action;
	qs_session_go_visited(QS_WINDOW(user)->session, g_variant_get_int32(parameter));
}

ACTION(change)
{
	(void)action;
	qs_session_seek_change(QS_WINDOW(user)->session, g_variant_get_int32(parameter));
}

/* To what the selection is about now: the fragment that wrote the pixel, the command that wrote the register. */
ACTION(run_to_selection)
{
	QsWindow *self = user;
	const QsSelection *s = qs_session_get_selection(self->session);
	QsView *view = qs_session_get_view(self->session);
	int x, y;

	UNUSED;
	if (!view)
		return;
	if (s->kind == QS_SELECT_REGISTER) {
		const guint32 writer = qs_view_register_writer(view, s->unit, s->address);

		if (writer == QS_NONE)
			qs_session_message(self->session, QS_MESSAGE_HINT, "No command before this moment wrote the register.");
		else
			qs_session_seek_command(self->session, writer);
	} else if (qs_session_get_pick(self->session, &x, &y)) {
		qs_session_seek_fragment(self->session, x, y, TRUE);
	}
}

ACTION(go_to)
{
	QsWindow *self = user;

	UNUSED;
	gtk_widget_grab_focus(GTK_WIDGET(self->moment));
	gtk_editable_select_region(GTK_EDITABLE(self->moment), 0, -1);
}

/* The panel that has the focus saves what it shows, or the picture is saved. */
ACTION(save)
{
	GtkWidget *focus = gtk_window_get_focus(user);
	GtkWidget *panel = focus ? gtk_widget_get_ancestor(focus, QS_TYPE_PANEL) : NULL;
	GActionGroup *group = NULL;
	const char *prefix = panel ? qs_panel_get_prefix(QS_PANEL(panel), &group) : NULL;

	UNUSED;
	if (prefix && g_action_group_has_action(group, "save"))
		g_action_group_activate_action(group, "save", NULL);
	else
		gtk_widget_activate_action(user, "frame.save", NULL);
}

ACTION(find)
{
	UNUSED;
	qs_window_show_panel(user, "stream");
}

ACTION(find_next)
{
	(void)action;
	gtk_widget_activate_action_variant(user, "stream.find", parameter);
}

ACTION(bookmark)
{
	UNUSED;
	qs_session_toggle_bookmark(QS_WINDOW(user)->session);
}

ACTION(breakpoint)
{
	UNUSED;
	qs_session_toggle_breakpoint(QS_WINDOW(user)->session);
}

ACTION(mark)
{
	QsWindow *self = user;
	const guint which = g_variant_get_uint32(parameter);
	QsView *view = qs_session_get_view(self->session);

	(void)action;
	qs_session_set_mark(self->session, which);
	if (view)
		qs_session_message(self->session, QS_MESSAGE_HINT, "%s is %s.", which ? "B" : "A", view->text);
}

ACTION(diff)
{
	UNUSED;
	qs_window_show_panel(user, "differences");
}

ACTION(quirks)
{
	UNUSED;
	qs_window_show_panel(user, "model");
}

/* ---- the window --------------------------------------------------------------------------------------------------------- */

ACTION(show_panel)
{
	(void)action;
	qs_window_show_panel(user, g_variant_get_string(parameter, NULL));
}

ACTION(reset_layout)
{
	UNUSED;
	qs_window_reset_layout(user);
}

ACTION(menu)
{
	UNUSED;
	gtk_menu_button_popup(QS_WINDOW(user)->menu_button);
}

ACTION(information)
{
	QsWindow *self = user;

	UNUSED;
	if (qs_session_get_capture(self->session))
		gtk_window_present(GTK_WINDOW(qs_info_dialog_new(GTK_WINDOW(self), self->session)));
}

static const GActionEntry entries[] = {
	{.name = "open", .activate = open_file},
	{.name = "open-recent", .activate = open_recent, .parameter_type = "s"},
	{.name = "continue", .activate = continue_last},
	{.name = "forget-recent", .activate = forget_recent},
	{.name = "close", .activate = close_window},
	{.name = "stop", .activate = stop},
	{.name = "menu", .activate = menu},
	{.name = "reset-layout", .activate = reset_layout},
	{.name = "save", .activate = save},
	{.name = "show-panel", .activate = show_panel, .parameter_type = "s"},
	/* From here on: only with a capture. */
	{.name = "step", .activate = step, .parameter_type = "(si)"},
	{.name = "into", .activate = into},
	{.name = "back", .activate = back},
	{.name = "out", .activate = out},
	{.name = "run", .activate = run, .parameter_type = "i"},
	{.name = "run-to-selection", .activate = run_to_selection},
	{.name = "visited", .activate = visited, .parameter_type = "i"},
	{.name = "change", .activate = change, .parameter_type = "i"},
	{.name = "go-to", .activate = go_to},
	{.name = "find", .activate = find},
	{.name = "find-next", .activate = find_next, .parameter_type = "i"},
	{.name = "bookmark", .activate = bookmark},
	{.name = "breakpoint", .activate = breakpoint},
	{.name = "mark", .activate = mark, .parameter_type = "u"},
	{.name = "diff", .activate = diff},
	{.name = "quirks", .activate = quirks},
	{.name = "information", .activate = information},
};

void qs_window_update_actions(QsWindow *self, guint changes)
{
	const gboolean open = qs_session_get_capture(self->session) != NULL;
	gboolean after = FALSE;

	if (!(changes & QS_CHANGE_CAPTURE))
		return;
	for (guint i = 0; i < G_N_ELEMENTS(entries); i++) {
		GAction *action = g_action_map_lookup_action(G_ACTION_MAP(self), entries[i].name);

		after |= g_str_equal(entries[i].name, "step");
		if (after)
			g_simple_action_set_enabled(G_SIMPLE_ACTION(action), open);
	}
}

void qs_window_add_actions(QsWindow *self)
{
	static const char *const toggles[] = {"show-left", "show-right", "show-bottom"};

	g_action_map_add_action_entries(G_ACTION_MAP(self), entries, G_N_ELEMENTS(entries), self);
	for (guint i = 0; i < G_N_ELEMENTS(toggles); i++) {
		g_autoptr(GAction) action = g_settings_create_action(qs_settings(), toggles[i]);
		g_autofree char *signal = g_strconcat("changed::", toggles[i], NULL);

		g_action_map_add_action(G_ACTION_MAP(self), action);
		g_signal_connect_object(qs_settings(), signal, G_CALLBACK(qs_window_update_panes), self, G_CONNECT_SWAPPED);
	}
}
