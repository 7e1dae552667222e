/* qs-texture-view.c - see the header
 *
 * Levels stand side by side as in most tools: level 0 on the left, the smaller ones in a column beside it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-texture-view.h"
#include <math.h>
#include <string.h>

#define LEVELS 11
#define GAP 2 /* texels between levels */

typedef struct {
	guint level;
	int x, y, width, height;
	const struct qs_image *image;
	cairo_surface_t *surface;
} Tile;

struct _QsTextureView {
	QsCanvas parent_instance;
	const QsTextureAnswer *answer;
	gboolean palette;
	int level;
	QsTextureMode mode;
	Tile tile[LEVELS];
	guint tile_count;
	GArray *marks; /* QsTexelMark */
	gboolean pointing, cursor;
	guint at_level;
	int at_s, at_t; /* pointer or cursor */
	gboolean pinned;  /* there the cursor returns when the pointer goes */
	guint pin_level;
	int pin_s, pin_t;
	guint entry;
	QsArea shape; /* of what was shown last: fit again when it changes */
};

G_DEFINE_FINAL_TYPE(QsTextureView, qs_texture_view, QS_TYPE_CANVAS)

static guint texel_changed_signal, texel_chosen_signal;

/* ---- tiles -------------------------------------------------------------------------------------------------------------- */

static void forget_surfaces(QsTextureView *self)
{
	for (guint i = 0; i < G_N_ELEMENTS(self->tile); i++)
		g_clear_pointer(&self->tile[i].surface, cairo_surface_destroy);
}

static void add_tile(QsTextureView *self, guint level, const struct qs_image *image, int x, int y)
{
	if (image->rgba && self->tile_count < LEVELS)
		self->tile[self->tile_count++] = (Tile){level, x, y, (int)image->width, (int)image->height, image, NULL};
}

static QsArea area_of(QsCanvas *canvas)
{
	QsTextureView *self = QS_TEXTURE_VIEW(canvas);
	QsArea area = {0, 0, 1, 1};

	for (guint i = 0; i < self->tile_count; i++) {
		area.x1 = MAX(area.x1, self->tile[i].x + self->tile[i].width);
		area.y1 = MAX(area.y1, self->tile[i].y + self->tile[i].height);
	}
	return area;
}

static void place_tiles(QsTextureView *self)
{
	const QsTextureAnswer *a = self->answer;
	int x, y = 0;
	QsArea area;

	forget_surfaces(self);
	self->tile_count = 0;
	if (a && self->palette) {
		add_tile(self, 0, &a->tlut, 0, 0);
	} else if (a && self->level >= 0) {
		add_tile(self, (guint)self->level, &a->level[MIN((guint)self->level, a->level_count - 1)], 0, 0);
	} else if (a) {
		x = (int)a->level[0].width + GAP;
		add_tile(self, 0, &a->level[0], 0, 0);
		for (guint i = 1; i < a->level_count; i++) {
			add_tile(self, i, &a->level[i], x, y);
			y += (int)a->level[i].height + GAP;
		}
	}
	area = area_of(QS_CANVAS(self));
	if (area.x1 != self->shape.x1 || area.y1 != self->shape.y1) {
		self->shape = area;
		qs_canvas_zoom_fit(QS_CANVAS(self));
	}
	qs_canvas_redraw(QS_CANVAS(self));
}

static const Tile *tile_of_level(QsTextureView *self, guint level)
{
	for (guint i = 0; i < self->tile_count; i++)
		if (self->tile[i].level == level)
			return &self->tile[i];
	return NULL;
}

/* ---- the texel ---------------------------------------------------------------------------------------------------------- */

static guint palette_index(const QsTextureAnswer *a, guint level, guint32 address, int s)
{
	const struct qs_texture_level *place = &a->place[level];
	const guint8 *bytes = a->bytes[level];
	const guint32 offset = address - place->address;

	if (!bytes || offset >= place->size)
		return QS_NONE;
	if (a->texture.tlut_entries == 16)
		return s & 1 ? bytes[offset] & 15u : bytes[offset] >> 4;
	if (a->texture.tlut_entries == 256)
		return bytes[offset];
	return offset + 1 < place->size ? (bytes[offset] << 8 | bytes[offset + 1]) & 0x3fffu : QS_NONE;
}

