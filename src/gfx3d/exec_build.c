/* exec_build.c - instructions of a shader become values (exec.h)
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "gfx3d/exec.h"

#define HASH_SIZE 1024

/* What every lane of the temporaries and of the outputs is at a point of the program. */
struct state {
	uint32_t temp[CSIR_TEMP_MAX][4];
	uint32_t output[OUTPUT_COUNT];
};

struct level {
	uint32_t bits, control; /* BOOL and IF values */
	bool has_else;
	struct state other; /* before the IF; after ELSE: at the end of the first side */
};

struct builder {
	struct csir_plan *plan;
	struct qs_error *error;
	uint32_t at; /* instruction */
	struct state now;
	uint32_t depth;
	struct level level[CSIR_IF_MAX];
	uint32_t constant[HASH_SIZE]; /* value + 1 */
	uint32_t input[INPUT_COUNT];
};

static bool refuse(struct builder *b, const char *what)
{
	const struct csir_shader *s = b->plan->shader;

	qs_error_set(b->error, QS_ERR_FORMAT, b->at, "Shader %s cannot run: instruction %u (%s) %s.", s->name, b->at,
		csir_op_info(s->instr[b->at].op) ? csir_op_info(s->instr[b->at].op)->mnemonic : "?", what);
	return false;
}

/* ---- values --------------------------------------------------------------------------------------------------------------- */

static uint32_t add(struct builder *b, enum row_op op, uint32_t x, uint32_t y, uint32_t z, int32_t aux)
{
	struct csir_plan *p = b->plan;
	struct value *v;

	if (p->value_count == p->value_capacity) {
		uint32_t capacity = p->value_capacity ? p->value_capacity * 2 : 512;
		struct value *grown = realloc(p->value, capacity * sizeof *grown);

		if (!grown) {
			p->failed = true;
			return 0;
		}
		p->value = grown;
		p->value_capacity = capacity;
	}
	v = &p->value[p->value_count];
	*v = (struct value){.op = (uint8_t)op, .aux = aux, .a = x, .b = y, .c = z, .row = -1};
	return p->value_count++;
}

static uint32_t constant(struct builder *b, float number)
{
	uint32_t bits, slot, id;

	memcpy(&bits, &number, sizeof bits);
	slot = (bits * 2654435761u) >> 22;
	while (b->constant[slot]) {
		uint32_t other;

		memcpy(&other, &b->plan->value[b->constant[slot] - 1].number, sizeof other);
		if (other == bits)
			return b->constant[slot] - 1;
		slot = (slot + 1) % HASH_SIZE; /* at most 160 immediates and 128 uniforms: never full */
	}
	id = add(b, ROW_CONSTANT, VALUE_NONE, VALUE_NONE, VALUE_NONE, 0);
	if (b->plan->failed)
		return 0;
	b->plan->value[id].number = number;
	b->constant[slot] = id + 1;
	return id;
}

static uint32_t input(struct builder *b, unsigned number)
{
	if (b->input[number] == VALUE_NONE)
		b->input[number] = add(b, ROW_INPUT, VALUE_NONE, VALUE_NONE, VALUE_NONE, (int32_t)number);
	return b->input[number];
}

static uint32_t binary(struct builder *b, enum row_op op, uint32_t x, uint32_t y)
{
	return add(b, op, x, y, VALUE_NONE, 0);
}

static uint32_t unary(struct builder *b, enum row_op op, uint32_t x)
{
	return add(b, op, x, VALUE_NONE, VALUE_NONE, 0);
}

/* A step of a sum of products; sums start at 0, which turns a first product of -0 into 0. */
static uint32_t accumulate(struct builder *b, uint32_t sum, uint32_t x, uint32_t y)
{
	return sum == VALUE_NONE ? binary(b, ROW_MUL0, x, y) : add(b, ROW_MAD, x, y, sum, 0);
}

/* ---- instructions --------------------------------------------------------------------------------------------------------- */

static unsigned lanes_of(const struct csir_instr *in, unsigned otherwise)
{
	unsigned n = in->ncomp ? in->ncomp : otherwise;

	return n < 4 ? n : 4;
}

static bool in_file(int reg, int count)
{
	return reg >= 0 && count >= 0 && reg + count <= CSIR_TEMP_MAX;
}

static void lanewise(struct builder *b, const struct csir_instr *in, enum row_op op)
{
	uint32_t *d = b->now.temp[in->dst], *x = b->now.temp[in->a], *y = b->now.temp[in->b];

	for (unsigned k = 0; k < lanes_of(in, 4); k++)
		d[k] = binary(b, op, x[k], y[k]);
}

