/* check_csir_host.c - the virgl model of the interpreter against a real VirGL host, instruction by instruction, in floats
 *
 * Every program is drawn once per set of numbers into a pixel of a float target and run by the interpreter with the same numbers.
 * Skipped, with a message, where there is no virgl_test_server.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "csir_tools.h"
#include "virgl/device.h"

#define UNIFORMS 8 /* slots, loaded into %0 to %7; %8 begins as %7 and is shown */

static const struct {
	const char *name, *code;
	bool tame;        /* only small finite numbers */
	float tolerance;  /* relative; 0: exact */
	bool numbers_only; /* what comes of NaN is the host's affair */
} programs[] = {
	{"mov", "%8 = mov.3 %0", false, 0, false},
	{"add", "%8 = add.4 %0 %1", false, 0, false},
	{"sub", "%8 = sub.2 %0 %1", false, 0, false},
	{"mul", "%8 = mul.4 %0 %1", false, 0, false},
	{"max", "%8 = max.4 %2 %3", true, 0, false},
	{"min", "%8 = min.1 %2 %3", true, 0, false},
	{"abs, other lanes", "%8 = abs.2 %0", false, 0, false},
	{"swz, other lanes", "%8 = swz.2 %0.wx", false, 0, false},
	{"lane", "%8 = lane.4 %0 aux=2 aux2=1", false, 0, false},
	{"rcp", "%8 = rcp.4 %0", false, 2e-6f, false},
	{"rsq", "%8 = rsq.1 %0", false, 2e-6f, false},
	{"sin", "%8 = sin.1 %2", true, 2e-6f, false},
	{"cos", "%8 = cos.1 %2", true, 2e-6f, false},
	{"pow of positive numbers", "%8 = abs.4 %2\n%8 = pow.1 %8 %3", true, 2e-5f, false},
	{"pow of anything", "%8 = pow.1 %2 %3", true, 2e-5f, false},
	{"a number to its own power", "%8 = pow.1 %0 %0", false, 2e-5f, true},
	{"trunc", "%8 = trunc.1 %0", false, 0, false},
	{"dot 3", "%8 = dot.1 %2 %3 aux=3", true, 2e-6f, false},
	{"dot 4", "%8 = dot.1 %2 %3 aux=4", true, 2e-6f, false},
	{"dot of width 2 takes three", "%8 = dot.1 %2 %3 aux=2", true, 2e-6f, false},
	{"less", "%8 = cmp.1 %0 %1 rel=lt", false, 0, false},
	{"greater", "%8 = cmp.1 %0 %1 rel=gt", false, 0, false},
	{"at most", "%8 = cmp.1 %0 %1 rel=le", false, 0, false},
	{"at least", "%8 = cmp.1 %0 %1 rel=ge", false, 0, false},
	{"equal", "%8 = cmp.1 %0 %0 rel=eq", false, 0, false},
	{"not equal", "%8 = cmp.1 %0 %1 rel=ne", false, 0, false},
	{"unknown relation", "%8 = cmp.1 %2 %3 aux=9", true, 0, false},
	{"matrix times vector", "%8 = mul_mv.4 %2 %6 aux=4", true, 5e-6f, false},
	{"matrix of three columns", "%8 = mul_mv.3 %2 %6 aux=3", true, 5e-6f, false},
	{"matrix over its own operand", "%4 = mul_mv.4 %2 %4 aux=4\n%8 = mov.4 %4", true, 5e-6f, false},
	{"matrix times matrix", "%9 = mul_mm.3 %1 %4 aux=3\n%8 = mov.4 %10", true, 5e-6f, false},
	{"matrix over its own factor", "%3 = mul_mm.3 %1 %3 aux=3\n%8 = mov.4 %4", true, 1e-4f, false},
	{"if", "if %0\n%8 = mov.4 %2\nelse\n%8 = mov.4 %3\nendif", false, 0, false},
	{"if inside an if", "if %0\nif %1\n%8 = mov.4 %2\nendif\nelse\nif %1\n%8 = mov.4 %3\nendif\nendif", false, 0, false},
	{"immediates", "%8 = const.3 aux=1", false, 0, false},
	{"a long chain", "%8 = mul.4 %2 %3\n%9 = sin.4 %8\n%9 = add.4 %9 %4\n%10 = dot.1 %9 %9 aux=4\n%10 = rsq.1 %10\n%10 = swz.4 %10.xxxx\n%8 = mul.4 %9 %10",
		true, 1e-5f, false},
};
#define PROGRAMS (sizeof programs / sizeof *programs)

/* No subnormal numbers: hosts make them 0 or keep them. */
static const float wild[] = {0, 1, -1, 0.5f, 2, -2, 3, 15, 100, -100, 1e-9f, 1e9f, 0.1f, 2.2f, 1.75f, -1.75f, 4e9f, -4e9f, 1e30f, 1e-30f, 0.7f, 255,
	INFINITY, -INFINITY, NAN};
