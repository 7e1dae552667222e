/* link.c - two shaders become a program; its uniform store (spec 01 section 10)
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gfx3d/csir.h"

/* What a link finds out; becomes the program's when it succeeds. */
struct tables {
	int16_t var_remap[CSIR_VARY_MAX];
	uint32_t uniform_count, attr_count, vary_count;
	struct csir_uniform uniform[CSIR_UNIFORM_NAMES];
	struct csir_interface attr[CSIR_ATTR_MAX], vary[CSIR_VARY_MAX];
};

struct linker {
	struct csir_program *program;
	const struct g3_quirks *quirks;
	struct csir_log *log;
	struct tables tables;
	const struct csir_shader *vertex, *fragment;
};

struct csir_program *csir_program_create(void)
{
	struct csir_program *p = calloc(1, sizeof *p);

	for (unsigned i = 0; p && i < CSIR_VARY_MAX; i++)
		p->var_remap[i] = -1;
	return p;
}

static void drop(struct csir_shader **shader)
{
	if (*shader)
		csir_shader_finish(*shader);
	free(*shader);
	*shader = NULL;
}

void csir_program_destroy(struct csir_program *program)
{
	if (!program)
		return;
	for (unsigned i = 0; i < 2; i++) {
		drop(&program->shader[i]);
		drop(&program->kept[i]);
		free(program->tgsi[i]);
	}
	free(program);
}

bool csir_program_attach(struct csir_program *program, const struct csir_shader *shader, struct qs_error *error)
{
	struct csir_shader *copy, **slot;

	if (shader->stage > CSIR_FRAGMENT) {
		qs_error_set(error, QS_ERR_UNSUPPORTED, 0, "Shader %s is neither a vertex nor a fragment shader.", shader->name);
		return false;
	}
	copy = calloc(1, sizeof *copy);
	if (!copy || !csir_shader_copy(copy, shader)) {
		free(copy);
		qs_error_set(error, QS_ERR_NOMEM, 0, "Not enough memory for shader %s.", shader->name);
		return false;
	}
	slot = &program->shader[shader->stage];
	if (program->linked && *slot && !program->kept[shader->stage])
		program->kept[shader->stage] = *slot;
	else
		drop(slot);
	*slot = copy;
	return true;
}

const struct csir_shader *csir_program_shader(const struct csir_program *program, enum csir_stage stage, const struct g3_quirks *quirks)
{
	return G3_QUIRK(quirks, relink_keeps) && program->kept[stage] ? program->kept[stage] : program->shader[stage];
}

/* ---- the log -------------------------------------------------------------------------------------------------------------- */

static bool say(struct linker *l, const char *what, const char *name)
{
	struct csir_log *log = l->log;
	size_t used = strlen(log->text);
	char text[sizeof log->message->text];

	snprintf(text, sizeof text, "%s%s%s", what, name ? " " : "", name ? name : "");
	snprintf(log->text + used, sizeof log->text - used, "%s\n", text);
	if (log->errors < CSIR_MESSAGE_MAX)
		memcpy(log->message[log->errors].text, text, sizeof text);
	log->errors++;
	return false;
}

/* ---- tables --------------------------------------------------------------------------------------------------------------- */

static const struct csir_symbol *find(const struct csir_shader *s, unsigned kind, const char *name)
{
	for (unsigned i = 0; i < s->symbol_count; i++)
		if (s->symbol[i].kind == kind && !strcmp(s->symbol[i].name, name))
			return &s->symbol[i];
	return NULL;
}

static void add_interface(struct csir_interface *table, uint32_t *count, uint32_t most, const struct csir_symbol *symbol, int slot)
{
	if (*count == most)
		return;
	memcpy(table[*count].name, symbol->name, sizeof symbol->name);
	table[*count].type = symbol->type;
	table[(*count)++].slot = (int16_t)slot;
}

