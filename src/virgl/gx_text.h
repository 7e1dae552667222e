/* gx_text.h - writing a TGSI program: instructions, temporaries, immediates, constants, and which part of the pipe a line is
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIRGL_GX_TEXT_H
#define VIRGL_GX_TEXT_H

#include "quadscope.h"

#define GX_IMMEDIATES 160
#define GX_CONSTANTS 256

/* What a constant of the program is filled with at every draw. */
enum gx_constant_kind {
	GX_CONSTANT_REGISTER, /* combiner register at the start, index 0-3 */
	GX_CONSTANT_KONST,    /* of stage index */
	GX_CONSTANT_MATRIX,   /* row index%2 of the indirect matrix of stage index/2, and its shift */
	GX_CONSTANT_PE,       /* alpha references, constant alpha, Z bias */
	GX_CONSTANT_FOG,      /* 0: a c numerator, viewport; 1: b magnitude, shift, centre; 2: colour */
	GX_CONSTANT_RANGE,    /* nodes 4*index .. 4*index+3 of the range table as differences; see gx_fog.c */
	GX_CONSTANT_MAP,      /* of map index: width - 1, height - 1, twice the height's power of two, bias */
	GX_CONSTANT_LOD,      /* of map index: least and largest level of detail */
	GX_CONSTANT_XF,       /* vertex programs: enum gx_xf_constant */
};

struct gx_constant {
	uint8_t kind;
	uint16_t index;
};

/* An operand of TGSI with its four letters; small enough to be passed by value. */
struct gx_operand {
	char s[28];
};

struct gx_text {
	char *text; /* the instructions */
	size_t length, room;
	bool failed;
	unsigned instructions, temporaries, immediates, constants;
	uint32_t immediate[GX_IMMEDIATES][4];
	uint8_t immediate_used[GX_IMMEDIATES]; /* lanes */
	struct gx_constant constant[GX_CONSTANTS];
	/* parts: "stage 3", "fog" ... of the instructions from `from` on */
	struct gx_text_part {
		unsigned from;
		char name[28];
	} part[64];
	unsigned parts;
};

void gx_text_init(struct gx_text *t);
void gx_text_finish(struct gx_text *t);
/* One instruction: "UADD TEMP[1].xy, TEMP[2], IMM[0].xxxx". */
void gx_op(struct gx_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The instructions from here on belong to this part. */
void gx_part(struct gx_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
unsigned gx_temporary(struct gx_text *t);
/* An integer in all four lanes. */
struct gx_operand gx_int(struct gx_text *t, int32_t value);
struct gx_operand gx_float(struct gx_text *t, float value);
/* Four integers. */
struct gx_operand gx_ints(struct gx_text *t, int32_t x, int32_t y, int32_t z, int32_t w);
struct gx_operand gx_floats(struct gx_text *t, float x, float y, float z, float w);
/* Number of the constant with this content. */
unsigned gx_constant(struct gx_text *t, enum gx_constant_kind kind, unsigned index);
/* The first of `count` constants in a row, for relative addressing; call it once. */
unsigned gx_constant_block(struct gx_text *t, enum gx_constant_kind kind, unsigned index, unsigned count);
/* "TEMP[3].xxxx" */
struct gx_operand gx_lane(unsigned temporary, unsigned lane);

/* The whole program: head (stage word and declarations), constants, temporaries, immediates, instructions.  malloc'ed; NULL when
 * something did not fit. parts: first line of each part, counted from 0. */
char *gx_text_program(struct gx_text *t, const char *head, unsigned *first_line);

#endif
