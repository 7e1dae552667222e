/* xfb.c - display copies: lines, vertical scale, 4:2:2 video memory and back
 *
 * Source: specification 07 section 7.7, dff-format annex.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/bits.h"
#include "gx/copy.h"
#include "gx/lanes.h"

#define LINES_MAX 1024

/* ---- 4:2:2 -------------------------------------------------------------------------------------------------------------- */

/* Chroma of a pair is centred on its first pixel; borders repeat. */
static void pack_pairs(const uint8_t *y, const uint8_t *u, const uint8_t *v, uint32_t width, uint8_t *yuyv)
{
	for (uint32_t x = 0; x < width; x += 2) {
		uint32_t left = x ? x - 1 : 0, right = x + 1 < width ? x + 1 : x;

		yuyv[2 * x] = y[x];
		yuyv[2 * x + 1] = (uint8_t)((u[left] + 2 * u[x] + u[right]) >> 2);
		if (x + 1 < width) {
			yuyv[2 * x + 2] = y[x + 1];
			yuyv[2 * x + 3] = (uint8_t)((v[left] + 2 * v[x] + v[right]) >> 2);
		}
	}
}

/* Width: at most COPY_ROW_MAX. */
GX_HOT void gx_xfb_line(const uint8_t *rgb, uint32_t width, uint8_t *yuyv)
{
	struct copy_line line;

	if (width > COPY_ROW_MAX)
		width = COPY_ROW_MAX;
	for (uint32_t x = 0; x < width; x++) {
		line.c[0][x] = rgb[3 * x];
		line.c[1][x] = rgb[3 * x + 1];
		line.c[2][x] = rgb[3 * x + 2];
	}
	for (unsigned channel = 0; channel < 3; channel++)
		memset(&line.c[channel][width], 0, lanes_up(width) - width);
	copy_to_yuv(width, line.c[0], line.c[1], line.c[2]);
	pack_pairs(line.c[0], line.c[1], line.c[2], width, yuyv);
}

static int32_t clamp_level(int32_t v)
{
	v = v < 0 ? 0 : v;
	return v > 255 ? 255 : v;
}

/* LANES pixels from an even one on; an odd last pixel of a line has no V. */
static void decode_block(const uint8_t *yuyv, uint32_t count, uint8_t *rgba)
{
	int32_t y[LANES] = {0}, u[LANES] = {0}, v[LANES] = {0}, r[LANES], g[LANES], b[LANES];

	for (uint32_t x = 0; x < count; x += 2) {
		bool whole = x + 1 < count;
		y[x] = yuyv[2 * x] - 16;
		u[x] = u[x + 1] = yuyv[2 * x + 1] - 128;
		y[x + 1] = whole ? yuyv[2 * x + 2] - 16 : 0;
		v[x] = v[x + 1] = whole ? yuyv[2 * x + 3] - 128 : 0;
	}
	for (unsigned i = 0; i < LANES; i++) {
		float fy = (float)y[i], fu = (float)u[i], fv = (float)v[i];
		r[i] = clamp_level((int32_t)(1.164f * fy + 1.596f * fv));
		g[i] = clamp_level((int32_t)(1.164f * fy - 0.392f * fu - 0.813f * fv));
		b[i] = clamp_level((int32_t)(1.164f * fy + 2.017f * fu));
	}
	for (uint32_t x = 0; x < count; x++) {
		rgba[4 * x] = (uint8_t)r[x];
		rgba[4 * x + 1] = (uint8_t)g[x];
		rgba[4 * x + 2] = (uint8_t)b[x];
		rgba[4 * x + 3] = 255;
	}
}

void gx_xfb_decode(const uint8_t *yuyv, uint32_t width, uint32_t height, uint8_t *rgba)
{
	for (uint32_t row = 0; row < height; row++)
		for (uint32_t x = 0; x < width; x += LANES) {
			size_t at = (size_t)row * width + x;
			decode_block(&yuyv[2 * at], width - x < LANES ? width - x : LANES, &rgba[4 * at]);
		}
}

