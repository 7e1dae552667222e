/* pipeline.c - who draws which frame: the units, or a VirGL host
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/gfx3d.h"
#include "trace/timeline.h"

static const char *const names[QS_PIPELINE_COUNT] = {"soft", "shader"};

const char *qs_pipeline_name(enum qs_pipeline pipeline)
{
	return (unsigned)pipeline < QS_PIPELINE_COUNT ? names[pipeline] : "?";
}

bool qs_pipeline_parse(const char *name, enum qs_pipeline *pipeline)
{
	for (unsigned i = 0; i < QS_PIPELINE_COUNT; i++)
		if (!strcmp(name, names[i])) {
			*pipeline = (enum qs_pipeline)i;
			return true;
		}
	return false;
}

/* ---- inside ------------------------------------------------------------------------------------------------------------- */

bool trace_shader_frame(const struct qs_timeline *t, uint32_t frame)
{
	return t->virgl && frame && frame <= t->info->frame_count && t->pipeline[frame - 1] == QS_PIPELINE_SHADER;
}

bool trace_shader_command(const struct qs_timeline *t, uint32_t command)
{
	const struct qs_command *c = t->virgl ? qs_capture_command(t->capture, command) : NULL;

	return c && trace_shader_frame(t, c->frame);
}

void trace_pipeline_choose(struct qs_timeline *t, uint32_t frame)
{
	bool shader = trace_shader_frame(t, frame);

	if (shader != (t->m->renderer != NULL))
		gx_virgl_attach(shader ? t->virgl : NULL, t->m);
}

bool trace_pipeline_look(struct qs_timeline *t)
{
	return t->virgl && gx_virgl_trouble(t->virgl, &t->trouble);
}

void trace_pipeline_give_up(struct qs_timeline *t)
{
	gx_virgl_attach(NULL, t->m);
	memset(t->pipeline, QS_PIPELINE_SOFT, t->info->frame_count);
}

/* ---- for everybody ------------------------------------------------------------------------------------------------------ */

static bool open_host(struct qs_timeline *t, const struct qs_pipeline_options *o, struct qs_error *error)
{
	struct virgl_options options = {0};

	if (t->virgl && !o)
		return true;
	if (o) {
		snprintf(t->virgl_socket, sizeof t->virgl_socket, "%s", o->socket ? o->socket : "");
		snprintf(t->virgl_driver, sizeof t->virgl_driver, "%s", o->driver ? o->driver : "");
	}
	options.socket = t->virgl_socket[0] ? t->virgl_socket : NULL;
	options.driver = t->virgl_driver[0] ? t->virgl_driver : NULL;
	struct gx_virgl *fresh = gx_virgl_create(&options, error);
	if (!fresh)
		return false;
	if (t->m->renderer)
		gx_virgl_attach(NULL, t->m);
	gx_virgl_destroy(t->virgl);
	t->virgl = fresh;
	return true;
}

static uint32_t next_frame(const struct qs_timeline *t)
{
	return t->moment.level == QS_LEVEL_START ? 1 : t->moment.frame + 1;
}

bool qs_timeline_set_pipeline(struct qs_timeline *t, enum qs_pipeline pipeline, uint32_t from, const struct qs_pipeline_options *options,
	struct qs_error *error)
{
	bool changed = options && pipeline == QS_PIPELINE_SHADER;

	if ((unsigned)pipeline >= QS_PIPELINE_COUNT) {
		qs_error_set(error, QS_ERR_RANGE, 0, "There is no pipeline %u.", (unsigned)pipeline);
		return false;
	}
	if (t->info->machine == QS_MACHINE_GFX3D) {
		qs_error_set(error, QS_ERR_UNSUPPORTED, 0, "Pipelines are chosen for Flipper captures only.");
		return false;
	}
	if (!trace_start(t, error) || (pipeline == QS_PIPELINE_SHADER && !open_host(t, options, error)))
		return false;
	for (uint32_t frame = from ? from : next_frame(t); frame && frame <= t->info->frame_count; frame++) {
		changed |= t->pipeline[frame - 1] != pipeline;
		t->pipeline[frame - 1] = (uint8_t)pipeline;
	}
	if (changed)
		trace_start_again(t);
	return true;
}

