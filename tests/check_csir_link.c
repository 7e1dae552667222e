/* check_csir_link.c - programs, the uniform store, TGSI text
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "csir_tools.h"

#define VERT(declarations, body) declarations "in vec4 p; void main() { " body " gl_Position = p; }"
#define FRAG(declarations, body) declarations "out vec4 c; void main() { " body " }"

static void attach(struct csir_program *p, enum csir_stage stage, const char *source, enum g3_model model)
{
	static struct csir_shader s;

	compile(&s, stage, source, model);
	ck_assert(csir_program_attach(p, &s, NULL));
	csir_shader_finish(&s);
}

static struct csir_program *program_of(const char *vertex, const char *fragment, enum g3_model model, struct csir_log *log)
{
	struct csir_program *p = csir_program_create();
	struct g3_quirks q = quirks_of(model);

	attach(p, CSIR_VERTEX, vertex, model);
	attach(p, CSIR_FRAGMENT, fragment, model);
	csir_program_link(p, &q, log, NULL);
	return p;
}

/* ---- link ----------------------------------------------------------------------------------------------------------------- */

static const struct {
	const char *name, *vertex, *fragment, *message; /* NULL: links */
} links[] = {
	{"nothing in common", VERT("", ""), FRAG("", "c = vec4(1.0);"), NULL},
	{"one varying", VERT("out vec3 n;", "n = p.xyz;"), FRAG("in vec3 n;", "c = vec4(n, 1.0);"), NULL},
	{"missing varying", VERT("out vec3 m;", ""), FRAG("in vec3 n;", "c = vec4(n, 1.0);"), "missing varying n"},
	{"type of a varying", VERT("out vec4 n;", ""), FRAG("in vec3 n;", "c = vec4(n, 1.0);"), "type mismatch for varying n"},
	{"type of a uniform", VERT("uniform vec4 k;", ""), FRAG("uniform vec3 k;", "c = vec4(k, 1.0);"), "uniform type mismatch: k"},
	{"shared uniform", VERT("uniform vec4 k;", ""), FRAG("uniform vec4 k;", "c = k;"), NULL},
};

START_TEST(link)
{
	for (unsigned model = 0; model < G3_MODEL_COUNT; model++) {
		struct csir_log log;
		struct csir_program *p = program_of(links[_i].vertex, links[_i].fragment, (enum g3_model)model, &log);

		if (p->linked != !links[_i].message)
			ck_abort_msg("%s: %s", links[_i].name, log.text);
		if (links[_i].message)
			ck_assert_str_eq(log.message[0].text, links[_i].message);
		ck_assert_uint_eq(p->generation, p->linked);
		csir_program_destroy(p);
	}
}
END_TEST

START_TEST(link_without_shaders)
{
	struct csir_program *p = csir_program_create();
	struct g3_quirks q = quirks_of(G3_MODEL_CHRISOS);
	struct qs_error error = {QS_OK, 0, ""};

	attach(p, CSIR_VERTEX, VERT("", ""), G3_MODEL_CHRISOS);
	ck_assert(!csir_program_link(p, &q, NULL, &error));
	ck_assert_str_eq(error.text, "The program does not link: program is missing a compiled shader.");
	csir_program_destroy(p);
}
END_TEST

START_TEST(remap)
{
	struct csir_log log;
	struct csir_program *p = program_of(VERT("out vec4 a; out vec4 b; out vec4 d;", "a = p; b = p; d = p;"),
		FRAG("layout(location = 4) in vec4 d; in vec4 a;", "c = a + d;"), G3_MODEL_CHRISOS, &log);

	ck_assert_int_eq(p->var_remap[4], 2);
	ck_assert_int_eq(p->var_remap[0], 0);
	for (unsigned i = 1; i < 8; i++)
		if (i != 4)
			ck_assert_int_eq(p->var_remap[i], -1);
	ck_assert_uint_eq(p->vary_count, 2);
	ck_assert_uint_eq(p->attr_count, 1);
	ck_assert_ptr_nonnull(strstr(p->tgsi[1], "DCL IN[2], GENERIC[2], PERSPECTIVE"));
	csir_program_destroy(p);
}
END_TEST

