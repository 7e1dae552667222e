/* fuzz_steps.c - any log: the machine runs it, in whole draws and quad by quad, with the same result
 *
 * An input that begins with the magic number of a FIFO log is one; any other is the commands of one frame:
 *   byte 0      bit 0: draws whole (the scissor is kept small) or step by step with a budget; bits 1-2 model; bits 4-7 batch size
 *   byte 1      bits 0-5: taps of the second run; bits 6-7: 0 the rest are FIFO bytes, else a script (steps_script.h)
 *   from 2 on   run on a simple initial state; main memory holds the same bytes over and over
 *
 * Run: fuzz_steps -max_len=20000 -timeout=20 CORPUS
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/bits.h"
#include "dffwriter.h"
#include "gx/machine.h"
#include "steps_script.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Budgets, so that an input takes milliseconds.  They are spent alike in both runs. */
#define COMMANDS 300
#define COPIES 2
#define VERTICES 500 /* of draws that are run whole, all together; scissor 24 x 24 */
#define PRIMITIVES 300 /* of one draw that is stepped */
#define QUADS 1500     /* of draws that are stepped, all together */

struct plan {
	bool whole;
	enum qs_model model;
	unsigned batch;
	uint32_t taps;
	unsigned vertices, quads; /* left */
};

/* ---- the log ------------------------------------------------------------------------------------------------------------ */

static uint32_t float_bits(float value)
{
	uint32_t word;
	memcpy(&word, &value, 4);
	return word;
}

/* Pixels as positions, one texture coordinate, one colour, one TEV stage, everything written. */
static void simple_state(struct log *log, uint32_t *memory, uint32_t *registers)
{
	static const float viewport[6] = {320, -240, 16777215, 320 + 342, 240 + 342, 16777215};

	for (unsigned i = 0; i < 3; i++) {
		memory[5 * i] = memory[4 * 60 + 5 * i] = memory[0x500 + 4 * 61 + 5 * i] = memory[0x400 + 4 * i] = float_bits(1);
		registers[0x20 + 2 * i] = float_bits(i == 0 ? 2 / 640.0f : i == 1 ? -2 / 480.0f : 1);
	}
	registers[0x21] = float_bits(-1);
	registers[0x23] = float_bits(1);
	registers[0x26] = registers[0x09] = registers[0x3F] = 1;
	for (unsigned i = 0; i < 6; i++)
		registers[0x1A + i] = float_bits(viewport[i]);
	registers[0x0E] = registers[0x10] = 1;
	registers[0x18] = 60 << 6;
	registers[0x40] = 5 << 7;
	log->bp[0x00] = 0x000011;
	for (unsigned i = 1; i <= 4; i++)
		log->bp[i] = 0x666666;
	log->bp[0x20] = 342 << 12 | 342;
	log->bp[0x21] = (342 + 639) << 12 | (342 + 479);
	log->bp[0x22] = 6 << 8 | 6;
	log->bp[0x28] = 1 << 6;
	log->bp[0x30] = log->bp[0x31] = 15;
	log->bp[0x40] = 0x17;
	log->bp[0x41] = 0x18;
	log->bp[0x59] = (342 / 2) << 10 | 342 / 2;
	log->bp[0x53] = 0x595000;
	log->bp[0x54] = 0x000015;
	log->bp[0x88] = 15 << 10 | 15 | 6u << 20;
	log->bp[0xC0] = 0x08FFF8;
	log->bp[0xC1] = 0x08FFC0;
	log->bp[0xF3] = 0x3F0000;
	log->bp[0xFE] = 0xFFFFFF;
	log->cp[0x50] = 1 << 9 | 1 << 13;
	log->cp[0x60] = 1;
	for (unsigned i = 0; i < 8; i++) {
		log->cp[0x70 + i] = 0x41216000u | (i < 4 ? 7 + i * 0x10 : 2 * i);
		log->cp[0xA0 + i] = i * 0x100;
		log->cp[0xB0 + i] = 4 * i;
	}
}

static struct qs_capture *wrap(const uint8_t *data, size_t size, bool script)
{
	static uint8_t pattern[0x8000];
	static uint32_t memory[4096], registers[96];
	struct log log = {.version = 5, .mem1_size = 0x100000, .mem2_size = 0x10000, .frame_count = 1};
	struct log_frame *frame = &log.frame[0];

	memset(memory, 0, sizeof memory);
	memset(registers, 0, sizeof registers);
	log.xf_memory = memory;
	log.xf_registers = registers;
	simple_state(&log, memory, registers);
	for (size_t i = 0; i < sizeof pattern; i++)
		pattern[i] = size ? data[i % size] : 0;
	if (script)
		script_run(log.cp, data, size, &frame->fifo);
	else
		put(&frame->fifo, data, size);
	log_update(frame, 0, QS_UPDATE_VERTEX, 0, pattern, sizeof pattern);
	log_update(frame, 0, QS_UPDATE_TEXTURE, 0x10000000, pattern, 0x1000);
	struct bytes file = log_write(&log);
	struct qs_capture *capture = qs_capture_open_memory(file.data, file.size, NULL);
	free(file.data);
	log_free(&log);
	return capture;
}

/* ---- running ------------------------------------------------------------------------------------------------------------ */

