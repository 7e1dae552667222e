/* qs-window.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-window-private.h"
#include "canvas/qs-time-bar.h"
#include "qs-machine.h"
#include "qs-settings.h"
#include "widgets/qs-status-bar.h"

#define LOADING_QUIET_US 200000

G_DEFINE_FINAL_TYPE(QsWindow, qs_window, GTK_TYPE_APPLICATION_WINDOW)

QsSession *qs_window_get_session(QsWindow *self)
{
	return self->session;
}

/* ---- bars --------------------------------------------------------------------------------------------------------------- */

static void show_bar(QsWindow *self, GtkMessageType type, const char *text, gboolean details)
{
	gtk_info_bar_set_message_type(self->message_bar, type);
	gtk_label_set_text(self->message_label, text);
	gtk_widget_set_visible(self->message_details, details);
	gtk_info_bar_set_revealed(self->message_bar, TRUE);
}

static void hide_bar(GtkInfoBar *bar)
{
	gtk_info_bar_set_revealed(bar, FALSE);
}

static void message(QsWindow *self, guint level, const char *text)
{
	if (level == QS_MESSAGE_HINT)
		qs_status_bar_hint(QS_STATUS_BAR(self->status_bar), text);
	else
		show_bar(self, level == QS_MESSAGE_ERROR ? GTK_MESSAGE_ERROR : GTK_MESSAGE_WARNING, text, FALSE);
}

static void fill_header(QsWindow *self);

static void show_capture(QsWindow *self)
{
	QsCapture *capture = qs_session_get_capture(self->session);
	const struct qs_capture_info *info;
	g_autofree char *title = NULL;

	gtk_stack_set_visible_child_name(self->stack, capture ? "panes" : "welcome");
	gtk_info_bar_set_revealed(self->message_bar, FALSE);
	if (!capture)
		return;
	info = qs_capture_info(capture->capture);
	if (self->machine != info->machine) {
		self->machine = info->machine;
		fill_header(self);
		qs_window_update_panes(self);
	}
	title = g_strdup_printf("%s - Quadscope", capture->name);
	gtk_window_set_title(GTK_WINDOW(self), title);
	qs_window_remember_file(self, capture->path);
	if (info->warning_count) {
		const struct qs_warning *first = qs_capture_warning(capture->capture, 0);
		g_autofree char *text = info->warning_count == 1 ? g_strdup(first->text) :
			g_strdup_printf("%s (and %u more)", first->text, info->warning_count - 1);

		show_bar(self, GTK_MESSAGE_WARNING, text, TRUE);
	}
}

static void show_loading(QsWindow *self)
{
	const char *path;
	double progress;
	const gboolean loading = qs_session_get_loading(self->session, &progress, &path);
	const gint64 now = g_get_monotonic_time();

	if (!loading)
		self->loading_since = 0;
	else if (!self->loading_since)
		self->loading_since = now;
	/* What is done at once needs no bar that jumps in and out. */
	gtk_widget_set_visible(self->loading_bar, loading && now - self->loading_since > LOADING_QUIET_US);
	if (loading) {
		g_autofree char *name = g_filename_display_basename(path);
		g_autofree char *text = g_strdup_printf("Opening %s", name);

		gtk_label_set_text(self->loading_label, text);
		gtk_progress_bar_set_fraction(self->loading_progress, progress);
	}
}

static void show_moment(QsWindow *self)
{
	QsView *view = qs_session_get_view(self->session);

	gtk_editable_set_text(GTK_EDITABLE(self->moment), view ? view->text : "");
	gtk_editable_set_position(GTK_EDITABLE(self->moment), -1);
	gtk_widget_remove_css_class(GTK_WIDGET(self->moment), "error");
	if (gtk_drop_down_get_selected(self->model) != (guint)qs_session_get_model(self->session))
		gtk_drop_down_set_selected(self->model, (guint)qs_session_get_model(self->session));
	if (view && gtk_drop_down_get_selected(self->pipeline) != (guint)view->pipeline)
		gtk_drop_down_set_selected(self->pipeline, (guint)view->pipeline);
}

static void changed(QsWindow *self, guint changes)
{
	if (changes & QS_CHANGE_LOADING)
		show_loading(self);
	if (changes & QS_CHANGE_CAPTURE)
		show_capture(self);
	if (changes & QS_CHANGE_VIEW)
		show_moment(self);
	if (changes & QS_CHANGE_BUSY)
		gtk_spinner_set_spinning(self->spinner, qs_session_get_busy(self->session));
	qs_window_update_actions(self, changes);
}

/* ---- header ------------------------------------------------------------------------------------------------------------- */

static void go_to(QsWindow *self)
{
	const char first = gtk_editable_get_text(GTK_EDITABLE(self->moment))[0];
	struct qs_error error = {0};

	if (qs_session_go_to(self->session, gtk_editable_get_text(GTK_EDITABLE(self->moment)), &error)) {
		show_moment(self);
		qs_window_show_panel(self, "frame");
		if (qs_session_get_selection(self->session)->kind == QS_SELECT_REGISTER && !g_ascii_isdigit(first))
			qs_window_show_panel(self, "registers");
		return;
	}
	gtk_widget_add_css_class(GTK_WIDGET(self->moment), "error");
	qs_session_message(self->session, QS_MESSAGE_HINT, "%s", error.text);
}

