/* qs-vertices-panel.c - see the header
 *
 * A row per corner of the draw's primitives, in order.  Selecting one goes to its primitive; the rows of the primitive at the
 * moment are marked.  The table is asked for again when the draw, the model or a quirk is another.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-vertices-panel.h"
#include <stdlib.h>
#include <string.h>
#include "qs-gfx3d.h"
#include "qs-machine.h"
#include "widgets/qs-column.h"

#define MAX_COLUMNS 24

typedef enum { FROM_ATTRIBUTE, FROM_CLIP, FROM_VARYING, FROM_WINDOW, FROM_INV_W } From;

typedef struct {
	struct _QsVerticesPanel *panel;
	From from;
	guint slot, lanes;
} Cell;

struct _QsVerticesPanel {
	QsPanel parent_instance;
	GtkColumnView *list;
	GtkLabel *title;
	GtkToggleButton *inputs, *outputs;
	QsCounter *model;
	GtkSingleSelection *selection;
	QsVerticesAnswer table;
	QsView *asked;      /* what the last question was about */
	gboolean answered;
	Cell cell[MAX_COLUMNS];
	guint cell_count;
	guint quiet;
	guint scroll, scroll_frames;
};

G_DEFINE_FINAL_TYPE(QsVerticesPanel, qs_vertices_panel, QS_TYPE_PANEL)

#define SESSION(self) qs_panel_get_session(QS_PANEL(self))

/* ---- cells -------------------------------------------------------------------------------------------------------------- */

static guint32 now_primitive(QsVerticesPanel *self)
{
	QsView *view = qs_session_get_view(SESSION(self));

	return view && view->moment.level >= QS_LEVEL_PRIMITIVE && view->moment.draw != QS_NONE ? view->moment.primitive : QS_NONE;
}

static char *corner_text(gpointer item, gpointer user)
{
	QsVerticesPanel *self = user;
	const guint row = qs_number_get(item), primitive = row / 3;

	return g_strdup_printf(primitive == now_primitive(self) ? "<b>%u</b>" : "%u", row);
}

static char *primitive_text(gpointer item, gpointer user)
{
	QsVerticesPanel *self = user;
	const guint primitive = qs_number_get(item) / 3;

	return g_strdup_printf(primitive == now_primitive(self) ? "<b>▸%u</b>" : "%u", primitive);
}

static char *index_text(gpointer item, gpointer user)
{
	QsVerticesPanel *self = user;
	const guint row = qs_number_get(item);

	if (row >= self->table.count)
		return g_strdup("");
	return g_strdup_printf(self->table.vertices[row].fetched ? "%u" : "%u <span alpha='60%%'>beyond</span>", self->table.vertices[row].index);
}

static const float *values_of(const Cell *cell, const struct qs_gfx3d_vertex *v)
{
	switch (cell->from) {
	case FROM_ATTRIBUTE: return v->attribute[cell->slot & 7];
	case FROM_CLIP: return v->clip;
	case FROM_VARYING: return v->varying[cell->slot & 7];
	case FROM_WINDOW: return v->window;
	case FROM_INV_W: return v->window + 3;
	}
	return v->clip;
}

static char *cell_text(gpointer item, gpointer user)
{
	const Cell *cell = user;
	const guint row = qs_number_get(item);
	GString *s = g_string_new(NULL);

	for (guint k = 0; row < cell->panel->table.count && k < cell->lanes; k++)
		g_string_append_printf(s, k ? " %.5g" : "%.5g", (double)values_of(cell, &cell->panel->table.vertices[row])[k]);
	return g_string_free(s, FALSE);
}

/* ---- columns ------------------------------------------------------------------------------------------------------------ */

static void add_column(QsVerticesPanel *self, const char *title, From from, guint slot, guint lanes)
{
	Cell *cell;

	if (self->cell_count == MAX_COLUMNS)
		return;
	cell = &self->cell[self->cell_count++];
	*cell = (Cell){self, from, slot, lanes};
	qs_column_add(self->list, title, (int)(lanes == 1 ? 84 : 20 + 62 * lanes), TRUE, cell_text, cell, QS_PANEL(self));
}

static void add_ports(QsVerticesPanel *self, guint kind, From from)
{
	for (guint32 i = 0; i < self->table.port_count; i++) {
		const struct qs_gfx3d_port *port = &self->table.ports[i];
		g_autofree char *title = g_strdup_printf("%s %s", port->name, port->type);

		if (port->kind == kind)
			add_column(self, title, from, port->slot, CLAMP(port->lanes, 1, 4));
	}
}

