/* qs-lua.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-session-private.h"
#include <string.h>

#define ROOM (4 << 20)       /* bytes of output on their way before the script waits */
#define MAX_TEXT (64 << 10)  /* bytes of text in one signal */
#define SLICE_US 6000        /* main loop time for output before the window is drawn again */
#define SECONDS 60.0         /* processor time of a run; Stop ends it sooner */
#define MEMORY ((gsize)512 << 20)
#define MAX_FIGURES 200
#define PROGRESS_MS 100

typedef enum { ITEM_TEXT, ITEM_FIGURE, ITEM_SHAPES } ItemKind;

typedef struct {
	ItemKind kind;
	QsLuaText text_kind;
	GString *text;
	QsFigure *figure;
	GArray *shapes;
	gsize bytes;
} Item;

/* Between the threads. */
typedef struct {
	gatomicrefcount references;
	GMutex mutex;
	GCond drained;
	GQueue items;
	gsize bytes;
	gboolean scheduled;
	gint stop, progress; /* atomic; progress per mille */
	QsLua *owner;        /* main loop only; NULL: gone */
} Pipe;

struct _QsLua {
	GObject parent_instance;
	QsSession *session; /* owns this */
	Pipe *pipe;
	gboolean running;
	guint timer;
	int shown_progress;
	GListStore *figures;
	GArray *shapes; /* QsShape */
};

G_DEFINE_FINAL_TYPE(QsLua, qs_lua, G_TYPE_OBJECT)

enum { SIGNAL_TEXT, SIGNAL_FIGURE, SIGNAL_CHANGED, SIGNAL_FINISHED, SIGNAL_COUNT };
static guint signals[SIGNAL_COUNT];

static void item_free(Item *item)
{
	if (item->text)
		g_string_free(item->text, TRUE);
	g_clear_object(&item->figure);
	g_clear_pointer(&item->shapes, g_array_unref);
	g_free(item);
}

static void pipe_unref(gpointer data)
{
	Pipe *self = data;
	Item *item;

	if (!g_atomic_ref_count_dec(&self->references))
		return;
	while ((item = g_queue_pop_head(&self->items)))
		item_free(item);
	g_mutex_clear(&self->mutex);
	g_cond_clear(&self->drained);
	g_free(self);
}

static Pipe *pipe_ref(Pipe *self)
{
	g_atomic_ref_count_inc(&self->references);
	return self;
}

/* ---- main loop: what came through --------------------------------------------------------------------------------------- */

static void say(QsLua *self, QsLuaText kind, const char *text)
{
	g_signal_emit(self, signals[SIGNAL_TEXT], 0, (guint)kind, text);
}

static void changed(QsLua *self, guint changes)
{
	g_signal_emit(self, signals[SIGNAL_CHANGED], 0, changes);
}

static void take_figure(QsLua *self, QsFigure *figure)
{
	const guint count = g_list_model_get_n_items(G_LIST_MODEL(self->figures));

	for (guint i = 0; figure->title[0] && i < count; i++) {
		g_autoptr(QsFigure) old = g_list_model_get_item(G_LIST_MODEL(self->figures), i);

		if (g_str_equal(old->title, figure->title) && (old->kind == QS_FIGURE_TABLE) == (figure->kind == QS_FIGURE_TABLE)) {
			g_list_store_remove(self->figures, i);
			break;
		}
	}
	if (g_list_model_get_n_items(G_LIST_MODEL(self->figures)) >= MAX_FIGURES)
		g_list_store_remove(self->figures, 0);
	g_list_store_append(self->figures, figure);
	g_signal_emit(self, signals[SIGNAL_FIGURE], 0, figure);
	changed(self, QS_LUA_CHANGE_FIGURES);
}

static void show_item(QsLua *self, Item *item)
{
	if (item->kind == ITEM_TEXT) {
		g_autofree char *valid = g_utf8_make_valid(item->text->str, (gssize)item->text->len);

		say(self, item->text_kind, valid);
	} else if (item->kind == ITEM_FIGURE) {
		take_figure(self, item->figure);
	} else {
		g_array_unref(self->shapes);
		self->shapes = g_steal_pointer(&item->shapes);
		changed(self, QS_LUA_CHANGE_SHAPES);
	}
}