/* ---- relink --------------------------------------------------------------------------------------------------------------- */

static float runs(const struct csir_program *p, enum g3_model model)
{
	struct g3_quirks q = quirks_of(model);
	struct run_result out;

	run_one(csir_program_shader(p, CSIR_FRAGMENT, &q), model, (const float[]){0, 0, 0, 0}, NULL, &out);
	return out.colour[0];
}

START_TEST(failed_relink)
{
	for (unsigned model = 0; model < G3_MODEL_COUNT; model++) {
		struct csir_log log;
		struct g3_quirks q = quirks_of((enum g3_model)model);
		struct csir_program *p = program_of(VERT("", ""), FRAG("", "c = vec4(1.0);"), (enum g3_model)model, &log);
		char *before = strdup(p->tgsi[1]);
		bool keeps = model != G3_MODEL_CHRISOS;

		attach(p, CSIR_FRAGMENT, FRAG("in vec4 n;", "c = vec4(2.0);"), (enum g3_model)model);
		ck_assert(!csir_program_link(p, &q, &log, NULL));
		ck_assert(p->linked);
		ck_assert_ptr_nonnull(strstr(log.text, "kept previous program"));
		ck_assert_str_eq(p->tgsi[1], before); /* the host keeps the old text ... */
		ck_assert_float_eq(runs(p, (enum g3_model)model), keeps ? 1 : 2); /* ... and the CPU may not */
		attach(p, CSIR_FRAGMENT, FRAG("", "c = vec4(3.0);"), (enum g3_model)model);
		ck_assert(csir_program_link(p, &q, &log, NULL));
		ck_assert_float_eq(runs(p, (enum g3_model)model), 3);
		ck_assert_uint_eq(p->generation, 2);
		free(before);
		csir_program_destroy(p);
	}
}
END_TEST

START_TEST(relinked_uniforms)
{
	for (unsigned model = 0; model < G3_MODEL_COUNT; model++) {
		struct csir_log log;
		struct g3_quirks q = quirks_of((enum g3_model)model);
		struct csir_program *p = program_of(VERT("", ""), FRAG("uniform vec4 a; uniform vec4 b;", "c = a + b;"), (enum g3_model)model, &log);
		const float one[4] = {1, 1, 1, 1}, two[4] = {2, 2, 2, 2};

		ck_assert(csir_uniform_set(p, "a", one, 4, &q, NULL) && csir_uniform_set(p, "b", two, 4, &q, NULL));
		attach(p, CSIR_FRAGMENT, FRAG("uniform vec4 b; uniform vec4 a;", "c = a + b;"), (enum g3_model)model);
		ck_assert(csir_program_link(p, &q, &log, NULL));
		ck_assert_float_eq(p->words[1][0], model == G3_MODEL_CORRECTED ? 2 : 1); /* slot 0 is b's now */
		csir_program_destroy(p);
	}
}
END_TEST

/* ---- uniforms ------------------------------------------------------------------------------------------------------------- */

