/* index.c - one pass over all FIFO bytes that finds commands, draws and display lists
 *
 * Where a command ends depends on CP registers (vertex size), so the pass carries them along from the start of the log.
 * What a display list contains depends on memory at the call, so from the first call on the pass keeps a copy of main
 * memory with the updates in it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bits.h"
#include "file/capture.h"
#include "gx/machine.h"

#define PROGRESS_COMMANDS 65536u
#define LIST_BUCKETS 256u
#define PAGE_SIZE 0x10000u
#define PAGE_COUNT 0x1000u /* of a bank: its addresses have 28 bits */

struct index {
	struct qs_capture *capture;
	struct updates updates;
	struct qs_error *error;
	uint32_t cp[256];
	uint16_t vertex_size[8];
	bool vertex_sizes_valid;
	uint32_t frame; /* from 1 */
	uint32_t draws; /* in the frame so far */
	size_t draw_count;
	/* main memory, as far as updates wrote it; kept from the first display list on */
	uint8_t **pages[2];
	uint32_t written; /* updates written into it */
	uint64_t list_budget;
	struct capture_block *bucket[LIST_BUCKETS]; /* newest block of the address; older ones are not looked for */
	qs_progress_fn progress;
	void *user;
	uint64_t done, total; /* FIFO bytes of whole frames */
	bool fatal;
};

static bool fail(struct index *x, enum qs_error_code code, const char *text)
{
	x->fatal = true;
	qs_error_set(x->error, code, 0, "%s", text);
	return false;
}

/* ---- decoding ----------------------------------------------------------------------------------------------------------- */

static unsigned vertex_size(struct index *x, unsigned format)
{
	if (!x->vertex_sizes_valid) {
		for (unsigned i = 0; i < 8; i++)
			x->vertex_size[i] = (uint16_t)gx_vertex_size(x->cp, i);
		x->vertex_sizes_valid = true;
	}
	return x->vertex_size[format];
}

static size_t nop_run(const uint8_t *p, size_t left)
{
	static const uint8_t zero[64];
	size_t n = 1;

	while (left - n >= sizeof zero && !memcmp(p + n, zero, sizeof zero)) /* lists in unwritten memory are megabytes of it */
		n += sizeof zero;
	while (n < left && !p[n])
		n++;
	return n;
}

/* Bytes of the command at p, of which `left` are there (at least 1): may be more than left when its head says so, or when
 * the head itself is not all there.  0: no command begins with this byte. */
static size_t decode(struct index *x, const uint8_t *p, size_t left, struct qs_command *c)
{
	c->opcode = p[0];
	c->vertex_size = 0;
	switch (p[0]) {
	case 0x00:
		c->kind = QS_COMMAND_NOP;
		return nop_run(p, left);
	case 0x08:
		c->kind = QS_COMMAND_CP;
		return 6;
	case 0x10:
		c->kind = QS_COMMAND_XF;
		return left < 5 ? 5 : 9u + 4u * bits(p[2], 0, 4);
	case 0x20:
	case 0x28:
	case 0x30:
	case 0x38:
		c->kind = QS_COMMAND_XF_INDEXED;
		return 5;
	case 0x40:
		c->kind = QS_COMMAND_LIST;
		return 9;
	case 0x44:
		c->kind = QS_COMMAND_METRICS;
		return 1;
	case 0x48:
		c->kind = QS_COMMAND_INVALIDATE;
		return 1;
	case 0x61:
		c->kind = left > 1 && p[1] == 0x52 ? QS_COMMAND_COPY : QS_COMMAND_BP;
		return 5;
	default:
		if (p[0] < 0x80 || p[0] > 0xBF)
			return 0;
		c->kind = QS_COMMAND_DRAW;
		c->vertex_size = (uint16_t)vertex_size(x, p[0] & 7);
		return left < 3 ? 3 : 3 + (size_t)be16(p + 1) * c->vertex_size;
	}
}

