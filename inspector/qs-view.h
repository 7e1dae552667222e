/* qs-view.h - what the window knows about one moment
 *
 * The engine thread makes these values; panels on the main loop read them.  Nobody changes one after it was made, so that a
 * panel may keep a reference as long as it likes and no panel ever waits for the engine.
 *
 *   QsCapture  the open file (shared by all views of it) and the index that the stream tree walks
 *   QsView     machine state at a moment: registers with writers, pictures, setup records, quads, counts
 *   QsTrace    the fragment that the picked pixel (or the step) is about, with all detail
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <gio/gio.h>
#include "quadscope.h"

G_BEGIN_DECLS

/* ---- the capture ---- */

typedef struct _QsStreamIndex QsStreamIndex; /* models/qs-stream-index.h */
typedef struct _QsProgram QsProgram; /* qs-gfx3d.h */

typedef struct {
	gatomicrefcount references;
	struct qs_capture *capture;
	QsStreamIndex *index;
	char *path;
	char *name; /* for titles */
} QsCapture;

/* Takes over capture.  Runs on any thread; O(commands) for the index. */
QsCapture *qs_capture_wrap(struct qs_capture *capture, const char *path);
QsCapture *qs_capture_ref(QsCapture *self);
void qs_capture_unref(QsCapture *self);

/* ---- a moment ---- */

typedef struct {
	gatomicrefcount references;
	guint64 serial; /* unique for the life of the program */
	QsCapture *capture;
	enum qs_model model; /* of a Gfx3D capture: the number of an enum qs_gfx3d_model; see qs-machine.h */
	enum qs_pipeline pipeline; /* that draws the frame; of Gfx3D SHADER is the VirGL host */
	char *trouble; /* what the host of the shader pipeline failed at; NULL: nothing */
	int *quirks; /* qs_machine_quirk_count() values */
	struct qs_moment moment;
	char text[80]; /* the moment's text form */

	guint register_count[QS_UNIT_COUNT]; /* addresses 0 .. count-1 */
	guint32 *value[QS_UNIT_COUNT];       /* by address */
	guint32 *writer[QS_UNIT_COUNT];      /* command index or QS_NONE, by address */

	guint width, height; /* of the colour buffer */
	struct qs_image image[QS_BUFFER_COUNT]; /* rgba NULL: not asked for, or see image_error */
	char *image_error[QS_BUFFER_COUNT];
	guint8 *samples;    /* width * height * 3 * 4: RGBA of the three samples of a pixel; NULL: the EFB has one a pixel */
	guint32 *sample_z;  /* width * height * 3 */

	/* What the moment is inside of; all zero between draws. */
	guint32 primitive_count;  /* of the draw */
	struct qs_setup *setup;   /* parts of the primitive */
	guint setup_count;
	char *setup_error;
	struct qs_quad_place *quads; /* of the primitive, in traversal order */
	guint32 quad_count;
	gboolean has_quad; /* moment is QUAD or finer */
	struct qs_setup quad_setup;
	struct qs_quad quad;
	guint32 quad_number; /* of that quad in the primitive */
	struct qs_vertex *vertices; /* of the draw */
	guint32 vertex_count;

	struct qs_access *accesses; /* of the processor, that scripts added */
	guint access_count;
	struct qs_breakpoint *breakpoints; /* condition is NULL here: see the text */
	char **breakpoint_text;            /* as qs_breakpoint_format gives it */
	guint breakpoint_count;
} QsView;

/* Pixels of the colour buffer, which is in every view: the EFB's 640 x 528, a Gfx3D target's own; the EFB's without a view. */
guint qs_view_width(const QsView *self);
guint qs_view_height(const QsView *self);
QsView *qs_view_ref(QsView *self);
void qs_view_unref(QsView *self);
/* Engine thread: everything at the timeline's moment; buffers is a mask of 1 << enum qs_buffer. */
QsView *qs_view_capture(QsCapture *capture, struct qs_timeline *timeline, guint buffers);

guint32 qs_view_register(const QsView *self, enum qs_unit unit, guint address); /* 0 when there is none */
guint32 qs_view_register_writer(const QsView *self, enum qs_unit unit, guint address); /* QS_NONE when there is none */
/* The value of a field by name: qs_view_field(view, QS_UNIT_BP, "GEN_MODE", "ntev"); 0 when there is none. */
guint32 qs_view_field(const QsView *self, enum qs_unit unit, const char *reg, const char *field);
/* FALSE outside, or when the buffer is not in the view.  z may be NULL. */
gboolean qs_view_pixel(const QsView *self, enum qs_buffer buffer, int x, int y, guint8 rgba[4], guint32 *depth);
/* "samples #ff0000ff 123456, ..." of a pixel with several; NULL: it has one.  Free with g_free. */
char *qs_samples_text(const QsView *self, int x, int y);
/* Number of samples of the pixel: 3, or 1 and the pixel itself; 0 outside. */
guint qs_view_samples(const QsView *self, int x, int y, guint8 rgba[3][4], guint32 z[3]);
gboolean qs_view_in_draw(const QsView *self);
gboolean qs_view_same_breakpoints(const QsView *a, const QsView *b); /* either may be NULL */

/* ---- a fragment ---- */

typedef struct {
	gatomicrefcount references;
	guint64 serial; /* of the view it belongs to */
	int x, y;       /* pixel */
	gboolean has_pixel; /* rgba and z are of the EFB at the moment */
	guint8 rgba[4];
	guint32 z;
	gboolean found; /* a fragment reached the pixel; the rest up to `quad` is set */
	gboolean in_draw; /* it is of the view's draw; else it is the last writer's */
	struct qs_moment moment; /* FRAGMENT level */
	char text[80];
	guint fragment; /* 0..3 within the quad */
	struct qs_setup setup;
	struct qs_quad quad;
	gboolean has_writer; /* last fragment that wrote the pixel at or before the moment, in this frame */
	struct qs_moment writer;
	char writer_text[80];
	char *sentence; /* verdict for a person */
	/* Where the view is of a whole draw or between draws: the primitive that made the fragment, or when the view's draw does not touch
	 * the pixel the last one of it that covers anything.  A view at PRIMITIVE level without pictures, its quad the fragment's;
	 * NULL: none. */
	QsView *primitive;
	QsProgram *program; /* Gfx3D: the shaders and what they did; NULL: not found, or the Flipper */
} QsTrace;

QsTrace *qs_trace_ref(QsTrace *self);
void qs_trace_unref(QsTrace *self);
/* A pixel that is worth looking at: the nearest to the picture's middle that the view's quad, primitive or draw wrote, else that
 * anything in the frame has written up to there.  FALSE: there is none.  Engine thread; moves the timeline. */
gboolean qs_view_choose_pixel(const QsView *view, struct qs_timeline *timeline, int *x, int *y, struct qs_error *error);
/* Engine thread, timeline at the view's moment; may move the timeline. */
QsTrace *qs_trace_capture(const QsView *view, struct qs_timeline *timeline, int x, int y, struct qs_error *error);

/* "Written: depth 0x7f3a10 lequal 0xffffff passed."  Free with g_free. */
char *qs_fragment_sentence(const struct qs_fragment *fragment);
const char *qs_compare_name(guint function); /* never less equal lequal greater nequal gequal always */

G_DEFINE_AUTOPTR_CLEANUP_FUNC(QsCapture, qs_capture_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(QsView, qs_view_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(QsTrace, qs_trace_unref)

G_END_DECLS
