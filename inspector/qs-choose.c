/* qs-choose.c - a pixel that is worth looking at before anybody has picked one
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "qs-view.h"
#include <string.h>

typedef struct {
	double x, y; /* middle of the picture */
	gboolean found;
	double distance;
	int best_x, best_y;
} Choice;

static void offer(Choice *choice, int x, int y)
{
	const double dx = x + 0.5 - choice->x, dy = y + 0.5 - choice->y, distance = dx * dx + dy * dy;

	if (choice->found && distance >= choice->distance)
		return;
	choice->found = TRUE;
	choice->distance = distance;
	choice->best_x = x;
	choice->best_y = y;
}

static void offer_covered(Choice *choice, int x, int y, guint coverage)
{
	for (int f = 0; f < 4; f++)
		if (coverage >> 3 * f & 7)
			offer(choice, x + (f & 1), y + (f >> 1));
}

static bool changed(void *user, const struct qs_moment *moment, const struct qs_setup *setup, const struct qs_quad *quad)
{
	(void)moment;
	(void)setup;
	for (int f = 0; f < 4; f++)
		if (quad->fragment[f].verdict == QS_VERDICT_WRITTEN &&
			memcmp(quad->fragment[f].old_rgba, quad->fragment[f].new_rgba, sizeof quad->fragment[f].new_rgba))
			offer(user, quad->x + (f & 1), quad->y + (f >> 1));
	return true;
}

static bool reached(void *user, const struct qs_moment *moment, const struct qs_setup *setup, const struct qs_quad *quad)
{
	(void)moment;
	(void)setup;
	offer_covered(user, quad->x, quad->y, quad->coverage);
	return true;
}

static gboolean replay(Choice *choice, struct qs_timeline *timeline, const QsView *view, guint32 first,
	bool (*quad)(void *, const struct qs_moment *, const struct qs_setup *, const struct qs_quad *), struct qs_error *error)
{
	const struct qs_taps taps = {.mask = QS_TAP_QUAD, .user = choice, .quad = quad};
	struct qs_moment from = {0};

	if (first > 0 && !qs_moment_of_command(view->capture->capture, first - 1, &from))
		return FALSE;
	return qs_timeline_replay(timeline, &from, &view->moment, &taps, error) && choice->found;
}

/* Is the pixel in the middle written, or one not far from it?  Its last writer is found without a replay of the frame. */
static void middle(Choice *choice, struct qs_timeline *timeline, const QsView *view, struct qs_error *error)
{
	const gboolean flipper = qs_capture_info(view->capture->capture)->machine == QS_MACHINE_FLIPPER;
	const int width = (int)qs_view_width(view), height = (int)qs_view_height(view);

	for (int ring = 0; ring <= (flipper ? 0 : 3) && !choice->found && error->code != QS_ERR_CANCELLED; ring++)
		for (int i = 0; i < (ring ? 4 : 1) && !choice->found; i++) {
			const int x = (width - 1) / 2 + (i == 1 ? ring : i == 2 ? -ring : 0) * width / 8;
			const int y = (height - 1) / 2 + (i == 0 ? ring : i == 3 ? -ring : 0) * height / 8;
			struct qs_moment moment;

			if (qs_timeline_find_fragment(timeline, x, y, true, &moment, error))
				offer(choice, x, y);
		}
	if (error->code == QS_ERR_RANGE) /* nobody wrote there */
		memset(error, 0, sizeof *error);
}

gboolean qs_view_choose_pixel(const QsView *view, struct qs_timeline *timeline, int *x, int *y, struct qs_error *error)
{
	Choice choice = {.x = qs_view_width(view) / 2.0, .y = qs_view_height(view) / 2.0};
	const struct qs_frame *frame = qs_capture_frame(view->capture->capture, view->moment.frame);
	const gboolean in_draw = qs_view_in_draw(view);

	if (view->has_quad)
		offer_covered(&choice, view->quad.x, view->quad.y, view->quad.coverage);
	else if (view->moment.level == QS_LEVEL_PRIMITIVE)
		for (guint32 i = 0; i < view->quad_count; i++)
			offer_covered(&choice, view->quads[i].x, view->quads[i].y, view->quads[i].coverage);
	if (!choice.found && in_draw && view->moment.level == QS_LEVEL_DRAW)
		replay(&choice, timeline, view, view->moment.command, changed, error);
	if (!choice.found && frame && error->code == QS_OK)
		middle(&choice, timeline, view, error);
	/* Interpreted shaders take seconds for a frame: then it stays with the points that were tried. */
	if (!choice.found && frame && error->code == QS_OK && qs_capture_info(view->capture->capture)->machine == QS_MACHINE_FLIPPER)
		replay(&choice, timeline, view, frame->first_command, changed, error);
	if (!choice.found && in_draw && error->code == QS_OK)
		replay(&choice, timeline, view, view->moment.command, reached, error);
	*x = choice.best_x;
	*y = choice.best_y;
	return choice.found && error->code == QS_OK;
}
