/* qs-compare.h - the question why another renderer draws the view's frame differently
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "qs-machine.h"
#include "qs-session.h"

G_BEGIN_DECLS

#define QS_COMPARE_SHADER QS_MODELS /* Flipper: the same model through the shader pipeline; Gfx3D: the calls on a VirGL host */

/* Gfx3D: a draw or clear that pixels differ behind which were equal before it. */
typedef struct {
	struct qs_moment moment;
	guint pixels; /* that it makes differ */
	int x, y;     /* the worst of them */
	guint distance;
} QsComparedDraw;

typedef struct {
	guint32 frame;
	guint other; /* the second side: number of a model, or QS_COMPARE_SHADER; the first is the view's model with its quirks */
	gboolean depth;      /* the depth at the frame's end instead of its picture */
	gboolean explain;    /* causes and first divergence too: draws the frame some dozen times */
	struct qs_comparison comparison;
	GArray *draws;       /* QsComparedDraw; NULL: not looked for */
} QsCompareAnswer;

/* How far a question is, per mille: a box of g_atomic_rc_box_new0 that the question holds too. */
typedef gint QsCompareProgress;

/* The record is borrowed; pictures and arrays may be stolen (then zeroed). */
typedef void (*QsCompareDone)(GObject *owner, QsCompareAnswer *answer, const struct qs_error *error);
const char *qs_compare_side_name(enum qs_machine machine, guint other);
void qs_request_compare(QsSession *session, GObject *owner, guint other, gboolean depth, gboolean explain,
	QsCompareProgress *progress, QsCompareDone done);

G_END_DECLS
