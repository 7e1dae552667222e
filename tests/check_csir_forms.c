/* check_csir_forms.c - optimizer, verifier, text and binary forms
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "csir_random.h"
#include "csir_tools.h"

/* ---- what an instruction touches ------------------------------------------------------------------------------------------ */

START_TEST(numbers)
{
	static const char *const names[] = {"nop", "const", "mov", "swz", "lane", "add", "sub", "mul", "max", "min", "abs", "dot", "rsq", "rcp",
		"sin", "cos", "pow", "trunc", "cmp", "mul_mv", "mul_mm", "sample2d", "load_attr", "load_var", "load_uni", "load_fragcoord",
		"store_pos", "store_var", "store_color", "if", "else", "endif", "discard", "ddx", "ddy"};

	ck_assert_uint_eq(CSIR_OP_COUNT, 35);
	for (unsigned i = 0; i < CSIR_OP_COUNT; i++)
		ck_assert_str_eq(csir_op_info(i)->mnemonic, names[i]);
	ck_assert_ptr_null(csir_op_info(CSIR_OP_COUNT));
	ck_assert_uint_eq(sizeof(struct csir_instr), 16);
	ck_assert(csir_op_info(CSIR_MULMV)->pure && !csir_op_info(CSIR_MULMM)->pure && !csir_op_info(CSIR_SETLANE)->pure);
}
END_TEST

static const struct {
	const char *name;
	struct csir_instr in;
	struct csir_span write, a, b;
} effects[] = {
	{"mov of 0 lanes moves 4", {.op = CSIR_MOV, .dst = 1, .a = 2, .b = -1}, {1, 1, 0xF}, {2, 1, 0xF}, {-1, 0, 0}},
	{"mov of 2", {.op = CSIR_MOV, .ncomp = 2, .dst = 1, .a = 2, .b = -1}, {1, 1, 3}, {2, 1, 3}, {-1, 0, 0}},
	{"swz writes all, reads what it names", {.op = CSIR_SWZ, .ncomp = 2, .dst = 1, .a = 2, .b = -1, .aux = 2 | 3 << 2}, {1, 1, 0xF}, {2, 1, 0xC}, {-1, 0, 0}},
	{"lane", {.op = CSIR_SETLANE, .dst = 1, .a = 2, .b = -1, .aux = 3, .aux2 = 1}, {1, 1, 8}, {2, 1, 2}, {-1, 0, 0}},
	{"dot of width 0 reads 3", {.op = CSIR_DOT, .dst = 1, .a = 2, .b = 3}, {1, 1, 1}, {2, 1, 7}, {3, 1, 7}},
	{"rcp of 0 lanes does 1", {.op = CSIR_RCP, .dst = 1, .a = 2, .b = -1}, {1, 1, 1}, {2, 1, 1}, {-1, 0, 0}},
	{"matrix times vector", {.op = CSIR_MULMV, .dst = 1, .a = 4, .b = 3, .aux = 3}, {1, 1, 0xF}, {4, 3, 7}, {3, 1, 7}},
	{"matrix times matrix", {.op = CSIR_MULMM, .dst = 10, .a = 4, .b = 20}, {10, 4, 0xF}, {4, 4, 0xF}, {20, 4, 0xF}},
	{"uniforms", {.op = CSIR_LOAD_UNI, .dst = 7, .a = -1, .b = -1, .aux2 = 3}, {7, 3, 0xF}, {-1, 0, 0}, {-1, 0, 0}},
	{"store", {.op = CSIR_STORE_COLOR, .dst = -1, .a = 5, .b = -1}, {-1, 0, 0}, {5, 1, 0xF}, {-1, 0, 0}},
	{"if", {.op = CSIR_IF, .dst = -1, .a = 5, .b = -1}, {-1, 0, 0}, {5, 1, 1}, {-1, 0, 0}},
	{"nothing", {.op = CSIR_NOP, .dst = 1, .a = 5, .b = 6}, {-1, 0, 0}, {-1, 0, 0}, {-1, 0, 0}},
};

static bool same_span(const struct csir_span *x, const struct csir_span *y)
{
	return x->count == y->count && (!x->count || (x->reg == y->reg && x->lanes == y->lanes));
}

