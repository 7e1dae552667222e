/* qs-session-private.h - shared by qs-session.c and qs-navigate.c only
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "qs-lua.h"

typedef struct _QsNavigator QsNavigator;

struct _QsSession {
	GObject parent_instance;
	QsWorker *worker;
	QsNavigator *navigator;
	QsLua *lua;
	QsCapture *capture;
	QsView *view;
	QsTrace *trace;
	enum qs_model model;       /* of the Flipper, kept over captures */
	enum qs_model gfx3d_model; /* number of an enum qs_gfx3d_model: the open capture's */
	enum qs_pipeline pipeline; /* asked for */
	guint buffers;

	gboolean loading, busy, picked, hovering, walking;
	gint *progress; /* per mille, written by the engine thread; an atomic rc box */
	char *loading_path;
	guint progress_timer, busy_timer;

	int pick_x, pick_y, hover_x, hover_y;
	QsSelection selection;
	QsViewport viewport;
	guint32 copy_address; /* QS_NONE: none is asked for */
	GArray *bookmarks;   /* QsBookmark */
	GArray *visited;     /* struct qs_moment */
	guint visited_at;    /* index of the current one */
	struct qs_moment mark[2];
	gboolean has_mark[2];
};

QsNavigator *qs_navigator_new(void);
void qs_navigator_unref(QsNavigator *self);
void qs_session_changed(QsSession *self, guint changes);
/* Main loop: the engine made a view; takes it over.  jump: by a seek, not a step. */
void qs_session_take_view(QsSession *self, QsView *view, gboolean jump);
guint qs_session_wanted_buffers(QsSession *self);
/* qs-lua.c */
QsLua *qs_lua_new(QsSession *session);
void qs_lua_detach(QsLua *self); /* the session goes */
void qs_lua_forget_capture(QsLua *self);
void qs_session_push(QsSession *self, const QsJob *job);
