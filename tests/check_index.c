/* check_index.c - commands, display lists, placement of memory updates, text of commands
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture_invariants.h"
#include "core/bits.h"
#include "dffwriter.h"
#include "gx/machine.h"
#include "oracle/random.h"
#include "quadscope.h"

/* In long loops: ck_assert writes a note to a file each time it passes. */
#define CHECK(condition, ...)                     \
	do {                                      \
		if (!(condition))                 \
			ck_abort_msg(__VA_ARGS__); \
	} while (0)

static struct qs_capture *open_log(const struct log *log)
{
	struct bytes b = log_write(log);
	struct qs_error error = {0};
	struct qs_capture *capture = qs_capture_open_memory(b.data, b.size, &error);

	ck_assert_msg(capture != NULL, "%s", error.text);
	const char *broken = capture_invariants(capture);
	ck_assert_msg(!broken, "%s", broken);
	free(b.data);
	return capture;
}

static struct qs_capture *open_sample(const char *name)
{
	char path[1024];
	struct qs_error error = {0};
	const char *data = getenv("QS_DATA");

	snprintf(path, sizeof path, "%s/captures/%s.dff", data ? data : "data", name);
	struct qs_capture *capture = qs_capture_open(path, NULL, NULL, &error);
	ck_assert_msg(capture != NULL, "%s", error.text);
	return capture;
}

static void new_log(struct log *log)
{
	memset(log, 0, sizeof *log);
	log->version = 3;
	log->frame_count = 1;
	log->cp[0x50] = 1 << 9; /* position XY u8: 2 bytes a vertex */
}

static void put_list_padded(struct bytes *list)
{
	put_zero(list, (32 - list->size % 32) % 32);
}

/* ---- placement of updates ------------------------------------------------------------------------------------------------- */

START_TEST(update_after_primitive)
{
	struct qs_capture *capture = open_sample("update-after-primitive");
	static const struct {
		uint32_t position, draw_offset;
	} want[] = {{0x15B, 0x68}, {0x1CD, 0x16A}};
	const struct qs_update *u;

	ck_assert_uint_eq(qs_capture_info(capture)->update_count, 2);
	/* redundant BP writes between the draws at 0x68 and 0xf8 do not end their batch */
	for (unsigned i = 0; i < 2; i++) {
		uint32_t command = qs_capture_draw_command(capture, 1, 2 * i);
		ck_assert_uint_eq(qs_capture_command(capture, command)->offset, want[i].draw_offset);
		ck_assert_uint_eq(qs_capture_updates(capture, command, &u), 1);
		ck_assert_uint_eq(u->fifo_position, want[i].position);
		ck_assert_uint_eq(u->command, command);
		ck_assert_uint_eq(qs_capture_updates(capture, command + 1, &u), 0);
	}
	qs_capture_destroy(capture);
}
END_TEST

enum item { END, DRAW, BP_SAME, BP_NEW, BP_ACTS, BP_MASKED, CP, XF, NOP, MARK };

/* One stream each; MARK is an update of the given type; `before` says before which item (counted without marks) it applies. */
static const struct {
	const char *name;
	uint8_t items[12];
	unsigned type;
	int before;
} placements[] = {
	{"texture behind its draw", {BP_NEW, DRAW, BP_NEW, MARK, BP_NEW}, 1, 1},
	{"texture right behind its draw", {BP_NEW, DRAW, MARK, BP_NEW, DRAW}, 1, 1},
	{"texture before any draw", {BP_NEW, MARK, BP_NEW, DRAW}, 1, 1},
	{"texture before everything", {MARK, DRAW, BP_NEW, DRAW}, 1, 0},
	{"the same value does not end a batch", {DRAW, BP_SAME, DRAW, BP_NEW, MARK, DRAW}, 1, 0},
	{"a changed value ends a batch", {DRAW, BP_NEW, DRAW, BP_NEW, MARK, DRAW}, 1, 2},
	{"an acting register ends a batch", {DRAW, BP_ACTS, DRAW, BP_NEW, MARK, DRAW}, 1, 2},
	{"a masked write changes nothing", {DRAW, BP_MASKED, DRAW, BP_NEW, MARK, DRAW}, 1, 3},
	{"CP, XF and NOP do not end a batch", {DRAW, CP, XF, NOP, DRAW, BP_NEW, MARK, DRAW}, 1, 0},
	{"at the first draw after the batch", {DRAW, BP_NEW, MARK, DRAW, BP_NEW}, 1, 0},
	{"behind the next batch's first draw", {DRAW, BP_NEW, DRAW, MARK, BP_NEW}, 1, 2},
	{"left over at the end of the frame", {DRAW, BP_NEW, DRAW, BP_NEW, BP_NEW, MARK}, 1, 2},
	{"vertex array stands where it is", {DRAW, BP_NEW, MARK, DRAW, BP_NEW}, 4, 2},
	{"XF data stands where it is", {DRAW, BP_NEW, MARK, XF, DRAW}, 2, 2},
	{"TMEM source stands where it is", {DRAW, BP_SAME, MARK, BP_ACTS}, 8, 2},
	{"vertex array at the end: before the next frame", {DRAW, BP_NEW, MARK}, 4, 2},
};

