/* device.c - the virtual GPU: life, faults, resources, transfers (state objects and draws: state.c)
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "virgl/device_inside.h"

#define TIMEOUT 20000
#define FLUSH_WORDS 262144u /* what is collected at most */

/* ---- errors ------------------------------------------------------------------------------------------------------------- */

/* The first fault is the cause; later ones only repeat it. */
static bool report(struct virgl_device *d, struct qs_error *error)
{
	if (error)
		*error = d->error;
	return false;
}

bool device_fault(struct virgl_device *d, const char *what, const struct qs_error *cause, struct qs_error *error)
{
	char log[240];

	if (d->error.code)
		return report(d, error);
	d->lost = true;
	if (cause && cause->code == QS_ERR_CANCELLED)
		d->error = *cause;
	else
		qs_error_set(&d->error, QS_ERR_IO, 0, "%.150s%s%.120s%s%s", what, cause ? ": " : "", cause ? cause->text : "",
			d->own ? " The host says: " : "", d->own ? virgl_host_log(&d->host, log, sizeof log) : "");
	return report(d, error);
}

const struct qs_error *virgl_device_error(const struct virgl_device *d)
{
	return &d->error;
}

bool virgl_device_lost(const struct virgl_device *d)
{
	return d->lost || d->vtest.lost;
}

/* ---- life --------------------------------------------------------------------------------------------------------------- */

static bool connect_host(struct virgl_device *d, struct qs_error *error)
{
	const char *driver = d->driver[0] ? d->driver : "llvmpipe";

	vtest_init(&d->vtest, d->timeout);
	d->vtest.cancel = d->cancel;
	if (d->own ? !virgl_host_start(&d->host, &d->vtest, strcmp(driver, "native") ? driver : NULL, error)
		   : !vtest_connect(&d->vtest, d->socket, error))
		return false;
	return vtest_handshake(&d->vtest, "quadscope", error);
}

static bool make_probe(struct virgl_device *d, struct qs_error *error)
{
	d->probe = virgl_texture_create(d,
		&(struct virgl_texture){.format = VIRGL_FORMAT_R8G8B8A8_UNORM, .bind = VIRGL_BIND_RENDER, .width = 1, .height = 1}, error);
	d->probe_surface = virgl_surface_create(d, d->probe, 0);
	return d->probe && d->probe_surface && virgl_check(d, "opening a context", error);
}

static bool open_context(struct virgl_device *d, struct qs_error *error)
{
	struct qs_error cause = {0};

	memset(&d->error, 0, sizeof d->error);
	d->lost = false;
	d->generation++;
	d->next_resource = d->next_object = 1;
	d->dirty = true;
	memset(&d->bound, 0, sizeof d->bound);
	virgl_stream_clear(&d->stream);
	if (!connect_host(d, &cause)) {
		if (cause.code == QS_ERR_UNSUPPORTED || !d->own || cause.code == QS_ERR_CANCELLED) {
			d->lost = true;
			d->error = cause;
			return report(d, error);
		}
		return device_fault(d, "No VirGL host can be used", &cause, error);
	}
	return make_probe(d, error);
}

struct virgl_device *virgl_device_create(const struct virgl_options *options, struct qs_error *error)
{
	struct virgl_device *d = calloc(1, sizeof *d);

	if (!d) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for a VirGL device.");
		return NULL;
	}
	virgl_stream_init(&d->stream);
	virgl_stream_init(&d->record);
	d->host.log = -1;
	d->vtest.fd = -1;
	d->own = !options || !options->socket;
	d->timeout = options && options->timeout ? options->timeout : TIMEOUT;
	d->strict = options && options->strict;
	d->cancel = options ? options->cancel : NULL;
	if (options && options->socket)
		snprintf(d->socket, sizeof d->socket, "%s", options->socket);
	if (options && options->driver)
		snprintf(d->driver, sizeof d->driver, "%s", options->driver);
	if (open_context(d, error))
		return d;
	virgl_device_destroy(d);
	return NULL;
}

static void forget_all(struct virgl_device *d)
{
	for (size_t i = 0; i < d->resource_room; i++)
		if (d->resource[i].shared)
			munmap(d->resource[i].shared, d->resource[i].shared_size);
	for (size_t i = 0; i < d->object_room; i++)
		free(d->object[i].label);
	free(d->resource);
	free(d->object);
	d->resource = NULL;
	d->object = NULL;
	d->resource_room = d->object_room = 0;
}

