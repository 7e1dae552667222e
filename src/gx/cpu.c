/* cpu.c - the processor's window on the EFB: peeks and pokes through the CPU-visible registers of the pixel engine
 *
 * Pokes of colour pass alpha test (ALPHAMODE), blending, logic operation, constant alpha, dither and masks (ALPHACONF, DSTALPHA);
 * pokes of depth the depth test (ZCONF).  A FIFO log holds none of this: accesses are what a person adds (struct qs_access).
 *
 * Source: specification 07 sections 2 and 5; facts 30, 32, 32a.  Pixel types 4 to 6: the results of peeks that the console tests
 * recorded without explaining them.  In the anti-aliased EFB a poke reaches all samples and a peek sees the first: a
 * guess, on the console such pokes stop the machine.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "core/bits.h"
#include "gx/pe.h"

enum { ZCONF, ALPHACONF, DSTALPHA, ALPHAMODE, ALPHAREAD }; /* by offset / 2 */

static bool passes(unsigned func, uint32_t a, uint32_t b)
{
	return a < b ? func & 1 : a == b ? func >> 1 & 1 : func >> 2 & 1;
}

static void poke_colour(struct gx_machine *m, int x, int y, uint32_t argb)
{
	const uint16_t *pe = m->state.pe;
	size_t at = (size_t)y * GX_EFB_WIDTH + (size_t)x;
	unsigned i = (unsigned)((x & 1) | (y & 1) << 1);
	struct gx_batch *b = &m->batch; /* nothing is in it between commands */
	struct pe_draw unit = {.pixel = (uint8_t)pe_pixel_type(m)};
	pe_rows source = {{0}}, destination = {{0}}, out;

	pe_decode_blend(m, &unit, pe[ALPHACONF], pe[DSTALPHA]);
	if (!passes(bits(pe[ALPHAMODE], 8, 3), argb >> 24, bits(pe[ALPHAMODE], 0, 8)))
		return;
	b->quads = 1;
	b->fragments = 4;
	b->x[0] = (int16_t)(x & ~1);
	b->y[0] = (int16_t)(y & ~1);
	for (unsigned c = 0; c < 4; c++)
		source[c][i] = (int16_t)bits(argb, c == 3 ? 24 : 16 - 8 * c, 8);
	if (unit.alpha_one && source[3][i] == 1)
		source[3][i] = 0;
	for (unsigned s = 0; s < gx_efb_samples(m); s++) {
		uint32_t *plane = gx_efb_colour(m, s);
		uint8_t rgba[4];

		gx_efb_unpack(unit.pixel, plane[at], rgba);
		for (unsigned c = 0; c < 4; c++)
			destination[c][i] = rgba[c];
		blend_run(&unit, b, (const int16_t(*)[GX_BATCH])source, (const int16_t(*)[GX_BATCH])destination, out);
		for (unsigned c = 0; c < 4; c++)
			rgba[c] = (uint8_t)out[c][i];
		plane[at] = gx_efb_pack(unit.pixel, plane[at], rgba, bits(pe[ALPHACONF], 3, 1), bits(pe[ALPHACONF], 4, 1));
		if (s)
			gx_efb_touch(m, plane, at, 1);
	}
	b->quads = b->fragments = 0;
}

static void poke_depth(struct gx_machine *m, int x, int y, uint32_t z)
{
	uint16_t zconf = m->state.pe[ZCONF];
	size_t at = (size_t)y * GX_EFB_WIDTH + (size_t)x;

	z = pe_quantise_z(pe_z_format(m), z & 0xFFFFFF);
	if (!bits(zconf, 0, 1) || !bits(zconf, 4, 1) || pe_pixel_type(m) == PE_NONE)
		return; /* without the test nothing is written: fact 32a */
	for (unsigned s = 0; s < gx_efb_samples(m); s++) {
		uint32_t *plane = gx_efb_depth(m, s);

		if (!passes(bits(zconf, 1, 3), z, plane[at]))
			continue;
		plane[at] = z;
		if (s)
			gx_efb_touch(m, plane, at, 1);
	}
}

/* What console tests read back after a poke of v, pixel types 4 to 6. */
static uint8_t peek_yuv(unsigned type, uint8_t v)
{
	if (type == 6)
		return (uint8_t)(v & 1 ? v : v >> 3 << 3 | v >> 5);
	if (v <= 1)
		return 0;
	if (type == 4 || v & 1)
		return 255;
	return (uint8_t)(12 + 65 * (v >> 6) + 32 * (v >> 1 & 1));
}

uint32_t gx_peek(const struct gx_machine *m, bool depth, int x, int y)
{
	size_t at = (size_t)y * GX_EFB_WIDTH + (size_t)x;
	unsigned type = pe_pixel_type(m), mode = bits(m->state.pe[ALPHAREAD], 0, 2);
	uint8_t rgba[4];

	if (depth)
		return type == PE_NONE ? 0 : m->efb->depth[at];
	gx_efb_unpack(type, m->efb->colour[at], rgba);
	for (unsigned c = 0; c < 3 && type >= PE_YUV8 && type <= 6; c++)
		rgba[c] = peek_yuv(type, rgba[c]);
	if (mode < 2)
		rgba[3] = mode ? 255 : 0;
	return (uint32_t)rgba[3] << 24 | (uint32_t)rgba[0] << 16 | (uint32_t)rgba[1] << 8 | rgba[2];
}

/* Only the registers that the window uses; the others belong to interrupts and counters. */
bool gx_access_possible(const struct qs_access *access)
{
	if (access->kind == QS_ACCESS_REGISTER)
		return !(access->x & 1) && access->x / 2 <= ALPHAREAD && access->value <= 0xFFFF;
	return access->kind < QS_ACCESS_COUNT && access->x < GX_EFB_WIDTH && access->y < GX_EFB_HEIGHT;
}

void gx_access(struct gx_machine *m, const struct qs_access *access)
{
	gx_sync(m);
	if (access->kind == QS_ACCESS_REGISTER) {
		m->state.pe[access->x / 2] = (uint16_t)access->value;
		m->state.pe_writer[access->x / 2] = access->command;
	} else if (access->kind == QS_ACCESS_DEPTH) {
		poke_depth(m, access->x, access->y, access->value);
	} else {
		poke_colour(m, access->x, access->y, access->value);
	}
}
