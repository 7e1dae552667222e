/* query.c - setup records, quads, vertices and pixels at the current moment
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/bits.h"
#include "gx/copy.h"
#include "trace/gfx3d.h"

static bool need(const struct qs_timeline *t, enum qs_level level, const char *what, struct qs_error *error)
{
	if (t->moment.level >= level)
		return true;
	qs_error_set(error, QS_ERR_RANGE, 0, "There is no %s at this moment; go to a %s or finer.", what, qs_level_name(level));
	return false;
}

/* Number of the primitive whose records belong to the moment; a finished draw shows its last. */
static bool shown_primitive(struct qs_timeline *t, uint32_t *primitive, struct qs_error *error)
{
	const struct trace_walk *walk;

	*primitive = t->moment.primitive;
	if (t->moment.level != QS_LEVEL_DRAW)
		return true;
	walk = trace_walk_get(t, t->moment.command, error);
	if (walk && !walk->primitives)
		qs_error_set(error, QS_ERR_RANGE, 0, "The draw has no primitives.");
	if (!walk || !walk->primitives)
		return trace_come_back(t);
	*primitive = walk->primitives - 1;
	return true;
}

static uint32_t copy_setup(const struct gx_machine *m, struct qs_setup *setup, uint32_t max)
{
	const struct gx_triangle *parts;
	const struct qs_setup *nothing;
	uint32_t n = gx_draw_parts(m, &parts, &nothing);

	for (uint32_t i = 0; i < n && i < max; i++)
		setup[i] = parts[i].record;
	if (!n && max)
		setup[0] = *nothing;
	return n ? n : 1;
}

uint32_t qs_timeline_setup(struct qs_timeline *t, struct qs_setup *setup, uint32_t max, struct qs_error *error)
{
	uint32_t primitive, n;

	if (!trace_start(t, error))
		return 0;
	if (!need(t, QS_LEVEL_DRAW, "setup record", error))
		return 0;
	if (!t->gfx3d && t->cursor && t->at.command == t->moment.command && t->moment.level >= QS_LEVEL_PRIMITIVE)
		return copy_setup(t->m, setup, max);
	if (!shown_primitive(t, &primitive, error))
		return 0;
	if (t->gfx3d) {
		n = trace_gfx3d_setup(t, primitive, setup, max, error);
		trace_come_back(t);
		return n;
	}
	if (!trace_scratch_begin(t, t->moment.command, primitive, error)) {
		trace_come_back(t);
		return 0;
	}
	n = copy_setup(t->m, setup, max);
	trace_scratch_end(t);
	trace_come_back(t);
	return n;
}

/* ---- the quad ----------------------------------------------------------------------------------------------------------- */

/* What is not done at the moment is left out; where and what was covered stays. */
static void hide_fragment(struct qs_fragment *f)
{
	struct qs_fragment hidden;

	memset(&hidden, 0, sizeof hidden);
	hidden.verdict = f->samples ? QS_VERDICT_PENDING : QS_VERDICT_NONE;
	hidden.samples = f->samples;
	hidden.x = f->x;
	hidden.y = f->y;
	*f = hidden;
}

/* Stages after `last` and everything behind the combiner. */
static void hide_end(struct qs_fragment *f, uint32_t last)
{
	struct qs_fragment all = *f;

	for (uint32_t i = last + 1; i < 16; i++)
		memset(&all.stage[i], 0, sizeof all.stage[i]);
	memset(f, 0, sizeof *f);
	f->verdict = QS_VERDICT_PENDING;
	f->samples = all.samples;
	f->x = all.x;
	f->y = all.y;
	memcpy(f->ras, all.ras, sizeof f->ras);
	f->inv_w = all.inv_w;
	memcpy(f->coord, all.coord, sizeof f->coord);
	f->stage_count = all.stage_count;
	f->indirect_count = all.indirect_count;
	f->z_interpolated = all.z_interpolated;
	memcpy(f->indirect, all.indirect, sizeof f->indirect);
	memcpy(f->stage, all.stage, sizeof f->stage);
	if (all.early_z) { /* was decided before texturing */
		f->early_z = true;
		f->z_func = all.z_func;
		f->z_tested = all.z_tested;
		f->z_passed = all.z_passed;
		f->z_written = all.z_written;
		f->z = all.z;
		f->z_old = all.z_old;
		f->z_new = all.z_new;
		if (all.verdict == QS_VERDICT_EARLY_Z)
			f->verdict = QS_VERDICT_EARLY_Z;
	}
}