START_TEST(effect)
{
	struct csir_effect e;

	csir_effect(&effects[_i].in, &e);
	if (!same_span(&e.write, &effects[_i].write) || !same_span(&e.read[0], &effects[_i].a) || !same_span(&e.read[1], &effects[_i].b))
		ck_abort_msg("%s: writes %d %d %x, reads %d %d %x and %d %d %x", effects[_i].name, e.write.reg, e.write.count, e.write.lanes,
			e.read[0].reg, e.read[0].count, e.read[0].lanes, e.read[1].reg, e.read[1].count, e.read[1].lanes);
}
END_TEST

/* ---- optimizer ------------------------------------------------------------------------------------------------------------ */

static struct csir_shader *parse(const char *text)
{
	static struct csir_shader s;
	struct qs_error error = {QS_OK, 0, ""};

	if (!csir_read(&s, text, strlen(text), &error))
		ck_abort_msg("%s\n%s", error.text, text);
	return &s;
}

static const struct {
	const char *name, *text;
	unsigned removed[3]; /* chrisos, virgl, corrected */
} optimized[] = {
	{"a chain of dead code", "temps 4\n%1 = mov.4 %0\n%2 = mov.4 %1\n%3 = mov.4 %2\n", {1, 1, 3}},
	{"loads stay", "temps 2\n%1 = load_var.4\n%0 = load_uni.4 aux2=1\n", {0, 0, 0}},
	{"lane reads its destination", "temps 2\n%1 = mov.4 %0\n%1 = lane.4 %0\n", {0, 0, 0}},
	{"columns of a copied matrix", "temps 8\n%4 = mov.4 %0\n%5 = mov.4 %1\n%6 = mov.4 %2\n%7 = mul_mv.3 %4 %3 aux=3\nstore_color.4 %7\n", {2, 2, 0}},
	{"columns of a product's factor", "temps 9\n%0 = mov.4 %8\n%1 = mov.4 %8\n%2 = mov.4 %8\n%3 = mul_mm.3 %0 %0 aux=3\nstore_color.4 %4\n", {2, 2, 0}},
	{"product nobody reads", "temps 8\n%7 = mul_mv.4 %0 %4 aux=4\n", {1, 1, 1}},
	{"matrix product nobody reads", "temps 12\n%8 = mul_mm.4 %0 %4 aux=4\n", {0, 0, 0}},
	{"condition", "temps 2\n%0 = mov.1 %1\nif %0\nendif\n", {0, 0, 0}},
};

START_TEST(optimizer)
{
	for (unsigned model = 0; model < G3_MODEL_COUNT; model++) {
		struct csir_shader *s = parse(optimized[_i].text);
		struct g3_quirks q = quirks_of((enum g3_model)model);
		unsigned removed = csir_optimize(s, &q), nops = 0;

		for (unsigned i = 0; i < s->instr_count; i++)
			nops += s->instr[i].op == CSIR_NOP;
		if (removed != optimized[_i].removed[model] || nops != removed)
			ck_abort_msg("%s, model %s: %u removed", optimized[_i].name, g3_model_name((enum g3_model)model), removed);
	}
}
END_TEST

/* Without its defect the optimizer changes nothing that can be seen. */
START_TEST(optimizer_keeps_results)
{
	struct oracle_random r = oracle_random_start();
	struct g3_quirks q = quirks_of(G3_MODEL_CORRECTED);
	static struct csir_shader s, small;
	unsigned removed = 0;

	for (unsigned i = 0; i < ORACLE_ROUNDS(4000); i++) {
		const float in[4] = {random_number(&r), random_number(&r), random_number(&r), random_number(&r)};
		struct run_result before, after;

		random_program(&r, oracle_random_below(&r, 2) ? CSIR_FRAGMENT : CSIR_VERTEX, 8, &s);
		small = s;
		removed += csir_optimize(&small, &q);
		memset(&before, 0, sizeof before);
		memset(&after, 0, sizeof after);
		run_one(&s, G3_MODEL_CORRECTED, in, NULL, &before);
		run_one(&small, G3_MODEL_CORRECTED, in, NULL, &after);
		if (before.discarded != after.discarded || (!before.discarded && memcmp(before.colour, after.colour, sizeof before.colour) &&
				!isnan(before.colour[0] + before.colour[1] + before.colour[2] + before.colour[3])))
			ck_abort_msg("seed %llu, program %u", (unsigned long long)r.seed, i);
	}
	ck_assert_uint_gt(removed, ORACLE_ROUNDS(4000) / 8);
}
END_TEST

