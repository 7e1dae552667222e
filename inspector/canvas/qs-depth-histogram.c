/* qs-depth-histogram.c - see the header
 *
 * The axis spans what occurs in the picture and the shown range.  Heights are logarithms of the counts: one pixel at a depth
 * of its own is still to be seen beside a cleared background.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-depth-histogram.h"
#include <math.h>
#include <string.h>
#include "depth-stats.h"

#define HANDLE 6 /* how far from an end the pointer still takes it */
#define MARGIN 6

typedef enum { DRAG_NONE, DRAG_LOW, DRAG_HIGH, DRAG_BOTH } Drag;

struct _QsDepthHistogram {
	GtkWidget parent_instance;
	guint32 *depth; /* copy of the picture's */
	gsize count;
	guint32 min, max;            /* of the picture */
	guint32 axis_low, axis_high; /* of the bins */
	guint32 bins[QS_DEPTH_BINS], largest;
	gboolean stale;
	guint32 low, high;
	guint32 mark[QS_DEPTH_MARK_COUNT];
	gboolean good[QS_DEPTH_MARK_COUNT];
	Drag drag;
	guint32 drag_low, drag_high;
};

G_DEFINE_FINAL_TYPE(QsDepthHistogram, qs_depth_histogram, GTK_TYPE_WIDGET)

static guint range_changed_signal;

/* ---- axis --------------------------------------------------------------------------------------------------------------- */

static double plot_width(QsDepthHistogram *self)
{
	return MAX(gtk_widget_get_width(GTK_WIDGET(self)) - 2 * MARGIN, 1);
}

static double x_of(QsDepthHistogram *self, guint32 value)
{
	return MARGIN + ((double)value - self->axis_low) / ((double)self->axis_high - self->axis_low + 1) * plot_width(self);
}

static guint32 value_at(QsDepthHistogram *self, double x)
{
	const double value = self->axis_low + (x - MARGIN) / plot_width(self) * ((double)self->axis_high - self->axis_low + 1);

	return (guint32)CLAMP(value, 0, QS_DEPTH_MAX);
}

static void choose_axis(QsDepthHistogram *self)
{
	guint32 low = MIN(self->min, self->low), high = MAX(self->max, self->high);
	const guint32 room = (high - low) / 32 + 1;

	if (self->drag != DRAG_NONE) /* the axis does not run away under the pointer */
		return;
	low = low > room ? low - room : 0;
	high = MIN(high + room, QS_DEPTH_MAX);
	if (low == self->axis_low && high == self->axis_high)
		return;
	self->axis_low = low;
	self->axis_high = high;
	self->stale = TRUE;
}

static void count(QsDepthHistogram *self)
{
	const struct qs_image image = {.width = (uint32_t)self->count, .height = 1, .depth = self->depth};

	if (!self->stale)
		return;
	self->stale = FALSE;
	self->largest = 0;
	qs_depth_histogram(&image, self->axis_low, self->axis_high, self->bins);
	for (guint i = 0; i < QS_DEPTH_BINS; i++)
		self->largest = MAX(self->largest, self->bins[i]);
}

static void describe(QsDepthHistogram *self)
{
	g_autofree char *text = g_strdup_printf("depths 0x%06x to 0x%06x, range 0x%06x to 0x%06x", self->min, self->max, self->low,
		self->high);

	gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text,
		GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text, -1);
}

/* ---- public ------------------------------------------------------------------------------------------------------------- */

void qs_depth_histogram_set_image(QsDepthHistogram *self, const struct qs_image *image)
{
	const gsize pixels = image && image->depth ? (gsize)image->width * image->height : 0;
	const struct qs_rect all = {0, 0, G_MAXINT, G_MAXINT};

	if (pixels != self->count) {
		g_free(self->depth);
		self->depth = g_new(guint32, pixels);
		self->count = pixels;
	}
	if (pixels)
		memcpy(self->depth, image->depth, pixels * sizeof *self->depth);
	if (!pixels || !qs_depth_range(image, &all, NULL, &self->min, &self->max))
		self->min = self->max = 0;
	choose_axis(self);
	self->stale = TRUE;
	describe(self);
	gtk_widget_queue_draw(GTK_WIDGET(self));
}

