/* check_expr.c - expressions: values, precedence against a tree walker, messages with their columns
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/random.h"
#include "quadscope.h"

/* registers of the tests: a few fixed ones, else the address times 0x010203 */
static uint32_t read_register(void *user, enum qs_unit unit, uint32_t address)
{
	(*(unsigned *)user)++;
	if (unit == QS_UNIT_BP && address == 0x00)
		return 0x000C11; /* ntev 3, ncol 1, ntex 1 */
	if (unit == QS_UNIT_BP && address == 0x40)
		return 0x17;
	if (unit == QS_UNIT_BP && address == 0xE2)
		return 0x345678;
	if (unit == QS_UNIT_XF && address == 0x101A)
		return 0x43A00000;
	if (unit == QS_UNIT_CP && address == 0xA0)
		return 0x81234560;
	return address * 0x010203;
}

static unsigned reads;

static void fill(struct qs_expr_env *env)
{
	qs_expr_env_init(env);
	env->read = read_register;
	env->user = &reads;
	env->variable[QS_VAR_FRAME] = 2;
	env->variable[QS_VAR_X] = 320;
	env->variable[QS_VAR_Y] = 41;
	env->variable[QS_VAR_Z] = 0xFFFFFF;
	env->variable[QS_VAR_ALPHA] = 7;
	env->variable[QS_VAR_VERDICT] = QS_VERDICT_LATE_Z;
	env->variable[QS_VAR_KIND] = QS_PRIMITIVE_LINE;
	env->variable[QS_VAR_UNIT] = QS_UNIT_XF;
}

/* ---- values --------------------------------------------------------------------------------------------------------------- */

static const struct {
	const char *text;
	double value;
} values[] = {
	{"12", 12},
	{"0x1F", 31},
	{"0X1f", 31},
	{"0.25", 0.25},
	{".5", 0.5},
	{"1e3", 1000},
	{"25e-2", 0.25},
	{"0x20000000000000", 9007199254740992.0},
	{"true", 1},
	{"false", 0},
	{" \t12\n", 12},
	/* arithmetic */
	{"2+3*4", 14},
	{"(2+3)*4", 20},
	{"10-3-2", 5},
	{"7/2", 3.5},
	{"-7%3", -1},
	{"7%-3", 1},
	{"7.9%3", 1},
	{"1%0", (double)NAN},
	{"5%-1", 0},
	{"1/0", (double)INFINITY},
	{"-1/0", -(double)INFINITY},
	{"--3", 3},
	{"-+3", -3},
	{"-2*-3", 6},
	/* bits: operands are integers */
	{"6&3", 2},
	{"6|3", 7},
	{"6^3", 5},
	{"~0", -1},
	{"~5&0xff", 250},
	{"1<<4", 16},
	{"1<<4+1", 32},
	{"-16>>2", -4},
	{"-1>>70", -1},
	{"1<<64", 0},
	{"1<<-1", 0},
	{"1<<63", -9223372036854775808.0},
	{"3.99|0", 3},
	{"-3.99|0", -3},
	{"1/0|0", 9223372036854775807.0},
	{"(0/0)|5", 5},
	{"1|2^3&2", 1}, /* & before ^ before | */
	{"1&3==1", 1},  /* unlike C, & binds tighter than == */
	{"8>>1<5", 1},
	/* comparisons */
	{"3<4", 1},
	{"4<=4", 1},
	{"4>4", 0},
	{"4>=5", 0},
	{"3==3", 1},
	{"3!=3", 0},
	{"0/0==0/0", 0},
	{"0/0!=1", 0},
	{"draw == 1", 0}, /* nan: the event has no draw */
	{"draw != 1", 0},
	{"not (draw == 1)", 1},
	/* logic */
	{"1 and 2", 1},
	{"1 && 0", 0},
	{"0 or 2", 1},
	{"0||0", 0},
	{"not 0", 1},
	{"not 3", 0},
	{"!3", 0},
	{"!0+1", 2},
	{"not 1 == 2", 1},
	{"not not 5", 1},
	{"1 or 0 and 0", 1},
	{"(1 or 0) and 0", 0},
	{"0/0 or 0", 0},
	{"not (0/0)", 1},
	{"0.1 and 1", 1},
	/* names */
	{"x", 320},
	{"alpha < 8 and bp.GEN_MODE.ntev > 2", 1},
	{"alpha < 8 and bp.GEN_MODE.ntev > 3", 0},
	{"bp.GEN_MODE", 0xC11},
	{"bp.GEN_MODE.raw", 0xC11},
	{"BP.gen_mode.NTEX", 1},
	{"bp.GEN_MODE.ntev + bp.GEN_MODE.ncol", 4},
	{"bp . GEN_MODE . ntev", 3},
	{"bp.TEV_REGISTERL_1.red", -392},
	{"bp.TEV_REGISTERL_1.alpha", 837},
	{"xf.VIEWPORT_SCALE_X.value / 2", 160},
	{"cp.ARRAY_BASE_0.address & 0x3ffffff", 0x1234560},
	{"cp.ARRAY_BASE_0 >> 28", 8},
	{"pe.TOKEN", 0x0E * 0x010203},
	{"bp.PE_ZMODE.func == lequal", 1},
	{"bp.PE_ZMODE.func != always", 1},
	{"bp.PE_ZMODE.func == LEQUAL", 1},
	{"bp.PE_ZMODE.func == 3", 1},
	{"bp.PE_ZMODE.func == bp.GEN_MODE.ntev", 1},
	{"bp.IND_CMD_0.fmt == '8bit'", 1},
	{"bp.IND_CMD_0.fmt != \"8bit\"", 0},
	{"verdict == late_z", 1},
	{"verdict != late_z", 0},
	{"verdict == alpha", 0}, /* the value name, 4; the variable is 7 */
	{"alpha == 7", 1},
	{"verdict == x", 0},
	{"verdict == written or verdict == late_z", 1},
	{"kind == line", 1},
	{"unit == xf", 1},
	{"x >= 256 and x < 384 and y == 41", 1},
	{"z == 0xffffff", 1},
};

