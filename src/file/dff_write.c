/* dff_write.c - writes Dolphin FIFO logs: the other direction of dff.c
 *
 * The layout is that of docs/dff-format.md: header, frame list, initial state, then for each frame its commands, its list of
 * updates and their data.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "file/capture.h"

#define HEADER_SIZE 128u
#define FRAME_SIZE 64u
#define UPDATE_SIZE 24u
#define FIFO_START 0x00400000u /* where the ring buffer is said to have been; nothing else may be there */
#define FIFO_END 0x0043FFE0u
#define LIMIT ((size_t)512 << 20)
#define TMEM_SIZE 0x100000u

struct bytes {
	uint8_t *data;
	size_t size, room;
};

struct update {
	uint32_t position, address, size;
	uint8_t type;
	size_t data; /* offset in the recording's data */
};

struct frame {
	struct bytes fifo;
	struct update *update;
	size_t count, room;
};

struct qs_recording {
	uint32_t version;
	bool wii;
	uint32_t bp[256], cp[256], xf_memory[4096], xf_registers[96];
	uint8_t *tmem;
	struct bytes data; /* of all updates */
	struct frame *frame; /* frame_count ended ones, and the one in the making */
	size_t frame_count, frame_room;
	size_t total;
};

static bool no_memory(struct qs_error *error)
{
	qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for the recording.");
	return false;
}

static bool put(struct bytes *b, const void *data, size_t size)
{
	size_t room = b->room;

	if (size > b->room - b->size) {
		uint8_t *grown;

		while (room - b->size < size)
			room = room ? 2 * room : 256;
		grown = realloc(b->data, room);
		if (!grown)
			return false;
		b->data = grown;
		b->room = room;
	}
	if (size && data)
		memcpy(b->data + b->size, data, size);
	else if (size)
		memset(b->data + b->size, 0, size);
	b->size += size;
	return true;
}

/* ---- collecting --------------------------------------------------------------------------------------------------------- */

static bool add_frame(struct qs_recording *r)
{
	if (!capture_grow(&r->frame, r->frame_count, &r->frame_room, sizeof *r->frame))
		return false;
	r->frame[r->frame_count] = (struct frame){0};
	return true;
}

struct qs_recording *qs_recording_create(uint32_t version, bool wii, struct qs_error *error)
{
	struct qs_recording *r;

	if (version < 1 || version > 5) {
		qs_error_set(error, QS_ERR_RANGE, 0, "FIFO logs have the versions 1 to 5, there is no version %" PRIu32 ".", version);
		return NULL;
	}
	r = calloc(1, sizeof *r);
	if (!r || !add_frame(r)) {
		free(r);
		no_memory(error);
		return NULL;
	}
	r->version = version;
	r->wii = wii;
	return r;
}

void qs_recording_destroy(struct qs_recording *r)
{
	if (!r)
		return;
	for (size_t i = 0; i <= r->frame_count; i++) {
		free(r->frame[i].fifo.data);
		free(r->frame[i].update);
	}
	free(r->frame);
	free(r->data.data);
	free(r->tmem);
	free(r);
}

bool qs_recording_register(struct qs_recording *r, enum qs_unit unit, uint32_t address, uint32_t value, struct qs_error *error)
{
	if (unit == QS_UNIT_BP && address < 0x100)
		r->bp[address] = value & 0xFFFFFF;
	else if (unit == QS_UNIT_BP && address < 0x108)
		r->bp[address - 0x20] = (value & 0x7FFFFF) | 0x800000;
	else if (unit == QS_UNIT_CP && address < 0x100)
		r->cp[address] = value;
	else if (unit == QS_UNIT_XF && address < 0x1000)
		r->xf_memory[address] = value;
	else if (unit == QS_UNIT_XF && address < 0x1060)
		r->xf_registers[address - 0x1000] = value;
	else {
		qs_error_set(error, QS_ERR_RANGE, 0, "The initial state of a FIFO log has no register 0x%" PRIx32 " of %s.", address,
			qs_unit_name(unit));
		return false;
	}
	return true;
}

bool qs_recording_tmem(struct qs_recording *r, uint32_t address, const void *data, size_t size, struct qs_error *error)
{
	if (r->version < 4) {
		qs_error_set(error, QS_ERR_UNSUPPORTED, 0, "FIFO logs hold texture memory from version 4 on, this is version %" PRIu32 ".",
			r->version);
		return false;
	}
	if (address > TMEM_SIZE || size > TMEM_SIZE - address) {
		qs_error_set(error, QS_ERR_RANGE, 0, "0x%zx bytes at 0x%" PRIx32 " are not inside the 0x%x bytes of texture memory.", size,
			address, TMEM_SIZE);
		return false;
	}
	if (!r->tmem)
		r->tmem = calloc(1, TMEM_SIZE);
	if (!r->tmem)
		return no_memory(error);
	if (size)
		memcpy(r->tmem + address, data, size);
	return true;
}

static bool account(struct qs_recording *r, size_t size, struct qs_error *error)
{
	if (size > LIMIT - r->total) {
		qs_error_set(error, QS_ERR_RANGE, 0, "The recording would have more than %zu MiB.", LIMIT >> 20);
		return false;
	}
	r->total += size;
	return true;
}

