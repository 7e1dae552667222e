/* gx_feed.c - a draw for the vertex program: can it go that way, its vertices as CP decoded them, its triangles as indices
 *
 * The host clips and culls.  What it cannot decide is looked at here: triangles that are rejected whole although some of them
 * lies in the guard band, lines and points outside the view volume.  Few draws need it, and then only positions are
 * transformed.  Where the host would have to do something else than cutting, the units take the draw (enum gx_reason).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/bits.h"
#include "gx/front.h"
#include "virgl/gx_inside.h"

static const char *const reasons[GX_REASON_COUNT] = {
	[GX_REASON_CYLINDER] = "texture coordinates wrap around a cylinder, which depends on the other vertices of a triangle",
	[GX_REASON_MIRRORED] = "a mirrored viewport with Dolphin's rule for what faces the eye",
	[GX_REASON_CUT] = "a triangle is cut in perspective with Dolphin's rules: colours at the cut, then affine over the rest",
	[GX_REASON_BEHIND] = "clipping is disabled, but a triangle reaches behind the eye",
	[GX_REASON_LINE] = "a line is cut before it is widened",
	[GX_REASON_SIZE] = "the draw is too large for the host's buffer",
	[GX_REASON_DENORMAL] = "a denormal number, which counts as zero on the host but not in this model",
	[GX_REASON_ASKED] = "somebody asked for the units",
	[GX_REASON_SCISSORS] = "the scissor wraps into several rectangles, and every triangle is drawn in all of them before the next",
};

const char *gx_reason_text(enum gx_reason reason)
{
	return (unsigned)reason < GX_REASON_COUNT ? reasons[reason] : NULL;
}

/* ---- looking at positions ------------------------------------------------------------------------------------------------ */

struct look {
	struct gx_machine *m;
	bool needed, reject, dolphin, disabled;
	const struct gx_vertex *vertex; /* fetched */
	struct gx_place *place;         /* of each; NULL when nobody looks */
};

/* Does the view volume cover all that may be drawn?  Then the guard band is outside of the scissor rectangle. */
static bool covers(const struct gx_machine *m, const struct su_scissor *scissor, unsigned count)
{
	double half_x = fabs((double)gx_xf_float(&m->state, 0x101A)), half_y = fabs((double)gx_xf_float(&m->state, 0x101B));
	double x = (double)gx_xf_float(&m->state, 0x101D), y = (double)gx_xf_float(&m->state, 0x101E);
	bool all = true;

	for (unsigned i = 0; i < count; i++) {
		const struct su_scissor *s = &scissor[i];
		all &= x - half_x - s->offset_x <= s->rect.x0 && x + half_x - s->offset_x >= s->rect.x1 &&
			y - half_y - s->offset_y <= s->rect.y0 && y + half_y - s->offset_y >= s->rect.y1;
	}
	return all;
}

static void look_begin(struct look *l, struct gx_machine *m, const struct gx_feed *feed)
{
	bool perspective = !(m->state.xf[0x1026] & 1);

	memset(l, 0, sizeof *l);
	l->m = m;
	l->disabled = m->state.xf[0x1005] & 1;
	l->reject = !(m->state.xf[0x1005] & 2) || !m->quirk[GX_QUIRK_clip_no_reject];
	l->dolphin = m->quirk[GX_QUIRK_clip_guard] == 1;
	l->needed = feed->key.kind != QS_PRIMITIVE_TRIANGLE || l->disabled || (l->dolphin && perspective) ||
		(!l->dolphin && l->reject && !covers(m, feed->scissor, feed->scissors));
	l->dolphin &= perspective;
}

static bool look_at_all(struct look *l, struct gx_virgl *v, unsigned count)
{
	if (!l->needed)
		return true;
	if (v->place_room < count) {
		free(v->place);
		v->place = malloc(count * sizeof *v->place);
		v->place_room = v->place ? count : 0;
	}
	l->place = v->place;
	for (unsigned i = 0; l->place && i < count; i++) {
		struct gx_vertex copy = l->vertex[i];
		gx_xf_position(l->m, &copy);
		memcpy(l->place[i].clip, copy.clip, sizeof copy.clip);
		l->place[i].outcode = copy.outcode;
	}
	return l->place != NULL;
}

/* false: not drawn, or not here (*reason). */
static bool look_at_triangle(const struct look *l, const uint32_t number[3], enum gx_reason *reason)
{
	unsigned all = 0x3F, any = 0;
	bool behind = false;

	for (unsigned i = 0; i < 3; i++) {
		const struct gx_place *p = &l->place[number[i]];
		all &= p->outcode;
		any |= p->outcode;
		behind |= l->m->quirk[GX_QUIRK_clip_guard] == 1 ? p->clip[3] < 0 : !(p->clip[3] > 0);
	}
	if (l->reject && all)
		return false;
	if (l->disabled && behind)
		*reason = GX_REASON_BEHIND;
	else if (l->dolphin && any && !l->disabled)
		*reason = GX_REASON_CUT;
	return !*reason;
}

