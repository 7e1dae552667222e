/* qs-textures-panel.c - see the header
 *
 * Descriptions of all eight maps are asked for at every moment, pictures only of the maps that a stage reads and of the one
 * that is shown.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-textures-panel.h"
#include <string.h>
#include "canvas/qs-texture-view.h"
#include "qs-copy.h"
#include "qs-settings.h"
#include "texture-text.h"
#include "tmem-picture.h"
#include "widgets/qs-split.h"

#define MAPS 8

typedef struct {
	GtkListBoxRow *row;
	GtkPicture *picture;
	GtkLabel *name, *size;
	QsTextureAnswer answer; /* level_count 0: not there */
} Map;

struct _QsTexturesPanel {
	QsPanel parent_instance;
	GtkListBox *list;
	GtkPaned *split;
	QsTextureView *view, *palette;
	GtkBox *zoom;
	GtkDropDown *mode, *level;
	GtkLabel *texel, *info, *fetched, *problem;
	GtkWidget *palette_box;
	GtkPicture *tmem;
	GtkLabel *tmem_text;
	struct qs_tmem_line *lines; /* QS_TMEM_LINES; NULL: not known */
	guint line;                 /* that is pointed at; QS_NONE: none */
	Map map[MAPS];
	struct qs_texture texture[MAPS];
	gboolean known, updating;
	guint shown;    /* map */
	int chosen;     /* by the person; -1: none */
	guint level_count; /* of the drop-down */
	GArray *places; /* QsCopyPlace, of: */
	QsCapture *capture;
};

G_DEFINE_FINAL_TYPE(QsTexturesPanel, qs_textures_panel, QS_TYPE_PANEL)

#define SESSION(self) qs_panel_get_session(QS_PANEL(self))

static void set_markup(GtkLabel *label, char *markup)
{
	if (g_strcmp0(gtk_label_get_label(label), markup) != 0)
		gtk_label_set_markup(label, markup ? markup : "");
	g_free(markup);
}

/* ---- the map that is shown ---------------------------------------------------------------------------------------------- */

static void show_levels(QsTexturesPanel *self, guint count)
{
	g_autoptr(GtkStringList) names = NULL;

	if (count == self->level_count)
		return;
	self->level_count = count;
	names = gtk_string_list_new(NULL);
	gtk_string_list_append(names, count > 1 ? "All levels" : "Level 0");
	for (guint i = 0; i < count && count > 1; i++) {
		g_autofree char *name = g_strdup_printf("Level %u", i);

		gtk_string_list_append(names, name);
	}
	self->updating = TRUE;
	gtk_drop_down_set_model(self->level, G_LIST_MODEL(names));
	gtk_drop_down_set_selected(self->level, 0);
	self->updating = FALSE;
	gtk_widget_set_sensitive(GTK_WIDGET(self->level), count > 1);
}

static void show_picture(QsTexturesPanel *self)
{
	const QsTextureAnswer *answer = &self->map[self->shown].answer;
	const gboolean have = answer->level_count > 0;

	show_levels(self, have ? answer->level_count : 1);
	qs_texture_view_set_texture(self->view, have ? answer : NULL, (int)gtk_drop_down_get_selected(self->level) - 1);
	gtk_widget_set_visible(self->palette_box, have && answer->tlut.rgba);
	qs_texture_view_set_palette(self->palette, have && answer->tlut.rgba ? answer : NULL);
	gtk_widget_set_visible(GTK_WIDGET(self->problem), have && answer->error[0]);
	gtk_label_set_text(self->problem, have ? answer->error : "");
}

static void show_fetched(QsTexturesPanel *self)
{
	QsTrace *trace = qs_session_get_trace(SESSION(self));
	QsTexelMark marks[QS_TEXTURE_MARKS];

	qs_texture_view_set_marks(self->view, marks, qs_texture_marks(trace, self->shown, marks));
	set_markup(self->fetched, qs_texture_fetched_markup(trace, self->shown));
}

