/* qs-compare-panel.c - see the header
 *
 * The pictures are asked for when the panel is looked at and the frame, the model, a quirk or the second side is another; the
 * reasons only on demand, for they cost some dozen pictures.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-compare-panel.h"
#include <string.h>
#include "canvas/qs-compare-view.h"
#include "compare-text.h"
#include "qs-compare.h"
#include "qs-settings.h"

struct _QsComparePanel {
	QsPanel parent_instance;
	GtkLabel *name_a, *summary, *report, *cursor;
	GtkDropDown *other, *gain, *buffer;
	GtkToggleButton *side, *wipe, *difference;
	GtkButton *explain;
	GtkBox *zoom;
	QsCompareView *view_a, *view_b;
	struct qs_image a, b; /* shown */
	QsView *asked;        /* what the last question was about */
	guint asked_other;
	gboolean asked_depth, filling;
	enum qs_machine machine; /* whose sides are offered */
	QsCompareProgress *progress;
	guint timer;
	gboolean waiting; /* for an answer */
};

G_DEFINE_FINAL_TYPE(QsComparePanel, qs_compare_panel, QS_TYPE_PANEL)

#define SESSION(self) qs_panel_get_session(QS_PANEL(self))

static void fill_others(QsComparePanel *self);

/* ---- asking ------------------------------------------------------------------------------------------------------------- */

static gboolean wants_depth(QsComparePanel *self)
{
	return gtk_drop_down_get_selected(self->buffer) == 1;
}

static gboolean same_question(QsComparePanel *self, const QsView *view)
{
	const QsView *asked = self->asked;

	return asked && asked->capture == view->capture && MAX(asked->moment.frame, 1) == MAX(view->moment.frame, 1) &&
		asked->model == view->model && !memcmp(asked->quirks, view->quirks,
			qs_machine_quirk_count(qs_view_machine(view)) * sizeof *view->quirks) &&
		self->asked_other == gtk_drop_down_get_selected(self->other) && self->asked_depth == wants_depth(self);
}

static void show_pictures(QsComparePanel *self)
{
	qs_compare_view_set_pictures(self->view_a, self->a.rgba ? &self->a : NULL, self->b.rgba ? &self->b : NULL);
	qs_compare_view_set_pictures(self->view_b, self->a.rgba ? &self->a : NULL, self->b.rgba ? &self->b : NULL);
}

/* The pixel under the pointer, else the picked one, as both sides have it. */
static void show_cursor(QsComparePanel *self)
{
	g_autofree char *text = NULL;
	int x, y;

	if (qs_session_get_hover(SESSION(self), &x, &y) || qs_session_get_pick(SESSION(self), &x, &y))
		text = compare_pixel(&self->a, &self->b, x, y);
	gtk_label_set_text(self->cursor, text ? text : "");
}

/* Depth as grey that shows something: from the nearest to the farthest that either side has, what was cleared is white. */
static void show_depths(struct qs_image *a, struct qs_image *b)
{
	struct qs_image *const image[2] = {a, b};
	guint32 low = 0xFFFFFF, high = 0;

	for (guint k = 0; k < 2; k++)
		for (gsize i = 0; image[k]->depth && i < (gsize)image[k]->width * image[k]->height; i++)
			if (image[k]->depth[i] != 0xFFFFFF) {
				low = MIN(low, image[k]->depth[i]);
				high = MAX(high, image[k]->depth[i]);
			}
	for (guint k = 0; k < 2; k++)
		for (gsize i = 0; image[k]->depth && i < (gsize)image[k]->width * image[k]->height; i++) {
			const guint32 z = image[k]->depth[i];
			const guint8 grey = z == 0xFFFFFF ? 255 : (guint8)(20 + (guint64)(z - low) * 200 / (high > low ? high - low : 1));

			memset(image[k]->rgba + 4 * i, grey, 3);
		}
}

/* Only what takes long enough to be wondered about. */
static gboolean show_progress(gpointer user)
{
	QsComparePanel *self = user;
	const gint done = g_atomic_int_get(self->progress);
	g_autofree char *text = g_strdup_printf("Looking for the causes: %d %%. Esc stops.", done / 10);

	gtk_label_set_text(self->summary, text);
	return G_SOURCE_CONTINUE;
}