/* ---- verifier ------------------------------------------------------------------------------------------------------------- */

static const struct {
	const char *name, *text;
	bool chrisos, strict;
} verified[] = {
	{"nothing", "temps 0\n", true, true},
	{"simple", "temps 2\n%0 = mov.4 %1\nstore_color.4 %0\n", true, true},
	{"destination beyond the declared", "temps 2\n%2 = mov.4 %1\n", false, false},
	{"operand beyond the declared", "temps 2\n%0 = mov.4 %2\n", false, false},
	{"second operand beyond the declared", "temps 2\n%0 = add.4 %1 %2\n", false, false},
	{"if of nothing", "temps 1\nif\nendif\n", false, false},
	{"if not closed", "temps 1\nif %0\n", false, false},
	{"else without if", "temps 1\nelse\n", false, false},
	{"two elses", "temps 1\nif %0\nelse\nelse\nendif\n", false, false},
	{"endif without if", "temps 1\nendif\n", false, false},
	{"position in a fragment", "shader \"x\" fragment\ntemps 1\nstore_pos.4 %0\n", false, false},
	{"colour in a vertex", "shader \"x\" vertex\ntemps 1\nstore_color.4 %0\n", false, false},
	{"discard in a vertex", "shader \"x\" vertex\ntemps 1\ndiscard\n", false, false},
	{"sampler beyond the declared", "marks attr=-1 vary=-1 uniform=-1 sampler=0 position=0 outputs=1 linkable=1\ntemps 1\n%0 = sample2d.4 %0 aux=1\n", false, false},
	{"attribute beyond the declared", "shader \"x\" vertex\nmarks attr=1 vary=-1 uniform=-1 sampler=0 position=0 outputs=1 linkable=1\ntemps 1\n%0 = load_attr.4 aux=2\n", false, false},
	{"varying 8", "temps 1\n%0 = load_var.4 aux=8\n", false, false},
	{"varying 7", "temps 1\n%0 = load_var.4 aux=7\n", true, true},
	{"no uniforms", "temps 1\n%0 = load_uni.4 aux2=0\n", false, false},
	{"uniforms beyond the temporaries", "temps 2\n%0 = load_uni.4 aux2=3\n", false, false},
	{"negative uniform", "temps 2\n%0 = load_uni.4 aux=-1 aux2=1\n", false, false},
	{"product of five columns", "temps 20\n%0 = mul_mm.4 %4 %8 aux=5\n", false, false},
	{"product beyond the temporaries", "temps 10\n%7 = mul_mm.4 %0 %4 aux=4\n", false, false},
	{"constants beyond the pool", "temps 1\nimm 1 2\n%0 = const.3\n", false, false},
	/* the gaps of ChrisOS */
	{"gap: dot without operands", "temps 1\n%0 = dot.1 aux=3\n", true, false},
	{"gap: pow without an operand", "temps 1\n%0 = pow.1 %0\n", true, false},
	{"gap: cmp without operands", "temps 1\n%0 = cmp.1 rel=lt\n", true, false},
	{"gap: last matrix columns", "temps 4\n%0 = mul_mv.4 %2 %3 aux=4\n", true, false},
	{"gap: matrix of many columns", "temps 4\n%0 = mul_mv.4 %2 %3 aux=30\n", true, false},
	{"gap: product's sources", "temps 8\n%0 = mul_mm.4 %6 %6 aux=4\n", true, false},
	{"gap: uniform slot", "marks attr=-1 vary=-1 uniform=0 sampler=-1 position=0 outputs=1 linkable=1\ntemps 4\n%0 = load_uni.4 aux=31 aux2=2\n", true, false},
	{"gap: constant of six lanes", "temps 1\nimm 1 2 3 4 5 6\n%0 = const.6\n", true, false},
	{"gap: lanes above 4", "temps 2\n%0 = add.9 %1 %1\n", true, false},
	{"gap: missing destination", "temps 2\nmov.4 %1\n", true, false},
	{"gap: infinite immediate", "temps 1\nimm 0x7f800000\n%0 = const.1\n", true, false},
	{"gap: unknown relation", "temps 2\n%0 = cmp.1 %0 %1 aux=9\n", true, false},
	{"derivative", "temps 2\n%0 = ddx.2 %1\n", false, true},
	{"derivative of a vertex", "shader \"v\" vertex\ntemps 2\n%0 = ddy.4 %1\n", false, false},
	{"gap: dot of width 2", "temps 2\n%0 = dot.1 %0 %1 aux=2\n", true, false},
};

