/* gfx3d_rows.c - the state of the Gfx3D machine at the moment, as rows of text
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/gfx3d_rows.h"

struct list {
	struct qs_gfx3d_row *row;
	uint32_t count, room;
	bool failed;
	uint8_t unit;
	char group[32];
	const struct g3_writers *writers;
	const struct qs_gfx3d *g;
};

static const char *const compare_name[QS_GFX3D_COMPARE_COUNT] = {"never", "less", "equal", "lequal", "greater", "notequal", "gequal", "always"};
static const char *const factor_name[QS_GFX3D_FACTOR_COUNT] = {"zero", "one", "src_color", "1-src_color", "src_alpha", "1-src_alpha", "dst_color",
	"1-dst_color", "dst_alpha", "1-dst_alpha"};
static const char *const blend_name[QS_GFX3D_OP_COUNT] = {"add", "subtract", "reverse subtract", "min", "max"};
static const char *const stencil_name[QS_GFX3D_STENCIL_OP_COUNT] = {"keep", "zero", "replace", "increment", "decrement", "increment wrap",
	"decrement wrap", "invert"};
static const char *const filter_name[3] = {"nearest", "linear", "none"}, *const wrap_name[3] = {"clamp", "repeat", "mirror"};

const char *qs_gfx3d_unit_name(enum qs_gfx3d_unit unit)
{
	static const char *const name[QS_GFX3D_UNIT_COUNT] = {"contexts", "uniforms", "objects", "counters"};

	return (unsigned)unit < QS_GFX3D_UNIT_COUNT ? name[unit] : "?";
}

/* ---- rows --------------------------------------------------------------------------------------------------------------- */

static struct qs_gfx3d_row *add(struct list *l, const char *type, uint32_t writer, const char *name, const char *format, ...)
	__attribute__((format(printf, 5, 6)));
static struct qs_gfx3d_row *add(struct list *l, const char *type, uint32_t writer, const char *name, const char *format, ...)
{
	struct qs_gfx3d_row *r;
	va_list arguments;

	if (l->count == l->room) {
		uint32_t room = l->room ? 2 * l->room : 128;
		struct qs_gfx3d_row *grown = realloc(l->row, room * sizeof *grown);

		if (!grown) {
			l->failed = true;
			return NULL;
		}
		l->row = grown;
		l->room = room;
	}
	r = &l->row[l->count++];
	memset(r, 0, sizeof *r);
	r->unit = l->unit;
	r->writer = writer;
	memcpy(r->group, l->group, sizeof r->group);
	snprintf(r->name, sizeof r->name, "%s", name);
	snprintf(r->type, sizeof r->type, "%s", type);
	va_start(arguments, format);
	vsnprintf(r->value, sizeof r->value, format, arguments);
	va_end(arguments);
	return r;
}

static void note(struct qs_gfx3d_row *row, const char *text)
{
	if (row)
		snprintf(row->note, sizeof row->note, "%s", text);
}

static void group(struct list *l, enum qs_gfx3d_unit unit, const char *name)
{
	l->unit = (uint8_t)unit;
	snprintf(l->group, sizeof l->group, "%s", name);
}

static void add_handle(struct list *l, const char *name, uint32_t handle, uint32_t writer)
{
	char text[80];
	struct qs_gfx3d_row *row;

	if (!handle) {
		add(l, "handle", writer, name, "none");
		return;
	}
	row = add(l, "handle", writer, name, "0x%08" PRIx32, handle);
	snprintf(text, sizeof text, "slot %u, generation %u", (unsigned)(handle & 0xFFFF), (unsigned)(handle >> 16));
	note(row, text);
}

static void add_switch(struct list *l, const char *name, bool on, uint32_t writer, bool obeyed, const char *why)
{
	note(add(l, "bool", writer, name, "%s", on ? "on" : "off"), obeyed ? "" : why);
}

static void add_floats(struct list *l, const char *type, const char *name, const float v[4], uint32_t writer)
{
	add(l, type, writer, name, "%.7g %.7g %.7g %.7g", (double)v[0], (double)v[1], (double)v[2], (double)v[3]);
}

/* ---- contexts ----------------------------------------------------------------------------------------------------------- */