static void swizzle(struct builder *b, const struct csir_instr *in)
{
	uint32_t from[4], *d = b->now.temp[in->dst], zero = constant(b, 0);
	unsigned n = lanes_of(in, 1);

	memcpy(from, b->now.temp[in->a], sizeof from);
	for (unsigned k = 0; k < 4; k++)
		if (k < n)
			d[k] = from[(in->aux >> (2 * k)) & 3];
		else if (!G3_QUIRK(&b->plan->quirks, swz_upper))
			d[k] = zero;
}

static void move(struct builder *b, const struct csir_instr *in)
{
	for (unsigned k = 0; k < lanes_of(in, 4); k++)
		b->now.temp[in->dst][k] = b->now.temp[in->a][k];
}

static void absolute(struct builder *b, const struct csir_instr *in)
{
	unsigned n = G3_QUIRK(&b->plan->quirks, abs_lanes) ? 4 : lanes_of(in, 4);

	for (unsigned k = 0; k < n; k++)
		b->now.temp[in->dst][k] = unary(b, ROW_ABS, b->now.temp[in->a][k]);
}

static void function(struct builder *b, const struct csir_instr *in, enum row_op op)
{
	unsigned n = in->op == CSIR_RSQ || in->op == CSIR_TRUNC ? 1 : lanes_of(in, 1);

	for (unsigned k = 0; k < n; k++)
		b->now.temp[in->dst][k] = unary(b, op, b->now.temp[in->a][k]);
}

/* A lane of a register as it stands in every thread, those outside of the open branches included. */
static uint32_t everywhere(struct builder *b, uint32_t id, int reg, unsigned lane);

static void derivative(struct builder *b, const struct csir_instr *in)
{
	for (unsigned k = 0; k < lanes_of(in, 4); k++)
		b->now.temp[in->dst][k] = unary(b, in->op == CSIR_DDX ? ROW_DDX : ROW_DDY, everywhere(b, b->now.temp[in->a][k], in->a, k));
}

static void dot(struct builder *b, const struct csir_instr *in)
{
	int width = in->aux ? in->aux : 3;
	uint32_t sum = VALUE_NONE;

	if (G3_QUIRK(&b->plan->quirks, dot_width))
		width = in->aux == 4 ? 4 : 3;
	for (int k = 0; k < width && k < 4; k++)
		sum = accumulate(b, sum, b->now.temp[in->a][k], b->now.temp[in->b][k]);
	b->now.temp[in->dst][0] = sum == VALUE_NONE ? constant(b, 0) : sum;
}

static void compare(struct builder *b, const struct csir_instr *in)
{
	int relation = in->aux;
	uint32_t x = b->now.temp[in->a][0], y = b->now.temp[in->b][0], *d = &b->now.temp[in->dst][0];

	if ((relation < CSIR_LT || relation > CSIR_NE) && G3_QUIRK(&b->plan->quirks, cmp_unknown))
		relation = CSIR_LT;
	switch (relation) {
	case CSIR_LT: *d = binary(b, ROW_LT, x, y); break;
	case CSIR_GT: *d = binary(b, ROW_LT, y, x); break;
	case CSIR_LE: *d = binary(b, ROW_LE, x, y); break;
	case CSIR_GE: *d = binary(b, ROW_LE, y, x); break;
	case CSIR_EQ: *d = binary(b, ROW_EQ, x, y); break;
	default: *d = binary(b, ROW_NE, x, y); break;
	}
}

/* One column of a product: matrix from register `matrix` on, times register `vector`.  With quirk matrix_overlap the destination
 * is rewritten after every column of the matrix, as the TGSI sequence does. */
static void column(struct builder *b, int dst, int matrix, int vector, int columns, uint32_t result[4])
{
	bool live = G3_QUIRK(&b->plan->quirks, matrix_overlap);
	unsigned rows = G3_QUIRK(&b->plan->quirks, matrix_rows) ? 4 : (unsigned)columns;

	for (unsigned lane = 0; lane < 4; lane++)
		result[lane] = constant(b, 0);
	for (int k = 0; k < columns; k++) {
		uint32_t factor = b->now.temp[vector][k];

		for (unsigned lane = 0; lane < rows; lane++)
			result[lane] = accumulate(b, k ? result[lane] : VALUE_NONE, b->now.temp[matrix + k][lane], factor);
		if (live)
			memcpy(b->now.temp[dst], result, 4 * sizeof *result);
	}
}