START_TEST(value_of)
{
	struct qs_expr_env env;
	struct qs_error error;

	fill(&env);
	struct qs_expr *expr = qs_expr_compile(values[_i].text, &error);
	ck_assert_msg(expr != NULL, "%s: %s", values[_i].text, error.text);
	ck_assert_str_eq(qs_expr_text(expr), values[_i].text);
	double value = qs_expr_evaluate(expr, &env);
	ck_assert_msg(value == values[_i].value || (isnan(value) && isnan(values[_i].value)), "%s: %g", values[_i].text, value);
	ck_assert_int_eq(qs_expr_test(expr, &env), value != 0 && !isnan(value));
	qs_expr_destroy(expr);
}
END_TEST

/* ---- messages ------------------------------------------------------------------------------------------------------------- */

static const struct {
	const char *text;
	unsigned column;
	const char *message;
} errors[] = {
	{"", 1, "expected a number, a name or '(', but the expression ends"},
	{"   ", 4, "but the expression ends"},
	{"1 +", 4, "expected a number, a name or '(', but the expression ends"},
	{"1 + )", 5, "not ')'"},
	{"(1", 3, "expected an operator or ')', but the expression ends"},
	{"(1 2)", 4, "expected an operator or ')', not '2'"},
	{"1 2", 3, "expected an operator or the end, not '2'"},
	{"x = 1", 3, "expected ==, not ="},
	{"x == 1 # y", 8, "does not belong"},
	{"0xg", 3, "hexadecimal digits"},
	{"12abc", 3, "expected an operator after the number"},
	{"9007199254740993", 1, "too large"},
	{"0x20000000000001", 1, "too large"},
	{"1 < x < 3", 7, "comparisons do not chain"},
	{"aplha < 8", 1, "there is no variable 'aplha': did you mean alpha?"},
	{"alpha < 8 and vedict == 3", 15, "did you mean verdict?"},
	{"nonsense", 1, "there is no variable 'nonsense'."},
	{"GEN_MODE.ntev", 1, "write bp.GEN_MODE"},
	{"viewport_scale_x", 1, "write xf.VIEWPORT_SCALE_X"},
	{"bq.GEN_MODE", 1, "there is no unit 'bq': did you mean bp?"},
	{"bp", 3, "expected '.' and the name of a register, but the expression ends"},
	{"bp + 1", 4, "expected '.' and the name of a register, not '+'"},
	{"bp.", 4, "expected the name of a register"},
	{"bp.GENMODE.ntev", 4, "bp has no register 'GENMODE': did you mean GEN_MODE?"},
	{"bp.TEV_COLOUR_ENV_3.a == one", 4, "did you mean TEV_COLOR_ENV_3?"},
	{"bp.GEN_MODE.", 13, "expected the name of a field"},
	{"bp.GEN_MODE.netv", 13, "GEN_MODE has no field 'netv': did you mean ntev?"},
	{"bp.GEN_MODE.everything", 13, "GEN_MODE has no field 'everything'."},
	{"xf.VIEWPORT_SCALE_X.x", 21, "did you mean value?"},
	{"verdict == lat_z", 12, "verdict has no value 'lat_z': did you mean late_z?"},
	{"verdict == nothing_at_all", 12, "its values are none, written, masked, early_z, alpha, late_z, pending"},
	{"bp.PE_ZMODE.func == lesser", 21, "PE_ZMODE.func has no value 'lesser': did you mean less?"},
	{"x == 'late_z'", 7, "the left side has no value names"},
	{"'late_z' == verdict", 1, "a quoted value name belongs behind"},
	{"verdict == 'late_z", 12, "closing quote"},
	{"verdict == alpha + 1", 18, "expected an operator or the end, not '+'"},
	{"x and or y", 7, "expected a number, a name or '(', not 'or'"},
	{"\xc3\xa4 == 1", 1, "does not belong"},
	{"'\xc3\xa4\xc3\xb6' == 1", 1, "a quoted value name"},
	{"verdict == '\xc3\xa4\xc3\xb6' ?", 13, "its values are"},
};

