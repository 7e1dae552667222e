/* qs-copy.h - copies from the EFB: which one made an address, and all of one
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "qs-session.h"

G_BEGIN_DECLS

/* ---- where copies go, from the command stream alone ---- */
typedef struct {
	guint32 command;
	gboolean display;
	guint32 address, size; /* bytes from the first to the last line */
} QsCopyPlace;

/* QsCopyPlace of every copy, in order; as long as nobody forces registers. */
GArray *qs_copy_places(const struct qs_capture *capture);
/* The last copy at or before the command; QS_NONE: none.  With address != QS_NONE: the last that wrote there. */
guint32 qs_copy_before(const GArray *places, guint32 command, guint32 address);

/* ---- one copy: asked like the questions of qs-request.h ---- */
typedef struct {
	guint32 command;
	struct qs_copy copy;
	struct qs_image source;  /* the rectangle of the EFB, before the clear */
	struct qs_image result;  /* what was encoded; of a display copy its picture */
	guint32 *address;        /* of each pixel of the result, where its first byte is */
} QsCopyAnswer;
typedef void (*QsCopyDone)(GObject *owner, QsCopyAnswer *answer, const struct qs_error *error); /* may steal all of it */
void qs_request_copy(QsSession *session, GObject *owner, guint32 command, QsCopyDone done);
void qs_copy_answer_finish(QsCopyAnswer *answer);

typedef void (*QsCopyTexelDone)(GObject *owner, guint x, guint y, const struct qs_copy_texel *texel, const struct qs_error *error);
void qs_request_copy_texel(QsSession *session, GObject *owner, guint32 command, guint x, guint y, QsCopyTexelDone done);

G_END_DECLS
