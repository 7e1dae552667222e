/* texture-text.h - the tables of the textures panel as Pango markup, monospace
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "canvas/qs-texture-view.h"

G_BEGIN_DECLS

/* Which TEV and indirect stages of the view's registers read the map: "TEV 0 2, indirect 1"; NULL: none. */
char *qs_texture_readers(const QsView *view, guint map);
char *qs_texture_info_markup(const QsView *view, const struct qs_texture *texture);
/* places: QsCopyPlace of the capture or NULL; a copy at or before the command that made the texel is named. */
char *qs_texture_texel_markup(const QsTexel *texel, const struct qs_capture *capture, const GArray *places, guint32 command); /* NULL: nothing is pointed at */
/* The lookups of the traced fragment in the map. */
char *qs_texture_fetched_markup(const QsTrace *trace, guint map);
/* Their texels; returns the number. */
#define QS_TEXTURE_MARKS (20 * QS_TEXELS)
guint qs_texture_marks(const QsTrace *trace, guint map, QsTexelMark marks[QS_TEXTURE_MARKS]);

G_END_DECLS
