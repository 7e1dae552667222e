/* qs-compare.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-compare.h"

typedef struct {
	QsCompareAnswer answer;
	QsCompareDone done;
	QsCompareProgress *progress;
	QsWorker *worker; /* while it runs */
} CompareJob;

static void compare_free(gpointer data)
{
	CompareJob *job = data;

	qs_comparison_finish(&job->answer.comparison);
	g_atomic_rc_box_release(job->progress);
	g_free(job);
}

static bool go_on(double fraction, void *user)
{
	CompareJob *job = user;

	g_atomic_int_set(job->progress, (gint)(CLAMP(fraction, 0, 1) * 1000));
	return !qs_worker_cancelled(job->worker);
}

const char *qs_compare_side_name(guint other)
{
	return other == QS_COMPARE_SHADER ? qs_pipeline_name(QS_PIPELINE_SHADER) : qs_model_name((enum qs_model)other);
}

static gboolean set_up(struct qs_timeline *other, struct qs_timeline *first, guint which, struct qs_error *error)
{
	if (which != QS_COMPARE_SHADER) {
		qs_timeline_set_model(other, (enum qs_model)which);
		return TRUE;
	}
	qs_timeline_set_model(other, qs_timeline_model(first));
	for (guint32 i = 0; i < qs_quirk_count(); i++)
		if (!qs_timeline_set_quirk(other, qs_quirk_at(i)->name, qs_timeline_quirk(first, qs_quirk_at(i)->name), error))
			return FALSE;
	return qs_timeline_set_pipeline(other, QS_PIPELINE_SHADER, 1, NULL, error);
}

/* The second side has a timeline of its own for as long as the question takes. */
static gboolean compare_run(QsWorker *worker, QsEngine *engine, gpointer data, struct qs_error *error)
{
	CompareJob *job = data;
	QsCompareAnswer *a = &job->answer;
	struct qs_timeline *other = qs_timeline_create(engine->capture->capture, error);
	struct qs_source here, there;
	struct qs_compare_options options = {.frame = a->frame, .buffer = QS_BUFFER_COUNT, .causes = a->explain,
		.divergence = a->explain, .progress = go_on, .user = job};
	gboolean ok;

	if (!other)
		return FALSE;
	job->worker = worker;
	qs_comparison_finish(&a->comparison); /* of an attempt before */
	if (!set_up(other, engine->timeline, a->other, error)) {
		qs_timeline_destroy(other);
		return FALSE;
	}
	qs_source_timeline(&here, engine->timeline, qs_model_name(qs_timeline_model(engine->timeline)));
	qs_source_timeline(&there, other, qs_compare_side_name(a->other));
	ok = qs_compare(&here, &there, &options, &a->comparison, error);
	qs_timeline_destroy(other);
	return ok;
}

static void compare_done(gpointer data, const struct qs_error *error, gpointer user)
{
	CompareJob *job = data;

	job->done(user, &job->answer, error);
}

void qs_request_compare(QsSession *session, GObject *owner, guint other, gboolean explain,
	QsCompareProgress *progress, QsCompareDone done)
{
	QsView *view = qs_session_get_view(session);
	CompareJob *job = g_new0(CompareJob, 1);

	/* lane: an address inside the owner that no other question of its uses */
	job->answer.frame = view ? MAX(view->moment.frame, 1) : 1;
	job->answer.other = other;
	job->answer.explain = explain;
	job->done = done;
	job->progress = g_atomic_rc_box_acquire(progress);
	qs_session_request(session, (const guint8 *)owner + 64, owner, compare_run, compare_done, job, compare_free);
}
