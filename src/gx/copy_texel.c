/* copy_texel.c - how one texel of a copy came about: what was read, filtered, converted and stored
 *
 * Made while the copy's tap is called, with the functions that made the copy; the bytes are those in memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "gx/copy.h"

static void take(const struct copy_line *line, unsigned at, uint8_t rgba[4])
{
	for (unsigned channel = 0; channel < 4; channel++)
		rgba[channel] = line->c[channel][at];
}

static void put(struct copy_line *line, unsigned at, const uint8_t rgba[4])
{
	for (unsigned channel = 0; channel < 4; channel++)
		line->c[channel][at] = rgba[channel];
}

static void read_tap(const struct copy_source *source, int x, struct copy_tap from, struct qs_copy_tap *tap)
{
	struct copy_line line;

	copy_fetch(source, from.sample, x, from.line, 1, &line);
	tap->x = (int16_t)x;
	tap->y = (int16_t)from.line;
	tap->inside = x < GX_EFB_WIDTH && from.line >= 0 && from.line < GX_EFB_HEIGHT;
	tap->sample = (uint8_t)from.sample;
	tap->weight = from.weight;
	take(&line, 0, tap->rgba);
}

static void read_pixel(const struct copy_source *source, int x, int y, struct qs_copy_pixel *pixel)
{
	struct copy_source no_gamma = *source;
	struct copy_line line;

	pixel->tap_count = source->filtered ? 7 : 1;
	if (source->filtered)
		for (unsigned i = 0; i < 7; i++)
			read_tap(source, x, copy_tap(source, y, i), &pixel->tap[i]);
	else
		read_tap(source, x, (struct copy_tap){y, 0, 64}, &pixel->tap[0]);
	no_gamma.plain_gamma = true;
	copy_row(&no_gamma, x, y, 1, &line, NULL);
	take(&line, 0, pixel->filtered);
	copy_row(source, x, y, 1, &line, NULL);
	take(&line, 0, pixel->rgba);
}

static void read_memory(const struct gx_machine *m, struct qs_copy_texel *texel)
{
	for (unsigned i = 0; i < texel->part_count; i++)
		gx_memory_read(&m->memory, texel->address[i], &texel->bytes[i * texel->size], texel->size);
}

static void texture_texel(const struct gx_machine *m, const struct gx_copy_job *job, uint32_t s, uint32_t t,
	struct qs_copy_texel *texel)
{
	const struct copy_source *source = job->source;
	int step = job->copy->half ? 2 : 1, x = source->rect.x0 + (int)s * step, y = source->rect.y0 + (int)t * step;
	struct copy_line line;
	uint32_t offset[2];

	texel->pixel_count = job->copy->half ? 4 : 1;
	for (int i = 0; i < texel->pixel_count; i++)
		read_pixel(source, x + (i & 1), y + (i >> 1), &texel->pixel[i]);
	if (job->copy->half)
		copy_half_row(source, x, y, 1, &line);
	else
		copy_row(source, x, y, 1, &line, NULL);
	take(&line, 0, texel->rgba);
	copy_convert(m, source, job->copy, &line, 1);
	take(&line, 0, texel->converted);
	texel->part_count = (uint8_t)copy_texel_place(job->copy, s, t, offset, &texel->size);
	for (unsigned i = 0; i < texel->part_count; i++)
		texel->address[i] = job->copy->destination + offset[i];
}

static void display_texel(const struct gx_machine *m, const struct gx_copy_job *job, uint32_t s, uint32_t t,
	struct qs_copy_texel *texel)
{
	int line[2], x = job->source->rect.x0 + (int)s;
	struct copy_line yuv;

	texel->line_part = (uint16_t)copy_display_lines(m, job->source, t, line);
	texel->pixel_count = texel->line_part ? 2 : 1;
	for (unsigned i = 0; i < texel->pixel_count; i++)
		read_pixel(job->source, x, line[i], &texel->pixel[i]);
	for (unsigned c = 0; c < 4; c++) {
		unsigned a = texel->pixel[0].rgba[c], b = texel->pixel[texel->pixel_count - 1].rgba[c];
		texel->rgba[c] = (uint8_t)((a * (256u - texel->line_part) + b * texel->line_part) >> 8);
	}
	put(&yuv, 0, texel->rgba);
	copy_to_yuv(1, yuv.c[0], yuv.c[1], yuv.c[2]);
	take(&yuv, 0, texel->converted);
	texel->part_count = 1;
	texel->size = 2;
	texel->address[0] = job->copy->destination + t * job->copy->stride + 2 * s;
}

bool gx_copy_texel(const struct gx_machine *m, uint32_t x, uint32_t y, struct qs_copy_texel *texel)
{
	const struct gx_copy_job *job = m->copying;

	memset(texel, 0, sizeof *texel);
	if (!job || x >= job->copy->width || y >= job->copy->height)
		return false;
	if (job->copy->to_display)
		display_texel(m, job, x, y, texel);
	else
		texture_texel(m, job, x, y, texel);
	read_memory(m, texel);
	return true;
}

const char *qs_copy_format_name(uint8_t format)
{
	static const char *const names[] = {"R4", "R8_1", "RA4", "RA8", "RGB565", "RGB5A3", "RGBA8", "A8", "R8", "G8", "B8", "RG8", "GB8"};

	return format < sizeof names / sizeof *names ? names[format] : "?";
}
