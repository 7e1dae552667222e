/* glsl.h - inside the compiler: tokens, tree, symbols, values (spec 01 sections 2 and 9)
 *
 *   glsl_lex.c    source to tokens               glsl_sem.c   symbols, scopes, slots, the prologue, main
 *   glsl_parse.c  expressions to a tree          glsl_stmt.c  statements, loops
 *   glsl_tree.c   statements, declarations       glsl_expr.c  operators      glsl_call.c  constructors, functions
 *
 * The lowering follows ChrisOS instruction by instruction, number by number, so that listings can be compared; quirks say where
 * a model differs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef GFX3D_GLSL_H
#define GFX3D_GLSL_H

#include "gfx3d/csir.h"

#define GLSL_TOKENS 768
#define GLSL_NODES 512
#define GLSL_SCOPES 48
#define GLSL_NESTING 32
#define GLSL_PARAMS 4
#define GLSL_CALLS 8
#define GLSL_ROUNDS 8
#define GLSL_ARGS 16

enum glsl_token_kind {
	TOKEN_END, TOKEN_NAME, TOKEN_INT, TOKEN_FLOAT, TOKEN_BAD,
	TOKEN_TYPE, /* type says which */
	TOKEN_IN, TOKEN_OUT, TOKEN_UNIFORM, TOKEN_CONST, TOKEN_LAYOUT, TOKEN_SMOOTH,
	TOKEN_IF, TOKEN_ELSE, TOKEN_FOR, TOKEN_RETURN, TOKEN_DISCARD, TOKEN_TRUE, TOKEN_FALSE,
	TOKEN_EQ, TOKEN_NE, TOKEN_LE, TOKEN_GE, TOKEN_AND, TOKEN_OR, TOKEN_INC, TOKEN_DEC, /* == != <= >= && || ++ -- */
	TOKEN_CHAR, /* from here on: TOKEN_CHAR + character */
};
#define TOKEN(c) (TOKEN_CHAR + (c))

struct glsl_token {
	uint16_t kind, length, line, column;
	uint16_t offset;
	uint8_t type;
	float number;
	int32_t whole;
};

enum glsl_node_kind {
	NODE_DECLARATION, /* a: initial value; b: (for) - */
	NODE_FUNCTION,    /* a: body; b: parameters */
	NODE_BLOCK,       /* a: first statement */
	NODE_RETURN, NODE_EXPRESSION, NODE_DISCARD, NODE_EMPTY, /* a: expression */
	NODE_IF,          /* a ? b : c */
	NODE_FOR,         /* a; b; c; d */
	NODE_ASSIGN,      /* a = b */
	NODE_LITERAL, NODE_NAME,
	NODE_UNARY, NODE_BINARY, NODE_STEP, /* op: token kind; STEP: ++ and -- */
	NODE_CALL, NODE_CONSTRUCT, /* a: first argument */
	NODE_SWIZZLE,     /* a; number: mask; op: letters */
	NODE_INDEX,       /* a[b] */
};

enum { QUAL_IN = 1, QUAL_OUT = 2, QUAL_UNIFORM = 4, QUAL_CONST = 8 };

struct glsl_node {
	uint8_t kind, type, quals;
	uint16_t op;
	int16_t a, b, c, d, next, token;
	int32_t number; /* location, mask */
};

enum glsl_symbol_kind { GLSL_INPUT, GLSL_OUTPUT, GLSL_UNIFORM, GLSL_VARIABLE, GLSL_FUNCTION, GLSL_POSITION, GLSL_FRAGCOORD };

struct glsl_symbol {
	char name[CSIR_NAME_MAX];
	uint8_t kind, type;
	bool is_const, known, written; /* known: a scalar whose value is `value` */
	float value;
	int16_t location, slot, scope, temp, token;
	int16_t body, params, initial;
	uint8_t param_count, param_type[GLSL_PARAMS];
};

/* What an expression is: temporaries from `temp` on; type NONE: an error was reported. */
struct glsl_value {
	int16_t temp; /* samplers: slot */
	uint8_t type, lanes, columns;
	bool is_const;
	float number[4];
};