bool qs_recording_append(struct qs_recording *r, const void *bytes, size_t size, struct qs_error *error)
{
	if (!account(r, size, error))
		return false;
	return put(&r->frame[r->frame_count].fifo, bytes, size) || no_memory(error);
}

bool qs_recording_update(struct qs_recording *r, enum qs_update_type type, uint32_t address, const void *data, size_t size,
	struct qs_error *error)
{
	struct frame *f = &r->frame[r->frame_count];

	if (!account(r, size + UPDATE_SIZE, error))
		return false;
	if (!capture_grow(&f->update, f->count, &f->room, sizeof *f->update))
		return no_memory(error);
	f->update[f->count] = (struct update){(uint32_t)f->fifo.size, address, (uint32_t)size, (uint8_t)type, r->data.size};
	if (!put(&r->data, data, size))
		return no_memory(error);
	f->count++;
	return true;
}

bool qs_recording_end_frame(struct qs_recording *r, struct qs_error *error)
{
	if (!account(r, FRAME_SIZE, error))
		return false;
	r->frame_count++;
	if (add_frame(r))
		return true;
	r->frame_count--;
	return no_memory(error);
}

uint32_t qs_recording_frames(const struct qs_recording *r)
{
	return (uint32_t)r->frame_count;
}

/* ---- the file ----------------------------------------------------------------------------------------------------------- */

static void set32(uint8_t *p, uint32_t value)
{
	for (unsigned i = 0; i < 4; i++)
		p[i] = (uint8_t)(value >> 8 * i);
}

static void set64(uint8_t *p, uint64_t value)
{
	set32(p, (uint32_t)value);
	set32(p + 4, (uint32_t)(value >> 32));
}

/* An array of words with its entry in the header. */
static bool put_words(struct bytes *out, unsigned field, const uint32_t *words, uint32_t count)
{
	size_t offset = out->size;

	if (!put(out, NULL, 4 * (size_t)count))
		return false;
	for (uint32_t i = 0; i < count; i++)
		set32(out->data + offset + 4 * (size_t)i, words[i]);
	set64(out->data + field, offset);
	set32(out->data + field + 8, count);
	return true;
}

static bool put_state(const struct qs_recording *r, struct bytes *out)
{
	size_t offset;

	if (!put_words(out, 12, r->bp, 256) || !put_words(out, 24, r->cp, 256) || !put_words(out, 36, r->xf_memory, 4096) ||
		!put_words(out, 48, r->xf_registers, r->version < 4 ? 96 : 88))
		return false;
	if (r->version < 4)
		return true;
	offset = out->size;
	if (!put(out, r->tmem, TMEM_SIZE))
		return false;
	set64(out->data + 76, offset);
	set32(out->data + 84, TMEM_SIZE);
	return true;
}

static bool put_frame(const struct qs_recording *r, const struct frame *f, struct bytes *out, size_t entry)
{
	size_t fifo = out->size, list;

	if (!put(out, f->fifo.data, f->fifo.size))
		return false;
	list = out->size;
	if (!put(out, NULL, UPDATE_SIZE * f->count))
		return false;
	for (size_t i = 0; i < f->count; i++) {
		const struct update *u = &f->update[i];
		size_t data = out->size;
		uint8_t *p;

		if (!put(out, r->data.data + u->data, u->size))
			return false;
		p = out->data + list + UPDATE_SIZE * i;
		set32(p, u->position);
		set32(p + 4, u->address);
		set64(p + 8, data);
		set32(p + 16, u->size);
		p[20] = u->type;
	}
	set64(out->data + entry, fifo);
	set32(out->data + entry + 8, (uint32_t)f->fifo.size);
	set32(out->data + entry + 12, FIFO_START);
	set32(out->data + entry + 16, FIFO_END);
	set64(out->data + entry + 20, list);
	set32(out->data + entry + 28, (uint32_t)f->count);
	return true;
}

bool qs_recording_bytes(const struct qs_recording *r, uint8_t **data, size_t *size, struct qs_error *error)
{
	const struct frame *last = &r->frame[r->frame_count];
	size_t frames = r->frame_count + (last->fifo.size || last->count || !r->frame_count);
	struct bytes out = {0};
	bool good = put(&out, NULL, HEADER_SIZE + FRAME_SIZE * frames) && put_state(r, &out);

	for (size_t i = 0; good && i < frames; i++)
		good = put_frame(r, &r->frame[i], &out, HEADER_SIZE + FRAME_SIZE * i);
	if (!good) {
		free(out.data);
		return no_memory(error);
	}
	set32(out.data, DFF_MAGIC);
	set32(out.data + 4, r->version);
	set32(out.data + 8, 1);
	set64(out.data + 60, HEADER_SIZE);
	set32(out.data + 68, (uint32_t)frames);
	set32(out.data + 72, r->wii);
	if (r->version >= 5) {
		set32(out.data + 88, 0x01800000);
		set32(out.data + 92, 0x04000000);
	}
	*data = out.data;
	*size = out.size;
	return true;
}
