/* qs-plot-view.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-plot-view.h"
#include "plot-paint.h"
#include "widgets/qs-theme.h"

struct _QsPlotView {
	GtkWidget parent_instance;
	QsFigure *figure;
	cairo_surface_t *picture; /* without what the pointer adds */
	double pointer_x, pointer_y;
	gboolean inside;
};

G_DEFINE_FINAL_TYPE(QsPlotView, qs_plot_view, GTK_TYPE_WIDGET)

static void forget_picture(QsPlotView *self)
{
	g_clear_pointer(&self->picture, cairo_surface_destroy);
	gtk_widget_queue_draw(GTK_WIDGET(self));
}

static void describe(QsPlotView *self)
{
	g_autofree char *what = self->figure ? qs_figure_describe(self->figure) : g_strdup("no plot");
	g_autofree char *text = self->figure ? g_strdup_printf("%s: %s", self->figure->title, what) : g_strdup(what);

	gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text,
		GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text, -1);
}

void qs_plot_view_set_figure(QsPlotView *self, QsFigure *figure)
{
	g_set_object(&self->figure, figure);
	describe(self);
	forget_picture(self);
}

/* ---- drawing ------------------------------------------------------------------------------------------------------------ */

static void paint_pointer(QsPlotView *self, cairo_t *cr, const PlotPlace *place)
{
	const gboolean dark = qs_theme_is_dark(GTK_WIDGET(self));
	const double v = dark ? 1 : 0;
	double x, y, left;
	g_autofree char *text = self->inside ? plot_at(place, self->pointer_x, self->pointer_y, &x, &y) : NULL;
	cairo_text_extents_t size;

	if (!text)
		return;
	cairo_select_font_face(cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
	cairo_set_font_size(cr, 11);
	cairo_text_extents(cr, text, &size);
	cairo_set_source_rgba(cr, v, v, v, 0.35);
	cairo_set_line_width(cr, 1);
	cairo_move_to(cr, (int)x + 0.5, place->top);
	cairo_line_to(cr, (int)x + 0.5, place->top + place->height);
	cairo_stroke(cr);
	cairo_set_source_rgb(cr, 0.9, 0.4, 0);
	cairo_arc(cr, x, y, 3.5, 0, 2 * G_PI);
	cairo_fill(cr);
	left = CLAMP(x + 10, place->left, place->left + place->width - size.x_advance - 14);
	cairo_set_source_rgba(cr, 1 - v, 1 - v, 1 - v, 0.85);
	cairo_rectangle(cr, (int)left, place->top + 4, size.x_advance + 12, 19);
	cairo_fill(cr);
	cairo_set_source_rgb(cr, v, v, v);
	cairo_move_to(cr, (int)left + 6, place->top + 17);
	cairo_show_text(cr, text);
}

static cairo_surface_t *draw(const PlotPlace *place, int width, int height, int scale, gboolean dark, gboolean title)
{
	cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width * scale, height * scale);
	cairo_t *cr;

	cairo_surface_set_device_scale(surface, scale, scale);
	cr = cairo_create(surface);
	if (title) {
		cairo_set_source_rgb(cr, 1, 1, 1);
		cairo_paint(cr);
	}
	plot_paint(place, cr, dark, title);
	cairo_destroy(cr);
	return surface;
}

static void qs_plot_view_snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
	QsPlotView *self = QS_PLOT_VIEW(widget);
	const int width = gtk_widget_get_width(widget), height = gtk_widget_get_height(widget);
	PlotPlace place;
	cairo_t *cr;

	if (!self->figure || self->figure->kind == QS_FIGURE_TABLE || width < 40 || height < 40)
		return;
	plot_place(&place, self->figure, width, height, FALSE);
	if (!self->picture)
		self->picture = draw(&place, width, height, gtk_widget_get_scale_factor(widget), qs_theme_is_dark(widget), FALSE);
	cr = gtk_snapshot_append_cairo(snapshot, &GRAPHENE_RECT_INIT(0, 0, (float)width, (float)height));
	cairo_set_source_surface(cr, self->picture, 0, 0);
	cairo_paint(cr);
	paint_pointer(self, cr, &place);
	cairo_destroy(cr);
	plot_place_clear(&place);
}

gboolean qs_plot_view_export(QsFigure *figure, const char *path, int width, int height, GError **error)
{
	cairo_surface_t *surface;
	cairo_status_t status;
	PlotPlace place;

	plot_place(&place, figure, width, height, TRUE);
	surface = draw(&place, width, height, 2, FALSE, TRUE);
	plot_place_clear(&place);
	status = cairo_surface_write_to_png(surface, path);
	cairo_surface_destroy(surface);
	if (status != CAIRO_STATUS_SUCCESS)
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s", cairo_status_to_string(status));
	return status == CAIRO_STATUS_SUCCESS;
}

/* ---- object ------------------------------------------------------------------------------------------------------------- */

static void motion(QsPlotView *self, double x, double y)
{
	self->pointer_x = x;
	self->pointer_y = y;
	self->inside = TRUE;
	gtk_widget_queue_draw(GTK_WIDGET(self));
}

static void leave(QsPlotView *self)
{
	self->inside = FALSE;
	gtk_widget_queue_draw(GTK_WIDGET(self));
}

static void qs_plot_view_size_allocate(GtkWidget *widget, int width, int height, int baseline)
{
	(void)width;
	(void)height;
	(void)baseline;
	g_clear_pointer(&QS_PLOT_VIEW(widget)->picture, cairo_surface_destroy);
}

static void theme_changed(GtkWidget *widget)
{
	forget_picture(QS_PLOT_VIEW(widget));
}

static void qs_plot_view_finalize(GObject *object)
{
	QsPlotView *self = QS_PLOT_VIEW(object);

	g_clear_object(&self->figure);
	g_clear_pointer(&self->picture, cairo_surface_destroy);
	G_OBJECT_CLASS(qs_plot_view_parent_class)->finalize(object);
}

static void qs_plot_view_init(QsPlotView *self)
{
	GtkEventController *move = gtk_event_controller_motion_new();

	gtk_widget_set_hexpand(GTK_WIDGET(self), TRUE);
	gtk_widget_set_vexpand(GTK_WIDGET(self), TRUE);
	gtk_widget_set_overflow(GTK_WIDGET(self), GTK_OVERFLOW_HIDDEN);
	g_signal_connect_swapped(move, "enter", G_CALLBACK(motion), self);
	g_signal_connect_swapped(move, "motion", G_CALLBACK(motion), self);
	g_signal_connect_swapped(move, "leave", G_CALLBACK(leave), self);
	gtk_widget_add_controller(GTK_WIDGET(self), move);
	qs_theme_watch(GTK_WIDGET(self), theme_changed);
	describe(self);
}

static void qs_plot_view_class_init(QsPlotViewClass *klass)
{
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

	G_OBJECT_CLASS(klass)->finalize = qs_plot_view_finalize;
	widget_class->snapshot = qs_plot_view_snapshot;
	widget_class->size_allocate = qs_plot_view_size_allocate;
	gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_IMG);
	gtk_widget_class_set_css_name(widget_class, "qsplot");
}
