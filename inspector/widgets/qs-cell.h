/* qs-cell.h - one cell of a QsSheet
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "qs-sheet.h"

G_BEGIN_DECLS

#define QS_TYPE_CELL (qs_cell_get_type())
G_DECLARE_FINAL_TYPE(QsCell, qs_cell, QS, CELL, GtkWidget)

GtkWidget *qs_cell_new(void);
/* TRUE: its size may have changed. */
gboolean qs_cell_set(QsCell *self, const QsCellContent *content);
gboolean qs_cell_is_empty(QsCell *self);
guint qs_cell_get_flags(QsCell *self);
void qs_cell_get_size(QsCell *self, int *width, int *height);
/* WIDE: height of the text wrapped to a width. */
int qs_cell_wrap(QsCell *self, int width);

G_END_DECLS