static void answered(GObject *owner, QsCompareAnswer *answer, const struct qs_error *error)
{
	QsComparePanel *self = QS_COMPARE_PANEL(owner);
	struct qs_comparison *c = &answer->comparison;
	g_autofree char *summary = NULL, *report = NULL;

	self->waiting = FALSE;
	gtk_widget_set_sensitive(GTK_WIDGET(self->explain), !wants_depth(self));
	g_clear_handle_id(&self->timer, g_source_remove);
	if (error) {
		g_clear_pointer(&self->asked, qs_view_unref);
		gtk_label_set_text(self->summary, error->code == QS_ERR_CANCELLED ? "Stopped." : error->text);
		return;
	}
	summary = compare_summary(c);
	report = compare_report(self->asked->capture->capture, answer, qs_view_model_name(self->asked),
		qs_compare_side_name(self->machine, answer->other));
	gtk_label_set_text(self->summary, summary);
	gtk_label_set_markup(self->report, report);
	show_pictures(self); /* drops what is about to be freed */
	qs_image_finish(&self->a);
	qs_image_finish(&self->b);
	self->a = c->a;
	self->b = c->b;
	memset(&c->a, 0, sizeof c->a);
	memset(&c->b, 0, sizeof c->b);
	if (answer->depth)
		show_depths(&self->a, &self->b);
	show_pictures(self);
	show_cursor(self);
	if (self->machine == QS_MACHINE_GFX3D && answer->other == QS_COMPARE_SHADER) /* the program shows the host's registers, too */
		g_settings_set_boolean(qs_settings(), "program-host", TRUE);
}

static void ask(QsComparePanel *self, gboolean explain)
{
	QsView *view = qs_session_get_view(SESSION(self));

	if (!view)
		return;
	g_clear_pointer(&self->asked, qs_view_unref);
	self->asked = qs_view_ref(view);
	self->asked_other = gtk_drop_down_get_selected(self->other);
	self->asked_depth = wants_depth(self);
	self->waiting = TRUE;
	gtk_label_set_text(self->summary, explain ? "Looking for the causes…" : "Drawing…");
	gtk_widget_set_sensitive(GTK_WIDGET(self->explain), FALSE);
	g_clear_handle_id(&self->timer, g_source_remove);
	g_atomic_int_set(self->progress, 0);
	if (explain)
		self->timer = g_timeout_add(200, show_progress, self);
	qs_request_compare(SESSION(self), G_OBJECT(self), self->asked_other, self->asked_depth, explain, self->progress, answered);
}

static void explain(QsComparePanel *self)
{
	ask(self, TRUE);
}

static void qs_compare_panel_update(QsPanel *panel, guint changes)
{
	QsComparePanel *self = QS_COMPARE_PANEL(panel);
	QsView *view = qs_session_get_view(SESSION(self));

	qs_panel_set_empty(panel, view ? NULL : "Open a capture: its frames are compared here as two renderers draw them.");
	if (!view)
		return;
	if (self->machine != qs_view_machine(view)) {
		self->machine = qs_view_machine(view);
		fill_others(self);
	}
	if (changes & (QS_CHANGE_HOVER | QS_CHANGE_PICK))
		show_cursor(self);
	qs_compare_view_update(self->view_a, changes);
	qs_compare_view_update(self->view_b, changes);
	if (!(changes & (QS_CHANGE_VIEW | QS_CHANGE_CAPTURE | QS_CHANGE_OWN)))
		return;
	gtk_label_set_text(self->name_a, qs_view_model_name(view));
	if (!same_question(self, view))
		ask(self, FALSE);
	else if (self->waiting)
		ask(self, FALSE); /* the answer to an unfinished question was dropped with the view it was for */
}

/* ---- options ------------------------------------------------------------------------------------------------------------ */

static void other_changed(QsComparePanel *self)
{
	const char *name = qs_compare_side_name(self->machine, MIN(gtk_drop_down_get_selected(self->other), QS_COMPARE_SHADER));

	if (self->filling)
		return;
	g_settings_set_string(qs_settings(), self->machine == QS_MACHINE_GFX3D ? "gfx3d-compare-with" : "compare-with", name);
	qs_panel_queue_update(QS_PANEL(self), QS_CHANGE_OWN);
}

static void mode_changed(QsComparePanel *self)
{
	const gboolean wipe = gtk_toggle_button_get_active(self->wipe), difference = gtk_toggle_button_get_active(self->difference);

	gtk_widget_set_visible(GTK_WIDGET(self->view_b), !wipe && !difference);
	gtk_widget_set_sensitive(GTK_WIDGET(self->gain), difference);
	qs_compare_view_set_mode(self->view_a, wipe ? QS_COMPARE_WIPE : difference ? QS_COMPARE_DIFFERENCE : QS_COMPARE_A);
}

static void gain_changed(QsComparePanel *self)
{
	qs_compare_view_set_gain(self->view_a, 1u << (2 * MIN(gtk_drop_down_get_selected(self->gain), 3)));
}

static void buffer_changed(QsComparePanel *self)
{
	qs_panel_queue_update(QS_PANEL(self), QS_CHANGE_OWN);
}

