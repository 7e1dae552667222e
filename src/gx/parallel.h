/* parallel.h - draws shaded later, by several threads
 *
 * While m->deferring is set, draws only leave their triangles here; gx_flush shades them.  Every worker walks all
 * triangles but only the rows of its own bands of the screen, so each pixel still sees its triangles in order and results do not
 * depend on the number of threads.  Whatever the shading reads must not change while triangles wait: cp.c flushes before BP
 * writes and memory updates, and nobody but the loop that sets `deferring` may look at the machine before it has flushed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef GX_PARALLEL_H
#define GX_PARALLEL_H

#include "gx/machine.h"

#define GX_MAX_THREADS 16

/* 0 and 1: no further threads. */
void gx_set_threads(struct gx_machine *m, unsigned threads);
void gx_parallel_destroy(struct gx_machine *m);

/* Takes what is left of the draw in progress; false: it has to be shaded here and now. */
bool gx_defer_draw(struct gx_machine *m);
void gx_flush_triangles(struct gx_machine *m);

/* Calls part(user, first, last) for all of 0 .. count-1, in parts that do not depend on each other, on all threads; when it is done,
 * returns. */
void gx_share_out(struct gx_machine *m, void (*part)(void *user, unsigned first, unsigned last), void *user, unsigned count);

#endif
