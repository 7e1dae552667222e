/* host.c - the VirGL side of Gfx3D: which device objects stand for which of ours, and a draw (spec 03 sections 4 to 7)
 *
 * The TGSI is made from the same verified CSIR that the processor runs, always in the form hosts accept.  What ChrisOS does
 * differently from a plain encoder (vertex formats, order of attributes, flipped textures, viewport, constants) follows the quirks.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gfx3d/host_inside.h"
#include "virgl/stream.h"

const struct g3_host_hooks *g3_host_hooks;

/* ---- life and loss ------------------------------------------------------------------------------------------------------ */

bool g3_host_start(struct qs_gfx3d *g)
{
	struct qs_error error = {0};

	g->host = calloc(1, sizeof *g->host);
	if (g->host)
		g->host->d = virgl_device_create(&(struct virgl_options){.socket = g->host_socket, .driver = g->host_driver}, &error);
	if (g->host && g->host->d)
		return true;
	free(g->host);
	g->host = NULL;
	g3_fail_detail(g, "no virgl device", "%s", error.text[0] ? error.text : "There is no memory for a VirGL host.");
	return false;
}

void g3_host_stop(struct qs_gfx3d *g)
{
	if (!g->host)
		return;
	virgl_device_destroy(g->host->d);
	free(g->host);
	g->host = NULL;
}

long g3_host_pid(const struct qs_gfx3d *g)
{
	return g->host ? virgl_device_pid(g->host->d) : 0;
}

/* The host failed: AUTO goes on in software and the call counts as done, VIRGL does not. */
static bool lost(struct qs_gfx3d *g, const struct qs_error *error)
{
	g->virgl = false;
	g->virgl_lost = true;
	g3_fail_detail(g, "virgl lost", "%s", error->text);
	snprintf(g->host_text, sizeof g->host_text, "%s", error->text);
	g3_host_stop(g);
	if (g->backend != QS_GFX3D_AUTO)
		return false;
	g->stats.degraded = true;
	return true;
}

static bool settle(struct qs_gfx3d *g, bool good, const struct qs_error *error)
{
	const struct qs_error *sticky;

	if (!good)
		return lost(g, error);
	sticky = virgl_device_error(g->host->d);
	return sticky->code ? lost(g, sticky) : true;
}

/* ---- contexts and targets ----------------------------------------------------------------------------------------------- */

/* All contexts share the device: state is bound anew for every draw. */
bool g3_host_context_create(struct qs_gfx3d *g, struct g3_context *c)
{
	struct qs_error error = {0};

	(void)c;
	return !g->virgl || settle(g, virgl_flush(g->host->d, &error), &error);
}

void g3_host_context_destroy(struct qs_gfx3d *g, struct g3_context *c)
{
	(void)c;
	if (g->virgl)
		virgl_flush(g->host->d, NULL);
}

static struct host_target *target_of(const struct qs_gfx3d *g, const struct g3_target *t)
{
	return &g->host->target[t - g->target];
}

/* A texture of the target's size, and one with samples beside it when it has them. */
static bool planes(struct qs_gfx3d *g, const struct g3_target *t, struct virgl_texture what, virgl_id *one, virgl_id *many, virgl_id *surface,
	struct qs_error *error)
{
	what.width = (uint32_t)t->width;
	what.height = (uint32_t)t->height;
	*one = virgl_texture_create(g->host->d, &what, error);
	if (*one && t->samples > 1) {
		what.samples = (uint32_t)t->samples;
		what.shared = false;
		*many = virgl_texture_create(g->host->d, &what, error);
	}
	if (!*one || (t->samples > 1 && !*many))
		return false;
	*surface = virgl_surface_create(g->host->d, *many ? *many : *one, 0);
	return true;
}

bool g3_host_target_create(struct qs_gfx3d *g, struct g3_target *t)
{
	const struct virgl_texture color = {.format = VIRGL_FORMAT_B8G8R8A8_UNORM, .bind = VIRGL_BIND_RENDER | VIRGL_BIND_SAMPLER, .shared = true};
	const struct virgl_texture depth = {.format = VIRGL_FORMAT_Z32_FLOAT_S8X24_UINT, .bind = VIRGL_BIND_DEPTH};
	struct qs_error error = {0};
	struct host_target *h;

	if (!g->virgl)
		return true;
	h = target_of(g, t);
	memset(h, 0, sizeof *h);
	return settle(g, planes(g, t, color, &h->color, &h->color_many, &h->color_surface, &error) &&
		planes(g, t, depth, &h->depth, &h->depth_many, &h->depth_surface, &error), &error);
}

