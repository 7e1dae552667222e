/* qs-column.h - text columns of a GtkColumnView, made on demand
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "panels/panels.h"

G_BEGIN_DECLS

/* Pango markup for the item's cell (escape what is not yours); freed by the caller. */
typedef char *(*QsColumnText)(gpointer item, gpointer user);

/* panel: its links work in the cells; user is passed to text.  width 0: as wide as it needs, negative: takes what is left. */
GtkColumnViewColumn *qs_column_add(GtkColumnView *view, const char *title, int width, gboolean monospace, QsColumnText text,
	gpointer user, QsPanel *panel);
/* Markup; NULL from it: the whole text where it is cut, which is what a column shows without one. */
void qs_column_set_tooltip(GtkColumnViewColumn *column, QsColumnText tooltip);
/* Asks again for the texts of the rows on the screen: what they show has changed, the rows have not. */
void qs_column_refresh(GtkColumnViewColumn *column);
void qs_column_refresh_all(GtkColumnView *view); /* all columns must be of qs_column_add */

/* An item that is just a number: for models over arrays. */
#define QS_TYPE_NUMBER (qs_number_get_type())
G_DECLARE_FINAL_TYPE(QsNumber, qs_number, QS, NUMBER, GObject)
guint qs_number_get(gpointer item);

/* A list model of the numbers 0 .. n-1; items are made when asked for. */
#define QS_TYPE_COUNTER (qs_counter_get_type())
G_DECLARE_FINAL_TYPE(QsCounter, qs_counter, QS, COUNTER, GObject)
QsCounter *qs_counter_new(void);
void qs_counter_set(QsCounter *self, guint n); /* all rows are taken as changed */

G_END_DECLS
