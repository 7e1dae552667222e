/* check_cp.c - command processor: register writes and what they set off, memory updates, execution, taps
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log_machine.h"

static void setup(void)
{
	log_machine_start(0x1800000, 0x4000000);
}

/* ---- BP ----------------------------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	struct { unsigned address; uint32_t value; } writes[4];
	unsigned count, slot;
	uint32_t expected, mask;
} masks[] = {
	{"plain", {{0x40, 0x12345678}}, 1, 0x40, 0x345678, 0xFFFFFF},
	{"masked: only these bits change", {{0, 0x123456}, {0xFE, 0x00FF00}, {0, 0xABCDEF}}, 3, 0, 0x12CD56, 0xFFFFFF},
	{"once only", {{0, 0x123456}, {0xFE, 0x00FF00}, {0x41, 0}, {0, 0xABCDEF}}, 4, 0, 0xABCDEF, 0xFFFFFF},
	{"the next write takes it, whatever its register", {{0x41, 0x111111}, {0xFE, 0x00000F}, {0x41, 0xFFFFFF}}, 3, 0x41, 0x11111F, 0xFFFFFF},
	{"mask of nothing", {{0, 0x123456}, {0xFE, 0}, {0, 0xABCDEF}}, 3, 0, 0x123456, 0xFFFFFF},
	{"a mask write is not masked", {{0xFE, 0x0000FF}, {0xFE, 0xFFFF00}, {0, 0xABCDEF}}, 3, 0, 0xABCD00, 0xFFFFFF},
	{"armed", {{0xFE, 0x0000FF}}, 1, 0xFE, 0x0000FF, 0x0000FF},
	{"libogc's coplanar call", {{0, 0x000011}, {0xFE, 0x080000}, {0, 0x080000}}, 3, 0, 0x080011, 0xFFFFFF},
	{"address is eight bits", {{0x1F3, 7}}, 1, 0xF3, 7, 0xFFFFFF},
	{"TEV register", {{0xE0, 0x0F00F0}}, 1, 0xE0, 0x0F00F0, 0xFFFFFF},
	{"bit 23: the constant of that number", {{0xE0, 0x0F00F0}, {0xE0, 0x800001}}, 2, 0x100, 0x800001, 0xFFFFFF},
	{"and the register stays", {{0xE7, 0x0F00F0}, {0xE7, 0x800001}}, 2, 0xE7, 0x0F00F0, 0xFFFFFF},
	{"and the other way round", {{0xE7, 0x800001}, {0xE7, 0x0F00F0}}, 2, 0x107, 0x800001, 0xFFFFFF},
	{"no bank behind the eight", {{0xE8, 0x8000FF}}, 1, 0xE8, 0x8000FF, 0xFFFFFF},
};

START_TEST(bp_mask)
{
	for (unsigned i = 0; i < masks[_i].count; i++)
		gx_write_bp(m, masks[_i].writes[i].address, masks[_i].writes[i].value);
	ck_assert_msg(m->state.bp[masks[_i].slot] == masks[_i].expected, "%s: %06X", masks[_i].name, m->state.bp[masks[_i].slot]);
	ck_assert_msg(m->state.bp_mask == masks[_i].mask, "%s: mask %06X", masks[_i].name, m->state.bp_mask);
}
END_TEST

START_TEST(draw_state_is_decoded_again)
{
	gx_write_bp(m, 0, 1);
	m->draw_state_valid = true;
	gx_write_bp(m, 0, 1); /* the value it has */
	ck_assert(m->draw_state_valid);
	gx_write_bp(m, 0, 2);
	ck_assert(!m->draw_state_valid);
	m->draw_state_valid = true;
	gx_write_bp(m, 0xE0, 0x800000);
	ck_assert(!m->draw_state_valid);
	m->draw_state_valid = true;
	gx_write_bp(m, 0x65, 0); /* loads a palette though the value is the old one */
	ck_assert(!m->draw_state_valid);
}
END_TEST

