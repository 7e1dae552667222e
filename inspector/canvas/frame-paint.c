/* frame-paint.c - draws the frame view
 *
 * GTK 4.8 scales textures with a linear filter only, so that picture and overlays are drawn with cairo.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "frame-view-private.h"
#include "qs-canvas.h"
#include <math.h>
#include <stdio.h>


const struct qs_image *frame_image(QsFrameView *self)
{
	QsView *view = self->session ? qs_session_get_view(self->session) : NULL;

	if (!view)
		return NULL;
	if (self->before && self->before_serial == view->serial)
		return &self->before_image;
	return &view->image[self->buffer];
}

gboolean frame_is_efb(QsFrameView *self)
{
	return self->buffer <= QS_BUFFER_COVERAGE;
}

void frame_forget_surfaces(QsFrameView *self)
{
	g_clear_pointer(&self->surface, cairo_surface_destroy);
	g_clear_pointer(&self->highlight, cairo_surface_destroy);
	g_clear_pointer(&self->outline, cairo_surface_destroy);
	g_clear_pointer(&self->tests, cairo_surface_destroy);
}

/* ---- picture ------------------------------------------------------------------------------------------------------------ */

static void convert_row(const guint8 *from, guint32 *to, guint width, QsChannel channel)
{
	for (guint x = 0; x < width; x++, from += 4) {
		guint32 r = from[0], g = from[1], b = from[2];

		if (channel != QS_CHANNEL_ALL)
			r = g = b = from[channel - QS_CHANNEL_RED];
		to[x] = 0xff000000u | r << 16 | g << 8 | b;
	}
}

static cairo_surface_t *picture(QsFrameView *self, const struct qs_image *image)
{
	QsView *view = qs_session_get_view(self->session);
	const gboolean before = image == &self->before_image;

	if (self->surface && self->surface_serial == view->serial && self->surface_before == before &&
		self->surface_buffer == self->buffer && self->surface_channel == self->channel)
		return self->surface;
	if (self->surface && (cairo_image_surface_get_width(self->surface) != (int)image->width ||
		cairo_image_surface_get_height(self->surface) != (int)image->height))
		g_clear_pointer(&self->surface, cairo_surface_destroy);
	/* The old surface may still be in a render node: a new one each time. */
	g_clear_pointer(&self->surface, cairo_surface_destroy);
	self->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)image->width, (int)image->height);
	if (cairo_surface_status(self->surface) != CAIRO_STATUS_SUCCESS)
		return self->surface;
	for (guint y = 0; y < image->height; y++)
		convert_row(image->rgba + 4 * (gsize)y * image->width,
			(guint32 *)(void *)(cairo_image_surface_get_data(self->surface) +
				(gsize)y * (gsize)cairo_image_surface_get_stride(self->surface)),
			image->width, self->channel);
	cairo_surface_mark_dirty(self->surface);
	self->surface_serial = view->serial;
	self->surface_before = before;
	self->surface_buffer = self->buffer;
	self->surface_channel = self->channel;
	return self->surface;
}

static void paint_surface(QsFrameView *self, cairo_t *cr, cairo_surface_t *surface)
{
	cairo_save(cr);
	cairo_scale(cr, self->scale, self->scale);
	cairo_translate(cr, -self->left, -self->top);
	cairo_set_source_surface(cr, surface, 0, 0);
	cairo_pattern_set_filter(cairo_get_source(cr), self->scale >= 1 ? CAIRO_FILTER_NEAREST : CAIRO_FILTER_GOOD);
	cairo_rectangle(cr, 0, 0, cairo_image_surface_get_width(surface), cairo_image_surface_get_height(surface));
	cairo_fill(cr);
	cairo_restore(cr);
}

typedef struct {
	int x0, y0, x1, y1;
} Span;

/* Picture pixels that are on the screen. */
static Span visible(QsFrameView *self, int width, int height, int limit_x, int limit_y)
{
	return (Span){MAX((int)floor(self->left), 0), MAX((int)floor(self->top), 0),
		MIN((int)ceil(self->left + width / self->scale), limit_x), MIN((int)ceil(self->top + height / self->scale), limit_y)};
}

static double sx(QsFrameView *self, double x)
{
	return (x - self->left) * self->scale;
}

