/* tags.c - the lines of TMEM: which main memory they hold, and how they came there
 *
 * A cached line keeps what main memory had when it was fetched.  A later write to main memory does not reach it: the line is
 * then stale until it is invalidated (TX_INVTAGS) or another line takes its place (spec 05 section 3, stated by Dolphin to
 * be what titles depend on).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "gx/machine.h"

#define LINE 32u
/* What one quad can fetch at most: 20 lookups of 4 fragments, 8 texels of 2 lines, 4 positions. */
#define JOURNAL 5120u

struct gx_tmem_journal {
	bool on, full;
	uint32_t count;
	struct {
		uint32_t index, tag;
		uint8_t bytes[LINE];
	} fill[JOURNAL];
};

static void set_stale(struct gx_memory *memory, uint32_t index, bool stale)
{
	uint32_t *tag = &memory->tags[index];

	if (stale == !!(*tag & GX_TAG_STALE))
		return;
	*tag ^= GX_TAG_STALE;
	memory->stale_lines += stale ? 1u : UINT32_MAX;
	memory->stale_events += stale;
}

/* Looks whether the cached line still is what main memory holds. */
static void compare_line(struct gx_memory *memory, uint32_t index)
{
	uint8_t bytes[LINE];
	uint32_t line = memory->tags[index] & GX_TAG_LINE;

	gx_memory_read(memory, (line >> 23 & 1) << 28 | (line & 0x7FFFFF) * LINE, bytes, LINE);
	set_stale(memory, index, memcmp(bytes, memory->tmem + index * LINE, LINE) != 0);
}

static bool in_range(uint32_t tag, uint32_t line, uint32_t count)
{
	return tag & GX_TAG_CACHED && (tag & GX_TAG_LINE) - line < count;
}

static void widen(struct gx_memory *memory, uint32_t line)
{
	memory->cached_low = line < memory->cached_low ? line : memory->cached_low;
	memory->cached_high = line > memory->cached_high ? line : memory->cached_high;
}

static void nothing_cached(struct gx_memory *memory)
{
	memory->cached_low = UINT32_MAX;
	memory->cached_high = 0;
}

void gx_tags_main_written(struct gx_memory *memory, uint32_t line, uint32_t count)
{
	if (!memory->cached_lines || line > memory->cached_high || line + count <= memory->cached_low)
		return;
	for (uint32_t at = 0; at < GX_TMEM_LINES; at += 64) {
		const uint32_t *tags = memory->tags + at;
		unsigned any = 0;

		for (unsigned i = 0; i < 64; i++) /* a loop for vector units: most writes meet no line */
			any |= (unsigned)(tags[i] >> 31) & (unsigned)((tags[i] & GX_TAG_LINE) - line < count);
		for (unsigned i = 0; any && i < 64; i++)
			if (in_range(tags[i], line, count))
				compare_line(memory, at + i);
	}
}

void gx_tags_loaded(struct gx_memory *memory, uint32_t first, uint32_t count, uint32_t flag)
{
	for (uint32_t i = first; i < first + count && i < GX_TMEM_LINES; i++) {
		uint32_t *tag = &memory->tags[i];

		*tag = (*tag & ~(GX_TAG_BLOCK | GX_TAG_PALETTE)) | flag;
		if (*tag & GX_TAG_CACHED) {
			compare_line(memory, i);
			memory->tag_epoch++;
		}
	}
}

void gx_tags_invalidate(struct gx_memory *memory, uint32_t first, uint32_t count)
{
	uint32_t end = first + count < GX_TMEM_LINES ? first + count : GX_TMEM_LINES;

	if (!memory->cached_lines)
		return;
	for (uint32_t i = first; i < end; i++) {
		uint32_t *tag = &memory->tags[i];

		if (!(*tag & GX_TAG_CACHED))
			continue;
		memory->cached_lines--;
		memory->stale_lines -= !!(*tag & GX_TAG_STALE);
		*tag &= GX_TAG_BLOCK | GX_TAG_PALETTE;
	}
	if (!memory->cached_lines)
		nothing_cached(memory);
	memory->tag_epoch++;
}

void gx_tags_fill(struct gx_memory *memory, uint32_t index, uint32_t line)
{
	uint32_t *tag = &memory->tags[index];
	uint8_t *bytes = memory->tmem + index * LINE;
	struct gx_tmem_journal *journal = memory->journal;

	if (journal && journal->on) {
		journal->full |= journal->count == JOURNAL;
		journal->on = !journal->full;
		if (journal->on) {
			journal->fill[journal->count].index = index;
			journal->fill[journal->count].tag = *tag;
			memcpy(journal->fill[journal->count++].bytes, bytes, LINE);
		}
	}
	if (!memory->cached_lines)
		nothing_cached(memory);
	widen(memory, line);
	memory->cached_lines += !(*tag & GX_TAG_CACHED);
	memory->stale_lines -= !!(*tag & GX_TAG_STALE);
	*tag = GX_TAG_CACHED | line;
	gx_memory_read(memory, (line >> 23 & 1) << 28 | (line & 0x7FFFFF) * LINE, bytes, LINE);
	memory->tmem_fills++;
}

void gx_tags_restored(struct gx_memory *memory)
{
	memory->cached_lines = memory->stale_lines = 0;
	nothing_cached(memory);
	for (uint32_t i = 0; i < GX_TMEM_LINES; i++) {
		if (memory->tags[i] & GX_TAG_CACHED)
			widen(memory, memory->tags[i] & GX_TAG_LINE);
		memory->cached_lines += memory->tags[i] >> 31;
		memory->stale_lines += memory->tags[i] >> 30 & 1;
	}
	memory->tag_epoch++;
	if (memory->journal)
		memory->journal->on = false;
}

bool gx_tags_journal(struct gx_memory *memory)
{
	if (!memory->journal)
		memory->journal = malloc(sizeof *memory->journal);
	if (!memory->journal)
		return false;
	memory->journal->on = true;
	memory->journal->full = false;
	memory->journal->count = 0;
	return true;
}

bool gx_tags_undo(struct gx_memory *memory)
{
	struct gx_tmem_journal *journal = memory->journal;

	if (!journal || journal->full)
		return false;
	while (journal->count) {
		uint32_t index = journal->fill[--journal->count].index;
		memory->tags[index] = journal->fill[journal->count].tag;
		memcpy(memory->tmem + index * LINE, journal->fill[journal->count].bytes, LINE);
		memory->tmem_fills++;
	}
	gx_tags_restored(memory);
	return true;
}

void gx_tags_finish(struct gx_memory *memory)
{
	free(memory->tags);
	free(memory->journal);
	memory->tags = NULL;
	memory->journal = NULL;
}
