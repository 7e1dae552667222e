/* cmd_shader.c - qscope shader: compile, verify, dump, run
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "cli/cli.h"
#include "qs_shader.h"

static const struct cli_option options[] = {
	{"stage", 's', "STAGE", "vertex or fragment; default by the file's name: .vert, .vs, .frag, .fs"},
	{"form", 'f', "FORM", "what compile and dump write: csir (default), dump, tgsi, tgsi-literal, binary or ast"},
	{"ast", 0, NULL, "the same as --form ast: the tree of the source"},
	{"output", 'o', "FILE", "write there instead of to the terminal"},
	{"strict", 0, NULL, "verify: only the strict rules decide the exit status (default: those of ChrisOS)"},
	{"set", 'S', "NAME=N,N..", "run: a uniform, an input or fragcoord by name, or inputK / uniformK by slot"},
	{"texture", 't', "[K=]PNG", "run: picture of sampler K (default 0)"},
	{"cut", 0, "K", "run: only the first K instructions"},
	{"no-optimize", 0, NULL, "compile: keep instructions whose result nobody reads"},
	{"model", 0, "MODEL", "chrisos (default), virgl or corrected"},
	{"quirk", 0, "NAME=VALUE", "set one quirk of the model; may be given several times"},
	CLI_JSON, CLI_END,
};

/* ---- opening -------------------------------------------------------------------------------------------------------------- */

static bool stage_of(const struct cli_args *args, const char *path, enum qs_shader_stage *stage)
{
	const char *given = cli_value(args, "stage");

	*stage = g_str_has_suffix(path, ".vert") || g_str_has_suffix(path, ".vs") ? QS_SHADER_VERTEX : QS_SHADER_FRAGMENT;
	if (given && strcmp(given, "vertex") && strcmp(given, "fragment")) {
		cli_fail("There is no stage '%s' (vertex, fragment).", given);
		return false;
	}
	if (given)
		*stage = strcmp(given, "vertex") ? QS_SHADER_FRAGMENT : QS_SHADER_VERTEX;
	return true;
}

static bool model_of(const struct cli_args *args, enum qs_gfx3d_model *model)
{
	const char *name = cli_value(args, "model");
	struct cli_nearest nearest;
	char hint[64];

	*model = QS_GFX3D_CHRISOS;
	if (!name || qs_gfx3d_model_parse(name, model))
		return true;
	cli_nearest_begin(&nearest, name);
	for (unsigned i = 0; i < QS_GFX3D_MODEL_COUNT; i++)
		cli_nearest_offer(&nearest, qs_gfx3d_model_name((enum qs_gfx3d_model)i));
	cli_fail("There is no model '%s' (chrisos, virgl, corrected)%s", name, cli_nearest_hint(&nearest, hint, sizeof hint));
	return false;
}

static struct qs_shader *open_shader(const struct cli_args *args)
{
	const char *path = g_ptr_array_index(args->words, 1);
	g_autofree char *name = g_path_get_basename(path), *data = NULL, *log = NULL;
	g_autoptr(GPtrArray) quirks = g_ptr_array_new();
	g_autoptr(GError) io = NULL;
	struct qs_shader_options o = {.name = name, .keep_dead_code = cli_has(args, "no-optimize")};
	struct qs_shader *shader;
	struct qs_error error;
	gsize size;

	if (!stage_of(args, path, &o.stage) || !model_of(args, &o.model))
		return NULL;
	for (unsigned i = 0; cli_value_nth(args, "quirk", i); i++)
		g_ptr_array_add(quirks, (void *)(uintptr_t)cli_value_nth(args, "quirk", i));
	g_ptr_array_add(quirks, NULL);
	o.quirks = (const char *const *)quirks->pdata;
	if (!g_file_get_contents(path, &data, &size, &io)) {
		cli_fail("%s.", io->message);
		return NULL;
	}
	shader = qs_shader_create(data, size, &o, &log, &error);
	if (!shader && log)
		fputs(log, stderr);
	if (!shader)
		cli_fail_error(&error);
	return shader;
}

/* ---- compile, dump -------------------------------------------------------------------------------------------------------- */

