/* parallel.c - draws shaded later, by several threads (see parallel.h)
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "gx/parallel.h"
#include "gx/pe.h"
#include "gx/tev.h"

#define CAPACITY 256       /* triangles that wait at most: they should stay in the second cache */
#define WORTH_WAKING 4096  /* pixels; below that a thread needs longer to wake up than to shade */
#define SPINS 1000         /* looks before a thread goes to sleep: about as long as waking it up would take */
#define PE_LEFT (0x10 / 2) /* four bounds, then counters */
#define PE_COUNTERS (0x18 / 2)
#define PE_COUNTERS_END (0x2C / 2)

struct worker {
	struct gx_parallel *p;
	pthread_t thread;
	unsigned number; /* 1..; 0 is whoever flushes */
	struct gx_machine *m; /* what shading needs of the machine; EFB and memory are the machine's own */
};

struct waiting {
	struct gx_triangle triangle;
	uint32_t command;
};

struct gx_parallel {
	unsigned threads; /* that there are, with the one that flushes */
	bool started;
	struct worker worker[GX_MAX_THREADS];
	struct waiting *waiting;
	unsigned count;
	int64_t area; /* of their boxes, in pixels */
	pthread_mutex_t lock;
	pthread_cond_t start, done;
	_Atomic unsigned serial, busy; /* change under the lock only */
	bool quit;
	void (*part)(void *user, unsigned first, unsigned last); /* NULL: triangles */
	void *user;
	unsigned size;
};

static void pause_a_little(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#endif
}

/* ---- one worker --------------------------------------------------------------------------------------------------------- */

static bool has_place(const struct gx_batch *b, const struct gx_triangle *t, int x, int y)
{
	bool found = false;

	if (!b->quads || b->triangle[0] == t)
		return false;
	for (unsigned i = 0; i < b->quads; i++)
		found |= b->x[i] == x && b->y[i] == y;
	return found;
}

static void shade_triangle(struct gx_machine *m, const struct gx_triangle *t, unsigned band, unsigned bands)
{
	struct gx_batch *b = &m->batch;
	struct gx_ras ras;
	uint16_t coverage;
	int x, y;

	gx_ras_begin_band(&ras, t, band, bands);
	while (gx_ras_next(&ras, &x, &y, &coverage)) {
		if (b->quads == m->batch_quads || has_place(b, t, x, y))
			gx_draw_shade(m, 15);
		unsigned i = b->quads++;
		b->triangle[i] = t;
		b->x[i] = (int16_t)x;
		b->y[i] = (int16_t)y;
		b->coverage[i] = coverage;
	}
}

/* No batch holds quads of two draws: counters and bounds remember the command that changed them. */
static void shade_all(struct gx_machine *m, const struct gx_parallel *p, unsigned band, unsigned bands)
{
	m->batch.quads = 0;
	for (unsigned i = 0; i < p->count; i++) {
		if (p->waiting[i].command != m->command) {
			gx_draw_shade(m, 15);
			m->command = p->waiting[i].command;
		}
		shade_triangle(m, &p->waiting[i].triangle, band, bands);
	}
	gx_draw_shade(m, 15);
}

static void run_part(const struct gx_parallel *p, unsigned number, unsigned threads)
{
	p->part(p->user, (unsigned)((uint64_t)p->size * number / threads), (unsigned)((uint64_t)p->size * (number + 1) / threads));
}