void g3_host_target_destroy(struct qs_gfx3d *g, struct g3_target *t)
{
	struct host_target *h;

	if (!g->virgl)
		return;
	h = target_of(g, t);
	virgl_framebuffer(g->host->d, 0, 0);
	virgl_object_destroy(g->host->d, h->color_surface);
	virgl_object_destroy(g->host->d, h->depth_surface);
	virgl_resource_destroy(g->host->d, h->color_many);
	virgl_resource_destroy(g->host->d, h->depth_many);
	virgl_resource_destroy(g->host->d, h->color);
	virgl_resource_destroy(g->host->d, h->depth);
	memset(h, 0, sizeof *h);
}

struct depth_stencil {
	float depth;
	uint32_t stencil;
};

/* Depth, and with one sample the stencil too. */
static bool read_depth(struct qs_gfx3d *g, struct g3_target *t, const struct host_target *h, struct virgl_rect all, struct qs_error *error)
{
	size_t pixels = (size_t)t->width * (size_t)t->height;
	struct depth_stencil *both = malloc(pixels * sizeof *both);
	bool good;

	if (!both) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory to read a depth buffer.");
		return false;
	}
	if (h->depth_many)
		virgl_resolve(g->host->d, h->depth, h->depth_many, VIRGL_BLIT_DEPTH);
	good = virgl_readback(g->host->d, h->depth, 0, all, both, error);
	for (size_t i = 0; good && i < pixels; i++) {
		t->depth[i] = both[i].depth;
		if (!h->depth_many)
			t->stencil[i] = (uint8_t)both[i].stencil;
	}
	free(both);
	return good;
}

/* What was resolved stands in every sample, so that it is its own average. */
static bool read_color(struct qs_gfx3d *g, struct g3_target *t, const struct host_target *h, struct virgl_rect all, struct qs_error *error)
{
	size_t pixels = (size_t)t->width * (size_t)t->height;

	if (h->color_many)
		virgl_resolve(g->host->d, h->color, h->color_many, VIRGL_BLIT_COLOR);
	if (!virgl_readback(g->host->d, h->color, 0, all, t->color, error))
		return false;
	for (int s = 1; s < t->samples; s++)
		memcpy(t->color + (size_t)s * pixels, t->color, pixels * sizeof *t->color);
	return true;
}

bool g3_host_read(struct qs_gfx3d *g, struct g3_target *t, bool depth)
{
	struct virgl_rect all = {0, 0, (uint32_t)t->width, (uint32_t)t->height};
	struct qs_error error = {0};
	struct host_target *h;

	if (!g->virgl)
		return g->backend != QS_GFX3D_VIRGL;
	h = target_of(g, t);
	return settle(g, depth ? read_depth(g, t, h, all, &error) : read_color(g, t, h, all, &error), &error);
}

/* ---- meshes, textures, programs ----------------------------------------------------------------------------------------- */

void g3_host_mesh_destroy(struct qs_gfx3d *g, struct g3_mesh *m)
{
	struct host_mesh *h;

	if (!g->virgl)
		return;
	h = &g->host->mesh[m - g->mesh];
	virgl_resource_destroy(g->host->d, h->vertices);
	virgl_resource_destroy(g->host->d, h->indices);
	memset(h, 0, sizeof *h);
}

static virgl_id buffer(struct qs_gfx3d *g, uint32_t bind, const struct g3_bytes *bytes, struct qs_error *error)
{
	virgl_id id = virgl_buffer_create(g->host->d, bind, (uint32_t)bytes->size, error);

	return id && virgl_buffer_upload(g->host->d, id, 0, bytes->data, (uint32_t)bytes->size, error) ? id : 0;
}

