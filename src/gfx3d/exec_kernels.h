/* exec_kernels.h - steps of a plan over vectors of 8 threads; included once per kind of machine
 *
 * The includer defines KERNEL(name) and KERNEL_TARGET.  No operation is contracted or reordered, so every kind of machine gives
 * the same bits; threads beyond the batch compute anything.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "gfx3d/exec.h"

#pragma GCC diagnostic ignored "-Wpsabi" /* vectors are only passed to inlined functions */

typedef float vf __attribute__((vector_size(32), may_alias));
typedef int32_t vi __attribute__((vector_size(32)));
typedef float vx __attribute__((vector_size(16), may_alias));
typedef int64_t vq __attribute__((vector_size(32)));

#define INLINE static inline __attribute__((always_inline)) KERNEL_TARGET
#define WIDTH 8

#define PICK(mask, a, b) ((vf)(((mask) & (vi)(a)) | (~(mask) & (vi)(b))))

INLINE vf splat(float x)
{
	return (vf){x, x, x, x, x, x, x, x};
}

INLINE bool any(vi mask)
{
	vq q = (vq)mask;

	return (q[0] | q[1] | q[2] | q[3]) != 0;
}

INLINE vi to_int(vf a)
{
	vi fits = (a >= splat(-2147483648.0f)) & (a < splat(2147483648.0f));
	vi number = __builtin_convertvector(PICK(fits, a, splat(0)), vi);

	return (fits & number) | (~fits & INT32_MIN);
}

INLINE vf sine(vf x)
{
	vf sum, square, term;

	for (int i = 0; i < CSIR_WRAP_STEPS; i++) {
		vi above = x > splat(CSIR_PI);

		if (!any(above))
			break;
		x = PICK(above, x - splat(CSIR_TWO_PI), x);
	}
	for (int i = 0; i < CSIR_WRAP_STEPS; i++) {
		vi below = x < splat(-CSIR_PI);

		if (!any(below))
			break;
		x = PICK(below, x + splat(CSIR_TWO_PI), x);
	}
	sum = term = x;
	square = x * x;
	for (int i = 1; i <= CSIR_SIN_TERMS; i++) {
		term *= square;
		term /= splat((float)(2 * i * (2 * i + 1)));
		sum = i & 1 ? sum - term : sum + term;
	}
	return sum;
}

INLINE vf exponential(vf x)
{
	vf sum = splat(1), term = splat(1);

	x = PICK(x > splat(CSIR_EXP_LIMIT), splat(CSIR_EXP_LIMIT), x);
	x = PICK(x < splat(-CSIR_EXP_LIMIT), splat(-CSIR_EXP_LIMIT), x);
	for (int i = 1; i <= CSIR_EXP_TERMS; i++) {
		term *= x / splat((float)i);
		sum += term;
	}
	return sum;
}

INLINE vf logarithm(vf a)
{
	vi zero = a <= splat(0), exponent = {0};
	vf u, power, sum = splat(0);

	for (int i = 0; i < CSIR_LOG_STEPS; i++) {
		vi big = a > splat(2);

		if (!any(big))
			break;
		a = PICK(big, a * splat(0.5f), a);
		exponent -= big;
	}
	for (int i = 0; i < CSIR_LOG_STEPS; i++) {
		vi small = (a < splat(1)) & ~zero;

		if (!any(small))
			break;
		a = PICK(small, a * splat(2), a);
		exponent += small;
	}
	u = power = a - splat(1);
	for (int i = 1; i <= CSIR_LOG_TERMS; i++) {
		sum = i & 1 ? sum + power / splat((float)i) : sum - power / splat((float)i);
		power *= u;
	}
	sum += __builtin_convertvector(exponent, vf) * splat(CSIR_LN2);
	return PICK(zero, splat(0), sum);
}

INLINE vf whole_power(vf a, vi exponent)
{
	vi odd = (exponent & 1) != 0;
	vf result = PICK((a < splat(0)) & odd, splat(-1), splat(1));

	a = PICK(a < splat(0), -a, a);
	for (int i = 0; i < CSIR_POW_WHOLE - 1; i++) {
		vi more = i < exponent;

		if (!any(more))
			break;
		result = PICK(more, result * a, result);
	}
	return result;
}

INLINE vf power(vf a, vf b)
{
	vi whole = to_int(b), zero = a == splat(0);
	vi repeated = (__builtin_convertvector(whole, vf) == b) & (whole >= 0) & (whole < CSIR_POW_WHOLE);
	vi general = ~repeated & ~zero & ~(a < splat(0));
	vf result = splat(0);

	if (any(repeated & ~zero))
		result = PICK(repeated & ~zero, whole_power(a, whole & repeated), result);
	if (any(general))
		result = PICK(general, exponential(b * logarithm(a)), result);
	return result;
}

