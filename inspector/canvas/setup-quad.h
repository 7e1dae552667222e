/* setup-quad.h - a quad as the setup panel explains it: mask, edge values, why not covered
 *
 * Works on the records of a QsView only: no engine call, so that it may follow the pointer.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "qs-view.h"

G_BEGIN_DECLS

#define QS_QUADS_WIDE 960 /* of the largest target of Gfx3D; the EFB has 320 by 264 */
#define QS_QUADS_HIGH 540

typedef struct {
	int x, y;          /* top left pixel */
	guint32 number;    /* in traversal order; QS_NONE: the walk does not visit it */
	guint part;        /* the part that the values are of */
	guint16 coverage;  /* bit 3*pixel + sample */
	gboolean has_edges; /* the part has edge equations */
	gboolean exact;    /* values are the engine's own, else from the equations */
	guint samples;     /* 1 or 3 */
	double edge[4][3][3];
	gboolean in_box[4];
} QsQuadInfo;

/* Number of the quad that covers each place of the EFB (QS_NONE: none); of parts that overlap, `part` wins, then the last. */
void qs_setup_index_quads(const QsView *view, guint part, guint32 *grid);
/* (x, y): any pixel of the quad.  FALSE outside the EFB or without a setup record. */
gboolean qs_setup_quad_info(const QsView *view, guint part, const guint32 *grid, int x, int y, QsQuadInfo *info);
/* Edge value at sample k of pixel (px, py), from the record's equation. */
double qs_setup_edge_value(const struct qs_setup *setup, guint edge, int px, int py, guint sample);
gboolean qs_setup_inside(const struct qs_edge *edge, double value);
/* Where sample k of pixel (px, py) is. */
void qs_setup_sample_point(const struct qs_setup *setup, int px, int py, guint sample, double *x, double *y);
/* The moment of a quad of the shown primitive. */
void qs_setup_quad_moment(const QsView *view, guint32 number, struct qs_moment *moment);
/* How many quads of the shown primitive are walked at the moment; quad_count between quads. */
guint32 qs_setup_walked(const QsView *view);
gboolean qs_setup_has_edges(const struct qs_setup *setup);
/* The vertex has a place on the screen. */
gboolean qs_setup_on_screen(const struct qs_setup *setup, guint vertex);
guint qs_setup_vertex_count(const struct qs_setup *setup);

G_END_DECLS
