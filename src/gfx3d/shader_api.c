/* shader_api.c - qs_shader.h: CSIR for those who see only the public interface
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gfx3d/csir.h"
#include "qs_shader.h"

struct qs_shader {
	struct csir_shader csir;
	struct g3_quirks quirks;
};

static bool set_quirk(struct g3_quirks *quirks, const char *assignment, struct qs_error *error)
{
	const char *equals = strchr(assignment, '=');
	char name[64] = "";
	char *end;
	long value;
	int i;

	if (equals && (size_t)(equals - assignment) < sizeof name)
		memcpy(name, assignment, (size_t)(equals - assignment));
	i = g3_quirk_find(name);
	value = equals ? strtol(equals + 1, &end, 0) : 0;
	if (i < 0 || !equals[1] || *end) {
		qs_error_set(error, QS_ERR_RANGE, 0, "'%s' is not NAME=NUMBER with the name of a quirk.", assignment);
		return false;
	}
	quirks->v[i] = (int)value;
	return true;
}

/* ---- shaders -------------------------------------------------------------------------------------------------------------- */

/* A directive of the text form at the beginning, behind blanks and comments. */
static bool looks_like_text(const char *text, size_t size)
{
	static const char *const words[] = {"shader ", "temps ", "marks ", "imm ", "version "};
	size_t i = 0;

	while (i < size && (strchr(" \t\r\n", text[i]) || text[i] == '#')) {
		if (!text[i])
			return false;
		if (text[i] == '#' && i + 1 < size && text[i + 1] != ' ')
			return false; /* #version */
		if (text[i] == '#')
			while (i < size && text[i] != '\n')
				i++;
		else
			i++;
	}
	for (size_t k = 0; k < sizeof words / sizeof *words; k++)
		if (size - i >= strlen(words[k]) && !memcmp(text + i, words[k], strlen(words[k])))
			return true;
	return false;
}

static bool make(struct qs_shader *s, const void *data, size_t size, const struct qs_shader_options *o, char **log, struct qs_error *error)
{
	struct csir_log messages;
	bool ok;

	if (size >= 4 && !memcmp(data, "CSIR", 4))
		ok = csir_load(&s->csir, data, size, &s->quirks, error);
	else if (looks_like_text(data, size))
		return csir_read(&s->csir, data, size, error);
	else {
		ok = csir_compile(&s->csir, o->stage == QS_SHADER_VERTEX ? CSIR_VERTEX : CSIR_FRAGMENT, o->name, data, size, &s->quirks,
			!o->keep_dead_code, &messages, error);
		if (!ok && log)
			*log = strdup(messages.text);
		return ok;
	}
	if (ok && o->name)
		snprintf(s->csir.name, sizeof s->csir.name, "%s", o->name);
	return ok;
}

struct qs_shader *qs_shader_create(const void *data, size_t size, const struct qs_shader_options *options, char **log,
	struct qs_error *error)
{
	struct qs_shader *s = calloc(1, sizeof *s);
	bool ok = s != NULL;

	if (log)
		*log = NULL;
	if (!s) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "Not enough memory for a shader.");
		return NULL;
	}
	g3_quirks_init(&s->quirks, (enum g3_model)options->model);
	for (const char *const *q = options->quirks; ok && q && *q; q++)
		ok = set_quirk(&s->quirks, *q, error);
	if (ok && make(s, data, size, options, log, error))
		return s;
	qs_shader_destroy(s);
	return NULL;
}

void qs_shader_destroy(struct qs_shader *shader)
{
	if (shader)
		csir_shader_finish(&shader->csir);
	free(shader);
}

void qs_shader_info(const struct qs_shader *shader, struct qs_shader_info *info)
{
	const struct csir_shader *s = &shader->csir;

	*info = (struct qs_shader_info){s->name, s->stage == CSIR_VERTEX ? QS_SHADER_VERTEX : QS_SHADER_FRAGMENT, s->version, s->instr_count, 0,
		(uint32_t)s->temp_count, s->imm_count, s->symbol_count};
	for (unsigned i = 0; i < s->instr_count; i++)
		info->live += s->instr[i].op != CSIR_NOP;
}

bool qs_shader_symbol(const struct qs_shader *shader, uint32_t i, struct qs_shader_symbol *symbol)
{
	const struct csir_symbol *s = &shader->csir.symbol[i < CSIR_SYMBOL_MAX ? i : 0];

	if (i >= shader->csir.symbol_count)
		return false;
	*symbol = (struct qs_shader_symbol){s->name, csir_type_name(s->type), s->kind, (uint8_t)s->slot, (uint8_t)csir_type_slots(s->type),
		(uint8_t)csir_type_lanes(s->type)};
	return true;
}

