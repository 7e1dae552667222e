/* check_csir_exec.c - the interpreter: batches and taps against the scalar oracle, the measured figures of the mathematics
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csir_random.h"
#include "gfx3d/exec.h"
#include "oracle/csir.h"

/* ---- random programs ------------------------------------------------------------------------------------------------------ */

struct fixture {
	struct csir_vec attr[CSIR_ATTR_MAX], vary[CSIR_VARY_MAX], fcoord, old[CSIR_VARY_MAX];
	struct csir_vec position, colour, vary_out[CSIR_VARY_MAX];
	float uniforms[CSIR_UNIFORM_SLOTS * 4];
	int16_t remap[CSIR_VARY_MAX];
	uint8_t texels[3][5 * 7 * 4];
	struct csir_texture texture[CSIR_SAMPLER_MAX];
	struct csir_inputs inputs;
	struct csir_batch batch;
	bool absent; /* attributes, varyings and the fragment coordinate */
};

static void random_vec(struct oracle_random *r, struct csir_vec *vec)
{
	for (unsigned k = 0; k < 4; k++)
		for (unsigned t = 0; t < CSIR_THREADS; t++)
			vec->v[k][t] = random_number(r);
}

static void fill(struct oracle_random *r, struct fixture *f, bool absent)
{
	f->absent = absent;
	for (unsigned i = 0; i < CSIR_ATTR_MAX; i++) {
		random_vec(r, &f->attr[i]);
		random_vec(r, &f->vary[i]);
		random_vec(r, &f->old[i]);
		f->remap[i] = (int16_t)((int)oracle_random_below(r, 9) - 1);
	}
	random_vec(r, &f->fcoord);
	for (unsigned i = 0; i < CSIR_UNIFORM_SLOTS * 4; i++)
		f->uniforms[i] = random_number(r);
	for (unsigned i = 0; i < 3; i++)
		for (unsigned k = 0; k < sizeof f->texels[i]; k++)
			f->texels[i][k] = (uint8_t)oracle_random_next(r);
	f->texture[0] = (struct csir_texture){f->texels[0], 5, 7};
	f->texture[1] = (struct csir_texture){f->texels[1], 7, 5};
	f->texture[2] = (struct csir_texture){f->texels[2], 1, 2};
	f->texture[3] = (struct csir_texture){NULL, 0, 0};
	f->inputs = (struct csir_inputs){.uniforms = absent && oracle_random_below(r, 2) ? NULL : f->uniforms,
		.var_remap = oracle_random_below(r, 2) ? f->remap : NULL, .texture = oracle_random_below(r, 8) ? f->texture : NULL};
}

static void aim(struct fixture *f, uint64_t mask)
{
	memset(&f->batch, 0, sizeof f->batch);
	f->batch.mask = mask;
	for (unsigned i = 0; i < CSIR_ATTR_MAX; i++) {
		f->batch.attr[i] = f->absent ? NULL : &f->attr[i];
		f->batch.vary[i] = f->absent ? NULL : &f->vary[i];
		f->vary_out[i] = f->old[i];
		f->batch.vary_out[i] = &f->vary_out[i];
	}
	f->batch.fcoord = f->absent ? NULL : &f->fcoord;
	f->batch.position = &f->position;
	f->batch.colour = &f->colour;
}

struct asked {
	float attr[32], vary[32], fcoord[4];
};

static void oracle_inputs(const struct fixture *f, unsigned t, struct asked *values, struct oracle_csir_in *in)
{
	*in = (struct oracle_csir_in){.uniforms = f->inputs.uniforms, .remap = f->inputs.var_remap, .texture = f->inputs.texture};
	for (unsigned i = 0; i < 32; i++) {
		values->attr[i] = f->attr[i / 4].v[i % 4][t];
		values->vary[i] = f->vary[i / 4].v[i % 4][t];
	}
	for (unsigned k = 0; k < 4; k++)
		values->fcoord[k] = f->fcoord.v[k][t];
	if (!f->absent) {
		in->attr = values->attr;
		in->vary = values->vary;
		in->fcoord = values->fcoord;
	}
}

/* One thread, which knows the others of its quad. */
static int ask_oracle(const struct fixture *f, const struct csir_shader *s, const struct g3_quirks *q, unsigned cut, unsigned t,
	struct oracle_csir_out *out)
{
	struct asked values[4];
	struct oracle_csir_in quad[4];

