/* qs-navigate.c - going from moment to moment
 *
 * What the person asks for becomes a list of operations.  The engine thread takes the whole list, walks it and makes one
 * view of where it ends: ten quick key presses or a drag over the time bar cost one picture, not ten.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-session-private.h"
#include "qs-gfx3d.h"
#include "qs-machine.h"
#include <stdlib.h>
#include <string.h>

typedef enum { OP_SEEK, OP_STEP, OP_INTO, OP_OUT, OP_PIXEL, OP_WRITE, OP_FRAGMENT, OP_RUN,
	OP_MODEL, OP_QUIRK, OP_PIPELINE, OP_BREAK_ADD, OP_BREAK_REMOVE, OP_BREAK_ENABLE /* from MODEL on: never left out */ } OpKind;

typedef struct {
	OpKind kind;
	gboolean jump;
	struct qs_moment moment;
	enum qs_level level;
	int n; /* steps, or a direction */
	int x, y;
	enum qs_unit unit;
	guint address;
	guint32 mask;
	gboolean last;
	enum qs_model model;
	enum qs_pipeline pipeline;
	char text[512]; /* quirk, breakpoint */
	int value;
	guint32 id;
} Op;

struct _QsNavigator {
	gatomicrefcount references;
	GMutex mutex;
	GArray *ops; /* Op, not taken yet */
	gboolean queued;
};

typedef struct {
	QsNavigator *navigator;
	QsCapture *capture; /* that the person saw when they asked */
	guint buffers;
	QsView *view;
	gboolean jump;
	struct qs_hit hit;
	char note[512];
} NavigateJob;

QsNavigator *qs_navigator_new(void)
{
	QsNavigator *self = g_new0(QsNavigator, 1);

	g_atomic_ref_count_init(&self->references);
	g_mutex_init(&self->mutex);
	self->ops = g_array_new(FALSE, TRUE, sizeof(Op));
	return self;
}

void qs_navigator_unref(QsNavigator *self)
{
	if (!g_atomic_ref_count_dec(&self->references))
		return;
	g_array_unref(self->ops);
	g_mutex_clear(&self->mutex);
	g_free(self);
}

static void navigate_job_free(gpointer data)
{
	NavigateJob *job = data;

	qs_navigator_unref(job->navigator);
	qs_capture_unref(job->capture);
	qs_view_unref(job->view);
	g_free(job);
}

/* ---- engine thread ------------------------------------------------------------------------------------------------------ */

static const char *level_word(enum qs_level level)
{
	switch (level) {
	case QS_LEVEL_FRAME: return "frame";
	case QS_LEVEL_COMMAND: return "command";
	case QS_LEVEL_DRAW: return "draw";
	case QS_LEVEL_PRIMITIVE: return "primitive";
	case QS_LEVEL_QUAD: return "quad";
	case QS_LEVEL_FRAGMENT: return "fragment";
	default: return "stage";
	}
}

static gboolean do_step(struct qs_timeline *timeline, enum qs_level level, int n, NavigateJob *job, struct qs_error *error)
{
	const int made = n ? qs_timeline_step(timeline, level, n, error) : 0;

	if (n == 0)
		return TRUE;
	if (error->code == QS_ERR_CANCELLED)
		return FALSE;
	if (made == 0)
		g_snprintf(job->note, sizeof job->note, "There is no %s %s.", n > 0 ? "further" : "earlier", level_word(level));
	memset(error, 0, sizeof *error);
	return TRUE;
}

/* One level finer, at the beginning of the thing; from a stage on, the next stage. */
static gboolean do_into(struct qs_timeline *timeline, NavigateJob *job, struct qs_error *error)
{
	struct qs_moment m = *qs_timeline_moment(timeline);
	struct qs_setup setup;
	struct qs_quad quad;

	if (m.level == QS_LEVEL_STAGE)
		return do_step(timeline, QS_LEVEL_STAGE, 1, job, error);
	if (m.level < QS_LEVEL_DRAW || m.draw == QS_NONE)
		return do_step(timeline, QS_LEVEL_DRAW, 1, job, error);
	if (m.level == QS_LEVEL_DRAW) {
		m.level = QS_LEVEL_PRIMITIVE;
		m.primitive = 0;
	} else if (m.level == QS_LEVEL_PRIMITIVE) {
		if (qs_timeline_quad_count(timeline, &m) == 0) {
			g_snprintf(job->note, sizeof job->note, "Primitive %u has no quads; this is the next one.", m.primitive);
			return do_step(timeline, QS_LEVEL_QUAD, 1, job, error);
		}
		m.level = QS_LEVEL_QUAD;
		m.quad = 0;
	} else {
		if (!qs_timeline_quad(timeline, &setup, &quad, error))
			return FALSE;
		if (m.level == QS_LEVEL_QUAD)
			for (m.fragment = 0; m.fragment < 3 && !(quad.coverage >> 3 * m.fragment & 7);)
				m.fragment++;
		m.level = QS_LEVEL_STAGE;
		m.stage = 0;
	}
	return qs_timeline_seek(timeline, &m, error);
}

