/* qs-texture-view.h - a bound texture, or its palette, texel by texel
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "qs-canvas.h"
#include "qs-request.h"

G_BEGIN_DECLS

typedef enum { QS_TEXTURE_RGBA, QS_TEXTURE_RGB, QS_TEXTURE_ALPHA } QsTextureMode;

typedef struct {
	guint level;
	int s, t;
	guint8 rgba[4];
	guint32 address;  /* of the byte that holds it first */
	gboolean from_tmem;
	guint index;      /* in the palette; QS_NONE: the format has none */
} QsTexel;

typedef struct {
	guint level;
	int s, t;
	guint weight; /* of 16384 */
} QsTexelMark;

#define QS_TYPE_TEXTURE_VIEW (qs_texture_view_get_type())
G_DECLARE_FINAL_TYPE(QsTextureView, qs_texture_view, QS, TEXTURE_VIEW, QsCanvas)

/* signals: "texel-changed"; "texel-chosen": by a click, it stays when the pointer goes */
/* answer is borrowed until the next call; NULL: nothing.  level: -1 shows all of them. */
void qs_texture_view_set_texture(QsTextureView *self, const QsTextureAnswer *answer, int level);
/* Shows the answer's palette instead. */
void qs_texture_view_set_palette(QsTextureView *self, const QsTextureAnswer *answer);
void qs_texture_view_set_mode(QsTextureView *self, QsTextureMode mode);
void qs_texture_view_set_marks(QsTextureView *self, const QsTexelMark *marks, guint count); /* copied */
/* The texel under the pointer or the cursor; of a palette, index is the entry.  FALSE: none. */
gboolean qs_texture_view_get_texel(QsTextureView *self, QsTexel *texel);
/* Puts the cursor there. */
void qs_texture_view_set_texel(QsTextureView *self, guint level, int s, int t);
/* Entry of a palette that is marked; QS_NONE: none. */
void qs_texture_view_set_entry(QsTextureView *self, guint entry);

G_END_DECLS
