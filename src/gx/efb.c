/* efb.c - the embedded frame buffer: pixel words, 16-bit Z, samples, clearing
 *
 * The anti-aliased EFB has three samples a pixel, each with colour and Z of its own.  Sample 0 lives where pixels of the other
 * types live, samples 1 and 2 beside it.  How the chip packs them into its 2 MB is not known, so neither is what they hold
 * after a change of the pixel type; here all three get what the pixel held (docs/deviations.md).
 *
 * Source: specification 07 sections 1, 3, 5, 7.8; 16-bit Z by the proposed rule of 09 (a guess, quirk z16).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "core/bits.h"
#include "gx/pe.h"

#define BP_PE_CONTROL 0x43

/* RGB565 pixels are 24-bit words too: channels hold the expanded value of their 5 or 6 bits. */
unsigned pe_pixel_type(const struct gx_machine *m)
{
	unsigned type = bits(m->state.bp[BP_PE_CONTROL], 0, 3);
	if (type >= PE_YUV8 && !m->quirk[GX_QUIRK_yuv_pixels])
		return PE_NONE;
	return type == PE_RGB565 && !m->quirk[GX_QUIRK_z16] ? PE_RGB8 : type;
}

unsigned gx_efb_samples(const struct gx_machine *m)
{
	return pe_pixel_type(m) == PE_RGB565 && m->quirk[GX_QUIRK_multisample] ? 3 : 1;
}

uint32_t *gx_efb_colour(const struct gx_machine *m, unsigned sample)
{
	return sample ? m->samples->colour[sample - 1] : m->efb->colour;
}

uint32_t *gx_efb_depth(const struct gx_machine *m, unsigned sample)
{
	return sample ? m->samples->depth[sample - 1] : m->efb->depth;
}

void gx_efb_touch(struct gx_machine *m, const uint32_t *plane, size_t at, size_t count)
{
	size_t first = (size_t)((const uint8_t *)&plane[at] - (const uint8_t *)m->samples), size = count * sizeof *plane;

	for (size_t page = first / 4096; page <= (first + size - 1) / 4096; page++)
		m->samples_dirty[page] = 3;
}

void gx_efb_spread(struct gx_machine *m)
{
	for (unsigned s = 0; s < 2; s++) {
		memcpy(m->samples->colour[s], m->efb->colour, sizeof m->samples->colour[s]);
		memcpy(m->samples->depth[s], m->efb->depth, sizeof m->samples->depth[s]);
	}
	memset(m->samples_dirty, 3, (sizeof *m->samples + 4095) / 4096);
}

unsigned pe_z_format(const struct gx_machine *m)
{
	return pe_pixel_type(m) == PE_RGB565 ? bits(m->state.bp[BP_PE_CONTROL], 3, 3) : PE_Z_FULL;
}

static unsigned expand6(unsigned v)
{
	return v << 2 | v >> 4;
}

void gx_efb_unpack(unsigned pixel_type, uint32_t word, uint8_t rgba[4])
{
	if (pixel_type == PE_RGBA6) {
		for (unsigned channel = 0; channel < 4; channel++)
			rgba[channel] = (uint8_t)expand6(bits(word, 18 - 6 * channel, 6));
		return;
	}
	rgba[0] = pixel_type == PE_NONE ? 0 : (uint8_t)(word >> 16);
	rgba[1] = pixel_type == PE_NONE ? 0 : (uint8_t)(word >> 8);
	rgba[2] = pixel_type == PE_NONE ? 0 : (uint8_t)word;
	rgba[3] = pixel_type == PE_NONE ? 0 : 255;
}

void pe_resolve(const uint8_t rgba[3][4], uint8_t out[4])
{
	for (unsigned channel = 0; channel < 4; channel++)
		out[channel] = (uint8_t)((21 * rgba[0][channel] + 22 * rgba[1][channel] + 21 * rgba[2][channel]) >> 6);
}

void gx_efb_pixel(const struct gx_machine *m, size_t at, uint8_t rgba[4])
{
	unsigned type = bits(m->state.bp[BP_PE_CONTROL], 0, 3);
	uint8_t samples[3][4];

	if (gx_efb_samples(m) == 1) {
		gx_efb_unpack(type, m->efb->colour[at], rgba);
		return;
	}
	for (unsigned s = 0; s < 3; s++)
		gx_efb_unpack(type, gx_efb_colour(m, s)[at], samples[s]);
	pe_resolve((const uint8_t(*)[4])samples, rgba);
}

/* Word of pixel i of the quad; SIZE_MAX outside the EFB. */
static size_t quad_word(int x, int y, unsigned i)
{
	x += (int)(i & 1);
	y += (int)(i >> 1);
	if (x < 0 || y < 0 || x >= GX_EFB_WIDTH || y >= GX_EFB_HEIGHT)
		return SIZE_MAX;
	return (size_t)y * GX_EFB_WIDTH + (size_t)x;
}

