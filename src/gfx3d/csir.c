/* csir.c - tables of CSIR: instructions, types; shaders as values
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gfx3d/csir.h"

#define OP_D CSIR_OPERAND_D
#define OP_A CSIR_OPERAND_A
#define OP_B CSIR_OPERAND_B
#define OP_X CSIR_OPERAND_X
#define OP_Y CSIR_OPERAND_Y

static const struct csir_op_info ops[CSIR_OP_COUNT] = {
#define CSIR_OP(number, name, mnemonic, operands, lanes, pure, text) \
	[number] = {#name, mnemonic, operands, (char)(lanes), pure, text},
#include "gfx3d/csir_ops.def"
#undef CSIR_OP
};

const struct csir_op_info *csir_op_info(unsigned op)
{
	return op < CSIR_OP_COUNT ? &ops[op] : NULL;
}

/* ---- types ---------------------------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	uint8_t lanes, slots;
} types[CSIR_T_COUNT] = {
	[CSIR_T_NONE] = {"none", 0, 0},
	[CSIR_T_VOID] = {"void", 0, 0},
	[CSIR_T_BOOL] = {"bool", 1, 1},
	[CSIR_T_INT] = {"int", 1, 1},
	[CSIR_T_FLOAT] = {"float", 1, 1},
	[CSIR_T_VEC2] = {"vec2", 2, 1},
	[CSIR_T_VEC3] = {"vec3", 3, 1},
	[CSIR_T_VEC4] = {"vec4", 4, 1},
	[CSIR_T_IVEC2] = {"ivec2", 2, 1},
	[CSIR_T_IVEC3] = {"ivec3", 3, 1},
	[CSIR_T_IVEC4] = {"ivec4", 4, 1},
	[CSIR_T_MAT3] = {"mat3", 3, 3},
	[CSIR_T_MAT4] = {"mat4", 4, 4},
	[CSIR_T_SAMPLER2D] = {"sampler2D", 0, 0},
};

const char *csir_type_name(unsigned type)
{
	return type < CSIR_T_COUNT ? types[type].name : "?";
}

bool csir_type_parse(const char *name, enum csir_type *type)
{
	for (unsigned i = 0; i < CSIR_T_COUNT; i++)
		if (!strcmp(name, types[i].name)) {
			*type = (enum csir_type)i;
			return true;
		}
	return false;
}

unsigned csir_type_lanes(unsigned type)
{
	return type < CSIR_T_COUNT ? types[type].lanes : 0;
}

unsigned csir_type_slots(unsigned type)
{
	return type < CSIR_T_COUNT ? types[type].slots : 0;
}

const char *csir_stage_name(unsigned stage)
{
	return stage == CSIR_VERTEX ? "vertex" : stage == CSIR_FRAGMENT ? "fragment" : "?";
}

/* ---- what instructions touch ---------------------------------------------------------------------------------------------- */

static unsigned lanes_mask(unsigned n)
{
	return n >= 4 ? 0xF : (1u << n) - 1;
}

/* Lanes an instruction works on, its default for ncomp 0 applied. */
static unsigned worked_lanes(const struct csir_instr *in)
{
	char kind = ops[in->op].lanes;

	if (kind == 'N')
		return lanes_mask(in->ncomp ? in->ncomp : 4);
	if (kind == '1')
		return lanes_mask(in->ncomp ? in->ncomp : 1);
	if (kind == 'X')
		return 1;
	if (kind == 'L')
		return 1u << (in->aux & 3);
	return kind ? 0xF : 0;
}

static struct csir_span span(int reg, int count, unsigned lanes)
{
	return (struct csir_span){(int16_t)reg, (int16_t)(reg < 0 || count < 0 ? 0 : count), (uint8_t)lanes};
}

static unsigned swizzled_lanes(const struct csir_instr *in)
{
	unsigned mask = 0, n = in->ncomp ? in->ncomp : 1;

	for (unsigned k = 0; k < n && k < 4; k++)
		mask |= 1u << ((in->aux >> (2 * k)) & 3);
	return mask;
}

