/* qs-console-panel.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-console-panel.h"
#include <string.h>
#include "console-history.h"
#include "qs-lua.h"
#include "widgets/qs-completion.h"
#include "widgets/qs-console-view.h"

struct _QsConsolePanel {
	QsPanel parent_instance;
	GtkScrolledWindow *scroll;
	QsConsoleView *output;
	GtkLabel *prompt;
	GtkEntry *entry;
	GtkProgressBar *progress;
	GtkButton *stop, *clear;
	GtkWidget *completion;
	ConsoleHistory *history;
	GString *pending; /* lines that want more lines */
	char *submitted;  /* what the engine is working on */
	char *head;       /* of the prompt before the word that is completed */
	gboolean quiet;   /* the panel itself changes the entry */
};

G_DEFINE_FINAL_TYPE(QsConsolePanel, qs_console_panel, QS_TYPE_PANEL)

#define SESSION(self) qs_panel_get_session(QS_PANEL(self))
#define LUA(self) qs_session_get_lua(SESSION(self))

/* ---- output ------------------------------------------------------------------------------------------------------------- */

static void add_text(QsConsolePanel *self, guint kind, const char *text)
{
	qs_console_view_add(self->output, (QsLuaText)kind, text, qs_session_get_file(SESSION(self)));
}

static void add_figure(QsConsolePanel *self, QsFigure *figure)
{
	qs_console_view_add_figure(self->output, figure);
}

static void show_running(QsConsolePanel *self, guint changes)
{
	double progress;
	const gboolean running = qs_lua_get_running(LUA(self), &progress);

	if (!(changes & QS_LUA_CHANGE_RUNNING))
		return;
	gtk_widget_set_sensitive(GTK_WIDGET(self->stop), running);
	gtk_widget_set_visible(GTK_WIDGET(self->progress), running && progress > 0);
	gtk_progress_bar_set_fraction(self->progress, progress);
}

static void follow_moment(QsConsolePanel *self, const char *text)
{
	struct qs_error error = {0};

	if (!qs_session_seek_text(SESSION(self), text, &error))
		qs_session_message(SESSION(self), QS_MESSAGE_HINT, "%s", error.text);
}

static void follow_place(QsConsolePanel *self, const char *file, int line)
{
	gtk_widget_activate_action(GTK_WIDGET(self), "script.show", "(si)", file, line);
}

static void follow_figure(QsConsolePanel *self, const char *title)
{
	gtk_widget_activate_action(GTK_WIDGET(self), "plots.show", "s", title);
}

/* ---- the prompt --------------------------------------------------------------------------------------------------------- */

static void set_text(QsConsolePanel *self, const char *text)
{
	self->quiet = TRUE;
	gtk_editable_set_text(GTK_EDITABLE(self->entry), text);
	gtk_editable_set_position(GTK_EDITABLE(self->entry), -1);
	self->quiet = FALSE;
}

static void show_prompt(QsConsolePanel *self)
{
	const gboolean more = self->pending->len > 0;

	gtk_label_set_text(self->prompt, more ? ">>" : ">");
	gtk_entry_set_placeholder_text(self->entry, more ? "the statement goes on; Esc gives it up" :
		"Lua: qs.regs.bp.GEN_MODE.ntev");
}

static void submit(QsConsolePanel *self)
{
	const char *line = gtk_editable_get_text(GTK_EDITABLE(self->entry));
	const gboolean more = self->pending->len > 0;
	g_autofree char *text = more ? g_strconcat(self->pending->str, "\n", line, NULL) : g_strdup(line);
	g_autofree char *echo = g_strdup_printf("%s %s\n", more ? ">>" : ">", line);

	if (!more && !line[strspn(line, " \t")])
		return;
	if (!qs_lua_get_running(LUA(self), NULL))
		add_text(self, QS_LUA_INPUT, echo);
	if (!qs_lua_eval(LUA(self), text))
		return;
	if (line[0])
		console_history_add(self->history, line);
	g_free(self->submitted);
	self->submitted = g_steal_pointer(&text);
	set_text(self, "");
}

static void finished(QsConsolePanel *self, const char *name, const char *error, gboolean incomplete)
{
	(void)name;
	(void)error;
	if (!self->submitted)
		return;
	g_string_assign(self->pending, incomplete ? self->submitted : "");
	g_clear_pointer(&self->submitted, g_free);
	show_prompt(self);
}

