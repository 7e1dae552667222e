/* qs-layout.c - panes of the window: which panel is where, how large, and remembering it
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-window-private.h"
#include "qs-settings.h"

#define GROUP "quadscope-panels"

static const char *const pane_name[QS_PANE_COUNT] = {
	"left", "centre", "right-top", "right-bottom", "bottom-left", "bottom-centre", "bottom-right"};

static GtkNotebook *pane_notebook(QsWindow *self, guint pane)
{
	GtkNotebook *const notebook[QS_PANE_COUNT] = {self->left, self->centre_pages, self->right_top, self->right_bottom, self->bottom_left,
		self->bottom_centre, self->bottom_right};

	return pane < QS_PANE_COUNT ? notebook[pane] : NULL;
}

static struct { const char *key; gsize offset; } const splits[] = {
	{"main-split", G_STRUCT_OFFSET(QsWindow, main_split)},
	{"left-split", G_STRUCT_OFFSET(QsWindow, left_split)},
	{"right-split", G_STRUCT_OFFSET(QsWindow, right_split)},
	{"right-inner", G_STRUCT_OFFSET(QsWindow, right_inner)},
	{"bottom-split", G_STRUCT_OFFSET(QsWindow, bottom_split)},
	{"bottom-inner", G_STRUCT_OFFSET(QsWindow, bottom_inner)},
};

/* The defaults are made for this size. */
#define USUAL_WIDTH 1600
#define USUAL_HEIGHT 1000

/* A first start on a smaller screen shrinks everything alike. */
static void usual_scale(double *x, double *y)
{
	GListModel *monitors = gdk_display_get_monitors(gdk_display_get_default());
	g_autoptr(GdkMonitor) monitor = g_list_model_get_item(monitors, 0);
	GdkRectangle area = {0, 0, USUAL_WIDTH, USUAL_HEIGHT};

	if (monitor)
		gdk_monitor_get_geometry(monitor, &area);
	*x = MIN(1.0, (double)area.width / USUAL_WIDTH);
	*y = MIN(1.0, (double)area.height / USUAL_HEIGHT);
}

static gboolean chosen(const char *key)
{
	g_autoptr(GVariant) value = g_settings_get_user_value(qs_settings(), key);

	return value != NULL;
}

static GtkPaned *split(QsWindow *self, guint i)
{
	return G_STRUCT_MEMBER(GtkPaned *, self, splits[i].offset);
}

static guint placed(const QsPanelInfo *info)
{
	g_autoptr(GVariant) places = g_settings_get_value(qs_settings(), "panel-places");
	const char *name;

	if (info->pane != QS_PANE_CENTRE && g_variant_lookup(places, info->id, "&s", &name))
		for (guint p = 0; p < QS_PANE_COUNT; p++)
			if (p != QS_PANE_CENTRE && g_str_equal(pane_name[p], name))
				return p;
	return info->pane;
}

static void save_places(QsWindow *self)
{
	GVariantBuilder builder;
	guint count;
	const QsPanelInfo *info = qs_panels(&count);

	g_variant_builder_init(&builder, G_VARIANT_TYPE("a{ss}"));
	for (guint p = 0; p < QS_PANE_COUNT; p++) {
		GtkNotebook *notebook = pane_notebook(self, p);

		for (guint i = 0; notebook && i < count; i++)
			if (gtk_notebook_page_num(notebook, GTK_WIDGET(self->panels[i])) >= 0 && info[i].pane != p)
				g_variant_builder_add(&builder, "{ss}", info[i].id, pane_name[p]);
	}
	g_settings_set_value(qs_settings(), "panel-places", g_variant_builder_end(&builder));
}

static void set_sizes(QsWindow *self)
{
	double scale_x, scale_y;
	int width, height;

	usual_scale(&scale_x, &scale_y);
	g_settings_get(qs_settings(), "window-size", "(ii)", &width, &height);
	if (!chosen("window-size")) {
		width = (int)(width * scale_x);
		height = (int)(height * scale_y);
	}
	gtk_window_set_default_size(GTK_WINDOW(self), width, height);
	for (guint i = 0; i < G_N_ELEMENTS(splits); i++) {
		const gboolean vertical = gtk_orientable_get_orientation(GTK_ORIENTABLE(split(self, i))) == GTK_ORIENTATION_VERTICAL;
		const int position = g_settings_get_int(qs_settings(), splits[i].key);

		gtk_paned_set_position(split(self, i), chosen(splits[i].key) ? position :
			(int)(position * (vertical ? scale_y : scale_x)));
	}
}

static GtkWidget *tab_label(const QsPanelInfo *info)
{
	return gtk_label_new(info->title);
}