static Item *take(Pipe *pipe)
{
	Item *item;

	g_mutex_lock(&pipe->mutex);
	item = g_queue_pop_head(&pipe->items);
	if (item)
		pipe->bytes -= item->bytes;
	else
		pipe->scheduled = FALSE;
	g_cond_signal(&pipe->drained);
	g_mutex_unlock(&pipe->mutex);
	return item;
}

static gboolean drain(gpointer user)
{
	Pipe *pipe = user;
	const gint64 end = g_get_monotonic_time() + SLICE_US;
	Item *item;

	while ((item = take(pipe))) {
		if (pipe->owner)
			show_item(pipe->owner, item);
		item_free(item);
		if (g_get_monotonic_time() > end)
			return G_SOURCE_CONTINUE;
	}
	return G_SOURCE_REMOVE;
}

/* ---- engine thread: the host of the script ------------------------------------------------------------------------------ */

typedef struct {
	struct qs_script *script;
	QsWorker *worker;
	Pipe *pipe;
} EngineScript;

static gboolean stopping(EngineScript *s)
{
	return g_atomic_int_get(&s->pipe->stop) || qs_worker_cancelled(s->worker);
}

/* The mutex is held. */
static void wait_for_room(EngineScript *s)
{
	while (s->pipe->bytes > ROOM && !stopping(s))
		g_cond_wait_until(&s->pipe->drained, &s->pipe->mutex, g_get_monotonic_time() + 20000);
}

/* The mutex is held.  Behind redraws: output never keeps the window from being drawn. */
static void schedule(Pipe *pipe)
{
	if (pipe->scheduled)
		return;
	pipe->scheduled = TRUE;
	g_idle_add_full(G_PRIORITY_DEFAULT_IDLE, drain, pipe_ref(pipe), pipe_unref);
}

static void put(EngineScript *s, Item *item)
{
	g_mutex_lock(&s->pipe->mutex);
	wait_for_room(s);
	s->pipe->bytes += item->bytes;
	g_queue_push_tail(&s->pipe->items, item);
	schedule(s->pipe);
	g_mutex_unlock(&s->pipe->mutex);
}

static void host_print(void *user, const char *text, bool is_error)
{
	EngineScript *s = user;
	const QsLuaText kind = is_error ? QS_LUA_ERROR : QS_LUA_OUTPUT;
	const gsize length = strlen(text);
	Item *last;

	g_mutex_lock(&s->pipe->mutex);
	wait_for_room(s);
	last = g_queue_peek_tail(&s->pipe->items);
	if (!last || last->kind != ITEM_TEXT || last->text_kind != kind || last->text->len + length > MAX_TEXT) {
		last = g_new0(Item, 1);
		last->text = g_string_new(NULL);
		last->text_kind = kind;
		last->bytes = sizeof *last;
		s->pipe->bytes += sizeof *last;
		g_queue_push_tail(&s->pipe->items, last);
	}
	g_string_append_len(last->text, text, (gssize)length);
	last->bytes += length;
	s->pipe->bytes += length;
	schedule(s->pipe);
	g_mutex_unlock(&s->pipe->mutex);
}

static void put_figure(EngineScript *s, QsFigure *figure)
{
	Item *item = g_new0(Item, 1);

	item->kind = ITEM_FIGURE;
	item->figure = figure;
	item->bytes = qs_figure_get_size(figure);
	put(s, item);
}

static void host_plot(void *user, const struct qs_plot *plot)
{
	put_figure(user, qs_figure_new_plot(plot));
}

static void host_table(void *user, const struct qs_table_data *table)
{
	put_figure(user, qs_figure_new_table(table));
}

static void clear_shape(gpointer data)
{
	g_free(((QsShape *)data)->text);
}

