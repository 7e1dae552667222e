/* qs-history-panel.c - see the header
 *
 * The rows are the whole frame's, so they are asked for once per pixel and frame; the current moment only moves the mark.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-history-panel.h"
#include <string.h>
#include "qs-machine.h"
#include "qs-request.h"
#include "widgets/qs-column.h"

typedef enum { SHOW_ALL, SHOW_WRITTEN, SHOW_FAILED } Filter;

struct _QsHistoryPanel {
	QsPanel parent_instance;
	GtkColumnView *list;
	GtkLabel *title;
	GtkDropDown *filter;
	GtkButton *previous, *next;
	QsCounter *model;
	GtkSingleSelection *selection;
	GArray *rows;  /* struct qs_history_row, all */
	GArray *shown; /* guint: indices into rows */
	gboolean have; /* rows belong to: */
	QsCapture *capture;
	enum qs_model machine;
	guint32 frame;
	int x, y;
	guint accesses; /* of the processor, then */
	int now; /* row at or before the current moment; -1 none */
};

G_DEFINE_FINAL_TYPE(QsHistoryPanel, qs_history_panel, QS_TYPE_PANEL)

#define SESSION(self) qs_panel_get_session(QS_PANEL(self))

/* ---- cells -------------------------------------------------------------------------------------------------------------- */

static const struct qs_history_row *row_of(QsHistoryPanel *self, gpointer item)
{
	return &g_array_index(self->rows, struct qs_history_row, g_array_index(self->shown, guint, qs_number_get(item)));
}

static char *swatch(const guint8 rgba[4])
{
	return g_strdup_printf("<span background=\"#%02x%02x%02x\">   </span> %02x%02x%02x%02x", rgba[0], rgba[1], rgba[2], rgba[0],
		rgba[1], rgba[2], rgba[3]);
}

static char *moment_text(gpointer item, gpointer user)
{
	QsHistoryPanel *self = user;
	const struct qs_history_row *row = row_of(self, item);
	char text[80];
	g_autofree char *link = NULL;
	gboolean now = (int)g_array_index(self->shown, guint, qs_number_get(item)) == self->now;

	if (row->kind == QS_HISTORY_START)
		return g_strdup(now ? "<b>▸ start</b>" : "  start");
	qs_moment_format(self->capture->capture, &row->moment, text, sizeof text);
	link = qs_link_moment(text);
	return g_strdup_printf(now ? "<b>▸ %s</b>" : "  %s", link);
}

static gboolean is_gfx3d(gpointer user)
{
	return qs_view_machine(qs_session_get_view(qs_panel_get_session(QS_PANEL(user)))) == QS_MACHINE_GFX3D;
}

static char *alpha_reason(const struct qs_history_row *row)
{
	static const char *const logic[4] = {"and", "or", "xor", "xnor"};

	return g_strdup_printf("alpha test: %u %s %u %s %u %s %u is false", row->source[3], qs_compare_name(row->alpha_func0),
		row->alpha_ref0, logic[row->alpha_logic & 3], row->source[3], qs_compare_name(row->alpha_func1), row->alpha_ref1);
}

/* "written 011": the samples that were, 0 first. */
static char *samples_written(const struct qs_history_row *row)
{
	return g_strdup_printf("<span foreground=\"#26a269\">written</span> <tt>%u%u%u</tt>", row->samples_passed & 1,
		row->samples_passed >> 1 & 1, row->samples_passed >> 2 & 1);
}

/* The three of a pixel of the anti-aliased EFB. */
static char *samples_tip(gpointer item, gpointer user)
{
	const struct qs_history_row *row = row_of(user, item);
	GString *s;

	if (row->kind != QS_HISTORY_FRAGMENT || row->sample_count < 2)
		return NULL;
	s = g_string_new("samples: covered, through the depth test, before → after");
	for (guint k = 0; k < 3; k++) {
		g_autofree char *before = swatch(row->sample_before[k]), *after = swatch(row->sample_after[k]);

		g_string_append_printf(s, "\n%u  %s  %s  <tt>%s → %s</tt>", k, row->samples >> k & 1 ? "covered" : "not covered",
			row->samples_passed >> k & 1 ? "passed" : row->samples >> k & 1 ? "failed" : "–", before, after);
	}
	return g_string_free(s, FALSE);
}