static void add_page(QsWindow *self, guint i, const QsPanelInfo *info, GtkNotebook *notebook)
{
	GtkWidget *panel = GTK_WIDGET(self->panels[i]);

	gtk_notebook_append_page(notebook, panel, tab_label(info));
	gtk_notebook_set_tab_reorderable(notebook, panel, notebook != self->centre_pages);
	gtk_notebook_set_tab_detachable(notebook, panel, notebook != self->centre_pages);
}

static void places_changed(QsWindow *self)
{
	if (!self->session)
		return;
	save_places(self);
	qs_window_update_panes(self);
}

void qs_window_build_layout(QsWindow *self)
{
	guint count;
	const QsPanelInfo *info = qs_panels(&count);

	self->panel_count = count;
	self->panels = g_new0(QsPanel *, count);
	for (guint i = 0; i < count; i++) {
		GtkNotebook *notebook = pane_notebook(self, placed(&info[i]));
		GActionGroup *group;
		const char *prefix;

		self->panels[i] = g_object_ref_sink(g_object_new(info[i].type(), "session", self->session, NULL));
		gtk_accessible_update_property(GTK_ACCESSIBLE(self->panels[i]), GTK_ACCESSIBLE_PROPERTY_LABEL, info[i].title, -1);
		prefix = qs_panel_get_prefix(self->panels[i], &group);
		if (prefix)
			gtk_widget_insert_action_group(GTK_WIDGET(self), prefix, group);
		add_page(self, i, &info[i], notebook);
	}
	for (guint p = 0; p < QS_PANE_COUNT; p++) {
		GtkNotebook *notebook = pane_notebook(self, p);

		if (notebook != self->centre_pages) /* pictures of the frame stay there, and nothing comes between */
			gtk_notebook_set_group_name(notebook, GROUP);
		gtk_notebook_set_scrollable(notebook, TRUE);
		gtk_notebook_set_show_border(notebook, FALSE);
		gtk_widget_add_css_class(GTK_WIDGET(notebook), "qs-pane");
		g_signal_connect_object(notebook, "page-added", G_CALLBACK(places_changed), self, G_CONNECT_SWAPPED);
		g_signal_connect_object(notebook, "page-removed", G_CALLBACK(qs_window_update_panes), self, G_CONNECT_SWAPPED);
	}
	set_sizes(self);
	qs_window_update_panes(self);
}

void qs_window_save_layout(QsWindow *self)
{
	int width, height;

	for (guint i = 0; i < G_N_ELEMENTS(splits); i++)
		if (gtk_widget_get_mapped(GTK_WIDGET(split(self, i))))
			g_settings_set_int(qs_settings(), splits[i].key, gtk_paned_get_position(split(self, i)));
	g_settings_set_boolean(qs_settings(), "maximized", gtk_window_is_maximized(GTK_WINDOW(self)));
	if (!gtk_window_is_maximized(GTK_WINDOW(self))) {
		gtk_window_get_default_size(GTK_WINDOW(self), &width, &height);
		g_settings_set(qs_settings(), "window-size", "(ii)", width, height);
	}
}

/* The same question is answered by another panel for the other machine. */
static const char *counterpart(QsWindow *self, const char *id)
{
	guint count;
	const QsPanelInfo *info = qs_panels(&count);

	for (guint i = 0; i < count; i++) {
		if (!g_str_equal(info[i].id, id) || info[i].machines >> self->machine & 1)
			continue;
		for (guint k = 0; k < count; k++)
			if (info[k].machines >> self->machine & 1 && info[k].machines != QS_ON_BOTH && (g_str_equal(info[k].title, info[i].title) ||
				(info[k].pane == QS_PANE_RIGHT_BOTTOM && info[i].pane == QS_PANE_RIGHT_BOTTOM)))
				return info[k].id;
	}
	return id;
}

static int page_of(QsWindow *self, GtkNotebook *notebook, const char *id)
{
	guint count;
	const QsPanelInfo *info = qs_panels(&count);

	for (guint i = 0; i < count; i++)
		if (g_str_equal(info[i].id, id))
			return gtk_notebook_page_num(notebook, GTK_WIDGET(self->panels[i]));
	return -1;
}

