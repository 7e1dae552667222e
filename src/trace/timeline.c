/* timeline.c - a capture, a machine, and the moment it is at
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/hash.h"
#include "gx/parallel.h"
#include "trace/gfx3d.h"

#define PAGE_BUDGET ((size_t)256 << 20)

/* ---- life --------------------------------------------------------------------------------------------------------------- */

bool trace_reset(struct qs_timeline *t)
{
	if (t->gfx3d)
		return trace_gfx3d_reset(t);
	trace_release(t);
	trace_checkpoint_clear(t);
	gx_machine_reset(t->m, t->capture);
	trace_accesses(t, QS_NONE);
	memset(&t->at, 0, sizeof t->at);
	t->entry_command = QS_NONE;
	t->lost = t->partial = t->undo.valid = t->quad_known = false;
	t->since = 0;
	t->started = trace_clock();
	return trace_checkpoint_add(t);
}

static unsigned default_threads(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n < 1 ? 1 : n > 4 ? 4 : (unsigned)n;
}

struct qs_timeline *qs_timeline_create(struct qs_capture *capture, struct qs_error *error)
{
	const struct qs_capture_info *info = qs_capture_info(capture);
	struct qs_timeline *t = calloc(1, sizeof *t);
	size_t frames = info->frame_count ? info->frame_count : 1;

	if (t) {
		t->capture = capture;
		t->info = info;
		t->page_budget = PAGE_BUDGET;
		t->m = gx_machine_create(info->mem1_size, info->mem2_size);
		t->touch = calloc(frames, sizeof *t->touch);
		t->writes = calloc(frames, sizeof *t->writes);
		t->pipeline = calloc(frames, sizeof *t->pipeline);
		t->cache_use = calloc(frames, sizeof *t->cache_use);
	}
	if (t && t->m && info->machine == QS_MACHINE_FLIPPER)
		gx_set_threads(t->m, default_threads());
	if (t && info->machine == QS_MACHINE_GFX3D && !trace_gfx3d_create(t)) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for a Gfx3D machine.");
		qs_timeline_destroy(t);
		return NULL;
	}
	if (!t || !t->m || !t->touch || !t->writes || !t->cache_use || !t->pipeline || !trace_reset(t)) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for a machine with %" PRIu32 " bytes of main memory.",
			info->mem1_size + info->mem2_size);
		qs_timeline_destroy(t);
		return NULL;
	}
	return t;
}

void trace_forget(struct qs_timeline *t)
{
	trace_walk_clear(t);
	trace_touch_clear(t);
	trace_writes_clear(t);
	memset(t->cache_use, 0, t->info->frame_count);
	t->whole.frame = 0;
	t->quad_known = false;
}

void qs_timeline_destroy(struct qs_timeline *t)
{
	if (!t)
		return;
	trace_gfx3d_destroy(t);
	if (t->m) {
		t->m->renderer_ahead = false;
		t->m->renderer = NULL;
		trace_release(t);
		trace_checkpoint_clear(t);
		if (t->touch && t->writes && t->cache_use)
			trace_forget(t);
		gx_machine_destroy(t->m);
	}
	gx_virgl_destroy(t->virgl);
	trace_breakpoints_free(t->breakpoints);
	free(t->pipeline);
	free(t->scratch);
	free(t->checkpoint);
	free(t->touch);
	free(t->writes);
	free(t->cache_use);
	free(t);
}

struct qs_capture *qs_timeline_capture(const struct qs_timeline *t)
{
	return t->capture;
}

/* ---- models ------------------------------------------------------------------------------------------------------------- */

static struct qs_moment coarser(const struct qs_timeline *t, const struct qs_moment *moment)
{
	struct qs_moment m = *moment;

	if (m.level == QS_LEVEL_DRAW || m.level == QS_LEVEL_COMMAND || m.level == QS_LEVEL_FRAME)
		return (struct qs_moment){.level = QS_LEVEL_START};
	m.level = m.level == QS_LEVEL_PRIMITIVE ? QS_LEVEL_DRAW : (enum qs_level)(m.level - 1);
	if (m.level == QS_LEVEL_DRAW)
		qs_moment_of_command(t->capture, m.command, &m);
	if (m.level < QS_LEVEL_STAGE)
		m.stage = 0;
	if (m.level < QS_LEVEL_FRAGMENT)
		m.fragment = 0;
	if (m.level < QS_LEVEL_QUAD)
		m.quad = 0;
	return m;
}

