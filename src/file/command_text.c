/* command_text.c - one line of text for a command
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/bits.h"
#include "file/capture.h"
#include "gfx3d/qsc.h"

struct line {
	char *at;
	size_t left; /* with the final 0 */
};

static void add(struct line *line, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct line *line, const char *format, ...)
{
	va_list args;
	int n;

	if (line->left <= 1)
		return;
	va_start(args, format);
	n = vsnprintf(line->at, line->left, format, args);
	va_end(args);
	if (n < 0)
		return;
	if ((size_t)n >= line->left)
		n = (int)line->left - 1;
	line->at += n;
	line->left -= (size_t)n;
}

/* ---- registers ---------------------------------------------------------------------------------------------------------- */

static void add_fields(struct line *line, const struct qs_register *reg, uint32_t value)
{
	char fields[1024];

	if (!reg)
		return;
	qs_register_format(reg, value, fields, sizeof fields);
	if (fields[0])
		add(line, "  %s", fields);
}

static const char *register_name(const struct qs_register *reg)
{
	return reg ? reg->name : "(unused)";
}

static void text_bp(struct line *line, const uint8_t *p)
{
	uint32_t address = p[1], value = be24(p + 2);
	const struct qs_register *reg;

	/* one address, two registers: bit 23 chooses the konst bank */
	if ((address & 0xF8) == 0xE0 && bits(value, 23, 1))
		reg = qs_register_find(QS_UNIT_BP, 0x100 + (address & 7));
	else
		reg = qs_register_find(QS_UNIT_BP, address);
	add(line, "BP %02" PRIX32 " %s = 0x%06" PRIx32, address, register_name(reg), value);
	add_fields(line, reg, value);
}

static void text_cp(struct line *line, const uint8_t *p)
{
	const struct qs_register *reg = qs_register_find(QS_UNIT_CP, p[1]);
	uint32_t value = be32(p + 2);

	add(line, "CP %02X %s = 0x%08" PRIx32, p[1], register_name(reg), value);
	add_fields(line, reg, value);
}

/* ---- XF ----------------------------------------------------------------------------------------------------------------- */

/* "position matrix row 0 to 2", "light 3 a0 to k2", "VIEWPORT_SCALE_X to VIEWPORT_OFFSET_Z" (spec 02 section 1) */
static void add_row(struct line *line, const char *what, uint32_t first, uint32_t last, uint32_t width)
{
	uint32_t row = first / width, end = last / width;

	add(line, "%s matrix row %" PRIu32, what, row);
	if (first % width && row == end)
		add(line, " column %" PRIu32, first % width);
	if (end != row)
		add(line, " to %" PRIu32, end);
}

static void add_light(struct line *line, uint32_t first, uint32_t last)
{
	static const char *const words[] = {"reserved 0", "reserved 1", "reserved 2", "colour", "a0", "a1", "a2", "k0", "k1", "k2",
		"x", "y", "z", "direction x", "direction y", "direction z"};

	if (first % 16 == 0 && last == first + 15) {
		add(line, "light %" PRIu32, first >> 4);
		return;
	}
	add(line, "light %" PRIu32 " %s", first >> 4, words[first & 15]);
	if (first >> 4 != last >> 4)
		add(line, " to light %" PRIu32 " %s", last >> 4, words[last & 15]);
	else if (first != last)
		add(line, " to %s", words[last & 15]);
}

static void add_xf_range(struct line *line, uint32_t address, uint32_t count)
{
	uint32_t last = address + count - 1;
	const struct qs_register *a, *b;

	if (last < 0x100) {
		add_row(line, "position", address, last, 4);
	} else if (address >= 0x400 && last < 0x460) {
		add_row(line, "normal", address - 0x400, last - 0x400, 3);
	} else if (address >= 0x500 && last < 0x600) {
		add_row(line, "post", address - 0x500, last - 0x500, 4);
	} else if (address >= 0x600 && last < 0x680) {
		add_light(line, address - 0x600, last - 0x600);
	} else {
		a = qs_register_find(QS_UNIT_XF, address);
		b = qs_register_find(QS_UNIT_XF, last);
		add(line, "%s", register_name(a));
		if (a != b)
			add(line, " to %s", register_name(b));
	}
}

