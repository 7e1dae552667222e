/* qs-console-view.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-console-view.h"
#include <stdlib.h>
#include <string.h>
#include "qs-theme.h"

#define MAX_LINES 10000
#define TABLE_ROWS 200
#define NEAR 24 /* pixels from the end that count as the end */

typedef enum { TAG_INPUT, TAG_ERROR, TAG_NOTE, TAG_HEAD, TAG_MOMENT, TAG_PLACE, TAG_FIGURE, TAG_COUNT } Tag;

struct _QsConsoleView {
	GtkTextView parent_instance;
	GtkTextTag *tag[TAG_COUNT];
	GtkTextMark *end;
	GRegex *moments, *places;
	gboolean over_link;
	GtkAdjustment *vertical; /* that is watched */
	double last_value;
	gboolean away; /* the person has scrolled up: new text does not move what they read */
};

G_DEFINE_FINAL_TYPE(QsConsoleView, qs_console_view, GTK_TYPE_TEXT_VIEW)

enum { SIGNAL_MOMENT, SIGNAL_PLACE, SIGNAL_FIGURE, SIGNAL_COUNT };
static guint signals[SIGNAL_COUNT];

#define BUFFER(self) gtk_text_view_get_buffer(GTK_TEXT_VIEW(self))

/* ---- adding ------------------------------------------------------------------------------------------------------------- */

static void scroll_to_end(QsConsoleView *self)
{
	if (!self->away)
		gtk_text_view_scroll_mark_onscreen(GTK_TEXT_VIEW(self), self->end);
}

/* Only a person goes up; the text itself only grows. */
static void scrolled(QsConsoleView *self)
{
	GtkAdjustment *v = self->vertical;
	const double value = gtk_adjustment_get_value(v);

	if (value + gtk_adjustment_get_page_size(v) >= gtk_adjustment_get_upper(v) - NEAR)
		self->away = FALSE;
	else if (value < self->last_value)
		self->away = TRUE;
	self->last_value = value;
}

static void watch_scrolling(QsConsoleView *self)
{
	if (self->vertical)
		g_signal_handlers_disconnect_by_func(self->vertical, scrolled, self);
	g_set_object(&self->vertical, gtk_scrollable_get_vadjustment(GTK_SCROLLABLE(self)));
	if (self->vertical)
		g_signal_connect_object(self->vertical, "value-changed", G_CALLBACK(scrolled), self, G_CONNECT_SWAPPED);
}

static void trim(GtkTextBuffer *buffer)
{
	const int surplus = gtk_text_buffer_get_line_count(buffer) - MAX_LINES;
	GtkTextIter start, stop;

	if (surplus <= 0)
		return;
	gtk_text_buffer_get_start_iter(buffer, &start);
	gtk_text_buffer_get_iter_at_line(buffer, &stop, surplus);
	gtk_text_buffer_delete(buffer, &start, &stop);
}

static void append(QsConsoleView *self, const char *text, GtkTextTag *tag)
{
	GtkTextIter end;

	gtk_text_buffer_get_end_iter(BUFFER(self), &end);
	if (tag)
		gtk_text_buffer_insert_with_tags(BUFFER(self), &end, text, -1, tag, NULL);
	else
		gtk_text_buffer_insert(BUFFER(self), &end, text, -1);
}

static void finish(QsConsoleView *self)
{
	trim(BUFFER(self));
	scroll_to_end(self);
}

/* Where the regular expression matches the text, which begins at `offset` of the buffer. */
static void tag_matches(QsConsoleView *self, const char *text, int offset, GRegex *regex, Tag tag,
	const struct qs_capture *capture)
{
	g_autoptr(GMatchInfo) match = NULL;
	const char *last = text;

	g_regex_match(regex, text, 0, &match);
	for (; g_match_info_matches(match); g_match_info_next(match, NULL)) {
		g_autofree char *word = g_match_info_fetch(match, 1);
		struct qs_error ignored = {0};
		struct qs_moment moment;
		GtkTextIter start, stop;
		int from, to;

		if (tag == TAG_MOMENT && !qs_moment_parse(capture, word, &moment, &ignored))
			continue;
		g_match_info_fetch_pos(match, 1, &from, &to);
		offset += (int)g_utf8_strlen(last, text + from - last);
		last = text + from;
		gtk_text_buffer_get_iter_at_offset(BUFFER(self), &start, offset);
		gtk_text_buffer_get_iter_at_offset(BUFFER(self), &stop, offset + (int)g_utf8_strlen(text + from, to - from));
		gtk_text_buffer_apply_tag(BUFFER(self), self->tag[tag], &start, &stop);
	}
}