static void add_matrix(struct list *l, const char *name, const float m[16], uint32_t writer)
{
	for (unsigned row = 0; row < 4; row++) {
		char text[48];

		snprintf(text, sizeof text, "%s row %u", name, row);
		add_floats(l, "mat4", text, m + 4 * row, writer);
	}
}

static void add_sampler(struct list *l, unsigned unit, const struct g3_context *c, const struct g3_context_writers *w)
{
	const struct qs_gfx3d_sampler *s = &c->sampler[unit];
	char name[48];

	snprintf(name, sizeof name, "texture %u", unit);
	add_handle(l, name, c->texture[unit], w->texture[unit]);
	snprintf(name, sizeof name, "sampler %u", unit);
	note(add(l, "sampler", w->sampler[unit], name, "min %s mag %s mip %s wrap %s %s lod %g..%g bias %g", filter_name[s->min % 3], filter_name[s->mag % 3],
		filter_name[s->mip % 3], wrap_name[s->wrap_s % 3], wrap_name[s->wrap_t % 3], (double)s->min_lod, (double)s->max_lod,
		(double)s->lod_bias), G3_QUIRK(&l->g->quirks, sampler_state) ? "" : "ignored: quirk sampler_state");
}

static void add_tests(struct list *l, const struct g3_context *c, const struct g3_context_writers *w)
{
	const struct g3_quirks *q = &l->g->quirks;
	const struct qs_gfx3d_stencil *s = &c->stencil;
	const struct qs_gfx3d_blend *b = &c->blend;

	add_switch(l, "depth test", c->depth_on, w->depth, c->depth_on || G3_QUIRK(q, depth_off), "goes on all the same: quirk depth_off");
	add(l, "compare", w->depth_func, "depth function", "%s", compare_name[c->depth_compare % QS_GFX3D_COMPARE_COUNT]);
	add_switch(l, "depth write", c->depth_write, w->depth_func, true, "");
	add_switch(l, "cull", c->cull_on, w->cull, !c->cull_on || G3_QUIRK(q, cull), "ignored: quirk cull");
	add_switch(l, "blend", b->enable, w->blend, true, "");
	add(l, "blend", w->blend, "blend colour", "%s %s, %s", blend_name[b->op % QS_GFX3D_OP_COUNT], factor_name[b->src % QS_GFX3D_FACTOR_COUNT],
		factor_name[b->dst % QS_GFX3D_FACTOR_COUNT]);
	add(l, "blend", w->blend, "blend alpha", "%s %s, %s", blend_name[b->op_alpha % QS_GFX3D_OP_COUNT],
		factor_name[b->src_alpha % QS_GFX3D_FACTOR_COUNT], factor_name[b->dst_alpha % QS_GFX3D_FACTOR_COUNT]);
	add(l, "mask", w->blend, "colour write", "%s%s%s%s", b->write_mask & 1 ? "r" : "-", b->write_mask & 2 ? "g" : "-",
		b->write_mask & 4 ? "b" : "-", b->write_mask & 8 ? "a" : "-");
	add_switch(l, "stencil", s->enable, w->stencil, true, "");
	add(l, "stencil", w->stencil, "stencil function", "%s %u, read 0x%02x write 0x%02x", compare_name[s->func % QS_GFX3D_COMPARE_COUNT], s->reference,
		s->read_mask, s->write_mask);
	add(l, "stencil", w->stencil, "stencil operations", "fail %s, depth fail %s, pass %s", stencil_name[s->fail % QS_GFX3D_STENCIL_OP_COUNT],
		stencil_name[s->depth_fail % QS_GFX3D_STENCIL_OP_COUNT], stencil_name[s->pass % QS_GFX3D_STENCIL_OP_COUNT]);
}

