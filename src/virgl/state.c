/* state.c - state objects, binding, draws
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "virgl/device_inside.h"

/* ---- objects ------------------------------------------------------------------------------------------------------------ */

/* Begins the command that makes an object; its handle is written.  0: no memory. */
static virgl_id object_begin(struct virgl_device *d, enum virgl_object kind)
{
	uint32_t handle = d->next_object;

	if (handle >= d->object_room) {
		size_t room = d->object_room ? d->object_room * 2 : 64;
		struct device_object *grown = realloc(d->object, room * sizeof *grown);
		if (!grown)
			return 0;
		memset(grown + d->object_room, 0, (room - d->object_room) * sizeof *grown);
		d->object = grown;
		d->object_room = room;
	}
	d->next_object++;
	d->object[handle].kind = (uint8_t)kind;
	virgl_stream_begin(&d->stream, VIRGL_CREATE_OBJECT, kind);
	virgl_stream_word(&d->stream, handle);
	return handle;
}

static virgl_id object_make(struct virgl_device *d, enum virgl_object kind, const uint32_t *words, unsigned count)
{
	virgl_id id = object_begin(d, kind);

	if (!id)
		return 0;
	virgl_stream_words(&d->stream, words, count);
	virgl_stream_end(&d->stream);
	return id;
}

static struct device_object *find_object(struct virgl_device *d, virgl_id id)
{
	return id && id < d->object_room && d->object[id].kind ? &d->object[id] : NULL;
}

static uint32_t float_word(float value)
{
	uint32_t word;

	memcpy(&word, &value, sizeof word);
	return word;
}

virgl_id virgl_blend_create(struct virgl_device *d, const struct virgl_blend *b)
{
	uint32_t words[10] = {(uint32_t)b->logic << 1, b->logic_op};

	words[2] = (uint32_t)b->blend | (uint32_t)b->func << 1 | (uint32_t)b->source << 4 | (uint32_t)b->destination << 9 |
		(uint32_t)b->alpha_func << 14 | (uint32_t)b->alpha_source << 17 | (uint32_t)b->alpha_destination << 22 |
		(uint32_t)(b->mask & 15) << 27;
	return object_make(d, VIRGL_OBJECT_BLEND, words, 10);
}

static uint32_t stencil_word(const struct virgl_stencil *s)
{
	return (uint32_t)s->enabled | (uint32_t)(s->func & 7) << 1 | (uint32_t)(s->fail & 7) << 4 | (uint32_t)(s->pass & 7) << 7 |
		(uint32_t)(s->depth_fail & 7) << 10 | (uint32_t)s->value_mask << 13 | (uint32_t)s->write_mask << 21;
}

virgl_id virgl_depth_create(struct virgl_device *d, const struct virgl_depth *z)
{
	const uint32_t words[4] = {(uint32_t)z->test | (uint32_t)z->write << 1 | (uint32_t)(z->func & 7) << 2, stencil_word(&z->front),
		stencil_word(&z->back), 0};

	return object_make(d, VIRGL_OBJECT_DSA, words, 4);
}

virgl_id virgl_rasterizer_create(struct virgl_device *d, const struct virgl_rasterizer *r)
{
	/* counter-clockwise in front, half-pixel centres, bottom edge rule: with row 0 on top that is the top-left rule */
	uint32_t flags = 0x60008000u | (uint32_t)r->flat | (uint32_t)r->depth_clip << 1 | (uint32_t)r->half_z << 2 |
		(uint32_t)(r->cull & 3) << 8 | (uint32_t)r->scissor << 14 | (uint32_t)r->multisample << 25;
	const uint32_t words[8] = {flags, float_word(1), 0, (uint32_t)r->planes << 24, float_word(1), 0, 0, 0};

	return object_make(d, VIRGL_OBJECT_RASTERIZER, words, 8);
}

virgl_id virgl_sampler_create(struct virgl_device *d, const struct virgl_sampler *s)
{
	uint32_t flags = (uint32_t)(s->wrap_s & 7) | (uint32_t)(s->wrap_t & 7) << 3 | (uint32_t)(s->wrap_t & 7) << 6 |
		(uint32_t)s->min_linear << 9 | (uint32_t)(s->mip & 3) << 11 | (uint32_t)s->mag_linear << 13;
	const uint32_t words[8] = {flags, float_word(s->lod_bias), float_word(s->min_lod), float_word(s->max_lod),
		float_word(s->border[0]), float_word(s->border[1]), float_word(s->border[2]), float_word(s->border[3])};

	return object_make(d, VIRGL_OBJECT_SAMPLER, words, 8);
}