static char *result_text(gpointer item, gpointer user)
{
	const struct qs_history_row *row = row_of(user, item);
	g_autofree char *text = NULL;

	if (row->kind == QS_HISTORY_START)
		return g_strdup("value at the start of the frame");
	if (row->kind == QS_HISTORY_CLEAR)
		return g_strdup(row->moment.level == QS_LEVEL_COMMAND && is_gfx3d(user) ? "cleared" : "cleared by the copy");
	if (row->kind == QS_HISTORY_ACCESS)
		return g_strdup("written by the processor");
	switch ((enum qs_verdict)row->verdict) {
	case QS_VERDICT_WRITTEN:
		return row->sample_count > 1 ? samples_written(row) : g_strdup("<span foreground=\"#26a269\">written</span>");
	case QS_VERDICT_EARLY_Z:
	case QS_VERDICT_LATE_Z:
		text = g_strdup_printf("%s depth test: 0x%06x %s 0x%06x is false", row->verdict == QS_VERDICT_EARLY_Z ? "early" : "late",
			row->z, qs_compare_name(row->z_func), row->z_before);
		break;
	case QS_VERDICT_ALPHA:
		text = is_gfx3d(user) ? g_strdup("discarded by its shader") : alpha_reason(row);
		break;
	default:
		text = g_strdup(qs_verdict_name((enum qs_verdict)row->verdict));
	}
	return g_markup_printf_escaped("<span foreground=\"#e01b24\">%s</span>", text);
}

static char *source_text(gpointer item, gpointer user)
{
	const struct qs_history_row *row = row_of(user, item);

	return (row->kind == QS_HISTORY_FRAGMENT && row->verdict != QS_VERDICT_EARLY_Z) || row->kind == QS_HISTORY_ACCESS ? swatch(row->source) : NULL;
}

static char *before_text(gpointer item, gpointer user)
{
	const struct qs_history_row *row = row_of(user, item);

	return row->kind == QS_HISTORY_START ? NULL : swatch(row->before);
}

static char *after_text(gpointer item, gpointer user)
{
	return swatch(row_of(user, item)->after);
}

static char *depth_text(gpointer item, gpointer user)
{
	const struct qs_history_row *row = row_of(user, item);

	if (row->kind == QS_HISTORY_FRAGMENT && row->z_before != row->z_after)
		return g_strdup_printf("%06x → %06x", row->z_before, row->z_after);
	if (row->kind == QS_HISTORY_FRAGMENT)
		return g_strdup_printf("%06x (%06x)", row->z_after, row->z);
	return g_strdup_printf("%06x", row->z_after);
}

/* ---- rows --------------------------------------------------------------------------------------------------------------- */

static gboolean is_shown(const struct qs_history_row *row, Filter filter)
{
	gboolean failed = row->kind == QS_HISTORY_FRAGMENT && row->verdict != QS_VERDICT_WRITTEN;

	return filter == SHOW_ALL || (filter == SHOW_FAILED) == failed;
}

/* The last row that has happened at the moment. */
static int row_now(QsHistoryPanel *self, const struct qs_moment *moment)
{
	int now = -1;

	for (guint i = 0; i < self->rows->len; i++) {
		const struct qs_history_row *row = &g_array_index(self->rows, struct qs_history_row, i);
		if (row->kind == QS_HISTORY_START || qs_moment_compare(&row->moment, moment) <= 0)
			now = (int)i;
	}
	return now;
}

