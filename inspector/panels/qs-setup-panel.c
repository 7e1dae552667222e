/* qs-setup-panel.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-setup-panel.h"
#include "canvas/qs-setup-view.h"
#include "qs-settings.h"
#include "setup-text.h"
#include "widgets/qs-split.h"

struct _QsSetupPanel {
	QsPanel parent_instance;
	GtkPaned *split;
	QsSetupView *view;
	GtkBox *zoom, *parts;
	GtkSpinButton *part;
	GtkLabel *part_count;
	GtkCheckButton *halves, *order, *numbers, *samples, *values, *box, *picture;
	GtkLabel *quad, *primitive, *vertices, *edges, *planes;
	GtkWidget *edges_title, *planes_title;
	gboolean updating;
};

G_DEFINE_FINAL_TYPE(QsSetupPanel, qs_setup_panel, QS_TYPE_PANEL)

#define SESSION(self) qs_panel_get_session(QS_PANEL(self))

static struct { const char *id; gsize offset; QsLayer layer; } const layer_buttons[] = {
	{"halves", G_STRUCT_OFFSET(QsSetupPanel, halves), QS_LAYER_HALVES},
	{"order", G_STRUCT_OFFSET(QsSetupPanel, order), QS_LAYER_ORDER},
	{"numbers", G_STRUCT_OFFSET(QsSetupPanel, numbers), QS_LAYER_NUMBERS},
	{"samples", G_STRUCT_OFFSET(QsSetupPanel, samples), QS_LAYER_SAMPLES},
	{"values", G_STRUCT_OFFSET(QsSetupPanel, values), QS_LAYER_VALUES},
	{"box", G_STRUCT_OFFSET(QsSetupPanel, box), QS_LAYER_BOX},
	{"picture", G_STRUCT_OFFSET(QsSetupPanel, picture), QS_LAYER_PICTURE},
};

/* ---- layers ------------------------------------------------------------------------------------------------------------- */

static GtkCheckButton *layer_button(QsSetupPanel *self, guint i)
{
	return G_STRUCT_MEMBER(GtkCheckButton *, self, layer_buttons[i].offset);
}

static void layers_changed(QsSetupPanel *self)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	guint layers = 0;

	for (guint i = 0; i < G_N_ELEMENTS(layer_buttons); i++)
		if (gtk_check_button_get_active(layer_button(self, i))) {
			layers |= layer_buttons[i].layer;
			g_ptr_array_add(names, (gpointer)layer_buttons[i].id);
		}
	g_ptr_array_add(names, NULL);
	g_settings_set_strv(qs_settings(), "setup-layers", (const char *const *)names->pdata);
	qs_setup_view_set_layers(self->view, layers);
}

static void restore_layers(QsSetupPanel *self)
{
	g_auto(GStrv) names = g_settings_get_strv(qs_settings(), "setup-layers");

	for (guint i = 0; i < G_N_ELEMENTS(layer_buttons); i++) {
		gtk_check_button_set_active(layer_button(self, i), g_strv_contains((const char *const *)names, layer_buttons[i].id));
		g_signal_connect_object(layer_button(self, i), "toggled", G_CALLBACK(layers_changed), self, G_CONNECT_SWAPPED);
	}
	layers_changed(self);
}

/* ---- tables ------------------------------------------------------------------------------------------------------------- */

static void set_markup(GtkLabel *label, char *markup)
{
	if (g_strcmp0(gtk_label_get_label(label), markup) != 0)
		gtk_label_set_markup(label, markup ? markup : "");
	g_free(markup);
}

static void show_quad(QsSetupPanel *self)
{
	QsView *view = qs_session_get_primitive(SESSION(self));
	QsQuadInfo info;
	gboolean hovered;

	if (qs_setup_view_get_quad(self->view, &info, &hovered))
		set_markup(self->quad, qs_setup_quad_markup(view, &info, hovered));
	else
		set_markup(self->quad, g_strdup("<span alpha='60%'>Point at a quad, here or in the frame;\n"
			"a click here goes to its moment.</span>"));
}

/* At a draw or between draws: why this primitive. */
static char *chosen_markup(QsSetupPanel *self, const QsView *primitive)
{
	QsView *view = qs_session_get_view(SESSION(self));
	QsTrace *trace = qs_session_get_trace(SESSION(self));
	g_autofree char *draw = NULL, *link = NULL, *pixel = NULL;

	if (primitive == view || !trace)
		return g_strdup("");
	pixel = g_strdup_printf("<a href=\"pixel:%d,%d\">%d,%d</a>", trace->x, trace->y, trace->x, trace->y);
	draw = g_strdup_printf("%u/%u", view->moment.frame, view->moment.draw);
	link = qs_link_moment(draw);
	if (!qs_view_in_draw(view))
		return g_strdup_printf("wrote %s last:\n", pixel);
	if (primitive->moment.command != view->moment.command)
		return g_strdup_printf("%s covers no pixel; wrote %s last:\n", link, pixel);
	return g_strdup_printf(primitive->has_quad ? "covers %s:\n" : "the last one with pixels; %s is not touched:\n", pixel);
}

