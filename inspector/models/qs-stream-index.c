/* qs-stream-index.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-stream-index.h"

static guint add(GArray *nodes, QsNodeKind kind, guint32 first, guint32 count, guint depth)
{
	const QsNode node = {.first = first, .count = count, .end = nodes->len + 1, .kind = (guint8)kind, .depth = (guint8)depth};

	g_array_append_val(nodes, node);
	return nodes->len - 1;
}

static QsNodeKind node_kind(const struct qs_command *c)
{
	switch ((enum qs_command_kind)c->kind) {
	case QS_COMMAND_DRAW: return QS_NODE_DRAW;
	case QS_COMMAND_COPY: return QS_NODE_COPY;
	case QS_COMMAND_LIST: return QS_NODE_LIST;
	case QS_COMMAND_BAD:  return QS_NODE_BAD;
	default:              return QS_NODE_STATE;
	}
}

static void add_frame(GArray *nodes, const struct qs_capture *capture, guint32 number)
{
	const struct qs_frame *frame = qs_capture_frame(capture, number);
	const guint32 end = frame->first_command + frame->command_count;
	const guint top = add(nodes, QS_NODE_FRAME, number, frame->command_count, 0);
	guint list = G_MAXUINT, run = G_MAXUINT;

	for (guint32 i = frame->first_command; i < end; i++) {
		const struct qs_command *c = qs_capture_command(capture, i);
		const QsNodeKind kind = node_kind(c);
		guint depth = 1;

		/* Lists do not nest on this hardware: a child is one level down, anything else ends the list. */
		if (c->parent == QS_NONE) {
			if (list != G_MAXUINT)
				run = G_MAXUINT;
			list = G_MAXUINT;
		} else {
			depth = 2;
		}
		if (kind == QS_NODE_STATE) {
			if (run == G_MAXUINT)
				run = add(nodes, kind, i, 0, depth);
			g_array_index(nodes, QsNode, run).count++;
		} else {
			const guint n = add(nodes, kind, i, 1, depth);

			run = G_MAXUINT;
			if (kind == QS_NODE_LIST && depth == 1)
				list = n;
		}
		if (list != G_MAXUINT)
			g_array_index(nodes, QsNode, list).end = nodes->len;
		if (list != G_MAXUINT && depth == 2)
			g_array_index(nodes, QsNode, list).count++;
	}
	g_array_index(nodes, QsNode, top).end = nodes->len;
}

QsStreamIndex *qs_stream_index_new(const struct qs_capture *capture)
{
	QsStreamIndex *self = g_new0(QsStreamIndex, 1);
	GArray *nodes = g_array_new(FALSE, FALSE, sizeof(QsNode));

	self->frame_count = qs_capture_info(capture)->frame_count;
	self->frame_node = g_new0(guint, self->frame_count);
	for (guint f = 0; f < self->frame_count; f++) {
		self->frame_node[f] = nodes->len;
		add_frame(nodes, capture, f + 1);
	}
	self->count = nodes->len;
	self->nodes = (QsNode *)(void *)g_array_free(nodes, FALSE);
	return self;
}

void qs_stream_index_free(QsStreamIndex *self)
{
	if (!self)
		return;
	g_free(self->nodes);
	g_free(self->frame_node);
	g_free(self);
}

guint qs_stream_index_find(const QsStreamIndex *self, guint32 frame, guint32 command)
{
	guint low, high;

	if (frame == 0 || frame > self->frame_count)
		return G_MAXUINT;
	low = self->frame_node[frame - 1];
	high = self->nodes[low].end;
	if (low + 1 == high)
		return low;
	low++;
	while (high - low > 1) {
		const guint middle = low + (high - low) / 2;

		if (self->nodes[middle].first <= command)
			low = middle;
		else
			high = middle;
	}
	return low;
}
