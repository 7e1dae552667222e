/* check_machine.c - main memory, hash, quirk table, initial state of a machine
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "dffwriter.h"
#include "gx/machine.h"

/* ---- hash --------------------------------------------------------------------------------------------------------------- */

/* Every single-bit change of every short buffer, and every length of zeros, gives a hash of its own. */
START_TEST(hash_tells_bits_apart)
{
	static uint64_t seen[80 * 8 * 80 + 200];
	uint8_t buffer[80] = {0};
	size_t count = 0;

	for (size_t size = 0; size <= sizeof buffer; size++) {
		seen[count++] = hash_bytes(buffer, size, 0);
		for (size_t bit = 0; bit < 8 * size && size % 7 == 0; bit++) {
			buffer[bit / 8] ^= (uint8_t)(1 << bit % 8);
			seen[count++] = hash_bytes(buffer, size, 0);
			buffer[bit / 8] ^= (uint8_t)(1 << bit % 8);
		}
	}
	seen[count++] = hash_bytes(buffer, sizeof buffer, 1);
	for (size_t i = 0; i < count; i++)
		for (size_t k = i + 1; k < count; k++)
			ck_assert_msg(seen[i] != seen[k], "%zu %zu of %zu", i, k, count);
}
END_TEST

/* The value is part of what a report can quote, so it must not depend on alignment or machine. */
START_TEST(hash_is_fixed)
{
	uint8_t buffer[100];

	for (unsigned shift = 0; shift < 8; shift++) {
		for (unsigned i = 0; i < 91; i++)
			buffer[shift + i] = (uint8_t)(i * 37);
		ck_assert_uint_eq(hash_bytes(buffer + shift, 91, 5), UINT64_C(6251324202402201138));
	}
}
END_TEST

/* ---- memory ------------------------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	uint32_t address, size;
	unsigned bank;   /* where it lands; 0: nowhere */
	uint32_t offset; /* of the first byte */
	uint32_t count;  /* bytes that land */
} places[] = {
	{"start of MEM1", 0, 4, 1, 0, 4},
	{"cached segment", 0x80000010, 4, 1, 0x10, 4},
	{"uncached segment", 0xC0000010, 4, 1, 0x10, 4},
	{"last bytes of MEM1", 0x17FFFFC, 4, 1, 0x17FFFFC, 4},
	{"across the end of MEM1", 0x17FFFFE, 4, 1, 0x17FFFFE, 2},
	{"between size and mask", 0x1800000, 4, 0, 0, 0},
	{"wraps at 32 MiB", 0x2000004, 4, 1, 4, 4},
	{"MEM2", 0x10000020, 4, 2, 0x20, 4},
	{"MEM2, cached", 0x90000020, 4, 2, 0x20, 4},
	{"MEM2, last byte", 0x13FFFFFF, 1, 2, 0x3FFFFFF, 1},
	{"MEM2 wraps at 64 MiB", 0x14000020, 4, 2, 0x20, 4},
	{"over a page border", 0xFFE, 4, 1, 0xFFE, 4},
	{"no bytes", 0x100, 0, 0, 0, 0},
};

START_TEST(place)
{
	struct gx_machine *m = gx_machine_create(0x1800000, 0x4000000);
	struct gx_memory *memory = &m->memory;
	const uint8_t data[4] = {1, 2, 3, 4};
	uint8_t back[4] = {9, 9, 9, 9};
	uint32_t generation = memory->main_generation, offset = places[_i].offset, count = places[_i].count;

	gx_memory_write(memory, places[_i].address, data, places[_i].size);
	ck_assert_uint_ne(memory->main_generation, generation);
	const uint8_t *bank = places[_i].bank == 2 ? memory->mem2 : memory->mem1;
	if (count)
		ck_assert_msg(!memcmp(bank + offset, data, count), "%s: bytes", places[_i].name);
	size_t dirty1 = 0, dirty2 = 0;
	for (size_t i = 0; i < 0x1800; i++)
		dirty1 += memory->mem1_dirty[i] != 0;
	for (size_t i = 0; i < 0x4000; i++)
		dirty2 += memory->mem2_dirty[i] != 0;
	size_t pages = count ? (offset + count - 1) / 4096 - offset / 4096 + 1 : 0;
	ck_assert_msg(dirty1 == (places[_i].bank == 1 ? pages : 0), "%s: dirty pages of MEM1", places[_i].name);
	ck_assert_msg(dirty2 == (places[_i].bank == 2 ? pages : 0), "%s: dirty pages of MEM2", places[_i].name);
	gx_memory_read(memory, places[_i].address, back, places[_i].size);
	for (unsigned i = 0; i < places[_i].size; i++)
		ck_assert_msg(back[i] == (i < count ? data[i] : 0), "%s: byte %u reads %u", places[_i].name, i, back[i]);
	const uint8_t *at = gx_memory_at(memory, places[_i].address, places[_i].size);
	if (places[_i].size)
		ck_assert_msg((at != NULL) == (count == places[_i].size), "%s: pointer", places[_i].name);
	gx_machine_destroy(m);
}
END_TEST

