/* diverge.c - the first event of a frame in which two sources part
 *
 * Copies to textures are compared first: when one of them differs, everything after it may follow from it, so the search is for
 * what made it differ inside of its rectangle; else it is for what made the pixels that differ at the end.  Then the quads of
 * both are listed with what they did to those pixels, and the lists are compared in order; a fragment counts only when its
 * coverage, verdict or stored colour differs.  Where a fragment differs only because depth or colour of its pixel did, the
 * fragment that stored those is taken.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/compare.h"

#define QUADS_MAX 2000000u /* listed; the first difference is long before */
#define COPY_BYTES ((size_t)128 << 20)

struct fragment_note {
	uint8_t covered, verdict;
	uint8_t rgba[4];
	uint32_t z;
};

struct quad_note {
	struct qs_moment moment;
	int16_t x, y;
	struct fragment_note fragment[4];
};

struct copy_note {
	struct qs_moment moment;
	struct qs_copy copy;
	uint8_t *data;
	size_t size;
};

/* What one source did in the frame. */
struct story {
	const struct qs_source *source;
	struct quad_note *quad;
	size_t quads, quad_room;
	struct copy_note *copy;
	size_t copies, copy_room, bytes;
	const uint8_t *mark; /* pixels that are looked at */
	int width, height;
	uint32_t last;       /* commands from here on are not looked at */
	bool no_memory;
};

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

static void free_story(struct story *s)
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

static bool tell(struct comparer *c, struct story s[2], uint32_t mask, struct qs_error *error)
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

/* ---- what is looked for ------------------------------------------------------------------------------------------------- */

static const struct copy_note *first_copy(const struct story s[2], const struct copy_note **other, size_t *offset)
{
	for (size_t i = 0; i < s[0].copies && i < s[1].copies; i++) {
		const struct copy_note *a = &s[0].copy[i], *b = &s[1].copy[i];

		if (!a->data || !b->data)
			continue;
		if (a->size != b->size || memcmp(a->data, b->data, a->size)) {
			for (*offset = 0; *offset < a->size && *offset < b->size && a->data[*offset] == b->data[*offset]; ++*offset)
				;
			*other = b;
			return a;
		}
	}
	return NULL;
}

static void mark_rect(const struct comparer *c, uint8_t *mark, struct qs_rect r)
{
	for (int y = r.y0 > 0 ? r.y0 : 0; y < r.y1 && y < (int)c->height; y++)
		for (int x = r.x0 > 0 ? r.x0 : 0; x < r.x1 && x < (int)c->width; x++)
			mark[y * (int)c->width + x] = 1;
}

