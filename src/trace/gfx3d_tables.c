/* gfx3d_tables.c - vertices, vertex shader, interface and textures of the draw at the moment, as the debugger lists them
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/image.h"
#include "gfx3d/qsc.h"
#include "trace/gfx3d.h"

#define PRIMITIVES 100000 /* that are listed; a row has some 300 bytes */

bool trace_gfx3d_is(const struct qs_timeline *t, struct qs_error *error)
{
	if (t->gfx3d)
		return true;
	qs_error_set(error, QS_ERR_RANGE, 0, "This is a capture of the Flipper; only captures of Gfx3D calls (.qsc) have this.");
	return false;
}

/* That of the draw at the moment; else the one in a frame, with a target, or any. */
struct g3_context *trace_gfx3d_context(const struct qs_timeline *t)
{
	const struct qs_command *k = t->moment.level == QS_LEVEL_START ? NULL : qs_capture_command(t->capture, t->moment.command);
	struct qs_gfx3d *g = t->gfx3d->g;
	struct g3_context *best = NULL;
	struct g3_call call;
	int rank = -1;

	if (k && k->kind == QS_COMMAND_DRAW && qsc_parse(qs_capture_command_bytes(t->capture, t->moment.command), k->size, &call))
		best = g3_context(g, call.owner, call.handle[0]);
	for (unsigned i = 0; i < QS_GFX3D_MAX_CONTEXTS && (rank >= 0 || !best); i++) {
		struct g3_context *c = &g->context[i];
		int good = !c->slot.used ? -1 : c->in_frame ? 2 : g3_target(g, c->slot.owner, c->target) ? 1 : 0;

		if (good > rank) {
			rank = good;
			best = c;
		}
	}
	return best;
}

static const struct csir_program *current_program(const struct qs_timeline *t)
{
	const struct g3_context *c = trace_gfx3d_context(t);

	return c ? g3_bound_program(t->gfx3d->g, c) : NULL;
}

/* ---- the program -------------------------------------------------------------------------------------------------------- */

const char *qs_timeline_gfx3d_source(struct qs_timeline *t, unsigned stage)
{
	const struct csir_program *program = t->gfx3d ? current_program(t) : NULL;
	const struct csir_shader *shader = program && stage < 2 ?
		csir_program_shader(program, (enum csir_stage)stage, &t->gfx3d->g->quirks) : NULL;

	return shader ? shader->source : NULL;
}

static bool fill_port(const struct csir_symbol *s, enum qs_gfx3d_port_kind kind, struct qs_gfx3d_port *port)
{
	memset(port, 0, sizeof *port);
	snprintf(port->name, sizeof port->name, "%s", s->name);
	snprintf(port->type, sizeof port->type, "%s", csir_type_name(s->type));
	port->kind = (uint8_t)kind;
	port->slot = (uint8_t)s->slot;
	port->lanes = (uint8_t)csir_type_lanes(s->type);
	return true;
}

bool qs_timeline_gfx3d_port(struct qs_timeline *t, uint32_t i, struct qs_gfx3d_port *port)
{
	static const struct { uint8_t stage, symbol, kind; } pass[4] = {{CSIR_VERTEX, CSIR_SYM_INPUT, QS_GFX3D_ATTRIBUTE},
		{CSIR_VERTEX, CSIR_SYM_OUTPUT, QS_GFX3D_VARYING}, {CSIR_VERTEX, CSIR_SYM_SAMPLER, QS_GFX3D_SAMPLER},
		{CSIR_FRAGMENT, CSIR_SYM_SAMPLER, QS_GFX3D_SAMPLER}};
	const struct csir_program *program = t->gfx3d ? current_program(t) : NULL;

	for (unsigned p = 0; program && p < 4; p++) {
		const struct csir_shader *s = csir_program_shader(program, (enum csir_stage)pass[p].stage, &t->gfx3d->g->quirks);

		for (uint32_t k = 0; k < s->symbol_count; k++)
			if (s->symbol[k].kind == pass[p].symbol && i-- == 0)
				return fill_port(&s->symbol[k], (enum qs_gfx3d_port_kind)pass[p].kind, port);
	}
	return false;
}

/* ---- vertices ----------------------------------------------------------------------------------------------------------- */

/* The machine stands at the draw with its vertices ready; end gives the counters back. */
static bool open_draw(struct qs_timeline *t, struct qs_gfx3d_stats *stats, struct qs_error *error)
{
	struct trace_position target = {.command = t->moment.command};

	if (!trace_gfx3d_is(t, error) || !trace_start(t, error))
		return false;
	if (t->moment.level < QS_LEVEL_DRAW || t->moment.draw == QS_NONE) {
		qs_error_set(error, QS_ERR_RANGE, 0, "There is no draw at this moment.");
		return false;
	}
	if (!(t->at.inside && t->at.command == t->moment.command && !t->lost)) {
		enum trace_result result;

		t->away = true;
		result = trace_gfx3d_goto(t, &target);
		if (result)
			return trace_fail(t, result, NULL, error);
	}
	*stats = t->gfx3d->g->stats;
	t->cursor = false;
	if (trace_gfx3d_begin(t, t->moment.command))
		return true;
	qs_error_set(error, QS_ERR_RANGE, 0, "The draw failed: %.300s.", qs_gfx3d_last_error(t->gfx3d->g));
	t->gfx3d->g->stats = *stats;
	return trace_come_back(t);
}

static void close_draw(struct qs_timeline *t, const struct qs_gfx3d_stats *stats)
{
	g3_draw_end(t->gfx3d->g);
	t->gfx3d->g->stats = *stats;
	trace_come_back(t);
}

