/* qs-register-model.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h" /* strcasestr */
#include "qs-register-model.h"
#include <string.h>

#define XF_REGISTERS 0x1000

typedef struct {
	enum qs_unit unit;
	const char *name;
	GArray *members; /* const struct qs_register *, in address order */
} Group;

typedef struct {
	QsRegisterKind kind;
	guint group, count;
	const struct qs_register *reg;
	const struct qs_field *field;
} Row;

struct _QsRegisterModel {
	GObject parent_instance;
	QsView *view, *before;
	GArray *groups; /* Group */
	GArray *rows;   /* Row */
	GHashTable *open; /* key of a row -> nothing */
	GStrv words;
	guint unit;
	gboolean changed_only;
	guint found, total;
};

G_DEFINE_FINAL_TYPE(QsRegisterRow, qs_register_row, G_TYPE_OBJECT)

static void list_model_init(GListModelInterface *iface);
G_DEFINE_FINAL_TYPE_WITH_CODE(QsRegisterModel, qs_register_model, G_TYPE_OBJECT,
	G_IMPLEMENT_INTERFACE(G_TYPE_LIST_MODEL, list_model_init))

guint32 qs_field_mask(const struct qs_field *field)
{
	return field->bits >= 32 ? G_MAXUINT32 : ((1u << field->bits) - 1u) << field->lsb;
}

/* ---- groups ------------------------------------------------------------------------------------------------------------- */

static Group *find_group(QsRegisterModel *self, const struct qs_register *reg)
{
	const enum qs_unit unit = (enum qs_unit)reg->unit;
	Group group = {unit, reg->group, NULL};

	for (guint i = 0; i < self->groups->len; i++) {
		Group *g = &g_array_index(self->groups, Group, i);

		if (g->unit == unit && g_str_equal(g->name, reg->group))
			return g;
	}
	group.members = g_array_new(FALSE, FALSE, sizeof(const struct qs_register *));
	g_array_append_val(self->groups, group);
	return &g_array_index(self->groups, Group, self->groups->len - 1);
}

static const struct qs_register *member(const Group *group, guint i)
{
	return g_array_index(group->members, const struct qs_register *, i);
}

/* How many members from i on are words of one matrix row or light: XF memory, names alike up to the last number. */
static guint words_in_row(const Group *group, guint i)
{
	const struct qs_register *reg = member(group, i);
	const char *last = strrchr(reg->name, '_');
	guint end = i + 1;

	if (group->unit != QS_UNIT_XF || reg->address >= XF_REGISTERS || !last || !g_ascii_isdigit(last[1]))
		return 1;
	while (end < group->members->len && end < i + 16 &&
		strncmp(member(group, end)->name, reg->name, (gsize)(last - reg->name) + 1) == 0)
		end++;
	return end - i;
}

static gboolean in_memory(const Group *group)
{
	return group->unit == QS_UNIT_XF && member(group, 0)->address < XF_REGISTERS;
}

const char *qs_register_model_group_name(QsRegisterModel *self, guint group)
{
	return g_array_index(self->groups, Group, group).name;
}

/* ---- what is open ------------------------------------------------------------------------------------------------------- */

static gpointer key_of(QsRegisterKind kind, guint group, const struct qs_register *reg)
{
	return GUINT_TO_POINTER((guint)kind << 24 | (reg ? (guint)reg->unit << 16 | reg->address : group));
}

static gboolean is_open(QsRegisterModel *self, QsRegisterKind kind, guint group, const struct qs_register *reg)
{
	return g_hash_table_contains(self->open, key_of(kind, group, reg));
}

static gboolean filtering(QsRegisterModel *self)
{
	return self->changed_only || (self->words && self->words[0]);
}

/* ---- filter ------------------------------------------------------------------------------------------------------------- */

static guint32 changed_bits(QsRegisterModel *self, const struct qs_register *reg)
{
	const enum qs_unit unit = (enum qs_unit)reg->unit;

	if (!self->view || !self->before)
		return 0;
	return qs_view_register(self->view, unit, reg->address) ^ qs_view_register(self->before, unit, reg->address);
}

static gboolean field_has(QsRegisterModel *self, const struct qs_register *reg, const struct qs_field *field, const char *word)
{
	char text[128];

	if (strcasestr(field->name, word))
		return TRUE;
	return self->view && strcasestr(qs_field_format(field, qs_view_register(self->view, (enum qs_unit)reg->unit, reg->address), text,
		sizeof text), word);
}

