/* gfx3d_checkpoint.c - pictures of frames and checkpoints of the Gfx3D machine
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "trace/gfx3d_inside.h"

#define SNAPSHOT_BYTES ((size_t)256 << 20)

void gfx3d_picture_unref(struct g3_picture *p)
{
	if (!p || --p->references)
		return;
	free(p->color);
	free(p->depth);
	free(p);
}

struct g3_picture *gfx3d_picture_take(const struct g3_target *t, uint32_t command)
{
	struct g3_picture *p = calloc(1, sizeof *p);
	size_t n = (size_t)t->width * (size_t)t->height;

	if (!p)
		return NULL;
	p->references = 1;
	p->command = command;
	p->width = t->width;
	p->height = t->height;
	p->color = malloc(n * 4);
	p->depth = malloc(n * 4);
	if (!p->color || !p->depth) {
		gfx3d_picture_unref(p);
		return NULL;
	}
	for (size_t i = 0; i < n; i++)
		p->color[i] = g3_target_pixel(t, i);
	memcpy(p->depth, t->depth, n * 4);
	return p;
}

void gfx3d_clear_checkpoints(struct trace_gfx3d *x)
{
	for (size_t i = 0; i < x->checkpoint_count; i++) {
		g3_snapshot_destroy(x->checkpoint[i].snapshot);
		gfx3d_picture_unref(x->checkpoint[i].picture);
	}
	x->checkpoint_count = 0;
	x->bytes = 0;
}

/* Every second one goes when they have become too many. */
static void thin_out(struct trace_gfx3d *x)
{
	size_t kept = 0;

	for (size_t i = 0; i < x->checkpoint_count; i++) {
		if (i % 2 == 0) {
			x->checkpoint[kept++] = x->checkpoint[i];
			continue;
		}
		x->bytes -= g3_snapshot_size(x->checkpoint[i].snapshot);
		g3_snapshot_destroy(x->checkpoint[i].snapshot);
		gfx3d_picture_unref(x->checkpoint[i].picture);
	}
	x->checkpoint_count = kept;
}

/* Where the machine stands, at the border of a command. Lack of memory only makes going back slower. */
void gfx3d_add_checkpoint(struct qs_timeline *t)
{
	struct trace_gfx3d *x = t->gfx3d;
	size_t i = x->checkpoint_count;
	struct g3_snapshot *snapshot;

	x->since = trace_clock();
	while (i && x->checkpoint[i - 1].command > t->at.command)
		i--;
	if (!t->at.command || (i && x->checkpoint[i - 1].command == t->at.command))
		return;
	snapshot = g3_snapshot_take(x->g);
	if (!snapshot)
		return;
	if (x->checkpoint_count == x->checkpoint_room) {
		size_t room = x->checkpoint_room ? 2 * x->checkpoint_room : 32;
		struct g3_checkpoint *grown = realloc(x->checkpoint, room * sizeof *grown);

		if (!grown) {
			g3_snapshot_destroy(snapshot);
			return;
		}
		x->checkpoint = grown;
		x->checkpoint_room = room;
	}
	memmove(&x->checkpoint[i + 1], &x->checkpoint[i], (x->checkpoint_count - i) * sizeof *x->checkpoint);
	x->checkpoint[i] = (struct g3_checkpoint){t->at.command, snapshot, x->picture};
	if (x->picture)
		x->picture->references++;
	x->checkpoint_count++;
	x->bytes += g3_snapshot_size(snapshot);
	while (x->bytes > SNAPSHOT_BYTES && x->checkpoint_count > 2)
		thin_out(x);
}
