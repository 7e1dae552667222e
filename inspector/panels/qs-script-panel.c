/* qs-script-panel.c - see the header
 *
 * Text that was not saved is written to a draft in the state folder a second after the last change and when the window
 * closes; the next start shows it again.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-script-panel-private.h"
#include <glib/gstdio.h>
#include <gtksourceview/gtksource.h>
#include <stdlib.h>
#include <string.h>
#include "qs-lua.h"
#include "qs-scene.h"
#include "qs-settings.h"
#include "script-probes.h"
#include "widgets/qs-theme.h"

#define DRAFT_S 1
#define MARK "error"

G_DEFINE_FINAL_TYPE(QsScriptPanel, qs_script_panel, QS_TYPE_PANEL)

static const char first_text[] =
	"-- Ctrl+Enter runs this over the open capture; Probes has more.\n"
	"-- qs.help() in the console lists everything that a script can ask.\n"
	"local quads = {}\n"
	"qs.on.quad(function(q)\n"
	"\tquads[q.draw] = (quads[q.draw] or 0) + 1\n"
	"end)\n"
	"qs.on.done(function()\n"
	"\tqs.plot.line(\"quads per draw\", quads, {x = \"draw\", y = \"quads\"})\n"
	"end)\n";

/* ---- text --------------------------------------------------------------------------------------------------------------- */

char *qs_script_panel_get_text(QsScriptPanel *self)
{
	GtkTextIter start, end;

	gtk_text_buffer_get_bounds(GTK_TEXT_BUFFER(self->buffer), &start, &end);
	return gtk_text_buffer_get_text(GTK_TEXT_BUFFER(self->buffer), &start, &end, TRUE);
}

char *qs_script_panel_name(QsScriptPanel *self)
{
	return self->path ? g_path_get_basename(self->path) : g_strdup("untitled.lua");
}

static gboolean is_modified(QsScriptPanel *self)
{
	return gtk_text_buffer_get_modified(GTK_TEXT_BUFFER(self->buffer));
}

static void show_name(QsScriptPanel *self)
{
	g_autofree char *name = qs_script_panel_name(self), *shown = g_filename_display_name(name);
	g_autofree char *text = g_strdup_printf("%s%s", shown, is_modified(self) ? " - not saved" : "");

	gtk_label_set_text(self->name, text);
	gtk_widget_set_tooltip_text(GTK_WIDGET(self->name), self->path ? self->path : "Not in a file yet");
}

void qs_script_panel_clear_problem(QsScriptPanel *self)
{
	GtkTextIter start, end;

	gtk_text_buffer_get_bounds(GTK_TEXT_BUFFER(self->buffer), &start, &end);
	gtk_source_buffer_remove_source_marks(self->buffer, &start, &end, MARK);
	gtk_widget_set_visible(GTK_WIDGET(self->problem), FALSE);
}

static void go_to_line(QsScriptPanel *self, int line)
{
	GtkTextIter iter;

	gtk_text_buffer_get_iter_at_line(GTK_TEXT_BUFFER(self->buffer), &iter, MAX(line - 1, 0));
	gtk_text_buffer_place_cursor(GTK_TEXT_BUFFER(self->buffer), &iter);
	gtk_text_view_scroll_to_mark(GTK_TEXT_VIEW(self->editor), gtk_text_buffer_get_insert(GTK_TEXT_BUFFER(self->buffer)), 0.1, FALSE,
		0, 0);
}

/* "overdraw.lua:12: attempt to ..." */
void qs_script_panel_show_problem(QsScriptPanel *self, const char *name, const char *error)
{
	const gsize length = strlen(name);
	GtkTextIter iter;
	const char *colon;
	int line;

	gtk_label_set_text(self->problem, error);
	gtk_widget_set_visible(GTK_WIDGET(self->problem), TRUE);
	if (strncmp(error, name, length) != 0 || error[length] != ':')
		return;
	line = atoi(error + length + 1);
	colon = strchr(error + length + 1, ':');
	if (line < 1 || !colon || line > gtk_text_buffer_get_line_count(GTK_TEXT_BUFFER(self->buffer)))
		return;
	gtk_text_buffer_get_iter_at_line(GTK_TEXT_BUFFER(self->buffer), &iter, line - 1);
	gtk_source_buffer_create_source_mark(self->buffer, NULL, MARK, &iter);
	go_to_line(self, line);
}

