/* qs-goto.c - from what a person types to a place
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-session-private.h"
#include <stdio.h>
#include <string.h>

static gboolean select_field(QsSession *self, const struct qs_register *reg, const char *name)
{
	const struct qs_field *field = name ? qs_field_by_name(reg, name) : NULL;
	guint32 mask = G_MAXUINT32;

	if (name && !field)
		return FALSE;
	if (field && field->bits < 32)
		mask = ((1u << field->bits) - 1u) << field->lsb;
	qs_session_select_register(self, (enum qs_unit)reg->unit, reg->address, mask);
	return TRUE;
}

/* "bp.GEN_MODE.ntev", "bp.GEN_MODE", "GEN_MODE.ntev", "GEN_MODE" */
static gboolean go_register(QsSession *self, const char *text)
{
	g_auto(GStrv) parts = g_strsplit(text, ".", 3);
	const guint n = g_strv_length(parts);
	const struct qs_register *reg;
	enum qs_unit unit;

	if (n == 0)
		return FALSE;
	if (n > 1 && qs_unit_parse(parts[0], &unit)) {
		reg = qs_register_by_name(unit, parts[1]);
		return reg && select_field(self, reg, parts[2]);
	}
	for (guint u = 0; u < QS_UNIT_COUNT; u++) {
		reg = qs_register_by_name((enum qs_unit)u, parts[0]);
		if (reg)
			return select_field(self, reg, n > 1 ? parts[1] : NULL);
	}
	return FALSE;
}

gboolean qs_session_go_to(QsSession *self, const char *text, struct qs_error *error)
{
	g_autofree char *word = g_strstrip(g_strdup(text));
	int x, y, end = 0;

	if (!self->capture) {
		qs_error_set(error, QS_ERR_RANGE, 0, "No capture is open.");
		return FALSE;
	}
	if (sscanf(word, "%d ,%d%n", &x, &y, &end) == 2 && word[end] == '\0') {
		qs_session_set_pick(self, x, y);
		return TRUE;
	}
	if (g_ascii_isalpha(word[0])) {
		if (go_register(self, word))
			return TRUE;
		qs_error_set(error, QS_ERR_RANGE, 0, "There is no register %s: write its name, as in GEN_MODE or bp.GEN_MODE.ntev.", word);
		return FALSE;
	}
	return qs_session_seek_text(self, word, error);
}