/* Pixels of the EFB that differ at the end of the frame. */
static bool mark_efb(struct comparer *c, uint8_t *mark, enum qs_buffer buffer, uint64_t *count)
{
	struct qs_image a = {0}, b = {0};
	struct qs_error error;
	bool good = c->a->image(c->a->user, c->options->frame, buffer, &a, &error) &&
		    c->b->image(c->b->user, c->options->frame, buffer, &b, &error) && a.width == c->width && b.width == c->width &&
		    a.height == c->height && b.height == c->height;

	for (size_t i = 0; good && i < (size_t)c->width * c->height; i++)
		if (compare_pixel_differs(c, &a, &b, buffer, i)) {
			mark[i] = 1;
			++*count;
		}
	qs_image_finish(&a);
	qs_image_finish(&b);
	return good;
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

struct pair {
	const struct quad_note *note[2]; /* NULL: not there */
	unsigned fragment;
};

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
static bool compare_primitive(const struct story *s, const struct quad_note **list[2], const size_t n[2], bool depth, struct pair *found)
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
			*found = (struct pair){{a, b}, fragment};
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

static bool compare_lists(const struct story s[2], bool depth, struct pair *found, bool *no_memory)
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

/* ---- what was found ----------------------------------------------------------------------------------------------------- */

static bool get_side(const struct qs_source *source, const struct quad_note *note, struct compare_side *side)
{
	struct qs_error error;

	memset(side, 0, sizeof *side);
	side->there = note && source->quad && source->quad(source->user, &note->moment, &side->setup, &side->quad, &error);
	return side->there;
}

static void describe_coverage(struct comparer *c, const struct pair *p, const struct compare_side side[2], struct qs_divergence *d)
{
	enum { PARTS = 8 };
	struct qs_moment moment = (p->note[0] ? p->note[0] : p->note[1])->moment;
	struct qs_setup *setup = calloc(2 * PARTS, sizeof *setup);
	struct qs_error error;
	uint32_t count[2] = {0, 0};

	moment.level = QS_LEVEL_PRIMITIVE;
	moment.quad = 0;
	for (unsigned i = 0; setup && i < 2; i++) {
		const struct qs_source *source = i ? c->b : c->a;

		count[i] = source->setup ? source->setup(source->user, &moment, setup + PARTS * i, PARTS, &error) : 0;
		count[i] = count[i] < PARTS ? count[i] : PARTS;
	}
	operands_of_coverage(d, side, setup, count[0], setup ? setup + PARTS : NULL, count[1], p->fragment);
	free(setup);
}

/* The record of the pair; *earlier: only what the pixel held before differs. */
static bool describe_pair(struct comparer *c, const struct pair *p, struct qs_divergence *d, bool *earlier, struct qs_error *error)
{
	const struct quad_note *any = p->note[0] ? p->note[0] : p->note[1];
	struct compare_side *side = calloc(2, sizeof *side);
	uint16_t covered[2];

	*earlier = false;
	if (!side) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for two quads.");
		return false;
	}
	d->found = true;
	d->moment = any->moment;
	d->moment.level = QS_LEVEL_FRAGMENT;
	d->moment.fragment = p->fragment;
	d->x = any->x + (int)(p->fragment & 1);
	d->y = any->y + (int)(p->fragment >> 1);
	d->stage = QS_NONE;
	for (unsigned i = 0; i < 2; i++) {
		covered[i] = p->note[i] ? p->note[i]->fragment[p->fragment].covered : 0;
		get_side(i ? c->b : c->a, p->note[i], &side[i]);
	}
	d->only_a = covered[0] && !covered[1];
	d->only_b = covered[1] && !covered[0];
	if (covered[0] != covered[1])
		describe_coverage(c, p, side, d);
	else if (side[0].there && side[1].there)
		operands_of_fragment(d, side, p->fragment, earlier);
	free(side);
	return true;
}

static void describe_copy(const struct copy_note *a, const struct copy_note *b, size_t offset, struct qs_divergence *d)
{
	char name[40];

	d->found = true;
	d->moment = a->moment;
	d->unit = QS_AT_COPY;
	d->kind = (uint8_t)class_of_unit(QS_AT_COPY);
	d->stage = QS_NONE;
	d->x = a->copy.source.x0;
	d->y = a->copy.source.y0;
	snprintf(d->text, sizeof d->text, "A copy to a texture gives other bytes from the same pixels.");
	operand_number(d, "format", a->copy.format, b->copy.format);
	operand_number(d, "half size", a->copy.half, b->copy.half);
	operand_number(d, "width", a->copy.width, b->copy.width);
	operand_number(d, "height", a->copy.height, b->copy.height);
	snprintf(name, sizeof name, "byte at 0x%08" PRIx32, a->copy.destination + (uint32_t)offset);
	operand_number(d, name, offset < a->size ? a->data[offset] : -1, offset < b->size ? b->data[offset] : -1);
}

/* The EFB is the same, the picture that was made of it is not. */
static void describe_display(struct comparer *c, const struct qs_image *a, const struct qs_image *b, struct qs_divergence *d)
{
	size_t n = (size_t)a->width * a->height, i = 0;
	char text[2][32];

	d->found = true;
	d->moment = (struct qs_moment){.level = QS_LEVEL_FRAME, .frame = c->options->frame, .draw = QS_NONE};
	d->unit = QS_AT_COPY;
	d->kind = (uint8_t)class_of_unit(QS_AT_COPY);
	d->stage = QS_NONE;
	snprintf(d->text, sizeof d->text, "The display copy makes another picture from the same pixels.");
	if (a->width != b->width || a->height != b->height) {
		snprintf(text[0], sizeof text[0], "%" PRIu32 "x%" PRIu32, a->width, a->height);
		snprintf(text[1], sizeof text[1], "%" PRIu32 "x%" PRIu32, b->width, b->height);
		operand_text(d, "size", text[0], text[1]);
		return;
	}
	while (i < n && !compare_pixel_differs(c, a, b, c->result->buffer, i))
		i++;
	if (i < n) {
		d->x = (int)(i % a->width);
		d->y = (int)(i / a->width);
		operand_colour(d, "copied", a->rgba + 4 * i, b->rgba + 4 * i);
	}
}

