/* qs-lint-panel.h - the doctor: what is odd about the capture
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "panels.h"

G_BEGIN_DECLS

#define QS_TYPE_LINT_PANEL (qs_lint_panel_get_type())
G_DECLARE_FINAL_TYPE(QsLintPanel, qs_lint_panel, QS, LINT_PANEL, QsPanel)

G_END_DECLS
