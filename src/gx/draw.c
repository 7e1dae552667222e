/* draw.c - a draw step by step: vertices, primitives, batches of quads, taps
 *
 * The iterators are the only way through a draw: replay calls them with full batches, a debugger with one quad.  Without taps
 * a batch is filled from several primitives as long as no pixel occurs twice in it, so that small triangles share the cost of
 * dispatch; blending order is kept because a second quad at the same place starts a new batch.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "core/bits.h"
#include "gx/parallel.h"
#include "gx/su.h"

struct gx_draw {
	bool active;
	bool transformed; /* XF has been over the vertices */
	uint8_t opcode;
	struct gx_vertex *vertex;
	uint32_t vertex_count, vertex_capacity;
	uint32_t primitive; /* current; QS_NONE before the first */
	uint32_t primitive_count;
	struct gx_triangle parts[GX_MAX_PARTS];
	unsigned part_count, part; /* part: being walked */
	struct qs_setup nothing;
	struct gx_ras ras;
	uint32_t quad; /* number of the next quad */
	/* triangles of earlier primitives that quads of the waiting batch still need */
	struct gx_triangle held[GX_BATCH_QUADS];
	unsigned held_count;
	struct qs_quad *records;
	unsigned batch_quads;
};

void gx_draw_free(struct gx_machine *m)
{
	if (!m->draw)
		return;
	free(m->draw->vertex);
	free(m->draw->records);
	free(m->draw);
	m->draw = NULL;
}

/* ---- vertices ----------------------------------------------------------------------------------------------------------- */

static bool reserve_vertices(struct gx_draw *d, uint32_t count)
{
	if (count <= d->vertex_capacity)
		return true;
	struct gx_vertex *grown = realloc(d->vertex, count * sizeof *grown);
	if (!grown)
		return false;
	d->vertex = grown;
	d->vertex_capacity = count;
	return true;
}

static void fetch_vertices(struct gx_machine *m, const uint8_t *data, uint32_t count, unsigned size)
{
	struct gx_draw *d = m->draw;

	d->vertex_count = 0;
	for (uint32_t i = 0; i < count; i++, data += size) {
		struct gx_vertex *v = &d->vertex[d->vertex_count];
		v->index = i;
		if (!gx_vertex_fetch(m, d->opcode & 7, data, v))
			continue;
		v->index = i;
		d->vertex_count++;
	}
	d->transformed = false;
}

static void transform_vertices(struct gx_machine *m)
{
	struct gx_draw *d = m->draw;

	if (d->transformed)
		return;
	d->transformed = true;
	for (uint32_t i = 0; i < d->vertex_count; i++) {
		struct gx_vertex *v = &d->vertex[i];
		gx_xf_vertex(m, v);
		su_scale_texcoords(&m->state, v);
		if (v->clip[3] != 0)
			gx_xf_viewport(m, v);
	}
}

/* Counts as an incremental assembler would: three vertices of a quad already give its first triangle. */
static uint32_t count_primitives(const struct gx_machine *m, uint8_t opcode, uint32_t n)
{
	switch (opcode >> 3 & 7) {
	case 1:
		if (m->quirk[GX_QUIRK_quads2])
			return n < 4 ? 0 : (n - 2) / 2 * 2;
		return n / 4 * 2 + (n % 4 == 3);
	case 0:
		return n / 4 * 2 + (n % 4 == 3);
	case 2:
		return n / 3;
	case 3:
	case 4:
		return n < 3 ? 0 : n - 2;
	case 5:
		return n / 2;
	case 6:
		return n < 2 ? 0 : n - 1;
	default:
		return n;
	}
}

