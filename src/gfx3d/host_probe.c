/* host_probe.c - questions about one draw, answered by drawing it again with another fragment shader into a target of its own
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gfx3d/host_inside.h"

struct probe_target {
	virgl_id texture, many, surface; /* many: with samples, resolved to the texture */
};

static bool open_target(struct qs_gfx3d *g, const struct g3_target *t, uint32_t format, struct probe_target *p, struct qs_error *error)
{
	struct virgl_texture what = {.format = format, .bind = VIRGL_BIND_RENDER | VIRGL_BIND_SAMPLER, .width = (uint32_t)t->width,
		.height = (uint32_t)t->height};

	memset(p, 0, sizeof *p);
	p->texture = virgl_texture_create(g->host->d, &what, error);
	what.samples = (uint32_t)t->samples;
	if (p->texture && t->samples > 1 && !(p->many = virgl_texture_create(g->host->d, &what, error)))
		return false;
	p->surface = p->texture ? virgl_surface_create(g->host->d, p->many ? p->many : p->texture, 0) : 0;
	return p->surface != 0;
}

static bool read_target(struct qs_gfx3d *g, const struct probe_target *p, struct virgl_rect rect, void *data, struct qs_error *error)
{
	if (p->many)
		virgl_resolve(g->host->d, p->texture, p->many, VIRGL_BLIT_COLOR);
	return virgl_readback(g->host->d, p->texture, 0, rect, data, error);
}

static void close_target(struct qs_gfx3d *g, struct probe_target *p)
{
	virgl_framebuffer(g->host->d, 0, 0);
	virgl_object_destroy(g->host->d, p->surface);
	virgl_resource_destroy(g->host->d, p->many);
	virgl_resource_destroy(g->host->d, p->texture);
}

static const char all_ones[] = "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1.0, 1.0, 1.0, 1.0}\n  0: MOV OUT[0], IMM[0]\n  1: END\n";

/* A part of the mesh.  Hosts take no notice of a first index (measured): the buffer is bound from there on. */
static bool draw_part(struct qs_gfx3d *g, const struct g3_mesh *m, enum virgl_primitive mode, uint32_t first, uint32_t count, struct qs_error *error)
{
	if (!m->index_count)
		return virgl_draw(g->host->d, mode, first, count, false, "a probe", error);
	virgl_index_buffer(g->host->d, g->host->mesh[m - g->mesh].indices, 2, 2 * first);
	return virgl_draw(g->host->d, mode, 0, count, true, "a probe", error);
}

/* With its own blending and without depth, else bound as for the draw itself. */
static bool run(struct qs_gfx3d *g, struct g3_context *c, struct g3_target *t, struct g3_mesh *m, struct csir_program *program, const char *text,
	const struct virgl_blend *blend, uint32_t primitive, struct qs_error *error)
{
	struct virgl_device *d = g->host->d;
	virgl_id shader = g3_host_shader(g, CSIR_FRAGMENT, text, "a probe", error), blending, depth;
	uint32_t count = shader ? g3_host_bind(g, c, t, m, program, error) : 0;
	bool good = false;

	if (!count)
		return false;
	blending = virgl_blend_create(d, blend);
	depth = virgl_depth_create(d, &(struct virgl_depth){.test = false});
	virgl_bind(d, blending);
	virgl_bind(d, depth);
	virgl_bind(d, shader);
	if (primitive == QS_NONE)
		good = draw_part(g, m, VIRGL_TRIANGLES, 0, count, error);
	else if (primitive < count / 3)
		good = draw_part(g, m, VIRGL_TRIANGLES, 3 * primitive, 3, error);
	else
		qs_error_set(error, QS_ERR_RANGE, 0, "There is no such primitive in the draw.");
	virgl_object_destroy(d, shader);
	virgl_object_destroy(d, blending);
	virgl_object_destroy(d, depth);
	return good;
}

