/* gx_efb.c - the EFB between the machine and the host
 *
 * The machine's EFB is right whenever somebody looks at it: draws leave it behind (m->renderer_ahead), and before anybody
 * reads it, it is fetched.  Nobody has to say what he changed: before the next draw what is there is compared with what the
 * host was given, and only lines that differ go over.
 *
 * Colour words become bytes R G B 255, Z becomes a float of 1/2^24 steps, which is exact.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "virgl/gx_inside.h"

#define PIXELS ((size_t)GX_EFB_WIDTH * GX_EFB_HEIGHT)

static void words_to_bytes(const uint32_t *words, uint32_t *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint32_t w = words[i];
		bytes[i] = 0xFF000000u | (w & 0xFF) << 16 | (w & 0xFF00) | (w >> 16 & 0xFF);
	}
}

static void bytes_to_words(const uint32_t *bytes, uint32_t *words, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint32_t b = bytes[i];
		words[i] = (b & 0xFF) << 16 | (b & 0xFF00) | (b >> 16 & 0xFF);
	}
}

/* First and last line where a and b differ; false: nowhere. */
static bool differing_lines(const uint32_t *a, const uint32_t *b, uint32_t *first, uint32_t *last)
{
	const size_t line = GX_EFB_WIDTH * sizeof *a;
	uint32_t y0 = 0, y1 = GX_EFB_HEIGHT;

	while (y0 < y1 && !memcmp(a + y0 * GX_EFB_WIDTH, b + y0 * GX_EFB_WIDTH, line))
		y0++;
	while (y1 > y0 && !memcmp(a + (y1 - 1) * GX_EFB_WIDTH, b + (y1 - 1) * GX_EFB_WIDTH, line))
		y1--;
	*first = y0;
	*last = y1;
	return y0 < y1;
}

bool gx_efb_to_host(struct gx_virgl *v, struct gx_machine *m, struct qs_error *error)
{
	uint32_t *colour = v->pixels, *depth = v->pixels + PIXELS, y0 = 0, y1 = GX_EFB_HEIGHT;

	if (m->renderer_ahead)
		return true;
	v->valid &= !v->drawn; /* drawn, but given up: the machine was set to another moment */
	v->drawn = false;
	if (!v->valid || differing_lines(m->efb->colour, colour, &y0, &y1)) {
		size_t at = (size_t)y0 * GX_EFB_WIDTH, count = (size_t)(y1 - y0) * GX_EFB_WIDTH;
		memcpy(colour + at, m->efb->colour + at, count * sizeof *colour);
		words_to_bytes(colour + at, v->bytes, count);
		if (!virgl_upload(v->device, v->color, 0, (struct virgl_rect){0, y0, GX_EFB_WIDTH, y1 - y0}, v->bytes, error))
			return false;
	}
	y0 = 0;
	y1 = GX_EFB_HEIGHT;
	if (!v->valid || differing_lines(m->efb->depth, depth, &y0, &y1)) {
		size_t at = (size_t)y0 * GX_EFB_WIDTH, count = (size_t)(y1 - y0) * GX_EFB_WIDTH;
		memcpy(depth + at, m->efb->depth + at, count * sizeof *depth);
		for (size_t i = 0; i < count; i++)
			v->depths[i] = (float)(depth[at + i] & 0xFFFFFF) * (1 / 16777216.0f);
		if (!virgl_upload(v->device, v->depth, 0, (struct virgl_rect){0, y0, GX_EFB_WIDTH, y1 - y0}, v->depths, error))
			return false;
	}
	v->valid = true;
	return true;
}

bool gx_efb_from_host(struct gx_virgl *v, struct gx_machine *m, struct qs_error *error)
{
	static const struct virgl_rect all = {0, 0, GX_EFB_WIDTH, GX_EFB_HEIGHT};
	uint32_t *colour = v->pixels, *depth = v->pixels + PIXELS;

	if (!virgl_readback(v->device, v->color, 0, all, v->bytes, error) || !virgl_readback(v->device, v->depth, 0, all, v->depths, error))
		return false;
	v->statistics.readbacks++;
	bytes_to_words(v->bytes, colour, PIXELS);
	for (size_t i = 0; i < PIXELS; i++)
		depth[i] = (uint32_t)(v->depths[i] * 16777216.0f);
	v->valid = true;
	v->drawn = false;
	memcpy(m->efb->colour, colour, PIXELS * sizeof *colour);
	memcpy(m->efb->depth, depth, PIXELS * sizeof *depth);
	return true;
}
