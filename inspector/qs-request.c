/* qs-request.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-request.h"
#include "qs-gfx3d.h"
#include <stdlib.h>
#include <string.h>

#define MAX_PARTS 200000

void qs_moment_before(QsView *view, struct qs_moment *moment)
{
	memset(moment, 0, sizeof *moment);
	if (view->moment.level != QS_LEVEL_START && view->moment.command > 0)
		qs_moment_of_command(view->capture->capture, view->moment.command - 1, moment);
}

void qs_moment_draw_before(QsView *view, struct qs_moment *moment)
{
	const struct qs_capture *file = view->capture->capture;
	guint32 command = view->moment.level == QS_LEVEL_START ? 0 : view->moment.command;

	memset(moment, 0, sizeof *moment);
	while (command-- > 0)
		if (qs_capture_command(file, command)->draw != QS_NONE) {
			qs_moment_of_command(file, command, moment);
			return;
		}
}

/* A lane of its own for every kind of question of every owner: an address inside the owner's object. */
static gconstpointer lane_of(GObject *owner, guint kind)
{
	return (const guint8 *)owner + kind;
}

enum { LANE_IMAGE = 1, LANE_BEFORE, LANE_TEXTURES, LANE_HISTORY, LANE_DRAW, LANE_COUNT, LANE_TEXTURE /* .. +7 */ };

/* ---- pictures ----------------------------------------------------------------------------------------------------------- */

typedef struct {
	enum qs_buffer buffer;
	gboolean before;
	struct qs_moment moment;
	struct qs_image image;
	QsImageDone done;
} ImageJob;

static void image_free(gpointer data)
{
	ImageJob *job = data;

	qs_image_finish(&job->image);
	g_free(job);
}

static gboolean image_run(QsWorker *worker, QsEngine *engine, gpointer data, struct qs_error *error)
{
	ImageJob *job = data;

	(void)worker;
	if (job->before && !qs_timeline_seek(engine->timeline, &job->moment, error))
		return FALSE;
	return qs_timeline_image(engine->timeline, job->buffer, &job->image, error);
}

static void image_done(gpointer data, const struct qs_error *error, gpointer user)
{
	ImageJob *job = data;

	job->done(user, &job->image, error);
}

void qs_request_image(QsSession *session, GObject *owner, enum qs_buffer buffer, gboolean before_draw, QsImageDone done)
{
	ImageJob *job = g_new0(ImageJob, 1);

	job->buffer = buffer;
	job->before = before_draw;
	job->done = done;
	if (before_draw && qs_session_get_view(session))
		qs_moment_before(qs_session_get_view(session), &job->moment);
	qs_session_request(session, lane_of(owner, before_draw ? LANE_BEFORE : LANE_IMAGE), owner, image_run, image_done, job,
		image_free);
}

/* ---- textures ----------------------------------------------------------------------------------------------------------- */

typedef struct {
	QsTextureAnswer answer;
	QsTextureDone done;
} TextureJob;

void qs_texture_answer_finish(QsTextureAnswer *answer)
{
	for (guint i = 0; i < answer->level_count; i++) {
		qs_image_finish(&answer->level[i]);
		g_free(answer->bytes[i]);
	}
	g_free(answer->level);
	g_free(answer->place);
	g_free(answer->bytes);
	qs_image_finish(&answer->tlut);
	memset(answer, 0, sizeof *answer);
}

static void texture_free(gpointer data)
{
	TextureJob *job = data;

	qs_texture_answer_finish(&job->answer);
	g_free(job);
}

static gboolean texture_run(QsWorker *worker, QsEngine *engine, gpointer data, struct qs_error *error)
{
	TextureJob *job = data;
	QsTextureAnswer *a = &job->answer;
	struct qs_error problem = {0};

	(void)worker;
	if (!qs_timeline_texture(engine->timeline, a->map, &a->texture, error))
		return FALSE;
	a->level_count = CLAMP(a->texture.levels, 1, 11);
	a->level = g_new0(struct qs_image, a->level_count);
	a->place = g_new0(struct qs_texture_level, a->level_count);
	a->bytes = g_new0(guint8 *, a->level_count);
	for (guint i = 0; i < a->level_count; i++) {
		struct qs_texture_level *place = &a->place[i];

		if (qs_timeline_texture_level(engine->timeline, a->map, i, place, &problem) && a->texture.tlut_entries) {
			a->bytes[i] = g_malloc(place->size);
			qs_timeline_memory(engine->timeline, place->from_tmem ? QS_SPACE_TMEM : QS_SPACE_MAIN, place->address, a->bytes[i],
				place->size);
		}
		if (!qs_timeline_texture_image(engine->timeline, a->map, i, &a->level[i], &problem)) {
			qs_image_finish(&a->level[i]);
			g_strlcpy(a->error, problem.text, sizeof a->error);
		}
	}
	if (a->texture.tlut_entries && !qs_timeline_tlut_image(engine->timeline, a->map, &a->tlut, &problem)) {
		qs_image_finish(&a->tlut);
		g_strlcpy(a->error, problem.text, sizeof a->error);
	}
	return TRUE;
}