bool g3_host_mesh_upload(struct qs_gfx3d *g, struct g3_mesh *m)
{
	struct qs_error error = {0};
	struct host_mesh *h;
	bool good;

	if (!g->virgl)
		return true;
	g3_host_mesh_destroy(g, m);
	h = &g->host->mesh[m - g->mesh];
	h->vertices = buffer(g, VIRGL_BIND_VERTEX, m->vertices, &error);
	good = h->vertices != 0;
	if (good && m->indices) {
		h->indices = buffer(g, VIRGL_BIND_INDEX, m->indices, &error);
		good = h->indices != 0;
	}
	return settle(g, good, &error);
}

void g3_host_texture_destroy(struct qs_gfx3d *g, struct g3_texture *t)
{
	struct host_texture *h;

	if (!g->virgl)
		return;
	h = &g->host->texture[t - g->texture];
	virgl_object_destroy(g->host->d, h->view);
	virgl_resource_destroy(g->host->d, h->texture);
	memset(h, 0, sizeof *h);
}

/* Rows in reverse where ChrisOS's flag of the resource turns them over. */
static bool upload_level(struct qs_gfx3d *g, const struct g3_texture *t, virgl_id id, int level, struct qs_error *error)
{
	uint32_t width = t->width >> level > 1 ? (uint32_t)(t->width >> level) : 1;
	uint32_t height = t->height >> level > 1 ? (uint32_t)(t->height >> level) : 1;
	struct virgl_rect all = {0, 0, width, height};
	const uint8_t *from = t->level[level]->data;
	uint8_t *turned;
	bool good;

	if (!G3_QUIRK(&g->quirks, sample_rows))
		return virgl_upload(g->host->d, id, (uint32_t)level, all, from, error);
	turned = malloc(4 * (size_t)width * height);
	if (!turned) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory to upload a texture.");
		return false;
	}
	for (uint32_t y = 0; y < height; y++)
		memcpy(turned + 4 * (size_t)width * y, from + 4 * (size_t)width * (height - 1 - y), 4 * (size_t)width);
	good = virgl_upload(g->host->d, id, (uint32_t)level, all, turned, error);
	free(turned);
	return good;
}

bool g3_host_texture_upload(struct qs_gfx3d *g, struct g3_texture *t)
{
	struct virgl_texture what = {.format = VIRGL_FORMAT_B8G8R8A8_UNORM, .bind = VIRGL_BIND_SAMPLER, .width = (uint32_t)t->width,
		.height = (uint32_t)t->height, .levels = (uint32_t)t->levels};
	struct qs_error error = {0};
	struct host_texture *h;
	bool good;

	if (!g->virgl)
		return true;
	g3_host_texture_destroy(g, t);
	h = &g->host->texture[t - g->texture];
	h->texture = virgl_texture_create(g->host->d, &what, &error);
	good = h->texture != 0;
	for (int l = 0; good && l < t->levels; l++)
		good = upload_level(g, t, h->texture, l, &error);
	if (good)
		h->view = virgl_view_create(g->host->d, h->texture, 0, (uint32_t)t->levels - 1);
	return settle(g, good, &error);
}

void g3_host_program_destroy(struct qs_gfx3d *g, struct g3_program *p)
{
	struct host_program *h;

	if (!g->virgl)
		return;
	h = &g->host->program[p - g->program];
	for (int i = 0; i < 2; i++)
		virgl_object_destroy(g->host->d, h->shader[i]);
	memset(h, 0, sizeof *h);
}

virgl_id g3_host_shader(struct qs_gfx3d *g, enum csir_stage stage, const char *text, const char *label, struct qs_error *error)
{
	char *other = g3_host_hooks && g3_host_hooks->shader ? g3_host_hooks->shader(stage, text) : NULL;
	virgl_id id = virgl_shader_create(g->host->d, stage == CSIR_VERTEX ? VIRGL_VERTEX : VIRGL_FRAGMENT, other ? other : text, label, error);

	free(other);
	return id;
}

static virgl_id make_shader(struct qs_gfx3d *g, const struct csir_program *program, enum csir_stage stage, unsigned number,
	struct qs_error *error)
{
	struct csir_tgsi_options options;
	struct csir_text text = {0};
	struct g3_quirks quirks;
	char label[64];
	virgl_id id = 0;

	g3_quirks_init(&quirks, G3_MODEL_VIRGL);
	csir_tgsi_options_init(&options, &quirks);
	options.var_remap = stage == CSIR_FRAGMENT ? program->var_remap : NULL;
	snprintf(label, sizeof label, "the %s shader of program %u", csir_stage_name(stage), number);
	if (csir_tgsi(csir_program_shader(program, stage, &g->quirks), &options, &text, NULL, NULL, error))
		id = g3_host_shader(g, stage, text.data, label, error);
	csir_text_finish(&text);
	return id;
}

