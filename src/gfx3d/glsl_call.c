/* glsl_call.c - constructors, built-in functions, inlined functions
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "gfx3d/glsl.h"

static struct glsl_value wrong(struct glsl *g, int token, const char *message)
{
	glsl_error(g, token, message);
	return glsl_bad();
}

/* One instruction into a new temporary. */
static struct glsl_value emit1(struct glsl *g, enum csir_op op, unsigned type, int a, int b, int aux, unsigned lanes)
{
	int temp = glsl_alloc(g, 1);

	if (temp < 0)
		return glsl_bad();
	glsl_emit(g, op, type, temp, a, b, aux, 0, lanes);
	return glsl_temp_value(temp, type);
}

/* ---- constructors --------------------------------------------------------------------------------------------------------- */

static struct glsl_value diagonal(struct glsl *g, unsigned type, const struct glsl_value *value, int token)
{
	unsigned columns = csir_type_slots(type);
	int base;

	if (!value->is_const)
		return wrong(g, token, "matrix diagonal constructor needs a constant");
	base = glsl_alloc(g, columns);
	for (unsigned i = 0; base >= 0 && i < columns; i++) {
		float column[4] = {0};
		int constant;

		column[i] = value->number[0];
		constant = glsl_constant_temp(g, column, 4);
		if (constant < 0)
			return glsl_bad();
		glsl_emit(g, CSIR_MOV, CSIR_T_VEC4, base + (int)i, constant, -1, 0, 0, 4);
	}
	return base < 0 ? glsl_bad() : glsl_temp_value(base, type);
}

static struct glsl_value matrix(struct glsl *g, unsigned type, const struct glsl_value *args, unsigned count, int token)
{
	unsigned columns = csir_type_slots(type);
	int base;

	if (count == 1 && (args[0].type == CSIR_T_FLOAT || (args[0].type == CSIR_T_INT && !G3_QUIRK(g->quirks, integer_types))))
		return diagonal(g, type, &args[0], token);
	if (count != columns)
		return wrong(g, token, "unsupported matrix constructor");
	base = glsl_alloc(g, columns);
	for (unsigned i = 0; base >= 0 && i < columns; i++) {
		if (args[i].lanes != columns && args[i].lanes != 4)
			return wrong(g, token, "bad matrix column");
		glsl_emit(g, CSIR_MOV, CSIR_T_VEC4, base + (int)i, args[i].temp, -1, 0, 0, args[i].lanes);
	}
	return base < 0 ? glsl_bad() : glsl_temp_value(base, type);
}

/* Zeros, then lane by lane. */
static struct glsl_value assemble(struct glsl *g, unsigned type, const struct glsl_value *args, unsigned count)
{
	static const float zeros[4];
	unsigned need = csir_type_lanes(type);
	int temp = glsl_alloc(g, 1), zero = temp < 0 ? -1 : glsl_constant_temp(g, zeros, 4), lane = 0;

	if (zero < 0)
		return glsl_bad();
	glsl_emit(g, CSIR_MOV, type, temp, zero, -1, 0, 0, 4);
	for (unsigned i = 0; i < count; i++)
		for (int k = 0; k < args[i].lanes; k++)
			glsl_emit(g, CSIR_SETLANE, type, temp, args[i].temp, -1, lane++, k, need);
	return glsl_temp_value(temp, type);
}

/* int(x), float(x) */
static struct glsl_value relabel(struct glsl *g, unsigned type, const struct glsl_value *value)
{
	bool keep = !G3_QUIRK(g->quirks, integer_types);
	struct glsl_value result;

	if (type == CSIR_T_INT && (value->type == CSIR_T_FLOAT || (keep && !glsl_is_scalar(value->type))))
		return emit1(g, CSIR_TRUNC, CSIR_T_INT, value->temp, -1, 0, 1);
	result = glsl_temp_value(value->temp, type);
	if (keep && value->is_const) {
		result.is_const = true;
		result.number[0] = value->number[0];
	}
	return result;
}

struct glsl_value glsl_construct(struct glsl *g, unsigned type, struct glsl_value *args, unsigned count, int token)
{
	unsigned need = csir_type_lanes(type), got = 0;
	struct glsl_value v;