static bool seek(struct qs_timeline *t, const struct qs_moment *moment, struct qs_error *error);

static void be_patient(struct qs_timeline *t, bool patient)
{
	t->patient = patient;
	t->m->cancel = patient ? NULL : &t->cancel;
}

/* Another model covers other pixels: when the moment no longer exists, the thing that held it is taken. */
void trace_start_again(struct qs_timeline *t)
{
	struct qs_moment moment = t->moment;

	trace_start(t, NULL);
	trace_forget(t);
	trace_reset(t); /* without memory for a checkpoint the machine stands at the start all the same */
	memset(&t->moment, 0, sizeof t->moment);
	be_patient(t, true);
	while (!seek(t, &moment, NULL) && moment.level != QS_LEVEL_START)
		moment = coarser(t, &moment);
	be_patient(t, false);
}

void qs_timeline_set_model(struct qs_timeline *t, enum qs_model model)
{
	if (t->running)
		return;
	t->model = model;
	gx_machine_set_model(t->m, model);
	trace_start_again(t);
}

enum qs_model qs_timeline_model(const struct qs_timeline *t)
{
	return t->model;
}

static uint32_t find_quirk(const char *name)
{
	uint32_t i = 0;

	while (i < qs_quirk_count() && strcmp(qs_quirk_at(i)->name, name))
		i++;
	return i;
}

static bool set_gfx3d_quirk(struct qs_timeline *t, const char *name, int value, struct qs_error *error)
{
	int i = g3_quirk_find(name);

	if (i < 0) {
		qs_error_set(error, QS_ERR_RANGE, 0, "There is no quirk of Gfx3D named \"%.60s\"; docs/gfx3d.md lists them.", name);
		return false;
	}
	if (!trace_start(t, error))
		return false;
	t->gfx3d->forced = true;
	t->gfx3d->g->quirks.v[i] = value;
	trace_start_again(t);
	return true;
}

bool qs_timeline_set_quirk(struct qs_timeline *t, const char *name, int value, struct qs_error *error)
{
	uint32_t i = find_quirk(name);

	if (t->gfx3d)
		return set_gfx3d_quirk(t, name, value, error);

	if (i == qs_quirk_count()) {
		qs_error_set(error, QS_ERR_RANGE, 0, "There is no quirk named \"%.60s\"; qscope regs --quirks lists them.", name);
		return false;
	}
	if (!trace_start(t, error))
		return false;
	t->m->quirk[i] = value;
	trace_start_again(t);
	return true;
}

int qs_timeline_quirk(const struct qs_timeline *t, const char *name)
{
	uint32_t i = find_quirk(name);

	if (t->gfx3d)
		return qs_gfx3d_quirk(t->gfx3d->g, name);
	return i < qs_quirk_count() ? t->m->quirk[i] : 0;
}

static bool can_force(enum qs_unit unit, uint32_t address)
{
	if (!qs_register_find(unit, address) || unit == QS_UNIT_PE)
		return false;
	return unit == QS_UNIT_BP ? address != 0xFE : unit != QS_UNIT_CP || address < 0x50 || address >= 0xA0;
}

uint32_t qs_timeline_override_add(struct qs_timeline *t, enum qs_unit unit, uint32_t address, uint32_t mask, uint32_t value,
	struct qs_error *error)
{
	struct gx_machine *m = t->m;

