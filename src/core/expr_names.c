/* expr_names.c - variables of expressions, value names, and the nearest name to a misspelt one
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "core/expr.h"

static const struct qs_enum_value kinds[] = {{QS_PRIMITIVE_POINT, "point"}, {QS_PRIMITIVE_LINE, "line"},
	{QS_PRIMITIVE_TRIANGLE, "triangle"}, {0, NULL}};
static const struct qs_enum_value setups[] = {{QS_SETUP_DRAWN, "drawn"}, {QS_SETUP_REJECTED, "rejected"},
	{QS_SETUP_CLIPPED, "clipped"}, {QS_SETUP_CULLED, "culled"}, {QS_SETUP_DEGENERATE, "degenerate"},
	{QS_SETUP_SCISSORED, "scissored"}, {0, NULL}};
static const struct qs_enum_value verdicts[] = {{QS_VERDICT_NONE, "none"}, {QS_VERDICT_WRITTEN, "written"},
	{QS_VERDICT_MASKED, "masked"}, {QS_VERDICT_EARLY_Z, "early_z"}, {QS_VERDICT_ALPHA, "alpha"},
	{QS_VERDICT_LATE_Z, "late_z"}, {QS_VERDICT_PENDING, "pending"}, {0, NULL}};
static const struct qs_enum_value units[] = {{QS_UNIT_BP, "bp"}, {QS_UNIT_CP, "cp"}, {QS_UNIT_XF, "xf"}, {QS_UNIT_PE, "pe"},
	{0, NULL}};

const struct expr_variable expr_variables[QS_VAR_COUNT] = {
	[QS_VAR_FRAME] = {"frame", NULL, QS_LEVEL_FRAME, "Number of the frame, from 1."},
	[QS_VAR_COMMAND] = {"command", NULL, QS_LEVEL_COMMAND, "Number of the command in the capture."},
	[QS_VAR_DRAW] = {"draw", NULL, QS_LEVEL_DRAW, "Number of the draw in its frame."},
	[QS_VAR_PRIMITIVE] = {"primitive", NULL, QS_LEVEL_PRIMITIVE, "Number of the primitive in its draw."},
	[QS_VAR_QUAD] = {"quad", NULL, QS_LEVEL_QUAD, "Number of the quad in its primitive."},
	[QS_VAR_FRAGMENT] = {"fragment", NULL, QS_LEVEL_FRAGMENT, "Number of the fragment in its quad, 0..3."},
	[QS_VAR_STAGE] = {"stage", NULL, QS_LEVEL_STAGE, "Number of the TEV stage."},
	[QS_VAR_OPCODE] = {"opcode", NULL, QS_LEVEL_COMMAND, "First byte of the command."},
	[QS_VAR_SIZE] = {"size", NULL, QS_LEVEL_COMMAND, "Bytes of the command."},
	[QS_VAR_OFFSET] = {"offset", NULL, QS_LEVEL_COMMAND, "Place of the command in its frame's bytes, or in its list."},
	[QS_VAR_UNIT] = {"unit", units, QS_LEVEL_COMMAND, "Unit of the register that is written."},
	[QS_VAR_ADDRESS] = {"address", NULL, QS_LEVEL_COMMAND, "Address of the register that is written."},
	[QS_VAR_OLD] = {"old", NULL, QS_LEVEL_COMMAND, "Value of the register before the write."},
	[QS_VAR_VALUE] = {"value", NULL, QS_LEVEL_COMMAND, "Value of the register after the write."},
	[QS_VAR_KIND] = {"kind", kinds, QS_LEVEL_PRIMITIVE, "Kind of the primitive."},
	[QS_VAR_SETUP] = {"setup", setups, QS_LEVEL_PRIMITIVE, "What became of the primitive."},
	[QS_VAR_AREA] = {"area", NULL, QS_LEVEL_PRIMITIVE, "Area in pixels, positive when clockwise on the screen."},
	[QS_VAR_X] = {"x", NULL, QS_LEVEL_QUAD, "Column in the EFB."},
	[QS_VAR_Y] = {"y", NULL, QS_LEVEL_QUAD, "Line in the EFB."},
	[QS_VAR_COVERAGE] = {"coverage", NULL, QS_LEVEL_QUAD, "12-bit coverage of the quad: bit 3 * pixel + sample."},
	[QS_VAR_SAMPLES] = {"samples", NULL, QS_LEVEL_FRAGMENT, "Covered samples of the fragment, 3 bits."},
	[QS_VAR_VERDICT] = {"verdict", verdicts, QS_LEVEL_FRAGMENT, "What became of the fragment."},
	[QS_VAR_ALPHA] = {"alpha", NULL, QS_LEVEL_FRAGMENT, "Alpha that the alpha test sees."},
	[QS_VAR_R] = {"r", NULL, QS_LEVEL_FRAGMENT, "Red that goes into blending."},
	[QS_VAR_G] = {"g", NULL, QS_LEVEL_FRAGMENT, "Green that goes into blending."},
	[QS_VAR_B] = {"b", NULL, QS_LEVEL_FRAGMENT, "Blue that goes into blending."},
	[QS_VAR_A] = {"a", NULL, QS_LEVEL_FRAGMENT, "Alpha that goes into blending."},
	[QS_VAR_Z] = {"z", NULL, QS_LEVEL_FRAGMENT, "Depth of the fragment, 24 bits."},
	[QS_VAR_Z_OLD] = {"z_old", NULL, QS_LEVEL_FRAGMENT, "Stored depth before the fragment."},
	[QS_VAR_Z_NEW] = {"z_new", NULL, QS_LEVEL_FRAGMENT, "Stored depth after the fragment."},
	[QS_VAR_OLD_R] = {"old_r", NULL, QS_LEVEL_FRAGMENT, "Red of the pixel before the fragment."},
	[QS_VAR_OLD_G] = {"old_g", NULL, QS_LEVEL_FRAGMENT, "Green of the pixel before the fragment."},
	[QS_VAR_OLD_B] = {"old_b", NULL, QS_LEVEL_FRAGMENT, "Blue of the pixel before the fragment."},
	[QS_VAR_OLD_A] = {"old_a", NULL, QS_LEVEL_FRAGMENT, "Alpha of the pixel before the fragment."},
	[QS_VAR_NEW_R] = {"new_r", NULL, QS_LEVEL_FRAGMENT, "Red of the pixel after the fragment."},
	[QS_VAR_NEW_G] = {"new_g", NULL, QS_LEVEL_FRAGMENT, "Green of the pixel after the fragment."},
	[QS_VAR_NEW_B] = {"new_b", NULL, QS_LEVEL_FRAGMENT, "Blue of the pixel after the fragment."},
	[QS_VAR_NEW_A] = {"new_a", NULL, QS_LEVEL_FRAGMENT, "Alpha of the pixel after the fragment."},
	[QS_VAR_FOG] = {"fog", NULL, QS_LEVEL_FRAGMENT, "Fog factor, 0..255 of 256."},
};

_Static_assert(QS_VAR_COUNT <= 64, "qs_expr_variables is a 64-bit mask");

const char *qs_expr_variable_name(enum qs_expr_variable variable)
{
	return (unsigned)variable < QS_VAR_COUNT ? expr_variables[variable].name : "?";
}

const char *qs_expr_variable_text(enum qs_expr_variable variable)
{
	return (unsigned)variable < QS_VAR_COUNT ? expr_variables[variable].text : "?";
}

unsigned expr_find_variable(const char *name, size_t length)
{
	unsigned i = 0;

	while (i < QS_VAR_COUNT && (strncmp(expr_variables[i].name, name, length) || expr_variables[i].name[length]))
		i++;
	return i;
}

const struct qs_enum_value *expr_find_value(const struct qs_enum_value *values, const char *name, size_t length)
{
	for (; values && values->name; values++)
		if (strlen(values->name) == length && !expr_distance(name, length, values->name, 0))
			return values;
	return NULL;
}

/* ---- did you mean --------------------------------------------------------------------------------------------------------- */

