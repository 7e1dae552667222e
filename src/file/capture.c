/* capture.c - opening a capture by its magic number, and the questions one can ask it
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/bits.h"
#include "file/capture.h"
#include "gfx3d/qsc.h"

#define WARNING_MAX 1000u

bool capture_grow(void *array, size_t count, size_t *room, size_t element_size)
{
	void *old, *grown;
	size_t wanted;

	if (count < *room)
		return true;
	wanted = *room ? *room + *room / 2 : 64;
	if (wanted > SIZE_MAX / element_size)
		return false;
	memcpy(&old, array, sizeof old);
	grown = realloc(old, wanted * element_size);
	if (!grown)
		return false;
	memcpy(array, &grown, sizeof grown);
	*room = wanted;
	return true;
}

void capture_warn(struct qs_capture *capture, uint64_t offset, uint32_t command, const char *format, ...)
{
	char text[512];
	va_list args;
	struct qs_warning *w;

	if (capture->info.warning_count >= WARNING_MAX ||
	    !capture_grow(&capture->warnings, capture->info.warning_count, &capture->warning_room, sizeof *capture->warnings)) {
		capture->warnings_dropped++;
		return;
	}
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	w = &capture->warnings[capture->info.warning_count];
	w->offset = offset;
	w->command = command;
	w->text = strdup(text);
	if (w->text)
		capture->info.warning_count++;
	else
		capture->warnings_dropped++;
}

static void note_dropped_warnings(struct qs_capture *capture)
{
	char text[80];
	struct qs_warning *last;
	char *copy;

	if (!capture->warnings_dropped || !capture->info.warning_count)
		return;
	snprintf(text, sizeof text, "%u more warnings are not shown.", capture->warnings_dropped + 1);
	copy = strdup(text);
	if (!copy)
		return;
	last = &capture->warnings[capture->info.warning_count - 1];
	free(last->text);
	*last = (struct qs_warning){.command = QS_NONE, .text = copy};
}

/* ---- opening ------------------------------------------------------------------------------------------------------------ */

static const struct {
	uint8_t size;
	uint8_t bytes[8];
	const char *what;
} foreign[] = {
	{4, {0x10, 0x00, 0x00, 0x00}, "a RenderWare model, which has the same file extension"},
	{4, {0x89, 'P', 'N', 'G'}, "a PNG picture"},
	{4, {'P', 'K', 3, 4}, "a ZIP archive; unpack it first"},
	{2, {0x1F, 0x8B}, "compressed with gzip; unpack it first"},
	{4, {0x28, 0xB5, 0x2F, 0xFD}, "compressed with zstd; unpack it first"},
	{6, {0xFD, '7', 'z', 'X', 'Z', 0}, "compressed with xz; unpack it first"},
	{6, {'7', 'z', 0xBC, 0xAF, 0x27, 0x1C}, "a 7z archive; unpack it first"},
	{3, {'B', 'Z', 'h'}, "compressed with bzip2; unpack it first"},
	{4, {0x0D, 0x01, 0xF1, 0xF0}, "a FIFO log in the wrong byte order"},
};

static bool recognise(const struct qs_capture *capture, struct qs_error *error)
{
	const uint8_t *p = capture->bytes;
	size_t size = capture->size;

	if (!size) {
		qs_error_set(error, QS_ERR_FORMAT, 0, "%s is empty: expected a Dolphin FIFO log (.dff) or Gfx3D calls (.qsc).", capture->path);
		return false;
	}
	if (size >= 4 && le32(p) == DFF_MAGIC)
		return true;
	for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
		if (size >= foreign[i].size && !memcmp(p, foreign[i].bytes, foreign[i].size)) {
			qs_error_set(error, QS_ERR_FORMAT, 0, "%s is %s: expected a Dolphin FIFO log, which begins with F0 F1 01 0D.",
				capture->path, foreign[i].what);
			return false;
		}
	if (size < 4)
		qs_error_set(error, QS_ERR_FORMAT, size, "%s ends after %zu bytes: expected a Dolphin FIFO log, whose header has 128.",
			capture->path, size);
	else
		qs_error_set(error, QS_ERR_FORMAT, 0,
			"%s begins with %02X %02X %02X %02X: expected F0 F1 01 0D, the mark of a Dolphin FIFO log.", capture->path, p[0],
			p[1], p[2], p[3]);
	return false;
}

