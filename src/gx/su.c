/* su.c - setup unit: clipping of a primitive, culling, lines and points, scissor, and the parts the rasteriser walks
 *
 * Sources: spec 03 (registers, culling, line and point shapes, scissor wrap), spec 02 section 4 (order of rejection, culling
 * and clipping, which decides what zfreeze sees).
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "core/bits.h"
#include "gx/su.h"

static const float texture_offset[8] = {0, 1 / 16.0f, 1 / 8.0f, 1 / 4.0f, 1 / 2.0f, 1, 1, 1};

unsigned su_scissors(const struct gx_state *s, struct su_scissor out[SU_MAX_SCISSORS])
{
	int32_t top = (int32_t)bits(s->bp[0x20], 0, 11), left = (int32_t)bits(s->bp[0x20], 12, 11);
	int32_t bottom = (int32_t)bits(s->bp[0x21], 0, 11), right = (int32_t)bits(s->bp[0x21], 12, 11);
	/* the top bit of the ten that GX writes is ignored (Dolphin PR #10251) */
	int32_t ox = (int32_t)bits(s->bp[0x59], 0, 9) * 2, oy = (int32_t)bits(s->bp[0x59], 10, 9) * 2;
	unsigned n = 0;

	if (left > right || top > bottom)
		return 0;
	for (int32_t ky = -4096; ky <= 4096; ky += 1024) {
		int32_t y0 = clamp_int(top - oy - ky, 0, GX_EFB_HEIGHT), y1 = clamp_int(bottom - oy - ky + 1, 0, GX_EFB_HEIGHT);
		if (y0 >= y1)
			continue;
		for (int32_t kx = -4096; kx <= 4096; kx += 1024) {
			int32_t x0 = clamp_int(left - ox - kx, 0, GX_EFB_WIDTH), x1 = clamp_int(right - ox - kx + 1, 0, GX_EFB_WIDTH);
			if (x0 >= x1 || n == SU_MAX_SCISSORS)
				continue;
			out[n++] = (struct su_scissor){{x0, y0, x1, y1}, ox + kx, oy + ky};
		}
	}
	return n;
}

void su_scale_texcoords(const struct gx_state *s, struct gx_vertex *v)
{
	unsigned ntex = bits(s->bp[0], 0, 4);

	for (unsigned i = 0; i < ntex && i < 8; i++) {
		v->tex[i][0] *= (float)(bits(s->bp[0x30 + 2 * i], 0, 16) + 1);
		v->tex[i][1] *= (float)(bits(s->bp[0x31 + 2 * i], 0, 16) + 1);
	}
}

/* ---- parts -------------------------------------------------------------------------------------------------------------- */

struct su_job {
	struct gx_machine *m;
	enum qs_primitive_kind kind;
	struct su_scissor scissor[SU_MAX_SCISSORS];
	unsigned scissors;
	struct gx_triangle *parts;
	unsigned count;
	struct qs_setup *nothing; /* verdict of the last part that gave no pixels */
};

static void describe_vertex(struct qs_vertex *out, const struct gx_vertex *v, const struct su_scissor *scissor)
{
	out->index = v->index;
	memcpy(out->object, v->object, sizeof out->object);
	memcpy(out->eye, v->eye, sizeof out->eye);
	memcpy(out->clip, v->clip, sizeof out->clip);
	out->screen[0] = v->screen[0] - (float)scissor->offset_x;
	out->screen[1] = v->screen[1] - (float)scissor->offset_y;
	out->screen[2] = v->screen[2];
	out->inv_w = v->inv_w;
	memcpy(out->normal, v->eye_normal, sizeof out->normal);
	memcpy(out->colour, v->colour, sizeof out->colour);
	memcpy(out->tex, v->tex, sizeof out->tex);
	out->outcode = v->outcode;
}