static void put_item(struct bytes *b, unsigned item)
{
	switch (item) {
	case DRAW:
		put_draw(b, 0x90, 3, 2);
		break;
	case BP_SAME:
		put_bp(b, 0x41, 0);
		break;
	case BP_NEW:
		put_bp(b, 0x40, (uint32_t)b->size);
		break;
	case BP_ACTS:
		put_bp(b, 0x66, 0);
		break;
	case BP_MASKED: /* two commands: the mask is a register whose value changes */
		put_bp(b, 0xFE, 0);
		put_bp(b, 0x41, 0xFFFFFF);
		break;
	case CP:
		put_cp(b, 0x30, (uint32_t)b->size);
		break;
	case XF:
		put_xf(b, 0x1020, 7, (uint32_t)b->size);
		break;
	case NOP:
		put_zero(b, 3);
		break;
	default:
		abort();
	}
}

START_TEST(placement)
{
	struct log log;
	const uint8_t *items = placements[_i].items;
	const struct qs_update *u;

	new_log(&log);
	log.frame_count = 2;
	put_item(&log.frame[1].fifo, BP_NEW);
	for (size_t i = 0; items[i] != END; i++) {
		if (items[i] == MARK)
			log_update(&log.frame[0], (uint32_t)log.frame[0].fifo.size, placements[_i].type, 0x1000, "abcd", 4);
		else
			put_item(&log.frame[0].fifo, items[i]);
	}
	ck_assert_uint_eq(log.frame[0].update_count, 1);
	struct qs_capture *capture = open_log(&log);
	ck_assert_uint_eq(qs_capture_info(capture)->warning_count, 0);
	uint32_t found = QS_NONE;
	for (uint32_t i = 0; i <= qs_capture_info(capture)->command_count; i++)
		if (qs_capture_updates(capture, i, &u))
			found = i;
	ck_assert_msg((int)found == placements[_i].before, "%s: before command %u", placements[_i].name, found);
	qs_capture_destroy(capture);
	log_free(&log);
}
END_TEST

/* A write of the value already held ends a batch only when the register acts.  (FE, the mask, holds all ones.) */
START_TEST(acting_registers)
{
	static const uint8_t acting[] = {0x45, 0x47, 0x48, 0x52, 0x55, 0x56, 0x57, 0x63, 0x64, 0x65, 0x66, 0xFE};
	struct log log;
	const struct qs_update *u;

	new_log(&log);
	put_item(&log.frame[0].fifo, DRAW);
	put_bp(&log.frame[0].fifo, (unsigned)_i, 0);
	put_item(&log.frame[0].fifo, DRAW);
	log_update(&log.frame[0], (uint32_t)log.frame[0].fifo.size, 1, 0x1000, "abcd", 4);
	struct qs_capture *capture = open_log(&log);
	uint32_t want = memchr(acting, _i, sizeof acting) ? 2 : 0;
	ck_assert_msg(qs_capture_updates(capture, want, &u) == 1, "register %02x: not before command %u", (unsigned)_i, want);
	qs_capture_destroy(capture);
	log_free(&log);
}
END_TEST

