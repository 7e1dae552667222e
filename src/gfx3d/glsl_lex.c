/* glsl_lex.c - source text to tokens
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "gfx3d/glsl.h"

#define EXPONENT_MAX 38

struct lexer {
	struct glsl *g;
	size_t at;
	unsigned line, column;
	bool line_start; /* only blanks so far */
};

static const struct {
	const char *word;
	uint8_t kind, type;
} words[] = {
	{"in", TOKEN_IN, 0}, {"out", TOKEN_OUT, 0}, {"uniform", TOKEN_UNIFORM, 0}, {"const", TOKEN_CONST, 0},
	{"layout", TOKEN_LAYOUT, 0}, {"smooth", TOKEN_SMOOTH, 0}, {"if", TOKEN_IF, 0}, {"else", TOKEN_ELSE, 0},
	{"for", TOKEN_FOR, 0}, {"return", TOKEN_RETURN, 0}, {"discard", TOKEN_DISCARD, 0}, {"true", TOKEN_TRUE, 0},
	{"false", TOKEN_FALSE, 0}, {"void", TOKEN_TYPE, CSIR_T_VOID}, {"bool", TOKEN_TYPE, CSIR_T_BOOL},
	{"int", TOKEN_TYPE, CSIR_T_INT}, {"float", TOKEN_TYPE, CSIR_T_FLOAT}, {"vec2", TOKEN_TYPE, CSIR_T_VEC2},
	{"vec3", TOKEN_TYPE, CSIR_T_VEC3}, {"vec4", TOKEN_TYPE, CSIR_T_VEC4}, {"ivec2", TOKEN_TYPE, CSIR_T_IVEC2},
	{"ivec3", TOKEN_TYPE, CSIR_T_IVEC3}, {"ivec4", TOKEN_TYPE, CSIR_T_IVEC4}, {"mat3", TOKEN_TYPE, CSIR_T_MAT3},
	{"mat4", TOKEN_TYPE, CSIR_T_MAT4}, {"sampler2D", TOKEN_TYPE, CSIR_T_SAMPLER2D},
};

/* Recognised only to be refused. */
static const char *const refused[] = {"attribute", "varying", "highp", "mediump", "lowp", "inout", "centroid", "flat", "noperspective",
	"invariant", "precise", "readonly", "writeonly", "coherent", "volatile", "restrict", "shared", "patch", "sample"};

static int peek(const struct lexer *l, size_t ahead)
{
	return l->at + ahead < l->g->size ? (unsigned char)l->g->source[l->at + ahead] : -1;
}

static void skip(struct lexer *l, size_t count)
{
	l->at += count;
	l->column += (unsigned)count;
}

static bool is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static struct glsl_token *push(struct lexer *l, int kind)
{
	struct glsl *g = l->g;
	struct glsl_token *t;

	if (g->token_count == GLSL_TOKENS) {
		glsl_error(g, g->token_count - 1, "too many tokens (at most 767)");
		return NULL;
	}
	t = &g->token[g->token_count++];
	*t = (struct glsl_token){.kind = (uint16_t)kind, .offset = (uint16_t)l->at, .line = (uint16_t)l->line,
		.column = (uint16_t)l->column};
	return t;
}

static bool bad(struct lexer *l, const char *message)
{
	if (!push(l, TOKEN_BAD))
		return false;
	glsl_error(l->g, l->g->token_count - 1, message);
	return true;
}

static void newline(struct lexer *l)
{
	l->at++;
	l->line++;
	l->column = 1;
	l->line_start = true;
}

static void to_line_end(struct lexer *l)
{
	while (peek(l, 0) >= 0 && peek(l, 0) != '\n')
		skip(l, 1);
}

/* ---- pieces --------------------------------------------------------------------------------------------------------------- */

/* "#version N", the only directive. */
static bool directive(struct lexer *l)
{
	size_t n = 1;
	int version = 0;
	bool ok = true, any = false;

	while (peek(l, n) == ' ' || peek(l, n) == '\t')
		n++;
	if (strncmp(l->g->source + l->at + n, "version", 7) || is_letter(peek(l, n + 7))) {
		ok = bad(l, "unsupported preprocessor directive (only #version)");
	} else {
		for (n += 7; peek(l, n) == ' ' || peek(l, n) == '\t';)
			n++;
		for (; is_digit(peek(l, n)); n++, any = true)
			if (version < 10000)
				version = version * 10 + peek(l, n) - '0';
		if (!any)
			ok = bad(l, "expected a version number");
		else if (version < 110 || version > 330)
			ok = bad(l, "unsupported #version (110 to 330)");
		else
			l->g->shader->version = version;
	}
	to_line_end(l);
	l->line_start = false;
	return ok;
}

static bool block_comment(struct lexer *l)
{
	struct lexer start = *l;

	skip(l, 2);
	while (peek(l, 0) >= 0) {
		if (peek(l, 0) == '*' && peek(l, 1) == '/') {
			skip(l, 2);
			return true;
		}
		if (peek(l, 0) == '\n')
			newline(l);
		else
			skip(l, 1);
	}
	return bad(&start, "unterminated block comment");
}

static bool word(struct lexer *l)
{
	struct glsl_token *t = push(l, TOKEN_NAME);
	const char *text = l->g->source + l->at;
	size_t n = 0;

	if (!t)
		return false;
	while (is_letter(peek(l, n)) || is_digit(peek(l, n)) || peek(l, n) == '_')
		n++;
	skip(l, n);
	t->length = (uint16_t)n;
	if (n >= CSIR_NAME_MAX) {
		glsl_error(l->g, l->g->token_count - 1, "identifier exceeds the name limit (39 characters)");
		return true;
	}
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strlen(words[i].word) == n && !memcmp(words[i].word, text, n)) {
			t->kind = words[i].kind;
			t->type = words[i].type;
		}
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
		if (strlen(refused[i]) == n && !memcmp(refused[i], text, n)) {
			t->kind = TOKEN_BAD;
			glsl_error(l->g, l->g->token_count - 1, "unsupported qualifier");
		}
	return true;
}

