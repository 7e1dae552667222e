/* qs-program-panel.h - the shaders of a Gfx3D fragment, instruction by instruction
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "panels.h"

G_BEGIN_DECLS

#define QS_TYPE_PROGRAM_PANEL (qs_program_panel_get_type())
G_DECLARE_FINAL_TYPE(QsProgramPanel, qs_program_panel, QS, PROGRAM_PANEL, QsPanel)

G_END_DECLS
