/* glsl_sem.c - symbols, scopes, slots, the prologue, main
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "gfx3d/glsl.h"

/* ---- types and values ----------------------------------------------------------------------------------------------------- */

bool glsl_is_scalar(unsigned type)
{
	return type == CSIR_T_BOOL || type == CSIR_T_INT || type == CSIR_T_FLOAT;
}

bool glsl_is_vector(unsigned type)
{
	return type >= CSIR_T_VEC2 && type <= CSIR_T_VEC4;
}

bool glsl_is_integer(unsigned type)
{
	return type == CSIR_T_INT || (type >= CSIR_T_IVEC2 && type <= CSIR_T_IVEC4);
}

bool glsl_is_matrix(unsigned type)
{
	return type == CSIR_T_MAT3 || type == CSIR_T_MAT4;
}

unsigned glsl_vector_type(unsigned lanes, bool integer)
{
	if (lanes == 1)
		return integer ? CSIR_T_INT : CSIR_T_FLOAT;
	return (integer ? CSIR_T_IVEC2 : CSIR_T_VEC2) + lanes - 2;
}

struct glsl_value glsl_bad(void)
{
	return (struct glsl_value){.temp = -1, .type = CSIR_T_NONE};
}

struct glsl_value glsl_temp_value(int temp, unsigned type)
{
	return (struct glsl_value){.temp = (int16_t)temp, .type = (uint8_t)type, .lanes = (uint8_t)csir_type_lanes(type),
		.columns = (uint8_t)(glsl_is_matrix(type) ? csir_type_slots(type) : 0)};
}

bool glsl_converts(const struct glsl *g, unsigned from, unsigned to)
{
	if (from == to)
		return true;
	if (!glsl_is_scalar(from) || !glsl_is_scalar(to))
		return false;
	return G3_QUIRK(g->quirks, scalar_assign) || (from == CSIR_T_INT && to == CSIR_T_FLOAT);
}

/* ---- code ----------------------------------------------------------------------------------------------------------------- */

int glsl_alloc(struct glsl *g, unsigned count)
{
	int temp = g->shader->temp_count;

	if (temp + (int)count > CSIR_TEMP_MAX) {
		glsl_limit(g, -1, "shader exceeds the temporary limit (96)");
		return -1;
	}
	g->shader->temp_count = (int16_t)(temp + (int)count);
	return temp;
}

bool glsl_emit(struct glsl *g, enum csir_op op, unsigned type, int dst, int a, int b, int aux, int aux2, unsigned lanes)
{
	struct csir_shader *s = g->shader;

	if (s->instr_count == CSIR_INSTR_MAX) {
		glsl_limit(g, -1, "shader exceeds the instruction limit (384)");
		return false;
	}
	s->line[s->instr_count] = g->line;
	s->instr[s->instr_count++] = (struct csir_instr){.op = (uint8_t)op, .type = (uint8_t)type, .ncomp = (uint8_t)lanes,
		.dst = (int16_t)dst, .a = (int16_t)a, .b = (int16_t)b, .c = -1, .aux = (int16_t)aux, .aux2 = (int16_t)aux2};
	return true;
}

int glsl_constant_temp(struct glsl *g, const float *numbers, unsigned lanes)
{
	struct csir_shader *s = g->shader;
	int temp, first = s->imm_count;

	if (first + (int)lanes > CSIR_IMM_MAX) {
		glsl_limit(g, -1, "too many constants (160 numbers)");
		return -1;
	}
	temp = glsl_alloc(g, 1);
	if (temp < 0)
		return -1;
	memcpy(s->imm + first, numbers, lanes * sizeof *numbers);
	s->imm_count = (uint16_t)(first + (int)lanes);
	/* ChrisOS leaves 0 in the operands it does not use here; listings show them */
	if (!glsl_emit(g, CSIR_CONST, glsl_vector_type(lanes, false), temp, 0, 0, first, 0, lanes))
		return -1;
	s->instr[s->instr_count - 1].c = 0;
	return temp;
}

struct glsl_value glsl_constant(struct glsl *g, unsigned type, const float *numbers, unsigned lanes)
{
	struct glsl_value v = glsl_temp_value(glsl_constant_temp(g, numbers, lanes), type);

	if (v.temp < 0)
		return glsl_bad();
	v.lanes = (uint8_t)lanes;
	v.is_const = true;
	memcpy(v.number, numbers, lanes * sizeof *numbers);
	return v;
}

struct glsl_value glsl_scalar(struct glsl *g, unsigned type, float number)
{
	return glsl_constant(g, type, &number, 1);
}