void qs_console_view_add(QsConsoleView *self, QsLuaText kind, const char *text, const struct qs_capture *capture)
{
	const int offset = gtk_text_buffer_get_char_count(BUFFER(self));
	GtkTextTag *const tag[] = {NULL, self->tag[TAG_ERROR], self->tag[TAG_INPUT], self->tag[TAG_NOTE]};

	append(self, text, tag[kind]);
	if (kind == QS_LUA_OUTPUT && capture)
		tag_matches(self, text, offset, self->moments, TAG_MOMENT, capture);
	if (kind == QS_LUA_ERROR)
		tag_matches(self, text, offset, self->places, TAG_PLACE, NULL);
	finish(self);
}

static void add_table(QsConsoleView *self, const QsFigure *figure)
{
	g_autofree char *text = qs_figure_format_table(figure, TABLE_ROWS);
	char *rest = strchr(text, '\n');

	if (!rest)
		return;
	*rest = '\0';
	append(self, text, self->tag[TAG_HEAD]);
	append(self, "\n", NULL);
	append(self, rest + 1, NULL);
}

void qs_console_view_add_figure(QsConsoleView *self, const QsFigure *figure)
{
	g_autofree char *text = qs_figure_describe(figure), *rest = g_strdup_printf("  %s\n", text);

	append(self, figure->title[0] ? figure->title : "Table", self->tag[TAG_FIGURE]);
	append(self, rest, self->tag[TAG_NOTE]);
	if (figure->kind == QS_FIGURE_TABLE)
		add_table(self, figure);
	finish(self);
}

void qs_console_view_clear(QsConsoleView *self)
{
	gtk_text_buffer_set_text(BUFFER(self), "", 0);
	self->away = FALSE;
}

/* ---- links -------------------------------------------------------------------------------------------------------------- */

static gboolean link_at(QsConsoleView *self, double x, double y, Tag *tag, char **text)
{
	GtkTextIter iter, start, stop;
	int bx, by;

	gtk_text_view_window_to_buffer_coords(GTK_TEXT_VIEW(self), GTK_TEXT_WINDOW_WIDGET, (int)x, (int)y, &bx, &by);
	if (!gtk_text_view_get_iter_at_location(GTK_TEXT_VIEW(self), &iter, bx, by))
		return FALSE;
	for (guint t = TAG_MOMENT; t < TAG_COUNT; t++) {
		if (!gtk_text_iter_has_tag(&iter, self->tag[t]))
			continue;
		start = stop = iter;
		if (!gtk_text_iter_starts_tag(&start, self->tag[t]))
			gtk_text_iter_backward_to_tag_toggle(&start, self->tag[t]);
		gtk_text_iter_forward_to_tag_toggle(&stop, self->tag[t]);
		*tag = (Tag)t;
		*text = gtk_text_iter_get_text(&start, &stop);
		return TRUE;
	}
	return FALSE;
}

static void follow(QsConsoleView *self, Tag tag, char *text)
{
	char *colon;

	if (tag == TAG_MOMENT) {
		g_signal_emit(self, signals[SIGNAL_MOMENT], 0, text);
	} else if (tag == TAG_FIGURE) {
		g_signal_emit(self, signals[SIGNAL_FIGURE], 0, text);
	} else if ((colon = strrchr(text, ':'))) {
		*colon = '\0';
		g_signal_emit(self, signals[SIGNAL_PLACE], 0, text, atoi(colon + 1));
	}
}

static void released(QsConsoleView *self, int n, double x, double y)
{
	g_autofree char *text = NULL;
	Tag tag;

	(void)n;
	if (!gtk_text_buffer_get_has_selection(BUFFER(self)) && link_at(self, x, y, &tag, &text))
		follow(self, tag, text);
}

