/* qs-frame-panel.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-frame-panel.h"
#include <stdlib.h>
#include <string.h>
#include "canvas/qs-frame-view.h"
#include "qs-settings.h"

struct _QsFramePanel {
	QsPanel parent_instance;
	QsFrameView *view;
	GtkBox *buffers, *channels;
	GtkCheckButton *shown, *outline, *draw, *wire, *quads, *depth, *script, *values;
	GtkLabel *problem;
	GtkButton *zoom;
	GSimpleActionGroup *actions;
};

G_DEFINE_FINAL_TYPE(QsFramePanel, qs_frame_panel, QS_TYPE_PANEL)

#define ACTION(name) static void name(GSimpleAction *action, GVariant *parameter, gpointer user)
#define SELF QsFramePanel *self = user; (void)action, (void)parameter
#define SESSION(self) qs_panel_get_session(QS_PANEL(self))

static const struct { const char *id, *label, *tip; enum qs_buffer buffer; } buffer_buttons[] = {
	{"color", "Colour", "EFB colour at the moment; at the end of a frame as its display copy read it", QS_BUFFER_COLOR},
	{"alpha", "Alpha", "EFB alpha as grey", QS_BUFFER_ALPHA},
	{"depth", "Depth", "EFB depth, 24 bits", QS_BUFFER_DEPTH},
	{"coverage", "Coverage", "How often the current draw covers each pixel", QS_BUFFER_COVERAGE},
	{"copy", "Copy", "RGB of the last display copy", QS_BUFFER_COPY},
	{"xfb", "XFB", "The display copy after YUV 4:2:2 and back", QS_BUFFER_XFB},
};

static const struct { const char *id, *label, *tip; QsChannel channel; } channel_buttons[] = {
	{"all", "RGB", "All channels (0)", QS_CHANNEL_ALL},
	{"red", "R", "Red only (1)", QS_CHANNEL_RED},
	{"green", "G", "Green only (2)", QS_CHANNEL_GREEN},
	{"blue", "B", "Blue only (3)", QS_CHANNEL_BLUE},
	{"alpha", "A", "Alpha only (4)", QS_CHANNEL_ALPHA},
};

static struct { const char *id; gsize offset; QsOverlay overlay; } const overlay_buttons[] = {
	{"outline", G_STRUCT_OFFSET(QsFramePanel, outline), QS_OVERLAY_OUTLINE},
	{"draw", G_STRUCT_OFFSET(QsFramePanel, draw), QS_OVERLAY_DRAW},
	{"wire", G_STRUCT_OFFSET(QsFramePanel, wire), QS_OVERLAY_WIRE},
	{"quads", G_STRUCT_OFFSET(QsFramePanel, quads), QS_OVERLAY_QUADS},
	{"depth", G_STRUCT_OFFSET(QsFramePanel, depth), QS_OVERLAY_DEPTH},
	{"script", G_STRUCT_OFFSET(QsFramePanel, script), QS_OVERLAY_SCRIPT},
};

static GtkCheckButton *overlay_button(QsFramePanel *self, guint i)
{
	return G_STRUCT_MEMBER(GtkCheckButton *, self, overlay_buttons[i].offset);
}

/* ---- options ------------------------------------------------------------------------------------------------------------ */

static void overlays_changed(QsFramePanel *self)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	guint overlays = 0;

	for (guint i = 0; i < G_N_ELEMENTS(overlay_buttons); i++)
		if (gtk_check_button_get_active(overlay_button(self, i))) {
			overlays |= overlay_buttons[i].overlay;
			g_ptr_array_add(names, (gpointer)overlay_buttons[i].id);
		}
	g_ptr_array_add(names, NULL);
	if (!gtk_check_button_get_active(self->shown))
		overlays = 0;
	g_settings_set_strv(qs_settings(), "frame-overlays", (const char *const *)names->pdata);
	g_settings_set_boolean(qs_settings(), "frame-overlays-shown", gtk_check_button_get_active(self->shown));
	g_settings_set_boolean(qs_settings(), "frame-values", gtk_check_button_get_active(self->values));
	qs_frame_view_set_overlays(self->view, overlays);
	qs_frame_view_set_values(self->view, gtk_check_button_get_active(self->values));
}

