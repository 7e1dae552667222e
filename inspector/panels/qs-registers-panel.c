/* qs-registers-panel.c - see the header
 *
 * The selected row is the session's selection, in both directions.  self->quiet is on while the panel itself moves it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-registers-panel.h"
#include <string.h>
#include "qs-request.h"
#include "register-text.h"
#include "widgets/qs-column.h"

#define INDENT 14

struct _QsRegistersPanel {
	QsPanel parent_instance;
	GtkColumnView *list;
	GtkSearchEntry *filter;
	GtkToggleButton *any, *bp, *cp, *xf, *pe, *changed;
	GtkLabel *count, *nothing;
	QsRegisterModel *model;
	GtkSingleSelection *selection;
	GtkColumnViewColumn *columns[5];
	GPtrArray *bound; /* GtkListItem of the first column, not owned */
	QsRegisterTexts texts;
	QsDrawCounts *counts;
	QsView *before; /* kept while it is asked for again */
	guint scroll, scroll_frames, scroll_row; /* tick callback */
	guint quiet;
};

G_DEFINE_FINAL_TYPE(QsRegistersPanel, qs_registers_panel, QS_TYPE_PANEL)

#define SESSION(self) qs_panel_get_session(QS_PANEL(self))

static const char before_lane;

/* ---- the first column: what opens and closes ---------------------------------------------------------------------------- */

static void show_name(QsRegistersPanel *self, GtkListItem *item)
{
	QsRegisterRow *row = gtk_list_item_get_item(item);
	GtkWidget *box = gtk_list_item_get_child(item), *expander = gtk_widget_get_first_child(box);
	GtkWidget *label = gtk_widget_get_next_sibling(expander);
	g_autofree char *text = qs_register_row_name(&self->texts, row);
	const gboolean expandable = qs_register_model_expandable(self->model, row);
	const gboolean open = expandable && qs_register_model_expanded(self->model, row);
	static const int depth[] = {0, 1, 1, 2};

	gtk_label_set_markup(GTK_LABEL(label), text);
	gtk_widget_set_margin_start(expander, INDENT * depth[row->kind]);
	gtk_widget_set_opacity(expander, expandable ? 1 : 0);
	gtk_widget_set_can_target(expander, expandable);
	gtk_button_set_icon_name(GTK_BUTTON(expander), open ? "pan-down-symbolic" : "pan-end-symbolic");
	if (expandable)
		gtk_accessible_update_state(GTK_ACCESSIBLE(expander), GTK_ACCESSIBLE_STATE_EXPANDED, open, -1);
}

static void show_names(QsRegistersPanel *self)
{
	for (guint i = 0; i < self->bound->len; i++)
		show_name(self, g_ptr_array_index(self->bound, i));
}

static void count_rows(QsRegistersPanel *self)
{
	guint total;
	const guint found = qs_register_model_get_found(self->model, &total);
	g_autofree char *text = g_strdup_printf("%u", found), *nothing = NULL;
	const gboolean search = gtk_editable_get_text(GTK_EDITABLE(self->filter))[0] != '\0';

	gtk_label_set_text(self->count, text);
	gtk_widget_set_visible(GTK_WIDGET(self->nothing), found == 0 && self->texts.view);
	if (!search && self->before && gtk_toggle_button_get_active(self->changed))
		nothing = g_strdup_printf("Nothing changed since the draw before, %s.", self->before->text);
	gtk_label_set_text(self->nothing, nothing ? nothing : "No register matches.");
}

static void set_expanded(QsRegistersPanel *self, QsRegisterRow *row, gboolean expanded)
{
	self->quiet++;
	qs_register_model_set_expanded(self->model, row, expanded);
	self->quiet--;
	show_names(self);
}

static void toggle(GtkButton *button, GtkListItem *item)
{
	QsRegistersPanel *self = QS_REGISTERS_PANEL(gtk_widget_get_ancestor(GTK_WIDGET(button), QS_TYPE_REGISTERS_PANEL));
	QsRegisterRow *row = gtk_list_item_get_item(item);

	if (row && qs_register_model_expandable(self->model, row))
		set_expanded(self, row, !qs_register_model_expanded(self->model, row));
}