START_TEST(uniforms)
{
	struct csir_log log;
	struct g3_quirks q = quirks_of(G3_MODEL_CHRISOS);
	struct qs_error error = {QS_OK, 0, ""};
	struct csir_program *p = program_of(VERT("uniform mat4 m; uniform vec4 k; ", ""), FRAG("uniform vec4 k; uniform mat3 n; uniform vec2 t;",
		"c = k;"), G3_MODEL_CHRISOS, &log);
	float numbers[16];

	for (unsigned i = 0; i < 16; i++)
		numbers[i] = (float)(i + 1);
	ck_assert_uint_eq(p->uniform_count, 4);
	ck_assert_int_eq(csir_program_uniform(p, "k")->slot[0], 4);
	ck_assert_int_eq(csir_program_uniform(p, "k")->slot[1], 0);
	ck_assert_int_eq(csir_program_uniform(p, "n")->slot[0], -1);
	ck_assert(csir_uniform_set(p, "m", numbers, 16, &q, NULL));
	ck_assert(!memcmp(p->words[0], numbers, sizeof numbers));
	ck_assert(csir_uniform_set(p, "k", numbers, 16, &q, NULL)); /* both stages, four words */
	ck_assert(!memcmp(&p->words[0][16], numbers, 16) && !memcmp(p->words[1], numbers, 16) && p->words[0][20] == 0);
	p->words[1][7] = 9;
	ck_assert(csir_uniform_set(p, "n", numbers, 9, &q, NULL));
	ck_assert(p->words[1][4] == 1 && p->words[1][6] == 3 && p->words[1][7] == 0 && p->words[1][8] == 4 && p->words[1][14] == 9);
	ck_assert(csir_uniform_set(p, "t", numbers + 4, 1, &q, NULL)); /* the second word keeps its value */
	ck_assert(p->words[1][16] == 5 && p->words[1][17] == 0);
	ck_assert(!csir_uniform_set(p, "nobody", numbers, 1, &q, &error));
	ck_assert_str_eq(error.text, "The program has no uniform nobody.");
	csir_program_destroy(p);
}
END_TEST

START_TEST(short_matrix)
{
	for (unsigned model = 0; model < G3_MODEL_COUNT; model++) {
		struct csir_log log;
		struct g3_quirks q = quirks_of((enum g3_model)model);
		struct csir_program *p = program_of(VERT("uniform mat4 m;", ""), FRAG("", "c = vec4(1.0);"), (enum g3_model)model, &log);
		const float numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};
		bool ok = csir_uniform_set(p, "m", numbers, 8, &q, NULL);

		ck_assert(ok == (model != G3_MODEL_CORRECTED));
		ck_assert(p->words[0][3] == (ok ? 4 : 0) && p->words[0][4] == 0);
		csir_program_destroy(p);
	}
}
END_TEST

START_TEST(single_lanes)
{
	for (unsigned model = 0; model < G3_MODEL_COUNT; model++) {
		struct csir_log log;
		struct g3_quirks q = quirks_of((enum g3_model)model);
		struct csir_program *p = program_of(VERT("uniform mat4 m; uniform vec4 k;", ""), FRAG("uniform mat4 f;", "c = vec4(1.0);"), (enum g3_model)model,
			&log);
		float numbers[16];
		bool keeps = model == G3_MODEL_CORRECTED;

		for (unsigned i = 0; i < 16; i++)
			numbers[i] = (float)(i + 1);
		csir_uniform_set(p, "m", numbers, 16, &q, NULL);
		csir_uniform_set(p, "f", numbers, 16, &q, NULL);
		csir_uniform_set(p, "k", numbers, 4, &q, NULL);
		ck_assert(csir_uniform_set_lane(p, "m", 5, 50, &q, NULL) && csir_uniform_set_lane(p, "f", 5, 50, &q, NULL));
		ck_assert(csir_uniform_set_lane(p, "k", 1, 50, &q, NULL));
		ck_assert(p->words[0][5] == 50 && p->words[0][6] == 7); /* mat4 of the vertex stage */
		ck_assert(p->words[1][5] == 50 && p->words[1][6] == (keeps ? 7 : 0));
		ck_assert(p->words[0][17] == 50 && p->words[0][16] == (keeps ? 1 : 0));
		ck_assert(!csir_uniform_set_lane(p, "m", 16, 1, &q, NULL));
		csir_program_destroy(p);
	}
}
END_TEST

START_TEST(samplers)
{
	struct csir_log log;
	struct csir_program *p = program_of(VERT("", ""), FRAG("uniform sampler2D a; uniform sampler2D b;", "c = texture(b, vec2(0.5));"),
		G3_MODEL_CHRISOS, &log);

	ck_assert_int_eq(csir_program_sampler(p, "b"), 1);
	ck_assert_int_eq(csir_program_sampler(p, "z"), -1);
	ck_assert_uint_eq(p->uniform_count, 0);
	csir_program_destroy(p);
}
END_TEST