virgl_id virgl_elements_create(struct virgl_device *d, const struct virgl_element *elements, unsigned count)
{
	virgl_id id = object_begin(d, VIRGL_OBJECT_VERTEX_ELEMENTS);

	if (!id)
		return 0;
	for (unsigned i = 0; i < count; i++) {
		const uint32_t words[4] = {elements[i].offset, 0, 0, elements[i].format};
		virgl_stream_words(&d->stream, words, 4);
	}
	virgl_stream_end(&d->stream);
	return id;
}

static const struct device_resource *resource_of(const struct virgl_device *d, virgl_id id)
{
	return id && id < d->resource_room && d->resource[id].live ? &d->resource[id] : NULL;
}

/* A surface or view of a resource that does not exist would cost the connection. */
virgl_id virgl_surface_create(struct virgl_device *d, virgl_id texture, uint32_t level)
{
	const struct device_resource *r = resource_of(d, texture);
	const uint32_t words[4] = {texture, r ? r->format : 0, level, 0};

	return r ? object_make(d, VIRGL_OBJECT_SURFACE, words, 4) : 0;
}

virgl_id virgl_view_create(struct virgl_device *d, virgl_id texture, uint32_t first_level, uint32_t last_level)
{
	const struct device_resource *r = resource_of(d, texture);
	const uint32_t words[5] = {texture, r ? r->format : 0, 0, first_level | last_level << 8, 0x688};

	return r ? object_make(d, VIRGL_OBJECT_SAMPLER_VIEW, words, 5) : 0;
}

/* ---- shaders ------------------------------------------------------------------------------------------------------------ */

static bool text_is_plain(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text > 126 || ((unsigned char)*text < 32 && *text != '\n' && *text != '\t'))
			return false;
	return true;
}

/* Long texts go in parts: the first says the whole length, the others their offset. */
static void encode_shader(struct virgl_device *d, virgl_id id, enum virgl_stage stage, const char *text)
{
	struct virgl_stream *s = &d->stream;
	uint32_t bytes = (uint32_t)strlen(text) + 1, at = 0;

	while (at < bytes) {
		uint32_t part = bytes - at < 0x20000 ? bytes - at : 0x20000;
		const uint32_t head[4] = {(uint32_t)stage, at ? at | 1u << 31 : bytes, bytes, 0};

		if (at) {
			virgl_stream_begin(s, VIRGL_CREATE_OBJECT, VIRGL_OBJECT_SHADER);
			virgl_stream_word(s, id);
		}
		virgl_stream_words(s, head, 4);
		for (uint32_t i = 0; i < part; i += 4) {
			uint32_t word = 0;
			memcpy(&word, text + at + i, part - i < 4 ? part - i : 4);
			virgl_stream_word(s, word);
		}
		virgl_stream_end(s);
		at += part;
	}
}

virgl_id virgl_shader_create(struct virgl_device *d, enum virgl_stage stage, const char *text, const char *label, struct qs_error *error)
{
	struct qs_error cause = {0};
	char what[200];
	virgl_id id;

	if (!text_is_plain(text)) {
		qs_error_set(error, QS_ERR_RANGE, 0, "The text of %.100s holds characters that are not ASCII.", label);
		return 0;
	}
	if (!virgl_flush(d, error))
		return 0;
	id = object_begin(d, VIRGL_OBJECT_SHADER);
	if (!id || !(d->object[id].label = strdup(label))) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for another shader.");
		virgl_stream_clear(&d->stream);
		return 0;
	}
	d->object[id].stage = (uint8_t)stage;
	encode_shader(d, id, stage, text);
	/* a refused text closes the connection, which shows at the next answer */
	if (virgl_flush(d, &cause) && vtest_wait(&d->vtest, &cause))
		return id;
	memset(&d->error, 0, sizeof d->error);
	snprintf(what, sizeof what, "The VirGL host refused %.150s", label);
	device_fault(d, what, &cause, error);
	return 0;
}

