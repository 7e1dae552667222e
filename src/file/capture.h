/* capture.h - inside of struct qs_capture, and the steps that fill it
 *
 * capture.c opens and recognises the file; dff.c reads header, initial state, frame list and update lists; index.c cuts the
 * FIFO bytes into commands; updates.c says before which command every memory update applies.  After opening nothing changes
 * any more, so that any number of threads may read a capture.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FILE_CAPTURE_H
#define FILE_CAPTURE_H

#include "quadscope.h"

/* Bytes of a called display list as memory had them at the call. */
struct capture_list {
	uint32_t command; /* the LIST command */
	uint32_t size;
	const uint8_t *bytes; /* shared by calls that found the same contents */
};

struct capture_block { /* a malloc'ed copy of list bytes */
	struct capture_block *next;
	uint32_t address, size;
	uint8_t bytes[];
};

/* Registers that a copy or an indexed load depends on, as they are from this command on; for the text of commands. */
struct capture_snapshot {
	uint32_t command;
	uint32_t words[8];
};

enum { SNAPSHOT_SOURCE, SNAPSHOT_SIZE, SNAPSHOT_DESTINATION, SNAPSHOT_STRIDE, SNAPSHOT_SCALE, SNAPSHOT_CONTROL }; /* copies */

struct capture_snapshots {
	struct capture_snapshot *list;
	size_t count, room;
};

struct capture_frame_extent {
	uint32_t first_draw;   /* into draws */
	uint32_t first_update; /* into updates, before they are sorted by command */
	bool cut;              /* the file ends inside the FIFO bytes */
};

struct qs_capture {
	struct qs_capture_info info;
	char *path;
	const uint8_t *bytes;
	size_t size;
	bool mapped;
	uint8_t *stream; /* Gfx3D: the calls, unpacked; what offsets of frames count from.  Else NULL */

	struct qs_initial_state initial;
	struct qs_frame *frames;
	struct capture_frame_extent *extents; /* frame_count + 1 */
	struct qs_command *commands;
	size_t command_room;
	uint32_t *draws; /* command of every draw, over all frames */
	size_t draw_room;
	struct qs_update *updates;
	struct capture_list *lists;
	size_t list_count, list_room;
	struct capture_block *blocks;
	struct capture_snapshots copies; /* before a copy, when they changed since the last one */
	struct capture_snapshots loads;  /* likewise; words 0-3 base, 4-7 stride of the arrays A to D */
	struct qs_warning *warnings;
	size_t warning_room;
	uint32_t warnings_dropped;
};

/* Room for one more element; false: no memory.  *array may move. */
bool capture_grow(void *array, size_t count, size_t *room, size_t element_size);

/* Adds a warning (after 1000 only their number is kept).  Lack of memory loses the warning, nothing else. */
void capture_warn(struct qs_capture *capture, uint64_t offset, uint32_t command, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* dff.c */
#define DFF_MAGIC 0x0D01F1F0u
bool dff_read(struct qs_capture *capture, struct qs_error *error);

/* The last snapshot at or before the command, or NULL. */
const struct capture_snapshot *capture_snapshot(const struct capture_snapshots *snapshots, uint32_t command);

/* index.c */
bool capture_index(struct qs_capture *capture, qs_progress_fn progress, void *user, struct qs_error *error);

/* updates.c: is told of the commands in order as index.c finds them. */
struct updates {
	struct qs_capture *capture;
	uint32_t bp[256], bp_mask; /* to know which writes change something */
	uint32_t frame;
	uint32_t next, next_texture, end; /* of the frame, in capture->updates */
	uint32_t next_position;           /* of the first update not yet placed in order; UINT32_MAX: none */
	uint32_t batch;                   /* first draw command of the batch; QS_NONE before the frame's first */
	bool batch_open;
};

void updates_begin(struct updates *u, struct qs_capture *capture);
void updates_frame_begin(struct updates *u, uint32_t frame);
/* The top-level command at this FIFO offset comes now, u->next_position <= offset. */
void updates_reach(struct updates *u, uint32_t offset, uint32_t command);
void updates_bp(struct updates *u, unsigned address, uint32_t value);
void updates_draw(struct updates *u, uint32_t offset, uint32_t command);
void updates_frame_end(struct updates *u);
/* Brings the array into the order of application; false: no memory. */
bool updates_sort(struct qs_capture *capture);

#endif
