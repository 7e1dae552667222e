/* pick-keys.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "pick-keys.h"


gboolean pick_key_arrow(guint key, int step, int *dx, int *dy)
{
	*dx = key == GDK_KEY_Left ? -step : key == GDK_KEY_Right ? step : 0;
	*dy = key == GDK_KEY_Up ? -step : key == GDK_KEY_Down ? step : 0;
	return *dx || *dy;
}

gboolean pick_key(QsSession *session, guint key, GdkModifierType state, gboolean *moved, int *x, int *y)
{
	int dx, dy;

	*moved = pick_key_arrow(key, state & GDK_SHIFT_MASK ? 2 : 1, &dx, &dy);
	if (!*moved && key != GDK_KEY_Return && key != GDK_KEY_KP_Enter)
		return FALSE;
	const gboolean picked = qs_session_get_pick(session, x, y);
	if (!*moved) {
		if (picked)
			qs_session_seek_fragment(session, *x, *y, TRUE);
		return TRUE;
	}
	if (!picked) {
		QsTrace *trace = qs_session_get_trace(session);

		*x = trace ? trace->x : (int)qs_view_width(qs_session_get_view(session)) / 2;
		*y = trace ? trace->y : (int)qs_view_height(qs_session_get_view(session)) / 2;
	}
	qs_session_set_pick(session, *x + dx, *y + dy);
	qs_session_get_pick(session, x, y);
	return TRUE;
}
