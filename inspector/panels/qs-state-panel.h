/* qs-state-panel.h - contexts, uniforms and objects of the Gfx3D machine
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "panels.h"

G_BEGIN_DECLS

#define QS_TYPE_STATE_PANEL (qs_state_panel_get_type())
G_DECLARE_FINAL_TYPE(QsStatePanel, qs_state_panel, QS, STATE_PANEL, QsPanel)

G_END_DECLS
