/* qs-canvas.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-canvas.h"
#include <math.h>
#include "quadscope.h"

#define CLICK_DISTANCE 4 /* screen pixels: farther is a drag */
#define MARGIN 1.03      /* around what fit and close-up show */

static const double zooms[] = {
	1 / 16.0, 1 / 8.0, 0.25, 0.5, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 160};

typedef struct {
	QsPlace place, back; /* back: before the close-up */
	double x, y, back_x, back_y; /* the middle: stays when the size changes */
	gboolean close, moved, embedded;
	double pointer_x, pointer_y, drag_left, drag_top;
	gboolean pointer_inside;
	cairo_surface_t *still; /* what paint() drew last */
} QsCanvasPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE(QsCanvas, qs_canvas, GTK_TYPE_WIDGET)

#define PRIVATE(self) ((QsCanvasPrivate *)qs_canvas_get_instance_private(self))

static guint zoom_changed_signal;

/* ---- geometry ----------------------------------------------------------------------------------------------------------- */

static double width_of(QsCanvas *self)
{
	return MAX(gtk_widget_get_width(GTK_WIDGET(self)), 1);
}

static double height_of(QsCanvas *self)
{
	return MAX(gtk_widget_get_height(GTK_WIDGET(self)), 1);
}

static QsArea bounds_of(QsCanvas *self)
{
	QsCanvasClass *klass = QS_CANVAS_GET_CLASS(self);

	return klass->bounds ? klass->bounds(self) : klass->area(self);
}

const QsPlace *qs_canvas_get_place(QsCanvas *self)
{
	return &PRIVATE(self)->place;
}

void qs_canvas_get_middle(QsCanvas *self, double *x, double *y)
{
	*x = PRIVATE(self)->x;
	*y = PRIVATE(self)->y;
}

/* The middle stays inside the bounds; pixels of the picture stay on whole pixels of the screen. */
static void set_middle(QsCanvas *self, double x, double y)
{
	QsPlace *place = &PRIVATE(self)->place;
	const QsArea b = bounds_of(self);

	x = CLAMP(x, b.x0, MAX(b.x0, b.x1));
	y = CLAMP(y, b.y0, MAX(b.y0, b.y1));
	PRIVATE(self)->x = x;
	PRIVATE(self)->y = y;
	place->left = floor((x - width_of(self) / place->scale / 2) * place->scale + 0.5) / place->scale;
	place->top = floor((y - height_of(self) / place->scale / 2) * place->scale + 0.5) / place->scale;
}

void qs_canvas_redraw(QsCanvas *self)
{
	g_clear_pointer(&PRIVATE(self)->still, cairo_surface_destroy);
	gtk_widget_queue_draw(GTK_WIDGET(self));
}

static void changed(QsCanvas *self)
{
	qs_canvas_redraw(self);
	g_signal_emit(self, zoom_changed_signal, 0);
}

static double limited(QsCanvas *self, double scale)
{
	return CLAMP(scale, zooms[0], QS_CANVAS_GET_CLASS(self)->max_scale);
}

/* Largest whole factor at which the area fits: pixels stay equal.  Below 1 any factor will do. */
static double scale_for(QsCanvas *self, QsArea area)
{
	const double margin = area.x1 - area.x0 < 400 ? MARGIN : 1;
	const double all = MIN(width_of(self) / MAX((area.x1 - area.x0) * margin, 1e-3),
		height_of(self) / MAX((area.y1 - area.y0) * margin, 1e-3));

	return limited(self, all >= 1 ? floor(all) : all);
}

static void apply_fit(QsCanvas *self)
{
	QsPlace *place = &PRIVATE(self)->place;
	QsArea area;

	if (!place->fit)
		return;
	area = QS_CANVAS_GET_CLASS(self)->area(self);
	place->scale = scale_for(self, area);
	set_middle(self, (area.x0 + area.x1) / 2, (area.y0 + area.y1) / 2);
}

