/* tev-facts.h - what the registers say about the TEV stages of a fragment, and where every value comes from
 *
 * SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "qs-view.h"

G_BEGIN_DECLS

typedef struct {
	const QsView *regs;   /* registers as the fragment's draw had them */
	const QsTrace *trace; /* NULL: no fragment; what the registers say is all there is */
	const struct qs_fragment *fragment; /* never NULL */
	guint stages;  /* active */
	int now;       /* stage of a STAGE moment in this fragment, or -1 */
	gboolean decimal;
} QsTevFacts;

void qs_tev_facts_init(QsTevFacts *f, const QsView *regs, const QsView *view, const QsTrace *trace, gboolean decimal);

/* A register with one of its fields. */
typedef struct {
	const struct qs_register *reg;
	const struct qs_field *field; /* NULL: the whole register */
} QsTevField;

/* pattern: "TEV_COLOR_ENV_%u"; field NULL: the whole register */
QsTevField qs_tev_field(const char *pattern, guint n, const char *field);
/* The same for registers that two stages share: "kcsel" gives TEV_KSEL<stage / 2>.kcsel_odd or _even. */
QsTevField qs_tev_shared(const char *pattern, guint stage, const char *field);
guint32 qs_tev_value(const QsTevFacts *f, QsTevField field);
const char *qs_tev_enum(const QsTevFacts *f, QsTevField field); /* name of the value; "?" when it has none */

enum { QS_TEV_A, QS_TEV_B, QS_TEV_C, QS_TEV_D };
QsTevField qs_tev_env(guint stage, gboolean alpha, const char *field);
const char *qs_tev_input(const QsTevFacts *f, guint stage, gboolean alpha, guint input); /* "tex_rgb" */
const char *qs_tev_konst(const QsTevFacts *f, guint stage, gboolean alpha);              /* "k0_rgb", "7/8" */
/* What the registers give for it: red, green, blue, alpha (the last of the alpha combiner's choice). */
void qs_tev_konst_value(const QsTevFacts *f, guint stage, int value[4]);
gboolean qs_tev_textured(const QsTevFacts *f, guint stage, guint *map, guint *coord);
void qs_tev_swap(const QsTevFacts *f, guint stage, gboolean ras, char text[5]); /* "rgba" */
/* "prev = clamp(d + lerp(a, b, c))" */
char *qs_tev_formula(const QsTevFacts *f, guint stage, gboolean alpha);
/* "+", "-", or in compare mode "a.r > b.r" */
const char *qs_tev_op(const QsTevFacts *f, guint stage, gboolean alpha);
gboolean qs_tev_compares(const QsTevFacts *f, guint stage, gboolean alpha);
gboolean qs_tev_indirect(const QsTevFacts *f, guint stage);
char *qs_tev_indirect_text(const QsTevFacts *f, guint stage);

typedef enum { QS_TEV_FROM_NOTHING, QS_TEV_FROM_REGISTER, QS_TEV_FROM_STAGE, QS_TEV_FROM_TEXTURE } QsTevFrom;

typedef struct {
	QsTevFrom from;
	QsTevField field[2]; /* REGISTER: one or two (red and alpha, blue and green are apart) */
	guint count;
	guint stage;    /* STAGE: whose result it is */
	gboolean alpha; /* STAGE: of the alpha combiner */
	guint map;      /* TEXTURE */
} QsTevSource;

/* Where the value of an input comes from; of the konst colour; of a register (0 PREV .. 3 C2) before a stage. */
QsTevSource qs_tev_input_source(const QsTevFacts *f, guint stage, gboolean alpha, guint input);
QsTevSource qs_tev_konst_source(const QsTevFacts *f, guint stage, gboolean alpha);
QsTevSource qs_tev_register_source(const QsTevFacts *f, guint stage, gboolean alpha, guint reg);
/* Value of a register before any stage. */
void qs_tev_register_start(const QsTevFacts *f, guint reg, gint16 value[4]);

G_END_DECLS
