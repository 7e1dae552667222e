/* frame.c - begin, clear, state, draw, end (spec 02 section 5)
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "gfx3d/host.h"
#include "gfx3d/raster.h"

static int begin(struct qs_gfx3d *g, struct g3_context *c, struct g3_call *call)
{
	struct g3_target *t = g3_target(g, call->owner, call->handle[1]);

	if (!t || t->context != call->handle[0])
		return g3_fail(g, "target of another context");
	if (g->backend == QS_GFX3D_VIRGL && !g->virgl)
		return g3_fail(g, "forced virgl unavailable");
	if (!g3_host_begin(g, c, t))
		return g3_fail(g, "frame begin failed");
	c->in_frame = true;
	c->target = call->handle[1];
	c->viewport[0] = c->viewport[1] = 0;
	c->viewport[2] = t->width;
	c->viewport[3] = t->height;
	g->stats.frames++;
	g3_mock(g, "begin");
	return 0;
}

/* The target of the frame; NULL and an error: there is none. */
static struct g3_target *frame_target(struct qs_gfx3d *g, const struct g3_context *c)
{
	struct g3_target *t = c->in_frame ? g3_target(g, c->slot.owner, c->target) : NULL;

	if (!t)
		g3_fail(g, c->in_frame ? "no target" : "no frame");
	return t;
}

static int clear(struct qs_gfx3d *g, struct g3_context *c, struct g3_call *call)
{
	struct g3_target *t = frame_target(g, c);
	bool depth = call->f[4] != 0;
	size_t pixels;
	uint32_t packed;

	if (!t)
		return -1;
	if (depth)
		c->depth_on = true;
	g->stats.clears++;
	g3_mock(g, "clear");
	if (g->backend == QS_GFX3D_MOCK)
		return 0;
	packed = g3_pack_clear(g, call->f);
	pixels = (size_t)t->width * (size_t)t->height * (size_t)t->samples;
	for (size_t i = 0; i < pixels; i++)
		t->color[i] = packed;
	if (depth || G3_QUIRK(&g->quirks, clear_depth))
		for (size_t i = 0; i < pixels; i++)
			t->depth[i] = 1.0f;
	memset(t->stencil, 0, pixels);
	t->cleared = true;
	return g3_host_clear(g, c, t, call->f, depth) ? 0 : g3_fail(g, "virgl clear failed");
}

static int draw(struct qs_gfx3d *g, struct g3_context *c, struct g3_call *call)
{
	struct g3_mesh *m = g3_mesh(g, call->owner, call->handle[1]);
	int status = g3_draw_begin(g, c, m);

	if (status < 0)
		return -1;
	g->stats.draws++;
	g3_mock(g, "draw");
	if (g->backend == QS_GFX3D_MOCK)
		return 0;
	if (g->backend == QS_GFX3D_VIRGL && !g->virgl)
		return g3_fail(g, "forced virgl unavailable");
	if (g->virgl) {
		struct g3_draw *d = &g->raster->draw;

		g->stats.triangles += d->primitive_count;
		return g3_host_draw(g, c, d->t, m, d->program) ? 0 : g3_fail(g, "virgl draw failed");
	}
	return g3_draw_run(g);
}

static int end(struct qs_gfx3d *g, struct g3_context *c)
{
	if (!c->in_frame)
		return g3_fail(g, "no frame");
	c->in_frame = false;
	g3_mock(g, "end");
	return g3_host_end(g, c) ? 0 : g3_fail(g, "submit failed");
}

static int bind_tex(struct qs_gfx3d *g, struct g3_context *c, struct g3_call *call)
{
	int unit = G3_QUIRK(&g->quirks, bind_unit) ? call->i[0] : 0;

	if (call->handle[1] && !g3_texture(g, call->owner, call->handle[1]))
		return g3_fail(g, "unknown texture");
	if (unit < 0 || unit >= QS_GFX3D_UNITS)
		return g3_fail(g, "bad texture unit");
	c->texture[unit] = call->handle[1];
	g3_mock(g, "tex");
	return 0;
}

