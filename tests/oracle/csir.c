/* csir.c - scalar interpreter of CSIR, written down from the specification (01 section 4, 02 section 1), slow and obvious
 *
 * Shares no code with src/gfx3d.  Quirks that change an instruction are repeated here from their sentences.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "oracle/csir.h"

#define Q(name) G3_QUIRK(quirks, name)

static int x86_int(float f)
{
	if (isnan(f) || f < -2147483648.0 || f > 2147483520.0)
		return -2147483647 - 1;
	return (int)f;
}

float oracle_csir_sin(float x)
{
	int n;
	float x2, power, result;

	for (n = 0; n < 16; n++)
		if (x > 3.14159265f)
			x = x - 6.2831853f;
	for (n = 0; n < 16; n++)
		if (x < -3.14159265f)
			x = x + 6.2831853f;
	x2 = x * x;
	power = x;
	result = x;
	for (n = 1; n <= 6; n++) {
		power = power * x2;
		power = power / (float)((2 * n) * (2 * n + 1));
		if (n % 2 == 1)
			result = result - power;
		else
			result = result + power;
	}
	return result;
}

float oracle_csir_exp(float x)
{
	float result = 1.0f, term = 1.0f;

	if (x > 10.0f)
		x = 10.0f;
	if (x < -10.0f)
		x = -10.0f;
	for (int i = 1; i <= 16; i++) {
		float factor = x / (float)i;

		term = term * factor;
		result = result + term;
	}
	return result;
}

float oracle_csir_log(float a)
{
	int exponent = 0, steps;
	float u, power, result = 0.0f, tail;

	if (a <= 0.0f)
		return 0.0f;
	for (steps = 0; steps < 32 && a > 2.0f; steps++) {
		a = a * 0.5f;
		exponent = exponent + 1;
	}
	for (steps = 0; steps < 32 && a < 1.0f; steps++) {
		a = a * 2.0f;
		exponent = exponent - 1;
	}
	u = a - 1.0f;
	power = u;
	for (int i = 1; i <= 20; i++) {
		float term = power / (float)i;

		if (i % 2 == 1)
			result = result + term;
		else
			result = result - term;
		power = power * u;
	}
	tail = (float)exponent * 0.693147f;
	return result + tail;
}

float oracle_csir_pow(float a, float b)
{
	int n = x86_int(b);

	if (a == 0.0f)
		return 0.0f;
	if ((float)n == b && n >= 0 && n <= 15) {
		float result = 1.0f, magnitude = a;

		if (a < 0.0f) {
			magnitude = -a;
			if (n % 2 == 1)
				result = -1.0f;
		}
		while (n-- > 0)
			result = result * magnitude;
		return result;
	}
	if (a < 0.0f)
		return 0.0f;
	return oracle_csir_exp(b * oracle_csir_log(a));
}

static float power(float a, float b, const struct g3_quirks *quirks)
{
	if (a == 0.0f && b == 0.0f)
		return Q(pow_zero) == 1 ? 1.0f : 0.0f;
	if (a < 0.0f && Q(pow_negative) == 1)
		return NAN;
	if (a < 0.0f && Q(pow_negative) == 2)
		return powf(a, b);
	if (a < 0.0f || Q(pow_math) == 0)
		return oracle_csir_pow(a, b);
	return powf(a, b);
}

static float rsq(float a, const struct g3_quirks *quirks)
{
	if (!(a > 0.0f)) {
		if (Q(rsq_domain) == 0)
			return 0.0f;
		return 1.0f / sqrtf(a);
	}
	return Q(rsq_math) ? 1.0f / sqrtf(a) : 1.0f / oracle_csir_pow(a, 0.5f);
}

static int texel_of(float u, int size, int whole)
{
	int i;

	if (u < 0.0f)
		u = 0.0f;
	if (u > 1.0f)
		u = 1.0f;
	i = whole ? x86_int(floorf(u * (float)size)) : x86_int(u * (float)(size - 1) + 0.5f);
	if (i < 0)
		i = 0;
	if (i > size - 1)
		i = size - 1;
	return i;
}

static void texture(const struct oracle_csir_in *in, const struct g3_quirks *quirks, int slot, const float *at, float *out)
{
	const struct csir_texture *t = in->texture ? &in->texture[Q(sampler_slot) ? slot : 0] : NULL;

	out[0] = out[1] = out[2] = 0.0f;
	out[3] = Q(sample_unbound) ? 1.0f : 0.0f;
	if (t && t->texels && t->width > 0 && t->height > 0) {
		int x = texel_of(at[0], t->width, Q(sample_texel)), y = texel_of(at[1], t->height, Q(sample_texel));
		const uint8_t *b;

		if (Q(sample_rows))
			y = t->height - 1 - y;
		b = &t->texels[4 * (y * t->width + x)];
		out[0] = (float)b[2] / 255.0f;
		out[1] = (float)b[1] / 255.0f;
		out[2] = (float)b[0] / 255.0f;
		out[3] = (float)b[3] / 255.0f;
	}
}

static int relation(float a, float b, int r, const struct g3_quirks *quirks)
{
	if (r == 1 || (Q(cmp_unknown) && (r < 1 || r > 6)))
		return a < b;
	if (r == 2)
		return a > b;
	if (r == 3)
		return a <= b;
	if (r == 4)
		return a >= b;
	if (r == 5)
		return a == b;
	return a != b;
}

/* dst column <- matrix from a on times register b */
static void matrix_column(float (*t)[4], int dst, int a, int b, int columns, const struct g3_quirks *quirks, float *result)
{
	int rows = Q(matrix_rows) ? 4 : columns;

	for (int lane = 0; lane < 4; lane++)
		result[lane] = 0.0f;
	for (int k = 0; k < columns; k++) {
		float factor = t[b][k];

		for (int lane = 0; lane < rows; lane++) {
			float product = t[a + k][lane] * factor;

			result[lane] = result[lane] + product;
		}
		if (Q(matrix_overlap))
			memcpy(t[dst], result, 4 * sizeof(float));
	}
}

