/* gx_diverge.c - where a draw of the Flipper first differs between the units and the shader pipeline
 *
 * The host reports no events, so pictures after draws are compared: first in steps, then one by one, until much of what differs at
 * the end of the frame does (single pixels at edges are not what a person looks for when a picture is wrong).  Then the draw
 * is made once more with XF by the units and only the fragments by the host.  When that is right, the vertex program is at
 * fault: it is asked for its results, vertex by vertex, and they stand beside the units'.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/compare.h"
#include "trace/timeline.h"

#define TOLERANCE 4   /* levels that rounding may make */
#define STEP 16       /* draws */
#define VERTICES 96   /* that are asked for */

struct pictures {
	struct qs_image colour[2], depth[2];
};

struct search {
	struct comparer *c;
	struct qs_timeline *t[2];
	struct qs_error *error;
	uint32_t frame;
};

bool compare_gx_host(const struct comparer *c)
{
	const struct qs_timeline *a = c->a->timeline, *b = c->b->timeline;
	uint32_t frame = c->options->frame;

	return a && b && a != b && !a->gfx3d && !b->gfx3d && !trace_shader_frame(a, frame) && trace_shader_frame(b, frame);
}

static void finish(struct pictures *p)
{
	for (unsigned i = 0; i < 2; i++) {
		qs_image_finish(&p->colour[i]);
		qs_image_finish(&p->depth[i]);
	}
}

/* The EFB of one side after the draw; QS_NONE: before the first. */
static bool look(struct search *s, unsigned side, uint32_t draw, struct pictures *p)
{
	struct qs_timeline *t = s->t[side];
	struct qs_moment moment = {.level = QS_LEVEL_DRAW, .frame = s->frame, .draw = draw,
		.command = qs_capture_draw_command(t->capture, s->frame, draw)};

	if (draw == QS_NONE) {
		uint32_t first = qs_capture_frame(t->capture, s->frame)->first_command;
		moment = (struct qs_moment){.level = QS_LEVEL_START};
		if (first)
			qs_moment_of_command(t->capture, first - 1, &moment);
	}
	return qs_timeline_seek(t, &moment, s->error) && qs_timeline_image(t, QS_BUFFER_COLOR, &p->colour[side], s->error) &&
		qs_timeline_image(t, QS_BUFFER_DEPTH, &p->depth[side], s->error);
}

static bool look_at_both(struct search *s, uint32_t draw, struct pictures *p)
{
	memset(p, 0, sizeof *p);
	return look(s, 0, draw, p) && look(s, 1, draw, p);
}

static bool far(const struct qs_image *a, const struct qs_image *b, size_t i)
{
	bool other = false;

	for (unsigned k = 0; k < 3; k++)
		other |= abs(a->rgba[4 * i + k] - b->rgba[4 * i + k]) > TOLERANCE;
	return other;
}

static uint64_t count(const struct pictures *p, size_t *first)
{
	const struct qs_image *a = &p->colour[0], *b = &p->colour[1];
	uint64_t n = 0;

	for (size_t i = 0; i < (size_t)a->width * a->height; i++)
		if (far(a, b, i)) {
			if (!n && first)
				*first = i;
			n++;
		}
	return n;
}

static bool count_after(struct search *s, uint32_t draw, uint64_t *n)
{
	struct pictures p;
	bool good = look_at_both(s, draw, &p);

	*n = good ? count(&p, NULL) : 0;
	finish(&p);
	return good && compare_progress(s->c, s->c->fraction);
}

/* The first draw after which `enough` pixels differ; QS_NONE: none. */
static bool find_draw(struct search *s, uint32_t draws, uint64_t enough, uint32_t *draw)
{
	uint32_t low = 0, at = draws < STEP ? draws - 1 : STEP - 1;
	uint64_t n = 0;

	*draw = QS_NONE;
	for (;;) {
		if (!count_after(s, at, &n))
			return false;
		if (n >= enough || at == draws - 1)
			break;
		low = at + 1;
		at = at + STEP < draws ? at + STEP : draws - 1;
	}
	if (n < enough)
		return true;
	for (; low < at; low++) {
		if (!count_after(s, low, &n))
			return false;
		if (n >= enough)
			break;
	}
	*draw = low;
	return true;
}

