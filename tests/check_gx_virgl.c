/* check_gx_virgl.c - the Flipper's shader pipeline against the soft one
 *
 * Every capture is drawn by both; percentages of pixels within 4 of 255 are printed and may not fall under the bounds below,
 * which were measured.  Then: registers forced at random, moments reached on different ways, hosts that die, pipelines that
 * change between frames.  Without virgl_test_server everything is skipped with a message (QS_NEED_VIRGL=1: fails).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <check.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "corpus.h"
#include "oracle/random.h"
#include "quadscope.h"
#include "trace/timeline.h"
#include "virgl/gx_vertex.h"

#define TOLERANCE 4

static struct corpus captures;

/* What is reached with Mesa's llvmpipe, a little below; everything else is 99.8 or more,
 * 99.2 with the dolphin model.  Reasons: docs/deviations.md, "The shader
 * pipeline". */
static const struct bound {
	const char *capture;
	enum qs_model model;
	double within;
} bounds[] = {
	{"copy-random", QS_MODEL_DOLPHIN, 97.0}, /* quirk disabled_texel: what an earlier fragment left behind */
	{"pe-random", QS_MODEL_DOLPHIN, 97.0},
	{"tex-rare-bits", QS_MODEL_HARDWARE, 99.5}, /* stale lines of the texture cache */
	{NULL, 0, 0},
};

static double bound_of(const char *capture, enum qs_model model)
{
	for (const struct bound *b = bounds; b->capture; b++)
		if (b->model == model && !strcmp(b->capture, capture))
			return b->within;
	return model == QS_MODEL_HARDWARE ? 99.8 : 99.2;
}

/* ---- pictures ----------------------------------------------------------------------------------------------------------- */

static struct qs_timeline *open_timeline(const struct corpus_file *file, struct qs_capture **capture)
{
	struct qs_error error = {0};
	char path[700];

	snprintf(path, sizeof path, "%s/%s.dff", file->folder, file->name);
	*capture = qs_capture_open(path, NULL, NULL, &error);
	struct qs_timeline *t = *capture ? qs_timeline_create(*capture, &error) : NULL;
	if (!t)
		ck_abort_msg("%s: %s", file->name, error.text);
	return t;
}

static void close_timeline(struct qs_timeline *t, struct qs_capture *capture)
{
	qs_timeline_destroy(t);
	qs_capture_destroy(capture);
}

static void choose(struct qs_timeline *t, enum qs_pipeline pipeline, uint32_t from)
{
	struct qs_error error = {0};

	if (!qs_timeline_set_pipeline(t, pipeline, from, NULL, &error))
		ck_abort_msg("%s", error.text);
	ck_assert_int_eq(qs_timeline_pipeline(t, from), pipeline);
}

static void go(struct qs_timeline *t, const char *text)
{
	struct qs_error error = {0};
	struct qs_moment moment;

	if (!qs_moment_parse(qs_timeline_capture(t), text, &moment, &error) || !qs_timeline_seek(t, &moment, &error))
		ck_abort_msg("%s: %s", text, error.text);
}

static struct qs_image picture(struct qs_timeline *t)
{
	struct qs_image image = {0};
	struct qs_error error = {0};

	if (!qs_timeline_image(t, QS_BUFFER_COLOR, &image, &error))
		ck_abort_msg("%s", error.text);
	return image;
}

/* The picture of a moment, as both pipelines draw it; percent within the tolerance. */
static double compare(struct qs_timeline *t, const char *moment, double *equal)
{
	struct qs_image_difference d;
	struct qs_image image[2];
	struct qs_error error = {0};

	for (unsigned i = 0; i < 2; i++) {
		choose(t, i ? QS_PIPELINE_SHADER : QS_PIPELINE_SOFT, 1);
		go(t, moment);
		image[i] = picture(t);
	}
	if (qs_timeline_pipeline_trouble(t, &error))
		ck_abort_msg("%s: %s", moment, error.text);
	ck_assert(qs_image_compare(&image[0], &image[1], TOLERANCE, &d, NULL, &error));
	qs_image_finish(&image[0]);
	qs_image_finish(&image[1]);
	*equal = 100.0 * (double)d.equal / (double)d.pixels;
	return 100.0 * (double)d.within / (double)d.pixels;
}