/* What the machine of the open capture can be compared with. */
static void fill_others(QsComparePanel *self)
{
	const gboolean gfx3d = self->machine == QS_MACHINE_GFX3D;
	g_autofree char *saved = g_settings_get_string(qs_settings(), gfx3d ? "gfx3d-compare-with" : "compare-with");
	g_autoptr(GtkStringList) names = gtk_string_list_new(NULL);
	guint selected = gfx3d ? QS_COMPARE_SHADER : QS_MODEL_DOLPHIN;

	for (guint i = 0; i <= QS_COMPARE_SHADER; i++) {
		gtk_string_list_append(names, qs_compare_side_name(self->machine, i));
		if (g_str_equal(saved, qs_compare_side_name(self->machine, i)))
			selected = i;
	}
	self->filling = TRUE;
	gtk_drop_down_set_model(self->other, G_LIST_MODEL(names));
	gtk_drop_down_set_selected(self->other, selected);
	self->filling = FALSE;
}

/* ---- panel -------------------------------------------------------------------------------------------------------------- */

static void qs_compare_panel_focus(QsPanel *panel)
{
	gtk_widget_grab_focus(GTK_WIDGET(QS_COMPARE_PANEL(panel)->view_a));
}

static void qs_compare_panel_constructed(GObject *object)
{
	QsComparePanel *self = QS_COMPARE_PANEL(object);

	G_OBJECT_CLASS(qs_compare_panel_parent_class)->constructed(object);
	qs_compare_view_set_session(self->view_a, SESSION(self));
	qs_compare_view_set_session(self->view_b, SESSION(self));
	qs_compare_view_set_mode(self->view_b, QS_COMPARE_B);
	gtk_box_append(self->zoom, qs_canvas_make_buttons(QS_CANVAS(self->view_a), "Whole picture (F)",
		"Zoom; click: close to the picked pixel and back (Z)"));
	fill_others(self);
	mode_changed(self);
	gain_changed(self);
}

static void qs_compare_panel_dispose(GObject *object)
{
	QsComparePanel *self = QS_COMPARE_PANEL(object);

	if (self->view_a) {
		qs_compare_view_set_pictures(self->view_a, NULL, NULL);
		qs_compare_view_set_pictures(self->view_b, NULL, NULL);
	}
	g_clear_handle_id(&self->timer, g_source_remove);
	qs_image_finish(&self->a);
	qs_image_finish(&self->b);
	g_clear_pointer(&self->asked, qs_view_unref);
	G_OBJECT_CLASS(qs_compare_panel_parent_class)->dispose(object);
}

static void qs_compare_panel_finalize(GObject *object)
{
	g_atomic_rc_box_release(QS_COMPARE_PANEL(object)->progress);
	G_OBJECT_CLASS(qs_compare_panel_parent_class)->finalize(object);
}

static void qs_compare_panel_init(QsComparePanel *self)
{
	self->progress = g_atomic_rc_box_new0(QsCompareProgress);
	gtk_widget_init_template(GTK_WIDGET(self));
	qs_panel_watch_links(QS_PANEL(self), self->report);
}

static void qs_compare_panel_class_init(QsComparePanelClass *klass)
{
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

	g_type_ensure(QS_TYPE_COMPARE_VIEW);
	G_OBJECT_CLASS(klass)->constructed = qs_compare_panel_constructed;
	G_OBJECT_CLASS(klass)->dispose = qs_compare_panel_dispose;
	G_OBJECT_CLASS(klass)->finalize = qs_compare_panel_finalize;
	QS_PANEL_CLASS(klass)->update = qs_compare_panel_update;
	QS_PANEL_CLASS(klass)->focus = qs_compare_panel_focus;
	gtk_widget_class_set_template_from_resource(widget_class, QS_RESOURCE "panels/qs-compare-panel.ui");
#define BIND(name) gtk_widget_class_bind_template_child(widget_class, QsComparePanel, name)
	BIND(name_a);
	BIND(summary);
	BIND(report);
	BIND(other);
	BIND(gain);
	BIND(buffer);
	BIND(cursor);
	BIND(side);
	BIND(wipe);
	BIND(difference);
	BIND(explain);
	BIND(zoom);
	BIND(view_a);
	BIND(view_b);
#undef BIND
	gtk_widget_class_bind_template_callback(widget_class, other_changed);
	gtk_widget_class_bind_template_callback(widget_class, mode_changed);
	gtk_widget_class_bind_template_callback(widget_class, gain_changed);
	gtk_widget_class_bind_template_callback(widget_class, buffer_changed);
	gtk_widget_class_bind_template_callback(widget_class, explain);
}
