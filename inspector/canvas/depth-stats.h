/* depth-stats.h - what a depth buffer contains
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <glib.h>
#include "quadscope.h"

G_BEGIN_DECLS

#define QS_DEPTH_MAX 0xffffffu
#define QS_DEPTH_BINS 256

/* Smallest and largest value inside the rectangle, of pixels that the mask (one byte a pixel, not 0; or NULL) lets through.
 * FALSE: there are none. */
gboolean qs_depth_range(const struct qs_image *image, const struct qs_rect *rect, const guint8 *mask, guint32 *low, guint32 *high);
/* Pixels per bin of low..high (both included); values outside are not counted. */
void qs_depth_histogram(const struct qs_image *image, guint32 low, guint32 high, guint32 bins[QS_DEPTH_BINS]);

G_END_DECLS
