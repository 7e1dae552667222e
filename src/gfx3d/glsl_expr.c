/* glsl_expr.c - operators to instructions
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "gfx3d/glsl.h"

/* ---- swizzles ------------------------------------------------------------------------------------------------------------- */

struct glsl_value glsl_swizzle(struct glsl *g, struct glsl_value value, int mask, unsigned lanes, int token)
{
	bool integer = glsl_is_integer(value.type);
	float numbers[4];
	int temp;

	if (value.type == CSIR_T_NONE)
		return glsl_bad();
	if (value.columns) {
		glsl_error(g, token, "cannot swizzle a matrix");
		return glsl_bad();
	}
	for (unsigned i = 0; i < lanes; i++) {
		int lane = (mask >> (2 * i)) & 3;

		if (lane >= value.lanes) {
			glsl_error(g, token, "invalid swizzle: the value has no such lane");
			return glsl_bad();
		}
		numbers[i] = value.number[lane];
	}
	if (value.is_const)
		return glsl_constant(g, glsl_vector_type(lanes, integer && !G3_QUIRK(g->quirks, integer_types)), numbers, lanes);
	temp = glsl_alloc(g, 1);
	if (temp < 0)
		return glsl_bad();
	glsl_emit(g, CSIR_SWZ, glsl_vector_type(lanes, integer), temp, value.temp, -1, mask, 0, lanes);
	return glsl_temp_value(temp, glsl_vector_type(lanes, integer));
}

static struct glsl_value broadcast(struct glsl *g, struct glsl_value value, unsigned lanes, int token)
{
	return value.lanes == lanes ? value : glsl_swizzle(g, value, 0, lanes, token);
}

/* ---- arithmetic ----------------------------------------------------------------------------------------------------------- */

static float fold(enum csir_op op, float a, float b)
{
	switch (op) {
	case CSIR_ADD: return a + b;
	case CSIR_SUB: return a - b;
	case CSIR_MUL: return a * b;
	case CSIR_MIN: return a < b ? a : b;
	default: return a > b ? a : b;
	}
}

static bool foldable(const struct glsl_value *left, const struct glsl_value *right)
{
	return left->is_const && right->is_const && left->lanes == right->lanes;
}

/* Quirk integer_types: the first operand decides; else both have to be integers (or bools) for an integer (or bool) result. */
static unsigned result_type(const struct glsl *g, unsigned left, unsigned right, unsigned first, unsigned lanes, bool constant)
{
	bool loose = G3_QUIRK(g->quirks, integer_types) != 0;
	bool integers = glsl_is_integer(left) && glsl_is_integer(right);

	if (lanes > 1)
		return glsl_vector_type(lanes, loose ? !constant && glsl_is_integer(first) : integers);
	if (loose || left == right)
		return glsl_is_scalar(first) ? first : CSIR_T_FLOAT;
	return CSIR_T_FLOAT;
}

static struct glsl_value folded(struct glsl *g, enum csir_op op, const struct glsl_value *left, const struct glsl_value *right)
{
	float numbers[4];

	for (unsigned i = 0; i < left->lanes; i++)
		numbers[i] = fold(op, left->number[i], right->number[i]);
	return glsl_constant(g, result_type(g, left->type, right->type, left->type, left->lanes, true), numbers, left->lanes);
}

/* Quirk vec_matrix: matrices column by column, instead of only the first as if it were a vector. */
static struct glsl_value matrix_sum(struct glsl *g, enum csir_op op, struct glsl_value left, struct glsl_value right, int token)
{
	int temp;

	if (left.type != right.type || (op != CSIR_ADD && op != CSIR_SUB)) {
		glsl_error(g, token, "no such operation on a matrix");
		return glsl_bad();
	}
	temp = glsl_alloc(g, left.columns);
	for (int i = 0; temp >= 0 && i < left.columns; i++)
		glsl_emit(g, op, glsl_vector_type(left.lanes, false), temp + i, left.temp + i, right.temp + i, 0, 0, left.lanes);
	return temp < 0 ? glsl_bad() : glsl_temp_value(temp, left.type);
}

/* Row vector times matrix: lane k is the product with column k. */
static struct glsl_value vector_matrix(struct glsl *g, struct glsl_value left, struct glsl_value right, int token)
{
	unsigned type = glsl_vector_type(right.columns, false);
	int temp, lane;

	if (left.lanes != right.columns || left.columns) {
		glsl_error(g, token, "cannot multiply this vector by a matrix");
		return glsl_bad();
	}
	temp = glsl_alloc(g, 1);
	lane = temp < 0 ? -1 : glsl_alloc(g, 1);
	for (int i = 0; lane >= 0 && i < right.columns; i++) {
		glsl_emit(g, CSIR_DOT, CSIR_T_FLOAT, lane, left.temp, right.temp + i, right.columns, 0, 1);
		glsl_emit(g, CSIR_SETLANE, type, temp, lane, -1, i, 0, right.columns);
	}
	return lane < 0 ? glsl_bad() : glsl_temp_value(temp, type);
}