/* ---- drafts ------------------------------------------------------------------------------------------------------------- */

static void save_draft(QsScriptPanel *self)
{
	g_autofree char *text = qs_script_panel_get_text(self);

	g_clear_handle_id(&self->draft_timer, g_source_remove);
	if (is_modified(self))
		g_file_set_contents_full(self->draft, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, NULL);
	else
		g_unlink(self->draft);
}

static gboolean draft_due(gpointer user)
{
	QsScriptPanel *self = user;

	self->draft_timer = 0;
	save_draft(self);
	return G_SOURCE_REMOVE;
}

void qs_script_panel_show_scene(QsScriptPanel *self)
{
	g_autofree char *text = qs_script_panel_get_text(self);
	const gboolean scene = qs_scene_is_script(text);

	gtk_widget_set_visible(self->scene, scene);
	g_simple_action_set_enabled(G_SIMPLE_ACTION(g_action_map_lookup_action(G_ACTION_MAP(self->actions), "scene")), scene && !self->building);
	g_simple_action_set_enabled(G_SIMPLE_ACTION(g_action_map_lookup_action(G_ACTION_MAP(self->actions), "scene-as")), scene && !self->building);
}

static void edited(QsScriptPanel *self)
{
	qs_script_panel_clear_problem(self);
	qs_script_panel_show_scene(self);
	if (!self->draft_timer)
		self->draft_timer = g_timeout_add_seconds(DRAFT_S, draft_due, self);
}

/* ---- files -------------------------------------------------------------------------------------------------------------- */

static char *read_text(const char *path, char **problem)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *text = NULL;
	gsize length;

	if (!g_file_get_contents(path, &text, &length, &error)) {
		*problem = g_strdup(error->message);
		return NULL;
	}
	if (!g_utf8_validate(text, (gssize)length, NULL)) {
		*problem = g_strdup_printf("%s is no text in UTF-8.", path);
		return NULL;
	}
	return g_steal_pointer(&text);
}

static void disk_changed(QsScriptPanel *self, GFile *file, GFile *other, GFileMonitorEvent event)
{
	g_autofree char *problem = NULL, *now = NULL, *mine = NULL, *text = NULL, *name = NULL;

	(void)file;
	(void)other;
	if (event != G_FILE_MONITOR_EVENT_CHANGES_DONE_HINT && event != G_FILE_MONITOR_EVENT_CREATED &&
		event != G_FILE_MONITOR_EVENT_RENAMED && event != G_FILE_MONITOR_EVENT_MOVED_IN)
		return;
	now = read_text(self->path, &problem);
	mine = qs_script_panel_get_text(self);
	if (!now || g_str_equal(now, mine))
		return;
	name = qs_script_panel_name(self);
	text = g_strdup_printf("%s has changed on the disk.%s", name, is_modified(self) ? " The text here was changed too." : "");
	gtk_label_set_text(self->disk_text, text);
	gtk_info_bar_set_revealed(self->disk, TRUE);
}

static void set_path(QsScriptPanel *self, const char *path)
{
	g_autoptr(GFile) file = path ? g_file_new_for_path(path) : NULL;
	char *copy = g_strdup(path);

	g_free(self->path);
	self->path = copy;
	g_clear_object(&self->monitor);
	if (file)
		self->monitor = g_file_monitor_file(file, G_FILE_MONITOR_WATCH_MOVES, NULL, NULL);
	if (self->monitor)
		g_signal_connect_object(self->monitor, "changed", G_CALLBACK(disk_changed), self, G_CONNECT_SWAPPED);
	g_settings_set_string(qs_settings(), "script-file", path ? path : "");
	gtk_info_bar_set_revealed(self->disk, FALSE);
	show_name(self);
}