static gboolean go_history(QsConsolePanel *self, int direction)
{
	const char *line = console_history_go(self->history, direction, gtk_editable_get_text(GTK_EDITABLE(self->entry)));

	if (line) {
		g_autofree char *copy = g_strdup(line);

		set_text(self, copy);
	}
	return TRUE;
}

/* ---- completion --------------------------------------------------------------------------------------------------------- */

/* Puts a candidate in the place of the word; what is right of the cursor stays. */
static void complete_with(QsConsolePanel *self, const char *word)
{
	const int cursor = gtk_editable_get_position(GTK_EDITABLE(self->entry));
	const char *rest = g_utf8_offset_to_pointer(gtk_editable_get_text(GTK_EDITABLE(self->entry)), cursor);
	g_autofree char *text = g_strconcat(self->head, word, rest, NULL);

	self->quiet = TRUE;
	gtk_editable_set_text(GTK_EDITABLE(self->entry), text);
	gtk_editable_set_position(GTK_EDITABLE(self->entry), (int)(g_utf8_strlen(self->head, -1) + g_utf8_strlen(word, -1)));
	self->quiet = FALSE;
}

static gsize common_prefix(char **list)
{
	gsize length = strlen(list[0]);

	for (guint i = 1; list[i]; i++) {
		gsize n = 0;

		while (n < length && list[0][n] == list[i][n])
			n++;
		length = n;
	}
	while (length && (list[0][length] & 0xc0) == 0x80) /* not within a character */
		length--;
	return length;
}

static void show_candidates(QsConsolePanel *self, char **list)
{
	PangoLayout *layout = gtk_widget_create_pango_layout(GTK_WIDGET(self->entry), self->head);
	graphene_rect_t box;
	int width;

	pango_layout_get_pixel_size(layout, &width, NULL);
	g_object_unref(layout);
	if (!gtk_widget_compute_bounds(GTK_WIDGET(self->entry), GTK_WIDGET(self), &box))
		return;
	width = MIN(width, (int)box.size.width - 30);
	qs_completion_show(QS_COMPLETION(self->completion), list,
		&(GdkRectangle){(int)box.origin.x + width, (int)box.origin.y, 16, (int)box.size.height});
}

static void completed(GObject *owner, const char *asked, char **list, gsize start)
{
	QsConsolePanel *self = QS_CONSOLE_PANEL(owner);
	const char *text = gtk_editable_get_text(GTK_EDITABLE(self->entry));
	const char *cursor = g_utf8_offset_to_pointer(text, gtk_editable_get_position(GTK_EDITABLE(self->entry)));
	const gsize skip = self->pending->len ? self->pending->len + 1 : 0;
	g_autofree char *prefix = NULL;
	gsize common;

	/* Typed on since? */
	if (strlen(asked) != skip + (gsize)(cursor - text) || memcmp(asked + skip, text, (gsize)(cursor - text)) != 0 || start < skip)
		return;
	g_free(self->head);
	self->head = g_strndup(text, start - skip);
	if (!list[0]) {
		gtk_widget_error_bell(GTK_WIDGET(self->entry));
		return;
	}
	common = list[1] ? common_prefix(list) : strlen(list[0]);
	prefix = g_strndup(list[0], common);
	if (!list[1] || common > strlen(asked) - start)
		complete_with(self, prefix);
	if (list[1])
		show_candidates(self, list);
}

static gboolean ask_completion(QsConsolePanel *self)
{
	const char *text = gtk_editable_get_text(GTK_EDITABLE(self->entry));
	const char *cursor = g_utf8_offset_to_pointer(text, gtk_editable_get_position(GTK_EDITABLE(self->entry)));
	g_autofree char *before = g_strndup(text, (gsize)(cursor - text));
	g_autofree char *all = self->pending->len ? g_strconcat(self->pending->str, "\n", before, NULL) : g_strdup(before);

	if (!before[strspn(before, " \t")])
		return FALSE; /* Tab goes to the next widget */
	qs_lua_complete(LUA(self), all, G_OBJECT(self), completed);
	return TRUE;
}

static void hide_completion(QsConsolePanel *self)
{
	if (!self->quiet)
		gtk_popover_popdown(GTK_POPOVER(self->completion));
}

