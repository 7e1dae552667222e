/* gfx3d_diverge.c - where a draw of Gfx3D first differs between the CPU and a renderer without events
 *
 * Frames are compared after draws until the first draw (or clear) after which a pixel differs is found.  For that pixel the other
 * renderer is asked for values one at a time (coverage, interpolated values, registers of the fragment shader, each a small draw
 * of its own), and they are compared with the CPU's records in the order of the pipeline.  In the shader the way goes back from
 * the stored colour along operands that differ to the instruction whose operands are equal.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/gfx3d_look.h"

void look_name(struct look *l, enum qs_stage_unit unit, enum qs_class kind, const char *text)
{
	l->d->unit = (uint8_t)unit;
	l->d->kind = (uint8_t)kind;
	snprintf(l->d->text, sizeof l->d->text, "%s", text);
}

void look_vector(struct qs_divergence *d, const char *name, const float a[4], const float b[4])
{
	char text[2][64];

	for (unsigned i = 0; i < 2; i++) {
		const float *v = i ? b : a;

		snprintf(text[i], sizeof text[i], "%.7g %.7g %.7g %.7g", (double)v[0], (double)v[1], (double)v[2], (double)v[3]);
	}
	operand_text(d, name, text[0], text[1]);
}

bool look_near(float a, float b, float tolerance)
{
	if (isnan(a) || isnan(b))
		return isnan(a) && isnan(b);
	return a == b || fabsf(a - b) <= tolerance * fmaxf(1, fabsf(a));
}

bool look_near_lanes(const float a[4], const float b[4], uint8_t lanes, float tolerance)
{
	for (unsigned k = 0; k < 4; k++)
		if (lanes >> k & 1 && !look_near(a[k], b[k], tolerance))
			return false;
	return true;
}

bool look_permuted(const float a[4], const float b[4])
{
	static const uint8_t order[23][4] = {{2, 1, 0, 3}, {0, 2, 1, 3}, {1, 0, 2, 3}, {1, 2, 0, 3}, {2, 0, 1, 3}, {3, 0, 1, 2}, {1, 2, 3, 0},
		{3, 2, 1, 0}, {2, 3, 0, 1}, {1, 0, 3, 2}};

	for (unsigned i = 0; i < 10; i++) {
		bool same = true;

		for (unsigned k = 0; k < 4; k++)
			same &= look_near(a[order[i][k]], b[k], 1e-4f);
		if (same)
			return true;
	}
	return false;
}

bool look_ask(struct look *l, uint32_t primitive, struct qs_value what, float value[4])
{
	const struct qs_source *b = l->c->b;

	return compare_progress(l->c, l->c->fraction) && b->value(b->user, l->command, primitive, &what, l->x, l->y, value, l->error);
}

/* ---- the draw and the pixel --------------------------------------------------------------------------------------------- */

bool look_shows(const struct qs_command *k)
{
	return k->kind == QS_COMMAND_DRAW || k->opcode == G3_clear;
}

bool look_pictures(struct look *l, uint32_t command, struct qs_image image[2], struct qs_error *error)
{
	const struct qs_source *source[2] = {l->c->a, l->c->b};
	bool good = true;

	memset(image, 0, 2 * sizeof *image);
	for (unsigned i = 0; i < 2 && good; i++)
		good = compare_progress(l->c, l->c->fraction) && source[i]->after(source[i]->user, command, l->buffer, &image[i], error);
	return good && image[0].width == image[1].width && image[0].height == image[1].height;
}

unsigned look_far(const struct look *l, const struct qs_image image[2], size_t pixel)
{
	unsigned tolerance = l->c->result->beyond ? l->c->result->tolerance : 0, far = 0;

	if (l->buffer == QS_BUFFER_DEPTH) {
		uint32_t a = image[0].depth[pixel], b = image[1].depth[pixel], away = a > b ? a - b : b - a;

		return away > l->c->slack ? away : 0;
	}
	for (unsigned k = 0; k < 3; k++) {
		unsigned away = (unsigned)abs(image[0].rgba[4 * pixel + k] - image[1].rgba[4 * pixel + k]);

		far = away > far ? away : far;
	}
	return far > tolerance ? far : 0;
}