START_TEST(message_of)
{
	struct qs_error error = {QS_OK, 0, ""};
	char place[24];

	ck_assert_msg(qs_expr_compile(errors[_i].text, &error) == NULL, "%s compiles", errors[_i].text);
	ck_assert_int_eq(error.code, QS_ERR_SCRIPT);
	ck_assert_msg(error.offset == errors[_i].column, "%s: %s", errors[_i].text, error.text);
	snprintf(place, sizeof place, "Column %u: ", errors[_i].column);
	ck_assert_msg(!strncmp(error.text, place, strlen(place)), "%s: %s", errors[_i].text, error.text);
	ck_assert_msg(strchr(".?", error.text[strlen(error.text) - 1]) != NULL, "%s: %s", errors[_i].text, error.text);
	ck_assert_msg(strstr(error.text, errors[_i].message) != NULL, "%s: %s", errors[_i].text, error.text);
	ck_assert_ptr_null(qs_expr_compile(errors[_i].text, NULL));
}
END_TEST

/* Nesting and length have limits, and the limit is a message. */
START_TEST(limits)
{
	static const char *const starts[] = {"(", "-", "not ", "!(", "1+(", "1 or (", "x==(", "~"};
	struct qs_error error;
	char text[8192];

	for (size_t s = 0; s < sizeof starts / sizeof *starts; s++)
		for (unsigned n = 1; n <= 1000; n += n < 100 ? 1 : 300) {
			*text = 0;
			for (unsigned i = 0; i < n; i++)
				strcat(text, starts[s]);
			strcat(text, "1");
			for (unsigned i = 0; i < n && strchr(starts[s], '('); i++)
				strcat(text, ")");
			struct qs_expr *expr = qs_expr_compile(text, &error);
			ck_assert_msg((expr != NULL) == (n <= 40) || (n > 20 && n < 50), "%u times %s", n, starts[s]);
			ck_assert_msg(expr || strstr(error.text, "nested too deeply") || strstr(error.text, "longer than"), "%s", error.text);
			qs_expr_destroy(expr);
		}
	/* a long chain is no nesting */
	strcpy(text, "1");
	for (unsigned i = 0; i < 2000; i++)
		strcat(text, "+1");
	struct qs_expr_env env;
	fill(&env);
	struct qs_expr *expr = qs_expr_compile(text, &error);
	ck_assert_msg(expr != NULL, "%s", error.text);
	ck_assert(qs_expr_evaluate(expr, &env) == 2001);
	qs_expr_destroy(expr);
	memset(text, '1', 5000);
	text[5000] = 0;
	ck_assert_ptr_null(qs_expr_compile(text, &error));
	ck_assert_ptr_nonnull(strstr(error.text, "longer than"));
	qs_expr_destroy(NULL);
}
END_TEST

