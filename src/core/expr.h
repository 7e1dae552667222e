/* expr.h - compiled expressions: a stack program
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CORE_EXPR_H
#define CORE_EXPR_H

#include "quadscope.h"

#define EXPR_MAX_TEXT 4096
#define EXPR_MAX_STACK 48 /* values; also bounds the recursion of the parser */

enum expr_op {
	EXPR_END,
	EXPR_NUMBER,   /* push number */
	EXPR_VARIABLE, /* push variable[target] */
	EXPR_REGISTER, /* push the whole register */
	EXPR_FIELD,    /* push a field as a number */
	EXPR_UFIELD,   /* the same for unsigned fields */
	EXPR_NEGATE,
	EXPR_INVERT,
	EXPR_NOT,
	EXPR_BOOL,
	EXPR_AND,      /* false on top: leave 0 and jump to target; else pop */
	EXPR_OR,       /* true on top: leave 1 and jump to target; else pop */
	EXPR_ADD, EXPR_SUBTRACT, EXPR_MULTIPLY, EXPR_DIVIDE, EXPR_MODULO,
	EXPR_SHIFT_LEFT, EXPR_SHIFT_RIGHT, EXPR_BIT_AND, EXPR_BIT_OR, EXPR_BIT_XOR,
	EXPR_EQUAL, EXPR_NOT_EQUAL, EXPR_LESS, EXPR_LESS_EQUAL, EXPR_GREATER, EXPR_GREATER_EQUAL,
};

struct expr_code {
	uint8_t op;
	uint8_t unit;
	uint16_t address;
	uint32_t target; /* variable or jump target */
	union {
		double number;
		const struct qs_field *field;
	};
};

struct qs_expr {
	char *text;
	struct expr_code *code;
	uint32_t count, capacity;
	uint64_t variables;
	bool registers;
};

struct expr_variable {
	const char *name;
	const struct qs_enum_value *values; /* or NULL */
	enum qs_level level;
	const char *text;
};

/* expr_names.c */
extern const struct expr_variable expr_variables[QS_VAR_COUNT];
/* Index of the variable, or QS_VAR_COUNT. */
unsigned expr_find_variable(const char *name, size_t length);
/* The value of that name, case folded, or NULL. */
const struct qs_enum_value *expr_find_value(const struct qs_enum_value *values, const char *name, size_t length);

/* Keeps the best of the candidates offered to it: "did you mean". */
struct expr_suggestion {
	const char *word;
	size_t length;
	unsigned distance;
	const char *best;
};
void expr_suggest_begin(struct expr_suggestion *suggestion, const char *word, size_t length);
void expr_suggest(struct expr_suggestion *suggestion, const char *candidate);
/* Edit distance with transpositions, case folded; above the limit it is limit + 1. */
unsigned expr_distance(const char *a, size_t a_length, const char *b, unsigned limit);

/* ---- the parser ----------------------------------------------------------------------------------------------------------- */

enum expr_token_kind { TOKEN_END, TOKEN_NUMBER, TOKEN_WORD, TOKEN_STRING, TOKEN_SIGN };

struct expr_token {
	enum expr_token_kind kind;
	const char *start; /* for a string: its text without quotes */
	size_t length;
	double number;
};

struct expr_parser {
	const char *text;
	const char *next;        /* behind token */
	struct expr_token token; /* looked at, not yet taken */
	struct qs_expr *expr;
	struct qs_error *error;
	unsigned depth; /* values on the stack where the program stands */
	unsigned nesting;
	const struct qs_enum_value *values; /* value names of what was pushed last, if that stands alone */
	char values_of[80];                 /* its name */
};

/* expr_lex.c: what returns bool sets the error and is false when it fails. */
bool expr_advance(struct expr_parser *p);
bool expr_token_is(const struct expr_parser *p, const char *text);
bool expr_fail(struct expr_parser *p, const char *at, const char *what);
bool expr_expected(struct expr_parser *p, const char *what);
bool expr_unknown(struct expr_parser *p, const char *at, const char *complaint, const struct expr_suggestion *suggestion);
/* 'name', cut where it is long, for messages. */
const char *expr_quote(const char *start, size_t length, char buffer[64]);

#endif
