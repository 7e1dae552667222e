/* setup.c - from three shaded vertices to triangles on the screen: clipping, divide, culling, edges (spec 02 section 3)
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "gfx3d/raster.h"

#define MAX_CORNERS (G3_MAX_PARTS + 2)

/* ---- clipping ----------------------------------------------------------------------------------------------------------- */

/* Distance inside a plane of the view volume.  The sides are clipped far outside the viewport, where a GPU has its guard band:
 * pixels do not change and edges keep their exact places. */
#define GUARD 16.0f
static float inside(const float clip[4], int plane)
{
	switch (plane) {
	case 0:
		return clip[3] + clip[2];
	case 1:
		return clip[3] - clip[2];
	case 2:
		return GUARD * clip[3] + clip[0];
	case 3:
		return GUARD * clip[3] - clip[0];
	case 4:
		return GUARD * clip[3] + clip[1];
	default:
		return GUARD * clip[3] - clip[1];
	}
}

static void between(const struct g3_vertex *a, const struct g3_vertex *b, float da, float db, struct g3_vertex *out)
{
	float f = da / (da - db);

	out->index = QS_NONE;
	for (int k = 0; k < 4; k++) {
		out->clip[k] = a->clip[k] + (b->clip[k] - a->clip[k]) * f;
		for (int s = 0; s < CSIR_VARY_MAX; s++)
			out->vary[s][k] = a->vary[s][k] + (b->vary[s][k] - a->vary[s][k]) * f;
	}
	for (int k = 0; k < 3; k++)
		out->attr[k] = a->attr[k] + (b->attr[k] - a->attr[k]) * f;
}

/* Always from the inner to the outer corner, so that the edge two triangles share is cut at the same point in both. */
static unsigned clip_plane(const struct g3_vertex *in, unsigned n, struct g3_vertex *out, int plane)
{
	unsigned count = 0;

	for (unsigned i = 0; i < n && count + 2 <= MAX_CORNERS; i++) {
		const struct g3_vertex *a = &in[i], *b = &in[(i + 1) % n];
		float da = inside(a->clip, plane), db = inside(b->clip, plane);

		if (da >= 0)
			out[count++] = *a;
		if (da >= 0 && db < 0)
			between(a, b, da, db, &out[count++]);
		else if (da < 0 && db >= 0)
			between(b, a, db, da, &out[count++]);
	}
	return count;
}

static unsigned clip(const struct g3_vertex *const v[3], struct g3_vertex polygon[MAX_CORNERS])
{
	struct g3_vertex other[MAX_CORNERS];
	unsigned n = 3;

	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < 4; k++)
			if (!isfinite(v[i]->clip[k]))
				return 0;
		polygon[i] = *v[i];
	}
	for (int plane = 0; plane < 6 && n; plane++) {
		bool all = true;

		for (unsigned i = 0; i < n; i++)
			all &= inside(polygon[i].clip, plane) >= 0;
		if (all)
			continue;
		n = clip_plane(polygon, n, other, plane);
		memcpy(polygon, other, n * sizeof *polygon);
	}
	for (unsigned i = 0; i < n; i++)
		if (!(polygon[i].clip[3] > 0)) /* only a corner at the eye itself; what touches it has no area */
			return 0;
	return n;
}

/* ---- the screen --------------------------------------------------------------------------------------------------------- */

static void project(const struct g3_rules *rules, struct g3_triangle *t)
{
	float width = (float)rules->viewport[2], height = (float)rules->viewport[3];

	for (int i = 0; i < 3; i++) {
		const float *c = t->v[i].clip;
		float inv = 1.0f / c[3];

		t->inv_w[i] = inv;
		t->x[i] = (c[0] * inv * 0.5f + 0.5f) * width + (float)rules->viewport[0];
		t->y[i] = (1.0f - (c[1] * inv * 0.5f + 0.5f)) * height + (float)rules->viewport[1];
		t->window_z[i] = c[2] * inv * 0.5f + 0.5f;
	}
	t->denominator = g3_edge(t->x[0], t->y[0], t->x[1], t->y[1], t->x[2], t->y[2]);
}

/* What C and the processor make of a float: out of range and not-a-number give the smallest integer. */
static int to_int(float x)
{
	return x >= -2147483648.0f && x < 2147483648.0f ? (int)x : INT32_MIN;
}