struct glsl_value glsl_arithmetic(struct glsl *g, enum csir_op op, struct glsl_value left, struct glsl_value right, int token)
{
	unsigned type = left.type, lanes;
	int temp;

	if (left.type == CSIR_T_NONE || right.type == CSIR_T_NONE)
		return glsl_bad();
	if (!left.lanes || !right.lanes) {
		glsl_error(g, token, "a sampler is no number");
		return glsl_bad();
	}
	if ((left.columns || right.columns) && !G3_QUIRK(g->quirks, vec_matrix))
		return op == CSIR_MUL && right.columns ? vector_matrix(g, left, right, token) : matrix_sum(g, op, left, right, token);
	if (foldable(&left, &right))
		return folded(g, op, &left, &right);
	lanes = left.lanes > right.lanes ? left.lanes : right.lanes;
	if (left.lanes != right.lanes) {
		if (left.lanes != 1 && right.lanes != 1) {
			glsl_error(g, token, "type mismatch: the operands have different numbers of lanes");
			return glsl_bad();
		}
		if (left.lanes == 1)
			type = right.type;
		left = broadcast(g, left, lanes, token);
		right = broadcast(g, right, lanes, token);
	}
	if (left.type == CSIR_T_NONE || right.type == CSIR_T_NONE)
		return glsl_bad();
	if (foldable(&left, &right))
		return folded(g, op, &left, &right);
	temp = glsl_alloc(g, 1);
	if (temp < 0)
		return glsl_bad();
	glsl_emit(g, op, type, temp, left.temp, right.temp, 0, 0, lanes);
	return glsl_temp_value(temp, result_type(g, left.type, right.type, type, lanes, false));
}

static struct glsl_value negated(struct glsl *g, struct glsl_value value, int token)
{
	float numbers[4];
	bool integer = glsl_is_integer(value.type) && !G3_QUIRK(g->quirks, integer_types);

	if (!value.is_const)
		return glsl_arithmetic(g, CSIR_SUB, glsl_scalar(g, integer ? CSIR_T_INT : CSIR_T_FLOAT, 0), value, token);
	for (unsigned i = 0; i < value.lanes; i++)
		numbers[i] = -value.number[i];
	return glsl_constant(g, value.type, numbers, value.lanes);
}

/* The quotient of two ints, cut off.  The reciprocal is rounded, so the product may fall short of a whole number by a little;
 * 1 + 2^-20 lifts it without reaching the next one below a million. */
static struct glsl_value whole_quotient(struct glsl *g, struct glsl_value value, int token)
{
	struct glsl_value lifted = glsl_arithmetic(g, CSIR_MUL, value, glsl_scalar(g, CSIR_T_FLOAT, 1 + 0x1p-20f), token);
	int temp = lifted.type == CSIR_T_NONE ? -1 : glsl_alloc(g, 1);

	if (temp < 0)
		return glsl_bad();
	glsl_emit(g, CSIR_TRUNC, CSIR_T_INT, temp, lifted.temp, -1, 0, 0, 1);
	return glsl_temp_value(temp, CSIR_T_INT);
}

static struct glsl_value quotient(struct glsl *g, struct glsl_value left, struct glsl_value right, int token)
{
	bool integers = glsl_is_integer(left.type) && glsl_is_integer(right.type) && !G3_QUIRK(g->quirks, integer_types);
	struct glsl_value inverse, result;
	int temp;

	if (right.is_const && right.lanes == 1 && right.number[0] == 0) {
		glsl_error(g, token, "division by zero");
		return glsl_bad();
	}
	if (!right.lanes || right.columns || (integers && (left.lanes > 1 || right.lanes > 1))) {
		glsl_error(g, token, integers ? "integer vectors cannot be divided" : "cannot divide by this value");
		return glsl_bad();
	}
	temp = glsl_alloc(g, 1);
	if (temp < 0)
		return glsl_bad();
	glsl_emit(g, CSIR_RCP, CSIR_T_FLOAT, temp, right.temp, -1, 0, 0, right.lanes);
	inverse = glsl_temp_value(temp, right.lanes == 1 ? CSIR_T_FLOAT : right.type);
	result = glsl_arithmetic(g, CSIR_MUL, left, inverse, token);
	return integers && result.type != CSIR_T_NONE ? whole_quotient(g, result, token) : result;
}

