/* gx_probe.c - what a vertex program makes of one vertex: its results as the colours of a small target of floats
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "virgl/gx_inside.h"

#define RESULTS 11 /* clip position, two colours, eight coordinates: a pixel each */

static bool make_target(struct gx_virgl *v, struct qs_error *error)
{
	if (v->probe)
		return true;
	v->probe = virgl_texture_create(v->device, &(struct virgl_texture){.format = VIRGL_FORMAT_R32G32B32A32_FLOAT, .bind = VIRGL_BIND_RENDER,
		.width = 16, .height = 1}, error);
	if (!v->probe)
		return false;
	v->probe_surface = virgl_surface_create(v->device, v->probe, 0);
	v->probe_depth = virgl_depth_create(v->device, &(struct virgl_depth){0});
	return true;
}

/* The fragment program that stores the varying. */
static virgl_id reader(struct gx_virgl *v, unsigned generic, struct qs_error *error)
{
	char text[160];

	if (!v->probe_shader[generic]) {
		snprintf(text, sizeof text, "FRAG\nDCL IN[0], GENERIC[%u], PERSPECTIVE\nDCL OUT[0], COLOR\n  0: MOV OUT[0], IN[0]\n  1: END\n", generic);
		v->probe_shader[generic] = virgl_shader_create(v->device, VIRGL_FRAGMENT, text, "a reader of varyings", error);
	}
	return v->probe_shader[generic];
}

/* Three corners with the attributes of one vertex, over the whole target. */
static uint32_t put_corners(struct gx_virgl *v, const struct gx_machine *m, const struct gx_vertex *vertex)
{
	static const float corners[3][4] = {{-1, -1, 0, 1}, {3, -1, 0, 1}, {-1, 3, 0, 1}};
	const struct gx_vertex_layout *in = &v->feed.layout;
	size_t floats = in->stride / 4;

	if (v->vertex_room < 3 * floats) {
		float *grown = realloc(v->vertex, 3 * floats * sizeof *grown);
		if (!grown)
			return UINT32_MAX;
		v->vertex = grown;
		v->vertex_room = 3 * floats;
	}
	gx_feed_corners(v, m, vertex, corners);
	return gx_host_write(v, v->buffer, &v->buffer_used, GX_VERTEX_BUFFER, v->vertex, 3 * in->stride);
}

static bool draw_results(struct gx_virgl *v, struct qs_error *error)
{
	const struct gx_vertex_key *key = &v->feed.key;

	for (unsigned i = 0; i < RESULTS; i++) {
		bool there = i == 0 || (i >= GX_GENERIC_COLOUR && i < GX_GENERIC_COLOUR + (unsigned)key->ncol) ||
			(i >= GX_GENERIC_TEX && i < GX_GENERIC_TEX + (unsigned)key->ntex);
		virgl_id shader = there ? reader(v, i, error) : 0;
		if (!there)
			continue;
		if (!shader)
			return false;
		virgl_bind(v->device, shader);
		virgl_scissor(v->device, i, 0, i + 1, 1);
		if (!virgl_draw(v->device, VIRGL_TRIANGLES, 0, 3, false, "a question to a vertex program", error))
			return false;
	}
	return true;
}

bool gx_virgl_probe(struct gx_virgl *v, struct gx_machine *m, uint32_t number, struct gx_probe *probe, struct qs_error *error)
{
	const struct gx_vertex *vertices;
	struct su_scissor none = {{0, 0, 0, 0}, 0, 0};
	struct gx_host_vertex *p;
	float result[16][4];
	uint32_t offset;

	memset(probe, 0, sizeof *probe);
	if (gx_feed_begin(v, m) || v->feed.key.kind != QS_PRIMITIVE_TRIANGLE || number >= gx_draw_fetched(m, &vertices)) {
		qs_error_set(error, QS_ERR_UNSUPPORTED, 0, "This draw has no vertex program that could be asked.");
		return false;
	}
	v->feed.key.probe = v->feed.key.unit = 1;
	v->feed.key.affine = v->feed.key.snap = v->feed.key.clip = v->feed.key.guard = v->feed.key.far_w = v->feed.key.frozen = 0;
	gx_vertex_layout(&v->feed.key, &v->feed.layout);
	if (!gx_host_ready(v, error) || !make_target(v, error) || !(p = gx_host_vertex_program(v, "a question to a vertex program", error)))
		return false;
	offset = put_corners(v, m, &vertices[number]);
	if (offset == UINT32_MAX) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for a vertex.");
		return false;
	}
	virgl_framebuffer(v->device, v->probe_surface, 0);
	virgl_viewport(v->device, 0, 0, 16, 1, 1, 0);
	virgl_bind(v->device, v->blend);
	virgl_bind(v->device, v->rasterizer[0]);
	virgl_bind(v->device, v->probe_depth);
	virgl_bind(v->device, p->shader);
	virgl_bind(v->device, p->elements);
	virgl_vertex_buffer(v->device, v->buffer, v->feed.layout.stride, offset);
	gx_host_vertex_constants(v, m, v->feed.scissors ? &v->feed.scissor[0] : &none, p);
	if (!draw_results(v, error) || !virgl_readback(v->device, v->probe, 0, (struct virgl_rect){0, 0, 16, 1}, result, error))
		return false;
	probe->ncol = v->feed.key.ncol;
	probe->ntex = v->feed.key.ntex;
	memcpy(probe->clip, result[0], sizeof probe->clip);
	memcpy(probe->colour, result[GX_GENERIC_COLOUR], sizeof probe->colour);
	memcpy(probe->tex, result[GX_GENERIC_TEX], sizeof probe->tex);
	return true;
}