static void restore_overlays(QsFramePanel *self)
{
	g_auto(GStrv) names = g_settings_get_strv(qs_settings(), "frame-overlays");

	for (guint i = 0; i < G_N_ELEMENTS(overlay_buttons); i++) {
		gtk_check_button_set_active(overlay_button(self, i),
			g_strv_contains((const char *const *)names, overlay_buttons[i].id));
		g_signal_connect_object(overlay_button(self, i), "toggled", G_CALLBACK(overlays_changed), self, G_CONNECT_SWAPPED);
	}
	gtk_check_button_set_active(self->shown, g_settings_get_boolean(qs_settings(), "frame-overlays-shown"));
	gtk_check_button_set_active(self->values, g_settings_get_boolean(qs_settings(), "frame-values"));
	g_signal_connect_object(self->shown, "toggled", G_CALLBACK(overlays_changed), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(self->values, "toggled", G_CALLBACK(overlays_changed), self, G_CONNECT_SWAPPED);
	overlays_changed(self);
}

static void add_choice(GtkBox *box, const char *action, const char *id, const char *label, const char *tip)
{
	GtkWidget *button = gtk_toggle_button_new_with_label(label);

	gtk_actionable_set_action_name(GTK_ACTIONABLE(button), action);
	gtk_actionable_set_action_target(GTK_ACTIONABLE(button), "s", id);
	gtk_widget_set_tooltip_text(button, tip);
	gtk_box_append(box, button);
}

static void choose_buffer(GSimpleAction *action, GVariant *value, gpointer user)
{
	QsFramePanel *self = user;

	for (guint i = 0; i < G_N_ELEMENTS(buffer_buttons); i++)
		if (g_str_equal(buffer_buttons[i].id, g_variant_get_string(value, NULL))) {
			g_simple_action_set_state(action, value);
			qs_frame_view_set_buffer(self->view, buffer_buttons[i].buffer);
			qs_panel_queue_update(QS_PANEL(self), QS_CHANGE_VIEW);
		}
}

static void choose_channel(GSimpleAction *action, GVariant *value, gpointer user)
{
	QsFramePanel *self = user;

	for (guint i = 0; i < G_N_ELEMENTS(channel_buttons); i++)
		if (g_str_equal(channel_buttons[i].id, g_variant_get_string(value, NULL))) {
			g_simple_action_set_state(action, value);
			qs_frame_view_set_channel(self->view, channel_buttons[i].channel);
		}
}

/* ---- actions ------------------------------------------------------------------------------------------------------------ */

ACTION(zoom_in)
{
	SELF;
	qs_frame_view_zoom_step(self->view, 1);
}

ACTION(zoom_out)
{
	SELF;
	qs_frame_view_zoom_step(self->view, -1);
}

ACTION(zoom_fit)
{
	SELF;
	qs_frame_view_zoom_fit(self->view);
}

ACTION(zoom_pixel)
{
	SELF;
	qs_frame_view_zoom_pixel(self->view);
}

ACTION(toggle_overlays)
{
	SELF;
	gtk_check_button_set_active(self->shown, !gtk_check_button_get_active(self->shown));
}

ACTION(show_before)
{
	SELF;
	qs_frame_view_set_before(self->view, g_variant_get_boolean(parameter));
}

ACTION(to_writer)
{
	int x, y;
	SELF;

	if (qs_session_get_pick(SESSION(self), &x, &y))
		qs_session_seek_fragment(SESSION(self), x, y, TRUE);
}

ACTION(to_fragment)
{
	int x, y;
	SELF;

	if (qs_session_get_pick(SESSION(self), &x, &y))
		qs_session_seek_fragment(SESSION(self), x, y, FALSE);
}

ACTION(to_pixel)
{
	int x, y;
	SELF;

	if (qs_session_get_pick(SESSION(self), &x, &y))
		qs_session_seek_pixel(SESSION(self), x, y, g_variant_get_int32(parameter));
}

ACTION(break_pixel)
{
	struct qs_error error = {0};
	g_autofree char *text = NULL;
	int x, y;
	SELF;

	if (!qs_session_get_pick(SESSION(self), &x, &y))
		return;
	text = g_strdup_printf("pixel %d,%d", x, y);
	if (!qs_session_add_breakpoint(SESSION(self), text, &error))
		qs_session_message(SESSION(self), QS_MESSAGE_HINT, "%s", error.text);
}

ACTION(copy_pixel)
{
	QsView *view = qs_session_get_view(SESSION(user));
	g_autofree char *text = NULL;
	guint8 rgba[4], grey[4];
	guint32 z = 0;
	int x, y;
	SELF;

	if (!view || !qs_session_get_pick(SESSION(self), &x, &y) || !qs_view_pixel(view, QS_BUFFER_COLOR, x, y, rgba, NULL))
		return;
	qs_view_pixel(view, QS_BUFFER_DEPTH, x, y, grey, &z);
	text = g_strdup_printf("pixel %d,%d at %s: #%02x%02x%02x%02x, z 0x%06x", x, y, view->text, rgba[0], rgba[1], rgba[2],
		rgba[3], z);
	gdk_clipboard_set_text(gtk_widget_get_clipboard(GTK_WIDGET(self)), text);
	qs_session_message(SESSION(self), QS_MESSAGE_HINT, "Copied: %s", text);
}

/* ---- saving ------------------------------------------------------------------------------------------------------------- */

typedef struct {
	struct qs_image image;
	char *path;
	struct qs_error error;
} Save;

static void save_free(gpointer data)
{
	Save *save = data;

	free(save->image.rgba);
	g_free(save->path);
	g_free(save);
}

static void save_thread(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
	Save *save = data;

	(void)source;
	(void)cancellable;
	g_task_return_boolean(task, qs_image_write_png(&save->image, save->path, &save->error));
}

static void save_done(GObject *source, GAsyncResult *result, gpointer user)
{
	Save *save = g_task_get_task_data(G_TASK(result));

	(void)user;
	if (g_task_propagate_boolean(G_TASK(result), NULL))
		qs_session_message(SESSION(source), QS_MESSAGE_HINT, "Saved %s.", save->path);
	else
		qs_session_message(SESSION(source), QS_MESSAGE_ERROR, "%s", save->error.text);
}

static void save_response(GtkNativeDialog *dialog, int response, QsFramePanel *self)
{
	const char *problem;
	const struct qs_image *image = qs_frame_view_get_image(self->view, &problem);

	if (response == GTK_RESPONSE_ACCEPT && image && image->rgba) {
		g_autoptr(GFile) file = gtk_file_chooser_get_file(GTK_FILE_CHOOSER(dialog));
		g_autoptr(GTask) task = g_task_new(self, NULL, save_done, NULL);
		const gsize size = 4 * (gsize)image->width * image->height;
		Save *save = g_new0(Save, 1);

		save->path = g_file_get_path(file);
		save->image = (struct qs_image){.width = image->width, .height = image->height, .rgba = malloc(size)};
		g_task_set_task_data(task, save, save_free);
		if (save->image.rgba && save->path) {
			memcpy(save->image.rgba, image->rgba, size);
			g_task_run_in_thread(task, save_thread);
		}
	}
	g_object_unref(dialog);
}

ACTION(save)
{
	GtkFileChooserNative *dialog;
	QsView *view = qs_session_get_view(SESSION(user));
	g_autofree char *name = NULL;
	SELF;

	if (!view)
		return;
	dialog = gtk_file_chooser_native_new("Save the Picture", GTK_WINDOW(gtk_widget_get_root(GTK_WIDGET(self))),
		GTK_FILE_CHOOSER_ACTION_SAVE, "_Save", "_Cancel");
	name = g_strdup_printf("%s-%s-%s.png", view->capture->name, view->text, qs_buffer_name(qs_frame_view_get_buffer(self->view)));
	g_strdelimit(name, "/@", '-');
	gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(dialog), name);
	g_signal_connect_object(dialog, "response", G_CALLBACK(save_response), self, 0);
	gtk_native_dialog_show(GTK_NATIVE_DIALOG(dialog));
}

