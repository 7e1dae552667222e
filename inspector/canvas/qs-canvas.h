/* qs-canvas.h - base of pictures that zoom and pan: setup, depth, textures
 *
 * A subclass says what it shows (area), draws it (paint) and answers the pointer; the base keeps the place, the wheel, dragging
 * and the keys Z F + -.  Coordinates are the picture's: EFB pixels or texels.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct {
	double x0, y0, x1, y1;
} QsArea;

typedef struct {
	double scale;     /* screen pixels per picture pixel */
	double left, top; /* picture coordinates of the widget's corner */
	gboolean fit;     /* follows the area */
} QsPlace;

#define QS_TYPE_CANVAS (qs_canvas_get_type())
G_DECLARE_DERIVABLE_TYPE(QsCanvas, qs_canvas, QS, CANVAS, GtkWidget)

struct _QsCanvasClass {
	GtkWidgetClass parent_class;
	double max_scale;
	void (*paint)(QsCanvas *self, cairo_t *cr, int width, int height);      /* kept until qs_canvas_redraw */
	void (*paint_over)(QsCanvas *self, cairo_t *cr, int width, int height); /* NULL, or what follows the pointer */
	QsArea (*area)(QsCanvas *self);                                /* what F shows */
	QsArea (*bounds)(QsCanvas *self);                              /* where the view may be pushed; NULL: area */
	QsArea (*close_up)(QsCanvas *self);                            /* what Z shows */
	void (*point)(QsCanvas *self, double x, double y, gboolean inside);
	void (*click)(QsCanvas *self, double x, double y, int presses);
	void (*drag)(QsCanvas *self, double x, double y);              /* NULL: dragging pans; else it comes instead of click 1 */
	gboolean (*key)(QsCanvas *self, guint key, GdkModifierType state);
	gpointer padding[4];
};

/* signal: "zoom-changed" (any change of the place by the person or by fit) */
const QsPlace *qs_canvas_get_place(QsCanvas *self);
void qs_canvas_redraw(QsCanvas *self); /* what paint() draws has changed; for paint_over() gtk_widget_queue_draw is enough */
/* Takes over the zoom of another view of the same picture, whose middle is at (x, y). */
void qs_canvas_follow(QsCanvas *self, double scale, double x, double y, gboolean fit);
void qs_canvas_get_middle(QsCanvas *self, double *x, double *y);
void qs_canvas_zoom_step(QsCanvas *self, int direction);
void qs_canvas_zoom_fit(QsCanvas *self);
void qs_canvas_zoom_close(QsCanvas *self); /* the close-up, and back */
void qs_canvas_show_area(QsCanvas *self, QsArea area);
void qs_canvas_refit(QsCanvas *self);                 /* the area changed */
void qs_canvas_reveal(QsCanvas *self, QsArea area);   /* moves only when it is out of sight */
void qs_canvas_set_embedded(QsCanvas *self, gboolean embedded); /* inside something that scrolls: the wheel zooms with Ctrl only */
void qs_canvas_describe(QsCanvas *self, const char *text); /* for assistive technology */
/* Minus, factor, plus, fit: for a toolbar. */
GtkWidget *qs_canvas_make_buttons(QsCanvas *self, const char *fit_tip, const char *close_tip);

/* Screen position of a picture coordinate. */
static inline double qs_place_x(const QsPlace *place, double x)
{
	return (x - place->left) * place->scale;
}

static inline double qs_place_y(const QsPlace *place, double y)
{
	return (y - place->top) * place->scale;
}

/* ---- drawing ---- */

/* A picture from an engine image: rgb, one channel (1..4: r g b a), or opaque = FALSE with alpha; NULL when it has none. */
cairo_surface_t *qs_canvas_surface(const guint8 *rgba, guint width, guint height, guint channel, gboolean opaque);
void qs_canvas_paint_surface(const QsPlace *place, cairo_t *cr, cairo_surface_t *surface);
/* Lines between pixels; every `strong` pixels a stronger one. */
void qs_canvas_paint_grid(const QsPlace *place, cairo_t *cr, int x0, int y0, int x1, int y1, int strong);
/* Frame around pixels: dark halo, colour inside. */
void qs_canvas_paint_box(const QsPlace *place, cairo_t *cr, int x, int y, int width, int height, double r, double g, double b);
/* Of what became of a fragment, premultiplied ARGB: green passed, red failed the depth test, orange failed another one. */
guint32 qs_canvas_verdict_colour(guint8 verdict);
/* Four ticks around a pixel that is too small to be seen. */
void qs_canvas_paint_cross(const QsPlace *place, cairo_t *cr, int x, int y);

G_END_DECLS
