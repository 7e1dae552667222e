/* tgsi.c - CSIR as TGSI text for a VirGL host (spec 03 sections 1 to 3)
 *
 * The opcode mapping is the one of ChrisOS, so that a difference seen there is seen here; sources always have no letter or four,
 * because the parser of virglrenderer refuses fewer.  `literal` gives the text ChrisOS itself writes (IF with one letter, six
 * digits).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gfx3d/exec.h"

struct emitter {
	const struct csir_shader *shader;
	const struct csir_tgsi_options *options;
	struct csir_text *text;
	uint32_t length;  /* instructions that are written */
	uint32_t counter; /* of TGSI instructions */
	unsigned immediates;
	int32_t at;       /* CSIR instruction, -1: none */
	size_t start;     /* of our text */
	int32_t *lines;
	uint32_t line_count, line_capacity;
	bool failed;
};

static const char lane_letter[] = "xyzw";

void csir_tgsi_options_init(struct csir_tgsi_options *options, const struct g3_quirks *quirks)
{
	*options = (struct csir_tgsi_options){.literal = !G3_QUIRK(quirks, tgsi_if), .digits = !G3_QUIRK(quirks, tgsi_digits),
		.budget = (uint32_t)G3_QUIRK(quirks, tgsi_budget), .cut = UINT32_MAX, .cut_temp = -1};
}

/* ---- lines ---------------------------------------------------------------------------------------------------------------- */

static void note_line(struct emitter *e)
{
	if (e->line_count == e->line_capacity) {
		uint32_t capacity = e->line_capacity ? e->line_capacity * 2 : 128;
		int32_t *grown = realloc(e->lines, capacity * sizeof *grown);

		if (!grown) {
			e->failed = true;
			return;
		}
		e->lines = grown;
		e->line_capacity = capacity;
	}
	e->lines[e->line_count++] = e->at;
}

