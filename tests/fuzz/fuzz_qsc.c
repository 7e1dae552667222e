/* fuzz_qsc.c - captures of Gfx3D calls: a file as it is, or bytes as the calls of a file that is otherwise well
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "core/hash.h"
#include "gfx3d/qsc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void put32(uint8_t *p, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(value >> (8 * i));
}

/* A finished file with one chunk. */
static uint8_t *wrap(const uint8_t *calls, size_t size, size_t *total)
{
	size_t bound = ZSTD_compressBound(size), head = QSC_HEADER + QSC_CHUNK_HEADER;
	uint8_t *file = calloc(1, head + bound);
	size_t stored;

	if (!file)
		return NULL;
	memcpy(file, QSC_MAGIC, QSC_MAGIC_SIZE);
	put32(file + 8, 1);
	put32(file + 12, 1);
	put32(file + 16, QSC_FINISHED);
	put32(file + 20, 1);
	stored = ZSTD_compress(file + head, bound, calls, size, 1);
	put32(file + QSC_HEADER, QSC_CHUNK);
	put32(file + QSC_HEADER + 4, (uint32_t)stored);
	put32(file + QSC_HEADER + 8, (uint32_t)size);
	put32(file + QSC_HEADER + 12, (uint32_t)hash_bytes(calls, size, 0));
	*total = head + stored;
	return file;
}

static void use(struct qs_capture *capture)
{
	struct qs_error error = {0};
	struct qs_timeline *t;
	char text[128];

	for (uint32_t i = 0; i < qs_capture_info(capture)->command_count; i++)
		qs_command_text(capture, i, text, sizeof text);
	t = qs_timeline_create(capture, &error);
	if (!t)
		return;
	qs_timeline_step(t, QS_LEVEL_FRAGMENT, 3, &error);
	qs_timeline_replay(t, NULL, NULL, NULL, &error);
	qs_timeline_step(t, QS_LEVEL_QUAD, -2, &error);
	qs_timeline_destroy(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct qs_error error = {0};
	struct qs_capture *capture;
	uint8_t *file = NULL;
	size_t total = size;

	if (!size)
		return 0;
	if (!qsc_recognise(data, size)) {
		file = wrap(data, size, &total);
		if (!file)
			return 0;
	}
	capture = qs_capture_open_memory(file ? file : data, total, &error);
	if (!capture && !error.text[0])
		abort();
	if (capture)
		use(capture);
	qs_capture_destroy(capture);
	free(file);
	return 0;
}