/* ---- panel -------------------------------------------------------------------------------------------------------------- */

static void show_zoom(QsFramePanel *self)
{
	const double zoom = qs_frame_view_get_zoom(self->view);
	g_autofree char *text = zoom >= 1 ? g_strdup_printf("×%g", zoom) : g_strdup_printf("%.0f %%", zoom * 100);

	if (g_strcmp0(gtk_button_get_label(self->zoom), text) != 0)
		gtk_button_set_label(self->zoom, text);
}

/* Also comes from inside an allocation, where a label must not change. */
static void zoom_changed(QsFramePanel *self)
{
	qs_panel_queue_update(QS_PANEL(self), QS_CHANGE_OWN);
}

static void show_note(QsFramePanel *self)
{
	const char *problem;
	const struct qs_image *image = qs_frame_view_get_image(self->view, &problem);
	g_autofree char *tip = g_strdup_printf("%u × %u pixels; click: close to the picked one and back (Z)",
		image && image->rgba ? image->width : 0, image && image->rgba ? image->height : 0);

	gtk_widget_set_tooltip_text(GTK_WIDGET(self->zoom), tip);
	gtk_widget_set_visible(GTK_WIDGET(self->problem), problem != NULL);
	gtk_label_set_text(self->problem, problem ? problem : "");
}

static void qs_frame_panel_update(QsPanel *panel, guint changes)
{
	QsFramePanel *self = QS_FRAME_PANEL(panel);

	qs_frame_view_update(self->view, changes);
	if (changes & (QS_CHANGE_VIEW | QS_CHANGE_CAPTURE))
		show_note(self);
	if (changes & QS_CHANGE_OWN)
		show_zoom(self);
}