/* ---- symbols -------------------------------------------------------------------------------------------------------------- */

static bool visible(const struct glsl *g, int scope)
{
	for (int s = g->scope; s >= 0; s = g->scope_parent[s])
		if (s == scope)
			return true;
	return false;
}

int glsl_lookup(const struct glsl *g, const char *name)
{
	for (int i = g->symbol_count - 1; i >= 0; i--)
		if (!strcmp(g->symbol[i].name, name) && visible(g, g->symbol[i].scope))
			return i;
	return -1;
}

int glsl_add_symbol(struct glsl *g, const char *name, enum glsl_symbol_kind kind, unsigned type, int token)
{
	struct glsl_symbol *s;

	if (g->symbol_count == CSIR_SYMBOL_MAX) {
		glsl_limit(g, token, "too many symbols (64)");
		return -1;
	}
	for (int i = 0; i < g->symbol_count; i++)
		if (g->symbol[i].scope == g->scope && !strcmp(g->symbol[i].name, name)) {
			glsl_error(g, token, "duplicate symbol");
			return -1;
		}
	s = &g->symbol[g->symbol_count];
	*s = (struct glsl_symbol){.kind = (uint8_t)kind, .type = (uint8_t)type, .location = -1, .slot = -1, .scope = (int16_t)g->scope,
		.temp = -1, .token = (int16_t)token, .body = -1, .params = -1, .initial = -1};
	snprintf(s->name, sizeof s->name, "%s", name);
	return g->symbol_count++;
}

void glsl_push_scope(struct glsl *g, int token)
{
	if (g->scope_count + 1 >= GLSL_SCOPES) {
		glsl_limit(g, token, "too many scopes (48 blocks and calls)");
		return;
	}
	g->scope_parent[++g->scope_count] = g->scope;
	g->scope = g->scope_count;
}

void glsl_pop_scope(struct glsl *g)
{
	if (g->scope > 0)
		g->scope = g->scope_parent[g->scope];
}

/* ---- globals -------------------------------------------------------------------------------------------------------------- */

static bool check_global(struct glsl *g, const struct glsl_node *n)
{
	bool io = (n->quals & (QUAL_IN | QUAL_OUT)) != 0;

	if (n->type == CSIR_T_VOID)
		glsl_error(g, n->token, "void variable");
	else if (n->type == CSIR_T_SAMPLER2D && !(n->quals & QUAL_UNIFORM))
		glsl_error(g, n->token, "sampler2D must be a uniform");
	else if ((n->quals & QUAL_UNIFORM) && n->a >= 0)
		glsl_error(g, n->token, "uniforms cannot have an initial value");
	else if (io && n->a >= 0)
		glsl_error(g, n->token, "shader inputs and outputs cannot have an initial value");
	else if (io && glsl_is_matrix(n->type) && !G3_QUIRK(g->quirks, matrix_io))
		glsl_error(g, n->token, "shader inputs and outputs cannot be matrices");
	else
		return true;
	return false;
}

static void global_variable(struct glsl *g, const struct glsl_node *n)
{
	enum glsl_symbol_kind kind = n->quals & QUAL_IN ? GLSL_INPUT : n->quals & QUAL_OUT ? GLSL_OUTPUT :
		n->quals & QUAL_UNIFORM ? GLSL_UNIFORM : GLSL_VARIABLE;
	char name[CSIR_NAME_MAX];
	int i;

	if (!check_global(g, n))
		return;
	glsl_token_text(g, n->token, name, sizeof name);
	i = glsl_add_symbol(g, name, kind, n->type, n->token);
	if (i < 0)
		return;
	g->symbol[i].location = (int16_t)(n->number > 127 ? 127 : n->number);
	g->symbol[i].is_const = (n->quals & QUAL_CONST) != 0;
	g->symbol[i].initial = n->a;
}

static void global_function(struct glsl *g, const struct glsl_node *n)
{
	char name[CSIR_NAME_MAX];
	int i, p;

	glsl_token_text(g, n->token, name, sizeof name);
	i = glsl_add_symbol(g, name, GLSL_FUNCTION, n->type, n->token);
	if (i < 0)
		return;
	g->symbol[i].body = n->a;
	g->symbol[i].params = n->b;
	for (p = n->b; p >= 0; p = g->node[p].next) {
		if (g->symbol[i].param_count == GLSL_PARAMS) {
			glsl_error(g, n->token, "too many parameters (4)");
			return;
		}
		if (g->node[p].type == CSIR_T_SAMPLER2D || g->node[p].type == CSIR_T_VOID) {
			glsl_error(g, g->node[p].token, "a parameter cannot be void or a sampler");
			return;
		}
		g->symbol[i].param_type[g->symbol[i].param_count++] = g->node[p].type;
	}
}