static double sy(QsFrameView *self, double y)
{
	return (y - self->top) * self->scale;
}

static void paint_grid(QsFrameView *self, cairo_t *cr, Span span)
{
	cairo_set_line_width(cr, 1);
	for (int quad = 0; quad < 2; quad++) {
		for (int x = span.x0; x <= span.x1; x++)
			if ((x & 1) == quad) {
				cairo_move_to(cr, floor(sx(self, x)) + 0.5, sy(self, span.y0));
				cairo_line_to(cr, floor(sx(self, x)) + 0.5, sy(self, span.y1));
			}
		for (int y = span.y0; y <= span.y1; y++)
			if ((y & 1) == quad) {
				cairo_move_to(cr, sx(self, span.x0), floor(sy(self, y)) + 0.5);
				cairo_line_to(cr, sx(self, span.x1), floor(sy(self, y)) + 0.5);
			}
		/* Lines between quads are the stronger ones. */
		cairo_set_source_rgba(cr, 0.5, 0.5, 0.5, quad ? 0.35 : 0.8);
		cairo_stroke(cr);
	}
}

/* ---- values inside pixels ----------------------------------------------------------------------------------------------- */

typedef struct {
	cairo_scaled_font_t *font;
	unsigned long digit[16];
	double advance, ascent;
	GArray *glyphs[2]; /* on dark, on light pixels */
	gboolean bars; /* of samples, at the lower edge */
} Values;