/* Digit by digit in single precision, as ChrisOS reads them (quirk literal). */
static float assemble(const char *text, size_t digits, size_t fraction, int exponent)
{
	float whole = 0, part = 0, place = 1, power = 1;

	for (size_t i = 0; i < digits; i++)
		whole = whole * 10 + (float)(text[i] - '0');
	for (size_t i = 0; i < fraction; i++) {
		place *= 0.1f;
		part += (float)(text[digits + 1 + i] - '0') * place;
	}
	for (int i = 0; i < abs(exponent); i++)
		power *= 10;
	if (!exponent)
		return whole + part;
	return (whole + part) * (exponent < 0 ? 1 / power : power);
}

static size_t count_digits(const struct lexer *l, size_t from)
{
	size_t n = 0;

	while (is_digit(peek(l, from + n)))
		n++;
	return n;
}

/* Length of an exponent part at n, 0: none, SIZE_MAX: without digits or too big. */
static size_t exponent_part(const struct lexer *l, size_t n, int *exponent)
{
	size_t sign = peek(l, n + 1) == '+' || peek(l, n + 1) == '-', digits;

	*exponent = 0;
	if (peek(l, n) != 'e' && peek(l, n) != 'E')
		return 0;
	digits = count_digits(l, n + 1 + sign);
	for (size_t i = 0; i < digits && *exponent <= EXPONENT_MAX; i++)
		*exponent = *exponent * 10 + peek(l, n + 1 + sign + i) - '0';
	if (!digits || *exponent > EXPONENT_MAX)
		return SIZE_MAX;
	if (sign && peek(l, n + 1) == '-')
		*exponent = -*exponent;
	return 1 + sign + digits;
}

static bool number(struct lexer *l)
{
	const char *text = l->g->source + l->at;
	size_t digits = count_digits(l, 0), fraction = 0, n = digits, more;
	bool is_float = peek(l, digits) == '.';
	char copy[64];
	int exponent;
	struct glsl_token *t;

	if (is_float) {
		fraction = count_digits(l, digits + 1);
		n += 1 + fraction;
	}
	more = exponent_part(l, n, &exponent);
	t = push(l, is_float || more ? TOKEN_FLOAT : TOKEN_INT);
	if (!t)
		return false;
	if (more == SIZE_MAX) {
		glsl_error(l->g, l->g->token_count - 1, "invalid number (an exponent has digits, at most 38)");
		more = 1 + count_digits(l, n + 1);
	}
	n += more;
	t->length = (uint16_t)n;
	t->number = assemble(text, digits, fraction, exponent);
	if (!G3_QUIRK(l->g->quirks, literal) && n < sizeof copy) {
		memcpy(copy, text, n);
		copy[n] = 0;
		t->number = strtof(copy, NULL);
	}
	t->whole = t->number < 2147483648.0f ? (int32_t)t->number : INT32_MAX;
	skip(l, n);
	return true;
}

static bool punctuation(struct lexer *l)
{
	static const struct {
		char text[3];
		uint8_t kind;
	} pairs[] = {{"==", TOKEN_EQ}, {"!=", TOKEN_NE}, {"<=", TOKEN_LE}, {">=", TOKEN_GE}, {"&&", TOKEN_AND}, {"||", TOKEN_OR},
		{"++", TOKEN_INC}, {"--", TOKEN_DEC}};
	int c = peek(l, 0), kind = c > 0 && strchr("(){}[];,.+-*/%=<>!", c) ? TOKEN(c) : TOKEN_BAD;
	size_t n = 1;
	struct glsl_token *t;

	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		if (c == pairs[i].text[0] && peek(l, 1) == pairs[i].text[1]) {
			kind = pairs[i].kind;
			n = 2;
		}
	t = push(l, kind);
	if (!t)
		return false;
	t->length = (uint16_t)n;
	if (kind == TOKEN_BAD)
		glsl_error(l->g, l->g->token_count - 1, "invalid character");
	skip(l, n);
	return true;
}

static bool piece(struct lexer *l)
{
	int c = peek(l, 0);

	if (c == ' ' || c == '\t' || c == '\r') {
		skip(l, 1);
		return true;
	}
	if (c == '\n') {
		newline(l);
		return true;
	}
	if (c == '#' && l->line_start)
		return directive(l);
	l->line_start = false;
	if (c == '/' && peek(l, 1) == '/') {
		to_line_end(l);
		return true;
	}
	if (c == '/' && peek(l, 1) == '*')
		return block_comment(l);
	if (is_letter(c) || c == '_')
		return word(l);
	if (is_digit(c) || (c == '.' && is_digit(peek(l, 1))))
		return number(l);
	return punctuation(l);
}

bool glsl_lex(struct glsl *g)
{
	struct lexer l = {g, 0, 1, 1, true};

	if (!g->size) {
		glsl_error(g, -1, "empty shader");
		return false;
	}
	if (g->size >= CSIR_SOURCE_MAX) {
		glsl_error(g, -1, "source exceeds the size limit (4095 bytes)");
		return false;
	}
	while (l.at < g->size)
		if (!piece(&l)) /* too many tokens: nothing can be parsed */
			return false;
	return push(&l, TOKEN_END) != NULL;
}