gboolean qs_texture_view_get_texel(QsTextureView *self, QsTexel *texel)
{
	const Tile *tile = self->pointing || self->cursor ? tile_of_level(self, self->at_level) : NULL;

	if (!tile || !self->answer || self->at_s < 0 || self->at_t < 0 || self->at_s >= tile->width || self->at_t >= tile->height)
		return FALSE;
	memset(texel, 0, sizeof *texel);
	texel->level = tile->level;
	texel->s = self->at_s;
	texel->t = self->at_t;
	memcpy(texel->rgba, tile->image->rgba + 4 * ((gsize)self->at_t * tile->image->width + (gsize)self->at_s), 4);
	if (self->palette) {
		texel->from_tmem = TRUE;
		texel->index = (guint)(self->at_t * 16 + self->at_s);
		texel->address = self->answer->texture.tlut_address + 2 * texel->index;
	} else {
		texel->from_tmem = self->answer->place[tile->level].from_tmem;
		texel->address = qs_texture_texel_address(&self->answer->place[tile->level], (guint32)self->at_s, (guint32)self->at_t);
		if (self->answer->address && tile->level == 0)
			texel->address = self->answer->address[(gsize)self->at_t * tile->image->width + (gsize)self->at_s];
		texel->index = palette_index(self->answer, tile->level, texel->address, self->at_s);
	}
	return TRUE;
}

static void describe(QsTextureView *self)
{
	g_autoptr(GString) text = g_string_new(NULL);
	QsTexel texel;

	if (!self->tile_count)
		g_string_append(text, "nothing");
	else if (self->palette)
		g_string_append_printf(text, "palette of %u entries", self->answer->texture.tlut_entries);
	else if (self->answer->title)
		g_string_append_printf(text, "%s, %u x %u, %u texels marked", self->answer->title, self->answer->texture.width,
			self->answer->texture.height, self->marks->len);
	else
		g_string_append_printf(text, "map %u, %u x %u %s, %u levels, %u texels marked", self->answer->map, self->answer->texture.width,
			self->answer->texture.height, qs_texture_format_name(self->answer->texture.format), self->answer->level_count,
			self->marks->len);
	if (qs_texture_view_get_texel(self, &texel)) {
		if (!self->palette)
			g_string_append_printf(text, "; texel %d,%d of level %u", texel.s, texel.t, texel.level);
		if (texel.index != QS_NONE)
			g_string_append_printf(text, "; entry %u", texel.index);
		g_string_append_printf(text, ", #%02x%02x%02x%02x at %s 0x%x", texel.rgba[0], texel.rgba[1], texel.rgba[2], texel.rgba[3],
			texel.from_tmem ? "TMEM" : "address", texel.address);
	}
	qs_canvas_describe(QS_CANVAS(self), text->str);
}

static void texel_changed(QsTextureView *self)
{
	describe(self);
	gtk_widget_queue_draw(GTK_WIDGET(self));
	g_signal_emit(self, texel_changed_signal, 0);
}

/* ---- drawing ------------------------------------------------------------------------------------------------------------ */

static void paint_checks(const QsPlace *place, cairo_t *cr, const Tile *tile)
{
	cairo_surface_t *two = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 16, 16);
	cairo_t *cells = cairo_create(two);

	cairo_set_source_rgb(cells, 0.42, 0.42, 0.42);
	cairo_paint(cells);
	cairo_set_source_rgb(cells, 0.58, 0.58, 0.58);
	cairo_rectangle(cells, 0, 0, 8, 8);
	cairo_rectangle(cells, 8, 8, 8, 8);
	cairo_fill(cells);
	cairo_destroy(cells);
	cairo_save(cr);
	cairo_set_source_surface(cr, two, floor(qs_place_x(place, tile->x)), floor(qs_place_y(place, tile->y)));
	cairo_pattern_set_extend(cairo_get_source(cr), CAIRO_EXTEND_REPEAT);
	cairo_pattern_set_filter(cairo_get_source(cr), CAIRO_FILTER_NEAREST);
	cairo_rectangle(cr, qs_place_x(place, tile->x), qs_place_y(place, tile->y), tile->width * place->scale,
		tile->height * place->scale);
	cairo_fill(cr);
	cairo_restore(cr);
	cairo_surface_destroy(two);
}