static void show_info(QsTexturesPanel *self)
{
	QsView *view = qs_session_get_view(SESSION(self));

	if (self->known && view)
		set_markup(self->info, qs_texture_info_markup(view, &self->texture[self->shown]));
}

static void texel_changed(QsTexturesPanel *self)
{
	QsTexel texel;
	QsView *view;

	if (qs_texture_view_get_texel(self->view, &texel)) {
		qs_texture_view_set_entry(self->palette, texel.index);
	} else {
		qs_texture_view_set_entry(self->palette, QS_NONE);
		if (qs_texture_view_get_texel(self->palette, &texel)) {
			texel.s = -1; /* an entry has no coordinates */
		} else {
			set_markup(self->texel, g_strdup("<span alpha='60%'>Point at a texel.</span>"));
			return;
		}
	}
	view = qs_session_get_view(SESSION(self));
	if (view && self->capture != view->capture) {
		g_clear_pointer(&self->capture, qs_capture_unref);
		g_clear_pointer(&self->places, g_array_unref);
		self->capture = qs_capture_ref(view->capture);
		self->places = qs_copy_places(view->capture->capture);
	}
	set_markup(self->texel, view ? qs_texture_texel_markup(&texel, view->capture->capture, self->places, view->moment.command) : NULL);
}

/* ---- asking ------------------------------------------------------------------------------------------------------------- */

static void show_thumbnail(Map *map)
{
	const struct qs_image *image = map->answer.level_count ? &map->answer.level[0] : NULL;
	g_autoptr(GBytes) bytes = NULL;
	g_autoptr(GdkTexture) texture = NULL;

	if (image && image->rgba) {
		bytes = g_bytes_new(image->rgba, 4 * (gsize)image->width * image->height);
		texture = gdk_memory_texture_new((int)image->width, (int)image->height, GDK_MEMORY_R8G8B8A8, bytes, 4 * (gsize)image->width);
	}
	gtk_picture_set_paintable(map->picture, GDK_PAINTABLE(texture));
}

static void got_texture(GObject *owner, QsTextureAnswer *answer, const struct qs_error *error)
{
	QsTexturesPanel *self = QS_TEXTURES_PANEL(owner);
	Map *map = &self->map[answer->map & (MAPS - 1)];

	if (error)
		return;
	if (self->shown == answer->map) { /* its pictures go away */
		qs_texture_view_set_texture(self->view, NULL, -1);
		qs_texture_view_set_palette(self->palette, NULL);
	}
	qs_texture_answer_finish(&map->answer);
	map->answer = *answer;
	memset(answer, 0, sizeof *answer);
	show_thumbnail(map);
	if (self->shown == map->answer.map) {
		show_picture(self);
		show_fetched(self);
	}
}

static void ask(QsTexturesPanel *self, guint map)
{
	qs_request_texture(SESSION(self), G_OBJECT(self), map, got_texture);
}

static void show_map(QsTexturesPanel *self, guint map)
{
	self->shown = map;
	self->updating = TRUE;
	gtk_list_box_select_row(self->list, self->map[map].row);
	self->updating = FALSE;
	show_picture(self);
	show_info(self);
	show_fetched(self);
}

/* What the person chose, as long as a stage reads it; else the first map that one reads. */
static guint best_map(QsTexturesPanel *self)
{
	if (self->chosen >= 0 && self->texture[self->chosen].used)
		return (guint)self->chosen;
	for (guint i = 0; i < MAPS; i++)
		if (self->texture[i].used)
			return i;
	return self->chosen >= 0 ? (guint)self->chosen : 0;
}

