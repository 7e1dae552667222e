/* qs-textures-panel.h - the texture maps bound at the moment
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "panels.h"

G_BEGIN_DECLS

#define QS_TYPE_TEXTURES_PANEL (qs_textures_panel_get_type())
G_DECLARE_FINAL_TYPE(QsTexturesPanel, qs_textures_panel, QS, TEXTURES_PANEL, QsPanel)

G_END_DECLS