static gboolean do_out(struct qs_timeline *timeline, struct qs_error *error)
{
	struct qs_moment m = *qs_timeline_moment(timeline);

	if (m.level <= QS_LEVEL_DRAW)
		return TRUE;
	m.level = QS_LEVEL_DRAW;
	m.primitive = m.quad = m.fragment = m.stage = 0;
	return qs_timeline_seek(timeline, &m, error);
}

static gboolean do_run(struct qs_timeline *timeline, const Op *op, NavigateJob *job, struct qs_error *error)
{
	char text[256];

	if (!qs_timeline_run(timeline, op->n, &job->hit, error))
		return FALSE;
	for (guint32 i = 0; job->hit.id && i < qs_timeline_break_count(timeline); i++) {
		const struct qs_breakpoint *b = qs_timeline_break_at(timeline, i);

		if (b->id == job->hit.id)
			g_snprintf(job->note, sizeof job->note, "Stopped by breakpoint %u: %s.", b->id,
				qs_breakpoint_format(b, text, sizeof text));
	}
	if (!job->hit.id)
		g_snprintf(job->note, sizeof job->note, "Ran to the %s: no breakpoint %s.", op->n > 0 ? "end" : "start",
			qs_timeline_break_count(timeline) ? "was met" : "is set (F9 sets one)");
	return TRUE;
}

static gboolean do_break(struct qs_timeline *timeline, const Op *op, struct qs_error *error)
{
	struct qs_breakpoint b;
	char *condition = NULL;
	gboolean ok;

	if (op->kind == OP_BREAK_REMOVE)
		return qs_timeline_break_remove(timeline, op->id);
	if (op->kind == OP_BREAK_ENABLE)
		return qs_timeline_break_enable(timeline, op->id, op->value);
	ok = qs_breakpoint_parse(op->text, &b, &condition, error) && qs_timeline_break_add(timeline, &b, error);
	free(condition);
	return ok;
}

static gboolean do_model(struct qs_timeline *timeline, enum qs_model model, struct qs_error *error)
{
	if (qs_timeline_gfx3d(timeline))
		return qs_timeline_set_gfx3d_model(timeline, (enum qs_gfx3d_model)model, error);
	qs_timeline_set_model(timeline, model);
	return TRUE;
}

static gboolean do_pipeline(QsEngine *engine, enum qs_pipeline pipeline, struct qs_error *error)
{
	if (!qs_timeline_gfx3d(engine->timeline))
		return qs_timeline_set_pipeline(engine->timeline, pipeline, MAX(qs_timeline_moment(engine->timeline)->frame, 1), NULL, error);
	engine->host_draws = pipeline == QS_PIPELINE_SHADER && qs_engine_host(engine, error);
	return engine->host_draws == (pipeline == QS_PIPELINE_SHADER);
}

static gboolean do_op(QsEngine *engine, const Op *op, NavigateJob *job, struct qs_error *error)
{
	struct qs_timeline *timeline = engine->timeline;
	struct qs_moment found;

	switch (op->kind) {
	case OP_SEEK:
		return qs_timeline_seek(timeline, &op->moment, error);
	case OP_STEP:
		return do_step(timeline, op->level, op->n, job, error);
	case OP_INTO:
		return do_into(timeline, job, error);
	case OP_OUT:
		return do_out(timeline, error);
	case OP_PIXEL:
		return qs_timeline_seek_pixel(timeline, op->x, op->y, op->n, error);
	case OP_WRITE:
		return qs_timeline_seek_write(timeline, op->unit, op->address, op->mask, op->n, error);
	case OP_FRAGMENT:
		return qs_timeline_find_fragment(timeline, op->x, op->y, op->last, &found, error) &&
			qs_timeline_seek(timeline, &found, error);
	case OP_RUN:
		return do_run(timeline, op, job, error);
	case OP_MODEL:
		return do_model(timeline, op->model, error);
	case OP_PIPELINE:
		return do_pipeline(engine, op->pipeline, error);
	case OP_QUIRK:
		return qs_timeline_set_quirk(timeline, op->text, op->value, error);
	case OP_BREAK_ADD:
	case OP_BREAK_REMOVE:
	case OP_BREAK_ENABLE:
		return do_break(timeline, op, error);
	}
	return TRUE;
}