/* Only one vertex descriptor exists: 51-57 and 61-67 are the same registers (spec 01 section 2). */
static void write_cp(struct index *x, const uint8_t *p)
{
	unsigned address = p[1];

	if (bits(address, 3, 5) == 0x50 >> 3 || bits(address, 3, 5) == 0x60 >> 3)
		address &= 0xF8;
	x->cp[address] = be32(p + 2);
	x->vertex_sizes_valid = false;
}

static bool snapshot(struct index *x, struct capture_snapshots *snapshots, uint32_t command, const uint32_t words[8])
{
	if (snapshots->count && !memcmp(snapshots->list[snapshots->count - 1].words, words, 8 * sizeof *words))
		return true;
	if (!capture_grow(&snapshots->list, snapshots->count, &snapshots->room, sizeof *snapshots->list))
		return fail(x, QS_ERR_NOMEM, "No memory for the registers of copies and indexed loads.");
	snapshots->list[snapshots->count].command = command;
	memcpy(snapshots->list[snapshots->count++].words, words, 8 * sizeof *words);
	return true;
}

static bool snapshot_copy(struct index *x, uint32_t command)
{
	const uint32_t *bp = x->updates.bp;
	const uint32_t words[8] = {
		[SNAPSHOT_SOURCE] = bp[0x49],
		[SNAPSHOT_SIZE] = bp[0x4A],
		[SNAPSHOT_DESTINATION] = bp[0x4B],
		[SNAPSHOT_STRIDE] = bp[0x4D],
		[SNAPSHOT_SCALE] = bp[0x4E],
		[SNAPSHOT_CONTROL] = bp[0x43],
	};

	return snapshot(x, &x->capture->copies, command, words);
}

static bool snapshot_load(struct index *x, uint32_t command)
{
	uint32_t words[8];

	memcpy(words, x->cp + 0xAC, 4 * sizeof *words);
	memcpy(words + 4, x->cp + 0xBC, 4 * sizeof *words);
	return snapshot(x, &x->capture->loads, command, words);
}

/* What the command means for those that follow. */
static bool follow(struct index *x, struct qs_command *c, uint32_t number, uint32_t fifo_offset, const uint8_t *p)
{
	struct qs_capture *capture = x->capture;

	switch (c->kind) {
	case QS_COMMAND_CP:
		write_cp(x, p);
		break;
	case QS_COMMAND_COPY:
		if (!snapshot_copy(x, number))
			return false;
		/* fall through */
	case QS_COMMAND_BP:
		updates_bp(&x->updates, p[1], be24(p + 2));
		break;
	case QS_COMMAND_XF_INDEXED:
		return snapshot_load(x, number);
	case QS_COMMAND_DRAW:
		updates_draw(&x->updates, fifo_offset, number);
		if (!capture_grow(&capture->draws, x->draw_count, &capture->draw_room, sizeof *capture->draws))
			return fail(x, QS_ERR_NOMEM, "No memory for the list of draws.");
		capture->draws[x->draw_count++] = number;
		c->draw = x->draws++;
		break;
	default:
		break;
	}
	return true;
}

static bool append(struct index *x, const struct qs_command *c)
{
	struct qs_capture *capture = x->capture;

	if (capture->info.command_count == QS_NONE - 1 ||
	    !capture_grow(&capture->commands, capture->info.command_count, &capture->command_room, sizeof *capture->commands))
		return fail(x, QS_ERR_NOMEM, "No memory for the list of commands.");
	capture->commands[capture->info.command_count++] = *c;
	return true;
}

static void warn_bad(struct index *x, const struct qs_command *c, const char *where, size_t needed)
{
	uint32_t number = x->capture->info.command_count;
	uint64_t at = x->capture->frames[c->frame - 1].fifo_offset;

	at += c->parent == QS_NONE ? c->offset : x->capture->commands[c->parent].offset;
	if (needed)
		capture_warn(x->capture, at, number,
			"Frame %" PRIu32 ", offset 0x%" PRIx32 "%s: command 0x%02x needs %zu bytes but only %" PRIu32
			" are left; they are skipped.",
			c->frame, c->offset, where, c->opcode, needed, c->size);
	else
		capture_warn(x->capture, at, number,
			"Frame %" PRIu32 ", offset 0x%" PRIx32 "%s: 0x%02x is no command (expected 00 08 10 20 28 30 38 40 44 48 61 or 80-BF);"
			" the remaining %" PRIu32 " bytes are skipped.",
			c->frame, c->offset, where, c->opcode, c->size);
}

