/* breakpoint_text.c - breakpoints as a person writes them
 *
 *   [log|count] KIND [WHERE] [if CONDITION]      kinds: command draw primitive quad pixel write
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gfx3d.h"
#include "trace/breakpoint.h"

static const char *const kind_names[QS_BREAK_COUNT] = {"command", "draw", "primitive", "quad", "pixel", "write"};
static const char *const action_names[] = {"", "log ", "count "};
static const char *const command_names[] = {"nop", "cp", "xf", "xf_indexed", "list", "metrics", "invalidate", "bp", "copy", "draw",
	"bad"};

#define COMMANDS (sizeof command_names / sizeof *command_names)

const char *break_kind_name(enum qs_break_kind kind)
{
	return (unsigned)kind < QS_BREAK_COUNT ? kind_names[kind] : "?";
}

void qs_breakpoint_init(struct qs_breakpoint *b, enum qs_break_kind kind)
{
	memset(b, 0, sizeof *b);
	b->enabled = true;
	b->kind = (uint8_t)kind;
	b->action = QS_BREAK_STOP;
	b->draw = b->primitive = b->quad = QS_NONE;
}

/* ---- reading ------------------------------------------------------------------------------------------------------------ */

struct scan {
	const char *text, *at;
	struct qs_error *error;
};

static bool complain(const struct scan *s, const char *expected)
{
	qs_error_set(s->error, QS_ERR_RANGE, (uint64_t)(s->at - s->text) + 1, "\"%.100s\" is no breakpoint: expected %s at \"%.40s\".",
		s->text, expected, s->at);
	return false;
}

static void skip_space(struct scan *s)
{
	while (isspace((unsigned char)*s->at))
		s->at++;
}

static bool word(struct scan *s, const char *w)
{
	size_t n = strlen(w);

	skip_space(s);
	if (strncmp(s->at, w, n) || isalnum((unsigned char)s->at[n]) || s->at[n] == '_')
		return false;
	s->at += n;
	return true;
}

static bool number(struct scan *s, uint32_t *value)
{
	char *end;

	skip_space(s);
	if (!isdigit((unsigned char)*s->at))
		return complain(s, "a number");
	unsigned long v = strtoul(s->at, &end, 0);
	if (v >= QS_NONE)
		return complain(s, "a smaller number");
	*value = (uint32_t)v;
	s->at = end;
	return true;
}

static bool follows(struct scan *s, char c)
{
	skip_space(s);
	if (*s->at != c)
		return false;
	s->at++;
	return true;
}

/* "57" is a draw of any frame, "2/57", "2/57/0", "2/57/0/13" name the frame too. */
static bool read_place(struct scan *s, struct qs_breakpoint *b)
{
	uint32_t *const fields[] = {&b->frame, &b->draw, &b->primitive, &b->quad};
	unsigned levels = b->kind == QS_BREAK_DRAW ? 2 : b->kind == QS_BREAK_PRIMITIVE ? 3 : 4, n = 0;
	uint32_t value[4];

	skip_space(s);
	if (!isdigit((unsigned char)*s->at))
		return true;
	do {
		if (n == levels)
			return complain(s, "nothing finer");
		if (!number(s, &value[n++]))
			return false;
	} while (follows(s, '/'));
	if (n == 1) {
		b->draw = value[0];
		return true;
	}
	for (unsigned i = 0; i < n; i++)
		*fields[i] = value[i];
	return true;
}

static bool coordinates(struct scan *s, int32_t *x, int32_t *y)
{
	uint32_t u, v;

	if (!number(s, &u))
		return false;
	if (!follows(s, ','))
		return complain(s, "\",\"");
	if (!number(s, &v))
		return false;
	if (u >= QS_GFX3D_MAX_WIDTH || v >= QS_GFX3D_MAX_HEIGHT) /* the capture may be of either machine */
		return complain(s, "a pixel inside 1920x1080");
	*x = (int32_t)u;
	*y = (int32_t)v;
	return true;
}

static bool read_rect(struct scan *s, struct qs_breakpoint *b)
{
	struct qs_rect *r = &b->rect;

	if (!coordinates(s, &r->x0, &r->y0))
		return false;
	r->x1 = r->x0;
	r->y1 = r->y0;
	if (follows(s, '-') && !coordinates(s, &r->x1, &r->y1))
		return false;
	if (r->x1 < r->x0 || r->y1 < r->y0)
		return complain(s, "the lower right corner after the upper left one");
	r->x1++;
	r->y1++;
	return true;
}

static bool read_command(struct scan *s, struct qs_breakpoint *b)
{
	for (unsigned i = 0; i < COMMANDS; i++)
		if (word(s, command_names[i])) {
			b->command = (uint8_t)i;
			return true;
		}
	return complain(s, "nop, cp, xf, xf_indexed, list, metrics, invalidate, bp, copy, draw or bad");
}

/* One part of a dotted name; returns false when there is none. */
static bool name_part(struct scan *s, char *part, size_t size)
{
	size_t n = 0;

	while ((isalnum((unsigned char)*s->at) || *s->at == '_') && n + 1 < size)
		part[n++] = *s->at++;
	part[n] = 0;
	return n > 0;
}