static void describe_nothing(struct su_job *job, enum qs_setup_verdict verdict, const struct gx_vertex *const *v, unsigned n)
{
	static const struct su_scissor none = {{0, 0, 0, 0}, 0, 0};
	struct qs_setup *r = job->nothing;

	memset(r, 0, sizeof *r);
	r->kind = (uint8_t)job->kind;
	r->verdict = (uint8_t)verdict;
	r->ntex = (uint8_t)bits(job->m->state.bp[0], 0, 4);
	r->ncol = (uint8_t)bits(job->m->state.bp[0], 4, 3);
	for (unsigned i = 0; i < n && i < 3; i++)
		describe_vertex(&r->vertex[i], v[i], job->scissors ? &job->scissor[0] : &none);
}

/* The primitive left before the divide: its vertices in front of the eye still have a place on the screen, which people want
 * to see.  inv_w stays 0 where there is none. */
static void describe_unclipped(struct su_job *job, enum qs_setup_verdict verdict, const struct gx_vertex *const *v, unsigned n)
{
	struct gx_vertex divided[3];
	const struct gx_vertex *d[3];

	for (unsigned i = 0; i < n && i < 3; i++) {
		divided[i] = *v[i];
		if (divided[i].clip[3] > 0)
			gx_xf_viewport(job->m, &divided[i]);
		d[i] = &divided[i];
	}
	describe_nothing(job, verdict, d, n);
}

/* One triangle through every scissor rectangle. */
static void add_triangle(struct su_job *job, const struct gx_vertex *v0, const struct gx_vertex *v1, const struct gx_vertex *v2)
{
	const struct gx_vertex *const v[3] = {v0, v1, v2};

	if (!job->scissors) {
		static const struct su_scissor none = {{0, 0, 0, 0}, 0, 0};
		su_latch_z(job->m, v, &none);
		describe_nothing(job, QS_SETUP_SCISSORED, v, 3);
		return;
	}
	for (unsigned i = 0; i < job->scissors; i++) {
		struct gx_triangle *t = &job->parts[job->count];
		struct qs_setup *r = &t->record;

		if (job->count == GX_MAX_PARTS)
			return;
		memset(r, 0, sizeof *r);
		r->kind = (uint8_t)job->kind;
		for (unsigned k = 0; k < 3; k++)
			describe_vertex(&r->vertex[k], v[k], &job->scissor[i]);
		if (su_triangle(job->m, v, &job->scissor[i], t)) {
			r->part = job->count++;
		} else {
			*job->nothing = *r;
		}
	}
}

/* ---- triangles ---------------------------------------------------------------------------------------------------------- */

/* The sign of the screen area from clip coordinates, which is right for w < 0 too (spec 03 section 3).  True: the class
 * that Dolphin calls back facing, clockwise on the screen with y down, zero area included. */
static bool is_backface(const struct gx_machine *m, const struct gx_vertex *const v[3])
{
	const float *a = v[0]->clip, *b = v[1]->clip, *c = v[2]->clip;
	float direction = (a[0] * c[3] - c[0] * a[3]) * b[1] + (c[0] * a[1] - a[0] * c[1]) * b[3] + (c[1] * a[3] - a[1] * c[3]) * b[0];
	float scale_x = gx_xf_float(&m->state, 0x101A), scale_y = gx_xf_float(&m->state, 0x101B);
	bool mirrored = m->quirk[GX_QUIRK_cull_space] ? scale_y > 0 : (scale_x < 0) != (scale_y > 0);

	return mirrored ? direction > 0 : direction <= 0;
}

