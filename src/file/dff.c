/* dff.c - the Dolphin FIFO log: header, initial state, frame list, memory updates
 *
 * Layout: docs/dff-format.  Everything is little-endian, nothing is aligned, and no number is believed before it was
 * compared with the size of the file.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/bits.h"
#include "file/capture.h"

#define HEADER_SIZE 128u
#define FRAME_SIZE 64u
#define UPDATE_SIZE 24u
#define LOADER_VERSION 5u
#define XF_REGISTERS 0x58u /* 0x1000-0x1057; older writers store 96 words, the rest means nothing */
#define MEM1_STANDARD 0x01800000u
#define MEM2_STANDARD 0x04000000u
#define MEMORY_MAX 0x10000000u /* bit 28 tells MEM2 from MEM1, so neither can be larger */

struct frame_entry {
	uint64_t fifo_offset, updates_offset;
	uint32_t fifo_size, update_count;
};

static bool inside(const struct qs_capture *capture, uint64_t offset, uint64_t size)
{
	return offset <= capture->size && size <= capture->size - offset;
}

/* ---- initial state ------------------------------------------------------------------------------------------------------ */

static bool read_words(struct qs_capture *capture, unsigned field, const char *what, uint32_t *words, uint32_t room,
	uint32_t standard, uint32_t *read, struct qs_error *error)
{
	uint64_t offset = le64(capture->bytes + field);
	uint32_t count = le32(capture->bytes + field + 8);

	if (count && (offset < HEADER_SIZE || !inside(capture, offset, 4ull * count))) {
		qs_error_set(error, QS_ERR_FORMAT, field,
			"%s: the header (offset 0x%x) puts %" PRIu32 " words of %s at 0x%" PRIx64
			": expected a place behind the header and inside the file's 0x%zx bytes.  The file is damaged or cut.",
			capture->path, field, count, what, offset, capture->size);
		return false;
	}
	if (count < standard)
		capture_warn(capture, field, QS_NONE, "The log has only %" PRIu32 " of %" PRIu32 " words of %s; the others start as 0.",
			count, standard, what);
	*read = count < room ? count : room;
	for (uint32_t i = 0; i < *read; i++)
		words[i] = le32(capture->bytes + offset + 4ull * i);
	return true;
}

static bool read_tmem(struct qs_capture *capture, struct qs_error *error)
{
	uint64_t offset = le64(capture->bytes + 76);
	uint32_t size = le32(capture->bytes + 84);

	if (capture->info.version < 4 || !size)
		return true;
	if (offset < HEADER_SIZE || !inside(capture, offset, size)) {
		qs_error_set(error, QS_ERR_FORMAT, 76,
			"%s: the header (offset 0x4c) puts 0x%" PRIx32 " bytes of texture memory at 0x%" PRIx64
			": expected a place behind the header and inside the file's 0x%zx bytes.  The file is damaged or cut.",
			capture->path, size, offset, capture->size);
		return false;
	}
	if (size > 0x100000) {
		capture_warn(capture, 84, QS_NONE, "The log has 0x%" PRIx32 " bytes of texture memory; only the first 0x100000 are used.",
			size);
		size = 0x100000;
	}
	capture->initial.tmem = capture->bytes + offset;
	capture->initial.tmem_size = size;
	return true;
}

static void read_memory_sizes(struct qs_capture *capture)
{
	struct qs_capture_info *info = &capture->info;

	info->mem1_size = MEM1_STANDARD;
	info->mem2_size = MEM2_STANDARD;
	if (info->version < 5)
		return;
	info->mem1_size = le32(capture->bytes + 88);
	info->mem2_size = le32(capture->bytes + 92);
	if (!info->mem1_size || info->mem1_size > MEMORY_MAX) {
		capture_warn(capture, 88, QS_NONE, "The size of MEM1 is given as 0x%" PRIx32 "; the standard 0x%x is used.",
			info->mem1_size, MEM1_STANDARD);
		info->mem1_size = MEM1_STANDARD;
	}
	if (info->mem2_size > MEMORY_MAX) {
		capture_warn(capture, 92, QS_NONE, "The size of MEM2 is given as 0x%" PRIx32 "; the standard 0x%x is used.",
			info->mem2_size, MEM2_STANDARD);
		info->mem2_size = MEM2_STANDARD;
	}
}