/* ---- slots ---------------------------------------------------------------------------------------------------------------- */

static bool is_attribute(const struct glsl *g, const struct glsl_symbol *s)
{
	return s->kind == GLSL_INPUT && g->shader->stage == CSIR_VERTEX;
}

static bool is_varying(const struct glsl *g, const struct glsl_symbol *s)
{
	return s->kind == (g->shader->stage == CSIR_VERTEX ? GLSL_OUTPUT : GLSL_INPUT);
}

/* Explicit locations first, then the lowest free number in source order. */
static void give_locations(struct glsl *g, bool attributes)
{
	bool used[CSIR_ATTR_MAX] = {false};

	for (int i = 0; i < g->symbol_count; i++) {
		struct glsl_symbol *s = &g->symbol[i];

		if (!(attributes ? is_attribute(g, s) : is_varying(g, s)) || s->location < 0)
			continue;
		if (s->location >= CSIR_ATTR_MAX || used[s->location]) {
			glsl_error(g, s->token, "location conflict (0 to 7, each once)");
			return;
		}
		used[s->location] = true;
		s->slot = s->location;
	}
	for (int i = 0, next = 0; i < g->symbol_count; i++) {
		struct glsl_symbol *s = &g->symbol[i];

		if (!(attributes ? is_attribute(g, s) : is_varying(g, s)) || s->slot >= 0)
			continue;
		while (next < CSIR_ATTR_MAX && used[next])
			next++;
		if (next == CSIR_ATTR_MAX) {
			glsl_error(g, s->token, attributes ? "too many attributes (8)" : "too many varyings (8)");
			return;
		}
		s->slot = (int16_t)next;
		used[next] = true;
	}
}

static void give_uniform_slots(struct glsl *g)
{
	int slots = 0, samplers = 0;

	for (int i = 0; i < g->symbol_count; i++) {
		struct glsl_symbol *s = &g->symbol[i];
		bool sampler = s->type == CSIR_T_SAMPLER2D;

		if (s->kind != GLSL_UNIFORM)
			continue;
		s->slot = (int16_t)(sampler ? samplers++ : slots);
		slots += (int)csir_type_slots(s->type);
		if (slots > CSIR_UNIFORM_SLOTS || samplers > CSIR_SAMPLER_MAX) {
			glsl_error(g, s->token, sampler ? "too many samplers (4)" : "too many uniforms (32 vec4 slots)");
			return;
		}
	}
}

static void check_outputs(struct glsl *g)
{
	bool found = false;

	for (int i = 0; i < g->symbol_count && g->shader->stage == CSIR_FRAGMENT; i++) {
		const struct glsl_symbol *s = &g->symbol[i];

		if (s->kind != GLSL_OUTPUT)
			continue;
		if (s->type != CSIR_T_VEC4)
			glsl_error(g, s->token, "fragment output must be vec4");
		else if (found)
			glsl_error(g, s->token, "only one fragment output is supported");
		found = true;
	}
	if (g->shader->stage == CSIR_FRAGMENT && !found)
		glsl_error(g, -1, "fragment shader has no output");
}

static void publish(struct glsl *g)
{
	for (int i = 0; i < g->symbol_count; i++) {
		const struct glsl_symbol *s = &g->symbol[i];
		struct csir_symbol *to = &g->shader->symbol[g->shader->symbol_count];

		if (s->kind != GLSL_INPUT && s->kind != GLSL_OUTPUT && s->kind != GLSL_UNIFORM)
			continue;
		g->shader->symbol_count++;
		snprintf(to->name, sizeof to->name, "%s", s->name);
		to->kind = (uint8_t)(s->kind == GLSL_INPUT ? CSIR_SYM_INPUT : s->kind == GLSL_OUTPUT ? CSIR_SYM_OUTPUT :
			s->type == CSIR_T_SAMPLER2D ? CSIR_SYM_SAMPLER : CSIR_SYM_UNIFORM);
		to->type = s->type;
		to->slot = s->slot < 0 ? 0 : s->slot;
	}
}

/* ---- prologue and main ---------------------------------------------------------------------------------------------------- */

static void load(struct glsl *g, struct glsl_symbol *s, enum csir_op op, int aux, unsigned lanes)
{
	unsigned count = op == CSIR_LOAD_UNI ? csir_type_slots(s->type) : 1;
	int temp = glsl_alloc(g, count);

	if (temp < 0)
		return;
	s->temp = (int16_t)temp;
	glsl_emit(g, op, s->type, temp, -1, -1, aux, op == CSIR_LOAD_UNI ? (int)count : 0, lanes);
}