static void show(QsHistoryPanel *self)
{
	QsView *view = qs_session_get_view(SESSION(self));
	Filter filter = (Filter)gtk_drop_down_get_selected(self->filter);
	guint fragments = 0, written = 0;
	g_autoptr(GArray) shown = g_array_new(FALSE, FALSE, sizeof(guint));
	g_autofree char *title = NULL;

	self->now = view ? row_now(self, &view->moment) : -1;
	for (guint i = 0; i < self->rows->len; i++) {
		const struct qs_history_row *row = &g_array_index(self->rows, struct qs_history_row, i);

		fragments += row->kind == QS_HISTORY_FRAGMENT;
		written += row->kind == QS_HISTORY_FRAGMENT && row->verdict == QS_VERDICT_WRITTEN;
		if (is_shown(row, filter))
			g_array_append_val(shown, i);
	}
	/* The same rows at another moment keep the keyboard. */
	if (shown->len && shown->len == self->shown->len && memcmp(shown->data, self->shown->data, shown->len * sizeof(guint)) == 0) {
		qs_column_refresh_all(self->list);
	} else {
		g_array_set_size(self->shown, 0);
		g_array_append_vals(self->shown, shown->data, shown->len);
		qs_counter_set(self->model, shown->len);
		gtk_single_selection_set_selected(self->selection, GTK_INVALID_LIST_POSITION);
	}
	title = g_strdup_printf("pixel %d,%d in frame %u: %u fragment%s, %u written", self->x, self->y, self->frame, fragments,
		fragments == 1 ? "" : "s", written);
	gtk_label_set_text(self->title, title);
}

static void forget(QsHistoryPanel *self)
{
	self->have = FALSE;
	g_clear_pointer(&self->capture, qs_capture_unref);
	qs_counter_set(self->model, 0);
	g_array_set_size(self->rows, 0);
	g_array_set_size(self->shown, 0);
}

static void got_history(GObject *owner, const QsHistoryAnswer *answer, const struct qs_error *error)
{
	QsHistoryPanel *self = QS_HISTORY_PANEL(owner);
	QsView *view = qs_session_get_view(SESSION(self));

	if (error || !view) {
		forget(self);
		if (error)
			qs_panel_set_empty(QS_PANEL(self), error->text);
		return;
	}
	forget(self);
	g_array_append_vals(self->rows, answer->rows, answer->count);
	self->capture = qs_capture_ref(view->capture);
	self->machine = view->model;
	self->frame = answer->frame;
	self->accesses = view->access_count;
	self->x = answer->x;
	self->y = answer->y;
	self->have = TRUE;
	qs_panel_set_empty(QS_PANEL(self), NULL);
	show(self);
}

static void qs_history_panel_update(QsPanel *panel, guint changes)
{
	QsHistoryPanel *self = QS_HISTORY_PANEL(panel);
	QsView *view = qs_session_get_view(SESSION(self));
	int x, y;

	if (!(changes & (QS_CHANGE_VIEW | QS_CHANGE_PICK | QS_CHANGE_CAPTURE)))
		return;
	if (!view || !qs_session_get_pick(SESSION(self), &x, &y)) {
		forget(self);
		qs_panel_set_empty(panel, view ? "Click a pixel of the frame: everything that reached it is listed here." :
			"Open a capture and click a pixel: everything that reached it is listed here.");
		return;
	}
	if (view->moment.frame == 0) {
		forget(self);
		qs_panel_set_empty(panel, "Nothing has been drawn yet: go to a frame.");
		return;
	}
	if (self->have && self->capture == view->capture && self->machine == view->model && self->frame == view->moment.frame &&
		self->x == x && self->y == y && self->accesses == view->access_count)
		show(self);
	else
		qs_request_history(SESSION(self), G_OBJECT(self), x, y, got_history);
}

/* ---- the widget --------------------------------------------------------------------------------------------------------- */

static void activated(QsHistoryPanel *self, guint position)
{
	const struct qs_history_row *row;

	if (position >= self->shown->len)
		return;
	row = &g_array_index(self->rows, struct qs_history_row, g_array_index(self->shown, guint, position));
	if (row->kind != QS_HISTORY_START)
		qs_session_seek(SESSION(self), &row->moment);
}

static void filtered(QsHistoryPanel *self)
{
	if (self->have)
		show(self);
}