static bool read_header(struct qs_capture *capture, struct qs_error *error)
{
	struct qs_capture_info *info = &capture->info;
	struct qs_initial_state *state = &capture->initial;
	uint32_t count;

	if (capture->size < HEADER_SIZE) {
		qs_error_set(error, QS_ERR_FORMAT, capture->size, "%s ends at 0x%zx: expected a header of 0x%x bytes.  The file is cut.",
			capture->path, capture->size, HEADER_SIZE);
		return false;
	}
	info->version = le32(capture->bytes + 4);
	info->min_loader_version = le32(capture->bytes + 8);
	info->wii = le32(capture->bytes + 72) & 1;
	if (info->min_loader_version > LOADER_VERSION) {
		qs_error_set(error, QS_ERR_UNSUPPORTED, 8,
			"%s is a FIFO log of version %" PRIu32 " that wants a reader of version %" PRIu32
			" (offset 8): expected at most %u.  Record it again with an older Dolphin.",
			capture->path, info->version, info->min_loader_version, LOADER_VERSION);
		return false;
	}
	if (!info->version)
		capture_warn(capture, 4, QS_NONE, "The log gives its version as 0; it is read as version 1.");
	read_memory_sizes(capture);
	return read_words(capture, 12, "BP registers", state->bp, 256, 256, &count, error) &&
	       read_words(capture, 24, "CP registers", state->cp, 256, 256, &count, error) &&
	       read_words(capture, 36, "XF memory", state->xf_memory, 4096, 4096, &count, error) &&
	       read_words(capture, 48, "XF registers", state->xf_registers, 96, XF_REGISTERS, &state->xf_register_count, error) &&
	       read_tmem(capture, error);
}

/* ---- frames ------------------------------------------------------------------------------------------------------------- */

static struct frame_entry frame_entry(const struct qs_capture *capture, uint64_t list, uint32_t i)
{
	const uint8_t *p = capture->bytes + list + (uint64_t)FRAME_SIZE * i;

	return (struct frame_entry){
		.fifo_offset = le64(p),
		.fifo_size = le32(p + 8),
		.updates_offset = le64(p + 20),
		.update_count = le32(p + 28),
	};
}

static bool frame_whole(const struct qs_capture *capture, const struct frame_entry *e)
{
	return inside(capture, e->fifo_offset, e->fifo_size) &&
	       (!e->update_count || inside(capture, e->updates_offset, (uint64_t)UPDATE_SIZE * e->update_count));
}

static bool outside_error(const struct qs_capture *capture, uint64_t list, uint32_t i, struct qs_error *error)
{
	struct frame_entry e = frame_entry(capture, list, i);
	bool fifo = !inside(capture, e.fifo_offset, e.fifo_size);

	qs_error_set(error, QS_ERR_FORMAT, list + (uint64_t)FRAME_SIZE * i,
		"%s: frame %" PRIu32 " (entry at 0x%" PRIx64 ") has 0x%" PRIx32 " %s at 0x%" PRIx64
		": expected a place inside the file's 0x%zx bytes.  The file is damaged or cut.",
		capture->path, i + 1, list + (uint64_t)FRAME_SIZE * i, fifo ? e.fifo_size : e.update_count,
		fifo ? "bytes of commands" : "memory updates", fifo ? e.fifo_offset : e.updates_offset, capture->size);
	return false;
}

/* How many frames can be shown, and whether the last of them is cut.  A frame that reaches beyond the end of the file means
 * a cut tail if no whole frame comes after it, and damage if one does. */
static bool count_frames(struct qs_capture *capture, uint64_t list, uint32_t count, uint32_t *usable, struct qs_error *error)
{
	uint32_t whole = count;
	struct frame_entry e;

	for (uint32_t i = 0; i < count; i++) {
		e = frame_entry(capture, list, i);
		if (e.fifo_size && e.fifo_offset < HEADER_SIZE) {
			qs_error_set(error, QS_ERR_FORMAT, list + (uint64_t)FRAME_SIZE * i,
				"%s: frame %" PRIu32 " (entry at 0x%" PRIx64 ") has its commands at 0x%" PRIx64
				", inside the header.  The file is damaged.",
				capture->path, i + 1, list + (uint64_t)FRAME_SIZE * i, e.fifo_offset);
			return false;
		}
		if (!frame_whole(capture, &e) && whole == count)
			whole = i;
		else if (frame_whole(capture, &e) && whole < i)
			return outside_error(capture, list, whole, error);
	}
	*usable = whole;
	if (whole == count)
		return true;
	e = frame_entry(capture, list, whole);
	if (e.fifo_offset < capture->size && e.fifo_size)
		*usable = whole + 1;
	if (!*usable)
		return outside_error(capture, list, 0, error);
	capture->info.truncated = true;
	if (*usable > whole)
		capture_warn(capture, capture->size, QS_NONE,
			"The file is cut at 0x%zx, inside frame %" PRIu32 " of %" PRIu32 "; what comes later is missing.", capture->size,
			whole + 1, count);
	else
		capture_warn(capture, capture->size, QS_NONE,
			"The file is cut at 0x%zx, behind frame %" PRIu32 " of %" PRIu32 "; the later frames are missing.", capture->size,
			whole, count);
	return true;
}

