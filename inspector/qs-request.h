/* qs-request.h - ready questions to the engine
 *
 * Each takes an owner (a GObject that gets the answer while it lives) and a callback on the main loop.  The record passed to
 * the callback is only borrowed; take what should stay.  Every question is bound to the current view: when the moment changes
 * before the answer, no answer comes (QS_CHANGE_VIEW comes instead: ask again).  A newer question of the same kind by the
 * same owner replaces the older one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "qs-session.h"

G_BEGIN_DECLS

/* ---- a picture: before the current draw, or at the moment ---- */
typedef void (*QsImageDone)(GObject *owner, struct qs_image *image, const struct qs_error *error); /* may steal the image */
void qs_request_image(QsSession *session, GObject *owner, enum qs_buffer buffer, gboolean before_draw, QsImageDone done);

/* ---- bound textures ---- */
typedef struct {
	unsigned map;
	struct qs_texture texture;
	guint level_count;
	struct qs_image *level; /* level_count; rgba NULL: could not be decoded, see error */
	struct qs_texture_level *place; /* level_count */
	guint8 **bytes;         /* level_count: place[i].size bytes of formats with a palette, else NULL */
	struct qs_image tlut;   /* rgba NULL: no palette */
	char error[512];
	const char *title;        /* static: what it is, when it is no map */
	const guint32 *address;   /* borrowed, or NULL: of level 0, a texel each */
} QsTextureAnswer;
typedef void (*QsTextureDone)(GObject *owner, QsTextureAnswer *answer, const struct qs_error *error); /* may steal all of it */
void qs_texture_answer_finish(QsTextureAnswer *answer);
void qs_request_texture(QsSession *session, GObject *owner, unsigned map, QsTextureDone done); /* a lane per map */
/* All eight maps, without pictures, and the QS_TMEM_LINES lines of texture memory. */
typedef void (*QsTexturesDone)(GObject *owner, const struct qs_texture texture[8], const struct qs_tmem_line *lines,
	const struct qs_error *error);
void qs_request_textures(QsSession *session, GObject *owner, QsTexturesDone done);

/* ---- what happened to a pixel in the view's frame ---- */
typedef struct {
	int x, y;
	guint32 frame;
	struct qs_history_row *rows;
	guint32 count;
} QsHistoryAnswer;
typedef void (*QsHistoryDone)(GObject *owner, const QsHistoryAnswer *answer, const struct qs_error *error);
void qs_request_history(QsSession *session, GObject *owner, int x, int y, QsHistoryDone done);

/* ---- the current draw, part by part and pixel by pixel ---- */
typedef struct {
	float x[3], y[3];
	guint32 primitive;
	guint8 kind, verdict; /* enum qs_primitive_kind, enum qs_setup_verdict */
} QsPart;
typedef struct {
	QsPart *parts;
	guint part_count; /* at most 200000 are kept */
	guint width, height; /* of the picture */
	guint8 *verdict;  /* width*height: enum qs_verdict of the draw's last fragment there; NONE: not covered */
	guint8 *covered;  /* the same: fragments, 255 at most */
} QsDrawAnswer;
typedef void (*QsDrawDone)(GObject *owner, QsDrawAnswer *answer, const struct qs_error *error); /* may steal the arrays */
void qs_request_draw(QsSession *session, GObject *owner, gboolean pixels, QsDrawDone done);
void qs_draw_answer_finish(QsDrawAnswer *answer);

/* ---- how many primitives a draw has ---- */
typedef void (*QsCountDone)(GObject *owner, guint32 command, guint32 count, const struct qs_error *error);
void qs_request_primitive_count(QsSession *session, GObject *owner, guint32 command, QsCountDone done);

/* ---- the whole machine at another moment (diff A/B, "changed since"); pictures as in buffers ---- */
typedef void (*QsViewDone)(GObject *owner, QsView *view, const struct qs_error *error);
void qs_request_view(QsSession *session, GObject *owner, gconstpointer lane, const struct qs_moment *moment, guint buffers,
	QsViewDone done);
/* The moment just before the view's draw or command. */
void qs_moment_before(QsView *view, struct qs_moment *moment);
/* The draw before the current one, over frames; the start for the first. */
void qs_moment_draw_before(QsView *view, struct qs_moment *moment);

G_END_DECLS
