/* expr_run.c - evaluates compiled expressions, and fills their variables from records
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "core/bits.h"
#include "core/expr.h"

static int64_t to_integer(double v)
{
	if (v >= 9223372036854775808.0)
		return INT64_MAX;
	if (v > -9223372036854775808.0)
		return (int64_t)v;
	return v != v ? 0 : INT64_MIN;
}

static double shift(double value, double count, bool left)
{
	int64_t v = to_integer(value), n = to_integer(count);

	if (n < 0 || n > 63)
		return !left && v < 0 ? -1 : 0;
	if (left) { /* through unsigned: bits may be lost, behaviour not */
		uint64_t u = (uint64_t)v << n;
		return u <= INT64_MAX ? (double)u : -(double)(~u) - 1;
	}
	return (double)(v >= 0 ? v >> n : ~(~v >> n));
}

static double modulo(double a, double b)
{
	int64_t x = to_integer(a), y = to_integer(b);

	return !y ? (double)NAN : y == -1 ? 0 : (double)(x % y);
}

static bool truth(double v)
{
	return v < 0 || v > 0;
}

double qs_expr_evaluate(const struct qs_expr *expr, const struct qs_expr_env *env)
{
	double stack[EXPR_MAX_STACK + 1], *top = stack; /* *top is the last value; stack[0] is never one */

	for (const struct expr_code *c = expr->code;; c++)
		switch ((enum expr_op)c->op) {
		case EXPR_END:
			return *top;
		case EXPR_NUMBER:
			*++top = c->number;
			break;
		case EXPR_VARIABLE:
			*++top = env->variable[c->target];
			break;
		case EXPR_REGISTER:
			*++top = env->read ? env->read(env->user, (enum qs_unit)c->unit, c->address) : 0;
			break;
		case EXPR_FIELD:
			*++top = qs_field_number(c->field, env->read ? env->read(env->user, (enum qs_unit)c->unit, c->address) : 0);
			break;
		case EXPR_UFIELD:
			*++top = bits(env->read ? env->read(env->user, (enum qs_unit)c->unit, c->address) : 0, c->field->lsb, c->field->bits);
			break;
		case EXPR_NEGATE:
			*top = -*top;
			break;
		case EXPR_INVERT:
			*top = (double)~to_integer(*top);
			break;
		case EXPR_NOT:
			*top = !truth(*top);
			break;
		case EXPR_BOOL:
			*top = truth(*top);
			break;
		case EXPR_AND:
			if (truth(*top)) {
				top--;
			} else {
				*top = 0;
				c = expr->code + c->target - 1;
			}
			break;
		case EXPR_OR:
			if (truth(*top)) {
				*top = 1;
				c = expr->code + c->target - 1;
			} else {
				top--;
			}
			break;
		case EXPR_ADD:
			top--;
			*top += top[1];
			break;
		case EXPR_SUBTRACT:
			top--;
			*top -= top[1];
			break;
		case EXPR_MULTIPLY:
			top--;
			*top *= top[1];
			break;
		case EXPR_DIVIDE:
			top--;
			*top /= top[1];
			break;
		case EXPR_MODULO:
			top--;
			*top = modulo(*top, top[1]);
			break;
		case EXPR_SHIFT_LEFT:
			top--;
			*top = shift(*top, top[1], true);
			break;
		case EXPR_SHIFT_RIGHT:
			top--;
			*top = shift(*top, top[1], false);
			break;
		case EXPR_BIT_AND:
			top--;
			*top = (double)(to_integer(*top) & to_integer(top[1]));
			break;
		case EXPR_BIT_OR:
			top--;
			*top = (double)(to_integer(*top) | to_integer(top[1]));
			break;
		case EXPR_BIT_XOR:
			top--;
			*top = (double)(to_integer(*top) ^ to_integer(top[1]));
			break;
		case EXPR_EQUAL:
			top--;
			*top = *top == top[1];
			break;
		case EXPR_NOT_EQUAL: /* false with nan */
			top--;
			*top = *top < top[1] || *top > top[1];
			break;
		case EXPR_LESS:
			top--;
			*top = *top < top[1];
			break;
		case EXPR_LESS_EQUAL:
			top--;
			*top = *top <= top[1];
			break;
		case EXPR_GREATER:
			top--;
			*top = *top > top[1];
			break;
		case EXPR_GREATER_EQUAL:
			top--;
			*top = *top >= top[1];
			break;
		}
}