/* ---- TGSI ----------------------------------------------------------------------------------------------------------------- */

static struct csir_shader *parse(const char *text)
{
	static struct csir_shader s;
	struct qs_error error = {QS_OK, 0, ""};

	if (!csir_read(&s, text, strlen(text), &error))
		ck_abort_msg("%s\n%s", error.text, text);
	return &s;
}

/* One instruction each; TEMP[0..19], IMM pool of four. */
static const struct {
	const char *instr, *tgsi;
} mapped[] = {
	{"%3 = const.2 aux=1", "  0: MOV TEMP[3], IMM[0]\n"},
	{"%3 = mov.4 %4", "  0: MOV TEMP[3], TEMP[4]\n"},
	{"%3 = mov.3 %4", "  0: MOV TEMP[3].xyz, TEMP[4].xyzz\n"},
	{"%3 = mov.1 %4", "  0: MOV TEMP[3].x, TEMP[4].xxxx\n"},
	{"%3 = swz.2 %4.wy", "  0: MOV TEMP[3].xy, TEMP[4].wyyy\n"},
	{"%3 = swz.4 %4.xyzw", "  0: MOV TEMP[3], TEMP[4]\n"},
	{"%3 = swz.4 %4.xxxx", "  0: MOV TEMP[3], TEMP[4].xxxx\n"},
	{"%3 = lane.4 %4 aux=2 aux2=1", "  0: MOV TEMP[3].z, TEMP[4].yyyy\n"},
	{"%3 = add.4 %4 %5", "  0: ADD TEMP[3], TEMP[4], TEMP[5]\n"},
	{"%3 = sub.3 %4 %5", "  0: SUB TEMP[3].xyz, TEMP[4], TEMP[5]\n"},
	{"%3 = mul.2 %4 %5", "  0: MUL TEMP[3].xy, TEMP[4], TEMP[5]\n"},
	{"%3 = max.1 %4 %5", "  0: MAX TEMP[3].x, TEMP[4], TEMP[5]\n"},
	{"%3 = min %4 %5", "  0: MIN TEMP[3], TEMP[4], TEMP[5]\n"},
	{"%3 = abs.2 %4", "  0: ABS TEMP[3], TEMP[4]\n"},
	{"%3 = dot.1 %4 %5 aux=3", "  0: DP3 TEMP[3].x, TEMP[4], TEMP[5]\n"},
	{"%3 = dot.1 %4 %5 aux=4", "  0: DP4 TEMP[3].x, TEMP[4], TEMP[5]\n"},
	{"%3 = rsq.1 %4", "  0: RSQ TEMP[3].x, TEMP[4].xxxx\n"},
	{"%3 = rcp.2 %4", "  0: RCP TEMP[3].x, TEMP[4].xxxx\n  1: RCP TEMP[3].y, TEMP[4].yyyy\n"},
	{"%3 = sin.1 %4", "  0: SIN TEMP[3].x, TEMP[4].xxxx\n"},
	{"%3 = cos.1 %4", "  0: COS TEMP[3].x, TEMP[4].xxxx\n"},
	{"%3 = trunc.1 %4", "  0: TRUNC TEMP[3].x, TEMP[4].xxxx\n"},
	{"%3 = pow.1 %4 %5", "  0: POW TEMP[3].x, TEMP[4].xxxx, TEMP[5].xxxx\n"},
	{"%3 = cmp.1 %4 %5 rel=lt", "  0: SLT TEMP[3].x, TEMP[4].xxxx, TEMP[5].xxxx\n"},
	{"%3 = cmp.1 %4 %5 rel=gt", "  0: SLT TEMP[3].x, TEMP[5].xxxx, TEMP[4].xxxx\n"},
	{"%3 = cmp.1 %4 %5 rel=ge", "  0: SGE TEMP[3].x, TEMP[4].xxxx, TEMP[5].xxxx\n"},
	{"%3 = cmp.1 %4 %5 rel=le", "  0: SGE TEMP[3].x, TEMP[5].xxxx, TEMP[4].xxxx\n"},
	{"%3 = cmp.1 %4 %5 rel=eq", "  0: SEQ TEMP[3].x, TEMP[4].xxxx, TEMP[5].xxxx\n"},
	{"%3 = cmp.1 %4 %5 rel=ne", "  0: SNE TEMP[3].x, TEMP[4].xxxx, TEMP[5].xxxx\n"},
	{"%3 = cmp.1 %4 %5 aux=9", "  0: SLT TEMP[3].x, TEMP[4].xxxx, TEMP[5].xxxx\n"},
	{"%3 = mul_mv.3 %4 %8 aux=3", "  0: MUL TEMP[3], TEMP[8].xxxx, TEMP[4]\n  1: MAD TEMP[3], TEMP[8].yyyy, TEMP[5], TEMP[3]\n"
		"  2: MAD TEMP[3], TEMP[8].zzzz, TEMP[6], TEMP[3]\n"},
	{"%3 = sample2d.4 %4 aux=1", "  0: TEX TEMP[3], TEMP[4], SAMP[1], 2D\n"},
	{"%3 = load_var.4 aux=2", "  0: MOV TEMP[3], IN[5]\n"},
	{"%3 = load_uni.4 aux=2 aux2=2", "  0: MOV TEMP[3], CONST[0][2]\n  1: MOV TEMP[4], CONST[0][3]\n"},
	{"%3 = load_fragcoord.4", "  0: MOV TEMP[3], IN[7]\n"},
	{"store_color.4 %3", "  0: MOV OUT[0], TEMP[3]\n"},
	{"discard", "  0: KILL\n"},
	{"nop", ""},
};

