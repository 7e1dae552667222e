/* qs-frame-view.c - geometry and input of the picture; frame-paint.c draws it
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "frame-view-private.h"
#include <math.h>
#include <string.h>
#include "pick-keys.h"
#include "panels/panels.h"
#include "qs-lua.h"

#define EFB_WIDTH 640
#define EFB_HEIGHT 528

static const double zooms[] = {0.25, 0.5, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};

G_DEFINE_FINAL_TYPE(QsFrameView, qs_frame_view, GTK_TYPE_WIDGET)

/* ---- geometry ----------------------------------------------------------------------------------------------------------- */

static void picture_size(QsFrameView *self, double *width, double *height)
{
	const struct qs_image *image = frame_image(self);

	*width = image && image->rgba ? image->width : EFB_WIDTH;
	*height = image && image->rgba ? image->height : EFB_HEIGHT;
}

static void clamp_view(QsFrameView *self)
{
	const double w = gtk_widget_get_width(GTK_WIDGET(self)) / self->scale;
	const double h = gtk_widget_get_height(GTK_WIDGET(self)) / self->scale;
	double width, height;

	picture_size(self, &width, &height);
	/* A picture that fits is centred; a larger one may be pushed until half the view is empty. */
	self->left = w >= width ? (width - w) / 2 : CLAMP(self->left, -w / 2, width - w / 2);
	self->top = h >= height ? (height - h) / 2 : CLAMP(self->top, -h / 2, height - h / 2);
	self->left = floor(self->left * self->scale + 0.5) / self->scale;
	self->top = floor(self->top * self->scale + 0.5) / self->scale;
}

static void apply_fit(QsFrameView *self)
{
	const int w = gtk_widget_get_width(GTK_WIDGET(self)), h = gtk_widget_get_height(GTK_WIDGET(self));
	double width, height, scale;

	if (!self->fit || w <= 0 || h <= 0)
		return;
	picture_size(self, &width, &height);
	scale = MIN(w / width, h / height);
	if (scale >= 1) { /* whole multiples keep pixels square and equal */
		const double all = scale;

		for (guint i = 0; i < G_N_ELEMENTS(zooms); i++)
			if (zooms[i] <= all)
				scale = zooms[i];
	}
	self->scale = CLAMP(scale, 0.1, 64);
}

static void describe(QsFrameView *self);

/* Other pictures of the EFB follow. */
static void tell_viewport(QsFrameView *self)
{
	const QsViewport viewport = {self->fit, self->scale,
		self->left + gtk_widget_get_width(GTK_WIDGET(self)) / self->scale / 2,
		self->top + gtk_widget_get_height(GTK_WIDGET(self)) / self->scale / 2};

	if (frame_is_efb(self))
		qs_session_set_viewport(self->session, &viewport);
}

static void zoom_changed(QsFrameView *self)
{
	clamp_view(self);
	tell_viewport(self);
	describe(self);
	gtk_widget_queue_draw(GTK_WIDGET(self));
	g_signal_emit_by_name(self, "zoom-changed");
}

/* The picture point under (x, y) of the widget stays there. */
static void zoom_about(QsFrameView *self, double scale, double x, double y)
{
	const double px = self->left + x / self->scale, py = self->top + y / self->scale;

	self->fit = FALSE;
	self->scale = CLAMP(scale, zooms[0], zooms[G_N_ELEMENTS(zooms) - 1]);
	self->left = px - x / self->scale;
	self->top = py - y / self->scale;
	zoom_changed(self);
}

static void anchor(QsFrameView *self, double *x, double *y)
{
	int px, py;

	*x = gtk_widget_get_width(GTK_WIDGET(self)) / 2.0;
	*y = gtk_widget_get_height(GTK_WIDGET(self)) / 2.0;
	if (self->pointer_inside) {
		*x = self->pointer_x;
		*y = self->pointer_y;
	} else if (qs_session_get_pick(self->session, &px, &py)) {
		const double sx = (px + 0.5 - self->left) * self->scale, sy = (py + 0.5 - self->top) * self->scale;

		if (sx >= 0 && sy >= 0 && sx < 2 * *x && sy < 2 * *y) {
			*x = sx;
			*y = sy;
		}
	}
}

void qs_frame_view_zoom_step(QsFrameView *self, int direction)
{
	double scale = self->scale, x, y;

	if (direction > 0) {
		for (guint i = 0; i < G_N_ELEMENTS(zooms); i++)
			if (zooms[i] > self->scale * 1.001) {
				scale = zooms[i];
				break;
			}
	} else {
		for (guint i = G_N_ELEMENTS(zooms); i-- > 0;)
			if (zooms[i] < self->scale * 0.999) {
				scale = zooms[i];
				break;
			}
	}
	anchor(self, &x, &y);
	zoom_about(self, scale, x, y);
}