static const float tame[] = {0.5f, 1, -1, 0.25f, 2, -2, 3, 1.5f, -0.75f, 0.1f, 2.2f, 1.75f, -1.75f, 0.7f, 2.5f, 0.3f, -3.1f, 6, -4.5f, 1.25f, 0.9f,
	-0.2f, 3.3f, 0.6f, -1.1f};
#define NUMBERS (sizeof wild / sizeof *wild)

struct host {
	struct virgl_device *d;
	virgl_id color;
	struct csir_plan *plan;
	float got[PROGRAMS][NUMBERS][4];
};

static void uniforms_of(unsigned program, unsigned i, float words[UNIFORMS * 4])
{
	static const unsigned steps[8] = {1, 7, 3, 11, 2, 9, 4, 6};

	for (unsigned k = 0; k < UNIFORMS * 4; k++) {
		unsigned at = (i * steps[k / 4] + k * 5 + k / 4) % NUMBERS;

		words[k] = programs[program].tame || k >= 8 ? tame[at] : wild[k % 4 == 0 && k < 4 ? i : at];
	}
}

static struct csir_shader *shader_of(unsigned program)
{
	static struct csir_shader s;
	struct qs_error error = {QS_OK, 0, ""};
	char text[800];

	snprintf(text, sizeof text, "shader \"%s\" fragment\ntemps 14\nimm 9 0.7 -1e-7 12345.678 5\n%%0 = load_uni.4 aux2=8\n%%8 = mov.4 %%7\n%s\n"
		"store_color.4 %%8\n", programs[program].name, programs[program].code);
	if (!csir_read(&s, text, strlen(text), &error) || !csir_verify(&s, CSIR_RULES_CHRISOS, &error))
		ck_abort_msg("%s", error.text);
	return &s;
}

static void prepare(struct host *h)
{
	static const float triangle[12] = {-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1};
	static const char vertex[] = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n  0: MOV OUT[0], IN[0]\n  1: END\n";
	struct virgl_device *d = h->d;
	struct qs_error error = {QS_OK, 0, ""};
	virgl_id buffer, vs;

	h->color = virgl_texture_create(d, &(struct virgl_texture){.format = VIRGL_FORMAT_R32G32B32A32_FLOAT, .bind = VIRGL_BIND_RENDER,
		.width = NUMBERS, .height = PROGRAMS}, &error);
	buffer = virgl_buffer_create(d, VIRGL_BIND_VERTEX, sizeof triangle, &error);
	virgl_buffer_write(d, buffer, 0, triangle, sizeof triangle);
	vs = virgl_shader_create(d, VIRGL_VERTEX, vertex, "the vertex shader", &error);
	if (!h->color || !buffer || !vs)
		ck_abort_msg("%s", error.text);
	virgl_framebuffer(d, virgl_surface_create(d, h->color, 0), 0);
	virgl_viewport(d, 0, 0, NUMBERS, PROGRAMS, 0.5f, 0.5f);
	virgl_clear(d, VIRGL_CLEAR_COLOR, (const float[]){-777, -777, -777, -777}, 1, 0);
	virgl_bind(d, virgl_blend_create(d, &(struct virgl_blend){.mask = 15}));
	virgl_bind(d, virgl_depth_create(d, &(struct virgl_depth){.test = false}));
	virgl_bind(d, virgl_rasterizer_create(d, &(struct virgl_rasterizer){.scissor = true}));
	virgl_bind(d, virgl_elements_create(d, &(struct virgl_element){0, VIRGL_FORMAT_R32G32B32A32_FLOAT}, 1));
	virgl_bind(d, vs);
	virgl_vertex_buffer(d, buffer, 16, 0);
}

/* Draws a row: one pixel per set of numbers. */
static void draw_program(struct host *h, unsigned program)
{
	struct csir_tgsi_options options;
	struct g3_quirks q = quirks_of(G3_MODEL_VIRGL);
	struct csir_text text = {0};
	struct qs_error error = {QS_OK, 0, ""};
	virgl_id fragment;

	csir_tgsi_options_init(&options, &q);
	if (!csir_tgsi(shader_of(program), &options, &text, NULL, NULL, &error))
		ck_abort_msg("%s", error.text);
	fragment = virgl_shader_create(h->d, VIRGL_FRAGMENT, text.data, programs[program].name, &error);
	if (!fragment)
		ck_abort_msg("%s\n%s", error.text, text.data);
	virgl_bind(h->d, fragment);
	for (unsigned i = 0; i < NUMBERS; i++) {
		float words[UNIFORMS * 4];

		uniforms_of(program, i, words);
		virgl_constants(h->d, VIRGL_FRAGMENT, words, UNIFORMS * 4);
		virgl_scissor(h->d, i, program, i + 1, program + 1);
		if (!virgl_draw(h->d, VIRGL_TRIANGLES, 0, 3, false, programs[program].name, &error))
			ck_abort_msg("%s", error.text);
	}
	csir_text_finish(&text);
}