void qs_depth_histogram_set_range(QsDepthHistogram *self, guint32 low, guint32 high)
{
	if (low == self->low && high == self->high)
		return;
	self->low = low;
	self->high = high;
	choose_axis(self);
	describe(self);
	gtk_widget_queue_draw(GTK_WIDGET(self));
}

void qs_depth_histogram_set_mark(QsDepthHistogram *self, QsDepthMark mark, guint32 value, gboolean good)
{
	if (self->mark[mark] == value && self->good[mark] == good)
		return;
	self->mark[mark] = value;
	self->good[mark] = good;
	gtk_widget_queue_draw(GTK_WIDGET(self));
}

/* ---- input -------------------------------------------------------------------------------------------------------------- */

static Drag handle_at(QsDepthHistogram *self, double x)
{
	const double low = x_of(self, self->low), high = x_of(self, self->high) + plot_width(self) / QS_DEPTH_BINS;

	if (fabs(x - low) <= HANDLE && fabs(x - low) <= fabs(x - high))
		return DRAG_LOW;
	if (fabs(x - high) <= HANDLE)
		return DRAG_HIGH;
	return x > low && x < high ? DRAG_BOTH : x < low ? DRAG_LOW : DRAG_HIGH;
}

static void set_range(QsDepthHistogram *self, guint32 low, guint32 high)
{
	if (low == self->low && high == self->high)
		return;
	qs_depth_histogram_set_range(self, low, high);
	g_signal_emit(self, range_changed_signal, 0, low, high);
}

static void drag_begin(GtkGestureDrag *drag, double x, double y, QsDepthHistogram *self)
{
	(void)drag;
	(void)y;
	self->drag = handle_at(self, x);
	self->drag_low = self->low;
	self->drag_high = self->high;
}

static void drag_update(GtkGestureDrag *drag, double dx, double dy, QsDepthHistogram *self)
{
	double x, y;
	guint32 at;
	gint64 shift;

	(void)dy;
	if (!gtk_gesture_drag_get_start_point(drag, &x, &y))
		return;
	at = value_at(self, x + dx);
	if (self->drag == DRAG_LOW) {
		set_range(self, MIN(at, self->drag_high > 0 ? self->drag_high - 1 : 0), self->drag_high);
	} else if (self->drag == DRAG_HIGH) {
		set_range(self, self->drag_low, MAX(at, MIN(self->drag_low + 1, QS_DEPTH_MAX)));
	} else if (self->drag == DRAG_BOTH) {
		shift = (gint64)at - value_at(self, x);
		shift = CLAMP(shift, -(gint64)self->drag_low, (gint64)QS_DEPTH_MAX - self->drag_high);
		set_range(self, (guint32)(self->drag_low + shift), (guint32)(self->drag_high + shift));
	}
}

static void drag_end(QsDepthHistogram *self)
{
	self->drag = DRAG_NONE;
	choose_axis(self);
	gtk_widget_queue_draw(GTK_WIDGET(self));
}

static void motion(QsDepthHistogram *self, double x)
{
	const Drag at = handle_at(self, x);

	gtk_widget_set_cursor_from_name(GTK_WIDGET(self), at == DRAG_BOTH ? "grab" : "ew-resize");
}

/* ---- widget ------------------------------------------------------------------------------------------------------------- */

static void paint_line(cairo_t *cr, double x, double height, double r, double g, double b)
{
	cairo_set_source_rgb(cr, r, g, b);
	cairo_rectangle(cr, floor(x), 0, 1, height);
	cairo_fill(cr);
}

static void paint_handle(cairo_t *cr, double x, double height, int side)
{
	cairo_rectangle(cr, x, 0, 1, height);
	cairo_fill(cr);
	cairo_move_to(cr, x + 0.5, 0);
	cairo_rel_line_to(cr, 6 * side, 0);
	cairo_rel_line_to(cr, -6 * side, 8);
	cairo_close_path(cr);
	cairo_fill(cr);
}