static gboolean name_tooltip(GtkWidget *box, int x, int y, gboolean keyboard, GtkTooltip *tooltip, GtkListItem *item)
{
	QsRegistersPanel *self = QS_REGISTERS_PANEL(gtk_widget_get_ancestor(box, QS_TYPE_REGISTERS_PANEL));
	QsRegisterRow *row = gtk_list_item_get_item(item);
	g_autofree char *text = row ? qs_register_row_tooltip(&self->texts, row) : NULL;

	(void)x;
	(void)y;
	(void)keyboard;
	gtk_tooltip_set_markup(tooltip, text);
	return text != NULL;
}

static void setup_name(QsRegistersPanel *self, GtkListItem *item)
{
	GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 3);
	GtkWidget *expander = gtk_button_new_from_icon_name("pan-end-symbolic"), *label = gtk_label_new(NULL);

	(void)self;
	gtk_widget_add_css_class(expander, "qs-expander");
	gtk_widget_set_focusable(expander, FALSE);
	gtk_accessible_update_property(GTK_ACCESSIBLE(expander), GTK_ACCESSIBLE_PROPERTY_LABEL, "Show what is inside", -1);
	gtk_label_set_xalign(GTK_LABEL(label), 0);
	gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
	gtk_widget_set_hexpand(label, TRUE);
	gtk_widget_add_css_class(label, "monospace");
	gtk_box_append(GTK_BOX(box), expander);
	gtk_box_append(GTK_BOX(box), label);
	gtk_widget_set_has_tooltip(box, TRUE);
	g_signal_connect_object(box, "query-tooltip", G_CALLBACK(name_tooltip), item, 0);
	g_signal_connect(expander, "clicked", G_CALLBACK(toggle), item);
	gtk_list_item_set_child(item, box);
}

static void bind_name(QsRegistersPanel *self, GtkListItem *item)
{
	g_ptr_array_add(self->bound, item);
	show_name(self, item);
}

static void unbind_name(QsRegistersPanel *self, GtkListItem *item)
{
	g_ptr_array_remove_fast(self->bound, item);
}