/* The right side is not evaluated when the left decides. */
START_TEST(short_circuit)
{
	static const struct {
		const char *text;
		unsigned reads;
	} cases[] = {
		{"0 and bp.GEN_MODE", 0}, {"1 and bp.GEN_MODE", 1}, {"1 or bp.GEN_MODE", 0}, {"0 or bp.GEN_MODE", 1},
		{"0 and bp.GEN_MODE or bp.PE_ZMODE", 1}, {"1 or bp.GEN_MODE and bp.PE_ZMODE or bp.GEN_MODE", 0},
		{"bp.GEN_MODE == 1 and bp.PE_ZMODE == 1 and bp.GEN_MODE", 1}, {"draw and bp.GEN_MODE", 0},
	};
	struct qs_expr_env env;

	fill(&env);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct qs_expr *expr = qs_expr_compile(cases[i].text, NULL);
		reads = 0;
		qs_expr_test(expr, &env);
		ck_assert_msg(reads == cases[i].reads, "%s: %u", cases[i].text, reads);
		qs_expr_destroy(expr);
	}
}
END_TEST

START_TEST(what_it_needs)
{
	static const struct {
		const char *text;
		uint64_t variables;
		bool registers;
		enum qs_level level;
	} cases[] = {
		{"1", 0, false, QS_LEVEL_START},
		{"bp.GEN_MODE.ntev > 2", 0, true, QS_LEVEL_START},
		{"frame == 1 and draw > 3", 1ull << QS_VAR_FRAME | 1ull << QS_VAR_DRAW, false, QS_LEVEL_DRAW},
		{"area < 1", 1ull << QS_VAR_AREA, false, QS_LEVEL_PRIMITIVE},
		{"x < 8 and xf.NUMTEX.num", 1ull << QS_VAR_X, true, QS_LEVEL_QUAD},
		{"verdict == late_z", 1ull << QS_VAR_VERDICT, false, QS_LEVEL_FRAGMENT},
		{"stage == 3", 1ull << QS_VAR_STAGE, false, QS_LEVEL_STAGE},
		{"fog", 1ull << QS_VAR_FOG, false, QS_LEVEL_FRAGMENT},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct qs_expr *expr = qs_expr_compile(cases[i].text, NULL);
		ck_assert_msg(qs_expr_variables(expr) == cases[i].variables, "%s", cases[i].text);
		ck_assert_msg(qs_expr_reads_registers(expr) == cases[i].registers, "%s", cases[i].text);
		ck_assert_msg(qs_expr_level(expr) == cases[i].level, "%s", cases[i].text);
		qs_expr_destroy(expr);
	}
}
END_TEST

/* Every variable can be named, and has the number that its enumerator says. */
START_TEST(variables)
{
	for (unsigned i = 0; i < QS_VAR_COUNT; i++) {
		struct qs_expr_env env;
		qs_expr_env_init(&env);
		struct qs_expr *expr = qs_expr_compile(qs_expr_variable_name((enum qs_expr_variable)i), NULL);
		ck_assert_msg(expr != NULL, "%s", qs_expr_variable_name((enum qs_expr_variable)i));
		ck_assert(isnan(qs_expr_evaluate(expr, &env)));
		env.variable[i] = 5;
		ck_assert(qs_expr_evaluate(expr, &env) == 5);
		const char *text = qs_expr_variable_text((enum qs_expr_variable)i);
		ck_assert_msg(text[0] && text[strlen(text) - 1] == '.', "%s", text);
		qs_expr_destroy(expr);
	}
}
END_TEST

