/* copy.c - the copy engine: EFB to texture or display, then clear
 *
 * Source: specification 07 section 7; facts 22-31 and 46 of 08.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "core/bits.h"
#include "gx/copy.h"
#include "gx/pe.h"

/* ---- pixels ------------------------------------------------------------------------------------------------------------- */

static void unpack(const struct copy_source *source, size_t at, uint8_t rgba[4])
{
	const size_t pixels = (size_t)GX_EFB_WIDTH * GX_EFB_HEIGHT;

	if (source->pixel == PE_Z24)
		gx_efb_unpack(PE_Z24, at < pixels ? source->efb->depth[at] : 0, rgba);
	else
		/* Dolphin SW keeps depth right after colour, and an oversized copy runs into it */
		gx_efb_unpack(source->pixel, at < pixels ? source->efb->colour[at] : at < 2 * pixels ? source->efb->depth[at - pixels] : 0,
			rgba);
}

static void fetch_row(const struct copy_source *source, int x, int y, unsigned count, uint8_t (*rgba)[4])
{
	if (source->linear) {
		for (unsigned i = 0; i < count; i++)
			unpack(source, (size_t)y * GX_EFB_WIDTH + (size_t)x + i, rgba[i]);
		return;
	}
	y = clamp_int(y, 0, GX_EFB_HEIGHT - 1);
	for (unsigned i = 0; i < count; i++)
		unpack(source, (size_t)y * GX_EFB_WIDTH + (size_t)clamp_int(x + (int)i, 0, GX_EFB_WIDTH - 1), rgba[i]);
}

/* Alpha stays out of filter and gamma (fact 26). */
void copy_row(const struct copy_source *source, int x, int y, unsigned count, uint8_t (*rgba)[4])
{
	uint8_t above[2 * COPY_WIDTH_MAX][4], below[2 * COPY_WIDTH_MAX][4];
	int y_above = y - 1, y_below = y + 1;

	fetch_row(source, x, y, count, rgba);
	if (!source->filtered)
		return;
	if (source->clamp_top && y_above < source->rect.y0)
		y_above = source->rect.y0;
	if (source->clamp_bottom && y_below >= source->rect.y1)
		y_below = source->rect.y1 - 1;
	fetch_row(source, x, y_above, count, above);
	fetch_row(source, x, y_below, count, below);
	for (unsigned i = 0; i < count; i++)
		for (unsigned channel = 0; channel < 3; channel++) {
			unsigned sum = above[i][channel] * source->above + rgba[i][channel] * source->here +
				below[i][channel] * source->below;
			sum >>= 6;
			if (source->wrap)
				sum &= 0x1FF; /* fact 25 */
			rgba[i][channel] = source->gamma[sum > 255 ? 255 : sum];
		}
}

static unsigned round_shift(int value)
{
	return (unsigned)(shift_floor(value, 8) + (shift_floor(value, 7) & 1));
}

void copy_to_yuv(const uint8_t rgb[3], uint8_t yuv[3])
{
	int r = rgb[0], g = rgb[1], b = rgb[2];

	yuv[0] = (uint8_t)(round_shift(66 * r + 129 * g + 25 * b) + 16);
	yuv[1] = (uint8_t)(round_shift(-38 * r - 74 * g + 112 * b) + 128);
	yuv[2] = (uint8_t)(round_shift(112 * r - 94 * g - 18 * b) + 128);
}

/* ---- registers ---------------------------------------------------------------------------------------------------------- */

