/* host_state.c - state objects of the VirGL side: made once for each contents (spec 03 section 4)
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "gfx3d/host_inside.h"

_Static_assert(sizeof(struct virgl_sampler) <= STATE_KEY && sizeof(struct virgl_depth) <= STATE_KEY &&
	CSIR_ATTR_MAX * sizeof(struct virgl_element) <= STATE_KEY, "keys of state objects");

/* Keys of one cache have one size, and are zeroed before they are filled. */
static virgl_id *cached(struct virgl_device *d, struct state_cache *cache, const void *key, size_t size)
{
	for (unsigned i = 0; i < cache->count; i++)
		if (!memcmp(cache->entry[i].key, key, size))
			return &cache->entry[i].id;
	if (cache->count == STATES) {
		for (unsigned i = 0; i < STATES; i++)
			virgl_object_destroy(d, cache->entry[i].id);
		cache->count = 0;
	}
	memset(&cache->entry[cache->count], 0, sizeof cache->entry[0]);
	memcpy(cache->entry[cache->count].key, key, size);
	return &cache->entry[cache->count++].id;
}

static uint8_t factor(uint8_t f)
{
	static const uint8_t table[QS_GFX3D_FACTOR_COUNT] = {
		[QS_GFX3D_ZERO] = VIRGL_ZERO, [QS_GFX3D_ONE] = VIRGL_ONE, [QS_GFX3D_SRC_COLOR] = VIRGL_SRC_COLOR,
		[QS_GFX3D_INV_SRC_COLOR] = VIRGL_INV_SRC_COLOR, [QS_GFX3D_SRC_ALPHA] = VIRGL_SRC_ALPHA,
		[QS_GFX3D_INV_SRC_ALPHA] = VIRGL_INV_SRC_ALPHA, [QS_GFX3D_DST_COLOR] = VIRGL_DST_COLOR,
		[QS_GFX3D_INV_DST_COLOR] = VIRGL_INV_DST_COLOR, [QS_GFX3D_DST_ALPHA] = VIRGL_DST_ALPHA,
		[QS_GFX3D_INV_DST_ALPHA] = VIRGL_INV_DST_ALPHA,
	};

	return table[f];
}

virgl_id g3_host_blend_state(struct qs_gfx3d *g, const struct g3_context *c)
{
	const struct qs_gfx3d_blend *b = &c->blend;
	struct virgl_blend state;
	virgl_id *id;

	memset(&state, 0, sizeof state);
	state.mask = b->write_mask;
	if (b->enable) { /* the functions have the same numbers */
		state.blend = true;
		state.func = b->op;
		state.source = factor(b->src);
		state.destination = factor(b->dst);
		state.alpha_func = b->op_alpha;
		state.alpha_source = factor(b->src_alpha);
		state.alpha_destination = factor(b->dst_alpha);
	}
	HOOK(blend, &state);
	id = cached(g->host->d, &g->host->blend, &state, sizeof state);
	if (!*id)
		*id = virgl_blend_create(g->host->d, &state);
	return *id;
}

bool g3_host_depth_used(const struct qs_gfx3d *g, const struct g3_context *c)
{
	return c->depth_on || !G3_QUIRK(&g->quirks, depth_off);
}

/* Comparisons and operations have the same numbers; without a back of its own the front counts for both faces. */
static void stencil_state(const struct qs_gfx3d_stencil *from, struct virgl_stencil *to)
{
	if (!from->enable)
		return;
	*to = (struct virgl_stencil){.enabled = true, .func = from->func, .fail = from->fail, .depth_fail = from->depth_fail,
		.pass = from->pass, .value_mask = from->read_mask, .write_mask = from->write_mask};
}

virgl_id g3_host_depth_state(struct qs_gfx3d *g, const struct g3_context *c)
{
	struct virgl_depth state;
	virgl_id *id;

	memset(&state, 0, sizeof state);
	if (g3_host_depth_used(g, c)) { /* the comparisons have the same numbers */
		state.test = true;
		state.write = c->depth_write != 0;
		state.func = c->depth_compare;
	}
	stencil_state(&c->stencil, &state.front);
	HOOK(depth, &state);
	id = cached(g->host->d, &g->host->depth, &state, sizeof state);
	if (!*id)
		*id = virgl_depth_create(g->host->d, &state);
	return *id;
}