/* The rule of the format description, literally and slowly. */
static void oracle_place(const struct qs_capture *capture, const struct log *log, uint32_t expected[][32])
{
	uint32_t bp[256] = {0}, mask = 0xFFFFFF, count = qs_capture_info(capture)->command_count;
	bool effective[4096] = {0};

	ck_assert_uint_lt(count, 4096);
	for (uint32_t i = 0; i < count; i++) {
		const uint8_t *p = qs_capture_command_bytes(capture, i);
		if (p[0] != 0x61)
			continue;
		uint32_t value = be24(p + 2);
		if (p[1] == 0xFE) {
			effective[i] = value != mask;
			mask = value;
			continue;
		}
		uint32_t new = (bp[p[1]] & ~mask) | (value & mask);
		effective[i] = new != bp[p[1]] || strchr("\x45\x47\x48\x52\x55\x56\x57\x63\x64\x65\x66", p[1]);
		bp[p[1]] = new;
		mask = 0xFFFFFF;
	}
	for (uint32_t f = 0; f < log->frame_count; f++) {
		const struct qs_frame *frame = qs_capture_frame(capture, f + 1);
		uint32_t first = frame->first_command, end = first + frame->command_count;
		bool in_batch = false;

		for (unsigned k = 0; k < log->frame[f].update_count; k++)
			expected[f][k] = end;
		for (uint32_t i = first; i < end; i++) {
			const struct qs_command *c = qs_capture_command(capture, i);
			uint32_t offset = c->parent == QS_NONE ? c->offset : qs_capture_command(capture, c->parent)->offset;
			uint32_t limit = UINT32_MAX;

			if (effective[i])
				in_batch = false;
			for (unsigned k = 0; k < log->frame[f].update_count; k++)
				if (expected[f][k] == end && log->frame[f].update[k].position <= offset)
					expected[f][k] = i;
			if (c->kind != QS_COMMAND_DRAW || in_batch)
				continue;
			in_batch = true;
			bool batch = true;
			for (uint32_t j = i + 1; j < end && limit == UINT32_MAX; j++) {
				const struct qs_command *d = qs_capture_command(capture, j);
				batch = batch && !effective[j];
				if (d->kind == QS_COMMAND_DRAW && !batch)
					limit = d->parent == QS_NONE ? d->offset : qs_capture_command(capture, d->parent)->offset;
			}
			for (unsigned k = 0; k < log->frame[f].update_count; k++)
				if (expected[f][k] == end && log->frame[f].update[k].type == 1 && log->frame[f].update[k].position <= limit)
					expected[f][k] = i;
		}
	}
}

static void random_stream(struct oracle_random *r, struct log *log, unsigned f)
{
	struct log_frame *frame = &log->frame[f];
	unsigned n = oracle_random_below(r, 60);

	for (unsigned i = 0; i < n; i++) {
		if (!oracle_random_below(r, 3) && frame->update_count < 31)
			log_update(frame, (uint32_t)frame->fifo.size, 1u << oracle_random_below(r, 4),
				0x10000 + 32 * oracle_random_below(r, 64), "abcdefgh", 8);
		switch (oracle_random_below(r, 8)) {
		case 0:
		case 1:
			put_draw(&frame->fifo, 0x90, 3, 2);
			break;
		case 2:
		case 3:
			put_bp(&frame->fifo, 0x40 + oracle_random_below(r, 3), oracle_random_below(r, 2));
			break;
		case 4:
			put_bp(&frame->fifo, oracle_random_below(r, 2) ? 0xFE : 0x42 + oracle_random_below(r, 8), oracle_random_below(r, 2));
			break;
		case 5:
			put_list(&frame->fifo, 0x1000, 64);
			break;
		case 6:
			put_zero(&frame->fifo, 1 + oracle_random_below(r, 4));
			break;
		default:
			put_cp(&frame->fifo, 0x30, 0);
		}
	}
}

