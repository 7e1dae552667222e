/* check_dff.c - the FIFO log reader against good, cut, damaged and foreign files
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture_invariants.h"
#include "core/bits.h"
#include "dffwriter.h"
#include "oracle/random.h"
#include "quadscope.h"

/* In long loops: ck_assert writes a note to a file each time it passes. */
#define CHECK(condition, ...)                     \
	do {                                      \
		if (!(condition))                 \
			ck_abort_msg(__VA_ARGS__); \
	} while (0)

static void path_of(char *path, size_t size, const char *name)
{
	const char *data = getenv("QS_DATA"), *corpus = getenv("QS_CORPUS"), *source = getenv("QS_SRCDIR");
	const char *slash = strrchr(name, '/');

	snprintf(path, size, "%s/captures/%s.dff", data ? data : "data", slash ? slash + 1 : name);
	if (!access(path, R_OK))
		return;
	if (corpus)
		snprintf(path, size, "%s/%s.dff", corpus, name);
	else
		snprintf(path, size, "%s/../shared/captures/%s.dff", source ? source : ".", name);
}

/* ---- worked examples of the format description --------------------------------------------------------------------------- */

START_TEST(worked_example)
{
	char path[1024];
	struct qs_error error = {0};
	static const struct {
		uint32_t offset, size;
		uint8_t opcode, kind;
	} commands[] = {
		{0x00, 0x33, 0x90, QS_COMMAND_DRAW}, {0x33, 5, 0x61, QS_COMMAND_BP}, {0x38, 5, 0x61, QS_COMMAND_BP},
		{0x3D, 5, 0x61, QS_COMMAND_BP}, {0x42, 5, 0x61, QS_COMMAND_BP}, {0x47, 5, 0x61, QS_COMMAND_BP},
		{0x4C, 5, 0x61, QS_COMMAND_COPY},
	};

	path_of(path, sizeof path, "synthetic/triangle-gouraud");
	struct qs_capture *capture = qs_capture_open(path, NULL, NULL, &error);
	ck_assert_msg(capture != NULL, "%s", error.text);
	const struct qs_capture_info *info = qs_capture_info(capture);
	const struct qs_initial_state *state = qs_capture_initial(capture);
	ck_assert_uint_eq(info->size, 19089);
	ck_assert_uint_eq(info->version, 3);
	ck_assert_uint_eq(info->min_loader_version, 1);
	ck_assert_uint_eq(info->frame_count, 1);
	ck_assert(!info->wii && !info->truncated);
	ck_assert_str_eq(info->path, path);
	ck_assert_uint_eq(info->mem1_size, 0x01800000);
	ck_assert_uint_eq(info->mem2_size, 0x04000000);
	ck_assert_uint_eq(state->bp[0], 0x10);
	ck_assert_uint_eq(state->bp[1], 0x666666);
	ck_assert_uint_eq(state->cp[0x50], 0x2200);
	ck_assert_uint_eq(state->cp[0x70], 0x41377009);
	ck_assert_uint_eq(state->xf_register_count, 96);
	ck_assert(state->tmem == NULL && state->tmem_size == 0);
	ck_assert_uint_eq(qs_capture_frame(capture, 1)->fifo_offset, 0x4A40);
	ck_assert_uint_eq(qs_capture_frame(capture, 1)->fifo_size, 0x51);
	ck_assert_uint_eq(info->command_count, sizeof commands / sizeof *commands);
	for (uint32_t i = 0; i < info->command_count; i++) {
		const struct qs_command *c = qs_capture_command(capture, i);
		ck_assert_uint_eq(c->offset, commands[i].offset);
		ck_assert_uint_eq(c->size, commands[i].size);
		ck_assert_uint_eq(c->opcode, commands[i].opcode);
		ck_assert_uint_eq(c->kind, commands[i].kind);
		ck_assert_uint_eq(qs_capture_command_file_offset(capture, i), 0x4A40 + commands[i].offset);
	}
	ck_assert_uint_eq(qs_capture_command(capture, 0)->vertex_size, 16);
	ck_assert_mem_eq(qs_capture_command_bytes(capture, 0), "\x90\x00\x03\x43\xA0", 5);
	qs_capture_destroy(capture);

	path_of(path, sizeof path, "synthetic/vertex-indexed");
	capture = qs_capture_open(path, NULL, NULL, &error);
	ck_assert_msg(capture != NULL, "%s", error.text);
	const struct qs_update *update;
	uint32_t draw = qs_capture_draw_command(capture, 1, 0);
	ck_assert_uint_eq(qs_capture_command(capture, draw)->offset, 0x2D);
	ck_assert_uint_ge(qs_capture_updates(capture, draw, &update), 1);
	ck_assert_uint_eq(update->fifo_position, 0x2D);
	ck_assert_uint_eq(update->address, 0x001E0000);
	ck_assert_uint_eq(update->data_offset, 0x4B21);
	ck_assert_uint_eq(update->size, 288);
	ck_assert_uint_eq(update->type, QS_UPDATE_VERTEX);
	qs_capture_destroy(capture);
}
END_TEST

