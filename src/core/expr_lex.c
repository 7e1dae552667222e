/* expr_lex.c - tokens of expressions, and messages that point at them
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/expr.h"

/* ---- messages ------------------------------------------------------------------------------------------------------------- */

/* Columns count characters, as a person and an entry field do. */
static unsigned column(const struct expr_parser *p, const char *at)
{
	unsigned n = 1;

	for (const char *c = p->text; c < at; c++)
		n += ((unsigned char)*c & 0xC0) != 0x80;
	return n;
}

bool expr_fail(struct expr_parser *p, const char *at, const char *what)
{
	unsigned n = column(p, at);

	qs_error_set(p->error, QS_ERR_SCRIPT, n, "Column %u: %s%s", n, what, *what && what[strlen(what) - 1] == '?' ? "" : ".");
	return false;
}

/* "name", cut where it is long, for messages */
const char *expr_quote(const char *start, size_t length, char buffer[64])
{
	size_t n = length;

	if (n > 40) /* not in the middle of a character */
		for (n = 40; n > 0 && ((unsigned char)start[n] & 0xC0) == 0x80;)
			n--;
	snprintf(buffer, 64, "'%.*s%s'", (int)n, start, n < length ? "..." : "");
	return buffer;
}

bool expr_expected(struct expr_parser *p, const char *what)
{
	const struct expr_token *t = &p->token;
	char message[200], name[64];

	if (t->kind == TOKEN_END)
		snprintf(message, sizeof message, "expected %s, but the expression ends", what);
	else
		snprintf(message, sizeof message, "expected %s, not %s", what, expr_quote(t->start, t->length, name));
	return expr_fail(p, t->start, message);
}

bool expr_unknown(struct expr_parser *p, const char *at, const char *complaint, const struct expr_suggestion *suggestion)
{
	char message[200];

	if (suggestion->best)
		snprintf(message, sizeof message, "%s: did you mean %s?", complaint, suggestion->best);
	else
		snprintf(message, sizeof message, "%s", complaint);
	return expr_fail(p, at, message);
}

/* ---- words ---------------------------------------------------------------------------------------------------------------- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int hex_digit(char c)
{
	return is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* strtod with a point, whatever the locale's sign is. */
static double read_decimal(const char *start, size_t length)
{
	char digits[64], point[8];

	snprintf(point, sizeof point, "%.1f", 0.5);
	if (length >= sizeof digits)
		length = sizeof digits - 1;
	memcpy(digits, start, length);
	digits[length] = 0;
	char *dot = strchr(digits, '.');
	if (dot)
		*dot = point[1];
	return strtod(digits, NULL);
}

static bool lex_number(struct expr_parser *p, const char *c)
{
	struct expr_token *t = &p->token;
	bool integer = true;
	uint64_t exact = 0; /* 0..2^53, or more than that */
	const uint64_t limit = 1ull << 53;

	t->start = c;
	t->kind = TOKEN_NUMBER;
	if (c[0] == '0' && (c[1] == 'x' || c[1] == 'X')) {
		c += 2;
		if (hex_digit(*c) < 0)
			return expr_fail(p, c, "expected hexadecimal digits after 0x");
		for (; hex_digit(*c) >= 0; c++)
			exact = exact > limit ? exact : exact * 16 + (unsigned)hex_digit(*c);
		t->number = (double)exact;
	} else {
		for (; is_digit(*c); c++)
			exact = exact > limit ? exact : exact * 10 + (unsigned)(*c - '0');
		if (*c == '.' && is_digit(c[1])) {
			integer = false;
			for (c++; is_digit(*c);)
				c++;
		}
		if ((*c == 'e' || *c == 'E') && (is_digit(c[1]) || ((c[1] == '-' || c[1] == '+') && is_digit(c[2])))) {
			integer = false;
			for (c += 2; is_digit(*c);)
				c++;
		}
		t->number = read_decimal(t->start, (size_t)(c - t->start));
	}
	t->length = (size_t)(c - t->start);
	p->next = c;
	if (is_letter(*c) || is_digit(*c))
		return expr_fail(p, c, "expected an operator after the number");
	if (t->length > 40)
		return expr_fail(p, t->start, "the number has too many digits: at most 40");
	if (integer && exact > limit)
		return expr_fail(p, t->start, "the number is too large: integers are exact up to 0x20000000000000");
	return true;
}

static bool lex_string(struct expr_parser *p, const char *c)
{
	const char *end = strchr(c + 1, *c);

	if (!end)
		return expr_fail(p, c, "expected the closing quote of this name");
	p->token = (struct expr_token){TOKEN_STRING, c + 1, (size_t)(end - c - 1), 0};
	p->next = end + 1;
	return true;
}

bool expr_advance(struct expr_parser *p)
{
	static const char *const signs[] = {"||", "&&", "==", "!=", "<=", ">=", "<<", ">>", "<", ">", "|", "^", "&", "+", "-", "*",
		"/", "%", "~", "!", "(", ")", "."};
	const char *c = p->next;

	while (*c == ' ' || *c == '\t' || *c == '\n' || *c == '\r')
		c++;
	p->token = (struct expr_token){TOKEN_END, c, 0, 0};
	p->next = c;
	if (!*c)
		return true;
	if (is_digit(*c) || (*c == '.' && is_digit(c[1]) && (c == p->text || !is_letter(c[-1]))))
		return lex_number(p, c);
	if (*c == '"' || *c == '\'')
		return lex_string(p, c);
	if (is_letter(*c)) {
		while (is_letter(*c) || is_digit(*c))
			c++;
		p->token = (struct expr_token){TOKEN_WORD, p->next, (size_t)(c - p->next), 0};
		p->next = c;
		return true;
	}
	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
		size_t length = strlen(signs[i]);
		if (!strncmp(c, signs[i], length)) {
			p->token = (struct expr_token){TOKEN_SIGN, c, length, 0};
			p->next = c + length;
			return true;
		}
	}
	if (*c == '=')
		return expr_fail(p, c, "expected ==, not =: an expression compares, it does not set");
	return expr_fail(p, c, "this character does not belong into an expression");
}

bool expr_token_is(const struct expr_parser *p, const char *text)
{
	const struct expr_token *t = &p->token;

	return (t->kind == TOKEN_SIGN || t->kind == TOKEN_WORD) && strlen(text) == t->length && !memcmp(t->start, text, t->length);
}
