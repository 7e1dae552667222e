/* qs-time-bar.c - see the header
 *
 * The lower strip has one column for each draw of the frame (or a share of one when there are more draws than pixels); its
 * height grows with the logarithm of the draw's bytes, so that big draws stand out.  Copies are lines across.  Dragging
 * scrubs: every motion is a seek, the session shows what the engine gets to.  Small marks at the bottom are what [ and ] go
 * through: writes of the selected register, or draws that reach the picked pixel (green written, red rejected).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-time-bar.h"
#include <math.h>
#include "qs-request.h"

#define FRAMES_HEIGHT 18
#define TICKS_HEIGHT 38
#define MARGIN 6

typedef struct {
	guint32 draw;      /* comes before this draw of the frame */
	gboolean display;
} Copy;

typedef struct {
	double draw; /* place on the strip, in draws */
	guint8 verdict; /* enum qs_verdict; WRITTEN for registers */
} Mark;

struct _QsTimeBar {
	QsPanel parent_instance;
	guint32 frame;     /* whose draws are shown */
	float *heights;    /* 0..1, by draw */
	guint32 draw_count;
	GArray *copies;    /* Copy, of the frame */
	GArray *marks;     /* Mark: changes of the selection in the frame */
	guint32 marks_frame; /* they are of this frame; 0: to be made */
	gboolean in_frames; /* the drag began in the upper strip */
	guint32 sent_draw, sent_frame;
	double hover_x;
};

G_DEFINE_FINAL_TYPE(QsTimeBar, qs_time_bar, QS_TYPE_PANEL)

#define SESSION(self) qs_panel_get_session(QS_PANEL(self))

static double bar_width(QsTimeBar *self)
{
	return MAX(gtk_widget_get_width(GTK_WIDGET(self)) - 2 * MARGIN, 1);
}

static void load_frame(QsTimeBar *self, guint32 number)
{
	const struct qs_capture *file = qs_session_get_file(SESSION(self));
	const struct qs_frame *frame = file ? qs_capture_frame(file, number) : NULL;
	guint32 draw = 0;

	self->frame = number;
	g_clear_pointer(&self->heights, g_free);
	g_array_set_size(self->copies, 0);
	self->draw_count = frame ? frame->draw_count : 0;
	self->heights = g_new0(float, MAX(self->draw_count, 1));
	for (guint32 i = 0; frame && i < frame->command_count; i++) {
		const struct qs_command *c = qs_capture_command(file, frame->first_command + i);

		if (c->draw != QS_NONE && c->draw < self->draw_count) {
			draw = c->draw + 1;
			self->heights[c->draw] = (float)CLAMP((log2(c->size + 1.0) - 4) / 12, 0.12, 1);
		} else if (c->kind == QS_COMMAND_COPY) {
			const guint8 *bytes = qs_capture_command_bytes(file, frame->first_command + i);
			const Copy copy = {draw, bytes && c->size >= 5 && bytes[3] & 0x40};

			g_array_append_val(self->copies, copy);
		}
	}
}

static double draw_x(QsTimeBar *self, double draw)
{
	return MARGIN + bar_width(self) * draw / MAX(self->draw_count, 1);
}

/* Where the moment is on the lower strip. */
static double moment_x(QsTimeBar *self, const struct qs_moment *m)
{
	const struct qs_capture *file = qs_session_get_file(SESSION(self));
	guint32 low = 0, high = self->draw_count;

	if (m->level == QS_LEVEL_FRAME)
		return draw_x(self, self->draw_count);
	if (m->level >= QS_LEVEL_DRAW && m->draw != QS_NONE)
		return draw_x(self, m->draw + 0.5);
	while (low < high) { /* first draw after the command */
		const guint32 middle = low + (high - low) / 2;

		if (qs_capture_draw_command(file, self->frame, middle) < m->command)
			low = middle + 1;
		else
			high = middle;
	}
	return draw_x(self, low);
}

/* ---- changes of the selection ------------------------------------------------------------------------------------------- */

static guint32 big_endian(const guint8 *bytes, guint count)
{
	guint32 value = 0;

	while (count--)
		value = value << 8 | *bytes++;
	return value;
}