	if (type == CSIR_T_SAMPLER2D)
		return wrong(g, token, "a sampler cannot be constructed");
	for (unsigned i = 0; i < count; i++)
		if (!args[i].lanes)
			return wrong(g, token, "bad constructor argument");
	if ((type == CSIR_T_FLOAT || type == CSIR_T_INT) && count == 1)
		return relabel(g, type, &args[0]);
	if (glsl_is_matrix(type))
		return matrix(g, type, args, count, token);
	if (count == 1 && !args[0].columns && (args[0].lanes == 1 ? need > 1 : args[0].lanes > need)) {
		v = glsl_swizzle(g, args[0], args[0].lanes == 1 ? 0 : 0xE4, need, token);
		if (v.type != CSIR_T_NONE && !G3_QUIRK(g->quirks, integer_types))
			v.type = (uint8_t)type;
		return v;
	}
	for (unsigned i = 0; i < count; i++) {
		if (args[i].columns)
			return wrong(g, token, "bad constructor argument");
		got += args[i].lanes;
	}
	if (got != need)
		return wrong(g, token, "constructor component count does not match the type");
	return assemble(g, type, args, count);
}

/* ---- built-in functions --------------------------------------------------------------------------------------------------- */

typedef struct glsl_value builtin(struct glsl *g, struct glsl_value *a, unsigned n, int token);

static struct glsl_value lane(struct glsl *g, struct glsl_value v, int which, int token)
{
	return glsl_swizzle(g, v, which, 1, token);
}

static struct glsl_value do_texture(struct glsl *g, struct glsl_value *a, unsigned n, int token)
{
	if (n != 2 || a[0].type != CSIR_T_SAMPLER2D || a[1].lanes < 2 || a[1].columns)
		return wrong(g, token, "texture() expects a sampler2D and a vec2");
	return emit1(g, CSIR_SAMPLE, CSIR_T_VEC4, a[1].temp, -1, a[0].temp, 4);
}

static struct glsl_value do_dot(struct glsl *g, struct glsl_value *a, unsigned n, int token)
{
	struct glsl_value p, x, y;

	if (n != 2 || a[0].lanes != a[1].lanes || a[0].lanes < 2 || a[0].columns || a[1].columns)
		return wrong(g, token, "dot() expects two vectors of the same size");
	if (a[0].lanes > 2)
		return emit1(g, CSIR_DOT, CSIR_T_FLOAT, a[0].temp, a[1].temp, a[0].lanes, 1);
	p = glsl_arithmetic(g, CSIR_MUL, a[0], a[1], token);
	x = lane(g, p, 0, token);
	y = lane(g, p, 1, token);
	return glsl_arithmetic(g, CSIR_ADD, x, y, token);
}

static struct glsl_value do_cross(struct glsl *g, struct glsl_value *a, unsigned n, int token)
{
	/* lanes of a and b in the order ChrisOS takes them out: y z x; lane i of the result is a[j]*b[k] - a[k]*b[j] */
	static const int8_t order[3] = {1, 2, 0}, first[3] = {0, 1, 2}, second[3] = {1, 2, 0};
	struct glsl_value la[3], lb[3], result[3];

	if (n != 2 || a[0].type != CSIR_T_VEC3 || a[1].type != CSIR_T_VEC3)
		return wrong(g, token, "cross() expects two vec3 values");
	for (unsigned i = 0; i < 3; i++)
		la[i] = lane(g, a[0], order[i], token);
	for (unsigned i = 0; i < 3; i++)
		lb[i] = lane(g, a[1], order[i], token);
	for (unsigned i = 0; i < 3; i++) {
		struct glsl_value plus = glsl_arithmetic(g, CSIR_MUL, la[first[i]], lb[second[i]], token);
		struct glsl_value minus = glsl_arithmetic(g, CSIR_MUL, la[second[i]], lb[first[i]], token);

		result[i] = glsl_arithmetic(g, CSIR_SUB, plus, minus, token);
		if (result[i].type == CSIR_T_NONE)
			return glsl_bad();
	}
	return glsl_construct(g, CSIR_T_VEC3, result, 3, token);
}

/* The root of the sum of squares, inverted. */
static struct glsl_value inverse_length(struct glsl *g, struct glsl_value *a, unsigned n, int token)
{
	struct glsl_value d;

	if (n != 1 || a[0].lanes < 2 || a[0].columns)
		return wrong(g, token, "expected a vector");
	if (a[0].lanes == 2) {
		struct glsl_value x = lane(g, a[0], 0, token), y = lane(g, a[0], 1, token);
		struct glsl_value xx = glsl_arithmetic(g, CSIR_MUL, x, x, token), yy = glsl_arithmetic(g, CSIR_MUL, y, y, token);

		d = glsl_arithmetic(g, CSIR_ADD, xx, yy, token);
	} else {
		d = emit1(g, CSIR_DOT, CSIR_T_FLOAT, a[0].temp, a[0].temp, a[0].lanes, 1);
	}
	return d.type == CSIR_T_NONE ? d : emit1(g, CSIR_RSQ, CSIR_T_FLOAT, d.temp, -1, 0, 1);
}

