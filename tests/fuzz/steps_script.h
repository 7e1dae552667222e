/* steps_script.h - turns arbitrary bytes into commands that are valid, so that fuzzing reaches the units behind the parser
 *
 * Every step takes an operation byte and what it needs; the bytes ending ends the script.  Draws get as many bytes as their
 * vertices need, positions in pixels of the simple initial state most of the time.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FUZZ_STEPS_SCRIPT_H
#define FUZZ_STEPS_SCRIPT_H

#include "dffwriter.h"
#include "gx/machine.h"

struct script {
	const uint8_t *data;
	size_t left;
	uint32_t cp[256];
	struct bytes *out;
};

static inline unsigned script_byte(struct script *s)
{
	if (!s->left)
		return 0;
	s->left--;
	return *s->data++;
}

static inline uint32_t script_word(struct script *s)
{
	uint32_t word = script_byte(s) << 24;
	word |= script_byte(s) << 16;
	word |= script_byte(s) << 8;
	return word | script_byte(s);
}

static inline uint32_t script_float_bits(float value)
{
	uint32_t word;
	memcpy(&word, &value, 4);
	return word;
}

/* Mostly tame numbers; infinities, NaN, denormals and huge ones now and then. */
static inline uint32_t script_float(struct script *s)
{
	static const uint32_t special[16] = {0, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7F7FFFFF, 1, 0x3F800000, 0xBF800000,
		0x3F000000, 0xBF000000, 0x40000000, 0x4B7FFFFF, 0x33D6BF95, 0xFF7FFFFF, 0x80000001};
	unsigned code = script_byte(s);

	if (code < 16)
		return special[code];
	return script_float_bits((float)((int)code - 128) * (code & 1 ? 0.03125f : 3.0f) + (float)script_byte(s) / 256.0f);
}

static inline void script_bp(struct script *s)
{
	static const uint8_t common[32] = {0x00, 0x20, 0x21, 0x22, 0x25, 0x27, 0x28, 0x29, 0x40, 0x41, 0x42, 0x43, 0x59, 0x61, 0x63, 0x64,
		0x65, 0x80, 0x84, 0x88, 0x94, 0x98, 0xC0, 0xC1, 0xC2, 0xC3, 0xE8, 0xEE, 0xF1, 0xF3, 0xF4, 0xF5};
	unsigned code = script_byte(s), address = code < 96 ? common[code % 32] : script_byte(s);

	if (address == 0x52) /* copies have an operation of their own */
		address = 0x41;
	put_bp(s->out, address, script_word(s) >> 8);
}

static inline void script_xf(struct script *s)
{
	static const uint16_t blocks[8] = {0x000, 0x400, 0x500, 0x600, 0x604, 0x101A, 0x1020, 0x60C};
	unsigned code = script_byte(s), count = 1 + script_byte(s) % 12;
	unsigned step = code < 64 ? 4 : code < 128 ? 16 : 3;

	put_u8(s->out, 0x10);
	put_be32(s->out, (count - 1) << 16 | ((unsigned)blocks[code % 8] + step * (code >> 3 & 7)));
	while (count--)
		put_be32(s->out, script_float(s));
}

static inline void script_xf_register(struct script *s)
{
	static const uint16_t registers[16] = {0x1005, 0x1009, 0x100A, 0x100C, 0x100E, 0x1010, 0x1012, 0x1018, 0x1019, 0x1026, 0x103F,
		0x1040, 0x1041, 0x1050, 0x1051, 0x603};
	unsigned code = script_byte(s);

	put_u8(s->out, 0x10);
	put_be32(s->out, registers[code % 16]);
	put_be32(s->out, script_word(s));
}

static inline void script_cp(struct script *s)
{
	static const uint8_t registers[16] = {0x50, 0x60, 0x70, 0x71, 0x72, 0x80, 0x81, 0x90, 0x91, 0xA0, 0xA1, 0xA2, 0xA4, 0xB0, 0xB1, 0xB4};
	unsigned address = registers[script_byte(s) % 16];
	uint32_t value = script_word(s);

	if (address == 0x50)
		value = (value & 0x1FFFF) | 1 << 9;
	s->cp[address] = value;
	put_cp(s->out, address, value);
}

static inline void script_copy(struct script *s)
{
	uint32_t place = script_word(s), size = script_word(s);

	put_bp(s->out, 0x49, place & 0x7F9FE);
	put_bp(s->out, 0x4A, size & 0xFC3F);
	put_bp(s->out, 0x4B, place >> 20);
	put_bp(s->out, 0x4D, size >> 24);
	put_bp(s->out, 0x4E, script_byte(s) * 2);
	put_bp(s->out, 0x52, script_word(s) >> 8);
}

static inline void script_vertex(struct script *s, unsigned format, unsigned size)
{
	uint32_t low = s->cp[0x50], a = s->cp[0x70 + format];
	unsigned before = (unsigned)__builtin_popcount(low & 0x1FF), floats = a >> 1 & 4 && (low >> 9 & 3) == 1 ? 2 + (a & 1) : 0;

	for (unsigned i = 0; i < size;) {
		if (i == before && floats) {
			for (unsigned k = 0; k < floats; k++, i += 4) {
				unsigned code = script_byte(s);
				float value = k < 2 ? (float)(code * 3) - 40 + (float)script_byte(s) / 256.0f : -(float)code / 240.0f;
				put_be32(s->out, code == 255 ? script_float(s) : script_float_bits(value));
			}
			floats = 0;
		} else {
			put_u8(s->out, script_byte(s));
			i++;
		}
	}
}

static inline void script_draw(struct script *s)
{
	unsigned opcode = 0x80 | (script_byte(s) & 0x3F), count = 1 + script_byte(s) % 9;
	unsigned size = gx_vertex_size(s->cp, opcode & 7);

	put_u8(s->out, opcode);
	put_be16(s->out, count);
	while (count--)
		script_vertex(s, opcode & 7, size);
}

static inline void script_run(const uint32_t cp[256], const uint8_t *data, size_t size, struct bytes *out)
{
	struct script s = {data, size, {0}, out};

	memcpy(s.cp, cp, sizeof s.cp);
	while (s.left) {
		unsigned operation = script_byte(&s) % 16;
		if (operation < 5)
			script_bp(&s);
		else if (operation < 7)
			script_xf(&s);
		else if (operation < 8)
			script_xf_register(&s);
		else if (operation < 10)
			script_cp(&s);
		else if (operation < 11)
			script_copy(&s);
		else
			script_draw(&s);
	}
}

#endif
