/* qs-script-panel.h - the script editor
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "panels.h"

G_BEGIN_DECLS

#define QS_TYPE_SCRIPT_PANEL (qs_script_panel_get_type())
G_DECLARE_FINAL_TYPE(QsScriptPanel, qs_script_panel, QS, SCRIPT_PANEL, QsPanel)

G_END_DECLS