const char *qs_shader_symbol_kind_name(unsigned kind)
{
	static const char *const names[] = {"uniform", "input", "output", "sampler"};

	return kind < 4 ? names[kind] : "?";
}

bool qs_shader_verify(const struct qs_shader *shader, bool strict, struct qs_error *error)
{
	return csir_verify(&shader->csir, strict ? CSIR_RULES_STRICT : CSIR_RULES_CHRISOS, error);
}

bool qs_shader_unwritten(const struct qs_shader *shader, uint32_t *instruction, int *reg, uint8_t *lanes)
{
	return csir_unwritten(&shader->csir, instruction, reg, lanes);
}

/* ---- forms ---------------------------------------------------------------------------------------------------------------- */

static const char *const form_names[QS_SHADER_FORM_COUNT] = {"csir", "dump", "tgsi", "tgsi-literal", "binary", "ast"};

const char *qs_shader_form_name(enum qs_shader_form form)
{
	return (unsigned)form < QS_SHADER_FORM_COUNT ? form_names[form] : "?";
}

bool qs_shader_form_parse(const char *name, enum qs_shader_form *form)
{
	for (unsigned i = 0; i < QS_SHADER_FORM_COUNT; i++)
		if (!strcmp(name, form_names[i])) {
			*form = (enum qs_shader_form)i;
			return true;
		}
	return false;
}

static bool write_tgsi(const struct qs_shader *s, bool literal, struct csir_text *text, struct qs_error *error)
{
	struct csir_tgsi_options options;
	struct g3_quirks quirks;

	g3_quirks_init(&quirks, literal ? G3_MODEL_CHRISOS : G3_MODEL_VIRGL);
	csir_tgsi_options_init(&options, &quirks);
	return csir_tgsi(&s->csir, &options, text, NULL, NULL, error);
}

static bool write_tree(const struct qs_shader *s, struct csir_text *text, struct qs_error *error)
{
	const struct csir_shader *shader = &s->csir;

	if (!shader->source) {
		qs_error_set(error, QS_ERR_RANGE, 0, "Shader %s was not compiled from source text, so that there is no tree of it.", shader->name);
		return false;
	}
	return csir_tree((enum csir_stage)shader->stage, shader->name, shader->source, strlen(shader->source), &s->quirks, text, error);
}

bool qs_shader_write(const struct qs_shader *shader, enum qs_shader_form form, void **data, size_t *size, struct qs_error *error)
{
	struct csir_text text = {0};
	bool ok = true;

	if (form == QS_SHADER_BINARY) {
		uint8_t *bytes;

		if (!csir_save(&shader->csir, &bytes, size, error))
			return false;
		*data = bytes;
		return true;
	}
	if (form == QS_SHADER_TGSI || form == QS_SHADER_TGSI_LITERAL)
		ok = write_tgsi(shader, form == QS_SHADER_TGSI_LITERAL, &text, error);
	else if (form == QS_SHADER_AST)
		ok = write_tree(shader, &text, error);
	else if (!(form == QS_SHADER_DUMP ? csir_dump(&shader->csir, false, &text) : csir_print(&shader->csir, &text))) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "Not enough memory for the text of shader %s.", shader->csir.name);
		ok = false;
	}
	if (!ok) {
		csir_text_finish(&text);
		return false;
	}
	*data = text.data;
	*size = text.size;
	return true;
}

char *qs_shader_instruction(const struct qs_shader *shader, uint32_t i, char *buffer, size_t size, uint32_t *line)
{
	if (line)
		*line = i < shader->csir.instr_count ? shader->csir.line[i] : 0;
	return csir_instr_text(&shader->csir, i, buffer, size);
}

/* ---- running -------------------------------------------------------------------------------------------------------------- */

struct runner {
	qs_shader_step_fn step;
	void *user;
	struct qs_shader_outputs *outputs;
};

static void lane_zero(float to[4], const struct csir_vec *from)
{
	for (unsigned k = 0; k < 4; k++)
		to[k] = from->v[k][0];
}

