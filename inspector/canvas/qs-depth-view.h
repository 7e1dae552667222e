/* qs-depth-view.h - the 24-bit depth buffer with a range of its own
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "qs-canvas.h"
#include "qs-session.h"

G_BEGIN_DECLS

typedef enum { QS_DEPTH_GREY, QS_DEPTH_INVERSE, QS_DEPTH_COLOUR } QsDepthPalette;

#define QS_TYPE_DEPTH_VIEW (qs_depth_view_get_type())
G_DECLARE_FINAL_TYPE(QsDepthView, qs_depth_view, QS, DEPTH_VIEW, QsCanvas)

/* signal: "draw-changed" (qs_depth_view_get_draw gives something new) */
void qs_depth_view_set_session(QsDepthView *self, QsSession *session);
void qs_depth_view_update(QsDepthView *self, guint changes);
void qs_depth_view_set_range(QsDepthView *self, guint32 low, guint32 high);
void qs_depth_view_set_palette(QsDepthView *self, QsDepthPalette palette);
void qs_depth_view_set_linked(QsDepthView *self, gboolean linked); /* zooms with the frame */
void qs_depth_view_set_tests(QsDepthView *self, gboolean shown);   /* passed and failed of the current draw */
void qs_depth_view_want_draw(QsDepthView *self, gboolean wanted);  /* ask for the draw's pixels though tests are not shown */
/* Pixels of the EFB that can be seen. */
struct qs_rect qs_depth_view_get_visible(QsDepthView *self);
/* 640*528 verdicts of the current draw (NONE: not covered); NULL: not there (yet). */
const guint8 *qs_depth_view_get_draw(QsDepthView *self);

G_END_DECLS