static gboolean navigate_run(QsWorker *worker, QsEngine *engine, gpointer data, struct qs_error *error)
{
	NavigateJob *job = data;
	const gint64 start = g_get_monotonic_time();
	GArray *ops;
	gint64 moved;
	gboolean ok = TRUE;

	(void)worker;
	g_mutex_lock(&job->navigator->mutex);
	ops = job->navigator->ops;
	job->navigator->ops = g_array_new(FALSE, TRUE, sizeof(Op));
	job->navigator->queued = FALSE;
	g_mutex_unlock(&job->navigator->mutex);
	if (engine->capture != job->capture) { /* another file was opened meanwhile */
		g_array_unref(ops);
		return FALSE;
	}
	if (qs_moment_compare(qs_timeline_moment(engine->timeline), &engine->moment) != 0)
		ok = qs_timeline_seek(engine->timeline, &engine->moment, error);
	for (guint i = 0; ok && i < ops->len; i++) {
		const Op *op = &g_array_index(ops, Op, i);

		job->jump = op->jump;
		ok = do_op(engine, op, job, error);
	}
	g_array_unref(ops);
	/* After a refusal the timeline may stand elsewhere than the window says; what was reached before counts. */
	if (!ok) {
		struct qs_error ignored = {0};

		g_snprintf(job->note, sizeof job->note, "%s", error->code == QS_ERR_CANCELLED ? "Stopped." : error->text);
		qs_timeline_seek(engine->timeline, &engine->moment, &ignored);
	}
	memset(error, 0, sizeof *error);
	moved = g_get_monotonic_time();
	job->view = qs_engine_view(engine, job->buffers);
	engine->moment = job->view->moment;
	engine->serial = job->view->serial;
	g_debug("%s: there in %.1f ms, view in %.1f ms", job->view->text, (double)(moved - start) / 1000,
		(double)(g_get_monotonic_time() - moved) / 1000);
	return TRUE;
}

/* ---- main loop ---------------------------------------------------------------------------------------------------------- */

static void navigate_done(gpointer data, const struct qs_error *error, gpointer user)
{
	NavigateJob *job = data;
	QsSession *self = user;

	if (error || !job->view || job->view->capture != self->capture)
		return;
	qs_session_take_view(self, g_steal_pointer(&job->view), job->jump);
	if (job->note[0])
		qs_session_message(self, QS_MESSAGE_HINT, "%s", job->note);
}

static gboolean merge(GArray *ops, const Op *op)
{
	Op *last = ops->len ? &g_array_index(ops, Op, ops->len - 1) : NULL;

	if (op->kind == OP_SEEK)
		while (ops->len && g_array_index(ops, Op, ops->len - 1).kind < OP_MODEL)
			g_array_set_size(ops, ops->len - 1);
	if (!last || op->kind != OP_STEP || last->kind != OP_STEP || last->level != op->level || (last->n > 0) != (op->n > 0))
		return FALSE;
	last->n += op->n;
	return TRUE;
}

static void navigate(QsSession *self, const Op *op)
{
	QsNavigator *navigator = self->navigator;
	gboolean queued;

	if (!self->capture)
		return;
	g_mutex_lock(&navigator->mutex);
	if (!merge(navigator->ops, op))
		g_array_append_vals(navigator->ops, op, 1);
	queued = navigator->queued;
	navigator->queued = TRUE;
	g_mutex_unlock(&navigator->mutex);
	if (!queued) {
		NavigateJob *job = g_new0(NavigateJob, 1);

		g_atomic_ref_count_inc(&navigator->references);
		job->navigator = navigator;
		job->capture = qs_capture_ref(self->capture);
		job->buffers = qs_session_wanted_buffers(self);
		qs_session_push(self, &(QsJob){.urgent = TRUE, .run = navigate_run, .done = navigate_done,
			.owner = G_OBJECT(self), .data = job, .destroy = navigate_job_free});
	}
}