static void add_name_column(QsRegistersPanel *self)
{
	GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
	GtkColumnViewColumn *column;

	g_signal_connect_object(factory, "setup", G_CALLBACK(setup_name), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(factory, "bind", G_CALLBACK(bind_name), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(factory, "unbind", G_CALLBACK(unbind_name), self, G_CONNECT_SWAPPED);
	column = gtk_column_view_column_new("Register", factory);
	gtk_column_view_column_set_resizable(column, TRUE);
	gtk_column_view_column_set_fixed_width(column, 152);
	gtk_column_view_append_column(self->list, column);
	g_object_unref(column);
}

/* ---- the other columns -------------------------------------------------------------------------------------------------- */

#define TEXTS(user) (&QS_REGISTERS_PANEL(user)->texts)

static char *address_text(gpointer item, gpointer user)
{
	return qs_register_row_address(TEXTS(user), item);
}

static char *value_text(gpointer item, gpointer user)
{
	return qs_register_row_value(TEXTS(user), item);
}

static char *meaning_text(gpointer item, gpointer user)
{
	return qs_register_row_meaning(TEXTS(user), item);
}

static char *age_text(gpointer item, gpointer user)
{
	return qs_register_row_age(TEXTS(user), item);
}

static char *writer_text(gpointer item, gpointer user)
{
	return qs_register_row_writer(TEXTS(user), item);
}

static char *value_tip(gpointer item, gpointer user)
{
	return qs_register_row_value_tooltip(TEXTS(user), item);
}

static char *meaning_tip(gpointer item, gpointer user)
{
	QsRegisterRow *row = item;

	return row->kind == QS_REGISTER_FIELD ? qs_register_row_tooltip(TEXTS(user), item) : value_tip(item, user);
}

static char *writer_tip(gpointer item, gpointer user)
{
	return qs_register_row_writer_tooltip(TEXTS(user), item);
}

static void add_columns(QsRegistersPanel *self)
{
	static const struct { const char *title; int width; QsColumnText text, tooltip; } column[] = {
		{"Addr", 44, address_text, NULL}, {"Value", 80, value_text, value_tip}, {"Meaning", -1, meaning_text, meaning_tip},
		{"Age", 62, age_text, writer_tip}, {"Written by", 84, writer_text, writer_tip}};

	add_name_column(self);
	for (guint i = 0; i < G_N_ELEMENTS(column); i++) {
		self->columns[i] = qs_column_add(self->list, column[i].title, column[i].width, TRUE, column[i].text, self, QS_PANEL(self));
		if (column[i].tooltip)
			qs_column_set_tooltip(self->columns[i], column[i].tooltip);
	}
}

static void show_cells(QsRegistersPanel *self)
{
	show_names(self);
	for (guint i = 0; i < G_N_ELEMENTS(self->columns); i++)
		qs_column_refresh(self->columns[i]);
}

/* ---- selection ---------------------------------------------------------------------------------------------------------- */

static void selected(QsRegistersPanel *self)
{
	QsRegisterRow *row = gtk_single_selection_get_selected_item(self->selection);

	if (self->quiet || !row || row->kind == QS_REGISTER_GROUP)
		return;
	self->quiet++;
	qs_session_select_register(SESSION(self), row->unit, row->reg->address, row->field ? qs_field_mask(row->field) : G_MAXUINT32);
	self->quiet--;
}

/* The list view must have laid out what was just inserted. */
static gboolean scroll_tick(GtkWidget *widget, GdkFrameClock *clock, gpointer user)
{
	QsRegistersPanel *self = user;

	(void)clock;
	if (--self->scroll_frames)
		return G_SOURCE_CONTINUE;
	gtk_widget_activate_action(gtk_widget_get_last_child(widget), "list.scroll-to-item", "u", self->scroll_row);
	self->scroll = 0;
	return G_SOURCE_REMOVE;
}

static gboolean is_selected(QsRegistersPanel *self, const QsSelection *s)
{
	QsRegisterRow *row = gtk_single_selection_get_selected_item(self->selection);

	return row && row->kind >= QS_REGISTER_WORDS && row->unit == s->unit && row->reg->address == s->address &&
		(row->field ? qs_field_mask(row->field) : G_MAXUINT32) == s->mask;
}

static void follow_selection(QsRegistersPanel *self)
{
	const QsSelection *s = qs_session_get_selection(SESSION(self));
	guint row;

	if (self->quiet)
		return;
	self->quiet++;
	if (s->kind != QS_SELECT_REGISTER) {
		gtk_single_selection_set_selected(self->selection, GTK_INVALID_LIST_POSITION);
	} else if (!is_selected(self, s)) {
		row = qs_register_model_reveal(self->model, s->unit, s->address, s->mask);
		show_names(self);
		gtk_single_selection_set_selected(self->selection, row == G_MAXUINT ? GTK_INVALID_LIST_POSITION : row);
		self->scroll_row = row;
		self->scroll_frames = 2;
		if (row != G_MAXUINT && !self->scroll)
			self->scroll = gtk_widget_add_tick_callback(GTK_WIDGET(self->list), scroll_tick, self, NULL);
	}
	self->quiet--;
}

/* ---- filter ------------------------------------------------------------------------------------------------------------- */

static void refilter(QsRegistersPanel *self)
{
	GtkToggleButton *const button[QS_UNIT_COUNT] = {
		[QS_UNIT_BP] = self->bp, [QS_UNIT_CP] = self->cp, [QS_UNIT_XF] = self->xf, [QS_UNIT_PE] = self->pe};
	guint unit = 0;

	if (!self->model)
		return;
	while (unit < QS_UNIT_COUNT && !gtk_toggle_button_get_active(button[unit]))
		unit++;
	self->quiet++;
	qs_register_model_set_filter(self->model, gtk_editable_get_text(GTK_EDITABLE(self->filter)), unit,
		gtk_toggle_button_get_active(self->changed));
	self->quiet--;
	show_names(self);
	count_rows(self);
}

/* ---- update ------------------------------------------------------------------------------------------------------------- */

static void set_views(QsRegistersPanel *self, QsView *view, QsView *before)
{
	QsView *old = self->texts.view;

	self->texts.view = view ? qs_view_ref(view) : NULL;
	qs_view_unref(old);
	self->texts.before = before;
	self->texts.model = self->model;
	self->texts.counts = self->counts;
	self->quiet++;
	qs_register_model_set_views(self->model, view, before);
	self->quiet--;
	show_cells(self);
	count_rows(self);
}

static void got_before(GObject *owner, QsView *before, const struct qs_error *error)
{
	QsRegistersPanel *self = QS_REGISTERS_PANEL(owner);
	QsView *old = self->before;

	if (error || !self->texts.view)
		return;
	self->before = qs_view_ref(before);
	set_views(self, self->texts.view, self->before);
	qs_view_unref(old);
}

static void take_view(QsRegistersPanel *self, QsView *view)
{
	struct qs_moment moment;
	gboolean have;

	if (!self->counts || self->counts->capture != view->capture) {
		g_clear_pointer(&self->counts, qs_draw_counts_free);
		self->counts = qs_draw_counts_new(view->capture);
	}
	qs_moment_draw_before(view, &moment);
	have = self->before && self->before->capture == view->capture && self->before->model == view->model &&
		qs_moment_compare(&self->before->moment, &moment) == 0;
	set_views(self, view, have ? self->before : NULL);
	if (!have)
		qs_request_view(SESSION(self), G_OBJECT(self), &before_lane, &moment, 0, got_before);
}

static void qs_registers_panel_update(QsPanel *panel, guint changes)
{
	QsRegistersPanel *self = QS_REGISTERS_PANEL(panel);
	QsView *view = qs_session_get_view(SESSION(self));

	if (!view) {
		qs_panel_set_empty(panel, "Open a capture: every register with its fields, its age and who wrote it is listed here.");
		return;
	}
	qs_panel_set_empty(panel, NULL);
	if (changes & (QS_CHANGE_VIEW | QS_CHANGE_CAPTURE)) {
		const gboolean first = !self->texts.view;

		take_view(self, view);
		if (first)
			refilter(self);
	}
	if (changes & QS_CHANGE_SELECTION)
		follow_selection(self);
}

/* ---- keyboard ----------------------------------------------------------------------------------------------------------- */

static void activate(GtkColumnView *list, guint position, QsRegistersPanel *self)
{
	g_autoptr(QsRegisterRow) row = g_list_model_get_item(G_LIST_MODEL(self->model), position);

	(void)list;
	if (row && qs_register_model_expandable(self->model, row))
		set_expanded(self, row, !qs_register_model_expanded(self->model, row));
}

static void copy(QsRegistersPanel *self, QsRegisterRow *row)
{
	g_autofree char *text = qs_register_row_copy(&self->texts, row);

	if (!text)
		return;
	gdk_clipboard_set_text(gtk_widget_get_clipboard(GTK_WIDGET(self)), text);
	qs_session_message(SESSION(self), QS_MESSAGE_HINT, "%s copied.", text);
}

static gboolean key_pressed(QsRegistersPanel *self, guint key, guint code, GdkModifierType state)
{
	QsRegisterRow *row = gtk_single_selection_get_selected_item(self->selection);

	(void)code;
	if (!row)
		return FALSE;
	if (key == GDK_KEY_c && (state & GDK_CONTROL_MASK)) {
		copy(self, row);
		return TRUE;
	}
	if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK) || (key != GDK_KEY_Left && key != GDK_KEY_Right))
		return FALSE;
	if (qs_register_model_expandable(self->model, row) &&
		qs_register_model_expanded(self->model, row) != (key == GDK_KEY_Right))
		set_expanded(self, row, key == GDK_KEY_Right);
	return TRUE;
}

