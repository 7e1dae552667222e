/* qs-sheet.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-cell.h"

struct _QsSheet {
	GtkWidget parent_instance;
	guint columns, rows;
	GPtrArray *cells; /* QsCell or NULL, row by row; borrowed: they are children */
	GByteArray *put;  /* was the cell put since begin */
	GArray *width, *x, *height, *y; /* int */
	int total_width, total_height;
	gboolean stale; /* sizes must be measured */
	GtkAdjustment *adjustment[2];
	guint policy[2];
	guint focus_row, focus_column;
};

enum { PROP_HADJUSTMENT = 1, PROP_VADJUSTMENT, PROP_HPOLICY, PROP_VPOLICY };
enum { SIGNAL_FOCUSED, SIGNAL_ACTIVATED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE_WITH_CODE(QsSheet, qs_sheet, GTK_TYPE_WIDGET, G_IMPLEMENT_INTERFACE(GTK_TYPE_SCROLLABLE, NULL))

static QsCell *cell_of(QsSheet *self, guint row, guint column)
{
	const guint i = row * self->columns + column;

	return column < self->columns && i < self->cells->len ? g_ptr_array_index(self->cells, i) : NULL;
}

static int at(GArray *array, guint i)
{
	return i < array->len ? g_array_index(array, int, i) : 0;
}

static gboolean is_wide(QsSheet *self, guint row, guint column)
{
	QsCell *cell = cell_of(self, row, column);

	return cell && qs_cell_get_flags(cell) & QS_CELL_WIDE;
}

static int offset(QsSheet *self, guint axis)
{
	return self->adjustment[axis] ? (int)gtk_adjustment_get_value(self->adjustment[axis]) : 0;
}

/* ---- filling ------------------------------------------------------------------------------------------------------------ */

static void drop_cells(QsSheet *self, guint from)
{
	for (guint i = from; i < self->cells->len; i++)
		if (g_ptr_array_index(self->cells, i))
			gtk_widget_unparent(g_ptr_array_index(self->cells, i));
	if (from < self->cells->len)
		g_ptr_array_set_size(self->cells, (int)from);
}

void qs_sheet_begin(QsSheet *self, guint columns)
{
	if (columns != self->columns) {
		drop_cells(self, 0);
		qs_sheet_forget_widths(self);
	}
	self->columns = columns;
	g_byte_array_set_size(self->put, 0);
}

static void put(QsSheet *self, guint row, guint column, const QsCellContent *content)
{
	const guint i = row * self->columns + column;
	QsCell *cell;

	if (i >= self->cells->len)
		g_ptr_array_set_size(self->cells, (int)((row + 1) * self->columns));
	cell = g_ptr_array_index(self->cells, i);
	if (!cell) {
		cell = QS_CELL(qs_cell_new());
		gtk_widget_set_parent(GTK_WIDGET(cell), GTK_WIDGET(self));
		g_ptr_array_index(self->cells, i) = cell;
		self->stale = TRUE;
	}
	self->stale |= qs_cell_set(cell, content);
}

void qs_sheet_put(QsSheet *self, guint row, guint column, const QsCellContent *content)
{
	const guint i = row * self->columns + column;

	if (column >= self->columns)
		return;
	put(self, row, column, content);
	while (self->put->len <= i)
		g_byte_array_append(self->put, (const guint8[]){0}, 1);
	self->put->data[i] = 1;
}

void qs_sheet_end(QsSheet *self, guint rows)
{
	const QsCellContent nothing = {0};

	if (rows != self->rows)
		self->stale = TRUE;
	self->rows = rows;
	drop_cells(self, rows * self->columns);
	for (guint i = 0; i < self->cells->len; i++)
		if (g_ptr_array_index(self->cells, i) && (i >= self->put->len || !self->put->data[i]))
			put(self, i / self->columns, i % self->columns, &nothing);
	if (self->stale)
		gtk_widget_queue_resize(GTK_WIDGET(self));
}

void qs_sheet_forget_widths(QsSheet *self)
{
	g_array_set_size(self->width, 0);
	self->stale = TRUE;
}

/* ---- places ------------------------------------------------------------------------------------------------------------- */

static void measure_columns(QsSheet *self)
{
	g_array_set_size(self->width, self->columns);
	g_array_set_size(self->height, self->rows);
	for (guint r = 0; r < self->rows; r++)
		g_array_index(self->height, int, r) = 0;
	for (guint i = 0; i < self->cells->len; i++) {
		QsCell *cell = g_ptr_array_index(self->cells, i);
		int *const column = &g_array_index(self->width, int, i % self->columns);
		int *const row = &g_array_index(self->height, int, i / self->columns);
		int width, height;

		if (!cell || qs_cell_is_empty(cell) || qs_cell_get_flags(cell) & QS_CELL_WIDE)
			continue;
		qs_cell_get_size(cell, &width, &height);
		*column = MAX(*column, width);
		*row = MAX(*row, height);
	}
	self->stale = FALSE;
}

static void place(QsSheet *self, int available)
{
	int total = 0;

	if (self->stale)
		measure_columns(self);
	g_array_set_size(self->x, self->columns);
	g_array_set_size(self->y, self->rows);
	for (guint c = 0; c < self->columns; c++) {
		g_array_index(self->x, int, c) = total;
		total += at(self->width, c);
	}
	self->total_width = total;
	total = 0;
	for (guint r = 0; r < self->rows; r++) {
		int height = at(self->height, r);

		for (guint c = 0; c < self->columns; c++)
			if (is_wide(self, r, c))
				height = MAX(height, qs_cell_wrap(cell_of(self, r, c), available - at(self->x, c)));
		g_array_index(self->y, int, r) = total;
		total += height;
	}
	self->total_height = total;
}

static int row_height(QsSheet *self, guint row)
{
	return (row + 1 < self->rows ? at(self->y, row + 1) : self->total_height) - at(self->y, row);
}

static void configure(QsSheet *self, guint axis, int total, int page)
{
	GtkAdjustment *a = self->adjustment[axis];

	if (!a)
		return;
	total = MAX(total, page);
	gtk_adjustment_configure(a, CLAMP(gtk_adjustment_get_value(a), 0, total - page), 0, total, 20, page * 0.9, page);
}

static void allocate_cells(QsSheet *self, int width, int height)
{
	const int head = at(self->y, 1), first = at(self->x, 1);

	for (guint i = 0; i < self->cells->len; i++) {
		QsCell *cell = g_ptr_array_index(self->cells, i);
		const guint r = i / self->columns, c = i % self->columns;
		const gboolean wide = cell && qs_cell_get_flags(cell) & QS_CELL_WIDE;
		GtkAllocation place = {at(self->x, c), at(self->y, r), at(self->width, c), row_height(self, r)};
		gboolean seen;

		if (!cell)
			continue;
		if (c > 0 && !wide)
			place.x -= offset(self, 0);
		if (r > 0)
			place.y -= offset(self, 1);
		if (wide)
			place.width = MAX(width - place.x, 1);
		seen = !qs_cell_is_empty(cell) && place.height > 0 && (c == 0 || place.x + place.width > first) && place.x < width &&
			(r == 0 || place.y + place.height > head) && place.y < height;
		gtk_widget_set_child_visible(GTK_WIDGET(cell), seen);
		if (!seen)
			continue;
		gtk_widget_measure(GTK_WIDGET(cell), GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL, NULL);
		gtk_widget_size_allocate(GTK_WIDGET(cell), &place, -1);
	}
}

static void qs_sheet_size_allocate(GtkWidget *widget, int width, int height, int baseline)
{
	QsSheet *self = QS_SHEET(widget);

	(void)baseline;
	place(self, width);
	for (guint axis = 0; axis < 2; axis++)
		if (self->adjustment[axis])
			g_object_freeze_notify(G_OBJECT(self->adjustment[axis]));
	configure(self, 0, self->total_width, width);
	configure(self, 1, self->total_height, height);
	allocate_cells(self, width, height);
	for (guint axis = 0; axis < 2; axis++)
		if (self->adjustment[axis])
			g_object_thaw_notify(G_OBJECT(self->adjustment[axis]));
}

static void qs_sheet_measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
	int *minimum_baseline, int *natural_baseline)
{
	QsSheet *self = QS_SHEET(widget);

	(void)for_size;
	place(self, MAX(gtk_widget_get_width(widget), 1));
	*minimum = 40;
	*natural = MAX(orientation == GTK_ORIENTATION_HORIZONTAL ? self->total_width : self->total_height, 40);
	*minimum_baseline = *natural_baseline = -1;
}