static void setup_triangle(struct su_job *job, const struct gx_vertex *const v[3])
{
	const struct gx_state *s = &job->m->state;
	unsigned reject = bits(s->bp[0], 14, 2);
	bool trivial = !(s->xf[0x1005] & 2) || !job->m->quirk[GX_QUIRK_clip_no_reject];

	if (trivial && (v[0]->outcode & v[1]->outcode & v[2]->outcode)) {
		describe_unclipped(job, QS_SETUP_REJECTED, v, 3);
		return;
	}
	bool back = is_backface(job->m, v);
	const struct gx_vertex *const oriented[3] = {v[0], back ? v[2] : v[1], back ? v[1] : v[2]};
	if (reject & (back ? 2 : 1)) {
		/* a culled triangle still gives the frozen plane (spec 03 section 8) */
		struct gx_vertex divided[3] = {*oriented[0], *oriented[1], *oriented[2]};
		const struct gx_vertex *const d[3] = {&divided[0], &divided[1], &divided[2]};
		bool can = true;
		for (unsigned i = 0; i < 3; i++) {
			can &= divided[i].clip[3] != 0;
			if (can)
				gx_xf_viewport(job->m, &divided[i]);
		}
		if (can && job->scissors)
			su_latch_z(job->m, d, &job->scissor[0]);
		describe_unclipped(job, QS_SETUP_CULLED, v, 3);
		return;
	}
	if (!(v[0]->outcode | v[1]->outcode | v[2]->outcode)) {
		add_triangle(job, oriented[0], oriented[1], oriented[2]);
		return;
	}

	struct gx_vertex in[3] = {*oriented[0], *oriented[1], *oriented[2]}, out[12];
	bool rejected = false;
	unsigned n = gx_clip(job->m, in, 3, out, &rejected);
	if (n < 3) {
		describe_unclipped(job, rejected ? QS_SETUP_REJECTED : QS_SETUP_CLIPPED, v, 3);
		return;
	}
	for (unsigned i = 0; i < n; i++)
		gx_xf_viewport(job->m, &out[i]);
	for (unsigned i = 2; i < n; i++)
		add_triangle(job, &out[0], &out[i - 1], &out[i]);
}

/* ---- lines and points: two triangles each (spec 03 sections 4 and 5) ------------------------------------------------------ */

static struct gx_vertex moved(const struct gx_vertex *v, float dx, float dy)
{
	struct gx_vertex r = *v;

	r.screen[0] += dx;
	r.screen[1] += dy;
	r.exact[0] += (double)dx;
	r.exact[1] += (double)dy;
	return r;
}

static void offset_texcoords(const struct gx_state *s, struct gx_vertex *v, unsigned select, unsigned enable_bit, bool s_axis, bool t_axis)
{
	for (unsigned i = 0; i < 8; i++) {
		uint32_t ssize = s->bp[0x30 + 2 * i], tsize = s->bp[0x31 + 2 * i];
		if (!bits(ssize, enable_bit, 1))
			continue;
		if (s_axis)
			v->tex[i][0] += (float)(bits(ssize, 0, 16) + 1) * texture_offset[select];
		if (t_axis)
			v->tex[i][1] += (float)(bits(tsize, 0, 16) + 1) * texture_offset[select];
	}
}

static void setup_line(struct su_job *job, const struct gx_vertex *const v[2])
{
	const struct gx_state *s = &job->m->state;
	struct gx_vertex in[2] = {*v[0], *v[1]}, out[12];
	bool rejected = false;
	unsigned n = gx_clip(job->m, in, 2, out, &rejected);

	if (n < 2) {
		describe_unclipped(job, rejected ? QS_SETUP_REJECTED : QS_SETUP_CLIPPED, v, 2);
		return;
	}
	gx_xf_viewport(job->m, &out[0]);
	gx_xf_viewport(job->m, &out[1]);
	float dx = out[1].screen[0] - out[0].screen[0], dy = out[1].screen[1] - out[0].screen[1];
	float half = (float)bits(s->bp[0x22], 0, 8) / 12.0f, ox = 0, oy = 0;
	/* the short edges are axis aligned, never perpendicular to the line */
	if (fabsf(dx) > fabsf(dy))
		oy = dx > 0 ? -half : half;
	else
		ox = dy > 0 ? half : -half;

	struct gx_vertex a0 = moved(&out[0], ox, oy), a1 = moved(&out[1], ox, oy);
	struct gx_vertex b0 = moved(&out[0], -ox, -oy), b1 = moved(&out[1], -ox, -oy);
	unsigned select = bits(s->bp[0x22], 16, 3);
	offset_texcoords(s, &b0, select, 18, true, false);
	offset_texcoords(s, &b1, select, 18, true, false);
	add_triangle(job, &b1, &a1, &a0);
	add_triangle(job, &a0, &b0, &b1);
}

