/* glsl_tree.c - statements and declarations to a tree
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "gfx3d/glsl.h"

#include <string.h>

static int statement(struct glsl *g);

/* To behind the next ';', or to the end of the block that an error was in. */
static void synchronise(struct glsl *g)
{
	int depth = 0;

	for (; glsl_peek(g) != TOKEN_END; glsl_advance(g)) {
		int kind = glsl_peek(g);

		if (kind == TOKEN('{')) {
			depth++;
		} else if (kind == TOKEN('}')) {
			if (!depth)
				return;
			if (!--depth) {
				glsl_advance(g);
				return;
			}
		} else if (kind == TOKEN(';') && !depth) {
			glsl_advance(g);
			return;
		}
	}
}

static void append(struct glsl *g, int16_t *first, int *last, int node)
{
	if (*last < 0)
		*first = (int16_t)node;
	else
		g->node[*last].next = (int16_t)node;
	*last = node;
}

static int block(struct glsl *g)
{
	int n, last = -1;
	int16_t first = -1;

	if (glsl_peek(g) != TOKEN('{')) {
		glsl_error(g, g->at, "expected '{'");
		return -1;
	}
	n = glsl_node_new(g, NODE_BLOCK, g->at);
	if (n < 0)
		return -1;
	glsl_advance(g);
	while (glsl_peek(g) != TOKEN('}') && glsl_peek(g) != TOKEN_END) {
		int s = statement(g);

		if (s >= 0) {
			append(g, &first, &last, s);
			continue;
		}
		synchronise(g);
		if (glsl_stopped(g))
			return -1;
	}
	g->node[n].a = first;
	return glsl_expect(g, TOKEN('}'), "expected '}'") ? n : -1;
}

/* ---- declarations --------------------------------------------------------------------------------------------------------- */

/* layout(location = N) */
static bool layout(struct glsl *g, int *location)
{
	char text[CSIR_NAME_MAX];

	*location = -1;
	if (glsl_peek(g) != TOKEN_LAYOUT)
		return true;
	glsl_advance(g);
	if (!glsl_expect(g, TOKEN('('), "expected '(' after layout"))
		return false;
	glsl_token_text(g, g->at, text, sizeof text);
	if (glsl_peek(g) != TOKEN_NAME || strcmp(text, "location")) {
		glsl_error(g, g->at, "only layout(location = N) is supported");
		return false;
	}
	glsl_advance(g);
	if (!glsl_expect(g, TOKEN('='), "expected '=' in layout"))
		return false;
	if (glsl_peek(g) != TOKEN_INT) {
		glsl_error(g, g->at, "expected an integer location");
		return false;
	}
	*location = g->token[g->at].whole;
	glsl_advance(g);
	return glsl_expect(g, TOKEN(')'), "expected ')' after layout");
}

static unsigned qualifiers(struct glsl *g)
{
	unsigned quals = 0;

	if (glsl_peek(g) == TOKEN_SMOOTH)
		glsl_advance(g);
	switch (glsl_peek(g)) {
	case TOKEN_IN: quals = QUAL_IN; break;
	case TOKEN_OUT: quals = QUAL_OUT; break;
	case TOKEN_UNIFORM: quals = QUAL_UNIFORM; break;
	case TOKEN_CONST: quals = QUAL_CONST; break;
	default: return 0;
	}
	glsl_advance(g);
	if (glsl_peek(g) == TOKEN_CONST && quals != QUAL_CONST) {
		quals |= QUAL_CONST;
		glsl_advance(g);
	}
	return quals;
}

/* From the name on: "= expr" or not, and ';'. */
static int declaration(struct glsl *g, unsigned type, unsigned quals, int location, int name)
{
	int n = glsl_node_new(g, NODE_DECLARATION, name);

	if (n < 0)
		return -1;
	g->node[n].type = (uint8_t)type;
	g->node[n].quals = (uint8_t)quals;
	g->node[n].number = location;
	if (glsl_peek(g) == TOKEN('=')) {
		int e;

		glsl_advance(g);
		e = glsl_parse_expression(g);
		if (e < 0)
			return -1;
		g->node[n].a = (int16_t)e;
	}
	return glsl_expect(g, TOKEN(';'), "expected ';'") ? n : -1;
}

