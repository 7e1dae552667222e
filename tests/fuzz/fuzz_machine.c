/* fuzz_machine.c - any bytes as commands, executed: no input stops the machine or makes it read what is not its own
 *
 * Input as in fuzz_log.h, behind a prologue that makes draws visible.  The second frame starts from what the first left.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "fuzz.h"
#include "fuzz_log.h"

static void put_floats(struct bytes *b, unsigned address, const float *values, unsigned count)
{
	put_u8(b, 0x10);
	put_be32(b, (uint32_t)(count - 1) << 16 | address);
	for (unsigned i = 0; i < count; i++) {
		union { float f; uint32_t u; } c = {.f = values[i]};
		put_be32(b, c.u);
	}
}

/* A window of 64x32 pixels, orthographic, one stage that shows the vertex colour. */
static void prologue(struct bytes *b)
{
	static const float viewport[] = {32, -16, 16777215, 32 + 342, 16 + 342, 16777215};
	static const float projection[] = {2.0f / 64, -1, -2.0f / 32, 1, -1, -1};
	static const float identity[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

	put_bp(b, 0x00, 0x10);
	put_bp(b, 0x20, 342 << 12 | 342);
	put_bp(b, 0x21, (342 + 63) << 12 | (342 + 31));
	put_bp(b, 0x59, 171 << 10 | 171);
	put_bp(b, 0x28, 0x380000);
	put_bp(b, 0x40, 0x1F); /* always: the depth buffer begins as zero */
	put_bp(b, 0x41, 0x18);
	put_bp(b, 0x43, 0x40);
	put_bp(b, 0x44, 3);
	put_bp(b, 0x4A, 31 << 10 | 63);
	put_bp(b, 0x4E, 0x100);
	put_bp(b, 0x53, 0x595000);
	put_bp(b, 0x54, 0x000015);
	put_bp(b, 0xC0, 0x08FFFA);
	put_bp(b, 0xC1, 0x08FFD0);
	put_bp(b, 0xF3, 0x3F0000);
	put_bp(b, 0xF6, 4);
	put_bp(b, 0xF7, 14);
	put_floats(b, 0x101A, viewport, 6);
	put_floats(b, 0x1020, projection, 6);
	put_xf(b, 0x1026, 1, 1);
	put_xf(b, 0x1009, 1, 1);
	put_xf(b, 0x100E, 1, 1);
	put_xf(b, 0x1010, 1, 1);
	put_floats(b, 0x0000, identity, 12);
	put_floats(b, 0x0400, identity, 9);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct log log;
	struct qs_error error = {0};
	struct bytes file;
	struct qs_capture *capture;
	struct qs_timeline *timeline;
	struct qs_moment end;

	memset(&log, 0, sizeof log);
	prologue(&log.frame[0].fifo);
	fuzz_log(&log, data, size);
	log.version = 5; /* with little memory, so that a machine is made quickly */
	log.mem1_size = 0x20000;
	log.mem2_size = 0x8000;
	file = log_write(&log);
	capture = qs_capture_open_memory(file.data, file.size, &error);
	if (!capture)
		fuzz_fail(error.text);
	timeline = qs_timeline_create(capture, &error);
	if (!timeline)
		fuzz_fail(error.text);
	if (!qs_moment_parse(capture, "2", &end, &error) || !qs_timeline_seek(timeline, &end, &error))
		fuzz_fail(error.text);
	qs_timeline_destroy(timeline);
	qs_capture_destroy(capture);
	free(file.data);
	log_free(&log);
	return 0;
}