static void set_text(QsScriptPanel *self, const char *text, gboolean modified)
{
	GtkTextIter start;

	gtk_text_buffer_set_text(GTK_TEXT_BUFFER(self->buffer), text, -1);
	gtk_text_buffer_get_start_iter(GTK_TEXT_BUFFER(self->buffer), &start);
	gtk_text_buffer_place_cursor(GTK_TEXT_BUFFER(self->buffer), &start);
	gtk_text_buffer_set_modified(GTK_TEXT_BUFFER(self->buffer), modified);
	qs_script_panel_clear_problem(self);
	show_name(self);
	if (!modified)
		save_draft(self); /* removes it */
}

static gboolean load(QsScriptPanel *self, const char *path)
{
	g_autofree char *problem = NULL, *text = read_text(path, &problem);

	if (!text) {
		qs_session_message(SESSION(self), QS_MESSAGE_ERROR, "Cannot read the script: %s", problem);
		return FALSE;
	}
	set_path(self, path);
	set_text(self, text, FALSE);
	return TRUE;
}

static gboolean save_to(QsScriptPanel *self, const char *path)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *text = qs_script_panel_get_text(self);

	if (!g_file_set_contents_full(path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0666, &error)) {
		qs_session_message(SESSION(self), QS_MESSAGE_ERROR, "The script was not saved: %s", error->message);
		return FALSE;
	}
	gtk_text_buffer_set_modified(GTK_TEXT_BUFFER(self->buffer), FALSE);
	save_draft(self);
	if (g_strcmp0(path, self->path) != 0)
		set_path(self, path);
	gtk_info_bar_set_revealed(self->disk, FALSE);
	qs_session_message(SESSION(self), QS_MESSAGE_HINT, "Saved %s.", path);
	return TRUE;
}

/* What was asked for before the question about unsaved text. */
static void go_on(QsScriptPanel *self)
{
	g_autofree char *next = g_steal_pointer(&self->next);

	if (!next)
		return;
	if (next[0]) {
		load(self, next);
	} else {
		set_path(self, NULL);
		set_text(self, "", FALSE);
	}
	gtk_widget_grab_focus(GTK_WIDGET(self->editor));
}

static GtkFileChooserNative *chooser(QsScriptPanel *self, const char *title, GtkFileChooserAction action, const char *accept)
{
	GtkFileChooserNative *dialog = gtk_file_chooser_native_new(title, GTK_WINDOW(gtk_widget_get_root(GTK_WIDGET(self))), action,
		accept, "_Cancel");
	GtkFileFilter *filter = gtk_file_filter_new();

	gtk_file_filter_set_name(filter, "Lua scripts (*.lua)");
	gtk_file_filter_add_suffix(filter, "lua");
	gtk_file_chooser_add_filter(GTK_FILE_CHOOSER(dialog), filter);
	g_object_unref(filter);
	if (self->path) {
		g_autoptr(GFile) file = g_file_new_for_path(self->path);
		g_autoptr(GFile) folder = g_file_get_parent(file);

		gtk_file_chooser_set_current_folder(GTK_FILE_CHOOSER(dialog), folder, NULL);
	}
	return dialog;
}

static void save_response(GtkNativeDialog *dialog, int response, QsScriptPanel *self)
{
	g_autoptr(GFile) file = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file(GTK_FILE_CHOOSER(dialog)) : NULL;
	g_autofree char *path = file ? g_file_get_path(file) : NULL;

	if (path && save_to(self, path))
		go_on(self);
	else
		g_clear_pointer(&self->next, g_free);
	g_object_unref(dialog);
}

ACTION(save_as)
{
	GtkFileChooserNative *dialog;
	g_autofree char *name = NULL;
	SELF;

	dialog = chooser(self, "Save the Script", GTK_FILE_CHOOSER_ACTION_SAVE, "_Save");
	name = qs_script_panel_name(self);
	gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(dialog), name);
	g_signal_connect_object(dialog, "response", G_CALLBACK(save_response), self, 0);
	gtk_native_dialog_show(GTK_NATIVE_DIALOG(dialog));
}

/* An installed probe cannot be written: it is saved elsewhere. */
ACTION(save)
{
	SELF;

	if (self->path && (g_access(self->path, W_OK) == 0 || !g_file_test(self->path, G_FILE_TEST_EXISTS))) {
		if (save_to(self, self->path))
			go_on(self);
	} else {
		save_as(NULL, NULL, self);
	}
}

