/* qs-session.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-session-private.h"
#include <string.h>
#include "gfx3d.h"
#include "qs-machine.h"

#define MAX_VISITED 200
#define BLINK_MS 120 /* work shorter than this shows no spinner */

G_DEFINE_FINAL_TYPE(QsSession, qs_session, G_TYPE_OBJECT)

enum { SIGNAL_CHANGED, SIGNAL_MESSAGE, SIGNAL_COUNT };
static guint signals[SIGNAL_COUNT];

static const char load_lane, trace_lane;

void qs_session_changed(QsSession *self, guint changes)
{
	g_signal_emit(self, signals[SIGNAL_CHANGED], 0, changes);
}

void qs_session_message(QsSession *self, QsMessage level, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	text = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	g_signal_emit(self, signals[SIGNAL_MESSAGE], 0, (guint)level, text);
}

/* ---- the engine's queue --------------------------------------------------------------------------------------------------- */

static gboolean watch_busy(gpointer user)
{
	QsSession *self = user;
	const guint since = qs_worker_busy(self->worker);
	const gboolean busy = since > BLINK_MS;

	if (busy != self->busy) {
		self->busy = busy;
		qs_session_changed(self, QS_CHANGE_BUSY);
	}
	if (since)
		return G_SOURCE_CONTINUE;
	self->busy_timer = 0;
	return G_SOURCE_REMOVE;
}

void qs_session_push(QsSession *self, const QsJob *job)
{
	if (!self->worker) {
		if (job->destroy)
			job->destroy(job->data);
		return;
	}
	qs_worker_push(self->worker, job);
	if (!self->busy_timer)
		self->busy_timer = g_timeout_add(BLINK_MS, watch_busy, self);
}

/* ---- trace: follows view and pick --------------------------------------------------------------------------------------- */

typedef struct {
	QsView *view;
	gboolean picked, chosen; /* by the person; by us */
	int x, y;
	QsTrace *trace;
} TraceJob;

static void trace_job_free(gpointer data)
{
	TraceJob *job = data;

	qs_view_unref(job->view);
	qs_trace_unref(job->trace);
	g_free(job);
}

static gboolean trace_run(QsWorker *worker, QsEngine *engine, gpointer data, struct qs_error *error)
{
	TraceJob *job = data;

	(void)worker;
	if (!job->picked) {
		job->chosen = qs_view_choose_pixel(job->view, engine->timeline, &job->x, &job->y, error);
		if (!job->chosen || !qs_timeline_seek(engine->timeline, &job->view->moment, error))
			return FALSE;
	}
	job->trace = qs_trace_capture(job->view, engine->timeline, job->x, job->y, error);
	return job->trace != NULL;
}

/* Nobody has picked a pixel yet: the panels are of use at once all the same. */
static void choose(QsSession *self, const TraceJob *job)
{
	self->picked = TRUE;
	self->pick_x = job->x;
	self->pick_y = job->y;
	if (self->selection.kind == QS_SELECT_NONE)
		self->selection.kind = QS_SELECT_PIXEL;
	qs_session_changed(self, QS_CHANGE_PICK | QS_CHANGE_SELECTION);
}

static void trace_done(gpointer data, const struct qs_error *error, gpointer user)
{
	TraceJob *job = data;
	QsSession *self = user;

	g_clear_pointer(&self->trace, qs_trace_unref);
	if (!error)
		self->trace = g_steal_pointer(&job->trace);
	if (!error && job->chosen && !self->picked)
		choose(self, job);
	qs_session_changed(self, QS_CHANGE_TRACE);
}
static void request_trace(QsSession *self)
{
	TraceJob *job;

	if (!self->view)
		return;
	job = g_new0(TraceJob, 1);
	job->view = qs_view_ref(self->view);
	job->picked = self->picked;
	job->x = self->pick_x;
	job->y = self->pick_y;
	qs_session_request(self, &trace_lane, G_OBJECT(self), trace_run, trace_done, job, trace_job_free);
}

/* ---- the view ----------------------------------------------------------------------------------------------------------- */

static void visit(QsSession *self, const struct qs_moment *moment, gboolean jump)
{
	struct qs_moment *at = self->visited->len ? &g_array_index(self->visited, struct qs_moment, self->visited_at) : NULL;
	const gboolean walking = self->walking;

	if (at && qs_moment_compare(at, moment) == 0)
		return;
	self->walking = !jump;
	if (at && !jump && walking) { /* a walk is one place */
		*at = *moment;
		return;
	}
	if (self->visited->len > self->visited_at + 1)
		g_array_set_size(self->visited, self->visited_at + 1);
	if (self->visited->len == MAX_VISITED)
		g_array_remove_index(self->visited, 0);
	g_array_append_val(self->visited, *moment);
	self->visited_at = self->visited->len - 1;
}