static gboolean register_has(QsRegisterModel *self, const struct qs_register *reg, const char *word)
{
	const enum qs_unit unit = (enum qs_unit)reg->unit;
	char text[96];

	if (g_str_has_prefix(word, "0x")) {
		g_snprintf(text, sizeof text, "0x%02x", reg->address);
		if (g_ascii_strcasecmp(text, word) == 0)
			return TRUE;
	}
	g_snprintf(text, sizeof text, "%s.%s", qs_unit_name(unit), reg->name);
	if (strcasestr(text, word))
		return TRUE;
	if (!self->view)
		return FALSE;
	g_snprintf(text, sizeof text, "0x%0*x", reg->width / 4, qs_view_register(self->view, unit, reg->address));
	return strcasestr(text, word) != NULL;
}

static gboolean passes(QsRegisterModel *self, const struct qs_register *reg)
{
	if (self->unit != QS_UNIT_COUNT && reg->unit != self->unit)
		return FALSE;
	if (self->changed_only && !changed_bits(self, reg))
		return FALSE;
	/* The counters change with every draw: only when they are asked for. */
	if (self->changed_only && reg->unit == QS_UNIT_PE && self->unit != QS_UNIT_PE)
		return FALSE;
	for (guint w = 0; self->words && self->words[w]; w++) {
		gboolean has = register_has(self, reg, self->words[w]);

		for (guint f = 0; !has && f < reg->field_count; f++)
			has = field_has(self, reg, &reg->fields[f], self->words[w]);
		if (!has)
			return FALSE;
	}
	return TRUE;
}

/* A filter shows the fields that it found; a person may open all of them. */
static gboolean field_shown(QsRegisterModel *self, const struct qs_register *reg, const struct qs_field *field)
{
	if (self->changed_only && reg->field_count > 1 && changed_bits(self, reg) & qs_field_mask(field))
		return TRUE;
	for (guint w = 0; self->words && self->words[w]; w++)
		if (strcasestr(field->name, self->words[w]) && !register_has(self, reg, self->words[w]))
			return TRUE;
	return FALSE;
}

/* ---- rows --------------------------------------------------------------------------------------------------------------- */

static void append_register(QsRegisterModel *self, GArray *rows, guint group, const struct qs_register *reg)
{
	const gboolean all = is_open(self, QS_REGISTER_WHOLE, 0, reg);
	Row row = {QS_REGISTER_WHOLE, group, 1, reg, NULL};

	g_array_append_val(rows, row);
	for (guint f = 0; f < reg->field_count; f++)
		if (all || field_shown(self, reg, &reg->fields[f])) {
			row = (Row){QS_REGISTER_FIELD, group, 1, reg, &reg->fields[f]};
			g_array_append_val(rows, row);
		}
}

static guint append_members(QsRegisterModel *self, GArray *rows, guint number, const Group *group, gboolean shown)
{
	guint found = 0;

	for (guint i = 0, n; i < group->members->len; i += n) {
		guint pass = 0;

		n = words_in_row(group, i);
		for (guint k = 0; k < n; k++)
			pass += passes(self, member(group, i + k));
		found += pass;
		if (!pass || !shown)
			continue;
		if (n > 1) {
			const Row row = {QS_REGISTER_WORDS, number, n, member(group, i), NULL};

			g_array_append_val(rows, row);
			if (!is_open(self, QS_REGISTER_WORDS, 0, member(group, i)))
				continue;
		}
		for (guint k = 0; k < n; k++)
			if (n > 1 || passes(self, member(group, i + k)))
				append_register(self, rows, number, member(group, i + k));
	}
	return found;
}

static GArray *make_rows(QsRegisterModel *self)
{
	GArray *rows = g_array_new(FALSE, TRUE, sizeof(Row));

	self->found = self->total = 0;
	for (guint g = 0; g < self->groups->len; g++) {
		const Group *group = &g_array_index(self->groups, Group, g);
		const guint at = rows->len;
		Row row = {QS_REGISTER_GROUP, g, 0, NULL, NULL};

		self->total += group->members->len;
		if (self->unit != QS_UNIT_COUNT && group->unit != self->unit)
			continue;
		g_array_append_val(rows, row);
		row.count = append_members(self, rows, g, group, filtering(self) || is_open(self, QS_REGISTER_GROUP, g, NULL));
		self->found += row.count;
		if (row.count)
			g_array_index(rows, Row, at).count = row.count;
		else
			g_array_set_size(rows, at);
	}
	return rows;
}

