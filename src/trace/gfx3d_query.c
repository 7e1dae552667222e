/* gfx3d_query.c - pictures and pixels of a capture of Gfx3D calls, and its public questions
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/image.h"
#include "trace/gfx3d.h"

/* ---- what the moment shows ---------------------------------------------------------------------------------------------- */

/* The target being drawn into, or the last one: that of a context in a frame, else any context's. */
static const struct g3_target *current_target(const struct qs_timeline *t)
{
	struct qs_gfx3d *g = t->gfx3d->g;
	const struct g3_target *found = NULL;

	for (unsigned i = 0; i < QS_GFX3D_MAX_CONTEXTS; i++) {
		const struct g3_context *c = &g->context[i];
		const struct g3_target *target = c->slot.used ? g3_target(g, c->slot.owner, c->target) : NULL;

		if (target && (c->in_frame || !found))
			found = target;
		if (target && c->in_frame)
			break;
	}
	return found;
}

/* At the end of a frame its picture, whatever was destroyed since. */
static const struct g3_picture *frame_picture(const struct qs_timeline *t)
{
	const struct qs_frame *f = t->moment.level == QS_LEVEL_FRAME ? qs_capture_frame(t->capture, t->moment.frame) : NULL;
	const struct g3_picture *p = t->gfx3d->picture;

	if (p && f && p->command - f->first_command < f->command_count)
		return p;
	return p && !current_target(t) ? p : NULL;
}

bool trace_gfx3d_has_picture(const struct qs_timeline *t)
{
	return frame_picture(t) || current_target(t);
}

void trace_gfx3d_size(const struct qs_timeline *t, uint32_t *width, uint32_t *height)
{
	const struct g3_picture *p = frame_picture(t);
	const struct g3_target *target = current_target(t);

	*width = p ? (uint32_t)p->width : target ? (uint32_t)target->width : 1;
	*height = p ? (uint32_t)p->height : target ? (uint32_t)target->height : 1;
}

static bool pixel_at(const struct qs_timeline *t, size_t i, uint32_t *argb, float *z)
{
	const struct g3_picture *p = frame_picture(t);
	const struct g3_target *target = p ? NULL : current_target(t);

	if (!p && !target) {
		*argb = 0;
		*z = 0;
		return false;
	}
	*argb = p ? p->color[i] : g3_target_pixel(target, i);
	*z = p ? p->depth[i] : target->depth[i];
	return true;
}

static void convert(uint32_t argb, float z, uint8_t rgba[4], uint32_t *depth)
{
	rgba[0] = (uint8_t)(argb >> 16);
	rgba[1] = (uint8_t)(argb >> 8);
	rgba[2] = (uint8_t)argb;
	rgba[3] = (uint8_t)(argb >> 24);
	*depth = !(z > 0) ? 0 : z >= 1 ? 0xFFFFFF : (uint32_t)(z * 16777215.0f);
}

bool trace_gfx3d_pixel(const struct qs_timeline *t, int x, int y, uint8_t rgba[4], uint32_t *z)
{
	uint32_t width, height, argb, depth;
	float value;

	trace_gfx3d_size(t, &width, &height);
	if (x < 0 || y < 0 || (uint32_t)x >= width || (uint32_t)y >= height)
		return false;
	pixel_at(t, (size_t)y * width + (size_t)x, &argb, &value);
	convert(argb, value, rgba, &depth);
	if (z)
		*z = depth;
	return true;
}

bool trace_gfx3d_image(struct qs_timeline *t, enum qs_buffer buffer, struct qs_image *image, struct qs_error *error)
{
	uint32_t width, height;

	if (buffer == QS_BUFFER_XFB || (buffer == QS_BUFFER_COPY && !t->gfx3d->picture)) {
		qs_error_set(error, QS_ERR_RANGE, 0, buffer == QS_BUFFER_XFB ? "Gfx3D has no video memory."
			: "No frame has ended up to this moment.");
		return false;
	}
	trace_gfx3d_size(t, &width, &height);
	if (buffer == QS_BUFFER_COPY) {
		width = (uint32_t)t->gfx3d->picture->width;
		height = (uint32_t)t->gfx3d->picture->height;
	}
	if (!image_create(image, width, height, buffer == QS_BUFFER_DEPTH, error))
		return false;
	for (size_t i = 0; i < (size_t)width * height; i++) {
		uint8_t *rgba = image->rgba + 4 * i;
		uint32_t argb, depth;
		float z;

		if (buffer == QS_BUFFER_COPY) {
			argb = t->gfx3d->picture->color[i];
			z = 0;
		} else {
			pixel_at(t, i, &argb, &z);
		}
		convert(argb, z, rgba, &depth);
		if (buffer == QS_BUFFER_DEPTH) {
			image->depth[i] = depth;
			rgba[0] = rgba[1] = rgba[2] = (uint8_t)(depth >> 16);
			rgba[3] = 255;
		}
		if (buffer == QS_BUFFER_ALPHA) {
			rgba[0] = rgba[1] = rgba[2] = rgba[3];
			rgba[3] = 255;
		}
	}
	return true;
}