gboolean qs_sheet_cell_at(QsSheet *self, double x, double y, guint *row, guint *column)
{
	const double sx = x < at(self->x, 1) ? x : x + offset(self, 0), sy = y < at(self->y, 1) ? y : y + offset(self, 1);
	guint r = 0, c = 0;

	if (!self->rows || !self->columns || x < 0 || y < 0 || sy >= self->total_height)
		return FALSE;
	while (r + 1 < self->rows && at(self->y, r + 1) <= sy)
		r++;
	for (guint k = 0; k < self->columns; k++)
		if (is_wide(self, r, k) && x >= at(self->x, k)) {
			*row = r;
			*column = k;
			return TRUE;
		}
	if (sx >= self->total_width)
		return FALSE;
	while (c + 1 < self->columns && at(self->x, c + 1) <= sx)
		c++;
	*row = r;
	*column = c;
	return cell_of(self, r, c) && !qs_cell_is_empty(cell_of(self, r, c));
}

/* ---- drawing ------------------------------------------------------------------------------------------------------------ */

/* Parts in the order they lie on each other: the middle, the first column with wide cells, the head, the corner. */
static guint part_of(QsSheet *self, guint row, guint column)
{
	if (row == 0)
		return column == 0 ? 3 : 2;
	return column == 0 || is_wide(self, row, column) ? 1 : 0;
}