enum qs_pipeline qs_timeline_pipeline(const struct qs_timeline *t, uint32_t frame)
{
	uint32_t f = frame ? frame : next_frame(t);

	if (f > t->info->frame_count)
		f = t->info->frame_count;
	return f ? (enum qs_pipeline)t->pipeline[f - 1] : QS_PIPELINE_SOFT;
}

bool qs_timeline_pipeline_trouble(struct qs_timeline *t, struct qs_error *error)
{
	bool any = t->trouble.code != QS_OK;

	if (any && error)
		*error = t->trouble;
	memset(&t->trouble, 0, sizeof t->trouble);
	return any;
}

/* ---- programs ----------------------------------------------------------------------------------------------------------- */

void qs_program_finish(struct qs_program *program)
{
	free(program->vertex);
	free(program->fragment);
	free(program->commands);
	free(program->part);
	free(program->vertex_part);
	memset(program, 0, sizeof *program);
}

/* Without memory there are none: the text alone is still right. */
static uint32_t copy_parts(const struct gx_virgl_part *from, unsigned count, struct qs_program_part **to)
{
	*to = calloc(count + 1, sizeof **to);
	for (unsigned i = 0; *to && i < count; i++) {
		(*to)[i].line = from[i].line;
		memcpy((*to)[i].name, from[i].name, sizeof (*to)[i].name);
	}
	return *to ? count : 0;
}

static bool get_texts(struct qs_timeline *t, struct qs_program *program, struct qs_error *error)
{
	struct gx_virgl_texts texts;
	bool ok;

	if (!trace_scratch_begin(t, t->moment.command, QS_NONE, error))
		return false;
	ok = gx_virgl_texts(t->m, &texts, error);
	trace_scratch_end(t);
	program->vertex = texts.vertex;
	program->fragment = texts.fragment;
	if (ok && texts.units)
		snprintf(program->units, sizeof program->units, "%s", texts.units);
	program->vertex_part_count = copy_parts(texts.vertex_part, texts.vertex_parts, &program->vertex_part);
	program->part_count = copy_parts(texts.part, texts.parts, &program->part);
	return ok;
}

/* Draws it on the host, with a record; afterwards the machine is elsewhere. */
static void get_commands(struct qs_timeline *t, struct qs_program *program)
{
	struct trace_position before = {.command = t->moment.command};
	struct qs_error error = {0};

	if (!open_host(t, NULL, &error)) {
		snprintf(program->reason, sizeof program->reason, "%s", error.text);
		return;
	}
	t->away = true;
	if (trace_goto(t, &before))
		return;
	gx_virgl_attach(t->virgl, t->m);
	gx_sync(t->m);
	gx_virgl_record(t->virgl, true);
	gx_execute(t->m, t->moment.command);
	program->commands = gx_virgl_recorded(t->virgl);
	gx_virgl_record(t->virgl, false);
	t->lost = true;
	if (gx_virgl_trouble(t->virgl, &error))
		snprintf(program->reason, sizeof program->reason, "%s", error.text);
	t->m->renderer_ahead = false;
	gx_virgl_attach(NULL, t->m);
}

bool qs_timeline_program(struct qs_timeline *t, struct qs_program *program, struct qs_error *error)
{
	bool ok;

	memset(program, 0, sizeof *program);
	if (t->moment.level < QS_LEVEL_DRAW) {
		qs_error_set(error, QS_ERR_RANGE, 0, "Only draws have programs; go to one, for example 1/0.");
		return false;
	}
	if (!trace_start(t, error))
		return false;
	if (t->gfx3d)
		return trace_gfx3d_program(t, program, error);
	ok = get_texts(t, program, error);
	if (ok)
		get_commands(t, program);
	trace_come_back(t);
	return ok;
}
