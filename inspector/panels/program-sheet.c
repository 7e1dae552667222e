/* program-sheet.c - see the header
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "program-sheet.h"
#include <math.h>
#include <string.h>

#define SOURCE_CHARACTERS 42

/* By stage, as the search for the first divergence has them: src/trace/gfx3d_walk_back.c */
static const float tolerance[2] = {1e-4f, 2e-3f};

static const char *const titles[QS_PROGRAM_COLUMN_COUNT] = {"", "instruction", "result", "VirGL", "a", "b", "ran"};

/* ---- comparing ---------------------------------------------------------------------------------------------------------- */

gboolean qs_program_compared(const struct qs_gfx3d_step *step, guint *instruction, guint *reg, guint *lanes, float value[4][4])
{
	*instruction = step->instruction;
	if (step->dst >= 0) {
		*reg = (guint)step->dst;
		*lanes = step->lanes;
		memcpy(value, step->value, sizeof step->value);
		return TRUE;
	}
	if (!step->has_a || step->reg_a < 0 || !step->instruction)
		return FALSE;
	*instruction = step->instruction - 1u; /* as it was before */
	*reg = (guint)step->reg_a;
	*lanes = step->lanes_a;
	memcpy(value, step->a, sizeof step->a);
	return TRUE;
}

static gboolean near(float a, float b, float most)
{
	if (isnan(a) || isnan(b))
		return isnan(a) && isnan(b);
	return a == b || fabsf(a - b) <= most * fmaxf(1, fabsf(a));
}

gboolean qs_program_near(guint stage, const float a[4], const float b[4], guint lanes)
{
	for (guint k = 0; k < 4; k++)
		if (lanes >> k & 1 && !near(a[k], b[k], tolerance[stage & 1]))
			return FALSE;
	return TRUE;
}

#define REGISTERS 128 /* a shader has 96 */
#define COLUMNS 4     /* registers of a matrix that may be read behind the first */

static void read_register(gboolean live[REGISTERS], int reg)
{
	for (int k = 0; reg >= 0 && k < COLUMNS && reg + k < REGISTERS; k++)
		live[reg + k] = TRUE;
}

/* Backward: may what the step does reach what is stored, a branch or a discard? */
static gboolean matters(gboolean live[REGISTERS], const struct qs_gfx3d_step *step)
{
	gboolean any = step->dst < 0;

	for (int k = 0; step->dst >= 0 && k < step->dst_count && step->dst + k < REGISTERS; k++)
		any |= live[step->dst + k];
	if (any) {
		read_register(live, step->has_a ? step->reg_a : -1);
		read_register(live, step->has_b ? step->reg_b : -1);
	}
	return any;
}

int qs_program_first_difference(const QsProgramFacts *f)
{
	gboolean live[REGISTERS] = {FALSE};
	int first = -1;

	for (guint i = f->program->stage[f->stage].count; f->host && i-- > 0;) {
		const struct qs_gfx3d_step *step = qs_program_step(f->program, f->stage, i);

		if (step && step->ran >> f->thread & 1 && matters(live, step) && f->host[i].state == QS_HOST_DIFFERS)
			first = (int)i;
	}
	return first;
}

/* ---- texts -------------------------------------------------------------------------------------------------------------- */

static void append_lanes(GString *s, const float value[4], guint lanes, const char *format)
{
	gboolean any = FALSE;

	for (guint k = 0; k < 4; k++) {
		char number[32];

		if (!(lanes >> k & 1))
			continue;
		g_snprintf(number, sizeof number, format, (double)value[k]);
		g_string_append_printf(s, any ? " %s" : "%s", number);
		any = TRUE;
	}
}

static char *lanes_text(const float value[4], guint lanes)
{
	GString *s = g_string_new(NULL);

	append_lanes(s, value, lanes, "%.4g");
	return g_string_free(s, FALSE);
}

static gboolean is(const char *text, const char *name)
{
	const gsize n = strlen(name);

	return strncmp(text, name, n) == 0 && !g_ascii_isalnum(text[n]) && text[n] != '_';
}

/* A branch has no result: whether this thread takes it. */
static char *branch_text(const QsProgramFacts *f, const char *text, const struct qs_gfx3d_step *step)
{
	if (is(text, "if"))
		return g_strdup(step->a[f->thread][0] != 0 ? "taken" : "not taken");
	if (is(text, "discard"))
		return g_strdup("discarded");
	return g_strdup("");
}