void qs_frame_view_zoom_fit(QsFrameView *self)
{
	self->fit = TRUE;
	apply_fit(self);
	zoom_changed(self);
}

static void centre_on(QsFrameView *self, double x, double y)
{
	self->left = x - gtk_widget_get_width(GTK_WIDGET(self)) / self->scale / 2;
	self->top = y - gtk_widget_get_height(GTK_WIDGET(self)) / self->scale / 2;
}

void qs_frame_view_zoom_pixel(QsFrameView *self)
{
	int x, y;

	if (self->scale >= 24) {
		self->fit = self->last_scale == 0;
		self->scale = self->last_scale == 0 ? 1 : self->last_scale;
		apply_fit(self);
	} else {
		self->last_scale = self->fit ? 0 : self->scale;
		self->fit = FALSE;
		self->scale = 32;
	}
	if (qs_session_get_pick(self->session, &x, &y))
		centre_on(self, x + 0.5, y + 0.5);
	else if (self->scale == 32)
		centre_on(self, qs_view_width(qs_session_get_view(self->session)) / 2.0, qs_view_height(qs_session_get_view(self->session)) / 2.0);
	zoom_changed(self);
}

double qs_frame_view_get_zoom(QsFrameView *self)
{
	return self->scale;
}

static gboolean pixel_at(QsFrameView *self, double x, double y, int *px, int *py)
{
	double width, height;

	picture_size(self, &width, &height);
	*px = (int)floor(self->left + x / self->scale);
	*py = (int)floor(self->top + y / self->scale);
	return *px >= 0 && *py >= 0 && *px < width && *py < height;
}

/* ---- what is shown ------------------------------------------------------------------------------------------------------ */

static void describe(QsFrameView *self)
{
	QsView *view = qs_session_get_view(self->session);
	g_autofree char *text = NULL, *samples = NULL;
	guint8 rgba[4], grey[4];
	guint32 z = 0;
	int x, y;

	if (!view) {
		text = g_strdup("no capture");
	} else if (qs_session_get_pick(self->session, &x, &y) && qs_view_pixel(view, QS_BUFFER_COLOR, x, y, rgba, NULL)) {
		qs_view_pixel(view, QS_BUFFER_DEPTH, x, y, grey, &z);
		samples = qs_samples_text(view, x, y);
		text = g_strdup_printf("%s at moment %s, pixel %d,%d, colour #%02x%02x%02x%02x, depth 0x%06x, %s%szoom %g",
			qs_buffer_name(self->buffer), view->text, x, y, rgba[0], rgba[1], rgba[2], rgba[3], z, samples ? samples : "",
			samples ? ", " : "", self->scale);
	} else {
		text = g_strdup_printf("%s at moment %s, no pixel picked, zoom %g", qs_buffer_name(self->buffer), view->text,
			self->scale);
	}
	gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text,
		GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text, -1);
}

static void got_draw(GObject *owner, QsDrawAnswer *answer, const struct qs_error *error)
{
	QsFrameView *self = QS_FRAME_VIEW(owner);

	if (error) {
		self->asked_command = QS_NONE;
		return;
	}
	qs_draw_answer_finish(&self->draw);
	self->draw = *answer;
	memset(answer, 0, sizeof *answer);
	self->draw_command = self->asked_command;
	self->draw_model = self->asked_model;
	self->draw_pixels = self->asked_pixels;
	g_clear_pointer(&self->highlight, cairo_surface_destroy);
	g_clear_pointer(&self->outline, cairo_surface_destroy);
	g_clear_pointer(&self->tests, cairo_surface_destroy);
	gtk_widget_queue_draw(GTK_WIDGET(self));
}

/* Parts and tests of a draw are the same at every moment inside it: asked for once a draw. */
static void want_draw(QsFrameView *self, gboolean again)
{
	QsView *view = qs_session_get_view(self->session);
	const gboolean pixels = (self->overlays & (QS_OVERLAY_DRAW | QS_OVERLAY_DEPTH | QS_OVERLAY_OUTLINE)) != 0;

	if (!view || !qs_view_in_draw(view) || !(self->overlays & ~(guint)(QS_OVERLAY_QUADS | QS_OVERLAY_SCRIPT)))
		return;
	if (self->draw_command == view->moment.command && self->draw_model == view->model && (self->draw_pixels || !pixels))
		return;
	if (!again && self->asked_command == view->moment.command && self->asked_model == view->model &&
		(self->asked_pixels || !pixels))
		return;
	self->asked_command = view->moment.command;
	self->asked_model = view->model;
	self->asked_pixels = pixels;
	qs_request_draw(self->session, G_OBJECT(self), pixels, got_draw);
}

