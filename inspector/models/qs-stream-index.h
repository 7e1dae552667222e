/* qs-stream-index.h - the fixed shape of the stream tree
 *
 * Frames, and in them runs of state commands, draws, copies and display lists, in execution order.  One flat array in
 * pre-order, made in one pass over the commands; 16 bytes a node, nothing per command.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <glib.h>
#include "quadscope.h"

G_BEGIN_DECLS

typedef enum {
	QS_NODE_FRAME, /* first: frame number */
	QS_NODE_STATE, /* a run of commands that draw nothing; leaves: the commands */
	QS_NODE_DRAW,  /* leaves: its primitives, number known when somebody looks */
	QS_NODE_COPY,
	QS_NODE_LIST,  /* call of a display list; its nodes follow */
	QS_NODE_BAD,
} QsNodeKind;

typedef struct {
	guint32 first; /* command index, or frame number */
	guint32 count; /* commands */
	guint32 end;   /* first node that is not inside this one */
	guint8 kind;   /* QsNodeKind */
	guint8 depth;
} QsNode;

typedef struct _QsStreamIndex {
	QsNode *nodes;
	guint count;
	guint *frame_node; /* by frame number - 1 */
	guint frame_count;
} QsStreamIndex;

QsStreamIndex *qs_stream_index_new(const struct qs_capture *capture);
void qs_stream_index_free(QsStreamIndex *self);
/* The innermost node that holds the command. */
guint qs_stream_index_find(const QsStreamIndex *self, guint32 frame, guint32 command);

G_END_DECLS
