/* story.h - what two sources did to pixels of a frame, as lists of quads that can be compared
 *
 *   story.c    listing, comparing lists, the first difference of every draw      diverge.c  the first difference of a frame
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TRACE_STORY_H
#define TRACE_STORY_H

#include "trace/compare.h"

struct fragment_note {
	uint8_t covered, verdict;
	uint8_t rgba[4];
	uint32_t z;
};

struct quad_note {
	struct qs_moment moment;
	int16_t x, y;
	struct fragment_note fragment[4];
};

struct copy_note {
	struct qs_moment moment;
	struct qs_copy copy;
	uint8_t *data;
	size_t size;
};

/* What one source did in the frame. */
struct story {
	const struct qs_source *source;
	struct quad_note *quad;
	size_t quads, quad_room;
	struct copy_note *copy;
	size_t copies, copy_room, bytes;
	const uint8_t *mark; /* pixels that are looked at */
	int width, height;
	uint32_t last;       /* commands from here on are not looked at */
	bool no_memory;
};

struct story_pair {
	const struct quad_note *note[2]; /* NULL: not there */
	unsigned fragment;
};

void story_finish(struct story *s);
/* Replays the frame in both; mask: QS_TAP_QUAD, QS_TAP_COPY. */
bool story_tell(struct comparer *c, struct story s[2], uint32_t mask, struct qs_error *error);
/* The first difference; depth: only depth counts.  False: none, or no memory. */
bool story_compare(const struct story s[2], bool depth, struct story_pair *found, bool *no_memory);
/* diverge.c: the record of the pair; *earlier: only what the pixel held before differs. */
bool story_describe(struct comparer *c, const struct story_pair *p, struct qs_divergence *d, bool *earlier, struct qs_error *error);

#endif