static void make_columns(QsVerticesPanel *self)
{
	GListModel *columns = gtk_column_view_get_columns(self->list);

	qs_counter_set(self->model, 0);
	while (g_list_model_get_n_items(columns)) {
		g_autoptr(GtkColumnViewColumn) column = g_list_model_get_item(columns, 0);

		gtk_column_view_remove_column(self->list, column);
	}
	self->cell_count = 0;
	qs_column_add(self->list, "Corner", 52, TRUE, corner_text, self, QS_PANEL(self));
	qs_column_add(self->list, "Prim", 44, TRUE, primitive_text, self, QS_PANEL(self));
	qs_column_add(self->list, "Vertex", 52, TRUE, index_text, self, QS_PANEL(self));
	if (gtk_toggle_button_get_active(self->inputs))
		add_ports(self, QS_GFX3D_ATTRIBUTE, FROM_ATTRIBUTE);
	if (gtk_toggle_button_get_active(self->outputs)) {
		add_column(self, "clip position", FROM_CLIP, 0, 4);
		add_ports(self, QS_GFX3D_VARYING, FROM_VARYING);
		add_column(self, "window x y depth", FROM_WINDOW, 0, 3);
		add_column(self, "1/w", FROM_INV_W, 0, 1);
	}
	self->quiet++;
	qs_counter_set(self->model, self->table.count);
	self->quiet--;
}

static void columns_toggled(QsVerticesPanel *self)
{
	if (self->selection)
		make_columns(self);
}

/* ---- the moment's primitive --------------------------------------------------------------------------------------------- */

/* The list view must have laid out what was just inserted. */
static gboolean scroll_tick(GtkWidget *widget, GdkFrameClock *clock, gpointer user)
{
	QsVerticesPanel *self = user;
	const guint32 primitive = now_primitive(self);

	(void)clock;
	if (--self->scroll_frames)
		return G_SOURCE_CONTINUE;
	if (primitive != QS_NONE && 3 * primitive < self->table.count)
		gtk_widget_activate_action(gtk_widget_get_last_child(widget), "list.scroll-to-item", "u", 3 * primitive);
	self->scroll = 0;
	return G_SOURCE_REMOVE;
}

static void follow_moment(QsVerticesPanel *self)
{
	const guint32 primitive = now_primitive(self);
	const guint selected = gtk_single_selection_get_selected(self->selection);

	qs_column_refresh_all(self->list);
	if (primitive == QS_NONE || selected / 3 == primitive)
		return;
	self->quiet++;
	gtk_single_selection_set_selected(self->selection, 3 * primitive < self->table.count ? 3 * primitive : GTK_INVALID_LIST_POSITION);
	self->quiet--;
	self->scroll_frames = 2;
	if (!self->scroll)
		self->scroll = gtk_widget_add_tick_callback(GTK_WIDGET(self->list), scroll_tick, self, NULL);
}

static void selected(QsVerticesPanel *self)
{
	QsView *view = qs_session_get_view(SESSION(self));
	const guint row = gtk_single_selection_get_selected(self->selection);
	struct qs_moment moment;

	if (self->quiet || !view || !self->asked || row >= self->table.count || row / 3 == now_primitive(self))
		return;
	moment = self->asked->moment;
	moment.level = QS_LEVEL_PRIMITIVE;
	moment.primitive = row / 3;
	moment.quad = moment.fragment = moment.stage = 0;
	qs_session_seek(SESSION(self), &moment);
}

/* ---- asking ------------------------------------------------------------------------------------------------------------- */

static void forget_table(QsVerticesPanel *self)
{
	g_clear_pointer(&self->table.vertices, free); /* the engine's malloc */
	g_clear_pointer(&self->table.ports, g_free);
	memset(&self->table, 0, sizeof self->table);
}

static void got_vertices(GObject *owner, QsVerticesAnswer *answer, const struct qs_error *error)
{
	QsVerticesPanel *self = QS_VERTICES_PANEL(owner);
	g_autofree char *text = NULL;

	if (error && error->code == QS_ERR_CANCELLED)
		return;
	self->answered = TRUE;
	qs_counter_set(self->model, 0);
	forget_table(self);
	if (error) {
		qs_panel_set_empty(QS_PANEL(self), error->text);
		return;
	}
	qs_panel_set_empty(QS_PANEL(self), NULL);
	self->table = *answer;
	memset(answer, 0, sizeof *answer);
	text = g_strdup_printf("%u primitives, %u corners", self->table.count / 3, self->table.count);
	gtk_label_set_text(self->title, text);
	make_columns(self);
	follow_moment(self);
}

