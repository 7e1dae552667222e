/* qs-model-panel.h - the quirks of the model, and switches for single ones
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "panels.h"

G_BEGIN_DECLS

#define QS_TYPE_MODEL_PANEL (qs_model_panel_get_type())
G_DECLARE_FINAL_TYPE(QsModelPanel, qs_model_panel, QS, MODEL_PANEL, QsPanel)

G_END_DECLS