/* Vertex numbers of primitive p, in the order SU gets them (spec 01, DRAW opcode); returns how many. */
static unsigned assemble(const struct gx_machine *m, uint8_t opcode, uint32_t p, uint32_t v[3])
{
	uint32_t k = p / 2;

	switch (opcode >> 3 & 7) {
	case 1:
		if (m->quirk[GX_QUIRK_quads2]) {
			v[0] = 2 * k;
			v[1] = p & 1 ? 2 * k + 3 : 2 * k + 1;
			v[2] = p & 1 ? 2 * k + 2 : 2 * k + 3;
			return 3;
		}
		/* fall through */
	case 0:
		v[0] = 4 * k;
		v[1] = 4 * k + 1 + (p & 1);
		v[2] = 4 * k + 2 + (p & 1);
		return 3;
	case 2:
		v[0] = 3 * p;
		v[1] = 3 * p + 1;
		v[2] = 3 * p + 2;
		return 3;
	case 3:
		v[0] = p;
		v[1] = p + 1 + (p & 1);
		v[2] = p + 2 - (p & 1);
		return 3;
	case 4:
		v[0] = 0;
		v[1] = p + 1;
		v[2] = p + 2;
		return 3;
	case 5:
		v[0] = 2 * p;
		v[1] = 2 * p + 1;
		return 2;
	case 6:
		v[0] = p;
		v[1] = p + 1;
		return 2;
	default:
		v[0] = p;
		return 1;
	}
}

bool gx_draw_begin(struct gx_machine *m, uint32_t command)
{
	const struct qs_command *c = qs_capture_command(m->capture, command);
	const uint8_t *bytes = qs_capture_command_bytes(m->capture, command);

	if (!m->draw && !(m->draw = calloc(1, sizeof *m->draw)))
		return false;
	struct gx_draw *d = m->draw;
	d->active = false;
	d->primitive_count = d->vertex_count = 0;
	if (!c || c->kind != QS_COMMAND_DRAW || c->size < 3)
		return false;

	uint32_t count = be16(bytes + 1);
	unsigned size = gx_vertex_size(m->state.cp, c->opcode & 7);
	if (size && count > (c->size - 3) / size)
		count = (c->size - 3) / size;
	if (!reserve_vertices(d, count))
		return false;
	d->opcode = c->opcode;
	d->primitive = QS_NONE;
	d->part_count = d->part = d->held_count = 0;
	d->quad = 0;
	m->command = command;
	qs_moment_of_command(m->capture, command, &m->moment);
	fetch_vertices(m, bytes + 3, count, size);
	d->primitive_count = count_primitives(m, d->opcode, d->vertex_count);
	gx_tx_begin_draw(m); /* textures depend on memory too */
	if (!m->draw_state_valid) {
		gx_tev_begin_draw(m);
		gx_pe_begin_draw(m);
		m->draw_state_valid = true;
	}
	d->batch_quads = gx_tx_batch_limit(m);
	if (d->batch_quads > m->batch_quads)
		d->batch_quads = m->batch_quads;
	d->active = true;
	return true;
}

void gx_draw_end(struct gx_machine *m)
{
	if (m->draw)
		m->draw->active = false;
	m->batch.quads = 0;
}

/* ---- primitives --------------------------------------------------------------------------------------------------------- */

static void tap_primitive(struct gx_machine *m)
{
	struct gx_draw *d = m->draw;

	m->moment.level = QS_LEVEL_PRIMITIVE;
	m->moment.primitive = d->primitive;
	m->moment.quad = m->moment.fragment = m->moment.stage = 0;
	for (unsigned i = 0; i < d->part_count; i++)
		m->stop |= !m->taps->primitive(m->taps->user, &m->moment, &d->parts[i].record);
	if (!d->part_count)
		m->stop |= !m->taps->primitive(m->taps->user, &m->moment, &d->nothing);
}

/* By number of vertices. */
static const uint8_t kinds[4] = {QS_PRIMITIVE_POINT, QS_PRIMITIVE_POINT, QS_PRIMITIVE_LINE, QS_PRIMITIVE_TRIANGLE};