START_TEST(capture_case)
{
	static const enum qs_model models[2] = {QS_MODEL_HARDWARE, QS_MODEL_DOLPHIN};
	const struct corpus_file *file = &captures.file[_i];
	struct qs_capture *capture;
	struct qs_timeline *t = open_timeline(file, &capture);
	bool bad = false;

	for (unsigned k = 0; k < 2; k++) {
		double least = 100, equal = 100, e;
		qs_timeline_set_model(t, models[k]);
		for (uint32_t frame = 1; frame <= qs_capture_info(capture)->frame_count && frame <= 3; frame++) {
			char text[16];
			snprintf(text, sizeof text, "%" PRIu32, frame);
			double within = compare(t, text, &e);
			least = within < least ? within : least;
			equal = e < equal ? e : equal;
		}
		printf("%-26s %-9s within %d: %8.4f %%, equal %8.4f %%\n", file->name, qs_model_name(models[k]), TOLERANCE, least, equal);
		bad |= least < bound_of(file->name, models[k]);
		choose(t, QS_PIPELINE_SOFT, 1);
	}
	fflush(stdout);
	close_timeline(t, capture);
	if (bad)
		ck_abort_msg("%s: too few pixels agree", file->name);
}
END_TEST

/* ---- registers at random -------------------------------------------------------------------------------------------------- */

struct forced {
	uint8_t unit;
	uint16_t address;
	uint32_t mask;
};

/* Some registers of real draws forced: both pipelines see the same.  The mean over the rounds. */
static double force(const char *const *names, unsigned name_count, const struct forced *regs, unsigned count, unsigned each)
{
	struct oracle_random r = oracle_random_start();
	double sum = 0;
	int rounds = ORACLE_ROUNDS(12);

	for (int round = 0; round < rounds; round++) {
		const char *name = names[(unsigned)round % name_count];
		struct qs_error error = {0};
		struct qs_capture *capture;
		int i = 0;
		while (i < captures.count && strcmp(captures.file[i].name, name))
			i++;
		ck_assert_int_lt(i, captures.count);
		struct qs_timeline *t = open_timeline(&captures.file[i], &capture);
		qs_timeline_set_model(t, oracle_random_below(&r, 3) ? QS_MODEL_HARDWARE : QS_MODEL_PUREIKYUBU);
		qs_timeline_set_quirk(t, "sample_point", 0, &error); /* coverage of sub-samples is not the host's */
		qs_timeline_set_quirk(t, "attribute_point", 0, &error);
		for (unsigned k = 0; k < each; k++) {
			const struct forced *f = &regs[oracle_random_below(&r, count)];
			uint32_t value = oracle_random_next(&r);
			if (!qs_timeline_override_add(t, f->unit, f->address, f->mask, value, &error))
				ck_abort_msg("seed %" PRIu64 ": %s", r.seed, error.text);
		}
		double equal, within = compare(t, "1", &equal);
		sum += within;
		if (within < 97.0 || getenv("QS_VERBOSE"))
			printf("seed %" PRIu64 " round %d, %s: %.3f %% within %d, %.3f %% equal\n", r.seed, round, name, within, TOLERANCE, equal);
		if (within < 97.0)
			ck_abort_msg("seed %" PRIu64 " round %d, %s: %.3f %% within %d, %.3f %% equal", r.seed, round, name, within, TOLERANCE, equal);
		close_timeline(t, capture);
	}
	printf("registers at random: mean %.4f %% within %d\n", sum / rounds, TOLERANCE);
	return sum / rounds;
}