static void qs_depth_histogram_snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
	QsDepthHistogram *self = QS_DEPTH_HISTOGRAM(widget);
	const int width = gtk_widget_get_width(widget), height = gtk_widget_get_height(widget);
	cairo_t *cr = gtk_snapshot_append_cairo(snapshot, &GRAPHENE_RECT_INIT(0, 0, (float)width, (float)height));
	const double step = plot_width(self) / QS_DEPTH_BINS;
	const double low = floor(x_of(self, self->low)), high = ceil(x_of(self, self->high) + MIN(step, 1));
	GdkRGBA text;

	gtk_style_context_get_color(gtk_widget_get_style_context(widget), &text);
	count(self);
	gdk_cairo_set_source_rgba(cr, &(GdkRGBA){text.red, text.green, text.blue, 0.07f});
	cairo_paint(cr);
	gdk_cairo_set_source_rgba(cr, &(GdkRGBA){0.21f, 0.52f, 0.89f, 0.18f});
	cairo_rectangle(cr, low, 0, high - low, height);
	cairo_fill(cr);
	gdk_cairo_set_source_rgba(cr, &(GdkRGBA){text.red, text.green, text.blue, 0.75f});
	for (guint i = 0; i < QS_DEPTH_BINS; i++)
		if (self->bins[i]) {
			const double bar = MAX(log1p(self->bins[i]) / log1p(self->largest) * (height - 10), 1);

			cairo_rectangle(cr, MARGIN + i * step, height - bar, MAX(step, 1), bar);
		}
	cairo_fill(cr);
	if (self->mark[QS_DEPTH_MARK_POINTER] != QS_NONE)
		paint_line(cr, x_of(self, self->mark[QS_DEPTH_MARK_POINTER]), height, 0.6, 0.6, 0.6);
	if (self->mark[QS_DEPTH_MARK_INCOMING] != QS_NONE)
		paint_line(cr, x_of(self, self->mark[QS_DEPTH_MARK_INCOMING]), height, self->good[QS_DEPTH_MARK_INCOMING] ? 0.15 : 0.88,
			self->good[QS_DEPTH_MARK_INCOMING] ? 0.64 : 0.11, self->good[QS_DEPTH_MARK_INCOMING] ? 0.41 : 0.14);
	if (self->mark[QS_DEPTH_MARK_PICK] != QS_NONE)
		paint_line(cr, x_of(self, self->mark[QS_DEPTH_MARK_PICK]), height, 0.95, 0.7, 0.05);
	gdk_cairo_set_source_rgba(cr, &(GdkRGBA){0.21f, 0.52f, 0.89f, 1});
	paint_handle(cr, low, height, -1);
	paint_handle(cr, high - 1, height, 1);
	cairo_destroy(cr);
}

static void qs_depth_histogram_finalize(GObject *object)
{
	g_free(QS_DEPTH_HISTOGRAM(object)->depth);
	G_OBJECT_CLASS(qs_depth_histogram_parent_class)->finalize(object);
}

static void qs_depth_histogram_init(QsDepthHistogram *self)
{
	GtkGesture *drag = gtk_gesture_drag_new();
	GtkEventController *move = gtk_event_controller_motion_new();

	self->high = self->axis_high = QS_DEPTH_MAX;
	for (guint i = 0; i < QS_DEPTH_MARK_COUNT; i++)
		self->mark[i] = QS_NONE;
	g_signal_connect(drag, "drag-begin", G_CALLBACK(drag_begin), self);
	g_signal_connect(drag, "drag-update", G_CALLBACK(drag_update), self);
	g_signal_connect_swapped(drag, "drag-end", G_CALLBACK(drag_end), self);
	g_signal_connect_swapped(move, "motion", G_CALLBACK(motion), self);
	gtk_widget_add_controller(GTK_WIDGET(self), GTK_EVENT_CONTROLLER(drag));
	gtk_widget_add_controller(GTK_WIDGET(self), move);
}

static void qs_depth_histogram_class_init(QsDepthHistogramClass *klass)
{
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

	G_OBJECT_CLASS(klass)->finalize = qs_depth_histogram_finalize;
	widget_class->snapshot = qs_depth_histogram_snapshot;
	gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_IMG);
	range_changed_signal = g_signal_new("range-changed", QS_TYPE_DEPTH_HISTOGRAM, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
		G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_UINT);
}