static const char *body_of(const char *text)
{
	const char *at = strstr(text, "  0: ");

	return at ? at : strstr(text, "END\n");
}

START_TEST(mapping)
{
	struct csir_text source = {0}, out = {0};
	struct csir_tgsi_options options;
	struct g3_quirks q = quirks_of(G3_MODEL_VIRGL);
	static const int16_t to_five[CSIR_VARY_MAX] = {-1, -1, 5, -1, -1, -1, -1, -1};
	struct qs_error error = {QS_OK, 0, ""};
	char wanted[600];

	csir_text_add(&source, "shader \"x\" fragment\ntemps 20\nimm 1 2 3 4\n%s\n", mapped[_i].instr);
	csir_tgsi_options_init(&options, &q);
	options.var_remap = to_five;
	if (!csir_tgsi(parse(source.data), &options, &out, NULL, NULL, &error))
		ck_abort_msg("%s: %s", mapped[_i].instr, error.text);
	snprintf(wanted, sizeof wanted, "%sEND\n", mapped[_i].tgsi);
	if (strcmp(body_of(out.data), wanted))
		ck_abort_msg("%s:\n%s", mapped[_i].instr, out.data);
	csir_text_finish(&source);
	csir_text_finish(&out);
}
END_TEST

static char *tgsi_text(const struct csir_shader *s, const struct csir_tgsi_options *options, int32_t **lines, uint32_t *count)
{
	struct csir_text out = {0};
	struct qs_error error = {QS_OK, 0, ""};

	if (!csir_tgsi(s, options, &out, lines, count, &error))
		ck_abort_msg("%s", error.text);
	return out.data;
}

static const char *const branch_source = "uniform sampler2D s; uniform mat3 m; in vec2 t; out vec4 c;\n"
	"void main() { c = texture(s, t); if (t.x < 0.7) { discard; } c = vec4(m * c.xyz, 0.1); }";

