/* qs-cell.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-cell.h"
#include <string.h>

#define PAD_X 5
#define PAD_Y 1
#define SWATCH 9
#define SMALL 0.8

struct _QsCell {
	GtkWidget parent_instance;
	guint flags;
	char *top, *text, *name;
	gboolean swatch;
	guint8 rgb[3];
	PangoLayout *top_layout, *layout;
};

G_DEFINE_FINAL_TYPE(QsCell, qs_cell, GTK_TYPE_WIDGET)

static const struct { guint flag; const char *name; } classes[] = {
	{QS_CELL_HEAD, "head"}, {QS_CELL_NOW, "now"}, {QS_CELL_PENDING, "pending"}, {QS_CELL_CHANGED, "changed"},
	{QS_CELL_PASS, "qs-pass"}, {QS_CELL_FAIL, "qs-fail"}, {QS_CELL_DIM, "dim"}, {QS_CELL_LINE, "line"}};

static void set_classes(QsCell *self)
{
	const char *names[G_N_ELEMENTS(classes) + 1];
	guint n = 0;

	for (guint i = 0; i < G_N_ELEMENTS(classes); i++)
		if (self->flags & classes[i].flag)
			names[n++] = classes[i].name;
	names[n] = NULL;
	gtk_widget_set_css_classes(GTK_WIDGET(self), names);
}

static PangoLayout *make_layout(QsCell *self, const char *text, double scale)
{
	PangoLayout *layout = gtk_widget_create_pango_layout(GTK_WIDGET(self), NULL);

	if (self->flags & QS_CELL_MARKUP)
		pango_layout_set_markup(layout, text, -1);
	else
		pango_layout_set_text(layout, text, -1);
	if (scale < 1) {
		PangoAttrList *attributes = pango_attr_list_new();

		pango_attr_list_insert(attributes, pango_attr_scale_new(scale));
		pango_layout_set_attributes(layout, attributes);
		pango_attr_list_unref(attributes);
	}
	return layout;
}

static void name_it(QsCell *self)
{
	g_autofree char *label = g_strdup_printf("%s%s%s%s%s", self->name ? self->name : "", self->name ? ": " : "",
		self->top ? self->top : "", self->top ? " " : "", self->layout ? pango_layout_get_text(self->layout) : "");

	gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

static gboolean same_string(char **mine, const char *theirs)
{
	if (g_strcmp0(*mine, theirs) == 0)
		return TRUE;
	g_free(*mine);
	*mine = g_strdup(theirs);
	return FALSE;
}

gboolean qs_cell_set(QsCell *self, const QsCellContent *content)
{
	const guint flags = self->flags;
	gboolean same = ((flags ^ content->flags) & (QS_CELL_MARKUP | QS_CELL_WIDE)) == 0, same_name;

	self->flags = content->flags;
	same &= same_string(&self->top, content->top);
	same &= same_string(&self->text, content->text);
	same_name = same_string(&self->name, content->name);
	if (flags != content->flags)
		set_classes(self);
	if (self->swatch != content->swatch || memcmp(self->rgb, content->rgb, sizeof self->rgb) != 0) {
		self->swatch = content->swatch;
		memcpy(self->rgb, content->rgb, sizeof self->rgb);
		gtk_widget_queue_draw(GTK_WIDGET(self));
	}
	if (!same) {
		g_clear_object(&self->top_layout);
		g_clear_object(&self->layout);
		if (self->top)
			self->top_layout = make_layout(self, self->top, SMALL);
		if (self->text)
			self->layout = make_layout(self, self->text, 1);
		gtk_widget_queue_draw(GTK_WIDGET(self));
	}
	if (!same || !same_name)
		name_it(self);
	gtk_widget_set_focusable(GTK_WIDGET(self), self->text != NULL && !(flags & QS_CELL_HEAD));
	return !same;
}

gboolean qs_cell_is_empty(QsCell *self)
{
	return self->text == NULL;
}

guint qs_cell_get_flags(QsCell *self)
{
	return self->flags;
}

/* The place of the swatch is kept where numbers are, so that digits stand in columns. */
static int left_of_text(QsCell *self)
{
	return self->swatch ? PAD_X + SWATCH + 4 : PAD_X;
}

static void layout_size(PangoLayout *layout, int *width, int *height)
{
	*width = *height = 0;
	if (layout)
		pango_layout_get_pixel_size(layout, width, height);
}

void qs_cell_get_size(QsCell *self, int *width, int *height)
{
	int w[2], h[2];

	layout_size(self->top_layout, &w[0], &h[0]);
	layout_size(self->layout, &w[1], &h[1]);
	*width = MAX(w[0] + 2 * PAD_X, w[1] + left_of_text(self) + PAD_X);
	*height = h[0] + h[1] + 2 * PAD_Y;
}