static void answered(GtkDialog *dialog, int response, QsScriptPanel *self)
{
	gtk_window_destroy(GTK_WINDOW(dialog));
	if (response == GTK_RESPONSE_YES)
		save(NULL, NULL, self);
	else if (response == GTK_RESPONSE_NO)
		go_on(self);
	else
		g_clear_pointer(&self->next, g_free);
}

/* path "": a new script */
static void leave_for(QsScriptPanel *self, const char *path)
{
	g_autofree char *name = NULL;
	GtkWidget *dialog;

	g_free(self->next);
	self->next = g_strdup(path);
	if (!is_modified(self)) {
		go_on(self);
		return;
	}
	name = qs_script_panel_name(self);
	dialog = gtk_message_dialog_new(GTK_WINDOW(gtk_widget_get_root(GTK_WIDGET(self))), GTK_DIALOG_MODAL, GTK_MESSAGE_QUESTION,
		GTK_BUTTONS_NONE, "Save the changes of %s?", name);
	gtk_dialog_add_buttons(GTK_DIALOG(dialog), "_Discard", GTK_RESPONSE_NO, "_Cancel", GTK_RESPONSE_CANCEL, "_Save",
		GTK_RESPONSE_YES, NULL);
	gtk_dialog_set_default_response(GTK_DIALOG(dialog), GTK_RESPONSE_YES);
	g_signal_connect_object(dialog, "response", G_CALLBACK(answered), self, 0);
	gtk_window_present(GTK_WINDOW(dialog));
}

ACTION(new_script)
{
	SELF;

	leave_for(self, "");
}

static void open_response(GtkNativeDialog *dialog, int response, QsScriptPanel *self)
{
	g_autoptr(GFile) file = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file(GTK_FILE_CHOOSER(dialog)) : NULL;
	g_autofree char *path = file ? g_file_get_path(file) : NULL;

	if (path)
		leave_for(self, path);
	g_object_unref(dialog);
}

ACTION(open_script)
{
	GtkFileChooserNative *dialog;
	SELF;

	dialog = chooser(self, "Open a Script", GTK_FILE_CHOOSER_ACTION_OPEN, "_Open");
	g_signal_connect_object(dialog, "response", G_CALLBACK(open_response), self, 0);
	gtk_native_dialog_show(GTK_NATIVE_DIALOG(dialog));
}

ACTION(open_probe)
{
	SELF;

	leave_for(self, g_variant_get_string(parameter, NULL));
}

/* ---- running ------------------------------------------------------------------------------------------------------------ */

ACTION(run)
{
	g_autofree char *text = NULL, *name = NULL;
	SELF;

	text = qs_script_panel_get_text(self);
	name = qs_script_panel_name(self);
	qs_script_panel_clear_problem(self);
	qs_lua_run(LUA(self), text, name);
}

/* ---- what others tell ----------------------------------------------------------------------------------------------------- */

/* Takes the file's text; the moment stays as it is. */
static void read_again(QsScriptPanel *self)
{
	GtkTextIter iter;
	int line;

	gtk_text_buffer_get_iter_at_mark(GTK_TEXT_BUFFER(self->buffer), &iter,
		gtk_text_buffer_get_insert(GTK_TEXT_BUFFER(self->buffer)));
	line = gtk_text_iter_get_line(&iter);
	if (load(self, self->path))
		go_to_line(self, line + 1);
}

ACTION(reload)
{
	SELF;

	if (self->path && is_modified(self)) {
		gtk_label_set_text(self->disk_text, "The text here is not saved: reading the file loses the changes.");
		gtk_info_bar_set_revealed(self->disk, TRUE);
		return;
	}
	if (self->path)
		read_again(self);
	run(NULL, NULL, self);
}

static void disk_response(QsScriptPanel *self, int response)
{
	gtk_info_bar_set_revealed(self->disk, FALSE);
	if (response == 1 && self->path)
		read_again(self);
}