static bool put(const struct cli_args *args, const void *data, size_t size, bool binary)
{
	const char *path = cli_value(args, "output");
	g_autoptr(GError) io = NULL;

	if (!path && binary && cli_stdout_is_terminal()) {
		cli_fail("The binary form is not for a terminal; name a file with --output.");
		return false;
	}
	if (!path)
		return fwrite(data, 1, size, stdout) == size;
	if (g_file_set_contents(path, data, (gssize)size, &io))
		return true;
	cli_fail("%s.", io->message);
	return false;
}

static void json_info(struct cli_json *json, const struct qs_shader *shader)
{
	struct qs_shader_info info;
	struct qs_shader_symbol symbol;

	qs_shader_info(shader, &info);
	json_string(json, "name", info.name);
	json_string(json, "stage", info.stage == QS_SHADER_VERTEX ? "vertex" : "fragment");
	json_uint(json, "instructions", info.instructions);
	json_uint(json, "live", info.live);
	json_uint(json, "registers", info.registers);
	json_uint(json, "immediates", info.immediates);
	json_array(json, "symbols");
	for (uint32_t i = 0; qs_shader_symbol(shader, i, &symbol); i++) {
		json_row(json, NULL);
		json_string(json, "kind", qs_shader_symbol_kind_name(symbol.kind));
		json_string(json, "type", symbol.type);
		json_string(json, "name", symbol.name);
		json_uint(json, "slot", symbol.slot);
		json_object_end(json);
	}
	json_array_end(json);
}

static enum cli_status write_form(const struct cli_args *args, const struct qs_shader *shader)
{
	const char *name = cli_value(args, "form");
	enum qs_shader_form form = QS_SHADER_CSIR;
	struct qs_error error;
	struct cli_json json;
	void *data;
	size_t size;
	bool ok = true;

	if (cli_has(args, "ast"))
		name = "ast";
	if (name && !qs_shader_form_parse(name, &form))
		return cli_fail("There is no form '%s' (csir, dump, tgsi, tgsi-literal, binary, ast).", name);
	if (!qs_shader_write(shader, form, &data, &size, &error))
		return cli_fail_error(&error);
	if (!cli_has(args, "json") || cli_value(args, "output"))
		ok = put(args, data, size, form == QS_SHADER_BINARY);
	if (cli_has(args, "json")) {
		json_begin(&json, stdout);
		json_info(&json, shader);
		json_string(&json, "form", qs_shader_form_name(form));
		if (form == QS_SHADER_BINARY)
			json_uint(&json, "bytes", size);
		else
			json_string(&json, "text", data);
		json_end(&json);
	}
	free(data);
	return ok ? CLI_DONE : CLI_ERROR;
}

/* ---- verify --------------------------------------------------------------------------------------------------------------- */

/* ".xz" for the lanes, "" for all. */
static char *letters(uint8_t lanes, char *buffer)
{
	char *at = buffer;

	if (lanes != 15)
		*at++ = '.';
	for (unsigned k = 0; k < 4 && lanes != 15; k++)
		if (lanes >> k & 1)
			*at++ = "xyzw"[k];
	*at = 0;
	return buffer;
}

static void print_unwritten(const struct qs_shader *shader)
{
	char text[160], lanes_text[6];
	uint32_t instruction, line;
	uint8_t lanes;
	int reg;

	if (!qs_shader_unwritten(shader, &instruction, &reg, &lanes))
		return;
	qs_shader_instruction(shader, instruction, text, sizeof text, &line);
	printf("unwritten:     instruction %u (%s) reads %%%d%s, which nothing wrote: 0 on the CPU, undefined on a VirGL host\n", instruction, text,
		reg, letters(lanes, lanes_text));
}

static enum cli_status verify(const struct cli_args *args, const struct qs_shader *shader)
{
	static const char *const names[] = {"chrisos", "strict"};
	struct qs_error error[2];
	bool ok[2];
	struct cli_json json;

	for (unsigned strict = 0; strict < 2; strict++)
		ok[strict] = qs_shader_verify(shader, strict, &error[strict]);
	if (cli_has(args, "json")) {
		json_begin(&json, stdout);
		json_info(&json, shader);
		for (unsigned strict = 0; strict < 2; strict++) {
			json_row(&json, names[strict]);
			json_bool(&json, "accepted", ok[strict]);
			json_string(&json, "message", ok[strict] ? NULL : error[strict].text);
			json_object_end(&json);
		}
		json_end(&json);
	} else {
		printf("ChrisOS rules: %s\n", ok[0] ? "accepted" : error[0].text);
		printf("strict rules:  %s\n", ok[1] ? "accepted" : error[1].text);
		print_unwritten(shader);
	}
	return ok[cli_has(args, "strict")] ? CLI_DONE : CLI_DIFFERENT;
}