static struct glsl_value do_length(struct glsl *g, struct glsl_value *a, unsigned n, int token)
{
	struct glsl_value r = inverse_length(g, a, n, token);

	return r.type == CSIR_T_NONE ? r : emit1(g, CSIR_RCP, CSIR_T_FLOAT, r.temp, -1, 0, 1);
}

static struct glsl_value do_normalize(struct glsl *g, struct glsl_value *a, unsigned n, int token)
{
	struct glsl_value r = inverse_length(g, a, n, token);

	if (r.type == CSIR_T_NONE)
		return r;
	r = glsl_swizzle(g, r, 0, a[0].lanes, token);
	return glsl_arithmetic(g, CSIR_MUL, a[0], r, token);
}

static struct glsl_value lanewise(struct glsl *g, enum csir_op op, struct glsl_value *a, unsigned n, int token)
{
	if (n != 1 || a[0].columns || !a[0].lanes)
		return wrong(g, token, "wrong arguments");
	return emit1(g, op, a[0].type, a[0].temp, -1, 0, a[0].lanes);
}

static struct glsl_value do_abs(struct glsl *g, struct glsl_value *a, unsigned n, int token)
{
	return lanewise(g, CSIR_ABS, a, n, token);
}

static struct glsl_value do_sin(struct glsl *g, struct glsl_value *a, unsigned n, int token)
{
	return lanewise(g, CSIR_SIN, a, n, token);
}

static struct glsl_value do_cos(struct glsl *g, struct glsl_value *a, unsigned n, int token)
{
	return lanewise(g, CSIR_COS, a, n, token);
}

/* Of what differs between the fragments of a quad; not in ChrisOS. */
static struct glsl_value derivative(struct glsl *g, enum csir_op op, struct glsl_value *a, unsigned n, int token)
{
	if (g->shader->stage != CSIR_FRAGMENT)
		return wrong(g, token, "derivatives are for fragment shaders");
	return lanewise(g, op, a, n, token);
}

static struct glsl_value do_dfdx(struct glsl *g, struct glsl_value *a, unsigned n, int token)
{
	return derivative(g, CSIR_DDX, a, n, token);
}

static struct glsl_value do_dfdy(struct glsl *g, struct glsl_value *a, unsigned n, int token)
{
	return derivative(g, CSIR_DDY, a, n, token);
}

static struct glsl_value do_fwidth(struct glsl *g, struct glsl_value *a, unsigned n, int token)
{
	struct glsl_value x = derivative(g, CSIR_DDX, a, n, token), y;

	if (x.type == CSIR_T_NONE)
		return x;
	y = derivative(g, CSIR_DDY, a, n, token);
	x = lanewise(g, CSIR_ABS, &x, 1, token);
	y = lanewise(g, CSIR_ABS, &y, 1, token);
	return glsl_arithmetic(g, CSIR_ADD, x, y, token);
}

static struct glsl_value do_min(struct glsl *g, struct glsl_value *a, unsigned n, int token)
{
	return n == 2 ? glsl_arithmetic(g, CSIR_MIN, a[0], a[1], token) : wrong(g, token, "wrong argument count");
}

static struct glsl_value do_max(struct glsl *g, struct glsl_value *a, unsigned n, int token)
{
	return n == 2 ? glsl_arithmetic(g, CSIR_MAX, a[0], a[1], token) : wrong(g, token, "wrong argument count");
}

static struct glsl_value do_clamp(struct glsl *g, struct glsl_value *a, unsigned n, int token)
{
	if (n != 3)
		return wrong(g, token, "clamp() expects 3 arguments");
	return glsl_arithmetic(g, CSIR_MIN, glsl_arithmetic(g, CSIR_MAX, a[0], a[1], token), a[2], token);
}

static struct glsl_value do_mix(struct glsl *g, struct glsl_value *a, unsigned n, int token)
{
	struct glsl_value rest, first, second;

	if (n != 3)
		return wrong(g, token, "mix() expects 3 arguments");
	rest = glsl_arithmetic(g, CSIR_SUB, glsl_scalar(g, CSIR_T_FLOAT, 1), a[2], token);
	first = glsl_arithmetic(g, CSIR_MUL, a[0], rest, token);
	second = glsl_arithmetic(g, CSIR_MUL, a[1], a[2], token);
	return glsl_arithmetic(g, CSIR_ADD, first, second, token);
}

static struct glsl_value do_pow(struct glsl *g, struct glsl_value *a, unsigned n, int token)
{
	if (n != 2 || !glsl_is_scalar(a[0].type) || !glsl_is_scalar(a[1].type))
		return wrong(g, token, "pow() expects two scalars");
	return emit1(g, CSIR_POW, CSIR_T_FLOAT, a[0].temp, a[1].temp, 0, 1);
}

