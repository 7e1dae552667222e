/* qs-lint-panel.c - see the header
 *
 * The examination needs no timeline: it runs on a thread of its own once per capture, when the panel is first seen.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h" /* strcasestr */
#include "qs-lint-panel.h"
#include <string.h>
#include "widgets/qs-column.h"

typedef struct {
	QsCapture *capture;
	struct qs_lint_message *messages;
	guint32 count;
} Report;

struct _QsLintPanel {
	QsPanel parent_instance;
	GtkColumnView *list;
	GtkSearchEntry *filter;
	GtkToggleButton *errors, *warnings, *notes;
	GtkLabel *summary;
	GtkStack *stack;
	GtkLabel *nothing;
	QsCounter *model;
	GArray *rows; /* guint: numbers of the messages that are shown */
	Report *report;
	QsCapture *wanted; /* being examined */
	GCancellable *examining;
	char *problem;
};

G_DEFINE_FINAL_TYPE(QsLintPanel, qs_lint_panel, QS_TYPE_PANEL)

#define SESSION(self) qs_panel_get_session(QS_PANEL(self))

static void report_free(gpointer data)
{
	Report *report = data;

	if (!report)
		return;
	qs_lint_free(report->messages, report->count);
	qs_capture_unref(report->capture);
	g_free(report);
}

/* ---- list --------------------------------------------------------------------------------------------------------------- */

static gboolean wanted_severity(QsLintPanel *self, guint severity)
{
	GtkToggleButton *const button[QS_LINT_COUNT] = {self->notes, self->warnings, self->errors};

	return severity < QS_LINT_COUNT && gtk_toggle_button_get_active(button[severity]);
}

static gboolean matches(const struct qs_lint_message *message, GStrv words)
{
	for (guint i = 0; words[i]; i++)
		if (words[i][0] && !strcasestr(message->text, words[i]) && !strcasestr(message->check, words[i]))
			return FALSE;
	return TRUE;
}

static void show_nothing(QsLintPanel *self)
{
	const guint commands = qs_capture_info(self->report->capture->capture)->command_count;
	g_autofree char *text = self->report->count ? g_strdup("No message matches the filter.") :
		g_strdup_printf("Nothing unusual in %u commands.", commands);

	gtk_label_set_text(self->nothing, text);
}

static void filter_rows(QsLintPanel *self)
{
	g_auto(GStrv) words = g_strsplit(gtk_editable_get_text(GTK_EDITABLE(self->filter)), " ", -1);
	g_autofree char *text = NULL;

	if (!self->report)
		return;
	g_array_set_size(self->rows, 0);
	for (guint i = 0; i < self->report->count; i++)
		if (wanted_severity(self, self->report->messages[i].severity) && matches(&self->report->messages[i], words))
			g_array_append_val(self->rows, i);
	qs_counter_set(self->model, self->rows->len);
	if (!self->rows->len)
		show_nothing(self);
	gtk_stack_set_visible_child_name(self->stack, self->rows->len ? "list" : "nothing");
	text = self->rows->len == self->report->count ? g_strdup_printf("%u message%s", self->report->count,
		self->report->count == 1 ? "" : "s") : g_strdup_printf("%u of %u", self->rows->len, self->report->count);
	gtk_label_set_text(self->summary, text);
}

static void label_buttons(QsLintPanel *self)
{
	GtkToggleButton *const button[QS_LINT_COUNT] = {self->notes, self->warnings, self->errors};
	static const char *const name[QS_LINT_COUNT] = {"Notes", "Warnings", "Errors"};
	guint count[QS_LINT_COUNT] = {0};

	for (guint i = 0; i < self->report->count; i++)
		count[MIN(self->report->messages[i].severity, QS_LINT_ERROR)]++;
	for (guint s = 0; s < QS_LINT_COUNT; s++) {
		g_autofree char *label = g_strdup_printf("%s %u", name[s], count[s]);

		gtk_button_set_label(GTK_BUTTON(button[s]), label);
	}
}

