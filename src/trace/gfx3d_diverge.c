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

#include "gfx3d/host.h"
#include "trace/compare.h"
#include "trace/gfx3d.h"

#define FRAGMENTS 64
#define PARTS 16
#define PRIMITIVES 256 /* that are asked for one by one */

struct look {
	struct comparer *c;
	struct qs_divergence *d;
	struct qs_timeline *t; /* of the first source */
	uint32_t command;
	int x, y;
	uint8_t pixel[2][4], before[2][4];
	struct qs_moment moment[FRAGMENTS]; /* of the first source's fragments on the pixel */
	uint8_t verdict[FRAGMENTS];
	unsigned count;
	struct qs_gfx3d_quad *quad; /* of the fragment that is looked at */
	const struct qs_gfx3d_fragment *f;
	unsigned k;
	uint32_t primitive;
	float tolerance;      /* of registers */
	bool color_known;
	float color[4];       /* the host's, of the fragment */
	struct qs_error *error;
};

static void name_it(struct look *l, enum qs_stage_unit unit, enum qs_class kind, const char *text)
{
	l->d->unit = (uint8_t)unit;
	l->d->kind = (uint8_t)kind;
	snprintf(l->d->text, sizeof l->d->text, "%s", text);
}

static void operand_vector(struct qs_divergence *d, const char *name, const float a[4], const float b[4])
{
	char text[2][64];

	for (unsigned i = 0; i < 2; i++) {
		const float *v = i ? b : a;

		snprintf(text[i], sizeof text[i], "%.7g %.7g %.7g %.7g", (double)v[0], (double)v[1], (double)v[2], (double)v[3]);
	}
	operand_text(d, name, text[0], text[1]);
}

static bool near_number(float a, float b, float tolerance)
{
	if (isnan(a) || isnan(b))
		return isnan(a) && isnan(b);
	return a == b || fabsf(a - b) <= tolerance * fmaxf(1, fabsf(a));
}

static bool near_lanes(const float a[4], const float b[4], uint8_t lanes, float tolerance)
{
	for (unsigned k = 0; k < 4; k++)
		if (lanes >> k & 1 && !near_number(a[k], b[k], tolerance))
			return false;
	return true;
}

/* b has a's numbers in another order. */
static bool permuted(const float a[4], const float b[4])
{
	static const uint8_t order[23][4] = {{2, 1, 0, 3}, {0, 2, 1, 3}, {1, 0, 2, 3}, {1, 2, 0, 3}, {2, 0, 1, 3}, {3, 0, 1, 2}, {1, 2, 3, 0},
		{3, 2, 1, 0}, {2, 3, 0, 1}, {1, 0, 3, 2}};

	for (unsigned i = 0; i < 10; i++) {
		bool same = true;

		for (unsigned k = 0; k < 4; k++)
			same &= near_number(a[order[i][k]], b[k], 1e-4f);
		if (same)
			return true;
	}
	return false;
}

static bool ask(struct look *l, uint32_t primitive, struct qs_value what, float value[4])
{
	const struct qs_source *b = l->c->b;

	return compare_progress(l->c, l->c->fraction) && b->value(b->user, l->command, primitive, &what, l->x, l->y, value, l->error);
}

/* ---- the draw and the pixel --------------------------------------------------------------------------------------------- */

static bool shows(const struct qs_command *k)
{
	return k->kind == QS_COMMAND_DRAW || k->opcode == G3_clear;
}

