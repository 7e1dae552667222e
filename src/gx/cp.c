/* cp.c - command processor: register writes with their side effects, memory updates, execution of one command
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "core/bits.h"
#include "gx/front.h"
#include "gx/machine.h"

/* PE registers by byte offset (spec 07 section 2) */
enum { PE_CTRL = 0x0A, PE_TOKEN = 0x0E, PE_BOX = 0x10, PE_COUNTERS = 0x18, PE_COUNTERS_END = 0x2C };

enum { PE_CTRL_TOKEN = 1 << 2, PE_CTRL_FINISH = 1 << 3 };

static void tap_write(struct gx_machine *m, enum qs_unit unit, unsigned address, uint32_t old, uint32_t value)
{
	if (gx_tapped(m, QS_TAP_REGISTER) && !m->taps->write(m->taps->user, &m->moment, unit, address, old, value))
		m->stop = true;
}

/* PE registers change as a consequence of BP writes; the tap's address is the byte offset. */
static void write_pe(struct gx_machine *m, unsigned offset, unsigned value)
{
	uint16_t old = m->state.pe[offset / 2];

	m->state.pe[offset / 2] = (uint16_t)value;
	m->state.pe_writer[offset / 2] = m->command;
	tap_write(m, QS_UNIT_PE, offset, old, value & 0xFFFF);
}

static void bp_act(struct gx_machine *m, unsigned address, uint32_t value)
{
	switch (address) {
	case 0x45:
		if ((value & 3) == 2)
			write_pe(m, PE_CTRL, m->state.pe[PE_CTRL / 2] | PE_CTRL_FINISH);
		break;
	case 0x47:
	case 0x48:
		write_pe(m, PE_TOKEN, value & 0xFFFF);
		if (address == 0x48)
			write_pe(m, PE_CTRL, m->state.pe[PE_CTRL / 2] | PE_CTRL_TOKEN);
		break;
	case 0x52:
		gx_copy(m);
		break;
	case 0x55: /* left, right; 0x56: top, bottom */
	case 0x56:
		write_pe(m, PE_BOX + 4 * (address - 0x55), value & 0x3FF);
		write_pe(m, PE_BOX + 4 * (address - 0x55) + 2, value >> 10 & 0x3FF);
		break;
	case 0x57: /* the counters start again, whatever modes are chosen (GX writes 0xAAA to clear them) */
		for (unsigned offset = PE_COUNTERS; offset < PE_COUNTERS_END; offset += 2)
			if (m->state.pe[offset / 2])
				write_pe(m, offset, 0);
		break;
	case 0x63:
		gx_tx_load_block(m);
		break;
	case 0x65:
		gx_tx_load_tlut(m);
		break;
	case 0x66:
		gx_tx_invalidate(m);
		break;
	default:
		break;
	}
}

uint32_t gx_force(const struct gx_machine *m, enum qs_unit unit, unsigned address, uint32_t value)
{
	for (unsigned i = 0; i < m->forced_count; i++) {
		const struct gx_forced *f = &m->forced[i];
		if (f->unit == unit && f->address == address)
			value = (value & ~f->mask) | (f->value & f->mask);
	}
	return value;
}

/* Registers that do something when they are written, whatever the value (bp_act), or that the copies and loads to come depend on. */
static bool acts(unsigned address)
{
	return address == 0x45 || address == 0x47 || address == 0x48 || address == 0x52 || (address >= 0x55 && address <= 0x57) ||
		(address >= 0x60 && address <= 0x66);
}

/* 0xFE arms a mask for the next write only (spec 00 section 3). */
void gx_write_bp(struct gx_machine *m, unsigned address, uint32_t value)
{
	struct gx_state *s = &m->state;
	uint32_t mask = s->bp_mask;

	address &= 0xFF;
	value &= 0xFFFFFF;
	s->bp_mask = 0xFFFFFF;
	if (address == 0xFE) {
		s->bp_mask = value;
		mask = 0xFFFFFF;
	}
	unsigned slot = gx_bp_slot(address, value);
	uint32_t old = s->bp[slot];
	unsigned samples = gx_efb_samples(m);
	value = gx_force(m, QS_UNIT_BP, slot, (old & ~mask) | (value & mask));
	if (value != old || acts(address))
		gx_flush(m);
	s->bp[slot] = value;
	s->bp_writer[slot] = m->command;
	if (value != old || (address >= 0x60 && address <= 0x66) || address == 0x52)
		m->draw_state_valid = false;
	if (gx_efb_samples(m) > samples)
		gx_efb_spread(m);
	tap_write(m, QS_UNIT_BP, slot, old, value);
	bp_act(m, address, value);
}

/* Only one vertex descriptor exists: the low address bits of 0x50-0x57 and 0x60-0x67 are ignored (spec 01 section 2). */
static unsigned cp_slot(unsigned address)
{
	address &= 0xFF;
	switch (address >> 4) {
	case 0x3:
	case 0x4:
		return address & 0xF0;
	case 0x5:
	case 0x6:
	case 0x7:
	case 0x8:
	case 0x9:
		return (address & 0xF0) < 0x70 ? address & 0xF0 : address & 0xF7;
	default:
		return address;
	}
}