static void values_init(Values *v, cairo_t *cr, double size)
{
	cairo_font_extents_t font;
	cairo_text_extents_t text;

	cairo_select_font_face(cr, "monospace", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
	cairo_set_font_size(cr, size);
	v->font = cairo_get_scaled_font(cr);
	for (guint i = 0; i < 16; i++) {
		cairo_glyph_t *glyphs = NULL;
		int n = 0;

		v->digit[i] = 0;
		if (cairo_scaled_font_text_to_glyphs(v->font, 0, 0, &"0123456789abcdef"[i], 1, &glyphs, &n, NULL, NULL, NULL) ==
			CAIRO_STATUS_SUCCESS && n)
			v->digit[i] = glyphs[0].index;
		cairo_glyph_free(glyphs);
	}
	cairo_font_extents(cr, &font);
	cairo_text_extents(cr, "0", &text);
	v->advance = text.x_advance;
	v->ascent = text.height;
	for (guint i = 0; i < 2; i++)
		v->glyphs[i] = g_array_new(FALSE, FALSE, sizeof(cairo_glyph_t));
}

static void put_hex(Values *v, gboolean light, guint32 value, guint digits, double x, double y)
{
	for (guint i = 0; i < digits; i++) {
		const cairo_glyph_t glyph = {v->digit[value >> 4 * (digits - 1 - i) & 15], x + v->advance * i, y};

		g_array_append_val(v->glyphs[light], glyph);
	}
}

static void values_show(Values *v, cairo_t *cr)
{
	for (guint i = 0; i < 2; i++) {
		cairo_set_source_rgba(cr, i ? 0 : 1, i ? 0 : 1, i ? 0 : 1, 0.92);
		cairo_show_glyphs(cr, (cairo_glyph_t *)(void *)v->glyphs[i]->data, (int)v->glyphs[i]->len);
		g_array_unref(v->glyphs[i]);
	}
}

static void put_pixel(QsFrameView *self, Values *v, const struct qs_image *image, int x, int y)
{
	const gsize i = (gsize)y * image->width + (gsize)x;
	const guint8 *p = image->rgba + 4 * i;
	const double s = self->scale, left = sx(self, x), top = sy(self, y), gap = s / 16;
	const double rows = 2, line = (v->bars ? s * 7 / 8 : s) / rows, base = (line + v->ascent) / 2;
	const gboolean single = self->channel != QS_CHANNEL_ALL;
	const gboolean light = single ? p[self->channel - QS_CHANNEL_RED] > 120 : p[0] * 3 + p[1] * 6 + p[2] > 1250;

	if (image->depth && self->buffer == QS_BUFFER_COVERAGE) {
		if (image->depth[i])
			put_hex(v, light, image->depth[i], 2, left + (s - 2 * v->advance) / 2, top + (s + v->ascent) / 2);
	} else if (image->depth && self->buffer == QS_BUFFER_DEPTH) {
		const double dx = (s - 3 * v->advance) / 2;

		put_hex(v, light, image->depth[i] >> 12, 3, left + dx, top + base);
		put_hex(v, light, image->depth[i] & 0xfff, 3, left + dx, top + line + base);
	} else if (single || self->buffer == QS_BUFFER_ALPHA) {
		put_hex(v, light, p[single ? self->channel - QS_CHANNEL_RED : 0], 2, left + (s - 2 * v->advance) / 2,
			top + (s + v->ascent) / 2);
	} else {
		const double dx = (s - gap - 4 * v->advance) / 2;

		for (guint c = 0; c < 4; c++)
			put_hex(v, light, p[c], 2, left + dx + (c & 1) * (2 * v->advance + gap), top + (c >> 1) * line + base);
	}
}

/* The samples of a pixel of the anti-aliased EFB: three bars at its lower edge. */
static void paint_samples(QsFrameView *self, cairo_t *cr, const QsView *view, Span span)
{
	const double width = self->scale / 3, height = MAX(self->scale / 8, 3);
	guint8 rgba[3][4];
	guint32 z[3];

	for (int y = span.y0; y < span.y1; y++)
		for (int x = span.x0; x < span.x1; x++) {
			if (qs_view_samples(view, x, y, rgba, z) != 3)
				continue;
			for (int k = 0; k < 3; k++) {
				cairo_set_source_rgb(cr, rgba[k][0] / 255.0, rgba[k][1] / 255.0, rgba[k][2] / 255.0);
				cairo_rectangle(cr, sx(self, x) + k * width, sy(self, y + 1) - height, width, height);
				cairo_fill_preserve(cr);
				cairo_set_source_rgba(cr, 0.5, 0.5, 0.5, 0.8);
				cairo_set_line_width(cr, 1);
				cairo_stroke(cr);
			}
		}
}

static void paint_values(QsFrameView *self, cairo_t *cr, const struct qs_image *image, Span span)
{
	Values v;

	/* Four digits and a gap across a pixel; in the smallest ones there is no room for a margin. */
	values_init(&v, cr, MIN(self->scale * (self->scale < 24 ? 0.385 : 0.32), 14));
	v.bars = frame_is_efb(self) && qs_session_get_view(self->session)->samples != NULL;
	for (int y = span.y0; y < span.y1; y++)
		for (int x = span.x0; x < span.x1; x++)
			put_pixel(self, &v, image, x, y);
	values_show(&v, cr);
}

/* ---- overlays ----------------------------------------------------------------------------------------------------------- */

static cairo_surface_t *map_surface(const QsDrawAnswer *draw, const guint8 *map, guint32 (*colour)(guint8 value))
{
	cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, (int)draw->width, (int)draw->height);

	for (gsize y = 0; y < draw->height; y++) {
		guint32 *row = (guint32 *)(void *)(cairo_image_surface_get_data(surface) +
			y * (gsize)cairo_image_surface_get_stride(surface));

		for (gsize x = 0; x < draw->width; x++)
			row[x] = colour(map[y * draw->width + x]);
	}
	cairo_surface_mark_dirty(surface);
	return surface;
}

/* Premultiplied ARGB. */
static guint32 highlight_colour(guint8 covered)
{
	return covered ? 0x60560044u : 0;
}

/* Pixels that are not covered beside one that is: what the draw gave keeps its colours. */
static cairo_surface_t *outline_surface(const QsDrawAnswer *draw)
{
	const int w = (int)draw->width, h = (int)draw->height;
	cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, w, h);

	for (int y = 0; y < h; y++) {
		guint32 *row = (guint32 *)(void *)(cairo_image_surface_get_data(surface) + y * cairo_image_surface_get_stride(surface));
		const guint8 *at = draw->covered + (gsize)y * draw->width;

		for (int x = 0; x < w; x++)
			if (!at[x] && ((x > 0 && at[x - 1]) || (x + 1 < w && at[x + 1]) || (y > 0 && at[x - w]) || (y + 1 < h && at[x + w])))
				row[x] = 0xffff4fd8u;
	}
	cairo_surface_mark_dirty(surface);
	return surface;
}

