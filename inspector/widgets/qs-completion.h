/* qs-completion.h - a list of candidates under the prompt
 *
 * The focus stays in the prompt, which tells this popover about its keys.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define QS_TYPE_COMPLETION (qs_completion_get_type())
G_DECLARE_FINAL_TYPE(QsCompletion, qs_completion, QS, COMPLETION, GtkPopover)

/* signal "chosen" (const char *candidate) */
GtkWidget *qs_completion_new(void);
void qs_completion_show(QsCompletion *self, char **list, const GdkRectangle *where);
/* Up, Down, Page Up, Page Down, Tab, Return, Escape while it is shown. */
gboolean qs_completion_key(QsCompletion *self, guint key);
/* The interface's line about a name: "qs.seek(moment) -> moment", and its sentence; FALSE: not in it. */
gboolean qs_completion_find_api(const char *name, const char **signature, const char **text);

G_END_DECLS
