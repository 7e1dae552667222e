/* qs-plots-panel.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-plots-panel.h"
#include <string.h>
#include "canvas/qs-plot-view.h"
#include "qs-lua.h"
#include "widgets/qs-column.h"

#define MAX_COLUMNS 256
#define EXPORT_WIDTH 960
#define EXPORT_HEIGHT 540

/* What a column's text function gets. */
typedef struct {
	QsPlotsPanel *panel;
	gsize index;
	gboolean numeric;
} PlotColumn;

struct _QsPlotsPanel {
	QsPanel parent_instance;
	GtkDropDown *titles;
	GtkStack *stack;
	QsPlotView *view;
	GtkColumnView *table;
	GtkLabel *facts;
	GtkButton *save;
	GSimpleActionGroup *actions;
	QsFigure *figure; /* that is shown */
	QsCounter *rows;
	PlotColumn column[MAX_COLUMNS];
};

G_DEFINE_FINAL_TYPE(QsPlotsPanel, qs_plots_panel, QS_TYPE_PANEL)

#define SESSION(self) qs_panel_get_session(QS_PANEL(self))
#define LUA(self) qs_session_get_lua(SESSION(self))

/* ---- tables ------------------------------------------------------------------------------------------------------------- */

static const char *cell_text(const PlotColumn *column, gpointer item)
{
	const QsFigure *f = column->panel->figure;
	const guint row = qs_number_get(item);

	return f && f->kind == QS_FIGURE_TABLE && row < f->rows && column->index < f->columns ?
		f->cell[row * f->columns + column->index] : "";
}

/* Moments are links. */
static char *cell_markup(gpointer item, gpointer user)
{
	const PlotColumn *column = user;
	const char *text = cell_text(column, item);
	const struct qs_capture *file = qs_session_get_file(SESSION(column->panel));
	struct qs_error ignored = {0};
	struct qs_moment moment;

	if (file && strpbrk(text, "/@") && g_ascii_isdigit(text[0]) && qs_moment_parse(file, text, &moment, &ignored))
		return qs_link_moment(text);
	return g_markup_escape_text(text, -1);
}

static int compare_cells(gconstpointer a, gconstpointer b, gpointer user)
{
	const PlotColumn *column = user;
	const char *first = cell_text(column, (gpointer)a), *second = cell_text(column, (gpointer)b);

	if (column->numeric) {
		const double x = g_ascii_strtod(first, NULL), y = g_ascii_strtod(second, NULL);

		return x < y ? -1 : x > y;
	}
	return g_utf8_collate(first, second);
}

static void add_column(QsPlotsPanel *self, gsize i)
{
	PlotColumn *column = &self->column[i];
	GtkSorter *sorter;
	GtkColumnViewColumn *shown;

	*column = (PlotColumn){self, i, qs_figure_is_numeric(self->figure, i)};
	shown = qs_column_add(self->table, self->figure->column[i], i + 1 == self->figure->columns ? -1 : 0, TRUE, cell_markup, column,
		QS_PANEL(self));
	sorter = GTK_SORTER(gtk_custom_sorter_new(compare_cells, column, NULL));
	gtk_column_view_column_set_sorter(shown, sorter);
	g_object_unref(sorter);
}

static void show_table(QsPlotsPanel *self)
{
	GListModel *columns = gtk_column_view_get_columns(self->table);

	qs_counter_set(self->rows, 0);
	gtk_column_view_sort_by_column(self->table, NULL, GTK_SORT_ASCENDING);
	while (g_list_model_get_n_items(columns)) {
		g_autoptr(GtkColumnViewColumn) column = g_list_model_get_item(columns, 0);

		gtk_column_view_remove_column(self->table, column);
	}
	for (gsize i = 0; i < self->figure->columns && i < MAX_COLUMNS; i++)
		add_column(self, i);
	qs_counter_set(self->rows, (guint)self->figure->rows);
}

/* ---- what is shown ------------------------------------------------------------------------------------------------------ */