/* ---- the search --------------------------------------------------------------------------------------------------------- */

static void clear_operands(struct qs_divergence *d)
{
	free(d->operand);
	memset(d, 0, sizeof *d);
}

/* Only the pixel (x, y) before a command: who stored the depth or colour that differs. */
static bool find_earlier(struct comparer *c, struct story s[2], const struct qs_divergence *from, struct qs_divergence *d,
	struct qs_error *error)
{
	uint8_t *mark = calloc((size_t)c->width * c->height + 1, 1);
	struct story sub[2] = {{.source = s[0].source, .mark = mark, .last = from->moment.command + 1, .width = (int)c->width,
		.height = (int)c->height}, {.source = s[1].source, .mark = mark, .last = from->moment.command + 1, .width = (int)c->width,
		.height = (int)c->height}};
	struct pair pair;
	bool no_memory, earlier, good = mark != NULL;

	if (good) {
		mark[from->y * (int)c->width + from->x] = 1;
		good = tell(c, sub, QS_TAP_QUAD, error);
	}
	if (good && (compare_lists(sub, false, &pair, &no_memory) || compare_lists(sub, true, &pair, &no_memory)))
		good = describe_pair(c, &pair, d, &earlier, error);
	free_story(&sub[0]);
	free_story(&sub[1]);
	free(mark);
	return good;
}

static bool search_quads(struct comparer *c, struct story s[2], struct qs_divergence *d, struct qs_error *error)
{
	struct qs_divergence before = {0};
	struct pair pair;
	bool no_memory, earlier = false;

	if (!tell(c, s, QS_TAP_QUAD, error))
		return false;
	if (!compare_lists(s, false, &pair, &no_memory) && !compare_lists(s, true, &pair, &no_memory)) {
		if (no_memory)
			qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for the quads of the frame.");
		return !no_memory;
	}
	if (!describe_pair(c, &pair, d, &earlier, error))
		return false;
	if (!earlier)
		return true;
	if (!find_earlier(c, s, d, &before, error)) {
		free(before.operand);
		return false;
	}
	if (before.found && qs_moment_compare(&before.moment, &d->moment) < 0) {
		clear_operands(d);
		*d = before;
		return true;
	}
	free(before.operand);
	d->kind = QS_CLASS_STALE_STATE;
	snprintf(d->text, sizeof d->text, "The pixel held something else before the frame's first fragment reached it.");
	return true;
}

bool compare_first(struct comparer *c, const struct qs_image *a, const struct qs_image *b, struct qs_divergence *d,
	struct qs_error *error)
{
	struct story s[2] = {{.source = c->a, .last = QS_NONE}, {.source = c->b, .last = QS_NONE}};
	const struct copy_note *copy, *other = NULL;
	uint8_t *mark = calloc((size_t)c->width * c->height + 1, 1);
	uint64_t marked = 0;
	size_t offset = 0;
	bool good = mark && tell(c, s, QS_TAP_COPY, error);

	memset(d, 0, sizeof *d);
	if (!mark)
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for a comparison.");
	copy = good ? first_copy(s, &other, &offset) : NULL;
	if (copy) {
		mark_rect(c, mark, copy->copy.source);
		s[0].last = s[1].last = copy->moment.command;
		marked = 1;
	} else if (good) {
		mark_efb(c, mark, QS_BUFFER_COLOR, &marked);
		if (!marked || c->result->buffer == QS_BUFFER_DEPTH || c->result->buffer == QS_BUFFER_ALPHA)
			mark_efb(c, mark, c->result->buffer == QS_BUFFER_DEPTH ? QS_BUFFER_DEPTH : QS_BUFFER_ALPHA, &marked);
	}
	s[0].mark = s[1].mark = mark;
	s[0].width = s[1].width = (int)c->width;
	s[0].height = s[1].height = (int)c->height;
	if (good && marked)
		good = search_quads(c, s, d, error);
	if (good && !d->found && copy)
		describe_copy(copy, other, offset, d);
	else if (good && !d->found)
		describe_display(c, a, b, d);
	free_story(&s[0]);
	free_story(&s[1]);
	free(mark);
	return good || c->stopped;
}