START_TEST(verifier)
{
	struct csir_shader *s = parse(verified[_i].text);
	struct qs_error error = {QS_OK, 0, ""};

	for (unsigned strict = 0; strict < 2; strict++) {
		bool ok = csir_verify(s, strict ? CSIR_RULES_STRICT : CSIR_RULES_CHRISOS, &error);

		if (ok != (strict ? verified[_i].strict : verified[_i].chrisos))
			ck_abort_msg("%s: %s rules: %s", verified[_i].name, strict ? "strict" : "ChrisOS", ok ? "accepted" : error.text);
	}
}
END_TEST

START_TEST(verifier_nesting)
{
	struct csir_text t = {0};

	for (unsigned depth = 32; depth <= 33; depth++) {
		csir_text_add(&t, "temps 1\n");
		for (unsigned i = 0; i < depth; i++)
			csir_text_add(&t, "if %%0\n");
		for (unsigned i = 0; i < depth; i++)
			csir_text_add(&t, "endif\n");
		ck_assert(csir_verify(parse(t.data), CSIR_RULES_STRICT, NULL) == (depth == 32));
		csir_text_finish(&t);
	}
}
END_TEST

static const struct {
	const char *name, *text;
	int instruction, reg; /* -1: everything is written */
	unsigned lanes;
} unwritten[] = {
	{"nothing is read", "temps 2\n%0 = load_var.4\n", -1, 0, 0},
	{"never written", "temps 2\n%0 = load_var.4\n%0 = add.4 %0 %1\n", 1, 1, 0xF},
	{"one lane is missing", "temps 2\n%0 = load_var.4\n%1 = mov.3 %0\nstore_color.4 %1\n", 2, 1, 0x8},
	{"lanes that are not read", "temps 2\n%0 = load_var.4\n%1 = mov.2 %0\n%0 = mov.2 %1\n", -1, 0, 0},
	{"written on one side", "temps 2\n%0 = load_var.4\nif %0\n%1 = mov.4 %0\nendif\nstore_color.4 %1\n", 4, 1, 0xF},
	{"written on both sides", "temps 2\n%0 = load_var.4\nif %0\n%1 = mov.4 %0\nelse\n%1 = mov.4 %0\nendif\nstore_color.4 %1\n", -1, 0, 0},
	{"the other side leaves", "temps 2\n%0 = load_var.4\nif %0\n%1 = mov.4 %0\nelse\ndiscard\nendif\nstore_color.4 %1\n", -1, 0, 0},
	{"written before the if", "temps 2\n%0 = load_var.4\n%1 = mov.4 %0\nif %0\n%1 = mov.2 %0\nendif\nstore_color.4 %1\n", -1, 0, 0},
	{"columns of a matrix", "temps 8\n%4 = load_uni.4 aux2=2\n%0 = load_var.4\n%1 = mul_mv.3 %4 %0 aux=3\n", 2, 6, 0x7},
	{"swz writes all lanes", "temps 2\n%0 = load_var.4\n%1 = swz.1 %0.x\nstore_color.4 %1\n", -1, 0, 0},
};

START_TEST(unwritten_lanes)
{
	uint32_t instruction = 0;
	int reg = 0;
	uint8_t lanes = 0;
	bool found = csir_unwritten(parse(unwritten[_i].text), &instruction, &reg, &lanes);

	if (found != (unwritten[_i].instruction >= 0) ||
		(found && ((int)instruction != unwritten[_i].instruction || reg != unwritten[_i].reg || lanes != unwritten[_i].lanes)))
		ck_abort_msg("%s: %d, instruction %u, register %d, lanes %x", unwritten[_i].name, found, instruction, reg, lanes);
}
END_TEST

