/* minimise.c - the smallest set of switches that makes the first source draw what the second one draws
 *
 * Candidates are the switches of the first source whose value differs from the second's.  With all of them set the pictures
 * should be equal; then groups that are not needed are taken back, halves first and single ones last (delta debugging), so
 * that none of what is left can be left out.  Because switches can hide one another, single ones and pairs of those that change
 * the picture alone are tried at last.  Every step is proven by drawing.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "trace/compare.h"
#include "trace/gfx3d.h"

#define PAIRS 10 /* candidates of which pairs are tried */

struct candidate {
	uint32_t index; /* of the switch */
	const char *name;
	int a, b;
	bool set;     /* has b's value in the set that is looked at */
	bool changes; /* alone it changes the first source's picture */
};

struct search {
	struct comparer *c;
	struct candidate *candidate;
	uint32_t count;
	struct qs_image target;
	struct qs_error *error;
	bool failed;
};

/* ---- drawing ------------------------------------------------------------------------------------------------------------ */

static bool apply(struct search *s)
{
	const struct qs_source *a = s->c->a;

	for (uint32_t i = 0; i < s->count; i++)
		if (!a->switch_set(a->user, s->candidate[i].index, s->candidate[i].set ? s->candidate[i].b : s->candidate[i].a))
			return false;
	return true;
}

/* The first source's picture with the set. */
static bool draw(struct search *s, struct qs_image *image)
{
	const struct qs_source *a = s->c->a;
	struct qs_comparison *r = s->c->result;

	memset(image, 0, sizeof *image);
	r->drawn++;
	if (!compare_progress(s->c, 0.3 + 0.5 * (double)r->drawn / (double)(r->drawn + s->count)) || !apply(s) ||
		!a->image(a->user, s->c->options->frame, r->buffer, image, s->error)) {
		s->failed = true;
		return false;
	}
	return true;
}

static bool reaches(struct search *s)
{
	struct qs_image image;
	bool same = draw(s, &image) && compare_same(s->c, &image, &s->target);

	qs_image_finish(&image);
	return same && !s->failed;
}

/* ---- the set ------------------------------------------------------------------------------------------------------------ */

static uint32_t members(const struct search *s)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->count; i++)
		n += s->candidate[i].set;
	return n;
}

/* The `skip`-th group of `size` members that are still set is taken back; false: there is none. */
static bool take_group(struct search *s, uint32_t skip, uint32_t size, bool *old)
{
	uint32_t seen = 0, taken = 0;

	for (uint32_t i = 0; i < s->count; i++) {
		old[i] = s->candidate[i].set;
		if (!old[i] || seen++ < skip || taken >= size)
			continue;
		s->candidate[i].set = false;
		taken++;
	}
	return taken > 0;
}

static void restore(struct search *s, const bool *old)
{
	for (uint32_t i = 0; i < s->count; i++)
		s->candidate[i].set = old[i];
}

static void reduce(struct search *s, bool *old)
{
	uint32_t size = (members(s) + 1) / 2;

	for (; size && !s->failed; size = size == 1 ? 0 : (size + 1) / 2) {
		uint32_t at = 0;

		while (!s->failed && take_group(s, at, size, old))
			if (!reaches(s)) {
				restore(s, old);
				at += size;
			}
	}
}

/* Only the named ones; whether they reach the target. */
static bool try_only(struct search *s, uint32_t first, uint32_t second)
{
	for (uint32_t i = 0; i < s->count; i++)
		s->candidate[i].set = i == first || i == second;
	return reaches(s);
}

static void note_changes(struct search *s)
{
	struct qs_image plain, image;

	for (uint32_t i = 0; i < s->count; i++)
		s->candidate[i].set = false;
	if (!draw(s, &plain))
		return;
	for (uint32_t i = 0; i < s->count && !s->failed; i++) {
		s->candidate[i].set = true;
		if (draw(s, &image))
			s->candidate[i].changes = !compare_same(s->c, &image, &plain);
		qs_image_finish(&image);
		s->candidate[i].set = false;
	}
	qs_image_finish(&plain);
}

/* A smaller set than the one that reduce left: one of two, or two of more. */
static void try_smaller(struct search *s, bool *old)
{
	uint32_t n = members(s), active = 0;

	for (uint32_t i = 0; i < s->count; i++)
		old[i] = s->candidate[i].set;
	if (n < 2)
		return;
	note_changes(s);
	for (uint32_t i = 0; i < s->count && !s->failed; i++) {
		active += s->candidate[i].changes;
		if (s->candidate[i].changes && try_only(s, i, i))
			return;
	}
	for (uint32_t i = 0; n > 2 && active <= PAIRS && i < s->count; i++)
		for (uint32_t k = i + 1; k < s->count && !s->failed; k++)
			if (s->candidate[i].changes && s->candidate[k].changes && try_only(s, i, k))
				return;
	restore(s, old);
}

/* ---- what each does ----------------------------------------------------------------------------------------------------- */