/* Does the command write the register?  Opcodes: docs/dff-format, section 4. */
static gboolean writes(const struct qs_command *c, const guint8 *bytes, const QsSelection *s)
{
	guint first, count;

	switch ((enum qs_command_kind)c->kind) {
	case QS_COMMAND_BP:
	case QS_COMMAND_COPY:
		/* 0xE0-0xE7 with bit 23 set are the konst registers, 0x100 on. */
		first = bytes[1] >= 0xe0 && bytes[1] <= 0xe7 && bytes[2] & 0x80 ? bytes[1] + 0x20u : bytes[1];
		return s->unit == QS_UNIT_BP && first == s->address;
	case QS_COMMAND_CP:
		return s->unit == QS_UNIT_CP && bytes[1] == s->address;
	case QS_COMMAND_XF:
		count = (big_endian(bytes + 1, 2) & 15) + 1;
		first = big_endian(bytes + 3, 2);
		return s->unit == QS_UNIT_XF && s->address >= first && s->address < first + count;
	case QS_COMMAND_XF_INDEXED:
		count = (bytes[3] >> 4) + 1u;
		first = big_endian(bytes + 3, 2) & 0xfff;
		return s->unit == QS_UNIT_XF && s->address >= first && s->address < first + count;
	default:
		return FALSE;
	}
}

static void mark_writes(QsTimeBar *self, const QsSelection *s)
{
	const struct qs_capture *file = qs_session_get_file(SESSION(self));
	const struct qs_frame *frame = qs_capture_frame(file, self->frame);
	double draw = 0;

	for (guint32 i = 0; i < frame->command_count; i++) {
		const struct qs_command *c = qs_capture_command(file, frame->first_command + i);
		const guint8 *bytes = qs_capture_command_bytes(file, frame->first_command + i);
		const Mark mark = {draw, QS_VERDICT_WRITTEN};

		if (c->draw != QS_NONE)
			draw = c->draw + 1.0;
		else if (bytes && c->size >= 5 && writes(c, bytes, s))
			g_array_append_val(self->marks, mark);
	}
}

static void got_history(GObject *owner, const QsHistoryAnswer *answer, const struct qs_error *error)
{
	QsTimeBar *self = QS_TIME_BAR(owner);

	if (error || answer->frame != self->frame || qs_session_get_selection(SESSION(self))->kind != QS_SELECT_PIXEL)
		return;
	g_array_set_size(self->marks, 0);
	for (guint32 i = 0; i < answer->count; i++) {
		const Mark mark = {answer->rows[i].moment.draw + 0.5, answer->rows[i].verdict};

		if (answer->rows[i].kind == QS_HISTORY_FRAGMENT)
			g_array_append_val(self->marks, mark);
	}
	self->marks_frame = answer->frame;
	gtk_widget_queue_draw(GTK_WIDGET(self));
}

/* Pixel marks come later and are asked for again with every view until they are there. */
static void find_marks(QsTimeBar *self, gboolean anew)
{
	const QsSelection *s = qs_session_get_selection(SESSION(self));
	int x, y;

	if (anew) {
		self->marks_frame = 0;
		if (s->kind != QS_SELECT_PIXEL)
			g_array_set_size(self->marks, 0);
	}
	if (self->marks_frame == self->frame || !self->frame)
		return;
	if (s->kind == QS_SELECT_REGISTER) {
		g_array_set_size(self->marks, 0);
		mark_writes(self, s);
		self->marks_frame = self->frame;
	} else if (s->kind == QS_SELECT_PIXEL && qs_session_get_pick(SESSION(self), &x, &y)) {
		qs_request_history(SESSION(self), G_OBJECT(self), x, y, got_history);
	}
}

static void paint_marks(QsTimeBar *self, cairo_t *cr)
{
	static const double colours[3][3] = {{0.9, 0.45, 0.05}, {0.15, 0.65, 0.35}, {0.85, 0.15, 0.15}};
	const gboolean pixel = qs_session_get_selection(SESSION(self))->kind == QS_SELECT_PIXEL;

	for (guint i = 0; i < self->marks->len; i++) {
		const Mark *mark = &g_array_index(self->marks, Mark, i);
		const double *c = colours[!pixel ? 0 : mark->verdict == QS_VERDICT_WRITTEN ? 1 : 2];

		cairo_set_source_rgb(cr, c[0], c[1], c[2]);
		cairo_rectangle(cr, floor(draw_x(self, mark->draw)) - 1, FRAMES_HEIGHT + TICKS_HEIGHT - 4, 3, 4);
		cairo_fill(cr);
	}
}

/* ---- drawing ------------------------------------------------------------------------------------------------------------ */

static void frame_text(const struct qs_capture *file, guint32 frame, const char *between, char *text, gsize size)
{
	const guint32 draws = qs_capture_frame(file, frame)->draw_count;

	g_snprintf(text, size, "frame %u%s%u draw%s", frame, between, draws, draws == 1 ? "" : "s");
}

