/* glsl_stmt.c - statements, loops, assignments
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "gfx3d/glsl.h"

/* ---- assignment ----------------------------------------------------------------------------------------------------------- */

static void write_output(struct glsl *g, const struct glsl_symbol *s)
{
	bool vertex = g->shader->stage == CSIR_VERTEX;

	if (s->kind == GLSL_POSITION)
		glsl_emit(g, CSIR_STORE_POS, CSIR_T_VEC4, -1, s->temp, -1, 0, 0, 4);
	else if (s->kind == GLSL_OUTPUT && vertex)
		glsl_emit(g, CSIR_STORE_VAR, s->type, -1, s->temp, -1, s->slot, 0, csir_type_lanes(s->type));
	else if (s->kind == GLSL_OUTPUT)
		glsl_emit(g, CSIR_STORE_COLOR, s->type, -1, s->temp, -1, 0, 0, 4);
}

static const char *cannot_store(const struct glsl *g, const struct glsl_symbol *s, const struct glsl_value *value)
{
	if (s->is_const)
		return "cannot assign to const";
	if (s->type == CSIR_T_SAMPLER2D || s->kind == GLSL_FUNCTION || s->kind == GLSL_FRAGCOORD || s->kind == GLSL_UNIFORM ||
		s->kind == GLSL_INPUT)
		return "invalid assignment";
	if (s->kind == GLSL_POSITION && (g->shader->stage != CSIR_VERTEX || value->type != CSIR_T_VEC4))
		return "gl_Position must be a vec4, in a vertex shader";
	return glsl_converts(g, value->type, s->type) ? NULL : "type mismatch in assignment";
}

void glsl_store(struct glsl *g, int symbol, struct glsl_value value, int token)
{
	struct glsl_symbol *s = &g->symbol[symbol];
	const char *message = value.type == CSIR_T_NONE ? NULL : cannot_store(g, s, &value);
	unsigned columns = glsl_is_matrix(s->type) ? csir_type_slots(s->type) : 0;

	if (message)
		glsl_error(g, token, message);
	if (message || value.type == CSIR_T_NONE)
		return;
	if (s->temp < 0)
		s->temp = (int16_t)glsl_alloc(g, columns ? columns : 1);
	if (s->temp < 0)
		return;
	if (value.temp != s->temp) {
		for (unsigned i = 0; i < columns; i++)
			glsl_emit(g, CSIR_MOV, CSIR_T_VEC4, s->temp + (int)i, value.temp + (int)i, -1, 0, 0, 4);
		if (!columns)
			glsl_emit(g, CSIR_MOV, s->type, s->temp, value.temp, -1, 0, 0, csir_type_lanes(s->type));
	}
	s->known = value.is_const && glsl_is_scalar(value.type);
	s->value = value.number[0];
	s->written = true;
	write_output(g, s);
}

static void assignment(struct glsl *g, const struct glsl_node *n)
{
	char name[CSIR_NAME_MAX];
	int symbol;

	if (g->node[n->a].kind != NODE_NAME) {
		glsl_error(g, g->node[n->a].token, "assignment target must be a name");
		return;
	}
	glsl_token_text(g, g->node[n->a].token, name, sizeof name);
	symbol = glsl_lookup(g, name);
	if (symbol < 0)
		glsl_error(g, g->node[n->a].token, "unknown identifier");
	else
		glsl_store(g, symbol, glsl_expression(g, n->b), n->token);
}

static void declaration(struct glsl *g, const struct glsl_node *n)
{
	char name[CSIR_NAME_MAX];
	int symbol, temp;

	if (n->type == CSIR_T_VOID || n->type == CSIR_T_SAMPLER2D || (n->quals & (QUAL_IN | QUAL_OUT | QUAL_UNIFORM))) {
		glsl_error(g, n->token, n->type == CSIR_T_VOID ? "void variable" : n->type == CSIR_T_SAMPLER2D ?
			"sampler2D must be a uniform" : "qualifiers are only valid at global scope");
		return;
	}
	glsl_token_text(g, n->token, name, sizeof name);
	symbol = glsl_add_symbol(g, name, GLSL_VARIABLE, n->type, n->token);
	temp = symbol < 0 ? -1 : glsl_alloc(g, csir_type_slots(n->type));
	if (temp < 0)
		return;
	g->symbol[symbol].temp = (int16_t)temp;
	if (n->a >= 0)
		glsl_store(g, symbol, glsl_expression(g, n->a), n->token);
	g->symbol[symbol].is_const = (n->quals & QUAL_CONST) != 0;
}

/* ---- loops: unrolled ------------------------------------------------------------------------------------------------------ */

struct loop {
	const struct glsl_node *node;
	const char *name; /* of the variable */
	int symbol;
	int value;
};