void virgl_device_destroy(struct virgl_device *d)
{
	if (!d)
		return;
	virgl_host_stop(&d->host, &d->vtest);
	forget_all(d);
	virgl_stream_finish(&d->stream);
	virgl_stream_finish(&d->record);
	free(d);
}

bool virgl_device_recover(struct virgl_device *d, struct qs_error *error)
{
	virgl_host_stop(&d->host, &d->vtest);
	forget_all(d);
	return open_context(d, error);
}

uint32_t virgl_device_generation(const struct virgl_device *d)
{
	return d->generation;
}

long virgl_device_pid(const struct virgl_device *d)
{
	return d->host.pid;
}

/* ---- sending ------------------------------------------------------------------------------------------------------------ */

static bool send_stream(struct virgl_device *d, const uint32_t *words, size_t count, struct qs_error *error)
{
	struct qs_error cause = {0};
	char name[48], last[48], what[192];

	if (vtest_submit(&d->vtest, words, count, &cause) && (!d->strict || vtest_wait(&d->vtest, &cause)))
		return true;
	virgl_decode_name(words, count, 0, name, sizeof name);
	virgl_decode_name(words, count, count - 1, last, sizeof last);
	if (d->strict)
		snprintf(what, sizeof what, "The VirGL host did not take the command \"%s\"", name);
	else
		snprintf(what, sizeof what, "The VirGL host did not take the commands from \"%s\" to \"%s\"", name, last);
	return device_fault(d, what, &cause, error);
}

bool virgl_flush(struct virgl_device *d, struct qs_error *error)
{
	struct virgl_stream *s = &d->stream;
	bool ok = true;

	if (d->error.code)
		return report(d, error);
	if (s->failed)
		return device_fault(d, "A VirGL command cannot be written", &s->error, error);
	if (!s->count)
		return true;
	if (d->recording)
		virgl_stream_words(&d->record, s->word, s->count);
	d->dirty = true;
	if (d->strict)
		for (size_t at = 0; ok && at < s->count; at += 1 + (s->word[at] >> 16))
			ok = send_stream(d, s->word + at, 1 + (s->word[at] >> 16), error);
	else
		ok = send_stream(d, s->word, s->count, error);
	virgl_stream_clear(s);
	return ok;
}

void device_room(struct virgl_device *d)
{
	if (d->stream.count > FLUSH_WORDS)
		virgl_flush(d, NULL);
}

/* A colour that was never there before. */
static uint32_t fresh_nonce(struct virgl_device *d)
{
	struct timespec now;

	if (!d->nonce) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		d->nonce = (uint32_t)now.tv_nsec ^ (uint32_t)getpid() << 12;
	}
	d->nonce = d->nonce * 1664525u + 1013904223u;
	return d->nonce;
}

bool virgl_check(struct virgl_device *d, const char *label, struct qs_error *error)
{
	struct virgl_stream *s = &d->stream;
	const struct vtest_box box = {0, 0, 0, 1, 1};
	struct qs_error cause = {0};
	uint32_t nonce = fresh_nonce(d), back = ~nonce;
	virgl_id color = d->bound.color, depth = d->bound.depth;
	char what[200];

	if (!virgl_flush(d, error))
		return false;
	if (!d->dirty)
		return true;
	virgl_framebuffer(d, d->probe_surface, 0);
	virgl_stream_begin(s, VIRGL_CLEAR, VIRGL_OBJECT_NONE);
	virgl_stream_word(s, VIRGL_CLEAR_COLOR);
	for (unsigned i = 0; i < 4; i++)
		virgl_stream_float(s, (float)(nonce >> 8 * i & 255) / 255.0f);
	virgl_stream_double(s, 1.0);
	virgl_stream_word(s, 0);
	virgl_stream_end(s);
	bool recording = d->recording;
	d->recording = false;
	bool sent = virgl_flush(d, error);
	d->recording = recording;
	if (!sent)
		return false;
	if (color || depth)
		virgl_framebuffer(d, color, depth);
	if (!vtest_get(&d->vtest, d->probe, &box, &back, sizeof back, &cause)) {
		snprintf(what, sizeof what, "The VirGL host failed at %.150s", label);
		return device_fault(d, what, &cause, error);
	}
	d->dirty = false;
	if (back == nonce)
		return true;
	snprintf(what, sizeof what, "The VirGL host draws nothing any more since %.130s.", label);
	return device_fault(d, what, NULL, error);
}

