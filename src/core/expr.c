/* expr.c - compiles the text of an expression; grammar and meaning in quadscope.h
 *
 * A recursive parser with one function per level of binding emits a stack program straight away.  Its recursion and the
 * program's stack are bounded, so any text is safe.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/expr.h"

/* ---- the program ---------------------------------------------------------------------------------------------------------- */

static struct expr_code *emit(struct expr_parser *p, enum expr_op op, int pushes)
{
	struct qs_expr *e = p->expr;

	if (e->count == e->capacity) {
		uint32_t capacity = e->capacity ? 2 * e->capacity : 16;
		struct expr_code *code = realloc(e->code, capacity * sizeof *code);
		if (!code) {
			qs_error_set(p->error, QS_ERR_NOMEM, 0, "There is no memory for the expression.");
			return NULL;
		}
		e->code = code;
		e->capacity = capacity;
	}
	p->depth = (unsigned)((int)p->depth + pushes);
	if (p->depth > EXPR_MAX_STACK) {
		expr_fail(p, p->token.start, "the expression is nested too deeply: take parts out of the parentheses");
		return NULL;
	}
	e->code[e->count] = (struct expr_code){.op = (uint8_t)op, .number = 0};
	return &e->code[e->count++];
}

static bool emit_number(struct expr_parser *p, double number)
{
	struct expr_code *code = emit(p, EXPR_NUMBER, 1);

	if (code)
		code->number = number;
	return code != NULL;
}

/* ---- names ---------------------------------------------------------------------------------------------------------------- */

static bool parse_or(struct expr_parser *p);

/* The field's value names, or whole-register access; the token is the word behind the second point. */
static bool parse_field(struct expr_parser *p, const struct qs_register *reg, struct expr_code *code)
{
	char name[80], message[128], text[64];
	struct expr_suggestion suggestion;

	if (p->token.kind != TOKEN_WORD)
		return expr_expected(p, "the name of a field");
	snprintf(name, sizeof name, "%.*s", (int)(p->token.length < 79 ? p->token.length : 79), p->token.start);
	const struct qs_field *field = qs_field_by_name(reg, name);
	if (field) {
		bool is_unsigned = field->kind == QS_FIELD_UINT || field->kind == QS_FIELD_ENUM || field->kind == QS_FIELD_BOOL;
		code->op = is_unsigned ? EXPR_UFIELD : EXPR_FIELD;
		code->field = field;
		p->values = field->values;
		snprintf(p->values_of, sizeof p->values_of, "%s.%s", reg->name, field->name);
		return expr_advance(p);
	}
	if (p->token.length == 3 && !expr_distance(p->token.start, 3, "raw", 0))
		return expr_advance(p);
	expr_suggest_begin(&suggestion, p->token.start, p->token.length);
	for (unsigned i = 0; i < reg->field_count; i++)
		expr_suggest(&suggestion, reg->fields[i].name);
	expr_suggest(&suggestion, "raw");
	if (!suggestion.best && reg->field_count == 1)
		suggestion.best = reg->fields[0].name;
	snprintf(message, sizeof message, "%s has no field %s", reg->name, expr_quote(p->token.start, p->token.length, text));
	return expr_unknown(p, p->token.start, message, &suggestion);
}

static bool parse_register(struct expr_parser *p, enum qs_unit unit)
{
	char name[80], message[128], text[64];
	struct expr_suggestion suggestion;

	if (!expr_advance(p)) /* the unit */
		return false;
	if (!expr_token_is(p, "."))
		return expr_expected(p, "'.' and the name of a register");
	if (!expr_advance(p))
		return false;
	if (p->token.kind != TOKEN_WORD)
		return expr_expected(p, "the name of a register");
	snprintf(name, sizeof name, "%.*s", (int)(p->token.length < 79 ? p->token.length : 79), p->token.start);
	const struct qs_register *reg = qs_register_by_name(unit, name);
	if (!reg) {
		expr_suggest_begin(&suggestion, p->token.start, p->token.length);
		for (uint32_t i = 0; i < qs_register_count(unit); i++)
			expr_suggest(&suggestion, qs_register_at(unit, i)->name);
		snprintf(message, sizeof message, "%s has no register %s", qs_unit_name(unit), expr_quote(p->token.start, p->token.length, text));
		return expr_unknown(p, p->token.start, message, &suggestion);
	}
	struct expr_code *code = emit(p, EXPR_REGISTER, 1);
	if (!code || !expr_advance(p))
		return false;
	code->unit = (uint8_t)unit;
	code->address = reg->address;
	p->expr->registers = true;
	if (!expr_token_is(p, "."))
		return true;
	return expr_advance(p) && parse_field(p, reg, code);
}