static int limit(int x, int low, int high)
{
	return x < low ? low : x > high ? high : x;
}

/* Inclusive truncated bounds, cut to the surface. */
static void box_tolerance(struct g3_triangle *t, const int surface[4])
{
	int x[2] = {INT32_MAX, INT32_MIN}, y[2] = {INT32_MAX, INT32_MIN};

	for (int i = 0; i < 3; i++) {
		int px = to_int(t->x[i]), py = to_int(t->y[i]);

		x[0] = px < x[0] ? px : x[0];
		x[1] = px > x[1] ? px : x[1];
		y[0] = py < y[0] ? py : y[0];
		y[1] = py > y[1] ? py : y[1];
	}
	t->x0 = limit(x[0], surface[0], surface[2] - 1);
	t->x1 = limit(x[1], surface[0], surface[2] - 1) + 1;
	t->y0 = limit(y[0], surface[1], surface[3] - 1);
	t->y1 = limit(y[1], surface[1], surface[3] - 1) + 1;
}

/* Far outside the screen a place does not matter, but products must not overflow. */
static int64_t snap(float x)
{
	return x > -1e6f && x < 1e6f ? llrintf(x * 256.0f) : x > 0 ? 256000000 : -256000000;
}

static int floor_256(int64_t x)
{
	return (int)(x >= 0 ? x / 256 : -((-x + 255) / 256));
}

/* Edge k lies opposite vertex k.  Values are positive inside whatever the winding; those of samples on an edge count only where the
 * fill rule says so: a left edge goes up and a top edge goes right when the inside is to the right of the way (y down). */
static void edges_exact(const struct g3_rules *rules, struct g3_triangle *t, const int64_t x[3], const int64_t y[3], int64_t area)
{
	int sign = area > 0 ? 1 : -1;

	for (int k = 0; k < 3; k++) {
		int a = (k + 1) % 3, b = (k + 2) % 3;
		int64_t dx = sign * (y[b] - y[a]), dy = -sign * (x[b] - x[a]);
		bool left = dx > 0, level = dx == 0;
		bool owns = left || (level && (rules->bottom_left ? dy < 0 : dy > 0));

		t->edge_dx[k] = dx * 256;
		t->edge_dy[k] = dy * 256;
		t->edge_c[k] = -(dx * x[a] + dy * y[a]) - !owns;
		for (int s = 0; s < t->samples; s++) {
			const uint8_t *place = g3_sample_place[t->samples > 1][s];

			t->sample[s][k] = dx * place[0] * 16 + dy * place[1] * 16;
		}
	}
}

/* Vertices snapped to 1/256 pixel, as llvmpipe and others do; false: no area. */
static bool setup_exact(const struct g3_rules *rules, struct g3_triangle *t, const int surface[4])
{
	int64_t x[3], y[3], area, low[2], high[2];

	for (int i = 0; i < 3; i++) {
		x[i] = snap(t->x[i]);
		y[i] = snap(t->y[i]);
	}
	area = (x[2] - x[0]) * (y[1] - y[0]) - (y[2] - y[0]) * (x[1] - x[0]);
	if (area == 0)
		return false;
	edges_exact(rules, t, x, y, area);
	low[0] = high[0] = x[0];
	low[1] = high[1] = y[0];
	for (int i = 1; i < 3; i++) {
		low[0] = x[i] < low[0] ? x[i] : low[0];
		high[0] = x[i] > high[0] ? x[i] : high[0];
		low[1] = y[i] < low[1] ? y[i] : low[1];
		high[1] = y[i] > high[1] ? y[i] : high[1];
	}
	t->x0 = limit(floor_256(low[0]), surface[0], surface[2]);
	t->y0 = limit(floor_256(low[1]), surface[1], surface[3]);
	t->x1 = limit(floor_256(high[0]) + 1, surface[0], surface[2]);
	t->y1 = limit(floor_256(high[1]) + 1, surface[1], surface[3]);
	return true;
}

