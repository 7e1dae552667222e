/* qs-vertices-panel.h - the vertices of a Gfx3D draw, before and behind the vertex shader
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "panels.h"

G_BEGIN_DECLS

#define QS_TYPE_VERTICES_PANEL (qs_vertices_panel_get_type())
G_DECLARE_FINAL_TYPE(QsVerticesPanel, qs_vertices_panel, QS, VERTICES_PANEL, QsPanel)

G_END_DECLS
