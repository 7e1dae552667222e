/* tev-sheet.h - a fragment's way through TEV and pixel engine as rows of a sheet
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "tev-facts.h"
#include "widgets/qs-sheet.h"

G_BEGIN_DECLS

typedef enum {
	QS_TEV_COLUMN_STAGE,
	QS_TEV_COLUMN_A,
	QS_TEV_COLUMN_B,
	QS_TEV_COLUMN_C,
	QS_TEV_COLUMN_D,
	QS_TEV_COLUMN_WIDE,
	QS_TEV_COLUMN_RESULT,
	QS_TEV_COLUMN_DEST,
	QS_TEV_COLUMN_TEX,
	QS_TEV_COLUMN_RAS,
	QS_TEV_COLUMN_KONST,
	QS_TEV_COLUMN_SWAP,
	QS_TEV_COLUMN_OP,
	QS_TEV_COLUMN_BIAS,
	QS_TEV_COLUMN_SCALE,
	QS_TEV_COLUMN_CLAMP,
	QS_TEV_COLUMN_PREV,
	QS_TEV_COLUMN_C0,
	QS_TEV_COLUMN_C1,
	QS_TEV_COLUMN_C2,
	QS_TEV_COLUMN_FORMULA,
	QS_TEV_COLUMN_COUNT
} QsTevColumn;

typedef enum {
	QS_TEV_ROW_HEAD,
	QS_TEV_ROW_LOOKUP, /* stage: of the indirect lookup */
	QS_TEV_ROW_START,  /* registers before the first stage, when there is no fragment; stage: 0 colour, 1 alpha */
	QS_TEV_ROW_COLOUR,
	QS_TEV_ROW_ALPHA,
	QS_TEV_ROW_INDIRECT,
	QS_TEV_ROW_ALPHA_TEST,
	QS_TEV_ROW_Z_TEXTURE,
	QS_TEV_ROW_DEPTH,
	QS_TEV_ROW_FOG,
	QS_TEV_ROW_BLEND,
	QS_TEV_ROW_SAMPLES, /* of the anti-aliased EFB */
	QS_TEV_ROW_PIXEL,
} QsTevRowKind;

typedef struct {
	QsTevRowKind kind;
	guint stage;
} QsTevRow;

/* Fills the sheet; rows gets QsTevRow for each. */
void qs_tev_sheet_fill(QsSheet *sheet, const QsTevFacts *f, GArray *rows);
guint qs_tev_sheet_row(GArray *rows, QsTevRowKind kind, guint stage); /* G_MAXUINT: none */
/* Values as the sheet shows them: hexadecimal with sign, or decimal. */
char *qs_tev_numbers(const int *value, guint count, gboolean decimal);

/* tev-detail.c: where a cell comes from, with links; markup. */
char *qs_tev_detail(const QsTevFacts *f, const QsTevRow *row, guint column);
/* What activating the cell goes to. */
QsTevSource qs_tev_cell_source(const QsTevFacts *f, const QsTevRow *row, guint column);
/* Pixel engine rows: what they say (text, markup), and pass, fail or 0 in *flags. */
char *qs_tev_pixel_text(const QsTevFacts *f, QsTevRowKind kind, guint *flags);
char *qs_tev_pixel_plan(const QsTevFacts *f, QsTevRowKind kind); /* without a fragment: what the registers say; markup */
char *qs_tev_lookup_text(const QsTevFacts *f, guint lookup);
char *qs_tev_offset_text(const QsTevFacts *f, guint stage);

G_END_DECLS