static gboolean same_row(const Row *a, const Row *b)
{
	return a->kind == b->kind && a->group == b->group && a->count == b->count && a->reg == b->reg && a->field == b->field;
}

static void rebuild(QsRegisterModel *self)
{
	GArray *old = self->rows, *rows = make_rows(self);
	guint head = 0, tail = 0;

	while (head < old->len && head < rows->len &&
		same_row(&g_array_index(old, Row, head), &g_array_index(rows, Row, head)))
		head++;
	while (tail < old->len - head && tail < rows->len - head &&
		same_row(&g_array_index(old, Row, old->len - 1 - tail), &g_array_index(rows, Row, rows->len - 1 - tail)))
		tail++;
	self->rows = rows;
	if (head + tail < old->len || head + tail < rows->len)
		g_list_model_items_changed(G_LIST_MODEL(self), head, old->len - head - tail, rows->len - head - tail);
	g_array_unref(old);
}

void qs_register_model_set_views(QsRegisterModel *self, QsView *view, QsView *before)
{
	QsView *old_view = self->view, *old_before = self->before;

	self->view = view ? qs_view_ref(view) : NULL;
	self->before = before ? qs_view_ref(before) : NULL;
	qs_view_unref(old_view);
	qs_view_unref(old_before);
	if (filtering(self) && (before || !self->changed_only))
		rebuild(self);
}

void qs_register_model_set_filter(QsRegisterModel *self, const char *text, guint unit, gboolean changed)
{
	g_autofree char *trimmed = g_strstrip(g_strdup(text));

	g_strfreev(self->words);
	self->words = g_strsplit_set(trimmed, " ", -1);
	self->unit = unit;
	self->changed_only = changed;
	if (self->view)
		rebuild(self);
}

guint qs_register_model_get_found(QsRegisterModel *self, guint *of)
{
	*of = self->total;
	return self->found;
}

/* ---- opening ------------------------------------------------------------------------------------------------------------ */

gboolean qs_register_model_expandable(QsRegisterModel *self, QsRegisterRow *row)
{
	(void)self;
	if (row->kind == QS_REGISTER_FIELD)
		return FALSE;
	return row->kind != QS_REGISTER_WHOLE || row->reg->field_count > 1;
}

gboolean qs_register_model_expanded(QsRegisterModel *self, QsRegisterRow *row)
{
	if (row->kind == QS_REGISTER_GROUP && filtering(self))
		return TRUE;
	return is_open(self, row->kind, row->group, row->reg);
}

static void set_open(QsRegisterModel *self, QsRegisterKind kind, guint group, const struct qs_register *reg, gboolean open)
{
	if (open)
		g_hash_table_add(self->open, key_of(kind, group, reg));
	else
		g_hash_table_remove(self->open, key_of(kind, group, reg));
}

void qs_register_model_set_expanded(QsRegisterModel *self, QsRegisterRow *row, gboolean expanded)
{
	set_open(self, row->kind, row->group, row->reg, expanded);
	rebuild(self);
}

static void open_around(QsRegisterModel *self, const struct qs_register *reg)
{
	for (guint g = 0; g < self->groups->len; g++) {
		const Group *group = &g_array_index(self->groups, Group, g);

		for (guint i = 0, n; i < group->members->len; i += n) {
			n = words_in_row(group, i);
			for (guint k = 0; k < n; k++)
				if (member(group, i + k) == reg) {
					set_open(self, QS_REGISTER_GROUP, g, NULL, TRUE);
					if (n > 1)
						set_open(self, QS_REGISTER_WORDS, 0, member(group, i), TRUE);
					return;
				}
		}
	}
}

guint qs_register_model_reveal(QsRegisterModel *self, enum qs_unit unit, guint address, guint32 mask)
{
	const struct qs_register *reg = qs_register_find(unit, address);
	const struct qs_field *field = NULL;

	if (!reg)
		return G_MAXUINT;
	for (guint f = 0; f < reg->field_count; f++)
		if (qs_field_mask(&reg->fields[f]) == mask)
			field = &reg->fields[f];
	open_around(self, reg);
	if (field && reg->field_count > 1)
		set_open(self, QS_REGISTER_WHOLE, 0, reg, TRUE);
	else
		field = NULL;
	rebuild(self);
	for (guint i = 0; i < self->rows->len; i++) {
		const Row *row = &g_array_index(self->rows, Row, i);

		if (row->reg == reg && row->field == field && row->kind >= QS_REGISTER_WHOLE)
			return i;
	}
	return G_MAXUINT;
}

