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
#include "gx/parallel.h"

#define LINES_MAX 1024

/* ---- 4:2:2 -------------------------------------------------------------------------------------------------------------- */

/* Chroma of a pair is centred on its first pixel; borders repeat.  As words: every even pixel with U, every odd one with the V of the pixel
 * before it. */
static void pack_pairs(const uint8_t *y, const uint8_t *u, const uint8_t *v, uint32_t width, uint8_t *yuyv)
{
	uint8_t pu[COPY_ROW_MAX + 2 * LANES], pv[COPY_ROW_MAX + 2 * LANES], *cu = pu + LANES, *cv = pv + LANES;
	uint32_t x = 0;

	memcpy(cu, u, width);
	memcpy(cv, v, width);
	cu[-1] = u[0];
	cv[-1] = v[0];
	cv[-2] = 0;
	cu[width] = u[width - 1];
	cv[width] = v[width - 1];
	for (; x + LANES <= width; x += LANES) {
		const uint8_t *py = y + x, *qu = cu + x, *qv = cv + x - 1;
		uint16_t words[LANES];

		for (unsigned i = 0; i < LANES; i++) {
			const uint16_t even = i & 1 ? 0 : 0xFFFF;
			uint16_t a = (uint16_t)(qu[(int)i - 1] + 2 * qu[i] + qu[i + 1]), b = (uint16_t)(qv[(int)i - 1] + 2 * qv[i] + qv[i + 1]);

			words[i] = (uint16_t)(py[i] | ((((a & even) | (b & (uint16_t)~even)) << 6) & 0xFF00));
		}
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
		memcpy(yuyv + 2 * x, words, sizeof words);
#else
		for (unsigned i = 0; i < LANES; i++) {
			yuyv[2 * (x + i)] = (uint8_t)words[i];
			yuyv[2 * (x + i) + 1] = (uint8_t)(words[i] >> 8);
		}
#endif
	}
	for (; x < width; x++) {
		const uint8_t *c = x & 1 ? &cv[x - 1] : &cu[x];

		yuyv[2 * x] = y[x];
		yuyv[2 * x + 1] = (uint8_t)((c[-1] + 2 * c[0] + c[1]) >> 2);
	}
}

/* The planes become Y U V. */
static void pack_line(struct copy_line *line, uint32_t width, uint8_t *yuyv)
{
	for (unsigned channel = 0; channel < 3; channel++)
		memset(&line->c[channel][width], 0, lanes_up(width) - width);
	copy_to_yuv(width, line->c[0], line->c[1], line->c[2]);
	pack_pairs(line->c[0], line->c[1], line->c[2], width, yuyv);
}

/* Width: at most COPY_ROW_MAX. */
GX_HOT void gx_xfb_line(const uint8_t *rgb, uint32_t width, uint8_t *yuyv)
{
	struct copy_line line;

	if (!width)
		return;
	if (width > COPY_ROW_MAX)
		width = COPY_ROW_MAX;
	for (uint32_t x = 0; x < width; x++) {
		line.c[0][x] = rgb[3 * x];
		line.c[1][x] = rgb[3 * x + 1];
		line.c[2][x] = rgb[3 * x + 2];
	}
	pack_line(&line, width, yuyv);
}

typedef uint8_t sixteen __attribute__((vector_size(16)));