/* ---- lines -------------------------------------------------------------------------------------------------------------- */

struct display_scale {
	bool nearest;
	unsigned step;  /* source lines per line, 8.8 */
	double ratio;   /* of Dolphin's nearest rows */
	unsigned lines;
};

static struct display_scale display_scale(const struct gx_machine *m, unsigned lines)
{
	unsigned reg = bits(m->state.bp[0x4E], 0, 9);
	bool inverse = bits(m->state.bp[0x52], 10, 1);
	struct display_scale scale = {.nearest = !m->quirk[GX_QUIRK_yscale_filter]};

	if (!reg)
		reg = 256;
	scale.step = inverse ? reg : 65536 / reg;
	scale.lines = inverse ? (lines - 1) * 256 / reg + 1 : (lines - 1) * reg / 256 + 1;
	if (scale.lines > LINES_MAX)
		scale.lines = LINES_MAX;
	if (scale.nearest) {
		/* Dolphin SW CopyRegion */
		float factor = inverse ? 256.0f / (float)reg : (float)reg / 256.0f;
		int height = (int)((float)lines * factor);
		scale.ratio = lines / (double)(height > 0 ? height : 1);
	}
	return scale;
}

static bool takes_fields(const struct gx_machine *m)
{
	return m->quirk[GX_QUIRK_field_lines] && bits(m->state.bp[0x52], 12, 2) >= 2;
}

/* RGB of the lines of the rectangle, after filter and gamma; a field takes every other line. */
static unsigned read_lines(const struct gx_machine *m, const struct copy_source *source, unsigned width, uint8_t *rgb)
{
	unsigned n = 0;
	struct copy_line line;
	bool fields = takes_fields(m);

	for (int y = source->rect.y0 + (fields && bits(m->state.bp[0x52], 12, 1)); y < source->rect.y1; y += fields ? 2 : 1, n++) {
		uint8_t *to = &rgb[3 * (size_t)n * width];

		copy_row(source, source->rect.x0, y, width, &line);
		for (unsigned x = 0; x < width; x++) {
			to[3 * x] = line.c[0][x];
			to[3 * x + 1] = line.c[1][x];
			to[3 * x + 2] = line.c[2][x];
		}
	}
	return n;
}

static unsigned nearest_line(const struct display_scale *scale, unsigned y, unsigned lines)
{
	unsigned from = (unsigned)lround(y * scale->ratio);
	return from < lines ? from : lines - 1;
}

unsigned copy_display_lines(const struct gx_machine *m, const struct copy_source *source, unsigned y, int line[2])
{
	bool fields = takes_fields(m), odd = fields && bits(m->state.bp[0x52], 12, 1);
	unsigned height = (unsigned)(source->rect.y1 - source->rect.y0), lines = fields ? (height + !odd) / 2 : height;
	struct display_scale scale = display_scale(m, lines ? lines : 1);
	unsigned position = y * scale.step, from, next, part = 0;

	lines = lines ? lines : 1;
	if (scale.nearest) {
		from = next = nearest_line(&scale, y, lines);
	} else {
		from = position >> 8 < lines ? position >> 8 : lines - 1;
		next = from + 1 < lines ? from + 1 : from;
		part = position & 255;
	}
	line[0] = source->rect.y0 + (fields ? (int)(2 * from) + odd : (int)from);
	line[1] = source->rect.y0 + (fields ? (int)(2 * next) + odd : (int)next);
	return part;
}

static void blend_lines(const uint8_t *a, const uint8_t *b, unsigned part, unsigned bytes, uint8_t *out)
{
	for (unsigned i = 0; i < bytes; i++)
		out[i] = (uint8_t)((a[i] * (256 - part) + b[i] * part) >> 8);
}

/* Dolphin SW stores the line at its EFB column but reads it from column 0: everything moves right, line ends go on in the
 * next line, and what was never written shows as zero. */