void qs_canvas_refit(QsCanvas *self)
{
	double x, y;

	if (PRIVATE(self)->place.fit) {
		apply_fit(self);
	} else {
		qs_canvas_get_middle(self, &x, &y);
		set_middle(self, x, y);
	}
	changed(self);
}

void qs_canvas_show_area(QsCanvas *self, QsArea area)
{
	QsPlace *place = &PRIVATE(self)->place;

	place->fit = FALSE;
	place->scale = scale_for(self, area);
	set_middle(self, (area.x0 + area.x1) / 2, (area.y0 + area.y1) / 2);
	changed(self);
}

void qs_canvas_reveal(QsCanvas *self, QsArea area)
{
	const QsPlace *place = &PRIVATE(self)->place;
	const double right = place->left + width_of(self) / place->scale, bottom = place->top + height_of(self) / place->scale;

	if (area.x0 >= place->left && area.y0 >= place->top && area.x1 <= right && area.y1 <= bottom)
		return;
	PRIVATE(self)->place.fit = FALSE;
	set_middle(self, (area.x0 + area.x1) / 2, (area.y0 + area.y1) / 2);
	changed(self);
}

void qs_canvas_follow(QsCanvas *self, double scale, double x, double y, gboolean fit)
{
	QsPlace *place = &PRIVATE(self)->place;

	place->fit = fit;
	if (fit) {
		apply_fit(self);
	} else {
		place->scale = limited(self, scale);
		set_middle(self, x, y);
	}
	changed(self);
}

/* The picture point under (x, y) of the widget stays there. */
static void zoom_about(QsCanvas *self, double scale, double x, double y)
{
	QsPlace *place = &PRIVATE(self)->place;
	const double px = place->left + x / place->scale, py = place->top + y / place->scale;

	place->fit = FALSE;
	place->scale = limited(self, scale);
	set_middle(self, px + (width_of(self) / 2 - x) / place->scale, py + (height_of(self) / 2 - y) / place->scale);
	changed(self);
}

void qs_canvas_zoom_step(QsCanvas *self, int direction)
{
	QsCanvasPrivate *priv = PRIVATE(self);
	double scale = priv->place.scale, x = width_of(self) / 2, y = height_of(self) / 2;

	if (direction > 0) {
		for (guint i = 0; i < G_N_ELEMENTS(zooms); i++)
			if (zooms[i] > priv->place.scale * 1.001) {
				scale = zooms[i];
				break;
			}
	} else {
		for (guint i = G_N_ELEMENTS(zooms); i-- > 0;)
			if (zooms[i] < priv->place.scale * 0.999) {
				scale = zooms[i];
				break;
			}
	}
	if (priv->pointer_inside) {
		x = priv->pointer_x;
		y = priv->pointer_y;
	} else if (QS_CANVAS_GET_CLASS(self)->close_up) {
		const QsArea area = QS_CANVAS_GET_CLASS(self)->close_up(self);
		const double cx = qs_place_x(&priv->place, (area.x0 + area.x1) / 2), cy = qs_place_y(&priv->place, (area.y0 + area.y1) / 2);

		if (cx >= 0 && cy >= 0 && cx < 2 * x && cy < 2 * y) {
			x = cx;
			y = cy;
		}
	}
	zoom_about(self, scale, x, y);
}

void qs_canvas_zoom_fit(QsCanvas *self)
{
	PRIVATE(self)->place.fit = TRUE;
	PRIVATE(self)->close = FALSE;
	apply_fit(self);
	changed(self);
}