/* What the strict rules accept also runs. */
START_TEST(strict_runs)
{
	struct oracle_random r = oracle_random_start();
	struct csir_plan *plan = csir_plan_create();
	struct g3_quirks q = quirks_of(G3_MODEL_CORRECTED);
	static const float uniforms[CSIR_UNIFORM_SLOTS * 4];
	struct csir_inputs inputs = {.uniforms = uniforms};
	unsigned accepted = 0;

	for (unsigned i = 0; i < ORACLE_ROUNDS(20000); i++) {
		static struct csir_shader s;
		struct qs_error error = {QS_OK, 0, ""};

		random_program(&r, CSIR_FRAGMENT, 4, &s);
		s.instr[oracle_random_below(&r, 4)].dst = (int16_t)((int)oracle_random_below(&r, 14) - 2);
		s.instr[oracle_random_below(&r, 4)].a = (int16_t)((int)oracle_random_below(&r, 14) - 2);
		s.instr[oracle_random_below(&r, 4)].aux = (int16_t)((int)oracle_random_below(&r, 40) - 3);
		csir_shader_mark(&s);
		for (unsigned k = 0; k < s.imm_count; k++)
			s.imm[k] = 1;
		if (!csir_verify(&s, CSIR_RULES_STRICT, NULL))
			continue;
		accepted++;
		if (!csir_exec_prepare(plan, &s, &q, &inputs, UINT32_MAX, &error))
			ck_abort_msg("seed %llu, program %u: %s", (unsigned long long)r.seed, i, error.text);
	}
	ck_assert_uint_gt(accepted, 500);
	csir_plan_destroy(plan);
}
END_TEST

/* ---- text form ------------------------------------------------------------------------------------------------------------ */

static void check_same(const struct csir_shader *a, const struct csir_shader *b, uint64_t seed, unsigned number)
{
	bool same = !strcmp(a->name, b->name) && a->stage == b->stage && a->version == b->version && a->temp_count == b->temp_count &&
		a->instr_count == b->instr_count && a->imm_count == b->imm_count && a->symbol_count == b->symbol_count &&
		!memcmp(a->instr, b->instr, sizeof a->instr) && !memcmp(a->line, b->line, sizeof a->line) &&
		!memcmp(a->imm, b->imm, sizeof a->imm) && !memcmp(a->symbol, b->symbol, sizeof a->symbol) && a->attr_high == b->attr_high &&
		a->vary_high == b->vary_high && a->uniform_high == b->uniform_high && a->sampler_high == b->sampler_high &&
		a->writes_position == b->writes_position && a->output_count == b->output_count && a->linkable == b->linkable;

	if (!same)
		ck_abort_msg("seed %llu, program %u is not the same again", (unsigned long long)seed, number);
}

/* Any bytes in all fields. */
static void scramble(struct oracle_random *r, struct csir_shader *s)
{
	for (unsigned i = 0; i < s->instr_count; i++) {
		int16_t *fields[6] = {&s->instr[i].dst, &s->instr[i].a, &s->instr[i].b, &s->instr[i].c, &s->instr[i].aux, &s->instr[i].aux2};

		for (unsigned k = 0; k < 6; k++)
			if (oracle_random_below(r, 6) == 0)
				*fields[k] = (int16_t)oracle_random_next(r);
		s->instr[i].type = (uint8_t)(oracle_random_below(r, 4) ? oracle_random_below(r, 14) : oracle_random_next(r));
		s->instr[i].pad = (uint8_t)(oracle_random_below(r, 4) ? 0 : oracle_random_next(r));
		s->instr[i].ncomp = (uint8_t)(oracle_random_below(r, 4) ? s->instr[i].ncomp : oracle_random_next(r));
		s->line[i] = (uint16_t)(oracle_random_below(r, 2) ? oracle_random_next(r) : 0);
	}
	for (unsigned i = 0; i < s->imm_count; i++)
		if (oracle_random_below(r, 4) == 0) {
			uint32_t bits = oracle_random_next(r);

			memcpy(&s->imm[i], &bits, sizeof bits);
		}
}

