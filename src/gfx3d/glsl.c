/* glsl.c - the compiler as a whole; its messages
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gfx3d/glsl.h"

bool glsl_stopped(const struct glsl *g)
{
	return g->full || g->log->errors >= CSIR_MESSAGE_MAX;
}

void glsl_limit(struct glsl *g, int token, const char *message)
{
	if (!g->full)
		glsl_error(g, token < 0 ? g->statement : token, message);
	g->full = true;
}

void glsl_token_text(const struct glsl *g, int token, char *buffer, size_t size)
{
	const struct glsl_token *t = &g->token[token];
	size_t n = t->length < size ? t->length : size - 1;

	memcpy(buffer, g->source + t->offset, n);
	buffer[n] = 0;
}

static void append(struct csir_log *log, const char *text, size_t size)
{
	size_t used = strlen(log->text), room = sizeof log->text - 1 - used, n = size < room ? size : room;

	memcpy(log->text + used, text, n);
	log->text[used + n] = 0;
}

/* The source line and a caret under the column; tabs are repeated so that the caret stands right. */
static void append_line(struct glsl *g, unsigned line, unsigned column)
{
	const char *at = g->source, *end = g->source + g->size, *stop;

	for (unsigned i = 1; i < line; i++) {
		at = memchr(at, '\n', (size_t)(end - at));
		if (!at)
			return;
		at++;
	}
	stop = memchr(at, '\n', (size_t)(end - at));
	if (!stop)
		stop = end;
	if (stop > at && stop[-1] == '\r')
		stop--;
	append(g->log, at, (size_t)(stop - at));
	append(g->log, "\n", 1);
	for (unsigned i = 1; i < column; i++)
		append(g->log, at + i <= stop && at[i - 1] == '\t' ? "\t" : " ", 1);
	append(g->log, "^\n", 2);
}

void glsl_error(struct glsl *g, int token, const char *message)
{
	struct csir_log *log = g->log;
	bool placed = token >= 0 && token < g->token_count;
	unsigned line = placed ? g->token[token].line : 1, column = placed ? g->token[token].column : 1;
	char head[160];

	if (g->lexed && placed && g->token[token].kind == TOKEN_BAD)
		return;
	if (log->errors++ >= CSIR_MESSAGE_MAX)
		return;
	log->message[log->errors - 1].line = (uint16_t)line;
	log->message[log->errors - 1].column = (uint16_t)column;
	snprintf(log->message[log->errors - 1].text, sizeof log->message->text, "%s", message);
	snprintf(head, sizeof head, "%s:%u:%u: error: %s\n", g->shader->name, line, column, message);
	append(log, head, strlen(head));
	append_line(g, line, column);
}

static bool keep_source(struct csir_shader *shader, const char *source, size_t size, struct qs_error *error)
{
	shader->source = malloc(size + 1);
	if (!shader->source) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "Not enough memory for shader %s.", shader->name);
		return false;
	}
	memcpy(shader->source, source, size);
	shader->source[size] = 0;
	return true;
}

/* A model with a budget refuses what would not fit into a VirGL command, although the CPU could run it. */
static bool fits(struct glsl *g, struct qs_error *error)
{
	struct csir_tgsi_options options;
	struct csir_text text = {0};
	bool ok;

	csir_tgsi_options_init(&options, g->quirks);
	ok = !options.budget || csir_tgsi(g->shader, &options, &text, NULL, NULL, error);
	csir_text_finish(&text);
	if (!ok)
		glsl_error(g, -1, "TGSI exceeds the VirGL command budget");
	return ok;
}

static bool run(struct glsl *g, bool optimize, struct qs_error *error)
{
	bool lexed = glsl_lex(g), ok;

	g->lexed = true;
	ok = lexed && !glsl_stopped(g) && glsl_parse(g) && !g->log->errors && glsl_lower(g);
	if (!ok) {
		const struct csir_message *m = &g->log->message[0];

		qs_error_set(error, QS_ERR_FORMAT, m->line, "Shader %s does not compile: line %u, column %u: %s.", g->shader->name, m->line,
			m->column, m->text);
		return false;
	}
	csir_shader_mark(g->shader);
	if (optimize)
		csir_optimize(g->shader, g->quirks);
	if (csir_verify(g->shader, csir_rules_of(g->quirks), error))
		return fits(g, error);
	glsl_error(g, -1, "the verifier refuses the compiled code");
	return false;
}

static void set_up(struct glsl *g, struct csir_shader *shader, const char *source, size_t size, const struct g3_quirks *quirks,
	struct csir_log *log)
{
	g->shader = shader;
	g->quirks = quirks;
	g->log = log;
	g->source = source;
	g->statement = -1;
	g->size = size;
	memset(log, 0, sizeof *log);
}

bool csir_tree(enum csir_stage stage, const char *name, const char *source, size_t size, const struct g3_quirks *quirks,
	struct csir_text *text, struct qs_error *error)
{
	struct csir_shader *shader = calloc(1, sizeof *shader);
	struct csir_log *log = calloc(1, sizeof *log);
	struct glsl *g = calloc(1, sizeof *g);
	bool ok = shader && log && g, lexed;

	if (ok) {
		csir_shader_init(shader, stage, name);
		set_up(g, shader, source, size, quirks, log);
		lexed = glsl_lex(g);
		g->lexed = true;
		ok = lexed && !glsl_stopped(g) && glsl_parse(g) && !log->errors;
		if (ok)
			glsl_print_tree(g, text);
		else
			qs_error_set(error, QS_ERR_FORMAT, log->message[0].line, "Shader %s cannot be parsed: line %u, column %u: %s.", shader->name,
				log->message[0].line, log->message[0].column, log->message[0].text);
	} else {
		qs_error_set(error, QS_ERR_NOMEM, 0, "Not enough memory for a shader.");
	}
	free(g);
	free(log);
	free(shader);
	return ok;
}

bool csir_compile(struct csir_shader *shader, enum csir_stage stage, const char *name, const char *source, size_t size,
	const struct g3_quirks *quirks, bool optimize, struct csir_log *log, struct qs_error *error)
{
	struct csir_log own;
	struct glsl *g;
	bool ok;

	csir_shader_init(shader, stage, name);
	if (stage != CSIR_VERTEX && stage != CSIR_FRAGMENT) {
		qs_error_set(error, QS_ERR_UNSUPPORTED, 0, "Shader %s: only vertex and fragment shaders are supported.", shader->name);
		return false;
	}
	g = calloc(1, sizeof *g);
	if (!g || !keep_source(shader, source, size < CSIR_SOURCE_MAX ? size : 0, error)) {
		qs_error_set(error, QS_ERR_NOMEM, 0, "Not enough memory for shader %s.", shader->name);
		free(g);
		return false;
	}
	set_up(g, shader, source, size, quirks, log ? log : &own);
	ok = run(g, optimize, error);
	free(g);
	return ok;
}
