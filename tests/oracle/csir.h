/* csir.h - one invocation of a CSIR program, one number at a time, from the specification
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ORACLE_CSIR_H
#define ORACLE_CSIR_H

#include "gfx3d/csir.h"

struct oracle_csir_in {
	const float *attr;     /* 32 */
	const float *uniforms; /* 128 */
	const float *vary;     /* 32 */
	const float *fcoord;   /* 4 */
	const int16_t *remap;
	const struct csir_texture *texture; /* CSIR_SAMPLER_MAX or NULL */
	const struct oracle_csir_in *quad;  /* the four fragments this one is one of; NULL: alone */
	unsigned corner;                    /* which of them it is */
	unsigned whole;                     /* instructions of the run this is the beginning of, 0: cut */
	bool absent;                        /* in a quad: not there */
};

struct oracle_csir_out {
	float position[4], colour[4], vary[CSIR_VARY_MAX][4];
	bool discarded;
	float temp[CSIR_TEMP_MAX][4];
};

/* out->vary comes in with what the caller had there.  Returns 0, or -1 as the specification says. */
int oracle_csir(const struct csir_shader *shader, const struct g3_quirks *quirks, unsigned cut, const struct oracle_csir_in *in,
	struct oracle_csir_out *out);

float oracle_csir_sin(float x);
float oracle_csir_exp(float x);
float oracle_csir_log(float x);
float oracle_csir_pow(float a, float b);

#endif