static void paint_frames(QsTimeBar *self, cairo_t *cr, const GdkRGBA *fg, const GdkRGBA *accent)
{
	const struct qs_capture *file = qs_session_get_file(SESSION(self));
	const guint32 frames = qs_capture_info(file)->frame_count;
	const double step = bar_width(self) / MAX(frames, 1);

	cairo_select_font_face(cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
	cairo_set_font_size(cr, 10);
	for (guint32 f = 0; f < frames; f++) {
		const double x = MARGIN + step * f, w = MAX(step - 1, 1);
		const gboolean now = f + 1 == self->frame;
		char text[40];

		if (now)
			cairo_set_source_rgba(cr, accent->red, accent->green, accent->blue, 0.85);
		else
			cairo_set_source_rgba(cr, fg->red, fg->green, fg->blue, 0.12);
		/* Narrow frames run together; the current one stays visible. */
		if (step < 3 && !now)
			cairo_rectangle(cr, x, 3, step, FRAMES_HEIGHT - 5);
		else
			cairo_rectangle(cr, x, 3, MAX(w, 3), FRAMES_HEIGHT - 5);
		cairo_fill(cr);
		if (step < 18)
			continue;
		if (step < 120)
			g_snprintf(text, sizeof text, "%u", f + 1);
		else
			frame_text(file, f + 1, " · ", text, sizeof text);
		cairo_set_source_rgba(cr, now ? 1 : fg->red, now ? 1 : fg->green, now ? 1 : fg->blue, now ? 1 : 0.75);
		cairo_move_to(cr, x + 5, FRAMES_HEIGHT - 6);
		cairo_show_text(cr, text);
	}
}

static void paint_ticks(QsTimeBar *self, cairo_t *cr, const GdkRGBA *fg, double now_x)
{
	const double bottom = FRAMES_HEIGHT + TICKS_HEIGHT, step = bar_width(self) / MAX(self->draw_count, 1);

	for (int later = 0; later < 2; later++) {
		float height = 0;
		double last = -1;

		for (guint32 d = 0; d < self->draw_count; d++) {
			const double x = floor(draw_x(self, d)), w = step >= 3 ? floor(step) - 1 : 1;

			height = x == last ? MAX(height, self->heights[d]) : self->heights[d];
			last = x;
			if ((draw_x(self, d + 0.4) > now_x) != later)
				continue;
			cairo_rectangle(cr, x, bottom - 4 - height * (TICKS_HEIGHT - 10), w, height * (TICKS_HEIGHT - 10));
		}
		cairo_set_source_rgba(cr, fg->red, fg->green, fg->blue, later ? 0.28 : 0.65);
		cairo_fill(cr);
	}
	for (guint i = 0; i < self->copies->len; i++) {
		const Copy *copy = &g_array_index(self->copies, Copy, i);

		cairo_set_source_rgba(cr, copy->display ? 0.15 : 0.6, 0.55, copy->display ? 0.9 : 0.3, 0.9);
		cairo_rectangle(cr, CLAMP(floor(draw_x(self, copy->draw)), 0, MARGIN + bar_width(self) - 2), FRAMES_HEIGHT + 2, 2,
			TICKS_HEIGHT - 6);
		cairo_fill(cr);
	}
}

static void paint_pin(cairo_t *cr, double x, double top, gboolean flag)
{
	if (flag) {
		cairo_rectangle(cr, x, top, 1.5, TICKS_HEIGHT - 8);
		cairo_rectangle(cr, x, top, 7, 6);
	} else {
		cairo_arc(cr, x, top + TICKS_HEIGHT - 8, 3.5, 0, 2 * G_PI);
	}
	cairo_fill(cr);
}

static void paint_pins(QsTimeBar *self, cairo_t *cr)
{
	guint count;
	const QsBookmark *bookmarks = qs_session_get_bookmarks(SESSION(self), &count);
	QsView *view = qs_session_get_view(SESSION(self));

	cairo_set_source_rgb(cr, 0.9, 0.6, 0.05);
	for (guint i = 0; i < count; i++)
		if (bookmarks[i].moment.frame == self->frame)
			paint_pin(cr, moment_x(self, &bookmarks[i].moment), FRAMES_HEIGHT + 2, TRUE);
	cairo_set_source_rgb(cr, 0.85, 0.1, 0.15);
	for (guint i = 0; i < view->breakpoint_count; i++) {
		const struct qs_breakpoint *b = &view->breakpoints[i];

		if (b->draw != QS_NONE && (b->frame == 0 || b->frame == self->frame))
			paint_pin(cr, draw_x(self, b->draw + 0.5), FRAMES_HEIGHT + 2, FALSE);
	}
}

static void qs_time_bar_snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
	QsTimeBar *self = QS_TIME_BAR(widget);
	const int width = gtk_widget_get_width(widget), height = gtk_widget_get_height(widget);
	QsView *view = qs_session_get_view(SESSION(self));
	GtkStyleContext *style = gtk_widget_get_style_context(widget);
	GdkRGBA fg, accent = {0.21f, 0.52f, 0.89f, 1};
	cairo_t *cr;
	double x;

	if (!view || !self->frame)
		return;
	gtk_style_context_get_color(style, &fg);
	gtk_style_context_lookup_color(style, "theme_selected_bg_color", &accent);
	cr = gtk_snapshot_append_cairo(snapshot, &GRAPHENE_RECT_INIT(0, 0, (float)width, (float)height));
	x = view->moment.level == QS_LEVEL_START ? MARGIN : moment_x(self, &view->moment);
	paint_frames(self, cr, &fg, &accent);
	paint_ticks(self, cr, &fg, x);
	if (self->marks_frame == self->frame)
		paint_marks(self, cr);
	paint_pins(self, cr);
	cairo_set_source_rgb(cr, accent.red, accent.green, accent.blue);
	cairo_rectangle(cr, floor(x) - 1, FRAMES_HEIGHT, 2, TICKS_HEIGHT);
	cairo_move_to(cr, x - 5, FRAMES_HEIGHT);
	cairo_line_to(cr, x + 5, FRAMES_HEIGHT);
	cairo_line_to(cr, x, FRAMES_HEIGHT + 7);
	cairo_fill(cr);
	cairo_destroy(cr);
}