static void show_figure(QsPlotsPanel *self)
{
	QsFigure *figure = gtk_drop_down_get_selected_item(self->titles);
	g_autofree char *facts = figure ? qs_figure_describe(figure) : g_strdup("");

	if (figure == self->figure && figure)
		return;
	g_set_object(&self->figure, figure);
	gtk_label_set_text(self->facts, facts);
	g_simple_action_set_enabled(G_SIMPLE_ACTION(g_action_map_lookup_action(G_ACTION_MAP(self->actions), "save")), figure != NULL);
	if (!figure) {
		gtk_stack_set_visible_child_name(self->stack, "nothing");
	} else if (figure->kind == QS_FIGURE_TABLE) {
		show_table(self);
		gtk_stack_set_visible_child_name(self->stack, "table");
	} else {
		gtk_stack_set_visible_child_name(self->stack, "plot");
	}
	qs_plot_view_set_figure(self->view, figure && figure->kind != QS_FIGURE_TABLE ? figure : NULL);
}

/* The newest one. */
static void lua_changed(QsPlotsPanel *self, guint changes)
{
	const guint count = g_list_model_get_n_items(qs_lua_get_figures(LUA(self)));

	if (!(changes & QS_LUA_CHANGE_FIGURES))
		return;
	if (count)
		gtk_drop_down_set_selected(self->titles, count - 1);
	show_figure(self);
}

static char *figure_title(QsFigure *figure)
{
	return g_strdup(figure->title[0] ? figure->title : "Table");
}

static void show_title(GSimpleAction *action, GVariant *parameter, gpointer user)
{
	QsPlotsPanel *self = user;
	GListModel *figures = qs_lua_get_figures(LUA(self));

	(void)action;
	for (guint i = g_list_model_get_n_items(figures); i-- > 0;) {
		g_autoptr(QsFigure) figure = g_list_model_get_item(figures, i);
		g_autofree char *title = figure_title(figure);

		if (g_str_equal(title, g_variant_get_string(parameter, NULL))) {
			gtk_drop_down_set_selected(self->titles, i);
			break;
		}
	}
	gtk_widget_activate_action(GTK_WIDGET(self), "win.show-panel", "s", "plots");
}

/* ---- saving ------------------------------------------------------------------------------------------------------------- */

static void append_field(GString *out, const char *text, gboolean last)
{
	if (strpbrk(text, ",\"\r\n")) {
		g_string_append_c(out, '"');
		for (const char *p = text; *p; p++) {
			if (*p == '"')
				g_string_append_c(out, '"');
			g_string_append_c(out, *p);
		}
		g_string_append_c(out, '"');
	} else {
		g_string_append(out, text);
	}
	g_string_append(out, last ? "\r\n" : ",");
}

/* RFC 4180 */
static gboolean save_table(const QsFigure *figure, const char *path, GError **error)
{
	g_autoptr(GString) out = g_string_new(NULL);

	for (gsize c = 0; c < figure->columns; c++)
		append_field(out, figure->column[c], c + 1 == figure->columns);
	for (gsize i = 0; i < figure->rows * figure->columns; i++)
		append_field(out, figure->cell[i], i % figure->columns == figure->columns - 1);
	return g_file_set_contents(path, out->str, (gssize)out->len, error);
}

static void save_response(GtkNativeDialog *dialog, int response, QsPlotsPanel *self)
{
	g_autoptr(GFile) file = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file(GTK_FILE_CHOOSER(dialog)) : NULL;
	g_autofree char *path = file ? g_file_get_path(file) : NULL;
	g_autoptr(GError) error = NULL;
	gboolean ok;

	if (path && self->figure) {
		ok = self->figure->kind == QS_FIGURE_TABLE ? save_table(self->figure, path, &error) :
			qs_plot_view_export(self->figure, path, EXPORT_WIDTH, EXPORT_HEIGHT, &error);
		if (ok)
			qs_session_message(SESSION(self), QS_MESSAGE_HINT, "Saved %s.", path);
		else
			qs_session_message(SESSION(self), QS_MESSAGE_ERROR, "The plot was not saved to %s: %s", path, error->message);
	}
	g_object_unref(dialog);
}

