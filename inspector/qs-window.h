/* qs-window.h - the window: header, panes, bars; everything in it is a panel
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <gtk/gtk.h>
#include "qs-session.h"

G_BEGIN_DECLS

#define QS_TYPE_WINDOW (qs_window_get_type())
G_DECLARE_FINAL_TYPE(QsWindow, qs_window, QS, WINDOW, GtkApplicationWindow)

QsWindow *qs_window_new(GtkApplication *application);
QsSession *qs_window_get_session(QsWindow *self);
/* at: text of a moment or NULL */
void qs_window_open(QsWindow *self, const char *path, const char *at);

G_END_DECLS