START_TEST(placement_against_the_slow_rule)
{
	struct oracle_random r = oracle_random_start();
	struct log log;

	for (int round = 0; round < 1500; round++) {
		static uint32_t expected[8][32];
		uint8_t taken[8][32] = {{0}};
		struct bytes list = {0};
		const struct qs_update *u;

		new_log(&log);
		log.frame_count = 1 + oracle_random_below(&r, 3);
		put_bp(&list, 0x40, 0);
		put_draw(&list, 0x90, 3, 2);
		put_bp(&list, 0x41, 1);
		put_draw(&list, 0x90, 3, 2);
		put_list_padded(&list);
		log_update(&log.frame[0], 0, 4, 0x1000, list.data, (uint32_t)list.size);
		for (unsigned f = 0; f < log.frame_count; f++)
			random_stream(&r, &log, f);
		struct qs_capture *capture = open_log(&log);
		oracle_place(capture, &log, expected);
		uint32_t last_frame = 0;
		for (uint32_t i = 0; i <= qs_capture_info(capture)->command_count; i++)
			for (uint32_t n = qs_capture_updates(capture, i, &u), last = 0; n; n--, u++) {
				unsigned f = u->frame - 1, k = 0;
				while (k < log.frame[f].update_count &&
					(taken[f][k] || log.frame[f].update[k].position != u->fifo_position ||
						log.frame[f].update[k].type != u->type || log.frame[f].update[k].address != u->address))
					k++;
				CHECK(k < log.frame[f].update_count, "unknown update");
				taken[f][k] = 1;
				CHECK(expected[f][k] == i, "seed %llu, round %d, frame %u: update %u of type %u at 0x%x before %u, not %u",
					(unsigned long long)r.seed, round, f + 1, k, u->type, u->fifo_position, i, expected[f][k]);
				/* those of one command keep the order of the file */
				CHECK(f > last_frame || k >= last, "seed %llu, round %d: order", (unsigned long long)r.seed, round);
				if (f > last_frame)
					last_frame = f;
				last = k;
			}
		qs_capture_destroy(capture);
		free(list.data);
		log_free(&log);
	}
}
END_TEST

/* ---- display lists ---------------------------------------------------------------------------------------------------------- */

START_TEST(display_list_capture)
{
	struct qs_capture *capture = open_sample("display-list");
	const struct qs_frame *frame = qs_capture_frame(capture, 1);
	uint32_t list = 3;

	ck_assert_uint_eq(frame->command_count, 26);
	ck_assert_uint_eq(frame->draw_count, 13);
	ck_assert_uint_eq(frame->list_child_count, 13);
	ck_assert_uint_eq(qs_capture_command(capture, list)->kind, QS_COMMAND_LIST);
	for (uint32_t i = 0; i < 12; i++) {
		const struct qs_command *c = qs_capture_command(capture, list + 1 + i);
		ck_assert_uint_eq(c->kind, QS_COMMAND_DRAW);
		ck_assert_uint_eq(c->parent, list);
		ck_assert_uint_eq(c->offset, 67 * i);
		ck_assert_uint_eq(c->size, 67);
		ck_assert_uint_eq(c->draw, i);
		ck_assert_uint_eq(qs_capture_command_bytes(capture, list + 1 + i)[0], 0x80);
		ck_assert_uint_eq(qs_capture_command_file_offset(capture, list + 1 + i), frame->fifo_offset + 0xB);
	}
	ck_assert_uint_eq(qs_capture_command(capture, list + 13)->kind, QS_COMMAND_NOP);
	ck_assert_uint_eq(qs_capture_command(capture, list + 13)->size, 28);
	ck_assert_uint_eq(qs_capture_command(capture, list + 14)->parent, QS_NONE);
	qs_capture_destroy(capture);
}
END_TEST

/* The same list is called three times: as zeros, after an update, after a second update that changes its tail; CP writes
 * inside it change the vertex size of what follows. */
