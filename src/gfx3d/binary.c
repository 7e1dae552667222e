/* binary.c - the form "CSI" (spec 01 section 8)
 *
 * Eight words, the instruction records, the immediates; everything little-endian.  Symbols are not in it, nor are the marks
 * (highest attribute, varying, uniform, sampler), which are found again from the instructions, or not (quirk binary_marks).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "gfx3d/exec.h"

#define MAGIC 0x52495343u /* C S I R in memory */
#define VERSION 1
#define HEAD 32
#define RECORD 16

static void put16(uint8_t *to, unsigned value)
{
	to[0] = (uint8_t)value;
	to[1] = (uint8_t)(value >> 8);
}

static void put32(uint8_t *to, uint32_t value)
{
	put16(to, value & 0xFFFF);
	put16(to + 2, value >> 16);
}

static int16_t get16(const uint8_t *from)
{
	return (int16_t)(uint16_t)(from[0] | from[1] << 8);
}

static uint32_t get32(const uint8_t *from)
{
	return (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

static void put_instr(uint8_t *to, const struct csir_instr *in)
{
	const int16_t fields[6] = {in->dst, in->a, in->b, in->c, in->aux, in->aux2};

	to[0] = in->op;
	to[1] = in->type;
	to[2] = in->ncomp;
	to[3] = in->pad;
	for (unsigned i = 0; i < 6; i++)
		put16(to + 4 + 2 * i, (uint16_t)fields[i]);
}

static void get_instr(const uint8_t *from, struct csir_instr *in)
{
	*in = (struct csir_instr){from[0], from[1], from[2], from[3], get16(from + 4), get16(from + 6), get16(from + 8), get16(from + 10),
		get16(from + 12), get16(from + 14)};
}

static uint32_t sum_of(const uint8_t *bytes, size_t size)
{
	uint32_t sum = 0;

	while (size--)
		sum += *bytes++;
	return sum;
}

bool csir_save(const struct csir_shader *s, uint8_t **data, size_t *size, struct qs_error *error)
{
	size_t records = (size_t)s->instr_count * RECORD;

	*size = HEAD + records + s->imm_count * 4u;
	*data = calloc(1, *size);
	if (!*data) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "Not enough memory for the binary form of shader %s.", s->name);
		return false;
	}
	for (unsigned i = 0; i < s->instr_count; i++)
		put_instr(*data + HEAD + i * RECORD, &s->instr[i]);
	for (unsigned i = 0; i < s->imm_count; i++)
		put32(*data + HEAD + records + 4 * i, csir_bits(s->imm[i]));
	put32(*data, MAGIC);
	put32(*data + 4, VERSION);
	put32(*data + 8, s->stage);
	put32(*data + 12, s->instr_count);
	put32(*data + 16, s->imm_count);
	put32(*data + 20, (uint32_t)s->temp_count);
	put32(*data + 24, sum_of(*data + HEAD, records));
	return true;
}

static const char *wrong(const uint8_t *data, size_t size)
{
	uint32_t instrs, imms;

	if (size < HEAD || get32(data) != MAGIC)
		return "does not begin with the letters CSIR";
	if (get32(data + 4) != VERSION)
		return "has an unknown version";
	if (get32(data + 8) > CSIR_FRAGMENT)
		return "is for neither the vertex nor the fragment stage";
	instrs = get32(data + 12);
	imms = get32(data + 16);
	if (instrs > CSIR_INSTR_MAX || imms > CSIR_IMM_MAX || get32(data + 20) > CSIR_TEMP_MAX)
		return "has more instructions, immediates or temporaries than there can be";
	if (size != HEAD + instrs * (size_t)RECORD + imms * 4u)
		return "is not as long as its header says";
	if (get32(data + 24) != sum_of(data + HEAD, instrs * (size_t)RECORD))
		return "has a wrong checksum";
	return NULL;
}

/* ChrisOS takes 0 for everything it does not find. */
static void lose_marks(struct csir_shader *s)
{
	s->attr_high = s->vary_high = s->uniform_high = s->sampler_high = 0;
	s->writes_position = false;
	s->output_count = 0;
	s->linkable = false;
}

bool csir_load(struct csir_shader *s, const uint8_t *data, size_t size, const struct g3_quirks *quirks, struct qs_error *error)
{
	const char *message = wrong(data, size);
	size_t records;

	csir_shader_init(s, CSIR_VERTEX, "binary");
	if (message) {
		qs_error_set(error, QS_ERR_FORMAT, 0, "The shader binary %s.", message);
		return false;
	}
	s->stage = (uint8_t)get32(data + 8);
	s->instr_count = (uint16_t)get32(data + 12);
	s->imm_count = (uint16_t)get32(data + 16);
	s->temp_count = (int16_t)get32(data + 20);
	records = (size_t)s->instr_count * RECORD;
	for (unsigned i = 0; i < s->instr_count; i++)
		get_instr(data + HEAD + i * RECORD, &s->instr[i]);
	for (unsigned i = 0; i < s->imm_count; i++) {
		uint32_t bits = get32(data + HEAD + records + 4 * i);

		memcpy(&s->imm[i], &bits, sizeof bits);
	}
	if (G3_QUIRK(quirks, binary_marks))
		csir_shader_mark(s);
	else
		lose_marks(s);
	return csir_verify(s, csir_rules_of(quirks), error);
}