void qs_canvas_zoom_close(QsCanvas *self)
{
	QsCanvasPrivate *priv = PRIVATE(self);

	if (!QS_CANVAS_GET_CLASS(self)->close_up)
		return;
	if (priv->close && !priv->place.fit) {
		priv->close = FALSE;
		priv->place = priv->back;
		set_middle(self, priv->back_x, priv->back_y);
		qs_canvas_refit(self);
		return;
	}
	priv->back = priv->place;
	priv->back_x = priv->x;
	priv->back_y = priv->y;
	priv->close = TRUE;
	qs_canvas_show_area(self, QS_CANVAS_GET_CLASS(self)->close_up(self));
}

/* ---- input -------------------------------------------------------------------------------------------------------------- */

static void point(QsCanvas *self, double x, double y)
{
	QsCanvasPrivate *priv = PRIVATE(self);

	priv->pointer_x = x;
	priv->pointer_y = y;
	priv->pointer_inside = TRUE;
	if (QS_CANVAS_GET_CLASS(self)->point)
		QS_CANVAS_GET_CLASS(self)->point(self, priv->place.left + x / priv->place.scale, priv->place.top + y / priv->place.scale,
			TRUE);
}

static void leave(QsCanvas *self)
{
	PRIVATE(self)->pointer_inside = FALSE;
	if (QS_CANVAS_GET_CLASS(self)->point)
		QS_CANVAS_GET_CLASS(self)->point(self, 0, 0, FALSE);
}

static void pan_begin(GtkGestureDrag *drag, double x, double y, QsCanvas *self)
{
	QsCanvasPrivate *priv = PRIVATE(self);

	(void)drag;
	(void)x;
	(void)y;
	gtk_widget_grab_focus(GTK_WIDGET(self));
	priv->moved = FALSE;
	priv->drag_left = priv->place.left;
	priv->drag_top = priv->place.top;
}

static void pan_update(GtkGestureDrag *drag, double dx, double dy, QsCanvas *self)
{
	QsCanvasPrivate *priv = PRIVATE(self);

	(void)drag;
	if (!priv->moved && hypot(dx, dy) < CLICK_DISTANCE)
		return;
	priv->moved = TRUE;
	priv->place.fit = FALSE;
	set_middle(self, priv->drag_left + (width_of(self) / 2 - dx) / priv->place.scale,
		priv->drag_top + (height_of(self) / 2 - dy) / priv->place.scale);
	changed(self);
}

static void to_picture(QsCanvas *self, double *x, double *y)
{
	const QsPlace *place = &PRIVATE(self)->place;

	*x = place->left + *x / place->scale;
	*y = place->top + *y / place->scale;
}

static void primary_begin(GtkGestureDrag *drag, double x, double y, QsCanvas *self)
{
	pan_begin(drag, x, y, self);
	to_picture(self, &x, &y);
	if (QS_CANVAS_GET_CLASS(self)->drag)
		QS_CANVAS_GET_CLASS(self)->drag(self, x, y);
}

static void primary_update(GtkGestureDrag *drag, double dx, double dy, QsCanvas *self)
{
	double x, y;

	if (!QS_CANVAS_GET_CLASS(self)->drag) {
		pan_update(drag, dx, dy, self);
	} else if (gtk_gesture_drag_get_start_point(drag, &x, &y)) {
		x += dx;
		y += dy;
		to_picture(self, &x, &y);
		QS_CANVAS_GET_CLASS(self)->drag(self, x, y);
	}
}

static void primary_end(GtkGestureDrag *drag, double dx, double dy, QsCanvas *self)
{
	double x, y;

	(void)dx;
	(void)dy;
	if (QS_CANVAS_GET_CLASS(self)->drag || PRIVATE(self)->moved || !QS_CANVAS_GET_CLASS(self)->click ||
		!gtk_gesture_drag_get_start_point(drag, &x, &y))
		return;
	to_picture(self, &x, &y);
	QS_CANVAS_GET_CLASS(self)->click(self, x, y, 1);
}

static void pressed(GtkGestureClick *click, int n, double x, double y, QsCanvas *self)
{
	(void)click;
	to_picture(self, &x, &y);
	if (n == 2 && QS_CANVAS_GET_CLASS(self)->click)
		QS_CANVAS_GET_CLASS(self)->click(self, x, y, 2);
}