INLINE vf reciprocal_root(vf a)
{
	vi above = a > splat(0);

	/* power(a, 0.5) for a above 0 is its general case */
	return PICK(above, splat(1) / exponential(splat(0.5f) * logarithm(a)), splat(0));
}

INLINE vf root(vf a)
{
	return (vf){sqrtf(a[0]), sqrtf(a[1]), sqrtf(a[2]), sqrtf(a[3]), sqrtf(a[4]), sqrtf(a[5]), sqrtf(a[6]), sqrtf(a[7])};
}

#define EACH(expression) \
	do { \
		for (uint32_t v = 0; v < n; v++) \
			d[v] = (expression); \
		return; \
	} while (0)
#define EACH_THREAD(expression) \
	do { \
		for (uint32_t t = 0; t < n * WIDTH; t++) \
			step->dst[t] = (expression); \
		return; \
	} while (0)
#define ONE_WHERE(condition) ((vf)((condition) & (vi)splat(1)))

static KERNEL_TARGET void KERNEL(maths)(const struct step *step, const struct csir_maths *m, uint32_t n)
{
	const vf *a = (const vf *)step->a, *b = (const vf *)step->b;
	vf *d = (vf *)step->dst;

	switch (step->op) {
	case ROW_RCP:
		if (m->rcp_zero)
			EACH(splat(1) / a[v]);
		EACH(PICK(a[v] == splat(0), splat(0), splat(1) / a[v]));
	case ROW_RSQ:
		if (!m->rsq_math && !m->rsq_domain)
			EACH(reciprocal_root(a[v]));
		if (m->rsq_math && m->rsq_domain)
			EACH(splat(1) / root(a[v]));
		EACH_THREAD(csir_q_rsq(step->a[t], m));
	case ROW_SIN:
		if (!m->trig_math)
			EACH(sine(a[v]));
		EACH_THREAD(sinf(step->a[t]));
	case ROW_COS:
		if (!m->trig_math)
			EACH(sine(a[v] + splat(CSIR_HALF_PI)));
		EACH_THREAD(cosf(step->a[t]));
	case ROW_POW:
		if (!m->pow_math && !m->pow_negative && !m->pow_zero)
			EACH(power(a[v], b[v]));
		EACH_THREAD(csir_q_pow(step->a[t], step->b[t], m));
	default: /* ROW_TRUNC */
		if (!m->trunc_range)
			EACH(__builtin_convertvector(to_int(a[v]), vf));
		EACH_THREAD(truncf(step->a[t]));
	}
}

static KERNEL_TARGET void KERNEL(arithmetic)(const struct step *step, uint32_t n)
{
	const vf *a = (const vf *)step->a, *b = (const vf *)step->b, *c = (const vf *)step->c;
	vf *d = (vf *)step->dst;

	switch (step->op) {
	case ROW_ADD:
		EACH(a[v] + b[v]);
	case ROW_SUB:
		EACH(a[v] - b[v]);
	case ROW_MUL:
		EACH(a[v] * b[v]);
	case ROW_MUL0:
		EACH(splat(0) + a[v] * b[v]);
	case ROW_MAD:
		EACH(c[v] + a[v] * b[v]);
	case ROW_MAX:
		EACH(PICK(a[v] > b[v], a[v], b[v]));
	case ROW_MIN:
		EACH(PICK(a[v] < b[v], a[v], b[v]));
	case ROW_ABS:
		EACH(PICK(a[v] < splat(0), -a[v], a[v]));
	case ROW_LT:
		EACH(ONE_WHERE(a[v] < b[v]));
	case ROW_LE:
		EACH(ONE_WHERE(a[v] <= b[v]));
	case ROW_EQ:
		EACH(ONE_WHERE(a[v] == b[v]));
	case ROW_NE:
		EACH(ONE_WHERE(a[v] != b[v]));
	case ROW_BOOL:
		EACH((vf)(a[v] != splat(0)));
	default: /* ROW_SELECT */
		EACH(PICK((vi)c[v], a[v], b[v]));
	}
}

/* Differences within quads of threads; 0 where one of the two is no longer there.  The row may be that of the operand. */
static KERNEL_TARGET void KERNEL(derive)(const struct step *step, uint64_t alive, uint32_t n)
{
	bool down = step->op == ROW_DDY;
	uint64_t both = down ? alive & alive >> 2 & 0x3333333333333333u : alive & alive >> 1 & 0x5555555555555555u;

	for (uint32_t t = 0; t < n * WIDTH; t += 4) {
		const float q[4] = {step->a[t], step->a[t + 1], step->a[t + 2], step->a[t + 3]};
		uint32_t there = (uint32_t)(both >> t & 15);
		float first = down ? q[2] - q[0] : q[1] - q[0], second = down ? q[3] - q[1] : q[3] - q[2];

		first = there & 1 ? first : 0;
		second = there & (down ? 2 : 4) ? second : 0;
		step->dst[t] = first;
		step->dst[t + 1] = down ? second : first;
		step->dst[t + 2] = down ? first : second;
		step->dst[t + 3] = second;
	}
}