int qs_cell_wrap(QsCell *self, int width)
{
	int w, h;

	if (!self->layout)
		return 0;
	pango_layout_set_wrap(self->layout, PANGO_WRAP_WORD_CHAR);
	pango_layout_set_width(self->layout, MAX(width - left_of_text(self) - PAD_X, 1) * PANGO_SCALE);
	layout_size(self->layout, &w, &h);
	return h + 2 * PAD_Y;
}

static void qs_cell_measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
	int *minimum_baseline, int *natural_baseline)
{
	int width, height;

	(void)for_size;
	qs_cell_get_size(QS_CELL(widget), &width, &height);
	*minimum = 0; /* the sheet decides */
	*natural = orientation == GTK_ORIENTATION_HORIZONTAL ? width : height;
	*minimum_baseline = *natural_baseline = -1;
}

static void draw_layout(QsCell *self, GtkSnapshot *snapshot, PangoLayout *layout, int y, float alpha)
{
	const int width = gtk_widget_get_width(GTK_WIDGET(self));
	GdkRGBA colour;
	int w, h, x;

	layout_size(layout, &w, &h);
	x = self->flags & (QS_CELL_LEFT | QS_CELL_WIDE) ? left_of_text(self) : MAX(width - PAD_X - w, left_of_text(self));
	gtk_style_context_get_color(gtk_widget_get_style_context(GTK_WIDGET(self)), &colour);
	colour.alpha *= alpha;
	gtk_snapshot_save(snapshot);
	gtk_snapshot_translate(snapshot, &GRAPHENE_POINT_INIT((float)x, (float)y));
	gtk_snapshot_append_layout(snapshot, layout, &colour);
	gtk_snapshot_restore(snapshot);
}

static void draw_swatch(QsCell *self, GtkSnapshot *snapshot, int y, int height)
{
	const graphene_rect_t box = GRAPHENE_RECT_INIT(PAD_X, (float)(y + (height - SWATCH) / 2), SWATCH, SWATCH);
	GdkRGBA colour = {(float)self->rgb[0] / 255.f, (float)self->rgb[1] / 255.f, (float)self->rgb[2] / 255.f, 1.f}, edge;
	GskRoundedRect outline;

	gtk_style_context_get_color(gtk_widget_get_style_context(GTK_WIDGET(self)), &edge);
	edge.alpha *= 0.4f;
	gsk_rounded_rect_init_from_rect(&outline, &box, 0);
	gtk_snapshot_append_color(snapshot, &colour, &box);
	gtk_snapshot_append_border(snapshot, &outline, (const float[4]){1, 1, 1, 1}, (const GdkRGBA[4]){edge, edge, edge, edge});
}

static void qs_cell_snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
	QsCell *self = QS_CELL(widget);
	int y = PAD_Y, w, h;

	if (self->top_layout) {
		draw_layout(self, snapshot, self->top_layout, y, 0.62f);
		layout_size(self->top_layout, &w, &h);
		y += h;
	}
	if (!self->layout)
		return;
	layout_size(self->layout, &w, &h);
	if (!(self->flags & (QS_CELL_WIDE | QS_CELL_UPPER)))
		y = MAX(y, gtk_widget_get_height(widget) - PAD_Y - h);
	draw_layout(self, snapshot, self->layout, y, self->flags & QS_CELL_DIM ? 0.62f : 1);
	if (self->swatch)
		draw_swatch(self, snapshot, y, h);
}

/* Screen readers and tests offer it; the sheet knows what it means. */
static void activate_action(GtkWidget *widget, const char *name, GVariant *parameter)
{
	QsSheet *sheet = QS_SHEET(gtk_widget_get_ancestor(widget, QS_TYPE_SHEET));

	(void)name;
	(void)parameter;
	gtk_widget_grab_focus(widget);
	gtk_widget_activate_action(GTK_WIDGET(sheet), "sheet.activate-focus", NULL);
}

static void qs_cell_finalize(GObject *object)
{
	QsCell *self = QS_CELL(object);

	g_free(self->top);
	g_free(self->text);
	g_free(self->name);
	g_clear_object(&self->top_layout);
	g_clear_object(&self->layout);
	G_OBJECT_CLASS(qs_cell_parent_class)->finalize(object);
}

static void qs_cell_init(QsCell *self)
{
	gtk_widget_set_can_target(GTK_WIDGET(self), FALSE); /* the sheet finds cells: some lie below the head */
}

static void qs_cell_class_init(QsCellClass *klass)
{
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

	G_OBJECT_CLASS(klass)->finalize = qs_cell_finalize;
	widget_class->measure = qs_cell_measure;
	widget_class->snapshot = qs_cell_snapshot;
	gtk_widget_class_set_css_name(widget_class, "qscell");
	gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_GRID_CELL);
	gtk_widget_class_install_action(widget_class, "cell.activate", NULL, activate_action);
}

GtkWidget *qs_cell_new(void)
{
	return g_object_new(QS_TYPE_CELL, NULL);
}
