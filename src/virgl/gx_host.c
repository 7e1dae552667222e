/* gx_host.c - the Flipper's second renderer: life, programs, one draw
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "virgl/gx_inside.h"

#define PIXELS ((size_t)GX_EFB_WIDTH * GX_EFB_HEIGHT)
#define BUFFER_SIZE (4u << 20)
#define FAILURES 3 /* draws that cost a host before it is given up */

/* ---- objects ------------------------------------------------------------------------------------------------------------ */

static void forget_programs(struct gx_virgl *v)
{
	for (unsigned i = 0; i < 256; i++)
		while (v->program[i]) {
			struct gx_host_program *next = v->program[i]->next;
			gx_program_finish(&v->program[i]->program);
			free(v->program[i]);
			v->program[i] = next;
		}
	v->programs = 0;
}

static virgl_id target(struct gx_virgl *v, uint32_t format, uint32_t bind, struct qs_error *error)
{
	return virgl_texture_create(v->device, &(struct virgl_texture){.format = format, .bind = bind, .width = GX_EFB_WIDTH,
		.height = GX_EFB_HEIGHT, .shared = true}, error);
}

static bool make_objects(struct gx_virgl *v, struct qs_error *error)
{
	struct virgl_device *d = v->device;

	v->color = target(v, VIRGL_FORMAT_R8G8B8A8_UNORM, VIRGL_BIND_RENDER | VIRGL_BIND_SAMPLER, error);
	v->depth = target(v, VIRGL_FORMAT_Z32_FLOAT, VIRGL_BIND_DEPTH, error);
	v->buffer = virgl_buffer_create(d, VIRGL_BIND_VERTEX, BUFFER_SIZE, error);
	if (!v->color || !v->depth || !v->buffer)
		return false;
	v->buffer_used = 0;
	v->color_surface = virgl_surface_create(d, v->color, 0);
	v->depth_surface = virgl_surface_create(d, v->depth, 0);
	v->blend = virgl_blend_create(d, &(struct virgl_blend){.mask = 15});
	v->rasterizer = virgl_rasterizer_create(d, &(struct virgl_rasterizer){.scissor = true});
	v->sampler = virgl_sampler_create(d, &(struct virgl_sampler){.wrap_s = VIRGL_WRAP_CLAMP_TO_EDGE,
		.wrap_t = VIRGL_WRAP_CLAMP_TO_EDGE, .mip = 2, .max_lod = 1000});
	return true;
}

/* A small draw that only comes out right when the fragment program can read the pixel before. */
static bool probe_fetch(struct gx_virgl *v, struct qs_error *error)
{
	static const char vertex[] = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n  0: MOV OUT[0], IN[0]\n  1: END\n";
	static const char fragment[] = "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0]\nIMM[0] FLT32 {0.25, 0.25, 0.25, 0.25}\n"
		"  0: FBFETCH TEMP[0], OUT[0]\n  1: ADD TEMP[0], TEMP[0], IMM[0]\n  2: MOV OUT[0], TEMP[0]\n  3: END\n";
	static const float triangle[12] = {-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1};
	struct virgl_device *d = v->device;
	virgl_id vs = virgl_shader_create(d, VIRGL_VERTEX, vertex, "the probe", error), fs, elements;
	uint8_t pixel[4] = {0};

	fs = vs ? virgl_shader_create(d, VIRGL_FRAGMENT, fragment, "the probe of framebuffer fetch", error) : 0;
	if (!fs)
		return false;
	elements = virgl_elements_create(d, &(struct virgl_element){0, VIRGL_FORMAT_R32G32B32A32_FLOAT}, 1);
	virgl_framebuffer(d, v->color_surface, v->depth_surface);
	virgl_viewport(d, 0, 0, GX_EFB_WIDTH, GX_EFB_HEIGHT, 0.5f, 0.5f);
	virgl_clear(d, VIRGL_CLEAR_COLOR, (const float[4]){0.25f, 0, 0.5f, 0}, 1, 0);
	virgl_scissor(d, 0, 0, 1, 1);
	virgl_bind(d, v->blend);
	virgl_bind(d, v->rasterizer);
	virgl_bind(d, virgl_depth_create(d, &(struct virgl_depth){0}));
	virgl_bind(d, elements);
	virgl_bind(d, vs);
	virgl_bind(d, fs);
	virgl_buffer_write(d, v->buffer, 0, triangle, sizeof triangle);
	virgl_vertex_buffer(d, v->buffer, 16, 0);
	if (!virgl_draw(d, VIRGL_TRIANGLES, 0, 3, false, "the probe", error) ||
		!virgl_readback(d, v->color, 0, (struct virgl_rect){0, 0, 1, 1}, pixel, error))
		return false;
	if (abs(pixel[0] - 128) < 3 && abs(pixel[1] - 64) < 3 && abs(pixel[2] - 191) < 3)
		return true;
	qs_error_set(error, QS_ERR_UNSUPPORTED, 0, "This VirGL host cannot read the framebuffer in a shader "
		"(EXT_shader_framebuffer_fetch), which the shader pipeline needs; Mesa's llvmpipe can.");
	return false;
}

