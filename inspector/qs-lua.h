/* qs-lua.h - the scripts of a session, as the window sees them
 *
 * The script engine (lua/engine.h) lives on the engine thread beside the timeline that it borrows: one for each open capture,
 * made by the first script, gone with the capture.  What a script shows comes to the main loop through a queue with room for
 * a few megabytes; a script that prints faster than the window can show waits.
 *
 * One script runs at a time; another one is refused with a sentence.  Everything else that is asked of the engine meanwhile
 * waits.  When the script has moved the timeline the window follows.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "qs-session.h"
#include "models/qs-figure.h"

G_BEGIN_DECLS

typedef enum {
	QS_LUA_OUTPUT,
	QS_LUA_ERROR,
	QS_LUA_INPUT, /* a line of the prompt */
	QS_LUA_NOTE,  /* what runs, how it ended */
} QsLuaText;

typedef enum {
	QS_LUA_CHANGE_RUNNING = 1 << 0, /* or its progress */
	QS_LUA_CHANGE_FIGURES = 1 << 1,
	QS_LUA_CHANGE_SHAPES = 1 << 2,
} QsLuaChange;

typedef struct {
	enum qs_overlay_kind kind;
	double x0, y0, x1, y1; /* EFB pixels */
	guint32 colour;        /* 0xRRGGBBAA */
	char *text;            /* or NULL */
} QsShape;

#define QS_TYPE_LUA (qs_lua_get_type())
G_DECLARE_FINAL_TYPE(QsLua, qs_lua, QS, LUA, GObject)

/* Signals: "text" (guint QsLuaText, const char *text: whole lines), "figure" (QsFigure *), "changed" (guint QsLuaChange),
 * "finished" (const char *name, const char *error or NULL, gboolean incomplete: the prompt wants more lines). */
QsLua *qs_session_get_lua(QsSession *self);

/* FALSE: refused; a sentence was sent as "text".  name is what errors call it: "overdraw.lua". */
gboolean qs_lua_run(QsLua *self, const char *text, const char *name);
gboolean qs_lua_eval(QsLua *self, const char *text);
void qs_lua_stop(QsLua *self);
/* progress: 0..1 of a replay, 0 when it is not known */
gboolean qs_lua_get_running(QsLua *self, double *progress);

/* Candidates for the word that ends at the end of text; start is its offset in bytes.  No answer comes while a script runs or
 * without a capture.  A newer question of the same owner replaces an older one. */
typedef void (*QsLuaCompleted)(GObject *owner, const char *text, char **list, gsize start);
void qs_lua_complete(QsLua *self, const char *text, GObject *owner, QsLuaCompleted done);

/* The last figure of every title, oldest first; tables without a title are kept one by one. */
GListModel *qs_lua_get_figures(QsLua *self);
void qs_lua_clear_figures(QsLua *self);
const QsShape *qs_lua_get_shapes(QsLua *self, guint *count);

G_END_DECLS
