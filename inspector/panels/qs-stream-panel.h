/* qs-stream-panel.h - the command stream as a tree
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "panels.h"

G_BEGIN_DECLS

#define QS_TYPE_STREAM_PANEL (qs_stream_panel_get_type())
G_DECLARE_FINAL_TYPE(QsStreamPanel, qs_stream_panel, QS, STREAM_PANEL, QsPanel)

G_END_DECLS