static void put4(float *to, const float *from)
{
	memcpy(to, from, 4 * sizeof(float));
}

/* Instructions that are not control flow. */
static void step(const struct csir_shader *s, const struct csir_instr *i, const struct g3_quirks *quirks, int loads_fcoord,
	const struct oracle_csir_in *in, struct oracle_csir_out *out)
{
	float (*t)[4] = out->temp;
	float copy[4][4];
	int n4 = i->ncomp == 0 || i->ncomp > 4 ? 4 : i->ncomp, n1 = i->ncomp == 0 ? 1 : i->ncomp > 4 ? 4 : i->ncomp;
	int k;

	switch (i->op) {
	case CSIR_CONST:
		for (k = 0; k < 4; k++)
			copy[0][k] = k < i->ncomp ? s->imm[i->aux + k] : 0.0f;
		put4(t[i->dst], copy[0]);
		break;
	case CSIR_MOV:
		for (k = 0; k < n4; k++)
			t[i->dst][k] = t[i->a][k];
		break;
	case CSIR_SWZ:
		put4(copy[0], t[i->a]);
		for (k = 0; k < 4; k++) {
			if (k < n1)
				t[i->dst][k] = copy[0][(i->aux >> (k * 2)) & 3];
			else if (!Q(swz_upper))
				t[i->dst][k] = 0.0f;
		}
		break;
	case CSIR_SETLANE:
		t[i->dst][i->aux & 3] = t[i->a][i->aux2 & 3];
		break;
	case CSIR_ADD:
		for (k = 0; k < n4; k++)
			t[i->dst][k] = t[i->a][k] + t[i->b][k];
		break;
	case CSIR_SUB:
		for (k = 0; k < n4; k++)
			t[i->dst][k] = t[i->a][k] - t[i->b][k];
		break;
	case CSIR_MUL:
		for (k = 0; k < n4; k++)
			t[i->dst][k] = t[i->a][k] * t[i->b][k];
		break;
	case CSIR_MAX:
		for (k = 0; k < n4; k++)
			t[i->dst][k] = t[i->a][k] > t[i->b][k] ? t[i->a][k] : t[i->b][k];
		break;
	case CSIR_MIN:
		for (k = 0; k < n4; k++)
			t[i->dst][k] = t[i->a][k] < t[i->b][k] ? t[i->a][k] : t[i->b][k];
		break;
	case CSIR_ABS:
		for (k = 0; k < (Q(abs_lanes) ? 4 : n4); k++)
			t[i->dst][k] = t[i->a][k] < 0.0f ? -t[i->a][k] : t[i->a][k];
		break;
	case CSIR_DOT: {
		int width = i->aux == 0 ? 3 : i->aux;
		float sum = 0.0f;

		if (Q(dot_width) && width != 4)
			width = 3;
		for (k = 0; k < width && k < 4; k++) {
			float product = t[i->a][k] * t[i->b][k];

			sum = sum + product;
		}
		t[i->dst][0] = sum;
		break;
	}
	case CSIR_RSQ:
		t[i->dst][0] = rsq(t[i->a][0], quirks);
		break;
	case CSIR_RCP:
		for (k = 0; k < n1; k++)
			t[i->dst][k] = t[i->a][k] == 0.0f && !Q(rcp_zero) ? 0.0f : 1.0f / t[i->a][k];
		break;
	case CSIR_SIN:
		for (k = 0; k < n1; k++)
			t[i->dst][k] = Q(trig_math) ? sinf(t[i->a][k]) : oracle_csir_sin(t[i->a][k]);
		break;
	case CSIR_COS:
		for (k = 0; k < n1; k++)
			t[i->dst][k] = Q(trig_math) ? cosf(t[i->a][k]) : oracle_csir_sin(t[i->a][k] + 1.5707963f);
		break;
	case CSIR_POW:
		t[i->dst][0] = power(t[i->a][0], t[i->b][0], quirks);
		break;
	case CSIR_TRUNC:
		t[i->dst][0] = Q(trunc_range) ? truncf(t[i->a][0]) : (float)x86_int(t[i->a][0]);
		break;
	case CSIR_CMP:
		t[i->dst][0] = relation(t[i->a][0], t[i->b][0], i->aux, quirks) ? 1.0f : 0.0f;
		break;
	case CSIR_MULMV:
		matrix_column(t, i->dst, i->a, i->b, i->aux == 0 ? 4 : i->aux, quirks, copy[0]);
		put4(t[i->dst], copy[0]);
		break;
	case CSIR_MULMM: {
		int columns = i->aux == 0 ? 4 : i->aux;

		for (k = 0; k < columns; k++)
			matrix_column(t, i->dst + k, i->a, i->b + k, columns, quirks, copy[k]);
		for (k = 0; k < columns && !Q(matrix_overlap); k++)
			put4(t[i->dst + k], copy[k]);
		break;
	}
	case CSIR_SAMPLE:
		texture(in, quirks, i->aux, t[i->a], copy[0]);
		put4(t[i->dst], copy[0]);
		break;
	case CSIR_LOAD_ATTR:
		if (in->attr)
			put4(t[i->dst], in->attr + 4 * i->aux);
		break;
	case CSIR_LOAD_VAR: {
		int slot = in->remap && in->remap[i->aux] >= 0 ? in->remap[i->aux] : i->aux;

		if (slot == 7 && loads_fcoord && Q(fcoord_slot)) {
			if (in->fcoord)
				put4(t[i->dst], in->fcoord);
		} else if (in->vary) {
			put4(t[i->dst], in->vary + 4 * slot);
		}
		break;
	}
	case CSIR_LOAD_UNI:
		for (k = 0; in->uniforms && k < (i->aux2 == 0 ? 1 : i->aux2); k++)
			put4(t[i->dst + k], in->uniforms + 4 * (i->aux + k));
		break;
	case CSIR_LOAD_FCOORD:
		if (in->fcoord)
			put4(t[i->dst], in->fcoord);
		break;
	case CSIR_STORE_POS:
		put4(out->position, t[i->a]);
		break;
	case CSIR_STORE_VAR:
		if (i->aux >= 0 && i->aux <= 7)
			put4(out->vary[i->aux], t[i->a]);
		break;
	case CSIR_STORE_COLOR:
		put4(out->colour, t[i->a]);
		break;
	default:
		break;
	}
}

