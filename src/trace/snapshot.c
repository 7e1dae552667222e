/* snapshot.c - contents of a machine in shared pages
 *
 * A snapshot is a table of 4 KB pages per region; pages (and chunks of 64 pages) that equal those of the snapshot taken or
 * restored before are shared.  Main memory knows its dirty pages, so that only those are looked at; TMEM has counters of
 * writes; registers and EFB are compared whole (2.7 MB).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "trace/timeline.h"

#define DIRTY 3
#define TOUCHED 2

static const uint8_t zero_page[TRACE_PAGE];

struct region {
	uint8_t *bytes;
	size_t size;
	uint8_t *dirty; /* one byte a page, or NULL: unknown */
};

static struct region region_of(struct qs_timeline *t, enum trace_region which)
{
	struct gx_machine *m = t->m;

	switch (which) {
	case TRACE_STATE:
		return (struct region){(uint8_t *)&m->state, sizeof m->state, NULL};
	case TRACE_ENTRY:
		return (struct region){(uint8_t *)&t->entry, sizeof t->entry, NULL};
	case TRACE_EFB:
		return (struct region){(uint8_t *)m->efb, sizeof *m->efb, NULL};
	case TRACE_TMEM:
		return (struct region){m->memory.tmem, GX_TMEM_SIZE, NULL};
	case TRACE_TAGS:
		return (struct region){(uint8_t *)m->memory.tags, GX_TMEM_LINES * sizeof *m->memory.tags, NULL};
	case TRACE_MEM1:
		return (struct region){m->memory.mem1, m->memory.mem1_size, m->memory.mem1_dirty};
	case TRACE_SAMPLES:
		return (struct region){(uint8_t *)m->samples, sizeof *m->samples, m->samples_dirty};
	default:
		return (struct region){m->memory.mem2, m->memory.mem2_size, m->memory.mem2_dirty};
	}
}

static uint32_t page_count(const struct region *r)
{
	return (uint32_t)((r->size + TRACE_PAGE - 1) / TRACE_PAGE);
}

static size_t page_size(const struct region *r, uint32_t page)
{
	size_t left = r->size - (size_t)page * TRACE_PAGE;

	return left < TRACE_PAGE ? left : TRACE_PAGE;
}

static void page_unref(struct qs_timeline *t, struct trace_page *page)
{
	if (page && !--page->references) {
		t->page_bytes -= sizeof *page;
		free(page);
	}
}

static void chunk_unref(struct qs_timeline *t, struct trace_chunk *chunk)
{
	if (!chunk || --chunk->references)
		return;
	for (unsigned i = 0; i < TRACE_CHUNK; i++)
		page_unref(t, chunk->page[i]);
	t->page_bytes -= sizeof *chunk;
	free(chunk);
}

void trace_snapshot_unref(struct qs_timeline *t, struct trace_snapshot *snapshot)
{
	if (!snapshot || --snapshot->references)
		return;
	for (unsigned r = 0; r < TRACE_REGIONS; r++) {
		for (uint32_t i = 0; snapshot->chunk[r] && i < snapshot->chunk_count[r]; i++)
			chunk_unref(t, snapshot->chunk[r][i]);
		free(snapshot->chunk[r]);
	}
	gx_display_unref(snapshot->display);
	free(snapshot);
}

/* ---- taking ------------------------------------------------------------------------------------------------------------- */

static bool any_dirty(const uint8_t *dirty, uint32_t count)
{
	return memchr(dirty, DIRTY, count) != NULL;
}

/* One page: the base's when the contents agree.  false: no memory. */
static bool take_page(struct qs_timeline *t, const uint8_t *bytes, size_t size, struct trace_page *base,
	struct trace_page **result)
{
	if (!memcmp(bytes, base ? base->bytes : zero_page, size)) {
		*result = base;
		if (base)
			base->references++;
		return true;
	}
	struct trace_page *page = malloc(sizeof *page);
	if (!page)
		return false;
	t->page_bytes += sizeof *page;
	page->references = 1;
	memcpy(page->bytes, bytes, size);
	memset(page->bytes + size, 0, TRACE_PAGE - size);
	*result = page;
	return true;
}

static bool same_pages(const struct trace_chunk *chunk, const struct trace_chunk *base)
{
	if (base)
		return !memcmp(chunk->page, base->page, sizeof chunk->page);
	for (unsigned i = 0; i < TRACE_CHUNK; i++)
		if (chunk->page[i])
			return false;
	return true;
}

static bool take_chunk(struct qs_timeline *t, const struct region *r, uint32_t first, uint32_t count, struct trace_chunk *base,
	struct trace_chunk **result)
{
	struct trace_chunk *chunk = calloc(1, sizeof *chunk);
	bool ok = chunk != NULL;

	if (!ok)
		return false;
	t->page_bytes += sizeof *chunk;
	chunk->references = 1;
	for (uint32_t i = 0; ok && i < count; i++) {
		struct trace_page *old = base ? base->page[i] : NULL;
		uint32_t page = first + i;
		if (r->dirty && r->dirty[page] != DIRTY) {
			chunk->page[i] = old;
			if (old)
				old->references++;
		} else {
			ok = take_page(t, r->bytes + (size_t)page * TRACE_PAGE, page_size(r, page), old, &chunk->page[i]);
		}
	}
	if (!ok || same_pages(chunk, base)) {
		chunk_unref(t, chunk);
		chunk = base;
		if (base)
			base->references++;
	}
	*result = chunk;
	return ok;
}

