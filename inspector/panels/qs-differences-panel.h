/* qs-differences-panel.h - registers that differ between two moments
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "panels.h"

G_BEGIN_DECLS

#define QS_TYPE_DIFFERENCES_PANEL (qs_differences_panel_get_type())
G_DECLARE_FINAL_TYPE(QsDifferencesPanel, qs_differences_panel, QS, DIFFERENCES_PANEL, QsPanel)

G_END_DECLS
