/* qs-plots-panel.h - plots and tables of scripts
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "panels.h"

G_BEGIN_DECLS

#define QS_TYPE_PLOTS_PANEL (qs_plots_panel_get_type())
G_DECLARE_FINAL_TYPE(QsPlotsPanel, qs_plots_panel, QS, PLOTS_PANEL, QsPanel)

G_END_DECLS