/* The same for a point or line, by the rules of clip.c. */
static bool look_at_shape(const struct look *l, unsigned n, const uint32_t number[3], enum gx_reason *reason)
{
	struct gx_vertex in[2], out[12];
	bool rejected;

	memset(in, 0, sizeof in);
	for (unsigned i = 0; i < n; i++) {
		in[i] = l->vertex[number[i]];
		memcpy(in[i].clip, l->place[number[i]].clip, sizeof in[i].clip);
		in[i].outcode = l->place[number[i]].outcode;
		memset(in[i].colour, 0, sizeof in[i].colour);
		memset(in[i].tex, 0, sizeof in[i].tex);
	}
	if (gx_clip(l->m, in, n, out, &rejected) < n)
		return false;
	for (unsigned i = 0; i < n; i++)
		if (memcmp(in[i].clip, out[i].clip, sizeof in[i].clip) || (n == 1 && !(in[i].clip[3] > 0)))
			*reason = GX_REASON_LINE;
	return !*reason;
}

/* ---- vertices ------------------------------------------------------------------------------------------------------------ */

static bool reserve(void *array, size_t *room, size_t count, size_t size)
{
	void *old, *grown;

	if (count <= *room)
		return true;
	memcpy(&old, array, sizeof old);
	grown = realloc(old, 2 * count * size);
	if (!grown)
		return false;
	memcpy(array, &grown, sizeof grown);
	*room = 2 * count;
	return true;
}

static float *put(const struct gx_machine *m, float *out, const float *values, unsigned count)
{
	xf_numbers(m, values, out, count);
	return out + count;
}

/* Attributes of gx_vertex_layout, in its order. */
static float *put_vertex(const struct gx_machine *m, float *out, const struct gx_vertex_layout *in, const struct gx_vertex *v)
{
	out = put(m, out, v->object, 3);
	*out++ = v->pos_matrix;
	if (in->normal)
		out = put(m, out, v->normal, 3);
	if (in->vectors) {
		out = put(m, out, v->tangent, 3);
		out = put(m, out, v->binormal, 3);
	}
	for (unsigned i = 0; i < 2; i++)
		if (in->colour[i])
			memcpy(out++, v->in_colour[i], 4);
	for (unsigned i = 0; i < ((in->tex_count + 1u) & ~1u); i++) {
		static const float none[2] = {0, 0};
		out = put(m, out, i < in->tex_count ? v->in_tex[in->tex[i]] : none, 2);
	}
	for (unsigned i = 0; i < ((in->index_count + 3u) & ~3u); i++)
		*out++ = i < in->index_count ? v->tex_matrix[in->index[i]] : 0;
	return out;
}

void gx_feed_corners(struct gx_virgl *v, const struct gx_machine *m, const struct gx_vertex *vertex, const float corners[3][4])
{
	float *out = v->vertex;

	for (unsigned i = 0; i < 3; i++) {
		out = put_vertex(m, out, &v->feed.layout, vertex);
		memcpy(out, corners[i], 4 * sizeof *out);
		out += 4;
	}
}

static void put_indices(struct gx_virgl *v, const uint32_t *number, unsigned count)
{
	memcpy(v->index + v->index_count, number, count * sizeof *number);
	v->index_count += count;
}

/* Four corners of a point or line. */
static void put_shape(struct gx_virgl *v, const struct look *l, unsigned n, const uint32_t number[3])
{
	static const float corners[2][4][4] = {
		{{-1, -1, 0, 0}, {1, -1, 1, 0}, {-1, 1, 0, 1}, {1, 1, 1, 1}},    /* point: ll lr ul ur */
		{{1, 1, 0, 0}, {-1, 1, 0, 0}, {1, -1, 1, 0}, {-1, -1, 1, 0}},    /* line: a0 a1 b0 b1; direction, side, offset */
	};
	static const uint8_t order[2][6] = {{0, 2, 1, 3, 1, 2}, {3, 1, 0, 0, 2, 3}};
	const struct gx_vertex_layout *in = &v->feed.layout;
	uint32_t first = v->feed.vertices, index[6];
	float *out = v->vertex + (size_t)first * (in->stride / 4);

	for (unsigned i = 0; i < 4; i++) {
		const struct gx_vertex *self = &l->vertex[number[n == 2 ? i & 1 : 0]], *other = &l->vertex[number[n == 2 ? !(i & 1) : 0]];
		out = put_vertex(l->m, out, in, self);
		out = put(l->m, out, corners[n - 1][i], 4);
		if (in->other) {
			out = put(l->m, out, other->object, 3);
			*out++ = other->pos_matrix;
		}
	}
	for (unsigned i = 0; i < 6; i++)
		index[i] = first + order[n - 1][i];
	put_indices(v, index, 6);
	v->feed.vertices += 4;
}

static bool make_room(struct gx_virgl *v, unsigned count, uint32_t primitives)
{
	bool wide = v->feed.key.kind != QS_PRIMITIVE_TRIANGLE;
	size_t vertices = wide ? (size_t)primitives * 4 : count, floats = vertices * (v->feed.layout.stride / 4);

	return reserve(&v->vertex, &v->vertex_room, floats, sizeof *v->vertex) &&
		reserve(&v->index, &v->index_room, (size_t)primitives * (wide ? 6 : 3), sizeof *v->index);
}

