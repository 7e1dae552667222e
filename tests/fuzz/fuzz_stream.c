/* fuzz_stream.c - any words as a VirGL command stream: the decoder takes them all
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "virgl/stream.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t count = size / 4;
	uint32_t *words = malloc(count * 4 + 4);
	char name[64];

	if (!words)
		return 0;
	memcpy(words, data, count * 4);
	char *text = virgl_decode(words, count);
	if (!text || (count && !strchr(text, '\n'))) {
		fprintf(stderr, "no text\n");
		abort();
	}
	virgl_decode_name(words, count, count / 2, name, sizeof name);
	if (!name[0])
		abort();
	free(text);
	free(words);
	return 0;
}
