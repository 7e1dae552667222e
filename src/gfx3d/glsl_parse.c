/* glsl_parse.c - expressions to a tree
 *
 * A node costs what it costs in ChrisOS, so that the limit of 512 nodes falls at the same place; so does the nesting of 32.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "gfx3d/glsl.h"

#include <string.h>

int glsl_node_new(struct glsl *g, enum glsl_node_kind kind, int token)
{
	struct glsl_node *n;

	if (g->node_count == GLSL_NODES) {
		glsl_limit(g, token, "shader exceeds the limit of 512 tree nodes");
		return -1;
	}
	n = &g->node[g->node_count];
	*n = (struct glsl_node){.kind = (uint8_t)kind, .a = -1, .b = -1, .c = -1, .d = -1, .next = -1, .token = (int16_t)token, .number = -1};
	return g->node_count++;
}

bool glsl_expect(struct glsl *g, int kind, const char *message)
{
	if (glsl_peek(g) != kind) {
		glsl_error(g, g->at, message);
		return false;
	}
	glsl_advance(g);
	return true;
}

static bool enter(struct glsl *g)
{
	if (g->nesting >= GLSL_NESTING) {
		glsl_error(g, g->at, "nesting limit exceeded (32)");
		return false;
	}
	g->nesting++;
	return true;
}

static bool arguments(struct glsl *g, int16_t *first)
{
	int last = -1;

	*first = -1;
	if (glsl_peek(g) != TOKEN(')')) {
		for (;;) {
			int e = glsl_parse_expression(g);

			if (e < 0)
				return false;
			if (last < 0)
				*first = (int16_t)e;
			else
				g->node[last].next = (int16_t)e;
			last = e;
			if (glsl_peek(g) != TOKEN(','))
				break;
			glsl_advance(g);
		}
	}
	return glsl_expect(g, TOKEN(')'), "expected ')'");
}

/* ---- postfix -------------------------------------------------------------------------------------------------------------- */

static int swizzle(struct glsl *g, int base)
{
	static const char sets[2][5] = {"xyzw", "rgba"};
	const struct glsl_token *t = &g->token[g->at + 1];
	int dot = g->at, mask = 0, set = -1, n;

	glsl_advance(g);
	if (t->kind != TOKEN_NAME) {
		glsl_error(g, g->at, "expected a swizzle");
		return -1;
	}
	for (unsigned i = 0; i < t->length; i++) {
		char c = g->source[t->offset + i];
		int which = memchr(sets[0], c, 4) ? 0 : memchr(sets[1], c, 4) ? 1 : -1;

		if (which < 0 || i >= 4 || (set >= 0 && set != which)) {
			glsl_error(g, g->at, which < 0 || i >= 4 ? "invalid swizzle" : "mixed swizzle sets");
			glsl_advance(g);
			return -1;
		}
		set = which;
		mask |= (int)((const char *)memchr(sets[set], c, 4) - sets[set]) << (2 * i);
	}
	n = glsl_node_new(g, NODE_SWIZZLE, dot);
	if (n < 0)
		return -1;
	g->node[n].a = (int16_t)base;
	g->node[n].number = mask;
	g->node[n].op = t->length;
	glsl_advance(g);
	return n;
}

static int subscript(struct glsl *g, int base)
{
	int bracket = g->at, index, n;

	glsl_advance(g);
	index = glsl_parse_expression(g);
	if (index < 0 || !glsl_expect(g, TOKEN(']'), "expected ']'"))
		return -1;
	n = glsl_node_new(g, NODE_INDEX, bracket);
	if (n < 0)
		return -1;
	g->node[n].a = (int16_t)base;
	g->node[n].b = (int16_t)index;
	return n;
}

static int step(struct glsl *g, int base)
{
	int n = glsl_node_new(g, NODE_STEP, g->at);

	if (n < 0)
		return -1;
	g->node[n].op = (uint16_t)glsl_peek(g);
	g->node[n].a = (int16_t)base;
	glsl_advance(g);
	return n;
}

static int postfix(struct glsl *g, int base)
{
	while (base >= 0) {
		int kind = glsl_peek(g);

		if (kind == TOKEN('.'))
			base = swizzle(g, base);
		else if (kind == TOKEN('['))
			base = subscript(g, base);
		else if (kind == TOKEN_INC || kind == TOKEN_DEC)
			base = step(g, base);
		else
			break;
	}
	return base;
}