static int parameter(struct glsl *g)
{
	unsigned type = g->token[g->at].type;
	int n;

	if (!glsl_expect(g, TOKEN_TYPE, "expected a parameter type"))
		return -1;
	if (glsl_peek(g) != TOKEN_NAME) {
		glsl_error(g, g->at, "expected a parameter name");
		return -1;
	}
	n = glsl_node_new(g, NODE_DECLARATION, g->at);
	if (n < 0)
		return -1;
	g->node[n].type = (uint8_t)type;
	glsl_advance(g);
	return n;
}

static int function(struct glsl *g, unsigned type, int name)
{
	int n = glsl_node_new(g, NODE_FUNCTION, name), last = -1, body;

	if (n < 0)
		return -1;
	g->node[n].type = (uint8_t)type;
	glsl_advance(g);
	while (glsl_peek(g) != TOKEN(')')) {
		int p = parameter(g);

		if (p < 0)
			return -1;
		append(g, &g->node[n].b, &last, p);
		if (glsl_peek(g) != TOKEN(','))
			break;
		glsl_advance(g);
	}
	if (!glsl_expect(g, TOKEN(')'), "expected ')'"))
		return -1;
	if (glsl_peek(g) != TOKEN('{')) {
		glsl_error(g, g->at, "expected a function body");
		return -1;
	}
	body = block(g);
	g->node[n].a = (int16_t)body;
	return body < 0 ? -1 : n;
}

static int declared(struct glsl *g, bool global)
{
	int location, name;
	unsigned quals, type;

	if (!layout(g, &location))
		return -1;
	quals = qualifiers(g);
	if (glsl_peek(g) == TOKEN_BAD) { /* told by the lexer */
		glsl_advance(g);
		synchronise(g);
		return glsl_node_new(g, NODE_EMPTY, g->at);
	}
	type = g->token[g->at].type;
	if (!glsl_expect(g, TOKEN_TYPE, "expected a type"))
		return -1;
	name = g->at;
	if (!glsl_expect(g, TOKEN_NAME, "expected a name"))
		return -1;
	if (glsl_peek(g) != TOKEN('('))
		return declaration(g, type, quals, location, name);
	if (!global) {
		glsl_error(g, name, "a function inside a function");
		return -1;
	}
	return function(g, type, name);
}

/* ---- statements ----------------------------------------------------------------------------------------------------------- */

static int simple(struct glsl *g, enum glsl_node_kind kind, bool expression)
{
	int n = glsl_node_new(g, kind, g->at);

	if (n < 0)
		return -1;
	glsl_advance(g);
	if (expression && glsl_peek(g) != TOKEN(';')) {
		int e = glsl_parse_expression(g);

		if (e < 0)
			return -1;
		g->node[n].a = (int16_t)e;
	}
	return glsl_expect(g, TOKEN(';'), "expected ';'") ? n : -1;
}

static int branch(struct glsl *g)
{
	int token = g->at, condition, yes, no = -1, n;

	glsl_advance(g);
	if (!glsl_expect(g, TOKEN('('), "expected '(' after if"))
		return -1;
	condition = glsl_parse_expression(g);
	if (condition < 0 || !glsl_expect(g, TOKEN(')'), "expected ')'"))
		return -1;
	yes = statement(g);
	if (yes < 0)
		return -1;
	if (glsl_peek(g) == TOKEN_ELSE) {
		glsl_advance(g);
		no = statement(g);
		if (no < 0)
			return -1;
	}
	n = glsl_node_new(g, NODE_IF, token);
	if (n < 0)
		return -1;
	g->node[n].a = (int16_t)condition;
	g->node[n].b = (int16_t)yes;
	g->node[n].c = (int16_t)no;
	return n;
}

