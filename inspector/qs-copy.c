/* qs-copy.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-copy.h"
#include <stdlib.h>
#include <string.h>

/* ---- places ------------------------------------------------------------------------------------------------------------- */

static guint32 field(const guint32 *bp, const char *reg, const char *name)
{
	const struct qs_register *r = qs_register_by_name(QS_UNIT_BP, reg);
	const struct qs_field *f = r ? qs_field_by_name(r, name) : NULL;

	return f ? qs_field_raw(f, bp[r->address]) : 0;
}

static void add_place(GArray *places, const guint32 *bp, guint32 command)
{
	const guint32 stride = field(bp, "PE_COPY_DST_STRIDE", "stride") * 32, lines = field(bp, "PE_COPY_SRC_SIZE", "height") + 1;
	QsCopyPlace place = {.command = command, .display = field(bp, "PE_COPY_CMD", "display") != 0,
		.address = field(bp, "PE_COPY_DST_BASE0", "address") * 32};
	const guint32 format = field(bp, "PE_COPY_CMD", "format");

	if (place.display) { /* the scale says how many lines; 2 lines for one is as much as it is used for */
		place.size = stride * lines * 2;
	} else {
		const guint32 height = field(bp, "PE_COPY_CMD", "half") ? (lines + 1) / 2 : lines;
		const guint32 tile = format == 0 ? 8 : 4; /* formats of 4 bits have tiles of 8 lines, specification 05 section 3 */

		place.size = stride * ((height + tile - 1) / tile);
	}
	g_array_append_val(places, place);
}

GArray *qs_copy_places(const struct qs_capture *capture)
{
	const struct qs_capture_info *info = qs_capture_info(capture);
	GArray *places = g_array_new(FALSE, FALSE, sizeof(QsCopyPlace));
	guint32 bp[256], mask = 0xffffff;

	if (info->machine != QS_MACHINE_FLIPPER)
		return places;
	memcpy(bp, qs_capture_initial(capture)->bp, sizeof bp);
	for (guint32 i = 0; i < info->command_count; i++) {
		const struct qs_command *c = qs_capture_command(capture, i);
		const guint8 *bytes;
		guint32 value;

		if (c->kind != QS_COMMAND_BP && c->kind != QS_COMMAND_COPY)
			continue;
		bytes = qs_capture_command_bytes(capture, i);
		value = (guint32)bytes[2] << 16 | (guint32)bytes[3] << 8 | bytes[4];
		if (bytes[1] == 0xfe) {
			mask = value;
			continue;
		}
		bp[bytes[1]] = (bp[bytes[1]] & ~mask) | (value & mask);
		mask = 0xffffff;
		if (c->kind == QS_COMMAND_COPY)
			add_place(places, bp, i);
	}
	return places;
}

guint32 qs_copy_before(const GArray *places, guint32 command, guint32 address)
{
	for (guint i = places->len; i-- > 0;) {
		const QsCopyPlace *p = &g_array_index(places, QsCopyPlace, i);

		if (p->command <= command && (address == QS_NONE || (!p->display && address - p->address < p->size)))
			return p->command;
	}
	return QS_NONE;
}

/* ---- one copy ----------------------------------------------------------------------------------------------------------- */

typedef struct {
	guint32 command;
	struct qs_timeline *timeline; /* during run */
	QsCopyAnswer answer;
	gboolean whole;               /* all of it, or one texel */
	guint x, y;
	struct qs_copy_texel texel;
	gboolean got;
	struct qs_error error;
	QsCopyDone done;
	QsCopyTexelDone texel_done;
} CopyJob;

void qs_copy_answer_finish(QsCopyAnswer *answer)
{
	qs_image_finish(&answer->source);
	qs_image_finish(&answer->result);
	g_clear_pointer(&answer->address, g_free);
}

static void copy_free(gpointer data)
{
	CopyJob *job = data;

	qs_copy_answer_finish(&job->answer);
	g_free(job);
}

