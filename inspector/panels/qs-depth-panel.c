/* qs-depth-panel.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-depth-panel.h"
#include <stdlib.h>
#include "canvas/depth-stats.h"
#include "canvas/qs-depth-histogram.h"
#include "canvas/qs-depth-view.h"
#include "depth-text.h"
#include "qs-settings.h"
#include "widgets/qs-split.h"


typedef enum { RANGE_FULL, RANGE_FRAME, RANGE_VISIBLE, RANGE_DRAW, RANGE_OWN } Range;

struct _QsDepthPanel {
	QsPanel parent_instance;
	GtkPaned *split;
	QsDepthView *view;
	QsDepthHistogram *histogram;
	GtkBox *zoom;
	GtkToggleButton *full, *frame, *visible, *draw, *linked, *tests;
	GtkDropDown *palette;
	GtkSpinButton *low, *high;
	GtkLabel *values, *test;
	Range range;
	gboolean updating;
};

G_DEFINE_FINAL_TYPE(QsDepthPanel, qs_depth_panel, QS_TYPE_PANEL)

#define SESSION(self) qs_panel_get_session(QS_PANEL(self))

static const char *const range_id[] = {"full", "frame", "visible", "draw", "own"};

/* ---- range -------------------------------------------------------------------------------------------------------------- */

static void set_range(QsDepthPanel *self, guint32 low, guint32 high)
{
	if (high <= low) { /* a flat buffer still needs two ends */
		if (low)
			low--;
		else
			high = low + 1;
	}
	self->updating = TRUE;
	gtk_spin_button_set_value(self->low, low);
	gtk_spin_button_set_value(self->high, high);
	self->updating = FALSE;
	qs_depth_view_set_range(self->view, low, high);
	qs_depth_histogram_set_range(self->histogram, low, high);
}

static GtkToggleButton *range_button(QsDepthPanel *self, Range range)
{
	GtkToggleButton *const buttons[] = {self->full, self->frame, self->visible, self->draw};

	return range < G_N_ELEMENTS(buttons) ? buttons[range] : NULL;
}

static void show_range_choice(QsDepthPanel *self)
{
	self->updating = TRUE;
	for (guint i = 0; i < RANGE_OWN; i++)
		gtk_toggle_button_set_active(range_button(self, i), self->range == i);
	self->updating = FALSE;
}

/* Fits the range again to what it follows. */
static void apply_range(QsDepthPanel *self)
{
	QsView *view = qs_session_get_view(SESSION(self));
	const struct qs_image *image = view ? &view->image[QS_BUFFER_DEPTH] : NULL;
	struct qs_rect rect = {0, 0, (int)qs_view_width(view), (int)qs_view_height(view)};
	const guint8 *mask = NULL;
	guint32 low = 0, high = QS_DEPTH_MAX;

	qs_depth_view_want_draw(self->view, self->range == RANGE_DRAW);
	if (self->range == RANGE_OWN || !image || !image->depth)
		return;
	if (self->range == RANGE_VISIBLE)
		rect = qs_depth_view_get_visible(self->view);
	if (self->range == RANGE_DRAW) {
		mask = qs_depth_view_get_draw(self->view);
		if (!mask)
			return; /* "draw-changed" comes */
	}
	if (self->range != RANGE_FULL && !qs_depth_range(image, &rect, mask, &low, &high))
		return;
	set_range(self, low, high);
}

static void choose_range(QsDepthPanel *self, Range range)
{
	self->range = range;
	g_settings_set_string(qs_settings(), "depth-range", range_id[range]);
	show_range_choice(self);
	apply_range(self);
}

static void range_toggled(GtkToggleButton *button, QsDepthPanel *self)
{
	if (self->updating)
		return;
	for (guint i = 0; i < RANGE_OWN; i++)
		if (range_button(self, i) == button)
			choose_range(self, i);
}

static void range_dragged(QsDepthPanel *self, guint low, guint high)
{
	choose_range(self, RANGE_OWN);
	set_range(self, low, high);
}