static void qs_sheet_snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
	QsSheet *self = QS_SHEET(widget);
	const float w = (float)gtk_widget_get_width(widget), h = (float)gtk_widget_get_height(widget);
	const float x = (float)at(self->x, 1), y = (float)at(self->y, 1);
	const graphene_rect_t clip[4] = {GRAPHENE_RECT_INIT(x, y, w - x, h - y), GRAPHENE_RECT_INIT(0, y, w, h - y),
		GRAPHENE_RECT_INIT(x, 0, w - x, y), GRAPHENE_RECT_INIT(0, 0, x, y)};

	for (guint part = 0; part < 4; part++) {
		if (clip[part].size.width <= 0 || clip[part].size.height <= 0)
			continue;
		gtk_snapshot_push_clip(snapshot, &clip[part]);
		for (guint i = 0; i < self->cells->len; i++) {
			QsCell *cell = g_ptr_array_index(self->cells, i);

			if (cell && part_of(self, i / self->columns, i % self->columns) == part)
				gtk_widget_snapshot_child(widget, GTK_WIDGET(cell), snapshot);
		}
		gtk_snapshot_pop(snapshot);
	}
}

/* ---- keyboard and pointer ----------------------------------------------------------------------------------------------- */

static void clamp_to_page(QsSheet *self, guint axis, int start, int size, int frozen)
{
	GtkAdjustment *a = self->adjustment[axis];
	double value, page;

	if (!a)
		return;
	value = gtk_adjustment_get_value(a);
	page = gtk_adjustment_get_page_size(a);
	if (start - frozen < value)
		gtk_adjustment_set_value(a, start - frozen);
	else if (start + size > value + page)
		gtk_adjustment_set_value(a, start + size - page);
}

void qs_sheet_scroll_to(QsSheet *self, guint row, guint column)
{
	if (row >= self->rows || column >= self->columns || self->y->len != self->rows)
		return;
	if (column > 0 && !is_wide(self, row, column))
		clamp_to_page(self, 0, at(self->x, column), at(self->width, column), at(self->x, 1));
	if (row > 0)
		clamp_to_page(self, 1, at(self->y, row), row_height(self, row), at(self->y, 1));
}

void qs_sheet_focus_cell(QsSheet *self, guint row, guint column)
{
	QsCell *cell = cell_of(self, row, column);

	if (!cell || qs_cell_is_empty(cell))
		return;
	qs_sheet_scroll_to(self, row, column);
	/* Only what is on the screen can take the keyboard. */
	gtk_widget_set_child_visible(GTK_WIDGET(cell), TRUE);
	gtk_widget_grab_focus(GTK_WIDGET(cell));
}

gboolean qs_sheet_get_focus(QsSheet *self, guint *row, guint *column)
{
	*row = self->focus_row;
	*column = self->focus_column;
	return self->focus_row < self->rows && cell_of(self, self->focus_row, self->focus_column) != NULL;
}

static void focus_moved(QsSheet *self)
{
	GtkWidget *child = gtk_widget_get_focus_child(GTK_WIDGET(self));

	for (guint i = 0; child && i < self->cells->len; i++)
		if (g_ptr_array_index(self->cells, i) == (gpointer)child) {
			self->focus_row = i / self->columns;
			self->focus_column = i % self->columns;
			g_signal_emit(self, signals[SIGNAL_FOCUSED], 0, self->focus_row, self->focus_column);
			return;
		}
}