/* Frames may share bytes, but a small file must not unfold into gigabytes. */
static bool check_sums(const struct qs_capture *capture, uint64_t list, uint32_t count, struct qs_error *error)
{
	uint64_t limit = 8ull * capture->size + 0x100000, fifo = 0, updates = 0;

	for (uint32_t i = 0; i < count; i++) {
		struct frame_entry e = frame_entry(capture, list, i);
		fifo += e.fifo_size;
		updates += (uint64_t)UPDATE_SIZE * e.update_count;
		if (fifo > limit || updates > limit) {
			qs_error_set(error, QS_ERR_FORMAT, list + (uint64_t)FRAME_SIZE * i,
				"%s: the first %" PRIu32 " frames claim more than 0x%" PRIx64
				" bytes of %s: expected about as many as the file has (0x%zx).  The file is damaged.",
				capture->path, i + 1, limit, fifo > limit ? "commands" : "memory updates", capture->size);
			return false;
		}
	}
	return true;
}

static bool read_frames(struct qs_capture *capture, uint64_t list, uint32_t count, struct qs_error *error)
{
	capture->frames = calloc(count, sizeof *capture->frames);
	capture->extents = calloc((size_t)count + 1, sizeof *capture->extents);
	if (!capture->frames || !capture->extents) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "No memory for %" PRIu32 " frames.", count);
		return false;
	}
	for (uint32_t i = 0; i < count; i++) {
		struct frame_entry e = frame_entry(capture, list, i);
		struct qs_frame *frame = &capture->frames[i];

		if (!e.fifo_size)
			e.fifo_offset = HEADER_SIZE; /* an empty frame's offset is not checked: keep it harmless */
		frame->fifo_offset = e.fifo_offset;
		frame->fifo_size = e.fifo_size;
		if (!inside(capture, e.fifo_offset, e.fifo_size)) {
			frame->fifo_size = (uint32_t)(capture->size - e.fifo_offset);
			capture->extents[i].cut = true;
		}
	}
	capture->info.frame_count = count;
	return true;
}

/* ---- memory updates ----------------------------------------------------------------------------------------------------- */

/* Memory sizes need not be powers of two; addresses wrap as if they were. */
static bool memory_holds(uint32_t memory_size, uint32_t address, uint32_t size)
{
	uint64_t room = 1;

	while (room < memory_size)
		room <<= 1;
	return (uint64_t)(address & (uint32_t)(room - 1)) + size <= memory_size;
}

static void check_update(struct qs_capture *capture, const struct qs_update *u, uint64_t entry, uint32_t i)
{
	bool mem2 = u->address & 0x10000000;

	if (u->type != QS_UPDATE_TEXTURE && u->type != QS_UPDATE_XF && u->type != QS_UPDATE_VERTEX && u->type != QS_UPDATE_TMEM)
		capture_warn(capture, entry + 20, QS_NONE,
			"Frame %" PRIu32 ", update %" PRIu32 " is of type %u: expected 1, 2, 4 or 8.  It is applied at its position.",
			u->frame, i, u->type);
	if (u->fifo_position > capture->frames[u->frame - 1].fifo_size && !capture->extents[u->frame - 1].cut)
		capture_warn(capture, entry, QS_NONE,
			"Frame %" PRIu32 ", update %" PRIu32 " stands at 0x%" PRIx32 ", behind the frame's 0x%" PRIx32
			" bytes of commands.  It is applied at the end of the frame.",
			u->frame, i, u->fifo_position, capture->frames[u->frame - 1].fifo_size);
	if (!memory_holds(mem2 ? capture->info.mem2_size : capture->info.mem1_size, u->address & 0x0FFFFFFF, u->size))
		capture_warn(capture, entry + 4, QS_NONE,
			"Frame %" PRIu32 ", update %" PRIu32 " writes 0x%" PRIx32 " bytes to 0x%08" PRIx32
			", beyond the end of %s.  What is outside is lost.",
			u->frame, i, u->size, u->address, mem2 ? "MEM2" : "MEM1");
}

struct placed {
	struct qs_update update;
	uint32_t order;
};

static int compare_positions(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	if (x->update.fifo_position != y->update.fifo_position)
		return x->update.fifo_position < y->update.fifo_position ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static bool sort_by_position(struct qs_update *updates, uint32_t count, struct qs_error *error)
{
	struct placed *placed = calloc(count, sizeof *placed);

	if (!placed) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "No memory to sort %" PRIu32 " memory updates.", count);
		return false;
	}
	for (uint32_t i = 0; i < count; i++)
		placed[i] = (struct placed){updates[i], i};
	qsort(placed, count, sizeof *placed, compare_positions);
	for (uint32_t i = 0; i < count; i++)
		updates[i] = placed[i].update;
	free(placed);
	return true;
}