static struct qs_capture *create(const char *path, struct qs_error *error)
{
	struct qs_capture *capture = calloc(1, sizeof *capture);

	if (capture)
		capture->path = strdup(path);
	if (!capture || !capture->path) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "No memory to open %s.", path);
		free(capture);
		return NULL;
	}
	capture->info.path = capture->path;
	capture->info.format = "Dolphin FIFO log";
	return capture;
}

/* Reads the bytes that the capture holds; on failure the capture is destroyed. */
static struct qs_capture *load(struct qs_capture *capture, qs_progress_fn progress, void *user, struct qs_error *error)
{
	bool good;

	capture->info.size = capture->size;
	if (qsc_recognise(capture->bytes, capture->size))
		good = qsc_capture_read(capture, progress, user, error);
	else
		good = recognise(capture, error) && dff_read(capture, error) && capture_index(capture, progress, user, error);
	if (!good) {
		qs_capture_destroy(capture);
		return NULL;
	}
	note_dropped_warnings(capture);
	return capture;
}

static bool map_file(struct qs_capture *capture, const char *path, struct qs_error *error)
{
	struct stat st;
	void *map;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &st)) {
		qs_error_set(error, QS_ERR_IO, 0, "Cannot open %s: %s.", path, strerror(errno));
		goto fail;
	}
	if (!S_ISREG(st.st_mode)) {
		qs_error_set(error, QS_ERR_IO, 0, "Cannot open %s: it is %s, not a file.", path,
			S_ISDIR(st.st_mode) ? "a folder" : "a device or pipe");
		goto fail;
	}
	if ((uint64_t)st.st_size > SIZE_MAX) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "%s is too large for this machine's address space.", path);
		goto fail;
	}
	capture->size = (size_t)st.st_size;
	if (capture->size) { /* an empty file cannot be mapped; recognise() explains it */
		map = mmap(NULL, capture->size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (map == MAP_FAILED) {
			qs_error_set(error, QS_ERR_IO, 0, "Cannot map %s into memory: %s.", path, strerror(errno));
			goto fail;
		}
		capture->bytes = map;
		capture->mapped = true;
	}
	close(fd);
	return true;
fail:
	if (fd >= 0)
		close(fd);
	return false;
}

struct qs_capture *qs_capture_open(const char *path, qs_progress_fn progress, void *user, struct qs_error *error)
{
	struct qs_capture *capture = create(path, error);

	if (!capture)
		return NULL;
	if (!map_file(capture, path, error)) {
		qs_capture_destroy(capture);
		return NULL;
	}
	return load(capture, progress, user, error);
}

struct qs_capture *qs_capture_open_memory(const void *data, size_t size, struct qs_error *error)
{
	struct qs_capture *capture = create("(memory)", error);
	uint8_t *copy;

	if (!capture)
		return NULL;
	copy = malloc(size ? size : 1);
	if (!copy) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "No memory for a capture of %zu bytes.", size);
		qs_capture_destroy(capture);
		return NULL;
	}
	if (size)
		memcpy(copy, data, size);
	capture->bytes = copy;
	capture->size = size;
	return load(capture, NULL, NULL, error);
}