void qs_session_take_view(QsSession *self, QsView *view, gboolean jump)
{
	const gboolean breakpoints = !qs_view_same_breakpoints(self->view, view);

	g_clear_pointer(&self->view, qs_view_unref);
	self->view = view;
	if (qs_view_machine(view) == QS_MACHINE_GFX3D)
		self->gfx3d_model = view->model;
	else
		self->model = view->model;
	if (view->trouble)
		qs_session_message(self, QS_MESSAGE_WARNING, "%s", view->trouble);
	visit(self, &view->moment, jump);
	qs_session_changed(self, QS_CHANGE_VIEW | QS_CHANGE_VISITED | (breakpoints ? QS_CHANGE_BREAKPOINTS : 0u));
	request_trace(self);
}

guint qs_session_wanted_buffers(QsSession *self)
{
	return self->buffers | 1u << QS_BUFFER_COLOR | 1u << QS_BUFFER_DEPTH;
}

void qs_session_set_buffers(QsSession *self, guint buffers)
{
	const guint missing = buffers & ~self->buffers;

	self->buffers = buffers;
	if (self->view && missing)
		qs_session_refresh(self);
}

/* ---- loading ------------------------------------------------------------------------------------------------------------ */

typedef struct {
	gint *progress; /* per mille; shared with the session */
	QsWorker *worker;
	char *path, *at;
	enum qs_model model;
	enum qs_pipeline pipeline;
	guint buffers;
	QsCapture *capture;
	QsView *view;
	struct qs_error at_error, pipeline_error;
} LoadJob;

static void load_job_free(gpointer data)
{
	LoadJob *job = data;

	g_atomic_rc_box_release(job->progress);
	g_free(job->path);
	g_free(job->at);
	qs_capture_unref(job->capture);
	qs_view_unref(job->view);
	g_free(job);
}

static bool load_progress(double fraction, void *user)
{
	LoadJob *job = user;

	g_atomic_int_set(job->progress, (gint)(fraction * 1000));
	return !qs_worker_cancelled(job->worker);
}

static void first_moment(const LoadJob *job, struct qs_moment *moment)
{
	const struct qs_capture *file = job->capture->capture;
	const guint32 frames = qs_capture_info(file)->frame_count;

	memset(moment, 0, sizeof *moment);
	for (guint32 f = 1; f <= frames; f++) {
		const struct qs_frame *frame = qs_capture_frame(file, f);

		if (frame->draw_count) {
			qs_moment_of_command(file, qs_capture_draw_command(file, f, frame->draw_count - 1), moment);
			return;
		}
	}
	if (frames) {
		const struct qs_frame *frame = qs_capture_frame(file, 1);

		if (frame->command_count)
			qs_moment_of_command(file, frame->first_command + frame->command_count - 1, moment);
	}
}

static gboolean load_run(QsWorker *worker, QsEngine *engine, gpointer data, struct qs_error *error)
{
	LoadJob *job = data;
	struct qs_capture *capture;
	struct qs_timeline *timeline;
	struct qs_moment moment;

	job->worker = worker;
	capture = qs_capture_open(job->path, load_progress, job, error);
	if (!capture)
		return FALSE;
	job->capture = qs_capture_wrap(capture, job->path);
	timeline = qs_timeline_create(capture, error);
	if (!timeline)
		return FALSE;
	qs_timeline_set_model(timeline, job->model); /* of Gfx3D the capture says it */
	engine->host_draws = FALSE;
	if (job->pipeline == QS_PIPELINE_SHADER && !qs_timeline_gfx3d(timeline) &&
		!qs_timeline_set_pipeline(timeline, job->pipeline, 1, NULL, &job->pipeline_error))
		job->pipeline = QS_PIPELINE_SOFT;
	qs_worker_adopt(worker, engine, job->capture, timeline);
	if (!job->at || !qs_moment_parse(capture, job->at, &moment, &job->at_error))
		first_moment(job, &moment);
	if (!qs_timeline_seek(timeline, &moment, error)) {
		if (job->at_error.code == QS_OK)
			job->at_error = *error;
		first_moment(job, &moment);
		moment.level = QS_LEVEL_START;
		if (!qs_timeline_seek(timeline, &moment, error))
			return FALSE;
	}
	job->view = qs_view_capture(job->capture, timeline, job->buffers);
	engine->moment = job->view->moment;
	engine->serial = job->view->serial;
	return TRUE;
}

static void stop_loading(QsSession *self)
{
	self->loading = FALSE;
	g_clear_handle_id(&self->progress_timer, g_source_remove);
	g_clear_pointer(&self->loading_path, g_free);
}