/* Verdict of one triangle; QS_SETUP_DRAWN: it is to be walked. */
static uint8_t setup_one(const struct g3_rules *rules, const struct g3_target *target, struct g3_triangle *t)
{
	const int surface[4] = {0, 0, target->width, target->height};

	t->samples = target->samples;
	project(rules, t);
	if (rules->cull && !(t->denominator > 0))
		return t->denominator < 0 ? QS_SETUP_CULLED : QS_SETUP_DEGENERATE;
	t->exact = !rules->tolerance;
	if (t->exact) {
		if (!setup_exact(rules, t, surface))
			return QS_SETUP_DEGENERATE;
	} else {
		box_tolerance(t, surface);
		if (t->denominator > -0.0001f && t->denominator < 0.0001f)
			return QS_SETUP_DEGENERATE;
	}
	return t->x0 < t->x1 && t->y0 < t->y1 ? QS_SETUP_DRAWN : QS_SETUP_SCISSORED;
}

unsigned g3_setup(const struct g3_rules *rules, const struct g3_target *target, const struct g3_vertex *const v[3], uint32_t primitive,
	struct g3_triangle part[G3_MAX_PARTS], uint8_t *verdict)
{
	struct g3_vertex polygon[MAX_CORNERS];
	unsigned corners = 3, count = 0;

	if (rules->clip) {
		corners = clip(v, polygon);
	} else {
		for (int i = 0; i < 3; i++) {
			if (v[i]->clip[3] > -rules->w_limit && v[i]->clip[3] < rules->w_limit)
				corners = 0;
			polygon[i] = *v[i];
		}
	}
	*verdict = corners ? QS_SETUP_DRAWN : rules->clip ? QS_SETUP_CLIPPED : QS_SETUP_REJECTED;
	for (unsigned i = 2; i < corners && count < G3_MAX_PARTS; i++) {
		struct g3_triangle *t = &part[count];
		uint8_t one;

		t->v[0] = polygon[0];
		t->v[1] = polygon[i - 1];
		t->v[2] = polygon[i];
		t->primitive = primitive;
		t->part = count;
		one = setup_one(rules, target, t);
		if (one == QS_SETUP_DRAWN)
			count++;
		else if (!count)
			*verdict = one;
	}
	if (count)
		*verdict = QS_SETUP_DRAWN;
	for (unsigned i = 0; i < count; i++)
		part[i].part_count = count;
	return count;
}

/* ---- the record --------------------------------------------------------------------------------------------------------- */

void g3_setup_record(const struct g3_triangle *t, const struct g3_rules *rules, struct qs_setup *setup)
{
	memset(setup, 0, sizeof *setup);
	setup->kind = QS_PRIMITIVE_TRIANGLE;
	setup->part = t->part;
	setup->part_count = t->part_count;
	setup->area2 = (double)t->denominator;
	setup->scissor = (struct qs_rect){rules->viewport[0], rules->viewport[1], rules->viewport[0] + rules->viewport[2],
		rules->viewport[1] + rules->viewport[3]};
	setup->box = (struct qs_rect){t->x0, t->y0, t->x1, t->y1};
	setup->sample_count = (uint8_t)t->samples;
	setup->sample_offset = 0.5f;
	for (int i = 0; i < 3; i++) {
		struct qs_vertex *v = &setup->vertex[i];
		int a = (i + 1) % 3, b = (i + 2) % 3;
		double d = (double)t->denominator;

		v->index = t->v[i].index;
		setup->primitive_vertex[i] = t->v[i].index;
		memcpy(v->object, t->v[i].attr, sizeof v->object);
		memcpy(v->clip, t->v[i].clip, sizeof v->clip);
		v->screen[0] = t->x[i];
		v->screen[1] = t->y[i];
		v->screen[2] = rules->clip_depth ? t->v[i].clip[2] : t->window_z[i];
		v->inv_w = t->inv_w[i];
		/* the weight of vertex i as a line in x and y */
		setup->edge[i].dx = ((double)t->y[b] - (double)t->y[a]) / d;
		setup->edge[i].dy = -((double)t->x[b] - (double)t->x[a]) / d;
		setup->edge[i].c = -((double)t->x[a] * setup->edge[i].dx + (double)t->y[a] * setup->edge[i].dy);
		if (t->exact) { /* what the walk tests, its fill rule in c */
			setup->edge[i].dx = (double)t->edge_dx[i];
			setup->edge[i].dy = (double)t->edge_dy[i];
			setup->edge[i].c = (double)(t->edge_c[i] + t->sample[0][i]) - 0.5 * (setup->edge[i].dx + setup->edge[i].dy);
		}
		setup->edge[i].top_left = true;
		setup->edge[i].from = (uint8_t)a;
		setup->edge[i].to = (uint8_t)b;
	}
}
