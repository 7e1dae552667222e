/* gfx3d_draws.c - of every draw and clear of a frame the pixel that it makes differ from a host's, and why
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "trace/gfx3d_look.h"

struct pictures {
	struct qs_image image[2];
	bool known;
};

static void forget(struct pictures *p)
{
	qs_image_finish(&p->image[0]);
	qs_image_finish(&p->image[1]);
	p->known = false;
}

static bool same_size(const struct pictures *a, const struct pictures *b)
{
	return a->known && a->image[0].width == b->image[0].width && a->image[0].height == b->image[0].height;
}

/* Did one of them change the pixel? */
static bool touched(const struct pictures *before, const struct pictures *now, size_t pixel)
{
	for (unsigned i = 0; i < 2; i++) {
		const struct qs_image *p = &before->image[i], *q = &now->image[i];

		if (memcmp(p->rgba + 4 * pixel, q->rgba + 4 * pixel, 4) || (p->depth && p->depth[pixel] != q->depth[pixel]))
			return true;
	}
	return false;
}

/* The worst pixel that was equal before; without one, the worst of those that the command changed although they differed: *own. */
static bool choose(struct look *l, const struct pictures *before, const struct pictures *now)
{
	size_t pixels = (size_t)now->image[0].width * now->image[0].height;
	unsigned worst[2] = {0, 0};
	size_t at[2] = {0, 0};

	for (size_t i = 0; i < pixels; i++) {
		unsigned far = look_far(l, now->image, i);
		bool late = far && same_size(before, now) && look_far(l, before->image, i);

		if (!far || far <= worst[late] || (late && !touched(before, now, i)))
			continue;
		worst[late] = far;
		at[late] = i;
	}
	l->own = !worst[0];
	if (!worst[0] && !worst[1])
		return false;
	look_take_pixel(l, now->image, at[l->own]);
	return true;
}

static bool note_command(struct comparer *c, struct look *l, uint32_t command, struct pictures *before)
{
	struct pictures now = {.known = true};
	struct qs_error error = {0};

	l->command = command;
	if (!look_pictures(l, command, now.image, &error)) {
		forget(&now);
		forget(before);
		return !error.code; /* sizes that differ: another target */
	}
	if (choose(l, before, &now)) {
		l->d = compare_new_draw(c);
		l->count = 0;
		l->color_known = false;
		l->f = NULL;
		memset(l->error, 0, sizeof *l->error);
		if (l->d)
			look_describe(l);
	}
	forget(before);
	*before = now;
	return l->d || !c->result->draw_count;
}

bool compare_gfx3d_draws(struct comparer *c, struct qs_error *error)
{
	const struct qs_capture *capture = qs_timeline_capture(c->a->timeline);
	const struct qs_frame *f = qs_capture_frame(capture, c->options->frame);
	struct qs_error quiet = {0};
	struct look l = {.c = c, .t = c->a->timeline, .error = &quiet,
		.buffer = c->result->buffer == QS_BUFFER_DEPTH ? QS_BUFFER_DEPTH : QS_BUFFER_COLOR};
	struct pictures before = {.known = false};
	bool good;

	(void)error;
	l.quad = malloc(sizeof *l.quad);
	good = l.quad != NULL;
	if (good && f->first_command)
		before.known = look_pictures(&l, f->first_command - 1, before.image, &quiet);
	if (!before.known)
		forget(&before);
	for (uint32_t i = f->first_command; good && !c->stopped && i < f->first_command + f->command_count; i++)
		if (look_shows(qs_capture_command(capture, i)))
			good = note_command(c, &l, i, &before);
	forget(&before);
	free(l.quad);
	return true; /* what is not found out is no error of the comparison */
}