bool gx_host_ready(struct gx_virgl *v, struct qs_error *error)
{
	if (virgl_device_lost(v->device)) {
		if (!virgl_device_recover(v->device, error))
			return false;
		v->statistics.hosts++;
	}
	if (v->generation == virgl_device_generation(v->device))
		return true;
	forget_programs(v);
	gx_host_textures_forget(v);
	memset(v->screen_shader, 0, sizeof v->screen_shader);
	memset(v->elements, 0, sizeof v->elements);
	memset(v->z_state, 0, sizeof v->z_state);
	v->valid = false;
	if (!make_objects(v, error) || !probe_fetch(v, error))
		return false;
	v->generation = virgl_device_generation(v->device);
	return true;
}

/* ---- programs ----------------------------------------------------------------------------------------------------------- */

static struct gx_host_program *find_program(struct gx_virgl *v, const struct gx_key *key, const char *label, struct qs_error *error)
{
	unsigned bucket = (unsigned)hash_bytes(key, sizeof *key, 1) & 255;
	struct gx_host_program *p = v->program[bucket];

	while (p && memcmp(&p->key, key, sizeof *key))
		p = p->next;
	if (p)
		return p;
	p = calloc(1, sizeof *p);
	if (!p || !gx_fragment_program(key, &p->program)) {
		free(p);
		qs_error_set(error, QS_ERR_NOMEM, 0, "The combiner program of %s cannot be written for a VirGL host.", label);
		return NULL;
	}
	p->key = *key;
	memcpy(&p->key, key, sizeof *key);
	p->shader = virgl_shader_create(v->device, VIRGL_FRAGMENT, p->program.text, label, error);
	if (!p->shader) {
		gx_program_finish(&p->program);
		free(p);
		return NULL;
	}
	p->next = v->program[bucket];
	v->program[bucket] = p;
	v->programs++;
	v->statistics.programs++;
	return p;
}

static bool bind_vertex(struct gx_virgl *v, unsigned ncol, unsigned ntex, const char *label, struct qs_error *error)
{
	virgl_id *shader = &v->screen_shader[ncol][ntex], *elements = &v->elements[ncol][ntex];

	if (!*shader) {
		struct virgl_element e[11] = {{0, VIRGL_FORMAT_R32G32B32A32_FLOAT}};
		struct gx_program program;
		uint32_t offset = 16;

		for (unsigned i = 0; i < ncol; i++, offset += 16)
			e[1 + i] = (struct virgl_element){offset, VIRGL_FORMAT_R32G32B32A32_FLOAT};
		for (unsigned i = 0; i < ntex; i++, offset += 12)
			e[1 + ncol + i] = (struct virgl_element){offset, VIRGL_FORMAT_R32G32B32_FLOAT};
		*elements = virgl_elements_create(v->device, e, 1 + ncol + ntex);
		if (!gx_screen_program(ncol, ntex, &program)) {
			qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for a vertex program.");
			return false;
		}
		*shader = virgl_shader_create(v->device, VIRGL_VERTEX, program.text, label, error);
		gx_program_finish(&program);
	}
	virgl_bind(v->device, *shader);
	virgl_bind(v->device, *elements);
	return *shader != 0;
}

/* ---- one draw ----------------------------------------------------------------------------------------------------------- */