static bool multiply(struct builder *b, const struct csir_instr *in)
{
	int columns = in->aux ? in->aux : 4, count = in->op == CSIR_MULMM ? columns : 1;
	uint32_t result[4][4];

	if (columns < 0 || columns > 4)
		return refuse(b, "has a matrix of other than 1 to 4 columns");
	if (!in_file(in->a, columns) || !in_file(in->b, count) || !in_file(in->dst, count))
		return refuse(b, "reaches beyond the 96 temporaries");
	for (int i = 0; i < count; i++)
		column(b, in->dst + i, in->a, in->b + i, columns, result[i]);
	if (!G3_QUIRK(&b->plan->quirks, matrix_overlap))
		memcpy(b->now.temp[in->dst], result, (size_t)count * sizeof *result);
	return true;
}

static void sample(struct builder *b, const struct csir_instr *in)
{
	uint32_t id = add(b, ROW_SAMPLE, b->now.temp[in->a][0], b->now.temp[in->a][1], VALUE_NONE, in->aux);

	for (unsigned k = 0; k < 4; k++)
		b->now.temp[in->dst][k] = add(b, ROW_TEXEL, id, VALUE_NONE, VALUE_NONE, (int32_t)k);
}

static bool load(struct builder *b, const struct csir_instr *in)
{
	struct csir_plan *p = b->plan;
	int number = in->aux, base = INPUT_FCOORD;

	if (in->op == CSIR_LOAD_ATTR) {
		if (number < 0 || number >= CSIR_ATTR_MAX)
			return refuse(b, "loads an attribute that is not one of 0 to 7");
		base = INPUT_ATTR + 4 * number;
	} else if (in->op == CSIR_LOAD_VAR) {
		if (number >= 0 && number < CSIR_VARY_MAX && p->inputs.var_remap && p->remap[number] >= 0)
			number = p->remap[number];
		if (number < 0 || number >= CSIR_VARY_MAX)
			return refuse(b, "loads a varying that is not one of 0 to 7");
		base = INPUT_VARY + 4 * number;
		if (number == CSIR_VARY_MAX - 1 && p->loads_fcoord && G3_QUIRK(&p->quirks, fcoord_slot))
			base = INPUT_FCOORD;
	}
	for (unsigned k = 0; k < 4; k++)
		b->now.temp[in->dst][k] = input(b, (unsigned)base + k);
	return true;
}

static bool load_uniform(struct builder *b, const struct csir_instr *in)
{
	int count = in->aux2 ? in->aux2 : 1;

	if (!b->plan->has_uniforms)
		return true;
	if (count < 0)
		return true; /* loads nothing */
	if (in->aux < 0 || in->aux + count > CSIR_UNIFORM_SLOTS)
		return refuse(b, "loads beyond the 32 uniform slots");
	if (!in_file(in->dst, count))
		return refuse(b, "reaches beyond the 96 temporaries");
	for (int i = 0; i < count; i++)
		for (unsigned k = 0; k < 4; k++)
			b->now.temp[in->dst + i][k] = constant(b, b->plan->uniforms[4 * (in->aux + i) + (int)k]);
	return true;
}

static bool load_constant(struct builder *b, const struct csir_instr *in)
{
	int n = in->ncomp < 4 ? in->ncomp : 4;

	if (in->aux < 0 || in->aux + n > CSIR_IMM_MAX)
		return refuse(b, "takes immediates outside the pool");
	for (int k = 0; k < 4; k++)
		b->now.temp[in->dst][k] = constant(b, k < n ? b->plan->imm[in->aux + k] : 0);
	return true;
}

static void store(struct builder *b, const struct csir_instr *in)
{
	unsigned base = in->op == CSIR_STORE_POS ? OUTPUT_POSITION : OUTPUT_COLOUR;

	if (in->op == CSIR_STORE_VAR) {
		if (in->aux < 0 || in->aux >= CSIR_VARY_MAX)
			return;
		base = OUTPUT_VARY + 4 * (unsigned)in->aux;
	}
	memcpy(&b->now.output[base], b->now.temp[in->a], 4 * sizeof(uint32_t));
}

/* ---- control flow --------------------------------------------------------------------------------------------------------- */