static void show_row(QsTexturesPanel *self, guint i)
{
	QsView *view = qs_session_get_view(SESSION(self));
	const struct qs_texture *t = &self->texture[i];
	g_autofree char *readers = qs_texture_readers(view, i);
	const gboolean unset = !t->used && t->width == 1 && t->height == 1 && t->address == 0;
	g_autofree char *name = g_strdup_printf("%u %s", i, unset ? "unset" : qs_texture_format_name(t->format));
	g_autofree char *size = unset ? NULL : g_strdup_printf("%u×%u", t->width, t->height);
	g_autofree char *full = g_strdup_printf("map %u, %s, %u by %u, %s", i, qs_texture_format_name(t->format), t->width, t->height,
		readers ? readers : "not read");

	gtk_label_set_text(self->map[i].name, name);
	gtk_label_set_text(self->map[i].size, size ? size : "");
	gtk_widget_set_tooltip_text(GTK_WIDGET(self->map[i].row), full);
	gtk_accessible_update_property(GTK_ACCESSIBLE(self->map[i].row), GTK_ACCESSIBLE_PROPERTY_LABEL, full, -1);
	if (t->used)
		gtk_widget_remove_css_class(GTK_WIDGET(self->map[i].row), "qs-unused");
	else
		gtk_widget_add_css_class(GTK_WIDGET(self->map[i].row), "qs-unused");
}

/* ---- texture memory ------------------------------------------------------------------------------------------------------ */

static void show_tmem_text(QsTexturesPanel *self)
{
	g_autofree char *text = NULL;

	if (self->lines)
		text = self->line == QS_NONE ? qs_tmem_summary(self->lines) : qs_tmem_line_text(self->lines, self->line);
	gtk_label_set_text(self->tmem_text, text ? text : "");
}

static void show_tmem(QsTexturesPanel *self, const struct qs_tmem_line *lines)
{
	g_autoptr(GdkTexture) texture = NULL;

	if (self->lines && !memcmp(self->lines, lines, QS_TMEM_LINES * sizeof *lines))
		return;
	g_free(self->lines);
	self->lines = g_memdup2(lines, QS_TMEM_LINES * sizeof *lines);
	texture = qs_tmem_texture(lines);
	gtk_picture_set_paintable(self->tmem, GDK_PAINTABLE(texture));
	show_tmem_text(self);
}

static void tmem_motion(QsTexturesPanel *self, double x, double y)
{
	GtkWidget *widget = GTK_WIDGET(self->tmem);

	if (!qs_tmem_line_at(x / gtk_widget_get_width(widget), y / gtk_widget_get_height(widget), &self->line))
		self->line = QS_NONE;
	show_tmem_text(self);
}

static void tmem_leave(QsTexturesPanel *self)
{
	self->line = QS_NONE;
	show_tmem_text(self);
}

static void got_textures(GObject *owner, const struct qs_texture texture[8], const struct qs_tmem_line *lines,
	const struct qs_error *error)
{
	QsTexturesPanel *self = QS_TEXTURES_PANEL(owner);
	guint map;

	if (error || !qs_session_get_view(SESSION(self)))
		return;
	memcpy(self->texture, texture, sizeof self->texture);
	self->known = TRUE;
	show_tmem(self, lines);
	map = best_map(self);
	for (guint i = 0; i < MAPS; i++) {
		show_row(self, i);
		if (self->texture[i].used || i == map) {
			ask(self, i);
		} else if (self->map[i].answer.level_count) {
			if (i == self->shown)
				qs_texture_view_set_texture(self->view, NULL, -1), qs_texture_view_set_palette(self->palette, NULL);
			qs_texture_answer_finish(&self->map[i].answer);
			show_thumbnail(&self->map[i]);
		}
	}
	gtk_list_box_invalidate_sort(self->list);
	if (map != self->shown || !gtk_list_box_get_selected_row(self->list))
		show_map(self, map);
	else
		show_info(self);
}