static void texture_done(gpointer data, const struct qs_error *error, gpointer user)
{
	TextureJob *job = data;

	job->done(user, &job->answer, error);
}

void qs_request_texture(QsSession *session, GObject *owner, unsigned map, QsTextureDone done)
{
	TextureJob *job = g_new0(TextureJob, 1);

	job->answer.map = map;
	job->done = done;
	qs_session_request(session, lane_of(owner, LANE_TEXTURE + (map & 7)), owner, texture_run, texture_done, job, texture_free);
}

typedef struct {
	struct qs_texture texture[8];
	struct qs_tmem_line lines[QS_TMEM_LINES];
	QsTexturesDone done;
} TexturesJob;

static gboolean textures_run(QsWorker *worker, QsEngine *engine, gpointer data, struct qs_error *error)
{
	TexturesJob *job = data;

	(void)worker;
	for (unsigned map = 0; map < 8; map++)
		if (!qs_timeline_texture(engine->timeline, map, &job->texture[map], error))
			return FALSE;
	qs_timeline_tmem(engine->timeline, job->lines);
	return TRUE;
}

static void textures_done(gpointer data, const struct qs_error *error, gpointer user)
{
	TexturesJob *job = data;

	job->done(user, job->texture, job->lines, error);
}

void qs_request_textures(QsSession *session, GObject *owner, QsTexturesDone done)
{
	TexturesJob *job = g_new0(TexturesJob, 1);

	job->done = done;
	qs_session_request(session, lane_of(owner, LANE_TEXTURES), owner, textures_run, textures_done, job, g_free);
}

/* ---- history ------------------------------------------------------------------------------------------------------------ */

typedef struct {
	QsHistoryAnswer answer;
	QsHistoryDone done;
} HistoryJob;

static void history_free(gpointer data)
{
	HistoryJob *job = data;

	free(job->answer.rows); /* the engine's malloc */
	g_free(job);
}

static gboolean history_run(QsWorker *worker, QsEngine *engine, gpointer data, struct qs_error *error)
{
	QsHistoryAnswer *a = &((HistoryJob *)data)->answer;

	(void)worker;
	return qs_timeline_history(engine->timeline, a->frame, a->x, a->y, &a->rows, &a->count, error);
}

static void history_done(gpointer data, const struct qs_error *error, gpointer user)
{
	HistoryJob *job = data;

	job->done(user, &job->answer, error);
}

void qs_request_history(QsSession *session, GObject *owner, int x, int y, QsHistoryDone done)
{
	HistoryJob *job = g_new0(HistoryJob, 1);
	QsView *view = qs_session_get_view(session);

	job->answer.x = x;
	job->answer.y = y;
	job->answer.frame = view ? MAX(view->moment.frame, 1) : 1;
	job->done = done;
	qs_session_request(session, lane_of(owner, LANE_HISTORY), owner, history_run, history_done, job, history_free);
}

/* ---- the draw ----------------------------------------------------------------------------------------------------------- */

typedef struct {
	gboolean pixels;
	struct qs_moment from, to;
	GArray *parts;
	QsDrawAnswer answer;
	QsDrawDone done;
} DrawJob;

void qs_draw_answer_finish(QsDrawAnswer *answer)
{
	g_clear_pointer(&answer->parts, g_free);
	g_clear_pointer(&answer->verdict, g_free);
	g_clear_pointer(&answer->covered, g_free);
	answer->part_count = 0;
}

static void draw_free(gpointer data)
{
	DrawJob *job = data;

	qs_draw_answer_finish(&job->answer);
	if (job->parts)
		g_array_unref(job->parts);
	g_free(job);
}

static bool draw_part(void *user, const struct qs_moment *moment, const struct qs_setup *setup)
{
	DrawJob *job = user;
	QsPart part = {.primitive = moment->primitive, .kind = setup->kind, .verdict = setup->verdict};

	if (setup->part_count == 0 || job->parts->len >= MAX_PARTS)
		return true;
	for (guint i = 0; i < 3; i++) {
		part.x[i] = setup->vertex[i].screen[0];
		part.y[i] = setup->vertex[i].screen[1];
	}
	g_array_append_val(job->parts, part);
	return true;
}