/* ---- primary -------------------------------------------------------------------------------------------------------------- */

static int literal(struct glsl *g)
{
	int n = glsl_node_new(g, NODE_LITERAL, g->at);

	glsl_advance(g);
	return n;
}

/* A name, or a call. */
static int name(struct glsl *g)
{
	int token = g->at, n = glsl_node_new(g, NODE_NAME, token);

	if (n < 0)
		return -1;
	glsl_advance(g);
	if (glsl_peek(g) != TOKEN('('))
		return n;
	n = glsl_node_new(g, NODE_CALL, token);
	if (n < 0)
		return -1;
	glsl_advance(g);
	return arguments(g, &g->node[n].a) ? n : -1;
}

static int constructor(struct glsl *g)
{
	int token = g->at, n;
	int16_t first;

	glsl_advance(g);
	if (!glsl_expect(g, TOKEN('('), "expected '(' after type") || !arguments(g, &first))
		return -1;
	n = glsl_node_new(g, NODE_CONSTRUCT, token);
	if (n < 0)
		return -1;
	g->node[n].type = g->token[token].type;
	g->node[n].a = first;
	return n;
}

static int parenthesis(struct glsl *g)
{
	int e;

	glsl_advance(g);
	e = glsl_parse_expression(g);
	return e < 0 || !glsl_expect(g, TOKEN(')'), "expected ')'") ? -1 : e;
}

static int primary(struct glsl *g)
{
	int kind = glsl_peek(g), n = -1;

	if (!enter(g))
		return -1;
	if (kind == TOKEN_INT || kind == TOKEN_FLOAT || kind == TOKEN_TRUE || kind == TOKEN_FALSE) {
		g->nesting--;
		return literal(g);
	}
	if (kind == TOKEN_NAME)
		n = name(g);
	else if (kind == TOKEN_TYPE && g->token[g->at].type != CSIR_T_VOID)
		n = constructor(g);
	else if (kind == TOKEN('('))
		n = parenthesis(g);
	else
		glsl_error(g, g->at, "expected an expression");
	g->nesting--;
	return postfix(g, n);
}

/* ---- operators ------------------------------------------------------------------------------------------------------------ */

static int unary(struct glsl *g)
{
	int kind = glsl_peek(g), token = g->at, e, n;
	bool steps = kind == TOKEN_INC || kind == TOKEN_DEC;

	if (kind != TOKEN('+') && kind != TOKEN('-') && kind != TOKEN('!') && !steps)
		return primary(g);
	glsl_advance(g);
	e = unary(g);
	if (e < 0 || kind == TOKEN('+'))
		return e;
	n = glsl_node_new(g, steps ? NODE_STEP : NODE_UNARY, token);
	if (n < 0)
		return -1;
	g->node[n].op = (uint16_t)kind;
	g->node[n].a = (int16_t)e;
	return n;
}

static int precedence(int kind)
{
	switch (kind) {
	case TOKEN_OR: return 1;
	case TOKEN_AND: return 2;
	case TOKEN_EQ:
	case TOKEN_NE: return 3;
	case TOKEN('<'):
	case TOKEN('>'):
	case TOKEN_LE:
	case TOKEN_GE: return 4;
	case TOKEN('+'):
	case TOKEN('-'): return 5;
	case TOKEN('*'):
	case TOKEN('/'):
	case TOKEN('%'): return 6;
	default: return 0;
	}
}

static int binary(struct glsl *g, int least);

static int operands(struct glsl *g, int least)
{
	int left = unary(g);

	while (left >= 0) {
		int kind = glsl_peek(g), token = g->at, level = precedence(kind), right, n;

		if (!level || level < least)
			break;
		glsl_advance(g);
		right = binary(g, level + 1);
		n = right < 0 ? -1 : glsl_node_new(g, NODE_BINARY, token);
		if (n < 0)
			return -1;
		g->node[n].op = (uint16_t)kind;
		g->node[n].a = (int16_t)left;
		g->node[n].b = (int16_t)right;
		left = n;
	}
	return left;
}

static int binary(struct glsl *g, int least)
{
	int n;

	if (!enter(g))
		return -1;
	n = operands(g, least);
	g->nesting--;
	return n;
}

int glsl_parse_expression(struct glsl *g)
{
	return binary(g, 1);
}
