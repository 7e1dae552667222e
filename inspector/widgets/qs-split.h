/* qs-split.h - a picture and its tables: side by side in a wide panel, one above the other in a high one
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* child: inside the paned and told about every size (a QsCanvas: signal "zoom-changed"). percent: its share side by side. */
void qs_split_turn(GtkPaned *paned, GtkWidget *child, int percent);

G_END_DECLS