START_TEST(lists_follow_memory)
{
	struct log log;
	struct bytes first = {0}, second = {0};
	struct bytes *fifo = &log.frame[0].fifo;
	static const struct {
		uint8_t kind;
		uint32_t offset, size;
		bool child;
	} want[] = {
		{QS_COMMAND_LIST, 0, 9, false}, {QS_COMMAND_NOP, 0, 32, true},
		{QS_COMMAND_LIST, 9, 9, false}, {QS_COMMAND_CP, 0, 6, true}, {QS_COMMAND_DRAW, 6, 6, true}, {QS_COMMAND_NOP, 12, 20, true},
		{QS_COMMAND_DRAW, 18, 6, false},
		{QS_COMMAND_LIST, 24, 9, false}, {QS_COMMAND_CP, 0, 6, true}, {QS_COMMAND_DRAW, 6, 6, true}, {QS_COMMAND_COPY, 12, 5, true},
		{QS_COMMAND_BAD, 17, 15, true},
		{QS_COMMAND_BP, 33, 5, false},
	};

	new_log(&log);
	put_cp(&first, 0x55, 2 << 9); /* 55 is 50; 8-bit index: 1 byte a vertex */
	put_draw(&first, 0xB8, 3, 1);
	put_list_padded(&first);
	put_bp(&second, 0x52, 0x4000);
	put_u8(&second, 0x07);
	put_list(fifo, 0x80001000, 0x20);
	log_update(&log.frame[0], (uint32_t)fifo->size, 4, 0x1000, first.data, (uint32_t)first.size);
	put_list(fifo, 0x1000, 0x20);
	put_draw(fifo, 0xB8, 3, 1);
	log_update(&log.frame[0], (uint32_t)fifo->size, 4, 0xC000100C, second.data, (uint32_t)second.size);
	put_list(fifo, 0x101F, 0x3F); /* the low five bits do not count */
	put_bp(fifo, 0x40, 1);
	struct qs_capture *capture = open_log(&log);
	ck_assert_uint_eq(qs_capture_info(capture)->command_count, sizeof want / sizeof *want);
	for (uint32_t i = 0; i < sizeof want / sizeof *want; i++) {
		const struct qs_command *c = qs_capture_command(capture, i);
		ck_assert_msg(c->kind == want[i].kind && c->offset == want[i].offset && c->size == want[i].size &&
				(c->parent != QS_NONE) == want[i].child,
			"command %u: kind %u at 0x%x, %u bytes", i, c->kind, c->offset, c->size);
	}
	ck_assert_uint_eq(qs_capture_info(capture)->warning_count, 1);
	ck_assert_msg(strstr(qs_capture_warning(capture, 0)->text, "offset 0x11 of the display list at 0x00001000: 0x07 is no command"),
		"%s", qs_capture_warning(capture, 0)->text);
	ck_assert_uint_eq(qs_capture_warning(capture, 0)->command, 11);
	qs_capture_destroy(capture);
	free(first.data);
	free(second.data);
	log_free(&log);
}
END_TEST

static const struct {
	const char *name;
	uint32_t address, size, children;
	const char *says;
} odd_lists[] = {
	{"empty", 0x1000, 0, 0, NULL},
	{"less than a line", 0x1000, 31, 0, NULL},
	{"calls itself", 0x2000, 32, 2, "calls another"},
	{"end of MEM1", 0x017FFFE0, 64, 1, "not all inside memory"},
	{"behind MEM1", 0x01900000, 32, 1, "not all inside memory"},
	{"end of MEM2", 0x13FFFFE0, 64, 1, "not all inside memory"},
	{"in MEM2", 0x13FFFFE0, 32, 1, NULL},
	{"implausible", 0x1000, 0xFFFFFFE0, 0, "is not followed"},
	{"truncated command", 0x3000, 32, 2, "of the display list at 0x00003000: command 0x08 needs 6 bytes but only 2 are left"},
};

