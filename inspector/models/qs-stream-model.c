/* qs-stream-model.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-stream-model.h"
#include <string.h>

struct _QsStreamModel {
	GObject parent_instance;
	QsCapture *capture;
	const QsStreamIndex *index;
	guint *weight;   /* visible rows of a node: itself and its leaves; 0: hidden */
	guint *sum;      /* Fenwick tree over weight, from 1 */
	guint8 *expanded;
	GHashTable *primitives; /* node of a draw -> count + 1 */
	GArray *matches;
	guint total;
};

G_DEFINE_FINAL_TYPE(QsStreamRow, qs_stream_row, G_TYPE_OBJECT)

static void qs_stream_row_init(QsStreamRow *self)
{
	(void)self;
}

static void qs_stream_row_class_init(QsStreamRowClass *klass)
{
	(void)klass;
}

static void list_model_init(GListModelInterface *iface);
G_DEFINE_FINAL_TYPE_WITH_CODE(QsStreamModel, qs_stream_model, G_TYPE_OBJECT,
	G_IMPLEMENT_INTERFACE(G_TYPE_LIST_MODEL, list_model_init))

/* ---- sums --------------------------------------------------------------------------------------------------------------- */

static void rebuild(QsStreamModel *self)
{
	const guint n = self->index->count;

	self->total = 0;
	for (guint i = 1; i <= n; i++) {
		self->sum[i] = self->weight[i - 1];
		self->total += self->weight[i - 1];
	}
	for (guint i = 1; i <= n; i++) {
		const guint up = i + (i & -i);

		if (up <= n)
			self->sum[up] += self->sum[i];
	}
}

static void set_weight(QsStreamModel *self, guint node, guint weight)
{
	const guint change = weight - self->weight[node]; /* wraps; so does the addition */

	self->weight[node] = weight;
	self->total += change;
	for (guint i = node + 1; i <= self->index->count; i += i & -i)
		self->sum[i] += change;
}

static guint rows_before(QsStreamModel *self, guint node)
{
	guint rows = 0;

	for (guint i = node; i; i -= i & -i)
		rows += self->sum[i];
	return rows;
}

/* The node that row is in; *row becomes the number within the node, 0 the node itself. */
static guint node_at(QsStreamModel *self, guint *row)
{
	guint at = 0, step = 1;

	while (step * 2 <= self->index->count)
		step *= 2;
	for (; step; step /= 2) {
		if (at + step <= self->index->count && self->sum[at + step] <= *row) {
			at += step;
			*row -= self->sum[at];
		}
	}
	return at;
}

/* ---- shape -------------------------------------------------------------------------------------------------------------- */

static guint leaves(QsStreamModel *self, guint node)
{
	const QsNode *n = &self->index->nodes[node];

	if (n->kind == QS_NODE_STATE)
		return n->count > 1 ? n->count : 0;
	if (n->kind == QS_NODE_DRAW) {
		const guint count = GPOINTER_TO_UINT(g_hash_table_lookup(self->primitives, GUINT_TO_POINTER(node)));

		return count ? count - 1 : 0;
	}
	return 0;
}

static guint shown_weight(QsStreamModel *self, guint node)
{
	return 1 + (self->expanded[node] ? leaves(self, node) : 0);
}

/* Weights of all nodes inside node, which is visible. */
static void weigh_inside(QsStreamModel *self, guint node)
{
	const guint end = self->index->nodes[node].end;

	for (guint i = node + 1; i < end;) {
		const guint next = self->index->nodes[i].end;

		if (!self->expanded[node]) {
			self->weight[i++] = 0;
			continue;
		}
		self->weight[i] = shown_weight(self, i);
		weigh_inside(self, i);
		i = next;
	}
}

gboolean qs_stream_model_expandable(QsStreamModel *self, const QsStreamRow *row)
{
	const QsNode *n = &self->index->nodes[row->node];

	if (row->kind != QS_ROW_NODE || self->matches)
		return FALSE;
	return n->kind == QS_NODE_DRAW || n->end > row->node + 1 || (n->kind == QS_NODE_STATE && n->count > 1);
}

