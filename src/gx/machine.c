/* machine.c - birth, initial state and hash of a machine
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "core/bits.h"
#include "core/hash.h"
#include "gx/front.h"
#include "gx/machine.h"
#include "gx/parallel.h"

#define PAGES(size) (((size_t)(size) + 4095) / 4096)

static bool memory_init(struct gx_memory *memory, uint32_t mem1_size, uint32_t mem2_size)
{
	memory->mem1_size = mem1_size;
	memory->mem2_size = mem2_size;
	memory->tmem = calloc(1, GX_TMEM_SIZE);
	memory->tags = calloc(GX_TMEM_LINES, sizeof *memory->tags);
	memory->mem1 = calloc(1, mem1_size ? mem1_size : 1);
	memory->mem1_dirty = calloc(1, PAGES(mem1_size) + 1);
	memory->mem2 = calloc(1, mem2_size ? mem2_size : 1);
	memory->mem2_dirty = calloc(1, PAGES(mem2_size) + 1);
	return memory->tmem && memory->tags && memory->mem1 && memory->mem1_dirty && memory->mem2 && memory->mem2_dirty;
}

static void memory_finish(struct gx_memory *memory)
{
	free(memory->tmem);
	gx_tags_finish(memory);
	free(memory->mem1);
	free(memory->mem1_dirty);
	free(memory->mem2);
	free(memory->mem2_dirty);
}

struct gx_machine *gx_machine_create(uint32_t mem1_size, uint32_t mem2_size)
{
	struct gx_machine *m = calloc(1, sizeof *m);

	if (!m)
		return NULL;
	m->efb = calloc(1, sizeof *m->efb);
	m->samples = calloc(1, sizeof *m->samples);
	m->samples_dirty = calloc(1, PAGES(sizeof *m->samples));
	m->vertex = calloc(1, sizeof *m->vertex);
	if (!memory_init(&m->memory, mem1_size, mem2_size) || !m->efb || !m->samples || !m->samples_dirty || !m->vertex) {
		gx_machine_destroy(m);
		return NULL;
	}
	m->batch_quads = GX_BATCH_QUADS;
	m->command = QS_NONE;
	m->array_mask = 0x03FFFFFF;
	gx_machine_set_model(m, QS_MODEL_HARDWARE);
	return m;
}

void gx_machine_destroy(struct gx_machine *m)
{
	if (!m)
		return;
	gx_parallel_destroy(m);
	memory_finish(&m->memory);
	gx_display_unref(m->display);
	gx_tx_finish(m);
	gx_draw_free(m);
	free(m->tev);
	free(m->pe);
	free(m->efb);
	free(m->samples);
	free(m->samples_dirty);
	free(m->vertex);
	free(m);
}

void gx_display_unref(struct gx_display *display)
{
	if (!display || --display->references)
		return;
	free(display->rgb);
	free(display->yuyv);
	free(display);
}

void gx_machine_set_model(struct gx_machine *m, enum qs_model model)
{
	for (uint32_t i = 0; i < GX_QUIRK_COUNT; i++)
		m->quirk[i] = qs_quirk_at(i)->value[model];
	m->draw_state_valid = false;
}

/* Fresh zero pages cost nothing until they are touched; clearing the old ones would make all of them resident. */
static void clear_bank(uint8_t **bank, uint8_t *dirty, uint32_t size)
{
	uint8_t *fresh = calloc(1, size ? size : 1);

	if (fresh) {
		free(*bank);
		*bank = fresh;
	} else {
		memset(*bank, 0, size);
	}
	memset(dirty, 0, PAGES(size));
}

static void clear_memory(struct gx_memory *memory)
{
	clear_bank(&memory->mem1, memory->mem1_dirty, memory->mem1_size);
	clear_bank(&memory->mem2, memory->mem2_dirty, memory->mem2_size);
	memset(memory->tmem, 0, GX_TMEM_SIZE);
	memset(memory->tags, 0, GX_TMEM_LINES * sizeof *memory->tags);
	memory->initial_tmem = NULL;
	memory->initial_tmem_size = 0;
	gx_tags_restored(memory);
	memory->main_generation++;
	memory->tmem_generation++;
}