static void qs_frame_panel_focus(QsPanel *panel)
{
	gtk_widget_grab_focus(GTK_WIDGET(QS_FRAME_PANEL(panel)->view));
}

static void qs_frame_panel_constructed(GObject *object)
{
	QsFramePanel *self = QS_FRAME_PANEL(object);

	G_OBJECT_CLASS(qs_frame_panel_parent_class)->constructed(object);
	qs_frame_view_set_session(self->view, SESSION(self));
	restore_overlays(self);
}

static void qs_frame_panel_dispose(GObject *object)
{
	g_clear_object(&QS_FRAME_PANEL(object)->actions);
	G_OBJECT_CLASS(qs_frame_panel_parent_class)->dispose(object);
}

static void qs_frame_panel_init(QsFramePanel *self)
{
	static const GActionEntry entries[] = {
		{.name = "buffer", .parameter_type = "s", .state = "'color'", .change_state = choose_buffer},
		{.name = "channel", .parameter_type = "s", .state = "'all'", .change_state = choose_channel},
		{.name = "zoom-in", .activate = zoom_in},
		{.name = "zoom-out", .activate = zoom_out},
		{.name = "zoom-fit", .activate = zoom_fit},
		{.name = "zoom-pixel", .activate = zoom_pixel},
		{.name = "overlays", .activate = toggle_overlays},
		{.name = "before", .activate = show_before, .parameter_type = "b"},
		{.name = "to-writer", .activate = to_writer},
		{.name = "to-fragment", .activate = to_fragment},
		{.name = "to-pixel", .activate = to_pixel, .parameter_type = "i"},
		{.name = "break-pixel", .activate = break_pixel},
		{.name = "copy-pixel", .activate = copy_pixel},
		{.name = "save", .activate = save},
	};

	gtk_widget_init_template(GTK_WIDGET(self));
	self->actions = g_simple_action_group_new();
	g_action_map_add_action_entries(G_ACTION_MAP(self->actions), entries, G_N_ELEMENTS(entries), self);
	qs_panel_insert_actions(QS_PANEL(self), "frame", G_ACTION_GROUP(self->actions));
	for (guint i = 0; i < G_N_ELEMENTS(buffer_buttons); i++)
		add_choice(self->buffers, "frame.buffer", buffer_buttons[i].id, buffer_buttons[i].label, buffer_buttons[i].tip);
	for (guint i = 0; i < G_N_ELEMENTS(channel_buttons); i++)
		add_choice(self->channels, "frame.channel", channel_buttons[i].id, channel_buttons[i].label, channel_buttons[i].tip);
	g_signal_connect_object(self->view, "zoom-changed", G_CALLBACK(zoom_changed), self, G_CONNECT_SWAPPED);
}

static void qs_frame_panel_class_init(QsFramePanelClass *klass)
{
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

	g_type_ensure(QS_TYPE_FRAME_VIEW);
	G_OBJECT_CLASS(klass)->constructed = qs_frame_panel_constructed;
	G_OBJECT_CLASS(klass)->dispose = qs_frame_panel_dispose;
	QS_PANEL_CLASS(klass)->update = qs_frame_panel_update;
	QS_PANEL_CLASS(klass)->focus = qs_frame_panel_focus;
	gtk_widget_class_set_template_from_resource(widget_class, QS_RESOURCE "panels/qs-frame-panel.ui");
	gtk_widget_class_bind_template_child(widget_class, QsFramePanel, view);
	gtk_widget_class_bind_template_child(widget_class, QsFramePanel, buffers);
	gtk_widget_class_bind_template_child(widget_class, QsFramePanel, channels);
	gtk_widget_class_bind_template_child(widget_class, QsFramePanel, shown);
	gtk_widget_class_bind_template_child(widget_class, QsFramePanel, outline);
	gtk_widget_class_bind_template_child(widget_class, QsFramePanel, draw);
	gtk_widget_class_bind_template_child(widget_class, QsFramePanel, wire);
	gtk_widget_class_bind_template_child(widget_class, QsFramePanel, quads);
	gtk_widget_class_bind_template_child(widget_class, QsFramePanel, depth);
	gtk_widget_class_bind_template_child(widget_class, QsFramePanel, script);
	gtk_widget_class_bind_template_child(widget_class, QsFramePanel, values);
	gtk_widget_class_bind_template_child(widget_class, QsFramePanel, problem);
	gtk_widget_class_bind_template_child(widget_class, QsFramePanel, zoom);
}