static void run_program(struct host *h, unsigned program, const float words[UNIFORMS * 4], float wanted[4])
{
	struct g3_quirks q = quirks_of(G3_MODEL_VIRGL);
	float uniforms[CSIR_UNIFORM_SLOTS * 4] = {0};
	struct csir_inputs inputs = {.uniforms = uniforms};
	static struct csir_vec colour;
	struct csir_batch batch = {.mask = 1, .colour = &colour};
	struct qs_error error = {QS_OK, 0, ""};

	memcpy(uniforms, words, UNIFORMS * 4 * sizeof *words);
	if (!csir_exec_prepare(h->plan, shader_of(program), &q, &inputs, UINT32_MAX, &error))
		ck_abort_msg("%s", error.text);
	csir_exec(h->plan, &batch);
	for (unsigned k = 0; k < 4; k++)
		wanted[k] = colour.v[k][0];
}

static bool agree(float got, float wanted, float tolerance)
{
	if (isnan(wanted) || isnan(got))
		return isnan(wanted) && isnan(got);
	if (got == wanted)
		return true;
	return isfinite(got) && isfinite(wanted) && fabsf(got - wanted) <= tolerance * fmaxf(1, fabsf(wanted));
}

static unsigned compare_program(struct host *h, unsigned program)
{
	unsigned wrong = 0;

	for (unsigned i = 0; i < NUMBERS; i++) {
		float words[UNIFORMS * 4], wanted[4];

		uniforms_of(program, i, words);
		if (isnan(words[0]) && programs[program].numbers_only)
			continue;
		run_program(h, program, words, wanted);
		for (unsigned k = 0; k < 4; k++)
			if (!agree(h->got[program][i][k], wanted[k], programs[program].tolerance) && wrong++ < 6)
				printf("%s, set %u, lane %c: the host %.9g, the model %.9g (a.x %.9g, b.x %.9g, %%2.x %.9g, %%3.x %.9g)\n", programs[program].name, i,
					"xyzw"[k], (double)h->got[program][i][k], (double)wanted[k], (double)words[0], (double)words[4], (double)words[8],
					(double)words[12]);
	}
	return wrong;
}

