/* qs-copy-panel.h - a copy from the EFB: source, filter, result, how each texel came about
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "panels.h"

#define QS_TYPE_COPY_PANEL (qs_copy_panel_get_type())
G_DECLARE_FINAL_TYPE(QsCopyPanel, qs_copy_panel, QS, COPY_PANEL, QsPanel)