void gx_efb_save(const struct gx_machine *m, int x, int y, struct gx_efb_quad *quad)
{
	unsigned samples = gx_efb_samples(m);

	for (unsigned s = 0; s < samples; s++)
		for (unsigned i = 0; i < 4; i++) {
			size_t at = quad_word(x, y, i);
			if (at == SIZE_MAX)
				continue;
			quad->colour[s][i] = gx_efb_colour(m, s)[at];
			quad->depth[s][i] = gx_efb_depth(m, s)[at];
		}
}

void gx_efb_restore(struct gx_machine *m, int x, int y, const struct gx_efb_quad *quad)
{
	unsigned samples = gx_efb_samples(m);

	for (unsigned s = 0; s < samples; s++) {
		uint32_t *colour = gx_efb_colour(m, s), *depth = gx_efb_depth(m, s);
		for (unsigned i = 0; i < 4; i++) {
			size_t at = quad_word(x, y, i);
			if (at == SIZE_MAX)
				continue;
			colour[at] = quad->colour[s][i];
			depth[at] = quad->depth[s][i];
			if (s) {
				gx_efb_touch(m, colour, at, 1);
				gx_efb_touch(m, depth, at, 1);
			}
		}
	}
}

uint32_t pe_write_mask(unsigned pixel, bool colour, bool alpha)
{
	if (pixel == PE_RGBA6)
		return (colour ? 0xFFFFC0u : 0) | (alpha ? 0x3Fu : 0);
	return colour && pixel != PE_NONE ? 0xFFFFFFu : 0;
}

uint32_t gx_efb_pack(unsigned pixel_type, uint32_t old, const uint8_t rgba[4], bool colour, bool alpha)
{
	uint32_t word, mask = pe_write_mask(pixel_type, colour, alpha);

	switch (pixel_type) {
	case PE_RGBA6:
		word = (uint32_t)(rgba[0] >> 2) << 18 | (uint32_t)(rgba[1] >> 2) << 12 | (uint32_t)(rgba[2] >> 2) << 6 |
			rgba[3] >> 2;
		break;
	case PE_RGB565:
		word = (uint32_t)((rgba[0] & 0xF8) | rgba[0] >> 5) << 16 | (uint32_t)((rgba[1] & 0xFC) | rgba[1] >> 6) << 8 |
			(rgba[2] & 0xF8) | rgba[2] >> 5;
		break;
	default:
		word = (uint32_t)rgba[0] << 16 | (uint32_t)rgba[1] << 8 | rgba[2];
	}
	return (word & mask) | (old & ~mask);
}

/* ---- 16-bit Z ----------------------------------------------------------------------------------------------------------- */

/* The depth plane holds 24-bit values that a 16-bit buffer can give back.  The code has an exponent of n bits, the count of
 * leading ones (inverted formats: zeros), and a mantissa of 16-n bits from behind the bit that ends them (there is none when
 * the count is the largest); so all that is lost are low bits. */
uint32_t pe_quantise_z(unsigned format, uint32_t z)
{
	unsigned n = format & 3 ? (format & 3) + 1 : 0, most = (1u << n) - 1, run = 0, kept;

	if (format == PE_Z_FULL)
		return z;
	while (run < most && (z >> (23 - run) & 1) == !(format & 4))
		run++;
	kept = run + (run < most) + 16 - n;
	return kept >= 24 ? z : z & ~(0xFFFFFFu >> kept);
}

/* ---- clear -------------------------------------------------------------------------------------------------------------- */

void gx_efb_clear(struct gx_machine *m, struct qs_rect rect, uint32_t colour_word_rgba, uint32_t z, bool colour, bool alpha,
	bool depth)
{
	unsigned pixel = pe_pixel_type(m);
	const uint8_t rgba[4] = {(uint8_t)(colour_word_rgba >> 24), (uint8_t)(colour_word_rgba >> 16),
		(uint8_t)(colour_word_rgba >> 8), (uint8_t)colour_word_rgba};
	uint32_t value = pe_quantise_z(pe_z_format(m), z & 0xFFFFFF), mask = pe_write_mask(pixel, colour, alpha);
	uint32_t word = gx_efb_pack(pixel, 0, rgba, true, true) & mask;
	int x0 = clamp_int(rect.x0, 0, GX_EFB_WIDTH), x1 = clamp_int(rect.x1, 0, GX_EFB_WIDTH);
	int y0 = clamp_int(rect.y0, 0, GX_EFB_HEIGHT), y1 = clamp_int(rect.y1, 0, GX_EFB_HEIGHT);

	for (unsigned sample = 0; sample < gx_efb_samples(m); sample++)
		for (int y = y0; x0 < x1 && y < y1; y++) {
			size_t at = (size_t)y * GX_EFB_WIDTH + (size_t)x0, count = (size_t)(x1 - x0);
			uint32_t *colour_plane = gx_efb_colour(m, sample), *depth_plane = gx_efb_depth(m, sample);
			for (size_t i = at; mask && i < at + count; i++)
				colour_plane[i] = (colour_plane[i] & ~mask) | word;
			for (size_t i = at; depth && pixel != PE_NONE && i < at + count; i++)
				depth_plane[i] = value;
			if (sample) {
				gx_efb_touch(m, colour_plane, at, count);
				gx_efb_touch(m, depth_plane, at, count);
			}
		}
}