static void paint_wire(QsFrameView *self, cairo_t *cr, QsView *view)
{
	cairo_set_line_width(cr, 1);
	cairo_set_line_join(cr, CAIRO_LINE_JOIN_BEVEL);
	for (int now = 0; now < 2; now++) {
		for (guint i = 0; i < self->draw.part_count; i++) {
			const QsPart *part = &self->draw.parts[i];
			const gboolean current = view->moment.level >= QS_LEVEL_PRIMITIVE && part->primitive == view->moment.primitive;

			if (current != now || part->verdict != QS_SETUP_DRAWN)
				continue;
			cairo_move_to(cr, sx(self, part->x[0]), sy(self, part->y[0]));
			cairo_line_to(cr, sx(self, part->x[1]), sy(self, part->y[1]));
			cairo_line_to(cr, sx(self, part->x[2]), sy(self, part->y[2]));
			cairo_close_path(cr);
			if (i % 256 == 255 && !now) { /* long paths are slow */
				cairo_set_source_rgba(cr, 0.2, 0.9, 1, 0.8);
				cairo_stroke(cr);
			}
		}
		cairo_set_source_rgba(cr, now ? 1 : 0.2, now ? 0.85 : 0.9, now ? 0.1 : 1, now ? 1 : 0.8);
		cairo_stroke(cr);
	}
}

static void paint_coverage(QsFrameView *self, cairo_t *cr, const struct qs_quad_place *q, gboolean samples)
{
	for (int f = 0; f < 4; f++) {
		const guint bits = q->coverage >> 3 * f & 7u;
		const double x = sx(self, q->x + (f & 1)), y = sy(self, q->y + (f >> 1));

		if (!bits)
			continue;
		cairo_set_source_rgba(cr, 1, 0.6, 0, samples ? 0.28 : 0.4);
		cairo_rectangle(cr, x, y, self->scale, self->scale);
		cairo_fill(cr);
		for (int s = 0; samples && s < 3; s++) {
			cairo_set_source_rgba(cr, 1, 0.8, 0.2, bits >> s & 1 ? 1 : 0.25);
			cairo_rectangle(cr, x + self->scale * (0.35 + 0.15 * s) - 1.5, y + self->scale - 5, 3, 3);
			cairo_fill(cr);
		}
	}
}

static void paint_quads(QsFrameView *self, cairo_t *cr, QsView *view, Span span)
{
	const gboolean detail = self->scale >= 6;

	for (guint i = 0; i < view->quad_count; i++) {
		const struct qs_quad_place *q = &view->quads[i];

		if (q->x + 2 <= span.x0 || q->x >= span.x1 || q->y + 2 <= span.y0 || q->y >= span.y1)
			continue;
		if (detail || self->scale >= 1)
			paint_coverage(self, cr, q, self->scale >= 16);
	}
	if (!detail)
		return;
	cairo_set_line_width(cr, 1);
	cairo_set_source_rgba(cr, 1, 0.7, 0.1, 0.9);
	for (guint i = 0; i < view->quad_count; i++) {
		const struct qs_quad_place *q = &view->quads[i];

		if (q->x + 2 > span.x0 && q->x < span.x1 && q->y + 2 > span.y0 && q->y < span.y1)
			cairo_rectangle(cr, floor(sx(self, q->x)) + 0.5, floor(sy(self, q->y)) + 0.5, 2 * self->scale, 2 * self->scale);
	}
	cairo_stroke(cr);
}

static void paint_box(QsFrameView *self, cairo_t *cr, int x, int y, int pixels, const double colour[3])
{
	const double left = floor(sx(self, x)) - 0.5, top = floor(sy(self, y)) - 0.5, size = pixels * self->scale + 1;

	cairo_set_line_width(cr, 3);
	cairo_set_source_rgba(cr, 0, 0, 0, 0.75);
	cairo_rectangle(cr, left, top, size, size);
	cairo_stroke(cr);
	cairo_set_line_width(cr, 1);
	cairo_set_source_rgb(cr, colour[0], colour[1], colour[2]);
	cairo_rectangle(cr, left, top, size, size);
	cairo_stroke(cr);
}

