/* gx_host.c - the Flipper's second renderer: life, programs, one draw
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bits.h"
#include "core/hash.h"
#include "virgl/gx_inside.h"

#define PIXELS ((size_t)GX_EFB_WIDTH * GX_EFB_HEIGHT)
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
	for (unsigned i = 0; i < 256; i++)
		while (v->vertex_program[i]) {
			struct gx_host_vertex *next = v->vertex_program[i]->next;
			gx_program_finish(&v->vertex_program[i]->program);
			free(v->vertex_program[i]);
			v->vertex_program[i] = next;
		}
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
	v->buffer = virgl_buffer_create(d, VIRGL_BIND_VERTEX, GX_VERTEX_BUFFER, error);
	v->index_buffer = virgl_buffer_create(d, VIRGL_BIND_INDEX, GX_INDEX_BUFFER, error);
	if (!v->color || !v->depth || !v->buffer || !v->index_buffer)
		return false;
	v->buffer_used = v->index_used = 0;
	v->color_surface = virgl_surface_create(d, v->color, 0);
	v->depth_surface = virgl_surface_create(d, v->depth, 0);
	v->blend = virgl_blend_create(d, &(struct virgl_blend){.mask = 15});
	for (unsigned i = 0; i < 8; i++)
		v->rasterizer[i] = virgl_rasterizer_create(d, &(struct virgl_rasterizer){.scissor = true, .half_z = true,
			.cull = (uint8_t)(i & 3), .planes = i & 4 ? 0x3F : 0});
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
	virgl_bind(d, v->rasterizer[0]);
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
	memset(v->probe_shader, 0, sizeof v->probe_shader);
	v->probe = v->probe_surface = 0;
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

struct gx_host_vertex *gx_host_vertex_program(struct gx_virgl *v, const char *label, struct qs_error *error)
{
	const struct gx_vertex_key *key = &v->feed.key;
	unsigned bucket = (unsigned)hash_bytes(key, sizeof *key, 1) & 255;
	struct gx_host_vertex *p = v->vertex_program[bucket];
	struct virgl_element e[16];

	while (p && memcmp(&p->key, key, sizeof *key))
		p = p->next;
	if (p)
		return p;
	p = calloc(1, sizeof *p);
	if (!p || !gx_vertex_program(key, &p->program)) {
		free(p);
		qs_error_set(error, QS_ERR_NOMEM, 0, "The vertex program of %s cannot be written for a VirGL host.", label);
		return NULL;
	}
	memcpy(&p->key, key, sizeof *key);
	p->shader = virgl_shader_create(v->device, VIRGL_VERTEX, p->program.text, label, error);
	if (!p->shader) {
		gx_program_finish(&p->program);
		free(p);
		return NULL;
	}
	p->elements = virgl_elements_create(v->device, e, gx_vertex_elements(&v->feed.layout, e));
	p->next = v->vertex_program[bucket];
	v->vertex_program[bucket] = p;
	v->statistics.programs++;
	return p;
}

static bool bind_screen(struct gx_virgl *v, bool unit, unsigned ncol, unsigned ntex, const char *label, struct qs_error *error)
{
	virgl_id *shader = &v->screen_shader[unit][ncol][ntex], *elements = &v->elements[unit][ncol][ntex];

	if (!*shader) {
		struct virgl_element e[12] = {{0, VIRGL_FORMAT_R32G32B32A32_FLOAT}}; /* place, unit, colours, coordinates */
		struct gx_program program;
		uint32_t offset = 16;
		unsigned n = 1;

		if (unit)
			e[n++] = (struct virgl_element){offset, VIRGL_FORMAT_R32G32B32A32_FLOAT};
		offset += unit ? 16 : 0;
		for (unsigned i = 0; i < ncol; i++, offset += 16)
			e[n++] = (struct virgl_element){offset, VIRGL_FORMAT_R32G32B32A32_FLOAT};
		for (unsigned i = 0; i < ntex; i++, offset += 12)
			e[n++] = (struct virgl_element){offset, VIRGL_FORMAT_R32G32B32_FLOAT};
		*elements = virgl_elements_create(v->device, e, n);
		if (!gx_screen_program(unit, ncol, ntex, &program)) {
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

/* Buffers are rings: the host executes in order, so what is overwritten was drawn before. */
uint32_t gx_host_write(struct gx_virgl *v, virgl_id buffer, uint32_t *used, uint32_t size, const void *data, uint32_t bytes)
{
	uint32_t offset = *used;

	if (bytes > size - offset)
		offset = 0;
	virgl_buffer_write(v->device, buffer, offset, data, bytes);
	*used = (offset + bytes + 255) & ~255u;
	if (*used > size)
		*used = size;
	return offset;
}

static void set_scissor(struct gx_virgl *v, const struct qs_rect *r)
{
	virgl_scissor(v->device, (uint32_t)r->x0, (uint32_t)r->y0, (uint32_t)r->x1, (uint32_t)r->y1);
}

static bool draw_run(struct gx_virgl *v, const struct gx_run *run, unsigned floats, const char *label, struct qs_error *error)
{
	uint32_t stride = floats * 4, most = GX_VERTEX_BUFFER / stride / 3 * 3;

	set_scissor(v, &run->scissor);
	for (uint32_t done = 0; done < run->count;) {
		uint32_t count = run->count - done < most ? run->count - done : most;
		uint32_t offset = gx_host_write(v, v->buffer, &v->buffer_used, GX_VERTEX_BUFFER,
			v->vertex + (size_t)(run->first + done) * floats, count * stride);
		virgl_vertex_buffer(v->device, v->buffer, stride, offset);
		if (!virgl_draw(v->device, VIRGL_TRIANGLES, 0, count, false, label, error))
			return false;
		done += count;
	}
	return true;
}

/* What the units made of the primitives. */
static bool draw_screen(struct gx_virgl *v, const struct gx_key *key, const char *label, struct qs_error *error)
{
	virgl_bind(v->device, v->rasterizer[0]);
	if (!bind_screen(v, key->unit, key->ncol, key->ntex, label, error))
		return false;
	for (size_t i = 0; i < v->runs; i++)
		if (!draw_run(v, &v->run[i], gx_screen_floats(key), label, error))
			return false;
	return true;
}

const struct gx_virgl_hooks *gx_virgl_hooks;

void gx_host_vertex_constants(struct gx_virgl *v, const struct gx_machine *m, const struct su_scissor *scissor,
	const struct gx_host_vertex *program)
{
	uint32_t words[4 * GX_CONSTANTS];

	gx_vertex_fill(m, scissor, &program->program, words);
	if (gx_virgl_hooks && gx_virgl_hooks->vertex)
		gx_virgl_hooks->vertex(&program->program, words);
	virgl_constants(v->device, VIRGL_VERTEX, words, 4 * program->program.constants);
}

/* Do rectangles share pixels?  Then each triangle goes through all of them before the next one. */
static bool scissors_meet(const struct gx_feed *feed)
{
	bool any = false;

	for (unsigned i = 0; i < feed->scissors; i++)
		for (unsigned k = 0; k < i; k++) {
			const struct qs_rect *a = &feed->scissor[i].rect, *b = &feed->scissor[k].rect;
			any |= a->x0 < b->x1 && b->x0 < a->x1 && a->y0 < b->y1 && b->y0 < a->y1;
		}
	return any;
}

/* Vertices as they came, through the vertex program; once for every scissor rectangle. */
static bool draw_feed(struct gx_virgl *v, struct gx_machine *m, const char *label, struct qs_error *error)
{
	const struct gx_feed *feed = &v->feed;
	struct gx_host_vertex *p = gx_host_vertex_program(v, label, error);
	unsigned faces = feed->key.kind == QS_PRIMITIVE_TRIANGLE ? bits(m->state.bp[0], 14, 2) : 0;
	uint32_t step = scissors_meet(feed) ? 3 : (uint32_t)v->index_count, offset;

	if (!p)
		return false;
	virgl_bind(v->device, v->rasterizer[faces + (feed->key.clip ? 4 : 0)]);
	virgl_bind(v->device, p->shader);
	virgl_bind(v->device, p->elements);
	offset = gx_host_write(v, v->buffer, &v->buffer_used, GX_VERTEX_BUFFER, v->vertex, feed->vertices * feed->layout.stride);
	virgl_vertex_buffer(v->device, v->buffer, feed->layout.stride, offset);
	offset = gx_host_write(v, v->index_buffer, &v->index_used, GX_INDEX_BUFFER, v->index, (uint32_t)(v->index_count * sizeof *v->index));
	for (uint32_t first = 0; first < v->index_count; first += step) {
		/* virglrenderer takes no notice of the first index of a draw */
		virgl_index_buffer(v->device, v->index_buffer, sizeof *v->index, offset + first * (uint32_t)sizeof *v->index);
		for (unsigned i = 0; i < feed->scissors; i++) {
			gx_host_vertex_constants(v, m, &feed->scissor[i], p);
			set_scissor(v, &feed->scissor[i].rect);
			if (!virgl_draw(v->device, VIRGL_TRIANGLES, 0, step, true, label, error))
				return false;
		}
	}
	return true;
}

static bool draw_on_host(struct gx_virgl *v, struct gx_machine *m, const struct gx_key *key, bool feed, const char *label,
	struct qs_error *error)
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
	virgl_viewport(d, 0, 0, GX_EFB_WIDTH, GX_EFB_HEIGHT, 1, 0);
	virgl_bind(d, v->blend);
	bind_depth(v, m->pe);
	virgl_bind(d, program->shader);
	if (count) {
		for (unsigned i = 0; i < count; i++)
			samplers[i] = v->sampler;
		virgl_sampler_views(d, views, count);
		virgl_samplers(d, samplers, count);
	}
	uint32_t words[4 * GX_CONSTANTS];
	gx_fill_constants(m, &program->program, words);
	if (gx_virgl_hooks && gx_virgl_hooks->fragment)
		gx_virgl_hooks->fragment(&program->program, words);
	virgl_constants(d, VIRGL_FRAGMENT, words, 4 * program->program.constants);
	return feed ? draw_feed(v, m, label, error) : draw_screen(v, key, label, error);
}