static bool match_varyings(struct linker *l)
{
	struct tables *t = &l->tables;

	for (unsigned i = 0; i < l->fragment->symbol_count; i++) {
		const struct csir_symbol *in = &l->fragment->symbol[i], *out;

		if (in->kind != CSIR_SYM_INPUT)
			continue;
		out = find(l->vertex, CSIR_SYM_OUTPUT, in->name);
		if (!out)
			return say(l, "missing varying", in->name);
		if (out->type != in->type)
			return say(l, "type mismatch for varying", in->name);
		if (in->slot < 0 || in->slot >= CSIR_VARY_MAX || out->slot < 0 || out->slot >= CSIR_VARY_MAX)
			return say(l, "invalid varying slot", in->name);
		t->var_remap[in->slot] = out->slot;
		add_interface(t->vary, &t->vary_count, CSIR_VARY_MAX, in, out->slot);
	}
	return true;
}

static void list_attributes(struct linker *l)
{
	struct tables *t = &l->tables;

	t->attr_count = 0;
	for (unsigned i = 0; i < l->vertex->symbol_count; i++)
		if (l->vertex->symbol[i].kind == CSIR_SYM_INPUT)
			add_interface(t->attr, &t->attr_count, CSIR_ATTR_MAX, &l->vertex->symbol[i], l->vertex->symbol[i].slot);
}

static void add_uniform(struct linker *l, const struct csir_symbol *symbol, unsigned stage)
{
	struct tables *t = &l->tables;
	struct csir_uniform *u = NULL;

	for (uint32_t i = 0; i < t->uniform_count; i++)
		if (!strcmp(t->uniform[i].name, symbol->name))
			u = &t->uniform[i];
	if (!u && t->uniform_count == CSIR_UNIFORM_NAMES) {
		say(l, "too many uniforms:", symbol->name);
		return;
	}
	if (!u) {
		u = &t->uniform[t->uniform_count++];
		memcpy(u->name, symbol->name, sizeof u->name);
		u->type = symbol->type;
		u->slot[0] = u->slot[1] = -1;
	} else if (u->type != symbol->type) {
		say(l, "uniform type mismatch:", symbol->name);
	}
	u->slot[stage] = symbol->slot;
}

static void list_uniforms(struct linker *l)
{
	const struct csir_shader *stages[2] = {l->vertex, l->fragment};

	l->tables.uniform_count = 0;
	for (unsigned stage = 0; stage < 2; stage++)
		for (unsigned i = 0; i < stages[stage]->symbol_count; i++)
			if (stages[stage]->symbol[i].kind == CSIR_SYM_UNIFORM)
				add_uniform(l, &stages[stage]->symbol[i], stage);
}

/* ---- link ----------------------------------------------------------------------------------------------------------------- */

static bool emit(struct linker *l, const struct csir_shader *shader, char **text)
{
	struct csir_tgsi_options options;
	struct csir_text out = {0};
	struct qs_error error = {QS_OK, 0, ""};

	csir_tgsi_options_init(&options, l->quirks);
	if (shader->stage == CSIR_FRAGMENT)
		options.var_remap = l->tables.var_remap;
	if (!csir_tgsi(shader, &options, &out, NULL, NULL, &error)) {
		csir_text_finish(&out);
		say(l, "TGSI emission failed:", shader->name);
		return false;
	}
	*text = out.data;
	return true;
}

static bool link_all(struct linker *l, char *tgsi[2])
{
	struct csir_program *p = l->program;
	bool lenient = p->linked && !G3_QUIRK(l->quirks, relink_keeps);

	l->vertex = p->shader[CSIR_VERTEX];
	l->fragment = p->shader[CSIR_FRAGMENT];
	if (!l->vertex || !l->fragment)
		return say(l, "program is missing a compiled shader", NULL);
	if (!l->vertex->writes_position || !l->vertex->linkable)
		return say(l, "vertex shader does not write gl_Position", NULL);
	if (!l->fragment->output_count || !l->fragment->linkable)
		return say(l, "fragment shader has no output", NULL);
	if (csir_derivative(l->fragment) >= 0 && !G3_QUIRK(l->quirks, derivatives))
		return say(l, "ChrisOS has no derivatives", NULL);
	l->tables.vary_count = 0;
	if (!match_varyings(l))
		return false;
	list_attributes(l);
	list_uniforms(l);
	if (l->log->errors && !lenient)
		return false;
	return emit(l, l->vertex, &tgsi[0]) && emit(l, l->fragment, &tgsi[1]);
}