/* Stages, blending, tests and indirect texturing. */
START_TEST(random_registers)
{
	static const struct forced regs[] = {
		{QS_UNIT_BP, 0xC0, 0xFFFFFF}, {QS_UNIT_BP, 0xC1, 0xFFFFFF}, {QS_UNIT_BP, 0xC2, 0xFFFFFF}, {QS_UNIT_BP, 0xC3, 0xFFFFFF},
		{QS_UNIT_BP, 0xC4, 0xFFFFFF}, {QS_UNIT_BP, 0xC5, 0xFFFFFF},                              /* combiners */
		{QS_UNIT_BP, 0x41, 0x00FFE7}, {QS_UNIT_BP, 0x42, 0x0001FF},                              /* blend, logic op, constant alpha */
		{QS_UNIT_BP, 0xF3, 0xFFFFFF}, {QS_UNIT_BP, 0x40, 0x00001F}, {QS_UNIT_BP, 0x43, 0x000041}, /* alpha test, Z, RGB8 or RGBA6, early Z */
		{QS_UNIT_BP, 0xF6, 0xFFFFFF}, {QS_UNIT_BP, 0xF7, 0xFFFFFF}, {QS_UNIT_BP, 0xF8, 0xFFFFFF}, /* swap tables, konst */
		{QS_UNIT_BP, 0x10, 0x1FFFFF}, {QS_UNIT_BP, 0x11, 0x1FFFFF}, {QS_UNIT_BP, 0x06, 0xFFFFFF}, {QS_UNIT_BP, 0x07, 0xFFFFFF},
		{QS_UNIT_BP, 0x08, 0xFFFFFF},                                                            /* indirect */
		{QS_UNIT_BP, 0xF5, 0x00000F}, {QS_UNIT_BP, 0xF1, 0xFFFFFF}, {QS_UNIT_BP, 0xEE, 0xFFFFFF}, {QS_UNIT_BP, 0x80, 0x0001FF}, /* Z texture, fog, filters */
	};
	static const char *const names[] = {"tour", "indirect-warp", "tev-sixteen-stages", "tex-eight-maps", "perspective-cube", "fog-linear"};

	ck_assert(force(names, 6, regs, sizeof regs / sizeof *regs, 5) > 99.5);
}
END_TEST

/* Light, material, texture coordinates, matrices, culling, clipping, frozen Z. */
START_TEST(random_transform)
{
	static const struct forced regs[] = {
		{QS_UNIT_XF, 0x100E, 0x7FFF}, {QS_UNIT_XF, 0x100F, 0x7FFF}, {QS_UNIT_XF, 0x1010, 0x7FFF}, {QS_UNIT_XF, 0x1011, 0x7FFF},
		{QS_UNIT_XF, 0x100A, 0xFFFFFFFF}, {QS_UNIT_XF, 0x100B, 0xFFFFFFFF}, {QS_UNIT_XF, 0x100C, 0xFFFFFFFF}, {QS_UNIT_XF, 0x100D, 0xFFFFFFFF},
		{QS_UNIT_XF, 0x1005, 3}, {QS_UNIT_XF, 0x1012, 1}, {QS_UNIT_XF, 0x1040, 0x3FFF6}, {QS_UNIT_XF, 0x1041, 0x3FFF6},
		{QS_UNIT_XF, 0x1042, 0x3FFF6}, {QS_UNIT_XF, 0x1050, 0x13F}, {QS_UNIT_XF, 0x1051, 0x13F}, {QS_UNIT_XF, 0x1018, 0x3FFFFFC0},
		{QS_UNIT_XF, 0x603, 0xFFFFFFFF}, {QS_UNIT_XF, 0x613, 0xFFFFFFFF}, {QS_UNIT_BP, 0x00, 0x08C000}, {QS_UNIT_BP, 0x22, 0x3FFFFF},
		{QS_UNIT_BP, 0x30, 0x0D0000}, {QS_UNIT_BP, 0x59, 0x0FFFFF},
	};
	static const char *const names[] = {"tour", "light-attenuation", "light-two-channels", "texgen-dual", "texgen-emboss-lights", "clipping",
		"vertex-matrix-indices", "points-and-lines", "lines-widths", "perspective-cube", "texgen-sources", "light-alpha"};

	ck_assert(force(names, 12, regs, sizeof regs / sizeof *regs, 4) > 99.5);
}
END_TEST