void virgl_record(struct virgl_device *d, bool on)
{
	if (d->recording != on)
		virgl_flush(d, NULL);
	d->recording = on;
	virgl_stream_clear(&d->record);
}

const uint32_t *virgl_recorded(const struct virgl_device *d, size_t *count)
{
	*count = d->record.count;
	return d->record.word;
}

/* ---- resources ---------------------------------------------------------------------------------------------------------- */

static struct device_resource *new_resource(struct virgl_device *d)
{
	uint32_t handle = d->next_resource;

	if (handle >= d->resource_room) {
		size_t room = d->resource_room ? d->resource_room * 2 : 64;
		struct device_resource *grown = realloc(d->resource, room * sizeof *grown);
		if (!grown)
			return NULL;
		memset(grown + d->resource_room, 0, (room - d->resource_room) * sizeof *grown);
		d->resource = grown;
		d->resource_room = room;
	}
	d->next_resource++;
	memset(&d->resource[handle], 0, sizeof d->resource[handle]);
	return &d->resource[handle];
}

static struct device_resource *find_resource(struct virgl_device *d, virgl_id resource)
{
	return resource && resource < d->resource_room && d->resource[resource].live ? &d->resource[resource] : NULL;
}

static virgl_id create(struct virgl_device *d, struct vtest_resource *v, size_t shared, const char *what, struct qs_error *error)
{
	struct device_resource *r;
	struct qs_error cause = {0};

	if (!virgl_flush(d, error))
		return 0;
	r = new_resource(d);
	if (!r) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for another VirGL resource.");
		return 0;
	}
	v->handle = d->next_resource - 1;
	if (!vtest_resource_create(&d->vtest, v, shared ? &r->shared : NULL, shared, &cause)) {
		device_fault(d, what, &cause, error);
		return 0;
	}
	r->live = true;
	r->shared_size = r->shared ? shared : 0;
	r->format = v->format;
	r->width = v->width;
	r->height = v->height;
	r->levels = v->last_level + 1;
	r->samples = v->samples;
	d->dirty = true;
	return v->handle;
}

virgl_id virgl_texture_create(struct virgl_device *d, const struct virgl_texture *t, struct qs_error *error)
{
	struct vtest_resource v = {.target = VIRGL_TARGET_2D, .format = t->format, .bind = t->bind, .width = t->width,
		.height = t->height, .depth = 1, .array_size = 1, .last_level = t->levels ? t->levels - 1 : 0,
		.samples = t->samples > 1 ? t->samples : 0};
	unsigned bytes = virgl_format_bytes(t->format);

	if (!bytes || !t->width || !t->height || t->width > 16384 || t->height > 16384 || v.last_level > 14 || t->samples > 16) {
		qs_error_set(error, QS_ERR_RANGE, 0, "There is no texture of %" PRIu32 "x%" PRIu32 " pixels in format %" PRIu32
			" on a VirGL host.", t->width, t->height, t->format);
		return 0;
	}
	return create(d, &v, t->shared ? (size_t)t->width * t->height * bytes : 0, "The VirGL host cannot make a texture", error);
}

virgl_id virgl_buffer_create(struct virgl_device *d, uint32_t bind, uint32_t bytes, struct qs_error *error)
{
	struct vtest_resource v = {.target = VIRGL_TARGET_BUFFER, .format = VIRGL_FORMAT_R8_UNORM, .bind = bind, .width = bytes,
		.height = 1, .depth = 1, .array_size = 1};

	return create(d, &v, 0, "The VirGL host cannot make a buffer", error);
}

void virgl_resource_destroy(struct virgl_device *d, virgl_id resource)
{
	struct device_resource *r = find_resource(d, resource);

	if (!r)
		return;
	if (r->shared)
		munmap(r->shared, r->shared_size);
	memset(r, 0, sizeof *r);
	if (virgl_flush(d, NULL))
		vtest_resource_unref(&d->vtest, resource, NULL);
}

/* ---- transfers ---------------------------------------------------------------------------------------------------------- */

static uint32_t minified(uint32_t size, uint32_t level)
{
	return size >> level ? size >> level : 1;
}

static bool inside(const struct device_resource *r, uint32_t level, struct virgl_rect rect)
{
	uint32_t width = minified(r->width, level), height = minified(r->height, level);

	return level < r->levels && rect.width && rect.height && rect.x < width && rect.width <= width - rect.x && rect.y < height &&
		rect.height <= height - rect.y;
}

