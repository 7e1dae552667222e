/* qs-column.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-column.h"

typedef struct {
	QsColumnText text, tooltip;
	gpointer user;
	QsPanel *panel; /* the column lives inside it */
	gboolean monospace;
	GPtrArray *bound; /* GtkListItem, not owned: those on the screen */
} Column;

#define COLUMN_KEY "qs-column"

/* The whole text of a cell that is cut, where the column has nothing better. */
static gboolean query_tooltip(GtkWidget *label, int x, int y, gboolean keyboard, GtkTooltip *tooltip, GtkListItem *item)
{
	Column *column = g_object_get_data(G_OBJECT(label), COLUMN_KEY);
	gpointer object = gtk_list_item_get_item(item);
	g_autofree char *text = object && column->tooltip ? column->tooltip(object, column->user) : NULL;

	(void)x;
	(void)y;
	(void)keyboard;
	if (text)
		gtk_tooltip_set_markup(tooltip, text);
	else if (pango_layout_is_ellipsized(gtk_label_get_layout(GTK_LABEL(label))))
		gtk_tooltip_set_text(tooltip, gtk_label_get_text(GTK_LABEL(label)));
	else
		return FALSE;
	return TRUE;
}

static void setup(GtkListItemFactory *factory, GtkListItem *item, Column *column)
{
	GtkWidget *label = gtk_label_new(NULL);

	(void)factory;
	gtk_label_set_xalign(GTK_LABEL(label), 0);
	gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
	if (column->monospace)
		gtk_widget_add_css_class(label, "monospace");
	qs_panel_watch_links(column->panel, GTK_LABEL(label));
	g_object_set_data(G_OBJECT(label), COLUMN_KEY, column);
	gtk_widget_set_has_tooltip(label, TRUE);
	g_signal_connect_object(label, "query-tooltip", G_CALLBACK(query_tooltip), item, 0);
	gtk_list_item_set_child(item, label);
}

static void show(GtkListItem *item, Column *column)
{
	g_autofree char *text = column->text(gtk_list_item_get_item(item), column->user);
	GtkLabel *label = GTK_LABEL(gtk_list_item_get_child(item));

	if (g_strcmp0(gtk_label_get_label(label), text ? text : "") != 0)
		gtk_label_set_markup(label, text ? text : "");
}

static void bind(GtkListItemFactory *factory, GtkListItem *item, Column *column)
{
	(void)factory;
	g_ptr_array_add(column->bound, item);
	show(item, column);
}

static void unbind(GtkListItemFactory *factory, GtkListItem *item, Column *column)
{
	(void)factory;
	g_ptr_array_remove_fast(column->bound, item);
}

void qs_column_refresh(GtkColumnViewColumn *column)
{
	Column *data = g_object_get_data(G_OBJECT(column), COLUMN_KEY);

	for (guint i = 0; i < data->bound->len; i++)
		show(g_ptr_array_index(data->bound, i), data);
}

void qs_column_refresh_all(GtkColumnView *view)
{
	GListModel *columns = gtk_column_view_get_columns(view);

	for (guint i = 0; i < g_list_model_get_n_items(columns); i++) {
		g_autoptr(GtkColumnViewColumn) column = g_list_model_get_item(columns, i);

		qs_column_refresh(column);
	}
}

static void column_free(gpointer data, GClosure *closure)
{
	(void)closure;
	g_ptr_array_unref(((Column *)data)->bound);
	g_free(data);
}

GtkColumnViewColumn *qs_column_add(GtkColumnView *view, const char *title, int width, gboolean monospace, QsColumnText text,
	gpointer user, QsPanel *panel)
{
	GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
	GtkColumnViewColumn *column;
	Column *data = g_new0(Column, 1);

	*data = (Column){text, NULL, user, panel, monospace, g_ptr_array_new()};
	g_signal_connect_data(factory, "setup", G_CALLBACK(setup), data, column_free, 0);
	g_signal_connect(factory, "bind", G_CALLBACK(bind), data);
	g_signal_connect(factory, "unbind", G_CALLBACK(unbind), data);
	column = gtk_column_view_column_new(title, factory);
	gtk_column_view_column_set_resizable(column, TRUE);
	if (width > 0)
		gtk_column_view_column_set_fixed_width(column, width);
	gtk_column_view_column_set_expand(column, width < 0);
	g_object_set_data(G_OBJECT(column), COLUMN_KEY, data); /* the factory's */
	gtk_column_view_append_column(view, column);
	g_object_unref(column);
	return column;
}

void qs_column_set_tooltip(GtkColumnViewColumn *column, QsColumnText tooltip)
{
	Column *data = g_object_get_data(G_OBJECT(column), COLUMN_KEY);

	data->tooltip = tooltip;
}

/* ---- numbers ------------------------------------------------------------------------------------------------------------ */

struct _QsNumber {
	GObject parent_instance;
	guint value;
};

G_DEFINE_FINAL_TYPE(QsNumber, qs_number, G_TYPE_OBJECT)

static void qs_number_init(QsNumber *self)
{
	self->value = 0;
}

static void qs_number_class_init(QsNumberClass *klass)
{
	(void)klass;
}

guint qs_number_get(gpointer item)
{
	return QS_NUMBER(item)->value;
}

struct _QsCounter {
	GObject parent_instance;
	guint n;
};

static void list_model_init(GListModelInterface *iface);
G_DEFINE_FINAL_TYPE_WITH_CODE(QsCounter, qs_counter, G_TYPE_OBJECT, G_IMPLEMENT_INTERFACE(G_TYPE_LIST_MODEL, list_model_init))

static GType get_item_type(GListModel *list)
{
	(void)list;
	return QS_TYPE_NUMBER;
}

static guint get_n_items(GListModel *list)
{
	return QS_COUNTER(list)->n;
}

static gpointer get_item(GListModel *list, guint position)
{
	QsNumber *number;

	if (position >= QS_COUNTER(list)->n)
		return NULL;
	number = g_object_new(QS_TYPE_NUMBER, NULL);
	number->value = position;
	return number;
}

static void list_model_init(GListModelInterface *iface)
{
	iface->get_item_type = get_item_type;
	iface->get_n_items = get_n_items;
	iface->get_item = get_item;
}

static void qs_counter_init(QsCounter *self)
{
	self->n = 0;
}

static void qs_counter_class_init(QsCounterClass *klass)
{
	(void)klass;
}

QsCounter *qs_counter_new(void)
{
	return g_object_new(QS_TYPE_COUNTER, NULL);
}

void qs_counter_set(QsCounter *self, guint n)
{
	const guint old = self->n;

	self->n = n;
	g_list_model_items_changed(G_LIST_MODEL(self), 0, old, n);
}