void qs_session_seek(QsSession *self, const struct qs_moment *moment)
{
	navigate(self, &(Op){.kind = OP_SEEK, .moment = *moment, .jump = TRUE});
}

gboolean qs_session_seek_text(QsSession *self, const char *text, struct qs_error *error)
{
	struct qs_moment moment;

	if (!self->capture) {
		qs_error_set(error, QS_ERR_RANGE, 0, "No capture is open.");
		return FALSE;
	}
	if (!qs_moment_parse(self->capture->capture, text, &moment, error))
		return FALSE;
	qs_session_seek(self, &moment);
	return TRUE;
}

void qs_session_seek_command(QsSession *self, guint32 command)
{
	struct qs_moment moment;

	if (self->capture && qs_moment_of_command(self->capture->capture, command, &moment))
		qs_session_seek(self, &moment);
}

void qs_session_seek_draw(QsSession *self, guint32 frame, guint32 draw)
{
	if (self->capture)
		qs_session_seek_command(self, qs_capture_draw_command(self->capture->capture, frame, draw));
}

void qs_session_step(QsSession *self, enum qs_level level, int n)
{
	navigate(self, &(Op){.kind = OP_STEP, .level = level, .n = n});
}

void qs_session_into(QsSession *self)
{
	navigate(self, &(Op){.kind = OP_INTO});
}

void qs_session_out(QsSession *self)
{
	navigate(self, &(Op){.kind = OP_OUT});
}

void qs_session_seek_pixel(QsSession *self, int x, int y, int direction)
{
	navigate(self, &(Op){.kind = OP_PIXEL, .x = x, .y = y, .n = direction, .jump = TRUE});
}

void qs_session_seek_write(QsSession *self, enum qs_unit unit, guint address, guint32 mask, int direction)
{
	navigate(self, &(Op){.kind = OP_WRITE, .unit = unit, .address = address, .mask = mask, .n = direction, .jump = TRUE});
}

void qs_session_seek_fragment(QsSession *self, int x, int y, gboolean last)
{
	navigate(self, &(Op){.kind = OP_FRAGMENT, .x = x, .y = y, .last = last, .jump = TRUE});
}

void qs_session_seek_change(QsSession *self, int direction)
{
	const QsSelection *s = &self->selection;

	if (s->kind == QS_SELECT_REGISTER)
		qs_session_seek_write(self, s->unit, s->address, s->mask, direction);
	else if (self->picked)
		qs_session_seek_pixel(self, self->pick_x, self->pick_y, direction);
	else
		qs_session_message(self, QS_MESSAGE_HINT, "Pick a pixel or select a register first: [ and ] go through its changes.");
}

void qs_session_run(QsSession *self, int direction)
{
	navigate(self, &(Op){.kind = OP_RUN, .n = direction, .jump = TRUE});
}

gboolean qs_session_add_breakpoint(QsSession *self, const char *text, struct qs_error *error)
{
	Op op = {.kind = OP_BREAK_ADD};
	struct qs_breakpoint b;
	char *condition = NULL;
	const gboolean ok = qs_breakpoint_parse(text, &b, &condition, error);

	free(condition);
	if (!ok)
		return FALSE;
	g_strlcpy(op.text, text, sizeof op.text);
	navigate(self, &op);
	return TRUE;
}

void qs_session_remove_breakpoint(QsSession *self, guint32 id)
{
	navigate(self, &(Op){.kind = OP_BREAK_REMOVE, .id = id});
}

void qs_session_enable_breakpoint(QsSession *self, guint32 id, gboolean enabled)
{
	navigate(self, &(Op){.kind = OP_BREAK_ENABLE, .id = id, .value = enabled});
}

void qs_session_refresh(QsSession *self)
{
	navigate(self, &(Op){.kind = OP_STEP, .level = QS_LEVEL_COMMAND, .n = 0});
}