static gboolean scrolled(GtkEventControllerScroll *scroll, double dx, double dy, QsCanvas *self)
{
	const GdkModifierType state = gtk_event_controller_get_current_event_state(GTK_EVENT_CONTROLLER(scroll));
	GdkDevice *device = gtk_event_controller_get_current_event_device(GTK_EVENT_CONTROLLER(scroll));
	const gboolean touchpad = device && gdk_device_get_source(device) == GDK_SOURCE_TOUCHPAD;
	double x, y;

	if (PRIVATE(self)->embedded && !(state & GDK_CONTROL_MASK))
		return FALSE;
	if (!(state & GDK_CONTROL_MASK) && (touchpad || state & GDK_SHIFT_MASK)) {
		const double step = (touchpad ? 10 : 40) / PRIVATE(self)->place.scale;
		const gboolean sideways = state & GDK_SHIFT_MASK && dx == 0;

		PRIVATE(self)->place.fit = FALSE;
		qs_canvas_get_middle(self, &x, &y);
		set_middle(self, x + (sideways ? dy : dx) * step, y + (sideways ? 0 : dy) * step);
		changed(self);
	} else if (dy != 0) {
		qs_canvas_zoom_step(self, dy < 0 ? 1 : -1);
	}
	return TRUE;
}

void qs_canvas_set_embedded(QsCanvas *self, gboolean embedded)
{
	PRIVATE(self)->embedded = embedded;
}

static gboolean key_pressed(QsCanvas *self, guint key, guint code, GdkModifierType state)
{
	(void)code;
	if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK))
		return FALSE;
	switch (gdk_keyval_to_lower(key)) {
	case GDK_KEY_z: qs_canvas_zoom_close(self); return TRUE;
	case GDK_KEY_f: qs_canvas_zoom_fit(self); return TRUE;
	case GDK_KEY_plus:
	case GDK_KEY_equal:
	case GDK_KEY_KP_Add: qs_canvas_zoom_step(self, 1); return TRUE;
	case GDK_KEY_minus:
	case GDK_KEY_KP_Subtract: qs_canvas_zoom_step(self, -1); return TRUE;
	default: return QS_CANVAS_GET_CLASS(self)->key && QS_CANVAS_GET_CLASS(self)->key(self, key, state);
	}
}

static void add_input(QsCanvas *self)
{
	GtkWidget *widget = GTK_WIDGET(self);
	GtkEventController *move = gtk_event_controller_motion_new(), *keys = gtk_event_controller_key_new();
	GtkEventController *scroll = gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
	GtkGesture *primary = gtk_gesture_drag_new(), *pan = gtk_gesture_drag_new(), *click = gtk_gesture_click_new();

	g_signal_connect_swapped(move, "motion", G_CALLBACK(point), self);
	g_signal_connect_swapped(move, "enter", G_CALLBACK(point), self);
	g_signal_connect_swapped(move, "leave", G_CALLBACK(leave), self);
	g_signal_connect(scroll, "scroll", G_CALLBACK(scrolled), self);
	g_signal_connect_swapped(keys, "key-pressed", G_CALLBACK(key_pressed), self);
	g_signal_connect(primary, "drag-begin", G_CALLBACK(primary_begin), self);
	g_signal_connect(primary, "drag-update", G_CALLBACK(primary_update), self);
	g_signal_connect(primary, "drag-end", G_CALLBACK(primary_end), self);
	gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(pan), GDK_BUTTON_MIDDLE);
	g_signal_connect(pan, "drag-begin", G_CALLBACK(pan_begin), self);
	g_signal_connect(pan, "drag-update", G_CALLBACK(pan_update), self);
	g_signal_connect(click, "pressed", G_CALLBACK(pressed), self);
	gtk_gesture_group(click, primary);
	gtk_widget_add_controller(widget, move);
	gtk_widget_add_controller(widget, scroll);
	gtk_widget_add_controller(widget, keys);
	gtk_widget_add_controller(widget, GTK_EVENT_CONTROLLER(primary));
	gtk_widget_add_controller(widget, GTK_EVENT_CONTROLLER(pan));
	gtk_widget_add_controller(widget, GTK_EVENT_CONTROLLER(click));
}