bool g3_host_program_upload(struct qs_gfx3d *g, struct g3_context *c, struct g3_program *p, struct csir_program *program)
{
	struct qs_error error = {0};
	struct host_program *h;
	unsigned number = (unsigned)(p - g->program) + 1;

	(void)c;
	if (!g->virgl)
		return true;
	g3_host_program_destroy(g, p);
	h = &g->host->program[p - g->program];
	h->shader[0] = make_shader(g, program, CSIR_VERTEX, number, &error);
	h->shader[1] = h->shader[0] ? make_shader(g, program, CSIR_FRAGMENT, number, &error) : 0;
	return settle(g, h->shader[1] != 0, &error);
}

/* ---- what is sent --------------------------------------------------------------------------------------------------------- */

void g3_host_record(struct qs_gfx3d *g)
{
	virgl_flush(g->host->d, NULL);
	virgl_record(g->host->d, true);
}

char *g3_host_recorded(struct qs_gfx3d *g)
{
	const uint32_t *words;
	size_t count;
	char *text;

	virgl_flush(g->host->d, NULL);
	words = virgl_recorded(g->host->d, &count);
	text = virgl_decode(words, count);
	virgl_record(g->host->d, false);
	return text;
}

/* ---- frames ------------------------------------------------------------------------------------------------------------- */

static void set_viewport(struct qs_gfx3d *g, const struct g3_context *c, const struct g3_target *t)
{
	float v[6] = {0, 0, (float)t->width, (float)t->height, 0.5f, 0.5f};

	for (unsigned k = 0; k < 4 && G3_QUIRK(&g->quirks, viewport); k++)
		v[k] = (float)c->viewport[k];
	HOOK(viewport, v);
	virgl_viewport(g->host->d, v[0], v[1], v[2], v[3], v[4], v[5]);
}

bool g3_host_begin(struct qs_gfx3d *g, struct g3_context *c, struct g3_target *t)
{
	struct qs_error error = {0};

	(void)c;
	(void)t;
	return !g->virgl || settle(g, virgl_flush(g->host->d, &error), &error);
}

bool g3_host_clear(struct qs_gfx3d *g, struct g3_context *c, struct g3_target *t, const float color[4], bool depth)
{
	float positive[4];
	struct host_target *h;

	(void)c;
	if (!g->virgl)
		return g->backend != QS_GFX3D_VIRGL;
	h = target_of(g, t);
	for (int k = 0; k < 4; k++)
		positive[k] = color[k] < 0 ? 0 : color[k];
	depth |= G3_QUIRK(&g->quirks, clear_depth) != 0;
	virgl_framebuffer(g->host->d, h->color_surface, h->depth_surface);
	virgl_clear(g->host->d, VIRGL_CLEAR_COLOR | VIRGL_CLEAR_STENCIL | (depth ? VIRGL_CLEAR_DEPTH : 0u), positive, 1, 0);
	return settle(g, true, NULL);
}

bool g3_host_end(struct qs_gfx3d *g, struct g3_context *c)
{
	struct qs_error error = {0};

	(void)c;
	if (!g->virgl)
		return g->backend != QS_GFX3D_VIRGL;
	return settle(g, virgl_flush(g->host->d, &error), &error);
}

/* ---- draws -------------------------------------------------------------------------------------------------------------- */

static bool constants(struct qs_gfx3d *g, const struct csir_program *program, enum csir_stage stage, struct qs_error *error)
{
	const struct csir_shader *shader = csir_program_shader(program, stage, &g->quirks);
	unsigned slots = shader->uniform_high < 0 ? 0 : (unsigned)shader->uniform_high + 1;
	int budget = G3_QUIRK(&g->quirks, uniform_budget);

	if (budget > 0 && slots > (unsigned)budget) {
		qs_error_set(error, QS_ERR_UNSUPPORTED, 0, "The %s shader has %u uniform slots; ChrisOS sends at most %d (quirk uniform_budget).",
			csir_stage_name(stage), slots, budget);
		return false;
	}
	if (slots) {
		float words[CSIR_UNIFORM_SLOTS * 4];

		memcpy(words, program->words[stage], 4 * slots * sizeof *words);
		HOOK(constants, stage, words, 4 * slots);
		virgl_constants(g->host->d, stage == CSIR_VERTEX ? VIRGL_VERTEX : VIRGL_FRAGMENT, words, 4 * slots);
	}
	return true;
}