/* A word that is no variable: say what it may have meant. */
static bool unknown_name(struct expr_parser *p)
{
	const struct expr_token *t = &p->token;
	struct expr_suggestion suggestion;
	char name[80], message[160], text[64];

	snprintf(name, sizeof name, "%.*s", (int)(t->length < 79 ? t->length : 79), t->start);
	for (unsigned unit = 0; unit < QS_UNIT_COUNT; unit++)
		if (qs_register_by_name((enum qs_unit)unit, name)) {
			snprintf(message, sizeof message, "registers are named with their unit: write %s.%s", qs_unit_name((enum qs_unit)unit),
				qs_register_by_name((enum qs_unit)unit, name)->name);
			return expr_fail(p, t->start, message);
		}
	expr_suggest_begin(&suggestion, t->start, t->length);
	if (*p->next == '.') {
		for (unsigned unit = 0; unit < QS_UNIT_COUNT; unit++)
			expr_suggest(&suggestion, qs_unit_name((enum qs_unit)unit));
		snprintf(message, sizeof message, "there is no unit %s", expr_quote(t->start, t->length, text));
	} else {
		for (unsigned i = 0; i < QS_VAR_COUNT; i++)
			expr_suggest(&suggestion, expr_variables[i].name);
		snprintf(message, sizeof message, "there is no variable %s", expr_quote(t->start, t->length, text));
	}
	return expr_unknown(p, t->start, message, &suggestion);
}

static bool parse_word(struct expr_parser *p)
{
	char name[8];
	enum qs_unit unit;
	bool truth = expr_token_is(p, "true");

	if (truth || expr_token_is(p, "false"))
		return emit_number(p, truth) && expr_advance(p);
	if (expr_token_is(p, "or") || expr_token_is(p, "and"))
		return expr_expected(p, "a number, a name or '('");
	if (p->token.length < sizeof name) {
		memcpy(name, p->token.start, p->token.length);
		name[p->token.length] = 0;
		/* "unit" without a point is the variable's value name elsewhere; here only unit.REGISTER makes sense */
		if (qs_unit_parse(name, &unit))
			return parse_register(p, unit);
	}
	unsigned variable = expr_find_variable(p->token.start, p->token.length);
	if (variable == QS_VAR_COUNT)
		return unknown_name(p);
	struct expr_code *code = emit(p, EXPR_VARIABLE, 1);
	if (!code)
		return false;
	code->target = variable;
	p->expr->variables |= 1ull << variable;
	p->values = expr_variables[variable].values;
	snprintf(p->values_of, sizeof p->values_of, "%s", expr_variables[variable].name);
	return expr_advance(p);
}

/* ---- levels of binding, strong to weak ------------------------------------------------------------------------------------ */

static bool parse_unary_operand(struct expr_parser *p)
{
	p->values = NULL;
	switch (p->token.kind) {
	case TOKEN_NUMBER:
		return emit_number(p, p->token.number) && expr_advance(p);
	case TOKEN_WORD:
		return parse_word(p);
	case TOKEN_STRING:
		return expr_fail(p, p->token.start - 1, "a quoted value name belongs behind == or != of something that has value names");
	case TOKEN_SIGN:
		if (!expr_token_is(p, "("))
			break;
		if (!expr_advance(p) || !parse_or(p))
			return false;
		if (!expr_token_is(p, ")"))
			return expr_expected(p, "an operator or ')'");
		p->values = NULL;
		return expr_advance(p);
	case TOKEN_END:
		break;
	}
	return expr_expected(p, "a number, a name or '('");
}

