/* fuzz_commands.c - any bytes as commands of an otherwise sound log
 *
 * The input: 28 bytes of CP state (VCD low and high, VAT A B C of format 0, base and stride of array A), one byte that says
 * where the rest is cut into the first frame, the second frame, and memory contents for display lists at 0x1000.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "../dffwriter.h"
#include "core/bits.h"
#include "fuzz.h"

static void fill(struct log *log, const uint8_t *data, size_t size)
{
	static const uint8_t registers[7] = {0x50, 0x60, 0x70, 0x80, 0x90, 0xAC, 0xBC};
	size_t cut, first, second;

	memset(log, 0, sizeof *log);
	log->version = 3;
	log->frame_count = 2;
	for (int i = 0; i < 7 && size >= 4; i++, data += 4, size -= 4)
		log->cp[registers[i]] = be32(data);
	if (!size)
		return;
	cut = *data++;
	size--;
	first = size * (cut >> 4) / 16;
	second = (size - first) * (cut & 15) / 16;
	put(&log->frame[0].fifo, data, first);
	put(&log->frame[1].fifo, data + first, second);
	log_update(&log->frame[0], 0, 4, 0x1000, data + first + second, (uint32_t)(size - first - second));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct log log;
	struct qs_error error = {0};
	struct bytes file;
	struct qs_capture *capture;

	fill(&log, data, size);
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
