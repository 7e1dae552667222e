/* qs-worker.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-worker.h"
#include <string.h>

/* A newer job of the lane waits for the running one at most this long: a drag keeps showing pictures, a long replay does
 * not hold up the next click. */
#define PATIENCE_MS 300

typedef struct {
	QsJob job;
	GWeakRef owner;
	gboolean has_owner;
	gboolean stale; /* replaced while it ran */
	gboolean ok;
	struct qs_error error;
	QsWorker *worker;
} Task;

struct _QsWorker {
	gatomicrefcount references; /* the worker, and one for each answer on its way */
	GThread *thread;
	GMutex mutex;
	GCond cond;
	GQueue queue;
	Task *running;
	gint64 since;
	gboolean quit, cancelled;
	gint outstanding; /* jobs that were pushed and not freed */
	struct qs_timeline *timeline; /* for cancel, under the mutex */
	QsEngine engine;
};

static void worker_unref(QsWorker *self)
{
	if (!g_atomic_ref_count_dec(&self->references))
		return;
	g_mutex_clear(&self->mutex);
	g_cond_clear(&self->cond);
	g_free(self);
}

static void task_free(Task *task)
{
	if (task->job.destroy)
		task->job.destroy(task->job.data);
	g_weak_ref_clear(&task->owner);
	g_atomic_int_add(&task->worker->outstanding, -1);
	worker_unref(task->worker);
	g_free(task);
}

static gboolean answer(gpointer data)
{
	Task *task = data;
	g_autoptr(GObject) owner = task->has_owner ? g_weak_ref_get(&task->owner) : NULL;
	gboolean wanted;

	g_mutex_lock(&task->worker->mutex);
	wanted = !task->stale && !task->worker->quit;
	g_mutex_unlock(&task->worker->mutex);
	if (task->job.done && wanted && (owner || !task->has_owner))
		task->job.done(task->job.data, task->ok ? NULL : &task->error, owner);
	task_free(task);
	return G_SOURCE_REMOVE;
}

/* Never g_main_context_invoke: before the main loop runs it would call from the engine thread. */
static void post(GSourceFunc function, Task *task)
{
	g_idle_add_full(G_PRIORITY_DEFAULT, function, task, NULL);
}

/* Data may hold references to widgets' friends: it is let go on the main loop only. */
static gboolean drop(gpointer data)
{
	task_free(data);
	return G_SOURCE_REMOVE;
}

static gboolean prepare(QsEngine *engine, const QsJob *job, struct qs_error *error)
{
	if (!job->serial)
		return TRUE;
	if (job->serial != engine->serial || !engine->timeline)
		return FALSE;
	if (qs_moment_compare(qs_timeline_moment(engine->timeline), &engine->moment) == 0)
		return TRUE;
	return qs_timeline_seek(engine->timeline, &engine->moment, error);
}

static void run_task(QsWorker *self, Task *task)
{
	/* A cancel that was meant for the job before may hit this one's first engine call; once more is enough. */
	for (guint attempt = 0; attempt < 2; attempt++) {
		gboolean again;

		memset(&task->error, 0, sizeof task->error);
		if (!prepare(&self->engine, &task->job, &task->error)) {
			task->ok = FALSE;
			if (task->error.code == QS_OK)
				task->stale = TRUE;
		} else {
			task->ok = task->job.run(self, &self->engine, task->job.data, &task->error);
		}
		g_mutex_lock(&self->mutex);
		again = !task->ok && task->error.code == QS_ERR_CANCELLED && !self->cancelled && !self->quit && !task->stale;
		g_mutex_unlock(&self->mutex);
		if (!again)
			break;
	}
}

static void forget_script(QsEngine *engine)
{
	if (engine->script)
		engine->script_free(engine->script);
	engine->script = NULL;
}

static void forget_host(QsEngine *engine)
{
	qs_gfx3d_host_destroy(engine->host);
	engine->host = NULL;
}