static bool read_register(struct scan *s, struct qs_breakpoint *b)
{
	char part[64];
	enum qs_unit unit;
	const struct qs_register *reg;
	const struct qs_field *field;

	skip_space(s);
	if (!name_part(s, part, sizeof part) || !qs_unit_parse(part, &unit))
		return complain(s, "bp, cp, xf or pe");
	if (!follows(s, '.') || !name_part(s, part, sizeof part))
		return complain(s, "the name of a register");
	reg = qs_register_by_name(unit, part);
	if (!reg && isdigit((unsigned char)part[0]))
		reg = qs_register_find(unit, (uint32_t)strtoul(part, NULL, 0));
	if (!reg)
		return complain(s, "the name or address of a register before this");
	b->unit = (uint8_t)unit;
	b->address = reg->address;
	if (*s->at != '.')
		return true;
	s->at++;
	if (!name_part(s, part, sizeof part) || !(field = qs_field_by_name(reg, part)))
		return complain(s, "the name of a field of the register before this");
	b->mask = (field->bits >= 32 ? UINT32_MAX : (1u << field->bits) - 1u) << field->lsb;
	return true;
}

static bool read_kind(struct scan *s, struct qs_breakpoint *b)
{
	for (unsigned i = 0; i < QS_BREAK_COUNT; i++)
		if (word(s, kind_names[i])) {
			b->kind = (uint8_t)i;
			switch (i) {
			case QS_BREAK_COMMAND:
				return read_command(s, b);
			case QS_BREAK_PIXEL:
				return read_rect(s, b);
			case QS_BREAK_WRITE:
				return read_register(s, b);
			default:
				return read_place(s, b);
			}
		}
	return complain(s, "command, draw, primitive, quad, pixel or write");
}

bool qs_breakpoint_parse(const char *text, struct qs_breakpoint *b, char **condition, struct qs_error *error)
{
	struct scan s = {text, text, error};

	*condition = NULL;
	qs_breakpoint_init(b, QS_BREAK_DRAW);
	if (word(&s, "log"))
		b->action = QS_BREAK_LOG;
	else if (word(&s, "count"))
		b->action = QS_BREAK_HITS;
	if (!read_kind(&s, b))
		return false;
	bool conditional = word(&s, "if");
	skip_space(&s);
	if (!conditional)
		return !*s.at || complain(&s, "\"if\" or the end");
	if (!*s.at)
		return complain(&s, "a condition");
	*condition = strdup(s.at);
	b->condition = *condition;
	if (!*condition)
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for the condition.");
	return *condition != NULL;
}

/* ---- writing ------------------------------------------------------------------------------------------------------------ */

struct text {
	char *buffer;
	size_t size, used;
};

static void add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct text *t, const char *format, ...)
{
	va_list args;

	if (t->used >= t->size)
		return;
	va_start(args, format);
	int n = vsnprintf(t->buffer + t->used, t->size - t->used, format, args);
	va_end(args);
	t->used += n > 0 ? (size_t)n : 0;
}

static void add_place(struct text *t, const struct qs_breakpoint *b)
{
	const uint32_t part[] = {b->draw, b->primitive, b->quad};

	if (b->draw == QS_NONE)
		return;
	if (!b->frame) {
		add(t, " %" PRIu32, b->draw);
		return;
	}
	add(t, " %" PRIu32, b->frame);
	for (unsigned i = 0; i < 3 && part[i] != QS_NONE; i++)
		add(t, "/%" PRIu32, part[i]);
}

static void add_register(struct text *t, const struct qs_breakpoint *b)
{
	const struct qs_register *reg = qs_register_find((enum qs_unit)b->unit, b->address);

	if (!reg) {
		add(t, " %s.0x%x", qs_unit_name((enum qs_unit)b->unit), b->address);
		return;
	}
	add(t, " %s.%s", qs_unit_name((enum qs_unit)b->unit), reg->name);
	for (unsigned i = 0; i < reg->field_count; i++) {
		const struct qs_field *f = &reg->fields[i];
		if (b->mask == (f->bits >= 32 ? UINT32_MAX : (1u << f->bits) - 1u) << f->lsb) {
			add(t, ".%s", f->name);
			return;
		}
	}
}

char *qs_breakpoint_format(const struct qs_breakpoint *b, char *buffer, size_t size)
{
	struct text t = {buffer, size, 0};

	if (!size)
		return buffer;
	add(&t, "%s%s", b->action < 3 ? action_names[b->action] : "", break_kind_name((enum qs_break_kind)b->kind));
	switch (b->kind) {
	case QS_BREAK_COMMAND:
		add(&t, " %s", b->command < COMMANDS ? command_names[b->command] : "?");
		break;
	case QS_BREAK_WRITE:
		add_register(&t, b);
		break;
	case QS_BREAK_PIXEL:
		add(&t, " %d,%d", b->rect.x0, b->rect.y0);
		if (b->rect.x1 > b->rect.x0 + 1 || b->rect.y1 > b->rect.y0 + 1)
			add(&t, "-%d,%d", b->rect.x1 - 1, b->rect.y1 - 1);
		break;
	default:
		add_place(&t, b);
		break;
	}
	if (b->condition && *b->condition)
		add(&t, " if %s", b->condition);
	return buffer;
}