static void paint_marks(QsFrameView *self, cairo_t *cr, QsView *view)
{
	static const double yellow[3] = {1, 0.85, 0.1}, white[3] = {1, 1, 1}, grey[3] = {0.75, 0.75, 0.75};
	int x, y;

	if (view->has_quad) {
		paint_box(self, cr, view->quad.x, view->quad.y, 2, yellow);
		if (view->moment.level >= QS_LEVEL_FRAGMENT && self->scale >= 4)
			paint_box(self, cr, view->quad.x + (int)(view->moment.fragment & 1), view->quad.y + (int)(view->moment.fragment >> 1),
				1, yellow);
	}
	if (self->scale >= 6 && qs_session_get_hover(self->session, &x, &y))
		paint_box(self, cr, x & ~1, y & ~1, 2, grey);
	if (qs_session_get_pick(self->session, &x, &y)) {
		paint_box(self, cr, x, y, 1, white);
		if (self->scale < 12)
			qs_canvas_paint_cross(&(QsPlace){self->scale, self->left, self->top, self->fit}, cr, x, y);
	}
}

static void paint_overlays(QsFrameView *self, cairo_t *cr, QsView *view, Span span)
{
	const gboolean fresh = qs_view_in_draw(view) && self->draw_command == view->moment.command &&
		self->draw_model == view->model;

	if (fresh && self->overlays & QS_OVERLAY_DRAW && self->draw.covered) {
		if (!self->highlight)
			self->highlight = map_surface(&self->draw, self->draw.covered, highlight_colour);
		paint_surface(self, cr, self->highlight);
	}
	if (fresh && self->overlays & QS_OVERLAY_OUTLINE && self->draw.covered) {
		if (!self->outline)
			self->outline = outline_surface(&self->draw);
		paint_surface(self, cr, self->outline);
	}
	if (fresh && self->overlays & QS_OVERLAY_DEPTH && self->draw.verdict) {
		if (!self->tests)
			self->tests = map_surface(&self->draw, self->draw.verdict, qs_canvas_verdict_colour);
		paint_surface(self, cr, self->tests);
	}
	if (self->overlays & QS_OVERLAY_QUADS)
		paint_quads(self, cr, view, span);
	if (fresh && self->overlays & QS_OVERLAY_WIRE)
		paint_wire(self, cr, view);
}

/* ---- all ---------------------------------------------------------------------------------------------------------------- */

void frame_paint(QsFrameView *self, GtkSnapshot *snapshot, int width, int height)
{
	const graphene_rect_t bounds = GRAPHENE_RECT_INIT(0, 0, (float)width, (float)height);
	/* The same neutral surroundings in light and dark: colours are judged here. */
	const GdkRGBA surroundings = {0.17f, 0.17f, 0.18f, 1};
	const struct qs_image *image = frame_image(self);
	QsView *view = self->session ? qs_session_get_view(self->session) : NULL;
	cairo_t *cr;
	Span span;

	gtk_snapshot_append_color(snapshot, &surroundings, &bounds);
	if (!image || !image->rgba || width <= 0 || height <= 0)
		return;
	cr = gtk_snapshot_append_cairo(snapshot, &bounds);
	paint_surface(self, cr, picture(self, image));
	span = visible(self, width, height, (int)image->width, (int)image->height);
	if (self->scale >= 8)
		paint_grid(self, cr, span);
	if (frame_is_efb(self) && !self->before)
		paint_overlays(self, cr, view, span);
	if (frame_is_efb(self) && self->overlays & QS_OVERLAY_SCRIPT)
		frame_paint_shapes(self, cr, width, height);
	if (self->scale >= 16 && self->values)
		paint_values(self, cr, image, span);
	if (self->scale >= 16 && self->values && frame_is_efb(self) && !self->before && view && view->samples)
		paint_samples(self, cr, view, span);
	if (frame_is_efb(self))
		paint_marks(self, cr, view);
	if (self->before) {
		cairo_select_font_face(cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_BOLD);
		cairo_set_font_size(cr, 13);
		cairo_set_source_rgba(cr, 0, 0, 0, 0.7);
		cairo_rectangle(cr, 8, 8, 120, 22);
		cairo_fill(cr);
		cairo_set_source_rgb(cr, 1, 0.85, 0.1);
		cairo_move_to(cr, 16, 24);
		cairo_show_text(cr, "before the draw");
	}
	cairo_destroy(cr);
}