static bool open_if(struct builder *b, const struct csir_instr *in)
{
	struct level *level;
	bool declared = in->a >= 0 && in->a < b->plan->shader->temp_count && in->a < CSIR_TEMP_MAX;
	uint32_t condition = declared ? b->now.temp[in->a][0] : constant(b, 0);

	if (b->depth == CSIR_IF_MAX)
		return refuse(b, "is the 33rd if inside another");
	level = &b->level[b->depth++];
	level->bits = unary(b, ROW_BOOL, condition);
	level->control = unary(b, ROW_IF, level->bits);
	level->has_else = false;
	level->other = b->now;
	return true;
}

static bool other_side(struct builder *b)
{
	struct level *level = b->depth ? &b->level[b->depth - 1] : NULL;
	struct state before;

	if (!level)
		return refuse(b, "has no if");
	if (level->has_else)
		return refuse(b, "is the second one of its if");
	level->has_else = true;
	before = level->other;
	level->other = b->now;
	b->now = before;
	unary(b, ROW_ELSE, level->control);
	return true;
}

static void choose(struct builder *b, const struct level *level, uint32_t *now, const uint32_t *other)
{
	uint32_t first = level->has_else ? *other : *now, second = level->has_else ? *now : *other;

	if (first != second)
		*now = add(b, ROW_SELECT, first, second, level->bits, 0);
}

static uint32_t everywhere(struct builder *b, uint32_t id, int reg, unsigned lane)
{
	for (uint32_t i = b->depth; i-- > 0;)
		choose(b, &b->level[i], &id, &b->level[i].other.temp[reg][lane]);
	return id;
}

static bool close_if(struct builder *b)
{
	struct level *level = b->depth ? &b->level[--b->depth] : NULL;

	if (!level)
		return refuse(b, "has no if");
	unary(b, ROW_ENDIF, level->control);
	for (unsigned reg = 0; reg < CSIR_TEMP_MAX; reg++)
		for (unsigned k = 0; k < 4; k++)
			choose(b, level, &b->now.temp[reg][k], &level->other.temp[reg][k]);
	for (unsigned i = 0; i < OUTPUT_COUNT; i++)
		choose(b, level, &b->now.output[i], &level->other.output[i]);
	return true;
}

static void discard(struct builder *b)
{
	struct csir_plan *p = b->plan;

	if (p->flush_count + OUTPUT_COUNT > p->flush_capacity) {
		uint32_t capacity = p->flush_capacity ? p->flush_capacity * 2 : 4 * OUTPUT_COUNT;
		uint32_t *grown = realloc(p->flush, capacity * sizeof *grown);

		if (!grown) {
			p->failed = true;
			return;
		}
		p->flush = grown;
		p->flush_capacity = capacity;
	}
	memcpy(p->flush + p->flush_count, b->now.output, sizeof b->now.output);
	add(b, ROW_DISCARD, VALUE_NONE, VALUE_NONE, VALUE_NONE, (int32_t)p->flush_count);
	p->flush_count += OUTPUT_COUNT;
	p->discards = true;
}

/* ---- the walk ------------------------------------------------------------------------------------------------------------- */

/* Registers of one-register instructions.  The interpreter of ChrisOS ignores most instructions that lack one; those it would
 * read outside the register file are refused.  0 refused, 1 go on, 2 ignore. */
static int check_operands(struct builder *b, const struct csir_instr *in)
{
	unsigned operands = csir_op_info(in->op)->operands;
	bool reads = in->op == CSIR_DOT || in->op == CSIR_POW || in->op == CSIR_CMP || in->op == CSIR_MULMV || in->op == CSIR_MULMM;

	if (in->op == CSIR_IF)
		return 1;
	if ((operands & CSIR_OPERAND_D) && in->dst < 0)
		return 2;
	if (((operands & CSIR_OPERAND_A) && in->a < 0) || ((operands & CSIR_OPERAND_B) && in->b < 0))
		return reads ? refuse(b, "lacks an operand") : 2;
	if (((operands & CSIR_OPERAND_D) && in->dst >= CSIR_TEMP_MAX) || ((operands & CSIR_OPERAND_A) && in->a >= CSIR_TEMP_MAX) ||
		((operands & CSIR_OPERAND_B) && in->b >= CSIR_TEMP_MAX))
		return refuse(b, "reaches beyond the 96 temporaries");
	return 1;
}