static gboolean key_pressed(QsConsolePanel *self, guint key, guint code, GdkModifierType state)
{
	(void)code;
	if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK))
		return FALSE;
	if (qs_completion_key(QS_COMPLETION(self->completion), key))
		return TRUE;
	switch (key) {
	case GDK_KEY_Tab: return ask_completion(self);
	case GDK_KEY_Up: return go_history(self, -1);
	case GDK_KEY_Down: return go_history(self, 1);
	case GDK_KEY_Escape:
		if (qs_lua_get_running(LUA(self), NULL) || !self->pending->len)
			return FALSE;
		g_string_truncate(self->pending, 0);
		show_prompt(self);
		return TRUE;
	default: return FALSE;
	}
}

static void stop_clicked(QsConsolePanel *self)
{
	qs_lua_stop(LUA(self));
}

/* ---- panel -------------------------------------------------------------------------------------------------------------- */

static void qs_console_panel_focus(QsPanel *panel)
{
	gtk_widget_grab_focus(GTK_WIDGET(QS_CONSOLE_PANEL(panel)->entry));
}

static void qs_console_panel_constructed(GObject *object)
{
	QsConsolePanel *self = QS_CONSOLE_PANEL(object);

	G_OBJECT_CLASS(qs_console_panel_parent_class)->constructed(object);
	g_signal_connect_object(LUA(self), "text", G_CALLBACK(add_text), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(LUA(self), "figure", G_CALLBACK(add_figure), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(LUA(self), "changed", G_CALLBACK(show_running), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(LUA(self), "finished", G_CALLBACK(finished), self, G_CONNECT_SWAPPED);
}

static void qs_console_panel_finalize(GObject *object)
{
	QsConsolePanel *self = QS_CONSOLE_PANEL(object);

	console_history_free(self->history);
	g_string_free(self->pending, TRUE);
	g_free(self->submitted);
	g_free(self->head);
	G_OBJECT_CLASS(qs_console_panel_parent_class)->finalize(object);
}

static void qs_console_panel_init(QsConsolePanel *self)
{
	GtkEventController *keys = gtk_event_controller_key_new(), *focus = gtk_event_controller_focus_new();

	gtk_widget_init_template(GTK_WIDGET(self));
	self->history = console_history_new();
	self->pending = g_string_new(NULL);
	self->head = g_strdup("");
	self->completion = qs_completion_new();
	gtk_widget_set_parent(self->completion, GTK_WIDGET(self));
	g_signal_connect_object(self->completion, "chosen", G_CALLBACK(complete_with), self, G_CONNECT_SWAPPED);
	gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE);
	g_signal_connect_object(keys, "key-pressed", G_CALLBACK(key_pressed), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(focus, "leave", G_CALLBACK(hide_completion), self, G_CONNECT_SWAPPED);
	gtk_widget_add_controller(GTK_WIDGET(self->entry), keys);
	gtk_widget_add_controller(GTK_WIDGET(self->entry), focus);
	g_signal_connect_object(self->entry, "activate", G_CALLBACK(submit), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(self->entry, "changed", G_CALLBACK(hide_completion), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(self->stop, "clicked", G_CALLBACK(stop_clicked), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(self->clear, "clicked", G_CALLBACK(qs_console_view_clear), self->output, G_CONNECT_SWAPPED);
	g_signal_connect_object(self->output, "moment", G_CALLBACK(follow_moment), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(self->output, "place", G_CALLBACK(follow_place), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(self->output, "figure", G_CALLBACK(follow_figure), self, G_CONNECT_SWAPPED);
}

static void qs_console_panel_class_init(QsConsolePanelClass *klass)
{
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

	g_type_ensure(QS_TYPE_CONSOLE_VIEW);
	G_OBJECT_CLASS(klass)->constructed = qs_console_panel_constructed;
	G_OBJECT_CLASS(klass)->finalize = qs_console_panel_finalize;
	QS_PANEL_CLASS(klass)->focus = qs_console_panel_focus;
	gtk_widget_class_set_template_from_resource(widget_class, QS_RESOURCE "panels/qs-console-panel.ui");
	gtk_widget_class_bind_template_child(widget_class, QsConsolePanel, scroll);
	gtk_widget_class_bind_template_child(widget_class, QsConsolePanel, output);
	gtk_widget_class_bind_template_child(widget_class, QsConsolePanel, prompt);
	gtk_widget_class_bind_template_child(widget_class, QsConsolePanel, entry);
	gtk_widget_class_bind_template_child(widget_class, QsConsolePanel, progress);
	gtk_widget_class_bind_template_child(widget_class, QsConsolePanel, stop);
	gtk_widget_class_bind_template_child(widget_class, QsConsolePanel, clear);
}