/* ---- run: what goes in ---------------------------------------------------------------------------------------------------- */

/* Numbers separated by commas; false after a message. */
static bool numbers_of(const char *name, const char *text, float numbers[16], unsigned *count)
{
	*count = 0;
	for (;;) {
		char *end;
		double value = g_ascii_strtod(text, &end);

		if (end == text || (*end && *end != ',') || *count == 16) {
			cli_fail("%s wants 1 to 16 numbers separated by commas, not '%s'.", name, text);
			return false;
		}
		numbers[(*count)++] = (float)value;
		if (!*end)
			return true;
		text = end + 1;
	}
}

static bool by_slot(const char *name, const char *prefix, unsigned most, unsigned *slot)
{
	size_t n = strlen(prefix);
	guint64 value;

	if (strncmp(name, prefix, n) || !g_ascii_string_to_unsigned(name + n, 10, 0, most, &value, NULL))
		return false;
	*slot = (unsigned)value;
	return true;
}

/* Numbers of a uniform, column by column. */
static void put_uniform(struct qs_shader_inputs *in, unsigned slot, unsigned slots, unsigned lanes, const float *numbers, unsigned count)
{
	for (unsigned i = 0; i < count && i < slots * lanes && slot + i / lanes < 32; i++)
		in->uniform[slot + i / lanes][i % lanes] = numbers[i];
}

static bool put_symbol(const struct qs_shader *shader, const char *name, const float *numbers, unsigned count, struct qs_shader_inputs *in)
{
	struct qs_shader_symbol symbol;
	struct cli_nearest nearest;
	char hint[64];

	cli_nearest_begin(&nearest, name);
	cli_nearest_offer(&nearest, "fragcoord");
	for (uint32_t i = 0; qs_shader_symbol(shader, i, &symbol); i++) {
		if (symbol.kind == QS_SHADER_OUTPUT || symbol.kind == QS_SHADER_SAMPLER)
			continue;
		cli_nearest_offer(&nearest, symbol.name);
		if (strcmp(symbol.name, name))
			continue;
		if (symbol.kind == QS_SHADER_UNIFORM)
			put_uniform(in, symbol.slot, symbol.slots, symbol.lanes, numbers, count);
		else
			memcpy(in->input[symbol.slot & 7], numbers, MIN(count, 4) * sizeof *numbers);
		return true;
	}
	cli_fail("The shader has no uniform and no input '%s'%s", name, cli_nearest_hint(&nearest, hint, sizeof hint));
	return false;
}

static bool set_one(const struct qs_shader *shader, const char *assignment, struct qs_shader_inputs *in)
{
	const char *equals = strchr(assignment, '=');
	g_autofree char *name = g_strndup(assignment, equals ? (gsize)(equals - assignment) : 0);
	float numbers[16];
	unsigned count, slot;

	if (!equals) {
		cli_fail("--set wants NAME=NUMBERS, not '%s'.", assignment);
		return false;
	}
	if (!numbers_of(name, equals + 1, numbers, &count))
		return false;
	if (!strcmp(name, "fragcoord"))
		memcpy(in->fragcoord, numbers, MIN(count, 4) * sizeof *numbers);
	else if (by_slot(name, "input", 7, &slot))
		memcpy(in->input[slot], numbers, MIN(count, 4) * sizeof *numbers);
	else if (by_slot(name, "uniform", 31, &slot))
		put_uniform(in, slot, 4, 4, numbers, count);
	else
		return put_symbol(shader, name, numbers, count, in);
	return true;
}

static bool set_texture(const char *text, struct qs_image images[4], struct qs_shader_inputs *in)
{
	unsigned slot = 0;
	struct qs_error error;

	if (text[0] >= '0' && text[0] <= '3' && text[1] == '=') {
		slot = (unsigned)(text[0] - '0');
		text += 2;
	}
	qs_image_finish(&images[slot]);
	if (!qs_image_read_png(&images[slot], text, &error)) {
		cli_fail_error(&error);
		return false;
	}
	in->texture[slot] = &images[slot];
	return true;
}