/* ---- the timeline --------------------------------------------------------------------------------------------------------- */

static struct qs_timeline *open_tour(struct qs_capture **capture)
{
	int i = 0;

	while (i < captures.count && strcmp(captures.file[i].name, "tour"))
		i++;
	ck_assert_int_lt(i, captures.count);
	struct qs_timeline *t = open_timeline(&captures.file[i], capture);
	choose(t, QS_PIPELINE_SHADER, 1);
	return t;
}

static uint64_t hash_at(struct qs_timeline *t, const char *moment)
{
	go(t, moment);
	return qs_timeline_hash(t);
}

/* A moment is the same whatever way led to it: straight, from behind, through a draw's inside. */
START_TEST(ways)
{
	static const char *const moments[] = {"1/20", "1/20/0", "1/60", "1/110/2", "1/105", "1", "2/30/0/1", "2"};
	uint64_t straight[8], hash;
	struct qs_capture *capture;
	struct qs_timeline *t = open_tour(&capture);
	struct oracle_random r = oracle_random_start();

	for (unsigned i = 0; i < 8; i++)
		straight[i] = hash_at(t, moments[i]);
	for (unsigned round = 0; round < 30; round++) {
		unsigned i = oracle_random_below(&r, 8);
		hash = hash_at(t, moments[i]);
		if (hash != straight[i])
			ck_abort_msg("seed %" PRIu64 ": %s differs after %u jumps", r.seed, moments[i], round);
	}
	close_timeline(t, capture);
}
END_TEST

static bool count_quad(void *user, const struct qs_moment *moment, const struct qs_setup *setup, const struct qs_quad *quad)
{
	(void)moment;
	(void)setup;
	(void)quad;
	++*(unsigned *)user;
	return true;
}

/* Who watches does not change the pixels; from inside a draw neither. */
START_TEST(watched)
{
	struct qs_capture *capture;
	struct qs_timeline *t = open_tour(&capture);
	struct qs_error error = {0};
	struct qs_moment from, to;
	unsigned quads = 0;
	struct qs_taps taps = {.mask = QS_TAP_QUAD, .user = &quads, .quad = count_quad};
	uint64_t expected = hash_at(t, "1/60");

	ck_assert(qs_moment_parse(capture, "1/60", &to, &error));
	go(t, "0");
	ck_assert(qs_timeline_replay(t, NULL, &to, &taps, &error));
	ck_assert_uint_gt(quads, 100);
	ck_assert_uint_eq(qs_timeline_hash(t), expected);
	quads = 0;
	ck_assert(qs_moment_parse(capture, "1/50/0", &from, &error));
	ck_assert(qs_timeline_replay(t, &from, &to, &taps, &error));
	ck_assert_uint_gt(quads, 0);
	ck_assert_uint_eq(qs_timeline_hash(t), expected);
	close_timeline(t, capture);
}
END_TEST

struct look {
	struct qs_timeline *t;
	struct qs_image image;
};

static bool look_at_draw(void *user, const struct qs_moment *moment)
{
	struct look *look = user;

	if (moment->level == QS_LEVEL_DRAW && moment->frame == 1 && moment->draw == 60)
		look->image = picture(look->t);
	return true;
}