/* ---- examination -------------------------------------------------------------------------------------------------------- */

static bool go_on(double fraction, void *user)
{
	(void)fraction;
	return !g_cancellable_is_cancelled(user);
}

static void examine_thread(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
	QsCapture *capture = data;
	Report *report = g_new0(Report, 1);
	struct qs_error error = {0};

	(void)source;
	report->capture = qs_capture_ref(capture);
	if (qs_capture_lint(capture->capture, 0, &report->messages, &report->count, go_on, cancellable, &error)) {
		g_task_return_pointer(task, report, report_free);
		return;
	}
	report_free(report);
	g_task_return_new_error(task, G_IO_ERROR, G_IO_ERROR_FAILED, "%s", error.text);
}

static void examined(GObject *source, GAsyncResult *result, gpointer user)
{
	QsLintPanel *self = QS_LINT_PANEL(source);
	g_autoptr(GError) error = NULL;
	Report *report = g_task_propagate_pointer(G_TASK(result), &error);

	(void)user;
	/* Another capture was opened meanwhile: its own answer comes. */
	if (g_task_get_task_data(G_TASK(result)) != self->wanted) {
		report_free(report);
		return;
	}
	g_clear_object(&self->examining);
	if (report) {
		self->report = report;
		qs_panel_set_empty(QS_PANEL(self), NULL);
		label_buttons(self);
		filter_rows(self);
	} else {
		self->problem = g_strdup(error->message);
		qs_panel_set_empty(QS_PANEL(self), self->problem);
	}
}

static void forget(QsLintPanel *self)
{
	if (self->examining)
		g_cancellable_cancel(self->examining);
	g_clear_object(&self->examining);
	qs_counter_set(self->model, 0);
	g_clear_pointer(&self->report, report_free);
	g_clear_pointer(&self->wanted, qs_capture_unref);
	g_clear_pointer(&self->problem, g_free);
}

static void qs_lint_panel_update(QsPanel *panel, guint changes)
{
	QsLintPanel *self = QS_LINT_PANEL(panel);
	QsCapture *capture = qs_session_get_capture(SESSION(self));
	GTask *task;

	if (!(changes & QS_CHANGE_CAPTURE) || (capture && capture == self->wanted))
		return;
	forget(self);
	qs_panel_set_empty(panel, capture ? "Looking at every command of the capture …" :
		"Open a capture: what is unusual, undefined or damaged in it is listed here.");
	if (!capture)
		return;
	self->wanted = qs_capture_ref(capture);
	self->examining = g_cancellable_new();
	task = g_task_new(self, self->examining, examined, NULL);
	g_task_set_task_data(task, qs_capture_ref(capture), (GDestroyNotify)qs_capture_unref);
	g_task_set_check_cancellable(task, FALSE);
	g_task_run_in_thread(task, examine_thread);
	g_object_unref(task);
}

/* ---- cells -------------------------------------------------------------------------------------------------------------- */

static const struct qs_lint_message *message_at(QsLintPanel *self, guint row)
{
	return &self->report->messages[g_array_index(self->rows, guint, row)];
}

static const struct qs_lint_message *message_of(gpointer item, QsLintPanel *self)
{
	return message_at(self, qs_number_get(item));
}

static char *severity_text(gpointer item, gpointer user)
{
	static const char *const colour[QS_LINT_COUNT] = {"#7f8790", "#d08a00", "#e0383e"};
	const guint severity = MIN(message_of(item, user)->severity, QS_LINT_ERROR);

	return g_strdup_printf("<span foreground='%s'>●</span> %s", colour[severity],
		qs_lint_severity_name((enum qs_lint_severity)severity));
}

static char *moment_text(gpointer item, gpointer user)
{
	QsLintPanel *self = user;
	const struct qs_lint_message *message = message_of(item, user);
	char text[80];

	if (message->moment.level == QS_LEVEL_START)
		return g_strdup("capture");
	return qs_link_moment(qs_moment_format(self->report->capture->capture, &message->moment, text, sizeof text));
}