START_TEST(whole_text)
{
	static struct csir_shader s;
	struct csir_tgsi_options options;
	struct g3_quirks q = quirks_of(G3_MODEL_VIRGL);
	int32_t *lines;
	uint32_t count, newlines = 0;
	char *text;

	compile(&s, CSIR_FRAGMENT, branch_source, G3_MODEL_VIRGL);
	csir_tgsi_options_init(&options, &q);
	text = tgsi_text(&s, &options, &lines, &count);
	static const char wanted[] = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IN[7], POSITION\nDCL OUT[0], COLOR\nDCL SAMP[0]\n"
		"DCL SVIEW[0], 2D, FLOAT\nDCL CONST[0][0..2]\nDCL TEMP[0..15]\nIMM[0] FLT32 {0.0, 0.0, 0.0, 0.0}\n"
		"IMM[1] FLT32 {0.699999988, 0.0, 0.0, 0.0}\nIMM[2] FLT32 {0.100000001, 0.0, 0.0, 0.0}\nIMM[3] FLT32 {0.0, 0.0, 0.0, 0.0}\n"
		"  0: MOV TEMP[0], IN[7]\n  1: MOV TEMP[1], CONST[0][0]\n  2: MOV TEMP[2], CONST[0][1]\n  3: MOV TEMP[3], CONST[0][2]\n"
		"  4: MOV TEMP[4], IN[0]\n  5: MOV TEMP[6], IMM[0]\n  6: MOV TEMP[5], TEMP[6]\n  7: TEX TEMP[7], TEMP[4], SAMP[0], 2D\n"
		"  8: MOV TEMP[5], TEMP[7]\n  9: MOV OUT[0], TEMP[5]\n  10: MOV TEMP[8].x, TEMP[4].xxxx\n  11: MOV TEMP[9], IMM[1]\n"
		"  12: SLT TEMP[10].x, TEMP[8].xxxx, TEMP[9].xxxx\n  13: IF TEMP[10].xxxx\n  14: KILL\n  15: ENDIF\n"
		"  16: MOV TEMP[11].xyz, TEMP[5].xyzz\n  17: MUL TEMP[12], TEMP[11].xxxx, TEMP[1]\n"
		"  18: MAD TEMP[12], TEMP[11].yyyy, TEMP[2], TEMP[12]\n  19: MAD TEMP[12], TEMP[11].zzzz, TEMP[3], TEMP[12]\n"
		"  20: MOV TEMP[13], IMM[2]\n  21: MOV TEMP[15], IMM[3]\n  22: MOV TEMP[14], TEMP[15]\n  23: MOV TEMP[14].x, TEMP[12].xxxx\n"
		"  24: MOV TEMP[14].y, TEMP[12].yyyy\n  25: MOV TEMP[14].z, TEMP[12].zzzz\n  26: MOV TEMP[14].w, TEMP[13].xxxx\n"
		"  27: MOV TEMP[5], TEMP[14]\n  28: MOV OUT[0], TEMP[5]\nEND\n";

	if (strcmp(text, wanted))
		ck_abort_msg("%s", text);
	for (const char *c = text; *c; c++)
		newlines += *c == '\n';
	ck_assert_uint_eq(count, newlines);
	ck_assert_int_eq(lines[0], -1);
	ck_assert_int_eq(lines[count - 1], -1);
	free(text);
	csir_shader_finish(&s);
	free(lines);
}
END_TEST

START_TEST(literal_text)
{
	static struct csir_shader s;
	struct csir_tgsi_options options;
	struct g3_quirks q = quirks_of(G3_MODEL_CHRISOS);
	char *text;

	compile(&s, CSIR_FRAGMENT, branch_source, G3_MODEL_CHRISOS);
	csir_tgsi_options_init(&options, &q);
	ck_assert(options.literal && options.digits && options.budget == 3600);
	text = tgsi_text(&s, &options, NULL, NULL);
	ck_assert_ptr_nonnull(strstr(text, ": IF TEMP[10].x\n"));
	ck_assert_ptr_nonnull(strstr(text, "{0.699999, 0.000000, 0.000000, 0.000000}"));
	free(text);
	csir_shader_finish(&s);
}
END_TEST