gboolean qs_stream_model_expanded(QsStreamModel *self, guint node)
{
	return self->expanded[node];
}

void qs_stream_model_set_expanded(QsStreamModel *self, guint node, gboolean expanded)
{
	const guint old = self->total;
	const gboolean shown = self->weight[node] > 0;

	if (self->expanded[node] == (expanded ? 1 : 0))
		return;
	self->expanded[node] = expanded ? 1 : 0;
	if (!shown)
		return;
	if (self->index->nodes[node].end == node + 1) {
		set_weight(self, node, shown_weight(self, node));
	} else {
		weigh_inside(self, node);
		rebuild(self);
	}
	if (!self->matches && self->total != old)
		g_list_model_items_changed(G_LIST_MODEL(self), rows_before(self, node) + 1, expanded ? 0 : old - self->total,
			expanded ? self->total - old : 0);
}

gboolean qs_stream_model_primitives_wanted(QsStreamModel *self, guint node)
{
	return self->index->nodes[node].kind == QS_NODE_DRAW && self->expanded[node] &&
		!g_hash_table_contains(self->primitives, GUINT_TO_POINTER(node));
}

void qs_stream_model_set_primitives(QsStreamModel *self, guint node, guint32 count)
{
	const guint old = self->weight[node];

	if (g_hash_table_contains(self->primitives, GUINT_TO_POINTER(node)))
		return;
	g_hash_table_insert(self->primitives, GUINT_TO_POINTER(node), GUINT_TO_POINTER(MIN(count, G_MAXUINT32 - 1) + 1));
	if (!old || !self->expanded[node] || !count)
		return;
	set_weight(self, node, shown_weight(self, node));
	if (!self->matches)
		g_list_model_items_changed(G_LIST_MODEL(self), rows_before(self, node) + old, 0, self->weight[node] - old);
}

guint qs_stream_model_position(QsStreamModel *self, guint node)
{
	return node < self->index->count && self->weight[node] ? rows_before(self, node) : G_MAXUINT;
}

static guint find_match(const GArray *matches, guint32 command)
{
	guint low = 0, high = matches->len;

	while (low < high) {
		const guint middle = low + (high - low) / 2;
		const guint32 value = g_array_index(matches, guint32, middle);

		if (value == command)
			return middle;
		if (value < command)
			low = middle + 1;
		else
			high = middle;
	}
	return G_MAXUINT;
}

guint qs_stream_model_find(QsStreamModel *self, const struct qs_moment *moment)
{
	const QsNode *n;
	guint node, row;

	if (moment->level == QS_LEVEL_START || moment->frame == 0 || moment->frame > self->index->frame_count)
		return G_MAXUINT;
	if (self->matches)
		return moment->level == QS_LEVEL_FRAME ? G_MAXUINT : find_match(self->matches, moment->command);
	node = self->index->frame_node[moment->frame - 1];
	if (moment->level == QS_LEVEL_FRAME)
		return rows_before(self, node);
	qs_stream_model_set_expanded(self, node, TRUE);
	node = qs_stream_index_find(self->index, moment->frame, moment->command);
	if (node == G_MAXUINT)
		return G_MAXUINT;
	for (guint up = self->index->frame_node[moment->frame - 1] + 1; up < node;) {
		const guint end = self->index->nodes[up].end;

		if (end > node)
			qs_stream_model_set_expanded(self, up++, TRUE);
		else
			up = end;
	}
	n = &self->index->nodes[node];
	row = rows_before(self, node);
	if (self->expanded[node] && n->kind == QS_NODE_STATE && leaves(self, node))
		row += 1 + (moment->command - n->first);
	else if (self->expanded[node] && n->kind == QS_NODE_DRAW && moment->level >= QS_LEVEL_PRIMITIVE &&
		moment->primitive < leaves(self, node))
		row += 1 + moment->primitive;
	return row;
}