/* ---- input -------------------------------------------------------------------------------------------------------------- */

static guint32 frame_at(QsTimeBar *self, double x)
{
	const guint32 frames = qs_capture_info(qs_session_get_file(SESSION(self)))->frame_count;
	const double f = (x - MARGIN) / bar_width(self) * frames;

	return (guint32)CLAMP(f, 0, frames - 1.0) + 1;
}

static void scrub(QsTimeBar *self, double x)
{
	guint32 draw;

	if (!qs_session_get_view(SESSION(self)))
		return;
	if (self->in_frames) {
		const guint32 frame = frame_at(self, x);
		char text[16];
		struct qs_error error;

		if (frame == self->sent_frame)
			return;
		self->sent_frame = frame;
		g_snprintf(text, sizeof text, "%u", frame);
		qs_session_seek_text(SESSION(self), text, &error);
		return;
	}
	if (!self->draw_count)
		return;
	draw = (guint32)CLAMP((x - MARGIN) / bar_width(self) * self->draw_count, 0, self->draw_count - 1.0);
	if (draw == self->sent_draw)
		return;
	self->sent_draw = draw;
	qs_session_seek_draw(SESSION(self), self->frame, draw);
}

static void drag_begin(QsTimeBar *self, double x, double y)
{
	self->in_frames = y < FRAMES_HEIGHT;
	self->sent_draw = self->sent_frame = QS_NONE;
	gtk_widget_grab_focus(GTK_WIDGET(self));
	scrub(self, x);
}

static void drag_update(GtkGestureDrag *drag, double dx, double dy, QsTimeBar *self)
{
	double x, y;

	(void)dy;
	if (gtk_gesture_drag_get_start_point(drag, &x, &y))
		scrub(self, x + dx);
}

static gboolean key_pressed(QsTimeBar *self, guint key, guint code, GdkModifierType state)
{
	(void)code;
	if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK))
		return FALSE;
	switch (key) {
	case GDK_KEY_Left: qs_session_step(SESSION(self), QS_LEVEL_DRAW, -1); return TRUE;
	case GDK_KEY_Right: qs_session_step(SESSION(self), QS_LEVEL_DRAW, 1); return TRUE;
	case GDK_KEY_Page_Up: qs_session_step(SESSION(self), QS_LEVEL_FRAME, -1); return TRUE;
	case GDK_KEY_Page_Down: qs_session_step(SESSION(self), QS_LEVEL_FRAME, 1); return TRUE;
	case GDK_KEY_Home: qs_session_seek_draw(SESSION(self), self->frame, 0); return TRUE;
	case GDK_KEY_End: qs_session_seek_draw(SESSION(self), self->frame, MAX(self->draw_count, 1) - 1); return TRUE;
	default: return FALSE;
	}
}