	if (!can_force(unit, address)) {
		qs_error_set(error, QS_ERR_RANGE, 0, "The register %s.0x%02" PRIx32 " cannot be forced: only BP, CP and XF registers that do "
			"not decide how the capture is read.", qs_unit_name(unit), address);
		return 0;
	}
	if (m->forced_count == GX_FORCED) {
		qs_error_set(error, QS_ERR_RANGE, 0, "At most %d registers can be forced at once.", GX_FORCED);
		return 0;
	}
	if (!trace_start(t, error))
		return 0;
	t->override_id[m->forced_count] = ++t->override_next;
	m->forced[m->forced_count++] = (struct gx_forced){(uint8_t)unit, (uint16_t)address, mask, value};
	trace_start_again(t);
	return t->override_next;
}

bool qs_timeline_override_remove(struct qs_timeline *t, uint32_t id)
{
	struct gx_machine *m = t->m;
	unsigned i = 0;

	while (i < m->forced_count && t->override_id[i] != id)
		i++;
	if (i == m->forced_count || !trace_start(t, NULL))
		return false;
	m->forced_count--;
	for (; i < m->forced_count; i++) {
		m->forced[i] = m->forced[i + 1];
		t->override_id[i] = t->override_id[i + 1];
	}
	trace_start_again(t);
	return true;
}

uint32_t qs_timeline_override_count(const struct qs_timeline *t)
{
	return t->m->forced_count;
}

void qs_timeline_set_threads(struct qs_timeline *t, unsigned threads)
{
	gx_set_threads(t->m, threads);
}

void qs_timeline_set_batch(struct qs_timeline *t, unsigned quads)
{
	t->m->batch_quads = quads < 1 ? 1 : quads > GX_BATCH_QUADS ? GX_BATCH_QUADS : quads;
}

void qs_timeline_cancel(struct qs_timeline *t)
{
	t->cancel = true;
}

/* ---- moments ------------------------------------------------------------------------------------------------------------ */

const struct qs_moment *qs_timeline_moment(const struct qs_timeline *t)
{
	return &t->moment;
}

bool trace_start(struct qs_timeline *t, struct qs_error *error)
{
	if (t->running) {
		qs_error_set(error, QS_ERR_RANGE, 0, "This cannot be asked while a replay is under way; stop it first.");
		return false;
	}
	t->cancel = false;
	be_patient(t, false);
	t->filtered = false;
	trace_set_taps(t, NULL);
	return true;
}

bool trace_resolve(const struct qs_timeline *t, const struct qs_moment *in, struct qs_moment *out, struct qs_error *error)
{
	const struct qs_frame *frame;
	const struct qs_command *c;

	*out = *in;
	if (in->level == QS_LEVEL_START) {
		*out = (struct qs_moment){.level = QS_LEVEL_START};
		return true;
	}
	if ((unsigned)in->level > QS_LEVEL_STAGE) {
		qs_error_set(error, QS_ERR_RANGE, 0, "A moment has no level %u.", (unsigned)in->level);
		return false;
	}
	if (in->level == QS_LEVEL_FRAME) {
		frame = qs_capture_frame(t->capture, in->frame);
		if (!frame) {
			qs_error_set(error, QS_ERR_RANGE, 0, "There is no frame %" PRIu32 ": the capture has %" PRIu32 ", counted from 1.",
				in->frame, t->info->frame_count);
			return false;
		}
		uint32_t next = frame->first_command + frame->command_count;
		*out = (struct qs_moment){.level = QS_LEVEL_FRAME, .frame = in->frame, .command = next ? next - 1 : QS_NONE};
		return true;
	}
	c = qs_capture_command(t->capture, in->command);
	if (!c || c->frame != in->frame || (in->level >= QS_LEVEL_DRAW && c->draw == QS_NONE)) {
		qs_error_set(error, QS_ERR_RANGE, 0, "Command %" PRIu32 " is no %s of frame %" PRIu32 ".", in->command,
			in->level >= QS_LEVEL_DRAW ? "draw" : "command", in->frame);
		return false;
	}
	if (in->level <= QS_LEVEL_DRAW)
		return qs_moment_of_command(t->capture, in->command, out);
	out->draw = c->draw;
	if (out->level < QS_LEVEL_STAGE)
		out->stage = 0;
	if (out->level < QS_LEVEL_FRAGMENT)
		out->fragment = 0;
	if (out->level < QS_LEVEL_QUAD)
		out->quad = 0;
	return true;
}

