/* check_stream.c - the tree of the stream panel against a walk over the index that keeps its own open/closed flags
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include "models/qs-stream-model.h"
#include "sample.h"

typedef struct {
	QsRowKind kind;
	guint node, depth;
	guint32 command, primitive;
} Row;

static void plain_node(const QsStreamIndex *index, const guint8 *open, const guint *primitives, guint i, GArray *rows)
{
	const QsNode *n = &index->nodes[i];
	Row row = {QS_ROW_NODE, i, n->depth, n->kind == QS_NODE_FRAME ? QS_NONE : n->first, 0};
	guint inside = i + 1;

	g_array_append_val(rows, row);
	if (!open[i])
		return;
	row.depth++;
	for (guint32 c = 0; n->kind == QS_NODE_STATE && n->count > 1 && c < n->count; c++) {
		row.kind = QS_ROW_COMMAND;
		row.command = n->first + c;
		g_array_append_val(rows, row);
	}
	for (guint p = 0; n->kind == QS_NODE_DRAW && p < primitives[i]; p++) {
		row.kind = QS_ROW_PRIMITIVE;
		row.primitive = p;
		g_array_append_val(rows, row);
	}
	while (inside < n->end) {
		plain_node(index, open, primitives, inside, rows);
		inside = index->nodes[inside].end;
	}
}

static GArray *plain_rows(const QsStreamIndex *index, const guint8 *open, const guint *primitives)
{
	GArray *rows = g_array_new(FALSE, TRUE, sizeof(Row));

	for (guint i = 0; i < index->count; i = index->nodes[i].end)
		plain_node(index, open, primitives, i, rows);
	return rows;
}

/* What a list view believes: kept up to date by the signals alone. */
static void mirror_changed(GListModel *model, guint position, guint removed, guint added, GPtrArray *mirror)
{
	ck_assert_uint_le(position + removed, mirror->len);
	if (removed)
		g_ptr_array_remove_range(mirror, position, removed);
	for (guint i = 0; i < added; i++)
		g_ptr_array_insert(mirror, (gint)(position + i), g_list_model_get_item(model, position + i));
}

static void check_row(const QsStreamRow *got, const Row *want, guint position, const char *what)
{
	ck_assert_msg(got && got->kind == want->kind && got->node == want->node && got->depth == want->depth &&
		(want->command == got->command) && (want->kind != QS_ROW_PRIMITIVE || got->primitive == want->primitive),
		"%s: row %u is kind %d node %u command %u primitive %u, not kind %d node %u command %u primitive %u (seed %u)", what,
		position, got ? (int)got->kind : -1, got ? got->node : 0, got ? got->command : 0, got ? got->primitive : 0,
		(int)want->kind, want->node, want->command, want->primitive, seed());
}

static void compare_rows(QsStreamModel *model, GPtrArray *mirror, const guint8 *open, const guint *primitives)
{
	GArray *want = plain_rows(qs_stream_model_get_capture(model)->index, open, primitives);

	ck_assert_uint_eq(g_list_model_get_n_items(G_LIST_MODEL(model)), want->len);
	ck_assert_uint_eq(mirror->len, want->len);
	for (guint i = 0; i < want->len; i++) {
		g_autoptr(QsStreamRow) row = g_list_model_get_item(G_LIST_MODEL(model), i);

		check_row(row, &g_array_index(want, Row, i), i, "model");
		check_row(g_ptr_array_index(mirror, i), &g_array_index(want, Row, i), i, "signals");
	}
	ck_assert_ptr_null(g_list_model_get_item(G_LIST_MODEL(model), want->len));
	g_array_unref(want);
}

static const char *const samples[] = {"display-list.dff", "animation-six-frames.dff", "clear-only.dff", "copy-feedback-frames.dff"};

START_TEST(stream_tree)
{
	g_autofree char *path = sample(samples[_i]);
	struct qs_error error = {0};
	struct qs_capture *file = qs_capture_open(path, NULL, NULL, &error);
	g_autoptr(GRand) random = g_rand_new_with_seed(seed() + (guint32)_i);
	g_autoptr(GPtrArray) mirror = g_ptr_array_new_with_free_func(g_object_unref);
	g_autoptr(QsStreamModel) model = NULL;
	QsCapture *capture;
	guint8 *open;
	guint *primitives;

	ck_assert_msg(file != NULL, "%s", error.text);
	capture = qs_capture_wrap(file, path);
	model = qs_stream_model_new(capture);
	open = g_new0(guint8, capture->index->count);
	primitives = g_new0(guint, capture->index->count);
	mirror_changed(G_LIST_MODEL(model), 0, 0, g_list_model_get_n_items(G_LIST_MODEL(model)), mirror);
	g_signal_connect(model, "items-changed", G_CALLBACK(mirror_changed), mirror);
	for (guint round = 0; round < 300; round++) {
		const guint node = (guint)g_rand_int_range(random, 0, (gint32)capture->index->count);

		if (g_rand_int_range(random, 0, 4) == 0 && capture->index->nodes[node].kind == QS_NODE_DRAW && !primitives[node]) {
			primitives[node] = (guint)g_rand_int_range(random, 1, 40);
			qs_stream_model_set_primitives(model, node, primitives[node]);
		} else {
			open[node] = !open[node];
			qs_stream_model_set_expanded(model, node, open[node]);
		}
		compare_rows(model, mirror, open, primitives);
	}
	g_free(open);
	g_free(primitives);
	qs_capture_unref(capture);
}
END_TEST

/* Every command is found in a node that holds it, and the row found for its moment stands for that moment. */
START_TEST(stream_find)
{
	g_autofree char *path = sample(samples[_i]);
	struct qs_error error = {0};
	struct qs_capture *file = qs_capture_open(path, NULL, NULL, &error);
	g_autoptr(QsStreamModel) model = NULL;
	QsCapture *capture;

	ck_assert_msg(file != NULL, "%s", error.text);
	capture = qs_capture_wrap(file, path);
	model = qs_stream_model_new(capture);
	for (guint i = 0; i < capture->index->count; i++)
		qs_stream_model_set_expanded(model, i, TRUE);
	for (guint32 c = 0; c < qs_capture_info(file)->command_count; c++) {
		struct qs_moment moment, found;
		g_autoptr(QsStreamRow) row = NULL;

		ck_assert(qs_moment_of_command(file, c, &moment));
		row = g_list_model_get_item(G_LIST_MODEL(model), qs_stream_model_find(model, &moment));
		ck_assert_msg(row != NULL, "command %u has no row", c);
		qs_stream_model_moment(model, row, &found);
		ck_assert_msg(qs_moment_compare(&moment, &found) == 0, "command %u: its row stands for command %u", c, found.command);
	}
	qs_capture_unref(capture);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("stream");
	TCase *tree = tcase_create("tree");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tree, stream_tree, 0, G_N_ELEMENTS(samples));
	tcase_add_loop_test(tree, stream_find, 0, G_N_ELEMENTS(samples));
	tcase_set_timeout(tree, 60);
	suite_add_tcase(suite, tree);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