/* The picture that a tap asks for is that of its moment. */
START_TEST(asked_while_replaying)
{
	struct qs_capture *capture;
	struct qs_timeline *t = open_tour(&capture);
	struct look look = {.t = t};
	struct qs_taps taps = {.mask = QS_TAP_COMMAND, .user = &look, .command = look_at_draw};
	struct qs_error error = {0};
	struct qs_image expected;
	struct qs_moment to;

	go(t, "1/60");
	expected = picture(t);
	ck_assert(qs_moment_parse(capture, "1/80", &to, &error));
	ck_assert(qs_timeline_replay(t, NULL, &to, &taps, &error));
	ck_assert_ptr_nonnull(look.image.rgba);
	ck_assert_mem_eq(look.image.rgba, expected.rgba, (size_t)expected.width * expected.height * 4);
	qs_image_finish(&look.image);
	qs_image_finish(&expected);
	close_timeline(t, capture);
}
END_TEST

/* From the next frame on. */
START_TEST(next_frame)
{
	struct qs_capture *capture;
	struct qs_timeline *t = open_tour(&capture);
	uint64_t shader1 = hash_at(t, "1"), soft1;

	choose(t, QS_PIPELINE_SOFT, 0);
	ck_assert_int_eq(qs_timeline_pipeline(t, 1), QS_PIPELINE_SHADER);
	ck_assert_int_eq(qs_timeline_pipeline(t, 2), QS_PIPELINE_SOFT);
	ck_assert_uint_eq(qs_timeline_hash(t), shader1);
	go(t, "2");
	choose(t, QS_PIPELINE_SOFT, 1);
	ck_assert_int_eq(qs_timeline_pipeline(t, 1), QS_PIPELINE_SOFT);
	soft1 = hash_at(t, "1");
	ck_assert_uint_ne(soft1, shader1); /* single bits differ */
	choose(t, QS_PIPELINE_SHADER, 2);
	ck_assert_uint_eq(hash_at(t, "1"), soft1);
	close_timeline(t, capture);
}
END_TEST

/* A host that dies is replaced, the pictures stay right, and the trouble is told. */
START_TEST(dying_host)
{
	struct qs_capture *capture;
	struct qs_timeline *t = open_tour(&capture);
	struct qs_error error = {0};
	uint64_t expected = hash_at(t, "1/110");

	go(t, "0");
	kill((pid_t)gx_virgl_pid(t->virgl), SIGKILL);
	qs_timeline_set_model(t, qs_timeline_model(t)); /* no checkpoint is left that would spare the draws */
	ck_assert_uint_eq(hash_at(t, "1/110"), expected);
	ck_assert(qs_timeline_pipeline_trouble(t, &error));
	ck_assert_int_eq(error.code, QS_ERR_IO);
	ck_assert(!qs_timeline_pipeline_trouble(t, &error));
	ck_assert_int_eq(qs_timeline_pipeline(t, 1), QS_PIPELINE_SHADER);
	close_timeline(t, capture);
}
END_TEST

/* None comes any more: the soft pipeline goes on. */
START_TEST(no_host_any_more)
{
	struct qs_capture *capture;
	struct qs_timeline *t = open_tour(&capture);
	struct qs_error error = {0};
	uint64_t expected;

	choose(t, QS_PIPELINE_SOFT, 1);
	expected = hash_at(t, "1/110");
	choose(t, QS_PIPELINE_SHADER, 1);
	go(t, "0");
	setenv("QUADSCOPE_VIRGL_SERVER", "/nonexistent", 1);
	kill((pid_t)gx_virgl_pid(t->virgl), SIGKILL);
	qs_timeline_set_model(t, qs_timeline_model(t)); /* no checkpoint is left that would spare the draws */
	ck_assert_uint_eq(hash_at(t, "1/110"), expected);
	ck_assert(qs_timeline_pipeline_trouble(t, &error));
	ck_assert_int_eq(qs_timeline_pipeline(t, 1), QS_PIPELINE_SOFT);
	ck_assert(!qs_timeline_set_pipeline(t, QS_PIPELINE_SHADER, 1, &(struct qs_pipeline_options){NULL, NULL}, &error));
	ck_assert_ptr_nonnull(strstr(error.text, "virgl-server"));
	unsetenv("QUADSCOPE_VIRGL_SERVER");
	close_timeline(t, capture);
}
END_TEST