static void add_xf_word(struct line *line, const struct qs_register *reg, uint32_t value)
{
	union { uint32_t u; float f; } c = {.u = value};

	if (reg && reg->field_count && reg->fields[0].kind == QS_FIELD_FLOAT)
		add(line, "%g", (double)c.f);
	else
		add(line, "0x%08" PRIx32, value);
}

static void text_xf(struct line *line, const uint8_t *p)
{
	uint32_t address = be16(p + 3), count = bits(p[2], 0, 4) + 1u;

	add(line, "XF %04" PRIX32 " ", address);
	add_xf_range(line, address, count);
	add(line, " = ");
	for (uint32_t i = 0; i < count; i++) {
		const struct qs_register *reg = qs_register_find(QS_UNIT_XF, address + i);

		if (i)
			add(line, ", ");
		add_xf_word(line, reg, be32(p + 5 + 4 * i));
		if (count == 1 && reg && !(reg->field_count && reg->fields[0].kind == QS_FIELD_FLOAT))
			add_fields(line, reg, be32(p + 5));
	}
}

static void text_xf_indexed(const struct qs_capture *capture, struct line *line, uint32_t command, const uint8_t *p)
{
	unsigned array = (p[0] >> 3) - 4u;
	uint32_t word = be32(p + 1), index = word >> 16, count = bits(word, 12, 4) + 1, address = bits(word, 0, 12);
	const struct capture_snapshot *state = capture_snapshot(&capture->loads, command);

	add(line, "XF %04" PRIX32 " ", address);
	add_xf_range(line, address, count);
	add(line, ": %" PRIu32 " word%s of array %c, index %" PRIu32, count, count == 1 ? "" : "s", "ABCD"[array], index);
	if (state)
		add(line, ", at 0x%08" PRIx32, (state->words[array] & 0x03FFFFFF) + index * (state->words[4 + array] & 0xFF));
}

/* ---- draws, lists, copies ------------------------------------------------------------------------------------------------ */

static void text_draw(struct line *line, const struct qs_command *c, const uint8_t *p)
{
	static const char *const kinds[] = {"quads", "quads2", "triangles", "triangle strip", "triangle fan", "lines", "line strip",
		"points"};
	unsigned vertices = be16(p + 1);

	add(line, "draw %s %u %s, format %u, %u bytes each", kinds[bits(p[0], 3, 3)], vertices, vertices == 1 ? "vertex" : "vertices",
		p[0] & 7u, c->vertex_size);
}

static void text_list(struct line *line, const struct qs_command *c, const uint8_t *p)
{
	add(line, "call list at 0x%08" PRIx32 ", %" PRIu32 " bytes%s", be32(p + 1) & ~31u, be32(p + 5) & ~31u,
		c->parent == QS_NONE ? "" : " (not followed inside a list)");
}

/* Names of the destination formats (spec 07 section 7.1); depth copies read the same bytes as colours. */
static const char *copy_format(unsigned format, bool intensity, bool depth)
{
	static const char *const colours[16] = {"R4", "R8", "RA4", "RA8", "RGB565", "RGB5A3", "RGBA8", "A8", "R8", "G8", "B8", "RG8",
		"GB8", "13", "14", "15"};
	static const char *const intensities[4] = {"I4", "I8", "IA4", "IA8"};
	static const char *const depths[16] = {"Z4", "Z8", "Z8A4", "Z8A8", "Z565", "Z5A3", "Z24X8", "A8", "Z8", "Z8M", "Z8L", "Z16",
		"Z16L", "13", "14", "15"};

	if (depth)
		return depths[format];
	return intensity && format < 4 ? intensities[format] : colours[format];
}