static void choose_model(QsWindow *self)
{
	const guint selected = gtk_drop_down_get_selected(self->model);

	if (self->filling || selected >= QS_MODELS)
		return;
	qs_session_set_model(self->session, (enum qs_model)selected);
	if (self->machine == QS_MACHINE_FLIPPER) /* a Gfx3D capture says itself what drew it */
		g_settings_set_string(qs_settings(), "model", qs_model_name((enum qs_model)selected));
}

static void choose_pipeline(QsWindow *self)
{
	const guint selected = gtk_drop_down_get_selected(self->pipeline);
	QsView *view = qs_session_get_view(self->session);

	if (self->filling || selected >= QS_PIPELINE_COUNT || (view && selected == (guint)view->pipeline)) /* it only followed the frame */
		return;
	qs_session_set_pipeline(self->session, (enum qs_pipeline)selected);
	if (self->machine == QS_MACHINE_FLIPPER)
		g_settings_set_string(qs_settings(), "pipeline", qs_pipeline_name((enum qs_pipeline)selected));
}

static void fill_names(GtkDropDown *down, enum qs_machine machine, guint count, const char *(*name)(enum qs_machine machine, guint i))
{
	g_autoptr(GtkStringList) names = gtk_string_list_new(NULL);

	for (guint i = 0; i < count; i++)
		gtk_string_list_append(names, name(machine, i));
	gtk_drop_down_set_model(down, G_LIST_MODEL(names));
}

/* What the machine of the open capture has. */
static void fill_header(QsWindow *self)
{
	self->filling = TRUE;
	fill_names(self->model, self->machine, QS_MODELS, qs_machine_model_name);
	fill_names(self->pipeline, self->machine, QS_PIPELINE_COUNT, qs_machine_pipeline_name);
	gtk_widget_set_tooltip_text(GTK_WIDGET(self->pipeline), self->machine == QS_MACHINE_GFX3D ?
		"Whose pictures are shown behind draws and frames: the model's, or those of a VirGL host that replays the calls" :
		"Who draws, from the current frame on: the units of this program, or shaders on a VirGL host");
	gtk_drop_down_set_selected(self->model, (guint)qs_session_get_model(self->session));
	self->filling = FALSE;
}

