/* qs-status-bar.h - the line at the bottom: pixel, colour, depth, last writer, verdict
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "panels/panels.h"

G_BEGIN_DECLS

#define QS_TYPE_STATUS_BAR (qs_status_bar_get_type())
G_DECLARE_FINAL_TYPE(QsStatusBar, qs_status_bar, QS, STATUS_BAR, QsPanel)

/* Shows the text instead of the verdict for some seconds. */
void qs_status_bar_hint(QsStatusBar *self, const char *text);

G_END_DECLS