/* What the register holds in the fragment's neighbour when it gets there: that one is run up to the instruction. */
static void derivative(const struct csir_shader *s, unsigned at, const struct g3_quirks *quirks, const struct oracle_csir_in *in,
	struct oracle_csir_out *out)
{
	const struct csir_instr *i = &s->instr[at];
	unsigned other = in->corner ^ (i->op == CSIR_DDX ? 1 : 2), n = i->ncomp == 0 || i->ncomp > 4 ? 4 : i->ncomp;
	struct oracle_csir_out there;
	bool alone = !in->quad || in->quad[other].absent;

	memset(&there, 0, sizeof there);
	if (!alone) {
		oracle_csir(s, quirks, at, &in->quad[other], &there);
		alone = there.discarded;
	}
	for (unsigned k = 0; k < n; k++) {
		float here = out->temp[i->a][k], away = there.temp[i->a][k];

		/* of a register written over by its own difference only lanes before k have changed */
		out->temp[i->dst][k] = alone ? 0.0f : other > in->corner ? away - here : here - away;
	}
}

/* The state machine of spec 02 section 1: entries of skip flag and branch state. */
int oracle_csir(const struct csir_shader *s, const struct g3_quirks *quirks, unsigned cut, const struct oracle_csir_in *in,
	struct oracle_csir_out *out)
{
	int skip[32], state[32], top = 0, loads_fcoord = 0;
	unsigned count = cut < s->instr_count ? cut : s->instr_count;