static void got_before(GObject *owner, struct qs_image *image, const struct qs_error *error)
{
	QsFrameView *self = QS_FRAME_VIEW(owner);
	QsView *view = qs_session_get_view(self->session);

	if (error || !view)
		return;
	qs_image_finish(&self->before_image);
	self->before_image = *image;
	memset(image, 0, sizeof *image);
	self->before_serial = view->serial;
	gtk_widget_queue_draw(GTK_WIDGET(self));
}

void qs_frame_view_set_before(QsFrameView *self, gboolean before)
{
	QsView *view = qs_session_get_view(self->session);

	self->before = before;
	if (before && view && self->before_serial != view->serial)
		qs_request_image(self->session, G_OBJECT(self), self->buffer, TRUE, got_before);
	gtk_widget_queue_draw(GTK_WIDGET(self));
}

static void follow_viewport(QsFrameView *self)
{
	const QsViewport *viewport = qs_session_get_viewport(self->session);

	if (!frame_is_efb(self) || (self->fit && viewport->fit))
		return;
	self->fit = viewport->fit;
	if (self->fit) {
		apply_fit(self);
	} else {
		self->scale = CLAMP(viewport->scale, zooms[0], zooms[G_N_ELEMENTS(zooms) - 1]);
		centre_on(self, viewport->x, viewport->y);
	}
	clamp_view(self);
	gtk_widget_queue_draw(GTK_WIDGET(self));
	g_signal_emit_by_name(self, "zoom-changed");
}

void qs_frame_view_update(QsFrameView *self, guint changes)
{
	if (changes & QS_CHANGE_VIEWPORT)
		follow_viewport(self);
	if (changes & QS_CHANGE_CAPTURE) {
		self->draw_command = self->asked_command = QS_NONE;
		qs_draw_answer_finish(&self->draw);
	}
	if (changes & QS_CHANGE_VIEW) {
		if (self->fit)
			apply_fit(self);
		clamp_view(self);
		want_draw(self, TRUE);
		if (self->before)
			qs_frame_view_set_before(self, TRUE);
	}
	if (changes & (QS_CHANGE_VIEW | QS_CHANGE_PICK))
		describe(self);
	if (changes & (QS_CHANGE_VIEW | QS_CHANGE_PICK | QS_CHANGE_HOVER | QS_CHANGE_TRACE | QS_CHANGE_CAPTURE))
		gtk_widget_queue_draw(GTK_WIDGET(self));
}

void qs_frame_view_set_buffer(QsFrameView *self, enum qs_buffer buffer)
{
	self->buffer = buffer;
	self->before_serial = 0;
	qs_session_set_buffers(self->session, 1u << buffer);
	if (self->fit)
		apply_fit(self);
	zoom_changed(self);
	describe(self);
}

enum qs_buffer qs_frame_view_get_buffer(QsFrameView *self)
{
	return self->buffer;
}

void qs_frame_view_set_channel(QsFrameView *self, QsChannel channel)
{
	self->channel = channel;
	gtk_widget_queue_draw(GTK_WIDGET(self));
}

void qs_frame_view_set_overlays(QsFrameView *self, guint overlays)
{
	self->overlays = overlays;
	want_draw(self, FALSE);
	gtk_widget_queue_draw(GTK_WIDGET(self));
}

void qs_frame_view_set_values(QsFrameView *self, gboolean shown)
{
	self->values = shown;
	gtk_widget_queue_draw(GTK_WIDGET(self));
}

const struct qs_image *qs_frame_view_get_image(QsFrameView *self, const char **problem)
{
	QsView *view = qs_session_get_view(self->session);

	*problem = view ? view->image_error[self->buffer] : NULL;
	return frame_image(self);
}

static void lua_changed(QsFrameView *self, guint changes)
{
	if (changes & QS_LUA_CHANGE_SHAPES)
		gtk_widget_queue_draw(GTK_WIDGET(self));
}

void qs_frame_view_set_session(QsFrameView *self, QsSession *session)
{
	g_set_object(&self->session, session);
	g_signal_connect_object(qs_session_get_lua(session), "changed", G_CALLBACK(lua_changed), self, G_CONNECT_SWAPPED);
}