START_TEST(odd_list)
{
	struct log log;
	struct bytes self = {0}, cut = {0};

	new_log(&log);
	put_list(&self, 0x2000, 32);
	put_list_padded(&self);
	put_zero(&cut, 30);
	put_u8(&cut, 8);
	put_u8(&cut, 0x50);
	log_update(&log.frame[0], 0, 4, 0x2000, self.data, 32);
	log_update(&log.frame[0], 0, 4, 0x3000, cut.data, 32);
	put_list(&log.frame[0].fifo, odd_lists[_i].address, odd_lists[_i].size);
	put_bp(&log.frame[0].fifo, 0x40, 1);
	struct qs_capture *capture = open_log(&log);
	const struct qs_capture_info *info = qs_capture_info(capture);
	ck_assert_msg(info->command_count == 2 + odd_lists[_i].children, "%s: %u commands", odd_lists[_i].name, info->command_count);
	ck_assert_msg(info->warning_count == (odd_lists[_i].says ? 1 : 0), "%s: %u warnings", odd_lists[_i].name, info->warning_count);
	if (odd_lists[_i].says)
		ck_assert_msg(strstr(qs_capture_warning(capture, 0)->text, odd_lists[_i].says) != NULL, "%s: %s", odd_lists[_i].name,
			qs_capture_warning(capture, 0)->text);
	qs_capture_destroy(capture);
	free(self.data);
	free(cut.data);
	log_free(&log);
}
END_TEST

/* ---- bad bytes -------------------------------------------------------------------------------------------------------------- */

START_TEST(opcodes)
{
	static const uint8_t good[] = {0x00, 0x08, 0x10, 0x20, 0x28, 0x30, 0x38, 0x40, 0x44, 0x48, 0x61};
	bool expected = memchr(good, _i, sizeof good) || (_i >= 0x80 && _i <= 0xBF);
	struct log log;

	new_log(&log);
	log.frame_count = 2;
	put_bp(&log.frame[0].fifo, 0x40, 1);
	put_u8(&log.frame[0].fifo, (unsigned)_i);
	put_zero(&log.frame[0].fifo, 100);
	put_bp(&log.frame[1].fifo, 0x40, 1);
	struct qs_capture *capture = open_log(&log);
	const struct qs_command *c = qs_capture_command(capture, 1);
	ck_assert_uint_eq(c->opcode, _i);
	ck_assert_msg((c->kind != QS_COMMAND_BAD) == expected, "opcode %02x", _i);
	if (!expected) {
		ck_assert_uint_eq(c->size, 101);
		ck_assert_uint_eq(qs_capture_warning(capture, 0)->command, 1);
		ck_assert_uint_eq(qs_capture_warning(capture, 0)->offset, qs_capture_frame(capture, 1)->fifo_offset + 5);
		ck_assert(strstr(qs_capture_warning(capture, 0)->text, "Frame 1, offset 0x5: 0x"));
	}
	ck_assert_uint_eq(qs_capture_frame(capture, 2)->command_count, 1); /* the next frame is sound again */
	qs_capture_destroy(capture);
	log_free(&log);
}
END_TEST

/* ---- vertex size ------------------------------------------------------------------------------------------------------------ */

/* One attribute after the other, each from its own register bits. */
static unsigned slow_vertex_size(const uint32_t cp[256], unsigned v)
{
	static const unsigned component[] = {1, 1, 2, 2, 4, 4, 4, 4}, colour[] = {2, 3, 4, 2, 3, 4, 0, 0};
	static const struct {
		unsigned vat, element, format;
	} tex[] = {{0x70, 21, 22}, {0x80, 0, 1}, {0x80, 9, 10}, {0x80, 18, 19}, {0x80, 27, 28}, {0x90, 5, 6}, {0x90, 14, 15}, {0x90, 23, 24}};
	uint32_t a = cp[0x70 + v];
	unsigned size = 0, mode;

	for (unsigned i = 0; i < 9; i++)
		size += cp[0x50] >> i & 1;
	mode = cp[0x50] >> 9 & 3;
	size += mode == 3 ? 2 : mode == 2 ? 1 : mode == 1 ? (a & 1 ? 3 : 2) * component[a >> 1 & 7] : 0;
	mode = cp[0x50] >> 11 & 3;
	if (mode == 1)
		size += (a >> 9 & 1 ? 9 : 3) * component[a >> 10 & 7];
	else if (mode)
		size += (mode - 1) * ((a >> 9 & 1) && a >> 31 ? 3 : 1);
	mode = cp[0x50] >> 13 & 3;
	size += mode == 1 ? colour[a >> 14 & 7] : mode ? mode - 1 : 0;
	mode = cp[0x50] >> 15 & 3;
	size += mode == 1 ? colour[a >> 18 & 7] : mode ? mode - 1 : 0;
	for (unsigned i = 0; i < 8; i++) {
		uint32_t w = cp[tex[i].vat + v];
		mode = cp[0x60] >> (2 * i) & 3;
		size += mode == 1 ? (w >> tex[i].element & 1 ? 2 : 1) * component[w >> tex[i].format & 7] : mode ? mode - 1 : 0;
	}
	return size;
}

