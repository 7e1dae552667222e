/* qs-stream-panel.c - see the header
 *
 * Selecting a row goes there; the row of the current moment is selected and kept in sight when the moment changes by other
 * means.  self->quiet is on while the panel itself moves the selection.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h" /* strcasestr */
#include "qs-stream-panel.h"
#include <string.h>
#include "models/qs-stream-model.h"
#include "qs-request.h"

#define INDENT 14

struct _QsStreamPanel {
	QsPanel parent_instance;
	GtkListView *list;
	GtkSearchEntry *filter;
	GtkLabel *count;
	QsStreamModel *model;
	GtkSingleSelection *selection;
	GPtrArray *bound; /* GtkListItem, not owned: those on the screen */
	GCancellable *searching;
	guint quiet;
	guint scroll, scroll_frames, scroll_row; /* tick callback */
	guint scrolled_row; /* seen last */
};

G_DEFINE_FINAL_TYPE(QsStreamPanel, qs_stream_panel, QS_TYPE_PANEL)

/* ---- rows --------------------------------------------------------------------------------------------------------------- */

typedef struct {
	GtkWidget *box, *expander, *mark, *text, *offset;
} RowWidgets;

static RowWidgets row_widgets(GtkListItem *item)
{
	RowWidgets w = {.box = gtk_list_item_get_child(item)};

	w.expander = gtk_widget_get_first_child(w.box);
	w.mark = gtk_widget_get_next_sibling(w.expander);
	w.text = gtk_widget_get_next_sibling(w.mark);
	w.offset = gtk_widget_get_next_sibling(w.text);
	return w;
}

static const char *row_class(QsStreamPanel *self, const QsStreamRow *row)
{
	static const char *const classes[] = {
		"qs-frame-row", "qs-state-row", "qs-draw-row", "qs-copy-row", "qs-list-row", "qs-bad-row"};

	return row->kind == QS_ROW_COMMAND && qs_stream_model_node(self->model, row->node)->kind == QS_NODE_STATE ? classes[1] :
		classes[qs_stream_model_node(self->model, row->node)->kind];
}

static gboolean row_is_now(QsStreamPanel *self, guint position)
{
	return position == gtk_single_selection_get_selected(self->selection);
}

/* A breakpoint or a bookmark at the row's command. */
static const char *row_mark(QsStreamPanel *self, const QsStreamRow *row)
{
	QsView *view = qs_session_get_view(qs_panel_get_session(QS_PANEL(self)));
	const struct qs_command *c;
	const QsBookmark *bookmarks;
	guint count;

	if (!view || row->command == QS_NONE || row->kind == QS_ROW_PRIMITIVE)
		return NULL;
	c = qs_capture_command(qs_stream_model_get_capture(self->model)->capture, row->command);
	for (guint i = 0; c->draw != QS_NONE && i < view->breakpoint_count; i++) {
		const struct qs_breakpoint *b = &view->breakpoints[i];

		if (b->draw == c->draw && (b->frame == 0 || b->frame == c->frame))
			return "●";
	}
	bookmarks = qs_session_get_bookmarks(qs_panel_get_session(QS_PANEL(self)), &count);
	for (guint i = 0; i < count; i++)
		if (bookmarks[i].moment.level > QS_LEVEL_FRAME && bookmarks[i].moment.command == row->command)
			return "⚑";
	return NULL;
}

/* What the processor does to the EFB after the row's command; markup, NULL: nothing. */
static char *row_accesses(QsStreamPanel *self, const QsStreamRow *row)
{
	QsView *view = qs_session_get_view(qs_panel_get_session(QS_PANEL(self)));
	GString *s = NULL;

	for (guint i = 0; view && row->command != QS_NONE && row->kind != QS_ROW_PRIMITIVE && i < view->access_count; i++) {
		const struct qs_access *a = &view->accesses[i];

		if (a->command != row->command)
			continue;
		if (!s)
			s = g_string_new(NULL);
		if (a->kind == QS_ACCESS_REGISTER)
			g_string_append_printf(s, "  CPU sets PE %02x = %04x", a->x, a->value);
		else
			g_string_append_printf(s, a->kind == QS_ACCESS_COLOUR ? "  CPU pokes %u,%u = %08x" : "  CPU pokes z %u,%u = %06x", a->x, a->y, a->value);
	}
	return s ? g_string_free(s, FALSE) : NULL;
}