static void clear_state(struct gx_state *s)
{
	memset(s, 0, sizeof *s);
	s->bp_mask = 0xFFFFFF;
	s->bp[0xFE] = 0xFFFFFF;
	for (uint32_t i = 0; i < qs_register_count(QS_UNIT_PE); i++)
		s->pe[qs_register_at(QS_UNIT_PE, i)->address / 2] = (uint16_t)qs_register_at(QS_UNIT_PE, i)->reset;
	memset(s->last_colour, 255, sizeof s->last_colour);
	memset(s->bp_writer, 0xFF, sizeof s->bp_writer); /* QS_NONE */
	memset(s->cp_writer, 0xFF, sizeof s->cp_writer);
	memset(s->xf_writer, 0xFF, sizeof s->xf_writer);
	memset(s->pe_writer, 0xFF, sizeof s->pe_writer);
}

/* Registers that act when written are left alone (spec dff-format section 3). */
static bool bp_loads(unsigned address)
{
	switch (address) {
	case 0x45: /* draw done */
	case 0x47: /* tokens */
	case 0x48:
	case 0x52: /* copy */
	case 0x63: /* preload */
	case 0x65: /* palette load */
	case 0x67:
	case 0xFE: /* write mask: taken as all ones */
		return false;
	default:
		return true;
	}
}

static bool cp_loads(unsigned address)
{
	switch (address >> 4) {
	case 0x3:
	case 0x4:
	case 0x5:
	case 0x6:
		return (address & 15) == 0;
	case 0x7:
	case 0x8:
	case 0x9:
		return (address & 15) < 8;
	case 0xA:
	case 0xB:
		return true;
	default:
		return false;
	}
}

static void load_state(struct gx_machine *m, const struct qs_initial_state *initial)
{
	struct gx_state *s = &m->state;
	uint32_t count = initial->xf_register_count;

	for (unsigned i = 0; i < 256; i++)
		if (bp_loads(i)) {
			uint32_t value = initial->bp[i] & 0xFFFFFF;
			s->bp[gx_bp_slot(i, value)] = value;
		}
	for (unsigned i = 0; i < 2; i++) { /* 0x55, 0x56: the bounding box */
		s->pe[8 + 2 * i] = (uint16_t)bits(s->bp[0x55 + i], 0, 10);
		s->pe[9 + 2 * i] = (uint16_t)bits(s->bp[0x55 + i], 10, 10);
	}
	for (unsigned i = 0; i < 256; i++)
		if (cp_loads(i))
			s->cp[i] = initial->cp[i];
	for (unsigned i = 0; i < 0x1000; i++)
		if (gx_xf_exists(m, i))
			s->xf[i] = gx_xf_stored(m, i, initial->xf_memory[i]);
	for (unsigned i = 0; i < count && i < GX_XF_COUNT - 0x1000; i++)
		if (gx_xf_exists(m, 0x1000 + i) && i != 7)
			s->xf[0x1000 + i] = initial->xf_registers[i];
	if (initial->tmem) {
		m->memory.initial_tmem = initial->tmem;
		m->memory.initial_tmem_size = initial->tmem_size < GX_TMEM_SIZE ? initial->tmem_size : GX_TMEM_SIZE;
		memcpy(m->memory.tmem, initial->tmem, m->memory.initial_tmem_size);
	}
}

/* Clear colour and Z of 0x4F-0x51 (spec dff-format section 2, step 3): one line, then copies.  Dolphin's player clears with a
 * copy of the captured registers, which obeys their update masks; the rest is black and at depth 0. */