void look_take_pixel(struct look *l, const struct qs_image image[2], size_t pixel)
{
	l->x = (int)(pixel % image[0].width);
	l->y = (int)(pixel / image[0].width);
	for (unsigned i = 0; i < 2; i++) {
		memcpy(l->pixel[i], image[i].rgba + 4 * pixel, 4);
		l->z[i] = image[i].depth ? image[i].depth[pixel] : 0;
	}
}

/* The worst pixel of the pictures after the command; false in *differ: none, or an error. */
static bool after(struct look *l, uint32_t command, bool *differ, struct qs_error *error)
{
	struct qs_image image[2];
	unsigned worst = 0;
	bool good = look_pictures(l, command, image, error);

	*differ = false;
	for (size_t n = 0; good && n < (size_t)image[0].width * image[0].height; n++) {
		unsigned far = look_far(l, image, n);

		if (far <= worst)
			continue;
		worst = far;
		*differ = true;
		look_take_pixel(l, image, n);
	}
	qs_image_finish(&image[0]);
	qs_image_finish(&image[1]);
	return good || !error->code;
}

/* The pixel as it was before the command. */
static bool pixel_before(struct look *l)
{
	const struct qs_source *source[2] = {l->c->a, l->c->b};
	bool good = l->command > 0;

	for (unsigned i = 0; i < 2 && good; i++) {
		struct qs_image image = {0};

		good = source[i]->after(source[i]->user, l->command - 1, QS_BUFFER_COLOR, &image, l->error);
		if (good && l->x < (int)image.width && l->y < (int)image.height)
			memcpy(l->before[i], image.rgba + 4 * ((size_t)l->y * image.width + (size_t)l->x), 4);
		qs_image_finish(&image);
	}
	return good;
}

/* Between a command after which all is equal (or the frame's start) and one after which it is not. */
static bool find_command(struct look *l, bool *found)
{
	const struct qs_capture *capture = qs_timeline_capture(l->t);
	const struct qs_frame *f = qs_capture_frame(capture, l->c->options->frame);
	uint32_t *list = calloc(f->command_count + 1, sizeof *list), count = 0, low = 0, high;
	bool differ, good = list != NULL;

	*found = false;
	for (uint32_t i = 0; good && i < f->command_count; i++)
		if (look_shows(qs_capture_command(capture, f->first_command + i)))
			list[count++] = f->first_command + i;
	high = count;
	while (good && low < high) {
		uint32_t middle = low + (high - low) / 2;

		good = after(l, list[middle], &differ, l->error);
		if (differ)
			high = middle;
		else
			low = middle + 1;
	}
	if (good && high < count) {
		l->command = list[high];
		good = after(l, l->command, found, l->error);
	}
	free(list);
	return good;
}

static bool note_fragment(void *user, const struct qs_moment *moment, const struct qs_setup *setup, const struct qs_quad *quad)
{
	struct look *l = user;
	unsigned k = (unsigned)(l->y & 1) * 2 + (unsigned)(l->x & 1);

	(void)setup;
	if (quad->x != (l->x & ~1) || quad->y != (l->y & ~1) || !(quad->coverage >> 3 * k & 7) || l->count == FRAGMENTS)
		return true;
	l->moment[l->count] = *moment;
	l->verdict[l->count++] = quad->fragment[k].verdict;
	return true;
}

static bool list_fragments(struct look *l)
{
	struct qs_taps taps = {.mask = QS_TAP_QUAD, .user = l, .quad = note_fragment};
	struct qs_moment from = {.level = QS_LEVEL_START}, to;

	if (l->command)
		qs_moment_of_command(qs_timeline_capture(l->t), l->command - 1, &from);
	qs_moment_of_command(qs_timeline_capture(l->t), l->command, &to);
	l->d->moment = to;
	return qs_timeline_replay(l->t, &from, &to, &taps, l->error);
}

/* ---- one fragment ------------------------------------------------------------------------------------------------------- */