static void note_pixels(const struct comparer *c, struct qs_cause *cause, const struct qs_image *image, const struct qs_image *target)
{
	cause->box = (struct qs_rect){INT32_MAX, INT32_MAX, 0, 0};
	for (size_t i = 0; i < (size_t)target->width * target->height; i++) {
		int x = (int)(i % target->width), y = (int)(i / target->width);

		if (!compare_pixel_differs(c, image, target, c->result->buffer, i))
			continue;
		cause->pixels++;
		cause->box.x0 = x < cause->box.x0 ? x : cause->box.x0;
		cause->box.y0 = y < cause->box.y0 ? y : cause->box.y0;
		cause->box.x1 = x >= cause->box.x1 ? x + 1 : cause->box.x1;
		cause->box.y1 = y >= cause->box.y1 ? y + 1 : cause->box.y1;
	}
	if (!cause->pixels)
		memset(&cause->box, 0, sizeof cause->box);
}

/* The first event between the sources as the set without the member leaves them.  A host is asked about its own values: with all
 * other members set, what still differs is this one's. */
static bool note_first(struct search *s, const struct qs_image *image, struct qs_cause *cause)
{
	struct comparer *c = s->c;

	if (c->a->replay && c->b->replay)
		return compare_first(c, image, &s->target, &cause->first, s->error);
	if (!c->a->timeline || !c->a->timeline->gfx3d || !c->a->after || !c->b->after || !c->b->value)
		return true;
	if (!compare_gfx3d_first(c, &cause->first, s->error))
		return false;
	if (cause->first.found || !cause->pixels || !c->result->beyond)
		return true;
	/* within what the host may be off, like a rounding: the smallest difference counts */
	uint64_t beyond = c->result->beyond;

	c->result->beyond = 0;
	bool good = compare_gfx3d_first(c, &cause->first, s->error);
	c->result->beyond = beyond;
	return good;
}

/* The set without one member against the whole set: the pixels and the first event that this member alone explains. */
static bool note_cause(struct search *s, struct candidate *k, struct qs_cause *cause)
{
	struct qs_image image;
	bool good;

	*cause = (struct qs_cause){.name = k->name, .a = k->a, .b = k->b, .kind = (uint8_t)qs_quirk_class(k->name)};
	k->set = false;
	good = draw(s, &image);
	if (good && image.width == s->target.width && image.height == s->target.height) {
		note_pixels(s->c, cause, &image, &s->target);
		good = !s->c->options->divergence || note_first(s, &image, cause);
	}
	if (cause->first.found && cause->kind != QS_CLASS_NONE)
		cause->first.kind = cause->kind;
	else if (cause->first.found)
		cause->kind = cause->first.kind;
	qs_image_finish(&image);
	k->set = true;
	return good;
}

static bool note_causes(struct search *s)
{
	struct qs_comparison *r = s->c->result;
	uint32_t n = members(s);

	r->cause = calloc(n ? n : 1, sizeof *r->cause);
	if (!r->cause) {
		qs_error_set(s->error, QS_ERR_NOMEM, 0, "There is no memory for the causes.");
		return false;
	}
	for (uint32_t i = 0; i < s->count; i++)
		if (s->candidate[i].set) {
			if (!note_cause(s, &s->candidate[i], &r->cause[r->cause_count]))
				return false;
			r->cause_count++;
		}
	return true;
}

/* ---- all of it ---------------------------------------------------------------------------------------------------------- */

static bool find_candidates(struct search *s)
{
	const struct qs_source *a = s->c->a, *b = s->c->b;
	uint32_t na = a->switch_count(a->user), nb = b->switch_count(b->user);

	s->candidate = calloc(na ? na : 1, sizeof *s->candidate);
	if (!s->candidate) {
		qs_error_set(s->error, QS_ERR_NOMEM, 0, "There is no memory for the switches.");
		return false;
	}
	for (uint32_t i = 0; i < na; i++)
		for (uint32_t k = 0; k < nb; k++) {
			int va = a->switch_value(a->user, i), vb = b->switch_value(b->user, k);

			if (!strcmp(a->switch_name(a->user, i), b->switch_name(b->user, k)) && va != vb)
				s->candidate[s->count++] = (struct candidate){.index = i, .name = a->switch_name(a->user, i), .a = va, .b = vb};
		}
	return true;
}

static bool search_set(struct search *s, bool *old)
{
	struct qs_comparison *r = s->c->result;

	for (uint32_t i = 0; i < s->count; i++)
		s->candidate[i].set = true;
	if (!draw(s, &s->target)) /* what the switches can do; the second source's picture, if they explain it */
		return false;
	r->explained = r->exact = compare_same(s->c, &s->target, &r->b);
	if (!r->explained && s->target.width == r->b.width && s->target.height == r->b.height) {
		r->unexplained = compare_count(s->c, &s->target, &r->b, r->buffer, r->tolerance);
		r->explained = !r->unexplained;
	}
	reduce(s, old);
	if (!s->failed)
		try_smaller(s, old);
	return !s->failed && note_causes(s);
}

bool compare_causes(struct comparer *c, struct qs_error *error)
{
	struct search s = {.c = c, .error = error};
	bool good, *old;

	if (!c->a->switch_count || !c->b->switch_count || !c->a->switch_set)
		return true;
	if (!find_candidates(&s))
		return false;
	old = calloc(s.count ? s.count : 1, sizeof *old);
	good = old && search_set(&s, old);
	if (!old)
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for the switches.");
	for (uint32_t i = 0; i < s.count; i++)
		s.candidate[i].set = false;
	apply(&s);
	qs_image_finish(&s.target);
	free(s.candidate);
	free(old);
	return good || c->stopped;
}
