/* compare.c - two renderers of one capture: pictures, coverage, worst pixels, then causes and the first divergence
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "trace/compare.h"
#include "trace/gfx3d.h"

#define HOST_DEPTH_SLACK 512 /* of 2^24: what window depths of GPUs differ by (spec 02 section 6: 2e-6, more on steep triangles) */

bool compare_progress(struct comparer *c, double fraction)
{
	if (fraction > c->fraction)
		c->fraction = fraction;
	if (!c->stopped && c->options->progress && !c->options->progress(c->fraction, c->options->user))
		c->stopped = true;
	return !c->stopped;
}

bool compare_pixel_differs(const struct comparer *c, const struct qs_image *a, const struct qs_image *b, enum qs_buffer buffer, size_t i)
{
	if (buffer == QS_BUFFER_DEPTH && a->depth && b->depth)
		return (a->depth[i] > b->depth[i] ? a->depth[i] - b->depth[i] : b->depth[i] - a->depth[i]) > c->slack;
	return memcmp(a->rgba + 4 * i, b->rgba + 4 * i, 3) != 0;
}

bool compare_same(const struct comparer *c, const struct qs_image *a, const struct qs_image *b)
{
	if (a->width != b->width || a->height != b->height)
		return false;
	for (size_t i = 0; i < (size_t)a->width * a->height; i++)
		if (compare_pixel_differs(c, a, b, c->result->buffer, i))
			return false;
	return true;
}

uint64_t compare_count(const struct comparer *c, const struct qs_image *a, const struct qs_image *b, enum qs_buffer buffer,
	unsigned tolerance)
{
	uint64_t n = 0;

	for (size_t i = 0; i < (size_t)a->width * a->height; i++) {
		bool depth = buffer == QS_BUFFER_DEPTH, far = (!tolerance || depth) && compare_pixel_differs(c, a, b, buffer, i);

		for (unsigned k = 0; tolerance && !depth && k < 3; k++)
			far |= abs(a->rgba[4 * i + k] - b->rgba[4 * i + k]) > (int)tolerance;
		n += far;
	}
	return n;
}

/* ---- pictures ----------------------------------------------------------------------------------------------------------- */

static uint64_t count_buffer(struct comparer *c, enum qs_buffer buffer)
{
	struct qs_image a = {0}, b = {0};
	struct qs_error error;
	uint64_t n = 0;

	if (c->a->image(c->a->user, c->options->frame, buffer, &a, &error) && c->b->image(c->b->user, c->options->frame, buffer, &b, &error) &&
		a.width == b.width && a.height == b.height)
		n = compare_count(c, &a, &b, buffer, 0);
	if (buffer == QS_BUFFER_COLOR) {
		c->width = a.width;
		c->height = a.height;
	}
	qs_image_finish(&a);
	qs_image_finish(&b);
	return n;
}

static void insert_worst(struct qs_comparison *r, const struct qs_worst *w)
{
	uint32_t at = r->worst_count;

	if (at == QS_WORST && w->distance <= r->worst[QS_WORST - 1].distance)
		return;
	if (at == QS_WORST)
		at--;
	else
		r->worst_count++;
	for (; at && r->worst[at - 1].distance < w->distance; at--)
		r->worst[at] = r->worst[at - 1];
	r->worst[at] = *w;
}

static void find_worst(struct qs_comparison *r)
{
	for (size_t i = 0; i < (size_t)r->a.width * r->a.height; i++) {
		struct qs_worst w = {.x = (int)(i % r->a.width), .y = (int)(i / r->a.width)};

		memcpy(w.a, r->a.rgba + 4 * i, 4);
		memcpy(w.b, r->b.rgba + 4 * i, 4);
		for (unsigned k = 0; k < 3; k++) {
			int d = abs(w.a[k] - w.b[k]);

			w.distance = d > w.distance ? (uint8_t)d : w.distance;
		}
		if (w.distance)
			insert_worst(r, &w);
	}
}

/* The display copy when both have one, else the EFB. */
static bool get_pictures(struct comparer *c, struct qs_error *error)
{
	struct qs_comparison *r = c->result;
	uint32_t frame = c->options->frame;
	enum qs_buffer buffer = c->options->buffer;

	if (buffer == QS_BUFFER_COUNT) {
		buffer = QS_BUFFER_COPY;
		if (!c->a->image(c->a->user, frame, buffer, &r->a, error))
			buffer = QS_BUFFER_COLOR;
	}
	r->buffer = buffer;
	if (!r->a.rgba && !c->a->image(c->a->user, frame, buffer, &r->a, error))
		return false;
	return compare_progress(c, 0.1) && c->b->image(c->b->user, frame, buffer, &r->b, error);
}

/* ---- coverage ----------------------------------------------------------------------------------------------------------- */

