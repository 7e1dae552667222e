/* qs-setup-panel.h - the current primitive: picture over the pixel grid, and its numbers
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "panels.h"

G_BEGIN_DECLS

#define QS_TYPE_SETUP_PANEL (qs_setup_panel_get_type())
G_DECLARE_FINAL_TYPE(QsSetupPanel, qs_setup_panel, QS, SETUP_PANEL, QsPanel)

G_END_DECLS
