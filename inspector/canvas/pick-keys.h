/* pick-keys.h - arrows and Enter in the pictures of the EFB
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <gtk/gtk.h>
#include "qs-session.h"

/* FALSE: not an arrow. */
gboolean pick_key_arrow(guint key, int step, int *dx, int *dy);
/* Arrows move the picked pixel (Shift: by a quad), Enter goes to its next fragment.  FALSE: neither; moved: show (x, y). */
gboolean pick_key(QsSession *session, guint key, GdkModifierType state, gboolean *moved, int *x, int *y);