	for (unsigned i = 0; i < 4; i++) {
		unsigned at = (t & ~3u) + i;

		oracle_inputs(f, at, &values[i], &quad[i]);
		quad[i].quad = quad;
		quad[i].corner = i;
		quad[i].whole = cut < s->instr_count ? cut : s->instr_count;
		quad[i].absent = !(f->batch.mask >> at & 1);
	}
	for (unsigned i = 0; i < 32; i++)
		out->vary[i / 4][i % 4] = f->old[i / 4].v[i % 4][t];
	return oracle_csir(s, q, cut, &quad[t & 3], out);
}

/* Bit for bit; which NaN it is depends on the order of the operands of an addition and is not compared. */
static bool same(float a, float b)
{
	return (isnan(a) && isnan(b)) || !memcmp(&a, &b, sizeof a);
}

static void complain(const struct csir_shader *s, uint64_t seed, unsigned number, const char *what, unsigned lane, unsigned t, float got,
	float wanted)
{
	for (unsigned i = 0; i < s->instr_count; i++) {
		const struct csir_instr *in = &s->instr[i];

		printf("%3u %-10s dst %d a %d b %d aux %d aux2 %d n %u\n", i, csir_op_info(in->op)->mnemonic, in->dst, in->a, in->b, in->aux,
			in->aux2, in->ncomp);
	}
	ck_abort_msg("seed %llu, program %u: %s lane %u of thread %u is %.9g, the oracle says %.9g", (unsigned long long)seed, number, what,
		lane, t, (double)got, (double)wanted);
}

static void compare(const struct fixture *f, const struct csir_shader *s, const struct oracle_csir_out *out, unsigned t, uint64_t seed,
	unsigned number)
{
	if (((f->batch.discarded >> t) & 1) != out->discarded)
		complain(s, seed, number, "discard", 0, t, (float)((f->batch.discarded >> t) & 1), out->discarded);
	for (unsigned k = 0; k < 4; k++) {
		if (!same(f->position.v[k][t], out->position[k]))
			complain(s, seed, number, "position", k, t, f->position.v[k][t], out->position[k]);
		if (!same(f->colour.v[k][t], out->colour[k]))
			complain(s, seed, number, "colour", k, t, f->colour.v[k][t], out->colour[k]);
		for (unsigned i = 0; i < CSIR_VARY_MAX; i++)
			if (!same(f->vary_out[i].v[k][t], out->vary[i][k]))
				complain(s, seed, number, "varying", 4 * i + k, t, f->vary_out[i].v[k][t], out->vary[i][k]);
	}
}

struct watcher {
	const struct csir_plan *plan;
	uint32_t calls, last;
	bool order;
};

static void watch(void *user, const struct csir_tap *tap)
{
	struct watcher *w = user;

	if (w->calls++ && tap->index <= w->last)
		w->order = false;
	if (!tap->mask || (tap->dst >= 0 && (uint32_t)(tap->dst + tap->dst_count) > tap->register_count))
		w->order = false;
	w->last = tap->index;
}

static void compare_registers(const struct csir_plan *plan, const struct csir_shader *s, const struct oracle_csir_out *out, unsigned t,
	uint64_t seed, unsigned number)
{
	uint32_t count;
	const struct csir_vec *registers = csir_exec_registers(plan, &count);

	for (uint32_t i = 0; i < count; i++)
		for (unsigned k = 0; k < 4; k++)
			if (!same(registers[i].v[k][t], out->temp[i][k]))
				complain(s, seed, number, "temporary", 4 * i + k, t, registers[i].v[k][t], out->temp[i][k]);
}

static uint64_t random_mask(struct oracle_random *r)
{
	uint64_t mask = (uint64_t)oracle_random_next(r) << 32 | oracle_random_next(r);

	switch (oracle_random_below(r, 4)) {
	case 0: return UINT64_MAX;
	case 1: return (UINT64_C(1) << (1 + oracle_random_below(r, 63))) - 1;
	default: return mask ? mask : 1;
	}
}