/* ---- real and synthetic captures ------------------------------------------------------------------------------------------ */

static const struct {
	const char *name;
	uint32_t version, frames, commands, draws, vertices, updates, hash;
} captures[] = {
#include "dff_captures.inc"
};

START_TEST(all_captures)
{
	char path[1024];
	struct qs_error error = {0};
	uint32_t commands = 0, draws = 0, vertices = 0, hash = 0;

	path_of(path, sizeof path, captures[_i].name);
	if (access(path, R_OK)) {
		printf("skipped: %s is not there (set QS_CORPUS)\n", path);
		return;
	}
	struct qs_capture *capture = qs_capture_open(path, NULL, NULL, &error);
	ck_assert_msg(capture != NULL, "%s", error.text);
	const struct qs_capture_info *info = qs_capture_info(capture);
	ck_assert_msg(!info->warning_count, "%s: %s", path, info->warning_count ? qs_capture_warning(capture, 0)->text : "");
	ck_assert(!info->truncated);
	for (uint32_t i = 0; i < info->command_count; i++) {
		const struct qs_command *c = qs_capture_command(capture, i);
		if (c->parent != QS_NONE)
			continue;
		CHECK(c->kind != QS_COMMAND_BAD, "%s: command %u is BAD", path, i);
		commands++;
		hash = hash * 31 + c->offset * 7 + c->size;
		if (c->kind == QS_COMMAND_DRAW) {
			const uint8_t *p = qs_capture_command_bytes(capture, i);
			draws++;
			vertices += (uint32_t)(p[1] << 8 | p[2]);
		}
	}
	ck_assert_uint_eq(info->version, captures[_i].version);
	ck_assert_uint_eq(info->frame_count, captures[_i].frames);
	ck_assert_uint_eq(commands, captures[_i].commands);
	ck_assert_uint_eq(draws, captures[_i].draws);
	ck_assert_uint_eq(vertices, captures[_i].vertices);
	ck_assert_uint_eq(info->update_count, captures[_i].updates);
	ck_assert_msg(hash == captures[_i].hash, "%s: hash 0x%08x", path, hash);
	const char *broken = capture_invariants(capture);
	ck_assert_msg(!broken, "%s: %s", path, broken);
	qs_capture_destroy(capture);
}
END_TEST

/* ---- cut files ------------------------------------------------------------------------------------------------------------ */

static uint8_t update_data[256], list_data[64];

/* Two frames with draws, updates of all types and a display list. */
static void fill_log(struct log *log, uint32_t version)
{
	struct bytes list = {0};

	memset(log, 0, sizeof *log);
	log->version = version;
	log->frame_count = 2;
	log->tmem_size = 0x400;
	log->mem1_size = 0x01800000;
	log->mem2_size = 0x04000000;
	log->cp[0x50] = 1 << 9;
	for (unsigned i = 0; i < sizeof update_data; i++)
		update_data[i] = (uint8_t)(i ^ 0x5A);
	put_bp(&list, 0x41, 7);
	put_draw(&list, 0x98, 3, 2);
	memset(list_data, 0, sizeof list_data);
	memcpy(list_data, list.data, list.size);
	free(list.data);
	for (unsigned f = 0; f < 2; f++) {
		struct bytes *fifo = &log->frame[f].fifo;

		put_zero(fifo, 5);
		put_cp(fifo, 0x50, f ? 3 << 9 : 1 << 9);
		put_xf(fifo, 0x1018, 3, 0x3f800000);
		put_draw(fifo, 0x90, 3, 2);
		log_update(&log->frame[f], (uint32_t)fifo->size, 1, 0x2000, update_data, 256);
		put_bp(fifo, 0x40, 1 + f);
		log_update(&log->frame[f], (uint32_t)fifo->size, 4, 0x1000, list_data, 64);
		put_list(fifo, 0x1000, 64);
		put_u8(fifo, 0x48);
		put_u8(fifo, 0x44);
		put_u8(fifo, 0x20);
		put_be32(fifo, 0x00013000);
		put_bp(fifo, 0x52, 0x4803);
	}
}

