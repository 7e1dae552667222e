/* qs-copy-panel.c - see the header
 *
 * The copy is the moment's when its command is one, else the last before it.  Two pictures: the rectangle as it was before the clear, and
 * what was made of it; the texel under the pointer or the cursor marks what was read for it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-copy-panel.h"
#include "canvas/qs-texture-view.h"
#include "copy-text.h"
#include "widgets/qs-split.h"

#define MAX_MARKS 28

struct _QsCopyPanel {
	QsPanel parent_instance;
	GtkPaned *split;
	GtkLabel *title, *info, *texel;
	GtkButton *previous, *next, *go;
	QsTextureView *source, *result;
	GArray *places; /* QsCopyPlace, of: */
	QsCapture *capture;
	guint32 command;   /* shown or asked for; QS_NONE: none */
	guint64 serial;    /* of the view it was asked for */
	QsCopyAnswer answer;
	QsTextureAnswer shown[2]; /* borrow the answer's pictures: source, result */
	struct qs_texture_level place[2];
	guint8 *no_bytes[1];
};

G_DEFINE_FINAL_TYPE(QsCopyPanel, qs_copy_panel, QS_TYPE_PANEL)

#define SESSION(self) qs_panel_get_session(QS_PANEL(self))

static void set_markup(GtkLabel *label, char *markup)
{
	if (g_strcmp0(gtk_label_get_label(label), markup) != 0)
		gtk_label_set_markup(label, markup);
	g_free(markup);
}

static void forget_pictures(QsCopyPanel *self)
{
	if (self->source) {
		qs_texture_view_set_texture(self->source, NULL, -1);
		qs_texture_view_set_texture(self->result, NULL, -1);
	}
	qs_copy_answer_finish(&self->answer);
}

/* ---- one texel ---------------------------------------------------------------------------------------------------------- */

static void show_marks(QsCopyPanel *self, const struct qs_copy_texel *t)
{
	const struct qs_rect *r = &self->answer.copy.source;
	QsTexelMark marks[MAX_MARKS];
	guint n = 0;

	for (guint i = 0; t && i < t->pixel_count && i < 4; i++)
		for (guint k = 0; k < t->pixel[i].tap_count && k < 7; k++) {
			const struct qs_copy_tap *tap = &t->pixel[i].tap[k];

			if (tap->inside && tap->weight && tap->x >= r->x0 && tap->y >= r->y0 && tap->x < r->x1 && tap->y < r->y1)
				marks[n++] = (QsTexelMark){0, tap->x - r->x0, tap->y - r->y0, MIN(tap->weight * 256u, 16384u)};
		}
	qs_texture_view_set_marks(self->source, marks, n);
}

static void got_texel(GObject *owner, guint x, guint y, const struct qs_copy_texel *texel, const struct qs_error *error)
{
	QsCopyPanel *self = QS_COPY_PANEL(owner);

	if (error || !self->answer.result.rgba)
		return;
	set_markup(self->texel, qs_copy_texel_markup(&self->answer.copy, x, y, texel));
	show_marks(self, texel);
}

static void texel_changed(QsCopyPanel *self)
{
	QsTexel texel;

	if (self->answer.result.rgba && qs_texture_view_get_texel(self->result, &texel))
		qs_request_copy_texel(SESSION(self), G_OBJECT(self), self->command, (guint)texel.s, (guint)texel.t, got_texel);
}

/* The texel that a link asked for, else the middle. */
static void choose_texel(QsCopyPanel *self)
{
	const struct qs_image *r = &self->answer.result;
	const guint32 wanted = qs_session_take_copy_address(SESSION(self));
	guint x = r->width / 2, y = r->height / 2;

	for (gsize i = 0; wanted != QS_NONE && i < (gsize)r->width * r->height; i++)
		if (self->answer.address[i] == wanted) {
			x = (guint)(i % r->width);
			y = (guint)(i / r->width);
			break;
		}
	qs_texture_view_set_texel(self->result, 0, (int)x, (int)y);
}

/* ---- the copy ----------------------------------------------------------------------------------------------------------- */

static void show_image(QsCopyPanel *self, guint which, QsTextureView *view, struct qs_image *image, const char *title)
{
	QsTextureAnswer *a = &self->shown[which];

	memset(a, 0, sizeof *a);
	a->texture.width = image->width;
	a->texture.height = image->height;
	a->level_count = 1;
	a->level = image;
	a->place = &self->place[which];
	a->bytes = self->no_bytes;
	a->title = title;
	a->address = which ? self->answer.address : NULL;
	qs_texture_view_set_texture(view, image->rgba ? a : NULL, -1);
}

static void got_copy(GObject *owner, QsCopyAnswer *answer, const struct qs_error *error)
{
	QsCopyPanel *self = QS_COPY_PANEL(owner);
	QsView *view = qs_session_get_view(SESSION(self));

	if (error) {
		qs_panel_set_empty(QS_PANEL(self), error->text);
		return;
	}
	if (!view)
		return;
	forget_pictures(self);
	self->answer = *answer;
	memset(answer, 0, sizeof *answer);
	qs_panel_set_empty(QS_PANEL(self), NULL);
	set_markup(self->info, qs_copy_markup(view, self->command, &self->answer.copy));
	show_image(self, 0, self->source, &self->answer.source, "source of the copy");
	show_image(self, 1, self->result, &self->answer.result, "result of the copy");
	choose_texel(self);
}

