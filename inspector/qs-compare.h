/* qs-compare.h - the question why another renderer draws the view's frame differently
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "qs-session.h"

G_BEGIN_DECLS

#define QS_COMPARE_SHADER QS_MODEL_COUNT /* the same model through the shader pipeline */

typedef struct {
	guint32 frame;
	guint other; /* the second side: enum qs_model, or QS_COMPARE_SHADER; the first is the view's model with its quirks */
	gboolean explain;    /* causes and first divergence too: draws the frame some dozen times */
	struct qs_comparison comparison;
} QsCompareAnswer;

/* How far a question is, per mille: a box of g_atomic_rc_box_new0 that the question holds too. */
typedef gint QsCompareProgress;

/* The record is borrowed; pictures and arrays may be stolen (then zeroed). */
typedef void (*QsCompareDone)(GObject *owner, QsCompareAnswer *answer, const struct qs_error *error);
const char *qs_compare_side_name(guint other);
void qs_request_compare(QsSession *session, GObject *owner, guint other, gboolean explain,
	QsCompareProgress *progress, QsCompareDone done);

G_END_DECLS