/* ---- the history of a pixel --------------------------------------------------------------------------------------------- */

struct collector {
	struct qs_timeline *t;
	struct qs_history_row *row;
	uint32_t count, room;
	int x, y;
	uint8_t before[4];
	uint32_t z_before;
	bool no_memory;
};

static struct qs_history_row *add_row(struct collector *c)
{
	if (c->count == c->room) {
		uint32_t room = c->room ? 2 * c->room : 64;
		struct qs_history_row *grown = realloc(c->row, room * sizeof *grown);

		if (!grown) {
			c->no_memory = true;
			return NULL;
		}
		c->row = grown;
		c->room = room;
	}
	memset(&c->row[c->count], 0, sizeof *c->row);
	return &c->row[c->count++];
}

static bool on_quad(void *user, const struct qs_moment *moment, const struct qs_setup *setup, const struct qs_quad *quad)
{
	struct collector *c = user;
	uint32_t k = (uint32_t)((c->y & 1) * 2 + (c->x & 1));
	const struct qs_fragment *f = &quad->fragment[k];
	struct qs_history_row *row;

	(void)setup;
	if (quad->x != (c->x & ~1) || quad->y != (c->y & ~1) || !f->samples)
		return true;
	row = add_row(c);
	if (!row)
		return false;
	row->moment = *moment;
	row->moment.level = QS_LEVEL_FRAGMENT;
	row->moment.fragment = k;
	row->kind = QS_HISTORY_FRAGMENT;
	row->verdict = f->verdict;
	memcpy(row->source, f->source, 4);
	memcpy(row->before, f->old_rgba, 4);
	memcpy(row->after, f->new_rgba, 4);
	row->z = f->z;
	row->z_before = f->z_old;
	row->z_after = f->z_new;
	row->z_func = f->z_func;
	return true;
}

/* A clear is a call that changes the pixel as nothing else outside a draw does. */
static bool on_command(void *user, const struct qs_moment *moment)
{
	struct collector *c = user;
	const struct qs_command *command = qs_capture_command(c->t->capture, moment->command);
	struct qs_history_row *row;
	uint8_t now[4];
	uint32_t z;

	if (command->opcode != G3_clear) {
		trace_gfx3d_pixel(c->t, c->x, c->y, c->before, &c->z_before);
		return true;
	}
	if (!trace_gfx3d_pixel(c->t, c->x, c->y, now, &z))
		return true;
	row = add_row(c);
	if (!row)
		return false;
	row->moment = *moment;
	row->kind = QS_HISTORY_CLEAR;
	row->verdict = QS_VERDICT_WRITTEN;
	memcpy(row->source, now, 4);
	memcpy(row->before, c->before, 4);
	memcpy(row->after, now, 4);
	row->z = row->z_after = z;
	row->z_before = c->z_before;
	return true;
}

bool trace_gfx3d_history(struct qs_timeline *t, uint32_t frame, uint32_t end, int x, int y, struct qs_history_row **rows, uint32_t *count,
	struct qs_error *error)
{
	const struct qs_frame *f = qs_capture_frame(t->capture, frame);
	struct collector c = {.t = t, .x = x, .y = y};
	struct qs_taps taps = {.mask = QS_TAP_QUAD | QS_TAP_COMMAND, .user = &c, .quad = on_quad, .command = on_command};
	struct qs_rect filter = {x, y, x + 1, y + 1};
	struct qs_moment here = t->moment, from = {.level = QS_LEVEL_START}, to = {.level = QS_LEVEL_START};
	enum trace_result result;