static void show_title(QsCopyPanel *self, QsView *view)
{
	guint number = 0;

	for (guint i = 0; i < self->places->len; i++)
		if (g_array_index(self->places, QsCopyPlace, i).command == self->command)
			number = i + 1;
	gtk_widget_set_sensitive(GTK_WIDGET(self->previous), number > 1);
	gtk_widget_set_sensitive(GTK_WIDGET(self->next), number < self->places->len);
	set_markup(self->title, g_strdup_printf("copy %u of %u%s", number, self->places->len,
		view->moment.command == self->command ? "" : ", the last before this moment"));
}

static void qs_copy_panel_update(QsPanel *panel, guint changes)
{
	QsCopyPanel *self = QS_COPY_PANEL(panel);
	QsView *view = qs_session_get_view(SESSION(self));
	guint32 command;

	if (view && self->capture != view->capture) {
		g_clear_pointer(&self->capture, qs_capture_unref);
		g_clear_pointer(&self->places, g_array_unref);
		self->capture = qs_capture_ref(view->capture);
		self->places = qs_copy_places(view->capture->capture);
		self->command = QS_NONE;
	}
	if (!view || !self->places->len) {
		qs_panel_set_empty(panel, !view ? "Open a capture: its copies from the EFB are shown here." : "The capture has no copy from the EFB.");
		return;
	}
	if (!(changes & (QS_CHANGE_VIEW | QS_CHANGE_CAPTURE)))
		return;
	command = view->moment.level == QS_LEVEL_START ? QS_NONE : qs_copy_before(self->places, view->moment.command, QS_NONE);
	if (command == QS_NONE)
		command = g_array_index(self->places, QsCopyPlace, 0).command;
	self->command = command;
	show_title(self, view);
	self->serial = view->serial;
	qs_request_copy(SESSION(self), G_OBJECT(self), command, got_copy);
}

/* ---- going on ----------------------------------------------------------------------------------------------------------- */

static void walk(QsCopyPanel *self, GtkButton *button)
{
	const int step = button == self->next ? 1 : button == self->previous ? -1 : 0;

	for (guint i = 0; self->places && i < self->places->len; i++)
		if (g_array_index(self->places, QsCopyPlace, i).command == self->command) {
			const int to = CLAMP((int)i + step, 0, (int)self->places->len - 1);

			qs_session_seek_command(SESSION(self), g_array_index(self->places, QsCopyPlace, to).command);
			return;
		}
}

/* A click in the source picks the pixel there. */
static void source_clicked(QsCopyPanel *self)
{
	QsTexel texel;

	if (self->answer.source.rgba && qs_texture_view_get_texel(self->source, &texel))
		qs_session_set_pick(SESSION(self), self->answer.copy.source.x0 + texel.s, self->answer.copy.source.y0 + texel.t);
}

static void qs_copy_panel_focus(QsPanel *panel)
{
	gtk_widget_grab_focus(GTK_WIDGET(QS_COPY_PANEL(panel)->result));
}

static void qs_copy_panel_dispose(GObject *object)
{
	QsCopyPanel *self = QS_COPY_PANEL(object);

	forget_pictures(self);
	self->source = self->result = NULL;
	g_clear_pointer(&self->capture, qs_capture_unref);
	g_clear_pointer(&self->places, g_array_unref);
	G_OBJECT_CLASS(qs_copy_panel_parent_class)->dispose(object);
}

static void qs_copy_panel_init(QsCopyPanel *self)
{
	self->command = QS_NONE;
	gtk_widget_init_template(GTK_WIDGET(self));
	qs_panel_watch_links(QS_PANEL(self), self->info);
	qs_panel_watch_links(QS_PANEL(self), self->texel);
	qs_split_turn(self->split, GTK_WIDGET(self->result), 42);
	qs_texture_view_set_mode(self->source, QS_TEXTURE_RGB);
	qs_texture_view_set_mode(self->result, QS_TEXTURE_RGB);
	g_signal_connect_object(self->result, "texel-changed", G_CALLBACK(texel_changed), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(self->source, "texel-chosen", G_CALLBACK(source_clicked), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(self->previous, "clicked", G_CALLBACK(walk), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(self->next, "clicked", G_CALLBACK(walk), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(self->go, "clicked", G_CALLBACK(walk), self, G_CONNECT_SWAPPED);
}

static void qs_copy_panel_class_init(QsCopyPanelClass *klass)
{
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

	g_type_ensure(QS_TYPE_TEXTURE_VIEW);
	G_OBJECT_CLASS(klass)->dispose = qs_copy_panel_dispose;
	QS_PANEL_CLASS(klass)->update = qs_copy_panel_update;
	QS_PANEL_CLASS(klass)->focus = qs_copy_panel_focus;
	gtk_widget_class_set_template_from_resource(widget_class, QS_RESOURCE "panels/qs-copy-panel.ui");
#define BIND(name) gtk_widget_class_bind_template_child(widget_class, QsCopyPanel, name)
	BIND(split);
	BIND(title);
	BIND(info);
	BIND(texel);
	BIND(previous);
	BIND(next);
	BIND(go);
	BIND(source);
	BIND(result);
#undef BIND
}