static gboolean make_image(struct qs_image *image, guint32 width, guint32 height)
{
	image->width = width;
	image->height = height;
	image->rgba = calloc(MAX((gsize)width * height, 1), 4); /* qs_image_finish frees it */
	return image->rgba != NULL;
}

static void take_source(CopyJob *job, const struct qs_copy *copy)
{
	struct qs_image *image = &job->answer.source;
	const int width = copy->source.x1 - copy->source.x0, height = copy->source.y1 - copy->source.y0;
	guint32 z;

	if (width <= 0 || height <= 0 || !make_image(image, (guint32)width, (guint32)height))
		return;
	for (int y = 0; y < height; y++)
		for (int x = 0; x < width; x++)
			qs_timeline_pixel(job->timeline, copy->source.x0 + x, copy->source.y0 + y,
				image->rgba + 4 * ((gsize)y * (gsize)width + (gsize)x), &z);
}

static void take_result(CopyJob *job, const struct qs_copy *copy)
{
	struct qs_image *image = &job->answer.result;
	struct qs_error error = {0};

	if (!make_image(image, copy->width, copy->height))
		return;
	job->answer.address = g_new0(guint32, (gsize)copy->width * copy->height + 1);
	for (guint32 y = 0; y < copy->height; y++)
		for (guint32 x = 0; x < copy->width; x++) {
			const gsize i = (gsize)y * copy->width + x;

			if (!qs_timeline_copy_texel(job->timeline, x, y, &job->texel, &error))
				continue;
			memcpy(image->rgba + 4 * i, copy->to_display ? job->texel.rgba : job->texel.converted, 4);
			if (copy->to_display)
				image->rgba[4 * i + 3] = 255;
			job->answer.address[i] = job->texel.address[0];
		}
}

static bool copied(void *user, const struct qs_moment *moment, const struct qs_copy *copy)
{
	CopyJob *job = user;

	if (moment->command != job->command)
		return true;
	job->answer.copy = *copy;
	job->got = TRUE;
	if (!job->whole) {
		job->got = qs_timeline_copy_texel(job->timeline, job->x, job->y, &job->texel, &job->error);
		return false;
	}
	take_source(job, copy);
	take_result(job, copy);
	return false;
}

static gboolean copy_run(QsWorker *worker, QsEngine *engine, gpointer data, struct qs_error *error)
{
	CopyJob *job = data;
	const struct qs_taps taps = {.mask = QS_TAP_COPY, .user = job, .copy = copied};
	struct qs_moment from = {0}, to;

	(void)worker;
	job->timeline = engine->timeline;
	job->answer.command = job->command;
	if (job->command > 0)
		qs_moment_of_command(engine->capture->capture, job->command - 1, &from);
	if (!qs_moment_of_command(engine->capture->capture, job->command, &to) ||
		!qs_timeline_replay(engine->timeline, &from, &to, &taps, error))
		return FALSE;
	if (!job->got)
		*error = job->error;
	return job->got;
}

static void copy_done(gpointer data, const struct qs_error *error, gpointer user)
{
	CopyJob *job = data;

	if (job->whole)
		job->done(user, &job->answer, error);
	else
		job->texel_done(user, job->x, job->y, &job->texel, error);
}

/* Beside the lanes of qs-request.c: other addresses inside the owner. */
enum { LANE_COPY = 40, LANE_TEXEL };

void qs_request_copy(QsSession *session, GObject *owner, guint32 command, QsCopyDone done)
{
	CopyJob *job = g_new0(CopyJob, 1);

	job->command = command;
	job->whole = TRUE;
	job->done = done;
	qs_session_request(session, (const guint8 *)owner + LANE_COPY, owner, copy_run, copy_done, job, copy_free);
}

void qs_request_copy_texel(QsSession *session, GObject *owner, guint32 command, guint x, guint y, QsCopyTexelDone done)
{
	CopyJob *job = g_new0(CopyJob, 1);

	job->command = command;
	job->x = x;
	job->y = y;
	job->texel_done = done;
	qs_session_request(session, (const guint8 *)owner + LANE_TEXEL, owner, copy_run, copy_done, job, copy_free);
}