static void check_same_commands(const struct qs_capture *cut, const struct qs_capture *whole, size_t size)
{
	for (uint32_t i = 0; i < qs_capture_info(cut)->command_count; i++) {
		const struct qs_command *a = qs_capture_command(cut, i), *b = qs_capture_command(whole, i);
		CHECK(a->frame == b->frame && a->offset == b->offset && a->opcode == b->opcode && a->kind == b->kind &&
				(a->size == b->size || a->kind == QS_COMMAND_NOP), /* a run of NOPs gets shorter */
			"cut at %zu: command %u differs", size, i);
		CHECK(a->kind != QS_COMMAND_BAD, "cut at %zu: command %u is BAD", size, i);
	}
}

START_TEST(every_prefix)
{
	struct log log;
	struct qs_error error = {0};
	uint32_t commands_before = 0, opened = 0, frames_before = 0;

	fill_log(&log, (uint32_t)_i);
	struct bytes b = log_write(&log);
	struct qs_capture *whole = qs_capture_open_memory(b.data, b.size, &error);
	ck_assert_msg(whole != NULL, "%s", error.text);
	ck_assert_msg(!qs_capture_info(whole)->warning_count, "%s",
		qs_capture_info(whole)->warning_count ? qs_capture_warning(whole, 0)->text : "");
	ck_assert_uint_eq(qs_capture_info(whole)->command_count, 26);
	uint64_t first = qs_capture_frame(whole, 1)->fifo_offset;

	/* the register arrays are long and all alike: in one version every byte, in the others some */
	size_t stride = _i == 5 ? 1 : 61;
	for (size_t size = 0; size < b.size; size += size < first - 200 ? stride : 1) {
		memset(&error, 0, sizeof error);
		struct qs_capture *cut = qs_capture_open_memory(b.data, size, &error);

		if (!cut) {
			/* a NOP run may be one byte long, so the first byte of commands already opens */
			CHECK(size <= first, "cut at %zu: %s", size, error.text);
			CHECK(error.code == QS_ERR_FORMAT && strstr(error.text, "xpected"), "cut at %zu: %s", size, error.text);
			continue;
		}
		opened++;
		CHECK(size > first, "cut at %zu opened", size);
		CHECK(qs_capture_info(cut)->truncated, "cut at %zu: not marked", size);
		CHECK(qs_capture_info(cut)->frame_count >= frames_before, "cut at %zu: frames got lost", size);
		frames_before = qs_capture_info(cut)->frame_count;
		/* a list whose update is cut off reads as one NOP run, so children may be fewer, but never more than when whole */
		uint32_t top = 0;
		for (uint32_t i = 0; i < qs_capture_info(cut)->command_count; i++)
			top += qs_capture_command(cut, i)->parent == QS_NONE;
		CHECK(top >= commands_before, "cut at %zu: commands got lost", size);
		commands_before = top;
		if (size >= qs_capture_frame(whole, 2)->fifo_offset)
			check_same_commands(cut, whole, size);
		const char *broken = capture_invariants(cut);
		CHECK(!broken, "cut at %zu: %s", size, broken);
		qs_capture_destroy(cut);
	}
	ck_assert_uint_eq(opened, b.size - first - 1);
	qs_capture_destroy(whole);
	free(b.data);
	log_free(&log);
}
END_TEST