/* Every fragment adds one; floats, because the average of samples is read. */
bool g3_host_cover(struct qs_gfx3d *g, struct g3_context *c, struct g3_target *t, struct g3_mesh *m, struct csir_program *program,
	uint8_t *bytes, struct qs_error *error)
{
	static const struct virgl_blend add = {.blend = true, .func = VIRGL_ADD, .source = VIRGL_ONE, .destination = VIRGL_ONE, .alpha_func = VIRGL_ADD,
		.alpha_source = VIRGL_ONE, .alpha_destination = VIRGL_ONE, .mask = 15};
	size_t pixels = (size_t)t->width * (size_t)t->height;
	float (*color)[4] = malloc(pixels * sizeof *color);
	struct probe_target p;
	bool good;

	if (!color) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for the coverage of a draw.");
		return false;
	}
	good = open_target(g, t, VIRGL_FORMAT_R32G32B32A32_FLOAT, &p, error);
	if (good) {
		virgl_framebuffer(g->host->d, p.surface, 0);
		virgl_clear(g->host->d, VIRGL_CLEAR_COLOR, (const float[4]){0, 0, 0, 0}, 1, 0);
		good = run(g, c, t, m, program, all_ones, &add, QS_NONE, error) &&
		       read_target(g, &p, (struct virgl_rect){0, 0, (uint32_t)t->width, (uint32_t)t->height}, color, error);
	}
	for (size_t i = 0; good && i < pixels; i++) {
		float n = color[i][0] * (float)t->samples + 0.5f;

		bytes[i] = n > 255 ? 255 : (uint8_t)n;
	}
	close_target(g, &p);
	free(color);
	return good;
}

/* The text that shows the value; false: an error. */
static bool probe_text(struct qs_gfx3d *g, const struct csir_program *program, const struct qs_value *what, struct csir_text *text,
	struct qs_error *error)
{
	struct csir_tgsi_options options;

	switch (what->kind) {
	case QS_VALUE_COVER:
		csir_text_add(text, "%s", all_ones);
		return true;
	case QS_VALUE_FRAGMENT_COORDINATE:
		csir_text_add(text, "FRAG\nDCL IN[7], POSITION\nDCL OUT[0], COLOR\n  0: MOV OUT[0], IN[7]\n  1: END\n");
		return true;
	case QS_VALUE_VARYING:
		csir_text_add(text, "FRAG\nDCL IN[%u], GENERIC[%u], PERSPECTIVE\nDCL OUT[0], COLOR\n  0: MOV OUT[0], IN[%u]\n  1: END\n", what->slot,
			what->slot, what->slot);
		return true;
	default:
		csir_tgsi_options_init(&options, &g->quirks);
		options.var_remap = what->kind == QS_VALUE_REGISTER ? program->var_remap : NULL;
		options.cut = what->instruction + 1;
		options.cut_temp = (int)what->reg;
		return csir_tgsi(csir_program_shader(program, what->kind == QS_VALUE_REGISTER ? CSIR_FRAGMENT : CSIR_VERTEX, &g->quirks),
			&options, text, NULL, NULL, error);
	}
}

/* What the text shows at the pixel, over `ground`. */
static bool show(struct qs_gfx3d *g, struct g3_context *c, struct g3_target *t, struct g3_mesh *m, struct csir_program *program,
	const char *text, uint32_t primitive, float ground, int x, int y, float value[4], struct qs_error *error)
{
	static const struct virgl_blend plain = {.mask = 15};
	struct probe_target p;
	bool good = open_target(g, t, VIRGL_FORMAT_R32G32B32A32_FLOAT, &p, error);

	if (good) {
		virgl_framebuffer(g->host->d, p.surface, 0);
		virgl_clear(g->host->d, VIRGL_CLEAR_COLOR, (const float[4]){ground, ground, ground, ground}, 1, 0);
		good = run(g, c, t, m, program, text, &plain, primitive, error) &&
		       read_target(g, &p, (struct virgl_rect){(uint32_t)x, (uint32_t)y, 1, 1}, value, error);
	}
	close_target(g, &p);
	return good;
}

