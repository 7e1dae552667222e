/* qs-register-model.h - every register of the machine as rows: groups, registers, their fields
 *
 * The words of XF memory are gathered into rows of a matrix or light first.  Rows are made when somebody asks; a change of
 * filter or of what is open is told as the smallest span, so that the view keeps its place.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "qs-view.h"

G_BEGIN_DECLS

typedef enum { QS_REGISTER_GROUP, QS_REGISTER_WORDS, QS_REGISTER_WHOLE, QS_REGISTER_FIELD } QsRegisterKind;

#define QS_TYPE_REGISTER_ROW (qs_register_row_get_type())
G_DECLARE_FINAL_TYPE(QsRegisterRow, qs_register_row, QS, REGISTER_ROW, GObject)

struct _QsRegisterRow {
	GObject parent_instance;
	QsRegisterKind kind;
	enum qs_unit unit;
	guint group;
	guint count;                   /* GROUP, WORDS: registers inside (GROUP: that pass the filter) */
	const struct qs_register *reg; /* not of a GROUP; WORDS: the first */
	const struct qs_field *field;  /* FIELD only */
};

#define QS_TYPE_REGISTER_MODEL (qs_register_model_get_type())
G_DECLARE_FINAL_TYPE(QsRegisterModel, qs_register_model, QS, REGISTER_MODEL, GObject)

QsRegisterModel *qs_register_model_new(void);
/* before: what "changed" compares with; NULL: not known yet, nothing counts as changed and the rows stay. */
void qs_register_model_set_views(QsRegisterModel *self, QsView *view, QsView *before);
/* text: words that name, field, value, meaning or address must contain; unit QS_UNIT_COUNT: all. */
void qs_register_model_set_filter(QsRegisterModel *self, const char *text, guint unit, gboolean changed);
/* Registers that pass, of how many. */
guint qs_register_model_get_found(QsRegisterModel *self, guint *of);

const char *qs_register_model_group_name(QsRegisterModel *self, guint group);
gboolean qs_register_model_expandable(QsRegisterModel *self, QsRegisterRow *row);
gboolean qs_register_model_expanded(QsRegisterModel *self, QsRegisterRow *row);
void qs_register_model_set_expanded(QsRegisterModel *self, QsRegisterRow *row, gboolean expanded);
/* Opens what must be open; position of the register or of the field with this mask, G_MAXUINT: filtered out. */
guint qs_register_model_reveal(QsRegisterModel *self, enum qs_unit unit, guint address, guint32 mask);

gboolean qs_register_model_changed(QsRegisterModel *self, QsRegisterRow *row);
guint32 qs_field_mask(const struct qs_field *field);

G_END_DECLS