START_TEST(cut_in_second_frame)
{
	struct log log;
	struct qs_error error = {0};

	fill_log(&log, 3);
	struct bytes b = log_write(&log);
	uint64_t second = le64(b.data + 128 + 64);
	/* inside the draw of frame 2: NOP, CP and XF are there */
	struct qs_capture *cut = qs_capture_open_memory(b.data, (size_t)second + 5 + 6 + 17 + 4, &error);
	ck_assert_msg(cut != NULL, "%s", error.text);
	ck_assert_uint_eq(qs_capture_info(cut)->frame_count, 2);
	ck_assert_uint_eq(qs_capture_frame(cut, 2)->command_count, 3);
	ck_assert_uint_eq(qs_capture_frame(cut, 2)->fifo_size, 5 + 6 + 17);
	ck_assert_uint_eq(qs_capture_frame(cut, 2)->draw_count, 0);
	ck_assert_uint_eq(qs_capture_frame(cut, 1)->command_count, 13);
	ck_assert_msg(strstr(qs_capture_warning(cut, 0)->text, "inside frame 2 of 2") != NULL, "%s",
		qs_capture_warning(cut, 0)->text);
	qs_capture_destroy(cut);
	/* in the data of the last update */
	cut = qs_capture_open_memory(b.data, b.size - 1, &error);
	ck_assert_uint_eq(qs_capture_frame(cut, 2)->update_count, 1);
	ck_assert_msg(strstr(qs_capture_warning(cut, 0)->text, "1 of the 2 memory updates of frame 2 are missing") != NULL, "%s",
		qs_capture_warning(cut, 0)->text);
	qs_capture_destroy(cut);
	free(b.data);
	log_free(&log);
}
END_TEST

/* ---- damaged fields ------------------------------------------------------------------------------------------------------- */

enum outcome { REFUSED, WARNED, CLEAN };

/* Places: H + n header, F + n entry of frame 1, U + n first update of frame 1.  size 0: the file as it is. */
enum { H = 0, F = 1000, U = 2000 };

