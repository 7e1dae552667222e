/* gfx3d_depth.c - the depth buffer of a Gfx3D machine as a graphics processor would hold it
 *
 * ChrisOS stores clip z interpolated with perspective (quirk depth_formula), which cannot be turned into depth in the window without
 * the w of the fragment that stored it.  The calls since the depth was cleared are run again, and each fragment that is stored
 * tells both.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "gfx3d/qsc.h"
#include "trace/gfx3d.h"

struct map {
	struct qs_timeline *t;
	struct qs_image *image;
	uint32_t context; /* handle of the context whose draws count */
};

static uint32_t depth24(float z)
{
	return !(z > 0) ? 0 : z >= 1 ? 0xFFFFFF : (uint32_t)(z * 16777215.0f);
}

static bool on_quad(void *user, const struct qs_moment *moment, const struct qs_setup *setup, const struct qs_quad *quad)
{
	struct map *m = user;
	const struct qs_gfx3d_quad *record = &m->t->gfx3d->record;
	const struct g3_draw *d = &m->t->gfx3d->g->raster->draw;

	(void)moment;
	(void)setup;
	(void)quad;
	if (!d->rules.depth_write || (uint32_t)d->t->width != m->image->width || (uint32_t)d->t->height != m->image->height ||
		g3_context_handle(d->g, d->c) != m->context)
		return true;
	for (unsigned k = 0; k < 4; k++) {
		const struct qs_gfx3d_fragment *f = &record->fragment[k];

		if (f->verdict != QS_GFX3D_VERDICT_WRITTEN || !(f->samples & 1) || f->z_new != f->z || f->x >= d->t->width || f->y >= d->t->height)
			continue;
		m->image->depth[(size_t)f->y * m->image->width + (size_t)f->x] =
			depth24(d->rules.clip_depth ? f->z * f->inv_w * 0.5f + 0.5f : f->z);
	}
	return true;
}

static bool parse(const struct qs_timeline *t, uint32_t command, struct g3_call *call)
{
	return qsc_parse(qs_capture_command_bytes(t->capture, command), qs_capture_command(t->capture, command)->size, call);
}

/* The last command up to `at` that draws or clears says whose depth it is; back from there to what set all of it.  QS_NONE: nothing
 * did. */
static uint32_t find_clear(const struct qs_timeline *t, uint32_t at, uint32_t *context)
{
	struct g3_call call;

	*context = 0;
	for (uint32_t i = at + 1; i-- > 0;) {
		const struct qs_command *k = qs_capture_command(t->capture, i);

		if ((k->kind != QS_COMMAND_DRAW && k->opcode != G3_clear) || !parse(t, i, &call))
			continue;
		if (!*context)
			*context = call.handle[0];
		if (k->opcode == G3_clear && call.handle[0] == *context &&
			(call.f[4] != 0 || G3_QUIRK(&t->gfx3d->g->quirks, clear_depth)))
			return i;
	}
	return QS_NONE;
}

bool trace_gfx3d_window_depth(struct qs_timeline *t, struct qs_image *image, struct qs_error *error)
{
	struct map m = {.t = t, .image = image};
	struct qs_taps taps = {.mask = QS_TAP_QUAD, .user = &m, .quad = on_quad};
	struct qs_moment here = t->moment, from = {.level = QS_LEVEL_START};
	uint32_t at = here.level == QS_LEVEL_START ? QS_NONE : here.command, clear;
	const struct qs_frame *f = here.level == QS_LEVEL_FRAME ? qs_capture_frame(t->capture, here.frame) : NULL;

	if (f)
		at = f->first_command + f->command_count - 1;
	if (!image->depth || at == QS_NONE || !G3_QUIRK(&t->gfx3d->g->quirks, depth_formula))
		return true;
	clear = find_clear(t, at, &m.context);
	if (clear != QS_NONE)
		qs_moment_of_command(t->capture, clear, &from);
	for (size_t i = 0; clear != QS_NONE && i < (size_t)image->width * image->height; i++)
		image->depth[i] = 0xFFFFFF;
	if (!m.context || !qs_timeline_replay(t, &from, &here, &taps, error))
		return !m.context;
	for (size_t i = 0; i < (size_t)image->width * image->height; i++)
		image->rgba[4 * i] = image->rgba[4 * i + 1] = image->rgba[4 * i + 2] = (uint8_t)(image->depth[i] >> 16);
	return true;
}