/* ---- object ------------------------------------------------------------------------------------------------------------- */

static void qs_registers_panel_focus(QsPanel *panel)
{
	gtk_widget_grab_focus(GTK_WIDGET(QS_REGISTERS_PANEL(panel)->list));
}

static void qs_registers_panel_constructed(GObject *object)
{
	QsRegistersPanel *self = QS_REGISTERS_PANEL(object);
	GtkEventController *keys = gtk_event_controller_key_new();

	G_OBJECT_CLASS(qs_registers_panel_parent_class)->constructed(object);
	add_columns(self);
	self->texts.model = self->model;
	self->selection = gtk_single_selection_new(g_object_ref(G_LIST_MODEL(self->model)));
	gtk_single_selection_set_autoselect(self->selection, FALSE);
	gtk_single_selection_set_can_unselect(self->selection, TRUE);
	g_signal_connect_object(self->selection, "selection-changed", G_CALLBACK(selected), self, G_CONNECT_SWAPPED);
	gtk_column_view_set_model(self->list, GTK_SELECTION_MODEL(self->selection));
	gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE);
	g_signal_connect_object(keys, "key-pressed", G_CALLBACK(key_pressed), self, G_CONNECT_SWAPPED);
	gtk_widget_add_controller(GTK_WIDGET(self->list), keys);
}