static struct device_resource *transfer_begin(struct virgl_device *d, virgl_id id, uint32_t level, struct virgl_rect rect,
	struct qs_error *error)
{
	struct device_resource *r = find_resource(d, id);

	if (r && !r->samples && inside(r, level, rect))
		return r;
	qs_error_set(error, QS_ERR_RANGE, 0, "The VirGL resource %" PRIu32 " has no such rectangle.", id);
	return NULL;
}

static void copy_rows(const struct device_resource *r, struct virgl_rect rect, void *packed, bool to_shared)
{
	size_t bytes = virgl_format_bytes(r->format), stride = r->width * bytes, row = rect.width * bytes;

	for (uint32_t y = 0; y < rect.height; y++) {
		uint8_t *shared = (uint8_t *)r->shared + (rect.y + y) * stride + rect.x * bytes, *line = (uint8_t *)packed + y * row;
		memcpy(to_shared ? shared : line, to_shared ? line : shared, row);
	}
}

bool virgl_upload(struct virgl_device *d, virgl_id texture, uint32_t level, struct virgl_rect rect, const void *data,
	struct qs_error *error)
{
	struct device_resource *r = transfer_begin(d, texture, level, rect, error);
	const struct vtest_box box = {level, rect.x, rect.y, rect.width, rect.height};
	struct qs_error cause = {0};
	bool ok;

	if (!r || !virgl_flush(d, error))
		return false;
	unsigned bytes = virgl_format_bytes(r->format);
	d->dirty = true;
	if (!r->shared || level) {
		ok = vtest_put(&d->vtest, texture, &box, data, rect.width * rect.height * bytes, &cause);
	} else {
		/* the host may still have to read what was put there before */
		ok = !r->in_flight || vtest_wait(&d->vtest, &cause);
		if (ok)
			copy_rows(r, rect, (void *)(uintptr_t)data, true);
		ok = ok && vtest_put2(&d->vtest, texture, &box, (rect.y * r->width + rect.x) * bytes, &cause);
		r->in_flight = true;
	}
	return ok || device_fault(d, "The VirGL host did not take a texture", &cause, error);
}

bool virgl_buffer_upload(struct virgl_device *d, virgl_id buffer, uint32_t offset, const void *data, uint32_t bytes, struct qs_error *error)
{
	return virgl_upload(d, buffer, 0, (struct virgl_rect){offset, 0, bytes, 1}, data, error);
}

void virgl_buffer_write(struct virgl_device *d, virgl_id buffer, uint32_t offset, const void *data, uint32_t bytes)
{
	struct virgl_stream *s = &d->stream;
	const uint8_t *at = data;

	while (bytes) {
		uint32_t part = bytes < 0x30000 ? bytes : 0x30000, words = (part + 3) / 4, last = 0;
		const uint32_t head[11] = {buffer, 0, 0, 0, 0, offset, 0, 0, part, 1, 1};

		virgl_stream_begin(s, VIRGL_INLINE_WRITE, VIRGL_OBJECT_NONE);
		virgl_stream_words(s, head, 11);
		for (uint32_t i = 0; i + 1 < words; i++) {
			uint32_t word;
			memcpy(&word, at + 4 * i, 4);
			virgl_stream_word(s, word);
		}
		memcpy(&last, at + 4 * (words - 1), part - 4 * (words - 1));
		virgl_stream_word(s, last);
		virgl_stream_end(s);
		at += part;
		offset += part;
		bytes -= part;
	}
	device_room(d);
}

bool virgl_readback(struct virgl_device *d, virgl_id texture, uint32_t level, struct virgl_rect rect, void *data, struct qs_error *error)
{
	struct device_resource *r = transfer_begin(d, texture, level, rect, error);
	const struct vtest_box box = {level, rect.x, rect.y, rect.width, rect.height};
	struct qs_error cause = {0};
	bool ok;

	if (!r || !virgl_check(d, "the commands before the readback", error))
		return false;
	unsigned bytes = virgl_format_bytes(r->format);
	if (!r->shared || level) {
		ok = vtest_get(&d->vtest, texture, &box, data, rect.width * rect.height * bytes, &cause);
	} else {
		ok = vtest_get2(&d->vtest, texture, &box, (rect.y * r->width + rect.x) * bytes, &cause);
		r->in_flight = false;
		if (ok)
			copy_rows(r, rect, data, false);
	}
	return ok || device_fault(d, "The VirGL host did not give pixels back", &cause, error);
}