/* ---- faults on the host's side -------------------------------------------------------------------------------------------- */

static float *constant_of(const struct gx_program *program, uint32_t *words, unsigned kind, unsigned index)
{
	for (unsigned i = 0; i < program->constants; i++)
		if (program->constant[i].kind == kind && program->constant[i].index == index)
			return (float *)(void *)(words + 4 * i);
	return NULL;
}

/* Texture matrices begin a row too far down. */
static void fault_texgen_row(const struct gx_program *program, uint32_t *words)
{
	for (unsigned n = 0; n < 24; n += 3) {
		float *row[3];
		for (unsigned k = 0; k < 3; k++)
			row[k] = constant_of(program, words, GX_CONSTANT_XF, GX_XF_TEXTURE + n + k);
		if (row[0] && row[1])
			memcpy(row[0], row[1], 4 * sizeof *row[0]);
		if (row[1] && row[2])
			memcpy(row[1], row[2], 4 * sizeof *row[1]);
	}
}

/* Lights fade twice as fast. */
static void fault_attenuation(const struct gx_program *program, uint32_t *words)
{
	for (unsigned n = 0; n < 8; n++) {
		float *k = constant_of(program, words, GX_CONSTANT_XF, GX_XF_LIGHT + 8 * n + GX_LIGHT_DISTANCE);
		for (unsigned i = 0; k && i < 3; i++)
			k[i] *= 2;
	}
}

/* The projection lost its second number. */
static void fault_projection(const struct gx_program *program, uint32_t *words)
{
	float *p = constant_of(program, words, GX_CONSTANT_XF, GX_XF_PROJECTION);

	if (p)
		p[0] *= 0.8f;
}

static void fault_konst(const struct gx_program *program, uint32_t *words)
{
	for (unsigned i = 0; i < program->constants; i++)
		if (program->constant[i].kind == GX_CONSTANT_KONST)
			memset(words + 4 * i, 0, 16);
}

static const struct gx_fault {
	const char *name, *capture, *operand; /* operand: one that must differ */
	enum qs_stage_unit unit;
	struct gx_virgl_hooks hooks;
} gx_faults[] = {
	{"texture matrix off by a row", "texgen-sources", "coordinate 0", QS_AT_VERTEX, {.vertex = fault_texgen_row}},
	{"light attenuation doubled", "light-attenuation", "colour 0", QS_AT_VERTEX, {.vertex = fault_attenuation}},
	{"projection narrower", "perspective-cube", "clip position", QS_AT_VERTEX, {.vertex = fault_projection}},
	{"konst not sent", "tev-konst", "pixel", QS_AT_TEV, {.fragment = fault_konst}},
};

/* The comparison blames XF for what is wrong with the vertex program, and only for that. */
START_TEST(planted)
{
	const struct gx_fault *fault = &gx_faults[_i];
	struct qs_compare_options o = {.frame = 1, .buffer = QS_BUFFER_COUNT, .divergence = true};
	struct qs_capture *capture, *other;
	struct qs_error error = {0};
	struct qs_comparison r;
	struct qs_source a, b;
	bool differs = false;
	int i = 0;

	while (i < captures.count && strcmp(captures.file[i].name, fault->capture))
		i++;
	ck_assert_int_lt(i, captures.count);
	struct qs_timeline *soft = open_timeline(&captures.file[i], &capture), *shader = open_timeline(&captures.file[i], &other);
	choose(shader, QS_PIPELINE_SHADER, 1);
	qs_source_timeline(&a, soft, "cpu");
	qs_source_timeline(&b, shader, "virgl");
	gx_virgl_hooks = &fault->hooks;
	bool good = qs_compare(&a, &b, &o, &r, &error);
	gx_virgl_hooks = NULL;
	if (!good)
		ck_abort_msg("%s: %s", fault->name, error.text);
	for (uint32_t k = 0; k < r.first.operand_count; k++)
		differs |= !strcmp(r.first.operand[k].name, fault->operand) && r.first.operand[k].differs;
	printf("%-30s %s: %s\n", fault->name, qs_stage_unit_name((enum qs_stage_unit)r.first.unit), r.first.text);
	if (!r.first.found || r.first.unit != fault->unit || !differs)
		ck_abort_msg("%s: found at %s, %s; %s %s", fault->name, qs_stage_unit_name((enum qs_stage_unit)r.first.unit), r.first.text,
			fault->operand, differs ? "differs" : "does not differ");
	qs_comparison_finish(&r);
	close_timeline(soft, capture);
	close_timeline(shader, other);
}
END_TEST