static GArray *new_shapes(guint count)
{
	GArray *shapes = g_array_sized_new(FALSE, TRUE, sizeof(QsShape), count);

	g_array_set_clear_func(shapes, clear_shape);
	return shapes;
}

static void host_overlay(void *user, const struct qs_overlay *shapes, size_t count)
{
	Item *item = g_new0(Item, 1);

	item->kind = ITEM_SHAPES;
	item->shapes = new_shapes((guint)count);
	item->bytes = sizeof *item + count * sizeof(QsShape);
	for (size_t i = 0; i < count; i++) {
		const struct qs_overlay *o = &shapes[i];
		const QsShape shape = {o->kind, o->x0, o->y0, o->x1, o->y1, o->colour, o->text ? g_utf8_make_valid(o->text, -1) : NULL};

		g_array_append_val(item->shapes, shape);
	}
	put(user, item);
}

static bool host_progress(void *user, double fraction)
{
	EngineScript *s = user;

	g_atomic_int_set(&s->pipe->progress, (gint)(CLAMP(fraction, 0, 1) * 1000));
	return !stopping(s);
}

static void engine_script_free(gpointer data)
{
	EngineScript *s = data;

	qs_script_destroy(s->script);
	pipe_unref(s->pipe);
	g_free(s);
}

static struct qs_script *engine_script(QsWorker *worker, QsEngine *engine, Pipe *pipe, struct qs_error *error)
{
	static const struct qs_script_limits limits = {SECONDS, MEMORY};
	EngineScript *s = engine->script;
	struct qs_script_host host = {.print = host_print, .plot = host_plot, .overlay = host_overlay, .table = host_table,
		.progress = host_progress};

	if (s)
		return s->script;
	s = g_new0(EngineScript, 1);
	s->worker = worker;
	s->pipe = pipe_ref(pipe);
	host.user = s;
	s->script = qs_script_create(engine->timeline, &host, &limits, error);
	if (!s->script) {
		engine_script_free(s);
		return NULL;
	}
	engine->script = s;
	engine->script_free = engine_script_free;
	return s->script;
}

/* ---- running ------------------------------------------------------------------------------------------------------------ */

typedef struct {
	Pipe *pipe;
	QsCapture *capture;
	char *text, *name;
	gboolean prompt;
	gboolean ok, stopped;
	bool incomplete;
	int status;
	double seconds;
	struct qs_error error;
} Job;

static void job_free(gpointer data)
{
	Job *job = data;

	pipe_unref(job->pipe);
	qs_capture_unref(job->capture);
	g_free(job->text);
	g_free(job->name);
	g_free(job);
}

/* Never fails: the worker would try again what somebody stopped, and a script has been seen to run. */
static gboolean job_run(QsWorker *worker, QsEngine *engine, gpointer data, struct qs_error *error)
{
	Job *job = data;
	const gint64 start = g_get_monotonic_time();
	g_autofree char *chunk = g_strdup_printf("@%s", job->name);
	struct qs_script *script;

	(void)error;
	if (g_atomic_int_get(&job->pipe->stop)) {
		job->stopped = TRUE;
		return TRUE;
	}
	if (engine->capture != job->capture) {
		qs_error_set(&job->error, QS_ERR_RANGE, 0, "Another capture was opened before the script could run.");
		return TRUE;
	}
	script = engine_script(worker, engine, job->pipe, &job->error);
	if (!script)
		return TRUE;
	job->ok = job->prompt ? qs_script_eval(script, job->text, &job->incomplete, &job->error) :
		qs_script_run_text(script, job->text, chunk, &job->error);
	job->status = qs_script_status(script);
	job->stopped = !job->ok && (job->error.code == QS_ERR_CANCELLED || qs_worker_cancelled(worker) ||
		g_atomic_int_get(&job->pipe->stop));
	job->seconds = (double)(g_get_monotonic_time() - start) * 1e-6;
	return TRUE;
}

static void set_running(QsLua *self, gboolean running)
{
	self->running = running;
	g_clear_handle_id(&self->timer, g_source_remove);
	changed(self, QS_LUA_CHANGE_RUNNING);
}

