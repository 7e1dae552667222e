/* qs-sheet.h - a table of cells as in a spreadsheet
 *
 * The head row and the first column stay while the rest scrolls; one cell has the keyboard (arrows, Home, End, Return).  A
 * cell shows one line of text, or a small line above it, and may have a colour beside it.  Every cell is an accessible of its
 * own, named by its row, its column and what it shows.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef enum {
	QS_CELL_HEAD = 1 << 0,
	QS_CELL_NOW = 1 << 1,     /* the row of the current moment */
	QS_CELL_PENDING = 1 << 2, /* not reached at the current moment */
	QS_CELL_CHANGED = 1 << 3,
	QS_CELL_PASS = 1 << 4,
	QS_CELL_FAIL = 1 << 5,
	QS_CELL_DIM = 1 << 6,
	QS_CELL_LINE = 1 << 7, /* first row of a group: a line above */
	QS_CELL_LINK = 1 << 8, /* activating it goes somewhere */
	QS_CELL_LEFT = 1 << 9, /* text at the left */
	QS_CELL_WIDE = 1 << 10, /* takes the rest of the row, wraps, and does not scroll sideways */
	QS_CELL_MARKUP = 1 << 11, /* text is Pango markup */
	QS_CELL_UPPER = 1 << 12, /* at the upper end of a high row */
} QsCellFlags;

typedef struct {
	guint flags;
	const char *top;  /* small line above the text, or NULL */
	const char *text;
	const char *name; /* what a screen reader says before the contents: "stage 0 colour a" */
	gboolean swatch;
	guint8 rgb[3];
} QsCellContent;

#define QS_TYPE_SHEET (qs_sheet_get_type())
G_DECLARE_FINAL_TYPE(QsSheet, qs_sheet, QS, SHEET, GtkWidget)

/* signals: "focused" (guint row, guint column), "activated" (guint row, guint column)
 * query-tooltip is the caller's: qs_sheet_cell_at tells where. */

/* Fill: columns once, then cells row by row from 0 (the head), then end.  Cells that are not put are empty. */
void qs_sheet_begin(QsSheet *self, guint columns);
void qs_sheet_put(QsSheet *self, guint row, guint column, const QsCellContent *content);
void qs_sheet_end(QsSheet *self, guint rows);
/* Column widths only grow, so that stepping does not shake them, until this. */
void qs_sheet_forget_widths(QsSheet *self);

gboolean qs_sheet_cell_at(QsSheet *self, double x, double y, guint *row, guint *column);
void qs_sheet_focus_cell(QsSheet *self, guint row, guint column);
gboolean qs_sheet_get_focus(QsSheet *self, guint *row, guint *column);
void qs_sheet_scroll_to(QsSheet *self, guint row, guint column);

G_END_DECLS
