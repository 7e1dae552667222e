/* asm.c - CSIR as text that can be read back (docs/csir.md, "The text form")
 *
 * A line is a directive or an instruction; '#' starts a comment.  An instruction is
 *     NUMBER: %DST = MNEMONIC.LANES %A %B KEY=VALUE ...
 * where everything that has its usual value (registers -1, in CONST 0; numbers 0) is left out, so that every field survives.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gfx3d/exec.h"

static const char *const relations[] = {NULL, "lt", "gt", "le", "ge", "eq", "ne"};
static const char *const kinds[] = {"uniform", "input", "output", "sampler"};

/* ---- printer -------------------------------------------------------------------------------------------------------------- */

/* SWZ as letters: only when the mask has nothing beyond its lanes. */
static bool has_letters(const struct csir_instr *in)
{
	return in->op == CSIR_SWZ && in->ncomp >= 1 && in->ncomp <= 4 && in->aux >= 0 && in->aux < 1 << (2 * in->ncomp);
}

/* Source registers that an instruction does not use: -1; the compiler leaves 0 in those of CONST. */
static int16_t usual(unsigned op)
{
	return op == CSIR_CONST ? 0 : -1;
}

static void print_registers(struct csir_text *t, const struct csir_instr *in, unsigned operands)
{
	bool a = (operands & CSIR_OPERAND_A) && in->a >= 0, b = a && (operands & CSIR_OPERAND_B) && in->b >= 0;

	if (a)
		csir_text_add(t, " %%%d", in->a);
	if (has_letters(in) && a) {
		csir_text_add(t, ".");
		for (unsigned k = 0; k < in->ncomp; k++)
			csir_text_add(t, "%c", "xyzw"[(in->aux >> (2 * k)) & 3]);
	}
	if (b)
		csir_text_add(t, " %%%d", in->b);
	if (!((operands & CSIR_OPERAND_D) && in->dst >= 0) && in->dst != -1)
		csir_text_add(t, " dst=%d", in->dst);
	if (!a && in->a != usual(in->op))
		csir_text_add(t, " a=%d", in->a);
	if (!b && in->b != usual(in->op))
		csir_text_add(t, " b=%d", in->b);
	if (in->c != usual(in->op))
		csir_text_add(t, " c=%d", in->c);
}

static void print_fields(struct csir_text *t, const struct csir_instr *in, bool all)
{
	const struct csir_op_info *info = csir_op_info(in->op);
	unsigned operands = info ? info->operands : 0;

	if ((operands & CSIR_OPERAND_D) && in->dst >= 0)
		csir_text_add(t, "%%%d = ", in->dst);
	if (info)
		csir_text_add(t, "%s", info->mnemonic);
	else
		csir_text_add(t, "op%u", in->op);
	if (in->ncomp)
		csir_text_add(t, ".%u", in->ncomp);
	print_registers(t, in, operands);
	if (in->op == CSIR_CMP && in->aux >= CSIR_LT && in->aux <= CSIR_NE)
		csir_text_add(t, " rel=%s", relations[in->aux]);
	else if (in->aux && !(has_letters(in) && in->a >= 0))
		csir_text_add(t, " aux=%d", in->aux);
	if (in->aux2)
		csir_text_add(t, " aux2=%d", in->aux2);
	if (in->type && all && in->type < CSIR_T_COUNT)
		csir_text_add(t, " type=%s", csir_type_name(in->type));
	else if (in->type && all)
		csir_text_add(t, " type=%u", in->type);
	if (in->pad && all)
		csir_text_add(t, " pad=%u", in->pad);
}

static void print_number(struct csir_text *t, float value)
{
	if (isfinite(value))
		csir_text_add(t, " %.9g", (double)value);
	else
		csir_text_add(t, " 0x%08x", csir_bits(value));
}

static void print_quoted(struct csir_text *t, const char *name)
{
	csir_text_add(t, "\"");
	for (const unsigned char *c = (const unsigned char *)name; *c; c++)
		if (*c < ' ' || *c == '"' || *c == '\\' || *c == 127)
			csir_text_add(t, "\\x%02x", *c);
		else
			csir_text_add(t, "%c", *c);
	csir_text_add(t, "\"");
}