static struct glsl_value remainder_of(struct glsl *g, struct glsl_value left, struct glsl_value right, int token)
{
	bool ok = left.is_const && right.is_const && left.lanes == 1 && right.lanes == 1 && csir_trunc(right.number[0]) != 0;

	if (!ok) {
		glsl_error(g, token, "operator % is only supported on constant integers");
		return glsl_bad();
	}
	return glsl_scalar(g, CSIR_T_INT,
		(float)((int64_t)csir_trunc(left.number[0]) % (int64_t)csir_trunc(right.number[0])));
}

/* ---- products, comparisons ------------------------------------------------------------------------------------------------ */

static struct glsl_value product(struct glsl *g, struct glsl_value left, struct glsl_value right, int token)
{
	unsigned columns = left.columns;
	bool matrices = right.columns > 0;
	int temp;

	if (!left.columns || (!matrices && !glsl_is_vector(right.type) && !glsl_is_scalar(right.type)))
		return glsl_arithmetic(g, CSIR_MUL, left, right, token);
	if (glsl_is_scalar(right.type)) {
		glsl_error(g, token, "cannot multiply a matrix by a scalar");
		return glsl_bad();
	}
	temp = glsl_alloc(g, matrices ? columns : 1);
	if (temp < 0)
		return glsl_bad();
	if (matrices ? right.columns != columns : right.lanes != columns) {
		glsl_error(g, token, matrices ? "matrix size mismatch" : "cannot multiply matrix by this vector");
		return glsl_bad();
	}
	if (matrices) {
		glsl_emit(g, CSIR_MULMM, left.type, temp, left.temp, right.temp, (int)columns, 0, columns);
		return glsl_temp_value(temp, left.type);
	}
	glsl_emit(g, CSIR_MULMV, glsl_vector_type(columns, false), temp, left.temp, right.temp, (int)columns, 0, columns);
	return glsl_temp_value(temp, glsl_vector_type(columns, false));
}

static bool holds(enum csir_relation relation, float a, float b)
{
	switch (relation) {
	case CSIR_LT: return a < b;
	case CSIR_GT: return a > b;
	case CSIR_LE: return a <= b;
	case CSIR_GE: return a >= b;
	case CSIR_EQ: return a == b;
	default: return a != b;
	}
}

static struct glsl_value comparison(struct glsl *g, enum csir_relation relation, struct glsl_value left, struct glsl_value right, int token)
{
	int temp;

	if (!glsl_is_scalar(left.type) || !glsl_is_scalar(right.type)) {
		glsl_error(g, token, "vector comparisons are not supported");
		return glsl_bad();
	}
	if (left.is_const && right.is_const)
		return glsl_scalar(g, CSIR_T_BOOL, holds(relation, left.number[0], right.number[0]) ? 1 : 0);
	temp = glsl_alloc(g, 1);
	if (temp < 0)
		return glsl_bad();
	glsl_emit(g, CSIR_CMP, CSIR_T_BOOL, temp, left.temp, right.temp, relation, 0, 1);
	return glsl_temp_value(temp, CSIR_T_BOOL);
}

static struct glsl_value binary(struct glsl *g, const struct glsl_node *n)
{
	struct glsl_value left = glsl_expression(g, n->a), right = glsl_expression(g, n->b);

	if (left.type == CSIR_T_NONE || right.type == CSIR_T_NONE)
		return glsl_bad();
	switch (n->op) {
	case TOKEN('*'): return product(g, left, right, n->token);
	case TOKEN('+'): return glsl_arithmetic(g, CSIR_ADD, left, right, n->token);
	case TOKEN('-'): return glsl_arithmetic(g, CSIR_SUB, left, right, n->token);
	case TOKEN('/'): return quotient(g, left, right, n->token);
	case TOKEN('%'): return remainder_of(g, left, right, n->token);
	case TOKEN('<'): return comparison(g, CSIR_LT, left, right, n->token);
	case TOKEN('>'): return comparison(g, CSIR_GT, left, right, n->token);
	case TOKEN_LE: return comparison(g, CSIR_LE, left, right, n->token);
	case TOKEN_GE: return comparison(g, CSIR_GE, left, right, n->token);
	case TOKEN_EQ: return comparison(g, CSIR_EQ, left, right, n->token);
	case TOKEN_NE: return comparison(g, CSIR_NE, left, right, n->token);
	case TOKEN_AND: return glsl_arithmetic(g, CSIR_MUL, left, right, n->token);
	default: return glsl_arithmetic(g, CSIR_MAX, left, right, n->token); /* || */
	}
}

/* ---- the tree ------------------------------------------------------------------------------------------------------------- */

static struct glsl_value name(struct glsl *g, const struct glsl_node *n)
{
	char text[CSIR_NAME_MAX];
	const struct glsl_symbol *s;
	const char *wrong = NULL;
	int i;