/* The line of every instruction says which CSIR instruction it is for, in order. */
START_TEST(line_map)
{
	static struct csir_shader s;
	struct csir_tgsi_options options;
	struct g3_quirks q = quirks_of(G3_MODEL_VIRGL);
	int32_t *lines, last = -1;
	uint32_t count, line = 0;
	char *text;

	compile(&s, CSIR_FRAGMENT, branch_source, G3_MODEL_VIRGL);
	csir_tgsi_options_init(&options, &q);
	text = tgsi_text(&s, &options, &lines, &count);
	for (char *at = strtok(text, "\n"); at; at = strtok(NULL, "\n"), line++) {
		bool numbered = at[0] == ' ';
		const char *word = numbered ? strchr(at, ':') + 2 : at;

		ck_assert(numbered == (lines[line] >= 0));
		if (!numbered)
			continue;
		ck_assert_int_ge(lines[line], last);
		last = lines[line];
		if (!strncmp(word, "KILL", 4))
			ck_assert_int_eq(s.instr[last].op, CSIR_DISCARD);
		if (!strncmp(word, "MAD", 3))
			ck_assert_int_eq(s.instr[last].op, CSIR_MULMV);
	}
	ck_assert_uint_eq(line, count);
	free(lines);
	free(text);
	csir_shader_finish(&s);
}
END_TEST

START_TEST(cut_text)
{
	struct csir_shader *s = parse("shader \"x\" fragment\ntemps 6\n%0 = load_fragcoord.4\nif %0\n%1 = rcp.1 %0\nstore_color.4 %1\ndiscard\n"
		"else\n%2 = sin.1 %0\nendif\nstore_color.4 %2\n");
	struct csir_tgsi_options options;
	struct g3_quirks q = quirks_of(G3_MODEL_VIRGL);
	struct csir_text out = {0};
	struct qs_error error = {QS_OK, 0, ""};

	csir_tgsi_options_init(&options, &q);
	options.cut = 5;
	options.cut_temp = 1;
	char *text = tgsi_text(s, &options, NULL, NULL);
	ck_assert_str_eq(body_of(text), "  0: MOV TEMP[0], IN[7]\n  1: IF TEMP[0].xxxx\n  2: RCP TEMP[1].x, TEMP[0].xxxx\n  3: ENDIF\n"
		"  4: MOV OUT[0], TEMP[1]\nEND\n");
	free(text);
	options.cut = 2;
	options.cut_temp = -1;
	text = tgsi_text(s, &options, NULL, NULL);
	ck_assert_str_eq(body_of(text), "  0: MOV TEMP[0], IN[7]\n  1: IF TEMP[0].xxxx\n  2: ENDIF\nEND\n");
	free(text);
	options.cut_temp = 6;
	ck_assert(!csir_tgsi(s, &options, &out, NULL, NULL, &error));
	ck_assert_uint_eq(error.code, QS_ERR_RANGE);
	csir_text_finish(&out);
}
END_TEST

START_TEST(budget)
{
	struct csir_shader *s = parse("shader \"x\" fragment\ntemps 90\n");
	struct csir_tgsi_options options;
	struct g3_quirks q = quirks_of(G3_MODEL_CHRISOS);
	struct csir_text out = {0};
	struct qs_error error = {QS_OK, 0, ""};

	for (s->instr_count = 0; s->instr_count < 120; s->instr_count++)
		s->instr[s->instr_count] = (struct csir_instr){.op = CSIR_ADD, .dst = 50, .a = 60, .b = 70, .c = -1};
	csir_tgsi_options_init(&options, &q);
	ck_assert(!csir_tgsi(s, &options, &out, NULL, NULL, &error));
	ck_assert_ptr_nonnull(strstr(error.text, "TGSI exceeds the VirGL command budget"));
	csir_text_finish(&out);
	options.budget = 0;
	ck_assert(csir_tgsi(s, &options, &out, NULL, NULL, &error));
	ck_assert_uint_gt(out.size, 3600);
	csir_text_finish(&out);
}
END_TEST