void trace_gfx3d_window(const struct g3_draw *d, const float clip[4], float window[4])
{
	const int *v = d->rules.viewport;

	memset(window, 0, 4 * sizeof *window);
	if (clip[3] == 0)
		return;
	window[3] = 1.0f / clip[3];
	window[0] = (clip[0] * window[3] * 0.5f + 0.5f) * (float)v[2] + (float)v[0];
	window[1] = (1.0f - (clip[1] * window[3] * 0.5f + 0.5f)) * (float)v[3] + (float)v[1];
	window[2] = d->rules.clip_depth ? clip[2] : clip[2] * window[3] * 0.5f + 0.5f;
}

bool qs_timeline_gfx3d_vertices(struct qs_timeline *t, struct qs_gfx3d_vertex **vertices, uint32_t *count, struct qs_error *error)
{
	struct qs_gfx3d_stats stats;
	struct g3_draw *d;
	uint32_t n;

	*vertices = NULL;
	*count = 0;
	if (!open_draw(t, &stats, error))
		return false;
	d = &t->gfx3d->g->raster->draw;
	n = 3 * (d->primitive_count < PRIMITIVES ? d->primitive_count : PRIMITIVES);
	*vertices = calloc(n, sizeof **vertices);
	for (uint32_t i = 0; *vertices && i < n; i++) {
		struct qs_gfx3d_vertex *to = &(*vertices)[i];

		to->index = g3_vertex_of_corner(d, i);
		to->fetched = to->index < d->vertex_count;
		if (to->fetched) {
			const struct g3_vertex *from = g3_vertex_get(d, t->gfx3d->g->raster, to->index);

			memcpy(to->clip, from->clip, sizeof to->clip);
			memcpy(to->varying, from->vary, sizeof to->varying);
			trace_gfx3d_window(d, to->clip, to->window);
			g3_vertex_attributes(d, t->gfx3d->g->raster, to->index, to->attribute);
		}
	}
	close_draw(t, &stats);
	*count = *vertices ? n : 0;
	if (!*vertices)
		qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for %" PRIu32 " vertices.", n);
	return *vertices != NULL;
}

bool qs_timeline_gfx3d_vertex_steps(struct qs_timeline *t, uint32_t vertex[3], struct qs_gfx3d_step *step, uint32_t *count,
	struct qs_error *error)
{
	struct qs_gfx3d_stats stats;
	struct g3_draw *d;
	uint32_t primitive;

	*count = 0;
	vertex[0] = vertex[1] = vertex[2] = QS_NONE;
	if (!open_draw(t, &stats, error))
		return false;
	d = &t->gfx3d->g->raster->draw;
	primitive = t->moment.level > QS_LEVEL_DRAW ? t->moment.primitive : d->primitive_count - 1;
	if (primitive < d->primitive_count) {
		for (uint32_t k = 0; k < 3; k++)
			vertex[k] = g3_vertex_of_corner(d, 3 * primitive + k);
		*count = g3_vertex_steps(d, t->gfx3d->g->raster, vertex, 3, step);
	}
	close_draw(t, &stats);
	return true;
}

/* ---- textures ----------------------------------------------------------------------------------------------------------- */

static const struct g3_texture *bound_texture(struct qs_timeline *t, unsigned unit, const struct g3_context **context, struct qs_error *error)
{
	const struct g3_context *c;
	const struct g3_texture *texture;

	if (!trace_gfx3d_is(t, error) || !trace_start(t, error))
		return NULL;
	c = trace_gfx3d_context(t);
	texture = c && unit < QS_GFX3D_UNITS ? g3_texture(t->gfx3d->g, c->slot.owner, c->texture[unit]) : NULL;
	*context = c;
	if (!texture)
		qs_error_set(error, QS_ERR_RANGE, 0, "No texture is bound to unit %u at this moment.", unit);
	return texture;
}

bool qs_timeline_gfx3d_texture(struct qs_timeline *t, unsigned unit, struct qs_gfx3d_binding *binding, struct qs_error *error)
{
	const struct g3_context *c;
	const struct g3_texture *texture = bound_texture(t, unit, &c, error);

	memset(binding, 0, sizeof *binding);
	if (!texture)
		return false;
	binding->handle = c->texture[unit];
	binding->width = (uint32_t)texture->width;
	binding->height = (uint32_t)texture->height;
	binding->levels = (uint32_t)texture->levels;
	binding->uploaded = texture->level[0] != NULL;
	binding->sampler = c->sampler[unit];
	return true;
}

bool qs_timeline_gfx3d_texture_image(struct qs_timeline *t, unsigned unit, unsigned level, struct qs_image *image, struct qs_error *error)
{
	const struct g3_context *c;
	const struct g3_texture *texture = bound_texture(t, unit, &c, error);
	uint32_t width, height;

	if (!texture)
		return false;
	if (level >= (unsigned)texture->levels || level >= G3_LEVELS) {
		qs_error_set(error, QS_ERR_RANGE, 0, "The texture of unit %u has %d levels, counted from 0.", unit, texture->levels);
		return false;
	}
	width = (uint32_t)texture->width >> level ? (uint32_t)texture->width >> level : 1;
	height = (uint32_t)texture->height >> level ? (uint32_t)texture->height >> level : 1;
	if (!image_create(image, width, height, false, error))
		return false;
	for (size_t i = 0; i < (size_t)width * height; i++) {
		const uint8_t *bgra = texture->level[level] ? texture->level[level]->data + 4 * i : (const uint8_t[4]){0, 0, 0, 255};

		image->rgba[4 * i] = bgra[2];
		image->rgba[4 * i + 1] = bgra[1];
		image->rgba[4 * i + 2] = bgra[0];
		image->rgba[4 * i + 3] = bgra[3];
	}
	return true;
}