/* "int i = 0;" or "expr;" or ";" */
static bool loop_start(struct glsl *g, int *start)
{
	*start = -1;
	if (glsl_peek(g) == TOKEN_TYPE) {
		unsigned type = g->token[g->at].type;
		int name;

		glsl_advance(g);
		name = g->at;
		if (!glsl_expect(g, TOKEN_NAME, "expected a loop variable"))
			return false;
		*start = declaration(g, type, 0, -1, name);
		return *start >= 0;
	}
	if (glsl_peek(g) != TOKEN(';')) {
		*start = glsl_parse_expression(g);
		if (*start < 0)
			return false;
	}
	return glsl_expect(g, TOKEN(';'), "expected ';'");
}

static bool optional(struct glsl *g, int end, const char *message, int *e)
{
	*e = -1;
	if (glsl_peek(g) != end) {
		*e = glsl_parse_expression(g);
		if (*e < 0)
			return false;
	}
	return glsl_expect(g, end, message);
}

static int loop(struct glsl *g)
{
	int token = g->at, start, condition, step, body, n;

	glsl_advance(g);
	if (!glsl_expect(g, TOKEN('('), "expected '(' after for") || !loop_start(g, &start) ||
		!optional(g, TOKEN(';'), "expected ';'", &condition) || !optional(g, TOKEN(')'), "expected ')'", &step))
		return -1;
	body = statement(g);
	n = body < 0 ? -1 : glsl_node_new(g, NODE_FOR, token);
	if (n < 0)
		return -1;
	g->node[n].a = (int16_t)start;
	g->node[n].b = (int16_t)condition;
	g->node[n].c = (int16_t)step;
	g->node[n].d = (int16_t)body;
	return n;
}

/* "expr;" or "expr = expr;" */
static int expression(struct glsl *g)
{
	int e = glsl_parse_expression(g), value = -1, n;

	if (e < 0)
		return -1;
	if (glsl_peek(g) == TOKEN('=')) {
		int token = g->at;

		glsl_advance(g);
		value = glsl_parse_expression(g);
		n = value < 0 ? -1 : glsl_node_new(g, NODE_ASSIGN, token);
	} else {
		n = glsl_node_new(g, NODE_EXPRESSION, g->node[e].token);
	}
	if (n < 0)
		return -1;
	g->node[n].a = (int16_t)e;
	g->node[n].b = (int16_t)value;
	return glsl_expect(g, TOKEN(';'), "expected ';'") ? n : -1;
}

static int empty(struct glsl *g)
{
	int n = glsl_node_new(g, NODE_EMPTY, g->at);

	glsl_advance(g);
	return n;
}

static int statement(struct glsl *g)
{
	switch (glsl_peek(g)) {
	case TOKEN(';'): return empty(g);
	case TOKEN('{'): return block(g);
	case TOKEN_DISCARD: return simple(g, NODE_DISCARD, false);
	case TOKEN_RETURN: return simple(g, NODE_RETURN, true);
	case TOKEN_IF: return branch(g);
	case TOKEN_FOR: return loop(g);
	case TOKEN_LAYOUT:
	case TOKEN_IN:
	case TOKEN_OUT:
	case TOKEN_UNIFORM:
	case TOKEN_CONST:
	case TOKEN_SMOOTH:
	case TOKEN_TYPE: return declared(g, false);
	default: return expression(g);
	}
}

bool glsl_parse(struct glsl *g)
{
	int last = -1;
	int16_t first = -1;
	uint32_t before = g->log->errors;

	while (glsl_peek(g) != TOKEN_END && !glsl_stopped(g)) {
		int at = g->at, n = declared(g, true);

		if (n >= 0) {
			append(g, &first, &last, n);
			continue;
		}
		synchronise(g);
		if (g->at == at) /* a '}' too many */
			glsl_advance(g);
	}
	g->root = first;
	return g->log->errors == before;
}
