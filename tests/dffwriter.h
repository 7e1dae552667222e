/* dffwriter.h - builds FIFO logs in memory for tests
 *
 * Parts come in the order of a real recorder: header, frame list, registers, then per frame commands, update list, update
 * data.  All failures abort: this is test code.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_DFFWRITER_H
#define TESTS_DFFWRITER_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct bytes {
	uint8_t *data;
	size_t size, room;
};

/* Room for size more bytes at the end; they are zero. */
static inline uint8_t *put_zero(struct bytes *b, size_t size)
{
	uint8_t *place;

	if (b->size + size > b->room) {
		b->room = (b->size + size) * 2;
		b->data = realloc(b->data, b->room);
		if (!b->data)
			abort();
	}
	place = b->data + b->size;
	if (size)
		memset(place, 0, size);
	b->size += size;
	return place;
}

static inline void put(struct bytes *b, const void *data, size_t size)
{
	if (size)
		memcpy(put_zero(b, size), data, size);
}

static inline void put_u8(struct bytes *b, unsigned v)
{
	uint8_t byte = (uint8_t)v;
	put(b, &byte, 1);
}

static inline void put_be16(struct bytes *b, unsigned v)
{
	put_u8(b, v >> 8);
	put_u8(b, v);
}

static inline void put_be32(struct bytes *b, uint32_t v)
{
	put_be16(b, v >> 16);
	put_be16(b, v & 0xFFFF);
}

static inline void set_le32(struct bytes *b, size_t at, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		b->data[at + (size_t)i] = (uint8_t)(v >> (8 * i));
}

static inline void set_le64(struct bytes *b, size_t at, uint64_t v)
{
	set_le32(b, at, (uint32_t)v);
	set_le32(b, at + 4, (uint32_t)(v >> 32));
}

/* ---- commands ----------------------------------------------------------------------------------------------------------- */

static inline void put_bp(struct bytes *b, unsigned address, uint32_t value)
{
	put_u8(b, 0x61);
	put_be32(b, (uint32_t)address << 24 | (value & 0xFFFFFF));
}

static inline void put_cp(struct bytes *b, unsigned address, uint32_t value)
{
	put_u8(b, 0x08);
	put_u8(b, address);
	put_be32(b, value);
}

static inline void put_xf(struct bytes *b, unsigned address, unsigned count, uint32_t first)
{
	put_u8(b, 0x10);
	put_be32(b, (uint32_t)(count - 1) << 16 | address);
	for (unsigned i = 0; i < count; i++)
		put_be32(b, first + i);
}

static inline void put_draw(struct bytes *b, unsigned opcode, unsigned count, unsigned vertex_size)
{
	put_u8(b, opcode);
	put_be16(b, count);
	for (unsigned i = 0; i < count * vertex_size; i++)
		put_u8(b, i * 7);
}

static inline void put_list(struct bytes *b, uint32_t address, uint32_t size)
{
	put_u8(b, 0x40);
	put_be32(b, address);
	put_be32(b, size);
}

/* ---- the log ------------------------------------------------------------------------------------------------------------ */

struct log_update {
	uint32_t position, address;
	unsigned type;
	const void *data;
	uint32_t size;
};

struct log_frame {
	struct bytes fifo;
	struct log_update update[32];
	unsigned update_count;
};

struct log {
	uint32_t version;
	uint32_t flags;
	uint32_t bp[256], cp[256];
	const uint32_t *xf_memory, *xf_registers; /* 4096, 96 words, or NULL: zeros */
	const uint8_t *tmem;                      /* tmem_size bytes, or NULL: zeros */
	uint32_t tmem_size, mem1_size, mem2_size;
	struct log_frame frame[8];
	unsigned frame_count;
};

static inline void log_update(struct log_frame *f, uint32_t position, unsigned type, uint32_t address, const void *data, uint32_t size)
{
	f->update[f->update_count++] = (struct log_update){position, address, type, data, size};
}

static inline void put_words(struct bytes *b, size_t field, const uint32_t *words, unsigned count)
{
	set_le64(b, field, b->size);
	set_le32(b, field + 8, count);
	put_zero(b, 4u * count);
	for (unsigned i = 0; words && i < count; i++)
		set_le32(b, b->size - 4u * (count - i), words[i]);
}

static inline struct bytes log_write(const struct log *log)
{
	struct bytes b = {0};

	put_zero(&b, 128 + 64u * log->frame_count);
	set_le32(&b, 0, 0x0D01F1F0);
	set_le32(&b, 4, log->version);
	set_le32(&b, 8, 1);
	put_words(&b, 12, log->bp, 256);
	put_words(&b, 24, log->cp, 256);
	put_words(&b, 36, log->xf_memory, 4096);
	put_words(&b, 48, log->xf_registers, 96);
	set_le64(&b, 60, 128);
	set_le32(&b, 68, log->frame_count);
	set_le32(&b, 72, log->flags);
	if (log->version >= 4) {
		set_le64(&b, 76, b.size);
		set_le32(&b, 84, log->tmem_size);
		if (log->tmem)
			put(&b, log->tmem, log->tmem_size);
		else
			put_zero(&b, log->tmem_size);
	}
	if (log->version >= 5) {
		set_le32(&b, 88, log->mem1_size);
		set_le32(&b, 92, log->mem2_size);
	}
	for (unsigned i = 0; i < log->frame_count; i++) {
		const struct log_frame *f = &log->frame[i];
		size_t entry = 128 + 64 * i, list;

		set_le64(&b, entry, b.size);
		set_le32(&b, entry + 8, (uint32_t)f->fifo.size);
		put(&b, f->fifo.data, f->fifo.size);
		list = b.size;
		set_le64(&b, entry + 20, list);
		set_le32(&b, entry + 28, f->update_count);
		put_zero(&b, 24u * f->update_count);
		for (unsigned k = 0; k < f->update_count; k++) {
			size_t at = list + 24u * k;

			set_le32(&b, at, f->update[k].position);
			set_le32(&b, at + 4, f->update[k].address);
			set_le64(&b, at + 8, b.size);
			set_le32(&b, at + 16, f->update[k].size);
			b.data[at + 20] = (uint8_t)f->update[k].type;
			put(&b, f->update[k].data, f->update[k].size);
		}
	}
	return b;
}

static inline void log_free(struct log *log)
{
	for (unsigned i = 0; i < log->frame_count; i++)
		free(log->frame[i].fifo.data);
}

#endif
