/* qs-tev-panel.h - the stages of the traced fragment as a spreadsheet
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "panels.h"

G_BEGIN_DECLS

#define QS_TYPE_TEV_PANEL (qs_tev_panel_get_type())
G_DECLARE_FINAL_TYPE(QsTevPanel, qs_tev_panel, QS, TEV_PANEL, QsPanel)

G_END_DECLS