static void show_record(QsSetupPanel *self, QsView *view)
{
	const guint part = MIN(qs_setup_view_get_part(self->view), view->setup_count - 1);
	char *edges = qs_setup_edges_markup(view, part), *planes = qs_setup_planes_markup(view, part);
	g_autofree char *count = g_strdup_printf("of %u", view->setup_count), *chosen = chosen_markup(self, view);
	g_autofree char *primitive = qs_setup_primitive_markup(view, part);

	self->updating = TRUE;
	gtk_widget_set_visible(GTK_WIDGET(self->parts), view->setup_count > 1);
	gtk_spin_button_set_range(self->part, 1, view->setup_count);
	gtk_spin_button_set_value(self->part, part + 1.0);
	gtk_label_set_text(self->part_count, count);
	self->updating = FALSE;
	gtk_widget_set_visible(self->edges_title, edges != NULL);
	gtk_widget_set_visible(GTK_WIDGET(self->edges), edges != NULL);
	gtk_widget_set_visible(self->planes_title, planes != NULL);
	gtk_widget_set_visible(GTK_WIDGET(self->planes), planes != NULL);
	set_markup(self->primitive, g_strconcat(chosen, primitive, NULL));
	set_markup(self->vertices, qs_setup_vertices_markup(view, part));
	set_markup(self->edges, edges);
	set_markup(self->planes, planes);
}

static void part_changed(QsSetupPanel *self)
{
	QsView *view = qs_session_get_primitive(SESSION(self));

	if (self->updating || !view || !view->setup_count)
		return;
	qs_setup_view_set_part(self->view, (guint)gtk_spin_button_get_value_as_int(self->part) - 1);
	show_record(self, view);
	show_quad(self);
}

static void qs_setup_panel_update(QsPanel *panel, guint changes)
{
	QsSetupPanel *self = QS_SETUP_PANEL(panel);
	QsView *view = qs_session_get_primitive(SESSION(self));

	if (!view || !view->setup_count) {
		qs_panel_set_empty(panel, !view ? "Open a capture: the triangle of the current moment is shown here." :
			view->setup_error && qs_view_in_draw(view) ? view->setup_error :
			"No primitive at this moment. Go to a draw (F10) or to one of its primitives (F11, F7).");
		return;
	}
	qs_panel_set_empty(panel, NULL);
	qs_setup_view_update(self->view, changes);
	if (changes & (QS_CHANGE_VIEW | QS_CHANGE_CAPTURE | QS_CHANGE_TRACE))
		show_record(self, view);
	if (changes & (QS_CHANGE_VIEW | QS_CHANGE_CAPTURE | QS_CHANGE_TRACE | QS_CHANGE_HOVER))
		show_quad(self);
}

/* ---- panel -------------------------------------------------------------------------------------------------------------- */

static void fit_triangle(QsSetupPanel *self)
{
	qs_canvas_zoom_fit(QS_CANVAS(self->view));
}

static void fit_quad(QsSetupPanel *self)
{
	qs_setup_view_show_quad(self->view);
}

static void qs_setup_panel_focus(QsPanel *panel)
{
	gtk_widget_grab_focus(GTK_WIDGET(QS_SETUP_PANEL(panel)->view));
}

static void qs_setup_panel_constructed(GObject *object)
{
	QsSetupPanel *self = QS_SETUP_PANEL(object);

	G_OBJECT_CLASS(qs_setup_panel_parent_class)->constructed(object);
	qs_setup_view_set_session(self->view, SESSION(self));
	gtk_box_append(self->zoom, qs_canvas_make_buttons(QS_CANVAS(self->view), "Whole primitive (F)",
		"Zoom; click: close to the quad and back (Z)"));
	restore_layers(self);
}

static void qs_setup_panel_init(QsSetupPanel *self)
{
	GtkLabel *labels[5];

	gtk_widget_init_template(GTK_WIDGET(self));
	labels[0] = self->quad;
	labels[1] = self->primitive;
	labels[2] = self->vertices;
	labels[3] = self->edges;
	labels[4] = self->planes;
	for (guint i = 0; i < G_N_ELEMENTS(labels); i++)
		qs_panel_watch_links(QS_PANEL(self), labels[i]);
	qs_split_turn(self->split, GTK_WIDGET(self->view), 38);
}

static void qs_setup_panel_class_init(QsSetupPanelClass *klass)
{
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

	g_type_ensure(QS_TYPE_SETUP_VIEW);
	G_OBJECT_CLASS(klass)->constructed = qs_setup_panel_constructed;
	QS_PANEL_CLASS(klass)->update = qs_setup_panel_update;
	QS_PANEL_CLASS(klass)->focus = qs_setup_panel_focus;
	gtk_widget_class_set_template_from_resource(widget_class, QS_RESOURCE "panels/qs-setup-panel.ui");
	gtk_widget_class_bind_template_callback(widget_class, fit_triangle);
	gtk_widget_class_bind_template_callback(widget_class, fit_quad);
	gtk_widget_class_bind_template_callback(widget_class, part_changed);
#define BIND(name) gtk_widget_class_bind_template_child(widget_class, QsSetupPanel, name)
	BIND(split);
	BIND(view);
	BIND(zoom);
	BIND(parts);
	BIND(part);
	BIND(part_count);
	BIND(halves);
	BIND(order);
	BIND(numbers);
	BIND(samples);
	BIND(values);
	BIND(box);
	BIND(picture);
	BIND(quad);
	BIND(primitive);
	BIND(vertices);
	BIND(edges);
	BIND(planes);
	BIND(edges_title);
	BIND(planes_title);
#undef BIND
}