	glsl_token_text(g, n->token, text, sizeof text);
	i = glsl_lookup(g, text);
	s = i < 0 ? NULL : &g->symbol[i];
	if (!s)
		wrong = "unknown identifier";
	else if (s->kind == GLSL_POSITION && g->shader->stage != CSIR_VERTEX)
		wrong = "gl_Position is not available in this stage";
	else if (s->kind == GLSL_FRAGCOORD && g->shader->stage != CSIR_FRAGMENT)
		wrong = "gl_FragCoord is not available in this stage";
	else if (s->kind == GLSL_FUNCTION)
		wrong = "function used as a value";
	else if (s->type != CSIR_T_SAMPLER2D && !(s->known && glsl_is_scalar(s->type)) && s->temp < 0)
		wrong = "value used before assignment";
	if (wrong) {
		glsl_error(g, n->token, wrong);
		return glsl_bad();
	}
	if (s->type == CSIR_T_SAMPLER2D)
		return glsl_temp_value(s->slot, CSIR_T_SAMPLER2D);
	if (s->known && glsl_is_scalar(s->type))
		return glsl_scalar(g, s->type, s->value);
	return glsl_temp_value(s->temp, s->type);
}

static struct glsl_value literal(struct glsl *g, const struct glsl_node *n)
{
	const struct glsl_token *t = &g->token[n->token];

	switch (t->kind) {
	case TOKEN_TRUE: return glsl_scalar(g, CSIR_T_BOOL, 1);
	case TOKEN_FALSE: return glsl_scalar(g, CSIR_T_BOOL, 0);
	case TOKEN_INT: return glsl_scalar(g, CSIR_T_INT, (float)t->whole);
	default: return glsl_scalar(g, CSIR_T_FLOAT, t->number);
	}
}

static struct glsl_value element(struct glsl *g, const struct glsl_node *n)
{
	struct glsl_value base = glsl_expression(g, n->a), index = glsl_expression(g, n->b);

	if (base.type == CSIR_T_NONE || index.type == CSIR_T_NONE)
		return glsl_bad();
	if (!index.is_const || index.type != CSIR_T_INT) {
		glsl_error(g, n->token, "only constant indexes are supported");
		return glsl_bad();
	}
	if (!(index.number[0] >= 0 && index.number[0] < (float)base.lanes)) {
		glsl_error(g, n->token, "index out of range");
		return glsl_bad();
	}
	return glsl_swizzle(g, base, (int)index.number[0], 1, n->token);
}

static struct glsl_value unary(struct glsl *g, const struct glsl_node *n)
{
	struct glsl_value value = glsl_expression(g, n->a);

	if (value.type == CSIR_T_NONE)
		return glsl_bad();
	if (n->op == TOKEN('!')) {
		value = glsl_arithmetic(g, CSIR_SUB, glsl_scalar(g, CSIR_T_FLOAT, 1), value, n->token);
		if (value.type == CSIR_T_FLOAT && !G3_QUIRK(g->quirks, integer_types))
			value.type = CSIR_T_BOOL;
		return value;
	}
	return negated(g, value, n->token);
}

static struct glsl_value call(struct glsl *g, const struct glsl_node *n)
{
	struct glsl_value args[GLSL_ARGS];
	unsigned count = 0, most = n->kind == NODE_CALL ? 8 : GLSL_ARGS;
	char text[CSIR_NAME_MAX];

	for (int a = n->a; a >= 0; a = g->node[a].next) {
		if (count == most) {
			glsl_error(g, g->node[a].token, "too many arguments");
			return glsl_bad();
		}
		args[count] = glsl_expression(g, a);
		if (args[count++].type == CSIR_T_NONE)
			return glsl_bad();
	}
	if (n->kind == NODE_CONSTRUCT)
		return glsl_construct(g, n->type, args, count, n->token);
	glsl_token_text(g, n->token, text, sizeof text);
	return glsl_call(g, text, args, count, n->token);
}

struct glsl_value glsl_expression(struct glsl *g, int node)
{
	const struct glsl_node *n;

	if (node < 0 || glsl_stopped(g))
		return glsl_bad();
	n = &g->node[node];
	switch (n->kind) {
	case NODE_LITERAL: return literal(g, n);
	case NODE_NAME: return name(g, n);
	case NODE_SWIZZLE: return glsl_swizzle(g, glsl_expression(g, n->a), n->number, n->op, n->token);
	case NODE_INDEX: return element(g, n);
	case NODE_UNARY: return unary(g, n);
	case NODE_BINARY: return binary(g, n);
	case NODE_CALL:
	case NODE_CONSTRUCT: return call(g, n);
	default:
		glsl_error(g, n->token, "increment is only supported as a loop step");
		return glsl_bad();
	}
}