static char *result_text(const QsProgramFacts *f, const char *text, const struct qs_gfx3d_step *step)
{
	if (step->dst >= 0)
		return lanes_text(step->value[f->thread], step->lanes);
	if (g_str_has_prefix(text, "store"))
		return lanes_text(step->a[f->thread], step->lanes_a);
	return branch_text(f, text, step);
}

static char *source_line(const QsShaderText *text, guint32 line)
{
	guint32 count = g_strv_length(text->source);

	return line && line <= count ? g_strdup_printf("%u  %s", line, g_strstrip(text->source[line - 1])) : NULL;
}

/* The column is not to be wider than instructions are. */
static char *short_line(const QsShaderText *text, guint32 line)
{
	g_autofree char *whole = source_line(text, line);

	if (!whole || g_utf8_strlen(whole, -1) <= SOURCE_CHARACTERS)
		return g_steal_pointer(&whole);
	g_autofree char *cut = g_utf8_substring(whole, 0, SOURCE_CHARACTERS - 1);

	return g_strconcat(cut, "…", NULL);
}

/* ---- cells -------------------------------------------------------------------------------------------------------------- */

typedef struct {
	QsSheet *sheet;
	const QsProgramFacts *f;
	guint row, flags, instruction;
} Fill;

static void put(const Fill *fill, guint column, guint flags, const char *top, const char *text)
{
	g_autofree char *name = g_strdup_printf("instruction %u%s%s", fill->instruction, titles[column][0] ? " " : "", titles[column]);

	qs_sheet_put(fill->sheet, fill->row, column, &(QsCellContent){.flags = fill->flags | flags, .top = top, .text = text, .name = name});
}

static void put_host(const Fill *fill, const struct qs_gfx3d_step *step)
{
	const QsHostResult *host = &fill->f->host[fill->instruction];
	guint instruction, reg, lanes;
	float value[4][4];
	g_autofree char *text = NULL;

	if (host->state == QS_HOST_UNKNOWN || !step || !qs_program_compared(step, &instruction, &reg, &lanes, value))
		return;
	if (host->state == QS_HOST_NOT_REACHED)
		text = g_strdup("not reached");
	else
		text = lanes_text(host->value, lanes);
	put(fill, QS_PROGRAM_COLUMN_HOST, host->state == QS_HOST_EQUAL ? QS_CELL_PASS : QS_CELL_FAIL, NULL, text);
}

static void put_values(const Fill *fill, const char *text, const struct qs_gfx3d_step *step, int first)
{
	const guint thread = fill->f->thread;
	const gboolean ran = step->ran >> thread & 1;
	const guint threads = fill->f->stage ? 4 : 3;
	g_autofree char *result = ran ? result_text(fill->f, text, step) : g_strdup("·");
	g_autofree char *a = ran && step->has_a ? lanes_text(step->a[thread], step->lanes_a) : NULL;
	g_autofree char *b = ran && step->has_b ? lanes_text(step->b[thread], step->lanes_b) : NULL;
	GString *dots = g_string_new(NULL);

	for (guint k = 0; k < threads; k++)
		g_string_append(dots, step->ran >> k & 1 ? "●" : "○");
	put(fill, QS_PROGRAM_COLUMN_RESULT, first == (int)fill->instruction ? QS_CELL_FAIL : 0, NULL, result);
	if (a)
		put(fill, QS_PROGRAM_COLUMN_A, 0, NULL, a);
	if (b)
		put(fill, QS_PROGRAM_COLUMN_B, 0, NULL, b);
	put(fill, QS_PROGRAM_COLUMN_RAN, QS_CELL_DIM, NULL, dots->str);
	g_string_free(dots, TRUE);
}

static void put_instruction(Fill *fill, const char *source, int depth, int first)
{
	const QsProgramFacts *f = fill->f;
	const char *text = f->program->stage[f->stage].text[fill->instruction];
	const struct qs_gfx3d_step *step = qs_program_step(f->program, f->stage, fill->instruction);
	g_autofree char *indented = g_strdup_printf("%*s%s", 2 * depth, "", text), *number = g_strdup_printf("%u", fill->instruction);
	g_autofree char *marked = g_strdup_printf("%s ≠", number);
	const gboolean ran = step && step->ran >> f->thread & 1;

	fill->flags = (f->now == (int)fill->instruction ? QS_CELL_NOW : 0) | (source ? QS_CELL_LINE : 0) | (ran ? 0 : QS_CELL_PENDING);
	put(fill, QS_PROGRAM_COLUMN_NUMBER, QS_CELL_LINK | (first == (int)fill->instruction ? QS_CELL_FAIL : 0), NULL,
		first == (int)fill->instruction ? marked : number);
	put(fill, QS_PROGRAM_COLUMN_TEXT, QS_CELL_LEFT | QS_CELL_LINK, source, indented);
	if (step)
		put_values(fill, text, step, first);
	else
		put(fill, QS_PROGRAM_COLUMN_RESULT, 0, NULL, "·");
	if (f->with_host && f->host)
		put_host(fill, step);
}