static gpointer thread_main(gpointer data)
{
	QsWorker *self = data;

	g_mutex_lock(&self->mutex);
	while (!self->quit) {
		Task *task = g_queue_pop_head(&self->queue);

		if (!task) {
			g_cond_wait(&self->cond, &self->mutex);
			continue;
		}
		self->running = task;
		self->cancelled = FALSE;
		self->since = g_get_monotonic_time();
		g_mutex_unlock(&self->mutex);
		run_task(self, task);
		g_mutex_lock(&self->mutex);
		self->running = NULL;
		self->since = 0;
		post(answer, task);
	}
	self->timeline = NULL;
	g_mutex_unlock(&self->mutex);
	forget_script(&self->engine);
	forget_host(&self->engine);
	qs_timeline_destroy(self->engine.timeline);
	qs_capture_unref(self->engine.capture);
	return NULL;
}

QsWorker *qs_worker_new(void)
{
	QsWorker *self = g_new0(QsWorker, 1);

	g_atomic_ref_count_init(&self->references);
	g_mutex_init(&self->mutex);
	g_cond_init(&self->cond);
	g_queue_init(&self->queue);
	self->thread = g_thread_new("engine", thread_main, self);
	return self;
}

void qs_worker_free(QsWorker *self)
{
	Task *task;

	if (!self)
		return;
	g_mutex_lock(&self->mutex);
	self->quit = TRUE;
	self->cancelled = TRUE;
	if (self->timeline && self->running)
		qs_timeline_cancel(self->timeline);
	g_cond_signal(&self->cond);
	g_mutex_unlock(&self->mutex);
	g_thread_join(self->thread);
	while ((task = g_queue_pop_head(&self->queue)))
		task_free(task);
	worker_unref(self);
}

static void replace(QsWorker *self, gconstpointer lane)
{
	for (GList *link = self->queue.head, *next; link; link = next) {
		Task *task = link->data;

		next = link->next;
		if (task->job.lane == lane) {
			g_queue_delete_link(&self->queue, link);
			post(drop, task);
		}
	}
	if (self->running && self->running->job.lane == lane) {
		self->running->stale = TRUE;
		if (g_get_monotonic_time() - self->since > PATIENCE_MS * 1000 && self->timeline) {
			self->cancelled = TRUE;
			qs_timeline_cancel(self->timeline);
		}
	}
}

void qs_worker_push(QsWorker *self, const QsJob *job)
{
	Task *task = g_new0(Task, 1);

	task->job = *job;
	task->worker = self;
	task->has_owner = job->owner != NULL;
	g_weak_ref_init(&task->owner, job->owner);
	task->job.owner = NULL;
	g_atomic_ref_count_inc(&self->references);
	g_atomic_int_inc(&self->outstanding);
	g_mutex_lock(&self->mutex);
	if (job->lane)
		replace(self, job->lane);
	if (job->urgent) {
		GList *link = self->queue.head;

		while (link && ((Task *)link->data)->job.urgent)
			link = link->next;
		g_queue_insert_before(&self->queue, link, task);
	} else {
		g_queue_push_tail(&self->queue, task);
	}
	g_cond_signal(&self->cond);
	g_mutex_unlock(&self->mutex);
}

void qs_worker_cancel(QsWorker *self)
{
	g_mutex_lock(&self->mutex);
	if (self->running) {
		self->cancelled = TRUE;
		if (self->timeline)
			qs_timeline_cancel(self->timeline);
	}
	g_mutex_unlock(&self->mutex);
}

gboolean qs_worker_cancelled(QsWorker *self)
{
	gboolean cancelled;

	g_mutex_lock(&self->mutex);
	cancelled = self->cancelled;
	g_mutex_unlock(&self->mutex);
	return cancelled;
}

void qs_worker_adopt(QsWorker *self, QsEngine *engine, QsCapture *capture, struct qs_timeline *timeline)
{
	struct qs_timeline *old = engine->timeline;
	QsCapture *old_capture = engine->capture;

	forget_script(engine);
	forget_host(engine);
	g_mutex_lock(&self->mutex);
	self->timeline = timeline;
	g_mutex_unlock(&self->mutex);
	engine->timeline = timeline;
	engine->capture = qs_capture_ref(capture);
	engine->serial = 0;
	qs_timeline_destroy(old);
	qs_capture_unref(old_capture);
}

gboolean qs_worker_idle(QsWorker *self)
{
	return g_atomic_int_get(&self->outstanding) == 0;
}

guint qs_worker_busy(QsWorker *self)
{
	guint busy = 0;

	g_mutex_lock(&self->mutex);
	if (self->running)
		busy = (guint)((g_get_monotonic_time() - self->since) / 1000) + 1;
	g_mutex_unlock(&self->mutex);
	return busy;
}
