/* qs-depth-histogram.h - how often each depth occurs, and the range that is shown, to be dragged
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <gtk/gtk.h>
#include "quadscope.h"

G_BEGIN_DECLS

#define QS_TYPE_DEPTH_HISTOGRAM (qs_depth_histogram_get_type())
G_DECLARE_FINAL_TYPE(QsDepthHistogram, qs_depth_histogram, QS, DEPTH_HISTOGRAM, GtkWidget)

typedef enum { QS_DEPTH_MARK_PICK, QS_DEPTH_MARK_POINTER, QS_DEPTH_MARK_INCOMING, QS_DEPTH_MARK_COUNT } QsDepthMark;

/* signal: "range-changed" (guint low, guint high): dragged by the person */
/* image: borrowed for the call. */
void qs_depth_histogram_set_image(QsDepthHistogram *self, const struct qs_image *image);
void qs_depth_histogram_set_range(QsDepthHistogram *self, guint32 low, guint32 high);
/* A line at a value; QS_NONE: no line. */
void qs_depth_histogram_set_mark(QsDepthHistogram *self, QsDepthMark mark, guint32 value, gboolean good);

G_END_DECLS
