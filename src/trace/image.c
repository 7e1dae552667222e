/* image.c - buffers of the machine as pictures
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "core/image.h"
#include "trace/gfx3d.h"

static const char *const names[QS_BUFFER_COUNT] = {"color", "alpha", "depth", "coverage", "copy", "xfb"};

const char *qs_buffer_name(enum qs_buffer buffer)
{
	return (unsigned)buffer < QS_BUFFER_COUNT ? names[buffer] : "?";
}

bool qs_buffer_parse(const char *name, enum qs_buffer *buffer)
{
	for (unsigned i = 0; i < QS_BUFFER_COUNT; i++)
		if (!strcmp(name, names[i]) || (i == QS_BUFFER_COLOR && !strcmp(name, "colour"))) {
			*buffer = (enum qs_buffer)i;
			return true;
		}
	return false;
}

/* ---- the EFB ------------------------------------------------------------------------------------------------------------ */

/* At the end of a frame the EFB has been cleared by its display copy; what the copy read is what a person wants to see. */
static const struct gx_efb *shown_efb(const struct qs_timeline *t, uint32_t *control)
{
	const struct gx_display *d = t->m->display;
	const struct qs_frame *frame = t->moment.level == QS_LEVEL_FRAME && !t->running ?
		qs_capture_frame(t->capture, t->moment.frame) : NULL;

	if (frame && d && d->command >= frame->first_command && d->command - frame->first_command < frame->command_count) {
		*control = d->control;
		return &d->efb;
	}
	*control = t->m->state.bp[0x43];
	return t->m->efb;
}

static void set_grey(uint8_t *rgba, uint32_t value)
{
	rgba[0] = rgba[1] = rgba[2] = (uint8_t)value;
	rgba[3] = 255;
}

static bool efb_image(struct qs_timeline *t, enum qs_buffer buffer, struct qs_image *image, struct qs_error *error)
{
	uint32_t control;
	const struct gx_efb *efb = shown_efb(t, &control);

	if (!image_create(image, GX_EFB_WIDTH, GX_EFB_HEIGHT, buffer == QS_BUFFER_DEPTH, error))
		return false;
	for (size_t i = 0; i < GX_EFB_WIDTH * GX_EFB_HEIGHT; i++) {
		uint8_t *rgba = image->rgba + 4 * i;
		if (buffer == QS_BUFFER_DEPTH) {
			image->depth[i] = efb->depth[i] & 0xFFFFFF;
			set_grey(rgba, image->depth[i] >> 16);
			continue;
		}
		if (efb == t->m->efb)
			gx_efb_pixel(t->m, i, rgba);
		else
			gx_efb_unpack(control & 7, efb->colour[i], rgba);
		if (buffer == QS_BUFFER_ALPHA)
			set_grey(rgba, rgba[3]);
	}
	return true;
}

/* ---- coverage ----------------------------------------------------------------------------------------------------------- */

/* Black, blue, green, yellow, red, white: each step is brighter than the one before. */
static void heat(uint32_t count, uint8_t rgba[4])
{
	static const uint8_t ramp[][3] = {{0, 0, 0}, {20, 60, 200}, {0, 150, 170}, {40, 180, 60}, {220, 200, 40}, {240, 120, 20},
		{220, 30, 30}, {255, 255, 255}};
	size_t last = sizeof ramp / sizeof *ramp - 1;

	memcpy(rgba, ramp[count < last ? count : last], 3);
	rgba[3] = 255;
}

static uint32_t quads_done(const struct trace_walk *walk, const struct qs_moment *m)
{
	uint32_t primitive = m->primitive < walk->primitives ? m->primitive : walk->primitives - 1;

	if (m->level == QS_LEVEL_DRAW || !walk->primitives)
		return walk->first[walk->primitives];
	if (m->level == QS_LEVEL_PRIMITIVE)
		return walk->first[primitive + 1];
	return walk->first[primitive] + m->quad + 1;
}

static bool coverage_image(struct qs_timeline *t, struct qs_image *image, struct qs_error *error)
{
	const struct trace_walk *walk = NULL;
	uint32_t count = 0, width = GX_EFB_WIDTH, height = GX_EFB_HEIGHT;

	if (t->gfx3d)
		trace_gfx3d_size(t, &width, &height);
	if (t->moment.level >= QS_LEVEL_DRAW) {
		walk = trace_walk_get(t, t->moment.command, error);
		trace_come_back(t);
		if (!walk)
			return false;
		count = quads_done(walk, &t->moment);
	}
	if (!image_create(image, width, height, true, error))
		return false;
	for (uint32_t i = 0; i < count; i++) {
		const struct qs_quad_place *q = &walk->places[i];
		for (unsigned k = 0; k < 4; k++) {
			int x = q->x + (int)(k & 1), y = q->y + (int)(k >> 1);
			if (trace_pixel_coverage(q->coverage, k) && x >= 0 && y >= 0 && (uint32_t)x < width && (uint32_t)y < height)
				image->depth[(size_t)y * width + (size_t)x]++;
		}
	}
	for (size_t i = 0; i < (size_t)width * height; i++)
		heat(image->depth[i], image->rgba + 4 * i);
	return true;
}

/* ---- display copies ----------------------------------------------------------------------------------------------------- */

static bool display_image(struct qs_timeline *t, enum qs_buffer buffer, struct qs_image *image, struct qs_error *error)
{
	const struct gx_display *d = t->m->display;

	if (!d) {
		qs_error_set(error, QS_ERR_RANGE, 0, "No picture has been copied to the display up to this moment.");
		return false;
	}
	if (!image_create(image, d->width, d->height, false, error))
		return false;
	if (buffer == QS_BUFFER_XFB) {
		gx_xfb_decode(d->yuyv, d->width, d->height, image->rgba);
		return true;
	}
	for (size_t i = 0; i < (size_t)d->width * d->height; i++) {
		memcpy(image->rgba + 4 * i, d->rgb + 3 * i, 3);
		image->rgba[4 * i + 3] = 255;
	}
	return true;
}

bool qs_timeline_image(struct qs_timeline *t, enum qs_buffer buffer, struct qs_image *image, struct qs_error *error)
{
	memset(image, 0, sizeof *image);
	if (t->gfx3d && buffer != QS_BUFFER_COVERAGE && (unsigned)buffer < QS_BUFFER_COUNT)
		return trace_gfx3d_image(t, buffer, image, error);
	gx_sync(t->m);
	switch (buffer) {
	case QS_BUFFER_COLOR:
	case QS_BUFFER_ALPHA:
	case QS_BUFFER_DEPTH:
		return efb_image(t, buffer, image, error);
	case QS_BUFFER_COVERAGE:
		return trace_start(t, error) && coverage_image(t, image, error);
	case QS_BUFFER_COPY:
	case QS_BUFFER_XFB:
		return display_image(t, buffer, image, error);
	default:
		qs_error_set(error, QS_ERR_RANGE, 0, "There is no buffer %u.", (unsigned)buffer);
		return false;
	}
}