void virgl_object_destroy(struct virgl_device *d, virgl_id id)
{
	struct device_object *o = find_object(d, id);
	virgl_id *bound[6] = {&d->bound.blend, &d->bound.depth_state, &d->bound.rasterizer, &d->bound.elements, &d->bound.shader[0],
		&d->bound.shader[1]};

	if (!o)
		return;
	for (unsigned i = 0; i < 6; i++)
		if (*bound[i] == id)
			*bound[i] = 0;
	virgl_stream_begin(&d->stream, VIRGL_DESTROY_OBJECT, (enum virgl_object)o->kind);
	virgl_stream_word(&d->stream, id);
	virgl_stream_end(&d->stream);
	free(o->label);
	memset(o, 0, sizeof *o);
}

/* ---- binding ------------------------------------------------------------------------------------------------------------ */

static void command(struct virgl_device *d, enum virgl_command which, const uint32_t *words, unsigned count)
{
	virgl_stream_begin(&d->stream, which, VIRGL_OBJECT_NONE);
	virgl_stream_words(&d->stream, words, count);
	virgl_stream_end(&d->stream);
}

void virgl_framebuffer(struct virgl_device *d, virgl_id color, virgl_id depth)
{
	const uint32_t words[3] = {color != 0, depth, color};

	if (d->bound.framebuffer && d->bound.color == color && d->bound.depth == depth)
		return;
	d->bound.framebuffer = true;
	d->bound.color = color;
	d->bound.depth = depth;
	command(d, VIRGL_SET_FRAMEBUFFER, words, color ? 3 : 2);
}

void virgl_viewport(struct virgl_device *d, float x, float y, float width, float height, float z_scale, float z_offset)
{
	const uint32_t words[7] = {0, float_word(width / 2), float_word(-height / 2), float_word(z_scale), float_word(x + width / 2),
		float_word(y + height / 2), float_word(z_offset)};

	command(d, VIRGL_SET_VIEWPORT, words, 7);
}

void virgl_scissor(struct virgl_device *d, uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1)
{
	const uint32_t words[3] = {0, (x0 & 0xFFFF) | y0 << 16, (x1 & 0xFFFF) | y1 << 16};

	command(d, VIRGL_SET_SCISSOR, words, 3);
}

static void bind_object(struct virgl_device *d, virgl_id *bound, virgl_id id, enum virgl_object kind)
{
	if (*bound == id)
		return;
	*bound = id;
	virgl_stream_begin(&d->stream, VIRGL_BIND_OBJECT, kind);
	virgl_stream_word(&d->stream, id);
	virgl_stream_end(&d->stream);
}

static void bind_shader(struct virgl_device *d, virgl_id id, unsigned stage)
{
	const uint32_t words[2] = {id, stage};

	if (d->bound.shader[stage] == id)
		return;
	d->bound.shader[stage] = id;
	command(d, VIRGL_BIND_SHADER, words, 2);
}

void virgl_bind(struct virgl_device *d, virgl_id id)
{
	const struct device_object *o = find_object(d, id);

	switch (o ? o->kind : VIRGL_OBJECT_NONE) {
	case VIRGL_OBJECT_BLEND:
		bind_object(d, &d->bound.blend, id, VIRGL_OBJECT_BLEND);
		break;
	case VIRGL_OBJECT_DSA:
		bind_object(d, &d->bound.depth_state, id, VIRGL_OBJECT_DSA);
		break;
	case VIRGL_OBJECT_RASTERIZER:
		bind_object(d, &d->bound.rasterizer, id, VIRGL_OBJECT_RASTERIZER);
		break;
	case VIRGL_OBJECT_VERTEX_ELEMENTS:
		bind_object(d, &d->bound.elements, id, VIRGL_OBJECT_VERTEX_ELEMENTS);
		break;
	case VIRGL_OBJECT_SHADER:
		bind_shader(d, id, o->stage & 1);
		break;
	default:
		break;
	}
}

void virgl_constants(struct virgl_device *d, enum virgl_stage stage, const void *words, unsigned count)
{
	virgl_stream_begin(&d->stream, VIRGL_SET_CONSTANT_BUFFER, VIRGL_OBJECT_NONE);
	virgl_stream_word(&d->stream, (uint32_t)stage);
	virgl_stream_word(&d->stream, 0);
	virgl_stream_words(&d->stream, words, count);
	virgl_stream_end(&d->stream);
}

static void bind_many(struct virgl_device *d, enum virgl_command which, const virgl_id *ids, unsigned count)
{
	virgl_stream_begin(&d->stream, which, VIRGL_OBJECT_NONE);
	virgl_stream_word(&d->stream, VIRGL_FRAGMENT);
	virgl_stream_word(&d->stream, 0);
	virgl_stream_words(&d->stream, ids, count);
	virgl_stream_end(&d->stream);
}