/* The next cell that is not empty on the way. */
static gboolean walk(QsSheet *self, int dr, int dc)
{
	int r = (int)self->focus_row, c = (int)self->focus_column;

	for (;;) {
		r += dr;
		c += dc;
		if (r < 1 || c < 0 || r >= (int)self->rows || c >= (int)self->columns)
			return FALSE;
		if (cell_of(self, (guint)r, (guint)c) && !qs_cell_is_empty(cell_of(self, (guint)r, (guint)c))) {
			qs_sheet_focus_cell(self, (guint)r, (guint)c);
			return TRUE;
		}
		/* Rows with one wide cell: the way goes over that. */
		if (dr && is_wide(self, (guint)r, 1)) {
			qs_sheet_focus_cell(self, (guint)r, 1);
			return TRUE;
		}
	}
}

static gboolean key_pressed(QsSheet *self, guint key, guint code, GdkModifierType state)
{
	(void)code;
	if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK))
		return FALSE;
	switch (key) {
	case GDK_KEY_Left:
		return walk(self, 0, -1) || TRUE;
	case GDK_KEY_Right:
		return walk(self, 0, 1) || TRUE;
	case GDK_KEY_Up:
		return walk(self, -1, 0) || TRUE;
	case GDK_KEY_Down:
		return walk(self, 1, 0) || TRUE;
	case GDK_KEY_Home:
		qs_sheet_focus_cell(self, self->focus_row, 0);
		return TRUE;
	case GDK_KEY_Return:
	case GDK_KEY_KP_Enter:
		gtk_widget_activate_action(GTK_WIDGET(self), "sheet.activate-focus", NULL);
		return TRUE;
	default:
		return FALSE;
	}
}

static void clicked(QsSheet *self, int presses, double x, double y)
{
	guint row, column;

	if (!qs_sheet_cell_at(self, x, y, &row, &column) || row == 0)
		return;
	if (presses == 1)
		qs_sheet_focus_cell(self, row, column);
	else if (presses == 2)
		g_signal_emit(self, signals[SIGNAL_ACTIVATED], 0, row, column);
}

static void moved(QsSheet *self, double x, double y)
{
	guint row, column;
	const gboolean link = qs_sheet_cell_at(self, x, y, &row, &column) &&
		qs_cell_get_flags(cell_of(self, row, column)) & QS_CELL_LINK;

	gtk_widget_set_cursor_from_name(GTK_WIDGET(self), link ? "pointer" : NULL);
}

static void activate_focus(GtkWidget *widget, const char *name, GVariant *parameter)
{
	QsSheet *self = QS_SHEET(widget);

	(void)name;
	(void)parameter;
	g_signal_emit(self, signals[SIGNAL_ACTIVATED], 0, self->focus_row, self->focus_column);
}

/* One stop for the tabulator key; inside, the arrows move. */
static gboolean qs_sheet_focus(GtkWidget *widget, GtkDirectionType direction)
{
	QsSheet *self = QS_SHEET(widget);

	if (gtk_widget_get_focus_child(widget) || (direction != GTK_DIR_TAB_FORWARD && direction != GTK_DIR_TAB_BACKWARD))
		return FALSE;
	if (self->rows < 2)
		return FALSE;
	if (self->focus_row < 1 || self->focus_row >= self->rows || !cell_of(self, self->focus_row, self->focus_column) ||
		qs_cell_is_empty(cell_of(self, self->focus_row, self->focus_column))) {
		self->focus_row = 1;
		self->focus_column = 0;
	}
	qs_sheet_focus_cell(self, self->focus_row, self->focus_column);
	return TRUE;
}

/* ---- object ------------------------------------------------------------------------------------------------------------- */

static void scrolled(QsSheet *self)
{
	gtk_widget_queue_allocate(GTK_WIDGET(self));
}

static void set_adjustment(QsSheet *self, guint axis, GtkAdjustment *adjustment)
{
	if (self->adjustment[axis])
		g_signal_handlers_disconnect_by_func(self->adjustment[axis], scrolled, self);
	g_set_object(&self->adjustment[axis], adjustment);
	if (adjustment)
		g_signal_connect_object(adjustment, "value-changed", G_CALLBACK(scrolled), self, G_CONNECT_SWAPPED);
}

static void qs_sheet_set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
	QsSheet *self = QS_SHEET(object);

	switch (id) {
	case PROP_HADJUSTMENT:
	case PROP_VADJUSTMENT:
		set_adjustment(self, id - PROP_HADJUSTMENT, g_value_get_object(value));
		break;
	case PROP_HPOLICY:
	case PROP_VPOLICY:
		self->policy[id - PROP_HPOLICY] = (guint)g_value_get_enum(value);
		break;
	default:
		G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
	}
}