/* ---- which half ---------------------------------------------------------------------------------------------------------- */

/* Pixels that differ when the units do XF and the host only the fragments, from the start of the capture on. */
static bool without_vertex_program(struct search *s, uint32_t draw, uint64_t *n)
{
	struct pictures p;
	bool good;

	gx_virgl_ask_units(s->t[1]->virgl, true);
	trace_start_again(s->t[1]); /* what it kept was drawn the other way */
	good = look_at_both(s, draw, &p);
	gx_virgl_ask_units(s->t[1]->virgl, false);
	trace_start_again(s->t[1]);
	*n = good ? count(&p, NULL) : 0;
	finish(&p);
	return good;
}

static void vector(struct qs_divergence *d, const char *name, const float *a, const float *b, unsigned lanes)
{
	char text[2][64];

	for (unsigned i = 0; i < 2; i++) {
		const float *v = i ? b : a;
		size_t n = 0;
		text[i][0] = '\0';
		for (unsigned k = 0; k < lanes; k++)
			n += (size_t)snprintf(text[i] + n, sizeof text[i] - n, "%s%.7g", k ? " " : "", (double)v[k]);
	}
	operand_text(d, name, text[0], text[1]);
}

static bool near(const float *a, const float *b, unsigned lanes, float step)
{
	bool same = true;

	for (unsigned k = 0; k < lanes; k++) {
		if (isnan(a[k]) || isnan(b[k]))
			same &= isnan(a[k]) && isnan(b[k]);
		else
			same &= a[k] == b[k] || fabsf(a[k] - b[k]) <= step + 1e-4f * fabsf(a[k]);
	}
	return same;
}

/* Both results for a vertex; true: they differ, and are operands. */
static bool compare_vertex(const struct gx_vertex *v, uint32_t number, const struct gx_probe *p, struct qs_divergence *d)
{
	const char *what = NULL;
	char name[40];
	bool same[11];
	float colour[2][4];

	same[0] = near(v->clip, p->clip, 4, 1e-4f);
	for (unsigned i = 0; i < p->ncol; i++) {
		for (unsigned k = 0; k < 4; k++)
			colour[i][k] = v->colour[i][k];
		same[1 + i] = near(colour[i], p->colour[i], 4, 1);
		if (!same[1 + i])
			what = "lights or materials";
	}
	for (unsigned i = 0; i < p->ntex; i++) {
		same[3 + i] = near(v->tex[i], p->tex[i], 3, 1 / 64.0f);
		if (!same[3 + i])
			what = "texture coordinates";
	}
	if (!same[0])
		what = "the position";
	if (!what)
		return false;
	snprintf(d->text, sizeof d->text, "The vertex program gives vertex %" PRIu32 " another result: %s.", number, what);
	vector(d, "clip position", v->clip, p->clip, 4);
	for (unsigned i = 0; i < p->ncol; i++) {
		snprintf(name, sizeof name, "colour %u", i);
		vector(d, name, colour[i], p->colour[i], 4);
	}
	for (unsigned i = 0; i < p->ntex; i++) {
		snprintf(name, sizeof name, "coordinate %u", i);
		vector(d, name, v->tex[i], p->tex[i], 3);
	}
	return true;
}