static void say_end(QsLua *self, const Job *job, const struct qs_error *error)
{
	if (error->code != QS_OK) {
		g_autofree char *text = g_strdup_printf("%s%s\n", job->stopped ? "Stopped: " : "", error->text);
		g_autofree char *valid = g_utf8_make_valid(text, -1);

		say(self, QS_LUA_ERROR, valid);
	} else if (job->stopped) {
		say(self, QS_LUA_NOTE, "Stopped before it began.\n");
	}
	if (!job->prompt && job->ok) {
		g_autofree char *checks = job->status == 1 ? g_strdup(" Its checks failed.") : job->status ?
			g_strdup_printf(" It ended with status %d.", job->status) : g_strdup("");
		g_autofree char *text = g_strdup_printf("%s ran in %.2f s.%s\n", job->name, job->seconds, checks);

		say(self, job->status ? QS_LUA_ERROR : QS_LUA_NOTE, text);
	}
}

static void job_done(gpointer data, const struct qs_error *error, gpointer user)
{
	Job *job = data;
	QsLua *self = user;
	const struct qs_error *why = error ? error : &job->error;
	Item *item;

	while ((item = take(self->pipe))) {
		show_item(self, item);
		item_free(item);
	}
	if (!job->incomplete)
		say_end(self, job, why);
	set_running(self, FALSE);
	g_signal_emit(self, signals[SIGNAL_FINISHED], 0, job->name, job->ok ? NULL : why->text, (gboolean)job->incomplete);
}

static gboolean tell_progress(gpointer user)
{
	QsLua *self = user;
	const int progress = g_atomic_int_get(&self->pipe->progress);

	if (progress != self->shown_progress) {
		self->shown_progress = progress;
		changed(self, QS_LUA_CHANGE_RUNNING);
	}
	return G_SOURCE_CONTINUE;
}

static gboolean push(QsLua *self, const char *text, const char *name, gboolean prompt)
{
	Job *job;

	if (self->running) {
		say(self, QS_LUA_NOTE, "A script is running. Esc or Stop ends it.\n");
		return FALSE;
	}
	if (!self->session || !qs_session_get_capture(self->session)) {
		say(self, QS_LUA_NOTE, "No capture is open: a script runs over one (Ctrl+O opens it).\n");
		return FALSE;
	}
	job = g_new0(Job, 1);
	job->pipe = pipe_ref(self->pipe);
	job->capture = qs_capture_ref(qs_session_get_capture(self->session));
	job->text = g_strdup(text);
	job->name = g_strdup(name);
	job->prompt = prompt;
	if (g_str_has_prefix(text, "#!")) /* the line of a program that runs it stays a line */
		memcpy(job->text, "--", 2);
	g_atomic_int_set(&self->pipe->stop, 0);
	g_atomic_int_set(&self->pipe->progress, 0);
	self->shown_progress = 0;
	set_running(self, TRUE);
	self->timer = g_timeout_add(PROGRESS_MS, tell_progress, self);
	qs_session_request_moving(self->session, G_OBJECT(self), job_run, job_done, job, job_free);
	return TRUE;
}

gboolean qs_lua_run(QsLua *self, const char *text, const char *name)
{
	return push(self, text, name, FALSE);
}

gboolean qs_lua_eval(QsLua *self, const char *text)
{
	return push(self, text, "console", TRUE);
}

void qs_lua_stop(QsLua *self)
{
	if (!self->running)
		return;
	g_atomic_int_set(&self->pipe->stop, 1);
	qs_worker_cancel(self->session->worker);
}

gboolean qs_lua_get_running(QsLua *self, double *progress)
{
	if (progress)
		*progress = self->running ? self->shown_progress / 1000.0 : 0;
	return self->running;
}

/* ---- completion --------------------------------------------------------------------------------------------------------- */

typedef struct {
	Pipe *pipe;
	char *text;
	QsLuaCompleted done;
	char **list;
	gsize start;
} CompleteJob;