static void shift_right(uint8_t *yuyv, size_t pixels, unsigned by)
{
	if (by > pixels)
		by = (unsigned)pixels;
	memmove(&yuyv[2 * (size_t)by], yuyv, 2 * (pixels - by));
	memset(yuyv, 0, 2 * (size_t)by);
}

static void scale_nearest(const struct gx_machine *m, const struct copy_source *source, const struct display_scale *scale,
	const uint8_t *rgb, unsigned lines, struct gx_display *display)
{
	unsigned width = display->width;
	uint8_t *yuyv = calloc((size_t)lines * width, 2);

	for (unsigned y = 0; yuyv && y < lines; y++)
		gx_xfb_line(&rgb[3 * (size_t)y * width], width, &yuyv[2 * (size_t)y * width]);
	if (yuyv && m->quirk[GX_QUIRK_display_copy_x])
		shift_right(yuyv, (size_t)lines * width, (unsigned)source->rect.x0);
	for (unsigned y = 0; y < display->height; y++) {
		unsigned from = nearest_line(scale, y, lines);
		memcpy(&display->rgb[3 * (size_t)y * width], &rgb[3 * (size_t)from * width], 3 * (size_t)width);
		if (yuyv)
			memcpy(&display->yuyv[2 * (size_t)y * width], &yuyv[2 * (size_t)from * width], 2 * (size_t)width);
	}
	free(yuyv);
}

static void scale_linear(const struct display_scale *scale, const uint8_t *rgb, unsigned lines, struct gx_display *display)
{
	unsigned width = display->width, position = 0;

	for (unsigned y = 0; y < display->height; y++, position += scale->step) {
		unsigned from = position >> 8 < lines ? position >> 8 : lines - 1, next = from + 1 < lines ? from + 1 : from;
		uint8_t *out = &display->rgb[3 * (size_t)y * width];

		blend_lines(&rgb[3 * (size_t)from * width], &rgb[3 * (size_t)next * width], position & 255, 3 * width, out);
		gx_xfb_line(out, width, &display->yuyv[2 * (size_t)y * width]);
	}
}

static struct gx_display *display_create(uint32_t width, uint32_t height)
{
	struct gx_display *display = calloc(1, sizeof *display);

	if (!display)
		return NULL;
	display->references = 1;
	display->width = width;
	display->height = height;
	display->rgb = calloc((size_t)width * height, 3);
	display->yuyv = calloc((size_t)width * height, 2);
	if (!display->rgb || !display->yuyv) {
		gx_display_unref(display);
		return NULL;
	}
	return display;
}

void copy_display(struct gx_machine *m, const struct copy_source *source, struct qs_copy *copy)
{
	unsigned width = copy->width, lines;
	uint8_t *rgb = malloc(3 * (size_t)width * copy->height);
	struct gx_display *display;
	struct display_scale scale;

	if (!rgb)
		return;
	lines = read_lines(m, source, width, rgb);
	scale = display_scale(m, lines ? lines : 1);
	copy->height = lines ? scale.lines : 0;
	copy->line_step = (uint16_t)(scale.step > 65535 ? 65535 : scale.step);
	display = lines ? display_create(width, scale.lines) : NULL;
	if (display) {
		if (scale.nearest)
			scale_nearest(m, source, &scale, rgb, lines, display);
		else
			scale_linear(&scale, rgb, lines, display);
		display->command = m->command;
		display->control = m->state.bp[0x43];
		display->efb = *m->efb;
		if (source->samples > 1) /* people look at pixels */
			for (size_t i = 0; i < GX_EFB_WIDTH * GX_EFB_HEIGHT; i++) {
				uint8_t rgba[4];
				gx_efb_pixel(m, i, rgba);
				display->efb.colour[i] = (uint32_t)rgba[0] << 16 | (uint32_t)rgba[1] << 8 | rgba[2];
			}
		for (unsigned y = 0; y < display->height; y++)
			gx_memory_write(&m->memory, copy->destination + y * copy->stride, &display->yuyv[2 * (size_t)y * width],
				2 * (size_t)width);
		gx_display_unref(m->display);
		m->display = display;
	}
	free(rgb);
}