/* ---- input -------------------------------------------------------------------------------------------------------------- */

static void motion(QsFrameView *self, double x, double y)
{
	int px, py;

	self->pointer_x = x;
	self->pointer_y = y;
	self->pointer_inside = TRUE;
	if (pixel_at(self, x, y, &px, &py))
		qs_session_set_hover(self->session, px, py);
	else
		qs_session_set_hover(self->session, -1, -1);
}

static void leave(QsFrameView *self)
{
	self->pointer_inside = FALSE;
	qs_session_set_hover(self->session, -1, -1);
}

static void pick_begin(QsFrameView *self, double x, double y)
{
	int px, py;

	gtk_widget_grab_focus(GTK_WIDGET(self));
	if (frame_is_efb(self) && pixel_at(self, x, y, &px, &py))
		qs_session_set_pick(self->session, px, py);
}

static void pick_update(GtkGestureDrag *drag, double dx, double dy, QsFrameView *self)
{
	double x, y;

	if (gtk_gesture_drag_get_start_point(drag, &x, &y))
		pick_begin(self, x + dx, y + dy);
}

static void pressed(GtkGestureClick *click, int n, double x, double y, QsFrameView *self)
{
	int px, py;

	(void)click;
	if (n == 2 && frame_is_efb(self) && pixel_at(self, x, y, &px, &py))
		qs_session_seek_fragment(self->session, px, py, TRUE);
}

static void popup(GtkGestureClick *click, int n, double x, double y, QsFrameView *self)
{
	(void)click;
	(void)n;
	pick_begin(self, x, y);
	gtk_popover_set_pointing_to(GTK_POPOVER(self->menu), &(GdkRectangle){(int)x, (int)y, 1, 1});
	gtk_popover_popup(GTK_POPOVER(self->menu));
}

static void pan_begin(GtkGestureDrag *drag, double x, double y, QsFrameView *self)
{
	(void)drag;
	(void)x;
	(void)y;
	self->drag_left = self->left;
	self->drag_top = self->top;
}

static void pan_update(GtkGestureDrag *drag, double dx, double dy, QsFrameView *self)
{
	(void)drag;
	self->fit = FALSE;
	self->left = self->drag_left - dx / self->scale;
	self->top = self->drag_top - dy / self->scale;
	zoom_changed(self);
}

static gboolean scrolled(GtkEventControllerScroll *scroll, double dx, double dy, QsFrameView *self)
{
	const GdkModifierType state = gtk_event_controller_get_current_event_state(GTK_EVENT_CONTROLLER(scroll));
	GdkDevice *device = gtk_event_controller_get_current_event_device(GTK_EVENT_CONTROLLER(scroll));
	const gboolean touchpad = device && gdk_device_get_source(device) == GDK_SOURCE_TOUCHPAD;

	if (!(state & GDK_CONTROL_MASK) && (touchpad || state & GDK_SHIFT_MASK)) {
		const double step = touchpad ? 10 : 40;

		self->fit = FALSE;
		self->left += (state & GDK_SHIFT_MASK && dx == 0 ? dy : dx) * step / self->scale;
		self->top += (state & GDK_SHIFT_MASK && dx == 0 ? 0 : dy) * step / self->scale;
		zoom_changed(self);
	} else if (dy != 0) {
		qs_frame_view_zoom_step(self, dy < 0 ? 1 : -1);
	}
	return TRUE;
}

/* Keeps the picked pixel in sight. */
static void reveal(QsFrameView *self, int x, int y)
{
	const double w = gtk_widget_get_width(GTK_WIDGET(self)) / self->scale;
	const double h = gtk_widget_get_height(GTK_WIDGET(self)) / self->scale;

	if (x < self->left || x + 1 > self->left + w || y < self->top || y + 1 > self->top + h) {
		centre_on(self, x + 0.5, y + 0.5);
		zoom_changed(self);
	}
}

static gboolean key_pressed(QsFrameView *self, guint key, guint code, GdkModifierType state)
{
	gboolean moved;
	int x, y;

	(void)code;
	if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK))
		return FALSE;
	if (!pick_key(self->session, key, state, &moved, &x, &y))
		return FALSE;
	if (moved)
		reveal(self, x, y);
	return TRUE;
}

