/* gfx3d_cover.c - what the CPU covers and a host does not, or the other way round
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/gfx3d_look.h"

#define PARTS 16
#define PRIMITIVES 256 /* that are asked for one by one */

/* ---- coverage ----------------------------------------------------------------------------------------------------------- */

/* Pixels to the nearest edge of the part, negative outside. */
static double edge_distance(const struct qs_setup *s, int x, int y)
{
	double least = 1e9;

	for (unsigned i = 0; i < 3; i++) {
		const struct qs_edge *e = &s->edge[i];
		double length = hypot(e->dx, e->dy), at = length > 0 ? (e->dx * (x + 0.5) + e->dy * (y + 0.5) + e->c) / length : 1e9;

		least = at < least ? at : least;
	}
	return least;
}

static bool leaves_volume(const struct qs_setup *s)
{
	for (unsigned i = 0; i < 3; i++) {
		const float *p = s->vertex[i].clip;

		if (p[3] <= 0 || p[2] < -p[3] || p[2] > p[3])
			return true;
	}
	return false;
}

static bool cull_on(const struct look *l)
{
	for (unsigned i = 0; i < QS_GFX3D_MAX_CONTEXTS; i++)
		if (l->t->gfx3d->g->context[i].slot.used && l->t->gfx3d->g->context[i].cull_on)
			return true;
	return false;
}

/* The host covers a rectangle of what the CPU covers, wholly. */
static bool cut_by_rectangle(const uint8_t *a, const uint8_t *b, int width, int height)
{
	struct qs_rect r = {width, height, 0, 0};
	uint32_t inside = 0, missing = 0, outside = 0;

	for (int i = 0; i < width * height; i++)
		if (b[i]) {
			int x = i % width, y = i / width;

			r.x0 = x < r.x0 ? x : r.x0;
			r.y0 = y < r.y0 ? y : r.y0;
			r.x1 = x >= r.x1 ? x + 1 : r.x1;
			r.y1 = y >= r.y1 ? y + 1 : r.y1;
		}
	for (int i = 0; i < width * height; i++) {
		int x = i % width, y = i / width;
		bool in = x >= r.x0 && x < r.x1 && y >= r.y0 && y < r.y1;

		inside += a[i] && in;
		missing += a[i] && in && !b[i];
		outside += a[i] && !in;
	}
	return inside && outside * 50 >= inside && missing * 50 <= inside;
}

/* Whether what is covered differently lies along edges of the primitive: nearly all of it within a pixel of one. */
static bool along_edges(const struct look *l, const struct qs_setup *s, uint32_t parts, const uint8_t *a, const uint8_t *b)
{
	uint32_t along = 0, all = 0;

	for (int y = 0; y < (int)l->c->height; y++)
		for (int x = 0; x < (int)l->c->width; x++) {
			size_t at = (size_t)y * l->c->width + (size_t)x;
			double distance = -1e9;

			if (a[at] == b[at])
				continue;
			for (uint32_t i = 0; i < parts; i++) {
				double d = s[i].verdict == QS_SETUP_DRAWN ? edge_distance(&s[i], x, y) : -1e9;

				distance = d > distance ? d : distance;
			}
			if (distance < -2)
				continue; /* another primitive's */
			all++;
			along += fabs(distance) <= 0.8;
		}
	return all && along * 10 >= all * 9;
}

static enum qs_class class_of_coverage(struct look *l, bool only_a, uint32_t primitive, const uint8_t *a, const uint8_t *b)
{
	struct qs_moment m = l->d->moment;
	struct qs_setup *s = calloc(PARTS, sizeof *s);
	bool outside = false, any = false, edges;
	uint64_t covered = 0, other = 0;
	double distance = -1e9;
	enum qs_class kind;
	uint32_t n = 0;

