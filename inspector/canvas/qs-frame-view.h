/* qs-frame-view.h - the picture: crisp zoom, picked pixel, values, overlays
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <gtk/gtk.h>
#include "qs-session.h"

G_BEGIN_DECLS

typedef enum { QS_CHANNEL_ALL, QS_CHANNEL_RED, QS_CHANNEL_GREEN, QS_CHANNEL_BLUE, QS_CHANNEL_ALPHA } QsChannel;

typedef enum {
	QS_OVERLAY_DRAW = 1 << 0,  /* pixels that the draw covers */
	QS_OVERLAY_WIRE = 1 << 1,  /* edges of its primitives */
	QS_OVERLAY_QUADS = 1 << 2, /* quads of the primitive with coverage */
	QS_OVERLAY_DEPTH = 1 << 3, /* passed and failed */
	QS_OVERLAY_SCRIPT = 1 << 4, /* shapes of scripts */
	QS_OVERLAY_OUTLINE = 1 << 5, /* around the pixels that the draw covers */
} QsOverlay;

#define QS_TYPE_FRAME_VIEW (qs_frame_view_get_type())
G_DECLARE_FINAL_TYPE(QsFrameView, qs_frame_view, QS, FRAME_VIEW, GtkWidget)

void qs_frame_view_set_session(QsFrameView *self, QsSession *session);
/* Session changes, told by the panel while it is mapped. */
void qs_frame_view_update(QsFrameView *self, guint changes);
void qs_frame_view_set_buffer(QsFrameView *self, enum qs_buffer buffer);
enum qs_buffer qs_frame_view_get_buffer(QsFrameView *self);
void qs_frame_view_set_channel(QsFrameView *self, QsChannel channel);
void qs_frame_view_set_overlays(QsFrameView *self, guint overlays);
void qs_frame_view_set_values(QsFrameView *self, gboolean shown);
/* While on, the picture before the current draw is shown. */
void qs_frame_view_set_before(QsFrameView *self, gboolean before);
/* The picture on the screen, for saving; NULL: none. */
const struct qs_image *qs_frame_view_get_image(QsFrameView *self, const char **problem);

void qs_frame_view_zoom_step(QsFrameView *self, int direction); /* about the pointer or the picked pixel */
void qs_frame_view_zoom_fit(QsFrameView *self);
void qs_frame_view_zoom_pixel(QsFrameView *self); /* close to the picked pixel, and back */
double qs_frame_view_get_zoom(QsFrameView *self);

G_END_DECLS