/* The worst pixel of the pictures after the command; false in *differ: none, or an error. */
static bool after(struct look *l, uint32_t command, bool *differ, struct qs_error *error)
{
	const struct qs_source *source[2] = {l->c->a, l->c->b};
	unsigned tolerance = l->c->result->beyond ? l->c->result->tolerance : 0;
	struct qs_image image[2] = {{0}};
	int worst = 0;
	bool good = true;

	*differ = false;
	for (unsigned i = 0; i < 2 && good; i++)
		good = compare_progress(l->c, l->c->fraction) && source[i]->after(source[i]->user, command, QS_BUFFER_COLOR, &image[i], error);
	for (size_t n = 0; good && image[0].width == image[1].width && n < (size_t)image[0].width * image[0].height; n++) {
		int far = 0;

		for (unsigned k = 0; k < 3; k++) {
			int away = abs(image[0].rgba[4 * n + k] - image[1].rgba[4 * n + k]);

			far = away > far ? away : far;
		}
		if (far <= (int)tolerance || far <= worst)
			continue;
		worst = far;
		*differ = true;
		l->x = (int)(n % image[0].width);
		l->y = (int)(n / image[0].width);
		memcpy(l->pixel[0], image[0].rgba + 4 * n, 4);
		memcpy(l->pixel[1], image[1].rgba + 4 * n, 4);
	}
	qs_image_finish(&image[0]);
	qs_image_finish(&image[1]);
	return good;
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
		if (shows(qs_capture_command(capture, f->first_command + i)))
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
			operand_vector(l->d, name, s[i].vertex[k].clip, s[i].vertex[k].clip);
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
		if (!ask(l, l->moment[i].primitive, (struct qs_value){.kind = QS_VALUE_COVER}, value))
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
		if (!ask(l, p, (struct qs_value){.kind = QS_VALUE_COVER}, value))
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
static bool look_at_coverage(struct look *l, bool *done)
{
	size_t pixels = (size_t)l->c->width * l->c->height, at = (size_t)l->y * l->c->width + (size_t)l->x;
	uint8_t *a = calloc(2, pixels + 1), *b = a ? a + pixels : NULL;
	const struct qs_source *sa = l->c->a, *sb = l->c->b;
	bool good = a && sa->cover && sb->cover && sa->cover(sa->user, l->command, a, l->c->width, l->c->height, l->error) &&
		    sb->cover(sb->user, l->command, b, l->c->width, l->c->height, l->error);
	uint32_t primitive = 0;

	*done = good && a[at] != b[at];
	if (*done) {
		bool only_a = a[at] > b[at];

		good = find_primitive(l, only_a, &primitive);
		l->d->only_a = only_a;
		l->d->only_b = !only_a;
		l->d->moment.level = QS_LEVEL_PRIMITIVE;
		l->d->moment.primitive = primitive;
		operand_number(l->d, "fragments of the draw", a[at], b[at]);
		name_it(l, QS_AT_COVERAGE, class_of_coverage(l, only_a, primitive, a, b), only_a ? "Only the first covers the pixel."
			: "Only the second covers the pixel.");
	}
	free(a);
	return good;
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

static const struct csir_program *program_of(const struct look *l)
{
	const struct qs_gfx3d *g = l->t->gfx3d->g;

	return g->raster->draw.program;
}

static bool look_at_varyings(struct look *l, bool *done)
{
	uint32_t loaded = l->t->gfx3d->g->raster->draw.varyings;

	for (uint32_t slot = 0; slot < CSIR_VARY_MAX && !*done; slot++) {
		float value[4], straight[4];
		char name[40];

		if (!(loaded >> slot & 1))
			continue;
		if (!ask(l, l->primitive, (struct qs_value){.kind = QS_VALUE_VARYING, .slot = slot}, value))
			return false;
		if (near_lanes(l->f->varying[slot], value, 15, 2e-3f))
			continue;
		linear(l, slot, straight);
		snprintf(name, sizeof name, "varying %" PRIu32, slot);
		operand_vector(l->d, name, l->f->varying[slot], value);
		operand_vector(l->d, "without perspective", straight, straight);
		if (permuted(l->f->varying[slot], value))
			name_it(l, QS_AT_VERTEX, QS_CLASS_SWIZZLE, "The vertices give the lanes of a varying in another order.");
		else if (near_lanes(straight, value, 15, 2e-3f))
			name_it(l, QS_AT_INTERPOLATION, QS_CLASS_INTERPOLATION, "A varying is interpolated without perspective.");
		else
			name_it(l, QS_AT_VERTEX, QS_CLASS_FORMAT, "The vertices give a varying other values.");
		*done = true;
	}
	return true;
}

/* ---- the fragment shader ------------------------------------------------------------------------------------------------ */

/* Step before `end` that ran for the fragment and wrote the register; -1: none. */
static int writer_of(const struct look *l, const struct csir_shader *fs, int end, int reg)
{
	for (int i = end - 1; i >= 0; i--) {
		const struct qs_gfx3d_step *s = &l->quad->step[i];
		struct csir_effect e;

		if (!(s->ran >> l->k & 1))
			continue;
		csir_effect(&fs->instr[s->instruction], &e);
		if (e.write.count && reg >= e.write.reg && reg < e.write.reg + e.write.count)
			return i;
	}
	return -1;
}

/* The register as the host has it before an instruction. */
static bool host_register(struct look *l, uint32_t instruction, int reg, float value[4])
{
	if (!instruction) {
		memset(value, 0, 4 * sizeof *value);
		return true;
	}
	return ask(l, l->primitive, (struct qs_value){.kind = QS_VALUE_REGISTER, .instruction = instruction - 1, .reg = (uint32_t)reg}, value);
}

static bool operand_differs(struct look *l, const float cpu[4], uint32_t instruction, int reg, uint8_t lanes, bool *differs)
{
	float value[4];

	*differs = false;
	if (!host_register(l, instruction, reg, value))
		return false;
	*differs = !near_lanes(cpu, value, lanes, l->tolerance);
	return true;
}

static enum qs_class class_of_instruction(const struct look *l, const struct csir_instr *in, const struct qs_gfx3d_step *s, const float host[4])
{
	const float *mine = s->value[l->k], *at = s->a[l->k];
	bool zero = !host[0] && !host[1] && !host[2] && !host[3];
	struct csir_effect e;

	switch (in->op) {
	case CSIR_RCP:
	case CSIR_RSQ:
	case CSIR_SIN:
	case CSIR_COS:
	case CSIR_POW:
		return QS_CLASS_TRANSCENDENTAL;
	case CSIR_SAMPLE:
		if (at[0] < 0 || at[0] > 1 || at[1] < 0 || at[1] > 1)
			return QS_CLASS_WRAP;
		if (!mine[0] && !mine[1] && !mine[2] && !mine[3] && !host[0] && !host[1] && !host[2])
			return QS_CLASS_UNINITIALISED; /* no texture */
		return QS_CLASS_SAMPLING;
	case CSIR_LOAD_VAR: /* the varying itself is equal: another register */
		return near_lanes(mine, host, 15, 2e-3f) ? QS_CLASS_INTERPOLATION : QS_CLASS_SWIZZLE;
	case CSIR_MULMV:
	case CSIR_MULMM:
		csir_effect(in, &e);
		for (unsigned i = 0; i < 2; i++)
			if (e.read[i].count && e.write.reg < e.read[i].reg + e.read[i].count && e.read[i].reg < e.write.reg + e.write.count)
				return QS_CLASS_STALE_STATE; /* reads what it has overwritten */
		return QS_CLASS_ROUNDING;
	case CSIR_LOAD_UNI:
		return zero ? QS_CLASS_UNINITIALISED : permuted(mine, host) ? QS_CLASS_SWIZZLE : QS_CLASS_STALE_STATE;
	case CSIR_LOAD_FCOORD:
		return !near_number(mine[2], host[2], 1e-4f) ? QS_CLASS_DEPTH_FORMULA : QS_CLASS_INTERPOLATION;
	case CSIR_SWZ:
	case CSIR_SETLANE:
	case CSIR_ABS:
		return QS_CLASS_SWIZZLE;
	default:
		return permuted(mine, host) ? QS_CLASS_SWIZZLE : QS_CLASS_ROUNDING;
	}
}

static bool describe_step(struct look *l, const struct csir_shader *fs, const struct qs_gfx3d_step *s)
{
	const struct csir_instr *in = &fs->instr[s->instruction];
	char text[100];
	float host[4];

	if (!host_register(l, s->instruction + 1u, in->dst, host))
		return false;
	if (s->has_a)
		operand_vector(l->d, "first operand", s->a[l->k], s->a[l->k]);
	if (s->has_b)
		operand_vector(l->d, "second operand", s->b[l->k], s->b[l->k]);
	operand_vector(l->d, "result", s->value[l->k], host);
	l->d->stage = s->instruction;
	csir_instr_text(fs, s->instruction, text, sizeof text);
	name_it(l, in->op == CSIR_SAMPLE ? QS_AT_TEXTURE : QS_AT_INSTRUCTION, class_of_instruction(l, in, s, host), "");
	snprintf(l->d->text, sizeof l->d->text, "From equal operands instruction %u gives another result: %s", s->instruction, text);
	if (in->op == CSIR_SAMPLE)
		l->d->stage = QS_NONE;
	return true;
}

/* The first operand of the step, or condition of an IF before step `until`, that differs; *reg -1: none. */
static bool differing_operand(struct look *l, const struct csir_shader *fs, int *step, int until, int *reg)
{
	const struct qs_gfx3d_step *s = &l->quad->step[*step];
	const struct csir_instr *in = &fs->instr[s->instruction];
	struct csir_effect e;
	bool differs;

	*reg = -1;
	for (int i = 0; i < until; i++) {
		const struct qs_gfx3d_step *branch = &l->quad->step[i];
		const struct csir_instr *condition = &fs->instr[branch->instruction];

		if (condition->op != CSIR_IF || !branch->has_a)
			continue;
		if (!operand_differs(l, branch->a[l->k], branch->instruction, condition->a, 1, &differs))
			return false;
		if (differs) {
			*step = i;
			*reg = condition->a;
			return true;
		}
	}
	csir_effect(in, &e);
	for (unsigned i = 0; i < 2 && *reg < 0; i++) {
		int r = i ? in->b : in->a;

		if (!(i ? s->has_b : s->has_a) || r < 0)
			continue;
		if (!operand_differs(l, i ? s->b[l->k] : s->a[l->k], s->instruction, r, e.read[i].lanes ? e.read[i].lanes : 15, &differs))
			return false;
		*reg = differs ? r : -1;
	}
	return true;
}

/* Back from the step along what differs; *done: an instruction was found and described. */
static bool walk_back(struct look *l, const struct csir_shader *fs, int step, bool *done, int *found)
{
	int reg, turns = 0;

	*found = -1;
	if (!differing_operand(l, fs, &step, (int)l->quad->step_count, &reg)) /* a branch after it may store too */
		return false;
	while (reg >= 0 && turns++ < 400) {
		int from = writer_of(l, fs, step, reg);

		if (from < 0) {
			char text[100];

			l->d->stage = l->quad->step[step].instruction;
			operand_vector(l->d, "operand", l->quad->step[step].a[l->k], l->quad->step[step].a[l->k]);
			csir_instr_text(fs, l->d->stage, text, sizeof text);
			name_it(l, QS_AT_INSTRUCTION, QS_CLASS_UNINITIALISED, "");
			snprintf(l->d->text, sizeof l->d->text, "Instruction %" PRIu32 " reads a register that nothing wrote: %s", l->d->stage, text);
			*done = true;
			return true;
		}
		step = from;
		if (!differing_operand(l, fs, &step, step, &reg))
			return false;
		if (reg < 0)
			*found = step;
	}
	return true;
}

/* Comparisons make much of little: what goes into them is looked at more closely then. */
static bool look_at_shader(struct look *l, bool *done)
{
	const struct csir_shader *fs = csir_program_shader(program_of(l), CSIR_FRAGMENT, &l->t->gfx3d->g->quirks);
	int step = -1, found, closer;

	for (uint32_t i = 0; i < l->quad->step_count; i++)
		if (fs->instr[l->quad->step[i].instruction].op == CSIR_STORE_COLOR && l->quad->step[i].ran >> l->k & 1)
			step = (int)i;
	if (step < 0)
		return true;
	l->color_known = host_register(l, l->quad->step[step].instruction, fs->instr[l->quad->step[step].instruction].a, l->color);
	l->tolerance = 2e-3f;
	if (!l->color_known || !walk_back(l, fs, step, done, &found))
		return false;
	if (*done || found < 0)
		return true;
	if (fs->instr[l->quad->step[found].instruction].op == CSIR_CMP || fs->instr[l->quad->step[found].instruction].op == CSIR_TRUNC) {
		l->tolerance = 3e-6f;
		if (!walk_back(l, fs, step, done, &closer))
			return false;
		if (*done)
			return true;
		found = closer >= 0 ? closer : found;
	}
	*done = true;
	return describe_step(l, fs, &l->quad->step[found]);
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
		name_it(l, QS_AT_ALPHA, QS_CLASS_ALPHA_TEST, "Only the first discards the fragment.");
		return true;
	}
	if (!ask(l, l->primitive, (struct qs_value){.kind = QS_VALUE_FRAGMENT_COORDINATE}, at))
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
		name_it(l, QS_AT_DEPTH, QS_CLASS_STALE_STATE, "The depth test is switched off, and one of them goes on testing.");
	else if ((l->f->z_old >= 1) != (before == 0xFFFFFF))
		name_it(l, QS_AT_DEPTH, QS_CLASS_STALE_STATE, "Only one of them has been cleared to the far end.");
	else if (!draw->rules.clip_depth && near_number(z, at[2], 1e-4f))
		name_it(l, QS_AT_DEPTH, QS_CLASS_STALE_STATE, "The fragments' depths are equal, the ones they are compared with are not.");
	else
		name_it(l, QS_AT_DEPTH, QS_CLASS_DEPTH_FORMULA, "Another depth decides otherwise.");
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
	operand_vector(l->d, "shader's colour", l->f->color, l->f->color);
	if (draw->c->blend.enable)
		name_it(l, QS_AT_BLEND, QS_CLASS_BLEND, "The shader's colour is equal, what blending makes of it is not.");
	else if (far > 1 && !l->f->out_of_range && permuted(lane[0], lane[1]))
		name_it(l, QS_AT_PACKING, QS_CLASS_SWIZZLE, "Channels are stored in another order.");
	else if (far <= 1 || l->f->out_of_range)
		name_it(l, QS_AT_PACKING, QS_CLASS_ROUNDING, "The shader's colour is equal, its eight bits are not.");
	else
		name_it(l, QS_AT_PACKING, QS_CLASS_FORMAT, "The shader's colour is equal, what is stored of it is not.");
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
	look_at_pixel(l);
	return true;
}

static void look_at_clear(struct look *l)
{
	qs_moment_of_command(qs_timeline_capture(l->t), l->command, &l->d->moment);
	name_it(l, QS_AT_PACKING, QS_CLASS_ROUNDING, "A clear stores another colour.");
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

bool compare_gfx3d_first(struct comparer *c, struct qs_divergence *d, struct qs_error *error)
{
	struct qs_error quiet = {0};
	struct look l = {.c = c, .d = d, .t = c->a->timeline, .error = &quiet};
	bool found, good;

	(void)error;
	memset(d, 0, sizeof *d);
	d->stage = QS_NONE;
	l.quad = malloc(sizeof *l.quad);
	good = l.quad && find_command(&l, &found);
	if (good && found) {
		d->found = true;
		d->x = l.x;
		d->y = l.y;
		if (qs_capture_command(qs_timeline_capture(l.t), l.command)->kind == QS_COMMAND_DRAW) {
			if (pixel_before(&l) && far_apart(l.before[0], l.before[1]) > (c->result->beyond ? c->result->tolerance : 0)) {
				qs_moment_of_command(qs_timeline_capture(l.t), l.command, &d->moment);
				name_it(&l, QS_AT_NOTHING, is_cleared(&l) ? QS_CLASS_STALE_STATE : QS_CLASS_UNINITIALISED,
					"The pixel held something else before anything reached it.");
				operand_colour(d, "pixel before", l.before[0], l.before[1]);
			} else {
				look_at_draw(&l);
			}
		} else {
			look_at_clear(&l);
		}
		operand_colour(d, "pixel", l.pixel[0], l.pixel[1]);
	}
	free(l.quad);
	if (quiet.code && !d->text[0])
		snprintf(d->text, sizeof d->text, "%.150s", quiet.text);
	return true; /* what is not found out is no error of the comparison */
}