static void start_header(QsWindow *self)
{
	g_autofree char *saved_model = g_settings_get_string(qs_settings(), "model");
	g_autofree char *saved_pipeline = g_settings_get_string(qs_settings(), "pipeline");
	enum qs_pipeline pipeline = QS_PIPELINE_SOFT;
	enum qs_model model = QS_MODEL_HARDWARE;

	qs_model_parse(saved_model, &model);
	qs_session_set_model(self->session, model);
	fill_header(self);
	qs_pipeline_parse(saved_pipeline, &pipeline);
	gtk_drop_down_set_selected(self->pipeline, (guint)pipeline);
	qs_session_set_pipeline(self->session, pipeline);
	g_signal_connect_object(self->model, "notify::selected", G_CALLBACK(choose_model), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(self->pipeline, "notify::selected", G_CALLBACK(choose_pipeline), self, G_CONNECT_SWAPPED);
}

static GtkWidget *step_button(const char *icon, enum qs_level level, int n, const char *name, const char *keys)
{
	GtkWidget *button = gtk_button_new_from_icon_name(icon);
	g_autofree char *tooltip = g_strdup_printf("%s (%s)", name, keys);

	gtk_actionable_set_action_name(GTK_ACTIONABLE(button), "win.step");
	gtk_actionable_set_action_target(GTK_ACTIONABLE(button), "(si)", qs_level_name(level), n);
	gtk_widget_set_tooltip_text(button, tooltip);
	gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
	return button;
}

static void add_steps(QsWindow *self)
{
	static const struct {
		enum qs_level level;
		const char *label, *previous, *next, *previous_keys, *next_keys;
	} rows[] = {
		{QS_LEVEL_FRAME, "Frame", "Previous frame", "Next frame", "Shift+F8", "F8"},
		{QS_LEVEL_DRAW, "Draw", "Previous draw", "Next draw", "Shift+F10", "F10"},
		{QS_LEVEL_PRIMITIVE, "Prim", "Previous primitive", "Next primitive", "Shift+F7", "F7"},
		{QS_LEVEL_QUAD, "Quad", "Previous quad", "Next quad", "Shift+F6", "F6"},
		{QS_LEVEL_STAGE, "Stage", "Previous TEV stage or shader instruction", "Next TEV stage or shader instruction", "Shift+F11", "F11"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
		GtkWidget *label = gtk_label_new(rows[i].label);

		gtk_widget_add_css_class(box, "qs-step");
		gtk_widget_set_valign(box, GTK_ALIGN_CENTER);
		gtk_box_append(GTK_BOX(box), step_button("go-previous-symbolic", rows[i].level, -1, rows[i].previous,
			rows[i].previous_keys));
		gtk_box_append(GTK_BOX(box), label);
		gtk_box_append(GTK_BOX(box), step_button("go-next-symbolic", rows[i].level, 1, rows[i].next, rows[i].next_keys));
		gtk_box_append(self->steps, box);
	}
}

/* ---- files -------------------------------------------------------------------------------------------------------------- */

void qs_window_open(QsWindow *self, const char *path, const char *at)
{
	gtk_info_bar_set_revealed(self->message_bar, FALSE);
	qs_session_open(self->session, path, at);
}

static gboolean dropped(QsWindow *self, const GValue *value)
{
	GSList *files = g_value_get_boxed(value);
	g_autofree char *path = files ? g_file_get_path(files->data) : NULL;

	if (path)
		qs_window_open(self, path, NULL);
	return path != NULL;
}

static void accept_drops(QsWindow *self)
{
	GtkDropTarget *target = gtk_drop_target_new(GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

	g_signal_connect_object(target, "drop", G_CALLBACK(dropped), self, G_CONNECT_SWAPPED);
	gtk_widget_add_controller(GTK_WIDGET(self), GTK_EVENT_CONTROLLER(target));
}

/* ---- object ------------------------------------------------------------------------------------------------------------- */

static gboolean qs_window_close_request(GtkWindow *window)
{
	QsWindow *self = QS_WINDOW(window);
	QsView *view = qs_session_get_view(self->session);

	qs_window_save_layout(self);
	if (view)
		g_settings_set_string(qs_settings(), "last-moment", view->text);
	return GTK_WINDOW_CLASS(qs_window_parent_class)->close_request(window);
}

static void qs_window_dispose(GObject *object)
{
	QsWindow *self = QS_WINDOW(object);

	for (guint i = 0; i < self->panel_count; i++)
		g_clear_object(&self->panels[i]);
	g_clear_pointer(&self->panels, g_free);
	self->panel_count = 0;
	g_clear_object(&self->session);
	G_OBJECT_CLASS(qs_window_parent_class)->dispose(object);
}

static void qs_window_init(QsWindow *self)
{
	gtk_widget_init_template(GTK_WIDGET(self));
	self->session = qs_session_new();
	if (g_settings_get_boolean(qs_settings(), "maximized"))
		gtk_window_maximize(GTK_WINDOW(self));
	qs_window_build_layout(self);
	self->time_bar = g_object_new(QS_TYPE_TIME_BAR, "session", self->session, NULL);
	gtk_box_append(self->centre, self->time_bar);
	self->status_bar = g_object_new(QS_TYPE_STATUS_BAR, "session", self->session, NULL);
	gtk_box_append(self->status_box, self->status_bar);
	add_steps(self);
	start_header(self);
	qs_window_add_actions(self);
	qs_window_add_keys(self);
	qs_window_fill_recent(self);
	qs_window_fill_welcome(self);
	accept_drops(self);
	g_signal_connect_object(self->session, "changed", G_CALLBACK(changed), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(self->session, "message", G_CALLBACK(message), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(self->moment, "activate", G_CALLBACK(go_to), self, G_CONNECT_SWAPPED);
	g_signal_connect(self->message_bar, "response", G_CALLBACK(hide_bar), NULL);
	qs_window_update_actions(self, QS_CHANGE_ALL);
}

static void qs_window_class_init(QsWindowClass *klass)
{
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);
	static const struct { const char *name; gsize offset; } children[] = {
#define CHILD(name) {#name, G_STRUCT_OFFSET(QsWindow, name)}
		CHILD(recent_button), CHILD(menu_button), CHILD(steps), CHILD(welcome), CHILD(centre), CHILD(centre_pages), CHILD(status_box), CHILD(model), CHILD(pipeline), CHILD(spinner),
		CHILD(moment), CHILD(message_bar), CHILD(message_label), CHILD(loading_label), CHILD(message_details),
		CHILD(loading_bar), CHILD(loading_progress), CHILD(stack), CHILD(main_split), CHILD(left_split), CHILD(right_split),
		CHILD(right_inner), CHILD(bottom_split), CHILD(bottom_inner), CHILD(left), CHILD(right_top), CHILD(right_bottom),
		CHILD(bottom_left), CHILD(bottom_centre), CHILD(bottom_right),
#undef CHILD
	};

	G_OBJECT_CLASS(klass)->dispose = qs_window_dispose;
	GTK_WINDOW_CLASS(klass)->close_request = qs_window_close_request;
	gtk_widget_class_set_template_from_resource(widget_class, QS_RESOURCE "qs-window.ui");
	for (guint i = 0; i < G_N_ELEMENTS(children); i++)
		gtk_widget_class_bind_template_child_full(widget_class, children[i].name, FALSE, (gssize)children[i].offset);
}

QsWindow *qs_window_new(GtkApplication *application)
{
	return g_object_new(QS_TYPE_WINDOW, "application", application, NULL);
}