static const struct {
	const char *name;
	uint32_t version;
	unsigned place, size;
	uint64_t value;
	enum outcome outcome;
	const char *says; /* part of the error or of a warning */
} damages[] = {
	{"nothing, version 1", 1, H, 0, 0, CLEAN, NULL},
	{"nothing, version 2", 2, H, 0, 0, CLEAN, NULL},
	{"nothing, version 3", 3, H, 0, 0, CLEAN, NULL},
	{"nothing, version 4", 4, H, 0, 0, CLEAN, NULL},
	{"nothing, version 5", 5, H, 0, 0, CLEAN, NULL},
	{"magic", 3, H + 0, 4, 0x0D01F1F1, REFUSED, "begins with F1 F1 01 0D: expected F0 F1 01 0D"},
	{"magic in the wrong order", 3, H + 0, 4, 0xF0F1010D, REFUSED, "wrong byte order"},
	{"a RenderWare model", 3, H + 0, 4, 0x00000010, REFUSED, "RenderWare"},
	{"gzip", 3, H + 0, 4, 0x00088B1F, REFUSED, "gzip"},
	{"version 0", 3, H + 4, 4, 0, WARNED, "version as 0"},
	{"newer version, old loader", 5, H + 4, 4, 77, CLEAN, NULL},
	{"loader version 6", 5, H + 8, 4, 6, REFUSED, "wants a reader of version 6"},
	{"BP beyond the end", 3, H + 12, 8, 0x100000, REFUSED, "words of BP registers at 0x100000"},
	{"BP inside the header", 3, H + 12, 8, 127, REFUSED, "behind the header"},
	{"BP offset wraps around", 3, H + 12, 8, UINT64_MAX - 3, REFUSED, "0xfffffffffffffffc"},
	{"BP count huge", 3, H + 20, 4, 0xFFFFFFFF, REFUSED, "4294967295 words of BP registers"},
	{"BP count small", 3, H + 20, 4, 10, WARNED, "only 10 of 256 words of BP registers"},
	{"BP count 0", 3, H + 20, 4, 0, WARNED, "only 0 of 256 words of BP registers"},
	{"BP count 300", 3, H + 20, 4, 300, CLEAN, NULL},
	{"CP beyond the end", 3, H + 24, 8, UINT64_MAX, REFUSED, "CP registers"},
	{"CP count huge", 3, H + 32, 4, 0x80000000, REFUSED, "CP registers"},
	{"XF memory beyond the end", 3, H + 36, 8, 0x80000000, REFUSED, "XF memory"},
	{"XF memory count small", 3, H + 44, 4, 4095, WARNED, "4095 of 4096 words of XF memory"},
	{"XF registers beyond the end", 3, H + 48, 8, 0x80000000, REFUSED, "XF registers"},
	{"88 XF registers", 4, H + 56, 4, 88, CLEAN, NULL},
	{"XF registers missing", 4, H + 56, 4, 87, WARNED, "87 of 88 words of XF registers"},
	{"frame list beyond the end", 3, H + 60, 8, 0x7FFFFFFF, REFUSED, "list of 2 frames at 0x7fffffff"},
	{"frame list in the header", 3, H + 60, 8, 64, REFUSED, "list of 2 frames at 0x40"},
	{"no frames", 3, H + 68, 4, 0, REFUSED, "no frames"},
	{"frame count huge", 3, H + 68, 4, 0xFFFFFFFF, REFUSED, "list of 4294967295 frames"},
	{"frames behind the list", 3, H + 68, 4, 200, WARNED, "198 of 200 frames, the first is frame 3, have no commands"},
	{"unknown flags", 3, H + 72, 4, 0xFFFFFFFE, CLEAN, NULL},
	{"garbage at 76 before version 4", 3, H + 76, 8, 0xDEADBEEFDEADBEEF, CLEAN, NULL},
	{"garbage at 84 before version 4", 3, H + 84, 4, 0xDEADBEEF, CLEAN, NULL},
	{"garbage at 88 before version 5", 4, H + 88, 8, 0xDEADBEEFDEADBEEF, CLEAN, NULL},
	{"TMEM beyond the end", 4, H + 76, 8, 0x7FFFFFFF, REFUSED, "texture memory at 0x7fffffff"},
	{"TMEM size huge", 4, H + 84, 4, 0xFFFFFFFF, REFUSED, "0xffffffff bytes of texture memory"},
	{"no TMEM", 4, H + 84, 4, 0, CLEAN, NULL},
	{"MEM1 size 0", 5, H + 88, 4, 0, WARNED, "MEM1 is given as 0x0"},
	{"MEM1 size huge", 5, H + 88, 4, 0xFFFFFFFF, WARNED, "MEM1 is given as 0xffffffff"},
	{"MEM2 size huge", 5, H + 92, 4, 0xFFFFFFFF, WARNED, "MEM2 is given as 0xffffffff"},
	{"MEM2 absent", 5, H + 92, 4, 0, CLEAN, NULL},
	{"frame 1 lies outside, frame 2 is whole", 3, F + 0, 8, 0x10000000, REFUSED, "frame 1 (entry at 0x80)"},
	{"frame 1 wraps around", 3, F + 0, 8, UINT64_MAX, REFUSED, "frame 1 (entry at 0x80)"},
	{"frame 1 in the header", 3, F + 0, 8, 8, REFUSED, "inside the header"},
	{"frame 1 too long", 3, F + 8, 4, 0xFFFFFFFF, REFUSED, "0xffffffff bytes of commands"},
	{"frame 1 short", 3, F + 8, 4, 6, WARNED, "command 0x08 needs 6 bytes but only 1 are left"},
	{"frame 1 empty", 3, F + 8, 4, 0, WARNED, "behind the frame's 0x0 bytes"},
	{"garbage in the ring addresses", 3, F + 12, 8, UINT64_MAX, CLEAN, NULL},
	{"update list outside", 3, F + 20, 8, UINT64_MAX, REFUSED, "memory updates at 0xffffffffffffffff"},
	{"update count huge", 3, F + 28, 4, 0xFFFFFFFF, REFUSED, "0xffffffff memory updates"},
	{"no updates", 3, F + 28, 4, 0, CLEAN, NULL},
	{"reserved bytes of a frame", 3, F + 32, 8, UINT64_MAX, CLEAN, NULL},
	{"update behind the frame", 3, U + 0, 4, 0x1000, WARNED, "stands at 0x1000"},
	{"updates out of order", 3, U + 0, 4, 70, WARNED, "not in the order"},
	{"update beyond MEM1", 3, U + 4, 4, 0x017FFF80, WARNED, "beyond the end of MEM1"},
	{"update in the gap behind MEM1", 3, U + 4, 4, 0x01900000, WARNED, "beyond the end of MEM1"},
	{"update in MEM2", 3, U + 4, 4, 0x90000000, CLEAN, NULL},
	{"update with segment bits", 3, U + 4, 4, 0xC0002000, CLEAN, NULL},
	{"update beyond MEM2", 3, U + 4, 4, 0x13FFFFFF, WARNED, "beyond the end of MEM2"},
	{"update data outside", 3, U + 8, 8, UINT64_MAX, WARNED, "update 0 has 0x100 bytes at 0xffffffffffffffff"},
	{"update size huge", 3, U + 16, 4, 0xFFFFFFFF, WARNED, "update 0 has 0xffffffff bytes"},
	{"update of unknown type", 3, U + 20, 1, 3, WARNED, "of type 3: expected 1, 2, 4 or 8"},
	{"update reserved bytes", 3, U + 21, 2, 0xFFFF, CLEAN, NULL},
};