static bool take_inputs(const struct cli_args *args, const struct qs_shader *shader, struct qs_image images[4], struct qs_shader_inputs *in)
{
	int64_t cut = UINT32_MAX;

	for (unsigned i = 0; cli_value_nth(args, "set", i); i++)
		if (!set_one(shader, cli_value_nth(args, "set", i), in))
			return false;
	for (unsigned i = 0; cli_value_nth(args, "texture", i); i++)
		if (!set_texture(cli_value_nth(args, "texture", i), images, in))
			return false;
	if (!cli_option_number(args, "cut", 0, UINT32_MAX, &cut))
		return false;
	in->cut = (uint32_t)cut;
	return true;
}

/* ---- run: what comes out -------------------------------------------------------------------------------------------------- */

struct listing {
	const struct qs_shader *shader;
	struct cli_table *table; /* or */
	struct cli_json *json;
};

static char *numbers_text(const float *v, uint8_t lanes, char *buffer, size_t size)
{
	GString *text = g_string_new(NULL);

	for (unsigned k = 0; k < 4; k++)
		if (lanes >> k & 1)
			g_string_append_printf(text, "%s%.7g", text->len ? " " : "", (double)v[k]);
	g_strlcpy(buffer, text->str, size);
	g_string_free(text, TRUE);
	return buffer;
}

static void table_step(void *user, const struct qs_shader_step *step)
{
	struct listing *l = user;
	char text[160], a[80] = "", b[80] = "", value[80] = "";
	uint32_t line;

	qs_shader_instruction(l->shader, step->instruction, text, sizeof text, &line);
	for (uint32_t i = 0; i < MAX(step->count, 1) && i < 4; i++) {
		if (!i) {
			cli_table_cell(l->table, "%u", step->instruction);
			cli_table_cell(l->table, "%.*s", line ? 8 : 0, line ? (snprintf(a, sizeof a, "%u", line), a) : "");
			cli_table_cell(l->table, "%s", text);
			cli_table_cell(l->table, "%s", step->has_a ? numbers_text(step->a, 15, a, sizeof a) : "");
			cli_table_cell(l->table, "%s", step->has_b ? numbers_text(step->b, 15, b, sizeof b) : "");
		} else {
			for (unsigned k = 0; k < 5; k++)
				cli_table_cell(l->table, "%s", "");
		}
		if (step->written >= 0)
			cli_table_cell(l->table, "%%%u%s = %s", (unsigned)step->written + i, letters(step->lanes, a),
				numbers_text(step->value[i], step->lanes, value, sizeof value));
		else
			cli_table_cell(l->table, "%s", step->active ? "" : "off");
	}
}

static void json_floats(struct cli_json *json, const char *key, const float v[4])
{
	json_list(json, key);
	for (unsigned k = 0; k < 4; k++)
		json_float(json, NULL, v[k]);
	json_array_end(json);
}

static void json_step(void *user, const struct qs_shader_step *step)
{
	struct listing *l = user;
	char text[160];
	uint32_t line;

	qs_shader_instruction(l->shader, step->instruction, text, sizeof text, &line);
	json_row(l->json, NULL);
	json_uint(l->json, "instruction", step->instruction);
	json_uint(l->json, "line", line);
	json_string(l->json, "text", text);
	json_bool(l->json, "active", step->active);
	if (step->has_a)
		json_floats(l->json, "a", step->a);
	if (step->has_b)
		json_floats(l->json, "b", step->b);
	if (step->written >= 0) {
		json_int(l->json, "register", step->written);
		json_array(l->json, "values");
		for (uint32_t i = 0; i < step->count && i < 4; i++)
			json_floats(l->json, NULL, step->value[i]);
		json_array_end(l->json);
	}
	json_object_end(l->json);
}

static void print_outputs(const struct qs_shader *shader, const struct qs_shader_outputs *out)
{
	struct qs_shader_info info;
	char text[80];

	qs_shader_info(shader, &info);
	if (info.stage == QS_SHADER_VERTEX)
		printf("position   %s\n", numbers_text(out->position, 15, text, sizeof text));
	else
		printf("colour     %s%s\n", numbers_text(out->colour, 15, text, sizeof text), out->discarded ? "  (discarded)" : "");
	for (unsigned i = 0; i < 8; i++)
		if (out->stored >> i & 1)
			printf("varying %u  %s\n", i, numbers_text(out->varying[i], 15, text, sizeof text));
}