/* Runs one program on one batch the fast way and with a tap; returns the number of invocations compared. */
static unsigned run_case(struct oracle_random *r, struct csir_plan *plan, struct fixture *f, unsigned number, unsigned length)
{
	static struct csir_shader s;
	static struct oracle_csir_out out;
	struct g3_quirks q;
	struct qs_error error = {QS_OK, 0, ""};
	struct watcher w = {.plan = plan, .order = true};
	uint64_t mask = random_mask(r);
	unsigned cases = 0;
	uint32_t cut = UINT32_MAX;

	plan->plain = number % 3 == 0;
	random_program(r, oracle_random_below(r, 3) ? CSIR_FRAGMENT : CSIR_VERTEX, length, &s);
	random_quirks(r, &q);
	if (oracle_random_below(r, 4) == 0)
		cut = oracle_random_below(r, s.instr_count + 1u);
	if (!csir_exec_prepare(plan, &s, &q, &f->inputs, cut, &error))
		ck_abort_msg("seed %llu, program %u: %s", (unsigned long long)r->seed, number, error.text);
	for (unsigned tap = 0; tap < 2; tap++) {
		aim(f, mask);
		f->batch.tap = tap ? watch : NULL;
		f->batch.tap_user = &w;
		csir_exec(plan, &f->batch);
		for (unsigned t = 0; t < CSIR_THREADS; t++) {
			if (!(mask >> t & 1))
				continue;
			if (ask_oracle(f, &s, &q, cut, t, &out))
				ck_abort_msg("program %u: the oracle refuses it", number);
			compare(f, &s, &out, t, r->seed, number);
			if (tap && !out.discarded)
				compare_registers(plan, &s, &out, t, r->seed, number);
			cases++;
		}
	}
	if (!w.order)
		ck_abort_msg("seed %llu, program %u: taps out of order", (unsigned long long)r->seed, number);
	return cases;
}

START_TEST(programs)
{
	struct oracle_random r = oracle_random_start();
	struct csir_plan *plan = csir_plan_create();
	struct fixture *f = aligned_alloc(64, (sizeof *f + 63) / 64 * 64);
	unsigned cases = 0, number = 0, wanted = ORACLE_ROUNDS(1200000);

	while (cases < wanted) {
		if (number % 16 == 0)
			fill(&r, f, number % 128 == 112);
		cases += run_case(&r, plan, f, number, 1 + oracle_random_below(&r, number % 64 == 0 ? 300 : 40));
		number++;
	}
	printf("%u invocations of %u programs, seed %llu\n", cases, number, (unsigned long long)r.seed);
	free(f);
	csir_plan_destroy(plan);
}
END_TEST

/* ---- every function on every pair of special numbers ---------------------------------------------------------------------- */

static const float numbers[] = {0, -0.0f, 1, -1, 0.5f, 0.99999f, 1.5f, -1.5f, 2, -2, 3, -3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, -15, 16, 17,
	0.1f, 0.01f, 1e-9f, 1e-40f, -1e-40f, 3.1415927f, -3.1415927f, 3.1415925f, 6.2831853f, 9.42477796f, 100, 103.7f, -110, 1000, 1e10f, -1e10f,
	2147483520, 2147483648, -2147483648, 4e9f, 1e38f, 1e-38f, INFINITY, -INFINITY, NAN};
#define NUMBERS (sizeof numbers / sizeof *numbers)
static const uint8_t functions[] = {CSIR_MAX, CSIR_MIN, CSIR_ABS, CSIR_RSQ, CSIR_RCP, CSIR_SIN, CSIR_COS, CSIR_POW, CSIR_TRUNC};

