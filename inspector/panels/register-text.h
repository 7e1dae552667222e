/* register-text.h - the cells of the registers panel
 *
 * All return Pango markup that the caller frees.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "models/qs-register-model.h"

G_BEGIN_DECLS

/* Draws before each command of a capture, so that ages need no counting. */
typedef struct {
	QsCapture *capture;
	guint32 *draws; /* command_count + 1 */
} QsDrawCounts;
QsDrawCounts *qs_draw_counts_new(QsCapture *capture);
void qs_draw_counts_free(QsDrawCounts *self);

typedef struct {
	QsRegisterModel *model;
	QsView *view, *before; /* before: NULL while it is not known */
	const QsDrawCounts *counts;
} QsRegisterTexts;

char *qs_register_row_name(const QsRegisterTexts *t, QsRegisterRow *row);
char *qs_register_row_address(const QsRegisterTexts *t, QsRegisterRow *row);
char *qs_register_row_value(const QsRegisterTexts *t, QsRegisterRow *row);
char *qs_register_row_meaning(const QsRegisterTexts *t, QsRegisterRow *row);
char *qs_register_row_age(const QsRegisterTexts *t, QsRegisterRow *row);
char *qs_register_row_writer(const QsRegisterTexts *t, QsRegisterRow *row);
char *qs_register_row_tooltip(const QsRegisterTexts *t, QsRegisterRow *row);       /* what it is */
char *qs_register_row_value_tooltip(const QsRegisterTexts *t, QsRegisterRow *row); /* decimal, bits, value before */
char *qs_register_row_writer_tooltip(const QsRegisterTexts *t, QsRegisterRow *row);
/* Plain text for the clipboard. */
char *qs_register_row_copy(const QsRegisterTexts *t, QsRegisterRow *row);

G_END_DECLS