START_TEST(damaged_field)
{
	struct log log;
	struct qs_error error = {0};
	bool said = false;

	fill_log(&log, damages[_i].version);
	struct bytes b = log_write(&log);
	size_t at = damages[_i].place >= U   ? (size_t)le64(b.data + 128 + 20) + damages[_i].place - U
		    : damages[_i].place >= F ? 128 + damages[_i].place - F
					     : damages[_i].place;
	for (unsigned i = 0; i < damages[_i].size; i++)
		b.data[at + i] = (uint8_t)(damages[_i].value >> (8 * i));
	struct qs_capture *capture = qs_capture_open_memory(b.data, b.size, &error);
	if (damages[_i].outcome == REFUSED) {
		ck_assert_msg(!capture, "%s: opened", damages[_i].name);
		ck_assert_msg(strstr(error.text, damages[_i].says) != NULL, "%s: %s", damages[_i].name, error.text);
		ck_assert_int_eq(error.code, strstr(damages[_i].name, "loader") ? QS_ERR_UNSUPPORTED : QS_ERR_FORMAT);
		/* the error points at the field or at the structure it is in */
		ck_assert_msg(error.offset <= at && error.offset + 64 > at, "%s: offset %llu", damages[_i].name,
			(unsigned long long)error.offset);
	} else {
		ck_assert_msg(capture != NULL, "%s: %s", damages[_i].name, error.text);
		const struct qs_capture_info *info = qs_capture_info(capture);
		for (uint32_t i = 0; i < info->warning_count; i++)
			said = said || (damages[_i].says && strstr(qs_capture_warning(capture, i)->text, damages[_i].says));
		ck_assert_msg(said == (damages[_i].outcome == WARNED), "%s: %u warnings, first: %s", damages[_i].name,
			info->warning_count, info->warning_count ? qs_capture_warning(capture, 0)->text : "");
		ck_assert_msg(damages[_i].outcome == WARNED || !info->warning_count, "%s", damages[_i].name);
		ck_assert_msg(!info->truncated, "%s: taken as cut", damages[_i].name);
		const char *broken = capture_invariants(capture);
		ck_assert_msg(!broken, "%s: %s", damages[_i].name, broken);
	}
	qs_capture_destroy(capture);
	free(b.data);
	log_free(&log);
}
END_TEST