/* ---- widget ------------------------------------------------------------------------------------------------------------- */

void qs_canvas_describe(QsCanvas *self, const char *text)
{
	gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text,
		GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text, -1);
}

/* The picture is kept: what follows the pointer is drawn over it within a frame. */
static cairo_surface_t *still(QsCanvas *self, int width, int height)
{
	QsCanvasPrivate *priv = PRIVATE(self);
	const int factor = gtk_widget_get_scale_factor(GTK_WIDGET(self));
	cairo_t *cr;

	if (priv->still)
		return priv->still;
	priv->still = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width * factor, height * factor);
	cairo_surface_set_device_scale(priv->still, factor, factor);
	cr = cairo_create(priv->still);
	/* The same neutral surroundings in light and dark, as around the frame: colours are judged here. */
	cairo_set_source_rgb(cr, 0.17, 0.17, 0.18);
	cairo_paint(cr);
	QS_CANVAS_GET_CLASS(self)->paint(self, cr, width, height);
	cairo_destroy(cr);
	return priv->still;
}

static void qs_canvas_snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
	const int width = gtk_widget_get_width(widget), height = gtk_widget_get_height(widget);
	const graphene_rect_t bounds = GRAPHENE_RECT_INIT(0, 0, (float)width, (float)height);
	cairo_t *cr;

	if (width <= 0 || height <= 0)
		return;
	gtk_snapshot_push_clip(snapshot, &bounds);
	cr = gtk_snapshot_append_cairo(snapshot, &bounds);
	cairo_set_source_surface(cr, still(QS_CANVAS(widget), width, height), 0, 0);
	cairo_paint(cr);
	if (QS_CANVAS_GET_CLASS(widget)->paint_over)
		QS_CANVAS_GET_CLASS(widget)->paint_over(QS_CANVAS(widget), cr, width, height);
	cairo_destroy(cr);
	gtk_snapshot_pop(snapshot);
}

static gboolean tell_zoom(gpointer user)
{
	g_signal_emit(user, zoom_changed_signal, 0);
	return G_SOURCE_REMOVE;
}

static void qs_canvas_size_allocate(GtkWidget *widget, int width, int height, int baseline)
{
	QsCanvas *self = QS_CANVAS(widget);

	GTK_WIDGET_CLASS(qs_canvas_parent_class)->size_allocate(widget, width, height, baseline);
	if (PRIVATE(self)->place.fit)
		apply_fit(self);
	else
		set_middle(self, PRIVATE(self)->x, PRIVATE(self)->y);
	g_clear_pointer(&PRIVATE(self)->still, cairo_surface_destroy);
	/* Whoever listens changes labels, which must not be done inside an allocation. */
	g_idle_add_full(G_PRIORITY_DEFAULT, tell_zoom, g_object_ref(self), g_object_unref);
}

static void qs_canvas_dispose(GObject *object)
{
	g_clear_pointer(&PRIVATE(QS_CANVAS(object))->still, cairo_surface_destroy);
	G_OBJECT_CLASS(qs_canvas_parent_class)->dispose(object);
}

static void qs_canvas_init(QsCanvas *self)
{
	PRIVATE(self)->place = (QsPlace){.scale = 1, .fit = TRUE};
	gtk_widget_set_focusable(GTK_WIDGET(self), TRUE);
	g_signal_connect(self, "notify::scale-factor", G_CALLBACK(qs_canvas_redraw), NULL);
	add_input(self);
}