bool qs_timeline_quad(struct qs_timeline *t, struct qs_setup *setup, struct qs_quad *quad, struct qs_error *error)
{
	const struct qs_moment *m = &t->moment;

	if (!trace_start(t, error))
		return false;
	if (!need(t, QS_LEVEL_QUAD, "quad", error))
		return false;
	if (setup)
		*setup = t->quad_setup;
	if (!quad)
		return true;
	*quad = t->quad;
	for (uint32_t i = 0; i < 4 && m->level > QS_LEVEL_QUAD; i++) {
		if (i > m->fragment)
			hide_fragment(&quad->fragment[i]);
		else if (i == m->fragment && m->level == QS_LEVEL_STAGE)
			hide_end(&quad->fragment[i], m->stage);
	}
	return true;
}

bool qs_timeline_quads(struct qs_timeline *t, struct qs_quad_place **quads, uint32_t *count, struct qs_error *error)
{
	const struct trace_walk *walk;
	uint32_t primitive;

	if (!trace_start(t, error))
		return false;
	*quads = NULL;
	*count = 0;
	if (!need(t, QS_LEVEL_DRAW, "primitive", error) || !shown_primitive(t, &primitive, error))
		return false;
	walk = trace_walk_get(t, t->moment.command, error);
	if (!walk || primitive >= walk->primitives)
		return trace_come_back(t);
	uint32_t n = trace_walk_quads(walk, primitive);
	*quads = malloc((n ? n : 1) * sizeof **quads);
	if (*quads) {
		if (n)
			memcpy(*quads, walk->places + walk->first[primitive], n * sizeof **quads);
		*count = n;
	} else {
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for %" PRIu32 " quads.", n);
	}
	trace_come_back(t);
	return *quads != NULL;
}

/* ---- vertices ----------------------------------------------------------------------------------------------------------- */

/* EFB pixels: the scissor offset is in units of two pixels (spec 03, register 59). */
static void convert_vertex(const struct gx_state *s, const struct gx_vertex *v, struct qs_vertex *q)
{
	uint32_t offset = s->bp[0x59];

	memset(q, 0, sizeof *q);
	q->index = v->index;
	memcpy(q->object, v->object, sizeof q->object);
	memcpy(q->eye, v->eye, sizeof q->eye);
	memcpy(q->clip, v->clip, sizeof q->clip);
	memcpy(q->normal, v->eye_normal, sizeof q->normal);
	memcpy(q->colour, v->colour, sizeof q->colour);
	memcpy(q->tex, v->tex, sizeof q->tex);
	q->outcode = v->outcode;
	if (v->clip[3] != 0) {
		q->screen[0] = v->screen[0] - (float)(bits(offset, 0, 9) * 2);
		q->screen[1] = v->screen[1] - (float)(bits(offset, 10, 9) * 2);
		q->screen[2] = v->screen[2];
		q->inv_w = v->inv_w;
	}
}

bool qs_timeline_vertices(struct qs_timeline *t, struct qs_vertex **vertices, uint32_t *count, struct qs_error *error)
{
	const struct gx_vertex *v;
	bool scratch;

	if (!trace_start(t, error))
		return false;
	*vertices = NULL;
	*count = 0;
	if (!need(t, QS_LEVEL_DRAW, "draw", error))
		return false;
	if (t->gfx3d) {
		bool good = trace_gfx3d_vertices(t, vertices, count, error);

		trace_come_back(t);
		return good;
	}
	scratch = !(t->cursor && t->at.command == t->moment.command);
	if (scratch && !trace_scratch_begin(t, t->moment.command, QS_NONE, error))
		return trace_come_back(t);
	uint32_t n = gx_draw_vertices(t->m, &v);
	*vertices = malloc((n ? n : 1) * sizeof **vertices);
	for (uint32_t i = 0; *vertices && i < n; i++)
		convert_vertex(&t->entry, &v[i], &(*vertices)[i]);
	if (scratch)
		trace_scratch_end(t);
	trace_come_back(t);
	if (!*vertices) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for %" PRIu32 " vertices.", n);
		return false;
	}
	*count = n;
	return true;
}

/* ---- pixels ------------------------------------------------------------------------------------------------------------- */

bool qs_timeline_pixel(struct qs_timeline *t, int x, int y, uint8_t rgba[4], uint32_t *z)
{
	size_t i = (size_t)y * GX_EFB_WIDTH + (size_t)x;

	if (t->gfx3d)
		return trace_gfx3d_pixel(t, x, y, rgba, z);
	if (x < 0 || y < 0 || x >= GX_EFB_WIDTH || y >= GX_EFB_HEIGHT)
		return false;
	gx_sync(t->m);
	gx_efb_pixel(t->m, i, rgba);
	if (z)
		*z = t->m->efb->depth[i];
	return true;
}