static char *text_text(gpointer item, gpointer user)
{
	return g_markup_escape_text(message_of(item, user)->text, -1);
}

static char *count_text(gpointer item, gpointer user)
{
	return g_strdup_printf("%5u", message_of(item, user)->count);
}

static char *check_text(gpointer item, gpointer user)
{
	return g_markup_escape_text(message_of(item, user)->check, -1);
}

static void activate(GtkColumnView *list, guint row, QsLintPanel *self)
{
	(void)list;
	if (row < self->rows->len)
		qs_session_seek(SESSION(self), &message_at(self, row)->moment);
}

/* ---- object ------------------------------------------------------------------------------------------------------------- */

static void qs_lint_panel_focus(QsPanel *panel)
{
	gtk_widget_grab_focus(GTK_WIDGET(QS_LINT_PANEL(panel)->list));
}

static void qs_lint_panel_constructed(GObject *object)
{
	QsLintPanel *self = QS_LINT_PANEL(object);
	QsPanel *panel = QS_PANEL(self);
	GtkSingleSelection *selection;

	G_OBJECT_CLASS(qs_lint_panel_parent_class)->constructed(object);
	qs_column_add(self->list, "Severity", 92, FALSE, severity_text, self, panel);
	qs_column_add(self->list, "Moment", 110, TRUE, moment_text, self, panel);
	qs_column_add(self->list, "Message", -1, FALSE, text_text, self, panel);
	qs_column_add(self->list, "Times", 62, TRUE, count_text, self, panel);
	qs_column_add(self->list, "Check", 130, TRUE, check_text, self, panel);
	selection = gtk_single_selection_new(g_object_ref(G_LIST_MODEL(self->model)));
	gtk_single_selection_set_autoselect(selection, FALSE);
	gtk_single_selection_set_can_unselect(selection, TRUE);
	gtk_column_view_set_model(self->list, GTK_SELECTION_MODEL(selection));
	g_object_unref(selection);
}

static void qs_lint_panel_dispose(GObject *object)
{
	QsLintPanel *self = QS_LINT_PANEL(object);

	if (self->model)
		forget(self);
	g_clear_object(&self->model);
	G_OBJECT_CLASS(qs_lint_panel_parent_class)->dispose(object);
}

static void qs_lint_panel_finalize(GObject *object)
{
	g_array_unref(QS_LINT_PANEL(object)->rows);
	G_OBJECT_CLASS(qs_lint_panel_parent_class)->finalize(object);
}

static void qs_lint_panel_init(QsLintPanel *self)
{
	self->rows = g_array_new(FALSE, FALSE, sizeof(guint));
	self->model = qs_counter_new();
	gtk_widget_init_template(GTK_WIDGET(self));
}

static void qs_lint_panel_class_init(QsLintPanelClass *klass)
{
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

	G_OBJECT_CLASS(klass)->constructed = qs_lint_panel_constructed;
	G_OBJECT_CLASS(klass)->dispose = qs_lint_panel_dispose;
	G_OBJECT_CLASS(klass)->finalize = qs_lint_panel_finalize;
	QS_PANEL_CLASS(klass)->update = qs_lint_panel_update;
	QS_PANEL_CLASS(klass)->focus = qs_lint_panel_focus;
	gtk_widget_class_set_template_from_resource(widget_class, QS_RESOURCE "panels/qs-lint-panel.ui");
	gtk_widget_class_bind_template_callback(widget_class, filter_rows);
	gtk_widget_class_bind_template_callback(widget_class, activate);
#define BIND(name) gtk_widget_class_bind_template_child(widget_class, QsLintPanel, name)
	BIND(list);
	BIND(filter);
	BIND(errors);
	BIND(warnings);
	BIND(notes);
	BIND(summary);
	BIND(stack);
	BIND(nothing);
#undef BIND
}
