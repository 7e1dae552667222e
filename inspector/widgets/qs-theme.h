/* qs-theme.h - colours that cannot come from the style sheet
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Is its text lighter than its background? */
gboolean qs_theme_is_dark(GtkWidget *widget);
/* Calls changed(widget) now and whenever the theme changes, while the widget lives. */
void qs_theme_watch(GtkWidget *widget, void (*changed)(GtkWidget *widget));
/* Where scripts' drafts and the history of the prompt are kept; it exists.  Free with g_free. */
char *qs_state_file(const char *name);

G_END_DECLS
