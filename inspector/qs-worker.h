/* qs-worker.h - the engine's thread
 *
 * The thread owns the timeline.  It takes jobs from a queue; a job's run function is called there, its done function
 * afterwards on the main loop.  A lane is any pointer: a newer job of a lane replaces the queued one and the answer of the
 * running one is dropped, so that whoever asks faster than the engine answers sees only the last answer.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "qs-view.h"

G_BEGIN_DECLS

/* Everything here belongs to the engine thread, between the run functions' calls. */
typedef struct {
	QsCapture *capture;
	struct qs_timeline *timeline; /* NULL until a capture is open */
	struct qs_moment moment;      /* where the timeline is when a job starts */
	guint64 serial;               /* of the last view made */
	gpointer script;              /* borrows the timeline: freed before it is replaced; see qs-lua.c */
	GDestroyNotify script_free;
	struct qs_gfx3d_host *host;   /* of the open capture, started on demand: qs_engine_host */
	gboolean host_draws;          /* its pictures are shown, see qs_engine_view */
} QsEngine;

typedef struct _QsWorker QsWorker;

/* FALSE: error is set. */
typedef gboolean (*QsJobRun)(QsWorker *worker, QsEngine *engine, gpointer data, struct qs_error *error);
/* error NULL: it worked. */
typedef void (*QsJobDone)(gpointer data, const struct qs_error *error, gpointer user);

typedef struct {
	gconstpointer lane;    /* NULL: never replaced */
	gboolean urgent;       /* before everything that is not */
	guint64 serial;        /* not 0: only while this view is the last one, with the timeline at its moment */
	QsJobRun run;
	QsJobDone done;        /* NULL or called on the main loop; not for dropped jobs */
	GObject *owner;        /* NULL, or done is only called while it lives; it is user of done */
	gpointer data;
	GDestroyNotify destroy; /* of data, on the main loop or when the job is dropped */
} QsJob;

QsWorker *qs_worker_new(void);
void qs_worker_free(QsWorker *self); /* cancels and waits */
void qs_worker_push(QsWorker *self, const QsJob *job);
/* Stops the running job soon (any thread). */
void qs_worker_cancel(QsWorker *self);
/* Engine thread: did somebody ask to stop the running job? */
gboolean qs_worker_cancelled(QsWorker *self);
/* Engine thread: the timeline is replaced; only a job's run function may do that. */
void qs_worker_adopt(QsWorker *self, QsEngine *engine, QsCapture *capture, struct qs_timeline *timeline);
/* Any thread: is nothing queued, running or waiting to be told? */
gboolean qs_worker_idle(QsWorker *self);
/* Any thread: milliseconds since the running job began; 0: idle. */
guint qs_worker_busy(QsWorker *self);

G_END_DECLS
