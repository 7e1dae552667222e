/* gx_text.c - writing a TGSI program
 *
 * Immediates are written as bits (UINT32), so that floats are exact: the host's reader cuts decimal fractions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "virgl/gx_text.h"

void gx_text_init(struct gx_text *t)
{
	memset(t, 0, sizeof *t);
}

void gx_text_finish(struct gx_text *t)
{
	free(t->text);
	t->text = NULL;
}

static void append(struct gx_text *t, const char *line, size_t length)
{
	size_t room = t->room ? t->room : 8192;

	while (room < t->length + length + 1)
		room *= 2;
	if (room != t->room) {
		char *grown = realloc(t->text, room);
		if (!grown) {
			t->failed = true;
			return;
		}
		t->text = grown;
		t->room = room;
	}
	memcpy(t->text + t->length, line, length + 1);
	t->length += length;
}

void gx_op(struct gx_text *t, const char *format, ...)
{
	char line[200];
	va_list args;
	int n = snprintf(line, sizeof line, "  %u: ", t->instructions++);

	va_start(args, format);
	n += vsnprintf(line + n, sizeof line - (size_t)n, format, args);
	va_end(args);
	if (n < 0 || (size_t)n + 2 > sizeof line) {
		t->failed = true;
		return;
	}
	line[n++] = '\n';
	line[n] = 0;
	append(t, line, (size_t)n);
}

void gx_part(struct gx_text *t, const char *format, ...)
{
	va_list args;

	if (t->parts == sizeof t->part / sizeof *t->part)
		return;
	t->part[t->parts].from = t->instructions;
	va_start(args, format);
	vsnprintf(t->part[t->parts].name, sizeof t->part->name, format, args);
	va_end(args);
	t->parts++;
}

unsigned gx_temporary(struct gx_text *t)
{
	return t->temporaries++;
}

struct gx_operand gx_lane(unsigned temporary, unsigned lane)
{
	static const char letters[] = "xyzw";
	struct gx_operand o;
	char l = letters[lane & 3];

	snprintf(o.s, sizeof o.s, "TEMP[%u].%c%c%c%c", temporary & 0xFFFF, l, l, l, l);
	return o;
}

struct gx_operand gx_ints(struct gx_text *t, int32_t x, int32_t y, int32_t z, int32_t w)
{
	const uint32_t words[4] = {(uint32_t)x, (uint32_t)y, (uint32_t)z, (uint32_t)w};
	struct gx_operand o;
	unsigned i = 0;

	while (i < t->immediates && (t->immediate_used[i] != 4 || memcmp(t->immediate[i], words, sizeof words)))
		i++;
	if (i == t->immediates) {
		if (i == GX_IMMEDIATES) {
			t->failed = true;
			i = 0;
		} else {
			memcpy(t->immediate[i], words, sizeof words);
			t->immediate_used[i] = 4;
			t->immediates++;
		}
	}
	snprintf(o.s, sizeof o.s, "IMM[%u]", i & 0xFFFF);
	return o;
}

struct gx_operand gx_floats(struct gx_text *t, float x, float y, float z, float w)
{
	const float values[4] = {x, y, z, w};
	int32_t words[4];

	memcpy(words, values, sizeof words);
	return gx_ints(t, words[0], words[1], words[2], words[3]);
}

static struct gx_operand word(struct gx_text *t, uint32_t value)
{
	static const char letters[] = "xyzw";
	struct gx_operand o;
	unsigned i, lane = 0;

	for (i = 0; i < t->immediates; i++) {
		for (lane = 0; lane < t->immediate_used[i] && t->immediate[i][lane] != value; lane++)
			;
		if (lane < t->immediate_used[i])
			break;
	}
	if (i == t->immediates) {
		i = t->immediates && t->immediate_used[t->immediates - 1] < 4 ? t->immediates - 1 : t->immediates;
		if (i == GX_IMMEDIATES) {
			t->failed = true;
			i = 0;
			t->immediate_used[0] = 0;
		}
		if (i == t->immediates)
			t->immediates++;
		lane = t->immediate_used[i]++;
		t->immediate[i][lane] = value;
	}
	char l = letters[lane & 3];
	snprintf(o.s, sizeof o.s, "IMM[%u].%c%c%c%c", i & 0xFFFF, l, l, l, l);
	return o;
}

struct gx_operand gx_int(struct gx_text *t, int32_t value)
{
	return word(t, (uint32_t)value);
}

struct gx_operand gx_float(struct gx_text *t, float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof bits);
	return word(t, bits);
}

unsigned gx_constant(struct gx_text *t, enum gx_constant_kind kind, unsigned index)
{
	for (unsigned i = 0; i < t->constants; i++)
		if (t->constant[i].kind == kind && t->constant[i].index == index)
			return i;
	if (t->constants == GX_CONSTANTS) {
		t->failed = true;
		return 0;
	}
	t->constant[t->constants] = (struct gx_constant){(uint8_t)kind, (uint16_t)index};
	return t->constants++;
}

unsigned gx_constant_block(struct gx_text *t, enum gx_constant_kind kind, unsigned index, unsigned count)
{
	unsigned first = t->constants;

	if (count > GX_CONSTANTS - first) {
		t->failed = true;
		return 0;
	}
	for (unsigned i = 0; i < count; i++)
		t->constant[t->constants++] = (struct gx_constant){(uint8_t)kind, (uint16_t)(index + i)};
	return first;
}

static unsigned count_lines(const char *text, size_t length)
{
	unsigned n = 0;

	for (size_t i = 0; i < length; i++)
		n += text[i] == '\n';
	return n;
}

char *gx_text_program(struct gx_text *t, const char *head, unsigned *first_line)
{
	size_t room = strlen(head) + t->length + t->immediates * 80u + 256, n = 0;
	char *program = t->failed || !t->text ? NULL : malloc(room);

	if (!program)
		return NULL;
	n += (size_t)snprintf(program, room, "%s", head);
	if (t->constants)
		n += (size_t)snprintf(program + n, room - n, "DCL CONST[0][0..%u]\n", t->constants - 1);
	if (t->temporaries)
		n += (size_t)snprintf(program + n, room - n, "DCL TEMP[0..%u]\n", t->temporaries - 1);
	for (unsigned i = 0; i < t->immediates; i++)
		n += (size_t)snprintf(program + n, room - n, "IMM[%u] UINT32 {%" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32 "}\n", i,
			t->immediate[i][0], t->immediate[i][1], t->immediate[i][2], t->immediate[i][3]);
	*first_line = count_lines(program, n);
	n += (size_t)snprintf(program + n, room - n, "%s  %u: END\n", t->text, t->instructions);
	return n < room ? program : (free(program), NULL);
}