START_TEST(no_mem2)
{
	struct gx_machine *m = gx_machine_create(0x1000, 0);
	uint8_t byte = 7;

	gx_memory_write(&m->memory, 0x10000000, &byte, 1);
	gx_memory_read(&m->memory, 0x10000000, &byte, 1);
	ck_assert_uint_eq(byte, 0);
	ck_assert_ptr_null(gx_memory_at(&m->memory, 0x10000000, 1));
	gx_machine_destroy(m);
}
END_TEST

/* ---- quirks ------------------------------------------------------------------------------------------------------------- */

START_TEST(quirks)
{
	ck_assert_uint_ge(qs_quirk_count(), 40);
	for (uint32_t i = 0; i < qs_quirk_count(); i++) {
		const struct qs_quirk *quirk = qs_quirk_at(i);
		ck_assert_msg(strlen(quirk->text) > 10, "%s has no explanation", quirk->name);
		for (uint32_t k = 0; k < i; k++)
			ck_assert_str_ne(quirk->name, qs_quirk_at(k)->name);
	}
	ck_assert_ptr_null(qs_quirk_at(qs_quirk_count()));
	for (unsigned i = 0; i < QS_MODEL_COUNT; i++) {
		enum qs_model model = QS_MODEL_COUNT;
		ck_assert(qs_model_parse(qs_model_name((enum qs_model)i), &model));
		ck_assert_uint_eq(model, i);
	}
	enum qs_model model;
	ck_assert(!qs_model_parse("console", &model));
	struct gx_machine *m = gx_machine_create(0, 0);
	for (unsigned i = 0; i < QS_MODEL_COUNT; i++) {
		m->draw_state_valid = true;
		gx_machine_set_model(m, (enum qs_model)i);
		ck_assert(!m->draw_state_valid);
		for (uint32_t k = 0; k < qs_quirk_count(); k++)
			ck_assert_int_eq(m->quirk[k], qs_quirk_at(k)->value[i]);
	}
	gx_machine_destroy(m);
	gx_machine_destroy(NULL);
}
END_TEST

/* ---- initial state ------------------------------------------------------------------------------------------------------ */

static struct qs_capture *open_log(const struct log *log)
{
	struct qs_error error = {0};
	struct bytes file = log_write(log);
	struct qs_capture *capture = qs_capture_open_memory(file.data, file.size, &error);

	ck_assert_msg(capture != NULL, "%s", error.text);
	free(file.data);
	return capture;
}

static bool bp_acts(unsigned i)
{
	return i == 0x45 || i == 0x47 || i == 0x48 || i == 0x52 || i == 0x63 || i == 0x65 || i == 0x67 || i == 0xFE;
}

static bool cp_exists(unsigned i)
{
	return i == 0x30 || i == 0x40 || i == 0x50 || i == 0x60 || (i >= 0x70 && i < 0xA0 && i % 16 < 8) || (i >= 0xA0 && i < 0xC0);
}

static bool xf_exists(unsigned i)
{
	return i < 0x100 || (i >= 0x400 && i < 0x460) || (i >= 0x500 && i < 0x680);
}