/* ---- changes ------------------------------------------------------------------------------------------------------------ */

static gboolean group_changed(QsRegisterModel *self, const Group *group)
{
	for (guint i = 0; i < group->members->len; i++)
		if (changed_bits(self, member(group, i)))
			return TRUE;
	return FALSE;
}

gboolean qs_register_model_changed(QsRegisterModel *self, QsRegisterRow *row)
{
	if (!self->view || !self->before)
		return FALSE;
	switch (row->kind) {
	case QS_REGISTER_GROUP:
		return row->unit != QS_UNIT_PE && group_changed(self, &g_array_index(self->groups, Group, row->group));
	case QS_REGISTER_WORDS:
		for (guint i = 0; i < row->count; i++) {
			const struct qs_register *reg = qs_register_find(row->unit, row->reg->address + i);

			if (reg && changed_bits(self, reg))
				return TRUE;
		}
		return FALSE;
	case QS_REGISTER_WHOLE:
		return changed_bits(self, row->reg) != 0;
	case QS_REGISTER_FIELD:
		return (changed_bits(self, row->reg) & qs_field_mask(row->field)) != 0;
	}
	return FALSE;
}

/* ---- object ------------------------------------------------------------------------------------------------------------- */

static GType get_item_type(GListModel *list)
{
	(void)list;
	return QS_TYPE_REGISTER_ROW;
}

static guint get_n_items(GListModel *list)
{
	return QS_REGISTER_MODEL(list)->rows->len;
}

static gpointer get_item(GListModel *list, guint position)
{
	QsRegisterModel *self = QS_REGISTER_MODEL(list);
	QsRegisterRow *item;
	const Row *row;

	if (position >= self->rows->len)
		return NULL;
	row = &g_array_index(self->rows, Row, position);
	item = g_object_new(QS_TYPE_REGISTER_ROW, NULL);
	item->kind = row->kind;
	item->group = row->group;
	item->unit = g_array_index(self->groups, Group, row->group).unit;
	item->count = row->count;
	item->reg = row->reg;
	item->field = row->field;
	return item;
}

static void list_model_init(GListModelInterface *iface)
{
	iface->get_item_type = get_item_type;
	iface->get_n_items = get_n_items;
	iface->get_item = get_item;
}

static void qs_register_row_init(QsRegisterRow *self)
{
	self->count = 0;
}

static void qs_register_row_class_init(QsRegisterRowClass *klass)
{
	(void)klass;
}

static void clear_group(gpointer data)
{
	g_array_unref(((Group *)data)->members);
}

static void qs_register_model_init(QsRegisterModel *self)
{
	self->unit = QS_UNIT_COUNT;
	self->open = g_hash_table_new(NULL, NULL);
	self->rows = g_array_new(FALSE, TRUE, sizeof(Row));
	self->groups = g_array_new(FALSE, TRUE, sizeof(Group));
	g_array_set_clear_func(self->groups, clear_group);
	for (guint u = 0; u < QS_UNIT_COUNT; u++)
		for (guint i = 0; i < qs_register_count((enum qs_unit)u); i++) {
			const struct qs_register *reg = qs_register_at((enum qs_unit)u, i);

			g_array_append_val(find_group(self, reg)->members, reg);
		}
	for (guint g = 0; g < self->groups->len; g++)
		set_open(self, QS_REGISTER_GROUP, g, NULL, !in_memory(&g_array_index(self->groups, Group, g)));
}

static void qs_register_model_finalize(GObject *object)
{
	QsRegisterModel *self = QS_REGISTER_MODEL(object);

	qs_view_unref(self->view);
	qs_view_unref(self->before);
	g_strfreev(self->words);
	g_hash_table_unref(self->open);
	g_array_unref(self->rows);
	g_array_unref(self->groups);
	G_OBJECT_CLASS(qs_register_model_parent_class)->finalize(object);
}

static void qs_register_model_class_init(QsRegisterModelClass *klass)
{
	G_OBJECT_CLASS(klass)->finalize = qs_register_model_finalize;
}

QsRegisterModel *qs_register_model_new(void)
{
	return g_object_new(QS_TYPE_REGISTER_MODEL, NULL);
}
