/* gfx3d_writers.c - which call set a piece of Gfx3D state last: a scan of the calls up to the moment, without running them
 *
 * Nothing of this is kept while the machine moves.  A call that failed when it was recorded set nothing, except a relink.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "gfx3d/qsc.h"
#include "trace/gfx3d_rows.h"

static unsigned slot_of(uint32_t handle)
{
	return (handle & 0xFFFF) - 1u;
}

void g3_writers_init(struct g3_writers *w)
{
	memset(w, 0xFF, sizeof *w); /* QS_NONE everywhere */
	w->uniform_count = 0;
}

static void note_uniform(struct g3_writers *w, unsigned context, const char *name, uint32_t command)
{
	const unsigned program = context < QS_GFX3D_MAX_CONTEXTS ? w->used[context] : QS_NONE;
	const unsigned shader = program < QS_GFX3D_MAX_PROGRAMS ? w->shader_of[program] : QS_NONE;

	if (shader >= QS_GFX3D_MAX_SHADERS)
		return;
	for (uint32_t i = 0; i < w->uniform_count; i++)
		if (w->uniform[i].shader == shader && !strcmp(w->uniform[i].name, name)) {
			w->uniform[i].command = command;
			return;
		}
	if (w->uniform_count == G3_WRITTEN_UNIFORMS)
		return;
	w->uniform[w->uniform_count].shader = shader;
	w->uniform[w->uniform_count].command = command;
	strcpy(w->uniform[w->uniform_count++].name, name);
}

uint32_t g3_writer_of_uniform(const struct g3_writers *w, unsigned shader, const char *name)
{
	for (uint32_t i = 0; i < w->uniform_count; i++)
		if (w->uniform[i].shader == shader && !strcmp(w->uniform[i].name, name))
			return w->uniform[i].command;
	return QS_NONE;
}

static void forget_uniforms(struct g3_writers *w, unsigned shader)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < w->uniform_count; i++)
		if (w->uniform[i].shader != shader)
			w->uniform[kept++] = w->uniform[i];
	w->uniform_count = kept;
}

static void note_object(struct g3_writers *w, enum g3_kind kind, uint32_t handle, uint32_t command)
{
	if (slot_of(handle) < G3_OBJECTS)
		w->object[kind][slot_of(handle)] = command;
}

static void note_call_of_object(struct g3_writers *w, const struct g3_call *call, uint32_t command)
{
	switch (call->op) {
	case G3_target_create: note_object(w, G3_TARGET, call->result, command); break;
	case G3_target_resize: note_object(w, G3_TARGET, call->handle[0], command); break;
	case G3_mesh_create: note_object(w, G3_MESH, call->result, command); break;
	case G3_mesh_upload:
	case G3_mesh_vert:
	case G3_mesh_finish: note_object(w, G3_MESH, call->handle[0], command); break;
	case G3_tex_create:
	case G3_tex_solid: note_object(w, G3_TEXTURE, call->result, command); break;
	case G3_tex_upload:
	case G3_tex_mipmaps: note_object(w, G3_TEXTURE, call->handle[0], command); break;
	case G3_shader_create:
		note_object(w, G3_SHADER, call->result, command);
		forget_uniforms(w, slot_of(call->result));
		break;
	case G3_shader_relink: note_object(w, G3_SHADER, call->handle[0], command); break;
	case G3_prog_prepare:
		note_object(w, G3_PROGRAM, call->result, command);
		if (slot_of(call->result) < QS_GFX3D_MAX_PROGRAMS)
			w->shader_of[slot_of(call->result)] = slot_of(call->handle[1]);
		break;
	default: break;
	}
}

static void named_uniform(struct g3_writers *w, unsigned context, const struct g3_call *call, uint32_t command)
{
	char name[CSIR_NAME_MAX];

	if (call->blob_size[0] >= sizeof name)
		return;
	memcpy(name, call->blob[0], call->blob_size[0]);
	name[call->blob_size[0]] = '\0';
	note_uniform(w, context, name, command);
}

static void note_context(struct g3_writers *w, const struct g3_call *call, uint32_t command)
{
	const unsigned slot = slot_of(call->op == G3_context_create ? call->result : call->handle[0]);
	struct g3_context_writers *c;

	if (slot >= QS_GFX3D_MAX_CONTEXTS)
		return;
	c = &w->context[slot];
	switch (call->op) {
	case G3_context_create:
		memset(c, 0xFF, sizeof *c);
		w->used[slot] = QS_NONE;
		c->made = command;
		break;
	case G3_begin:
		c->frame = c->target = c->viewport = command;
		w->into[slot] = slot_of(call->handle[1]);
		break;
	case G3_end: c->frame = command; break;
	case G3_clear:
		if (call->f[4] != 0)
			c->depth = command;
		if (w->into[slot] < G3_OBJECTS)
			w->object[G3_TARGET][w->into[slot]] = command;
		break;
	case G3_viewport: c->viewport = command; break;
	case G3_depth: c->depth = command; break;
	case G3_depth_func: c->depth_func = command; break;
	case G3_cull: c->cull = command; break;
	case G3_blend: c->blend = command; break;
	case G3_stencil: c->stencil = command; break;
	case G3_sampler:
		if (call->i[0] >= 0 && call->i[0] < QS_GFX3D_UNITS)
			c->sampler[call->i[0]] = command;
		break;
	case G3_bind_tex:
		c->texture[w->one_unit || call->i[0] < 0 || call->i[0] >= QS_GFX3D_UNITS ? 0 : call->i[0]] = command;
		break;
	case G3_camera:
		c->camera = command;
		note_uniform(w, slot, "view", command);
		note_uniform(w, slot, "projection", command);
		break;
	case G3_model_matrix:
		c->model = command;
		note_uniform(w, slot, "model", command);
		note_uniform(w, slot, "normalMatrix", command);
		break;
	case G3_use:
		c->program = command;
		w->used[slot] = slot_of(call->handle[1]);
		break;
	case G3_uniform_mat4:
	case G3_uniform_f: named_uniform(w, slot, call, command); break;
	default: break;
	}
}

void g3_writers_scan(struct g3_writers *w, const struct qs_capture *capture, uint32_t end)
{
	for (uint32_t i = 0; i < end; i++) {
		const struct qs_command *k = qs_capture_command(capture, i);
		const struct g3_call_info *info;
		struct g3_call call;

		if (!qsc_parse(qs_capture_command_bytes(capture, i), k->size, &call))
			continue;
		info = g3_call_info(call.op);
		if ((info->result == 'h' ? !call.result : call.result != 0) && !(info->flags & G3_CALL_AGAIN))
			continue;
		if (call.op == G3_boot) {
			const bool one_unit = w->one_unit;

			g3_writers_init(w);
			w->one_unit = one_unit;
		}
		note_call_of_object(w, &call, i);
		note_context(w, &call, i);
	}
}