unsigned qs_timeline_samples(struct qs_timeline *t, int x, int y, uint8_t rgba[3][4], uint32_t z[3])
{
	size_t i = (size_t)y * GX_EFB_WIDTH + (size_t)x;

	if (t->gfx3d || x < 0 || y < 0 || x >= GX_EFB_WIDTH || y >= GX_EFB_HEIGHT)
		return 0;
	gx_sync(t->m);
	for (unsigned s = 0; s < gx_efb_samples(t->m); s++) {
		gx_efb_unpack(t->m->state.bp[0x43] & 7, gx_efb_colour(t->m, s)[i], rgba[s]);
		z[s] = gx_efb_depth(t->m, s)[i];
	}
	return gx_efb_samples(t->m);
}

/* ---- copies ------------------------------------------------------------------------------------------------------------- */

struct copy_question {
	struct qs_timeline *t;
	uint32_t command;
	struct qs_copy *copy;
	struct qs_copy_texel *texel; /* or NULL */
	uint32_t x, y;
	bool found, inside;
};

static bool catch_copy(void *user, const struct qs_moment *moment, const struct qs_copy *copy)
{
	struct copy_question *q = user;

	if (moment->command != q->command)
		return true;
	*q->copy = *copy;
	q->found = true;
	q->inside = !q->texel || gx_copy_texel(q->t->m, q->x, q->y, q->texel);
	return true;
}

/* The copy is made once more, from the state before it. */
static bool ask_copy(struct qs_timeline *t, struct copy_question *q, struct qs_error *error)
{
	const struct qs_command *c = t->moment.level == QS_LEVEL_COMMAND ? qs_capture_command(t->capture, t->moment.command) : NULL;
	struct qs_taps taps = {.mask = QS_TAP_COPY, .user = q, .copy = catch_copy};
	struct trace_position before = {.command = t->moment.command}, after = {.command = t->moment.command + 1};
	enum trace_result result;

	if (!c || c->kind != QS_COMMAND_COPY) {
		qs_error_set(error, QS_ERR_RANGE, 0, "There is no copy at this moment; go to the moment of a copy command.");
		return false;
	}
	q->t = t;
	q->command = t->moment.command;
	t->away = true;
	result = trace_goto(t, &before);
	if (!result) {
		trace_set_taps(t, &taps);
		result = trace_goto(t, &after);
		trace_set_taps(t, NULL);
	}
	if (result)
		return trace_fail(t, result, NULL, error);
	trace_come_back(t);
	return q->found;
}

bool qs_timeline_copy(struct qs_timeline *t, struct qs_copy *copy, struct qs_error *error)
{
	struct copy_question q = {.copy = copy};

	return trace_start(t, error) && ask_copy(t, &q, error);
}

static bool no_texel(const struct qs_copy *copy, uint32_t x, uint32_t y, struct qs_error *error)
{
	qs_error_set(error, QS_ERR_RANGE, 0, "The copy has no texel %" PRIu32 ",%" PRIu32 "; it is %" PRIu32 "x%" PRIu32 ".", x, y,
		copy->width, copy->height);
	return false;
}

bool qs_timeline_copy_texel(struct qs_timeline *t, uint32_t x, uint32_t y, struct qs_copy_texel *texel, struct qs_error *error)
{
	struct qs_copy copy;
	struct copy_question q = {.copy = &copy, .texel = texel, .x = x, .y = y};

	if (t->m->copying)
		return gx_copy_texel(t->m, x, y, texel) || no_texel(t->m->copying->copy, x, y, error);
	if (!trace_start(t, error) || !ask_copy(t, &q, error))
		return false;
	return q.inside || no_texel(&copy, x, y, error);
}

const char *qs_verdict_name(enum qs_verdict verdict)
{
	static const char *const names[] = {"not covered", "written", "masked", "early z", "alpha test", "late z", "pending"};

	return (unsigned)verdict < sizeof names / sizeof *names ? names[verdict] : "?";
}

/* ---- textures ----------------------------------------------------------------------------------------------------------- */

bool qs_timeline_texture(struct qs_timeline *t, unsigned map, struct qs_texture *texture, struct qs_error *error)
{
	return gx_view_texture(t->m, map, texture, error);
}

void qs_timeline_tmem(const struct qs_timeline *t, struct qs_tmem_line *lines)
{
	gx_view_tmem(t->m, lines);
}

bool qs_timeline_texture_image(struct qs_timeline *t, unsigned map, unsigned level, struct qs_image *image, struct qs_error *error)
{
	return gx_view_texture_image(t->m, map, level, image, error);
}

bool qs_timeline_texture_level(struct qs_timeline *t, unsigned map, unsigned level, struct qs_texture_level *place,
	struct qs_error *error)
{
	return gx_view_texture_level(t->m, map, level, place, error);
}

bool qs_timeline_tlut_image(struct qs_timeline *t, unsigned map, struct qs_image *image, struct qs_error *error)
{
	return gx_view_tlut_image(t->m, map, image, error);
}