static void store_cp(struct gx_machine *m, unsigned slot, uint32_t value)
{
	uint32_t old = m->state.cp[slot];

	value = gx_force(m, QS_UNIT_CP, slot, value);
	m->state.cp[slot] = value;
	m->state.cp_writer[slot] = m->command;
	tap_write(m, QS_UNIT_CP, slot, old, value);
}

void gx_write_cp(struct gx_machine *m, unsigned address, uint32_t value)
{
	store_cp(m, cp_slot(address), value);
}

bool gx_xf_exists(const struct gx_machine *m, unsigned address)
{
	if (address >= GX_XF_COUNT)
		return false;
	if (m->quirk[GX_QUIRK_xf_unused])
		return true;
	if (address >= 0x1000)
		return !((address >= 0x1013 && address <= 0x1017) || (address >= 0x1027 && address <= 0x103E) ||
			(address >= 0x1048 && address <= 0x104F));
	return address < 0x100 || (address >= 0x400 && address < 0x460) || (address >= 0x500 && address < 0x680);
}

uint32_t gx_xf_stored(const struct gx_machine *m, unsigned address, uint32_t word)
{
	bool normal = address >= 0x400 && address < 0x460;
	bool light = address >= 0x600 && address < 0x680 && (address & 15) >= 4;

	return m->quirk[GX_QUIRK_light_precision] && (normal || light) ? word & 0xFFFFF000u : word;
}

void gx_write_xf(struct gx_machine *m, unsigned address, const uint32_t *words, unsigned count)
{
	struct gx_state *s = &m->state;

	for (unsigned i = 0; i < count; i++) {
		unsigned at = (address + i) & 0xFFFF;
		if (!gx_xf_exists(m, at))
			continue;
		uint32_t old = s->xf[at], value = gx_force(m, QS_UNIT_XF, at, gx_xf_stored(m, at, words[i]));
		s->xf[at] = value;
		s->xf_writer[at] = m->command;
		tap_write(m, QS_UNIT_XF, at, old, value);
		if ((at == 0x1018 || at == 0x1019) && m->quirk[GX_QUIRK_matrix_index])
			store_cp(m, at == 0x1018 ? 0x30 : 0x40, value);
	}
}

static void load_xf(struct gx_machine *m, const uint8_t *bytes)
{
	uint32_t header = be32(bytes), words[16];
	unsigned count = bits(header, 16, 4) + 1;

	for (unsigned i = 0; i < count; i++)
		words[i] = be32(bytes + 4 + 4 * i);
	gx_write_xf(m, header & 0xFFFF, words, count);
}

/* Arrays 12..15 by opcode 20 28 30 38. */
static void load_xf_indexed(struct gx_machine *m, unsigned opcode, uint32_t operand)
{
	unsigned array = 12 + (opcode >> 3 & 3), count = bits(operand, 12, 4) + 1;
	uint32_t stride = m->state.cp[0xB0 + array] & 0xFF, words[16];
	uint8_t raw[64];

	gx_memory_read(&m->memory, (m->state.cp[0xA0 + array] & m->array_mask) + (operand >> 16) * stride, raw, 4 * count);
	for (unsigned i = 0; i < count; i++)
		words[i] = be32(raw + 4 * i);
	gx_write_xf(m, operand & 0xFFF, words, count);
}

void gx_apply_updates(struct gx_machine *m, uint32_t command)
{
	const struct qs_update *update;
	uint32_t count = qs_capture_updates(m->capture, command, &update);

	m->command = command;
	qs_moment_of_command(m->capture, command, &m->moment);
	if (count) {
		gx_flush(m);
		m->draw_state_valid = false;
	}
	for (uint32_t i = 0; i < count; i++)
		gx_memory_write(&m->memory, update[i].address, qs_capture_update_data(m->capture, &update[i]), update[i].size);
}

static void run(struct gx_machine *m, const struct qs_command *command, const uint8_t *bytes)
{
	switch (command->kind) {
	case QS_COMMAND_CP:
		gx_write_cp(m, bytes[1], be32(bytes + 2));
		break;
	case QS_COMMAND_XF:
		load_xf(m, bytes + 1);
		break;
	case QS_COMMAND_XF_INDEXED:
		load_xf_indexed(m, bytes[0], be32(bytes + 1));
		break;
	case QS_COMMAND_BP:
	case QS_COMMAND_COPY:
		gx_write_bp(m, bytes[1], be24(bytes + 2));
		break;
	case QS_COMMAND_DRAW:
		if (gx_draw_begin(m, m->command)) {
			gx_draw_run(m);
			gx_draw_end(m);
		}
		break;
	default: /* nothing to do; the commands of a called list follow as commands of their own */
		break;
	}
}

void gx_execute(struct gx_machine *m, uint32_t command)
{
	const struct qs_command *c = qs_capture_command(m->capture, command);

	if (!c)
		return;
	gx_apply_updates(m, command);
	run(m, c, qs_capture_command_bytes(m->capture, command));
	if (c->kind == QS_COMMAND_DRAW && m->stop)
		return; /* stopped inside the draw: the command is not done */
	qs_moment_of_command(m->capture, command, &m->moment);
	if (gx_tapped(m, QS_TAP_COMMAND) && !m->taps->command(m->taps->user, &m->moment))
		m->stop = true;
}