	m.level = QS_LEVEL_PRIMITIVE;
	m.primitive = primitive;
	m.quad = m.fragment = m.stage = 0;
	if (s)
		n = l->c->a->setup(l->c->a->user, &m, s, PARTS, l->error);
	n = n < PARTS ? n : PARTS;
	for (uint32_t i = 0; i < n; i++)
		outside |= leaves_volume(&s[i]);
	for (size_t i = 0; i < (size_t)l->c->width * l->c->height; i++)
		any |= b[i] != 0;
	for (size_t i = 0; i < (size_t)l->c->width * l->c->height; i++) {
		covered += a[i] || b[i];
		other += a[i] != b[i];
	}
	for (uint32_t i = 0; i < n; i++) {
		double at = s[i].verdict == QS_SETUP_DRAWN ? edge_distance(&s[i], l->x, l->y) : -1e9;

		distance = at > distance ? at : distance;
	}
	edges = fabs(distance) <= 0.8 && (other * 8 <= covered || along_edges(l, s, n, a, b));
	if (n && s[0].verdict == QS_SETUP_CULLED)
		kind = QS_CLASS_CULL;
	else if (n && (s[0].verdict == QS_SETUP_REJECTED || s[0].verdict == QS_SETUP_CLIPPED))
		kind = QS_CLASS_CLIP;
	else if (edges)
		kind = QS_CLASS_FILL_RULE;
	else if (only_a && !any && cull_on(l))
		kind = QS_CLASS_CULL;
	else if (outside)
		kind = QS_CLASS_CLIP;
	else if (only_a && cut_by_rectangle(a, b, (int)l->c->width, (int)l->c->height))
		kind = QS_CLASS_SCISSOR;
	else
		kind = only_a && cull_on(l) ? QS_CLASS_CULL : QS_CLASS_CLIP;
	for (uint32_t i = 0; i < n && i < 1; i++)
		for (unsigned k = 0; k < 3; k++) {
			char name[40];

			snprintf(name, sizeof name, "clip position of corner %u", k);
			look_vector(l->d, name, s[i].vertex[k].clip, s[i].vertex[k].clip);
		}
	free(s);
	return kind;
}

/* The primitive that covers the pixel in one of them only. */
static bool find_primitive(struct look *l, bool only_a, uint32_t *primitive)
{
	uint32_t all = qs_timeline_primitive_count(l->t, &l->d->moment);
	float value[4];

	for (unsigned i = 0; only_a && i < l->count; i++) {
		if (!look_ask(l, l->moment[i].primitive, (struct qs_value){.kind = QS_VALUE_COVER}, value))
			return false;
		if (value[0] == G3_PROBE_NOTHING) {
			*primitive = l->moment[i].primitive;
			return true;
		}
	}
	for (uint32_t p = 0; !only_a && p < all && p < PRIMITIVES; p++) {
		bool here = false;

		for (unsigned i = 0; i < l->count; i++)
			here |= l->moment[i].primitive == p;
		if (here)
			continue;
		if (!look_ask(l, p, (struct qs_value){.kind = QS_VALUE_COVER}, value))
			return false;
		if (value[0] != G3_PROBE_NOTHING) {
			*primitive = p;
			return true;
		}
	}
	*primitive = l->count ? l->moment[l->count - 1].primitive : 0;
	return true;
}

/* True in *done: it was the coverage. */
bool look_at_coverage(struct look *l, bool *done)
{
	size_t pixels = (size_t)l->c->width * l->c->height, at = (size_t)l->y * l->c->width + (size_t)l->x;
	uint8_t *a = calloc(2, pixels + 1), *b = a ? a + pixels : NULL;
	const struct qs_source *sa = l->c->a, *sb = l->c->b;
	bool good = a && sa->cover && sb->cover && sa->cover(sa->user, l->command, a, l->c->width, l->c->height, l->error) &&
		    sb->cover(sb->user, l->command, b, l->c->width, l->c->height, l->error);
	uint32_t primitive = 0;
	bool vertices = false;

	*done = good && a[at] != b[at];
	if (*done) {
		bool only_a = a[at] > b[at];

		good = find_primitive(l, only_a, &primitive);
		l->d->only_a = only_a;
		l->d->only_b = !only_a;
		l->d->moment.level = QS_LEVEL_PRIMITIVE;
		l->d->moment.primitive = primitive;
		operand_number(l->d, "fragments of the draw", a[at], b[at]);
		if (!good || !look_at_vertices(l, primitive, true, &vertices) || vertices) {
			free(a);
			return good;
		}
		look_name(l, QS_AT_COVERAGE, class_of_coverage(l, only_a, primitive, a, b), only_a ? "Only the first covers the pixel."
			: "Only the second covers the pixel.");
	}
	free(a);
	return good;
}