static void refresh_text(QsStreamPanel *self, GtkListItem *item)
{
	QsStreamRow *row = gtk_list_item_get_item(item);
	RowWidgets w = row_widgets(item);
	g_autofree char *accesses = row_accesses(self, row), *whole = NULL;
	char text[512];

	qs_stream_model_text(self->model, row, text, sizeof text);
	whole = accesses ? g_strdup_printf("%s  ·  %s", accesses + 2, text) : g_strdup(text);
	if (g_strcmp0(gtk_label_get_text(GTK_LABEL(w.text)), whole) == 0)
		return;
	gtk_label_set_text(GTK_LABEL(w.text), whole);
	gtk_widget_set_tooltip_text(w.text, whole);
}

static void refresh_row(QsStreamPanel *self, GtkListItem *item)
{
	QsStreamRow *row = gtk_list_item_get_item(item);
	const char *mark;
	RowWidgets w;
	gboolean expandable;

	if (!row)
		return;
	w = row_widgets(item);
	expandable = qs_stream_model_expandable(self->model, row);
	gtk_widget_set_opacity(w.expander, expandable ? 1 : 0);
	gtk_widget_set_can_target(w.expander, expandable);
	if (expandable) {
		const gboolean open = qs_stream_model_expanded(self->model, row->node);

		gtk_button_set_icon_name(GTK_BUTTON(w.expander), open ? "pan-down-symbolic" : "pan-end-symbolic");
		gtk_accessible_update_state(GTK_ACCESSIBLE(w.expander), GTK_ACCESSIBLE_STATE_EXPANDED, open, -1);
	}
	refresh_text(self, item);
	mark = row_mark(self, row);
	gtk_label_set_text(GTK_LABEL(w.mark), mark ? mark : "");
	gtk_widget_set_visible(w.mark, mark != NULL);
	if (row_is_now(self, gtk_list_item_get_position(item)))
		gtk_widget_add_css_class(w.text, "qs-current");
	else
		gtk_widget_remove_css_class(w.text, "qs-current");
}

static void refresh_rows(QsStreamPanel *self)
{
	for (guint i = 0; i < self->bound->len; i++)
		refresh_row(self, g_ptr_array_index(self->bound, i));
}

static void counted(GObject *owner, guint32 command, guint32 count, const struct qs_error *error)
{
	QsStreamPanel *self = QS_STREAM_PANEL(owner);
	const struct qs_command *c;
	guint node;

	if (error || !self->model)
		return;
	c = qs_capture_command(qs_stream_model_get_capture(self->model)->capture, command);
	node = c ? qs_stream_index_find(qs_stream_model_get_capture(self->model)->index, c->frame, command) : G_MAXUINT;
	if (node == G_MAXUINT)
		return;
	self->quiet++;
	qs_stream_model_set_primitives(self->model, node, count);
	self->quiet--;
}

static void want_primitives(QsStreamPanel *self)
{
	for (guint i = 0; i < self->bound->len; i++) {
		QsStreamRow *row = gtk_list_item_get_item(g_ptr_array_index(self->bound, i));

		if (row && row->kind == QS_ROW_NODE && qs_stream_model_primitives_wanted(self->model, row->node))
			qs_request_primitive_count(qs_panel_get_session(QS_PANEL(self)), G_OBJECT(self), row->command, counted);
	}
}

static void set_expanded(QsStreamPanel *self, guint node, gboolean expanded)
{
	self->quiet++;
	qs_stream_model_set_expanded(self->model, node, expanded);
	self->quiet--;
	refresh_rows(self);
	want_primitives(self);
}

static void toggle(GtkButton *button, GtkListItem *item)
{
	QsStreamPanel *self = QS_STREAM_PANEL(gtk_widget_get_ancestor(GTK_WIDGET(button), QS_TYPE_STREAM_PANEL));
	QsStreamRow *row = gtk_list_item_get_item(item);

	if (row && qs_stream_model_expandable(self->model, row))
		set_expanded(self, row->node, !qs_stream_model_expanded(self->model, row->node));
}

