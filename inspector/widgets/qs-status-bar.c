/* qs-status-bar.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-status-bar.h"

#define HINT_SECONDS 6

struct _QsStatusBar {
	QsPanel parent_instance;
	GtkLabel *pixel, *colour, *depth, *writer, *verdict, *hover, *capture;
	GtkDrawingArea *swatch;
	guint8 rgba[4];
	gboolean has_colour;
	guint hint_timer;
};

G_DEFINE_FINAL_TYPE(QsStatusBar, qs_status_bar, QS_TYPE_PANEL)

static void draw_swatch(GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer user)
{
	QsStatusBar *self = user;

	(void)area;
	if (!self->has_colour)
		return;
	cairo_set_source_rgb(cr, self->rgba[0] / 255.0, self->rgba[1] / 255.0, self->rgba[2] / 255.0);
	cairo_rectangle(cr, 0.5, 0.5, width - 1, height - 1);
	cairo_fill_preserve(cr);
	cairo_set_source_rgba(cr, 0.5, 0.5, 0.5, 0.8);
	cairo_set_line_width(cr, 1);
	cairo_stroke(cr);
}

static void show_verdict(QsStatusBar *self)
{
	QsTrace *trace = qs_session_get_trace(qs_panel_get_session(QS_PANEL(self)));
	GtkWidget *label = GTK_WIDGET(self->verdict);
	guint verdict;

	gtk_widget_remove_css_class(label, "qs-pass");
	gtk_widget_remove_css_class(label, "qs-fail");
	gtk_widget_remove_css_class(label, "qs-hint");
	if (!trace) {
		gtk_label_set_text(self->verdict, "");
		return;
	}
	if (trace->found) {
		/* What wrote the pixel is named beside already. */
		const gboolean named = trace->has_writer && g_str_equal(trace->text, trace->writer_text);
		g_autofree char *text = named ? g_strdup(trace->sentence) :
			g_strdup_printf("<a href=\"moment:%s\">%s</a> %s", trace->text, trace->text, trace->sentence);

		verdict = trace->quad.fragment[trace->fragment].verdict;
		gtk_label_set_markup(self->verdict, text);
		if (verdict == QS_VERDICT_WRITTEN)
			gtk_widget_add_css_class(label, "qs-pass");
		else if (verdict == QS_VERDICT_ALPHA || verdict == QS_VERDICT_EARLY_Z || verdict == QS_VERDICT_LATE_Z)
			gtk_widget_add_css_class(label, "qs-fail");
	} else {
		gtk_label_set_text(self->verdict, trace->sentence);
	}
}

static void show_pixel(QsStatusBar *self)
{
	QsSession *session = qs_panel_get_session(QS_PANEL(self));
	QsView *view = qs_session_get_view(session);
	QsTrace *trace = qs_session_get_trace(session);
	int x, y;
	guint32 z = 0;
	gboolean picked = qs_session_get_pick(session, &x, &y);
	g_autofree char *pixel = NULL;

	if (!picked && trace) {
		x = trace->x;
		y = trace->y;
		picked = TRUE;
	}
	self->has_colour = view && picked && qs_view_pixel(view, QS_BUFFER_COLOR, x, y, self->rgba, NULL);
	gtk_widget_queue_draw(GTK_WIDGET(self->swatch));
	gtk_widget_set_visible(GTK_WIDGET(self->swatch), self->has_colour);
	if (self->has_colour) {
		guint8 grey[4];
		g_autofree char *colour = g_strdup_printf("#%02x%02x%02x%02x", self->rgba[0], self->rgba[1], self->rgba[2],
			self->rgba[3]);
		g_autofree char *depth = NULL, *samples = NULL;

		if (!qs_view_pixel(view, QS_BUFFER_DEPTH, x, y, grey, &z) && trace)
			z = trace->z;
		depth = g_strdup_printf("z 0x%06x", z);
		gtk_label_set_text(self->colour, colour);
		samples = qs_samples_text(view, x, y);
		if (samples) { /* the pixel has no depth of its own then */
			g_free(depth);
			depth = g_steal_pointer(&samples);
		}
		gtk_label_set_text(self->depth, depth);
	} else {
		gtk_label_set_text(self->colour, "");
		gtk_label_set_text(self->depth, "");
	}
	pixel = picked ? g_strdup_printf("pixel %d,%d", x, y) : g_strdup("no pixel picked");
	gtk_label_set_text(self->pixel, pixel);
	if (trace && trace->has_writer) {
		g_autofree char *writer = g_strdup_printf("written by <a href=\"moment:%s\">%s</a>", trace->writer_text,
			trace->writer_text);

		gtk_label_set_markup(self->writer, writer);
	} else {
		gtk_label_set_text(self->writer, trace ? "not written in this frame" : "");
	}
}

