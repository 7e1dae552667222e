/* updates.c - before which command does a memory update apply?
 *
 * Most updates apply where they stand.  Texture updates were noted when the recorder's renderer flushed a batch of
 * primitives, after the primitives that used them; docs/dff-format section 2.1 gives the rule that moves them forward:
 * before the first primitive of a batch come all texture updates up to the first primitive after the batch.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "file/capture.h"

#define MASK_REGISTER 0xFEu
#define MASK_ALL 0xFFFFFFu

void updates_begin(struct updates *u, struct qs_capture *capture)
{
	memset(u, 0, sizeof *u);
	u->capture = capture;
	u->bp_mask = MASK_ALL;
	for (unsigned i = 0; i < 256; i++)
		u->bp[i] = capture->initial.bp[i] & MASK_ALL;
	u->bp[MASK_REGISTER] = MASK_ALL;
}

static void find_next_position(struct updates *u)
{
	u->next_position = u->next < u->end ? u->capture->updates[u->next].fifo_position : UINT32_MAX;
}

void updates_frame_begin(struct updates *u, uint32_t frame)
{
	u->frame = frame;
	u->next = u->next_texture = u->capture->extents[frame - 1].first_update;
	u->end = u->capture->extents[frame].first_update;
	u->batch = QS_NONE;
	u->batch_open = false;
	find_next_position(u);
}

void updates_reach(struct updates *u, uint32_t offset, uint32_t command)
{
	for (; u->next < u->end; u->next++) {
		struct qs_update *update = &u->capture->updates[u->next];
		if (update->fifo_position > offset)
			break;
		/* after the frame's first primitive every texture update belongs to some batch */
		if (update->type != QS_UPDATE_TEXTURE || u->batch == QS_NONE)
			update->command = command;
	}
	find_next_position(u);
}

static void place_textures(struct updates *u, uint32_t offset)
{
	for (; u->next_texture < u->end; u->next_texture++) {
		struct qs_update *update = &u->capture->updates[u->next_texture];
		if (update->fifo_position > offset)
			break;
		if (update->type == QS_UPDATE_TEXTURE && update->command == QS_NONE)
			update->command = u->batch;
	}
}

void updates_draw(struct updates *u, uint32_t offset, uint32_t command)
{
	if (u->batch_open)
		return;
	if (u->batch != QS_NONE)
		place_textures(u, offset);
	u->batch = command;
	u->batch_open = true;
}

/* Dolphin's flush rule: a write counts when it changes the register, or when the register acts. */
static bool acts(unsigned address)
{
	return address == 0x45 || address == 0x47 || address == 0x48 || address == 0x52 || (address >= 0x55 && address <= 0x57) ||
	       (address >= 0x63 && address <= 0x66);
}

void updates_bp(struct updates *u, unsigned address, uint32_t value)
{
	uint32_t old = u->bp[address], new = (old & ~u->bp_mask) | (value & u->bp_mask);

	if (address == MASK_REGISTER) {
		u->bp_mask = new = value;
	} else if (u->bp_mask != MASK_ALL) { /* the mask serves one write */
		u->bp_mask = u->bp[MASK_REGISTER] = MASK_ALL;
	}
	if (new != old || acts(address))
		u->batch_open = false;
	u->bp[address] = new;
}

void updates_frame_end(struct updates *u)
{
	if (u->batch != QS_NONE)
		place_textures(u, UINT32_MAX);
}

/* What stands behind the frame's last command comes before the next command there is, in whatever frame. */
static void place_rest(struct qs_update *updates, uint32_t count, uint32_t next_command)
{
	for (uint32_t i = 0; i < count; i++)
		if (updates[i].command == QS_NONE)
			updates[i].command = next_command;
}

/* Within a frame texture updates and the others are each in order; merging keeps the order of those at one command. */
static void merge_frame(struct qs_update *updates, uint32_t count, struct qs_update *scratch)
{
	uint32_t texture = 0, other = 0;

	memcpy(scratch, updates, count * sizeof *scratch);
	for (uint32_t i = 0; i < count; i++) {
		const struct qs_update *t, *o;
		bool take_texture;

		while (texture < count && scratch[texture].type != QS_UPDATE_TEXTURE)
			texture++;
		while (other < count && scratch[other].type == QS_UPDATE_TEXTURE)
			other++;
		t = texture < count ? &scratch[texture] : NULL;
		o = other < count ? &scratch[other] : NULL;
		take_texture = t && (!o || t->command < o->command || (t->command == o->command && texture < other));
		updates[i] = take_texture ? *t : *o;
		if (take_texture)
			texture++;
		else
			other++;
	}
}

bool updates_sort(struct qs_capture *capture)
{
	uint32_t largest = 0;
	struct qs_update *scratch;

	for (uint32_t i = 0; i < capture->info.frame_count; i++)
		if (capture->frames[i].update_count > largest)
			largest = capture->frames[i].update_count;
	if (!largest)
		return true;
	scratch = malloc(largest * sizeof *scratch);
	if (!scratch)
		return false;
	for (uint32_t i = 0; i < capture->info.frame_count; i++) {
		const struct qs_frame *frame = &capture->frames[i];
		struct qs_update *updates = capture->updates + capture->extents[i].first_update;

		place_rest(updates, frame->update_count, frame->first_command + frame->command_count);
		merge_frame(updates, frame->update_count, scratch);
	}
	free(scratch);
	return true;
}
