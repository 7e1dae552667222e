/* gx_vertex.h - XF as a vertex program: what shapes it, what goes in, what its constants hold
 *
 * gx_vertex.c keys, whole programs, positions; gx_vertex_light.c colours; gx_vertex_texgen.c coordinates; gx_vertex_fill.c
 * constants; gx_feed.c which draws can go this way, and their vertices and indices.
 *
 * The program does what xf.c, light.c and texgen.c do, operation by operation in the same order, and after it the viewport,
 * the widening of points and lines and the texture sizes of SU.  The host clips and culls.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIRGL_GX_VERTEX_H
#define VIRGL_GX_VERTEX_H

#include "gx/su.h"
#include "virgl/device.h"
#include "virgl/gx_shader.h"

struct gx_key_texgen {
	uint8_t type, source, stq, three; /* stq: the source keeps its third element; three: rows of the matrix */
	uint8_t from, light, normalize;
};

/* Plain data, zeroed before it is filled: compared as bytes. */
struct gx_vertex_key {
	uint8_t ncol, ntex;         /* outputs */
	uint8_t channels, texgens;  /* computed */
	uint8_t kind;               /* enum qs_primitive_kind */
	uint8_t orthographic, shortened_z, zero_is_nan, light_overflow, concatenated, no_normal;
	uint8_t affine;             /* colours are interpolated on the screen: they are passed on times w */
	uint8_t unit;               /* GX_GENERIC_UNIT is wanted */
	uint8_t snap;               /* screen coordinates are rounded to 1/16 */
	uint8_t clip, guard, far_w; /* clip distances; x and y at guard times w; far side w = 0 */
	uint8_t frozen, dual;
	uint8_t probe;              /* results are asked for: the clip position as GX_GENERIC_UNIT, the place is IN[corner] */
	uint16_t indexed;           /* matrix indices a vertex brings: bit 0 position, 1 + n texgen n */
	uint16_t control[2][2];     /* of channel: colour, alpha */
	struct gx_key_texgen texgen[8];
};

/* Attributes of the vertices, in this order.  IN[0] is the position with the position matrix's first row in w. */
struct gx_vertex_layout {
	bool normal, vectors, colour[2]; /* vectors: tangent and binormal */
	uint8_t tex[8], tex_count;       /* which coordinates, two an attribute */
	uint8_t index[8], index_count;   /* matrix rows of these texgens, four an attribute */
	bool corner, other;              /* points and lines: where in the shape; a line's other end as in IN[0] */
	unsigned elements, stride;       /* stride: in bytes */
	unsigned at_normal, at_vectors, at_colour[2], at_tex, at_index, at_corner, at_other; /* numbers of IN */
};

void gx_vertex_key_make(const struct gx_machine *m, enum qs_primitive_kind kind, struct gx_vertex_key *key);
void gx_vertex_layout(const struct gx_vertex_key *key, struct gx_vertex_layout *layout);
unsigned gx_vertex_elements(const struct gx_vertex_layout *layout, struct virgl_element elements[16]);
bool gx_vertex_program(const struct gx_vertex_key *key, struct gx_program *program);

/* Contents of constants of kind GX_CONSTANT_XF, by index. */
enum gx_xf_constant {
	GX_XF_ROW = 0,    /* + row: of position and texture matrices, as vertices index them */
	GX_XF_ROWS = 66,  /* the last matrix begins at row 63 */
	GX_XF_NORMAL = 72, /* + row: of normal matrices */
	GX_XF_NORMALS = 34,
	GX_XF_POSITION = 108, /* + 0..2: row of the position matrix that MATINDEX names */
	GX_XF_EYE = 112,      /* + 0..2: row of its normal matrix */
	GX_XF_TEXTURE = 120,  /* + 3*texgen + row */
	GX_XF_POST = 144,     /* + 3*texgen + row */
	GX_XF_LIGHT = 168,    /* + 8*light + enum gx_xf_light */
	GX_XF_MATERIAL = 232, /* + channel, 0..255 */
	GX_XF_AMBIENT = 234,
	GX_XF_PROJECTION = 236, /* 0: the first four numbers, 1: the other two */
	GX_XF_SCREEN = 238, /* clip x y z times this ... */
	GX_XF_MIDDLE,       /* ... and w times this are the host's x y z */
	GX_XF_PIXELS,       /* viewport: scale of x and y, middle of x and y */
	GX_XF_SHAPE,        /* half the width of a line, radius of a point; offset of the scissor rectangle */
	GX_XF_SIZE = 244,   /* + texgen: texels of s and t; what points add to them */
	GX_XF_LINE_SIZE = 252, /* + texgen: texels of s and t; what lines add to them */
	GX_XF_FROZEN = 260, /* clip x, y and w times this are Z; then Z by pixels */
};

enum gx_xf_light { GX_LIGHT_COLOUR, GX_LIGHT_ANGLE, GX_LIGHT_DISTANCE, GX_LIGHT_POSITION, GX_LIGHT_DIRECTION };

void gx_vertex_fill(const struct gx_machine *m, const struct su_scissor *scissor, const struct gx_program *program, uint32_t *words);

/* ---- between the files of the generator ----------------------------------------------------------------------------------- */

struct gx_vertex_writer {
	struct gx_text t;
	const struct gx_vertex_key *key;
	struct gx_vertex_layout in;
	unsigned eye, clip;        /* temporaries: xyz, xyzw */
	unsigned vector[3];        /* eye normal, tangent, binormal */
	unsigned in_colour[2], colour[2]; /* 0..255 as floats */
	unsigned tex[8];           /* stq */
	unsigned scratch;
	unsigned snapped;          /* xy: what rounding added, in pixels */
	unsigned rows;             /* first constant of the rows that are indexed, normal matrices behind them */
};

/* "CONST[0][n]" */
struct gx_operand gx_xf(struct gx_vertex_writer *w, unsigned index);
/* out.xyz[lane] = row . in + row.w, in the order of xf.c. */
void gx_row(struct gx_vertex_writer *w, const char *row, const char *in, bool moved, unsigned out, unsigned lane);
/* Normalises TEMP[v].xyz; length2 is left in scratch.w. */
void gx_normalize(struct gx_vertex_writer *w, unsigned v);
/* out's lane = a . b of three elements. */
void gx_dot(struct gx_vertex_writer *w, const char *a, const char *b, unsigned out, unsigned lane);
void gx_vertex_light(struct gx_vertex_writer *w);
void gx_vertex_texgen(struct gx_vertex_writer *w);

#endif
