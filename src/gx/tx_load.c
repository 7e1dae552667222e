/* tx_load.c - loads into TMEM (spec 05 section 2)
 *
 *   60 LOADBLOCK0  source >> 5           64 LOADTLUT0  source >> 5
 *   61 LOADBLOCK1  even line             65 LOADTLUT1  [9:0] TMEM >> 9, [20:10] lines
 *   62 LOADBLOCK2  odd line
 *   63 LOADBLOCK3  [14:0] lines, [16:15] type; zero only synchronises
 *
 * Palettes are kept linearly at n * 512, as Dolphin does and as the TMEM image of a capture has them; the hardware's
 * second half of TMEM and its sixteenfold copies only matter to who reads TMEM as bytes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/bits.h"
#include "gx/tx.h"

#define LINE 32u

/* Copies a run of lines; what does not fit into TMEM is cut off. */
static void copy_in(struct gx_machine *m, uint32_t tmem, uint32_t source, uint32_t size)
{
	if (tmem >= GX_TMEM_SIZE)
		return;
	if (size > GX_TMEM_SIZE - tmem)
		size = GX_TMEM_SIZE - tmem;
	gx_memory_read(&m->memory, source, m->memory.tmem + tmem, size);
}

void gx_tx_load_block(struct gx_machine *m)
{
	const uint32_t *bp = m->state.bp;
	uint32_t lines = bits(bp[0x63], 0, 15), source = bits(bp[0x60], 0, 24) << 5;
	uint32_t even = bits(bp[0x61], 0, 15) * LINE, odd = bits(bp[0x62], 0, 15) * LINE;
	if (!bits(bp[0x63], 0, 24) || !lines)
		return;
	m->memory.tmem_generation++;
	if (bits(bp[0x63], 15, 2) != 3) {
		copy_in(m, even, source, lines * LINE);
		return;
	}
	/* RGBA8: a line of A R to the even side, a line of G B to the odd side; ends when either side is full */
	for (uint32_t i = 0; i < lines; i++) {
		if (even + LINE > GX_TMEM_SIZE || odd + LINE > GX_TMEM_SIZE)
			break;
		copy_in(m, even, source, LINE);
		copy_in(m, odd, source + LINE, LINE);
		even += LINE;
		odd += LINE;
		source += 2 * LINE;
	}
}

void gx_tx_load_tlut(struct gx_machine *m)
{
	const uint32_t *bp = m->state.bp;
	uint32_t source = bits(bp[0x64], 0, 24) << 5;
	/* The GameCube ignores the upper address bits, and titles set them (spec 08 fact 48). */
	bool wii = m->capture ? qs_capture_info(m->capture)->wii : m->memory.mem2_size != 0;
	if (!wii)
		source &= 0x01FFFFFF;
	m->memory.tmem_generation++;
	copy_in(m, bits(bp[0x65], 0, 10) << 9, source, bits(bp[0x65], 10, 11) * LINE);
}
