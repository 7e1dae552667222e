/* qs-script-panel-private.h - shared by the files of the script panel: qs-script-panel.c, script-scenes.c
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <gtksourceview/gtksource.h>
#include "qs-lua.h"
#include "qs-script-panel.h"

struct _QsScriptPanel {
	QsPanel parent_instance;
	GtkMenuButton *probes;
	GtkLabel *name, *disk_text, *problem;
	GtkInfoBar *disk;
	GtkSourceView *editor;
	GtkButton *stop;
	GtkSourceBuffer *buffer;
	GSimpleActionGroup *actions;
	GFileMonitor *monitor;
	char *path;  /* NULL: never saved */
	char *draft; /* path of the draft file */
	char *next;  /* to open when the question about changes was answered; "" for a new script */
	guint draft_timer;
	GtkWidget *scene;
	GCancellable *building; /* a scene; NULL: none */
	char *scene_path;       /* where it goes */
};

#define ACTION(name) static void name(GSimpleAction *action, GVariant *parameter, gpointer user)
#define SELF QsScriptPanel *self = user; (void)action, (void)parameter
#define SESSION(self) qs_panel_get_session(QS_PANEL(self))
#define LUA(self) qs_session_get_lua(SESSION(self))

char *qs_script_panel_name(QsScriptPanel *self);
void qs_script_panel_show_problem(QsScriptPanel *self, const char *name, const char *error);
void qs_script_panel_clear_problem(QsScriptPanel *self);
char *qs_script_panel_get_text(QsScriptPanel *self);
void qs_script_panel_show_scene(QsScriptPanel *self);

/* script-scenes.c: builds the text as a scene and opens it; asks where to first. */
void qs_script_panel_scene(GSimpleAction *action, GVariant *parameter, gpointer user);
void qs_script_panel_scene_as(GSimpleAction *action, GVariant *parameter, gpointer user);