static void motion(QsConsoleView *self, double x, double y)
{
	g_autofree char *text = NULL;
	Tag tag;
	const gboolean over = link_at(self, x, y, &tag, &text);

	if (over != self->over_link)
		gtk_widget_set_cursor_from_name(GTK_WIDGET(self), over ? "pointer" : "text");
	self->over_link = over;
}

/* ---- object ------------------------------------------------------------------------------------------------------------- */

static void theme_changed(GtkWidget *widget)
{
	QsConsoleView *self = QS_CONSOLE_VIEW(widget);
	const gboolean dark = qs_theme_is_dark(widget);
	const char *red = dark ? "#ff7b72" : "#b3141f", *blue = dark ? "#78aeed" : "#1a5fb4", *grey = dark ? "#a0a0a0" : "#606060";

	g_object_set(self->tag[TAG_ERROR], "foreground", red, NULL);
	g_object_set(self->tag[TAG_INPUT], "foreground", grey, NULL);
	g_object_set(self->tag[TAG_NOTE], "foreground", grey, NULL);
	g_object_set(self->tag[TAG_MOMENT], "foreground", blue, NULL);
	g_object_set(self->tag[TAG_PLACE], "foreground", red, NULL);
	g_object_set(self->tag[TAG_FIGURE], "foreground", blue, NULL);
}

static void qs_console_view_finalize(GObject *object)
{
	QsConsoleView *self = QS_CONSOLE_VIEW(object);

	g_clear_object(&self->vertical);
	g_regex_unref(self->moments);
	g_regex_unref(self->places);
	G_OBJECT_CLASS(qs_console_view_parent_class)->finalize(object);
}

static void qs_console_view_init(QsConsoleView *self)
{
	static const char *const names[] = {"input", "error", "note", "head", "moment", "place", "figure"};
	GtkGesture *click = gtk_gesture_click_new();
	GtkEventController *move = gtk_event_controller_motion_new();
	GtkTextIter end;

	for (guint t = 0; t < TAG_COUNT; t++)
		self->tag[t] = gtk_text_buffer_create_tag(BUFFER(self), names[t], NULL);
	g_object_set(self->tag[TAG_NOTE], "style", PANGO_STYLE_ITALIC, NULL);
	g_object_set(self->tag[TAG_HEAD], "weight", PANGO_WEIGHT_BOLD, NULL);
	for (guint t = TAG_MOMENT; t < TAG_COUNT; t++)
		g_object_set(self->tag[t], "underline", PANGO_UNDERLINE_SINGLE, NULL);
	gtk_text_buffer_get_end_iter(BUFFER(self), &end);
	self->end = gtk_text_buffer_create_mark(BUFFER(self), NULL, &end, FALSE);
	self->moments = g_regex_new("(?<![\\w./@])(\\d+(?:(?:/\\d+){1,5}|@0x[0-9a-fA-F]+(?:\\.\\d+)?))(?![\\w/@])", G_REGEX_OPTIMIZE, 0,
		NULL);
	self->places = g_regex_new("(?<!\\S)(?!console:)([^\\s:'\"]+:\\d+)(?=:)", G_REGEX_OPTIMIZE, 0, NULL);
	g_signal_connect_object(click, "released", G_CALLBACK(released), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(move, "motion", G_CALLBACK(motion), self, G_CONNECT_SWAPPED);
	gtk_widget_add_controller(GTK_WIDGET(self), GTK_EVENT_CONTROLLER(click));
	gtk_widget_add_controller(GTK_WIDGET(self), move);
	g_signal_connect(self, "notify::vadjustment", G_CALLBACK(watch_scrolling), NULL);
	g_signal_connect_after(self, "map", G_CALLBACK(scroll_to_end), NULL); /* what came while it was hidden */
	qs_theme_watch(GTK_WIDGET(self), theme_changed);
}

static void qs_console_view_class_init(QsConsoleViewClass *klass)
{
	const GType type = G_TYPE_FROM_CLASS(klass);

	G_OBJECT_CLASS(klass)->finalize = qs_console_view_finalize;
	signals[SIGNAL_MOMENT] = g_signal_new("moment", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
	signals[SIGNAL_PLACE] = g_signal_new("place", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_STRING,
		G_TYPE_INT);
	signals[SIGNAL_FIGURE] = g_signal_new("figure", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}