static void print_symbols(struct csir_text *t, const struct csir_shader *s)
{
	for (unsigned i = 0; i < s->symbol_count; i++) {
		const struct csir_symbol *symbol = &s->symbol[i];

		csir_text_add(t, "%s %s ", kinds[symbol->kind & 3], csir_type_name(symbol->type));
		print_quoted(t, symbol->name);
		csir_text_add(t, " slot=%d\n", symbol->slot);
	}
}

bool csir_print(const struct csir_shader *s, struct csir_text *t)
{
	csir_text_add(t, "shader ");
	print_quoted(t, s->name);
	csir_text_add(t, " %s\n", csir_stage_name(s->stage));
	if (s->version)
		csir_text_add(t, "version %d\n", s->version);
	print_symbols(t, s);
	csir_text_add(t, "marks attr=%d vary=%d uniform=%d sampler=%d position=%d outputs=%u linkable=%d\n", s->attr_high, s->vary_high,
		s->uniform_high, s->sampler_high, s->writes_position, s->output_count, s->linkable);
	csir_text_add(t, "temps %d\n", s->temp_count);
	for (unsigned i = 0; i < s->imm_count; i++) {
		if (i % 8 == 0)
			csir_text_add(t, "%simm", i ? "\n" : "");
		print_number(t, s->imm[i]);
	}
	if (s->imm_count)
		csir_text_add(t, "\n");
	for (unsigned i = 0; i < s->instr_count; i++) {
		csir_text_add(t, "%3u: ", i);
		print_fields(t, &s->instr[i], true);
		if (s->line[i])
			csir_text_add(t, " line=%u", s->line[i]);
		csir_text_add(t, "\n");
	}
	return !t->failed;
}

char *csir_instr_text(const struct csir_shader *shader, unsigned i, char *buffer, size_t size)
{
	struct csir_text t = {0};
	const struct csir_instr *in = &shader->instr[i];

	if (!size)
		return buffer;
	buffer[0] = 0;
	if (i >= shader->instr_count)
		return buffer;
	print_fields(&t, in, false);
	if (in->op == CSIR_CONST && in->aux >= 0) {
		csir_text_add(&t, " (");
		for (int k = 0; k < in->ncomp && k < 4 && in->aux + k < CSIR_IMM_MAX; k++)
			csir_text_add(&t, "%s%.7g", k ? " " : "", (double)shader->imm[in->aux + k]);
		csir_text_add(&t, ")");
	}
	if (t.data)
		snprintf(buffer, size, "%s", t.data);
	csir_text_finish(&t);
	return buffer;
}

/* ---- reader --------------------------------------------------------------------------------------------------------------- */

struct reader {
	struct csir_shader *shader;
	struct qs_error *error;
	const char *at, *end; /* of the line */
	unsigned line;
};

static bool refuse(const struct reader *r, const char *what)
{
	qs_error_set(r->error, QS_ERR_FORMAT, r->line, "CSIR text, line %u: %s.", r->line, what);
	return false;
}

static bool blank(struct reader *r)
{
	while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r' || *r->at == ','))
		r->at++;
	return r->at == r->end || *r->at == '#';
}

/* Letters, digits and _ ; false when there is none or it is longer than the buffer. */
static bool word(struct reader *r, char *buffer, size_t size)
{
	size_t n = 0;

	blank(r);
	while (r->at + n < r->end && (strchr("_", r->at[n]) || (r->at[n] >= 'a' && r->at[n] <= 'z') || (r->at[n] >= 'A' && r->at[n] <= 'Z') ||
			(r->at[n] >= '0' && r->at[n] <= '9')) && r->at[n])
		n++;
	if (!n || n >= size)
		return false;
	memcpy(buffer, r->at, n);
	buffer[n] = 0;
	r->at += n;
	return true;
}

static bool punctuation(struct reader *r, char c)
{
	if (blank(r) || *r->at != c)
		return false;
	r->at++;
	return true;
}