static void finished(QsScriptPanel *self, const char *name, const char *error, gboolean incomplete)
{
	g_autofree char *mine = qs_script_panel_name(self);

	(void)incomplete;
	if (error && g_str_equal(name, mine))
		qs_script_panel_show_problem(self, name, error);
}

static void lua_changed(QsScriptPanel *self, guint changes)
{
	const gboolean running = qs_lua_get_running(LUA(self), NULL);

	if (changes & QS_LUA_CHANGE_RUNNING) {
		gtk_widget_set_sensitive(GTK_WIDGET(self->stop), running || self->building);
		g_simple_action_set_enabled(G_SIMPLE_ACTION(g_action_map_lookup_action(G_ACTION_MAP(self->actions), "run")), !running);
		g_simple_action_set_enabled(G_SIMPLE_ACTION(g_action_map_lookup_action(G_ACTION_MAP(self->actions), "reload")), !running);
	}
}

/* From a link in the console: a line of this script, or of a probe. */
ACTION(show)
{
	g_autofree char *mine = NULL, *probe = NULL;
	const char *name;
	int line;
	SELF;

	g_variant_get(parameter, "(&si)", &name, &line);
	mine = qs_script_panel_name(self);
	gtk_widget_activate_action(GTK_WIDGET(self), "win.show-panel", "s", "script");
	if (g_str_equal(name, mine)) {
		go_to_line(self, line);
	} else if ((probe = script_probes_find(name))) {
		leave_for(self, probe);
		if (g_strcmp0(self->path, probe) == 0)
			go_to_line(self, line);
	}
}

static void stop_clicked(QsScriptPanel *self)
{
	if (self->building)
		g_cancellable_cancel(self->building);
	qs_lua_stop(LUA(self));
}

/* ---- panel -------------------------------------------------------------------------------------------------------------- */

/* The panel's colours are asked for: those of the editor come from its scheme. */
static void theme_changed(GtkWidget *widget)
{
	QsScriptPanel *self = QS_SCRIPT_PANEL(widget);
	GtkSourceStyleScheme *scheme = gtk_source_style_scheme_manager_get_scheme(gtk_source_style_scheme_manager_get_default(),
		qs_theme_is_dark(widget) ? "Adwaita-dark" : "Adwaita");

	if (scheme)
		gtk_source_buffer_set_style_scheme(self->buffer, scheme);
}

static void prepare_editor(QsScriptPanel *self)
{
	GtkSourceMarkAttributes *marks = gtk_source_mark_attributes_new();
	GtkSourceLanguage *lua = gtk_source_language_manager_get_language(gtk_source_language_manager_get_default(), "lua");

	self->buffer = GTK_SOURCE_BUFFER(gtk_text_view_get_buffer(GTK_TEXT_VIEW(self->editor)));
	gtk_source_buffer_set_language(self->buffer, lua);
	gtk_source_mark_attributes_set_icon_name(marks, "dialog-error-symbolic");
	gtk_source_mark_attributes_set_background(marks, &(GdkRGBA){0.88f, 0.11f, 0.14f, 0.25f});
	gtk_source_view_set_mark_attributes(self->editor, MARK, marks, 1);
	g_object_unref(marks);
	qs_theme_watch(GTK_WIDGET(self), theme_changed);
}

static void restore(QsScriptPanel *self)
{
	g_autofree char *path = g_settings_get_string(qs_settings(), "script-file");
	g_autofree char *problem = NULL, *draft = NULL, *text = NULL;
	const gboolean there = path[0] && g_file_test(path, G_FILE_TEST_IS_REGULAR);

	draft = g_file_test(self->draft, G_FILE_TEST_EXISTS) ? read_text(self->draft, &problem) : NULL;
	text = there ? read_text(path, &problem) : NULL;
	set_path(self, there ? path : NULL);
	if (draft)
		set_text(self, draft, TRUE);
	else
		set_text(self, text ? text : first_text, FALSE);
}

static void qs_script_panel_focus(QsPanel *panel)
{
	gtk_widget_grab_focus(GTK_WIDGET(QS_SCRIPT_PANEL(panel)->editor));
}

