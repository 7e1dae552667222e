/* qsc_write.c - recording calls
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "core/hash.h"
#include "gfx3d/qsc.h"

#define FLUSH (1u << 20)

struct g3_recorder {
	FILE *file;
	char *path;
	uint8_t *calls;
	size_t used, room;
	uint32_t chunks;
	uint64_t count;
	bool failed;
	char why[128];
};

static void put32(uint8_t *p, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(value >> (8 * i));
}

static void fail(struct g3_recorder *r, const char *why)
{
	if (!r->failed)
		snprintf(r->why, sizeof r->why, "%s", why);
	r->failed = true;
}

static void write_bytes(struct g3_recorder *r, const void *bytes, size_t size)
{
	if (!r->failed && size && fwrite(bytes, 1, size, r->file) != size)
		fail(r, strerror(errno));
}

static void write_header(struct g3_recorder *r, uint32_t flags)
{
	uint8_t header[QSC_HEADER] = QSC_MAGIC;

	put32(header + 8, QSC_VERSION);
	put32(header + 12, QSC_VERSION);
	put32(header + 16, flags);
	put32(header + 20, r->chunks);
	put32(header + 24, (uint32_t)r->count);
	put32(header + 28, (uint32_t)(r->count >> 32));
	write_bytes(r, header, sizeof header);
}

struct g3_recorder *g3_recorder_create(const char *path, struct qs_error *error)
{
	struct g3_recorder *r = calloc(1, sizeof *r);

	if (r)
		r->path = strdup(path);
	if (!r || !r->path) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory to record into %s.", path);
		free(r);
		return NULL;
	}
	r->file = fopen(path, "wb");
	if (!r->file) {
		qs_error_set(error, QS_ERR_IO, 0, "Cannot record into %s: %s.", path, strerror(errno));
		free(r->path);
		free(r);
		return NULL;
	}
	write_header(r, 0);
	return r;
}

static void flush(struct g3_recorder *r)
{
	size_t bound = ZSTD_compressBound(r->used), stored;
	uint8_t head[QSC_CHUNK_HEADER], *packed;

	if (!r->used || r->failed)
		return;
	packed = malloc(bound);
	if (!packed) {
		fail(r, "no memory");
		return;
	}
	stored = ZSTD_compress(packed, bound, r->calls, r->used, 9);
	if (ZSTD_isError(stored)) {
		fail(r, ZSTD_getErrorName(stored));
	} else {
		put32(head, QSC_CHUNK);
		put32(head + 4, (uint32_t)stored);
		put32(head + 8, (uint32_t)r->used);
		put32(head + 12, (uint32_t)hash_bytes(r->calls, r->used, 0));
		write_bytes(r, head, sizeof head);
		write_bytes(r, packed, stored);
		r->chunks++;
	}
	free(packed);
	r->used = 0;
}

static uint8_t *reserve(struct g3_recorder *r, size_t size)
{
	if (size > QSC_CHUNK_MAX) {
		fail(r, "a call has more than 64 MiB of data");
		return NULL;
	}
	if (r->used && r->used + size > FLUSH)
		flush(r);
	if (r->used + size > r->room) {
		size_t room = r->used + size > FLUSH ? r->used + size : FLUSH;
		uint8_t *grown = realloc(r->calls, room);

		if (!grown) {
			fail(r, "no memory");
			return NULL;
		}
		r->calls = grown;
		r->room = room;
	}
	r->used += size;
	return r->calls + r->used - size;
}

static size_t padded(size_t size)
{
	return (size + 3) & ~(size_t)3;
}

void g3_recorder_call(struct g3_recorder *r, const struct g3_call *call)
{
	const struct g3_call_info *info = g3_call_info(call->op);
	size_t size;
	uint8_t *p;

	if (r->failed || !info)
		return;
	size = QSC_RECORD + 4u * ((size_t)info->handles + info->ints + info->floats + info->blobs);
	for (unsigned i = 0; i < info->blobs; i++) {
		if (call->blob_size[i] > QSC_CHUNK_MAX) {
			fail(r, "a call has more than 64 MiB of data");
			return;
		}
		size += padded(call->blob_size[i]);
	}
	p = reserve(r, size);
	if (!p)
		return;
	put32(p, (uint32_t)call->op);
	put32(p + 4, (uint32_t)size);
	put32(p + 8, call->owner);
	put32(p + 12, call->result);
	p += QSC_RECORD;
	for (unsigned i = 0; i < info->handles; i++, p += 4)
		put32(p, call->handle[i]);
	for (unsigned i = 0; i < info->ints; i++, p += 4)
		put32(p, (uint32_t)call->i[i]);
	for (unsigned i = 0; i < info->floats; i++, p += 4) {
		uint32_t word;

		memcpy(&word, &call->f[i], 4);
		put32(p, word);
	}
	for (unsigned i = 0; i < info->blobs; i++) {
		size_t stored = padded(call->blob_size[i]);

		put32(p, (uint32_t)call->blob_size[i]);
		memset(p + 4, 0, stored);
		if (call->blob_size[i])
			memcpy(p + 4, call->blob[i], call->blob_size[i]);
		p += 4 + stored;
	}
	r->count++;
}

bool g3_recorder_finish(struct g3_recorder *r, struct qs_error *error)
{
	bool good;

	flush(r);
	if (!r->failed && fseek(r->file, 0, SEEK_SET))
		fail(r, strerror(errno));
	write_header(r, QSC_FINISHED);
	if (fclose(r->file))
		fail(r, strerror(errno));
	good = !r->failed;
	if (!good)
		qs_error_set(error, QS_ERR_IO, 0, "The recording %s is not whole: %s.", r->path, r->why);
	free(r->calls);
	free(r->path);
	free(r);
	return good;
}