	memset(out->temp, 0, sizeof out->temp);
	out->discarded = false;
	out->colour[0] = out->colour[1] = out->colour[2] = out->colour[3] = 0.0f;
	out->position[0] = out->position[1] = out->position[2] = 0.0f;
	out->position[3] = 1.0f;
	for (unsigned i = 0; i < (in->whole ? in->whole : count); i++)
		if (s->instr[i].op == CSIR_LOAD_FCOORD)
			loads_fcoord = 1;
	for (unsigned i = 0; i < count; i++) {
		const struct csir_instr *it = &s->instr[i];
		int skipping = top > 0 && skip[top - 1];

		if (it->op == CSIR_IF) {
			if (top == 32)
				return -1;
			skip[top] = skipping || out->temp[it->a][0] == 0.0f;
			state[top] = skipping ? 2 : 0;
			top++;
		} else if (it->op == CSIR_ELSE) {
			if (top == 0)
				return -1;
			if (state[top - 1] != 2) {
				skip[top - 1] = !skip[top - 1];
				state[top - 1] = 1;
			}
		} else if (it->op == CSIR_ENDIF) {
			if (top == 0)
				return -1;
			top--;
		} else if (it->op == CSIR_DISCARD && !skipping) {
			out->discarded = true;
			return 0;
		} else if ((it->op == CSIR_DDX || it->op == CSIR_DDY) && !skipping) {
			derivative(s, i, quirks, in, out);
		} else if (it->op != CSIR_DISCARD && !skipping) {
			step(s, it, quirks, loads_fcoord, in, out);
		}
	}
	return 0;
}