static void show_hover(QsStatusBar *self)
{
	QsSession *session = qs_panel_get_session(QS_PANEL(self));
	QsView *view = qs_session_get_view(session);
	guint8 rgba[4];
	int x, y;

	if (view && qs_session_get_hover(session, &x, &y) && qs_view_pixel(view, QS_BUFFER_COLOR, x, y, rgba, NULL)) {
		g_autofree char *samples = qs_samples_text(view, x, y);
		g_autofree char *text = g_strdup_printf("%d,%d #%02x%02x%02x%02x%s%s", x, y, rgba[0], rgba[1], rgba[2], rgba[3],
			samples ? "  " : "", samples ? samples : "");

		gtk_label_set_text(self->hover, text);
	} else {
		gtk_label_set_text(self->hover, "");
	}
}

static void show_capture(QsStatusBar *self)
{
	QsCapture *capture = qs_session_get_capture(qs_panel_get_session(QS_PANEL(self)));
	g_autofree char *text = NULL, *tip = NULL;
	const struct qs_capture_info *info;

	if (!capture) {
		gtk_label_set_text(self->capture, "");
		return;
	}
	info = qs_capture_info(capture->capture);
	text = g_strdup_printf("%s · %u frame%s · %u draw%s%s", capture->name, info->frame_count, info->frame_count == 1 ? "" : "s",
		info->draw_count, info->draw_count == 1 ? "" : "s", info->truncated ? " · cut off" : "");
	tip = g_strdup_printf("%s\n%s version %u, %" G_GUINT64_FORMAT " bytes, %u commands, %u memory updates, %s", capture->path,
		info->format, info->version, info->size, info->command_count, info->update_count, info->machine == QS_MACHINE_GFX3D ? "Gfx3D" : info->wii ? "Wii" : "GameCube");
	gtk_label_set_text(self->capture, text);
	gtk_widget_set_tooltip_text(GTK_WIDGET(self->capture), tip);
}

static void qs_status_bar_update(QsPanel *panel, guint changes)
{
	QsStatusBar *self = QS_STATUS_BAR(panel);

	if (changes & QS_CHANGE_CAPTURE)
		show_capture(self);
	if (changes & (QS_CHANGE_VIEW | QS_CHANGE_TRACE | QS_CHANGE_PICK))
		show_pixel(self);
	if (changes & QS_CHANGE_TRACE && !self->hint_timer)
		show_verdict(self);
	if (changes & (QS_CHANGE_HOVER | QS_CHANGE_VIEW))
		show_hover(self);
}

static gboolean end_hint(gpointer user)
{
	QsStatusBar *self = user;

	self->hint_timer = 0;
	show_verdict(self);
	return G_SOURCE_REMOVE;
}

void qs_status_bar_hint(QsStatusBar *self, const char *text)
{
	g_clear_handle_id(&self->hint_timer, g_source_remove);
	gtk_widget_remove_css_class(GTK_WIDGET(self->verdict), "qs-pass");
	gtk_widget_remove_css_class(GTK_WIDGET(self->verdict), "qs-fail");
	gtk_widget_add_css_class(GTK_WIDGET(self->verdict), "qs-hint");
	gtk_label_set_text(self->verdict, text);
	self->hint_timer = g_timeout_add_seconds(HINT_SECONDS, end_hint, self);
}

static void qs_status_bar_dispose(GObject *object)
{
	g_clear_handle_id(&QS_STATUS_BAR(object)->hint_timer, g_source_remove);
	G_OBJECT_CLASS(qs_status_bar_parent_class)->dispose(object);
}

static void qs_status_bar_init(QsStatusBar *self)
{
	gtk_widget_init_template(GTK_WIDGET(self));
	gtk_drawing_area_set_draw_func(self->swatch, draw_swatch, self, NULL);
	qs_panel_watch_links(QS_PANEL(self), self->writer);
	qs_panel_watch_links(QS_PANEL(self), self->verdict);
}

static void qs_status_bar_class_init(QsStatusBarClass *klass)
{
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

	G_OBJECT_CLASS(klass)->dispose = qs_status_bar_dispose;
	QS_PANEL_CLASS(klass)->update = qs_status_bar_update;
	gtk_widget_class_set_template_from_resource(widget_class, QS_RESOURCE "widgets/qs-status-bar.ui");
	gtk_widget_class_bind_template_child(widget_class, QsStatusBar, pixel);
	gtk_widget_class_bind_template_child(widget_class, QsStatusBar, colour);
	gtk_widget_class_bind_template_child(widget_class, QsStatusBar, depth);
	gtk_widget_class_bind_template_child(widget_class, QsStatusBar, writer);
	gtk_widget_class_bind_template_child(widget_class, QsStatusBar, verdict);
	gtk_widget_class_bind_template_child(widget_class, QsStatusBar, hover);
	gtk_widget_class_bind_template_child(widget_class, QsStatusBar, capture);
	gtk_widget_class_bind_template_child(widget_class, QsStatusBar, swatch);
}
