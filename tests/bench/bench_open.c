/* bench_open.c - how long does a log of 100 MB take to open?
 *
 * Makes three logs in a temporary file: typical (small draws with their state, textures, vertex data), states (nothing but
 * 5-byte register writes: the most commands a log can reasonably have) and lists (display lists called again and again).
 * Prints the times and fails when one takes more than two seconds of the processor (the wall clock is shown too, but says
 * more about what else the machine does).
 *
 *   bench_open [MEGABYTES]
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "quadscope.h"
#include "../dffwriter.h"

#define LIMIT 2.0

static double now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint32_t frames_of(size_t size)
{
	uint32_t n = (uint32_t)(size / 1000000);
	return n ? n : 1;
}

/* Fills one frame's commands up to about size bytes; updates refer to the texture bytes behind. */
static void typical(struct bytes *fifo, size_t size)
{
	for (unsigned i = 0; fifo->size < size; i++) {
		for (unsigned k = 0; k < 12; k++)
			put_bp(fifo, 0x80 + k, i * 12 + k);
		put_xf(fifo, 0, 12, i);
		put_draw(fifo, 0x98, 24, 16);
		put_bp(fifo, 0x40, i);
		put_draw(fifo, 0x90, 3, 16);
	}
}

static void states(struct bytes *fifo, size_t size)
{
	for (unsigned i = 0; fifo->size < size; i++)
		put_bp(fifo, 0xC0 + (i & 31), i);
}

static void lists(struct bytes *fifo, size_t size)
{
	for (unsigned i = 0; fifo->size < size; i++) {
		put_bp(fifo, 0x40, i);
		put_draw(fifo, 0x98, 60, 16);
		put_list(fifo, 0x100000 + (i & 63) * 0x1000, 0x1000);
	}
}

static const struct {
	const char *name;
	void (*fill)(struct bytes *fifo, size_t size);
	unsigned fifo_percent; /* of the frame; the rest is one update */
} logs[] = {{"typical", typical, 60}, {"states", states, 99}, {"lists", lists, 20}};

static void write_log(FILE *file, int kind, size_t size)
{
	uint32_t frames = frames_of(size);
	size_t frame_size = size / frames, update_size;
	struct bytes head = {0}, fifo = {0}, texture = {0}, list = {0};
	uint32_t cp[256] = {[0x50] = 0x2200, [0x70] = 0x41377009};
	uint64_t at;

	logs[kind].fill(&fifo, frame_size * logs[kind].fifo_percent / 100);
	while (list.size < 0x1000 - 60) /* what the update carries: 64 lists of small draws */
		put_draw(&list, 0x90, 3, 16);
	put_zero(&list, 0x1000 - list.size);
	update_size = frame_size - fifo.size < 0x40000 ? 0x40000 : frame_size - fifo.size;
	while (texture.size < update_size)
		put(&texture, list.data, list.size);
	put_zero(&head, 128 + 64u * frames);
	set_le32(&head, 0, 0x0D01F1F0);
	set_le32(&head, 4, 3);
	set_le32(&head, 8, 1);
	put_words(&head, 12, NULL, 256);
	put_words(&head, 24, cp, 256);
	put_words(&head, 36, NULL, 4096);
	put_words(&head, 48, NULL, 96);
	set_le64(&head, 60, 128);
	set_le32(&head, 68, frames);
	at = head.size;
	for (uint32_t i = 0; i < frames; i++) {
		size_t entry = 128 + 64u * i;
		set_le64(&head, entry, at);
		set_le32(&head, entry + 8, (uint32_t)fifo.size);
		set_le64(&head, entry + 20, at + fifo.size);
		set_le32(&head, entry + 28, 1);
		at += fifo.size + 24 + texture.size;
	}
	fwrite(head.data, 1, head.size, file);
	at = head.size;
	for (uint32_t i = 0; i < frames; i++) {
		struct bytes update = {0};
		put_zero(&update, 24);
		set_le32(&update, 4, 0x100000);
		set_le64(&update, 8, at + fifo.size + 24);
		set_le32(&update, 16, (uint32_t)texture.size);
		update.data[20] = 4;
		fwrite(fifo.data, 1, fifo.size, file);
		fwrite(update.data, 1, update.size, file);
		fwrite(texture.data, 1, texture.size, file);
		at += fifo.size + 24 + texture.size;
		free(update.data);
	}
	free(head.data);
	free(fifo.data);
	free(texture.data);
	free(list.data);
}

int main(int argc, char **argv)
{
	size_t size = (argc > 1 ? strtoul(argv[1], NULL, 10) : 100) * 1000000;
	const char *folder = getenv("TMPDIR");
	char path[512], text[512];
	int status = 0;

	snprintf(path, sizeof path, "%s/qs-bench-%ld.dff", folder ? folder : "/tmp", (long)getpid());
	for (int kind = 0; kind < (int)(sizeof logs / sizeof *logs); kind++) {
		struct qs_error error = {0};
		FILE *file = fopen(path, "wb");

		if (!file)
			return 2;
		write_log(file, kind, size);
		if (fclose(file))
			return 2;
		double start = now(CLOCK_PROCESS_CPUTIME_ID), wall = now(CLOCK_MONOTONIC);
		struct qs_capture *capture = qs_capture_open(path, NULL, NULL, &error);
		double opened = now(CLOCK_PROCESS_CPUTIME_ID), wall_opened = now(CLOCK_MONOTONIC);
		if (!capture) {
			printf("%s: %s\n", logs[kind].name, error.text);
			unlink(path);
			return 2;
		}
		const struct qs_capture_info *info = qs_capture_info(capture);
		for (uint32_t i = 0; i < 1000; i++)
			qs_command_text(capture, (uint32_t)((uint64_t)info->command_count * i / 1000), text, sizeof text);
		double described = now(CLOCK_PROCESS_CPUTIME_ID);
		struct rusage usage;
		getrusage(RUSAGE_SELF, &usage);
		printf("%-8s %4.0f MB: %8u commands, %7u draws, %5u updates, %u warnings: open %.3f s (wall %.3f s), %.2f us a text, peak %ld MB\n",
			logs[kind].name, (double)info->size / 1e6, info->command_count, info->draw_count, info->update_count,
			info->warning_count, opened - start, wall_opened - wall, 1000 * (described - opened), usage.ru_maxrss / 1024);
		if (opened - start > LIMIT * (double)size / 1e8 + 0.1)
			status = 1;
		qs_capture_destroy(capture);
		unlink(path);
	}
	return status;
}