void qs_stream_model_moment(QsStreamModel *self, const QsStreamRow *row, struct qs_moment *moment)
{
	const struct qs_capture *file = self->capture->capture;
	const QsNode *n = &self->index->nodes[row->node];

	memset(moment, 0, sizeof *moment);
	if (row->kind == QS_ROW_NODE && n->kind == QS_NODE_FRAME) {
		char text[16];
		struct qs_error error;

		g_snprintf(text, sizeof text, "%u", n->first);
		qs_moment_parse(file, text, moment, &error);
		return;
	}
	qs_moment_of_command(file, row->kind == QS_ROW_NODE && n->kind == QS_NODE_STATE ? n->first + n->count - 1 : row->command,
		moment);
	if (row->kind == QS_ROW_PRIMITIVE) {
		moment->level = QS_LEVEL_PRIMITIVE;
		moment->primitive = row->primitive;
	}
}

void qs_stream_model_set_matches(QsStreamModel *self, GArray *matches)
{
	const guint old = g_list_model_get_n_items(G_LIST_MODEL(self));

	g_clear_pointer(&self->matches, g_array_unref);
	self->matches = matches;
	g_list_model_items_changed(G_LIST_MODEL(self), 0, old, g_list_model_get_n_items(G_LIST_MODEL(self)));
}

const GArray *qs_stream_model_get_matches(QsStreamModel *self)
{
	return self->matches;
}

/* ---- text --------------------------------------------------------------------------------------------------------------- */

/* What a run of commands touches, as in "41 commands: 30 BP, 8 XF, 3 CP". */
static void state_text(const struct qs_capture *file, const QsNode *n, char *buffer, gsize size)
{
	static const struct { guint8 kind; const char *name; } kinds[] = {
		{QS_COMMAND_BP, "BP"}, {QS_COMMAND_XF, "XF"}, {QS_COMMAND_XF_INDEXED, "XF indexed"}, {QS_COMMAND_CP, "CP"},
		{QS_COMMAND_NOP, "NOP"}, {QS_COMMAND_INVALIDATE, "invalidate"}, {QS_COMMAND_METRICS, "metrics"}};
	guint counts[G_N_ELEMENTS(kinds)] = {0};
	GString *text = g_string_new(NULL);

	for (guint32 i = 0; i < MIN(n->count, 5000); i++) {
		const guint8 kind = qs_capture_command(file, n->first + i)->kind;

		for (guint k = 0; k < G_N_ELEMENTS(kinds); k++)
			counts[k] += kinds[k].kind == kind;
	}
	g_string_printf(text, "state  %u commands", n->count);
	for (guint k = 0; k < G_N_ELEMENTS(kinds); k++)
		if (counts[k])
			g_string_append_printf(text, "%s %u %s", text->str[text->len - 1] == 's' ? ":" : ",", counts[k], kinds[k].name);
	g_strlcpy(buffer, text->str, size);
	g_string_free(text, TRUE);
}

char *qs_stream_model_text(QsStreamModel *self, const QsStreamRow *row, char *buffer, gsize size)
{
	const struct qs_capture *file = self->capture->capture;
	const QsNode *n = &self->index->nodes[row->node];
	const struct qs_frame *frame;
	const struct qs_command *c;
	char text[512];

	if (row->kind == QS_ROW_PRIMITIVE) {
		g_snprintf(buffer, size, "primitive %u", row->primitive);
		return buffer;
	}
	if (row->kind == QS_ROW_NODE && n->kind == QS_NODE_FRAME) {
		frame = qs_capture_frame(file, n->first);
		g_snprintf(buffer, size, "frame %u  %u draw%s, %u commands", n->first, frame->draw_count,
			frame->draw_count == 1 ? "" : "s", frame->command_count);
		return buffer;
	}
	if (row->kind == QS_ROW_NODE && n->kind == QS_NODE_STATE && n->count > 1) {
		state_text(file, n, buffer, size);
		return buffer;
	}
	c = qs_capture_command(file, row->command);
	qs_command_text(file, row->command, text, sizeof text);
	if (c->draw != QS_NONE && g_str_has_prefix(text, "draw ") && self->matches)
		g_snprintf(buffer, size, "%u/%u  %s", c->frame, c->draw, text + 5);
	else if (c->draw != QS_NONE && g_str_has_prefix(text, "draw "))
		g_snprintf(buffer, size, "draw %u  %s", c->draw, text + 5);
	else if (self->matches)
		g_snprintf(buffer, size, "%u  %s", c->frame, text);
	else if (row->kind == QS_ROW_NODE && n->kind == QS_NODE_LIST)
		g_snprintf(buffer, size, "%s  %u commands", text, n->count - 1);
	else
		g_strlcpy(buffer, text, size);
	return buffer;
}

