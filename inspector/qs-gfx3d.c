/* qs-gfx3d.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-gfx3d.h"
#include <stdlib.h>
#include <string.h>

/* A lane of its own for every kind of question of every owner: an address inside the owner's object, behind those of
 * qs-request.c. */
enum { LANE_HOST = 40, LANE_ROWS, LANE_VERTICES, LANE_BINDINGS };

static gconstpointer lane_of(GObject *owner, guint kind)
{
	return (const guint8 *)owner + kind;
}

/* ---- the program -------------------------------------------------------------------------------------------------------- */

static void take_stage(QsShaderText *self, struct qs_timeline *timeline, guint stage)
{
	const char *source = qs_timeline_gfx3d_source(timeline, stage);
	char text[200];

	self->count = qs_timeline_gfx3d_instructions(timeline, stage);
	self->text = g_new0(char *, self->count + 1);
	self->line = g_new0(guint32, self->count + 1);
	for (guint i = 0; i < self->count; i++)
		self->text[i] = g_strdup(qs_timeline_gfx3d_instruction(timeline, stage, i, &self->line[i], text, sizeof text));
	self->source = g_strsplit(source ? source : "", "\n", -1);
}

QsProgram *qs_program_capture(struct qs_timeline *timeline)
{
	struct qs_error ignored = {0};
	QsProgram *self;

	if (!qs_timeline_gfx3d(timeline))
		return NULL;
	self = g_new0(QsProgram, 1);
	for (guint stage = 0; stage < 2; stage++)
		take_stage(&self->stage[stage], timeline, stage);
	if (!qs_timeline_gfx3d_quad(timeline, &self->quad, &ignored))
		memset(&self->quad, 0, sizeof self->quad);
	self->vertex_step = g_new0(struct qs_gfx3d_step, G_N_ELEMENTS(self->quad.step));
	if (!qs_timeline_gfx3d_vertex_steps(timeline, self->vertex, self->vertex_step, &self->vertex_step_count, &ignored))
		self->vertex_step_count = 0;
	return self;
}

void qs_program_free(QsProgram *self)
{
	if (!self)
		return;
	for (guint stage = 0; stage < 2; stage++) {
		g_strfreev(self->stage[stage].text);
		g_strfreev(self->stage[stage].source);
		g_free(self->stage[stage].line);
	}
	g_free(self->vertex_step);
	g_free(self);
}

const struct qs_gfx3d_step *qs_program_step(const QsProgram *self, guint stage, guint instruction)
{
	const struct qs_gfx3d_step *step = stage ? self->quad.step : self->vertex_step;
	const guint32 count = stage ? self->quad.step_count : self->vertex_step_count;

	for (guint32 i = 0; i < count; i++)
		if (step[i].instruction == instruction)
			return &step[i];
	return NULL;
}

char *qs_gfx3d_sentence(const QsProgram *self, guint fragment)
{
	const struct qs_gfx3d_fragment *f = &self->quad.fragment[fragment & 3];

	switch ((enum qs_gfx3d_verdict)f->verdict) {
	case QS_GFX3D_VERDICT_NONE:
		return g_strdup("not covered by the primitive");
	case QS_GFX3D_VERDICT_PENDING:
		return g_strdup("not finished at this moment");
	case QS_GFX3D_VERDICT_ZERO_W:
		return g_strdup("rejected: its interpolated 1/w is 0");
	case QS_GFX3D_VERDICT_STENCIL:
		return g_strdup("rejected by the stencil test");
	case QS_GFX3D_VERDICT_DEPTH:
		return g_strdup_printf("rejected by the depth test before its shader ran: %.7g against %.7g", (double)f->z, (double)f->z_old);
	case QS_GFX3D_VERDICT_DISCARD:
		return g_strdup("discarded by its shader");
	case QS_GFX3D_VERDICT_WRITTEN:
		return g_strdup_printf("written: #%08x%s, depth %.7g where %.7g was", f->new_pixel, f->out_of_range ? " of a colour outside 0..1" : "",
			(double)f->z, (double)f->z_old);
	case QS_GFX3D_VERDICT_COUNT:
		break;
	}
	return g_strdup(qs_gfx3d_verdict_name((enum qs_gfx3d_verdict)f->verdict));
}

/* ---- the host ----------------------------------------------------------------------------------------------------------- */

struct qs_gfx3d_host *qs_engine_host(QsEngine *engine, struct qs_error *error)
{
	if (!engine->host)
		engine->host = qs_gfx3d_host_create(engine->capture->capture, NULL, error);
	return engine->host;
}