	if (f->first_command)
		qs_moment_of_command(t->capture, f->first_command - 1, &from);
	if (end)
		qs_moment_of_command(t->capture, end - 1, &to);
	result = trace_goto_moment(t, &from);
	if (!result)
		result = trace_run(t, &to, &taps, &filter);
	t->moment = here;
	t->away = true;
	*rows = c.row;
	*count = c.count;
	if (!result && !c.no_memory)
		return true;
	free(c.row);
	*rows = NULL;
	*count = 0;
	if (result)
		return trace_fail(t, result, NULL, error);
	qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for the history of the pixel.");
	return trace_come_back(t);
}

/* ---- public ------------------------------------------------------------------------------------------------------------- */

const struct qs_gfx3d *qs_timeline_gfx3d(const struct qs_timeline *t)
{
	return t->gfx3d ? t->gfx3d->g : NULL;
}

bool qs_timeline_set_gfx3d_model(struct qs_timeline *t, enum qs_gfx3d_model model, struct qs_error *error)
{
	if (!trace_gfx3d_is(t, error) || !trace_start(t, error))
		return false;
	trace_gfx3d_set_model(t, model);
	trace_start_again(t);
	return true;
}

bool qs_timeline_gfx3d_quad(struct qs_timeline *t, struct qs_gfx3d_quad *quad, struct qs_error *error)
{
	const struct qs_moment *m = &t->moment;

	if (!trace_gfx3d_is(t, error) || !trace_start(t, error))
		return false;
	if (m->level < QS_LEVEL_QUAD) {
		qs_error_set(error, QS_ERR_RANGE, 0, "There is no quad at this moment; go to a quad or finer.");
		return false;
	}
	*quad = t->gfx3d->record;
	for (uint32_t i = 0; i < 4 && m->level > QS_LEVEL_QUAD; i++) {
		struct qs_gfx3d_fragment *f = &quad->fragment[i];

		if (i < m->fragment || (i == m->fragment && m->level == QS_LEVEL_FRAGMENT))
			continue;
		if (f->samples)
			f->verdict = QS_GFX3D_VERDICT_PENDING;
		f->new_pixel = f->old_pixel;
		f->z_new = f->z_old;
		if (i > m->fragment || m->level == QS_LEVEL_STAGE)
			memset(f->color, 0, sizeof f->color);
	}
	if (m->level != QS_LEVEL_STAGE)
		return true;
	while (quad->step_count && quad->step[quad->step_count - 1].instruction > m->stage)
		quad->step_count--;
	return true;
}

static const struct csir_shader *shader_at(struct qs_timeline *t, unsigned stage, struct qs_error *error)
{
	struct qs_gfx3d *g = t->gfx3d ? t->gfx3d->g : NULL;
	const struct csir_program *program = NULL;

	if (!trace_gfx3d_is(t, error))
		return NULL;
	for (unsigned i = 0; i < QS_GFX3D_MAX_CONTEXTS && !program; i++)
		if (g->context[i].slot.used && g->context[i].in_frame)
			program = g3_bound_program(g, &g->context[i]);
	for (unsigned i = 0; i < QS_GFX3D_MAX_CONTEXTS && !program; i++)
		if (g->context[i].slot.used)
			program = g3_bound_program(g, &g->context[i]);
	if (program && stage < 2)
		return csir_program_shader(program, (enum csir_stage)stage, &g->quirks);
	qs_error_set(error, QS_ERR_RANGE, 0, "No program is in use at this moment.");
	return NULL;
}

uint32_t qs_timeline_gfx3d_instructions(struct qs_timeline *t, unsigned stage)
{
	const struct csir_shader *shader = shader_at(t, stage, NULL);

	return shader ? shader->instr_count : 0;
}

char *qs_timeline_gfx3d_instruction(struct qs_timeline *t, unsigned stage, uint32_t i, uint32_t *line, char *buffer, size_t size)
{
	const struct csir_shader *shader = shader_at(t, stage, NULL);

	if (size)
		buffer[0] = '\0';
	if (line)
		*line = 0;
	if (!shader || i >= shader->instr_count)
		return buffer;
	if (line)
		*line = shader->line[i];
	return csir_instr_text(shader, i, buffer, size);
}
