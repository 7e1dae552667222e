/* qs-frame-panel.h - the picture with its toolbar
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "panels.h"

G_BEGIN_DECLS

#define QS_TYPE_FRAME_PANEL (qs_frame_panel_get_type())
G_DECLARE_FINAL_TYPE(QsFramePanel, qs_frame_panel, QS, FRAME_PANEL, QsPanel)

G_END_DECLS