struct trace_position trace_position_of(const struct qs_timeline *t, const struct qs_moment *moment)
{
	struct trace_position p = {.command = 0};
	const struct qs_frame *frame;

	switch (moment->level) {
	case QS_LEVEL_START:
		break;
	case QS_LEVEL_FRAME:
		frame = qs_capture_frame(t->capture, moment->frame);
		p.command = frame->first_command + frame->command_count;
		break;
	case QS_LEVEL_COMMAND:
	case QS_LEVEL_DRAW:
		p.command = moment->command + 1;
		break;
	default:
		p = (struct trace_position){moment->command, moment->primitive, moment->quad, true};
		if (moment->level == QS_LEVEL_PRIMITIVE)
			p.quad = UINT32_MAX;
		break;
	}
	return p;
}

static uint8_t commit_of(const struct qs_moment *moment)
{
	if (moment->level == QS_LEVEL_QUAD)
		return 15;
	return (uint8_t)((1u << (moment->fragment + (moment->level == QS_LEVEL_FRAGMENT))) - 1u);
}

enum trace_result trace_goto_moment(struct qs_timeline *t, const struct qs_moment *moment)
{
	struct trace_position target = trace_position_of(t, moment);
	enum trace_result result;

	t->away = true;
	result = trace_goto(t, &target);
	if (!result && moment->level >= QS_LEVEL_QUAD)
		result = trace_single(t, commit_of(moment));
	if (!result) {
		t->moment = *moment;
		t->away = false;
	}
	return result;
}

bool trace_come_back(struct qs_timeline *t)
{
	struct qs_moment moment = t->moment;
	bool patient = t->patient;

	trace_set_taps(t, NULL);
	t->filtered = false;
	if (!t->away && !t->lost)
		return false;
	be_patient(t, true);
	trace_goto_moment(t, &moment);
	be_patient(t, patient);
	return false;
}

static bool missing(struct qs_timeline *t, const struct qs_moment *moment, struct qs_error *error)
{
	char text[80];

	qs_moment_format(t->capture, moment, text, sizeof text);
	if (!t->at.inside && t->at.command > moment->command) {
		const struct trace_walk *walk = trace_walk_get(t, moment->command, NULL);
		qs_error_set(error, QS_ERR_RANGE, 0,
			"There is no moment %s: draw %" PRIu32 " of frame %" PRIu32 " has %" PRIu32 " primitives, counted from 0.", text,
			moment->draw, moment->frame, walk ? walk->primitives : 0);
	} else {
		qs_error_set(error, QS_ERR_RANGE, 0,
			"There is no moment %s: primitive %" PRIu32 " has %" PRIu32 " quads, counted from 0.", text, moment->primitive,
			t->at.quad);
	}
	return trace_come_back(t);
}

bool trace_fail(struct qs_timeline *t, enum trace_result result, const struct qs_moment *moment, struct qs_error *error)
{
	if (result == TRACE_MISSING && moment)
		return missing(t, moment, error);
	if (result == TRACE_CANCELLED)
		qs_error_set(error, QS_ERR_CANCELLED, 0, "Stopped on request; the moment is unchanged.");
	else
		qs_error_set(error, QS_ERR_RANGE, 0, "There is no such moment.");
	return trace_come_back(t);
}

/* Fragments exist where a pixel is covered, stages up to the number in GEN_MODE. */
static bool check_fine(struct qs_timeline *t, const struct qs_moment *moment, struct qs_error *error)
{
	uint32_t stages = t->gfx3d ? qs_timeline_gfx3d_instructions(t, CSIR_FRAGMENT) : (t->m->state.bp[0] >> 10 & 15) + 1;

	if (moment->level < QS_LEVEL_FRAGMENT)
		return true;
	if (moment->fragment > 3 || !trace_pixel_coverage(t->quad.coverage, moment->fragment)) {
		qs_error_set(error, QS_ERR_RANGE, 0, "Fragment %" PRIu32 " of quad %" PRIu32 " is not covered by primitive %" PRIu32 ".",
			moment->fragment, moment->quad, moment->primitive);
		return false;
	}
	if (moment->level == QS_LEVEL_STAGE && moment->stage >= stages) {
		qs_error_set(error, QS_ERR_RANGE, 0, "There is no stage %" PRIu32 ": draw %" PRIu32 " has %" PRIu32 ", counted from 0.",
			moment->stage, moment->draw, stages);
		return false;
	}
	return true;
}