static void qs_canvas_class_init(QsCanvasClass *klass)
{
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

	G_OBJECT_CLASS(klass)->dispose = qs_canvas_dispose;
	klass->max_scale = 64;
	widget_class->snapshot = qs_canvas_snapshot;
	widget_class->size_allocate = qs_canvas_size_allocate;
	gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_IMG);
	gtk_widget_class_set_css_name(widget_class, "qscanvas");
	zoom_changed_signal = g_signal_new("zoom-changed", QS_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

/* ---- buttons ------------------------------------------------------------------------------------------------------------ */

static void zoom_out(QsCanvas *self)
{
	qs_canvas_zoom_step(self, -1);
}

static void zoom_in(QsCanvas *self)
{
	qs_canvas_zoom_step(self, 1);
}

static void show_factor(QsCanvas *self, GtkButton *button)
{
	const double zoom = PRIVATE(self)->place.scale;
	g_autofree char *text = zoom >= 1 ? g_strdup_printf("×%g", zoom) : g_strdup_printf("%.0f %%", zoom * 100);

	if (g_strcmp0(gtk_button_get_label(button), text) != 0)
		gtk_button_set_label(button, text);
}

static GtkWidget *add_button(QsCanvas *self, GtkWidget *box, const char *icon, const char *name, const char *tip, void (*act)(QsCanvas *))
{
	GtkWidget *button = icon ? gtk_button_new_from_icon_name(icon) : gtk_button_new_with_label("×1");

	gtk_widget_set_tooltip_text(button, tip);
	if (icon)
		gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
	g_signal_connect_object(button, "clicked", G_CALLBACK(act), self, G_CONNECT_SWAPPED);
	gtk_box_append(GTK_BOX(box), button);
	return button;
}

GtkWidget *qs_canvas_make_buttons(QsCanvas *self, const char *fit_tip, const char *close_tip)
{
	GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0), *factor;

	gtk_widget_add_css_class(box, "linked");
	add_button(self, box, "zoom-out-symbolic", "Zoom out", "Smaller (-)", zoom_out);
	factor = add_button(self, box, NULL, NULL, close_tip, qs_canvas_zoom_close);
	gtk_widget_set_size_request(factor, 52, -1);
	add_button(self, box, "zoom-in-symbolic", "Zoom in", "Larger (+)", zoom_in);
	add_button(self, box, "zoom-fit-best-symbolic", "Fit", fit_tip, qs_canvas_zoom_fit);
	g_signal_connect_object(self, "zoom-changed", G_CALLBACK(show_factor), factor, 0);
	return box;
}

/* ---- drawing helpers ---------------------------------------------------------------------------------------------------- */

static guint32 multiplied(guint32 value, guint32 alpha)
{
	return (value * alpha + 127) / 255;
}

cairo_surface_t *qs_canvas_surface(const guint8 *rgba, guint width, guint height, guint channel, gboolean opaque)
{
	cairo_surface_t *surface = cairo_image_surface_create(opaque ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32, (int)width, (int)height);
	const gsize stride = (gsize)cairo_image_surface_get_stride(surface);

	if (cairo_surface_status(surface) != CAIRO_STATUS_SUCCESS) {
		cairo_surface_destroy(surface);
		return NULL;
	}
	for (gsize y = 0; y < height; y++) {
		guint32 *to = (guint32 *)(void *)(cairo_image_surface_get_data(surface) + y * stride);
		const guint8 *from = rgba + 4 * y * width;

		for (gsize x = 0; x < width; x++, from += 4) {
			guint32 r = from[0], g = from[1], b = from[2], a = opaque ? 255 : from[3];

			if (channel)
				r = g = b = from[channel - 1];
			to[x] = a << 24 | multiplied(r, a) << 16 | multiplied(g, a) << 8 | multiplied(b, a);
		}
	}
	cairo_surface_mark_dirty(surface);
	return surface;
}