static void qs_textures_panel_update(QsPanel *panel, guint changes)
{
	QsTexturesPanel *self = QS_TEXTURES_PANEL(panel);

	if (!qs_session_get_view(SESSION(self))) {
		qs_panel_set_empty(panel, "Open a capture: the textures bound at the current moment are shown here.");
		return;
	}
	qs_panel_set_empty(panel, NULL);
	if (changes & QS_CHANGE_CAPTURE)
		self->chosen = -1;
	if (changes & (QS_CHANGE_VIEW | QS_CHANGE_CAPTURE))
		qs_request_textures(SESSION(self), G_OBJECT(self), got_textures);
	if (changes & (QS_CHANGE_TRACE | QS_CHANGE_CAPTURE))
		show_fetched(self);
}

/* ---- choices ------------------------------------------------------------------------------------------------------------ */

static void row_selected(GtkListBox *list, GtkListBoxRow *row, QsTexturesPanel *self)
{
	(void)list;
	for (guint i = 0; row && !self->updating && i < MAPS; i++)
		if (self->map[i].row == row && i != self->shown) {
			self->chosen = (int)i;
			show_map(self, i);
			if (!self->map[i].answer.level_count)
				ask(self, i);
		}
}

static void level_changed(QsTexturesPanel *self)
{
	if (!self->updating)
		show_picture(self);
}

static void mode_changed(QsTexturesPanel *self)
{
	const guint mode = gtk_drop_down_get_selected(self->mode);

	g_settings_set_int(qs_settings(), "texture-mode", (int)mode);
	qs_texture_view_set_mode(self->view, (QsTextureMode)mode);
	qs_texture_view_set_mode(self->palette, (QsTextureMode)mode);
}

static int compare_rows(GtkListBoxRow *a, GtkListBoxRow *b, gpointer user)
{
	QsTexturesPanel *self = user;
	guint map[2] = {0, 0};

	for (guint i = 0; i < MAPS; i++) {
		if (self->map[i].row == a)
			map[0] = i;
		if (self->map[i].row == b)
			map[1] = i;
	}
	if (self->texture[map[0]].used != self->texture[map[1]].used)
		return self->texture[map[0]].used ? -1 : 1;
	return (int)map[0] - (int)map[1];
}

static void add_row(QsTexturesPanel *self, guint i)
{
	Map *map = &self->map[i];
	GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6), *text = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);

	map->row = GTK_LIST_BOX_ROW(gtk_list_box_row_new());
	map->picture = GTK_PICTURE(gtk_picture_new());
	map->name = GTK_LABEL(gtk_label_new(NULL));
	map->size = GTK_LABEL(gtk_label_new(NULL));
	gtk_widget_set_size_request(GTK_WIDGET(map->picture), 36, 36);
	gtk_picture_set_can_shrink(map->picture, TRUE);
	gtk_widget_add_css_class(GTK_WIDGET(map->picture), "qs-thumbnail");
	gtk_label_set_xalign(map->name, 0);
	gtk_label_set_xalign(map->size, 0);
	gtk_widget_add_css_class(GTK_WIDGET(map->size), "dim-label");
	gtk_box_append(GTK_BOX(text), GTK_WIDGET(map->name));
	gtk_box_append(GTK_BOX(text), GTK_WIDGET(map->size));
	gtk_widget_set_valign(text, GTK_ALIGN_CENTER);
	gtk_box_append(GTK_BOX(box), GTK_WIDGET(map->picture));
	gtk_box_append(GTK_BOX(box), text);
	gtk_list_box_row_set_child(map->row, box);
	gtk_list_box_append(self->list, GTK_WIDGET(map->row));
}

/* ---- panel -------------------------------------------------------------------------------------------------------------- */

static void qs_textures_panel_focus(QsPanel *panel)
{
	gtk_widget_grab_focus(GTK_WIDGET(QS_TEXTURES_PANEL(panel)->view));
}