static KERNEL_TARGET uint64_t KERNEL(bits)(const float *row, uint32_t n)
{
	uint64_t mask = 0;

#ifdef __x86_64__
	for (uint32_t t = 0; t < n * WIDTH; t += 4)
		mask |= (uint64_t)(unsigned)__builtin_ia32_movmskps(*(const vx *)&row[t]) << t;
#else
	for (uint32_t t = 0; t < n * WIDTH; t++)
		mask |= (uint64_t)(csir_bits(row[t]) >> 31) << t;
#endif
	return mask;
}

static KERNEL_TARGET void KERNEL(store)(float *to, const float *from, uint64_t mask, uint32_t n)
{
	uint64_t all = n * WIDTH >= 64 ? UINT64_MAX : (UINT64_C(1) << (n * WIDTH)) - 1;

	if ((mask & all) == all) {
		memcpy(to, from, n * WIDTH * sizeof *to);
		return;
	}
	for (uint32_t v = 0; v < n; v++) {
		int32_t eight = (int32_t)(mask >> (v * WIDTH) & 0xFF);
		vi one = {1, 2, 4, 8, 16, 32, 64, 128}, chosen = ((vi){eight, eight, eight, eight, eight, eight, eight, eight} & one) == one;

		((vf *)to)[v] = PICK(chosen, ((const vf *)from)[v], ((const vf *)to)[v]);
	}
}

static float *output_lane(struct csir_batch *batch, unsigned output)
{
	struct csir_vec *vec = output < OUTPUT_COLOUR ? batch->position :
		output < OUTPUT_VARY ? batch->colour : batch->vary_out[(output - OUTPUT_VARY) / 4];

	return vec ? vec->v[output % 4] : NULL;
}

static KERNEL_TARGET void KERNEL(store_all)(struct csir_run *run, const float *const *rows, uint64_t mask)
{
	for (unsigned i = 0; i < OUTPUT_COUNT; i++) {
		float *to = rows[i] ? output_lane(run->batch, i) : NULL;

		if (to && to != rows[i])
			KERNEL(store)(to, rows[i], mask, run->vectors);
	}
}

static KERNEL_TARGET void KERNEL(sample)(struct csir_run *run, const struct step *step, uint64_t mask, struct csir_vec *texel)
{
	struct csir_vec at;
	size_t bytes = run->vectors * WIDTH * sizeof(float);

	memcpy(at.v[0], step->a, bytes);
	memcpy(at.v[1], step->b, bytes);
	memset(at.v[2], 0, bytes);
	memset(at.v[3], 0, bytes);
	csir_plan_sample(run->plan, step->aux, mask, &at, texel);
}

KERNEL_TARGET void KERNEL(csir_run)(struct csir_run *run, uint32_t first, uint32_t last)
{
	const struct csir_plan *plan = run->plan;
	uint32_t n = run->vectors, depth = 0;
	uint64_t mask = run->alive, parent[CSIR_IF_MAX], taken[CSIR_IF_MAX];
	struct csir_vec texel;

	for (uint32_t i = first; i < last; i++) {
		const struct step *step = &plan->step[i];

		switch (step->op) {
		case ROW_RCP:
		case ROW_RSQ:
		case ROW_SIN:
		case ROW_COS:
		case ROW_POW:
		case ROW_TRUNC:
			KERNEL(maths)(step, &plan->maths, n);
			break;
		case ROW_DDX:
		case ROW_DDY:
			KERNEL(derive)(step, run->alive, n);
			break;
		case ROW_SAMPLE:
			if (mask)
				KERNEL(sample)(run, step, mask, &texel);
			break;
		case ROW_TEXEL:
			memcpy(step->dst, texel.v[step->aux], n * WIDTH * sizeof(float));
			break;
		case ROW_IF:
			parent[depth] = mask;
			taken[depth] = KERNEL(bits)(step->a, n);
			mask &= taken[depth++];
			if (!mask)
				i = (uint32_t)step->aux - 1;
			break;
		case ROW_ELSE:
			mask = parent[depth - 1] & ~taken[depth - 1] & run->alive;
			if (!mask)
				i = (uint32_t)step->aux - 1;
			break;
		case ROW_ENDIF:
			mask = parent[--depth] & run->alive;
			break;
		case ROW_DISCARD:
			if (!mask)
				break;
			KERNEL(store_all)(run, &plan->flush_row[step->aux], mask);
			run->batch->discarded |= mask;
			run->alive &= ~mask;
			mask = 0;
			if (!run->alive)
				return;
			break;
		default:
			KERNEL(arithmetic)(step, n);
		}
	}
}

KERNEL_TARGET void KERNEL(csir_finish)(struct csir_run *run)
{
	if (run->alive)
		KERNEL(store_all)(run, run->plan->output_row, run->alive);
}
