/* story.c - lists of what two sources did to pixels, and where they part
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "trace/story.h"

#define QUADS_MAX 2000000u /* listed; the first difference is long before */
#define COPY_BYTES ((size_t)128 << 20)

static bool grow(void *array, size_t count, size_t *room, size_t size)
{
	void *old, *grown;
	size_t wanted = *room ? 2 * *room : 64;

	if (count < *room)
		return true;
	memcpy(&old, array, sizeof old);
	grown = realloc(old, wanted * size);
	if (!grown)
		return false;
	memcpy(array, &grown, sizeof grown);
	*room = wanted;
	return true;
}

void story_finish(struct story *s)
{
	for (size_t i = 0; i < s->copies; i++)
		free(s->copy[i].data);
	free(s->copy);
	free(s->quad);
}

/* ---- listing ------------------------------------------------------------------------------------------------------------ */

static size_t copy_size(const struct qs_copy *c)
{
	static const uint8_t tile_height[16] = {8, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4};
	uint32_t rows = (c->height + tile_height[c->format & 15] - 1u) / tile_height[c->format & 15];

	return (size_t)rows * c->stride;
}

static bool note_copy(void *user, const struct qs_moment *moment, const struct qs_copy *copy)
{
	struct story *s = user;
	struct copy_note *n;

	if (copy->to_display)
		return true;
	if (!grow(&s->copy, s->copies, &s->copy_room, sizeof *s->copy)) {
		s->no_memory = true;
		return false;
	}
	n = &s->copy[s->copies];
	*n = (struct copy_note){.moment = *moment, .copy = *copy, .size = copy_size(copy)};
	if (s->source->memory && n->size && s->bytes + n->size <= COPY_BYTES && (n->data = malloc(n->size))) {
		s->bytes += n->size;
		s->source->memory(s->source->user, copy->destination, n->data, n->size);
	}
	s->copies++;
	return true;
}

static bool is_marked(const struct story *s, int x, int y)
{
	return x >= 0 && y >= 0 && x < s->width && y < s->height && s->mark[y * s->width + x];
}

static bool note_quad(void *user, const struct qs_moment *moment, const struct qs_setup *setup, const struct qs_quad *quad)
{
	struct story *s = user;
	struct quad_note *n;
	bool wanted = false;

	(void)setup;
	if (moment->command >= s->last)
		return false;
	for (unsigned k = 0; k < 4; k++)
		wanted |= is_marked(s, quad->x + (int)(k & 1), quad->y + (int)(k >> 1));
	if (!wanted)
		return true;
	if (s->quads == QUADS_MAX)
		return false;
	if (!grow(&s->quad, s->quads, &s->quad_room, sizeof *s->quad)) {
		s->no_memory = true;
		return false;
	}
	n = &s->quad[s->quads++];
	memset(n, 0, sizeof *n);
	n->moment = *moment;
	n->moment.level = QS_LEVEL_QUAD;
	n->x = quad->x;
	n->y = quad->y;
	for (unsigned k = 0; k < 4; k++) {
		const struct qs_fragment *f = &quad->fragment[k];
		struct fragment_note *o = &n->fragment[k];

		o->covered = (uint8_t)(quad->coverage >> 3 * k & 7);
		if (!o->covered || !is_marked(s, quad->x + (int)(k & 1), quad->y + (int)(k >> 1)))
			continue;
		o->verdict = f->verdict;
		o->z = f->z_new;
		if (f->verdict == QS_VERDICT_WRITTEN)
			memcpy(o->rgba, f->new_rgba, 4);
	}
	return true;
}

bool story_tell(struct comparer *c, struct story s[2], uint32_t mask, struct qs_error *error)
{
	for (unsigned i = 0; i < 2; i++) {
		struct qs_taps taps = {.mask = mask, .user = &s[i], .quad = note_quad, .copy = note_copy};

		if (!compare_progress(c, c->fraction) || !s[i].source->replay(s[i].source->user, c->options->frame, &taps, error))
			return false;
		if (s[i].no_memory) {
			qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for the quads of the frame.");
			return false;
		}
	}
	return true;
}

/* ---- comparing the lists ------------------------------------------------------------------------------------------------- */

static int place_order(const void *a, const void *b)
{
	const struct quad_note *p = *(const struct quad_note *const *)a, *q = *(const struct quad_note *const *)b;

	if (p->y != q->y)
		return p->y < q->y ? -1 : 1;
	if (p->x != q->x)
		return p->x < q->x ? -1 : 1;
	return p->moment.quad < q->moment.quad ? -1 : p->moment.quad > q->moment.quad;
}

static int key_order(const struct quad_note *a, const struct quad_note *b)
{
	if (a->moment.command != b->moment.command)
		return a->moment.command < b->moment.command ? -1 : 1;
	if (a->moment.primitive != b->moment.primitive)
		return a->moment.primitive < b->moment.primitive ? -1 : 1;
	return 0;
}

/* The first fragment on a marked pixel that did something else, or whose depth differs when only that counts. */
static bool differs(const struct story *s, const struct quad_note *a, const struct quad_note *b, bool depth, unsigned *fragment)
{
	static const struct quad_note nothing;
	const struct quad_note *any = a ? a : b, *p = a ? a : &nothing, *q = b ? b : &nothing;

	for (unsigned k = 0; k < 4; k++) {
		const struct fragment_note *f = &p->fragment[k], *g = &q->fragment[k];
		bool other = f->covered != g->covered;

		if (!is_marked(s, any->x + (int)(k & 1), any->y + (int)(k >> 1)))
			continue;
		if (!other && f->covered)
			other = depth ? f->z != g->z : f->verdict != g->verdict || memcmp(f->rgba, g->rgba, 4);
		if (other) {
			*fragment = k;
			return true;
		}
	}
	return false;
}

