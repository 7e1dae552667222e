/* console-history.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "console-history.h"
#include <string.h>
#include "widgets/qs-theme.h"

#define MAX_LINES 500

struct _ConsoleHistory {
	char *path;
	GPtrArray *lines;
	guint at;    /* lines->len: what is being typed */
	char *typed;
};

ConsoleHistory *console_history_new(void)
{
	ConsoleHistory *self = g_new0(ConsoleHistory, 1);
	g_autofree char *text = NULL;

	self->path = qs_state_file("console-history");
	self->lines = g_ptr_array_new_with_free_func(g_free);
	if (g_file_get_contents(self->path, &text, NULL, NULL)) {
		g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

		for (guint i = 0; lines[i]; i++)
			if (lines[i][0])
				g_ptr_array_add(self->lines, g_strcompress(lines[i]));
	}
	self->at = self->lines->len;
	return self;
}

void console_history_free(ConsoleHistory *self)
{
	g_free(self->path);
	g_free(self->typed);
	g_ptr_array_unref(self->lines);
	g_free(self);
}

/* A line that holds a newline stays one line of the file. */
static void save(ConsoleHistory *self)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < self->lines->len; i++) {
		g_autofree char *escaped = g_strescape(g_ptr_array_index(self->lines, i), "\"");

		g_string_append_printf(text, "%s\n", escaped);
	}
	g_file_set_contents_full(self->path, text->str, (gssize)text->len, G_FILE_SET_CONTENTS_CONSISTENT, 0600, NULL);
}

void console_history_add(ConsoleHistory *self, const char *line)
{
	const guint count = self->lines->len;

	if (!count || strcmp(g_ptr_array_index(self->lines, count - 1), line) != 0)
		g_ptr_array_add(self->lines, g_strdup(line));
	if (self->lines->len > MAX_LINES)
		g_ptr_array_remove_range(self->lines, 0, self->lines->len - MAX_LINES);
	self->at = self->lines->len;
	g_clear_pointer(&self->typed, g_free);
	save(self);
}

const char *console_history_go(ConsoleHistory *self, int direction, const char *typed)
{
	if (direction < 0 ? self->at == 0 : self->at >= self->lines->len)
		return NULL;
	if (self->at == self->lines->len) {
		g_free(self->typed);
		self->typed = g_strdup(typed);
	}
	self->at = direction < 0 ? self->at - 1 : self->at + 1;
	return self->at < self->lines->len ? g_ptr_array_index(self->lines, self->at) : self->typed ? self->typed : "";
}