static gboolean same_draw(QsVerticesPanel *self, const QsView *view)
{
	const QsView *asked = self->asked;

	return asked && self->answered && asked->capture == view->capture && asked->moment.command == view->moment.command &&
		asked->model == view->model && !memcmp(asked->quirks, view->quirks, qs_machine_quirk_count(qs_view_machine(view)) * sizeof *view->quirks);
}

static void qs_vertices_panel_update(QsPanel *panel, guint changes)
{
	QsVerticesPanel *self = QS_VERTICES_PANEL(panel);
	QsView *view = qs_session_get_view(SESSION(self));

	if (!(changes & (QS_CHANGE_VIEW | QS_CHANGE_CAPTURE)))
		return;
	if (!view || !qs_view_in_draw(view) || qs_view_machine(view) != QS_MACHINE_GFX3D) {
		g_clear_pointer(&self->asked, qs_view_unref);
		qs_panel_set_empty(panel, view ? "There is no draw at this moment: step to one (F10), and its vertices are listed here." :
			"Open a capture of Gfx3D calls: the vertices of its draws are listed here.");
		return;
	}
	if (same_draw(self, view)) {
		follow_moment(self);
		return;
	}
	g_clear_pointer(&self->asked, qs_view_unref);
	self->asked = qs_view_ref(view);
	self->answered = FALSE;
	qs_request_vertices(SESSION(self), G_OBJECT(self), got_vertices);
}

/* ---- object ------------------------------------------------------------------------------------------------------------- */

static void qs_vertices_panel_focus(QsPanel *panel)
{
	gtk_widget_grab_focus(GTK_WIDGET(QS_VERTICES_PANEL(panel)->list));
}

static void qs_vertices_panel_constructed(GObject *object)
{
	QsVerticesPanel *self = QS_VERTICES_PANEL(object);

	G_OBJECT_CLASS(qs_vertices_panel_parent_class)->constructed(object);
	self->selection = gtk_single_selection_new(g_object_ref(G_LIST_MODEL(self->model)));
	gtk_single_selection_set_autoselect(self->selection, FALSE);
	gtk_single_selection_set_can_unselect(self->selection, TRUE);
	g_signal_connect_object(self->selection, "selection-changed", G_CALLBACK(selected), self, G_CONNECT_SWAPPED);
	gtk_column_view_set_model(self->list, GTK_SELECTION_MODEL(self->selection));
}

static void qs_vertices_panel_dispose(GObject *object)
{
	QsVerticesPanel *self = QS_VERTICES_PANEL(object);

	if (self->scroll) {
		gtk_widget_remove_tick_callback(GTK_WIDGET(self->list), self->scroll);
		self->scroll = 0;
	}
	if (self->list && self->selection)
		gtk_column_view_set_model(self->list, NULL);
	self->list = NULL;
	g_clear_object(&self->selection);
	g_clear_object(&self->model);
	g_clear_pointer(&self->asked, qs_view_unref);
	G_OBJECT_CLASS(qs_vertices_panel_parent_class)->dispose(object);
}

static void qs_vertices_panel_finalize(GObject *object)
{
	forget_table(QS_VERTICES_PANEL(object));
	G_OBJECT_CLASS(qs_vertices_panel_parent_class)->finalize(object);
}

static void qs_vertices_panel_init(QsVerticesPanel *self)
{
	self->model = qs_counter_new();
	gtk_widget_init_template(GTK_WIDGET(self));
}

static void qs_vertices_panel_class_init(QsVerticesPanelClass *klass)
{
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

	G_OBJECT_CLASS(klass)->constructed = qs_vertices_panel_constructed;
	G_OBJECT_CLASS(klass)->dispose = qs_vertices_panel_dispose;
	G_OBJECT_CLASS(klass)->finalize = qs_vertices_panel_finalize;
	QS_PANEL_CLASS(klass)->update = qs_vertices_panel_update;
	QS_PANEL_CLASS(klass)->focus = qs_vertices_panel_focus;
	gtk_widget_class_set_template_from_resource(widget_class, QS_RESOURCE "panels/qs-vertices-panel.ui");
	gtk_widget_class_bind_template_callback(widget_class, columns_toggled);
	gtk_widget_class_bind_template_child(widget_class, QsVerticesPanel, list);
	gtk_widget_class_bind_template_child(widget_class, QsVerticesPanel, title);
	gtk_widget_class_bind_template_child(widget_class, QsVerticesPanel, inputs);
	gtk_widget_class_bind_template_child(widget_class, QsVerticesPanel, outputs);
}