/* The quads of one primitive in both, sorted by place: the one that comes first in the walk. */
static bool compare_primitive(const struct story *s, const struct quad_note **list[2], const size_t n[2], bool depth, struct story_pair *found)
{
	size_t i = 0, k = 0;
	uint32_t best = UINT32_MAX;

	qsort(list[0], n[0], sizeof **list, place_order);
	qsort(list[1], n[1], sizeof **list, place_order);
	while (i < n[0] || k < n[1]) {
		const struct quad_note *a = i < n[0] ? list[0][i] : NULL, *b = k < n[1] ? list[1][k] : NULL;
		unsigned fragment;

		if (a && b && (a->y != b->y || a->x != b->x)) {
			if (a->y < b->y || (a->y == b->y && a->x < b->x))
				b = NULL;
			else
				a = NULL;
		}
		i += a != NULL;
		k += b != NULL;
		if (!differs(s, a, b, depth, &fragment))
			continue;
		if ((a ? a : b)->moment.quad < best) {
			best = (a ? a : b)->moment.quad;
			*found = (struct story_pair){{a, b}, fragment};
		}
	}
	return best != UINT32_MAX;
}

static size_t run_length(const struct story *s, size_t from, const struct quad_note *key)
{
	size_t n = 0;

	while (from + n < s->quads && !key_order(&s->quad[from + n], key))
		n++;
	return n;
}

bool story_compare(const struct story s[2], bool depth, struct story_pair *found, bool *no_memory)
{
	size_t at[2] = {0, 0};

	*no_memory = false;
	while (at[0] < s[0].quads || at[1] < s[1].quads) {
		const struct quad_note *key = at[0] < s[0].quads ? &s[0].quad[at[0]] : &s[1].quad[at[1]], **list[2];
		size_t n[2];
		bool hit = false;

		if (at[0] < s[0].quads && at[1] < s[1].quads && key_order(&s[1].quad[at[1]], key) < 0)
			key = &s[1].quad[at[1]];
		for (unsigned i = 0; i < 2; i++)
			n[i] = run_length(&s[i], at[i], key);
		list[0] = malloc((n[0] + n[1] + 1) * sizeof **list);
		if (!list[0]) {
			*no_memory = true;
			return false;
		}
		list[1] = list[0] + n[0];
		for (unsigned i = 0; i < 2; i++)
			for (size_t k = 0; k < n[i]; k++)
				list[i][k] = &s[i].quad[at[i] + k];
		hit = compare_primitive(s, list, n, depth, found);
		free(list[0]);
		if (hit)
			return true;
		at[0] += n[0];
		at[1] += n[1];
	}
	return false;
}

/* ---- draw by draw -------------------------------------------------------------------------------------------------------- */

#define TRIES 32 /* quads of a draw that differ only by what was there before */

/* The part of the list that belongs to a command. */
static struct story of_command(const struct story *s, uint32_t command, size_t *at)
{
	struct story part = *s;

	while (*at < s->quads && s->quad[*at].moment.command < command)
		++*at;
	part.quad = s->quad ? s->quad + *at : NULL;
	part.quads = 0;
	while (*at < s->quads && s->quad[*at].moment.command == command) {
		part.quads++;
		++*at;
	}
	return part;
}

/* Leaves out everything up to the primitive. */
static void skip_primitive(struct story *s, uint32_t primitive)
{
	while (s->quads && s->quad->moment.primitive <= primitive) {
		s->quad++;
		s->quads--;
	}
}

/* The first quad of the draw that differs by itself. */
static bool note_draw(struct comparer *c, struct story part[2], struct qs_error *error)
{
	struct story_pair pair;
	bool no_memory, earlier = true;

	for (unsigned tries = 0; tries < TRIES && story_compare(part, false, &pair, &no_memory); tries++) {
		uint32_t primitive = (pair.note[0] ? pair.note[0] : pair.note[1])->moment.primitive;
		struct qs_divergence *d = compare_new_draw(c);

		if (!d)
			return true;
		if (!story_describe(c, &pair, d, &earlier, error))
			return false;
		if (!earlier)
			return true;
		free(d->operand);
		c->result->draw_count--;
		skip_primitive(&part[0], primitive);
		skip_primitive(&part[1], primitive);
	}
	return true;
}

bool compare_draws(struct comparer *c, struct qs_error *error)
{
	struct story s[2] = {{.source = c->a, .last = QS_NONE}, {.source = c->b, .last = QS_NONE}};
	size_t pixels = (size_t)c->width * c->height, at[2] = {0, 0};
	uint8_t *mark = malloc(pixels + 1);
	bool good = mark != NULL;

	if (!good)
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for a comparison.");
	else
		memset(mark, 1, pixels + 1);
	for (unsigned i = 0; i < 2; i++) {
		s[i].mark = mark;
		s[i].width = (int)c->width;
		s[i].height = (int)c->height;
	}
	good = good && story_tell(c, s, QS_TAP_QUAD, error);
	while (good && !c->stopped && (at[0] < s[0].quads || at[1] < s[1].quads)) {
		uint32_t command = UINT32_MAX;
		struct story part[2];

		for (unsigned i = 0; i < 2; i++)
			if (at[i] < s[i].quads && s[i].quad[at[i]].moment.command < command)
				command = s[i].quad[at[i]].moment.command;
		for (unsigned i = 0; i < 2; i++)
			part[i] = of_command(&s[i], command, &at[i]);
		good = note_draw(c, part, error);
	}
	story_finish(&s[0]);
	story_finish(&s[1]);
	free(mark);
	return good || c->stopped;
}