/* The place as the tile's own coordinates see it. */
static QsPlace inside(const QsPlace *place, const Tile *tile)
{
	QsPlace own = *place;

	own.left -= tile->x;
	own.top -= tile->y;
	return own;
}

static void span(const QsPlace *own, const Tile *tile, int width, int height, int r[4])
{
	r[0] = MAX((int)floor(own->left), 0);
	r[1] = MAX((int)floor(own->top), 0);
	r[2] = MIN((int)ceil(own->left + width / own->scale), tile->width);
	r[3] = MIN((int)ceil(own->top + height / own->scale), tile->height);
}

static void paint_value(QsTextureView *self, const QsPlace *own, cairo_t *cr, const guint8 *p, int s, int t, double row, double ascent)
{
	const double size = own->scale, left = qs_place_x(own, s), top = qs_place_y(own, t);
	/* What the eye sees of a transparent texel is mostly the grey behind it. */
	const guint a = self->mode == QS_TEXTURE_RGBA ? p[3] : 255;
	const guint grey = self->mode == QS_TEXTURE_ALPHA ? p[3] : ((p[0] * 3u + p[1] * 6u + p[2]) / 10 * a + 128 * (255 - a)) / 255;
	char text[8];

	if (grey > 120)
		cairo_set_source_rgba(cr, 0, 0, 0, 0.92);
	else
		cairo_set_source_rgba(cr, 1, 1, 1, 0.92);
	if (self->mode == QS_TEXTURE_ALPHA) {
		g_snprintf(text, sizeof text, "%02x", p[3]);
		cairo_move_to(cr, left + (size - row / 2) / 2, top + (size + ascent) / 2);
		cairo_show_text(cr, text);
		return;
	}
	for (guint half = 0; half < 2; half++) {
		g_snprintf(text, sizeof text, "%02x%02x", p[2 * half], p[2 * half + 1]);
		cairo_move_to(cr, left + (size - row) / 2, top + size * (0.25 + 0.5 * half) + ascent / 2);
		cairo_show_text(cr, text);
	}
}