static void interleave(const struct copy_line *line, unsigned width, uint8_t *rgb)
{
	const uint8_t *r = line->c[0], *g = line->c[1], *b = line->c[2];
	unsigned x = 0;

	for (; x + 16 <= width; x += 16) {
		sixteen red, green, blue, rg, out[3];

		memcpy(&red, r + x, 16);
		memcpy(&green, g + x, 16);
		memcpy(&blue, b + x, 16);
		rg = __builtin_shufflevector(red, green, 0, 16, 0, 1, 17, 0, 2, 18, 0, 3, 19, 0, 4, 20, 0, 5);
		out[0] = __builtin_shufflevector(rg, blue, 0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15);
		rg = __builtin_shufflevector(red, green, 21, 0, 6, 22, 0, 7, 23, 0, 8, 24, 0, 9, 25, 0, 10, 26);
		out[1] = __builtin_shufflevector(rg, blue, 0, 21, 2, 3, 22, 5, 6, 23, 8, 9, 24, 11, 12, 25, 14, 15);
		rg = __builtin_shufflevector(red, green, 0, 11, 27, 0, 12, 28, 0, 13, 29, 0, 14, 30, 0, 15, 31, 0);
		out[2] = __builtin_shufflevector(rg, blue, 26, 1, 2, 27, 4, 5, 28, 7, 8, 29, 10, 11, 30, 13, 14, 31);
		memcpy(rgb + 3 * (size_t)x, out, sizeof out);
	}
	for (; x < width; x++) {
		rgb[3 * x] = r[x];
		rgb[3 * x + 1] = g[x];
		rgb[3 * x + 2] = b[x];
	}
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

static unsigned count_lines(const struct gx_machine *m, const struct copy_source *source)
{
	int height = source->rect.y1 - source->rect.y0;

	if (!takes_fields(m))
		return height > 0 ? (unsigned)height : 0;
	height -= (int)bits(m->state.bp[0x52], 12, 1);
	return height > 0 ? (unsigned)(height + 1) / 2 : 0;
}

/* A display copy in progress: lines are shared out among threads. */
struct display_job {
	const struct copy_source *source;
	const struct display_scale *scale;
	struct gx_display *display;
	unsigned width, lines;
	int first, step;     /* EFB line of the first one, and from one to the next: a field takes every other */
	uint8_t *rgb, *yuyv; /* of the lines before scaling; yuyv NULL: made after it */
};

/* RGB of the lines of the rectangle, after filter and gamma. */
GX_HOT static void read_lines(void *user, unsigned from, unsigned to)
{
	const struct display_job *job = user;
	struct copy_window window = {.y = {COPY_NO_LINE, COPY_NO_LINE, COPY_NO_LINE}};
	struct copy_line line;

	for (unsigned n = from; n < to; n++) {
		size_t at = (size_t)n * job->width;

		copy_row(job->source, job->source->rect.x0, job->first + (int)n * job->step, job->width, &line, &window);
		interleave(&line, job->width, &job->rgb[3 * at]);
		if (job->yuyv)
			pack_line(&line, job->width, &job->yuyv[2 * at]);
	}
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

static void scale_nearest(const struct display_job *job)
{
	struct gx_display *display = job->display;
	size_t width = job->width;

	for (unsigned y = 0; y < display->height; y++) {
		size_t from = nearest_line(job->scale, y, job->lines);

		memcpy(&display->rgb[3 * width * y], &job->rgb[3 * width * from], 3 * width);
		memcpy(&display->yuyv[2 * width * y], &job->yuyv[2 * width * from], 2 * width);
	}
}

static void scale_linear(void *user, unsigned first, unsigned last)
{
	const struct display_job *job = user;
	struct gx_display *display = job->display;
	size_t width = job->width;

	for (unsigned y = first; y < last; y++) {
		unsigned position = y * job->scale->step, lines = job->lines;
		unsigned from = position >> 8 < lines ? position >> 8 : lines - 1, next = from + 1 < lines ? from + 1 : from;
		uint8_t *out = &display->rgb[3 * width * y];

		blend_lines(&job->rgb[3 * width * from], &job->rgb[3 * width * next], position & 255, 3 * job->width, out);
		gx_xfb_line(out, job->width, &display->yuyv[2 * width * y]);
	}
}

/* Does every line of the output stand for one of the source? */
static bool is_plain(const struct display_scale *scale, unsigned lines)
{
	if (scale->lines != lines)
		return false;
	for (unsigned y = 0; scale->nearest && y < lines; y++)
		if (nearest_line(scale, y, lines) != y)
			return false;
	return scale->nearest || scale->step == 256;
}

/* Whoever looked at the last display has it still; if it was nobody, its memory serves again. */
static struct gx_display *display_create(struct gx_machine *m, uint32_t width, uint32_t height)
{
	struct gx_display *display = m->display;

	if (display && display->references == 1 && display->width == width && display->height == height) {
		m->display = NULL;
		return display;
	}
	display = malloc(sizeof *display);
	if (!display)
		return NULL;
	display->references = 1;
	display->width = width;
	display->height = height;
	display->rgb = malloc((size_t)width * height * 3);
	display->yuyv = malloc((size_t)width * height * 2);
	if (!display->rgb || !display->yuyv) {
		gx_display_unref(display);
		return NULL;
	}
	return display;
}

/* The picture of a display; false: no memory. */
static bool convert(struct gx_machine *m, struct display_job *job)
{
	bool plain = is_plain(job->scale, job->lines), nearest = job->scale->nearest;
	size_t pixels = (size_t)job->width * job->lines;

	bool good;

	job->rgb = plain ? job->display->rgb : malloc(3 * pixels);
	job->yuyv = plain ? job->display->yuyv : nearest ? malloc(2 * pixels) : NULL;
	good = job->rgb && (job->yuyv || !nearest);
	if (good) {
		gx_share_out(m, read_lines, job, job->lines);
		if (nearest && m->quirk[GX_QUIRK_display_copy_x])
			shift_right(job->yuyv, pixels, (unsigned)job->source->rect.x0);
		if (!plain && nearest)
			scale_nearest(job);
		else if (!plain)
			gx_share_out(m, scale_linear, job, job->display->height);
	}
	if (!plain) {
		free(job->rgb);
		free(job->yuyv);
	}
	return good;
}

void copy_display(struct gx_machine *m, const struct copy_source *source, struct qs_copy *copy)
{
	unsigned width = copy->width, lines = count_lines(m, source);
	struct display_scale scale = display_scale(m, lines ? lines : 1);
	bool fields = takes_fields(m);
	struct gx_display *display = lines ? display_create(m, width, scale.lines) : NULL;
	struct display_job job = {.source = source, .scale = &scale, .display = display, .width = width, .lines = lines,
		.first = source->rect.y0 + (fields && bits(m->state.bp[0x52], 12, 1)), .step = fields ? 2 : 1};

	copy->height = lines ? scale.lines : 0;
	copy->line_step = (uint16_t)(scale.step > 65535 ? 65535 : scale.step);
	if (!display)
		return;
	if (!convert(m, &job)) {
		gx_display_unref(display);
		return;
	}
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
		gx_memory_write(&m->memory, copy->destination + y * copy->stride, &display->yuyv[2 * (size_t)y * width], 2 * (size_t)width);
	gx_display_unref(m->display);
	m->display = display;
}