static void forget_capture(QsSession *self)
{
	qs_lua_forget_capture(self->lua);
	g_clear_pointer(&self->capture, qs_capture_unref);
	g_clear_pointer(&self->trace, qs_trace_unref);
	g_clear_pointer(&self->view, qs_view_unref);
	g_array_set_size(self->visited, 0);
	g_array_set_size(self->bookmarks, 0);
	self->visited_at = 0;
	self->picked = self->hovering = FALSE;
	self->has_mark[0] = self->has_mark[1] = FALSE;
	self->selection.kind = QS_SELECT_NONE;
}

static void load_done(gpointer data, const struct qs_error *error, gpointer user)
{
	LoadJob *job = data;
	QsSession *self = user;

	stop_loading(self);
	if (error) {
		qs_session_changed(self, QS_CHANGE_LOADING);
		if (error->code != QS_ERR_CANCELLED)
			qs_session_message(self, QS_MESSAGE_ERROR, "%s", error->text);
		return;
	}
	forget_capture(self);
	self->capture = g_steal_pointer(&job->capture);
	qs_session_changed(self, QS_CHANGE_ALL & ~(guint)(QS_CHANGE_VIEW | QS_CHANGE_TRACE | QS_CHANGE_OWN));
	qs_session_take_view(self, g_steal_pointer(&job->view), TRUE);
	if (self->buffers & ~job->buffers) /* chosen while it was loading */
		qs_session_refresh(self);
	if (job->pipeline_error.code != QS_OK)
		qs_session_message(self, QS_MESSAGE_WARNING, "%s", job->pipeline_error.text);
	if (job->at_error.code != QS_OK)
		qs_session_message(self, QS_MESSAGE_WARNING, "%s", job->at_error.text);
}

static gboolean show_progress(gpointer user)
{
	qs_session_changed(user, QS_CHANGE_LOADING);
	return G_SOURCE_CONTINUE;
}

void qs_session_open(QsSession *self, const char *path, const char *at)
{
	LoadJob *job = g_new0(LoadJob, 1);

	if (self->loading)
		qs_worker_cancel(self->worker);
	qs_lua_stop(self->lua);
	stop_loading(self);
	job->progress = g_atomic_rc_box_acquire(self->progress);
	job->path = g_strdup(path);
	job->at = g_strdup(at);
	job->model = self->model;
	job->pipeline = self->pipeline;
	job->buffers = qs_session_wanted_buffers(self);
	self->loading = TRUE;
	self->loading_path = g_strdup(path);
	g_atomic_int_set(self->progress, 0);
	self->progress_timer = g_timeout_add(50, show_progress, self);
	qs_session_push(self, &(QsJob){.lane = &load_lane, .urgent = TRUE, .run = load_run, .done = load_done,
		.owner = G_OBJECT(self), .data = job, .destroy = load_job_free});
	qs_session_changed(self, QS_CHANGE_LOADING);
}

gboolean qs_session_get_loading(QsSession *self, double *progress, const char **path)
{
	if (progress)
		*progress = g_atomic_int_get(self->progress) / 1000.0;
	if (path)
		*path = self->loading_path;
	return self->loading;
}

void qs_session_cancel(QsSession *self)
{
	qs_lua_stop(self->lua);
	qs_worker_cancel(self->worker);
}

/* ---- getters and what the person points at ------------------------------------------------------------------------------ */

QsCapture *qs_session_get_capture(QsSession *self)
{
	return self->capture;
}

const struct qs_capture *qs_session_get_file(QsSession *self)
{
	return self->capture ? self->capture->capture : NULL;
}

QsView *qs_session_get_view(QsSession *self)
{
	return self->view;
}

QsTrace *qs_session_get_trace(QsSession *self)
{
	return self->trace;
}

QsView *qs_session_get_primitive(QsSession *self)
{
	const gboolean follows = self->view && self->trace && self->trace->serial == self->view->serial;

	return follows && self->trace->primitive ? self->trace->primitive : self->view;
}

gboolean qs_session_get_busy(QsSession *self)
{
	return self->busy;
}

gboolean qs_session_get_idle(QsSession *self)
{
	return qs_worker_idle(self->worker);
}

QsLua *qs_session_get_lua(QsSession *self)
{
	return self->lua;
}

enum qs_model qs_session_get_model(QsSession *self)
{
	return qs_capture_machine(self->capture) == QS_MACHINE_GFX3D ? self->gfx3d_model : self->model;
}

gboolean qs_session_get_pick(QsSession *self, int *x, int *y)
{
	*x = self->pick_x;
	*y = self->pick_y;
	return self->picked;
}