static void add_input(QsFrameView *self)
{
	GtkWidget *widget = GTK_WIDGET(self);
	GtkEventController *move = gtk_event_controller_motion_new(), *keys = gtk_event_controller_key_new();
	GtkEventController *scroll = gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
	GtkGesture *pick = gtk_gesture_drag_new(), *pan = gtk_gesture_drag_new(), *click = gtk_gesture_click_new();
	GtkGesture *menu = gtk_gesture_click_new();

	g_signal_connect_swapped(move, "motion", G_CALLBACK(motion), self);
	g_signal_connect_swapped(move, "enter", G_CALLBACK(motion), self);
	g_signal_connect_swapped(move, "leave", G_CALLBACK(leave), self);
	g_signal_connect(scroll, "scroll", G_CALLBACK(scrolled), self);
	g_signal_connect_swapped(keys, "key-pressed", G_CALLBACK(key_pressed), self);
	g_signal_connect_swapped(pick, "drag-begin", G_CALLBACK(pick_begin), self);
	g_signal_connect(pick, "drag-update", G_CALLBACK(pick_update), self);
	gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(pan), GDK_BUTTON_MIDDLE);
	g_signal_connect(pan, "drag-begin", G_CALLBACK(pan_begin), self);
	g_signal_connect(pan, "drag-update", G_CALLBACK(pan_update), self);
	g_signal_connect(click, "pressed", G_CALLBACK(pressed), self);
	gtk_gesture_group(click, pick);
	gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(menu), GDK_BUTTON_SECONDARY);
	g_signal_connect(menu, "pressed", G_CALLBACK(popup), self);
	gtk_widget_add_controller(widget, move);
	gtk_widget_add_controller(widget, scroll);
	gtk_widget_add_controller(widget, keys);
	gtk_widget_add_controller(widget, GTK_EVENT_CONTROLLER(pick));
	gtk_widget_add_controller(widget, GTK_EVENT_CONTROLLER(pan));
	gtk_widget_add_controller(widget, GTK_EVENT_CONTROLLER(click));
	gtk_widget_add_controller(widget, GTK_EVENT_CONTROLLER(menu));
}

/* ---- widget ------------------------------------------------------------------------------------------------------------- */

static void qs_frame_view_snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
	const int width = gtk_widget_get_width(widget), height = gtk_widget_get_height(widget);

	gtk_snapshot_push_clip(snapshot, &GRAPHENE_RECT_INIT(0, 0, (float)width, (float)height));
	frame_paint(QS_FRAME_VIEW(widget), snapshot, width, height);
	gtk_snapshot_pop(snapshot);
}

static void qs_frame_view_size_allocate(GtkWidget *widget, int width, int height, int baseline)
{
	QsFrameView *self = QS_FRAME_VIEW(widget);

	GTK_WIDGET_CLASS(qs_frame_view_parent_class)->size_allocate(widget, width, height, baseline);
	apply_fit(self);
	clamp_view(self);
	gtk_popover_present(GTK_POPOVER(self->menu));
	g_signal_emit_by_name(self, "zoom-changed");
}

static void qs_frame_view_dispose(GObject *object)
{
	QsFrameView *self = QS_FRAME_VIEW(object);

	g_clear_pointer(&self->menu, gtk_widget_unparent);
	g_clear_object(&self->session);
	frame_forget_surfaces(self);
	qs_draw_answer_finish(&self->draw);
	qs_image_finish(&self->before_image);
	G_OBJECT_CLASS(qs_frame_view_parent_class)->dispose(object);
}

static void qs_frame_view_init(QsFrameView *self)
{
	g_autoptr(GtkBuilder) builder = gtk_builder_new_from_resource(QS_RESOURCE "canvas/frame-menu.ui");

	self->scale = 1;
	self->fit = self->values = TRUE;
	self->draw_command = self->asked_command = QS_NONE;
	gtk_widget_set_focusable(GTK_WIDGET(self), TRUE);
	gtk_widget_set_size_request(GTK_WIDGET(self), 200, 160);
	self->menu = gtk_popover_menu_new_from_model(G_MENU_MODEL(gtk_builder_get_object(builder, "menu")));
	gtk_popover_set_has_arrow(GTK_POPOVER(self->menu), FALSE);
	gtk_widget_set_halign(self->menu, GTK_ALIGN_START);
	gtk_widget_set_parent(self->menu, GTK_WIDGET(self));
	add_input(self);
}

static void qs_frame_view_class_init(QsFrameViewClass *klass)
{
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

	G_OBJECT_CLASS(klass)->dispose = qs_frame_view_dispose;
	widget_class->snapshot = qs_frame_view_snapshot;
	widget_class->size_allocate = qs_frame_view_size_allocate;
	gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_IMG);
	gtk_widget_class_set_css_name(widget_class, "qsframe");
	g_signal_new("zoom-changed", QS_TYPE_FRAME_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}
