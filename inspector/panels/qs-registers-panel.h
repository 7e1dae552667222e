/* qs-registers-panel.h - every register with its fields, age and writer
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "panels.h"

G_BEGIN_DECLS

#define QS_TYPE_REGISTERS_PANEL (qs_registers_panel_get_type())
G_DECLARE_FINAL_TYPE(QsRegistersPanel, qs_registers_panel, QS, REGISTERS_PANEL, QsPanel)

G_END_DECLS
