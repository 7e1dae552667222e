/* qs-gfx3d.h - questions to the engine that only captures of Gfx3D calls answer, and the VirGL host beside it
 *
 * Answers are borrowed and bound to the view as in qs-request.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "gfx3d.h"
#include "qs-request.h"

G_BEGIN_DECLS

/* ---- the program of a fragment: part of its trace ---- */

typedef struct {
	guint count;
	char **text;       /* CSIR, without number */
	guint32 *line;     /* of the source, from 1; 0: not known */
	char **source;     /* lines, ends with NULL; empty: the stage came as CSIR */
} QsShaderText;

struct _QsProgram {
	QsShaderText stage[2];        /* enum qs_shader_stage */
	struct qs_gfx3d_quad quad;    /* with the fragment shader's steps, up to the moment */
	guint32 vertex[3];            /* of the primitive: numbers in the mesh */
	struct qs_gfx3d_step *vertex_step;
	guint32 vertex_step_count;
};

/* Engine thread, timeline at a QUAD moment or finer; NULL: a capture of the Flipper. */
QsProgram *qs_program_capture(struct qs_timeline *timeline);
void qs_program_free(QsProgram *self);
/* Step of the instruction; NULL: it did not run. */
const struct qs_gfx3d_step *qs_program_step(const QsProgram *self, guint stage, guint instruction);

/* "written: depth 0.125 less 1 passed" with the model's own numbers; free with g_free. */
char *qs_gfx3d_sentence(const QsProgram *self, guint fragment);

/* ---- the host ---- */

/* Engine thread: the host that replays the open capture, started on demand; NULL: error says what to install. */
struct qs_gfx3d_host *qs_engine_host(QsEngine *engine, struct qs_error *error);
/* Engine thread: a view of the timeline's moment, with the host's pictures when that is chosen. */
QsView *qs_engine_view(QsEngine *engine, guint buffers);

/* Registers of a shader on the host, behind one instruction each: of the fragment shader at a pixel, or of the vertex shader for a corner. */
#define QS_HOST_VALUES 8 /* in one question: what comes next need not wait long */
typedef struct {
	guint instruction, reg;
	gboolean reached; /* the fragment or vertex got there; else value is nothing */
	float value[4];
} QsHostValue;
typedef struct {
	guint32 command, primitive;
	gboolean vertex;
	guint corner; /* of the vertex shader */
	int x, y;     /* of the fragment shader */
	guint count;
	QsHostValue value[QS_HOST_VALUES];
} QsHostQuestion;
typedef void (*QsHostDone)(GObject *owner, const QsHostQuestion *answer, const struct qs_error *error);
void qs_request_host_values(QsSession *session, GObject *owner, const QsHostQuestion *question, QsHostDone done);

/* ---- tables ---- */

typedef struct {
	struct qs_gfx3d_row *rows, *before; /* at the moment and at the draw before it */
	guint32 count, before_count;
	char before_text[80]; /* that moment */
} QsRowsAnswer;
typedef void (*QsRowsDone)(GObject *owner, QsRowsAnswer *answer, const struct qs_error *error); /* may steal the arrays (free) */
void qs_request_rows(QsSession *session, GObject *owner, QsRowsDone done);

typedef struct {
	struct qs_gfx3d_vertex *vertices; /* three per primitive */
	guint32 count;
	struct qs_gfx3d_port *ports;
	guint32 port_count;
} QsVerticesAnswer;
typedef void (*QsVerticesDone)(GObject *owner, QsVerticesAnswer *answer, const struct qs_error *error); /* may steal (free, g_free) */
void qs_request_vertices(QsSession *session, GObject *owner, QsVerticesDone done);

/* Bound textures: levels as pictures in the form that QsTextureView shows. */
typedef struct {
	gboolean bound[QS_GFX3D_UNITS];
	struct qs_gfx3d_binding binding[QS_GFX3D_UNITS];
	QsTextureAnswer picture[QS_GFX3D_UNITS];
	char sampler[QS_GFX3D_UNITS][40]; /* of the program that reads it; "": none */
} QsBindingsAnswer;
typedef void (*QsBindingsDone)(GObject *owner, QsBindingsAnswer *answer, const struct qs_error *error); /* may steal pictures */
void qs_request_bindings(QsSession *session, GObject *owner, QsBindingsDone done);

G_END_DECLS