static void add_context(struct list *l, unsigned i)
{
	const struct g3_context *c = &l->g->context[i];
	const struct g3_context_writers *w = &l->writers->context[i];
	char name[32];

	snprintf(name, sizeof name, "context %u", i + 1);
	group(l, QS_GFX3D_CONTEXTS, name);
	add_handle(l, "handle", g3_handle_of(&c->slot, i), w->made);
	add(l, "number", w->made, "owner", "%" PRIu32, c->slot.owner);
	add(l, "bool", w->frame, "in frame", "%s", c->in_frame ? "yes" : "no");
	add_handle(l, "target", c->target, w->target);
	add_handle(l, "program", c->program, w->program);
	note(add(l, "rectangle", w->viewport, "viewport", "%d %d %d %d", c->viewport[0], c->viewport[1], c->viewport[2], c->viewport[3]),
		G3_QUIRK(&l->g->quirks, viewport) ? "" : "draws fill the target: quirk viewport");
	add_tests(l, c, w);
	for (unsigned u = 0; u < QS_GFX3D_UNITS; u++)
		if (u == 0 || c->texture[u] || w->sampler[u] != QS_NONE)
			add_sampler(l, u, c, w);
	add(l, "camera", w->camera, "camera", "field of view %g, near %g, far %g", (double)c->fov, (double)c->near_z, (double)c->far_z);
	add_matrix(l, "view", c->view, w->camera);
	add_matrix(l, "projection", c->projection, w->camera);
	add_matrix(l, "model", c->model, w->model);
}

/* ---- uniforms ----------------------------------------------------------------------------------------------------------- */

static void add_uniforms(struct list *l, const struct g3_context *c)
{
	struct qs_gfx3d *g = (struct qs_gfx3d *)(uintptr_t)l->g; /* handles are looked up, nothing is changed */
	const struct g3_program *p = c ? g3_program(g, c->slot.owner, c->program) : NULL;
	const struct csir_program *program = c ? g3_bound_program(g, c) : NULL;

	for (unsigned stage = 0; program && stage < 2; stage++) {
		const struct csir_shader *shader = csir_program_shader(program, (enum csir_stage)stage, &g->quirks);

		group(l, QS_GFX3D_UNIFORMS, stage ? "fragment uniforms" : "vertex uniforms");
		for (uint32_t i = 0; i < shader->symbol_count; i++) {
			const struct csir_symbol *s = &shader->symbol[i];
			const unsigned slots = csir_type_slots(s->type);
			const uint32_t writer = g3_writer_of_uniform(l->writers, (p->shader & 0xFFFF) - 1, s->name);

			for (unsigned k = 0; s->kind == CSIR_SYM_UNIFORM && k < slots && s->slot >= 0 && s->slot + (int)k < CSIR_UNIFORM_SLOTS; k++) {
				struct qs_gfx3d_row *row;
				char name[CSIR_NAME_MAX + 8];

				snprintf(name, sizeof name, slots > 1 ? "%s[%u]" : "%s", s->name, k);
				add_floats(l, csir_type_name(s->type), name, &program->words[stage][4 * ((unsigned)s->slot + k)], writer);
				row = l->failed ? NULL : &l->row[l->count - 1];
				snprintf(name, sizeof name, "slot %u", (unsigned)s->slot + k);
				note(row, name);
			}
			if (s->kind == CSIR_SYM_SAMPLER)
				add(l, "sampler2D", QS_NONE, s->name, "texture unit %d", s->slot);
		}
	}
}

/* ---- objects ------------------------------------------------------------------------------------------------------------ */

static struct qs_gfx3d_row *add_object(struct list *l, enum g3_kind kind, const struct g3_slot *slot, unsigned i, const char *value)
{
	char name[16], text[80];
	struct qs_gfx3d_row *row;

	snprintf(name, sizeof name, "0x%08" PRIx32, g3_handle_of(slot, i));
	row = add(l, "", l->writers->object[kind][i], name, "%s", value);
	snprintf(text, sizeof text, "slot %u, generation %u, owner %" PRIu32, i + 1, slot->generation, slot->owner);
	note(row, text);
	return row;
}