/* The host knows whole commands only; inside a draw the view shows what the CPU has done. */
static gboolean host_pictures(QsEngine *engine, QsView *view, struct qs_error *error)
{
	struct qs_gfx3d_host *host = qs_engine_host(engine, error);
	struct qs_source source;

	if (!host)
		return FALSE;
	qs_source_gfx3d_host(&source, host, "virgl");
	for (guint b = QS_BUFFER_COLOR; b <= QS_BUFFER_DEPTH; b++) {
		struct qs_image image = {0};

		if (!view->image[b].rgba)
			continue;
		if (view->moment.level == QS_LEVEL_FRAME ? !source.image(source.user, view->moment.frame, (enum qs_buffer)b, &image, error) :
			!source.after(source.user, view->moment.command, (enum qs_buffer)b, &image, error)) {
			qs_image_finish(&image);
			return error->code == QS_ERR_RANGE; /* nothing to draw into as yet */
		}
		qs_image_finish(&view->image[b]);
		view->image[b] = image;
	}
	return TRUE;
}

QsView *qs_engine_view(QsEngine *engine, guint buffers)
{
	QsView *view = qs_view_capture(engine->capture, engine->timeline, buffers);
	struct qs_error error = {0};

	if (!engine->host_draws || !qs_timeline_gfx3d(engine->timeline))
		return view;
	view->pipeline = QS_PIPELINE_SHADER;
	if (view->moment.level == QS_LEVEL_START || view->moment.level > QS_LEVEL_DRAW || host_pictures(engine, view, &error))
		return view;
	engine->host_draws = FALSE;
	view->pipeline = QS_PIPELINE_SOFT;
	g_free(view->trouble);
	view->trouble = g_strdup(error.text);
	return view;
}

typedef struct {
	QsHostQuestion question;
	QsHostDone done;
} HostJob;

#define NOTHING (-12345.0f) /* what the host's probe leaves where nothing got to */

static gboolean host_run(QsWorker *worker, QsEngine *engine, gpointer data, struct qs_error *error)
{
	QsHostQuestion *q = &((HostJob *)data)->question;
	struct qs_gfx3d_host *host = qs_engine_host(engine, error);
	struct qs_source source;

	if (!host)
		return FALSE;
	qs_source_gfx3d_host(&source, host, "virgl");
	for (guint i = 0; i < q->count; i++) {
		QsHostValue *v = &q->value[i];
		const struct qs_value what = {.kind = q->vertex ? QS_VALUE_VERTEX_REGISTER : QS_VALUE_REGISTER, .instruction = v->instruction,
			.reg = v->reg, .corner = q->corner};

		if (qs_worker_cancelled(worker)) {
			qs_error_set(error, QS_ERR_CANCELLED, 0, "Stopped on request.");
			return FALSE;
		}
		if (!source.value(source.user, q->command, q->primitive, &what, q->x, q->y, v->value, error))
			return FALSE;
		v->reached = !(v->value[0] == NOTHING && v->value[1] == NOTHING && v->value[2] == NOTHING && v->value[3] == NOTHING);
	}
	return TRUE;
}

static void host_done(gpointer data, const struct qs_error *error, gpointer user)
{
	HostJob *job = data;

	job->done(user, &job->question, error);
}

void qs_request_host_values(QsSession *session, GObject *owner, const QsHostQuestion *question, QsHostDone done)
{
	HostJob *job = g_new0(HostJob, 1);

	job->question = *question;
	job->done = done;
	qs_session_request(session, lane_of(owner, LANE_HOST), owner, host_run, host_done, job, g_free);
}

/* ---- state -------------------------------------------------------------------------------------------------------------- */

typedef struct {
	QsRowsAnswer answer;
	struct qs_moment before;
	QsRowsDone done;
} RowsJob;

static void rows_free(gpointer data)
{
	RowsJob *job = data;

	free(job->answer.rows); /* the engine's malloc */
	free(job->answer.before);
	g_free(job);
}

static gboolean rows_run(QsWorker *worker, QsEngine *engine, gpointer data, struct qs_error *error)
{
	RowsJob *job = data;
	QsRowsAnswer *a = &job->answer;

	(void)worker;
	if (!a->rows && !qs_timeline_gfx3d_rows(engine->timeline, &a->rows, &a->count, error))
		return FALSE;
	qs_moment_format(engine->capture->capture, &job->before, a->before_text, sizeof a->before_text);
	return qs_timeline_seek(engine->timeline, &job->before, error) &&
		qs_timeline_gfx3d_rows(engine->timeline, &a->before, &a->before_count, error);
}

static void rows_done(gpointer data, const struct qs_error *error, gpointer user)
{
	RowsJob *job = data;

	job->done(user, &job->answer, error);
}

void qs_request_rows(QsSession *session, GObject *owner, QsRowsDone done)
{
	QsView *view = qs_session_get_view(session);
	RowsJob *job = g_new0(RowsJob, 1);

	if (view)
		qs_moment_draw_before(view, &job->before);
	job->done = done;
	qs_session_request(session, lane_of(owner, LANE_ROWS), owner, rows_run, rows_done, job, rows_free);
}

