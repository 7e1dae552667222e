/* qs-marks.c - bookmarks, the breakpoint of a draw, and the moments A and B of a session
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-session-private.h"

const QsBookmark *qs_session_get_bookmarks(QsSession *self, guint *count)
{
	*count = self->bookmarks->len;
	return (const QsBookmark *)(const void *)self->bookmarks->data;
}

void qs_session_toggle_bookmark(QsSession *self)
{
	QsBookmark added = {0};
	guint at = 0;

	if (!self->view)
		return;
	for (; at < self->bookmarks->len; at++) {
		const QsBookmark *bookmark = &g_array_index(self->bookmarks, QsBookmark, at);
		const int order = qs_moment_compare(&bookmark->moment, &self->view->moment);

		if (order == 0) {
			g_array_remove_index(self->bookmarks, at);
			qs_session_changed(self, QS_CHANGE_BOOKMARKS);
			return;
		}
		if (order > 0)
			break;
	}
	added.moment = self->view->moment;
	added.text = g_strdup(self->view->text);
	g_array_insert_val(self->bookmarks, at, added);
	qs_session_changed(self, QS_CHANGE_BOOKMARKS);
}

/* The draw's own breakpoint, as F9 makes it. */
static gboolean is_at_draw(const struct qs_breakpoint *b, const struct qs_moment *m)
{
	return b->kind == QS_BREAK_DRAW && b->frame == m->frame && b->draw == m->draw;
}

void qs_session_toggle_breakpoint(QsSession *self)
{
	struct qs_error error = {0};
	char text[64];

	if (!self->view)
		return;
	if (!qs_view_in_draw(self->view)) {
		qs_session_message(self, QS_MESSAGE_HINT, "F9 sets a breakpoint at a draw: go to one first. "
			"Pixels and register writes are set in the Breakpoints panel.");
		return;
	}
	for (guint i = 0; i < self->view->breakpoint_count; i++)
		if (is_at_draw(&self->view->breakpoints[i], &self->view->moment)) {
			qs_session_remove_breakpoint(self, self->view->breakpoints[i].id);
			return;
		}
	g_snprintf(text, sizeof text, "draw %u/%u", self->view->moment.frame, self->view->moment.draw);
	if (!qs_session_add_breakpoint(self, text, &error))
		qs_session_message(self, QS_MESSAGE_HINT, "%s", error.text);
}

void qs_session_set_mark(QsSession *self, guint which)
{
	if (!self->view || which > 1)
		return;
	self->mark[which] = self->view->moment;
	self->has_mark[which] = TRUE;
	qs_session_changed(self, QS_CHANGE_MARKS);
}

gboolean qs_session_get_mark(QsSession *self, guint which, struct qs_moment *moment)
{
	if (which > 1 || !self->has_mark[which])
		return FALSE;
	*moment = self->mark[which];
	return TRUE;
}