static void touch(QsHistoryPanel *self, GtkButton *button)
{
	int x, y;

	if (qs_session_get_pick(SESSION(self), &x, &y))
		qs_session_seek_pixel(SESSION(self), x, y, button == self->next ? 1 : -1);
}

static void qs_history_panel_constructed(GObject *object)
{
	QsHistoryPanel *self = QS_HISTORY_PANEL(object);
	GtkColumnViewColumn *column;

	G_OBJECT_CLASS(qs_history_panel_parent_class)->constructed(object);
	qs_column_add(self->list, "Moment", 126, TRUE, moment_text, self, QS_PANEL(self));
	column = qs_column_add(self->list, "Result", 112, FALSE, result_text, self, QS_PANEL(self));
	gtk_column_view_column_set_expand(column, TRUE);
	qs_column_set_tooltip(column, samples_tip);
	qs_column_add(self->list, "Source", 102, TRUE, source_text, self, QS_PANEL(self));
	qs_column_set_tooltip(qs_column_add(self->list, "Before", 102, TRUE, before_text, self, QS_PANEL(self)), samples_tip);
	qs_column_set_tooltip(qs_column_add(self->list, "After", 102, TRUE, after_text, self, QS_PANEL(self)), samples_tip);
	qs_column_add(self->list, "Depth", 126, TRUE, depth_text, self, QS_PANEL(self));
	self->selection = gtk_single_selection_new(g_object_ref(G_LIST_MODEL(self->model)));
	gtk_single_selection_set_autoselect(self->selection, FALSE);
	gtk_single_selection_set_can_unselect(self->selection, TRUE);
	gtk_column_view_set_model(self->list, GTK_SELECTION_MODEL(self->selection));
	g_signal_connect_object(self->list, "activate", G_CALLBACK(activated), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(self->filter, "notify::selected", G_CALLBACK(filtered), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(self->previous, "clicked", G_CALLBACK(touch), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(self->next, "clicked", G_CALLBACK(touch), self, G_CONNECT_SWAPPED);
}

static void qs_history_panel_dispose(GObject *object)
{
	QsHistoryPanel *self = QS_HISTORY_PANEL(object);

	if (self->model)
		forget(self);
	g_clear_object(&self->selection);
	g_clear_object(&self->model);
	G_OBJECT_CLASS(qs_history_panel_parent_class)->dispose(object);
}

static void qs_history_panel_finalize(GObject *object)
{
	QsHistoryPanel *self = QS_HISTORY_PANEL(object);

	g_array_unref(self->rows);
	g_array_unref(self->shown);
	G_OBJECT_CLASS(qs_history_panel_parent_class)->finalize(object);
}

static void qs_history_panel_init(QsHistoryPanel *self)
{
	self->rows = g_array_new(FALSE, FALSE, sizeof(struct qs_history_row));
	self->shown = g_array_new(FALSE, FALSE, sizeof(guint));
	self->model = qs_counter_new();
	gtk_widget_init_template(GTK_WIDGET(self));
}

static void qs_history_panel_class_init(QsHistoryPanelClass *klass)
{
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

	G_OBJECT_CLASS(klass)->constructed = qs_history_panel_constructed;
	G_OBJECT_CLASS(klass)->dispose = qs_history_panel_dispose;
	G_OBJECT_CLASS(klass)->finalize = qs_history_panel_finalize;
	QS_PANEL_CLASS(klass)->update = qs_history_panel_update;
	gtk_widget_class_set_template_from_resource(widget_class, QS_RESOURCE "panels/qs-history-panel.ui");
	gtk_widget_class_bind_template_child(widget_class, QsHistoryPanel, list);
	gtk_widget_class_bind_template_child(widget_class, QsHistoryPanel, title);
	gtk_widget_class_bind_template_child(widget_class, QsHistoryPanel, filter);
	gtk_widget_class_bind_template_child(widget_class, QsHistoryPanel, previous);
	gtk_widget_class_bind_template_child(widget_class, QsHistoryPanel, next);
}