START_TEST(vertex_sizes)
{
	struct oracle_random r = oracle_random_start();
	uint32_t cp[256];
	unsigned largest = 0;

	for (int round = 0; round < 20000; round++) {
		unsigned format = oracle_random_below(&r, 8);
		for (unsigned i = 0x50; i < 0xA0; i++)
			cp[i] = oracle_random_next(&r);
		unsigned size = gx_vertex_size(cp, format);
		CHECK(size == slow_vertex_size(cp, format), "seed %llu, round %d: %u", (unsigned long long)r.seed, round, size);
		largest = size > largest ? size : largest;
	}
	ck_assert_uint_gt(largest, 80);
	memset(cp, 0, sizeof cp);
	ck_assert_uint_eq(gx_vertex_size(cp, 0), 0);
}
END_TEST

/* ---- text ------------------------------------------------------------------------------------------------------------------- */

static const struct {
	const char *bytes; /* hexadecimal */
	const char *text;
} texts[] = {
	{"00", "no operation, 1 byte"},
	{"00000000", "no operation, 4 bytes"},
	{"44", "metrics"},
	{"48", "invalidate vertex cache"},
	{"0711", "bad byte 0x07, 2 bytes skipped"},
	{"6100000011", "BP 00 GEN_MODE = 0x000011  ntex 1  ncol 1"},
	{"61e0800000", "BP E0 TEV_KONSTL_0 = 0x800000  bank 1 (konst)"},
	{"6170000001", "BP 70 (unused) = 0x000001"},
	{"085000002200", "CP 50 VCD_LO = 0x00002200  position 1 (direct)  colour0 1 (direct)"},
	{"0801000000ff", "CP 01 (unused) = 0x000000ff"},
	{"1000001009 00000002", "XF 1009 XF_NUMCOLS = 0x00000002  num 2"},
	{"100005101a 43a00000c37000004b7fffff43c5000043a900004b7fffff",
		"XF 101A VIEWPORT_SCALE_X to VIEWPORT_OFFSET_Z = 320, -240, 1.67772e+07, 394, 338, 1.67772e+07"},
	{"1000030004 3f800000000000000000000041200000", "XF 0004 position matrix row 1 = 1, 0, 0, 10"},
	{"1000070000 3f80000000000000000000000000000000000000000000000000000040000000",
		"XF 0000 position matrix row 0 to 1 = 1, 0, 0, 0, 0, 0, 0, 2"},
	{"1000000403 3f800000", "XF 0403 normal matrix row 1 = 1"},
	{"1000000405 3f800000", "XF 0405 normal matrix row 1 column 2 = 1"},
	{"10000004f4 00000001", "XF 04F4 (unused) = 0x00000001"},
	{"1000000500 bf800000", "XF 0500 post matrix row 0 = -1"},
	{"1000000613 ff0000ff", "XF 0613 light 1 colour = 0xff0000ff  alpha 255  red 255"},
	{"100002062a 3f80000040000000c0000000", "XF 062A light 2 x to z = 1, 2, -2"},
	{"28 0005 3400", "XF 0400 normal matrix row 0 to 1: 4 words of array B, index 5, at 0x00100078"},
	{"40 00002007 00000047", "call list at 0x00002000, 64 bytes"},
	{"900003000102030405", "draw triangles 3 vertices, format 0, 2 bytes each"},
	{"b800010001", "draw points 1 vertex, format 0, 2 bytes each"},
	{"9f0000", "draw triangle strip 0 vertices, format 7, 2 bytes each"},
	{"6152004803", "copy to display, 640 x 480 from (16, 32) to 0x00600000, stride 1280, clear"},
	{"6152007503", "copy to display, 640 x 480 from (16, 32) to 0x00600000, stride 1280, y scale 256/256, gamma 2.2, odd lines"},
	{"6152018a13", "copy to texture I8, 640 x 480 from (16, 32) to 0x00600000, stride 1280, half size, clear"},
	{"6152000a13", "copy to texture R8, 640 x 480 from (16, 32) to 0x00600000, stride 1280, half size, clear"},
};