virgl_id g3_host_rasterizer_state(struct qs_gfx3d *g, const struct g3_context *c, int samples)
{
	struct virgl_rasterizer state;
	virgl_id *id;

	memset(&state, 0, sizeof state);
	state.cull = c->cull_on ? 2 : 0;
	state.depth_clip = true;
	state.multisample = samples > 1;
	HOOK(rasterizer, &state);
	id = cached(g->host->d, &g->host->rasterizer, &state, sizeof state);
	if (!*id)
		*id = virgl_rasterizer_create(g->host->d, &state);
	return *id;
}

virgl_id g3_host_sampler_state(struct qs_gfx3d *g, const struct g3_context *c, unsigned unit)
{
	static const uint8_t wrap[3] = {VIRGL_WRAP_CLAMP_TO_EDGE, VIRGL_WRAP_REPEAT, VIRGL_WRAP_MIRROR};
	const struct qs_gfx3d_sampler *s = &c->sampler[unit];
	struct virgl_sampler state;
	virgl_id *id;

	memset(&state, 0, sizeof state);
	state.wrap_s = state.wrap_t = VIRGL_WRAP_CLAMP_TO_EDGE;
	state.mip = QS_GFX3D_NO_MIPS; /* the filters of mipmaps have the same numbers */
	state.max_lod = 1000;
	if (G3_QUIRK(&g->quirks, sampler_state)) {
		state.wrap_s = wrap[s->wrap_s];
		state.wrap_t = wrap[s->wrap_t];
		state.min_linear = s->min == QS_GFX3D_LINEAR;
		state.mag_linear = s->mag == QS_GFX3D_LINEAR;
		state.mip = s->mip;
		state.lod_bias = s->lod_bias;
		state.min_lod = s->min_lod;
		state.max_lod = s->max_lod;
	}
	HOOK(sampler, &state);
	id = cached(g->host->d, &g->host->sampler, &state, sizeof state);
	if (!*id)
		*id = virgl_sampler_create(g->host->d, &state);
	return *id;
}

static uint32_t element_format(const struct qs_gfx3d *g, int components)
{
	if (G3_QUIRK(&g->quirks, attribute_format))
		return components == 2 ? VIRGL_FORMAT_R32G32_FLOAT : VIRGL_FORMAT_R32G32B32A32_FLOAT;
	return VIRGL_FORMAT_R32_FLOAT + (uint32_t)(components < 1 ? 0 : components > 4 ? 3 : components - 1);
}

/* Element i feeds input i; locations that the layout leaves out read the first one's bytes. */
virgl_id g3_host_elements(struct qs_gfx3d *g, const struct g3_mesh *m, const struct csir_shader *vs)
{
	struct virgl_element element[CSIR_ATTR_MAX];
	unsigned count = vs->attr_high < 0 ? 1 : (unsigned)vs->attr_high + 1;
	virgl_id *id;

	memset(element, 0, sizeof element);
	for (unsigned i = 0; i < CSIR_ATTR_MAX; i++)
		element[i].format = VIRGL_FORMAT_R32_FLOAT;
	for (int e = 0; e < m->layout.elements; e++) {
		const struct qs_gfx3d_element *from = &m->layout.element[e];
		int at = G3_QUIRK(&g->quirks, attribute_order) ? e : from->location;

		if (at >= 0 && at < CSIR_ATTR_MAX && from->offset >= 0)
			element[at] = (struct virgl_element){(uint32_t)from->offset, element_format(g, from->components)};
	}
	memset(element + count, 0, (CSIR_ATTR_MAX - count) * sizeof *element);
	HOOK(elements, element, count);
	id = cached(g->host->d, &g->host->elements, element, sizeof element);
	if (!*id)
		*id = virgl_elements_create(g->host->d, element, count);
	return *id;
}