static void qs_script_panel_constructed(GObject *object)
{
	QsScriptPanel *self = QS_SCRIPT_PANEL(object);

	G_OBJECT_CLASS(qs_script_panel_parent_class)->constructed(object);
	g_signal_connect_object(LUA(self), "finished", G_CALLBACK(finished), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(LUA(self), "changed", G_CALLBACK(lua_changed), self, G_CONNECT_SWAPPED);
}

static void qs_script_panel_dispose(GObject *object)
{
	QsScriptPanel *self = QS_SCRIPT_PANEL(object);

	if (self->draft_timer)
		save_draft(self);
	if (self->building)
		g_cancellable_cancel(self->building);
	g_clear_object(&self->monitor);
	g_clear_object(&self->actions);
	G_OBJECT_CLASS(qs_script_panel_parent_class)->dispose(object);
}

static void qs_script_panel_finalize(GObject *object)
{
	QsScriptPanel *self = QS_SCRIPT_PANEL(object);

	g_free(self->path);
	g_free(self->draft);
	g_free(self->next);
	g_free(self->scene_path);
	g_clear_object(&self->building);
	G_OBJECT_CLASS(qs_script_panel_parent_class)->finalize(object);
}

static void qs_script_panel_init(QsScriptPanel *self)
{
	static const GActionEntry entries[] = {
		{.name = "run", .activate = run},
		{.name = "reload", .activate = reload},
		{.name = "scene", .activate = qs_script_panel_scene},
		{.name = "scene-as", .activate = qs_script_panel_scene_as},
		{.name = "new", .activate = new_script},
		{.name = "open", .activate = open_script},
		{.name = "save", .activate = save},
		{.name = "save-as", .activate = save_as},
		{.name = "probe", .activate = open_probe, .parameter_type = "s"},
		{.name = "show", .activate = show, .parameter_type = "(si)"},
	};
	g_autoptr(GMenuModel) menu = script_probes_menu();

	gtk_widget_init_template(GTK_WIDGET(self));
	self->draft = qs_state_file("draft.lua");
	self->actions = g_simple_action_group_new();
	g_action_map_add_action_entries(G_ACTION_MAP(self->actions), entries, G_N_ELEMENTS(entries), self);
	qs_panel_insert_actions(QS_PANEL(self), "script", G_ACTION_GROUP(self->actions));
	gtk_menu_button_set_menu_model(self->probes, menu);
	prepare_editor(self);
	restore(self);
	qs_script_panel_show_scene(self);
	g_signal_connect_object(self->buffer, "changed", G_CALLBACK(edited), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(self->buffer, "modified-changed", G_CALLBACK(show_name), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(self->stop, "clicked", G_CALLBACK(stop_clicked), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(self->disk, "response", G_CALLBACK(disk_response), self, G_CONNECT_SWAPPED);
}

static void qs_script_panel_class_init(QsScriptPanelClass *klass)
{
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

	g_type_ensure(GTK_SOURCE_TYPE_VIEW);
	G_OBJECT_CLASS(klass)->constructed = qs_script_panel_constructed;
	G_OBJECT_CLASS(klass)->dispose = qs_script_panel_dispose;
	G_OBJECT_CLASS(klass)->finalize = qs_script_panel_finalize;
	QS_PANEL_CLASS(klass)->focus = qs_script_panel_focus;
	gtk_widget_class_set_template_from_resource(widget_class, QS_RESOURCE "panels/qs-script-panel.ui");
	gtk_widget_class_bind_template_child(widget_class, QsScriptPanel, probes);
	gtk_widget_class_bind_template_child(widget_class, QsScriptPanel, scene);
	gtk_widget_class_bind_template_child(widget_class, QsScriptPanel, name);
	gtk_widget_class_bind_template_child(widget_class, QsScriptPanel, disk);
	gtk_widget_class_bind_template_child(widget_class, QsScriptPanel, disk_text);
	gtk_widget_class_bind_template_child(widget_class, QsScriptPanel, editor);
	gtk_widget_class_bind_template_child(widget_class, QsScriptPanel, problem);
	gtk_widget_class_bind_template_child(widget_class, QsScriptPanel, stop);
}