static bool take_fragment(struct look *l, unsigned i)
{
	struct qs_moment m = l->moment[i];

	m.level = QS_LEVEL_QUAD;
	m.fragment = m.stage = 0;
	l->k = (unsigned)(l->y & 1) * 2 + (unsigned)(l->x & 1);
	l->primitive = m.primitive;
	l->d->moment = m;
	l->d->moment.level = QS_LEVEL_FRAGMENT;
	l->d->moment.fragment = l->k;
	if (!qs_timeline_seek(l->t, &m, l->error) || !qs_timeline_gfx3d_quad(l->t, l->quad, l->error))
		return false;
	l->f = &l->quad->fragment[l->k];
	return true;
}

/* What the vertices give without perspective. */
static void linear(struct look *l, uint32_t slot, float out[4])
{
	const struct g3_draw *draw = &l->t->gfx3d->g->raster->draw;
	const struct g3_triangle *t = l->quad->part < draw->part_count ? &draw->part[l->quad->part] : NULL;

	for (unsigned k = 0; k < 4; k++) {
		out[k] = 0;
		for (unsigned i = 0; t && i < 3; i++)
			out[k] += l->f->weight[i] * t->v[i].vary[slot][k];
	}
}

const struct csir_program *look_program(const struct look *l)
{
	const struct qs_gfx3d *g = l->t->gfx3d->g;

	return g->raster->draw.program;
}

/* To the fragment again, whose draw must be set up. */
static bool back_to(struct look *l, const struct qs_moment *fragment)
{
	struct qs_moment m = *fragment;

	m.level = QS_LEVEL_QUAD;
	m.fragment = m.stage = 0;
	return qs_timeline_seek(l->t, &m, l->error);
}

static bool look_at_varyings(struct look *l, bool *done)
{
	uint32_t loaded = l->t->gfx3d->g->raster->draw.varyings;

	for (uint32_t slot = 0; slot < CSIR_VARY_MAX && !*done; slot++) {
		float value[4], straight[4];
		char name[40];

		if (!(loaded >> slot & 1))
			continue;
		if (!look_ask(l, l->primitive, (struct qs_value){.kind = QS_VALUE_VARYING, .slot = slot}, value))
			return false;
		if (look_near_lanes(l->f->varying[slot], value, 15, 2e-3f))
			continue;
		linear(l, slot, straight);
		if (!look_near_lanes(straight, value, 15, 2e-3f)) { /* no matter of interpolation */
			struct qs_moment here = l->d->moment;

			if (!look_at_vertices(l, l->primitive, false, done) || !back_to(l, &here))
				return false;
			if (*done)
				return true;
		}
		snprintf(name, sizeof name, "varying %" PRIu32, slot);
		look_vector(l->d, name, l->f->varying[slot], value);
		look_vector(l->d, "without perspective", straight, straight);
		if (look_permuted(l->f->varying[slot], value))
			look_name(l, QS_AT_VERTEX, QS_CLASS_SWIZZLE, "The vertices give the lanes of a varying in another order.");
		else if (look_near_lanes(straight, value, 15, 2e-3f))
			look_name(l, QS_AT_INTERPOLATION, QS_CLASS_INTERPOLATION, "A varying is interpolated without perspective.");
		else
			look_name(l, QS_AT_VERTEX, QS_CLASS_FORMAT, "The vertices give a varying other values.");
		*done = true;
	}
	return true;
}

/* ---- after the shader --------------------------------------------------------------------------------------------------- */