START_TEST(function)
{
	struct csir_plan *plan = csir_plan_create();
	struct fixture *f = aligned_alloc(64, (sizeof *f + 63) / 64 * 64);
	static struct csir_shader s;
	static struct oracle_csir_out out;
	struct g3_quirks q;

	memset(f, 0, sizeof *f);
	f->inputs.uniforms = f->uniforms;
	csir_shader_init(&s, CSIR_FRAGMENT, csir_op_info(functions[_i])->mnemonic);
	s.temp_count = 3;
	s.instr_count = 4;
	s.instr[0] = (struct csir_instr){.op = CSIR_LOAD_VAR, .dst = 0, .a = -1, .b = -1, .aux = 0};
	s.instr[1] = (struct csir_instr){.op = CSIR_LOAD_VAR, .dst = 1, .a = -1, .b = -1, .aux = 1};
	s.instr[2] = (struct csir_instr){.op = functions[_i], .dst = 2, .a = 0, .b = 1, .ncomp = 1};
	s.instr[3] = (struct csir_instr){.op = CSIR_STORE_COLOR, .dst = -1, .a = 2, .b = -1};
	for (unsigned pass = 0; pass < 2 * G3_MODEL_COUNT; pass++) {
		unsigned model = pass / 2;

		plan->plain = pass % 2;
		g3_quirks_init(&q, (enum g3_model)model);
		ck_assert(csir_exec_prepare(plan, &s, &q, &f->inputs, UINT32_MAX, NULL));
		for (unsigned i = 0; i < NUMBERS; i++) {
			for (unsigned t = 0; t < NUMBERS; t++) {
				f->vary[0].v[0][t] = numbers[i];
				f->vary[1].v[0][t] = numbers[t];
			}
			aim(f, (UINT64_C(1) << NUMBERS) - 1);
			csir_exec(plan, &f->batch);
			for (unsigned t = 0; t < NUMBERS; t++) {
				ask_oracle(f, &s, &q, UINT32_MAX, t, &out);
				if (!same(f->colour.v[0][t], out.colour[0]))
					ck_abort_msg("%s of %.9g and %.9g, model %s: %.9g, the oracle says %.9g", s.name, (double)numbers[i],
						(double)numbers[t], g3_model_name((enum g3_model)model), (double)f->colour.v[0][t], (double)out.colour[0]);
			}
		}
	}
	free(f);
	csir_plan_destroy(plan);
}
END_TEST

/* ---- the mathematics of ChrisOS ------------------------------------------------------------------------------------------- */

/* Spec 02 section 1, the figures it measured. */
START_TEST(measured_figures)
{
	const struct {
		const char *name;
		double got, wanted, tolerance;
	} rows[] = {
		{"sin(110) explodes to about 250", (double)csir_sin(110), 250, 0.03},
		{"sin(1000) is about 4e28", (double)csir_sin(1000), 4e28, 0.1},
		{"exp(-4) is 0.2 % too big", (double)csir_exp_series(-4) / exp(-4), 1.002, 0.001},
		{"exp(-5) is 25 % too big", (double)csir_exp_series(-5) / exp(-5), 1.25, 0.01},
		{"exp(-6) is 15 times too big", (double)csir_exp_series(-6) / exp(-6), 15, 0.1},
		{"exp(-8) gives 4.36", (double)csir_exp_series(-8), 4.36, 0.002},
		{"exp(-10) gives 179.45", (double)csir_exp_series(-10), 179.45, 0.001},
		{"exp(-20) is clamped to the same", (double)csir_exp_series(-20), 179.45, 0.001},
		{"exp(10) is 2.7 % too small", (double)csir_exp_series(10) / exp(10), 0.973, 0.002},
		{"pow(0, 0) is 0", (double)csir_pow(0, 0), 0, 0},
		{"pow(-2, 3) is -8", (double)csir_pow(-2, 3), -8, 0},
		{"pow(-2, 0.5) is 0", (double)csir_pow(-2, 0.5f), 0, 0},
		{"pow(-2, 16) is 0", (double)csir_pow(-2, 16), 0, 0},
		{"pow(0.5, 32) gives 179.45", (double)csir_pow(0.5f, 32), 179.45, 0.001},
		{"pow(0.01, 2.2) gives 179.45", (double)csir_pow(0.01f, 2.2f), 179.45, 0.001},
		{"pow(0.1, 2.5) gives 0.0209", (double)csir_pow(0.1f, 2.5f), 0.0209, 0.005},
		{"pow(2, 20) gives 21430.8", (double)csir_pow(2, 20), 21430.8, 0.00001},
		{"pow(2, 0.5) gives 1.39708", (double)csir_pow(2, 0.5f), 1.39708, 0.00001},
		{"rsq(0) is 0", (double)csir_rsq(0), 0, 0},
		{"rsq(-1) is 0", (double)csir_rsq(-1), 0, 0},
		{"rsq(1) is exact", (double)csir_rsq(1), 1, 0},
		{"rsq(2) is 1.23 % off", (double)csir_rsq(2) * sqrt(2.0), 1.0123, 0.0005},
		{"rsq(0.99999) is 1.2 % off", fabs((double)csir_rsq(0.99999f) - 1), 0.012, 0.05},
		{"rsq(1e-9) is 0.0056", (double)csir_rsq(1e-9f), 0.0056, 0.02},
		{"rsq(1e-4) is 4 % too small", (double)csir_rsq(1e-4f) / 100, 0.96, 0.005},
		{"trunc(-1.5) is -1", (double)csir_trunc(-1.5f), -1, 0},
		{"trunc(3e9) as x86 converts", (double)csir_trunc(3e9f), -2147483648.0, 0},
		{"trunc(NaN) as x86 converts", (double)csir_trunc(NAN), -2147483648.0, 0},
	};

	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
		if (!(fabs(rows[i].got - rows[i].wanted) <= rows[i].tolerance * fabs(rows[i].wanted)))
			ck_abort_msg("%s: got %.9g", rows[i].name, rows[i].got);
}
END_TEST