static void complete_free(gpointer data)
{
	CompleteJob *job = data;

	pipe_unref(job->pipe);
	g_free(job->text);
	qs_script_free_list(job->list);
	g_free(job);
}

static gboolean complete_run(QsWorker *worker, QsEngine *engine, gpointer data, struct qs_error *error)
{
	CompleteJob *job = data;
	struct qs_script *script = engine_script(worker, engine, job->pipe, error);

	if (script)
		job->list = qs_script_complete(script, job->text, &job->start);
	return job->list != NULL;
}

static void complete_done(gpointer data, const struct qs_error *error, gpointer user)
{
	CompleteJob *job = data;

	if (!error)
		job->done(user, job->text, job->list, job->start);
}

void qs_lua_complete(QsLua *self, const char *text, GObject *owner, QsLuaCompleted done)
{
	CompleteJob *job;

	if (self->running)
		return;
	job = g_new0(CompleteJob, 1);
	job->pipe = pipe_ref(self->pipe);
	job->text = g_strdup(text);
	job->done = done;
	qs_session_request(self->session, owner, owner, complete_run, complete_done, job, complete_free);
}

/* ---- what scripts left -------------------------------------------------------------------------------------------------- */

GListModel *qs_lua_get_figures(QsLua *self)
{
	return G_LIST_MODEL(self->figures);
}

void qs_lua_clear_figures(QsLua *self)
{
	g_list_store_remove_all(self->figures);
	changed(self, QS_LUA_CHANGE_FIGURES);
}

const QsShape *qs_lua_get_shapes(QsLua *self, guint *count)
{
	*count = self->shapes->len;
	return (const QsShape *)(void *)self->shapes->data;
}

void qs_lua_forget_capture(QsLua *self)
{
	g_array_set_size(self->shapes, 0);
	g_list_store_remove_all(self->figures);
	changed(self, QS_LUA_CHANGE_FIGURES | QS_LUA_CHANGE_SHAPES);
}

/* ---- object ------------------------------------------------------------------------------------------------------------- */

static void qs_lua_init(QsLua *self)
{
	self->pipe = g_new0(Pipe, 1);
	g_atomic_ref_count_init(&self->pipe->references);
	g_mutex_init(&self->pipe->mutex);
	g_cond_init(&self->pipe->drained);
	g_queue_init(&self->pipe->items);
	self->pipe->owner = self;
	self->figures = g_list_store_new(QS_TYPE_FIGURE);
	self->shapes = new_shapes(0);
}

static void qs_lua_finalize(GObject *object)
{
	QsLua *self = QS_LUA(object);

	g_clear_handle_id(&self->timer, g_source_remove);
	self->pipe->owner = NULL;
	pipe_unref(self->pipe);
	g_object_unref(self->figures);
	g_array_unref(self->shapes);
	G_OBJECT_CLASS(qs_lua_parent_class)->finalize(object);
}

static void qs_lua_class_init(QsLuaClass *klass)
{
	G_OBJECT_CLASS(klass)->finalize = qs_lua_finalize;
	signals[SIGNAL_TEXT] = g_signal_new("text", QS_TYPE_LUA, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_UINT,
		G_TYPE_STRING);
	signals[SIGNAL_FIGURE] = g_signal_new("figure", QS_TYPE_LUA, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
		QS_TYPE_FIGURE);
	signals[SIGNAL_CHANGED] = g_signal_new("changed", QS_TYPE_LUA, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
		G_TYPE_UINT);
	signals[SIGNAL_FINISHED] = g_signal_new("finished", QS_TYPE_LUA, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3,
		G_TYPE_STRING, G_TYPE_STRING, G_TYPE_BOOLEAN);
}

QsLua *qs_lua_new(QsSession *session)
{
	QsLua *self = g_object_new(QS_TYPE_LUA, NULL);

	self->session = session;
	return self;
}

void qs_lua_detach(QsLua *self)
{
	self->session = NULL;
	g_clear_handle_id(&self->timer, g_source_remove);
}