static void range_typed(GtkSpinButton *button, QsDepthPanel *self)
{
	guint32 low, high;

	if (self->updating)
		return;
	low = (guint32)gtk_spin_button_get_value(self->low);
	high = (guint32)gtk_spin_button_get_value(self->high);
	if (high <= low) { /* the other end gives way */
		if (button == self->low)
			high = MIN(low + 1, QS_DEPTH_MAX);
		else
			low = high ? high - 1 : 0;
	}
	choose_range(self, RANGE_OWN);
	set_range(self, low, high);
}

/* Spin buttons in hexadecimal; "1000d" style decimal is not needed, 0x is taken. */
static int hex_input(GtkSpinButton *button, double *value)
{
	const char *text = gtk_editable_get_text(GTK_EDITABLE(button));
	char *end;
	const guint64 number = g_ascii_strtoull(text, &end, 16);

	if (end == text || *end || number > QS_DEPTH_MAX)
		return GTK_INPUT_ERROR;
	*value = (double)number;
	return TRUE;
}

static gboolean hex_output(GtkSpinButton *button)
{
	g_autofree char *text = g_strdup_printf("%06x", (guint)gtk_spin_button_get_value(button));

	if (g_strcmp0(gtk_editable_get_text(GTK_EDITABLE(button)), text) != 0)
		gtk_editable_set_text(GTK_EDITABLE(button), text);
	return TRUE;
}

/* ---- update ------------------------------------------------------------------------------------------------------------- */

static void set_markup(GtkLabel *label, char *markup)
{
	if (g_strcmp0(gtk_label_get_label(label), markup) != 0)
		gtk_label_set_markup(label, markup);
	g_free(markup);
}

static void show_marks(QsDepthPanel *self)
{
	QsView *view = qs_session_get_view(SESSION(self));
	QsTrace *trace = qs_session_get_trace(SESSION(self));
	const struct qs_fragment *f = trace && trace->found ? &trace->quad.fragment[trace->fragment] : NULL;
	guint8 rgba[4];
	guint32 z;
	int x, y;

	if (!qs_session_get_pick(SESSION(self), &x, &y) || !qs_view_pixel(view, QS_BUFFER_DEPTH, x, y, rgba, &z))
		z = QS_NONE;
	qs_depth_histogram_set_mark(self->histogram, QS_DEPTH_MARK_PICK, z, TRUE);
	if (!qs_session_get_hover(SESSION(self), &x, &y) || !qs_view_pixel(view, QS_BUFFER_DEPTH, x, y, rgba, &z))
		z = QS_NONE;
	qs_depth_histogram_set_mark(self->histogram, QS_DEPTH_MARK_POINTER, z, TRUE);
	qs_depth_histogram_set_mark(self->histogram, QS_DEPTH_MARK_INCOMING, f && f->z_tested ? f->z : QS_NONE, f && f->z_passed);
}

static void qs_depth_panel_update(QsPanel *panel, guint changes)
{
	QsDepthPanel *self = QS_DEPTH_PANEL(panel);
	QsView *view = qs_session_get_view(SESSION(self));

	if (!view || !view->image[QS_BUFFER_DEPTH].depth) {
		qs_panel_set_empty(panel, view ? view->image_error[QS_BUFFER_DEPTH] : "Open a capture: its depth buffer is shown here.");
		return;
	}
	qs_panel_set_empty(panel, NULL);
	qs_depth_view_update(self->view, changes);
	if (changes & (QS_CHANGE_VIEW | QS_CHANGE_CAPTURE)) {
		qs_depth_histogram_set_image(self->histogram, &view->image[QS_BUFFER_DEPTH]);
		apply_range(self);
	}
	if (changes & (QS_CHANGE_VIEW | QS_CHANGE_CAPTURE | QS_CHANGE_PICK | QS_CHANGE_HOVER | QS_CHANGE_TRACE)) {
		set_markup(self->values, qs_depth_values_markup(SESSION(self)));
		show_marks(self);
	}
	if (changes & (QS_CHANGE_VIEW | QS_CHANGE_CAPTURE | QS_CHANGE_PICK | QS_CHANGE_TRACE))
		set_markup(self->test, qs_depth_test_markup(SESSION(self)));
}

static void place_changed(QsDepthPanel *self)
{
	if (self->range == RANGE_VISIBLE)
		apply_range(self);
}

/* ---- options ------------------------------------------------------------------------------------------------------------ */