START_TEST(random_damage)
{
	struct oracle_random r = oracle_random_start();
	struct log log;
	int opened = 0;

	for (int round = 0; round < 6000; round++) {
		fill_log(&log, 1 + oracle_random_below(&r, 5));
		struct bytes b = log_write(&log);
		for (uint32_t n = 1 + oracle_random_below(&r, 4); n; n--) {
			/* registers are boring: half of the damage goes to the header and the frame list, half behind them */
			size_t tail = b.size - (size_t)le64(b.data + 128);
			size_t at = oracle_random_below(&r, 2) ? 4 + oracle_random_below(&r, 252)
								: b.size - 1 - oracle_random_below(&r, (uint32_t)tail % 4096);
			b.data[at] = (uint8_t)oracle_random_next(&r);
		}
		struct qs_error error = {0};
		struct qs_capture *capture = qs_capture_open_memory(b.data, b.size, &error);
		if (capture) {
			const char *broken = capture_invariants(capture);
			CHECK(!broken, "seed %llu, round %d: %s", (unsigned long long)r.seed, round, broken);
			opened++;
		} else {
			CHECK(error.code && error.text[0], "seed %llu, round %d", (unsigned long long)r.seed, round);
		}
		qs_capture_destroy(capture);
		free(b.data);
		log_free(&log);
	}
	ck_assert_int_gt(opened, 1000);
	ck_assert_int_lt(opened, 5900);
}
END_TEST

START_TEST(a_small_file_does_not_unfold)
{
	struct log log;
	struct qs_error error = {0};

	fill_log(&log, 3);
	struct bytes b = log_write(&log);
	/* 200 frames that all claim the whole file */
	set_le64(&b, 60, b.size);
	set_le32(&b, 68, 2000);
	size_t list = b.size, size = b.size + 2000 * 64;
	for (unsigned i = 0; i < 2000; i++) {
		put_zero(&b, 64);
		set_le64(&b, list + 64 * i, 128);
		set_le32(&b, list + 64 * i + 8, (uint32_t)size - 128);
	}
	ck_assert(!qs_capture_open_memory(b.data, b.size, &error));
	ck_assert_msg(strstr(error.text, "claim more than") != NULL, "%s", error.text);
	free(b.data);
	log_free(&log);
}
END_TEST

static const struct {
	const char *path;
	enum qs_error_code code;
	const char *says;
} places[] = {
	{"/nonexistent/x.dff", QS_ERR_IO, "No such file"},
	{"/", QS_ERR_IO, "a folder"},
	{"/dev/null", QS_ERR_IO, "a device or pipe"},
	{NULL, QS_ERR_FORMAT, "is empty"},
};

START_TEST(no_log_there)
{
	struct qs_error error = {0};
	char empty[] = "/tmp/qs-check-XXXXXX";
	int fd = places[_i].path ? -1 : mkstemp(empty);

	ck_assert(!qs_capture_open(places[_i].path ? places[_i].path : empty, NULL, NULL, &error));
	ck_assert_int_eq(error.code, places[_i].code);
	ck_assert_msg(strstr(error.text, places[_i].says) != NULL, "%s", error.text);
	if (fd >= 0) {
		close(fd);
		unlink(empty);
	}
}
END_TEST

static bool note_progress(double fraction, void *user)
{
	double *last = user;

	ck_assert(fraction >= *last && fraction <= 1.0);
	*last = fraction;
	return true;
}

static bool refuse(double fraction, void *user)
{
	(void)fraction;
	(void)user;
	return false;
}

START_TEST(progress_and_cancel)
{
	char path[1024];
	struct qs_error error = {0};
	double last = 0;

	path_of(path, sizeof path, "synthetic/copy-feedback-frames");
	struct qs_capture *capture = qs_capture_open(path, note_progress, &last, &error);
	ck_assert_msg(capture != NULL, "%s", error.text);
	ck_assert(last == 1.0);
	qs_capture_destroy(capture);
	ck_assert(!qs_capture_open(path, refuse, NULL, &error));
	ck_assert_int_eq(error.code, QS_ERR_CANCELLED);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("dff");
	TCase *tcase = tcase_create("dff");
	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, worked_example);
	tcase_add_loop_test(tcase, all_captures, 0, sizeof captures / sizeof *captures);
	tcase_add_loop_test(tcase, every_prefix, 1, 6);
	tcase_add_test(tcase, cut_in_second_frame);
	tcase_add_loop_test(tcase, damaged_field, 0, sizeof damages / sizeof *damages);
	tcase_add_test(tcase, random_damage);
	tcase_add_test(tcase, a_small_file_does_not_unfold);
	tcase_add_loop_test(tcase, no_log_there, 0, sizeof places / sizeof *places);
	tcase_add_test(tcase, progress_and_cancel);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