static bool parse_unary(struct expr_parser *p)
{
	enum expr_op op;

	if (++p->nesting > EXPR_MAX_STACK)
		return expr_fail(p, p->token.start, "the expression is nested too deeply: take parts out of the parentheses");
	if (expr_token_is(p, "-"))
		op = EXPR_NEGATE;
	else if (expr_token_is(p, "~"))
		op = EXPR_INVERT;
	else if (expr_token_is(p, "!"))
		op = EXPR_NOT;
	else if (expr_token_is(p, "+"))
		op = EXPR_END; /* nothing to do */
	else {
		bool done = parse_unary_operand(p);
		p->nesting--;
		return done;
	}
	if (!expr_advance(p) || !parse_unary(p))
		return false;
	p->values = NULL;
	p->nesting--;
	return op == EXPR_END || emit(p, op, 0);
}

/* Binary operators that only combine two numbers, by level: strong first. */
static const struct {
	const char *sign;
	uint8_t level, op;
} binaries[] = {
	{"*", 0, EXPR_MULTIPLY}, {"/", 0, EXPR_DIVIDE}, {"%", 0, EXPR_MODULO}, {"+", 1, EXPR_ADD}, {"-", 1, EXPR_SUBTRACT},
	{"<<", 2, EXPR_SHIFT_LEFT}, {">>", 2, EXPR_SHIFT_RIGHT}, {"&", 3, EXPR_BIT_AND}, {"^", 4, EXPR_BIT_XOR}, {"|", 5, EXPR_BIT_OR},
};
#define BINARY_LEVELS 6

static bool parse_binary(struct expr_parser *p, unsigned level)
{
	if (!level)
		return parse_unary(p);
	if (!parse_binary(p, level - 1))
		return false;
	for (;;) {
		size_t i = 0, count = sizeof binaries / sizeof *binaries;
		while (i < count && !(binaries[i].level == level - 1 && expr_token_is(p, binaries[i].sign)))
			i++;
		if (i == count)
			return true;
		if (!expr_advance(p) || !parse_binary(p, level - 1) || !emit(p, (enum expr_op)binaries[i].op, -1))
			return false;
		p->values = NULL;
	}
}

static const struct {
	const char *sign;
	uint8_t op;
} comparisons[] = {
	{"==", EXPR_EQUAL}, {"!=", EXPR_NOT_EQUAL}, {"<", EXPR_LESS}, {"<=", EXPR_LESS_EQUAL}, {">", EXPR_GREATER},
	{">=", EXPR_GREATER_EQUAL},
};

static enum expr_op comparison(const struct expr_parser *p)
{
	for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++)
		if (expr_token_is(p, comparisons[i].sign))
			return (enum expr_op)comparisons[i].op;
	return EXPR_END;
}

/* Appends the names as far as there is room, for messages. */
static void list_values(const struct qs_enum_value *values, char *message, size_t size)
{
	const char *before = ": its values are ";

	for (const struct qs_enum_value *v = values; v->name && strlen(message) + strlen(v->name) + 24 < size; v++) {
		strcat(strcat(message, before), v->name);
		before = ", ";
	}
}

/* The value name behind == or !=; *taken is false when the token is something else. */
static bool parse_value_name(struct expr_parser *p, const struct qs_enum_value *values, bool *taken)
{
	struct expr_suggestion suggestion;
	char message[256], text[64];
	const struct expr_token *t = &p->token;

	*taken = false;
	if (t->kind != TOKEN_STRING && (t->kind != TOKEN_WORD || *p->next == '.'))
		return true;
	const struct qs_enum_value *value = expr_find_value(values, t->start, t->length);
	if (value) {
		*taken = true;
		return emit_number(p, value->value) && expr_advance(p);
	}
	if (t->kind == TOKEN_WORD && (expr_find_variable(t->start, t->length) < QS_VAR_COUNT ||
		expr_token_is(p, "true") || expr_token_is(p, "false")))
		return true;
	expr_suggest_begin(&suggestion, t->start, t->length);
	for (const struct qs_enum_value *v = values; v && v->name; v++)
		expr_suggest(&suggestion, v->name);
	if (!values)
		snprintf(message, sizeof message, "the left side has no value names, so %s means nothing",
			expr_quote(t->start, t->length, text));
	else
		snprintf(message, sizeof message, "%s has no value %s", p->values_of, expr_quote(t->start, t->length, text));
	if (values && !suggestion.best)
		list_values(values, message, sizeof message);
	return expr_unknown(p, t->start, message, &suggestion);
}