/* Texts of every draw: each stage is a part, parts begin at lines that exist, and the commands hold a draw. */
START_TEST(programs)
{
	struct qs_capture *capture;
	struct qs_timeline *t = open_tour(&capture);
	struct qs_error error = {0};
	struct qs_program p;
	unsigned drawn = 0;

	go(t, "1");
	ck_assert(!qs_timeline_program(t, &p, &error));
	for (unsigned draw = 0; draw < 111; draw += 10) {
		char text[32];
		unsigned stages = 0, lines = 0;
		snprintf(text, sizeof text, "1/%u", draw);
		go(t, text);
		uint64_t hash = qs_timeline_hash(t);
		if (!qs_timeline_program(t, &p, &error))
			ck_abort_msg("%s: %s", text, error.text);
		for (const char *c = p.fragment; *c; c++)
			lines += *c == '\n';
		for (uint32_t i = 0; i < p.part_count; i++) {
			stages += !strncmp(p.part[i].name, "stage ", 6);
			if (p.part[i].line >= lines || (i && p.part[i].line < p.part[i - 1].line))
				ck_abort_msg("%s: part %s at line %" PRIu32, text, p.part[i].name, p.part[i].line);
		}
		if (stages != (qs_timeline_register(t, QS_UNIT_BP, 0) >> 10 & 15) + 1)
			ck_abort_msg("%s: %u stages", text, stages);
		if (!p.commands || p.reason[0])
			ck_abort_msg("%s: no commands, %s", text, p.reason);
		drawn += strstr(p.commands, "draw start 0 count") != NULL; /* some are culled whole */
		qs_program_finish(&p);
		ck_assert_uint_eq(qs_timeline_hash(t), hash); /* asking changes nothing */
	}
	ck_assert_uint_ge(drawn, 6);
	close_timeline(t, capture);
}
END_TEST

static Suite *make_suite(void)
{
	Suite *suite = suite_create("gx_virgl");
	TCase *pictures = tcase_create("pictures"), *timeline = tcase_create("timeline");

	tcase_add_loop_test(pictures, capture_case, 0, captures.count);
	tcase_add_test(pictures, random_registers);
	tcase_add_test(pictures, random_transform);
	tcase_set_timeout(pictures, 600);
	suite_add_tcase(suite, pictures);
	tcase_add_test(timeline, ways);
	tcase_add_test(timeline, watched);
	tcase_add_test(timeline, asked_while_replaying);
	tcase_add_test(timeline, next_frame);
	tcase_add_test(timeline, dying_host);
	tcase_add_test(timeline, no_host_any_more);
	tcase_add_test(timeline, programs);
	tcase_add_loop_test(timeline, planted, 0, sizeof gx_faults / sizeof *gx_faults);
	tcase_set_timeout(timeline, 600);
	suite_add_tcase(suite, timeline);
	return suite;
}

int main(void)
{
	struct qs_error error = {0};
	struct gx_virgl *v = gx_virgl_create(NULL, &error);

	if (!v) {
		printf("Skipped: %s\n", error.text);
		return getenv("QS_NEED_VIRGL") ? EXIT_FAILURE : 77;
	}
	gx_virgl_destroy(v);
	captures = corpus_find(false);
	SRunner *runner = srunner_create(make_suite());
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