static bool xf_register_loads(unsigned i)
{
	return i <= 0x57 && i != 7 && !(i >= 0x13 && i <= 0x17) && !(i >= 0x27 && i <= 0x3E) && !(i >= 0x48 && i <= 0x4F);
}

static struct log *some_log(void)
{
	static struct log log;
	static uint32_t memory[4096], registers[96];
	static uint8_t tmem[GX_TMEM_SIZE];

	memset(&log, 0, sizeof log);
	log.version = 4;
	log.tmem_size = GX_TMEM_SIZE;
	log.tmem = tmem;
	log.xf_memory = memory;
	log.xf_registers = registers;
	for (unsigned i = 0; i < 256; i++) {
		log.bp[i] = 0xAB000000u | (i * 0x010203u + 0x100);
		log.cp[i] = i * 0x01020304u + 5;
	}
	log.bp[0x43] = 1; /* RGBA6 */
	log.bp[0x40] = 0; /* masks and tests do not matter to the first clear */
	log.bp[0x41] = 0;
	log.bp[0x4F] = 0x8040;
	log.bp[0x50] = 0x20FF;
	log.bp[0x51] = 0x123456;
	log.bp[0x55] = 5 | 600 << 10;
	log.bp[0x56] = 7 | 500 << 10;
	log.bp[0xE3] = 0x800123; /* a constant */
	log.bp[0xE4] = 0x000456;
	for (unsigned i = 0; i < 4096; i++)
		memory[i] = 0x10000 + i;
	for (unsigned i = 0; i < 96; i++)
		registers[i] = 0x20000 + i;
	for (unsigned i = 0; i < GX_TMEM_SIZE; i++)
		tmem[i] = (uint8_t)(i * 5 + (i >> 10));
	log.frame_count = 1;
	put_bp(&log.frame[0].fifo, 0x45, 2);
	return &log;
}

START_TEST(initial_registers)
{
	struct log *log = some_log();
	struct qs_capture *capture = open_log(log);
	struct gx_machine *m = gx_machine_create(0x1800000, 0);
	const struct gx_state *s = &m->state;

	gx_write_bp(m, 0xFE, 1); /* all of this is to be forgotten */
	gx_write_bp(m, 0xE3, 0x000777);
	gx_memory_write(&m->memory, 0x123, "x", 1);
	m->memory.tmem[7] ^= 0xFF;
	m->efb->colour[100] = 0x123;
	gx_machine_reset(m, capture);
	for (unsigned i = 0; i < 256; i++) {
		uint32_t expected = i == 0xFE ? 0xFFFFFF : bp_acts(i) || i == 0xE3 ? 0 : log->bp[i] & 0xFFFFFF;
		if (i >= 0xE0 && i <= 0xE7)
			expected = expected & 0x800000 ? 0 : expected;
		ck_assert_msg(s->bp[i] == expected, "BP %02X is %06X, not %06X", i, s->bp[i], expected);
		ck_assert_uint_eq(s->bp_writer[i], QS_NONE);
		ck_assert_msg(s->cp[i] == (cp_exists(i) ? log->cp[i] : 0), "CP %02X", i);
		ck_assert_uint_eq(s->cp_writer[i], QS_NONE);
	}
	ck_assert_uint_eq(s->bp[0x103], 0x800123);
	ck_assert_uint_eq(s->bp[0xE4], 0x000456);
	ck_assert_uint_eq(s->bp[0x104], 0);
	for (unsigned i = 0; i < 4096; i++)
		ck_assert_msg(s->xf[i] == (xf_exists(i) ? log->xf_memory[i] : 0), "XF %04X", i);
	for (unsigned i = 0; i < 0x58; i++)
		ck_assert_msg(s->xf[0x1000 + i] == (xf_register_loads(i) ? log->xf_registers[i] : 0), "XF %04X", 0x1000 + i);
	ck_assert_uint_eq(s->bp_mask, 0xFFFFFF);
	ck_assert_uint_eq(s->pe[0x10 / 2], 5);
	ck_assert_uint_eq(s->pe[0x12 / 2], 600);
	ck_assert_uint_eq(s->pe[0x14 / 2], 7);
	ck_assert_uint_eq(s->pe[0x16 / 2], 500);
	ck_assert(!memcmp(m->memory.tmem, log->tmem, GX_TMEM_SIZE));
	ck_assert_uint_eq(m->memory.mem1[0x123], 0);
	for (unsigned i = 0; i < 0x1800; i++)
		ck_assert_uint_eq(m->memory.mem1_dirty[i], 0);
	gx_machine_destroy(m);
	qs_capture_destroy(capture);
	log_free(log);
}
END_TEST