static bool tap_command(void *user, const struct qs_moment *moment)
{
	char text[80];

	qs_moment_format(user, moment, text, sizeof text);
	return true;
}

static bool tap_write(void *user, const struct qs_moment *moment, enum qs_unit unit, uint32_t address, uint32_t old, uint32_t value)
{
	(void)unit, (void)address, (void)old, (void)value;
	return tap_command(user, moment);
}

static bool tap_primitive(void *user, const struct qs_moment *moment, const struct qs_setup *setup)
{
	if (setup->verdict > QS_SETUP_SCISSORED || setup->kind > QS_PRIMITIVE_TRIANGLE)
		abort();
	return tap_command(user, moment);
}

static bool tap_quad(void *user, const struct qs_moment *moment, const struct qs_setup *setup, const struct qs_quad *quad)
{
	(void)setup;
	if (quad->x < 0 || quad->x >= GX_EFB_WIDTH || quad->y < 0 || quad->y >= GX_EFB_HEIGHT || quad->x % 2 || quad->y % 2 || !quad->coverage)
		abort();
	return tap_command(user, moment);
}

static bool tap_copy(void *user, const struct qs_moment *moment, const struct qs_copy *copy)
{
	(void)copy;
	return tap_command(user, moment);
}

static void small_scissor(struct gx_machine *m)
{
	uint32_t *bp = m->state.bp, left = bits(bp[0x20], 12, 11), top = bits(bp[0x20], 0, 11);
	uint32_t right = bits(bp[0x21], 12, 11), bottom = bits(bp[0x21], 0, 11);

	right = right > left + 23 ? left + 23 : right;
	bottom = bottom > top + 23 ? top + 23 : bottom;
	bp[0x21] = (bp[0x21] & ~0x7FF7FFu) | right << 12 | bottom;
	m->draw_state_valid = false;
}

static void step_draw(struct gx_machine *m, uint32_t command, unsigned *left)
{
	unsigned primitives = *left == UINT32_MAX ? UINT32_MAX : PRIMITIVES;

	gx_apply_updates(m, command);
	if (!gx_draw_begin(m, command))
		return;
	while (*left && primitives-- && gx_draw_next_primitive(m)) {
		unsigned n;
		while (*left && (n = gx_draw_next_quads(m, *left < m->batch_quads ? *left : m->batch_quads, 15)) != 0)
			*left -= n;
	}
	gx_draw_end(m);
}

static void run_draw(struct gx_machine *m, uint32_t command, struct plan *plan, bool stepped)
{
	const uint8_t *bytes = qs_capture_command_bytes(m->capture, command);
	unsigned vertices = be16(bytes + 1), unlimited = UINT32_MAX;

	if (!plan->whole) {
		if (plan->quads)
			step_draw(m, command, &plan->quads);
		return;
	}
	if (vertices > plan->vertices)
		return;
	plan->vertices -= vertices;
	small_scissor(m);
	if (stepped)
		step_draw(m, command, &unlimited);
	else
		gx_execute(m, command);
}

static uint64_t run(struct qs_capture *capture, struct plan plan, bool stepped, unsigned batch, uint32_t taps)
{
	const struct qs_taps table = {taps, capture, tap_command, tap_write, tap_primitive, tap_quad, tap_copy, NULL};
	struct gx_machine *m = gx_machine_create(0x100000, 0x10000);
	unsigned copies = COPIES;

	if (!m)
		abort();
	gx_machine_set_model(m, plan.model);
	gx_machine_reset(m, capture);
	m->batch_quads = batch;
	m->taps = taps ? &table : NULL;
	for (uint32_t i = 0; i < COMMANDS && i < qs_capture_info(capture)->command_count; i++) {
		const struct qs_command *command = qs_capture_command(capture, i);
		if (command->kind == QS_COMMAND_DRAW)
			run_draw(m, i, &plan, stepped);
		else if (command->kind != QS_COMMAND_COPY || (copies && copies--))
			gx_execute(m, i);
	}
	uint32_t all = 0;
	for (unsigned i = 0; i < GX_EFB_WIDTH * GX_EFB_HEIGHT; i += 3)
		all |= m->efb->colour[i] | m->efb->depth[i];
	if (all > 0xFFFFFF)
		abort();
	uint64_t hash = gx_machine_hash(m);
	gx_machine_destroy(m);
	return hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bool is_log = size >= 4 && le32(data) == 0x0D01F1F0;
	unsigned first = is_log ? data[size - 1] : size ? data[0] : 0;
	struct plan plan = {first & 1, (enum qs_model)((first >> 1 & 3) % QS_MODEL_COUNT), (first >> 4) + 1, 0, VERTICES, QUADS};

	if (is_log)
		plan.taps = data[size - 1];
	else if (size > 1)
		plan.taps = data[1];
	plan.taps &= 63;
	size_t skip = size < 2 ? size : 2;
	bool script = size > 1 && data[1] >> 6;
	struct qs_capture *capture = is_log ? qs_capture_open_memory(data, size, NULL) : wrap(data + skip, size - skip, script);
	if (!capture)
		return 0;
	if (run(capture, plan, false, GX_BATCH_QUADS, 0) != run(capture, plan, true, plan.batch, plan.taps))
		abort(); /* batch size, taps or stepping changed the result */
	qs_capture_destroy(capture);
	return 0;
}
