/* qs-compare.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-compare.h"
#include <stdlib.h>
#include <string.h>
#include "qs-gfx3d.h"

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
	g_clear_pointer(&job->answer.draws, g_array_unref);
	g_atomic_rc_box_release(job->progress);
	g_free(job);
}

static bool go_on(double fraction, void *user)
{
	CompareJob *job = user;

	g_atomic_int_set(job->progress, (gint)(CLAMP(fraction, 0, 1) * 1000));
	return !qs_worker_cancelled(job->worker);
}

const char *qs_compare_side_name(enum qs_machine machine, guint other)
{
	if (other < QS_MODELS)
		return qs_machine_model_name(machine, other);
	return machine == QS_MACHINE_GFX3D ? "virgl host" : qs_pipeline_name(QS_PIPELINE_SHADER);
}

static gboolean set_up(struct qs_timeline *other, struct qs_timeline *first, guint which, struct qs_error *error)
{
	if (qs_timeline_gfx3d(other))
		return qs_timeline_set_gfx3d_model(other, (enum qs_gfx3d_model)which, error);
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

/* ---- draw by draw ------------------------------------------------------------------------------------------------------- */

#define MAX_COMPARED 4000 /* draws of a frame that are looked at one by one */

/* What is different now and was not before; `known` has a byte per pixel. */
static void note_draw(CompareJob *job, QsComparedDraw *draw, const struct qs_image *a, const struct qs_image *b, guint8 **known, gsize *room)
{
	const gsize pixels = (gsize)a->width * a->height;

	if (a->width != b->width || a->height != b->height)
		return;
	if (pixels > *room) {
		*known = g_realloc(*known, pixels);
		memset(*known + *room, 0, pixels - *room);
		*room = pixels;
	}
	for (gsize i = 0; i < pixels; i++) {
		guint distance = 0;

		for (guint c = 0; c < 3; c++)
			distance = MAX(distance, (guint)abs(a->rgba[4 * i + c] - b->rgba[4 * i + c]));
		if (distance > job->answer.comparison.tolerance && !(*known)[i]) {
			draw->pixels++;
			if (distance > draw->distance) {
				draw->distance = distance;
				draw->x = (int)(i % a->width);
				draw->y = (int)(i / a->width);
			}
		}
		(*known)[i] = distance > job->answer.comparison.tolerance;
	}
	if (draw->pixels)
		g_array_append_vals(job->answer.draws, draw, 1);
}

static gboolean compare_draws(CompareJob *job, const struct qs_capture *capture, const struct qs_source *a, const struct qs_source *b,
	struct qs_error *error)
{
	const struct qs_frame *frame = qs_capture_frame(capture, job->answer.frame);
	g_autofree guint8 *known = NULL;
	gboolean ok = TRUE;
	guint looked = 0;
	gsize room = 0;

	if (!a->after || !b->after || !frame)
		return TRUE;
	job->answer.draws = g_array_new(FALSE, TRUE, sizeof(QsComparedDraw));
	for (guint32 i = 0; ok && i < frame->command_count && looked < MAX_COMPARED; i++) {
		const guint32 command = frame->first_command + i;
		struct qs_image image[2] = {{0}};
		QsComparedDraw draw = {.x = 0};

		if (qs_capture_command(capture, command)->draw == QS_NONE && i + 1 < frame->command_count &&
			qs_capture_command(capture, command + 1)->draw == QS_NONE)
			continue; /* only what stands before a draw, which shows clears, and draws themselves */
		looked++;
		if (!go_on((double)i / frame->command_count, job)) {
			qs_error_set(error, QS_ERR_CANCELLED, 0, "Stopped on request.");
			return FALSE;
		}
		qs_moment_of_command(capture, command, &draw.moment);
		ok = a->after(a->user, command, QS_BUFFER_COLOR, &image[0], error) && b->after(b->user, command, QS_BUFFER_COLOR, &image[1], error);
		if (ok)
			note_draw(job, &draw, &image[0], &image[1], &known, &room);
		else if (error->code == QS_ERR_RANGE) { /* nothing to draw into as yet */
			memset(error, 0, sizeof *error);
			ok = TRUE;
		}
		qs_image_finish(&image[0]);
		qs_image_finish(&image[1]);
	}
	return ok;
}

/* ---- the question ------------------------------------------------------------------------------------------------------- */

static gboolean compare_run(QsWorker *worker, QsEngine *engine, gpointer data, struct qs_error *error)
{
	CompareJob *job = data;
	QsCompareAnswer *a = &job->answer;
	const enum qs_machine machine = qs_capture_machine(engine->capture);
	const gboolean on_host = machine == QS_MACHINE_GFX3D && a->other == QS_COMPARE_SHADER;
	struct qs_gfx3d_host *host = on_host ? qs_engine_host(engine, error) : NULL;
	/* The second side has a timeline of its own for as long as the question takes. */
	struct qs_timeline *other = on_host ? NULL : qs_timeline_create(engine->capture->capture, error);
	struct qs_source here, there;
	struct qs_compare_options options = {.frame = a->frame, .buffer = a->depth ? QS_BUFFER_DEPTH : QS_BUFFER_COUNT, .causes = a->explain,
		.divergence = a->explain, .progress = go_on, .user = job};
	gboolean ok;

	if (!other && !host)
		return FALSE;
	job->worker = worker;
	qs_comparison_finish(&a->comparison); /* of an attempt before */
	g_clear_pointer(&a->draws, g_array_unref);
	if (other && !set_up(other, engine->timeline, a->other, error)) {
		qs_timeline_destroy(other);
		return FALSE;
	}
	qs_source_timeline(&here, engine->timeline, "A");
	if (host)
		qs_source_gfx3d_host(&there, host, qs_compare_side_name(machine, a->other));
	else
		qs_source_timeline(&there, other, qs_compare_side_name(machine, a->other));
	if (on_host && !a->explain)
		there.cover = NULL; /* every draw of the frame once more: only for who wants to know why */
	ok = qs_compare(&here, &there, &options, &a->comparison, error) &&
		(!a->explain || compare_draws(job, engine->capture->capture, &here, &there, error));
	qs_timeline_destroy(other);
	return ok;
}

static void compare_done(gpointer data, const struct qs_error *error, gpointer user)
{
	CompareJob *job = data;

	job->done(user, &job->answer, error);
}

void qs_request_compare(QsSession *session, GObject *owner, guint other, gboolean depth, gboolean explain,
	QsCompareProgress *progress, QsCompareDone done)
{
	QsView *view = qs_session_get_view(session);
	CompareJob *job = g_new0(CompareJob, 1);

	/* lane: an address inside the owner that no other question of its uses */
	job->answer.frame = view ? MAX(view->moment.frame, 1) : 1;
	job->answer.other = other;
	job->answer.depth = depth;
	job->answer.explain = explain;
	job->done = done;
	job->progress = g_atomic_rc_box_acquire(progress);
	qs_session_request(session, (const guint8 *)owner + 64, owner, compare_run, compare_done, job, compare_free);
}
