/* tx_load.c - loads into TMEM (spec 05 section 2)
 *
 *   60 LOADBLOCK0  source >> 5           64 LOADTLUT0  source >> 5
 *   61 LOADBLOCK1  even line             65 LOADTLUT1  [9:0] TMEM >> 9, [20:10] lines of the source
 *   62 LOADBLOCK2  odd line              66 INVTAGS    [8:0] TMEM >> 11, [12:9] size: 2 KB << code
 *   63 LOADBLOCK3  [14:0] lines, [16:15] type; zero only synchronises
 *
 * A line of TMEM is spread over the sixteen banks of its half, 16 bits each.  A palette entry is 16 bits and lies on all
 * sixteen banks of a line of the upper half, so that sixteen lookups can be made at once: 16 entries take 512 bytes, which is
 * why palettes are placed in such steps (inferred from the register and from GX's allocation of N * 32 bytes for N entries).
 * Dolphin keeps them in a row at n * 512 instead (quirk tlut_place).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "core/bits.h"
#include "gx/tx.h"

#define LINE 32u

/* Copies a run of lines; what does not fit into TMEM is cut off. */
static void copy_in(struct gx_machine *m, uint32_t tmem, uint32_t source, uint32_t size, uint32_t flag)
{
	if (tmem >= GX_TMEM_SIZE)
		return;
	if (size > GX_TMEM_SIZE - tmem)
		size = GX_TMEM_SIZE - tmem;
	gx_memory_read(&m->memory, source, m->memory.tmem + tmem, size);
	gx_tags_loaded(&m->memory, tmem / LINE, size / LINE, flag);
}

static void report(struct gx_machine *m, const struct qs_tmem_event *event)
{
	if (gx_tapped(m, QS_TAP_TMEM))
		m->stop |= !m->taps->tmem(m->taps->user, &m->moment, event);
}

void gx_tx_load_block(struct gx_machine *m)
{
	const uint32_t *bp = m->state.bp;
	uint32_t lines = bits(bp[0x63], 0, 15), source = bits(bp[0x60], 0, 24) << 5;
	uint32_t even = bits(bp[0x61], 0, 15) * LINE, odd = bits(bp[0x62], 0, 15) * LINE;
	bool pairs = bits(bp[0x63], 15, 2) == 3;
	struct qs_tmem_event event = {.kind = QS_TMEM_BLOCK, .pairs = pairs, .source = source, .address = even, .address_odd = odd,
		.size = lines * LINE};
	if (!bits(bp[0x63], 0, 24) || !lines)
		return;
	m->memory.tmem_generation++;
	if (!pairs)
		copy_in(m, even, source, lines * LINE, GX_TAG_BLOCK);
	/* RGBA8: a line of A R to the even side, a line of G B to the odd side; ends when either side is full */
	for (uint32_t i = 0; pairs && i < lines; i++) {
		if (even + LINE > GX_TMEM_SIZE || odd + LINE > GX_TMEM_SIZE)
			break;
		copy_in(m, even, source, LINE, GX_TAG_BLOCK);
		copy_in(m, odd, source + LINE, LINE, GX_TAG_BLOCK);
		even += LINE;
		odd += LINE;
		source += 2 * LINE;
	}
	report(m, &event);
}

/* Every entry sixteen times, on a line of its own. */
static void spread_in(struct gx_machine *m, uint32_t tmem, uint32_t source, uint32_t entries)
{
	for (uint32_t i = 0; i < entries && tmem + i * LINE + LINE <= GX_TMEM_SIZE; i++) {
		uint8_t entry[2], *line = m->memory.tmem + tmem + i * LINE;
		gx_memory_read(&m->memory, source + 2 * i, entry, sizeof entry);
		for (unsigned bank = 0; bank < 16; bank++)
			memcpy(line + 2 * bank, entry, sizeof entry);
	}
	gx_tags_loaded(&m->memory, tmem / LINE, entries, GX_TAG_PALETTE);
}

void gx_tx_load_tlut(struct gx_machine *m)
{
	const uint32_t *bp = m->state.bp;
	uint32_t source = bits(bp[0x64], 0, 24) << 5, offset = bits(bp[0x65], 0, 10) << 9, lines = bits(bp[0x65], 10, 11);
	/* The GameCube ignores the upper address bits, and titles set them (spec 08 fact 48). */
	bool wii = m->capture ? qs_capture_info(m->capture)->wii : m->memory.mem2_size != 0, spread = !m->quirk[GX_QUIRK_tlut_place];
	if (!wii)
		source &= 0x01FFFFFF;
	m->memory.tmem_generation++;
	if (spread)
		spread_in(m, GX_TMEM_SIZE / 2 + offset, source, lines * 16);
	else
		copy_in(m, offset, source, lines * LINE, GX_TAG_PALETTE);
	report(m, &(struct qs_tmem_event){.kind = QS_TMEM_PALETTE, .source = source,
		.address = offset + (spread ? GX_TMEM_SIZE / 2 : 0), .size = lines * LINE});
}

void gx_tx_invalidate(struct gx_machine *m)
{
	uint32_t word = m->state.bp[0x66], first = bits(word, 0, 9) << 11, size = 2048u << bits(word, 9, 4);
	if (size > GX_TMEM_SIZE - first)
		size = GX_TMEM_SIZE - first;
	gx_tags_invalidate(&m->memory, first / LINE, size / LINE);
	report(m, &(struct qs_tmem_event){.kind = QS_TMEM_INVALIDATE, .address = first, .size = size});
}
