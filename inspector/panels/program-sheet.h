/* program-sheet.h - a stage of a Gfx3D program as a sheet: one row per instruction
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "qs-gfx3d.h"
#include "widgets/qs-sheet.h"

G_BEGIN_DECLS

typedef enum {
	QS_PROGRAM_COLUMN_NUMBER,
	QS_PROGRAM_COLUMN_TEXT,
	QS_PROGRAM_COLUMN_RESULT,
	QS_PROGRAM_COLUMN_HOST, /* empty without a host */
	QS_PROGRAM_COLUMN_A,
	QS_PROGRAM_COLUMN_B,
	QS_PROGRAM_COLUMN_RAN,
	QS_PROGRAM_COLUMN_COUNT
} QsProgramColumn;

/* The host's side of an instruction. */
typedef enum { QS_HOST_UNKNOWN, QS_HOST_NOT_REACHED, QS_HOST_EQUAL, QS_HOST_DIFFERS } QsHostState;
typedef struct {
	QsHostState state;
	float value[4];
} QsHostResult;

typedef struct {
	const QsProgram *program;
	guint stage;              /* enum qs_shader_stage */
	guint thread;             /* fragment 0..3 of the quad, corner 0..2 of the primitive */
	int now;                  /* instruction of the moment; -1: the whole stage is done */
	gboolean with_host;
	const QsHostResult *host; /* by instruction; NULL: none */
} QsProgramFacts;

/* The register and lanes that an instruction is compared by: what it writes, of stores and branches what they read. */
gboolean qs_program_compared(const struct qs_gfx3d_step *step, guint *instruction, guint *reg, guint *lanes, float value[4][4]);
/* Are the numbers of a stage equal as far as two renderers' floats can be? */
gboolean qs_program_near(guint stage, const float a[4], const float b[4], guint lanes);
/* Number of the first instruction whose result differs and can reach what is stored; -1: none known. */
int qs_program_first_difference(const QsProgramFacts *f);

/* rows: guint, the instruction of each row, G_MAXUINT for the head. */
void qs_program_sheet_fill(QsSheet *sheet, const QsProgramFacts *f, GArray *rows);
/* Markup. */
char *qs_program_detail(const QsProgramFacts *f, guint instruction);

G_END_DECLS