static bool look_at_depth(struct look *l, bool *done)
{
	const struct g3_draw *draw = &l->t->gfx3d->g->raster->draw;
	bool wrote[2] = {l->f->verdict == QS_GFX3D_VERDICT_WRITTEN, memcmp(l->before[1], l->pixel[1], 4) != 0};
	float at[4], z;
	struct qs_image stored = {0};
	uint32_t before = 0xFFFFFF;
	bool same = l->color_known;

	for (unsigned k = 0; k < 3 && same; k++) {
		float c = l->color[k] < 0 ? 0 : l->color[k] > 1 ? 1 : l->color[k];

		same = fabsf(c * 255 - l->before[1][k]) <= 1.5f;
	}
	if (same || wrote[0] == wrote[1] || l->verdict[l->count - 1] == QS_VERDICT_NONE)
		return true;
	*done = true;
	if (l->f->verdict == QS_GFX3D_VERDICT_DISCARD) {
		look_name(l, QS_AT_ALPHA, QS_CLASS_ALPHA_TEST, "Only the first discards the fragment.");
		return true;
	}
	if (!look_ask(l, l->primitive, (struct qs_value){.kind = QS_VALUE_FRAGMENT_COORDINATE}, at))
		return false;
	z = draw->rules.clip_depth ? l->f->z * l->f->inv_w * 0.5f + 0.5f : l->f->z;
	operand_number(l->d, "depth", (double)l->f->z, (double)at[2]);
	operand_number(l->d, "depth in the window", (double)z, (double)at[2]);
	operand_number(l->d, "1 / w", (double)l->f->inv_w, (double)at[3]);
	if (l->c->b->after(l->c->b->user, l->command - 1, QS_BUFFER_DEPTH, &stored, l->error) && stored.depth)
		before = stored.depth[(size_t)l->y * stored.width + (size_t)l->x];
	qs_image_finish(&stored);
	operand_number(l->d, "stored before, of 16777215", (double)l->f->z_old * 16777215, before);
	if (!draw->c->depth_on)
		look_name(l, QS_AT_DEPTH, QS_CLASS_STALE_STATE, "The depth test is switched off, and one of them goes on testing.");
	else if ((l->f->z_old >= 1) != (before == 0xFFFFFF))
		look_name(l, QS_AT_DEPTH, QS_CLASS_STALE_STATE, "Only one of them has been cleared to the far end.");
	else if (!draw->rules.clip_depth && look_near(z, at[2], 1e-4f))
		look_name(l, QS_AT_DEPTH, QS_CLASS_STALE_STATE, "The fragments' depths are equal, the ones they are compared with are not.");
	else
		look_name(l, QS_AT_DEPTH, QS_CLASS_DEPTH_FORMULA, "Another depth decides otherwise.");
	return true;
}

/* Both wrote the pixel, and another depth. */
static bool look_at_stored_depth(struct look *l)
{
	const struct g3_draw *draw = &l->t->gfx3d->g->raster->draw;
	float z = draw->rules.clip_depth ? l->f->z * l->f->inv_w * 0.5f + 0.5f : l->f->z, at[4];

	if (!look_ask(l, l->primitive, (struct qs_value){.kind = QS_VALUE_FRAGMENT_COORDINATE}, at))
		return false;
	operand_number(l->d, "depth in the window", (double)z, (double)at[2]);
	operand_number(l->d, "1 / w", (double)l->f->inv_w, (double)at[3]);
	if (look_near(z, at[2], 1e-4f))
		look_name(l, QS_AT_DEPTH, QS_CLASS_STALE_STATE, "The fragment's depth is equal, what is stored of it is not.");
	else
		look_name(l, QS_AT_DEPTH, QS_CLASS_DEPTH_FORMULA, "The fragment has another depth.");
	return true;
}

static void look_at_pixel(struct look *l)
{
	const struct g3_draw *draw = &l->t->gfx3d->g->raster->draw;
	float lane[2][4];
	int far = 0;

	for (unsigned k = 0; k < 4; k++) {
		int away = abs(l->pixel[0][k] - l->pixel[1][k]);

		far = away > far ? away : far;
		lane[0][k] = l->pixel[0][k];
		lane[1][k] = l->pixel[1][k];
	}
	operand_colour(l->d, "pixel before", l->before[0], l->before[1]);
	look_vector(l->d, "shader's colour", l->f->color, l->f->color);
	if (draw->c->blend.enable)
		look_name(l, QS_AT_BLEND, QS_CLASS_BLEND, "The shader's colour is equal, what blending makes of it is not.");
	else if (far > 1 && !l->f->out_of_range && look_permuted(lane[0], lane[1]))
		look_name(l, QS_AT_PACKING, QS_CLASS_SWIZZLE, "Channels are stored in another order.");
	else if (far <= 1 || l->f->out_of_range)
		look_name(l, QS_AT_PACKING, QS_CLASS_ROUNDING, "The shader's colour is equal, its eight bits are not.");
	else
		look_name(l, QS_AT_PACKING, QS_CLASS_FORMAT, "The shader's colour is equal, what is stored of it is not.");
}