static void save(GSimpleAction *action, GVariant *parameter, gpointer user)
{
	QsPlotsPanel *self = user;
	GtkFileChooserNative *dialog;
	g_autofree char *title = NULL, *name = NULL;

	(void)action;
	(void)parameter;
	if (!self->figure)
		return;
	dialog = gtk_file_chooser_native_new("Save the Plot", GTK_WINDOW(gtk_widget_get_root(GTK_WIDGET(self))),
		GTK_FILE_CHOOSER_ACTION_SAVE, "_Save", "_Cancel");
	title = figure_title(self->figure);
	name = g_strdup_printf("%s.%s", title, self->figure->kind == QS_FIGURE_TABLE ? "csv" : "png");
	g_strdelimit(name, "/\\:", '-');
	gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(dialog), name);
	g_signal_connect_object(dialog, "response", G_CALLBACK(save_response), self, 0);
	gtk_native_dialog_show(GTK_NATIVE_DIALOG(dialog));
}

static void clear(GSimpleAction *action, GVariant *parameter, gpointer user)
{
	(void)action;
	(void)parameter;
	qs_lua_clear_figures(LUA(user));
}

/* ---- panel -------------------------------------------------------------------------------------------------------------- */

static void qs_plots_panel_constructed(GObject *object)
{
	QsPlotsPanel *self = QS_PLOTS_PANEL(object);
	g_autoptr(GtkExpression) title = gtk_cclosure_expression_new(G_TYPE_STRING, NULL, 0, NULL, G_CALLBACK(figure_title), NULL, NULL);

	G_OBJECT_CLASS(qs_plots_panel_parent_class)->constructed(object);
	gtk_drop_down_set_expression(self->titles, title);
	gtk_drop_down_set_model(self->titles, qs_lua_get_figures(LUA(self)));
	g_signal_connect_object(self->titles, "notify::selected-item", G_CALLBACK(show_figure), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(LUA(self), "changed", G_CALLBACK(lua_changed), self, G_CONNECT_SWAPPED);
	show_figure(self);
}

static void qs_plots_panel_dispose(GObject *object)
{
	QsPlotsPanel *self = QS_PLOTS_PANEL(object);

	g_clear_object(&self->actions);
	g_clear_object(&self->rows);
	G_OBJECT_CLASS(qs_plots_panel_parent_class)->dispose(object);
}

static void qs_plots_panel_finalize(GObject *object)
{
	g_clear_object(&QS_PLOTS_PANEL(object)->figure);
	G_OBJECT_CLASS(qs_plots_panel_parent_class)->finalize(object);
}

static void qs_plots_panel_init(QsPlotsPanel *self)
{
	static const GActionEntry entries[] = {
		{.name = "show", .activate = show_title, .parameter_type = "s"},
		{.name = "save", .activate = save},
		{.name = "clear", .activate = clear},
	};
	GtkSortListModel *sorted;
	GtkSelectionModel *selection;

	gtk_widget_init_template(GTK_WIDGET(self));
	self->actions = g_simple_action_group_new();
	g_action_map_add_action_entries(G_ACTION_MAP(self->actions), entries, G_N_ELEMENTS(entries), self);
	qs_panel_insert_actions(QS_PANEL(self), "plots", G_ACTION_GROUP(self->actions));
	self->rows = qs_counter_new();
	sorted = gtk_sort_list_model_new(g_object_ref(G_LIST_MODEL(self->rows)), g_object_ref(gtk_column_view_get_sorter(self->table)));
	selection = GTK_SELECTION_MODEL(gtk_single_selection_new(G_LIST_MODEL(sorted)));
	gtk_column_view_set_model(self->table, selection);
	g_object_unref(selection);
}

static void qs_plots_panel_class_init(QsPlotsPanelClass *klass)
{
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

	g_type_ensure(QS_TYPE_PLOT_VIEW);
	G_OBJECT_CLASS(klass)->constructed = qs_plots_panel_constructed;
	G_OBJECT_CLASS(klass)->dispose = qs_plots_panel_dispose;
	G_OBJECT_CLASS(klass)->finalize = qs_plots_panel_finalize;
	gtk_widget_class_set_template_from_resource(widget_class, QS_RESOURCE "panels/qs-plots-panel.ui");
	gtk_widget_class_bind_template_child(widget_class, QsPlotsPanel, titles);
	gtk_widget_class_bind_template_child(widget_class, QsPlotsPanel, stack);
	gtk_widget_class_bind_template_child(widget_class, QsPlotsPanel, view);
	gtk_widget_class_bind_template_child(widget_class, QsPlotsPanel, table);
	gtk_widget_class_bind_template_child(widget_class, QsPlotsPanel, facts);
	gtk_widget_class_bind_template_child(widget_class, QsPlotsPanel, save);
}
