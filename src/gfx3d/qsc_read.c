/* qsc_read.c - reading a capture of calls; every size in it is checked
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "core/bits.h"
#include "core/hash.h"
#include "gfx3d/qsc.h"

bool qsc_recognise(const uint8_t *bytes, size_t size)
{
	return size >= QSC_MAGIC_SIZE && !memcmp(bytes, QSC_MAGIC, QSC_MAGIC_SIZE);
}

static void cut(struct qsc_stream *stream, size_t offset, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void cut(struct qsc_stream *stream, size_t offset, const char *format, ...)
{
	va_list args;

	stream->truncated = true;
	stream->warning_offset = offset;
	va_start(args, format);
	vsnprintf(stream->warning, sizeof stream->warning, format, args);
	va_end(args);
}

/* Appends one chunk; false: the stream ends before it. */
static bool read_chunk(const uint8_t *bytes, size_t size, size_t at, size_t *next, struct qsc_stream *stream)
{
	size_t stored, raw, got;
	uint8_t *grown;

	if (size - at < QSC_CHUNK_HEADER) {
		cut(stream, at, "The file ends inside the head of a chunk; what came before it is there.");
		return false;
	}
	stored = le32(bytes + at + 4);
	raw = le32(bytes + at + 8);
	if (le32(bytes + at) != QSC_CHUNK || raw > QSC_CHUNK_MAX || !raw) {
		cut(stream, at, "There is no chunk of calls where one should begin; what came before it is there.");
		return false;
	}
	if (stored > size - at - QSC_CHUNK_HEADER) {
		cut(stream, at, "The file ends inside a chunk of %zu bytes; what came before it is there.", stored);
		return false;
	}
	if (stream->size + raw > QSC_TOTAL_MAX) {
		cut(stream, at, "The calls take more than 1 GiB; those before are there.");
		return false;
	}
	/* the frame must say the same, so that a few bytes cannot ask for much memory */
	if (ZSTD_getFrameContentSize(bytes + at + QSC_CHUNK_HEADER, stored) != raw) {
		cut(stream, at, "A chunk does not hold the %zu bytes that its head says; what came before it is there.", raw);
		return false;
	}
	grown = realloc(stream->calls, stream->size + raw);
	if (!grown) {
		cut(stream, at, "There is no memory for a chunk of %zu bytes; what came before it is there.", raw);
		return false;
	}
	stream->calls = grown;
	got = ZSTD_decompress(grown + stream->size, raw, bytes + at + QSC_CHUNK_HEADER, stored);
	if (ZSTD_isError(got) || got != raw || (uint32_t)hash_bytes(grown + stream->size, raw, 0) != le32(bytes + at + 12)) {
		cut(stream, at, "A chunk is damaged%s%s; what came before it is there.", ZSTD_isError(got) ? ": " : "",
			ZSTD_isError(got) ? ZSTD_getErrorName(got) : "");
		return false;
	}
	stream->size += raw;
	*next = at + QSC_CHUNK_HEADER + stored;
	return true;
}

bool qsc_read(const uint8_t *bytes, size_t size, struct qsc_stream *stream, struct qs_error *error)
{
	size_t at = QSC_HEADER;

	memset(stream, 0, sizeof *stream);
	if (size < QSC_HEADER) {
		qs_error_set(error, QS_ERR_FORMAT, size, "The capture ends after %zu bytes: its header has %d.", size, QSC_HEADER);
		return false;
	}
	stream->version = le32(bytes + 8);
	stream->min_version = le32(bytes + 12);
	if (stream->min_version > QSC_VERSION) {
		qs_error_set(error, QS_ERR_UNSUPPORTED, 12, "The capture needs a reader for version %" PRIu32 ", this one reads version %d.",
			stream->min_version, QSC_VERSION);
		return false;
	}
	if (!(le32(bytes + 16) & QSC_FINISHED))
		cut(stream, 16, "The program that was recorded did not end properly; the calls of its last moments are missing.");
	while (at < size && read_chunk(bytes, size, at, &at, stream))
		;
	return true;
}

/* ---- calls -------------------------------------------------------------------------------------------------------------- */

