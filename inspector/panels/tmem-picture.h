/* tmem-picture.h - texture memory as a picture and as text
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "quadscope.h"

G_BEGIN_DECLS

/* A line of 32 bytes is a square; 256 lines a row, the lower half (even levels) above the upper one (odd levels, palettes). */
GdkTexture *qs_tmem_texture(const struct qs_tmem_line *lines);
/* The line at a place of the picture, 0..1 each way; FALSE: in the gap between the halves. */
gboolean qs_tmem_line_at(double x, double y, guint *line);
char *qs_tmem_line_text(const struct qs_tmem_line *lines, guint line);
char *qs_tmem_summary(const struct qs_tmem_line *lines);

G_END_DECLS