static bool seek(struct qs_timeline *t, const struct qs_moment *moment, struct qs_error *error)
{
	struct qs_moment target, before = t->moment;

	if (!trace_resolve(t, moment, &target, error))
		return false;
	if (target.level >= QS_LEVEL_FRAGMENT && target.fragment > 3)
		return check_fine(t, &target, error);
	if (!t->away && !t->lost && target.level == t->moment.level && !qs_moment_compare(&target, &t->moment))
		return true;
	enum trace_result result = trace_goto_moment(t, &target);
	if (result)
		return trace_fail(t, result, &target, error);
	if (check_fine(t, &target, error))
		return true;
	t->moment = before;
	t->away = true;
	return trace_come_back(t);
}

bool qs_timeline_seek(struct qs_timeline *t, const struct qs_moment *moment, struct qs_error *error)
{
	return trace_start(t, error) && seek(t, moment, error);
}

/* ---- the state at the moment -------------------------------------------------------------------------------------------- */

uint64_t qs_timeline_hash(struct qs_timeline *t)
{
	struct qs_moment key = t->moment;

	gx_sync(t->m);
	return hash_bytes(&key, sizeof key, t->gfx3d ? g3_hash(t->gfx3d->g) : gx_machine_hash(t->m));
}

static const uint32_t *writer_of(const struct gx_state *s, enum qs_unit unit, uint32_t address)
{
	switch (unit) {
	case QS_UNIT_BP:
		return address < GX_BP_COUNT ? &s->bp_writer[address] : NULL;
	case QS_UNIT_CP:
		return address < 256 ? &s->cp_writer[address] : NULL;
	case QS_UNIT_XF:
		return address < GX_XF_COUNT ? &s->xf_writer[address] : NULL;
	case QS_UNIT_PE:
		return address / 2 < GX_PE_COUNT ? &s->pe_writer[address / 2] : NULL;
	default:
		return NULL;
	}
}

uint32_t qs_timeline_register(const struct qs_timeline *t, enum qs_unit unit, uint32_t address)
{
	const struct gx_state *s = &t->m->state;

	if (!writer_of(s, unit, address))
		return 0;
	switch (unit) {
	case QS_UNIT_BP:
		return s->bp[address];
	case QS_UNIT_CP:
		return s->cp[address];
	case QS_UNIT_XF:
		return s->xf[address];
	default:
		return s->pe[address / 2];
	}
}

uint32_t qs_timeline_register_writer(const struct qs_timeline *t, enum qs_unit unit, uint32_t address)
{
	const uint32_t *writer = writer_of(&t->m->state, unit, address);

	return writer ? *writer : QS_NONE;
}

/* Bytes of [address, address + size) inside, when memory holds a prefix of the range. */
static size_t main_inside(const struct gx_memory *memory, uint32_t address, size_t size)
{
	size_t low = 0, high = size;

	if (gx_memory_at(memory, address, size))
		return size;
	while (low < high) {
		size_t middle = low + (high - low + 1) / 2;
		if (gx_memory_at(memory, address, middle))
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

size_t qs_timeline_memory(const struct qs_timeline *t, enum qs_space space, uint32_t address, void *data, size_t size)
{
	const struct gx_memory *memory = &t->m->memory;
	size_t inside;

	if (space == QS_SPACE_MAIN) {
		gx_memory_read(memory, address, data, size);
		return main_inside(memory, address, size);
	}
	inside = address < GX_TMEM_SIZE ? GX_TMEM_SIZE - address : 0;
	inside = inside < size ? inside : size;
	if (inside)
		memcpy(data, memory->tmem + address, inside);
	memset((uint8_t *)data + inside, 0, size - inside);
	return inside;
}