START_TEST(text_round_trip)
{
	struct oracle_random r = oracle_random_start();
	static struct csir_shader s, again;

	for (unsigned i = 0; i < ORACLE_ROUNDS(3000); i++) {
		struct csir_text t = {0};
		struct qs_error error = {QS_OK, 0, ""};

		random_program(&r, oracle_random_below(&r, 2) ? CSIR_FRAGMENT : CSIR_VERTEX, 1 + oracle_random_below(&r, 60), &s);
		snprintf(s.name, sizeof s.name, "a \"strange\\ name\"\n%u", i);
		s.version = (int)oracle_random_below(&r, 2) * 330;
		s.symbol_count = 2;
		s.symbol[0] = (struct csir_symbol){"in_it", CSIR_SYM_INPUT, CSIR_T_VEC3, 5};
		s.symbol[1] = (struct csir_symbol){"m", CSIR_SYM_UNIFORM, CSIR_T_MAT4, 28};
		scramble(&r, &s);
		ck_assert(csir_print(&s, &t));
		if (!csir_read(&again, t.data, t.size, &error))
			ck_abort_msg("seed %llu, program %u: %s\n%s", (unsigned long long)r.seed, i, error.text, t.data);
		check_same(&s, &again, r.seed, i);
		csir_text_finish(&t);
	}
}
END_TEST

static const struct {
	const char *name, *text;
	unsigned line;
	const char *message; /* part */
} unreadable[] = {
	{"no such instruction", "temps 1\nfrob %0\n", 2, "no such instruction"},
	{"not a register", "%x = mov %0\n", 1, "a register is % and a number"},
	{"missing equals", "%0 mov %0\n", 1, "expected %REGISTER = INSTRUCTION"},
	{"three sources", "%0 = add %1 %2 %3\n", 1, "at most two source registers"},
	{"strange key", "%0 = add %1 %2 foo=1\n", 1, "no such key"},
	{"big number", "%0 = add %1 %2 aux=40000\n", 1, "16 bits"},
	{"letters behind add", "%0 = add %1.x %2\n", 1, "only the source of swz"},
	{"five letters", "%0 = swz.4 %1.xxxxx\n", 1, "at most four letters"},
	{"strange relation", "%0 = cmp %1 %2 rel=foo\n", 1, "a relation is"},
	{"strange type", "%0 = mov %1 type=vec7\n", 1, "no such type"},
	{"number without colon", "12 mov\n", 1, "ends with a colon"},
	{"too many temporaries", "temps 97\n", 1, "expected a number"},
	{"bad stage", "shader \"x\" geometry\n", 1, "expected shader"},
	{"bad symbol", "uniform vec4 k slot=0\n", 1, "expected TYPE \"NAME\""},
	{"symbol without slot", "\n\nuniform vec4 \"k\"\n", 3, "expected slot="},
	{"matrix at slot 30", "uniform mat4 \"k\" slot=30\n", 1, "does not fit"},
	{"input at slot 8", "input vec4 \"k\" slot=8\n", 1, "slots 0 to 7"},
	{"rest of a line", "temps 4 5\n", 1, "left over"},
	{"not a number", "imm 1 two\n", 1, "not a number"},
	{"marks out of order", "marks vary=1\n", 1, "in this order"},
	{"zero byte", "temps 1\n%0 = mov\\x00", 2, "expected a register"},
};

START_TEST(unread)
{
	static struct csir_shader s;
	struct qs_error error = {QS_OK, 0, ""};

	if (csir_read(&s, unreadable[_i].text, strlen(unreadable[_i].text), &error))
		ck_abort_msg("%s: read", unreadable[_i].name);
	if (error.offset != unreadable[_i].line || !strstr(error.text, unreadable[_i].message) || error.code != QS_ERR_FORMAT)
		ck_abort_msg("%s: line %u: %s", unreadable[_i].name, (unsigned)error.offset, error.text);
}
END_TEST

START_TEST(readable)
{
	struct csir_shader *s = parse("# a comment\nshader \"hand\" vertex # and one\ntemps 3\n\n  7: %1=swz.3 %0.zyx type=vec3 line=12\nif %1,\nendif\n");

	ck_assert_uint_eq(s->instr_count, 3);
	ck_assert_int_eq(s->instr[0].aux, 2 | 1 << 2 | 0 << 4);
	ck_assert_int_eq(s->instr[0].ncomp, 3);
	ck_assert_int_eq(s->instr[0].type, CSIR_T_VEC3);
	ck_assert_uint_eq(s->line[0], 12);
	ck_assert_int_eq(s->instr[1].a, 1);
	ck_assert_int_eq(s->instr[1].dst, -1);
	ck_assert_int_eq(s->stage, CSIR_VERTEX);
}
END_TEST