static void text_copy(const struct qs_capture *capture, struct line *line, uint32_t command, const uint8_t *p)
{
	static const char *const gammas[] = {"", ", gamma 1.7", ", gamma 2.2", ", gamma 2.2"};
	static const char *const fields[] = {"", "", ", even lines", ", odd lines"};
	const struct capture_snapshot *state = capture_snapshot(&capture->copies, command);
	const uint32_t zero[8] = {0}, *w = state ? state->words : zero;
	uint32_t value = be24(p + 2);
	bool display = bits(value, 14, 1);

	add(line, "copy to %s", display ? "display" : "texture");
	if (!display)
		add(line, " %s",
			copy_format(bits(value, 3, 1) << 3 | bits(value, 4, 3), bits(value, 15, 2) == 3,
				bits(w[SNAPSHOT_CONTROL], 0, 3) == 3));
	add(line, ", %" PRIu32 " x %" PRIu32 " from (%" PRIu32 ", %" PRIu32 ") to 0x%08" PRIx32 ", stride %" PRIu32 "%s",
		bits(w[SNAPSHOT_SIZE], 0, 10) + 1, bits(w[SNAPSHOT_SIZE], 10, 10) + 1, bits(w[SNAPSHOT_SOURCE], 0, 10),
		bits(w[SNAPSHOT_SOURCE], 10, 10), bits(w[SNAPSHOT_DESTINATION], 0, 21) << 5, bits(w[SNAPSHOT_STRIDE], 0, 10) << 5,
		bits(value, 9, 1) ? ", half size" : "");
	if (display && (bits(value, 10, 1) || bits(w[SNAPSHOT_SCALE], 0, 9) != 256))
		add(line, ", y scale %s%" PRIu32 "%s", bits(value, 10, 1) ? "256/" : "", bits(w[SNAPSHOT_SCALE], 0, 9),
			bits(value, 10, 1) ? "" : "/256");
	add(line, "%s%s%s", gammas[bits(value, 7, 2)], fields[bits(value, 12, 2)], bits(value, 11, 1) ? ", clear" : "");
}

char *qs_command_text(const struct qs_capture *capture, uint32_t command, char *buffer, size_t size)
{
	const struct qs_command *c = qs_capture_command(capture, command);
	const uint8_t *p = qs_capture_command_bytes(capture, command);
	struct line line = {buffer, size};

	if (!size)
		return buffer;
	buffer[0] = 0;
	if (!c || !p) {
		add(&line, "no such command");
		return buffer;
	}
	if (capture->stream)
		return qsc_command_text(capture, c, buffer, size);
	switch ((enum qs_command_kind)c->kind) {
	case QS_COMMAND_CALL: /* only of such a capture */
		break;
	case QS_COMMAND_NOP:
		add(&line, "no operation, %" PRIu32 " byte%s", c->size, c->size == 1 ? "" : "s");
		break;
	case QS_COMMAND_CP:
		text_cp(&line, p);
		break;
	case QS_COMMAND_XF:
		text_xf(&line, p);
		break;
	case QS_COMMAND_XF_INDEXED:
		text_xf_indexed(capture, &line, command, p);
		break;
	case QS_COMMAND_LIST:
		text_list(&line, c, p);
		break;
	case QS_COMMAND_METRICS:
		add(&line, "metrics");
		break;
	case QS_COMMAND_INVALIDATE:
		add(&line, "invalidate vertex cache");
		break;
	case QS_COMMAND_BP:
		text_bp(&line, p);
		break;
	case QS_COMMAND_COPY:
		text_copy(capture, &line, command, p);
		break;
	case QS_COMMAND_DRAW:
		text_draw(&line, c, p);
		break;
	case QS_COMMAND_BAD:
		add(&line, "bad byte 0x%02x, %" PRIu32 " byte%s skipped", p[0], c->size, c->size == 1 ? "" : "s");
		break;
	}
	return buffer;
}