START_TEST(environments)
{
	struct qs_moment moment = {QS_LEVEL_FRAGMENT, 2, 700, 57, 1, 13, 2, 0};
	struct qs_command command = {.opcode = 0x98, .size = 99, .offset = 0x1a3c};
	struct qs_setup setup = {.kind = QS_PRIMITIVE_TRIANGLE, .verdict = QS_SETUP_CULLED, .area2 = -25};
	struct qs_quad quad = {.x = 10, .y = 20, .coverage = 0xE07};
	struct qs_fragment fragment = {.verdict = QS_VERDICT_WRITTEN, .samples = 7, .x = 11, .y = 21, .tev = {1, 2, 3, 4},
		.source = {5, 6, 7, 8}, .fog = 9, .z = 100, .z_old = 101, .z_new = 102, .old_rgba = {10, 11, 12, 13},
		.new_rgba = {14, 15, 16, 17}};
	static const char *const conditions[] = {
		"frame == 2 and command == 700 and draw == 57 and primitive == 1 and quad == 13 and fragment == 2",
		"not (stage == 0) and not (stage != 0)",
		"opcode == 0x98 and size == 99 and offset == 0x1a3c",
		"unit == cp and address == 0x50 and old == 1 and value == 0x2200",
		"kind == triangle and setup == culled and area == -12.5",
		"x == 11 and y == 21 and coverage == 0xe07 and samples == 7",
		"verdict == written and alpha == 4 and z == 100 and z_old == 101 and z_new == 102 and fog == 9",
		"r == 5 and g == 6 and b == 7 and a == 8",
		"old_r == 10 and old_g == 11 and old_b == 12 and old_a == 13",
		"new_r == 14 and new_g == 15 and new_b == 16 and new_a == 17",
	};
	struct qs_expr_env env;

	qs_expr_env_init(&env);
	qs_expr_env_moment(&env, &moment);
	qs_expr_env_command(&env, &command);
	qs_expr_env_write(&env, QS_UNIT_CP, 0x50, 1, 0x2200);
	qs_expr_env_setup(&env, &setup);
	qs_expr_env_quad(&env, &quad);
	qs_expr_env_fragment(&env, &fragment);
	for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
		struct qs_expr *expr = qs_expr_compile(conditions[i], NULL);
		ck_assert_msg(expr && qs_expr_test(expr, &env), "%s", conditions[i]);
		qs_expr_destroy(expr);
	}
	/* finer numbers vanish with a coarser moment */
	moment.level = QS_LEVEL_COMMAND;
	moment.draw = QS_NONE;
	qs_expr_env_moment(&env, &moment);
	ck_assert(isnan(env.variable[QS_VAR_DRAW]) && isnan(env.variable[QS_VAR_QUAD]) && env.variable[QS_VAR_COMMAND] == 700);
}
END_TEST

/* ---- random trees against a walker ---------------------------------------------------------------------------------------- */

/* Binding of the operators, weak to strong, as the header lists it. */
static const struct {
	const char *sign;
	int level;
} operators[] = {
	{" or ", 0}, {"&&", 1}, {"==", 3}, {"!=", 3}, {"<", 3}, {"<=", 3}, {">", 3}, {">=", 3}, {"|", 4}, {"^", 5}, {"&", 6},
	{"<<", 7}, {">>", 7}, {"+", 8}, {"-", 8}, {"*", 9}, {"/", 9}, {"%", 9},
};
#define OPERATORS (sizeof operators / sizeof *operators)

static int64_t whole(double v)
{
	if (isnan(v))
		return 0;
	v = trunc(v);
	return v >= 0x1p63 ? INT64_MAX : v < -0x1p63 ? INT64_MIN : (int64_t)v;
}

static bool is_true(double v)
{
	return !isnan(v) && v != 0;
}