START_TEST(writers)
{
	const uint32_t words[2] = {5, 6};

	ck_assert_uint_eq(m->state.bp_writer[0x40], QS_NONE);
	m->command = 11;
	gx_write_bp(m, 0x40, 1);
	gx_write_bp(m, 0xE1, 0x800000);
	gx_write_bp(m, 0x47, 3);
	m->command = 12;
	gx_write_cp(m, 0x71, 1);
	gx_write_xf(m, 0xFF, words, 2);
	ck_assert_uint_eq(m->state.bp_writer[0x40], 11);
	ck_assert_uint_eq(m->state.bp_writer[0xE1], QS_NONE);
	ck_assert_uint_eq(m->state.bp_writer[0x101], 11);
	ck_assert_uint_eq(m->state.pe_writer[0x0E / 2], 11);
	ck_assert_uint_eq(m->state.cp_writer[0x71], 12);
	ck_assert_uint_eq(m->state.xf_writer[0xFF], 12);
	ck_assert_uint_eq(m->state.xf_writer[0x100], QS_NONE); /* no such word */
}
END_TEST

START_TEST(pixel_engine_registers)
{
	uint16_t *pe = m->state.pe;

	gx_write_bp(m, 0x47, 0x1234);
	ck_assert_uint_eq(pe[0x0E / 2], 0x1234);
	ck_assert_uint_eq(pe[0x0A / 2], 0);
	gx_write_bp(m, 0x48, 0xFF5678);
	ck_assert_uint_eq(pe[0x0E / 2], 0x5678);
	ck_assert_uint_eq(pe[0x0A / 2], 4); /* token interrupt */
	gx_write_bp(m, 0x45, 1);
	ck_assert_uint_eq(pe[0x0A / 2], 4);
	gx_write_bp(m, 0x45, 2);
	ck_assert_uint_eq(pe[0x0A / 2], 12); /* finish interrupt */
	gx_write_bp(m, 0x55, 0x3FF);
	gx_write_bp(m, 0x56, 5 | 77 << 10);
	ck_assert(pe[0x10 / 2] == 0x3FF && pe[0x12 / 2] == 0 && pe[0x14 / 2] == 5 && pe[0x16 / 2] == 77);
	for (unsigned i = 0x18 / 2; i <= 0x2E / 2; i++)
		pe[i] = 9;
	gx_write_bp(m, 0x57, 0xAAA);
	for (unsigned i = 0x18 / 2; i < 0x2C / 2; i++)
		ck_assert_uint_eq(pe[i], 0);
	ck_assert_uint_eq(pe[0x2C / 2], 9);
}
END_TEST

START_TEST(masked_triggers_still_fire)
{
	gx_write_bp(m, 0xFE, 0);
	gx_write_bp(m, 0x48, 0x1234);
	ck_assert_uint_eq(m->state.pe[0x0A / 2], 4);
	ck_assert_uint_eq(m->state.bp[0x48], 0);
}
END_TEST

START_TEST(palette_and_block_loads)
{
	uint8_t data[64];

	for (unsigned i = 0; i < sizeof data; i++)
		data[i] = (uint8_t)(i + 1);
	gx_memory_write(&m->memory, 0x40, data, sizeof data);
	gx_write_bp(m, 0x64, 0x40 >> 5);
	gx_write_bp(m, 0x65, 0x201 | 1 << 10); /* one line of 16 entries at 0x201 * 512 */
	ck_assert(!memcmp(m->memory.tmem + 0x80000 + 0x201 * 512, data, 2));
	uint32_t generation = m->memory.tmem_generation;
	gx_write_bp(m, 0x60, 0x40 >> 5);
	gx_write_bp(m, 0x61, 0x100); /* TMEM line */
	gx_write_bp(m, 0x62, 0x4000);
	ck_assert_uint_eq(m->memory.tmem_generation, generation);
	gx_write_bp(m, 0x63, 1); /* one tile */
	ck_assert(!memcmp(m->memory.tmem + 0x100 * 32, data, 32));
	ck_assert_uint_ne(m->memory.tmem_generation, generation);
}
END_TEST