/* What has covered each pixel: a hash of draws and primitives in order. */
struct coverage {
	uint32_t *hash;
	int width, height;
};

static bool note_coverage(void *user, const struct qs_moment *moment, const struct qs_setup *setup, const struct qs_quad *quad)
{
	struct coverage *c = user;

	(void)setup;
	for (unsigned k = 0; k < 4; k++) {
		int x = quad->x + (int)(k & 1), y = quad->y + (int)(k >> 1);
		uint32_t samples = (uint32_t)quad->coverage >> 3 * k & 7, *h;

		if (!samples || x < 0 || y < 0 || x >= c->width || y >= c->height)
			continue;
		h = &c->hash[y * c->width + x];
		*h = (*h ^ moment->command) * 0x01000193u;
		*h = (*h ^ moment->primitive << 3 ^ samples) * 0x01000193u + 1;
	}
	return true;
}

static bool compare_coverage(struct comparer *c, struct qs_error *error)
{
	struct qs_comparison *r = c->result;
	struct coverage cover[2];
	const struct qs_source *source[2] = {c->a, c->b};
	bool good = true, matches = r->a.width == c->width || r->buffer == QS_BUFFER_COPY;
	size_t pixels = (size_t)c->width * c->height;

	for (unsigned i = 0; i < 2; i++) {
		cover[i].width = (int)c->width;
		cover[i].height = (int)c->height;
		cover[i].hash = calloc(pixels + 1, sizeof *cover[i].hash);
	}
	for (unsigned i = 0; i < 2 && good; i++) {
		struct qs_taps taps = {.mask = QS_TAP_QUAD, .user = &cover[i], .quad = note_coverage};

		good = cover[i].hash && compare_progress(c, 0.15 + 0.05 * i) && source[i]->replay(source[i]->user, c->options->frame, &taps, error);
	}
	for (size_t i = 0; good && i < pixels; i++)
		r->coverage += cover[0].hash[i] != cover[1].hash[i];
	r->coverage_known = good;
	for (size_t i = 0; good && matches && i < (size_t)r->a.width * r->a.height; i++) {
		size_t x = i % r->a.width, y = i / r->a.width;

		if (compare_pixel_differs(c, &r->a, &r->b, r->buffer, i))
			r->only_colour += x < c->width && y < c->height && cover[0].hash[y * c->width + x] == cover[1].hash[y * c->width + x];
	}
	free(cover[0].hash);
	free(cover[1].hash);
	return good || c->stopped;
}

/* ---- the list of draws -------------------------------------------------------------------------------------------------- */

#define DRAWS 1024

struct qs_divergence *compare_new_draw(struct comparer *c)
{
	struct qs_comparison *r = c->result;
	struct qs_divergence *grown;

	if (r->draw_count == DRAWS)
		return NULL;
	grown = realloc(r->draw, (r->draw_count + 1u) * sizeof *grown);
	if (!grown)
		return NULL;
	r->draw = grown;
	memset(&r->draw[r->draw_count], 0, sizeof *r->draw);
	r->draw[r->draw_count].stage = QS_NONE;
	return &r->draw[r->draw_count++];
}

/* ---- all of it ---------------------------------------------------------------------------------------------------------- */

/* The first divergence of all is that of one of the causes: of the one that begins there, unless its own class is that of another
 * that does too. */
static void take_cause(struct qs_comparison *r)
{
	uint8_t kind = r->first.kind;

	for (uint32_t i = 0; i < r->cause_count; i++) {
		const struct qs_cause *k = &r->cause[i];

		if (!k->first.found || qs_moment_compare(&k->first.moment, &r->first.moment))
			continue;
		kind = k->kind;
		if (kind == r->first.kind)
			break;
	}
	r->first.kind = kind;
}

static bool look_deeper(struct comparer *c, struct qs_error *error)
{
	struct qs_comparison *r = c->result;

	bool events = c->a->replay && c->b->replay && !compare_gx_host(c);

	if (compare_gx_host(c) && c->options->divergence && !compare_gx_first(c, &r->first, error))
		return false;
	if (events && !compare_coverage(c, error))
		return false;
	if (events && c->options->divergence && !c->stopped && !compare_first(c, &r->a, &r->b, &r->first, error))
		return false;
	if (c->a->timeline && c->a->timeline->gfx3d && c->b->cover && !c->b->replay && !c->stopped && !compare_gfx3d_coverage(c, error))
		return false;
	if (c->options->divergence && c->a->timeline && c->a->timeline->gfx3d && c->a->after && c->b->after && c->b->value && !c->b->replay &&
		!c->stopped && !compare_gfx3d_first(c, &r->first, error))
		return false;
	if (c->options->draws && !c->stopped && events && !compare_draws(c, error))
		return false;
	if (c->options->draws && !c->stopped && c->a->timeline && c->a->timeline->gfx3d && c->a->after && c->b->after && c->b->value &&
		!c->b->replay && !compare_gfx3d_draws(c, error))
		return false;
	if (c->options->causes && !c->stopped && !compare_causes(c, error))
		return false;
	if (r->cause_count == 1 && r->explained && r->first.found)
		r->first.kind = r->cause[0].kind;
	if (r->first.found)
		take_cause(r);
	return true;
}