static double combine(size_t op, double a, double b)
{
	int64_t x = whole(a), y = whole(b);

	switch (op) {
	case 0: return is_true(a) || is_true(b);
	case 1: return is_true(a) && is_true(b);
	case 2: return a == b;
	case 3: return !isnan(a) && !isnan(b) && a != b;
	case 4: return a < b;
	case 5: return a <= b;
	case 6: return a > b;
	case 7: return a >= b;
	case 8: return (double)(x | y);
	case 9: return (double)(x ^ y);
	case 10: return (double)(x & y);
	case 11: /* bit by bit */
		for (int64_t i = 0; i < y && i < 64 && y <= 63; i++)
			x = (int64_t)((uint64_t)x * 2);
		return y < 0 || y > 63 ? 0 : (double)x;
	case 12:
		if (y < 0 || y > 63)
			return x < 0 ? -1 : 0;
		return (double)(int64_t)floorl((long double)x / (long double)(1ull << y));
	case 13: return a + b;
	case 14: return a - b;
	case 15: return a * b;
	case 16: return a / b;
	case 17: return !y ? (double)NAN : y == -1 ? 0 : (double)(x % y);
	}
	return 0;
}

struct writer {
	struct oracle_random random;
	char text[4000];
};

/* Appends a random expression that may stand where an operator of `level` (its right side: strict) binds; returns its value. */
static double write_tree(struct writer *w, unsigned depth, int level, bool strict)
{
	static const double leaves[] = {0, 1, 2, 3, 7, 63, 64, 255, 0.5, 1e10, 4294967295.0};
	char *end = w->text + strlen(w->text);
	unsigned choice = oracle_random_below(&w->random, depth ? 10 : 2);

	if (choice == 0) {
		double leaf = leaves[oracle_random_below(&w->random, sizeof leaves / sizeof *leaves)];
		sprintf(end, "%.17g", leaf);
		return leaf;
	}
	if (choice == 1) {
		strcpy(end, oracle_random_below(&w->random, 2) ? "x" : "draw");
		return end[0] == 'x' ? 320 : (double)NAN;
	}
	if (choice == 2) {
		static const char signs[] = "-~!";
		char sign = signs[oracle_random_below(&w->random, 3)];
		sprintf(end, "%c", sign);
		double v = write_tree(w, depth - 1, 10, false);
		return sign == '-' ? -v : sign == '~' ? (double)~whole(v) : !is_true(v);
	}
	if (choice == 3) {
		bool brackets = level > 2 || (strict && level == 2);
		strcpy(end, brackets ? "(not " : "not ");
		double v = write_tree(w, depth - 1, 2, false);
		strcat(end, brackets ? ")" : "");
		return !is_true(v);
	}
	size_t op = oracle_random_below(&w->random, OPERATORS);
	int own = operators[op].level;
	/* comparisons do not chain, so both of their sides must bind tighter */
	bool brackets = own < level || (own == level && (strict || own == 3)) || !oracle_random_below(&w->random, 8);
	strcpy(end, brackets ? "(" : "");
	double a = write_tree(w, depth - 1, own, own == 3);
	strcat(end, operators[op].sign);
	double b = write_tree(w, depth - 1, own, true);
	strcat(end, brackets ? ")" : "");
	return combine(op, a, b);
}

START_TEST(random_trees)
{
	struct writer w = {.random = oracle_random_start()};
	struct qs_expr_env env;
	struct qs_error error;

	fill(&env);
	for (unsigned i = 0; i < 20000; i++) {
		*w.text = 0;
		double wanted = write_tree(&w, 1 + i % 6, -1, false);
		struct qs_expr *expr = qs_expr_compile(w.text, &error);
		ck_assert_msg(expr != NULL, "seed %llu, %s: %s", (unsigned long long)w.random.seed, w.text, error.text);
		double value = qs_expr_evaluate(expr, &env);
		ck_assert_msg(value == wanted || (isnan(value) && isnan(wanted)), "seed %llu, %s: %.17g, not %.17g",
			(unsigned long long)w.random.seed, w.text, value, wanted);
		qs_expr_destroy(expr);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("expr");
	TCase *tcase = tcase_create("expr");
	tcase_add_loop_test(tcase, value_of, 0, sizeof values / sizeof *values);
	tcase_add_loop_test(tcase, message_of, 0, sizeof errors / sizeof *errors);
	tcase_add_test(tcase, limits);
	tcase_add_test(tcase, short_circuit);
	tcase_add_test(tcase, what_it_needs);
	tcase_add_test(tcase, variables);
	tcase_add_test(tcase, environments);
	tcase_add_test(tcase, random_trees);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