/* Samples are averaged when they are read, those that the primitive does not cover with the ground: which part they are is asked first. */
static bool show_samples(struct qs_gfx3d *g, struct g3_context *c, struct g3_target *t, struct g3_mesh *m, struct csir_program *program,
	const char *text, uint32_t primitive, int x, int y, float value[4], struct qs_error *error)
{
	float part[4];

	if (!show(g, c, t, m, program, all_ones, primitive, 0, x, y, part, error))
		return false;
	if (part[0] != 0 && !show(g, c, t, m, program, text, primitive, 0, x, y, value, error))
		return false;
	for (unsigned k = 0; k < 4; k++)
		value[k] = part[0] != 0 ? value[k] / part[0] : G3_PROBE_NOTHING;
	return true;
}

/* The vertex alone, as a point in the middle of a target of one pixel. */
static bool show_vertex(struct qs_gfx3d *g, struct g3_context *c, struct g3_target *t, struct g3_mesh *m, struct csir_program *program,
	const char *text, uint32_t vertex, float value[4], struct qs_error *error)
{
	static const char pass[] = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n  0: MOV OUT[0], IN[0]\n  1: END\n";
	static const struct g3_target pixel = {.width = 1, .height = 1, .samples = 1};
	struct virgl_device *d = g->host->d;
	virgl_id vs = g3_host_shader(g, CSIR_VERTEX, text, "a probe of a vertex", error);
	virgl_id fs = vs ? virgl_shader_create(d, VIRGL_FRAGMENT, pass, "a probe", error) : 0;
	uint32_t count = fs ? g3_host_bind(g, c, t, m, program, error) : 0;
	virgl_id blend, depth, raster;
	struct probe_target p;
	bool good;

	if (!count || !open_target(g, &pixel, VIRGL_FORMAT_R32G32B32A32_FLOAT, &p, error))
		return false;
	blend = virgl_blend_create(d, &(struct virgl_blend){.mask = 15});
	depth = virgl_depth_create(d, &(struct virgl_depth){.test = false});
	raster = virgl_rasterizer_create(d, &(struct virgl_rasterizer){.depth_clip = true});
	virgl_bind(d, vs);
	virgl_bind(d, fs);
	virgl_bind(d, blend);
	virgl_bind(d, depth);
	virgl_bind(d, raster);
	virgl_framebuffer(d, p.surface, 0);
	virgl_viewport(d, 0, 0, 1, 1, 0.5f, 0.5f);
	virgl_clear(d, VIRGL_CLEAR_COLOR, (const float[4]){G3_PROBE_NOTHING, G3_PROBE_NOTHING, G3_PROBE_NOTHING, G3_PROBE_NOTHING}, 1, 0);
	good = vertex < count && draw_part(g, m, VIRGL_POINTS, vertex, 1, error) &&
	       read_target(g, &p, (struct virgl_rect){0, 0, 1, 1}, value, error);
	close_target(g, &p);
	virgl_object_destroy(d, vs);
	virgl_object_destroy(d, fs);
	virgl_object_destroy(d, blend);
	virgl_object_destroy(d, depth);
	virgl_object_destroy(d, raster);
	if (vertex >= count)
		qs_error_set(error, QS_ERR_RANGE, 0, "There is no such primitive in the draw.");
	return good;
}

bool g3_host_probe(struct qs_gfx3d *g, struct g3_context *c, struct g3_target *t, struct g3_mesh *m, struct csir_program *program,
	const struct g3_probe *probe, int x, int y, float value[4], struct qs_error *error)
{
	struct csir_text text = {0};
	bool good = probe_text(g, program, &probe->what, &text, error);

	if (good && probe->what.kind == QS_VALUE_VERTEX_REGISTER)
		good = show_vertex(g, c, t, m, program, text.data, 3 * probe->primitive + probe->what.corner, value, error);
	else if (good)
		good = t->samples > 1 ? show_samples(g, c, t, m, program, text.data, probe->primitive, x, y, value, error)
			: show(g, c, t, m, program, text.data, probe->primitive, G3_PROBE_NOTHING, x, y, value, error);
	csir_text_finish(&text);
	return good;
}