bool qs_compare(const struct qs_source *a, const struct qs_source *b, const struct qs_compare_options *options,
	struct qs_comparison *result, struct qs_error *error)
{
	struct comparer c = {.a = a, .b = b, .options = options, .result = result};
	bool good;

	memset(result, 0, sizeof *result);
	c.slack = a->timeline && a->timeline->gfx3d && b->value ? HOST_DEPTH_SLACK : 0;
	good = get_pictures(&c, error);
	if (!good && c.stopped)
		qs_error_set(error, QS_ERR_CANCELLED, 0, "The comparison was stopped.");
	good = good && qs_image_compare(&result->a, &result->b, options->tolerance, &result->colour, &result->difference, error);
	if (good) {
		result->efb_colour = count_buffer(&c, QS_BUFFER_COLOR);
		result->efb_alpha = count_buffer(&c, QS_BUFFER_ALPHA);
		result->efb_depth = count_buffer(&c, QS_BUFFER_DEPTH);
		find_worst(result);
		for (unsigned i = 0; i < 2; i++) {
			const struct qs_source *source = i ? b : a;
			unsigned levels = source->tolerance ? source->tolerance(source->user, options->frame) : 0;

			result->tolerance = levels > result->tolerance ? levels : result->tolerance;
		}
		result->beyond = compare_count(&c, &result->a, &result->b, result->buffer, result->tolerance);
		result->equal = result->buffer == QS_BUFFER_DEPTH ? compare_same(&c, &result->a, &result->b)
			: result->colour.within == result->colour.pixels;
		if (!result->equal)
			good = look_deeper(&c, error);
	}
	if (!good)
		qs_comparison_finish(result);
	return good;
}

void qs_comparison_finish(struct qs_comparison *r)
{
	qs_image_finish(&r->a);
	qs_image_finish(&r->b);
	qs_image_finish(&r->difference);
	for (uint32_t i = 0; i < r->cause_count; i++)
		free(r->cause[i].first.operand);
	for (uint32_t i = 0; i < r->draw_count; i++)
		free(r->draw[i].operand);
	free(r->draw);
	free(r->cause);
	free(r->first.operand);
	memset(r, 0, sizeof *r);
}

/* ---- timelines as sources ----------------------------------------------------------------------------------------------- */

static bool timeline_frame(struct qs_timeline *t, uint32_t frame, struct qs_error *error)
{
	struct qs_moment m = {.level = QS_LEVEL_FRAME, .frame = frame};

	return qs_timeline_seek(t, &m, error);
}

/* Depth of Gfx3D as it is in the window, so that models of different formulas, and hosts, are compared alike. */
static bool image_here(struct qs_timeline *t, enum qs_buffer buffer, struct qs_image *image, struct qs_error *error)
{
	return qs_timeline_image(t, buffer, image, error) && (!t->gfx3d || buffer != QS_BUFFER_DEPTH || trace_gfx3d_window_depth(t, image, error));
}

static bool timeline_image(void *user, uint32_t frame, enum qs_buffer buffer, struct qs_image *image, struct qs_error *error)
{
	return timeline_frame(user, frame, error) && image_here(user, buffer, image, error);
}

static bool timeline_replay(void *user, uint32_t frame, const struct qs_taps *taps, struct qs_error *error)
{
	struct qs_moment from = {.level = frame > 1 ? QS_LEVEL_FRAME : QS_LEVEL_START, .frame = frame - 1};
	struct qs_moment to = {.level = QS_LEVEL_FRAME, .frame = frame};

	return qs_timeline_replay(user, &from, &to, taps, error);
}

static size_t timeline_memory(void *user, uint32_t address, void *data, size_t size)
{
	return qs_timeline_memory(user, QS_SPACE_MAIN, address, data, size);
}

static bool timeline_quad(void *user, const struct qs_moment *moment, struct qs_setup *setup, struct qs_quad *quad, struct qs_error *error)
{
	return qs_timeline_seek(user, moment, error) && qs_timeline_quad(user, setup, quad, error);
}

static uint32_t timeline_setup(void *user, const struct qs_moment *moment, struct qs_setup *setup, uint32_t max, struct qs_error *error)
{
	return qs_timeline_seek(user, moment, error) ? qs_timeline_setup(user, setup, max, error) : 0;
}

static uint32_t quirk_count(void *user)
{
	(void)user;
	return qs_quirk_count();
}

