/* qs-session.h - one open capture and where the person is in it; the only thing that panels share
 *
 * How the inspector works, for whoever adds a panel:
 *
 *   - The engine (struct qs_timeline) lives on a worker thread (qs-worker.h).  Nothing on the main loop may call it.  Cheap
 *     pure functions of quadscope.h may be called anywhere: qs_moment_format/parse/compare, qs_command_text, the register
 *     tables, qs_capture_* of the open capture.
 *   - The session always has the last finished QsView (qs-view.h): an immutable snapshot of registers with writers, pictures,
 *     setup records, quads, the quad with all detail, vertices.  While the engine works the old view stays; nothing blanks.
 *   - The session also has a QsTrace: the fragment that the picked pixel or the current step is about (TEV stages, texels,
 *     depth test, blend operands, last writer, the verdict in one sentence).  It follows the view a moment later:
 *     trace->serial == view->serial when it belongs to it.
 *   - The signal "changed" (QsChange flags) tells what is new.  QsPanel (panels/panels.h) turns it into one update() call.
 *   - What is expensive and not in the view is asked for with qs_session_request (qs-request.h has ready ones: pictures,
 *     textures, history, parts of a draw, a view of another moment).  The answer comes on the main loop; answers for a moment
 *     that is no longer current never come, because "changed" with QS_CHANGE_VIEW comes instead.
 *   - To go somewhere call qs_session_seek and friends; they return at once.  A whole drag may be sent: only the last place
 *     that the engine gets to is shown.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "qs-worker.h"

G_BEGIN_DECLS

typedef enum {
	QS_CHANGE_CAPTURE = 1 << 0,   /* another file; view and trace are new or NULL */
	QS_CHANGE_VIEW = 1 << 1,      /* another moment, model or picture */
	QS_CHANGE_TRACE = 1 << 2,
	QS_CHANGE_PICK = 1 << 3,      /* picked pixel */
	QS_CHANGE_HOVER = 1 << 4,     /* hovered pixel and quad */
	QS_CHANGE_SELECTION = 1 << 5, /* what [ and ] go through */
	QS_CHANGE_BOOKMARKS = 1 << 6,
	QS_CHANGE_BREAKPOINTS = 1 << 7, /* comes with QS_CHANGE_VIEW */
	QS_CHANGE_LOADING = 1 << 8,   /* loading or its progress */
	QS_CHANGE_VISITED = 1 << 9,   /* visited moments */
	QS_CHANGE_BUSY = 1 << 10,
	QS_CHANGE_MARKS = 1 << 11,    /* A and B */
	QS_CHANGE_OWN = 1 << 12,      /* never sent: for a panel's qs_panel_queue_update */
	QS_CHANGE_VIEWPORT = 1 << 13, /* zoom of the EFB's pictures */
	QS_CHANGE_ALL = (1 << 14) - 1,
} QsChange;

typedef enum { QS_SELECT_NONE, QS_SELECT_PIXEL, QS_SELECT_REGISTER } QsSelectionKind;

typedef struct {
	QsSelectionKind kind;
	enum qs_unit unit;
	guint address;
	guint32 mask; /* bits of the register */
} QsSelection;

typedef enum { QS_MESSAGE_HINT, QS_MESSAGE_WARNING, QS_MESSAGE_ERROR } QsMessage;

#define QS_TYPE_SESSION (qs_session_get_type())
G_DECLARE_FINAL_TYPE(QsSession, qs_session, QS, SESSION, GObject)

/* signals: "changed" (guint QsChange flags), "message" (guint QsMessage, const char *text) */
QsSession *qs_session_new(void);

/* ---- the file ---- */
/* at: text of a moment, or NULL for the last draw of the first frame. */
void qs_session_open(QsSession *self, const char *path, const char *at);
gboolean qs_session_get_loading(QsSession *self, double *progress, const char **path);
void qs_session_cancel(QsSession *self); /* loading, seek, run, request: whatever the engine does */
QsCapture *qs_session_get_capture(QsSession *self);          /* NULL: none open */
const struct qs_capture *qs_session_get_file(QsSession *self); /* the same for quadscope.h calls */

/* ---- the moment ---- */
QsView *qs_session_get_view(QsSession *self);   /* NULL: none */
QsTrace *qs_session_get_trace(QsSession *self); /* NULL: none (yet) */
/* The primitive to look at: the moment's; at a draw the one of the picked pixel.  Changes with QS_CHANGE_TRACE too.  It has no
 * pictures and may be of another draw: they are the view's. */
QsView *qs_session_get_primitive(QsSession *self);
gboolean qs_session_get_busy(QsSession *self);  /* the engine has been working for more than a blink */
gboolean qs_session_get_idle(QsSession *self);  /* nothing is asked for that was not answered */
enum qs_model qs_session_get_model(QsSession *self); /* of the open capture's machine, see QsView.model */
void qs_session_set_model(QsSession *self, enum qs_model model);
/* Who draws, from the current frame on; the view says who does. */
void qs_session_set_pipeline(QsSession *self, enum qs_pipeline pipeline);
void qs_session_set_quirk(QsSession *self, const char *name, int value);
void qs_session_reset_quirks(QsSession *self); /* all as the model has them */
/* Pictures that every view should have, mask of 1 << enum qs_buffer (colour and depth always are). */
void qs_session_set_buffers(QsSession *self, guint buffers);