/* Quirk relink_uniforms. */
static void move_uniforms(struct csir_program *p, const struct tables *now)
{
	float words[2][CSIR_UNIFORM_SLOTS * 4] = {{0}};

	for (uint32_t i = 0; i < now->uniform_count; i++) {
		const struct csir_uniform *to = &now->uniform[i], *from = csir_program_uniform(p, to->name);
		int source = !from ? -1 : from->slot[0] >= 0 ? 0 : 1;

		if (!from || from->type != to->type)
			continue;
		for (unsigned stage = 0; stage < 2; stage++) {
			int kept = from->slot[stage] >= 0 ? (int)stage : source;

			if (to->slot[stage] >= 0)
				memcpy(&words[stage][4 * to->slot[stage]], &p->words[kept][4 * from->slot[kept]],
					csir_type_slots(to->type) * 4 * sizeof(float));
		}
	}
	memcpy(p->words, words, sizeof words);
}

static void take(struct csir_program *p, const struct tables *t, bool remap)
{
	p->uniform_count = t->uniform_count;
	p->attr_count = t->attr_count;
	p->vary_count = t->vary_count;
	memcpy(p->uniform, t->uniform, sizeof p->uniform);
	memcpy(p->attr, t->attr, sizeof p->attr);
	memcpy(p->vary, t->vary, sizeof p->vary);
	if (remap)
		memcpy(p->var_remap, t->var_remap, sizeof p->var_remap);
}

static void begin(struct linker *l)
{
	const struct csir_program *p = l->program;
	struct tables *t = &l->tables;

	memset(l->log, 0, sizeof *l->log);
	for (unsigned i = 0; i < CSIR_VARY_MAX; i++)
		t->var_remap[i] = -1;
	t->uniform_count = p->uniform_count;
	t->attr_count = p->attr_count;
	t->vary_count = p->vary_count;
	memcpy(t->uniform, p->uniform, sizeof t->uniform);
	memcpy(t->attr, p->attr, sizeof t->attr);
	memcpy(t->vary, p->vary, sizeof t->vary);
}

static void fail(struct linker *l, struct qs_error *error)
{
	struct csir_program *p = l->program;

	qs_error_set(error, QS_ERR_FORMAT, 0, "The program does not link: %s.", l->log->message[0].text);
	if (!p->linked)
		return;
	say(l, "kept previous program", NULL);
	if (!G3_QUIRK(l->quirks, relink_keeps))
		take(p, &l->tables, false); /* as far as they were rebuilt */
}

bool csir_program_link(struct csir_program *program, const struct g3_quirks *quirks, struct csir_log *log, struct qs_error *error)
{
	static const struct tables none;
	struct csir_log own;
	struct linker l = {.program = program, .quirks = quirks, .log = log ? log : &own, .tables = none};
	char *tgsi[2] = {NULL, NULL};

	begin(&l);
	if (!link_all(&l, tgsi)) {
		free(tgsi[0]);
		free(tgsi[1]);
		fail(&l, error);
		return false;
	}
	if (program->linked && G3_QUIRK(quirks, relink_uniforms))
		move_uniforms(program, &l.tables);
	take(program, &l.tables, true);
	for (unsigned i = 0; i < 2; i++) {
		free(program->tgsi[i]);
		program->tgsi[i] = tgsi[i];
		drop(&program->kept[i]);
	}
	program->linked = true;
	if (!++program->generation)
		program->generation = 1;
	return true;
}

/* ---- uniforms ------------------------------------------------------------------------------------------------------------- */

const struct csir_uniform *csir_program_uniform(const struct csir_program *program, const char *name)
{
	for (uint32_t i = 0; i < program->uniform_count; i++)
		if (!strcmp(program->uniform[i].name, name))
			return &program->uniform[i];
	return NULL;
}