static const struct {
	const char *line, *text;
} instr_texts[] = {
	{"%1 = const.2 aux=1", "%1 = const.2 aux=1 (0.5 -2)"},
	{"%1 = swz.2 %0.yx", "%1 = swz.2 %0.yx"},
	{"%2 = cmp.1 %0 %1 rel=ge type=bool", "%2 = cmp.1 %0 %1 rel=ge"},
	{"%2 = mul_mv.4 %0 %1 aux=4", "%2 = mul_mv.4 %0 %1 aux=4"},
	{"endif", "endif"},
};

START_TEST(one_line)
{
	char text[160], buffer[160];

	snprintf(text, sizeof text, "temps 4\nimm 9 0.5 -2\n%s\n", instr_texts[_i].line);
	ck_assert_str_eq(csir_instr_text(parse(text), 0, buffer, sizeof buffer), instr_texts[_i].text);
}
END_TEST

/* The listing stops at 4095 characters, as in ChrisOS. */
START_TEST(dump_is_cut)
{
	struct csir_shader *s = parse("temps 10\n");
	struct csir_text cut = {0}, whole = {0};

	for (s->instr_count = 0; s->instr_count < CSIR_INSTR_MAX; s->instr_count++)
		s->instr[s->instr_count] = (struct csir_instr){.op = CSIR_ADD, .dst = 5, .a = 6, .b = 7, .c = -1};
	ck_assert(csir_dump(s, true, &cut) && csir_dump(s, false, &whole));
	ck_assert_uint_eq(cut.size, 4095);
	ck_assert_uint_gt(whole.size, 4096);
	ck_assert(!memcmp(cut.data, whole.data, 4095) && !cut.data[4095]);
	csir_text_finish(&cut);
	csir_text_finish(&whole);
}
END_TEST

/* ---- binary form ---------------------------------------------------------------------------------------------------------- */

START_TEST(binary_layout)
{
	struct csir_shader *s = parse("shader \"x\" fragment\ntemps 3\nimm 1 -2\n%2 = add.3 %0 %1 type=vec3\nstore_color.4 %2\n");
	static const uint8_t wanted[] = {'C', 'S', 'I', 'R', 1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0x2B, 8, 0, 0, 0, 0, 0, 0,
		5, 6, 3, 0, 2, 0, 0, 0, 1, 0, 0xFF, 0xFF, 0, 0, 0, 0, 28, 0, 4, 0, 0xFF, 0xFF, 2, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0,
		0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0};
	uint8_t *data;
	size_t size;

	ck_assert(csir_save(s, &data, &size, NULL));
	ck_assert_uint_eq(size, sizeof wanted);
	for (size_t i = 0; i < size; i++)
		if (data[i] != wanted[i])
			ck_abort_msg("byte %zu is %02x", i, data[i]);
	free(data);
}
END_TEST

START_TEST(binary_round_trip)
{
	struct oracle_random r = oracle_random_start();
	static struct csir_shader s, again;
	struct g3_quirks q = quirks_of(G3_MODEL_CHRISOS);

	q.v[G3_QUIRK_binary_marks] = 1;
	q.v[G3_QUIRK_derivatives] = 1;
	for (unsigned i = 0; i < ORACLE_ROUNDS(3000); i++) {
		struct qs_error error = {QS_OK, 0, ""};
		uint8_t *data;
		size_t size;

		random_program(&r, oracle_random_below(&r, 2) ? CSIR_FRAGMENT : CSIR_VERTEX, 1 + oracle_random_below(&r, 60), &s);
		for (unsigned k = 0; k < s.instr_count; k++) {
			if ((s.instr[k].op == CSIR_STORE_POS && s.stage) || (s.instr[k].op == CSIR_STORE_COLOR && !s.stage))
				s.instr[k].op = CSIR_STORE_VAR, s.instr[k].aux &= 7;
			if (s.instr[k].op == CSIR_LOAD_UNI && s.instr[k].aux2 < 1)
				s.instr[k].aux2 = 1;
			if (s.instr[k].op == CSIR_MULMM && !s.instr[k].aux)
				s.instr[k].aux = 4;
		}
		csir_shader_mark(&s);
		ck_assert(csir_save(&s, &data, &size, &error));
		if (!csir_load(&again, data, size, &q, &error))
			ck_abort_msg("seed %llu, program %u: %s", (unsigned long long)r.seed, i, error.text);
		snprintf(again.name, sizeof again.name, "%s", s.name);
		check_same(&s, &again, r.seed, i);
		free(data);
	}
}
END_TEST