/* Which vertex, and what of it. */
static void ask_vertices(struct search *s, uint32_t command, struct qs_divergence *d)
{
	struct qs_timeline *t = s->t[1];
	const struct gx_vertex *v;
	struct qs_error error = {0};
	struct gx_probe probe;
	unsigned n;

	snprintf(d->text, sizeof d->text, "The vertex program is at fault: with XF by the units the host draws the same.");
	if (!trace_scratch_begin(t, command, QS_NONE, &error))
		return;
	n = gx_draw_vertices(t->m, &v);
	for (unsigned i = 0; i < n && i < VERTICES; i++)
		if (!gx_virgl_probe(t->virgl, t->m, i, &probe, &error) || compare_vertex(&v[i], i, &probe, d))
			break;
	trace_scratch_end(t);
}

/* ---- the answer ------------------------------------------------------------------------------------------------------------ */

/* Of the pixel: was it drawn by one side alone? */
static void describe_fragments(const struct pictures *before, const struct pictures *after, size_t i, struct qs_divergence *d)
{
	bool kept[2];

	for (unsigned k = 0; k < 2; k++)
		kept[k] = !memcmp(before->colour[k].rgba + 4 * i, after->colour[k].rgba + 4 * i, 4) &&
			before->depth[k].depth[i] == after->depth[k].depth[i];
	d->only_a = kept[1] && !kept[0];
	d->only_b = kept[0] && !kept[1];
	if (d->only_a || d->only_b) {
		d->unit = QS_AT_COVERAGE;
		snprintf(d->text, sizeof d->text, "Only the %s change the pixel: coverage, a test or a mask differs.", d->only_a ? "units" : "host's fragments");
		return;
	}
	d->unit = QS_AT_TEV;
	snprintf(d->text, sizeof d->text, "The fragment program gives another colour; the vertex program is not the reason.");
}

static bool describe(struct search *s, uint32_t draw, struct qs_divergence *d)
{
	struct pictures before, after = {0};
	bool good = look_at_both(s, draw ? draw - 1 : QS_NONE, &before) && look_at_both(s, draw, &after);
	uint64_t n, without = 0;
	size_t i = 0;

	if (good) {
		n = count(&after, &i);
		d->found = true;
		d->moment = *qs_timeline_moment(s->t[0]);
		d->stage = QS_NONE;
		d->x = (int)(i % after.colour[0].width);
		d->y = (int)(i / after.colour[0].width);
		good = without_vertex_program(s, draw, &without);
		if (good && without * 2 < n) {
			d->unit = QS_AT_VERTEX;
			ask_vertices(s, d->moment.command, d);
		} else if (good) {
			describe_fragments(&before, &after, i, d);
		}
		d->kind = (uint8_t)class_of_unit((enum qs_stage_unit)d->unit);
		operand_colour(d, "pixel before", before.colour[0].rgba + 4 * i, before.colour[1].rgba + 4 * i);
		operand_colour(d, "pixel", after.colour[0].rgba + 4 * i, after.colour[1].rgba + 4 * i);
		operand_number(d, "depth", after.depth[0].depth[i], after.depth[1].depth[i]);
	}
	finish(&before);
	finish(&after);
	return good;
}

bool compare_gx_first(struct comparer *c, struct qs_divergence *d, struct qs_error *error)
{
	struct search s = {.c = c, .t = {c->a->timeline, c->b->timeline}, .error = error, .frame = c->options->frame};
	const struct qs_frame *frame = qs_capture_frame(s.t[0]->capture, s.frame);
	struct pictures end;
	uint32_t draw = QS_NONE;
	uint64_t n;
	bool good;

	memset(d, 0, sizeof *d);
	if (!frame || !frame->draw_count)
		return true;
	memset(&end, 0, sizeof end);
	good = c->a->image(c->a->user, s.frame, QS_BUFFER_COLOR, &end.colour[0], error) &&
		c->b->image(c->b->user, s.frame, QS_BUFFER_COLOR, &end.colour[1], error);
	n = good ? count(&end, NULL) : 0;
	finish(&end);
	good = good && find_draw(&s, frame->draw_count, n / 8 + 1, &draw);
	if (good && draw != QS_NONE)
		good = describe(&s, draw, d);
	return good || c->stopped;
}