static void setup_row(QsStreamPanel *self, GtkListItem *item)
{
	GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 4);
	GtkWidget *expander = gtk_button_new_from_icon_name("pan-end-symbolic");
	GtkWidget *text = gtk_label_new(NULL), *offset = gtk_label_new(NULL), *mark = gtk_label_new(NULL);

	(void)self;
	gtk_widget_add_css_class(expander, "qs-expander");
	gtk_widget_set_focusable(expander, FALSE);
	gtk_accessible_update_property(GTK_ACCESSIBLE(expander), GTK_ACCESSIBLE_PROPERTY_LABEL, "Show what is inside", -1);
	gtk_label_set_xalign(GTK_LABEL(text), 0);
	gtk_label_set_ellipsize(GTK_LABEL(text), PANGO_ELLIPSIZE_END);
	gtk_widget_set_hexpand(text, TRUE);
	gtk_widget_add_css_class(offset, "qs-offset");
	gtk_widget_add_css_class(offset, "monospace");
	gtk_box_append(GTK_BOX(box), expander);
	gtk_widget_add_css_class(mark, "qs-mark");
	gtk_box_append(GTK_BOX(box), mark);
	gtk_box_append(GTK_BOX(box), text);
	gtk_box_append(GTK_BOX(box), offset);
	gtk_list_item_set_child(item, box);
	g_signal_connect(expander, "clicked", G_CALLBACK(toggle), item);
}

static void bind_row(QsStreamPanel *self, GtkListItem *item)
{
	QsStreamRow *row = gtk_list_item_get_item(item);
	RowWidgets w = row_widgets(item);
	char offset[24] = "";

	if (row->command != QS_NONE && row->kind != QS_ROW_PRIMITIVE)
		g_snprintf(offset, sizeof offset, "%06x",
			qs_capture_command(qs_stream_model_get_capture(self->model)->capture, row->command)->offset);
	gtk_label_set_text(GTK_LABEL(w.offset), offset);
	gtk_widget_set_margin_start(w.expander, (int)row->depth * INDENT);
	gtk_widget_set_css_classes(w.text, (const char *[]){row_class(self, row), NULL});
	g_ptr_array_add(self->bound, item);
	refresh_row(self, item);
	if (row->kind == QS_ROW_NODE && qs_stream_model_primitives_wanted(self->model, row->node))
		want_primitives(self);
}

static void unbind_row(QsStreamPanel *self, GtkListItem *item)
{
	g_ptr_array_remove_fast(self->bound, item);
}

/* ---- selection ---------------------------------------------------------------------------------------------------------- */

static void selected(QsStreamPanel *self)
{
	QsStreamRow *row = gtk_single_selection_get_selected_item(self->selection);
	struct qs_moment moment;

	refresh_rows(self);
	if (self->quiet || !row)
		return;
	qs_stream_model_moment(self->model, row, &moment);
	qs_session_seek(qs_panel_get_session(QS_PANEL(self)), &moment);
}

#define CONTEXT 4 /* rows around the current one that should be seen too */

static void scroll_to(QsStreamPanel *self, guint row)
{
	const guint n = self->model ? g_list_model_get_n_items(G_LIST_MODEL(self->model)) : 0;

	if (row >= n)
		return;
	/* The list scrolls as little as it must, so the rows on the far side are asked for. */
	if (self->scrolled_row != GTK_INVALID_LIST_POSITION && row < self->scrolled_row)
		gtk_widget_activate_action(GTK_WIDGET(self->list), "list.scroll-to-item", "u", row > CONTEXT ? row - CONTEXT : 0);
	else
		gtk_widget_activate_action(GTK_WIDGET(self->list), "list.scroll-to-item", "u", MIN(row + CONTEXT, n - 1));
	self->scrolled_row = row;
}

/* The list view must have laid out what was just inserted, and has its size only in the second frame after mapping. */
static gboolean scroll_tick(GtkWidget *widget, GdkFrameClock *clock, gpointer user)
{
	QsStreamPanel *self = user;

	(void)widget;
	(void)clock;
	if (--self->scroll_frames)
		return G_SOURCE_CONTINUE;
	scroll_to(self, self->scroll_row);
	self->scroll = 0;
	return G_SOURCE_REMOVE;
}