/* ---- display lists ------------------------------------------------------------------------------------------------------ */

static uint32_t memory_size(const struct index *x, unsigned bank)
{
	return bank ? x->capture->info.mem2_size : x->capture->info.mem1_size;
}

static uint32_t memory_mask(uint32_t size)
{
	uint32_t mask = 0;

	while (mask < size - 1)
		mask = mask << 1 | 1;
	return mask;
}

/* Clips a range to its memory bank; returns how many bytes are inside. */
static uint32_t locate(const struct index *x, uint32_t address, uint32_t size, unsigned *bank, uint32_t *offset)
{
	uint32_t room;

	*bank = bits(address, 28, 1);
	room = memory_size(x, *bank);
	if (!room)
		return 0;
	*offset = address & 0x0FFFFFFF & memory_mask(room);
	if (*offset >= room)
		return 0;
	return size < room - *offset ? size : room - *offset;
}

static bool memory_write(struct index *x, unsigned bank, uint32_t offset, const uint8_t *data, uint32_t size)
{
	if (size && !x->pages[bank])
		x->pages[bank] = calloc(PAGE_COUNT, sizeof *x->pages[bank]);
	if (size && !x->pages[bank])
		return false;
	while (size) {
		uint8_t **page = &x->pages[bank][offset / PAGE_SIZE];
		uint32_t at = offset % PAGE_SIZE, part = PAGE_SIZE - at < size ? PAGE_SIZE - at : size;

		if (!*page)
			*page = calloc(1, PAGE_SIZE);
		if (!*page)
			return false;
		memcpy(*page + at, data, part);
		offset += part;
		data += part;
		size -= part;
	}
	return true;
}

static void memory_read(const struct index *x, unsigned bank, uint32_t offset, uint8_t *data, uint32_t size)
{
	while (size) {
		const uint8_t *page = x->pages[bank] ? x->pages[bank][offset / PAGE_SIZE] : NULL;
		uint32_t at = offset % PAGE_SIZE, part = PAGE_SIZE - at < size ? PAGE_SIZE - at : size;

		if (page)
			memcpy(data, page + at, part);
		else
			memset(data, 0, part);
		offset += part;
		data += part;
		size -= part;
	}
}

static void memory_free(struct index *x)
{
	for (unsigned bank = 0; bank < 2; bank++) {
		for (uint32_t i = 0; x->pages[bank] && i < PAGE_COUNT; i++)
			free(x->pages[bank][i]);
		free(x->pages[bank]);
	}
}

/* All updates in stream order up to u->next: those that stand before the call. */
static bool memory_update(struct index *x)
{
	const struct qs_capture *capture = x->capture;

	for (; x->written < x->updates.next; x->written++) {
		const struct qs_update *u = &capture->updates[x->written];
		unsigned bank = 0;
		uint32_t offset = 0, size = locate(x, u->address, u->size, &bank, &offset);

		if (!memory_write(x, bank, offset, capture->bytes + u->data_offset, size))
			return fail(x, QS_ERR_NOMEM, "No memory for the console's main memory, which is needed to follow display lists.");
	}
	return true;
}

/* The list's bytes as memory has them now, shared with an earlier call when equal. */
static const uint8_t *list_bytes(struct index *x, uint32_t address, uint32_t size)
{
	struct capture_block **bucket = &x->bucket[(address >> 5) % LIST_BUCKETS], *last = *bucket, *block;
	unsigned bank = 0;
	uint32_t offset = 0, there = locate(x, address, size, &bank, &offset);

	block = calloc(1, sizeof *block + size);
	if (!block)
		return NULL;
	block->address = address;
	block->size = size;
	memory_read(x, bank, offset, block->bytes, there);
	if (last && last->address == address && last->size == size && !memcmp(last->bytes, block->bytes, size)) {
		free(block);
		return last->bytes;
	}
	block->next = x->capture->blocks;
	x->capture->blocks = *bucket = block;
	return block->bytes;
}

