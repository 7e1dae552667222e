/* depth-text.h - the tables of the depth panel as Pango markup, monospace
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "qs-session.h"

G_BEGIN_DECLS

/* Value of the picked and the hovered pixel in hexadecimal, decimal and 0..1. */
char *qs_depth_values_markup(QsSession *session);
/* The depth test of the traced fragment. */
char *qs_depth_test_markup(QsSession *session);

G_END_DECLS