static void queue_scroll(QsStreamPanel *self, guint row)
{
	self->scroll_row = row;
	self->scroll_frames = 2;
	if (!self->scroll)
		self->scroll = gtk_widget_add_tick_callback(GTK_WIDGET(self->list), scroll_tick, self, NULL);
}

static void follow(QsStreamPanel *self)
{
	QsView *view = qs_session_get_view(qs_panel_get_session(QS_PANEL(self)));
	guint row;

	if (!view || !self->model)
		return;
	self->quiet++;
	row = qs_stream_model_find(self->model, &view->moment);
	if (row != gtk_single_selection_get_selected(self->selection)) {
		gtk_single_selection_set_selected(self->selection, row == G_MAXUINT ? GTK_INVALID_LIST_POSITION : row);
		queue_scroll(self, row);
	}
	self->quiet--;
	refresh_rows(self);
	want_primitives(self);
}

static gboolean key_pressed(QsStreamPanel *self, guint key, guint code, GdkModifierType state)
{
	QsStreamRow *row = gtk_single_selection_get_selected_item(self->selection);

	(void)code;
	if (!row || state & (GDK_CONTROL_MASK | GDK_ALT_MASK) || (key != GDK_KEY_Left && key != GDK_KEY_Right))
		return FALSE;
	if (qs_stream_model_expandable(self->model, row) &&
		qs_stream_model_expanded(self->model, row->node) != (key == GDK_KEY_Right)) {
		set_expanded(self, row->node, key == GDK_KEY_Right);
	} else if (key == GDK_KEY_Left && row->kind != QS_ROW_NODE && !qs_stream_model_get_matches(self->model)) {
		const guint up = qs_stream_model_position(self->model, row->node);

		gtk_single_selection_set_selected(self->selection, up);
		gtk_widget_activate_action(GTK_WIDGET(self->list), "list.scroll-to-item", "u", up);
	}
	return TRUE;
}

/* ---- filter ------------------------------------------------------------------------------------------------------------- */

typedef struct {
	QsCapture *capture;
	GStrv words;
} Search;

static void search_free(gpointer data)
{
	Search *search = data;

	qs_capture_unref(search->capture);
	g_strfreev(search->words);
	g_free(search);
}

static gboolean contains(const char *text, GStrv words)
{
	for (guint w = 0; words[w]; w++)
		if (words[w][0] && !strcasestr(text, words[w]))
			return FALSE;
	return TRUE;
}

static void search_thread(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
	Search *search = data;
	const guint32 count = qs_capture_info(search->capture->capture)->command_count;
	GArray *matches = g_array_new(FALSE, FALSE, sizeof(guint32));
	char text[512];

	(void)source;
	for (guint32 i = 0; i < count; i++) {
		if (i % 1024 == 0 && g_cancellable_is_cancelled(cancellable))
			break;
		if (contains(qs_command_text(search->capture->capture, i, text, sizeof text), search->words))
			g_array_append_val(matches, i);
	}
	g_task_return_pointer(task, matches, (GDestroyNotify)g_array_unref);
}

static void show_matches(QsStreamPanel *self, GArray *matches)
{
	QsView *view = qs_session_get_view(qs_panel_get_session(QS_PANEL(self)));
	g_autofree char *count = matches ? g_strdup_printf("%u", matches->len) : NULL;

	self->quiet++;
	qs_stream_model_set_matches(self->model, matches);
	self->quiet--;
	gtk_label_set_text(self->count, count ? count : "");
	follow(self);
	if (matches && view && gtk_single_selection_get_selected(self->selection) == GTK_INVALID_LIST_POSITION) {
		guint row = 0;

		while (row + 1 < matches->len && g_array_index(matches, guint32, row) < view->moment.command)
			row++;
		queue_scroll(self, row);
	}
}

