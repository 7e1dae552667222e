/* qs-setup-view.h - the current primitive over the pixel grid, as the rasteriser sees it
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "qs-canvas.h"
#include "qs-session.h"
#include "setup-quad.h"

G_BEGIN_DECLS

typedef enum {
	QS_LAYER_HALVES = 1 << 0,  /* negative half-planes of the edges */
	QS_LAYER_ORDER = 1 << 1,   /* quads coloured by order */
	QS_LAYER_NUMBERS = 1 << 2, /* numbers of quads */
	QS_LAYER_SAMPLES = 1 << 3,
	QS_LAYER_VALUES = 1 << 4,  /* edge values at the samples */
	QS_LAYER_BOX = 1 << 5,     /* bounding box and scissor */
	QS_LAYER_PICTURE = 1 << 6, /* the frame behind it */
} QsLayer;

#define QS_TYPE_SETUP_VIEW (qs_setup_view_get_type())
G_DECLARE_FINAL_TYPE(QsSetupView, qs_setup_view, QS, SETUP_VIEW, QsCanvas)

void qs_setup_view_set_session(QsSetupView *self, QsSession *session);
void qs_setup_view_update(QsSetupView *self, guint changes);
void qs_setup_view_set_part(QsSetupView *self, guint part);
guint qs_setup_view_get_part(QsSetupView *self);
void qs_setup_view_set_layers(QsSetupView *self, guint layers);
/* The hovered quad, else the current one; FALSE: none. */
gboolean qs_setup_view_get_quad(QsSetupView *self, QsQuadInfo *info, gboolean *hovered);
void qs_setup_view_show_quad(QsSetupView *self); /* close to it */

G_END_DECLS
