/* fuzz_dff.c - any bytes as a FIFO log: opens or is refused with a text; every command can be described
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "../capture_invariants.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct qs_error error = {0};
	struct qs_capture *capture = qs_capture_open_memory(data, size, &error);

	if (!capture) {
		if (!error.code || !error.text[0])
			fuzz_fail("refused without a reason");
		return 0;
	}
	fuzz_describe(capture);
	qs_capture_destroy(capture);
	return 0;
}