static void bind_depth(struct gx_virgl *v, const struct pe_draw *pe)
{
	unsigned index = pe->z_test ? pe->z_func + (pe->z_update ? 8u : 0) : 7; /* without a test: always, not stored */
	virgl_id *state = &v->z_state[index & 15];

	if (!*state)
		*state = virgl_depth_create(v->device, &(struct virgl_depth){.test = pe->z_test, .write = pe->z_test && pe->z_update,
			.func = pe->z_func});
	virgl_bind(v->device, *state);
}

/* Vertices go into the buffer as a ring: the host executes in order, so what is overwritten was drawn before. */
static uint32_t write_vertices(struct gx_virgl *v, const float *data, uint32_t bytes)
{
	uint32_t offset = v->buffer_used;

	if (bytes > BUFFER_SIZE - offset)
		offset = 0;
	virgl_buffer_write(v->device, v->buffer, offset, data, bytes);
	v->buffer_used = (offset + bytes + 255) & ~255u;
	return offset;
}

static bool draw_run(struct gx_virgl *v, const struct gx_run *run, unsigned floats, const char *label, struct qs_error *error)
{
	uint32_t stride = floats * 4, most = BUFFER_SIZE / stride / 3 * 3;

	virgl_scissor(v->device, (uint32_t)run->scissor.x0, (uint32_t)run->scissor.y0, (uint32_t)run->scissor.x1, (uint32_t)run->scissor.y1);
	for (uint32_t done = 0; done < run->count;) {
		uint32_t count = run->count - done < most ? run->count - done : most;
		uint32_t offset = write_vertices(v, v->vertex + (size_t)(run->first + done) * floats, count * stride);
		virgl_vertex_buffer(v->device, v->buffer, stride, offset);
		if (!virgl_draw(v->device, VIRGL_TRIANGLES, 0, count, false, label, error))
			return false;
		done += count;
	}
	return true;
}

static bool draw_on_host(struct gx_virgl *v, struct gx_machine *m, const struct gx_key *key, const char *label, struct qs_error *error)
{
	struct virgl_device *d = v->device;
	virgl_id views[TX_MAPS], samplers[TX_MAPS];
	struct gx_host_program *program;
	unsigned count;

	if (!gx_host_ready(v, error) || !gx_efb_to_host(v, m, error) || !gx_host_textures(v, m, key, views, &count, error))
		return false;
	program = find_program(v, key, label, error);
	if (!program)
		return false;
	virgl_framebuffer(d, v->color_surface, v->depth_surface);
	virgl_viewport(d, 0, 0, GX_EFB_WIDTH, GX_EFB_HEIGHT, 0.5f, 0.5f);
	virgl_bind(d, v->blend);
	virgl_bind(d, v->rasterizer);
	bind_depth(v, m->pe);
	if (!bind_vertex(v, key->ncol, key->ntex, label, error))
		return false;
	virgl_bind(d, program->shader);
	if (count) {
		for (unsigned i = 0; i < count; i++)
			samplers[i] = v->sampler;
		virgl_sampler_views(d, views, count);
		virgl_samplers(d, samplers, count);
	}
	uint32_t words[4 * GX_CONSTANTS];
	gx_fill_constants(m, &program->program, words);
	virgl_constants(d, VIRGL_FRAGMENT, words, 4 * program->program.constants);
	for (size_t i = 0; i < v->runs; i++)
		if (!draw_run(v, &v->run[i], 4 + 4u * key->ncol + 3u * key->ntex, label, error))
			return false;
	return true;
}

/* Nothing that could be seen: masks that store nothing. */
static bool stores_nothing(const struct gx_machine *m)
{
	return !m->pe->write_mask && !(m->pe->z_test && m->pe->z_update);
}

static bool draw(void *user, struct gx_machine *m)
{
	struct gx_virgl *v = user;
	struct qs_error error = {0};
	struct gx_state state;
	struct gx_key key;
	char moment[80], label[100];

	if (v->hopeless || !m->tev || !m->pe || !m->tx)
		return false;
	qs_moment_format(m->capture, &m->moment, moment, sizeof moment);
	snprintf(label, sizeof label, "draw %.60s", moment);
	gx_key_make(m, &key);
	state = m->state;
	if (!gx_collect(v, m, &key))
		return false;
	v->statistics.draws++;
	if (stores_nothing(m) || !v->runs)
		return true;
	if (draw_on_host(v, m, &key, label, &error)) {
		m->renderer_ahead = v->drawn = true;
		v->failures = 0;
		return true;
	}
	/* what the host had drawn since the last look is lost with it */
	v->trouble = error;
	v->statistics.soft_draws++;
	v->hopeless = ++v->failures >= FAILURES || error.code == QS_ERR_UNSUPPORTED;
	v->valid = false;
	m->renderer_ahead = false;
	m->state = state;
	return false;
}