START_TEST(display_copy)
{
	struct qs_rect all = {0, 0, GX_EFB_WIDTH, GX_EFB_HEIGHT};

	gx_efb_clear(m, all, 0x80402000, 0x123456, true, true, true);
	m->command = 33;
	gx_write_bp(m, 0x4A, 15 | 7 << 10);
	gx_write_bp(m, 0x4D, 1);
	gx_write_bp(m, 0x4E, 256);
	gx_write_bp(m, 0x53, 0x595000);
	gx_write_bp(m, 0x54, 0x000015);
	ck_assert_ptr_null(m->display);
	gx_write_bp(m, 0x52, 1 << 14);
	ck_assert_ptr_nonnull(m->display);
	ck_assert_uint_eq(m->display->command, 33);
	ck_assert_uint_eq(m->display->width, 16);
	ck_assert_uint_eq(m->display->height, 8);
	ck_assert(m->display->rgb[0] == 0x80 && m->display->rgb[1] == 0x40 && m->display->rgb[2] == 0x20);
	m->display->references++;
	struct gx_display *kept = m->display;
	gx_machine_reset(m, NULL);
	ck_assert_ptr_null(m->display);
	ck_assert_uint_eq(kept->references, 1);
	gx_display_unref(kept);
	gx_display_unref(NULL);
}
END_TEST

/* ---- CP ----------------------------------------------------------------------------------------------------------------- */

START_TEST(cp_addresses)
{
	static const struct { unsigned address, slot; } aliases[] = {
		{0x30, 0x30}, {0x3F, 0x30}, {0x40, 0x40}, {0x50, 0x50}, {0x57, 0x50}, {0x61, 0x60}, {0x67, 0x60}, {0x70, 0x70}, {0x77, 0x77},
		{0x7F, 0x77}, {0x83, 0x83}, {0x97, 0x97}, {0xA0, 0xA0}, {0xAF, 0xAF}, {0xB9, 0xB9},
	};

	for (unsigned i = 0; i < sizeof aliases / sizeof *aliases; i++) {
		gx_write_cp(m, aliases[i].address, 0xC0000000 + i);
		ck_assert_msg(m->state.cp[aliases[i].slot] == 0xC0000000 + i, "CP %02X", aliases[i].address);
	}
}
END_TEST

/* ---- XF ----------------------------------------------------------------------------------------------------------------- */

