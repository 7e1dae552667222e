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

#include "trace/story.h"

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

/* ---- what was found ----------------------------------------------------------------------------------------------------- */

static bool get_side(const struct qs_source *source, const struct quad_note *note, struct compare_side *side)
{
	struct qs_error error;

	memset(side, 0, sizeof *side);
	side->there = note && source->quad && source->quad(source->user, &note->moment, &side->setup, &side->quad, &error);
	return side->there;
}

static void describe_coverage(struct comparer *c, const struct story_pair *p, const struct compare_side side[2], struct qs_divergence *d)
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
bool story_describe(struct comparer *c, const struct story_pair *p, struct qs_divergence *d, bool *earlier, struct qs_error *error)
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
	else if (!compare_gfx3d_operands(c, &p->note[0]->moment, &p->note[1]->moment, p->fragment, d, earlier) && side[0].there && side[1].there)
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
	struct story_pair pair;
	bool no_memory, earlier, good = mark != NULL;

	if (good) {
		mark[from->y * (int)c->width + from->x] = 1;
		good = story_tell(c, sub, QS_TAP_QUAD, error);
	}
	if (good && (story_compare(sub, false, &pair, &no_memory) || story_compare(sub, true, &pair, &no_memory)))
		good = story_describe(c, &pair, d, &earlier, error);
	story_finish(&sub[0]);
	story_finish(&sub[1]);
	free(mark);
	return good;
}

static bool search_quads(struct comparer *c, struct story s[2], struct qs_divergence *d, struct qs_error *error)
{
	struct qs_divergence before = {0};
	struct story_pair pair;
	bool no_memory, earlier = false;

	if (!story_tell(c, s, QS_TAP_QUAD, error))
		return false;
	if (!story_compare(s, false, &pair, &no_memory) && !story_compare(s, true, &pair, &no_memory)) {
		if (no_memory)
			qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for the quads of the frame.");
		return !no_memory;
	}
	if (!story_describe(c, &pair, d, &earlier, error))
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
	bool good = mark && story_tell(c, s, QS_TAP_COPY, error);

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
	story_finish(&s[0]);
	story_finish(&s[1]);
	free(mark);
	return good || c->stopped;
}