static void write_words(float *words, const struct csir_symbol *symbol, const float *values, unsigned count)
{
	float *to = words + 4 * symbol->slot;

	if (symbol->type == CSIR_T_MAT4 && count >= 16) {
		memcpy(to, values, 16 * sizeof *to);
	} else if (symbol->type == CSIR_T_MAT3 && count >= 9) {
		for (unsigned column = 0; column < 3; column++) {
			memcpy(to + 4 * column, values + 3 * column, 3 * sizeof *to);
			to[4 * column + 3] = 0;
		}
	} else {
		memcpy(to, values, (count < 4 ? count : 4) * sizeof *to);
	}
}

/* Matrices need all their numbers, except with quirk uniform_short. */
static bool enough(const struct csir_uniform *u, unsigned count, const struct g3_quirks *quirks)
{
	unsigned wanted = u->type == CSIR_T_MAT4 ? 16 : u->type == CSIR_T_MAT3 ? 9 : 1;

	return count && (count >= wanted || !G3_QUIRK(quirks, uniform_short));
}

bool csir_uniform_set(struct csir_program *program, const char *name, const float *values, unsigned count,
	const struct g3_quirks *quirks, struct qs_error *error)
{
	const struct csir_uniform *u = csir_program_uniform(program, name);

	if (!program->linked || !u) {
		qs_error_set(error, QS_ERR_RANGE, 0, program->linked ? "The program has no uniform %s." :
			"Uniform %s cannot be set: the program is not linked.", name);
		return false;
	}
	if (!enough(u, count, quirks)) {
		qs_error_set(error, QS_ERR_RANGE, 0, "Uniform %s is a %s; %u numbers are too few for it.", name, csir_type_name(u->type), count);
		return false;
	}
	for (unsigned stage = 0; stage < 2; stage++) {
		const struct csir_shader *s = csir_program_shader(program, (enum csir_stage)stage, quirks);

		for (unsigned i = 0; s && i < s->symbol_count; i++)
			if (s->symbol[i].kind == CSIR_SYM_UNIFORM && !strcmp(s->symbol[i].name, name))
				write_words(program->words[stage], &s->symbol[i], values, count);
	}
	return true;
}

/* The current numbers, tightly packed as csir_uniform_set takes them. */
static void read_words(const struct csir_program *p, const struct csir_uniform *u, float values[16])
{
	unsigned stage = u->slot[0] >= 0 ? 0 : 1, lanes = u->type == CSIR_T_MAT3 ? 3 : 4;
	const float *from = &p->words[stage][4 * u->slot[stage]];

	for (unsigned column = 0; column < csir_type_slots(u->type); column++)
		memcpy(values + lanes * column, from + 4 * column, lanes * sizeof *values);
}

bool csir_uniform_set_lane(struct csir_program *program, const char *name, unsigned lane, float value,
	const struct g3_quirks *quirks, struct qs_error *error)
{
	const struct csir_uniform *u = csir_program_uniform(program, name);
	unsigned count = u && u->type == CSIR_T_MAT4 ? 16 : u && u->type == CSIR_T_MAT3 ? 9 : 4;
	float values[16] = {0};
	bool keeps = u && (G3_QUIRK(quirks, uniform_lane) || (u->type == CSIR_T_MAT4 && u->slot[0] >= 0));

	if (u && lane >= (G3_QUIRK(quirks, uniform_lane) ? count : 16)) {
		qs_error_set(error, QS_ERR_RANGE, 0, "Uniform %s has no number %u.", name, lane);
		return false;
	}
	if (keeps)
		read_words(program, u, values);
	values[lane < 16 ? lane : 0] = value;
	return csir_uniform_set(program, name, values, count, quirks, error);
}

int csir_program_sampler(const struct csir_program *program, const char *name)
{
	for (unsigned stage = 2; stage-- > 0;) {
		const struct csir_symbol *s = program->shader[stage] ? find(program->shader[stage], CSIR_SYM_SAMPLER, name) : NULL;

		if (s)
			return s->slot;
	}
	return -1;
}