void qs_session_set_pick(QsSession *self, int x, int y)
{
	x = CLAMP(x, 0, (int)qs_view_width(self->view) - 1);
	y = CLAMP(y, 0, (int)qs_view_height(self->view) - 1);
	if (self->picked && x == self->pick_x && y == self->pick_y && self->selection.kind == QS_SELECT_PIXEL)
		return;
	self->picked = TRUE;
	self->pick_x = x;
	self->pick_y = y;
	self->selection.kind = QS_SELECT_PIXEL;
	qs_session_changed(self, QS_CHANGE_PICK | QS_CHANGE_SELECTION);
	request_trace(self);
}

gboolean qs_session_get_hover(QsSession *self, int *x, int *y)
{
	*x = self->hover_x;
	*y = self->hover_y;
	return self->hovering;
}

void qs_session_set_hover(QsSession *self, int x, int y)
{
	const gboolean hovering = x >= 0 && y >= 0;

	if (hovering == self->hovering && (!hovering || (x == self->hover_x && y == self->hover_y)))
		return;
	self->hovering = hovering;
	self->hover_x = x;
	self->hover_y = y;
	qs_session_changed(self, QS_CHANGE_HOVER);
}

const QsSelection *qs_session_get_selection(QsSession *self)
{
	return &self->selection;
}

void qs_session_select_register(QsSession *self, enum qs_unit unit, guint address, guint32 mask)
{
	self->selection = (QsSelection){QS_SELECT_REGISTER, unit, address, mask};
	qs_session_changed(self, QS_CHANGE_SELECTION);
}

void qs_session_seek_copy(QsSession *self, guint32 command, guint32 address)
{
	self->copy_address = address;
	qs_session_seek_command(self, command);
}

guint32 qs_session_take_copy_address(QsSession *self)
{
	const guint32 address = self->copy_address;

	self->copy_address = QS_NONE;
	return address;
}

const QsViewport *qs_session_get_viewport(QsSession *self)
{
	return &self->viewport;
}

void qs_session_set_viewport(QsSession *self, const QsViewport *viewport)
{
	const QsViewport *old = &self->viewport;

	if (old->fit == viewport->fit && (viewport->fit || (old->scale == viewport->scale && old->x == viewport->x &&
		old->y == viewport->y)))
		return;
	self->viewport = *viewport;
	qs_session_changed(self, QS_CHANGE_VIEWPORT);
}

/* ---- requests ----------------------------------------------------------------------------------------------------------- */

void qs_session_request(QsSession *self, gconstpointer lane, GObject *owner, QsJobRun run, QsJobDone done, gpointer data,
	GDestroyNotify destroy)
{
	if (!self->view) {
		if (destroy)
			destroy(data);
		return;
	}
	qs_session_push(self, &(QsJob){.lane = lane, .serial = self->view->serial, .run = run, .done = done,
		.owner = owner, .data = data, .destroy = destroy});
}

/* ---- object ------------------------------------------------------------------------------------------------------------- */

static void clear_bookmark(gpointer data)
{
	QsBookmark *bookmark = data;

	g_free(bookmark->text);
}

static void qs_session_init(QsSession *self)
{
	self->viewport.fit = TRUE;
	self->copy_address = QS_NONE;
	self->worker = qs_worker_new();
	self->progress = g_atomic_rc_box_new0(gint);
	self->navigator = qs_navigator_new();
	self->lua = qs_lua_new(self);
	self->bookmarks = g_array_new(FALSE, TRUE, sizeof(QsBookmark));
	g_array_set_clear_func(self->bookmarks, clear_bookmark);
	self->visited = g_array_new(FALSE, TRUE, sizeof(struct qs_moment));
}

static void qs_session_dispose(GObject *object)
{
	QsSession *self = QS_SESSION(object);

	stop_loading(self);
	qs_lua_detach(self->lua);
	g_clear_handle_id(&self->busy_timer, g_source_remove);
	g_clear_pointer(&self->worker, qs_worker_free);
	G_OBJECT_CLASS(qs_session_parent_class)->dispose(object);
}

static void qs_session_finalize(GObject *object)
{
	QsSession *self = QS_SESSION(object);

	qs_navigator_unref(self->navigator);
	forget_capture(self);
	g_atomic_rc_box_release(self->progress);
	g_array_unref(self->bookmarks);
	g_array_unref(self->visited);
	g_object_unref(self->lua);
	G_OBJECT_CLASS(qs_session_parent_class)->finalize(object);
}

static void qs_session_class_init(QsSessionClass *klass)
{
	GObjectClass *object_class = G_OBJECT_CLASS(klass);

	object_class->dispose = qs_session_dispose;
	object_class->finalize = qs_session_finalize;
	signals[SIGNAL_CHANGED] = g_signal_new("changed", QS_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
		G_TYPE_UINT);
	signals[SIGNAL_MESSAGE] = g_signal_new("message", QS_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
		G_TYPE_UINT, G_TYPE_STRING);
}

QsSession *qs_session_new(void)
{
	return g_object_new(QS_TYPE_SESSION, NULL);
}
