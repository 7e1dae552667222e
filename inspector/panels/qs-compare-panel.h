/* qs-compare-panel.h - the frame as two renderers draw it, and why they disagree
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "panels.h"

G_BEGIN_DECLS

#define QS_TYPE_COMPARE_PANEL (qs_compare_panel_get_type())
G_DECLARE_FINAL_TYPE(QsComparePanel, qs_compare_panel, QS, COMPARE_PANEL, QsPanel)

G_END_DECLS