struct glsl {
	struct csir_shader *shader;
	const struct g3_quirks *quirks;
	struct csir_log *log;
	const char *source;
	size_t size;
	struct glsl_token token[GLSL_TOKENS];
	int token_count, at;
	struct glsl_node node[GLSL_NODES];
	int node_count, root;
	struct glsl_symbol symbol[CSIR_SYMBOL_MAX];
	int symbol_count;
	int scope, scope_count, scope_parent[GLSL_SCOPES];
	int nesting;    /* parser; then block depth inside a function */
	int under_if;   /* ifs around the statement, in the function it is in */
	int call[GLSL_CALLS], call_count;
	bool lexed;     /* errors at bad tokens have been told */
	bool returned;
	struct glsl_value result;
	uint16_t line;  /* of the statement being lowered */
	int statement;  /* its token, -1: none */
	bool full;      /* a limit was reached: going on would only repeat it */
};

/* token: number, or -1 */
void glsl_error(struct glsl *g, int token, const char *message);
/* At the token, or the statement being lowered; nothing else is told afterwards. */
void glsl_limit(struct glsl *g, int token, const char *message);
bool glsl_stopped(const struct glsl *g); /* no more errors can be told */
void glsl_token_text(const struct glsl *g, int token, char *buffer, size_t size);

bool glsl_lex(struct glsl *g);
bool glsl_parse(struct glsl *g);
bool glsl_lower(struct glsl *g);
void glsl_print_tree(const struct glsl *g, struct csir_text *text);

/* parser */
static inline int glsl_peek(const struct glsl *g)
{
	return g->token[g->at].kind;
}
static inline void glsl_advance(struct glsl *g)
{
	if (g->token[g->at].kind != TOKEN_END)
		g->at++;
}
int glsl_node_new(struct glsl *g, enum glsl_node_kind kind, int token);
bool glsl_expect(struct glsl *g, int kind, const char *message);
int glsl_parse_expression(struct glsl *g);

/* code */
bool glsl_is_scalar(unsigned type);
bool glsl_is_vector(unsigned type); /* of floats */
bool glsl_is_integer(unsigned type);
bool glsl_is_matrix(unsigned type);
unsigned glsl_vector_type(unsigned lanes, bool integer);
struct glsl_value glsl_bad(void);
struct glsl_value glsl_temp_value(int temp, unsigned type);
int glsl_alloc(struct glsl *g, unsigned count);
bool glsl_emit(struct glsl *g, enum csir_op op, unsigned type, int dst, int a, int b, int aux, int aux2, unsigned lanes);
struct glsl_value glsl_constant(struct glsl *g, unsigned type, const float *numbers, unsigned lanes);
struct glsl_value glsl_scalar(struct glsl *g, unsigned type, float number);
/* A constant register without a value. */
int glsl_constant_temp(struct glsl *g, const float *numbers, unsigned lanes);

/* symbols */
int glsl_lookup(const struct glsl *g, const char *name);
int glsl_add_symbol(struct glsl *g, const char *name, enum glsl_symbol_kind kind, unsigned type, int token);
void glsl_push_scope(struct glsl *g, int token);
void glsl_pop_scope(struct glsl *g);
/* May a value of type `from` be stored in a variable of type `to`? */
bool glsl_converts(const struct glsl *g, unsigned from, unsigned to);

/* expressions and statements */
struct glsl_value glsl_expression(struct glsl *g, int node);
struct glsl_value glsl_arithmetic(struct glsl *g, enum csir_op op, struct glsl_value left, struct glsl_value right, int token);
struct glsl_value glsl_swizzle(struct glsl *g, struct glsl_value value, int mask, unsigned lanes, int token);
struct glsl_value glsl_construct(struct glsl *g, unsigned type, struct glsl_value *args, unsigned count, int token);
struct glsl_value glsl_call(struct glsl *g, const char *name, struct glsl_value *args, unsigned count, int token);
void glsl_statements(struct glsl *g, int node);
void glsl_store(struct glsl *g, int symbol, struct glsl_value value, int token);

#endif