/* ---- a whole frame ------------------------------------------------------------------------------------------------------ */

#define COVER_WORK 400000000ull /* pixels of all draws that are counted */

struct draw_cover {
	struct qs_timeline *t;
	uint8_t *count, *edge;
	int width, height;
};

/* A fragment that only ChrisOS's wider edges reach may have weights between -0.001 and 0.001 (spec 02 section 7, rule a). */
static bool note_cover(void *user, const struct qs_moment *moment, const struct qs_setup *setup, const struct qs_quad *quad)
{
	struct draw_cover *c = user;
	const struct qs_gfx3d_quad *record = &c->t->gfx3d->record;

	(void)moment;
	(void)setup;
	for (unsigned k = 0; k < 4; k++) {
		int x = quad->x + (int)(k & 1), y = quad->y + (int)(k >> 1);
		const float *w = record->fragment[k].weight;
		size_t at = (size_t)y * (size_t)c->width + (size_t)x;

		if (!(quad->coverage >> 3 * k & 7) || x < 0 || y < 0 || x >= c->width || y >= c->height)
			continue;
		c->count[at] = compare_add(c->count[at], compare_gfx3d_covered(c->t, k));
		if (fabsf(w[0]) <= 0.001f || fabsf(w[1]) <= 0.001f || fabsf(w[2]) <= 0.001f)
			c->edge[at] = 1;
	}
	return true;
}

static bool cover_draw(struct comparer *c, uint32_t command, uint8_t *a, uint8_t *b, uint8_t *edge, struct qs_error *error)
{
	struct qs_timeline *t = c->a->timeline;
	struct draw_cover cover = {t, a, edge, (int)c->width, (int)c->height};
	struct qs_taps taps = {.mask = QS_TAP_QUAD, .user = &cover, .quad = note_cover};
	struct qs_moment from = {.level = QS_LEVEL_START}, to;
	size_t pixels = (size_t)c->width * c->height;

	memset(a, 0, pixels);
	memset(edge, 0, pixels);
	if (command)
		qs_moment_of_command(qs_timeline_capture(t), command - 1, &from);
	qs_moment_of_command(qs_timeline_capture(t), command, &to);
	return compare_progress(c, c->fraction) && qs_timeline_replay(t, &from, &to, &taps, error) &&
	       c->b->cover(c->b->user, command, b, c->width, c->height, error);
}

bool compare_gfx3d_coverage(struct comparer *c, struct qs_error *error)
{
	const struct qs_capture *capture = qs_timeline_capture(c->a->timeline);
	const struct qs_frame *f = qs_capture_frame(capture, c->options->frame);
	size_t pixels = (size_t)c->width * c->height;
	uint8_t *a, *map;
	bool good = true;

	(void)error;
	if ((uint64_t)f->draw_count * pixels > COVER_WORK || !(a = calloc(4, pixels + 1)))
		return true;
	map = a + 3 * pixels; /* 1: covered otherwise, 2: and not on an edge */
	for (uint32_t i = f->first_command; good && i < f->first_command + f->command_count; i++) {
		struct qs_error quiet;

		if (qs_capture_command(capture, i)->kind != QS_COMMAND_DRAW)
			continue;
		good = cover_draw(c, i, a, a + pixels, a + 2 * pixels, &quiet);
		for (size_t k = 0; good && k < pixels; k++)
			if (a[k] != a[pixels + k])
				map[k] |= a[k] > a[pixels + k] && a[2 * pixels + k] ? 1 : 3;
	}
	c->result->coverage_known = good;
	for (size_t k = 0; good && k < pixels; k++) {
		c->result->coverage += map[k] != 0;
		c->result->edge += map[k] == 1;
		c->result->only_colour += !map[k] && k < (size_t)c->result->a.width * c->result->a.height && c->result->b.width == c->width &&
			compare_pixel_differs(c, &c->result->a, &c->result->b, c->result->buffer, k);
	}
	free(a);
	return true;
}