/* Nothing that could be seen: masks that store nothing. */
static bool stores_nothing(const struct gx_machine *m)
{
	return !m->pe->write_mask && !(m->pe->z_test && m->pe->z_update);
}

/* Bits of textures that gx_sample.c does not know; the units of this machine do. */
static bool texture_unknown(const struct gx_machine *m, const struct gx_key *key)
{
	const struct tx_rules *rules = &m->tx->rules;
	bool any = false;

	for (unsigned i = 0; i < TX_MAPS; i++) {
		const struct tx_map *map = &m->tx->map[i];
		const struct gx_key_map *k = &key->map[i];
		bool lod = k->used && (k->mip || k->mag_linear != k->min_linear);

		any |= k->used && (k->mag_linear || k->min_linear) && ((rules->round && map->round) || (rules->predict && map->predict));
		any |= lod && ((rules->clamp_bias && map->clamp_bias && map->bias < 0) || rules->half_lines || rules->exact_log);
		any |= k->used && rules->anisotropy && map->anisotropy > 1;
	}
	return any;
}

static bool draw(void *user, struct gx_machine *m)
{
	struct gx_virgl *v = user;
	struct qs_error error = {0};
	enum gx_reason reason = GX_REASON_NONE;
	struct gx_state state;
	struct gx_key key;
	char moment[80], label[100];

	if (v->hopeless || !m->tev || !m->pe || !m->tx)
		return false;
	qs_moment_format(m->capture, &m->moment, moment, sizeof moment);
	snprintf(label, sizeof label, "draw %.60s", moment);
	gx_key_make(m, &key);
	if (texture_unknown(m, &key)) {
		v->statistics.by_texture++;
		v->statistics.soft_draws++;
		return false;
	}
	state = m->state;
	if (!gx_feed(v, m, &reason) || (reason && !gx_collect(v, m, &key)))
		return false;
	v->statistics.draws++;
	v->statistics.by_units[reason]++;
	if (!reason) {
		gx_draw_latch(m);
		v->statistics.triangles += v->index_count / 3;
	}
	if (stores_nothing(m) || !(reason ? v->runs : v->index_count))
		return true;
	if (draw_on_host(v, m, &key, !reason, label, &error)) {
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
	free(v->place);
	free(v->index);
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

void gx_virgl_ask_units(struct gx_virgl *v, bool on)
{
	v->units_asked = on;
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

static void name_parts(const struct gx_program *program, struct gx_virgl_part parts[64], unsigned *count)
{
	for (unsigned i = 0; i < program->parts; i++) {
		parts[i].line = program->first_line + program->part[i].from;
		memcpy(parts[i].name, program->part[i].name, sizeof parts[i].name);
	}
	*count = program->parts;
}

/* As the draw would be routed, without a host. */
static enum gx_reason route(struct gx_machine *m, struct gx_vertex_key *key)
{
	struct gx_virgl *v = calloc(1, sizeof *v);
	enum gx_reason reason = GX_REASON_NONE;

	if (v && gx_feed(v, m, &reason))
		*key = v->feed.key;
	if (v) {
		free(v->vertex);
		free(v->index);
		free(v->place);
	}
	free(v);
	return reason;
}

bool gx_virgl_texts(struct gx_machine *m, struct gx_virgl_texts *texts, struct qs_error *error)
{
	struct gx_program vp = {0}, fp = {0};
	struct gx_vertex_key vertex;
	struct gx_key key;
	enum gx_reason reason;

	memset(texts, 0, sizeof *texts);
	memset(&vertex, 0, sizeof vertex);
	if (m->tev && m->pe && m->tx) {
		gx_key_make(m, &key);
		reason = route(m, &vertex);
		if (reason ? gx_screen_program(key.unit, key.ncol, key.ntex, &vp) : gx_vertex_program(&vertex, &vp)) {
			if (gx_fragment_program(&key, &fp)) {
				texts->units = texture_unknown(m, &key)
					? "all of the draw, because a texture has a bit that the fragment program does not know" : gx_reason_text(reason);
				texts->vertex = vp.text;
				texts->fragment = fp.text;
				name_parts(&vp, texts->vertex_part, &texts->vertex_parts);
				name_parts(&fp, texts->part, &texts->parts);
				return true;
			}
			gx_program_finish(&vp);
		}
	}
	qs_error_set(error, QS_ERR_NOMEM, 0, "The programs of this draw cannot be written.");
	return false;
}