static void sync(void *user, struct gx_machine *m)
{
	struct gx_virgl *v = user;
	struct qs_error error = {0};

	if (!m->renderer_ahead)
		return;
	m->renderer_ahead = false;
	if (gx_efb_from_host(v, m, &error))
		return;
	v->valid = false;
	v->trouble = error;
	v->hopeless = ++v->failures >= FAILURES;
}

/* ---- life --------------------------------------------------------------------------------------------------------------- */

struct gx_virgl *gx_virgl_create(const struct virgl_options *options, struct qs_error *error)
{
	struct gx_virgl *v = calloc(1, sizeof *v);

	if (v) {
		v->pixels = malloc(2 * PIXELS * sizeof *v->pixels);
		v->bytes = malloc(PIXELS * sizeof *v->bytes);
		v->depths = malloc(PIXELS * sizeof *v->depths);
	}
	if (!v || !v->pixels || !v->bytes || !v->depths) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for the shader pipeline.");
		gx_virgl_destroy(v);
		return NULL;
	}
	v->renderer = (struct gx_renderer){v, draw, sync};
	v->device = virgl_device_create(options, error);
	if (!v->device || !gx_host_ready(v, error)) {
		gx_virgl_destroy(v);
		return NULL;
	}
	v->statistics.hosts = 1;
	return v;
}

void gx_virgl_destroy(struct gx_virgl *v)
{
	if (!v)
		return;
	forget_programs(v);
	gx_host_textures_forget(v);
	virgl_device_destroy(v->device);
	free(v->pixels);
	free(v->bytes);
	free(v->depths);
	free(v->atlas);
	free(v->vertex);
	free(v->run);
	free(v->constants);
	free(v);
}

long gx_virgl_pid(const struct gx_virgl *v)
{
	return virgl_device_pid(v->device);
}

void gx_virgl_attach(struct gx_virgl *v, struct gx_machine *m)
{
	gx_sync(m);
	m->renderer = v ? &v->renderer : NULL;
	if (!v)
		return;
	v->hopeless = false;
	gx_host_textures_doubt(v);
}

bool gx_virgl_trouble(struct gx_virgl *v, struct qs_error *error)
{
	bool any = v->trouble.code != QS_OK;

	if (any && error)
		*error = v->trouble;
	memset(&v->trouble, 0, sizeof v->trouble);
	return any;
}

bool gx_virgl_hopeless(const struct gx_virgl *v)
{
	return v->hopeless;
}

void gx_virgl_statistics(const struct gx_virgl *v, struct gx_virgl_statistics *statistics)
{
	*statistics = v->statistics;
}

/* ---- what a person wants to see ------------------------------------------------------------------------------------------- */

void gx_virgl_record(struct gx_virgl *v, bool on)
{
	virgl_record(v->device, on);
}

char *gx_virgl_recorded(struct gx_virgl *v)
{
	size_t count;

	virgl_flush(v->device, NULL);
	const uint32_t *words = virgl_recorded(v->device, &count);
	return virgl_decode(words, count);
}

bool gx_virgl_texts(struct gx_machine *m, char **vertex, char **fragment, struct gx_virgl_part parts[64], unsigned *count,
	struct qs_error *error)
{
	struct gx_program vp = {0}, fp = {0};
	struct gx_key key;

	*vertex = *fragment = NULL;
	*count = 0;
	if (m->tev && m->pe && m->tx)
		gx_key_make(m, &key);
	if (!m->tev || !m->pe || !m->tx || !gx_screen_program(key.ncol, key.ntex, &vp) || !gx_fragment_program(&key, &fp)) {
		gx_program_finish(&vp);
		qs_error_set(error, QS_ERR_NOMEM, 0, "The programs of this draw cannot be written.");
		return false;
	}
	*vertex = vp.text;
	*fragment = fp.text;
	for (unsigned i = 0; i < fp.parts; i++) {
		parts[i].line = fp.first_line + fp.part[i].from;
		memcpy(parts[i].name, fp.part[i].name, sizeof parts[i].name);
	}
	*count = fp.parts;
	return true;
}
