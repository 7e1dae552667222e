/* tx_map.c - the lines of TMEM and whose they are, for people
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "core/bits.h"
#include "gx/texfmt.h"
#include "gx/tx.h"

#define LINE 32u
#define NOBODY 255

static void own(struct qs_tmem_line *lines, uint32_t index, unsigned map, unsigned level)
{
	if (index >= QS_TMEM_LINES || lines[index].map != NOBODY)
		return;
	lines[index].map = (uint8_t)map;
	lines[index].level = (uint8_t)level;
}

/* A line of the level's place is the map's when its tag names the level's tile. */
static void own_cached(const struct gx_memory *memory, const struct tx_source *source, unsigned map, unsigned level,
	struct qs_tmem_line *lines)
{
	struct tx_level places = {.source = *source};

	if (tx_tiles_init(&places))
		for (uint32_t i = 0; i < places.tiles * places.lines; i++) {
			uint32_t tag = memory->tags[places.line[i]], want = gx_memory_line(memory, source->address + i * LINE);
			if (tag & GX_TAG_CACHED && (tag & GX_TAG_LINE) == want)
				own(lines, places.line[i], map, level);
		}
	free(places.line);
	free(places.stamp);
}

static void own_range(struct qs_tmem_line *lines, uint32_t address, uint32_t size, unsigned map, unsigned level)
{
	for (uint32_t i = address / LINE; i < (address + size + LINE - 1) / LINE; i++)
		own(lines, i, map, level);
}

static void own_map(const struct gx_machine *m, unsigned map, struct qs_tmem_line *lines)
{
	struct tx_rules rules = tx_rules_of(m);
	struct qs_texture texture;
	struct tx_map tm;

	gx_view_texture(m, map, &texture, NULL);
	tx_decode_map(m->state.bp, map, &tm);
	for (unsigned level = 0; level < texture.levels; level++) {
		struct tx_source source;
		bool pairs = tm.format == GX_FORMAT_RGBA8;
		tx_locate(&tm, level, &rules, &source);
		if (source.cached)
			own_cached(&m->memory, &source, map, level, lines);
		if (source.from_tmem)
			own_range(lines, source.address, pairs ? source.size / 2 : source.size, map, level);
		if (source.from_tmem && pairs)
			own_range(lines, source.address_gb, source.size / 2, map, level);
		if (level == 0 && texture.tlut_entries)
			own_range(lines, source.tlut, texture.tlut_entries * (rules.spread ? LINE : 2), map, QS_TMEM_PALETTE_LEVEL);
	}
}

static uint8_t state_of(const struct gx_memory *memory, uint32_t index)
{
	static const uint8_t zero[LINE];
	uint32_t tag = memory->tags[index];

	if (tag & GX_TAG_CACHED)
		return tag & GX_TAG_STALE ? QS_TMEM_STALE : QS_TMEM_CACHED;
	if (tag & GX_TAG_PALETTE)
		return QS_TMEM_TLUT;
	return tag & GX_TAG_BLOCK || memcmp(memory->tmem + index * LINE, zero, LINE) ? QS_TMEM_LOADED : QS_TMEM_EMPTY;
}

/* Maps that a stage reads come first: two may name the same line. */
void gx_view_tmem(const struct gx_machine *m, struct qs_tmem_line *lines)
{
	struct qs_texture texture;

	for (uint32_t i = 0; i < QS_TMEM_LINES; i++) {
		uint32_t tag = m->memory.tags[i], line = tag & GX_TAG_LINE;
		lines[i] = (struct qs_tmem_line){.state = state_of(&m->memory, i), .map = NOBODY};
		if (tag & GX_TAG_CACHED)
			lines[i].address = (line >> 23 & 1) << 28 | (line & 0x7FFFFF) * LINE;
	}
	for (unsigned pass = 0; pass < 2; pass++)
		for (unsigned map = 0; map < TX_MAPS; map++)
			if (gx_view_texture(m, map, &texture, NULL) && texture.used == !pass)
				own_map(m, map, lines);
}
