/* qs-console-panel.h - what scripts print, and a Lua prompt
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "panels.h"

G_BEGIN_DECLS

#define QS_TYPE_CONSOLE_PANEL (qs_console_panel_get_type())
G_DECLARE_FINAL_TYPE(QsConsolePanel, qs_console_panel, QS, CONSOLE_PANEL, QsPanel)

G_END_DECLS