static bool is_variable(const struct glsl *g, const struct loop *l, int node)
{
	char name[CSIR_NAME_MAX];

	if (node < 0 || g->node[node].kind != NODE_NAME)
		return false;
	glsl_token_text(g, g->node[node].token, name, sizeof name);
	return !strcmp(name, l->name);
}

/* Literals and the variable, with + and -; wraps around as unsigned numbers do. */
static bool whole(const struct glsl *g, const struct loop *l, int node, bool variable, int *value)
{
	const struct glsl_node *n;
	int left, right;

	if (node < 0)
		return false;
	n = &g->node[node];
	if (n->kind == NODE_LITERAL && g->token[n->token].kind == TOKEN_INT) {
		*value = g->token[n->token].whole;
		return true;
	}
	if (is_variable(g, l, node)) {
		*value = variable ? l->value : 0;
		return true;
	}
	if (n->kind == NODE_UNARY && n->op == TOKEN('-')) {
		if (!whole(g, l, n->a, variable, &right))
			return false;
		*value = (int)(0u - (unsigned)right);
		return true;
	}
	if (n->kind != NODE_BINARY || (n->op != TOKEN('+') && n->op != TOKEN('-')) || !whole(g, l, n->a, variable, &left) ||
		!whole(g, l, n->b, variable, &right))
		return false;
	*value = (int)(n->op == TOKEN('+') ? (unsigned)left + (unsigned)right : (unsigned)left - (unsigned)right);
	return true;
}

/* -1: not a condition a loop can have */
static int goes_on(const struct glsl *g, const struct loop *l)
{
	const struct glsl_node *n;
	int left, right;

	if (l->node->b < 0)
		return -1;
	n = &g->node[l->node->b];
	if (n->kind != NODE_BINARY || !whole(g, l, n->a, true, &left) || !whole(g, l, n->b, true, &right))
		return -1;
	switch (n->op) {
	case TOKEN('<'): return left < right;
	case TOKEN('>'): return left > right;
	case TOKEN_LE: return left <= right;
	case TOKEN_GE: return left >= right;
	case TOKEN_EQ: return left == right;
	case TOKEN_NE: return left != right;
	default: return -1;
	}
}

static bool step(const struct glsl *g, struct loop *l)
{
	const struct glsl_node *n;

	if (l->node->c < 0)
		return false;
	n = &g->node[l->node->c];
	if (n->kind != NODE_STEP || !is_variable(g, l, n->a))
		return false;
	l->value = (int)((unsigned)l->value + (n->op == TOKEN_INC ? 1u : UINT32_MAX));
	return true;
}

static bool round_of(struct glsl *g, struct loop *l)
{
	struct glsl_symbol *s = &g->symbol[l->symbol];
	float number = (float)l->value;
	int temp = glsl_alloc(g, 1), constant = temp < 0 ? -1 : glsl_constant_temp(g, &number, 1);

	if (constant < 0)
		return false;
	glsl_emit(g, CSIR_MOV, CSIR_T_INT, temp, constant, -1, 0, 0, 1);
	s->temp = (int16_t)temp;
	s->known = true;
	s->written = false;
	s->value = number;
	glsl_statements(g, l->node->d);
	if (s->written) {
		glsl_error(g, l->node->token, "cannot assign the loop variable");
		return false;
	}
	if (!step(g, l)) {
		glsl_error(g, l->node->token, "unsupported loop step (i++ or i--)");
		return false;
	}
	return true;
}

static void rounds(struct glsl *g, struct loop *l)
{
	for (int i = 0; i <= GLSL_ROUNDS; i++) {
		int more = goes_on(g, l);

		if (more < 0)
			glsl_error(g, l->node->token, "unsupported loop condition");
		else if (more && i == GLSL_ROUNDS)
			glsl_error(g, l->node->token, "loop bound exceeds the unroll limit (8 rounds)");
		if (more <= 0 || i == GLSL_ROUNDS || !round_of(g, l) || glsl_stopped(g))
			return;
	}
}

static void loop(struct glsl *g, const struct glsl_node *n)
{
	const struct glsl_node *start = n->a < 0 ? NULL : &g->node[n->a];
	char name[CSIR_NAME_MAX];
	struct loop l = {.node = n, .name = name};

	if (!start || start->kind != NODE_DECLARATION || start->type != CSIR_T_INT) {
		glsl_error(g, n->token, "unsupported loop: it starts with an int variable");
		return;
	}
	glsl_token_text(g, start->token, name, sizeof name);
	if (!whole(g, &l, start->a, false, &l.value)) {
		glsl_error(g, n->token, "loop start is not a constant");
		return;
	}
	glsl_push_scope(g, n->token);
	l.symbol = glsl_add_symbol(g, name, GLSL_VARIABLE, CSIR_T_INT, start->token);
	if (l.symbol >= 0)
		rounds(g, &l);
	glsl_pop_scope(g);
}

