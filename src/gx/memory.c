/* memory.c - main memory as the graphics processor sees it
 *
 *   31 30 29 28 27                  0     segment bits are ignored; bit 28 chooses MEM2; the rest wraps at the next
 *   [seg]   .  m2 [      offset     ]     power of two above the memory's size (spec dff-format 1.4)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "gx/machine.h"

#define PAGE_SHIFT 12

struct place {
	uint8_t *base, *dirty;
	uint32_t size, offset;
};

static uint32_t wrap_mask(uint32_t size)
{
	uint32_t mask = size ? size - 1 : 0;

	for (unsigned shift = 1; shift < 32; shift *= 2)
		mask |= mask >> shift;
	return mask & 0x0FFFFFFFu;
}

static struct place find(const struct gx_memory *memory, uint32_t address)
{
	bool second = address >> 28 & 1;
	struct place place = {
		.base = second ? memory->mem2 : memory->mem1,
		.dirty = second ? memory->mem2_dirty : memory->mem1_dirty,
		.size = second ? memory->mem2_size : memory->mem1_size,
	};

	place.offset = address & wrap_mask(place.size);
	return place;
}

/* Bytes of the range that are inside. */
static size_t inside(const struct place *place, size_t size)
{
	if (place->offset >= place->size)
		return 0;
	return size < place->size - place->offset ? size : place->size - place->offset;
}

void gx_memory_read(const struct gx_memory *memory, uint32_t address, void *data, size_t size)
{
	struct place place = find(memory, address);
	size_t count = inside(&place, size);

	if (count)
		memcpy(data, place.base + place.offset, count);
	if (count < size)
		memset((uint8_t *)data + count, 0, size - count);
}

void gx_memory_write(struct gx_memory *memory, uint32_t address, const void *data, size_t size)
{
	struct place place = find(memory, address);
	size_t count = inside(&place, size);

	memory->main_generation++;
	if (!count)
		return;
	memcpy(place.base + place.offset, data, count);
	uint32_t first = place.offset >> PAGE_SHIFT, last = (uint32_t)((place.offset + count - 1) >> PAGE_SHIFT);
	memset(place.dirty + first, 3, last - first + 1);
	if (memory->cached_lines) {
		uint32_t line = place.offset / 32, end = (uint32_t)((place.offset + count - 1) / 32);
		gx_tags_main_written(memory, line | (address >> 28 & 1) << 23, end - line + 1);
	}
}

const uint8_t *gx_memory_at(const struct gx_memory *memory, uint32_t address, size_t size)
{
	struct place place = find(memory, address);

	return inside(&place, size) == size && place.base ? place.base + place.offset : NULL;
}

uint32_t gx_memory_line(const struct gx_memory *memory, uint32_t address)
{
	return find(memory, address).offset / 32 | (address >> 28 & 1) << 23;
}