static bool read_frame_updates(struct qs_capture *capture, const struct frame_entry *e, uint32_t frame, struct qs_error *error)
{
	struct qs_update *out = capture->updates + capture->info.update_count;
	uint32_t kept = 0, lost = 0, last = 0;
	bool sorted = true;

	for (uint32_t i = 0; i < e->update_count; i++) {
		uint64_t at = e->updates_offset + (uint64_t)UPDATE_SIZE * i;
		struct qs_update u = {.frame = frame, .command = QS_NONE};
		const uint8_t *p;

		if (!inside(capture, e->updates_offset, (uint64_t)UPDATE_SIZE * (i + 1ull))) {
			lost += e->update_count - i;
			break;
		}
		p = capture->bytes + at;
		u.fifo_position = le32(p);
		u.address = le32(p + 4);
		u.data_offset = le64(p + 8);
		u.size = le32(p + 16);
		u.type = p[20];
		if (!inside(capture, u.data_offset, u.size)) {
			if (!lost++ && frame < capture->info.frame_count)
				capture_warn(capture, at + 8, QS_NONE,
					"Frame %" PRIu32 ", update %" PRIu32 " has 0x%" PRIx32 " bytes at 0x%" PRIx64
					": expected a place inside the file's 0x%zx bytes.  It is left out.",
					frame, i, u.size, u.data_offset, capture->size);
			continue;
		}
		check_update(capture, &u, at, i);
		sorted = sorted && u.fifo_position >= last;
		last = u.fifo_position;
		out[kept++] = u;
	}
	if (!sorted) {
		capture_warn(capture, e->updates_offset, QS_NONE,
			"The memory updates of frame %" PRIu32 " are not in the order of their positions; they are sorted.", frame);
		if (!sort_by_position(out, kept, error))
			return false;
	}
	/* In the last frame data behind the end of the file is most likely cut off, elsewhere it is damage. */
	if (lost && frame == capture->info.frame_count) {
		capture->info.truncated = true;
		capture_warn(capture, capture->size, QS_NONE,
			"The file ends at 0x%zx: %" PRIu32 " of the %" PRIu32 " memory updates of frame %" PRIu32
			" are missing, so textures or vertices may be.",
			capture->size, lost, e->update_count, frame);
	}
	capture->frames[frame - 1].update_count = kept;
	capture->extents[frame - 1].first_update = capture->info.update_count;
	capture->info.update_count += kept;
	return true;
}

static bool read_updates(struct qs_capture *capture, uint64_t list, struct qs_error *error)
{
	uint64_t total = 0;

	for (uint32_t i = 0; i < capture->info.frame_count; i++) {
		struct frame_entry e = frame_entry(capture, list, i);
		uint64_t behind = e.updates_offset < capture->size ? capture->size - e.updates_offset : 0;
		total += e.update_count < behind / UPDATE_SIZE ? e.update_count : behind / UPDATE_SIZE;
	}
	capture->updates = total < SIZE_MAX / sizeof *capture->updates ? calloc((size_t)total + 1, sizeof *capture->updates) : NULL;
	if (!capture->updates || total >= QS_NONE) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "No memory for %" PRIu64 " memory updates.", total);
		return false;
	}
	for (uint32_t i = 0; i < capture->info.frame_count; i++) {
		struct frame_entry e = frame_entry(capture, list, i);
		if (!read_frame_updates(capture, &e, i + 1, error))
			return false;
	}
	capture->extents[capture->info.frame_count].first_update = capture->info.update_count;
	return true;
}

bool dff_read(struct qs_capture *capture, struct qs_error *error)
{
	uint64_t list;
	uint32_t count, usable;

	if (!read_header(capture, error))
		return false;
	list = le64(capture->bytes + 60);
	count = le32(capture->bytes + 68);
	if (!count) {
		qs_error_set(error, QS_ERR_FORMAT, 68, "%s has no frames (offset 0x44): expected at least one.", capture->path);
		return false;
	}
	if (list < HEADER_SIZE || !inside(capture, list, (uint64_t)FRAME_SIZE * count)) {
		qs_error_set(error, QS_ERR_FORMAT, 60,
			"%s: the header (offset 0x3c) puts a list of %" PRIu32 " frames at 0x%" PRIx64
			": expected a place behind the header and inside the file's 0x%zx bytes.  The file is damaged or cut.",
			capture->path, count, list, capture->size);
		return false;
	}
	return count_frames(capture, list, count, &usable, error) && check_sums(capture, list, usable, error) &&
	       read_frames(capture, list, usable, error) && read_updates(capture, list, error);
}
