/* qs-breakpoints-panel.h - breakpoints of the timeline
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "panels.h"

G_BEGIN_DECLS

#define QS_TYPE_BREAKPOINTS_PANEL (qs_breakpoints_panel_get_type())
G_DECLARE_FINAL_TYPE(QsBreakpointsPanel, qs_breakpoints_panel, QS, BREAKPOINTS_PANEL, QsPanel)

G_END_DECLS