static void qs_registers_panel_dispose(GObject *object)
{
	QsRegistersPanel *self = QS_REGISTERS_PANEL(object);

	if (self->scroll) {
		gtk_widget_remove_tick_callback(GTK_WIDGET(self->list), self->scroll);
		self->scroll = 0;
	}
	if (self->list && self->selection)
		gtk_column_view_set_model(self->list, NULL);
	g_clear_object(&self->selection);
	g_clear_object(&self->model);
	g_clear_pointer(&self->texts.view, qs_view_unref);
	g_clear_pointer(&self->before, qs_view_unref);
	g_clear_pointer(&self->counts, qs_draw_counts_free);
	self->list = NULL;
	G_OBJECT_CLASS(qs_registers_panel_parent_class)->dispose(object);
}

static void qs_registers_panel_finalize(GObject *object)
{
	g_ptr_array_unref(QS_REGISTERS_PANEL(object)->bound);
	G_OBJECT_CLASS(qs_registers_panel_parent_class)->finalize(object);
}

static void qs_registers_panel_init(QsRegistersPanel *self)
{
	self->bound = g_ptr_array_new();
	self->model = qs_register_model_new();
	gtk_widget_init_template(GTK_WIDGET(self));
}

static void qs_registers_panel_class_init(QsRegistersPanelClass *klass)
{
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

	G_OBJECT_CLASS(klass)->constructed = qs_registers_panel_constructed;
	G_OBJECT_CLASS(klass)->dispose = qs_registers_panel_dispose;
	G_OBJECT_CLASS(klass)->finalize = qs_registers_panel_finalize;
	QS_PANEL_CLASS(klass)->update = qs_registers_panel_update;
	QS_PANEL_CLASS(klass)->focus = qs_registers_panel_focus;
	gtk_widget_class_set_template_from_resource(widget_class, QS_RESOURCE "panels/qs-registers-panel.ui");
	gtk_widget_class_bind_template_callback(widget_class, refilter);
	gtk_widget_class_bind_template_callback(widget_class, activate);
#define BIND(name) gtk_widget_class_bind_template_child(widget_class, QsRegistersPanel, name)
	BIND(list);
	BIND(filter);
	BIND(any);
	BIND(bp);
	BIND(cp);
	BIND(xf);
	BIND(pe);
	BIND(changed);
	BIND(count);
	BIND(nothing);
#undef BIND
}