static void put_hex(struct bytes *b, const char *hex)
{
	unsigned n = 0, value = 0;

	for (; *hex; hex++) {
		if (*hex == ' ')
			continue;
		value = value << 4 | (unsigned)(*hex <= '9' ? *hex - '0' : *hex - 'a' + 10);
		if (++n % 2 == 0)
			put_u8(b, value & 0xFF);
	}
}

START_TEST(command_text)
{
	struct log log;
	char buffer[1000];

	new_log(&log);
	log.bp[0x49] = 32 << 10 | 16;
	log.bp[0x4A] = 479 << 10 | 639;
	log.bp[0x4B] = 0x00600000 >> 5;
	log.bp[0x4D] = 1280 >> 5;
	log.bp[0x4E] = 256;
	log.cp[0xAD] = 0x00100000;
	log.cp[0xBD] = 24;
	put_hex(&log.frame[0].fifo, texts[_i].bytes);
	struct qs_capture *capture = open_log(&log);
	ck_assert_str_eq(qs_command_text(capture, 0, buffer, sizeof buffer), texts[_i].text);
	for (size_t size = 1; size < 40; size++) { /* cut, never overrun */
		memset(buffer, 'x', sizeof buffer);
		qs_command_text(capture, 0, buffer, size);
		ck_assert(buffer[size] == 'x' && strlen(buffer) < size && !strncmp(buffer, texts[_i].text, strlen(buffer)));
	}
	ck_assert_str_eq(qs_command_text(capture, 99, buffer, sizeof buffer), "no such command");
	qs_capture_destroy(capture);
	log_free(&log);
}
END_TEST

/* Copies and loads are described with the registers at their place in the stream, not those at its end. */
START_TEST(text_follows_registers)
{
	struct log log;
	struct bytes *b = &log.frame[0].fifo;
	char buffer[1000];

	new_log(&log);
	for (unsigned i = 0; i < 3; i++) {
		put_bp(b, 0x4B, (0x100000 + 0x20 * i) >> 5);
		put_cp(b, 0xAC, 0x2000 * i);
		put_bp(b, 0x52, 6 << 4);
		put_hex(b, "2000010000");
		put_bp(b, 0x52, 6 << 4);
	}
	struct qs_capture *capture = open_log(&log);
	for (unsigned i = 0; i < 3; i++) {
		char to[20], at[20];
		snprintf(to, sizeof to, "to 0x%08x", 0x100000 + 0x20 * i);
		snprintf(at, sizeof at, "at 0x%08x", 0x2000 * i);
		ck_assert(strstr(qs_command_text(capture, 5 * i + 2, buffer, sizeof buffer), to));
		ck_assert(strstr(qs_command_text(capture, 5 * i + 3, buffer, sizeof buffer), at));
		ck_assert(strstr(qs_command_text(capture, 5 * i + 4, buffer, sizeof buffer), to));
	}
	qs_capture_destroy(capture);
	log_free(&log);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("index");
	TCase *tcase = tcase_create("index");
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, update_after_primitive);
	tcase_add_loop_test(tcase, placement, 0, sizeof placements / sizeof *placements);
	tcase_add_loop_test(tcase, acting_registers, 0, 256);
	tcase_add_test(tcase, placement_against_the_slow_rule);
	tcase_add_test(tcase, display_list_capture);
	tcase_add_test(tcase, lists_follow_memory);
	tcase_add_loop_test(tcase, odd_list, 0, sizeof odd_lists / sizeof *odd_lists);
	tcase_add_loop_test(tcase, opcodes, 0, 256);
	tcase_add_test(tcase, vertex_sizes);
	tcase_add_loop_test(tcase, command_text, 0, sizeof texts / sizeof *texts);
	tcase_add_test(tcase, text_follows_registers);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
