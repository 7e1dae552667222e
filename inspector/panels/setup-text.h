/* setup-text.h - the tables of the setup panel as Pango markup, monospace
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "canvas/setup-quad.h"

G_BEGIN_DECLS

char *qs_setup_verdict_text(const QsView *view, const struct qs_setup *setup); /* plain: what became of the primitive */
char *qs_setup_primitive_markup(const QsView *view, guint part);
char *qs_setup_quad_markup(const QsView *view, const QsQuadInfo *info, gboolean hovered);
char *qs_setup_vertices_markup(const QsView *view, guint part);
char *qs_setup_edges_markup(const QsView *view, guint part); /* NULL: there are none */
char *qs_setup_planes_markup(const QsView *view, guint part);

G_END_DECLS
