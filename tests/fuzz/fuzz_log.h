/* fuzz_log.h - fuzz input as commands of a log
 *
 * The input: 28 bytes of CP state (VCD low and high, VAT A B C of format 0, base and stride of array A), one byte that says
 * where the rest is cut into the first frame, the second frame, and memory contents for display lists at 0x1000.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_FUZZ_LOG_H
#define TESTS_FUZZ_LOG_H

#include "../dffwriter.h"
#include "core/bits.h"

/* What stands in log->frame[0].fifo already stays in front. */
static inline void fuzz_log(struct log *log, const uint8_t *data, size_t size)
{
	static const uint8_t registers[7] = {0x50, 0x60, 0x70, 0x80, 0x90, 0xAC, 0xBC};
	size_t cut, first, second;

	log->version = 3;
	log->frame_count = 2;
	for (int i = 0; i < 7 && size >= 4; i++, data += 4, size -= 4)
		log->cp[registers[i]] = be32(data);
	if (!size)
		return;
	cut = *data++;
	size--;
	first = size * (cut >> 4) / 15;
	second = (size - first) * (cut & 15) / 15;
	put(&log->frame[0].fifo, data, first);
	put(&log->frame[1].fifo, data + first, second);
	log_update(&log->frame[0], 0, 4, 0x1000, data + first + second, (uint32_t)(size - first - second));
}

#endif
