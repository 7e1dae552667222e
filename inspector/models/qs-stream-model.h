/* qs-stream-model.h - the stream tree as a flat list of visible rows
 *
 * A GListModel of QsStreamRow.  Rows are made when the list view asks for them; the model itself holds a Fenwick tree of how
 * many visible rows each node of the QsStreamIndex has, so that a million rows cost what the nodes cost.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "qs-stream-index.h"
#include "qs-view.h"

G_BEGIN_DECLS

typedef enum { QS_ROW_NODE, QS_ROW_COMMAND, QS_ROW_PRIMITIVE } QsRowKind;

#define QS_TYPE_STREAM_ROW (qs_stream_row_get_type())
G_DECLARE_FINAL_TYPE(QsStreamRow, qs_stream_row, QS, STREAM_ROW, GObject)

struct _QsStreamRow {
	GObject parent_instance;
	QsRowKind kind;
	guint node;        /* index into the stream index */
	guint32 command;   /* QS_NONE for frames */
	guint32 primitive; /* PRIMITIVE */
	guint depth;
};

#define QS_TYPE_STREAM_MODEL (qs_stream_model_get_type())
G_DECLARE_FINAL_TYPE(QsStreamModel, qs_stream_model, QS, STREAM_MODEL, GObject)

QsStreamModel *qs_stream_model_new(QsCapture *capture);
QsCapture *qs_stream_model_get_capture(QsStreamModel *self);
const QsNode *qs_stream_model_node(QsStreamModel *self, guint node);

gboolean qs_stream_model_expandable(QsStreamModel *self, const QsStreamRow *row);
gboolean qs_stream_model_expanded(QsStreamModel *self, guint node);
/* position: of the node's row */
void qs_stream_model_set_expanded(QsStreamModel *self, guint node, gboolean expanded);
/* An expanded draw shows its primitives once their number is known. */
void qs_stream_model_set_primitives(QsStreamModel *self, guint node, guint32 count);
gboolean qs_stream_model_primitives_wanted(QsStreamModel *self, guint node);

/* Row of the moment, or of the group that hides it; opens frames and lists on the way.  GTK_INVALID_LIST_POSITION: none. */
guint qs_stream_model_find(QsStreamModel *self, const struct qs_moment *moment);
/* The moment that a row stands for. */
void qs_stream_model_moment(QsStreamModel *self, const QsStreamRow *row, struct qs_moment *moment);
/* Row of a node; G_MAXUINT when it is hidden. */
guint qs_stream_model_position(QsStreamModel *self, guint node);

/* Instead of the tree, a flat list of these commands (guint32, taken over); NULL: the tree. */
void qs_stream_model_set_matches(QsStreamModel *self, GArray *matches);
const GArray *qs_stream_model_get_matches(QsStreamModel *self);

/* One line for the row; returns buffer. */
char *qs_stream_model_text(QsStreamModel *self, const QsStreamRow *row, char *buffer, gsize size);

G_END_DECLS