/* A whole number between least and most. */
static bool integer(struct reader *r, long least, long most, long *value)
{
	char buffer[16];
	size_t n = 0;
	char *stop;

	blank(r);
	while (r->at + n < r->end && n + 1 < sizeof buffer && ((r->at[n] >= '0' && r->at[n] <= '9') || (r->at[n] == '-' && !n))) {
		buffer[n] = r->at[n];
		n++;
	}
	buffer[n] = 0;
	*value = strtol(buffer, &stop, 10);
	if (!n || *stop || stop == buffer || *value < least || *value > most)
		return false;
	r->at += n;
	return true;
}

static bool quoted(struct reader *r, char *buffer, size_t size)
{
	size_t n = 0;

	if (!punctuation(r, '"'))
		return false;
	for (; r->at < r->end && *r->at != '"'; r->at++) {
		unsigned code;
		char digits[3] = "";

		if (n + 1 >= size)
			return false;
		if (*r->at != '\\') {
			buffer[n++] = *r->at;
			continue;
		}
		if (r->end - r->at < 4 || r->at[1] != 'x')
			return false;
		memcpy(digits, r->at + 2, 2);
		if (strspn(digits, "0123456789abcdefABCDEF") != 2)
			return false;
		code = (unsigned)strtoul(digits, NULL, 16);
		if (!code)
			return false;
		buffer[n++] = (char)code;
		r->at += 3;
	}
	buffer[n] = 0;
	return punctuation(r, '"');
}

static bool register_number(struct reader *r, int16_t *reg)
{
	long n;

	if (!integer(r, 0, INT16_MAX, &n))
		return refuse(r, "a register is % and a number");
	*reg = (int16_t)n;
	return true;
}

/* ".yzx" behind the source of SWZ */
static bool letters(struct reader *r, struct csir_instr *in)
{
	unsigned mask = 0, n = 0;

	for (; r->at < r->end && *r->at && strchr("xyzw", *r->at); r->at++, n++) {
		if (n == 4)
			return refuse(r, "at most four letters");
		mask |= (unsigned)(strchr("xyzw", *r->at) - "xyzw") << (2 * n);
	}
	if (!n || in->op != CSIR_SWZ)
		return refuse(r, "only the source of swz has letters x y z w behind it");
	in->aux = (int16_t)mask;
	return true;
}

static bool type_value(struct reader *r, uint8_t *type)
{
	char name[16];
	enum csir_type t;
	long n;

	if (integer(r, 0, 255, &n)) {
		*type = (uint8_t)n;
		return true;
	}
	if (!word(r, name, sizeof name) || !csir_type_parse(name, &t))
		return refuse(r, "no such type");
	*type = (uint8_t)t;
	return true;
}

static bool relation(struct reader *r, int16_t *aux)
{
	char name[8] = "";

	word(r, name, sizeof name);
	for (int i = CSIR_LT; i <= CSIR_NE; i++)
		if (!strcmp(name, relations[i])) {
			*aux = (int16_t)i;
			return true;
		}
	return refuse(r, "a relation is lt gt le ge eq or ne");
}

static bool key(struct reader *r, struct csir_instr *in, uint16_t *line)
{
	static const char *const names[] = {"dst", "a", "b", "c", "aux", "aux2"};
	int16_t *const fields[] = {&in->dst, &in->a, &in->b, &in->c, &in->aux, &in->aux2};
	char name[8];
	long n;

	if (!word(r, name, sizeof name) || !punctuation(r, '='))
		return refuse(r, "expected a register or KEY=VALUE");
	if (!strcmp(name, "type"))
		return type_value(r, &in->type);
	if (!strcmp(name, "rel"))
		return relation(r, &in->aux);
	for (unsigned i = 0; i < 6; i++)
		if (!strcmp(name, names[i])) {
			if (!integer(r, INT16_MIN, INT16_MAX, &n))
				return refuse(r, "the value is not a whole number of 16 bits");
			*fields[i] = (int16_t)n;
			return true;
		}
	if (!strcmp(name, "line") && integer(r, 0, UINT16_MAX, &n))
		*line = (uint16_t)n;
	else if (!strcmp(name, "pad") && integer(r, 0, 255, &n))
		in->pad = (uint8_t)n;
	else
		return refuse(r, "no such key, or not a value for it");
	return true;
}