static double worst(float (*local)(float), double (*right)(double), double from, double to)
{
	double most = 0;

	for (int i = 0; i <= 100000; i++) {
		double x = from + (to - from) * i / 100000, error = fabs((double)local((float)x) - right((double)(float)x));

		if (error > most)
			most = error;
	}
	return most;
}

START_TEST(measured_errors)
{
	const struct {
		const char *name;
		double got, wanted, tolerance;
	} rows[] = {
		{"sine over one period", worst(csir_sin, sin, -3.14159, 3.14159), 2.1e-5, 0.1e-5},
		{"sine up to 100", worst(csir_sin, sin, -100, 100), 3.0e-5, 0.2e-5},
		{"cosine up to 100", worst(csir_cos, cos, -100, 100), 3.3e-5, 0.4e-5},
		{"logarithm", worst(csir_log_series, log, 0.01, 100), 0.0244, 0.0003},
	};

	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
		if (fabs(rows[i].got - rows[i].wanted) > rows[i].tolerance)
			ck_abort_msg("%s: worst error %.4g, the specification measured %.4g", rows[i].name, rows[i].got, rows[i].wanted);
}
END_TEST

/* ---- refusals and edges --------------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	struct csir_instr instr[3];
	unsigned count;
	bool runs;
} edges[] = {
	{"an ignored move without a destination", {{.op = CSIR_MOV, .dst = -1, .a = 0, .b = -1}}, 1, true},
	{"an ignored sum without an operand", {{.op = CSIR_ADD, .dst = 0, .a = -1, .b = 0}}, 1, true},
	{"a store without an operand", {{.op = CSIR_STORE_COLOR, .dst = -1, .a = -1, .b = -1}}, 1, true},
	{"dot reads before the registers", {{.op = CSIR_DOT, .dst = 0, .a = -1, .b = 0}}, 1, false},
	{"compare reads before the registers", {{.op = CSIR_CMP, .dst = 0, .a = 0, .b = -2}}, 1, false},
	{"power reads before the registers", {{.op = CSIR_POW, .dst = 0, .a = -1, .b = 0}}, 1, false},
	{"matrix with five columns", {{.op = CSIR_MULMV, .dst = 0, .a = 0, .b = 0, .aux = 5}}, 1, false},
	{"matrix columns beyond the registers", {{.op = CSIR_MULMV, .dst = 0, .a = 94, .b = 0, .aux = 4}}, 1, false},
	{"matrix result beyond the registers", {{.op = CSIR_MULMM, .dst = 93, .a = 0, .b = 0, .aux = 4}}, 1, false},
	{"matrix at the end of the registers", {{.op = CSIR_MULMM, .dst = 92, .a = 92, .b = 92, .aux = 4}}, 1, true},
	{"uniforms beyond the store", {{.op = CSIR_LOAD_UNI, .dst = 0, .a = -1, .b = -1, .aux = 30, .aux2 = 3}}, 1, false},
	{"uniforms before the store", {{.op = CSIR_LOAD_UNI, .dst = 0, .a = -1, .b = -1, .aux = -1, .aux2 = 1}}, 1, false},
	{"uniforms into no registers", {{.op = CSIR_LOAD_UNI, .dst = 95, .a = -1, .b = -1, .aux = 0, .aux2 = 2}}, 1, false},
	{"the last uniform", {{.op = CSIR_LOAD_UNI, .dst = 95, .a = -1, .b = -1, .aux = 31, .aux2 = 1}}, 1, true},
	{"immediates beyond the pool", {{.op = CSIR_CONST, .dst = 0, .ncomp = 4, .aux = 157}}, 1, false},
	{"immediates before the pool", {{.op = CSIR_CONST, .dst = 0, .ncomp = 1, .aux = -1}}, 1, false},
	{"the last immediates", {{.op = CSIR_CONST, .dst = 0, .ncomp = 4, .aux = 156}}, 1, true},
	{"attribute 8", {{.op = CSIR_LOAD_ATTR, .dst = 0, .a = -1, .b = -1, .aux = 8}}, 1, false},
	{"varying -1", {{.op = CSIR_LOAD_VAR, .dst = 0, .a = -1, .b = -1, .aux = -1}}, 1, false},
	{"a store to varying 8 is ignored", {{.op = CSIR_STORE_VAR, .dst = -1, .a = 0, .b = -1, .aux = 8}}, 1, true},
	{"else without if", {{.op = CSIR_ELSE}}, 1, false},
	{"endif without if", {{.op = CSIR_ENDIF}}, 1, false},
	{"two elses", {{.op = CSIR_IF}, {.op = CSIR_ELSE}, {.op = CSIR_ELSE}}, 3, false},
	{"an open if", {{.op = CSIR_IF}}, 1, true},
	{"no such instruction", {{.op = 33}}, 1, false},
	{"temporary 96", {{.op = CSIR_MOV, .dst = 96, .a = 0}}, 1, false},
};

START_TEST(edge)
{
	struct csir_shader s;
	struct csir_plan *plan = csir_plan_create();
	struct csir_inputs inputs = {0};
	static float uniforms[CSIR_UNIFORM_SLOTS * 4];
	struct qs_error error = {QS_OK, 0, ""};
	struct g3_quirks q;
	bool runs;

	inputs.uniforms = uniforms;
	g3_quirks_init(&q, G3_MODEL_CHRISOS);
	csir_shader_init(&s, CSIR_FRAGMENT, edges[_i].name);
	s.temp_count = CSIR_TEMP_MAX;
	s.imm_count = CSIR_IMM_MAX;
	s.instr_count = (uint16_t)edges[_i].count;
	memcpy(s.instr, edges[_i].instr, sizeof edges[_i].instr);
	runs = csir_exec_prepare(plan, &s, &q, &inputs, UINT32_MAX, &error);
	if (runs != edges[_i].runs)
		ck_abort_msg("%s: %s", edges[_i].name, runs ? "runs" : error.text);
	if (!runs && (!error.text[0] || error.code != QS_ERR_FORMAT))
		ck_abort_msg("%s: refused without a sentence", edges[_i].name);
	if (runs) {
		struct csir_batch batch = {.mask = 1};

		csir_exec(plan, &batch);
	}
	csir_plan_destroy(plan);
}
END_TEST

START_TEST(nesting)
{
	static struct csir_shader s;
	struct csir_plan *plan = csir_plan_create();
	struct csir_inputs inputs = {0};
	struct csir_batch batch = {.mask = 1};
	struct csir_vec colour;
	struct g3_quirks q;

	g3_quirks_init(&q, G3_MODEL_CHRISOS);
	csir_shader_init(&s, CSIR_FRAGMENT, "nesting");
	s.temp_count = 1;
	s.imm_count = 1;
	s.imm[0] = 1;
	s.instr[s.instr_count++] = (struct csir_instr){.op = CSIR_CONST, .ncomp = 1};
	for (unsigned i = 0; i < 32; i++)
		s.instr[s.instr_count++] = (struct csir_instr){.op = CSIR_IF};
	s.instr[s.instr_count++] = (struct csir_instr){.op = CSIR_STORE_COLOR};
	for (unsigned i = 0; i < 32; i++)
		s.instr[s.instr_count++] = (struct csir_instr){.op = CSIR_ENDIF};
	ck_assert(csir_exec_prepare(plan, &s, &q, &inputs, UINT32_MAX, NULL));
	batch.colour = &colour;
	csir_exec(plan, &batch);
	ck_assert_float_eq(colour.v[0][0], 1);
	s.instr[33] = (struct csir_instr){.op = CSIR_IF};
	ck_assert(!csir_exec_prepare(plan, &s, &q, &inputs, UINT32_MAX, NULL));
	csir_plan_destroy(plan);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("csir_exec");
	TCase *tcase = tcase_create("exec");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tcase, 0);
	tcase_add_test(tcase, measured_figures);
	tcase_add_test(tcase, measured_errors);
	tcase_add_loop_test(tcase, edge, 0, sizeof edges / sizeof *edges);
	tcase_add_test(tcase, nesting);
	tcase_add_loop_test(tcase, function, 0, sizeof functions);
	tcase_add_test(tcase, programs);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