static bool look_at_draw(struct look *l)
{
	bool done = false;
	unsigned last = 0;

	if (!pixel_before(l) || !list_fragments(l) || !look_at_coverage(l, &done) || done || !l->count)
		return l->error->code == QS_OK || done;
	for (unsigned i = 0; i < l->count; i++)
		if (l->verdict[i] == QS_VERDICT_WRITTEN || i == 0)
			last = i;
	if (!take_fragment(l, last))
		return false;
	if (l->f->verdict != QS_GFX3D_VERDICT_DEPTH && (!look_at_varyings(l, &done) || done || !look_at_shader(l, &done) || done))
		return done;
	if (!look_at_depth(l, &done) || done)
		return done;
	if (l->buffer == QS_BUFFER_DEPTH)
		return look_at_stored_depth(l);
	look_at_pixel(l);
	return true;
}

static void look_at_clear(struct look *l)
{
	qs_moment_of_command(qs_timeline_capture(l->t), l->command, &l->d->moment);
	look_name(l, QS_AT_PACKING, QS_CLASS_ROUNDING, "A clear stores another colour.");
}

static unsigned far_apart(const uint8_t a[4], const uint8_t b[4])
{
	unsigned far = 0;

	for (unsigned k = 0; k < 3; k++) {
		unsigned away = (unsigned)abs(a[k] - b[k]);

		far = away > far ? away : far;
	}
	return far;
}

/* The target of the frame at the timeline's moment. */
static bool is_cleared(const struct look *l)
{
	struct qs_gfx3d *g = l->t->gfx3d->g;

	for (unsigned i = 0; i < QS_GFX3D_MAX_CONTEXTS; i++) {
		const struct g3_context *c = &g->context[i];
		const struct g3_target *t = c->slot.used && c->in_frame ? g3_target(g, c->slot.owner, c->target) : NULL;

		if (t)
			return t->cleared;
	}
	return true;
}

static bool held_another(struct look *l)
{
	return pixel_before(l) && far_apart(l->before[0], l->before[1]) > (l->c->result->beyond ? l->c->result->tolerance : 0);
}

void look_describe(struct look *l)
{
	struct qs_divergence *d = l->d;

	d->found = true;
	d->stage = QS_NONE;
	d->x = l->x;
	d->y = l->y;
	if (qs_capture_command(qs_timeline_capture(l->t), l->command)->kind != QS_COMMAND_DRAW) {
		look_at_clear(l);
	} else if (!l->own && held_another(l)) {
		qs_moment_of_command(qs_timeline_capture(l->t), l->command, &d->moment);
		look_name(l, QS_AT_NOTHING, is_cleared(l) ? QS_CLASS_STALE_STATE : QS_CLASS_UNINITIALISED,
			"The pixel held something else before anything reached it.");
		operand_colour(d, "pixel before", l->before[0], l->before[1]);
	} else {
		look_at_draw(l);
	}
	if (l->buffer == QS_BUFFER_DEPTH)
		operand_number(d, "depth in the window, of 16777215", l->z[0], l->z[1]);
	else
		operand_colour(d, "pixel", l->pixel[0], l->pixel[1]);
	if (l->error->code && !d->text[0])
		snprintf(d->text, sizeof d->text, "%.150s", l->error->text);
}

bool compare_gfx3d_first(struct comparer *c, struct qs_divergence *d, struct qs_error *error)
{
	struct qs_error quiet = {0};
	struct look l = {.c = c, .d = d, .t = c->a->timeline, .error = &quiet,
		.buffer = c->result->buffer == QS_BUFFER_DEPTH ? QS_BUFFER_DEPTH : QS_BUFFER_COLOR};
	bool found;

	(void)error;
	memset(d, 0, sizeof *d);
	d->stage = QS_NONE;
	l.quad = malloc(sizeof *l.quad);
	if (l.quad && find_command(&l, &found) && found)
		look_describe(&l);
	free(l.quad);
	if (quiet.code && !d->text[0])
		snprintf(d->text, sizeof d->text, "%.150s", quiet.text);
	return true; /* what is not found out is no error of the comparison */
}