void qs_session_set_model(QsSession *self, enum qs_model model)
{
	if (model == qs_session_get_model(self))
		return;
	if (qs_capture_machine(self->capture) == QS_MACHINE_GFX3D)
		self->gfx3d_model = model;
	else
		self->model = model;
	navigate(self, &(Op){.kind = OP_MODEL, .model = model});
}

void qs_session_set_pipeline(QsSession *self, enum qs_pipeline pipeline)
{
	if (qs_capture_machine(self->capture) == QS_MACHINE_FLIPPER)
		self->pipeline = pipeline;
	if (self->view && self->view->pipeline != pipeline)
		navigate(self, &(Op){.kind = OP_PIPELINE, .pipeline = pipeline});
}

void qs_session_reset_quirks(QsSession *self)
{
	navigate(self, &(Op){.kind = OP_MODEL, .model = qs_session_get_model(self)});
}

void qs_session_set_quirk(QsSession *self, const char *name, int value)
{
	Op op = {.kind = OP_QUIRK, .value = value};

	g_strlcpy(op.text, name, sizeof op.text);
	navigate(self, &op);
}

/* ---- visited moments ---------------------------------------------------------------------------------------------------- */

gboolean qs_session_can_go_visited(QsSession *self, int direction)
{
	return direction < 0 ? self->visited_at > 0 : self->visited_at + 1 < self->visited->len;
}

void qs_session_go_visited(QsSession *self, int direction)
{
	const struct qs_moment *moment = NULL;

	/* A walk may have ended where it began. */
	while (qs_session_can_go_visited(self, direction)) {
		self->visited_at = (guint)((int)self->visited_at + (direction < 0 ? -1 : 1));
		moment = &g_array_index(self->visited, struct qs_moment, self->visited_at);
		if (!self->view || qs_moment_compare(moment, &self->view->moment) != 0)
			break;
	}
	if (!moment)
		return;
	self->walking = FALSE;
	qs_session_seek(self, moment);
	qs_session_changed(self, QS_CHANGE_VISITED);
}

/* ---- scripts: jobs that may leave the timeline elsewhere ---------------------------------------------------------------- */

typedef struct {
	QsJobRun run;
	QsJobDone done;
	gpointer data;
	GDestroyNotify destroy;
	GWeakRef owner;
	gboolean has_owner;
	guint buffers;
	QsView *view;
} MovingJob;

static void moving_job_free(gpointer data)
{
	MovingJob *job = data;

	if (job->destroy)
		job->destroy(job->data);
	g_weak_ref_clear(&job->owner);
	qs_view_unref(job->view);
	g_free(job);
}

static gboolean moving_run(QsWorker *worker, QsEngine *engine, gpointer data, struct qs_error *error)
{
	MovingJob *job = data;
	gboolean ok;

	if (!engine->timeline) {
		qs_error_set(error, QS_ERR_RANGE, 0, "No capture is open: open one first.");
		return FALSE;
	}
	if (qs_moment_compare(qs_timeline_moment(engine->timeline), &engine->moment) != 0 &&
		!qs_timeline_seek(engine->timeline, &engine->moment, error))
		return FALSE;
	ok = job->run(worker, engine, job->data, error);
	job->view = qs_engine_view(engine, job->buffers);
	engine->moment = job->view->moment;
	engine->serial = job->view->serial;
	return ok;
}

static void moving_done(gpointer data, const struct qs_error *error, gpointer user)
{
	MovingJob *job = data;
	QsSession *self = user;
	g_autoptr(GObject) owner = job->has_owner ? g_weak_ref_get(&job->owner) : NULL;

	if (job->view && job->view->capture == self->capture)
		qs_session_take_view(self, g_steal_pointer(&job->view), TRUE);
	if (job->done && (owner || !job->has_owner))
		job->done(job->data, error, owner);
}

void qs_session_request_moving(QsSession *self, GObject *owner, QsJobRun run, QsJobDone done, gpointer data,
	GDestroyNotify destroy)
{
	MovingJob *job = g_new0(MovingJob, 1);

	job->run = run;
	job->done = done;
	job->data = data;
	job->destroy = destroy;
	job->has_owner = owner != NULL;
	g_weak_ref_init(&job->owner, owner);
	job->buffers = qs_session_wanted_buffers(self);
	qs_session_push(self, &(QsJob){.run = moving_run, .done = moving_done, .owner = G_OBJECT(self), .data = job,
		.destroy = moving_job_free});
}