static bool parse_comparison(struct expr_parser *p)
{
	if (!parse_binary(p, BINARY_LEVELS))
		return false;
	enum expr_op op = comparison(p);
	if (op == EXPR_END)
		return true;
	const struct qs_enum_value *values = op == EXPR_EQUAL || op == EXPR_NOT_EQUAL ? p->values : NULL;
	bool taken = false;
	if (!expr_advance(p) || ((values || p->token.kind == TOKEN_STRING) && !parse_value_name(p, values, &taken)))
		return false;
	if (!taken && !parse_binary(p, BINARY_LEVELS))
		return false;
	if (comparison(p) != EXPR_END)
		return expr_fail(p, p->token.start, "comparisons do not chain: write a < b and b < c");
	p->values = NULL;
	return emit(p, op, -1);
}

static bool parse_not(struct expr_parser *p)
{
	if (!expr_token_is(p, "not"))
		return parse_comparison(p);
	if (++p->nesting > EXPR_MAX_STACK)
		return expr_fail(p, p->token.start, "the expression is nested too deeply: take parts out of the parentheses");
	if (!expr_advance(p) || !parse_not(p))
		return false;
	p->nesting--;
	return emit(p, EXPR_NOT, 0);
}

static bool parse_and_or(struct expr_parser *p, bool is_or)
{
	const char *word = is_or ? "or" : "and", *sign = is_or ? "||" : "&&";

	if (!(is_or ? parse_and_or(p, false) : parse_not(p)))
		return false;
	while (expr_token_is(p, word) || expr_token_is(p, sign)) {
		struct expr_code *jump = emit(p, is_or ? EXPR_OR : EXPR_AND, -1);
		if (!jump)
			return false;
		uint32_t place = p->expr->count - 1;
		if (!expr_advance(p) || !(is_or ? parse_and_or(p, false) : parse_not(p)) || !emit(p, EXPR_BOOL, 0))
			return false;
		p->expr->code[place].target = p->expr->count;
	}
	return true;
}

static bool parse_or(struct expr_parser *p)
{
	return parse_and_or(p, true);
}

/* ---- public --------------------------------------------------------------------------------------------------------------- */

struct qs_expr *qs_expr_compile(const char *text, struct qs_error *error)
{
	struct expr_parser p = {.text = text, .next = text, .error = error};

	if (strlen(text) > EXPR_MAX_TEXT) {
		qs_error_set(error, QS_ERR_SCRIPT, EXPR_MAX_TEXT, "The expression is longer than %d characters.", EXPR_MAX_TEXT);
		return NULL;
	}
	p.expr = calloc(1, sizeof *p.expr);
	if (p.expr)
		p.expr->text = malloc(strlen(text) + 1);
	if (!p.expr || !p.expr->text) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for the expression.");
		goto failed;
	}
	memcpy(p.expr->text, text, strlen(text) + 1);
	if (!expr_advance(&p) || !parse_or(&p))
		goto failed;
	if (p.token.kind != TOKEN_END) {
		expr_expected(&p, "an operator or the end");
		goto failed;
	}
	if (!emit(&p, EXPR_END, 0))
		goto failed;
	return p.expr;
failed:
	qs_expr_destroy(p.expr);
	return NULL;
}

void qs_expr_destroy(struct qs_expr *expr)
{
	if (!expr)
		return;
	free(expr->code);
	free(expr->text);
	free(expr);
}

const char *qs_expr_text(const struct qs_expr *expr)
{
	return expr->text;
}

uint64_t qs_expr_variables(const struct qs_expr *expr)
{
	return expr->variables;
}

bool qs_expr_reads_registers(const struct qs_expr *expr)
{
	return expr->registers;
}

enum qs_level qs_expr_level(const struct qs_expr *expr)
{
	enum qs_level level = QS_LEVEL_START;

	for (unsigned i = 0; i < QS_VAR_COUNT; i++)
		if ((expr->variables >> i & 1) && expr_variables[i].level > level)
			level = expr_variables[i].level;
	return level;
}