void qs_canvas_paint_surface(const QsPlace *place, cairo_t *cr, cairo_surface_t *surface)
{
	if (!surface)
		return;
	cairo_save(cr);
	cairo_scale(cr, place->scale, place->scale);
	cairo_translate(cr, -place->left, -place->top);
	cairo_set_source_surface(cr, surface, 0, 0);
	cairo_pattern_set_filter(cairo_get_source(cr), place->scale >= 1 ? CAIRO_FILTER_NEAREST : CAIRO_FILTER_BILINEAR);
	cairo_rectangle(cr, 0, 0, cairo_image_surface_get_width(surface), cairo_image_surface_get_height(surface));
	cairo_fill(cr);
	cairo_restore(cr);
}

void qs_canvas_paint_grid(const QsPlace *place, cairo_t *cr, int x0, int y0, int x1, int y1, int strong)
{
	cairo_set_line_width(cr, 1);
	for (int pass = 0; pass < 2; pass++) {
		for (int x = x0; x <= x1; x++)
			if ((x % strong == 0) == pass) {
				cairo_move_to(cr, floor(qs_place_x(place, x)) + 0.5, qs_place_y(place, y0));
				cairo_line_to(cr, floor(qs_place_x(place, x)) + 0.5, qs_place_y(place, y1));
			}
		for (int y = y0; y <= y1; y++)
			if ((y % strong == 0) == pass) {
				cairo_move_to(cr, qs_place_x(place, x0), floor(qs_place_y(place, y)) + 0.5);
				cairo_line_to(cr, qs_place_x(place, x1), floor(qs_place_y(place, y)) + 0.5);
			}
		cairo_set_source_rgba(cr, 0.55, 0.55, 0.55, pass ? 0.55 : 0.25);
		cairo_stroke(cr);
	}
}

void qs_canvas_paint_box(const QsPlace *place, cairo_t *cr, int x, int y, int width, int height, double r, double g, double b)
{
	const double left = floor(qs_place_x(place, x)) - 0.5, top = floor(qs_place_y(place, y)) - 0.5;

	for (int pass = 0; pass < 2; pass++) {
		cairo_set_line_width(cr, pass ? 1 : 3);
		if (pass)
			cairo_set_source_rgb(cr, r, g, b);
		else
			cairo_set_source_rgba(cr, 0, 0, 0, 0.75);
		cairo_rectangle(cr, left, top, width * place->scale + 1, height * place->scale + 1);
		cairo_stroke(cr);
	}
}

guint32 qs_canvas_verdict_colour(guint8 verdict)
{
	switch (verdict) {
	case QS_VERDICT_WRITTEN: return 0x8000801eu;
	case QS_VERDICT_MASKED: return 0x80206060u;
	case QS_VERDICT_EARLY_Z:
	case QS_VERDICT_LATE_Z: return 0x90900000u;
	case QS_VERDICT_ALPHA: return 0x90905000u;
	default: return 0;
	}
}

void qs_canvas_paint_cross(const QsPlace *place, cairo_t *cr, int x, int y)
{
	const double cx = floor(qs_place_x(place, x + 0.5)) + 0.5, cy = floor(qs_place_y(place, y + 0.5)) + 0.5;
	const double in = place->scale / 2 + 4, out = in + 9;

	for (int pass = 0; pass < 2; pass++) {
		cairo_set_line_width(cr, pass ? 1 : 3);
		cairo_set_source_rgba(cr, pass, pass, pass, pass ? 1 : 0.7);
		for (int d = 0; d < 4; d++) {
			const double dx = d == 0 ? 1 : d == 1 ? -1 : 0, dy = d == 2 ? 1 : d == 3 ? -1 : 0;

			cairo_move_to(cr, cx + dx * in, cy + dy * in);
			cairo_line_to(cr, cx + dx * out, cy + dy * out);
		}
		cairo_stroke(cr);
	}
}