/* ---- list model --------------------------------------------------------------------------------------------------------- */

static GType get_item_type(GListModel *list)
{
	(void)list;
	return QS_TYPE_STREAM_ROW;
}

static guint get_n_items(GListModel *list)
{
	QsStreamModel *self = QS_STREAM_MODEL(list);

	return self->matches ? self->matches->len : self->total;
}

static gpointer get_item(GListModel *list, guint position)
{
	QsStreamModel *self = QS_STREAM_MODEL(list);
	const QsNode *n;
	QsStreamRow *row;

	if (position >= get_n_items(list))
		return NULL;
	row = g_object_new(QS_TYPE_STREAM_ROW, NULL);
	if (self->matches) {
		row->kind = QS_ROW_COMMAND;
		row->command = g_array_index(self->matches, guint32, position);
		row->node = qs_stream_index_find(self->index, qs_capture_command(self->capture->capture, row->command)->frame,
			row->command);
		return row;
	}
	row->node = node_at(self, &position);
	n = &self->index->nodes[row->node];
	row->depth = n->depth;
	row->command = n->kind == QS_NODE_FRAME ? QS_NONE : n->first;
	if (position) {
		row->depth++;
		row->kind = n->kind == QS_NODE_DRAW ? QS_ROW_PRIMITIVE : QS_ROW_COMMAND;
		if (n->kind == QS_NODE_DRAW)
			row->primitive = position - 1;
		else
			row->command = n->first + position - 1;
	}
	return row;
}

static void list_model_init(GListModelInterface *iface)
{
	iface->get_item_type = get_item_type;
	iface->get_n_items = get_n_items;
	iface->get_item = get_item;
}

static void qs_stream_model_finalize(GObject *object)
{
	QsStreamModel *self = QS_STREAM_MODEL(object);

	g_free(self->weight);
	g_free(self->sum);
	g_free(self->expanded);
	g_clear_pointer(&self->primitives, g_hash_table_unref);
	g_clear_pointer(&self->matches, g_array_unref);
	qs_capture_unref(self->capture);
	G_OBJECT_CLASS(qs_stream_model_parent_class)->finalize(object);
}

static void qs_stream_model_init(QsStreamModel *self)
{
	self->primitives = g_hash_table_new(NULL, NULL);
}

static void qs_stream_model_class_init(QsStreamModelClass *klass)
{
	G_OBJECT_CLASS(klass)->finalize = qs_stream_model_finalize;
}

QsStreamModel *qs_stream_model_new(QsCapture *capture)
{
	QsStreamModel *self = g_object_new(QS_TYPE_STREAM_MODEL, NULL);

	self->capture = qs_capture_ref(capture);
	self->index = capture->index;
	self->weight = g_new0(guint, self->index->count);
	self->sum = g_new0(guint, self->index->count + 1);
	self->expanded = g_new0(guint8, self->index->count);
	for (guint f = 0; f < self->index->frame_count; f++)
		self->weight[self->index->frame_node[f]] = 1;
	rebuild(self);
	return self;
}

QsCapture *qs_stream_model_get_capture(QsStreamModel *self)
{
	return self->capture;
}

const QsNode *qs_stream_model_node(QsStreamModel *self, guint node)
{
	return &self->index->nodes[node];
}