static void paint_tile(QsTextureView *self, const QsPlace *place, cairo_t *cr, Tile *tile, int width, int height)
{
	const QsPlace own = inside(place, tile);
	cairo_text_extents_t extents;
	int r[4];

	if (!tile->surface)
		tile->surface = qs_canvas_surface(tile->image->rgba, tile->image->width, tile->image->height,
			self->mode == QS_TEXTURE_ALPHA ? 4 : 0, self->mode != QS_TEXTURE_RGBA);
	if (self->mode == QS_TEXTURE_RGBA)
		paint_checks(place, cr, tile);
	qs_canvas_paint_surface(&own, cr, tile->surface);
	span(&own, tile, width, height, r);
	if (own.scale >= 8)
		qs_canvas_paint_grid(&own, cr, r[0], r[1], r[2], r[3], self->palette ? 1 : 4);
	if (own.scale < 16)
		return;
	cairo_select_font_face(cr, "monospace", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
	cairo_set_font_size(cr, MIN(own.scale * 0.36, 12));
	cairo_text_extents(cr, "0000", &extents);
	for (int t = r[1]; t < r[3]; t++)
		for (int s = r[0]; s < r[2]; s++)
			paint_value(self, &own, cr, tile->image->rgba + 4 * ((gsize)t * tile->image->width + (gsize)s), s, t, extents.x_advance,
				extents.height);
}

static void paint(QsCanvas *canvas, cairo_t *cr, int width, int height)
{
	QsTextureView *self = QS_TEXTURE_VIEW(canvas);

	for (guint i = 0; i < self->tile_count; i++)
		paint_tile(self, qs_canvas_get_place(canvas), cr, &self->tile[i], width, height);
}

static void paint_over(QsCanvas *canvas, cairo_t *cr, int width, int height)
{
	QsTextureView *self = QS_TEXTURE_VIEW(canvas);
	const QsPlace *place = qs_canvas_get_place(canvas);

	(void)width;
	(void)height;
	for (guint i = 0; i < self->marks->len; i++) {
		const QsTexelMark *m = &g_array_index(self->marks, QsTexelMark, i);
		const Tile *tile = tile_of_level(self, m->level);

		if (!tile || self->palette)
			continue;
		/* The heavier, the brighter. */
		qs_canvas_paint_box(place, cr, tile->x + m->s, tile->y + m->t, 1, 1, 1, 0.35 + 0.5 * m->weight / 16384.0,
			0.1 + 0.6 * (1 - m->weight / 16384.0));
		if (place->scale < 6 && m->weight * 2 >= 16384)
			qs_canvas_paint_cross(place, cr, tile->x + m->s, tile->y + m->t);
	}
	if (self->palette && self->entry != QS_NONE && self->tile_count && (int)self->entry < 16 * self->tile[0].height)
		qs_canvas_paint_box(place, cr, (int)self->entry % 16, (int)self->entry / 16, 1, 1, 1, 0.85, 0.1);
	if (self->pointing || self->cursor) {
		const Tile *tile = tile_of_level(self, self->at_level);

		if (tile && place->scale >= 4)
			qs_canvas_paint_box(place, cr, tile->x + self->at_s, tile->y + self->at_t, 1, 1, 0.8, 0.9, 1);
		else if (tile && self->cursor && !self->pointing)
			qs_canvas_paint_cross(place, cr, tile->x + self->at_s, tile->y + self->at_t);
	}
}

/* ---- input -------------------------------------------------------------------------------------------------------------- */

static QsArea close_up(QsCanvas *canvas)
{
	QsTextureView *self = QS_TEXTURE_VIEW(canvas);
	const QsTexelMark *m = self->marks->len ? &g_array_index(self->marks, QsTexelMark, 0) : NULL;
	const Tile *tile = self->pointing || self->cursor || !m ? tile_of_level(self, self->at_level) : tile_of_level(self, m->level);
	double x, y;

	if (tile && (self->pointing || self->cursor)) {
		x = tile->x + self->at_s;
		y = tile->y + self->at_t;
	} else if (tile && m) {
		x = tile->x + m->s;
		y = tile->y + m->t;
	} else {
		qs_canvas_get_middle(canvas, &x, &y);
	}
	return (QsArea){floor(x) - 4, floor(y) - 4, floor(x) + 5, floor(y) + 5};
}

static void pointed(QsCanvas *canvas, double x, double y, gboolean in)
{
	QsTextureView *self = QS_TEXTURE_VIEW(canvas);
	const gboolean before = self->pointing;
	const int s = self->at_s, t = self->at_t;
	const guint level = self->at_level;

	self->pointing = FALSE;
	if (!in && self->pinned && tile_of_level(self, self->pin_level)) {
		self->cursor = TRUE;
		self->at_level = self->pin_level;
		self->at_s = self->pin_s;
		self->at_t = self->pin_t;
	}
	for (guint i = 0; in && i < self->tile_count; i++) {
		const Tile *tile = &self->tile[i];

		if (x < tile->x || y < tile->y || x >= tile->x + tile->width || y >= tile->y + tile->height)
			continue;
		self->pointing = TRUE;
		self->cursor = FALSE;
		self->at_level = tile->level;
		self->at_s = (int)floor(x) - tile->x;
		self->at_t = (int)floor(y) - tile->y;
	}
	if (before != self->pointing || (!in && self->cursor) || (self->pointing && (s != self->at_s || t != self->at_t || level != self->at_level)))
		texel_changed(self);
}

static void pin(QsTextureView *self)
{
	self->pinned = TRUE;
	self->pin_level = self->at_level;
	self->pin_s = self->at_s;
	self->pin_t = self->at_t;
}

static void clicked(QsCanvas *canvas, double x, double y, int presses)
{
	QsTextureView *self = QS_TEXTURE_VIEW(canvas);

	(void)x;
	(void)y;
	if (presses != 1 || !self->pointing)
		return;
	pin(self);
	g_signal_emit(self, texel_chosen_signal, 0);
}

static gboolean key(QsCanvas *canvas, guint key, GdkModifierType state)
{
	QsTextureView *self = QS_TEXTURE_VIEW(canvas);
	const int step = state & GDK_SHIFT_MASK ? 8 : 1;
	int dx = 0, dy = 0;
	const Tile *tile;

	switch (key) {
	case GDK_KEY_Left: dx = -step; break;
	case GDK_KEY_Right: dx = step; break;
	case GDK_KEY_Up: dy = -step; break;
	case GDK_KEY_Down: dy = step; break;
	case GDK_KEY_Page_Up:
	case GDK_KEY_Page_Down: break;
	default: return FALSE;
	}
	if (!self->tile_count)
		return TRUE;
	if (dx == 0 && dy == 0 && (self->pointing || self->cursor)) { /* another level, the same place */
		const guint level = key == GDK_KEY_Page_Down ? self->at_level + 1 : self->at_level - 1;

		if (tile_of_level(self, level)) {
			self->at_s = key == GDK_KEY_Page_Down ? self->at_s / 2 : self->at_s * 2;
			self->at_t = key == GDK_KEY_Page_Down ? self->at_t / 2 : self->at_t * 2;
			self->at_level = level;
		}
	}
	tile = tile_of_level(self, self->at_level);
	if (!tile)
		tile = &self->tile[0];
	if (!self->pointing && !self->cursor)
		dx = dy = 0; /* the first key shows where it is */
	self->cursor = TRUE;
	self->at_level = tile->level;
	self->at_s = CLAMP(self->at_s + dx, 0, tile->width - 1);
	self->at_t = CLAMP(self->at_t + dy, 0, tile->height - 1);
	pin(self);
	qs_canvas_reveal(canvas, (QsArea){tile->x + self->at_s, tile->y + self->at_t, tile->x + self->at_s + 1, tile->y + self->at_t + 1});
	texel_changed(self);
	return TRUE;
}

/* ---- public ------------------------------------------------------------------------------------------------------------- */

void qs_texture_view_set_texture(QsTextureView *self, const QsTextureAnswer *answer, int level)
{
	self->answer = answer;
	self->level = answer && level >= (int)answer->level_count ? (int)answer->level_count - 1 : level;
	place_tiles(self);
	texel_changed(self);
}

void qs_texture_view_set_texel(QsTextureView *self, guint level, int s, int t)
{
	const Tile *tile = tile_of_level(self, level);

	if (!tile)
		return;
	self->pointing = FALSE;
	self->cursor = TRUE;
	self->at_level = level;
	self->at_s = CLAMP(s, 0, tile->width - 1);
	self->at_t = CLAMP(t, 0, tile->height - 1);
	pin(self);
	texel_changed(self);
}

void qs_texture_view_set_palette(QsTextureView *self, const QsTextureAnswer *answer)
{
	self->answer = answer;
	self->palette = TRUE;
	place_tiles(self);
	texel_changed(self);
}

void qs_texture_view_set_mode(QsTextureView *self, QsTextureMode mode)
{
	self->mode = mode;
	forget_surfaces(self);
	qs_canvas_redraw(QS_CANVAS(self));
}

void qs_texture_view_set_marks(QsTextureView *self, const QsTexelMark *marks, guint count)
{
	g_array_set_size(self->marks, 0);
	g_array_append_vals(self->marks, marks, count);
	describe(self);
	gtk_widget_queue_draw(GTK_WIDGET(self));
}

void qs_texture_view_set_entry(QsTextureView *self, guint entry)
{
	if (self->entry == entry)
		return;
	self->entry = entry;
	gtk_widget_queue_draw(GTK_WIDGET(self));
}

/* ---- widget ------------------------------------------------------------------------------------------------------------- */

static void qs_texture_view_finalize(GObject *object)
{
	forget_surfaces(QS_TEXTURE_VIEW(object));
	g_array_unref(QS_TEXTURE_VIEW(object)->marks);
	G_OBJECT_CLASS(qs_texture_view_parent_class)->finalize(object);
}

static void qs_texture_view_init(QsTextureView *self)
{
	self->marks = g_array_new(FALSE, FALSE, sizeof(QsTexelMark));
	self->entry = QS_NONE;
	self->level = -1;
	gtk_widget_set_size_request(GTK_WIDGET(self), 120, 100);
}

static void qs_texture_view_class_init(QsTextureViewClass *klass)
{
	QsCanvasClass *canvas_class = QS_CANVAS_CLASS(klass);

	G_OBJECT_CLASS(klass)->finalize = qs_texture_view_finalize;
	canvas_class->paint = paint;
	canvas_class->paint_over = paint_over;
	canvas_class->area = area_of;
	canvas_class->close_up = close_up;
	canvas_class->point = pointed;
	canvas_class->click = clicked;
	canvas_class->key = key;
	texel_chosen_signal = g_signal_new("texel-chosen", QS_TYPE_TEXTURE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
	texel_changed_signal = g_signal_new("texel-changed", QS_TYPE_TEXTURE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}