void qs_program_sheet_fill(QsSheet *sheet, const QsProgramFacts *f, GArray *rows)
{
	const QsShaderText *text = &f->program->stage[f->stage];
	const int first = f->with_host ? qs_program_first_difference(f) : -1;
	const guint head = G_MAXUINT;
	guint32 line = 0;
	int depth = 0;

	g_array_set_size(rows, 0);
	g_array_append_val(rows, head);
	qs_sheet_begin(sheet, QS_PROGRAM_COLUMN_COUNT);
	for (guint c = 0; c < QS_PROGRAM_COLUMN_COUNT; c++)
		qs_sheet_put(sheet, 0, c, &(QsCellContent){.flags = QS_CELL_HEAD | (c == QS_PROGRAM_COLUMN_TEXT ? QS_CELL_LEFT : 0),
			.text = c == QS_PROGRAM_COLUMN_HOST && !f->with_host ? "" : titles[c]});
	for (guint i = 0; i < text->count; i++) {
		g_autofree char *source = text->line[i] != line ? short_line(text, text->line[i]) : NULL;
		Fill fill = {.sheet = sheet, .f = f, .row = rows->len, .instruction = i};

		if (is(text->text[i], "nop"))
			continue;
		if (text->line[i])
			line = text->line[i];
		if (is(text->text[i], "else") || is(text->text[i], "endif"))
			depth = MAX(depth - 1, 0);
		put_instruction(&fill, source, depth, first);
		if (is(text->text[i], "if") || is(text->text[i], "else"))
			depth++;
		g_array_append_val(rows, i);
	}
	qs_sheet_end(sheet, rows->len);
}

/* ---- detail ------------------------------------------------------------------------------------------------------------- */

static void append_value(GString *s, const char *name, const float value[4], guint lanes)
{
	g_string_append_printf(s, "   %s <tt>", name);
	append_lanes(s, value, lanes, "%.9g");
	g_string_append(s, "</tt>");
}

char *qs_program_detail(const QsProgramFacts *f, guint instruction)
{
	const QsShaderText *text = &f->program->stage[f->stage];
	const struct qs_gfx3d_step *step = qs_program_step(f->program, f->stage, instruction);
	const QsHostResult *host = f->with_host && f->host ? &f->host[instruction] : NULL;
	g_autofree char *escaped = g_markup_escape_text(text->text[instruction], -1);
	g_autofree char *source = source_line(text, text->line[instruction]);
	g_autofree char *line = source ? g_markup_escape_text(source, -1) : NULL;
	guint number, reg, lanes;
	float value[4][4];
	GString *s = g_string_new(NULL);

	g_string_append_printf(s, "<b>%u</b>  <tt>%s</tt>", instruction, escaped);
	if (line)
		g_string_append_printf(s, "   <span alpha='60%%'>line %s</span>", line);
	g_string_append_c(s, '\n');
	if (!step || !(step->ran >> f->thread & 1)) {
		g_string_append(s, step ? "did not run here: the branch was not taken" : "did not run");
		return g_string_free(s, FALSE);
	}
	if (step->has_a)
		append_value(s, "a", step->a[f->thread], step->lanes_a);
	if (step->has_b)
		append_value(s, "b", step->b[f->thread], step->lanes_b);
	if (qs_program_compared(step, &number, &reg, &lanes, value)) {
		if (step->dst >= 0)
			append_value(s, "result", value[f->thread], lanes);
		if (host && (host->state == QS_HOST_EQUAL || host->state == QS_HOST_DIFFERS))
			append_value(s, host->state == QS_HOST_EQUAL ? "\nVirGL, equal," : "\n<b>VirGL differs</b>", host->value, lanes);
	}
	return g_string_free(s, FALSE);
}
