/* qs-history-panel.h - everything that reached the picked pixel in the frame
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "panels.h"

G_BEGIN_DECLS

#define QS_TYPE_HISTORY_PANEL (qs_history_panel_get_type())
G_DECLARE_FINAL_TYPE(QsHistoryPanel, qs_history_panel, QS, HISTORY_PANEL, QsPanel)

G_END_DECLS