size_t qsc_parse(const uint8_t *p, size_t available, struct g3_call *call)
{
	const struct g3_call_info *info;
	size_t size, at = QSC_RECORD;

	if (available < QSC_RECORD)
		return 0;
	size = le32(p + 4);
	info = g3_call_info(le32(p));
	if (!info || size > available || size % 4)
		return 0;
	memset(call, 0, sizeof *call);
	call->op = (uint16_t)le32(p);
	call->owner = le32(p + 8);
	call->result = le32(p + 12);
	if (size < QSC_RECORD + 4u * ((size_t)info->handles + info->ints + info->floats + info->blobs))
		return 0;
	for (unsigned i = 0; i < info->handles; i++, at += 4)
		call->handle[i] = le32(p + at);
	for (unsigned i = 0; i < info->ints; i++, at += 4)
		call->i[i] = (int32_t)le32(p + at);
	for (unsigned i = 0; i < info->floats; i++, at += 4) {
		uint32_t word = le32(p + at);

		memcpy(&call->f[i], &word, 4);
	}
	for (unsigned i = 0; i < info->blobs; i++) {
		size_t length, stored;

		if (size - at < 4)
			return 0;
		length = le32(p + at);
		stored = (length + 3) & ~(size_t)3;
		if (stored > size - at - 4)
			return 0;
		call->blob[i] = p + at + 4;
		call->blob_size[i] = length;
		at += 4 + stored;
	}
	return at == size ? size : 0;
}

/* ---- text --------------------------------------------------------------------------------------------------------------- */

struct line {
	char *at;
	size_t left; /* with the final 0 */
};

static void add(struct line *line, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct line *line, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(line->at, line->left, format, args);
	va_end(args);
	n = n < 0 ? 0 : (size_t)n >= line->left ? (int)line->left - 1 : n;
	line->at += n;
	line->left -= (size_t)n;
}

static void add_name(struct line *line, const struct g3_call *call, unsigned blob)
{
	add(line, " \"");
	for (size_t i = 0; i < call->blob_size[blob] && i < 40; i++) {
		char c = ((const char *)call->blob[blob])[i];

		add(line, "%c", c >= 32 && c < 127 ? c : '?');
	}
	add(line, "\"");
}

static void add_layout(struct line *line, const struct g3_call *call)
{
	add(line, " %zu bytes, stride %" PRId32 ", %zu indices;", call->blob_size[0], call->i[0], call->blob_size[1] / 2);
	for (int e = 0; e < 8 && e < call->i[1]; e++)
		add(line, " %" PRId32 ":%" PRId32 "@%" PRId32, call->i[2 + 3 * e], call->i[3 + 3 * e], call->i[4 + 3 * e]);
}

static void add_values(struct line *line, const struct g3_call *call)
{
	for (size_t i = 0; i < call->blob_size[1] / 4 && i < 16; i++) {
		float value;

		memcpy(&value, (const uint8_t *)call->blob[1] + 4 * i, 4);
		add(line, " %g", (double)value);
	}
}

/* Handles are shown as the slot number, with the generation where it is not the first. */
static void add_handle(struct line *line, uint32_t handle)
{
	if (handle >> 16 > 1)
		add(line, " %" PRIu32 ".%" PRIu32, handle & 0xFFFF, handle >> 16);
	else
		add(line, " %" PRIu32, handle & 0xFFFF);
}

static void add_arguments(struct line *line, const struct g3_call *call, const struct g3_call_info *info)
{
	for (unsigned i = 0; i < info->handles; i++)
		add_handle(line, call->handle[i]);
	switch (call->op) {
	case G3_mesh_upload:
		add_layout(line, call);
		return;
	case G3_tex_solid:
		add(line, " 0x%08" PRIX32, (uint32_t)call->i[0]);
		return;
	case G3_shader_create:
	case G3_shader_relink:
		add(line, " vertex %zu bytes, fragment %zu bytes", call->blob_size[0], call->blob_size[1]);
		return;
	case G3_set_quirk:
		add_name(line, call, 0);
		break;
	case G3_set_model:
		add(line, " %s", qs_gfx3d_model_name((enum qs_gfx3d_model)call->i[0]));
		return;
	case G3_uniform_f:
		add_name(line, call, 0);
		add_values(line, call);
		break;
	case G3_uniform_mat4:
		add_name(line, call, 0);
		break;
	default:
		break;
	}
	for (unsigned i = 0; i < info->ints; i++)
		add(line, " %" PRId32, call->i[i]);
	for (unsigned i = 0; i < info->floats; i++)
		add(line, " %g", (double)call->f[i]);
}

char *qsc_text(const struct g3_call *call, char *buffer, size_t size)
{
	const struct g3_call_info *info = g3_call_info(call->op);
	struct line line = {buffer, size};

	if (!size)
		return buffer;
	buffer[0] = '\0';
	if (!info)
		return buffer;
	add(&line, "%s", info->name);
	add_arguments(&line, call, info);
	if (info->result == 'h' && call->result) {
		add(&line, " =");
		add_handle(&line, call->result);
	}
	if (info->result == 'h' ? !call->result : call->result != 0)
		add(&line, "  (failed)");
	return buffer;
}