static void palette_changed(QsDepthPanel *self)
{
	const guint palette = gtk_drop_down_get_selected(self->palette);

	g_settings_set_int(qs_settings(), "depth-palette", (int)palette);
	qs_depth_view_set_palette(self->view, (QsDepthPalette)palette);
}

static void linked_changed(QsDepthPanel *self)
{
	const gboolean linked = gtk_toggle_button_get_active(self->linked);

	g_settings_set_boolean(qs_settings(), "depth-linked", linked);
	qs_depth_view_set_linked(self->view, linked);
}

static void tests_changed(QsDepthPanel *self)
{
	qs_depth_view_set_tests(self->view, gtk_toggle_button_get_active(self->tests));
}

static void qs_depth_panel_focus(QsPanel *panel)
{
	gtk_widget_grab_focus(GTK_WIDGET(QS_DEPTH_PANEL(panel)->view));
}

static void qs_depth_panel_constructed(GObject *object)
{
	QsDepthPanel *self = QS_DEPTH_PANEL(object);
	g_autofree char *range = g_settings_get_string(qs_settings(), "depth-range");

	G_OBJECT_CLASS(qs_depth_panel_parent_class)->constructed(object);
	qs_depth_view_set_session(self->view, SESSION(self));
	gtk_box_append(self->zoom, qs_canvas_make_buttons(QS_CANVAS(self->view), "Whole picture (F)",
		"Zoom; click: close to the picked pixel and back (Z)"));
	gtk_drop_down_set_selected(self->palette, (guint)CLAMP(g_settings_get_int(qs_settings(), "depth-palette"), 0, 2));
	gtk_toggle_button_set_active(self->linked, g_settings_get_boolean(qs_settings(), "depth-linked"));
	for (guint i = 0; i < RANGE_OWN; i++)
		if (g_str_equal(range, range_id[i]))
			self->range = i;
	show_range_choice(self);
	linked_changed(self);
	palette_changed(self);
	apply_range(self);
}

static void qs_depth_panel_init(QsDepthPanel *self)
{
	gtk_widget_init_template(GTK_WIDGET(self));
	qs_panel_watch_links(QS_PANEL(self), self->test);
	qs_split_turn(self->split, GTK_WIDGET(self->view), 50);
	set_range(self, 0, QS_DEPTH_MAX);
	g_signal_connect_object(self->view, "zoom-changed", G_CALLBACK(place_changed), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(self->view, "draw-changed", G_CALLBACK(apply_range), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(self->histogram, "range-changed", G_CALLBACK(range_dragged), self, G_CONNECT_SWAPPED);
}

static void qs_depth_panel_class_init(QsDepthPanelClass *klass)
{
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

	g_type_ensure(QS_TYPE_DEPTH_VIEW);
	g_type_ensure(QS_TYPE_DEPTH_HISTOGRAM);
	G_OBJECT_CLASS(klass)->constructed = qs_depth_panel_constructed;
	QS_PANEL_CLASS(klass)->update = qs_depth_panel_update;
	QS_PANEL_CLASS(klass)->focus = qs_depth_panel_focus;
	gtk_widget_class_set_template_from_resource(widget_class, QS_RESOURCE "panels/qs-depth-panel.ui");
	gtk_widget_class_bind_template_callback(widget_class, range_toggled);
	gtk_widget_class_bind_template_callback(widget_class, range_typed);
	gtk_widget_class_bind_template_callback(widget_class, hex_input);
	gtk_widget_class_bind_template_callback(widget_class, hex_output);
	gtk_widget_class_bind_template_callback(widget_class, palette_changed);
	gtk_widget_class_bind_template_callback(widget_class, linked_changed);
	gtk_widget_class_bind_template_callback(widget_class, tests_changed);
#define BIND(name) gtk_widget_class_bind_template_child(widget_class, QsDepthPanel, name)
	BIND(split);
	BIND(view);
	BIND(histogram);
	BIND(zoom);
	BIND(full);
	BIND(frame);
	BIND(visible);
	BIND(draw);
	BIND(linked);
	BIND(tests);
	BIND(palette);
	BIND(low);
	BIND(high);
	BIND(values);
	BIND(test);
#undef BIND
}