static bool mnemonic(struct reader *r, const char *name, struct csir_instr *in)
{
	long n;

	for (unsigned op = 0; op < CSIR_OP_COUNT; op++)
		if (!strcmp(name, csir_op_info(op)->mnemonic)) {
			in->op = (uint8_t)op;
			in->a = in->b = in->c = usual(op);
			if (!punctuation(r, '.'))
				return true;
			if (!integer(r, 0, 255, &n))
				return refuse(r, "behind the point stands the number of lanes");
			in->ncomp = (uint8_t)n;
			return true;
		}
	return refuse(r, "no such instruction");
}

static bool operands(struct reader *r, struct csir_instr *in, uint16_t *line)
{
	unsigned registers = 0;

	while (!blank(r)) {
		if (!punctuation(r, '%')) {
			if (!key(r, in, line))
				return false;
			continue;
		}
		if (registers == 2 || !register_number(r, registers ? &in->b : &in->a))
			return registers == 2 ? refuse(r, "at most two source registers") : false;
		registers++;
		if (r->at < r->end && *r->at == '.') {
			r->at++;
			if (!letters(r, in))
				return false;
		}
	}
	return true;
}

static bool instruction(struct reader *r)
{
	struct csir_shader *s = r->shader;
	struct csir_instr in = {.dst = -1, .a = -1, .b = -1, .c = -1};
	const char *start;
	char name[20];
	uint16_t line = 0;
	long n;

	if (s->instr_count == CSIR_INSTR_MAX)
		return refuse(r, "more than 384 instructions");
	start = r->at;
	if (integer(r, 0, INT16_MAX, &n) && !punctuation(r, ':')) {
		r->at = start;
		return refuse(r, "a number in front of an instruction ends with a colon");
	}
	if (punctuation(r, '%')) {
		if (!register_number(r, &in.dst))
			return false;
		if (!punctuation(r, '='))
			return refuse(r, "expected %REGISTER = INSTRUCTION");
	}
	if (!word(r, name, sizeof name))
		return refuse(r, "expected an instruction");
	if (!mnemonic(r, name, &in) || !operands(r, &in, &line))
		return false;
	s->line[s->instr_count] = line;
	s->instr[s->instr_count++] = in;
	return true;
}

/* ---- directives ----------------------------------------------------------------------------------------------------------- */

static bool read_shader(struct reader *r)
{
	char stage[12];

	if (!quoted(r, r->shader->name, sizeof r->shader->name) || !word(r, stage, sizeof stage) ||
		(strcmp(stage, "vertex") && strcmp(stage, "fragment")))
		return refuse(r, "expected shader \"NAME\" vertex, or fragment");
	r->shader->stage = strcmp(stage, "vertex") ? CSIR_FRAGMENT : CSIR_VERTEX;
	return true;
}

static bool read_symbol(struct reader *r, unsigned kind)
{
	struct csir_shader *s = r->shader;
	struct csir_symbol *symbol = &s->symbol[s->symbol_count];
	char name[8];
	long slot;

	if (s->symbol_count == CSIR_SYMBOL_MAX)
		return refuse(r, "more than 64 symbols");
	symbol->kind = (uint8_t)kind;
	if (!type_value(r, &symbol->type))
		return false;
	if (symbol->type >= CSIR_T_COUNT || !quoted(r, symbol->name, sizeof symbol->name))
		return refuse(r, "expected TYPE \"NAME\" slot=NUMBER");
	if (!word(r, name, sizeof name) || strcmp(name, "slot") || !punctuation(r, '=') || !integer(r, 0, CSIR_UNIFORM_SLOTS - 1, &slot))
		return refuse(r, "expected slot= and a number from 0 to 31");
	if (kind == CSIR_SYM_UNIFORM && slot + (long)csir_type_slots(symbol->type) > CSIR_UNIFORM_SLOTS)
		return refuse(r, "the uniform does not fit into 32 slots");
	if ((kind == CSIR_SYM_INPUT || kind == CSIR_SYM_OUTPUT) && slot >= CSIR_VARY_MAX)
		return refuse(r, "inputs and outputs have the slots 0 to 7");
	symbol->slot = (int16_t)slot;
	s->symbol_count++;
	return true;
}