/* A tab is there while its panel is visible; the one that takes a hidden panel's place takes the front, too. */
static void show_machine(QsWindow *self)
{
	guint count;
	const QsPanelInfo *info = qs_panels(&count);

	for (guint i = 0; i < count; i++) {
		const gboolean shown = (info[i].machines >> self->machine & 1) != 0;
		GtkWidget *notebook = gtk_widget_get_ancestor(GTK_WIDGET(self->panels[i]), GTK_TYPE_NOTEBOOK);
		const int page = notebook ? gtk_notebook_page_num(GTK_NOTEBOOK(notebook), GTK_WIDGET(self->panels[i])) : -1;
		const gboolean front = page >= 0 && gtk_notebook_get_current_page(GTK_NOTEBOOK(notebook)) == page;

		if (shown == gtk_widget_get_visible(GTK_WIDGET(self->panels[i])))
			continue;
		gtk_widget_set_visible(GTK_WIDGET(self->panels[i]), shown);
		if (front && !shown) {
			const int other = page_of(self, GTK_NOTEBOOK(notebook), counterpart(self, info[i].id));

			if (other >= 0 && other != page) { /* else the notebook finds another by itself */
				gtk_widget_set_visible(gtk_notebook_get_nth_page(GTK_NOTEBOOK(notebook), other), TRUE);
				gtk_notebook_set_current_page(GTK_NOTEBOOK(notebook), other);
			}
		}
	}
}

void qs_window_update_panes(QsWindow *self)
{
	const gboolean left = g_settings_get_boolean(qs_settings(), "show-left");
	const gboolean right = g_settings_get_boolean(qs_settings(), "show-right");
	const gboolean bottom = g_settings_get_boolean(qs_settings(), "show-bottom");
	gboolean filled[QS_PANE_COUNT];

	if (!self->session) /* pages also go when the window does */
		return;
	show_machine(self);
	for (guint p = 0; p < QS_PANE_COUNT; p++) {
		GtkNotebook *notebook = pane_notebook(self, p);

		filled[p] = FALSE;
		for (int i = 0; i < gtk_notebook_get_n_pages(notebook); i++)
			filled[p] |= gtk_widget_get_visible(gtk_notebook_get_nth_page(notebook, i));
		if (p != QS_PANE_LEFT)
			gtk_widget_set_visible(GTK_WIDGET(notebook), filled[p]);
	}
	gtk_widget_set_visible(GTK_WIDGET(self->left), left && filled[QS_PANE_LEFT]);
	gtk_widget_set_visible(GTK_WIDGET(self->right_inner), right && (filled[QS_PANE_RIGHT_TOP] || filled[QS_PANE_RIGHT_BOTTOM]));
	gtk_widget_set_visible(GTK_WIDGET(self->bottom_inner), filled[QS_PANE_BOTTOM_CENTRE] || filled[QS_PANE_BOTTOM_RIGHT]);
	gtk_widget_set_visible(GTK_WIDGET(self->bottom_split), bottom &&
		(filled[QS_PANE_BOTTOM_LEFT] || filled[QS_PANE_BOTTOM_CENTRE] || filled[QS_PANE_BOTTOM_RIGHT]));
}

void qs_window_show_panel(QsWindow *self, const char *id)
{
	static const char *const show_key[QS_PANE_COUNT] = {
		"show-left", NULL, "show-right", "show-right", "show-bottom", "show-bottom", "show-bottom"};
	guint count;
	const QsPanelInfo *info = qs_panels(&count);

	id = counterpart(self, id);
	for (guint i = 0; i < count; i++) {
		if (!g_str_equal(info[i].id, id))
			continue;
		for (guint p = 0; p < QS_PANE_COUNT; p++) {
			GtkNotebook *notebook = pane_notebook(self, p);
			const int page = notebook ? gtk_notebook_page_num(notebook, GTK_WIDGET(self->panels[i])) : -1;

			if (page < 0)
				continue;
			if (show_key[p])
				g_settings_set_boolean(qs_settings(), show_key[p], TRUE);
			gtk_notebook_set_current_page(notebook, page);
		}
		qs_panel_focus(self->panels[i]);
		return;
	}
}

void qs_window_reset_layout(QsWindow *self)
{
	guint count;
	const QsPanelInfo *info = qs_panels(&count);

	g_settings_reset(qs_settings(), "panel-places");
	for (guint i = 0; i < count; i++) {
		GtkNotebook *notebook = pane_notebook(self, info[i].pane);
		GtkWidget *old = gtk_widget_get_ancestor(GTK_WIDGET(self->panels[i]), GTK_TYPE_NOTEBOOK);

		if (notebook == self->centre_pages)
			continue;
		if (old)
			gtk_notebook_detach_tab(GTK_NOTEBOOK(old), GTK_WIDGET(self->panels[i]));
		add_page(self, i, &info[i], notebook);
	}
	for (guint i = 0; i < G_N_ELEMENTS(splits); i++)
		g_settings_reset(qs_settings(), splits[i].key);
	set_sizes(self);
	g_settings_reset(qs_settings(), "show-left");
	g_settings_reset(qs_settings(), "show-right");
	g_settings_reset(qs_settings(), "show-bottom");
	qs_window_update_panes(self);
}
