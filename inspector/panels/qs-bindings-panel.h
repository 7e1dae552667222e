/* qs-bindings-panel.h - textures that are bound to the units of Gfx3D
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "panels.h"

G_BEGIN_DECLS

#define QS_TYPE_BINDINGS_PANEL (qs_bindings_panel_get_type())
G_DECLARE_FINAL_TYPE(QsBindingsPanel, qs_bindings_panel, QS, BINDINGS_PANEL, QsPanel)

G_END_DECLS