static bool list_commands(struct index *x, uint32_t parent, uint32_t fifo_offset, uint32_t address, const uint8_t *bytes,
	uint32_t size)
{
	char where[64];
	uint32_t offset = 0;

	while (offset < size) {
		const uint8_t *p = bytes + offset;
		struct qs_command c = {.frame = x->frame, .offset = offset, .parent = parent, .draw = QS_NONE};
		size_t length = decode(x, p, size - offset, &c);
		bool bad = !length || length > size - offset;

		c.size = bad ? size - offset : (uint32_t)length;
		if (bad) {
			c.kind = QS_COMMAND_BAD;
			c.vertex_size = 0;
			snprintf(where, sizeof where, " of the display list at 0x%08" PRIx32, address);
			warn_bad(x, &c, where, length);
		} else if (!follow(x, &c, x->capture->info.command_count, fifo_offset, p)) {
			return false;
		}
		if (c.kind == QS_COMMAND_LIST)
			capture_warn(x->capture, qs_capture_command_file_offset(x->capture, parent), x->capture->info.command_count,
				"Frame %" PRIu32 ": the display list at 0x%08" PRIx32 " calls another; the hardware does not follow it.", x->frame,
				address);
		if (!append(x, &c))
			return false;
		offset += c.size;
	}
	return true;
}

static bool call_list(struct index *x, uint32_t number, uint32_t fifo_offset, const uint8_t *p)
{
	struct qs_capture *capture = x->capture;
	uint32_t address = be32(p + 1) & ~31u, size = be32(p + 5) & ~31u;
	struct qs_frame *frame = &capture->frames[x->frame - 1];
	uint32_t offset;
	unsigned bank;
	const uint8_t *bytes;

	if (!size)
		return true;
	if (size > x->list_budget) {
		capture_warn(capture, frame->fifo_offset + fifo_offset, number,
			"Frame %" PRIu32 ", offset 0x%" PRIx32 ": the display list of 0x%" PRIx32
			" bytes is not followed: lists of this log add up to more than is plausible.",
			x->frame, fifo_offset, size);
		return true;
	}
	x->list_budget -= size;
	if (locate(x, address, size, &bank, &offset) < size)
		capture_warn(capture, frame->fifo_offset + fifo_offset, number,
			"Frame %" PRIu32 ", offset 0x%" PRIx32 ": the display list of 0x%" PRIx32 " bytes at 0x%08" PRIx32
			" is not all inside memory; the rest reads as zero.",
			x->frame, fifo_offset, size, address);
	if (!memory_update(x))
		return false;
	bytes = list_bytes(x, address, size);
	if (!bytes || !capture_grow(&capture->lists, capture->list_count, &capture->list_room, sizeof *capture->lists))
		return fail(x, QS_ERR_NOMEM, "No memory for the contents of display lists.");
	capture->lists[capture->list_count++] = (struct capture_list){number, size, bytes};
	if (!list_commands(x, number, fifo_offset, address, bytes, size))
		return false;
	frame->list_child_count += capture->info.command_count - number - 1;
	return true;
}

/* ---- frames ------------------------------------------------------------------------------------------------------------- */

static bool report(struct index *x, uint32_t offset)
{
	if (!x->progress)
		return true;
	if (x->progress(x->total ? (double)(x->done + offset) / (double)x->total : 1.0, x->user))
		return true;
	return fail(x, QS_ERR_CANCELLED, "Opening the capture was cancelled.");
}