void csir_effect(const struct csir_instr *in, struct csir_effect *effect)
{
	unsigned lanes;
	int columns = in->aux ? in->aux : 4;

	memset(effect, 0, sizeof *effect);
	effect->write.reg = effect->read[0].reg = effect->read[1].reg = -1;
	if (in->op >= CSIR_OP_COUNT || !in->op)
		return;
	lanes = worked_lanes(in);
	if (ops[in->op].operands & OP_D)
		effect->write = span(in->dst, 1, lanes);
	if (ops[in->op].operands & OP_A)
		effect->read[0] = span(in->a, 1, lanes);
	if (ops[in->op].operands & OP_B)
		effect->read[1] = span(in->b, 1, lanes);
	switch (in->op) {
	case CSIR_SWZ:
		effect->write.lanes = 0xF;
		effect->read[0].lanes = (uint8_t)swizzled_lanes(in);
		break;
	case CSIR_SETLANE:
		effect->read[0].lanes = (uint8_t)(1u << (in->aux2 & 3));
		break;
	case CSIR_DOT:
		effect->read[0].lanes = effect->read[1].lanes =
			(uint8_t)(in->aux < 0 ? 0 : lanes_mask(in->aux ? (unsigned)in->aux : 3));
		break;
	case CSIR_MULMM:
		effect->write = span(in->dst, columns, 0xF);
		effect->read[1] = span(in->b, columns, lanes_mask((unsigned)(columns < 0 ? 0 : columns)));
		effect->read[0] = span(in->a, columns, effect->read[1].lanes);
		break;
	case CSIR_MULMV:
		effect->read[1].lanes = (uint8_t)lanes_mask((unsigned)(columns < 0 ? 0 : columns));
		effect->read[0] = span(in->a, columns, effect->read[1].lanes);
		break;
	case CSIR_SAMPLE:
		effect->read[0].lanes = 0x3;
		break;
	case CSIR_LOAD_UNI:
		effect->write = span(in->dst, in->aux2 ? in->aux2 : 1, 0xF);
		break;
	case CSIR_STORE_POS:
	case CSIR_STORE_VAR:
	case CSIR_STORE_COLOR:
		effect->read[0].lanes = 0xF;
		break;
	case CSIR_IF:
		effect->read[0].lanes = 1;
		break;
	default:
		break;
	}
}

/* ---- shaders -------------------------------------------------------------------------------------------------------------- */

void csir_shader_init(struct csir_shader *shader, enum csir_stage stage, const char *name)
{
	memset(shader, 0, sizeof *shader);
	shader->stage = (uint8_t)stage;
	snprintf(shader->name, sizeof shader->name, "%s", name ? name : "shader");
	shader->attr_high = shader->vary_high = shader->uniform_high = shader->sampler_high = -1;
	shader->linkable = true;
}

void csir_shader_finish(struct csir_shader *shader)
{
	if (!shader)
		return;
	free(shader->source);
	shader->source = NULL;
}

bool csir_shader_copy(struct csir_shader *to, const struct csir_shader *from)
{
	*to = *from;
	if (from->source) {
		to->source = strdup(from->source);
		if (!to->source)
			return false;
	}
	return true;
}

static void raise(int16_t *mark, int value)
{
	if (value > *mark)
		*mark = (int16_t)(value < INT16_MAX ? value : INT16_MAX);
}

static void mark_symbol(struct csir_shader *s, const struct csir_symbol *symbol)
{
	switch (symbol->kind) {
	case CSIR_SYM_UNIFORM:
		raise(&s->uniform_high, symbol->slot + (int)csir_type_slots(symbol->type) - 1);
		break;
	case CSIR_SYM_SAMPLER:
		raise(&s->sampler_high, symbol->slot);
		break;
	case CSIR_SYM_INPUT:
		raise(s->stage == CSIR_VERTEX ? &s->attr_high : &s->vary_high, symbol->slot);
		break;
	default:
		if (s->stage == CSIR_VERTEX)
			raise(&s->vary_high, symbol->slot);
		else
			s->output_count++;
	}
}

void csir_shader_mark(struct csir_shader *s)
{
	bool colour = false;

	s->attr_high = s->vary_high = s->uniform_high = s->sampler_high = -1;
	s->writes_position = false;
	s->output_count = 0;
	for (unsigned i = 0; i < s->symbol_count; i++)
		mark_symbol(s, &s->symbol[i]);
	for (unsigned i = 0; i < s->instr_count; i++) {
		const struct csir_instr *in = &s->instr[i];

		switch (in->op) {
		case CSIR_LOAD_ATTR: raise(&s->attr_high, in->aux); break;
		case CSIR_LOAD_VAR: raise(&s->vary_high, in->aux); break;
		case CSIR_STORE_VAR: raise(&s->vary_high, in->aux); break;
		case CSIR_LOAD_UNI: raise(&s->uniform_high, in->aux + (in->aux2 > 0 ? in->aux2 : 1) - 1); break;
		case CSIR_SAMPLE: raise(&s->sampler_high, in->aux); break;
		case CSIR_STORE_POS: s->writes_position = true; break;
		case CSIR_STORE_COLOR: colour = true; break;
		default: break;
		}
	}
	if (colour && !s->output_count)
		s->output_count = 1;
}

/* ---- text ----------------------------------------------------------------------------------------------------------------- */

static bool text_reserve(struct csir_text *text, size_t more)
{
	size_t want = text->size + more + 1, capacity = text->capacity ? text->capacity : 512;
	char *data;

	if (want <= text->capacity)
		return true;
	while (capacity < want)
		capacity *= 2;
	data = realloc(text->data, capacity);
	if (!data) {
		text->failed = true;
		return false;
	}
	text->data = data;
	text->capacity = capacity;
	return true;
}

void csir_text_add(struct csir_text *text, const char *format, ...)
{
	va_list args;
	int n;

	if (text->failed)
		return;
	va_start(args, format);
	n = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (n < 0 || !text_reserve(text, (size_t)n))
		return;
	va_start(args, format);
	vsnprintf(text->data + text->size, (size_t)n + 1, format, args);
	va_end(args);
	text->size += (size_t)n;
}

void csir_text_finish(struct csir_text *text)
{
	free(text->data);
	memset(text, 0, sizeof *text);
}
