/* copy-text.h - a copy and one of its texels as Pango markup, monospace
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "qs-copy.h"

G_BEGIN_DECLS

char *qs_copy_markup(const QsView *view, guint32 command, const struct qs_copy *copy);
char *qs_copy_texel_markup(const struct qs_copy *copy, guint x, guint y, const struct qs_copy_texel *texel);

G_END_DECLS