static bool instruction(struct builder *b, const struct csir_instr *in)
{
	switch (in->op) {
	case CSIR_CONST: return load_constant(b, in);
	case CSIR_MOV: move(b, in); break;
	case CSIR_SWZ: swizzle(b, in); break;
	case CSIR_SETLANE: b->now.temp[in->dst][in->aux & 3] = b->now.temp[in->a][in->aux2 & 3]; break;
	case CSIR_ADD: lanewise(b, in, ROW_ADD); break;
	case CSIR_SUB: lanewise(b, in, ROW_SUB); break;
	case CSIR_MUL: lanewise(b, in, ROW_MUL); break;
	case CSIR_MAX: lanewise(b, in, ROW_MAX); break;
	case CSIR_MIN: lanewise(b, in, ROW_MIN); break;
	case CSIR_ABS: absolute(b, in); break;
	case CSIR_DOT: dot(b, in); break;
	case CSIR_RSQ: function(b, in, ROW_RSQ); break;
	case CSIR_RCP: function(b, in, ROW_RCP); break;
	case CSIR_SIN: function(b, in, ROW_SIN); break;
	case CSIR_COS: function(b, in, ROW_COS); break;
	case CSIR_TRUNC: function(b, in, ROW_TRUNC); break;
	case CSIR_DDX:
	case CSIR_DDY:
		if (!G3_QUIRK(&b->plan->quirks, derivatives))
			return refuse(b, "is no instruction of ChrisOS (quirk derivatives)");
		derivative(b, in);
		break;
	case CSIR_POW: b->now.temp[in->dst][0] = binary(b, ROW_POW, b->now.temp[in->a][0], b->now.temp[in->b][0]); break;
	case CSIR_CMP: compare(b, in); break;
	case CSIR_MULMV:
	case CSIR_MULMM: return multiply(b, in);
	case CSIR_SAMPLE: sample(b, in); break;
	case CSIR_LOAD_ATTR:
	case CSIR_LOAD_VAR:
	case CSIR_LOAD_FCOORD: return load(b, in);
	case CSIR_LOAD_UNI: return load_uniform(b, in);
	case CSIR_STORE_POS:
	case CSIR_STORE_VAR:
	case CSIR_STORE_COLOR: store(b, in); break;
	case CSIR_IF: return open_if(b, in);
	case CSIR_ELSE: return other_side(b);
	case CSIR_ENDIF: return close_if(b);
	case CSIR_DISCARD: discard(b); break;
	default: return refuse(b, "is no instruction");
	}
	return true;
}

static void begin(struct builder *b)
{
	uint32_t zero = constant(b, 0), one = constant(b, 1);

	for (unsigned reg = 0; reg < CSIR_TEMP_MAX; reg++)
		for (unsigned k = 0; k < 4; k++)
			b->now.temp[reg][k] = zero;
	for (unsigned k = 0; k < 8; k++)
		b->now.output[k] = k == OUTPUT_POSITION + 3 ? one : zero;
	for (unsigned i = 0; i < INPUT_COUNT; i++)
		b->input[i] = VALUE_NONE;
	for (unsigned k = OUTPUT_VARY; k < OUTPUT_COUNT; k++)
		b->now.output[k] = input(b, INPUT_OLD + k - OUTPUT_VARY);
}

static bool build(struct builder *b)
{
	struct csir_plan *p = b->plan;

	begin(b);
	for (b->at = 0; b->at < p->length && !p->failed; b->at++) {
		const struct csir_instr *in = &p->shader->instr[b->at];
		int go;

		if (in->op == CSIR_NOP)
			continue;
		if (in->op >= CSIR_OP_COUNT)
			return refuse(b, "is no instruction");
		go = check_operands(b, in);
		if (!go || (go == 1 && !instruction(b, in)))
			return false;
	}
	b->at = p->length ? p->length - 1 : 0;
	while (b->depth && !p->failed)
		close_if(b);
	memcpy(p->output, b->now.output, sizeof p->output);
	if (p->failed)
		qs_error_set(b->error, QS_ERR_NOMEM, 0, "Not enough memory to run shader %s.", p->shader->name);
	return !p->failed;
}

bool csir_plan_build(struct csir_plan *plan, struct qs_error *error)
{
	struct builder *b = plan->builder ? plan->builder : malloc(sizeof *b);

	if (!b) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "Not enough memory to run shader %s.", plan->shader->name);
		return false;
	}
	plan->builder = b; /* kept for the next time: its levels are big and need no clearing */
	b->plan = plan;
	b->error = error;
	b->at = b->depth = 0;
	memset(b->constant, 0, sizeof b->constant);
	return build(b);
}
