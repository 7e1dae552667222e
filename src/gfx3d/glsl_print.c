/* glsl_print.c - the tree of a source as text
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "gfx3d/glsl.h"

#define DEPTH 64 /* the parser nests less */

static const char *const kinds[] = {
	[NODE_DECLARATION] = "declaration", [NODE_FUNCTION] = "function", [NODE_BLOCK] = "block", [NODE_RETURN] = "return",
	[NODE_EXPRESSION] = "expression", [NODE_DISCARD] = "discard", [NODE_EMPTY] = "empty", [NODE_IF] = "if", [NODE_FOR] = "for",
	[NODE_ASSIGN] = "assign", [NODE_LITERAL] = "literal", [NODE_NAME] = "name", [NODE_UNARY] = "unary", [NODE_BINARY] = "binary",
	[NODE_STEP] = "step", [NODE_CALL] = "call", [NODE_CONSTRUCT] = "construct", [NODE_SWIZZLE] = "swizzle", [NODE_INDEX] = "index",
};

/* How a line goes on behind the kind. */
static void print_node(const struct glsl *g, const struct glsl_node *n, struct csir_text *text)
{
	static const struct {
		uint8_t bit;
		const char *word;
	} quals[] = {{QUAL_CONST, "const"}, {QUAL_IN, "in"}, {QUAL_OUT, "out"}, {QUAL_UNIFORM, "uniform"}};
	char word[64];

	csir_text_add(text, "%s", n->kind < sizeof kinds / sizeof *kinds ? kinds[n->kind] : "?");
	for (unsigned i = 0; i < 4; i++)
		if (n->quals & quals[i].bit)
			csir_text_add(text, " %s", quals[i].word);
	if (n->type != CSIR_T_NONE)
		csir_text_add(text, " %s", csir_type_name(n->type));
	if (n->token < 0 || n->token >= g->token_count)
		return;
	glsl_token_text(g, n->token, word, sizeof word);
	switch (n->kind) {
	case NODE_BLOCK:
	case NODE_RETURN:
	case NODE_EXPRESSION:
	case NODE_DISCARD:
	case NODE_EMPTY:
	case NODE_IF:
	case NODE_FOR:
	case NODE_ASSIGN:
	case NODE_INDEX:
		break;
	default:
		csir_text_add(text, " %s", word);
	}
	csir_text_add(text, "  @%u:%u", g->token[n->token].line, g->token[n->token].column);
}

static void print_list(const struct glsl *g, int node, unsigned depth, const char *role, struct csir_text *text);

static void print_children(const struct glsl *g, const struct glsl_node *n, unsigned depth, struct csir_text *text)
{
	switch (n->kind) {
	case NODE_FUNCTION:
		print_list(g, n->b, depth, "parameter ", text);
		print_list(g, n->a, depth, "", text);
		break;
	case NODE_IF:
		print_list(g, n->a, depth, "condition ", text);
		print_list(g, n->b, depth, "then ", text);
		print_list(g, n->c, depth, "else ", text);
		break;
	case NODE_FOR:
		print_list(g, n->a, depth, "start ", text);
		print_list(g, n->b, depth, "condition ", text);
		print_list(g, n->c, depth, "step ", text);
		print_list(g, n->d, depth, "", text);
		break;
	default:
		print_list(g, n->a, depth, "", text);
		print_list(g, n->b, depth, "", text);
	}
}

static void print_list(const struct glsl *g, int node, unsigned depth, const char *role, struct csir_text *text)
{
	for (; node >= 0 && node < g->node_count && depth < DEPTH; node = g->node[node].next) {
		csir_text_add(text, "%*s%s", (int)(2 * depth), "", role);
		print_node(g, &g->node[node], text);
		csir_text_add(text, "\n");
		print_children(g, &g->node[node], depth + 1, text);
	}
}

void glsl_print_tree(const struct glsl *g, struct csir_text *text)
{
	print_list(g, g->root, 0, "", text);
}