static void qs_sheet_get_property(GObject *object, guint id, GValue *value, GParamSpec *spec)
{
	QsSheet *self = QS_SHEET(object);

	switch (id) {
	case PROP_HADJUSTMENT:
	case PROP_VADJUSTMENT:
		g_value_set_object(value, self->adjustment[id - PROP_HADJUSTMENT]);
		break;
	case PROP_HPOLICY:
	case PROP_VPOLICY:
		g_value_set_enum(value, (int)self->policy[id - PROP_HPOLICY]);
		break;
	default:
		G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
	}
}

static void qs_sheet_dispose(GObject *object)
{
	QsSheet *self = QS_SHEET(object);

	drop_cells(self, 0);
	for (guint axis = 0; axis < 2; axis++)
		g_clear_object(&self->adjustment[axis]);
	G_OBJECT_CLASS(qs_sheet_parent_class)->dispose(object);
}

static void qs_sheet_finalize(GObject *object)
{
	QsSheet *self = QS_SHEET(object);

	g_ptr_array_unref(self->cells);
	g_byte_array_unref(self->put);
	g_array_unref(self->width);
	g_array_unref(self->height);
	g_array_unref(self->x);
	g_array_unref(self->y);
	G_OBJECT_CLASS(qs_sheet_parent_class)->finalize(object);
}

static void qs_sheet_init(QsSheet *self)
{
	GtkEventController *keys = gtk_event_controller_key_new(), *motion = gtk_event_controller_motion_new();
	GtkGesture *click = gtk_gesture_click_new();

	self->cells = g_ptr_array_new();
	self->put = g_byte_array_new();
	self->width = g_array_new(FALSE, TRUE, sizeof(int));
	self->height = g_array_new(FALSE, TRUE, sizeof(int));
	self->x = g_array_new(FALSE, TRUE, sizeof(int));
	self->y = g_array_new(FALSE, TRUE, sizeof(int));
	gtk_widget_set_overflow(GTK_WIDGET(self), GTK_OVERFLOW_HIDDEN);
	g_signal_connect_object(keys, "key-pressed", G_CALLBACK(key_pressed), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(motion, "motion", G_CALLBACK(moved), self, G_CONNECT_SWAPPED);
	g_signal_connect_object(click, "pressed", G_CALLBACK(clicked), self, G_CONNECT_SWAPPED);
	gtk_widget_add_controller(GTK_WIDGET(self), keys);
	gtk_widget_add_controller(GTK_WIDGET(self), motion);
	gtk_widget_add_controller(GTK_WIDGET(self), GTK_EVENT_CONTROLLER(click));
}

static void qs_sheet_set_focus_child(GtkWidget *widget, GtkWidget *child)
{
	GTK_WIDGET_CLASS(qs_sheet_parent_class)->set_focus_child(widget, child);
	if (child)
		focus_moved(QS_SHEET(widget));
}

static void qs_sheet_class_init(QsSheetClass *klass)
{
	GObjectClass *object_class = G_OBJECT_CLASS(klass);
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

	object_class->set_property = qs_sheet_set_property;
	object_class->get_property = qs_sheet_get_property;
	object_class->dispose = qs_sheet_dispose;
	object_class->finalize = qs_sheet_finalize;
	widget_class->measure = qs_sheet_measure;
	widget_class->size_allocate = qs_sheet_size_allocate;
	widget_class->snapshot = qs_sheet_snapshot;
	widget_class->focus = qs_sheet_focus;
	widget_class->set_focus_child = qs_sheet_set_focus_child;
	g_object_class_override_property(object_class, PROP_HADJUSTMENT, "hadjustment");
	g_object_class_override_property(object_class, PROP_VADJUSTMENT, "vadjustment");
	g_object_class_override_property(object_class, PROP_HPOLICY, "hscroll-policy");
	g_object_class_override_property(object_class, PROP_VPOLICY, "vscroll-policy");
	signals[SIGNAL_FOCUSED] = g_signal_new("focused", QS_TYPE_SHEET, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
		G_TYPE_UINT, G_TYPE_UINT);
	signals[SIGNAL_ACTIVATED] = g_signal_new("activated", QS_TYPE_SHEET, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
		G_TYPE_UINT, G_TYPE_UINT);
	gtk_widget_class_install_action(widget_class, "sheet.activate-focus", NULL, activate_focus);
	gtk_widget_class_set_css_name(widget_class, "qssheet");
	gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_GRID);
}