bool qs_expr_test(const struct qs_expr *expr, const struct qs_expr_env *env)
{
	return truth(qs_expr_evaluate(expr, env));
}

/* ---- environments --------------------------------------------------------------------------------------------------------- */

void qs_expr_env_init(struct qs_expr_env *env)
{
	for (unsigned i = 0; i < QS_VAR_COUNT; i++)
		env->variable[i] = (double)NAN;
	env->read = NULL;
	env->user = NULL;
}

static double number_or_nan(uint32_t number)
{
	return number == QS_NONE ? (double)NAN : number;
}

void qs_expr_env_moment(struct qs_expr_env *env, const struct qs_moment *moment)
{
	enum qs_level level = moment->level;
	double *v = env->variable;

	v[QS_VAR_FRAME] = level >= QS_LEVEL_FRAME ? moment->frame : (double)NAN;
	v[QS_VAR_COMMAND] = level >= QS_LEVEL_FRAME ? number_or_nan(moment->command) : (double)NAN;
	v[QS_VAR_DRAW] = level >= QS_LEVEL_COMMAND ? number_or_nan(moment->draw) : (double)NAN;
	v[QS_VAR_PRIMITIVE] = level >= QS_LEVEL_PRIMITIVE ? moment->primitive : (double)NAN;
	v[QS_VAR_QUAD] = level >= QS_LEVEL_QUAD ? moment->quad : (double)NAN;
	v[QS_VAR_FRAGMENT] = level >= QS_LEVEL_FRAGMENT ? moment->fragment : (double)NAN;
	v[QS_VAR_STAGE] = level >= QS_LEVEL_STAGE ? moment->stage : (double)NAN;
}

void qs_expr_env_command(struct qs_expr_env *env, const struct qs_command *command)
{
	env->variable[QS_VAR_OPCODE] = command->opcode;
	env->variable[QS_VAR_SIZE] = command->size;
	env->variable[QS_VAR_OFFSET] = command->offset;
}

void qs_expr_env_write(struct qs_expr_env *env, enum qs_unit unit, uint32_t address, uint32_t old, uint32_t value)
{
	env->variable[QS_VAR_UNIT] = unit;
	env->variable[QS_VAR_ADDRESS] = address;
	env->variable[QS_VAR_OLD] = old;
	env->variable[QS_VAR_VALUE] = value;
}

void qs_expr_env_setup(struct qs_expr_env *env, const struct qs_setup *setup)
{
	env->variable[QS_VAR_KIND] = setup->kind;
	env->variable[QS_VAR_SETUP] = setup->verdict;
	env->variable[QS_VAR_AREA] = setup->area2 / 2;
}

void qs_expr_env_quad(struct qs_expr_env *env, const struct qs_quad *quad)
{
	env->variable[QS_VAR_X] = quad->x;
	env->variable[QS_VAR_Y] = quad->y;
	env->variable[QS_VAR_COVERAGE] = quad->coverage;
}

void qs_expr_env_fragment(struct qs_expr_env *env, const struct qs_fragment *fragment)
{
	double *v = env->variable;

	v[QS_VAR_X] = fragment->x;
	v[QS_VAR_Y] = fragment->y;
	v[QS_VAR_SAMPLES] = fragment->samples;
	v[QS_VAR_VERDICT] = fragment->verdict;
	v[QS_VAR_ALPHA] = fragment->tev[3];
	v[QS_VAR_Z] = fragment->z;
	v[QS_VAR_Z_OLD] = fragment->z_old;
	v[QS_VAR_Z_NEW] = fragment->z_new;
	v[QS_VAR_FOG] = fragment->fog;
	for (unsigned c = 0; c < 4; c++) {
		v[QS_VAR_R + c] = fragment->source[c];
		v[QS_VAR_OLD_R + c] = fragment->old_rgba[c];
		v[QS_VAR_NEW_R + c] = fragment->new_rgba[c];
	}
}