/* ---- the whole draw -------------------------------------------------------------------------------------------------------- */

static bool is_denormal(uint32_t word)
{
	return !(word & 0x7F800000) && word & 0x007FFFFF;
}

/* Colours of lights are integers. */
static bool any_denormal(const struct gx_machine *m)
{
	static const uint16_t ranges[][2] = {{0x000, 0x100}, {0x400, 0x460}, {0x500, 0x600}, {0x1020, 0x1026}};
	const uint32_t *xf = m->state.xf;
	bool any = false;

	if (m->quirk[GX_QUIRK_xf_flush])
		return false;
	for (unsigned r = 0; r < sizeof ranges / sizeof *ranges; r++)
		for (unsigned i = ranges[r][0]; i < ranges[r][1]; i++)
			any |= is_denormal(xf[i]);
	for (unsigned i = 0x600; i < 0x680; i++)
		any |= (i & 15) > 3 && is_denormal(xf[i]);
	return any;
}

static bool denormal_vertices(const struct gx_machine *m, const struct gx_vertex *v, unsigned count)
{
	bool any = false;

	if (m->quirk[GX_QUIRK_xf_flush])
		return false;
	for (unsigned i = 0; i < count; i++) {
		uint32_t words[3];
		memcpy(words, v[i].object, sizeof words);
		any |= is_denormal(words[0]) || is_denormal(words[1]) || is_denormal(words[2]);
	}
	return any;
}

static enum gx_reason from_registers(const struct gx_machine *m)
{
	unsigned ntex = bits(m->state.bp[0], 0, 4);

	for (unsigned i = 0; m->quirk[GX_QUIRK_cylinder_wrap] && i < ntex && i < 8; i++)
		if (bits(m->state.bp[0x30 + 2 * i] | m->state.bp[0x31 + 2 * i], 17, 1))
			return GX_REASON_CYLINDER;
	if (m->quirk[GX_QUIRK_cull_space] && gx_xf_float(&m->state, 0x101A) < 0)
		return GX_REASON_MIRRORED;
	if (any_denormal(m))
		return GX_REASON_DENORMAL;
	return GX_REASON_NONE;
}

enum gx_reason gx_feed_begin(struct gx_virgl *v, struct gx_machine *m)
{
	struct gx_feed *feed = &v->feed;
	uint32_t number[3];

	memset(feed, 0, sizeof *feed);
	if (gx_draw_primitives(m)) {
		unsigned n = gx_draw_assemble(m, 0, number);
		gx_vertex_key_make(m, n == 3 ? QS_PRIMITIVE_TRIANGLE : n == 2 ? QS_PRIMITIVE_LINE : QS_PRIMITIVE_POINT, &feed->key);
	} else {
		gx_vertex_key_make(m, QS_PRIMITIVE_TRIANGLE, &feed->key);
	}
	gx_vertex_layout(&feed->key, &feed->layout);
	feed->scissors = su_scissors(&m->state, feed->scissor);
	return v->units_asked ? GX_REASON_ASKED : feed->scissors > 1 ? GX_REASON_SCISSORS : from_registers(m);
}

bool gx_feed(struct gx_virgl *v, struct gx_machine *m, enum gx_reason *reason)
{
	struct gx_feed *feed = &v->feed;
	uint32_t primitives = gx_draw_primitives(m), number[3];
	struct look l;
	unsigned count;

	v->index_count = 0;
	*reason = gx_feed_begin(v, m);
	if (*reason)
		return true;
	look_begin(&l, m, feed);
	count = gx_draw_fetched(m, &l.vertex);
	if (denormal_vertices(m, l.vertex, count)) {
		*reason = GX_REASON_DENORMAL;
		return true;
	}
	if (!primitives || !count || !feed->scissors)
		return true;
	if (!make_room(v, count, primitives) || !look_at_all(&l, v, count))
		return false;
	for (uint32_t p = 0; p < primitives; p++) {
		unsigned n = gx_draw_assemble(m, p, number);
		if (l.needed && !(n == 3 ? look_at_triangle(&l, number, reason) : look_at_shape(&l, n, number, reason))) {
			if (*reason)
				return true;
			continue;
		}
		if (n == 3)
			put_indices(v, number, 3);
		else
			put_shape(v, &l, n, number);
	}
	if (feed->key.kind == QS_PRIMITIVE_TRIANGLE) {
		float *out = v->vertex;
		for (unsigned i = 0; i < count; i++)
			out = put_vertex(m, out, &feed->layout, &l.vertex[i]);
		feed->vertices = count;
	}
	if ((size_t)feed->vertices * feed->layout.stride > GX_VERTEX_BUFFER || v->index_count * sizeof *v->index > GX_INDEX_BUFFER)
		*reason = GX_REASON_SIZE;
	return true;
}