static void *work(void *user)
{
	struct worker *w = user;
	struct gx_parallel *p = w->p;
	unsigned seen = 0; /* a list may be there before this thread runs */

	for (;;) {
		for (unsigned i = 0; i < SPINS && p->serial == seen; i++)
			pause_a_little();
		pthread_mutex_lock(&p->lock);
		while (p->serial == seen && !p->quit)
			pthread_cond_wait(&p->start, &p->lock);
		if (p->quit)
			break;
		seen = p->serial;
		unsigned bands = p->threads;
		pthread_mutex_unlock(&p->lock);
		if (p->part)
			run_part(p, w->number, bands);
		else
			shade_all(w->m, p, w->number, bands);
		pthread_mutex_lock(&p->lock);
		if (!--p->busy)
			pthread_cond_signal(&p->done);
		pthread_mutex_unlock(&p->lock);
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

static void worker_finish(struct worker *w)
{
	if (!w->m)
		return;
	gx_tx_finish(w->m);
	free(w->m->tev);
	free(w->m->pe);
	free(w->m);
	w->m = NULL;
}

static bool worker_start(struct gx_parallel *p, unsigned number)
{
	struct worker *w = &p->worker[number];

	w->p = p;
	w->number = number;
	w->m = calloc(1, sizeof *w->m);
	if (w->m) {
		w->m->tev = calloc(1, sizeof *w->m->tev);
		w->m->pe = calloc(1, sizeof *w->m->pe);
		if (w->m->tev && w->m->pe && !pthread_create(&w->thread, NULL, work, w))
			return true;
	}
	worker_finish(w);
	return false;
}

/* Fewer than asked for when the system has no more. */
static void start_workers(struct gx_parallel *p, unsigned threads)
{
	p->started = true;
	while (p->threads < threads && worker_start(p, p->threads))
		p->threads++;
}

/* ---- what a worker sees, and what it leaves ------------------------------------------------------------------------------ */

static void prepare(const struct gx_machine *m, struct gx_machine *w)
{
	w->memory = m->memory;
	w->efb = m->efb;
	w->capture = m->capture;
	memcpy(w->quirk, m->quirk, sizeof w->quirk);
	memcpy(w->state.bp, m->state.bp, sizeof w->state.bp);
	w->state.xf[0x101A] = m->state.xf[0x101A]; /* the width of the viewport: fog range of the dolphin model */
	w->texel_left.triangle = NULL;
	memcpy(w->state.pe, m->state.pe, sizeof w->state.pe);
	memcpy(w->state.pe_writer, m->state.pe_writer, sizeof w->state.pe_writer);
	memset(w->state.pe + PE_COUNTERS, 0, (PE_COUNTERS_END - PE_COUNTERS) * sizeof *w->state.pe);
	w->batch_quads = m->batch_quads;
	w->command = QS_NONE;
	w->draw_state_valid = true;
	*w->tev = *m->tev;
	*w->pe = *m->pe;
	gx_tx_begin_shared(w, true);
}

static void merge_counters(struct gx_state *s, const struct gx_state *w)
{
	for (unsigned i = PE_COUNTERS; i < PE_COUNTERS_END; i += 2) {
		uint32_t more = (uint32_t)w->pe[i] | (uint32_t)w->pe[i + 1] << 16;
		uint32_t sum = ((uint32_t)s->pe[i] | (uint32_t)s->pe[i + 1] << 16) + more;
		if (!more)
			continue;
		s->pe[i] = (uint16_t)sum;
		s->pe[i + 1] = (uint16_t)(sum >> 16);
		/* the last command that counted */
		if (s->pe_writer[i] == QS_NONE || w->pe_writer[i] > s->pe_writer[i])
			s->pe_writer[i] = s->pe_writer[i + 1] = w->pe_writer[i];
	}
}

/* start: the bound before.  The command is the first that reached the value. */
static void merge_bound(struct gx_state *s, const struct gx_state *w, unsigned i, uint16_t start, bool larger)
{
	uint16_t mine = s->pe[i], other = w->pe[i];

	if (larger ? other > mine : other < mine) {
		s->pe[i] = other;
		s->pe_writer[i] = w->pe_writer[i];
	} else if (other == mine && other != start && w->pe_writer[i] < s->pe_writer[i]) {
		s->pe_writer[i] = w->pe_writer[i];
	}
}

/* Triangles wait in the order of drawing, and quads of one come from the top, left to right. */
static bool left_later(const struct gx_machine *a, const struct gx_machine *b)
{
	if (!a->texel_left.triangle || !b->texel_left.triangle || a->texel_left.triangle != b->texel_left.triangle)
		return (uintptr_t)a->texel_left.triangle > (uintptr_t)b->texel_left.triangle;
	return a->texel_left.y != b->texel_left.y ? a->texel_left.y > b->texel_left.y : a->texel_left.x > b->texel_left.x;
}

static void merge(struct gx_machine *m, const struct gx_machine *w, const uint16_t start[4])
{
	if (left_later(w, m)) {
		memcpy(m->state.last_texel, w->state.last_texel, sizeof m->state.last_texel);
		m->texel_left = w->texel_left;
	}
	merge_counters(&m->state, &w->state);
	for (unsigned i = 0; i < 4; i++)
		merge_bound(&m->state, &w->state, PE_LEFT + i, start[i], i & 1);
}

static void wake(struct gx_parallel *p)
{
	pthread_mutex_lock(&p->lock);
	p->busy = p->threads - 1;
	p->serial++;
	pthread_cond_broadcast(&p->start);
	pthread_mutex_unlock(&p->lock);
}

static void wait_for_all(struct gx_parallel *p)
{
	for (unsigned i = 0; i < SPINS && p->busy; i++)
		pause_a_little();
	pthread_mutex_lock(&p->lock);
	while (p->busy)
		pthread_cond_wait(&p->done, &p->lock);
	pthread_mutex_unlock(&p->lock);
}

static void shade_with_workers(struct gx_machine *m, struct gx_parallel *p)
{
	uint16_t start[4];

	memcpy(start, m->state.pe + PE_LEFT, sizeof start);
	for (unsigned i = 1; i < p->threads; i++)
		prepare(m, p->worker[i].m);
	gx_tx_begin_shared(m, false);
	m->texel_left.triangle = NULL;
	wake(p);
	shade_all(m, p, 0, p->threads);
	wait_for_all(p);
	gx_tx_end_shared(m, NULL);
	for (unsigned i = 1; i < p->threads; i++)
		gx_tx_end_shared(m, p->worker[i].m);
	for (unsigned i = 1; i < p->threads; i++)
		merge(m, p->worker[i].m, start);
}

void gx_flush_triangles(struct gx_machine *m)
{
	struct gx_parallel *p = m->parallel;
	uint32_t command = m->command;

	if (!p->count)
		return;
	m->command = QS_NONE;
	if (p->area >= WORTH_WAKING && !p->started)
		start_workers(p, m->threads);
	if (p->area >= WORTH_WAKING && p->threads > 1)
		shade_with_workers(m, p);
	else
		shade_all(m, p, 0, 1);
	m->command = command;
	p->count = 0;
	p->area = 0;
	m->waiting = false;
}

/* Made when the first draw waits: most machines never have one. */
static struct gx_parallel *create(void)
{
	struct gx_parallel *p = calloc(1, sizeof *p);
	struct waiting *waiting = malloc(CAPACITY * sizeof *waiting);

	if (!p || !waiting) {
		free(p);
		free(waiting);
		return NULL;
	}
	p->waiting = waiting;
	p->threads = 1;
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->start, NULL);
	pthread_cond_init(&p->done, NULL);
	return p;
}

void gx_share_out(struct gx_machine *m, void (*part)(void *user, unsigned first, unsigned last), void *user, unsigned count)
{
	struct gx_parallel *p;

	if (m->threads > 1 && !m->parallel)
		m->parallel = create();
	p = m->parallel;
	if (m->threads > 1 && p && !p->started)
		start_workers(p, m->threads);
	if (m->threads < 2 || !p || p->threads < 2) {
		part(user, 0, count);
		return;
	}
	p->part = part;
	p->user = user;
	p->size = count;
	wake(p);
	run_part(p, 0, p->threads);
	wait_for_all(p);
	p->part = NULL;
}

bool gx_defer_draw(struct gx_machine *m)
{
	struct gx_parallel *p = m->parallel;
	const struct gx_triangle *parts;
	const struct qs_setup *nothing;

	if (m->threads < 2 || !m->deferring || m->taps || !m->tev || !m->pe)
		return false;
	/* a fragment that reads the texel of the one before it ties all together; notes of dirty pages are not divided by rows */
	if (m->tev->latch_read || !gx_tx_divisible(m) || gx_efb_samples(m) > 1)
		return false;
	if (!p && !(p = m->parallel = create()))
		return false;
	do {
		unsigned n = gx_draw_parts(m, &parts, &nothing);
		for (unsigned i = 0; i < n; i++) {
			const struct qs_rect *box = &parts[i].record.box;
			if (p->count == CAPACITY)
				gx_flush_triangles(m);
			p->waiting[p->count].triangle = parts[i];
			p->waiting[p->count++].command = m->command;
			p->area += (int64_t)(box->x1 - box->x0) * (box->y1 - box->y0);
			m->waiting = true;
		}
	} while (gx_draw_next_primitive(m));
	return true;
}

/* ---- threads ------------------------------------------------------------------------------------------------------------ */

void gx_parallel_destroy(struct gx_machine *m)
{
	struct gx_parallel *p = m->parallel;

	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->quit = true;
	pthread_cond_broadcast(&p->start);
	pthread_mutex_unlock(&p->lock);
	for (unsigned i = 1; i < p->threads; i++) {
		pthread_join(p->worker[i].thread, NULL);
		worker_finish(&p->worker[i]);
	}
	pthread_cond_destroy(&p->start);
	pthread_cond_destroy(&p->done);
	pthread_mutex_destroy(&p->lock);
	free(p->waiting);
	free(p);
	m->parallel = NULL;
}

void gx_set_threads(struct gx_machine *m, unsigned threads)
{
	gx_flush(m);
	gx_parallel_destroy(m);
	m->threads = threads > GX_MAX_THREADS ? GX_MAX_THREADS : threads;
}