static void qs_textures_panel_constructed(GObject *object)
{
	QsTexturesPanel *self = QS_TEXTURES_PANEL(object);

	G_OBJECT_CLASS(qs_textures_panel_parent_class)->constructed(object);
	gtk_box_append(self->zoom, qs_canvas_make_buttons(QS_CANVAS(self->view), "Whole texture (F)",
		"Zoom; click: close to the texel and back (Z)"));
	gtk_drop_down_set_selected(self->mode, (guint)CLAMP(g_settings_get_int(qs_settings(), "texture-mode"), 0, 2));
	mode_changed(self);
	texel_changed(self);
}

static void qs_textures_panel_dispose(GObject *object)
{
	QsTexturesPanel *self = QS_TEXTURES_PANEL(object);

	if (self->view) { /* dispose may come twice */
		qs_texture_view_set_texture(self->view, NULL, -1);
		qs_texture_view_set_palette(self->palette, NULL);
		self->view = self->palette = NULL;
	}
	for (guint i = 0; i < MAPS; i++)
		qs_texture_answer_finish(&self->map[i].answer);
	g_clear_pointer(&self->lines, g_free);
	g_clear_pointer(&self->capture, qs_capture_unref);
	g_clear_pointer(&self->places, g_array_unref);
	G_OBJECT_CLASS(qs_textures_panel_parent_class)->dispose(object);
}

static void qs_textures_panel_init(QsTexturesPanel *self)
{
	GtkEventController *motion = gtk_event_controller_motion_new();

	self->chosen = -1;
	self->line = QS_NONE;
	gtk_widget_init_template(GTK_WIDGET(self));
	g_signal_connect_object(motion, "motion", G_CALLBACK(tmem_motion), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(motion, "leave", G_CALLBACK(tmem_leave), self, G_CONNECT_SWAPPED);
	gtk_widget_add_controller(GTK_WIDGET(self->tmem), motion);
	qs_panel_watch_links(QS_PANEL(self), self->info);
	qs_panel_watch_links(QS_PANEL(self), self->texel);
	qs_panel_watch_links(QS_PANEL(self), self->fetched);
	qs_split_turn(self->split, GTK_WIDGET(self->view), 36);
	qs_texture_view_set_palette(self->palette, NULL);
	qs_canvas_set_embedded(QS_CANVAS(self->palette), TRUE);
	for (guint i = 0; i < MAPS; i++)
		add_row(self, i);
	gtk_list_box_set_sort_func(self->list, compare_rows, self, NULL);
	g_signal_connect_object(self->view, "texel-changed", G_CALLBACK(texel_changed), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(self->palette, "texel-changed", G_CALLBACK(texel_changed), self, G_CONNECT_SWAPPED);
}

static void qs_textures_panel_class_init(QsTexturesPanelClass *klass)
{
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

	g_type_ensure(QS_TYPE_TEXTURE_VIEW);
	G_OBJECT_CLASS(klass)->constructed = qs_textures_panel_constructed;
	G_OBJECT_CLASS(klass)->dispose = qs_textures_panel_dispose;
	QS_PANEL_CLASS(klass)->update = qs_textures_panel_update;
	QS_PANEL_CLASS(klass)->focus = qs_textures_panel_focus;
	gtk_widget_class_set_template_from_resource(widget_class, QS_RESOURCE "panels/qs-textures-panel.ui");
	gtk_widget_class_bind_template_callback(widget_class, row_selected);
	gtk_widget_class_bind_template_callback(widget_class, level_changed);
	gtk_widget_class_bind_template_callback(widget_class, mode_changed);
#define BIND(name) gtk_widget_class_bind_template_child(widget_class, QsTexturesPanel, name)
	BIND(list);
	BIND(split);
	BIND(view);
	BIND(palette);
	BIND(zoom);
	BIND(mode);
	BIND(level);
	BIND(texel);
	BIND(info);
	BIND(fetched);
	BIND(problem);
	BIND(palette_box);
	BIND(tmem);
	BIND(tmem_text);
#undef BIND
}