static bool draw_quad(void *user, const struct qs_moment *moment, const struct qs_setup *setup, const struct qs_quad *quad)
{
	DrawJob *job = user;

	(void)moment;
	(void)setup;
	for (int f = 0; f < 4; f++) {
		const int x = quad->x + (f & 1), y = quad->y + (f >> 1);
		gsize i;

		if (!(quad->coverage >> 3 * f & 7) || x < 0 || y < 0 || x >= (int)job->answer.width ||
			y >= (int)job->answer.height)
			continue;
		i = (gsize)y * job->answer.width + (gsize)x;
		job->answer.verdict[i] = quad->fragment[f].verdict;
		if (job->answer.covered[i] < 255)
			job->answer.covered[i]++;
	}
	return true;
}

static gboolean draw_run(QsWorker *worker, QsEngine *engine, gpointer data, struct qs_error *error)
{
	DrawJob *job = data;
	const struct qs_taps taps = {
		.mask = QS_TAP_PRIMITIVE | (job->pixels ? QS_TAP_QUAD : 0u), .user = job, .primitive = draw_part, .quad = draw_quad};

	(void)worker;
	job->parts = g_array_new(FALSE, FALSE, sizeof(QsPart));
	if (job->pixels) {
		job->answer.verdict = g_new0(guint8, (gsize)job->answer.width * job->answer.height);
		job->answer.covered = g_new0(guint8, (gsize)job->answer.width * job->answer.height);
	}
	if (!qs_timeline_replay(engine->timeline, &job->from, &job->to, &taps, error))
		return FALSE;
	job->answer.part_count = job->parts->len;
	job->answer.parts = (QsPart *)(void *)g_array_free(g_steal_pointer(&job->parts), FALSE);
	return TRUE;
}

static void draw_done(gpointer data, const struct qs_error *error, gpointer user)
{
	DrawJob *job = data;

	job->done(user, &job->answer, error);
}

void qs_request_draw(QsSession *session, GObject *owner, gboolean pixels, QsDrawDone done)
{
	QsView *view = qs_session_get_view(session);
	DrawJob *job;

	if (!view || !qs_view_in_draw(view))
		return;
	job = g_new0(DrawJob, 1);
	job->pixels = pixels;
	job->done = done;
	job->answer.width = qs_view_width(view);
	job->answer.height = qs_view_height(view);
	qs_moment_before(view, &job->from);
	qs_moment_of_command(view->capture->capture, view->moment.command, &job->to);
	qs_session_request(session, lane_of(owner, LANE_DRAW), owner, draw_run, draw_done, job, draw_free);
}

/* ---- primitive count ---------------------------------------------------------------------------------------------------- */

typedef struct {
	struct qs_moment draw;
	guint32 count;
	QsCountDone done;
} CountJob;

static gboolean count_run(QsWorker *worker, QsEngine *engine, gpointer data, struct qs_error *error)
{
	CountJob *job = data;

	(void)worker;
	(void)error;
	job->count = qs_timeline_primitive_count(engine->timeline, &job->draw);
	return TRUE;
}

static void count_done(gpointer data, const struct qs_error *error, gpointer user)
{
	CountJob *job = data;

	job->done(user, job->draw.command, job->count, error);
}

void qs_request_primitive_count(QsSession *session, GObject *owner, guint32 command, QsCountDone done)
{
	CountJob *job;
	struct qs_moment draw;

	if (!qs_session_get_view(session) || !qs_moment_of_command(qs_session_get_file(session), command, &draw))
		return;
	job = g_new0(CountJob, 1);
	job->draw = draw;
	job->done = done;
	qs_session_request(session, NULL, owner, count_run, count_done, job, g_free);
}

/* ---- another moment ----------------------------------------------------------------------------------------------------- */

typedef struct {
	struct qs_moment moment;
	guint buffers;
	QsView *view;
	QsViewDone done;
} ViewJob;

static void view_free(gpointer data)
{
	ViewJob *job = data;

	qs_view_unref(job->view);
	g_free(job);
}

static gboolean view_run(QsWorker *worker, QsEngine *engine, gpointer data, struct qs_error *error)
{
	ViewJob *job = data;

	(void)worker;
	if (!qs_timeline_seek(engine->timeline, &job->moment, error))
		return FALSE;
	job->view = qs_engine_view(engine, job->buffers);
	return TRUE;
}

static void view_done(gpointer data, const struct qs_error *error, gpointer user)
{
	ViewJob *job = data;

	job->done(user, job->view, error);
}

void qs_request_view(QsSession *session, GObject *owner, gconstpointer lane, const struct qs_moment *moment, guint buffers,
	QsViewDone done)
{
	ViewJob *job = g_new0(ViewJob, 1);

	job->moment = *moment;
	job->buffers = buffers;
	job->done = done;
	qs_session_request(session, lane, owner, view_run, view_done, job, view_free);
}