static void make_gamma(unsigned code, bool rounded, uint8_t gamma[256])
{
	static const float exponent[4] = {1.0f, 1.7f, 2.2f, 2.2f}; /* fact 28 */

	for (unsigned i = 0; i < 256; i++)
		if (!rounded) {
			/* single precision throughout, as in Dolphin SW: even gamma 1 loses a level here and there */
			float v = powf((float)i / 255.0f, 1.0f / exponent[code]) * 255.0f;
			gamma[i] = (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
		} else {
			gamma[i] = code ? (uint8_t)lround(255 * pow(i / 255.0, 1 / (code == 1 ? 1.7 : 2.2))) : (uint8_t)i;
		}
}

static void output_size(const struct gx_machine *m, struct qs_copy *copy)
{
	int width = copy->source.x1 - copy->source.x0, height = copy->source.y1 - copy->source.y0;

	if (!copy->to_display && !m->quirk[GX_QUIRK_texture_copy_filter]) {
		/* Dolphin's texture cache: what lies in the EFB, halves rounded down */
		width = clamp_int(width, 0, copy->source.x0 < GX_EFB_WIDTH ? GX_EFB_WIDTH - copy->source.x0 : 0);
		height = clamp_int(height, 0, copy->source.y0 < GX_EFB_HEIGHT ? GX_EFB_HEIGHT - copy->source.y0 : 0);
		copy->width = (uint32_t)width >> copy->half;
		copy->height = (uint32_t)height >> copy->half;
		return;
	}
	copy->width = (((uint32_t)width - 1) >> copy->half) + 1;
	copy->height = (((uint32_t)height - 1) >> copy->half) + 1;
}

static void decode_copy(const struct gx_machine *m, struct qs_copy *copy, struct copy_source *source)
{
	const uint32_t *bp = m->state.bp;
	uint32_t command = bp[0x52];

	memset(copy, 0, sizeof *copy);
	memset(source, 0, sizeof *source);
	copy->to_display = bits(command, 14, 1);
	copy->format = copy->to_display ? 0 : (uint8_t)(bits(command, 4, 3) | bits(command, 3, 1) << 3);
	copy->clear = bits(command, 11, 1);
	copy->half = bits(command, 9, 1) && !copy->to_display;
	copy->intensity = bits(command, 15, 2) == 3; /* fact 23 */
	copy->gamma = (uint8_t)bits(command, 7, 2);
	copy->source.x0 = (int32_t)bits(bp[0x49], 0, 10);
	copy->source.y0 = (int32_t)bits(bp[0x49], 10, 10);
	copy->source.x1 = copy->source.x0 + (int32_t)bits(bp[0x4A], 0, 10) + 1;
	copy->source.y1 = copy->source.y0 + (int32_t)bits(bp[0x4A], 10, 10) + 1;
	copy->destination = bits(bp[0x4B], 0, 24) << 5;
	copy->stride = bits(bp[0x4D], 0, 10) << 5;
	output_size(m, copy);
	for (unsigned i = 0; i < 7; i++)
		copy->filter[i] = (uint8_t)(i < 4 ? bits(bp[0x53], 6 * i, 6) : bits(bp[0x54], 6 * (i - 4), 6));

	source->efb = m->efb;
	source->pixel = pe_pixel_type(m);
	if (source->pixel == PE_Z24 && copy->to_display && !m->quirk[GX_QUIRK_display_copy_z])
		source->pixel = PE_RGB8;
	source->rect = copy->source;
	source->clamp_top = bits(command, 0, 1);
	source->clamp_bottom = bits(command, 1, 1);
	source->filtered = copy->to_display || m->quirk[GX_QUIRK_texture_copy_filter];
	source->linear = !copy->to_display && !m->quirk[GX_QUIRK_texture_copy_filter];
	source->wrap = m->quirk[GX_QUIRK_filter_wrap];
	source->above = (unsigned)copy->filter[0] + copy->filter[1];
	source->here = (unsigned)copy->filter[2] + copy->filter[3] + copy->filter[4];
	source->below = (unsigned)copy->filter[5] + copy->filter[6];
	make_gamma(copy->gamma, m->quirk[GX_QUIRK_gamma_round], source->gamma);
}

void gx_copy(struct gx_machine *m)
{
	const uint32_t *bp = m->state.bp;
	struct copy_source source;
	struct qs_copy copy;

	decode_copy(m, &copy, &source);
	if (copy.to_display)
		copy_display(m, &source, &copy);
	else
		copy_texture(m, &source, &copy);
	if (copy.clear) {
		uint32_t ar = bp[0x4F], gb = bp[0x50];
		uint32_t rgba = bits(ar, 0, 8) << 24 | bits(gb, 8, 8) << 16 | bits(gb, 0, 8) << 8 | bits(ar, 8, 8);
		gx_efb_clear(m, copy.source, rgba, bits(bp[0x51], 0, 24), bits(bp[0x41], 3, 1), bits(bp[0x41], 4, 1),
			bits(bp[0x40], 4, 1));
	}
	if (gx_tapped(m, QS_TAP_COPY) && !m->taps->copy(m->taps->user, &m->moment, &copy))
		m->stop = true;
}