static void textures(struct qs_gfx3d *g, const struct g3_context *c, const struct csir_shader *fs)
{
	unsigned count = fs->sampler_high < 0 ? 0 : (unsigned)fs->sampler_high + 1;
	virgl_id view[QS_GFX3D_UNITS] = {0}, sampler[QS_GFX3D_UNITS] = {0};

	if (!count)
		return;
	count = count > QS_GFX3D_UNITS ? QS_GFX3D_UNITS : count;
	for (unsigned u = 0; u < count; u++) {
		unsigned unit = G3_QUIRK(&g->quirks, sampler_slot) ? u : 0;
		struct g3_texture *t = g3_texture(g, c->slot.owner, c->texture[unit]);

		view[u] = t ? g->host->texture[t - g->texture].view : 0;
		sampler[u] = g3_host_sampler_state(g, c, unit);
	}
	virgl_sampler_views(g->host->d, view, count);
	virgl_samplers(g->host->d, sampler, count);
}

uint32_t g3_host_bind(struct qs_gfx3d *g, struct g3_context *c, struct g3_target *t, struct g3_mesh *m, struct csir_program *program,
	struct qs_error *error)
{
	struct g3_program *p = g3_program(g, c->slot.owner, c->program);
	const struct host_mesh *buffers = &g->host->mesh[m - g->mesh];
	const struct host_program *shaders = &g->host->program[p - g->program];
	uint32_t count;

	if (!constants(g, program, CSIR_VERTEX, error) || !constants(g, program, CSIR_FRAGMENT, error))
		return 0;
	set_viewport(g, c, t);
	virgl_bind(g->host->d, g3_host_blend_state(g, c));
	virgl_bind(g->host->d, g3_host_depth_state(g, c));
	if (c->stencil.enable)
		virgl_stencil_reference(g->host->d, c->stencil.reference, c->stencil.reference);
	virgl_bind(g->host->d, g3_host_rasterizer_state(g, c, t->samples));
	virgl_bind(g->host->d, shaders->shader[0]);
	virgl_bind(g->host->d, shaders->shader[1]);
	textures(g, c, csir_program_shader(program, CSIR_FRAGMENT, &g->quirks));
	virgl_bind(g->host->d, g3_host_elements(g, m, csir_program_shader(program, CSIR_VERTEX, &g->quirks)));
	virgl_vertex_buffer(g->host->d, buffers->vertices, (uint32_t)m->layout.stride, 0);
	if (m->index_count)
		virgl_index_buffer(g->host->d, buffers->indices, 2, 0);
	HOOK(bound, g->host->d);
	count = (m->index_count ? m->index_count : (uint32_t)(m->vertices->size / (size_t)m->layout.stride)) / 3 * 3;
	if (!count)
		qs_error_set(error, QS_ERR_RANGE, 0, "There is no triangle in the draw.");
	return count;
}

bool g3_host_draw(struct qs_gfx3d *g, struct g3_context *c, struct g3_target *t, struct g3_mesh *m, struct csir_program *program)
{
	struct qs_error error = {0};
	struct host_target *h;
	char label[32];
	uint32_t count;
	bool good;

	if (!g->virgl)
		return g->backend != QS_GFX3D_VIRGL;
	h = target_of(g, t);
	if (!g->host->mesh[m - g->mesh].vertices && !g3_host_mesh_upload(g, m))
		return false;
	if (!g->virgl)
		return true;
	virgl_framebuffer(g->host->d, h->color_surface, g3_host_depth_used(g, c) || c->stencil.enable ? h->depth_surface : 0);
	count = g3_host_bind(g, c, t, m, program, &error);
	if (!count)
		return lost(g, &error);
	snprintf(label, sizeof label, "draw %" PRIu64, ++g->host->draws);
	good = virgl_draw(g->host->d, VIRGL_TRIANGLES, 0, count, m->index_count != 0, label, &error);
	t->stale = true;
	return settle(g, good, &error);
}