bool gx_draw_next_primitive(struct gx_machine *m)
{
	struct gx_draw *d = m->draw;
	uint32_t number[3] = {QS_NONE, QS_NONE, QS_NONE};
	const struct gx_vertex *v[3] = {NULL, NULL, NULL};

	if (!d || !d->active || d->primitive + 1 >= d->primitive_count)
		return false;
	transform_vertices(m);
	d->primitive++;
	d->quad = 0;
	d->part = 0;
	unsigned n = assemble(m, d->opcode, d->primitive, number);
	for (unsigned i = 0; i < n; i++)
		v[i] = &d->vertex[number[i]];
	d->part_count = gx_su_primitive(m, kinds[n], v, d->parts, &d->nothing);
	for (unsigned i = 0; i <= d->part_count; i++) {
		struct qs_setup *r = i < d->part_count ? &d->parts[i].record : &d->nothing;
		for (unsigned k = 0; k < 3; k++)
			r->primitive_vertex[k] = k < n ? v[k]->index : QS_NONE;
	}
	if (d->part_count)
		gx_ras_begin(&d->ras, &d->parts[0]);
	if (gx_tapped(m, QS_TAP_PRIMITIVE))
		tap_primitive(m);
	return true;
}

/* ---- quads -------------------------------------------------------------------------------------------------------------- */

/* Next quad of the current primitive, through all its parts. */
static bool next_quad(struct gx_draw *d, int *x, int *y, uint16_t *coverage)
{
	while (d->part < d->part_count) {
		if (gx_ras_next(&d->ras, x, y, coverage))
			return true;
		if (++d->part < d->part_count)
			gx_ras_begin(&d->ras, &d->parts[d->part]);
	}
	return false;
}

/* Is the place among those of other triangles than the newest?  (A triangle comes to a place once.) */
static bool batch_has(const struct gx_draw *d, const struct gx_batch *b, int x, int y)
{
	bool found = false;

	if (!b->quads || b->triangle[0] == &d->parts[d->part])
		return false;
	for (unsigned i = 0; i < b->quads; i++)
		found |= b->x[i] == x && b->y[i] == y;
	return found;
}

static void tap_quads(struct gx_machine *m)
{
	struct gx_batch *b = &m->batch;

	m->moment.level = QS_LEVEL_QUAD;
	m->moment.fragment = m->moment.stage = 0;
	for (unsigned i = 0; i < b->quads; i++) {
		m->moment.quad = b->number[i];
		m->stop |= !m->taps->quad(m->taps->user, &m->moment, &b->triangle[i]->record, &b->record[i]);
	}
}

/* Order: spec 00 section 7. */
void gx_draw_shade(struct gx_machine *m, uint8_t commit)
{
	struct gx_batch *b = &m->batch;

	if (!b->quads)
		return;
	b->commit = commit;
	b->record = NULL;
	b->detail = gx_tapped(m, QS_TAP_DETAIL);
	if (gx_tapped(m, QS_TAP_QUAD)) {
		if (!m->draw->records)
			m->draw->records = calloc(GX_BATCH_QUADS, sizeof *m->draw->records);
		b->record = m->draw->records;
	}
	b->z_done = false;
	gx_ras_attributes(m, b);
	if (bits(m->state.bp[0x43], 6, 1))
		gx_pe_early_z(m, b);
	gx_tev_run(m, b);
	gx_pe_alpha(m, b);
	gx_pe_ztexture(m, b);
	gx_fog_run(m, b);
	gx_pe_write(m, b);
	if (b->record)
		tap_quads(m);
	b->quads = 0;
}

static void shade(struct gx_machine *m, uint8_t commit)
{
	gx_sync(m);
	gx_draw_shade(m, commit);
	m->draw->held_count = 0;
}

static void add_quad(struct gx_draw *d, struct gx_batch *b, int x, int y, uint16_t coverage)
{
	unsigned i = b->quads++;

	b->triangle[i] = &d->parts[d->part];
	b->x[i] = (int16_t)x;
	b->y[i] = (int16_t)y;
	b->coverage[i] = coverage;
	b->number[i] = d->quad++;
}

