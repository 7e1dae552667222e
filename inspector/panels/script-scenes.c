/* script-scenes.c - the script as a scene: built in the background, saved as a capture and opened
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>
#include "qs-scene.h"
#include "qs-script-panel-private.h"
#include "widgets/qs-theme.h"

static void say(QsScriptPanel *self, QsLuaText kind, const char *text)
{
	if (text && text[0])
		g_signal_emit_by_name(LUA(self), "text", (guint)kind, text);
}

static void scene_failed(QsScriptPanel *self, const char *text)
{
	g_autofree char *line = g_strdup_printf("%s\n", text), *name = qs_script_panel_name(self);

	say(self, QS_LUA_ERROR, line);
	qs_script_panel_show_problem(self, name, text);
}

/* The first scene; the others are named. */
static void open_scene(QsScriptPanel *self, QsSceneResult *result)
{
	const QsScene *first = g_ptr_array_index(result->scenes, 0);
	g_autoptr(GError) error = NULL;
	g_autofree char *note = NULL;
	gsize size;
	const void *data = g_bytes_get_data(first->data, &size);

	if (!g_file_set_contents(self->scene_path, data, (gssize)size, &error)) {
		scene_failed(self, error->message);
		return;
	}
	note = result->scenes->len == 1 ? g_strdup_printf("scene of %" G_GSIZE_FORMAT " bytes: %s\n", size, self->scene_path) :
		g_strdup_printf("%u scenes were saved; the first%s%s is opened: %s\n", result->scenes->len, first->name ? ", " : "",
			first->name ? first->name : "", self->scene_path);
	say(self, QS_LUA_NOTE, note);
	qs_session_open(SESSION(self), self->scene_path, NULL);
}

static void scene_built(GObject *owner, GAsyncResult *async, gpointer user)
{
	QsScriptPanel *self = QS_SCRIPT_PANEL(owner);
	QsSceneResult *result = qs_scene_build_finish(async);

	(void)user;
	g_clear_object(&self->building);
	if (SESSION(self)) { /* the panel may be gone by now */
		gtk_widget_set_sensitive(GTK_WIDGET(self->stop), FALSE);
		qs_script_panel_show_scene(self);
		say(self, QS_LUA_OUTPUT, result->output);
		if (result->error.code != QS_OK)
			scene_failed(self, result->error.text);
		else
			open_scene(self, result);
	}
	qs_scene_result_free(result);
}

static void build_scene(QsScriptPanel *self, const char *path)
{
	g_autofree char *text = qs_script_panel_get_text(self), *name = qs_script_panel_name(self);

	if (self->building)
		return;
	qs_script_panel_clear_problem(self);
	g_free(self->scene_path);
	self->scene_path = g_strdup(path);
	self->building = g_cancellable_new();
	gtk_widget_set_sensitive(GTK_WIDGET(self->stop), TRUE);
	qs_script_panel_show_scene(self);
	qs_scene_build_async(text, name, self->building, scene_built, self);
}

/* "fog.lua" gives "fog.dff". */
static char *scene_name(QsScriptPanel *self)
{
	g_autofree char *name = qs_script_panel_name(self);

	if (g_str_has_suffix(name, ".lua"))
		name[strlen(name) - 4] = '\0';
	return g_strconcat(name, ".dff", NULL);
}

void qs_script_panel_scene(GSimpleAction *action, GVariant *parameter, gpointer user)
{
	g_autofree char *name = NULL, *path = NULL;
	SELF;

	name = scene_name(self);
	path = qs_state_file(name);
	build_scene(self, path);
}

static void scene_response(GtkNativeDialog *dialog, int response, QsScriptPanel *self)
{
	g_autoptr(GFile) file = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file(GTK_FILE_CHOOSER(dialog)) : NULL;
	g_autofree char *path = file ? g_file_get_path(file) : NULL;

	if (path)
		build_scene(self, path);
	g_object_unref(dialog);
}

void qs_script_panel_scene_as(GSimpleAction *action, GVariant *parameter, gpointer user)
{
	GtkFileChooserNative *dialog;
	g_autofree char *name = NULL;
	SELF;

	name = scene_name(self);
	dialog = gtk_file_chooser_native_new("Save the Scene as a Capture", GTK_WINDOW(gtk_widget_get_root(GTK_WIDGET(self))),
		GTK_FILE_CHOOSER_ACTION_SAVE, "_Save and Open", "_Cancel");
	gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(dialog), name);
	g_signal_connect_object(dialog, "response", G_CALLBACK(scene_response), self, 0);
	gtk_native_dialog_show(GTK_NATIVE_DIALOG(dialog));
}