void virgl_sampler_views(struct virgl_device *d, const virgl_id *views, unsigned count)
{
	bind_many(d, VIRGL_SET_SAMPLER_VIEWS, views, count);
}

void virgl_samplers(struct virgl_device *d, const virgl_id *samplers, unsigned count)
{
	bind_many(d, VIRGL_BIND_SAMPLER_STATES, samplers, count);
}

void virgl_vertex_buffer(struct virgl_device *d, virgl_id buffer, uint32_t stride, uint32_t offset)
{
	const uint32_t words[3] = {stride, offset, buffer};

	command(d, VIRGL_SET_VERTEX_BUFFERS, words, 3);
}

void virgl_index_buffer(struct virgl_device *d, virgl_id buffer, uint32_t index_size, uint32_t offset)
{
	const uint32_t words[3] = {buffer, index_size, offset};

	command(d, VIRGL_SET_INDEX_BUFFER, words, 3);
}

void virgl_stencil_reference(struct virgl_device *d, uint8_t front, uint8_t back)
{
	const uint32_t word = (uint32_t)front | (uint32_t)back << 8;

	command(d, VIRGL_SET_STENCIL_REF, &word, 1);
}

void virgl_blend_color(struct virgl_device *d, const float color[4])
{
	const uint32_t words[4] = {float_word(color[0]), float_word(color[1]), float_word(color[2]), float_word(color[3])};

	command(d, VIRGL_SET_BLEND_COLOR, words, 4);
}

void virgl_clear(struct virgl_device *d, uint32_t buffers, const float color[4], double depth, uint32_t stencil)
{
	virgl_stream_begin(&d->stream, VIRGL_CLEAR, VIRGL_OBJECT_NONE);
	virgl_stream_word(&d->stream, buffers);
	for (unsigned i = 0; i < 4; i++)
		virgl_stream_float(&d->stream, color ? color[i] : 0);
	virgl_stream_double(&d->stream, depth);
	virgl_stream_word(&d->stream, stencil);
	virgl_stream_end(&d->stream);
}

void virgl_resolve(struct virgl_device *d, virgl_id to, virgl_id from, enum virgl_blit_mask mask)
{
	const struct device_resource *t = resource_of(d, to), *f = resource_of(d, from);

	if (!t || !f || t->width != f->width || t->height != f->height)
		return;
	const uint32_t words[21] = {(uint32_t)mask, 0, 0, to, 0, t->format, 0, 0, 0, t->width, t->height, 1, from, 0, f->format, 0, 0, 0,
		f->width, f->height, 1};

	command(d, VIRGL_BLIT, words, 21);
	d->dirty = true;
}

void virgl_barrier(struct virgl_device *d)
{
	const uint32_t flags = 2; /* of the framebuffer */

	command(d, VIRGL_TEXTURE_BARRIER, &flags, 1);
}

/* ---- drawing ------------------------------------------------------------------------------------------------------------ */

/* The host translates shaders when they first draw together, and says nothing when that goes wrong. */
static bool prove(struct virgl_device *d, const char *label, struct qs_error *error)
{
	struct device_object *vs = find_object(d, d->bound.shader[VIRGL_VERTEX]), *fs = find_object(d, d->bound.shader[VIRGL_FRAGMENT]);
	char text[192];

	if (!vs || !fs)
		return true;
	for (unsigned i = 0; i < DEVICE_PARTNERS; i++)
		if (fs->partner[i] == d->bound.shader[VIRGL_VERTEX])
			return true;
	snprintf(text, sizeof text, "%.50s with %.50s and %.50s", label, vs->label, fs->label);
	if (!virgl_check(d, text, error))
		return false;
	fs->partner[fs->partners++ % DEVICE_PARTNERS] = d->bound.shader[VIRGL_VERTEX];
	return true;
}

bool virgl_draw(struct virgl_device *d, enum virgl_primitive mode, uint32_t first, uint32_t count, bool indexed, const char *label,
	struct qs_error *error)
{
	const uint32_t words[12] = {first, count, mode, indexed, 1, 0, 0, 0, 0, 0, indexed ? 0xFFFFFFFEu : first + count, 0};

	if (d->error.code) {
		if (error)
			*error = d->error;
		return false;
	}
	command(d, VIRGL_DRAW_VBO, words, 12);
	device_room(d);
	return prove(d, label, error);
}