void qs_capture_destroy(struct qs_capture *capture)
{
	if (!capture)
		return;
	if (capture->mapped)
		munmap((void *)(uintptr_t)capture->bytes, capture->size);
	else
		free((void *)(uintptr_t)capture->bytes);
	for (uint32_t i = 0; i < capture->info.warning_count; i++)
		free(capture->warnings[i].text);
	while (capture->blocks) {
		struct capture_block *next = capture->blocks->next;
		free(capture->blocks);
		capture->blocks = next;
	}
	free(capture->warnings);
	free(capture->copies.list);
	free(capture->loads.list);
	free(capture->lists);
	free(capture->updates);
	free(capture->draws);
	free(capture->commands);
	free(capture->extents);
	free(capture->frames);
	free(capture->stream);
	free(capture->path);
	free(capture);
}

/* ---- questions ---------------------------------------------------------------------------------------------------------- */

const struct qs_capture_info *qs_capture_info(const struct qs_capture *capture)
{
	return &capture->info;
}

const struct qs_initial_state *qs_capture_initial(const struct qs_capture *capture)
{
	return &capture->initial;
}

const struct qs_frame *qs_capture_frame(const struct qs_capture *capture, uint32_t frame)
{
	return frame >= 1 && frame <= capture->info.frame_count ? &capture->frames[frame - 1] : NULL;
}

const struct qs_command *qs_capture_command(const struct qs_capture *capture, uint32_t command)
{
	return command < capture->info.command_count ? &capture->commands[command] : NULL;
}

static const struct capture_list *find_list(const struct qs_capture *capture, uint32_t command)
{
	size_t low = 0, high = capture->list_count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (capture->lists[mid].command < command)
			low = mid + 1;
		else
			high = mid;
	}
	return low < capture->list_count && capture->lists[low].command == command ? &capture->lists[low] : NULL;
}

const uint8_t *qs_capture_command_bytes(const struct qs_capture *capture, uint32_t command)
{
	const struct qs_command *c = qs_capture_command(capture, command);
	const struct capture_list *list;

	if (!c)
		return NULL;
	if (c->parent == QS_NONE)
		return (capture->stream ? capture->stream : capture->bytes) + capture->frames[c->frame - 1].fifo_offset + c->offset;
	list = find_list(capture, c->parent);
	return list ? list->bytes + c->offset : NULL;
}

uint64_t qs_capture_command_file_offset(const struct qs_capture *capture, uint32_t command)
{
	const struct qs_command *c = qs_capture_command(capture, command);

	if (c && c->parent != QS_NONE)
		c = &capture->commands[c->parent];
	return c ? capture->frames[c->frame - 1].fifo_offset + c->offset : 0;
}

uint32_t qs_capture_draw_command(const struct qs_capture *capture, uint32_t frame, uint32_t draw)
{
	const struct qs_frame *f = qs_capture_frame(capture, frame);

	return f && draw < f->draw_count ? capture->draws[capture->extents[frame - 1].first_draw + draw] : QS_NONE;
}

const struct capture_snapshot *capture_snapshot(const struct capture_snapshots *snapshots, uint32_t command)
{
	size_t low = 0, high = snapshots->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (snapshots->list[mid].command <= command)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? &snapshots->list[low - 1] : NULL;
}

static uint32_t first_update(const struct qs_capture *capture, uint32_t command)
{
	uint32_t low = 0, high = capture->info.update_count;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		if (capture->updates[mid].command < command)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

uint32_t qs_capture_updates(const struct qs_capture *capture, uint32_t command, const struct qs_update **first)
{
	uint32_t begin = first_update(capture, command), end = begin;

	while (end < capture->info.update_count && capture->updates[end].command == command)
		end++;
	if (first)
		*first = end > begin ? capture->updates + begin : NULL;
	return end - begin;
}

const uint8_t *qs_capture_update_data(const struct qs_capture *capture, const struct qs_update *update)
{
	return capture->bytes + update->data_offset;
}

const struct qs_warning *qs_capture_warning(const struct qs_capture *capture, uint32_t i)
{
	return i < capture->info.warning_count ? &capture->warnings[i] : NULL;
}