static int viewport(struct qs_gfx3d *g, struct g3_context *c, const struct g3_call *call)
{
	if (call->i[2] < 1 || call->i[3] < 1)
		return g3_fail(g, "bad viewport");
	if (G3_QUIRK(&g->quirks, viewport)) {
		c->viewport[0] = call->i[0];
		c->viewport[1] = call->i[1];
	}
	c->viewport[2] = call->i[2];
	c->viewport[3] = call->i[3];
	return 0;
}

/* ---- extensions --------------------------------------------------------------------------------------------------------- */

/* All of i[first..] within 0..limit. */
static bool within(const struct g3_call *call, unsigned first, unsigned count, int32_t limit)
{
	for (unsigned k = first; k < first + count; k++)
		if (call->i[k] < 0 || call->i[k] >= limit)
			return false;
	return true;
}

static int sampler(struct qs_gfx3d *g, struct g3_context *c, const struct g3_call *call)
{
	const int32_t *i = call->i;

	if (!within(call, 0, 1, QS_GFX3D_UNITS) || !within(call, 1, 2, QS_GFX3D_NO_MIPS) || !within(call, 3, 3, 3) ||
	    !(call->f[1] <= call->f[2]) || !(call->f[0] > -1000 && call->f[0] < 1000))
		return g3_fail(g, "bad sampler");
	c->sampler[i[0]] = (struct qs_gfx3d_sampler){(uint8_t)i[1], (uint8_t)i[2], (uint8_t)i[3], (uint8_t)i[4], (uint8_t)i[5],
		call->f[0], call->f[1], call->f[2]};
	return 0;
}

static int blend(struct qs_gfx3d *g, struct g3_context *c, const struct g3_call *call)
{
	const int32_t *i = call->i;

	if (!within(call, 1, 2, QS_GFX3D_FACTOR_COUNT) || !within(call, 3, 1, QS_GFX3D_OP_COUNT) ||
	    !within(call, 4, 2, QS_GFX3D_FACTOR_COUNT) || !within(call, 6, 1, QS_GFX3D_OP_COUNT) || !within(call, 7, 1, 16))
		return g3_fail(g, "bad blend state");
	c->blend = (struct qs_gfx3d_blend){i[0] != 0, (uint8_t)i[1], (uint8_t)i[2], (uint8_t)i[3], (uint8_t)i[4], (uint8_t)i[5],
		(uint8_t)i[6], (uint8_t)i[7]};
	return 0;
}

static int stencil(struct qs_gfx3d *g, struct g3_context *c, const struct g3_call *call)
{
	const int32_t *i = call->i;

	if (!within(call, 1, 1, QS_GFX3D_COMPARE_COUNT) || !within(call, 2, 3, QS_GFX3D_STENCIL_OP_COUNT) || !within(call, 5, 3, 256))
		return g3_fail(g, "bad stencil state");
	c->stencil = (struct qs_gfx3d_stencil){i[0] != 0, (uint8_t)i[1], (uint8_t)i[2], (uint8_t)i[3], (uint8_t)i[4], (uint8_t)i[5],
		(uint8_t)i[6], (uint8_t)i[7]};
	return 0;
}

static int depth_func(struct qs_gfx3d *g, struct g3_context *c, const struct g3_call *call)
{
	if (!within(call, 0, 1, QS_GFX3D_COMPARE_COUNT))
		return g3_fail(g, "bad depth state");
	c->depth_compare = (uint8_t)call->i[0];
	c->depth_write = call->i[1] != 0;
	return 0;
}

int g3_frame_call(struct qs_gfx3d *g, struct g3_call *call)
{
	struct g3_context *c = g3_context(g, call->owner, call->handle[0]);

	if (!c)
		return g3_fail(g, "unknown context");
	switch (call->op) {
	case G3_begin:
		return begin(g, c, call);
	case G3_clear:
		return clear(g, c, call);
	case G3_viewport:
		return viewport(g, c, call);
	case G3_depth:
		c->depth_on = call->i[0] != 0;
		return 0;
	case G3_cull:
		c->cull_on = call->i[0] != 0;
		return 0;
	case G3_bind_tex:
		return bind_tex(g, c, call);
	case G3_draw:
		return draw(g, c, call);
	case G3_end:
		return end(g, c);
	case G3_sampler:
		return sampler(g, c, call);
	case G3_blend:
		return blend(g, c, call);
	case G3_stencil:
		return stencil(g, c, call);
	default:
		return depth_func(g, c, call);
	}
}