static void zero(struct glsl *g, struct glsl_symbol *s)
{
	static const float zeros[4];
	int temp = glsl_alloc(g, 1), constant = temp < 0 ? -1 : glsl_constant_temp(g, zeros, 4);

	if (constant < 0)
		return;
	s->temp = (int16_t)temp;
	glsl_emit(g, CSIR_MOV, CSIR_T_VEC4, temp, constant, -1, 0, 0, 4);
}

static void prologue(struct glsl *g)
{
	bool vertex = g->shader->stage == CSIR_VERTEX;

	for (int i = 0; i < g->symbol_count; i++) {
		struct glsl_symbol *s = &g->symbol[i];
		unsigned lanes = csir_type_lanes(s->type);

		g->line = s->token >= 0 ? g->token[s->token].line : 0;
		if (s->kind == GLSL_UNIFORM && s->type != CSIR_T_SAMPLER2D)
			load(g, s, CSIR_LOAD_UNI, s->slot, csir_type_slots(s->type) == 1 ? lanes : 4);
		else if (s->kind == GLSL_INPUT && vertex)
			load(g, s, CSIR_LOAD_ATTR, s->slot, 4);
		else if (s->kind == GLSL_INPUT)
			load(g, s, CSIR_LOAD_VAR, s->slot, lanes);
		else if (s->kind == GLSL_OUTPUT || (s->kind == GLSL_POSITION && vertex))
			zero(g, s);
		else if (s->kind == GLSL_FRAGCOORD && !vertex)
			load(g, s, CSIR_LOAD_FCOORD, 0, 4);
	}
}

/* Quirk global_init: ChrisOS drops initial values and refuses to read what was never assigned. */
static void initialise_globals(struct glsl *g)
{
	for (int i = 0; i < g->symbol_count && !G3_QUIRK(g->quirks, global_init); i++) {
		struct glsl_symbol *s = &g->symbol[i];
		bool locked = s->is_const;

		if (s->kind != GLSL_VARIABLE || s->scope)
			continue;
		s->temp = (int16_t)glsl_alloc(g, csir_type_slots(s->type));
		g->line = g->token[s->token].line;
		if (s->temp < 0 || s->initial < 0)
			continue;
		s->is_const = false;
		glsl_store(g, i, glsl_expression(g, s->initial), s->token);
		g->symbol[i].is_const = locked;
	}
}

static int find_main(struct glsl *g)
{
	int i;

	g->scope = 0;
	i = glsl_lookup(g, "main");
	if (i < 0 || g->symbol[i].kind != GLSL_FUNCTION) {
		glsl_error(g, -1, "missing main");
		return -1;
	}
	if (g->symbol[i].type != CSIR_T_VOID || g->symbol[i].param_count) {
		glsl_error(g, g->symbol[i].token, "main must be void main()");
		return -1;
	}
	return i;
}

static bool stores_position(const struct csir_shader *s)
{
	for (unsigned i = 0; i < s->instr_count; i++)
		if (s->instr[i].op == CSIR_STORE_POS)
			return true;
	return false;
}

bool glsl_lower(struct glsl *g)
{
	int main_function;

	g->scope = 0;
	g->scope_parent[0] = -1;
	g->nesting = 0;
	glsl_add_symbol(g, "gl_Position", GLSL_POSITION, CSIR_T_VEC4, -1);
	glsl_add_symbol(g, "gl_FragCoord", GLSL_FRAGCOORD, CSIR_T_VEC4, -1);
	for (int n = g->root; n >= 0; n = g->node[n].next) {
		if (g->node[n].kind == NODE_DECLARATION)
			global_variable(g, &g->node[n]);
		else if (g->node[n].kind == NODE_FUNCTION)
			global_function(g, &g->node[n]);
	}
	give_locations(g, true);
	give_locations(g, false);
	give_uniform_slots(g);
	check_outputs(g);
	main_function = find_main(g);
	if (main_function < 0 || g->log->errors)
		return false;
	publish(g);
	glsl_push_scope(g, -1);
	prologue(g);
	initialise_globals(g);
	g->call_count = 1;
	g->call[0] = main_function;
	glsl_statements(g, g->symbol[main_function].body);
	glsl_pop_scope(g);
	if (g->shader->stage == CSIR_VERTEX && !g->log->errors && !stores_position(g->shader))
		glsl_error(g, -1, "vertex shader does not write gl_Position");
	return !g->log->errors;
}