static gboolean query_tooltip(GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
	QsTimeBar *self = QS_TIME_BAR(widget);
	const struct qs_capture *file = qs_session_get_file(SESSION(self));
	char command[256], text[300];
	guint32 draw;

	if (!file || keyboard)
		return FALSE;
	if (y < FRAMES_HEIGHT) {
		const guint32 frame = frame_at(self, x);

		frame_text(file, frame, ": ", text, sizeof text);
	} else {
		if (!self->draw_count)
			return FALSE;
		draw = (guint32)CLAMP((x - MARGIN) / bar_width(self) * self->draw_count, 0, self->draw_count - 1.0);
		qs_command_text(file, qs_capture_draw_command(file, self->frame, draw), command, sizeof command);
		g_snprintf(text, sizeof text, "%u/%u  %s", self->frame, draw, command);
	}
	gtk_tooltip_set_text(tooltip, text);
	gtk_tooltip_set_tip_area(tooltip, &(GdkRectangle){x - 2, y - 2, 4, 4});
	return TRUE;
}

/* ---- panel -------------------------------------------------------------------------------------------------------------- */

static void qs_time_bar_update(QsPanel *panel, guint changes)
{
	QsTimeBar *self = QS_TIME_BAR(panel);
	QsView *view = qs_session_get_view(SESSION(self));

	if (changes & QS_CHANGE_CAPTURE)
		self->frame = self->marks_frame = 0;
	if (view && changes & (QS_CHANGE_VIEW | QS_CHANGE_CAPTURE)) {
		const guint32 frame = MAX(view->moment.frame, 1);
		g_autofree char *text = NULL;

		if (frame != self->frame && qs_capture_frame(view->capture->capture, frame))
			load_frame(self, frame);
		text = g_strdup_printf("moment %s, frame %u of %u, %u draws", view->text, frame,
			qs_capture_info(view->capture->capture)->frame_count, self->draw_count);
		gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text,
			GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text, -1);
	}
	if (view && changes & (QS_CHANGE_VIEW | QS_CHANGE_SELECTION | QS_CHANGE_PICK))
		find_marks(self, (changes & (QS_CHANGE_SELECTION | QS_CHANGE_PICK)) != 0);
	gtk_widget_queue_draw(GTK_WIDGET(self));
}

static void qs_time_bar_measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
	int *minimum_baseline, int *natural_baseline)
{
	(void)widget;
	(void)for_size;
	*minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 100 : FRAMES_HEIGHT + TICKS_HEIGHT;
	*minimum_baseline = *natural_baseline = -1;
}

static void qs_time_bar_finalize(GObject *object)
{
	QsTimeBar *self = QS_TIME_BAR(object);

	g_free(self->heights);
	g_array_unref(self->copies);
	g_array_unref(self->marks);
	G_OBJECT_CLASS(qs_time_bar_parent_class)->finalize(object);
}

static void qs_time_bar_init(QsTimeBar *self)
{
	GtkGesture *drag = gtk_gesture_drag_new();
	GtkEventController *keys = gtk_event_controller_key_new();

	self->copies = g_array_new(FALSE, FALSE, sizeof(Copy));
	self->marks = g_array_new(FALSE, FALSE, sizeof(Mark));
	gtk_widget_set_vexpand(GTK_WIDGET(self), FALSE);
	gtk_widget_set_layout_manager(GTK_WIDGET(self), NULL);
	gtk_widget_set_focusable(GTK_WIDGET(self), TRUE);
	gtk_widget_set_has_tooltip(GTK_WIDGET(self), TRUE);
	gtk_widget_add_css_class(GTK_WIDGET(self), "qs-time-bar");
	gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL, "Time bar", -1);
	g_signal_connect_swapped(drag, "drag-begin", G_CALLBACK(drag_begin), self);
	g_signal_connect(drag, "drag-update", G_CALLBACK(drag_update), self);
	g_signal_connect_swapped(keys, "key-pressed", G_CALLBACK(key_pressed), self);
	gtk_widget_add_controller(GTK_WIDGET(self), GTK_EVENT_CONTROLLER(drag));
	gtk_widget_add_controller(GTK_WIDGET(self), keys);
}

static void qs_time_bar_class_init(QsTimeBarClass *klass)
{
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

	G_OBJECT_CLASS(klass)->finalize = qs_time_bar_finalize;
	QS_PANEL_CLASS(klass)->update = qs_time_bar_update;
	widget_class->snapshot = qs_time_bar_snapshot;
	widget_class->measure = qs_time_bar_measure;
	widget_class->query_tooltip = query_tooltip;
	gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_IMG);
	gtk_widget_class_set_css_name(widget_class, "qstimebar");
}