/* ---- vertices ----------------------------------------------------------------------------------------------------------- */

typedef struct {
	QsVerticesAnswer answer;
	QsVerticesDone done;
} VerticesJob;

static void vertices_free(gpointer data)
{
	VerticesJob *job = data;

	free(job->answer.vertices); /* the engine's malloc */
	g_free(job->answer.ports);
	g_free(job);
}

static gboolean vertices_run(QsWorker *worker, QsEngine *engine, gpointer data, struct qs_error *error)
{
	QsVerticesAnswer *a = &((VerticesJob *)data)->answer;
	struct qs_gfx3d_port port;

	(void)worker;
	free(a->vertices); /* of an attempt before */
	if (!qs_timeline_gfx3d_vertices(engine->timeline, &a->vertices, &a->count, error))
		return FALSE;
	for (a->port_count = 0; qs_timeline_gfx3d_port(engine->timeline, a->port_count, &port); a->port_count++) {
		a->ports = g_renew(struct qs_gfx3d_port, a->ports, a->port_count + 1);
		a->ports[a->port_count] = port;
	}
	return TRUE;
}

static void vertices_done(gpointer data, const struct qs_error *error, gpointer user)
{
	VerticesJob *job = data;

	job->done(user, &job->answer, error);
}

void qs_request_vertices(QsSession *session, GObject *owner, QsVerticesDone done)
{
	VerticesJob *job = g_new0(VerticesJob, 1);

	job->done = done;
	qs_session_request(session, lane_of(owner, LANE_VERTICES), owner, vertices_run, vertices_done, job, vertices_free);
}

/* ---- textures ----------------------------------------------------------------------------------------------------------- */

typedef struct {
	QsBindingsAnswer answer;
	QsBindingsDone done;
} BindingsJob;

static void bindings_free(gpointer data)
{
	BindingsJob *job = data;

	for (guint u = 0; u < QS_GFX3D_UNITS; u++)
		qs_texture_answer_finish(&job->answer.picture[u]);
	g_free(job);
}

static gboolean take_levels(QsTextureAnswer *a, const struct qs_gfx3d_binding *binding, struct qs_timeline *timeline, guint unit,
	struct qs_error *error)
{
	a->map = unit;
	a->texture.map = (guint8)unit;
	a->texture.used = TRUE;
	a->texture.width = binding->width;
	a->texture.height = binding->height;
	a->texture.levels = a->level_count = CLAMP(binding->levels, 1, 11);
	a->level = g_new0(struct qs_image, a->level_count);
	a->place = g_new0(struct qs_texture_level, a->level_count);
	a->bytes = g_new0(guint8 *, a->level_count);
	for (guint i = 0; i < a->level_count; i++) {
		if (!qs_timeline_gfx3d_texture_image(timeline, unit, i, &a->level[i], error))
			return FALSE;
		a->place[i].width = a->level[i].width;
		a->place[i].height = a->level[i].height;
	}
	return TRUE;
}

static gboolean bindings_run(QsWorker *worker, QsEngine *engine, gpointer data, struct qs_error *error)
{
	QsBindingsAnswer *a = &((BindingsJob *)data)->answer;
	struct qs_gfx3d_port port;

	(void)worker;
	for (guint u = 0; u < QS_GFX3D_UNITS; u++) {
		struct qs_error none = {0};

		qs_texture_answer_finish(&a->picture[u]); /* of an attempt before */
		a->bound[u] = qs_timeline_gfx3d_texture(engine->timeline, u, &a->binding[u], &none);
		if (!a->bound[u] && none.code != QS_ERR_RANGE) {
			*error = none;
			return FALSE;
		}
		if (a->bound[u] && !take_levels(&a->picture[u], &a->binding[u], engine->timeline, u, error))
			return FALSE;
	}
	for (guint32 i = 0; qs_timeline_gfx3d_port(engine->timeline, i, &port); i++)
		if (port.kind == QS_GFX3D_SAMPLER && port.slot < QS_GFX3D_UNITS)
			g_strlcpy(a->sampler[port.slot], port.name, sizeof a->sampler[port.slot]);
	return TRUE;
}

static void bindings_done(gpointer data, const struct qs_error *error, gpointer user)
{
	BindingsJob *job = data;

	job->done(user, &job->answer, error);
}

void qs_request_bindings(QsSession *session, GObject *owner, QsBindingsDone done)
{
	BindingsJob *job = g_new0(BindingsJob, 1);

	job->done = done;
	qs_session_request(session, lane_of(owner, LANE_BINDINGS), owner, bindings_run, bindings_done, job, bindings_free);
}