static void setup_point(struct su_job *job, const struct gx_vertex *const v[1])
{
	const struct gx_state *s = &job->m->state;
	struct gx_vertex in = *v[0], out[12];
	bool rejected = false;

	if (!gx_clip(job->m, &in, 1, out, &rejected)) {
		describe_unclipped(job, QS_SETUP_REJECTED, v, 1);
		return;
	}
	gx_xf_viewport(job->m, &out[0]);
	float r = (float)bits(s->bp[0x22], 8, 8) / 12.0f;
	unsigned select = bits(s->bp[0x22], 19, 3);
	/* l: left, r: right, u: +y, l: -y */
	struct gx_vertex ll = moved(&out[0], -r, -r), lr = moved(&out[0], r, -r), ul = moved(&out[0], -r, r), ur = moved(&out[0], r, r);
	offset_texcoords(s, &lr, select, 19, true, false);
	offset_texcoords(s, &ul, select, 19, false, true);
	offset_texcoords(s, &ur, select, 19, true, true);
	add_triangle(job, &ll, &ul, &lr);
	add_triangle(job, &ur, &lr, &ul);
}

/* ---- cylindrical wrap ----------------------------------------------------------------------------------------------------- */

static bool wraps(const struct gx_state *s)
{
	unsigned ntex = bits(s->bp[0], 0, 4);

	for (unsigned i = 0; i < ntex && i < 8; i++)
		if (bits(s->bp[0x30 + 2 * i] | s->bp[0x31 + 2 * i], 17, 1))
			return true;
	return false;
}

/* The short way round the cylinder: a coordinate that is more than half the texture away from that of the first vertex moves by
 * the whole texture (what the feature is there for; which vertex counts is inferred). */
static void wrap_cylinder(const struct gx_state *s, struct gx_vertex *v, unsigned n)
{
	unsigned ntex = bits(s->bp[0], 0, 4);

	for (unsigned i = 0; i < 2 * ntex && i < 16; i++) {
		uint32_t word = s->bp[0x30 + i];
		float size = (float)(bits(word, 0, 16) + 1);
		if (!bits(word, 17, 1))
			continue;
		for (unsigned k = 1; k < n; k++) {
			float q0 = v[0].tex[i / 2][2], q = v[k].tex[i / 2][2], *c = &v[k].tex[i / 2][i & 1];
			float distance = *c / q - v[0].tex[i / 2][i & 1] / q0;
			if (distance > size / 2)
				*c -= size * q;
			else if (distance < -size / 2)
				*c += size * q;
		}
	}
}

unsigned gx_su_primitive(struct gx_machine *m, enum qs_primitive_kind kind, const struct gx_vertex *const *vertex,
	struct gx_triangle *parts, struct qs_setup *nothing)
{
	struct su_job job = {.m = m, .kind = kind, .parts = parts, .nothing = nothing};
	unsigned n = kind == QS_PRIMITIVE_TRIANGLE ? 3 : kind == QS_PRIMITIVE_LINE ? 2 : 1;
	const struct gx_vertex *changed[3];
	struct gx_vertex copy[3];

	memset(nothing, 0, sizeof *nothing);
	if (n > 1 && m->quirk[GX_QUIRK_cylinder_wrap] && wraps(&m->state)) {
		for (unsigned i = 0; i < n; i++) {
			copy[i] = *vertex[i];
			changed[i] = &copy[i];
		}
		wrap_cylinder(&m->state, copy, n);
		vertex = changed;
	}
	job.scissors = su_scissors(&m->state, job.scissor);
	switch (kind) {
	case QS_PRIMITIVE_POINT:
		setup_point(&job, vertex);
		break;
	case QS_PRIMITIVE_LINE:
		setup_line(&job, vertex);
		break;
	case QS_PRIMITIVE_TRIANGLE:
		setup_triangle(&job, vertex);
		break;
	}
	for (unsigned i = 0; i < job.count; i++)
		parts[i].record.part_count = job.count;
	return job.count;
}