unsigned gx_draw_next_quads(struct gx_machine *m, unsigned max, uint8_t commit)
{
	struct gx_draw *d = m->draw;
	struct gx_batch *b = &m->batch;
	int x, y;
	uint16_t coverage;

	if (!d || !d->active)
		return 0;
	if (max > d->batch_quads)
		max = d->batch_quads;
	b->quads = 0;
	while (b->quads < max) {
		struct gx_ras ras = d->ras;
		unsigned part = d->part;
		if (!next_quad(d, &x, &y, &coverage))
			break;
		/* parts of one primitive (clipped fans share edges, scissor wraps share nothing) never cover a pixel twice, but
		 * their quads may lie at the same place */
		if (batch_has(d, b, x, y)) {
			d->ras = ras;
			d->part = part;
			break;
		}
		add_quad(d, b, x, y, coverage);
	}
	unsigned n = b->quads;
	m->moment.primitive = d->primitive;
	shade(m, commit);
	return n;
}

unsigned gx_draw_skip_quads(struct gx_machine *m, unsigned max)
{
	struct gx_draw *d = m->draw;
	unsigned n = 0;
	int x, y;
	uint16_t coverage;

	if (!d || !d->active)
		return 0;
	while (n < max && next_quad(d, &x, &y, &coverage))
		n++;
	d->quad += n;
	return n;
}

/* Triangles of the current primitive that waiting quads point at move out of the way of the next primitive. */
static void hold_triangles(struct gx_draw *d, struct gx_batch *b)
{
	for (unsigned i = 0; i < b->quads; i++) {
		const struct gx_triangle *t = b->triangle[i];
		if (t >= d->held && t < d->held + GX_BATCH_QUADS)
			continue;
		struct gx_triangle *copy = &d->held[d->held_count++];
		*copy = *t;
		for (unsigned k = i; k < b->quads; k++)
			if (b->triangle[k] == t)
				b->triangle[k] = copy;
	}
}

static bool stopped(const struct gx_machine *m)
{
	return m->stop || (m->cancel && *m->cancel);
}

/* All quads of the current primitive, into batches that may already hold quads of earlier ones. */
static void run_primitive(struct gx_machine *m)
{
	struct gx_draw *d = m->draw;
	struct gx_batch *b = &m->batch;
	int x, y;
	uint16_t coverage;

	while (next_quad(d, &x, &y, &coverage)) {
		if (b->quads == d->batch_quads || batch_has(d, b, x, y)) {
			shade(m, 15);
			if (stopped(m))
				return;
		}
		add_quad(d, b, x, y, coverage);
	}
}

/* ---- what a renderer of whole draws asks ----------------------------------------------------------------------------------- */

uint32_t gx_draw_primitives(const struct gx_machine *m)
{
	return m->draw ? m->draw->primitive_count : 0;
}

unsigned gx_draw_assemble(const struct gx_machine *m, uint32_t p, uint32_t number[3])
{
	return assemble(m, m->draw->opcode, p, number);
}

/* Sets up one primitive for its plane alone. */
static void latch_primitive(struct gx_machine *m, uint32_t p)
{
	struct gx_draw *d = m->draw;
	const struct gx_vertex *v[3];
	struct gx_vertex copy[3];
	uint32_t number[3];
	unsigned n = assemble(m, d->opcode, p, number);

	for (unsigned i = 0; i < n; i++) {
		v[i] = &copy[i];
		copy[i] = d->vertex[number[i]];
		memset(copy[i].colour, 0, sizeof copy[i].colour);
		memset(copy[i].tex, 0, sizeof copy[i].tex);
		memset(copy[i].screen, 0, sizeof copy[i].screen);
		memset(copy[i].exact, 0, sizeof copy[i].exact);
		copy[i].inv_w = 0;
		gx_xf_position(m, &copy[i]);
		if (copy[i].clip[3] != 0)
			gx_xf_viewport(m, &copy[i]);
	}
	gx_su_primitive(m, kinds[n], v, d->parts, &d->nothing);
}

void gx_draw_latch(struct gx_machine *m)
{
	struct gx_draw *d = m->draw;
	struct gx_state *s = &m->state;
	bool valid = s->z_plane_valid, first = m->quirk[GX_QUIRK_zfreeze] != 0;

	if (bits(s->bp[0], 19, 1) || (first && valid))
		return;
	/* the last primitive that leaves a plane, or the first one of the frame */
	s->z_plane_valid = false;
	for (uint32_t i = 0; i < d->primitive_count && !s->z_plane_valid; i++)
		latch_primitive(m, first ? i : d->primitive_count - 1 - i);
	s->z_plane_valid |= valid;
	d->part_count = 0;
}