/* ---- branches ------------------------------------------------------------------------------------------------------------- */

struct knowledge {
	bool known[CSIR_SYMBOL_MAX];
	float value[CSIR_SYMBOL_MAX];
};

static void remember(const struct glsl *g, struct knowledge *k)
{
	for (int i = 0; i < CSIR_SYMBOL_MAX; i++) {
		k->known[i] = i < g->symbol_count && g->symbol[i].known;
		k->value[i] = g->symbol[i].value;
	}
}

static void recall(struct glsl *g, const struct knowledge *k)
{
	for (int i = 0; i < g->symbol_count; i++) {
		g->symbol[i].known = k->known[i];
		g->symbol[i].value = k->value[i];
	}
}

/* Only what both sides agree on is known behind an if. */
static void agree(struct glsl *g, const struct knowledge *k)
{
	for (int i = 0; i < g->symbol_count; i++)
		if (!k->known[i] || k->value[i] != g->symbol[i].value)
			g->symbol[i].known = false;
}

static void branch(struct glsl *g, const struct glsl_node *n)
{
	struct glsl_value condition = glsl_expression(g, n->a);
	struct knowledge before, after;
	bool flow = !G3_QUIRK(g->quirks, const_flow);

	if (condition.type == CSIR_T_NONE)
		return;
	if (!glsl_is_scalar(condition.type)) {
		glsl_error(g, n->token, "if condition must be a scalar");
		return;
	}
	glsl_emit(g, CSIR_IF, 0, -1, condition.temp, -1, 0, 0, 0);
	remember(g, &before);
	g->under_if++;
	glsl_statements(g, n->b);
	remember(g, &after);
	if (flow)
		recall(g, &before);
	g->line = g->token[n->token].line;
	if (n->c >= 0) {
		glsl_emit(g, CSIR_ELSE, 0, -1, -1, -1, 0, 0, 0);
		glsl_statements(g, n->c);
	}
	if (flow)
		agree(g, &after);
	g->under_if--;
	g->line = g->token[n->token].line;
	glsl_emit(g, CSIR_ENDIF, 0, -1, -1, -1, 0, 0, 0);
}

/* ---- statements ----------------------------------------------------------------------------------------------------------- */

static void return_statement(struct glsl *g, const struct glsl_node *n)
{
	unsigned type = g->symbol[g->call[g->call_count - 1]].type;
	bool checks = !G3_QUIRK(g->quirks, return_checks);

	if (g->nesting != 1 || n->next >= 0 || (checks && g->under_if))
		glsl_error(g, n->token, "return must be the last statement of the function");
	g->result = glsl_bad();
	g->returned = true;
	if (n->a >= 0)
		g->result = glsl_expression(g, n->a);
	if (n->a >= 0 && g->result.type == CSIR_T_NONE)
		return;
	if (type == CSIR_T_VOID ? n->a >= 0 : n->a < 0)
		glsl_error(g, n->token, type == CSIR_T_VOID ? "a void function returns no value" : "return without a value");
	else if (checks && type != CSIR_T_VOID && !glsl_converts(g, g->result.type, type))
		glsl_error(g, n->token, "return value of another type");
}

static void discard(struct glsl *g, const struct glsl_node *n)
{
	if (g->shader->stage != CSIR_FRAGMENT)
		glsl_error(g, n->token, "discard is only valid in a fragment shader");
	else
		glsl_emit(g, CSIR_DISCARD, 0, -1, -1, -1, 0, 0, 0);
}

static void statement(struct glsl *g, const struct glsl_node *n)
{
	g->line = g->token[n->token].line;
	g->statement = n->token;
	switch (n->kind) {
	case NODE_BLOCK:
		glsl_push_scope(g, n->token);
		g->nesting++;
		glsl_statements(g, n->a);
		g->nesting--;
		glsl_pop_scope(g);
		break;
	case NODE_DECLARATION: declaration(g, n); break;
	case NODE_ASSIGN: assignment(g, n); break;
	case NODE_EXPRESSION: glsl_expression(g, n->a); break;
	case NODE_RETURN: return_statement(g, n); break;
	case NODE_DISCARD: discard(g, n); break;
	case NODE_IF: branch(g, n); break;
	case NODE_FOR: loop(g, n); break;
	default: break; /* empty */
	}
}

void glsl_statements(struct glsl *g, int node)
{
	for (; node >= 0 && !glsl_stopped(g); node = g->node[node].next)
		statement(g, &g->node[node]);
}
