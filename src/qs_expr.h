/* qs_expr.h - expressions: conditions over events and registers
 *
 * Part of quadscope.h, which programs include.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QS_EXPR_H
#define QS_EXPR_H

#include "qs_base.h"
#include "qs_capture.h"
#include "qs_record.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Conditions of breakpoints and filters, compiled once and tested millions of times: "alpha < 8 and bp.GEN_MODE.ntev > 2",
 * "verdict == late_z or z_old >> 8 == 0xffff", "bp.PE_ZMODE.func != always".
 *
 *   numbers    12, 0x1f, 0.5, 1e-3, true, false; 'name' or "name" for a value name that is no word ("8bit")
 *   names      the variables below; unit.REGISTER is the whole register (also .raw), unit.REGISTER.field a field as
 *              qs_field_number gives it; case does not matter for registers and fields
 *   operators  from weak to strong:  or ||,  and &&,  not,  == != < <= > >=,  |,  ^,  &,  << >>,  + -,  * / %,  - + ~ !
 *
 * All values are doubles, so integers are exact up to 2^53.  << >> & | ^ ~ % take their operands as 64-bit integers (cut toward
 * zero, limited to their range, nan is 0); << drops bits, >> keeps the sign, a count outside 0..63 shifts everything out; %
 * has the sign of the left side and is nan for 0 on the right.  / is the exact quotient and may be inf or nan.  0 and nan are
 * false; and, or, not and comparisons give 1 or 0; and, or do not evaluate the right side when the left decides.  Comparisons
 * with nan are false, != too; they do not chain.  On the right of == and != after an enumerated thing (verdict, kind,
 * setup, unit, a field with value names) its value names come before variables: verdict == alpha. */
struct qs_expr;

/* A variable that the event does not have is nan. */
enum qs_expr_variable {
	/* any event: numbers of its moment */
	QS_VAR_FRAME, QS_VAR_COMMAND, QS_VAR_DRAW, QS_VAR_PRIMITIVE, QS_VAR_QUAD, QS_VAR_FRAGMENT, QS_VAR_STAGE,
	/* commands */
	QS_VAR_OPCODE, QS_VAR_SIZE, QS_VAR_OFFSET,
	/* register writes */
	QS_VAR_UNIT, QS_VAR_ADDRESS, QS_VAR_OLD, QS_VAR_VALUE,
	/* setup records */
	QS_VAR_KIND, QS_VAR_SETUP, QS_VAR_AREA,
	/* quads: x, y are the fragment's pixel, or the quad's top left one */
	QS_VAR_X, QS_VAR_Y, QS_VAR_COVERAGE,
	/* fragments: alpha is what the alpha test sees, r g b a the colour that is blended, old_ and new_ the pixel */
	QS_VAR_SAMPLES, QS_VAR_VERDICT, QS_VAR_ALPHA, QS_VAR_R, QS_VAR_G, QS_VAR_B, QS_VAR_A, QS_VAR_Z, QS_VAR_Z_OLD, QS_VAR_Z_NEW,
	QS_VAR_OLD_R, QS_VAR_OLD_G, QS_VAR_OLD_B, QS_VAR_OLD_A, QS_VAR_NEW_R, QS_VAR_NEW_G, QS_VAR_NEW_B, QS_VAR_NEW_A, QS_VAR_FOG,
	QS_VAR_COUNT
};

struct qs_expr_env {
	double variable[QS_VAR_COUNT];
	/* Register value; NULL: all registers read 0. */
	uint32_t (*read)(void *user, enum qs_unit unit, uint32_t address);
	void *user;
};

/* NULL: error says what was expected and where; its offset is the column, from 1, in characters. */
struct qs_expr *qs_expr_compile(const char *text, struct qs_error *error);
void qs_expr_destroy(struct qs_expr *expr);
const char *qs_expr_text(const struct qs_expr *expr);
/* Any thread; about 10 ns for a short condition. */
double qs_expr_evaluate(const struct qs_expr *expr, const struct qs_expr_env *env);
bool qs_expr_test(const struct qs_expr *expr, const struct qs_expr_env *env);
/* Bit 1 << variable for each variable it reads. */
uint64_t qs_expr_variables(const struct qs_expr *expr);
bool qs_expr_reads_registers(const struct qs_expr *expr);
/* The coarsest level whose events have all of its variables: START when it reads none, FRAGMENT for "verdict == late_z". */
enum qs_level qs_expr_level(const struct qs_expr *expr);
const char *qs_expr_variable_name(enum qs_expr_variable variable);
const char *qs_expr_variable_text(enum qs_expr_variable variable); /* one sentence */

/* Fill an environment from an event; init makes everything nan and reads nothing.  The variables of coarser things stay. */
void qs_expr_env_init(struct qs_expr_env *env);
void qs_expr_env_moment(struct qs_expr_env *env, const struct qs_moment *moment);
void qs_expr_env_command(struct qs_expr_env *env, const struct qs_command *command);
void qs_expr_env_write(struct qs_expr_env *env, enum qs_unit unit, uint32_t address, uint32_t old, uint32_t value);
void qs_expr_env_setup(struct qs_expr_env *env, const struct qs_setup *setup);
void qs_expr_env_quad(struct qs_expr_env *env, const struct qs_quad *quad);
void qs_expr_env_fragment(struct qs_expr_env *env, const struct qs_fragment *fragment);

#ifdef __cplusplus
}
#endif

#endif
