/* qs-console-view.h - text of scripts, with links
 *
 * Links are found in the text: "probe.lua:12:" of errors, moments of the open capture in output, titles of plots.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <gtk/gtk.h>
#include "qs-lua.h"

G_BEGIN_DECLS

#define QS_TYPE_CONSOLE_VIEW (qs_console_view_get_type())
G_DECLARE_FINAL_TYPE(QsConsoleView, qs_console_view, QS, CONSOLE_VIEW, GtkTextView)

/* signals: "moment" (const char *text), "place" (const char *file, int line), "figure" (const char *title) */
/* capture: whose moments are links, or NULL. */
void qs_console_view_add(QsConsoleView *self, QsLuaText kind, const char *text, const struct qs_capture *capture);
void qs_console_view_add_figure(QsConsoleView *self, const QsFigure *figure);
void qs_console_view_clear(QsConsoleView *self);

G_END_DECLS