static void json_outputs(struct cli_json *json, const struct qs_shader_outputs *out)
{
	json_bool(json, "discarded", out->discarded);
	json_floats(json, "position", out->position);
	json_floats(json, "colour", out->colour);
	json_array(json, "varyings");
	for (unsigned i = 0; i < 8; i++) {
		if (!(out->stored >> i & 1))
			continue;
		json_row(json, NULL);
		json_uint(json, "slot", i);
		json_floats(json, "value", out->varying[i]);
		json_object_end(json);
	}
	json_array_end(json);
}

static enum cli_status run_shader(const struct cli_args *args, const struct qs_shader *shader, const struct qs_shader_inputs *in)
{
	bool as_json = cli_has(args, "json");
	struct listing l = {.shader = shader};
	struct qs_shader_outputs out;
	struct qs_error error;
	struct cli_json json;

	/* asked first without a listing, so that a refusal leaves no half of one */
	if (!qs_shader_run(shader, in, NULL, NULL, &out, &error))
		return cli_fail_error(&error);
	if (as_json) {
		l.json = &json;
		json_begin(&json, stdout);
		json_info(&json, shader);
		json_array(&json, "steps");
		qs_shader_run(shader, in, json_step, &l, &out, &error);
		json_array_end(&json);
		json_outputs(&json, &out);
		json_end(&json);
		return CLI_DONE;
	}
	l.table = cli_table_new("rrllll");
	cli_table_head(l.table, "no", "line", "instruction", "a", "b", "result");
	qs_shader_run(shader, in, table_step, &l, &out, &error);
	cli_table_print(l.table, stdout, 0);
	print_outputs(shader, &out);
	return CLI_DONE;
}

static enum cli_status run_command(const struct cli_args *args, const struct qs_shader *shader)
{
	struct qs_image images[4] = {{0, 0, NULL, NULL}};
	struct qs_shader_inputs in;
	enum cli_status status = CLI_ERROR;

	memset(&in, 0, sizeof in);
	if (take_inputs(args, shader, images, &in))
		status = run_shader(args, shader, &in);
	for (unsigned i = 0; i < 4; i++)
		qs_image_finish(&images[i]);
	return status;
}

/* ---- the command ---------------------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	enum cli_status (*run)(const struct cli_args *args, const struct qs_shader *shader);
} actions[] = {{"compile", write_form}, {"verify", verify}, {"dump", write_form}, {"run", run_command}};

static enum cli_status run(const struct cli_args *args)
{
	const char *action = g_ptr_array_index(args->words, 0);
	struct cli_nearest nearest;
	char hint[64];

	cli_nearest_begin(&nearest, action);
	for (unsigned i = 0; i < G_N_ELEMENTS(actions); i++) {
		struct qs_shader *shader;
		enum cli_status status;

		cli_nearest_offer(&nearest, actions[i].name);
		if (strcmp(action, actions[i].name))
			continue;
		shader = open_shader(args);
		if (!shader)
			return CLI_ERROR;
		status = actions[i].run(args, shader);
		qs_shader_destroy(shader);
		return status;
	}
	return cli_fail("'qscope shader' cannot '%s' (compile, verify, dump, run)%s", action, cli_nearest_hint(&nearest, hint, sizeof hint));
}

const struct cli_command cli_cmd_shader = {
	.name = "shader", .arguments = "compile|verify|dump|run FILE", .min_words = 2, .max_words = 2,
	.summary = "compile, check and run a shader",
	.details = "FILE is source text, CSIR text or the binary form; its bytes say which. 'compile' and 'dump' write it in a form,\n"
		   "'verify' checks it with both sets of rules, 'run' runs it once and prints every instruction with its operands and\n"
		   "what it wrote. Exit status 1: the verifier refuses it.",
	.examples = "qscope shader compile --form tgsi light.frag\n"
		    "qscope shader run light.frag --set vNormal=0,0,1 --set lightDirection=0,1,1 --set material=1,1,1,1\n"
		    "qscope shader verify --strict shader.csi",
	.options = options, .run = run,
};