#define MAX_WORD 40 /* longest name in the tables is shorter */

static char fold(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

unsigned expr_distance(const char *a, size_t a_length, const char *b, unsigned limit)
{
	unsigned rows[3][MAX_WORD + 1]; /* the last three rows of the usual table */
	size_t b_length = strlen(b);

	if (a_length > MAX_WORD || b_length > MAX_WORD || a_length > b_length + limit || b_length > a_length + limit)
		return limit + 1;
	for (size_t k = 0; k <= b_length; k++)
		rows[0][k] = (unsigned)k;
	for (size_t i = 1; i <= a_length; i++) {
		unsigned *now = rows[i % 3], *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
		now[0] = (unsigned)i;
		for (size_t k = 1; k <= b_length; k++) {
			bool same = fold(a[i - 1]) == fold(b[k - 1]);
			now[k] = least(least(above[k], now[k - 1]) + 1, above[k - 1] + !same);
			if (i > 1 && k > 1 && fold(a[i - 1]) == fold(b[k - 2]) && fold(a[i - 2]) == fold(b[k - 1]))
				now[k] = least(now[k], above2[k - 2] + 1);
		}
	}
	unsigned distance = rows[a_length % 3][b_length];
	return distance > limit ? limit + 1 : distance;
}

void expr_suggest_begin(struct expr_suggestion *suggestion, const char *word, size_t length)
{
	/* a third of the letters may be wrong, one of two; beyond that a suggestion is noise */
	*suggestion = (struct expr_suggestion){word, length, (unsigned)(length == 2 ? 1 : length / 3) + 1, NULL};
}

void expr_suggest(struct expr_suggestion *suggestion, const char *candidate)
{
	unsigned distance = expr_distance(suggestion->word, suggestion->length, candidate, suggestion->distance - 1);

	if (distance < suggestion->distance) {
		suggestion->distance = distance;
		suggestion->best = candidate;
	}
}