static struct glsl_value do_reflect(struct glsl *g, struct glsl_value *a, unsigned n, int token)
{
	struct glsl_value d, twice;

	if (n != 2 || a[0].lanes != a[1].lanes || a[0].lanes < 2)
		return wrong(g, token, "reflect() expects two vectors");
	d = do_dot(g, a, 2, token);
	twice = glsl_arithmetic(g, CSIR_MUL, glsl_scalar(g, CSIR_T_FLOAT, 2), d, token);
	twice = glsl_swizzle(g, twice, 0, a[1].lanes, token);
	return glsl_arithmetic(g, CSIR_SUB, a[0], glsl_arithmetic(g, CSIR_MUL, twice, a[1], token), token);
}

static const struct {
	const char *name;
	builtin *run;
	bool derives;
} builtins[] = {
	{"texture", do_texture, false}, {"dot", do_dot, false}, {"cross", do_cross, false}, {"length", do_length, false},
	{"normalize", do_normalize, false}, {"abs", do_abs, false}, {"sin", do_sin, false}, {"cos", do_cos, false},
	{"min", do_min, false}, {"max", do_max, false}, {"clamp", do_clamp, false}, {"mix", do_mix, false},
	{"pow", do_pow, false}, {"reflect", do_reflect, false}, {"dFdx", do_dfdx, true}, {"dFdy", do_dfdy, true},
	{"fwidth", do_fwidth, true}};

/* ---- functions of the shader ---------------------------------------------------------------------------------------------- */

static bool pass(struct glsl *g, int node, unsigned type, const struct glsl_value *value, int token)
{
	unsigned columns = glsl_is_matrix(type) && !G3_QUIRK(g->quirks, matrix_param) ? csir_type_slots(type) : 1;
	char name[CSIR_NAME_MAX];
	int symbol, temp;

	if (!glsl_converts(g, value->type, type)) {
		glsl_error(g, token, "argument type mismatch");
		return false;
	}
	glsl_token_text(g, g->node[node].token, name, sizeof name);
	symbol = glsl_add_symbol(g, name, GLSL_VARIABLE, type, g->node[node].token);
	temp = symbol < 0 ? -1 : glsl_alloc(g, columns);
	if (temp < 0)
		return false;
	for (unsigned i = 0; i < columns; i++)
		glsl_emit(g, CSIR_MOV, type, temp + (int)i, value->temp + (int)i, -1, 0, 0, value->lanes);
	g->symbol[symbol].temp = (int16_t)temp;
	return true;
}

static const char *cannot_call(const struct glsl *g, int function, unsigned count)
{
	if (g->symbol[function].type == CSIR_T_VOID)
		return "void function used as a value";
	if (count != g->symbol[function].param_count)
		return "wrong argument count";
	for (int i = 0; i < g->call_count; i++)
		if (g->call[i] == function)
			return "recursion is not supported";
	return g->call_count == GLSL_CALLS ? "call depth limit (8)" : NULL;
}

static struct glsl_value inlined(struct glsl *g, int function, struct glsl_value *args, unsigned count, int token)
{
	const char *message = cannot_call(g, function, count);
	bool returned = g->returned, ok = true;
	int nesting = g->nesting, under_if = g->under_if, node = g->symbol[function].params;
	struct glsl_value result = glsl_bad();

	if (message)
		return wrong(g, token, message);
	g->call[g->call_count++] = function;
	glsl_push_scope(g, token);
	for (unsigned i = 0; i < count && ok; i++, node = g->node[node].next)
		ok = pass(g, node, g->symbol[function].param_type[i], &args[i], token);
	if (ok) {
		g->returned = false;
		g->nesting = g->under_if = 0;
		glsl_statements(g, g->symbol[function].body);
		if (g->returned)
			result = g->result;
		else
			glsl_error(g, token, "function is missing a return value");
	}
	g->nesting = nesting;
	g->under_if = under_if;
	g->returned = returned;
	glsl_pop_scope(g);
	g->call_count--;
	return result;
}

struct glsl_value glsl_call(struct glsl *g, const char *name, struct glsl_value *args, unsigned count, int token)
{
	int function;

	for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
		if (!strcmp(name, builtins[i].name) && (!builtins[i].derives || G3_QUIRK(g->quirks, derivatives))) {
			for (unsigned k = 0; k < count; k++)
				if (!args[k].lanes && (k || i))
					return wrong(g, token, "a sampler is only good for texture()");
			return builtins[i].run(g, args, count, token);
		}
	function = glsl_lookup(g, name);
	if (function >= 0 && g->symbol[function].kind == GLSL_FUNCTION)
		return inlined(g, function, args, count, token);
	return wrong(g, token, "unknown function");
}