static const struct {
	const char *name;
	unsigned at;
	uint8_t value;
	int cut; /* bytes left out at the end, or added */
} damages[] = {
	{"magic", 0, 'X', 0}, {"version", 4, 2, 0}, {"stage", 8, 2, 0}, {"instructions", 12, 3, 0}, {"immediates", 16, 1, 0},
	{"temporaries", 20, 97, 0}, {"sum", 24, 0, 0}, {"a record", 33, 1, 0}, {"shorter", 0, 'C', 1}, {"longer", 0, 'C', -1},
	{"empty", 0, 'C', 1000},
};

START_TEST(binary_damaged)
{
	struct csir_shader *s = parse("shader \"x\" fragment\ntemps 3\nimm 1 -2\n%2 = add.3 %0 %1 type=vec3\nstore_color.4 %2\n");
	static struct csir_shader again;
	struct g3_quirks q = quirks_of(G3_MODEL_CORRECTED);
	struct qs_error error = {QS_OK, 0, ""};
	uint8_t *data, *copy;
	size_t size, used;

	ck_assert(csir_save(s, &data, &size, NULL));
	ck_assert(csir_load(&again, data, size, &q, NULL));
	copy = calloc(1, size + 1);
	memcpy(copy, data, size);
	copy[damages[_i].at] = damages[_i].value;
	used = damages[_i].cut > (int)size ? 0 : (size_t)((int)size - damages[_i].cut);
	if (csir_load(&again, copy, used, &q, &error) || error.code != QS_ERR_FORMAT)
		ck_abort_msg("%s: loaded", damages[_i].name);
	free(copy);
	free(data);
}
END_TEST

/* ChrisOS forgets the marks: attribute 1 fails, attribute 0 passes, and nothing can be linked. */
START_TEST(binary_loses_marks)
{
	static struct csir_shader s, again;
	struct g3_quirks chrisos = quirks_of(G3_MODEL_CHRISOS), corrected = quirks_of(G3_MODEL_CORRECTED);

	for (int location = 0; location < 2; location++) {
		char source[120];
		uint8_t *data;
		size_t size;

		snprintf(source, sizeof source, "layout(location = %d) in vec4 p; void main() { gl_Position = p; }", location);
		compile(&s, CSIR_VERTEX, source, G3_MODEL_CHRISOS);
		ck_assert(csir_save(&s, &data, &size, NULL));
		ck_assert(csir_load(&again, data, size, &chrisos, NULL) == (location == 0));
		ck_assert(!again.linkable && !again.writes_position);
		ck_assert(csir_load(&again, data, size, &corrected, NULL));
		ck_assert(again.linkable && again.writes_position && again.attr_high == location);
		free(data);
		csir_shader_finish(&s);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("csir_forms");
	TCase *tcase = tcase_create("forms");

	tcase_set_timeout(tcase, 0);
	tcase_add_test(tcase, numbers);
	tcase_add_loop_test(tcase, effect, 0, sizeof effects / sizeof *effects);
	tcase_add_loop_test(tcase, optimizer, 0, sizeof optimized / sizeof *optimized);
	tcase_add_test(tcase, optimizer_keeps_results);
	tcase_add_loop_test(tcase, verifier, 0, sizeof verified / sizeof *verified);
	tcase_add_test(tcase, verifier_nesting);
	tcase_add_test(tcase, strict_runs);
	tcase_add_loop_test(tcase, unwritten_lanes, 0, sizeof unwritten / sizeof *unwritten);
	tcase_add_test(tcase, text_round_trip);
	tcase_add_loop_test(tcase, unread, 0, sizeof unreadable / sizeof *unreadable);
	tcase_add_test(tcase, readable);
	tcase_add_loop_test(tcase, one_line, 0, sizeof instr_texts / sizeof *instr_texts);
	tcase_add_test(tcase, dump_is_cut);
	tcase_add_test(tcase, binary_layout);
	tcase_add_test(tcase, binary_round_trip);
	tcase_add_loop_test(tcase, binary_damaged, 0, sizeof damages / sizeof *damages);
	tcase_add_test(tcase, binary_loses_marks);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