/* Word i of a write is 0x100 + i; first and last: those that exist, as numbers of words. */
static const struct {
	const char *name;
	unsigned address, count;
	bool exists[16];         /* hardware */
	bool dolphin_exists[16]; /* everything below 0x1058 */
} ranges[] = {
	{"matrices", 0, 4, {1, 1, 1, 1}, {1, 1, 1, 1}},
	{"end of block 0", 0xFE, 4, {1, 1, 0, 0}, {1, 1, 1, 1}},
	{"into normals", 0x3FF, 2, {0, 1}, {1, 1}},
	{"out of normals", 0x45F, 2, {1, 0}, {1, 1}},
	{"post matrices and lights touch", 0x5FF, 2, {1, 1}, {1, 1}},
	{"out of lights", 0x67F, 2, {1, 0}, {1, 1}},
	{"memory into registers", 0xFFF, 2, {0, 1}, {1, 1}},
	{"hole after DUALTEX", 0x1012, 7, {1, 0, 0, 0, 0, 0, 1}, {1, 1, 1, 1, 1, 1, 1}},
	{"hole after the projection", 0x1026, 2, {1, 0}, {1, 1}},
	{"hole before NUMTEX", 0x103E, 2, {0, 1}, {1, 1}},
	{"hole between TEXGEN and DUALGEN", 0x1047, 10, {1, 0, 0, 0, 0, 0, 0, 0, 0, 1}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
	{"beyond the registers", 0x1057, 3, {1, 0, 0}, {1, 0, 0}},
	{"far away", 0x8000, 2, {0}, {0}},
	{"address wraps at 16 bits", 0xFFFE, 4, {0, 0, 1, 1}, {0, 0, 1, 1}},
};

START_TEST(xf_range)
{
	for (unsigned model = 0; model < 2; model++) {
		const bool *exists = model ? ranges[_i].dolphin_exists : ranges[_i].exists;
		uint32_t words[16], expected[GX_XF_COUNT] = {0};
		gx_machine_set_model(m, model ? QS_MODEL_DOLPHIN : QS_MODEL_HARDWARE);
		gx_machine_reset(m, NULL);
		for (unsigned i = 0; i < ranges[_i].count; i++) {
			words[i] = 0x100 + i;
			if (exists[i])
				expected[(ranges[_i].address + i) & 0xFFFF] = words[i];
		}
		gx_write_xf(m, ranges[_i].address, words, ranges[_i].count);
		for (unsigned i = 0; i < GX_XF_COUNT; i++)
			ck_assert_msg(m->state.xf[i] == expected[i], "%s, model %u: XF %04X is %X", ranges[_i].name, model, i, m->state.xf[i]);
	}
}
END_TEST

START_TEST(light_precision)
{
	uint32_t words[16];

	memset(words, 0xFF, sizeof words);
	m->quirk[GX_QUIRK_light_precision] = 1;
	gx_write_xf(m, 0x400, words, 1);
	gx_write_xf(m, 0x610, words, 16);
	gx_write_xf(m, 0x500, words, 1);
	ck_assert_uint_eq(m->state.xf[0x400], 0xFFFFF000);
	ck_assert_uint_eq(m->state.xf[0x613], 0xFFFFFFFF); /* the colour */
	ck_assert_uint_eq(m->state.xf[0x614], 0xFFFFF000);
	ck_assert_uint_eq(m->state.xf[0x61F], 0xFFFFF000);
	ck_assert_uint_eq(m->state.xf[0x500], 0xFFFFFFFF);
}
END_TEST

START_TEST(matrix_index_copies)
{
	const uint32_t words[2] = {0x111, 0x222};

	gx_write_xf(m, 0x1018, words, 2);
	ck_assert(m->state.xf[0x1018] == 0x111 && m->state.cp[0x30] == 0 && m->state.cp[0x40] == 0);
	gx_write_cp(m, 0x30, 0x333);
	ck_assert_uint_eq(m->state.xf[0x1018], 0x111);
	gx_machine_set_model(m, QS_MODEL_DOLPHIN);
	gx_write_xf(m, 0x1018, words, 2);
	ck_assert(m->state.cp[0x30] == 0x111 && m->state.cp[0x40] == 0x222);
}
END_TEST

/* ---- whole commands ----------------------------------------------------------------------------------------------------- */

START_TEST(indexed_loads)
{
	uint8_t array[64];

	for (unsigned i = 0; i < sizeof array; i++)
		array[i] = (uint8_t)(0x10 + i);
	for (unsigned k = 0; k < 4; k++) {
		put_cp(fifo, 0xAC + k, 0x1000);
		put_cp(fifo, 0xBC + k, 4 + 4 * k);
		log_update(&replay.frame[0], (uint32_t)fifo->size, QS_UPDATE_XF, 0x1000, array, sizeof array);
		put_u8(fifo, 0x20 + 8 * k);
		put_be32(fifo, 2u << 16 | 1u << 12 | (0x20 + 4 * k)); /* index 2, two words */
	}
	put_u8(fifo, 0x20);
	put_be32(fifo, 0u << 16 | 15u << 12 | 0xF8); /* 16 words, of which 8 exist */
	load();
	execute_all();
	for (unsigned k = 0; k < 4; k++)
		for (unsigned i = 0; i < 2; i++) {
			uint32_t byte = 0x10 + 2 * (4 + 4 * k) + 4 * i;
			ck_assert_uint_eq(m->state.xf[0x20 + 4 * k + i], byte << 24 | (byte + 1) << 16 | (byte + 2) << 8 | (byte + 3));
		}
	ck_assert_uint_eq(m->state.xf[0x22], 0);
	ck_assert_uint_eq(m->state.xf[0xFF], 0x2C2D2E2F);
	ck_assert_uint_eq(m->state.xf_writer[0xFF], qs_capture_info(capture)->command_count - 1);
}
END_TEST

START_TEST(xf_command)
{
	put_xf(fifo, 0x1004, 3, 0x77);
	load();
	execute_all();
	ck_assert(m->state.xf[0x1004] == 0x77 && m->state.xf[0x1006] == 0x79 && m->state.xf[0x1007] == 0);
}
END_TEST

/* An update stands before the command at its position, and later ones overwrite it. */
START_TEST(updates)
{
	put_bp(fifo, 0x40, 0);
	log_update(&replay.frame[0], (uint32_t)fifo->size, QS_UPDATE_VERTEX, 0x80000100, "abcd", 4);
	put_bp(fifo, 0x40, 1);
	log_update(&replay.frame[0], (uint32_t)fifo->size, QS_UPDATE_VERTEX, 0x102, "XY", 2);
	log_update(&replay.frame[0], (uint32_t)fifo->size, QS_UPDATE_VERTEX, 0x10000100, "2", 1);
	put_bp(fifo, 0x40, 2);
	load();
	uint8_t *mem1 = m->memory.mem1 + 0x100;
	gx_execute(m, 0);
	ck_assert_uint_eq(mem1[0], 0);
	m->draw_state_valid = true;
	gx_apply_updates(m, 1);
	ck_assert(!memcmp(mem1, "abcd", 4) && m->state.bp[0x40] == 0 && m->command == 1 && !m->draw_state_valid);
	gx_execute(m, 1);
	ck_assert(!memcmp(mem1, "abcd", 4) && m->state.bp[0x40] == 1);
	gx_execute(m, 2);
	ck_assert(!memcmp(mem1, "abXY", 4) && m->memory.mem2[0x100] == '2');
	gx_execute(m, 3); /* no such command */
	ck_assert_uint_eq(m->state.bp[0x40], 2);
}
END_TEST

/* Array addresses have 26 bits on a GameCube; on a Wii bit 28 reaches MEM2. */
START_TEST(arrays_of_a_wii)
{
	replay.flags = (uint32_t)_i;
	put_cp(fifo, 0xAC, 0x90000040);
	put_cp(fifo, 0xBC, 4);
	log_update(&replay.frame[0], (uint32_t)fifo->size, QS_UPDATE_XF, 0x40, "\1\1\1\1", 4);
	log_update(&replay.frame[0], (uint32_t)fifo->size, QS_UPDATE_XF, 0x10000040, "\2\2\2\2", 4);
	put_u8(fifo, 0x20);
	put_be32(fifo, 0);
	load();
	ck_assert_int_eq(qs_capture_info(capture)->wii, _i);
	execute_all();
	ck_assert_uint_eq(m->state.xf[0], _i ? 0x02020202 : 0x01010101);
}
END_TEST

/* ---- primitives --------------------------------------------------------------------------------------------------------- */

/* Vertices in the order that the setup unit gets them; it decides what is front and back. */
static const struct {
	const char *name;
	unsigned opcode, count;
	const char *expected;
} assemblies[] = {
	{"quads", 0x80, 8, "012 023 456 467"},
	{"quads, three vertices left: a triangle", 0x80, 7, "012 023 456"},
	{"quads, two left", 0x80, 6, "012 023"},
	{"0x88 is quads too", 0x88, 8, "012 023 456 467"},
	{"triangles", 0x90, 8, "012 345"},
	{"strip: odd triangles turn round", 0x98, 6, "012 132 234 354"},
	{"fan", 0xA0, 5, "012 023 034"},
	{"lines", 0xA8, 5, "01 23"},
	{"line strip", 0xB0, 4, "01 12 23"},
	{"points", 0xB8, 3, "0 1 2"},
	{"strip of two", 0x98, 2, ""},
	{"fan of two", 0xA0, 2, ""},
	{"line strip of one", 0xB0, 1, ""},
	{"quads without vertices", 0x80, 0, ""},
};

static bool tap_assembly(void *user, const struct qs_moment *moment, const struct qs_setup *setup)
{
	char *text = user;

	(void)moment;
	if (*text)
		strcat(text, " ");
	for (unsigned i = 0; i < 3 && setup->primitive_vertex[i] != QS_NONE; i++)
		sprintf(text + strlen(text), "%u", setup->primitive_vertex[i]);
	return true;
}

START_TEST(assembly)
{
	char text[200] = "";
	const struct qs_taps taps = {QS_TAP_PRIMITIVE, text, .primitive = tap_assembly};

	put_cp(fifo, 0x50, 1 << 9); /* two bytes a vertex */
	put_draw(fifo, assemblies[_i].opcode, assemblies[_i].count, 2);
	load();
	m->taps = &taps;
	execute_all();
	ck_assert_msg(!strcmp(text, assemblies[_i].expected), "%s: %s, not %s", assemblies[_i].name, text, assemblies[_i].expected);
}
END_TEST

/* ---- taps --------------------------------------------------------------------------------------------------------------- */

struct seen {
	char text[2048];
	unsigned stop_after; /* events; 0: never */
	unsigned events;
};

static bool see(struct seen *seen, const char *what, const struct qs_moment *moment)
{
	char where[80];
	size_t used = strlen(seen->text);

	qs_moment_format(capture, moment, where, sizeof where);
	snprintf(seen->text + used, sizeof seen->text - used, "%s at %s\n", what, where);
	return ++seen->events != seen->stop_after;
}

static bool tap_command(void *user, const struct qs_moment *moment)
{
	return see(user, "done", moment);
}

static bool tap_write(void *user, const struct qs_moment *moment, enum qs_unit unit, uint32_t address, uint32_t old, uint32_t value)
{
	char what[80];

	snprintf(what, sizeof what, "%u:%X %X to %X", unit, address, old, value);
	return see(user, what, moment);
}

START_TEST(tap_order)
{
	struct seen seen = {0};
	const struct qs_taps taps = {QS_TAP_COMMAND | QS_TAP_REGISTER, &seen, .command = tap_command, .write = tap_write};

	put_bp(fifo, 0x40, 5);
	put_bp(fifo, 0xFE, 0xF0);
	put_bp(fifo, 0x40, 0xFF);
	put_bp(fifo, 0xE2, 0x800001);
	put_bp(fifo, 0x48, 9);
	put_cp(fifo, 0x51, 0);
	put_xf(fifo, 0xFF, 2, 3);
	put_u8(fifo, 0x48);
	put_draw(fifo, 0x90, 0, 0);
	load();
	m->taps = &taps;
	execute_all();
	ck_assert_str_eq(seen.text,
		"0:40 0 to 5 at 1@0x0\ndone at 1@0x0\n"
		"0:FE FFFFFF to F0 at 1@0x5\ndone at 1@0x5\n"
		"0:40 5 to F5 at 1@0xa\ndone at 1@0xa\n"
		"0:102 0 to 800001 at 1@0xf\ndone at 1@0xf\n"
		"0:48 0 to 9 at 1@0x14\n3:E 0 to 9 at 1@0x14\n3:A 0 to 4 at 1@0x14\ndone at 1@0x14\n"
		"1:50 0 to 0 at 1@0x19\ndone at 1@0x19\n"
		"2:FF 0 to 3 at 1@0x1f\ndone at 1@0x1f\n"
		"done at 1@0x2c\n"
		"done at 1/0\n");
	ck_assert(!m->stop);
}
END_TEST

START_TEST(tap_stops)
{
	struct seen seen = {.stop_after = 1 + (unsigned)_i};
	const struct qs_taps taps = {QS_TAP_COMMAND | QS_TAP_REGISTER, &seen, .command = tap_command, .write = tap_write};

	put_bp(fifo, 0x40, 5);
	load();
	m->taps = &taps;
	gx_execute(m, 0);
	ck_assert(m->stop);
	ck_assert_uint_eq(seen.events, 2); /* the command is finished all the same */
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("cp");
	TCase *tcase = tcase_create("cp");
	tcase_add_checked_fixture(tcase, setup, log_machine_end);
	tcase_add_loop_test(tcase, bp_mask, 0, sizeof masks / sizeof *masks);
	tcase_add_test(tcase, draw_state_is_decoded_again);
	tcase_add_test(tcase, writers);
	tcase_add_test(tcase, pixel_engine_registers);
	tcase_add_test(tcase, masked_triggers_still_fire);
	tcase_add_test(tcase, palette_and_block_loads);
	tcase_add_test(tcase, display_copy);
	tcase_add_test(tcase, cp_addresses);
	tcase_add_loop_test(tcase, xf_range, 0, sizeof ranges / sizeof *ranges);
	tcase_add_test(tcase, light_precision);
	tcase_add_test(tcase, matrix_index_copies);
	tcase_add_test(tcase, indexed_loads);
	tcase_add_test(tcase, xf_command);
	tcase_add_test(tcase, updates);
	tcase_add_loop_test(tcase, arrays_of_a_wii, 0, 2);
	tcase_add_loop_test(tcase, assembly, 0, sizeof assemblies / sizeof *assemblies);
	tcase_add_test(tcase, tap_order);
	tcase_add_loop_test(tcase, tap_stops, 0, 2);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
