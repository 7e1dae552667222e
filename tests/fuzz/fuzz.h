/* fuzz.h - shared by the fuzz targets
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../capture_invariants.h"
#include "quadscope.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void fuzz_fail(const char *what)
{
	fprintf(stderr, "%s\n", what);
	abort();
}

/* Checks the capture and asks for the text of every command. */
static inline void fuzz_describe(const struct qs_capture *capture)
{
	const char *broken = capture_invariants(capture);
	char text[512];

	if (broken)
		fuzz_fail(broken);
	for (uint32_t i = 0; i < qs_capture_info(capture)->command_count; i++) {
		qs_command_text(capture, i, text, sizeof text);
		if (!text[0] || strlen(text) >= sizeof text)
			fuzz_fail("a command without a text");
	}
}

#endif