static void search_done(GObject *source, GAsyncResult *result, gpointer user)
{
	QsStreamPanel *self = QS_STREAM_PANEL(source);
	GArray *matches = g_task_propagate_pointer(G_TASK(result), NULL);

	(void)user;
	if (!matches)
		return;
	if (self->model && ((Search *)g_task_get_task_data(G_TASK(result)))->capture == qs_stream_model_get_capture(self->model))
		show_matches(self, matches);
	else
		g_array_unref(matches);
}

static void filter_changed(QsStreamPanel *self)
{
	g_autofree char *text = g_strstrip(g_strdup(gtk_editable_get_text(GTK_EDITABLE(self->filter))));
	g_autoptr(GTask) task = NULL;
	Search *search;

	if (self->searching)
		g_cancellable_cancel(self->searching);
	g_clear_object(&self->searching);
	if (!self->model)
		return;
	if (!text[0]) {
		if (qs_stream_model_get_matches(self->model))
			show_matches(self, NULL);
		return;
	}
	search = g_new0(Search, 1);
	search->capture = qs_capture_ref(qs_stream_model_get_capture(self->model));
	search->words = g_strsplit(text, " ", -1);
	self->searching = g_cancellable_new();
	task = g_task_new(self, self->searching, search_done, NULL);
	g_task_set_task_data(task, search, search_free);
	g_task_run_in_thread(task, search_thread);
}

static void find(GSimpleAction *action, GVariant *parameter, gpointer user)
{
	QsStreamPanel *self = user;
	QsView *view = qs_session_get_view(qs_panel_get_session(QS_PANEL(self)));
	const GArray *matches = self->model ? qs_stream_model_get_matches(self->model) : NULL;
	const gboolean forward = g_variant_get_int32(parameter) > 0;
	guint32 found = QS_NONE;

	(void)action;
	if (!matches || !view) {
		qs_panel_focus(QS_PANEL(self));
		return;
	}
	for (guint i = 0; i < matches->len; i++) {
		const guint32 command = g_array_index(matches, guint32, forward ? i : matches->len - 1 - i);

		if (forward ? command > view->moment.command : command < view->moment.command) {
			found = command;
			break;
		}
	}
	if (found != QS_NONE)
		qs_session_seek_command(qs_panel_get_session(QS_PANEL(self)), found);
	else
		qs_session_message(qs_panel_get_session(QS_PANEL(self)), QS_MESSAGE_HINT, "No %s match.", forward ? "further" : "earlier");
}

static void collapse(GSimpleAction *action, GVariant *parameter, gpointer user)
{
	QsStreamPanel *self = user;
	const QsStreamIndex *index = self->model ? qs_stream_model_get_capture(self->model)->index : NULL;

	(void)action;
	(void)parameter;
	self->quiet++;
	for (guint i = 0; index && i < index->count; i++)
		if (qs_stream_model_expanded(self->model, i) && index->nodes[i].kind != QS_NODE_FRAME)
			qs_stream_model_set_expanded(self->model, i, FALSE);
	for (guint f = 0; index && f < index->frame_count; f++)
		qs_stream_model_set_expanded(self->model, index->frame_node[f], FALSE);
	self->quiet--;
	follow(self);
}

/* A double click or Return on a copy shows all of it. */
static void activated(QsStreamPanel *self, guint position)
{
	g_autoptr(QsStreamRow) row = self->model ? g_list_model_get_item(G_LIST_MODEL(self->model), position) : NULL;

	if (row && row->command != QS_NONE &&
		qs_capture_command(qs_stream_model_get_capture(self->model)->capture, row->command)->kind == QS_COMMAND_COPY)
		gtk_widget_activate_action(GTK_WIDGET(self), "win.show-panel", "s", "copy");
}

/* ---- panel -------------------------------------------------------------------------------------------------------------- */

static void new_capture(QsStreamPanel *self)
{
	QsCapture *capture = qs_session_get_capture(qs_panel_get_session(QS_PANEL(self)));

	self->quiet++;
	g_clear_object(&self->model);
	if (capture)
		self->model = qs_stream_model_new(capture);
	gtk_single_selection_set_model(self->selection, G_LIST_MODEL(self->model));
	gtk_editable_set_text(GTK_EDITABLE(self->filter), "");
	self->quiet--;
}