static void describe(const struct list *l, enum g3_kind kind, unsigned i, char *text, size_t size)
{
	const struct qs_gfx3d *g = l->g;

	if (kind == G3_TARGET) {
		const struct g3_target *t = &g->target[i];

		snprintf(text, size, "%d x %d, %d sample%s, of context %u, %s", t->width, t->height, t->samples, t->samples == 1 ? "" : "s",
			(unsigned)(t->context & 0xFFFF), t->cleared ? "cleared" : "never cleared");
	} else if (kind == G3_MESH) {
		const struct g3_mesh *m = &g->mesh[i];

		snprintf(text, size, "%zu vertices of %d bytes, %d attributes, %" PRIu32 " indices", m->vertices && m->layout.stride > 0 ?
			m->vertices->size / (size_t)m->layout.stride : 0, m->layout.stride, m->layout.elements, m->index_count);
	} else if (kind == G3_TEXTURE) {
		const struct g3_texture *t = &g->texture[i];

		snprintf(text, size, "%d x %d, %d level%s%s", t->width, t->height, t->levels, t->levels == 1 ? "" : "s", t->level[0] ? "" : ", never filled");
	} else if (kind == G3_PROGRAM) {
		snprintf(text, size, "shader 0x%08" PRIx32 " for context %u", g->program[i].shader, (unsigned)(g->program[i].context & 0xFFFF));
	} else {
		const struct csir_program *p = g->shader[i].linked->program;
		const struct csir_shader *vs = csir_program_shader(p, CSIR_VERTEX, &g->quirks), *fs = csir_program_shader(p, CSIR_FRAGMENT, &g->quirks);

		snprintf(text, size, "%s, %u vertex and %u fragment instructions, %" PRIu32 " uniforms, link %u", p->linked ? "linked" : "not linked",
			vs ? vs->instr_count : 0, fs ? fs->instr_count : 0, p->uniform_count, p->generation);
	}
}

static void add_objects(struct list *l)
{
	static const struct { enum g3_kind kind; const char *name; } table[] = {{G3_TARGET, "targets"}, {G3_MESH, "meshes"}, {G3_TEXTURE, "textures"},
		{G3_PROGRAM, "programs"}, {G3_SHADER, "shaders"}};
	struct qs_gfx3d *g = (struct qs_gfx3d *)(uintptr_t)l->g;

	for (unsigned k = 0; k < sizeof table / sizeof *table; k++) {
		group(l, QS_GFX3D_OBJECTS, table[k].name);
		for (unsigned i = 0; i < g3_kind_size(table[k].kind) && i < G3_OBJECTS; i++) {
			const struct g3_slot *slot = g3_slot_at(g, table[k].kind, i);
			char text[112];

			if (!slot->used)
				continue;
			describe(l, table[k].kind, i, text, sizeof text);
			add_object(l, table[k].kind, slot, i, text);
		}
	}
}

static void add_counters(struct list *l)
{
	const struct qs_gfx3d_stats *s = &l->g->stats;
	const struct { const char *name; uint64_t value; } row[] = {{"frames", s->frames}, {"clears", s->clears}, {"draws", s->draws},
		{"triangles", s->triangles}, {"triangles skipped", s->triangles_skipped}, {"pixels tested", s->pixels_tested},
		{"pixels behind", s->pixels_depth_failed}, {"pixels discarded", s->pixels_discarded}, {"pixels written", s->pixels_written},
		{"pixels out of range", s->pixels_out_of_range}, {"draws into what was never cleared", s->undefined_draws}, {"errors", s->errors},
		{"colour bytes", s->color_bytes}, {"depth bytes", s->depth_bytes}, {"mesh bytes", s->mesh_bytes}, {"texture bytes", s->texture_bytes}};

	group(l, QS_GFX3D_COUNTERS, "since boot");
	for (unsigned i = 0; i < sizeof row / sizeof *row; i++)
		add(l, "counter", QS_NONE, row[i].name, "%" PRIu64, row[i].value);
}

bool qs_timeline_gfx3d_rows(struct qs_timeline *t, struct qs_gfx3d_row **rows, uint32_t *count, struct qs_error *error)
{
	struct g3_writers *writers;
	struct list l = {0};

	*rows = NULL;
	*count = 0;
	if (!trace_gfx3d_is(t, error) || !trace_start(t, error))
		return false;
	writers = malloc(sizeof *writers);
	if (writers) {
		g3_writers_init(writers);
		writers->one_unit = !G3_QUIRK(&t->gfx3d->g->quirks, bind_unit);
		g3_writers_scan(writers, t->capture, t->moment.level == QS_LEVEL_START ? 0 : t->moment.command + 1);
		l.writers = writers;
		l.g = t->gfx3d->g;
		for (unsigned i = 0; i < QS_GFX3D_MAX_CONTEXTS; i++)
			if (l.g->context[i].slot.used)
				add_context(&l, i);
		add_uniforms(&l, trace_gfx3d_context(t));
		add_objects(&l);
		add_counters(&l);
	}
	free(writers);
	if (writers && !l.failed) {
		*rows = l.row;
		*count = l.count;
		return true;
	}
	free(l.row);
	qs_error_set(error, QS_ERR_NOMEM, 0, "There is no memory for the list of state.");
	return false;
}