/* ---- going somewhere (qs-navigate.c) ---- */
void qs_session_seek(QsSession *self, const struct qs_moment *moment);
gboolean qs_session_seek_text(QsSession *self, const char *text, struct qs_error *error); /* "2/57/0/13" */
/* What a person types: a moment, a pixel "312,140", a register "GEN_MODE" or "bp.GEN_MODE.ntev". */
gboolean qs_session_go_to(QsSession *self, const char *text, struct qs_error *error); /* qs-goto.c */
void qs_session_seek_command(QsSession *self, guint32 command);
void qs_session_seek_draw(QsSession *self, guint32 frame, guint32 draw);
void qs_session_step(QsSession *self, enum qs_level level, int n);
void qs_session_into(QsSession *self); /* finer: draw, its first primitive, its first quad, its first stage, next stage */
void qs_session_out(QsSession *self);  /* of quads and primitives to the draw */
void qs_session_seek_pixel(QsSession *self, int x, int y, int direction);
void qs_session_seek_write(QsSession *self, enum qs_unit unit, guint address, guint32 mask, int direction);
void qs_session_seek_fragment(QsSession *self, int x, int y, gboolean last); /* that covers / wrote the pixel */
void qs_session_seek_change(QsSession *self, int direction); /* of the selection */
void qs_session_run(QsSession *self, int direction);         /* to a breakpoint or the end */
void qs_session_refresh(QsSession *self);                    /* same moment, new view */
/* Visited moments, as in a browser. */
void qs_session_go_visited(QsSession *self, int direction);
gboolean qs_session_can_go_visited(QsSession *self, int direction);

/* ---- what the person points at ---- */
/* FALSE: no pixel is picked.  Until the person picks one, the session does (qs_view_choose_pixel). */
gboolean qs_session_get_pick(QsSession *self, int *x, int *y);
void qs_session_set_pick(QsSession *self, int x, int y);       /* clamped to the EFB; selects the pixel too */
gboolean qs_session_get_hover(QsSession *self, int *x, int *y);
void qs_session_set_hover(QsSession *self, int x, int y); /* negative: nothing */
const QsSelection *qs_session_get_selection(QsSession *self);
void qs_session_select_register(QsSession *self, enum qs_unit unit, guint address, guint32 mask);

/* Goes to a copy, whose panel then shows the texel that is stored at the address (QS_NONE: any); the panel takes it once. */
void qs_session_seek_copy(QsSession *self, guint32 command, guint32 address);
guint32 qs_session_take_copy_address(QsSession *self);

/* Zoom that the pictures of the EFB share: x, y is the EFB point in the middle. */
typedef struct {
	gboolean fit; /* the whole picture; the rest does not matter */
	double scale, x, y;
} QsViewport;
const QsViewport *qs_session_get_viewport(QsSession *self);
void qs_session_set_viewport(QsSession *self, const QsViewport *viewport);

/* ---- bookmarks, breakpoints, marks ---- */
typedef struct {
	struct qs_moment moment;
	char *text;
} QsBookmark;
const QsBookmark *qs_session_get_bookmarks(QsSession *self, guint *count);
void qs_session_toggle_bookmark(QsSession *self); /* at the current moment */
/* Breakpoints are the timeline's; the view lists them (QsView.breakpoints).  text as for qs_breakpoint_parse. */
gboolean qs_session_add_breakpoint(QsSession *self, const char *text, struct qs_error *error);
void qs_session_remove_breakpoint(QsSession *self, guint32 id);
void qs_session_enable_breakpoint(QsSession *self, guint32 id, gboolean enabled);
void qs_session_toggle_breakpoint(QsSession *self); /* at the current draw */
void qs_session_set_mark(QsSession *self, guint which); /* 0: A, 1: B, at the current moment */
gboolean qs_session_get_mark(QsSession *self, guint which, struct qs_moment *moment);

/* ---- asking the engine ---- */
/* Runs `run` on the engine thread with the timeline at the current view's moment (it may move it), then `done` on the main
 * loop with user = owner.  lane: any address; a newer request of a lane replaces older ones.  owner NULL is fine. */
void qs_session_request(QsSession *self, gconstpointer lane, GObject *owner, QsJobRun run, QsJobDone done, gpointer data,
	GDestroyNotify destroy);
/* The same for scripts: not bound to a view, and when run leaves the timeline elsewhere the window follows. */
void qs_session_request_moving(QsSession *self, GObject *owner, QsJobRun run, QsJobDone done, gpointer data,
	GDestroyNotify destroy);
void qs_session_message(QsSession *self, QsMessage level, const char *format, ...) G_GNUC_PRINTF(3, 4);

G_END_DECLS