START_TEST(instructions)
{
	struct host h = {0};
	struct qs_error error = {QS_OK, 0, ""};
	unsigned wrong = 0;

	h.d = virgl_device_create(NULL, &error);
	if (!h.d && error.code == QS_ERR_UNSUPPORTED) {
		printf("skipped: %s\n", error.text);
		return;
	}
	if (!h.d)
		ck_abort_msg("%s", error.text);
	h.plan = csir_plan_create();
	prepare(&h);
	for (unsigned i = 0; i < PROGRAMS; i++)
		draw_program(&h, i);
	if (!virgl_readback(h.d, h.color, 0, (struct virgl_rect){0, 0, NUMBERS, PROGRAMS}, h.got, &error))
		ck_abort_msg("%s", error.text);
	for (unsigned i = 0; i < PROGRAMS; i++)
		wrong += compare_program(&h, i);
	printf("%u numbers of %u programs compared\n", (unsigned)(PROGRAMS * NUMBERS * 4), (unsigned)PROGRAMS);
	fflush(stdout);
	virgl_device_destroy(h.d);
	csir_plan_destroy(h.plan);
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

/* ---- prefixes: how the first instruction that differs is found ------------------------------------------------------------ */

/* Registers are written before they are shown: what a host has in others is undefined, and not always 0. */
static const char prefix_text[] = "shader \"prefixes\" fragment\nmarks attr=-1 vary=-1 uniform=7 sampler=-1 position=0 outputs=1 linkable=1\n"
	"temps 14\nimm 0.7 2 0.5 -1\n%0 = load_uni.4 aux2=8\n%11 = mov.4 %7\n%12 = mov.4 %7\n%13 = mov.4 %7\n%10 = mov.4 %7\n%8 = const.4\n%9 = mul.4 %2 %8\n%10 = cmp.1 %2 %3 rel=lt\nif %10\n%9 = add.2 %9 %4\n"
	"discard\nelse\n%11 = swz.3 %9.zyx\n%10 = cmp.1 %8 %4 rel=gt\nif %10\n%11 = lane.4 %8 aux=3\nelse\n%12 = mul_mv.4 %2 %8 aux=4\nendif\n%9 = rcp.3 %11\n"
	"endif\n%13 = dot.1 %9 %9 aux=4\n%13 = rsq.1 %13\nstore_color.4 %13\n";

static struct csir_shader *prefix_shader(void)
{
	static struct csir_shader s;
	struct qs_error error = {QS_OK, 0, ""};

	if (!csir_read(&s, prefix_text, strlen(prefix_text), &error) || !csir_verify(&s, CSIR_RULES_STRICT, &error))
		ck_abort_msg("%s", error.text);
	return &s;
}

static void ignore(void *user, const struct csir_tap *tap)
{
	(void)user;
	(void)tap;
}

/* The register after the first `cut` instructions; false: discarded by then. */
static bool register_after(struct host *h, const float *words, unsigned cut, int reg, float wanted[4])
{
	struct g3_quirks q = quirks_of(G3_MODEL_VIRGL);
	float uniforms[CSIR_UNIFORM_SLOTS * 4] = {0};
	struct csir_inputs inputs = {.uniforms = uniforms};
	struct csir_batch batch = {.mask = 1, .tap = ignore};
	uint32_t count;

	memcpy(uniforms, words, UNIFORMS * 4 * sizeof *words);
	ck_assert(csir_exec_prepare(h->plan, prefix_shader(), &q, &inputs, cut, NULL));
	csir_exec(h->plan, &batch);
	for (unsigned k = 0; k < 4; k++)
		wanted[k] = csir_exec_registers(h->plan, &count)[reg].v[k][0];
	return !batch.discarded;
}

static void draw_prefix(struct host *h, unsigned cut, int reg, unsigned row)
{
	struct csir_tgsi_options options;
	struct g3_quirks q = quirks_of(G3_MODEL_VIRGL);
	struct csir_text text = {0};
	struct qs_error error = {QS_OK, 0, ""};
	virgl_id fragment;

	csir_tgsi_options_init(&options, &q);
	options.cut = cut;
	options.cut_temp = reg;
	if (!csir_tgsi(prefix_shader(), &options, &text, NULL, NULL, &error))
		ck_abort_msg("%s", error.text);
	fragment = virgl_shader_create(h->d, VIRGL_FRAGMENT, text.data, "a prefix", &error);
	if (!fragment)
		ck_abort_msg("%s\n%s", error.text, text.data);
	virgl_bind(h->d, fragment);
	for (unsigned i = 0; i < NUMBERS; i++) {
		float words[UNIFORMS * 4];

		uniforms_of(7 + 5, i, words); /* tame ones */
		virgl_constants(h->d, VIRGL_FRAGMENT, words, UNIFORMS * 4);
		virgl_scissor(h->d, i, row, i + 1, row + 1);
		if (!virgl_draw(h->d, VIRGL_TRIANGLES, 0, 3, false, "a prefix", &error))
			ck_abort_msg("%s", error.text);
	}
	csir_text_finish(&text);
}

START_TEST(prefixes)
{
	struct host h = {0};
	struct qs_error error = {QS_OK, 0, ""};
	const struct csir_shader *s = prefix_shader();
	unsigned compared = 0;

	ck_assert_uint_le(s->instr_count, PROGRAMS);
	h.d = virgl_device_create(NULL, &error);
	if (!h.d && error.code == QS_ERR_UNSUPPORTED) {
		printf("skipped: %s\n", error.text);
		return;
	}
	h.plan = csir_plan_create();
	prepare(&h);
	for (unsigned k = 0; k < s->instr_count; k++)
		if (s->instr[k].dst >= 0)
			draw_prefix(&h, k + 1, s->instr[k].dst, k);
	if (!virgl_readback(h.d, h.color, 0, (struct virgl_rect){0, 0, NUMBERS, PROGRAMS}, h.got, &error))
		ck_abort_msg("%s", error.text);
	for (unsigned k = 0; k < s->instr_count; k++)
		for (unsigned i = 0; i < NUMBERS && s->instr[k].dst >= 0; i++) {
			float words[UNIFORMS * 4], wanted[4];

			uniforms_of(7 + 5, i, words);
			if (!register_after(&h, words, k + 1, s->instr[k].dst, wanted))
				continue;
			for (unsigned lane = 0; lane < 4; lane++, compared++)
				if (!agree(h.got[k][i][lane], wanted[lane], 1e-5f))
					ck_abort_msg("after instruction %u, set %u, lane %u: the host %.9g, the model %.9g", k, i, lane,
						(double)h.got[k][i][lane], (double)wanted[lane]);
		}
	ck_assert_uint_gt(compared, 500);
	virgl_device_destroy(h.d);
	csir_plan_destroy(h.plan);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("csir_host");
	TCase *tcase = tcase_create("host");

	tcase_set_timeout(tcase, 0);
	tcase_add_test(tcase, instructions);
	tcase_add_test(tcase, prefixes);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