static bool read_marks(struct reader *r)
{
	static const char *const names[] = {"attr", "vary", "uniform", "sampler", "position", "outputs", "linkable"};
	static const long least[] = {-1, -1, -1, -1, 0, 0, 0}, most[] = {INT16_MAX, INT16_MAX, INT16_MAX, INT16_MAX, 1, 255, 1}; /* verify.c says */
	long values[7];
	char name[12];

	for (unsigned i = 0; i < 7; i++)
		if (!word(r, name, sizeof name) || strcmp(name, names[i]) || !punctuation(r, '=') || !integer(r, least[i], most[i], &values[i]))
			return refuse(r, "expected attr= vary= uniform= sampler= position= outputs= linkable= in this order");
	r->shader->attr_high = (int16_t)values[0];
	r->shader->vary_high = (int16_t)values[1];
	r->shader->uniform_high = (int16_t)values[2];
	r->shader->sampler_high = (int16_t)values[3];
	r->shader->writes_position = values[4] != 0;
	r->shader->output_count = (uint8_t)values[5];
	r->shader->linkable = values[6] != 0;
	return true;
}

static bool read_immediates(struct reader *r)
{
	struct csir_shader *s = r->shader;

	while (!blank(r)) {
		char text[40];
		size_t n = 0;
		char *stop;
		float value;

		while (r->at + n < r->end && n + 1 < sizeof text && !strchr(" \t\r,#", r->at[n]) && r->at[n]) {
			text[n] = r->at[n];
			n++;
		}
		text[n] = 0;
		if (!strncmp(text, "0x", 2) && n == 10) {
			uint32_t bits = (uint32_t)strtoul(text, &stop, 16);

			memcpy(&value, &bits, sizeof value);
		} else {
			value = strtof(text, &stop);
		}
		if (!n || *stop || stop == text)
			return refuse(r, "not a number");
		if (s->imm_count == CSIR_IMM_MAX)
			return refuse(r, "more than 160 immediates");
		s->imm[s->imm_count++] = value;
		r->at += n;
	}
	return true;
}

static bool read_number(struct reader *r, long most, long *value)
{
	return integer(r, 0, most, value) || refuse(r, "expected a number");
}

static bool directive(struct reader *r, const char *name, bool *known, bool *marked)
{
	long n;

	*known = true;
	if (!strcmp(name, "shader"))
		return read_shader(r);
	if (!strcmp(name, "imm"))
		return read_immediates(r);
	if (!strcmp(name, "marks")) {
		*marked = true;
		return read_marks(r);
	}
	if (!strcmp(name, "temps") || !strcmp(name, "version")) {
		if (!read_number(r, *name == 't' ? CSIR_TEMP_MAX : 9999, &n))
			return false;
		if (*name == 't')
			r->shader->temp_count = (int16_t)n;
		else
			r->shader->version = (int)n;
		return true;
	}
	for (unsigned kind = 0; kind < 4; kind++)
		if (!strcmp(name, kinds[kind]))
			return read_symbol(r, kind);
	*known = false;
	return true;
}

static bool text_line(struct reader *r, bool *marked)
{
	const char *start = r->at;
	char name[12];
	bool known = false;

	if (blank(r))
		return true;
	if (word(r, name, sizeof name) && !directive(r, name, &known, marked))
		return false;
	if (known)
		return blank(r) || refuse(r, "something is left over at the end of the line");
	r->at = start;
	return instruction(r);
}

bool csir_read(struct csir_shader *shader, const char *text, size_t size, struct qs_error *error)
{
	struct reader r = {.shader = shader, .error = error};
	const char *end = text + size;
	bool marked = false;

	csir_shader_init(shader, CSIR_FRAGMENT, "shader");
	while (text < end) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));

		r.at = text;
		r.end = stop ? stop : end;
		r.line++;
		if (!text_line(&r, &marked))
			return false;
		text = stop ? stop + 1 : end;
	}
	if (!marked)
		csir_shader_mark(shader);
	return true;
}