/* Whether TMEM is still what it was when the snapshot was taken or restored.  Tags change with main memory, too. */
static bool same_tmem(const struct qs_timeline *t, const struct trace_snapshot *s, enum trace_region which)
{
	return which == TRACE_TMEM && s && s->tmem_generation == t->m->memory.tmem_generation &&
		s->tmem_fills == t->m->memory.tmem_fills;
}

static bool take_region(struct qs_timeline *t, struct trace_snapshot *s, enum trace_region which, const struct trace_snapshot *base)
{
	struct region r = region_of(t, which);
	uint32_t pages = page_count(&r), chunks = (pages + TRACE_CHUNK - 1) / TRACE_CHUNK;
	bool clean = same_tmem(t, base, which);

	s->chunk_count[which] = chunks;
	s->chunk[which] = calloc(chunks ? chunks : 1, sizeof *s->chunk[which]);
	if (!s->chunk[which])
		return false;
	for (uint32_t i = 0; i < chunks; i++) {
		struct trace_chunk *old = base ? base->chunk[which][i] : NULL;
		uint32_t first = i * TRACE_CHUNK, count = pages - first < TRACE_CHUNK ? pages - first : TRACE_CHUNK;
		if (clean || (r.dirty && !any_dirty(r.dirty + first, count))) {
			s->chunk[which][i] = old;
			if (old)
				old->references++;
		} else if (!take_chunk(t, &r, first, count, old, &s->chunk[which][i])) {
			return false;
		}
	}
	return true;
}

static void set_base(struct qs_timeline *t, struct trace_snapshot *snapshot)
{
	snapshot->references++;
	trace_snapshot_unref(t, t->base);
	t->base = snapshot;
	for (unsigned r = TRACE_MEM1; r < TRACE_REGIONS; r++) {
		struct region region = region_of(t, (enum trace_region)r);
		uint32_t pages = region.dirty ? page_count(&region) : 0;
		for (uint32_t i = 0; i < pages; i++)
			region.dirty[i] &= TOUCHED;
	}
	snapshot->tmem_generation = t->m->memory.tmem_generation;
	snapshot->tmem_fills = t->m->memory.tmem_fills;
}

struct trace_snapshot *trace_snapshot_take(struct qs_timeline *t)
{
	gx_sync(t->m);
	struct trace_snapshot *s = calloc(1, sizeof *s);
	bool ok = s != NULL;

	if (!ok)
		return NULL;
	s->references = 1;
	for (unsigned r = 0; ok && r < TRACE_REGIONS; r++)
		ok = take_region(t, s, (enum trace_region)r, t->base);
	if (!ok) {
		trace_snapshot_unref(t, s);
		return NULL;
	}
	s->entry_command = t->entry_command;
	s->display = t->m->display;
	if (s->display)
		s->display->references++;
	set_base(t, s);
	return s;
}

/* ---- restoring ---------------------------------------------------------------------------------------------------------- */

static void restore_page(const struct region *r, uint32_t page, const struct trace_page *contents)
{
	memcpy(r->bytes + (size_t)page * TRACE_PAGE, contents ? contents->bytes : zero_page, page_size(r, page));
	if (r->dirty)
		r->dirty[page] = TOUCHED;
}

static void restore_region(struct qs_timeline *t, const struct trace_snapshot *s, enum trace_region which)
{
	struct region r = region_of(t, which);
	const struct trace_snapshot *base = t->base;
	uint32_t pages = page_count(&r);
	/* what the machine holds is known where the base's page is still in place */
	bool known = r.dirty || same_tmem(t, base, which);

	for (uint32_t i = 0; i < s->chunk_count[which]; i++) {
		const struct trace_chunk *chunk = s->chunk[which][i], *old = base ? base->chunk[which][i] : NULL;
		uint32_t first = i * TRACE_CHUNK, count = pages - first < TRACE_CHUNK ? pages - first : TRACE_CHUNK;
		if (known && chunk == old && !(r.dirty && any_dirty(r.dirty + first, count)))
			continue;
		for (uint32_t k = 0; k < count; k++) {
			const struct trace_page *page = chunk ? chunk->page[k] : NULL;
			if (known && page == (old ? old->page[k] : NULL) && !(r.dirty && r.dirty[first + k] == DIRTY))
				continue;
			restore_page(&r, first + k, page);
		}
	}
}

void trace_snapshot_restore(struct qs_timeline *t, struct trace_snapshot *snapshot)
{
	struct gx_machine *m = t->m;

	gx_flush(m);
	m->renderer_ahead = false; /* what the renderer has is given up */
	for (unsigned r = 0; r < TRACE_REGIONS; r++)
		restore_region(t, snapshot, (enum trace_region)r);
	m->memory.main_generation++; /* caches keep no entry of before */
	m->memory.tmem_generation++;
	gx_tags_restored(&m->memory);
	set_base(t, snapshot);
	t->entry_command = snapshot->entry_command;
	if (snapshot->display)
		snapshot->display->references++;
	gx_display_unref(m->display);
	m->display = snapshot->display;
	m->draw_state_valid = false;
}
