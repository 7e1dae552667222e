/* exec_math.c - the mathematics of ChrisOS, one number at a time
 *
 * Single precision throughout, in the order of operations the specification gives (spec 02 section 1).  exec_kernels.h has the
 * same recipes for vectors; tests/check_csir_exec proves them equal.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "gfx3d/csir.h"
#include "gfx3d/exec.h"

static float wrap(float x)
{
	for (int i = 0; i < CSIR_WRAP_STEPS && x > CSIR_PI; i++)
		x -= CSIR_TWO_PI;
	for (int i = 0; i < CSIR_WRAP_STEPS && x < -CSIR_PI; i++)
		x += CSIR_TWO_PI;
	return x;
}

float csir_sin(float x)
{
	float term = wrap(x), sum = term, square = term * term;

	for (int i = 1; i <= CSIR_SIN_TERMS; i++) {
		term *= square;
		term /= (float)(2 * i * (2 * i + 1));
		sum = i & 1 ? sum - term : sum + term;
	}
	return sum;
}

float csir_cos(float x)
{
	return csir_sin(x + CSIR_HALF_PI);
}

float csir_exp_series(float x)
{
	float term = 1, sum = 1;

	if (x > CSIR_EXP_LIMIT)
		x = CSIR_EXP_LIMIT;
	if (x < -CSIR_EXP_LIMIT)
		x = -CSIR_EXP_LIMIT;
	for (int i = 1; i <= CSIR_EXP_TERMS; i++) {
		term *= x / (float)i;
		sum += term;
	}
	return sum;
}

float csir_log_series(float a)
{
	int exponent = 0;
	float power, u, sum = 0;

	if (a <= 0)
		return 0;
	for (int i = 0; i < CSIR_LOG_STEPS && a > 2; i++, exponent++)
		a *= 0.5f;
	for (int i = 0; i < CSIR_LOG_STEPS && a < 1; i++, exponent--)
		a *= 2;
	u = power = a - 1;
	for (int i = 1; i <= CSIR_LOG_TERMS; i++) {
		sum = i & 1 ? sum + power / (float)i : sum - power / (float)i;
		power *= u;
	}
	return sum + (float)exponent * CSIR_LN2;
}

/* Conversion to a 32-bit integer as x86 does it: what does not fit becomes the smallest number. */
int32_t csir_to_int(float a)
{
	return a >= -2147483648.0f && a < 2147483648.0f ? (int32_t)a : INT32_MIN;
}

static float whole_power(float a, int exponent)
{
	float result = a < 0 && (exponent & 1) ? -1.0f : 1.0f;

	if (a < 0)
		a = -a;
	for (int i = 0; i < exponent; i++)
		result *= a;
	return result;
}

float csir_pow(float a, float b)
{
	int32_t whole = csir_to_int(b);

	if (a == 0)
		return 0;
	if ((float)whole == b && whole >= 0 && whole < CSIR_POW_WHOLE)
		return whole_power(a, whole);
	return a < 0 ? 0 : csir_exp_series(b * csir_log_series(a));
}

float csir_rsq(float a)
{
	return a > 0 ? 1 / csir_pow(a, 0.5f) : 0;
}

float csir_trunc(float a)
{
	return (float)csir_to_int(a);
}

/* ---- as the quirks say ---------------------------------------------------------------------------------------------------- */

float csir_q_rcp(float a, const struct csir_maths *m)
{
	return a == 0 && !m->rcp_zero ? 0 : 1 / a;
}

float csir_q_rsq(float a, const struct csir_maths *m)
{
	if (!(a > 0) && !m->rsq_domain)
		return 0;
	if (!m->rsq_math && a > 0)
		return csir_rsq(a);
	return 1 / sqrtf(a); /* -0 gives -infinity as 1 / sqrt does; negative numbers NaN */
}

float csir_q_pow(float a, float b, const struct csir_maths *m)
{
	if (a == 0 && b == 0)
		return m->pow_zero ? 1 : 0;
	if (a < 0) {
		if (m->pow_negative == 1)
			return NAN;
		if (m->pow_negative == 2)
			return powf(a, b);
		return csir_pow(a, b);
	}
	return m->pow_math ? powf(a, b) : csir_pow(a, b);
}

float csir_q_sin(float a, const struct csir_maths *m)
{
	return m->trig_math ? sinf(a) : csir_sin(a);
}

float csir_q_cos(float a, const struct csir_maths *m)
{
	return m->trig_math ? cosf(a) : csir_cos(a);
}

float csir_q_trunc(float a, const struct csir_maths *m)
{
	return m->trunc_range ? truncf(a) : csir_trunc(a);
}

bool csir_q_relation(float a, float b, int relation)
{
	switch (relation) {
	case CSIR_LT: return a < b;
	case CSIR_GT: return a > b;
	case CSIR_LE: return a <= b;
	case CSIR_GE: return a >= b;
	case CSIR_EQ: return a == b;
	default: return a != b;
	}
}
