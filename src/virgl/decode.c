/* decode.c - a VirGL command stream as text
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "virgl/stream.h"

struct printer {
	char *text;
	size_t length, room;
	bool failed;
};

static void print(struct printer *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool grow(struct printer *p, size_t more)
{
	size_t room = p->room ? p->room : 4096;

	if (p->failed)
		return false;
	while (room < p->length + more + 1)
		room *= 2;
	if (room == p->room)
		return true;
	char *grown = realloc(p->text, room);
	p->failed = !grown;
	if (!grown)
		return false;
	p->text = grown;
	p->room = room;
	return true;
}

static void print(struct printer *p, const char *format, ...)
{
	char line[256];
	va_list args;

	va_start(args, format);
	int n = vsnprintf(line, sizeof line, format, args);
	va_end(args);
	size_t length = n < 0 ? 0 : (size_t)n < sizeof line ? (size_t)n : sizeof line - 1;
	if (!grow(p, length))
		return;
	memcpy(p->text + p->length, line, length + 1);
	p->length += length;
}

/* ---- values ------------------------------------------------------------------------------------------------------------- */

static float as_float(uint32_t word)
{
	float f;

	memcpy(&f, &word, sizeof f);
	return f;
}

static void print_name(struct printer *p, uint32_t value, const char *const *names, unsigned count)
{
	if (value < count && names[value])
		print(p, " %s", names[value]);
	else
		print(p, " %" PRIu32, value);
}

static void print_clear(struct printer *p, uint32_t buffers)
{
	print(p, " %s%s%s", buffers & VIRGL_CLEAR_DEPTH ? "depth" : "", buffers & VIRGL_CLEAR_STENCIL ? "+stencil" : "",
		buffers & ~3u ? "+color" : "");
}

/* Constants are floats or integers: small words that would be denormal floats are shown as integers. */
static void print_constant(struct printer *p, uint32_t word)
{
	uint32_t exponent = word >> 23 & 255;

	if (exponent == 0 || exponent == 255)
		print(p, " %" PRId32, (int32_t)word);
	else
		print(p, " %.9g", (double)as_float(word));
}

/* Returns how many words it took. */
static size_t print_value(struct printer *p, const char *kind, size_t size, const uint32_t *word, size_t left)
{
	static const char *const stages[] = {"vertex", "fragment"};
	static const char *const primitives[] = {"points", "lines", NULL, NULL, "triangles", "triangle strip"};
	double d;

	switch (kind[0]) {
	case 'x':
		print(p, " 0x%" PRIx32, *word);
		break;
	case 'i':
		print(p, " %" PRId32, (int32_t)*word);
		break;
	case 'h':
		print(p, " %" PRIu32 ",%" PRIu32, *word & 0xFFFF, *word >> 16);
		break;
	case 'd':
		if (left < 2)
			break;
		memcpy(&d, word, sizeof d);
		print(p, " %.9g", d);
		return 2;
	case 's':
		print_name(p, *word, stages, 2);
		break;
	case 'p':
		print_name(p, *word, primitives, 6);
		break;
	case 'c':
		if (size > 1)
			print_clear(p, *word);
		else
			print_constant(p, *word);
		break;
	case 'f':
		if (size > 1 && virgl_format_name(*word))
			print(p, " %s", virgl_format_name(*word));
		else if (size > 1)
			print(p, " format %" PRIu32, *word);
		else
			print(p, " %.9g", (double)as_float(*word));
		break;
	default:
		print(p, " %" PRIu32, *word);
	}
	return 1;
}

static void print_text(struct printer *p, const uint32_t *words, size_t count)
{
	const char *text = (const char *)words;
	size_t bytes = count * 4, end = 0;

	while (end < bytes && text[end])
		end++;
	for (size_t at = 0; at < end;) {
		size_t line = at;
		while (line < end && text[line] != '\n')
			line++;
		print(p, "\n          | ");
		for (size_t i = at; i < line; i++)
			print(p, "%c", (unsigned char)text[i] < 32 || (unsigned char)text[i] > 126 ? '?' : text[i]);
		at = line + 1;
	}
	if (end == bytes)
		print(p, "\n          (text without end)");
}

/* ---- fields ------------------------------------------------------------------------------------------------------------- */

/* One field at *fields; *fields moves behind it.  Returns how many words it took. */
static size_t print_field(struct printer *p, const char **fields, const uint32_t *word, size_t left)
{
	const char *name = *fields, *end = name + strcspn(name, " ]"), *colon = memchr(name, ':', (size_t)(end - name));

	*fields = end;
	if (!colon) { /* text */
		print_text(p, word, left);
		return left;
	}
	if (colon > name)
		print(p, " %.*s", (int)(colon - name), name);
	return print_value(p, colon + 1, (size_t)(end - colon - 1), word, left);
}

static void print_fields(struct printer *p, const char *fields, const uint32_t *words, size_t count)
{
	const char *repeat = NULL;
	size_t at = 0;

	while (at < count) {
		while (*fields == ' ')
			fields++;
		if (*fields == '[') {
			repeat = ++fields;
			continue;
		}
		if (*fields == ']')
			fields = repeat;
		if (!*fields) {
			print(p, " (%zu words more than known)", count - at);
			return;
		}
		at += print_field(p, &fields, words + at, count - at);
	}
	while (*fields == ' ')
		fields++;
	if (*fields && *fields != '[' && *fields != ']' && count)
		print(p, " (cut short)");
}

static void print_command(struct printer *p, const uint32_t *words, size_t length)
{
	unsigned command = words[0] & 255, object = words[0] >> 8 & 255;
	const struct virgl_layout *layout = virgl_layout_find(command, object);

	if (!layout) {
		print(p, "unknown command %u, object %u, %zu words", command, object, length);
		return;
	}
	print(p, "%s", layout->name);
	print_fields(p, layout->fields, words + 1, length);
	if (length < layout->least || length > layout->most)
		print(p, " (wrong length %zu)", length);
}

char *virgl_decode(const uint32_t *words, size_t count)
{
	struct printer p = {NULL, 0, 0, false};

	print(&p, "%s", "");
	for (size_t at = 0; at < count;) {
		size_t length = words[at] >> 16, left = count - at - 1;

		print(&p, "%8zu  ", at);
		print_command(&p, words + at, length < left ? length : left);
		if (length > left)
			print(&p, " (%zu words are missing)", length - left);
		print(&p, "\n");
		at += 1 + length;
	}
	if (p.failed) {
		free(p.text);
		return NULL;
	}
	return p.text;
}

void virgl_decode_name(const uint32_t *words, size_t count, size_t at, char *name, size_t size)
{
	snprintf(name, size, "nothing");
	for (size_t i = 0; i < count && i <= at;) {
		const struct virgl_layout *layout = virgl_layout_find(words[i] & 255, words[i] >> 8 & 255);
		bool handle = (words[i] & 255) == VIRGL_CREATE_OBJECT && i + 1 < count;

		if (!layout)
			snprintf(name, size, "unknown command %" PRIu32, words[i] & 255);
		else if (handle)
			snprintf(name, size, "%s %" PRIu32, layout->name, words[i + 1]);
		else
			snprintf(name, size, "%s", layout->name);
		i += 1 + (words[i] >> 16);
	}
}