/* ---- the second renderer ------------------------------------------------------------------------------------------------- */

static void run_soft(struct gx_machine *m);

static bool render(struct gx_machine *m)
{
	const struct qs_taps *taps = m->taps;
	bool done;

	gx_flush(m);
	m->taps = NULL;
	done = m->renderer->draw(m->renderer->user, m);
	m->taps = taps;
	if (!done)
		gx_draw_begin(m, m->command); /* from its first primitive again */
	return done;
}

/* Primitives and quads are reported by the units, which draw on the renderer's pixels; then those come back and the renderer
 * draws too, so that pixels never depend on who watches.  The units leave no trace: registers come back, and textures are read from
 * memory, as a renderer does, so that no line of TMEM is filled. */
static bool render_watched(struct gx_machine *m)
{
	struct gx_efb *before = malloc(sizeof *before);
	struct gx_state state = m->state;
	int cache = m->quirk[GX_QUIRK_texture_cache];
	uint32_t command = m->command;

	if (!before)
		return false;
	gx_sync(m);
	*before = *m->efb;
	m->quirk[GX_QUIRK_texture_cache] = 0;
	if (cache)
		gx_tx_begin_draw(m);
	run_soft(m);
	m->quirk[GX_QUIRK_texture_cache] = cache;
	if (!stopped(m)) {
		*m->efb = *before;
		m->state = state;
		if (gx_draw_begin(m, command) && !render(m))
			run_soft(m);
	}
	free(before);
	return true;
}

void gx_draw_run(struct gx_machine *m)
{
	struct gx_draw *d = m->draw;

	if (!d || !d->active)
		return;
	/* the anti-aliased EFB has more samples than a renderer keeps */
	if (m->renderer && d->primitive == QS_NONE && gx_efb_samples(m) == 1) {
		if (gx_tapped(m, QS_TAP_PRIMITIVE | QS_TAP_QUAD) ? render_watched(m) : render(m)) {
			gx_draw_end(m);
			return;
		}
	}
	run_soft(m);
}

static void run_soft(struct gx_machine *m)
{
	struct gx_draw *d = m->draw;
	bool tapped = gx_tapped(m, QS_TAP_PRIMITIVE | QS_TAP_QUAD);

	if (!d->active)
		return;
	m->batch.quads = 0;
	d->held_count = 0;
	if (m->renderer_ahead)
		gx_sync(m);
	if (gx_defer_draw(m)) {
		gx_draw_end(m);
		return;
	}
	gx_flush(m);
	do {
		m->moment.primitive = d->primitive;
		run_primitive(m);
		/* events must come in order: a primitive's quads before the next primitive */
		if (tapped)
			shade(m, 15);
		else
			hold_triangles(d, &m->batch);
		if (stopped(m))
			break;
	} while (gx_draw_next_primitive(m));
	shade(m, 15);
	gx_draw_end(m);
}

/* ---- what the debugger asks ---------------------------------------------------------------------------------------------- */

uint32_t gx_draw_primitive(const struct gx_machine *m)
{
	return m->draw && m->draw->active ? m->draw->primitive : QS_NONE;
}

uint32_t gx_draw_quad(const struct gx_machine *m)
{
	return m->draw ? m->draw->quad : 0;
}

unsigned gx_draw_parts(const struct gx_machine *m, const struct gx_triangle **parts, const struct qs_setup **nothing)
{
	*parts = m->draw ? m->draw->parts : NULL;
	*nothing = m->draw ? &m->draw->nothing : NULL;
	return m->draw ? m->draw->part_count : 0;
}

unsigned gx_draw_vertices(struct gx_machine *m, const struct gx_vertex **vertices)
{
	if (m->draw)
		transform_vertices(m);
	return gx_draw_fetched(m, vertices);
}

unsigned gx_draw_fetched(const struct gx_machine *m, const struct gx_vertex **vertices)
{
	*vertices = m->draw ? m->draw->vertex : NULL;
	return m->draw ? m->draw->vertex_count : 0;
}