static void line(struct emitter *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void line(struct emitter *e, const char *format, ...)
{
	char buffer[200];
	va_list args;

	va_start(args, format);
	vsnprintf(buffer, sizeof buffer, format, args);
	va_end(args);
	if (e->at >= 0)
		csir_text_add(e->text, "  %u: %s\n", e->counter++, buffer);
	else
		csir_text_add(e->text, "%s\n", buffer);
	note_line(e);
}

/* ---- declarations --------------------------------------------------------------------------------------------------------- */

static int varying(const struct emitter *e, int slot)
{
	const int16_t *remap = e->options->var_remap;

	return remap && slot >= 0 && slot < CSIR_VARY_MAX && remap[slot] >= 0 ? remap[slot] : slot;
}

static bool loads_fcoord(const struct emitter *e)
{
	for (uint32_t i = 0; i < e->length; i++)
		if (e->shader->instr[i].op == CSIR_LOAD_FCOORD)
			return true;
	return false;
}

static void declare_vertex(struct emitter *e)
{
	for (int i = 0; i <= e->shader->attr_high; i++)
		line(e, "DCL IN[%d]", i);
	line(e, "DCL OUT[0], POSITION");
	if (e->options->cut_temp >= 0)
		line(e, "DCL OUT[1], GENERIC[0]");
	for (int i = 0; i <= e->shader->vary_high && e->options->cut_temp < 0; i++)
		line(e, "DCL OUT[%d], GENERIC[%d]", i + 1, i);
}

static void declare_fragment(struct emitter *e)
{
	for (int i = 0; i <= e->shader->vary_high; i++)
		line(e, "DCL IN[%d], GENERIC[%d], PERSPECTIVE", varying(e, i), varying(e, i));
	if (loads_fcoord(e))
		line(e, "DCL IN[7], POSITION");
	line(e, "DCL OUT[0], COLOR");
	for (int i = 0; i <= e->shader->sampler_high; i++) {
		line(e, "DCL SAMP[%d]", i);
		line(e, "DCL SVIEW[%d], 2D, FLOAT", i);
	}
}

static void number(const struct emitter *e, float value, char buffer[24])
{
	if (e->options->digits || e->options->literal) {
		csir_digits(value, buffer);
		return;
	}
	if (isnan(value))
		snprintf(buffer, 24, "0.0");
	else if (isinf(value))
		snprintf(buffer, 24, "%s3.40282347e+38", value < 0 ? "-" : "");
	else
		snprintf(buffer, 24, "%.9g", (double)value);
	if (!strpbrk(buffer, ".e"))
		strcat(buffer, ".0");
}

static void immediate(struct emitter *e, const struct csir_instr *in, unsigned index)
{
	char text[4][24];

	for (int k = 0; k < 4; k++)
		number(e, k < in->ncomp && in->aux >= 0 && in->aux + k < CSIR_IMM_MAX ? e->shader->imm[in->aux + k] : 0, text[k]);
	line(e, "IMM[%u] FLT32 {%s, %s, %s, %s}", index, text[0], text[1], text[2], text[3]);
}

static void declare(struct emitter *e)
{
	const struct csir_shader *s = e->shader;

	line(e, "%s", s->stage == CSIR_VERTEX ? "VERT" : "FRAG");
	if (s->stage == CSIR_VERTEX)
		declare_vertex(e);
	else
		declare_fragment(e);
	if (s->uniform_high >= 0)
		line(e, "DCL CONST[0][0..%d]", s->uniform_high);
	if (s->temp_count > 1)
		line(e, "DCL TEMP[0..%d]", s->temp_count - 1);
	else if (s->temp_count == 1)
		line(e, "DCL TEMP[0]");
	for (uint32_t i = 0; i < e->length; i++)
		if (s->instr[i].op == CSIR_CONST)
			immediate(e, &s->instr[i], e->immediates++);
	if (s->stage == CSIR_VERTEX && e->options->cut_temp >= 0)
		line(e, "IMM[%u] FLT32 {0.0, 0.0, 0.0, 1.0}", e->immediates);
}

/* ---- instructions --------------------------------------------------------------------------------------------------------- */

/* ".xyz" of the first n lanes; "" for all four. */
static const char *mask_of(unsigned n)
{
	static const char *const masks[] = {"", ".x", ".xy", ".xyz", ""};

	return masks[n < 4 ? n : 4];
}

/* A source with the letters of a swizzle; the last one is repeated up to four. */
static const char *letters_of(int mask, unsigned n, char buffer[8])
{
	if (n >= 4 && (mask & 0xFF) == 0xE4) {
		buffer[0] = 0;
		return buffer;
	}
	buffer[0] = '.';
	for (unsigned k = 0; k < 4; k++)
		buffer[1 + k] = lane_letter[(mask >> (2 * (k < n ? k : n - 1))) & 3];
	buffer[5] = 0;
	return buffer;
}

static unsigned lanes_of(const struct csir_instr *in, unsigned otherwise)
{
	unsigned n = in->ncomp ? in->ncomp : otherwise;

	return n < 4 ? n : 4;
}

static void move(struct emitter *e, const struct csir_instr *in)
{
	unsigned n = lanes_of(in, 4); /* also for SWZ, whose 0 means 1 to the interpreter */
	char letters[8];

	line(e, "MOV TEMP[%d]%s, TEMP[%d]%s", in->dst, mask_of(n), in->a, letters_of(in->op == CSIR_SWZ ? in->aux : 0xE4, n, letters));
}

static void each_lane(struct emitter *e, const struct csir_instr *in)
{
	for (unsigned k = 0; k < lanes_of(in, 1); k++) {
		char c = lane_letter[k];

		line(e, "%s TEMP[%d].%c, TEMP[%d].%c%c%c%c", csir_op_info(in->op)->name, in->dst, c, in->a, c, c, c, c);
	}
}

static void compare(struct emitter *e, const struct csir_instr *in)
{
	bool swapped = in->aux == CSIR_GT || in->aux == CSIR_LE;
	const char *word = in->aux == CSIR_GE || in->aux == CSIR_LE ? "SGE" : in->aux == CSIR_EQ ? "SEQ" : in->aux == CSIR_NE ? "SNE" : "SLT";

	line(e, "%s TEMP[%d].x, TEMP[%d].xxxx, TEMP[%d].xxxx", word, in->dst, swapped ? in->b : in->a, swapped ? in->a : in->b);
}

static void column(struct emitter *e, int dst, int matrix, int vector, int columns)
{
	for (int k = 0; k < columns; k++) {
		char c = lane_letter[k & 3];

		if (k)
			line(e, "MAD TEMP[%d], TEMP[%d].%c%c%c%c, TEMP[%d], TEMP[%d]", dst, vector, c, c, c, c, matrix + k, dst);
		else
			line(e, "MUL TEMP[%d], TEMP[%d].%c%c%c%c, TEMP[%d]", dst, vector, c, c, c, c, matrix);
	}
}

static void multiply(struct emitter *e, const struct csir_instr *in)
{
	int columns = in->aux ? in->aux : 4;

	for (int i = 0; i < (in->op == CSIR_MULMM ? columns : 1); i++)
		column(e, in->dst + i, in->a, in->b + i, columns);
}

static void condition(struct emitter *e, const struct csir_instr *in)
{
	line(e, "IF TEMP[%d].%s", in->a, e->options->literal ? "x" : "xxxx");
}

static void instruction(struct emitter *e, const struct csir_instr *in, unsigned *immediates)
{
	const char *word = csir_op_info(in->op)->name;

	switch (in->op) {
	case CSIR_CONST: line(e, "MOV TEMP[%d], IMM[%u]", in->dst, (*immediates)++); break;
	case CSIR_MOV:
	case CSIR_SWZ: move(e, in); break;
	case CSIR_SETLANE: {
		char to = lane_letter[in->aux & 3], from = lane_letter[in->aux2 & 3];

		line(e, "MOV TEMP[%d].%c, TEMP[%d].%c%c%c%c", in->dst, to, in->a, from, from, from, from);
		break;
	}
	case CSIR_ADD:
	case CSIR_SUB:
	case CSIR_MUL:
	case CSIR_MAX:
	case CSIR_MIN: line(e, "%s TEMP[%d]%s, TEMP[%d], TEMP[%d]", word, in->dst, mask_of(lanes_of(in, 4)), in->a, in->b); break;
	case CSIR_ABS: line(e, "ABS TEMP[%d], TEMP[%d]", in->dst, in->a); break;
	case CSIR_DOT: line(e, "%s TEMP[%d].x, TEMP[%d], TEMP[%d]", in->aux == 4 ? "DP4" : "DP3", in->dst, in->a, in->b); break;
	case CSIR_RSQ:
	case CSIR_RCP:
	case CSIR_SIN:
	case CSIR_COS:
	case CSIR_TRUNC: each_lane(e, in); break;
	case CSIR_DDX:
	case CSIR_DDY: line(e, "%s TEMP[%d]%s, TEMP[%d]", word, in->dst, mask_of(lanes_of(in, 4)), in->a); break;
	case CSIR_POW: line(e, "POW TEMP[%d].x, TEMP[%d].xxxx, TEMP[%d].xxxx", in->dst, in->a, in->b); break;
	case CSIR_CMP: compare(e, in); break;
	case CSIR_MULMV:
	case CSIR_MULMM: multiply(e, in); break;
	case CSIR_SAMPLE: line(e, "TEX TEMP[%d], TEMP[%d], SAMP[%d], 2D", in->dst, in->a, in->aux); break;
	case CSIR_LOAD_ATTR: line(e, "MOV TEMP[%d], IN[%d]", in->dst, in->aux); break;
	case CSIR_LOAD_VAR: line(e, "MOV TEMP[%d], IN[%d]", in->dst, varying(e, in->aux)); break;
	case CSIR_LOAD_UNI:
		for (int k = 0; k < (in->aux2 ? in->aux2 : 1); k++)
			line(e, "MOV TEMP[%d], CONST[0][%d]", in->dst + k, in->aux + k);
		break;
	case CSIR_LOAD_FCOORD: line(e, "MOV TEMP[%d], IN[7]", in->dst); break;
	case CSIR_STORE_POS:
	case CSIR_STORE_COLOR: line(e, "MOV OUT[0], TEMP[%d]", in->a); break;
	case CSIR_STORE_VAR: line(e, "MOV OUT[%d], TEMP[%d]", in->aux + 1, in->a); break;
	case CSIR_IF: condition(e, in); break;
	case CSIR_DISCARD: line(e, "KILL"); break;
	default: line(e, "%s", word); break; /* ELSE, ENDIF */
	}
}

/* ---- the whole ------------------------------------------------------------------------------------------------------------ */

/* The text ends before an instruction that has less than 80 characters left (spec 03 section 3). */
#define BUDGET_LINE 80

static bool over_budget(const struct emitter *e)
{
	return e->options->budget && e->text->size - e->start + BUDGET_LINE >= e->options->budget;
}

static bool shown(const struct emitter *e, const struct csir_instr *in)
{
	return e->options->cut_temp < 0 || (in->op != CSIR_STORE_COLOR && in->op != CSIR_DISCARD && in->op != CSIR_STORE_POS &&
		in->op != CSIR_STORE_VAR);
}

static bool body(struct emitter *e, struct qs_error *error)
{
	unsigned immediates = 0, depth = 0;

	for (uint32_t i = 0; i < e->length; i++) {
		const struct csir_instr *in = &e->shader->instr[i];

		if (over_budget(e)) {
			qs_error_set(error, QS_ERR_RANGE, i, "Shader %s: TGSI exceeds the VirGL command budget of %u characters at instruction %u.",
				e->shader->name, e->options->budget, i);
			return false;
		}
		if (in->op == CSIR_NOP || in->op >= CSIR_OP_COUNT || !shown(e, in))
			continue;
		e->at = (int32_t)i;
		depth += in->op == CSIR_IF;
		depth -= in->op == CSIR_ENDIF && depth;
		instruction(e, in, &immediates);
	}
	for (e->at = e->length ? (int32_t)e->length - 1 : 0; depth; depth--)
		line(e, "ENDIF");
	if (e->options->cut_temp >= 0 && e->shader->stage == CSIR_VERTEX)
		line(e, "MOV OUT[0], IMM[%u]", e->immediates);
	if (e->options->cut_temp >= 0)
		line(e, "MOV OUT[%d], TEMP[%d]", e->shader->stage == CSIR_VERTEX, e->options->cut_temp);
	e->at = -1;
	line(e, "END");
	return true;
}

static bool check(const struct csir_shader *s, const struct csir_tgsi_options *o, struct qs_error *error)
{
	if (!csir_verify(s, CSIR_RULES_DERIVATIVES, error))
		return false;
	if (o->cut_temp >= s->temp_count) {
		qs_error_set(error, QS_ERR_RANGE, 0, "Shader %s: temporary %d cannot be shown; it has %d of them.", s->name, o->cut_temp,
			s->temp_count);
		return false;
	}
	return true;
}

bool csir_tgsi(const struct csir_shader *shader, const struct csir_tgsi_options *options, struct csir_text *text, int32_t **lines,
	uint32_t *line_count, struct qs_error *error)
{
	struct emitter e = {.shader = shader, .options = options, .text = text, .at = -1, .start = text->size};
	bool ok = check(shader, options, error);

	e.length = options->cut < shader->instr_count ? options->cut : shader->instr_count;
	if (ok) {
		declare(&e);
		ok = body(&e, error);
	}
	if (ok && (e.failed || text->failed)) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "Not enough memory for the text of shader %s.", shader->name);
		ok = false;
	}
	if (lines)
		*lines = ok ? e.lines : NULL;
	if (line_count)
		*line_count = ok ? e.line_count : 0;
	if (!ok || !lines)
		free(e.lines);
	return ok;
}