static const char *quirk_name(void *user, uint32_t i)
{
	(void)user;
	return qs_quirk_at(i)->name;
}

static int quirk_value(void *user, uint32_t i)
{
	return qs_timeline_quirk(user, qs_quirk_at(i)->name);
}

static bool quirk_set(void *user, uint32_t i, int value)
{
	const struct qs_moment start = {.level = QS_LEVEL_START};
	const char *name = qs_quirk_at(i)->name;
	struct qs_error error;

	if (qs_timeline_quirk(user, name) == value)
		return true;
	/* a change of a quirk goes back to the moment, which is nearest at the start */
	return qs_timeline_seek(user, &start, &error) && qs_timeline_set_quirk(user, name, value, &error);
}

static bool timeline_after(void *user, uint32_t command, enum qs_buffer buffer, struct qs_image *image, struct qs_error *error)
{
	struct qs_moment m;

	if (!qs_moment_of_command(qs_timeline_capture(user), command, &m)) {
		qs_error_set(error, QS_ERR_RANGE, 0, "There is no command %" PRIu32 ".", command);
		return false;
	}
	return qs_timeline_seek(user, &m, error) && image_here(user, buffer, image, error);
}

struct counter {
	struct qs_timeline *t;
	uint8_t *count;
	int width, height;
};

/* Fragments, or the samples that they cover of a target that has several. */
unsigned compare_gfx3d_covered(const struct qs_timeline *t, unsigned fragment)
{
	return (unsigned)__builtin_popcount(t->gfx3d->record.fragment[fragment].samples);
}

uint8_t compare_add(uint8_t count, unsigned more)
{
	return count + more > 255 ? 255 : (uint8_t)(count + more);
}

static bool count_quad(void *user, const struct qs_moment *moment, const struct qs_setup *setup, const struct qs_quad *quad)
{
	struct counter *c = user;

	(void)moment;
	(void)setup;
	for (unsigned k = 0; k < 4; k++) {
		int x = quad->x + (int)(k & 1), y = quad->y + (int)(k >> 1);
		uint8_t *n = x >= 0 && y >= 0 && x < c->width && y < c->height ? &c->count[y * c->width + x] : NULL;

		if (n && quad->coverage >> 3 * k & 7)
			*n = compare_add(*n, compare_gfx3d_covered(c->t, k));
	}
	return true;
}

static bool timeline_cover(void *user, uint32_t command, uint8_t *count, uint32_t width, uint32_t height, struct qs_error *error)
{
	struct counter c = {user, count, (int)width, (int)height};
	struct qs_taps taps = {.mask = QS_TAP_QUAD, .user = &c, .quad = count_quad};
	struct qs_moment from = {.level = QS_LEVEL_START}, to;

	memset(count, 0, (size_t)width * height);
	if (command)
		qs_moment_of_command(qs_timeline_capture(user), command - 1, &from);
	qs_moment_of_command(qs_timeline_capture(user), command, &to);
	return qs_timeline_replay(user, &from, &to, &taps, error);
}

static uint32_t g3_switch_count(void *user)
{
	(void)user;
	return qs_gfx3d_quirk_count();
}

static const char *g3_switch_name(void *user, uint32_t i)
{
	(void)user;
	return qs_gfx3d_quirk_at(i)->name;
}

static int g3_switch_value(void *user, uint32_t i)
{
	return qs_timeline_quirk(user, qs_gfx3d_quirk_at(i)->name);
}

/* What the recorded program chose holds at the moment; from the first change on it stays. */
static bool g3_switch_set(void *user, uint32_t i, int value)
{
	const struct qs_moment start = {.level = QS_LEVEL_START};
	const char *name = qs_gfx3d_quirk_at(i)->name;
	struct qs_timeline *t = user;
	struct qs_error error;

	if (qs_timeline_quirk(t, name) == value)
		return true;
	t->gfx3d->forced = true;
	return qs_timeline_seek(t, &start, &error) && qs_timeline_set_quirk(t, name, value, &error);
}

void qs_source_timeline(struct qs_source *source, struct qs_timeline *timeline, const char *name)
{
	*source = (struct qs_source){
		.name = name, .user = timeline, .image = timeline_image, .replay = timeline_replay, .memory = timeline_memory, .quad = timeline_quad,
		.setup = timeline_setup, .switch_count = quirk_count, .switch_name = quirk_name, .switch_value = quirk_value,
		.switch_set = quirk_set, .timeline = timeline,
	};
	if (!timeline->gfx3d)
		return;
	source->switch_count = g3_switch_count;
	source->switch_name = g3_switch_name;
	source->switch_value = g3_switch_value;
	source->switch_set = g3_switch_set;
	source->after = timeline_after;
	source->cover = timeline_cover;
}
