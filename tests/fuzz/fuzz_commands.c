/* fuzz_commands.c - any bytes as commands of an otherwise sound log (fuzz_log.h)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "fuzz.h"
#include "fuzz_log.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct log log;
	struct qs_error error = {0};
	struct bytes file;
	struct qs_capture *capture;

	memset(&log, 0, sizeof log);
	fuzz_log(&log, data, size);
	file = log_write(&log);
	capture = qs_capture_open_memory(file.data, file.size, &error);
	if (!capture)
		fuzz_fail(error.text); /* the log itself is sound */
	fuzz_describe(capture);
	qs_capture_destroy(capture);
	free(file.data);
	log_free(&log);
	return 0;
}