static void clear_efb(struct gx_machine *m)
{
	m->renderer_ahead = false;
	const uint32_t *bp = m->state.bp;
	uint32_t rgba = bits(bp[0x4F], 0, 8) << 24 | bits(bp[0x50], 8, 8) << 16 | bits(bp[0x50], 0, 8) << 8 | bits(bp[0x4F], 8, 8);
	struct qs_rect line = {0, 0, GX_EFB_WIDTH, 1}, all = {0, 0, GX_EFB_WIDTH, GX_EFB_HEIGHT};
	bool masked = m->quirk[GX_QUIRK_start_clear], colour = !masked || bits(bp[0x41], 3, 1), alpha = !masked || bits(bp[0x41], 4, 1);
	bool depth = !masked || bits(bp[0x40], 4, 1);
	struct gx_samples *fresh = calloc(1, sizeof *fresh);

	if (fresh) {
		free(m->samples);
		m->samples = fresh;
	} else {
		memset(m->samples, 0, sizeof *m->samples);
	}
	memset(m->samples_dirty, 0, PAGES(sizeof *m->samples));
	memset(m->efb->colour, 0, GX_EFB_WIDTH * sizeof *m->efb->colour);
	memset(m->efb->depth, 0, GX_EFB_WIDTH * sizeof *m->efb->depth);
	gx_efb_clear(m, line, rgba, bp[0x51] & 0xFFFFFF, colour, alpha, depth);
	for (unsigned y = 1; y < GX_EFB_HEIGHT; y++) {
		memcpy(&m->efb->colour[y * GX_EFB_WIDTH], m->efb->colour, GX_EFB_WIDTH * sizeof *m->efb->colour);
		memcpy(&m->efb->depth[y * GX_EFB_WIDTH], m->efb->depth, GX_EFB_WIDTH * sizeof *m->efb->depth);
	}
	if (gx_efb_samples(m) > 1)
		gx_efb_clear(m, all, rgba, bp[0x51] & 0xFFFFFF, colour, alpha, depth);
}

static void force_state(struct gx_machine *m)
{
	struct gx_state *s = &m->state;

	for (unsigned i = 0; i < m->forced_count; i++) {
		unsigned unit = m->forced[i].unit, address = m->forced[i].address;
		uint32_t *reg = unit == QS_UNIT_BP ? &s->bp[address] : unit == QS_UNIT_CP ? &s->cp[address] : &s->xf[address];
		*reg = gx_force(m, (enum qs_unit)unit, address, *reg);
	}
}

void gx_machine_reset(struct gx_machine *m, const struct qs_capture *capture)
{
	m->capture = capture;
	m->array_mask = capture && qs_capture_info(capture)->wii ? 0x1FFFFFFF : 0x03FFFFFF;
	clear_memory(&m->memory);
	clear_state(&m->state);
	if (capture)
		load_state(m, qs_capture_initial(capture));
	force_state(m);
	clear_efb(m);
	gx_display_unref(m->display);
	m->display = NULL;
	m->command = QS_NONE;
	memset(&m->moment, 0, sizeof m->moment);
	m->stop = false;
	m->draw_state_valid = false;
}

/* Pages that hold only zeros do not count, so that untouched memory need not be read. */
static uint64_t hash_bank(const uint8_t *bank, const uint8_t *dirty, uint32_t size, uint64_t seed)
{
	static const uint8_t zero[4096];
	uint64_t hash = seed;

	for (size_t page = 0; page < PAGES(size); page++) {
		size_t left = size - page * 4096, count = left < 4096 ? left : 4096;
		const uint8_t *bytes = bank + page * 4096;
		if (dirty[page] && memcmp(bytes, zero, count))
			hash += hash_bytes(bytes, count, seed + page + 1);
	}
	return hash_bytes(&hash, sizeof hash, size);
}

/* The picture of the last display copy is represented by its command, since it follows from what is hashed at that command. */
uint64_t gx_machine_hash(const struct gx_machine *m)
{
	const struct gx_memory *memory = &m->memory;
	uint32_t display = m->display ? m->display->command : QS_NONE;
	uint64_t hash = hash_bytes(&m->state, sizeof m->state, display);

	hash = hash_bytes(m->efb, sizeof *m->efb, hash);
	hash = hash_bank((const uint8_t *)m->samples, m->samples_dirty, sizeof *m->samples, hash);
	hash = hash_bytes(memory->tmem, GX_TMEM_SIZE, hash);
	hash = hash_bytes(memory->tags, GX_TMEM_LINES * sizeof *memory->tags, hash);
	hash = hash_bank(memory->mem1, memory->mem1_dirty, memory->mem1_size, hash);
	return hash_bank(memory->mem2, memory->mem2_dirty, memory->mem2_size, hash);
}