static void qs_stream_panel_update(QsPanel *panel, guint changes)
{
	QsStreamPanel *self = QS_STREAM_PANEL(panel);

	if (changes & QS_CHANGE_CAPTURE)
		new_capture(self);
	if (changes & (QS_CHANGE_CAPTURE | QS_CHANGE_VIEW))
		follow(self);
	else if (changes & QS_CHANGE_BOOKMARKS)
		refresh_rows(self);
}

static void qs_stream_panel_focus(QsPanel *panel)
{
	gtk_widget_grab_focus(GTK_WIDGET(QS_STREAM_PANEL(panel)->filter));
}

static void qs_stream_panel_dispose(GObject *object)
{
	QsStreamPanel *self = QS_STREAM_PANEL(object);

	if (self->searching)
		g_cancellable_cancel(self->searching);
	g_clear_object(&self->searching);
	if (self->scroll && self->list)
		gtk_widget_remove_tick_callback(GTK_WIDGET(self->list), self->scroll);
	self->scroll = 0;
	self->quiet++;
	if (self->list)
		gtk_list_view_set_factory(self->list, NULL);
	self->list = NULL;
	g_clear_object(&self->selection);
	g_clear_object(&self->model);
	G_OBJECT_CLASS(qs_stream_panel_parent_class)->dispose(object);
}

static void qs_stream_panel_finalize(GObject *object)
{
	g_ptr_array_unref(QS_STREAM_PANEL(object)->bound);
	G_OBJECT_CLASS(qs_stream_panel_parent_class)->finalize(object);
}

static void qs_stream_panel_init(QsStreamPanel *self)
{
	static const GActionEntry entries[] = {
		{.name = "find", .activate = find, .parameter_type = "i"}, {.name = "collapse", .activate = collapse}};
	GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
	GtkEventController *keys = gtk_event_controller_key_new();
	g_autoptr(GSimpleActionGroup) actions = g_simple_action_group_new();

	self->bound = g_ptr_array_new();
	self->scrolled_row = GTK_INVALID_LIST_POSITION;
	gtk_widget_init_template(GTK_WIDGET(self));
	self->selection = gtk_single_selection_new(NULL);
	gtk_single_selection_set_autoselect(self->selection, FALSE);
	gtk_single_selection_set_can_unselect(self->selection, TRUE);
	g_signal_connect_object(factory, "setup", G_CALLBACK(setup_row), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(factory, "bind", G_CALLBACK(bind_row), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(factory, "unbind", G_CALLBACK(unbind_row), self, G_CONNECT_SWAPPED);
	gtk_list_view_set_factory(self->list, factory);
	gtk_list_view_set_model(self->list, GTK_SELECTION_MODEL(self->selection));
	g_object_unref(factory);
	g_signal_connect_object(self->selection, "notify::selected", G_CALLBACK(selected), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(self->list, "activate", G_CALLBACK(activated), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(self->filter, "search-changed", G_CALLBACK(filter_changed), self, G_CONNECT_SWAPPED);
	gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE);
	g_signal_connect_object(keys, "key-pressed", G_CALLBACK(key_pressed), self, G_CONNECT_SWAPPED);
	gtk_widget_add_controller(GTK_WIDGET(self->list), keys);
	g_action_map_add_action_entries(G_ACTION_MAP(actions), entries, G_N_ELEMENTS(entries), self);
	qs_panel_insert_actions(QS_PANEL(self), "stream", G_ACTION_GROUP(actions));
}

static void qs_stream_panel_class_init(QsStreamPanelClass *klass)
{
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

	G_OBJECT_CLASS(klass)->dispose = qs_stream_panel_dispose;
	G_OBJECT_CLASS(klass)->finalize = qs_stream_panel_finalize;
	QS_PANEL_CLASS(klass)->update = qs_stream_panel_update;
	QS_PANEL_CLASS(klass)->focus = qs_stream_panel_focus;
	gtk_widget_class_set_template_from_resource(widget_class, QS_RESOURCE "panels/qs-stream-panel.ui");
	gtk_widget_class_bind_template_child(widget_class, QsStreamPanel, list);
	gtk_widget_class_bind_template_child(widget_class, QsStreamPanel, filter);
	gtk_widget_class_bind_template_child(widget_class, QsStreamPanel, count);
}