/* ---- digits --------------------------------------------------------------------------------------------------------------- */

static const struct {
	float value;
	const char *digits, *exact;
} numbers[] = {{0, "0.000000", "0.0"}, {0.7f, "0.699999", "0.699999988"}, {-1.5f, "-1.500000", "-1.5"}, {1e-7f, "0.000000", "1.00000001e-07"},
	{3e6f, "1000000.000000", "3000000.0"}, {-3e6f, "-1000000.000000", "-3000000.0"}, {NAN, "0.0", "0.0"}, {123, "123.000000", "123.0"},
	{INFINITY, "1000000.000000", "3.40282347e+38"}};

START_TEST(digits)
{
	struct csir_shader *s = parse("shader \"x\" fragment\ntemps 1\nimm 0\n%0 = const.1\n");
	struct csir_tgsi_options options;
	struct g3_quirks q = quirks_of(G3_MODEL_VIRGL);

	s->imm[0] = numbers[_i].value;
	csir_tgsi_options_init(&options, &q);
	for (unsigned k = 0; k < 2; k++) {
		char wanted[80], *text;

		options.digits = k;
		text = tgsi_text(s, &options, NULL, NULL);
		snprintf(wanted, sizeof wanted, "IMM[0] FLT32 {%s, ", k ? numbers[_i].digits : numbers[_i].exact);
		if (!strstr(text, wanted))
			ck_abort_msg("%.9g: no %s in\n%s", (double)numbers[_i].value, wanted, text);
		free(text);
	}
}
END_TEST

/* Quirk immediates: the interpreter sees what the digits leave. */
START_TEST(cut_immediates)
{
	static struct csir_shader s;
	struct csir_plan *plan = csir_plan_create();
	struct csir_inputs inputs = {0};
	struct csir_vec colour;
	struct csir_batch batch = {.mask = 1, .colour = &colour};
	struct g3_quirks q = quirks_of(G3_MODEL_CHRISOS);
	static const struct csir_vec fcoord;

	compile(&s, CSIR_FRAGMENT, "out vec4 c; void main() { c = vec4(0.7, 0.0000001, 3000000.0, 0.5); }", G3_MODEL_CHRISOS);
	q.v[G3_QUIRK_immediates] = 1;
	batch.fcoord = &fcoord;
	ck_assert(csir_exec_prepare(plan, &s, &q, &inputs, UINT32_MAX, NULL));
	csir_exec(plan, &batch);
	ck_assert(colour.v[0][0] == 0.699999f && colour.v[1][0] == 0 && colour.v[2][0] == 1000000 && colour.v[3][0] == 0.5f);
	csir_plan_destroy(plan);
	csir_shader_finish(&s);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("csir_link");
	TCase *tcase = tcase_create("link");

	tcase_add_loop_test(tcase, link, 0, sizeof links / sizeof *links);
	tcase_add_test(tcase, link_without_shaders);
	tcase_add_test(tcase, remap);
	tcase_add_test(tcase, failed_relink);
	tcase_add_test(tcase, relinked_uniforms);
	tcase_add_test(tcase, uniforms);
	tcase_add_test(tcase, short_matrix);
	tcase_add_test(tcase, single_lanes);
	tcase_add_test(tcase, samplers);
	tcase_add_loop_test(tcase, mapping, 0, sizeof mapped / sizeof *mapped);
	tcase_add_test(tcase, whole_text);
	tcase_add_test(tcase, literal_text);
	tcase_add_test(tcase, line_map);
	tcase_add_test(tcase, cut_text);
	tcase_add_test(tcase, budget);
	tcase_add_loop_test(tcase, digits, 0, sizeof numbers / sizeof *numbers);
	tcase_add_test(tcase, cut_immediates);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
