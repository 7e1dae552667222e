/* qs-depth-panel.h - the depth buffer: picture, range, histogram, values, the depth test of the traced fragment
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "panels.h"

G_BEGIN_DECLS

#define QS_TYPE_DEPTH_PANEL (qs_depth_panel_get_type())
G_DECLARE_FINAL_TYPE(QsDepthPanel, qs_depth_panel, QS, DEPTH_PANEL, QsPanel)

G_END_DECLS
