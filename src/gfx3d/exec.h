/* exec.h - inside the interpreter: what a plan is
 *
 * A plan is the program taken apart into lanes: moving, swizzling and loading only rename, every arithmetic result is a *value*
 * of one number per thread, and values nobody needs are never computed.  Values that are the same for all threads are computed
 * once, when the plan is prepared.  A value lives in a *row* of 64 floats; rows are shared by values whose lives do not
 * overlap.  Branches run both sides for all threads and choose afterwards; a side that no thread takes is jumped over.
 *
 *   exec_build.c  instructions to values        exec_plan.c  dead values, rows         exec_run.c  one batch (exec_kernels.h)
 *   exec_tap.c    the plain way, register by register, for taps and absent inputs       exec_math.c  numbers
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef GFX3D_EXEC_H
#define GFX3D_EXEC_H

#include <string.h>

#include "gfx3d/csir.h"

#define CSIR_PI 3.14159265f
#define CSIR_TWO_PI 6.2831853f
#define CSIR_HALF_PI 1.5707963f
#define CSIR_LN2 0.693147f
#define CSIR_WRAP_STEPS 16
#define CSIR_SIN_TERMS 6
#define CSIR_EXP_LIMIT 10.0f
#define CSIR_EXP_TERMS 16
#define CSIR_LOG_STEPS 32
#define CSIR_LOG_TERMS 20
#define CSIR_POW_WHOLE 16

/* Quirks of the mathematics, by value. */
struct csir_maths {
	int rcp_zero, rsq_domain, rsq_math, pow_math, pow_negative, pow_zero, trig_math, trunc_range;
};

static inline uint32_t csir_bits(float a)
{
	uint32_t bits;

	memcpy(&bits, &a, sizeof bits);
	return bits;
}

int32_t csir_to_int(float a);
float csir_q_rcp(float a, const struct csir_maths *maths);
float csir_q_rsq(float a, const struct csir_maths *maths);
float csir_q_pow(float a, float b, const struct csir_maths *maths);
float csir_q_sin(float a, const struct csir_maths *maths);
float csir_q_cos(float a, const struct csir_maths *maths);
float csir_q_trunc(float a, const struct csir_maths *maths);
bool csir_q_relation(float a, float b, int relation);
char *csir_digits(float value, char buffer[24]); /* the digits ChrisOS writes */
float csir_q_immediate(float value);             /* what is left of a number in them */

/* ---- values --------------------------------------------------------------------------------------------------------------- */

enum row_op {
	ROW_CONSTANT, /* number */
	ROW_INPUT,    /* aux: index into the input table */
	ROW_ADD, ROW_SUB, ROW_MUL, ROW_MAX, ROW_MIN, ROW_ABS,
	ROW_MUL0,     /* 0 + a * b: the first step of a sum */
	ROW_MAD,      /* c + a * b, rounded twice */
	ROW_RCP, ROW_RSQ, ROW_SIN, ROW_COS, ROW_POW, ROW_TRUNC,
	ROW_LT, ROW_LE, ROW_EQ, ROW_NE, /* 1 or 0 */
	ROW_BOOL,     /* all bits set where a is not 0 */
	ROW_SELECT,   /* bits of c: a where set, else b */
	ROW_DDX, ROW_DDY, /* a of the neighbour in the quad minus a */
	ROW_TEXEL,    /* lane aux of the sample just before; a: the sample */
	ROW_PURE_END, /* from here on: order matters */
	ROW_SAMPLE = ROW_PURE_END, /* a, b: coordinate; aux: slot */
	ROW_IF,       /* a: BOOL value; aux: where to go when no thread takes it */
	ROW_ELSE, ROW_ENDIF, /* aux of ELSE: its ENDIF */
	ROW_DISCARD,  /* aux: first of the output values at this point, in plan->flush */
};

#define VALUE_NONE UINT32_MAX

struct value {
	uint8_t op;
	bool live, fixed; /* fixed: the same for all threads, computed by prepare */
	int32_t aux;
	uint32_t a, b, c; /* operands; ELSE and ENDIF: a is their IF */
	uint32_t last;    /* number of its last reader */
	float number;
	int32_t row;
};

/* Inputs: lanes of attributes, varyings, the fragment coordinate, and old contents of varying outputs. */
enum { INPUT_ATTR = 0, INPUT_VARY = 32, INPUT_FCOORD = 64, INPUT_OLD = 68, INPUT_COUNT = 100 };

/* Outputs: lanes of position, colour, varyings. */
enum { OUTPUT_POSITION = 0, OUTPUT_COLOUR = 4, OUTPUT_VARY = 8, OUTPUT_COUNT = 40 };

typedef float csir_row[CSIR_THREADS] __attribute__((aligned(64)));

/* What is left of a value after planning. */
struct step {
	uint8_t op;
	int32_t aux;
	const float *a, *b, *c;
	float *dst;
};

struct csir_plan {
	const struct csir_shader *shader;
	struct g3_quirks quirks;
	struct csir_maths maths;
	struct csir_inputs inputs;
	float uniforms[CSIR_UNIFORM_SLOTS * 4];
	float imm[CSIR_IMM_MAX]; /* as the quirk immediates leaves them */
	bool has_uniforms;
	int16_t remap[CSIR_VARY_MAX];
	uint32_t length; /* instructions that run */
	bool loads_fcoord, discards;
	bool plain; /* no AVX2 even where there is (tests) */

	/* values, while planning */
	void *builder; /* exec_build.c */
	struct value *value;
	uint32_t value_count, value_capacity;
	uint32_t *flush; /* OUTPUT_COUNT values per DISCARD */
	uint32_t flush_count, flush_capacity;
	uint32_t output[OUTPUT_COUNT];
	bool failed;

	/* rows and steps */
	csir_row *rows;
	uint32_t row_count, row_capacity;
	struct step *step;
	uint32_t step_capacity, step_count, fixed_count; /* the first fixed_count are computed by prepare */
	const float **flush_row;         /* as flush, but where; NULL: untouched */
	const float *output_row[OUTPUT_COUNT];
	uint8_t used_input[INPUT_COUNT]; /* what is copied to rows before a batch */
	unsigned used_count;
	int32_t input_row[INPUT_COUNT];

	/* the plain way */
	struct csir_vec *registers;
	uint32_t register_count, register_capacity;
};

/* exec_build.c: values of the first `length` instructions. */
bool csir_plan_build(struct csir_plan *plan, struct qs_error *error);
/* exec_run.c, exec_avx2.c: steps first to last - 1. */
struct csir_run {
	struct csir_plan *plan;
	struct csir_batch *batch;
	uint64_t alive;
	uint32_t vectors; /* of 8 threads */
};
void csir_run_fixed(struct csir_plan *plan, uint32_t count); /* the first steps, for all threads alike */
void csir_run_plain(struct csir_run *run, uint32_t first, uint32_t last);
void csir_run_avx2(struct csir_run *run, uint32_t first, uint32_t last);
void csir_finish_plain(struct csir_run *run); /* outputs of the threads still alive */
void csir_finish_avx2(struct csir_run *run);
/* exec_tap.c */
void csir_exec_plain(struct csir_plan *plan, struct csir_batch *batch);
/* Texels for the threads of mask, through the caller's function or the nearest texel. */
void csir_plan_sample(const struct csir_plan *plan, int slot, uint64_t mask, const struct csir_vec *at, struct csir_vec *out);

#endif