static void tapped(void *user, const struct csir_tap *tap)
{
	struct runner *r = user;
	struct qs_shader_step step = {.instruction = tap->index, .written = tap->dst, .count = tap->dst_count};
	struct csir_effect effect;

	r->outputs->steps++;
	if (tap->instr->op == CSIR_STORE_VAR && tap->instr->aux >= 0 && tap->instr->aux < CSIR_VARY_MAX)
		r->outputs->stored |= (uint8_t)(1u << tap->instr->aux);
	if (!r->step)
		return;
	csir_effect(tap->instr, &effect);
	step.lanes = effect.write.lanes;
	step.has_a = tap->a != NULL;
	step.has_b = tap->b != NULL;
	step.active = tap->active & 1;
	if (tap->a)
		lane_zero(step.a, tap->a);
	if (tap->b)
		lane_zero(step.b, tap->b);
	for (unsigned i = 0; i < tap->dst_count && i < 4; i++)
		lane_zero(step.value[i], &tap->registers[tap->dst + (int)i]);
	r->step(r->user, &step);
}

/* Pictures as B G R A texels. */
static bool take_textures(const struct qs_shader_inputs *in, struct csir_texture *textures, uint8_t **memory)
{
	for (unsigned i = 0; i < CSIR_SAMPLER_MAX; i++) {
		const struct qs_image *image = in->texture[i];
		size_t pixels = image ? (size_t)image->width * image->height : 0;

		memory[i] = NULL;
		textures[i] = (struct csir_texture){NULL, 0, 0};
		if (!pixels)
			continue;
		memory[i] = malloc(pixels * 4);
		if (!memory[i])
			return false;
		for (size_t k = 0; k < pixels; k++) {
			const uint8_t rgba[4] = {image->rgba[4 * k], image->rgba[4 * k + 1], image->rgba[4 * k + 2], image->rgba[4 * k + 3]};
			const uint8_t bgra[4] = {rgba[2], rgba[1], rgba[0], rgba[3]};

			memcpy(memory[i] + 4 * k, bgra, 4);
		}
		textures[i] = (struct csir_texture){memory[i], (int)image->width, (int)image->height};
	}
	return true;
}

struct lanes {
	struct csir_vec input[8], fcoord, position, colour, varying[8];
};

static void run(const struct qs_shader *s, struct csir_plan *plan, struct lanes *l, const struct qs_shader_inputs *in, struct runner *r)
{
	struct csir_batch batch = {.mask = 1, .fcoord = &l->fcoord, .position = &l->position, .colour = &l->colour, .tap = tapped, .tap_user = r};

	for (unsigned i = 0; i < 8; i++) {
		for (unsigned k = 0; k < 4; k++)
			l->input[i].v[k][0] = in->input[i][k];
		if (s->csir.stage == CSIR_VERTEX)
			batch.attr[i] = &l->input[i];
		else
			batch.vary[i] = &l->input[i];
		batch.vary_out[i] = &l->varying[i];
	}
	for (unsigned k = 0; k < 4; k++)
		l->fcoord.v[k][0] = in->fragcoord[k];
	csir_exec(plan, &batch);
	r->outputs->discarded = batch.discarded & 1;
	lane_zero(r->outputs->position, &l->position);
	lane_zero(r->outputs->colour, &l->colour);
	for (unsigned i = 0; i < 8; i++)
		lane_zero(r->outputs->varying[i], &l->varying[i]);
}

bool qs_shader_run(const struct qs_shader *shader, const struct qs_shader_inputs *inputs, qs_shader_step_fn step, void *user,
	struct qs_shader_outputs *outputs, struct qs_error *error)
{
	struct csir_texture textures[CSIR_SAMPLER_MAX];
	uint8_t *memory[CSIR_SAMPLER_MAX] = {NULL};
	struct csir_inputs in = {.uniforms = inputs->uniform[0], .texture = textures};
	struct csir_plan *plan = csir_plan_create();
	struct lanes *lanes = aligned_alloc(64, sizeof *lanes);
	struct runner runner = {step, user, outputs};
	bool ok = plan && lanes && take_textures(inputs, textures, memory);

	memset(outputs, 0, sizeof *outputs);
	if (!ok)
		qs_error_set(error, QS_ERR_NOMEM, 0, "Not enough memory to run shader %s.", shader->csir.name);
	ok = ok && csir_exec_prepare(plan, &shader->csir, &shader->quirks, &in, inputs->cut, error);
	if (ok) {
		memset(lanes, 0, sizeof *lanes);
		run(shader, plan, lanes, inputs, &runner);
	}
	for (unsigned i = 0; i < CSIR_SAMPLER_MAX; i++)
		free(memory[i]);
	free(lanes);
	csir_plan_destroy(plan);
	return ok;
}