START_TEST(initial_clear)
{
	static const struct { unsigned pixel; uint32_t colour; } formats[] = {
		{0, 0x4020FF}, {1, 0x40u >> 2 << 18 | 0x20u >> 2 << 12 | 0xFFu >> 2 << 6 | 0x80 >> 2},
	};
	struct log *log = some_log();

	log->bp[0x43] = formats[_i].pixel;
	struct qs_capture *capture = open_log(log);
	struct gx_machine *m = gx_machine_create(0x1800000, 0);
	gx_machine_reset(m, capture);
	for (unsigned i = 0; i < GX_EFB_WIDTH * GX_EFB_HEIGHT; i++) {
		ck_assert_uint_eq(m->efb->colour[i], formats[_i].colour);
		ck_assert_uint_eq(m->efb->depth[i], 0x123456);
	}
	gx_machine_destroy(m);
	qs_capture_destroy(capture);
	log_free(log);
}
END_TEST

START_TEST(hash_covers_the_machine)
{
	struct log *log = some_log();
	struct qs_capture *capture = open_log(log);
	struct gx_machine *m = gx_machine_create(0x1800000, 0x4000000), *other = gx_machine_create(0x1800000, 0x4000000);

	gx_machine_reset(m, capture);
	gx_machine_reset(other, capture);
	uint64_t start = gx_machine_hash(m);
	ck_assert_uint_eq(gx_machine_hash(other), start);
	for (unsigned part = 0; part < 7; part++) {
		uint8_t *const parts[] = {(uint8_t *)&m->state.bp[0xF3], (uint8_t *)&m->state.bp_mask, (uint8_t *)&m->state.xf[0x1025],
			(uint8_t *)&m->state.last_tex[7][1], (uint8_t *)&m->state.cp_writer[3], (uint8_t *)&m->efb->depth[337919],
			&m->memory.tmem[GX_TMEM_SIZE - 1]};
		*parts[part] ^= 0x10;
		ck_assert_msg(gx_machine_hash(m) != start, "part %u", part);
		*parts[part] ^= 0x10;
		ck_assert_msg(gx_machine_hash(m) == start, "part %u and back", part);
	}
	for (unsigned i = 0; i < 4; i++) {
		static const uint32_t addresses[4] = {0x17FFFFF, 0x10000000, 0x13FFFFFF, 0};
		gx_memory_write(&m->memory, addresses[i], "\x08", 1);
		ck_assert_msg(gx_machine_hash(m) != start, "address %08X", addresses[i]);
		gx_memory_write(&m->memory, addresses[i], "\x00", 1);
		ck_assert_msg(gx_machine_hash(m) == start, "address %08X and back", addresses[i]);
	}
	for (uint32_t i = 0; i < qs_capture_info(capture)->command_count; i++)
		gx_execute(m, i);
	ck_assert_uint_ne(gx_machine_hash(m), start);
	gx_machine_reset(m, capture);
	ck_assert_uint_eq(gx_machine_hash(m), start);
	gx_machine_destroy(m);
	gx_machine_destroy(other);
	qs_capture_destroy(capture);
	log_free(log);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("machine");
	TCase *tcase = tcase_create("machine");
	tcase_add_test(tcase, hash_tells_bits_apart);
	tcase_add_test(tcase, hash_is_fixed);
	tcase_add_loop_test(tcase, place, 0, sizeof places / sizeof *places);
	tcase_add_test(tcase, no_mem2);
	tcase_add_test(tcase, quirks);
	tcase_add_test(tcase, initial_registers);
	tcase_add_loop_test(tcase, initial_clear, 0, 2);
	tcase_add_test(tcase, hash_covers_the_machine);
	tcase_set_timeout(tcase, 60);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
