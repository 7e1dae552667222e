/* qs-compare-view.h - two pictures of the same frame: one of them, a wipe between them, or their difference
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "qs-canvas.h"
#include "qs-session.h"

G_BEGIN_DECLS

typedef enum { QS_COMPARE_A, QS_COMPARE_B, QS_COMPARE_WIPE, QS_COMPARE_DIFFERENCE } QsCompareMode;

#define QS_TYPE_COMPARE_VIEW (qs_compare_view_get_type())
G_DECLARE_FINAL_TYPE(QsCompareView, qs_compare_view, QS, COMPARE_VIEW, QsCanvas)

void qs_compare_view_set_session(QsCompareView *self, QsSession *session);
void qs_compare_view_set_mode(QsCompareView *self, QsCompareMode mode);
void qs_compare_view_set_gain(QsCompareView *self, guint gain); /* of the difference */
/* Borrowed until they are set again; NULL: none. */
void qs_compare_view_set_pictures(QsCompareView *self, const struct qs_image *a, const struct qs_image *b);
void qs_compare_view_update(QsCompareView *self, guint changes);

G_END_DECLS