static bool index_commands(struct index *x)
{
	struct qs_capture *capture = x->capture;
	struct qs_frame *frame = &capture->frames[x->frame - 1];
	const uint8_t *fifo = capture->bytes + frame->fifo_offset;
	uint32_t offset = 0, next_report = 0;

	while (offset < frame->fifo_size) {
		const uint8_t *p = fifo + offset;
		uint32_t number = capture->info.command_count, left = frame->fifo_size - offset;
		struct qs_command c = {.frame = x->frame, .offset = offset, .parent = QS_NONE, .draw = QS_NONE};
		size_t length = decode(x, p, left, &c);
		bool bad = !length || length > left;

		if (number >= next_report) {
			next_report = number + PROGRESS_COMMANDS;
			if (!report(x, offset))
				return false;
		}
		if (length > left && capture->extents[x->frame - 1].cut) {
			frame->fifo_size = offset; /* the command is cut with the file */
			break;
		}
		if (offset >= x->updates.next_position)
			updates_reach(&x->updates, offset, number);
		c.size = bad ? left : (uint32_t)length;
		if (bad) {
			c.kind = QS_COMMAND_BAD;
			c.vertex_size = 0;
			warn_bad(x, &c, "", length);
		} else if (!follow(x, &c, number, offset, p)) {
			return false;
		}
		if (!append(x, &c) || (c.kind == QS_COMMAND_LIST && !call_list(x, number, offset, p)))
			return false;
		offset += c.size;
	}
	return true;
}

static bool index_frame(struct index *x)
{
	struct qs_capture *capture = x->capture;
	struct qs_frame *frame = &capture->frames[x->frame - 1];
	uint32_t fifo_size = frame->fifo_size;

	frame->first_command = capture->info.command_count;
	capture->extents[x->frame - 1].first_draw = (uint32_t)x->draw_count;
	x->draws = 0;
	updates_frame_begin(&x->updates, x->frame);
	if (!index_commands(x))
		return false;
	updates_frame_end(&x->updates);
	x->updates.next = x->updates.end; /* what stands behind the last command is in memory when the next frame begins */
	frame->command_count = capture->info.command_count - frame->first_command;
	frame->draw_count = x->draws;
	x->done += fifo_size;
	return true;
}

static void shrink(void *array, size_t count, size_t element_size)
{
	void *old, *smaller;

	memcpy(&old, array, sizeof old);
	smaller = count ? realloc(old, count * element_size) : NULL;
	if (smaller)
		memcpy(array, &smaller, sizeof smaller);
}

static void warn_empty(struct qs_capture *capture)
{
	uint32_t count = 0, first = 0;

	for (uint32_t i = capture->info.frame_count; i > 0; i--)
		if (!capture->frames[i - 1].command_count) {
			count++;
			first = i;
		}
	if (count)
		capture_warn(capture, capture->frames[first - 1].fifo_offset, QS_NONE,
			"%" PRIu32 " of %" PRIu32 " frames, the first is frame %" PRIu32 ", have no commands.", count, capture->info.frame_count,
			first);
}

static bool finish(struct index *x)
{
	struct qs_capture *capture = x->capture;

	capture->extents[capture->info.frame_count].first_draw = (uint32_t)x->draw_count;
	capture->info.draw_count = (uint32_t)x->draw_count;
	warn_empty(capture);
	shrink(&capture->commands, capture->info.command_count, sizeof *capture->commands);
	shrink(&capture->draws, x->draw_count, sizeof *capture->draws);
	if (!capture->info.command_count && capture->info.truncated) {
		qs_error_set(x->error, QS_ERR_FORMAT, capture->size,
			"%s ends at 0x%zx, before the first command of its first frame is complete.  The file is cut.", capture->path,
			capture->size);
		return false;
	}
	if (!updates_sort(capture))
		return fail(x, QS_ERR_NOMEM, "No memory to sort the memory updates.");
	return report(x, 0);
}

bool capture_index(struct qs_capture *capture, qs_progress_fn progress, void *user, struct qs_error *error)
{
	struct index *x = calloc(1, sizeof *x);
	bool ok = true;

	if (!x) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "No memory to read the commands of %s.", capture->path);
		return false;
	}
	x->capture = capture;
	x->error = error;
	x->progress = progress;
	x->user = user;
	x->list_budget = 4 * (uint64_t)capture->size + 0x2000000;
	memcpy(x->cp, capture->initial.cp, sizeof x->cp);
	updates_begin(&x->updates, capture);
	for (uint32_t i = 0; i < capture->info.frame_count; i++)
		x->total += capture->frames[i].fifo_size;
	for (x->frame = 1; ok && x->frame <= capture->info.frame_count; x->frame++)
		ok = index_frame(x);
	ok = ok && finish(x);
	memory_free(x);
	free(x);
	return ok;
}
